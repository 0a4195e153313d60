"""The views of the administration page of a campaign and of its house rules."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from campaigns.access import campaign_for, is_administrator
from campaigns.forms import RoundForm
from campaigns.models import Campaign, Round
from campaigns.pages.administer import administer_page
from campaigns.pages.house_rules import change_lines, faults_in, house_page, id_of, merged, preview_of, setting_text
from campaigns.questions import ask_about_round
from campaigns.services.house_rules import change_house_rules, drop_coming_rules, preview_house_rules
from campaigns.services.open import (
    archive_campaign,
    change_campaign,
    finish_campaign,
    renew_invitation,
    renew_public_address,
    reopen_campaign,
    unarchive_campaign,
)
from campaigns.services.rounds import change_round, close_round, open_round
from campaigns.settings_forms import CampaignForm, CampaignSettingsForm, RulesForm
from campaigns.settings_schema import house_settings, settings_of
from campaigns.views.acting import respond, site_of
from campaigns.views.silence import let_silence_confirm_in
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.forms import ActForm
from warbands.idempotency import new_token
from warbands.models import Event
from warbands.pages.house_rules import label_of
from warbands.parsing import read_number
from warbands.undo import undo
from warbands.views.acting import Notice, ask_first, attempt, tried_form
from warbands.views.fetch import whole_number

SIMPLE = {
    "invite": renew_invitation,
    "address": renew_public_address,
    "finish": finish_campaign,
    "reopen": reopen_campaign,
    "archive": archive_campaign,
    "unarchive": unarchive_campaign,
}


@login_required
@require_http_methods(["GET", "POST"])
def campaign_administer(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what needs an administrator, and the few actions that concern the whole campaign."""
    campaign = campaign_for(request.user, pk, to="administer")

    def show(notice: Notice | None, status: int) -> HttpResponse:
        fresh = campaign_for(request.user, pk, to="administer") if request.method == "POST" else campaign
        page = administer_page(fresh, site_of(request), page=whole_number(request, "page"))
        context = {"page": page, "notice": notice, "tokens": [new_token() for _ in range(6)]}
        return render_page(request, "campaigns/administer.html", context, status=status)

    if request.method != "POST":
        if campaign.is_due:
            let_silence_confirm_in(campaign)
        return show(None, 200)
    act = request.POST.get("act", "")
    form: Any = RoundForm(request.POST) if act == "round-move" else ActForm(request.POST)

    def do() -> Any:
        once = {"actor": request.user, "token": form.cleaned_data["token"]}
        if act in SIMPLE:
            return SIMPLE[act](campaign=campaign, **once)  # type: ignore[operator]
        if act == "round-open":
            return open_round(campaign=campaign, starts_on=timezone.localdate(), **once)
        found = Round.objects.live().filter(campaign=campaign, is_closed=False).order_by("-number").first()
        if found is None:
            raise Refusal(_("No round is open."))
        if act == "round-close":
            return close_round(round=found, **once)
        if act == "round-move":
            return change_round(round=found, starts_on=found.starts_on, ends_on=form.cleaned_data["ends_on"], **once)
        raise Refusal(_("Choose something first."))

    asked = None
    if act == "round-move" and form.is_valid():
        asked = ask_first(request, ask_about_round(None, form.cleaned_data["ends_on"]), label=_("Change the end"))
    tried = asked or tried_form(request, form, do, beside=("ends_on",))
    gone = tried.done and act == "archive"
    return respond(
        request, tried, show, onward=reverse("campaign-list") if gone else reverse("campaign-administer", args=[pk])
    )


