"""A battle of A Trench Too Far on two phones, one of them without a line half-way, down to the report with its losses; and how it fits."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from zlib import compress

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.models import Battle, Report
from campaigns.services.tracker import act_at_table, begin_table, roll_at_table
from rules.dice import SeededDice
from tests import campaign_stories as c
from tests.browser.line import Line
from tests.browser.looks import Look, examine, put, visit
from tests.browser.phones import IN_STEP, line, phone, state_of
from tests.browser.rolling import chip, opens, tell
from tests.browser.test_tracker import opened, press, waits_for
from tests.conftest import DESKTOP, PHONE

__all__ = ["line", "phone"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def battle(ada: Any, ben: Any, cleo: Any) -> Battle:
    campaign = c.open_campaign(actor=cleo, name="The Canal", system="trench-too-far", edition="")
    made = c.Club(campaign, cleo)
    for player, sample in ((ada, "canal-company"), (ben, "quarry-company")):
        c.joins(made, player, sample=sample)
    return c.mustered(made, ada, ben, scenario="open-battle")


def named(battle: Battle, name: str) -> Any:
    return next(fighter for fighter in state_of(battle).fighters if fighter.name == name)


def test_a_small_battle_on_two_phones_to_the_report(
    battle: Battle, ada: Any, ben: Any, phone: Callable[..., Any], line: Line
) -> None:
    here = reverse("battle-track", args=[battle.pk])
    mine, theirs = phone(ada), phone(ben, by_line=True)
    mine.goto(here)
    mine.get_by_role("button", name="Start tracking").click()
    mine.get_by_text("in sync").wait_for()
    theirs.goto(here)
    theirs.get_by_text("in sync").wait_for()
    canal, quarry = named(battle, "Canal Company"), named(battle, "Quarry Company")
    keepers, hill, guard = named(battle, "Lock Keepers"), named(battle, "Hill Platoon"), named(battle, "Chapel Guard")
    tanks = named(battle, "Mole and Badger")

    # Turn 1: Ada begins. The board tells both phones who acts under which order.
    mine.locator("#t_asks").get_by_role("button", name=state_of(battle).sides[0].name).click()
    press(mine, canal, "Fire")
    theirs.locator("#t_board").get_by_text("one platoon and one team may move instead").wait_for(timeout=IN_STEP)
    opens(opened(mine, keepers).get_by_role("link", name=re.compile("^Fire")))
    chip(mine, "target", hill.key, redraws=True)
    mine.locator("#t_bearing").get_by_text("not measured yet").wait_for()
    mine.locator("#t_bearing").get_by_text("Shocked").wait_for()
    chip(mine, "distance", "18")
    mine.locator("#t_bearing").get_by_text("0 lost 14.2 %").wait_for()
    mine.locator(".need").get_by_text("6 D6, each 5 or more (33.3 %)").wait_for()
    tell(mine, 3)
    # Ben is asked for his saves, and counts one.
    opens(theirs.locator("#t_strip").get_by_role("link", name="Roll 3 saves"))
    theirs.locator(".need").get_by_text("3 saves on D6, 6 or more").wait_for()
    tell(theirs, 1)
    theirs.locator(f"#f{hill.key}").get_by_text("SHOCKED").wait_for(timeout=IN_STEP, state="attached")
    assert state_of(battle).fighter(hill.key).markers["rifles"] == 2

    # Half-way Ben's line goes: a slip is put right on his phone meanwhile, and arrives once the line is back.
    line.cut()
    press(theirs, hill, "Rifles, one more")
    theirs.locator(".table-line").get_by_text(re.compile(r"offline \d:\d\d")).wait_for()
    theirs.locator(f"#m{hill.key}_rifles").get_by_text("waiting: 2 to 3").wait_for(state="attached")
    mine.locator("#t_strip").get_by_role("button", name=re.compile("^Company done")).click()
    waits_for(mine, lambda: state_of(battle).fighter(canal.key).acted)
    line.mend()
    waits_for(theirs, lambda: state_of(battle).fighter(hill.key).markers["rifles"] == 3)
    mine.get_by_role("link", name="Theirs").click()
    mine.locator(f"#f{hill.key}").get_by_text("3 bases").wait_for(timeout=2 * IN_STEP)

    # Ben: one Shocked platoon, a die for it; a tank platoon by itself; everybody is done.
    theirs.locator("#t_board").get_by_text("Quarry Company").wait_for()
    theirs.goto(f"{here}?open={quarry.key}")
    press(theirs, quarry, "Activate")  # a roll comes first: one of its platoons is Shocked
    theirs.locator(f"#f{quarry.key}").get_by_text("acts", exact=True).wait_for()
    if state_of(battle).fighter(quarry.key).facts.get("disrupted") == "this-turn":
        opens(opened(theirs, quarry).get_by_role("link", name="Give an order"))
        theirs.locator("#id_order").select_option("recover")
        theirs.locator("#t_roll").get_by_role("button", name="Roll for me").click()
    else:
        press(theirs, quarry, "Recover")
    theirs.locator("#t_strip").get_by_role("button", name=re.compile("^Recover")).click()
    theirs.locator("#t_strip").get_by_role("button", name=re.compile("^Company done")).click()
    waits_for(theirs, lambda: state_of(battle).fighter(quarry.key).acted)
    theirs.goto(f"{here}?open={tanks.key}")
    press(theirs, tanks, "Move")
    press(theirs, tanks, "Drive") if opened(theirs, tanks).get_by_role("button", name="Drive").count() else None
    theirs.locator("#t_strip").get_by_role("button", name=re.compile("^Done")).click()
    mine.locator("#t_asks").get_by_text(re.compile("rallies|is over")).first.wait_for(timeout=2 * IN_STEP)
    if theirs.locator("#t_asks").get_by_role("button", name="Roll for me").count():
        theirs.locator("#t_asks").get_by_role("button", name="Roll for me").click()
    mine.locator("#t_strip").get_by_role("button", name=re.compile("^Turn 2")).click()
    theirs.locator("#t_head").get_by_text("Turn 2").wait_for(timeout=2 * IN_STEP)
    assert "fire" not in state_of(battle).fighter(hill.key).markers

    # A platoon is gone; the end fills in what each unit lost.
    theirs.goto(f"{here}?open={guard.key}")
    for _ in range(state_of(battle).fighter(guard.key).facts["parts"][0]["start"]):
        press(theirs, guard, "one less")
    mine.locator(f"#f{guard.key}[data-state=out]").wait_for(state="attached", timeout=2 * IN_STEP)
    mine.locator("#t_end").click()  # companies have yet to act: they are named first
    mine.locator("#t_end_open").get_by_text("Still open").wait_for()
    with mine.expect_navigation(url=re.compile("/report/$")):
        mine.locator("#t_end_anyway").click()
    expect(mine.locator(f"#id_out_{guard.key}")).to_be_checked()
    expect(mine.locator(f"#id_lost_{hill.side}_{hill.key}_rifles")).to_have_value("1")
    mine.locator("[name=result]").first.check()
    with mine.expect_navigation():
        mine.locator(".act-strip button").click()
    lost = Report.objects.get(battle=battle).data["losses"][hill.side]
    assert lost[hill.key] == {"Rifles": 1}
    assert sum(lost[guard.key].values()) == guard.facts["parts"][0]["start"]


def test_an_update_stays_under_ten_kilobytes(battle: Battle, ada: Any, phone: Callable[..., Any]) -> None:
    begin_table(battle=battle, actor=ada)
    page = phone(ada)
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.get_by_text("in sync").wait_for()
    sizes: list[int] = []
    page.on(
        "response",
        lambda answer: (
            sizes.append(len(compress(answer.body()))) if "since=" in answer.url and answer.status == 200 else None
        ),
    )
    side, canal, keepers = state_of(battle).sides[0].key, named(battle, "Canal Company"), named(battle, "Lock Keepers")
    hill = named(battle, "Hill Platoon")
    act_at_table(battle=battle, actor=ada, data={"kind": "initiative", "side": side})
    for roll, data in (
        ("activate", {"fighter": canal.key}),
        ("order", {"fighter": canal.key, "order": "fire"}),
        ("fire", {"fighter": keepers.key, "target": hill.key, "distance": "10"}),
    ):
        roll_at_table(battle=battle, actor=ada, roll=roll, data=data, source="app", dice=SeededDice(4))
    page.locator("#t_news").get_by_text("fires at").wait_for()
    waits_for(page, lambda: bool(sizes))
    assert max(sizes) < 10_000


SMALL = """() => [...document.querySelectorAll(".table-panel .button, .act-strip .button")]
    .filter(e => e.checkVisibility() && e.getBoundingClientRect().height)
    .filter(e => e.getBoundingClientRect().height < 44 || e.getBoundingClientRect().width < 44)
    .map(e => e.outerHTML.slice(0, 120))"""


def test_the_table_and_its_forms_are_clean_and_fit(
    battle: Battle, ada: Any, phone: Callable[..., Any], axe: Callable[[Any], None]
) -> None:
    begin_table(battle=battle, actor=ada)
    side, canal, keepers = state_of(battle).sides[0].key, named(battle, "Canal Company"), named(battle, "Lock Keepers")
    act_at_table(battle=battle, actor=ada, data={"kind": "initiative", "side": side})
    for roll, data in (("activate", {"fighter": canal.key}), ("order", {"fighter": canal.key, "order": "fire"})):
        roll_at_table(battle=battle, actor=ada, roll=roll, data=data, source="app")
    page = phone(ada)
    here = reverse("battle-track", args=[battle.pk])
    queries = (
        f"?open={canal.key}", f"?open={keepers.key}", f"?roll=fire&fighter={keepers.key}", f"?roll=move&fighter={keepers.key}",
        f"?roll=right&fighter={canal.key}", "?roll=setup", "?roll=disrupt",
    )  # fmt: skip
    for place, query in enumerate(queries):
        visit(page, here + query)
        for width in (PHONE, DESKTOP):
            put(page, Look(width, dark=False))
            assert page.evaluate(SMALL) == [], query
        examine(page, axe, place)
