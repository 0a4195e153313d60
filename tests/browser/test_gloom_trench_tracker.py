"""A battle of Gloom Trench 1926 on two phones: from the first Tactical Phase over chits, fire, a charge and its melee to the report with its
losses, one phone without a line half-way; and how the table looks."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Error, expect

from campaigns.models import Battle, Report
from campaigns.report_prefill import logged_losses, otherwise
from campaigns.services.tracker import act_at_table, begin_table, roll_at_table
from rules.dice import Draw
from rules.gloom_trench.tracker.units import Troop
from tests import campaign_stories as c
from tests.browser.line import Line
from tests.browser.looks import examine, visit
from tests.browser.phones import IN_STEP, line, phone, state_of
from tests.browser.rolling import chip, opens

__all__ = ["line", "phone"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)


class Loaded:
    """Dice that fall as the test says; a 1 where it says nothing."""

    faces: list[int] = []

    def draw(self, n: int, sides: int, why: str) -> Draw:
        """The next faces."""
        fell = tuple(min(sides, self.faces.pop(0)) if self.faces else 1 for _ in range(n))
        return Draw(why, sides, fell, "app")


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that says what falls next."""
    monkeypatch.setattr("campaigns.services.tracker.sealed_dice", lambda *given: Loaded())
    Loaded.faces = []

    def fall(*faces: int) -> None:
        assert not Loaded.faces, "dice of before were not thrown"
        Loaded.faces = list(faces)

    return fall


@pytest.fixture
def battle(ada: Any, ben: Any, cleo: Any) -> Battle:
    campaign = c.open_campaign(actor=cleo, name="The Long Wire", system="gloom-trench", edition="")
    made = c.Club(campaign, cleo)
    c.joins(made, ada, sample="lamplight-column")
    c.joins(made, ben, sample="red-ford-company")
    return c.mustered(made, ada, ben, scenario="open-battle")


def unit(battle: Battle, name: str) -> Troop:
    return Troop(next(fighter for fighter in state_of(battle).fighters if fighter.name == name))


def opened(page: Any, troop: Troop) -> Any:
    """The unit's part of the page, unfolded, under one's own."""
    page.get_by_role("link", name="Mine").click()
    part = page.locator(f"#d{troop.key}")
    part.wait_for()
    if part.get_attribute("open") is None:
        part.locator("> summary").click()
    return part


def strip(page: Any, label: str, role: str = "button") -> None:
    """Press what stands under the thumb, once it does."""
    found = page.locator("#t_strip").get_by_role(role, name=re.compile(f"^{re.escape(label)}")).first
    if role == "link":
        opens(found)
    else:
        found.click()


def told(page: Any, words: str) -> None:
    """Wait for the news."""
    page.locator("#t_news").get_by_text(words).first.wait_for()


def rolls(page: Any) -> None:
    """Let the app roll what the form asks for."""
    page.locator("#t_roll").get_by_role("button", name="Roll for me").click()


def chit(page: Any, whose: str) -> None:
    """Tell a chit that came out of a bag of one's own."""
    strip(page, "Tell a chit", "link")
    page.locator("#t_roll label.chip", has_text=whose).click()
    page.locator("#t_roll").get_by_role("button", name="Tell a chit").click()


