"""Copies a whole warband inside a running act: everybody on its roster and who left it, kit, promises and choices.

The copy starts a ledger and a history of its own and names the warband that it carries on. That one is not changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rules.price import Price
from warbands.adapters import force_of
from warbands.models import Fighter, Item, Promise, Terms, Warband
from warbands.recorder import Recorder


@dataclass(frozen=True, slots=True)
class WarbandCopy:
    """A copy, and its fighters by the keys of those they were copied from."""

    warband: Warband
    fighters: Mapping[int, Fighter]


def copy_warband(
    act: Recorder, old: Warband, *, terms: Terms, keeps: Price, without: tuple[str, ...] = ()
) -> WarbandCopy:
    """Copy a warband with its owner. `keeps` is its strongbox from now on.

    `without` are leaves of the warband's state that start from their default. Seven queries, and two for each choice
    that names a fighter or an item.
    """
    game, content = old.terms.game, old.terms.content
    state = {key: deepcopy(value) for key, value in old.state.items() if key not in without}
    new: Warband = act.create(
        Warband(
            owner_id=old.owner_id,
            name=old.name,
            terms=terms,
            list_id=old.list_id,
            patron=old.patron,
            mode=old.mode,
            status=old.status,
            state=game.state.warband_state(content, state),
            budget_ducats=old.budget_ducats,
            budget_glory=old.budget_glory,
            notes=old.notes,
            lends_rights=old.lends_rights,
            copied_from=old,
        )
    )
    act.move_money(new, keeps.ducats, keeps.glory, _("Carried over"))
    fighters = _copy_fighters(act, old, new)
    items = _copy_items(act, old, new, fighters)
    _link_choices(act, old, new, fighters, items)
    act.create_all(
        [
            Promise(
                warband=new, kind=each.kind, words=each.words, expires=each.expires, data=_moved(each.data, fighters)
            )
            for each in Promise.objects.live().filter(warband=old, status=Promise.Status.OPEN)
        ]
    )
    return WarbandCopy(new, fighters)


def _copy_fighters(act: Recorder, old: Warband, new: Warband) -> dict[int, Fighter]:
    kept = Fighter.objects.live().filter(warband=old).exclude(status=Fighter.Status.RETURNED)
    rows = list(kept.order_by("position", "pk"))
    made: dict[int, Fighter] = {}
    left = rows
    while left:  # those under another row follow it, so that they can name it
        ready = [row for row in left if row.parent_id is None or row.parent_id in made] or left
        copies = act.create_all([_fighter(row, new, made) for row in ready])
        for row, copy in zip(ready, copies, strict=True):
            made[row.pk] = copy
        left = [row for row in left if row.pk not in made]
    for row in rows:
        made[row.pk].joined_at = row.joined_at
    Fighter.objects.bulk_update(made.values(), ["joined_at"])  # the field has auto_now_add
    return made


def _fighter(row: Fighter, new: Warband, made: Mapping[int, Fighter]) -> Fighter:
    return Fighter(
        warband=new,
        parent=made.get(row.parent_id) if row.parent_id is not None else None,
        profile_id=row.profile_id,
        offer_id=row.offer_id,
        hired_as=row.hired_as,
        name=row.name,
        count=row.count,
        status=row.status,
        position=row.position,
        paid_ducats=row.paid_ducats,
        paid_glory=row.paid_glory,
        state=deepcopy(row.state),
        notes=row.notes,
        left_at=row.left_at,
        left_reason=row.left_reason,
    )


def _copy_items(act: Recorder, old: Warband, new: Warband, fighters: Mapping[int, Fighter]) -> dict[int, Item]:
    """Copy what is held, and what is lost: some of it still has an effect."""
    held = (Item.Status.HELD, Item.Status.LOST)
    rows = list(Item.objects.live().filter(warband=old, status__in=held).order_by("position", "pk"))
    copies = act.create_all(
        [
            Item(
                warband=new,
                fighter=fighters[row.fighter_id] if row.fighter_id is not None else None,
                item_id=row.item_id,
                offer_id=row.offer_id,
                origin=row.origin,
                status=row.status,
                paid_ducats=row.paid_ducats,
                paid_glory=row.paid_glory,
                state=deepcopy(row.state),
                position=row.position,
                why=row.why,
            )
            for row in rows
        ]
    )
    return {row.pk: copy for row, copy in zip(rows, copies, strict=True)}


def _link_choices(
    act: Recorder, old: Warband, new: Warband, fighters: Mapping[int, Fighter], items: Mapping[int, Item]
) -> None:
    """Let choices name the copies in place of the rows that they were copied from."""
    game, content = old.terms.game, old.terms.content
    before = force_of(old, gone=True)
    after = game.state.rekeyed(
        content,
        before,
        {str(key): str(row.pk) for key, row in fighters.items()},
        {str(key): str(row.pk) for key, row in items.items()},
    )
    _set_leaves(act, new, *(game.state.write_warband_state(content, force) for force in (before, after)))
    for one, other in zip(before.fighters, after.fighters, strict=True):
        if one != other:
            _set_leaves(act, fighters[int(one.key)], *(game.state.write_state(content, each) for each in (one, other)))
        for piece, moved in zip(one.kit, other.kit, strict=True):
            _set_leaves(act, items[int(piece.key)], piece.choices, moved.choices)
    for piece, moved in zip(before.stash, after.stash, strict=True):
        _set_leaves(act, items[int(piece.key)], piece.choices, moved.choices)


def _set_leaves(act: Recorder, row: Any, before: Any, after: Any, path: tuple[str, ...] = ()) -> None:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in after:
            _set_leaves(act, row, before.get(name), after[name], (*path, name))
    elif before != after:
        act.set_leaf(row, path, after)


def _moved(data: Mapping[str, Any], fighters: Mapping[int, Fighter]) -> dict[str, Any]:
    """Return a promise's data in which the fighter that it names is the copy."""
    key = str(data.get("fighter", ""))
    if key.isdecimal() and int(key) in fighters:
        return {**data, "fighter": str(fighters[int(key)].pk)}
    return deepcopy(dict(data))
