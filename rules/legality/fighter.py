"""What one fighter breaks: slots, hands, who may carry what, what goes with what, and its upgrades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from rules import vocabulary as v
from rules.choices import Asking, mend_words, of_fighter
from rules.content.compiled import Content
from rules.content.schema import Upgrade, UpgradeOffer
from rules.eligibility import holder_words
from rules.fighters.facts import Bearer, Facts
from rules.fighters.frame import Frame
from rules.fighters.kit import CarriedItem
from rules.fighters.matching import holder_fits, item_passes, passes_any
from rules.fighters.sources import Cause
from rules.force import ForceFighter
from rules.formatting import counted, first, listed, number
from rules.legality.finding import Finding, left_out, put_away

# slot -> (what it is called, verb, mend)
SINGLE = {
    "armour": ("suits of armour", "wears one"),
    "shield": ("shields", "bears one"),
    "headgear": ("pieces of headgear", "wears one"),
    "grenade": ("types of grenade", "carries one type"),
    "standard": ("standards", "carries one"),
    "instrument": ("instruments", "carries one"),
}


def equipment_source(content: Content, part: str = "General Equipment") -> str:
    """Where the slot rules stand, in the edition's book."""
    return f"{content.pack.labels.get('rulebook', 'Condensed rules')} {content.edition}, {part}"


def fighter_findings(content: Content, frame: Frame, fighter: ForceFighter, who: Facts) -> tuple[Finding, ...]:
    """Everything this fighter breaks by itself; remembered with its facts."""
    if who.remembered.findings is None:
        found: list[Finding] = []
        found += _unknown(who)
        found += _permissions(content, frame, fighter, who)
        found += _slots(content, who)
        found += _hands(content, who)
        found += _heavy(content, who)
        found += _copies(content, who)
        found += _carry_limits(content, who)
        found += _belongings(content, who)
        found += _upgrades(content, frame, fighter, who)
        found += [f for a in of_fighter(content, frame.list, fighter, who) if (f := open_choice(a, who.explicit))]
        who.remembered.findings = tuple(found)
    return who.remembered.findings


def open_choice(asking: Asking, explicit: bool) -> Finding | None:
    """The finding for a choice that waits or does not fit. A roster document may leave choices unsaid; rows may not."""
    choosing = asking.choosing
    if not choosing.wrong and not (choosing.open and explicit and choosing.asked.options):
        return None
    where = "" if choosing.row == "warband" or not choosing.fighter else "{who}: "
    text = f"{choosing.source}: {choosing.wrong}." if choosing.wrong else f"{choosing.source} leaves a choice open."
    item = choosing.source if choosing.row == "item" else ""
    return Finding(
        "choice", f"{where}{text}", mend_words(choosing.asked), asking.where, item, asking.row,
        f"choice-{asking.source_id}-{choosing.asked.key}",
    )  # fmt: skip


def _unknown(who: Facts) -> Iterator[Finding]:
    for kind, id_ in who.missing:
        yield Finding(
            "unknown-name",
            f"{{who}}: no {kind} is called “{id_}”.",
            "Choose one of the armoury.",
            item=id_,
            subject=id_,
        )


def is_locked(who: Facts) -> bool:
    """Whether nothing may be added to what the fighter comes with."""
    if who.of(v.FixedKitEffect):
        return True
    return (who.mercenary or not who.profile.may_buy) and not who.of(v.MayBuyEffect)


