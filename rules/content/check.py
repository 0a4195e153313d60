"""Checks a pack for references to unknown ids, duplicate ids and tables with gaps. All faults are listed at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from rules import vocabulary as v
from rules.content import campaign_entries as ce
from rules.content import schema as s
from rules.content.names import keyword_base, keyword_stem, plain
from rules.translation import gettext as _

# The tables that each reference field may name. If there are several, an entry of any of them is valid.
REFERENCES: dict[tuple[type, str], tuple[str, ...]] = {
    (v.Trait, "profile"): ("profiles",),
    (v.Trait, "keyword"): ("keywords",),
    (v.Trait, "lacks_keyword"): ("keywords",),
    (v.Trait, "item"): ("items",),
    (v.Trait, "item_keyword"): ("keywords", "stipulations"),
    (v.Trait, "item_group"): ("groups",),
    (v.Trait, "upgrade"): ("upgrades",),
    (v.Trait, "skill"): ("skills",),
    (v.ItemTest, "item"): ("items",),
    (v.ItemTest, "group"): ("groups",),
    (v.ItemTest, "keyword"): ("keywords", "stipulations"),
    (v.ItemTest, "lacks_keyword"): ("keywords",),
    (v.ItemTest, "carrier_has_item_keyword"): ("keywords", "stipulations"),
    (v.CapHalf, "profile"): ("profiles",),
    (v.CapMatch, "profile"): ("profiles",),
    (v.CapAfter, "offer"): ("profile_offers",),
    (v.GroupCap, "profiles"): ("profiles",),
    (v.KeywordEffect, "gain"): ("keywords",),
    (v.KeywordEffect, "lose"): ("keywords",),
    (v.KeywordEffect, "for_profiles"): ("profiles",),
    (v.ImmuneEffect, "keywords"): ("keywords",),
    (v.AbilityEffect, "gain"): ("abilities",),
    (v.AbilityEffect, "lose"): ("abilities",),
    (v.AbilityEffect, "for_profiles"): ("profiles",),
    (v.MayCarryEffect, "for_profiles"): ("profiles",),
    (v.ItemKeywordEffect, "gain"): ("keywords", "stipulations"),
    (v.ItemKeywordEffect, "lose"): ("keywords", "stipulations"),
    (v.CountsAsEffect, "profile"): ("profiles",),
    (v.CountsAsEffect, "item"): ("items",),
    (v.CountsAsEffect, "except_items"): ("items",),
    (v.WorthEffect, "except_profiles"): ("profiles",),
    (v.UpgradeAllowanceEffect, "category"): ("upgrade categories",),
    (v.WaivesExclusionEffect, "upgrades"): ("upgrades",),
    (v.OpensOffersEffect, "offers"): ("item_offers",),
    (v.OpensUpgradesEffect, "offers"): ("upgrade_offers",),
    (v.OpensPatronsEffect, "patrons"): ("patrons",),
    (v.AttackEffect, "bearer_keyword"): ("keywords",),
    (v.AttackEffect, "without"): ("keywords",),
    (v.AttackEffect, "for_profiles"): ("profiles",),
    (v.ReminderEffect, "for_profiles"): ("profiles",),
    (v.ReminderEffect, "table_only"): ("table_only",),
    (v.ExplorationSkillReward, "skills"): ("skills",),
    (ce.Deed, "needs_profile"): ("profiles",),
    (ce.RandomPart, "not_with"): ("random_parts",),
    (v.SwapKitEffect, "take"): ("items", "kit sets"),
    (v.SwapKitEffect, "give"): ("items",),
    (v.BecomesEffect, "profile"): ("profiles",),
    (v.PriceEffect, "upgrade_category"): ("upgrade categories",),
    (v.LinkEffect, "gain_keywords"): ("keywords",),
    (v.LinkEffect, "ability"): ("abilities",),
    (v.StartingItemsEffect, "offers"): ("item_offers", "items"),
    (v.ForeignPickEffect, "beats_own_filter"): ("profiles",),
    (v.BuysFighterEffect, "profile"): ("profiles",),
    (v.AttachesEffect, "groups"): ("groups",),
    (v.ExtraUpgradeEffect, "category"): ("upgrade categories",),
    (v.ExplorationSkillEffect, "skills"): ("skills",),
    (v.NoScarForEffect, "profiles"): ("profiles",),
    (v.SparedEffect, "profiles"): ("profiles",),
    (v.DeedGloryEffect, "profiles"): ("profiles",),
    (v.CancelsScarEffect, "needs_profiles"): ("profiles",),
    (v.SacrificeEffect, "profiles"): ("profiles",),
    (v.SacrificeEffect, "not_upgrades"): ("upgrades",),
    (v.ItemsReward, "items"): ("items", "item_offers"),
    (v.ItemsReward, "counts_as"): ("items",),
    (v.ItemChoiceReward, "items"): ("items", "item_offers"),
    (v.FightersReward, "offers"): ("profile_offers",),
    (v.LastingReward, "lasting"): ("lasting",),
    (v.SkillReward, "skill"): ("skills",),
    (v.SkillReward, "gain_keywords"): ("keywords",),
    (s.ArmyList, "keyword"): ("keywords",),
    (s.ArmyList, "patrons"): ("patrons",),
    (s.ArmyList, "faction"): ("lists",),
    (s.ArmyList, "rules"): ("rules",),
    (s.ArmyList, "samples"): ("samples",),
    (s.KitSet, "items"): ("items",),
    (s.KitEntry, "items"): ("items",),
    (s.KitEntry, "lists"): ("lists",),
    (s.ProfileEntry, "keywords"): ("keywords",),
    (s.ProfileEntry, "abilities"): ("abilities",),
    (s.ProfileOffer, "profile"): ("profiles",),
    (s.ProfileOffer, "lists"): ("lists",),
    (s.ProfileOffer, "leads_without"): ("profile_offers",),
    (s.ItemEntry, "keywords"): ("keywords",),
    (s.ItemEntry, "stipulations"): ("stipulations",),
    (s.ItemOffer, "item"): ("items",),
    (s.ItemOffer, "lists"): ("lists", "other_lists"),
    (s.Upgrade, "options"): ("upgrades",),
    (s.UpgradeOffer, "upgrade"): ("upgrades",),
    (s.UpgradeOffer, "lists"): ("lists",),
    (s.UpgradeOffer, "excludes"): ("upgrades",),
    (s.UpgradeOffer, "needs"): ("upgrades",),
    (s.UpgradeOffer, "rule"): ("rules",),
    (s.UpgradeOffer, "needs_waived_for"): ("profiles",),
    (s.SkillRow, "skill"): ("skills",),
    (ce.Patron, "skills"): ("skills",),
    (ce.Deed, "scenarios"): ("scenarios",),
    (ce.Scenario, "deeds"): ("deeds",),
    (ce.StageRow, "scenario"): ("scenarios",),
    (ce.Stage, "scenario"): ("scenarios",),
    (ce.CampaignNumbers, "starting_exploration_skills"): ("skills",),
    (s.Sample, "list"): ("lists",),
    (s.KitSet, "one_of"): ("items",),
    (v.ChooseEffect, "tables"): ("skill_tables", "patrons"),
}
CHOOSES = {"ability": "abilities", "list-rule": "rules", "upgrade": "upgrades", "skill": "skills"}
# These fields may name a list that the pack does not contain yet; what they open is stored as a promise until it does.
WAITING = {(v.ForeignPickEffect, "lists"), (v.ItemChoiceReward, "lists"), (v.FreeKitReward, "lists"), (v.PromiseReward, "lists"), (ce.Patron, "lists"),
           (ce.LocationOption, "lists"), (ce.LocationOption, "not_lists")}  # fmt: skip
MOST_FIGURE = 9999  # of a price or limit
TABLES = ("lists", "other_lists", "rules", "keywords", "abilities", "profiles", "profile_offers", "items", "item_offers", "upgrades", "upgrade_offers",
          "skills", "skill_tables", "traumas", "locations", "lasting", "patrons", "deeds", "scenarios", "random_parts", "samples",
          "reference", "table_only")  # fmt: skip


def check_pack(pack: s.Pack, *folders: Path) -> tuple[str, ...]:
    """Return everything wrong with the pack's ids and tables, one line each; empty if it is sound.

    `folders`: where ready warbands lie.
    """
    known = _known_names(pack)
    faults = list(_defined_twice(pack))
    for table in TABLES:
        for entry in getattr(pack, table):
            faults += [f"{table} {entry.id}: {fault}" for fault in _dangling(entry, known)]
    if pack.campaign is not None:
        faults += [f"campaign: {fault}" for fault in _dangling(pack.campaign, known)]
        faults += _campaign(pack.campaign)
    faults += _traumas(pack)
    faults += _tables(pack)
    faults += _offers(pack)
    faults += _beyond(pack)
    faults += _purposes(pack)
    faults += [
        f"lists {missing}: named by an entry, but neither among lists nor other_lists"
        for missing in waiting_lists(pack)
    ]
    if folders:
        faults += [
            f"samples {x.id}: no file {x.document}"
            for x in pack.samples
            if not any(_sample_file(folder, x.document).is_file() for folder in folders)
        ]
    return tuple(sorted(set(faults)))


def _known_names(pack: s.Pack) -> dict[str, set[str]]:
    """Return the values that a reference may name: the ids of every table, and names that are not entries."""
    return {
        **{table: {entry.id for entry in getattr(pack, table)} for table in TABLES},
        "keywords": _plain_names(pack.keywords),
        "keyword families": {stem for k in pack.keywords if (stem := keyword_stem(k.name))},
        "stipulations": _plain_names(pack.reference),
        "groups": {group for item in pack.items for group in item.groups},
        "kit sets": {kit.id for profile in pack.profiles for kit in profile.kit},
        "upgrade categories": {u.category for u in pack.upgrades if u.category},
    }


def _plain_names(entries: Iterable[Any]) -> set[str]:
    return {plain(text) for entry in entries for text in (entry.id, entry.name)}


def _defined_twice(pack: s.Pack) -> Iterator[str]:
    for table in TABLES:
        for id_, count in Counter(entry.id for entry in getattr(pack, table)).items():
            if count > 1:
                yield f"{table}: {id_} is defined {count} times"


def _beyond(pack: s.Pack) -> Iterator[str]:
    """Yield offers whose price or limit is below zero, which would pay for being taken, or larger than anybody's strongbox."""
    for table, limit in (("profile_offers", "most"), ("item_offers", "limit"), ("upgrade_offers", "limit")):
        for offer in getattr(pack, table):
            for field, figure in (
                ("price.ducats", offer.price.ducats), ("price.glory", offer.price.glory), (limit, getattr(offer, limit) or 0),
            ):  # fmt: skip
                if not 0 <= figure <= MOST_FIGURE:
                    yield _("{table} {id}: {field}: {figure} is not from 0 to {most}").format(
                        table=table, id=offer.id, field=field, figure=str(figure)[:20], most=MOST_FIGURE
                    )


