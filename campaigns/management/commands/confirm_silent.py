"""Confirm reports that nobody answered in time, and apply house rules whose day has come. Run it once a day or more often."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from campaigns.services.answers import confirm_silent
from campaigns.services.house_rules import settle_due_rules


class Command(BaseCommand):
    help = "Confirm every report whose time for an answer is over."

    def handle(self, *args: Any, **options: Any) -> None:
        confirmed = confirm_silent()
        for battle in confirmed:
            self.stdout.write(f"{battle.campaign.name}: battle {battle.pk}")
        self.stdout.write(f"Reports confirmed by silence: {len(confirmed)}")
        settled = settle_due_rules()
        self.stdout.write(f"Campaigns whose house rules changed today: {len(settled)}")
