"""The odds page of games in which units fight: my unit against yours, at which order and range, with exact chances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from django.core import signing
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.access import battle_for
from campaigns.models import Battle, Table
from campaigns.pages.odds import SALT, cribs_of
from campaigns.pages.odds_fighters import OddsGroup, PickedFighter, fighter_picked, grouped, opponents_of
from campaigns.pages.options import SelectOption
from campaigns.pages.tracker_cards import sides_shown
from campaigns.pages.unit_best import DISTANCE, unit_answers
from campaigns.services.common import live_sides
from campaigns.services.tracker import hands_of
from rules.force import Force
from rules.game import GameContent
from rules.parts.unit_attacks import BARE, MINE, THEIRS, Spread, UnitAsks, UnitAttacksPart, UnitOdds, UnitWay
from rules.problems import Refusal
from rules.tracker.state import TableFighter, TableState, read_state
from warbands.models import Fighter, Terms
from warbands.pages.widgets import Link

SAMPLE = "sample."
MAX_SHARED = 6000  # maximum length of a signed shared answer
SMALLEST = Fraction(1, 2000)
SHARED = "u"  # marks a shared answer of units


@dataclass(frozen=True, slots=True)
class UnitField:
    """A question of the form with its answer: a select if it has picks, a switch, or a number."""

    asks: UnitAsks
    value: str
    picks: tuple[SelectOption, ...] = ()


@dataclass(frozen=True, slots=True)
class SpreadRow:
    """One result with its chance. `least` is the chance of so many or more, "" where results are no numbers."""

    words: str
    percent: float
    figure: str
    least: str = ""


@dataclass(frozen=True, slots=True)
class SpreadTable:
    label: str
    rows: tuple[SpreadRow, ...]
    mean: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """What the attack comes to at each distance, under each order."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class UnitAnswerRow:
    who: str
    href: str
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class UnitOddsPage:
    """The page of units' odds. `empty` says what is missing if there is nothing to work out.

    `table` is the battle whose table stands behind the units, "" for rosters.
    """

    here: str
    table: str = ""
    mine: tuple[OddsGroup, ...] = ()
    ways: tuple[SelectOption, ...] = ()
    theirs: tuple[OddsGroup, ...] = ()
    fields: tuple[UnitField, ...] = ()
    title: str = field(default_factory=lambda: _("Odds"))
    meta: str = ""
    short: str = ""
    need: str = ""
    spreads: tuple[SpreadTable, ...] = ()
    chances: tuple[tuple[str, str], ...] = ()
    grid: Grid | None = None
    causes: tuple[str, ...] = ()
    mine_left: tuple[str, ...] = ()
    theirs_left: tuple[str, ...] = ()
    answers: tuple[UnitAnswerRow, ...] = ()
    answers_href: str = ""
    share_href: str = ""
    back: Link | None = None
    cribs: tuple[Link, ...] = ()
    empty: str = ""


@dataclass(frozen=True, slots=True)
class _Faced:
    """Two units on one table, and the units to choose from, each (key in the URL, key on the table, name)."""

    terms: Terms
    part: UnitAttacksPart[GameContent]
    table: TableState
    mine: str
    theirs: str
    query: Mapping[str, str]
    my_units: tuple[tuple[str, str, str], ...]

    @property
    def content(self) -> GameContent:
        return self.terms.content

    def href(self, **more: str) -> str:
        return f"{reverse('odds-show')}?{urlencode({**self.query, **more})}"


