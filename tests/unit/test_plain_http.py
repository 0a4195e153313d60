"""A club's laptop without https: what the variable takes and refuses, and signing in through the server that a club runs."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode

import pytest

from config.plain_http import is_local
from tests.unit.test_settings import ROOT, SECRET, settings_of, start

pytestmark = pytest.mark.slow

LOCAL = (
    "localhost",
    "LOCALHOST",
    "muster.localhost",
    "laptop",
    "Club-Laptop",
    "laptop.local",
    "laptop.local.",
    ".local",
    "roll.home.arpa",
    "roll.internal",
    "127.0.0.1",
    "127.1.2.3",
    "10.0.0.7",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.178.20",
    "169.254.3.4",
    "[::1]",
    "::1",
    "[fe80::1]",
    "fd12:3456::1",
    "::ffff:192.168.1.5",
)
FOREIGN = (
    "club.example",
    "example.org",
    "8.8.8.8",
    "203.0.113.5",
    "172.32.0.1",
    "192.169.0.1",
    "0.0.0.0",
    "100.64.0.1",
    "[2001:db8::1]",
    "::ffff:8.8.8.8",
    "*",
    "",
    ".",
    ".example.org",
    "local.example.org",
    "localhost.example.org",
    "192.168.1.5.example.org",
    "10.0.0",
    "2130706433",
    "notlocal.example",
    "mylocal.de",
    "192.168.1.5:8000",
    ".com",
)


@pytest.mark.parametrize("host", LOCAL)
def test_a_name_of_this_machine_or_its_network_is_local(host: str) -> None:
    assert is_local(host)


@pytest.mark.parametrize("host", FOREIGN)
def test_any_other_name_is_not(host: str) -> None:
    assert not is_local(host)


NAMES = (
    "PLAIN_HTTP",
    "SECURE_SSL_REDIRECT",
    "SECURE_HSTS_SECONDS",
    "SESSION_COOKIE_SECURE",
    "CSRF_COOKIE_SECURE",
    "SECURE_CROSS_ORIGIN_OPENER_POLICY",
)
PLAIN = dict.fromkeys(NAMES, False) | {
    "PLAIN_HTTP": True,
    "SECURE_HSTS_SECONDS": 0,
    "SECURE_CROSS_ORIGIN_OPENER_POLICY": None,
}


def test_one_variable_turns_everything_off_that_wants_https() -> None:
    assert settings_of(*NAMES, SECRET_KEY=SECRET, PLAIN_HTTP="1") == PLAIN
    hosts = "laptop.local,192.168.1.5,laptop"
    assert settings_of(*NAMES, SECRET_KEY=SECRET, PLAIN_HTTP="1", ALLOWED_HOSTS=hosts) == PLAIN


@pytest.mark.parametrize("hosts", ["club.example", "laptop.local,club.example", "*", "203.0.113.5"])
def test_a_name_that_is_not_local_wants_a_second_variable(hosts: str) -> None:
    how = {"SECRET_KEY": SECRET, "PLAIN_HTTP": "1", "ALLOWED_HOSTS": hosts}
    refused = start("import django; django.setup()", **how)
    assert refused.returncode != 0
    assert "is not a local name" in refused.stderr
    assert hosts.rpartition(",")[2] in refused.stderr
    assert settings_of(*NAMES, **how, PLAIN_HTTP_ANYWHERE="1") == PLAIN


@pytest.mark.parametrize(
    ("name", "value"), [("BEHIND_TLS_PROXY", "1"), ("SECURE_SSL_REDIRECT", "1"), ("SECURE_HSTS_SECONDS", "60")]
)
def test_what_speaks_of_https_does_not_go_with_it(name: str, value: str) -> None:
    refused = start("import django; django.setup()", SECRET_KEY=SECRET, PLAIN_HTTP="1", **{name: value})
    assert refused.returncode != 0
    assert f"PLAIN_HTTP=1 and {name}" in refused.stderr


def test_the_second_variable_alone_changes_nothing() -> None:
    told = settings_of("SESSION_COOKIE_SECURE", SECRET_KEY=SECRET, PLAIN_HTTP_ANYWHERE="1")
    assert told == {"SESSION_COOKIE_SECURE": True}


# --- through gunicorn ---------------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


PREPARE = """
import django
django.setup()
from accounts.models import User
User.objects.create_user("ada", "", "a-long-enough-password")
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a site of its own is started with: a database with Ada in it, and static files."""
    from tests.collected import collected
    from tests.databases import migrated_sqlite

    folder = tmp_path_factory.mktemp("site")
    how = {
        "SECRET_KEY": SECRET,
        "DATABASE_URL": migrated_sqlite(folder / "db.sqlite3"),
        "STATIC_ROOT": str(collected().folder),
        "EMAIL_URL": "consolemail://",
    }
    prepared = start(PREPARE, **how)
    assert prepared.returncode == 0, prepared.stderr
    return how


def served(how: dict[str, str], log: Path) -> Iterator[str]:
    port = free_port()
    with log.open("w") as told:
        server = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "config.wsgi", "-b", f"127.0.0.1:{port}", "-w", "1"],
            cwd=ROOT,
            env={"PATH": "/usr/bin:/bin", "DEVELOPMENT": "0", **how},
            stdout=told,
            stderr=subprocess.STDOUT,
        )
        try:
            deadline = time.monotonic() + 60
            while True:
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5).close()
                    break
                except OSError:  # nobody listens yet, or not fast enough
                    assert server.poll() is None, log.read_text()
                    assert time.monotonic() < deadline, log.read_text()
                    time.sleep(0.2)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(10)


@pytest.fixture(scope="module")
def plain(site: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The site as a laptop of a club serves it, and its log."""
    log = tmp_path_factory.mktemp("log") / "log"
    for address in served({**site, "PLAIN_HTTP": "1"}, log):
        yield address, log


@pytest.fixture(scope="module")
def half_plain(site: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site with nothing but the redirect to https switched off."""
    yield from served({**site, "SECURE_SSL_REDIRECT": "0"}, tmp_path_factory.mktemp("log") / "log")


def signed_in(address: str) -> tuple[int, str]:
    """Sign in as a browser does, cookies and all: the status and the text of the page one ends at."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    page = browser.open(f"{address}/accounts/login/").read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token
    form = {"csrfmiddlewaretoken": token[1], "login": "ada", "password": "a-long-enough-password"}
    request = urllib.request.Request(f"{address}/accounts/login/", urlencode(form).encode(), {"Origin": address})
    try:
        browser.open(request)
        answer = browser.open(f"{address}/account/")
    except HTTPError as refused:
        return refused.code, refused.read().decode()
    return answer.status, answer.read().decode()


def test_one_signs_in_over_plain_http(plain: tuple[str, Path]) -> None:
    status, page = signed_in(plain[0])
    assert (status, "Sign out" in page) == (200, True)


def test_the_console_tells_at_the_start_what_lacks(plain: tuple[str, Path]) -> None:
    log = plain[1].read_text()
    assert "Plain http: passwords and pages cross this network unencrypted" in log


def test_without_the_variable_the_page_says_that_https_lacks(half_plain: str) -> None:
    status, page = signed_in(half_plain)
    assert status == 403
    assert "This site needs https" in page
    assert "PLAIN_HTTP" in page
