"""The view where an administrator repairs a warband or its place in the standings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaigns.access import seat_for
from campaigns.forms import RepairForm
from campaigns.models import Seat
from campaigns.pages.repairs import repair_page
from campaigns.services.repairs import (
    bring_fighter_back,
    correct_standings,
    credit_battles,
    give_item,
    preview_put_back,
    put_back,
    repair_fighter,
    repair_finds,
    repair_money,
    repair_scars,
    repair_strength,
    take_item,
    top_up,
)
from campaigns.views.acting import respond
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.idempotency import new_token
from warbands.models import Fighter, Item
from warbands.parsing import read_number
from warbands.views.acting import Attempt, Notice, ask_first, tried_form

ACTS = frozenset(
    [
        "money",
        "fighter",
        "topup",
        "scar",
        "find",
        "strength",
        "return",
        "give",
        "take",
        "credit",
        "standings",
        "version",
    ]
)  # the forms of the page: a refused one keeps what was typed


TYPED = ("words", "ducats", "glory", "experience", "scars", "detail", "left", "count", "points")


@login_required
@require_http_methods(["GET", "POST"])
def seat_repair(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what can be repaired for a seat, and repair one thing. Putting a warband back lists first what that undoes."""
    seat = seat_for(request.user, pk, to="administer")

    def show(notice: Notice | None, status: int) -> HttpResponse:
        fresh = seat_for(request.user, pk, to="administer") if request.method == "POST" else seat
        context = {
            "page": repair_page(fresh),
            "notice": notice,
            "token": new_token,
            "refused": act if status == 422 and act in ACTS else "",
            "sent": {act: request.POST} if status == 422 and act in ACTS else {},
        }
        return render_page(request, "campaigns/repair.html", context, status=status)

    act = request.POST.get("act", "")
    if request.method != "POST":
        return show(None, 200)
    form = RepairForm(request.POST)
    asked = _asked(request, seat, form) if act == "version" and form.is_valid() else None
    tried = asked or tried_form(
        request, form, lambda: _repaired(seat, act, form.cleaned_data, request.user), beside=TYPED
    )
    return respond(request, tried, show, onward=reverse("seat-repair", args=[pk]))


def _asked(request: HttpRequest, seat: Seat, form: RepairForm) -> Attempt | None:
    try:
        found = preview_put_back(seat=seat, version=form.cleaned_data["version"] or 0, actor=request.user)
    except Refusal:
        return None  # the act itself says why
    lines = [_("This is undone: {told}").format(told=told) for told in found.undone]
    return ask_first(request, lines, label=_("Put it back"))


def _repaired(seat: Seat, act: str, sent: dict[str, Any], user: Any) -> Any:
    once = {"seat": seat, "actor": user, "words": sent["words"], "token": sent["token"]}
    acts: dict[str, Callable[[], Any]] = {
        "money": lambda: repair_money(ducats=sent["ducats"] or 0, glory=sent["glory"] or 0, **once),
        "fighter": lambda: repair_fighter(
            fighter=_row(Fighter, seat, sent["fighter"]), experience=sent["experience"], scars=sent["scars"], **once
        ),
        "topup": lambda: top_up(ducats=sent["ducats"] or 0, **once),
        "scar": lambda: repair_scars(
            fighter=_row(Fighter, seat, _bearer(sent)[0]),
            add=sent["add"],
            remove=_bearer(sent)[1],
            detail=sent["detail"],
            **once,
        ),
        "find": lambda: repair_finds(add=sent["add"], remove=sent["remove"], **once),
        "strength": lambda: repair_strength(
            fighter=_row(Fighter, seat, _bearer(sent)[0]), part=_bearer(sent)[1], left=sent["left"] or 0, **once
        ),
        "return": lambda: bring_fighter_back(fighter=_row(Fighter, seat, sent["fighter"]), **once),
        "give": lambda: give_item(item_id=sent["item_id"], **once),
        "take": lambda: take_item(item=_row(Item, seat, sent["item"]), **once),
        "credit": lambda: credit_battles(count=sent["count"] or 0, **once),
        "standings": lambda: correct_standings(points=sent["points"] or 0, **once),
        "version": lambda: put_back(version=sent["version"] or 0, **once),
    }
    if act not in acts:
        raise Refusal(_("Choose something first."))
    return acts[act]()


def _bearer(sent: dict[str, Any]) -> tuple[int | None, str]:
    """Return the fighter that was chosen together with one of its scars or parts: "12 t3", or "12 " for none of them."""
    key, _space, part = sent["remove"].partition(" ")
    return read_number(key), part.strip()


def _row(model: Any, seat: Seat, key: int | None) -> Any:
    found = model.objects.live().filter(pk=key, warband=seat.warband_id).first() if key and seat.warband_id else None
    if found is None:
        raise Refusal(_("That is no longer here."), mend=_("Reload the page."), code="gone")
    return found
