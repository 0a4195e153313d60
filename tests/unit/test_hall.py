"""`make hall`: what it starts with, and what it refuses in a sentence. tests/browser/test_hall.py spends an evening there."""

from __future__ import annotations

import http.client
import signal
import socket
import ssl
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from config import hall
from config.secret_keys import fault_of_push_key
from tests.databases import migrated_sqlite
from tests.unit.test_plain_http import free_port
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


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for path, content in ((folder / "cert.pem", made.public_bytes(Encoding.PEM)), (folder / "key.pem", private)):
        path.write_bytes(content)
    return folder / "cert.pem", folder / "key.pem"


@pytest.mark.slow
def test_with_a_certificate_the_hall_is_served_over_https(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    (tmp_path / "hall").mkdir()
    migrated_sqlite(tmp_path / "hall" / "hall.sqlite3")  # from nothing it starts in tests/browser/test_hall.py
    port, log = free_port(), tmp_path / "log"
    how = {"PATH": "/usr/bin:/bin", "HALL": str(tmp_path / "hall"), "HOST": "localhost", "PORT": str(port)}
    with log.open("w") as told:
        run = [sys.executable, "-m", "config.hall"]
        running = subprocess.Popen(
            run, cwd=ROOT, env={**how, "CERT": str(cert), "KEY": str(key)}, stdout=told, stderr=told
        )
        try:
            for _ in range(900):
                if "The QR code to hang up" in log.read_text():
                    break
                assert running.poll() is None, log.read_text()
                time.sleep(0.2)
            trusted = ssl.create_default_context(cafile=str(cert))
            asked = http.client.HTTPSConnection("localhost", port, timeout=30, context=trusted)
            asked.request("GET", "/accounts/login/")
            answer = asked.getresponse()
            cookies = [value for name, value in answer.getheaders() if name.lower() == "set-cookie"]
            assert (answer.status, "Sign in" in answer.read().decode()) == (200, True)
            assert cookies
            assert all("; Secure" in cookie for cookie in cookies)
            asked.close()
        finally:
            running.send_signal(signal.SIGINT)
            running.wait(60)
    assert f"https://localhost:{port}/" in log.read_text()
    push_key = tmp_path / "hall" / "push-key"
    assert push_key.read_text()
    assert fault_of_push_key(push_key.read_text()) == ""
    assert push_key.stat().st_mode & 0o077 == 0
    assert "unencrypted" not in log.read_text()


def test_the_poster_tells_what_http_lacks_and_https_does_not(monkeypatch: Any) -> None:
    words = hall.poster("http://192.168.1.20:8000/", with_tls=False)
    assert all(word in words for word in ("http://192.168.1.20:8000/", "passkeys", "push", "unencrypted", "screens"))
    assert "unencrypted" not in hall.poster("https://laptop.local:8000/", with_tls=True)


def test_addresses_that_the_world_can_reach_are_not_offered(monkeypatch: Any) -> None:
    told = subprocess.CompletedProcess([], 0, "203.0.113.5 192.168.1.20 127.0.1.1 10.0.0.4 fe80::1 \n")
    monkeypatch.setattr(hall.subprocess, "run", lambda *_, **__: told)
    assert [each for each in hall.own_addresses() if each in told.stdout] == ["192.168.1.20", "10.0.0.4"]
