"""Views of one fighter: its page, name, note and position on the roster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from config.access import login_required
from config.htmx import render_page
from warbands.access import may, warband_for
from warbands.forms import ActForm, MoveForm, NameForm, NoteForm
from warbands.idempotency import new_token
from warbands.models import Fighter, Warband
from warbands.pages.fighter import fighter_page
from warbands.pages.roster import read_roster
from warbands.pages.widgets import Link
from warbands.services.names import give_another_name, name_all
from warbands.services.roster import move_fighter, note_fighter, rename_fighter
from warbands.views.acting import Notice, attempt, renewed, respond
from warbands.views.builder import show_panel
from warbands.views.fetch import fighter_for, fresh_roster, present_row, row_of
from warbands.views.roster import show_warband, warband_address


@login_required
@require_safe
def fighter_show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one fighter with its history, or (for htmx) the panel that opens in its block of the roster."""
    warband, _pk = fighter_for(request.user, pk, "read")
    acts = may(request.user, warband, "edit")
    if request.htmx and request.GET.get("part") == "panel":  # type: ignore[attr-defined]
        return show_panel(request, warband, pk, roster=read_roster(warband), acts=acts)
    roster = read_roster(warband, gone=True)
    row = row_of(roster, pk)
    page = fighter_page(roster, row, acts=acts, whole_life=request.GET.get("life") == "all")
    return render_page(request, "warbands/fighter.html", {"page": page})


@login_required
@require_http_methods(["GET", "POST"])
def fighter_rename(request: HttpRequest, pk: int) -> HttpResponse:
    """Rename a fighter where it stands: to what was typed, or to another name of its list."""
    warband, row = _row(request, pk)
    another = "another" in request.POST
    form: Any = (ActForm if another else NameForm)(request.POST or None, initial=_initial(warband, name=row.name))

    def rename() -> Fighter:
        if another:
            return give_another_name(fighter=row, actor=request.user, **form.once)
        return rename_fighter(fighter=row, name=form.cleaned_data["name"], actor=request.user, **form.once)

    title = _("Rename {name}").format(name=row.name)
    return _small_act(request, warband, row, form, rename, title=title, button=_("Save"), in_panel=True)


@login_required
@require_http_methods(["POST"])
def fighter_names(request: HttpRequest, pk: int) -> HttpResponse:
    """Name all fighters that are called like their profile."""
    warband = warband_for(request.user, pk, to="edit")
    form = ActForm(request.POST)
    tried = attempt(request, form, lambda: name_all(warband=warband, actor=request.user, **form.once))

    def show(notice: Notice | None, status: int) -> HttpResponse:
        return show_warband(request, fresh_roster(warband).warband, notice=notice, status=status)

    return respond(request, tried, show, onward=warband_address(pk))


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
        title=_("Note on {name}").format(name=row.name),
        button=_("Save note"),
        words=[_("Everyone who can change this warband can read it. A share link shows it only if you allow it.")],
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
        lambda: move_fighter(fighter=row, actor=request.user, **form.where, **form.once),
        title=_("Move {name}").format(name=row.name),
        button=_("Move"),
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
    in_panel: bool = False,
) -> HttpResponse:
    """Answer a small act of one fighter: a page with its form, and the roster with the fighter open once it is done.

    `in_panel`: htmx gets the fighter's panel, in which the form stands too.
    """

    def show(notice: Notice | None, status: int) -> HttpResponse:
        if in_panel and request.htmx:  # type: ignore[attr-defined]
            return show_panel(request, warband, row.pk, notice or _first_error(form), status)
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


def _first_error(form: Any) -> Notice | None:
    """Return the first error of a form that stands in the panel without room for errors; None if it has none."""
    errors = [str(error) for found in form.errors.values() for error in found]
    return Notice("problem", errors[0]) if errors else None
