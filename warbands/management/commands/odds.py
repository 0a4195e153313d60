"""`manage.py odds GAME RULE --input JSON [--edition E]`: the exact odds of one rule. Exit status 0, or 2 for bad input."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.problems import Refusal
from warbands.management.commands.resolve import UNREADABLE, asked, game_named, rule_arguments


class Command(BaseCommand):
    help = "Print the exact odds of one rule of a game's table as JSON. Exit status 2 for bad input."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        rule_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        game = game_named(options["game"])
        rule, content, given = asked(game, options)
        try:
            found = game.resolvers.odds(content, rule, given)
        except Refusal as refusal:
            raise CommandError(str(refusal), returncode=UNREADABLE) from None
        self.stdout.write(json.dumps(found.document(), ensure_ascii=False, indent=1))
