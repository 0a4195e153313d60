"""The overview of a campaign: every warband with its figures in one table, sorted and filtered by the address; also as CSV."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Max, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaigns.models import AHEAD, REPORTED, Battle, Campaign, PostBattle, Report, Seat, Side
from campaigns.overview_rules import (
    BATTLES_BEHIND,
    RATING_AHEAD,
    RATING_BEHIND,
    UNSEEN_DAYS,
    Figures,
    Sign,
    signs,
)
from campaigns.pages.formatting import days_since
from campaigns.standings import SeatStanding, standings
from warbands.labels import has_shop
from warbands.models import EventSubject, Fighter
from warbands.pages.rule_links import names_of
from warbands.pages.widgets import Link

COLUMNS: tuple[tuple[str, Any], ...] = (
    ("warband", gettext_lazy("Warband")),
    ("player", gettext_lazy("Player")),
    ("faction", gettext_lazy("Faction")),
    ("points", gettext_lazy("Points")),
    ("rating", gettext_lazy("Value")),
    ("ducats", gettext_lazy("Ducats")),
    ("glory", gettext_lazy("Glory")),
    ("battles", gettext_lazy("Battles")),
    ("won", gettext_lazy("W")),
    ("drawn", gettext_lazy("D")),
    ("lost", gettext_lazy("L")),
    ("kills", gettext_lazy("Kills")),
    ("losses", gettext_lazy("Losses")),
    ("seen", gettext_lazy("Seen")),
    ("waits", gettext_lazy("To do")),
)
MONEY = ("ducats", "glory")
TEXT = ("warband", "player", "faction", "waits")
SHOWS = (
    ("", gettext_lazy("all")),
    ("behind", gettext_lazy("behind")),
    ("ahead", gettext_lazy("far ahead")),
    ("unseen", gettext_lazy("not seen recently")),
    ("waits", gettext_lazy("something to do")),
)
SIGNS: Mapping[str, tuple[Sign, ...]] = {"behind": ("battles", "poor"), "ahead": ("rich",), "unseen": ("unseen",)}


@dataclass(frozen=True, slots=True)
class OverviewRow:
    """One seat. `figures` by column, as numbers where they sort as numbers; `cells` as they are shown."""

    seat: int
    href: str
    figures: Mapping[str, Any]
    cells: tuple[tuple[str, str, bool], ...]  # key, text, whether it is a number
    signs: tuple[Sign, ...]
    marks: tuple[Link, ...]  # each sign in words, with its lever


@dataclass(frozen=True, slots=True)
class OverviewColumn:
    key: str
    label: str
    href: str
    order: str  # "ascending", "descending" or ""
    is_number: bool


@dataclass(frozen=True, slots=True)
class OverviewPage:
    here: str
    campaign: Link
    columns: tuple[OverviewColumn, ...]
    rows: tuple[OverviewRow, ...]
    count_words: str
    pk: int
    is_empty: bool  # no player is there, whatever is searched for
    search: str
    show: str
    shows: tuple[tuple[str, str], ...]
    sort: str
    rules: tuple[str, ...]
    csv_href: str


def overview_page(campaign: Campaign, *, sort: str = "", search: str = "", show: str = "") -> OverviewPage:
    """Build the page. Nine queries for any number of seats. `sort` is a column, with a minus for the other direction."""
    every = _rows(campaign)
    key = sort.lstrip("-")
    if key not in dict(columns_of(campaign)):
        sort = key = ""
    show = show if show in dict(SHOWS) else ""
    rows = _sorted(_shown(every, search, show), sort)
    here = reverse("campaign-overview", args=[campaign.pk])
    kept = {name: value for name, value in (("q", search), ("show", show)) if value}
    query = urlencode({**kept, **({"sort": sort} if sort else {})})
    return OverviewPage(
        here=here,
        campaign=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        columns=tuple(_column(name, str(label), sort, here, kept) for name, label in columns_of(campaign)),
        rows=tuple(rows),
        count_words=_("{shown} of {count}").format(shown=len(rows), count=len(every)),
        pk=campaign.pk,
        is_empty=not every,
        search=search,
        show=show,
        shows=tuple((name, str(label)) for name, label in SHOWS),
        sort=sort,
        rules=rules_words(),
        csv_href=reverse("overview-export", args=[campaign.pk]) + (f"?{query}" if query else ""),
    )


def columns_of(campaign: Campaign) -> tuple[tuple[str, Any], ...]:
    """Return the columns that the campaign's game has: no money where nothing is bought."""
    return COLUMNS if has_shop(campaign.terms) else tuple(column for column in COLUMNS if column[0] not in MONEY)


def rules_words() -> tuple[str, ...]:
    """Return the rules with their thresholds, one sentence each."""
    return (
        _("Behind: {count} battles fewer than the median player.").format(count=BATTLES_BEHIND),
        _("Behind: worth less than {percent} % of the median warband.").format(percent=RATING_BEHIND),
        _("Far ahead: worth more than {percent} % of the median warband.").format(percent=RATING_AHEAD),
        _("Not seen recently: not here for {days} days.").format(days=UNSEEN_DAYS),
    )


