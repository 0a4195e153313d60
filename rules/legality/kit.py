"""The limits on what a fighter may carry: who may have which piece, how many of it, and which pieces fit together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rules import vocabulary as v
from rules.content.compiled import Content, ListContent
from rules.eligibility import holder_words
from rules.fighters.facts import Facts
from rules.fighters.frame import Frame
from rules.fighters.kit import CarriedItem
from rules.fighters.matching import holder_fits, item_passes, passes_any
from rules.fighters.sources import Cause
from rules.force import ForceFighter
from rules.formatting import counted, listed, number
from rules.legality.finding import Finding, left_out, put_away
from rules.legality.hands import SINGLE, as_printed, equipment_source, spare_pieces
from rules.translation import gettext as _


def is_locked(who: Facts) -> bool:
    """Return whether nothing may be added to the kit that the fighter comes with."""
    if who.of(v.FixedKitEffect):
        return True
    return (who.mercenary or not who.profile.may_buy) and not who.of(v.MayBuyEffect)


# --- who may have which piece


def permission_findings(content: Content, frame: Frame, fighter: ForceFighter, who: Facts) -> Iterator[Finding]:
    locked = is_locked(who)
    for held in who.held:
        if held.included is None:
            finding = _locked(content, who, held) if locked else _not_permitted(content, frame, fighter, who, held)
            if finding is not None:
                yield finding


def _locked(content: Content, who: Facts, held: CarriedItem) -> Finding:
    fixed = who.of(v.FixedKitEffect)
    return Finding(
        "fixed-kit",
        _("{name}: {{who}} keeps to the kit that comes with it.").format(name=held.item.name),
        _("Remove it."),
        fixed[0].source.where if fixed else equipment_source(content),
        held.item.name,
        held.row,
        held.item.id,
    )


def _is_sold_here(army: ListContent, held: CarriedItem) -> bool:
    offer = held.offer
    if offer is None or held.item.id in army.shut:
        return False
    return army.army.id in offer.lists and offer.id in army.item_offer_ids


def _not_permitted(
    content: Content, frame: Frame, fighter: ForceFighter, who: Facts, held: CarriedItem
) -> Finding | None:
    """Return the first reason why this fighter may not carry this piece, as a finding."""
    item, army = held.item, frame.list
    about = (army.army.name, item.name, held.row, item.id)
    if held.origin == "mandatory" and item.id not in content.swappable:
        return Finding(
            "not-offered",
            _("{name} does not come with {name_2}.").format(name=item.name, name_2=who.profile.name),
            _("Buy it instead."),
            *about,
        )
    picked = _is_picked(frame, fighter, held)
    if held.origin == "bought" and not picked and not _is_sold_here(army, held):
        return _not_in_armoury(content, frame, who, held)
    if any(isinstance(e, v.StaysInStashEffect) for e in item.effects):
        text = _("{name} serves the whole warband and is not carried.").format(name=item.name)
        return Finding("only-for", text, _("Remove it from {who}."), *about)
    if held.offer is not None and not holder_fits(held.offer.who, who, content, item=item.id, owned=True):
        holder = holder_words(held.offer.who, content, held.offer.who_words)
        text = _("{name} is not for {{who}}: {holder}.").format(name=item.name, holder=holder)
        return Finding("only-for", text, _only_for_fix(content, held, who), *about)
    if picked and _beats_filter(frame, who):
        return None
    cause = banned_by(who.of(v.MayCarryEffect), held, who, content)
    return _banned(content, cause, held) if cause is not None else None


def _not_in_armoury(content: Content, frame: Frame, who: Facts, held: CarriedItem) -> Finding | None:
    item, army = held.item, frame.list
    if item.id in army.shut:
        return left_out(army.shut[item.id], item.name, item=item.name, row=held.row, subject=item.id)
    if held.offer is not None and army.army.id in held.offer.lists:
        code = "third-party" if held.offer.third_party else "banned"
        return left_out(code, item.name, item=item.name, row=held.row, subject=item.id)
    if ruled_out(frame, held, who, content):
        return None  # the finding of the rule itself reports it
    return Finding(
        "not-offered",
        _("{name} is not in the armoury of {name_2}.").format(name=item.name, name_2=army.army.name),
        _("Take something the list offers."),
        army.army.name,
        item.name,
        held.row,
        item.id,
    )


def _beats_filter(frame: Frame, who: Facts) -> bool:
    """Return whether pieces picked from another list ignore the filters of the fighter itself."""
    return any(
        isinstance(c.effect, v.ForeignPickEffect) and who.profile.id in c.effect.beats_own_filter for c in frame.wide
    )


def _banned(content: Content, cause: Cause, held: CarriedItem) -> Finding:
    return Finding(
        "banned",
        _("{{who}} may not carry {name}: {by_whom} rules it out.").format(name=held.item.name, by_whom=_by_whom(cause)),
        _("{put_away} or return it.").format(put_away=put_away(content, "it")),
        cause.source.where,
        held.item.name,
        held.row,
        held.item.id,
    )


def _by_whom(cause: Cause) -> str:
    """Return what sets a limit.

    For a profile's own limit this is "its profile", so that no fighter seems to forbid itself something.
    """
    return _("its profile") if cause.source.kind == "profile" else cause.source.name


def ruled_out(frame: Frame, held: CarriedItem, who: Facts | None, content: Content) -> bool:
    """Return whether a rule of the list bans this piece for the whole warband."""
    return any(passes_any(c.effect.items, held, who, content) for c in frame.of(v.WarbandBanEffect))


def _is_picked(frame: Frame, fighter: ForceFighter, held: CarriedItem) -> bool:
    if not frame.foreign or held.offer is None:
        return False
    return held.offer in frame.foreign.get("", ()) or held.offer in frame.foreign.get(fighter.key, ())


def _only_for_fix(content: Content, held: CarriedItem, who: Facts) -> str:
    assert held.offer is not None
    traits = (*held.offer.who.only_for, *held.offer.who.and_also)
    if any(content.keyword(t.keyword) == "ELITE" for t in traits) and not who.elite and not who.mercenary:
        return _("A promotion would open it.")
    for trait in traits:
        if trait.item_keyword:
            return _("Give {{who}} a weapon with {keyword}.").format(keyword=content.keyword(trait.item_keyword))
        if trait.item:
            return _("Give {{who}} {name} too.").format(name=content.name("item", trait.item))
        if trait.item_group:
            return _("Give {{who}} a {replace} too.").format(replace=trait.item_group.replace("-", " "))
    return _("Give it to someone else.")


def banned_by(causes: Sequence[Cause], held: CarriedItem, who: Facts, content: Content) -> Cause | None:
    """Return the effect that forbids a piece.

    Permissions lift bans and "only these" rules. A veto forbids the piece in any case.
    """
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
    vetoes = (cause for cause in causes if passes_any(cause.effect.veto, held, who, content))
    return next(vetoes, hit)


# --- how many


def copy_findings(content: Content, who: Facts) -> Iterator[Finding]:
    for item_id, count in Counter(h.item.id for h in who.held).items():
        item = content.items[item_id]
        single = item.category == "equipment" and item.slot not in SINGLE
        maximum = next((e.most for e in item.effects if isinstance(e, v.CopiesEffect)), 1 if single else count)
        copies = [h for h in who.held if h.item.id == item_id] if count > maximum else []
        if copies and not as_printed(copies):
            yield Finding(
                "duplicate",
                _("{{who}} has {counted}; {maximum} is the most on one fighter.").format(
                    counted=counted(count, item.name), maximum=number(maximum)
                ),
                _("Give the other to someone else."),
                equipment_source(content),
                item.name,
                next((h.row for h in reversed(copies) if h.included is None), -1),
                item_id,
                count,
            )


def carry_limit_findings(content: Content, who: Facts) -> Iterator[Finding]:
    for cause in who.of(v.CarryLimitEffect):
        limit: v.CarryLimitEffect = cause.effect
        hit = [h for h in who.held if item_passes(limit.among, h, who, content)]
        groups = [hit]
        if limit.each:
            groups = [[h for h in hit if h.item.id == item_id] for item_id in dict.fromkeys(h.item.id for h in hit)]
        for pieces in groups:
            if limit.most is not None and len(pieces) > limit.most:
                yield _too_many(cause, pieces)
        if len(hit) < limit.least:
            yield Finding(
                "too-few",
                _("{{who}} carries {count}; {by_whom} asks for {least}.").format(
                    count=number(len(hit)), by_whom=_by_whom(cause), least=number(limit.least)
                ),
                _("Add what is missing."),
                cause.source.where,
                subject=f"least-{cause.source.id}",
                size=limit.least - len(hit),
            )


def _too_many(cause: Cause, pieces: Sequence[CarriedItem]) -> Finding:
    spare = spare_pieces(pieces)[0]
    among: v.ItemTest = cause.effect.among
    return Finding(
        "model-limit",
        _("{{who}} carries {listed}; {by_whom} allows {most}.").format(
            listed=listed(h.item.name for h in pieces), by_whom=_by_whom(cause), most=number(cause.effect.most)
        ),
        _("Give {name} to someone else.").format(name=spare.item.name),
        cause.source.where,
        spare.item.name,
        spare.row,
        f"{cause.source.id}-{among.item or among.category or among.group or among.keyword}",
        len(pieces),
    )


# --- which pieces fit together


def attachment_findings(who: Facts) -> Iterator[Finding]:
    for held in who.held:
        for effect in held.item.effects:
            if isinstance(effect, v.AttachesEffect) and not any(g in who.groups for g in effect.groups):
                groups = listed((f"a {g.replace('-', ' ')}" for g in effect.groups), "or")
                yield Finding(
                    "needs",
                    _("{name} on {{who}} works only with {groups}.").format(name=held.item.name, groups=groups),
                    _("Give {{who}} {groups}, or stash it.").format(groups=groups),
                    held.item.source or held.item.name,
                    held.item.name,
                    held.row,
                    held.item.id,
                )


def must_carry_findings(content: Content, who: Facts) -> Iterator[Finding]:
    """Yield findings for what a fighter must or must not carry.

    Requirements of the list do not apply to mercenaries.
    """
    for cause in who.of(v.MustCarryEffect):
        rule: v.MustCarryEffect = cause.effect
        if who.mercenary and cause.source.kind == "rule":
            continue
        if rule.melee_hands > sum(h.hands.melee for h in who.held if h.item.slot == "melee-weapon"):
            hands = number(rule.melee_hands)
            yield Finding(
                "needs",
                _("{{who}} has to fill {hands} hands with Melee Weapons.").format(hands=hands),
                _("Give {{who}} Melee Weapons for {hands} hands.").format(hands=hands),
                cause.source.where,
                subject=f"hands-{cause.source.id}",
            )
        if rule.one_of and not any(passes_any(rule.one_of, h, who, content) for h in who.held):
            yield _missing_piece(content, who, cause)
        for held in who.held:
            excepted = passes_any(rule.except_items, held, who, content)
            if passes_any(rule.none_of, held, who, content) and not excepted:
                yield _banned(content, cause, held)


def _missing_piece(content: Content, who: Facts, cause: Cause) -> Finding:
    source = cause.source
    labels = (_test_label(test, content) for test in cause.effect.one_of)
    wanted = listed(dict.fromkeys(filter(None, labels)), "or")
    by_thing = source.kind in ("item", "upgrade")
    text = (
        _("{name} on {{who}} asks for {wanted}.").format(name=source.name, wanted=wanted)
        if by_thing
        else _("{{who}} has to carry {wanted}.").format(wanted=wanted)
    )
    is_item = source.kind == "item"
    row = next((h.row for h in who.held if is_item and h.item.id == source.id), -1)
    item = source.name if is_item else ""
    return Finding(
        "needs", text, _("Give {{who}} {wanted}.").format(wanted=wanted), source.where, item, row, f"carry-{source.id}"
    )


def _test_label(test: v.ItemTest, content: Content) -> str:
    """Return the noun for the pieces that a test matches, from the first property that it checks."""
    labels = (
        (test.item, content.name("item", test.item) if test.item else ""),
        (test.category == "ranged", _("a ranged weapon")),
        (test.category == "melee", _("a melee weapon")),
        (test.slot == "armour", _("a suit of armour")),
        (test.slot, f"a {test.slot.replace('-', ' ')}"),
        (test.weapon, "a weapon"),
        (test.group, f"a {test.group.replace('-', ' ')}"),
        (test.category, _("a piece of {category}").format(category=test.category)),
        (test.keyword, _("a piece with {what}").format(what=content.keyword(test.keyword) if test.keyword else "")),
    )
    return next((label for asked, label in labels if asked), "")
