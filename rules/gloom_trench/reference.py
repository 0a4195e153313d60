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
from rules.gloom_trench.resolvers.aiming import Shooting, aimed
from rules.gloom_trench.resolvers.dice import LADDER, SIDES, TARGET, TargetThrow, enemy_point
from rules.gloom_trench.resolvers.pool import FOG
from rules.gloom_trench.resolvers.saves import Save, save_throw
from rules.gloom_trench.resolvers.units import SMALL_MOST
from rules.translation import gettext

Far = Callable[[float], str]
COVERS = (("light", gettext("Light")), ("heavy", gettext("Heavy")), ("solid", gettext("Solid")))
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
        (
            die,
            *(
                str(throw.need) if throw.need <= throw.sides else "–"
                for throw in (TargetThrow(die, m) for m in MODIFIERS)
            ),
        )
        for die in LADDER
    )
    return ReferencePart(
        gettext("Dice: {target} or more").format(target=TARGET),
        ("needs", *(signed(m) for m in MODIFIERS)),
        rows,
        (
            (gettext("Natural 1"), gettext("always fails; no face succeeds by itself.")),
            ("d+1, d−1", gettext("add them up; the die moves one step on {ladder}, what is left over counts as +1 or −1 each.").format(ladder=', '.join(LADDER))),
            ("D3", gettext("half a D6, rounded up.")),
        ),
    )  # fmt: skip


def _actions(far: Far) -> ReferencePart:
    rows = (
        (
            gettext("Advance"),
            far(MOVE),
            gettext("yes,\u00a0{shot}").format(shot=_shot(None, action="advance")),
            gettext("move before or after the shooting"),
        ),
        (gettext("Take that Ground"), f"{far(MOVE)}\u00a0+\u00a0D6", "–", ""),
        (gettext("Charge"), f"{far(MOVE)}\u00a0+\u00a0D6", "–", gettext("into melee; see Charge")),
        (gettext("Open Up"), "–", "yes", ""),
        (
            gettext("Dig In"),
            "–",
            "–",
            gettext("{saved} to saves until it next acts; orders before it only").format(
                saved=_saved(None, dug_in=True)
            ),
        ),
        (gettext("Rally"), "–", "–", gettext("needs no Stress Test")),
        (gettext("Do Nothing"), "–", "–", ""),
    )
    return ReferencePart(
        gettext("Actions: one each"),
        ("", gettext("Move"), gettext("Shoot"), ""),
        rows,
        (
            (gettext("Stay"), gettext("{far} from a comrade, {far_2} from the leader, {far_3} off enemies unless charging.").format(far=far(NEAREST_MOST), far_2=far(LEADER_MOST), far_3=far(3))),
            (gettext("Through"), gettext("friends only when wholly past them, enemies never.")),
        ),
    )  # fmt: skip


def _stress(content: CustomContent, far: Far) -> ReferencePart:
    lines = [
        (gettext("Activated"), gettext("+1 out of coherency (then it must Advance); +1 within {far} of a horror or an incursion.").format(far=far(HORROR_WITHIN))),
        (gettext("Shot at or fought"), gettext("+1 for any damage; +1 for a natural 1 among its saves.")),
        (gettext("No save allowed"), gettext("+1 for casualties") + (gettext(", nothing else.") if chosen(content, NO_SAVE_STRESS) == "instead" else gettext(", beside the +1 for damage."))),
        (gettext("Friends destroyed"), gettext("+1 to each unit within {far}").format(far=far(FRIENDS_WITHIN)) + (gettext("; a beaten unit that is removed counts.") if chosen(content, LOSER_STRESS) == "yes" else gettext("; one removed for losing a melee does not count."))),
    ]  # fmt: skip
    return ReferencePart(gettext("Stress comes from"), lines=tuple(lines))


