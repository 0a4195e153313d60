"""Views of drafts: list and start, show and apply, change, compare. A roster inside a draft has the roster's own views."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.access import login_required
from config.htmx import render_page
from warbands.access import draft_for, warband_for
from warbands.drafting import trying
from warbands.forms import DraftApplyForm, DraftChangeForm, DraftListForm
from warbands.models import RosterDraft, Warband
from warbands.pages.drafts import (
    RosterLook,
    Tried,
    changes_words,
    compare_page,
    draft_list_page,
    draft_page,
    look_of,
    roster_in,
)
from warbands.pages.roster import read_roster
from warbands.services.drafts import apply_draft, drop_draft, keep_acts, remove_acts, rename_draft, start_draft
from warbands.views.acting import Notice, add_success_message, attempt, tried_form
from warbands.views.fetch import whole_number


@login_required
@require_http_methods(["GET", "POST"])
def draft_list(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a warband's drafts; start one, or drop one. Dropping one that is gone makes no difference."""
    warband = warband_for(request.user, pk, to="edit")
    if request.method != "POST":
        return _show_list(request, warband)
    form = DraftListForm(request.POST)
    if form.is_valid() and form.cleaned_data["drop"]:
        if draft := RosterDraft.objects.filter(warband=warband, pk=form.cleaned_data["drop"]).first():
            drop_draft(draft=draft)
            messages.success(request, _("Draft “{name}” dropped.").format(name=draft.name))
        return redirect("draft-list", pk)
    tried = tried_form(
        request,
        form,
        lambda: start_draft(
            warband=warband,
            actor=request.user,
            name=form.cleaned_data["name"],
            token=form.cleaned_data["token"],
        ),
    )
    if tried.done:
        return redirect(roster_in(tried.result))
    return _show_list(request, warband, tried.notice, tried.status)


def _show_list(request: HttpRequest, warband: Warband, notice: Notice | None = None, status: int = 200) -> HttpResponse:
    context = {"page": draft_list_page(warband), "notice": notice}
    return render_page(request, "warbands/draft_list.html", context, status=status)


@login_required
@require_http_methods(["GET", "POST"])
def draft_show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what a draft changes, and apply it."""
    draft = draft_for(request.user, pk)
    if request.method != "POST":
        return _show_draft(request, draft)
    form = DraftApplyForm(request.POST)
    tried = attempt(
        request,
        form,
        lambda: apply_draft(draft=draft, actor=request.user, revision=form.cleaned_data["revision"], **form.once),
    )
    if tried.done:
        add_success_message(
            request, tried.event, warband=draft.warband, said=_("Draft “{name}” applied.").format(name=draft.name)
        )
        return redirect("warband-show", draft.warband_id)
    notice = tried.notice
    if (
        notice is not None and notice.again
    ):  # out of date: what it would do now stands on the page, to be looked at first
        notice = replace(notice, mend=_("Look at it again, then apply."), again=())
    return _show_draft(request, draft, notice, tried.status)


def _show_draft(
    request: HttpRequest, draft: RosterDraft, notice: Notice | None = None, status: int = 200
) -> HttpResponse:
    with transaction.atomic():
        fresh = draft_for(request.user, draft.pk) if notice else draft
        today = look_of(read_roster(fresh.warband))
        with trying(fresh, request.user, only_to_show=True) as run:
            page = draft_page(run, today)
        keep_acts(run)
    context = {"page": page, "notice": notice, "problems": page.problems}
    return render_page(request, "warbands/draft.html", context, status=status)


@login_required
@require_POST
def draft_change(request: HttpRequest, pk: int) -> HttpResponse:
    """Rename a draft, or remove changes from it."""
    draft = draft_for(request.user, pk)
    form = DraftChangeForm(request.POST)
    removes = "remove" in request.POST

    def do() -> Any:
        if removes:
            return remove_acts(draft=draft, numbers=set(form.cleaned_data["remove"]))
        return rename_draft(draft=draft, name=form.cleaned_data["name"])

    tried = tried_form(request, form, do, beside=("name",))
    if not tried.done:
        return _show_draft(request, draft, tried.notice, tried.status)
    if removes:
        messages.success(request, _removed_words(tried.result))
    return redirect(reverse("draft-show", args=[pk]))


def _removed_words(count: int) -> str:
    if not count:
        return _("This change was removed already.")
    return ngettext("{changes} removed from the draft.", "{changes} removed from the draft.", count).format(
        changes=changes_words(count)
    )


@login_required
@require_safe
def draft_compare(request: HttpRequest, pk: int) -> HttpResponse:
    """Show two drafts of a warband side by side; the first two unless the address names others."""
    warband = warband_for(request.user, pk, to="edit")
    drafts = list(RosterDraft.objects.filter(warband=warband))
    if len(drafts) < 2:
        return redirect("draft-list", pk)
    known = {draft.pk: draft for draft in drafts}
    first = known.get(whole_number(request, "a", 0), drafts[0])
    second = known.get(whole_number(request, "b", 0), next(draft for draft in drafts if draft.pk != first.pk))
    today = look_of(read_roster(warband))
    page = compare_page(warband, drafts, today, _tried(request, warband, first), _tried(request, warband, second))
    return render_page(request, "warbands/draft_compare.html", {"page": page})


def _tried(request: HttpRequest, warband: Warband, draft: RosterDraft) -> Tried:
    draft.warband = warband
    look: RosterLook
    with trying(draft, request.user, only_to_show=True) as run:
        look = look_of(read_roster(run.warband()))
    keep_acts(run)
    return Tried(draft, look, len(run.clashes))
