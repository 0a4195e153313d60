"""The page of teams that a warband may declare for its next battle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from rules.parts.campaign import TeamSlot
from warbands.pages.addresses import href_of
from warbands.pages.roster import Roster
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class TeamField:
    """One of the two places of a team: a field with its options, or a name if the place is fixed."""

    name: str
    id: str
    label: str
    options: tuple[tuple[str, str, bool], ...]
    fixed: str = ""


@dataclass(frozen=True, slots=True)
class FireteamRow:
    key: str
    name: str
    words: str
    fields: tuple[TeamField, ...]


@dataclass(frozen=True, slots=True)
class TeamPage:
    name: str
    title: str
    words: str
    here: str
    back: Link
    rows: tuple[FireteamRow, ...]
    problems: tuple[str, ...]
    empty_words: str
    seen: int


def team_page(roster: Roster, *, picks: Mapping[str, tuple[str, str]] | None = None) -> TeamPage:
    """Build the page of the teams. `picks` are those just submitted and refused. No queries on top of the roster."""
    warband = roster.warband
    teams = roster.teams
    rows = []
    for number, slot in enumerate(teams.slots if teams else (), 1):
        chosen = (picks or {}).get(slot.key, slot.chosen if picks is None else ("", ""))
        before = teams.slots[number - 2] if teams and number > 1 else None
        again = before is not None and (before.name, before.words) == (slot.name, slot.words)
        rows.append(_team_row(slot, number, chosen, words="" if again else slot.words))
    return TeamPage(
        name=warband.name,
        title=teams.title if teams else _("Teams"),
        words=teams.words if teams else "",
        here=href_of("team-list", warband.pk),
        back=Link(warband.name, href_of("warband-show", warband.pk)),
        rows=tuple(rows),
        problems=teams.problems if teams else (),
        empty_words="" if rows else _("No fighters on this roster can form teams."),
        seen=warband.version,
    )


def _team_row(slot: TeamSlot, number: int, chosen: tuple[str, str], *, words: str) -> FireteamRow:
    def field(name: str, label: str, options: Sequence[tuple[str, str]], value: str) -> TeamField:
        shown = tuple((key, words, key == value) for key, words in options)
        return TeamField(f"{name}-{slot.key}", f"id_{name}_{number}", label, shown)

    if slot.fixed:
        first = TeamField("", "", _("First"), (), slot.first[0][1])
        second = field("second", _("Partner of {first}").format(first=slot.first[0][1]), slot.second, chosen[1])
    else:
        first = field("first", _("First"), slot.first, chosen[0])
        second = field("second", _("Second"), slot.second, chosen[1])
    return FireteamRow(f"team_{number}", capfirst(slot.name), words, (first, second))


def picks_of(roster: Roster, sent: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return the teams that a form submits: two fighter keys for each team."""
    teams = roster.teams
    found = {}
    for slot in teams.slots if teams else ():
        second = sent.get(f"second-{slot.key}", "")
        first = sent.get(f"first-{slot.key}", "") if not slot.fixed else slot.first[0][0] if second else ""
        found[slot.key] = (first, second)
    return found
