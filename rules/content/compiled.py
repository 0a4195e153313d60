"""A pack compiled for play: entries by id, offers per list, names resolved, house rules applied. Frozen and shared."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from rules.content import campaign_entries as ce
from rules.content import schema as s
from rules.content.extra import OFFERS, laid
from rules.content.house import HouseRules
from rules.content.names import keyword_base, keyword_stem, nearest, plain
from rules.content.spellings import keyword_names, list_spellings, named_entries, spellings
from rules.price import Price
from rules.translation import gettext
from rules.vocabulary import (
    BecomesEffect,
    ChooseEffect,
    CountsAsEffect,
    ItemTest,
    OpensOffersEffect,
    OpensPatronsEffect,
    PackStruct,
)

Entry = TypeVar("Entry", bound=PackStruct)
Made = TypeVar("Made")
Offered = TypeVar("Offered", s.ProfileOffer, s.ItemOffer, s.UpgradeOffer)

KINDS = (
    "list",
    "profile",
    "item",
    "upgrade",
    "skill",
    "trauma",
    "patron",
    "keyword",
    "ability",
    "scenario",
    "lasting",
    "location",
    "rule",
)


def freeze(value: Any) -> Any:
    """Return a JSON value as a hashable value."""
    if isinstance(value, Mapping):
        return tuple(sorted((str(k), freeze(x)) for k, x in value.items()))
    if isinstance(value, list | tuple | set | frozenset):
        return tuple(freeze(x) for x in value)
    return value


@dataclass(frozen=True, eq=False)
class ListContent:
    """One faction list or variant with everything it offers.

    `closed` says why it cannot be played here ("" if it can).
    """

    army: s.ArmyList
    faction: str
    rules: tuple[s.ListRule, ...]
    profile_offers: tuple[s.ProfileOffer, ...]
    item_offers: tuple[s.ItemOffer, ...]
    upgrade_offers: tuple[s.UpgradeOffer, ...]
    by_profile: Mapping[str, tuple[s.ProfileOffer, ...]]
    by_item: Mapping[str, tuple[s.ItemOffer, ...]]
    by_upgrade: Mapping[str, tuple[s.UpgradeOffer, ...]]
    excludes: Mapping[str, frozenset[str]]
    names: Mapping[str, Mapping[str, str]]
    profile_offer_ids: frozenset[str] = frozenset()
    item_offer_ids: frozenset[str] = frozenset()
    closed: str = ""
    shut: Mapping[str, str] = field(
        default_factory=dict
    )  # profiles, items and upgrades left out here -> "third-party", "banned" or "withdrawn"


@dataclass(frozen=True, eq=False)
class Content:
    """An edition under overlays and house rules.

    Tables are dicts by id; the caches inside do not count for equality.
    """

    pack: s.Pack
    house: HouseRules
    folders: tuple[Path, ...]  # where ready warbands lie
    overlays: tuple[str, ...]  # those taken, in their order
    lists: Mapping[str, ListContent]
    rules: Mapping[str, s.ListRule]
    keywords: Mapping[str, s.Keyword]
    abilities: Mapping[str, s.Ability]
    profiles: Mapping[str, s.ProfileEntry]
    profile_offers: Mapping[str, s.ProfileOffer]
    items: Mapping[str, s.ItemEntry]
    item_offers: Mapping[str, s.ItemOffer]
    upgrades: Mapping[str, s.Upgrade]
    upgrade_offers: Mapping[str, s.UpgradeOffer]
    skills: Mapping[str, s.Skill]
    skill_tables: Mapping[str, s.SkillTable]
    traumas: Mapping[str, ce.Trauma]
    locations: Mapping[str, ce.Location]
    lasting: Mapping[str, ce.Lasting]
    patrons: Mapping[str, ce.Patron]
    deeds: Mapping[str, ce.Deed]
    scenarios: Mapping[str, ce.Scenario]
    samples: Mapping[str, s.Sample]
    keyword_names: Mapping[str, str]  # any spelling used in the pack -> the printed name
    keyword_families: Mapping[str, str]  # common prefix of a family's keywords ("NEGATE ") -> the family's id
    item_keywords: Mapping[str, frozenset[str]]  # without parameters, stipulations of the armoury included
    any_price: Mapping[str, Price]  # price of an item on any list that has it, for finds that the own list lacks
    finds: Mapping[
        str, s.ItemOffer
    ]  # the offer through which a find that no list sells is held: its entry without lists
    stands_for: Mapping[str, frozenset[str]]  # item -> the other items it counts as
    swappable: Mapping[str, int]  # ducats that removable kit adds to its model's price
    names: Mapping[str, Mapping[str, str]]  # kind -> plain spelling -> id, over the whole edition
    display: Mapping[str, Mapping[str, str]]  # kind -> id -> name
    cache: dict[Any, Any] = field(default_factory=dict, repr=False)
    book_prices: Mapping[str, Price] = field(
        default_factory=dict
    )  # offer -> the price in the book, if house rules change it
    repriced: frozenset[str] = frozenset()  # offers whose price is or was changed: bought items keep the price paid
    own: frozenset[tuple[str, str]] = frozenset()  # (table, id) of the campaign's own entries

    def once(self, make: Callable[[Content], Made]) -> Made:
        """Return what `make` works out of this content. Cached after the first call."""
        if make not in self.cache:
            self.cache[make] = make(self)
        made: Made = self.cache[make]
        return made

    @property
    def game(self) -> str:
        """Return the game's id."""
        return self.pack.game

    @property
    def edition(self) -> str:
        """Return the edition's id."""
        return self.pack.edition

    @property
    def campaign(self) -> ce.CampaignNumbers:
        """Return the numbers of the campaign rules. Raises KeyError for an edition without any."""
        if self.pack.campaign is None:
            raise KeyError("campaign")
        return self.pack.campaign

    def reading(self, name: str, default: Any = None) -> Any:
        """Return the answer to an open question of the rules (see `rules.content.house.READINGS`).

        The campaign's setting comes first, then that of the edition.
        """
        if (
            name not in self.house.given
            and self.pack.campaign is not None
            and name in self.pack.campaign.rules.readings
        ):
            return self.pack.campaign.rules.readings[name]
        return self.house.readings.get(name, default)

    def keyword(self, text: str) -> str:
        """Return the printed name of a keyword given by name or id; an unknown one is returned unchanged."""
        return self.keyword_names.get(text) or self.keyword_names.get(plain(text)) or text

    def keyword_id(self, name: str) -> str:
        """Return the id of a keyword by its printed name (without its parameter), "" if it is not defined."""
        known = self.names["keyword"]
        found = known.get(plain(keyword_base(name))) or known.get(plain(name))
        return found or next((id_ for stem, id_ in self.keyword_families.items() if name.startswith(stem)), "")

    def resolve(self, kind: str, text: str, list_id: str = "") -> str | tuple[str, ...]:
        """Return the id for a name, short name or id; otherwise up to three similar names.

        Within a list its own entries come first: one name may belong to two profiles.
        """
        if exact := self.id_of(kind, text, list_id):
            return exact
        own = self.lists[list_id].names.get(kind, {}) if list_id in self.lists else {}
        found = nearest(text, own, self.display[kind]) if own else ()
        return found or nearest(text, self.names.get(kind, {}), self.display[kind])

    def id_of(self, kind: str, text: str, list_id: str = "") -> str:
        """Return the id for a name like `resolve`, or "" if there is none. Similar names, which take long, are not looked for."""
        spelling = plain(text)
        own = self.lists[list_id].names.get(kind, {}) if list_id in self.lists else {}
        return own.get(spelling) or self.names.get(kind, {}).get(spelling, "")

    def resolve_faction(self, text: str) -> str | tuple[str, ...]:
        """Return the id of a list like `resolve`; of a faction and a variant with the same name, the faction."""
        if text in self.lists:
            return text
        wanted = plain(text)
        for army in self.pack.lists:
            if not army.faction and wanted.removeprefix("the") in (plain(army.name), plain(army.short)):
                return army.id
        return self.resolve("list", text)

    def name(self, kind: str, id_: str) -> str:
        """Return the name of an entry, or its id if it has none."""
        return self.display.get(kind, {}).get(id_, id_)

    def faction(self, list_id: str) -> str:
        """Return the id of the faction that a list belongs to (its own id for a faction's own list)."""
        return self.lists[list_id].army.faction or list_id

    def trauma_at(self, number: int) -> ce.Trauma:
        """Return the trauma for this D66 number. Raises KeyError if the chart has a gap."""
        for trauma in self.pack.traumas:
            if trauma.first <= number <= trauma.last:
                return trauma
        raise KeyError(number)

    def offer_of(self, list_id: str, item: str) -> s.ItemOffer | None:
        """Return the offer of an item on a list: the entry bought with ducats if there are several.

        None if there is none.
        """
        entries = self.lists[list_id].by_item.get(item, ())
        return min(entries, key=lambda offer: (not offer.price.ducats, offer.id), default=None)

    def meets(self, test: ItemTest, item: s.ItemEntry) -> bool:
        """Return whether an item passes the parts of a test that concern the item itself.

        Its holder and the way it was bought do not matter.
        """
        keywords = self.item_keywords[item.id]
        return (
            test.item in ("", item.id)
            and test.category in ("", item.category)
            and test.slot in ("", item.slot)
            and (not test.group or test.group in item.groups)
            and (not test.keyword or self.keyword(test.keyword) in keywords)
            and (not test.lacks_keyword or self.keyword(test.lacks_keyword) not in keywords)
            and (item.weapon or not test.weapon)
        )

    def hire_price(self, offer: s.ProfileOffer | s.ItemOffer) -> Price:
        """Return the price of hiring through this entry, including the removable kit that comes with it."""
        profile = self.profiles.get(offer.profile) if isinstance(offer, s.ProfileOffer) else None
        more = sum(kit.adds_ducats for kit in profile.kit) if profile is not None else 0
        return Price(offer.price.ducats + more, offer.price.glory) if more else offer.price

    def limit_of(self, limit: int | None, *ids: str) -> int | None:
        """Return a limit after house rules; the first of `ids` with a house limit decides."""
        if self.house.limits:
            for id_ in ids:
                if id_ in self.house.limits:
                    return self.house.limits[id_]
        return limit


