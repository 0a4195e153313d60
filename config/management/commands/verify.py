"""`manage.py verify FILE` reads a backup and says whether it is whole. Without a file it checks the chains of the site itself.

Exit status 2: the backup is damaged; 1: a chain is broken, so somebody changed an old act in the database.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.backup.asking import known_passphrase
from config.backup.faults import BackupFault
from config.backup.restoring import verify_backup
from warbands.chain import check
from warbands.models import Chain


class Command(BaseCommand):
    help = (
        "Read a whole backup, and say what it holds. Exit status 2: it is damaged, or no backup. "
        "Without a file, calculate the hash chains of all warbands and campaigns again. Exit status 1: one is broken."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", nargs="?")
        parser.add_argument("--heads", action="store_true", help="print the last hash of each chain, to keep elsewhere")

    def handle(self, *, file: Path | None, heads: bool, **options: Any) -> None:
        if file is None:
            self._chains(heads)
        else:
            self._backup(file)

    def _chains(self, heads: bool) -> None:
        count = wrong = removed = 0
        for chain in Chain.objects.iterator():
            found = check(chain)
            count, removed = count + 1, removed + found.removed
            if heads:
                self.stdout.write(f"{chain.uid} {chain.length} {chain.head}")
            if found.removed:
                self.stdout.write(f"{chain}: {found.removed} acts were removed. Their digests are right.")
            for fault in found.faults:
                wrong += 1
                self.stdout.write(f"{chain}: {fault}")
        self.stderr.write(f"{count} chains calculated, {removed} acts removed, {wrong} faults.")
        if wrong:
            sys.exit(1)

    def _backup(self, file: Path) -> None:
        try:
            head, sums = verify_backup(file, known_passphrase)
        except BackupFault as fault:
            raise CommandError(str(fault), returncode=2) from None
        self.stdout.write(f"A whole backup of {head.made}, release {head.release}, from {head.database}.")
        for table, found in sums.items():
            if found.rows:
                self.stdout.write(f"  {table}: {found.rows}")
        self.stdout.write(f"{sum(found.rows for found in sums.values())} rows. Every digest is right.")