def _tests(content: CustomContent) -> ReferencePart:
    when = (
        gettext("with any Stress") if chosen(content, WHEN_TESTED) == "any-stress" else gettext("Stress above Command")
    )
    off = gettext("no token off") if chosen(content, PASSED_REMOVES) == "none" else gettext("one token off, it acts")
    return ReferencePart(
        gettext("Stress rolled for"),
        ("", gettext("When"), gettext("Roll"), gettext("{target} or more").format(target=TARGET), gettext("Else")),
        (
            (gettext("Stress Test"), gettext("activated {when}, unless it Rallies").format(when=when), gettext("one D8 + Command − Stress"), off, gettext("its activation is over")),
            (gettext("Rally"), gettext("the action"), gettext("D6 + Command for each token"), gettext("that token off"), gettext("it stays")),
            (gettext("Morale"), gettext("Tactical Phase, any Stress"), gettext("D8 + Command for each token"), gettext("that token off"), gettext("it stays; natural 1: a model and a token lost")),
        ),
    )  # fmt: skip


def _shooting(content: CustomContent, far: Far) -> ReferencePart:
    fewer = chosen(content, OBSCURED) == "dice"
    rows = [
        (gettext("Advance"), _shot(content, action="advance")),
        (gettext("Target small"), _shot(content, small=True)),
        (gettext("Heavy or Solid cover"), signed(-1)),
        (
            gettext("Obscured, each source of another name"),
            gettext("a die fewer") if fewer else _shot(content, obscured=("one",)),
        ),
        (gettext("Enemy TP, if the shooter has Stress"), _point(content)),
        (gettext("Own TP"), "d+1"),
    ]
    return ReferencePart(
        gettext("Shooting"),
        ("", gettext("Roll")),
        tuple(rows),
        (
            (
                gettext("Dice"),
                gettext("one for each model that sees the target, of the die of the band; leader to leader."),
            ),
            (gettext("Small"), gettext("the keyword, or {small_most} models or fewer.").format(small_most=SMALL_MOST)),
            (gettext("Split"), gettext("two targets at most, told before any roll.")),
        ),
    )


def _cover(content: CustomContent) -> ReferencePart:
    rows = []
    for cover, name in COVERS:
        melee = signed(-1) if cover == "solid" else "–"
        if cover == "solid" and chosen(content, SOLID_IN_MELEE) == "charger":
            melee += gettext(", charger only")
        rows.append((
            name, _shot(content, cover=cover), _saved(content, cover=cover), melee, _saved(content, cover=cover, melee=True),
        ))  # fmt: skip
    return ReferencePart(
        gettext("Cover"),
        ("", gettext("Shot at"), gettext("Its save"), gettext("Melee roll at it"), gettext("Its save")),
        tuple(rows),
        (
            (
                gettext("Crossed"),
                gettext("several covers in between: the defender picks one. Heavy counts its own −1 and Obscured."),
            ),
        ),
    )


def _saves(content: CustomContent) -> ReferencePart:
    any_of_them = chosen(content, TOKENS_DISCARDED) == "any"
    rows = (
        (gettext("Dug in"), _saved(content, dug_in=True)),
        (gettext("Charger, against Hold and Shoot"), _saved(content, hold_and_shoot=True)),
        (
            gettext("Attacker discards ")
            + (gettext("its tokens, each") if any_of_them else gettext("one of its tokens")),
            _saved(content, discard=True, stress=1),
        ),
        (gettext("Enemy TP, if it has Stress"), _point(content)),
        (gettext("Own TP"), "d+1"),
    )
    shots = gettext("the shooter's Damage") if chosen(content, SHOOTING_DAMAGE) == "statline" else "1 damage"
    return ReferencePart(
        gettext("Saving throws"),
        ("", gettext("Save")),
        rows,
        (
            (gettext("Failed"), gettext("{shots} from shooting, the attacker's Damage in melee.").format(shots=shots)),
            (gettext("Losses"), gettext("the owner picks a profile and stays with it while it has models. Damage short of a model is kept.")),
        ),
    )  # fmt: skip


