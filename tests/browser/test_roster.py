"""The roster in the hand: how high it is, that it opens in place, that nothing moves, by keyboard, without script, by dragging."""

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from rules.price import Price
from tests import stories
from tests.browser.answered import follow, settle
from tests.browser.looks import CONTRAST, LOOKS, put, sideways
from tests.browser.taps import Thumb, promised
from tests.drills import WHOLE
from warbands.models import Fighter, Warband

pytestmark = pytest.mark.django_db(transaction=True)

HEIGHTS = {7: 1050, 12: 1700}
KIT = ("Standard Armour", "Combat Helmet", "Gas Mask")


def kitted(owner: Any, count: int) -> Warband:
    """A warband in camp of so many named fighters, each with three pieces of kit."""
    warband = stories.small_warband(owner, name="The Peat Lanterns", budget=Price(ducats=3000))
    for name in ("Aoife", "Fergus", "Shea", "Bran", "Donal", "Wat", "Sean", "Piers", "Colm")[: count - 3]:
        stories.hire(warband, "Yeoman", name)
    for fighter in warband.fighters.all():
        stories.equip(fighter, *KIT)
    return stories.ready(stories.fresh(warband))


def roster(warband: Warband, fighter: Fighter | None = None) -> str:
    here = reverse("warband-show", args=[warband.pk])
    return f"{here}?fighter={fighter.pk}#fighter_card_{fighter.pk}" if fighter else here


def height(page: Any) -> int:
    return int(page.evaluate("document.documentElement.scrollHeight"))


def opens(page: Any, fighter: Fighter) -> Any:
    block = page.locator(f"#fighter_card_{fighter.pk}")
    block.locator("> summary").click()
    block.locator("[data-panel]").wait_for()
    return block


@pytest.mark.parametrize("count", HEIGHTS)
def test_a_roster_stands_on_two_screens(ada, signed_in_page, count):
    warband = kitted(ada, count)
    page = signed_in_page(ada)
    page.goto(roster(warband))
    expect(page.locator(".unit")).to_have_count(count)
    assert height(page) <= HEIGHTS[count]
    assert len(page.content().encode()) < 120_000
    bar = page.locator("#budget_bar .budget-cells")
    tops = bar.evaluate("bar => [...bar.children].map(one => Math.round(one.getBoundingClientRect().bottom))")
    assert max(tops) - min(tops) < 12, "the bar wraps"


def test_a_block_opens_in_place_and_the_address_says_so(ada, signed_in_page):
    warband = stories.small_warband(ada)
    first, second = stories.hire(warband, "Shocktrooper", "Hedwig"), stories.hire(warband, "Shocktrooper", "Berta")
    page = signed_in_page(ada)
    page.goto(roster(warband))
    summary = page.locator(f"#fighter_card_{first.pk} > summary")
    before = summary.bounding_box()["y"]
    expect(page.locator("#budget_bar_act")).to_have_text("Next: Hedwig")
    opens(page, first)
    assert abs(summary.bounding_box()["y"] - before) < 2
    assert f"fighter={first.pk}" in page.url
    expect(page.locator("#budget_bar_act")).to_have_text("Next: Berta")
    opens(page, second)
    expect(page.locator(".unit[open]")).to_have_count(1)
    assert f"fighter={second.pk}" in page.url
    page.reload()
    expect(page.locator(f"#fighter_card_{second.pk}")).to_have_attribute("open", "")
    page.locator(f"#fighter_card_{second.pk} > summary").click()
    page.wait_for_function("!location.search")


def test_a_name_is_changed_where_it_stands(ada, signed_in_page):
    warband = stories.small_warband(ada)
    ottla = stories.fighter(warband, "Ottla")
    page = signed_in_page(ada)
    page.goto(roster(warband))
    block = opens(page, ottla)
    top = block.locator("> summary").bounding_box()["y"]
    block.get_by_label("Name", exact=True).fill("Hedwig")
    settle(page, block.get_by_role("button", name="Save").click)
    expect(block.locator("h3")).to_have_text("Hedwig")
    settle(page, block.get_by_role("button", name="Another name").click)
    expect(block.locator("h3")).not_to_have_text("Hedwig")
    assert abs(block.locator("> summary").bounding_box()["y"] - top) < 2
    ottla.refresh_from_db()
    expect(block.locator("h3")).to_have_text(ottla.name)


