"""What every game offers to the rooms above: a handful of doors (`GameSystem`), and the registry of games.

Nothing above `rules/` names a game, an edition or a step. The doors speak in `Force` (a warband as values), offers, problems, tasks
and consequences; each game's package answers them from its packs.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar, cast

from rules.browse import RuleDetail
from rules.consequences import Consequence
from rules.custom.profiles import CustomProfile, ProfileCard, ProfileKind, ProfileProblem
from rules.dice import DiceSource, Draw
from rules.force import FighterView, Force, ForceFighter, GainedWord
from rules.import_text import TextRoster
from rules.problems import Problem
from rules.resolution import Task
from rules.resolvers.odds import Odds
from rules.resolvers.roller import Resolved
from rules.resolvers.rule import TableRule
from rules.resolvers.situation import Arm, Situation
from rules.sheets import DrawnSheet, SheetChoice
from rules.tracker import Tracker
from rules.transcription import PaperBook, PaperData, PaperReading
from rules.vocabulary import Price

Scope = Literal["roster", "purchase", "fielding"]
OfferState = Literal["open", "problem", "closed"]


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing on offer: a hire, an item, an upgrade. Open, open with the problem it would make, or closed with the reason.

    `price` is what is charged. `rating` is what it adds to the warband's worth. `held`/`limit` count per entry (limit None: any).
    """

    kind: Literal["hire", "item", "upgrade", "dismiss", "sell", "special"]
    id: str  # the offer's id in the pack
    ref: str  # the profile, item or upgrade id
    name: str
    group: str  # heading under which it stands ("Elite", "Troops", "For glory", "Ranged" ...)
    price: Price
    rating: Price
    held: int = 0
    limit: int | None = None
    state: OfferState = "open"
    reason: str = ""
    mend: str = ""
    problems: tuple[Problem, ...] = ()
    details: tuple[str, ...] = ()  # a line or two in words: what it comes with, what it changes
    options: tuple[tuple[str, str], ...] = ()  # (value, words): a choice to make on taking it
    option_words: str = ""
    choices: tuple[ChoiceAsked, ...] = ()
    hired_as: str = "own"  # for hires: own, mercenary, find, item
    state_begins: Mapping[str, Any] = field(
        default_factory=dict, hash=False
    )  # for hires: what the row's state begins with


@dataclass(frozen=True, slots=True)
class ChoiceAsked:
    """A choice that taking or founding something asks for: stored under `key` in the row's choices.

    `any_time`: it may be changed after the founding too, between battles. `summaries` says what options do, by option. `kind`: one of
    the options, or a text of at most `most` characters, or a whole number up to `most`. `at_founding` is off for what is better asked
    once there is something to choose from.
    """

    key: str
    words: str
    options: tuple[tuple[str, str], ...]
    count: int = 1
    optional: bool = False
    any_time: bool = False
    summaries: tuple[tuple[str, str], ...] = ()
    kind: Literal["options", "text", "number"] = "options"
    most: int = 80
    at_founding: bool = True
    usual: str = ""  # what holds while nothing is chosen


@dataclass(frozen=True, slots=True)
class Choosing:
    """A choice that something on the roster asks for, as it stands.

    `row` says whose state keeps it, at the leaf `path`: the warband's, that of the fighter `fighter`, or that of the piece `item` (keys).
    `source` is what asks, by name. `chosen` is what is kept, empty while it is open; `wrong` says what does not fit.
    """

    row: Literal["warband", "fighter", "item"]
    path: tuple[str, ...]
    asked: ChoiceAsked
    source: str
    chosen: tuple[str, ...] = ()
    fighter: str = ""
    item: str = ""
    wrong: str = ""
    follows: tuple[
        tuple[str, tuple[Consequence, ...]], ...
    ] = ()  # what choosing a value does besides, by value ("": taking it back)

    @property
    def open(self) -> bool:
        """Whether it waits for an answer that must be given."""
        return not self.chosen and not self.asked.optional

    @property
    def chosen_words(self) -> tuple[str, ...]:
        """What was chosen, by name."""
        names = dict(self.asked.options)
        return tuple(names.get(value, value) for value in self.chosen)


