"""Overlays that nobody meant well: each is answered with file, entry and field, or with what it states, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from rules.content.load import PackError
from rules.content.overlays.check import check_overlay, check_together
from rules.content.overlays.read import read_texts
from rules.content.overlays.schema import Overlay
from rules.content.overlays.states import State, state_of

GAME, EDITION, SULTANATE = "trench-crusade", "1.0", "tc-2026-04-iron-sultanate"
FIRE, BULL = "iron-sultanate-alchemical-fire", "iron-sultanate-brazen-bull"


def overlay(body: str = "", *, id_: str = "club", date: str = "2026-10", more: str = "") -> Overlay:
    head = (
        f'[overlay]\nid = "{id_}"\ntitle = "Club"\ndate = "{date}"\nstatus = "house"\nsource = "us"\nsummary = "x."\n'
    )
    return read_texts([(f"{id_}.toml", f"{head}{more}\n{body}".encode())])


def change(entry: str, values: str, *, table: str = "item_offers", field: str = "price") -> str:
    return f'[[changes]]\ntable = "{table}"\nentry = "{entry}"\nfield = "{field}"\n{values}\nreason = "r"\n'


def withdrawn(entry: str, table: str) -> str:
    return f'[[withdrawn]]\ntable = "{table}"\nentry = "{entry}"\nreason = "r"\n'


def state(*tokens: str, own: tuple[Overlay, ...]) -> State:
    return state_of(GAME, EDITION, tokens, own)


def faults(*tokens: str, own: tuple[Overlay, ...]) -> list[str]:
    with pytest.raises(PackError) as caught:
        state(*tokens, own=own)
    return [str(fault) for fault in caught.value.faults]


def entry_of(made: State, table: str, id_: str) -> Any:
    return next((entry for entry in getattr(made.pack, table) if entry.id == id_), None)


DEARER = "from = { ducats = 10 }\nto = { ducats = 12 }"
CHEAPER = "from = { ducats = 100 }\nto = { ducats = 90 }"


def test_a_change_of_what_another_overlay_adds_needs_that_one() -> None:
    alone = overlay(change(FIRE, DEARER), more=f'after = ["{SULTANATE}"]')
    assert entry_of(state(SULTANATE, "club", own=(alone,)), "item_offers", FIRE).price.ducats == 12
    (fault,) = faults("club", own=(alone,))
    assert fault.startswith(f"club.toml, entry {FIRE}, $.item_offers: no such entry; {SULTANATE} adds it")
    beside = overlay(change(FIRE, DEARER) + f'only_with = ["{SULTANATE}"]\n')
    assert entry_of(state(SULTANATE, "club", own=(beside,)), "item_offers", FIRE).price.ducats == 12
    assert entry_of(state("club", own=(beside,)), "item_offers", FIRE) is None
    assert check_overlay(GAME, EDITION, beside) == check_together(GAME, EDITION, beside) == ()


@pytest.mark.parametrize(
    ("body", "date"),
    [
        (change(BULL, CHEAPER, table="profile_offers"), "2026-01"),
        (change(BULL, CHEAPER, table="profile_offers"), "2026-10"),
        (change(BULL, "from = 100\nto = 90", table="profile_offers", field="price.ducats"), "2026-10"),
        (withdrawn(BULL, "profile_offers"), "2026-01"),
        (withdrawn(BULL, "profile_offers"), "2026-10"),
    ],
)
def test_two_on_one_entry_need_an_order_whichever_is_older(body: str, date: str) -> None:
    unordered = overlay(body, date=date)
    (fault,) = faults(SULTANATE, "club", own=(unordered,))
    assert BULL in fault
    assert "after" in fault
    later = overlay(body, date=date, more=f'after = ["{SULTANATE}"]')
    found = entry_of(state(SULTANATE, "club", own=(later,)), "profile_offers", BULL)
    assert found is None or found.price.ducats == 90


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            '[[items]]\nid = "bayonet"\nname = "B"\ncategory = "equipment"\nslot = "equipment"\nsummary = "x."\n',
            "already",
        ),
        (withdrawn(BULL, "item_offers"), "$.item_offers: no such entry"),
        (change(BULL, 'from = "x"\nto = "y"', table="profile_offers", field="id"), "no field “id”"),
        (change(BULL, "to = 1", table="profile_offers", field="price.ducats.x"), "$.profile_offers.price.ducats.x"),
        (change(BULL, 'from = { ducats = 100 }\nto = "x"', table="profile_offers"), "$.profile_offers.price: Expected"),
        (change(BULL, "from = { ducats = 100 }\nto = { gold = 1 }", table="profile_offers"), "unknown field `gold`"),
        (change(BULL, "from = { ducats = 99 }\nto = { ducats = 1 }", table="profile_offers"), 'holds {"ducats":100}'),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(body: str, told: str) -> None:
    (fault,) = faults("club", own=(overlay(body),))
    assert fault.startswith("club.toml, entry ")
    assert told in fault


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (withdrawn("brazen-bull", "profiles"), "profile names brazen-bull, which is no entry of profiles"),
        (withdrawn("iron-sultanate", "lists"), "lists names iron-sultanate, which is no entry of lists"),
        (change(BULL, 'add = ["nowhere"]', table="profile_offers", field="lists"), "lists names nowhere"),
        (change(BULL, "from = { ducats = 100 }\nto = { ducats = -4 }", table="profile_offers"), "not from 0 to 9999"),
    ],
)
def test_what_leaves_the_pack_unsound_is_told_by_the_check(body: str, told: str) -> None:
    found = check_overlay(GAME, EDITION, overlay(body))
    assert found
    assert any(told in fault for fault in found)


def test_two_that_add_one_id_and_two_that_follow_each_other_are_refused() -> None:
    item = '[[items]]\nid = "zz"\nname = "Zz"\ncategory = "equipment"\nslot = "equipment"\nsummary = "x."\n'
    one, other = overlay(item, id_="one"), overlay(item, id_="other")
    assert faults("one", "other", own=(one, other)) == [
        "other.toml, entry zz, $.items: one adds an entry of this id too"
    ]
    one, other = overlay(id_="one", more='after = ["other"]'), overlay(id_="other", more='after = ["one"]')
    (fault,) = faults("one", "other", own=(one, other))
    assert "goes in a circle: one, other" in fault
    instead = overlay(more=f'replaces = ["{SULTANATE}"]')
    (fault,) = faults("club", SULTANATE, own=(instead,))
    assert f"takes the place of {SULTANATE}; take one" in fault
