"""The pages that bring a roster again: choosing its file, and what differs from the roster here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.price import Price
from rules.roster_changes import RosterChange, more_and_less, replaced
from warbands.models import PaperDraft, Warband
from warbands.pages.formatting import clock, day, money
from warbands.pages.recognised import recognised_words
from warbands.pages.rule_links import names_of
from warbands.pages.widgets import Link
from warbands.services.again import MONEY, Comparison

SIDES = {
    "file": gettext_lazy("changed in the file"),
    "here": gettext_lazy("changed here"),
    "both": gettext_lazy("changed on both sides"),
    "differs": gettext_lazy("differs"),
}
ASPECT_WORDS = {
    "name": gettext_lazy("Name"),
    "profile": gettext_lazy("Profile"),
    "kit": gettext_lazy("Kit"),
    "upgrades": gettext_lazy("Upgrades"),
    "skills": gettext_lazy("Skills"),
    "traumas": gettext_lazy("Traumas"),
    "scars": gettext_lazy("Scars"),
    "experience": gettext_lazy("Experience"),
    "promoted": gettext_lazy("Promotion"),
    "status": gettext_lazy("Status"),
    "patron": gettext_lazy("Patron"),
    "stash": gettext_lazy("Stash"),
    "locations": gettext_lazy("Locations"),
    "exploration_skills": gettext_lazy("Exploration skills"),
    "lasting": gettext_lazy("Lasting effects"),
    "fought": gettext_lazy("Battles fought"),
    "misses": gettext_lazy("Failed promotions"),
    MONEY: gettext_lazy("Strongbox"),
}
_KINDS = {
    "kit": "item",
    "stash": "item",
    "upgrades": "upgrade",
    "skills": "skill",
    "traumas": "trauma",
    "locations": "location",
    "exploration_skills": "skill",
    "lasting": "lasting",
}
_WHOLE = {
    "new": gettext_lazy("New in the file"),
    "dead": gettext_lazy("New in the file, among the dead"),
    "gone": gettext_lazy("Gone from the file. Taken over, it leaves and its kit goes to the stash."),
    "hired": gettext_lazy("Hired here, not in the file"),
    "left": gettext_lazy("In the file, but no longer on the roster here"),
}


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One difference in words. `key` is empty for one that is only told."""

    key: str
    label: str
    here: str
    there: str
    side: str
    is_ticked: bool


@dataclass(frozen=True, slots=True)
class ChangeGroup:
    name: str
    words: str
    doubt: str
    lines: tuple[ChangeLine, ...]


@dataclass(frozen=True, slots=True)
class AgainPage:
    title: str
    here: str
    back: Link
    recognised: str
    last_words: str
    older: tuple[str, ...]
    groups: tuple[ChangeGroup, ...]
    can_take: bool
    settle_href: str
    seen: int


def again_page(draft: PaperDraft, warband: Warband, found: Comparison, chosen: Iterable[str] | None) -> AgainPage:
    """Build the page of differences. No queries. `chosen` are the ticks that were sent, None before."""
    ticked = frozenset(found.advised if chosen is None else chosen)
    groups: dict[str, list[RosterChange]] = {}
    for change in found.changes:
        groups.setdefault(_whose(change, found), []).append(change)
    last = found.last
    last_words = (
        _("Compared with {file}, imported on {day}, {clock}.").format(
            file=last.name, day=day(last.sent_at), clock=clock(last.sent_at)
        )
        if last is not None
        else _("The file this roster came from can't be compared. So you only see what differs.")
    )
    return AgainPage(
        title=_("Update from a file"),
        here=reverse("warband-again-compare", args=[warband.pk, draft.pk]),
        back=Link(warband.name, reverse("warband-show", args=[warband.pk])),
        recognised=recognised_words(draft),
        last_words=last_words,
        older=found.older,
        groups=tuple(_group(name, changes, warband, found, ticked) for name, changes in groups.items()),
        can_take=bool(found.open),
        settle_href=reverse("paper-settle", args=[draft.pk]),
        seen=warband.version,
    )


def _whose(change: RosterChange, found: Comparison) -> str:
    if change.fighter:
        mine = next((row.name for row in found.here.fighters if row.key == change.fighter), "")
        return mine or (found.there.fighters[change.row].name if change.row >= 0 else str(change.here))
    return found.there.fighters[change.row].name if change.row >= 0 else _("The warband")


def _group(
    name: str, changes: list[RosterChange], warband: Warband, found: Comparison, ticked: frozenset[str]
) -> ChangeGroup:
    profile = next((found.there.fighters[change.row].profile for change in changes if change.row >= 0), "")
    lines = tuple(_line(change, warband, found, ticked) for change in changes)
    words = names_of(warband.terms).name(profile, "profile") if profile else ""
    doubtful = any(change.fighter in replaced(found.changes) for change in changes)
    return ChangeGroup(name, words, _("This may be another fighter, so nothing is ticked.") if doubtful else "", lines)


def _line(change: RosterChange, warband: Warband, found: Comparison, ticked: frozenset[str]) -> ChangeLine:
    key = change.key if change.key in found.open else ""
    whole = _WHOLE.get("dead" if (change.aspect, change.there) == ("new", "dead") else change.aspect)
    here, there = ("", "") if whole is not None else _values(change, warband)
    return ChangeLine(
        key=key,
        label=str(whole if whole is not None else ASPECT_WORDS[change.aspect]),
        here=here,
        there=there,
        side="" if whole is not None else str(SIDES[change.side]),
        is_ticked=bool(key) and change.key in ticked,
    )


def _values(change: RosterChange, warband: Warband) -> tuple[str, str]:
    """Return both values in words; of lists only what one side has and the other lacks."""
    names = names_of(warband.terms)
    kind = _KINDS.get(change.aspect)
    if kind is not None:
        more, less = more_and_less(change.here, change.there)
        return _listed(names, kind, less), _listed(names, kind, more)
    if change.aspect in ("profile", "patron"):
        values = (change.here, change.there)
        here, there = (names.name(value, change.aspect) if value else _("none") for value in values)
        return here, there
    if isinstance(change.here, Price):
        return money(change.here), money(change.there)
    if isinstance(change.here, bool):
        here, there = (_("promoted") if value else _("not promoted") for value in (change.here, change.there))
        return here, there
    return str(change.here), str(change.there)


def _listed(names: Any, kind: str, ids: list[str]) -> str:
    return ", ".join(names.name(id_, kind) for id_ in ids) if ids else _("nothing else")
