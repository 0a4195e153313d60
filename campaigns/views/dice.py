"""The views to check the app's dice of a battle: the page with the seal, and the record of all throws as JSON."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaigns.access import table_by_slug, table_for
from campaigns.dice_record import dice_document
from campaigns.models import Battle, Table
from campaigns.pages.dice import dice_page
from campaigns.services.common import live_sides
from config.access import login_required, public
from config.htmx import render_page


@login_required
@require_safe
def dice_check(request: HttpRequest, pk: int) -> HttpResponse:
    battle = table_for(request.user, pk)
    page = dice_page(battle, live_sides(battle), _table(battle))
    return render_page(request, "campaigns/dice.html", {"page": page})


@login_required
@require_safe
@never_cache
def dice_export(request: HttpRequest, pk: int) -> HttpResponse:
    return _record(table_for(request.user, pk))


@public(reason="The dice of a battle whose table is shown to whoever has the campaign's link.")
@require_safe
def dice_watch(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    battle = table_by_slug(slug, pk)
    page = dice_page(battle, live_sides(battle), _table(battle), by_link=True)
    return render_page(request, "campaigns/dice.html", {"page": page})


@public(reason="The dice of a battle whose table is shown to whoever has the campaign's link.")
@require_safe
@never_cache
def dice_watch_export(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    return _record(table_by_slug(slug, pk))


def _table(battle: Battle) -> Table | None:
    return Table.objects.filter(battle=battle).first()


def _record(battle: Battle) -> JsonResponse:
    document = dice_document(battle, _table(battle))
    response = JsonResponse(document, json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="dice.json"'
    return response