def unit_odds_page(user: Any, data: Mapping[str, str], rows: list[Fighter], mine: PickedFighter) -> UnitOddsPage:
    """Build the page of two units from rosters. At most nine queries more than for `rows` and `mine`.

    Raises Http404 for a unit that the user may not see.
    """
    terms = mine.terms
    assert terms is not None
    part = terms.game.unit_attacks
    assert part is not None
    opponents = opponents_of(user, terms)
    own = [row for row in rows if _same(row, terms)]
    samples = tuple(SelectOption(f"{SAMPLE}{key}", name) for key, name in part.samples(terms.content))
    foes = (*grouped(opponents, ""), *grouped(own, ""), OddsGroup(_("Samples"), samples))
    foe_key = data.get("theirs", "") or next((pick.value for group in foes for pick in group.picks), "")
    force, key = _target(user, terms, part, foe_key, [*opponents, *own])
    faced = _Faced(
        terms,
        part,
        part.facing(terms.content, mine.force, force),
        f"{MINE}:{mine.key}",
        f"{THEIRS}:{key}",
        {"mine": mine.key, "theirs": foe_key},
        (),
    )
    own_units = tuple((each.key.partition(":")[2], each.key, each.name) for each in faced.table.of(MINE))
    faced = replace(faced, my_units=own_units)
    page = UnitOddsPage(
        reverse("odds-show"),
        mine=grouped(rows, mine.key),
        theirs=tuple(
            replace(group, picks=tuple(replace(pick, chosen=pick.value == foe_key) for pick in group.picks))
            for group in foes
        ),
        cribs=cribs_of(user, terms),
    )
    return _with_odds(page, faced, data)


def table_odds_page(user: Any, data: Mapping[str, str]) -> UnitOddsPage:
    """Build the page of two units as they stand on the table of a battle. About twelve queries. Raises Http404, PermissionDenied."""
    number = data.get("table", "")
    if not (number.isascii() and number.isdigit() and len(number) < 12):
        raise Http404(_("Which battle?"))
    battle = battle_for(user, int(number), to="play")
    terms, row = battle.campaign.terms, Table.objects.filter(battle=battle).first()
    part = terms.game.unit_attacks
    if row is None or part is None:
        raise Http404(_("No units stand on a table there."))
    state, sides = read_state(row.state), live_sides(battle)
    hands = hands_of(user, battle, sides, state)
    return _of_table(battle, part, state, hands, sides_shown(battle, sides, hands), data)


def _first_of(units: Sequence[TableFighter], *wanted: str) -> str:
    """Return the first of the wanted keys that one of these units has, else the key of the first unit, "" if there is none."""
    keys = [each.key for each in units]
    return next((key for key in (*wanted, *keys) if key in keys), "")


def _of_table(
    battle: Battle,
    part: UnitAttacksPart[GameContent],
    state: TableState,
    hands: frozenset[str],
    shown: frozenset[str],
    data: Mapping[str, str],
) -> UnitOddsPage:
    """Return the page of two units of a table, whoever of them is the reader's: each may ask what threatens it."""
    terms = battle.campaign.terms
    there = [each for each in state.fighters if each.fights and each.side in shown]
    ordered = sorted(there, key=lambda each: each.side not in hands)
    mine = data.get("mine", "") or _first_of(ordered)
    known = {each.key: each for each in there}
    page = UnitOddsPage(
        reverse("odds-show"),
        table=str(battle.pk),
        back=Link(_("Table"), f"{reverse('battle-track', args=[battle.pk])}?{urlencode({'open': mine})}#f{mine}"),
        meta=_("As the table stands in turn {turn}").format(turn=state.turn),
    )
    if mine not in known:
        return replace(page, empty=_("This unit is not on the table."))
    foes = [each for each in there if each.side != known[mine].side]
    theirs = _first_of(foes, data.get("theirs", ""), str(known[mine].facts.get("aimed") or ""))
    page = replace(page, mine=_of_sides(state, ordered, mine), theirs=_of_sides(state, foes, theirs) if theirs else ())
    if not theirs:
        return replace(page, empty=_("No enemy unit stands on the table."))
    side = known[mine].side
    own = tuple((each.key, each.key, each.name) for each in there if each.side == side)
    query = {"table": str(battle.pk), "mine": mine, "theirs": theirs}
    return _with_odds(page, _Faced(terms, part, state, mine, theirs, query, own), data)


