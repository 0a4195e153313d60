"""The page with the odds of one attack: attacker, weapon, target, the situation on the table, and exact chances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from django.core import signing
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import Battle, Side
from campaigns.pages.odds_fighters import (
    AHEAD,
    OddsGroup,
    PickedFighter,
    _chosen,
    _foe,
    _profiles,
    grouped,
    knows_odds,
    opponents_of,
)
from campaigns.pages.options import SelectOption
from campaigns.scenarios import scenario_name
from rules.formatting import signed
from rules.game import Game, GameContent
from rules.parts.attacks import AttacksPart
from rules.problems import Refusal
from rules.registry import systems
from rules.resolvers.odds import Odds
from rules.resolvers.situation import Arm, Situation, Toggle
from warbands.models import Fighter, Terms
from warbands.pages.widgets import Link

SALT = "odds"
BARS = {
    "failure": ("missed", gettext_lazy("Missed")),
    "no-effect": ("none", gettext_lazy("No effect")),
    "minor-hit": ("minor", gettext_lazy("Minor hit")),
    "down": ("down", gettext_lazy("Down")),
    "out-of-action": ("out", gettext_lazy("Out")),
}
MAX_SPENT = 4  # most markers in the table of chances by markers spent
MAX_SHARED = 6000  # maximum length of a signed shared situation


@dataclass(frozen=True, slots=True)
class Bar:
    outcome: str
    words: str
    percent: float
    figure: str


@dataclass(frozen=True, slots=True)
class Switch:
    toggle: Toggle
    value: int


@dataclass(frozen=True, slots=True)
class Spent:
    """The chances with a given number of markers spent on the target."""

    words: str
    out: str
    down: str


@dataclass(frozen=True, slots=True)
class NextAttack:
    """The select of one further attack of a sequence: its name in the URL, its label, and what may be chosen."""

    name: str
    label: str
    picks: tuple[SelectOption, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one attack, or the attacks so far, come to: the chance of Out, and of Down or Out."""

    who: str
    words: str
    out: str
    down: str
    href: str = ""


@dataclass(frozen=True, slots=True)
class OddsPage:
    """The page of odds. `empty` says what is missing if there is nothing to calculate, `problem` what could not be read.

    `chain` are the attacks of a sequence, each with all before it. `answers` are my fighters with their best attacks on
    the target, `series` links to attacks that a rule makes in one ACTION.
    """

    here: str
    mine: tuple[OddsGroup, ...] = ()
    arms: tuple[SelectOption, ...] = ()
    theirs: tuple[OddsGroup, ...] = ()
    switches: tuple[Switch, ...] = ()
    bars: tuple[Bar, ...] = ()
    spent: tuple[Spent, ...] = ()
    causes: tuple[str, ...] = ()
    mine_left: tuple[str, ...] = ()
    theirs_left: tuple[str, ...] = ()
    title: str = field(default_factory=lambda: _("Odds"))
    meta: str = ""
    empty: str = ""
    start: Link | None = None
    share_href: str = ""
    cribs: tuple[Link, ...] = ()
    nexts: tuple[NextAttack, ...] = ()
    chain: tuple[Answer, ...] = ()
    series: tuple[Link, ...] = ()
    answers: tuple[Answer, ...] = ()
    own: tuple[str, ...] = ()
    answers_href: str = ""
    terms_href: str = ""
    problem: str = ""


def odds_page(user: Any, data: Mapping[str, str], rows: list[Fighter], mine: PickedFighter | None) -> OddsPage:
    """Build the page from its query parameters and what `who_attacks` read. At most seven queries.

    Raises Http404 for a target that the user may not see.
    """
    here = reverse("odds-show")
    if mine is None or mine.terms is None:
        start = Link(_("Start a warband"), reverse("warband-found"))
        return OddsPage(here, empty=_("Start a warband first. The odds are for your fighters."), start=start)
    terms, wanted = mine.terms, mine.key
    attacks = terms.game.attacks
    arms = attacks.arms(terms.content, mine.force, mine.key) if attacks is not None else ()
    arm = next((each for each in arms if each.key == data.get("arm")), arms[0] if arms else None)
    opponents = opponents_of(user, terms)
    foes = (*grouped(opponents, ""), *_profiles(terms))
    foe_key = data.get("theirs", "") or _first(foes)
    foe = _foe(user, terms, foe_key, opponents) if foe_key else None
    page = OddsPage(
        here,
        mine=grouped(rows, wanted),
        arms=tuple(SelectOption(each.key, arm_words(each), each is arm) for each in arms),
        theirs=_chosen(foes, foe_key),
    )
    if attacks is None or arm is None or foe is None:
        return replace(page, empty=_("{mine} has nothing to attack with.").format(mine=mine.name))
    made = _with_odds(page, attacks, mine, arm, foe, _numbers(data), user)
    return _with_sequence(made, attacks, _Ask(terms, mine, foe, wanted, foe_key), arms, arm, data)


