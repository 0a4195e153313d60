"""An evening's values for tests of the campaign phase: content, a roster, a battle, and what a written outcome does to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from rules.consequences import (
    Becomes,
    Consequence,
    GainsItem,
    Home,
    Joins,
    Leaves,
    LosesItems,
    Money,
    Owes,
    Recovers,
    SetFighter,
    SetWarband,
    Taken,
)
from rules.content.compiled import Content, compile_content
from rules.content.house import read_house_rules
from rules.content.load import PACKS, load_pack
from rules.dice import Draw, TypedDice
from rules.force import Battles, Force, ForceFighter, ForceItem, ForceSkill, ForceTrauma, ForceUpgrade
from rules.parts.post_battle import Aftermath, BattleSide, StepRecord
from rules.price import Price
from rules.resolution import Outcome, Progress, Task, advance
from rules.trench_crusade import post_battle, roster


@cache
def content(**house: Any) -> Content:
    """The 1.6.3 pack under house rules."""
    return compile_content(load_pack(PACKS / "trench_crusade" / "v1_6_3"), read_house_rules(house))


def fighter(key: str, profile: str, name: str = "", **known: Any) -> ForceFighter:
    """A fighter of a profile; `kit` may be given as item ids, skills and traumas as ids."""
    kit = tuple(i if isinstance(i, ForceItem) else ForceItem(f"{key}-{i}", i) for i in known.pop("kit", ()))
    skills = tuple(s if isinstance(s, ForceSkill) else ForceSkill(f"old-{s}", s) for s in known.pop("skills", ()))
    traumas = tuple(
        t if isinstance(t, ForceTrauma) else ForceTrauma(f"old-{t}", t, battle=1) for t in known.pop("traumas", ())
    )
    return ForceFighter(key, name or key.capitalize(), profile, kit=kit, skills=skills, traumas=traumas, **known)


ILSE = fighter("ilse", "lieutenant", "Ilse Brandt", kit=("sword-axe", "standard-armour"))
MAREK = fighter("marek", "sniper-priest", "Marek")
ANSELM = fighter("anselm", "trench-cleric", "Br. Anselm")
OTTLA = fighter("ottla", "yeoman", "Ottla")
KOLYA = fighter("kolya", "shocktrooper", "Kolya", kit=("trench-shield",))
ROSTER = (ILSE, MAREK, ANSELM, OTTLA, KOLYA)


def wardens(*fighters: ForceFighter, **known: Any) -> Force:
    """A New Antioch warband after its first battle, unless told otherwise."""
    base: dict[str, Any] = {
        "list": "new-antioch",
        "name": "The Lantern Wardens",
        "patron": "learned-saint",
        "founding": False,
        "strongbox": Price(84, 3),
        "battles": Battles(1),
        "fighters": fighters or ROSTER,
    }
    base.update(known)
    return Force("trench-crusade", "1.6.3", **base)


def battle(
    number: int = 1,
    *,
    out: Mapping[str, str] | Iterable[str] = (),
    deeds: Sequence[tuple[str, str]] = (),
    won: bool = False,
    took_part: Sequence[str] | None = None,
    others: Sequence[BattleSide] | None = None,
    **known: Any,
) -> Aftermath:
    """A battle as The Lantern Wardens lived it: who went out (and through which side), deeds, the winner."""
    out_by = dict(out) if isinstance(out, Mapping) else dict.fromkeys(out, "choir")
    mine = BattleSide(
        side="wardens",
        name="The Lantern Wardens",
        list="new-antioch",
        faction_keyword="NEW ANTIOCH",
        won=won,
        took_part=tuple(f.key for f in ROSTER) if took_part is None else tuple(took_part),
        out=tuple(out_by),
        out_by=out_by,
        deeds=tuple(deeds),
        **known.pop("mine", {}),
    )
    choir = BattleSide("choir", "Choir of Brass", "heretic-legion", "HERETIC", not won)
    return Aftermath(f"b{number}", number, "hill-223", mine, tuple(others) if others is not None else (choir,), **known)


def tasks(
    step: str, force: Force, aftermath: Aftermath, record: StepRecord | None = None, **house: Any
) -> dict[str, Task]:
    """The tasks of a step by key, in order."""
    return {t.key: t for t in post_battle.tasks(content(**house), force, aftermath, record or StepRecord(), step)}


def run(task: Task, faces: Sequence[int] = (), choices: Mapping[str, Any] | None = None) -> Progress:
    """Run a task on typed dice; every face must be used."""
    dice = TypedDice(faces)
    progress = advance(task, (), choices or {}, dice)
    assert dice.left == (), f"unused faces: {dice.left}"
    return progress


def settle(task: Task, faces: Sequence[int] = (), choices: Mapping[str, Any] | None = None) -> Outcome:
    """Run a task to its outcome."""
    progress = run(task, faces, choices)
    assert progress.outcome is not None, f"stopped: {progress.need or progress.asked}"
    return progress.outcome


def leaves(outcome: Outcome, *kinds: type[Consequence]) -> list[Any]:
    """The consequences of these kinds."""
    return [c for c in outcome.consequences if isinstance(c, kinds)]


def sets(outcome: Outcome) -> dict[tuple[str, ...], Any]:
    """What an outcome sets: (fighter or "", path...) to value."""
    found: dict[tuple[str, ...], Any] = {}
    for change in outcome.consequences:
        if isinstance(change, SetFighter):
            found[(change.fighter, *change.path)] = change.value
        elif isinstance(change, SetWarband):
            found[("", *change.path)] = change.value
    return found


def money(outcome: Outcome) -> Price:
    """The sum of all movements, what was paid for items included."""
    moves = [c.amount for c in leaves(outcome, Money)]
    paid = [c.paid for c in leaves(outcome, GainsItem)]
    return Price(
        sum(m.ducats for m in moves) - sum(p.ducats for p in paid),
        sum(m.glory for m in moves) - sum(p.glory for p in paid),
    )


def shown(progress: Progress) -> str:
    """Everything told so far, with the table rows."""
    return "\n".join(
        [t.words + " " + " ".join(f"[{r.label} {r.name}{'*' * r.hit}]" for r in t.rows) for t in progress.told]
    )


def written(*keys: str, choices: Mapping[str, Mapping[str, Any]] | None = None, draws: Any = None) -> StepRecord:
    """A record in which these tasks are written."""
    return StepRecord(draws or {}, choices or {}, frozenset(keys))


def draws_of(progress: Progress) -> tuple[Draw, ...]:
    """The draws that a page would keep."""
    return progress.draws


# --- what writing does


def after(force: Force, outcome: Outcome, known: Content | None = None) -> Force:
    """The roster once the outcome is carried out; every state it sets is one that the game accepts (by this content)."""
    known = known or content()
    for change in outcome.consequences:
        force = _apply(force, change)
    for who in force.fighters:
        roster.fighter_state(known, roster.write_state(known, who))
    leaves_set: dict[str, Any] = {}
    for change in outcome.consequences:
        if isinstance(change, SetWarband) and change.value is not None:
            inner = {change.path[1]: change.value} if len(change.path) > 1 else None
            leaves_set[change.path[0]] = {**leaves_set.get(change.path[0], {}), **inner} if inner else change.value
    roster.warband_state(known, leaves_set)
    return force


def _apply(force: Force, change: Consequence) -> Force:
    box = force.strongbox or Price()
    match change:
        case SetFighter():
            return force.with_fighter(_set(force.fighter(change.fighter), change.path, change.value))
        case SetWarband():
            return _set_warband(force, change.path, change.value)
        case Money():
            assert box.ducats + change.amount.ducats >= 0, change
            assert box.glory + change.amount.glory >= 0, change
            return replace(force, strongbox=Price(box.ducats + change.amount.ducats, box.glory + change.amount.glory))
        case Leaves():
            gone = force.fighter(change.fighter)
            stash = (*force.stash, *gone.kit) if change.kit_to_stash else force.stash
            return replace(force.with_fighter(replace(gone, status=change.status, kit=())), stash=stash)
        case Taken():
            return force.with_fighter(replace(force.fighter(change.fighter), status="captive"))
        case Home():
            return force.with_fighter(replace(force.fighter(change.fighter), status="active"))
        case LosesItems():
            lost = set(change.items)
            fighters = tuple(replace(f, kit=tuple(i for i in f.kit if i.key not in lost)) for f in force.fighters)
            return replace(force, fighters=fighters, stash=tuple(i for i in force.stash if i.key not in lost))
        case GainsItem():
            item = ForceItem(f"new-{len(force.stash)}", change.item, "found", change.offer, change.paid)
            left = Price(box.ducats - change.paid.ducats, box.glory - change.paid.glory)
            return replace(force, stash=(*force.stash, item), strongbox=left)
        case Joins():
            key = f"new-{len(force.fighters)}"
            return force.with_fighter(ForceFighter(key, change.name, change.profile, change.offer))
        case Recovers():
            return force  # what was lost is kept by the services, not by these values
        case Becomes():
            return force.with_fighter(replace(force.fighter(change.fighter), profile=change.profile))
        case Owes():
            return force
    raise AssertionError(change)


def _set(who: ForceFighter, path: tuple[str, ...], value: Any) -> ForceFighter:
    if path[0] == "skills":
        kept = tuple(s for s in who.skills if s.key != path[1])
        return replace(
            who, skills=kept if value is None else (*kept, ForceSkill(path[1], value["id"], value["choices"]))
        )
    if path[0] == "traumas":
        rest = tuple(t for t in who.traumas if t.key != path[1])
        if value is None:
            return replace(who, traumas=rest)
        new = ForceTrauma(path[1], value["id"], value["scar"], value["details"], value["battle"])
        return replace(who, traumas=(*rest, new))
    if path[0] == "upgrades":
        taken = ForceUpgrade(path[1], value["id"], value["offer"], Price(value["ducats"], value["glory"]))
        return replace(who, upgrades=(*who.upgrades, taken))
    if path[0] == "choices":
        return replace(who, choices={**who.choices, path[1]: value})
    return replace(who, **{path[0]: value})


def _set_warband(force: Force, path: tuple[str, ...], value: Any) -> Force:
    state = dict(force.state)
    if len(path) == 1:
        state[path[0]] = value
    else:
        state[path[0]] = {**state.get(path[0], {}), path[1]: value}
    force = replace(force, state=state)
    match path[0]:
        case "promotion_misses":
            return replace(force, promotion_misses=value)
        case "fought":
            return replace(force, battles=replace(force.battles, fought=value))
        case "locations":
            return replace(force, locations=(*force.locations, path[1]))
        case "lasting":
            return replace(force, lasting=tuple(v["id"] for v in state["lasting"].values() if v))
        case "exploration_skills":
            return replace(force, exploration_skills=tuple(state["exploration_skills"].values()))
    return force
