"""Reads what pairing a round needs to know: who can play in it, and what they have done so far."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Absence, Battle, Campaign, Challenge, PairingWish, Round, Seat, Side
from campaigns.pairing.model import Pair, Player, pair_of
from campaigns.services.rounds import too_far_ahead, weekday
from campaigns.standings import standings


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A player who is not paired now. `may_play` says whether an administrator may take them in all the same."""

    seat: Seat
    why: str
    may_play: bool
    is_away: bool = False


@dataclass(frozen=True, slots=True)
class PairingFacts:
    """Those who can be paired, those who cannot, and the agreed challenges. `notes` by seat: days away inside the round."""

    seats: dict[int, Seat]
    players: tuple[Player, ...]
    left_out: tuple[LeftOut, ...]
    challenges: frozenset[Pair]
    notes: dict[int, str]
    away: frozenset[int]  # of those who are paired, taken in by an administrator


class _Fought(NamedTuple):
    battle: int
    round: int | None
    number: int | None
    kind: str
    scenario: str
    seat: int


def read_facts(
    campaign: Campaign,
    *,
    round: Round | None,
    starts_on: date | None,
    ends_on: date | None,
    out: Collection[int] = (),
    taken_in: Collection[int] = (),
) -> PairingFacts:
    """Read the facts for a round. Seven queries, one more where players wait for others to catch up.

    `out` are seats that an administrator left out, `taken_in` those that play although they are away.
    """
    live = Seat.objects.live().filter(campaign=campaign).exclude(status=Seat.Status.LEFT)
    seats = {seat.pk: seat for seat in live.select_related("warband__terms").order_by("name", "pk")}
    fought = _fought(campaign)
    busy = {each.seat for each in fought if round is not None and each.round == round.pk}
    ahead, behind = too_far_ahead(campaign)
    away, notes = _absences(seats, starts_on or (round.starts_on if round else None), ends_on)
    left_out = []
    for seat in seats.values():
        why, may_play, is_away = _why_not(campaign, seat, seat.pk in busy, seat.pk in ahead, behind, away)
        if not why and seat.pk in out:
            why, may_play = _("Left out"), True
        if why and not (may_play and seat.pk in taken_in and seat.pk not in out):
            left_out.append(LeftOut(seat, why, may_play, is_away))
    gone = {each.seat.pk for each in left_out}
    playing = [seat for seat in seats.values() if seat.pk not in gone]
    return PairingFacts(
        seats=seats,
        players=_players(campaign, playing, fought),
        left_out=tuple(left_out),
        challenges=_agreed(campaign),
        notes=notes,
        away=frozenset(seat.pk for seat in playing if seat.status == Seat.Status.AWAY or seat.pk in away),
    )


def _why_not(
    campaign: Campaign, seat: Seat, is_busy: bool, is_ahead: bool, behind: list[str], away: dict[int, str]
) -> tuple[str, bool, bool]:
    """Return why a seat is not paired, "" if it is; whether it could be all the same; and whether its player is away."""
    if seat.warband is None:
        return _("No warband yet"), False, False
    terms = seat.warband.terms
    if (terms.system, terms.edition) != (campaign.terms.system, campaign.terms.edition):
        return _("Plays another edition"), False, False
    if is_busy:
        return _("Has a battle in this round"), False, False
    if is_ahead:
        return _("Waits for {names}").format(names=", ".join(behind[:3])), False, False
    if seat.status == Seat.Status.AWAY:
        return _("Away"), True, True
    return away.get(seat.pk, ""), True, seat.pk in away


def _absences(
    seats: Iterable[int], starts_on: date | None, ends_on: date | None
) -> tuple[dict[int, str], dict[int, str]]:
    """Return who is away for the whole round, and who for a part of it, each with words. One query.

    A round without dates is today.
    """
    first = starts_on or timezone.localdate()
    last = max(ends_on or first, first)
    away: dict[int, str] = {}
    partly: dict[int, str] = {}
    planned = Absence.objects.live().filter(
        seat__in=list(seats), is_over=False, starts_on__lte=last, ends_on__gte=first
    )
    for each in planned:
        words = _("Away {first} to {last}").format(first=weekday(each.starts_on), last=weekday(each.ends_on))
        covers = each.starts_on <= first and each.ends_on >= last
        (away if covers else partly)[each.seat_id] = words
    return away, {pk: words for pk, words in partly.items() if pk not in away}


def _fought(campaign: Campaign) -> list[_Fought]:
    """Return the sides of all battles that count as played or set up, byes included, oldest first. One query."""
    sides = (
        Side.objects.live()
        .filter(battle__campaign=campaign, battle__is_undone=False, seat__isnull=False)
        .exclude(battle__status__in=[Battle.Status.CANCELLED, Battle.Status.VOID])
        .order_by("battle_id", "pk")
    )
    names = ("battle_id", "battle__round_id", "battle__round__number", "battle__kind", "battle__scenario_id", "seat_id")
    return [_Fought(*row) for row in sides.values_list(*names)]


def _players(campaign: Campaign, seats: Collection[Seat], fought: list[_Fought]) -> tuple[Player, ...]:
    """Return the players of these seats. Three queries: two for the points, one for the wishes."""
    points = {row.seat.pk: row.points for row in standings(campaign)}
    tables: dict[int, list[_Fought]] = defaultdict(list)
    for each in fought:
        tables[each.battle].append(each)
    games, byes = Counter[int](), Counter[int]()
    met: dict[int, Counter[int]] = defaultdict(Counter)
    last: dict[int, frozenset[int]] = {}
    scenarios: dict[int, Counter[str]] = defaultdict(Counter)
    for rows in tables.values():
        keys = [row.seat for row in rows]
        if rows[0].kind == Battle.Kind.BYE:
            byes.update(keys)
            continue
        games.update(keys)
        for one, other in combinations(keys, 2):
            met[one][other] += 1
            met[other][one] += 1
        for key in keys:
            last[key] = frozenset(keys) - {key}
            if rows[0].scenario:
                scenarios[key][rows[0].scenario] += 1
    wants, avoids = _wishes(seats)
    return tuple(
        Player(
            key=seat.pk,
            name=seat.name,
            games=games[seat.pk] + seat.opening_games,
            byes=byes[seat.pk],
            score=points.get(seat.pk, 0),
            rating=seat.warband.rating_ducats if seat.warband is not None else 0,
            met=met[seat.pk],
            last=last.get(seat.pk, frozenset()),
            scenarios=scenarios[seat.pk],
            wants=frozenset(wants[seat.pk]),
            avoids=frozenset(avoids[seat.pk]),
        )
        for seat in seats
    )


def _wishes(seats: Collection[Seat]) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    wants: dict[int, set[int]] = defaultdict(set)
    avoids: dict[int, set[int]] = defaultdict(set)
    live = PairingWish.objects.live().filter(seat__in=[seat.pk for seat in seats], is_over=False)
    for one, other, kind in live.values_list("seat_id", "other_id", "kind"):
        (wants if kind == PairingWish.Kind.MEET else avoids)[one].add(other)
    return wants, avoids


def _agreed(campaign: Campaign) -> frozenset[Pair]:
    live = Challenge.objects.live().filter(campaign=campaign, status=Challenge.Status.ACCEPTED)
    return frozenset(pair_of(one, other) for one, other in live.values_list("seat_id", "other_id"))
