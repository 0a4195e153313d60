"""The rules browser of Trench Crusade: every entry of a pack, and each of them told whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules import vocabulary as v
from rules.browse import RuleDetail, RuleEntry, RuleFact, RuleRef, RuleTable, in_words, named
from rules.content import schema as s
from rules.content.compiled import Content
from rules.content.graph import Mention, mentions
from rules.eligibility import holder_words
from rules.formatting import listed, number, short_price
from rules.price import Price
from rules.trench_crusade import automation

KIND_OF = {
    "lists": "list", "profiles": "profile", "items": "item", "upgrades": "upgrade", "abilities": "ability", "keywords": "keyword",
    "skills": "skill", "traumas": "trauma", "rules": "rule", "locations": "location", "reference": "reference", "lasting": "lasting",
    "patrons": "patron", "deeds": "deed", "scenarios": "scenario", "skill_tables": "skill-table", "random_parts": "random-part",
}  # fmt: skip
TABLE_OF = {kind: table for table, kind in KIND_OF.items()}
OFFERED = {
    "profile_offers": ("profiles", "profile"),
    "item_offers": ("items", "item"),
    "upgrade_offers": ("upgrades", "upgrade"),
}
CATEGORIES = (
    ("ranged", "Ranged weapons"),
    ("melee", "Melee weapons"),
    ("armour", "Armour"),
    ("equipment", "Equipment"),
    ("field", "In the field"),
)
RARITIES = (("common", "Common locations"), ("rare", "Rare locations"), ("legendary", "Legendary locations"))
PARTS = (("deployment", "Random deployment"), ("objective", "Random objectives"), ("special", "Random special rules"))
ROLES = {"elite": "ELITE", "troop": "troop", "mercenary": "mercenary", "special": "special"}
ADVANCEMENT = {
    "full": "gains experience in full",
    "limited": "limited potential",
    "none": "gains none",
    "animal": "gains none",
}
FAR = 60  # partners of an item that are told by name; more would be most of the armoury


def entries_of(content: Content) -> tuple[RuleEntry, ...]:
    """Everything with a name, for search and links, by kind and name. Kept with the content."""
    kept: tuple[RuleEntry, ...] | None = content.cache.get("entries")
    if kept is None:
        kept = content.cache["entries"] = tuple(
            replace(entry, own=True) if (TABLE_OF.get(entry.kind, ""), entry.id) in content.own else entry
            for entry in _entries(content)
        )
    return kept


def _entries(content: Content) -> Iterable[RuleEntry]:
    pack = content.pack
    own_rules = {rule for army in pack.lists if not army.third_party for rule in army.rules}
    of_others = {rule for army in pack.lists if army.third_party for rule in army.rules} - own_rules
    called: dict[str, list[str]] = {}
    for offer in pack.upgrade_offers:
        if offer.name:
            called.setdefault(offer.upgrade, []).append(offer.name)
    for army in pack.lists:
        yield RuleEntry("list", army.id, army.name, army.temper, army.name, _also(army), army.third_party)
    for kind, table in (
        ("profile", pack.profiles), ("item", pack.items), ("upgrade", pack.upgrades), ("ability", pack.abilities),
        ("keyword", pack.keywords), ("skill", pack.skills), ("trauma", pack.traumas), ("rule", pack.rules),
        ("location", pack.locations), ("reference", pack.reference),
    ):  # fmt: skip
        for entry in table:
            also = (*_also(entry), *(dict.fromkeys(called.get(entry.id, ())) if kind == "upgrade" else ()))
            foreign = getattr(entry, "third_party", False) or (kind == "rule" and entry.id in of_others)
            yield RuleEntry(kind, entry.id, entry.name, entry.summary, entry.source, also, foreign)
    for lasting in pack.lasting:
        yield RuleEntry("lasting", lasting.id, lasting.name, lasting.summary)
    for patron in pack.patrons:
        skills = listed(content.name("skill", x) for x in patron.skills)
        yield RuleEntry("patron", patron.id, patron.name, patron.summary or f"Skills: {skills}.")
    for deed in pack.deeds:
        yield RuleEntry("deed", deed.id, deed.name, deed.summary)
    for scenario in pack.scenarios:
        yield RuleEntry("scenario", scenario.id, scenario.name, scenario.summary)
    for table_ in pack.skill_tables:
        names = listed(content.name("skill", r.skill) if r.skill else "a patron skill" for r in table_.rows)
        yield RuleEntry("skill-table", table_.id, table_.name, names)
    for part in pack.random_parts:
        yield RuleEntry("random-part", part.id, part.name, part.summary)
    for key, name, words in _charts(content):
        yield RuleEntry("table", key, name, words)


def _also(entry: Any) -> tuple[str, ...]:
    short = getattr(entry, "short", "")
    return (short,) if short else ()


def _charts(content: Content) -> Iterable[tuple[str, str, str]]:
    """The tables of the edition that are no entries themselves: id, name, what they are for."""
    pack = content.pack
    if pack.traumas:
        yield "trauma-chart", "Trauma chart", "What a D66 does to an ELITE fighter that was taken out."
    for rarity, name in RARITIES:
        if any(place.rarity == rarity for place in pack.locations):
            yield f"{rarity}-locations", name, "What the exact total of an exploration finds."
    if pack.campaign is not None:
        yield "battle-limits", "Thresholds and field strengths", "What each battle of a campaign allows."
        yield (
            "exploration-dice",
            "Exploration dice",
            "How many dice are rolled, and which tables are open, by battles fought.",
        )
        for stage in pack.campaign.stages:
            yield (
                f"scenarios-{stage.id}",
                f"Scenarios, {stage.name}",
                f"What is played in battles {_span(stage.first_battle, stage.last_battle)}.",
            )
    for kind, name in PARTS:
        if any(part.kind == kind for part in pack.random_parts):
            yield f"random-{kind}", name, "A part of the scenario that is put together by dice."


# --- one entry -------------------------------------------------------------------------------------------------------------------


def detail_of(content: Content, kind: str, id_: str) -> RuleDetail | None:
    """One entry in full, None where the edition has none of this kind and id. Worked out once per content."""
    kept: dict[tuple[str, str], RuleDetail] = content.cache.setdefault("details", {})
    found = kept.get((kind, id_))
    if found is None:
        entry = _entry(content, kind, id_)
        if entry is None:
            return None
        found = kept[kind, id_] = TELLERS[kind](content, entry)
    return found


def _entry(content: Content, kind: str, id_: str) -> Any:
    if kind == "table":
        return next((id_ for key, _, _ in _charts(content) if key == id_), None)
    table = TABLE_OF.get(kind)
    return next((entry for entry in getattr(content.pack, table) if entry.id == id_), None) if table else None


def _ref(content: Content, table: str, id_: str, note: str = "") -> RuleRef:
    kind = KIND_OF[table]
    name = (
        next((x.name for x in getattr(content.pack, table) if x.id == id_), id_)
        if kind not in content.display
        else content.name(kind, id_)
    )
    return RuleRef(name, kind, id_, note)


class _Telling:
    """A detail in the making: facts, tables and figures in the order in which they are told."""

    def __init__(self, content: Content, entry: Any) -> None:
        self.content, self.entry = content, entry
        self.facts: list[RuleFact] = []
        self.tables: list[RuleTable] = []
        self.figures: dict[str, str | tuple[str, ...]] = {}
        self.house: list[str] = []
        self.told: set[tuple[str, str]] = set()
        summary = getattr(entry, "summary", "") or getattr(entry, "temper", "")
        if summary:
            self.figures["In our words"] = summary

    def fact(self, label: str, values: Sequence[RuleRef] | str, *, figure: bool = True) -> None:
        """A fact, compared between editions unless it is no `figure`. Nothing is said of nothing."""
        refs = named(values) if isinstance(values, str) else tuple(dict.fromkeys(values))
        if not refs or (isinstance(values, str) and not values):
            return
        self.facts.append(RuleFact(label, refs))
        self.told.update((ref.kind, ref.id) for ref in refs if ref.kind)
        if figure:
            self.figures[label] = in_words(refs)

    def table(self, caption: str, heads: Sequence[str], rows: Iterable[Sequence[Sequence[RuleRef] | str]]) -> None:
        """A table with a cell for each head."""
        cells = tuple(tuple(named(c) if isinstance(c, str) else tuple(c) for c in row) for row in rows)
        if cells:
            self.tables.append(RuleTable(caption, tuple(heads), cells))

    def refs(self, table: str, ids: Iterable[str], notes: Mapping[str, str] | None = None) -> tuple[RuleRef, ...]:
        """Entries of one table."""
        return tuple(_ref(self.content, table, id_, (notes or {}).get(id_, "")) for id_ in dict.fromkeys(ids))

    def by(self, table: str, id_: str) -> tuple[Mention, ...]:
        """Everything that names an entry."""
        return mentions(self.content).get((table, id_), ())

    def done_by(self, how: tuple[str, bool]) -> None:
        """Who applies it: the app, the table, or both."""
        who, besides = how
        words = {"app": "done here once it is written down", "sheet": "a reminder on the sheet"}.get(who, "")
        self.fact("In the app", f"{words}; the rest stands on the sheet" if besides else words, figure=False)

    def done(self) -> RuleDetail:
        """The detail."""
        return RuleDetail(
            tuple(self.facts),
            tuple(self.tables),
            self.figures,
            tuple(dict.fromkeys(self.house)),
            getattr(self.entry, "third_party", False),
        )

    # what many kinds have in common

    def keywords(self, label: str, names: Iterable[str]) -> None:
        """Keywords as printed, each with its page."""
        content = self.content
        self.fact(
            label,
            [
                RuleRef(name, "keyword" if (known := content.keyword_id(name)) else "", known)
                for name in map(content.keyword, names)
            ],
        )

    def offers(self, caption: str, offers: Sequence[Any], words: Callable[[Any], tuple[str, str]]) -> None:
        """Where and for how much it is to be had: lists that share price, limit and condition stand in one row."""
        content = self.content
        order = {army.id: place for place, army in enumerate(content.pack.lists)}
        rows: dict[tuple[str, str, str], list[str]] = {}
        for offer in offers:
            most, who = words(offer)
            price = short_price(offer.price)
            before = content.book_prices.get(offer.id)
            if before is not None:
                price += f" (house rule; the book: {short_price(before)})"
            for list_id in offer.lists:
                if list_id in order:
                    shut = content.lists[list_id].shut.get(_offered(offer), "")
                    said = f"{who}; left out by a house rule" if shut == "banned" else who
                    rows.setdefault((price, most, said.removeprefix("; ")), []).append(list_id)
                    line = ", ".join(part for part in (short_price(offer.price), most and f"LIMIT {most}", who) if part)
                    label = _list_name(content, list_id)
                    known = self.figures.get(label)
                    self.figures[label] = (
                        f"{known}; or {line}" if isinstance(known, str) and line not in known else line
                    )
        self.table(
            caption,
            ("Lists", "Price", "Limit", "For"),
            (
                (
                    [_list_ref(content, x) for x in sorted(lists, key=lambda x: order[x])],
                    price,
                    most or "any",
                    who or "anyone",
                )
                for (price, most, who), lists in sorted(rows.items(), key=lambda row: min(order[x] for x in row[1]))
            ),
        )

    def named_by(self, table: str, id_: str, *, skip: Iterable[str] = ()) -> None:
        """What else names it, by kind; what was told already is left out."""
        skipped = {*skip}
        found: dict[str, dict[RuleRef, None]] = {}
        for mention in self.by(table, id_):
            place, entry = mention.table, mention.entry.id
            if place in OFFERED:
                place, attribute = OFFERED[place]
                entry = getattr(mention.entry, attribute)
            if (
                place in skipped
                or place not in KIND_OF
                or (KIND_OF[place], entry) in self.told
                or (place, entry) == (table, id_)
            ):
                continue
            found.setdefault(place, {})[_ref(self.content, place, entry)] = None
        refs = [ref for place in KIND_OF for ref in found.get(place, ())]
        self.fact("Named by", refs, figure=False)


def _offered(offer: Any) -> str:
    return str(getattr(offer, "item", "") or getattr(offer, "profile", "") or getattr(offer, "upgrade", ""))


def _list_name(content: Content, id_: str) -> str:
    army = content.lists[id_].army
    base = content.lists.get(army.faction)
    return f"{base.army.short or base.army.name}, {army.name}" if base else army.name


def _list_ref(content: Content, id_: str) -> RuleRef:
    return RuleRef(
        content.lists[id_].army.name, "list", id_, "third-party" if content.lists[id_].army.third_party else ""
    )


def _span(first_: int, last: int | None) -> str:
    if last is None:
        return f"from {first_} on"
    return str(first_) if first_ == last else f"{first_} to {last}"


def _dice(value: int | None) -> str:
    return "none" if value is None else f"{value:+d} DICE".replace("-", "−")


def _limit(content: Content, limit: int | None, *ids: str) -> str:
    now = content.limit_of(limit, *ids)
    words = "" if now is None else str(now)
    return f"{words} (house rule; the book: {'any' if limit is None else limit})" if now != limit else words


def _from(least: int, most: str) -> str:
    """A number from at least to at most, as far as it is bounded."""
    if not least:
        return most
    return f"exactly {least}" if most == str(least) else f"{least} to {most}" if most else f"{least} or more"


def _cap(content: Content, cap: v.Cap) -> str:
    if isinstance(cap, v.CapRises):
        return f"{cap.most} once the threshold reaches {cap.threshold_ducats}"
    if isinstance(cap, v.CapHalf):
        return f"half as many as {content.name('profile', cap.profile)}"
    if isinstance(cap, v.CapMatch):
        return f"as many as {content.name('profile', cap.profile)}"
    if isinstance(cap, v.CapAfter):
        offer = content.profile_offers.get(cap.offer)
        return f"after a first {content.name('profile', offer.profile)}" if offer else ""
    if isinstance(cap, v.CapOutnumbered):
        return "fewer than the others"
    return ""


def _with_own(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _profile(content: Content, profile: s.ProfileEntry) -> RuleDetail:
    tell, line = _Telling(content, profile), profile.statline
    tell.fact("Movement", f"{line.movement_inches}″ {line.movement}")
    tell.fact("Ranged", _dice(line.ranged))
    tell.fact("Melee", _dice(line.melee))
    tell.fact("Armour", str(line.armour).replace("-", "−"))
    tell.fact("Base", f"{'/'.join(str(mm) for mm in line.base_mm)} mm")
    tell.fact("Role", ROLES[profile.role])
    tell.keywords("Keywords", profile.keywords)
    tell.fact("Abilities", tell.refs("abilities", profile.abilities))
    for kit in profile.kit:
        on_top = f" ({short_price(Price(ducats=kit.adds_ducats))} on top)" if kit.adds_ducats else ""
        tell.fact("Comes with" if kit.fixed else f"Comes with, to swap{on_top}", tell.refs("items", kit.items))
        if kit.one_of:
            choices = [
                RuleRef(listed(content.name("item", x) for x in group), "item", group[0])
                for group in kit.one_of
                if group
            ]
            tell.fact("Picks one of" + (" for each battle" if kit.each_battle else ""), choices)
    if not profile.may_buy:
        tell.fact("Kit", "buys none")
    tell.fact("Experience", ADVANCEMENT[profile.advancement])
    offers = [o for o in content.pack.profile_offers if o.profile == profile.id]

    def words(offer: s.ProfileOffer) -> tuple[str, str]:
        most = _limit(content, offer.most, offer.id, offer.profile)
        if offer.least:
            most = _from(offer.least, most)
        caps = [_cap(content, cap) for cap in offer.caps]
        return _with_own(most, *caps), _with_own(
            "may lead" if offer.leader else "",
            "mercenary" if offer.hired_as == "mercenary" else "",
            "third-party" if offer.third_party else "",
        )

    tell.offers("Hired by", offers, words)
    upgrades = {x.entry.upgrade for x in tell.by("profiles", profile.id) if x.table == "upgrade_offers"}
    tell.fact(
        "Upgrades of its own",
        tell.refs("upgrades", sorted(upgrades, key=lambda x: content.name("upgrade", x))),
        figure=False,
    )
    kept = {x.entry.item for x in tell.by("profiles", profile.id) if x.table == "item_offers"}
    tell.fact(
        "Kit that speaks of it", tell.refs("items", sorted(kept, key=lambda x: content.name("item", x))), figure=False
    )
    tell.named_by("profiles", profile.id)
    return tell.done()


SLOTS = {
    "ranged-weapon": "",
    "melee-weapon": "",
    "standard": "standard",
    "instrument": "instrument",
    "none": "",
    "field": "",
}


def _item(content: Content, item: s.ItemEntry) -> RuleDetail:
    tell = _Telling(content, item)
    tell.fact(
        "Kind",
        _with_own(
            item.category,
            SLOTS.get(item.slot, item.slot) if item.slot != item.category else "",
            "built in" if item.built_in else "",
        ),
    )
    tell.fact("Range", f"{item.range_inches}″" if item.range_inches is not None else item.range_words)
    hands = [
        f"{words} {count}"
        for words, count in (("shooting", item.hands.ranged), ("fighting", item.hands.melee))
        if count
    ]
    tell.fact("Hands", ", ".join(hands))
    tell.keywords("Keywords", item.keywords)
    known = {x.name.casefold(): x.id for x in content.pack.reference}
    tell.fact(
        "The armoury adds",
        [
            RuleRef(x, "reference" if x.casefold() in known else "", known.get(x.casefold(), ""))
            for x in item.stipulations
        ],
    )
    tell.fact("At the table", "; ".join(x.replace("-", "−", 1) if x.startswith("-") else x for x in item.modifiers))

    def words(offer: s.ItemOffer) -> tuple[str, str]:
        who = holder_words(offer.who, content, offer.who_words)
        own = f"hands: shooting {offer.hands.ranged}, fighting {offer.hands.melee}" if offer.hands is not None else ""
        found = "only once exploration opened it" if offer.exploration_only else ""
        return _limit(content, offer.limit, offer.id, offer.item), _with_own(
            "" if who == "anyone" else who, own, found, "third-party" if offer.third_party else ""
        )

    tell.offers("Sold by", [o for o in content.pack.item_offers if o.item == item.id], words)
    tell.fact("Works with", tell.refs("items", partners(content).get(item.id, ())))
    carriers = [x.entry.id for x in tell.by("items", item.id) if x.table == "profiles" and x.owner is s.KitSet]
    tell.fact("Comes with", tell.refs("profiles", carriers))
    tell.named_by("items", item.id)
    return tell.done()


def partners(content: Content) -> Mapping[str, tuple[str, ...]]:
    """By item, the items that it works with: what it fits on, what fits on it, what it changes, a shield and what goes beside it."""
    kept: dict[str, tuple[str, ...]] | None = content.cache.get("partners")
    if kept is None:
        pairs: dict[str, dict[str, None]] = {}

        def pair(one: str, others: Iterable[s.ItemEntry]) -> None:
            known = [other.id for other in others if other.id != one]
            if len(known) <= FAR:
                for other in known:
                    pairs.setdefault(one, {})[other] = None
                    pairs.setdefault(other, {})[one] = None

        items = content.pack.items
        for item in items:
            groups = {g for e in item.effects if isinstance(e, v.AttachesEffect) for g in e.groups}
            if groups:
                pair(item.id, [x for x in items if groups & set(x.groups)])
            else:
                tests = [t for e in item.effects if isinstance(e, v.ItemKeywordEffect | v.RangeEffect) for t in e.items]
                pair(item.id, [x for x in items if any(_meets(content, test, x) for test in tests)])
            entries = [o for o in content.pack.item_offers if o.item == item.id]
            asked = [t for o in entries for t in (*o.who.only_for, *o.who.and_also)]
            for trait in asked:
                if trait.item or trait.item_group or trait.item_keyword:
                    pair(item.id, [x for x in items if _asked(content, trait, x)])
            if item.slot == "shield":
                pair(item.id, [x for x in items if "SHIELD COMBO" in content.item_keywords[x.id] and x.weapon])
        names = {item.id: item.name for item in items}
        kept = {one: tuple(sorted(others, key=lambda x: names[x])) for one, others in pairs.items()}
        content.cache["partners"] = kept
    return kept


def _asked(content: Content, trait: v.Trait, item: s.ItemEntry) -> bool:
    """Whether carrying this item is what an entry asks of its holder."""
    return (
        trait.item in ("", item.id)
        and (not trait.item_group or trait.item_group in item.groups)
        and (not trait.item_keyword or content.keyword(trait.item_keyword) in content.item_keywords[item.id])
    )


def _meets(content: Content, test: v.ItemTest, item: s.ItemEntry) -> bool:
    """Whether an item passes what a test asks of the piece itself."""
    has = content.item_keywords[item.id]
    return (
        test.item in ("", item.id)
        and test.category in ("", item.category)
        and test.slot in ("", item.slot)
        and (not test.group or test.group in item.groups)
        and (not test.keyword or content.keyword(test.keyword) in has)
        and not (test.lacks_keyword and content.keyword(test.lacks_keyword) in has)
        and (not test.weapon or item.weapon)
    )


def _upgrade(content: Content, upgrade: s.Upgrade) -> RuleDetail:
    tell = _Telling(content, upgrade)
    tell.fact("Kind", upgrade.category.replace("-", " "))
    offers = [o for o in content.pack.upgrade_offers if o.upgrade == upgrade.id]
    tell.fact("Also called", ", ".join(dict.fromkeys(o.name for o in offers if o.name)), figure=False)
    tell.fact("Picks one of", tell.refs("upgrades", upgrade.options))

    def words(offer: s.UpgradeOffer) -> tuple[str, str]:
        who = holder_words(offer.who, content)
        rest = []
        for label, ids in (("needs", offer.needs), ("not with", offer.excludes)):
            if ids:
                rest.append(f"{label} {listed(content.name('upgrade', x) for x in ids)}")
        caps = [_cap(content, cap) for cap in offer.caps]
        return _with_own(_limit(content, offer.limit, offer.id, offer.upgrade), *caps), _with_own(
            "" if who == "anyone" else who,
            *rest,
            "at any time" if offer.any_time else "",
            "third-party" if offer.third_party else "",
        )

    tell.offers("Taken by", offers, words)
    tell.named_by("upgrades", upgrade.id)
    return tell.done()


def _skill(content: Content, skill: s.Skill) -> RuleDetail:
    tell = _Telling(content, skill)
    rows = [
        RuleRef(
            table.name,
            "skill-table",
            table.id,
            f"on {listed((str(r.roll) for r in table.rows if r.skill == skill.id), 'or')}",
        )
        for table in content.pack.skill_tables
        if any(r.skill == skill.id for r in table.rows)
    ]
    tell.fact("Rolled for", rows)
    tell.fact("Patrons", tell.refs("patrons", (p.id for p in content.pack.patrons if skill.id in p.skills)))
    if skill.kind == "exploration":
        tell.fact("Kind", "for exploring")
    tell.done_by(automation.of_skill(content, skill))
    if skill.most is not None:
        tell.fact("Held by", f"at most {number(skill.most)} of a warband")
    tell.named_by("skills", skill.id)
    return tell.done()


def _trauma(content: Content, trauma: s.Trauma) -> RuleDetail:
    tell = _Telling(content, trauma)
    tell.fact("D66", str(trauma.first) if trauma.first == trauma.last else f"{trauma.first} to {trauma.last}")
    scar = "one battle scar" if trauma.scar else "none"
    tell.fact("Scar", f"{scar}, may be suffered again" if trauma.scar and trauma.repeatable else scar)
    tell.done_by(automation.of_trauma(trauma))
    tell.fact("Table", [RuleRef("Trauma chart", "table", "trauma-chart")], figure=False)
    tell.named_by("traumas", trauma.id)
    return tell.done()


def _who_may(content: Content, option: s.LocationOption) -> list[RuleRef]:
    refs = [_list_or_name(content, x) for x in option.lists]
    refs += [_list_or_name(content, x, "not for ") for x in option.not_lists]
    return refs or [RuleRef("anyone")]


def _list_or_name(content: Content, id_: str, before: str = "") -> RuleRef:
    if id_ in content.lists:
        return RuleRef(f"{before}{content.lists[id_].army.name}", "list", id_)
    other = next((x.name for x in content.pack.other_lists if x.id == id_), id_)
    return RuleRef(f"{before}{other}")


def _location(content: Content, place: s.Location) -> RuleDetail:
    tell = _Telling(content, place)
    tell.fact("Table", [RuleRef(dict(RARITIES)[place.rarity], "table", f"{place.rarity}-locations")])
    tell.fact("Found with", f"a total of {place.score}")
    tell.table(
        "Choose one" if len(place.options) > 1 else "What it gives",
        ("Way", "What it gives", "For"),
        ((option.name, option.summary, _who_may(content, option)) for option in place.options),
    )
    for option in place.options:
        who = listed(x.words for x in _who_may(content, option) if x.kind)
        tell.figures[option.name] = f"{option.summary} ({who})" if who else option.summary
    lasting = [
        e.lasting
        for part in (place.rewards, *(o.rewards for o in place.options))
        for e in part
        if isinstance(e, v.LastingReward)
    ]
    tell.fact("Leaves behind", tell.refs("lasting", lasting), figure=False)
    tell.named_by("locations", place.id)
    return tell.done()


def _lasting(content: Content, lasting: s.Lasting) -> RuleDetail:
    tell = _Telling(content, lasting)
    tell.fact(
        "Found at",
        tell.refs("locations", (x.entry.id for x in tell.by("lasting", lasting.id) if x.table == "locations")),
    )
    tell.fact("Used", "once, then it is gone" if lasting.spends else "")
    tell.named_by("lasting", lasting.id)
    return tell.done()


def _patron(content: Content, patron: s.Patron) -> RuleDetail:
    tell = _Telling(content, patron)
    tell.fact("Chosen by", [_list_ref(content, army.id) for army in content.pack.lists if patron.id in army.patrons])
    tell.table(
        "Skills",
        ("Skill", "What it does"),
        (([_ref(content, "skills", x)], content.skills[x].summary) for x in patron.skills),
    )
    tell.figures["Skills"] = tuple(content.name("skill", x) for x in patron.skills)
    tell.named_by("patrons", patron.id, skip=("lists",))
    return tell.done()


def _deed(content: Content, deed: s.Deed) -> RuleDetail:
    tell = _Telling(content, deed)
    tell.fact("Glory", str(deed.glory))
    if deed.victory_points:
        tell.fact("Victory points", str(deed.victory_points))
    places = [*deed.scenarios, *(x.id for x in content.pack.scenarios if deed.id in x.deeds)]
    tell.fact("Scenarios", tell.refs("scenarios", places) if places else "any")
    tell.fact(
        "Done by",
        "the warband"
        if deed.by_warband
        else content.name("profile", deed.needs_profile)
        if deed.needs_profile
        else "one fighter",
    )
    tell.fact("Side", deed.side)
    if deed.random_group:
        tell.fact("Random scenario", f"drawn from group {deed.random_group}")
    return tell.done()


def _scenario(content: Content, scenario: s.Scenario) -> RuleDetail:
    from rules.trench_crusade.muster import scenarios_of

    tell = _Telling(content, scenario)
    told = next(x for x in scenarios_of(content) if x.id == scenario.id)
    for label, words in (
        ("Forces", told.force_words), ("Length", told.length_words), ("Victory", told.victory_words),
        ("Deployment", told.deployment_words), ("Special rules", told.special_words),
    ):  # fmt: skip
        tell.fact(label, words)
    tell.fact("Attacker", "one side attacks" if told.has_attacker else "nobody attacks")
    deeds = [d for d in content.pack.deeds if d.id in scenario.deeds or scenario.id in d.scenarios]
    tell.table(
        "Glorious deeds",
        ("Deed", "How", "Glory"),
        (([_ref(content, "deeds", d.id)], d.summary, str(d.glory)) for d in deeds),
    )
    tell.figures["Glorious deeds"] = tuple(d.name for d in deeds)
    if content.pack.campaign is not None:
        stages = []
        for stage in content.pack.campaign.stages:
            faces = listed((str(row.roll) for row in stage.rows if row.scenario == scenario.id), "or")
            if faces or stage.scenario == scenario.id:
                note = f"on {faces}" if faces else "always"
                stages.append(RuleRef(f"Scenarios, {stage.name}", "table", f"scenarios-{stage.id}", note))
        tell.fact("Rolled for", stages)
    return tell.done()


def _whole_list(content: Content, army: s.ArmyList) -> RuleDetail:
    tell, own = _Telling(content, army), content.lists[army.id]
    if army.faction and army.faction in content.lists:
        tell.fact("Variant of", [_list_ref(content, army.faction)])
    tell.fact("Variants", [_list_ref(content, x.id) for x in content.pack.lists if x.faction == army.id])
    tell.keywords("Keyword", [army.keyword])
    tell.fact(
        "Founded with", f"{short_price(army.start.campaign)}; for a single battle {short_price(army.start.one_off)}"
    )
    if army.threshold_add:
        tell.fact("Threshold", f"{army.threshold_add:+d} ducats in every battle".replace("-", "−"))
    tell.fact("Patrons", tell.refs("patrons", army.patrons))
    tell.fact("Mercenaries", "hired" if army.mercenaries else "none")
    tell.table("Rules", ("Rule", "What it does"), (([_ref(content, "rules", r.id)], r.summary) for r in own.rules))
    for rule in own.rules:
        tell.figures[rule.name] = rule.summary
    everybody = [
        o
        for o in content.pack.profile_offers
        if army.id in o.lists and not (o.hired_as == "mercenary" and not army.mercenaries)
    ]

    def hire(offer: s.ProfileOffer) -> tuple[str, str]:
        most = _limit(content, offer.most, offer.id, offer.profile)
        return _priced(content, offer), _with_own(
            _from(offer.least, most) or "any",
            *(_cap(content, c) for c in offer.caps),
        )

    for hired_as, caption in (("own", "Fighters"), ("mercenary", "Mercenaries")):
        rows = [o for o in everybody if (o.hired_as == "mercenary") == (hired_as == "mercenary")]
        tell.table(
            caption,
            ("Fighter", "Price", "How many"),
            (([_ref(content, "profiles", o.profile, _shut(content, army.id, o))], *hire(o)) for o in rows),
        )
        for offer in rows:
            tell.figures[content.name("profile", offer.profile)] = ", ".join(hire(offer))
    for category, caption in CATEGORIES:
        rows_ = [
            o for o in content.pack.item_offers if army.id in o.lists and content.items[o.item].category == category
        ]
        tell.table(
            caption,
            ("Kit", "Price", "Limit", "For"),
            (
                (
                    [_ref(content, "items", o.item, _shut(content, army.id, o))],
                    _priced(content, o),
                    _limit(content, o.limit, o.id, o.item) or "any",
                    holder_words(o.who, content, o.who_words),
                )
                for o in rows_
            ),
        )
        for o in rows_:
            tell.figures[content.name("item", o.item)] = ", ".join(
                (
                    _priced(content, o),
                    f"LIMIT {o.limit}" if o.limit is not None else "any number",
                    holder_words(o.who, content, o.who_words),
                )
            )
    ups = [o for o in content.pack.upgrade_offers if army.id in o.lists]
    tell.table(
        "Upgrades",
        ("Upgrade", "Price", "Limit", "For"),
        (
            (
                [_ref(content, "upgrades", o.upgrade, _shut(content, army.id, o))],
                _priced(content, o),
                _limit(content, o.limit, o.id, o.upgrade) or "any",
                holder_words(o.who, content),
            )
            for o in ups
        ),
    )
    for u in ups:
        tell.figures[content.name("upgrade", u.upgrade)] = _priced(content, u)
    if own.closed:
        tell.house.append(own.closed)
    tell.named_by("lists", army.id, skip=("profiles", "items", "upgrades", "patrons", "lists"))
    return tell.done()


def _priced(content: Content, offer: Any) -> str:
    before = content.book_prices.get(offer.id)
    return short_price(offer.price) + (f" (house rule; the book: {short_price(before)})" if before is not None else "")


def _shut(content: Content, list_id: str, offer: Any) -> str:
    shut = content.lists[list_id].shut.get(_offered(offer), "")
    return {"banned": "left out by a house rule", "third-party": "third-party"}.get(
        shut, "third-party" if offer.third_party else ""
    )


def _keyword(content: Content, keyword: s.Keyword) -> RuleDetail:
    tell = _Telling(content, keyword)
    by = tell.by("keywords", keyword.id)
    for label, table, owner in (("Fighters", "profiles", s.ProfileEntry), ("Kit", "items", s.ItemEntry)):
        tell.fact(label, tell.refs(table, (x.entry.id for x in by if x.table == table and x.owner is owner)))
    tell.fact("Lists", [_list_ref(content, x.entry.id) for x in by if x.table == "lists"], figure=False)
    tell.named_by("keywords", keyword.id)
    return tell.done()


def _reference(content: Content, entry: s.Keyword) -> RuleDetail:
    tell = _Telling(content, entry)
    tell.fact("Kit", tell.refs("items", (x.entry.id for x in tell.by("reference", entry.id) if x.table == "items")))
    tell.named_by("reference", entry.id)
    return tell.done()


def _ability(content: Content, ability: s.Ability) -> RuleDetail:
    tell = _Telling(content, ability)
    if ability.action:
        tell.fact("Used as", "an ACTION")
    tell.fact(
        "Fighters",
        tell.refs("profiles", (x.entry.id for x in tell.by("abilities", ability.id) if x.table == "profiles")),
    )
    tell.named_by("abilities", ability.id)
    return tell.done()


def _rule(content: Content, rule: s.ListRule) -> RuleDetail:
    tell = _Telling(content, rule)
    tell.fact("Lists", [_list_ref(content, army.id) for army in content.pack.lists if rule.id in army.rules])
    tell.named_by("rules", rule.id, skip=("lists",))
    return tell.done()


def _skill_table(content: Content, table: s.SkillTable) -> RuleDetail:
    tell = _Telling(content, table)
    rows = []
    for row in sorted(table.rows, key=lambda r: r.roll):
        skill = content.skills.get(row.skill)
        ref: Sequence[RuleRef] = (
            [_ref(content, "skills", row.skill)] if skill else named("A patron skill of the player's choice")
        )
        rows.append((str(row.roll), ref, skill.summary if skill else ""))
        tell.figures[f"On {row.roll}"] = ref[0].words
    tell.table("Skills", ("2D6", "Skill", "What it does"), rows)
    tell.named_by("skill_tables", table.id)
    return tell.done()


def _random_part(content: Content, part: s.RandomPart) -> RuleDetail:
    tell = _Telling(content, part)
    tell.fact("Table", [RuleRef(dict(PARTS)[part.kind], "table", f"random-{part.kind}")], figure=False)
    tell.fact("Rolled for", f"on {part.roll}" if part.roll else "not rolled for")
    tell.fact("Never with", tell.refs("random_parts", part.not_with))
    return tell.done()


def _chart(content: Content, key: str) -> RuleDetail:
    tell, pack, campaign = _Telling(content, None), content.pack, content.pack.campaign
    rows: list[tuple[Sequence[RuleRef] | str, ...]] = []
    if key == "trauma-chart":
        for trauma in sorted(pack.traumas, key=lambda t: t.first):
            d66 = str(trauma.first) if trauma.first == trauma.last else f"{trauma.first} to {trauma.last}"
            rows.append((d66, [_ref(content, "traumas", trauma.id)], trauma.summary, "yes" if trauma.scar else "no"))
            tell.figures[d66] = trauma.name
        tell.table("Trauma chart", ("D66", "Trauma", "What it does", "Scar"), rows)
    elif key.endswith("-locations"):
        rarity = key.removesuffix("-locations")
        for place in sorted((x for x in pack.locations if x.rarity == rarity), key=lambda x: (x.score, x.name)):
            ways = listed(option.name for option in place.options)
            rows.append((str(place.score), [_ref(content, "locations", place.id)], _with_own(place.summary, ways)))
            label = f"Total {place.score}"
            tell.figures[label] = (*tell.figures.get(label, ()), place.name)
        tell.table(dict(RARITIES)[rarity], ("Total", "Location", "Ways"), rows)
    elif key.startswith("random-"):
        kind = key.removeprefix("random-")
        for part in sorted((x for x in pack.random_parts if x.kind == kind), key=lambda x: (not x.roll, x.roll)):
            rows.append((str(part.roll) if part.roll else "–", [_ref(content, "random_parts", part.id)], part.summary))
        tell.table(dict(PARTS)[kind], ("Roll", "Part", "What it says"), rows)
    elif campaign is not None and key == "battle-limits":
        for limit in campaign.limits:
            threshold, strength = _battle_limit(content, limit)
            rows.append((str(limit.battle), threshold, strength))
            tell.figures[f"Battle {limit.battle}"] = f"{limit.threshold} ducats, {limit.field_strength} fighters"
        tell.table("Thresholds and field strengths", ("Battle", "Threshold", "Field strength"), rows)
    elif campaign is not None and key == "exploration-dice":
        for step in campaign.exploration:
            rows.append(
                (
                    _span(step.first, step.last),
                    str(step.dice),
                    [RuleRef(dict(RARITIES)[t], "table", f"{t}-locations") for t in step.tables],
                )
            )
            tell.figures[f"Battles {_span(step.first, step.last)}"] = f"{step.dice} dice, {listed(step.tables)}"
        tell.table("Exploration dice", ("Battles fought", "Dice", "Tables"), rows)
    elif campaign is not None:
        stage = next(x for x in campaign.stages if key == f"scenarios-{x.id}")
        if stage.rows:
            for row in stage.rows:
                ref: Sequence[RuleRef] | str = (
                    "One of the others, picked by a player" if row.picked else "Put together by dice"
                )
                ref = [_ref(content, "scenarios", row.scenario)] if row.scenario else ref
                rows.append((str(row.roll), ref))
                tell.figures[f"On {row.roll}"] = ref if isinstance(ref, str) else ref[0].words
        else:
            rows.append(("always", [_ref(content, "scenarios", stage.scenario)]))
            tell.figures["Always"] = content.name("scenario", stage.scenario)
        tell.figures["Battles"] = _span(stage.first_battle, stage.last_battle)
        tell.table(f"Scenarios, {stage.name}", ("D6", "Scenario"), rows)
    return tell.done()


def _battle_limit(content: Content, limit: s.BattleLimit) -> tuple[str, str]:
    """Threshold and field strength of a battle, house rules told beside the book."""
    house = content.house
    threshold = house.thresholds.get(limit.battle, limit.threshold) + house.threshold_add
    strength = house.field_strengths.get(limit.battle, limit.field_strength) + house.field_strength_add
    return (
        f"{threshold} d" + (f" (house rule; the book: {limit.threshold} d)" if threshold != limit.threshold else ""),
        f"{strength}"
        + (f" (house rule; the book: {limit.field_strength})" if strength != limit.field_strength else ""),
    )


TELLERS: Mapping[str, Callable[[Content, Any], RuleDetail]] = {
    "list": _whole_list, "profile": _profile, "item": _item, "upgrade": _upgrade, "ability": _ability, "keyword": _keyword, "skill": _skill,
    "trauma": _trauma, "rule": _rule, "location": _location, "reference": _reference, "lasting": _lasting, "patron": _patron, "deed": _deed,
    "scenario": _scenario, "skill-table": _skill_table, "random-part": _random_part, "table": _chart,
}  # fmt: skip
