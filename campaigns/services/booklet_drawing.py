"""The code that draws a booklet sheet by sheet, inside a background task."""

from __future__ import annotations

import logging
from contextlib import nullcontext
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.booklet import BookletOptions, booklet_sheets
from campaigns.models import Booklet
from campaigns.models.booklet import SILENT_AFTER
from rules.problems import Refusal
from warbands.pdf_process import join, with_whole_fonts

log = logging.getLogger(__name__)

WHOLE_FONTS_FROM = 12  # sheets; the fonts of fewer take less room with the letters that each of them needs
BROKE = gettext_lazy("Couldn't be created. The server log says why.")
UNJOINED = gettext_lazy("The sheets couldn't be joined. The server log says why.")
STOPPED = gettext_lazy("The worker stopped before it was finished.")


def make_booklet(pk: int) -> None:
    """Draw a queued booklet: draw each sheet separately, then join them. A sheet that cannot be drawn is named and
    left out.

    Many sheets are drawn with whole fonts, which they then share in the file. Progress is saved outside a transaction, so that others can write during the drawing. A booklet that has been
    replaced is dropped.
    """
    booklet = (
        Booklet.objects.select_related("campaign__terms", "asked_by")
        .filter(pk=pk, status=Booklet.Status.QUEUED)
        .first()
    )
    if booklet is None:
        return
    options = BookletOptions.of(booklet.options)
    parts: list[tuple[str, bytes]] = []
    left_out: list[dict[str, str]] = []
    try:
        sheets = booklet_sheets(booklet.campaign, options, booklet.site, booklet.asked_by)
        if not _told(booklet, status=Booklet.Status.RUNNING, count=len(sheets)):
            return
        for number, sheet in enumerate(sheets, 1):
            try:
                with with_whole_fonts() if len(sheets) >= WHOLE_FONTS_FROM else nullcontext():
                    parts.append((sheet.name, sheet.draw()))
            except Refusal as refusal:
                left_out.append({"name": sheet.name, "why": str(refusal)})
            except Exception:
                log.exception("A sheet of booklet %s could not be drawn: %s", booklet.pk, sheet.name)
                left_out.append({"name": sheet.name, "why": str(BROKE)})
            if not _told(booklet, done=number, left_out=left_out):
                return
        if not parts:
            _told(booklet, status=Booklet.Status.FAILED, why=_("No sheet could be created."))
            return
        title = _("{name}, booklet").format(name=booklet.campaign.name)
        pdf, pages = join(parts, title=title, on_new_leaves=options.on_new_leaves)
        _told(booklet, status=Booklet.Status.DONE, pdf=pdf, pages=pages)
    except Refusal as refusal:
        _told(booklet, status=Booklet.Status.FAILED, why=str(refusal)[:300])
    except Exception:
        _told(booklet, status=Booklet.Status.FAILED, why=str(UNJOINED))
        raise
    except BaseException:
        _told(booklet, status=Booklet.Status.FAILED, why=str(STOPPED))
        raise


def take_up_booklet(pk: int) -> bool:
    """Draw a booklet again whose worker was killed; return whether it is still at work and has to be looked at later.

    Rosters that were drawn before the worker stopped are kept, so the second time is much shorter.
    """
    at_work = Booklet.objects.filter(pk=pk, status__in=Booklet.AT_WORK)
    now = timezone.now()
    again = {"status": Booklet.Status.QUEUED, "done": 0, "left_out": [], "told_at": now}
    if at_work.filter(told_at__lt=now - SILENT_AFTER).update(**again):
        make_booklet(pk)
    return at_work.exists()


def _told(booklet: Booklet, **changed: Any) -> bool:
    """Store the progress; return False if the booklet has been replaced or given up in the meantime. One query."""
    at_work = Booklet.objects.filter(pk=booklet.pk, status__in=Booklet.AT_WORK)
    return bool(at_work.update(told_at=timezone.now(), **changed))
