"""The page of the changes to the rules that somebody handed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.content.load import packs
from rules.registry import PACKAGES, system
from warbands.labels import edition_name
from warbands.models import HouseOverlay
from warbands.pages.addresses import with_query
from warbands.pages.states import STATUS_WORDS, date_words
from warbands.services.house_overlays import know_overlays, played_by


@dataclass(frozen=True, slots=True)
class HouseOverlayRow:
    title: str
    meta: str
    summary: str
    played_words: str
    withdrawn: bool
    here: str  # its file, and where it is withdrawn
    changes_href: str


@dataclass(frozen=True, slots=True)
class HouseOverlaysPage:
    here: str
    back_href: str
    rows: tuple[HouseOverlayRow, ...]
    bases: str  # what a file may be for


def house_overlays_page(user: Any) -> HouseOverlaysPage:
    """Build the page. Two queries, and one for each game and edition that is not known yet."""
    offers = list(HouseOverlay.objects.filter(owner=user).select_related("copy"))
    counts = played_by(offers)
    bases = ["/".join(base) for base in packs() if base[0] in PACKAGES and system(base[0]).states is not None]
    return HouseOverlaysPage(
        here=reverse("house-overlays"),
        back_href=reverse("rule-list"),
        rows=tuple(_row(offer, counts[offer.pk]) for offer in offers),
        bases=", ".join(bases),
    )


def _row(offer: HouseOverlay, count: int) -> HouseOverlayRow:
    copy = offer.copy
    know_overlays(copy.system, copy.edition, [copy.overlay])
    overlay = copy.read()
    meta = [edition_name(copy.system, copy.edition), copy.overlay, _("version {number}").format(number=copy.version)]
    if overlay is not None:
        meta += [date_words(overlay.head.date), str(STATUS_WORDS[overlay.head.status])]
    played = ngettext("Played in {count} place.", "Played in {count} places.", count).format(count=count)
    return HouseOverlayRow(
        title=copy.title,
        meta=", ".join(meta),
        summary=overlay.head.summary if overlay is not None else _("This release can no longer read it."),
        played_words=played if count else _("Not used yet."),
        withdrawn=offer.withdrawn_at is not None,
        here=reverse("house-overlay", args=[offer.pk]),
        changes_href=with_query(
            reverse("rule-states", args=[copy.system, copy.edition]), {"there": f"{copy.edition}+{copy.overlay}"}
        )
        if overlay is not None
        else "",
    )
