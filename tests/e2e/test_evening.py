"""A whole evening as a club plays it, on phones, with script: from enlisting to the printed sheet. `make drills` plays it without script too.

Cleo opens a campaign and hands out its link. Ada enlists by it and founds her warband for the seat; Ben takes a seat and brings a copy of a
ready roster. They muster, fight, report, confirm, resolve what follows and print. Nothing is written but by pressing what stands on a page.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from pypdf import PdfReader

from campaigns.models import Battle, PostBattle, Report
from tests import stories
from tests.browser.answered import follow, settle
from tests.browser.rows import act_of, row_of
from tests.drills import WHOLE
from warbands.models import Fighter, Item, Warband

pytestmark = pytest.mark.django_db(transaction=True)

EDITION = "1.6.3"
WANTED = ("Lieutenant", "Trench Cleric", "Shocktrooper", "Yeoman", "Yeoman", "Yeoman", "Yeoman")
CAMPAIGN_SETTINGS = {True: "script", False: "no-script"}
PASSWORD = "a-lamp-in-the-weir-1916"


class Guest:
    """Somebody with a phone in hand."""

    def __init__(self, name: str, page: Page) -> None:
        self.name, self.page = name, page
        self.faces = cycle((3, 5, 2, 6, 4, 1))

    def goes(self, address: str) -> None:
        """Follow an address that somebody gave them."""
        self.page.goto(address)
        self.looks()

    def opens(self, link: str | re.Pattern[str], *, within: str = "body") -> None:
        """Follow a link of the page."""
        follow(self.page.locator(within).get_by_role("link", name=link, exact=isinstance(link, str)).first)
        self.looks()

    def presses(self, button: str | re.Pattern[str] | Locator) -> None:
        """Press a button and wait until its form has been answered: with script in place, without by a new page."""
        if not isinstance(button, Locator):
            button = self.page.get_by_role("button", name=button, exact=isinstance(button, str)).first
        settle(self.page, button.click)
        self.looks()

    def looks(self) -> None:
        """What must be true of every page on the way: one head, nothing over the edge of a phone, nothing broken."""
        heads, over = self.page.evaluate(
            "[document.getElementsByTagName('h1').length,"
            " document.documentElement.scrollWidth - document.documentElement.clientWidth]"
        )
        assert heads == 1, self.page.url
        assert over <= 0, f"{self.page.url} runs {over} px over the edge."

    def enlists(self) -> None:
        """Fill the sign-up form in."""
        self.page.get_by_label("User name").fill(self.name)
        self.page.get_by_label("Password").fill(PASSWORD)
        follow(self.page.get_by_role("button", name=re.compile("^Sign up")))
        self.looks()

    # --- building

    def takes(self, offer: str) -> None:
        """Press the one act of an offer; where it asks for choices, take the first of each."""
        row = row_of(self.page, offer)
        row.evaluate("row => row.scrollIntoView({block: 'center'})")
        if act_of(row).evaluate("act => act.matches('button')"):
            self.presses(act_of(row))
            return
        follow(act_of(row))
        choices = self.page.locator("#offer_choices")
        for field in choices.locator("fieldset").all():
            field.locator("input").first.check()
        self.presses(choices.get_by_role("button"))

    # --- dice and decisions

    def throws(self, form: Locator) -> None:
        """Type one's own dice into a form and press for them."""
        for die in form.locator("fieldset.die").all():
            face = next(self.faces)
            if die.locator("input[type=number]").count():
                die.locator("input[type=number]").fill(str(face))
            elif die.locator("input").count():
                die.locator(f"input[value='{face}']").check(force=True)
            else:  # the faces of the last die send the form
                self.presses(die.locator(f"button[value='{face}']"))
                return
        self.presses(form.get_by_role("button", name="Enter my dice"))

    def decides(self, form: Locator, wanted: tuple[str, ...]) -> None:
        """Answer the decision of a form: the first that is wanted, else the first that is open; an even spread of what is given out."""
        asked = form.locator("fieldset.asked")
        words = asked.inner_text()
        if re.search(r"\d+ to give out", words):
            self.spreads(asked, int(re.search(r"(\d+) to give out", words)[1]))  # type: ignore[index]
        elif asked.locator("input[type=number]").count():
            field = asked.locator("input[type=number]")
            field.fill(field.get_attribute("min") or "0")
        elif asked.locator("button[name=choice], button[name^=share_]:not([id$=_all])").count():
            options = asked.locator("button[name=choice], button[name^=share_]:not([id$=_all])")
            open_ones = [button.get_attribute("value") or "" for button in options.all()]
            place = next((open_ones.index(value) for value in wanted if value in open_ones), 0)
            options.nth(place).evaluate("button => button.scrollIntoView({block: 'center'})")
            self.presses(options.nth(place))
            return
        else:
            few = re.search(r"Choose (\d+)", words)
            for box in asked.locator("input:enabled").all()[: int(few[1]) if few else 0]:
                box.evaluate("box => box.scrollIntoView({block: 'center'})")  # from under the strip
                box.check(force=True)
        confirms = form.get_by_role("button", name="Confirm")
        self.presses(confirms if confirms.count() else self.page.locator("#strip_confirm"))

    def spreads(self, asked: Locator, total: int) -> None:
        """Give a number out evenly over the shares of a decision."""
        shares = asked.locator(".shares > li").all()
        faces = bool(asked.locator(".share-faces").count())
        most = [
            share.locator("input").count() - 1 if faces else int(share.locator("input").get_attribute("max") or 0)
            for share in shares
        ]
        given = [0] * len(shares)
        while total:
            for place in range(len(shares)):
                if total and given[place] < most[place]:
                    given[place] += 1
                    total -= 1
        for share, number in zip(shares, given, strict=True):
            if faces:
                share.locator(f"input[value='{number}']").check(force=True)
            else:
                share.locator("input").fill(str(number))


