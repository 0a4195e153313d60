"""How often a table asks what changed, what that costs, what a stream of news saves, and that the screen stays on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from campaigns.models import Battle, Table, TableAct
from campaigns.services.tracker import act_at_table, begin_table
from tests import campaign_stories as c
from tests.browser.line import Line
from tests.browser.phones import line, phone, state_of
from tests.served import usual_pauses

__all__ = ["line", "phone"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)

LOOK = """(seen) => {
    Object.defineProperty(document, "hidden", {value: !seen, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""
# The page counts what it asks, and of that what it has done with: at the end of each it says how the line is.
COUNT = """
    window.asked = 0;
    window.done = 0;
    const [send, under] = [window.fetch, new Set()];
    window.fetch = (...what) => {
        const answer = send(...what);
        if (what[1]?.method || !String(what[0]).includes("since=")) return answer;
        window.asked++;
        under.add(answer);
        const come = () => under.delete(answer);
        answer.then(come, come);
        return answer;
    };
    document.addEventListener("line", () => { if (!under.size && window.done < window.asked) window.done++; });
"""
DONE = "() => window.asked > 0 && window.done === window.asked"
IN_AN_HOUR = 3600 // 10
MOST_IN_AN_HOUR = 500_000  # bytes


@pytest.fixture
def battle(ada: Any, ben: Any, cleo: Any) -> Battle:
    found = c.mustered(c.club(cleo, ada, ben), ada, ben, scenario="trench-warfare")
    begin_table(battle=found, actor=ada)
    return found


def own(battle: Battle, user: Any) -> str:
    return state_of(battle).of(str(c.side(battle, user).pk))[0].key


def was_quiet(minutes: int) -> None:
    """Nobody has pressed for so long."""
    TableAct.objects.update(at=timezone.now() - timedelta(minutes=minutes))


class Asking:
    """A phone at the table, whose clock the test turns, and what it asks."""

    def __init__(self, page: Any, battle: Battle, *, script: str = "") -> None:
        self.page, self.asked = page, 0
        page.on("request", self._heard)
        page.clock.install()
        page.add_init_script(COUNT)
        if script:
            page.add_init_script(script)
        with usual_pauses():
            page.goto(reverse("battle-track", args=[battle.pk]))
            page.locator("#tracker").wait_for()
            self.hears()  # the first look, which every page takes

    def _heard(self, request: Any) -> None:
        self.asked += "since=" in request.url

    def hears(self) -> None:
        """Wait until the page has done with the answers to all that it asked: they come in real time."""
        self.page.wait_for_function(DONE)

    def within(self, seconds: int) -> int:
        """How often it asks while so much time goes by on its clock."""
        before = self.asked
        for _ in range(seconds):
            self.page.clock.run_for(1_000)
            self.hears()
        return self.asked - before

    def look(self, *, seen: bool) -> None:
        self.page.evaluate(LOOK, seen)
        self.hears()


# --- how often ----------------------------------------------------------------------------------------------------------------


def test_it_asks_every_two_seconds_after_a_press_and_every_ten_when_nobody_pressed_for_two_minutes(
    battle: Battle, ada: Any, ben: Any, phone: Callable[..., Any]
) -> None:
    asking = Asking(phone(ada, by_line=True), battle)
    assert 8 <= asking.within(20) <= 11
    was_quiet(3)
    asking = Asking(phone(ada, by_line=True), battle)
    assert 2 <= asking.within(30) <= 4
    act_at_table(battle=battle, actor=ben, data={"kind": "acted", "fighter": own(battle, ben)})
    asking.within(10)  # by then it has heard of the other's press
    assert 4 <= asking.within(10) <= 6
    asking.page.clock.fast_forward(2 * 60 * 1000)
    assert 2 <= asking.within(30) <= 4
    asking.page.locator(f"#d{own(battle, ada)} > summary").click()
    asking.page.locator(f"#d{own(battle, ada)}").get_by_role("button", name="Acted").click()
    asking.page.locator(f"#f{own(battle, ada)}[data-state=acted]").wait_for(state="attached")
    assert 4 <= asking.within(10) <= 6


def test_a_hidden_page_asks_nothing_and_asks_at_once_when_seen_again(
    battle: Battle, ada: Any, phone: Callable[..., Any]
) -> None:
    asking = Asking(phone(ada, by_line=True), battle)
    asking.look(seen=False)
    assert asking.within(30) == 0
    before = asking.asked
    asking.look(seen=True)
    assert asking.asked == before + 1


def test_an_ended_table_is_asked_for_once_each_time_it_is_seen(
    battle: Battle, ada: Any, phone: Callable[..., Any]
) -> None:
    act_at_table(battle=battle, actor=ada, data={"kind": "end"})
    asking = Asking(phone(ada, by_line=True), battle)
    assert asking.asked == 1
    assert asking.within(60) == 0
    asking.look(seen=False)
    asking.look(seen=True)
    assert asking.asked == 2


def test_a_line_that_is_down_is_tried_less_and_less_and_at_once_when_it_is_said_to_be_back(
    battle: Battle, ada: Any, phone: Callable[..., Any], line: Line
) -> None:
    asking = Asking(phone(ada, by_line=True), battle)
    line.cut()
    assert asking.within(4) <= 3
    assert asking.within(60) <= 5
    expect(asking.page.locator(".table-line")).to_contain_text("offline 1:")
    line.mend()
    with asking.page.expect_request(lambda request: "since=" in request.url):
        asking.page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(asking.page.locator(".table-line")).to_have_text("in sync")
    assert asking.within(10) >= 4


def test_an_hour_of_an_idle_table_is_under_half_a_megabyte(
    battle: Battle, ada: Any, phone: Callable[..., Any], line: Line
) -> None:
    was_quiet(3)
    asking = Asking(phone(ada, by_line=True), battle)
    asking.page.wait_for_load_state("networkidle")  # what comes beside the page, once
    before = line.bytes
    count = asking.within(60)
    assert 5 <= count <= 7
    each = (line.bytes - before) / count
    assert each * IN_AN_HOUR < MOST_IN_AN_HOUR, f"{each:.0f} bytes to hear that there is nothing new"


# --- a stream of news -----------------------------------------------------------------------------------------------------------

STREAM = """
    window.sources = [];
    window.EventSource = class extends EventTarget {
        constructor(address) { super(); this.address = address; this.isOpen = true; window.sources.push(this); }
        close() { this.isOpen = false; }
    };
"""


class Streamed(Asking):
    """A phone whose stream is the test's to speak through."""

    def __init__(self, page: Any, battle: Battle) -> None:
        super().__init__(page, battle, script=STREAM)

    def tell(self, name: str, data: str = "null") -> None:
        script = "([name, data]) => window.sources.at(-1).dispatchEvent(new MessageEvent(name, {data}))"
        self.page.evaluate(script, [name, data])
        self.hears()

    def tell_version(self) -> None:
        """What the stream tells of the table as it is."""
        table = Table.objects.get()
        self.tell("table", f'{{"table": {table.pk}, "version": {table.version}}}')

    @property
    def streams(self) -> list[bool]:
        """Each stream that was ever opened: whether it still is."""
        found: list[bool] = self.page.evaluate("window.sources.map((source) => source.isOpen)")
        return found


@pytest.fixture
def streamed(battle: Battle, ada: Any, phone: Callable[..., Any], settings: Any) -> Streamed:
    settings.STREAM_URL = "/stream/"
    made = Streamed(phone(ada, by_line=True), battle)
    assert made.page.evaluate("window.sources.map(({address}) => address)") == [f"/stream/battles/{battle.pk}/"]
    return made


def test_beside_a_stream_the_page_asks_rarely_and_at_once_when_it_tells_of_a_version(
    streamed: Streamed, battle: Battle, ben: Any
) -> None:
    assert 4 <= streamed.within(10) <= 6  # until it speaks
    streamed.tell_version()
    assert streamed.within(28) == 0
    act_at_table(battle=battle, actor=ben, data={"kind": "acted", "fighter": own(battle, ben)})
    before = streamed.asked
    streamed.tell_version()
    streamed.page.locator(f"#f{own(battle, ben)}[data-state=acted]").wait_for(state="attached")
    assert streamed.asked == before + 1
    streamed.tell_version()  # the same again
    assert streamed.asked == before + 1


def test_the_news_of_ones_own_press_is_not_asked_for(streamed: Streamed, battle: Battle, ada: Any) -> None:
    streamed.tell_version()
    mine = streamed.page.locator(f"#d{own(battle, ada)}")
    mine.locator("summary").first.click()
    held: list[Any] = []
    streamed.page.route("**/table/?since=*", lambda route: held.append(route))
    before = streamed.asked
    mine.get_by_role("button", name="Acted").click()
    streamed.tell("table", f'{{"table": {Table.objects.get().pk}, "version": 2}}')  # before the answer comes
    assert streamed.asked == before + 1
    held[0].continue_()
    streamed.page.locator(f"#f{own(battle, ada)}[data-state=acted]").wait_for(state="attached")
    streamed.page.wait_for_timeout(500)
    assert streamed.asked == before + 1


def test_a_stream_that_breaks_or_falls_silent_is_polled_past_and_tried_again(streamed: Streamed) -> None:
    streamed.tell("beat")
    before = streamed.asked
    streamed.tell("error")
    assert streamed.asked == before + 1
    assert streamed.within(1) <= 1
    assert streamed.streams == [False, True]
    assert streamed.within(10) >= 4
    streamed.tell("beat")
    assert streamed.within(28) == 0
    for _ in range(3):  # it beats on
        streamed.tell("beat")
        streamed.within(15)
    assert streamed.streams == [False, True]
    streamed.within(41)
    assert streamed.streams[:2] == [False, False]
    assert len(streamed.streams) == 3


def test_a_stream_that_never_speaks_is_tried_less_and_less(streamed: Streamed) -> None:
    for _ in range(6):
        streamed.tell("error")
        streamed.within(2)
    assert len(streamed.streams) <= 4
    assert streamed.within(10) >= 4


def test_a_stream_is_open_only_while_the_page_is_seen(streamed: Streamed) -> None:
    streamed.tell("beat")
    streamed.look(seen=False)
    assert streamed.streams == [False]
    assert streamed.within(60) == 0
    assert streamed.streams == [False]
    streamed.look(seen=True)
    assert streamed.streams == [False, True]


def test_a_site_without_a_stream_opens_none(battle: Battle, ada: Any, phone: Callable[..., Any]) -> None:
    assert Streamed(phone(ada, by_line=True), battle).streams == []


def test_an_ended_table_hears_by_the_stream_that_it_goes_on(
    battle: Battle, ada: Any, phone: Callable[..., Any], settings: Any
) -> None:
    settings.STREAM_URL = "/stream/"
    act_at_table(battle=battle, actor=ada, data={"kind": "end"})
    streamed = Streamed(phone(ada, by_line=True), battle)
    streamed.tell_version()
    assert streamed.within(30) == 0
    act_at_table(battle=battle, actor=ada, data={"kind": "reopen"})
    with streamed.page.expect_navigation():
        streamed.tell_version()
    expect(streamed.page.locator("#tracker:not([data-ended])")).to_have_count(1)


# --- the screen -----------------------------------------------------------------------------------------------------------------

SCREEN = """
    window.locks = [];
    window.refuses = false;
    Object.defineProperty(navigator, "wakeLock", {value: {request: async (kind) => {
        if (window.refuses) throw new DOMException("low battery", "NotAllowedError");
        const lock = {kind, released: false, release: async () => { lock.released = true; }};
        window.locks.push(lock);
        return lock;
    }}});
"""
NO_SCREEN = """Object.defineProperty(navigator, "wakeLock", {value: undefined});"""


def locks(page: Any) -> list[bool]:
    """Each time that the screen was kept on: whether it still is."""
    assert page.evaluate("window.locks.every(({kind}) => kind === 'screen')")
    found: list[bool] = page.evaluate("window.locks.map(({released}) => !released)")
    return found


def test_the_screen_stays_on_while_the_table_is_seen(battle: Battle, ada: Any, phone: Callable[..., Any]) -> None:
    asking = Asking(phone(ada, by_line=True), battle, script=SCREEN)
    assert locks(asking.page) == [True]
    asking.look(seen=False)
    assert locks(asking.page) == [False]
    asking.look(seen=True)
    assert locks(asking.page) == [False, True]
    asking.page.evaluate("window.locks[1].released = true; window.refuses = true")  # the browser's own doing
    asking.page.evaluate("document.dispatchEvent(new Event('table:fresh'))")
    assert locks(asking.page) == [False, False]
    asking.page.evaluate("window.refuses = false")
    act_at_table(battle=battle, actor=ada, data={"kind": "acted", "fighter": own(battle, ada)})
    asking.within(3)
    assert locks(asking.page) == [False, False, True]


def test_an_ended_table_and_another_page_leave_the_screen_alone(
    battle: Battle, ada: Any, phone: Callable[..., Any]
) -> None:
    page = phone(ada, by_line=True)
    page.add_init_script(SCREEN)
    page.goto(reverse("battle-show", args=[battle.pk]))
    page.wait_for_timeout(200)
    assert locks(page) == []
    act_at_table(battle=battle, actor=ada, data={"kind": "end"})
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.wait_for_timeout(200)
    assert locks(page) == []


def test_a_device_that_cannot_keep_its_screen_on_shows_the_table_all_the_same(
    battle: Battle, ada: Any, phone: Callable[..., Any]
) -> None:
    page = phone(ada, by_line=True)
    page.add_init_script(NO_SCREEN)
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.get_by_text("in sync").wait_for()
    assert page.evaluate("navigator.wakeLock") is None
