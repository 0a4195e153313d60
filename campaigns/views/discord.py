"""The view where an administrator connects a Discord channel, tries it, and sees what was posted."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from campaigns.access import campaign_for
from campaigns.forms import DiscordForm
from campaigns.pages.discord import discord_page
from campaigns.services.discord import connect_discord, post_again, remove_discord, try_discord
from campaigns.views.acting import respond
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.idempotency import new_token
from warbands.views.acting import Notice, tried_form


class _NoEvent:
    leaves_event = False


@login_required
@never_cache
@sensitive_post_parameters("address")
@require_http_methods(["GET", "POST"])
def campaign_discord(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the campaign's channel. A POST connects, tries or removes it, or posts again what perhaps was posted."""
    campaign = campaign_for(request.user, pk, to="administer")

    def show(notice: Notice | None, status: int) -> HttpResponse:
        context = {"page": discord_page(campaign), "notice": notice, "tokens": [new_token() for _ in range(2)]}
        return render_page(request, "campaigns/discord.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form = DiscordForm(request.POST)
    act = request.POST.get("act", "")

    def do() -> Any:
        once = {"campaign": campaign, "actor": request.user, "token": form.cleaned_data["token"]}
        if act == "connect":
            return connect_discord(address=form.cleaned_data["address"], **once)
        if act == "remove":
            return remove_discord(**once)
        if act == "test":
            try_discord(campaign)
            return _NoEvent
        if form.cleaned_data["again"] is not None and post_again(campaign, form.cleaned_data["again"]):
            return _NoEvent
        raise Refusal(_("Choose something first."))

    said = _("It is on its way. Reload the page in a few seconds.") if act in ("test", "") else ""
    tried = tried_form(request, form, do, beside=("address",))
    return respond(request, tried, show, onward=reverse("campaign-discord", args=[pk]), said=said)
