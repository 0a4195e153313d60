"""Functions that compute the result of a battle for one side from the current report. Its post-battle sequence starts from this result."""

from __future__ import annotations

from copy import copy
from typing import Any

from campaigns.factions import faction_keyword_of
from campaigns.models import Battle, Report, Side
from campaigns.services.common import live_sides, side_name
from campaigns.settings_schema import setting_of
from rules.parts.post_battle import Aftermath, BattleSide

EVERYTHING = frozenset({"number", "experience", "promotion", "exploration", "glory", "injuries"})
COUNTED_AS = {"all": EVERYTHING, "number": frozenset({"number"}), "nothing": frozenset[str]()}
COUNTED_BY = {
    Battle.Kind.WALK_OVER: "walk_over_counts",
    Battle.Kind.NO_SHOW: "no_show_counts",
    Battle.Kind.CONCEDED: "conceded_counts",
    Battle.Kind.ABANDONED: "abandoned_counts",
}


def standing_report(battle: Battle) -> Report | None:
    """Return the newest live report that is in force, or None. One query."""
    return battle.reports.live().filter(stands=True).select_related("by", "by_side").order_by("-number").first()


def counts(battle: Battle, sides: list[Side]) -> frozenset[str]:
    """Return what the battle counts for in the warbands' growth.

    It depends on the battle's kind, its guests and the campaign's settings. A friendly battle counts for nothing.
    """
    campaign = battle.campaign
    if campaign.is_friendly:
        return frozenset()
    if any(side.is_guest for side in sides) and setting_of(campaign, "guests_count") == "nothing":
        return frozenset()
    if battle.kind == Battle.Kind.PLAYED:
        return EVERYTHING
    setting = COUNTED_BY.get(Battle.Kind(battle.kind))
    return COUNTED_AS[str(setting_of(campaign, setting))] if setting else frozenset()


def counts_when(battle: Battle, sides: list[Side], kind: str) -> frozenset[str]:
    """Return what the battle would count for if it were of this kind."""
    told = copy(battle)
    told.kind = kind
    return counts(told, sides)


def aftermath_of(battle: Battle, side: Side, report: Report | None = None) -> Aftermath:
    """Return the battle's result for this side. At most three queries.

    `report` replaces the current report, to preview an amendment.
    """
    report = report or standing_report(battle)
    data = report.data if report is not None else {}
    sides = live_sides(battle)
    mine = next(each for each in sides if each.pk == side.pk)
    return Aftermath(
        battle=f"b{battle.pk}",
        number=mine.number or 1,
        scenario=battle.scenario_id,
        mine=battle_side(battle, mine, data),
        others=tuple(battle_side(battle, each, data) for each in sides if each.pk != side.pk),
        counts=counts(battle, sides),
    )


def battle_side(battle: Battle, side: Side, data: dict[str, Any]) -> BattleSide:
    key = str(side.pk)
    out_by = dict(data.get("out", {}).get(key, {}))
    list_id, keyword = "", faction_keyword_of(battle.campaign.terms, side.guest_keyword)
    if side.warband is not None:
        list_id = side.warband.list_id
        keyword = faction_keyword(side)
    return BattleSide(
        side=key,
        name=side_name(side),
        list=list_id,
        faction_keyword=keyword,
        won=data.get("winner") == key,
        rating=side.rating,
        took_part=tuple(data.get("took_part", {}).get(key, ())),
        out=tuple(out_by),
        out_by=out_by,
        deeds=tuple((deed, fighter) for deed, whose, fighter in data.get("deeds", ()) if whose == key),
        used_up=tuple(data.get("used", {}).get(key, ())),
        losses=data.get("losses", {}).get(key, {}),
        guest=side.warband is None,
    )


def faction_keyword(side: Side) -> str:
    """Return the keyword of a side's faction as the edition prints it, "" if it is unknown."""
    if side.warband is None:
        return side.guest_keyword
    terms = side.warband.terms
    for choice in terms.game.founding.lists(terms.content):
        if choice.id == side.warband.list_id:
            return str(choice.keyword)
    return ""
