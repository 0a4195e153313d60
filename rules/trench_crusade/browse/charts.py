"""The tables of an edition that are not entries themselves: the trauma chart, locations, battle limits and scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from rules.browse import RuleRef
from rules.content.campaign_entries import BattleLimit, Stage, StageRow
from rules.content.compiled import Content
from rules.formatting import listed
from rules.translation import gettext as _
from rules.trench_crusade.browse.detail import Detail, parts, span
from rules.trench_crusade.table_only import table_terms

RARITIES = {"common": _("Common locations"), "rare": _("Rare locations"), "legendary": _("Legendary locations")}
PARTS = {
    "deployment": _("Random deployment"),
    "objective": _("Random objectives"),
    "special": _("Random special rules"),
}


@dataclass(frozen=True, slots=True)
class RuleChart:
    """A table of the edition: its id, its name, what it is for, and how it is shown."""

    id: str
    name: str
    words: str
    show: Callable[[Detail], None]


def charts_of(content: Content) -> Iterator[RuleChart]:
    pack, campaign = content.pack, content.pack.campaign
    if pack.traumas:
        yield RuleChart(
            "trauma-chart",
            _("Trauma chart"),
            _("What a D66 does to an ELITE fighter that was taken out."),
            _trauma_chart,
        )
    for rarity, name in RARITIES.items():
        if any(location.rarity == rarity for location in pack.locations):
            words = _("What the exact total of an exploration finds.")
            yield RuleChart(f"{rarity}-locations", name, words, partial(_locations, rarity))
    if campaign is not None:
        yield RuleChart(
            "battle-limits",
            _("Thresholds and field strengths"),
            _("What each battle of a campaign allows."),
            _battle_limits,
        )
        yield RuleChart(
            "exploration-dice",
            _("Exploration dice"),
            _("How many dice are rolled, and which tables are open, by battles fought."),
            _exploration_dice,
        )
        for stage in campaign.stages:
            words = _("What is played in battles {span}.").format(span=span(stage.first_battle, stage.last_battle))
            yield RuleChart(
                f"scenarios-{stage.id}",
                _("Scenarios, {stage}").format(stage=stage.name),
                words,
                partial(_scenarios, stage),
            )
    if pack.table_only:
        words = _("What no odds include: only the players can see it.")
        yield RuleChart("table-only", _("Only the table knows"), words, _table_only)
    for kind, name in PARTS.items():
        if any(part.kind == kind for part in pack.random_parts):
            words = _("A part of the scenario that is put together by dice.")
            yield RuleChart(f"random-{kind}", name, words, partial(_random_parts, kind))


def _table_only(detail: Detail) -> None:
    terms = tuple(table_terms(detail.content))
    for entry in detail.content.pack.table_only:
        found = [term for term in terms if term.known == entry.id]
        rows = [([detail.ref(term.table, term.id)], term.words) for term in found]
        detail.table(entry.words, (_("Rule"), _("What is left to you")), rows)
        detail.figures[entry.words] = tuple(sorted(term.name for term in found))


def _trauma_chart(detail: Detail) -> None:
    rows = []
    for trauma in sorted(detail.content.pack.traumas, key=lambda t: t.first):
        faces = span(trauma.first, trauma.last)
        rows.append((faces, [detail.ref("traumas", trauma.id)], trauma.words, "yes" if trauma.scar else "no"))
        detail.figures[faces] = trauma.name
    detail.table(_("Trauma chart"), ("D66", _("Trauma"), _("What it does"), _("Scar")), rows)


def _locations(rarity: str, detail: Detail) -> None:
    rows = []
    locations = [location for location in detail.content.pack.locations if location.rarity == rarity]
    for location in sorted(locations, key=lambda x: (x.score, x.name)):
        ways = listed(option.name for option in location.options)
        rows.append((str(location.score), [detail.ref("locations", location.id)], parts(location.words, ways)))
        label = _("Total {score}").format(score=location.score)
        detail.figures[label] = (*detail.figures.get(label, ()), location.name)
    detail.table(RARITIES[rarity], (_("Total"), _("Location"), _("Ways")), rows)


def _random_parts(kind: str, detail: Detail) -> None:
    found = [part for part in detail.content.pack.random_parts if part.kind == kind]
    rows = [
        (str(part.roll) if part.roll else "–", [detail.ref("random_parts", part.id)], part.words)
        for part in sorted(found, key=lambda part: (not part.roll, part.roll))
    ]
    detail.table(PARTS[kind], (_("Roll"), _("Part"), _("What it says")), rows)


def _battle_limits(detail: Detail) -> None:
    rows = []
    for limit in detail.content.campaign.limits:
        rows.append((str(limit.battle), *_limit_words(detail.content, limit)))
        detail.figures[_("Battle {battle}").format(battle=limit.battle)] = _(
            "{threshold} ducats, {field_strength} fighters"
        ).format(threshold=limit.threshold, field_strength=limit.field_strength)
    detail.table(_("Thresholds and field strengths"), (_("Battle"), _("Threshold"), _("Field strength")), rows)


def _limit_words(content: Content, limit: BattleLimit) -> tuple[str, str]:
    """Return the threshold and field strength of a battle, with the printed values where house rules change them."""
    house = content.house
    threshold = house.thresholds.get(limit.battle, limit.threshold) + house.threshold_add
    strength = house.field_strengths.get(limit.battle, limit.field_strength) + house.field_strength_add
    threshold_note = (
        _(" (house rule; the book: {threshold} d)").format(threshold=limit.threshold)
        if threshold != limit.threshold
        else ""
    )
    strength_note = (
        _(" (house rule; the book: {field_strength})").format(field_strength=limit.field_strength)
        if strength != limit.field_strength
        else ""
    )
    return f"{threshold} d{threshold_note}", f"{strength}{strength_note}"


def _exploration_dice(detail: Detail) -> None:
    rows = []
    for band in detail.content.campaign.exploration:
        battles = span(band.first, band.last)
        tables = [RuleRef(RARITIES[table], "table", f"{table}-locations") for table in band.tables]
        rows.append((battles, str(band.dice), tables))
        detail.figures[_("Battles {battles}").format(battles=battles)] = _("{dice} dice, {tables}").format(
            dice=band.dice, tables=listed(band.tables)
        )
    detail.table(_("Exploration dice"), (_("Battles fought"), _("Dice"), _("Tables")), rows)


def _scenarios(stage: Stage, detail: Detail) -> None:
    rows: list[tuple[str, Sequence[RuleRef] | str]] = []
    for row in stage.rows:
        cell = _scenario_cell(detail, row)
        rows.append((str(row.roll), cell))
        detail.figures[f"On {row.roll}"] = cell if isinstance(cell, str) else cell[0].words
    if not stage.rows:
        rows.append(("always", [detail.ref("scenarios", stage.scenario)]))
        detail.figures["Always"] = detail.content.name("scenario", stage.scenario)
    detail.figures["Battles"] = span(stage.first_battle, stage.last_battle)
    detail.table(_("Scenarios, {stage}").format(stage=stage.name), ("D6", _("Scenario")), rows)


def _scenario_cell(detail: Detail, row: StageRow) -> Sequence[RuleRef] | str:
    if row.scenario:
        return [detail.ref("scenarios", row.scenario)]
    return _("One of the others, picked by a player") if row.picked else _("Put together by dice")
