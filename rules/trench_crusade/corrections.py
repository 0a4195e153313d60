"""Corrections of a roster by hand: scars and finds by the names of the edition, as they stand after a battle and without its rolls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.consequences import Consequence, SetFighter, SetWarband
from rules.content.compiled import Content
from rules.problems import Refusal
from rules.translation import gettext as _
from rules.trench_crusade.carried_effects import has_effect
from rules.trench_crusade.steps.traumas import leaves_scar
from rules.trench_crusade.text_import.document import trauma_details
from rules.vocabulary import DemotedEffect

LOCATION, LASTING = "location", "lasting"
NO_SCARS = ("dead", "full-recovery")  # results of the chart that nobody bears
Named = tuple[tuple[str, str], ...]


def scar_choices(content: Content) -> Named:
    """Return the scars of the edition: id and name, by name."""
    bearable = (trauma for trauma in content.pack.traumas if leaves_scar(trauma) and trauma.id not in NO_SCARS)
    found = ((trauma.id, trauma.name) for trauma in bearable)
    return tuple(sorted(found, key=lambda each: each[1]))


def scars_borne(content: Content, state: Mapping[str, Any]) -> Named:
    """Return the traumas in a fighter's state: key and name, with what is known about each."""
    return tuple((key, _trauma_words(content, trauma)) for key, trauma in sorted((state.get("traumas") or {}).items()))


def _trauma_words(content: Content, trauma: Mapping[str, Any]) -> str:
    known = content.traumas.get(str(trauma.get("id")))
    name = known.name if known is not None else str(trauma.get("id"))
    details = [str(value) for value in (trauma.get("details") or {}).values() if isinstance(value, str) and value]
    return f"{name} ({', '.join(details)})" if details else name


def correct_scars(
    content: Content,
    fighter: str,
    state: Mapping[str, Any],
    *,
    add: str,
    remove: str,
    detail: str,
    battle: int,
    why: str,
) -> tuple[Consequence, ...]:
    """Return the consequences of taking one scar away and giving one, either of which may be "".

    `remove` is a key of `scars_borne`, `add` an id, `detail` what the scar asks ("left"). A number of scars that was known without their
    names changes along. Raises Refusal for a scar that the edition or the fighter does not have, and for an unknown detail.
    """
    traumas: Mapping[str, Any] = state.get("traumas") or {}
    does: list[Consequence] = []
    left = dict(traumas)
    if remove:
        if remove not in traumas:
            raise Refusal(_("The fighter has no such scar."), code="unknown-name")
        del left[remove]
        does.append(SetFighter(fighter, ("traumas", remove), None, why))
    if add:
        left[key := _free_key(traumas)] = new = _scar(content, add, detail, battle)
        does.append(SetFighter(fighter, ("traumas", key), new, why))
    if isinstance(number := state.get("scars"), int):
        changed = number + _scars(left) - _scars(traumas)
        if changed != number:
            does.append(SetFighter(fighter, ("scars",), max(0, changed), why))
    if _demotes(content, left) != _demotes(content, traumas):
        does.append(SetFighter(fighter, ("demoted",), _demotes(content, left), why))
    return tuple(does)


def _scar(content: Content, scar: str, detail: str, battle: int) -> dict[str, Any]:
    if scar not in dict(scar_choices(content)):
        raise Refusal(_("This edition has no such scar."), code="unknown-name")
    details, strange = trauma_details(content, scar, detail)
    if strange:
        name = content.traumas[scar].name
        raise Refusal(_("{name} knows no “{strange}”.").format(name=name, strange=strange), code="detail")
    return {"id": scar, "scar": True, "details": details, "battle": battle}


def _free_key(traumas: Mapping[str, Any]) -> str:
    number = 1
    while f"repair-{number}" in traumas:
        number += 1
    return f"repair-{number}"


def _scars(traumas: Mapping[str, Any]) -> int:
    return sum(1 for trauma in traumas.values() if trauma.get("scar", True))


def _demotes(content: Content, traumas: Mapping[str, Any]) -> bool:
    known = (content.traumas.get(str(trauma.get("id"))) for trauma in traumas.values())
    return any(trauma is not None and has_effect(trauma, DemotedEffect) for trauma in known)


# --- finds --------------------------------------------------------------------------------------------------------------------


def find_choices(content: Content) -> Named:
    """Return what a warband may find and keep: locations, each way to use one apart, and lasting effects. Key and name, by name."""
    found: list[tuple[str, str]] = []
    for place in content.pack.locations:
        ways = [(f"{LOCATION}:{place.id}:{way.id}", f"{place.name}: {way.name}") for way in place.options]
        found += ways or [(f"{LOCATION}:{place.id}:", place.name)]
    found += [(f"{LASTING}:{each.id}:", each.name) for each in content.pack.lasting]
    return tuple(sorted(found, key=lambda each: each[1]))


def finds_held(content: Content, state: Mapping[str, Any]) -> Named:
    """Return what a warband's state holds of them: key and name."""
    names = dict(find_choices(content))
    places = [f"{LOCATION}:{place}:{way}" for place, way in (state.get("locations") or {}).items()]
    held = [(key, names.get(key, key.split(":")[1])) for key in places]
    for key, entry in (state.get("lasting") or {}).items():
        held.append((f"{LASTING}:{key}:", names.get(f"{LASTING}:{entry.get('id')}:", str(entry.get("id")))))
    return tuple(sorted(held, key=lambda each: each[1]))


def correct_finds(
    content: Content, state: Mapping[str, Any], *, add: str, remove: str, why: str
) -> tuple[Consequence, ...]:
    """Return the consequences of taking one find away and noting one, either of which may be "". What it brought stays.

    Raises Refusal for a find that the edition or the warband does not have, and for one that is held already.
    """
    does: list[Consequence] = []
    if remove:
        if remove not in dict(finds_held(content, state)):
            raise Refusal(_("The warband has no such find."), code="unknown-name")
        kind, key, _way = remove.split(":")
        does.append(SetWarband(("locations" if kind == LOCATION else LASTING, key), None, why))
    if add:
        if add not in dict(find_choices(content)):
            raise Refusal(_("This edition has no such find."), code="unknown-name")
        kind, key, way = add.split(":")
        gone = remove.split(":")[1] if remove.startswith(f"{LOCATION}:") else ""
        if kind == LOCATION and key in (state.get("locations") or {}) and key != gone:
            raise Refusal(_("The warband has found this before."), code="no-change")
        does.append(
            SetWarband(("locations", key), way, why)
            if kind == LOCATION
            else SetWarband((LASTING, _free_key(state.get("lasting") or {})), {"id": key, "choices": {}}, why)
        )
    return tuple(does)
