"""The services for regions: name them, set stakes, link neighbours, and record who holds them since when."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import ANSWERED, Battle, Campaign, Region, RegionHold, RegionLink, Round, Seat, Side
from campaigns.services.common import NothingToDo, cleaned_name, settles
from rules.formatting import joined
from rules.problems import Refusal
from warbands.recorder import Recorder
from warbands.recording import recording

MOST = 40


def add_regions(*, campaign: Campaign, names: Sequence[str], actor: Any, token: str = "") -> list[Region]:
    """Add regions by name. Raises Refusal for a name that the campaign has, and for more than it can have."""
    wanted = [cleaned_name(name, _("A region"), most=40, field="names") for name in names if name.strip()]
    if not wanted:
        raise Refusal(_("A region needs a name."), code="no-name", field="names")
    with recording(campaign, kind="region", actor=actor, token=token) as act:
        row = act.row(campaign)
        known = {name.casefold() for name in _present(row).values_list("name", flat=True)}
        if len(known) + len(wanted) > MOST:
            raise Refusal(_("Up to {most} regions.").format(most=MOST), code="count", field="names")
        made = []
        for name in wanted:
            if name.casefold() in known:
                raise _taken(name, "names")
            known.add(name.casefold())
            made.append(act.also_about(act.create(Region(campaign=row, name=name))))
        told = ngettext("{{who}} added the region {names}.", "{{who}} added the regions {names}.", len(made))
        act.say(told.format(names=joined(wanted)))
    return made


@settles
def change_region(
    *,
    region: Region,
    name: str,
    stake: str,
    neighbours: Collection[int],
    actor: Any,
    token: str = "",
) -> Region:
    """Set a region's name, stake and neighbours (ids of regions). Nothing is written if nothing differs."""
    name, stake = cleaned_name(name, _("A region"), most=40, field="name"), " ".join(stake.split())[:200]
    with recording(region.campaign, region, kind="region", actor=actor, token=token) as act:
        row = _fresh(act, region)
        others = _present(act.row(region.campaign)).exclude(pk=row.pk)
        if others.filter(name__iexact=name).exists():
            raise _taken(name, "name")
        wanted = set(others.filter(pk__in=neighbours).values_list("pk", flat=True))
        held = {link.other_id if link.region_id == row.pk else link.region_id: link for link in links_of(row)}
        if (row.name, row.stake) == (name, stake) and wanted == held.keys():
            raise NothingToDo(row)
        for key in sorted(held.keys() - wanted):
            act.change(held[key], is_over=True)
        for key in sorted(wanted - held.keys()):
            first, second = sorted((row.pk, key))
            act.create(RegionLink(region_id=first, other_id=second))
        act.change(row, name=name, stake=stake)
        act.say(_("{{who}} changed the region {name}.").format(name=name))
    return row


def remove_region(*, region: Region, actor: Any, token: str = "") -> Region:
    """Remove a region from list and map. Its history stays."""
    with recording(region.campaign, region, kind="region", actor=actor, token=token) as act:
        row = _fresh(act, region)
        act.change(row, is_away=True)
        act.say(_("{{who}} removed the region {name}.").format(name=row.name))
    return row


@settles
def take_region(
    *, region: Region, seat: Seat | None, actor: Any, battle: Battle | None = None, token: str = ""
) -> RegionHold | None:
    """Record who holds a region from now on; None for nobody. With a battle, it must be one that the seat won.

    Nothing is written if they hold it already. Raises Refusal for a seat or a battle of another campaign.
    """
    with recording(region.campaign, region, kind="region-owner", actor=actor, token=token) as act:
        row = _fresh(act, region)
        last = RegionHold.objects.live().filter(region=row).select_related("seat__warband").last()
        if (last.seat_id if last is not None else None) == (seat.pk if seat is not None else None):
            raise NothingToDo(last)
        if seat is not None and (seat.campaign_id != row.campaign_id or seat.status == Seat.Status.LEFT):
            raise Refusal(_("{seat} does not play here.").format(seat=seat.name), code="left")
        if battle is not None:
            _refuse_not_won(battle, seat, row)
        found = battle.round if battle is not None else None
        if found is None:
            rounds = Round.objects.live().filter(campaign=row.campaign_id)
            found = rounds.order_by("is_closed", "-number").first()
        hold = act.create(RegionHold(region=row, seat=seat, battle=battle, round=found))
        act.say(_hold_words(row, seat, last, battle))
    return hold  # type: ignore[no-any-return]


def copy_regions(act: Recorder, old: Campaign, new: Campaign) -> None:
    """Copy names, stakes and neighbours inside a running act. Nobody holds the copies."""
    made: dict[int, Region] = {}
    for region in _present(old):
        made[region.pk] = act.create(Region(campaign=new, name=region.name, stake=region.stake))
    links = RegionLink.objects.live().filter(is_over=False, region__in=made, other__in=made)
    for link in links:
        first, second = sorted((made[link.region_id], made[link.other_id]), key=lambda row: row.pk)
        act.create(RegionLink(region=first, other=second))


def links_of(region: Region) -> list[RegionLink]:
    """Return a region's links to others. One query."""
    return list(RegionLink.objects.live().filter(Q(region=region) | Q(other=region), is_over=False))


def _present(campaign: Campaign) -> Any:
    return Region.objects.live().filter(campaign=campaign, is_away=False)


def _fresh(act: Recorder, region: Region) -> Any:
    row = act.row(region)
    if row.is_away:
        raise Refusal(_("{name} was removed.").format(name=row.name), code="gone")
    return row


def _taken(name: str, field: str) -> Refusal:
    return Refusal(
        _("This campaign has a region called {name}.").format(name=name),
        mend=_("Choose another name."),
        code="name-taken",
        field=field,
    )


def _refuse_not_won(battle: Battle, seat: Seat | None, region: Region) -> None:
    won = seat is not None and Side.objects.live().filter(battle=battle, seat=seat, result=Side.Result.WON).exists()
    if battle.campaign_id != region.campaign_id or battle.status not in ANSWERED or not won:
        raise Refusal(
            _("{seat} did not win this battle.").format(seat=seat.name if seat is not None else _("No player")),
            mend=_("Choose the battle that decided it, or none."),
            code="not-won",
        )


def _hold_words(region: Region, seat: Seat | None, last: RegionHold | None, battle: Battle | None) -> str:
    before = last.seat if last is not None else None
    words = {"region": region.name, "new": _called(seat), "old": _called(before), "battle": battle or ""}
    if seat is None:
        return _("{{who}} noted: {old} lost {region}.").format(**words)
    if before is not None:
        told = _("{{who}} noted: {new} took {region} from {old}.")
    else:
        told = _("{{who}} noted: {new} took {region}.")
    if battle is not None:
        told = told.removesuffix(".") + _(", by {battle}.")
    return told.format(**words)


def _called(seat: Seat | None) -> str:
    if seat is None:
        return ""
    return seat.warband.name if seat.warband is not None else seat.name