def patrons_of(content: Content, army: s.ArmyList) -> tuple[str, ...]:
    """Return the patrons a list may follow, including those opened by a rule that it may choose."""
    return tuple(dict.fromkeys((*army.patrons, *(patron for patron, _ in _opened(content, army)))))


def opener_of(content: Content, army: s.ArmyList, patron: str) -> str:
    """Return the name of the list's rule or choice that opens this patron, "" if none does."""
    return next((rule.name for opened, rule in _opened(content, army) if opened == patron), "")


def _opened(content: Content, army: s.ArmyList) -> Iterator[tuple[str, s.ListRule]]:
    rules = [content.rules[r] for r in army.rules if r in content.rules]
    asked = [e for part in (army.choices, *(r.effects for r in rules)) for e in part if isinstance(e, ChooseEffect)]
    rules += [content.rules[r] for e in asked if e.of == "list-rule" for r in e.options if r in content.rules]
    for rule in rules:
        for effect in rule.effects:
            if isinstance(effect, OpensPatronsEffect):
                for patron in effect.patrons:
                    yield patron, rule


def _by_id(entries: Iterable[Entry]) -> dict[str, Entry]:
    return {entry.id: entry for entry in entries}  # type: ignore[attr-defined]


def _grouped(offers: Iterable[Offered], attribute: str) -> dict[str, tuple[Offered, ...]]:
    found: dict[str, list[Offered]] = {}
    for offer in offers:
        found.setdefault(str(getattr(offer, attribute)), []).append(offer)
    return {key: tuple(entries) for key, entries in found.items()}


