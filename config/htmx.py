"""Renders a page, or the part of it that htmx requests."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers


def render_page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    partials: Sequence[str] = (),
    oob: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    """Return the whole page, or one of its partials when htmx targets an element of that name.

    Only the names in `partials` may be requested. The component templates in `oob` follow a partial; htmx swaps them
    out of band. In their context, `oob` is true.
    """
    target = (request.htmx.target or "").rpartition("#")[2] if request.htmx else ""  # htmx 4 sends "tag#id"
    if target in partials:
        html = render_to_string(f"{template}#{target}", dict(context), request)
        for component in oob:
            html += render_to_string(component, {**context, "oob": True}, request)
        response = HttpResponse(html, status=status)
    else:
        response = render(request, template, dict(context), status=status)
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response
