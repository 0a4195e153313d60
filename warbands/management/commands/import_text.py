"""`manage.py import_text FILE|-` reads a pasted roster and prints a roster document.

Exit status 0: all names are known, 1: some are unknown (listed under "unread", guesses on standard error), 2: unreadable.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.content.load import PackError
from rules.game import Game, GameContent
from rules.problems import Refusal
from rules.registry import PACKAGES, system
from warbands.text_import import explanation_of, text_import_of

UNKNOWN, UNREADABLE = 1, 2
MOST_BYTES = 1024 * 1024


class Command(BaseCommand):
    help = (
        "Read a roster as text, one fighter a line, and print it as a roster document. "
        "Exit status 0: all known, 1: unknown names, 2: unreadable. --explain describes the form."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE|-", nargs="?", help="a roster as text, or - for standard input")
        parser.add_argument("--explain", action="store_true", help="describe the form that is read, and stop")
        parser.add_argument("--game", default=next(iter(PACKAGES)), choices=sorted(PACKAGES), help="the game")
        parser.add_argument("--edition", default="", help="the edition; left out, the game's first")
        parser.add_argument("--list", default="", help="the list, by name or id, where the text does not name it")

    def handle(self, *args: Any, **options: Any) -> None:
        game = system(options["game"])
        if options["explain"]:
            self.stdout.write(explanation_of(game))
            return
        if not options["file"]:
            raise CommandError("Name a file, or - for standard input; or ask --explain.", returncode=UNREADABLE)
        edition = options["edition"] or game.document_edition()
        try:
            content = game.content(edition)
        except KeyError:
            known = ", ".join(game.editions())
            raise CommandError(f"No edition “{edition}” is kept here; known: {known}.", returncode=UNREADABLE) from None
        except PackError as error:
            raise CommandError(str(error), returncode=UNREADABLE) from None
        text = read_lines(options["file"])
        try:
            roster = text_import_of(game).read_text(content, text, list_named(game, content, options["list"]))
        except Refusal as refusal:
            raise CommandError(str(refusal), returncode=UNREADABLE) from None
        self.stdout.write(json.dumps(roster.document, ensure_ascii=False, indent=1))
        for remark in roster.remarks:
            self.stderr.write(remark)
        for entry in roster.unread:
            self.stderr.write(told(entry))
        if roster.unread:
            sys.exit(UNKNOWN)


def list_named(game: Game, content: GameContent, wanted: str) -> str:
    """Return the list's id, "" if none was named. Raises CommandError with exit status 2."""
    if not wanted:
        return ""
    lists = game.founding.lists(content)
    for choice in lists:
        if wanted.casefold() in (choice.id.casefold(), choice.name.casefold()):
            return str(choice.id)
    raise CommandError(f"No list is called “{wanted}”. Known: {', '.join(x.id for x in lists)}.", returncode=UNREADABLE)


def read_lines(file: str) -> str:
    """Return the text of a file (or of standard input). Raises CommandError with exit status 2."""
    try:
        data = sys.stdin.buffer.read(MOST_BYTES + 1) if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise CommandError(f"{file} cannot be opened: {error.strerror}.", returncode=UNREADABLE) from None
    if len(data) > MOST_BYTES:
        raise CommandError(f"{file} is larger than 1 MB; a roster is far smaller.", returncode=UNREADABLE)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError(f"{file} is not UTF-8 (byte {error.start}).", returncode=UNREADABLE) from None


def told(entry: dict[str, Any]) -> str:
    """Return one unknown entry as a line: where, what, and what it may mean."""
    where = f"line {entry['line']}" if entry["line"] else "the list"
    whose = f" ({entry['fighter']})" if entry["fighter"] else ""
    said = f"“{entry['said']}”" if entry["said"] else "not named"
    guesses = f" Is it {', '.join(entry['guesses'])}?" if entry["guesses"] else ""
    return (
        f"{where}{whose}: {said}.{guesses}" if not entry["said"] else f"{where}{whose}: {said} is not known.{guesses}"
    )
