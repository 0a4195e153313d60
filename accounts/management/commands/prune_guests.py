"""`manage.py prune_guests`: deletes guests who were not here for two weeks, with everything they made."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.deletion import delete_account
from accounts.guests import KEPT_DAYS, unused_guests


class Command(BaseCommand):
    help = "Delete guests who never signed up and were not here for a while, with their warbands. Run it once a day."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=KEPT_DAYS, help="days without use (%(default)s)")

    def handle(self, *, days: int, **options: object) -> None:
        guests = list(unused_guests(timezone.now(), days))
        for guest in guests:
            delete_account(guest)
        self.stdout.write(f"{len(guests)} deleted.")
