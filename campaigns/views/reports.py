"""The views of a battle's report and of the answers to it: send, amend, confirm, hand over, dispute, decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaigns.access import battle_for, is_administrator, report_draft_for, side_of, sides_played
from campaigns.battle_result import standing_report
from campaigns.models import Battle, PostBattle, Report, ReportDraft, Side
from campaigns.pages.battle_sides import read_sides
from campaigns.pages.report import report_page
from campaigns.pages.report_answer import confirm_page
from campaigns.pages.report_drafts import draft_panel
from campaigns.questions import ask_about_report
from campaigns.report_forms import ConfirmForm, DecideForm, DisputeForm, HereForm, ReportForm, sent_report
from campaigns.report_link import read_answer_token
from campaigns.report_prefill import logged_report, table_state
from campaigns.scenarios import deeds_of
from campaigns.services.amend import Amendment, amend_report, preview_amendment
from campaigns.services.answers import confirm_report, decide_dispute, dispute_report
from campaigns.services.common import rehearsed
from campaigns.services.reports import send_report
from campaigns.views.acting import add_success_message, mark_of, respond, site_of
from campaigns.views.silence import let_silence_confirm
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.idempotency import new_token
from warbands.parsing import read_number
from warbands.recording import AlreadyDone
from warbands.views.acting import Attempt, Notice, ask_first, tried_form


@dataclass(frozen=True, slots=True)
class Ripple:
    """What an amendment changes besides the standings, shown before it is applied. `listed` identifies what was shown."""

    done: tuple[str, ...]
    open: tuple[str, ...]
    listed: str


def _ripple(preview: Callable[[], Amendment], mark: str, listed: str) -> Ripple | None:
    """Return what the action would change, or None if nothing or if that was already shown. Refusals are left to the action itself."""
    if listed == mark:
        return None
    try:
        found = preview()
    except (Refusal, AlreadyDone):
        return None
    return Ripple(found.done, found.open, mark) if found.ripples else None


# --- the report --------------------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def battle_report(request: HttpRequest, pk: int) -> HttpResponse:
    """Report a battle, amend the report, add one's own version, or decide a dispute with another version.

    With a draft, the form is filled in from it, and sending the report accepts it.
    Changes that an amendment makes besides the standings are listed first; a second press applies it.
    """
    battle = battle_for(request.user, pk, to="play")
    administers = is_administrator(request.user, battle.campaign)
    mine = side_of(request.user, battle)
    standing = standing_report(battle)
    mode = _report_mode(request, battle, administers, standing)
    if mode is None:
        return redirect("report-confirm", pk)
    sides = read_sides(battle)
    draft = _draft(request, battle) if mode == "send" else None
    logged = _logged(battle) if mode == "send" and (request.method != "POST" or draft is not None) else None

    def show(notice: Notice | None, status: int, ripple: Ripple | None = None) -> HttpResponse:
        given = _starting_data(mode, standing, draft, logged)
        return _shown(request, battle, sides, mine, mode, given, draft, logged, notice, status, ripple)

    if request.method != "POST":
        return show(None, 200)
    form = ReportForm(request.POST)
    if form.is_valid():
        asked = _ask_about(request, battle, sides, mode, form)
        if asked is not None:
            return show(asked.notice, asked.status)
        if mode in ("amend", "decide"):
            ripple = _report_ripple(request, battle, sides, mine, mode, form, administers)
            if ripple is not None:
                return show(None, 200, ripple)
    tried = tried_form(
        request,
        form,
        lambda: _report_act(request, battle, sides, mine, mode, form, administers, draft),
        beside=("played_on", "words"),
    )
    if not tried.done:
        return show(tried.notice, tried.status)
    for line in _amendment_lines(tried):
        add_success_message(request, None, line)
    add_success_message(request, tried.event)
    return redirect("battle-show", pk)


def show_draft(
    request: HttpRequest, battle: Battle, draft: ReportDraft, notice: Notice | None, status: int
) -> HttpResponse:
    """Show the form that is filled in from a draft, with a notice about something that was tried with the draft itself."""
    sides, logged = read_sides(battle), _logged(battle)
    return _shown(request, battle, sides, None, "send", draft.data, draft, logged, notice, status, about_draft=True)


def _shown(
    request: HttpRequest,
    battle: Battle,
    sides: list[Side],
    mine: Side | None,
    mode: str,
    given: Mapping[str, Any],
    draft: ReportDraft | None,
    logged: dict[str, Any] | None,
    notice: Notice | None,
    status: int,
    ripple: Ripple | None = None,
    *,
    about_draft: bool = False,
) -> HttpResponse:
    sent = sent_report(request.POST) if request.method == "POST" and not about_draft else None
    page = report_page(
        battle,
        sides,
        draft.side if draft is not None else mine,
        mode=mode,
        given=given,
        sent=sent,
        from_table=logged is not None and draft is None,
        kind=draft.kind if draft is not None else "",
        played_on=str(draft.played_on or "") if draft is not None else "",
    )
    context = {
        "page": page,
        "draft": draft_panel(battle, sides, draft, logged) if draft is not None else None,
        "refuse_token": new_token(),
        "notice": notice,
        "ripple": ripple,
        "token": new_token(),
        "checked": notice.checked if notice is not None and notice.checked else request.POST.get("checked", ""),
        "dispute_words": request.POST.get("dispute_words", ""),
    }
    return render_page(request, "campaigns/report.html", context, partials=["report"], status=status)


def _ask_about(request: HttpRequest, battle: Battle, sides: list[Side], mode: str, form: ReportForm) -> Attempt | None:
    """Return the question about a probable slip in the report, or None if there is none or it was answered."""
    data = form.report_data(sides, [deed.id for deed in deeds_of(battle)])
    played_on = form.cleaned_data["played_on"] if mode == "send" else None
    kind = form.cleaned_data["kind"] or (battle.kind if mode != "send" else "")
    questions = ask_about_report(battle, sides, data, kind=kind, played_on=played_on)
    return ask_first(request, questions, label=str(SEND_WORDS[mode]))


def _logged(battle: Battle) -> dict[str, Any] | None:
    """Return a report's data from the table's log, None if the battle was not tracked."""
    table = table_state(battle)
    return logged_report(battle, table) if table is not None else None


def _starting_data(
    mode: str, standing: Report | None, draft: ReportDraft | None, logged: Mapping[str, Any] | None
) -> Mapping[str, Any]:
    """Return the data that fills in the form: of the draft, else of the table's log, else of the report that is changed."""
    if draft is not None:
        return draft.data
    if logged is not None:
        return logged
    return standing.data if standing is not None and mode != "send" else {}


