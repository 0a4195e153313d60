"""Recovering, Remnants, and the end of the turn.

Source: core rules, "Recover", "End of turn", "Tanks: End turn", "Unit types and weapons".
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.odds import Explorer
from rules.resolvers.roller import Resolved, Roller
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.common import PASSES, TroopOdds, ask_several, binomial, facts, in_order, many
from rules.trench_too_far.resolvers.inputs import MoraleTest, Platoon, Rally, RallyCompany, Recover, Remnants
from rules.trench_too_far.resolvers.morale import morale_test

PLACES = Fraction(1, 3)  # a base placed, or a rally: 5+


def _counted(lost: int, militia: int) -> int:
    if militia > lost:
        raise Refusal("More Militia bases are told than were lost.", mend="Count them within lost.", code="input")
    return lost - militia


def _before_dice(rolls: tuple[int, ...] | None) -> None:
    if rolls is not None:
        raise Refusal("Odds are asked for before dice fall.", mend="Leave the dice out.", code="dice")


def recover_remnants(content: HasReadings, data: Remnants, roller: Roller) -> Resolved:
    """Remnant bases placed for lost ones. Outcome and `total`: how many."""
    count = _counted(data.lost, data.militia_lost)
    faces = ask_several(roller, data.rolls, count, "Remnants", 5)
    placed = sum(face >= 5 for face in faces)
    quality = data.quality if choice(content, "remnant-quality") == "origin" else "shaky"
    words = f"{many(placed, 'Remnant base')} placed from {count} lost; none of these are rolled for again."
    return Resolved(
        str(placed), words, faces, tuple(face for face in faces if face >= 5), placed, (),
        facts(remnants=placed, remnant_bases=placed, lost=0, pool=0, quality=quality),
    )  # fmt: skip


def remnants_odds(content: HasReadings, data: Remnants) -> TroopOdds:
    """How many are placed; at least one beside."""
    _before_dice(data.rolls)
    return _remnants(_counted(data.lost, data.militia_lost))


def _remnants(count: int) -> TroopOdds:
    shares = binomial(count, PLACES)
    return in_order(
        {str(k): share for k, share in enumerate(shares)}, (), {"at_least_one": 1 - shares[0]} if count else {}
    )


def _testing(content: HasReadings, data: Recover) -> tuple[Platoon, ...]:
    disrupted = data.disrupted not in (False, "none") or not data.commander_alive
    if disrupted and choice(content, "disrupted-recover") == "none":
        return ()
    if data.platoons and data.shocked_platoons:
        raise Refusal("Both platoons and shocked_platoons are told.", mend="Tell one of them.", code="input")
    alike = (Platoon(quality=data.quality, shocked=True),) * data.shocked_platoons
    return alike or tuple(platoon for platoon in data.platoons if platoon.shocked)


def recover(content: HasReadings, data: Recover, roller: Roller) -> Resolved:
    """A company on Recover. Outcome and `total`: Remnant bases placed. Dice: one for each Shocked platoon, then one for each base lost."""
    testing = _testing(content, data)
    count = _counted(data.lost, data.militia_lost)
    told = data.rolls
    if told is not None and len(told) != len(testing) + count:
        raise Refusal(f"Recover: {len(testing) + count} dice are asked for, {len(told)} are told.", code="dice")
    steps: list[Resolved] = []
    recovered: list[str] = []
    for place, platoon in enumerate(testing):
        done = morale_test(
            content, MoraleTest(quality=platoon.quality, roll=told[place] if told is not None else None), roller
        )
        steps.append(done)
        if done.outcome == PASSES:
            recovered.append(platoon.name or f"Platoon {place + 1}")
    placed = recover_remnants(
        content,
        Remnants(lost=count, quality=data.quality, rolls=told[len(testing) :] if told is not None else None),
        roller,
    )
    steps.append(placed)
    rolled = tuple(face for step in steps for face in step.rolled)
    parts = [f"{len(recovered)} of {len(testing)} Shocked platoons recover." if testing else ""]
    parts += [
        'A new commander, never Outstanding, is placed within 2" of a platoon.' if not data.commander_alive else ""
    ]
    parts += [
        "The company is no longer Disrupted." if data.disrupted not in (False, "none") else "",
        placed.told if count else "",
    ]
    return Resolved(
        placed.outcome, " ".join(part for part in parts if part) or "Nothing to recover.", rolled, placed.kept, placed.total, (),
        (
            *facts(
                tests=len(testing), recovered=len(recovered), recovered_platoons=recovered, disrupted=False,
                commander_replaced=not data.commander_alive, relocate_inches=2,
            ),
            *placed.effects,
        ),
        tuple(steps),
    )  # fmt: skip


def recover_odds(content: HasReadings, data: Recover) -> TroopOdds:
    """Remnant bases placed; beside them whether all Shocked platoons recover."""
    _before_dice(data.rolls)
    odds = _remnants(_counted(data.lost, data.militia_lost))
    testing = _testing(content, data)
    if testing:
        likely = Fraction(1)
        for platoon in testing:
            passes = [
                morale_test(content, MoraleTest(quality=platoon.quality, roll=face), Explorer()).outcome == PASSES
                for face in range(1, 7)
            ]
            likely *= Fraction(sum(passes), 6)
        odds.beside("all_platoons_recover", likely)
    return odds


def _companies(data: Rally) -> tuple[RallyCompany, ...]:
    if data.companies:
        return data.companies
    return (
        RallyCompany(
            platoons=data.platoons,
            shocked_platoons=data.shocked_platoons,
            immobilised_vehicles=data.immobilised_vehicles,
        ),
        *(
            RallyCompany(name=f"Disrupted company {place + 1}", disrupted=True)
            for place in range(data.disrupted_companies)
        ),
    )


def _shocked(company: RallyCompany) -> int:
    if company.shocked_platoons is not None:
        return company.shocked_platoons
    return sum(platoon.shocked for platoon in company.platoons)


def _plan(content: HasReadings, data: Rally) -> tuple[list[int], list[int], int]:
    """How many platoons of each company roll, which companies roll, how many vehicles do."""
    companies = _companies(data)
    through = choice(content, "disrupted-this-turn") == "through-rally"
    leaderless = choice(content, "leaderless-rally") == "rally"

    def disrupted(company: RallyCompany) -> bool:
        if company.disrupted == "this-turn" and not through:
            return False
        return company.disrupted not in (False, "none") or (not company.commander_alive)

    platoons = [0 if disrupted(company) else _shocked(company) for company in companies]
    rally = [
        place
        for place, company in enumerate(companies)
        if disrupted(company) and (leaderless or (company.commander_alive and company.disrupted != "until-replaced"))
    ]
    return platoons, rally, sum(company.immobilised_vehicles for company in companies)


def end_turn_rally(content: HasReadings, data: Rally, roller: Roller) -> Resolved:
    """The rally at the end of the turn. Outcome and `total`: platoons and companies that recover.

    Dice: Shocked platoons company by company, then Disrupted companies, then immobilised vehicles.
    """
    companies = _companies(data)
    platoons, rally, vehicles = _plan(content, data)
    told = data.rolls
    whole = sum(platoons) + len(rally) + vehicles
    if told is not None and len(told) != whole:
        raise Refusal(f"Rally: {whole} dice are asked for, {len(told)} are told.", code="dice")

    def dice(place: int, count: int, why: str, cut: int) -> tuple[int, ...]:
        return ask_several(roller, told[place : place + count] if told is not None else None, count, why, cut)

    names = [company.name or f"Company {place + 1}" for place, company in enumerate(companies)]
    recovered: list[Mapping[str, object]] = []
    rolled: tuple[int, ...] = ()
    shocked = 0
    for name, count in zip(names, platoons, strict=True):
        faces = dice(len(rolled), count, f"Rally, {name}", 5)
        rolled += faces
        good = sum(face >= 5 for face in faces)
        shocked += good
        if count:
            recovered.append(
                {
                    "company": name,
                    "recovered": good,
                    "still_shocked": count - good,
                    "platoons": [face >= 5 for face in faces],
                }
            )
    faces = dice(len(rolled), len(rally), "Rally, Disrupted companies", 5)
    rolled += faces
    again = [names[place] for place, face in zip(rally, faces, strict=True) if face >= 5]
    faces = dice(len(rolled), vehicles, "Repair", 6)
    rolled += faces
    mobile = sum(face == 6 for face in faces)
    words = f"{shocked} of {many(sum(platoons), 'Shocked platoon')} and {len(again)} of {len(rally)} Disrupted companies recover."
    if vehicles:
        words += f" {mobile} of {many(vehicles, 'immobilised vehicle')} move again."
    return Resolved(
        str(shocked + len(again)), words, rolled, rolled, shocked + len(again), (),
        facts(
            platoons_recovered=shocked, companies_recovered=len(again), vehicles_mobile=mobile, platoons=recovered, companies=again,
        ),
    )  # fmt: skip


def rally_odds(content: HasReadings, data: Rally) -> TroopOdds:
    """How many platoons and companies recover; beside them whether every vehicle moves again."""
    _before_dice(data.rolls)
    platoons, rally, vehicles = _plan(content, data)
    count = sum(platoons) + len(rally)
    also = {"all_vehicles_mobile": Fraction(1, 6) ** vehicles} if vehicles else {}
    return in_order({str(k): share for k, share in enumerate(binomial(count, PLACES))}, (), also)
