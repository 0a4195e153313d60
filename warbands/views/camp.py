"""Views of the camp: settle promises, use finds, make and change choices, declare teams."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from rules.resolution import Task
from warbands import access
from warbands.access import warband_for
from warbands.forms import ActForm, ChoosingForm
from warbands.idempotency import new_token
from warbands.models import Fighter, Item, Promise, Warband
from warbands.pages.addresses import href_of
from warbands.pages.camp import answers_of, camp_page, find_address, task_page
from warbands.pages.choices import ChoiceRow, choice_page
from warbands.pages.roster import Roster, read_roster
from warbands.pages.teams import picks_of, team_page
from warbands.pages.widgets import Link
from warbands.promises import settling_task, waits_for
from warbands.services.camp import declare_teams, use_find
from warbands.services.promises import redeem_promise, settle_promise
from warbands.services.roster import set_choice
from warbands.views.acting import Notice, add_success_message, attempt
from warbands.views.fetch import fresh_roster


@login_required
@require_safe
def camp_show(request: HttpRequest, pk: int) -> HttpResponse:
    warband = warband_for(request.user, pk, to="edit")
    return render_page(request, "warbands/camp.html", {"page": camp_page(read_roster(warband))})


@login_required
@require_http_methods(["GET", "POST"])
def find_use(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    warband = warband_for(request.user, pk, to="edit")
    roster = read_roster(warband)
    task = _find(roster, key)
    if task is None and request.method != "POST":
        raise Http404(_("There is nothing to use here."))
    sent = request.POST if request.method == "POST" else request.GET

    def show(notice: Notice | None, status: int) -> HttpResponse:
        now = fresh_roster(warband) if request.method == "POST" else roster
        open_task = _find(now, key)
        closed = open_task.closed if open_task else _("It was already used.")
        page = task_page(
            now,
            open_task,
            answers_of(open_task, dict(sent.lists())) if open_task and not closed else None,
            title=open_task.title if open_task else _("Used up"),
            here=find_address(now, key),
            back=Link(_("Camp"), href_of("camp-show", pk)),
            closed=closed,
        )
        return _show_task(request, page, notice, status)

    if request.method != "POST":
        return show(None, 200)
    form = ActForm(request.POST)
    choices = answers_of(task, dict(sent.lists())).choices if task else {}
    tried = attempt(
        request,
        form,
        lambda: use_find(warband=warband, task_key=key, choices=choices, actor=request.user, **form.once),
    )
    if tried.done:
        add_success_message(request, tried.event, warband=warband)
        subject = task.subject if task else ""
        return redirect("fighter-show", subject) if subject.isdigit() else redirect("camp-show", pk)
    return show(tried.notice, tried.status)


def _find(roster: Roster, key: str) -> Task | None:
    tasks = roster.game.post_battle.camp_tasks(roster.content, roster.force)
    return next((task for task in tasks if task.key == key), None)


@login_required
@require_http_methods(["GET", "POST"])
def promise_settle(request: HttpRequest, pk: int) -> HttpResponse:
    promise = access.promise_for(request.user, pk, to="edit")
    warband = promise.warband
    sent = request.POST if request.method == "POST" else request.GET

    def task_of(roster: Roster) -> Task | None:
        return settling_task(roster.warband.terms, roster.force, promise.kind, promise.data)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        now = fresh_roster(warband)
        row = Promise.objects.get(pk=promise.pk)
        is_open = row.status == Promise.Status.OPEN and not row.is_undone
        task = task_of(now) if is_open else None
        closed = "" if task else waits_for(now.warband.terms, now.force, promise.kind, promise.data)
        if not is_open:
            closed = _("This reward is {status}.").format(status=row.get_status_display().lower())
        page = task_page(
            now,
            task,
            answers_of(task, dict(sent.lists())) if task else None,
            title=task.title if task else _("Rewards to collect"),
            words=promise.words,
            here=href_of("promise-settle", pk),
            back=Link(_("Camp"), href_of("camp-show", warband.pk)),
            closed=closed,
            write_label=_("Collect"),
            may_lapse=is_open,
        )
        return _show_task(request, page, notice, status)

    if request.method != "POST":
        return show(None, 200)
    form = ActForm(request.POST)

    def do() -> Any:
        if "lapse" in request.POST:
            return settle_promise(promise=promise, lapsed=True, actor=request.user, **form.once)
        task = task_of(read_roster(warband))
        choices = answers_of(task, dict(sent.lists())).choices if task else {}
        return redeem_promise(promise=promise, choices=choices, actor=request.user, **form.once)

    tried = attempt(request, form, do)
    if tried.done:
        add_success_message(request, tried.event, warband=warband)
        return redirect("stash-show", warband.pk)
    return show(tried.notice, tried.status)


def _show_task(request: HttpRequest, page: Any, notice: Notice | None, status: int) -> HttpResponse:
    told = notice or (Notice("problem", page.stuck, page.mend) if page.stuck else None)
    context = {"page": page, "notice": told, "token": new_token(), "lapse_token": new_token()}
    return render_page(request, "warbands/camp_task.html", context, status=status)


# --- choices -----------------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def choice_list(request: HttpRequest, pk: int) -> HttpResponse:
    warband = warband_for(request.user, pk, to="edit")
    if request.method != "POST":
        return _show_choices(request, read_roster(warband), change=request.GET.get("change", ""))
    wanted = request.POST.get("of", "")
    roster = read_roster(warband)
    page = choice_page(roster, change=wanted.removeprefix("choice_"))
    row = next((row for group in page.groups for row in group.rows if row.key == wanted), None)
    form = ChoosingForm(request.POST, asks=[row.choosing.asked] if row else [])

    def do() -> Any:
        if row is None:
            raise Refusal(_("This choice is no longer needed."), code="unknown-option")
        asked = row.choosing.asked
        value = form.chosen.get(asked.key, "")
        entry = row.choosing.path[1] if len(row.choosing.path) > 2 else ""
        return set_choice(
            row=_keeper(warband, row), key=asked.key, value=value, entry=entry, actor=request.user, **form.once
        )

    tried = attempt(request, form, do)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        again = form if not tried.done and row is not None and not form.is_valid() else None
        return _show_choices(
            request, fresh_roster(warband), notice, status, change=wanted.removeprefix("choice_"), sent=(wanted, again)
        )

    if tried.done:
        add_success_message(request, tried.event, warband=warband)
        return redirect(f"{href_of('choice-list', pk)}#{wanted}")
    return show(tried.notice, tried.status)


def _keeper(warband: Warband, row: ChoiceRow) -> Warband | Fighter | Item:
    choosing = row.choosing
    if choosing.row == "warband":
        return warband
    kind: Any = Fighter if choosing.row == "fighter" else Item
    keeper = kind.objects.get(pk=choosing.fighter if choosing.row == "fighter" else choosing.item, warband=warband)
    keeper.warband = warband
    return keeper  # type: ignore[no-any-return]


def _show_choices(
    request: HttpRequest,
    roster: Roster,
    notice: Notice | None = None,
    status: int = 200,
    *,
    change: str = "",
    sent: tuple[str, Any] = ("", None),
) -> HttpResponse:
    page = choice_page(roster, change=change)
    forms = {}
    for row in (row for group in page.groups for row in group.rows if row.opened):
        forms[row.key] = sent[1] if sent[0] == row.key and sent[1] is not None else _choice_form(row, page.seen)
    groups = [(group, [(row, forms.get(row.key)) for row in group.rows]) for group in page.groups]
    return render_page(
        request, "warbands/camp_choices.html", {"page": page, "groups": groups, "notice": notice}, status=status
    )


def _choice_form(row: ChoiceRow, seen: int) -> ChoosingForm:
    asked = row.choosing.asked
    chosen = row.choosing.chosen if asked.count > 1 else "".join(row.choosing.chosen[:1])
    initial = {f"choice_{asked.key}": chosen, "seen": seen, "token": new_token()}
    return ChoosingForm(asks=[asked], initial=initial, auto_id=f"id_{row.key}_%s")


# --- teams -------------------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def team_list(request: HttpRequest, pk: int) -> HttpResponse:
    warband = warband_for(request.user, pk, to="edit")
    form = ActForm(request.POST or None)
    picks = picks_of(read_roster(warband), request.POST) if request.method == "POST" else None

    def show(notice: Notice | None, status: int) -> HttpResponse:
        page = team_page(fresh_roster(warband), picks=picks if status == 422 else None)
        context = {"page": page, "notice": notice, "token": new_token()}
        return render_page(request, "warbands/camp_teams.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    tried = attempt(
        request, form, lambda: declare_teams(warband=warband, picks=picks or {}, actor=request.user, **form.once)
    )
    if tried.done:
        add_success_message(request, tried.event, warband=warband)
        return redirect("team-list", pk)
    return show(tried.notice, tried.status)