def _permissions(content: Content, frame: Frame, fighter: ForceFighter, who: Facts) -> Iterator[Finding]:
    locked = is_locked(who)
    filters = who.of(v.MayCarryEffect)
    army = frame.list
    for held in who.held:
        if held.included is not None:
            continue
        item, row = held.item, held.row
        name = item.name
        if locked:
            source = who.of(v.FixedKitEffect)[0].source.where if who.of(v.FixedKitEffect) else equipment_source(content)
            yield Finding(
                "fixed-kit",
                f"{name}: {{who}} keeps to the kit that comes with it.",
                "Take it off again.",
                source,
                name,
                row,
                item.id,
            )
            continue
        if held.origin == "mandatory" and item.id not in content.swappable:
            yield Finding(
                "not-offered",
                f"{name} does not come with {who.profile.name}.",
                "Buy it instead.",
                army.army.name,
                name,
                row,
                item.id,
            )
            continue
        picked = _is_picked(frame, fighter, held)
        if held.origin == "bought":
            if item.id in army.shut and not picked:
                yield left_out(army.shut[item.id], name, item=name, row=row, subject=item.id)
                continue
            if held.offer is None or not (army.army.id in held.offer.lists or picked):
                if ruled_out(frame, held, who, content):
                    continue  # told once, by the rule
                yield Finding(
                    "not-offered", f"{name} is not in the armoury of {army.army.name}.", "Take something the list offers.",
                    army.army.name, name, row, item.id,
                )  # fmt: skip
                continue
            if held.offer.id not in army.item_offer_ids and not picked:
                yield left_out(
                    "third-party" if held.offer.third_party else "banned", name, item=name, row=row, subject=item.id
                )
                continue
        if any(isinstance(e, v.StaysInStashEffect) for e in item.effects):
            yield Finding(
                "only-for",
                f"{name} serves the whole warband; nobody carries it.",
                "Take it off {who}.",
                army.army.name,
                name,
                row,
                item.id,
            )
            continue
        if held.offer is not None and not holder_fits(held.offer.who, who, content, item=item.id, owned=True):
            words = holder_words(held.offer.who, content, held.offer.who_words)
            yield Finding(
                "only-for",
                f"{name} is not for {{who}}: {words}.",
                _only_for_mend(content, held, who),
                army.army.name,
                name,
                row,
                item.id,
            )
            continue
        if picked and any(
            isinstance(c.effect, v.ForeignPickEffect) and who.profile.id in c.effect.beats_own_filter for c in frame.wide
        ):  # fmt: skip
            continue
        cause = banned_by(filters, held, who, content)
        if cause is not None:
            yield Finding(
                "banned", f"{{who}} may not carry {name}: {_by_whom(cause)} rules it out.", f"{put_away(content, 'it')} or return it.",
                cause.source.where, name, row, item.id,
            )  # fmt: skip


def _by_whom(cause: Cause) -> str:
    """What lays down a limit, so that no fighter is said to forbid itself something."""
    return "its profile" if cause.source.kind == "profile" else cause.source.name


def ruled_out(frame: Frame, held: CarriedItem, who: Facts | None, content: Content) -> bool:
    """Whether a rule of the list bans this piece for the whole warband."""
    return any(passes_any(c.effect.items, held, who, content) for c in frame.of(v.WarbandBanEffect))


def _is_picked(frame: Frame, fighter: ForceFighter, held: CarriedItem) -> bool:
    if not frame.foreign or held.offer is None:
        return False
    return held.offer in frame.foreign.get("", ()) or held.offer in frame.foreign.get(fighter.key, ())


def _only_for_mend(content: Content, held: CarriedItem, who: Facts) -> str:
    assert held.offer is not None
    traits = (*held.offer.who.only_for, *held.offer.who.and_also)
    if any(content.keyword(t.keyword) == "ELITE" for t in traits) and not who.elite and not who.mercenary:
        return "A promotion would open it."
    for trait in traits:
        if trait.item_keyword:
            return f"Give {{who}} a weapon with {content.keyword(trait.item_keyword)}."
        if trait.item:
            return f"Give {{who}} {content.name('item', trait.item)} with it."
        if trait.item_group:
            return f"Give {{who}} a {trait.item_group.replace('-', ' ')} with it."
    return "Give it to someone else."


def banned_by(causes: Sequence[Cause], held: CarriedItem, who: Facts, content: Content) -> Cause | None:
    """The effect that forbids a piece: bans, then "only these", lifted by what is allowed, then vetoes."""
    if not causes:
        return None
    hit: Cause | None = None
    for cause in causes:
        effect: v.MayCarryEffect = cause.effect
        if passes_any(effect.ban, held, who, content):
            hit = hit or cause
        for only in effect.only:
            if item_passes(only.among, held, who, content) and not passes_any(only.these, held, who, content):
                hit = hit or cause
    if hit and any(passes_any(c.effect.allow, held, who, content) for c in causes):
        hit = None
    for cause in causes:
        if passes_any(cause.effect.veto, held, who, content):
            return cause
    return hit


