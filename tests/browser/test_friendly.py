"""A friendly battle and the check of its dice in a browser: by code, on two phones, with and without script, clean for axe."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Battle
from campaigns.services.muster import make_side_ready
from tests.browser.answered import follow, settle
from tests.browser.looks import examine, visit
from tests.browser.test_campaigns import SMALL
from warbands.services.founding import copy_sample, terms_for

pytestmark = pytest.mark.django_db(transaction=True)


def has_warband(user: Any, sample: str) -> None:
    copy_sample(actor=user, owner=user, terms=terms_for("trench-crusade", "1.6.3"), sample_id=sample)


def clean(page: Any, axe: Any, place: int) -> None:
    assert page.evaluate(SMALL) == [], page.url
    examine(page, axe, place)


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_two_phones_meet_by_a_code_and_check_the_seal(
    signed_in_page: Any, axe: Any, ada: Any, ben: Any, javascript: bool
) -> None:
    has_warband(ada, "lantern-wardens")
    has_warband(ben, "gallows-choir")
    mine, theirs = (signed_in_page(user, javascript=javascript) for user in (ada, ben))
    visit(mine, "/")
    follow(mine.get_by_role("link", name="Play a friendly battle"))
    if javascript:
        clean(mine, axe, 0)
    settle(mine, mine.get_by_role("button", name="Get the code").click)
    code = mine.locator("b", has_text=re.compile(r"^\w{4}-\w{4}$")).inner_text()
    if javascript:
        clean(mine, axe, 2)
    visit(theirs, reverse("friendly-start"))
    theirs.get_by_role("textbox", name="Code").fill(code.lower())
    with theirs.expect_navigation():
        theirs.get_by_role("button", name="Open", exact=True).click()
    if javascript:
        clean(theirs, axe, 1)
    settle(theirs, theirs.get_by_role("button", name="Play", exact=True).click)
    battle = Battle.objects.get()
    assert theirs.url.endswith(reverse("battle-show", args=[battle.pk]))
    for side in battle.sides.select_related("battle__campaign__terms", "seat__user", "warband__terms"):
        make_side_ready(side=side, actor=side.warband.owner)
    visit(mine, reverse("battle-track", args=[battle.pk]))
    settle(mine, mine.get_by_role("button", name="Start tracking").click)
    visit(theirs, reverse("battle-track", args=[battle.pk]))
    seals = {page.get_by_text("Dice sealed:").first.inner_text() for page in (mine, theirs)}
    assert len(seals) == 1
    visit(theirs, reverse("dice-check", args=[battle.pk]))
    assert seals.pop().removeprefix("Dice sealed: ").rstrip("…") in theirs.content()
    if javascript:
        clean(theirs, axe, 3)
