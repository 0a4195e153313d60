"""The views of one side's post-battle sequence: begin it, go through its steps, close it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaigns.access import post_battle_for
from campaigns.context_processors import WAY_BACK
from campaigns.forms import ChooseForm, TaskForm, TaskRollForm
from campaigns.models import ANSWERED, Battle, PostBattle
from campaigns.pages.post_battle import StepPage, step_address, step_page
from campaigns.pages.tasks import task_id
from campaigns.scenarios import scenario_name
from campaigns.sequence import StepSequence
from campaigns.services.post_battle import close_post_battle, reopen_post_battle
from campaigns.services.task_answers import (
    answer_with_choice,
    answer_with_dice,
    begin,
    confirm_task,
    correct_roll,
    leave_step,
    roll_all,
    undo_task,
)
from campaigns.views.acting import add_spoken_message, add_success_message
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.forms import ActForm
from warbands.idempotency import new_token
from warbands.labels import has_shop
from warbands.views.acting import Notice, tried_form


@login_required
@require_http_methods(["GET", "POST"])
def post_battle_show(request: HttpRequest, pk: int, warband: int) -> HttpResponse:
    """Redirect to the current step. If the sequence has not begun, explain what beginning does, and begin it on POST."""
    found = post_battle_for(request.user, pk, warband)
    if request.method == "POST":
        form = ActForm(request.POST)
        found.side.warband = found.warband
        tried = tried_form(
            request,
            form,
            lambda: begin(side=found.side, actor=request.user, token=form.cleaned_data["token"]),
        )
        if not tried.done and tried.status != 200:
            return _show_begin(request, found, tried.notice, tried.status)
        return redirect("post-battle-show", pk, warband)
    if found.started_at is None:
        return _show_begin(request, found, None, 200)
    sequence = StepSequence(found)
    current = sequence.current() or sequence.steps[-1]
    return redirect(step_address(found, current.id))


def _show_begin(request: HttpRequest, found: PostBattle, notice: Notice | None, status: int) -> HttpResponse:
    battle = found.side.battle
    context = {
        "title": _("After {battle}").format(battle=scenario_name(battle)),
        "battle": scenario_name(battle),
        "battle_href": reverse("battle-show", args=[battle.pk]),
        "warband": found.warband.name,
        "here": reverse("post-battle-show", args=[battle.pk, found.warband_id]),
        "number": found.side.number,
        "spends": has_shop(found.warband.terms),
        "void": battle.status == Battle.Status.VOID,
        "confirmed": battle.status in ANSWERED,
        "notice": notice,
        "token": new_token(),
    }
    return render_page(request, "campaigns/post_battle_begin.html", context, status=status)


@login_required
@require_http_methods(["GET", "POST"])
def post_battle_resolve(request: HttpRequest, pk: int, warband: int, step: str) -> HttpResponse:
    """Show one step; roll, choose and write in it, finish it, and close the sequence at the end."""
    found = post_battle_for(request.user, pk, warband)
    if found.started_at is None:
        return redirect("post-battle-show", pk, warband)
    if request.method != "POST":
        return _show(request, found, step, None, 200)
    act = request.POST.get("act", "")
    form: Any = FORMS.get(act, ActForm)(request.POST)
    tried = tried_form(request, form, lambda: _step_act(found, request.user, step, act, form))

    def show(notice: Notice | None, status: int) -> HttpResponse:
        return _show(request, post_battle_for(request.user, pk, warband), step, notice, status)

    if not tried.done:
        return show(tried.notice, tried.status)
    if act == "close":
        return _after_close(request, found, tried.event)
    if act in ("next", "reopen"):
        if act == "reopen":
            add_success_message(request, tried.event)
        return redirect("post-battle-show", pk, warband)
    add_spoken_message(request, tried.result)
    if request.htmx:  # type: ignore[attr-defined]
        return show(None, 200)
    if act == "roll-all":
        return redirect(step_address(found, step))
    task = form.cleaned_data["task"]
    return redirect(f"{step_address(found, step)}?task={task}#{task_id(task)}")


FORMS = {
    "roll": TaskRollForm,
    "choose": ChooseForm,
    "mistyped": TaskForm,
    "write": TaskForm,
    "undo": TaskForm,
}


def _step_act(found: PostBattle, user: Any, step: str, act: str, form: Any) -> Any:
    sent = form.cleaned_data
    once = {"post_battle": found, "actor": user, "token": sent["token"]}
    acts: dict[str, Callable[[], Any]] = {
        "roll": lambda: answer_with_dice(task_key=sent["task"], at=sent["at"], **form.rolled, **once),
        "roll-all": lambda: roll_all(step=step, **once),
        "mistyped": lambda: correct_roll(task_key=sent["task"], **once),
        "choose": lambda: answer_with_choice(task_key=sent["task"], choice_key=sent["key"], value=form.value, **once),
        "write": lambda: confirm_task(task_key=sent["task"], seen=sent["seen"], **once),
        "undo": lambda: undo_task(task_key=sent["task"], **once),
        "next": lambda: leave_step(step=step, **once),
        "close": lambda: close_post_battle(seen=sent["seen"], **once),
        "reopen": lambda: reopen_post_battle(**once),
    }
    if act not in acts:
        raise Refusal(_("Nothing was chosen."))
    return acts[act]()


def _after_close(request: HttpRequest, found: PostBattle, event: Any) -> HttpResponse:
    add_success_message(request, event)
    request.session.pop(WAY_BACK, None)
    if request.POST.get("then") == "print":
        return redirect("roster-print", found.warband_id)
    return redirect("warband-show", found.warband_id)


def _keep_way_back(request: HttpRequest, found: PostBattle, page: StepPage) -> None:
    """Remember on this device which step is open, so that the warband's own pages can link back to it."""
    label = _("Back to: {step}").format(step=page.label)
    way = None if page.closed else {"href": page.here, "label": label, "warband": found.warband_id}
    if request.session.get(WAY_BACK) != way:
        request.session[WAY_BACK] = way


def _choice_open(request: HttpRequest, failed: bool) -> str:
    """Return the key of an answered decision that is shown again: requested by the URL, or just refused by the service."""
    if request.method != "POST":
        return request.GET.get("again", "")
    return request.POST.get("key", "") if failed and request.POST.get("act") == "choose" else ""


OOB = ("campaigns/parts/step_strip.html", "components/toasts.html")


def _show(request: HttpRequest, found: PostBattle, step: str, notice: Notice | None, status: int) -> HttpResponse:
    post = request.POST if request.method == "POST" else {}
    failed = status == 422
    try:
        page = step_page(
            found,
            step,
            user=request.user,
            open_task=post.get("task", "") or request.GET.get("task", ""),
            again=_choice_open(request, failed),
            typed={name: str(value) for name, value in post.items()} if failed else None,
            typed_task=post.get("task", "") if failed else "",
            typed_error=notice.words if failed and notice is not None else "",
        )
    except KeyError:
        raise Http404(_("This edition has no such step.")) from None
    _keep_way_back(request, found, page)
    typed_wrong = failed and post.get("act") == "roll" and post.get("source") == "typed"
    context = {
        "page": page,
        "notice": None if typed_wrong else notice,
        "views": [(view, new_token()) for view in page.tasks],
        "token": new_token(),
        "seen": page.seen,
    }
    return render_page(request, "campaigns/step.html", context, partials=["step"], oob=OOB, status=status)