def _slots(content: Content, who: Facts) -> Iterator[Finding]:
    by_slot: dict[str, list[CarriedItem]] = {}
    for held in who.held:
        if held.item.slot in SINGLE:
            by_slot.setdefault(held.item.slot, []).append(held)
    for slot, pieces in by_slot.items():
        if len(pieces) < 2 or _as_printed(pieces):
            continue
        what, verb = SINGLE[slot]
        if slot == "grenade" and len({h.item.id for h in pieces}) == 1:
            what = "of a kind of grenade"
            if any(isinstance(e, v.CopiesEffect) for e in pieces[0].item.effects):
                continue  # told as a second copy
        loose = [h for h in reversed(pieces) if h.included is None] or pieces[-1:]
        spare = loose[0]
        yield Finding(
            f"slot-{slot}", f"{first(number(len(pieces)))} {what}: {listed(h.item.name for h in pieces)}. {{who}} {verb}.",
            f"{put_away(content, spare.item.name)} or send it back.", equipment_source(content), spare.item.name, spare.row, slot, len(pieces),
            spares=_rows(loose),
        )  # fmt: skip


def _hands(content: Content, who: Facts) -> Iterator[Finding]:
    if who.hands_ranged == who.hands_melee and any(c.effect.pool is not None for c in who.of(v.HandsEffect)):
        used, has = who.hands_ranged
        if used > has and not _as_printed(_takers(who, "")):
            yield _too_few_hands(content, who, "", used, has)
        return
    for side, (used, has) in (("ranged", who.hands_ranged), ("melee", who.hands_melee)):
        if used > has and not _as_printed(_takers(who, side)):
            yield _too_few_hands(content, who, side, used, has)


def _too_few_hands(content: Content, who: Facts, side: str, used: int, has: int) -> Finding:
    takers = _takers(who, side)
    loose = [h for h in reversed(takers) if not h.fixed] or takers[-1:]
    enough = [h for h in loose if _hands_taken(who, h, side) >= used - has]
    loose = [*enough, *(h for h in loose if h not in enough)]
    spare = loose[0] if loose else None
    what = {"ranged": " for shooting", "melee": " in melee"}.get(side, "")
    hands = "hand" if used == 1 else "hands"
    verb = "asks" if len(takers) == 1 else "ask"
    name = spare.item.name if spare else ""
    return Finding(
        "hands", f"{{who}}: {listed(h.item.name for h in takers)} {verb} {number(used)} {hands}{what}; there {'is' if has == 1 else 'are'} {number(has) if has else 'none'}.",
        f"{put_away(content, name)} or swap it for something lighter." if spare else "", equipment_source(content), name,
        spare.row if spare else -1, f"hands-{side}", used - has, spares=_rows(enough),
    )  # fmt: skip


def _rows(pieces: Sequence[CarriedItem]) -> tuple[tuple[int, str], ...]:
    return tuple((h.row, h.item.name) for h in pieces)


def _hands_taken(who: Facts, held: CarriedItem, side: str) -> int:
    """How many hands would be free without this piece, near enough to advise by: a SHIELD COMBO weapon bears the shield as well."""
    combo = [h for h in who.held if h.item.category == side and "SHIELD COMBO" in h.keywords]
    if held.item.slot == "shield":
        return int(not combo)
    borne = sum(h.item.slot == "shield" for h in who.held) if combo == [held] else 0
    if side:
        return (getattr(held.hands, side) or 1) - borne
    return held.hands.ranged + held.hands.melee or 1


def _takers(who: Facts, side: str) -> list[CarriedItem]:
    return [h for h in who.held if _takes_hands(h, side)]


def _as_printed(pieces: Sequence[CarriedItem]) -> bool:
    """Whether all of these come with the profile: what is printed on it breaks no rule."""
    return bool(pieces) and all(h.fixed for h in pieces)


