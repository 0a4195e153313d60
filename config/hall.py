"""`make hall`: the site on a laptop for one evening, in a local network without internet. Run it with `python -m config.hall`.

It has a folder of its own (`.hall/`) with key, database and backups, and none of the demonstration's log-ins. Settings
are read from the environment of the processes that it starts, so that this module needs no Django.
"""

from __future__ import annotations

import ipaddress
import os
import secrets
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import Any

import segno

from config.plain_http import is_local

ROOT = Path(__file__).resolve().parent.parent
LACKS = (
    "Over http the phones lack these: no offline pages, no app to install, no push messages, no passkeys.",
    "Their screens may go dark, and links are copied by hand.",
    "Passwords and pages cross this network unencrypted. Let people choose a password that they use nowhere else.",
    "Typed forms and presses on an open page are still kept and sent. CERT= and KEY= bring the rest.",
)
STOP_PATIENCE = 20


class HallFault(Exception):
    """Why the site can't start here, in a sentence."""


def own_addresses() -> list[str]:
    """Return the IPv4 addresses of this machine in local networks, the one that others most likely reach first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as tried:
        try:
            tried.connect(("10.255.255.255", 9))  # sends nothing: it only asks which address would be used
            found.append(tried.getsockname()[0])
        except OSError:
            pass  # no route, as in a network without a router
    try:
        told = subprocess.run(["hostname", "-I"], capture_output=True, text=True, check=False).stdout.split()
    except OSError:
        told = []
    found += [address for address in told if ":" not in address]
    usable = [each for each in dict.fromkeys(found) if is_local(each) and not ipaddress.ip_address(each).is_loopback]
    return usable


def key_of(folder: Path) -> str:
    """Return the hall's own secret key, and make it the first time."""
    return _kept(folder / "key", lambda: secrets.token_urlsafe(60))


def push_key_of(folder: Path, environment: dict[str, str]) -> str:
    """Return the hall's own key for push messages, and make it the first time. Without https no phone asks for it."""

    def made() -> str:
        run = [sys.executable, "manage.py", "push_keys"]
        told = subprocess.run(run, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout
        return told.strip().partition("=")[2]

    return _kept(folder / "push-key", made)


def _kept(path: Path, make: Callable[[], str]) -> str:
    """Return the secret in a file that only its owner may read; make both the first time."""
    if not path.is_file():
        secret = make()
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(secret)
    return path.read_text().strip()


def settings_for(folder: Path, hosts: list[str], port: int, *, with_tls: bool) -> dict[str, str]:
    """Return the variables with which all processes of the site start. They win over a `.env`."""
    scheme = "https" if with_tls else "http"
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DEVELOPMENT": "0",
        "DEBUG": "0",
        "SECRET_KEY": key_of(folder),
        "SECRET_KEY_FALLBACKS": "",
        "DATABASE_URL": os.environ.get("DATABASE_URL") or f"sqlite:///{folder / 'hall.sqlite3'}",
        "ALLOWED_HOSTS": ",".join([*hosts, "localhost", "127.0.0.1"]),
        "CSRF_TRUSTED_ORIGINS": "",
        "SITE_URL": f"{scheme}://{hosts[0]}:{port}",
        "PLAIN_HTTP": "0" if with_tls else "1",
        "SECURE_SSL_REDIRECT": "0",
        "SECURE_HSTS_SECONDS": "0",  # a laptop's name may be another site's tomorrow
        "BEHIND_TLS_PROXY": "0",
        "STATIC_ROOT": str(folder / "static"),
        "EMAIL_URL": "dummymail://",
        "STREAM_URL": "",
        "CACHE_URL": "",
        "VAPID_PRIVATE_KEY": "",
    }


def poster(address: str, *, with_tls: bool) -> str:
    """return what is printed when the site is up: the address, and what lacks."""
    lines = ["", f"  Muster Roll: {address}", ""]
    return "\n".join([*lines, *([] if with_tls else LACKS), "", "Ctrl-C stops it and writes a backup.", ""])