# --- rules -----------------------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def house_rule_list(request: HttpRequest, pk: int) -> HttpResponse:
    """Show all house rules and settings of a campaign; administrators edit them part by part."""
    campaign = campaign_for(request.user, pk)
    administers = is_administrator(request.user, campaign)
    part = request.GET.get("edit", "")
    if part and not administers:
        raise PermissionDenied(_("Only the campaign's administrators can do this."))
    if part not in PARTS:
        return _rules_read(request, campaign, administers=administers)
    form = _part_form(campaign, part, request.POST or None)

    def show(notice: Notice | None, status: int, preview: Any = None) -> HttpResponse:
        if form.is_bound:
            form.data = form.data.copy()
            form.data["token"] = new_token()
        context = {
            "page": house_page(campaign, administers=True),
            "part": part,
            "title": PARTS[part],
            "here": f"{reverse('house-rule-list', args=[pk])}?edit={part}",
            "form": form,
            "notice": notice,
            "previews": part in ("rules", "readings"),
            "preview": preview,
            "previewed": preview is not None,
        }
        return render_page(request, "campaigns/house_rules_edit.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    if request.POST.get("act") == "preview":
        return _preview(request, campaign, part, form, show)
    tried = attempt(request, form, lambda: _change(request, campaign, part, form))
    return respond(request, tried, show, onward=reverse("house-rule-list", args=[pk]))


def _rules_read(request: HttpRequest, campaign: Campaign, *, administers: bool) -> HttpResponse:
    """Show the rules. An administrator may undo the last change or take back a scheduled one."""

    def show(notice: Notice | None, status: int) -> HttpResponse:
        fresh = Campaign.objects.select_related("terms").get(pk=campaign.pk)
        page = house_page(fresh, administers=administers, whole_history=request.GET.get("history") == "all")
        context = {"page": page, "notice": notice, "token": new_token()}
        return render_page(request, "campaigns/house_rules.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    if not administers:
        raise PermissionDenied(_("Only the campaign's administrators can do this."))
    form = ActForm(request.POST)

    def do() -> Any:
        once = {"actor": request.user, "token": form.cleaned_data["token"]}
        drop, last = (read_number(request.POST.get(name, "")) for name in ("drop", "undo"))
        if drop is not None:
            return drop_coming_rules(campaign=campaign, version=drop, **once)
        line = next((each for each in change_lines(campaign) if each.undo and each.undo == last), None)
        if line is None:
            raise Refusal(_("The house rules have changed since."), code="gone")
        return undo(event=Event.objects.get(pk=line.undo), **once)

    tried = attempt(request, form, do)
    return respond(request, tried, show, onward=reverse("house-rule-list", args=[campaign.pk]))


PARTS = {
    "campaign": gettext_lazy("The campaign"),
    "ways": gettext_lazy("What counts"),
    "rules": gettext_lazy("House rules"),
    "readings": gettext_lazy("Unclear rules"),
}


def _part_form(campaign: Campaign, part: str, data: Any) -> Any:
    once = {"token": new_token()}
    if part == "campaign":
        kept = {name: getattr(campaign, name) for name in ("name", "starts_on", "seen_by", "rosters", "dice", "notes")}
        return CampaignForm(data, initial={**kept, "rounds_planned": campaign.rounds_planned or None, **once})
    if part == "ways":
        return CampaignSettingsForm(data, initial={**settings_of(campaign), **once})
    settings = house_settings(campaign.terms)[0 if part == "rules" else 1]
    rules = campaign.terms.in_force
    given = {**rules, **(rules.get("readings") or {})}
    initial: dict[str, Any] = {}
    for setting in settings:
        value = setting_text(setting, given.get(setting.key, setting.default), campaign.terms)
        if setting.kind == "price":
            initial |= {f"{setting.key}_ducats": value.get("ducats"), f"{setting.key}_glory": value.get("glory")}
        else:
            initial[setting.key] = value
    return RulesForm(
        data,
        settings=settings,
        find=lambda name: id_of(name, campaign.terms),
        label=label_of,
        faults=lambda key, text: faults_in(campaign.terms, key, text),
        initial={**initial, **once},
    )


def _change(request: HttpRequest, campaign: Campaign, part: str, form: Any) -> Any:
    once = {"campaign": campaign, "actor": request.user, "token": form.cleaned_data["token"]}
    if part == "campaign":
        return change_campaign(**form.particulars, **once)
    if part == "ways":
        return change_campaign(settings=form.chosen, **once)
    wanted = merged(campaign.terms, form.chosen, readings_too=part == "readings")
    return change_house_rules(house_rules=wanted, **form.when, **once)


def _preview(request: HttpRequest, campaign: Campaign, part: str, form: Any, show: Any) -> HttpResponse:
    """Show which warbands a change would affect, without saving anything."""
    if not form.is_valid():
        return show(None, 422)
    try:
        wanted = merged(campaign.terms, form.chosen, readings_too=part == "readings")
        rows = preview_house_rules(campaign, wanted, **form.when)
    except Refusal as refusal:
        return show(Notice("problem", refusal.message, refusal.mend), 422)
    return show(None, 200, preview_of(rows))
