"""The entries of a content pack by which a campaign is played: traumas, locations, patrons, deeds, scenarios, rounds and points.

`schema.py` has the entries of which a roster is built, and the pack that holds all of them.
"""

from __future__ import annotations

from typing import Literal

from rules.vocabulary import Effect, PackStruct, Reward, RuleText, Slug


class Trauma(RuleText, frozen=True):
    """A result of the trauma chart: D66 from `first` to `last`."""

    id: Slug
    name: str
    first: int
    last: int
    summary: str
    scar: bool = True
    repeatable: bool = False  # may be suffered again although it leaves a scar
    effects: tuple[Effect, ...] = ()
    source: str = ""


class LocationOption(RuleText, frozen=True):
    """One way to use a location.

    `lists`/`not_lists`: faction ids, including the variants of the faction, that may (not) choose it.
    """

    id: Slug
    name: str
    summary: str
    rewards: tuple[Reward, ...] = ()
    lists: tuple[str, ...] = ()
    not_lists: tuple[str, ...] = ()
    base_list_only: bool = False


class Location(RuleText, frozen=True):
    """An exploration location: found with exactly `score` on the `rarity` table.

    `rewards` always apply; then one of `options`.
    """

    id: Slug
    name: str
    rarity: Literal["common", "rare", "legendary"]
    score: int
    summary: str = ""
    rewards: tuple[Reward, ...] = ()
    options: tuple[LocationOption, ...] = ()
    source: str = ""


class Lasting(RuleText, frozen=True):
    """A lasting effect of the warband. `spends`: using it uses it up; `moment` is the step at which it can be used."""

    id: Slug
    name: str
    summary: str
    effects: tuple[Effect, ...] = ()
    spends: bool = False
    moment: str = ""


class Patron(PackStruct, frozen=True):
    """A patron: the lists that may choose it and the skills it offers."""

    id: Slug
    name: str
    lists: tuple[str, ...]
    skills: tuple[str, ...]
    summary: str = ""


class Deed(RuleText, frozen=True):
    """A glorious deed. `scenarios` empty: any. `by_warband`: the warband does it, not a single fighter.

    `needs_profile`: only for a warband with this profile. `random_group`: its group of the random scenario's deeds (0:
    none). `leader_learns`: if the warband does it, its LEADER gains the experience of a deed. `victory_points`: its
    value in the battle itself. `side`: only this side may do it.
    """

    id: Slug
    name: str
    summary: str
    scenarios: tuple[str, ...] = ()
    glory: int = 1
    by_warband: bool = False
    needs_profile: str = ""
    random_group: int = 0
    leader_learns: bool = False
    victory_points: int = 0
    side: Literal["", "attacker", "defender"] = ""


class ScenarioForce(PackStruct, frozen=True):
    """The forces that a scenario allows on the table.

    `share`: for that side, the part of its fighters that starts ("half").
    """

    most_fighters: int | None = None
    base_below_mm: int | None = None
    elites_only: bool = False
    elites_all: bool = False
    attacker_all: bool = False  # the attacker brings every fighter that threshold and field strength allow
    attacker_elites_all_up_to: int = 0  # an attacker with at most this many ELITE fighters brings them all
    half_for: Literal["", "attacker", "defender", "both"] = ""
    attacker_d3_more: bool = False  # the attacker takes up to D3 fighters more than `most_fighters`
    field_strength: int | None = None  # the scenario's own, instead of the battle's
    half_ducats_for: Literal["", "attacker", "defender", "both"] = ""  # that side may field half of its threshold
    defender_half: Literal["", "up", "down"] = ""  # the defender brings at most half the attacker's number, rounded so
    notes: str = ""


class Scenario(RuleText, frozen=True):
    """A scenario: its force limits, length and victory conditions.

    `described` False: only the name is known, and points are typed in.
    """

    id: Slug
    name: str
    described: bool = True
    summary: str = ""
    forces: ScenarioForce = ScenarioForce()
    turns_least: int | None = None
    turns_most: int | None = None
    infiltrators: bool | None = None
    reserves: bool = False  # some fighters wait beside the table and come on later
    attacker: bool = True  # has attacker and defender
    attacker_by: Literal["", "larger-warband", "roll-off"] = (
        ""  # who attacks or chooses the attacker, if the scenario says so
    )
    morale: Literal["loses", "shaken", "no-tests", "other", ""] = ""
    winner: Literal["points", "last-standing", "other", "none"] = "points"
    deployment: str = ""
    victory: str = ""
    special: str = ""
    deeds: tuple[str, ...] = ()
    no_rewards_words: str = ""
    needs_enemy_rating: bool = False


class RandomPart(RuleText, frozen=True):
    """A part of the random scenario: the D6 (or other) face and its text.

    `not_with`: parts it is never combined with.
    """

    id: Slug
    kind: Literal["deployment", "objective", "special"]
    roll: int  # 0: not rolled for
    name: str
    summary: str
    infiltrators: bool | None = None
    reserves: bool = False
    attacker: bool = False
    not_with: tuple[str, ...] = ()


