"""The link for whoever stands at the printer: it opens a campaign's latest booklet without an account."""

from __future__ import annotations

from django.db import transaction

from campaigns.models import Campaign, PrinterLink
from campaigns.services.common import new_link


def hand_out_printer_link(*, campaign: Campaign) -> str:
    """Return the code of the campaign's link. A new one is drawn where none is in use."""
    with transaction.atomic():
        Campaign.objects.select_for_update(of=("self",), no_key=True).get(pk=campaign.pk)
        link, _made = PrinterLink.objects.get_or_create(campaign=campaign)
        if not link.code:
            link.code = new_link()
            link.save(update_fields=["code"])
    return link.code


def revoke_printer_link(*, campaign: Campaign) -> None:
    """Let the campaign's link open nothing from now on. Who had it needs a new one."""
    PrinterLink.objects.filter(campaign=campaign).update(code="")