@dataclass(frozen=True, slots=True)
class TeamSlot:
    """A place for one team of two: who may be first and who second (key, name), and who was named ("" for nobody).

    `fixed`: the first is settled by the rule that opens the place.
    """

    key: str
    name: str
    words: str
    first: tuple[tuple[str, str], ...]
    second: tuple[tuple[str, str], ...]
    chosen: tuple[str, str] = ("", "")
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Teams:
    """The teams that a warband may declare before a battle, in the game's word for them (`title`: "Fireteams")."""

    title: str
    words: str
    slots: tuple[TeamSlot, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The checker's answer. `left` is None where money is not checked."""

    problems: tuple[Problem, ...]
    rating: Price
    left: Price | None
    views: Mapping[str, FighterView] = field(default_factory=dict, hash=False)
    fielded: Price | None = None

    @property
    def legal(self) -> bool:
        """Whether nothing was found that is against the rules; what is merely odd does not count."""
        return not self.errors

    @property
    def errors(self) -> tuple[Problem, ...]:
        """What is against the rules."""
        return tuple(problem for problem in self.problems if not problem.warns)


@dataclass(frozen=True, slots=True)
class ListChoice:
    """A faction with its lists, for founding."""

    id: str
    name: str
    temper: str
    faction: str
    changes: tuple[str, ...]
    patrons: tuple[tuple[str, str], ...]
    start: Price
    one_off: Price
    third_party: bool
    choices: tuple[ChoiceAsked, ...] = ()
    keyword: str = ""  # the faction's keyword as printed, by which other rules name it
    closed: str = ""  # why the list cannot be played under these terms, "" when it can


@dataclass(frozen=True, slots=True)
class StartingItem:
    """An item handed out when a warband is founded."""

    item: str
    offer: str
    name: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What the next battle allows: its number, threshold (ducats) and field strength (fighters); rest in words."""

    battle: int
    threshold: int | None
    field_strength: int | None
    elite_cap: int | None = None


@dataclass(frozen=True, slots=True)
class StepKind:
    """One step of the post-battle sequence, as the edition names it.

    `kind`: "tasks" (things to roll, choose and write), "camp" (buying and moving, open until the next muster) or "close".
    `doors`: for camp steps, which acts are open: hire, buy, sell, glory, move.
    """

    id: str
    label: str
    kind: Literal["tasks", "camp", "close"]
    words: str = ""
    doors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BattleSide:
    """What the post-battle sequence knows of one side of the battle, frozen when the report was sent.

    `took_part`, `out` and `deeds` speak in fighter keys; `out_by` maps a fighter taken out to the side id (or "") that did it;
    `deeds` are (deed id, fighter key or "" for the warband).
    """

    side: str
    name: str
    list: str
    faction_keyword: str
    won: bool
    rating: int = 0
    took_part: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    out_by: Mapping[str, str] = field(default_factory=dict, hash=False)
    deeds: tuple[tuple[str, str], ...] = ()
    used_up: tuple[str, ...] = ()  # item keys spent in the battle
    losses: Mapping[str, Mapping[str, int]] = field(
        default_factory=dict, hash=False
    )  # what a row of several lost, by its name
    guest: bool = False  # it keeps no books here


@dataclass(frozen=True, slots=True)
class Aftermath:
    """Everything a sequence starts from: the battle as this side lived it. `number` is this warband's battle number."""

    battle: str
    number: int
    scenario: str
    mine: BattleSide
    others: tuple[BattleSide, ...]
    counts: frozenset[str] = frozenset({"number", "experience", "promotion", "exploration", "glory", "injuries"})


@dataclass(frozen=True, slots=True)
class StepRecord:
    """What was already rolled, chosen and written in one sequence; the pages keep it, the rules only read it.

    Keys are task keys. `draws` are kept in the order in which they fell. `before` is the battle as it was told when a task was written,
    for tasks written before the report was amended.
    """

    draws: Mapping[str, tuple[Draw, ...]] = field(default_factory=dict, hash=False)
    choices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    written: frozenset[str] = frozenset()
    before: Mapping[str, Aftermath] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Amended:
    """What an amended report brings besides its own results, where a sequence was past it: consequences, told in `done`; `stands` is
    what is not taken back, and why."""

    consequences: tuple[Consequence, ...] = ()
    done: tuple[str, ...] = ()
    stands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScenarioChoice:
    """A scenario as muster and report need it. `described` False: only its name is known; points are typed in."""

    id: str
    name: str
    described: bool
    words: str
    force_words: str
    length_words: str
    victory_words: str
    deployment_words: str
    special_words: str
    has_attacker: bool
    morale: str  # loses, no-tests, other, ""
    winner: str  # points, last-standing, other, none
    deeds: tuple[str, ...]
    attacker_with: tuple[str, ...] = ()  # parts found by dice that bring an attacker to it
    has_reserves: bool = False  # some fighters wait beside the table and come on later
    reserves_with: tuple[str, ...] = ()  # parts found by dice that bring reserves
    needs_enemy_rating: bool = False
    turns_least: int = 0  # 0: the scenario sets none
    turns_most: int = 0


@dataclass(frozen=True, slots=True)
class DeedChoice:
    """A glorious deed on offer in a battle. `needs_profile`: done by a fighter of this profile alone; empty for anybody.

    `side`: "attacker" or "defender" where that side alone does it, else "".
    """

    id: str
    name: str
    words: str
    glory: int
    by_warband: bool
    needs_profile: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class MusterRow:
    """One fighter at muster: whether it can go (`closed` says why not), what it costs to field, what it is worth fielded."""

    fighter: str
    name: str
    profile_name: str
    rating: Price
    closed: str = ""
    upkeep: Price = Price()
    roll_out_on: tuple[int, ...] = ()  # a D6 on any of these faces keeps it out of this battle
    elite: bool = False
    words: str = ""  # what else is to be known of it before it goes


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """One named thing of the books with our summary: for glossaries, the rules pages and links. `also` are names it goes by besides."""

    kind: str
    id: str
    name: str
    words: str
    source: str = ""
    also: tuple[str, ...] = ()
    third_party: bool = False
    own: bool = False  # the campaign's own, by house rule


@dataclass(frozen=True, slots=True)
class WeaponLine:
    """A weapon as the sheet prints it."""

    name: str
    range_words: str
    hands_words: str
    effect_words: str
    keywords: str
    causes: tuple[str, ...] = ()  # what changed it on this fighter: "GAS: Gas Ammunition"
    carried: bool = True  # False: it could be chosen, and nobody has it
    short_words: str = ""  # its figures as a card tells them, where that is less than all


@dataclass(frozen=True, slots=True)
class HandsLine:
    """The hands of a fighter in one kind of fighting: used, had, what takes them, and what changed how many there are."""

    label: str
    used: int
    had: int
    uses: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FighterSheet:
    """One fighter as card and sheet show it. `lines` are bold name and short words (kit, abilities, skills, traumas)."""

    key: str
    name: str
    profile_name: str
    role_words: str  # LEADER, ELITE, mercenary ...
    section: str  # heading it stands under: "Elite", "Troops", "Mercenaries"
    rating_words: str
    stats: tuple[tuple[str, str, str, str], ...]  # label, value, state (printed|raised|lowered), cause
    keywords: tuple[GainedWord, ...]
    weapons: tuple[WeaponLine, ...]
    lines: tuple[tuple[str, str], ...]
    experience: int | None = None  # None: gains none
    experience_cap: int = 0
    advances_at: tuple[int, ...] = ()
    scars: int | None = None
    scar_limit: int = 0
    status: str = "active"
    chosen: tuple[tuple[str, str], ...] = ()  # what asked for a choice, and what was chosen
    hands: tuple[HandsLine, ...] = ()
    abilities: tuple[GainedWord, ...] = ()  # those gained and lost, each with its cause
    immune: tuple[tuple[str, str], ...] = ()  # keywords it is not affected by, and why
    glossary: tuple[RuleEntry, ...] = ()  # the keywords it and its weapons name, with our words
    spent_words: str = ""  # it stands on the roster with nobody left of it: that, and what would help
    short: tuple[tuple[str, str], ...] = ()  # what of lines and weapons a card tells, where nothing is bought


@dataclass(frozen=True, slots=True)
class RosterSheet:
    """A whole roster as paper shows it; words come from the edition."""

    title: str
    list_words: str
    edition_words: str
    figures: tuple[tuple[str, str], ...]  # label, value: strongbox, glory, rating, threshold, field strength
    limits: tuple[tuple[int, int, int], ...]  # battle, threshold, field strength
    fighters: tuple[FighterSheet, ...]
    stash: tuple[tuple[str, str], ...]  # name, price words
    notes: tuple[tuple[str, tuple[str, ...]], ...]  # heading, lines: exploration skills, locations, lasting effects
    misses: tuple[int, int] | None  # promotion misses so far, of
    glossary: tuple[RuleEntry, ...]
    next_battle: int = 0  # the number of the warband's next battle; 0 where battles are not counted


@dataclass(frozen=True, slots=True)
class PaperLine:
    """One line of a paper battle sheet: what is written there, and a labelled box for each thing to write."""

    words: str
    boxes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PaperStep:
    """One step of the post-battle sequence as the paper battle sheet prints it, in the order of the rules."""

    label: str
    lines: tuple[PaperLine, ...]


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


__all__ = [
    "SYSTEMS",
    "Aftermath",
    "BattleSide",
    "ChoiceAsked",
    "Choosing",
    "DiceSource",
    "Game",
    "GameContent",
    "GameSystem",
    "Limits",
    "ListChoice",
    "Offer",
    "Scope",
    "StartingItem",
    "StepKind",
    "StepRecord",
    "Task",
    "TeamSlot",
    "Teams",
    "Verdict",
    "register",
]  # fmt: skip
