"""The views of all rounds, of one round, and for scheduling battles."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.access import campaign_for, is_administrator, seat_of
from campaigns.forms import RoundForm, ScheduleForm
from campaigns.models import Campaign, Round, Seat
from campaigns.pages.formatting import closed_words
from campaigns.pages.rounds import GuestRow, guest_rows, round_page, rounds_page, schedule_page
from campaigns.questions import ask_about_round, ask_about_schedule
from campaigns.services.rounds import change_round, close_round, give_bye, open_round, reopen_round, schedule_battle
from campaigns.views.acting import add_success_message, respond
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.idempotency import new_token
from warbands.parsing import read_number
from warbands.views.acting import Attempt, Notice, ask_first, tried_form
from warbands.views.fetch import whole_number


@login_required
@require_http_methods(["GET", "POST"])
def round_arrange(request: HttpRequest, pk: int) -> HttpResponse:
    """Show all rounds; open, move, close and reopen them."""
    campaign = campaign_for(request.user, pk, to="administer")

    def show(notice: Notice | None, status: int) -> HttpResponse:
        page = rounds_page(campaign, page=whole_number(request, "page"))
        context = {
            "page": page,
            "rounds": [(line, new_token()) for line in page.rounds],
            "closed_words": closed_words(campaign),
            "notice": notice,
            "token": new_token(),
            "today": timezone.localdate().isoformat(),
        }
        return render_page(request, "campaigns/rounds.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form = RoundForm(request.POST)
    act = request.POST.get("act", "")

    def do() -> Any:
        once = {"actor": request.user, "token": form.cleaned_data["token"]}
        days = {"starts_on": form.cleaned_data["starts_on"], "ends_on": form.cleaned_data["ends_on"]}
        if act == "open":
            return open_round(campaign=campaign, **days, **once)
        found = _round(campaign, request.POST.get("round", ""))
        if act == "move":
            return change_round(round=found, **days, **once)
        if act == "close":
            return close_round(round=found, **once)
        if act == "reopen":
            return reopen_round(round=found, **once)
        raise Refusal(_("Choose something first."))

    asked = None
    if act in ("open", "move") and form.is_valid():
        days = (form.cleaned_data["starts_on"], form.cleaned_data["ends_on"])
        asked = ask_first(request, ask_about_round(*days), label=_("Open round") if act == "open" else _("Save dates"))
    tried = asked or tried_form(request, form, do, beside=("starts_on", "ends_on"))
    return respond(request, tried, show, onward=reverse("round-arrange", args=[pk]))


def _round(campaign: Campaign, number: str) -> Round:
    wanted = read_number(number)
    found = Round.objects.live().filter(campaign=campaign, number=wanted).select_related("campaign").first()
    if found is None:
        raise Refusal(_("There is no such round."))
    return found


@login_required
@require_safe
def round_show(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    campaign = campaign_for(request.user, pk)
    found = Round.objects.live().filter(campaign=campaign, number=number).first()
    if found is None:
        raise Http404(_("No such round."))
    plays = is_administrator(request.user, campaign) or seat_of(request.user, campaign) is not None
    page = round_page(campaign, found, plays=plays, page=whole_number(request, "page"))
    return render_page(request, "campaigns/round.html", {"page": page})


@login_required
@require_http_methods(["GET", "POST"])
def battle_schedule(request: HttpRequest, pk: int) -> HttpResponse:
    """Schedule a battle between two or more seats, or against a guest; an administrator may also give a bye."""
    campaign = campaign_for(request.user, pk, to="play")
    administers = is_administrator(request.user, campaign)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        sent = request.POST if request.method == "POST" else request.GET
        number = sent.get("round")
        page = schedule_page(
            campaign,
            request.user,
            administers=administers,
            chosen=sent.getlist("seat"),
            page=read_number(sent.get("page", "")) or 1,
        )
        unsent = ScheduleForm(initial={"planned_for": sent.get("planned_for", "")})
        context = {
            "page": page,
            "notice": notice,
            "token": new_token(),
            "form": ScheduleForm(sent) if request.method == "POST" else unsent,
            "guests": _guests(sent),
            "round_number": page.round_number if number is None else number,
            "checked": notice.checked if notice is not None else "",
        }
        return render_page(request, "campaigns/schedule.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    if "turn" in request.POST:
        return redirect(_turned(request.path, request.POST))
    form = ScheduleForm(request.POST)

    def chosen() -> tuple[Round | None, list[Seat]]:
        found = _round(campaign, form.cleaned_data["round"]) if form.cleaned_data["round"] else None
        return found, _chosen_seats(request, campaign, administers=administers)

    def ask() -> Attempt | None:
        if not form.is_valid() or request.POST.get("act") == "bye":
            return None
        try:
            found, seats = chosen()
        except Refusal:
            return None  # the service raises this Refusal again
        day = form.cleaned_data["planned_for"]
        return ask_first(
            request, ask_about_schedule(campaign, seats, round=found, planned_for=day), label=_("Set up battle")
        )

    def do() -> Any:
        found, seats = chosen()
        once = {"campaign": campaign, "actor": request.user, "round": found, "token": form.cleaned_data["token"]}
        if request.POST.get("act") == "bye" and administers:
            return give_bye(seat=_only(seats), **once)
        rows = [row for row in _guests(request.POST) if row.open]
        guests = [(row.name, row.faction) for row in rows]
        try:
            return schedule_battle(seats=seats, guests=guests, planned_for=form.cleaned_data["planned_for"], **once)
        except Refusal as refusal:
            fields = {f"guest_name_{place}": row.name_field for place, row in enumerate(rows, 1)}
            refusal.field = fields.get(refusal.field, "")
            raise

    tried = ask() or tried_form(request, form, do)
    if not tried.done:
        return show(tried.notice, tried.status)
    add_success_message(request, tried.event)
    return redirect("battle-show", tried.result.pk)


def _chosen_seats(request: HttpRequest, campaign: Campaign, *, administers: bool) -> list[Seat]:
    """Return the ticked seats; a player's own comes first. Raises Refusal for a player without one."""
    seats = _seats(campaign, request.POST.getlist("seat"))
    if administers:
        return seats
    mine = seat_of(request.user, campaign)
    if mine is None:
        raise Refusal(_("You have no place here."))
    return [mine, *(seat for seat in seats if seat.pk != mine.pk)]


