"""The view that downloads the battle sheet as a PDF."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from campaigns.access import battle_for, is_administrator, side_of
from campaigns.battle_sheet import battle_sheet, battle_sheet_pdf
from campaigns.pages.battle_sides import read_sides
from config.access import login_required
from config.htmx import render_page
from config.limits import too_many_sheets
from rules.problems import Refusal
from warbands.print_options import PrintOptions


@login_required
@require_GET
def battle_sheet_download(request: HttpRequest, pk: int) -> HttpResponse:
    """Download the sheet of one's own side; an administrator who plays no side gets one sheet per side."""
    battle = battle_for(request.user, pk, to="play")
    try:
        options = PrintOptions.read(request.GET, paper=request.user.paper_size)  # type: ignore[union-attr]
    except Refusal as refusal:
        return render_page(request, "400.html", {"words": str(refusal)}, status=400)
    if refused := too_many_sheets(request):
        return refused
    sides = list(read_sides(battle))
    mine = side_of(request.user, battle)
    every = mine is None or (request.GET.get("sides") == "all" and is_administrator(request.user, battle.campaign_id))
    wanted = [side for side in sides if every or (mine is not None and side.pk == mine.pk)]
    pdf = battle_sheet_pdf(battle_sheet(battle, sides, wanted, options.paper, options.look))
    response = HttpResponse(pdf, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="battle-{battle.pk}.pdf"'
    return response
