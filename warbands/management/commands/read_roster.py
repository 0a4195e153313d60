"""`manage.py read_roster FILE|-` recognises and reads a roster file of any program, and prints what became of each line.

Exit status 0: everything matched, 1: something is guessed or unknown, 2: refused or unreadable.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.content.load import PackError
from rules.problems import Refusal
from rules.registry import system
from rules.roster_files.limits import MOST_SENT
from rules.roster_files.opening import FORMATS
from rules.trench_crusade.content import GAME
from rules.trench_crusade.roster_files.report import read_report
from warbands.management.commands.import_text import list_named

OPEN, UNREADABLE = 1, 2


class Command(BaseCommand):
    help = (
        "Read a roster file or text of any known program and print what became of each line. "
        "Exit status 0: everything matched, 1: guessed or unknown names, 2: refused or unreadable."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE|-", help="a roster file, or - for standard input")
        parser.add_argument("--format", default="", choices=("", *FORMATS), help="the format; left out, found out")
        parser.add_argument("--edition", default="", help="the edition; left out, found out")
        parser.add_argument("--list", default="", help="the list, by name or id, where the file does not name it")

    def handle(self, *args: Any, **options: Any) -> None:
        data = read_bytes(options["file"])
        try:
            game, edition = system(GAME), options["edition"]
            list_id = list_named(game, game.content(edition or game.document_edition()), options["list"])
            answer, is_read = read_report(data, wanted=options["format"], edition=edition, list_id=list_id)
        except (Refusal, PackError) as refusal:
            raise CommandError(str(refusal), returncode=UNREADABLE) from None
        except KeyError:
            raise CommandError(f"No edition “{options['edition']}” is kept here.", returncode=UNREADABLE) from None
        self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))
        if not is_read:
            sys.exit(OPEN)


def read_bytes(file: str) -> bytes:
    """Return a file's bytes, at most one more than may be sent. Raises CommandError with exit status 2."""
    try:
        if file == "-":
            return sys.stdin.buffer.read(MOST_SENT + 1)
        with Path(file).open("rb") as opened:
            return opened.read(MOST_SENT + 1)
    except OSError as error:
        raise CommandError(f"{file} cannot be opened: {error.strerror}.", returncode=UNREADABLE) from None
