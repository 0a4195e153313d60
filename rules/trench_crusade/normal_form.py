"""The pack in normal form, as the console prints it: every figure, sorted and identical on every run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from rules import vocabulary as v
from rules.content.compiled import Content, patrons_of
from rules.content.schema import ItemEntry, ItemOffer, ProfileEntry, ProfileOffer, UpgradeOffer
from rules.eligibility import holder_words
from rules.price import Price
from rules.trench_crusade.scenarios import RANDOM


def _price(price: Price) -> dict[str, int]:
    return {"ducats": price.ducats, "glory": price.glory}


def _named(entry: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"id": entry.id, "name": entry.name}
    if getattr(entry, "short", ""):
        found["short"] = entry.short
    return found


def _marked(entry: Any, found: dict[str, Any]) -> dict[str, Any]:
    if getattr(entry, "third_party", False):
        found["third_party"] = True
    return found


def normal_form(content: Content) -> dict[str, Any]:
    """Return the whole pack. House rules do not affect it, and third-party entries are always included."""
    pack = content.pack
    hires, shop = _by("profile", pack.profile_offers), _by("item", pack.item_offers)
    upgrades = _by("upgrade", pack.upgrade_offers)
    return {
        "game": pack.game,
        "edition": pack.edition,
        "factions": _factions(content),
        "profiles": [_profile(content, profile, hires.get(profile.id, ())) for profile in _sorted(pack.profiles)],
        "kit": [_item(content, item, shop.get(item.id, ())) for item in _sorted(pack.items)],
        "upgrades": [
            _marked(
                upgrade,
                {
                    **_named(upgrade),
                    "offers": _offers(
                        content, upgrades.get(upgrade.id, ()), lambda entry: _upgrade_offer(content, entry)
                    ),
                },
            )
            for upgrade in _sorted(pack.upgrades)
        ],
        "skills": _skills(content),
        "traumas": [
            {"rolls": [n for n in range(t.first, t.last + 1) if 1 <= n % 10 <= 6], "name": t.name, "scar": t.scar}
            for t in sorted(pack.traumas, key=lambda t: (t.first, t.id))
        ],
        "locations": [
            {"rarity": x.rarity, "score": x.score, "name": x.name}
            for x in sorted(
                pack.locations, key=lambda x: (("common", "rare", "legendary").index(x.rarity), x.score, x.id)
            )
        ],
        "patrons": [
            {
                "name": patron.name,
                "factions": sorted(army.name for army in pack.lists if patron.id in patrons_of(content, army)),
                "skills": [content.name("skill", skill) for skill in patron.skills],
            }
            for patron in _sorted(pack.patrons)
        ],
        "deeds": _deeds(content),
        "scenarios": [{"name": x.name, "described": x.described} for x in _sorted(pack.scenarios)],
        "keywords": [{"name": x.name, "summary": x.words} for x in _sorted(pack.keywords)],
    }


def _sorted(entries: Iterable[Any]) -> list[Any]:
    return sorted(entries, key=lambda entry: str(entry.id))


def _by(attribute: str, entries: Iterable[Any]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for entry in entries:
        found.setdefault(getattr(entry, attribute), []).append(entry)
    return found


def _factions(content: Content) -> list[dict[str, Any]]:
    armies = _sorted(content.pack.lists)
    variants = _by("faction", armies)
    return [
        _marked(
            army,
            {**_named(army), "variants": [_marked(one, _named(one)) for one in variants.get(army.id, ())]},
        )
        for army in armies
        if not army.faction
    ]


def _offers(
    content: Content, entries: Iterable[Any], describe: Callable[[Any], dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return one row for each list that an entry is open to."""
    rows = []
    armies = {army.id: army for army in content.pack.lists}
    for entry in entries:
        for army in (armies[list_id] for list_id in entry.lists if list_id in armies):
            faction, variant = army.faction or army.id, army.id if army.faction else None
            row = {"faction": faction, "variant": variant, "price": _price(entry.price), **describe(entry)}
            if entry.third_party or army.third_party:
                row["third_party"] = True
            rows.append((faction, variant is not None, variant or "", entry.id, row))
    return [row for *_, row in sorted(rows, key=lambda row: row[:4])]


def _profile(content: Content, profile: ProfileEntry, offers: Iterable[Any]) -> dict[str, Any]:
    row = {
        **_named(profile),
        "role": profile.role,
        "statline": _statline(profile),
        **_printed_armour(content, profile),
        "keywords": [content.keyword(keyword) for keyword in profile.keywords],
        "abilities": [content.name("ability", ability) for ability in profile.abilities],
        "offers": _offers(
            content, offers, lambda entry: {"least": entry.least, "most": entry.most, "leader": entry.leader}
        ),
    }
    return _marked(profile, row)


def _item(content: Content, item: ItemEntry, offers: Iterable[Any]) -> dict[str, Any]:
    row = {
        **_named(item),
        "category": item.category,
        "range_inches": item.range_inches,
        "hands": {"ranged": item.hands.ranged, "melee": item.hands.melee},
        "keywords": [content.keyword(keyword) for keyword in item.keywords],
        **({"stipulations": list(item.stipulations)} if item.stipulations else {}),
        "offers": _offers(content, offers, lambda entry: _kit_offer(content, entry)),
    }
    return _marked(item, row)


