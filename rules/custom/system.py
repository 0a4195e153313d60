"""Every door of a game whose profiles the players write themselves: no money, no stash, one list, units taken from a library.

A game is a subclass in its own package. It tells its kinds of profile and their cards (`<package>.profiles`), how unclear rules are read
(`<package>.readings`), the rules of its table (`<package>.table.rules`, `<package>.tracker`), its sheets (`<package>.paper`), what is
named in its books (`<package>.browse`), and through the hooks below what a force asks and when it does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, Literal

from rules.browse import RuleDetail, RuleEntry
from rules.consequences import Consequence, SetWarband
from rules.content.house import HouseSetting
from rules.content.names import plain
from rules.custom import document, post_battle
from rules.custom import sheet as sheets
from rules.custom.content import CORE, SETTINGS, CustomContent, content_of, faults, settings_of
from rules.custom.interpretations import Reading
from rules.custom.labels import labels_of
from rules.custom.parse import slug
from rules.custom.profiles import CustomProfile, ProfileCard, ProfileKind, ProfileProblem
from rules.custom.units import (
    ForceUnit,
    copy_of,
    force_state,
    profile_in,
    read_force_state,
    read_state,
    unit_state,
    write_force_state,
    write_state,
)
from rules.dice import DiceSource
from rules.force import FighterView, Force, ForceFighter
from rules.formatting import profile_beside, quantity
from rules.import_text import TextRoster
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
from rules.parts.sheet import RosterSheet, WeaponLine
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

COUNT = "count:"
FORCE_CHOICES = "choices"
NO_TEXT = "Where players write their own profiles, neither paper nor a pasted text tells enough of them."
NO_TEXT_MEND = "Bring an exported file, or build the force from your library."


class CustomGame:
    """Every door of `rules.game.GameSystem`. Subclasses set the names and fill the hooks."""

    id: str
    name: str
    package: str
    list_id = "own-force"
    list_name = "Own force"
    judged_apart: tuple[str, ...] = ()  # choices whose values the findings judge, by what their keys begin with
    counted: tuple[str, ...] = ()  # figures of a profile's card that a unit's strength tells, with what is left
    words: Mapping[str, str] = {}  # labels of its own over those of all such games

    def __init__(self) -> None:
        self.founding: Founding[CustomContent] = self
        self.state: RosterState[CustomContent] = self
        self.documents: Documents[CustomContent] = self
        self.battle: Battle[CustomContent] = self
        self.post_battle: PostBattle[CustomContent] = self
        self.resolvers: Resolvers[CustomContent] = self
        self.rulebook: Rulebook[CustomContent] = self
        self.shop: Shop[CustomContent] | None = None
        self.campaign: CampaignRules[CustomContent] | None = None
        self.profiles: Profiles[CustomContent] | None = self
        self.attacks: Attacks[CustomContent] | None = None
        self.text_import: TextImport[CustomContent] | None = None
        self.print_sheets: PrintSheets[CustomContent] | None = self

    # --- hooks of a game

    def force_asks(self, content: CustomContent, force: Force) -> tuple[ChoiceAsked, ...]:
        """What is settled for the whole force, at its founding or later."""
        return ()

    def unit_asks(self, content: CustomContent, force: Force, unit: ForceUnit) -> tuple[ChoiceAsked, ...]:
        """What is settled for one unit."""
        return ()

    def begins_with(self, force: Force, kind: str) -> Mapping[str, str]:
        """The choices of a unit of this kind that is taken now, where its player says nothing else."""
        return {}

    def parts(self, kind: str, data: Mapping[str, Any], choices: Mapping[str, Any]) -> tuple[tuple[str, str, int], ...]:
        """The models or bases of a unit at strength: slug, name, how many."""
        return ()

    def findings(self, content: CustomContent, force: Force, units: Sequence[ForceUnit]) -> Iterable[Problem]:
        """What is wrong or odd with the force; points are checked here already."""
        return ()

    def profile_code(self, kind: str, path: str) -> str:
        """The code of what is wrong at a place of a profile."""
        return "profile-figures"

    def unit_facts(self, content: CustomContent, force: Force, unit: ForceUnit) -> Mapping[str, Any]:
        """What the game tells of a unit besides its profile, counts and losses."""
        return {}

    def keywords(self, unit: ForceUnit) -> tuple[str, ...]:
        """The words on a unit that the rules explain."""
        return ()

    def armed(self, force: Force, unit: ForceUnit) -> tuple[WeaponLine, ...]:
        """The weapons of a unit, distances in the force's own unit; those that nobody carries come last."""
        return ()

    def told(self, unit: ForceUnit, card: ProfileCard) -> tuple[tuple[str, str], ...]:
        """What a unit's page says beside its strength and its weapons, as (bold name, words)."""
        return card.lines

    def told_short(self, unit: ForceUnit, card: ProfileCard) -> tuple[tuple[str, str], ...]:
        """What of that a card tells, where a player chooses by it."""
        return ()

    def force_notes(self, content: CustomContent, force: Force) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What paper says of the whole force: heading, lines."""
        return ()

    def sample_documents(self) -> tuple[tuple[str, str, str, dict[str, Any]], ...]:
        """Invented forces to begin from: id, name, words, document."""
        return ()

    # --- what the doors share

    def _load(self, name: str) -> Any:
        return import_module(f"{self.package}.{name}")

    def _optional(self, name: str) -> Any:
        """A module of the game, None where it has none."""
        wanted = f"{self.package}.{name}"
        try:
            return import_module(wanted)
        except ModuleNotFoundError as missing:
            if missing.name is not None and (wanted == missing.name or wanted.startswith(f"{missing.name}.")):
                return None
            raise

    def _readings(self) -> tuple[Reading, ...]:
        return tuple(self._load("interpretations").READINGS)

    def slug(self, name: str) -> str:
        """A name as a key."""
        return slug(name)

    def unit(self, fighter: ForceFighter) -> ForceUnit | None:
        """The row spread out; None where it keeps no profile."""
        copy = profile_in(fighter)
        if not copy:
            return None
        data = copy.get("data") or {}
        parts = self.parts(copy["kind"], data, fighter.choices)
        counts: dict[str, int] = {}
        left: dict[str, int] = {}
        kept = fighter.state.get("left") or {}
        for part, name, n in parts:
            counts[name] = counts.get(name, 0) + n
            left[name] = left.get(name, 0) + min(n, int(kept.get(part, n)))
        return ForceUnit(
            fighter=fighter,
            profile=copy["id"],
            kind=copy["kind"],
            profile_name=copy["name"],
            version=int(copy.get("version") or 1),
            data=data,
            counts=counts,
            left=left,
            parts=tuple((part, name) for part, name, _ in parts),
        )

    def units(self, force: Force, *, active: bool = True) -> tuple[ForceUnit, ...]:
        """The units of a force in the order of the roster; `active`: those that have not left it."""
        rows = (self.unit(fighter) for fighter in force.fighters if fighter.active or not active)
        return tuple(unit for unit in rows if unit is not None)

    def part_slugs(self, copy: Mapping[str, Any]) -> dict[str, str]:
        """The parts of a unit by the plain spelling of their names and keys."""
        found: dict[str, str] = {}
        for part, name, _ in self.parts(copy["kind"], copy.get("data") or {}, {}):
            found.setdefault(plain(name), part)
            found.setdefault(plain(part), part)
        return found

    def hydrate(self, content: CustomContent, force: Force) -> Force:
        """A force fresh from a document with the counts of its units worked out."""
        rows = tuple(read_state(f, {**f.state, "choices": f.choices}, self._strength(f)) for f in force.fighters)
        state = dict(force.state)
        for choosing in self.force_choices(content, force):
            for value, follows in choosing.follows:
                if value and value in choosing.chosen:
                    state |= {c.path[0]: c.value for c in follows if isinstance(c, SetWarband)}
        return replace(force, fighters=rows, state=state)

    def _strength(self, fighter: ForceFighter) -> int:
        unit = self.unit(fighter)
        return unit.strength if unit is not None else 1

    def read_choices(
        self,
        reader: document.ForceReader,
        force: Force,
        fighter: ForceFighter,
        given: Mapping[str, Any],
        asked: Mapping[str, Choosing],
    ) -> dict[str, Any]:
        """A unit's choices as a document has them. Counts are read as they stand; whether they fit is for the checker."""
        counts = {
            key: str(int(value))
            for key, value in given.items()
            if key.startswith(COUNT) and key in asked and str(value).isdecimal() and len(str(value)) <= 4
        }
        rest = {key: value for key, value in given.items() if key not in counts}
        return {**counts, **reader._answers(rest, asked, fighter.name)}

    # --- books

    def editions(self) -> tuple[str, ...]:
        """One edition."""
        return (CORE,)

    def document_edition(self) -> str:
        """The only one."""
        return CORE

    def table_rules(self) -> tuple[TableRule, ...]:
        """Everything that is rolled at the table."""
        return tuple(self._load("resolvers.rules").RULES.values())

    def resolve(self, content: CustomContent, rule: str, given: Mapping[str, Any], dice: DiceSource) -> Resolved:
        """Resolve one rule of the table."""
        found: Resolved = self._load("resolvers.rules").resolve(content, rule, given, dice)
        return found

    def odds(self, content: CustomContent, rule: str, given: Mapping[str, Any]) -> Odds:
        """The exact odds of one rule of the table."""
        found: Odds = self._load("resolvers.rules").odds(content, rule, given)
        return found

    def arms(self, content: CustomContent, force: Force, fighter: str) -> tuple[Arm, ...]:
        """None: an attack of a unit is asked of the rules of the table by hand."""
        force.fighter(fighter)
        return ()

    def bare_force(self, content: CustomContent, profile: str, list_id: str = "") -> Force:
        """A force of one unit fresh from one of the game's own profiles."""
        for known in self.default_profiles(content):
            if known.id == profile:
                fighter = ForceFighter("1", known.name, known.id, state={"profile": copy_of(known)})
                return self.hydrate(content, Force(self.id, CORE, self.list_id, fighters=(fighter,)))
        raise KeyError(profile)

    def profiles_by_list(self, content: CustomContent) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """None: no list is published, and nothing is picked from one."""
        return ()

    def situation(
        self,
        content: CustomContent,
        mine: tuple[Force, str],
        arm: str,
        theirs: tuple[Force, str],
        told: Mapping[str, Any],
    ) -> Situation:
        """Raises Refusal: the rules of this table are asked one by one."""
        raise Refusal(f"An attack in {self.name} is worked out rule by rule.", mend="Choose the rule and fill it in.")

    def tracker(self, content: CustomContent) -> Tracker:
        """The table during a battle. Raises Refusal where there are no rules for it."""
        module = self._optional("tracker")
        if module is None:
            raise Refusal(f"{self.name} has no rules for the table here.", code="no-tracker")
        found: Tracker = module.tracker_of(content)
        return found

    def content(
        self, edition: str, overlays: Sequence[str] = (), house_rules: Mapping[str, Any] | None = None
    ) -> CustomContent:
        """What the game is played with. Raises KeyError for an unknown edition, Refusal for house rules."""
        if edition != CORE:
            raise KeyError(edition)
        return content_of(self.id, self._readings(), overlays, house_rules)

    def normal_form(self, content: CustomContent) -> dict[str, Any]:
        """What is kept of the game in normal form: kinds of profile, its own tables and samples, and how it is read."""
        kinds = {kind.id: kind for kind in self.profile_kinds(content)}
        profiles = sorted(self.default_profiles(content), key=lambda profile: (profile.kind, profile.id))
        return {
            "game": self.id,
            "edition": CORE,
            "factions": [{"id": self.list_id, "name": self.list_name, "variants": []}],
            "kinds": [{"id": kind.id, "name": kind.name, "takes": kind.takes} for kind in kinds.values()],
            "profiles": [
                {
                    "id": profile.id, "name": profile.name, "kind": profile.kind, "origin": profile.origin,
                    "data": dict(profile.data),
                }
                for profile in profiles
            ],
            "readings": [
                {
                    "id": reading.key, "words": reading.words, "default": reading.default, "source": reading.source,
                    "options": [{"id": option, "words": words} for option, words in reading.options],
                }
                for reading in self._readings()
            ],
            "kit": [], "upgrades": [], "skills": [], "traumas": [], "locations": [], "patrons": [], "deeds": [],
            "scenarios": [],
            "keywords": [
                {"name": entry.name, "summary": entry.words}
                for entry in self.entries(content)
                if entry.kind == "keyword"
            ],
        }  # fmt: skip

    def captives(self, content: CustomContent) -> Literal["held", "settled"]:
        """Nobody is taken."""
        return "held"

    def labels(self, content: CustomContent) -> Mapping[str, str]:
        """The words of the game for things pages name."""
        return labels_of(self.words)

    def at_work_when_lost(self, content: CustomContent) -> frozenset[str]:
        """Nothing is owned."""
        return frozenset()

    def house_settings(self, content: CustomContent) -> tuple[tuple[HouseSetting, ...], tuple[HouseSetting, ...]]:
        """A limit of points; what becomes of losses, and how unclear rules are read."""
        return SETTINGS, settings_of(self._readings())

    def entries(self, content: CustomContent) -> tuple[RuleEntry, ...]:
        """Everything with a name."""
        module = self._optional("browse")
        found: tuple[RuleEntry, ...] = module.entries_of(content) if module is not None else ()
        return found

    def entry(self, content: CustomContent, kind: str, id_: str) -> RuleDetail | None:
        """One entry told whole."""
        module = self._optional("browse")
        found: RuleDetail | None = module.detail_of(content, kind, id_) if module is not None else None
        return found

    def check_house_rules(self, edition: str, house_rules: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
        """What is wrong with house rules, by setting."""
        if edition != CORE:
            raise KeyError(edition)
        return faults(self._readings(), house_rules)

    def what_it_does(self) -> str:
        """Nothing to tell: a campaign of this game has no tables of results."""
        return ""

    def unknown(self, content: CustomContent, force: Force) -> tuple[str, ...]:
        """Kinds of profile that the game does not have. A unit brings its own profile, whatever the libraries hold."""
        known = {kind.id for kind in self.profile_kinds(content)}
        kinds = (profile_in(fighter).get("kind", "") for fighter in force.fighters)
        return tuple(dict.fromkeys(kind for kind in kinds if kind and kind not in known))

    def house_target(self, content: CustomContent, text: str) -> str:
        """No house rule is about a single entry."""
        return ""

    def house_target_name(self, content: CustomContent, id_: str) -> str:
        """The id itself."""
        return id_

    # --- profiles that players write

    def profile_kinds(self, content: CustomContent) -> tuple[ProfileKind, ...]:
        """What players may write."""
        found: tuple[ProfileKind, ...] = self._load("profiles").KINDS
        return found

    def read_profile(
        self, content: CustomContent, kind: str, data: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], tuple[ProfileProblem, ...]]:
        """A profile with everything left out filled in, and what is wrong with it. Raises KeyError for an unknown kind."""
        found: tuple[Mapping[str, Any], tuple[ProfileProblem, ...]] = self._load("profiles").read_profile(kind, data)
        return found

    def default_profiles(self, content: CustomContent) -> tuple[CustomProfile, ...]:
        """The game's own tables as profiles, and invented samples."""
        found: tuple[CustomProfile, ...] = self._load("profiles").default_profiles()
        return found

    def profile_card(self, content: CustomContent, profile: CustomProfile) -> ProfileCard:
        """A profile as a card shows it."""
        found: ProfileCard = self._load("profiles").profile_card(profile)
        return found

    # --- founding and the roster

    def lists(self, content: CustomContent) -> tuple[ListChoice, ...]:
        """One list: whatever its player writes."""
        empty = Force(self.id, CORE, self.list_id)
        asks = tuple(replace(asked, optional=True) for asked in self.force_asks(content, empty) if asked.at_founding)
        return (
            ListChoice(
                id=self.list_id, name=self.list_name, temper="Built from profiles that you write or take from your library.",
                faction="", changes=(), patrons=(), start=Price(), one_off=Price(), third_party=False, choices=asks,
            ),
        )  # fmt: skip

    def start(
        self, content: CustomContent, list_id: str, mode: str, choices: Mapping[str, Any] | None = None
    ) -> tuple[Price, tuple[StartingItem, ...]]:
        """Nothing is handed out. Raises Refusal for an unknown list."""
        if list_id != self.list_id:
            raise Refusal(f"No list is called “{list_id}”.", code="unknown-name")
        if mode not in ("campaign", "one-off"):
            raise Refusal(f"A force is for a campaign or for one-off battles, not for “{mode}”.", code="mode")
        return Price(), ()

    def late_start(self, content: CustomContent, list_id: str, threshold: int, battles: int) -> tuple[Price, int]:
        """A latecomer begins like everybody. Raises Refusal for an unknown list."""
        return self.start(content, list_id, "campaign")[0], 0

    def samples(self, content: CustomContent) -> tuple[tuple[str, str, str, str], ...]:
        """Invented forces, marked as such."""
        return tuple((id_, name, self.list_id, words) for id_, name, words, _ in self.sample_documents())

    def sample(self, content: CustomContent, sample_id: str) -> dict[str, Any]:
        """The roster document of a sample. Raises KeyError."""
        for id_, _, _, told in self.sample_documents():
            if id_ == sample_id:
                return told
        raise KeyError(sample_id)

    def fighter_state(self, content: CustomContent, data: Mapping[str, Any]) -> dict[str, Any]:
        """The validated state of a unit. Raises Refusal naming the field."""
        return unit_state(data)

    def warband_state(self, content: CustomContent, data: Mapping[str, Any]) -> dict[str, Any]:
        """The validated state of a force. Raises Refusal naming the field."""
        return force_state(data)

    def read_state(self, content: CustomContent, fighter: ForceFighter, data: Mapping[str, Any]) -> ForceFighter:
        """The unit with its choices spread out."""
        spread = read_state(replace(fighter, state=dict(data)), data, 1)
        return replace(spread, count=max(1, self._strength(spread)))

    def read_warband_state(self, content: CustomContent, force: Force, data: Mapping[str, Any]) -> Force:
        """The force with its battles and choices spread out."""
        return read_force_state(force, data)

    def write_state(self, content: CustomContent, fighter: ForceFighter) -> dict[str, Any]:
        """The JSON state of a unit."""
        return write_state(fighter)

    def write_warband_state(self, content: CustomContent, force: Force) -> dict[str, Any]:
        """The JSON state of a force."""
        return write_force_state(force)

    def check(
        self,
        content: CustomContent,
        force: Force,
        *,
        scope: Scope = "roster",
        wants: Mapping[str, str] | None = None,
        taken: Sequence[str] | None = None,
        scenario: str = "",
        attacker: bool | None = None,
        facing: int | None = None,
    ) -> Verdict:
        """All problems of the force, or of the part of it that is fielded (`taken`)."""
        if scope == "fielding" and taken is not None:
            force = replace(force, fighters=tuple(f for f in force.fighters if f.key in taken))
        units = self.units(force)
        problems = (*self._open_choices(content, force), *self.findings(content, force, units))
        problems = (*problems, *self._over_points(content, force, units, fielding=scope == "fielding"))
        rating = Price(ducats=sum(unit.worth for unit in units))
        return Verdict(
            problems=tuple(sorted(problems, key=lambda problem: problem.warns)),
            rating=rating,
            left=None,
            views=self.views(content, force),
            fielded=rating if scope == "fielding" else None,
        )

    def points_limit(self, content: CustomContent, force: Force) -> int | None:
        """What the force may be worth: the campaign's limit, or the force's own where it is lower; None where there is none."""
        own = str(force.choices.get("points_limit") or "")
        limits = [int(own)] if own.isdecimal() and int(own) else []
        limits += [content.points_limit] if content.points_limit else []
        return min(limits) if limits else None

    def _over_points(
        self, content: CustomContent, force: Force, units: Sequence[ForceUnit], *, fielding: bool
    ) -> Iterator[Problem]:
        """Points over the limit inform while a force is built. What a campaign allows is a limit of the battle as any other."""
        limit, points = self.points_limit(content, force), sum(unit.worth for unit in units)
        if limit is None or points <= limit:
            return
        binds = fielding and content.points_limit is not None and points > content.points_limit
        yield Problem(
            "points-limit", f"{quantity(points, 'point')}; the limit is {limit}.", f"Leave {quantity(points - limit, 'point')} behind.",
            "Own setting: points limit", severity="error" if binds else "warning",
        )  # fmt: skip

    def _open_choices(self, content: CustomContent, force: Force) -> Iterator[Problem]:
        for choosing in self.choices(content, force):
            if choosing.wrong:
                fighter = force.fighter(choosing.fighter) if choosing.fighter else None
                yield Problem(
                    "choice", choosing.wrong, f"Choose again: {choosing.asked.words.rstrip('.?')}.", self.name,
                    fighter.name if fighter else "", fighter_key=choosing.fighter,
                )  # fmt: skip

    def judge(self, document_: Mapping[str, Any]) -> dict[str, Any]:
        """The verdict on a roster document, as the console prints it. Raises Refusal when it is unreadable."""
        return document.judge(self, document_)

    def views(self, content: CustomContent, force: Force) -> Mapping[str, FighterView]:
        """Every unit by key; its profile, counts and losses stand in `facts`."""
        return {unit.key: self.view(content, force, unit) for unit in self.units(force, active=False)}

    def view(self, content: CustomContent, force: Force, unit: ForceUnit) -> FighterView:
        """One unit as trackers and sheets read it."""
        return FighterView(
            key=unit.key,
            name=unit.name,
            profile=unit.profile,
            profile_name=unit.profile_name,
            elite=False,
            leader=False,
            mercenary=False,
            stats={},
            rating=Price(ducats=unit.worth),
            facts={
                "kind": unit.kind,
                "name": unit.profile_name,
                "data": dict(unit.data),
                "counts": dict(unit.counts),
                "weapons": {},
                "company": str(unit.fighter.choices.get("company") or ""),
                "left": dict(unit.left) if unit.lost else {},
                **self.unit_facts(content, force, unit),
            },
        )

    def rating(self, content: CustomContent, force: Force) -> Price:
        """The points of the force, as whole "ducats"."""
        return Price(ducats=sum(unit.worth for unit in self.units(force)))

    def headcount(self, content: CustomContent, force: Force) -> int:
        """Units."""
        return sum(1 for fighter in force.fighters if fighter.active)

    def profile_name(self, content: CustomContent, profile: str, state: Mapping[str, Any]) -> str:
        """The name in the row's own copy."""
        kept = state.get("profile")
        return str(kept.get("name") or profile) if isinstance(kept, Mapping) else profile

    def losable(self, content: CustomContent, state: Mapping[str, Any]) -> tuple[tuple[str, str, int, int], ...]:
        """The models or bases of a unit."""
        unit = self.unit(self.read_state(content, ForceFighter("", "", "", state=dict(state)), state))
        if unit is None:
            return ()
        return tuple((part, name, unit.left[name], unit.counts[name]) for part, name in unit.parts)

    def limits(self, content: CustomContent, force: Force, battle: int | None = None) -> Limits:
        """The limit of points; any number of units."""
        return Limits(
            battle=battle or force.battles.next_number, threshold=self.points_limit(content, force), field_strength=None
        )

    # --- offers

    def hire_offers(self, content: CustomContent, force: Force) -> tuple[Offer, ...]:
        """Every profile of the library from which a unit may be taken, then the game's own, grouped by kind."""
        kinds = {kind.id: kind for kind in self.profile_kinds(content) if kind.takes}
        held: dict[str, int] = {}
        for unit in self.units(force):
            held[unit.profile] = held.get(unit.profile, 0) + 1
        profiles = {profile.id: profile for profile in force.library}
        profiles |= {p.id: p for p in self.default_profiles(content) if p.id not in profiles}
        offers = []
        for kind in kinds.values():
            for profile in profiles.values():
                if profile.kind == kind.id:
                    offers.append(self._hire(content, force, kind, profile, held.get(profile.id, 0)))
        return tuple(offers)

    def _hire(
        self, content: CustomContent, force: Force, kind: ProfileKind, profile: CustomProfile, held: int
    ) -> Offer:
        card = self.profile_card(content, profile)
        bare = ForceFighter("", profile.name, profile.id, state={"profile": copy_of(profile)})
        unit = self.unit(bare)
        origin = {"book": "From the game's tables.", "sample": "Invented sample.", "own": ""}.get(profile.origin)
        if origin is None:
            origin = f"Shared by {profile.by}." if profile.by else "Shared."
        figures = ", ".join(f"{label} {value}" for label, value in card.figures)
        armed = [
            f"{line.name} {line.short_words or line.range_words}".strip()
            for line in (self.armed(force, unit) if unit is not None else ())
            if line.carried
        ]
        points = int(profile.data.get("points") or 0)
        return Offer(
            kind="hire",
            id=profile.id,
            ref=profile.id,
            name=profile.name,
            group=kind.plural,
            price=Price(),
            rating=Price(ducats=points),
            held=held,
            details=tuple(
                line
                for line in (figures, sheets.strength_words(unit) if unit is not None else "", *armed, origin)
                if line
            ),
            choices=tuple(
                replace(asked, optional=True) for asked in self.unit_asks(content, force, unit) if asked.at_founding
            )
            if unit is not None
            else (),
            state_begins={"profile": copy_of(profile), "choices": dict(self.begins_with(force, kind.id))},
        )

    def item_offers(self, content: CustomContent, force: Force, fighter: str = "") -> tuple[Offer, ...]:
        """Nothing is bought."""
        return ()

    def outfit(
        self, content: CustomContent, force: Force, offer: str, choices: Mapping[str, Any] | None = None
    ) -> tuple[StartingItem, ...]:
        """Weapons stand on the profile."""
        return ()

    def upgrade_offers(self, content: CustomContent, force: Force, fighter: str) -> tuple[Offer, ...]:
        """None."""
        return ()

    def follows(
        self,
        content: CustomContent,
        force: Force,
        fighter: str,
        offer: str,
        option: str = "",
        choices: Mapping[str, Any] | None = None,
    ) -> tuple[Consequence, ...]:
        """Nothing."""
        return ()

    def carry(self, content: CustomContent, force: Force, item: str, fighter: str) -> Offer:
        """Raises KeyError: no piece is owned."""
        raise KeyError(item)

    def sale(self, content: CustomContent, force: Force, item: str) -> Offer:
        """Raises KeyError: no piece is owned."""
        raise KeyError(item)

    def refund(self, content: CustomContent, force: Force, item: str) -> Offer:
        """Raises KeyError: no piece is owned."""
        raise KeyError(item)

    def departures(self, content: CustomContent, force: Force, fighter: str) -> tuple[Offer, ...]:
        """A unit may be taken back while the force is being built, and dismissed at any time."""
        row = force.fighter(fighter)
        way, title = ("return", "Take it back") if force.founding else ("dismiss", "Dismiss it")
        told = "It leaves the force." if force.founding else "It leaves the force and stays in its history."
        return (Offer(
            kind="dismiss", id=way, ref=row.profile, name=title, group="", price=Price(), rating=Price(), details=(told,),
        ),)  # fmt: skip

    # --- choices

    def force_choices(self, content: CustomContent, force: Force) -> tuple[Choosing, ...]:
        """What the whole force asks, as it stands."""
        return tuple(
            self._choosing("warband", asked, force.choices, self.name) for asked in self.force_asks(content, force)
        )

    def unit_choices(self, content: CustomContent, force: Force, fighter: ForceFighter) -> tuple[Choosing, ...]:
        """What one unit asks, as it stands."""
        unit = self.unit(fighter)
        if unit is None:
            return ()
        return tuple(
            self._choosing("fighter", asked, fighter.choices, unit.profile_name, fighter.key)
            for asked in self.unit_asks(content, force, unit)
        )

    def _choosing(
        self,
        row: Literal["warband", "fighter"],
        asked: ChoiceAsked,
        made: Mapping[str, Any],
        source: str,
        fighter: str = "",
    ) -> Choosing:
        value = str(made.get(asked.key) or asked.usual)
        wrong = ""
        gone = asked.kind == "options" and value not in {option for option, _ in asked.options}
        if value and gone and not any(asked.key.startswith(key) for key in self.judged_apart):
            wrong = f"{asked.words.rstrip('.?')}: what was chosen is not there any more."
        return Choosing(
            row=row, path=(FORCE_CHOICES, asked.key), asked=asked, source=source, chosen=(value,) if value else (),
            fighter=fighter, wrong=wrong,
        )  # fmt: skip

    def choices(self, content: CustomContent, force: Force) -> tuple[Choosing, ...]:
        """Every choice that the force and its units ask for."""
        found = list(self.force_choices(content, force))
        for fighter in force.fighters:
            if fighter.active:
                found += self.unit_choices(content, force, fighter)
        return tuple(found)

    def teams(self, content: CustomContent, force: Force) -> Teams | None:
        """None."""
        return None

    def form_teams(
        self, content: CustomContent, force: Force, picks: Mapping[str, tuple[str, str]]
    ) -> tuple[Consequence, ...]:
        """Raises Refusal: there are none."""
        raise Refusal("There are no teams to declare here.", code="not-offered")

    def priced(self, content: CustomContent, force: Force) -> Force:
        """The force as it is: nothing is paid for in these games."""
        return force

    def rekeyed(
        self, content: CustomContent, force: Force, fighters: Mapping[str, str], items: Mapping[str, str]
    ) -> Force:
        """The force with the companies of its units called by their new keys."""
        rows = []
        for row in force.fighters:
            company = str(row.choices.get("company") or "")
            if company in fighters:
                row = replace(row, choices={**row.choices, "company": fighters[company]})
            rows.append(row)
        return replace(force, fighters=tuple(rows))

    # --- camp

    def camp_tasks(self, content: CustomContent, force: Force) -> tuple[Task, ...]:
        """Newer versions of profiles to take, and losses to make good, each on its unit."""
        return (*post_battle.newer_versions(self, force), *post_battle.replacements(self, content, force))

    def redeem(self, content: CustomContent, force: Force, promise_kind: str, data: Mapping[str, Any]) -> Task | None:
        """Nothing is promised."""
        return None

    def waits_for(self, content: CustomContent, force: Force, promise_kind: str, data: Mapping[str, Any]) -> str:
        """Nothing is promised."""
        return "Nothing of the kind is known here."

    # --- muster and battle

    def scenarios(self, content: CustomContent) -> tuple[ScenarioChoice, ...]:
        """The open battle: no scenario is published in the core rules."""
        return post_battle.SCENARIOS

    def scenario_task(
        self,
        content: CustomContent,
        numbers: Sequence[int],
        last_played: Sequence[str],
        settings: Mapping[str, Any],
        names: Sequence[str] = (),
    ) -> Task:
        """There is one, and nothing to roll."""
        return post_battle.scenario_task()

    def attacker_task(
        self,
        content: CustomContent,
        sides: Sequence[tuple[str, str, int]],
        settings: Mapping[str, Any],
        scenario: str = "",
        sizes: Mapping[str, int] | None = None,
    ) -> Task:
        """Who attacks: the players roll off, or say."""
        return post_battle.attacker_task(sides)

    def repeats_scenarios(self, content: CustomContent) -> bool:
        """Yes."""
        return True

    def result_points(self, content: CustomContent) -> Mapping[str, int]:
        """None: what the players write down ranks."""
        return {}

    def preset_settings(self, content: CustomContent) -> Mapping[str, Any]:
        """The usual."""
        return {}

    def deeds(self, content: CustomContent, scenario: str) -> tuple[DeedChoice, ...]:
        """None."""
        return ()

    def consumables(self, content: CustomContent) -> frozenset[str]:
        """Nothing is used up."""
        return frozenset()

    def muster(self, content: CustomContent, force: Force, scenario: str = "") -> tuple[MusterRow, ...]:
        """Every unit at muster; one with nothing left stays behind."""
        rows = []
        for unit in self.units(force):
            rows.append(MusterRow(
                fighter=unit.key, name=unit.name, profile_name=unit.profile_name, rating=Price(ducats=unit.worth),
                closed="nothing of it is left." if unit.spent else "",
                words=f"lacks {post_battle.loss_words(unit.lost)}" if unit.lost and not unit.spent else "",
            ))  # fmt: skip
        return tuple(rows)

    # --- after the battle

    def steps(self, content: CustomContent, force: Force) -> tuple[StepKind, ...]:
        """Losses, where they are carried; then the closing."""
        return post_battle.steps(content)

    def tasks(
        self, content: CustomContent, force: Force, aftermath: Aftermath, record: StepRecord, step: str
    ) -> tuple[Task, ...]:
        """What is to be settled in a step. Raises KeyError for an unknown one."""
        return post_battle.tasks(self, content, force, aftermath, record, step)

    def skipped(self, content: CustomContent, force: Force, aftermath: Aftermath, record: StepRecord, step: str) -> str:
        """Why this step is passed over."""
        return post_battle.skipped(self, content, force, aftermath, record, step)

    def result_consequences(
        self, content: CustomContent, force: Force, aftermath: Aftermath
    ) -> tuple[Consequence, ...]:
        """The battle counts as fought."""
        return post_battle.result_consequences(force, aftermath)

    def amended(
        self, content: CustomContent, force: Force, before: Aftermath, now: Aftermath, record: StepRecord
    ) -> Amended:
        """Losses that were written stand as they were written; the unit's page changes them."""
        return post_battle.amended(before, now, record)

    # --- documents and paper

    def read_document(self, document_: Mapping[str, Any]) -> tuple[Force, tuple[Problem, ...]]:
        """A roster document as a force. Raises Refusal when it is unreadable."""
        return document.read_document(self, document_)

    def write_document(self, content: CustomContent, force: Force) -> dict[str, Any]:
        """The roster document of a force."""
        return document.write_document(self, content, force)

    def paper_steps(self, content: CustomContent, force: Force) -> tuple[PaperStep, ...]:
        """What is written down after a battle."""
        return post_battle.paper_steps(content)

    def marker_names(self, content: CustomContent) -> tuple[str, ...]:
        """None besides those on the game's own sheets."""
        return ()

    def sheet(self, content: CustomContent, force: Force) -> RosterSheet:
        """The whole force as paper shows it; units that left it come last."""
        kinds = {kind.id: kind for kind in self.profile_kinds(content)}
        order = {kind: place for place, kind in enumerate(kinds)}
        asked = self._chosen_words(content, force)
        units = sorted(
            self.units(force, active=False), key=lambda u: (not u.fighter.active, order.get(u.kind, len(order)))
        )
        rows = []
        for unit in units:
            card = self.profile_card(content, sheets.as_profile(unit))
            card = replace(card, figures=tuple(each for each in card.figures if each[0] not in self.counted))
            rows.append(sheets.unit_sheet(
                unit, kinds.get(unit.kind), card, self.keywords(unit),
                asked.get(unit.key, ()), self._glossary(content, self.keywords(unit)),
                self.armed(force, unit), self.told(unit, card), self.told_short(unit, card), post_battle.spent_words(content),
            ))  # fmt: skip
        limit, points = self.points_limit(content, force), self.rating(content, force).ducats
        figures = []
        if points or limit is not None:
            figures.append(("Points", str(points) if limit is None else f"{points} of {limit}"))
        settled = tuple(
            f"{choosing.asked.words.rstrip('.?')}: {', '.join(choosing.chosen_words)}"
            for choosing in self.force_choices(content, force)
            if choosing.chosen
        )
        notes = ((("The force", settled),) if settled else ()) + self.force_notes(content, force)
        return sheets.sheet_of(
            content, force.name, str(force.choices.get("faction") or self.list_name), self.name, figures, rows,
            self._glossary(content, tuple(word for unit in units if unit.fighter.active for word in self.keywords(unit))), notes,
            force.battles.next_number if force.mode == "campaign" else 0,
        )  # fmt: skip

    def _chosen_words(self, content: CustomContent, force: Force) -> dict[str, tuple[tuple[str, str], ...]]:
        found: dict[str, tuple[tuple[str, str], ...]] = {}
        for fighter in force.fighters:
            found[fighter.key] = tuple(
                (choosing.asked.words.rstrip(".?"), ", ".join(choosing.chosen_words))
                for choosing in self.unit_choices(content, force, fighter)
                if fighter.choices.get(choosing.asked.key) and not choosing.asked.key.startswith(COUNT)
            )
        return found

    def _glossary(self, content: CustomContent, names: tuple[str, ...]) -> tuple[RuleEntry, ...]:
        """Our words for what is named, as far as the game's own pages know it."""
        module = self._optional("browse") if names else None
        found: tuple[RuleEntry, ...] = module.glossary(content, names) if module is not None else ()
        return found

    def sheet_choices(self, content: CustomContent) -> tuple[SheetChoice, ...]:
        """The sheets of its own that the game prints."""
        module = self._optional("print_sheets")
        found: tuple[SheetChoice, ...] = module.sheet_choices(content) if module is not None else ()
        return found

    def drawn_sheet(self, content: CustomContent, force: Force, sheet: str) -> DrawnSheet:
        """One of these sheets. Raises KeyError."""
        module = self._optional("print_sheets")
        if module is None:
            raise KeyError(sheet)
        found: DrawnSheet = module.drawn_sheet(content, force, sheet)
        return found

    # --- brought from elsewhere

    def read_text(
        self, content: CustomContent, text: str, list_id: str = "", answers: Mapping[str, str] | None = None
    ) -> TextRoster:
        """Raises Refusal: a text cannot tell profiles."""
        raise Refusal(NO_TEXT, mend=NO_TEXT_MEND, code="no-text")

    def write_text(self, content: CustomContent, document_: Mapping[str, Any]) -> str:
        """The force line by line, to be read by people."""
        force, _ = document.read_document(self, document_)
        lines = [f"{force.name or self.list_name}, {self.name}"]
        for unit in self.units(force):
            line = f"{unit.name}, {unit.profile_name}" if profile_beside(unit.name, unit.profile_name) else unit.name
            told = "; ".join(part for part in (sheets.strength_words(unit), sheets.points_words(unit.worth)) if part)
            lines.append(f"{line}: {told}" if told else line)
        return "\n".join(lines) + "\n"

    def explain_text(self) -> str:
        """Why there is no form of a pasted roster."""
        return f"{NO_TEXT} {NO_TEXT_MEND}"

    def paper_book(self, content: CustomContent, list_id: str) -> PaperBook:
        """Raises Refusal: nothing is typed off paper here."""
        raise Refusal(NO_TEXT, mend=NO_TEXT_MEND, code="no-text")

    def read_paper(self, content: CustomContent, data: PaperData) -> PaperReading:
        """Raises Refusal."""
        raise Refusal(NO_TEXT, mend=NO_TEXT_MEND, code="no-text")

    def paper_of(self, content: CustomContent, roster: TextRoster) -> PaperData:
        """Raises Refusal."""
        raise Refusal(NO_TEXT, mend=NO_TEXT_MEND, code="no-text")
