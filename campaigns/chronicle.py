"""What happened in a campaign, as facts for its gazettes and its closing ceremony.

Every name and number comes from confirmed battles, their reports, and the recorded changes of fighters. Nothing is
stored, so an amended report changes the facts and a void removes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import ANSWERED, Battle, Campaign, Report, Round, Side
from campaigns.pages.battle_queries import read_battles, sides_of
from campaigns.scenarios import deeds_of, scenario_name
from campaigns.services.common import side_name
from campaigns.standings import FOUGHT, SeatStanding, standings
from rules.formatting import joined
from warbands.labels import has_shop
from warbands.models import Change, Fighter


@dataclass(frozen=True, slots=True)
class Fact:
    """One sentence with a stable key. `battle` is the id of the battle that it is of, 0 for the round as a whole."""

    key: str
    words: str
    battle: int = 0


@dataclass(frozen=True, slots=True)
class Award:
    """An award: its title, who receives it, and the figures that it was given for."""

    key: str
    title: str
    winner: str
    words: str


@dataclass(frozen=True, slots=True)
class Chronicle:
    """The confirmed battles of a campaign or a round, with what their reports say.

    `reports` maps a battle to its report's data, `fighters` an id to its row, `died` the ids of those who died after
    these battles to the battle.
    """

    campaign: Campaign
    battles: tuple[Battle, ...]
    reports: Mapping[int, Mapping[str, Any]]
    fighters: Mapping[int, Fighter]
    died: Mapping[int, int] = field(default_factory=dict)

    def fought(self) -> Iterator[Battle]:
        return (battle for battle in self.battles if battle.kind in FOUGHT)

    def out(self, battle: Battle, side: Side) -> dict[int, str]:
        """Return the fighters of a side that were taken out of action, with the id of the side that did it, or ""."""
        found = (self.reports.get(battle.pk, {}).get("out") or {}).get(str(side.pk)) or {}
        return {int(key): str(by) for key, by in found.items() if str(key).isdecimal()}

    def lost(self, battle: Battle, side: Side) -> int:
        """Return how many were lost on a side: fighters taken out, or in games of units the sum of their losses."""
        losses = (self.reports.get(battle.pk, {}).get("losses") or {}).get(str(side.pk)) or {}
        return len(self.out(battle, side)) + sum(sum(each.values()) for each in losses.values())

    def deeds(self, battle: Battle) -> Iterator[tuple[str, str, str, int]]:
        """Yield the deeds of a battle: the deed, its name, the id of the side, and the fighter's id, or 0."""
        names = {deed.id: deed.name for deed in deeds_of(battle)}
        for deed, side, fighter in self.reports.get(battle.pk, {}).get("deeds") or ():
            yield deed, names.get(deed, deed), str(side), int(fighter) if str(fighter).isdecimal() else 0

    def named(self, fighter: int) -> str:
        row = self.fighters.get(fighter)
        return _("{fighter} of {warband}").format(fighter=row.name, warband=row.warband.name) if row is not None else ""


def read_chronicle(campaign: Campaign, found: Round | None = None) -> Chronicle:
    """Read the confirmed battles of a round, or of the whole campaign. Five queries."""
    rows = Battle.objects.live().filter(campaign=campaign, status__in=ANSWERED)
    if found is not None:
        rows = rows.filter(round=found)
    battles = read_battles(list(rows.order_by("pk").values_list("pk", flat=True)), [campaign])
    known = {battle.pk for battle in battles}
    reports = Report.objects.live().filter(battle__in=known, stands=True).order_by("number")
    warbands = {side.warband_id for battle in battles for side in sides_of(battle)} - {None}
    fighters = Fighter.objects.live().filter(warband__in=warbands).exclude(status=Fighter.Status.RETURNED)
    rows_of = {fighter.pk: fighter for fighter in fighters.select_related("warband")}
    return Chronicle(
        campaign,
        battles,
        {report.battle_id: report.data for report in reports},
        rows_of,
        _died(battles, rows_of),
    )


