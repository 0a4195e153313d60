"""The clock: jobs that have their hour. Each app registers its own when the site starts; `manage.py clock` runs them.

Any number of clocks may run. Whoever moves a job's next hour on runs it, and each job is safe to run twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from notifications.models import ClockJob

log = logging.getLogger(__name__)

DAILY = timedelta(hours=23)  # a little less, so that a clock that is run once a day misses no day
RETRY = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Job:
    """One job. `run` gets the hour and returns what it did in words, "" for nothing."""

    name: str
    every: timedelta
    run: Callable[[datetime], str]


_jobs: dict[str, Job] = {}


def register_job(name: str, every: timedelta, run: Callable[[datetime], str]) -> None:
    _jobs[name] = Job(name, every, run)


def jobs() -> list[Job]:
    return [job for _, job in sorted(_jobs.items())]


def run_due(now: datetime | None = None) -> list[tuple[str, str]]:
    """Run every job whose hour has come, and return the name of each that did something, with its words.

    A job that fails is logged, tried again soon, and keeps no other from running. One query if nothing is due.
    """
    now = now or timezone.now()
    later = set(ClockJob.objects.filter(next_at__gt=now).values_list("name", flat=True))
    done = []
    for job in jobs():
        if job.name in later or not _take(job, now):
            continue
        try:
            words = job.run(now)
        except Exception:
            log.exception("The job %s failed", job.name)
            ClockJob.objects.filter(name=job.name).update(next_at=now + min(job.every, RETRY))
            continue
        if words:
            done.append((job.name, words))
    return done


def _take(job: Job, now: datetime) -> bool:
    """Move the job's next hour on; return whether this clock was the one to do it."""
    ClockJob.objects.get_or_create(name=job.name, defaults={"next_at": now})
    return bool(ClockJob.objects.filter(name=job.name, next_at__lte=now).update(next_at=now + job.every))