def _of_sides(state: TableState, units: Iterable[Any], chosen: str) -> tuple[OddsGroup, ...]:
    found: dict[str, list[SelectOption]] = {}
    for unit in units:
        found.setdefault(unit.side, []).append(SelectOption(unit.key, unit.name, unit.key == chosen))
    return tuple(OddsGroup(state.side(side).name, tuple(picks)) for side, picks in found.items())


def _same(row: Fighter, terms: Terms) -> bool:
    other = row.warband.terms
    return (other.system, other.edition) == (terms.system, terms.edition)


def _target(
    user: Any, terms: Terms, part: UnitAttacksPart[GameContent], wanted: str, known: Iterable[Fighter]
) -> tuple[Force, str]:
    """Return the force and key of the target: a unit that the user may see, or a sample. Raises Http404."""
    if wanted.startswith(SAMPLE):
        try:
            return part.bare_force(terms.content, wanted.removeprefix(SAMPLE)), BARE
        except KeyError:
            raise Http404(_("No such unit.")) from None
    found = fighter_picked(user, wanted, known)
    if found.terms is None or (found.terms.system, found.terms.edition) != (terms.system, terms.edition):
        raise Http404(_("This unit plays another game."))
    return found.force, found.key


def _with_odds(page: UnitOddsPage, faced: _Faced, data: Mapping[str, str]) -> UnitOddsPage:
    """Return the page with the exact chances of this attack, or the reason why there are none."""
    part, content, table = faced.part, faced.content, faced.table
    try:
        ways = part.ways(content, table, faced.mine, faced.theirs)
    except Refusal:
        return replace(page, empty=_("Nothing is left of one of these units."))
    way = next((each for each in ways if each.key == data.get("way")), ways[0] if ways else None)
    mine, theirs = table.fighter(faced.mine), table.fighter(faced.theirs)
    page = replace(page, ways=tuple(SelectOption(each.key, each.name, each is way) for each in ways))
    if way is None:
        words = _("{mine} has no attack that hurts {theirs}.").format(mine=mine.name, theirs=theirs.name)
        return _answered(replace(page, empty=words), faced, data)
    asks = part.asks(content, table, faced.mine, faced.theirs, way.key)
    page = replace(page, fields=tuple(_field(each, data) for each in asks))
    try:
        odds = part.odds(content, table, faced.mine, faced.theirs, way.key, data)
    except Refusal as refusal:
        return _answered(replace(page, empty=str(refusal)), faced, data)
    armour = part.armour(content, table, faced.theirs)
    found = replace(
        page,
        title=_("{way}: {mine} against {theirs}").format(way=way.name, mine=mine.name, theirs=theirs.name),
        meta=" · ".join(filter(None, (page.meta, armour, faced.terms.game.name))),
        short=odds.short[:1].upper() + odds.short[1:],
        need=odds.need,
        spreads=tuple(_spread(each) for each in odds.spreads),
        chances=tuple((words, _figure(share)) for words, share in odds.chances),
        grid=_grid(faced, way, asks, data),
        causes=odds.causes,
        mine_left=tuple(words for whose, words in odds.unreckoned if whose == MINE),
        theirs_left=tuple(words for whose, words in odds.unreckoned if whose == THEIRS),
    )
    found = replace(found, share_href=_share(found, asks, data))
    return _answered(found, faced, data)


def _field(asks: UnitAsks, data: Mapping[str, str]) -> UnitField:
    value = asks.answer(data)
    return UnitField(asks, value, tuple(SelectOption(key, words, key == value) for key, words in asks.options))


def _spread(spread: Spread) -> SpreadTable:
    rows = tuple(
        SpreadRow(
            name,
            float(share) * 100,
            _figure(share),
            _figure(spread.at_least(int(name))) if spread.is_count and name != "0" else "",
        )
        for name, share in spread.shares
        if share or not spread.is_count
    )
    return SpreadTable(spread.label, rows, f"{float(spread.mean):.2f}" if spread.is_count else "")


def _figure(share: Fraction) -> str:
    """Return a chance in per cent. One that is too small to show is not shown as none."""
    return _("under 0.1 %") if 0 < share < SMALLEST else f"{float(share) * 100:.1f} %"


