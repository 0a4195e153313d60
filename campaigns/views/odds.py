"""The views for the odds of an attack, and for the printed crib of a battle."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_safe

from campaigns.access import battle_for, side_of
from campaigns.pages.battle_sides import read_sides
from campaigns.pages.crib import CribFoe, crib
from campaigns.pages.odds import odds_page, shared_page
from campaigns.services.common import side_name, versus
from config.access import login_required, public
from config.htmx import render_page
from config.limits import too_many_sheets
from rules.problems import Refusal
from warbands.print_options import PrintOptions
from warbands.printing import NOTICE, render_html, render_pdf
from warbands.views.fetch import whole_number


@public(reason="A situation that somebody gave away as a link; anything else asks for a sign-in.")
@require_safe
def odds_show(request: HttpRequest) -> HttpResponse:
    """Show the odds of one attack; the URL contains the whole situation."""
    if shared := request.GET.get("shared", ""):
        return render_page(request, "campaigns/odds.html", {"page": shared_page(shared)})
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    page = odds_page(request.user, request.GET.dict())
    status = 422 if page.problem else 200
    return render_page(request, "campaigns/odds.html", {"page": page}, partials=["odds"], status=status)


@dataclass(frozen=True, slots=True)
class CribPage:
    title: str
    subtitle: str
    foes: tuple[CribFoe, ...]
    left: tuple[str, ...]
    paper: str
    look: str
    led_by: str
    stamp_words: str
    link_words: str = ""
    qr_svg: SafeString = mark_safe("")
    notice_words: str = field(default_factory=NOTICE.__str__)


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
        found = crib(battle, own, [side for side in sides if side.pk != mine.pk], request.user)
    except Refusal as refusal:
        return render_page(request, "400.html", {"words": str(refusal)}, status=400)
    if refused := too_many_sheets(request):
        return refused
    terms = battle.campaign.terms
    page = CribPage(
        title=_("Crib of {side}").format(side=side_name(own)),
        subtitle=versus(sides),
        foes=found.foes,
        left=found.left,
        paper=options.paper,
        look=options.look,
        led_by=request.user.get_username(),
        stamp_words=f"{terms.game.name} {terms.edition}, {date_format(timezone.localdate(), 'j M Y')}",
    )
    response = HttpResponse(render_pdf(render_html(page, "print/crib.html")), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="crib-{battle.pk}.pdf"'
    return response
