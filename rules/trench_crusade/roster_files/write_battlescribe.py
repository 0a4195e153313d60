"""Writes a roster as the `.ros` that BattleScribe and New Recruit open: edition 1.0, by the entries of their game data.

Each fighter and piece is looked up among the entries that may be selected there, by the names that the importer reads. What
no entry stands for is left out, and told in the file's notes (`Written.left_out`).
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from rules.content.compiled import Content
from rules.content.names import plain
from rules.fighters.views import views
from rules.force import FighterView, Force, ForceFighter, ForceItem
from rules.price import Price
from rules.problems import Refusal
from rules.translation import gettext as _
from rules.trench_crusade.roster_files.battlescribe import DUCATS, GAME_SYSTEM, GLORY, kinds_of
from rules.trench_crusade.roster_files.catalogue import Catalogue, CatalogueChoice, catalogues
from rules.trench_crusade.roster_files.editions import CURRENT
from rules.trench_crusade.roster_files.game_data import is_switch
from rules.trench_crusade.roster_files.other_names import other_names
from rules.trench_crusade.text_import.names import ImportNames

NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"
REVISION, FORCE_ENTRY = 17, "eef8-974d-98a4-8d2e"
CONFIGURATION = ("Configuration", "705b-e23f-e9c2-58ab")
SECTIONS = {
    "elite": ("Elite", "3de0-192c-3ec2-51be"),
    "troop": ("Troop", "bd43-ddb1-262d-4489"),
    "mercenary": ("Mercenary", "3dfb-701d-e89c-eba2"),
}
_OF_A_CAMPAIGN = ("patron", "location", "exploration", "lasting")
_ROLL = re.compile(r"\s*\[\d{1,2}\]$")
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True)
class Written:
    """A file as text, and what of the roster is not in it, a sentence part each."""

    text: str = ""
    left_out: list[str] = field(default_factory=list)


def write_battlescribe(content: Content, force: Force, document: Mapping[str, Any]) -> Written:
    """Return a roster as `.ros`. Raises Refusal for another edition than 1.0, or a faction without game data."""
    if content.edition != CURRENT:
        raise Refusal(
            _("BattleScribe's data no longer has edition {edition}.").format(edition=content.edition),
            mend=_("Choose another form, or play 1.0."),
            code="unknown-form",
        )
    return _Roster(content, force, document).write()


@dataclass(slots=True)
class WrittenSelection:
    """A selection to be written: what it is, its name, how often, the price of all of them, and what is below it."""

    choice: CatalogueChoice
    name: str
    number: int
    price: Price
    below: list[WrittenSelection] = field(default_factory=list)


class _Options:
    """What may be selected below one entry, by what it means here."""

    def __init__(self, catalogue: Catalogue, names: ImportNames, choices: Iterable[CatalogueChoice]) -> None:
        self.by_name: dict[str, CatalogueChoice] = {}
        self.by_meaning: dict[tuple[str, str], CatalogueChoice] = {}
        for choice in choices:
            name = _ROLL.sub("", choice.name)
            self.by_name.setdefault(plain(name), choice)
            kinds = kinds_of("::".join(choice.groups).lower(), choice.name)
            for kind in (*kinds, *_OF_A_CAMPAIGN):
                meant = names.exact(name, (kind,))
                if meant is not None:
                    self.by_meaning.setdefault((kind, meant.id), choice)

    def find(self, kind: str, id_: str, name: str) -> CatalogueChoice | None:
        return self.by_meaning.get((kind, id_)) or self.by_name.get(plain(name))


def _counted(fighter: ForceFighter, view: FighterView) -> Iterator[tuple[str, int]]:
    """Yield what the file counts as selections of its own. Scars are those without an injury."""
    if fighter.promoted:
        yield "Elite Promotion", 1
    if fighter.experience:
        yield "Experience", fighter.experience
    scars = (view.scars or 0) - sum(suffered.scar for suffered in fighter.traumas)
    if scars > 0:
        yield "Scar(s)", scars


class _Roster:
    def __init__(self, content: Content, force: Force, document: Mapping[str, Any]) -> None:
        self.content, self.force, self.document = content, force, document
        self.names = ImportNames(content, force.list)
        self.catalogue = self._catalogue()
        self.written = Written()
        self.top = self.catalogue.top()
        self.made = 0
        self.total = Price()

    def _catalogue(self) -> Catalogue:
        faction = self.content.faction(self.force.list)
        for name, catalogue in catalogues().items():
            meant = self.names.exact(name, ("list", "other-list"))
            if meant is not None and meant.id == faction:
                return catalogue
        raise Refusal(
            _("BattleScribe's data has no list for {list}.").format(list=self.content.name("list", self.force.list)),
            mend=_("Choose another form."),
            code="unknown-form",
        )

    # --- the file ----------------------------------------------------------------------------------------------------------

    def write(self) -> Written:
        root = Element("roster", {
            "id": self.id("roster"), "name": _clean(self.force.name) or "Warband", "battleScribeVersion": "2.03",
            "gameSystemId": GAME_SYSTEM, "gameSystemName": "Trench Crusade", "gameSystemRevision": str(REVISION),
            "xmlns": NAMESPACE,
        })  # fmt: skip
        costs, limits = SubElement(root, "costs"), SubElement(root, "costLimits")
        notes = SubElement(root, "customNotes")
        force = SubElement(SubElement(root, "forces"), "force", {
            "id": self.id("force"), "name": "Warband", "entryId": FORCE_ENTRY, "catalogueId": self.catalogue.id,
            "catalogueRevision": str(self.catalogue.revision), "catalogueName": self.catalogue.name,
        })  # fmt: skip
        selections = SubElement(force, "selections")
        self.campaign(selections)
        self.variant(selections)
        known = views(self.content, self.force)
        for fighter in self.force.fighters:
            if fighter.status == "active" and fighter.key in known:
                self.fighter(selections, fighter, known[fighter.key])
            elif fighter.status in ("active", "captive", "dead"):
                self.leave(f"{fighter.name} ({fighter.status})")
        self.stash(selections)
        if self.force.battles.fought:
            self.leave(_("battles fought: {count}").format(count=self.force.battles.fought))
        if self.force.promotion_misses:
            self.leave(_("promotions failed in a row: {count}").format(count=self.force.promotion_misses))
        self.add_price(costs, self.total)
        if self.force.budget is not None:
            self.add_price(limits, self.force.budget, tag="costLimit")
        told = _("Written by Muster Roll.")
        if self.written.left_out:
            told = _("{told} Not in this file: {things}.").format(told=told, things="; ".join(self.written.left_out))
        notes.text = _clean(told)
        body = tostring(root, encoding="unicode")
        self.written.text = f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{body}\n'
        return self.written

    def leave(self, words: str) -> None:
        self.written.left_out.append(_clean(words))

    def id(self, words: str) -> str:
        """Return the id of an instance: the same for the same place in the same roster."""
        self.made += 1
        digest = hashlib.sha256(f"{self.force.name}/{self.made}/{words}".encode()).hexdigest()
        return "-".join(digest[at : at + 4] for at in range(0, 16, 4))

    def add_price(self, parent: Element, price: Price, tag: str = "cost") -> None:
        for name, type_id, value in (("Ducats", DUCATS, price.ducats), ("Glory Points", GLORY, price.glory)):
            if value or tag == "cost":
                SubElement(parent, tag, {"name": name, "typeId": type_id, "value": f"{value}.0"})

    def select(
        self,
        parent: Element,
        choice: CatalogueChoice,
        *,
        name: str = "",
        number: int = 1,
        price: Price | None = None,
        own: str = "",
        category: tuple[str, str] | None = None,
    ) -> Element:
        """Add a selection, and return the element for what is selected below it. `price` is that of all `number`."""
        said = name or choice.name
        row = SubElement(parent, "selection", {
            "id": self.id(said), "name": _clean(said), "entryId": choice.entry_id, "number": str(number), "type": choice.kind,
        })  # fmt: skip
        if choice.group_id:
            row.set("entryGroupId", choice.group_id)
            row.set("from", "group")
            row.set("group", "::".join(choice.groups))
        else:
            row.set("from", "entry")
        if own:
            row.set("customName", _clean(own))
        below = SubElement(row, "selections")
        paid = price or Price()
        self.total = Price(ducats=self.total.ducats + paid.ducats, glory=self.total.glory + paid.glory)
        self.add_price(SubElement(row, "costs"), paid)
        if category is not None:
            categories = SubElement(row, "categories")
            row_id = self.id(category[0])
            SubElement(
                categories, "category", {"id": row_id, "name": category[0], "entryId": category[1], "primary": "true"}
            )
        return below

    def options(self, *choices: CatalogueChoice) -> _Options:
        return _Options(
            self.catalogue, self.names, [below for choice in choices for below in self.catalogue.below(choice)]
        )

    def named(self, choices: Iterable[CatalogueChoice], name: str) -> CatalogueChoice | None:
        return next((choice for choice in choices if plain(choice.name) == plain(name)), None)

    # --- the warband -------------------------------------------------------------------------------------------------------

    def campaign(self, selections: Element) -> None:
        rules = self.named(self.top, "Campaign Rules")
        if rules is None:
            return
        force, held = self.force, _held(self.document)
        below = self.select(selections, rules, category=CONFIGURATION)
        played = bool(force.battles.fought or force.patron or force.locations or force.exploration_skills)
        switch = self.named(self.catalogue.below(rules), "Enabled" if played else "Disabled")
        if switch is None:
            return
        inside = self.select(below, switch)
        if not played:
            return
        options = self.options(switch)
        kept = [("patron", force.patron)] if force.patron else []
        kept += [("location", place) for place in force.locations]
        kept += [("exploration", skill) for skill in force.exploration_skills]
        kept += [("lasting", effect) for effect in force.lasting]
        for kind, id_ in kept:
            name = self.content.name("skill" if kind == "exploration" else kind, id_)
            choice = options.find(kind, id_, name)
            if choice is None:
                self.leave(name)
            else:
                self.select(inside, choice)
        for name, amount in (("Unleveraged Glory", held.glory), ("Warchest of Ducats", held.ducats)):
            choice = options.by_name.get(plain(name))
            if amount > 0 and choice is not None:
                self.select(inside, choice, number=amount)

    def variant(self, selections: Element) -> None:
        army = self.content.lists[self.force.list].army
        choice = self.named(self.top, "Warband Variant")
        if not army.faction:
            return
        for below in self.catalogue.below(choice) if choice is not None else ():
            meant = self.names.exact(below.name, ("list", "other-list"))
            if meant is not None and meant.id == self.force.list and choice is not None:
                self.select(self.select(selections, choice, category=CONFIGURATION), below)
                return
        self.leave(army.name)

    def stash(self, selections: Element) -> None:
        pieces = Counter(self.content.name("item", piece.item) for piece in self.force.stash)
        if not pieces:
            return
        pile = self.named(self.top, "Pile of Stuff")
        prices: dict[str, Price] = {}
        for piece in self.force.stash:
            name = self.content.name("item", piece.item)
            prices[name] = _plus(prices.get(name, Price()), self.price_of(piece))
        found: list[tuple[CatalogueChoice, str, int]] = []
        if pile is not None:
            direct = self.catalogue.below(pile)
            storages = [choice for choice in direct if is_switch(choice.name)]
            options, stored = self.options(pile), self.options(*storages)
            for name, count in pieces.items():
                meant = self.names.exact(name, ("item",))
                choice = options.find("item", meant.id if meant else "", name)
                choice = choice or stored.find("item", meant.id if meant else "", name)
                if choice is None:
                    self.leave(_("{name} in the stash").format(name=name))
                else:
                    found.append((choice, name, count))
        else:
            self.leave(_("the stash"))
        if pile is None or not found:
            return
        worth = _plus(*(prices[name] for _choice, name, _count in found))
        below = self.select(
            selections, pile, price=Price(ducats=-worth.ducats, glory=-worth.glory), category=CONFIGURATION
        )
        for choice, name, count in found:
            self.select(below, choice, name=name, number=count, price=prices[name])

    # --- a fighter ---------------------------------------------------------------------------------------------------------

    def fighter(self, selections: Element, fighter: ForceFighter, view: FighterView) -> None:
        entry = self.entry_of(fighter.profile)
        label = f"{fighter.name} - {view.profile_name}" if fighter.name else view.profile_name
        if entry is None:
            self.leave(label)
            return
        model = next((c for c in self.catalogue.below(entry) if c.kind == "model"), None)
        is_unit = entry.kind == "unit" and model is not None
        options = self.options(entry, *([model] if is_unit and model is not None else []))
        chosen, spent = self.pieces(fighter, view, options, label)
        own = fighter.name if plain(fighter.name) != plain(view.profile_name) else ""
        section = "mercenary" if view.mercenary else "elite" if view.elite else "troop"
        price = Price(ducats=view.rating.ducats - spent.ducats, glory=view.rating.glory - spent.glory)
        below = self.select(
            selections,
            entry,
            name=view.profile_name,
            price=None if is_unit else price,
            own=own,
            category=SECTIONS[section],
        )
        if is_unit and model is not None:
            below = self.select(below, model, name=view.profile_name, price=price)
        for one in chosen:
            inside = self.select(below, one.choice, name=one.name, number=one.number, price=one.price)
            for under in one.below:
                self.select(inside, under.choice, name=under.name, price=under.price)

    def entry_of(self, profile: str) -> CatalogueChoice | None:
        """Return the entry that is this profile, or the one that a variant gave this name."""
        name = self.content.name("profile", profile)
        shape = other_names().shapes.get(name.lower(), "")
        base = other_names().renamed.get(name.lower(), "") or shape.partition(" > ")[0]
        by_base = None
        for choice in self.top:
            said = other_names().models.get(choice.own_id) or choice.name
            meant = self.names.exact(said, ("profile",))
            if plain(said) == plain(name) or (meant is not None and meant.id == profile):
                return choice
            if base and plain(said) == plain(base):
                by_base = by_base or choice
        return by_base

    def pieces(
        self, fighter: ForceFighter, view: FighterView, options: _Options, label: str
    ) -> tuple[list[WrittenSelection], Price]:
        """Return what a fighter has as selections with their prices, and the sum of those prices."""
        found: dict[str, WrittenSelection] = {}

        def take(kind: str, id_: str, name: str, price: Price, number: int = 1, *, is_implied: bool = False) -> None:
            choice = options.find(kind, id_, name)
            if choice is None and not is_implied and self.take_below(options, found, name, price):
                return
            if choice is None:
                if not is_implied:
                    self.leave(f"{label}: {name} ({number})" if number > 1 else f"{label}: {name}")
                return
            known = found.get(choice.entry_id)
            count, paid = (known.number + number, _plus(known.price, price)) if known else (number, price)
            said = choice.name if kind in ("skill", "trauma") else name
            found[choice.entry_id] = WrittenSelection(choice, said, count, paid, known.below if known else [])

        for piece in fighter.kit:
            implied = piece.origin in ("mandatory", "granted")
            name = self.content.name("item", piece.item)
            take("item", piece.item, name, self.price_of(piece), is_implied=implied)
        for taken in fighter.upgrades:
            id_ = taken.option or taken.upgrade
            offer = self.content.upgrade_offers.get(taken.offer)
            price = taken.paid or (offer.price if offer is not None else Price())
            take("upgrade", id_, self.content.name("upgrade", id_), price)
        for learned in fighter.skills:
            take("skill", learned.skill, self.content.name("skill", learned.skill), Price())
        for suffered in fighter.traumas:
            take("trauma", suffered.trauma, self.content.name("trauma", suffered.trauma), Price())
        for name, number in _counted(fighter, view):
            take("", "", name, Price(), number)
        shape = other_names().shapes.get(view.profile_name.lower(), "").partition(" > ")[2]
        if shape:
            take("", "", shape, Price(), is_implied=True)
        picked = list(found.values())
        return picked, _plus(*(one.price for top in picked for one in (top, *top.below)))

    def take_below(self, options: _Options, found: dict[str, WrittenSelection], name: str, price: Price) -> bool:
        """Take what may only be selected below something else: a bayonet on its rifle, "Ranged" of a Legionnaire."""
        for picked in list(found.values()):
            for choice in self.catalogue.below(picked.choice):
                if plain(choice.name) == plain(name) and choice.entry_id not in {
                    one.choice.entry_id for one in picked.below
                }:
                    picked.below.append(WrittenSelection(choice, name, 1, price))
                    return True
        for rank, pattern in other_names().ranks.items():
            top = options.by_name.get(plain(rank))
            for choice in self.catalogue.below(top) if top is not None else ():
                if top is not None and plain(pattern.format(chosen=choice.name)) == plain(name):
                    below = [WrittenSelection(choice, choice.name, 1, Price())]
                    found[top.entry_id] = WrittenSelection(top, top.name, 1, price, below)
                    return True
        return False

    def price_of(self, piece: ForceItem) -> Price:
        if piece.origin != "bought":
            return Price()
        offer = self.content.item_offers.get(piece.offer)
        return piece.paid or (offer.price if offer is not None else Price())


def _held(document: Mapping[str, Any]) -> Price:
    held = (document.get("record") or {}).get("strongbox") or {}
    return Price(ducats=int(held.get("ducats") or 0), glory=int(held.get("glory") or 0))


def _plus(*prices: Price) -> Price:
    return Price(ducats=sum(price.ducats for price in prices), glory=sum(price.glory for price in prices))


def _clean(text: str) -> str:
    return _UNWRITABLE.sub("", text)
