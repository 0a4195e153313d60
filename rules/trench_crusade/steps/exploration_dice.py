"""Changing the dice of an exploration roll: re-rolls, set and split dice, and the sums that can still be reached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rules.resolution import Option, Resolution
from rules.translation import gettext
from rules.trench_crusade.carried_effects import skill_picks
from rules.trench_crusade.steps.context import StepContext
from rules.vocabulary import ExplorationSkillEffect

WINNER, FREE = "winner", "free"
DIE = 6


@dataclass(frozen=True)
class DieChange:
    """One change to the dice that a warband owns: the id of a skill (or the winner's re-roll) and its name."""

    id: str
    name: str

    @property
    def rerolls(self) -> bool:
        return self.id in REROLLS


def owned_changes(context: StepContext) -> tuple[DieChange, ...]:
    """Return every change to the dice that the warband may use this time, one entry for each use."""
    content = context.content
    skills = [*content.campaign.starting_exploration_skills, *context.force.exploration_skills]
    for _, effect in context.effects(ExplorationSkillEffect):
        skills.extend(effect.skills)
    for learned in (learned for fighter in context.force.fighters if fighter.active for learned in fighter.skills):
        skill = content.skills.get(learned.skill)
        picked = (skill.id, *skill_picks(skill, learned.choices)) if skill else ()
        skills.extend(s for s in picked if s in content.skills and content.skills[s].kind == "exploration")
    rules = context.rules
    found = [DieChange(FREE, gettext("Standard re-roll"))] * rules.free_rerolls
    if context.aftermath.mine.won:
        found += [DieChange(WINNER, gettext("The winner's re-roll"))] * rules.winner_rerolls
    return (
        *found,
        *(DieChange(s, content.skills[s].name if s in content.skills else s) for s in skills if s in CHANGES),
    )


def _pick_die(resolution: Resolution, dice: list[int], key: str, words: str, allowed: list[int] | None = None) -> int:
    places = range(len(dice)) if allowed is None else allowed
    options = tuple(
        Option(str(place + 1), gettext("Die {number}: {dice}").format(number=place + 1, dice=dice[place]))
        for place in places
    )
    return int(resolution.choose(key, words, options)) - 1


def _reroll(resolution: Resolution, dice: list[int], key: str) -> str:
    _roll_again(resolution, dice, _pick_die(resolution, dice, f"{key}-die", gettext("Roll which die again?")))
    return ""


def _roll_again(resolution: Resolution, dice: list[int], place: int) -> None:
    draw = resolution.roll(1, DIE, gettext("Exploration die {number} again").format(number=place + 1))
    words = gettext("Die {amount}, {dice}, is rolled again: {total}.").format(
        amount=place + 1, dice=dice[place], total=draw.total
    )
    dice[place] = draw.total
    resolution.tell(words, draw)


def _extra(resolution: Resolution, dice: list[int], key: str) -> str:
    draw = resolution.roll(1, DIE, gettext("An extra exploration die"))
    dice.append(draw.total)
    resolution.tell(gettext("One die more: {total}.").format(total=draw.total), draw)
    return ""


def _duplicate(resolution: Resolution, dice: list[int], key: str) -> str:
    place = _pick_die(resolution, dice, f"{key}-die", gettext("Which die counts twice?"))
    dice.append(dice[place])
    return gettext("Die {amount} counts twice: another {dice}.").format(amount=place + 1, dice=dice[place])


def _split(resolution: Resolution, dice: list[int], key: str) -> str:
    place = _pick_die(resolution, dice, f"{key}-die", gettext("Split which die?"))
    value = dice[place]
    half = (value + 1) // 2
    dice[place : place + 1] = [half, half]
    return gettext("A {value} becomes two dice showing {half}.").format(value=value, half=half)


def _set(resolution: Resolution, dice: list[int], key: str) -> str:
    place = _pick_die(resolution, dice, f"{key}-die", gettext("Turn which die?"))
    before = dice[place]
    dice[place] = resolution.number(
        f"{key}-face", gettext("To which face is die {amount} turned?").format(amount=place + 1), 1, DIE
    )
    return gettext("Die {amount} is turned from {before} to {dice}.").format(
        amount=place + 1, before=before, dice=dice[place]
    )


def _seek(resolution: Resolution, dice: list[int], key: str) -> str:
    place = _pick_die(resolution, dice, f"{key}-die", gettext("+1 to which die?"), _raisable(dice))
    dice[place] += 1
    return gettext("Die {amount} rises to {dice}.").format(amount=place + 1, dice=dice[place])


def _circle_back(resolution: Resolution, dice: list[int], key: str) -> str:
    place = _pick_die(resolution, dice, f"{key}-die", gettext("-1 to which die?"), _lowerable(dice))
    dice[place] -= 1
    return gettext("Die {amount} falls to {dice}.").format(amount=place + 1, dice=dice[place])


def _combine(resolution: Resolution, dice: list[int], key: str) -> str:
    options = tuple(
        Option(str(place + 1), gettext("Die {number}: {value}").format(number=place + 1, value=value))
        for place, value in enumerate(dice)
    )
    picked = resolution.choose_some(f"{key}-dice", gettext("Merge which two dice?"), options, least=2, most=2)
    first, second = sorted(int(p) - 1 for p in picked)
    dice[first] += dice.pop(second)
    return gettext("Dice {amount} and {amount_2} become one die worth {dice}.").format(
        amount=first + 1, amount_2=second + 1, dice=dice[first]
    )


def _lucky(resolution: Resolution, dice: list[int], key: str) -> str:
    place = _pick_die(resolution, dice, f"{key}-die", gettext("Pair the new die with which one?"))
    draw = resolution.roll(1, DIE, gettext("A die paired with die {number}").format(number=place + 1))
    resolution.tell(gettext("The pair shows {dice} and {total}.").format(dice=dice[place], total=draw.total), draw)
    options = (
        Option("old", gettext("Keep {dice}").format(dice=dice[place])),
        Option("new", gettext("Keep {total}").format(total=draw.total)),
    )
    if resolution.choose(f"{key}-keep", "Which of the pair stays?", options) == "new":
        dice[place] = draw.total
    return gettext("{dice} stays.").format(dice=dice[place])


CHANGES: dict[str, Callable[[Resolution, list[int], str], str]] = {
    WINNER: _reroll,
    FREE: _reroll,
    "reroll": _reroll,
    "extra-dice": _extra,
    "duplicate": _duplicate,
    "split": _split,
    "set-dice": _set,
    "seek": _seek,
    "circle-back": _circle_back,
    "combine": _combine,
    "lucky": _lucky,
}
REROLLS = (WINNER, FREE, "reroll")


STEPS = {"seek": 1, "circle-back": -1}  # changes by one: to a die or, in some editions, to the total


def _raisable(dice: list[int]) -> list[int]:
    """Return the indexes of dice that can be raised. A die shows at most six; only a merged one may be worth more."""
    return [place for place, value in enumerate(dice) if value != DIE]


def _lowerable(dice: list[int]) -> list[int]:
    return [place for place, value in enumerate(dice) if value > 1]


def _reachable(change: str, dice: list[int], more: int = 0, *, on_total: bool = False) -> list[int] | None:
    """Return the scores that a change can produce: None if a roll decides, empty if it cannot be used on these dice.

    `more` is what was added to the total in addition to the dice.
    """
    if on_total and change in STEPS:
        return [sum(dice) + more + STEPS[change]]
    reach = _reachable_by_dice(change, dice)
    return None if reach is None else [score + more for score in reach]


def _reachable_by_dice(change: str, dice: list[int]) -> list[int] | None:
    score = sum(dice)
    if change == "seek":
        return [score + 1] if _raisable(dice) else []
    if change == "circle-back":
        return [score - 1] if _lowerable(dice) else []
    if change == "duplicate":
        return sorted({score + value for value in dice})
    if change == "split":
        return sorted({score + value % 2 for value in dice})
    if change == "set-dice":
        return sorted({score - value + face for value in dice for face in range(1, DIE + 1) if face != value})
    if change == "combine":
        return [score] if len(dice) > 1 else []
    return None
