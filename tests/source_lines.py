"""Counts the lines of a roster file, from the descriptions of the formats alone, to compare with what was told of them.

It shares no line with the app's readers. A line of a text is one with a letter or a figure in it; of a tree it is whatever
somebody chose, bought, got or wrote there. Rule texts, ids and prices are parts of the line that they belong to.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

_UNSEEN = dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u200d\u2060"))


def lines_of(data: bytes) -> list[tuple[str, str]]:
    """Return the place and the words of each line of a file: "forces[0].selections[2]" and "Yeoman", or "7" and the line."""
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = archive.read(archive.namelist()[0])
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    start = text.lstrip()
    if start.startswith("<"):
        return list(_of_roster(_as_json(ElementTree.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text)))))
    if not start.startswith("{"):
        rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return [(str(number), _plain(row)) for number, row in enumerate(rows, 1) if any(map(str.isalnum, row))]
    tree = json.loads(text)
    if isinstance(tree.get("warband_data"), str):
        tree = json.loads(tree["warband_data"])
    if "ducat_bank" in tree:
        return list(_of_save(tree))
    if "warband-name" in tree:
        return list(_of_table(tree))
    return list(_of_roster(tree.get("roster", tree)))


def lost_lines(data: bytes, told: Mapping[str, Any]) -> list[str]:
    """Return the lines of a file that the answer for it does not tell, or tells in more than one state."""
    lines, found = lines_of(data), []
    rows = told["lines"]
    is_text = lines and all(place.isdigit() for place, _words in lines)
    by_place: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_place.setdefault(row["source"].partition(": ")[0], []).append(row)
    whole = Counter(_bare(row["source"]) for row in rows)
    for place, words in lines:
        here = by_place.get(place, [])
        if not here and is_text and whole[_bare(words)]:
            here = [row for row in rows if _bare(row["source"]) == _bare(words)]
        if not here:
            found.append(f"{place}: {words}")
        elif not is_text and len(here) != 1:
            found.append(f"{place}: {words} is told {len(here)} times")
        elif any(row["state"] not in ("matched", "guessed", "noted", "unknown") for row in here):
            found.append(f"{place}: {words} has no state")
    return found


def _plain(line: str) -> str:
    return " ".join(line.translate(_UNSEEN).replace("\xa0", " ").split())


def _bare(line: str) -> str:
    """Return the letters and digits of a line: messengers put signs around it."""
    return re.sub(r"[\W_]+", "", line.translate(_UNSEEN).casefold()) or _plain(line)


# --- roster XML and New Recruit JSON ---------------------------------------------------------------------------------------


def _as_json(element: ElementTree.Element) -> dict[str, Any]:
    node: dict[str, Any] = dict(element.attrib)
    for child in element:
        tag = child.tag.rsplit("}", 1)[-1]
        if tag == "customNotes":
            node[tag] = child.text or ""
        else:
            node[tag] = [_as_json(one) for one in child]
    return node


def _of_roster(tree: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for number, row in enumerate(tree.get("costLimits") or []):
        yield f"costLimits[{number}]", str(row.get("name"))
    if str(tree.get("customNotes") or "").strip():
        yield "customNotes", str(tree["customNotes"])
    yield from _of_forces(tree, "forces")


def _of_forces(tree: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    for number, force in enumerate(tree.get("forces") or []):
        place = f"{path}[{number}]"
        for key in ("catalogueName", "customName", "customNotes"):
            if str(force.get(key) or "").strip():
                yield f"{place}.{key}", str(force[key])
        for at, row in enumerate(force.get("categories") or []):
            yield f"{place}.categories[{at}]", str(row.get("name"))
        yield from _of_selections(force, f"{place}.selections")
        yield from _of_forces(force, f"{place}.forces")


def _of_selections(node: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    for number, row in enumerate(node.get("selections") or []):
        place = f"{path}[{number}]"
        yield place, str(row.get("name"))
        if str(row.get("customNotes") or "").strip():
            yield f"{place}.customNotes", str(row["customNotes"])
        yield from _of_selections(row, f"{place}.selections")


# --- Trench Companion -----------------------------------------------------------------------------------------------------


def _of_save(save: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    faction, context = save.get("faction") or {}, save.get("context") or {}
    if (faction.get("faction_property") or {}).get("object_id"):
        yield "faction.faction_property", faction["faction_property"]["object_id"]
    if faction.get("patron_id"):
        yield "faction.patron_id", faction["patron_id"]
    yield from _ids(faction.get("faction_rules"), "faction.faction_rules")
    for key in ("campaign_round", "victory_points", "failed_promotions"):
        if key in context:
            yield f"context.{key}", str(context[key])
    for key in ("spare_ducat", "spare_glory"):
        if key in (context.get("stored_ratings") or {}):
            yield f"context.stored_ratings.{key}", str(context["stored_ratings"][key])
    for key in ("ducat_bank", "glory_bank"):
        if key in save:
            yield key, str(save[key])
    for key, value in dict(save.get("debts") or {}).items():
        if value:
            yield f"debts.{key}", str(value)
    for at, note in enumerate(save.get("notes") or []):
        if str(note.get("text") or "").strip():
            yield f"notes[{at}]", note["text"]
    for at, bought in enumerate(save.get("models") or []):
        model, place = bought["model"], f"models[{at}]"
        yield place, model["model"]
        for number, note in enumerate(model.get("notes") or []):
            if str(note.get("text") or "").strip():
                yield f"{place}.notes[{number}]", note["text"]
        if model.get("scar_reserves"):
            yield f"{place}.scar_reserves", str(model["scar_reserves"])
        for number, piece in enumerate(model.get("equipment") or []):
            yield f"{place}.equipment[{number}]", piece["equipment"].get("name", "")
        for number, _row in enumerate(model.get("list_upgrades") or []):
            yield f"{place}.list_upgrades[{number}]", ""
        for key in ("list_skills", "list_injury", "list_modelequipment", "subproperties"):
            yield from _ids(model.get(key), f"{place}.{key}")
        yield from _ids(model.get("stat_selections"), f"{place}.stat_selections")
    for number, piece in enumerate(save.get("equipment") or []):
        yield f"equipment[{number}]", piece["equipment"].get("name", "")
    for key in ("explorationskills", "locations", "location_mods"):
        yield from _ids((save.get("exploration") or {}).get(key), f"exploration.{key}")
    for key in (
        "fireteams", "modifiers", "modifiersloc", "consumables", "restrictions_list", "expansion_ids", "expansion_data",
    ):  # fmt: skip
        for number, _row in enumerate(save.get(key) or []):
            yield f"{key}[{number}]", key


def _ids(rows: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield the entries of a list of ids, and the choices made below each."""
    for number, row in enumerate(rows or []):
        place = f"{path}[{number}]"
        yield place, row.get("object_id", "") if isinstance(row, dict) else str(row)
        choices = row.get("selections") if isinstance(row, dict) else None
        for at, choice in enumerate(choices or []):
            yield f"{place}.selections[{at}]", str(choice)


def _of_table(told: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key in ("warband-url", "ducat-bank", "glory-bank"):
        if told.get(key) not in (None, ""):
            yield key, str(told[key])
    for at, model in enumerate(told.get("models") or []):
        place = f"models[{at}]"
        yield place, model["model-name"]
        for key in ("stat-move", "stat-melee", "stat-ranged", "stat-armour"):
            if key in model:
                yield f"{place}.{key}", str(model[key])
        for key in ("equipment", "abilities", "upgrades", "advancements", "injuries", "keywords"):
            for number, _row in enumerate(model.get(key) or []):
                yield f"{place}.{key}[{number}]", key
