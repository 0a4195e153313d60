"""Forces of own profiles in a browser: found, filled, put wrong and right again, shared; a battle with losses written down."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.models import PostBattle
from tests import campaign_stories as c
from tests import stories as s
from tests.browser.answered import follow, settle
from tests.browser.looks import examine, visit
from tests.browser.rows import act_of, row_of
from warbands.models import Fighter, Warband

pytestmark = pytest.mark.django_db(transaction=True)

FIVE = ("Sample officer", "Sample rifles", "Sample rifles", "Sample machine gun team", "Sample scouts")


def press(page: Any, name: str) -> None:
    row = row_of(page, name)
    row.evaluate("row => row.scrollIntoView({block: 'center'})")
    settle(page, act_of(row).click)


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_a_force_is_founded_filled_mended_and_shared(
    ada: Any, signed_in_page: Any, open_page: Any, javascript: bool
) -> None:
    page = signed_in_page(ada, javascript=javascript)
    page.goto("/warbands/new/?game=gloom-trench/core")
    page.get_by_label("Name", exact=True).fill("The Grey Column")
    page.get_by_text(re.compile("^More: what it is for")).click()
    page.get_by_label("Scale").select_option("15mm")
    page.get_by_label("Points limit").fill("60")
    settle(page, page.get_by_role("button", name="Create force").click)
    for name in FIVE:
        press(page, name)
    expect(page.locator("#budget_bar")).to_contain_text("43 / 60", use_inner_text=True)
    follow(page.locator("#budget_bar").get_by_role("link", name="Done"))
    force = Warband.objects.get()
    assert (force.fighter_count, force.problem_count, force.rating_ducats) == (5, 0, 43)

    # Somebody sends men away, and the officer; the page says what that means, and undo brings him back.
    rifles = Fighter.objects.filter(profile_id="sample-rifles")[0]
    page.goto(f"{reverse('choice-list', args=[force.pk])}#choices_{rifles.pk}")
    group = page.locator(f"#choices_{rifles.pk}")
    follow(group.get_by_role("link", name=re.compile(r"Change\s*: How many: Rifle")))
    page.get_by_label("How many: Rifle").select_option("4")
    settle(page, page.get_by_role("button", name=re.compile("Choose it")).first.click)
    page.goto(reverse("warband-show", args=[force.pk]))
    page.get_by_text("Strength: 4 Rifle, 1 NCO").wait_for()

    officer = Fighter.objects.get(profile_id="sample-officer")
    page.goto(reverse("fighter-dismiss", args=[officer.pk]))
    settle(page, page.get_by_role("button", name=re.compile("Dismiss")).click)
    page.get_by_text("Worth knowing").click()
    page.get_by_text(re.compile("The force has no Commander")).wait_for()
    follow(page.locator("#just_done").get_by_role("button", name="Undo"))
    assert s.fresh(force).fighter_count == 5

    page.goto(reverse("warband-share", args=[force.pk]))
    page.get_by_label("Name").fill("The club")
    settle(page, page.get_by_role("button", name="Create link").click)
    address = page.locator(".share-address").inner_text()
    stranger = open_page(javascript=javascript)
    stranger.goto(address[address.index("/s/") :])
    stranger.get_by_role("heading", name="The Grey Column").wait_for()
    stranger.get_by_text("43 pts").wait_for()


@pytest.mark.parametrize("game", ["gloom-trench", "trench-too-far"])
def test_the_pages_of_a_force_fit_and_axe_finds_nothing(ada: Any, signed_in_page: Any, axe: Any, game: str) -> None:
    terms = s.terms(game, "core")
    from warbands.services.founding import copy_sample

    force = copy_sample(actor=ada, owner=ada, terms=terms, sample_id=terms.game.founding.samples(terms.content)[0][0])
    unit = Fighter.objects.filter(warband=force)[1]
    page = signed_in_page(ada)
    addresses = (
        reverse("warband-show", args=[force.pk]),
        reverse("fighter-hire", args=[force.pk]),
        reverse("fighter-show", args=[unit.pk]),
        reverse("choice-list", args=[force.pk]),
        f"{reverse('warband-found')}?game={game}/core",
    )
    for place, address in enumerate(addresses, game == "gloom-trench"):  # of the other game in another look
        visit(page, address)
        examine(page, axe, place)


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_losses_are_reported_written_and_made_good(
    ada: Any, ben: Any, cleo: Any, signed_in_page: Any, javascript: bool
) -> None:
    campaign = c.open_campaign(actor=cleo, name="The Wire", system="gloom-trench", edition="")
    made = c.Club(campaign, cleo)
    c.joins(made, ada, sample="lamplight-column")
    c.joins(made, ben, sample="red-ford-company")
    battle = c.mustered(made, ada, ben, scenario="open-battle")
    page = signed_in_page(ada, javascript=javascript)
    page.goto(reverse("battle-report", args=[battle.pk]))
    page.get_by_label("The Lamplight Column won").check()
    page.get_by_label("Lost: Rifle, First Rifles").fill("2")
    page.get_by_role("button", name=re.compile("^Send")).click()
    page.get_by_text("First Rifles: 2 Rifle").wait_for()

    follow(page.get_by_role("link", name="Start the post-battle"))
    settle(page, page.get_by_role("button", name="Start the post-battle").click)
    settle(page, page.locator("#strip_confirm").click)
    page.get_by_text("First Rifles loses 2 Rifle; 6 left.").wait_for()
    assert PostBattle.objects.get(side__warband__owner=ada).record["written"]

    unit = Fighter.objects.get(name="First Rifles")
    page.goto(reverse("fighter-show", args=[unit.pk]))
    page.locator("details.fold", has_text="5 of 7 Rifle").locator("> summary").click()
    page.get_by_text("Strength: 5 of 7 Rifle, 1 NCO").wait_for()
    follow(page.get_by_role("link", name=re.compile("Replace the losses")))
    page.get_by_text("Back to strength").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Confirm").click()
    settle(page, page.locator("main form[method=post] button.button-main").click)
    page.locator("details.fold", has_text="7 Rifle, 1 NCO").locator("> summary").click()
    page.get_by_text("7 Rifle, 1 NCO").first.wait_for()