def waiting_lists(pack: s.Pack) -> tuple[str, ...]:
    """Return the lists that the pack names but neither contains nor describes."""
    known = {army.id for army in pack.lists} | {other.id for other in pack.other_lists}
    missing: set[str] = set()
    for table in TABLES:
        for entry in getattr(pack, table):
            for owner, name, value in texts_of(entry):
                if (type(owner), name) in WAITING and value not in known:
                    missing.add(value)
    return tuple(sorted(missing))


def _sample_file(folder: Path, document: str) -> Path:
    direct = folder / document
    return direct if direct.is_file() else folder / "samples" / document


Text = tuple[msgspec.Struct, str, str]


def texts_of(struct: msgspec.Struct) -> list[Text]:
    """Return every text in a struct and the structs inside it, with its owner and field."""
    found: list[Text] = []
    _gather(struct, found)
    return found


def _gather(struct: msgspec.Struct, found: list[Text]) -> None:
    for name in struct.__struct_fields__:
        _gather_value(struct, name, getattr(struct, name), found)


def _gather_value(owner: msgspec.Struct, name: str, value: Any, found: list[Text]) -> None:
    if value.__class__ is str:
        found.append((owner, name, value))
    elif value.__class__ is tuple:
        for part in value:
            _gather_value(owner, name, part, found)
    elif isinstance(value, msgspec.Struct):
        _gather(value, found)


