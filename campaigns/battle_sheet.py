"""The printed battle sheet: one page per side with the fields of the report form, then the post-battle steps."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import Battle, Side
from campaigns.report_data import mustered
from campaigns.scenarios import (
    deeds_everywhere,
    deeds_of,
    deeds_on_paper,
    open_to,
    scenario_lines,
    scenario_name,
    scenario_of,
)
from campaigns.services.common import side_name, versus
from campaigns.sheet_fields import form_prefix
from campaigns.sheet_heights import arranged
from config.qr import printed_code
from rules.force import Force
from rules.formatting import joined, profile_beside
from rules.game import Game, GameContent
from rules.parts.battle import DeedChoice, PaperStep, ScenarioChoice
from warbands.adapters import force_of
from warbands.labels import labels_of
from warbands.models import Fighter, Terms, Warband
from warbands.pdf_fonts import unprintable_words
from warbands.print_options import Look, Paper
from warbands.printing import NOTICE, render_html, render_pdf, short_link

KINDS = (
    (Battle.Kind.PLAYED, gettext_lazy("to the end")),
    (Battle.Kind.CONCEDED, gettext_lazy("conceded")),
    (Battle.Kind.ABANDONED, gettext_lazy("broken off")),
)
TURNS = 6
BLANK_ROWS = 10
MARKER_BOXES = 6
BLANK_DEEDS = 8  # the scenarios have as many


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A fighter of a side; name and profile are "" in an empty row to fill in."""

    name: str
    profile: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class SheetSide:
    """A side as a row of the score: its id and its name."""

    key: int
    name: str


@dataclass(frozen=True, slots=True)
class SheetPiece:
    """A piece of kit that is used up: the key of the item, its carrier and its name in words."""

    key: str
    words: str


@dataclass(frozen=True, slots=True)
class SheetDeed:
    """A deed that can be done. `only` names the sides that can do it, "" if all can."""

    id: str
    name: str
    words: str
    by_warband: bool
    only: str


@dataclass(frozen=True, slots=True)
class SideSheet:
    """The sheet of one side.

    `states` are boxes of each fighter, `limits` what the side must look at. `scored` holds all sides, this one first.
    """

    name: str
    others: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    others_rows: tuple[tuple[str, tuple[tuple[SheetRow, ...], ...]], ...]  # a name, and the rows in two columns
    used: tuple[SheetPiece, ...] = ()
    steps: tuple[PaperStep, ...] = ()
    markers: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    limits: tuple[tuple[str, str], ...] = ()
    scored: tuple[SheetSide, ...] = ()
    form_prefix: str = ""  # the names of all fields of a sheet to fill in begin with it; "" on paper
    link_words: str = ""
    qr_svg: SafeString = mark_safe("")
    density: int = 0  # how low the rows are, up to 2
    ends_on_back: bool = False  # the last fields of the report stand there
    scenario_on_back: bool = False  # its words too
    deeds_on_back: bool = False
    steps_close: int = 0  # how close the steps stand, up to 2
    turns_over: bool = False  # the steps after the battle begin on the back
    note_lines: range = range(3)


@dataclass(frozen=True, slots=True)
class BattleSheet:
    """The sheets of a battle. `blank_deeds` counts the empty rows for deeds that are not known yet."""

    title: str
    versus: str
    paper: Paper
    look: str
    led_by: str
    stamp_words: str
    scenario: tuple[tuple[str, str], ...]
    deeds: tuple[SheetDeed, ...]
    blank_deeds: range
    sides: tuple[SideSheet, ...]
    turns: range
    marker_boxes: range
    fighter_label: str
    layout: str
    has_markers: bool
    has_deeds: bool
    endings: tuple[tuple[str, str], ...]
    notice_words: str = field(default_factory=NOTICE.__str__)


