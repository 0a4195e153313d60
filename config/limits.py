"""Rate limits for expensive requests: per person, or per IP address for visitors."""

from __future__ import annotations

import time
from math import ceil

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def seconds_to_wait(key: str, *, most: int, seconds: int, now: float) -> int:
    """Count one of `most` tries in any `seconds` and return 0; or count nothing and return how many seconds to wait.

    The count is in the cache. Two simultaneous tries may count as one, which is good enough for a rate limit.
    """
    spent = [moment for moment in cache.get(key, ()) if moment > now - seconds]
    if len(spent) >= most:
        return max(1, ceil(spent[-most] + seconds - now))
    cache.set(key, [*spent, now], timeout=seconds)
    return 0


def too_many_sheets(request: HttpRequest) -> HttpResponse | None:
    """Return the 429 page if this person, or this IP address, has reached the limit of PDFs; else count one."""
    by_user = request.user.is_authenticated
    who = f"user:{request.user.pk}" if by_user else _address(request)
    most, seconds = settings.PDF_LIMITS["user" if by_user else "address"]
    wait = seconds_to_wait(f"sheets:{who}", most=most, seconds=seconds, now=time.time())
    if not wait:
        return None
    limit = ngettext(
        "The limit is {most} PDF in {minutes} minutes.", "The limit is {most} PDFs in {minutes} minutes.", most
    )
    return _refused(
        request, _("Too many PDFs"), limit.format(most=most, minutes=seconds // 60) + " " + _again_in(wait), wait
    )


def too_many_guests(request: HttpRequest) -> HttpResponse | None:
    """Return the 429 page if this IP address has begun too many warbands without an account; else count one."""
    most, seconds = settings.GUEST_LIMIT
    wait = seconds_to_wait(f"guests:{_address(request)}", most=most, seconds=seconds, now=time.time())
    if not wait:
        return None
    words = _("Too many warbands were started from here without an account. Sign up first.")
    return _refused(request, _("Too many attempts"), words + " " + _again_in(wait), wait)


def too_many_code_tries(request: HttpRequest) -> HttpResponse | None:
    """Return the 429 page if this IP address has opened or sent too many reports by code; else count one."""
    most, seconds = settings.REPORT_CODE_LIMIT
    wait = seconds_to_wait(f"report-codes:{_address(request)}", most=most, seconds=seconds, now=time.time())
    if not wait:
        return None
    words = _("Too many reports by code came from here.")
    return _refused(request, _("Too many attempts"), words + " " + _again_in(wait), wait)


def too_many_offers(request: HttpRequest) -> HttpResponse | None:
    """Return the 429 page if this person has sent too many offers by e-mail; else count one."""
    most, seconds = settings.OFFER_LIMIT
    wait = seconds_to_wait(f"offers:{request.user.pk}", most=most, seconds=seconds, now=time.time())
    if not wait:
        return None
    return _refused(request, _("Too many e-mails"), _("Make a link instead.") + " " + _again_in(wait), wait)


def too_many_problems(request: HttpRequest) -> HttpResponse | None:
    """Return the 429 page if this person, or this IP address, has reported too many problems; else count one."""
    by_user = request.user.is_authenticated
    who = f"user:{request.user.pk}" if by_user else _address(request)
    most, seconds = settings.PROBLEM_LIMITS["user" if by_user else "address"]
    wait = seconds_to_wait(f"problems:{who}", most=most, seconds=seconds, now=time.time())
    if not wait:
        return None
    return _refused(request, _("Too many reports"), _("Your reports have arrived.") + " " + _again_in(wait), wait)


def _address(request: HttpRequest) -> str:
    return f"address:{get_adapter(request).get_client_ip(request)}"


def _again_in(wait: int) -> str:
    minutes = ceil(wait / 60)
    return ngettext("Try again in {minutes} minute.", "Try again in {minutes} minutes.", minutes).format(
        minutes=minutes
    )


def _refused(request: HttpRequest, title: str, words: str, wait: int) -> HttpResponse:
    response = render(request, "429.html", {"title": title, "words": words}, status=429)
    response["Retry-After"] = str(wait)
    response["Cache-Control"] = "no-store"
    return response
