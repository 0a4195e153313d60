"""Random presses on two phones at one table: none fails, none is lost, none counts twice.

`make test` presses a sample, `make drills` a thousand times.
"""

from __future__ import annotations

import random
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Table, TableAct
from campaigns.services.common import live_sides
from campaigns.services.tracker import _folded, _live_acts, tracker_of
from rules.tracker.state import read_state
from tests.drills import WHOLE
from tests.unit.campaigns.test_tracker_attack import Fight

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PRESSES = 1000 if WHOLE else 16
LOOK = 8  # presses from one look at the page: the other phone's come in between
BUTTON = re.compile(r'name="press" value="([^"]+)"')
ROLL = re.compile(r'href="([^"]*\?roll=attack[^"]*)"')
LEFT_OUT = ("end", "deed", "note", "add", "anew")  # the end is pressed last, the others are forms


class Thumb:
    """A person's phone: the presses that its page offers, and those that it sends."""

    def __init__(self, fight: Fight, user: Any, dice: random.Random) -> None:
        self.fight, self.dice, self.client = fight, dice, Client()
        self.client.force_login(user)
        self.sent = self.done = 0

    def look(self) -> None:
        answer = self.client.get(self.fight.here)
        assert answer.status_code == 200
        page = unescape(answer.content.decode())
        found = BUTTON.findall(page)
        self.presses = [press for press in found if press.split()[0] not in LEFT_OUT]
        self.attacks = ROLL.findall(page)

    def press(self) -> None:
        token = f"random-{id(self)}-{self.sent}"
        fields: dict[str, Any] = {"press": self.dice.choice(self.presses)}
        if self.attacks and self.dice.random() < 0.3:
            fields = self.attack()
        before = TableAct.objects.count()
        for _again in range(2):  # each is sent twice, as after an answer that was lost
            answer = self.client.post(self.fight.here, {**fields, "token": token})
            assert answer.status_code in (200, 302, 422), fields
        written = TableAct.objects.count() - before
        assert written in (0, 1), fields
        self.sent += 1
        self.done += written

    def attack(self) -> dict[str, Any]:
        foes = [fighter.key for fighter in self.fight.state.fighters]
        given = dict(part.split("=", 1) for part in self.dice.choice(self.attacks).split("?")[1].split("&"))
        source = self.dice.choice(
            ({"source": "app"}, {"result": "0"}, {"result": "h,1"}, {"result": "h,3", "first": "2"})
        )
        arm = given.get("arm", "").replace("%3A", ":")
        fields = {**given, "arm": arm, "press": "roll", "target": self.dice.choice(foes), "last": "1", **source}
        return {name: value for name, value in fields.items() if value}


@pytest.mark.parametrize("edition", ["1.6.3", "1.0"] if WHOLE else ["1.6.3"])
def test_random_presses_on_two_phones(edition: str, ada: Any, ben: Any, cleo: Any) -> None:
    fight = Fight(cleo, ada, ben, edition)
    dice = random.Random(14)
    phones = [Thumb(fight, user, dice) for user in (ada, ben)]
    for round_ in range(PRESSES // LOOK):
        phones[round_ % 2].look()
        if not round_:
            phones[1].look()
        for _press in range(LOOK):
            dice.choice(phones).press()
    table = Table.objects.get(battle=fight.battle)
    assert table.version == TableAct.objects.count() == 1 + sum(phone.done for phone in phones)
    assert list(TableAct.objects.order_by("number").values_list("number", flat=True)) == list(
        range(1, table.version + 1)
    )
    sides = live_sides(fight.battle)
    assert _folded(tracker_of(fight.battle, sides), _live_acts(table)) == read_state(table.state)
    assert sum(phone.done for phone in phones) > PRESSES // 4, "most presses do something"
    for phone in phones:
        phone.look()