def _draft(request: HttpRequest, battle: Battle) -> ReportDraft | None:
    """Return the draft that the form is about, None without one. Raises Http404, PermissionDenied."""
    named = request.POST.get("draft") if request.method == "POST" else request.GET.get("draft")
    return report_draft_for(request.user, battle, read_number(named) or 0) if named else None


SEND_WORDS = {
    "send": gettext_lazy("Send the report"),
    "amend": gettext_lazy("Amend the report"),
    "dispute": gettext_lazy("Send my version"),
    "decide": gettext_lazy("Decide for this"),
}


def _report_mode(request: HttpRequest, battle: Battle, administers: bool, standing: Report | None) -> str | None:
    """Return the mode of the form; None if the user must read an existing report first."""
    if standing is None:
        return "send"
    if "decide" in request.GET and administers and battle.status == Battle.Status.DISPUTED:
        return "decide"
    if "dispute" in request.GET and battle.status == Battle.Status.REPORTED:
        return "dispute"
    if "amend" in request.GET:
        return "amend"
    return "send" if request.method == "POST" else None


def _report_ripple(
    request: HttpRequest,
    battle: Battle,
    sides: list[Side],
    mine: Side | None,
    mode: str,
    form: ReportForm,
    administers: bool,
) -> Ripple | None:
    data = form.report_data(sides, [deed.id for deed in deeds_of(battle)])
    by_side = _amends_for(battle, mine, administers)

    def preview() -> Amendment:
        if mode == "decide":
            return rehearsed(lambda: decide_dispute(battle=battle, actor=request.user, data=data))
        return preview_amendment(battle=battle, actor=request.user, data=data, by_side=by_side)

    return _ripple(preview, mark_of(data), request.POST.get("listed", ""))


