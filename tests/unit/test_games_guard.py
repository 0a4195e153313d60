"""Nothing above the rules names a game whose profiles the players write: no id, no name, no package, outside the game's own templates."""

from __future__ import annotations

import re
from pathlib import Path

from rules.registry import PACKAGES, systems

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("accounts", "campaigns", "config", "notifications", "warbands")
WRITTEN = tuple(game for game in systems() if game.profiles)
FOLDERS = {PACKAGES[game.id].rpartition(".")[2] for game in WRITTEN}
WORDS = re.compile("|".join(re.escape(w) for g in WRITTEN for w in (g.id, g.name)) + "|" + "|".join(sorted(FOLDERS)))
# Credits name every game, and the component page shows a field with examples.
ALLOWED = {Path("templates/notices.html"), Path("config/styleguide.py")}
FILES = sorted(
    path.relative_to(ROOT)
    for path in (
        *(p for room in ROOMS for p in (ROOT / room).rglob("*.py") if "migrations" not in p.parts),
        *(ROOT / "templates").rglob("*.html"),
    )
    if not FOLDERS & set(path.parts)
)


def faults_of(text: str) -> list[str]:
    """Lines that name one of these games."""
    return [line.strip() for line in text.splitlines() if WORDS.search(line)]


def test_there_is_something_to_check() -> None:
    assert len(WRITTEN) >= 2
    assert len(FILES) > 200
    assert all(list((ROOT / "templates").rglob(f"{folder}/*.html")) for folder in FOLDERS)


def test_the_guard_finds_what_it_looks_for() -> None:
    for game in WRITTEN:
        assert faults_of(f"if terms.system == '{game.id}': pass")
        assert faults_of(f"<p>{game.name}</p>")
        assert faults_of(f"from {PACKAGES[game.id]} import force")
    assert not faults_of("game = terms.game")


def test_no_room_and_no_page_names_such_a_game() -> None:
    faults = {str(path): faults_of((ROOT / path).read_text("utf-8")) for path in FILES if path not in ALLOWED}
    assert {path: found for path, found in faults.items() if found} == {}
