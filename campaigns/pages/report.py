"""The page with the form to report a battle."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.dice_record import taken_back_words
from campaigns.models import Battle, Side
from campaigns.pages.battle_sides import flags
from campaigns.pages.formatting import against
from campaigns.pages.options import SelectOption
from campaigns.pages.rule_links import rules_of
from campaigns.report_data import mustered
from campaigns.scenarios import deeds_of, open_to, scenario_name, scenario_of
from campaigns.services.common import side_name
from rules.formatting import joined, profile_beside
from warbands.adapters import PRESENT
from warbands.models import Fighter, Item
from warbands.pages.rule_links import names_of
from warbands.pages.widgets import Link, ProblemRow

MAX_DEEDS = 14


@dataclass(frozen=True, slots=True)
class ReportTick:
    id: str
    value: str
    words: str
    meta: str
    ticked: bool


@dataclass(frozen=True, slots=True)
class Loss:
    """How many of one kind a roster row with several members lost."""

    name: str
    id: str
    words: str
    most: int
    value: str


@dataclass(frozen=True, slots=True)
class FighterLine:
    key: str
    name: str
    profile: str
    tick: ReportTick
    by_name: str
    by: tuple[SelectOption, ...]
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class DeedLine:
    name: str
    id: str
    title: str
    words: str
    groups: tuple[tuple[str, tuple[SelectOption, ...]], ...]
    claimed: bool


@dataclass(frozen=True, slots=True)
class SideForm:
    pk: int
    name: str
    mine: bool
    points_name: str
    points: str
    extra_name: str
    extra: str
    place_name: str  # "" with two sides, where naming the winner is enough
    place: str
    fighters: tuple[FighterLine, ...]
    took: tuple[ReportTick, ...]
    took_open: bool
    used: tuple[ReportTick, ...]
    problems: tuple[ProblemRow, ...]
    is_guest: bool
    learns: bool = True  # whether taking part earns experience


@dataclass(frozen=True, slots=True)
class ReportPage:
    pk: int
    title: str
    versus: str
    back: Link
    here: str
    mode: str  # send, amend, dispute, decide
    results: tuple[SelectOption, ...]
    kinds: tuple[SelectOption, ...]
    sides: tuple[SideForm, ...]
    deeds: tuple[DeedLine, ...]
    many_deeds: bool
    victory_words: str
    rules: tuple[Link, ...]  # links to the rules of the scenario and its deeds
    winner_words: str
    played_on: str
    words: str
    button: str
    told: str
    taken_back: str  # how many of the app's rolls were taken back at the table, by side
    scenario_missing: bool
    many_sides: bool
    extra_open: bool


FROM_TABLE = gettext_lazy("Filled in from the tracker. Check it, then send.")
KINDS = (
    (Battle.Kind.PLAYED, gettext_lazy("Played to the end")),
    (Battle.Kind.CONCEDED, gettext_lazy("Conceded")),
    (Battle.Kind.ABANDONED, gettext_lazy("Broken off")),
)
WINNERS = {
    "points": gettext_lazy("More victory points win, unless a side fails its morale."),
    "last-standing": gettext_lazy("The last side standing wins. Points still count."),
    "none": gettext_lazy("Points don't decide this scenario. Choose who won."),
}
MODE_WORDS = {
    "amend": gettext_lazy("Points change only the standings. You see everything else that changes before you confirm."),
    "dispute": gettext_lazy("Both versions stay until an administrator decides."),
    "decide": gettext_lazy("Your decision counts and is confirmed at once."),
}
BUTTONS = {
    "amend": gettext_lazy("Amend the report"),
    "dispute": gettext_lazy("Dispute with this version"),
    "decide": gettext_lazy("Decide for this"),
}


def report_page(
    battle: Battle,
    sides: list[Side],
    mine: Side | None,
    *,
    mode: str,
    given: Mapping[str, Any],
    sent: Mapping[str, Any] | None = None,
    from_table: bool = False,
    kind: str = "",
    played_on: str = "",
) -> ReportPage:
    """Build the page. Three queries; `sides` come from `read_sides`.

    `given` is the data of a report to start from, empty for a first report. `from_table` says whether it comes from the table's log.
    `kind` and `played_on` fill in the fields of these names, which are no data of a report.
    `sent` is posted data that was refused; the form shows it again unchanged.
    """
    scenario = scenario_of(battle) if battle.scenario_id else None
    rosters = _rosters(sides)
    data = sent if sent is not None else from_data(given)
    kind = str(data.get("kind") or kind or battle.kind)
    ordered = sorted(sides, key=lambda side: mine is None or side.pk != mine.pk)
    deeds = _deeds(battle, ordered, rosters, data)
    return ReportPage(
        pk=battle.pk,
        title=_title(battle),
        versus=against(sides),
        back=Link(_("Battle"), reverse("battle-show", args=[battle.pk])),
        here=reverse("battle-report", args=[battle.pk]),
        mode=mode,
        results=_results(sides, str(data.get("result", ""))),
        kinds=_kinds(kind),
        sides=tuple(_side_form(battle, side, sides, mine, rosters, data) for side in ordered),
        deeds=deeds,
        many_deeds=len(deeds) > MAX_DEEDS and not any(each.claimed for each in deeds),
        rules=rules_of(battle),
        victory_words=scenario.victory_words if scenario else "",
        winner_words=str(WINNERS.get(scenario.winner, "")) if scenario else "",
        played_on=str(data.get("played_on") or played_on or timezone.localdate().isoformat()),
        words=str(data.get("words") or ""),
        button=str(BUTTONS.get(mode, "")) or _send_words(sides, mine),
        told=str(FROM_TABLE if from_table else MODE_WORDS.get(mode, "")),
        taken_back=taken_back_words(battle, sides),
        scenario_missing=not _has_scenario(battle),
        many_sides=len(sides) > 2,
        extra_open=_has_extra(sides, data),
    )


def _has_scenario(battle: Battle) -> bool:
    return bool(battle.scenario_id or battle.scenario_name)


def _title(battle: Battle) -> str:
    if not _has_scenario(battle):
        return _("Report the battle")
    return _("Report: {scenario}").format(scenario=scenario_name(battle))


def _kinds(kind: str) -> tuple[SelectOption, ...]:
    return tuple(SelectOption(str(value), str(words), str(value) == kind) for value, words in KINDS)


def _has_extra(sides: list[Side], data: Mapping[str, Any]) -> bool:
    """Return whether a side has campaign points besides those of the result."""
    return any(str(data.get(f"extra_{side.pk}") or "0") != "0" for side in sides)


def _results(sides: list[Side], result: str) -> tuple[SelectOption, ...]:
    results = [
        SelectOption(str(side.pk), _("{side} won").format(side=side_name(side)), result == str(side.pk))
        for side in sides
    ]
    results.insert(1 if len(sides) == 2 else len(results), SelectOption("drawn", _("Drawn"), result == "drawn"))
    return (*results, SelectOption("none", _("No winner"), result == "none"))


def _send_words(sides: list[Side], mine: Side | None) -> str:
    others = [side for side in sides if mine is None or side.pk != mine.pk]
    names = [side_name(side) for side in others if not side.is_guest]
    if len(names) < len(others):
        names.append(_("the administrators"))
    return _("Send to {names}").format(names=joined(names)) if len(names) < 3 else _("Send")


def _rosters(sides: list[Side]) -> dict[int, list[Fighter]]:
    """Read the fighters that each side can name: those it mustered, otherwise those on its roster. One query."""
    ids = [side.warband_id for side in sides if side.warband_id]
    found: dict[int, list[Fighter]] = {pk: [] for pk in ids}
    for row in Fighter.objects.live().filter(warband__in=ids).order_by("position", "pk"):
        found[row.warband_id].append(row)
    return {side.pk: _named(side, found.get(side.warband_id or 0, [])) for side in sides}


def _named(side: Side, rows: list[Fighter]) -> list[Fighter]:
    went = set(mustered(side)) if side.ready_at is not None else set()
    if went:
        return [row for row in rows if str(row.pk) in went]
    return [row for row in rows if row.status in PRESENT]


def _side_form(
    battle: Battle,
    side: Side,
    sides: list[Side],
    mine: Side | None,
    rosters: Mapping[int, list[Fighter]],
    data: Mapping[str, Any],
) -> SideForm:
    key = str(side.pk)
    fighters = rosters[side.pk]
    is_mine = mine is not None and side.pk == mine.pk
    ticks = tuple(_took_part(side, row, data.get("took")) for row in fighters)
    terms = side.warband.terms if side.warband is not None else None
    return SideForm(
        pk=side.pk,
        name=side_name(side),
        mine=is_mine,
        points_name=f"points_{key}",
        points=str(data.get(f"points_{key}", "0") or "0"),
        extra_name=f"extra_{key}",
        extra=str(data.get(f"extra_{key}", "0") or "0"),
        place_name=f"place_{key}" if len(sides) > 2 else "",
        place=str(data.get(f"place_{key}", "") or ""),
        fighters=tuple(_fighter_line(side, sides, row, data) for row in fighters),
        took=ticks,
        took_open=side.ready_at is None or any(not tick.ticked for tick in ticks),
        used=_used(side, fighters, data) if mine is None or is_mine or _used_up(side, data) else (),
        problems=flags(side),
        is_guest=side.is_guest,
        learns=terms is None or terms.game.campaign is not None,
    )


def _took_part(side: Side, row: Fighter, took: Collection[str] | None) -> ReportTick:
    value = f"{side.pk}:{row.pk}"
    return ReportTick(f"took_{row.pk}", value, row.name, "", took is None or value in took)


def _fighter_line(side: Side, sides: list[Side], row: Fighter, data: Mapping[str, Any]) -> FighterLine:
    profile = ""
    if side.warband is not None:
        terms = side.warband.terms
        profile = terms.game.profile_name(terms.content, row.profile_id, row.state)
    value = f"{side.pk}:{row.pk}"
    return FighterLine(
        key=str(row.pk),
        name=row.name,
        profile=profile_beside(row.name, profile),
        tick=ReportTick(f"out_{row.pk}", value, row.name, "", value in (data.get("out") or ())),
        by_name=f"by_{row.pk}",
        by=_by(side, sides, data, row),
        losses=_losses(side, row, data),
    )


def _by(side: Side, sides: list[Side], data: Mapping[str, Any], row: Fighter) -> tuple[SelectOption, ...]:
    others = [other for other in sides if other.pk != side.pk]
    usual = str(others[0].pk) if len(others) == 1 else ""
    chosen = str(data.get(f"by_{row.pk}", usual))
    picks = [
        SelectOption(str(other.pk), _("by {side}").format(side=side_name(other)), chosen == str(other.pk))
        for other in others
    ]
    picks.append(SelectOption(str(side.pk), _("by its own side"), chosen == str(side.pk)))
    picks.append(SelectOption("", _("a fall, or unknown"), chosen == ""))
    return tuple(picks)


def _losses(side: Side, row: Fighter, data: Mapping[str, Any]) -> tuple[Loss, ...]:
    assert side.warband is not None
    terms = side.warband.terms
    if terms.game.profiles is None:
        return ()
    found = []
    for part, name, left, full in terms.game.profiles.losable(terms.content, row.state):
        field = f"lost_{side.pk}_{row.pk}_{part}"
        value = str(data.get(field) or data.get(f"lost_{side.pk}_{row.pk}_{name}") or "")
        words = name if left == full else _("{name}, {left} of {full} there").format(name=name, left=left, full=full)
        found.append(Loss(field, f"id_{field}", words, full, value))
    return tuple(found)


def _used_up(side: Side, data: Mapping[str, Any]) -> bool:
    """Return whether the data names used-up items of this side, so that the form must list them too."""
    return any(str(found).startswith(f"{side.pk}:") for found in data.get("used") or ())


def _used(side: Side, fighters: list[Fighter], data: Mapping[str, Any]) -> tuple[ReportTick, ...]:
    if side.warband is None:
        return ()
    terms = side.warband.terms
    if terms.game.shop is None:
        return ()
    spent = terms.game.shop.consumables(terms.content)
    names, who = names_of(terms), {row.pk: row.name for row in fighters}
    ticked = set(data.get("used") or ())
    items = (
        Item.objects.live()
        .filter(warband=side.warband_id, status__in=[Item.Status.HELD, Item.Status.USED], item_id__in=spent)
        .order_by("fighter", "pk")
    )
    return tuple(
        ReportTick(
            f"used_{item.pk}",
            f"{side.pk}:{item.pk}",
            names.name(item.item_id, "item"),
            who[item.fighter_id],
            f"{side.pk}:{item.pk}" in ticked,
        )
        for item in items
        if item.fighter_id in who and (item.status == Item.Status.HELD or f"{side.pk}:{item.pk}" in ticked)
    )


def _deeds(
    battle: Battle, sides: list[Side], rosters: Mapping[int, list[Fighter]], data: Mapping[str, Any]
) -> tuple[DeedLine, ...]:
    @cache  # most deeds are open to the same fighters
    def group(side: Side, profile: str, by_warband: bool, chosen: str) -> tuple[SelectOption, ...]:
        if by_warband or side.is_guest:
            return (SelectOption(f"{side.pk}:", side_name(side), chosen == f"{side.pk}:"),)
        return tuple(
            SelectOption(f"{side.pk}:{row.pk}", row.name, chosen == f"{side.pk}:{row.pk}")
            for row in rosters[side.pk]
            if profile in ("", row.profile_id)
        )

    lines = []
    for deed in deeds_of(battle):
        chosen = str(data.get(f"deed_{deed.id}", ""))
        groups = []
        for side in (each for each in sides if open_to(deed, each)):
            picks = group(side, deed.needs_profile, deed.by_warband, chosen)
            if picks and (not deed.needs_profile or not side.is_guest):
                groups.append((side_name(side), picks))
        if not groups and deed.needs_profile:
            continue
        glory = _("{glory} glory.").format(glory=deed.glory) if deed.glory > 1 else ""
        lines.append(
            DeedLine(
                f"deed_{deed.id}",
                f"id_deed_{deed.id}",
                deed.name,
                f"{deed.words} {glory}".strip(),
                tuple(groups),
                bool(chosen),
            )
        )
    return tuple(lines)


def from_data(data: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a report's data to the fields of the form; {} for empty data."""
    if not data:
        return {}
    fields: dict[str, Any] = {"result": data.get("winner") or data.get("outcome") or "", "words": data.get("words", "")}
    for field, name in (("out", "out"), ("took", "took_part"), ("used", "used")):
        fields[field] = [f"{key}:{each}" for key, rows in data.get(name, {}).items() for each in rows]
    if "took_part" not in data:
        fields["took"] = None
    for field, name in (("points", "points"), ("extra", "campaign_points"), ("place", "places")):
        fields |= {f"{field}_{key}": str(number) for key, number in (data.get(name) or {}).items()}
    for fallen in data.get("out", {}).values():
        fields |= {f"by_{fighter}": by for fighter, by in fallen.items()}
    fields |= _loss_fields(data.get("losses") or {})
    fields |= {f"deed_{deed}": f"{key}:{fighter}" for deed, key, fighter in data.get("deeds", ())}
    return fields


def _loss_fields(losses: Mapping[str, Mapping[str, Mapping[str, int]]]) -> dict[str, str]:
    return {
        f"lost_{side}_{fighter}_{name}": str(count)
        for side, rows in losses.items()
        for fighter, lost in rows.items()
        for name, count in lost.items()
    }
