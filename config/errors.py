"""Error pages: a plain explanation, what to do next, and a reference to quote for server errors."""

import logging
import secrets
import sys

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from config.db_timeout import busy, is_busy

logger = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the 400 page. It does not use the request, which may be the cause."""
    return HttpResponse(render_to_string("400.html"), status=400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the 403 page, with the sentence of the exception if it has one."""
    return render(request, "403.html", {"reason": str(exception)}, status=403)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the 404 page: the same for a page that does not exist and one that the reader may not see."""
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the 500 page with a reference that is also in the log. It needs neither the database nor static files.

    If the database did not answer in time, return 503 instead, so that the person tries again.
    """
    if is_busy(sys.exc_info()[1]):
        logger.warning("The database was busy at %s %s", request.method, request.path)
        try:
            return busy(request)
        except Exception:  # a missing manifest must not make it worse
            logger.exception("The page for a busy database itself failed")
    reference = secrets.token_hex(4)
    logger.error("Reference %s: %r at %s %s", reference, sys.exc_info()[1], request.method, request.path)
    try:
        body = render_to_string("500.html", {"reference": reference})
    except Exception:  # a missing manifest must not hide the reference
        logger.exception("The error page itself failed")
        body = f"Something broke on our side. Please quote reference {reference}."
    return HttpResponse(body, status=500)


# Why a form was refused: the title, the explanation, what to do.
OUT_OF_DATE = (
    "This page is out of date",
    "You signed in or out since opening it. Nothing was changed.",
    "Go back, reload the page and send it again.",
)
NO_COOKIES = (
    "Your browser sent no cookies",
    "Without cookies nobody can sign in or change anything here. Nothing was changed.",
    "Allow cookies for this site, reload the page and send it again.",
)
NEEDS_HTTPS = (
    "This site needs https",
    "You opened it over plain http, and it keeps people signed in over https only. Nothing was changed.",
    "Open it with https:// in front. For the site owner: a laptop on a local network runs with PLAIN_HTTP=1, see the README.",
)
OTHER_ADDRESS = (
    "This form came from another address",
    "The site does not know the address that your browser sent it from. Nothing was changed.",
    "Open the site by its usual address. For the site owner: CSRF_TRUSTED_ORIGINS and BEHIND_TLS_PROXY, see the README.",
)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    logger.warning("Form token refused at %s: %s", request.path, reason)
    if reason.startswith(("Origin checking failed", "Referer checking failed")):
        title, words, mend = OTHER_ADDRESS
    elif settings.CSRF_COOKIE_NAME in request.COOKIES:
        title, words, mend = OUT_OF_DATE
    elif settings.CSRF_COOKIE_SECURE and not request.is_secure():
        title, words, mend = NEEDS_HTTPS
    else:
        title, words, mend = NO_COOKIES
    return render(request, "403_csrf.html", {"title": title, "words": words, "mend": mend}, status=403)
