"""`manage.py roster_odds MINE|- THEIRS [--told JSON] [--format json|csv]`: the exact odds of every attack of one roster on another.

Exit status 0, 1 where something on a roster is unknown and left out, 2 for unreadable input.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.content.load import PackError
from rules.force import Force
from rules.formatting import table_cell
from rules.game import Game, GameContent
from rules.json_object import Unreadable, read_object
from rules.problems import Problem, Refusal
from rules.registry import PACKAGES, system
from rules.roster_odds import AttackOdds, document_of, roster_odds
from warbands.management.commands.check_roster import UNREADABLE, read_json

PROBLEMS = 1
WHO = ("attacker", "attacker_profile", "weapon", "way", "target", "target_profile")


class Command(BaseCommand):
    help = "Print the exact odds of every attack of one roster on another. Exit status 1: something was left out, 2: bad input."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "mine", metavar="MINE|-", help="the roster document of the attackers, or - for standard input"
        )
        parser.add_argument("theirs", metavar="THEIRS", help="the roster document of the targets")
        parser.add_argument(
            "--told", default="{}", metavar="JSON", help='the state of the table: {"cover": 1, "distance": "12"}'
        )
        parser.add_argument("--attacker", default="", metavar="NAME", help="only this fighter or unit attacks")
        parser.add_argument("--target", default="", metavar="NAME", help="only this one is attacked")
        parser.add_argument(
            "--format", default="json", choices=("json", "csv"), help="one JSON object, or one line a result"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        documents = [read_json(options["mine"]), read_json(options["theirs"])]
        game, content = _content(documents)
        (mine, theirs), problems = _forces(game, documents)
        try:
            told = read_object(options["told"].encode("utf-8", "surrogateescape"))
        except Unreadable as error:
            raise CommandError(f"The state of the table {error}.", returncode=UNREADABLE) from None
        try:
            answers = {name: _plain(name, told[name]) for name in told}
            only = (options["attacker"], options["target"])
            rows = list(roster_odds(game, content, mine, theirs, answers, only=only))
        except Refusal as refusal:
            raise CommandError(str(refusal), returncode=UNREADABLE) from None
        if options["format"] == "csv":
            self._write_csv(rows)
            for problem in problems:
                self.stderr.write(problem.message)
        else:
            about: dict[str, Any] = {
                "game": game.id,
                "edition": mine.edition,
                "attackers": mine.name,
                "targets": theirs.name,
            }
            about["problems"] = [{"code": problem.code, "message": problem.message} for problem in problems]
            self.stdout.write(
                json.dumps({**about, "rows": [document_of(row) for row in rows]}, ensure_ascii=False, indent=1)
            )
        if problems:
            sys.exit(PROBLEMS)

    def _write_csv(self, rows: Sequence[AttackOdds]) -> None:
        """Write one line for each result of each attack."""
        writer = csv.writer(self.stdout)
        writer.writerow((*WHO, "told", "part", "outcome", "chance", "percent"))
        for row in rows:
            who = [table_cell(getattr(row, name)) for name in WHO]
            who.append(" ".join(f"{name}={value}" for name, value in row.told.items()))
            for part, chances in {**row.parts, **({"": row.chances} if row.chances else {})}.items():
                for outcome, share in chances.items():
                    writer.writerow((*who, part, outcome, share, round(float(share) * 100, 4)))


def _plain(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if not isinstance(value, (int, str)):
        raise CommandError(f"Give a number or a word (at {name}).", returncode=UNREADABLE)
    return str(value)


def _content(documents: Sequence[Mapping[str, Any]]) -> tuple[Game, GameContent]:
    """Return the one game and edition of both rosters. Raises CommandError with exit status 2."""
    names = [document.get("game") for document in documents]
    for name in names:
        if not isinstance(name, str) or name not in PACKAGES:
            words = f"No game is called “{name}” (at $.game). Known: {', '.join(PACKAGES)}."
            raise CommandError(words, returncode=UNREADABLE)
    if names[0] != names[1]:
        raise CommandError("The rosters are of two games.", returncode=UNREADABLE)
    game = system(str(names[0]))
    editions = [document.get("edition") or game.document_edition() for document in documents]
    if editions[0] != editions[1]:
        raise CommandError("The rosters are of two editions.", returncode=UNREADABLE)
    overlays, house_rules = documents[0].get("overlays") or (), documents[0].get("house_rules")
    try:
        return game, game.content(str(editions[0]), overlays, house_rules)
    except KeyError as error:
        words = f"No edition or overlay {error} is kept here. Known editions: {', '.join(game.editions())}."
        raise CommandError(words, returncode=UNREADABLE) from None
    except (PackError, Refusal) as error:
        raise CommandError(str(error), returncode=UNREADABLE) from None


def _forces(game: Game, documents: Sequence[Mapping[str, Any]]) -> tuple[list[Force], list[Problem]]:
    forces: list[Force] = []
    problems: list[Problem] = []
    for document in documents:
        try:
            force, found = game.documents.read_document(document)
        except Refusal as refusal:
            raise CommandError(str(refusal), returncode=UNREADABLE) from None
        forces.append(force)
        problems += found
    return forces, problems
