"""The view of the desk; visitors see the home page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaigns.pages.desk import desk_page
from campaigns.pages.desk_queries import read_board
from campaigns.views.silence import let_silence_confirm_among
from config.access import public
from config.htmx import render_page
from warbands.pages.start import games_played


@public(reason="Strangers are told what this is; one's own desk is shown to whoever is signed in.")
@require_safe
def desk_show(request: HttpRequest) -> HttpResponse:
    """Show waiting tasks, one's own warbands and the news, or the home page to visitors."""
    if not request.user.is_authenticated:
        return render_page(request, "campaigns/home.html", {"games": games_played()})
    board = read_board(request.user)
    if let_silence_confirm_among(board.battles):
        board = read_board(request.user)
    page = desk_page(request.user, board)
    context = {"page": page, "waiting": len(page.waits), "own_places": page.own_places}
    return render_page(request, "campaigns/desk.html", context)