def _grid(faced: _Faced, way: UnitWay, asks: tuple[UnitAsks, ...], data: Mapping[str, str]) -> Grid | None:
    """Return the lead figure of this way at every distance under every order, with all other answers as they are."""
    known = {each.key: each for each in asks}
    if not way.across or DISTANCE not in known:
        return None
    across = known[way.across]
    rows = []
    for stop, label in known[DISTANCE].options:
        cells = tuple(
            _lead(faced, way, {**data, DISTANCE: stop, way.across: value}) for value, _words in across.options
        )
        rows.append((label, cells))
    return Grid(tuple(words for _value, words in across.options), tuple(rows))


def _lead(faced: _Faced, way: UnitWay, told: Mapping[str, str]) -> str:
    try:
        odds: UnitOdds = faced.part.odds(faced.content, faced.table, faced.mine, faced.theirs, way.key, told)
    except Refusal:
        return "–"
    return odds.lead


def _answered(page: UnitOddsPage, faced: _Faced, data: Mapping[str, str]) -> UnitOddsPage:
    """Return the page with all my units' attacks on the target, where they are asked for."""
    if data.get("answers") != "1":
        return replace(page, answers_href=faced.href(answers="1"))
    named = {key: (sent, name) for sent, key, name in faced.my_units}
    answers = unit_answers(faced.part, faced.content, faced.table, named, faced.theirs)
    rows = tuple(
        UnitAnswerRow(
            named[answer.unit][1],
            faced.href(
                mine=named[answer.unit][0], way=answer.way, **({DISTANCE: answer.distance} if answer.distance else {})
            ),
            answer.lines,
        )
        for answer in answers
    )
    return replace(page, answers=rows)


def _share(page: UnitOddsPage, asks: tuple[UnitAsks, ...], data: Mapping[str, str]) -> str:
    """Return a link to this answer, which shows it to anybody. "" if it is too long for a link."""
    told = [words for each in asks if (words := _told(each, data))]
    kept = {
        SHARED: 1, "t": page.title, "m": page.meta, "s": page.short, "n": page.need, "c": [*told, *page.causes],
        "d": [(each.label, each.mean, [(row.words, round(row.percent, 2), row.figure, row.least) for row in each.rows]) for each in page.spreads],
        "x": page.chances, "l": [page.mine_left, page.theirs_left],
    }  # fmt: skip
    share = signing.dumps(kept, salt=SALT, compress=True)
    return f"{page.here}?{urlencode({'shared': share})}" if len(share) < MAX_SHARED else ""


def _told(asks: UnitAsks, data: Mapping[str, str]) -> str:
    """Return an answer in words, "" for the usual one of a switch or number."""
    value = asks.answer(data)
    if asks.options:
        return f"{asks.label}: {dict(asks.options).get(value, value)}"
    if value == asks.usual and value == "0":
        return ""
    return asks.label if asks.is_switch and value == "1" else f"{asks.label}: {value}" if value != asks.usual else ""


def shared_unit_page(shared: str) -> UnitOddsPage | None:
    """Build the page of a shared answer, None if the link is none of units. Raises Http404 for a tampered link."""
    try:
        kept = signing.loads(shared[: MAX_SHARED + 1], salt=SALT)
    except signing.BadSignature:
        raise Http404(_("No such situation.")) from None
    if SHARED not in kept:
        return None
    return UnitOddsPage(
        reverse("odds-show"),
        title=kept["t"],
        meta=kept["m"],
        short=kept["s"],
        need=kept["n"],
        causes=tuple(kept["c"]),
        spreads=tuple(
            SpreadTable(label, tuple(SpreadRow(w, by, f, least) for w, by, f, least in rows), mean)
            for label, mean, rows in kept["d"]
        ),
        chances=tuple((words, figure) for words, figure in kept["x"]),
        mine_left=tuple(kept["l"][0]),
        theirs_left=tuple(kept["l"][1]),
    )
