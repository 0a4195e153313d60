"""Roster files as other programs write them, made here: one warband in each of their formats."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any
from xml.sax.saxutils import quoteattr

SYSTEM = "sys-4f3d-c5c9-7df1-ad01"
DUCATS, GLORY = ("Ducats", "8d43-33fd-332d-17a6"), ("Glory Points", "f3bb-a7e6-d476-f60b")
NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"


def cost(ducats: int = 0, glory: int = 0) -> list[dict[str, Any]]:
    return [{"name": n, "typeId": t, "value": v} for (n, t), v in ((DUCATS, ducats), (GLORY, glory)) if v]


def pick(
    name: str, *below: dict[str, Any], price: int = 0, glory: int = 0, group: str = "", **more: Any
) -> dict[str, Any]:
    """Return a selection. Its id is made of its name."""
    row: dict[str, Any] = {
        "id": f"i{abs(hash(name)) % 10**8}",
        "name": name,
        "number": 1,
        "type": "upgrade",
        "costs": cost(price, glory),
    }
    if below:
        row["selections"] = list(below)
    return {**row, **({"group": group} if group else {}), **more}


def model(name: str, *below: dict[str, Any], price: int, part: str = "Troop", **more: Any) -> dict[str, Any]:
    return pick(name, *below, price=price, **{"type": "model", "categories": [{"name": part, "primary": True}], **more})


def weapon(name: str, price: int, **more: Any) -> dict[str, Any]:
    return pick(name, price=price, group="Weapons::Ranged Weapons", **more)


def roster(
    *selections: dict[str, Any],
    name: str = "Mud Choir",
    catalogue: str = "New Antioch",
    revision: int = 17,
    **more: Any,
) -> dict[str, Any]:
    total = {"ducats": 0, "glory": 0}
    waiting = list(selections)
    while waiting:
        one = waiting.pop()
        waiting += one.get("selections", [])
        for row in one.get("costs", []):
            total["ducats" if row["name"] == "Ducats" else "glory"] += row["value"]
    force = {"name": "Warband", "catalogueName": catalogue, "catalogueRevision": 12, "selections": list(selections)}
    return {
        "costs": cost(**total), "forces": [force], "id": "r1", "name": name, "gameSystemId": SYSTEM,
        "gameSystemName": "Trench Crusade", "gameSystemRevision": revision, **more,
    }  # fmt: skip


def as_json(tree: dict[str, Any]) -> bytes:
    return json.dumps({"roster": tree}).encode()


def as_xml(tree: dict[str, Any]) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_element("roster", {**tree, "xmlns": NAMESPACE})}'


def _element(tag: str, node: dict[str, Any]) -> str:
    attributes = "".join(
        f" {key}={quoteattr(_attribute(value))}" for key, value in node.items() if not isinstance(value, list)
    )
    single = {"categories": "category", "characteristics": "characteristic"}
    inner = "".join(
        f"<{key}>{''.join(_element(single.get(key, key[:-1]), row) for row in value)}</{key}>"
        for key, value in node.items()
        if isinstance(value, list)
    )
    return f"<{tag}{attributes}>{inner}</{tag}>"


def _attribute(value: Any) -> str:
    return "true" if value is True else "false" if value is False else str(value)


def zipped(*members: tuple[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", how) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return kept.getvalue()


def choir() -> dict[str, Any]:
    """Return a campaign warband with a bit of everything that rosters hold."""
    return roster(
        pick(
            "Campaign Rules",
            pick(
                "Enabled",
                pick("Warrior Saint", group="Patron Selection"),
                pick("Skull of a Saint", group="Exploration Rewards"),
                pick("Extra Dice", group="Exploration Skills"),
                pick("Unleveraged Glory", number=3),
                pick("Warchest of Ducats", number=21),
            ),
        ),
        model(
            "Lieutenant", weapon("Automatic Pistol", 20), pick("Experience", number=4, group="Advancement"),
            pick("Sharp Eyes [6]", group="Advancement::Skills::Ranged Skills"), pick("Leg Wound [31]", group="Advancement::Injuries"),
            price=70, part="Elite", customName="Edda Voss",
        ),
        model(
            "Commissioned Officer\xa0Yeoman", pick("Elite Promotion", group="Advancement"), weapon("Bolt-Action Rifle", 5),
            price=30, part="Elite", customName="1917", entryId="x::f2c3-86d1-5924-093f",
        ),
        model("Yeoman", weapon("Bolt-Action Rifle", 10, number=2), price=60, number=2),
        pick("Pile of Stuff", weapon("Trench Knife", 2, number=2), price=-2, type="model", categories=[{"name": "Pile"}]),
    )  # fmt: skip


def save() -> dict[str, Any]:
    """Return a save of Trench Companion, with empty objects written as lists."""

    def bought(id_: str, price: int, **more: Any) -> dict[str, Any]:
        return {
            "cost_value": price,
            "cost_type": 0,
            "discount": 0,
            "purchaseid": id_,
            "count_cap": True,
            "modelpurch": False,
            **more,
        }

    def kit(id_: str, name: str, price: int) -> dict[str, Any]:
        return {
            "purchase": bought(id_, price),
            "equipment": {"name": name, "equipment_id": {"object_id": id_, "tags": []}},
        }

    def fighter(id_: str, name: str, price: int, *held: dict[str, Any], **more: Any) -> dict[str, Any]:
        row = {
            "id": f"{id_}_{name}", "model": id_, "name": name, "active": "active", "equipment": list(held), "list_upgrades": [],
            "list_skills": [], "list_injury": [], "experience": 0, "elite": False, "scar_reserves": 0, "notes": [],
        }  # fmt: skip
        return {"purchase": bought(id_, price), "model": {**row, **more}}

    return {
        "id": "s1", "name": "Barefoot", "tags": {"UPDATE_VERSION_REFERENCE": 9}, "ducat_bank": 900, "glory_bank": 3,
        "faction": {"faction_property": {"object_id": "fc_trenchpilgrim"}, "patron_id": "pt_warriorsaint", "faction_rules": []},
        "context": {"campaign_round": 3, "victory_points": 8, "failed_promotions": 1, "stored_ratings": {"rating_ducat": 130, "spare_ducat": 44, "spare_glory": 2}},
        "models": [
            fighter(
                "md_warprophet", "Ruth", 80, kit("eq_swordaxe", "Sword / Axe", 4), elite=True, experience=3, list_skills=[{"object_id": "sk_parry"}],
                list_injury=[{"object_id": "in_legwound"}], scar_reserves=1,
            ),
            fighter("md_trenchpilgrim", "Amos", 30, kit("eq_boltactionrifle", "Bolt-Action Rifle", 10), elite=True),
            fighter("md_trenchpilgrim", "Ned", 30, active="dead"),
            fighter("md_trenchpilgrim", "Tob", 30, active="lost"),
        ],
        "equipment": [kit("eq_gasmask", "Gas Mask", 5)],
        "exploration": {"explorationskills": [{"object_id": "es_lucky"}], "locations": [{"object_id": "el_moonshinestash"}], "location_mods": []},
        "debts": [], "modifiers": [], "fireteams": [{"name": "The pair"}],
    }  # fmt: skip
