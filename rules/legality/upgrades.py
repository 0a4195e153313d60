"""Upgrades: what is wrong with a fighter's upgrades, and how many of each the warband may have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from msgspec import structs

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.content.schema import Upgrade, UpgradeOffer
from rules.eligibility import holder_words
from rules.fighters.facts import Bearer, Facts
from rules.fighters.frame import Frame
from rules.fighters.matching import holder_fits
from rules.force import ForceFighter
from rules.formatting import fighter_count, limit_words, listed, number
from rules.legality.finding import Finding, Placed, left_out
from rules.legality.hiring import capped
from rules.legality.roster_state import RosterState
from rules.translation import gettext as _

# --- the upgrades of one fighter


def upgrade_findings(content: Content, frame: Frame, fighter: ForceFighter, who: Facts) -> Iterator[Finding]:
    extras = extra_rows(content, frame, fighter, who)
    known: list[Upgrade] = []
    for row, taken in enumerate(fighter.upgrades):
        upgrade = content.upgrades.get(taken.upgrade)
        if upgrade is None:
            yield Finding(
                "unknown-name",
                _("{{who}}: no upgrade is called “{upgrade}”.").format(upgrade=taken.upgrade),
                subject=taken.upgrade,
            )
            continue
        known.append(upgrade)
        if row in extras or frame.upgrade_entries(upgrade.id):
            yield from _taken_findings(content, frame, fighter, who, row, extra=row in extras)
        else:
            yield _not_open(content, frame, upgrade, taken.key)
    yield from _exclusions(content, frame, who, [taken.upgrade for taken in fighter.upgrades])
    for upgrade_id, count in Counter(upgrade.id for upgrade in known).items():
        if count > 1:
            upgrade = content.upgrades[upgrade_id]
            times = "twice" if count == 2 else _("{count} times").format(count=number(count))
            yield Finding(
                "duplicate",
                _("{{who}} has {name} {times}; once is the most.").format(name=upgrade.name, times=times),
                _("Remove one."),
                upgrade.source or frame.list.army.name,
                upgrade.name,
                subject=upgrade_id,
                size=count,
            )
    yield from _allowances(who, Counter(upgrade.category for upgrade in known if upgrade.category))
    yield from _over_budget(who)


def _not_open(content: Content, frame: Frame, upgrade: Upgrade, key: str) -> Finding:
    """Return the finding for an upgrade that the list does not offer, or not under the current rules."""
    army = frame.list
    if upgrade.id in army.shut:
        return left_out(army.shut[upgrade.id], upgrade.name, item=upgrade.name, subject=upgrade.id, item_key=key)
    rules = rules_that_open(content, frame, upgrade.id)
    reason = (
        _("is for a warband under {rules}").format(rules=rules)
        if rules
        else _("is not on offer to {army}").format(army=army.army.name)
    )
    return Finding(
        "not-offered",
        f"{upgrade.name} {reason}.",
        _("Remove it from {who}."),
        army.army.name,
        upgrade.name,
        subject=upgrade.id,
        item_key=key,
    )


def rules_that_open(content: Content, frame: Frame, upgrade: str) -> str:
    """Return the names of the list's rules that make an upgrade available, or "" if there are none."""
    entries = frame.list.by_upgrade.get(upgrade, ())
    return listed(dict.fromkeys(content.name("rule", o.rule) for o in entries if o.rule), "or")