def test_a_battle_on_two_phones_one_without_line_half_way(
    battle: Battle, ada: Any, ben: Any, phone: Callable[..., Any], line: Line, dice: Callable[..., None]
) -> None:
    here = reverse("battle-track", args=[battle.pk])
    mine, theirs = phone(ada), phone(ben, by_line=True)
    mine.goto(here)
    mine.get_by_role("button", name="Start tracking").click()
    mine.get_by_text("in sync").wait_for()
    theirs.goto(here)
    theirs.get_by_text("in sync").wait_for()

    # The Tactical Phase: each phone fills its own pool, and the bag is filled.
    strip(mine, "Begin turn 1")
    strip(mine, "Effects done")
    dice(5, 5, 1)
    strip(mine, "Fill the pool")
    told(mine, "3 points gained: the pool holds 6.")
    dice(1, 6)
    strip(theirs, "Fill the pool")
    told(theirs, "2 points gained: the pool holds 4.")
    strip(mine, "Pools filled")
    strip(mine, "Fill the bag")
    dice(5, 5, 5, 1, 1)
    strip(mine, "Roll for initiative")
    told(theirs, "The Lamplight Column has the initiative and a further chit.")

    # A chit is drawn: the sixth of fourteen is one of Ada's. The Sewing Machine opens up at the Reed Cutters.
    dice(6)
    strip(theirs, "Draw a chit")
    mine.locator("#t_strip").get_by_text("Choose a unit").wait_for(timeout=IN_STEP)
    gun, cutters = unit(battle, "The Sewing Machine"), unit(battle, "Reed Cutters")
    opened(mine, gun).get_by_role("button", name="Open Up").click()
    told(mine, "The Sewing Machine: Open Up.")
    strip(mine, "Shoot", "link")
    chip(mine, "target", cutters.key, redraws=True)
    chip(mine, "distance", f"{gun.weapons[0].bands[0][0]:g}")
    mine.get_by_text("No model lost: ").wait_for()
    shots = int(mine.locator("#id_los_0").input_value())
    dice(12, *[1] * (shots * gun.weapons[0].per_model - 1))
    rolls(mine)
    told(mine, "Reed Cutters has 1 save to make.")
    # The save is asked of Ben, on his phone.
    dice(2)
    strip(theirs, "Roll 1 save", "link")
    theirs.locator(".need").get_by_text("1 save on").wait_for()
    rolls(theirs)
    told(theirs, "Reed Cutters loses 1")
    theirs.locator(f"#f{cutters.key}").get_by_text("1 of 2").wait_for(timeout=IN_STEP)

    # Half-way Ben's line goes. He counts his Stress on; what he pressed goes out when the line is back.
    line.cut()
    part = opened(theirs, cutters)
    part.get_by_role("button", name="Stress, one more").first.click()
    theirs.locator(".table-line").get_by_text(re.compile(r"offline \d:\d\d")).wait_for()
    theirs.locator(f"#m{cutters.key}_stress").get_by_text("waiting: 1 to 2").wait_for(state="attached")
    mine.locator("#t_offers").get_by_role("button", name="End activation").click()
    told(mine, "its activation is over")
    line.mend()
    theirs.locator(".table-line").get_by_text("in sync").wait_for(timeout=2 * IN_STEP)
    mine.get_by_role("link", name="Theirs").click()
    mine.locator(f"#f{cutters.key}").get_by_text("2", exact=True).wait_for(timeout=2 * IN_STEP)
    assert unit(battle, "Reed Cutters").stress == 2

    # A chit told from a bag of their own: the Ferrymen charge the First Rifles, who brace.
    chit(theirs, "One of Red Ford Company")
    ferrymen, rifles = unit(battle, "The Ferrymen"), unit(battle, "First Rifles")
    opened(theirs, ferrymen).get_by_role("button", name="Charge").click()
    strip(theirs, "Charge", "link")
    chip(theirs, "target", rifles.key, redraws=True)
    chip(theirs, "gap", "9")
    theirs.get_by_text("Contact on a D6: 83.3 %").wait_for()
    dice(6)
    rolls(theirs)
    told(theirs, "Contact.")
    mine.locator("#t_asks").get_by_text("First Rifles is charged").wait_for(timeout=IN_STEP)
    strip(mine, "Brace, 1 TP")
    told(mine, "First Rifles braces for melee.")
    # Two hits on the Rifles, none of them saved: a mixed unit, but it loses the melee and leaves the table.
    dice(1, 1, 12, 12, *[1] * (ferrymen.size - 2), *[1] * rifles.size, 2, 2)
    strip(theirs, "Fight round 1")
    told(theirs, "First Rifles is destroyed.")
    mine.locator(f"#f{rifles.key}[data-state=out]").wait_for(state="attached", timeout=IN_STEP)
    opens(mine.locator("#t_asks").get_by_role("link").first)
    mine.locator("#t_roll").get_by_label("Second Rifles").check()
    mine.locator("#t_roll").get_by_role("button", name="Who was near").click()
    told(mine, "Second Rifles takes a token of Stress.")
    theirs.locator("#t_offers").get_by_role("button", name="End activation").click()
    told(theirs, "The Ferrymen: its activation is over.")

    # A slip at the draw is taken back from the log; three Fog end the phase.
    chit(mine, "Fog")
    told(mine, "Fog, the first.")
    mine.get_by_role("link", name="Log").click()
    mine.locator("#t_log li", has_text="Fog, the first").get_by_role("button", name="Undo").click()
    theirs.locator("#t_board").get_by_text("Fog 3").wait_for(timeout=2 * IN_STEP)
    for words in ("the first", "the second", "the third"):
        chit(mine, "Fog")
        told(mine, words)
    strip(mine, "Effects done")
    theirs.locator("#t_board").get_by_text("End of the turn: points").wait_for(timeout=IN_STEP)

    # The end fills in the report with what each unit lost.
    with mine.expect_navigation(url=re.compile("/report/$")):
        mine.locator("#t_ending summary").click()
        mine.locator("#t_ending").get_by_role("button", name="End all the same").click()
    lost = [field.input_value() for field in mine.locator(f"input[name*='_{cutters.key}_'][type=number]").all()]
    assert [value for value in lost if value not in ("", "0")] == ["1"]
    expect(mine.locator(f"#id_out_{rifles.key}")).to_be_checked()
    mine.locator("[name=result]").first.check()
    with mine.expect_navigation():
        mine.locator(".act-strip button").click()
    report = Report.objects.get(battle=battle)
    ours, others = str(c.side(battle, ada).pk), str(c.side(battle, ben).pk)
    assert sum(report.data["losses"][others][cutters.key].values()) == 1
    assert sum(report.data["losses"][ours][rifles.key].values()) == rifles.size
    assert otherwise(state_of(battle), report.data, logged_losses(battle, state_of(battle))) == ()
    with suppress(Error):  # he takes his phone up again; a page that is loaded anew by itself asks anyway
        theirs.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    theirs.get_by_text("Tracking has ended").wait_for()


