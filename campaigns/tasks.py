"""Background tasks of campaigns, run by the worker: `manage.py db_worker`."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from django_tasks import task

from campaigns.models import Booklet
from campaigns.models.booklet import SILENT_AFTER
from campaigns.models.incoming import SILENT_AFTER as INCOMING_SILENT_AFTER
from campaigns.models.state_report import SILENT_AFTER as REPORT_SILENT_AFTER
from campaigns.services.booklet_drawing import make_booklet, take_up_booklet
from campaigns.services.bulk_reading import work_at_bulk_files
from campaigns.services.incoming_import import take_up_incoming, work_at_incoming
from campaigns.services.state_comparing import take_up_report, work_at_report
from warbands.pdf_process import drawn_apart


@task()
def draw_booklet(pk: int) -> None:
    """Draw the booklet with this id in a separate process, which frees its memory when it ends."""
    with drawn_apart():
        make_booklet(pk)


@task()
def watch_booklet(pk: int) -> None:
    """Draw the booklet with this id anew if its worker was killed. It looks again until the booklet is finished."""
    with drawn_apart():
        is_at_work = take_up_booklet(pk)
    if is_at_work:
        watch_later(pk)


def watch_later(pk: int) -> None:
    """Queue `watch_booklet`, if the tasks of this site can wait."""
    if watch_booklet.get_backend().supports_defer:
        watch_booklet.using(run_after=timezone.now() + SILENT_AFTER + timedelta(minutes=1)).enqueue(pk)


@task()
def remove_old_booklets() -> None:
    Booklet.objects.over().delete()


@task()
def take_up_bulk_files(campaign: int) -> None:
    """Read and import the roster files that wait in the campaign with this id, one after the other."""
    work_at_bulk_files(campaign)


@task()
def compare_states(pk: int) -> None:
    """Work out the report with this id, from where it stands."""
    work_at_report(pk)


@task()
def watch_report(pk: int) -> None:
    """Go on with the report with this id if its worker was killed. It looks again until the report is finished."""
    if take_up_report(pk):
        watch_report_later(pk)


def watch_report_later(pk: int) -> None:
    """Queue `watch_report`, if the tasks of this site can wait."""
    if watch_report.get_backend().supports_defer:
        watch_report.using(run_after=timezone.now() + REPORT_SILENT_AFTER + timedelta(seconds=30)).enqueue(pk)


@task()
def import_incoming(pk: int) -> None:
    """Import the campaign of the file with this id."""
    work_at_incoming(pk)


@task()
def watch_incoming(pk: int) -> None:
    """Import the file with this id anew if its worker was killed. It looks again until it is imported or refused."""
    if take_up_incoming(pk):
        watch_incoming_later(pk)


def watch_incoming_later(pk: int) -> None:
    """Queue `watch_incoming`, if the tasks of this site can wait."""
    if watch_incoming.get_backend().supports_defer:
        watch_incoming.using(run_after=timezone.now() + INCOMING_SILENT_AFTER + timedelta(seconds=30)).enqueue(pk)
