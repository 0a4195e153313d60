"""The quick reference of Gloom Trench 1926: one page in our own words, with figures calculated by the table rules.

Source: Gloom Trench 1926 core rules, "Dice", "Actions", "Shooting", "Saving Throws", "Stress", "Charge", "Melee",
"Tactical Pool".
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rules.custom.content import CORE, CustomContent
from rules.custom.reference import ReferencePart
from rules.formatting import signed
from rules.gloom_trench.interpretations import (
    AGAIN,
    CHARGE_BONUS,
    DISTANCE_POINTS,
    HOLD_DIE,
    LOSER_STRESS,
    MELEE_DAMAGE,
    NO_SAVE_STRESS,
    OBSCURED,
    PASSED_REMOVES,
    POINTS_PER_ROLL,
    SHOOTING_DAMAGE,
    SOLID_IN_MELEE,
    TOKENS_DISCARDED,
    WHEN_TESTED,
    chosen,
)
from rules.gloom_trench.resolvers.activation import FRIENDS_WITHIN, HORROR_WITHIN, LEADER_MOST, MOVE, NEAREST_MOST
from rules.gloom_trench.resolvers.aiming import Attack, aimed
from rules.gloom_trench.resolvers.dice import LADDER, SIDES, TARGET, Throw, enemy_point
from rules.gloom_trench.resolvers.pool import FOG
from rules.gloom_trench.resolvers.saves import Save, save_throw
from rules.gloom_trench.resolvers.units import SMALL_MOST
from rules.translation import gettext

Far = Callable[[float], str]
COVERS = (("light", "Light"), ("heavy", "Heavy"), ("solid", "Solid"))
MODIFIERS = range(-4, 5)


def reference_parts(content: CustomContent, far: Far) -> tuple[ReferencePart, ...]:
    """Return the parts in the order of the page. `far` formats a distance in the unit of the force."""
    return (
        _dice(),
        _actions(far),
        _stress(content, far),
        _tests(content),
        _shooting(content, far),
        _cover(content),
        _saves(content),
        _charge(content, far),
        _melee(content, far),
        _bought(content),
        _turn(content),
    )


def _dice() -> ReferencePart:
    rows = tuple(
        (die, *(str(throw.need) if throw.need <= throw.sides else "–" for throw in (Throw(die, m) for m in MODIFIERS)))
        for die in LADDER
    )
    return ReferencePart(
        f"Dice: {TARGET} or more",
        ("needs", *(signed(m) for m in MODIFIERS)),
        rows,
        (
            ("Natural 1", "always fails; no face succeeds by itself."),
            ("d+1, d−1", f"add them up; the die moves one step on {', '.join(LADDER)}, what is left over counts as +1 or −1 each."),
            ("D3", "half a D6, rounded up."),
        ),
    )  # fmt: skip


def _actions(far: Far) -> ReferencePart:
    rows = (
        ("Advance", far(MOVE), f"yes,\u00a0{_shot(None, action='advance')}", "move before or after the shooting"),
        ("Take that Ground", f"{far(MOVE)}\u00a0+\u00a0D6", "–", ""),
        ("Charge", f"{far(MOVE)}\u00a0+\u00a0D6", "–", "into melee; see Charge"),
        ("Open Up", "–", "yes", ""),
        ("Dig In", "–", "–", f"{_saved(None, dug_in=True)} to saves until it next acts; orders before it only"),
        ("Rally", "–", "–", "needs no Stress Test"),
        ("Do Nothing", "–", "–", ""),
    )
    return ReferencePart(
        "Actions: one each",
        ("", "Move", "Shoot", ""),
        rows,
        (
            ("Stay", gettext("{far} from a comrade, {far_2} from the leader, {far_3} off enemies unless charging.").format(far=far(NEAREST_MOST), far_2=far(LEADER_MOST), far_3=far(3))),
            ("Through", "friends only when wholly past them, enemies never."),
        ),
    )  # fmt: skip


def _stress(content: CustomContent, far: Far) -> ReferencePart:
    lines = [
        ("Activated", gettext("+1 out of coherency (then it must Advance); +1 within {far} of a horror or an incursion.").format(far=far(HORROR_WITHIN))),
        ("Shot at or fought", gettext("+1 for any damage; +1 for a natural 1 among its saves.")),
        ("No save allowed", "+1 for casualties" + (", nothing else." if chosen(content, NO_SAVE_STRESS) == "instead" else ", beside the +1 for damage.")),
        ("Friends destroyed", f"+1 to each unit within {far(FRIENDS_WITHIN)}" + ("; a beaten unit that is removed counts." if chosen(content, LOSER_STRESS) == "yes" else "; one removed for losing a melee does not count.")),
    ]  # fmt: skip
    return ReferencePart("Stress comes from", lines=tuple(lines))


def _tests(content: CustomContent) -> ReferencePart:
    when = "with any Stress" if chosen(content, WHEN_TESTED) == "any-stress" else "Stress above Command"
    off = "no token off" if chosen(content, PASSED_REMOVES) == "none" else "one token off, it acts"
    return ReferencePart(
        "Stress rolled for",
        ("", "When", "Roll", f"{TARGET} or more", "Else"),
        (
            ("Stress Test", f"activated {when}, unless it Rallies", "one D8 + Command − Stress", off, "its activation is over"),
            ("Rally", "the action", "D6 + Command for each token", "that token off", "it stays"),
            ("Morale", "Tactical Phase, any Stress", "D8 + Command for each token", "that token off", "it stays; natural 1: a model and a token lost"),
        ),
    )  # fmt: skip


def _shooting(content: CustomContent, far: Far) -> ReferencePart:
    fewer = chosen(content, OBSCURED) == "dice"
    rows = [
        ("Advance", _shot(content, action="advance")),
        ("Target small", _shot(content, small=True)),
        ("Heavy or Solid cover", signed(-1)),
        ("Obscured, each source of another name", "a die fewer" if fewer else _shot(content, obscured=("one",))),
        ("Enemy TP, if the shooter has Stress", _point(content)),
        ("Own TP", "d+1"),
    ]
    return ReferencePart(
        "Shooting",
        ("", "Roll"),
        tuple(rows),
        (
            ("Dice", "one for each model that sees the target, of the die of the band; leader to leader."),
            ("Small", f"the keyword, or {SMALL_MOST} models or fewer."),
            ("Split", "two targets at most, told before any roll."),
        ),
    )


def _cover(content: CustomContent) -> ReferencePart:
    rows = []
    for cover, name in COVERS:
        melee = signed(-1) if cover == "solid" else "–"
        if cover == "solid" and chosen(content, SOLID_IN_MELEE) == "charger":
            melee += ", charger only"
        rows.append((
            name, _shot(content, cover=cover), _saved(content, cover=cover), melee, _saved(content, cover=cover, melee=True),
        ))  # fmt: skip
    return ReferencePart(
        "Cover",
        ("", "Shot at", "Its save", "Melee roll at it", "Its save"),
        tuple(rows),
        (("Crossed", "several covers in between: the defender picks one. Heavy counts its own −1 and Obscured."),),
    )


def _saves(content: CustomContent) -> ReferencePart:
    any_of_them = chosen(content, TOKENS_DISCARDED) == "any"
    rows = (
        ("Dug in", _saved(content, dug_in=True)),
        ("Charger, against Hold and Shoot", _saved(content, hold_and_shoot=True)),
        (
            "Attacker discards " + ("its tokens, each" if any_of_them else "one of its tokens"),
            _saved(content, discard=True, stress=1),
        ),
        ("Enemy TP, if it has Stress", _point(content)),
        ("Own TP", "d+1"),
    )
    shots = "the shooter's Damage" if chosen(content, SHOOTING_DAMAGE) == "statline" else "1 damage"
    return ReferencePart(
        "Saving throws",
        ("", "Save"),
        rows,
        (
            ("Failed", gettext("{shots} from shooting, the attacker's Damage in melee.").format(shots=shots)),
            ("Losses", "the owner picks a profile and stays with it while it has models. Damage short of a model is kept."),
        ),
    )  # fmt: skip


def _charge(content: CustomContent, far: Far) -> ReferencePart:
    reaches = [(die, _contact(SIDES[die])) for die in ("D6", "D8")]
    gaps = range(MOVE + NEAREST_MOST + 1, MOVE + NEAREST_MOST + SIDES["D8"] + 1)
    rows = tuple((die, *(_odds(odds(gap)) for gap in gaps)) for die, odds in reaches)
    price = " for 1 TP" if chosen(content, DISTANCE_POINTS) == "one" else ""
    die = "with D6s whose dice modifiers become +1 or −1" if chosen(content, HOLD_DIE) == "locked" else "with D6s"
    return ReferencePart(
        "Charge",
        ("gap", *(far(gap) for gap in gaps)),
        rows,
        (
            ("Reach", gettext("{far} + D6 (D8{price}) at the closest enemy seen; contact needs the gap less {far_2}. Short: no " "move.").format(far=far(MOVE), price=price, far_2=far(NEAREST_MOST))),
            ("Reaction", gettext("1 TP, if it had to move more than {far}: Brace (no charge +1), or Hold and Shoot {die}. Its " "damage is not compared.").format(far=far(MOVE), die=die)),
        ),
    )  # fmt: skip


def _melee(content: CustomContent, far: Far) -> ReferencePart:
    bonus = "in every round" if chosen(content, CHARGE_BONUS) == "every-round" else "in the first round"
    compared = "all damage taken" if chosen(content, MELEE_DAMAGE) == "taken" else "damage its models could take"
    lines = (
        (
            "1",
            gettext("Models not yet within {far} move a D3: defender first, attacker towards the enemy.").format(
                far=far(NEAREST_MOST)
            ),
        ),
        (
            "2",
            gettext(
                "A die for each model: Combat for the active unit, Defence for the other; then TP, active player first."
            ),
        ),
        (
            "3",
            gettext("Charge +1 {bonus}. Both save at once; a failed save is the enemy's Damage.").format(bonus=bonus),
        ),
        (
            "4",
            gettext("Compare {compared}: the unit that took more is removed. Equal: another round.").format(
                compared=compared
            ),
        ),
    )
    return ReferencePart("Melee", lines=lines)


def _bought(content: CustomContent) -> ReferencePart:
    distance = "1 TP" if chosen(content, DISTANCE_POINTS) == "one" else "free"
    rows = (
        ("Own roll", "d+1"),
        ("Roll of an enemy unit with Stress", _point(content)),
        ("A Unit Order", "leader alive, or a Commander within Tactics"),
        ("Charge, Take that Ground", f"distance D8 ({distance})"),
        ("Charged", "Brace, or Hold and Shoot"),
    )
    most = (
        gettext("One for each player on a roll.")
        if chosen(content, POINTS_PER_ROLL) == "one"
        else gettext("As many on a roll as one likes.")
    )
    return ReferencePart("A Tactical Point buys", ("", ""), rows, (("Told", f"before the roll. {most}"),))  # fmt: skip


def _turn(content: CustomContent) -> ReferencePart:
    again = "once all its others have" if chosen(content, AGAIN) == "all-others" else "never"
    lines = (
        (
            "Tactical",
            f"effects, morale, pool (D6 for each Command, {TARGET} or more, +1 for each Commander), bag, initiative.",
        ),
        (
            "Activations",
            f"draw a chit, activate a unit of that side; a unit acts twice {again}. Fog {FOG} ends the phase.",
        ),
        ("Turn End", f"effects, keep each TP on {TARGET} or more of a D6, tidy, tea."),
    )
    return ReferencePart("The turn", lines=lines)


# --- cells -------------------------------------------------------------------------------------------------------------------


# Every reading has its default.
_BY_THE_BOOK = CustomContent("gloom-trench", CORE, readings={})


def _shot(content: CustomContent | None, **told: Any) -> str:
    """Return the modifiers of a shot, as the rules add them up."""
    return signed(aimed(content or _BY_THE_BOOK, _told(Attack, told), "D8").throw.modifier)


def _saved(content: CustomContent | None, **told: Any) -> str:
    """Return what a save gains: a bigger die as d+1, a modifier of the roll unchanged, – for nothing."""
    throw = save_throw(content or _BY_THE_BOOK, _told(Save, {"hits": 1, "save_die": "D6", **told}))
    steps = LADDER.index(throw.die)
    words = [f"d{signed(steps)}"] if steps else []
    words += [signed(throw.modifier)] if throw.modifier else []
    return ", ".join(words) or "–"


def _point(content: CustomContent) -> str:
    return signed(sum(number for number, _ in enemy_point(content, True, 1)))


def _told(kind: Any, told: dict[str, Any]) -> Any:
    known = {"ordered" if key == "action" else key: each for key, each in told.items()}
    return kind(**known)


def _contact(sides: int) -> Callable[[float], Fraction]:
    """Return the odds of contact at a gap, by the number of faces of the distance die."""

    def odds(gap: float) -> Fraction:
        enough = sum(MOVE + face >= gap - NEAREST_MOST for face in range(1, sides + 1))
        return Fraction(enough, sides)

    return odds


def _odds(odds: Fraction) -> str:
    return "sure" if odds == 1 else "–" if not odds else f"{odds.numerator}/{odds.denominator}"
