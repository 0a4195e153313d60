"""The views of states: what another state would change for a warband, moving it there, and the books in two states."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from config.access import login_required
from config.htmx import render_page
from rules.parts.states import FigureChange, WarbandChange
from rules.problems import Refusal
from warbands.access import warband_for
from warbands.forms import ActForm
from warbands.idempotency import new_token
from warbands.models import OverlayCopy, Terms, Warband
from warbands.pages.states import (
    NOTHING,
    Foretold,
    PartedReport,
    WarbandReport,
    grouped,
    parted,
    states_page,
    table_of,
)
from warbands.pages.widgets import Link
from warbands.printing import NOTICE, render_html, render_pdf
from warbands.services.house_overlays import file_of, house_infos
from warbands.services.states import change_state, foresee
from warbands.views.acting import Notice, attempt, respond

MOST_TAKEN = 40

Foreseen = Sequence[tuple[Warband, WarbandChange]]


class PrintedChanges(Protocol):
    """What the printed report reads of a page."""

    @property
    def edition_words(self) -> str: ...
    @property
    def now_words(self) -> str: ...
    @property
    def reports(self) -> Sequence[WarbandReport]: ...
    @property
    def same_words(self) -> str: ...


@dataclass(frozen=True, slots=True)
class StatesSheet:
    """The report of a move, for printing."""

    title: str
    page: PrintedChanges
    reports: Sequence[PartedReport]
    shared: Sequence[FigureChange]
    paper: str
    led_by: str
    stamp_words: str
    look: str = "plain"
    layout: str = "report"
    note_words: str = ""
    link_words: str = ""
    qr_svg: SafeString = mark_safe("")
    notice_words: str = field(default_factory=NOTICE.__str__)


@login_required
@require_http_methods(["GET", "POST"])
def warband_states(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what another state would change for a warband; who may act for it moves it there."""
    warband = warband_for(request.user, pk, to="edit")

    def move(overlays: list[str], edition: str, policy: str, token: str) -> Any:
        return change_state(
            warband=warband, overlays=overlays, edition=edition, policy=policy, actor=request.user, token=token
        )

    return answer_states(
        request,
        warband.terms,
        title=_("Rules of {name}").format(name=warband.name),
        back=Link(warband.name, reverse("warband-show", args=[pk])),
        here=reverse("warband-states", args=[pk]),
        may_move=True,
        look=lambda chosen, edition: foresee(warband.terms, [warband], chosen, edition),
        move=move,
        people=[person for person in (warband.owner_id, request.user.pk) if person is not None],
    )


def answer_states(
    request: HttpRequest,
    terms: Terms,
    *,
    title: str,
    back: Link,
    here: str,
    may_move: bool,
    look: Callable[[Sequence[str], str], Foreseen],
    move: Callable[[list[str], str, str, str], Any],
    people: Sequence[Any] = (),
    foretell: Callable[[Sequence[str], str], Foretold] = lambda _chosen, _edition: NOTHING,
) -> HttpResponse:
    """Answer the page of states of a warband or a campaign: look, print, move.

    `people`: whose house overlays are on offer, and may be read as the files that they are. `foretell`: what stops a
    move to these overlays and edition, and what else it changes.
    """
    if terms.game.states is None:
        raise Http404(_("No dated changes are known for this game."))
    sent = request.POST if request.method == "POST" else request.GET
    if request.method == "GET" and "file" in sent:
        return _file(terms, _asked_edition(terms, sent.get("edition", "")), sent["file"], people)
    chosen = sent.getlist("with")[:MOST_TAKEN] if "with" in sent or "look" in sent or sent is request.POST else None

    edition = _asked_edition(terms, sent.get("edition", ""))
    chosen = _of_edition(terms, edition, chosen)
    if sent.get("seen", edition) != edition and terms.game.states is not None:  # its own changes were not on the form
        chosen = list(terms.game.states.newest(edition))

    def show(notice: Notice | None, status: int) -> HttpResponse:
        changes, foretold = None, NOTHING
        if chosen is not None:
            try:
                changes, foretold = look(chosen, edition), foretell(chosen, edition)
            except Refusal as refusal:
                notice, status = notice or Notice("problem", refusal.message, refusal.mend), 422
        page = states_page(
            terms,
            edition,
            title=title,
            back=back,
            here=here,
            may_move=may_move,
            chosen=chosen,
            changes=changes,
            people=people,
            foretold=foretold,
        )
        if changes is not None and request.GET.get("as") == "csv":
            return _csv(title, changes)
        if changes is not None and request.GET.get("as") == "pdf":
            return states_pdf(request, title, page)
        context = {"page": page, "notice": notice, "token": new_token(), "policy": sent.get("policy", "keep")}
        return render_page(request, "warbands/states.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form = ActForm(request.POST)
    tried = attempt(
        request, form, lambda: move(chosen or [], edition, sent.get("policy", ""), form.cleaned_data["token"])
    )
    return respond(request, tried, show, onward=here)


def _file(terms: Terms, edition: str, overlay: str, people: Sequence[Any]) -> HttpResponse:
    """Send a house overlay that is on offer or played here. Any other raises 404."""
    if all(info.id != overlay for info in house_infos(terms, edition, people)):
        raise Http404(_("There is no such file here."))
    copy = OverlayCopy.objects.filter(system=terms.system, edition=edition, overlay=overlay, handed_in=True).first()
    return send_overlay(copy)


def send_overlay(copy: OverlayCopy | None) -> HttpResponse:
    """Send a handed-in file as it was. None raises 404."""
    if copy is None:
        raise Http404(_("There is no such file here."))
    name, text = file_of(copy)
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _asked_edition(terms: Terms, asked: str) -> str:
    return asked if asked in terms.game.editions() else terms.edition


def _of_edition(terms: Terms, edition: str, chosen: list[str] | None) -> list[str] | None:
    """Return the chosen overlays without those that only another edition has: its choices stand below it."""
    part = terms.game.states
    if chosen is None or part is None:
        return chosen
    mine = {info.id for info in part.overlays(edition)}
    others = {info.id for each in terms.game.editions() for info in part.overlays(each)} - mine
    return [id_ for id_ in chosen if id_ not in others]


def _csv(title: str, changes: Foreseen) -> HttpResponse:
    """Send the report as a table. A byte order mark tells spreadsheets that it is UTF-8."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(title) or "rules"}.csv"'
    response.write("\ufeff")
    csv.writer(response).writerows(table_of(changes))
    return response


def states_pdf(request: HttpRequest, title: str, page: PrintedChanges) -> HttpResponse:
    """Send a report as a PDF."""
    reports, shared = parted(page.reports)
    sheet = StatesSheet(
        title=title,
        page=page,
        reports=tuple(map(grouped, reports)),
        shared=shared,
        paper=request.user.paper_size,  # type: ignore[union-attr]
        led_by=request.user.get_username(),
        stamp_words=f"{page.edition_words}, {date_format(timezone.localdate(), 'j M Y')}",
    )
    response = HttpResponse(render_pdf(render_html(sheet, "print/states.html")), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{slugify(title) or "rules"}.pdf"'
    return response
