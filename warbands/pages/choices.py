"""The page of all choices of a roster: those that are open, and those that may be changed."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.parts.choice import Choosing
from warbands.labels import labels_of
from warbands.pages.addresses import href_of
from warbands.pages.formatting import sentence
from warbands.pages.roster import Roster
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """One choice and its current value. `opened` says that its form is open; `change_href` opens the form."""

    key: str
    choosing: Choosing
    source: str
    href: str
    chosen: str
    wrong: str
    is_open: bool
    opened: bool
    change_href: str
    note: str


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    key: str
    name: str
    href: str
    rows: tuple[ChoiceRow, ...]


@dataclass(frozen=True, slots=True)
class ChoicePage:
    name: str
    here: str
    back: Link
    groups: tuple[ChoiceGroup, ...]
    open_words: str
    empty_words: str
    seen: int


def choice_key(choosing: Choosing) -> str:
    return slugify("-".join((choosing.row, choosing.fighter, choosing.item, *choosing.path)).replace("_", "-"))


def choice_page(roster: Roster, *, change: str = "", acts: bool = True) -> ChoicePage:
    """Build the page of all choices. No queries on top of the roster."""
    warband = roster.warband
    here = href_of("choice-list", warband.pk)
    groups: dict[str, list[ChoiceRow]] = {}
    waiting = 0
    for choosing in roster.game.choices(roster.content, roster.force):
        if not choosing.asked.options and choosing.asked.kind == "options":
            continue
        row = _choice_row(roster, choosing, here, change, acts)
        waiting += row.is_open
        groups.setdefault("" if choosing.row == "warband" else choosing.fighter or "stash", []).append(row)
    made = []
    for key, rows in groups.items():
        name, href = warband.name, ""
        if key == "stash":
            name, href = labels_of(warband.terms)["stash"], href_of("stash-show", warband.pk)
        elif key:
            name, href = roster.force.fighter(key).name, href_of("fighter-show", key)
        made.append(ChoiceGroup(f"choices_{key or 'warband'}", name, href, tuple(rows)))
    open_words = _("All choices are made.") if made else ""
    if waiting:
        open_words = ngettext("{count} choice still to make.", "{count} choices still to make.", waiting).format(
            count=waiting
        )
    return ChoicePage(
        name=warband.name,
        here=here,
        back=Link(warband.name, href_of("warband-show", warband.pk)),
        groups=tuple(made),
        open_words=open_words,
        empty_words="" if made else _("There is nothing to choose on this roster."),
        seen=warband.version,
    )


def _choice_row(roster: Roster, choosing: Choosing, here: str, change: str, acts: bool) -> ChoiceRow:
    key, wrong = choice_key(choosing), bool(choosing.wrong)
    waits = choosing.open or wrong
    free = roster.warband.is_founding or choosing.asked.any_time or not choosing.chosen or wrong
    return ChoiceRow(
        key=f"choice_{key}",
        choosing=choosing,
        source=choosing.source if roster.shops else choosing.asked.words,
        href=roster.names.href_of_name(choosing.source) if roster.shops else "",
        chosen="" if wrong else _chosen(roster, choosing),
        wrong=sentence(choosing.wrong),
        is_open=waits,
        opened=acts and (waits or (free and change == key)),
        change_href=f"{here}?change={key}#choice_{key}" if acts and free and not waits else "",
        note="" if free else _("Fixed since building ended."),
    )


def _chosen(roster: Roster, choosing: Choosing) -> str:
    if choosing.chosen or not choosing.asked.optional:
        return ", ".join(choosing.chosen_words)
    return _("as printed") if roster.shops else _("not settled")
