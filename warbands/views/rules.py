"""The rules browser, open to everybody."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from config.access import public
from config.htmx import render_page
from warbands.pages.rules import editions, find_entry, rules_page


@public(reason="Names, figures and our own summaries of the rules; nothing of anybody's.")
@require_safe
def rule_list(request: HttpRequest, game: str = "", edition: str = "") -> HttpResponse:
    """List every named thing of an edition, searched by name."""
    game, edition = _known(game, edition)
    page = rules_page(game, edition, find=request.GET.get("find", "")[:60], kind=request.GET.get("kind", "")[:40])
    return render_page(request, "rules/rule_list.html", {"page": page}, partials=["rule_list"])


@public(reason="Names, figures and our own summaries of the rules; nothing of anybody's.")
@require_safe
def rule_show(request: HttpRequest, game: str, edition: str, kind: str, slug: str) -> HttpResponse:
    """Show one named thing."""
    game, edition = _known(game, edition)
    entry = find_entry(game, edition, kind, slug)
    if entry is None:
        raise Http404("Nothing of that name.")
    page = rules_page(game, edition, kind=kind, entry=entry)
    return render_page(request, "rules/rule.html", {"page": page})


def _known(game: str, edition: str) -> tuple[str, str]:
    known = editions()
    if not game:
        return known[0]
    if (game, edition) not in known:
        raise Http404("No such edition.")
    return game, edition
