"""An evening's values in edition 1.0: its content, a New Antioch and a Heretic roster, a game, and tasks run on typed dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from rules.content.compiled import Content, compile_content
from rules.content.house import read_house_rules
from rules.content.load import PACKS, load_pack
from rules.force import Battles, Force, ForceFighter
from rules.parts.post_battle import Aftermath, BattleSide, StepRecord
from rules.price import Price
from rules.resolution import Progress, Task
from rules.trench_crusade import post_battle
from tests.unit.rules import evening

DICE = {1: 3, 3: 4, 6: 5, 10: 6}  # dice by the first game at which so many are rolled
TABLES = {1: ("common",), 3: ("common", "rare"), 6: ("rare",), 10: ("rare", "legendary")}
ILSE = evening.fighter("ilse", "lieutenant", "Ilse Brandt", kit=("sword-axe", "standard-armour"))
MAREK = evening.fighter("marek", "sniper-priest", "Marek")
OTTLA = evening.fighter("ottla", "yeoman", "Ottla")
KOLYA = evening.fighter("kolya", "shocktrooper", "Kolya")
PRIEST = evening.fighter("vogt", "heretic-priest", "Vogt")


@cache
def content() -> Content:
    """The pack of 1.0."""
    return compile_content(load_pack(PACKS / "trench_crusade" / "v1_0"), read_house_rules({}))


def wardens(*fighters: ForceFighter, **known: Any) -> Force:
    """A New Antioch warband after its first game, unless told otherwise."""
    base: dict[str, Any] = {
        "list": "new-antioch",
        "name": "The Lantern Wardens",
        "patron": "learned-saint",
        "founding": False,
        "strongbox": Price(84, 20),
        "battles": Battles(1),
        "fighters": fighters or (ILSE, MAREK, OTTLA, KOLYA),
    }
    base.update(known)
    return Force("trench-crusade", "1.0", **base)


def legion(**known: Any) -> Force:
    """A Heretic Legion warband."""
    return wardens(PRIEST, **{"list": "heretic-legion", "patron": "mammon", **known})


def game(number: int = 1, *, won: bool = False, out: Sequence[str] = (), **known: Any) -> Aftermath:
    """A game as the warband lived it, against the Choir of Brass."""
    mine = BattleSide(
        side="mine",
        name="The Lantern Wardens",
        list="new-antioch",
        faction_keyword="NEW ANTIOCH",
        won=won,
        took_part=("ilse", "marek", "ottla", "kolya", "vogt"),
        out=tuple(out),
        out_by=dict.fromkeys(out, "choir"),
        deeds=tuple(known.pop("deeds", ())),
    )
    choir = BattleSide("choir", "Choir of Brass", "heretic-legion", "HERETIC", not won)
    return Aftermath(f"b{number}", number, "relic-hunt", mine, (choir,), **known)


def tasks(step: str, force: Force, aftermath: Aftermath, record: StepRecord | None = None) -> dict[str, Task]:
    """The tasks of a step by key, in order."""
    return {t.key: t for t in post_battle.tasks(content(), force, aftermath, record or StepRecord(), step)}


def faces_for(location: str) -> tuple[int, tuple[int, ...], dict[str, str]]:
    """A game's number, plain dice and the choice of table that reach exactly this location."""
    place = content().locations[location]
    number, count = next((n, d) for n, d in DICE.items() if place.rarity in TABLES[n] and d <= place.score <= 6 * d)
    faces, left = [], place.score
    for rest in range(count - 1, -1, -1):
        faces.append(min(6, left - rest))
        left -= faces[-1]
    assert left == 0
    return number, tuple(faces), {"table": place.rarity} if len(TABLES[number]) > 1 else {}


def find(
    location: str,
    option: str = "",
    rolled: Sequence[int] = (),
    *,
    force: Force | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Progress:
    """Explore with plain dice that reach a location, and take one of its ways."""
    number, faces, table = faces_for(location)
    base = replace(force or wardens(), battles=Battles(number))
    choices = {"mod-1": "done", **table, **({"option": option} if option else {}), **(extra or {})}
    task = tasks("exploration", base, game(number))["exploration"]
    return evening.run(task, (*faces, *rolled), choices)
