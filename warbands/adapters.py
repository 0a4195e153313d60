"""Converts database rows to the values that the rules work with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db.models import Q

from rules.custom.profiles import CustomProfile
from rules.force import Battles, Force, ForceFighter, ForceItem
from rules.game import GameContent
from rules.price import Price
from warbands.models import Fighter, Item, Profile, Warband
from warbands.sharing_groups import members_of

PRESENT = (Fighter.Status.ACTIVE, Fighter.Status.CAPTIVE)


def force_of(
    warband: Warband,
    *,
    fighters: Iterable[Fighter] | None = None,
    items: Iterable[Item] | None = None,
    library: tuple[CustomProfile, ...] | None = None,
    gone: bool = False,
) -> Force:
    """Return the warband as a `Force`. Two queries, none if the rows are passed in; `warband.terms` should be loaded.

    In a game with profiles written by players, its library takes one more query, unless it is passed in. `gone` adds
    fighters that have left the roster (dead, dismissed ...), which do not count but can be shown.
    """
    terms = warband.terms
    content, game = terms.content, terms.game
    # Copied, as the states of its fighters are: an act changes its row in place, and no force may change.
    state = deepcopy(warband.state)
    if fighters is None:
        rows = Fighter.objects.live().filter(warband=warband)
        fighters = rows.exclude(status=Fighter.Status.RETURNED) if gone else rows.filter(status__in=PRESENT)
    if items is None:
        items = Item.objects.live().filter(at_work([warband]))
    kit: dict[int | None, list[ForceItem]] = {}
    lost = []
    for item in items:
        if item.status == Item.Status.LOST:
            lost.append(force_item(item))
        else:
            kit.setdefault(item.fighter_id, []).append(force_item(item))
    members = []
    for row in fighters:
        bare = ForceFighter(
            key=str(row.pk),
            name=row.name,
            profile=row.profile_id,
            offer=row.offer_id,
            paid=row.paid,
            count=row.count,
            status=row.status,  # type: ignore[arg-type]
            hired_as=row.hired_as,
            kit=tuple(kit.get(row.pk, ())),
        )
        members.append(game.state.read_state(content, bare, deepcopy(row.state)))
    bare_force = Force(
        game=terms.system,
        edition=terms.edition,
        list=warband.list_id,
        mode=warband.mode,  # type: ignore[arg-type]
        name=warband.name,
        patron=warband.patron,
        founding=warband.is_founding,
        budget=Price(ducats=warband.budget_ducats, glory=warband.budget_glory),
        strongbox=warband.strongbox,
        battles=Battles(),
        fighters=tuple(members),
        stash=tuple(kit.get(None, ())),
        lost=tuple(lost),
        state=state,
        library=libraries_of([warband])[warband.pk] if library is None else library,
    )
    return _kept(game.state.read_warband_state(content, bare_force, state))


@lru_cache(maxsize=64)
def _kept(force: Force) -> Force:
    """Return the earlier force that equals this one, if there was one: what the rules keep for it is then found at once."""
    return force


@dataclass(frozen=True, slots=True)
class RosterRead:
    """A force as it was read from the rows of a warband, with the version that the warband had before."""

    force: Force
    version: int
    content: GameContent

    def is_of(self, locked: Warband) -> bool:
        """Return whether the rows are still the same. Every act raises the version; profiles of players have none."""
        same = locked.version == self.version and locked.terms.content is self.content
        return same and locked.terms.game.profiles is None


def at_work(warbands: Iterable[Warband]) -> Q:
    """Return a filter for the items of these warbands that have an effect: held ones, and lost ones that still have one."""
    rows = tuple(warbands)
    stay: set[str] = set()
    for terms in {row.terms_id: row.terms for row in rows}.values():
        if terms.game.shop is not None:
            stay |= terms.game.shop.at_work_when_lost(terms.content)
    return Q(warband__in=rows) & (Q(status=Item.Status.HELD) | Q(status=Item.Status.LOST, item_id__in=stay))


def forces_of(warbands: Iterable[Warband], *, gone: bool = False) -> dict[int, Force]:
    """Return warbands as forces, by primary key. Two queries for any number, none for none.

    One more query if players of one of the games write their own profiles. The terms should be loaded.

    `gone` adds fighters that have left the roster, as in `force_of`.
    """
    rows = {warband.pk: warband for warband in warbands}
    if not rows:
        return {}
    fighters: dict[int, list[Fighter]] = {pk: [] for pk in rows}
    items: dict[int, list[Item]] = {pk: [] for pk in rows}
    wanted = Fighter.objects.live().filter(warband__in=rows)
    for fighter in wanted.exclude(status=Fighter.Status.RETURNED) if gone else wanted.filter(status__in=PRESENT):
        fighters[fighter.warband_id].append(fighter)
    for item in Item.objects.live().filter(at_work(rows.values())):
        items[item.warband_id].append(item)
    libraries = libraries_of(rows.values())
    return {
        pk: force_of(row, fighters=fighters[pk], items=items[pk], library=libraries[pk]) for pk, row in rows.items()
    }


def libraries_of(warbands: Iterable[Warband]) -> dict[int, tuple[CustomProfile, ...]]:
    """Return the profiles that each warband may use, by primary key: its owner's, those shared in its terms, the game's.

    Shared profiles are for current members of the group; former members keep their units but cannot use the profiles
    any more. One query, two if a profile is shared; none for games whose books contain all profiles, which have no
    library.
    """
    rows = list(warbands)
    found: dict[int, tuple[CustomProfile, ...]] = {row.pk: () for row in rows}
    custom = [row for row in rows if row.terms.game.profiles is not None]
    if not custom:
        return found
    terms = {row.terms_id for row in custom}
    wanted = Profile.objects.kept().filter(Q(owner__in={row.owner_id for row in custom} - {None}) | Q(terms__in=terms))
    systems = {row.terms.system for row in custom}
    profiles = list(wanted.filter(system__in=systems).select_related("owner").order_by("name", "pk"))
    members = members_of(profile.terms_id for profile in profiles if profile.terms_id in terms)
    complete: dict[int, Mapping[str, Any]] = {}  # data of each profile, with defaults for fields that it lacks
    for row in custom:
        found[row.pk] = _library_of(row, profiles, members, complete)
    return found


def _library_of(
    warband: Warband,
    profiles: Iterable[Profile],
    members: Collection[tuple[int, int]],
    complete: dict[int, Mapping[str, Any]],
) -> tuple[CustomProfile, ...]:
    terms, rules = warband.terms, warband.terms.game.profiles
    assert rules is not None
    content = terms.content
    kinds = {kind.id for kind in rules.profile_kinds(content)}
    mine = []
    for profile in profiles:
        fits = profile.kind in kinds and (profile.system, profile.edition) == (terms.system, terms.edition)
        if fits and _may_take(warband, profile, members):
            if profile.pk not in complete:
                complete[profile.pk] = rules.read_profile(content, profile.kind, profile.data)[0]
            mine.append(written_profile(profile, reader=warband.owner_id, data=complete[profile.pk]))
    return (*mine, *rules.default_profiles(content))


def _may_take(warband: Warband, profile: Profile, members: Collection[tuple[int, int]]) -> bool:
    """Return whether the warband's owner wrote this profile of its game, or is a member of the group that shares it.

    An unclaimed warband may use every profile shared in its terms.
    """
    if _same(profile.owner_id, warband.owner_id):
        return True
    is_member = not warband.owner_id or (warband.terms_id, warband.owner_id) in members
    return is_member and _same(profile.terms_id, warband.terms_id)


def _same(one: int | None, other: int | None) -> bool:
    return one is not None and one == other


def written_profile(
    profile: Profile, *, reader: int | None = None, data: Mapping[str, Any] | None = None
) -> CustomProfile:
    """Return a row as the rules see it. Its origin is "own" if `reader` owns it, else "shared".

    The owner should be loaded.
    """
    own = _same(profile.owner_id, reader)
    return CustomProfile(
        id=profile.ident,
        kind=profile.kind,
        name=profile.name,
        data=profile.data if data is None else data,
        origin="own" if own else "shared",
        version=profile.version,
        by="" if own or profile.owner is None else str(profile.owner),
    )


def force_item(item: Item) -> ForceItem:
    return ForceItem(
        key=str(item.pk),
        item=item.item_id,
        origin=item.origin,  # type: ignore[arg-type]
        offer=item.offer_id,
        paid=item.paid,
        choices=dict(item.state),
    )
