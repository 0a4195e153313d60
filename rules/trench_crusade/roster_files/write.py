"""Writes a roster in the forms that other programs and people read: a way out for every warband.

What a form has no place for is left out of it, never bent into something else: Trench Companion's text knows no
experience, Tabletop Simulator's export only the active fighters. `left_out` names it for the forms that can tell.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.content.compiled import Content
from rules.content.names import plain
from rules.fighters.views import views
from rules.force import FighterView, Force, ForceFighter
from rules.formatting import table_cell
from rules.price import Price
from rules.problems import Refusal
from rules.roster_files.opening import TABLE_HEAD, TABLE_OWN
from rules.translation import gettext as _
from rules.trench_crusade.documents.reader import read_with_content
from rules.trench_crusade.roster_files.companion import EDITION_KEY, LIST_KEY, PATRON_KEY
from rules.trench_crusade.roster_files.write_battlescribe import write_battlescribe
from rules.trench_crusade.roster_files.write_companion import write_companion_save
from rules.trench_crusade.text_import.write import write_text

MOST_IN_A_MESSAGE = 2_000  # characters of one Discord message
_ORDER = {"ranged": 0, "melee": 1, "equipment": 2, "armour": 3, "field": 4}
_STATUS_SECTIONS = (("captive", "Lost & Captured"), ("dead", "Dead"))


@dataclass(frozen=True, slots=True)
class _Row:
    """A fighter with its names: kit in the order that Trench Companion writes, upgrades, skills and traumas."""

    fighter: ForceFighter
    view: FighterView
    kit: tuple[str, ...]
    upgrades: tuple[str, ...]
    skills: tuple[str, ...]
    traumas: tuple[str, ...]

    @property
    def title(self) -> str:
        name, profile = self.fighter.name.strip(), self.view.profile_name
        return profile if not name or plain(name) == plain(profile) else f"{name} - {profile}"


def left_out(document: Mapping[str, Any], wanted: str) -> tuple[str, ...]:
    """Return what of a roster a form has no place for. Raises Refusal as `write_roster`."""
    content, force, _problems = read_with_content(document)
    if wanted != "battlescribe" or force.list not in content.lists:
        return ()
    return tuple(write_battlescribe(content, force, document).left_out)


def _battlescribe(content: Content, force: Force, document: Mapping[str, Any]) -> str:
    return write_battlescribe(content, force, document).text


def write_roster(document: Mapping[str, Any], wanted: str) -> str:
    """Return a roster document in another form: one of `WRITERS`.

    Raises:
        Refusal: the document cannot be read, its list is unknown, or there is no such form.
    """
    content, force, _problems = read_with_content(document)
    if force.list not in content.lists:
        raise Refusal(_("The roster names no list that is known."), code="unreadable")
    writer = WRITERS.get(wanted)
    if writer is None:
        raise Refusal(
            _("There is no form “{wanted}”.").format(wanted=wanted),
            mend=_("Known: {names}.").format(names=", ".join(WRITERS)),
            code="unreadable",
        )
    return writer(content, force, document)


def _rows(content: Content, force: Force) -> tuple[_Row, ...]:
    known = views(content, force)
    return tuple(_row(content, fighter, known[fighter.key]) for fighter in force.fighters if fighter.key in known)


def _row(content: Content, fighter: ForceFighter, view: FighterView) -> _Row:
    items = sorted(
        (content.items[piece.item] for piece in view.kit if piece.item in content.items),
        key=lambda item: (_ORDER.get(item.category, 5), item.name),
    )
    return _Row(
        fighter,
        view,
        tuple(item.name for item in items),
        tuple(content.name("upgrade", taken.option or taken.upgrade) for taken in fighter.upgrades),
        tuple(content.name("skill", learned.skill) for learned in fighter.skills),
        tuple(content.name("trauma", suffered.trauma) for suffered in fighter.traumas),
    )


def _sum(rows: tuple[_Row, ...]) -> Price:
    there = [row.view.rating for row in rows if row.fighter.status == "active"]
    return Price(ducats=sum(price.ducats for price in there), glory=sum(price.glory for price in there))


def _held(document: Mapping[str, Any]) -> Price:
    held = (document.get("record") or {}).get("strongbox") or {}
    return Price(ducats=int(held.get("ducats") or 0), glory=int(held.get("glory") or 0))


def _stash(content: Content, force: Force) -> list[str]:
    return sorted(content.name("item", piece.item) for piece in force.stash)


# --- Trench Companion's text, as its "Full" button writes it --------------------------------------------------------------


def _companion_text(content: Content, force: Force, document: Mapping[str, Any]) -> str:
    rows, blank, double = _rows(content, force), " ", "  "
    worth, held = _sum(rows), _held(document)
    lines = [
        f"## {force.name or 'Warband'} ##",
        blank,
        f"Faction: {content.name('list', force.list)}",
        f"Rating: {worth.ducats} Ducats | {worth.glory} Glory",
        f"Patron: {content.name('patron', force.patron) if force.patron else 'None'}",
        blank,
    ]
    for heading, part in _sections(rows):
        lines += [f"## {heading} ##", double]
        for row in part:
            lines += [*_companion_fighter(row, of_elites=heading == "Elites"), double]
    lines += [
        "## Stash ##",
        double,
        f"Stashed Ducats: {held.ducats}",
        f"Unspent Glory: {held.glory}",
        double,
    ]
    stash = _stash(content, force)
    if stash:
        lines += [", ".join(stash), double]
    if force.locations:
        lines += ["## Locations ##", double, *(content.name("location", place) for place in force.locations), double]
    return "\n".join(lines).rstrip() + "\n"


def _edition_line(content: Content) -> str:
    """Return the line by which a text of ours is read as of this edition again."""
    return f"Edition: {content.edition}"


def _sections(rows: tuple[_Row, ...]) -> Iterator[tuple[str, list[_Row]]]:
    active = [row for row in rows if row.fighter.status == "active"]
    parts = [
        ("Elites", [row for row in active if row.view.elite and not row.view.mercenary]),
        ("Troops", [row for row in active if not row.view.elite and not row.view.mercenary]),
        ("Mercenaries", [row for row in active if row.view.mercenary]),
    ]
    parts += [(heading, [row for row in rows if row.fighter.status == status]) for status, heading in _STATUS_SECTIONS]
    return ((heading, part) for heading, part in parts if part)


def _companion_fighter(row: _Row, *, of_elites: bool) -> list[str]:
    price = row.view.rating
    lines = [row.title, f"• Cost: {price.ducats} Ducats | {price.glory} Glory"]
    if row.upgrades and of_elites:
        lines += ["  Upgrades & Choices: ", f"    {', '.join(row.upgrades)}"]
    elif row.upgrades:
        lines.append(f"• Upgrades & Choices: {', '.join(row.upgrades)}")
    for label, names in (("Equipment", row.kit), ("Skills", row.skills), ("Injuries", row.traumas)):
        if names:
            lines.append(f"• {label}: {', '.join(names)}")
    return lines


# --- text, Discord, table -----------------------------------------------------------------------------------------------


def _text(content: Content, force: Force, document: Mapping[str, Any]) -> str:
    return write_text(content, document)


def _discord(content: Content, force: Force, document: Mapping[str, Any]) -> str:
    """Return messages of at most 2,000 characters, with an empty line of dashes between two of them."""
    rows = _rows(content, force)
    worth, held = _sum(rows), _held(document)
    patron = f", {content.name('patron', force.patron)}" if force.patron else ""
    head = f"**{_marked(force.name or _('Warband'))}**\n{content.name('list', force.list)}{patron}\n{worth}"
    head += _(", {held} in hand").format(held=held) if held else ""
    parts = [f"{head}\n{_edition_line(content)}"]
    parts += [_discord_fighter(row) for row in rows if row.fighter.status in ("active", "captive")]
    stash = _stash(content, force)
    if stash:
        parts.append(f"__{_('Stash')}__\n{', '.join(stash)}")
    messages: list[str] = []
    for part in parts:
        part = part[: MOST_IN_A_MESSAGE - 1]
        if messages and len(messages[-1]) + len(part) + 2 <= MOST_IN_A_MESSAGE:
            messages[-1] += f"\n\n{part}"
        else:
            messages.append(part)
    return "\n\n----\n\n".join(messages) + "\n"


def _discord_fighter(row: _Row) -> str:
    past = [*row.upgrades, *row.skills, *row.traumas]
    if row.fighter.experience:
        past.append(f"{row.fighter.experience} XP")
    lines = [
        f"**{_marked(row.title)}** ({row.view.rating})",
        ", ".join(row.kit),
        f"*{', '.join(past)}*" if past else "",
    ]
    return "\n".join(line for line in lines if line)


def _marked(text: str) -> str:
    """Return a text in which the signs that Discord reads as layout are signs again."""
    return "".join(f"\\{sign}" if sign in "\\*_~`|>#@<[" else sign for sign in text)


def _csv(content: Content, force: Force, document: Mapping[str, Any]) -> str:
    """Return one row a fighter. A cell that a spreadsheet would work out as a formula begins with an apostrophe."""
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\r\n")
    table.writerow([*TABLE_HEAD.split(","), *TABLE_OWN])
    for row in _rows(content, force):
        fighter, price = row.fighter, row.view.rating
        names = ("; ".join(part) for part in (row.kit, row.upgrades, row.skills, row.traumas))
        cells = [
            fighter.name, row.view.profile_name, fighter.status, "yes" if fighter.promoted else "", price.ducats, price.glory,
            fighter.experience, row.view.scars, *names, content.name("list", force.list), content.edition,
        ]  # fmt: skip
        table.writerow([table_cell(cell) if isinstance(cell, str) else cell for cell in cells])
    return written.getvalue()


# --- Tabletop Simulator ---------------------------------------------------------------------------------------------------


def _tabletop(content: Content, force: Force, document: Mapping[str, Any]) -> str:
    """Return the JSON that Trench Companion writes for Tabletop Simulator: active fighters only.

    Three keys of our own keep list, patron and edition, for which it has no place.
    """
    rows = [row for row in _rows(content, force) if row.fighter.status == "active"]
    worth, held = _sum(tuple(rows)), _held(document)
    told = {
        "warband-id": 0,
        "warband-url": "",
        "warband-name": force.name,
        "ducat-bank": held.ducats,
        "glory-bank": held.glory,
        "ducat-rating": worth.ducats,
        "glory-rating": worth.glory,
        LIST_KEY: content.name("list", force.list),
        PATRON_KEY: content.name("patron", force.patron) if force.patron else "",
        EDITION_KEY: content.edition,
        "models": [_tabletop_model(content, row) for row in rows],
    }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def _tabletop_model(content: Content, row: _Row) -> dict[str, Any]:
    view = row.view
    items = {
        content.items[piece.item].name: content.items[piece.item] for piece in view.kit if piece.item in content.items
    }
    return {
        "model-name": view.profile_name,
        "model-id": _id("md", view.profile_name),
        "name": row.fighter.name,
        "stat-move": f'{_stat(view, "movement")}"/{view.movement.capitalize()}',
        "stat-melee": f"{_stat(view, 'melee'):+d}",
        "stat-ranged": f"{_stat(view, 'ranged'):+d}",
        "stat-armour": str(_stat(view, "armour")),
        "cost": {"ducats": view.rating.ducats, "glory": view.rating.glory},
        "equipment": [
            {"equipment-name": name, "equipment-id": _id("eq", name), "equipment-type": _kind_of(items[name])}
            for name in row.kit
        ],
        "abilities": [{"ability-name": word.name, "ability-id": _id("ab", word.name)} for word in view.abilities],
        "upgrades": [{"upgrade-name": name, "upgrade-id": _id("up", name)} for name in row.upgrades],
        "advancements": [{"advancement-name": name, "advancement-id": _id("sk", name)} for name in row.skills],
        "injuries": [{"injury-name": name, "injury-id": _id("in", name)} for name in row.traumas],
        "keywords": [
            {"keyword-name": word.name, "keyword-id": _id("kw", word.name)}
            for word in view.keywords
            if word.state != "lost"
        ],
    }


def _stat(view: FighterView, name: str) -> int:
    counted = view.stats.get(name)
    return (counted.value or 0) if counted is not None else 0


def _kind_of(item: Any) -> str:
    if item.slot in ("shield", "grenade"):
        return str(item.slot)
    return {"ranged": "ranged weapon", "melee": "melee weapon"}.get(item.category, str(item.category))


def _id(prefix: str, name: str) -> str:
    return f"{prefix}_{plain(name)}"


WRITERS: Mapping[str, Callable[[Content, Force, Mapping[str, Any]], str]] = {
    "battlescribe": _battlescribe,
    "trench-companion": _companion_text,
    "trench-companion-json": write_companion_save,
    "text": _text,
    "discord": _discord,
    "tts": _tabletop,
    "csv": _csv,
}
