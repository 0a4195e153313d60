"""`manage.py check_roster FILE|-` reads a roster document and prints the verdict. Exit status 0 legal, 1 not, 2 unreadable."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.content.load import PackError
from rules.json_object import Unreadable, read_object
from rules.problems import Refusal
from rules.registry import PACKAGES, system

ILLEGAL, UNREADABLE = 1, 2


class Command(BaseCommand):
    help = "Check a roster document and print the verdict as JSON. Exit status 0: legal, 1: illegal, 2: unreadable."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE|-", help="a roster document as JSON, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        document = read_json(options["file"])
        game = document.get("game")
        if not isinstance(game, str) or not game:
            raise CommandError("The document names no game (at $.game).", returncode=UNREADABLE)
        if game not in PACKAGES:
            raise CommandError(
                f"No game is called “{game}” (at $.game). Known: {', '.join(PACKAGES)}.", returncode=UNREADABLE
            )
        try:
            answer = system(game).documents.judge(document)
        except Refusal as refusal:
            raise CommandError(str(refusal), returncode=UNREADABLE) from None
        except PackError as error:
            raise CommandError(str(error), returncode=UNREADABLE) from None
        self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))
        if not answer["legal"]:
            sys.exit(ILLEGAL)


def read_json(file: str) -> dict[str, Any]:
    """Return the JSON object in a file (or on standard input).

    Raises CommandError with exit status 2, which names line and column.
    """
    name = "Standard input" if file == "-" else file
    try:
        return read_object(sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes())
    except OSError as error:
        raise CommandError(f"{name} cannot be opened: {error.strerror}.", returncode=UNREADABLE) from None
    except Unreadable as error:
        raise CommandError(f"{name} {error}.", returncode=UNREADABLE) from None
