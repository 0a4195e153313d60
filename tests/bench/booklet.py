"""The booklet of a large club: how long forty rosters of fought warbands take, in how much memory, and how large the file is.

    .venv/bin/python -m tests.bench.booklet

It builds a club in a database of its own, in `--folder` if one is given, and uses it again there.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROSTERS, BATTLES = 40, 3
SECONDS, MEGABYTES, FILE_MB = 60, 250, 3.0
SAMPLES = ("lantern-wardens", "gallows-choir", "third-breach", "brand-of-dis")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="where the club's database is kept for another time")
    parser.add_argument("--rosters", type=int, default=ROSTERS)
    found = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = found.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        database = folder / f"club-of-{found.rosters}.sqlite3"
        os.environ.update(
            DJANGO_SETTINGS_MODULE="config.settings", DEVELOPMENT="1", DATABASE_URL=f"sqlite:///{database}"
        )
        is_new = not database.exists()
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        if is_new:
            club_of(found.rosters)
        return report(*measure())


def club_of(rosters: int) -> None:
    """Found a club of so many players, each of whom has fought."""
    from tests import campaign_stories as c
    from tests.conftest import person

    made = c.club(person("cleo"))
    players = [person(f"player{number}") for number in range(rosters)]
    for number, player in enumerate(players):
        c.joins(made, player, sample=SAMPLES[number % len(SAMPLES)])
    for number in range(BATTLES):
        for at in range(0, rosters - 1, 2):
            one, other = players[at], players[at + 1]
            row = c.mustered(made, one, other)
            c.fight(row, one, (one, other)[number % 2])
            for player in (one, other):
                c.resolve(row, player)
    print(f"A club of {rosters} rosters after {BATTLES} battles each.")


def measure() -> tuple[float, float, float, Any]:
    """Draw the booklet as the worker does: (seconds, megabytes of the largest process of those that draw, those of the file, the booklet)."""
    from campaigns.booklet import BookletOptions
    from campaigns.models import Booklet, Campaign
    from campaigns.services.booklet import start_booklet
    from campaigns.tasks import draw_booklet
    from warbands.models import KeptSheet

    campaign = Campaign.objects.get()
    Booklet.objects.all().delete()
    KeptSheet.objects.all().delete()
    row, _is_new = start_booklet(campaign=campaign, actor=None, options=BookletOptions(), site="https://club.example")
    start, worked = time.perf_counter(), _processor_seconds()
    draw_booklet.call(row.pk)
    seconds = time.perf_counter() - start
    print(f"The processors worked for {_processor_seconds() - worked:.1f} s.")
    row.refresh_from_db()
    drawing = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return seconds, max(drawing, own), len(row.pdf or b"") / 1024**2, row


def _processor_seconds() -> float:
    """Return what this process and its children that have ended took of the processors."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def report(seconds: float, megabytes: float, file_mb: float, row: Any) -> int:
    """Print each figure beside its budget; return 1 if one is missed."""
    missed = 0
    print(f"{row.status}: {row.count} sheets, {row.pages} pages, left out {row.left_out}")
    for name, figure, budget, unit in (
        ("time", seconds, SECONDS, "s"),
        ("memory of the largest process", megabytes, MEGABYTES, "MB"),
        ("file", file_mb, FILE_MB, "MB"),
    ):
        good = figure < budget
        missed |= not good
        print(f"{'ok    ' if good else 'MISSED'} {name}: {figure:.1f} {unit}, under {budget:g} {unit}")
    return int(missed or row.status != "done" or bool(row.left_out))


if __name__ == "__main__":
    sys.exit(main())
