"""The page that hands out the link to watch a battle."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from campaigns.models import Battle, Campaign, WatchLink
from config.qr import code_of
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class WatchLinkPage:
    """The link with its QR code; both are "" where none is in use. `words` tell what it shows."""

    here: str
    back: Link
    words: str
    address: str
    drawn: SafeString


def watch_link_page(battle: Battle, site: str) -> WatchLinkPage:
    """Build the page. One query."""
    code = WatchLink.objects.filter(battle=battle).values_list("code", flat=True).first()
    address = site + reverse("watch-show", args=[code]) if code else ""
    shows_rosters = battle.campaign.rosters == Campaign.Rosters.OPEN
    return WatchLinkPage(
        here=reverse("watch-share", args=[battle.pk]),
        back=Link(_("Table"), reverse("battle-track", args=[battle.pk])),
        words=_("It shows both sides, with their rosters.")
        if shows_rosters
        else _("It shows both sides without figures and kit, as rosters are hidden here."),
        address=address,
        drawn=code_of(address) if address else SafeString(""),
    )
