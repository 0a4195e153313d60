"""Writes a roster as the JSON that Trench Companion keeps: fighters of every state, stash, experience and campaign.

Its ids are made of the names, apart from those in `other_names.toml`. Money in hand is what it calls spare; the bank is that
and everything spent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rules.content.compiled import Content
from rules.content.names import plain
from rules.fighters.views import views
from rules.force import FighterView, Force, ForceFighter, ForceItem, ForceUpgrade
from rules.price import Price
from rules.trench_crusade.roster_files.editions import CURRENT, SAVE_OF_CURRENT, SAVE_OF_PLAYTEST
from rules.trench_crusade.roster_files.other_names import other_names

_STATES = {"active": "active", "captive": "lost", "dead": "dead"}
_OF_A_VARIANT = ("md_hauptmann", "md_feldkaplan", "md_stosstruppen")  # other names of fighters that have one
_REST: dict[str, Any] = {"selections": [], "consumables": [], "tags": {}}


def write_companion_save(content: Content, force: Force, document: Mapping[str, Any]) -> str:
    """Return the JSON of a roster. Fighters who were dismissed or sold are not in it."""
    return json.dumps(_SaveWriter(content, force, document).write(), ensure_ascii=False, indent=1) + "\n"


class _SaveWriter:
    def __init__(self, content: Content, force: Force, document: Mapping[str, Any]) -> None:
        self.content, self.force, self.document = content, force, document
        self.views = views(content, force)
        self.made = 0

    def write(self) -> dict[str, Any]:
        force, record = self.force, self.document.get("record") or {}
        held = record.get("strongbox") or {}
        spare = Price(ducats=int(held.get("ducats") or 0), glory=int(held.get("glory") or 0))
        models = [self.fighter(fighter) for fighter in force.fighters if fighter.status in _STATES]
        stash = [self.piece(piece) for piece in force.stash]
        worth = _sum(
            self.views[fighter.key].rating
            for fighter in force.fighters
            if fighter.status == "active" and fighter.key in self.views
        )
        stored = _sum(_paid(row["purchase"]) for row in stash)
        spent = _sum(_paid(purchase) for row in models for purchase in (row["purchase"], *_purchases(row["model"])))
        return {
            "id": self.id("warband"),
            "name": force.name,
            "source": "user_warband",
            "notes": [{"title": "notes", "text": str(record.get("notes") or "")}] if record.get("notes") else [],
            "context": {
                "id": self.id("context"),
                "victory_points": 0,
                "campaign_round": force.battles.fought + 1,
                "failed_promotions": force.promotion_misses,
                "stored_ratings": {
                    "rating_ducat": worth.ducats,
                    "rating_glory": worth.glory,
                    "spare_ducat": spare.ducats,
                    "spare_glory": spare.glory,
                    "stash_rating_ducat": stored.ducats,
                    "stash_rating_glory": stored.glory,
                },
            },
            "ducat_bank": spare.ducats + spent.ducats + stored.ducats,
            "glory_bank": spare.glory + spent.glory + stored.glory,
            "debts": {"ducats": 0, "glory": 0},
            "faction": self.faction(),
            "exploration": {
                "explorationskills": [
                    _thing("es", self.content.name("skill", id_)) for id_ in force.exploration_skills
                ],
                "locations": [_thing("el", self.content.name("location", id_)) for id_ in force.locations],
                "location_mods": [],
            },
            "models": models,
            "equipment": stash,
            "modifiers": [],
            "consumables": [],
            "fireteams": [],
            "restrictions_list": [],
            "contextdata": {},
            "tags": {
                "UPDATE_VERSION_REFERENCE": SAVE_OF_CURRENT if self.content.edition == CURRENT else SAVE_OF_PLAYTEST
            },
        }

    def id(self, words: str) -> str:
        self.made += 1
        return f"{plain(words)}_{self.made}"

    def faction(self) -> dict[str, Any]:
        content, list_id = self.content, self.force.list
        faction = content.faction(list_id)
        name = content.name("list", faction).removeprefix("The ").removeprefix("Principality of ")
        id_ = _by_name().get(("fc", plain(name).removesuffix("s"))) or companion_id("fc", name)
        if content.lists[list_id].army.faction:
            name = content.name("list", list_id)
            id_ = _by_name().get(("fc", plain(name))) or f"{id_}_fv_{plain(name.removeprefix('The '))}"
        row: dict[str, Any] = {"faction_property": {"object_id": id_, **_REST}, "faction_rules": []}
        if self.force.patron:
            row["patron_id"] = companion_id("pt", content.name("patron", self.force.patron))
        return row

    def fighter(self, fighter: ForceFighter) -> dict[str, Any]:
        content, view = self.content, self.views.get(fighter.key)
        profile = content.name("profile", fighter.profile)
        id_ = companion_id("md", profile)
        kit = [self.piece(piece) for piece in fighter.kit]
        upgrades = [self.upgrade(taken) for taken in fighter.upgrades]
        price = self.price_of(fighter, view, kit, upgrades)
        bought = (row["purchase"] for row in (*upgrades, *kit) if row["purchase"]["count_cap"])
        free = next((purchase for purchase in bought if not purchase["cost_value"]), None)
        if price.ducats and price.glory and free is not None:  # a purchase knows one currency
            free |= {"cost_value": price.glory, "cost_type": 1}
            price = Price(ducats=price.ducats)
        spare = (view.scars if view is not None else fighter.scars or 0) - len(fighter.traumas)
        model = {
            "id": self.id(id_),
            "name": fighter.name or profile,
            "model": id_,
            "source": "core",
            "active": _STATES[fighter.status],
            "elite": bool(view.elite) if view is not None else fighter.promoted,
            "experience": fighter.experience,
            "recruited": False,
            "scar_reserves": max(0, spare),
            "equipment": kit,
            "list_upgrades": upgrades,
            "list_skills": [_thing("sk", content.name("skill", learned.skill)) for learned in fighter.skills],
            "list_injury": [_thing("in", content.name("trauma", suffered.trauma)) for suffered in fighter.traumas],
            "list_modelequipment": [],
            "subproperties": [],
            "stat_selections": [],
            "notes": [],
            "contextdata": {},
            "tags": {},
        }
        return {"purchase": self.purchase(id_, price), "model": model}

    def price_of(
        self, fighter: ForceFighter, view: FighterView | None, kit: list[dict[str, Any]], upgrades: list[dict[str, Any]]
    ) -> Price:
        """Return what the fighter alone costs: its worth without kit and upgrades, or what was paid for one who is gone."""
        if view is None:
            return fighter.paid
        spent = _sum(_paid(row["purchase"]) for row in (*kit, *upgrades))
        return Price(ducats=max(0, view.rating.ducats - spent.ducats), glory=max(0, view.rating.glory - spent.glory))

    def piece(self, piece: ForceItem) -> dict[str, Any]:
        name = self.content.name("item", piece.item)
        id_ = companion_id("eq", name)
        offer = self.content.item_offers.get(piece.offer)
        price = (piece.paid or (offer.price if offer else Price())) if piece.origin == "bought" else Price()
        inner = {
            "id": self.id(id_), "name": name, "source": "core", "equipment_id": {"object_id": id_, **_REST}, "subproperties": [],
        }  # fmt: skip
        came_along = piece.origin in ("mandatory", "granted")
        return {"purchase": self.purchase(id_, price, came_along=came_along), "equipment": inner}

    def upgrade(self, taken: ForceUpgrade) -> dict[str, Any]:
        name = self.content.name("upgrade", taken.option or taken.upgrade)
        id_ = companion_id("up", name)
        offer = self.content.upgrade_offers.get(taken.offer)
        price = taken.paid or (offer.price if offer else Price())
        inner = {"id": self.id(id_), "name": name, "source": "core", "upgrade": {"object_id": id_, **_REST}}
        return {"purchase": self.purchase(id_, price), "upgrade": inner}

    def purchase(self, id_: str, price: Price, *, came_along: bool = False) -> dict[str, Any]:
        """Return a purchase. It knows one currency; a price in both is written in ducats."""
        in_glory = bool(price.glory and not price.ducats)
        return {
            "cost_value": price.glory if in_glory else price.ducats,
            "cost_type": int(in_glory),
            "discount": 0,
            "count_limit": True,
            "count_cap": not came_along,
            "sell_item": not came_along,
            "sell_full": False,
            "purchaseid": self.id(id_),
            "faction_rel_id": f"rel_{id_}",
            "custom_rel": None,
            "modelpurch": came_along,
        }


def companion_id(prefix: str, name: str) -> str:
    """Return Trench Companion's id of a name: "eq_" and its letters, unless its data calls it otherwise."""
    return _by_name().get((prefix, plain(name))) or f"{prefix}_{plain(name)}"


@lru_cache(maxsize=1)
def _by_name() -> dict[tuple[str, str], str]:
    """Return the ids that are not made of the name, by prefix and name."""
    found: dict[tuple[str, str], str] = {}
    for id_, name in other_names().companion.items():
        prefix, _sign, rest = id_.partition("_")
        if id_ not in _OF_A_VARIANT and not rest.startswith(f"{plain(name)}_"):
            found.setdefault((prefix, plain(name)), id_)
    return found


def _thing(prefix: str, name: str) -> dict[str, Any]:
    return {"object_id": companion_id(prefix, name), **_REST}


def _purchases(model: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [row["purchase"] for row in (*model["equipment"], *model["list_upgrades"])]


def _paid(purchase: Mapping[str, Any]) -> Price:
    value = int(purchase["cost_value"])
    return Price(glory=value) if purchase["cost_type"] else Price(ducats=value)


def _sum(prices: Any) -> Price:
    rows = list(prices)
    return Price(ducats=sum(price.ducats for price in rows), glory=sum(price.glory for price in rows))
