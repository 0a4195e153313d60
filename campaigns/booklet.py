"""The contents of a booklet: the sheets of a club night in one file. Each sheet is drawn separately."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.access import may_answer_for
from campaigns.battle_sheet import battle_sheet, battle_sheet_pdf
from campaigns.models import AHEAD, Battle, Campaign, Round, Seat
from campaigns.night_sheets import blank_battle_sheet, night_pdf, pairings_sheet, scenario_sheet, standings_sheet
from campaigns.services.common import live_sides, versus
from campaigns.services.report_drafts import hand_out_report_code
from rules.problems import Refusal
from warbands.models import Warband
from warbands.print_options import PrintOptions
from warbands.printing import roster_pdf, sheet_choices
from warbands.services.sharing import printed_path

# In the order in which they stand in the file: what hangs on the wall, what lies on the tables, what each player takes.
PARTS_OF_A_NIGHT = ("standings", "pairings", "scenarios", "battles", "rosters", "blank_battles")


@dataclass(frozen=True, slots=True)
class BookletOptions:
    """The options of a booklet: how rosters are printed, and what it contains."""

    sheets: PrintOptions = field(default_factory=PrintOptions)
    with_rosters: bool = True
    with_battles: bool = False
    with_links: bool = True
    on_new_leaves: bool = False
    with_standings: bool = False
    with_pairings: bool = False
    with_scenarios: bool = False
    with_blank_battles: bool = False
    with_codes: bool = True  # on the battle sheets: each opens the report form of its side

    @classmethod
    def read(cls, data: Mapping[str, Any], *, paper: str = "A4") -> BookletOptions:
        """Parse the options from form data; the defaults apply unless `chosen` is set.

        Raises Refusal for values that the form does not offer.
        """
        sheets = replace(PrintOptions.read(data, paper=paper), with_fields=False)  # a booklet is for paper
        if not data.get("chosen"):
            return cls(sheets)
        parts = {f"with_{name}": _is_ticked(data, name) for name in PARTS_OF_A_NIGHT}
        return cls(
            sheets,
            with_links=not _is_ticked(data, "unlinked"),
            on_new_leaves=_is_ticked(data, "leaves"),
            with_codes=_is_ticked(data, "codes"),
            **parts,
        )

    @property
    def reads_a_round(self) -> bool:
        return self.with_battles or self.with_pairings or self.with_scenarios

    @property
    def is_empty(self) -> bool:
        """Return whether no part is chosen."""
        return not any(getattr(self, f"with_{name}") for name in PARTS_OF_A_NIGHT)

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> BookletOptions:
        return cls(**{**kept, "sheets": PrintOptions.of(kept["sheets"])})

    def plain(self) -> dict[str, Any]:
        return asdict(self)


def _is_ticked(data: Mapping[str, Any], name: str) -> bool:
    return data.get(name) in ("on", "1", "true")


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


def booklet_sheets(campaign: Campaign, options: BookletOptions, site: str, maker: Any = None) -> list[BookletSheet]:
    """Return the sheets of a booklet in order. One query per battle, at most three more.

    `site` is the address that printed links begin with. `maker` is the person who asked for the booklet: battle sheets
    bear the codes that this person may hand out. Raises Refusal if nothing was chosen or there is nothing to print.
    """
    if options.is_empty:
        raise Refusal(_("Choose what to print."), mend=_("Tick one part or more."), code="nothing")
    found = open_round_of(campaign) if options.reads_a_round else None
    sheets = [*_wall_sheets(campaign, found, options)]
    if options.with_battles:
        for battle in battles_ahead(found):
            draw = partial(_battle, battle.pk, options.sheets, site if options.with_codes else "", maker)
            sheets.append(BookletSheet(versus(live_sides(battle)), draw))
    if options.with_rosters:
        options.sheets.wanted(sheet_choices(campaign.terms))
        for seat in seats_with_rosters(campaign):
            assert seat.warband is not None
            link_site = site if options.with_links else ""
            sheets.append(BookletSheet(seat.warband.name, partial(_roster, seat.warband.pk, options.sheets, link_site)))
    if options.with_blank_battles:
        sheets.append(BookletSheet(_("Empty battle sheet"), partial(_blank_battle, campaign, options.sheets)))
    if not sheets:
        what = (
            _("no player has a warband") if options.with_rosters else _("no battle of an open round is still to play")
        )
        raise Refusal(_("There is nothing to print: {what}.").format(what=what), code="nothing")
    return sheets


def _wall_sheets(campaign: Campaign, found: Round | None, options: BookletOptions) -> Iterator[BookletSheet]:
    """Yield the sheets that hang on the wall. Those of a round are left out if none is open."""
    if options.with_standings:
        yield BookletSheet(_("Standings"), partial(_standings, campaign, options.sheets))
    if options.with_pairings and found is not None:
        yield BookletSheet(_("Pairings"), partial(_pairings, campaign, found, options.sheets))
    if options.with_scenarios and has_scenarios(campaign):
        yield BookletSheet(_("Scenarios"), partial(_scenarios, campaign, found, options.sheets))


def has_scenarios(campaign: Campaign) -> bool:
    """Return whether the books of this game describe scenarios. No queries."""
    return any(each.described for each in campaign.terms.game.battle.scenarios(campaign.terms.content))


def _standings(campaign: Campaign, options: PrintOptions) -> bytes:
    return night_pdf(standings_sheet(campaign, options))


def _pairings(campaign: Campaign, found: Round, options: PrintOptions) -> bytes:
    return night_pdf(pairings_sheet(campaign, found, options))


def _scenarios(campaign: Campaign, found: Round | None, options: PrintOptions) -> bytes:
    ahead = battles_ahead(found).select_related("campaign__terms")
    return night_pdf(scenario_sheet(campaign, ahead, options))


def _blank_battle(campaign: Campaign, options: PrintOptions) -> bytes:
    return battle_sheet_pdf(blank_battle_sheet(campaign, options))


def _roster(pk: int, options: PrintOptions, site: str) -> bytes:
    """Draw the current roster. With a `site`, this version is stored and the printed code links to it."""
    warband = Warband.objects.select_related("terms", "owner").get(pk=pk)
    link = site + printed_path(warband) if site else ""
    return roster_pdf(warband, options, link=link)


def _battle(pk: int, options: PrintOptions, site: str, maker: Any) -> bytes:
    """Draw the sheets of all sides of a battle. With a `site`, those for which the maker may report bear their codes."""
    battle = Battle.objects.select_related("campaign__terms").get(pk=pk)
    sides = live_sides(battle)
    links = {}
    if site and maker is not None and battle.status in AHEAD:
        links = {
            side.pk: site + reverse("report-by-code", args=[hand_out_report_code(side=side)])
            for side in sides
            if may_answer_for(maker, side)
        }
    return battle_sheet_pdf(battle_sheet(battle, sides, sides, options.paper, options.look, links=links))
