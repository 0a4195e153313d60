"""What people see when something goes wrong."""

import logging
import re

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.test import Client
from django.urls import path

from config import urls as site_urls

handler400, handler403 = site_urls.handler400, site_urls.handler403
handler404, handler500 = site_urls.handler404, site_urls.handler500


def broken(request):
    raise ZeroDivisionError("by nought")


def forbidden(request):
    raise PermissionDenied("Only an administrator opens a round.")


def senseless(request):
    raise SuspiciousOperation("nonsense")


urlpatterns = [
    path("broken", broken),
    path("forbidden", forbidden),
    path("senseless", senseless),
    *site_urls.urlpatterns,
]

with_broken_pages = pytest.mark.urls(__name__)


@pytest.fixture
def visitor():
    return Client(raise_request_exception=False)


@with_broken_pages
def test_our_own_failure_shows_a_reference_that_the_log_knows_and_needs_no_database(visitor, caplog):
    with caplog.at_level(logging.ERROR, logger="config.errors"):
        answer = visitor.get("/broken")
    reference = re.search(r"<strong>([0-9a-f]{8})</strong>", answer.content.decode())[1]
    assert answer.status_code == 500
    assert any(reference in record.getMessage() and "by nought" in record.getMessage() for record in caplog.records)


@with_broken_pages
def test_the_reference_is_told_even_when_the_page_for_it_breaks(visitor, monkeypatch):
    def no_manifest(*args, **kwargs):
        raise ValueError("Missing staticfiles manifest entry")

    monkeypatch.setattr("config.errors.render_to_string", no_manifest)
    answer = visitor.get("/broken")
    assert answer.status_code == 500
    assert re.search(rb"[Rr]eference for the site owner: [0-9a-f]{8}", answer.content)


@pytest.mark.django_db
def test_what_is_not_there_says_so_in_our_frame(client):
    answer = client.get("/no-such-place/")
    assert answer.status_code == 404
    assert "Page not found" in answer.content.decode()


@with_broken_pages
@pytest.mark.django_db
def test_a_refused_page_says_why(client):
    answer = client.get("/forbidden")
    assert answer.status_code == 403
    assert "Only an administrator opens a round." in answer.content.decode()


@with_broken_pages
def test_a_senseless_request_needs_no_database(visitor):
    answer = visitor.get("/senseless")
    assert answer.status_code == 400
    assert "Bad request" in answer.content.decode()


@pytest.mark.django_db
def test_a_form_without_its_token_is_refused_with_a_way_on():
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "ada"})
    assert answer.status_code == 403
    assert "Your browser sent no cookies" in answer.content.decode()
