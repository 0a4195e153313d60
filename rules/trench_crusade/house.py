"""Validation of Trench Crusade house rules before they are saved: which entries they name, and which errors they
contain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.content.compiled import Content
from rules.content.extra import faults_of
from rules.content.house import SETTINGS, read_house_rules
from rules.content.names import plain
from rules.force import Force
from rules.translation import gettext as _
from rules.trench_crusade.content import content_of

KINDS = ("item", "profile", "upgrade", "list")
MOST_NAMED = 200  # maximum number of entries of one setting
MOST_NUMBER = 9999


def _out_of_range(key: str, numbers: Mapping[Any, int]) -> tuple[str, ...]:
    return tuple(
        _("{label}: {name} is {n}, but needs a number from 0 to {most_number}.").format(
            label=_label(key), name=str(name)[:60], n=str(n)[:20], most_number=MOST_NUMBER
        )
        for name, n in numbers.items()
        if not 0 <= n <= MOST_NUMBER
    )


def faults(edition: str, house_rules: Mapping[str, Any], overlays: Sequence[str] = ()) -> Mapping[str, tuple[str, ...]]:
    """Return the errors in house rules, by setting; each sentence names the field.

    Raises Refusal for unreadable house rules.
    """
    found: dict[str, tuple[str, ...]] = {}
    plain_pack = content_of(edition, overlays).pack
    extra = house_rules.get("extra")
    if isinstance(extra, str) and extra.strip():
        wrong = faults_of(plain_pack, extra)
        if wrong:
            return {"extra": wrong}
    read = read_house_rules(house_rules)
    content = content_of(edition, overlays, house_rules)
    for key, ids in (
        ("banned", read.banned),
        ("allowed", read.allowed),
        ("limits", read.limits),
        ("prices", read.prices),
    ):
        wrong = tuple(_unknown(content, key, ids))
        if len(ids) > MOST_NAMED:
            wrong = (
                _("{label}: {count} are named; {most_named} fit.").format(
                    label=_label(key), count=len(ids), most_named=MOST_NAMED
                ),
                *wrong,
            )
        if wrong:
            found[key] = wrong
    for key, numbers in (
        ("limits", read.limits),
        ("thresholds", read.thresholds),
        ("field_strengths", read.field_strengths),
    ):
        if out := _out_of_range(key, numbers):
            found[key] = (*found.get(key, ()), *out)
    shut = [x for x in read.allowed if not _is_third_party(content, x)]
    if shut and "allowed" not in found:
        found["allowed"] = tuple(
            _("{label}: {name} isn't from a third party, so it is allowed already.").format(
                label=_label("allowed"), name=target_name(content, x)
            )
            for x in sorted(shut)
        )
    return found


def _label(key: str) -> str:
    return next(setting.label for setting in SETTINGS if setting.key == key)


def _unknown(content: Content, key: str, ids: Iterable[str]) -> Iterable[str]:
    for id_ in sorted(ids):
        if not _known(content, id_):
            yield _("{label}: “{id}” isn't in the rules of this edition.").format(label=_label(key), id=id_[:60])


def _known(content: Content, id_: str) -> bool:
    return any(
        id_ in table
        for table in (
            content.lists,
            content.profiles,
            content.items,
            content.upgrades,
            content.profile_offers,
            content.item_offers,
            content.upgrade_offers,
        )
    )


def _is_third_party(content: Content, id_: str) -> bool:
    if id_ in content.lists:
        return content.lists[id_].army.third_party
    offers: tuple[Any, ...] = (*content.pack.profile_offers, *content.pack.item_offers, *content.pack.upgrade_offers)
    return any(o.third_party and id_ in (o.id, _of(o)) for o in offers)


def _of(offer: Any) -> str:
    return str(getattr(offer, "item", "") or getattr(offer, "profile", "") or getattr(offer, "upgrade", ""))


def target(content: Content, text: str) -> str:
    """Return the id that a house rule means, or "" if nothing has this name.

    It may be an entry, a list, or an offer ("New Antioch: Bayonet", or its id).
    """
    text = text.strip()
    if _known(content, text):
        return text
    where, colon, what = text.partition(":")
    if colon:
        list_id = content.resolve("list", where)
        if isinstance(list_id, str):
            return _offer_of(content, list_id, what)
        return ""
    for kind in KINDS:
        found = content.names.get(kind, {}).get(plain(text))
        if found:
            return found
    return ""


def _offer_of(content: Content, list_id: str, what: str) -> str:
    for kind, offers in (
        ("item", content.pack.item_offers),
        ("profile", content.pack.profile_offers),
        ("upgrade", content.pack.upgrade_offers),
    ):
        found = content.resolve(kind, what.strip(), list_id)
        if isinstance(found, str):
            mine = [o.id for o in offers if list_id in o.lists and _of(o) == found]
            if mine:
                return mine[0]
    return ""


def target_name(content: Content, id_: str) -> str:
    """Return a label for the target of a house rule that `target` can resolve.

    It is the target's name if that is enough, else its id.
    """
    for kind in KINDS:
        if id_ in content.display.get(kind, {}):
            name = content.name(kind, id_)
            return name if target(content, name) == id_ else id_
    for offers in (content.item_offers, content.profile_offers, content.upgrade_offers):
        offer: Any = offers.get(id_)
        if offer is not None and offer.lists and offer.lists[0] in content.lists:
            kind = next(k for k in ("item", "profile", "upgrade") if hasattr(offer, k))
            called = f"{content.lists[offer.lists[0]].army.name}: {content.name(kind, getattr(offer, kind))}"
            return called if target(content, called) == id_ else id_
    return id_


def unknown(content: Content, force: Force) -> tuple[str, ...]:
    """Return what a force holds that this content does not know.

    The result has ids of profiles, items, upgrades and skills, each once.
    """
    held = [("profiles", f.profile) for f in force.fighters]
    pieces = [*force.stash, *force.lost, *(i for f in force.fighters for i in f.kit)]
    held += [("items", piece.item) for piece in pieces]
    held += [("upgrades", u.upgrade) for f in force.fighters for u in f.upgrades]
    held += [("skills", k.skill) for f in force.fighters for k in f.skills]
    return tuple(dict.fromkeys(id_ for table, id_ in held if id_ and id_ not in getattr(content, table)))
