"""The sheets of a club night that belong to no warband: standings, pairings, scenarios, and a battle sheet to fill in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from campaigns.battle_sheet import BattleSheet, SheetRow, battle_sheet, on_leaves
from campaigns.models import AHEAD, Battle, Campaign, Round, Seat, Side
from campaigns.pages.battle_queries import read_lines, sides_of
from campaigns.pages.formatting import edition_words
from campaigns.pages.standing import StandingsTable, standings_table
from campaigns.scenarios import deeds_of, scenario_lines, scenario_name, scenario_of, scenarios
from campaigns.services.common import side_name
from campaigns.standings import standings
from rules.parts.battle import DeedChoice, ScenarioChoice
from warbands.print_options import Look, Paper, PrintOptions
from warbands.printing import NOTICE, render_html, render_pdf

BLANK_LINES = 14
SHORT = 10  # rows; so few are printed larger
STANDING = (Battle.Status.CANCELLED, Battle.Status.VOID)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A battle of a round. `result` is "" while it is still to be played: then there is room to write it."""

    sides: tuple[str, ...]
    scenario: str
    day: str
    result: str


@dataclass(frozen=True, slots=True)
class PairingsTable:
    rows: tuple[Pairing, ...]
    idle: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScenarioPart:
    """A scenario in our words: labelled lines, and its deeds. One of which only the name is known has neither."""

    name: str
    words: str
    lines: tuple[tuple[str, str], ...]
    deeds: tuple[DeedChoice, ...]


@dataclass(frozen=True, slots=True)
class NightSheet:
    """A sheet of the night. One of `standings`, `pairings` and `parts` is there."""

    title: str
    subtitle: str
    paper: Paper
    look: Look
    stamp_words: str
    standings: StandingsTable | None = None
    pairings: PairingsTable | None = None
    parts: tuple[ScenarioPart, ...] = ()
    is_short: bool = False
    led_by: str = ""
    layout: str = "night"
    link_words: str = ""
    qr_svg: SafeString = mark_safe("")
    notice_words: str = field(default_factory=NOTICE.__str__)


def standings_sheet(campaign: Campaign, options: PrintOptions) -> NightSheet:
    """Build the sheet of the standings. At most three queries."""
    rows = standings(campaign)
    table = standings_table(campaign, rows, None, per_page=max(1, len(rows)), rosters=False)
    return _sheet(campaign, options, _("Standings"), campaign.name, standings=table, is_short=len(rows) <= SHORT)


def pairings_sheet(campaign: Campaign, found: Round, options: PrintOptions) -> NightSheet:
    """Build the sheet of a round's battles, the open ones first, and of who plays none. Two queries."""
    battles = read_lines(Battle.objects.live().filter(round=found).exclude(status__in=STANDING), campaign)
    played = [battle for battle in battles if battle.kind != Battle.Kind.BYE]
    ordered = sorted(played, key=lambda battle: (battle.status not in AHEAD, battle.pk))
    at_work = {side.seat_id for battle in played for side in sides_of(battle)}
    seats = Seat.objects.live().filter(campaign=campaign).exclude(status=Seat.Status.LEFT).select_related("warband")
    idle = tuple(seat.warband.name if seat.warband else seat.name for seat in seats if seat.pk not in at_work)
    table = PairingsTable(tuple(map(_pairing, ordered)), idle)
    title = _("Pairings of round {number}").format(number=found.number)
    return _sheet(campaign, options, title, campaign.name, pairings=table, is_short=len(ordered) <= SHORT)


def scenario_sheet(campaign: Campaign, ahead: Iterable[Battle], options: PrintOptions) -> NightSheet:
    """Build the sheet of the scenarios of these battles, each once. Where none is set, it has all of the edition. No queries."""
    battles = {battle.scenario_id: battle for battle in ahead if battle.scenario_id}
    parts = tuple(_parts(campaign, battles))
    return _sheet(campaign, options, _("Scenarios"), edition_words(campaign), parts=parts)


def night_pdf(sheet: NightSheet) -> bytes:
    return render_pdf(render_html(sheet, "print/night.html"))


def blank_battle_sheet(campaign: Campaign, options: PrintOptions) -> BattleSheet:
    """Build a battle sheet with lines to write on for both sides. No queries."""
    battle = Battle(campaign=campaign, scenario_name=_("Battle sheet"))
    blank = SheetRow("", "")
    mine, theirs = (
        Side(pk=number, battle=battle, guest_name=name) for number, name in ((-1, _("Our side")), (-2, _("Their side")))
    )
    sheet = battle_sheet(battle, [mine, theirs], [mine], options.paper, options.look)
    half, terms = (blank,) * (BLANK_LINES // 2), campaign.terms
    side = replace(
        sheet.sides[0],
        rows=(blank,) * BLANK_LINES,
        others_rows=((theirs.guest_name, (half, half)),),
        steps=terms.game.battle.paper_steps(terms.content, None),
    )
    return on_leaves(replace(sheet, sides=(side,)))


def _sheet(campaign: Campaign, options: PrintOptions, title: str, subtitle: str, **what: object) -> NightSheet:
    stamp = f"{campaign.name}, {date_format(timezone.localdate(), 'j M Y')}"
    return NightSheet(title, subtitle, options.paper, options.look, stamp, **what)  # type: ignore[arg-type]


def _pairing(battle: Battle) -> Pairing:
    sides = sides_of(battle)
    has_scenario = bool(battle.scenario_id or battle.scenario_name)
    return Pairing(
        sides=tuple(map(side_name, sides)),
        scenario=scenario_name(battle) if has_scenario else "",
        day=date_format(battle.planned_for, "j M") if battle.planned_for else "",
        result="" if battle.status in AHEAD else _result(sides),
    )


def _result(sides: Iterable[Side]) -> str:
    """Return the points of the sides in their order; a dash for a battle that was not scored."""
    points = [side.points for side in sides]
    return "–" if None in points else " : ".join(str(each) for each in points)


def _parts(campaign: Campaign, battles: dict[str, Battle]) -> Iterator[ScenarioPart]:
    if battles:
        for battle in battles.values():
            found = scenario_of(battle)
            if found is not None:
                yield _part(found, deeds_of(battle))
        return
    blank = Battle(campaign=campaign)
    game = campaign.terms.game
    for found in scenarios(blank):
        deeds = game.campaign.deeds(campaign.terms.content, found.id) if game.campaign is not None else ()
        yield _part(found, deeds)


def _part(found: ScenarioChoice, deeds: Iterable[DeedChoice]) -> ScenarioPart:
    described = found.described
    return ScenarioPart(
        name=found.name,
        words=found.words,
        lines=scenario_lines(found) if described else (),
        deeds=tuple(deeds) if described else (),
    )
