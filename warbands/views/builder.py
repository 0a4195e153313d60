"""The parts of the builder that htmx fetches and presses: the open fighter, and beside the roster its shop and what may be hired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

from warbands.models import Fighter, Warband
from warbands.pages.builder import builder_bar, sections_of
from warbands.pages.cards import FighterCard, card_of
from warbands.pages.hire import hire_rows
from warbands.pages.panel import fighter_panel
from warbands.pages.parts import PageParts, hire_rows_parts, shop_parts
from warbands.pages.roster import Roster
from warbands.pages.roster_top import roster_top
from warbands.pages.shop import fighter_shop
from warbands.views.acting import Notice
from warbands.views.fetch import fresh_roster, present_row
from warbands.views.offers import choosing_form, find_of, stood_order, take_of
from warbands.views.parts import changed_parts, drawn_parts, told_of

PANEL = "warbands/parts/fighter_panel.html"
SHOP = "warbands/parts/beside_shop.html"
HIRE = "warbands/parts/beside_hire.html"
ROSTER = "warbands/parts/roster_list.html"
BLOCK = "components/fighter_row.html"
SAID = ("warbands/parts/roster_top.html", "components/budget_bar.html", "components/just_done.html")


def is_beside(request: HttpRequest) -> bool:
    """Return whether htmx asks for the part beside the roster, or presses it."""
    asked = request.GET.get("part") == "beside" or "beside" in request.POST
    return bool(request.htmx) and asked  # type: ignore[attr-defined]


def show_panel(
    request: HttpRequest,
    warband: Warband,
    pk: int,
    notice: Notice | None = None,
    status: int = 200,
    *,
    roster: Roster | None = None,
    acts: bool = True,
    others: Sequence[int] = (),
) -> HttpResponse:
    """Answer with the panel of a fighter: fetched with a place for its shop and the bar, or after an act with all that it changed.

    `others` are the other fighters whose blocks changed.
    """
    after_act = roster is None
    roster = roster or fresh_roster(warband)
    row = present_row(roster, pk)
    context = _panel_context(roster, row, acts=acts) | {"notice": notice}
    if not after_act:
        # The bar leads on from the fighter that opens. It tells no version: the rest of the page may be of an earlier one.
        context["bar"] = replace(context["bar"], seen=0)
        return _answer(request, context, "warbands/parts/fighter_body.html", oob=("components/budget_bar.html",))
    cards = _cards(roster, others)
    if "shop_here" not in request.POST:
        return _answer(request, context, PANEL, oob=(BLOCK, *SAID), status=status, cards=cards)
    context |= _shop_context(request, roster, row)
    context, changed = _parts_of(request, context, shop_parts(context["shop"]))
    oob = (BLOCK, *SAID, *(() if changed else (SHOP,)))
    return _answer(request, context, PANEL, oob=oob, status=status, cards=cards, changed=changed)


def show_shop_beside(
    request: HttpRequest,
    warband: Warband,
    row: Fighter,
    notice: Notice | None = None,
    status: int = 200,
    *,
    roster: Roster | None = None,
    form: Any = None,
    done: bool = False,
    others: Sequence[int] = (),
) -> HttpResponse:
    """Answer with the shop of the open fighter; after a press also with its panel, its block and the bar.

    `others` are the other fighters whose blocks changed.
    """
    after_act = request.method == "POST"
    roster = roster if roster is not None and not after_act else fresh_roster(warband)
    row = present_row(roster, row.pk)
    context = _shop_context(request, roster, row, form=form, done=done) | {"shop_notice": notice}
    context, changed = _parts_of(request, context, shop_parts(context["shop"]), notice)
    if not after_act:
        return _answer(request, context, SHOP)
    context |= _panel_context(roster, row)
    shop, oob = "" if changed else SHOP, (PANEL, BLOCK, *SAID)
    return _answer(request, context, shop, oob=oob, status=status, cards=_cards(roster, others), changed=changed)


def show_hire_beside(
    request: HttpRequest, warband: Warband, notice: Notice | None = None, status: int = 200, *, form: Any = None
) -> HttpResponse:
    """Answer with what may be hired; after a press also with the roster and the bar."""
    roster = fresh_roster(warband)
    hires = hire_rows(
        roster, find=find_of(request), take=take_of(request, form), order=stood_order(request), beside=True
    )
    context = {
        "hires": hires,
        "form": choosing_form(hires.opened, form, roster.warband.version, named=True),
        "hire_notice": notice,
        "seen": roster.warband.version,
    }
    context, changed = _parts_of(request, context, hire_rows_parts(hires), notice)
    if request.method != "POST":
        return _answer(request, context, HIRE)
    context |= {
        "sections": sections_of(roster, acts=True, opened=_open_fighter(request)),
        "bar": builder_bar(roster),
        "top": roster_top(roster, acts=True),
    }
    rows, oob = "" if changed else HIRE, (ROSTER, *SAID) if status == 200 else SAID
    return _answer(request, context, rows, oob=oob, status=status, changed=changed)


def show_roster(request: HttpRequest, warband: Warband) -> HttpResponse:
    """Answer an act after which no fighter is open: the roster and the bar, and what may be hired where it stands beside."""
    roster = fresh_roster(warband)
    context: dict[str, Any] = {
        "sections": sections_of(roster, acts=True, opened=""),
        "bar": builder_bar(roster),
        "top": roster_top(roster, acts=True),
    }
    part = ""
    if "beside" in request.POST:
        hires = hire_rows(roster, find=find_of(request), take=take_of(request, None), order=(), beside=True)
        form = choosing_form(hires.opened, None, roster.warband.version, named=True)
        context |= {"hires": hires, "form": form, "seen": roster.warband.version, "hire_notice": None}
        context, _changed = _parts_of(request, context, hire_rows_parts(hires))
        part = render_to_string(HIRE, {**context, "oob": True}, request)
    return _answer(request, context, "", oob=(ROSTER, *SAID), changed=part)


def _open_fighter(request: HttpRequest) -> str:
    """Return the key of the fighter that is open on the page that was pressed, as its address says; "" for none."""
    query = urlsplit(request.htmx.current_url or "").query  # type: ignore[attr-defined]
    return QueryDict(query).get("fighter", "")


def _panel_context(roster: Roster, row: Fighter, *, acts: bool = True) -> dict[str, Any]:
    """Return what the panel of a fighter, its closed block and the bar are drawn from. No queries."""
    return {
        "panel": fighter_panel(roster, row, acts=acts, notes=acts),
        "card": card_of(roster, str(row.pk), acts=acts),
        "bar": builder_bar(roster, may_act=acts, opened=str(row.pk)),
        "top": roster_top(roster, acts=acts),
    }


def _cards(roster: Roster, keys: Sequence[int]) -> tuple[FighterCard, ...]:
    return tuple(card_of(roster, str(key), acts=True) for key in keys)


def _shop_context(
    request: HttpRequest, roster: Roster, row: Fighter, *, form: Any = None, done: bool = False
) -> dict[str, Any]:
    kits = [*request.POST.getlist("bought"), *(request.POST.getlist("kit") if done else [])]
    shop = fighter_shop(
        roster,
        row,
        find=find_of(request),
        take=take_of(request, form),
        order=stood_order(request),
        bought=kits,
        beside=True,
    )
    seen = roster.warband.version
    return {"shop": shop, "form": choosing_form(shop.opened, form, seen), "seen": seen}


def _parts_of(
    request: HttpRequest, context: dict[str, Any], parts: PageParts, notice: Notice | None = None
) -> tuple[dict[str, Any], str]:
    """Return the context with what the rows look like, and the parts of them that differ from the page; "" if all have to be drawn.

    `notice` is one that stands among the rows.
    """
    told = told_of(parts, context["form"], notice)
    changed = changed_parts(request, parts, told)
    drawn = drawn_parts(request, parts, changed, told=told) if changed is not None else ""
    return context | {"told": told}, drawn


def _answer(
    request: HttpRequest,
    context: dict[str, Any],
    part: str,
    *,
    oob: Sequence[str] = (),
    status: int = 200,
    cards: Sequence[FighterCard] = (),
    changed: str = "",
) -> HttpResponse:
    """Answer with a part, other parts of the page out of band, and rows that are drawn already."""
    html = render_to_string(part, {**context, "oob": False}, request) if part else ""
    html += changed
    for component in oob:
        html += render_to_string(component, {**context, "oob": True}, request)
    for card in cards:
        html += render_to_string(BLOCK, {"card": card, "oob": True}, request)
    response = HttpResponse(html, status=status)
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response
