"""Rate limits for expensive requests: per person, or per IP address for visitors."""

from __future__ import annotations

import time
from math import ceil

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


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
    who = f"user:{request.user.pk}" if by_user else f"address:{get_adapter(request).get_client_ip(request)}"
    most, seconds = settings.PDF_LIMITS["user" if by_user else "address"]
    wait = seconds_to_wait(f"sheets:{who}", most=most, seconds=seconds, now=time.time())
    if not wait:
        return None
    minutes = ceil(wait / 60)
    words = (
        f"{most} sheets in {seconds // 60} minutes is as many as this site draws for one "
        f"{'person' if by_user else 'address'}. The next one is open in {minutes} minute{'s' if minutes > 1 else ''}."
    )
    response = render(request, "429.html", {"title": "Enough sheets for now", "words": words}, status=429)
    response["Retry-After"] = str(wait)
    response["Cache-Control"] = "no-store"
    return response
