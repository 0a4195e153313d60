"""What every game offers to the rooms above: a handful of doors (`GameSystem`), and the registry of games.

Nothing above `rules/` names a game, an edition or a step. The doors speak in `Force` (a warband as values), offers, problems, tasks
and consequences; each game's package answers them from its packs.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar, cast

from rules.browse import RuleDetail, RuleEntry
from rules.consequences import Consequence
from rules.custom.profiles import CustomProfile, ProfileCard, ProfileKind, ProfileProblem
from rules.dice import DiceSource
from rules.force import FighterView, Force, ForceFighter
from rules.import_text import TextRoster
from rules.parts.battle import DeedChoice, MusterRow, PaperStep, ScenarioChoice
from rules.parts.campaign import Teams
from rules.parts.choice import Choosing
from rules.parts.founding import ListChoice, StartingItem
from rules.parts.offer import Offer
from rules.parts.post_battle import Aftermath, Amended, StepKind, StepRecord
from rules.parts.sheet import RosterSheet
from rules.parts.verdict import Limits, Scope, Verdict
from rules.price import Price
from rules.problems import Problem
from rules.resolution import Task
from rules.resolvers.odds import Odds
from rules.resolvers.roller import Resolved
from rules.resolvers.rule import TableRule
from rules.resolvers.situation import Arm, Situation
from rules.sheets import DrawnSheet, SheetChoice
from rules.tracker.tracker import Tracker
from rules.transcription import PaperBook, PaperData, PaperReading


class GameContent(Hashable, Protocol):
    """The frozen content of an edition as its game made it. Opaque above `rules/`: it is only handed back to the game."""


C = TypeVar("C")


class GameSystem(Hashable, Protocol[C]):
    """What one game answers. `content` below is what `content()` returned."""

    id: str
    name: str

    # --- books
    def editions(self) -> tuple[str, ...]:
        """Edition ids, the default first."""
        ...

    def document_edition(self) -> str:
        """The edition of a roster document or a console call that names none."""
        ...

    def table_rules(self) -> tuple[TableRule, ...]:
        """Everything that is rolled at the table, by name, with its input and its dice."""
        ...

    def resolve(self, content: C, rule: str, given: Mapping[str, Any], dice: DiceSource) -> Resolved:
        """Resolve one rule of the table. Raises Refusal for an unknown rule or input, NeedDice where typed dice run out."""
        ...

    def odds(self, content: C, rule: str, given: Mapping[str, Any]) -> Odds:
        """The exact odds of one rule of the table. Raises Refusal for an unknown rule or input."""
        ...

    def arms(self, content: C, force: Force, fighter: str) -> tuple[Arm, ...]:
        """Every way in which a fighter attacks. Raises KeyError."""
        ...

    def bare_force(self, content: C, profile: str, list_id: str = "") -> Force:
        """A force of one fighter fresh from its profile, whose key is "1". Raises KeyError."""
        ...

    def profiles_by_list(self, content: C) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """Every profile of every list that is open: the list's name, and ("list.profile", name) for each. Made once per content."""
        ...

    def situation(
        self, content: C, mine: tuple[Force, str], arm: str, theirs: tuple[Force, str], told: Mapping[str, Any]
    ) -> Situation:
        """An attack of one fighter on another, with what the table tells, as the input of a rule. Raises Refusal, KeyError."""
        ...

    def tracker(self, content: C) -> Tracker:
        """The table during a battle: its markers, acts, rolls and prompts. Raises Refusal where the edition has no rules for it."""
        ...

    def content(self, edition: str, overlays: Sequence[str] = (), house_rules: Mapping[str, Any] | None = None) -> C:
        """The frozen content of an edition under overlays and house rules. Cached. Raises KeyError for an unknown edition."""
        ...

    def document(self, content: C) -> dict[str, Any]:
        """The pack in normal form, as `manage.py content` prints it."""
        ...

    def labels(self, content: C) -> Mapping[str, str]:
        """The edition's words for things pages name: "strongbox", "stash", "fighter", "troops", ...

        Under "stash_within" and the like the same as it stands within a sentence.
        """
        ...

    def captives(self, content: C) -> Literal["held", "settled"]:
        """What becomes of captives: held, without their kit, until ransomed; or settled at once, kit and all, before anything else."""
        ...

    def at_work_when_lost(self, content: C) -> frozenset[str]:
        """Items whose pieces are at work still when they are lost; a force tells them as `lost`."""
        ...

    def house_settings(self, content: C) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What house rules may replace, and how open questions may be read: each with key, kind, default, words and options."""
        ...

    def entries(self, content: C) -> tuple[RuleEntry, ...]:
        """Everything with a name, for search and links."""
        ...

    def entry(self, content: C, kind: str, id_: str) -> RuleDetail | None:
        """One of the entries told whole; None where there is none of this kind and id."""
        ...

    def check_house_rules(self, edition: str, house_rules: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
        """What is wrong with house rules that are about to be set, by setting: each sentence names the field. Empty when sound.

        Raises Refusal for what cannot be read at all, KeyError for an unknown edition.
        """
        ...

    def what_it_does(self) -> str:
        """What the app does of the campaign's results and what the sheet reminds of, over all editions, as a page of the docs."""
        ...

    def unknown(self, content: C, force: Force) -> tuple[str, ...]:
        """What a force holds that this content does not know: ids of profiles, items, upgrades and skills, each once."""
        ...

    def house_target(self, content: C, text: str) -> str:
        """The id that a house rule means by this name or id ("Bayonet", "New Antioch: Bayonet"), "" where nothing is called so."""
        ...

    def house_target_name(self, content: C, id_: str) -> str:
        """What to call the target of a house rule, so that `house_target` finds it again."""
        ...

    # --- profiles that players write
    def profile_kinds(self, content: C) -> tuple[ProfileKind, ...]:
        """What players may write themselves; empty where the books hold every profile."""
        ...

    def read_profile(
        self, content: C, kind: str, data: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], tuple[ProfileProblem, ...]]:
        """A profile with everything left out filled in, and what is wrong with it. Raises KeyError for an unknown kind."""
        ...

    def default_profiles(self, content: C) -> tuple[CustomProfile, ...]:
        """The game's own tables as profiles, and invented samples, marked as such: to be taken or copied."""
        ...

    def profile_card(self, content: C, profile: CustomProfile) -> ProfileCard:
        """A profile as a card shows it."""
        ...

    # --- founding and the roster
    def lists(self, content: C) -> tuple[ListChoice, ...]:
        """Factions first, each followed by its variants."""
        ...

    def start(
        self, content: C, list_id: str, mode: str, choices: Mapping[str, Any] | None = None
    ) -> tuple[Price, tuple[StartingItem, ...]]:
        """What a list is founded with. Raises Refusal for an unknown list or a choice that does not fit."""
        ...

    def late_start(self, content: C, list_id: str, threshold: int, battles: int) -> tuple[Price, int]:
        """What a latecomer is founded with, and the experience to share out, when the leading warband fought `battles`."""
        ...

    def samples(self, content: C) -> tuple[tuple[str, str, str, str], ...]:
        """Ready rosters: (id, name, list id, words)."""
        ...

    def sample(self, content: C, sample_id: str) -> dict[str, Any]:
        """The roster document of a sample. Raises KeyError."""
        ...

    def fighter_state(self, content: C, data: Mapping[str, Any]) -> dict[str, Any]:
        """The validated state of a roster row (defaults filled in). Raises Refusal naming the field."""
        ...

    def warband_state(self, content: C, data: Mapping[str, Any]) -> dict[str, Any]:
        """The validated state of a warband. Raises Refusal naming the field."""
        ...

    def read_state(self, content: C, fighter: ForceFighter, data: Mapping[str, Any]) -> ForceFighter:
        """The fighter with its JSON state (experience, skills, traumas, upgrades, ...) spread into the typed fields."""
        ...

    def read_warband_state(self, content: C, force: Force, data: Mapping[str, Any]) -> Force:
        """The force with the warband's JSON state spread into the typed fields."""
        ...

    def check(
        self,
        content: C,
        force: Force,
        *,
        scope: Scope = "roster",
        wants: Mapping[str, str] | None = None,
        taken: Sequence[str] | None = None,
        scenario: str = "",
        attacker: bool | None = None,
        facing: int | None = None,
    ) -> Verdict:
        """All problems of the roster, of one purchase (`wants`: {"fighter", "item" | "profile" | "upgrade"}), or of a fielded force.

        `facing` is how many fighters the attacker brings, where that is known.
        """
        ...

    def judge(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The verdict on a roster document in its scope, as `manage.py check_roster` prints it. Raises Refusal when it is unreadable."""
        ...

    def views(self, content: C, force: Force) -> Mapping[str, FighterView]:
        """Every fighter after all effects, by key."""
        ...

    def rating(self, content: C, force: Force) -> Price:
        """What the active fighters and their kit are worth; the stash is left out."""
        ...

    def headcount(self, content: C, force: Force) -> int:
        """How many stand on the roster, in what the game counts: fighters, or units."""
        ...

    def profile_name(self, content: C, profile: str, state: Mapping[str, Any]) -> str:
        """What the profile of a row is called, from its id and the row's state; the id itself where nobody knows it."""
        ...

    def losable(self, content: C, state: Mapping[str, Any]) -> tuple[tuple[str, str, int, int], ...]:
        """What a row of several may lose, from its state: key, name, how many are left and how many there are at strength.

        Empty for a row that is one, and out or not.
        """
        ...

    def limits(self, content: C, force: Force, battle: int | None = None) -> Limits:
        """Threshold and field strength of the next battle, or of the battle with that number."""
        ...

    # --- offers: what may be done, at what price, and why not
    def hire_offers(self, content: C, force: Force) -> tuple[Offer, ...]: ...

    def item_offers(self, content: C, force: Force, fighter: str = "") -> tuple[Offer, ...]:
        """What may be bought for a fighter, or for the stash (fighter "").

        Where buying an item hires a fighter instead, the offer has kind "hire", `ref` its profile and `id` the armoury entry.
        """
        ...

    def outfit(
        self, content: C, force: Force, offer: str, choices: Mapping[str, Any] | None = None
    ) -> tuple[StartingItem, ...]:
        """The swappable kit that comes with this hire, one row each (fixed kit is implied and not listed).

        `choices` are those that the offer asked for. Raises Refusal for a choice that does not fit.
        """
        ...

    def upgrade_offers(self, content: C, force: Force, fighter: str) -> tuple[Offer, ...]: ...

    def follows(
        self,
        content: C,
        force: Force,
        fighter: str,
        offer: str,
        option: str = "",
        choices: Mapping[str, Any] | None = None,
    ) -> tuple[Consequence, ...]:
        """What taking this upgrade does besides: kit to the stash, mandatory kit swapped, another profile. `force` is before."""
        ...

    def carry(self, content: C, force: Force, item: str, fighter: str) -> Offer:
        """Whether an owned item may go to this fighter ("" = the stash)."""
        ...

    def sale(self, content: C, force: Force, item: str) -> Offer:
        """What selling an owned item brings (`price`), or why it cannot be sold."""
        ...

    def refund(self, content: C, force: Force, item: str) -> Offer:
        """What returning it brings while founding, or why it cannot be returned."""
        ...

    def part(self, content: C, force: Force, fighter: str) -> tuple[Offer, ...]:
        """The ways a fighter may leave now, by `id`: return (while founding), dismiss, sell.

        `price` is what the fighter and its upgrades bring, without its kit. The service sends bought kit back too on a return
        (through `refund`), and moves it to the stash on a dismissal or sale; kit that came with the fighter leaves with it.
        """
        ...

    def choices(self, content: C, force: Force) -> tuple[Choosing, ...]:
        """Every choice that the list, its fighters, their kit, upgrades and skills ask for, made or open."""
        ...

    def teams(self, content: C, force: Force) -> Teams | None:
        """The teams that the warband may declare between battles; None where nothing of the kind is open to it."""
        ...

    def form_teams(self, content: C, force: Force, picks: Mapping[str, tuple[str, str]]) -> tuple[Consequence, ...]:
        """What declaring these teams does: `picks` maps the key of a slot to two fighter keys; slots left out stay empty.

        Raises Refusal for a pair that may not be formed.
        """
        ...

    def priced(self, content: C, force: Force) -> Force:
        """The force with what each fighter, piece and upgrade took from the budget, where that is not noted yet."""
        ...

    def rekeyed(self, content: C, force: Force, fighters: Mapping[str, str], items: Mapping[str, str]) -> Force:
        """The force with every fighter and piece that its choices name called by its new key. The rows themselves keep theirs."""
        ...

    # --- camp
    def camp_tasks(self, content: C, force: Force) -> tuple[Task, ...]:
        """Finds and kit that the player may use up or apply between battles. The tasks ask decisions, never dice.

        `closed` says why one cannot be used now.
        """
        ...

    def redeem(self, content: C, force: Force, promise_kind: str, data: Mapping[str, Any]) -> Task | None:
        """What settles a promise of this kind: the player chooses what it gives. The task asks decisions, never dice.

        None where it cannot be settled here (`waits_for` says why).
        """
        ...

    def waits_for(self, content: C, force: Force, promise_kind: str, data: Mapping[str, Any]) -> str:
        """Why a promise cannot be settled now, "" when it can."""
        ...

    # --- muster and battle
    def scenarios(self, content: C) -> tuple[ScenarioChoice, ...]: ...

    def scenario_task(
        self,
        content: C,
        numbers: Sequence[int],
        last_played: Sequence[str],
        settings: Mapping[str, Any],
        names: Sequence[str] = (),
    ) -> Task:
        """Rolling a scenario for warbands about to fight battles with these numbers, who last played those scenarios.

        `names` are the warbands' names in the order of `numbers`.

        Its outcome's consequences are empty; `sentence` tells it and `SetWarband(("scenario",), id)` names it.
        """
        ...

    def attacker_task(
        self,
        content: C,
        sides: Sequence[tuple[str, str, int]],
        settings: Mapping[str, Any],
        scenario: str = "",
        sizes: Mapping[str, int] | None = None,
    ) -> Task:
        """Who attacks: sides as (side id, name, battles fought). Result as `SetWarband(("attacker",), side id)`.

        `sizes` are the fighters on each side's roster: an edition may go by them.
        """
        ...

    def repeats_scenarios(self, content: C) -> bool:
        """Whether a warband may play the scenario again that it played last."""
        ...

    def result_points(self, content: C) -> Mapping[str, int]:
        """What "won", "drawn" and "lost" are worth in the standings of a campaign; empty where the scenario's points rank."""
        ...

    def campaign_ways(self, content: C) -> Mapping[str, Any]:
        """A new campaign's own settings where this edition wants others than the usual (keys of `campaigns.settings_schema`)."""
        ...

    def deeds(self, content: C, scenario: str) -> tuple[DeedChoice, ...]: ...

    def consumables(self, content: C) -> frozenset[str]:
        """Ids of items that a use in battle may use up: a report asks about them."""
        ...

    def muster(self, content: C, force: Force, scenario: str = "") -> tuple[MusterRow, ...]: ...

    # --- after the battle
    def steps(self, content: C, force: Force) -> tuple[StepKind, ...]:
        """The edition's post-battle steps in order, under the content's house rules."""
        ...

    def tasks(self, content: C, force: Force, aftermath: Aftermath, record: StepRecord, step: str) -> tuple[Task, ...]:
        """What is to be settled in a step, in order. Tasks already written stay listed. Raises KeyError for an unknown step."""
        ...

    def skipped(self, content: C, force: Force, aftermath: Aftermath, record: StepRecord, step: str) -> str:
        """Why this step is passed over ("" when it is not), e.g. exploration after reinforcements."""
        ...

    def result_consequences(self, content: C, force: Force, aftermath: Aftermath) -> tuple[Consequence, ...]:
        """What a confirmed report itself does to this side at once: battle counted, glory of deeds, consumed kit, upkeep."""
        ...

    def amended(self, content: C, force: Force, before: Aftermath, now: Aftermath, record: StepRecord) -> Amended:
        """What an amended report makes up for in a sequence, beyond what `result_consequences` tells: experience already tallied, say.

        Dice that come due by it are further tasks of the sequence; tasks that are merely out of date are none of this.
        """
        ...

    # --- documents and paper
    def paper_steps(self, content: C, force: Force) -> tuple[PaperStep, ...]:
        """What is written down after a battle, step by step, for a table without a screen."""
        ...

    def marker_names(self, content: C) -> tuple[str, ...]:
        """Markers a fighter gathers in a battle, each with its cap, as the battle sheet's boxes: ("blood", ...)."""
        ...

    def write_state(self, content: C, fighter: ForceFighter) -> dict[str, Any]:
        """The JSON state of a roster row for this fighter: the other way round of `read_state`."""
        ...

    def write_warband_state(self, content: C, force: Force) -> dict[str, Any]:
        """The JSON state of a warband for this force: the other way round of `read_warband_state`."""
        ...

    def read_document(self, document: Mapping[str, Any]) -> tuple[Force, tuple[Problem, ...]]:
        """A roster document as a force, with what could not be understood as problems. Raises Refusal when it is unreadable."""
        ...

    def write_document(self, content: C, force: Force) -> dict[str, Any]:
        """The roster document of a force (names as in the reference)."""
        ...

    def sheet(self, content: C, force: Force) -> RosterSheet: ...

    def sheet_choices(self, content: C) -> tuple[SheetChoice, ...]:
        """The sheets of its own that the game prints for a force; empty where paper shows what `sheet` tells."""
        ...

    def drawn_sheet(self, content: C, force: Force, sheet: str) -> DrawnSheet:
        """One of `sheet_choices` with all that stands on it. Raises KeyError for an id that is none of them."""
        ...

    # --- brought from elsewhere
    def read_text(
        self, content: C, text: str, list_id: str = "", answers: Mapping[str, str] | None = None
    ) -> TextRoster:
        """A pasted roster, read line by line. `answers` settle phrases by key. Raises Refusal for what is no text."""
        ...

    def write_text(self, content: C, document: Mapping[str, Any]) -> str:
        """A roster document as text in the form that `read_text` reads."""
        ...

    def explain_text(self) -> str:
        """The form of a pasted roster, with examples."""
        ...

    def paper_book(self, content: C, list_id: str) -> PaperBook:
        """The names that a paper roster of this list may hold, to type ahead."""
        ...

    def read_paper(self, content: C, data: PaperData) -> PaperReading:
        """What was copied off paper as a roster document, with what nobody knows listed."""
        ...

    def paper_of(self, content: C, roster: TextRoster) -> PaperData:
        """A pasted roster as a paper one, to be looked through and filled up."""
        ...


# A game as the code above `rules/` sees it: each content goes back to the game that made it, so its own type does not matter there.
Game = GameSystem[GameContent]

SYSTEMS: dict[str, Game] = {}


def register(system: GameSystem[C]) -> None:
    """Add a game to the registry."""
    SYSTEMS[system.id] = cast("Game", system)
