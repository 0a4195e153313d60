"""Overlays: what they change, what is told where one does not fit, and that nothing is half applied."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.content.load import PackError, packs
from rules.content.overlays.check import check_all
from rules.content.overlays.read import read_texts
from rules.content.overlays.schema import Overlay
from rules.content.overlays.states import base_pack, overlays_of, parsed_state, state_of

GAME, EDITION = "trench-crusade", "1.0"
HEAD = '[overlay]\nid = "{id}"\ntitle = "T"\ndate = "2026-04"\nstatus = "beta"\nsource = "s"\nsummary = "w"\n{more}\n'
FUMBLE = '[[keywords]]\nid = "fumble-{id}"\nname = "FUMBLE {id}"\nsummary = "Hits its user."\n'


def overlay(id_: str = "one", body: str = "", more: str = "") -> Overlay:
    return read_texts([("o.toml", (HEAD.format(id=id_, more=more) + body).encode())])


def change(field: str, values: str, entry: str = "grenades", table: str = "items") -> str:
    return f'[[changes]]\ntable = "{table}"\nentry = "{entry}"\nfield = "{field}"\n{values}\nreason = "So says the book."\n'


def faults(*overlays: Overlay) -> list[str]:
    with pytest.raises(PackError) as caught:
        state_of(GAME, EDITION, [o.id for o in overlays], overlays)
    return [str(fault) for fault in caught.value.faults]


def unreadable(text: str) -> list[str]:
    with pytest.raises(PackError) as caught:
        read_texts([("o.toml", text.encode())])
    return [str(fault) for fault in caught.value.faults]


def item(id_: str, *overlays: Overlay) -> object:
    state = state_of(GAME, EDITION, [o.id for o in overlays], overlays)
    return next(entry for entry in state.pack.items if entry.id == id_)


def first_item() -> str:
    return next(entry.id for entry in base_pack(GAME, EDITION).items if entry.keywords and entry.hands.ranged == 1)


def test_a_field_a_list_and_an_added_entry_change_and_the_base_does_not() -> None:
    one = first_item()
    before = base_pack(GAME, EDITION)
    body = change("hands.ranged", "from = 1\nto = 2", one) + change("keywords", 'add = ["FUMBLE A"]', one)
    made = state_of(GAME, EDITION, ["one"], [overlay(body=body + FUMBLE.format(id="a"))]).pack
    changed = next(entry for entry in made.items if entry.id == one)
    assert changed.hands.ranged == 2
    assert changed.keywords[-1] == "FUMBLE A"
    assert made.keywords[-1].id == "fumble-a"
    assert base_pack(GAME, EDITION) is before
    assert next(entry for entry in before.items if entry.id == one).hands.ranged == 1
    assert state_of(GAME, EDITION).pack is before


def test_what_from_says_must_stand_there() -> None:
    one = first_item()
    found = faults(overlay(body=change("hands.ranged", "from = 4\nto = 2", one)))
    assert found == [f"o.toml, entry {one}, $.items.hands.ranged: holds 1, not 4"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (change("keywords", 'add = ["X"]', "moonbeam"), "o.toml, entry moonbeam, $.items: no such entry"),
        (change("colour", 'to = "red"', "ONE"), "$.items.colour: has no field “colour” to change"),
        (change("hands.ranged", 'from = 1\nto = "many"', "ONE"), "$.items.hands.ranged: Expected `int`, got `str`"),
        (change("keywords", 'remove = ["SHINY"]', "ONE"), 'does not hold "SHINY"'),
        (change("x", "to = 1", "a", "weapons"), "$.weapons: no such table"),
        (
            '[[withdrawn]]\ntable = "items"\nentry = "moonbeam"\nreason = "r"\n',
            "entry moonbeam, $.items: no such entry",
        ),
        ('[[keywords]]\nid = "blast"\nname = "B"\nsummary = "s"\n', "there is an entry of this id already"),
    ],
)
def test_a_fault_names_file_entry_and_field(body: str, words: str) -> None:
    assert words in faults(overlay(body=body.replace("ONE", first_item())))[0]


def test_a_file_that_cannot_be_read_says_where() -> None:
    assert unreadable("[overlay") != []
    assert unreadable('[[items]]\nid = "x"\n')[-1] == "o.toml, $.overlay: missing"
    body = '[[changes]]\ntable = "items"\nentry = "a"\nfield = "name"\nreason = " "\n'
    found = unreadable(HEAD.format(id="one", more="") + body)
    assert found == [
        "o.toml, entry a, $.changes[0]: changes nothing: give from and to, or add and remove",
        "o.toml, entry a, $.changes[0].reason: is empty",
    ]
    assert "colour" in unreadable(HEAD.format(id="one", more='colour = "red"'))[0]


def test_two_overlays_on_one_field_need_an_order() -> None:
    one = first_item()
    a = overlay("a", change("hands.ranged", "from = 1\nto = 2", one))
    b = overlay("b", change("hands", "from = { ranged = 1, melee = 1 }\nto = { ranged = 3 }", one))
    found = faults(a, b)
    assert len(found) == 1
    assert "a changes this field too" in found[0]
    later = overlay("b", change("hands.ranged", "from = 1\nto = 3", one), more='after = ["a"]')
    assert item(one, a, later).hands.ranged == 3  # type: ignore[attr-defined]
    assert item(one, later, a).hands.ranged == 3  # type: ignore[attr-defined]
    assert item(one, later).hands.ranged == 3  # type: ignore[attr-defined]


def test_two_overlays_may_add_to_one_list() -> None:
    one = first_item()
    a, b = (overlay(x, change("modifiers", f'add = ["{x}"]', one)) for x in "ab")
    assert item(one, a, b).modifiers[-2:] == ("a", "b")  # type: ignore[attr-defined]


def test_a_change_may_wait_for_another_overlay() -> None:
    body = change("summary", 'to = "Louder."\nonly_with = ["b"]', "new-drum")
    drum = (
        '[[items]]\nid = "new-drum"\nname = "New Drum"\ncategory = "equipment"\nslot = "equipment"\nsummary = "Loud."\n'
    )
    a, b = overlay("a", body), overlay("b", drum)
    assert state_of(GAME, EDITION, ["a"], [a]).pack.items == base_pack(GAME, EDITION).items
    assert item("new-drum", a, b).summary == "Louder."  # type: ignore[attr-defined]


def test_an_overlay_that_takes_the_place_of_another_excludes_it() -> None:
    assert "takes the place of a" in faults(overlay("a"), overlay("b", more='replaces = ["a"]'))[0]


def test_a_change_that_is_only_told_is_not_applied() -> None:
    one = first_item()
    told = overlay(body=change("hands.ranged", "from = 1\nto = 2\napply = false", one))
    assert item(one, told).hands.ranged == 1  # type: ignore[attr-defined]


def test_history_is_taken_away_again() -> None:
    one = first_item()
    past = overlay(body=change("hands.ranged", "from = 2\nto = 1", one), more="in_base = true")
    before = state_of(GAME, EDITION, ["-one"], [past])
    assert next(entry for entry in before.pack.items if entry.id == one).hands.ranged == 2
    assert state_of(GAME, EDITION, ["one"], [past]).pack is base_pack(GAME, EDITION)


def test_a_circle_of_orders_is_told() -> None:
    assert "goes in a circle" in faults(overlay("a", more='after = ["b"]'), overlay("b", more='after = ["a"]'))[0]


def test_the_name_of_a_state_is_read() -> None:
    editions = ("1.0", "1.6.3")
    assert parsed_state("1.0", editions) == ("1.0", ())
    assert parsed_state("1.6.3+a+b", editions) == ("1.6.3", ("a", "b"))
    assert parsed_state("1.0-tc-1.0.2+a", editions) == ("1.0", ("-tc-1.0.2", "a"))
    with pytest.raises(KeyError):
        parsed_state("2.0+a", editions)


@pytest.mark.parametrize(("game", "edition"), packs())
def test_every_overlay_is_sound(game: str, edition: str) -> None:
    assert check_all(game, edition) == ()


@pytest.mark.parametrize(("game", "edition"), packs())
def test_every_overlay_lies_in_a_place_of_its_name(game: str, edition: str) -> None:
    for id_, found in overlays_of(game, edition).items():
        assert Path(found.file).parts[0].removesuffix(".toml") == id_