def enlisted(open_page: Callable[..., Page], name: str, javascript: bool, address: str, link: str) -> Guest:
    """Somebody who came to an address and signed up there, or by a link of that page."""
    guest = Guest(name, open_page(javascript=javascript))
    guest.goes(address)
    if link:
        guest.opens(link, within="main")
    guest.enlists()
    return guest


def opens_campaign(cleo: Guest, edition: str = EDITION) -> str:
    """Cleo opens a campaign, of an edition or (for "") of the one the form comes with; returns the invitation that she hands out."""
    cleo.goes("/campaigns/")
    cleo.opens("Start a campaign", within="main")
    cleo.page.get_by_label("Name").fill("The Winter at Gallows Weir")
    if edition:
        cleo.page.locator("[name=game]").first.select_option(f"trench-crusade/{edition}")
    cleo.presses("Create campaign")
    return cleo.page.locator("#link_invite_link").inner_text().strip()


def founds(ada: Guest) -> None:
    """Ada sits down with a warband that she founds for her seat, arms it and declares it ready."""
    ada.opens(re.compile("^Standard"), within="main section:has(h2:text('New Antioch'))")
    ada.page.get_by_label("Name of the warband").fill("The Lantern Wardens")
    ada.presses("Create warband")
    if ada.page.locator("h1").inner_text() != "Hire":
        ada.opens(re.compile("^Hire"), within="#budget_bar")
    for profile in WANTED:
        ada.takes(profile)
    ada.opens("Equip them", within="#budget_bar")
    ada.takes("Sword / Axe")
    ada.takes("Standard Armour")
    bar = ada.page.locator("#budget_bar")
    while bar.get_by_role("link", name=re.compile("^Next: ")).count():
        ada.opens(re.compile("^Next: "), within="#budget_bar")
        ada.takes("Sword / Axe")
    ada.opens("Ready to play")
    ada.presses("Finish and lock in")


def brings(ben: Guest, roster: str = "The Gallows Choir", edition: str = EDITION) -> None:
    """Ben takes his seat first, copies a ready roster, and brings it."""
    seat = ben.page.url
    ben.goes(f"/warbands/new/?game=trench-crusade/{edition}")
    copy = re.compile(f"Use it ?: {roster}")
    shelf = ben.page.locator("details").filter(has=ben.page.get_by_role("button", name=copy, include_hidden=True))
    shelf.locator("summary").click()
    ben.presses(copy)
    ben.opens("Ready to play")
    ben.presses("Finish and lock in")
    ben.goes(seat)
    ben.opens(re.compile("seat|warband", re.I), within="main .waits")
    ben.page.locator("input[name=bring]:enabled").first.check(force=True)
    ben.presses("Bring warband")


def schedules(cleo: Guest) -> str:
    """Cleo sets the battle of the two; returns its address."""
    cleo.goes("/campaigns/")
    cleo.opens("The Winter at Gallows Weir", within="main")
    cleo.opens("Set up a battle", within="main")
    for seat in cleo.page.locator("input[name=seat]").all():
        seat.check(force=True)
    cleo.presses("Set up battle")
    return cleo.page.url


