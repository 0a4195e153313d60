"""Changes to a roster are tried in a browser: with and without script, on a phone and a desktop."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests import stories
from tests.browser.answered import follow, settle
from tests.browser.looks import LOOKS, fits, put, thumbs
from warbands.models import Fighter, RosterDraft

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_changes_are_tried_and_applied(ada: Any, signed_in_page: Any, javascript: bool) -> None:
    warband = stories.small_warband(ada)
    count = Fighter.objects.count()
    page = signed_in_page(ada, javascript=javascript)
    page.goto(f"/warbands/{warband.pk}/")
    page.locator("header summary").first.click()
    follow(page.get_by_role("link", name="Try changes"))
    settle(page, page.get_by_role("button", name="Start a draft").click)
    band = page.locator("#draft_band")
    expect(band).to_contain_text("Draft: not saved to the roster")
    expect(band).to_contain_text("0 changes")
    page.goto(f"{page.url.split('?')[0]}hire/")
    settle(page, page.get_by_role("button", name="Hire: Yeoman", exact=True).click)
    expect(page.locator("#draft_band")).to_contain_text("1 change")
    assert Fighter.objects.count() == count
    follow(page.locator("#draft_band").get_by_role("link", name="1 change"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Draft 1", use_inner_text=True)
    settle(page, page.get_by_role("button", name="Apply 1 change").click)
    expect(page.locator("#draft_band")).to_have_count(0)
    assert Fighter.objects.count() == count + 1
    assert not RosterDraft.objects.exists()


def test_the_pages_of_drafts_are_clean_in_every_look(ada: Any, signed_in_page: Any, axe: Any) -> None:
    from warbands.drafting import trying
    from warbands.services.drafts import keep_acts, start_draft

    warband = stories.fresh(stories.small_warband(ada))
    drafts = [start_draft(warband=warband, actor=ada) for _number in range(2)]
    with trying(drafts[0], ada) as run:
        stories.hire(run.warband(), "Yeoman", "Niamh")
        stories.equip(stories.fighter(run.warband(), "Ottla"), "Bayonet")
    keep_acts(run)
    stories.part(stories.fighter(warband, "Ottla"))
    mine, theirs = (draft.pk for draft in drafts)
    page = signed_in_page(ada)
    for place, address in enumerate(
        (
            f"/warbands/{warband.pk}/drafts/",
            f"/drafts/{mine}/",
            f"/warbands/{warband.pk}/drafts/compare/?a={mine}&b={theirs}",
            f"/drafts/{mine}/warbands/{warband.pk}/",
            f"/drafts/{theirs}/warbands/{warband.pk}/stash/",
        )
    ):
        assert page.goto(address).status == 200
        fits(page)
        thumbs(page)
        for look in (LOOKS[place % 4], LOOKS[(place + 1) % 4]):
            put(page, look)
            axe(page)
