"""Background tasks of campaigns, run by the worker: `manage.py db_worker`."""

from __future__ import annotations

from django_tasks import task

from campaigns.models import Booklet
from campaigns.services.booklet_drawing import make_booklet
from warbands.pdf_process import drawn_apart


@task()
def draw_booklet(pk: int) -> None:
    """Draw the booklet with this id in a separate process, which frees its memory when it ends."""
    with drawn_apart():
        make_booklet(pk)


@task()
def remove_old_booklets() -> None:
    Booklet.objects.over().delete()
