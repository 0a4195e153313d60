"""The printed battle sheet: one page per side with the fields of the report form, then the post-battle steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

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
from rules.force import Force
from rules.formatting import joined, profile_beside
from rules.game import Game, GameContent
from rules.parts.battle import DeedChoice, PaperStep
from warbands.adapters import force_of
from warbands.labels import labels_of
from warbands.models import Fighter, Terms, Warband
from warbands.pdf_fonts import unprintable_words
from warbands.print_options import Look, Paper
from warbands.printing import NOTICE, render_html, render_pdf

TURNS = 6
BLANK_ROWS = 10
MARKER_BOXES = 6
BLANK_DEEDS = 8  # the scenarios have as many


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A fighter of a side; name and profile are "" in an empty row to fill in."""

    name: str
    profile: str


@dataclass(frozen=True, slots=True)
class SheetDeed:
    """A deed that can be done. `only` names the sides that can do it, "" if all can."""

    name: str
    words: str
    by_warband: bool
    only: str


@dataclass(frozen=True, slots=True)
class SideSheet:
    name: str
    others: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    others_rows: tuple[tuple[str, tuple[SheetRow, ...]], ...]
    used: tuple[str, ...] = ()
    steps: tuple[PaperStep, ...] = ()
    markers: tuple[str, ...] = ()


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
    has_markers: bool
    has_deeds: bool
    link_words: str = ""
    qr_svg: SafeString = mark_safe("")
    notice_words: str = field(default_factory=NOTICE.__str__)


def battle_sheet(
    battle: Battle, sides: Sequence[Side], mine: Sequence[Side], paper: Paper, look: Look = "full"
) -> BattleSheet:
    """Build the sheets of the sides `mine` among all `sides` (with seat, warband and terms loaded). Two queries per side."""
    terms = battle.campaign.terms
    forces = {side.pk: force_of(side.warband) if side.warband is not None else None for side in sides}
    rows = {side.pk: _rows(side, forces[side.pk]) for side in sides}
    profiles = {f.profile for force in forces.values() if force is not None for f in force.fighters if f.active}
    has_deeds, on_paper = bool(deeds_of(battle)), deeds_on_paper(battle)
    deeds = deeds_everywhere(battle) if on_paper is None else on_paper
    return BattleSheet(
        title=scenario_name(battle),
        versus=versus(sides),
        paper=paper,
        look=look,
        led_by="",
        stamp_words=f"{battle.campaign.name}, {_day(battle)}",
        scenario=scenario_lines(scenario_of(battle)),
        deeds=tuple(
            SheetDeed(deed.name, deed.words, deed.by_warband, _only(deed, sides))
            for deed in deeds
            if not deed.needs_profile or deed.needs_profile in profiles
        ),
        blank_deeds=range(BLANK_DEEDS if on_paper is None and has_deeds else 0),
        sides=tuple(_side_sheet(side, sides, rows, forces[side.pk], _hides_others(battle)) for side in mine),
        turns=range(1, TURNS + 1),
        marker_boxes=range(MARKER_BOXES),
        fighter_label=labels_of(terms)["fighter"].capitalize(),
        has_markers=bool(_marker_names(terms)),
        has_deeds=has_deeds,
    )


def _rows(side: Side, force: Force | None) -> tuple[SheetRow, ...]:
    """Return a row for each fighter that a side mustered; before the muster, for each active fighter."""
    if force is None or side.warband is None:
        return ()
    views: Mapping[str, Any] = side.warband.terms.game.views(side.warband.terms.content, force)
    going = set(mustered(side))
    fighters = [f for f in force.fighters if f.active and (not going or f.key in going)]
    return tuple(SheetRow(f.name, profile_beside(f.name, views[f.key].profile_name)) for f in fighters)


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


def _side_sheet(
    side: Side, sides: Sequence[Side], rows: Mapping[int, tuple[SheetRow, ...]], force: Force | None, hidden: bool
) -> SideSheet:
    others = [other for other in sides if other.pk != side.pk]
    blank = tuple(SheetRow("", "") for _ in range(BLANK_ROWS))
    sheet = SideSheet(
        name=side_name(side),
        others=tuple(side_name(other) for other in others),
        rows=rows[side.pk] or blank,
        others_rows=tuple((side_name(other), blank if hidden else rows[other.pk] or blank) for other in others),
    )
    warband: Warband | None = side.warband
    if warband is None or force is None:
        return sheet
    game, content = warband.terms.game, warband.terms.content
    if side.number:  # a reprint shows the steps of this battle even after later battles
        later = force.battles.next_number - side.number
        force = replace(force, battles=replace(force.battles, fought=max(0, force.battles.fought - later)))
    return replace(
        sheet,
        used=_consumables(game, content, force),
        steps=game.battle.paper_steps(content, force),
        markers=_marker_names(warband.terms),
    )


def _marker_names(terms: Terms) -> tuple[str, ...]:
    campaign = terms.game.campaign
    return campaign.marker_names(terms.content) if campaign is not None else ()


def _consumables(game: Game, content: GameContent, force: Force) -> tuple[str, ...]:
    spent = game.shop.consumables(content) if game.shop is not None else ()
    names = {entry.id: entry.name for entry in game.rulebook.entries(content) if entry.kind == "kit"}
    return tuple(
        f"{fighter.name}: {names.get(item.item, item.item)}"
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
