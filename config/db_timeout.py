"""The page for a database timeout: nothing was written, and the person may send the same form again."""

from __future__ import annotations

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string

# How long to wait before the next try, in seconds.
SOON = 5
# PostgreSQL's codes: lock not available, statement cancelled, deadlock, serialization failure, too many connections,
# server shutting down or starting.
BUSY_STATES = frozenset({"55P03", "57014", "40P01", "40001", "53300", "57P01", "57P02", "57P03"})
BUSY_WORDS = ("is locked", "server closed the connection", "connection failed", "the connection is lost")
# Of these the server may have been ended in the very moment in which it saved.
UNSURE_STATES = frozenset({"57P01", "57P02"})
UNSURE_WORDS = ("server closed the connection", "the connection is lost")
NOT_SENT_AGAIN = {"csrfmiddlewaretoken"}


def is_busy(error: BaseException | None) -> bool:
    """Return whether an error only means that the database was not available in time, not that the query was wrong."""
    if not isinstance(error, OperationalError):
        return False
    state = getattr(error.__cause__, "sqlstate", None)
    return state in BUSY_STATES if state else any(words in str(error) for words in BUSY_WORDS)


def is_unsure(error: BaseException | None) -> bool:
    """Return whether the line to the database broke, so that nobody knows whether the last act was saved."""
    state = getattr(getattr(error, "__cause__", None), "sqlstate", None)
    return state in UNSURE_STATES if state else any(words in str(error) for words in UNSURE_WORDS)


def busy(request: HttpRequest, error: BaseException | None = None) -> HttpResponse:
    """Return the 503 page, from which a form with a one-use token can be sent again. It needs no database."""
    sent = request.POST if request.method == "POST" else {}
    # Only forms that cannot have their effect twice, and never one with a secret: sign-in forms have no such token.
    again = (
        [(name, value) for name in sent for value in request.POST.getlist(name) if name not in NOT_SENT_AGAIN]
        if sent.get("token") and not request.FILES
        else []
    )
    context = {
        "is_act": request.method not in ("GET", "HEAD"),
        "is_unsure": is_unsure(error),
        "again": again,
        "here": request.get_full_path(),
        "csrf_token": get_token(request),
    }
    response = HttpResponse(render_to_string("503.html", context), status=503)
    response["Retry-After"] = str(SOON)
    response["X-Busy"] = "database"  # tells scripts that the server answered, so the connection works
    response["Cache-Control"] = "no-store"
    return response
