"""Rows of the database as the values that the rules judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from django.db.models import Q

from rules.custom.profiles import CustomProfile
from rules.force import Battles, Force, ForceFighter, ForceItem
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
    """The warband as a `Force`. Runs two queries, or none where the rows are given; `warband.terms` should be loaded.

    Where players write their own profiles, the library that the force may take from is one query more, unless it is given.
    `gone` adds fighters that have left the roster (dead, dismissed ...), which count for nothing but can be shown.
    """
    terms = warband.terms
    content, game = terms.content, terms.game
    state = deepcopy(warband.state)  # an act changes its own row in place; a force that was read before stays as it was
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
            paid=Price(ducats=row.paid_ducats, glory=row.paid_glory),
            count=row.count,
            status=row.status,  # type: ignore[arg-type]
            hired_as=row.hired_as,
            kit=tuple(kit.get(row.pk, ())),
            state=row.state,
        )
        members.append(game.state.read_state(content, bare, row.state))
    bare_force = Force(
        game=terms.system,
        edition=terms.edition,
        list=warband.list_id,
        mode=warband.mode,  # type: ignore[arg-type]
        name=warband.name,
        patron=warband.patron,
        founding=warband.is_founding,
        budget=Price(ducats=warband.budget_ducats, glory=warband.budget_glory),
        strongbox=Price(ducats=warband.strongbox_ducats, glory=warband.strongbox_glory),
        battles=Battles(),
        fighters=tuple(members),
        stash=tuple(kit.get(None, ())),
        lost=tuple(lost),
        state=state,
        library=libraries_of([warband])[warband.pk] if library is None else library,
    )
    return game.state.read_warband_state(content, bare_force, state)


def at_work(warbands: Iterable[Warband]) -> Q:
    """The items of these warbands that the rules look at: those held, and those lost that are at work still."""
    rows = tuple(warbands)
    stay: set[str] = set()
    for terms in {row.terms_id: row.terms for row in rows}.values():
        if terms.game.shop is not None:
            stay |= terms.game.shop.at_work_when_lost(terms.content)
    return Q(warband__in=rows) & (Q(status=Item.Status.HELD) | Q(status=Item.Status.LOST, item_id__in=stay))


def forces_of(warbands: Iterable[Warband], *, gone: bool = False) -> dict[int, Force]:
    """Warbands as forces, by primary key. Two queries, however many there are, none for none; their terms should be loaded.

    One more where players of one of the games write their own profiles.

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
    """What each of these warbands may take, by its primary key: its owner's own profiles, those shared in its terms, the game's own.

    What is shared is for those who are in that circle still: whoever left keeps units, and takes no more. One query, two where
    something is shared; none for games whose books hold every profile, which have no library at all.
    """
    rows = list(warbands)
    written = [row for row in rows if row.terms.game.profiles is not None]
    found: dict[int, tuple[CustomProfile, ...]] = {row.pk: () for row in rows}
    if not written:
        return found
    owners = {row.owner_id for row in written if row.owner_id}
    terms = {row.terms_id for row in written if row.terms_id}
    wanted = Profile.objects.kept().filter(Q(owner__in=owners) | Q(terms__in=terms)).select_related("owner")
    profiles = list(wanted.filter(system__in={row.terms.system for row in written}).order_by("name", "pk"))
    members = members_of(profile.terms_id for profile in profiles if profile.terms_id in terms)
    read: dict[int, Mapping[str, Any]] = {}  # each once, with fields filled in that it was kept without
    for row in written:
        game, content = row.terms.game, row.terms.content
        assert game.profiles is not None
        kinds = {kind.id for kind in game.profiles.profile_kinds(content)}
        mine = []
        for profile in profiles:
            if (profile.system, profile.edition) != (row.terms.system, row.terms.edition) or profile.kind not in kinds:
                continue
            shared = _same(profile.terms_id, row.terms_id) and (
                not row.owner_id or (row.terms_id, row.owner_id) in members
            )
            if shared or _same(profile.owner_id, row.owner_id):
                if profile.pk not in read:
                    read[profile.pk] = game.profiles.read_profile(content, profile.kind, profile.data)[0]
                mine.append(written_profile(profile, reader=row.owner_id, data=read[profile.pk]))
        found[row.pk] = (*mine, *game.profiles.default_profiles(content))
    return found


def _same(one: int | None, other: int | None) -> bool:
    return one is not None and one == other


def written_profile(
    profile: Profile, *, reader: int | None = None, data: Mapping[str, Any] | None = None
) -> CustomProfile:
    """A row as the rules see it; `reader` is the person whose own profiles are told from shared ones. The owner should be loaded."""
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
    """One owned piece as the rules see it."""
    return ForceItem(
        key=str(item.pk),
        item=item.item_id,
        origin=item.origin,  # type: ignore[arg-type]
        offer=item.offer_id,
        paid=Price(ducats=item.paid_ducats, glory=item.paid_glory),
        choices=dict(item.state),
    )
