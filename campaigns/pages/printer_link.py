"""The page that hands out the link for the printer, and the page that it opens."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from campaigns.models import Booklet, Campaign, PrinterLink
from campaigns.pages.booklet import BookletProgress, booklet_progress, latest_booklet
from config.qr import code_of
from warbands.pages.formatting import day
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class PrinterLinkPage:
    """The link with its QR code; both are "" where none is in use."""

    here: str
    back: Link
    address: str
    drawn: SafeString


@dataclass(frozen=True, slots=True)
class PrinterPage:
    """What whoever has the link sees: the progress of the latest booklet, and its file once it is there."""

    name: str
    here: str
    task: BookletProgress | None
    meta: str


def printer_link_page(campaign: Campaign, site: str) -> PrinterLinkPage:
    """Build the page. One query."""
    code = PrinterLink.objects.filter(campaign=campaign).values_list("code", flat=True).first()
    address = site + reverse("printer-show", args=[code]) if code else ""
    return PrinterLinkPage(
        here=reverse("printer-link", args=[campaign.pk]),
        back=Link(_("Booklet"), reverse("booklet-print", args=[campaign.pk])),
        address=address,
        drawn=code_of(address) if address else SafeString(""),
    )


def printer_page(campaign: Campaign, code: str) -> PrinterPage:
    """Build the page. One query."""
    booklet = latest_booklet(campaign)
    here, file = (reverse(name, args=[code]) for name in ("printer-show", "printer-download"))
    is_done = booklet is not None and booklet.status == Booklet.Status.DONE
    progress = booklet_progress(booklet, campaign, "printer_progress", again=here, file=file) if booklet else None
    return PrinterPage(
        name=campaign.name,
        here=here,
        task=progress,
        meta=_("Created {day}, in {paper}.").format(day=day(booklet.asked_at), paper=booklet.options["sheets"]["paper"])
        if booklet is not None and is_done
        else "",
    )
