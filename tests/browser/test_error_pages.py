"""The pages that say what went wrong: clean for axe, inside the screen, with a way on, on a phone and a desktop, light and dark."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from playwright.sync_api import expect

from config import urls as site_urls
from config.errors import csrf_failure
from tests.browser.looks import Look, examine, put, visit
from tests.conftest import DESKTOP, PHONE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.urls(__name__)]

handler400, handler403 = site_urls.handler400, site_urls.handler403
handler404, handler500 = site_urls.handler404, site_urls.handler500

REASON = "Only an administrator opens a round."


def broken(request: HttpRequest) -> HttpResponse:
    raise ZeroDivisionError("by nought")


def locked(request: HttpRequest) -> HttpResponse:
    raise OperationalError("database is locked")


def forbidden(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied(REASON)


def senseless(request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation("nonsense")


def too_often(request: HttpRequest) -> HttpResponse:
    return render(request, "429.html", status=429)


def old_form(request: HttpRequest) -> HttpResponse:
    return csrf_failure(request)


urlpatterns = [
    path("broken", broken),
    path("locked", locked),
    path("forbidden", forbidden),
    path("senseless", senseless),
    path("often", too_often),
    path("old-form", old_form),
    *site_urls.urlpatterns,
]

PAGES = {
    "senseless": 400,
    "forbidden": 403,
    "old-form": 403,
    "no-such-place": 404,
    "often": 429,
    "broken": 500,
    "locked": 503,
}


@pytest.mark.parametrize("visitor", [True, False], ids=["visitor", "signed in"])
def test_what_went_wrong_is_said_within_the_screen(ada: Any, open_page: Any, axe: Any, visitor: bool) -> None:
    page = open_page(None if visitor else ada, expected_statuses=tuple(PAGES.values()))
    for place, (address, status) in enumerate(PAGES.items(), 2 * visitor):  # a visitor's in the other scheme
        answer = visit(page, f"/{address}")
        assert answer.status == status
        expect(page.locator("h1")).to_have_count(1)
        for width in (PHONE, DESKTOP):
            put(page, Look(width, dark=False))
            heights = page.locator("main a:visible").evaluate_all(
                "links => links.map(link => link.getBoundingClientRect().height)"
            )
            assert heights, address
            assert min(heights) >= 44, address
        examine(page, axe, place)
