"""`manage.py demo`: the demonstration club."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from campaigns.demo import Demo


class Command(BaseCommand):
    """Seeds the demonstration club through the services. A second run changes nothing."""

    help = "Make the demonstration club: four players, an administrator, one campaign three rounds in. Does nothing if it is there."

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            campaign = Demo().make()
        if campaign is None:
            self.stdout.write("The demonstration club is here already.")
        else:
            self.stdout.write(f"The demonstration club is open: {campaign.name}.")
