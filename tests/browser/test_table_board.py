"""The table of a battle on a wide screen on its side: both sides of twelve, the act between them, and what who watches sees; by keyboard, by axe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.models import Battle, Campaign
from campaigns.services.tracker import act_at_table, begin_table
from campaigns.services.watching import hand_out_watch_link
from tests import campaign_stories as c
from tests.browser.looks import CONTRAST, sideways
from tests.browser.phones import line, phone, state_of

__all__ = ["line", "phone"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)

SMALL, DESK, TABLET, HALL = (360, 740), (1280, 720), (1024, 768), (1920, 1080)
ROWS = """() => [...document.querySelectorAll(".table-fighters > li")].map((row) => row.getBoundingClientRect())"""
LOG = "#t_log > li >> nth=0"


@pytest.fixture
def battle(ada: Any, ben: Any, cleo: Any) -> Battle:
    """Twelve against twelve, with rows in every state."""
    made = c.club(cleo)
    for user, sample in ((ada, "lantern-wardens"), (ben, "gallows-choir")):
        c.joins(made, user, sample=sample, fighters=12)
    found = c.mustered(made, ada, ben)
    begin_table(battle=found, actor=ada)
    for user in (ada, ben):
        mine = of(found, user)
        assert len(mine) == 12
        for act in (
            {"kind": "marker", "fighter": mine[1], "marker": "blood", "change": 3},
            {"kind": "down", "fighter": mine[2]},
            {"kind": "acted", "fighter": mine[0]},
            {"kind": "out", "fighter": mine[11]},
        ):
            act_at_table(battle=found, actor=user, data=act)
    return found


def of(battle: Battle, user: Any) -> list[str]:
    """The keys of somebody's fighters at the table."""
    return [fighter.key for fighter in state_of(battle).of(str(c.side(battle, user).pk))]


def seen(page: Any, size: tuple[int, int], *what: str) -> None:
    """Fail where something is not on the screen without scrolling, or a row is too low or too high."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    assert sideways(page) <= 0
    rows = page.evaluate(ROWS)
    assert len(rows) == 24
    assert min(row["height"] for row in rows) >= 44
    assert max(row["bottom"] for row in rows) <= size[1]
    for each in (LOG, "#t_head .table-turn", "#t_head .table-score", *what):
        box = page.locator(each).bounding_box()
        assert box is not None, f"{each} is not shown"
        assert box["y"] >= 0, each
        assert box["y"] + box["height"] <= size[1], each


def test_both_sides_the_act_and_the_last_lines_are_seen_without_scrolling(
    battle: Battle, ada: Any, ben: Any, phone: Callable[..., Any], axe: Callable[..., None]
) -> None:
    page = phone(ada)
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.get_by_text("in sync").wait_for()
    mine, theirs = of(battle, ada), of(battle, ben)
    for size in (TABLET, DESK):
        seen(page, size, "#t_strip")
    axe(page)
    page.emulate_media(color_scheme="dark")
    axe(page, CONTRAST)
    row = page.locator(f"#f{mine[1]}")
    assert row.locator(".table-name").evaluate("(name) => getComputedStyle(name).fontSize") == "18px"
    row.focus()
    page.keyboard.press("Enter")  # the card stands between the lists, and moves no row
    card = page.locator(f"#k{mine[1]}")
    card.wait_for()
    left, right = (page.locator(f"#f{key}").bounding_box() for key in (mine[1], theirs[1]))
    box = card.bounding_box()
    assert left["x"] + left["width"] <= box["x"] < box["x"] + box["width"] <= right["x"]
    seen(page, DESK, "#t_strip", f"#k{mine[1]} .statline")
    page.locator(f"#f{theirs[2]}").click()
    page.locator(f"#k{theirs[2]}").wait_for()
    assert not card.is_visible()
    axe(page)
    page.locator(f"#f{mine[1]}").click()
    card.get_by_role("link", name="Shoot").first.click()
    page.locator("#t_roll").get_by_role("button", name="Cancel").or_(page.locator("[data-close-roll]")).first.wait_for()
    seen(page, DESK, "#t_roll")
    axe(page)


def test_who_watches_sees_both_lists_and_the_last_lines_larger_on_a_big_screen(
    battle: Battle, ada: Any, axe: Callable[..., None], open_page: Callable[..., Any]
) -> None:
    Campaign.objects.filter(pk=battle.campaign_id).update(rosters="open", seen_by="link")
    slug = Campaign.objects.get(pk=battle.campaign_id).slug
    page = open_page(None)
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    page.goto(reverse("table-watch", args=[slug, battle.pk]))
    for size in (TABLET, DESK, HALL):
        seen(page, size)
    name = page.locator(".table-name").first
    assert page.evaluate(ROWS)[0]["height"] >= 54
    axe(page)
    page.emulate_media(color_scheme="dark")
    axe(page, CONTRAST)
    act_at_table(battle=battle, actor=ada, data={"kind": "acted", "fighter": of(battle, ada)[4]})
    expect(page.locator(f"#f{of(battle, ada)[4]}")).to_have_attribute("data-state", "acted", timeout=5000)
    expect(name).to_be_visible()


SAMPLES = {
    "trench-crusade": ("lantern-wardens", "gallows-choir"),
    "gloom-trench": ("lamplight-column", "red-ford-company"),
    "trench-too-far": ("canal-company", "quarry-company"),
}


@pytest.mark.parametrize("game", SAMPLES)
def test_every_state_of_a_table_is_clean_by_its_link_and_on_the_board(
    game: str, ada: Any, ben: Any, cleo: Any, phone: Callable[..., Any], open_page: Any, axe: Callable[..., None]
) -> None:
    """List, open card, end of turn, log, and what a link shows: each once on a phone or a board, light or dark."""
    edition = "1.6.3" if game == "trench-crusade" else ""
    made = c.Club(c.open_campaign(actor=cleo, name="The Canal", system=game, edition=edition), cleo)
    for user, sample in zip((ada, ben), SAMPLES[game], strict=True):
        c.joins(made, user, sample=sample)
    battle = c.mustered(made, ada, ben, scenario="" if game == "trench-crusade" else "open-battle")
    begin_table(battle=battle, actor=ada)
    here, mine = reverse("battle-track", args=[battle.pk]), of(battle, ada)
    watched = reverse("watch-show", args=[hand_out_watch_link(battle=battle)])
    states = (
        (ada, here, SMALL, False),
        (ada, f"{here}?open={of(battle, ben)[0]}", SMALL, True),
        (ada, f"{here}?open={mine[0]}", DESK, True),
        (ada, f"{here}?tab=log", DESK, False),
        (None, watched, SMALL, True),
        (None, watched, DESK, False),
    )
    for user, address, size, dark in states:
        page = phone(ada) if user else open_page(None)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme="dark" if dark else "light")
        page.goto(address)
        end = page.locator("#t_turn")
        if user and "open" not in address and end.count() and end.evaluate("(end) => end.tagName") == "SUMMARY":
            end.focus()
            page.keyboard.press("Enter")  # what is open before the turn ends
            expect(page.locator("#t_turn_open")).to_have_attribute("open", "")
        assert sideways(page) <= 0
        axe(page)
