"""What an entry tells where a list sells it twice, and offers that nobody may state: below zero."""

from __future__ import annotations

import pytest

from rules.content.compiled import compile_content
from rules.content.house import read_house_rules
from rules.content.overlays.check import check_overlay
from rules.content.overlays.read import read_texts
from rules.content.overlays.states import State, state_of
from rules.trench_crusade.browse.entry import detail_of

HEAD = """[overlay]
id = "two"
title = "Two"
date = "2026-10"
status = "house"
source = "us"
summary = "Two."
"""
OFFER = """[[item_offers]]
id = "new-antioch-{id}"
item = "bayonet"
lists = ["new-antioch"]
price = {{ {price} }}
"""


def state(text: str) -> State:
    return state_of("trench-crusade", "1.0", ("two",), (read_texts([("two.toml", (HEAD + text).encode())]),))


def test_a_second_offer_of_one_list_is_told_even_if_its_words_stand_in_the_first() -> None:
    made = state(
        OFFER.format(id="first", price="ducats = 13") + "limit = 2\n" + OFFER.format(id="second", price="ducats = 3")
    )
    content = compile_content(made.pack, read_house_rules({}), made.folders, made.tokens)
    detail = detail_of(content, "item", "bayonet")
    assert detail is not None
    (told,) = [words for label, words in detail.figures.items() if "13 d" in words]
    assert isinstance(told, str)
    assert [part.strip() for part in told.split("; or ")][-2:] == ["13 d, LIMIT 2", "3 d"]


@pytest.mark.parametrize(
    ("price", "more", "told"),
    [
        ("ducats = -5", "", "price.ducats"),
        ("glory = -1", "", "price.glory"),
        ("ducats = 99999999999999999999999", "", "price.ducats"),
        ("ducats = 5", "limit = -1\n", "limit"),
    ],
)
def test_an_offer_beyond_what_can_be_paid_is_refused(price: str, more: str, told: str) -> None:
    overlay = read_texts([("two.toml", (HEAD + OFFER.format(id="odd", price=price) + more).encode())])
    (fault,) = check_overlay("trench-crusade", "1.0", overlay)
    assert f"item_offers new-antioch-odd: {told}: " in fault
    assert fault.endswith("is not from 0 to 9999")
