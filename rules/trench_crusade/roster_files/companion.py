"""Trench Companion's save, share envelope and Tabletop Simulator export, as fighters, kit and state.

A save names its entries by ids made of their names ("eq_swordaxe"). The id is tried first, then the name; an id that
means nothing here with a name that does is a guess. Money in hand is what the save keeps as spare.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.content.names import plain
from rules.import_text import KIT
from rules.price import Price
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
from rules.trench_crusade.roster_files.other_names import other_names

STATES = {"active": "active", "reserved": "active", "lost": "captive", "dead": "dead", "dog": "active"}
_KINDS: Mapping[str, tuple[str, ...]] = {
    "md": ("profile",),
    "eq": ("item", "upgrade", "ability"),
    "up": ("upgrade", "item", "skill", "ability"),
    "sk": ("skill", "upgrade", "ability"),
    "in": ("trauma",),
    "pt": ("patron",),
    "es": ("exploration", "skill"),
    "el": ("location", "lasting"),
    "fc": ("list", "other-list"),
}
_KEPT_ONLY = (
    "fireteams", "modifiers", "modifiersloc", "consumables", "restrictions_list", "expansion_ids", "expansion_data",
)  # fmt: skip
_LARGE = 1_000_000
# Keys that this app adds to the export for Tabletop Simulator. Other programs pass over them.
LIST_KEY, PATRON_KEY, EDITION_KEY = "roster-list", "roster-patron", "roster-edition"


def slugs(id_: str) -> tuple[str, ...]:
    """Return the names that an id stands for, the most telling first: "md_azeb_mv_kavass" is a Kavass, or an Azeb."""
    if id_ in other_names().companion:
        return (other_names().companion[id_],)
    prefix, _sign, rest = id_.partition("_")
    if not rest or prefix not in _KINDS:
        return (id_,) if id_ else ()
    found = [rest]
    for mark in ("_mv_", "_fv_", "_fc_"):
        if mark in f"_{rest}":
            base, _sign, variant = f"_{rest}".partition(mark)
            found = [variant] if prefix == "fc" else [*found, variant, base.strip("_")]
    if "_" in rest:
        first, _sign, last = rest.partition("_")
        found += [last, first]
    return tuple(dict.fromkeys(name.replace("_", " ") for name in found if name))


def kinds_of(id_: str, usual: tuple[str, ...]) -> tuple[str, ...]:
    return _KINDS.get(id_.partition("_")[0], usual)


def save_version(tree: Mapping[str, Any]) -> int:
    """Return the version of the save's shape, 0 if it does not say."""
    return number(part(part(save_of(tree)).get("tags")).get("UPDATE_VERSION_REFERENCE"))