def musters(ada: Guest, ben: Guest, battle: str) -> None:
    """Ada rolls the scenario with dice of her own, Ben has the attacker rolled; both make ready with all that may go."""
    ada.goes(f"{battle}setup/")
    while (form := ada.page.locator("section.setup:has(#setup_scenario) form.stack")).count():
        if form.locator("fieldset.die").count():
            ada.throws(form)
        else:
            ada.decides(form, ())
    ben.goes(f"{battle}setup/")
    while (form := ben.page.locator("section.setup:has(#setup_attacker) form.stack")).count():
        if form.get_by_role("button", name="Roll for me").count():
            ben.presses(form.get_by_role("button", name="Roll for me"))
        else:
            ben.decides(form, ())
    for guest in (ada, ben):
        guest.goes(f"{battle}setup/")
        guest.presses(guest.page.locator("#force_bar").get_by_role("button", name="Ready"))


def reports(
    ben: Guest, battle: str, winner: str = "The Gallows Choir", loser: str = "The Lantern Wardens", hurt: int = 2
) -> None:
    """Ben won by 3 to 1: two of Ada's are out, her leader among them, and one of his; his first fighter did a deed."""
    ben.goes(f"{battle}report/")
    page = ben.page
    page.get_by_label(f"{winner} won").check(force=True)
    points = page.locator(".points-row").first
    points.get_by_label(winner).fill("3")
    points.get_by_label(loser).fill("1")
    mine, theirs = side_of(page, winner), side_of(page, loser)
    for side, names in ((mine, 1), (theirs, hurt)):
        for box in side.locator("input[name=out]").all()[:names]:
            box.check(force=True)
    if page.locator("#deeds ~ details").count():
        page.locator("#deeds ~ details > summary").click()
    page.locator("select[name^=deed_]").first.select_option(index=1)
    ben.presses(page.get_by_role("button", name=re.compile("^Send")))


def side_of(page: Page, warband: str) -> Locator:
    """The part of the report that tells of one side."""
    return page.locator("form.report-form section").filter(
        has=page.locator("h2", has_text=re.compile(rf"(^|: ){warband}$"))
    )


def confirms(ada: Guest, battle: str) -> None:
    """Ada reads the report and confirms it."""
    ada.goes(f"{battle}confirm/")
    ada.presses(re.compile("^Confirm"))


def begins(guest: Guest, battle: str) -> None:
    """Start the post-battle, from the battle's own page."""
    guest.goes(battle)
    guest.opens(re.compile("post-battle|Begin|follows", re.I), within="main")
    guest.presses("Start the post-battle")


def resolves(guest: Guest, sequence: str) -> list[str]:
    """Walk every step to the last one, with typed dice; returns the names of the steps in the order in which they came."""
    guest.goes(sequence)
    page, seen = guest.page, []
    for _ in range(150):
        step = page.locator("h1").inner_text()
        if not seen or seen[-1] != step:
            seen.append(step)
        strip = page.locator("#step_strip")
        if strip.get_by_role("button", name="Finish and print").count():
            return seen
        if strip.get_by_role("button", name=re.compile("^Next")).count():
            guest.presses(strip.get_by_role("button", name=re.compile("^Next")))
            continue
        settles(guest, page.locator("article.task:has(form.stack)").first)
    raise AssertionError(f"The sequence never came to an end: {seen}")


def settles(guest: Guest, task: Locator) -> None:
    """Do the next thing that a task asks for: dice, a decision, or writing it down."""
    if task.locator("details.task-open:not([open])").count():
        task.locator("details.task-open > summary").click()
    form = task.locator("form.stack")
    if form.locator("fieldset.die").count():
        guest.throws(form)
    elif form.locator("fieldset.asked").count():
        guest.decides(form, ("explore", "done", "keep", "no", "stop"))
    else:
        inside = form.get_by_role("button")
        guest.presses(inside if inside.count() else guest.page.locator("#strip_confirm"))


def dies_with_dice_on_the_table(guest: Guest, sequence: str, anew: Callable[[], Page]) -> None:
    """Type the first dice of a sequence in, lose the phone, and go on from the desk on another one: the dice lie there still."""
    guest.goes(sequence)
    task = guest.page.locator("article.task:has(form.stack)").first
    guest.throws(task.locator("form.stack"))
    kept = PostBattle.objects.get(warband__owner__username=guest.name).record["draws"]
    assert len(kept) == 1
    guest.page.context.close()
    guest.page = anew()
    guest.goes("/")
    guest.opens(re.compile("^Continue"), within="main .waits")
    expect(guest.page.locator("article.task .rolled")).not_to_have_count(0)
    assert PostBattle.objects.get(warband__owner__username=guest.name).record["draws"] == kept


