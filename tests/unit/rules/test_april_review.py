"""The April 2026 review: Strains and Amalgams that need other fighters worth 1000 ducats, and fire that nothing negates."""

from __future__ import annotations

from typing import Any

import pytest

from rules.checker import check
from rules.dice import TypedDice
from rules.force import Force
from rules.registry import system
from rules.trench_crusade.documents.reader import read_with_content
from rules.trench_crusade.resolvers.attack_situation import situation
from rules.trench_crusade.resolvers.rules import resolve

GAME = system("trench-crusade")
OVERLAYS = ("tc-2026-04-amalgam-strains",)
CONTENT = GAME.content("1.0", OVERLAYS)
TWO = ("Leech Grip", "Tapeworm Throng")
THRALL = {"profile": "Grail Thrall"}


def messages(*fighters: dict[str, Any], founding: bool = False) -> list[str]:
    named = [{"name": f"{f['profile']} {n}", "kit": [], "upgrades": [], **f} for n, f in enumerate(fighters, 1)]
    force, problems = GAME.documents.read_document(
        {
            "game": "trench-crusade",
            "edition": "1.0",
            "faction": "The Cult of the Black Grail",
            "name": "The Swarm",
            "mode": "campaign",
            "founding": founding,
            "overlays": list(OVERLAYS),
            "budget": {"ducats": 3000, "glory": 9},
            "fighters": named,
        }
    )
    return [problem.message for problem in (*problems, *check(CONTENT, force).problems)]


LORD, AMALGAM = {"profile": "Lord of Tumours"}, {"profile": "Amalgam"}


@pytest.mark.parametrize(
    ("strains", "thralls", "told"),
    [
        (TWO[:1], 0, ""),
        (TWO, 0, "Grail Thrall 2 has two grail strains"),
        (TWO, 34, "they are worth 980"),  # 130 and 34 of 25 ducats
        (TWO, 35, ""),
    ],
)
def test_a_second_strain_needs_other_fighters_worth_1000_ducats(strains: Any, thralls: int, told: str) -> None:
    found = messages(LORD, {**THRALL, "upgrades": list(strains)}, *[THRALL] * thralls)
    told_of = [words for words in found if "strains" in words]
    assert len(told_of) == bool(told)
    assert all(told in words for words in told_of)


def test_no_thrall_has_three_strains() -> None:
    found = messages(LORD, {**THRALL, "upgrades": [*TWO, "Bolgias Gut"]}, *[THRALL] * 60)
    assert "Grail Thrall 2 has three grail strains; two is the most." in found


def test_a_second_amalgam_may_stay_beside_1000_ducats_and_is_never_hired() -> None:
    flagged = "Two Amalgams; Cult of the Black Grail takes one."
    assert flagged in messages(LORD, AMALGAM, AMALGAM)
    rich = (LORD, AMALGAM, AMALGAM, *[THRALL] * 29)  # 130, one of 150 and 29 of 25 ducats
    assert flagged not in messages(*rich)
    assert flagged in messages(*rich[:-1])
    assert flagged in messages(*rich, founding=True)
    assert "Three Amalgams; Cult of the Black Grail takes two." in messages(*rich, AMALGAM)


SULTANATE = "tc-2026-04-iron-sultanate"
FIRED = GAME.content("1.0", (SULTANATE,))


def force_of(faction: str, profile: str, *kit: str) -> Force:
    _, force, problems = read_with_content(
        {
            "game": "trench-crusade",
            "edition": "1.0",
            "overlays": [SULTANATE],
            "faction": faction,
            "budget": {"ducats": 2000, "glory": 9},
            "fighters": [{"name": profile, "profile": profile, "kit": list(kit)}],
        }
    )
    assert problems == ()
    return force


def fire(mine: Force, other: Force) -> bool:
    """Return whether FIRE marks the target of Incendiary Grenades, which a Minor Hit shows."""
    sides = ((mine, mine.fighters[0].key), "incendiary-grenades:ranged", (other, other.fighters[0].key))
    given = {**situation(FIRED, *sides, {}).given, "modifiers": (), "injury_modifiers": (), "modifier": 0}
    rolled = resolve(FIRED, "attack", given, TypedDice((5, 4, 3, 3, 3, 3, 3, 3)))
    markers = sum(effect.get("blood_markers", 0) for effect in rolled.effects)
    assert markers in (1, 2)
    return bool(markers == 2)


def test_alchemical_fire_burns_through_what_negates_fire() -> None:
    plain, alchemical = (
        force_of("The Iron Sultanate", "Yüzbaşı Captain", "Incendiary Grenades", *more)
        for more in ((), ("Alchemical Fire",))
    )
    bare = force_of("The Iron Sultanate", "Jabirean Alchemist")
    armoured = force_of("The Iron Sultanate", "Jabirean Alchemist", "Alchemist Armour")
    assert [fire(plain, foe) for foe in (bare, armoured)] == [True, False]
    assert [fire(alchemical, foe) for foe in (bare, armoured)] == [True, True]
    mine = (alchemical, alchemical.fighters[0].key)
    demon = force_of("The Court of the Seven-Headed Serpent", "Praetor")
    told = situation(FIRED, mine, "incendiary-grenades:ranged", (armoured, armoured.fighters[0].key), {})
    assert "NEGATE FIRE does nothing against it" in told.causes
    met = situation(FIRED, mine, "incendiary-grenades:ranged", (demon, demon.fighters[0].key), {})
    assert "NEGATE FIRE does nothing against it" not in met.causes  # DEMONIC is not NEGATE FIRE
