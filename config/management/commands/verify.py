"""`manage.py verify FILE` reads a backup and says whether it is whole. It needs no database. Exit status 2: it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.backup.asking import known_passphrase
from config.backup.faults import BackupFault
from config.backup.restoring import verify_backup


class Command(BaseCommand):
    help = "Read a whole backup, and say what it holds. Exit status 2: it is damaged, or no backup."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            head, sums = verify_backup(file, known_passphrase)
        except BackupFault as fault:
            raise CommandError(str(fault), returncode=2) from None
        self.stdout.write(f"A whole backup of {head.made}, release {head.release}, from {head.database}.")
        for table, found in sums.items():
            if found.rows:
                self.stdout.write(f"  {table}: {found.rows}")
        self.stdout.write(f"{sum(found.rows for found in sums.values())} rows. Every digest is right.")