def _takes_hands(held: CarriedItem, side: str) -> bool:
    if (
        held.item.built_in
        or held.item.slot == "grenade"
        or any(isinstance(e, v.NoSlotEffect) for e in held.item.effects)
    ):
        return False
    if held.item.slot in ("shield", "standard", "instrument"):
        return True
    if side == "ranged":
        return held.hands.ranged > 0
    return held.hands.melee > 0 if side == "melee" else bool(held.hands.melee or held.hands.ranged)


def _heavy(content: Content, who: Facts) -> Iterator[Finding]:
    if "STRONG" in who.keywords:
        return
    heavy = [h for h in who.held if "HEAVY" in h.keywords]
    limited = any(
        content.keyword(c.effect.among.keyword) == "HEAVY" for c in who.of(v.CarryLimitEffect) if c.effect.among.keyword
    )
    if len(heavy) > 1 and not limited and not _as_printed(heavy):
        spare = next((h for h in reversed(heavy) if h.included is None), heavy[-1])
        yield Finding(
            "heavy", f"{first(number(len(heavy)))} HEAVY pieces on {{who}}: {listed(h.item.name for h in heavy)}. One is the most without STRONG.",
            f"Give {spare.item.name} to someone else.", equipment_source(content, "Keywords: HEAVY"), spare.item.name, spare.row,
            "heavy", len(heavy), spares=_rows([h for h in reversed(heavy) if h.included is None] or heavy[-1:]),
        )  # fmt: skip


def _copies(content: Content, who: Facts) -> Iterator[Finding]:
    counts: Counter[str] = Counter(h.item.id for h in who.held)
    for item_id, count in counts.items():
        item = content.items[item_id]
        most = next((e.most for e in item.effects if isinstance(e, v.CopiesEffect)), None)
        if most is None and item.category == "equipment" and item.slot not in SINGLE:
            most = 1
        if most is not None and count > most and not _as_printed([h for h in who.held if h.item.id == item_id]):
            row = next((h.row for h in reversed(who.held) if h.item.id == item_id and h.included is None), -1)
            yield Finding(
                "duplicate", f"{{who}} has {counted(count, item.name)}; {number(most)} is the most on one fighter.",
                "Give the other to someone else.", equipment_source(content), item.name, row, item_id, count,
            )  # fmt: skip


def _carry_limits(content: Content, who: Facts) -> Iterator[Finding]:
    for cause in who.of(v.CarryLimitEffect):
        limit: v.CarryLimitEffect = cause.effect
        hit = [h for h in who.held if item_passes(limit.among, h, who, content)]
        groups: list[list[CarriedItem]] = [hit]
        if limit.each:
            groups = [[h for h in hit if h.item.id == item_id] for item_id in dict.fromkeys(h.item.id for h in hit)]
        for pieces in groups:
            if limit.most is not None and len(pieces) > limit.most:
                spare = next((h for h in reversed(pieces) if h.included is None), pieces[-1])
                yield Finding(
                    "model-limit", f"{{who}} carries {listed(h.item.name for h in pieces)}; {_by_whom(cause)} allows {number(limit.most)}.",
                    f"Give {spare.item.name} to someone else.", cause.source.where, spare.item.name, spare.row,
                    f"{cause.source.id}-{limit.among.item or limit.among.category or limit.among.group or limit.among.keyword}", len(pieces),
                )  # fmt: skip
        if len(hit) < limit.least:
            yield Finding(
                "too-few", f"{{who}} carries {number(len(hit))}; {_by_whom(cause)} asks for {number(limit.least)}.", "Add what is missing.",
                cause.source.where, "", -1, f"least-{cause.source.id}", limit.least - len(hit),
            )  # fmt: skip


def _test_words(tests: tuple[v.ItemTest, ...], content: Content) -> str:
    words = []
    for t in tests:
        if t.item:
            words.append(content.name("item", t.item))
        elif t.category == "ranged":
            words.append("a ranged weapon")
        elif t.category == "melee":
            words.append("a melee weapon")
        elif t.slot == "armour":
            words.append("a suit of armour")
        elif t.slot:
            words.append(f"a {t.slot.replace('-', ' ')}")
        elif t.weapon:
            words.append("a weapon")
        elif t.group:
            words.append(f"a {t.group.replace('-', ' ')}")
        elif t.category:
            words.append(f"a piece of {t.category}")
        elif t.keyword:
            words.append(f"a piece with {content.keyword(t.keyword)}")
    return listed(dict.fromkeys(words), "or")


