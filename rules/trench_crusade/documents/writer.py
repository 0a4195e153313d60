"""The writer that turns a force into a roster document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.content.compiled import Content
from rules.fighters.frame import frame_of
from rules.fighters.work_out import facts
from rules.force import Force, ForceFighter, ForceItem, ForceSkill, ForceTrauma, ForceUpgrade
from rules.price import Price
from rules.trench_crusade.carried_effects import has_effect
from rules.trench_crusade.content import GAME
from rules.trench_crusade.rekey import as_written
from rules.vocabulary import DemotedEffect


def price_row(price: Price) -> dict[str, int]:
    return {"ducats": price.ducats, "glory": price.glory}


def _budget(force: Force) -> dict[str, Any] | None:
    """Return what the warband was founded with; once it has fought, its strongbox tells more."""
    return price_row(force.budget) if force.budget is not None and not force.battles.fought else None


def write_document(content: Content, force: Force) -> dict[str, Any]:
    """Return the roster document of a force, with the names from the books.

    Reading it yields the same force, apart from keys.
    """
    force = as_written(content, force)
    army = content.lists[force.list].army if force.list in content.lists else None
    faction = content.lists[force.list].faction if army else force.list
    document: dict[str, Any] = {
        "game": GAME,
        "edition": content.edition,
        "faction": content.name("list", faction),
        "variant": content.name("list", force.list) if army and army.faction else None,
        "name": force.name,
        "mode": force.mode,
        "scope": "roster",
        "founding": force.founding,
        "budget": _budget(force),
        "battles": {"fought": force.battles.fought, "credited": force.battles.credited},
        "force": None,
        "patron": content.name("patron", force.patron) if force.patron else None,
        "choices": dict(force.choices),
        "fighters": [_fighter(content, force, f) for f in force.fighters],
        "stash": [_item(content, i, force.list) for i in force.stash],
    }
    if force.lost:
        document["lost"] = [_item(content, i, force.list) for i in force.lost]
    if content.overlays:
        document["overlays"] = list(content.overlays)
    if content.house.third_party and _is_foreign(content, force):
        document["house_rules"] = {"third_party": True}
    campaign = _campaign_part(content, force)
    if campaign:
        document["campaign"] = campaign
    return document


def _is_foreign(content: Content, force: Force) -> bool:
    """Return whether the list or one of the profiles is from a third party."""
    army = content.lists[force.list].army if force.list in content.lists else None
    profiles = (content.profiles.get(fighter.profile) for fighter in force.fighters)
    return any(entry is not None and entry.third_party for entry in (army, *profiles))


def _campaign_part(content: Content, force: Force) -> dict[str, Any]:
    kept = {str(x.get("id")): x for x in (force.state.get("lasting") or {}).values()}
    places: Mapping[str, str] = force.state.get("locations") or {}
    part: dict[str, Any] = {}
    if force.promotion_misses:
        part["promotion_misses"] = force.promotion_misses
    if force.lasting:
        part["lasting"] = [{"id": x, "choices": (kept.get(x) or {}).get("choices") or {}} for x in force.lasting]
    if force.locations:
        part["locations"] = {x: places.get(x, "") for x in force.locations}
    if force.exploration_skills:
        part["exploration_skills"] = [content.name("skill", x) for x in force.exploration_skills]
    for key in ("last_scenario", "reinforced_last", "reinforcing", "shop_until"):
        if force.state.get(key):
            part[key] = force.state[key]
    return part


def _trauma(content: Content, taken: ForceTrauma) -> dict[str, Any]:
    return {
        "trauma": content.name("trauma", taken.trauma),
        "scar": taken.scar,
        "details": dict(taken.details),
        "battle": taken.battle,
    }


def _may_be_demoted(content: Content, fighter: ForceFighter) -> bool:
    """Return whether a trauma demotes its bearer, so that the document has to tell it either way."""
    return any(has_effect(content.traumas.get(t.trauma), DemotedEffect) for t in fighter.traumas)


def _fighter(content: Content, force: Force, fighter: ForceFighter) -> dict[str, Any]:
    profile = content.name("profile", fighter.profile)
    # two profiles of a game may share a name: the entry it was hired through identifies the profile
    if content.resolve("profile", profile, force.list) != fighter.profile:
        profile = fighter.profile
    row: dict[str, Any] = {
        "name": fighter.name,
        "profile": profile,
        "kit": [_item(content, piece, force.list) for piece in fighter.kit],
        "upgrades": [_upgrade(content, upgrade) for upgrade in fighter.upgrades],
        "skills": [_skill(content, skill) for skill in fighter.skills],
        "traumas": [_trauma(content, trauma) for trauma in fighter.traumas],
        "scars": fighter.scars if fighter.scars is not None else sum(t.scar for t in fighter.traumas),
        "experience": fighter.experience,
        "promoted": fighter.promoted,
        "status": fighter.status,
    }
    if fighter.offer:
        row["offer"] = fighter.offer
    if fighter.demoted or _may_be_demoted(content, fighter):
        row["demoted"] = fighter.demoted
    more = {
        "advances": fighter.advances,
        "misses_battle": fighter.misses_battle,
        "lifeless": fighter.lifeless,
        "choices": _choices(content, force, fighter),
    }
    row |= {key: value for key, value in more.items() if value}
    if fighter.count != 1:
        row["count"] = fighter.count
    if fighter.state.get("joined") is not None:
        row["joined"] = fighter.state["joined"]
    return row


def _choices(content: Content, force: Force, fighter: ForceFighter) -> dict[str, Any]:
    choices = dict(fighter.choices)
    if force.list in content.lists and fighter.profile in content.profiles:
        who = facts(content, frame_of(content, force), fighter, explicit=force.strongbox is not None)
        choices |= {f"returned-{kit.id}": True for kit in who.removed_sets}
    return choices


def _skill(content: Content, learned: ForceSkill) -> str | dict[str, Any]:
    name = content.name("skill", learned.skill)
    return {"skill": name, "choices": dict(learned.choices)} if learned.choices else name


def _item(content: Content, piece: ForceItem, list_id: str) -> str | dict[str, Any]:
    name = content.name("item", piece.item)
    if content.resolve("item", name, list_id) != piece.item:
        name = piece.item
    if piece.origin == "bought" and not piece.choices and not piece.offer:
        return name
    row: dict[str, Any] = {"item": name, "origin": piece.origin}
    if piece.offer:
        row["offer"] = piece.offer
    if piece.choices:
        row["choices"] = dict(piece.choices)
    return row


def _upgrade(content: Content, taken: ForceUpgrade) -> str | dict[str, Any]:
    name = content.name("upgrade", taken.upgrade)
    if not (taken.option or taken.choices or taken.offer):
        return name
    row: dict[str, Any] = {"upgrade": name}
    if taken.option:
        row["option"] = content.name("upgrade", taken.option)
    if taken.offer:
        row["offer"] = taken.offer
    if taken.choices:
        row["choices"] = dict(taken.choices)
    return row