def _taken_findings(
    content: Content, frame: Frame, fighter: ForceFighter, who: Facts, row: int, *, extra: bool
) -> Iterator[Finding]:
    """Yield what is wrong with one upgrade that is on offer: its holder, its option, and the upgrades that it requires."""
    taken = fighter.upgrades[row]
    upgrade = content.upgrades[taken.upgrade]
    source = upgrade.source or frame.list.army.name
    about: dict[str, Any] = {"item": upgrade.name, "subject": upgrade.id, "item_key": taken.key}
    offers = frame.upgrade_entries(upgrade.id)
    fitting = _fitting(content, offers, fighter, who)
    if offers and not fitting and not extra:
        holder = holder_words(offers[0].who, content)
        text = _("{name} is not for {{who}}: {holder}.").format(name=upgrade.name, holder=holder)
        yield Finding("only-for", text, _("Remove it from {who}."), source, **about)
    if taken.option and taken.option not in upgrade.options:
        text = _option_words(content, upgrade, taken.option)
        yield Finding("option", text, _("Choose one."), upgrade.source, **about)
    offer = next((o for o in fitting if o.id == taken.offer), fitting[0] if fitting else None)
    if offer is not None and who.profile.id not in offer.needs_waived_for:
        missing = [content.name("upgrade", needed) for needed in offer.needs if needed not in who.upgrades]
        if missing:
            text = _("{name} on {{who}} needs {missing} first.").format(name=upgrade.name, missing=listed(missing))
            yield Finding("needs", text, _("Add that upgrade or take this one off."), source, **about)


def _exclusions(content: Content, frame: Frame, who: Facts, order: Sequence[str]) -> Iterator[Finding]:
    army = frame.list
    waived = [frozenset(c.effect.upgrades) for c in who.of(v.WaivesExclusionEffect)]
    for one, other in combinations(order, 2):
        excluded = other != one and other in army.excludes.get(one, ())
        if excluded and not any({one, other} <= pair for pair in waived):
            first_name, second_name = content.name("upgrade", one), content.name("upgrade", other)
            yield Finding(
                "excludes",
                _("{{who}} cannot have both {first_name} and {second_name}.").format(
                    first_name=first_name, second_name=second_name
                ),
                _("Take {second_name} off.").format(second_name=second_name),
                content.upgrades[one].source or army.army.name,
                second_name,
                subject="-".join(sorted((one, other))),
            )


def _allowances(who: Facts, categories: Counter[str]) -> Iterator[Finding]:
    """Yield findings for more or fewer upgrades of a category than the fighter's profile requires."""
    allowed: Counter[str] = Counter()
    least: Counter[str] = Counter()
    for cause in who.of(v.UpgradeAllowanceEffect):
        allowed[cause.effect.category] += cause.effect.count
        least[cause.effect.category] = max(least[cause.effect.category], cause.effect.least)
    source = who.profile.source or who.profile.name
    for category in sorted({*categories, *least}):
        count, plural_name = categories[category], category_name(category)
        has = _("{{who}} has {count} {what}").format(
            count=number(count), what=plural_name.removesuffix("s") if count == 1 else plural_name
        )
        maximum = max(0, allowed[category])  # a piece that replaces an upgrade counts against the allowance
        about: dict[str, Any] = {"source": source, "item": plural_name, "subject": f"upgrades-{category}"}
        if count > maximum:
            text = _("{has}; {limit_words} is the most.").format(has=has, limit_words=limit_words(maximum))
            yield Finding("model-limit", text, _("Remove one."), size=count, **about)
        if count < least[category]:
            text = _("{has}; at least {least} must be taken.").format(has=has, least=number(least[category]))
            yield Finding("too-few", text, _("Add one."), size=least[category] - count, **about)


def category_name(category: str) -> str:
    return category.replace("-", " ").replace("_", " ")


def _over_budget(who: Facts) -> Iterator[Finding]:
    limits = [c.effect.most_ducats for c in who.of(v.UpgradeBudgetEffect) if c.effect.most_ducats is not None]
    spent = sum(price.ducats for price in who.upgrade_prices)
    if limits and spent > min(limits):
        yield Finding(
            "upgrade-budget",
            _("{{who}} has {spent} ducats of upgrades; {min} is the most.").format(spent=spent, min=min(limits)),
            _("Remove one."),
            who.profile.source or who.profile.name,
            subject="upgrade-budget",
            size=spent,
        )


