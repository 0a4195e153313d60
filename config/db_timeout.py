"""The database did not answer in time: the person reads that nothing was written, and may send the same form again."""

from __future__ import annotations

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string

# How long to wait before the next try, in seconds.
SOON = 5
# What PostgreSQL calls it: a lock not had, a statement cut short, a deadlock, two writes that cross, too many connections, a server that stops
# or starts.
BUSY_STATES = frozenset({"55P03", "57014", "40P01", "40001", "53300", "57P01", "57P02", "57P03"})
BUSY_WORDS = ("is locked", "server closed the connection", "connection failed", "the connection is lost")
NOT_SENT_AGAIN = {"csrfmiddlewaretoken"}


def is_busy(error: BaseException | None) -> bool:
    """Whether an error only says that the database could not be had in time, not that what we asked of it was wrong."""
    if not isinstance(error, OperationalError):
        return False
    state = getattr(error.__cause__, "sqlstate", None)
    return state in BUSY_STATES if state else any(words in str(error) for words in BUSY_WORDS)


def busy(request: HttpRequest) -> HttpResponse:
    """Return the 503 page: nothing was written; a form with a one-use token can be sent again from it. It needs no database."""
    sent = request.POST if request.method == "POST" else {}
    # Only what cannot be done twice, and never what has a secret in it: sign-in forms carry no such token.
    again = (
        [(name, value) for name in sent for value in request.POST.getlist(name) if name not in NOT_SENT_AGAIN]
        if sent.get("token") and not request.FILES
        else []
    )
    context = {
        "is_act": request.method not in ("GET", "HEAD"),
        "again": again,
        "here": request.get_full_path(),
        "csrf_token": get_token(request),
    }
    response = HttpResponse(render_to_string("503.html", context), status=503)
    response["Retry-After"] = str(SOON)
    response["X-Busy"] = "database"  # to scripts: the server is there, so this is not the line
    response["Cache-Control"] = "no-store"
    return response
