"""The site owner's pages of rules: what another state would change for every warband of a game on this site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db.models import Count, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import StateReport, StateReportRow
from campaigns.pages.booklet import PATIENCE, BookletProgress
from rules.registry import PACKAGES, system
from warbands.labels import edition_name
from warbands.models import Terms
from warbands.pages.formatting import day
from warbands.pages.paging import Pager, Slice, cut
from warbands.pages.states import StateChoice, WarbandReport, state_choices
from warbands.pages.widgets import Link, Tab

PER_PAGE = 20
MOST_PRINTED = 100
CHANGED = ("worse", "missing", "other", "broken")
Kind = StateReportRow.Kind


@dataclass(frozen=True, slots=True)
class StateReportLink:
    title: str
    meta: str
    href: str
    state: str


@dataclass(frozen=True, slots=True)
class SiteRulesPage:
    """The form of a new report, and the reports of the last week. `base` is the game and edition, as in game/1.0."""

    here: str
    base: str
    bases: tuple[tuple[str, str], ...]
    choices: tuple[StateChoice, ...]
    reports: tuple[StateReportLink, ...]


@dataclass(frozen=True, slots=True)
class StateReportSection:
    name: str
    place: str
    kind: str
    report: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SiteReportPage:
    title: str
    meta: str
    here: str
    back: Link
    task: BookletProgress | None
    is_at_work: bool
    tabs: tuple[Tab, ...]
    rows: tuple[StateReportSection, ...]
    pager: Pager | None
    same_words: str
    table_href: str
    print_href: str


def site_rules_page(base: str, chosen: list[str] | None) -> SiteRulesPage:
    """Build the page. One query. `chosen`: the ticked overlays, None for those of the newest official state."""
    bases = bases_of()
    base = base if base in dict(bases) else bases[0][0]
    game_id, _stroke, edition = base.partition("/")
    part = system(game_id).states
    assert part is not None
    wanted = list(part.newest(edition)) if chosen is None else chosen
    return SiteRulesPage(
        here=reverse("site-rules"),
        base=base,
        bases=bases,
        choices=state_choices(Terms(system=game_id, edition=edition), edition, wanted),
        reports=tuple(
            StateReportLink(
                title_of(each),
                _("{day}, {count}").format(day=day(each.asked_at), count=warbands_words(each.count)),
                reverse("site-rules-report", args=[each.pk]),
                each.get_status_display(),
            )
            for each in StateReport.objects.exclude(pk__in=StateReport.objects.over())
        ),
    )


def bases_of() -> tuple[tuple[str, str], ...]:
    """Return the editions with known states, as (value, name)."""
    return tuple(
        (f"{id_}/{edition}", edition_name(id_, edition))
        for id_ in PACKAGES
        if system(id_).states is not None
        for edition in system(id_).editions()
    )


def title_of(report: StateReport) -> str:
    """Return the state that a report is about."""
    name, part = edition_name(report.system, report.edition), system(report.system).states
    titles = {info.id: info.title for info in part.overlays(report.edition)} if part is not None else {}
    taken = ", ".join(titles.get(id_, id_) for id_ in report.overlays)
    return _("{edition} with {titles}").format(edition=name, titles=taken) if taken else name


def warbands_words(count: int) -> str:
    return ngettext("{count} warband", "{count} warbands", count).format(count=count)


def site_report_page(report: StateReport, kind: str, page: int) -> SiteReportPage:
    """Build the page. Three queries. `kind`: which warbands are listed, "" for those for which anything changes."""
    here = reverse("site-rules-report", args=[report.pk])
    every: QuerySet[StateReportRow] = StateReportRow.objects.filter(report=report)
    counted: Any = every.order_by().values_list("kind").annotate(count=Count("pk"))
    counts: dict[str, int] = dict(counted)
    same = counts.get("same", 0)
    kind = kind if kind in CHANGED else ""
    rows = every.filter(kind__in=(kind,) if kind else CHANGED)
    found: Slice[StateReportRow] = cut(rows, page, PER_PAGE, here, {"kind": kind} if kind else {})
    tabs = [("", _("All that changes"), sum(counts.get(each, 0) for each in CHANGED))]
    tabs += [(each, str(Kind(each).label), counts.get(each, 0)) for each in CHANGED]
    is_at_work = report.status in StateReport.AT_WORK and not report.is_silent
    return SiteReportPage(
        title=title_of(report),
        meta=_("Asked for by {user}, {day}. Kept for a week.").format(
            user=report.asked_by or _("a former site owner"), day=day(report.asked_at)
        ),
        here=here,
        back=Link(_("Rules"), reverse("site-rules")),
        task=report_progress(report),
        is_at_work=is_at_work,
        tabs=tuple(
            Tab(f"{words} ({count})", f"{here}?kind={key}" if key else here, current=key == kind)
            for key, words, count in tabs
            if count or not key
        ),
        rows=tuple(StateReportSection(row.data["name"], row.place, row.kind, row.data) for row in found.rows),
        pager=found.pager,
        same_words=_("Nothing changes for {count}.").format(count=warbands_words(same)) if same else "",
        table_href=f"{here}?as=csv",
        print_href=f"{here}?as=pdf&kind={kind}",
    )


@dataclass(frozen=True, slots=True)
class PrintedReport:
    """What the printed report says. The table (CSV) has all of it; paper has the first warbands."""

    edition_words: str
    now_words: str
    reports: tuple[WarbandReport, ...]
    same_words: str


def printed_report(report: StateReport, kind: str) -> PrintedReport:
    """Return the warbands of a report for paper. Two queries. `kind` as on the page."""
    kinds = (kind,) if kind in CHANGED else CHANGED
    rows = StateReportRow.objects.filter(report=report, kind__in=kinds)
    count = rows.count()
    left = _("The first {most} of {count}. The table (CSV) has them all.") if count > MOST_PRINTED else ""
    return PrintedReport(
        edition_words=edition_name(report.system, report.edition),
        now_words=_("{count} would change.").format(count=warbands_words(count)),
        reports=tuple(
            msgspec.convert(
                {**row.data, "name": f"{row.data['name']}, {row.place}" if row.place else row.data["name"]},
                WarbandReport,
            )
            for row in rows[:MOST_PRINTED]
        ),
        same_words=left.format(most=MOST_PRINTED, count=warbands_words(count)),
    )


def report_progress(report: StateReport) -> BookletProgress | None:
    """Return how far a report is; None once it is done. No queries."""
    here, state = reverse("site-rules-report", args=[report.pk]), str(report.status)
    warbands = warbands_words(report.count)
    if report.status == StateReport.Status.DONE:
        return None
    if report.is_silent:
        state = "failed"
        words = _("The worker hasn't answered for two minutes. It goes on once a worker runs again.")
    elif report.status == StateReport.Status.QUEUED:
        words = _("Queued: {warbands}.").format(warbands=warbands)
        if report.asked_at < timezone.now() - PATIENCE:
            words = _("Queued: {warbands}. Waiting for the worker.").format(warbands=warbands)
    elif report.status == StateReport.Status.RUNNING:
        words = _("{done} of {warbands} compared.").format(done=report.done, warbands=warbands)
    else:
        here, words = reverse("site-rules"), report.why
    return BookletProgress("report_progress", words, report.done, max(1, report.count), state, here)