def _amends_for(battle: Battle, mine: Side | None, administers: bool) -> Side | None:
    """Return the side for which the user amends, or None for an administrator. Only administrators may amend an answered report."""
    answered = battle.status in (Battle.Status.CONFIRMED, Battle.Status.CLOSED, Battle.Status.DISPUTED)
    return None if administers and (answered or mine is None) else mine


def _report_act(
    request: HttpRequest,
    battle: Battle,
    sides: list[Side],
    mine: Side | None,
    mode: str,
    form: ReportForm,
    administers: bool,
    draft: ReportDraft | None,
) -> Any:
    data = form.report_data(sides, [deed.id for deed in deeds_of(battle)])
    once = {"battle": battle, "actor": request.user, "token": form.cleaned_data["token"]}
    if mode == "amend":
        return amend_report(data=data, by_side=_amends_for(battle, mine, administers), **once)
    if mode == "dispute":
        if mine is None:
            raise Refusal(_("Only a side of this battle can dispute its report."))
        return dispute_report(side=mine, words=request.POST.get("dispute_words", ""), data=data, **once)
    if mode == "decide":
        return decide_dispute(data=data, words=form.cleaned_data["words"], **once)
    kind = str(form.cleaned_data["kind"] or Battle.Kind.PLAYED)
    by_side = draft.side if draft is not None else mine
    return send_report(
        data=data, by_side=by_side, kind=kind, played_on=form.cleaned_data["played_on"], draft=draft, **once
    )


def _amendment_lines(tried: Attempt) -> list[str]:
    return list(getattr(tried.result, "open", ()))[:4]


