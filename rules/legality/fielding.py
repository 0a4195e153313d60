"""The rules that a fielded force breaks: absent fighters, the limits of the battle, and the requirements of the scenario."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules import vocabulary as v
from rules.content.campaign_entries import Scenario
from rules.content.schema import ProfileOffer
from rules.fighters.facts import Facts
from rules.force import ForceFighter
from rules.formatting import fighter_count, first, number
from rules.legality.fighter import fighter_findings, too_little_worth
from rules.legality.finding import Finding, Placed, label_of
from rules.legality.hiring import counts_as_elite
from rules.legality.roster_state import RosterState
from rules.legality.thresholds import field_strength_of, threshold_of
from rules.price import Price, add
from rules.translation import gettext


class FieldedForce(NamedTuple):
    """The fighters chosen for a battle. `chosen` are their indexes in the roster, `fielded` is their total worth.

    `attacker` is None until it is settled who attacks. `scenario` is None if none is chosen or its name is unknown.
    """

    roster: RosterState
    chosen: tuple[int, ...]
    fielded: Price
    scenario: Scenario | None
    attacker: bool | None

    @property
    def people(self) -> list[tuple[ForceFighter, Facts]]:
        return [(self.roster.fighters[index], self.roster.facts[index]) for index in self.chosen]

    @property
    def headcount(self) -> int:
        return sum(fighter.count for fighter, _ in self.people)

    def left_behind(self) -> Iterator[tuple[ForceFighter, Facts]]:
        for index, (fighter, who) in enumerate(self.roster.people):
            if index not in self.chosen and not absent(self.roster, fighter.key):
                yield fighter, who


def absent(roster: RosterState, key: str) -> str:
    """Return why this fighter cannot take part in the next battle, as a sentence with its name, or "" if it can."""
    fighter = next((f for f in roster.force.fighters if f.key == key), None)
    if fighter is None:
        return gettext("No such fighter is on the roster.")
    if fighter.status == "captive":
        return gettext("{name} is held captive.").format(name=fighter.name)
    if fighter.status != "active":
        return gettext("{name} is no longer on the roster ({status}).").format(name=fighter.name, status=fighter.status)
    if fighter.lifeless:
        return gettext("{name} is lifeless until revived.").format(name=fighter.name)
    if fighter.misses_battle and fighter.misses_battle == roster.force.battles.next_number:
        return gettext("{name} misses this battle.").format(name=fighter.name)
    return ""


def fielding(
    roster: RosterState, taken: Sequence[str] | None, scenario: str, attacker: bool | None, facing: int | None
) -> tuple[list[Placed], Price]:
    """Return the findings against fielding these fighters together, and what they are worth on the table.

    `taken` are keys of fighters, or None for all who can come. `facing` is how many fighters the attacker brings, if
    that is known.
    """
    content = roster.content
    keys = [f.key for f in roster.fighters] if taken is None else list(dict.fromkeys(taken))
    reasons = {key: absent(roster, key) for key in keys}
    found = [] if taken is None else [_absent_finding(roster, key, reason) for key, reason in reasons.items() if reason]
    indexes = {fighter.key: index for index, fighter in enumerate(roster.fighters)}
    chosen = tuple(indexes[key] for key in keys if key in indexes and not reasons[key])
    fielded = add(*[roster.facts[index].rating for index in chosen])
    entry = content.scenarios.get(scenario)
    force = FieldedForce(roster, chosen, fielded, entry, attacker)
    found += map(Placed, _over_threshold(force))
    found += map(Placed, _over_strength(force))
    found += _own_findings(force)
    if entry is not None:
        found += map(Placed, _scenario_findings(entry, force, facing))
    elif scenario:
        found.append(
            Placed(
                Finding(
                    "unknown-name",
                    gettext("No scenario is called “{scenario}”.").format(scenario=scenario),
                    subject=scenario,
                )
            )
        )
    return found, fielded


def _own_findings(force: FieldedForce) -> Iterator[Placed]:
    """Yield what the chosen fighters break by themselves, and how much they fall short of a minimum worth that a rule sets."""
    for fighter, who in force.people:
        for finding in fighter_findings(force.roster.content, force.roster.frame, fighter, who):
            yield Placed(finding, fighter)
        for cause in who.of(v.WorthEffect):
            for finding in too_little_worth(cause, who, "fielding", gettext("leave {who} behind")):
                yield Placed(finding, fighter)


def _scenario_findings(scenario: Scenario, force: FieldedForce, facing: int | None) -> Iterator[Finding]:
    yield from _too_many_for(scenario, force, facing)
    yield from _unfit_for(scenario, force)
    yield from _missing_elites(scenario, force)
    yield from _left_behind(scenario, force)


def _absent_finding(roster: RosterState, key: str, reason: str) -> Placed:
    source = f"Campaign rules {roster.content.edition}, injuries"
    fighter = next((f for f in roster.force.fighters if f.key == key), None)
    return Placed(Finding("fielding", reason, gettext("Leave it behind."), source, subject=key), fighter)


# --- the limits of the battle


def _over_threshold(force: FieldedForce) -> Iterator[Finding]:
    content = force.roster.content
    threshold = threshold_of(content, force.roster.force)
    if threshold is None:
        return
    half = force.scenario.forces.half_ducats_for if force.scenario else ""
    halved = half == "both" or (force.attacker is not None and half == ("attacker" if force.attacker else "defender"))
    allowed = threshold // 2 if halved else threshold
    over = force.fielded.ducats - allowed
    if over > 0:
        battle = f"{label_of(content, 'battle').lower()} {force.roster.force.battles.next_number}"
        limit = (
            gettext("half the {label_of} of {battle} is {allowed}")
            if halved
            else gettext("the {label_of} of {battle} is {allowed}")
        ).format(label_of=label_of(content, "threshold"), battle=battle, allowed=allowed)
        yield Finding(
            "threshold",
            gettext("{ducats} ducats fielded; {limit}.").format(ducats=force.fielded.ducats, limit=limit),
            gettext("Leave {over} ducats of kit or one fighter behind.").format(over=over),
            f"Campaign rules {content.edition}, threshold",
            subject="threshold",
            size=over,
        )


def _over_strength(force: FieldedForce) -> Iterator[Finding]:
    """Yield a finding if there are more fighters than the field strength.

    Fighters that a rule exempts are not counted.
    """
    content = force.roster.content
    strength = field_strength_of(content, force.roster.force)
    if strength is None:
        return
    count = sum(fighter.count for fighter, who in force.people if not who.of(v.BeyondStrengthEffect))
    label = label_of(content, "field_strength")
    limit = gettext("the {label} of {label_of} {next_number}").format(
        label=label, label_of=label_of(content, "battle").lower(), next_number=force.roster.force.battles.next_number
    )
    if force.scenario is not None and force.scenario.forces.field_strength is not None:
        strength, limit = (
            force.scenario.forces.field_strength,
            gettext("the {label} of {scenario}").format(label=label, scenario=force.scenario.name),
        )
    if count > strength:
        yield Finding(
            "field-strength",
            gettext("{fighter_count}; {limit} is {strength}.").format(
                fighter_count=first(fighter_count(count)), limit=limit, strength=strength
            ),
            gettext("Leave {amount} behind.").format(amount=number(count - strength)),
            f"Campaign rules {content.edition}, field strength",
            subject="strength",
            size=count - strength,
        )


# --- the requirements of the scenario


def _too_many_for(scenario: Scenario, force: FieldedForce, facing: int | None) -> Iterator[Finding]:
    forces, count = scenario.forces, force.headcount
    if forces.most_fighters is not None:
        # the attacker's D3 are rolled at the table: up to three more may be ready
        maximum = forces.most_fighters + (3 if forces.attacker_d3_more and force.attacker else 0)
        limit = gettext("{scenario} allows {maximum}").format(scenario=scenario.name, maximum=number(maximum))
        yield from _over(scenario, count, maximum, f"; {limit}", "most")
    if forces.defender_half and force.attacker is False and facing is not None:
        half = (facing + 1) // 2 if forces.defender_half == "up" else facing // 2
        limit = gettext("{scenario} gives the defender {half}").format(scenario=scenario.name, half=number(half))
        yield from _over(
            scenario,
            count,
            half,
            gettext(" against {facing}; {limit}").format(facing=number(facing), limit=limit),
            "half",
        )


def _over(scenario: Scenario, count: int, maximum: int, limit: str, subject: str) -> Iterator[Finding]:
    if count > maximum:
        over = count - maximum
        text = f"{first(fighter_count(count))}{limit}."
        yield Finding(
            "scenario",
            text,
            gettext("Leave {over} behind.").format(over=number(over)),
            scenario.name,
            subject=subject,
            size=over,
        )


def _unfit_for(scenario: Scenario, force: FieldedForce) -> Iterator[Finding]:
    """Yield findings for fighters that the scenario does not allow.

    These are fighters on bases that are too large, unless their list requires them, and fighters who are not ELITE
    where all must be.
    """
    forces = scenario.forces
    for fighter, who in force.people:
        demanded = isinstance(who.offer, ProfileOffer) and who.offer.least > 0
        if forces.base_below_mm is not None and who.base >= forces.base_below_mm and not demanded:
            limit = gettext("{scenario} takes bases below {base_below_mm} mm").format(
                scenario=scenario.name, base_below_mm=forces.base_below_mm
            )
            yield _leave(
                scenario, fighter, gettext("stands on {base} mm; {limit}").format(base=who.base, limit=limit), "base"
            )
        if forces.elites_only and not who.elite:
            limit = gettext("{scenario} is fought by ELITE fighters alone").format(scenario=scenario.name)
            yield _leave(scenario, fighter, gettext("is not ELITE; {limit}").format(limit=limit), "elite")


def _leave(scenario: Scenario, fighter: ForceFighter, reason: str, subject: str) -> Finding:
    mend = gettext("Leave {name} behind.").format(name=fighter.name)
    text = f"{fighter.name} {reason}."
    return Finding("scenario", text, mend, scenario.name, subject=f"{subject}-{fighter.key}")


def _take_along(scenario: Scenario, fighter: ForceFighter, demand: str) -> Finding:
    text = gettext("{demand}; {name} stays behind.").format(demand=demand, name=fighter.name)
    return Finding(
        "scenario",
        text,
        gettext("Take {name} along.").format(name=fighter.name),
        scenario.name,
        subject=f"all-{fighter.key}",
    )


def _missing_elites(scenario: Scenario, force: FieldedForce) -> Iterator[Finding]:
    """Yield findings for ELITE fighters left behind if the scenario requires all of them.

    Some scenarios require them only of an attacker who has few.
    """
    roster, forces = force.roster, scenario.forces
    elites = sum(
        1 for fighter, who in roster.people if counts_as_elite(roster.content, who) and not absent(roster, fighter.key)
    )
    if forces.elites_all or (force.attacker and elites <= forces.attacker_elites_all_up_to):
        for fighter, who in force.left_behind():
            if who.elite:
                yield _take_along(
                    scenario, fighter, gettext("{scenario} needs every ELITE fighter").format(scenario=scenario.name)
                )


def _left_behind(scenario: Scenario, force: FieldedForce) -> Iterator[Finding]:
    """Yield findings for fighters left behind by an attacker who must bring everybody, if threshold and field strength have room."""
    if not (scenario.forces.attacker_all and force.attacker):
        return
    roster = force.roster
    threshold, strength = threshold_of(roster.content, roster.force), field_strength_of(roster.content, roster.force)
    for fighter, who in force.left_behind():
        if who.of(v.MusterRollEffect) or who.of(v.DeployPriceEffect):
            continue  # a roll may have kept it out, or deploying it costs money
        fits = threshold is None or force.fielded.ducats + who.rating.ducats <= threshold
        if fits and (strength is None or force.headcount + fighter.count <= strength):
            yield _take_along(
                scenario, fighter, gettext("The attacker brings everybody to {scenario}").format(scenario=scenario.name)
            )