def table_of(page: OverviewPage) -> list[list[str]]:
    """Return the table as text: a heading and a row for each warband. Numbers are plain, texts harmless in a spreadsheet."""
    lines = [[column.label for column in page.columns]]
    for row in page.rows:
        told = {**{key: text for key, text, _ in row.cells}, "faction": row.figures["faction"]}
        lines.append([_plain(row.figures[key], text) for key, text in told.items()])
    return lines


def _plain(figure: Any, text: str) -> str:
    if isinstance(figure, datetime):
        return timezone.localtime(figure).date().isoformat()
    if isinstance(figure, int):
        return str(figure)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


# --- the table ----------------------------------------------------------------------------------------------------------------


def _rows(campaign: Campaign) -> list[OverviewRow]:
    placed = {row.seat.pk: row for row in standings(campaign)}
    live = Seat.objects.live().filter(campaign=campaign).exclude(status=Seat.Status.LEFT)
    seats = list(live.select_related("warband__terms", "user").order_by("pk"))
    warbands = [seat.warband_id for seat in seats if seat.warband_id]
    losses = Fighter.objects.live().filter(warband__in=warbands, status=Fighter.Status.DEAD).order_by()
    lost = dict(losses.values_list("warband").annotate(count=Count("pk")))
    kills = _kills(campaign)
    seen = _seen(seats, warbands)
    waits = _waits(campaign, seats)
    figures = [
        _figures(seat, placed.get(seat.pk), lost, kills, seen.get(seat.pk), waits.get(seat.pk, ())) for seat in seats
    ]
    compared = signs(
        [
            Figures(
                battles=each["battles"],
                rating=each["rating"],
                unseen_days=days_since(each["seen"]) if each["seen"] else None,
                has_player=seat.user_id is not None,
                has_warband=seat.warband_id is not None,
            )
            for seat, each in zip(seats, figures, strict=True)
        ]
    )
    return [
        OverviewRow(
            seat=seat.pk,
            href=reverse("warband-show", args=[seat.warband_id])
            if seat.warband_id
            else reverse("seat-show", args=[seat.pk]),
            figures=each,
            cells=tuple(
                (key, _shown_figure(key, each["list" if key == "faction" else key]), key not in TEXT)
                for key, _label in columns_of(campaign)
            ),
            signs=found,
            marks=tuple(_lever(seat, campaign, sign) for sign in found),
        )
        for seat, each, found in zip(seats, figures, compared, strict=True)
    ]


def _figures(
    seat: Seat,
    row: SeatStanding | None,
    lost: Mapping[int, int],
    kills: Mapping[int, int],
    seen: datetime | None,
    waits: Sequence[str],
) -> dict[str, Any]:
    warband = seat.warband
    return {
        "warband": warband.name if warband is not None else "",
        "player": seat.name,
        "faction": names_of(warband.terms).list_words(warband.list_id) if warband is not None else "",
        "list": names_of(warband.terms).list_name(warband.list_id) if warband is not None else "",
        "points": row.points if row is not None else 0,
        "rating": warband.rating_ducats if warband is not None else 0,
        "ducats": warband.strongbox_ducats if warband is not None else 0,
        "glory": warband.strongbox_glory if warband is not None else 0,
        "battles": row.games if row is not None else 0,
        "won": row.won if row is not None else 0,
        "drawn": row.drawn if row is not None else 0,
        "lost": row.lost if row is not None else 0,
        "kills": kills.get(seat.pk, 0),
        "losses": lost.get(seat.warband_id, 0) if seat.warband_id else 0,
        "seen": seen,
        "waits": ", ".join(waits),
    }


def _kills(campaign: Campaign) -> Counter[int]:
    """Return how many fighters each seat's side took out of action, by the reports in force. Two queries."""
    reports = Report.objects.live().filter(
        battle__campaign=campaign, battle__is_undone=False, battle__status__in=REPORTED, stands=True
    )
    newest: dict[int, Mapping[str, Any]] = dict(
        reports.order_by("battle_id", "number", "pk").values_list("battle_id", "data__out")
    )
    seats = dict(
        Side.objects.live().filter(battle__in=list(newest), seat__isnull=False).order_by().values_list("pk", "seat_id")
    )
    kills: Counter[int] = Counter()
    for out in newest.values():
        for fallen in (out or {}).values():
            kills.update(seats[int(by)] for by in fallen.values() if str(by).isdigit() and int(by) in seats)
    return kills


def _seen(seats: Iterable[Seat], warbands: Sequence[int]) -> dict[int, datetime]:
    """Return when each player was last seen: signed in, or acting on the warband. One query."""
    subjects = EventSubject.objects.filter(warband__in=warbands, event__actor__isnull=False).order_by()
    acted = {
        (warband, actor): at
        for warband, actor, at in subjects.values_list("warband", "event__actor").annotate(at=Max("event__at"))
    }
    found = {}
    for seat in seats:
        if seat.user is None:
            continue
        moments = [seat.user.last_login, acted.get((seat.warband_id, seat.user_id))]
        if known := [moment for moment in moments if moment is not None]:
            found[seat.pk] = max(known)
    return found


