"""`manage.py metrics` prints numbers about the site for Prometheus, writes them to a file, or serves them to this network only."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import close_old_connections

from config.metrics import metrics_text
from config.plain_http import is_local

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Command(BaseCommand):
    help = "Print numbers about the site in the Prometheus format. The site itself never serves them."
    requires_system_checks: list[str] = []  # they load every page of the site, which takes longer than the command

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--write", type=Path, metavar="FILE", help="replace this file, for a textfile collector")
        parser.add_argument("--listen", metavar="ADDRESS:PORT", help="serve /metrics there: a local address only")

    def handle(self, *, write: Path | None, listen: str | None, **options: Any) -> None:
        if listen:
            serve(listen)
        elif write:
            _replace(write, metrics_text())
        else:
            self.stdout.write(metrics_text(), ending="")


class _Silent(WSGIRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Log nothing."""


def serve(listen: str) -> None:
    """Serve /metrics until stopped.

    Raises:
        CommandError: the address is not one of this machine or a local network.
    """
    host, _, port = listen.rpartition(":")
    if not is_local(host) or not port.isdigit():
        raise CommandError("Metrics are never public. Give a local address, such as 127.0.0.1:9321.", returncode=2)
    with make_server(host.strip("[]"), int(port), answer, handler_class=_Silent) as server:
        server.serve_forever()


def answer(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Answer one request."""
    if environ["PATH_INFO"] != "/metrics":
        start_response("404 Not Found", [("Content-Type", "text/plain")])
        return [b"/metrics\n"]
    close_old_connections()
    words = metrics_text().encode()
    close_old_connections()
    start_response("200 OK", [("Content-Type", CONTENT_TYPE)])
    return [words]


def _replace(path: Path, words: str) -> None:
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(handle, "w") as file:
        file.write(words)
    Path(part).chmod(0o644)  # the collector is another user
    Path(part).replace(path)
