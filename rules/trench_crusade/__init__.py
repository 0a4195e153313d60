"""Trench Crusade: the doors of the game, answered from its packs. Importing this package registers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from rules import checker, fireteams, offers
from rules.browse import RuleDetail, RuleEntry
from rules.choices import of_fighter, of_item, of_list
from rules.consequences import Consequence
from rules.content.compiled import Content, patrons_of
from rules.content.house import READINGS, SETTINGS, HouseSetting
from rules.custom.profiles import CustomProfile, ProfileCard, ProfileKind, ProfileProblem
from rules.dice import DiceSource
from rules.fighters.frame import at_work_when_lost, frame_of
from rules.fighters.views import views
from rules.force import FighterView, Force, ForceFighter
from rules.game import register
from rules.import_text import TextRoster
from rules.legality.warband import elite_cap, examine, field_strength_of, priced, threshold_of
from rules.parts.attacks import Attacks
from rules.parts.battle import Battle, DeedChoice, MusterRow, PaperStep, ScenarioChoice
from rules.parts.campaign import CampaignRules, Teams
from rules.parts.choice import ChoiceAsked, Choosing
from rules.parts.documents import Documents
from rules.parts.founding import Founding, ListChoice, StartingItem
from rules.parts.offer import Offer
from rules.parts.post_battle import Aftermath, Amended, PostBattle, StepKind, StepRecord
from rules.parts.print_sheets import PrintSheets
from rules.parts.profiles import Profiles
from rules.parts.resolvers import Resolvers
from rules.parts.rulebook import Rulebook
from rules.parts.sheet import RosterSheet
from rules.parts.shop import Shop
from rules.parts.state import RosterState
from rules.parts.text_import import TextImport
from rules.parts.verdict import Limits, Scope, Verdict
from rules.price import Price
from rules.problems import Problem, Refusal
from rules.resolution import Task
from rules.resolvers.odds import Odds
from rules.resolvers.roller import Resolved
from rules.resolvers.rule import TableRule
from rules.resolvers.situation import Arm, Situation
from rules.sheets import DrawnSheet, SheetChoice
from rules.tracker.tracker import Tracker
from rules.transcription import PaperBook, PaperData, PaperReading
from rules.trench_crusade import (
    battle_sheet,
    browse,
    house,
    import_text,
    muster,
    normal_form,
    rekey,
    roster,
    sheet,
    transcribe,
)
from rules.trench_crusade.content import DOCUMENT_EDITION, EDITIONS, GAME, content_of, sample_of, samples_of
from rules.trench_crusade.documents.judge import judge
from rules.trench_crusade.documents.reader import read_document
from rules.trench_crusade.documents.writer import write_document
from rules.trench_crusade.labels import labels_of, settled_readings
from rules.vocabulary import ChooseEffect, ConsumedEffect, StartingItemsEffect


class TrenchCrusade:
    """Every door of `rules.game.GameSystem`, for Trench Crusade."""

    id = GAME
    name = "Trench Crusade"

    def __init__(self) -> None:
        self.founding: Founding[Content] = self
        self.state: RosterState[Content] = self
        self.documents: Documents[Content] = self
        self.battle: Battle[Content] = self
        self.post_battle: PostBattle[Content] = self
        self.resolvers: Resolvers[Content] = self
        self.rulebook: Rulebook[Content] = self
        self.shop: Shop[Content] | None = self
        self.campaign: CampaignRules[Content] | None = self
        self.profiles: Profiles[Content] | None = None
        self.attacks: Attacks[Content] | None = self
        self.text_import: TextImport[Content] | None = self
        self.print_sheets: PrintSheets[Content] | None = None

    # --- books

    def editions(self) -> tuple[str, ...]:
        """Edition ids, the default first."""
        return EDITIONS

    def document_edition(self) -> str:
        """The edition of a roster document or a console call that names none."""
        return DOCUMENT_EDITION

    def table_rules(self) -> tuple[TableRule, ...]:
        """Everything that is rolled at the table."""
        from rules.trench_crusade.resolvers.rules import RULES

        return tuple(RULES.values())

    def resolve(self, content: Content, rule: str, given: Mapping[str, Any], dice: DiceSource) -> Resolved:
        """Resolve one rule of the table."""
        from rules.trench_crusade.resolvers import rules as table

        return table.resolve(content, rule, given, dice)

    def odds(self, content: Content, rule: str, given: Mapping[str, Any]) -> Odds:
        """The exact odds of one rule of the table."""
        from rules.trench_crusade.resolvers import rules as table

        return table.odds(content, rule, given)

    def arms(self, content: Content, force: Force, fighter: str) -> tuple[Arm, ...]:
        """Every way in which a fighter attacks."""
        from rules.trench_crusade.resolvers import arms

        return arms.arms(content, force, fighter)

    def bare_force(self, content: Content, profile: str, list_id: str = "") -> Force:
        """A force of one fighter fresh from its profile."""
        from rules.trench_crusade.resolvers import arms

        return arms.bare(content, profile, list_id)

    def profiles_by_list(self, content: Content) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """Every profile of every list that is open."""
        from rules.trench_crusade.resolvers import arms

        return arms.profiles_by_list(content)

    def situation(
        self, content: Content, mine: tuple[Force, str], arm: str, theirs: tuple[Force, str], told: Mapping[str, Any]
    ) -> Situation:
        """An attack of one fighter on another as the input of a rule."""
        from rules.trench_crusade.resolvers import attack_situation

        return attack_situation.situation(content, mine, arm, theirs, told)

    def profile_kinds(self, content: Content) -> tuple[ProfileKind, ...]:
        """None: every profile stands in the books, or in the campaign's house rules."""
        return ()

    def read_profile(
        self, content: Content, kind: str, data: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], tuple[ProfileProblem, ...]]:
        """Nothing to read. Raises KeyError."""
        raise KeyError(kind)

    def default_profiles(self, content: Content) -> tuple[CustomProfile, ...]:
        """None."""
        return ()

    def profile_card(self, content: Content, profile: CustomProfile) -> ProfileCard:
        """The bare name."""
        return ProfileCard(profile.name, "")

    def tracker(self, content: Content) -> Tracker:
        """The table during a battle."""
        from rules.trench_crusade.tracker import tracker_of

        return tracker_of(content)

    def content(
        self, edition: str, overlays: Sequence[str] = (), house_rules: Mapping[str, Any] | None = None
    ) -> Content:
        """The frozen content of an edition under house rules. Raises KeyError for an unknown edition, Refusal for house rules."""
        return content_of(edition, overlays, house_rules)

    def normal_form(self, content: Content) -> dict[str, Any]:
        """The pack in normal form."""
        return normal_form.normal_form(content)

    def captives(self, content: Content) -> Literal["held", "settled"]:
        """What becomes of captives."""
        return content.campaign.rules.captives if content.pack.campaign else "held"

    def labels(self, content: Content) -> Mapping[str, str]:
        """The edition's words for things pages name."""
        return labels_of(content)

    def at_work_when_lost(self, content: Content) -> frozenset[str]:
        """Items whose pieces are at work still when they are lost."""
        return at_work_when_lost(content)

    def house_settings(self, content: Content) -> tuple[tuple[HouseSetting, ...], tuple[HouseSetting, ...]]:
        """What a campaign may set: numbers and lists, and readings of open questions, with the edition's own answers as defaults."""
        own = content.campaign.rules.readings if content.pack.campaign else {}
        open_ones = tuple(s for s in READINGS if s.key not in settled_readings(content))
        return SETTINGS, tuple(replace(s, default=own.get(s.key, s.default)) for s in open_ones)

    def entries(self, content: Content) -> tuple[RuleEntry, ...]:
        """Everything with a name."""
        return browse.entries_of(content)

    def entry(self, content: Content, kind: str, id_: str) -> RuleDetail | None:
        """One entry told whole."""
        return browse.detail_of(content, kind, id_)

    def check_house_rules(self, edition: str, house_rules: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
        """What is wrong with house rules, by setting."""
        return house.faults(edition, house_rules)

    def what_it_does(self) -> str:
        """What the app does, and what stands on the sheet, edition by edition."""
        from rules.trench_crusade import automation

        return automation.told(content_of(edition) for edition in EDITIONS)

    def unknown(self, content: Content, force: Force) -> tuple[str, ...]:
        """What a force holds that this content does not know."""
        return house.unknown(content, force)

    def house_target(self, content: Content, text: str) -> str:
        """The id of the entry, list or offer that a house rule means."""
        return house.target(content, text)

    def house_target_name(self, content: Content, id_: str) -> str:
        """What to call the target of a house rule."""
        return house.target_name(content, id_)

    # --- founding and the roster

    def lists(self, content: Content) -> tuple[ListChoice, ...]:
        """Factions first, each followed by its variants; own lists before third-party ones."""
        found = []
        for base in (x for x in content.pack.lists if not x.faction):
            own = [x for x in content.pack.lists if x.faction == base.id]
            for army in (base, *sorted(own, key=lambda x: x.third_party)):
                compiled = content.lists[army.id]
                patrons = tuple((p, content.patrons[p].name) for p in patrons_of(content, army) if p in content.patrons)
                house = content.house.budget
                found.append(ListChoice(
                    id=army.id, name=army.name, temper=army.temper, faction=compiled.faction,
                    changes=tuple(f"{r.name}: {r.summary}" for r in compiled.rules), patrons=patrons,
                    start=house or army.start.campaign, one_off=house or army.start.one_off, third_party=army.third_party,
                    choices=self._list_choices(content, army.id), keyword=army.keyword or base.keyword, closed=compiled.closed,
                ))  # fmt: skip
        return tuple(found)

    def _list_choices(self, content: Content, list_id: str) -> tuple[ChoiceAsked, ...]:
        """What the list asks of the whole warband. An item of another list may be picked later."""
        frame = frame_of(content, Force(GAME, content.edition, list_id))
        asks = (asking.choosing.asked for asking in of_list(content, frame, {}))
        told = {cause.effect.key for cause in frame.of(ChooseEffect)}
        return tuple(asked if asked.key in told else replace(asked, optional=True) for asked in asks)

    def start(
        self, content: Content, list_id: str, mode: str, choices: Mapping[str, Any] | None = None
    ) -> tuple[Price, tuple[StartingItem, ...]]:
        """What a list is founded with. Raises Refusal for an unknown or closed list, or a choice that does not fit."""
        compiled = content.lists.get(list_id)
        if compiled is None:
            raise Refusal(f"No list is called “{list_id}”.", code="unknown-name")
        if compiled.closed:
            raise Refusal(compiled.closed, mend="Choose another list.", code="third-party")
        if mode not in ("campaign", "one-off"):
            raise Refusal(f"A warband is for a campaign or for one-off battles, not for “{mode}”.", code="mode")
        known = {asked.key: {value for value, _ in asked.options} for asked in self._list_choices(content, list_id)}
        for key, value in (choices or {}).items():
            for pick in value if isinstance(value, list | tuple) else (value,):
                if pick not in ("", None) and pick not in known.get(key, ()):
                    raise Refusal(f"“{pick}” is not one of the choices.", code="unknown-option")
        army = compiled.army
        price = content.house.budget or (army.start.campaign if mode == "campaign" else army.start.one_off)
        kit = []
        for rule in compiled.rules:
            for effect in rule.effects:
                if isinstance(effect, StartingItemsEffect):
                    for offer_id in effect.offers:
                        offer = content.item_offers.get(offer_id)
                        item = offer.item if offer else offer_id
                        kit.append(StartingItem(item, offer.id if offer else "", content.name("item", item)))
        return price, tuple(kit)

    def late_start(self, content: Content, list_id: str, threshold: int, battles: int) -> tuple[Price, int]:
        """What a latecomer is founded with: the campaign's threshold (less what its list takes off), glory as ever, and experience."""
        if list_id not in content.lists:
            raise Refusal(f"No list is called “{list_id}”.", code="unknown-name")
        army = content.lists[list_id].army
        each = content.campaign.rules.late_experience if content.pack.campaign else 1
        return Price(ducats=threshold + army.threshold_add, glory=army.start.campaign.glory), battles * each

    def samples(self, content: Content) -> tuple[tuple[str, str, str, str], ...]:
        """Ready rosters: (id, name, list id, words)."""
        return samples_of(content)

    def sample(self, content: Content, sample_id: str) -> dict[str, Any]:
        """The roster document of a sample. Raises KeyError."""
        return sample_of(content, sample_id)

    def fighter_state(self, content: Content, data: Mapping[str, Any]) -> dict[str, Any]:
        """The validated state of a roster row. Raises Refusal naming the field."""
        return roster.fighter_state(content, data)

    def warband_state(self, content: Content, data: Mapping[str, Any]) -> dict[str, Any]:
        """The validated state of a warband. Raises Refusal naming the field."""
        return roster.warband_state(content, data)

    def read_state(self, content: Content, fighter: ForceFighter, data: Mapping[str, Any]) -> ForceFighter:
        """The fighter with its JSON state spread into the typed fields."""
        return roster.read_state(content, fighter, data)

    def read_warband_state(self, content: Content, force: Force, data: Mapping[str, Any]) -> Force:
        """The force with the warband's JSON state spread into the typed fields."""
        return roster.read_warband_state(content, force, data)

    def write_state(self, content: Content, fighter: ForceFighter) -> dict[str, Any]:
        """The JSON state of a roster row for this fighter."""
        return roster.write_state(content, fighter)

    def write_warband_state(self, content: Content, force: Force) -> dict[str, Any]:
        """The JSON state of a warband for this force."""
        return roster.write_warband_state(content, force)

    def check(
        self,
        content: Content,
        force: Force,
        *,
        scope: Scope = "roster",
        wants: Mapping[str, str] | None = None,
        taken: Sequence[str] | None = None,
        scenario: str = "",
        attacker: bool | None = None,
        facing: int | None = None,
    ) -> Verdict:
        """All problems of the roster, of one purchase, or of a fielded force."""
        return checker.check(
            content, force, scope=scope, wants=wants, taken=taken, scenario=scenario, attacker=attacker, facing=facing
        )

    def judge(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The verdict on a roster document, as the console prints it. Raises Refusal when it is unreadable."""
        return judge(document)

    def views(self, content: Content, force: Force) -> Mapping[str, FighterView]:
        """Every fighter after all effects, by key."""
        return views(content, force)

    def rating(self, content: Content, force: Force) -> Price:
        """What the active fighters and their kit are worth."""
        return checker.rating(content, force)

    def headcount(self, content: Content, force: Force) -> int:
        """Everybody on the roster."""
        return sum(fighter.count for fighter in force.fighters if fighter.active)

    def profile_name(self, content: Content, profile: str, state: Mapping[str, Any]) -> str:
        """The name in the books."""
        return content.name("profile", profile)

    def losable(self, content: Content, state: Mapping[str, Any]) -> tuple[tuple[str, str, int, int], ...]:
        """Nothing: a fighter is one."""
        return ()

    def limits(self, content: Content, force: Force, battle: int | None = None) -> Limits:
        """Threshold and field strength of the next battle, or of the battle with that number."""
        cap = elite_cap(examine(content, force)) if force.list in content.lists else None
        return Limits(
            battle=battle or force.battles.next_number, threshold=threshold_of(content, force, battle),
            field_strength=field_strength_of(content, force, battle), elite_cap=cap,
        )  # fmt: skip

    # --- offers

    def hire_offers(self, content: Content, force: Force) -> tuple[Offer, ...]:
        """Every recruitment entry of the list."""
        return offers.hire_offers(content, force)

    def item_offers(self, content: Content, force: Force, fighter: str = "") -> tuple[Offer, ...]:
        """What may be bought for a fighter, or for the stash."""
        return offers.item_offers(content, force, fighter)

    def outfit(
        self, content: Content, force: Force, offer: str, choices: Mapping[str, Any] | None = None
    ) -> tuple[StartingItem, ...]:
        """The swappable kit that comes with this hire."""
        return offers.outfit(content, force, offer, choices)

    def upgrade_offers(self, content: Content, force: Force, fighter: str) -> tuple[Offer, ...]:
        """The upgrade entries meant for this fighter."""
        return offers.upgrade_offers(content, force, fighter)

    def follows(
        self,
        content: Content,
        force: Force,
        fighter: str,
        offer: str,
        option: str = "",
        choices: Mapping[str, Any] | None = None,
    ) -> tuple[Consequence, ...]:
        """What taking this upgrade does besides."""
        return offers.follows(content, force, fighter, offer, option, choices)

    def carry(self, content: Content, force: Force, item: str, fighter: str) -> Offer:
        """Whether an owned item may go to this fighter ("" = the stash)."""
        return offers.carry(content, force, item, fighter)

    def sale(self, content: Content, force: Force, item: str) -> Offer:
        """What selling an owned item brings, or why it cannot be sold."""
        return offers.sale(content, force, item)

    def refund(self, content: Content, force: Force, item: str) -> Offer:
        """What returning it brings while founding, or why it cannot be returned."""
        return offers.refund(content, force, item)

    def departures(self, content: Content, force: Force, fighter: str) -> tuple[Offer, ...]:
        """The ways a fighter may leave now."""
        return offers.part(content, force, fighter)

    def choices(self, content: Content, force: Force) -> tuple[Choosing, ...]:
        """Every choice that the warband, its fighters and their kit ask for, as it stands."""
        if force.list not in content.lists:
            return ()
        exam = examine(content, force)
        army, people = exam.frame.list, tuple(zip(exam.fighters, exam.facts, strict=True))
        found = list(of_list(content, exam.frame, force.choices))
        for fighter, who in people:
            found += of_fighter(content, army, fighter, who, people, force.stash)
        for piece in force.stash:
            found += of_item(content, army, piece, people, force.stash)
        return tuple(asking.choosing for asking in found)

    def teams(self, content: Content, force: Force) -> Teams | None:
        """The fireteams that may be declared; None where nothing opens any."""
        return fireteams.teams(examine(content, force)) if force.list in content.lists else None

    def form_teams(
        self, content: Content, force: Force, picks: Mapping[str, tuple[str, str]]
    ) -> tuple[Consequence, ...]:
        """What declaring these fireteams does. Raises Refusal for a pair that may not be formed."""
        return fireteams.form(examine(content, force), picks)

    def priced(self, content: Content, force: Force) -> Force:
        """The force with what each fighter, piece and upgrade took from the budget, where that is not noted yet."""
        return priced(content, force)

    def rekeyed(self, content: Content, force: Force, fighters: Mapping[str, str], items: Mapping[str, str]) -> Force:
        """The force with what its choices name called by new keys."""
        return rekey.rekeyed(content, force, fighters, items)

    # --- camp

    def camp_tasks(self, content: Content, force: Force) -> tuple[Task, ...]:
        """Finds and kit that may be used up or applied now."""
        from rules.trench_crusade import camp

        return camp.camp_tasks(content, force)

    def redeem(self, content: Content, force: Force, promise_kind: str, data: Mapping[str, Any]) -> Task | None:
        """What settles a promise; None where it cannot be settled here."""
        from rules.trench_crusade import camp

        return camp.redeem(content, force, promise_kind, data)

    def waits_for(self, content: Content, force: Force, promise_kind: str, data: Mapping[str, Any]) -> str:
        """Why a promise cannot be settled now, "" when it can."""
        from rules.trench_crusade import camp

        return camp.waits_for(content, force, promise_kind, data)

    # --- muster and battle

    def scenarios(self, content: Content) -> tuple[ScenarioChoice, ...]:
        """All scenarios."""
        return muster.scenarios_of(content)

    def scenario_task(
        self,
        content: Content,
        numbers: Sequence[int],
        last_played: Sequence[str],
        settings: Mapping[str, Any],
        names: Sequence[str] = (),
    ) -> Task:
        """Rolling a scenario."""
        from rules.trench_crusade import post_battle

        return post_battle.scenario_task(content, numbers, last_played, settings, names)

    def attacker_task(
        self,
        content: Content,
        sides: Sequence[tuple[str, str, int]],
        settings: Mapping[str, Any],
        scenario: str = "",
        sizes: Mapping[str, int] | None = None,
    ) -> Task:
        """Who attacks."""
        from rules.trench_crusade import post_battle

        return post_battle.attacker_task(content, sides, settings, scenario, sizes)

    def repeats_scenarios(self, content: Content) -> bool:
        """Whether the scenario played last may come again."""
        return content.pack.campaign is not None and content.campaign.rules.scenarios_repeat

    def result_points(self, content: Content) -> Mapping[str, int]:
        """What each result is worth in the standings of a campaign; empty where the scenario's points rank."""
        worth = content.campaign.rules.result_points if content.pack.campaign else None
        return {"won": worth.won, "drawn": worth.drawn, "lost": worth.lost} if worth else {}

    def preset_settings(self, content: Content) -> Mapping[str, Any]:
        """Where results are worth points of their own, these alone rank."""
        return {"points": "campaign"} if self.result_points(content) else {}

    def deeds(self, content: Content, scenario: str) -> tuple[DeedChoice, ...]:
        """The glorious deeds of a scenario."""
        return muster.deeds_of(content, scenario)

    def consumables(self, content: Content) -> frozenset[str]:
        """Items that are spent when used."""
        return frozenset(
            item.id for item in content.pack.items if any(isinstance(e, ConsumedEffect) for e in item.effects)
        )

    def muster(self, content: Content, force: Force, scenario: str = "") -> tuple[MusterRow, ...]:
        """Every fighter at muster."""
        return muster.muster_rows(content, force, scenario)

    # --- after the battle

    def steps(self, content: Content, force: Force) -> tuple[StepKind, ...]:
        """The post-battle steps in order."""
        from rules.trench_crusade import post_battle

        return post_battle.steps(content, force)

    def tasks(
        self, content: Content, force: Force, aftermath: Aftermath, record: StepRecord, step: str
    ) -> tuple[Task, ...]:
        """What is to be settled in a step."""
        from rules.trench_crusade import post_battle

        return post_battle.tasks(content, force, aftermath, record, step)

    def skipped(self, content: Content, force: Force, aftermath: Aftermath, record: StepRecord, step: str) -> str:
        """Why this step is passed over."""
        from rules.trench_crusade import post_battle

        return post_battle.skipped(content, force, aftermath, record, step)

    def result_consequences(self, content: Content, force: Force, aftermath: Aftermath) -> tuple[Consequence, ...]:
        """What a confirmed report does to this side at once."""
        from rules.trench_crusade import post_battle

        return post_battle.result_consequences(content, force, aftermath)

    def amended(self, content: Content, force: Force, before: Aftermath, now: Aftermath, record: StepRecord) -> Amended:
        """What an amended report makes up for in a sequence."""
        from rules.trench_crusade import post_battle

        return post_battle.amended_report(content, force, before, now, record)

    # --- documents and paper

    def read_document(self, document: Mapping[str, Any]) -> tuple[Force, tuple[Problem, ...]]:
        """A roster document as a force. Raises Refusal when it is unreadable."""
        return read_document(document)

    def write_document(self, content: Content, force: Force) -> dict[str, Any]:
        """The roster document of a force."""
        return write_document(content, force)

    def paper_steps(self, content: Content, force: Force) -> tuple[PaperStep, ...]:
        """What is written down after a battle, step by step."""
        return battle_sheet.paper_steps(content, force)

    def marker_names(self, content: Content) -> tuple[str, ...]:
        """Markers a fighter gathers in a battle."""
        return battle_sheet.MARKERS

    def sheet(self, content: Content, force: Force) -> RosterSheet:
        """The whole roster as paper shows it."""
        return sheet.sheet_of(content, force)

    def sheet_choices(self, content: Content) -> tuple[SheetChoice, ...]:
        """None: the roster prints from `sheet`."""
        return ()

    def drawn_sheet(self, content: Content, force: Force, sheet: str) -> DrawnSheet:
        """Raises KeyError: there is none."""
        raise KeyError(sheet)

    # --- brought from elsewhere

    def read_text(
        self, content: Content, text: str, list_id: str = "", answers: Mapping[str, str] | None = None
    ) -> TextRoster:
        """A pasted roster, read line by line. Raises Refusal for what is no text."""
        return import_text.read_roster(content, text, list_id, answers)

    def write_text(self, content: Content, document: Mapping[str, Any]) -> str:
        """A roster document as text in the form that is read."""
        return import_text.write_text(content, document)

    def explain_text(self) -> str:
        """The form of a pasted roster, with examples."""
        return import_text.EXPLAINED

    def paper_book(self, content: Content, list_id: str) -> PaperBook:
        """The names that a paper roster of this list may hold."""
        return transcribe.book_of(content, list_id)

    def read_paper(self, content: Content, data: PaperData) -> PaperReading:
        """What was copied off paper as a roster document."""
        return transcribe.read_paper(content, data)

    def paper_of(self, content: Content, roster: TextRoster) -> PaperData:
        """A pasted roster as a paper one."""
        return transcribe.paper_of(content, roster)


SYSTEM = TrenchCrusade()
register(SYSTEM)
