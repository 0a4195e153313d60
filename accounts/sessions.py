"""The browsers on which a person is signed in, and signing them out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User

# In this order: each browser's text names those that it claims to be like.
BROWSERS = {
    "Firefox": "Firefox",
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS": "macOS",
    "Linux": "Linux",
}


@dataclass(frozen=True, slots=True)
class SignedIn:
    """One browser: `pk` is that of its row, `device` a name such as "Firefox, Windows"."""

    pk: int
    device: str
    address: str
    since: datetime
    is_here: bool


def device_name(user_agent: str) -> str:
    """Return the browser and system that a browser says it is, in words."""
    browser = next((name for sign, name in BROWSERS.items() if sign in user_agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in user_agent), "")
    return ", ".join(part for part in (browser, system) if part) or _("Unknown browser")


def signed_in_on(request: HttpRequest) -> list[SignedIn]:
    """Return where the person is signed in, this browser first, then the newest. Three or four queries."""
    rows = _open_rows(request)
    if all(row.session_key != request.session.session_key for row in rows):
        UserSession.objects.create_from_request(request)  # signed in before this list was kept
        rows = _open_rows(request)
    found = [
        SignedIn(
            pk=row.pk,
            device=device_name(row.user_agent),
            address=row.ip,
            since=row.created_at,
            is_here=row.session_key == request.session.session_key,
        )
        for row in rows
    ]
    return sorted(found, key=lambda line: not line.is_here)


def _open_rows(request: HttpRequest) -> list[UserSession]:
    valid = Session.objects.filter(expire_date__gte=timezone.now()).values("session_key")
    return list(
        UserSession.objects.filter(user_id=request.user.pk, session_key__in=valid).order_by("-created_at", "-pk")
    )


def sign_out_one(request: HttpRequest, pk: int) -> bool:
    """End one of the person's other sessions. Return whether it was still open."""
    row = UserSession.objects.filter(user_id=request.user.pk, pk=pk).first()
    if row is None or row.session_key == request.session.session_key:
        return False
    ended, _tables = Session.objects.filter(session_key=row.session_key).delete()
    row.delete()
    return bool(ended)


def end_sessions(user: User, *, but: str | None = None) -> int:
    """Delete every session of a person but one, and return how many there were.

    Sessions hold whom they belong to inside, so all open ones are read.
    """
    sessions = Session.objects.filter(expire_date__gte=timezone.now())
    keys = [
        session.session_key
        for session in sessions.iterator(chunk_size=500)
        if session.session_key != but and str(session.get_decoded().get(SESSION_KEY, "")) == str(user.pk)
    ]
    Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(user=user).exclude(session_key=but or "").delete()
    return len(keys)