_INDEXED = (
    "rules", "keywords", "abilities", "profiles", "profile_offers", "items", "item_offers", "upgrades", "upgrade_offers", "skills",
    "skill_tables", "traumas", "locations", "lasting", "patrons", "deeds", "scenarios", "samples",
)  # fmt: skip


def _keywords_of_item(item: s.ItemEntry, printed: Mapping[str, str]) -> frozenset[str]:
    """Return the keywords of an item, those that the armoury adds included, as they are printed."""
    bases = (keyword_base(keyword) for keyword in (*item.keywords, *item.stipulations))
    return frozenset(printed.get(plain(base), base) for base in bases)


def _swappable(pack: s.Pack) -> dict[str, int]:
    """Return the items that profiles bring and may give up, and what they are then worth."""
    kits = (kit for profile in pack.profiles for kit in profile.kit if not kit.fixed)
    return {item: kit.adds_ducats for kit in kits for item in kit.items}


def compile_content(
    pack: s.Pack, house: HouseRules, folders: tuple[Path, ...] = (), overlays: tuple[str, ...] = ()
) -> Content:
    """Return the pack under these house rules, indexed for play."""
    over = laid(pack, house.extra, house.withdrawn, house.prices)
    pack = over.pack
    if over.gone:
        house = replace(house, banned=house.banned | over.gone, gone=over.gone)
    known = over.with_held
    tables: dict[str, Any] = {name: _by_id(getattr(known, name)) for name in _INDEXED}
    printed = keyword_names(pack)
    named = named_entries(known)
    content = Content(
        **tables,
        pack=pack,
        house=house,
        folders=folders,
        overlays=overlays,
        lists={},
        keyword_names=printed,
        keyword_families={stem: k.id for k in pack.keywords if (stem := keyword_stem(k.name))},
        item_keywords={item.id: _keywords_of_item(item, printed) for item in pack.items},
        any_price=_lowest_prices(pack),
        stands_for=_stands_for(pack),
        finds=_finds(pack),
        swappable=_swappable(pack),
        names={kind: spellings(entries) for kind, entries in named.items()} | {"list": list_spellings(pack)},
        display={kind: {e.id: e.name for e in entries} for kind, entries in named.items()},
        book_prices=over.book_prices or {},
        repriced=_repriced(pack, house),
        own=over.own,
    )
    spelled = content.names["upgrade"]
    assert isinstance(spelled, dict)
    # an upgrade has another name on some lists: known everywhere, open where it is offered
    for entry in pack.upgrade_offers:
        if entry.name:
            spelled.setdefault(plain(entry.name), entry.upgrade)
    object.__setattr__(content, "lists", {army.id: _compile_list(content, army) for army in pack.lists})
    return content


