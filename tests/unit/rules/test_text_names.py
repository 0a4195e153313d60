"""Names that look like something else survive being written as text and read back."""

from __future__ import annotations

import pytest

from rules.registry import system

GAME = system("trench-crusade")
CONTENT = GAME.content("1.6.3")
AWKWARD = (
    "Heretic Trooper", "Heretic Trooper 2", "Wretched", "Ilse - the Bold", "Ilse: the Bold", "Ilse, the Bold", "Ilse (the Bold)", "3x Ilse",
    "Stash", "Bayonet", "Ilse \"Bold\" Brandt", "Elite", "Patron: X", "Skills", "Total: 700", "#1 Ilse", "Ilse | Bold", "Ilse – Bold",
    "Ilse [30]", "30 ducats", "Called: Ilse", "• Ilse", "XP 4", "captive",
)  # fmt: skip


def roster(name: str, *fighters: str) -> dict[str, object]:
    """A small document with these names; the second fighter has nothing and the third two pieces."""
    kit = [["Bayonet"], [], ["Bayonet", "Gas Mask"]]
    return {
        "game": "trench-crusade", "edition": "1.6.3", "faction": "Heretic Legion", "variant": None, "name": name, "patron": None, "stash": [],
        "battles": {"fought": 0, "credited": 0},
        "fighters": [
            {"name": each, "profile": "Heretic Trooper", "kit": kit[n % 3], "upgrades": [], "skills": [], "traumas": [], "experience": 0,
             "promoted": False, "status": "active"}
            for n, each in enumerate(fighters)
        ],
    }  # fmt: skip


@pytest.mark.parametrize("name", AWKWARD)
def test_an_awkward_name_is_read_back_as_it_was(name: str) -> None:
    for document in (roster("The Sodden Bell", "Hugo", name, "Last"), roster(name, name, "Hugo", "Last")):
        text = GAME.documents.write_text(CONTENT, document)
        read = GAME.text_import.read_text(CONTENT, text)
        assert read.unread == (), text
        assert read.document["name"] == document["name"]
        told = [(row["name"], row["profile"], row["kit"]) for row in read.document["fighters"]]
        assert told == [(row["name"], row["profile"], row["kit"]) for row in document["fighters"]], text


def test_plain_names_stand_before_their_profiles() -> None:
    text = GAME.documents.write_text(CONTENT, roster("The Sodden Bell", "Hugo", "Heretic Trooper"))
    assert "Hugo - Heretic Trooper\n" in text
    assert "\nHeretic Trooper\n" in text
    assert "Called" not in text
