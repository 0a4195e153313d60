"""`manage.py resolve GAME RULE --input JSON [--edition E] [--dice 3,4,6 | --seed N]` resolves one rule once.

`manage.py resolve GAME --list` prints every rule with its input as JSON Schema, one rule a line. The output is one
document, and the inputs refer to its `$defs`. `resolve GAME RULE --list` prints one rule with a self-contained schema.
Exit status 0, or 2 for bad input.
"""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.content.load import PackError
from rules.dice import AppDice, DiceSource, NeedDice, SeededDice, TypedDice
from rules.game import Game
from rules.json_object import Unreadable, read_object
from rules.problems import Refusal
from rules.registry import PACKAGES, system
from rules.resolvers.rule import listed_rules

UNREADABLE = 2
MOST_DICE = 400


class Command(BaseCommand):
    help = "Resolve one rule of a game's table and print the result as JSON. Exit status 2 for bad input."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        rule_arguments(parser)
        parser.add_argument("--list", action="store_true", help="every rule of the game with its input and its dice")
        dice = parser.add_mutually_exclusive_group()
        dice.add_argument("--dice", metavar="3,4,6", help="the faces that fell, in the order in which the rule asks")
        dice.add_argument("--seed", type=int, help="repeatable dice")

    def handle(self, *args: Any, **options: Any) -> None:
        game = game_named(options["game"])
        if options["list"]:
            self.stdout.write(_listing(game, options["rule"] or ""))
            return
        rule, content, given = asked(game, options)
        dice = source(options)
        try:
            found = game.resolvers.resolve(content, rule, given, dice)
        except Refusal as refusal:
            raise CommandError(str(refusal), returncode=UNREADABLE) from None
        except NeedDice as need:
            have = len(dice.left) if isinstance(dice, TypedDice) else 0
            raise CommandError(
                f"{need.why}: {need.count} dice of {need.sides} sides are asked for, {have} are left.",
                returncode=UNREADABLE,
            ) from None
        if isinstance(dice, TypedDice) and dice.left:
            raise CommandError(
                f"{len(dice.left)} of the dice are not asked for: {', '.join(map(str, dice.left))}.",
                returncode=UNREADABLE,
            )
        self.stdout.write(json.dumps(found.document(), ensure_ascii=False, indent=1))


def _listing(game: Game, name: str) -> str:
    """Return all rules of a game, or one by name, as JSON. Raises CommandError if the rule is unknown."""
    about = {"game": game.id, "editions": list(game.editions())}
    rules = game.resolvers.table_rules()
    if name:
        found = next((rule for rule in rules if rule.name == name), None)
        if found is None:
            known = ", ".join(rule.name for rule in rules)
            raise CommandError(f"No rule is called “{name}”. Known: {known}.", returncode=UNREADABLE)
        return json.dumps({**about, "rules": [found.told()]}, ensure_ascii=False, indent=1)
    told = listed_rules(rules)
    lines = ",\n".join(_compact(rule) for rule in told["rules"])
    return f'{_compact(about)[:-1]},\n"rules":[\n{lines}],\n"$defs":{_compact(told["$defs"])}}}'


def _compact(told: object) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def rule_arguments(parser: CommandParser) -> None:
    """Add the arguments of both commands: the game, the rule, its input, the edition."""
    parser.add_argument("game", metavar="GAME", help=f"one of {', '.join(PACKAGES)}")
    parser.add_argument("rule", nargs="?", metavar="RULE", help="a rule by its name; see resolve GAME --list")
    parser.add_argument("--input", default="{}", metavar="JSON", help="what the rule is told, as a JSON object")
    parser.add_argument("--edition", default="", help="an edition of the game")


def game_named(name: str) -> Game:
    """Return the game with this name. Raises CommandError with exit status 2 if it is unknown."""
    if name not in PACKAGES:
        raise CommandError(f"No game is called “{name}”. Known: {', '.join(PACKAGES)}.", returncode=UNREADABLE)
    return system(name)


def asked(game: Game, options: dict[str, Any]) -> tuple[str, Any, dict[str, Any]]:
    """Return the rule, the content of the edition and the input.

    Raises CommandError with exit status 2, which names line and column.
    """
    if not options["rule"]:
        raise CommandError("Which rule? See --list.", returncode=UNREADABLE)
    edition = options["edition"] or game.document_edition()
    try:
        content = game.content(edition)
    except KeyError:
        raise CommandError(
            f"No edition “{edition}” is kept here; known: {', '.join(game.editions())}.", returncode=UNREADABLE
        ) from None
    except PackError as error:
        raise CommandError(str(error), returncode=UNREADABLE) from None
    try:
        return options["rule"], content, read_object(options["input"].encode("utf-8", "surrogateescape"))
    except Unreadable as error:
        raise CommandError(f"The input {error}.", returncode=UNREADABLE) from None


def source(options: dict[str, Any]) -> DiceSource:
    """Return the requested dice: typed, seeded, or the app's own. Raises CommandError if the faces are no valid list."""
    if options["dice"] is not None:
        parts = [part.strip() for part in options["dice"].split(",") if part.strip()]
        if len(parts) > MOST_DICE or not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
            raise CommandError("Dice are numbers with commas between them: 3,4,6.", returncode=UNREADABLE)
        return TypedDice([int(part) for part in parts])
    return AppDice() if options["seed"] is None else SeededDice(options["seed"])
