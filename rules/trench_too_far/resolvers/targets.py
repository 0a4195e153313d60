"""Targets: which enemies a unit may fire at, directly or indirectly, and how far a weapon reaches.

Source: core rules, "Fire", "Machine guns", "Snipers", "Indirect fire", "Tanks: Firing", "Advance".
"""

from __future__ import annotations

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext as _
from rules.trench_too_far.charts import NAMES, PLATOON_WEAPON, TANK_WEAPON, WEAPON, ChartWeapon
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.common import facts, given_or
from rules.trench_too_far.resolvers.fire_inputs import IndirectLegal, LegalTarget

CLOSE_INCHES = 8
IDENTIFIED = 4
# Weapons whose figures against troops are listed under another name.
SAME_WEAPON = {
    "artillery": "field-artillery",
    "tank-gun-shell": "tank-cannon",
    "tank-gun-ap": "tank-cannon",
    "infantry": "rifles",
}


def listed(weapon: str) -> ChartWeapon:
    """The chart's entry of a weapon against troops. Raises Refusal if it has none."""
    entry = WEAPON.get(SAME_WEAPON.get(weapon, weapon))
    if entry is None:
        raise Refusal(
            _("{get} is not listed against troops.").format(get=NAMES.get(weapon, weapon)),
            mend=_("Give its range and attacks."),
            code="input",
        )
    return entry


def barred_by_recover(content: HasReadings, order: str) -> bool:
    """Whether the order Recover forbids fire."""
    return order == "recover" and choice(content, "recover-fire") == "none"


def special_orders(content: HasReadings, order: str) -> bool:
    """Whether an order allows harassing and indirect fire."""
    return order in ("", "fire") or (choice(content, "special-fire") == "not-advance" and order in ("move", "assault"))


def vehicle_barred(
    content: HasReadings, order: str, kind: str, traits: tuple[str, ...], weapon: str, moved: bool | None = None
) -> str:
    """Why vehicles may not be fired at; "" if they may. An HMG that did not move fires as usual on Advance, also at vehicles."""
    if kind in ("militia", "remnant") or weapon == "militia":
        return _("Militia and Remnants do not fire at vehicles")
    spared = kind == "heavy-infantry" and choice(content, "heavy-infantry-advance") == "all"
    spared = spared or "raider" in traits or (weapon == "hmg" and not moved)
    if order == "advance" and not spared:
        return _("vehicles are no targets on Advance")
    return (
        "" if weapon in TANK_WEAPON else _("{names} does nothing to vehicles").format(names=NAMES.get(weapon, weapon))
    )


def indirect_barred(content: HasReadings, weapon: str, distance: float | None, reach: float | None, order: str) -> str:
    """Why a weapon may not fire at what it does not see; "" if it may."""
    entry = WEAPON.get("field-artillery" if weapon == "artillery" else weapon)
    if entry is None or not entry.indirect:
        return _("only mortars and artillery fire indirectly")
    if not special_orders(content, order):
        return _("indirect fire takes Fire orders")
    maximum = given_or(reach, entry.range_inches or 0)
    if distance is None:
        return ""
    if distance > maximum:
        return _('it is out of range: {maximum:g}"').format(maximum=maximum)
    return (
        _('it is nearer than half the range: {number:g}"').format(number=maximum / 2) if 2 * distance < maximum else ""
    )


def indirect_legal(content: HasReadings, data: IndirectLegal, roller: Roller) -> Resolved:
    """Whether a weapon may fire indirectly at a distance. Outcomes: illegal, legal."""
    if data.weapon is None and data.range is None:
        raise Refusal(_("Which weapon fires?"), mend=_("Give weapon, or the range of a mortar or gun."), code="input")
    reason = indirect_barred(content, data.weapon or "trench-mortar", data.distance, data.range, data.order)
    if reason:
        return Resolved(
            "illegal", _("No indirect fire: {reason}.").format(reason=reason), effects=facts(legal=False, reason=reason)
        )
    return Resolved("legal", _("It may fire indirectly."), effects=facts(legal=True))


