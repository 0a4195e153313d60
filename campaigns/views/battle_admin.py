"""The views with which administrators settle a battle later: settle the problems a side was mustered with, or void the battle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaigns.access import battle_for
from campaigns.forms import FlagForm, VoidForm
from campaigns.models import Battle
from campaigns.pages.battle_admin import flag_page, void_page
from campaigns.services.common import live_sides
from campaigns.services.illegal_rosters import settle_flag
from campaigns.services.void import preview_void, restore_battle, void_battle
from campaigns.views.acting import mark_of, respond
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.forms import ActForm
from warbands.idempotency import new_token
from warbands.recording import AlreadyDone
from warbands.views.acting import Notice, tried_form


@login_required
@require_http_methods(["GET", "POST"])
def flag_settle(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the problems with which each side was mustered and those that remain; accept them, or ask for a fix."""
    battle = battle_for(request.user, pk, to="administer")

    def show(notice: Notice | None, status: int) -> HttpResponse:
        page = flag_page(battle_for(request.user, pk, to="administer") if request.method == "POST" else battle)
        context = {
            "page": page,
            "notice": notice,
            "sides": [(side, new_token()) for side in page.sides],
        }
        return render_page(request, "campaigns/flags.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form = FlagForm(request.POST)

    def do() -> Any:
        side = next((each for each in live_sides(battle) if str(each.pk) == form.cleaned_data["side"]), None)
        if side is None:
            raise Refusal(_("That is not one of the sides."))
        side.battle = battle
        return settle_flag(
            side=side,
            way=form.cleaned_data["way"],
            words=form.cleaned_data["words"],
            actor=request.user,
            token=form.cleaned_data["token"],
        )

    tried = tried_form(request, form, do, beside=("words",))
    return respond(request, tried, show, onward=reverse("flag-settle", args=[pk]))


@dataclass(frozen=True, slots=True)
class Listed:
    """What voiding a battle undoes and what remains, shown before the battle is voided. `mark` proves that it was shown."""

    undone: tuple[str, ...]
    stands: tuple[str, ...]
    later: tuple[str, ...]
    unwinds: bool
    mark: str


def _listed(request: HttpRequest, battle: Battle, unwinds: bool) -> Listed | None:
    """Return what would remain or go besides, or None if nothing would or it was already shown.

    Refusals are left to the action itself.
    """
    try:
        found = preview_void(battle=battle, actor=request.user, unwinds=unwinds)
    except (Refusal, AlreadyDone):
        return None
    mark = mark_of([unwinds, found.stands, found.later])
    shown = not (found.stands or found.later) or request.POST.get("listed") == mark
    return None if shown else Listed(found.undone, found.stands, found.later, unwinds, mark)


@login_required
@require_http_methods(["GET", "POST"])
def battle_void(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the consequences of a battle, and void it; or bring a void battle back.

    The consequences that would remain, or later entries that would go, are listed first; a second press voids it.
    """
    battle = battle_for(request.user, pk, to="administer")

    def show(notice: Notice | None, status: int, listed: Listed | None = None) -> HttpResponse:
        fresh = battle_for(request.user, pk, to="administer") if request.method == "POST" else battle
        context = {
            "page": void_page(fresh),
            "notice": notice,
            "listed": listed,
            "token": new_token(),
            "words": request.POST.get("words", ""),
        }
        return render_page(request, "campaigns/void.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    if request.POST.get("act") == "restore":
        back = ActForm(request.POST)
        restored = tried_form(
            request,
            back,
            lambda: restore_battle(battle=battle, actor=request.user, token=back.cleaned_data["token"]),
        )
        return respond(request, restored, show, onward=reverse("battle-show", args=[pk]))
    form = VoidForm(request.POST)
    unwinds = request.POST.get("unwinds") == "1"
    if form.is_valid() and (listed := _listed(request, battle, unwinds)) is not None:
        return show(None, 200, listed)
    tried = tried_form(
        request,
        form,
        lambda: void_battle(
            battle=battle,
            actor=request.user,
            words=form.cleaned_data["words"],
            unwinds=unwinds,
            token=form.cleaned_data["token"],
        ),
        beside=("words",),
    )
    return respond(request, tried, show, onward=reverse("battle-show", args=[pk]))
