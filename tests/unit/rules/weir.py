"""The invented game of the legality tests: short ways to build its warbands and read verdicts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from rules.checker import check
from rules.content.compiled import Content, compile_content
from rules.content.house import read_house_rules
from rules.content.load import load_pack
from rules.force import Battles, Force, ForceFighter, ForceItem, ForceSkill, ForceTrauma, ForceUpgrade
from rules.parts.verdict import Verdict
from rules.price import Price

FOLDER = Path(__file__).parent / "fixture_pack"
RICH = Price(ducats=5000, glory=50)


@cache
def _pack() -> Any:
    return load_pack(FOLDER)


def content(**house: Any) -> Content:
    """The invented pack under house rules."""
    return compile_content(_pack(), read_house_rules(house), FOLDER)


def fighter(
    key: str,
    profile: str = "spear",
    *kit: str,
    upgrades: tuple[str, ...] = (),
    skills: tuple[str | ForceSkill, ...] = (),
    traumas: tuple[str, ...] = (),
    **more: Any,
) -> ForceFighter:
    """A fighter. Kit is bought, or with "found:" before it found, "given:" granted; an upgrade may name its option after a slash."""
    items = []
    for n, text in enumerate(kit):
        origin, _, item = text.rpartition(":")
        items.append(ForceItem(f"{key}-{n}", item, origin or "bought"))  # type: ignore[arg-type]
    taken = []
    for n, text in enumerate(upgrades):
        upgrade, _, option = text.partition("/")
        taken.append(ForceUpgrade(f"{key}-u{n}", upgrade, option=option))
    learned = [s if isinstance(s, ForceSkill) else ForceSkill(f"{key}-s{n}", s) for n, s in enumerate(skills)]
    wounds = [ForceTrauma(f"{key}-t{n}", t) for n, t in enumerate(traumas)]
    return ForceFighter(
        key,
        key.title(),
        profile,
        kit=tuple(items),
        upgrades=tuple(taken),
        skills=tuple(learned),
        traumas=tuple(wounds),
        **more,
    )


REEVE = fighter("reeve", "reeve")


def warband(*fighters: ForceFighter, led: bool = True, **more: Any) -> Force:
    """A warband of the Wardens under a reeve, with money enough."""
    more.setdefault("budget", RICH)
    more.setdefault("list", "wardens")
    return Force("weir-war", "0.1", fighters=(REEVE, *fighters) if led else fighters, **more)


def stash(*items: str) -> tuple[ForceItem, ...]:
    """Pieces in the stash, written as for `fighter`."""
    return fighter("stash", "spear", *items).kit


def verdict(force: Force, terms: Content | None = None, **scope: Any) -> Verdict:
    """The checker's answer."""
    return check(terms or content(), force, **scope)


def codes(force: Force, terms: Content | None = None, **scope: Any) -> list[str]:
    """The codes of everything found, in order."""
    return [p.code for p in verdict(force, terms, **scope).problems]


def fought(battles: int, credited: int = 0) -> Battles:
    """So many battles fought."""
    return Battles(battles, credited)
