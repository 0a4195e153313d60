"""`manage.py restore FILE` reads a backup into an empty database. Exit status 2: refused, nothing written; 1: differences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.backup.asking import known_passphrase
from config.backup.faults import BackupFault
from config.backup.restoring import restore_backup


class Command(BaseCommand):
    help = (
        "Restore a backup into an empty database, SQLite or PostgreSQL, check it, and run reconcile. "
        "Exit status 2: refused, and nothing was saved. 1: reconcile found differences."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument(
            "--send-waiting",
            action="store_true",
            help="let messages leave that waited at the time of the backup; right only if the site has stopped since",
        )

    def handle(self, *, file: Path, send_waiting: bool, **options: Any) -> None:
        try:
            sums = restore_backup(file, known_passphrase, holds_messages=not send_waiting)
        except BackupFault as fault:
            raise CommandError(str(fault), returncode=2) from None
        rows = sum(found.rows for found in sums.values())
        self.stdout.write(f"Restored {rows} rows of {len(sums)} tables, and read them all back.")
        if not send_waiting:
            self.stdout.write("Messages that waited are held back: they may have left since the backup.")
        call_command("reconcile", stdout=self.stdout, stderr=self.stderr)