# --- the answer --------------------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def report_confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Read a report and confirm it, for oneself or on behalf of another side; an administrator can decide a dispute
    here.

    A player at the same table can also confirm on this device, with a password. This signs nobody in or out.
    """
    battle = battle_for(request.user, pk, to="play")
    administers = is_administrator(request.user, battle.campaign)
    if request.method != "POST":
        if let_silence_confirm(battle):
            battle.refresh_from_db()
        return _show_answer(request, battle, administers, None, 200)
    act = request.POST.get("act", "confirm")
    form: Any = {"decide": DecideForm, "here": HereForm}.get(act, ConfirmForm)(request.POST)
    sides = {str(side.pk): side for side in read_sides(battle)}
    if act == "decide" and form.is_valid():
        if not administers:
            raise PermissionDenied(_("This is for the campaign's administrators."))
        ripple = _decision_ripple(request, battle, form)
        if ripple is not None:
            return _show_answer(request, battle, administers, None, 200, ripple)

    def do() -> Any:
        once = {"battle": battle, "actor": request.user, "token": form.cleaned_data["token"]}
        if act == "decide":
            return decide_dispute(version=_version(battle, form), words=form.cleaned_data["words"], **once)
        side = sides.get(form.cleaned_data["side"])
        if side is None and form.cleaned_data["side"]:
            raise Refusal(_("That is not one of the sides."))
        once["number"] = form.cleaned_data["number"]
        if act == "here":
            assert side is not None
            return confirm_report(side=side, device_of=request.user, **{**once, "actor": _who_is_here(request, side)})
        if side is None and not administers:
            side = side_of(request.user, battle)
        if not administers and (side is None or side.pk not in sides_played(request.user, battle)):
            raise PermissionDenied(_("Only its own side and the administrators confirm here."))
        return confirm_report(side=side, **once)

    tried = tried_form(request, form, do, beside=("words", "password"))
    waiting = _own_sequence(request.user, battle) if tried.done else None
    onward = (
        reverse("post-battle-show", args=[pk, waiting])
        if waiting is not None and act == "confirm"
        else reverse("battle-show", args=[pk])
    )
    return respond(request, tried, lambda notice, status: _answer_anew(request, pk, notice, status), onward=onward)


def _who_is_here(request: HttpRequest, side: Side) -> Any:
    """Return the player of a side who typed the password on this device. Raises Refusal. Attempts are limited as on the sign-in page."""
    player = None if side.is_guest else side.seat.user
    if player is None:
        raise Refusal(_("No player with an account has this side."), mend=_("An administrator confirms for it."))
    try:
        found = get_adapter().authenticate(
            request, username=player.get_username(), password=request.POST.get("password", "")
        )
    except ValidationError as error:
        raise Refusal(str(error.messages[0]), code="too-many", field="password") from None
    if found is None or found.pk != player.pk:
        raise Refusal(
            _("That is not the password of {player}.").format(player=player), code="password", field="password"
        )
    return player


def _version(battle: Battle, form: DecideForm) -> Report | None:
    """Return the chosen version, or None if it is the current one. Raises Refusal."""
    number = read_number(form.cleaned_data["version"])
    chosen = Report.objects.live().filter(battle=battle, pk=number).first() if number is not None else None
    if chosen is None:
        raise Refusal(_("That version is not there."))
    return None if chosen.stands else chosen


def _decision_ripple(request: HttpRequest, battle: Battle, form: DecideForm) -> Ripple | None:
    def preview() -> Amendment:
        return rehearsed(lambda: decide_dispute(battle=battle, actor=request.user, version=_version(battle, form)))

    return _ripple(preview, str(form.cleaned_data["version"]), form.cleaned_data["listed"])


def _own_sequence(user: Any, battle: Battle) -> int | None:
    mine = side_of(user, battle)
    if mine is None:
        return None
    found = PostBattle.objects.live().filter(side=mine, closed_at=None).first()
    return found.warband_id if found is not None else None


def _answer_anew(request: HttpRequest, pk: int, notice: Notice | None, status: int) -> HttpResponse:
    battle = battle_for(request.user, pk, to="play")
    return _show_answer(request, battle, is_administrator(request.user, battle.campaign), notice, status)


def _show_answer(
    request: HttpRequest,
    battle: Battle,
    administers: bool,
    notice: Notice | None,
    status: int,
    ripple: Ripple | None = None,
) -> HttpResponse:
    sides = read_sides(battle)
    played = sides_played(request.user, battle)
    plays = {side.pk: side.pk in played for side in sides}
    mine = next((side for side in sides if plays[side.pk]), None)
    page = confirm_page(battle, sides, mine, administers=administers, plays=plays, site=site_of(request))
    people = page.hand_over.people if page.hand_over is not None else ()
    chosen = read_number(request.POST.get("version", ""))
    context = {
        "page": page,
        "notice": notice,
        "ripple": ripple,
        "tokens": [new_token() for _ in range(3)],
        "words": request.POST.get("words", ""),
        "answers": [(answerer, new_token()) for answerer in page.answerers],
        "here": [(person, new_token()) for person in people],
        "versions": list(zip(page.versions, page.version_pks, strict=True)),
        "chosen": chosen,
        "sent_side": read_number(request.POST.get("side", "")),
    }
    return render_page(request, "campaigns/confirm.html", context, status=status)


@login_required
@require_safe
def report_answer(request: HttpRequest, token: str) -> HttpResponse:
    """Open a report that was handed over at the table: redirect those who play in the battle to the answer page."""
    try:
        named = read_answer_token(token)
    except Refusal as refusal:
        return render_page(
            request, "campaigns/closed_link.html", {"title": _("A report"), "refusal": refusal}, status=410
        )
    if named is None:
        raise Http404(_("No such code was given."))
    battle_for(request.user, named[0], to="play")
    return redirect("report-confirm", named[0])


@login_required
@require_POST
def report_dispute(request: HttpRequest, pk: int) -> HttpResponse:
    battle = battle_for(request.user, pk, to="play")
    mine = side_of(request.user, battle)
    form = DisputeForm(request.POST)

    def do() -> Any:
        if mine is None:
            raise Refusal(
                _("Only a side of this battle can dispute its report."), mend=_("An administrator amends it.")
            )
        return dispute_report(
            battle=battle,
            side=mine,
            actor=request.user,
            words=form.cleaned_data["words"],
            token=form.cleaned_data["token"],
        )

    tried = tried_form(request, form, do, beside=("words",))
    return respond(
        request,
        tried,
        lambda notice, status: _answer_anew(request, pk, notice, status),
        onward=reverse("battle-show", args=[pk]),
    )