class StageRow(PackStruct, frozen=True):
    """One row of a stage's scenario table.

    `scenario` "": generated at random, or with `picked` one of the others, picked by a player.
    """

    roll: int
    scenario: str = ""
    picked: bool = False


class Stage(PackStruct, frozen=True):
    """A stage of the campaign: the battles it covers and its scenario table (empty `rows`: `scenario` is always played)."""

    id: Slug
    name: str
    first_battle: int
    last_battle: int
    rows: tuple[StageRow, ...] = ()
    scenario: str = ""


class BattleLimit(PackStruct, frozen=True):
    """Threshold value (ducats) and field strength (fighters) of the battle with this number."""

    battle: int
    threshold: int
    field_strength: int


class ByBattles(PackStruct, frozen=True):
    """The exploration dice and tables while the number of battles fought is from `first` to `last` (None: no upper bound)."""

    first: int
    dice: int
    tables: tuple[Literal["common", "rare", "legendary"], ...]
    last: int | None = None


class PhaseStep(PackStruct, frozen=True):
    """One step of the post-battle sequence: its name and words in the edition's own terms, and its parts.

    `parts` are parts registered in `rules.trench_crusade.post_battle`, processed in this order. `doors`: for camp
    steps, the actions that are open. `camp`: the step exists only if this is the campaign's reading of the camp.
    """

    id: Slug
    name: str
    words: str = ""
    kind: Literal["tasks", "camp", "close"] = "tasks"
    parts: tuple[str, ...] = ()
    doors: tuple[Literal["hire", "buy", "sell", "glory", "move"], ...] = ()
    camp: Literal["", "one", "strict"] = ""


class ResultPoints(PackStruct, frozen=True):
    """The points for a result in the campaign standings."""

    won: int
    drawn: int
    lost: int


class CampaignRules(PackStruct, frozen=True):
    """The campaign rules in which editions differ. Parts of the steps read these fields."""

    troops_first: bool = False  # fighters who are not ELITE roll before any roll on the trauma chart
    last_scar: Literal["dies", "leaves"] = (
        "dies"  # with one scar too many a fighter dies, or leaves the warband and its kit behind
    )
    captives: Literal["held", "settled"] = "held"  # held until a ransom is paid, or ransomed or executed at once
    victory_dice: int = 1  # promotion dice for a battle won
    promotion_spread: Literal["capped", "level"] = (
        "capped"  # two dice each (three after a deed), or from the third die on nobody may be two dice ahead
    )
    promotions: Literal["one", "several"] = "one"  # one per battle, or one for each six until the ELITE are full
    promoted_learn: bool = False  # promoted fighters gain the experience of this battle
    patron_row_counts: bool = True  # a skill that is already known may be replaced by the patron's row
    mercenaries_advance: bool = False  # mercenaries are promoted, gain experience and count among the ELITE
    reinforcements: Literal["anybody", "newcomers"] = "anybody"  # who may be equipped with the money for reinforcements
    reinforcements_skip: tuple[str, ...] = ("exploration",)  # ids of steps skipped after calling for reinforcements
    exploration_table: Literal["all", "chosen"] = "all"  # all open tables, or one chosen before the dice are rolled
    free_rerolls: int = 0  # exploration dice that every warband may reroll
    winner_rerolls: int = 1  # further ones that the winner may reroll
    reroll_once: bool = False  # no die is rerolled twice
    exploration_steps: Literal["die", "total"] = "die"  # whether +1 and -1 change a die or the total
    retire_scars: int = 2  # scars with which a fighter may be dismissed
    late_experience: int = 1  # experience of a latecomer for each battle of the leader
    result_points: ResultPoints | None = None  # None: the scenario's points decide the ranking
    scenarios_repeat: bool = False  # the scenario played last may come up again
    scenario_swap: bool = False  # the sides may settle on a different row of this table
    attacker: Literal["fewer-battles", "scenario"] = "fewer-battles"  # who decides who attacks
    one_fireteam: bool = False  # a fighter is in at most one fireteam, whatever opens it
    readings: dict[str, bool | str] = {}  # this edition's answers to questions that others leave open


class CampaignNumbers(PackStruct, frozen=True):
    """The numbers of an edition's campaign rules, its steps, and its variable rules."""

    limits: tuple[BattleLimit, ...]
    exploration: tuple[ByBattles, ...]
    advances_at: tuple[int, ...]
    limited_advances: int
    loot_ducats_per_point: int
    promotion_misses: int  # after this many misses in a row, the next roll cannot miss
    elite_cap: int
    scar_limit: int  # scars that a fighter survives
    stages: tuple[Stage, ...]
    last_battle: int
    final_battle: int
    troop_dies_on: tuple[int, ...]
    sale_divisor: int = 2
    starting_exploration_skills: tuple[str, ...] = ()
    steps: tuple[PhaseStep, ...] = ()
    rules: CampaignRules = CampaignRules()