def run(folder: Path, port: int, hosts: list[str], cert: str, key: str) -> int:
    """Serve until stopped. Returns the exit status.

    Raises:
        HallFault: something is missing, or another program has the port.
    """
    if bool(cert) != bool(key):
        raise HallFault("CERT= and KEY= belong together: the certificate and its key, as files.")
    for path in filter(None, (cert, key)):
        if not Path(path).is_file():
            raise HallFault(f"There is no file {path}.")
    if not hosts:
        raise HallFault("This machine has no address in a local network. Join one, or name it: make hall HOST=…")
    if not cert and (foreign := [host for host in hosts if not is_local(host)]):
        raise HallFault(f"{foreign[0]} is no local address. Over the internet give CERT= and KEY=.")
    _refuse_taken(port)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with_tls = bool(cert)
    environment = {**os.environ, **settings_for(folder, hosts, port, with_tls=with_tls)}
    if with_tls:
        environment["VAPID_PRIVATE_KEY"] = push_key_of(folder, environment)
    for words in (["migrate", "-v", "0", "--skip-checks"], ["collectstatic", "--noinput", "-v", "0"]):
        subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, env=environment, check=True)
    web = [sys.executable, "-m", "gunicorn", "config.wsgi", "--workers", "3", "--preload"]
    web += ["--bind", f"0.0.0.0:{port}", "--log-level", "warning"]
    web += ["--certfile", cert, "--keyfile", key] if cert else []
    commands = [
        web,
        [sys.executable, "manage.py", "db_worker", "--no-reload", "--skip-checks"],
        [sys.executable, "manage.py", "clock", "--keep-on", "--skip-checks"],
    ]
    started = [subprocess.Popen(words, cwd=ROOT, env=environment, start_new_session=True) for words in commands]
    try:
        _wait_for(port, started[0], with_tls=with_tls)
        address = f"{'https' if with_tls else 'http'}://{hosts[0]}:{port}/"
        sys.stdout.write(poster(address, with_tls=with_tls))
        segno.make(address, error="m", micro=False).terminal(compact=True)
        segno.make(address, error="m", micro=False).save(str(folder / "wall.svg"), scale=12, border=4)
        sys.stdout.write(f"The QR code to hang up: {folder / 'wall.svg'}\n")
        sys.stdout.flush()
        while all(process.poll() is None for process in started):
            time.sleep(0.5)
        return 1
    except KeyboardInterrupt:
        return 0
    finally:
        _stop(started)
        _back_up(folder, environment)


def _refuse_taken(port: int) -> None:
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("0.0.0.0", port))
        except OSError:
            raise HallFault(f"Another program uses port {port}. Give another: make hall PORT=8001") from None


def _wait_for(port: int, server: subprocess.Popen[bytes], *, with_tls: bool) -> None:
    """Wait until the site answers, so that the address is printed last."""
    how = ssl.create_default_context()
    how.check_hostname, how.verify_mode = False, ssl.CERT_NONE  # this laptop asks itself
    kind: Any = partial(HTTPSConnection, context=how) if with_tls else HTTPConnection
    for _ in range(300):
        if server.poll() is not None:
            raise HallFault("The web server stopped at once. Its last lines above say why.")
        asked = kind("127.0.0.1", port, timeout=10)
        try:
            asked.request("GET", "/healthz")
            if asked.getresponse().status == HTTPStatus.OK:
                return
        except OSError:
            time.sleep(0.2)
        finally:
            asked.close()


def _stop(started: list[subprocess.Popen[bytes]]) -> None:
    for process in started:
        if process.poll() is None:
            process.terminate()
    for process in started:
        try:
            process.wait(STOP_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()


def _back_up(folder: Path, environment: dict[str, str]) -> None:
    backups = folder / "backups"
    backups.mkdir(exist_ok=True)
    path = backups / f"{datetime.now():%Y-%m-%d-%H%M%S}.backup"
    subprocess.run([sys.executable, "manage.py", "backup", str(path)], cwd=ROOT, env=environment, check=False)


def main() -> int:
    """Read the variables of `make hall`, and run."""
    for end in (signal.SIGTERM, signal.SIGINT):  # a shell that starts it in the background lets it ignore Ctrl-C
        signal.signal(end, signal.default_int_handler)
    read = os.environ.get
    host = read("HOST", "")
    try:
        hosts = [host] if host else own_addresses()
        folder = Path(read("HALL", "") or ROOT / ".hall").resolve()
        return run(folder, int(read("PORT") or 8000), hosts, read("CERT", ""), read("KEY", ""))
    except HallFault as fault:
        sys.stderr.write(f"{fault}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
