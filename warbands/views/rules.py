"""Views of the rules browser. Everybody can read the books of each edition; those who use house rules can read them applied to it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.access import public
from config.htmx import render_page
from rules.problems import Refusal
from warbands.access import terms_read_by
from warbands.models import Terms
from warbands.pages.book_changes import book_page
from warbands.pages.rules import editions, find_entry, missing_page, rules_page
from warbands.pages.states import read_state
from warbands.parsing import read_number


@public(reason="Names, figures and our own summaries of the rules; house rules only to those who play under them.")
@require_safe
def rule_list(request: HttpRequest, game: str = "", edition: str = "") -> HttpResponse:
    game, edition = _known(game, edition)
    page = rules_page(
        game,
        edition,
        find=request.GET.get("find", "")[:60],
        kind=request.GET.get("kind", "")[:40],
        page=read_number(request.GET.get("page", "1")) or 1,
        terms=_terms(request, game, edition),
    )
    return render_page(request, "rules/rule_list.html", {"page": page}, partials=["rule_list"])


@public(reason="Names, figures and our own summaries of the rules; house rules only to those who play under them.")
@require_safe
def rule_show(request: HttpRequest, game: str, edition: str, kind: str, slug: str) -> HttpResponse:
    game, edition = _known(game, edition)
    terms = _terms(request, game, edition)
    entry = find_entry(game, edition, kind, slug, terms)
    if entry is None:
        page = missing_page(game, edition, kind, slug, terms=terms)
        return render_page(request, "rules/missing.html", {"page": page}, status=404)
    page = rules_page(game, edition, kind=kind, entry=entry, terms=terms)
    return render_page(request, "rules/rule.html", {"page": page})


@public(reason="Names, figures and our own summaries of the rules, in two states.")
@require_safe
def rule_states(request: HttpRequest, game: str, edition: str) -> HttpResponse:
    """Show the difference of two states of an edition."""
    game, edition = _known(game, edition)
    try:
        page = book_page(
            game,
            edition,
            here=_state_named(request, "here"),
            there=_state_named(request, "there"),
            find=request.GET.get("find", "")[:60].strip(),
        )
    except (KeyError, Refusal):
        raise Http404(_("No such state.")) from None
    return render_page(request, "rules/states.html", {"page": page})


LONGEST_STATE = 400


def _state_named(request: HttpRequest, name: str) -> str:
    """Return a state that the address names. A plus sign that was typed as it is arrives as a space."""
    return request.GET.get(name, "")[:LONGEST_STATE].strip().replace(" ", "+")


def _known(game: str, edition: str) -> tuple[str, str]:
    known = editions()
    if not game:
        return known[0]
    if (game, edition) not in known:
        raise Http404(_("No such edition."))
    return game, edition


def _terms(request: HttpRequest, game: str, edition: str) -> Terms | None:
    """Return the requested terms if they belong to this edition and the user may read them.

    Else the state that the address names, or None for the book alone.
    """
    asked = request.GET.get("terms", "")
    terms = terms_read_by(request.user, asked) if asked else None
    if terms is None or (terms.system, terms.edition) != (game, edition):
        return read_state(game, edition, request.GET.get("state", "")[:LONGEST_STATE])
    terms.at_battle = read_number(request.GET.get("battle", "0")) or 0
    return terms