def save_of(tree: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the save, also out of its envelope."""
    inner = tree.get("warband_data")
    return inner if isinstance(inner, dict) else tree


def read_save(tree: Mapping[str, Any]) -> FileRoster:
    """Return the roster of a save or of its share envelope."""
    return _Save(tree).read()


class _Save:
    def __init__(self, tree: Mapping[str, Any]) -> None:
        self.tree, self.save = tree, save_of(tree)
        self.counter = Counter()
        self.roster = FileRoster(name=words(self.save.get("name")))
        self.roster.key = words(tree.get("warband_id")) or words(self.save.get("id"))

    def read(self) -> FileRoster:
        self.faction(part(self.save.get("faction")))
        self.wealth(part(self.save.get("context")))
        for place, row in each(self.save.get("models"), "models", self.counter):
            self.fighter(place, part(row.get("model")), part(row.get("purchase")))
        for place, row in each(self.save.get("equipment"), "equipment", self.counter):
            self.roster.stash.append(self.piece(place, part(row.get("equipment")), part(row.get("purchase"))))
        self.exploration(part(self.save.get("exploration")))
        self.report()
        self.roster.check()
        return self.roster

    def faction(self, faction: Mapping[str, Any]) -> None:
        id_ = words(part(faction.get("faction_property")).get("object_id"))
        if id_:
            path = "faction.faction_property"
            names = slugs(id_)
            self.roster.lists.append(FileEntry(path, _spoken(id_), ("list", "other-list"), ids=names))
        patron = words(faction.get("patron_id"))
        if patron:
            self.roster.patron = FileEntry("faction.patron_id", _spoken(patron), ("patron",), ids=slugs(patron))
        for place, rule in each(faction.get("faction_rules"), "faction.faction_rules", self.counter):
            self.roster.note(place, words(rule.get("object_id")), _("a rule of the list"))
            self.chosen(place, rule)

    def wealth(self, context: Mapping[str, Any]) -> None:
        facts, ratings = self.roster.facts, part(context.get("stored_ratings"))
        for key, field in (("spare_ducat", "ducats"), ("spare_glory", "glory")):
            value = ratings.get(key, ratings.get(f"{key}s"))
            if value is not None:
                facts[field] = number(value)
                self.roster.note(f"context.stored_ratings.{key}", words(value), _("the strongbox"))
        worth = Price(
            ducats=number(ratings.get("rating_ducat", ratings.get("rating_ducats")), most=_LARGE),
            glory=number(ratings.get("rating_glory"), most=_LARGE),
        )
        if worth:
            self.roster.rating = worth
            self.roster.note("context.stored_ratings", f"{worth}", _("a total"))
        for key, field in (("campaign_round", "round"), ("victory_points", "points"), ("failed_promotions", "misses")):
            if key in context:
                value = number(context.get(key))
                if field == "round":
                    facts["fought"] = max(0, value - 1)  # the round being played counts from one
                else:
                    facts[field] = value
                self.roster.note(f"context.{key}", str(value), _("a number of the campaign"))

    def fighter(self, path: str, model: Mapping[str, Any], purchase: Mapping[str, Any]) -> None:
        id_, name = words(model.get("model")), words(model.get("name"))
        state = words(model.get("active")) or "active"
        paid = _paid(purchase)
        fighter = FileFighter(
            profile=FileEntry(path, _spoken(id_) or name, ("profile",), 1, paid, slugs(id_)),
            name=name,
            key=words(model.get("id")),
            section="elite" if model.get("elite") is True else "",
            status=STATES.get(state, "active"),
            experience=number(model.get("experience"), most=999),
            notes="\n".join(words(note.get("text"), 2_000) for note in rows(model.get("notes"))),
        )
        injuries = rows(model.get("list_injury"))
        spare = number(model.get("scar_reserves"))
        if spare:
            fighter.scars = len(injuries) + spare
            self.roster.note(f"{path}.scar_reserves", str(spare), _("scars"))
        if state in ("reserved", "lost"):
            fighter.reserve = state == "reserved"
            why = _("read as on the roster") if state == "reserved" else _("lost or captured: read as captive")
            self.roster.note(f"{path}.active", state, why)
        elif state not in STATES:
            self.roster.note(f"{path}.active", state, _("a state that is not known here: read as on the roster"))
        for index, note in enumerate(rows(model.get("notes"))):
            self.roster.note(f"{path}.notes[{index}]", words(note.get("text"), 2_000), _("a note of the player"))
        spent = paid or Price()
        for place, row in each(model.get("equipment"), f"{path}.equipment", self.counter):
            entry = self.piece(place, part(row.get("equipment")), part(row.get("purchase")))
            spent = _plus(spent, entry.price)
            fighter.entries.append(entry)
        for place, row in each(model.get("list_modelequipment"), f"{path}.list_modelequipment", self.counter):
            self.roster.note(place, words(row.get("object_id")), _("what the profile comes with"))
            self.chosen(place, row)
        for place, row in each(model.get("list_upgrades"), f"{path}.list_upgrades", self.counter):
            upgrade = part(row.get("upgrade")) or row
            entry = self.upgrade(place, upgrade, part(row.get("purchase")))
            spent = _plus(spent, entry.price)
            fighter.entries.append(entry)
        for key in ("list_skills", "list_injury"):
            for place, row in each(model.get(key), f"{path}.{key}", self.counter):
                found = words(row.get("object_id"))
                usual = ("trauma",) if key == "list_injury" else ("skill",)
                self.chosen(place, row)
                fighter.entries.append(FileEntry(place, _spoken(found), kinds_of(found, usual), ids=slugs(found)))
        for place, row in each(model.get("subproperties"), f"{path}.subproperties", self.counter):
            self.roster.note(place, words(row.get("object_id")), _("an ability of the profile"))
            self.chosen(place, row)
        for index, choice in enumerate(_filled(model.get("stat_selections"))):
            self.roster.note(f"{path}.stat_selections[{index}]", choice, _("kept in the original file only"))
        fighter.total = spent
        self.roster.fighters.append(fighter)

    def chosen(self, path: str, row: Mapping[str, Any]) -> None:
        """Note the choices that a player made below an entry."""
        for index, choice in enumerate(_filled(row.get("selections"))):
            self.counter.one()
            self.roster.note(f"{path}.selections[{index}]", choice, _("kept in the original file only"))

    def piece(self, path: str, equipment: Mapping[str, Any], purchase: Mapping[str, Any]) -> FileEntry:
        id_ = words(part(equipment.get("equipment_id")).get("object_id"))
        name = words(equipment.get("name")) or _spoken(id_)
        return FileEntry(path, name, kinds_of(id_, KIT), 1, _paid(purchase), slugs(id_))

    def upgrade(self, path: str, upgrade: Mapping[str, Any], purchase: Mapping[str, Any]) -> FileEntry:
        inner = part(upgrade.get("upgrade")) or upgrade
        id_ = words(inner.get("object_id")) or words(part(inner.get("upgrade_id")).get("object_id"))
        name = words(upgrade.get("name")) or _spoken(id_)
        return FileEntry(path, name, kinds_of(id_, KIT), 1, _paid(purchase), slugs(id_))

    def exploration(self, exploration: Mapping[str, Any]) -> None:
        for key in ("explorationskills", "locations"):
            for place, row in each(exploration.get(key), f"exploration.{key}", self.counter):
                id_ = words(row.get("object_id"))
                usual = ("location",) if key == "locations" else ("exploration", "skill")
                self.chosen(place, row)
                self.roster.extras.append(
                    FileEntry(place, _spoken(id_), kinds_of(id_, usual), ids=slugs(id_.removesuffix("_cf")))
                )
        for place, row in each(exploration.get("location_mods"), "exploration.location_mods", self.counter):
            self.roster.note(place, words(row.get("object_id")), _("kept in the original file only"))
            self.chosen(place, row)

    def report(self) -> None:
        """Note what the save holds besides: the bank, debts, notes, fireteams and the like."""
        for key in ("ducat_bank", "glory_bank"):
            if key in self.save:
                self.roster.note(key, words(self.save[key]), _("everything ever received"))
        debts = part(self.save.get("debts"))
        for key, value in debts.items():
            if number(value):
                self.roster.note(f"debts.{words(key)}", words(value), _("a debt: money in hand is without it already"))
        for index, note in enumerate(rows(self.save.get("notes"))):
            text = words(note.get("text"), 2_000)
            if text:
                self.roster.own_notes = f"{self.roster.own_notes}\n{text}".strip()
                self.roster.note(f"notes[{index}]", text, _("a note of the player"))
        for key in _KEPT_ONLY:
            for index, row in enumerate(_filled(self.save.get(key))):
                self.counter.one()
                self.roster.note(f"{key}[{index}]", row, _("kept in the original file only"))


def _filled(value: Any) -> Iterable[str]:
    """Yield the rows of a list, or the filled fields of an object, in words."""
    if isinstance(value, dict):
        value = [{"name": f"{key}: {words(each) or len(each)}"} for key, each in value.items() if each]
    for row in value if isinstance(value, list) else ():
        if isinstance(row, dict):
            named = (words(row.get(key)) for key in ("name", "object_id", "id"))
            yield next(filter(None, named), "") or words(", ".join(filter(None, map(words, row.values())))) or "…"
        else:
            yield words(row)


def _spoken(id_: str) -> str:
    """Return the words of an id where nothing better is known: "sk_parry" is "parry"."""
    return other_names().companion.get(id_, id_.partition("_")[2].replace("_", " ") or id_)


def _paid(purchase: Mapping[str, Any]) -> Price | None:
    if purchase.get("count_cap") is False and purchase.get("modelpurch") is True:
        return None  # it came with the fighter
    cost = number(purchase.get("cost_value")) - number(purchase.get("discount"))
    return price_of(0, cost) if number(purchase.get("cost_type")) == 1 else price_of(cost, 0)


def _plus(one: Price, other: Price | None) -> Price:
    return Price(ducats=one.ducats + other.ducats, glory=one.glory + other.glory) if other else one


def read_table_export(tree: Mapping[str, Any]) -> FileRoster:
    """Return the roster of the export for Tabletop Simulator: active fighters without list, experience or stash."""
    counter = Counter()
    roster = FileRoster(name=words(tree.get("warband-name")), key=words(tree.get("warband-id")))
    rating = Price(
        ducats=number(tree.get("ducat-rating"), most=_LARGE), glory=number(tree.get("glory-rating"), most=_LARGE)
    )
    roster.rating = rating or None
    _own_keys(roster, tree)
    for key, field in (("ducat-bank", "ducats"), ("glory-bank", "glory")):
        if key in tree:
            roster.facts[field] = number(tree.get(key))
            roster.note(key, words(tree.get(key)), _("the strongbox"))
    if words(tree.get("warband-url")):
        roster.note("warband-url", words(tree.get("warband-url")), _("the other program's own line"))
    for place, row in each(tree.get("models"), "models", counter):
        id_ = words(row.get("model-id"))
        said = words(row.get("model-name")) or _spoken(id_)
        name = words(row.get("name"))
        cost = part(row.get("cost"))
        fighter = FileFighter(
            profile=FileEntry(place, said, ("profile",), 1, None, slugs(id_)),
            name="" if name.lower() == said.lower() else name,
            total=Price(ducats=number(cost.get("ducats")), glory=number(cost.get("glory"))),
        )
        for key, prefix, kinds in (
            ("equipment", "equipment", ("item", "upgrade", "ability")),
            ("upgrades", "upgrade", ("upgrade", "item", "skill", "ability")),
            ("advancements", "advancement", ("skill", "upgrade", "ability")),
            ("injuries", "injury", ("trauma",)),
        ):
            for inner, piece in each(row.get(key), f"{place}.{key}", counter):
                found = words(piece.get(f"{prefix}-id"))
                text = words(piece.get(f"{prefix}-name")) or _spoken(found)
                fighter.entries.append(FileEntry(inner, text, kinds, ids=slugs(found)))
        for key, prefix in (("abilities", "ability"), ("keywords", "keyword")):
            for inner, piece in each(row.get(key), f"{place}.{key}", counter):
                text = words(piece.get(f"{prefix}-name")) or words(piece.get(f"{prefix}-id"))
                roster.note(inner, text, _("the books know it"))
                if (id_ := words(piece.get("ability-id"))).startswith("rl_"):
                    rule = plain(id_.removeprefix("rl_"))
                    roster.list_rules[rule] = roster.list_rules.get(rule, 0) + 1
        for key in ("stat-move", "stat-melee", "stat-ranged", "stat-armour"):
            if key in row:
                roster.note(f"{place}.{key}", words(row.get(key)), _("the books know it"))
        roster.fighters.append(fighter)
    roster.check()
    return roster


def _own_keys(roster: FileRoster, tree: Mapping[str, Any]) -> None:
    """Read the keys with which this app keeps list, patron and edition in the export, which has no place for them."""
    for key, kinds in ((LIST_KEY, ("list", "other-list")), (PATRON_KEY, ("patron",))):
        if not (said := words(tree.get(key))):
            continue
        entry = FileEntry(key, said, kinds)
        if key == LIST_KEY:
            roster.lists.append(entry)
        else:
            roster.patron = entry
    roster.edition = words(tree.get(EDITION_KEY))
    if roster.edition:
        roster.note(EDITION_KEY, roster.edition, _("the edition"))