def test_an_item_goes_back_from_the_open_block(ada, signed_in_page):
    warband = stories.small_warband(ada)
    ottla = stories.fighter(warband, "Ottla")
    stories.equip(ottla, "Gas Mask")
    page = signed_in_page(ada)
    page.goto(roster(warband, ottla))
    block = page.locator(f"#fighter_card_{ottla.pk}")
    top = block.locator("> summary").bounding_box()["y"]
    good = block.locator(".good").filter(has_text="Gas Mask")
    good.locator("summary").click()
    settle(page, good.get_by_role("button", name=re.compile("^Return")).click)
    expect(block.locator(".unit-kit")).not_to_contain_text("Gas Mask")
    expect(block.locator(".good").filter(has_text="Gas Mask")).to_have_count(0)
    assert abs(block.locator("> summary").bounding_box()["y"] - top) < 2


@pytest.mark.parametrize("javascript", [True, False])
def test_a_piece_is_given_and_its_giver_leaves(ada, signed_in_page, javascript, axe):
    """With scripts both happen on the roster, without them page by page."""
    warband = stories.small_warband(ada)
    ottla, other = stories.fighter(warband, "Ottla"), stories.hire(warband, "Yeoman", "Wat")
    stories.equip(ottla, "Gas Mask")
    page = signed_in_page(ada, javascript=javascript)
    page.goto(roster(warband, ottla))
    here = page.url
    panel = page.locator(f"#fighter_panel_{ottla.pk}")
    panel.locator(".good").filter(has_text="Gas Mask").locator("summary").click()
    panel.get_by_role("link", name="Give to").filter(has_text="Gas Mask").click()
    if javascript:
        taker = panel.get_by_role("button", name=re.compile("^Wat"))
        expect(taker).to_be_visible()
        axe(page)
        settle(page, taker.click)
        expect(page.locator(f"#fighter_card_{other.pk} .unit-kit")).to_contain_text("Gas Mask")
        panel.get_by_role("link", name="Dismiss").click()
        leave = panel.get_by_role("button", name="Dismiss Ottla")
        expect(leave).to_be_visible()
        page.wait_for_function("() => !window.answersOut")
        settle(page, leave.click)
        expect(page.locator(f"#fighter_card_{ottla.pk}")).to_have_count(0)
        assert page.url == here
    else:
        row = page.locator(".offer-line").filter(has_text="Wat")
        row.get_by_role("button", name="Give").click()
        page.goto(here)
        panel.get_by_role("link", name="Dismiss").click()
        page.get_by_role("button", name="Dismiss Ottla").click()
        page.wait_for_url(f"**{reverse('warband-show', args=[warband.pk])}*")
    assert "gas-mask" in stories.kit_of(stories.fighter(stories.fresh(warband), "Wat"))
    assert not Fighter.objects.live().filter(pk=ottla.pk, status="active").exists()


def test_three_copies_of_a_kitted_yeoman(ada, signed_in_page):
    """As docs/minutes.md promises: open the block, press ×3."""
    warband = stories.small_warband(ada)
    ottla = stories.fighter(warband, "Ottla")
    stories.equip(ottla, "Gas Mask")
    page = signed_in_page(ada)
    page.goto(roster(warband))
    thumb = Thumb(page)
    thumb.open(page.locator(f"#fighter_card_{ottla.pk} > summary"))
    thumb.go(page.locator(f"#fighter_card_{ottla.pk}").get_by_role("button", name=re.compile("×3")))
    thumb.keeps(promised("Three copies of a kitted Yeoman"))
    twins = list(Fighter.objects.live().filter(warband=warband).order_by("-pk")[:3])
    assert [stories.kit_of(twin) for twin in twins] == [stories.kit_of(ottla)] * 3
    assert len({twin.name for twin in twins}) == 3


