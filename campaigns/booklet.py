"""The contents of a booklet: the rosters of a campaign's seats, and the battle sheets of its open round. Each sheet is drawn separately."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.battle_sheet import battle_sheet, battle_sheet_pdf
from campaigns.models import AHEAD, Battle, Campaign, Round, Seat
from campaigns.services.common import live_sides, versus
from rules.problems import Refusal
from warbands.models import Warband
from warbands.print_options import PrintOptions
from warbands.printing import roster_pdf, sheet_choices
from warbands.services.sharing import print_link, take_snapshot


@dataclass(frozen=True, slots=True)
class BookletOptions:
    """The options of a booklet: how rosters are printed, and what it contains."""

    sheets: PrintOptions = field(default_factory=PrintOptions)
    with_rosters: bool = True
    with_battles: bool = False
    with_links: bool = True
    on_new_leaves: bool = False

    @classmethod
    def read(cls, data: Mapping[str, Any], *, paper: str = "A4") -> BookletOptions:
        """Parse the options from form data; the defaults apply unless `chosen` is set.

        Raises Refusal for values that the form does not offer.
        """
        sheets = PrintOptions.read(data, paper=paper)
        if not data.get("chosen"):
            return cls(sheets)
        ticked = {name: data.get(name) in ("on", "1", "true") for name in ("rosters", "battles", "unlinked", "leaves")}
        return cls(sheets, ticked["rosters"], ticked["battles"], not ticked["unlinked"], ticked["leaves"])

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> BookletOptions:
        return cls(**{**kept, "sheets": PrintOptions.of(kept["sheets"])})

    def plain(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class BookletSheet:
    """A sheet that is still to be drawn: its title, and the function that draws it."""

    name: str
    draw: Callable[[], bytes]


def open_round_of(campaign: Campaign) -> Round | None:
    """Return the newest open round, or None. One query."""
    return Round.objects.live().filter(campaign=campaign, is_closed=False).order_by("-number").first()


def seats_with_rosters(campaign: Campaign) -> QuerySet[Seat]:
    taken = Seat.objects.live().filter(campaign=campaign, warband__isnull=False).exclude(status=Seat.Status.LEFT)
    return taken.select_related("warband").order_by("pk")


def battles_ahead(found: Round | None) -> QuerySet[Battle]:
    """Return the battles of a round that are still to be played; an empty queryset without a round."""
    if found is None:
        return Battle.objects.none()
    ahead = Battle.objects.live().filter(round=found, status__in=AHEAD)
    return ahead.exclude(kind=Battle.Kind.BYE).order_by("pk")


def booklet_sheets(campaign: Campaign, options: BookletOptions, site: str) -> list[BookletSheet]:
    """Return the sheets of a booklet in order. One query per battle, at most three more.

    `site` is the address that printed links begin with. Raises Refusal if nothing was chosen or there is nothing to
    print.
    """
    if not options.with_rosters and not options.with_battles:
        raise Refusal(_("Choose what to print."), mend=_("Tick rosters, battle sheets or both."), code="nothing")
    sheets: list[BookletSheet] = []
    if options.with_rosters:
        options.sheets.wanted(sheet_choices(campaign.terms))
        for seat in seats_with_rosters(campaign):
            assert seat.warband is not None
            link_site = site if options.with_links else ""
            sheets.append(BookletSheet(seat.warband.name, partial(_roster, seat.warband.pk, options.sheets, link_site)))
    if options.with_battles:
        for battle in battles_ahead(open_round_of(campaign)):
            sheets.append(BookletSheet(versus(live_sides(battle)), partial(_battle, battle.pk, options.sheets)))
    if not sheets:
        what = (
            _("no player has a warband") if options.with_rosters else _("no battle of an open round is still to play")
        )
        raise Refusal(_("There is nothing to print: {what}.").format(what=what), code="nothing")
    return sheets


def _roster(pk: int, options: PrintOptions, site: str) -> bytes:
    """Draw the current roster. With a `site`, this version is stored and the printed code links to it."""
    warband = Warband.objects.select_related("terms", "owner").get(pk=pk)
    link = ""
    if site:
        snapshot = take_snapshot(warband, _("Printed"))
        link = site + reverse("warband-watch-version", args=[print_link(warband).slug, snapshot.version])
    return roster_pdf(warband, options, link=link)


def _battle(pk: int, options: PrintOptions) -> bytes:
    battle = Battle.objects.select_related("campaign__terms").get(pk=pk)
    sides = live_sides(battle)
    return battle_sheet_pdf(battle_sheet(battle, sides, sides, options.paper))
