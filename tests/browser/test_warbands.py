"""The pages of a warband in a browser: a newcomer builds one, on a phone, by keyboard, with and without script."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import stories
from tests.browser.answered import follow, settle
from tests.browser.looks import LOOKS, examine, fits, put, sideways, visit
from tests.browser.rows import act_of, row_of
from tests.drills import sampled
from warbands.models import Fighter, Warband
from warbands.services.sharing import share_warband

pytestmark = pytest.mark.django_db(transaction=True)

WANTED = ("Lieutenant", "Trench Cleric", "Shocktrooper", "Yeoman", "Yeoman", "Yeoman", "Yeoman")


def take(page, name):
    """Press the button of an offer."""
    row = row_of(page, name)
    row.evaluate("row => row.scrollIntoView({block: 'center'})")
    settle(page, act_of(row).click)


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_a_newcomer_builds_a_legal_warband(ada, signed_in_page, javascript):
    warband = stories.found(ada, terms=stories.terms("trench-crusade", "1.0"))
    page = signed_in_page(ada, javascript=javascript)
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    for profile in WANTED:
        take(page, profile)
    expect(page.get_by_role("heading", level=1)).to_have_text("Hire", use_inner_text=True)  # a hire stays on the page
    assert Fighter.objects.count() == len(WANTED)

    follow(page.locator("#budget_bar").get_by_role("link", name="Equip them"))
    for item in ("Sword/Axe", "Standard Armour"):
        take(page, item)
        page.locator("#kit .good").filter(has_text=item).wait_for()
    page.goto(reverse("warband-ready", args=[warband.pk]))
    settle(page, page.get_by_role("button", name="Finish and lock in").click)
    warband = Warband.objects.get()
    assert not warband.is_founding
    assert warband.problem_count == 0
    assert warband.fighter_count == len(WANTED)
    stories.assert_reconciled(warband)


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_the_bar_undoes_what_was_done(ada, signed_in_page, javascript):
    warband = stories.small_warband(ada)
    page = signed_in_page(ada, javascript=javascript)
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    take(page, "Yeoman")
    follow(page.locator("#just_done").get_by_role("button", name="Undo"))
    assert Fighter.objects.live().filter(warband=warband).count() == 3


def test_a_hire_by_keyboard_keeps_the_focus_on_the_button(ada, signed_in_page):
    warband = stories.small_warband(ada)
    page = signed_in_page(ada, width=1280)
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    button = act_of(row_of(page, "Yeoman"))
    key = button.get_attribute("id")
    button.focus()
    for _ in range(2):
        settle(page, lambda: page.keyboard.press("Enter"))
        page.wait_for_function("key => document.activeElement.id === key", arg=key)
    assert Fighter.objects.live().filter(warband=warband).count() == 5


def test_what_the_server_took_is_no_draft_on_the_page_that_answers(ada, signed_in_page):
    warband = stories.small_warband(ada)
    page = signed_in_page(ada)
    page.goto(reverse("warband-share", args=[warband.pk]))
    page.get_by_label("Name").fill("For the club")
    page.get_by_role("button", name="Create link").click()
    page.get_by_role("heading", name="Links").wait_for()
    expect(page.get_by_label("Name")).to_have_value("")
    expect(page.get_by_text("Kept from")).to_have_count(0)


def test_one_long_word_for_a_name_gives_way(ada, signed_in_page):
    warband = stories.small_warband(ada)
    ottla = stories.fighter(warband, "Ottla")
    Warband.objects.filter(pk=warband.pk).update(name="W" * 80)
    Fighter.objects.filter(pk=ottla.pk).update(name="W" * 80)
    page = signed_in_page(ada)
    for name, pk in (("warband-show", warband.pk), ("fighter-show", ottla.pk), ("kit-buy", ottla.pk)):
        page.goto(reverse(name, args=[pk]))
        assert sideways(page) <= 0, name


def test_an_open_menu_comes_into_view_whole(ada, signed_in_page):
    warband = stories.small_warband(ada)
    page = signed_in_page(ada)
    page.goto(reverse("warband-show", args=[warband.pk]))
    menu = page.locator(".page-head .menu")
    menu.locator("summary").click()
    last = menu.locator("li").last
    last.wait_for()
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    box, bar = last.bounding_box(), page.locator("#budget_bar").bounding_box()
    assert box["y"] + box["height"] <= bar["y"]


def test_a_refusal_takes_the_focus_and_says_why(ada, signed_in_page):
    warband = stories.small_warband(ada)
    page = signed_in_page(ada)
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    stories.hire(warband, "Yeoman", "Hedvig")
    settle(page, act_of(row_of(page, "Yeoman")).click)
    page.get_by_text("While this page was open:").wait_for()
    page.wait_for_function("document.activeElement.id === 'answer'")
    settle(page, page.get_by_role("button", name="Do it anyway").click)
    page.locator("#just_done").get_by_text("Hired Yeoman").wait_for()
    assert Fighter.objects.live().filter(warband=warband).count() == 5


def test_the_hiring_page_answers_while_one_types(ada, signed_in_page):
    warband = stories.small_warband(ada)
    page = signed_in_page(ada)
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    find = page.get_by_label("Find a fighter by name or by what it does")
    find.type("yeom")
    row_of(page, "Shocktrooper").wait_for(state="detached")
    expect(row_of(page, "Yeoman")).to_have_count(1)
    assert page.evaluate("document.activeElement.id") == find.get_attribute("id")
    assert "find=yeom" in page.url
    find.fill("")
    row_of(page, "Shocktrooper").wait_for()
    closed = page.locator("#hire details.fold").first
    expect(closed.locator("li").first).to_be_hidden()  # what is locked for one reason is one folded line
    closed.locator("summary").click()
    expect(closed.locator("li").first).to_be_visible()


def test_rules_answer_while_one_types(phone, db):
    phone.goto("/rules/")
    phone.get_by_label("Find by name").type("bayonet")
    phone.get_by_role("link", name="Bayonet", exact=True).wait_for()
    phone.get_by_role("link", name="Automatic Pistol").wait_for(state="detached")
    follow(phone.get_by_role("link", name="Bayonet", exact=True))
    phone.get_by_role("heading", level=1, name="Bayonet").wait_for()


SMALL = """() => [...document.querySelectorAll('main button, main .button, main input:not([type=hidden]), main select')]
    .filter(e => e.checkVisibility() && !e.closest('label.choice'))
    .filter(e => Math.round(e.getBoundingClientRect().height) < 44 && !e.matches('[type=radio],[type=checkbox]'))
    .map(e => e.outerHTML.slice(0, 120))"""


def test_every_page_is_clean_and_fits(ada, signed_in_page, axe):
    warband = stories.small_warband(ada)
    ottla = stories.fighter(warband, "Ottla")
    (mask,) = stories.equip(ottla, "Gas Mask")
    stories.stock(warband, "Gas Mask")
    link = share_warband(warband=warband, actor=ada)
    event = stories.last_event(warband)
    page = signed_in_page(ada)
    addresses = ["/warbands/", "/warbands/import/", "/rules/", "/warbands/new/"]
    addresses += [
        "/warbands/new/?game=trench-crusade/1.6.3",
        "/warbands/new/?game=trench-crusade/1.6.3&list=new-antioch",
    ]
    of_it = ("show", "ready", "change", "share", "disband")
    addresses += [reverse(f"warband-{name}", args=[warband.pk]) for name in of_it]
    addresses += [
        reverse(name, args=[warband.pk]) for name in ("fighter-hire", "stash-show", "ledger-list", "history-show")
    ]
    of_a_fighter = (
        "fighter-show",
        "kit-buy",
        "upgrade-buy",
        "fighter-rename",
        "fighter-note",
        "fighter-move",
        "fighter-copy",
    )
    addresses += [reverse(name, args=[ottla.pk]) for name in (*of_a_fighter, "fighter-dismiss")]
    addresses += [reverse(f"item-{name}", args=[mask.pk]) for name in ("give", "swap", "stash", "sell", "return")]
    addresses += [reverse("event-undo", args=[event.pk]), reverse("warband-watch", args=[link.slug])]
    addresses += [reverse("rule-show", args=["trench-crusade", "1.6.3", "item", "bayonet"])]
    closely = sampled(addresses, 6)  # test_every_page lets axe look at all of these
    for place, address in enumerate(sampled(addresses, 16, always=closely)):
        visit(page, address)
        expect(page.get_by_role("heading", level=1), address).to_have_count(1)
        for look in LOOKS[:2]:  # a phone and a desktop
            put(page, look)
            assert page.evaluate(SMALL) == [], address
        if address in closely:
            examine(page, axe, place)
        else:
            fits(page)
