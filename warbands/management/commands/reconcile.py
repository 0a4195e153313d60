"""`manage.py reconcile`: recomputes every warband's cached numbers and prints differences."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from warbands.models import Warband
from warbands.reconcile import differences, judge_again


class Command(BaseCommand):
    help = "Work out every warband's strongbox, rating and numbering again from ledger, roster and events."
    requires_system_checks: list[str] = []  # they load every page of the site, which takes longer than the command

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("warband", nargs="*", type=int, help="ids of warbands; all of them without any")
        parser.add_argument(
            "--judge",
            action="store_true",
            help="first judge each roster by the rules of this release, as after an upgrade",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        warbands = Warband.objects.select_related("terms").order_by("pk")
        if options["warband"]:
            warbands = warbands.filter(pk__in=options["warband"])
        if options["judge"]:
            for warband in judge_again(list(warbands.values_list("pk", flat=True))):
                self.stdout.write(f"{warband.pk} {warband.name}: checked again by the rules of this release.")
        looked_at = wrong = 0
        for warband in warbands.iterator():
            looked_at += 1
            for told in differences(warband):
                wrong += 1
                self.stdout.write(f"{warband.pk} {warband.name}: {told}")
        self.stderr.write(f"{looked_at} warbands looked at, {wrong} differences.")
        if wrong:
            sys.exit(1)
