"""The paper battle sheet: one page per side whose boxes are those of the report form, then the post-battle steps in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe

from campaigns.models import Battle, Side
from campaigns.report_data import mustered
from campaigns.scenarios import deeds_everywhere, deeds_of, deeds_on_paper, open_to, scenario_name, scenario_of
from campaigns.services.common import listed, side_name, versus
from rules.formatting import profile_beside
from rules.parts.battle import DeedChoice, PaperStep
from warbands.adapters import force_of
from warbands.labels import labels_of
from warbands.models import Fighter, Warband
from warbands.pdf_fonts import unprintable_words
from warbands.printing import NOTICE, Look, Paper, render_html, render_pdf

TURNS = 6
BLANK_ROWS = 10
MARKER_BOXES = 6
BLANK_DEEDS = 8  # as many as the scenarios have


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A fighter of a side: name and profile ("" to be written in), and whether it is of the own side."""

    name: str
    profile: str


@dataclass(frozen=True, slots=True)
class SheetDeed:
    """A deed on offer. `only` names the sides that may do it, "" where all may."""

    name: str
    words: str
    by_warband: bool
    only: str


@dataclass(frozen=True, slots=True)
class SideSheet:
    """What one side writes on."""

    name: str
    others: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    others_rows: tuple[tuple[str, tuple[SheetRow, ...]], ...]
    used: tuple[str, ...]
    steps: tuple[PaperStep, ...]
    markers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BattleSheet:
    """The sheets of a battle, as the print template draws them. `blank_deeds`: rows for the deeds of a scenario nobody chose yet."""

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
    notice_words: str = NOTICE


def battle_sheet(
    battle: Battle, sides: Sequence[Side], mine: Sequence[Side], paper: Paper, look: Look = "full"
) -> BattleSheet:
    """Build the sheets of `mine` among all `sides` (with seat, warband and terms loaded). Two queries per side."""
    terms = battle.campaign.terms
    chosen = scenario_of(battle)
    facts: tuple[tuple[str, str], ...] = ()
    if chosen is not None:
        facts = tuple(
            (label, words)
            for label, words in (
                ("Forces", chosen.force_words),
                ("Deployment", chosen.deployment_words),
                ("Length", chosen.length_words),
                ("Victory", chosen.victory_words),
                ("Special", chosen.special_words),
            )
            if words
        )
    forces = {side.pk: force_of(side.warband) if side.warband is not None else None for side in sides}
    names = terms.game.views
    rows: dict[int, tuple[SheetRow, ...]] = {}
    for side in sides:
        force = forces[side.pk]
        if force is None or side.warband is None:
            rows[side.pk] = ()
            continue
        views: Mapping[str, Any] = names(side.warband.terms.content, force)
        going = set(mustered(side))
        members = [f for f in force.fighters if f.active and (not going or f.key in going)]
        rows[side.pk] = tuple(SheetRow(f.name, profile_beside(f.name, views[f.key].profile_name)) for f in members)
    profiles = {f.profile for force in forces.values() if force is not None for f in force.fighters if f.active}
    hidden = _hides_others(battle)
    has_deeds, told = bool(deeds_of(battle)), deeds_on_paper(battle)
    deeds = tuple(
        SheetDeed(deed.name, deed.words, deed.by_warband, _only(deed, sides))
        for deed in (deeds_everywhere(battle) if told is None else told)
        if not deed.needs_profile or deed.needs_profile in profiles
    )
    return BattleSheet(
        title=scenario_name(battle),
        versus=versus(sides),
        paper=paper,
        look=look,
        led_by="",
        stamp_words=f"{battle.campaign.name}, {_day(battle)}",
        scenario=facts,
        deeds=deeds,
        blank_deeds=range(BLANK_DEEDS if told is None and has_deeds else 0),
        sides=tuple(_side_sheet(side, sides, rows, forces, hidden) for side in mine),
        turns=range(1, TURNS + 1),
        marker_boxes=range(MARKER_BOXES),
        fighter_label=labels_of(terms)["fighter"].capitalize(),
        has_markers=bool(terms.game.campaign is not None and terms.game.campaign.marker_names(terms.content)),
        has_deeds=has_deeds,
    )


def unprintable_on_sheet(battle: Battle, sides: Sequence[Side], mine: Side | None) -> str:
    """A sentence that names the letters on the sheet of `mine`, or on those of all, that no font has; or nothing. One query."""
    shown = [mine] if mine is not None and _hides_others(battle) else sides
    fighters = Fighter.objects.live().filter(
        warband__in=[side.warband_id for side in shown if side.warband_id is not None], status=Fighter.Status.ACTIVE
    )
    going = {key for side in shown for key in mustered(side)}
    kept_in = {side.warband_id for side in shown if mustered(side)}
    rows = fighters.order_by("pk").values_list("warband_id", "pk", "name", "state__profile__name")
    names = [(name, own or "") for warband, pk, name, own in rows if warband not in kept_in or str(pk) in going]
    words = (battle.campaign.name, *(side_name(side) for side in sides), *(word for both in names for word in both))
    return unprintable_words(words, where="on the battle sheet")


def _hides_others(battle: Battle) -> bool:
    return battle.campaign.rosters == battle.campaign.Rosters.MUSTER and battle.status == Battle.Status.SCHEDULED


def _only(deed: DeedChoice, sides: Sequence[Side]) -> str:
    may = [side_name(side) for side in sides if open_to(deed, side)]
    return listed(may) if len(may) < len(sides) else ""


def _side_sheet(
    side: Side, sides: Sequence[Side], rows: Mapping[int, tuple[SheetRow, ...]], forces: Mapping[int, Any], hidden: bool
) -> SideSheet:
    others = [other for other in sides if other.pk != side.pk]
    blank = tuple(SheetRow("", "") for _ in range(BLANK_ROWS))
    warband: Warband | None = side.warband
    used: tuple[str, ...] = ()
    steps: tuple[PaperStep, ...] = ()
    markers: tuple[str, ...] = ()
    if warband is not None:
        game, content, force = warband.terms.game, warband.terms.content, forces[side.pk]
        if (
            side.number
        ):  # printed again after the battle was counted, or after a later one: the steps are those of this battle
            later = force.battles.next_number - side.number
            force = replace(force, battles=replace(force.battles, fought=max(0, force.battles.fought - later)))
        spent = game.shop.consumables(content) if game.shop is not None else ()
        entries = {entry.id: entry.name for entry in game.rulebook.entries(content) if entry.kind == "kit"}
        used = tuple(
            f"{fighter.name}: {entries.get(item.item, item.item)}"
            for fighter in force.fighters
            if fighter.active
            for item in fighter.kit
            if item.item in spent
        )
        steps = game.battle.paper_steps(content, force)
        markers = game.campaign.marker_names(content) if game.campaign is not None else ()
    return SideSheet(
        name=side_name(side),
        others=tuple(side_name(other) for other in others),
        rows=rows[side.pk] or blank,
        others_rows=tuple((side_name(other), blank if hidden else rows[other.pk] or blank) for other in others),
        used=used,
        steps=steps,
        markers=markers,
    )


def battle_sheet_pdf(sheet: BattleSheet) -> bytes:
    """The sheets as a tagged PDF."""
    return render_pdf(render_html(sheet, "print/battle.html"))


def _day(battle: Battle) -> str:
    day = battle.played_on or battle.planned_for or timezone.localdate()
    return date_format(day, "j M Y")
