"""Rosters of New Recruit and BattleScribe: the tree of selections, read as fighters, kit and state.

Both programs write the same tree, as XML and (New Recruit) as JSON. A selection's price is its own, times its number
and without its children; the groups tell what a selection below a fighter is, and where a file has no groups its
profile does. Source of the facts: roster schema 2.03 and the fan-made data for Trench Crusade.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.import_text import KIT
from rules.price import Price
from rules.problems import Refusal
from rules.roster_files.file_roster import (
    Counter,
    FileEntry,
    FileFighter,
    FileRoster,
    each,
    number,
    part,
    rows,
    words,
)
from rules.roster_files.reading import price_of
from rules.translation import gettext as _
from rules.trench_crusade.roster_files.game_data import (
    NOTHING_CHOSEN,
    PROMOTED,
    ROLL,
    SECTIONS,
    SHAPE_GROUPS,
    comes_along,
    feared,
    found_entry,
    is_fireteam,
    is_switch,
    names_of,
    turn_fighter,
)
from rules.trench_crusade.roster_files.other_names import other_names

GAME_SYSTEM, GAME_NAME = "sys-4f3d-c5c9-7df1-ad01", "trench crusade"
DUCATS, GLORY = "8d43-33fd-332d-17a6", "f3bb-a7e6-d476-f60b"
KIT_GROUPS = (
    "weapon",
    "armour",
    "equipment",
    "grenade",
    "throwable",
    "anchorite weapon",
    "special ammunition",
    "headgear",
    "battlekit",
)

# group or question below the campaign rules -> field of the roster
_STATE = {
    "patron selection": ("patron",),
    "exploration rewards": ("location", "lasting"),
    "exploration skills": ("exploration", "skill"),
}
_WEALTH = {"unleveraged glory": "glory", "warchest of ducats": "ducats"}


def read_battlescribe(tree: Mapping[str, Any]) -> FileRoster:
    """Return the roster of a tree. Raises Refusal for another game's roster, or more than any roster holds."""
    _refuse_other_game(tree)
    return _Selections(tree).read()


def edition_marks(tree: Mapping[str, Any]) -> tuple[int, dict[str, int]]:
    """Return the revision of the game data, and that of each catalogue by name."""
    catalogues = {
        words(force.get("catalogueName")): number(force.get("catalogueRevision")) for _path, force in _forces(tree)
    }
    return number(tree.get("gameSystemRevision")), catalogues


def _refuse_other_game(tree: Mapping[str, Any]) -> None:
    system, name = words(tree.get("gameSystemId")), words(tree.get("gameSystemName"))
    if system == GAME_SYSTEM or (not system and name.lower() == GAME_NAME):
        return
    if name and name.lower() != GAME_NAME:
        raise Refusal(
            _("This is a roster of {game}, not of Trench Crusade.").format(game=name[:60]), code="unknown-game"
        )
    raise Refusal(_("This roster does not say that it is one of Trench Crusade."), code="unknown-game")


def _forces(tree: Mapping[str, Any], path: str = "forces") -> list[tuple[str, Mapping[str, Any]]]:
    """Return the forces, each before those within it, with their places."""
    found: list[tuple[str, Mapping[str, Any]]] = []
    waiting = [(path, rows(tree.get("forces")))]
    while waiting:
        place, forces = waiting.pop(0)
        for index, force in enumerate(forces):
            found.append((f"{place}[{index}]", force))
            waiting.append((f"{place}[{index}].forces", rows(force.get("forces"))))
    return found


def _price(selection: Mapping[str, Any]) -> Price:
    ducats = glory = 0
    for cost in rows(selection.get("costs")):
        name = words(cost.get("name")).lower()
        value = number(cost.get("value"), least=-10_000)
        if words(cost.get("typeId")) == DUCATS or name.startswith("ducat"):
            ducats += value
        elif words(cost.get("typeId")) == GLORY or name.startswith("glory"):
            glory += value
    return Price(ducats=ducats, glory=glory)


def _sum(selection: Mapping[str, Any]) -> Price:
    """Return the price of a selection with everything below it."""
    ducats = glory = 0
    waiting = [selection]
    while waiting:
        one = waiting.pop()
        own = _price(one)
        ducats, glory = ducats + own.ducats, glory + own.glory
        waiting += rows(one.get("selections"))
    return Price(ducats=ducats, glory=glory)


def _count(selection: Mapping[str, Any]) -> int:
    return max(1, number(selection.get("number", 1), least=1))


