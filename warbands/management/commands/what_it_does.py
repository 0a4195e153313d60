"""Prints `docs/what-the-app-does.md`: the list of what the app does, and what the sheet reminds of."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from rules.registry import systems


class Command(BaseCommand):
    """`python manage.py what_it_does > docs/what-the-app-does.md`"""

    help = "Print what the app does of the campaign's results, and what stands on the sheet as a reminder."

    def handle(self, *args: Any, **options: Any) -> None:
        for game in systems():
            if game.campaign is not None:
                self.stdout.write(game.campaign.what_it_does(), ending="")
