"""The service that starts a booklet. A background task draws it."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from campaigns.booklet import BookletOptions, booklet_sheets
from campaigns.models import Booklet, Campaign
from campaigns.models.booklet import KEPT_FOR
from campaigns.tasks import draw_booklet, remove_old_booklets, watch_later


def start_booklet(*, campaign: Campaign, actor: Any, options: BookletOptions, site: str) -> tuple[Booklet, bool]:
    """Start a booklet; return it and whether it is new. If one is already being drawn, return that one.

    A new booklet replaces the previous one, and also one whose worker has stopped. The task is queued in the same
    transaction, so that no booklet waits for ever.

    Raises Refusal if nothing was chosen or there is nothing to print.
    """
    with transaction.atomic():
        locked = (
            Campaign.objects.select_for_update(of=("self",), no_key=True).select_related("terms").get(pk=campaign.pk)
        )
        at_work = Booklet.objects.defer("pdf").filter(campaign=locked, status__in=Booklet.AT_WORK).first()
        if at_work is not None and not at_work.is_silent:
            return at_work, False
        count = len(booklet_sheets(locked, options, site, actor))
        Booklet.objects.filter(campaign=locked).delete()
        Booklet.objects.over().delete()
        made = Booklet.objects.create(campaign=locked, asked_by=actor, options=options.plain(), site=site, count=count)
        draw_booklet.enqueue(made.pk)
        watch_later(made.pk)
        if remove_old_booklets.get_backend().supports_defer:
            remove_old_booklets.using(run_after=made.asked_at + KEPT_FOR).enqueue()
    return made, True
