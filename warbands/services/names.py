"""Gives fighters names from the lists of the game: another one for one fighter, or one for each that has none yet."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from zlib import crc32

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.formatting import profile_beside
from rules.problems import Refusal
from warbands.adapters import PRESENT
from warbands.draft_acts import draftable
from warbands.labels import listed
from warbands.models import Fighter, Warband
from warbands.services.common import acting, content_of, game_of, roster_fighter

NAMED_IN_FULL = 6


def free_fighter_name(warband: Warband, profile_id: str, taken: Collection[str], *, after: str = "") -> str:
    """Return a name in the manner of the list that nobody on the roster has, with a title or without; "" if there is none left.

    `after` is the name that it replaces: the search begins behind it, so that each call offers another one. Otherwise
    it begins at a place of the warband's own, so that two warbands of one list don't begin with the same names.
    """
    terms = warband.terms
    names = terms.game.founding.fighter_names(terms.content, warband.list_id, profile_id)
    if not names:
        return ""
    start = names.index(after) + 1 if after in names else crc32(warband.name.encode()) % len(names)
    in_order = (*names[start:], *names[:start])
    return next((name for name in in_order if not any(_sound_alike(name, other) for other in taken)), "")


def _sound_alike(name: str, other: str) -> bool:
    """Return whether two names are the same but for a title: Colm and Father Colm."""
    return name == other or name.endswith(f" {other}") or other.endswith(f" {name}")


def taken_names(warband: Warband) -> set[str]:
    """Return the names of the fighters on the roster. One query."""
    return set(Fighter.objects.live().filter(warband=warband, status__in=PRESENT).values_list("name", flat=True))


@draftable
def give_another_name(*, fighter: Fighter, actor: Any, token: str = "", seen: int | None = None) -> Fighter:
    """Rename a fighter to the next free name of its list. Raises Refusal if there is none."""
    with acting(fighter.warband, kind="rename", actor=actor, token=token, seen=seen) as act:
        row = roster_fighter(act, fighter)
        before = row.name
        name = free_fighter_name(act.warband, row.profile_id, taken_names(act.warband), after=before)
        if not name:
            raise Refusal(_("There is no other name on the list."), mend=_("Type one instead."), code="no-change")
        act.change(row, name=name)
        act.say(_("{{who}} renamed {before} to {after}.").format(before=before, after=name))
    fighter.name = name
    return fighter


@draftable
def name_all(*, warband: Warband, actor: Any, token: str = "", seen: int | None = None) -> list[Fighter]:
    """Name all fighters that are called like their profile. Raises Refusal if there are none, or no names for them."""
    with acting(warband, kind="rename", actor=actor, token=token, seen=seen) as act:
        sheet = game_of(act).documents.sheet(content_of(act), act.force())
        profiles = {line.key: line.profile_name for line in sheet.fighters}
        taken, named = taken_names(act.warband), []
        for row in Fighter.objects.live().filter(warband=act.warband, status__in=PRESENT):
            if profile_beside(row.name, profiles.get(str(row.pk), "")):
                continue
            name = free_fighter_name(act.warband, row.profile_id, taken)
            if name:
                taken.add(name)
                act.change(row, name=name)
                named.append(row)
        if not named:
            raise Refusal(_("Every fighter has a name already."), code="no-change")
        act.say(_said([row.name for row in named]))
    return named


def _said(names: list[str]) -> str:
    count = len(names)
    if count <= NAMED_IN_FULL:
        return _("{{who}} named {names}.").format(names=listed(names))
    return ngettext("{{who}} named {count} fighter.", "{{who}} named {count} fighters.", count).format(count=count)