def _died(battles: Iterable[Battle], fighters: Mapping[int, Fighter]) -> dict[int, int]:
    """Return who died after which of these battles. Those who came back do not count. One query."""
    by_occasion = {battle.occasion: battle.pk for battle in battles}
    deaths = Change.objects.filter(
        label=Fighter._meta.label, field="status", after=Fighter.Status.DEAD, event__occasion__in=by_occasion
    )
    return {
        pk: by_occasion[occasion]
        for pk, occasion in deaths.order_by("pk").values_list("row_id", "event__occasion")
        if pk in fighters and fighters[pk].status == Fighter.Status.DEAD
    }


# --- the facts of a round -------------------------------------------------------------------------------------------------


def round_facts(campaign: Campaign, found: Round) -> list[Fact]:
    """Return the facts of a round in the order of its battles, then its totals. Five queries."""
    told = read_chronicle(campaign, found)
    facts = [fact for battle in told.battles for fact in _facts_of(told, battle)]
    fought = list(told.fought())
    if len(fought) > 1:
        lost = sum(told.lost(battle, side) for battle in fought for side in sides_of(battle))
        words = ngettext("{count} battle was fought.", "{count} battles were fought.", len(fought))
        words = words.format(count=len(fought))
        if lost:
            more = ngettext(
                "{count} fighter was taken out of action.", "{count} fighters were taken out of action.", lost
            )
            words = f"{words} {more.format(count=lost)}"
        facts.append(Fact("total", words))
    return facts


def _facts_of(told: Chronicle, battle: Battle) -> Iterator[Fact]:
    sides = sides_of(battle)
    yield Fact(f"{battle.pk}-result", result_words(battle, sides), battle.pk)
    if battle.kind not in FOUGHT:
        return
    if words := _underdog_words(told, sides):
        yield Fact(f"{battle.pk}-underdog", words, battle.pk)
    for _deed, name, side, fighter in told.deeds(battle):
        who = told.named(fighter) or next((side_name(each) for each in sides if str(each.pk) == side), "")
        yield Fact(f"{battle.pk}-deed-{_deed}-{side}", _("{who}: {deed}.").format(who=who, deed=name), battle.pk)
    for side in sides:
        if lost := told.lost(battle, side):
            words = ngettext(
                "{side} had {count} fighter out of action.", "{side} had {count} fighters out of action.", lost
            ).format(side=side_name(side), count=lost)
            yield Fact(f"{battle.pk}-out-{side.pk}", words, battle.pk)
    for fighter, after in told.died.items():
        if after == battle.pk:
            words = _("{who} died of their wounds.").format(who=told.named(fighter))
            yield Fact(f"{battle.pk}-died-{fighter}", words, battle.pk)


def _points_words(sides: Sequence[Side]) -> str:
    """Return the points of all sides, "" unless all are known."""
    if any(side.points is None for side in sides):
        return ""
    return "\u00a0:\u00a0".join(str(side.points) for side in sides)


def result_words(battle: Battle, sides: Iterable[Side], name: Callable[[Side], str] = side_name) -> str:
    """Return the result of a confirmed battle as a sentence. No queries."""
    sides = list(sides)
    if battle.kind == Battle.Kind.BYE:
        return _("{side} had no opponent this time.").format(side=joined(map(side_name, sides)))
    won = [side for side in sides if side.result == Side.Result.WON]
    others = [side for side in sides if side not in won]
    points = _points_words([*won, *others])
    told = {"sides": joined(map(name, sides)), "points": points}
    if battle.kind not in FOUGHT:
        kind = str(battle.get_kind_display()).lower()
        return _("{sides}: {kind}.").format(sides=told["sides"], kind=kind)
    if len(won) == 1 and others:
        told |= {"winner": name(won[0]), "others": joined(map(name, others))}
        words = _("{winner} beat {others}, {points}.") if points else _("{winner} beat {others}.")
    else:
        words = _("{sides} drew, {points}.") if points else _("{sides} drew.")
    words = words.format(**told)
    if battle.scenario_id or battle.scenario_name:
        return _("{where}: {words}").format(where=scenario_name(battle), words=words)
    return words


