"""The views for the list of campaigns, opening one, its home page, and its public page for spectators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.access import campaign_by_slug, campaign_for
from campaigns.pages.campaign import campaign_page, watch_page
from campaigns.pages.desk_queries import read_board
from campaigns.pages.feed import news_page
from campaigns.pages.listing import campaign_list as list_page
from campaigns.pages.standing_chart import MAX_NAMED, ChartState
from campaigns.presets import Preset, find_preset, preset_fields, preset_rules, presets_for
from campaigns.services.open import open_campaign
from campaigns.settings_forms import OpenForm
from campaigns.views.acting import add_success_message
from campaigns.views.silence import let_silence_confirm_among
from config.access import login_required, public
from config.htmx import render_page
from rules.problems import Refusal
from rules.registry import systems
from warbands.idempotency import new_token
from warbands.labels import edition_name
from warbands.views.acting import Notice, attempt
from warbands.views.fetch import whole_number

LONGEST_KEY = 20  # of what the standings are sorted by


@login_required
@require_safe
def campaign_list(request: HttpRequest) -> HttpResponse:
    archive = request.GET.get("show") == "archive"
    return render_page(request, "campaigns/campaign_list.html", {"page": list_page(request.user, archive=archive)})


def game_choices(preset: Preset | None = None) -> list[tuple[str, str]]:
    """Return the games and editions; for a preset with house rules, only the one that these are for."""
    return [
        (f"{game.id}/{edition}", edition_name(game.id, edition))
        for game in systems()
        for edition in game.editions()
        if preset is None or not preset.system or (preset.system, preset.edition) == (game.id, edition)
    ]


@login_required
@require_http_methods(["GET", "POST"])
def campaign_open(request: HttpRequest) -> HttpResponse:
    """Open a campaign, from a preset if one was chosen, then redirect to its administration page with the invite link."""
    presets = presets_for(request.user)
    chosen = find_preset(presets, request.POST.get("preset", request.GET.get("preset", "")))
    initial = {**preset_fields(chosen), "token": new_token()}
    form = OpenForm(request.POST or None, games=game_choices(chosen), initial=initial)
    if request.method != "POST":
        return _show_open(request, form, presets, chosen)

    def do() -> object:
        if form.cleaned_data["preset"] and chosen is None:
            raise Refusal(_("This preset is no longer here."), mend=_("Choose another one."), code="gone")
        system, _sep, edition = form.cleaned_data["game"].partition("/")
        return open_campaign(
            actor=request.user,
            system=system,
            edition=edition,
            token=form.cleaned_data["token"],
            **preset_rules(chosen),
            **form.particulars,
        )

    tried = attempt(request, form, do)
    if not tried.done:
        form.data = form.data.copy()
        form.data["token"] = new_token()
        return _show_open(request, form, presets, chosen, tried.notice, tried.status)
    add_success_message(
        request, tried.event, _("{result} is ready. Share the invite link.").format(result=tried.result)
    )
    return redirect("campaign-administer", tried.result.pk)


def _show_open(
    request: HttpRequest,
    form: OpenForm,
    presets: Sequence[Preset],
    chosen: Preset | None,
    notice: Notice | None = None,
    status: int = 200,
) -> HttpResponse:
    main = [form[name] for name in ("name", "game", "starts_on", "rounds_planned")]
    ways = [form[name] for name in ("seen_by", "rosters", "dice")]
    context = {
        "form": form,
        "main_fields": main,
        "way_fields": ways,
        "notice": notice,
        "presets": presets,
        "preset": chosen,
    }
    return render_page(request, "campaigns/open.html", context, status=status)


@login_required
@require_safe
def campaign_show(request: HttpRequest, pk: int) -> HttpResponse:
    campaign = campaign_for(request.user, pk)
    board = read_board(request.user, campaign)
    if let_silence_confirm_among(board.battles):
        board = read_board(request.user, campaign)
    page = campaign_page(board, **_standings_state(request))
    return render_page(request, "campaigns/campaign.html", {"page": page})


@public(reason="A campaign that its administrators show to whoever has the link.")
@require_safe
def campaign_watch(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = campaign_by_slug(slug)
    page = watch_page(campaign, **_standings_state(request))
    return render_page(request, "campaigns/watch.html", {"page": page})


@login_required
@require_safe
def news_list(request: HttpRequest, pk: int) -> HttpResponse:
    campaign = campaign_for(request.user, pk)
    return render_page(
        request, "campaigns/news.html", {"page": news_page(campaign, before=whole_number(request, "before", 0))}
    )


@public(reason="The news of a campaign that its administrators show to whoever has the link.")
@require_safe
def news_watch(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = campaign_by_slug(slug)
    page = news_page(campaign, before=whole_number(request, "before", 0), watched=True)
    return render_page(request, "campaigns/news.html", {"page": page})


def _standings_state(request: HttpRequest) -> dict[str, Any]:
    """Return what the address says about the standings and their chart. What it cannot mean is left out."""
    sent = request.GET
    lines = tuple(int(text) for text in sent.getlist("line") if text.isascii() and text.isdigit() and len(text) < 9)
    return {
        "sort": sent.get("sort", "")[:LONGEST_KEY],
        "page": whole_number(request, "page", 1),
        "chart": ChartState(lines[:MAX_NAMED], sent.get("chart") == "table"),
    }
