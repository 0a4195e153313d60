"""Counts and names in sentences: plurals as people say them, nothing counted that has no number, no profile said twice."""

from __future__ import annotations

from typing import Any

import pytest

from rules.dice import NeedDice
from rules.formatting import counted, dice_words, listed, plural, profile_beside
from rules.registry import system
from tests.unit.rules.test_published_lists import RICH, hl, na
from tests.unit.rules.test_published_lists import f as fighter

GAME = system("trench-crusade")


@pytest.mark.parametrize(
    ("count", "name", "words"),
    [
        (1, "Yeoman", "one Yeoman"),
        (3, "Yeoman", "three Yeomen"),
        (3, "Sacrificial Knife", "three Sacrificial Knives"),
        (2, "Knife / Dagger", "two Knives / Daggers"),
        (2, "Great Sword/Axe", "two Great Swords/Axes"),
        (1, "Machine Armour", "one suit of Machine Armour"),
        (2, "Machine Armour", "two suits of Machine Armour"),
        (2, "Armour of Cobar", "two suits of Armour of Cobar"),
        (2, "Purgation Ammunition", "two loads of Purgation Ammunition"),
        (2, "Artillery Witch of Mammon", "two Artillery Witches of Mammon"),
        (2, "Witch Coven Matriarch", "two Witch Coven Matriarchs"),
        (2, "Faceless", "two Faceless"),
        (2, "Mechanised Heavy Infantry", "two Mechanised Heavy Infantry"),
        (2, "Stigmatic Nun (War Pilgrimage of Saint Methodius)", "two Stigmatic Nuns (War Pilgrimage of Saint Methodius)"),
        (13, "Cross", "13 Crosses"),
        (0, "Yeoman", "no Yeomen"),
    ],
)  # fmt: skip
def test_a_name_with_its_number(count: int, name: str, words: str) -> None:
    assert counted(count, name) == words


def test_repeated_names_of_a_list_are_counted() -> None:
    assert listed(["Machine Armour", "Machine Armour", "Musket"]) == "two suits of Machine Armour and Musket"
    assert (dice_words(1), dice_words(2)) == ("1 die", "2 dice")
    assert str(NeedDice("Injury", 1, 6)) == "Injury: 1 die of 6 sides is needed."


@pytest.mark.parametrize("edition", ["1.6.3", "1.0"])
def test_no_plural_of_any_pack_is_a_wrong_one(edition: str) -> None:
    pack = GAME.content(edition).pack
    names = [entry.name for entry in (*pack.items, *pack.profiles)]
    assert len(names) > 250
    for name in names:
        several = plural(name)
        assert not any(wrong in several for wrong in ("Knifes", "Wolfs", "Leafs", "mans", "Armours", "Ammunitions", "Facelesses", "iches of the")), several  # fmt: skip
        words = counted(2, name)
        assert words.startswith("two ")
        if name.endswith(("Armour", "Ammunition")):
            assert words.split()[2] == "of", words


def messages(document: dict[str, Any], edition: str) -> str:
    content = GAME.content(edition)
    force, _ = GAME.documents.read_document({**document, "edition": edition})
    return " ".join(problem.message for problem in GAME.check(content, force).problems)


@pytest.mark.parametrize("edition", ["1.6.3", "1.0"])
def test_the_checker_counts_kit_as_people_do(edition: str) -> None:
    knife = {"1.6.3": "Sacrificial Knife", "1.0": "Trench Knife"}[edition]
    knives = messages(hl(fighter("Heretic Trooper", *[knife] * 3), **RICH), edition)
    armour = messages(na(*[fighter("Yeoman", "Machine Armour") for _ in range(2)], **RICH), edition)
    assert f"hree {knife.removesuffix('Knife')}Knives" in knives
    assert "suits of Machine Armour" in armour
    for words in (knives, armour):
        assert "Knifes" not in words
        assert "Two Machine Armour" not in words
        assert " one others" not in words


@pytest.mark.parametrize(
    ("name", "profile", "beside"),
    [
        ("Yeoman", "Yeoman", ""),
        ("yeoman ", "Yeoman", ""),
        ("Yeoman 2", "Yeoman", ""),
        ("Donal", "Yeoman", "Yeoman"),
        ("Yeomanry", "Yeoman", "Yeoman"),
        ("", "Yeoman", "Yeoman"),
    ],
)
def test_a_profile_is_said_once(name: str, profile: str, beside: str) -> None:
    assert profile_beside(name, profile) == beside