class _Selections:
    """Reads the selections of one file, from the top down."""

    def __init__(self, tree: Mapping[str, Any]) -> None:
        self.tree, self.counter = tree, Counter()
        self.roster = FileRoster(name=words(tree.get("name")), key=words(tree.get("id")))
        self.primary: dict[str, str] = {}

    def read(self) -> FileRoster:
        rating = _price(self.tree)
        self.roster.rating = rating if rating else None
        for index, limit in enumerate(rows(self.tree.get("costLimits"))):
            self.roster.note(
                f"costLimits[{index}]", f"{words(limit.get('name'))} {words(limit.get('value'))}", _("a limit")
            )
        notes = words(self.tree.get("customNotes"), 2_000)
        if notes:
            self.roster.own_notes = notes
            self.roster.note("customNotes", notes, _("a note of the player"))
        for path, force in _forces(self.tree):
            self.force(path, force)
        self.roster.check()
        return self.roster

    def force(self, path: str, force: Mapping[str, Any]) -> None:
        catalogue = words(force.get("catalogueName"))
        if catalogue:
            self.roster.lists.append(FileEntry(f"{path}.catalogueName", catalogue, ("list", "other-list")))
        self.roster.name = self.roster.name or words(force.get("customName"))
        self.remark(path, force)
        for index, category in enumerate(rows(force.get("categories"))):
            self.roster.note(f"{path}.categories[{index}]", words(category.get("name")), _("a heading"))
        for place, selection in each(force.get("selections"), f"{path}.selections", self.counter):
            self.top(place, selection)

    def top(self, path: str, selection: Mapping[str, Any]) -> None:
        """Read a selection that stands at the top of the force."""
        name = words(selection.get("name"))
        plain, kind = name.lower(), words(selection.get("type"))
        categories = {words(c.get("name")).lower() for c in rows(selection.get("categories"))}
        section = next((s for s in (SECTIONS.get(c) for c in _primary(selection)) if s), "")
        section = section or next((s for s in (SECTIONS.get(c) for c in sorted(categories)) if s), "")
        is_fighter = bool(section) or (kind in ("model", "unit") and "configuration" not in categories)
        if not is_fighter or plain.startswith("pile of stuff") or "pile" in categories:
            self.remark(path, selection)
        if plain.startswith("pile of stuff") or "pile" in categories:
            self.pile(path, selection)
        elif plain == "campaign rules":
            self.roster.note(path, name, _("a heading"))
            self.campaign(path, selection)
        elif plain == "warband variant":
            self.roster.note(path, name, _("a heading"))
            self.variant(path, selection)
        elif is_fighter:
            self.fighter(path, selection, section)
        else:
            self.choice(path, selection)

    # --- the warband ---------------------------------------------------------------------------------------------------

    def variant(self, path: str, selection: Mapping[str, Any]) -> None:
        for place, chosen in each(selection.get("selections"), f"{path}.selections", self.counter):
            self.roster.lists.append(FileEntry(place, words(chosen.get("name")), ("list", "other-list")))
            self.remark(place, chosen)
            self.told(place, chosen, _("what the variant permits"))

    def told(self, path: str, selection: Mapping[str, Any], why: str) -> None:
        """Note everything below a selection."""
        for place, below in each(selection.get("selections"), f"{path}.selections", self.counter):
            self.roster.note(place, words(below.get("name")), why)
            self.remark(place, below)
            self.told(place, below, why)

    def remark(self, path: str, node: Mapping[str, Any]) -> None:
        """Note what a player wrote at a force or a selection that is no fighter."""
        if named := words(node.get("customName")):
            self.roster.note(f"{path}.customName", named, _("a name of the player"))
        if own := words(node.get("customNotes"), 2_000):
            self.roster.note(f"{path}.customNotes", own, _("a note of the player"))

    def choice(self, path: str, selection: Mapping[str, Any]) -> None:
        """Note a choice of the list: a sin, a hierarchy, a permission."""
        answers = [words(below.get("name")) for below in rows(selection.get("selections"))]
        name = words(selection.get("name"))
        self.roster.note(path, f"{name}: {', '.join(answers)}" if answers else name, _("a choice of the list"))
        self.told(path, selection, _("a choice of the list"))

    def campaign(self, path: str, selection: Mapping[str, Any]) -> None:
        for place, below in each(selection.get("selections"), f"{path}.selections", self.counter):
            name = words(below.get("name"))
            plain = name.lower()
            group = _group(below).lower().split("::")[0]
            if plain in ("enabled", "disabled", "equipment only"):
                self.roster.note(place, name, _("a switch of the other program"))
                self.campaign(place, below)
            elif plain in _WEALTH:
                field = _WEALTH[plain]
                self.roster.facts[field] = self.roster.facts.get(field, 0) + _count(below)
                self.roster.note(place, f"{name} {_count(below)}", _("the strongbox"))
                self.told(place, below, _("a switch of the other program"))
            else:
                self.state(place, name, group)
                self.remark(place, below)
                self.told(place, below, _("part of what stands above it"))

    def state(self, path: str, name: str, group: str) -> None:
        """Keep what a campaign brought: a patron, a location, an exploration skill."""
        kinds = _STATE.get(group)
        if kinds == ("patron",) and self.roster.patron is not None:
            self.roster.note(path, name, _("another patron: kept in the original file only"))
        elif kinds == ("patron",):
            self.roster.patron = FileEntry(path, name, ("patron",))
        elif kinds:
            self.roster.extras.append(found_entry(path, name, kinds))
        elif name.endswith("?"):
            self.roster.note(path, name, _("a choice of the list"))
        elif group:
            self.roster.note(path, name, _("kept in the original file only"))
        else:
            self.roster.extras.append(
                found_entry(path, name, ("patron", "location", "exploration", "skill", "lasting"))
            )

    def pile(self, path: str, selection: Mapping[str, Any]) -> None:
        self.roster.note(path, words(selection.get("name")), _("the stash"))
        self.stored(path, selection)

    def stored(self, path: str, selection: Mapping[str, Any], *, below_a_piece: bool = False) -> None:
        """Read what lies in the stash: below a switch all of it, below a piece what has a price or a group of its own."""
        for place, piece in each(selection.get("selections"), f"{path}.selections", self.counter):
            name, price = words(piece.get("name")), _price(piece)
            self.remark(place, piece)
            if is_switch(name):
                self.roster.note(place, name, _("a switch of the other program"))
                self.stored(place, piece)
            elif below_a_piece and not _is_piece(piece):
                self.roster.note(place, name, _("a switch of the other program"))
                self.told(place, piece, _("a switch of the other program"))
            else:
                paid = price_of(price.ducats, price.glory)
                self.roster.stash.append(FileEntry(place, name, ("item",), _count(piece), paid, *names_of(name)))
                self.stored(place, piece, below_a_piece=True)

    # --- a fighter -----------------------------------------------------------------------------------------------------

    def fighter(self, path: str, selection: Mapping[str, Any], section: str) -> None:
        name, count = words(selection.get("name")), _count(selection)
        own = words(selection.get("customName"))
        model = selection
        models = [
            (place, row) for place, row in enumerate(rows(selection.get("selections"))) if row.get("type") == "model"
        ]
        price = _price(selection)
        if words(selection.get("type")) == "unit" and len(models) == 1:
            index, model = models[0]
            count = max(count, _count(model))
            price = _price(model)
            own = own or words(model.get("customName"))
            self.roster.note(f"{path}.selections[{index}]", words(model.get("name")), _("the fighter inside this unit"))
            self.remark(f"{path}.selections[{index}]", model)
        entry = words(model.get("entryId")).rsplit("::", 1)[-1]
        outer = words(selection.get("entryId")).rsplit("::", 1)[-1]
        base = (
            other_names().models.get(entry)
            or other_names().models.get(outer)
            or other_names().renamed.get(name.lower(), "")
        )
        units = [words(p.get("name")) for p in rows(model.get("profiles")) if words(p.get("typeName")) == "Unit"]
        said = name.replace("\xa0", " ")
        bare = next((said[len(p) :].strip() for p in PROMOTED[1:] if said.lower().startswith(f"{p} ")), "")
        names = (said, *(name for name in (base, bare) if name), *units)
        fighter = FileFighter(
            profile=FileEntry(
                path, said, ("profile",), 1, price_of(price.ducats, price.glory), names, len(names) - len(units)
            ),
            name="" if own.lower() == name.lower() else own,
            key=words(selection.get("id")),
            count=count,
            section=section if section in ("elite", "mercenary") else "troop",
            promoted=any(said.lower().startswith(f"{prefix} ") for prefix in PROMOTED[1:]) and bool(base),
            notes=words(selection.get("customNotes"), 2_000),
        )
        total = _sum(selection)
        fighter.total = Price(ducats=total.ducats // count, glory=total.glory // count)
        if fighter.notes:
            self.roster.note(f"{path}.customNotes", fighter.notes, _("a note of the player"))
        self.roster.fighters.append(fighter)
        self.below(path, selection, fighter, model)

    def below(self, path: str, selection: Mapping[str, Any], fighter: FileFighter, model: Mapping[str, Any]) -> None:
        for place, row in each(selection.get("selections"), f"{path}.selections", self.counter):
            if row is model:
                self.below(place, row, fighter, model)
            else:
                self.piece(place, row, fighter)

    def piece(self, path: str, row: Mapping[str, Any], fighter: FileFighter) -> None:
        """Read one selection below a fighter by its group, or by its name and profile where the file has no groups."""
        name, group = words(row.get("name")), _group(row)
        plain, first = name.lower(), group.lower().split("::")[0]
        number_here = _count(row)
        self.remark(path, row)
        if plain in PROMOTED and (first == "advancement" or not group):
            fighter.promoted = True
            self.roster.note(path, name, _("promoted"))
            self.told(path, row, _("a switch of the other program"))
        elif plain == "experience":
            fighter.experience = max(0, number_here // fighter.count)
            self.roster.note(path, f"{name} {number_here}", _("experience"))
            self.told(path, row, _("a switch of the other program"))
        elif plain in ("scar", "scars", "scar(s)", "battle scar", "battle scars"):
            fighter.scars = number_here // fighter.count
            self.roster.note(path, f"{name} {number_here}", _("scars"))
            self.told(path, row, _("a switch of the other program"))
        elif first == "loadout" or (not _price(row) and comes_along(fighter, name)):
            self.roster.note(path, name, _("what the profile comes with"))
            self.told(path, row, _("what the profile comes with"))
        elif first.startswith("fireteam") or is_fireteam(name):
            self.roster.note(path, name, _("a fireteam"))
            self.told(path, row, _("a fireteam"))
        elif is_switch(name):
            self.roster.note(path, name, _("a switch of the other program"))
            self.told(path, row, _("a switch of the other program"))
        elif plain == NOTHING_CHOSEN:
            self.roster.note(path, name, _("nothing is chosen"))
            self.told(path, row, _("nothing is chosen"))
        elif first in SHAPE_GROUPS:
            turn_fighter(fighter, plain)
            self.roster.note(path, name, _("what kind of fighter it is"))
            self.told(path, row, _("a switch of the other program"))
        else:
            price = _price(row)
            kinds = kinds_of(group.lower(), name, row)
            text = ROLL.sub("", name) if kinds[0] in ("skill", "trauma") else name
            rank = other_names().ranks.get(plain)
            names, sure = names_of(text)
            detail = self.enemy(path, row) if kinds[0] == "trauma" else ""
            if rank:  # "Ranged" below "Legionnaire" is a Ranged Legionnaire
                price = _sum(row)
                names = (*(rank.format(chosen=words(below.get("name"))) for below in rows(row.get("selections"))), text)
                sure = len(names)
                self.told(path, row, _("part of what stands above it"))
            fighter.entries.append(
                FileEntry(path, text, kinds, number_here, price_of(price.ducats, price.glory), names, sure, detail)
            )
            if not rank and not detail:
                self.under_piece(path, row, fighter)

    def enemy(self, path: str, row: Mapping[str, Any]) -> str:
        """Return the faction that a trauma is about, from the choice below it; "" where it has none."""
        found = next(filter(None, (feared(words(below.get("name"))) for below in rows(row.get("selections")))), "")
        if found:
            self.told(path, row, _("part of what stands above it"))
        return found

    def under_piece(self, path: str, row: Mapping[str, Any], fighter: FileFighter) -> None:
        """Read what stands below a piece of kit: what has a price or a group of its own is a piece, the rest a switch."""
        for place, below in each(row.get("selections"), f"{path}.selections", self.counter):
            if _is_piece(below):
                self.piece(place, below, fighter)
            else:
                self.roster.note(place, words(below.get("name")), _("a switch of the other program"))
                self.remark(place, below)
                self.told(place, below, _("a switch of the other program"))


def _is_piece(selection: Mapping[str, Any]) -> bool:
    """Return whether a selection below a piece of kit is a piece of its own, and no switch of it."""
    group = _group(selection).lower()
    return bool(_price(selection)) or group.startswith((*KIT_GROUPS, "advancement"))


def _primary(selection: Mapping[str, Any]) -> list[str]:
    return [
        words(c.get("name")).lower()
        for c in rows(selection.get("categories"))
        if c.get("primary") in (True, "true", "True", 1)
    ]


def _group(selection: Mapping[str, Any]) -> str:
    """Return the group that a selection was made in: by its name, or by its id where the program writes no names."""
    named = words(selection.get("group"))
    return named or other_names().groups.get(words(selection.get("entryGroupId")).rsplit("::", 1)[-1], "")


def kinds_of(group: str, name: str, row: Mapping[str, Any] | None = None) -> tuple[str, ...]:
    """Return what a selection below a fighter may be, the likeliest first."""
    if group.startswith("advancement::injuries") or "injur" in group or "trauma" in group:
        return ("trauma",)
    if group.endswith("skills") or (group.startswith("advancement") and "skill" in group):
        return ("skill", "upgrade", "ability")
    if group.startswith(KIT_GROUPS):
        return ("item", "upgrade", "skill", "ability")
    if ROLL.search(name):
        return ("skill", "trauma")
    row = row or {}
    profiles = {words(part(profile).get("typeName")) for profile in rows(row.get("profiles"))}
    if group:
        return ("upgrade", "skill", "item", "ability")
    if "Weapon" in profiles or "Battlekit" in profiles or _price(row):
        return ("item", "upgrade", "skill", "ability")
    return KIT