def _melee_hands(who: Facts) -> int:
    return sum(h.hands.melee for h in who.held if h.item.slot == "melee-weapon")


def worth_findings(who: Facts) -> Iterator[Finding]:
    """Whom the warband cannot include at this worth."""
    for cause in who.of(v.WorthEffect):
        if cause.effect.on_roster and (missing := worth_missing(cause.effect, who)):
            yield Finding(
                "needs", worth_words(cause, who), f"Add {missing} ducats of kit or let {{who}} go.", cause.source.where,
                subject="worth", size=missing,
            )  # fmt: skip


def worth_missing(rule: v.WorthEffect, who: Facts) -> int:
    """How many ducats of kit a fighter lacks to be worth what a rule asks; mercenaries are not meant."""
    if (
        who.mercenary
        or who.offer is None
        or who.profile.id in rule.except_profiles
        or any(who.is_profile(p) for p in rule.except_profiles)
    ):
        return 0
    return max(0, rule.least_ducats - who.rating.ducats)


def worth_words(cause: Cause, who: Facts) -> str:
    """What a fighter is worth, and what is asked."""
    return f"{{who}} is worth {who.rating.ducats} ducats with its kit; {cause.source.name} asks for {cause.effect.least_ducats}."


def _belongings(content: Content, who: Facts) -> Iterator[Finding]:
    for held in who.held:
        for effect in held.item.effects:
            if isinstance(effect, v.AttachesEffect) and not any(g in who.groups for g in effect.groups):
                groups = listed((f"a {g.replace('-', ' ')}" for g in effect.groups), "or")
                yield Finding(
                    "needs", f"{held.item.name} on {{who}} works only with {groups}.", f"Give {{who}} {groups}, or stash it.",
                    held.item.source or held.item.name, held.item.name, held.row, held.item.id,
                )  # fmt: skip
    for cause in who.of(v.MustCarryEffect):
        rule: v.MustCarryEffect = cause.effect
        if who.mercenary and cause.source.kind == "rule":
            continue  # what a rule of the list asks does not reach mercenaries
        if rule.melee_hands > _melee_hands(who):
            hands = number(rule.melee_hands)
            yield Finding(
                "needs", f"{{who}} has to fill {hands} hands with Melee Weapons.",
                f"Give {{who}} Melee Weapons for {hands} hands.", cause.source.where, subject=f"hands-{cause.source.id}",
            )  # fmt: skip
        if rule.one_of and not any(passes_any(rule.one_of, h, who, content) for h in who.held):
            row = next((h.row for h in who.held if cause.source.kind == "item" and h.item.id == cause.source.id), -1)
            words = _test_words(rule.one_of, content)
            given = (
                f"{cause.source.name} on {{who}} asks"
                if cause.source.kind in ("item", "upgrade")
                else "{who} has to carry"
            )
            text = f"{given} for {words}." if cause.source.kind in ("item", "upgrade") else f"{given} {words}."
            item = cause.source.name if cause.source.kind == "item" else ""
            yield Finding(
                "needs", text, f"Give {{who}} {words}.", cause.source.where, item, row, f"carry-{cause.source.id}"
            )
        for held in who.held:
            excepted = passes_any(rule.except_items, held, who, content)
            if passes_any(rule.none_of, held, who, content) and not excepted:
                yield Finding(
                    "banned", f"{{who}} may not carry {held.item.name}: {_by_whom(cause)} rules it out.", f"{put_away(content, 'it')} or return it.",
                    cause.source.where, held.item.name, held.row, held.item.id,
                )  # fmt: skip


# --- upgrades --------------------------------------------------------------------------------------------------------------


def upgrade_name(content: Content, upgrade: str) -> str:
    """The name of an upgrade."""
    return content.name("upgrade", upgrade)