def _waits(campaign: Campaign, seats: Iterable[Seat]) -> dict[int, list[str]]:
    """Return what each seat has to do, in words. Two queries."""
    waits: dict[int, list[str]] = defaultdict(list)
    for seat in seats:
        if seat.warband is None:
            waits[seat.pk].append(_("warband missing"))
        elif seat.warband.problem_count:
            waits[seat.pk].append(_("roster problems"))
    open_sides = (
        Side.objects.live()
        .filter(battle__campaign=campaign, battle__is_undone=False, seat__isnull=False)
        .filter(Q(battle__status__in=AHEAD) | Q(battle__status=Battle.Status.REPORTED, confirmed_at=None))
        .order_by("battle_id")
    )
    counted: dict[int, Counter[str]] = defaultdict(Counter)
    for seat_id, status in open_sides.values_list("seat_id", "battle__status"):
        counted[seat_id]["confirm" if status == Battle.Status.REPORTED else "play"] += 1
    unfinished = PostBattle.objects.live().filter(
        side__battle__campaign=campaign,
        side__is_undone=False,
        side__battle__is_undone=False,
        side__battle__status__in=REPORTED,
        closed_at=None,
        warband__isnull=False,
    )
    for seat_id in unfinished.order_by().values_list("side__seat_id", flat=True):
        counted[seat_id]["post"] += 1
    for seat_id, kinds in counted.items():
        for kind in ("confirm", "post", "play"):
            if number := kinds[kind]:
                waits[seat_id].append(_wait_words(kind, number))
    return waits


def _wait_words(kind: str, count: int) -> str:
    if kind == "confirm":
        return ngettext("{count} report to confirm", "{count} reports to confirm", count).format(count=count)
    if kind == "post":
        return ngettext("{count} post-battle", "{count} post-battles", count).format(count=count)
    return ngettext("{count} battle to play", "{count} battles to play", count).format(count=count)


def _lever(seat: Seat, campaign: Campaign, sign: Sign) -> Link:
    """Return a sign in words that lead to what helps."""
    if sign == "battles":
        schedule = reverse("battle-schedule", args=[campaign.pk])
        return Link(_("Behind in battles: set one up"), f"{schedule}?{urlencode({'seat': seat.pk})}")
    if sign == "poor":
        return Link(_("Behind in value: top up"), reverse("seat-repair", args=[seat.pk]) + "#topup")
    if sign == "rich":
        pairing = reverse("round-pair", args=[campaign.pk])
        return Link(_("Far ahead: pair by value"), f"{pairing}?{urlencode({'rating': 9})}")
    days = reverse("challenge-list", args=[campaign.pk])
    return Link(_("Not seen: note days away"), f"{days}?{urlencode({'seat': seat.pk})}")


def _shown_figure(key: str, figure: Any) -> str:
    if key == "seen":
        if figure is None:
            return "–"
        days = days_since(figure)
        return _("today") if not days else ngettext("{count} day", "{count} days", days).format(count=days)
    return str(figure)


def _shown(rows: Iterable[OverviewRow], search: str, show: str) -> list[OverviewRow]:
    words = search.casefold().split()

    def matches(row: OverviewRow) -> bool:
        text = " ".join(str(row.figures[key]) for key in TEXT).casefold()
        if not all(word in text for word in words):
            return False
        if show == "waits":
            return bool(row.figures["waits"])
        return not show or bool(set(SIGNS[show]) & set(row.signs))

    return [row for row in rows if matches(row)]


def _sorted(rows: list[OverviewRow], sort: str) -> list[OverviewRow]:
    """Return the rows in order: texts from A, numbers from the largest; the other way round with a minus."""
    key = sort.lstrip("-") or "points"
    is_text = key in TEXT

    def value(row: OverviewRow) -> Any:
        figure = row.figures[key]
        if key == "seen":
            return figure.timestamp() if figure is not None else 0.0
        return figure.casefold() if is_text else figure

    by_name = sorted(rows, key=lambda row: row.figures["player"].casefold())
    return sorted(by_name, key=value, reverse=is_text == sort.startswith("-"))


def _column(name: str, label: str, sort: str, here: str, kept: Mapping[str, str]) -> OverviewColumn:
    is_text = name in TEXT
    is_sorted = sort.lstrip("-") == name or (not sort and name == "points")
    turned = is_sorted and not sort.startswith("-")
    order = ""
    if is_sorted:
        order = "ascending" if is_text == (not sort.startswith("-")) else "descending"
    query = urlencode({**kept, "sort": f"-{name}" if turned else name})
    return OverviewColumn(name, label, f"{here}?{query}", order, not is_text)
