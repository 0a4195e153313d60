"""The page that lists a user's campaigns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Administrator, Campaign, Round, Seat
from campaigns.pages.formatting import edition_words, round_words
from warbands.pages.formatting import players_words
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class CampaignLine:
    name: str
    href: str
    words: str
    role_words: str
    state_words: str


@dataclass(frozen=True, slots=True)
class CampaignList:
    """The campaigns that a user administers or has a seat in. `past` holds those that have ended, in the archive the archived ones.

    `other` leads to the archive and back, None if nothing is archived.
    """

    title: str
    running: tuple[CampaignLine, ...]
    past: tuple[CampaignLine, ...]
    open: Link
    is_archive: bool
    other: Link | None


def _other_list(*, archive: bool, archived: int) -> Link | None:
    """Return the link from the list to the archive, or back; None if nothing is archived."""
    here = reverse("campaign-list")
    if archive:
        return Link(_("Campaigns"), here)
    if not archived:
        return None
    count = ngettext("Archive: {count} campaign", "Archive: {count} campaigns", archived)
    return Link(count.format(count=archived), f"{here}?show=archive")


def campaign_list(user: Any, *, archive: bool = False) -> CampaignList:
    """Build the list, or that of the archive. Four queries."""
    seats = Seat.objects.live().filter(campaign=OuterRef("pk")).exclude(status=Seat.Status.LEFT).order_by()
    seated = Coalesce(Subquery(seats.values("campaign").annotate(count=Count("pk")).values("count")), 0)
    rows = list(Campaign.objects.joined_by(user).select_related("terms").annotate(players=seated).order_by("-pk"))
    ids = [row.pk for row in rows]
    runs = set(Administrator.objects.live().filter(user=user, campaign__in=ids).values_list("campaign_id", flat=True))
    sits = {
        seat.campaign_id: seat
        for seat in Seat.objects.live().filter(user=user, campaign__in=ids).select_related("warband").order_by("pk")
    }
    rounds = {found.campaign_id: found for found in Round.objects.live().filter(campaign__in=ids).order_by("number")}
    lines = [(row, _line(row, row.pk in runs, sits.get(row.pk), rounds.get(row.pk))) for row in rows]
    archived = tuple(line for row, line in lines if row.status == Campaign.Status.ARCHIVED)
    return CampaignList(
        title=_("Archive") if archive else _("Campaigns"),
        running=() if archive else tuple(line for row, line in lines if row.status == Campaign.Status.RUNNING),
        past=archived if archive else tuple(line for row, line in lines if row.status == Campaign.Status.FINISHED),
        is_archive=archive,
        other=_other_list(archive=archive, archived=len(archived)),
        open=Link(_("Start a campaign"), reverse("campaign-open")),
    )


def _line(row: Campaign, runs: bool, seat: Seat | None, found: Round | None) -> CampaignLine:
    roles = [_("you run this campaign")] if runs else []
    if seat is not None:
        left = " (left)" if seat.status == Seat.Status.LEFT else ""
        roles.append(
            _("with {name}{left}").format(name=seat.warband.name, left=left)
            if seat.warband is not None
            else _("no warband yet{left}").format(left=left)
        )
    return CampaignLine(
        name=row.name,
        href=reverse("campaign-show", args=[row.pk]),
        words=", ".join(part for part in (edition_words(row), players_words(row.players)) if part),  # type: ignore[attr-defined]
        role_words=", ".join(roles),
        state_words=round_words(found, row.rounds_planned)
        if row.status == Campaign.Status.RUNNING
        else row.get_status_display().lower(),
    )