def _dangling(entry: msgspec.Struct, known: dict[str, set[str]]) -> Iterator[str]:
    """Yield the references of an entry to unknown ids."""
    for owner, name, value in texts_of(entry):
        kinds = kinds_named(owner, name)
        if value and kinds and not _is_known(value, kinds, known):
            tag = owner.__struct_config__.tag  # the pack's own name for an effect; other structs have no name there
            yield f"{f'{tag}.' if tag else ''}{name} names {value}, which is no entry of {' or '.join(kinds)}"


def kinds_named(owner: msgspec.Struct, name: str) -> tuple[str, ...]:
    """Return the tables whose entries a field names; empty for a field that is not a reference."""
    if name == "options" and isinstance(owner, v.ChooseEffect):
        return (CHOOSES[owner.of],)
    return REFERENCES.get((owner.__class__, name), ())


def _is_known(value: str, kinds: tuple[str, ...], known: dict[str, set[str]]) -> bool:
    """Return whether one of the tables contains the value.

    Keywords and stipulations are matched by name, with or without a parameter.
    """
    if "keywords" in kinds and value.startswith(tuple(known["keyword families"])):
        return True
    spellings = {value}
    if not {"keywords", "stipulations"}.isdisjoint(kinds):
        spellings = {plain(value), plain(keyword_base(value))}
    return any(not spellings.isdisjoint(known[kind]) for kind in kinds)