def battle_sheet(
    battle: Battle,
    sides: Sequence[Side],
    mine: Sequence[Side],
    paper: Paper,
    look: Look = "full",
    *,
    links: Mapping[int, str] | None = None,
    fillable: bool = False,
) -> BattleSheet:
    """Build the sheets of the sides `mine` among all `sides` (with seat, warband and terms loaded). Two queries per side.

    `links` holds, by side id, the absolute address that the code on a side's sheet opens. A `fillable` sheet has fields
    for a screen in the places of boxes and lines.
    """
    terms = battle.campaign.terms
    forces = {side.pk: force_of(side.warband) if side.warband is not None else None for side in sides}
    rows = {side.pk: _rows(side, forces[side.pk]) for side in sides}
    profiles = {f.profile for force in forces.values() if force is not None for f in force.fighters if f.active}
    scenario = scenario_of(battle)
    has_deeds, on_paper = bool(deeds_of(battle)), deeds_on_paper(battle)
    deeds = deeds_everywhere(battle) if on_paper is None else on_paper
    shown = [
        _with_code(
            _side_sheet(side, sides, rows, forces[side.pk], scenario, _hides_others(battle)),
            (links or {}).get(side.pk, ""),
        )
        for side in mine
    ]
    if fillable:
        shown = [
            replace(sheet, form_prefix=form_prefix(battle.pk, sheet.scored[0].key, sheet_mark(sheet, deeds)))
            for sheet in shown
        ]
    made = BattleSheet(
        title=scenario_name(battle),
        versus=versus(sides),
        paper=paper,
        look=look,
        led_by="",
        stamp_words=f"{battle.campaign.name}, {_day(battle)}",
        scenario=scenario_lines(scenario),
        deeds=tuple(
            SheetDeed(deed.id, deed.name, deed.words, deed.by_warband, _only(deed, sides))
            for deed in deeds
            if not deed.needs_profile or deed.needs_profile in profiles
        ),
        blank_deeds=range(BLANK_DEEDS if on_paper is None and has_deeds else 0),
        sides=tuple(shown),
        turns=range(1, TURNS + 1),
        marker_boxes=range(MARKER_BOXES),
        fighter_label=labels_of(terms)["fighter"].capitalize(),
        layout="battle",
        has_markers=bool(_marker_names(terms)),
        has_deeds=has_deeds,
        endings=tuple((str(value), str(words)) for value, words in KINDS),
    )
    return on_leaves(made)


def on_leaves(made: BattleSheet) -> BattleSheet:
    """Return the sheets with each side laid on one leaf."""
    return replace(made, sides=tuple(arranged(made, side) for side in made.sides))


def _rows(side: Side, force: Force | None) -> tuple[SheetRow, ...]:
    """Return a row for each fighter that a side mustered; before the muster, for each active fighter."""
    if force is None or side.warband is None:
        return ()
    views: Mapping[str, Any] = side.warband.terms.game.views(side.warband.terms.content, force)
    going = set(mustered(side))
    fighters = [f for f in force.fighters if f.active and (not going or f.key in going)]
    return tuple(SheetRow(f.name, profile_beside(f.name, views[f.key].profile_name), f.key) for f in fighters)


def unprintable_on_sheet(battle: Battle, sides: Sequence[Side], mine: Side | None) -> str:
    """Return a sentence that names the characters on the sheet that no font has, or "". One query.

    `mine` is the side that the sheet is for, None for the sheets of all sides.
    """
    shown = [mine] if mine is not None and _hides_others(battle) else sides
    words = (battle.campaign.name, *(side_name(side) for side in sides), *_fighter_words(shown))
    return unprintable_words(words, where=_("on the battle sheet"))


def _fighter_words(shown: Sequence[Side]) -> list[str]:
    """Return the names of the fighters on these sides' sheets, and the names of their custom profiles. One query."""
    fighters = Fighter.objects.live().filter(
        warband__in=[side.warband_id for side in shown if side.warband_id is not None], status=Fighter.Status.ACTIVE
    )
    going = {key for side in shown for key in mustered(side)}
    kept_in = {side.warband_id for side in shown if mustered(side)}
    rows = fighters.order_by("pk").values_list("warband_id", "pk", "name", "state__profile__name")
    names = [(name, own or "") for warband, pk, name, own in rows if warband not in kept_in or str(pk) in going]
    return [word for both in names for word in both]


