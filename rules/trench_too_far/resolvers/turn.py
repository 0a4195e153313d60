"""Recovering, Remnants, and the end of the turn.

Source: core rules, "Recover", "End of turn", "Tanks: End turn", "Unit types and weapons".
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import Any

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.odds import Explorer, binomial
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext as _
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.common import (
    PASSES,
    TroopOdds,
    ask_several,
    facts,
    in_order,
    is_disrupted,
    many,
)
from rules.trench_too_far.resolvers.inputs import MoraleTest, Platoon, Rally, RallyCompany, Recover, Remnants
from rules.trench_too_far.resolvers.morale import morale_test

RALLIES = 5  # also places a base
PLACES = Fraction(1, 3)


def _counted(lost: int, militia: int) -> int:
    if militia > lost:
        raise Refusal(_("More Militia bases are told than were lost."), mend=_("Count them within lost."), code="input")
    return lost - militia


def _before_dice(rolls: tuple[int, ...] | None) -> None:
    if rolls is not None:
        raise Refusal(_("Odds are asked for before dice fall."), mend=_("Leave the dice out."), code="dice")


def recover_remnants(content: HasReadings, data: Remnants, roller: Roller) -> Resolved:
    """Remnant bases placed for lost ones. Outcome and `total`: how many."""
    count = _counted(data.lost, data.militia_lost)
    faces = ask_several(roller, data.rolls, count, _("Remnants"), 5)
    placed = sum(face >= 5 for face in faces)
    quality = data.quality if choice(content, "remnant-quality") == "origin" else "shaky"
    words = _("{many} placed from {count} lost; none of these are rolled for again.").format(
        many=many(placed, _("Remnant base")), count=count
    )
    return Resolved(
        str(placed), words, faces, tuple(face for face in faces if face >= 5), placed, (),
        facts(remnants=placed, remnant_bases=placed, lost=0, pool=0, quality=quality),
    )  # fmt: skip


def remnants_odds(content: HasReadings, data: Remnants) -> TroopOdds:
    """How many are placed; beside it at least one."""
    _before_dice(data.rolls)
    return _remnants(_counted(data.lost, data.militia_lost))


def _remnants(count: int) -> TroopOdds:
    shares = binomial(count, PLACES)
    return in_order(
        {str(k): share for k, share in enumerate(shares)}, (), {"at_least_one": 1 - shares[0]} if count else {}
    )


def _testing(content: HasReadings, data: Recover) -> tuple[Platoon, ...]:
    disrupted = is_disrupted(data.disrupted) or not data.commander_alive
    if disrupted and choice(content, "disrupted-recover") == "none":
        return ()
    if data.platoons and data.shocked_platoons:
        raise Refusal(_("Both platoons and shocked_platoons are given."), mend=_("Give one of them."), code="input")
    alike = (Platoon(quality=data.quality, shocked=True),) * data.shocked_platoons
    return alike or tuple(platoon for platoon in data.platoons if platoon.shocked)


def recover(content: HasReadings, data: Recover, roller: Roller) -> Resolved:
    """A company on Recover. Outcome and `total`: Remnant bases placed. Dice: one for each Shocked platoon, then one for each base lost."""
    testing = _testing(content, data)
    tests = len(testing)
    count = _counted(data.lost, data.militia_lost)
    rolls = data.rolls
    if rolls is not None and len(rolls) != tests + count:
        raise Refusal(
            _("Recover: {amount} dice are asked for, {count} are told.").format(amount=tests + count, count=len(rolls)),
            code="dice",
        )
    steps = [
        morale_test(content, MoraleTest(quality=platoon.quality, roll=roll), roller)
        for platoon, roll in zip(testing, (None,) * tests if rolls is None else rolls[:tests], strict=True)
    ]
    recovered = [
        platoon.name or _("Platoon {number}").format(number=number)
        for number, (platoon, step) in enumerate(zip(testing, steps, strict=True), 1)
        if step.outcome == PASSES
    ]
    placed = recover_remnants(
        content, Remnants(lost=count, quality=data.quality, rolls=None if rolls is None else rolls[tests:]), roller
    )
    steps.append(placed)
    rolled = tuple(face for step in steps for face in step.rolled)
    sentences = (
        (bool(testing), _("{count} of {tests} Shocked platoons recover.").format(count=len(recovered), tests=tests)),
        (not data.commander_alive, _('A new commander, never Outstanding, is placed within 2" of a platoon.')),
        (is_disrupted(data.disrupted), _("The company is no longer Disrupted.")),
        (bool(count), placed.told),
    )
    effects = facts(
        tests=tests,
        recovered=len(recovered),
        recovered_platoons=recovered,
        disrupted=False,
        commander_replaced=not data.commander_alive,
        relocate_inches=2,
    )
    return Resolved(
        placed.outcome,
        " ".join(sentence for holds, sentence in sentences if holds) or _("Nothing to recover."),
        rolled,
        placed.kept,
        placed.total,
        (),
        effects + placed.effects,
        tuple(steps),
    )


def recover_odds(content: HasReadings, data: Recover) -> TroopOdds:
    """Remnant bases placed; beside them whether all Shocked platoons recover."""
    _before_dice(data.rolls)
    odds = _remnants(_counted(data.lost, data.militia_lost))
    testing = _testing(content, data)
    if testing:
        passes = (
            sum(
                morale_test(content, MoraleTest(quality=platoon.quality, roll=face), Explorer()).outcome == PASSES
                for face in range(1, 7)
            )
            for platoon in testing
        )
        odds.also["all_platoons_recover"] = prod((Fraction(count, 6) for count in passes), start=Fraction(1))
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
            RallyCompany(name=_("Disrupted company {number}").format(number=place + 1), disrupted=True)
            for place in range(data.disrupted_companies)
        ),
    )


def _shocked(company: RallyCompany) -> int:
    if company.shocked_platoons is not None:
        return company.shocked_platoons
    return sum(platoon.shocked for platoon in company.platoons)


def _plan(content: HasReadings, data: Rally) -> tuple[list[int], list[int], int]:
    """How many platoons of each company roll, the indices of the companies that roll, and how many vehicles do."""
    companies = _companies(data)
    through = choice(content, "disrupted-this-turn") == "through-rally"
    leaderless = choice(content, "leaderless-rally") == "rally"
    platoons: list[int] = []
    rallying: list[int] = []
    for index, company in enumerate(companies):
        over = company.disrupted == "this-turn" and not through
        if over or (company.commander_alive and not is_disrupted(company.disrupted)):
            platoons.append(_shocked(company))
            continue
        platoons.append(0)
        if leaderless or (company.commander_alive and company.disrupted != "until-replaced"):
            rallying.append(index)
    return platoons, rallying, sum(company.immobilised_vehicles for company in companies)


def end_turn_rally(content: HasReadings, data: Rally, roller: Roller) -> Resolved:
    """The rally at the end of the turn. Outcome and `total`: platoons and companies that recover.

    Dice: Shocked platoons company by company, then Disrupted companies, then immobilised vehicles.
    """
    platoons, rallying, vehicles = _plan(content, data)
    rolls = data.rolls
    total = sum(platoons) + len(rallying) + vehicles
    if rolls is not None and len(rolls) != total:
        raise Refusal(
            _("Rally: {total} dice are asked for, {count} are told.").format(total=total, count=len(rolls)), code="dice"
        )
    names = [
        company.name or _("Company {number}").format(number=number)
        for number, company in enumerate(_companies(data), 1)
    ]
    rolled: tuple[int, ...] = ()

    def fallen(count: int, why: str, cut: int) -> tuple[int, ...]:
        nonlocal rolled
        told = None if rolls is None else rolls[len(rolled) : len(rolled) + count]
        faces = ask_several(roller, told, count, why, cut)
        rolled += faces
        return faces

    recovered: list[Mapping[str, Any]] = []
    for name, count in zip(names, platoons, strict=True):
        rallied = [face >= RALLIES for face in fallen(count, _("Rally, {name}").format(name=name), RALLIES)]
        good = sum(rallied)
        if count:
            still = count - good
            recovered.append({"company": name, "recovered": good, "still_shocked": still, "platoons": rallied})
    faces = fallen(len(rallying), _("Rally, Disrupted companies"), RALLIES)
    again = [names[index] for index, face in zip(rallying, faces, strict=True) if face >= RALLIES]
    mobile = fallen(vehicles, _("Repair"), 6).count(6)
    shocked = sum(row["recovered"] for row in recovered)
    message = _("{shocked} of {many} and {count} of {count_2} Disrupted companies recover.").format(
        shocked=shocked, many=many(sum(platoons), _("Shocked platoon")), count=len(again), count_2=len(rallying)
    )
    if vehicles:
        message += _(" {mobile} of {many} move again.").format(
            mobile=mobile, many=many(vehicles, _("immobilised vehicle"))
        )
    return Resolved(
        str(shocked + len(again)),
        message,
        rolled,
        rolled,
        shocked + len(again),
        (),
        facts(
            platoons_recovered=shocked,
            companies_recovered=len(again),
            vehicles_mobile=mobile,
            platoons=recovered,
            companies=again,
        ),
    )


def rally_odds(content: HasReadings, data: Rally) -> TroopOdds:
    """How many platoons and companies recover; beside them whether every vehicle moves again."""
    _before_dice(data.rolls)
    platoons, rally, vehicles = _plan(content, data)
    count = sum(platoons) + len(rally)
    also = {"all_vehicles_mobile": Fraction(1, 6) ** vehicles} if vehicles else {}
    return in_order({str(k): share for k, share in enumerate(binomial(count, PLACES))}, (), also)