def legal_target(content: HasReadings, data: LegalTarget, roller: Roller) -> Resolved:
    """Whether a target may be fired at. Outcomes: illegal, identify (an identification roll comes first), legal."""
    _refuse_contradiction(data)
    weapon = data.weapon or PLATOON_WEAPON.get(data.kind, "tank-mg" if data.kind == "tank" else data.kind)
    sniper = data.sniper or weapon == "sniper"
    reason = (
        _barred_by_order(content, data, weapon)
        or (_barred_harassing(content, data, weapon) if data.harassing else "")
        or _unseen(content, data, weapon)
        or _out_of_reach(content, data, weapon, sniper)
    )
    if not reason and not _is_closest(data):
        reason = _bound_to_closest(data, sniper)
        if not reason and data.heavy_team and not sniper:
            identified = data.identified if data.roll is None else data.roll >= IDENTIFIED
            if identified is None:
                message = _(
                    "A weapons team behind closer targets: a 4+ identifies it, else the fire goes at the closest in sight."
                )
                return Resolved("identify", message, effects=facts(legal=None, identification=IDENTIFIED))
            reason = "" if identified else _("it was not identified, the fire goes at the closest target in sight")
    if reason:
        return Resolved(
            "illegal", _("Not this target: {reason}.").format(reason=reason), effects=facts(legal=False, reason=reason)
        )
    return Resolved("legal", _("It may be fired at."), effects=facts(legal=True))


def _refuse_contradiction(data: LegalTarget) -> None:
    if data.identified is not None and data.roll is not None:
        raise Refusal(_("Both identified and roll are given."), mend=_("Give one of them."), code="dice")
    if data.nearest_enemy is not None and data.distance is not None and data.nearest_enemy > data.distance:
        raise Refusal(_("The nearest enemy is told farther than the target."), mend=_("Measure again."), code="input")


def _is_closest(data: LegalTarget) -> bool:
    if data.closest is not None:
        return data.closest
    return data.nearest_enemy is None or data.distance is None or data.nearest_enemy >= data.distance


def _barred_by_order(content: HasReadings, data: LegalTarget, weapon: str) -> str:
    if barred_by_recover(content, data.order):
        return _("on Recover no unit fires")
    reason = ""
    if data.vehicle:
        reason = vehicle_barred(content, data.order, data.kind, data.traits, weapon, data.moved)
    if not reason and weapon == "hmg" and data.order == "advance" and data.moved:
        reason = _("an HMG that moves on Advance does not fire")
    return reason


def _barred_harassing(content: HasReadings, data: LegalTarget, weapon: str) -> str:
    if weapon != "hmg":
        return _("only HMGs fire harassing")
    if not special_orders(content, data.order):
        return _("harassing fire takes Fire orders")
    return _("harassing fire is no fire at vehicles") if data.vehicle else ""


def _unseen(content: HasReadings, data: LegalTarget, weapon: str) -> str:
    if data.indirect:
        return indirect_barred(content, weapon, data.distance, data.range, data.order)
    if not data.line_of_sight:
        return _("it is not in sight")
    return _("infantry stands between") if data.intervening and not data.harassing else ""


def _out_of_reach(content: HasReadings, data: LegalTarget, weapon: str, sniper: bool) -> str:
    reach = _reach(content, data, weapon, sniper)
    if data.distance is None:
        return ""
    if reach is not None and data.distance > reach:
        return _('it is out of range: {reach:g}"').format(reach=reach)
    if data.failed_motivation and data.distance > CLOSE_INCHES:
        return _('after refusing to assault it fires within 8" only')
    return ""


def _reach(content: HasReadings, data: LegalTarget, weapon: str, sniper: bool) -> float | None:
    if sniper:
        return None if choice(content, "sniper-range") == "sight" else data.range or WEAPON["rifles"].range_inches
    if data.range is not None:
        return max(data.range, WEAPON["hmg"].harassing_inches) if data.harassing else data.range
    if data.vehicle:
        return TANK_WEAPON[weapon].range_inches if data.kind != "heavy-infantry" or weapon == "lmg" else 12
    return WEAPON["hmg"].harassing_inches if data.harassing else listed(weapon).range_inches


def _bound_to_closest(data: LegalTarget, sniper: bool) -> str:
    """Why the closest enemy may not be passed over."""
    states = ((_("Shocked"), data.shocked), (_("on Defend"), data.order == "defend"), ("stranded", data.stranded))
    state = next((label for label, holds in states if holds), "")
    if state:
        return _("{state}, it fires at the closest enemy").format(state=state)
    near = data.enemies_within_8
    if near is None:
        nearest = given_or(data.nearest_enemy, data.distance)
        near = nearest is not None and nearest <= CLOSE_INCHES
    return _('with enemies within 8" it fires at the closest') if near and not sniper else ""
