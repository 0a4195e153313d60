"""How a fighter of a roster meets injuries: its armour, and the target of the resolver's input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.facts import Facts
from rules.fighters.kit import CarriedItem
from rules.force import Force
from rules.trench_crusade.resolvers.arms import facts_of
from rules.trench_crusade.resolvers.inputs import ARMOUR_FIELDS, negated
from rules.trench_crusade.resolvers.weapon_lines import terms_of


def defence(content: Content, force: Force, fighter: str) -> dict[str, Any]:
    """A fighter as an injury meets it, whoever deals it: `armour`, `shield`, `unignorable_armour`, and the `target` of the resolver's input.

    What is taken off the dice stands among the target's resistances. Raises KeyError.
    """
    facts, _ = facts_of(content, force, fighter)
    always = [cause for cause in facts.of(v.AttackEffect) if _holds_always(cause.effect, facts)]
    target = target_input(content, facts, (cause.effect for cause in always if not cause.effect.keyword))
    target["resistances"] = [
        {
            "dice": cause.effect.injury_against,
            "keyword": cause.effect.keyword,
            "unless": cause.effect.unless,
            "why": cause.source.name,
        }
        for cause in always
        if cause.effect.injury_against
    ]
    return {**armour_input(facts), "target": target}


def _holds_always(effect: v.AttackEffect, facts: Facts) -> bool:
    """Whether an effect holds whoever attacks, and from wherever."""
    conditions = (
        effect.reach,
        effect.switch,
        effect.unless_switch,
        effect.per,
        effect.kind,
        effect.circumstances,
        effect.foe,
        effect.items,
    )
    return not any(conditions) and (not effect.bearer_keyword or effect.bearer_keyword in facts.keywords)


# What holds as soon as one effect says so: a field of the effect, and the field of the resolver's target.
_ANY_OF = {
    "tough": "tough",
    "fearsome": "fear",
    "ignores_out": "ignores_out",
    "tough_to_nothing": "tough_to_nothing",
    "down_is_nothing": "down_is_nothing",
    "out_is_down": "out_is_down",
    "untouched": "untouched",
    "stays_up": "stays_up",
    "minor_is_down": "minor_is_down",
    "unmarked": "no_markers",
    "keeps_infection": "keeps_infection",
}
# What may also hold only while the target has no Blood Markers: then in a field of its own.
_BY_MARKERS = ("down_is_minor", "minor_is_nothing")


def target_input(content: Content, facts: Facts, effects: Iterable[v.AttackEffect]) -> dict[str, Any]:
    """What a fighter meets injuries with, its armour apart. `effects` are those that count for it."""
    effects = tuple(effects)
    keywords = facts.keywords - {word for effect in effects for word in effect.without}
    holds = {name: any(getattr(effect, field) for effect in effects) for field, name in _ANY_OF.items()}
    return {
        **holds,
        **_first_down(effects),
        **{name: held for field in _BY_MARKERS for name, held in _by_markers(effects, field)},
        "name": "target",
        "tough": "TOUGH" in keywords or holds["tough"],
        "golem": "GOLEM" in facts.keywords,
        "fear": "FEAR" in facts.keywords or holds["fear"],
        "polearm": any("BLOCK" in terms_of(content, held).keywords for held in facts.held if held.item.weapon),
        "base": facts.base if 20 <= facts.base <= 200 else None,
        "spares": min(6, sum(effect.spares for effect in effects)),
        "negates": sorted(_negates(facts, keywords).union(*(effect.negates for effect in effects))),
    }


def _first_down(effects: Iterable[v.AttackEffect]) -> dict[str, Any]:
    """Return what replaces the first Down of a battle; "" if nothing does."""
    first = [effect for effect in effects if effect.first_down]
    return {
        "first_down": max((effect.first_down for effect in first), key=lambda to: to == "no-effect", default=""),
        "first_down_tough": any(effect.tough_too for effect in first),
    }


def _by_markers(effects: Iterable[v.AttackEffect], field: str) -> Iterator[tuple[str, bool]]:
    """Yield whether a milder result holds always, and whether it holds while the target has no Blood Markers."""
    unmarked = ["unmarked" in effect.circumstances for effect in effects if getattr(effect, field)]
    yield field, not all(unmarked)
    yield f"unmarked_{field}", any(unmarked)


def _negates(facts: Facts, keywords: frozenset[str]) -> frozenset[str]:
    """Keywords of weapons that place no marker on a fighter, by these keywords of its own and by what it is immune to."""
    own = {word.removeprefix("NEGATE ") for word in keywords if word.startswith("NEGATE ")}
    return frozenset(own | immunities(facts) | negated(keywords))


def immunities(facts: Facts) -> set[str]:
    """Keywords that do nothing to a fighter by its texts, in capitals."""
    return {word.upper() for cause in facts.of(v.ImmuneEffect) for word in cause.effect.keywords}


def armour_input(facts: Facts, effects: Iterable[v.AttackEffect] = ()) -> dict[str, int]:
    """What armour takes off an injury: what may be ignored of it, of the shield, and what never is. All are nought or below.

    `effects` are those that count for it.
    """
    effects = tuple(effects)
    if any(effect.unarmoured for effect in effects):
        return dict.fromkeys(ARMOUR_FIELDS, 0)
    total = facts.stats["armour"].value or 0
    beside = [effect.armour_beside_shield for effect in effects if effect.armour_beside_shield]
    if beside and any(held.item.slot == "shield" for held in facts.held):
        total = max(total, -min(beside))
    firm = max(total, sum(_worth(held) for held in facts.held if _is_firm(held)))
    shields = sum(_worth(held) for held in facts.held if held.item.slot == "shield" and not _is_firm(held))
    shield = max(shields, total - firm)
    return dict(zip(ARMOUR_FIELDS, (max(-9, total - firm - shield), max(-3, shield), max(-9, firm)), strict=True))


def _worth(held: CarriedItem) -> int:
    return sum(e.add for e in held.item.effects if isinstance(e, v.StatEffect) and e.stat == "armour")


def _is_firm(held: CarriedItem) -> bool:
    """Whether nothing ignores the armour of a piece."""
    return "IMPERVIOUS" in held.keywords or any(
        isinstance(effect, v.AttackEffect) and effect.unignorable for effect in held.item.effects
    )
