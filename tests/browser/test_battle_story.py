"""One side's whole battle on a phone, counted: 50 activations, 24 attacks, 6 markers, 5 ends of turns, 2 morale tests.

It is told with own dice, and with the app's. `make test` walks its first turn, `make drills` all five.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.models import Battle, Table, TableAct
from campaigns.services import tracker as service
from campaigns.services.tracker import act_at_table, begin_table
from rules.tracker.state import TableFighter, TableState, write_state
from tests import campaign_stories as c
from tests.browser.answered import answered
from tests.browser.phones import state_of
from tests.browser.taps import Promise, Thumb, promised
from tests.drills import WHOLE

pytestmark = pytest.mark.django_db(transaction=True)

TURNS = 5
MINE, THEIRS = 10, 4  # fighters a side
TARGETS = 12  # of the other side where the app's dice put some of them out
ATTACKS = (5, 5, 5, 5, 4)  # in each turn
MARKERS = (2, 1, 1, 1, 1)
MORALE = (2, 4)  # turns in which half of the side lies on the ground
RESULTS = ("Missed", "Minor", "No effect", "Missed", "Minor", "Down")


def several(state: TableState, side: str, count: int, *, plain: set[str]) -> list[TableFighter]:
    """So many fighters of a side: those of its roster, then like ones as of a row of several."""
    rows = [fighter for fighter in state.of(side) if not plain or fighter.key in plain]
    return [
        rows[place] if place < len(rows) else replace(
            rows[place % len(rows)], key=f"{rows[place % len(rows)].key}-{place}", of=rows[place % len(rows)].key,
            name=f"{rows[place % len(rows)].name} {place}",
        )
        for place in range(count)
    ]  # fmt: skip


class Story:
    """The battle, its two sides grown to fixed numbers, and the thumb that walks it."""

    def __init__(self, cleo: Any, ada: Any, ben: Any, page: Any, *, rolls: bool = False) -> None:
        self.cleo, self.page, self.thumb, self.shots, self.rolls = cleo, page, Thumb(page), 0, rolls
        self.battle: Battle = c.mustered(c.club(cleo, ada, ben), ada, ben)
        begin_table(battle=self.battle, actor=ada)
        self.side, self.foes = (str(c.side(self.battle, user).pk) for user in (ada, ben))
        self.shooters = self._armed()
        state = self.state
        fighters = [
            *several(state, self.side, MINE, plain=set(self.shooters)),
            *several(state, self.foes, TARGETS if rolls else THEIRS, plain=set()),
        ]
        table = Table.objects.get(battle=self.battle)
        table.state = write_state(replace(state, fighters=tuple(fighters), turn_limit=0, turn_least=0))
        table.save(update_fields=["state"])
        self.initiative()
        page.goto(reverse("battle-track", args=[self.battle.pk]))

    def initiative(self) -> None:
        """The other side tells on its phone who begins."""
        act_at_table(battle=self.battle, actor=self.cleo, data={"kind": "initiative", "side": self.side})

    @property
    def state(self) -> TableState:
        return state_of(self.battle)

    def _armed(self) -> dict[str, str]:
        """Fighters with a weapon that makes one attack whose result may be told, and the key of that attack."""
        sides = list(self.battle.sides.live().select_related("seat", "warband__terms"))
        tracker, state = service.tracker_of(self.battle, sides), self.state
        found = {}
        for fighter in state.of(self.side):
            for offer in tracker.weapon_attacks(state, fighter):
                data = {"fighter": fighter.key, "target": state.of(self.foes)[0].key, **offer.given}
                kind = tracker.asking(state, "attack", data)
                if kind.of == 1 and len(kind.results) == 2:
                    found.setdefault(fighter.key, offer.given["arm"])
        assert found
        return found

    def walk(self, turns: int) -> None:
        for turn in range(1, turns + 1):
            fighters = [fighter for fighter in self.state.of(self.side) if fighter.fights]
            for place in range(len(fighters)):
                fighter = self.next_one()
                self.open(fighter)
                if place < MARKERS[turn - 1]:
                    self.mark(fighter)
                if place < ATTACKS[turn - 1]:
                    self.attack(fighter)
                else:
                    self.done(fighter)
            self.others_act(fighters, turn)
            if turn in MORALE:
                self.test_morale()
            self.end_turn(turn)

    def next_one(self) -> TableFighter:
        """The first of the list who has yet to act; it may stand for others like it."""
        rows = self.page.locator(
            f"[data-pane='{self.side}'] [data-group=open] > li:not([data-pooled]):has(> details > summary[data-in=open])"
        )
        return self.state.fighter(rows.first.get_attribute("id").removeprefix("r"))

    def open(self, fighter: TableFighter) -> None:
        self.thumb.open(self.page.locator(f"#d{fighter.key} > summary"))

    def mark(self, fighter: TableFighter) -> None:
        row = self.page.locator(f"#m{fighter.key}_blood")
        figure = int(row.get_attribute("data-figure"))
        self.thumb.open(self.page.locator(f"#m{fighter.key}_blood_plus"))
        expect(row).to_have_attribute("data-figure", str(figure + 1))

    def done(self, fighter: TableFighter) -> None:
        self.thumb.open(self.page.locator("#t_done"))
        self.page.locator("#t_news").get_by_text(f"{fighter.name} has acted").wait_for()

    def attack(self, fighter: TableFighter) -> None:
        page = self.page
        link = page.locator(f"#k{fighter.key} a[href*='{urlencode({'arm': self.shooters[fighter.row]})}']")
        self.thumb.open(link)
        page.locator("#t_roll[data-here]").wait_for()
        chosen = page.locator("#t_roll [name=target]:checked")
        if self.shots % 3 == 0 or not chosen.count():  # every third attack goes at another foe
            target = self.another_target()
            if not target.is_checked():
                with answered(page):
                    self.thumb.tick(target)
        form = page.locator("#t_roll")
        result = "Roll for me" if self.rolls else RESULTS[self.shots % len(RESULTS)]
        self.thumb.open(form.get_by_role("button", name=re.compile(f"^{result}")))
        page.locator("#t_news").get_by_text(f"{fighter.name} has acted").wait_for()
        self.shots += 1

    def another_target(self) -> Any:
        """The foes in turn; where they are too many for the form, one of those that it shows."""
        foes = [foe.key for foe in self.state.of(self.foes) if foe.fights]
        if len(foes) <= THEIRS:
            return self.page.locator(f"#id_target_{foes[self.shots // 3 % len(foes)]}")
        offered = self.page.locator("#t_roll [name=target]:visible")
        return offered.nth(self.shots // 3 % offered.count())

    def others_act(self, mine: list[TableFighter], turn: int) -> None:
        """The other side acts on its own phone, and half of the side falls before a test."""
        acts: list[dict[str, Any]] = [
            {"kind": "acted", "fighter": foe.key} for foe in self.state.of(self.foes) if foe.fights and not foe.acted
        ]
        if turn in MORALE:
            acts += [
                {"kind": "down", "fighter": one.key}
                for one in mine[: (MINE + 1) // 2]
                if not self.state.fighter(one.key).down
            ]
        else:
            acts += [
                {"kind": "down", "fighter": one.key, "now": False}
                for one in self.state.of(self.side)
                if one.down and not one.out
            ]
        foes = [foe for foe in self.state.of(self.foes) if foe.there]
        if 2 * sum(foe.down or foe.out for foe in foes) >= len(foes):
            acts.append({"kind": "morale", "side": self.foes, "outcome": "holds"})
        for act in acts:
            act_at_table(battle=self.battle, actor=self.cleo, data=act)

    def test_morale(self) -> None:
        self.thumb.open(self.page.locator("#t_strip").get_by_text("Test morale first"))
        answer = "Roll for me" if self.rolls else "Held"
        self.thumb.open(self.page.locator("#t_asks").get_by_role("button", name=re.compile(f"^{answer}")))
        self.page.locator("#t_news").get_by_text("Morale").wait_for()

    def end_turn(self, turn: int) -> None:
        button = self.page.locator("#t_strip #t_turn")
        button.wait_for()
        self.thumb.open(button)
        self.page.locator("#t_head").get_by_text(f"Turn {turn + 1}").wait_for()
        self.initiative()
        self.page.locator("#t_head").get_by_text("Initiative: ").wait_for()


@pytest.mark.parametrize("dice", ["own", "the app's"])
def test_the_fixed_story_of_a_battle(dice: str, ada: Any, ben: Any, cleo: Any, signed_in_page: Any) -> None:
    whole = promised(f"One side's whole battle of Trench Crusade with {dice} dice")
    turns = TURNS if WHOLE else 1
    story = Story(cleo, ada, ben, signed_in_page(ada), rolls=dice != "own")
    story.walk(turns)
    kinds = [act.data["kind"] for act in TableAct.objects.filter(actor=ada)]
    if WHOLE:
        attacks = [act for act in TableAct.objects.filter(actor=ada) if act.data.get("roll") == "attack"]
        assert len(attacks) == sum(ATTACKS)
        assert (kinds.count("marker"), kinds.count("turn")) == (sum(MARKERS), TURNS)
        assert len(attacks) + kinds.count("acted") == MINE * TURNS
    assert kinds.count("turn") == turns
    story.page.locator(f"#d{story.next_one().key} > summary").click()
    expect(story.page.locator("#t_done"), "who acted before acts again in the next turn").to_be_visible()
    story.thumb.keeps(Promise(whole.taps * turns // TURNS, whole.pages, whole.under))