def _only(seats: list[Seat]) -> Seat:
    if len(seats) != 1:
        raise Refusal(_("A bye is for one player."), mend=_("Tick only that player."))
    return seats[0]


KEPT = ("seat", "guest_name", "guest_keyword", "guest_other", "round", "planned_for")


def _turned(here: str, sent: QueryDict) -> str:
    """Return the URL of another page of the seat list, with everything that was filled in so far."""
    kept = {name: values for name in KEPT if any(values := sent.getlist(name))}
    if "round" in sent:
        kept["round"] = sent.getlist("round")  # "outside of any round" is an answer too
    return f"{here}?{urlencode({**kept, 'page': read_number(sent['turn']) or 1}, doseq=True)}"


def _guests(sent: QueryDict) -> tuple[GuestRow, ...]:
    return guest_rows(*(sent.getlist(name) for name in ("guest_name", "guest_keyword", "guest_other")))


def _seats(campaign: Campaign, keys: list[str]) -> list[Seat]:
    numbers = [read_number(key) for key in keys]
    known = [number for number in numbers if number is not None]
    found = {seat.pk: seat for seat in Seat.objects.live().filter(campaign=campaign, pk__in=known)}
    if len(found) != len(set(numbers)):
        raise Refusal(_("A chosen player isn't in this campaign."))
    return [found[number] for number in dict.fromkeys(known)]
