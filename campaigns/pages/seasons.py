"""The page that starts a campaign from another one, and the words for the seasons of a series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.models import Campaign, CampaignPreset, Seat
from campaigns.season_forms import CampaignCopyForm, PresetForm, SeasonForm
from campaigns.services.seasons import seats_to_carry
from warbands.idempotency import new_token
from warbands.labels import has_shop
from warbands.models import Event
from warbands.pages.widgets import Link
from warbands.undo import is_live


@dataclass(frozen=True, slots=True)
class PresetRow:
    pk: int
    name: str
    href: str
    token: str


@dataclass(frozen=True, slots=True)
class CopyPage:
    """`season` is None while the campaign runs or once it has a next season; `season_words` says which."""

    pk: int
    name: str
    here: str
    home: Link
    season: SeasonForm | None
    season_words: str
    next_season: Link | None
    undo: Link | None
    copy: CampaignCopyForm
    preset: PresetForm
    presets: tuple[PresetRow, ...]


def copy_page(campaign: Campaign, forms: dict[str, Any] | None = None) -> CopyPage:
    """Build the page. At most six queries. `forms` are those that were sent and could not be read, by act."""
    given = forms or {}
    later = Campaign.objects.live().filter(continues=campaign).first()
    is_open = campaign.status != Campaign.Status.RUNNING and later is None
    seats = seats_to_carry(campaign) if is_open else []
    presets = CampaignPreset.objects.live().filter(campaign=campaign, is_away=False)
    return CopyPage(
        pk=campaign.pk,
        name=campaign.name,
        here=reverse("campaign-copy", args=[campaign.pk]),
        home=Link(_("Campaign desk"), reverse("campaign-administer", args=[campaign.pk])),
        season=given.get("season") or season_form(campaign, seats) if is_open else None,
        season_words=_("End the campaign first. Then its next season can start.") if later is None else "",
        next_season=Link(later.name, reverse("campaign-show", args=[later.pk])) if later is not None else None,
        undo=_undo_of(later),
        copy=given.get("copy")
        or CampaignCopyForm(
            auto_id="id_copy_%s",
            initial={"name": _short(_("{name}, copy").format(name=campaign.name)), "token": new_token()},
        ),
        preset=given.get("preset")
        or PresetForm(auto_id="id_preset_%s", initial={"name": campaign.name[:60], "token": new_token()}),
        presets=tuple(
            PresetRow(row.pk, row.name, f"{reverse('campaign-open')}?preset={row.pk}", new_token()) for row in presets
        ),
    )


def season_form(campaign: Campaign, seats: list[Seat], data: Any = None) -> SeasonForm:
    """Return the form of the next season. No queries."""
    choices = [
        (str(seat.pk), f"{seat.name}: {seat.warband.name}" if seat.warband is not None else seat.name) for seat in seats
    ]
    initial = {
        "name": _next_name(campaign),
        "seats": [key for key, _words in choices],
        "token": new_token(),
    }
    return SeasonForm(
        data, auto_id="id_season_%s", seats=choices, has_strongbox=has_shop(campaign.terms), initial=initial
    )


def season_links(campaign: Campaign, *, public: bool) -> tuple[str, tuple[Link, ...]]:
    """Return the words for a campaign's place in its series, and links to the seasons beside it. One query, none for a first season.

    For spectators, only seasons that are public themselves have links.
    """
    if campaign.continues_id is None and campaign.status == Campaign.Status.RUNNING:
        return "", ()
    near = Campaign.objects.live().filter(Q(continues=campaign) | Q(pk=campaign.continues_id or 0)).order_by("pk")
    before = after = None
    for row in near:
        if row.pk == campaign.continues_id:
            before = row
        else:
            after = row
    words = ""
    if before is not None:
        words = _("Season {number} of {name}.").format(number=campaign.season, name=before.name)
    links = []
    for row, label in ((before, _("Season before: {name}")), (after, _("Next season: {name}"))):
        if row is None or (public and row.seen_by != Campaign.SeenBy.LINK):
            continue
        href = reverse("campaign-watch", args=[row.slug]) if public else reverse("campaign-show", args=[row.pk])
        links.append(Link(label.format(name=row.name), href))
    return words, tuple(links)


def _next_name(campaign: Campaign) -> str:
    """Return a name for the next season: the same, with its number in place of the present one."""
    present = _(", season {number}").format(number=campaign.season)
    name = campaign.name.removesuffix(present)
    return _short(name + _(", season {number}").format(number=campaign.season + 1))


def _short(name: str) -> str:
    return name if len(name) <= 80 else f"{name[:79]}…"


def _undo_of(later: Campaign | None) -> Link | None:
    """Return the link that takes a next season back, as long as its founding stands."""
    if later is None:
        return None
    label = Campaign._meta.label
    event = (
        Event.objects.filter(kind="season", subjects__label=label, subjects__row_id=later.pk).order_by("-pk").first()
    )
    if event is None or not is_live(event):
        return None
    return Link(_("Undo"), reverse("event-undo", args=[event.pk]))
