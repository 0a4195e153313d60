"""What became of each line of a roster file, and how its prices compare with the books."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.content.compiled import Content
from rules.import_text import Phrase, TextFighter, TextLine, TextReading
from rules.price import Price
from rules.translation import gettext as _
from rules.trench_crusade.content import GAME, content_of
from rules.trench_crusade.roster_files.read import RosterFile, read_roster_file, without_open
from rules.trench_crusade.text_import.document import meant
from rules.trench_crusade.text_import.remarks import ratings_of

_NOTED = ("passed", "heading", "fact", "left", "blank")
_LISTS = {"upgrade": "upgrades", "skill": "skills", "exploration": "skills", "trauma": "traumas"}


def report_of(file: RosterFile) -> dict[str, Any]:
    """Return the answer of `manage.py read_roster`: format, edition, roster, lines and totals."""
    content = content_of(file.edition, file.overlays)
    return {
        "format": file.format,
        "game": GAME,
        "edition": file.edition,
        "why": file.why,
        "roster": file.document,
        "lines": list(_lines(content, file)),
        "totals": _totals(content, file),
        "remarks": list(file.remarks),
    }


def read_report(data: bytes, *, wanted: str = "", edition: str = "", list_id: str = "") -> tuple[dict[str, Any], bool]:
    """Return the answer for a file, and whether everything in it matched. Raises Refusal as `read_roster_file` does."""
    file = read_roster_file(data, wanted=wanted, edition=edition, list_id=list_id)
    return report_of(file), not (file.unread or file.guessed or file.is_list_guessed)


def _lines(content: Content, file: RosterFile) -> Iterator[dict[str, Any]]:
    """Yield one row a phrase, and one for each line without any. Empty lines are none."""
    if file.is_list_guessed:
        name = content.name("list", file.list_id)
        field = "variant" if content.lists[file.list_id].army.faction else "faction"
        why = _("the file names no list: fighters and prices fit this one")
        yield {
            "source": _("(no list is named)"),
            "became": field,
            "meaning": name,
            "state": "guessed",
            "why": why,
            "candidates": [],
        }
    places = dict(_places(content, file.list_id, without_open(file.reading)))
    phrases: dict[int, list[Phrase]] = {}
    for _whose, phrase in file.reading.phrases():
        phrases.setdefault(phrase.line, []).append(phrase)
    for line in file.reading.lines:
        if line.kind == "blank":
            continue
        found = phrases.get(line.number, [])
        if not found:
            state = "noted" if line.kind in _NOTED or line.kind != "open" else "unknown"
            yield {"source": _source(line), "became": None, "state": state, "why": line.read_as, "candidates": []}
        for phrase in found:
            state, why = _state(phrase, file)
            yield {
                "source": f"{line.place}: {phrase.text}" if line.place else line.text.strip(),
                "said": phrase.text,
                "became": places.get(phrase.key) if state in ("matched", "guessed") else None,
                "meaning": phrase.meaning.name if phrase.meaning else None,
                "state": state,
                "why": why,
                "candidates": [near.name for near in phrase.near],
            }


def _source(line: TextLine) -> str:
    return f"{line.place}: {line.text.strip()}" if line.place else line.text.strip()


def _state(phrase: Phrase, file: RosterFile) -> tuple[str, str]:
    if phrase.left_out:
        return "noted", _("kept as a custom entry") if phrase.kept else _("left out")
    if phrase.meaning is None:
        return "unknown", _("no such name here")
    if phrase.key in file.guessed:
        return "guessed", _("another name for {name}").format(name=phrase.meaning.name)
    return "matched", _("its name or id")


def _places(content: Content, list_id: str, reading: TextReading) -> Iterator[tuple[str, str]]:
    """Yield each phrase's key with its place in the roster document."""
    for phrase in reading.lists:
        variant = phrase.meaning is not None and phrase.meaning.id in content.lists
        army = content.lists[phrase.meaning.id].army if variant and phrase.meaning else None
        yield phrase.key, "variant" if army is not None and army.faction else "faction"
    if reading.patron is not None:
        yield reading.patron.key, "patron"
    row = 0
    for fighter in reading.fighters:
        if fighter.profile.left_out:
            continue
        yield fighter.profile.key, f"fighters[{row}]"
        yield from _kit_places(content, list_id, fighter, row)
        row += fighter.count
    at = 0
    for phrase in reading.stash:
        if not phrase.left_out:
            yield phrase.key, f"stash[{at}]"
            at += phrase.count or 1
    for phrase in reading.extras:
        field = (
            "last_scenario"
            if "scenario" in phrase.kinds
            else "locations"
            if "location" in phrase.kinds
            else "lasting"
            if "lasting" in phrase.kinds
            else "exploration_skills"
        )
        yield phrase.key, f"campaign.{field}"


def _kit_places(content: Content, list_id: str, fighter: TextFighter, row: int) -> Iterator[tuple[str, str]]:
    counts: dict[str, int] = {}
    profile = fighter.profile.meaning.id if fighter.profile.meaning else ""
    for phrase in fighter.phrases:
        if phrase.left_out:
            continue
        meaning = meant(content, list_id, profile, phrase)
        name = _LISTS.get(meaning.kind if meaning else phrase.kinds[0], "kit")
        at = counts.get(name, 0)
        yield phrase.key, f"fighters[{row}].{name}[{at}]"
        counts[name] = at + (1 if phrase.count is None or fighter.count > 1 else phrase.count)


def _totals(content: Content, file: RosterFile) -> dict[str, Any]:
    """Return the file's own total, ours, and each fighter whose figures differ."""
    ours = ratings_of(content, file.document)
    differences = []
    present = Price()
    row = 0
    for fighter in without_open(file.reading).fighters:
        if fighter.profile.left_out:
            continue
        own = ours[row : row + fighter.count]
        name = file.document["fighters"][row]["name"]
        row += fighter.count
        if fighter.is_counted:
            for rating in own:
                present = present if rating is None else _plus(present, rating)
        first = own[0] if own else None
        if fighter.total is not None and first is not None and fighter.total != first:
            differences.append({"fighter": name, "printed": _amount(fighter.total), "ours": _amount(first)})
    printed = file.reading.rating
    return {"printed": _row(printed) if printed else None, "ours": _row(present), "differences": differences}


def _plus(one: Price, other: Price) -> Price:
    return Price(ducats=one.ducats + other.ducats, glory=one.glory + other.glory)


def _row(price: Price) -> dict[str, int]:
    return {"ducats": price.ducats, "glory": price.glory}


def _amount(price: Price) -> int | dict[str, int]:
    """Return ducats as a number, as long as there is no glory in it."""
    return price.ducats if not price.glory else _row(price)
