"""A battle report as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Battle, Report, Side
from campaigns.report_data import placing
from campaigns.scenarios import deeds_of
from campaigns.services.common import side_name
from rules.formatting import joined
from warbands.models import Fighter
from warbands.pages.formatting import clock, day


@dataclass(frozen=True, slots=True)
class ReportLine:
    number: int
    by: str
    when: str
    result: str
    score: str
    lines: tuple[tuple[str, str], ...]
    words: str
    dispute_words: str
    stands: bool


def fighter_names(sides: list[Side]) -> dict[str, str]:
    """Return key → name for the fighters of all sides, including dead and departed ones. One query."""
    ids = [side.warband_id for side in sides if side.warband_id]
    return {str(pk): name for pk, name in Fighter.objects.filter(warband__in=ids).values_list("pk", "name")}


def report_line(
    report: Report, battle: Battle, sides: list[Side], names: dict[str, str], taken_back: str = ""
) -> ReportLine:
    """Return a report as text. `taken_back` says how many of the app's rolls were taken back. No queries."""
    rolls = ((_("Rolls taken back"), taken_back),) if taken_back else ()
    return ReportLine(
        number=report.number,
        by=_author(report),
        when=f"{day(report.sent_at)}, {clock(report.sent_at)}",
        result=_result(report.data, sides),
        score=_score(report.data.get("points", {}), sides),
        lines=(*_lines(report.data, battle, sides, names), *rolls),
        words=str(report.data.get("words", "")),
        dispute_words=report.dispute_words,
        stands=report.stands,
    )


def data_lines(
    data: Mapping[str, Any], battle: Battle, sides: list[Side], names: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Return the data of a report, or as much of it as there is, as labelled texts. No queries."""
    result = _result(data, sides) if data.get("winner") or data.get("outcome") else _("not said")
    lines = [(_("Result"), result), (_("Victory points"), _score(data.get("points") or {}, sides))]
    lines += _lines(data, battle, sides, names)
    if words := str(data.get("words") or ""):
        lines.append((_("In a sentence"), words))
    return tuple(lines)


def _author(report: Report) -> str:
    author = side_name(report.by_side) if report.by_side is not None else _("An administrator")
    if report.by is None:
        return author
    is_own = report.by_side is None or report.by_side.is_guest or report.by_side.seat.user_id == report.by_id
    return str(report.by) if is_own else _("{by}, for {author}").format(by=report.by, author=author)


def _result(data: Mapping[str, Any], sides: list[Side]) -> str:
    for side in sides:
        if str(side.pk) == str(data.get("winner") or ""):
            return _("{side} won").format(side=side_name(side))
    return _("Drawn") if data.get("outcome") == "drawn" else _("No winner")


def _score(points: Mapping[str, int], sides: list[Side]) -> str:
    if len(sides) == 2:
        first, second = ((side_name(side), points.get(str(side.pk), 0)) for side in sides)
        return f"{first[0]} {first[1]} : {second[1]} {second[0]}"
    return ", ".join(f"{side_name(side)} {points.get(str(side.pk), 0)}" for side in sides)


def _lines_of_side(
    data: Mapping[str, Any], key: str, by_key: Mapping[str, Side], names: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    side = by_key[key]
    if extra := data.get("campaign_points", {}).get(key, 0):
        yield _("Campaign points, {side}").format(side=side_name(side)), str(extra)
    out = data.get("out", {}).get(key, {})
    if side.warband_id is not None or out:
        fallen = [_out_words(fighter, by, key, by_key, names) for fighter, by in out.items()]
        yield _("Out, {side}").format(side=side_name(side)), joined(fallen) or _("no one")


def _lines(
    data: Mapping[str, Any], battle: Battle, sides: list[Side], names: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    by_key = {str(side.pk): side for side in sides}
    if len(sides) > 2:
        yield _("Places"), _places(data, sides)
    for key in by_key:
        yield from _lines_of_side(data, key, by_key, names)
    for key, rows in (data.get("losses") or {}).items():
        if key in by_key:
            yield _("Lost, {side}").format(side=side_name(by_key[key])), _lost_words(rows, names)
    deeds = _deeds(data, battle, by_key, names)
    if deeds or battle.campaign.terms.game.campaign is not None:
        yield _("Deeds"), deeds or _("none")
    if used := sum(len(items) for items in data.get("used", {}).values()):
        yield _("Used up"), ngettext("{count} piece", "{count} pieces", used).format(count=used)


def _places(data: Mapping[str, Any], sides: list[Side]) -> str:
    places = placing(data, sides)
    ranked = sorted(sides, key=lambda side: places.get(str(side.pk), 0))
    return ", ".join(f"{places[str(side.pk)]} {side_name(side)}" for side in ranked)


def _deeds(data: Mapping[str, Any], battle: Battle, sides: Mapping[str, Side], names: Mapping[str, str]) -> str:
    deeds = {deed.id: deed.name for deed in deeds_of(battle)}
    return "; ".join(
        f"{deeds.get(deed, deed)}: {names.get(fighter, '') or side_name(sides[key])}"
        for deed, key, fighter in data.get("deeds", ())
        if key in sides
    )


def _lost_words(rows: Mapping[str, Mapping[str, int]], names: Mapping[str, str]) -> str:
    return "; ".join(
        f"{names.get(fighter, _('a fighter'))}: {joined(f'{count} {name}' for name, count in lost.items())}"
        for fighter, lost in rows.items()
    )


def _out_words(fighter: str, by: str, key: str, sides: Mapping[str, Side], names: Mapping[str, str]) -> str:
    name = names.get(fighter, _("a fighter"))
    if len(sides) > 2 and by in sides and by != key:
        return _("{name} (by {side})").format(name=name, side=side_name(sides[by]))
    if by == key:
        return _("{name} (by its own side)").format(name=name)
    return name if by else _("{name} (a fall, or unknown)").format(name=name)
