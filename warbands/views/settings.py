"""Views that change a warband itself: name, patron, notes, who may act for its owner, and its end."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.guests import is_guest, keep_address
from config.access import login_required
from config.htmx import render_page
from warbands.access import warband_for
from warbands.founding_forms import ChangeForm, DelegateForm, EndForm, LendForm
from warbands.idempotency import new_token
from warbands.labels import word
from warbands.models import Delegate, ImportedFile, Warband
from warbands.pages.addresses import href_of
from warbands.pages.ending import end_page
from warbands.pages.roster import read_roster
from warbands.pages.rule_links import names_of
from warbands.pages.widgets import Link
from warbands.rights import may_act, refuse_act
from warbands.services.roster import (
    archive_warband,
    change_warband,
    disband_warband,
    restore_warband,
)
from warbands.services.sharing import add_delegate, lend_rights, remove_delegate
from warbands.views.acting import Notice, attempt, renewed, respond, tried_form


@login_required
@require_http_methods(["GET", "POST"])
def warband_change(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and change name, patron, notes and choices. The owner also chooses who may act for them."""
    warband = warband_for(request.user, pk, to="edit")
    if request.method != "POST":
        return _show(request, warband)
    if "username" in request.POST or "remove" in request.POST:
        refuse_act(request.user, warband, "delegate")
        return _delegate(request, warband)
    if "lends" in request.POST:
        refuse_act(request.user, warband, "lend")
        return _lend(request, warband)
    form = _change_form(warband, request.POST)

    def do() -> Any:
        values: dict[str, Any] = {"name": form.cleaned_data["name"], "notes": form.cleaned_data["notes"]}
        if "patron" in form.fields:
            values["patron"] = form.cleaned_data["patron"]
        if form.asks:
            values["choices"] = form.chosen
        return change_warband(warband=warband, actor=request.user, **values, **form.once)

    tried = attempt(request, form, do)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        return _show(request, warband, notice, status, form=form)

    return respond(request, tried, show, onward=reverse("warband-change", args=[pk]))


def _change_form(warband: Warband, data: Any = None) -> ChangeForm:
    chosen = names_of(warband.terms).lists.get(warband.list_id)
    kept = warband.state.get("choices", {}) if isinstance(warband.state, dict) else {}
    return ChangeForm(
        data,
        called=word(warband.terms, "warband_within", "warband"),
        patrons=chosen.patrons if chosen else (),
        asks=chosen.choices if chosen else (),
        strict=False,
        initial={
            "name": warband.name,
            "patron": warband.patron,
            "notes": warband.notes,
            "seen": warband.version,
            "token": new_token(),
            **{f"choice_{key}": value for key, value in kept.items()},
        },
    )


def _lend(request: HttpRequest, warband: Warband) -> HttpResponse:
    form = LendForm(request.POST)
    tried = attempt(
        request,
        form,
        lambda: lend_rights(warband=warband, lends=form.cleaned_data["lends"], actor=request.user, **form.once),
    )

    def show(notice: Notice | None, status: int) -> HttpResponse:
        return _show(request, warband, notice, status)

    return respond(request, tried, show, onward=reverse("warband-change", args=[warband.pk]))


def _delegate(request: HttpRequest, warband: Warband) -> HttpResponse:
    form = DelegateForm(request.POST)

    def do() -> Any:
        removed = form.cleaned_data["remove"]
        if removed:
            delegate = Delegate.objects.live().filter(pk=removed, warband=warband).select_related("user").first()
            return remove_delegate(warband=warband, delegate=delegate, actor=request.user, **form.once)
        return add_delegate(warband=warband, username=form.cleaned_data["username"], actor=request.user, **form.once)

    tried = tried_form(request, form, do)  # the form itself is further down the page

    def show(notice: Notice | None, status: int) -> HttpResponse:
        return _show(request, warband, notice, status, delegate=form)

    return respond(request, tried, show, onward=reverse("warband-change", args=[warband.pk]) + "#delegates")


def _show(
    request: HttpRequest,
    warband: Warband,
    notice: Notice | None = None,
    status: int = 200,
    *,
    form: Any = None,
    delegate: Any = None,
) -> HttpResponse:
    fresh = Warband.objects.select_related("terms", "owner").get(pk=warband.pk)
    own, guest = may_act(request.user, fresh, "delegate"), is_guest(request.user)
    delegates = list(Delegate.objects.live().filter(warband=fresh).select_related("user")) if own and not guest else []
    context = {
        "warband": fresh,
        "back": Link(fresh.name, reverse("warband-show", args=[fresh.pk])),
        "form": renewed(form, fresh.version) if form is not None else _change_form(fresh),
        "own": own and not guest,
        "keep_href": keep_address(reverse("warband-change", args=[fresh.pk])) if guest else "",
        "put_away": fresh.is_put_away,
        "may_disband": may_act(request.user, fresh, "disband"),
        "delegates": [(delegate, new_token()) for delegate in delegates],
        "delegate_form": _sent_or_new(DelegateForm, delegate, fresh),
        "lend_token": new_token(),
        "may_hand_over": not guest and not fresh.is_put_away and may_act(request.user, fresh, "hand-over"),
        "seen": fresh.version,
        "states_href": ""
        if fresh.is_put_away or fresh.terms.game.states is None
        else reverse("warband-states", args=[fresh.pk]),
        "again_href": reverse("warband-again", args=[fresh.pk]) if fresh.terms.game.text_import is not None else "",
        "imported": ImportedFile.objects.filter(warband=fresh).defer("data").first(),
        "notice": notice,
    }
    return render_page(request, "warbands/settings.html", context, status=status)


def _sent_or_new(kind: Any, sent: Any, warband: Warband) -> Any:
    if sent is not None:
        return renewed(sent, warband.version)
    return kind(initial={"seen": warband.version, "token": new_token()})


ENDS = {"disband": disband_warband, "archive": archive_warband, "restore": restore_warband}


@login_required
@require_http_methods(["GET", "POST"])
def warband_disband(request: HttpRequest, pk: int) -> HttpResponse:
    """Explain what disbanding and archiving mean, and do one of them; or restore the warband."""
    warband = warband_for(request.user, pk, to="edit")

    def show(notice: Notice | None, status: int) -> HttpResponse:
        roster = read_roster(Warband.objects.select_related("terms", "owner").get(pk=pk))
        page = end_page(
            roster,
            way=request.POST.get("way") or request.GET.get("way", ""),
            may_disband=may_act(request.user, roster.warband, "disband"),
        )
        form = EndForm(initial={"way": page.way, "seen": page.seen, "token": new_token()})
        context = {
            "title": page.title,
            "back": Link(warband.name, href_of("warband-show", pk)),
            "here": href_of("warband-disband", pk),
            "words": page.words,
            "form": form,
            "button": page.button,
            "danger": page.way == "disband",
            "notice": notice,
        }
        return render_page(request, "warbands/act.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form = EndForm(request.POST)

    def do() -> Any:
        return ENDS[form.cleaned_data["way"]](warband=warband, actor=request.user, **form.once)

    tried = attempt(request, form, do)
    back = form.cleaned_data.get("way") == "restore"
    return respond(request, tried, show, onward=href_of("warband-show", pk) if back else reverse("warband-list"))
