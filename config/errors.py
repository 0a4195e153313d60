"""Error pages: a plain explanation, what to do next, and a reference to quote for server errors."""

import logging
import secrets
import sys

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

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
            return busy(request, sys.exc_info()[1])
        except Exception:  # a missing manifest must not make it worse
            logger.exception("The page for a busy database itself failed")
    reference = secrets.token_hex(4)
    logger.error("Reference %s: %r at %s %s", reference, sys.exc_info()[1], request.method, request.path)
    try:
        body = render_to_string("500.html", {"reference": reference})
    except Exception:  # a missing manifest must not hide the reference
        logger.exception("The error page itself failed")
        body = f"Something went wrong. Reference for the site owner: {reference}"
    return HttpResponse(body, status=500)


# Why a form was refused: the title, the explanation, what to do.
OUT_OF_DATE = (
    _("This page is out of date"),
    _("You signed in or out since opening it. Nothing was changed."),
    _("Go back, reload and send again."),
)
NO_COOKIES = (
    _("Your browser sent no cookies"),
    _("You can't sign in or change anything without cookies. Nothing was changed."),
    _("Allow cookies for this site, reload and send again."),
)
NEEDS_HTTPS = (
    _("This site needs https"),
    _("You opened it over plain http. Nothing was changed."),
    _("Open it with https:// in front. Site owner: see PLAIN_HTTP in the README."),
)
OTHER_ADDRESS = (
    _("This form came from another address"),
    _("The site doesn't know the address your browser sent it from. Nothing was changed."),
    _("Open the site by its usual address. Site owner: see CSRF_TRUSTED_ORIGINS and BEHIND_TLS_PROXY in the README."),
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