def prints(guest: Guest) -> bytes:
    """Close the sequence by its print button and make the PDF; returns it."""
    guest.presses(guest.page.locator("#step_strip").get_by_role("button", name="Finish and print"))
    made: list[bytes] = []

    def fetched(route: Any) -> None:  # Chromium would open the PDF in a viewer of its own
        if route.request.method != "POST":
            route.continue_()
            return
        response = route.fetch()
        assert response.headers["content-type"] == "application/pdf"
        made.append(response.body())
        route.fulfill(status=200, content_type="text/html", body="<!doctype html><title>PDF</title><h1>PDF</h1>")

    guest.page.route("**/print/", fetched)
    guest.page.get_by_role("button", name="Create PDF").click()
    guest.page.get_by_role("heading", name="PDF", exact=True).wait_for()
    return made[0]


@pytest.mark.parametrize("javascript", [True, False] if WHOLE else [True], ids=CAMPAIGN_SETTINGS.get)
def test_a_whole_evening(open_page: Callable[..., Page], javascript: bool) -> None:
    cleo = enlisted(open_page, "cleo", javascript, "/", "Sign up")
    invitation = opens_campaign(cleo)
    ada = enlisted(open_page, "ada", javascript, f"{invitation}?bring=found", "")
    founds(ada)
    ben = enlisted(open_page, "ben", javascript, f"{invitation}?bring=later", "")
    brings(ben)
    wardens, choir = (Warband.objects.get(owner__username=name) for name in ("ada", "ben"))
    assert (wardens.is_founding, wardens.problem_count, wardens.fighter_count) == (False, 0, len(WANTED))
    assert (choir.is_founding, choir.problem_count) == (False, 0)

    battle = schedules(cleo)
    musters(ada, ben, battle)
    row = Battle.objects.get()
    assert (row.status, row.sides.filter(ready_at=None).count()) == (Battle.Status.MUSTERED, 0)

    reports(ben, battle)
    begins(ada, battle)  # before anybody confirmed
    assert Battle.objects.get().status == Battle.Status.REPORTED
    confirms(ada, battle)
    assert Battle.objects.get().status == Battle.Status.CONFIRMED
    begins(ben, battle)
    report = Report.objects.get()
    assert sum(len(fallen) for fallen in report.data["out"].values()) == 3
    assert len(report.data["deeds"]) == 1

    other_phone = partial(open_page, choir.owner, javascript=javascript)
    dies_with_dice_on_the_table(ben, f"{battle}post-battle/{choir.pk}/", other_phone)

    sheets = {}
    for guest, warband in ((ada, wardens), (ben, choir)):
        steps = resolves(guest, f"{battle}post-battle/{warband.pk}/")
        assert steps == [
            "Injuries",
            "Experience",
            "Promotions",
            "Threshold",
            "Reinforce or explore",
            "Explore",
            "Quartermaster",
            "Roster",
        ]
        sequence = PostBattle.objects.get(warband=warband)
        assert {draw["origin"] for draws in sequence.record["draws"].values() for draw in draws} == {"typed"}
        assert sequence.record["draws"]["exploration"]
        sheets[warband.pk] = prints(guest)
        assert PostBattle.objects.get(warband=warband).closed_at is not None
        stories.assert_reconciled(warband)
    assert Battle.objects.get().status == Battle.Status.CLOSED

    assert sheets[wardens.pk].startswith(b"%PDF")
    text = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(sheets[wardens.pk])).pages)
    for fighter in Fighter.objects.live().filter(warband=wardens, status=Fighter.Status.ACTIVE):
        assert fighter.name in text
    assert Item.objects.live().filter(warband=wardens).exists()

    cleo.goes("/campaigns/")
    cleo.opens("The Winter at Gallows Weir", within="main")
    rows = [
        [cell.strip().split("\n")[0] for cell in row.inner_text().split("\t")[:3]]
        for row in cleo.page.locator("table.standings tbody tr").all()
    ]
    assert rows == [["1", "The Gallows Choir", "3"], ["2", "The Lantern Wardens", "1"]]
