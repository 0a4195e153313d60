"""What the campaigns know of a warband's battles, for its book: opponents, results, deeds and losses, from the reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import REPORTED, Battle, Report, Side
from campaigns.pages.formatting import score
from campaigns.scenarios import deeds_of, scenario_name
from campaigns.services.common import side_name
from rules.formatting import joined
from warbands.book import BattleTold
from warbands.models import Fighter, Warband


def battles_told(warband: Warband) -> list[BattleTold]:
    """Return the reported battles of a warband, oldest first. Four queries."""
    own = Side.objects.live().filter(warband=warband, battle__status__in=REPORTED, battle__is_undone=False)
    own = own.exclude(battle__kind=Battle.Kind.BYE)
    mine = {side.battle_id: side for side in own.select_related("battle__campaign__terms").order_by("battle_id")}
    sides: dict[int, list[Side]] = {pk: [] for pk in mine}
    for side in Side.objects.live().filter(battle__in=mine).select_related("warband", "seat").order_by("place", "pk"):
        sides[side.battle_id].append(side)
    reports = Report.objects.live().filter(battle__in=mine, stands=True).order_by("pk")
    newest = {report.battle_id: report.data for report in reports}
    names = dict(Fighter.objects.filter(warband=warband).values_list("pk", "name"))
    return [_told(side, sides[pk], newest.get(pk) or {}, names) for pk, side in mine.items()]


def _told(mine: Side, sides: Iterable[Side], data: Mapping[str, Any], names: Mapping[int, str]) -> BattleTold:
    battle: Battle = mine.battle
    sides = list(sides)
    others = [side_name(side) for side in sides if side.pk != mine.pk]
    day = battle.played_on or battle.planned_for
    return BattleTold(
        occasion=battle.occasion,
        title=scenario_name(battle),
        day=day,
        against=joined(others),
        result=str(mine.get_result_display()) if mine.result else "",
        score=score(sides),
        lines=tuple(line for line in _lines(mine, sides, data, names) if line[1]),
        words=str(data.get("words") or ""),
    )


def _lines(
    mine: Side, sides: Iterable[Side], data: Mapping[str, Any], names: Mapping[int, str]
) -> Iterator[tuple[str, str]]:
    key, known = str(mine.pk), {str(side.pk): side_name(side) for side in sides}
    deeds = {deed.id: deed.name for deed in deeds_of(mine.battle)}
    done = [
        _by(deeds.get(deed, deed), _named(names, fighter))
        for deed, side, fighter in data.get("deeds") or ()
        if str(side) == key
    ]
    yield _("Deeds"), "; ".join(done)
    out = data.get("out") or {}
    yield (
        _("Taken out of action"),
        "; ".join(_by(_named(names, fighter), known.get(str(by), "")) for fighter, by in _in_order(out.get(key))),
    )
    losses = (data.get("losses") or {}).get(key) or {}
    yield (
        _("Losses"),
        "; ".join(
            f"{_named(names, unit)}: " + ", ".join(f"{count} {kind}" for kind, count in sorted(lost.items()))
            for unit, lost in _in_order(losses)
        ),
    )
    took = sum(str(by) == key for side, fell in out.items() if side != key for by in fell.values())
    yield (
        _("Took out"),
        ngettext("{count} of the others", "{count} of the others", took).format(count=took) if took else "",
    )


def _in_order(of_fighters: Mapping[str, Any] | None) -> list[tuple[str, Any]]:
    """Return what a report says of fighters in the order in which they were hired: a database may return them in any."""
    return sorted((of_fighters or {}).items(), key=lambda entry: (len(entry[0]), entry[0]))


def _named(names: Mapping[int, str], key: Any) -> str:
    return names.get(int(key), "") if str(key).isdecimal() else ""


def _by(what: str, who: str) -> str:
    return _("{what}, by {who}").format(what=what, who=who) if who else what