def _hides_others(battle: Battle) -> bool:
    return battle.campaign.rosters == battle.campaign.Rosters.MUSTER and battle.status == Battle.Status.SCHEDULED


def _only(deed: DeedChoice, sides: Sequence[Side]) -> str:
    may = [side_name(side) for side in sides if open_to(deed, side)]
    return joined(may) if len(may) < len(sides) else ""


def _in_columns(rows: tuple[SheetRow, ...]) -> tuple[tuple[SheetRow, ...], ...]:
    half = (len(rows) + 1) // 2
    return rows[:half], rows[half:]


def _side_sheet(
    side: Side,
    sides: Sequence[Side],
    rows: Mapping[int, tuple[SheetRow, ...]],
    force: Force | None,
    scenario: ScenarioChoice | None,
    hidden: bool,
) -> SideSheet:
    others = [other for other in sides if other.pk != side.pk]
    morale = scenario.morale if scenario is not None else ""
    blank = tuple(SheetRow("", "") for _ in range(BLANK_ROWS))
    sheet = SideSheet(
        name=side_name(side),
        others=tuple(side_name(other) for other in others),
        rows=rows[side.pk] or blank,
        others_rows=tuple(
            (side_name(other), _in_columns(blank if hidden else rows[other.pk] or blank)) for other in others
        ),
        scored=tuple(SheetSide(each.pk, side_name(each)) for each in (side, *others)),
    )
    warband: Warband | None = side.warband
    terms = side.battle.campaign.terms if warband is None else warband.terms
    game, content = terms.game, terms.content
    if force is not None and side.number:  # a reprint shows the steps of this battle even after later battles
        later = force.battles.next_number - side.number
        force = replace(force, battles=replace(force.battles, fought=max(0, force.battles.fought - later)))
    play = game.battle.paper_play(content, force, len(rows[side.pk]), morale)
    sheet = replace(sheet, states=play.states, limits=play.limits, markers=_marker_names(terms))
    if force is None:  # a guest: what follows the battle is no matter of this campaign
        return sheet
    return replace(sheet, used=_consumables(game, content, force), steps=game.battle.paper_steps(content, force))


def sheet_mark(sheet: SideSheet, deeds: Iterable[DeedChoice]) -> str:
    """Return a mark of what a filled sheet can name: fighters, sides, pieces and deeds. It changes with them, not with a name."""
    rows = [*sheet.rows, *(row for _name, columns in sheet.others_rows for column in columns for row in column)]
    named = [
        [row.key for row in rows],
        [each.key for each in sheet.scored],
        [piece.key for piece in sheet.used],
        [deed.id for deed in deeds],
    ]
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()[:8]


def _with_code(sheet: SideSheet, link: str) -> SideSheet:
    if not link:
        return sheet
    return replace(
        sheet, link_words=short_link(link), qr_svg=printed_code(link, _("Opens the report form of this side"))
    )


def _marker_names(terms: Terms) -> tuple[str, ...]:
    campaign = terms.game.campaign
    return campaign.marker_names(terms.content) if campaign is not None else ()


def _consumables(game: Game, content: GameContent, force: Force) -> tuple[SheetPiece, ...]:
    spent = game.shop.consumables(content) if game.shop is not None else ()
    names = {entry.id: entry.name for entry in game.rulebook.entries(content) if entry.id in spent}
    return tuple(
        SheetPiece(item.key, f"{fighter.name}: {names.get(item.item, item.item)}")
        for fighter in force.fighters
        if fighter.active
        for item in fighter.kit
        if item.item in spent
    )


def battle_sheet_pdf(sheet: BattleSheet) -> bytes:
    return render_pdf(render_html(sheet, "print/battle.html"))


def _day(battle: Battle) -> str:
    day = battle.played_on or battle.planned_for or timezone.localdate()
    return date_format(day, "j M Y")