def _kit_offer(content: Content, entry: ItemOffer) -> dict[str, Any]:
    row: dict[str, Any] = {
        "limit": entry.limit,
        "who": holder_words(entry.who, content, entry.who_words),
        "exploration_only": entry.exploration_only,
    }
    if entry.hands is not None:
        row["hands"] = {"ranged": entry.hands.ranged, "melee": entry.hands.melee}
    return row


def _upgrade_offer(content: Content, entry: UpgradeOffer) -> dict[str, Any]:
    row: dict[str, Any] = {"profiles": _profiles(content, entry), "limit": entry.limit}
    if not row["profiles"] or any(t.keyword or t.lacks_keyword or t.role for t in entry.who.only_for):
        row["who"] = holder_words(entry.who, content)
    if entry.rule:
        row["rule"] = content.name("rule", entry.rule)
    if entry.name:
        row["name"] = entry.name
    if entry.leads:
        row["leads"] = True
    if entry.opened:
        row["opened"] = True
    return row


def _skills(content: Content) -> list[dict[str, Any]]:
    """Return the rows of the skill tables, then the exploration skills, which are granted and never rolled for."""
    rolled = [
        {
            "table": table.name,
            "roll": row.roll,
            "name": content.name("skill", row.skill) if row.skill else "Patron Skill",
        }
        for table in _sorted(content.pack.skill_tables)
        for row in sorted(table.rows, key=lambda row: row.roll)
    ]
    granted = [skill for skill in _sorted(content.pack.skills) if skill.kind == "exploration"]
    return [*rolled, *({"table": "Exploration Skills", "roll": None, "name": skill.name} for skill in granted)]


def _statline(profile: ProfileEntry) -> dict[str, Any]:
    line = profile.statline
    return {
        "movement_inches": line.movement_inches,
        "movement": line.movement,
        "ranged": line.ranged,
        "melee": line.melee,
        "armour": line.armour,
        "base_mm": list(line.base_mm),
    }


def _printed_armour(content: Content, profile: ProfileEntry) -> dict[str, int]:
    """Return the armour that the book prints, if it includes what the fighter always wears and the statline does not."""
    worn = [
        effect.add
        for kit in profile.kit
        if kit.fixed
        for item in kit.items
        for effect in content.items[item].effects
        if isinstance(effect, v.StatEffect) and effect.stat == "armour"
    ]
    return {"armour_with_kit": profile.statline.armour + sum(worn)} if any(worn) else {}


def _is_hired_on(offer: ProfileOffer, lists: Iterable[str]) -> bool:
    """Return whether one of these lists has the profile of its own or with an item."""
    return offer.hired_as in ("own", "item") and not set(offer.lists).isdisjoint(lists)


def _passes_as_printed(content: Content, tested: Sequence[v.Trait], profile: ProfileEntry) -> bool:
    return not tested or any(_printed(content, trait, profile) for trait in tested)


def _profiles(content: Content, entry: UpgradeOffer) -> list[str]:
    """Return the profiles an upgrade entry is for.

    They are the profiles it names, else those of its lists that pass its holder test as printed.
    """
    named = {t.profile for t in entry.who.only_for if t.profile}
    tested = [t for t in entry.who.only_for if not t.profile]
    found = set(named)
    if tested or not entry.who.only_for:
        hired = (content.profiles[o.profile] for o in content.pack.profile_offers if _is_hired_on(o, entry.lists))
        found |= {profile.id for profile in hired if _passes_as_printed(content, tested, profile)}
    for trait in entry.who.not_for:
        found.discard(trait.profile)
        if trait.keyword or trait.role:
            found = {p for p in found if p in named or not _printed(content, trait, content.profiles[p])}
    return sorted(found)


def _printed(content: Content, trait: v.Trait, profile: ProfileEntry) -> bool:
    keywords = {content.keyword(keyword) for keyword in profile.keywords}
    if trait.keyword and content.keyword(trait.keyword) not in keywords:
        return False
    if trait.lacks_keyword and content.keyword(trait.lacks_keyword) in keywords:
        return False
    if trait.role and trait.role != profile.role:
        return False
    return bool(trait.keyword or trait.lacks_keyword or trait.role)


def _deeds(content: Content) -> list[dict[str, Any]]:
    rows = []
    for deed in content.pack.deeds:
        places = list(deed.scenarios) or [x.id for x in content.pack.scenarios if deed.id in x.deeds]
        for place in sorted(set(places) - {RANDOM}) or [""]:  # a deed drawn for a random scenario belongs to no place
            rows.append(
                {"name": deed.name, "scenario": content.name("scenario", place) if place else None, "glory": deed.glory}
            )
    return sorted(rows, key=lambda r: (r["scenario"] is not None, str(r["scenario"]), str(r["name"])))


def printed(content: Content) -> bytes:
    return msgspec.json.format(msgspec.json.encode(normal_form(content)), indent=1)
