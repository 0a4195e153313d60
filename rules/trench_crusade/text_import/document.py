"""The conversion of a pasted text into a roster document.

Unknown parts stay in place under the name they have in the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from rules.content.compiled import Content
from rules.content.names import plain
from rules.import_text import Phrase, PhraseMeaning, TextFighter, TextReading
from rules.trench_crusade.content import GAME
from rules.trench_crusade.text_import.names import ImportNames
from rules.vocabulary import AsksEffect, CountsAsEffect


def document_of(content: Content, reading: TextReading, list_id: str) -> dict[str, Any]:
    army = content.lists[list_id].army if list_id else None
    facts = {key: int(value) for key, value in reading.facts.items() if value.isdigit()}
    taken: Counter[str] = Counter()
    fighters: list[dict[str, Any]] = []
    for fighter in reading.fighters:
        if not fighter.profile.left_out:
            fighters += _rows(content, list_id, fighter, taken)
    stash = [phrase for phrase in reading.stash if not phrase.left_out]
    document: dict[str, Any] = {
        "game": GAME,
        "edition": content.edition,
        **({"overlays": list(content.overlays)} if content.overlays else {}),
        "faction": _faction_name(content, reading, list_id),
        "variant": army.name if army and army.faction else None,
        "name": reading.name,
        "mode": "campaign",
        "scope": "roster",
        "battles": {"fought": facts.get("fought", 0), "credited": facts.get("credited", 0)},
        "patron": _name(reading.patron) if reading.patron is not None and not reading.patron.left_out else None,
        "fighters": fighters,
        "stash": [_piece(phrase) for phrase in stash for _ in range(phrase.count or 1)],
    }
    campaign = _campaign(content, reading, facts)
    if campaign:
        document["campaign"] = campaign
    if "ducats" in facts or "glory" in facts:
        document["record"] = {"strongbox": {"ducats": facts.get("ducats", 0), "glory": facts.get("glory", 0)}}
    return document


def _faction_name(content: Content, reading: TextReading, list_id: str) -> str:
    if list_id:
        return content.name("list", content.faction(list_id))
    return " ".join(phrase.text for phrase in reading.lists)


def _name(phrase: Phrase) -> str:
    return phrase.meaning.name if phrase.meaning else phrase.text


def _campaign(content: Content, reading: TextReading, facts: Mapping[str, int]) -> dict[str, Any]:
    part: dict[str, Any] = {}
    if facts.get("misses"):
        part["promotion_misses"] = facts["misses"]
    for phrase in reading.extras:
        if phrase.left_out:
            continue
        name = _name(phrase)
        if "scenario" in phrase.kinds:
            part["last_scenario"] = phrase.meaning.id if phrase.meaning else phrase.text
        elif "location" in phrase.kinds:
            part.setdefault("locations", {})[name] = location_option(
                content, phrase.meaning.id if phrase.meaning else "", phrase.detail
            )
        elif "lasting" in phrase.kinds:
            part.setdefault("lasting", []).append(name)
        else:
            part.setdefault("exploration_skills", []).append(name)
    return part


def location_option(content: Content, location: str, text: str) -> str:
    options = content.locations[location].options if location in content.locations else ()
    return next((o.id for o in options if plain(text) and plain(text) in (plain(o.id), plain(o.name))), "")


def _rows(content: Content, list_id: str, fighter: TextFighter, taken: Counter[str]) -> list[dict[str, Any]]:
    """Return the rows of a fighter, or of several identical ones.

    Kit with a number is distributed among them; kit without a number is given to each.
    """
    rows = []
    profile = fighter.profile.meaning
    name = profile.name if profile else fighter.profile.text
    for number in range(fighter.count):
        base = fighter.name or name
        taken[base] += 1
        row: dict[str, Any] = {
            "name": base if taken[base] == 1 else f"{base} {taken[base]}",
            "profile": profile_word(content, list_id, profile, name),
            "kit": [],
            "upgrades": [],
            "skills": [],
            "traumas": [],
            "experience": fighter.experience,
            "promoted": fighter.promoted or listed_as_promoted(content, fighter),
            "status": fighter.status,
        }
        if fighter.scars is not None:
            row["scars"] = fighter.scars
        for phrase in fighter.phrases:
            if not phrase.left_out:
                for _ in range(_share(phrase, number, fighter.count)):
                    _put(content, list_id, row, phrase, profile)
        rows.append(row)
    return rows


def profile_word(content: Content, list_id: str, profile: PhraseMeaning | None, said: str) -> str:
    """Return a profile's name for a document, or its id if the name means another profile on this list."""
    if profile is None:
        return said
    return profile.name if content.resolve("profile", profile.name, list_id) == profile.id else profile.id


def listed_as_promoted(content: Content, fighter: TextFighter) -> bool:
    """Return whether a troop was promoted, judged by the text listing it among the ELITE."""
    profile = content.profiles.get(fighter.profile.meaning.id) if fighter.profile.meaning else None
    return fighter.section == "elite" and profile is not None and profile.role == "troop"


def _share(phrase: Phrase, number: int, of: int) -> int:
    """Return how many of a phrase's pieces go to fighter `number` of `of` identical ones."""
    if phrase.count is None or of == 1:
        return phrase.count or 1
    return phrase.count // of + (number < phrase.count % of)