def _upgrades(content: Content, frame: Frame, fighter: ForceFighter, who: Facts) -> Iterator[Finding]:
    army = frame.list
    counts: Counter[str] = Counter()
    categories: Counter[str] = Counter()
    extras = extra_rows(content, frame, fighter, who)
    for row, taken in enumerate(fighter.upgrades):
        entry: Upgrade | None = content.upgrades.get(taken.upgrade)
        if entry is None:
            yield Finding("unknown-name", f"{{who}}: no upgrade is called “{taken.upgrade}”.", subject=taken.upgrade)
            continue
        counts[entry.id] += 1
        if entry.category:
            categories[entry.category] += 1
        offers = frame.upgrade_entries(entry.id)
        extra = row in extras
        if not offers and not extra and entry.id in army.shut:
            yield left_out(army.shut[entry.id], entry.name, item=entry.name, subject=entry.id, item_key=taken.key)
            continue
        if not offers and not extra:
            rules = dict.fromkeys(content.name("rule", o.rule) for o in army.by_upgrade.get(entry.id, ()) if o.rule)
            words = f"is for a warband under {listed(rules, 'or')}" if rules else f"is not on offer to {army.army.name}"
            yield Finding(
                "not-offered", f"{entry.name} {words}.", "Take it off {who}.", army.army.name, entry.name,
                subject=entry.id, item_key=taken.key,
            )  # fmt: skip
            continue
        fitting = _fitting(content, offers, fighter, who)
        if offers and not fitting and not extra:
            words = holder_words(offers[0].who, content)
            yield Finding(
                "only-for", f"{entry.name} is not for {{who}}: {words}.", "Take it off {who}.", entry.source or army.army.name, entry.name,
                subject=entry.id, item_key=taken.key,
            )  # fmt: skip
        offer = next((o for o in fitting if o.id == taken.offer), fitting[0] if fitting else None)
        if taken.option and taken.option not in entry.options:
            options = listed((upgrade_name(content, x) for x in entry.options), "or")
            yield Finding(
                "option", f"{upgrade_name(content, taken.option)} is no way to take {entry.name}: {options or 'it has none'}.",
                "Choose one.", entry.source, entry.name, subject=entry.id, item_key=taken.key,
            )  # fmt: skip
        if offer is not None and offer.needs and who.profile.id not in offer.needs_waived_for:
            missing = [n for n in offer.needs if n not in who.upgrades]
            if missing:
                yield Finding(
                    "needs", f"{entry.name} on {{who}} asks for {listed(upgrade_name(content, n) for n in missing)} first.",
                    "Add that upgrade or take this one off.", entry.source or army.army.name, entry.name, subject=entry.id, item_key=taken.key,
                )  # fmt: skip
    waived = [frozenset(c.effect.upgrades) for c in who.of(v.WaivesExclusionEffect)]
    order = [u.upgrade for u in fighter.upgrades]
    for place, upgrade_id in enumerate(order):
        for other in order[place + 1 :]:
            if any({upgrade_id, other} <= pair for pair in waived):
                continue
            if other != upgrade_id and other in army.excludes.get(upgrade_id, ()):
                names = (upgrade_name(content, upgrade_id), upgrade_name(content, other))
                yield Finding(
                    "excludes", f"{{who}} cannot have both {names[0]} and {names[1]}.", f"Take {names[1]} off.",
                    content.upgrades[upgrade_id].source or army.army.name, names[1], subject="-".join(sorted((upgrade_id, other))),
                )  # fmt: skip
    for upgrade_id, count in counts.items():
        if count > 1:
            name = upgrade_name(content, upgrade_id)
            yield Finding(
                "duplicate",
                f"{{who}} has {name} {'twice' if count == 2 else number(count) + ' times'}; once is the most.",
                "Take one off.",
                content.upgrades[upgrade_id].source or army.army.name,
                name,
                subject=upgrade_id,
                size=count,
            )
    yield from _allowances(content, fighter, who, categories)


def _fitting(content: Content, offers: Iterable[UpgradeOffer], fighter: ForceFighter, who: Facts) -> list[UpgradeOffer]:
    """The entries of an upgrade that this fighter may take, or could when it was recruited; of what raises the dead, before it died."""
    before = as_recruited(who, fighter)
    return [
        o
        for o in offers
        if (
            any(trait.profile == who.printed.id for trait in o.who.only_for)
            if o.raises
            else holder_fits(o.who, who, content) or holder_fits(o.who, before, content)
        )
    ]


