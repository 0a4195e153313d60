"""Morale tests, initiative, the deck of cards, and coherency.

Source: core rules, "Figure designations", "Game sequence", "Company organization", "Unit traits".
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from rules.custom.interpretations import HasReadings
from rules.dice import NeedDice
from rules.problems import Refusal
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext as _
from rules.trench_too_far.charts import NAMES, QUALITY
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.common import FAILS, PASSES, TroopOdds, ask, facts, in_order, plus
from rules.trench_too_far.resolvers.inputs import (
    Coherency,
    Deck,
    InCommand,
    InitiativeOfSides,
    MoraleTarget,
    MoraleTest,
    PlatoonCoherent,
)

TIE = "tie"
STRANDED = "stranded"
BASE_GAP, LIGHT_GAP = 2, 4
COMMAND, LIGHT_COMMAND = 12, 18


def morale_target(content: HasReadings, data: MoraleTarget, roller: Roller) -> Resolved:
    """What a quality must reach: 2 to 6. Outcomes: 2+ to 6+."""
    target = QUALITY[data.quality]
    return Resolved(
        plus(target),
        _("{names} troops test on {target}+.").format(names=NAMES[data.quality], target=target),
        total=target,
        effects=facts(target=target),
    )


def morale_test(content: HasReadings, data: MoraleTest, roller: Roller) -> Resolved:
    """A morale test. Outcomes: fails, passes; `total` is the die with its bonus."""
    target = 2 if data.aggressive_assault else QUALITY[data.quality]
    settles = choice(content, "natural-faces") == "settle"
    needed = target - data.bonus
    roll = ask(roller, data.roll, _("Morale test"), *((2, 6) if settles else ()), needed)
    passed = roll >= needed
    if settles and roll in (1, 6):
        passed = roll == 6
    modifiers: list[tuple[str, str]] = []
    if data.aggressive_assault:
        modifiers.append(("2+", _("Aggressive: Stubborn when assaulting or assaulted")))
    if data.bonus:
        modifiers.append((f"{data.bonus:+d}", _("Bonus")))
    outcome = PASSES if passed else FAILS
    total = roll + data.bonus
    return Resolved(
        outcome, _("{total} against {target}+: the test {outcome}.").format(total=total, target=target, outcome=outcome), (roll,), (roll,), total, tuple(modifiers),
        facts(target=target, passed=passed),
    )  # fmt: skip


def _edge(data: InitiativeOfSides) -> tuple[int, int]:
    return data.a_attacker - data.a_militia, data.b_attacker - data.b_militia


def _checked(data: InitiativeOfSides) -> None:
    if data.a_attacker and data.b_attacker:
        raise Refusal(_("Both sides are told to attack."), mend=_("Name one attacker, or none."), code="input")


def roll_initiative(content: HasReadings, data: InitiativeOfSides, roller: Roller) -> Resolved:
    """Who chooses which side acts first: a, b; a tie where no further dice are told. Both dice fall again after a tie."""
    _checked(data)
    reroll = choice(content, "tied-initiative") == "reroll"
    more_a, more_b = _edge(data)
    modifiers = [
        (f"{amount:+d}", f"{side}: {why}")
        for side, amount, told, why in (
            ("A", 1, data.a_attacker, "attacker"), ("A", -1, data.a_militia, _("mostly militia")),
            ("B", 1, data.b_attacker, "attacker"), ("B", -1, data.b_militia, _("mostly militia")),
        )
        if told
    ]  # fmt: skip
    rolled: list[int] = []
    told_a, told_b = data.a, data.b
    while True:
        try:
            a = told_a if told_a is not None else roller.die(6, _("Initiative, side A"))
            b = told_b if told_b is not None else roller.die(6, _("Initiative, side B"))
        except NeedDice:
            if not rolled:
                raise
            return _initiative(TIE, rolled, more_a, more_b, modifiers)  # the players have to roll again
        rolled += [a, b]
        total_a, total_b = a + more_a, b + more_b
        if total_a != total_b:
            return _initiative("a" if total_a > total_b else "b", rolled, more_a, more_b, modifiers)
        if not reroll or (data.a is not None and data.b is not None):
            return _initiative(TIE, rolled, more_a, more_b, modifiers)
        told_a = told_b = None


def _initiative(
    outcome: str, rolled: list[int], more_a: int, more_b: int, modifiers: list[tuple[str, str]]
) -> Resolved:
    a, b = rolled[-2] + more_a, rolled[-1] + more_b
    words = _("{a} to {b}: ").format(a=a, b=b) + (
        _("a tie, both roll again.")
        if outcome == TIE
        else _("side {outcome} chooses who acts first.").format(outcome=outcome.upper())
    )
    return Resolved(
        outcome, words, tuple(rolled), tuple(rolled[-2:]), max(a, b), tuple(modifiers),
        facts(a=a, b=b, reroll=outcome == TIE, chooses=None if outcome == TIE else outcome),
    )  # fmt: skip


def initiative_odds(content: HasReadings, data: InitiativeOfSides) -> TroopOdds:
    """Each side's odds; a tie is rolled again, which keeps the others in proportion."""
    _checked(data)
    more_a, more_b = _edge(data)
    found = {"a": Fraction(0), "b": Fraction(0), TIE: Fraction(0)}
    for a in (data.a,) if data.a is not None else range(1, 7):
        for b in (data.b,) if data.b is not None else range(1, 7):
            total_a, total_b = a + more_a, b + more_b
            found["a" if total_a > total_b else "b" if total_b > total_a else TIE] += 1
    if choice(content, "tied-initiative") == "reroll" and (found["a"] or found["b"]):
        del found[TIE]
    whole = sum(found.values())
    return in_order({side: share / whole for side, share in found.items()})


