"""What the house style says of names and of functions, read from the source.

One quantity, one word: no field and no function bears a name that the project has another word for. A banned word counts as a whole name
(`cost`, not `cost_words` or `accosted`), and `xp` also as a part of one. What a rulebook or HTML calls so itself is allowed by name, with the
reason.

No function decides too much: each branch, loop, condition and part of a condition counts as one decision.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("accounts", "campaigns", "config", "notifications", "rules", "warbands")

SAY_INSTEAD = {
    "ruleset": "system, edition or pack",
    "module": "system, edition or pack",
    "match": "battle",
    "mission": "scenario",
    "aftermath": "post-battle",
    "organiser": "administrator",
    "organizer": "administrator",
    "gm": "administrator",
    "member": "player",
    "membership": "seat",
    "mustering": "founding, or muster",
    "gang": "warband",
    "army": "warband",
    "model": "fighter",
    "type": "profile, or kind",
    "stats": "statline",
    "attribute": "characteristic",
    "gear": "kit",
    "wargear": "kit",
    "inventory": "stash",
    "tag": "keyword",
    "perk": "skill or ability",
    "level_up": "promotion",
    "xp": "experience",
    "treasury": "strongbox",
    "money": "strongbox, price or paid",
    "wallet": "strongbox",
    "transaction": "ledger entry",
    "cost": "price, paid or rating",
    "value": "rating, or what it is a value of",
    "points": "rating, victory points or experience",
    "action": "event",
    "operation": "event",
    "delta": "change",
    "violation": "problem",
    "rng": "dice",
    "dice_string": "dice",
    "chance": "odds",
}


# A function with more decisions than MANY takes a second reading. Few may stay, where one place is clearer than five; MOST is the end of it.
MANY, MOST, FEW = 15, 25, 120


@dataclass(frozen=True, slots=True)
class Named:
    """A name that somebody gave: where it stands, what bears it, the name."""

    place: str
    kind: str  # field, function, class
    name: str

    def __str__(self) -> str:
        return f"{self.place}: {self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class Allowed:
    """A word that is right in these files ("rules/" allows a whole folder), and why."""

    word: str
    why: str
    places: tuple[str, ...]

    def covers(self, named: Named) -> bool:
        """Whether a name is meant by this."""
        return named.name.strip("_").lower() == self.word and named.place.startswith(self.places)


ALLOWED = (
    Allowed(
        "value",
        "what an option of a form sends",
        (
            "campaigns/forms.py",
            "campaigns/pages/",
            "rules/resolution.py",
            "rules/import_text.py",
            "warbands/forms.py",
            "warbands/pages/",
            "warbands/printed_fighters.py",
        ),
    ),
    Allowed(
        "value",
        "what a leaf of recorded JSON, or a characteristic, becomes",
        ("rules/consequences.py", "rules/force.py"),
    ),
    Allowed("type", "the attribute of an HTML input", ("warbands/pages/camp.py",)),
    Allowed(
        "points",
        "victory points of a battle and what the standings count of them",
        (
            "campaigns/forms.py",
            "campaigns/people_forms.py",
            "campaigns/models/battle.py",
            "campaigns/pages/battle_sides.py",
            "campaigns/pages/report.py",
            "campaigns/pages/standing_chart.py",
            "campaigns/report_data.py",
            "campaigns/standings.py",
            "rules/transcription.py",
            "warbands/transcription_forms.py",
            "warbands/import_targets.py",
        ),
    ),
    Allowed("action", "ACTION, as the rulebook says of an ability", ("rules/content/schema.py",)),
    Allowed("action", "the button or link of an offer", ("warbands/pages/offers.py",)),
    Allowed("army", "an ArmyList, the printed list a warband is founded from", ("rules/content/compiled.py",)),
    Allowed(
        "aftermath",
        "the battle as one side lived it, which the sequence works on; the sequence itself is the post-battle",
        ("campaigns/models/post_battle.py", "rules/parts/post_battle.py", "rules/trench_crusade/steps/context.py"),
    ),
    Allowed(
        "money",
        "ducats and glory together, coming in or going out",
        (
            "rules/consequences.py",
            "rules/import_lines.py",
            "warbands/pages/formatting.py",
        ),
    ),
    Allowed(
        "stats",
        "the cells of a statline: label, figure, state, cause",
        (
            "rules/fighters/",
            "rules/force.py",
            "rules/parts/sheet.py",
            "warbands/pages/",
            "warbands/printed_fighters.py",
        ),
    ),
)


def files() -> list[Path]:
    """Every Python file of ours but migrations, which name what the models name."""
    return sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py") if "migrations" not in path.parts)


def defined_in(tree: ast.AST) -> Iterator[ast.AST]:
    """Every function and class of a tree, however deep. They are statements: what stands within an expression is passed over."""
    waiting = [tree]
    for node in waiting:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            within = getattr(node, part, ())
            waiting += within if isinstance(within, list) else ()  # a lambda has one expression for its body


def names_in(path: Path, tree: ast.Module) -> Iterator[Named]:
    """Fields of classes (models, forms, dataclasses, structs), functions, methods and classes of one file."""
    place = path.relative_to(ROOT).as_posix()
    for node in defined_in(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Named(place, "function", node.name)
        elif isinstance(node, ast.ClassDef):
            yield Named(place, "class", node.name)
            for line in node.body:
                targets: list[ast.expr] = []
                if isinstance(line, ast.AnnAssign):
                    targets = [line.target]
                elif isinstance(line, ast.Assign) and isinstance(line.value, ast.Call):
                    targets = line.targets
                for target in targets:
                    if isinstance(target, ast.Name):
                        yield Named(place, "field", target.id)


def wrong(named: Named) -> str:
    """What is wrong with a name, "" for nothing."""
    name = named.name.strip("_").lower()
    banned = name if name in SAY_INSTEAD else "xp" if "xp" in name.split("_") else ""
    if not banned or any(allowed.covers(named) for allowed in ALLOWED):
        return ""
    return f"{named}: say {SAY_INSTEAD[banned]}."


@cache
def trees() -> Mapping[Path, ast.Module]:
    """Every file of ours, read once."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in files()}


