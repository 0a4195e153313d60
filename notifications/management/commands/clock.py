"""`manage.py clock`: runs what has its hour, once or from now on."""

from __future__ import annotations

import logging
import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import close_old_connections

from notifications.clock import run_due

log = logging.getLogger(__name__)

PAUSE = 5.0  # seconds between two looks: a nudge leaves well within a minute


class Command(BaseCommand):
    help = (
        "Run what has its hour: notifications, silent confirmations, deadlines, and removing what is old. "
        "Run it from a timer, or keep it running with --keep-on. More than one may run."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--keep-on", action="store_true", help="stay and look every few seconds, until stopped")

    def handle(self, *, keep_on: bool, **options: Any) -> None:
        if not keep_on:
            self._run()
            return
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        while not stopped.is_set():
            close_old_connections()
            try:
                self._run()
            except Exception:  # the database may be away for a while
                log.exception("The clock was interrupted")
            close_old_connections()
            stopped.wait(PAUSE)

    def _run(self) -> None:
        for name, words in run_due():
            self.stdout.write(f"{name}: {words}")
