"""The sentences for the reasons of a pairing, and the questions before a round is published."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.pairing.model import Player, Reason, Suggestion, TableOfPlayers
from rules.formatting import joined


def reason_words(reason: Reason, scenarios: Mapping[str, str]) -> str:
    """Return one reason as a short phrase. `scenarios` names the scenarios by id."""
    numbers, names = reason.numbers, reason.names
    match reason.kind:
        case "locked":
            return _("locked")
        case "challenge":
            return _("agreed challenge")
        case "wish":
            return _("{name} asked for {other}").format(name=names[0], other=names[1])
        case "apart":
            return _("{name} wants to keep apart from {other}").format(name=names[0], other=names[1])
        case "first":
            return _("first meeting")
        case "rematch":
            return _again_words(reason)
        case "battles":
            return _battles_words(numbers)
        case "score":
            return _apart_words(numbers[0])
        case "rating":
            return _("{number} d apart").format(number=numbers[0])
        case "scenario":
            name = scenarios.get(names[0], names[0])
            return _("{scenario} is new to them").format(scenario=name) if not numbers[0] else name
        case _:
            return _bye_words(numbers)


def _again_words(reason: Reason) -> str:
    times, why = reason.numbers
    met = ngettext("met once", "met {count} times", times).format(count=times)
    if why == 0:
        return met
    if why == 1:
        return _("{met}: {name} has met everyone here").format(met=met, name=reason.names[0])
    return _("{met}: any other round has more rematches").format(met=met)


def _battles_words(numbers: tuple[int, ...]) -> str:
    if len(numbers) == 1:
        return ngettext("{count} battle each", "{count} battles each", numbers[0]).format(count=numbers[0])
    return _("{numbers} battles").format(numbers=joined(str(number) for number in numbers))


def _apart_words(points: int) -> str:
    if not points:
        return _("level on points")
    return ngettext("{count} point apart", "{count} points apart", points).format(count=points)


def _bye_words(numbers: tuple[int, ...]) -> str:
    games, byes = numbers
    fought = ngettext("{count} battle so far", "{count} battles so far", games).format(count=games)
    before = ngettext("{count} bye before", "{count} byes before", byes).format(count=byes) if byes else _("no bye yet")
    return f"{fought}, {before}"


def questions(suggestion: Suggestion, players: Iterable[Player], away: Iterable[int]) -> list[str]:
    """Return what to ask before a round is published: pairs that meet again, and players who are away. No queries."""
    known = {player.key: player for player in players}
    absent = [known[key].name for key in away if key in known]
    found = [_("{name} is away. Pair them all the same?").format(name=joined(absent))] if absent else []
    return found + [line for table in suggestion.tables for line in _about_table(table, known)]


def _about_table(table: TableOfPlayers, known: Mapping[int, Player]) -> list[str]:
    lines = []
    for one, other in table.pairs:
        a, b = known[one], known[other]
        if times := a.met.get(other, 0):
            words = ngettext(
                "{one} and {other} have met once. Pair them again?",
                "{one} and {other} have met {count} times. Pair them again?",
                times,
            )
            lines.append(words.format(one=a.name, other=b.name, count=times))
        if other in a.avoids or one in b.avoids:
            lines.append(_("{one} and {other} are to be kept apart. Pair them?").format(one=a.name, other=b.name))
    return lines
