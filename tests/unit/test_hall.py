"""`make hall`: what it starts with, and what it refuses in a sentence. tests/browser/test_hall.py spends an evening there."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from config import hall
from tests.unit.test_settings import ROOT, settings_of


def started(tmp_path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    how = {"PATH": "/usr/bin:/bin", "HALL": str(tmp_path / "hall"), "HOST": "hall.local", **variables}
    run = [sys.executable, "-m", "config.hall"]
    return subprocess.run(run, cwd=ROOT, env=how, capture_output=True, text=True, check=False, timeout=60)


def test_what_lacks_is_told_before_anything_is_made(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for variables, words in (
            ({"CERT": "x.pem"}, "CERT= and KEY= belong together"),
            ({"CERT": "x.pem", "KEY": "y.pem"}, "There is no file x.pem"),
            ({"HOST": "club.example"}, "club.example is no local address"),
            ({"PORT": port}, f"Another program uses port {port}"),
        ):
            told = started(tmp_path, **variables)
            assert (told.returncode, told.stdout) == (2, "")
            assert words in told.stderr
            assert "Traceback" not in told.stderr
    assert not (tmp_path / "hall").exists()


def test_the_key_is_the_laptop_s_own_and_stays(tmp_path: Path) -> None:
    first = hall.key_of(tmp_path)
    assert hall.key_of(tmp_path) == first
    assert len(first) > 60
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_cookies_match_http_in_this_mode_only_and_no_demo_log_in_works(tmp_path: Path) -> None:
    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "DEMO_LOGINS", "SECURE_HSTS_SECONDS")
    for with_tls in (False, True):
        told = settings_of(*names, **hall.settings_for(tmp_path, ["192.168.1.20"], 8000, with_tls=with_tls))
        assert list(told.values()) == [with_tls, with_tls, False, [], 0]


def test_the_poster_tells_what_http_lacks_and_https_does_not(monkeypatch: Any) -> None:
    words = hall.poster("http://192.168.1.20:8000/", with_tls=False)
    assert all(word in words for word in ("http://192.168.1.20:8000/", "passkeys", "push", "unencrypted", "screens"))
    assert "unencrypted" not in hall.poster("https://laptop.local:8000/", with_tls=True)


def test_addresses_that_the_world_can_reach_are_not_offered(monkeypatch: Any) -> None:
    told = subprocess.CompletedProcess([], 0, "203.0.113.5 192.168.1.20 127.0.1.1 10.0.0.4 fe80::1 \n")
    monkeypatch.setattr(hall.subprocess, "run", lambda *_, **__: told)
    assert [each for each in hall.own_addresses() if each in told.stdout] == ["192.168.1.20", "10.0.0.4"]
