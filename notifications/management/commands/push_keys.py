"""`manage.py push_keys`: makes the site's keys for push messages, to be kept where SECRET_KEY is kept."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from notifications.push import new_private_key

NAME = "VAPID_PRIVATE_KEY"


class Command(BaseCommand):
    help = "Make the private key for push messages. A new key makes every device ask for push messages again."
    requires_system_checks: list[str] = []  # they load every page of the site, which takes longer than the command

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--write", action="store_true", help="add it to the file .env beside manage.py, unless there is one already"
        )

    def handle(self, *, write: bool, **options: Any) -> None:
        line = f"{NAME}={new_private_key()}"
        if not write:
            self.stdout.write(line)
            return
        if settings.VAPID_PRIVATE_KEY:
            self.stdout.write("There is a key already.")
            return
        append(Path(settings.BASE_DIR) / ".env", line)
        self.stdout.write("The key is in .env. Restart the site.")


def append(path: Path, line: str) -> None:
    """Add a line to a file that only its owner may read from now on if it is new."""
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    glue = "" if not before or before.endswith("\n") else "\n"
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(file, "a", encoding="utf-8") as opened:
        opened.write(f"{glue}{line}\n")