def extra_rows(
    content: Content, frame: Frame, fighter: ForceFighter, who: Facts, *, needed_only: bool = False
) -> frozenset[int]:
    """The upgrades that something carried lets the fighter have besides its own: first those out of its reach, then those with a LIMIT.

    `needed_only`: only those out of its reach, and what its own allowance does not cover.
    """
    given = who.of(v.ExtraUpgradeEffect)
    if not given:
        return frozenset()
    free: Counter[str] = Counter(c.effect.category for c in given)

    def nearness(row: int) -> int:
        fitting = _fitting(content, frame.upgrade_entries(fighter.upgrades[row].upgrade), fighter, who)
        return 0 if not fitting else 1 if all(o.limit is not None for o in fitting) else 2

    found = []
    rows = [n for n, u in enumerate(fighter.upgrades) if u.upgrade in content.upgrades]
    own: Counter[str] = Counter({category: -count for category, count in free.items()})
    for cause in who.of(v.UpgradeAllowanceEffect):
        own[cause.effect.category] += cause.effect.count
    held = Counter(content.upgrades[fighter.upgrades[n].upgrade].category for n in rows)
    for row in sorted(rows, key=lambda n: (nearness(n), n)):
        category = content.upgrades[fighter.upgrades[row].upgrade].category
        if not category or not free[category]:
            continue
        if needed_only and nearness(row) and held[category] <= own[category]:
            continue
        free[category] -= 1
        held[category] -= 1
        found.append(row)
    return frozenset(found)


def as_recruited(who: Facts, fighter: ForceFighter) -> Bearer:
    """The fighter as it was when hired: upgrades are bought then, whatever it turned into or was promoted to since."""
    if who.becomes is None and not fighter.promoted:
        return who
    return structs.replace(
        who,
        profile=who.printed,
        counts_as=who.counts_as | {who.profile.id},
        keywords=who.keywords - {"ELITE"} if fighter.promoted else who.keywords,
        elite=who.elite and not fighter.promoted,
    )


def _so_many(count: int, words: str) -> str:
    """A number of things whose name is given in the plural."""
    return f"{number(count)} {words.removesuffix('s') if count == 1 else words}"


def _allowances(content: Content, fighter: ForceFighter, who: Facts, categories: Counter[str]) -> Iterator[Finding]:
    allowed: Counter[str] = Counter()
    least: Counter[str] = Counter()
    for cause in who.of(v.UpgradeAllowanceEffect):
        allowed[cause.effect.category] += cause.effect.count
        least[cause.effect.category] = max(least[cause.effect.category], cause.effect.least)
    for category in sorted({*categories, *least}):
        count, words = categories[category], category.replace("-", " ").replace("_", " ")
        allowed[category] = max(0, allowed[category])  # a piece that takes the place of an upgrade counts against it
        if count > allowed[category]:
            yield Finding(
                "model-limit", f"{{who}} has {_so_many(count, words)}; {number(allowed[category]) if allowed[category] else 'none'} is the most.", "Take one off.",
                who.profile.source or who.profile.name, words, subject=f"upgrades-{category}", size=count,
            )  # fmt: skip
        if count < least[category]:
            yield Finding(
                "too-few", f"{{who}} has {_so_many(count, words)}; at least {number(least[category])} must be taken.", "Add one.",
                who.profile.source or who.profile.name, words, subject=f"upgrades-{category}", size=least[category] - count,
            )  # fmt: skip
    most = [c.effect.most_ducats for c in who.of(v.UpgradeBudgetEffect) if c.effect.most_ducats is not None]
    spent = sum(p.ducats for p in who.upgrade_prices)
    if most and spent > min(most):
        yield Finding(
            "upgrade-budget", f"{{who}} has {spent} ducats of upgrades; {min(most)} is the most.", "Take one off.",
            who.profile.source or who.profile.name, subject="upgrade-budget", size=spent,
        )  # fmt: skip