def played_on(battle: Battle, ada: Any, cleo: Any) -> Troop:
    """A table in the middle of Ada's activation, with Stress, damage and a drawn row. Returns her unit."""
    begin_table(battle=battle, actor=ada)

    def do(roll: str, **data: Any) -> None:
        sent = {name: str(told) for name, told in data.items()}
        roll_at_table(battle=battle, actor=cleo, roll=roll, data=sent, source="app", dice=Loaded())

    mine, theirs = (
        str(side.pk) for side in (c.side(battle, ada), *[s for s in battle.sides.all() if s != c.side(battle, ada)])
    )
    for step in ("setup", "effects"):
        do("next", **{"from": step})
    for side in (mine, theirs):
        do("pool", side=side)
    for step in ("pool", "bag"):
        do("next", **{"from": step})
    do("taken", whose=mine)
    for _ in range(2):
        do("drawn", which="fog")
    rifles = unit(battle, "First Rifles")
    for fighter in state_of(battle).fighters:
        act_at_table(
            battle=battle, actor=cleo, data={"kind": "marker", "fighter": fighter.key, "marker": "stress", "change": 1}
        )
    do("drawn", which=mine)
    do("begin", fighter=rifles.key, action="open-up")
    do("shoot", fighter=rifles.key, target=unit(battle, "The Ferrymen").key, distance=12, los_0=3)
    return rifles


def test_the_table_is_clean_and_fits(
    battle: Battle, ada: Any, cleo: Any, phone: Callable[..., Any], axe: Callable[[Any], None]
) -> None:
    rifles = played_on(battle, ada, cleo)
    page = phone(ada)
    here = reverse("battle-track", args=[battle.pk])
    queries = (
        f"?open={rifles.key}",
        f"?roll=shoot&fighter={rifles.key}",
        f"?roll=right&fighter={rifles.key}",
        "?roll=chits",
    )
    for place, query in enumerate(queries):
        visit(page, here + query)
        examine(page, axe, place)
