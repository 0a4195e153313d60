"""The sides of a battle for its pages: force, result, problems, and post-battle progress."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import AHEAD, REPORTED, Battle, Campaign, PostBattle, Side
from campaigns.services.common import live_sides, side_name
from warbands.labels import mark_of
from warbands.pages.formatting import clock, day
from warbands.pages.rule_links import names_of
from warbands.pages.widgets import Link, ProblemRow


@dataclass(frozen=True, slots=True)
class SideLine:
    pk: int
    name: str
    href: str
    player_words: str
    list_words: str
    mark: str
    role_words: str
    ready_words: str
    is_ready: bool
    result_words: str
    points: str
    number_words: str
    problems: tuple[ProblemRow, ...]
    since: tuple[ProblemRow, ...]  # problems that an attacker who mustered later caused
    settled_words: str
    settle_href: str
    after: Link | None
    after_words: str
    confirmed_words: str
    mine: bool


def read_sides(battle: Battle) -> list[Side]:
    """Read the sides of a battle with seat, warband, snapshot and sequence. Two queries."""
    sides = live_sides(battle)
    prefetch_related_objects(sides, Prefetch("post_battles", queryset=PostBattle.objects.live()))
    for side in sides:
        side.battle = battle
    return sides


def _list_words(side: Side) -> str:
    warband = side.warband
    return names_of(warband.terms).list_words(warband.list_id) if warband is not None else side.guest_keyword


def _after(battle: Battle, side: Side) -> Link:
    return Link(_("Post-battle"), reverse("post-battle-show", args=[battle.pk, side.warband_id]))


def side_line(battle: Battle, side: Side, user: Any, administers: bool) -> SideLine:
    """Return one side as this user sees it. No queries."""
    warband = side.warband
    sequence = next(iter(side.post_battles.all()), None)
    is_own = _is_own(side, user)
    is_open = is_own or administers or battle.campaign.rosters == Campaign.Rosters.OPEN
    problems = flags(side)
    may_settle = administers and battle.status not in (Battle.Status.VOID, Battle.Status.CANCELLED)
    return SideLine(
        pk=side.pk,
        name=side_name(side),
        href=reverse("warband-show", args=[warband.pk]) if warband is not None and is_open else "",
        player_words=_player_words(side),
        list_words=_list_words(side),
        mark=mark_of(warband) if warband is not None else "",
        role_words={True: _("attacks"), False: _("defends"), None: ""}[side.is_attacker],
        ready_words=_ready_words(battle, side),
        is_ready=side.ready_at is not None,
        result_words=side.get_result_display() if side.result else "",
        points=_points(side),
        number_words=str(side.number or ""),
        problems=problems,
        since=since_muster(side) if side.ready_at is not None else (),
        settled_words=settled_words(side) if problems else "",
        settle_href=reverse("flag-settle", args=[battle.pk]) if problems and may_settle else "",
        after=_after(battle, side) if sequence is not None and (is_own or administers) else None,
        after_words=_after_words(sequence) if battle.status != Battle.Status.VOID else "",
        confirmed_words=_confirmed_words(side) if battle.status in REPORTED else "",
        mine=is_own,
    )


def _is_own(side: Side, user: Any) -> bool:
    if side.is_guest or user.pk is None:
        return False
    return user.pk in (side.seat.user_id, side.warband.owner_id if side.warband is not None else None)


def _player_words(side: Side) -> str:
    if side.is_guest:
        return _("a guest")
    return "" if side_name(side) == side.seat.name else _("led by {seat}").format(seat=side.seat.name)


def _ready_words(battle: Battle, side: Side) -> str:
    if side.ready_at is not None:
        since = f"{day(side.ready_at)} {clock(side.ready_at)}"
        if side.snapshot is None:
            return _("ready since {moment}").format(moment=since)
        return _("ready since {moment}, v{version}").format(moment=since, version=side.snapshot.version)
    return _("not ready") if battle.status in AHEAD and not side.is_guest else ""


def _points(side: Side) -> str:
    if side.points is None:
        return ""
    return f"{side.points} + {side.campaign_points}" if side.campaign_points else str(side.points)


def _after_words(sequence: PostBattle | None) -> str:
    if sequence is None:
        return ""
    if sequence.closed_at:
        return _("finished")
    if not sequence.started_at:
        return _("not started")
    done = len(sequence.done)
    return ngettext("{count} step done", "{count} steps done", done).format(count=done)


def _confirmed_words(side: Side) -> str:
    if side.confirmed_at is None:
        return ""
    moment = f"{day(side.confirmed_at)} {clock(side.confirmed_at)}"
    is_other = side.confirmed_by is not None and not side.is_guest and side.confirmed_by_id != side.seat.user_id
    if is_other:
        return _("confirmed {moment} by {user}").format(moment=moment, user=side.confirmed_by)
    return _("confirmed {moment}").format(moment=moment)


def flags(side: Side) -> tuple[ProblemRow, ...]:
    """Return the problems that a side's roster had when it was frozen. No queries."""
    return _flags_of(side.snapshot.problems) if side.snapshot is not None else ()


def since_words(side: Side) -> str:
    """Return as text the problems that came up after a side mustered. No queries."""
    return " ".join(flag.sentence for flag in since_muster(side))


def since_muster(side: Side) -> tuple[ProblemRow, ...]:
    """Return the problems caused by an attacker who mustered after this side. No queries."""
    return _flags_of(side.force.get("since") or ())


def _flags_of(problems: Iterable[Mapping[str, Any]]) -> tuple[ProblemRow, ...]:
    return tuple(
        flag_of(*(str(problem.get(name, "")) for name in ("message", "mend", "source", "fighter")))
        for problem in problems
    )


def flag_of(message: str, mend: str, source: str, fighter: str, href: str = "") -> ProblemRow:
    """Return a problem for the page. It names the fighter only if the message does not already begin with the name."""
    named = "" if fighter and message.startswith(fighter) else fighter
    return ProblemRow(message, mend, source, href, named)


def settled_words(side: Side) -> str:
    """Return how the problems of a side were settled: "cleo let it stand, Sat 14 Nov 21:40: “…”"; "" if nobody settled them."""
    flag = side.force.get("flag")
    if not flag:
        return ""
    at = timezone.localtime(datetime.fromisoformat(flag["at"]))
    what = _("accepted the problems") if flag["way"] == "stands" else _("asked for a fix")
    return f"{flag['by']} {what}, {day(at)} {clock(at)}: “{flag['words']}”"
