"""The views of a battle's link to watch: hand it out and revoke it, and what it shows."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.access import battle_by_code, battle_for, table_read_by_code
from campaigns.pages.watching import watch_link_page
from campaigns.services.watching import hand_out_watch_link, revoke_watch_link
from campaigns.views.acting import site_of
from campaigns.views.tracker import watched_table
from config.access import login_required, public
from config.htmx import render_page


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def watch_share(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the link to watch a battle. A POST hands it out, or revokes it."""
    battle = battle_for(request.user, pk, to="play")
    press = request.POST.get("press")
    if press == "hand-out":
        hand_out_watch_link(battle=battle)
    elif press == "revoke":
        revoke_watch_link(battle=battle)
    if request.method == "POST":
        return redirect("watch-share", pk)
    return render_page(request, "campaigns/watch_share.html", {"page": watch_link_page(battle, site_of(request))})


@public(
    reason="Whoever was given the secret link of a battle watches its table, without rosters where these are hidden."
)
@require_safe
def watch_show(request: HttpRequest, code: str) -> HttpResponse:
    """Show the table of a battle, and its updates, to whoever has its link."""
    response = watched_table(
        request, read=lambda: table_read_by_code(code), fetch=lambda: battle_by_code(code), code=code
    )
    response["X-Robots-Tag"] = "noindex"
    return response