def _charge(content: CustomContent, far: Far) -> ReferencePart:
    reaches = [(die, _contact(SIDES[die])) for die in ("D6", "D8")]
    gaps = range(MOVE + NEAREST_MOST + 1, MOVE + NEAREST_MOST + SIDES["D8"] + 1)
    rows = tuple((die, *(_odds(odds(gap)) for gap in gaps)) for die, odds in reaches)
    price = gettext(" for 1 TP") if chosen(content, DISTANCE_POINTS) == "one" else ""
    die = (
        gettext("with D6s whose dice modifiers become +1 or −1")
        if chosen(content, HOLD_DIE) == "locked"
        else gettext("with D6s")
    )
    return ReferencePart(
        gettext("Charge"),
        ("gap", *(far(gap) for gap in gaps)),
        rows,
        (
            (gettext("Reach"), gettext("{far} + D6 (D8{price}) at the closest enemy seen; contact needs the gap less {far_2}. Short: no " "move.").format(far=far(MOVE), price=price, far_2=far(NEAREST_MOST))),
            (gettext("Reaction"), gettext("1 TP, if it had to move more than {far}: Brace (no charge +1), or Hold and Shoot {die}. Its " "damage is not compared.").format(far=far(MOVE), die=die)),
        ),
    )  # fmt: skip


def _melee(content: CustomContent, far: Far) -> ReferencePart:
    bonus = (
        gettext("in every round") if chosen(content, CHARGE_BONUS) == "every-round" else gettext("in the first round")
    )
    compared = (
        gettext("all damage taken")
        if chosen(content, MELEE_DAMAGE) == "taken"
        else gettext("damage its models could take")
    )
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
    return ReferencePart(gettext("Melee"), lines=lines)


def _bought(content: CustomContent) -> ReferencePart:
    distance = "1 TP" if chosen(content, DISTANCE_POINTS) == "one" else "free"
    rows = (
        (gettext("Own roll"), "d+1"),
        (gettext("Roll of an enemy unit with Stress"), _point(content)),
        (gettext("A Unit Order"), gettext("leader alive, or a Commander within Tactics")),
        (gettext("Charge, Take that Ground"), gettext("distance D8 ({distance})").format(distance=distance)),
        (gettext("Charged"), gettext("Brace, or Hold and Shoot")),
    )
    most = (
        gettext("One for each player on a roll.")
        if chosen(content, POINTS_PER_ROLL) == "one"
        else gettext("As many on a roll as one likes.")
    )
    return ReferencePart(gettext("A Tactical Point buys"), ("", ""), rows, ((gettext("Told"), gettext("before the roll. {most}").format(most=most)),))  # fmt: skip


def _turn(content: CustomContent) -> ReferencePart:
    again = gettext("once all its others have") if chosen(content, AGAIN) == "all-others" else "never"
    lines = (
        (
            gettext("Tactical"),
            gettext(
                "effects, morale, pool (D6 for each Command, {target} or more, +1 for each Commander), bag, initiative."
            ).format(target=TARGET),
        ),
        (
            gettext("Activations"),
            gettext(
                "draw a chit, activate a unit of that side; a unit acts twice {again}. Fog {fog} ends the phase."
            ).format(again=again, fog=FOG),
        ),
        (
            gettext("Turn End"),
            gettext("effects, keep each TP on {target} or more of a D6, tidy, tea.").format(target=TARGET),
        ),
    )
    return ReferencePart(gettext("The turn"), lines=lines)


# --- cells -------------------------------------------------------------------------------------------------------------------


# Every reading has its default.
_BY_THE_BOOK = CustomContent("gloom-trench", CORE, readings={})


def _shot(content: CustomContent | None, **told: Any) -> str:
    """Return the modifiers of a shot, as the rules add them up."""
    return signed(aimed(content or _BY_THE_BOOK, _told(Shooting, told), "D8").throw.modifier)


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
