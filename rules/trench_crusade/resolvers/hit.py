"""The roll to hit, as modified by the characteristic and the situation.

Source: Attacks 1.6, "Making a Ranged Attack" and "Making a Melee Attack"; Turns and actions 1.0, "Actions"; core
rules 1.0, "Attacks".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.content.play import EditionPlay
from rules.problems import Refusal
from rules.resolvers.roller import Changes, Resolved, Roller
from rules.translation import gettext as _
from rules.trench_crusade.resolvers.inputs import Attack, Target
from rules.trench_crusade.resolvers.success import (
    SUCCESS,
    checked_spending,
    own_changes,
    roll,
    spent_markers,
    with_effects,
)

# Hit modifiers ignored by a keyword of the weapon or of the attacker. Source: core rules 1.0, IGNORE [MODIFIER].
IGNORES = {
    "long_range": frozenset({"IGNORE LONG RANGE"}), "cover": frozenset({"IGNORE COVER"}),
    "elevated": frozenset({"IGNORE ELEVATED POSITION"}), "off_hand": frozenset({"IGNORE OFF HAND WEAPON", "IGNORE OFF HAND"}),
    "defended_obstacle": frozenset({"IGNORE DEFENDED OBSTACLE"}), "fear": frozenset({"IGNORE FEAR", "NEGATE FEAR"}),
    "down": frozenset({"IGNORE DOWN"}),
}  # fmt: skip


def roll_to_hit(play: EditionPlay, data: Attack, keywords: frozenset[str], roller: Roller) -> Resolved:
    """Roll to hit, where it is rolled for. Raises Refusal for markers that do not lie there, and for an unarmed attack where there is none."""
    if hits_by_itself(data, keywords):
        return Resolved("success", _("It hits by itself."))
    checked_spending(data.blood_spent, data.blessing_spent, data.blood, data.infection, data.blessing)
    if data.unarmed and play.unarmed == "none":
        raise Refusal(_("Without a melee weapon there is no Fight in this edition."), code="unarmed")
    found = _rolled(play, data, keywords, roller)
    if found.outcome == "failure" and data.reroll_hit:
        again = _rolled(play, data, keywords, roller, again=True)
        flawed = ({"attacker_down": True}, {"own_blood_markers": 1}) if again.effect("flawed") else ()
        found = replace(again, rolled=(*found.rolled, *again.rolled), effects=(*again.effects, *flawed))
    if data.averted and found.outcome != "failure":
        found = replace(found, outcome="failure", told=_("{told} It is averted.").format(told=found.told))
    return with_effects(found, spent_markers(data.blood_spent, data.blessing_spent))


def _rolled(
    play: EditionPlay, data: Attack, keywords: frozenset[str], roller: Roller, *, again: bool = False
) -> Resolved:
    """One roll to hit. Where a miss that scatters may still catch the target, its total matters."""
    reach = {SUCCESS - int(inches) for inches in (data.near_miss, data.direct_miss) if inches >= 1}
    return roll(
        roller,
        Changes(hit_changes(play, data, keywords)),
        data.modifier,
        base=data.hit_base,
        risky=data.risky or data.shaken or "RISKY" in keywords,
        why=_("Roll to hit, again") if again else _("Roll to hit"),
        critical_from=data.critical_from,
        sixes=data.hit_sixes,
        flawed=again and data.backfires,
        cuts=tuple(reach),
    )


def is_roll_to_hit(why: str) -> bool:
    """Return whether a throw with this cause is a roll to hit, the first one or that which is made again."""
    return why in (_("Roll to hit"), _("Roll to hit, again"))


def hits_by_itself(data: Attack, keywords: frozenset[str]) -> bool:
    """Whether the attack is not rolled for: stated, or by its keyword."""
    return data.automatic_hit or "FLAMETHROWER" in keywords


def hit_changes(play: EditionPlay, data: Attack, keywords: frozenset[str]) -> tuple[tuple[int, str], ...]:
    """Dice added to and taken from a roll to hit, each with its cause; the characteristic comes first."""
    down = data.down and not keywords & IGNORES["down"]
    changes = own_changes(data.dice, data.modifiers, down, data.blood_spent, data.blessing_spent)
    situation = _ranged if data.kind == "ranged" else _melee
    for dice, why, applies in situation(play, data, data.target, keywords):
        changes = changes.plus(dice if applies else 0, why)
    return tuple(sorted(changes.entries, key=lambda entry: "haracteristic" not in entry[1]))


# Dice, their cause, and whether they apply.
_Changes = Iterable[tuple[int, str, bool]]


def _ranged(play: EditionPlay, data: Attack, target: Target, keywords: frozenset[str]) -> _Changes:
    lobbed = (data.grenade or "GRENADE" in keywords) and play.grenades_ignore
    far = is_long(data) and not lobbed and not keywords & (IGNORES["long_range"] | {"SHOTGUN"})
    covered = data.cover and not data.at_point and not lobbed and not keywords & IGNORES["cover"]
    return (
        (data.ranged, _("Ranged Characteristic"), True),
        (-1, _("Long range"), far),
        (-1, _("Cover"), covered),
        (1, _("Elevated position"), is_elevated(play, data, target) and not keywords & IGNORES["elevated"]),
    )


def _melee(play: EditionPlay, data: Attack, target: Target, keywords: frozenset[str]) -> _Changes:
    shielded = (play.obstacle_for_down or not target.down) and not keywords & IGNORES["defended_obstacle"]
    dives_over = data.diving_charge and play.diving_ignores_obstacle
    return (
        (*_melee_characteristic(play, data, keywords), True),
        (-1, _("Unarmed"), data.unarmed),
        (-1, _("Off-hand weapon"), data.off_hand and not keywords & IGNORES["off_hand"]),
        (-1, _("Defended Obstacle"), data.defended_obstacle and shielded and not dives_over),
        (-1, "FEAR", target.fear and not data.fear_immune and not keywords & IGNORES["fear"]),
        (-1, _("Polearm against a charge"), data.charged and target.polearm),
        (1, _("Diving Charge"), data.diving_charge),
    )


def _melee_characteristic(play: EditionPlay, data: Attack, keywords: frozenset[str]) -> tuple[int, str]:
    if data.pistol or "PISTOL" in keywords:
        if play.pistol_melee == "ranged":
            return data.ranged, _("Ranged Characteristic, a pistol")
        return max(data.ranged, data.melee), _("the better Characteristic, a pistol")
    return (data.ranged, _("Ranged Characteristic")) if data.by_ranged else (data.melee, _("Melee Characteristic"))


def is_long(data: Attack) -> bool:
    """Whether the target is beyond half range: stated, or by distance and range."""
    if data.long_range:
        return True
    return data.distance is not None and data.range is not None and data.distance > data.range / 2


def is_elevated(play: EditionPlay, data: Attack, target: Target) -> bool:
    """Whether the attacker stands high enough: stated, or by how much higher it stands and the target's base."""
    if data.elevated:
        return True
    if data.higher_by is None:
        return False
    large = bool(play.large_base) and target.base is not None and target.base >= play.large_base
    return data.higher_by >= (play.large_base_from if large else play.elevated_from)