def _campaign(numbers: ce.CampaignNumbers) -> Iterator[str]:
    battles = [limit.battle for limit in numbers.limits]
    if battles != list(range(1, len(battles) + 1)):
        yield f"campaign: limits must run from battle 1 without a gap, not {battles}"
    if list(numbers.advances_at) != sorted(set(numbers.advances_at)):
        yield "campaign: advances_at must rise"
    for stage in numbers.stages:
        if not stage.rows and not stage.scenario:
            yield f"campaign: stage {stage.id} names no scenario"
        if stage.rows and sorted(row.roll for row in stage.rows) != list(range(1, len(stage.rows) + 1)):
            yield f"campaign: stage {stage.id} has a gap in its rolls"


def _traumas(pack: s.Pack) -> Iterator[str]:
    if not pack.traumas:
        return
    faces = [tens * 10 + units for tens in range(1, 7) for units in range(1, 7)]
    hit: Counter[int] = Counter()
    for trauma in pack.traumas:
        for edge in (trauma.first, trauma.last):
            if edge not in faces:
                yield f"traumas {trauma.id}: {edge} is no D66 number"
        hit.update(face for face in faces if trauma.first <= face <= trauma.last)
    missing = [str(face) for face in faces if not hit[face]]
    twice = [str(face) for face in faces if hit[face] > 1]
    if missing:
        yield f"traumas: no result for {', '.join(missing)}"
    if twice:
        yield f"traumas: more than one result for {', '.join(twice)}"


def _tables(pack: s.Pack) -> Iterator[str]:
    for table in pack.skill_tables:
        rolls = [row.roll for row in table.rows]
        if len(set(rolls)) != len(rolls):
            yield f"skill_tables {table.id}: a roll stands twice"
        if rolls and set(range(min(rolls), max(rolls) + 1)) != set(rolls):
            yield f"skill_tables {table.id}: a gap between {min(rolls)} and {max(rolls)}"


def _led_lists(pack: s.Pack) -> set[str]:
    """Return the lists that have a profile or an upgrade that leads."""
    led = {list_ for offer in pack.profile_offers if offer.leader for list_ in offer.lists}
    return led | {list_ for taken in pack.upgrade_offers if taken.leads for list_ in taken.lists}


def _offers(pack: s.Pack) -> Iterator[str]:
    led = _led_lists(pack)
    for army in pack.lists:
        if army.id not in led:
            yield f"lists {army.id}: no profile can lead it"
        if army.faction and any(other.id == army.faction and other.faction for other in pack.lists):
            yield f"lists {army.id}: its faction {army.faction} is itself a variant"
    for offer in pack.profile_offers:
        if offer.most is not None and offer.least > offer.most:
            yield f"profile_offers {offer.id}: at least {offer.least}, at most {offer.most}"


def _purposes(pack: s.Pack) -> Iterator[str]:
    """Yield purposes that say too much or too little: over six words, or a keyword without a word beside it."""
    for table in ("profiles", "items", "upgrades"):
        for entry in getattr(pack, table):
            words = entry.purpose.split()
            if len(words) > s.PURPOSE_WORDS:
                yield f"{table} {entry.id}: purpose has {len(words)} words; {s.PURPOSE_WORDS} fit"
            if words and entry.purpose.upper() == entry.purpose and any(c.isalpha() for c in entry.purpose):
                yield f"{table} {entry.id}: purpose is a keyword alone; say what it does"