def _first(groups: Iterable[OddsGroup]) -> str:
    return next((pick.value for group in groups for pick in group.picks), "")


def _with_odds(
    page: OddsPage,
    attacks: AttacksPart[GameContent],
    mine: PickedFighter,
    arm: Arm,
    foe: PickedFighter,
    numbers: Mapping[str, int],
    user: Any,
) -> OddsPage:
    """Return the page with the chances of this attack, or the reason why they cannot be calculated."""
    terms = mine.terms
    assert terms is not None
    game, content = terms.game, terms.content
    situation = attacks.situation(content, (mine.force, mine.key), arm.key, (foe.force, foe.key), numbers)
    switches = tuple(Switch(each, _within(each, numbers.get(each.key, 0))) for each in situation.toggles)
    try:
        odds = game.resolvers.odds(content, situation.rule, situation.given)
    except Refusal as refusal:
        return replace(page, empty=str(refusal), switches=switches)
    outcomes = odds.outcomes
    title = _("{mine} against {foe}").format(mine=mine.name, foe=foe.name)
    meta = f"{arm_words(arm)} · {game.name} {terms.edition}"
    shared = {"g": terms.system, "e": terms.edition, "i": situation.given, "t": title, "m": meta}
    share = signing.dumps({**shared, "w": _thrown(switches), "c": situation.causes}, salt=SALT, compress=True)
    return replace(
        page,
        switches=switches,
        bars=bars(outcomes),
        own=_own(odds),
        spent=_spending(game, content, situation),
        causes=situation.causes,
        mine_left=tuple(words for whose, words in situation.unreckoned if whose == "mine"),
        theirs_left=tuple(words for whose, words in situation.unreckoned if whose == "theirs"),
        title=title,
        meta=meta,
        share_href=f"{page.here}?{urlencode({'shared': share})}" if len(share) < MAX_SHARED else "",
        cribs=cribs_of(user, terms),
    )


NEXTS = {
    "then1": gettext_lazy("Second attack"),
    "then2": gettext_lazy("Third attack"),
    "then3": gettext_lazy("Fourth attack"),
}
NOTED = {
    "charged": gettext_lazy("charging"),
    "off_hand": gettext_lazy("Off-Hand"),
}  # what a further attack may be marked with
# What is spent, or holds, only for the first attack of a sequence.
OF_THE_FIRST = frozenset({
    "blood_spent", "blessing_spent", "injury_blood_spent", "injury_blessing_spent", "bloodbath", "dice", "injury_dice", "charged",
    "diving_charge", "off_hand",
})  # fmt: skip
ON_ALL = ("cover", "long_range", "elevated", "defended_obstacle", "charged", "target_down", "target_blood")


@dataclass(frozen=True, slots=True)
class _Ask:
    """Who attacks whom, as the URL names them."""

    terms: Terms
    mine: PickedFighter
    foe: PickedFighter
    mine_key: str
    foe_key: str

    def href(self, **more: str) -> str:
        query = {"mine": self.mine_key, "theirs": self.foe_key, **more}
        return f"{reverse('odds-show')}?{urlencode(query)}"