def fits_or_did(content: Content, offer: UpgradeOffer, who: Facts, before: Bearer) -> bool:
    """Return whether a fighter may take this entry, or could when it was recruited (`before`)."""
    return holder_fits(offer.who, who, content) or holder_fits(offer.who, before, content)


def _fitting(content: Content, offers: Iterable[UpgradeOffer], fighter: ForceFighter, who: Facts) -> list[UpgradeOffer]:
    """Return the entries of an upgrade that this fighter may take.

    An entry that raises the dead counts if the fighter could take it before it died.
    """
    before = as_recruited(who, fighter)
    return [
        o
        for o in offers
        if (
            any(trait.profile == who.printed.id for trait in o.who.only_for)
            if o.raises
            else fits_or_did(content, o, who, before)
        )
    ]


def extra_rows(
    content: Content, frame: Frame, fighter: ForceFighter, who: Facts, *, needed_only: bool = False
) -> frozenset[int]:
    """Return the rows of upgrades that a carried piece grants in addition to the fighter's own.

    Upgrades that the fighter could not take otherwise come first, then those with a LIMIT. `needed_only`: only upgrades
    that it could not take otherwise, and those that its own allowance does not cover.
    """
    granted = who.of(v.ExtraUpgradeEffect)
    if not granted:
        return frozenset()
    free: Counter[str] = Counter(c.effect.category for c in granted)

    def nearness(row: int) -> int:
        fitting = _fitting(content, frame.upgrade_entries(fighter.upgrades[row].upgrade), fighter, who)
        return 0 if not fitting else 1 if all(o.limit is not None for o in fitting) else 2

    extras = []
    categories = {
        row: content.upgrades[taken.upgrade].category
        for row, taken in enumerate(fighter.upgrades)
        if taken.upgrade in content.upgrades
    }
    own: Counter[str] = Counter({category: -count for category, count in free.items()})
    for cause in who.of(v.UpgradeAllowanceEffect):
        own[cause.effect.category] += cause.effect.count
    left = Counter(categories.values())
    for row in sorted(categories, key=lambda n: (nearness(n), n)):
        category = categories[row]
        covered = needed_only and nearness(row) and left[category] <= own[category]
        if category and free[category] and not covered:
            free[category] -= 1
            left[category] -= 1
            extras.append(row)
    return frozenset(extras)


def as_recruited(who: Facts, fighter: ForceFighter) -> Bearer:
    """Return the fighter as it was when hired.

    Upgrades are bought at that time, so later changes and promotions do not matter.
    """
    if who.becomes is None and not fighter.promoted:
        return who
    return structs.replace(
        who,
        profile=who.printed,
        counts_as=who.counts_as | {who.profile.id},
        keywords=who.keywords - {"ELITE"} if fighter.promoted else who.keywords,
        elite=who.elite and not fighter.promoted,
    )


# --- the upgrades of the whole warband


def _entry_of(roster: RosterState, fighter: ForceFighter, who: Facts, row: int) -> UpgradeOffer | None:
    """Return the entry an upgrade was taken through: the stored one, or else the one that fits the holder."""
    taken = fighter.upgrades[row]
    every = roster.frame.list.by_upgrade.get(taken.upgrade, ())
    named = next((o for o in every if o.id == taken.offer), None)
    if named is not None:
        return named
    offers = roster.frame.upgrade_entries(taken.upgrade) or every
    before = as_recruited(who, fighter)
    fitting = (o for o in offers if fits_or_did(roster.content, o, who, before))
    return next(fitting, offers[0] if offers else None)


def upgrade_counts(roster: RosterState) -> Counter[str]:
    """Return how many holders of each upgrade entry count against its limit, by id of the entry."""
    counts: Counter[str] = Counter()
    for fighter, who in roster.people:
        if not fighter.upgrades:
            continue
        extras = extra_rows(roster.content, roster.frame, fighter, who)
        for row in range(len(fighter.upgrades)):
            offer = _entry_of(roster, fighter, who, row)
            if offer is None or row in extras:
                continue
            if holder_fits(offer.limit_counts, as_recruited(who, fighter), roster.content):
                counts[offer.id] += 1
    return counts


