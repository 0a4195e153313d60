"""The drafts of a report: what waits, one draft beside what the table's log holds, and the page by which somebody sends one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.models import Battle, ReportDraft, Side
from campaigns.pages.report import ReportPage, report_page
from campaigns.pages.report_lines import data_lines, fighter_names
from campaigns.services.common import side_name
from warbands.pages.formatting import clock, day
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """One field of a report: its words in the draft, and in the table's log ("" if that does not know)."""

    label: str
    draft: str
    table: str
    differs: bool


@dataclass(frozen=True, slots=True)
class DraftPanel:
    """A draft above the form that it fills in. `unread` tells what could not be read of it."""

    pk: int
    told: str
    lines: tuple[ComparedLine, ...]
    has_table: bool
    unread: tuple[str, ...]
    refuse_href: str


def sender_words(draft: ReportDraft) -> str:
    """Return who sent a draft, and how. No queries if `by` is loaded."""
    if draft.code_number is None:
        return _("Read from a sheet that {by} brought.").format(by=draft.by or _("somebody"))
    if draft.by is None:
        return _("Sent with the code of its battle sheet, without an account.")
    return _("Sent by {by} with the code of its battle sheet.").format(by=draft.by)


def draft_panel(battle: Battle, sides: list[Side], draft: ReportDraft, logged: Mapping[str, Any] | None) -> DraftPanel:
    """Build the panel. One query. `logged` is the report that the table's log would make, None without one."""
    names = fighter_names(sides)
    mine = dict(data_lines(draft.data, battle, sides, names))
    theirs = dict(data_lines(logged, battle, sides, names)) if logged is not None else {}
    lines = tuple(
        ComparedLine(
            label, mine.get(label, ""), theirs.get(label, ""), bool(theirs) and mine.get(label) != theirs.get(label)
        )
        for label in dict.fromkeys((*mine, *theirs))
    )
    return DraftPanel(
        pk=draft.pk,
        told=f"{sender_words(draft)} {day(draft.sent_at)}, {clock(draft.sent_at)}.",
        lines=lines,
        has_table=bool(theirs),
        unread=tuple(draft.unread),
        refuse_href=reverse("report-draft-refuse", args=[battle.pk, draft.pk]),
    )


def code_report_page(side: Side, sides: list[Side], code: str, sent: Mapping[str, Any] | None) -> ReportPage:
    """Build the form behind the code of a side's battle sheet. Queries of `report_page`."""
    battle = side.battle
    page = report_page(battle, sides, side, mode="send", given={}, sent=sent)
    return replace(
        page,
        title=_("Report for {side}").format(side=side_name(side)),
        back=Link(_("Home"), "/"),
        here=reverse("report-by-code", args=[code]),
        told=_("This is sent as a draft. It counts once the player of {side} or an administrator accepts it.").format(
            side=side_name(side)
        ),
        button=_("Send the draft"),
        scenario_missing=False,
    )
