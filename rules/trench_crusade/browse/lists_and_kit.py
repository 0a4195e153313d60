"""The detail pages of lists and of what they offer: profiles, items, upgrades, and their rules and keywords."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from rules.browse import RuleRef
from rules.content.compiled import Content
from rules.content.schema import (
    Ability,
    ArmyList,
    ItemEntry,
    ItemOffer,
    Keyword,
    KitSet,
    ListRule,
    ProfileEntry,
    ProfileOffer,
    Upgrade,
    UpgradeOffer,
)
from rules.eligibility import holder_words
from rules.formatting import listed, short_price
from rules.price import Price
from rules.translation import gettext as _
from rules.trench_crusade.browse.detail import Detail, between, cap_words, limit_words, offered, parts, priced
from rules.trench_crusade.browse.partners import partners
from rules.vocabulary import OpensUpgradesEffect

CATEGORIES = {
    "ranged": _("Ranged weapons"),
    "melee": _("Melee weapons"),
    "armour": _("Armour"),
    "equipment": _("Equipment"),
    "field": _("In the field"),
}
ROLES = {"elite": "ELITE", "troop": "troop", "mercenary": "mercenary", "special": "special"}
ADVANCEMENT = {
    "full": _("gains experience in full"),
    "limited": _("limited potential"),
    "none": _("gains none"),
    "animal": _("gains none"),
}
SLOTS = {"ranged-weapon": "", "melee-weapon": "", "none": "", "field": ""}


# --- profiles


def describe_profile(detail: Detail, profile: ProfileEntry) -> None:
    content, line = detail.content, profile.statline
    detail.fact(_("Movement"), f"{line.movement_inches}″ {line.movement}")
    detail.fact(_("Ranged"), _dice(line.ranged))
    detail.fact(_("Melee"), _dice(line.melee))
    detail.fact(_("Armour"), str(line.armour).replace("-", "−"))
    detail.fact(_("Base"), _("{mm} mm").format(mm="/".join(str(mm) for mm in line.base_mm)))
    detail.fact(_("Role"), ROLES[profile.role])
    detail.keywords(_("Keywords"), profile.keywords)
    detail.fact(_("Abilities"), detail.refs("abilities", profile.abilities))
    for kit in profile.kit:
        _show_kit(detail, kit)
    if not profile.may_buy:
        detail.fact(_("Kit"), _("buys none"))
    detail.fact(_("Experience"), ADVANCEMENT[profile.advancement])

    def words(offer: ProfileOffer) -> tuple[str, str]:
        limit = limit_words(content, offer.most, offer.id, offer.profile)
        caps = [cap_words(content, cap) for cap in offer.caps]
        return parts(between(offer.least, limit), *caps), parts(
            _("may lead") if offer.leader else "",
            "mercenary" if offer.hired_as == "mercenary" else "",
            "third-party" if offer.third_party else "",
        )

    detail.offers(_("Hired by"), [offer for offer in content.pack.profile_offers if offer.profile == profile.id], words)
    mentions = detail.mentions("profiles")
    upgrades = {mention.entry.upgrade for mention in mentions if mention.table == "upgrade_offers"}
    detail.fact(_("Upgrades of its own"), _by_name(detail, "upgrades", upgrades), figure=False)
    items = {mention.entry.item for mention in mentions if mention.table == "item_offers"}
    detail.fact(_("Kit that speaks of it"), _by_name(detail, "items", items), figure=False)


def _dice(value: int | None) -> str:
    return "none" if value is None else f"{value:+d} DICE".replace("-", "−")


def _show_kit(detail: Detail, kit: KitSet) -> None:
    """Show the kit that comes with a profile, and what may replace it."""
    on_top = _(" ({price} on top)").format(price=short_price(Price(ducats=kit.adds_ducats))) if kit.adds_ducats else ""
    detail.fact(
        _("Comes with") if kit.fixed else _("Comes with, to swap{on_top}").format(on_top=on_top),
        detail.refs("items", kit.items),
    )
    alternatives = [
        RuleRef(listed(detail.content.name("item", item) for item in items), "item", items[0])
        for items in kit.one_of
        if items
    ]
    detail.fact(_("Picks one of") + (_(" for each battle") if kit.each_battle else ""), alternatives)


def _by_name(detail: Detail, table: str, ids: Iterable[str]) -> list[RuleRef]:
    return sorted(detail.refs(table, ids), key=lambda ref: ref.words)


# --- items and upgrades


def describe_item(detail: Detail, item: ItemEntry) -> None:
    content = detail.content
    slot = SLOTS.get(item.slot, item.slot) if item.slot != item.category else ""
    detail.fact(_("Kind"), parts(item.category, slot, _("built in") if item.built_in else ""))
    detail.fact(_("Range"), f"{item.range_inches}″" if item.range_inches is not None else item.range_words)
    hands = (("shooting", item.hands.ranged), ("fighting", item.hands.melee))
    detail.fact(_("Hands"), ", ".join(f"{words} {count}" for words, count in hands if count))
    detail.keywords(_("Keywords"), item.keywords)
    reference = {entry.name.casefold(): entry.id for entry in content.pack.reference}
    added = ((words, reference.get(words.casefold(), "")) for words in item.stipulations)
    detail.fact(_("The armoury adds"), [RuleRef(words, "reference" if id_ else "", id_) for words, id_ in added])
    detail.fact(_("At the table"), "; ".join(f"−{x[1:]}" if x.startswith("-") else x for x in item.modifiers))

    detail.offers(
        _("Sold by"),
        [offer for offer in content.pack.item_offers if offer.item == item.id],
        partial(_item_offer, content),
    )
    detail.fact(_("Works with"), detail.refs("items", partners(content).get(item.id, ())))
    mentions = detail.mentions("items")
    carriers = [m.entry.id for m in mentions if m.table == "profiles" and m.owner is KitSet]
    detail.fact(_("Comes with"), detail.refs("profiles", carriers))


def _item_offer(content: Content, offer: ItemOffer) -> tuple[str, str]:
    """Return the limit of an armoury entry, and what it requires of its holder."""
    hands = offer.hands
    return limit_words(content, offer.limit, offer.id, offer.item), parts(
        _holders(content, offer, offer.who_words),
        _("hands: shooting {ranged}, fighting {melee}").format(ranged=hands.ranged, melee=hands.melee)
        if hands is not None
        else "",
        _("only once exploration opened it") if offer.exploration_only else "",
        "third-party" if offer.third_party else "",
    )


def describe_upgrade(detail: Detail, upgrade: Upgrade) -> None:
    content = detail.content
    detail.fact(_("Kind"), upgrade.category.replace("-", " "))
    offers = [offer for offer in content.pack.upgrade_offers if offer.upgrade == upgrade.id]
    detail.fact(_("Also called"), ", ".join(dict.fromkeys(o.name for o in offers if o.name)), figure=False)
    detail.fact(_("Picks one of"), detail.refs("upgrades", upgrade.options))
    detail.offers(_("Taken by"), offers, partial(_upgrade_terms, content))


def _upgrade_terms(content: Content, offer: UpgradeOffer) -> tuple[str, str]:
    """Return the limits of an upgrade entry, and what it requires of its holder."""
    limit = limit_words(content, offer.limit, offer.id, offer.upgrade)
    others = (("needs", offer.needs), (_("not with"), offer.excludes))
    return parts(limit, *(cap_words(content, cap) for cap in offer.caps)), parts(
        _holders(content, offer),
        *(f"{label} {listed(content.name('upgrade', id_) for id_ in ids)}" for label, ids in others if ids),
        _("at any time") if offer.any_time else "",
        _("leads") if offer.leads else "",
        _opened_by(content, offer) if offer.opened else "",
        "third-party" if offer.third_party else "",
    )


def _opened_by(content: Content, offer: UpgradeOffer) -> str:
    """Return which texts open an entry that is open only so."""
    tables = (content.pack.skills, content.pack.items, content.pack.upgrades, content.pack.rules)
    texts = [(entry.name, effect) for table in tables for entry in table for effect in entry.effects]
    names = [name for name, e in texts if isinstance(e, OpensUpgradesEffect) and offer.id in e.offers]
    return _("opened by {names}").format(names=listed(names, "or"))


def _holders(content: Content, offer: ItemOffer | UpgradeOffer, words: str = "") -> str:
    """Return who may hold what is offered, or "" if anyone may."""
    holders = holder_words(offer.who, content, words)
    return "" if holders == "anyone" else holders


# --- lists


def describe_list(detail: Detail, army: ArmyList) -> None:
    content, own = detail.content, detail.content.lists[army.id]
    if army.faction in content.lists:
        detail.fact(_("Variant of"), [detail.list_ref(army.faction)])
    detail.fact(_("Variants"), [detail.list_ref(other.id) for other in content.pack.lists if other.faction == army.id])
    detail.keywords(_("Keyword"), [army.keyword])
    start = army.start
    detail.fact(
        _("Founded with"),
        _("{campaign}; for a single battle {one_off}").format(
            campaign=short_price(start.campaign), one_off=short_price(start.one_off)
        ),
    )
    if army.threshold_add:
        detail.fact(
            _("Threshold"),
            _("{threshold_add:+d} ducats in every battle").format(threshold_add=army.threshold_add).replace("-", "−"),
        )
    detail.fact(_("Patrons"), detail.refs("patrons", army.patrons))
    detail.fact(_("Mercenaries"), "hired" if army.mercenaries else "none")
    rules = (([detail.ref("rules", rule.id)], rule.words) for rule in own.rules)
    detail.table(_("Rules"), (_("Rule"), _("What it does")), rules)
    for rule in own.rules:
        detail.figures[rule.name] = rule.words
    profiles = [offer for offer in content.pack.profile_offers if army.id in offer.lists]
    _show_profiles(detail, army, _("Fighters"), [o for o in profiles if o.hired_as != "mercenary"])
    if army.mercenaries:
        _show_profiles(detail, army, _("Mercenaries"), [o for o in profiles if o.hired_as == "mercenary"])
    items = [offer for offer in content.pack.item_offers if army.id in offer.lists]
    for category, caption in CATEGORIES.items():
        _show_items(detail, army, caption, [o for o in items if content.items[o.item].category == category])
    _show_upgrades(detail, army)
    if own.closed:
        detail.house.append(own.closed)


def _show_profiles(detail: Detail, army: ArmyList, caption: str, offers: list[ProfileOffer]) -> None:
    content, rows = detail.content, []
    for offer in offers:
        limit = between(offer.least, limit_words(content, offer.most, offer.id, offer.profile)) or _("any")
        cells = (priced(content, offer), parts(limit, *(cap_words(content, cap) for cap in offer.caps)))
        rows.append(([detail.ref("profiles", offer.profile, _note(content, army, offer))], *cells))
        name = content.name("profile", offer.profile)
        detail.offer_figure(name, ", ".join(cells), f"profile:{offer.profile}", offer)
    detail.table(caption, (_("Fighter"), _("Price"), _("How many")), rows)


def _show_items(detail: Detail, army: ArmyList, caption: str, offers: list[ItemOffer]) -> None:
    content, rows = detail.content, []
    for offer in offers:
        price, holders = priced(content, offer), holder_words(offer.who, content, offer.who_words)
        limit = limit_words(content, offer.limit, offer.id, offer.item) or _("any")
        rows.append(([detail.ref("items", offer.item, _note(content, army, offer))], price, limit, holders))
        printed = f"LIMIT {offer.limit}" if offer.limit is not None else _("any number")
        name = content.name("item", offer.item)
        detail.offer_figure(name, f"{price}, {printed}, {holders}", f"item:{offer.item}", offer)
    detail.table(caption, (_("Kit"), _("Price"), _("Limit"), _("For")), rows)


def _show_upgrades(detail: Detail, army: ArmyList) -> None:
    content, rows = detail.content, []
    for offer in (offer for offer in content.pack.upgrade_offers if army.id in offer.lists):
        price = priced(content, offer)
        limit = limit_words(content, offer.limit, offer.id, offer.upgrade) or _("any")
        ref = detail.ref("upgrades", offer.upgrade, _note(content, army, offer))
        rows.append(([ref], price, limit, holder_words(offer.who, content)))
        detail.offer_figure(content.name("upgrade", offer.upgrade), price, f"upgrade:{offer.upgrade}", offer)
    detail.table(_("Upgrades"), (_("Upgrade"), _("Price"), _("Limit"), _("For")), rows)


def _note(content: Content, army: ArmyList, offer: Any) -> str:
    """Return a note if an offer is left out of a list or only kept, or if it comes from a third party."""
    shut = content.lists[army.id].shut.get(offered(offer), "")
    if shut == "banned":
        return _("left out by a house rule")
    if shut == "withdrawn":
        return _("kept, not on offer")
    return "third-party" if shut == "third-party" or offer.third_party else ""


# --- the rules and words on them


def describe_keyword(detail: Detail, keyword: Keyword) -> None:
    mentions = detail.mentions("keywords")
    for label, table, owner in ((_("Fighters"), "profiles", ProfileEntry), (_("Kit"), "items", ItemEntry)):
        detail.fact(label, detail.refs(table, (m.entry.id for m in mentions if m.table == table and m.owner is owner)))
    lists = [detail.list_ref(mention.entry.id) for mention in mentions if mention.table == "lists"]
    detail.fact(_("Lists"), lists, figure=False)


def describe_reference(detail: Detail, entry: Keyword) -> None:
    detail.fact(_("Kit"), detail.mentioned_by("reference", "items"))


def describe_ability(detail: Detail, ability: Ability) -> None:
    if ability.action:
        detail.fact(_("Used as"), _("an ACTION"))
    detail.fact(_("Fighters"), detail.mentioned_by("abilities", "profiles"))


def describe_rule(detail: Detail, rule: ListRule) -> None:
    lists = [detail.list_ref(army.id) for army in detail.content.pack.lists if rule.id in army.rules]
    detail.fact(_("Lists"), lists)