def upgrade_limit(roster: RosterState, offer: UpgradeOffer) -> tuple[int | None, str]:
    """Return the limit of an upgrade entry for this warband, and the reason if something changes it."""
    return capped(roster, offer.caps, roster.content.limit_of(offer.limit, offer.id, offer.upgrade))


def _option_words(content: Content, upgrade: Upgrade, chosen: str) -> str:
    options = listed((content.name("upgrade", option) for option in upgrade.options), "or")
    return _("{option} is no way to take {name}: {options}.").format(
        option=content.name("upgrade", chosen), name=upgrade.name, options=options or _("it has none")
    )


def others_findings(roster: RosterState, *, purchase: bool) -> Iterator[Placed]:
    """Yield findings for upgrades that a fighter may take only while the others are worth enough.

    What a warband that has begun to play holds stays with it, so there they only prevent a purchase.
    """
    if not (purchase or roster.force.founding or roster.force.strongbox is None):
        return
    worth = sum(who.rating.ducats for who in roster.facts)
    for fighter, who in roster.people:
        rules = [c.effect for c in who.of(v.UpgradeAllowanceEffect)]
        if not any(rule.others_ducats for rule in rules):
            continue
        counts = _taken_by_category(roster.content, fighter)
        others = worth - who.rating.ducats
        for category in sorted({rule.category for rule in rules if rule.others_ducats > others}):
            allowances = [rule for rule in rules if rule.category == category]
            if finding := _others_finding(who, allowances, counts[category], others):
                yield Placed(finding, fighter)


def _taken_by_category(content: Content, fighter: ForceFighter) -> Counter[str]:
    known = (content.upgrades.get(taken.upgrade) for taken in fighter.upgrades)
    return Counter(upgrade.category for upgrade in known if upgrade is not None)


def _others_finding(
    who: Facts, allowances: Sequence[v.UpgradeAllowanceEffect], taken: int, others: int
) -> Finding | None:
    """Return the finding for upgrades of one category, of which the worth of the others allows fewer than `taken`."""
    category = allowances[0].category
    ever = max(0, sum(rule.count for rule in allowances))
    now = max(0, sum(rule.count for rule in allowances if rule.others_ducats <= others))
    if not now < taken <= ever:
        return None
    needed = min(rule.others_ducats for rule in allowances if rule.others_ducats > others)
    text = _(
        "{{who}} has {count} {what}; that needs other fighters worth {needed} ducats, and they are worth {others}."
    )
    return Finding(
        "needs",
        text.format(count=number(taken), what=category_name(category), needed=needed, others=others),
        _("Remove one, or bring the others to {needed} ducats first.").format(needed=needed),
        who.profile.source or who.profile.name,
        category_name(category),
        subject=f"others-{category}",
        size=taken - now,
        moving=True,
    )


def upgrade_limit_findings(roster: RosterState) -> Iterator[Placed]:
    source = roster.frame.list.army.name
    for offer_id, count in upgrade_counts(roster).items():
        offer = roster.content.upgrade_offers[offer_id]
        limit, cause = upgrade_limit(roster, offer)
        name = offer.name or roster.content.name("upgrade", offer.upgrade)
        if offer.raises and not roster.force.battles.fought + roster.force.battles.credited:
            text = _("{name}: no fighter has died yet. Take it after a battle.").format(name=name)
            yield Placed(Finding("recruitment", text, _("Remove it."), source, name, subject=offer_id, size=count))
        if limit is not None and count > limit:
            yield Placed(
                Finding(
                    "warband-limit",
                    _("{name} on {fighter_count}; the list allows {limit_words}{cause}.").format(
                        name=name, fighter_count=fighter_count(count), limit_words=limit_words(limit), cause=cause
                    ),
                    _("Remove one."),
                    source,
                    name,
                    subject=offer_id,
                    size=count - limit,
                    moving=bool(cause),
                )
            )
