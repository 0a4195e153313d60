"""`manage.py backup FILE` writes all data of the site to one file, while the site runs. Exit status 2: refused, nothing written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.backup.asking import new_passphrase
from config.backup.faults import BackupFault
from config.backup.writing import write_backup


class Command(BaseCommand):
    help = (
        "Write all data of the site to a new file, as of one moment. The site may go on running. "
        "The command restore reads it into SQLite or PostgreSQL."
    )
    requires_system_checks: list[str] = []  # they load every page of the site, which takes longer than the command

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument(
            "--encrypt", action="store_true", help="with a passphrase: from BACKUP_PASSPHRASE, or a prompt"
        )

    def handle(self, *, file: Path, encrypt: bool, **options: Any) -> None:
        try:
            sums = write_backup(file, passphrase=new_passphrase() if encrypt else "")
        except BackupFault as fault:
            raise CommandError(str(fault), returncode=2) from None
        rows = sum(found.rows for found in sums.values())
        how = "encrypted" if encrypt else "not encrypted: it holds e-mail addresses and password hashes"
        self.stdout.write(f"{file}: {rows} rows of {len(sums)} tables, {file.stat().st_size} bytes, {how}.")