def _gap(sides: Iterable[Side]) -> tuple[Side, Side] | None:
    """Return the winner and the strongest of the others, if the winner's force was worth less. Values are of the muster."""
    won = [side for side in sides if side.result == Side.Result.WON]
    others = [side for side in sides if side.result != Side.Result.WON and side.rating]
    if len(won) != 1 or not others or not won[0].rating:
        return None
    strongest = max(others, key=lambda side: side.rating)
    return (won[0], strongest) if won[0].rating < strongest.rating else None


def _underdog_words(told: Chronicle, sides: Iterable[Side]) -> str:
    gap = _gap(sides) if has_shop(told.campaign.terms) else None
    if gap is None or gap[0].rating * 10 > gap[1].rating * 9:
        return ""
    return _("{winner} won with {mine} d against {theirs} d.").format(
        winner=side_name(gap[0]), mine=gap[0].rating, theirs=gap[1].rating
    )


# --- the end of a campaign ------------------------------------------------------------------------------------------------


def champions(campaign: Campaign) -> list[SeatStanding]:
    """Return who leads the standings by the campaign's own rule; several if they share the first rank. Two or three queries."""
    return [row for row in standings(campaign) if row.place == 1 and row.games]


def awards(campaign: Campaign) -> list[Award]:
    """Return every award that somebody has earned, each with its figures. Five queries."""
    told = read_chronicle(campaign)
    found = (award(told) for award in AWARDS)
    return [each for each in found if each is not None]


def _most(counts: Counter[Any], named: Callable[[Any], str]) -> tuple[str, int] | None:
    """Return the names of those who have most, and how many; None if there is nobody, or if more than three share it."""
    most = max(counts.values(), default=0)
    first = [key for key, count in counts.items() if count == most and named(key)]
    return (joined(sorted(map(named, first))), most) if most and 0 < len(first) <= 3 else None


def _names(told: Chronicle) -> dict[str, str]:
    """Return the names of sides by warband: results of one warband count together."""
    return {_who(side): side_name(side) for battle in told.battles for side in sides_of(battle)}


def _who(side: Side) -> str:
    return f"w{side.warband_id}" if side.warband_id is not None else f"g{side.guest_name}"


def _most_kills(told: Chronicle) -> Award | None:
    counts: Counter[str] = Counter()
    for battle in told.fought():
        sides = {str(side.pk): side for side in sides_of(battle)}
        for side in sides.values():
            for by in told.out(battle, side).values():
                if by in sides and by != str(side.pk):
                    counts[_who(sides[by])] += 1
    found = _most(counts, _names(told).__getitem__)
    if found is None:
        return None
    words = ngettext("{count} enemy taken out of action", "{count} enemies taken out of action", found[1])
    return Award("kills", _("The reaper"), found[0], words.format(count=found[1]))


def _longest_serving(told: Chronicle) -> Award | None:
    counts: Counter[int] = Counter()
    for battle in told.fought():
        for members in (told.reports.get(battle.pk, {}).get("took_part") or {}).values():
            counts.update(int(key) for key in members if str(key).isdecimal() and _serves(told, int(key)))
    found = _most(counts, told.named)
    if found is None:
        return None
    words = ngettext("{count} battle, and still on the roster", "{count} battles, and still on the roster", found[1])
    return Award("service", _("Longest service"), found[0], words.format(count=found[1]))


def _most_injured(told: Chronicle) -> Award | None:
    counts: Counter[int] = Counter()
    for battle in told.fought():
        for side in sides_of(battle):
            counts.update(key for key in told.out(battle, side) if _serves(told, key))
    found = _most(counts, told.named)
    if found is None:
        return None
    words = ngettext(
        "taken out of action {count} time, and alive", "taken out of action {count} times, and alive", found[1]
    )
    return Award("survivor", _("Most injured survivor"), found[0], words.format(count=found[1]))