def _put(content: Content, list_id: str, row: dict[str, Any], phrase: Phrase, profile: PhraseMeaning | None) -> None:
    meaning = meant(content, list_id, profile.id if profile else "", phrase)
    kind = meaning.kind if meaning else phrase.kinds[0]
    name = meaning.name if meaning else phrase.text
    if kind == "upgrade":
        row["upgrades"].append(name)
    elif kind in ("skill", "exploration"):
        row["skills"].append(name)
    elif kind == "trauma":
        details = trauma_details(content, meaning.id, phrase.detail)[0] if meaning else {}
        row["traumas"].append({"trauma": name, "details": details} if details else name)
    elif kind == "profile":
        row["kit"].append(name)
    else:
        row["kit"].append(_piece(phrase))


def _piece(phrase: Phrase) -> str | dict[str, Any]:
    name = _name(phrase)
    return {"item": name, "origin": phrase.origin} if phrase.origin else name


def meant(content: Content, list_id: str, profile: str, phrase: Phrase) -> PhraseMeaning | None:
    """Return what a phrase means for this profile.

    If it names both a piece and an upgrade, the upgrade made for the profile wins. If it names both an upgrade and a skill,
    the skill wins where the upgrade is made for other profiles.
    """
    meaning = phrase.meaning
    if meaning is None or meaning.kind not in ("item", "upgrade"):
        return meaning
    found = meaning_for(content, list_id, profile, meaning.name) or meaning
    if found.kind == "upgrade" and not _is_made_for(content, list_id, found.id, profile):
        return ImportNames(content, list_id).exact(meaning.name, ("skill",)) or found
    return found


def _is_made_for(content: Content, list_id: str, upgrade: str, profile: str) -> bool:
    """Return whether an upgrade is on offer on this list for this profile, or for anybody."""
    offers = content.lists[list_id].by_upgrade.get(upgrade, ()) if list_id else ()
    passes_for = _passes_for(content, profile)
    made_for = [{term.profile for term in offer.who.only_for if term.profile} for offer in offers]
    return any(not profiles or profiles & passes_for for profiles in made_for)


def _passes_for(content: Content, profile: str) -> set[str]:
    known = content.profiles.get(profile)
    own = known.effects if known is not None else ()
    return {profile} | {e.profile for e in own if isinstance(e, CountsAsEffect) and e.profile}


def meaning_for(content: Content, list_id: str, profile: str, text: str) -> PhraseMeaning | None:
    """Return the item or upgrade that a name means for this profile, or None if it is neither."""
    names = ImportNames(content, list_id)
    item, upgrade = names.exact(text, ("item",)), names.exact(text, ("upgrade",))
    if upgrade is not None and item is not None:
        offers = content.lists[list_id].by_upgrade.get(upgrade.id, ()) if list_id else ()
        passes_for = _passes_for(content, profile)
        return upgrade if any(t.profile in passes_for for o in offers for t in o.who.only_for) else item
    return item or upgrade


def trauma_details(content: Content, trauma: str, text: str) -> tuple[dict[str, Any], str]:
    """Return the details of a trauma from text, and the part of the text that is unknown.

    Examples of a text: "left"; "Heretic; Hill 223".
    """
    asks = _asks(content, trauma)
    if asks is None:
        return {}, text.strip()
    details: dict[str, Any] = {}
    strange: list[str] = []
    for part in (p.strip() for p in re.split(r"[;,/]", text) if p.strip()):
        option = next((o for o in asks.options if plain(o) == plain(part.removesuffix(" hand"))), None)
        scenario = content.resolve("scenario", part)
        if option is not None:
            details[asks.key] = option
        elif asks.of == "factions" and (keyword := faction_keyword(content, part)):
            details[asks.key] = keyword
        elif asks.of == "factions" and isinstance(scenario, str):
            details["scenario"] = scenario
        else:
            strange.append(part)
    return details, ", ".join(strange)


def _asks(content: Content, trauma: str) -> AsksEffect | None:
    return next((e for e in content.traumas[trauma].effects if isinstance(e, AsksEffect)), None)


def faction_keyword(content: Content, text: str) -> str:
    wanted = plain(text)
    every: tuple[Any, ...] = (*content.pack.lists, *content.pack.other_lists)
    for one in every:
        if wanted and wanted in (plain(one.name), plain(one.id), plain(one.keyword), plain(getattr(one, "short", ""))):
            base = content.lists[one.faction].army if getattr(one, "faction", "") in content.lists else one
            return str(one.keyword or base.keyword)
    return ""


def trauma_asks(content: Content, trauma: str) -> tuple[str, tuple[str, ...]]:
    """Return the detail that a trauma asks for, as text, and its known answers; ("", ()) if it asks for nothing."""
    asks = _asks(content, trauma)
    if asks is None:
        return "", ()
    if asks.of != "factions":
        return asks.words, tuple(asks.options)
    every: tuple[Any, ...] = (*content.pack.lists, *content.pack.other_lists)
    factions = [x.keyword for x in every if not getattr(x, "faction", "")]
    return asks.words, tuple(dict.fromkeys((*factions, *asks.options)))
