"""The views of a battle's page and of its muster."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.access import battle_by_slug, battle_for, is_administrator, side_of, sides_played
from campaigns.forms import MoveBattleForm, RollForm, answer_of
from campaigns.models import Battle, Round, Side
from campaigns.pages.battle import battle_page, watched_battle_page
from campaigns.pages.battle_sides import read_sides
from campaigns.pages.muster import muster_page
from campaigns.people_forms import WordsForm
from campaigns.questions import ask_about_day, ask_about_unplayed
from campaigns.report_forms import UnplayedForm
from campaigns.services.battle_setup import (
    choose_attacker,
    choose_scenario,
    keep_setup_choice,
    keep_setup_roll,
    take_back_setup_roll,
)
from campaigns.services.muster import (
    keep_muster_roll,
    make_side_ready,
    take_back_muster_roll,
    take_back_ready,
    take_force,
)
from campaigns.services.reports import record_unplayed
from campaigns.services.rounds import cancel_battle, move_battle
from campaigns.views.acting import respond
from campaigns.views.silence import let_silence_confirm
from config.access import login_required, public
from config.htmx import render_page
from rules.problems import Refusal
from warbands.forms import ActForm
from warbands.idempotency import new_token
from warbands.parsing import read_number
from warbands.views.acting import Attempt, Notice, ask_first, tried_form

# --- the battle -------------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def battle_show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one battle; move it, cancel it, or record it as not played."""
    battle = battle_for(request.user, pk, to="play" if request.method == "POST" else "watch")
    administers = is_administrator(request.user, battle.campaign)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        fresh = battle_for(request.user, pk) if request.method == "POST" else battle
        page = battle_page(fresh, request.user, administers=administers, mine=side_of(request.user, fresh))
        context = {
            "page": page,
            "notice": notice,
            "tokens": [new_token() for _ in range(5)],
            "words": request.POST.get("words", ""),
        }
        return render_page(request, "campaigns/battle.html", context, status=status)

    if request.method != "POST":
        if let_silence_confirm(battle):
            battle.refresh_from_db()
        return show(None, 200)
    act = request.POST.get("act", "")
    forms: dict[str, Any] = {"move": MoveBattleForm, "unplayed": UnplayedForm, "cancel": WordsForm}
    form = forms.get(act, ActForm)(request.POST)
    asked = _battle_question(request, battle, act, form)
    tried = asked or tried_form(
        request,
        form,
        lambda: _battle_act(request, battle, act, form, administers),
        beside=("planned_for", "kind", "winner", "words"),
    )
    return respond(request, tried, show, onward=reverse("battle-show", args=[pk]))


