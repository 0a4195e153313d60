"""The pack in normal form: what the console prints, figure for figure, sorted and the same on every run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from rules import vocabulary as v
from rules.content.compiled import Content, patrons_of
from rules.content.schema import ArmyList, ProfileEntry, UpgradeOffer
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
    """The whole pack: house rules play no part in it, third-party entries are always there."""
    pack = content.pack
    lists: Mapping[str, ArmyList] = {army.id: army for army in pack.lists}

    def places(ids: Iterable[str]) -> list[tuple[str, str | None, bool]]:
        """Each list an entry is open to, as (faction, variant or None, third-party)."""
        found = []
        for list_id in ids:
            army = lists.get(list_id)
            if army is not None:
                found.append((army.faction or army.id, army.id if army.faction else None, army.third_party))
        return sorted(found, key=lambda place: (place[0], place[1] is not None, place[1] or ""))

    def offers(entries: Iterable[Any], tell: Callable[[Any], dict[str, Any]]) -> list[dict[str, Any]]:
        rows = []
        for entry in entries:
            for faction, variant, third_party in places(entry.lists):
                row = {"faction": faction, "variant": variant, "price": _price(entry.price), **tell(entry)}
                if entry.third_party or third_party:
                    row["third_party"] = True
                rows.append((faction, variant is not None, variant or "", entry.id, row))
        return [row for *_, row in sorted(rows, key=lambda r: r[:4])]

    def by(attribute: str, entries: Iterable[Any]) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        for entry in entries:
            found.setdefault(getattr(entry, attribute), []).append(entry)
        return found

    hires, shop, upgrades = (
        by("profile", pack.profile_offers),
        by("item", pack.item_offers),
        by("upgrade", pack.upgrade_offers),
    )

    def kit_offer(entry: Any) -> dict[str, Any]:
        row = {
            "limit": entry.limit,
            "who": holder_words(entry.who, content, entry.who_words),
            "exploration_only": entry.exploration_only,
        }
        if entry.hands is not None:
            row["hands"] = {"ranged": entry.hands.ranged, "melee": entry.hands.melee}
        return row

    def upgrade_offer(entry: UpgradeOffer) -> dict[str, Any]:
        row: dict[str, Any] = {"profiles": _profiles(content, entry), "limit": entry.limit}
        if not row["profiles"] or any(t.keyword or t.lacks_keyword or t.role for t in entry.who.only_for):
            row["who"] = holder_words(entry.who, content)
        if entry.rule:
            row["rule"] = content.name("rule", entry.rule)
        if entry.name:
            row["name"] = entry.name
        return row

    factions = []
    for army in sorted(pack.lists, key=lambda a: a.id):
        if army.faction:
            continue
        variants = [_marked(x, _named(x)) for x in sorted(pack.lists, key=lambda a: a.id) if x.faction == army.id]
        factions.append(_marked(army, {**_named(army), "variants": variants}))
    return {
        "game": pack.game,
        "edition": pack.edition,
        "factions": factions,
        "profiles": [
            _marked(p, {
                **_named(p),
                "role": p.role,
                "statline": _statline(p),
                **_printed_armour(content, p),
                "keywords": [content.keyword(k) for k in p.keywords],
                "abilities": [content.name("ability", a) for a in p.abilities],
                "offers": offers(
                    hires.get(p.id, ()),
                    lambda e: {"least": e.least, "most": e.most, "leader": e.leader},
                ),
            })
            for p in sorted(pack.profiles, key=lambda p: p.id)
        ],
        "kit": [
            _marked(i, {
                **_named(i),
                "category": i.category,
                "range_inches": i.range_inches,
                "hands": {"ranged": i.hands.ranged, "melee": i.hands.melee},
                "keywords": [content.keyword(k) for k in i.keywords],
                **({"stipulations": list(i.stipulations)} if i.stipulations else {}),
                "offers": offers(shop.get(i.id, ()), kit_offer),
            })
            for i in sorted(pack.items, key=lambda i: i.id)
        ],
        "upgrades": [
            _marked(u, {**_named(u), "offers": offers(upgrades.get(u.id, ()), upgrade_offer)})
            for u in sorted(pack.upgrades, key=lambda u: u.id)
        ],
        "skills": [
            {"table": table.name, "roll": row.roll, "name": content.name("skill", row.skill) if row.skill else "Patron Skill"}
            for table in sorted(pack.skill_tables, key=lambda t: t.id)
            for row in sorted(table.rows, key=lambda r: r.roll)
        ]
        + [
            {"table": "Exploration Skills", "roll": None, "name": skill.name}  # granted, never rolled for
            for skill in sorted(pack.skills, key=lambda k: k.id)
            if skill.kind == "exploration"
        ],
        "traumas": [
            {"rolls": [n for n in range(t.first, t.last + 1) if 1 <= n % 10 <= 6], "name": t.name, "scar": t.scar}
            for t in sorted(pack.traumas, key=lambda t: (t.first, t.id))
        ],
        "locations": [
            {"rarity": x.rarity, "score": x.score, "name": x.name}
            for x in sorted(pack.locations, key=lambda x: (("common", "rare", "legendary").index(x.rarity), x.score, x.id))
        ],
        "patrons": [
            {
                "name": p.name,
                "factions": sorted(a.name for a in pack.lists if p.id in patrons_of(content, a)),
                "skills": [content.name("skill", k) for k in p.skills],
            }
            for p in sorted(pack.patrons, key=lambda p: p.id)
        ],
        "deeds": _deeds(content),
        "scenarios": [{"name": x.name, "described": x.described} for x in sorted(pack.scenarios, key=lambda x: x.id)],
        "keywords": [{"name": k.name, "summary": k.summary} for k in sorted(pack.keywords, key=lambda k: k.id)],
    }  # fmt: skip


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
    """The armour the book prints, where it counts what the fighter always wears and the statline does not."""
    worn = [
        effect.add
        for kit in profile.kit
        if kit.fixed
        for item in kit.items
        for effect in content.items[item].effects
        if isinstance(effect, v.StatEffect) and effect.stat == "armour"
    ]
    return {"armour_with_kit": profile.statline.armour + sum(worn)} if any(worn) else {}


def _profiles(content: Content, entry: UpgradeOffer) -> list[str]:
    """The profiles an upgrade entry is for: those named, else those of its lists that its holder test lets pass as printed."""
    named = [t.profile for t in entry.who.only_for if t.profile]
    tested = [t for t in entry.who.only_for if not t.profile]
    found = set(named)
    if tested or not entry.who.only_for:
        for offer in content.pack.profile_offers:
            if offer.hired_as not in ("own", "item") or not set(offer.lists) & set(entry.lists):
                continue
            profile = content.profiles[offer.profile]
            keywords = {content.keyword(k) for k in profile.keywords}
            if not tested or any(_printed(content, t, keywords, profile) for t in tested):
                found.add(profile.id)
    for trait in entry.who.not_for:
        found.discard(trait.profile)
        if trait.keyword or trait.role:
            found = {
                p
                for p in found
                if p in named
                or not _printed(
                    content, trait, {content.keyword(k) for k in content.profiles[p].keywords}, content.profiles[p]
                )
            }
    return sorted(found)


def _printed(content: Content, trait: v.Trait, keywords: set[str], profile: ProfileEntry) -> bool:
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
        for place in sorted(set(places) - {RANDOM}) or [""]:  # a deed drawn for a random scenario belongs to none
            rows.append(
                {"name": deed.name, "scenario": content.name("scenario", place) if place else None, "glory": deed.glory}
            )
    return sorted(rows, key=lambda r: (r["scenario"] is not None, str(r["scenario"]), str(r["name"])))


def printed(content: Content) -> bytes:
    """The normal form as one JSON object, UTF-8."""
    return msgspec.json.format(msgspec.json.encode(normal_form(content)), indent=1)