def test_the_bars_button_is_within_five_stops(ada, signed_in_page):
    warband = stories.small_warband(ada)
    page = signed_in_page(ada, width=1280)
    page.goto(roster(warband))
    for _stop in range(4):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('href')") == "#budget_bar_act":
            page.keyboard.press("Enter")
            break
    page.wait_for_function("document.activeElement.id === 'budget_bar_act'")
    there = page.locator("#budget_bar_act").get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{there}")


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_the_words_of_the_game_are_explained_in_place(ada, signed_in_page, javascript):
    warband = kitted(ada, 7)
    page = signed_in_page(ada, javascript=javascript)
    page.goto(roster(warband))
    before = height(page)
    worth, elite = page.locator("#budget_bar details").nth(1), page.locator("#roster .term-mark").first
    worth.locator("summary").press("Enter")
    expect(worth.get_by_text("Threshold")).to_be_visible()
    expect(worth.get_by_text("It rises every battle.")).to_be_visible()
    elite.locator("summary").click()
    expect(elite.get_by_text("They gain experience, skills and scars.")).to_be_visible()
    assert height(page) == before
    assert sideways(page) <= 0


def test_a_block_opens_by_keyboard(ada, signed_in_page):
    warband = stories.small_warband(ada)
    ottla = stories.fighter(warband, "Ottla")
    page = signed_in_page(ada)
    page.goto(roster(warband))
    page.locator(f"#fighter_card_{ottla.pk} > summary").focus()
    page.keyboard.press("Enter")
    page.locator(f"#fighter_panel_{ottla.pk}").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "name"


def test_without_script_the_roster_goes_page_by_page(ada, signed_in_page):
    warband = stories.small_warband(ada)
    ottla = stories.fighter(warband, "Ottla")
    page = signed_in_page(ada, javascript=False)
    page.goto(roster(warband))
    page.locator(f"#fighter_card_{ottla.pk} > summary").click()
    follow(page.get_by_role("link", name="Open Ottla"))
    block = page.locator(f"#fighter_card_{ottla.pk}")
    block.get_by_label("Name", exact=True).fill("Hedwig")
    follow(block.get_by_role("button", name="Save"))
    expect(block.locator("h3")).to_have_text("Hedwig")
    follow(block.get_by_role("button", name=re.compile("^Move down")))
    follow(block.get_by_role("button", name=re.compile("^Copy")))
    assert Fighter.objects.live().filter(warband=warband).count() == 4


def test_fighters_change_places_by_dragging(ada, signed_in_page):
    warband = stories.small_warband(ada)
    stories.hire(warband, "Yeoman", "Hedvig")
    page = signed_in_page(ada, width=1280)
    page.goto(roster(warband))
    units = page.locator(".units").last.locator(".unit")
    names = units.locator("h3").all_inner_texts()
    assert len(names) >= 2
    units.last.locator("summary").drag_to(units.first.locator("summary"), target_position={"x": 40, "y": 4})
    expect(page.locator(".units").last.locator("h3")).to_have_text([names[-1], *names[:-1]])


def test_on_a_wide_screen_the_open_fighter_stands_beside_the_roster(ada, signed_in_page):
    warband = kitted(ada, 12)
    last = warband.fighters.order_by("position").last()
    page = signed_in_page(ada, width=1280)
    page.goto(roster(warband))
    opens(page, last)
    panel, block = page.locator("[data-panel]").bounding_box(), page.locator(".unit[open] > summary").bounding_box()
    assert panel["x"] > block["x"] + block["width"]
    assert 0 <= panel["y"] < 200


def test_an_open_roster_is_clean(ada, signed_in_page, axe):
    warband = stories.small_warband(ada)
    ottla = stories.fighter(warband, "Ottla")
    page = signed_in_page(ada)
    page.goto(roster(warband, ottla))
    for fold in page.locator("[data-panel] details > summary").all():
        fold.click()
    for place, look in enumerate(LOOKS):
        put(page, look)
        axe(page, CONTRAST if place > 1 and not WHOLE else "")  # by then it has seen a phone and a desktop
        black = "[...document.querySelectorAll('.button-main')].filter(one => one.checkVisibility()).length"
        assert page.evaluate(black) == 1