def _with_sequence(
    page: OddsPage,
    attacks: AttacksPart[GameContent],
    ask: _Ask,
    arms: tuple[Arm, ...],
    arm: Arm,
    data: Mapping[str, str],
) -> OddsPage:
    """Return the page with further attacks after the first, and with all my fighters' best attacks where they are asked for."""
    content = ask.terms.content
    named = [data[name] for name in NEXTS if data.get(name)]
    known = {each.key: each for each in arms}
    found = replace(
        page,
        nexts=_nexts(arms, named),
        series=tuple(_series(attacks, ask, known)),
        answers_href=ask.href(arm=arm.key, answers="1"),
        terms_href=reverse("rule-show", args=[ask.terms.system, ask.terms.edition, "table", "table-only"]),
    )
    steps: list[tuple[str, Mapping[str, int]]] = [(arm.key, _numbers(data))]
    later = {name: count for name, count in _numbers(data).items() if name not in OF_THE_FIRST}
    for value in named:
        key, _sign, mark = value.partition("|")
        if key not in known or (mark and mark not in NOTED):
            return replace(found, problem=_("This fighter has no such attack. Choose another one."))
        steps.append((key, {**later, mark: 1} if mark else later))
    if data.get("answers") == "1":
        found = replace(found, answers=_answers(attacks, ask, _numbers(data)))
    if not named:
        return found
    try:
        odds = attacks.chain_odds(content, (ask.mine.force, ask.mine.key), steps, (ask.foe.force, ask.foe.key))
    except Refusal as refusal:
        return replace(found, problem=str(refusal))
    rows = [
        _answer(f"{place}.", _next_words(known[key], told), each.outcomes)
        for place, ((key, told), each) in enumerate(zip(steps, odds, strict=True), start=1)
    ]
    return replace(found, chain=tuple(rows))


def _next_words(arm: Arm, told: Mapping[str, int]) -> str:
    return ", ".join((arm_words(arm), *(str(words) for mark, words in NOTED.items() if told.get(mark))))


def _answer(who: str, words: str, outcomes: Mapping[str, Fraction], href: str = "") -> Answer:
    out, down = percent_of(outcomes, "out-of-action"), percent_of(outcomes, "down")
    return Answer(who, words, _percent(out), _percent(out + down), href)


def _nexts(arms: tuple[Arm, ...], named: list[str]) -> tuple[NextAttack, ...]:
    """Return the selects of further attacks: one more than are chosen."""
    ways = [(arm.key, arm_words(arm)) for arm in arms]
    ways += [
        (f"{arm.key}|{mark}", f"{arm_words(arm)}, {words}")
        for arm in arms
        for mark, words in NOTED.items()
        if arm.kind == "melee"
    ]
    nexts = []
    for place, (name, label) in enumerate(list(NEXTS.items())[: len(named) + 1]):
        value = named[place] if place < len(named) else ""
        picks = (
            SelectOption("", _("Nothing more"), not value),
            *(SelectOption(key, words, key == value) for key, words in ways),
        )
        nexts.append(NextAttack(name, str(label), picks))
    return tuple(nexts)


def _series(attacks: AttacksPart[GameContent], ask: _Ask, known: Mapping[str, Arm]) -> Iterator[Link]:
    for name, keys, off_hand in attacks.series(ask.terms.content, ask.mine.force, ask.mine.key):
        later = {then: f"{key}|off_hand" if off_hand else key for then, key in zip(NEXTS, keys[1:], strict=False)}
        words = ", ".join(known[key].name for key in keys)
        yield Link(f"{name}: {words}", ask.href(arm=keys[0], **later))


def _answers(attacks: AttacksPart[GameContent], ask: _Ask, numbers: Mapping[str, int]) -> tuple[Answer, ...]:
    """Return the best attack of each of my fighters on the target, best first: by the chance of Out, then of Down or Out."""
    content, force = ask.terms.content, ask.mine.force
    told = {name: numbers[name] for name in ON_ALL if name in numbers}
    best: list[tuple[Fraction, Fraction, Answer]] = []
    for fighter in force.fighters:
        ways = []
        for arm in attacks.arms(content, force, fighter.key) if fighter.active else ():
            plan = attacks.situation(content, (force, fighter.key), arm.key, (ask.foe.force, ask.foe.key), told)
            outcomes = ask.terms.game.resolvers.odds(content, plan.rule, plan.given).outcomes
            out, down = outcomes.get("out-of-action", Fraction(0)), outcomes.get("down", Fraction(0))
            href = ask.href(mine=fighter.key, arm=arm.key)
            ways.append((out, out + down, _answer(fighter.name, arm_words(arm), outcomes, href)))
        if ways:
            best.append(max(ways, key=lambda way: way[:2]))
    return tuple(answer for *_, answer in sorted(best, key=lambda way: way[:2], reverse=True))


