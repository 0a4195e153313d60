"""The writer of a roster document as text, in the format that the import reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.content.compiled import Content
from rules.translation import gettext as _
from rules.trench_crusade.text_import.read import read_roster

PRESENT = ("active", "captive")
PARTS = (("Upgrades", "upgrades", "upgrade"), ("Skills", "skills", "skill"), ("Scars", "traumas", "trauma"))


def write_text(content: Content, document: Mapping[str, Any]) -> str:
    """Return a roster document as text in the format that the import reads.

    Each fighter has one line, then kit, skills and scars below. Names that would be misread ("Ilse - the Bold",
    "Stash") get separate lines, under "Called:".
    """
    document = _whole(document)
    text = _written(content, document, apart=False)
    rows = [row for row in document["fighters"] if row["status"] in PRESENT]
    read = read_roster(content, text).document
    names = [str(document.get("name") or "Warband"), *(row["name"] for row in rows)]
    if [read["name"], *(row["name"] for row in read["fighters"])] == names and all(
        (now["profile"], len(now["kit"])) == (row["profile"], len(row["kit"]))
        for now, row in zip(read["fighters"], rows, strict=True)
    ):
        return text
    return _written(content, document, apart=True)


def _whole(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with its optional parts filled in."""
    usual = {"status": "active", "promoted": False, "experience": 0, "kit": []}
    return {
        "variant": None,
        "stash": [],
        **document,
        "fighters": [{**usual, **row} for row in document["fighters"]],
    }


def _written(content: Content, document: Mapping[str, Any], *, apart: bool) -> str:
    """Return the text, with names before their profiles or (`apart`) on separate lines."""
    lines = [*_head_lines(content, document, apart=apart), ""]
    for row in document["fighters"]:
        if row["status"] in PRESENT:
            lines += [*_fighter_lines(content, row, apart=apart), ""]
    if document["stash"]:
        lines += ["Stash", *(f"  • {_entry_text(piece, 'item')}" for piece in document["stash"]), ""]
    campaign = document.get("campaign") or {}
    for label, key in (("Locations", "locations"), ("Exploration skills", "exploration_skills")):
        if campaign.get(key):
            lines.append(f"{label}: " + ", ".join(content.name("location", x) for x in campaign[key]))
    return "\n".join(lines).rstrip() + "\n"


def _head_lines(content: Content, document: Mapping[str, Any], *, apart: bool) -> list[str]:
    name = str(document.get("name") or "Warband")
    lines = [f"Called: {name}" if apart else name, f"Faction: {document['variant'] or document['faction']}"]
    lines.append(f"Edition: {content.edition}")
    if document.get("patron"):
        lines.append(f"Patron: {document['patron']}")
    fought = document.get("battles", {}).get("fought", 0)
    if fought:
        lines.append(f"Battles fought: {fought}")
    strongbox = (document.get("record") or {}).get("strongbox")
    if strongbox:
        lines.append(f"Strongbox: {strongbox['ducats']} ducats, {strongbox['glory']} glory")
    return lines


def _fighter_lines(content: Content, row: Mapping[str, Any], *, apart: bool) -> list[str]:
    marks = " (promoted)" if row["promoted"] else ""
    marks += " (captive)" if row["status"] == "captive" else ""
    profile = content.name("profile", row["profile"])
    alone = apart or row["name"] == profile
    lines = [(profile if alone else f"{row['name']} - {profile}") + marks]
    if apart and row["name"] != profile:
        lines.append(f"  Called: {row['name']}")
    lines += [f"  • {_entry_text(piece, 'item')}" for piece in row["kit"]]
    for label, key, kind in PARTS:
        if row.get(key):
            lines.append(f"  {label}: " + ", ".join(_entry_text(entry, kind) for entry in row[key]))
    if row["experience"]:
        lines.append(f"  Experience: {row['experience']}")
    return lines


def _entry_text(entry: Any, kind: str) -> str:
    if isinstance(entry, str):
        return entry
    name = str(entry.get("option") or entry[kind])
    if entry.get("origin") in ("found", "looted", "granted"):
        return f"{name} ({entry['origin']})"
    hand = (entry.get("details") or {}).get("hand")
    return f"{name} ({hand})" if hand else name


EXPLAINED = _(
    """\
A roster as text: one fighter per line, kit after it or on the lines below.

  The Lantern Wardens                         the warband's name: the first line that is nothing else
  Faction: New Antioch - Eire Rangers         or a line with nothing but the list's name; Variant: and Patron: likewise
  Battles fought: 3 / Strongbox: 40 ducats, 2 glory / Failed promotions: 1 / Last scenario: Hill 223
  ELITE, TROOPS, MERCENARIES, STASH           headings; also # Elites, ++ Troops ++, with or without counts and prices

  Ilse Brandt - Lieutenant (70): Automatic Pistol (20), Sword/Axe, Standard Armour
  Yeoman "Ottla" [30 ducats]: Bolt-Action Rifle, Bayonet
  3x Yeoman: Bolt-Action Rifle                three alike; "Yeoman x3" and "3 Yeomen" too
  Matthias, Yeoman
    • Bolt-Action Rifle                       bullets (• - * + o) or deeper lines are kit of the fighter above
    • 2x Grenades
    Gas Mask (found)                          not marked: bought
    Skills: Sharp Eyes                        also Upgrades:, Kit:, Weapons:, Scars: Leg Wound, Hand Wound (left)
    Called: Ilse - the Bold                   a name that could be read as something else
    XP: 4                                     also "4 XP", "promoted", "captive"
  Stash: Gas Mask, 2x Grenades                or a heading STASH with lines below
  Locations: Trench Merchant (Trade)          also Exploration skills:, Lasting effects:

Names may be short or long. Case, punctuation, accents and plurals do not matter.
Prices ("(45)", "45 ducats", "[45d]", "2 glory") are only compared. Totals, statlines, keywords and abilities are calculated by the app.
For three alike, "3x Bayonet" gives one each, "2x Bayonet" goes to the first two, "Bayonet" without a number to all.
Names that are not recognised are kept. They are listed under "unread" with their line and similar names.
"""
)