@cache
def all_names() -> tuple[Named, ...]:
    return tuple(named for path, tree in trees().items() for named in names_in(path, tree))


Function = ast.FunctionDef | ast.AsyncFunctionDef


def decisions(function: Function) -> int:
    """How many ways lead through a function, those through functions inside it apart: one, and one more for each decision."""
    return 1 + sum(_decisions_of(node) for node in _inside(function) if isinstance(node, DECIDING))


DECIDING = (
    ast.If, ast.IfExp, ast.ExceptHandler, ast.match_case, ast.Assert, ast.For, ast.AsyncFor, ast.While, ast.BoolOp, ast.comprehension,
)  # fmt: skip


def _decisions_of(node: ast.AST) -> int:
    match node:
        case ast.If() | ast.IfExp() | ast.ExceptHandler() | ast.match_case() | ast.Assert():
            return 1
        case ast.For() | ast.AsyncFor() | ast.While():
            return 1 + bool(node.orelse)
        case ast.BoolOp():
            return len(node.values) - 1
        case ast.comprehension():
            return 1 + len(node.ifs)
    return 0


def _inside(function: ast.AST) -> list[ast.AST]:
    """What a function is made of, but for the functions inside it."""
    found = [function]
    for node in found:
        for value in vars(node).values():
            if isinstance(value, list):
                found += [part for part in value if isinstance(part, ast.AST) and not isinstance(part, Function)]
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                found.append(value)
    return found


@cache
def all_functions() -> Mapping[str, int]:
    """Every function of ours, by place and name, with its decisions."""
    return {
        f"{path.relative_to(ROOT).as_posix()}:{node.lineno} {node.name}": decisions(node)
        for path, tree in trees().items()
        for node in defined_in(tree)
        if isinstance(node, Function)
    }


def test_there_is_something_to_check() -> None:
    found = {(named.kind, named.name) for named in all_names()}
    assert len(found) > 1000
    assert found >= {
        ("field", "strongbox_ducats"),
        ("field", "rating"),
        ("function", "hire_fighter"),
        ("class", "Refusal"),
    }


@pytest.mark.parametrize("source", ["class A:\n    cost: int\n", "class A:\n    xp_left: int = 0\n", "def army() -> None: ...\n", "class Gang: ...\n", "class A:\n    points = models.IntegerField()\n"])  # fmt: skip
def test_a_banned_word_is_found(source: str) -> None:
    assert [wrong(named) for named in names_in(ROOT / "rules" / "invented.py", ast.parse(source)) if wrong(named)]


def test_no_name_has_another_word_in_this_project() -> None:
    found = [wrong(named) for named in all_names() if wrong(named)]
    assert not found, "\n".join(found)


def test_every_allowance_is_used() -> None:
    names = all_names()
    for allowed in ALLOWED:
        for place in allowed.places:
            alone = Allowed(allowed.word, allowed.why, (place,))
            assert any(alone.covers(named) for named in names), f"{place} has no {allowed.word} any more."


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("def f(a): return a", 1),
        ("def f(a):\n    if a: return 1\n    elif a is None: return 2", 3),
        ("def f(a, b): return [x for x in a if x and b] or (1 if b else 2)", 6),
        ("def f(a):\n    for x in a:\n        try: x()\n        except ValueError: pass\n    while a: a()", 4),
        ("def f(a):\n    def g():\n        if a: return 1\n    return g", 1),
    ],
)
def test_decisions_are_counted(source: str, count: int) -> None:
    function = ast.parse(source).body[0]
    assert isinstance(function, Function)
    assert decisions(function) == count


def test_no_function_decides_too_much() -> None:
    found = [f"{place}: {count} decisions, part it." for place, count in all_functions().items() if count > MOST]
    assert not found, "\n".join(found)


def test_few_functions_decide_much() -> None:
    found = sorted(place for place, count in all_functions().items() if count > MANY)
    assert len(all_functions()) > 5000
    assert len(found) < FEW, f"{len(found)} functions have more than {MANY} decisions: part one.\n" + "\n".join(found)