@public(reason="A battle of a campaign that its administrators show to whoever has the link.")
@require_safe
def battle_watch(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    page = watched_battle_page(battle_by_slug(slug, pk))
    return render_page(request, "campaigns/battle.html", {"page": page})


def _battle_question(request: HttpRequest, battle: Battle, act: str, form: Any) -> Attempt | None:
    if act == "move" and form.is_valid() and form.cleaned_data["planned_for"] != battle.planned_for:
        return ask_first(request, ask_about_day(form.cleaned_data["planned_for"]), label=_("Move the battle"))
    if act == "unplayed" and form.is_valid():
        sides = read_sides(battle)
        winner = next((side for side in sides if str(side.pk) == form.cleaned_data["winner"]), None)
        agreed = form.agreed([str(side.pk) for side in sides])
        return ask_first(request, ask_about_unplayed(sides, winner, agreed), label=_("Record the result"))
    return None


def _battle_act(request: HttpRequest, battle: Battle, act: str, form: Any, administers: bool) -> Any:
    once = {"battle": battle, "actor": request.user, "token": form.cleaned_data["token"]}
    if act == "move":
        number = read_number(form.cleaned_data["round"])
        found = Round.objects.live().filter(campaign=battle.campaign, number=number).first()
        return move_battle(planned_for=form.cleaned_data["planned_for"], round=found, **once)
    if act == "cancel":
        return cancel_battle(words=form.cleaned_data["words"], **once)
    if act == "unplayed":
        sides = {str(side.pk): side for side in read_sides(battle)}
        by_side = None if administers else side_of(request.user, battle)
        winner = sides.get(form.cleaned_data["winner"])
        return record_unplayed(
            kind=form.cleaned_data["kind"],
            winner=winner,
            points=form.agreed(sides),
            by_side=by_side,
            words=form.cleaned_data["words"],
            **once,
        )
    raise Refusal(_("Nothing was chosen."))


# --- muster ------------------------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def force_select(request: HttpRequest, pk: int) -> HttpResponse:
    """Set up a battle and choose one side's force (scenario, attacker, fighters), then make the side ready."""
    battle = battle_for(request.user, pk, to="play")
    administers = is_administrator(request.user, battle.campaign)
    wanted = request.POST.get("side", "") if request.method == "POST" else request.GET.get("side", "")

    def show(notice: Notice | None, status: int) -> HttpResponse:
        fresh = battle_for(request.user, pk, to="play") if request.method == "POST" else battle
        sides = read_sides(fresh)
        played = sides_played(request.user, fresh)
        mine = _chosen_side(sides, played, administers, wanted)
        failed = request.method == "POST" and status == 422
        chosen = (
            request.POST.getlist("fighter") if failed and request.POST.get("act") in ("take", "ready", "") else None
        )
        page = muster_page(
            fresh,
            sides,
            mine,
            playable=_playable(sides, played, administers),
            chosen=chosen,
            typed=request.POST.dict() if failed else None,
            typed_error=notice.words if notice is not None else "",
        )
        context = {
            "page": page,
            "notice": notice,
            "token": new_token(),
            "tokens": [new_token() for _ in range(6)],
            "problems": page.force.problems if page.force is not None else (),
        }
        return render_page(
            request, "campaigns/muster.html", context, partials=["muster"], oob=OOB_MUSTER, status=status
        )

    if request.method != "POST":
        return show(None, 200)
    sides = read_sides(battle)
    mine = _chosen_side(sides, sides_played(request.user, battle), administers, wanted)
    act = request.POST.get("act", "take")
    form: Any = (RollForm if act in ("roll", "fighter-roll") else ActForm)(request.POST)
    tried = tried_form(request, form, lambda: _muster_act(request, battle, sides, mine, act, form))
    onward = reverse("force-select", args=[pk]) + (f"?side={wanted}" if wanted else "")
    if tried.done and act == "ready" and not request.htmx:  # type: ignore[attr-defined]
        onward = reverse("battle-show", args=[pk])
    quiet = tried.done and act in ("take", "roll", "choose", "fighter-roll")
    if quiet:  # the page itself shows it; a toast would only repeat it
        return show(None, 200) if request.htmx else redirect(onward)  # type: ignore[attr-defined]
    return respond(request, tried, show, onward=onward)


OOB_MUSTER = ("campaigns/parts/force_bar.html", "components/toasts.html")


def _playable(sides: list[Side], played: frozenset[int], administers: bool) -> list[int]:
    return [
        side.pk
        for side in sides
        if not side.is_guest and side.warband is not None and (administers or side.pk in played)
    ]


def _chosen_side(sides: list[Side], played: frozenset[int], administers: bool, wanted: str) -> Side | None:
    """Return the side whose force is shown: the requested one, else one's own, else the first that the user may muster."""
    playable = _playable(sides, played, administers)
    own = [side for side in sides if side.pk in playable]
    asked = [side for side in own if str(side.pk) == wanted]
    mine = [side for side in own if side.pk in played]
    return next(iter([*asked, *mine, *own]), None)


def _muster_act(request: HttpRequest, battle: Battle, sides: list[Side], mine: Side | None, act: str, form: Any) -> Any:
    data, what = request.POST, request.POST.get("what", "")
    once = {"actor": request.user, "token": form.cleaned_data["token"]}
    if act == "roll":
        return keep_setup_roll(battle=battle, what=what, at=form.cleaned_data["at"], **form.rolled, **once)
    if act == "mistyped":
        return take_back_setup_roll(battle=battle, what=what, **once)
    if act == "choose":
        return keep_setup_choice(
            battle=battle,
            what=what,
            choice_key=data.get("key", ""),
            value=answer_of(data.get("kind", "one"), data),
            **once,
        )
    if act == "scenario":
        return choose_scenario(
            battle=battle, scenario_id=data.get("scenario", ""), scenario_name=data.get("scenario_name", ""), **once
        )
    if act == "attacker":
        side = next((side for side in sides if str(side.pk) == data.get("attacker")), None)
        return choose_attacker(battle=battle, side=side, **once)
    if mine is None:
        raise Refusal(_("You have no side in this battle."))
    mine.battle = battle
    if act == "fighter-roll":
        return keep_muster_roll(side=mine, fighter=data.get("fighter", ""), **form.rolled, **once)
    if act == "fighter-mistyped":
        return take_back_muster_roll(side=mine, fighter=data.get("fighter", ""), **once)
    if act == "unready":
        return take_back_ready(side=mine, **once)
    if act == "ready":
        if "force_shown" in data:
            take_force(
                side=mine, fighters=data.getlist("fighter"), reserves=data.getlist("reserve"), actor=request.user
            )
            mine.refresh_from_db(fields=["force"])
        return make_side_ready(side=mine, seen=form.cleaned_data["seen"], **once)
    return take_force(side=mine, fighters=data.getlist("fighter"), reserves=data.getlist("reserve"), **once)
