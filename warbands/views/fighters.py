"""Views of one fighter: its page, name, note and position on the roster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_safe

from config.access import login_required
from config.htmx import render_page
from warbands.access import may
from warbands.forms import MoveForm, NameForm, NoteForm
from warbands.idempotency import new_token
from warbands.models import Fighter, Warband
from warbands.pages.cards import card_of
from warbands.pages.fighter import fighter_page
from warbands.pages.roster import read_roster
from warbands.pages.widgets import Link
from warbands.services.roster import move_fighter, note_fighter, rename_fighter
from warbands.views.acting import Notice, attempt, renewed, respond
from warbands.views.fetch import fighter_for, fresh_roster, present_row, row_of
from warbands.views.roster import warband_address


@login_required
@require_safe
def fighter_show(request: HttpRequest, pk: int) -> HttpResponse:
    warband, _ = fighter_for(request.user, pk, "read")
    acts = may(request.user, warband, "edit")
    roster = read_roster(warband, gone=True)
    row = row_of(roster, pk)
    if request.htmx and request.GET.get("part") == "keywords":
        card = card_of(roster, str(row.pk), acts=False, whole=True, links=False)
        context = {"meanings": card.glossary, "as_id": f"{card.key}_words", "opened": True}
        return render_page(request, "components/keywords_here.html", context)
    page = fighter_page(roster, row, acts=acts, whole_life=request.GET.get("life") == "all")
    return render_page(request, "warbands/fighter.html", {"page": page})


@login_required
@require_http_methods(["GET", "POST"])
def fighter_rename(request: HttpRequest, pk: int) -> HttpResponse:
    warband, row = _row(request, pk)
    form = NameForm(request.POST or None, initial=_initial(warband, name=row.name))
    return _small_act(
        request,
        warband,
        row,
        form,
        lambda: rename_fighter(fighter=row, name=form.cleaned_data["name"], actor=request.user, **form.once),
        title=f"Rename {row.name}",
        button="Rename",
    )


@login_required
@require_http_methods(["GET", "POST"])
def fighter_note(request: HttpRequest, pk: int) -> HttpResponse:
    warband, row = _row(request, pk)
    form = NoteForm(request.POST or None, initial=_initial(warband, notes=row.notes))
    return _small_act(
        request,
        warband,
        row,
        form,
        lambda: note_fighter(fighter=row, notes=form.cleaned_data["notes"], actor=request.user, **form.once),
        title=f"Note to {row.name}",
        button="Keep the note",
        words=["Those who act on the warband read it; a share link shows it only when told to."],
    )


@login_required
@require_http_methods(["GET", "POST"])
def fighter_move(request: HttpRequest, pk: int) -> HttpResponse:
    warband, row = _row(request, pk)
    form = MoveForm(request.POST or None, initial=_initial(warband, direction="up"))
    return _small_act(
        request,
        warband,
        row,
        form,
        lambda: move_fighter(
            fighter=row, direction=form.cleaned_data["direction"] or "up", actor=request.user, **form.once
        ),
        title=f"Move {row.name}",
        button="Move",
    )


def _row(request: HttpRequest, pk: int) -> tuple[Warband, Fighter]:
    warband, _ = fighter_for(request.user, pk, "edit")
    row = present_row(read_roster(warband), pk)
    row.warband = warband
    return warband, row


def _initial(warband: Warband, **values: Any) -> dict[str, Any]:
    return {"seen": warband.version, "token": new_token(), **values}


def _small_act(
    request: HttpRequest,
    warband: Warband,
    row: Fighter,
    form: Any,
    do: Callable[[], Any],
    *,
    title: str,
    button: str,
    words: Sequence[str] = (),
) -> HttpResponse:
    def show(notice: Notice | None, status: int) -> HttpResponse:
        version = fresh_roster(warband).warband.version if form.is_bound else warband.version
        context = {
            "title": title,
            "back": Link(warband.name, warband_address(warband.pk, row.pk)),
            "here": request.path,
            "words": words,
            "form": renewed(form, version) if form.is_bound else form,
            "button": button,
            "notice": notice,
        }
        return render_page(request, "warbands/act.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    tried = attempt(request, form, do)
    return respond(request, tried, show, onward=warband_address(warband.pk, row.pk))
