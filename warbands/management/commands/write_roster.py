"""`manage.py write_roster FILE|- --format FORM` prints a roster document in a form that other programs read.

Exit status 0: written, 2: unreadable, or a form that this roster cannot have.
"""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.content.load import PackError
from rules.problems import Refusal
from rules.trench_crusade.roster_files.write import WRITERS, write_roster
from warbands.management.commands.read_roster import UNREADABLE, read_bytes


class Command(BaseCommand):
    help = "Print a roster document in a form that other programs read. Exit status 0: written, 2: unreadable."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE|-", help="a roster document, or - for standard input")
        parser.add_argument("--format", required=True, help=f"one of {', '.join(WRITERS)}")

    def handle(self, *args: Any, **options: Any) -> None:
        data = read_bytes(options["file"])
        try:
            document = json.loads(data)
            if not isinstance(document, dict):
                raise ValueError
        except (ValueError, RecursionError):
            raise CommandError("The file is no roster document.", returncode=UNREADABLE) from None
        try:
            self.stdout.write(write_roster(document, options["format"]), ending="")
        except (Refusal, PackError) as refusal:
            raise CommandError(str(refusal), returncode=UNREADABLE) from None
