"""Small readers of the forms in which rosters leave, made from the descriptions of the formats alone.

They share no line with the app's own readers, so a mistake in both would have to be made twice. Each returns a roster as
`(name, fighters, stash)`: fighters as own name, kind, sorted names of everything they carry or have, and experience.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

NAMESPACE = "{http://www.battlescribe.net/schema/rosterSchema}"
SYSTEM, DUCATS, GLORY = "sys-4f3d-c5c9-7df1-ad01", "8d43-33fd-332d-17a6", "f3bb-a7e6-d476-f60b"


@dataclass
class SecondFighter:
    name: str
    kind: str
    has: list[str] = field(default_factory=list)
    experience: int = 0
    status: str = "active"
    ducats: int = 0
    glory: int = 0


@dataclass
class SecondRoster:
    name: str
    fighters: list[SecondFighter] = field(default_factory=list)
    stash: list[str] = field(default_factory=list)
    ducats: int = 0
    glory: int = 0
    facts: dict[str, Any] = field(default_factory=dict)


# --- roster XML -----------------------------------------------------------------------------------------------------------


def read_ros(text: str) -> SecondRoster:
    root = ElementTree.fromstring(text.encode())
    assert root.tag == f"{NAMESPACE}roster"
    assert (root.get("gameSystemId"), root.get("battleScribeVersion")) == (SYSTEM, "2.03")
    force = root.find(f"{NAMESPACE}forces/{NAMESPACE}force")
    assert force is not None
    found = SecondRoster(root.get("name", ""), ducats=_amount(root, DUCATS), glory=_amount(root, GLORY))
    found.facts = {
        "catalogue": (force.get("catalogueId"), force.get("catalogueName")),
        "notes": root.findtext(f"{NAMESPACE}customNotes", ""),
        "ids": [row.get("entryId") for row in root.iter(f"{NAMESPACE}selection")],
        "sum": sum(_amount(row, DUCATS) for row in root.iter(f"{NAMESPACE}selection")),
    }
    ids = [row.get("id") for row in root.iter() if row.get("id")]
    assert len(ids) == len(set(ids))  # an instance is one thing
    for row in _selections(force):
        primary = {c.get("name") for c in row.iter(f"{NAMESPACE}category") if c.get("primary") == "true"}
        if row.get("name") == "Pile of Stuff":
            found.stash = sorted(
                name for piece in _selections(row) for name in [piece.get("name", "")] * _number(piece)
            )
        elif primary & {"Elite", "Troop", "Mercenary"}:
            found.fighters.append(_ros_fighter(row))
        else:
            found.facts[row.get("name")] = [
                (below.get("name"), _number(below)) for below in row.iter(f"{NAMESPACE}selection") if below is not row
            ]
    return found


def _ros_fighter(row: ElementTree.Element) -> SecondFighter:
    fighter = SecondFighter(row.get("customName") or row.get("name", ""), row.get("name", ""))
    for below in row.iter(f"{NAMESPACE}selection"):
        fighter.ducats += _amount(below, DUCATS)
        fighter.glory += _amount(below, GLORY)
        name = below.get("name", "")
        if below is row or below.get("type") == "model":
            continue
        if name == "Experience":
            fighter.experience = _number(below)
        elif name != "Elite Promotion":
            fighter.has += [re.sub(r" \[\d+\]$", "", name)] * _number(below)
    fighter.has.sort()
    return fighter


def _selections(row: ElementTree.Element) -> list[ElementTree.Element]:
    return row.findall(f"{NAMESPACE}selections/{NAMESPACE}selection")


def _number(row: ElementTree.Element) -> int:
    return int(row.get("number", "1"))


def _amount(row: ElementTree.Element, type_id: str) -> int:
    costs = row.findall(f"{NAMESPACE}costs/{NAMESPACE}cost")
    return sum(int(float(cost.get("value", "0"))) for cost in costs if cost.get("typeId") == type_id)


# --- Trench Companion -----------------------------------------------------------------------------------------------------


def read_save(text: str) -> SecondRoster:
    save = json.loads(text)
    rating = save["context"]["stored_ratings"]
    found = SecondRoster(save["name"], ducats=rating["rating_ducat"], glory=rating["rating_glory"])
    found.facts = {
        "faction": save["faction"]["faction_property"]["object_id"],
        "patron": save["faction"].get("patron_id", ""),
        "spare": (rating["spare_ducat"], rating["spare_glory"]),
        "round": save["context"]["campaign_round"],
        "bank": save["ducat_bank"],
    }
    for row in save["models"]:
        model = row["model"]
        bought = [row["purchase"], *(piece["purchase"] for piece in (*model["equipment"], *model["list_upgrades"]))]
        found.fighters.append(
            SecondFighter(
                model["name"],
                model["model"],
                sorted([
                    *(piece["equipment"]["name"] for piece in model["equipment"] if piece["purchase"]["count_cap"]),
                    *(piece["upgrade"]["name"] for piece in model["list_upgrades"]),
                    *(piece["object_id"] for piece in (*model["list_skills"], *model["list_injury"])),
                ]),
                model["experience"],
                model["active"],
                sum(one["cost_value"] - one["discount"] for one in bought if not one["cost_type"]),
                sum(one["cost_value"] - one["discount"] for one in bought if one["cost_type"]),
            )
        )  # fmt: skip
    found.stash = sorted(row["equipment"]["name"] for row in save["equipment"])
    return found


def read_companion_text(text: str) -> SecondRoster:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    found = SecondRoster(_heading(lines[0]))
    section, fighter = "", None
    states = {"Lost & Captured": "lost", "Dead": "dead", "Reserves": "reserved"}
    for line in lines[1:]:
        if line.startswith("##"):
            section, fighter = _heading(line), None
        elif line.startswith("Rating:"):
            found.ducats, found.glory = (int(number) for number in re.findall(r"(\d+) (?:Ducats|Glory)", line))
        elif ": " in line and not section:
            key, _sign, value = line.partition(": ")
            found.facts[key] = value
        elif section == "Stash":
            key, sign, value = line.partition(": ")
            if sign:
                found.facts[key] = int(value)
            else:
                found.stash = sorted(value.strip() for value in line.split(", "))
        elif section == "Locations":
            found.facts.setdefault("locations", []).append(line)
        elif line.startswith("• Cost:") and fighter is not None:
            fighter.ducats, fighter.glory = (int(number) for number in re.findall(r"(\d+) (?:Ducats|Glory)", line))
        elif line.startswith("•") and fighter is not None:
            fighter.has += line.partition(": ")[2].split(", ")
        elif line.startswith("Upgrades & Choices:"):
            continue
        elif (
            fighter is not None
            and not fighter.has
            and fighter.ducats + fighter.glory
            and section == "Elites"
            and lines[lines.index(line) - 1].startswith("Upgrades & Choices:")
        ):
            fighter.has += line.split(", ")
        else:
            name, _sign, kind = line.rpartition(" - ")
            fighter = SecondFighter(name or kind, kind, status=states.get(section, "active"))
            found.fighters.append(fighter)
    for one in found.fighters:
        one.has.sort()
    return found


def _heading(line: str) -> str:
    return line.strip("# ").strip()


def read_tts(text: str) -> SecondRoster:
    told = json.loads(text)
    found = SecondRoster(told["warband-name"], ducats=told["ducat-rating"], glory=told["glory-rating"])
    found.facts = {"spare": (told["ducat-bank"], told["glory-bank"])}
    for model in told["models"]:
        has = [
            row[f"{kind}-name"]
            for key, kind in (
                ("equipment", "equipment"),
                ("upgrades", "upgrade"),
                ("advancements", "advancement"),
                ("injuries", "injury"),
            )
            for row in model[key]
        ]
        cost = model["cost"]
        found.fighters.append(
            SecondFighter(model["name"], model["model-name"], sorted(has), ducats=cost["ducats"], glory=cost["glory"])
        )
    return found


# --- tables and messages --------------------------------------------------------------------------------------------------


def read_csv(text: str) -> SecondRoster:
    found = SecondRoster("")
    for row in csv.DictReader(io.StringIO(text)):
        has = [name for key in ("kit", "upgrades", "skills", "traumas") for name in row[key].split("; ") if name]
        found.fighters.append(
            SecondFighter(
                row["name"].removeprefix("'"),
                row["profile"],
                sorted(has),
                int(row["experience"]),
                row["status"],
                int(row["ducats"]),
                int(row["glory"]),
            )
        )
    return found


def read_discord(text: str) -> SecondRoster:
    """Read the messages. Each must be short enough to be sent."""
    messages = text.rstrip("\n").split("\n\n----\n\n")
    assert all(len(message) <= 2_000 for message in messages)
    blocks = [block for message in messages for block in message.split("\n\n")]
    found = SecondRoster(_plain(blocks[0].split("\n")[0]))
    for block in blocks[1:]:
        lines = block.split("\n")
        if lines[0].startswith("__"):
            found.stash = sorted(lines[1].split(", "))
            continue
        head = re.fullmatch(r"\*\*(.*)\*\* \((.*)\)", lines[0])
        assert head, lines[0]
        name, _sign, kind = _plain(head[1]).rpartition(" - ")
        fighter = SecondFighter(name or kind, kind, list(_names(lines[1:])))
        experience = next((one for one in fighter.has if re.fullmatch(r"\d+ XP", one)), "")
        if experience:
            fighter.has.remove(experience)
            fighter.experience = int(experience.split()[0])
        fighter.has.sort()
        found.fighters.append(fighter)
    return found


def read_plain(text: str) -> SecondRoster:
    """Read the plain text: the warband first, a fighter a line, and what it has below, deeper and with bullets or labels."""
    lines = text.rstrip("\n").split("\n")
    found, fighter, in_stash = SecondRoster(lines[0].removeprefix("Called: ")), None, False
    for line in lines[1:]:
        said = line.strip()
        key, sign, value = said.partition(": ")
        if line.startswith("  •"):
            (found.stash if in_stash or fighter is None else fighter.has).append(said.removeprefix("• "))
        elif line.startswith("  ") and fighter is not None and key == "Experience":
            fighter.experience = int(value)
        elif line.startswith("  ") and fighter is not None and key == "Called":
            fighter.name = value
        elif line.startswith("  ") and fighter is not None:
            fighter.has += value.split(", ")
        elif said == "Stash":
            in_stash = True
        elif sign and (not found.fighters or in_stash):
            found.facts[key] = value
        elif said:
            name, _sign, kind = re.sub(r" \((?:promoted|captive)\)", "", said).rpartition(" - ")
            fighter = SecondFighter(name or kind, kind)
            found.fighters.append(fighter)
    for one in (*(row.has for row in found.fighters), found.stash):
        one.sort()
    return found


def _names(lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield from line.strip("*").split(", ")


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text.strip("*"))