def _lowest_prices(pack: s.Pack) -> dict[str, Price]:
    """Return the lowest price of each item on any list; a third party's price counts only if nobody else sells the item."""
    official = {offer.item for offer in pack.item_offers if not offer.third_party}
    lowest: dict[str, Price] = {}
    for offer in pack.item_offers:
        if not (offer.third_party and offer.item in official):
            known = lowest.setdefault(offer.item, offer.price)
            lowest[offer.item] = min(known, offer.price, key=lambda price: (price.glory, price.ducats))
    return lowest


def _stands_for(pack: s.Pack) -> dict[str, frozenset[str]]:
    """Return the items that count as other items, with those."""
    found = {i.id: frozenset(e.item for e in i.effects if isinstance(e, CountsAsEffect) and e.item) for i in pack.items}
    return {item: others for item, others in found.items() if others}


def _finds(pack: s.Pack) -> dict[str, s.ItemOffer]:
    """Return the entries without lists by item, but not those that an effect opens to be bought."""
    tables = (pack.skills, pack.lasting, pack.rules, pack.items, pack.upgrades)
    effects = [effect for table in tables for entry in table for effect in entry.effects]
    opened = {id_ for effect in effects if isinstance(effect, OpensOffersEffect) for id_ in effect.offers}
    return {o.item: o for o in pack.item_offers if not o.lists and o.id not in opened}


def _repriced(pack: s.Pack, house: HouseRules) -> frozenset[str]:
    """Return the offers whose price the campaign changes now or changed earlier."""
    named = house.priced.union(house.prices)
    return frozenset(
        o.id
        for table, attribute in OFFERS.items()
        for o in (getattr(pack, table) if named else ())
        if o.id in named or getattr(o, attribute) in named
    )


def _compile_list(content: Content, army: s.ArmyList) -> ListContent:
    """Return a list with the entries that are open to it under the house rules."""
    pack = content.pack
    profile_offers = tuple(
        o
        for o in pack.profile_offers
        if _is_open(content.house, army, o, o.profile) and (army.mercenaries or o.hired_as != "mercenary")
    )
    item_offers = tuple(o for o in pack.item_offers if _is_open(content.house, army, o, o.item))
    upgrade_offers = tuple(o for o in pack.upgrade_offers if _is_open(content.house, army, o, o.upgrade))
    return ListContent(
        army=army,
        faction=army.faction or army.id,
        rules=tuple(content.rules[r] for r in army.rules if r in content.rules),
        profile_offers=profile_offers,
        item_offers=item_offers,
        upgrade_offers=upgrade_offers,
        by_profile=_grouped(profile_offers, "profile"),
        by_item=_grouped(item_offers, "item"),
        by_upgrade=_grouped(upgrade_offers, "upgrade"),
        excludes=_excludes(upgrade_offers),
        names=_list_names(content, army, profile_offers, item_offers, upgrade_offers),
        profile_offer_ids=frozenset(o.id for o in profile_offers),
        item_offer_ids=frozenset(o.id for o in item_offers),
        closed=_why_closed(content.house, army),
        shut={
            **_shut(content.house, army, profile_offers, pack.profile_offers, "profile", content.profiles),
            **_shut(content.house, army, item_offers, pack.item_offers, "item", content.items),
            **_shut(content.house, army, upgrade_offers, pack.upgrade_offers, "upgrade", content.upgrades),
        },
    )


