"""Choosing the force for a battle: descriptions of scenarios, available deeds, and which fighters can go."""

from __future__ import annotations

from functools import lru_cache

from rules import vocabulary as v
from rules.content.campaign_entries import Deed, Scenario
from rules.content.compiled import Content
from rules.force import Force
from rules.formatting import first, number
from rules.legality.fielding import absent
from rules.legality.roster_state import examine
from rules.parts.battle import DeedChoice, MusterRow, ScenarioChoice
from rules.price import Price
from rules.translation import gettext as _
from rules.trench_crusade.scenarios import RANDOM


@lru_cache(maxsize=32)
def scenarios_of(content: Content) -> tuple[ScenarioChoice, ...]:
    parts = content.pack.random_parts
    attacker = tuple(part.id for part in parts if part.attacker)
    reserves = tuple(part.id for part in parts if part.reserves)
    return tuple(
        _scenario(scenario, *((attacker, reserves) if scenario.id == RANDOM else ((), ())))
        for scenario in content.pack.scenarios
    )


def _scenario(scenario: Scenario, attacker_with: tuple[str, ...], reserves_with: tuple[str, ...]) -> ScenarioChoice:
    return ScenarioChoice(
        id=scenario.id,
        name=scenario.name,
        described=scenario.described,
        words=scenario.words,
        force_words=_force_words(scenario),
        length_words=_length_words(scenario),
        victory_words=scenario.victory,
        deployment_words=_deployment_words(scenario),
        special_words=scenario.special,
        has_attacker=scenario.attacker,
        morale=scenario.morale,
        winner=scenario.winner,
        deeds=scenario.deeds,
        needs_enemy_rating=scenario.needs_enemy_rating,
        attacker_with=attacker_with,
        has_reserves=scenario.reserves,
        reserves_with=reserves_with,
        turns_least=scenario.turns_least or 0,
        turns_most=scenario.turns_most or 0,
    )


def _force_words(scenario: Scenario) -> str:
    forces = scenario.forces
    parts = []
    if forces.most_fighters is not None:
        more = _(", the attacker D3 more") if forces.attacker_d3_more else ""
        parts.append(
            _("up to {most_fighters} fighters{more}").format(most_fighters=number(forces.most_fighters), more=more)
        )
    if forces.field_strength is not None:
        parts.append(_("field strength {field_strength} for both").format(field_strength=forces.field_strength))
    if forces.half_ducats_for:
        whose = (
            _("each side")
            if forces.half_ducats_for == "both"
            else _("the {half_ducats_for}").format(half_ducats_for=forces.half_ducats_for)
        )
        parts.append(_("{whose} brings fighters for half its threshold").format(whose=whose))
    if forces.base_below_mm is not None:
        parts.append(_("bases below {base_below_mm} mm").format(base_below_mm=forces.base_below_mm))
    if forces.elites_only:
        parts.append(_("ELITE fighters only"))
    if forces.elites_all:
        parts.append(_("every ELITE fighter who can"))
    if forces.half_for:
        whose = _("each side") if forces.half_for == "both" else _("the {half_for}").format(half_for=forces.half_for)
        parts.append(_("half of {whose} starts on the table").format(whose=whose))
    words = first("; ".join(parts))
    return f"{words}. {forces.notes}" if words and forces.notes else words or forces.notes


def _length_words(scenario: Scenario) -> str:
    least, most = scenario.turns_least, scenario.turns_most
    if least is None or most is None:
        return ""
    if most > least + 1:
        return _("{least} to {most} turns").format(least=least, most=most)
    return first(
        _("{least} turns").format(least=number(least))
        if least == most
        else _("{least} or {most} turns").format(least=number(least), most=number(most))
    )


def _deployment_words(scenario: Scenario) -> str:
    infiltrators = {True: _("INFILTRATORS may infiltrate."), False: _("INFILTRATORS deploy as others do.")}
    words = infiltrators.get(scenario.infiltrators, "") if scenario.infiltrators is not None else ""
    return " ".join(part for part in (scenario.deployment, words) if part)


def deeds_of(content: Content, scenario: str) -> tuple[DeedChoice, ...]:
    """Return the deeds that can be done in a scenario, those available everywhere last.

    If the scenario has no description, return every deed.
    """
    entry = content.scenarios.get(scenario)
    own = set(entry.deeds) if entry else set()
    found = [d for d in content.pack.deeds if d.id in own or scenario in d.scenarios]
    if not found and (entry is None or not entry.described):
        found = list(content.pack.deeds)
    found += [d for d in content.pack.deeds if not d.scenarios and d.random_group == 0 and d not in found]
    return tuple(
        DeedChoice(d.id, d.name, _deed_words(d), d.glory, d.by_warband, d.needs_profile, d.side) for d in found
    )


def _deed_words(deed: Deed) -> str:
    """Return what a deed requires, with the only side that may do it."""
    return (
        _("{side} only. {summary}").format(side=deed.side.capitalize(), summary=deed.words) if deed.side else deed.words
    )


def muster_rows(content: Content, force: Force, scenario: str = "") -> tuple[MusterRow, ...]:
    """Return every fighter on the roster, with its value and what fielding it costs.

    Each row also says whether the fighter can go into this scenario.
    """
    exam = examine(content, force)
    entry = content.scenarios.get(scenario)
    rows = []
    for fighter, who in zip(exam.fighters, exam.facts, strict=True):
        closed = absent(exam, fighter.key)
        if not closed and entry is not None:
            if entry.forces.base_below_mm is not None and who.base >= entry.forces.base_below_mm:
                closed = _("{name} stands on {base} mm; {entry_name} takes bases below {base_below_mm} mm.").format(
                    name=fighter.name, base=who.base, entry_name=entry.name, base_below_mm=entry.forces.base_below_mm
                )
            elif entry.forces.elites_only and not who.elite:
                closed = _("{name} is not ELITE; {entry_name} is fought by ELITE fighters alone.").format(
                    name=fighter.name, entry_name=entry.name
                )
        upkeep = sum(c.effect.ducats for c in who.of(v.DeployPriceEffect))
        out_on = tuple(sorted({face for c in who.of(v.MusterRollEffect) for face in c.effect.out_on}))
        rows.append(
            MusterRow(
                fighter=fighter.key,
                name=fighter.name,
                profile_name=who.profile.name,
                rating=who.rating,
                closed=closed,
                upkeep=Price(ducats=upkeep),
                roll_out_on=out_on,
                elite=who.elite,
            )
        )
    return tuple(rows)