def shared_page(shared: str) -> OddsPage:
    """Build the page of a shared link, without switches. Raises Http404 for a tampered link."""
    try:
        kept = signing.loads(shared[: MAX_SHARED + 1], salt=SALT)
        game = next(one for one in systems() if one.id == kept["g"])
        content = game.content(kept["e"])
        outcomes = game.resolvers.odds(content, "attack", kept["i"]).outcomes
    except (signing.BadSignature, StopIteration, KeyError, Refusal):
        raise Http404(_("No such situation.")) from None
    causes = (*(str(words) for words in kept["w"]), *(str(words) for words in kept["c"]))
    return OddsPage(reverse("odds-show"), title=kept["t"], meta=kept["m"], bars=bars(outcomes), causes=causes)


def bars(outcomes: Mapping[str, Fraction]) -> tuple[Bar, ...]:
    percents = ((outcome, str(words), percent_of(outcomes, key)) for key, (outcome, words) in BARS.items())
    return tuple(Bar(outcome, words, percent, _percent(percent)) for outcome, words, percent in percents)


def _own(odds: Odds) -> tuple[str, ...]:
    """Return the chance of each number of BLOOD MARKERS that the attacker gets or loses by the attack."""
    return tuple(
        _("{count} BLOOD MARKER on me: {chance}").format(count=signed(count), chance=_percent(float(chance) * 100))
        for count, chance in sorted(odds.own.items())
        if count and chance
    )


def percent_of(outcomes: Mapping[str, Fraction], outcome: str) -> float:
    return float(outcomes.get(outcome, Fraction(0))) * 100


def _percent(percent: float) -> str:
    return f"{percent:.1f} %"


def arm_words(arm: Arm) -> str:
    return f"{arm.name}, {arm.words}" if arm.words else arm.name


def _thrown(switches: Iterable[Switch]) -> list[str]:
    return [
        one.toggle.words if one.toggle.is_switch else f"{one.toggle.words}: {one.value}"
        for one in switches
        if one.value
    ]


def _numbers(data: Mapping[str, str]) -> dict[str, int]:
    """Parse the switches from the query parameters as whole numbers. Anything else counts as off."""
    found = {}
    for key, text in data.items():
        plain = text.strip()
        sign = -1 if plain[:1] in "-−" else 1
        digits = plain.lstrip("-−+")
        if digits.isascii() and digits.isdigit() and len(digits) < 4:
            found[key] = sign * int(digits)
        elif plain == "on":
            found[key] = 1
    return found


def _within(toggle: Toggle, value: int) -> int:
    return max(toggle.least, min(toggle.most, value))


def _spending(game: Game, content: GameContent, situation: Situation) -> tuple[Spent, ...]:
    """Return the chances for each number of markers spent on the target, then for a Bloodbath."""
    rows = [(str(count), {"injury_blood_spent": count, "bloodbath": False}) for count in range(MAX_SPENT + 1)]
    rows.append((_("Bloodbath"), {"injury_blood_spent": 0, "bloodbath": True}))
    spent = []
    for words, changes in rows:
        try:
            outcomes = game.resolvers.odds(content, situation.rule, _with(situation.given, changes)).outcomes
        except Refusal:
            continue
        out, down = percent_of(outcomes, "out-of-action"), percent_of(outcomes, "down")
        spent.append(Spent(words, _percent(out), _percent(out + down)))
    return tuple(spent)


def _with(given: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the resolver's input with changed spending. Of several attacks only the first gets the markers."""
    if "attacks" in given:
        first, *rest = given["attacks"]
        return {**given, "attacks": [{**first, **changes}, *rest]}
    return {**given, **changes}


def cribs_of(user: Any, terms: Terms) -> tuple[Link, ...]:
    """Return links to the cribs of battles of this game ahead that the user plays. One query."""
    sides = (
        Side.objects.live()
        .filter(
            battle__status__in=AHEAD[:2], battle__is_undone=False, seat__user=user, warband__terms__system=terms.system
        )
        .select_related("battle__campaign__terms")
        .order_by("battle_id")[:4]
    )
    return tuple(
        Link(
            _("Crib: {scenario}").format(scenario=scenario_name(side.battle))
            if scenario_name(side.battle)
            else _("Crib: the next battle"),
            f"{reverse('crib-print')}?battle={side.battle_id}",
        )
        for side in sides
        if draws_crib(side.battle)
    )


def draws_crib(battle: Battle) -> bool:
    """Return whether the battle's game supports a crib: it does if the odds of its attacks are known beforehand."""
    return knows_odds(battle.campaign.terms.game)
