"""Who attacks and who is attacked on the odds page: the fighters and profiles to choose from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from campaigns.access import warbands_read
from campaigns.models import Battle, Side
from campaigns.pages.options import SelectOption
from rules.force import Force
from rules.game import Game
from warbands import access
from warbands.adapters import force_of
from warbands.models import Delegate, Fighter, Terms, Warband

AHEAD = (Battle.Status.SCHEDULED, Battle.Status.MUSTERED, Battle.Status.REPORTED)


@dataclass(frozen=True, slots=True)
class OddsGroup:
    words: str
    picks: tuple[SelectOption, ...]


@dataclass(frozen=True, slots=True)
class PickedFighter:
    """A fighter from a roster, or one created from its profile."""

    force: Force
    key: str
    name: str
    profile: str
    terms: Terms | None


def who_attacks(user: Any, data: Mapping[str, str]) -> tuple[list[Fighter], PickedFighter | None]:
    """Read the fighters to choose from, and the one that is chosen: at first the first one. At most six queries.

    Raises Http404 for a fighter that the user may not see.
    """
    rows = my_fighters(user)
    wanted = data.get("mine", "") or next((str(row.pk) for row in rows), "")
    return rows, fighter_picked(user, wanted, rows) if wanted else None


def my_fighters(user: Any) -> list[Fighter]:
    """Read the fighters of all warbands that the user acts for, grouped by roster. Two queries."""
    own = Warband.objects.held_by(user).filter(status__in=_STANDING)
    warbands = own.select_related("terms").order_by("name", "pk")
    return _fighters(row for row in warbands if knows_odds(row.terms.game))


_STANDING = (Warband.Status.FOUNDING, Warband.Status.CAMP)


MAX_FIGHTERS = 400


def _fighters(warbands: Iterable[Warband]) -> list[Fighter]:
    """Read the fighters of these warbands, with `warband` set on each. One query, none for no warbands."""
    known = {warband.pk: warband for warband in warbands}
    if not known:
        return []
    rows = Fighter.objects.live().filter(warband__in=known, status=Fighter.Status.ACTIVE)
    by_warband: dict[int, list[Fighter]] = {pk: [] for pk in known}
    for row in rows.only("name", "warband_id", "position").order_by("position", "pk"):
        row.warband = known[row.warband_id]
        by_warband[row.warband_id].append(row)
    return [row for found in by_warband.values() for row in found][:MAX_FIGHTERS]


def fighter_picked(user: Any, wanted: str, known: Iterable[Fighter] = ()) -> PickedFighter:
    """Read a fighter that the user may see. Two queries for a `known` one, otherwise also those of the access check. Raises Http404."""
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) < 12):
        raise Http404(_("No such fighter."))
    row = next((each for each in known if each.pk == int(wanted)), None) or access.fighter_for(user, wanted, to="read")
    force = force_of(row.warband)
    found = next((fighter for fighter in force.fighters if fighter.key == str(row.pk)), None)
    if found is None:
        raise Http404(_("This fighter is on the roster no longer."))
    terms = row.warband.terms
    called = terms.game.profile_name(terms.content, found.profile, found.state)
    return PickedFighter(force, str(row.pk), row.name, called, terms)


def _foe(user: Any, terms: Terms, wanted: str, known: Iterable[Fighter]) -> PickedFighter:
    """Return the target: a fighter that the user may see, or the edition's profile for "list.profile". Raises Http404."""
    if "." not in wanted:
        found = fighter_picked(user, wanted, known)
        if found.terms is None or (found.terms.system, found.terms.edition) != (terms.system, terms.edition):
            raise Http404(_("This fighter plays by another edition."))
        return found
    list_id, __, profile = wanted.partition(".")
    try:
        if terms.game.attacks is None:
            raise KeyError(profile)
        force = terms.game.attacks.bare_force(terms.content, profile, list_id)
    except KeyError:
        raise Http404(_("No such profile.")) from None
    name = terms.game.profile_name(terms.content, profile, force.fighters[0].state)
    return PickedFighter(force, force.fighters[0].key, name, name, None)


MAX_OPPONENTS = 6


def opponents_of(user: Any, terms: Terms) -> list[Fighter]:
    """Read opposing fighters in battles ahead, if the user may see the roster. Five queries at most, one if no battle is ahead."""
    mine = Side.objects.live().filter(seat__user=user, battle__status__in=AHEAD, battle__is_undone=False)
    ahead = list(mine.order_by("-battle").values_list("battle", flat=True)[:MAX_OPPONENTS])
    if not ahead:
        return []
    sides = (
        Side.objects.live()
        .filter(battle__in=ahead, warband__terms__system=terms.system, warband__terms__edition=terms.edition)
        .exclude(seat__user=user)
        .select_related("warband__terms", "warband__owner")
        .order_by("-battle_id", "place")[:MAX_OPPONENTS]
    )
    opponents = {side.warband_id: side.warband for side in sides if side.warband is not None}
    open_to = set(warbands_read(user, [pk for pk in opponents if pk is not None]))
    open_to |= {pk for pk, warband in opponents.items() if warband.owner_id == user.pk}
    if closed := opponents.keys() - open_to:
        open_to |= set(
            Delegate.objects.live().filter(user=user, warband__in=closed).values_list("warband_id", flat=True)
        )
    return _fighters(warband for pk, warband in opponents.items() if pk in open_to)


def _profiles(terms: Terms) -> tuple[OddsGroup, ...]:
    if terms.game.attacks is None:
        return ()
    return tuple(
        OddsGroup(words, tuple(SelectOption(value, name, False) for value, name in entries))
        for words, entries in terms.game.attacks.profiles_by_list(terms.content)
    )


def grouped(rows: Iterable[Fighter], wanted: str) -> tuple[OddsGroup, ...]:
    found: dict[int, tuple[str, list[SelectOption]]] = {}
    for row in rows:
        _, picks = found.setdefault(row.warband_id, (row.warband.name, []))
        picks.append(SelectOption(str(row.pk), row.name, str(row.pk) == wanted))
    return tuple(OddsGroup(words, tuple(picks)) for words, picks in found.values())


def _chosen(groups: Iterable[OddsGroup], wanted: str) -> tuple[OddsGroup, ...]:
    return tuple(
        OddsGroup(
            group.words, tuple(SelectOption(pick.value, pick.words, pick.value == wanted) for pick in group.picks)
        )
        for group in groups
    )


def knows_odds(game: Game) -> bool:
    """Return whether a game works out attacks of fighters, or of units, before they are made."""
    return game.attacks is not None or game.unit_attacks is not None
