"""Pages are sent compressed, except those that contain a secret link.

The size of a compressed page reveals something about it to an attacker who can watch the connection and place text on the page (BREACH).
CSRF secrets are masked differently in each page, and every form has its own token, so neither repeats. Links that invite, claim or share
do repeat, so their pages are not compressed. In addition, a random number of bytes is added.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware

# Pages with links that give access, and all pages about passwords (allauth's URL names begin with "account_").
HANDS_OUT_LINKS = frozenset(
    {
        "account-show",
        "battle-print",
        "battle-show",
        "campaign-administer",
        "campaign-join",
        "friendly-invite",
        "player-list",
        "report-answer",
        "report-by-code",
        "seat-claim",
        "seat-reset",
        "seat-show",
        "roster-print",
        "warband-share",
        "watch-share",
        "printer-link",
        "printer-show",
    }
)


DATA = frozenset({"attack-list"})  # large, without a secret


class CompressedPages(GZipMiddleware):
    """Middleware that compresses HTML, and `DATA`, for clients that accept it. Everything else is small or already compressed."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        name = request.resolver_match.view_name if request.resolver_match else ""
        is_page = response.get("Content-Type", "").startswith("text/html") and not response.streaming
        if (
            not (is_page or name in DATA)
            or not name
            or name.startswith(("account_", "admin:"))
            or name in HANDS_OUT_LINKS
        ):
            return response
        return super().process_response(request, response)
