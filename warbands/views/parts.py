"""Answers to presses on a page of rows: the parts that differ from what the page shows, or all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

from config.htmx import render_page
from warbands.pages.parts import PagePart, PageParts
from warbands.views.acting import Notice

FORM = "warbands/parts/press_form.html"


def render_parts(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    parts: PageParts | None,
    *,
    partial: str,
    oob: Sequence[str] = (),
    oob_whole: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    """Return the page, the partial that htmx asks for, or after a press just the parts of it that differ.

    `oob` are components of every answer by htmx, `oob_whole` those outside the partial that are parts themselves.
    """
    notice = context.get("notice")
    asks = notice if notice is not None and (notice.again or notice.lines) else None  # the others stand in the bar
    told = told_of(parts, context.get("form"), asks)
    context = {**context, "told": told}
    changed = changed_parts(request, parts, told)
    if parts is None or changed is None:
        return render_page(request, template, context, partials=[partial], oob=(*oob, *oob_whole), status=status)
    html = drawn_parts(request, parts, changed, told=told)
    for component in oob:
        html += render_to_string(component, {**context, "oob": True}, request)
    response = HttpResponse(html, status=status)
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


def told_of(parts: PageParts | None, form: Any, notice: Notice | None) -> str:
    """Return what the form tells of its page; nothing while open choices or a notice stand among the rows, which go as a whole."""
    return "" if parts is None or form is not None or notice is not None else parts.told


def changed_parts(request: HttpRequest, parts: PageParts | None, told: str) -> tuple[PagePart, ...] | None:
    """Return the parts that differ from the page that was pressed; None if all of it has to be drawn."""
    if parts is None or not told or not request.htmx or request.method != "POST":  # type: ignore[attr-defined]
        return None
    return parts.differing(request.POST.get("told", ""), brief="brief" in request.POST)


def drawn_parts(request: HttpRequest, parts: PageParts, changed: Sequence[PagePart], *, told: str) -> str:
    """Return these parts and the form of the page, each with its place; htmx lays them over what stands there."""
    form = PagePart(parts.press.form, FORM, {"press": parts.press, "bought": parts.bought, "told": told}, None)
    return "".join(
        _placed(part.id, render_to_string(part.template, dict(part.values), request)) for part in (*changed, form)
    )


def _placed(where: str, html: str) -> str:
    return f'<hx-partial hx-target="#{where}" hx-swap="outerMorph">{html}</hx-partial>'
