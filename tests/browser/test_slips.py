"""Two quick presses on one spot: the second never does another thing than the first one meant."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.models import PostBattle
from campaigns.services import dice_entry
from rules.dice import Draw
from tests import campaign_stories as c
from tests import stories as s
from tests.browser.answered import follow
from tests.served import usual_pauses
from warbands.models import Event, Fighter

pytestmark = pytest.mark.django_db(transaction=True)


HELD = 4_000  # milliseconds


class Fallen:
    """All dice of the app fall on their highest face."""

    def draw(self, n: int, sides: int, why: str) -> Draw:
        return Draw(why, sides, (sides,) * n, "app")


@pytest.fixture
def open_alone(signed_in_page: Any) -> Iterator[Callable[..., Any]]:
    """Return a function that opens a page for one user whose scripts take a press for a slip as long as a club's do."""
    with usual_pauses():
        yield lambda user: signed_in_page(user, alone=True)


def held(page: Any) -> None:
    """Make this press last a while: both presses of a slip fall within its moment, however slow the machine is."""
    page.locator(".shield").wait_for(state="detached")
    page.evaluate("held => { const soon = Date.now() + held; Date.now = () => soon; }", HELD)


def spot(button: Any) -> tuple[float, float]:
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture
def step(cleo: Any, ada: Any, ben: Any, open_alone: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The first step of a post-battle with a die to roll, on a phone."""
    monkeypatch.setattr(dice_entry, "AppDice", Fallen)
    made = c.club(cleo, ada, ben, edition="1.0")
    first = Fighter.objects.live().filter(warband=made.warband(ada)).order_by("position")[4]
    row = c.mustered(made, ada, ben, scenario="relic-hunt")
    c.fight(row, ada, ada, points={ada: 3, ben: 1}, out={ada: [first.name]})
    page = open_alone(ada)
    page.goto("/")
    follow(page.locator(".waits li a", has_text=re.compile("post-battle", re.IGNORECASE)).first)
    follow(page.get_by_role("button", name="Start the post-battle"))
    page.goto(page.url)  # no press lies behind it any more
    return page


def test_a_second_press_on_roll_does_not_go_to_the_next_step(step: Any) -> None:
    here, strip = step.url, step.locator("#step_strip")
    held(step)
    roll = strip.get_by_role("button", name=re.compile("^Roll"))
    x, y = spot(roll)
    step.mouse.click(x, y)
    onward = strip.locator("#strip_next")
    onward.wait_for()
    done = list(PostBattle.objects.values_list("done", flat=True))
    step.mouse.click(x, y)
    step.wait_for_timeout(300)
    assert step.url == here
    expect(onward).to_be_visible()
    assert list(PostBattle.objects.values_list("done", flat=True)) == done
    follow(onward)  # a moment later it is pressed as ever
    assert step.url != here


def test_a_second_press_on_next_does_not_skip_a_fighter(ada: Any, open_alone: Any) -> None:
    warband = s.found(ada, list_id="eire-rangers", terms=s.terms("trench-crusade", "1.0"))
    s.hire(warband, "Lieutenant", "Niamh")
    for name in ("Donal", "Sean"):
        s.hire(warband, "Yeoman", name)
    page = open_alone(ada)
    page.clock.install()
    page.goto(reverse("kit-buy", args=[s.fighter(warband, "Niamh").pk]))
    held(page)
    onward = page.locator("#budget_bar_act")
    x, y = spot(onward)
    with page.expect_navigation():
        page.mouse.click(x, y)
    expect(page.get_by_role("heading", level=1)).to_have_text("Donal")
    here = page.url
    page.mouse.click(x, y)
    page.wait_for_timeout(300)
    assert page.url == here
    page.clock.fast_forward(HELD)  # a moment later it is pressed as ever
    follow(onward)
    expect(page.get_by_role("heading", level=1)).to_have_text("Sean")


def test_a_key_held_down_presses_once(step: Any) -> None:
    here, strip = step.url, step.locator("#step_strip")
    held(step)
    strip.get_by_role("button", name=re.compile("^Roll")).focus()
    step.keyboard.press("Enter")
    onward = strip.locator("#strip_next")
    onward.wait_for()
    step.keyboard.press("Enter")
    step.wait_for_timeout(300)
    assert step.url == here
    onward.focus()
    step.keyboard.press("Tab")
    step.keyboard.press("Shift+Tab")
    with step.expect_navigation():
        step.keyboard.press("Enter")


def test_the_same_button_may_be_pressed_quickly(ada: Any, open_alone: Any) -> None:
    warband = s.found(ada, list_id="eire-rangers", terms=s.terms("trench-crusade", "1.0"))
    page = open_alone(ada)
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    held(page)
    yeoman = page.get_by_role("button", name="Hire: Yeoman")
    x, y = spot(yeoman)
    before = Event.objects.count()
    for count in (1, 2):
        page.mouse.click(x, y)
        expect(page.locator(".held").first).to_have_text(re.compile(f"^{count}"))
    assert Event.objects.count() == before + 2
