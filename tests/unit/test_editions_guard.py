"""Nothing above the rules knows an edition or an overlay: no comparison, no branch and no id in the rooms or their pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from rules.registry import systems

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("accounts", "campaigns", "config", "notifications", "warbands")
MODULES = sorted(p for room in ROOMS for p in (ROOT / room).rglob("*.py") if "migrations" not in p.parts)
PAGES = sorted((ROOT / "templates").rglob("*.html"))
EDITIONS = {edition for game in systems() for edition in game.editions()}
STATES = {f"{game.id}/{edition}" for game in systems() for edition in game.editions()}
OVERLAYS = {o.id for game in systems() if game.states for e in game.editions() for o in game.states.overlays(e)}


def faults_of(code: str) -> Iterator[str]:
    """Lines of Python that speak of a particular edition: an id that stands alone, an overlay, or an edition compared with a text."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and node.value in EDITIONS | STATES:
            yield f"line {node.lineno}: the edition {node.value}"
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and any(o in node.value for o in OVERLAYS):
            yield f"line {node.lineno}: the overlay {node.value}"
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
            named = any("edition" in ast.unparse(part).lower() for part in parts)
            fixed = any(isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value for part in parts)
            if named and fixed:
                yield f"line {node.lineno}: {ast.unparse(node)}"


def faults_of_page(text: str) -> Iterator[str]:
    """Tags of a template that branch on an edition, and overlays that it names."""
    for tag in re.findall(r"\{%\s*(?:el)?if[^%]*%\}", text):
        if re.search(r"\bedition\w*\s*(==|!=|in\b|not\b)", tag) or any(
            f'"{e}"' in tag or f"'{e}'" in tag for e in EDITIONS
        ):
            yield tag
    yield from (overlay for overlay in sorted(OVERLAYS) if overlay in text)


def test_there_is_something_to_check() -> None:
    assert len(EDITIONS) >= 2
    assert len(MODULES) > 80
    assert len(PAGES) > 60


def test_the_guard_finds_what_it_looks_for() -> None:
    edition = sorted(EDITIONS)[0]
    assert list(faults_of(f"x = 1 if terms.edition == '{edition}' else 2"))
    assert list(faults_of("if terms.edition[:1] == '1': pass"))
    assert list(faults_of(f"default = '{edition}'"))
    assert list(faults_of(f"default = '{sorted(STATES)[0]}'"))
    assert list(faults_of(f"taken = ['{sorted(OVERLAYS)[0]}']"))
    assert list(faults_of_page(f"<p>{sorted(OVERLAYS)[0]}</p>"))
    assert not list(faults_of("same = (a.system, a.edition) != (b.system, b.edition)"))
    assert list(faults_of_page(f'{{% if terms.edition == "{edition}" %}}'))
    assert not list(faults_of_page("{% if page.edition_words %}"))


def test_no_module_above_the_rules_knows_an_edition() -> None:
    faults = {str(path.relative_to(ROOT)): list(faults_of(path.read_text("utf-8"))) for path in MODULES}
    assert {path: found for path, found in faults.items() if found} == {}


def test_no_page_branches_on_an_edition() -> None:
    faults = {str(path.relative_to(ROOT)): list(faults_of_page(path.read_text("utf-8"))) for path in PAGES}
    assert {path: found for path, found in faults.items() if found} == {}
