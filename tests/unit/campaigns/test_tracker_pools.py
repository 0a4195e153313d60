"""Fighters who are alike at the table: one row stands for them until something tells them apart."""

from __future__ import annotations

import re
from typing import Any

import pytest

from campaigns.services.tracker import act_at_table
from tests.module_story import story
from tests.unit.campaigns.test_tracker_attack import Fight

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ROW = re.compile(r'<li id="r(\w+)"[^>]*?( data-pooled)?><details.*?<span class="table-profile">(.*?)</span>', re.S)


@story
def fight(ada: Any, ben: Any, cleo: Any) -> Fight:
    return Fight(cleo, ada, ben)


def rows(fight: Fight, query: str = "") -> dict[str, tuple[bool, str]]:
    """Of each of Ada's fighters by name: whether another row stands for it, and for how many it stands itself."""
    mine = {fighter.key: fighter.name for fighter in fight.state.of(fight.own(fight.ada).side)}
    return {
        mine[key]: (bool(is_pooled), "".join(re.findall(r"×\d+", profile)))
        for key, is_pooled, profile in ROW.findall(fight.page(fight.ada, query))
        if key in mine
    }


def key_of(fight: Fight, name: str) -> str:
    return next(fighter.key for fighter in fight.state.fighters if fighter.name == name)


def test_like_fighters_are_one_row_with_their_number(fight: Fight) -> None:
    found = rows(fight)
    assert (found["Pieter Holt"], found["Young Casper"]) == ((False, "×2"), (True, ""))
    assert found["Ottla"] == (False, ""), "her kit is another one"


@pytest.mark.parametrize("act", ["marker", "down", "acted"])
def test_what_happens_to_one_of_them_takes_it_out(fight: Fight, act: str) -> None:
    data = {"kind": act, "fighter": key_of(fight, "Pieter Holt")}
    more = {"marker": {"marker": "blood", "change": 1}, "down": {"now": True}, "acted": {}}
    act_at_table(battle=fight.battle, actor=fight.ada, data={**data, **more[act]})
    found = rows(fight)
    assert (found["Pieter Holt"], found["Young Casper"]) == ((False, ""), (False, ""))
    act_at_table(
        battle=fight.battle, actor=fight.ada, data={**data, **more[act], "fighter": key_of(fight, "Young Casper")}
    )
    assert sorted((rows(fight)["Pieter Holt"], rows(fight)["Young Casper"])) == [(False, "×2"), (True, "")]


def test_who_is_open_stands_apart(fight: Fight) -> None:
    found = rows(fight, f"?open={key_of(fight, 'Young Casper')}")
    assert (found["Pieter Holt"], found["Young Casper"]) == ((False, ""), (False, ""))
