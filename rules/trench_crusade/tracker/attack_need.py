"""What an attack asks of the dice, in a line, and the results that players may tell in place of faces.

Source: Condensed rules 1.6.3, "Action Success Chart" and "Injury Chart"; core rules 1.0, "Attacks" and "Injury Rolls".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.content.compiled import Content
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.resolvers.told import AskedThrow, NeedResult, ToldRoller
from rules.tracker.rolls import ResultChoice, ResultRow
from rules.translation import gettext as _
from rules.trench_crusade.resolvers.attack import INJURIES
from rules.trench_crusade.resolvers.hit import is_roll_to_hit
from rules.trench_crusade.resolvers.rules import rule_named

MISSED, HIT, CRITICAL = 0, 1, 2
# Attacks whose misses scatter or that strike several: a result alone does not say enough.
NEEDS_DICE = frozenset({"BLAST", "SCATTER", "STRIKES OTHERS TOO"})


@dataclass(frozen=True, slots=True)
class AttackNeed:
    """The line of an attack that says what to roll, and its results to tell. Both are empty if only dice will do."""

    words: str = ""
    rows: tuple[ResultRow, ...] = ()


def resolved_by_rows(content: Content, rule: str, given: Mapping[str, Any], rows: Sequence[int]) -> Resolved:
    """Return the result of a rule whose rolls came to these rows. Raises NeedResult for the next one, Refusal for too many."""
    roller = ToldRoller(rows)
    table_rule = rule_named(rule)
    found = table_rule.resolve(content, table_rule.read(given), roller)
    if roller.left:
        raise Refusal(_("More results were entered than rolls are asked for."), code="told")
    return found


def attack_need(content: Content, given: Mapping[str, Any], rows: Sequence[int]) -> AttackNeed:
    """Return what an attack asks for after the results told so far. Nothing if it takes dice."""
    plain = is_plain((given,))
    first = _asked(content, given, rows)
    if first is None:
        return AttackNeed()
    if not _is_hit(first):
        needs, found = _dice_words(first), tuple(_injuries(first, first, ""))
    else:
        reached = (row for row, _label in _hit_labels(first) if row != MISSED and first.reaches(row))
        following = ((row, _asked(content, given, [*rows, row])) for row in reached)
        after = {row: throw for row, throw in following if throw is not None and not _is_hit(throw)}
        needs, found = _hit_words(first), tuple(_rows(first, after))
    return AttackNeed(needs, found if plain else ())


def is_plain(attacks: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether results say enough of these attacks, so that they may be told in place of faces."""
    words = {word for attack in attacks for word in attack.get("keywords", ())}
    return not words & NEEDS_DICE and not any(attack.get("into_melee") or attack.get("scatters") for attack in attacks)


def _asked(content: Content, given: Mapping[str, Any], rows: Sequence[int]) -> AskedThrow | None:
    """Return the next roll of an attack, None if it is over or takes dice."""
    try:
        resolved_by_rows(content, "attack", given, rows)
    except NeedResult as need:
        return need.throw
    except Refusal:
        return None
    return None


def _is_hit(throw: AskedThrow) -> bool:
    return is_roll_to_hit(throw.why)


def _hit_labels(hit: AskedThrow) -> tuple[tuple[int, str], ...]:
    """Return the rows of a roll to hit, each with its words; a single one where every hit is critical, none where misses differ too."""
    words = {CRITICAL: (_("Missed"), _("Hit"), _("Critical")), 1: (_("Missed"), _("Critical"))}
    return tuple(enumerate(words.get(len(hit.cuts), ())))


def _dice_words(throw: AskedThrow) -> str:
    pool = throw.pool
    spoilt = _(" Any 1 misses.") if pool.flawed else ""
    if not pool.net:
        return _("Roll {dice} dice.").format(dice=pool.dice) + spoilt
    counting = _("the best {count} count") if pool.net > 0 else _("the lowest {count} count")
    return _("Roll {dice} dice, {counting}.").format(dice=pool.dice, counting=counting.format(count=pool.base)) + spoilt


def _hit_words(throw: AskedThrow) -> str:
    if len(throw.cuts) == 1:
        return _("{dice} {hit} or more is critical.").format(dice=_dice_words(throw), hit=throw.cuts[0])
    if len(throw.cuts) != CRITICAL:
        return _dice_words(throw)
    hit, critical = throw.cuts
    return _("{dice} {hit} or more hits, {critical} is critical.").format(
        dice=_dice_words(throw), hit=hit, critical=critical
    )


def needed_words(cuts: Sequence[int]) -> str:
    """Return what a success roll or an injury roll had to come to."""
    if len(cuts) == CRITICAL:
        return _("{hit} or more, {critical} is critical").format(hit=cuts[0], critical=cuts[1])
    if len(cuts) == len(INJURIES) - 1:
        return _("Minor {minor}, Down {down}, Out {out}").format(minor=cuts[0], down=cuts[1], out=cuts[2])
    return _("{least} or more").format(least=cuts[0]) if cuts else ""


def _rows(hit: AskedThrow, after: Mapping[int, AskedThrow]) -> Iterator[ResultRow]:
    """Yield the row of hits, then that of injuries. Where no injury is rolled, a hit ends the attack."""
    ends = not after
    choices = [
        ResultChoice(str(row), label, _span(hit, row), ends=ends or row == MISSED)
        for row, label in _hit_labels(hit)
        if hit.reaches(row)
    ]
    yield ResultRow(_("My dice say"), tuple(choices))
    if after:
        plain = after.get(HIT) or next(iter(after.values()))
        yield from _injuries(plain, after.get(CRITICAL, plain), "h,")


def _injuries(throw: AskedThrow, critical: AskedThrow, before: str) -> Iterator[ResultRow]:
    labels = (_("No effect"), _("Minor"), _("Down"), _("Out"))
    dice = _pool_words(throw)
    label = _("Then the injury: {dice}").format(dice=dice) if before else _("The injury: {dice}").format(dice=dice)
    if critical.pool != throw.pool:
        label = _("{label} (critical: {dice})").format(label=label, dice=_pool_words(critical))
    choices = [
        ResultChoice(f"{before}{row}", name, _span(throw, row))
        for row, name in enumerate(labels)
        if throw.reaches(row) or critical.reaches(row)
    ]
    yield ResultRow(label, tuple(choices))


def _pool_words(throw: AskedThrow) -> str:
    pool = throw.pool
    if not pool.net:
        return _("{count} dice").format(count=pool.dice)
    words = _("best {kept} of {count}") if pool.net > 0 else _("lowest {kept} of {count}")
    return words.format(kept=pool.base, count=pool.dice + pool.sixes)


def _span(throw: AskedThrow, row: int) -> str:
    """Return the totals of the dice that come to a row: "4 to 8"."""
    cuts = throw.cuts
    if row == 0:
        return _("{most} or less").format(most=cuts[0] - 1)
    if row == len(cuts):
        return _("{least} or more").format(least=cuts[-1])
    least, most = cuts[row - 1], cuts[row] - 1
    return str(least) if least == most else _("{least} to {most}").format(least=least, most=most)
