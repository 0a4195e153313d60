"""What the person who runs the site relies on: readiness, the shared cache, the log, metrics, and who may sign up."""

from __future__ import annotations

import json
import logging
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client, RequestFactory
from django.urls import resolve, reverse

from accounts.models import User
from campaigns.models import Invitation
from config import health
from config.json_log import JsonLines
from config.metrics import metrics_text
from tests import campaign_stories as c
from tests import stories as s
from tests.unit.test_settings import SECRET, settings_of, start

pytestmark = pytest.mark.both_databases

# --- readiness ----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_site_that_can_serve_is_ready(client: Client) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (200, b"ok")


@pytest.mark.django_db
def test_it_names_what_is_missing(client: Client, monkeypatch: Any) -> None:
    monkeypatch.setattr(health, "_is_migrated", False)
    with patch.object(health.MigrationExecutor, "migration_plan", return_value=["one"]):
        answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"migrations")
    with patch.object(health, "cache") as broken:
        broken.set.side_effect = OSError
        answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"cache")
    with patch.object(health.connection, "cursor", side_effect=OperationalError):
        answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"database")


# --- the shared cache ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def redis() -> Iterator[str]:
    """A Redis of its own, as a CACHE_URL."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("No redis-server on this machine.")
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    how = [program, "--port", str(port), "--save", "", "--appendonly", "no", "--bind", "127.0.0.1"]
    server = subprocess.Popen(how, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(10)


COUNT = """
import django
django.setup()
from django.core.cache import cache
cache.add("tries", 0, 60)
print(cache.incr("tries"))
"""


@pytest.mark.slow
@pytest.mark.one_database
def test_two_processes_count_together_in_the_shared_cache(redis: str) -> None:
    told = [start(COUNT, DEVELOPMENT="1", CACHE_URL=redis) for _ in range(2)]
    assert [answer.stdout.strip() for answer in told] == ["1", "2"], told[0].stderr


@pytest.mark.slow
@pytest.mark.one_database
def test_a_cache_of_another_kind_is_refused_in_a_sentence() -> None:
    answer = start("import django; django.setup()", SECRET_KEY=SECRET, CACHE_URL="memcached://x")
    assert "CACHE_URL is the address of a Redis" in answer.stderr
    told = settings_of("CACHES", SECRET_KEY=SECRET)["CACHES"]
    assert "DatabaseCache" in told["default"]["BACKEND"]  # type: ignore[index]
    for name, value in (("SIGN_UP", "maybe"), ("LOG_FORMAT", "xml")):
        assert f"{name} is " in start("import django; django.setup()", SECRET_KEY=SECRET, **{name: value}).stderr


# --- the log ------------------------------------------------------------------------------------------------------------


def logged(message: str, *args: Any, request: Any = None, error: BaseException | None = None) -> dict[str, Any]:
    how = (type(error), error, error.__traceback__) if error is not None else None
    record = logging.LogRecord("django.request", logging.WARNING, __file__, 1, message, args, how)
    if request is not None:
        record.request, record.status_code = request, 404
    told: dict[str, Any] = json.loads(JsonLines().format(record))
    return told


def test_a_line_of_the_log_is_json_and_names_no_person() -> None:
    request = RequestFactory().get("/people/ada-of-the-weir/")
    request.resolver_match = resolve("/accounts/login/")
    told = logged("Not Found: %s", "/people/ada-of-the-weir/", request=request)
    assert told["message"] == "Not Found: <path>"
    assert (told["route"], told["status"], told["level"]) == ("accounts/login/", 404, "WARNING")
    words = logged("Mail to ada@example.org from 192.168.1.20 and 2001:db8::ff00:42:8329")["message"]
    assert words == "Mail to <e-mail> from <address> and <address>"


def test_a_fault_is_told_by_its_kind_and_lines_without_its_values() -> None:
    try:
        int("ada's secret")
    except ValueError as error:
        told = logged("It failed", error=error)
    assert told["exception"] == "ValueError"
    assert any("test_operating" in line for line in told["at"])
    assert "secret" not in json.dumps(told)


# --- metrics ------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_metrics_are_in_the_format_and_right(ada: Any, tmp_path: Any) -> None:
    s.found(ada)
    text = metrics_text()
    for line in text.splitlines():
        assert re.fullmatch(r'# (HELP|TYPE) muster_roll_\w+ .+|muster_roll_\w+(\{\w+="[\w ]+"\})? [\d.e+]+', line), line
    assert 'muster_roll_rows{table="warbands"} 1' in text
    assert "ada" not in text
    call_command("metrics", write=tmp_path / "muster.prom")
    assert "muster_roll_clock_late_seconds" in (tmp_path / "muster.prom").read_text()


@pytest.mark.django_db
@pytest.mark.parametrize("where", ["0.0.0.0:9321", "203.0.113.5:9321", "club.example:80", "9321", "127.0.0.1:x"])
def test_metrics_are_served_on_no_public_address(where: str) -> None:
    with pytest.raises(CommandError, match="never public"):
        call_command("metrics", listen=where)


@pytest.mark.django_db
def test_no_address_of_the_site_serves_them(client: Client) -> None:
    for path in ("/metrics", "/metrics/", "/prometheus"):
        assert client.get(path).status_code == 404


@pytest.mark.slow
@pytest.mark.one_database
def test_a_collector_on_this_machine_reads_them(tmp_path: Any) -> None:
    from tests.databases import migrated_sqlite
    from tests.unit.test_plain_http import free_port
    from tests.unit.test_settings import ROOT

    url = migrated_sqlite(tmp_path / "site.sqlite3")
    port = free_port()
    how = {"PATH": "/usr/bin:/bin", "DEVELOPMENT": "1", "DATABASE_URL": url}
    words = [sys.executable, "manage.py", "metrics", "--listen", f"127.0.0.1:{port}"]
    server = subprocess.Popen(words, cwd=ROOT, env=how, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
                    assert "version=0.0.4" in answer.headers["Content-Type"]
                    assert b"muster_roll_rows" in answer.read()
                    break
            except OSError:
                assert time.monotonic() < deadline
                time.sleep(0.2)
    finally:
        server.terminate()
        server.wait(10)


# --- who may sign up ----------------------------------------------------------------------------------------------------

FORM = {"username": "ottla", "password1": "lantern-wardens-1916", "email": ""}


@pytest.fixture
def invitation(cleo: Any) -> str:
    return reverse("campaign-join", args=[c.link(c.club(cleo).campaign)])


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["invited", "closed"])
def test_a_stranger_opens_no_account_where_sign_up_is_not_open(client: Client, settings: Any, how: str) -> None:
    settings.SIGN_UP = how
    page = client.post(reverse("account_signup"), FORM)
    assert (page.status_code, b"Sign-up is closed" in page.content) == (200, True)
    for onward in ("/join/not-a-token/", "/", "https://elsewhere.example/join/x/", "/join/"):
        client.post(reverse("account_signup"), {**FORM, "next": onward})
    client.post(reverse("warband-found"), {"name": "x", "token": "one"})
    assert not User.objects.exists()


@pytest.mark.django_db
def test_an_invitation_opens_an_account_where_only_the_invited_may(
    client: Client, settings: Any, invitation: str
) -> None:
    settings.SIGN_UP = "invited"
    assert client.get(invitation).status_code == 200
    answer = client.post(f"{reverse('account_signup')}?next={invitation}", {**FORM, "next": invitation})
    assert (answer.status_code, User.objects.filter(username="ottla").exists()) == (302, True)
    Invitation.objects.update(is_revoked=True)
    Client().post(reverse("account_signup"), {**FORM, "username": "milena", "next": invitation})
    assert not User.objects.filter(username="milena").exists()


@pytest.mark.django_db
def test_a_closed_site_sends_the_invited_to_sign_in(client: Client, settings: Any, invitation: str) -> None:
    settings.SIGN_UP = "closed"
    before = User.objects.count()
    for answer in (client.get(invitation), client.post(invitation, {**FORM, "token": "one", "how": "later"})):
        assert (answer.status_code, answer.url.partition("?")[0]) == (302, reverse("account_login"))
    client.post(reverse("account_signup"), {**FORM, "next": invitation})
    assert User.objects.count() == before
