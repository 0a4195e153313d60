"""The views of the battle sheet: the page that prints it with the code for its report, and the plain PDF."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from campaigns.access import battle_for, is_administrator, side_of
from campaigns.battle_sheet import battle_sheet, battle_sheet_pdf
from campaigns.models import AHEAD, Battle, Side
from campaigns.pages.battle_print import battle_print_page
from campaigns.pages.battle_sides import read_sides
from campaigns.services.report_drafts import hand_out_report_code, renew_report_code, revoke_report_code
from campaigns.views.acting import site_of
from config.access import login_required
from config.htmx import render_page
from config.limits import too_many_sheets
from rules.problems import Refusal
from warbands.print_options import PrintOptions
from warbands.views.acting import Notice


@login_required
@require_GET
def battle_sheet_download(request: HttpRequest, pk: int) -> HttpResponse:
    """Download the sheet of one's own side, without a code; an administrator who plays no side gets one sheet per side."""
    battle = battle_for(request.user, pk, to="play")
    try:
        options = PrintOptions.read(request.GET, paper=request.user.paper_size)  # type: ignore[union-attr]
    except Refusal as refusal:
        return render_page(request, "400.html", {"words": str(refusal)}, status=400)
    if refused := too_many_sheets(request):
        return refused
    sides = read_sides(battle)
    return _pdf(battle, sides, _wanted(request, battle, sides, request.GET.get("sides") == "all"), options)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def battle_print(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the options of the battle sheet, and the codes of its sides. A POST returns the PDF, or renews or revokes a code."""
    battle = battle_for(request.user, pk, to="play")
    sides = read_sides(battle)
    mine, administers = side_of(request.user, battle), is_administrator(request.user, battle.campaign_id)
    sent = request.POST
    options = PrintOptions(paper=request.user.paper_size)  # type: ignore[union-attr]
    if "renew" in sent or "revoke" in sent:
        named = sent.get("renew") or sent.get("revoke")
        for side in sides if administers or mine is None else [mine]:
            if str(side.pk) == named and battle.status in AHEAD:
                renew_report_code(side=side) if "renew" in sent else revoke_report_code(side=side)
        return redirect("battle-print", pk)
    notice = None
    if request.method == "POST":
        try:
            options = PrintOptions.read(sent, paper=options.paper)
            if refused := too_many_sheets(request):
                return refused
            wanted = _wanted(request, battle, sides, bool(sent.get("all")))
            links = {}
            if sent.get("code") and battle.status in AHEAD:
                links = {side.pk: _link(request, side) for side in wanted}
            return _pdf(battle, sides, wanted, options, links, fillable=bool(sent.get("fillable")))
        except Refusal as refusal:
            notice = Notice("problem", refusal.message, refusal.mend)
    page = battle_print_page(
        battle,
        sides,
        mine,
        options,
        administers=administers,
        with_all=bool(sent.get("all")),
        with_code=notice is None or bool(sent.get("code")),
        fillable=bool(sent.get("fillable")),
    )
    context = {"page": page, "notice": notice}
    return render_page(request, "campaigns/battle_print.html", context, status=422 if notice else 200)


def _link(request: HttpRequest, side: Side) -> str:
    return site_of(request) + reverse("report-by-code", args=[hand_out_report_code(side=side)])


def _wanted(request: HttpRequest, battle: Battle, sides: Sequence[Side], wants_all: bool) -> list[Side]:
    """Return the sides to print: one's own, or all for an administrator who plays none of them or asks for all."""
    mine = side_of(request.user, battle)
    every = mine is None or (wants_all and is_administrator(request.user, battle.campaign_id))
    return [side for side in sides if every or (mine is not None and side.pk == mine.pk)]


def _pdf(
    battle: Battle,
    sides: Sequence[Side],
    wanted: Sequence[Side],
    options: PrintOptions,
    links: dict[int, str] | None = None,
    *,
    fillable: bool = False,
) -> HttpResponse:
    sheet = battle_sheet(battle, sides, wanted, options.paper, options.look, links=links, fillable=fillable)
    response = HttpResponse(battle_sheet_pdf(sheet), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="battle-{battle.pk}.pdf"'
    response["Cache-Control"] = "no-store" if links else "private"
    return response