def _serves(told: Chronicle, fighter: int) -> bool:
    row = told.fighters.get(fighter)
    return row is not None and row.status == Fighter.Status.ACTIVE


def _best_underdog(told: Chronicle) -> Award | None:
    if not has_shop(told.campaign.terms):
        return None
    gaps = [(gap, battle) for battle in told.fought() if (gap := _gap(sides_of(battle))) is not None]
    if not gaps:
        return None
    (won, other), _battle = max(gaps, key=lambda each: (each[0][1].rating - each[0][0].rating, -each[1].pk))
    words = _("{mine} d beat {theirs} d of {other}").format(
        mine=won.rating, theirs=other.rating, other=side_name(other)
    )
    return Award("underdog", _("Best underdog win"), side_name(won), words)


def _win(battle: Battle) -> tuple[Side, Side] | None:
    """Return the one winner and the best of the others; None unless points tell them apart."""
    sides = sides_of(battle)
    won = [side for side in sides if side.result == Side.Result.WON]
    others = [side for side in sides if side.result != Side.Result.WON]
    if len(won) != 1 or not others or any(side.points is None for side in sides):
        return None
    second = max(others, key=lambda side: side.points or 0)
    return (won[0], second) if (won[0].points or 0) > (second.points or 0) else None


def _clearest_win(told: Chronicle) -> Award | None:
    wins = [win for battle in told.fought() if (win := _win(battle)) is not None]
    if not wins:
        return None
    first, second = max(wins, key=lambda win: ((win[0].points or 0) - (win[1].points or 0), -win[0].battle_id))
    words = _("{mine} : {theirs} against {other}").format(
        mine=first.points, theirs=second.points, other=side_name(second)
    )
    return Award("margin", _("Clearest win"), side_name(first), words)


def _most_deeds(told: Chronicle) -> Award | None:
    counts: Counter[str] = Counter()
    for battle in told.fought():
        sides = {str(side.pk): side for side in sides_of(battle)}
        counts.update(_who(sides[side]) for _d, _n, side, _f in told.deeds(battle) if side in sides)
    found = _most(counts, _names(told).__getitem__)
    if found is None:
        return None
    words = ngettext("{count} glorious deed", "{count} glorious deeds", found[1]).format(count=found[1])
    return Award("deeds", _("Most glorious"), found[0], words)


def _most_battles(told: Chronicle) -> Award | None:
    counts = Counter(_who(side) for battle in told.fought() for side in sides_of(battle) if not side.is_guest)
    found = _most(counts, _names(told).__getitem__)
    if found is None:
        return None
    words = ngettext("{count} battle fought", "{count} battles fought", found[1]).format(count=found[1])
    return Award("battles", _("Always at the table"), found[0], words)


def _longest_streak(told: Chronicle) -> Award | None:
    best: Counter[str] = Counter()
    running: Counter[str] = Counter()
    for battle in sorted(told.fought(), key=lambda each: (each.played_on or date.max, each.pk)):
        for side in sides_of(battle):
            who = _who(side)
            running[who] = running[who] + 1 if side.result == Side.Result.WON else 0
            best[who] = max(best[who], running[who])
    found = _most(best, _names(told).__getitem__)
    if found is None or found[1] < 2:
        return None
    words = _("{count} battles won in a row").format(count=found[1])
    return Award("streak", _("Longest run of wins"), found[0], words)


def _most_dead(told: Chronicle) -> Award | None:
    counts = Counter(told.fighters[fighter].warband.name for fighter in told.died)
    found = _most(counts, str)
    if found is None:
        return None
    words = ngettext("{count} fighter dead", "{count} fighters dead", found[1]).format(count=found[1])
    return Award("dead", _("Most names on the wall"), found[0], words)


AWARDS = (
    _most_kills,
    _best_underdog,
    _clearest_win,
    _longest_streak,
    _most_deeds,
    _longest_serving,
    _most_injured,
    _most_battles,
    _most_dead,
)
