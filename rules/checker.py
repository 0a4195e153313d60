"""The checker: what a roster, one purchase or a fielded force breaks. All findings at once, each with its sentence and its mend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.content.schema import ProfileOffer, Scenario
from rules.fighters.views import Views
from rules.force import Force
from rules.formatting import fighter_count, first, number
from rules.legality.fighter import fighter_findings, worth_missing, worth_words
from rules.legality.finding import Finding, Placed, label_of, problem
from rules.legality.warband import (
    RosterState,
    counts_mercenaries,
    examine,
    field_strength_of,
    money_findings,
    money_left,
    rating_of,
    roster_findings,
    threshold_of,
)
from rules.parts.verdict import Scope, Verdict
from rules.price import Price, add
from rules.problems import Problem

NO_RATING = Price()
NOTHING_FOUND = ("", "", "")  # stands among the findings, so that none found is told from none looked for


def check(
    content: Content,
    force: Force,
    *,
    scope: Scope = "roster",
    wants: Mapping[str, str] | None = None,
    taken: Sequence[str] | None = None,
    scenario: str = "",
    attacker: bool | None = None,
    facing: int | None = None,
) -> Verdict:
    """All problems of the roster, of one purchase (`wants`), or of a fielded force (`taken`: fighter keys, None for all who can).

    `facing` is how many fighters the attacker brings, where that is known: some scenarios give the defender half of them.
    Of a roster whose list nobody knows nothing else is told.
    """
    if force.list not in content.lists:
        unknown = Problem("unknown-name", f"No list is called “{force.list}”.", "Choose one of the books' lists.")
        return Verdict((unknown,), NO_RATING, None, {})
    exam = examine(content, force)
    fielded: Price | None = None
    if scope == "fielding":
        found, fielded = fielding(exam, taken, scenario, attacker, facing)
        problems = tuple([problem(p) for p in found])
    elif scope == "purchase":
        from rules.offers import purchase_problems

        problems = purchase_problems(exam, wants or {})
    else:
        problems = tuple([problem(p) for p in (*roster_findings(exam), *money_findings(exam))])
    return Verdict(problems, rating_of(exam), money_left(exam), Views(content, force, exam.frame), fielded)


def new_findings(before: RosterState, after: RosterState) -> list[Placed]:
    """What a change adds: findings that were not there, or that grew. Money is judged apart."""
    old = before.sizes
    if not old:  # the same warband is compared with every offer
        old[NOTHING_FOUND] = 0
        for placed in roster_findings(before, purchase=True):
            old[placed.identity] = max(old.get(placed.identity, 0), placed.finding.size)
    added = []
    for placed in roster_findings(after, purchase=True):
        if placed.finding.size > old.get(placed.identity, 0):
            added.append(placed)
    return added


# --- a force on the table --------------------------------------------------------------------------------------------------


def absent(exam: RosterState, key: str) -> str:
    """Why this fighter cannot go into the next battle, as a sentence with its name; "" when it can."""
    fighter = next((f for f in exam.force.fighters if f.key == key), None)
    if fighter is None:
        return "No such fighter is on the roster."
    if fighter.status == "captive":
        return f"{fighter.name} is held captive."
    if fighter.status != "active":
        return f"{fighter.name} is no longer on the roster ({fighter.status})."
    if fighter.lifeless:
        return f"{fighter.name} lies lifeless until it is brought back."
    if fighter.misses_battle and fighter.misses_battle == exam.force.battles.next_number:
        return f"{fighter.name} misses this battle."
    return ""


def fielding(
    exam: RosterState, taken: Sequence[str] | None, scenario: str, attacker: bool | None, facing: int | None
) -> tuple[list[Placed], Price]:
    """What keeps these fighters from being fielded together, and what they are worth on the table."""
    content, force = exam.content, exam.force
    found: list[Placed] = []
    everyone = [f.key for f in exam.fighters if not absent(exam, f.key)]
    keys = everyone if taken is None else list(dict.fromkeys(taken))
    chosen = []
    for key in keys:
        reason = absent(exam, key)
        fighter = next((f for f in force.fighters if f.key == key), None)
        if reason:
            found.append(
                Placed(
                    Finding(
                        "fielding",
                        reason,
                        "Leave it behind.",
                        f"Campaign rules {content.edition}, injuries",
                        subject=key,
                    ),
                    fighter,
                )
            )
        for place, known in enumerate(exam.fighters):
            if known.key == key and not reason:
                chosen.append(place)
    fielded = add(*[exam.facts[p].rating for p in chosen])
    count = sum(exam.fighters[p].count for p in chosen)
    counted = sum(exam.fighters[p].count for p in chosen if not exam.facts[p].of(v.BeyondStrengthEffect))
    entry = content.scenarios.get(scenario)
    found += [Placed(f) for f in _limits(exam, fielded, counted, entry, attacker)]
    for place in chosen:
        fighter, who = exam.fighters[place], exam.facts[place]
        found += [Placed(f, fighter) for f in fighter_findings(content, exam.frame, fighter, who)]
        for cause in who.of(v.WorthEffect):
            missing = worth_missing(cause.effect, who)
            if missing:
                found.append(Placed(Finding(
                    "fielding", worth_words(cause, who), f"Add {missing} ducats of kit or leave {{who}} behind.", cause.source.where, subject="worth", size=missing,
                ), fighter))  # fmt: skip
    if scenario and scenario in content.scenarios:
        found += [Placed(f) for f in _scenario(exam, content.scenarios[scenario], chosen, count, attacker, facing)]
        found += [Placed(f) for f in _left_behind(exam, content.scenarios[scenario], chosen, fielded, count, attacker)]
    elif scenario:
        found.append(Placed(Finding("unknown-name", f"No scenario is called “{scenario}”.", subject=scenario)))
    return found, fielded


def _halved(scenario: Scenario | None, attacker: bool | None) -> bool:
    """Whether this side may field half of its threshold only; no while it is not settled who attacks."""
    half = scenario.forces.half_ducats_for if scenario else ""
    return half == "both" or (attacker is not None and half == ("attacker" if attacker else "defender"))


def _limits(
    exam: RosterState, fielded: Price, count: int, scenario: Scenario | None, attacker: bool | None
) -> Iterator[Finding]:
    content, force = exam.content, exam.force
    threshold = threshold_of(content, force)
    battle = force.battles.next_number
    halved = threshold is not None and _halved(scenario, attacker)
    if threshold is not None and fielded.ducats > (threshold // 2 if halved else threshold):
        over = fielded.ducats - (threshold // 2 if halved else threshold)
        named = f"the {label_of(content, 'threshold')} of {label_of(content, 'battle').lower()} {battle} is"
        allowed = f"half {named} {threshold // 2}" if halved else f"{named} {threshold}"
        yield Finding(
            "threshold", f"{fielded.ducats} ducats fielded; {allowed}.",
            f"Leave {over} ducats of kit or one fighter behind.", f"Campaign rules {content.edition}, threshold", subject="threshold", size=over,
        )  # fmt: skip
    strength = field_strength_of(content, force)
    strength_word = label_of(content, "field_strength")
    whose = f"the {strength_word} of {label_of(content, 'battle').lower()} {battle}"
    if strength is not None and scenario is not None and scenario.forces.field_strength is not None:
        strength, whose = scenario.forces.field_strength, f"the {strength_word} of {scenario.name}"
    if strength is not None and count > strength:
        yield Finding(
            "field-strength", f"{first(fighter_count(count))}; {whose} is {strength}.",
            f"Leave {number(count - strength)} behind.", f"Campaign rules {content.edition}, field strength", subject="strength",
            size=count - strength,
        )  # fmt: skip


def _left_behind(
    exam: RosterState, scenario: Scenario, chosen: Sequence[int], fielded: Price, count: int, attacker: bool | None
) -> Iterator[Finding]:
    """Whom an attacker who must bring everybody leaves out, though threshold and field strength have room."""
    if not (scenario.forces.attacker_all and attacker):
        return
    threshold, strength = threshold_of(exam.content, exam.force), field_strength_of(exam.content, exam.force)
    for place, (fighter, who) in enumerate(zip(exam.fighters, exam.facts, strict=True)):
        excused = who.of(v.MusterRollEffect) or who.of(v.DeployPriceEffect)  # a roll kept it out, or it asks to be paid
        if place in chosen or absent(exam, fighter.key) or excused:
            continue
        fits = threshold is None or fielded.ducats + who.rating.ducats <= threshold
        if fits and (strength is None or count + fighter.count <= strength):
            yield Finding(
                "scenario", f"The attacker brings everybody to {scenario.name}; {fighter.name} stays behind.", f"Take {fighter.name} along.",
                scenario.name, subject=f"all-{fighter.key}",
            )  # fmt: skip


def _scenario(
    exam: RosterState, scenario: Scenario, chosen: Sequence[int], count: int, attacker: bool | None, facing: int | None
) -> Iterator[Finding]:
    forces = scenario.forces
    # the attacker's D3 are rolled at the table: up to three more may stand ready
    most = (
        None
        if forces.most_fighters is None
        else forces.most_fighters + (3 if forces.attacker_d3_more and attacker else 0)
    )
    if most is not None and count > most:
        yield Finding(
            "scenario", f"{first(fighter_count(count))}; {scenario.name} allows {number(most)}.",
            f"Leave {number(count - most)} behind.", scenario.name, subject="most", size=count - most,
        )  # fmt: skip
    if forces.defender_half and attacker is False and facing is not None:
        half = (facing + 1) // 2 if forces.defender_half == "up" else facing // 2
        if count > half:
            yield Finding(
                "scenario", f"{first(fighter_count(count))} against {number(facing)}; {scenario.name} gives the defender {number(half)}.",
                f"Leave {number(count - half)} behind.", scenario.name, subject="half", size=count - half,
            )  # fmt: skip
    for place in chosen:
        fighter, who = exam.fighters[place], exam.facts[place]
        demanded = isinstance(who.offer, ProfileOffer) and who.offer.least > 0
        if forces.base_below_mm is not None and who.base >= forces.base_below_mm and not demanded:
            yield Finding(
                "scenario", f"{fighter.name} stands on {who.base} mm; {scenario.name} takes bases below {forces.base_below_mm} mm.",
                f"Leave {fighter.name} behind.", scenario.name, subject=f"base-{fighter.key}",
            )  # fmt: skip
        if forces.elites_only and not who.elite:
            yield Finding(
                "scenario", f"{fighter.name} is not ELITE; {scenario.name} is fought by ELITE fighters alone.",
                f"Leave {fighter.name} behind.", scenario.name, subject=f"elite-{fighter.key}",
            )  # fmt: skip
    hired = counts_mercenaries(exam.content)
    elites = [
        p
        for p, w in enumerate(exam.facts)
        if w.elite and (hired or not w.mercenary) and not absent(exam, exam.fighters[p].key)
    ]
    if forces.elites_all or (attacker and len(elites) <= forces.attacker_elites_all_up_to):
        for place, (fighter, who) in enumerate(zip(exam.fighters, exam.facts, strict=True)):
            if who.elite and place not in chosen and not absent(exam, fighter.key):
                yield Finding(
                    "scenario", f"{scenario.name} asks for every ELITE fighter; {fighter.name} stays behind.", f"Take {fighter.name} along.",
                    scenario.name, subject=f"all-{fighter.key}",
                )  # fmt: skip


def rating(content: Content, force: Force) -> Price:
    """What the active fighters and their kit are worth; the stash is left out."""
    return rating_of(examine(content, force))


def problems(content: Content, force: Force) -> tuple[Problem, ...]:
    """All problems of a roster."""
    return check(content, force).problems
