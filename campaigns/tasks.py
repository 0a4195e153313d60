"""Long work of campaigns, done by the worker: `manage.py db_worker`."""

from __future__ import annotations

from django_tasks import task

from campaigns.models import Booklet
from campaigns.services.booklet import make_booklet
from warbands.pdf_process import drawn_apart


@task()
def draw_booklet(pk: int) -> None:
    """Draw the booklet with this number. What it took of memory goes back with the process that draws it."""
    with drawn_apart():
        make_booklet(pk)


@task()
def remove_old_booklets() -> None:
    """Remove the booklets whose day is over."""
    Booklet.objects.over().delete()
