"""How fast the checker is: twelve-fighter rosters of every list, judged again and again while they change.

Processor seconds, not the clock on the wall: another process on the machine does not count. Nothing that was judged is remembered;
what one fighter is (its facts and findings) is, as in the application.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from rules.fighters.work_out import RememberedFacts
from rules.force import Battles, Force, ForceFighter, ForceItem, ForceSkill, ForceTrauma
from rules.price import Price
from rules.registry import system

GAME = "trench-crusade"
FIGHTERS = 12
PLAIN = ("ReminderEffect", "StatEffect", "KeywordEffect", "AbilityEffect")
RICH = Price(ducats=99_999, glory=999)


@dataclass(frozen=True, slots=True)
class Rate:
    """Checks a second of one roster: `built` (the same each time), `changing` (another each time), `cold` (no fighter remembered)."""

    edition: str
    list: str
    fighters: int
    problems: int
    built: float
    changing: float
    cold: float

    @property
    def slower(self) -> float:
        """What the budget is for: the slower of the two ways in which a warband in use is checked."""
        return min(self.built, self.changing)


def rosters(edition: str) -> list[tuple[str, Force]]:
    """Every list of an edition with a roster of twelve: its sample, enlarged by copies that make no problem as far as there are any."""
    game = system(GAME)
    content = game.content(edition, (), {"third_party": True})
    found = []
    for army in content.pack.lists:
        force = next((s for x in content.pack.samples if x.list == army.id and (s := _sample(content, x.id))), None)
        if force is None:
            force = Force(GAME, edition, army.id)
        force = replace(force, founding=False, strongbox=None, budget=RICH, battles=Battles(4))
        found.append((army.id, worn(content, enlarged(content, picked(content, force)))))
    return found


def picked(content: Any, force: Force) -> Force:
    """The force with everything chosen that its list lets it choose: rules first, then what those ask; picks from other lists to the full."""
    game = system(GAME)
    for _ in range(2):
        for choosing in game.choices(content, force):
            if choosing.row == "warband" and not choosing.chosen and choosing.asked.options:
                values = [value for value, _ in choosing.asked.options]
                kept: Any = values[len(values) // 2 :][: choosing.asked.count]
                kept = kept[0] if choosing.asked.count == 1 else kept
                force = replace(force, choices={**force.choices, choosing.path[-1]: kept})
    return force


def worn(content: Any, force: Force) -> Force:
    """The force after a few battles: each fighter with a skill or a scar of its own and with up to five pieces, as long as it is legal."""
    game = system(GAME)
    skills = [s for s in content.skills.values() if not s.effects or all(type(e).__name__ in PLAIN for e in s.effects)]
    traumas = [t for t in content.traumas.values() if t.scar]
    for place, fighter in enumerate(force.fighters):
        before = len(game.check(content, force).problems)
        skill, trauma = skills[place % len(skills)], traumas[place % len(traumas)]
        marks = (
            (ForceSkill("s", skill.id),) if place % 2 else (),
            (ForceTrauma("t", trauma.id, 1),) if place % 3 else (),
        )
        tried = force.with_fighter(replace(fighter, skills=marks[0], traumas=marks[1], experience=place))
        if len(game.check(content, tried).problems) <= before:
            force = tried
        for n in range(5 - len(force.fighter(fighter.key).kit)):
            wares = [
                o
                for o in game.shop.item_offers(content, force, fighter.key)
                if o.state == "open" and o.kind == "item" and not o.choices
            ]
            if not wares:
                break
            ware, row = wares[(place + n) % len(wares)], force.fighter(fighter.key)
            piece = ForceItem(f"{fighter.key}-w{n}", ware.ref, "bought", ware.id, ware.price)
            force = force.with_fighter(replace(row, kit=(*row.kit, piece)))
    return force


def _sample(content: Any, sample_id: str) -> Force:
    game = system(GAME)
    force, problems = game.documents.read_document(game.founding.sample(content, sample_id))
    if problems:
        raise AssertionError(f"{sample_id}: {problems[0].message}")
    return force


def enlarged(content: Any, force: Force) -> Force:
    """The force with twelve fighters: copies of its own, and hires from open offers, that make no problem; then copies of anyone."""
    game = system(GAME)
    turn = 0
    while len(force.fighters) < FIGHTERS:
        before = len(game.check(content, force).problems)
        copies = [copied(f, f"more-{turn}") for f in (*force.fighters[turn % 3 :], *force.fighters[: turn % 3])]
        hires = [
            ForceFighter(f"more-{turn}", f"Recruit {turn}", o.ref, o.id, o.price, hired_as=o.hired_as)
            for o in game.hire_offers(content, force)
            if o.state == "open"
        ]
        tried = [replace(force, fighters=(*force.fighters, new)) for new in (*copies, *hires)]
        fitting = (f for f in tried if len(game.check(content, f).problems) <= before)
        force = next(fitting, tried[-1])
        turn += 1
    return force


def copied(fighter: ForceFighter, key: str) -> ForceFighter:
    """A fighter like this one, under keys of its own."""
    return replace(
        fighter, key=key, name=f"{fighter.name} {key}",
        kit=tuple(replace(piece, key=f"{key}-k{n}") for n, piece in enumerate(fighter.kit)),
        upgrades=tuple(replace(taken, key=f"{key}-u{n}") for n, taken in enumerate(fighter.upgrades)),
    )  # fmt: skip


def variants(force: Force) -> list[Force]:
    """The roster in many states: each fighter without each piece of its own, with the next fighter's first piece, and promoted."""
    found = [force]
    for place, fighter in enumerate(force.fighters):
        found += [
            force.with_fighter(replace(fighter, kit=tuple(p for p in fighter.kit if p is not piece)))
            for piece in fighter.kit
        ]
        lent = [p for f in (force.fighters * 2)[place + 1 :] for p in f.kit][:1]
        found += [force.with_fighter(replace(fighter, kit=(*fighter.kit, replace(p, key="lent")))) for p in lent]
        found.append(force.with_fighter(replace(fighter, promoted=not fighter.promoted)))
    return found


def measure(seconds: float = 0.1) -> list[Rate]:
    """The rates of every list of every edition, the slowest first. Each is measured for so many processor seconds."""
    rates = []
    for edition in system(GAME).editions():
        content = system(GAME).content(edition, (), {"third_party": True})
        rates += [_rates(content, army, force, seconds) for army, force in rosters(edition)]
    return sorted(rates, key=lambda rate: rate.slower)


def _rates(content: Any, army: str, force: Force, seconds: float) -> Rate:
    check, many = system(GAME).check, variants(force)
    for one in many:
        check(content, one)
    return Rate(
        content.edition, army, len(force.fighters), len(check(content, force).problems),
        _rate(lambda _: check(content, replace(force)), seconds),
        _rate(lambda turn: check(content, replace(many[turn % len(many)])), seconds),
        _rate(lambda _: (content.once(RememberedFacts).clear(), check(content, replace(force))), seconds),
    )  # fmt: skip


def _rate(act: Any, seconds: float) -> float:
    act(0)
    turns, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in range(20):
            act(turns)
            turns += 1
    return turns / spent


if __name__ == "__main__":
    for rate in measure():
        print(
            f"{rate.edition:<6} {rate.list:<44} {rate.fighters} fighters, {rate.problems:>2} problems: built {rate.built:>6,.0f}/s, "
            f"changing {rate.changing:>6,.0f}/s, cold {rate.cold:>5,.0f}/s"
        )
