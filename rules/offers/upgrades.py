"""Offers of upgrades for one fighter, and the other consequences of taking one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from rules import vocabulary as v
from rules.choices import asked
from rules.consequences import Becomes, Consequence, GainsItem, LosesItems, ToStash
from rules.content.compiled import Content
from rules.content.schema import Upgrade, UpgradeOffer
from rules.fighters.facts import Facts
from rules.fighters.prices import upgrade_price_under
from rules.fighters.sources import EffectSource
from rules.force import Force, ForceFighter, ForceUpgrade
from rules.formatting import first, limit_words
from rules.legality.finding import Finding, Placed
from rules.legality.hiring import capped
from rules.legality.roster import new_findings
from rules.legality.roster_state import RosterState, examine
from rules.legality.upgrades import as_recruited, category_name, extra_rows, fits_or_did, upgrade_counts, upgrade_limit
from rules.offers.judging import TRIAL, fighter_in, house_details, judged, ordered, without_advice
from rules.offers.reinforcements import joined_at
from rules.parts.choice import ChoiceAsked
from rules.parts.offer import Offer
from rules.price import ZERO, Price
from rules.translation import gettext as _


def upgrade_offers(content: Content, force: Force, fighter: str) -> tuple[Offer, ...]:
    if force.list not in content.lists:
        return ()
    roster = examine(content, force)
    bearer, who = fighter_in(roster, fighter)
    before = as_recruited(who, bearer)
    counts = upgrade_counts(roster)
    extras = _extras_left(roster, bearer, who)
    offers = []
    for entry in roster.frame.list.upgrade_offers:
        has = entry.upgrade in who.upgrades
        in_force = not entry.rule or entry.rule in roster.frame.in_force
        extra = content.upgrades[entry.upgrade].category in extras
        if has or (not entry.raises and (extra or (in_force and fits_or_did(content, entry, who, before)))):
            offers.append(_upgrade_offer(roster, entry, bearer, who, counts.get(entry.id, 0), extra=extra))
    return ordered(offers)


def _extras_left(roster: RosterState, bearer: ForceFighter, who: Facts) -> frozenset[str]:
    free = Counter(c.effect.category for c in who.of(v.ExtraUpgradeEffect))
    if not free:
        return frozenset()
    for row in extra_rows(roster.content, roster.frame, bearer, who, needed_only=True):
        free[roster.content.upgrades[bearer.upgrades[row].upgrade].category] -= 1
    return frozenset(category for category, left in free.items() if left > 0)


def _upgrade_offer(
    roster: RosterState, entry: UpgradeOffer, bearer: ForceFighter, who: Facts, owned: int, *, extra: bool
) -> Offer:
    content = roster.content
    upgrade = content.upgrades[entry.upgrade]
    price = _price(roster, entry, who)
    limit, cause = upgrade_limit(roster, entry)
    rule = tuple(filter(None, (upgrade.summary, upgrade.details)))
    offer = Offer(
        kind="upgrade",
        id=entry.id,
        ref=upgrade.id,
        name=entry.name or upgrade.name,
        group=_heading(content, upgrade.category),
        price=ZERO if _is_earned(roster, entry) else price,
        rating=price,
        held=owned,
        limit=limit,
        purpose=upgrade.purpose,
        details=(*rule, *house_details(content, entry, entry.limit, upgrade.id)),
        options=tuple((o, content.name("upgrade", o)) for o in upgrade.options),
        option_words=_("Which one?") if upgrade.options else "",
        choices=_upgrade_choices(roster, upgrade),
    )
    if upgrade.id in who.upgrades:
        return judged(
            roster,
            offer,
            (),
            [
                Finding(
                    "duplicate", _("{fighter} already has {upgrade}.").format(fighter=bearer.name, upgrade=offer.name)
                )
            ],
        )
    closing = [] if extra else _closed_by_time(roster, entry, bearer, offer.name)
    if _is_earned(roster, entry) and not roster.force.battles.fought:
        closing.append(
            Finding(
                "recruitment",
                _("{upgrade} is gained in a battle.").format(upgrade=offer.name),
                _("Fight a battle first."),
            )
        )
    moving = bool(capped(roster, entry.caps, None)[1])
    if limit is not None and owned >= limit and not extra and not (moving and roster.force.founding):
        closing.append(
            Finding(
                "warband-limit",
                _("The list allows {limit}{cause}.").format(limit=limit_words(limit), cause=cause),
                "",
            )
        )
    added = _trial_upgrade(roster, bearer, upgrade, ForceUpgrade(TRIAL, upgrade.id, entry.id, price))
    return judged(roster, offer, without_advice(added, "needs", upgrade.id), closing)


def _is_earned(roster: RosterState, entry: UpgradeOffer) -> bool:
    return entry.earned and roster.force.mode == "campaign"


def _price(roster: RosterState, entry: UpgradeOffer, who: Facts) -> Price:
    """Return the price of an upgrade for this fighter, after the ducats of free upgrades that its profile has."""
    price = upgrade_price_under(roster.frame, entry.price, entry.upgrade)
    free = sum(c.effect.free_ducats for c in who.of(v.UpgradeBudgetEffect))
    if not free:
        return price
    spent = sum(p.ducats for p in who.upgrade_prices)
    return Price(ducats=max(0, spent + price.ducats - free) - max(0, spent - free), glory=price.glory)


def _heading(content: Content, category: str) -> str:
    rule = content.name("rule", category)
    return rule if rule != category else first(category_name(category)) or _("Upgrades")


def _closed_by_time(roster: RosterState, entry: UpgradeOffer, bearer: ForceFighter, name: str) -> list[Finding]:
    """Return what closes an upgrade after recruitment.

    A fighter who joined since the last battle is still being recruited.
    """
    recruited_now = roster.force.founding or joined_at(bearer) >= roster.force.battles.fought
    if entry.any_time or recruited_now or roster.content.reading("upgrades_any_time"):
        return []
    return [
        Finding(
            "recruitment",
            _("{name} can be bought at recruitment only.").format(name=name),
            _("A newly recruited fighter could take it."),
        )
    ]


def _trial_upgrade(roster: RosterState, bearer: ForceFighter, upgrade: Upgrade, taken: ForceUpgrade) -> list[Placed]:
    taken = replace(taken, option=upgrade.options[0] if upgrade.options else "")
    row = roster.force.fighter(bearer.key)
    row = replace(row, upgrades=(*row.upgrades, taken))
    if any(isinstance(effect, v.KitToStashEffect) for effect in upgrade.effects):
        row = replace(row, kit=tuple(i for i in row.kit if i.origin == "mandatory"))
    return new_findings(roster, examine(roster.content, roster.force.with_fighter(row), roster))


def _upgrade_choices(roster: RosterState, upgrade: Upgrade) -> tuple[ChoiceAsked, ...]:
    source = EffectSource("upgrade", upgrade.id, upgrade.name, upgrade.words, upgrade.source, upgrade.effects)
    asks = (
        asked(roster.content, roster.frame.list, effect, source, roster.people, roster.force.stash)
        for effect in upgrade.effects
    )
    return tuple(ask for ask in asks if ask is not None)


def follows(
    content: Content,
    force: Force,
    fighter: str,
    offer: str,
    option: str = "",
    choices: Mapping[str, object] | None = None,
) -> tuple[Consequence, ...]:
    """Return the other consequences of taking this upgrade.

    Kit goes to the stash, swappable kit is replaced, or the profile changes. `force` is the warband before the upgrade
    is taken.
    """
    entry = content.upgrade_offers.get(offer)
    if entry is None:
        return ()
    row = force.fighter(fighter)
    name = content.name("upgrade", entry.upgrade)
    consequences: list[Consequence] = []
    for upgrade in (entry.upgrade, option):
        for effect in content.upgrades[upgrade].effects if upgrade in content.upgrades else ():
            match effect:
                case v.KitToStashEffect():
                    keys = tuple(i.key for i in row.kit if i.origin != "mandatory")
                    consequences += [ToStash(keys, name)] if keys else []
                case v.SwapKitEffect():
                    consequences += _swapped(content, row, effect, name)
                case v.BecomesEffect():
                    consequences.append(Becomes(fighter, effect.profile, name))
    return tuple(consequences)


def _swapped(content: Content, fighter: ForceFighter, effect: v.SwapKitEffect, name: str) -> Iterator[Consequence]:
    """Yield consequences that replace the profile's kit which the fighter still has by other kit."""
    profile = content.profiles.get(fighter.profile)
    for kit in profile.kit if profile else ():
        if kit.fixed or not (kit.id in effect.take or set(effect.take) & set(kit.items)):
            continue
        lost = tuple(i.key for i in fighter.kit if i.origin == "mandatory" and i.item in kit.items)
        if lost:
            yield LosesItems(lost, name)
            for item in effect.give:
                yield GainsItem(item, "mandatory", name, fighter=fighter.key)