def _cards(data: Deck) -> list[str]:
    companies = data.companies
    names = (
        [_("Company {number}").format(number=number) for number in range(1, companies + 1)]
        if isinstance(companies, int)
        else companies
    )
    return [*names, *[_("Rally")] * data.with_rally, *[_("Artillery")] * data.with_artillery]


def card_deck(content: HasReadings, data: Deck, roller: Roller) -> Resolved:
    """The deck of a turn, shuffled: one card of those left is drawn blind until one is left. Outcome: the first card."""
    left, drawn, rolled = _cards(data), [], []
    count = len(left)
    while data.shuffle and len(left) > 1:
        fallen = roller.die(len(left), _("Which card comes next"))
        rolled.append(fallen)
        drawn.append(left.pop(fallen - 1))
    deck = drawn + left
    return Resolved(
        deck[0], _("{count} cards: {deck}.").format(count=count, deck=', '.join(deck)), tuple(rolled), tuple(rolled), count, (),
        facts(cards=count, deck=deck, shuffled=data.shuffle),
    )  # fmt: skip


def deck_odds(content: HasReadings, data: Deck) -> TroopOdds:
    """Every card is first equally often."""
    cards = _cards(data) if data.shuffle else _cards(data)[:1]
    return in_order({card: Fraction(count, len(cards)) for card, count in Counter(cards).items()})


def gap_allowed(traits: tuple[str, ...]) -> int:
    """How far the bases of a platoon may stand apart. Close order touches. Raises Refusal for traits that exclude each other."""
    if "close-order" in traits and "light-infantry" in traits:
        raise Refusal(
            _("Close order keeps its bases touching, Light infantry spreads them."), mend=_("Keep one."), code="input"
        )
    return 0 if "close-order" in traits else LIGHT_GAP if "light-infantry" in traits else BASE_GAP


def platoon_coherent(content: HasReadings, data: PlatoonCoherent, roller: Roller) -> Resolved:
    """Whether the bases of a platoon stand together. Outcomes: stranded, coherent."""
    most = gap_allowed(data.traits)
    stands = data.max_gap <= most
    words = "touching" if most == 0 else _('within {most}"').format(most=most)
    return Resolved(
        "coherent" if stands else STRANDED,
        _('Its bases must stand {words}: {max_gap:g}" is {words_2}.').format(
            words=words, max_gap=data.max_gap, words_2=_("near enough") if stands else _("too far, it is stranded")
        ),
        total=most,
        effects=facts(coherent=stands, stranded=not stands, most_inches=most),
    )


def in_command(content: HasReadings, data: InCommand, roller: Roller) -> Resolved:
    """Whether a platoon or team is near enough to its command base. Outcomes: stranded, in-command."""
    most = LIGHT_COMMAND if "light-infantry" in data.traits else COMMAND
    stands = data.independent or data.distance <= most
    words = (
        _("Independent: no command base to keep to.")
        if data.independent
        else _('{distance:g}" of {most}" to the command base: {words}.').format(
            distance=data.distance, most=most, words=_("in command") if stands else "stranded"
        )
    )
    return Resolved(
        "in-command" if stands else STRANDED, words, total=most,
        effects=facts(in_command=stands, stranded=not stands, most_inches=most),
    )  # fmt: skip


def coherency(content: HasReadings, data: Coherency, roller: Roller) -> Resolved:
    """Both together. Outcomes: stranded, in-command."""
    close = platoon_coherent(content, PlatoonCoherent(max_gap=data.max_gap, traits=data.traits), roller)
    near = in_command(
        content, InCommand(distance=data.distance, traits=data.traits, independent=data.independent), roller
    )
    stands = close.outcome != STRANDED and near.outcome != STRANDED
    words = f"{close.told} {near.told}"
    if not stands:
        words += _(" It may only move to fix this. If not, it stays and may fire at the closest enemy.")
    return Resolved(
        "in-command" if stands else STRANDED, words,
        effects=facts(
            coherent=close.outcome != STRANDED, in_command=near.outcome != STRANDED, stranded=not stands,
            reasons=[*(["gap"] if close.outcome == STRANDED else []), *([_("command distance")] if near.outcome == STRANDED else [])],
        ),
        steps=(close, near),
    )  # fmt: skip