def _is_open(house: HouseRules, army: s.ArmyList, offer: Any, entry: str) -> bool:
    """Return whether the list has this offer: neither banned nor from a third party that is left out."""
    ids = (offer.id, entry)
    if army.id not in offer.lists or not house.banned.isdisjoint(ids):
        return False
    return not offer.third_party or house.third_party or army.third_party or not house.allowed.isdisjoint(ids)


def _shut(
    house: HouseRules,
    army: s.ArmyList,
    open_offers: Iterable[Any],
    offers: Iterable[Any],
    field_name: str,
    entries: Mapping[str, Any],
) -> dict[str, str]:
    """Return what is not open to the list, with the reason: "third-party", "banned" by a house rule, or "withdrawn"."""
    open_entries = {getattr(offer, field_name) for offer in open_offers}
    shut = {}
    for offer in offers:
        entry = getattr(offer, field_name)
        if army.id not in offer.lists or entry in open_entries:
            continue
        is_left_out = offer.third_party and not (house.third_party or not house.allowed.isdisjoint((offer.id, entry)))
        if is_left_out and not army.third_party and not getattr(entries.get(entry), "third_party", False):
            continue  # an ordinary entry that only a third party's offer would sell here
        withdrawn = not house.gone.isdisjoint((offer.id, entry))
        shut[entry] = "third-party" if is_left_out else "withdrawn" if withdrawn else "banned"
    return shut


def _excludes(upgrade_offers: Iterable[s.UpgradeOffer]) -> dict[str, frozenset[str]]:
    """Return the upgrades that exclude each other, whichever of the two says so."""
    pairs = [(offer.upgrade, other) for offer in upgrade_offers for other in offer.excludes]
    excludes: dict[str, set[str]] = {}
    for one, other in (*pairs, *((b, a) for a, b in pairs)):
        excludes.setdefault(one, set()).add(other)
    return {upgrade: frozenset(others) for upgrade, others in excludes.items()}


def _list_names(
    content: Content,
    army: s.ArmyList,
    profile_offers: Iterable[s.ProfileOffer],
    item_offers: Iterable[s.ItemOffer],
    upgrade_offers: Sequence[s.UpgradeOffer],
) -> dict[str, dict[str, str]]:
    """Return the spellings by which a roster of the list may name its entries: plain spelling -> id, by kind."""
    profiles = _known(content.profiles, (o.profile for o in profile_offers))
    found = _known(content.profiles, (o.profile for o in content.pack.profile_offers if not o.lists))
    kit = itertools.chain.from_iterable(itertools.chain(k.items, *k.one_of) for p in profiles for k in p.kit)
    upgrades = _known(content.upgrades, (o.upgrade for o in upgrade_offers))
    options = _known(content.upgrades, (option for u in upgrades for option in u.options))
    own_names = {plain(o.name): o.upgrade for o in upgrade_offers if o.name}
    turned = (e.profile for u in upgrades for e in u.effects if isinstance(e, BecomesEffect))
    return {
        "profile": spellings(found)
        | spellings(_known(content.profiles, turned))
        | spellings(profiles),  # a name on the list takes precedence over the id of a find
        "item": spellings(_known(content.items, (*(o.item for o in item_offers), *kit))),
        "upgrade": own_names | spellings((*upgrades, *options)),
        "patron": spellings(_known(content.patrons, patrons_of(content, army))),
    }


def _known(entries: Mapping[str, Entry], ids: Iterable[str]) -> list[Entry]:
    return [entries[id_] for id_ in ids if id_ in entries]


def _why_closed(house: HouseRules, army: s.ArmyList) -> str:
    """Return why the list cannot be played here, "" if it can."""
    if army.third_party and not house.third_party and army.id not in house.allowed:
        return gettext("{army} comes from a third party and is left out here.").format(army=army.name)
    if army.id in house.gone:
        return gettext("{army} is not in these rules. It stays as a list of its own.").format(army=army.name)
    if army.id in house.banned or army.faction in house.banned:
        return gettext("{army} is left out by a house rule.").format(army=army.name)
    return ""
