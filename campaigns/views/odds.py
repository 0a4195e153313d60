"""The views for the odds of an attack, and for the printed crib of a battle."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_safe

from campaigns.access import battle_for, side_of
from campaigns.crib_sheet import CribPage, crib_pdf
from campaigns.pages.battle_sides import read_sides
from campaigns.pages.crib import Crib, crib
from campaigns.pages.odds import odds_page, shared_page
from campaigns.pages.odds_fighters import who_attacks
from campaigns.pages.unit_crib import UnitCrib, unit_crib
from campaigns.pages.unit_odds import shared_unit_page, table_odds_page, unit_odds_page
from campaigns.services.common import side_name, versus
from config.access import login_required, public
from config.htmx import render_page
from config.limits import too_many_sheets
from rules.problems import Refusal
from warbands.print_options import PrintOptions
from warbands.views.fetch import whole_number

UNITS = "campaigns/unit_odds.html"  # where whole units attack


@public(reason="A situation that somebody gave away as a link; anything else asks for a sign-in.")
@require_safe
def odds_show(request: HttpRequest) -> HttpResponse:
    """Show the odds of one attack; the URL contains the whole situation."""
    if shared := request.GET.get("shared", ""):
        if (units := shared_unit_page(shared)) is not None:
            return render_page(request, UNITS, {"page": units})
        return render_page(request, "campaigns/odds.html", {"page": shared_page(shared)})
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    data = request.GET.dict()
    if "table" in data:
        return render_page(request, UNITS, {"page": table_odds_page(request.user, data)}, partials=["odds"])
    rows, mine = who_attacks(request.user, data)
    if mine is not None and mine.terms is not None and mine.terms.game.unit_attacks is not None:
        page_of_units = unit_odds_page(request.user, data, rows, mine)
        return render_page(request, UNITS, {"page": page_of_units}, partials=["odds"])
    page = odds_page(request.user, data, rows, mine)
    status = 422 if page.problem else 200
    return render_page(request, "campaigns/odds.html", {"page": page}, partials=["odds"], status=status)


@login_required
@require_GET
def crib_print(request: HttpRequest) -> HttpResponse:
    """Download the crib of a battle as a PDF: the user's weapons against the other sides' fighters."""
    number = whole_number(request, "battle", 0)
    if not number:
        raise Http404(_("Which battle?"))
    battle = battle_for(request.user, number, to="play")
    mine = side_of(request.user, battle)
    if mine is None or mine.warband is None:
        raise Http404(_("You play no side of it."))
    try:
        options = PrintOptions.read(request.GET, paper=request.user.paper_size)  # type: ignore[union-attr]
        sides = list(read_sides(battle))
        own = next(side for side in sides if side.pk == mine.pk)
        of_units = battle.campaign.terms.game.unit_attacks is not None
        draw: Callable[..., Crib | UnitCrib] = unit_crib if of_units else crib
        found = draw(battle, own, [side for side in sides if side.pk != mine.pk], request.user)
    except Refusal as refusal:
        return render_page(request, "400.html", {"words": str(refusal)}, status=400)
    if refused := too_many_sheets(request):
        return refused
    terms = battle.campaign.terms
    page = CribPage(
        title=_("Crib of {side}").format(side=side_name(own)),
        subtitle=versus(sides),
        crib=found,
        paper=options.paper,
        look=options.look,
        led_by=request.user.get_username(),
        note_words=_(
            "Fire: what they lose on average, up to each distance. Charges and assaults: the chance to win, in per cent. "
            "At vehicles: the chance to destroy one, in per cent. Units as on their rosters, in the open."
        ),
        stamp_words=f"{terms.game.name} {terms.edition}, {date_format(timezone.localdate(), 'j M Y')}",
    )
    response = HttpResponse(crib_pdf(page), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="crib-{battle.pk}.pdf"'
    return response
