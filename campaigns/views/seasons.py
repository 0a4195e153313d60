"""The view where an administrator starts a campaign from another one: its next season, a copy, a preset."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaigns.access import campaign_for
from campaigns.models import Campaign, CampaignPreset
from campaigns.pages.seasons import copy_page, season_form
from campaigns.season_forms import CampaignCopyForm, PresetForm
from campaigns.services.presets import remove_preset, save_preset
from campaigns.services.seasons import copy_campaign, found_season, seats_to_carry, unfinished_of
from campaigns.views.acting import respond
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.forms import ActForm
from warbands.parsing import read_number
from warbands.views.acting import Attempt, Notice, ask_first, attempt, renewed


@login_required
@require_http_methods(["GET", "POST"])
def campaign_copy(request: HttpRequest, pk: int) -> HttpResponse:
    """Start the next season, copy the campaign, or save and remove presets. A new campaign leads on to its desk."""
    campaign = campaign_for(request.user, pk, to="administer")
    sent: dict[str, Any] = {}

    def show(notice: Notice | None, status: int) -> HttpResponse:
        fresh = campaign_for(request.user, pk, to="administer") if request.method == "POST" else campaign
        forms = {act: renewed(form) for act, form in sent.items()} if status == 422 else {}
        context = {"page": copy_page(fresh, forms), "notice": notice, "form": next(iter(forms.values()), None)}
        return render_page(request, "campaigns/copy.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    act = request.POST.get("act", "")
    once = {"campaign": campaign, "actor": request.user}
    form: Any
    if act == "season":
        seats = seats_to_carry(campaign)
        form = sent[act] = season_form(campaign, seats, request.POST)
        tried = _asked(request, form, seats) or attempt(
            request, form, lambda: found_season(**form.chosen, **once, token=form.cleaned_data["token"])
        )
    elif act == "copy":
        form = sent[act] = CampaignCopyForm(request.POST, auto_id="id_copy_%s")
        tried = attempt(request, form, lambda: copy_campaign(**_plain(form), **once))
    elif act == "preset":
        form = sent[act] = PresetForm(request.POST, auto_id="id_preset_%s")
        tried = attempt(request, form, lambda: save_preset(**_plain(form), **once))
    else:
        form = ActForm(request.POST)
        tried = attempt(request, form, lambda: _removed(request, campaign, form.cleaned_data["token"]))
    onward = reverse("campaign-copy", args=[pk])
    if tried.done and isinstance(tried.result, Campaign):
        onward = reverse("campaign-administer", args=[tried.result.pk])
    return respond(request, tried, show, onward=onward)


def _plain(form: Any) -> dict[str, Any]:
    return {key: value for key, value in form.cleaned_data.items() if key != "seen"}


def _asked(request: HttpRequest, form: Any, seats: list[Any]) -> Attempt | None:
    """Ask before warbands are carried over in the middle of their post-battle."""
    if not form.is_valid() or not form.chosen["carries"]:
        return None
    chosen = set(form.chosen["seats"])
    names = unfinished_of([seat for seat in seats if seat.pk in chosen])
    lines = [_("{name} has not finished its post-battle. The rest of it stays behind.").format(name=n) for n in names]
    return ask_first(request, lines, label=_("Start the season"))


def _removed(request: HttpRequest, campaign: Campaign, token: str) -> Any:
    if request.POST.get("act") != "remove":
        raise Refusal(_("Choose something first."))
    key = read_number(request.POST.get("preset", ""))
    preset = CampaignPreset.objects.live().filter(pk=key, campaign=campaign).select_related("campaign").first()
    if preset is None:
        raise Refusal(_("That is no longer here."), mend=_("Reload the page."), code="gone")
    return remove_preset(preset=preset, actor=request.user, token=token)
