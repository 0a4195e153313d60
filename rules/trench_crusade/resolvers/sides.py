"""One attack with both of its sides: the fighters as the rules see them, the weapon's line, the table's answers, and
effects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.facts import Facts
from rules.fighters.kit import CarriedItem
from rules.force import Force
from rules.problems import Refusal
from rules.translation import gettext as _
from rules.trench_crusade.resolvers.arms import AttackMode, attack_modes, facts_of, mode_terms
from rules.trench_crusade.resolvers.brings import AttackFacts, Bearing, Brought, bearings, brought
from rules.trench_crusade.resolvers.inputs import words_of
from rules.trench_crusade.resolvers.weapon_lines import AttackTerms

# What the table states for one kind of attack means nothing for the other.
OF_THE_OTHER = {
    "ranged": frozenset({"off_hand", "defended_obstacle", "charged", "diving_charge"}),
    "melee": frozenset({"long_range", "cover", "elevated"}),
}


@dataclass(frozen=True)
class Sides:
    """Attacker and target, the attack's line, the table's answers by key (`told`), and the effects that may apply."""

    content: Content
    mine: Facts
    theirs: Facts
    mode: AttackMode
    terms: AttackTerms
    told: Mapping[str, Any]
    bearings: tuple[Bearing, ...]

    @property
    def held(self) -> CarriedItem | None:
        """The weapon, None where it takes none."""
        return self.mode.held

    @property
    def kind(self) -> Literal["ranged", "melee"]:
        return self.mode.arm.kind

    @cached_property
    def attack(self) -> AttackFacts:
        """The attack as effects ask about it: the line's keywords, and what whoever attacks ignores by a keyword of its own."""
        own = {word for word in self.mine.keywords if word.startswith("IGNORE ")}
        text = self.mode.natural.source.id if self.mode.natural is not None else ""
        return AttackFacts(self.content, self.kind, self.held, self.terms.keywords | own, self.told, text)

    @cached_property
    def brought(self) -> Brought:
        """What both sides bring."""
        return brought(self.bearings, self.attack)

    @cached_property
    def keywords(self) -> frozenset[str]:
        """All keywords of the attack."""
        return self.attack.keywords | self.brought.keywords

    @cached_property
    def known_keywords(self) -> frozenset[str]:
        """The same as the resolver compares them."""
        return words_of(self.keywords)

    @cached_property
    def acting(self) -> tuple[v.AttackEffect, ...]:
        """The effects that count for who attacks."""
        return tuple(self.brought.of(acts=True))

    @cached_property
    def met(self) -> tuple[v.AttackEffect, ...]:
        """The effects that count for who is attacked."""
        return tuple(self.brought.of(acts=False))

    def acts_with(self, field: str) -> bool:
        """Whether an effect that counts for who attacks says so."""
        return any(getattr(effect, field) for effect in self.acting)

    @cached_property
    def covered(self) -> frozenset[str]:
        """What shields the target wherever it stands. Source: core rules 1.0, COVER."""
        always = ["cover", "defended obstacle"] if "COVER" in self.theirs.keywords else []
        for one in self.bearings:
            if not one.acts and (not one.key or self.told.get(one.key)):
                always += one.effect.covered
        charged = self.told.get("charged") or self.told.get("diving_charge")
        return frozenset(
            "defended obstacle" if charged and word == "defended obstacle against charges" else word for word in always
        )

    @property
    def is_too_large(self) -> bool:
        """Whether the attack does nothing to a base of this size."""
        most = self.mode.text.foe_base_most_mm if self.mode.text is not None else 0
        return bool(most) and self.theirs.base > most

    @property
    def is_bare(self) -> bool:
        """Whether nothing shields the target anywhere."""
        return any(not one.acts and one.effect.uncovered for one in self.bearings)


def sides_of(
    content: Content, mine: tuple[Force, str], arm: str, theirs: tuple[Force, str], told: Mapping[str, Any]
) -> Sides:
    """Both sides of an attack. Raises Refusal for an attack that this fighter does not have, KeyError for a fighter nobody knows."""
    attacker, mates = facts_of(content, *mine)
    target, others = facts_of(content, *theirs)
    mode = next((known for known in attack_modes(content, attacker) if known.arm.key == arm), None)
    if mode is None:
        raise Refusal(_("This fighter does not attack like that."), code="not-offered")
    found = bearings(content, attacker, target, mates, others, mode.held, melee=mode.arm.kind == "melee")
    return with_told(Sides(content, attacker, target, mode, mode_terms(content, attacker, mode), {}, found), told)


def with_told(sides: Sides, told: Mapping[str, Any]) -> Sides:
    """The same attack with other answers of the table."""
    mode = sides.mode
    stated = {key: value for key, value in told.items() if key not in OF_THE_OTHER[mode.arm.kind]}
    if mode.text is not None and mode.text.on_down:
        stated["target_down"] = 1
    sides = replace(sides, told=stated)
    if sides.is_bare:
        return replace(sides, told={**stated, "cover": 0, "defended_obstacle": 0})
    always = {word.replace(" ", "_"): 1 for word in sides.covered if word in ("cover", "defended obstacle")}
    return replace(sides, told={**stated, **always})
