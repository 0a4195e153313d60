"""The form of an attack, depending on the answers so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.problems import Refusal
from rules.resolvers.situation import Situation, Toggle
from rules.tracker.rolls import Asks, RollKind
from rules.tracker.state import TableFighter
from rules.translation import gettext
from rules.trench_crusade.resolvers.attack import STRIKES_OTHERS, may_stray
from rules.trench_crusade.resolvers.injury import bloodbath_cost
from rules.trench_crusade.resolvers.inputs import Target
from rules.trench_crusade.resolvers.rules import odds
from rules.trench_crusade.tracker.attack_need import AttackNeed, attack_need
from rules.trench_crusade.tracker.attack_question import weapon_question
from rules.trench_crusade.tracker.attack_request import BY_HAND, LYING, AttackRequest
from rules.trench_crusade.tracker.attack_run import attacks_in_all, run_of
from rules.trench_crusade.tracker.rolls import WEAPON, kinds_paying

INJURY = (
    Asks("injury_dice", gettext("Dice to injure"), "number", -6, 6, group=gettext("Injury")),
    Asks("armour", gettext("Armour, empty for the fighter's own"), "number", -9, 0, group=gettext("Injury")),
    Asks(
        "base_dice",
        gettext("Base dice"),
        "option",
        options=(("2", "2"), ("3", "3"), ("4", "4")),
        usual="2",
        group=gettext("Injury"),
    ),
    Asks("injury_blood_spent", gettext("Its markers spent"), "number", 0, 12, group=gettext("Injury")),
    Asks("injury_blessing_spent", gettext("Its blessings spent"), "number", 0, 6, group=gettext("Injury")),
    Asks("bloodbath", gettext("Bloodbath"), group=gettext("Injury")),
)
AIMED = "aimed"  # a side's fact: the fighter at which it aimed last
_WHO = Asks("fighter", gettext("Who attacks"), "mine", leads=True, quiet=True)
_TARGET = Asks("target", gettext("Target"), "foe", leads=True, chips=True)
TOLD = (
    Asks("way", gettext("How"), "option", options=(("ranged", gettext("Ranged")), ("melee", gettext("Melee"))), usual="ranged"),
    Asks("dice", gettext("Further dice to hit"), "number", -6, 6, group=gettext("To hit")),
    Asks("long_range", gettext("Long range"), group=gettext("To hit")),
    Asks("cover", gettext("Cover"), group=gettext("To hit")),
    Asks("elevated", gettext("From above"), group=gettext("To hit")),
    Asks("defended_obstacle", gettext("Defended obstacle"), group=gettext("To hit")),
    Asks("off_hand", gettext("Off-hand"), group=gettext("To hit")),
    Asks("diving_charge", gettext("Diving charge"), group=gettext("To hit")),
    Asks("blood_spent", gettext("Attacker's markers spent"), "number", 0, 12, group=gettext("To hit")),
    Asks("blessing_spent", gettext("Attacker's blessings spent"), "number", 0, 6, group=gettext("To hit")),
    *WEAPON, *INJURY,
)  # fmt: skip
ATTACK = RollKind(
    "attack", gettext("Attack"), gettext("To hit, then to injure; what it does is saved at once."), (_WHO, _TARGET, *TOLD),
    gettext("the dice to hit, then those of the injury"),
)  # fmt: skip
# What the table already knows of attacker and target.
KNOWN = ("down", "target_down", "around", "target_to_act", "own_blood", "target_blood")
WORDS = {
    "failure": "missed", "success": "hit", "no-effect": gettext("no effect"), "minor-hit": gettext("minor hit"), "down": gettext("Down"), "out-of-action": "out",
}  # fmt: skip


def attack_form(strike: AttackRequest, rows: Sequence[int] = ()) -> RollKind:
    """Return the form of an attack: the attacker's weapons, then everything that affects the attack.

    An invalid answer counts as no answer. `rows` are the results told so far.
    """
    data = strike.data
    if not _stands(strike, "fighter"):
        return replace(ATTACK, asks=(_WHO, _TARGET))
    strike = replace(strike, data={**data, "target": data.get("target") or _aimed_at(strike)})
    data = strike.data
    ways = strike.ways()
    target = replace(_TARGET, usual=_aimed_at(strike), only=_foes(strike) or ("",))
    if not ways:
        return replace(ATTACK, asks=tuple(target if asks is _TARGET else asks for asks in ATTACK.asks))
    arm = Asks(
        "arm", gettext("With"), "option", options=(*ways, (BY_HAND, gettext("Other: enter it by hand"))), leads=True,
        quiet=data.get("arm") in dict(ways),
    )  # fmt: skip
    leads = (_WHO, arm, target)
    if not _stands(strike, "target") or data.get("arm") not in dict(arm.options):
        return replace(ATTACK, asks=(*leads, *_last(strike)))
    if strike.is_told():
        told = tuple(a for a in TOLD if a.name != "bloodbath" or affords_bloodbath(strike.target))
        return replace(ATTACK, asks=(*leads, *told, *_last(strike)))
    found = strike.situation(strike.target)
    asks = (
        *leads,
        *_aimed(strike, found),
        *(_ask_of(strike, toggle, found) for toggle in found.toggles if _asked(strike, toggle, found)),
        *_last(strike),
    )
    words = {"mine": gettext("Mine"), "theirs": gettext("Theirs")}
    need = _need(strike, rows)
    run = run_of(strike)
    count = attacks_in_all(strike, run)
    return replace(
        ATTACK,
        asks=asks,
        reckoned=found.causes,
        unreckoned=tuple(f"{words.get(whose, whose)}: {told}" for whose, told in found.unreckoned),
        odds_words=_odds_words(strike),
        need=need.words,
        results=need.rows,
        at=run.at,
        of=count,
    )


def _aimed_at(strike: AttackRequest) -> str:
    """Return the fighter at which the side aimed last, "" if it is out."""
    key = strike.state.side(strike.fighter.side).facts.get(AIMED, "")
    return next((fighter.key for fighter in strike.state.fighters if fighter.key == key and fighter.fights), "")


def _foes(strike: AttackRequest) -> tuple[str, ...]:
    """Return the fighters of the other sides: one phone may act for all of them."""
    side = strike.fighter.side
    return tuple(each.key for each in strike.state.fighters if each.side != side and each.fights)


def _last(strike: AttackRequest) -> Iterator[Asks]:
    """Yield the question whether the fighter has acted with this, where it has not yet."""
    fighter = strike.fighter
    if not fighter.acted:
        label = gettext("Last action of {name}: hand over").format(name=fighter.name)
        yield Asks("last", label, usual="1", closes=True)


def _need(strike: AttackRequest, rows: Sequence[int]) -> AttackNeed:
    try:
        _, given = weapon_question(strike)
    except Refusal:
        return AttackNeed()
    return attack_need(strike.content, given, rows)


def _stands(strike: AttackRequest, name: str) -> bool:
    return any(fighter.key == strike.data.get(name) and fighter.fights for fighter in strike.state.fighters)


def _aimed(strike: AttackRequest, found: Situation) -> Iterator[Asks]:
    """Yield the questions about others than the target: friends in a melee, fighters near a blast."""
    if strike.data["arm"].endswith(":ranged") and may_stray(frozenset(found.attacks[0]["keywords"])):
        mates = [
            mate for mate in strike.state.of(strike.fighter.side) if mate.fights and mate.key != strike.fighter.key
        ]
        beside = ((mate.key, gettext("In melee beside {mate}").format(mate=mate.name)) for mate in mates)
        options = (("", gettext("The target is not in melee")), *beside)
        yield Asks("friend", gettext("Shot into melee"), "option", options=options, quiet=True)
    yield from _around(strike, {word for attack in found.attacks for word in attack["keywords"]})


def _known_fighters(strike: AttackRequest) -> list[TableFighter]:
    """Return every fighter except the target that fights and has a known roster."""
    return [
        other
        for other in strike.state.fighters
        if other.fights and other.key != strike.target.key and strike.force(other)
    ]


def _around(strike: AttackRequest, keywords: set[str]) -> Iterator[Asks]:
    """Yield the questions about who else is caught by a blast or a line."""
    blasts = "BLAST" in keywords
    caught = tuple(other.key for other in _known_fighters(strike)) if blasts or STRIKES_OTHERS in keywords else ()
    if caught:
        label, group = (
            (gettext("Caught in the blast"), gettext("Blast")) if blasts else (gettext("Also hit"), gettext("Others"))
        )
        yield Asks("caught", label, "anybody", only=caught, several=True, group=group)
    if blasts:
        yield Asks("at_point", gettext("Aimed at a point, not at a fighter"), group=gettext("Blast"))
        yield Asks("landed", gettext("It landed there: no roll to hit"), group=gettext("Blast"))


def _asked(strike: AttackRequest, toggle: Toggle, found: Situation) -> bool:
    return toggle.key not in KNOWN and _most(strike, toggle, found) > toggle.least


def affords_bloodbath(target: TableFighter, cost: int | None = None) -> bool:
    """Return whether a target has enough markers for a Bloodbath.

    It takes six, three while the target is Down, or what a rule says instead.
    """
    wanted = bloodbath_cost(Target(down=target.down), cost)
    return sum(target.markers.get(name, 0) for name in ("blood", "infection")) >= max(1, wanted)


def _most(strike: AttackRequest, toggle: Toggle, found: Situation) -> int:
    """Return the maximum of a figure: no more markers than there are."""
    if toggle.key == "bloodbath":
        return int(affords_bloodbath(strike.target, found.given.get("bloodbath_cost")))
    whose, names = LYING.get(toggle.key, ("", ()))
    if not whose:
        return toggle.most
    who = strike.fighter if whose == "mine" else strike.target
    return min(toggle.most, sum(who.markers.get(name, 0) for name in kinds_paying(who, names)))


def _ask_of(strike: AttackRequest, toggle: Toggle, found: Situation) -> Asks:
    if toggle.is_switch:
        return Asks(toggle.key, toggle.words, group=gettext("At the table"), chips=True)
    most, spends = _most(strike, toggle, found), toggle.key in LYING
    group = gettext("Markers to spend") if spends else gettext("Other dice")
    return Asks(toggle.key, toggle.words, "number", toggle.least, most, group=group, chips=spends, quiet=not spends)


def _odds_words(strike: AttackRequest) -> str:
    """Return the exact odds of the attack made now in one line, or "" if there are too many possibilities."""
    try:
        _, given = weapon_question(replace(strike, data={**strike.data, "caught": ""}))
        outcomes = odds(strike.content, "attack", given).outcomes
    except Refusal:
        return ""
    told = [f"{words} {float(outcomes[name]) * 100:.1f} %" for name, words in WORDS.items() if outcomes.get(name)]
    return ", ".join(told)
