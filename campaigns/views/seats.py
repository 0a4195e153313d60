"""The views for joining, claiming, the list of players, one seat, and founding a warband for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import User
from campaigns.access import campaign_for, is_administrator, seat_for
from campaigns.models import Campaign, ContactNote, Seat
from campaigns.pages.formatting import closed_words
from campaigns.pages.joining import BROUGHT, FOUND, LATER, READY_MADE, seat_found_page, seat_ready_page
from campaigns.pages.players import players_page, seat_page
from campaigns.people_forms import (
    ContactNoteForm,
    JoinForm,
    NamedForm,
    OpeningForm,
    PersonForm,
    PlacesForm,
    SeatFoundForm,
    SeatReadyForm,
    UserForm,
    WordsForm,
)
from campaigns.questions import ask_about_leaving
from campaigns.services.contact_notes import add_contact_note, remove_contact_note
from campaigns.services.join import (
    accept_list,
    bring_warband,
    leave_seat,
    mark_away,
    mark_back,
    rename_seat,
    renew_claim_link,
    return_list,
    return_to_seat,
    submit_list,
)
from campaigns.services.open import add_administrator, remove_administrator, renew_invitation
from campaigns.services.opening_score import change_opening
from campaigns.services.places import add_seats
from campaigns.services.starting import found_for_seat, use_ready_for_seat
from campaigns.views.acting import respond, site_of
from campaigns.views.invitations import bring_address, own_warband
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.forms import ActForm
from warbands.idempotency import new_token
from warbands.models import Warband
from warbands.views.acting import Attempt, Notice, ask_first, attempt, tried_form
from warbands.views.fetch import whole_number

# --- everybody -------------------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def player_list(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the seats and administrators; add to both, and renew the invitation."""
    campaign = campaign_for(request.user, pk, to="administer")

    def show(notice: Notice | None, status: int) -> HttpResponse:
        page = players_page(campaign, site_of(request), page=whole_number(request, "page"))
        context = {
            "page": page,
            "closed_words": closed_words(campaign),
            "administrators": [(person, new_token()) for person in page.administrators],
            "notice": notice,
            "token": new_token(),
            "other_token": new_token(),
            "third_token": new_token(),
            "names": request.POST.get("names", "") if status == 422 else "",
            "username": request.POST.get("username", "") if status == 422 else "",
        }
        return render_page(request, "campaigns/players.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    tried = _people_act(request, campaign)
    gone = tried.done and not is_administrator(request.user, campaign)
    return respond(request, tried, show, onward=reverse("campaign-show" if gone else "player-list", args=[pk]))


def _people_act(request: HttpRequest, campaign: Campaign) -> Attempt:
    act, user = request.POST.get("act", ""), request.user
    form: Any = {"add": PlacesForm, "administrator": UserForm, "administrator-remove": PersonForm}.get(act, ActForm)(
        request.POST
    )

    def do() -> Any:
        once = {"actor": user, "token": form.cleaned_data["token"]}
        if act == "add":
            return add_seats(campaign=campaign, names=form.listed, **once)
        if act == "administrator":
            return add_administrator(campaign=campaign, user=_user(username=form.cleaned_data["username"]), **once)
        if act == "administrator-remove":
            return remove_administrator(campaign=campaign, user=_user(pk=form.cleaned_data["user"]), **once)
        if act == "invite":
            return renew_invitation(campaign=campaign, **once)
        raise Refusal(_("Choose something first."))

    return tried_form(request, form, do, beside=("names", "username"))


def _user(**by: Any) -> Any:
    if "username" in by:
        by = {"username__iexact": by["username"]}
    found = User.objects.with_account().filter(is_active=True, **by).first()
    if found is None:
        raise Refusal(_("No user with that name."), mend=_("Use the name they sign in with."), field="username")
    return found


# --- one seat ----------------------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def seat_show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one seat, and the actions on it, to its player and the administrators."""
    seat = seat_for(request.user, pk, to="act")
    administers = is_administrator(request.user, seat.campaign_id)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        fresh = seat_for(request.user, pk, to="act") if request.method == "POST" else seat
        page = seat_page(
            fresh, request.user, administers=administers, site=site_of(request), chosen=request.POST.get("bring", "")
        )
        context = {
            "page": page,
            "notice": notice,
            "tokens": [new_token() for _ in range(9)],
            "words": request.POST.get("words", ""),
        }
        return render_page(request, "campaigns/seat.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    act = request.POST.get("act", "")
    if act == "bring" and request.POST.get("bring") in (FOUND, READY_MADE, BROUGHT, LATER, ""):
        onward = bring_address(request.POST.get("bring", ""), pk)
        return redirect(onward) if onward else show(Notice("problem", _("Choose a warband.")), 422)
    asked = (
        ask_first(
            request,
            ask_about_leaving(seat),
            label=_("Leave the campaign") if seat.user_id == request.user.pk else _("End place"),
        )
        if act == "leave"
        else None
    )
    if act == "note-end":
        asked = ask_first(request, [_("The note is deleted. You can't undo this.")], label=_("Remove note"))
    tried = asked or _seat_act(request, seat, act, administers)
    left = tried.done and act == "leave" and not administers
    return respond(
        request,
        tried,
        show,
        onward=reverse("campaign-show", args=[seat.campaign_id]) if left else reverse("seat-show", args=[pk]),
    )


FOR_ADMINISTRATORS = ("accept", "return-list", "link", "return", "opening", "note", "note-end")


def _seat_act(request: HttpRequest, seat: Seat, act: str, administers: bool) -> Attempt:
    user = request.user
    forms = {
        "rename": NamedForm,
        "accept": WordsForm,
        "return-list": WordsForm,
        "bring": JoinForm,
        "opening": OpeningForm,
        "note": ContactNoteForm,
        "note-end": ContactNoteForm,
    }
    form: Any = forms.get(act, ActForm)(request.POST)
    plain: dict[str, Callable[..., Any]] = {
        "away": mark_away,
        "back": mark_back,
        "leave": leave_seat,
        "return": return_to_seat,
        "link": renew_claim_link,
        "submit": submit_list,
    }

    def do() -> Any:
        once = {"actor": user, "token": form.cleaned_data["token"]}
        if act in FOR_ADMINISTRATORS and not administers:
            raise Refusal(_("Only the campaign's administrators can do this."))
        if act in plain:
            return plain[act](seat=seat, **once)
        if act == "note":
            return add_contact_note(seat=seat, words=form.cleaned_data["note"], **once)
        if act == "note-end":
            note = ContactNote.objects.filter(seat=seat, pk=form.cleaned_data["row"]).first()
            return remove_contact_note(seat=seat, note=note, **once)
        if act == "rename":
            return rename_seat(seat=seat, name=form.cleaned_data["name"], **once)
        if act == "opening":
            return change_opening(seat=seat, score=form.score, **once)
        if act == "accept":
            return accept_list(seat=seat, words=form.cleaned_data["words"], **once)
        if act == "return-list":
            return return_list(seat=seat, words=form.cleaned_data["words"], **once)
        if act == "bring":
            return bring_warband(seat=seat, warband=own_warband(seat.user, form.cleaned_data["bring"]), **once)
        raise Refusal(_("Choose something first."))

    beside = {
        "rename": ("name",),
        "note": ("note",),
        "opening": tuple(OpeningForm.base_fields),
        "accept": ("words",),
        "return-list": ("words",),
    }
    return tried_form(request, form, do, beside=beside.get(act, ()))


@login_required
@require_http_methods(["GET", "POST"])
def seat_found(request: HttpRequest, pk: int) -> HttpResponse:
    """Start a warband for a seat in two steps, of which only the last one saves it; or take a ready one."""
    seat = seat_for(request.user, pk, to="act")
    if request.GET.get("way") == READY_MADE:
        return _seat_ready(request, seat)
    page = seat_found_page(seat, request.GET.get("list", ""), request.user)
    if page.step == 1:
        if request.method == "POST":
            raise Http404(_("Choose a list first."))
        return render_page(request, "campaigns/seat_found.html", {"page": page})
    form = SeatFoundForm(
        request.POST or None,
        asks=page.asks,
        patrons=page.patrons,
        called=page.called,
        initial={"token": new_token(), "name": page.suggested},
    )

    def show(notice: Notice | None, status: int) -> HttpResponse:
        if form.is_bound:
            form.data = form.data.copy()
            form.data["token"] = new_token()
        return render_page(
            request, "campaigns/seat_found.html", {"page": page, "form": form, "notice": notice}, status=status
        )

    if request.method != "POST":
        return show(None, 200)

    def do() -> Warband:
        assert page.chosen is not None
        return found_for_seat(
            seat=seat,
            actor=request.user,
            list_id=page.chosen.id,
            name=form.cleaned_data["name"],
            patron=form.cleaned_data.get("patron", ""),
            choices=form.chosen,
            token=form.cleaned_data["token"],
        )

    return _entered(request, seat, attempt(request, form, do), show)


def _seat_ready(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Show the ready warbands for a seat. A POST takes one for it."""

    def show(notice: Notice | None, status: int) -> HttpResponse:
        context = {"page": seat_ready_page(seat, request.user), "notice": notice, "token": new_token()}
        return render_page(request, "campaigns/seat_ready.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form = SeatReadyForm(request.POST)

    def do() -> Warband:
        return use_ready_for_seat(
            seat=seat,
            actor=request.user,
            sample_id=form.cleaned_data["sample"],
            token=form.cleaned_data["token"],
        )

    return _entered(request, seat, tried_form(request, form, do), show)


def _entered(
    request: HttpRequest, seat: Seat, tried: Attempt, show: Callable[[Notice | None, int], HttpResponse]
) -> HttpResponse:
    """Go to the warband that was started for a seat, or show the page again with the reason."""
    if not tried.done:
        return show(tried.notice, tried.status)
    said = _("{result} is created for {campaign}.").format(result=tried.result, campaign=seat.campaign)
    return respond(request, tried, show, onward=reverse("warband-show", args=[tried.result.pk]), said=said)
