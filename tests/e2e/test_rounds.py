"""A round of a campaign of the newest edition, on phones without script: opened as the form comes, mustered, fought, told, resolved, standing.

With script the same is walked by test_evening.py; under `make drills` here as well, and three rounds of it.

The words on the way are the edition's own. Nothing is written but by pressing what stands on a page.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import Battle, Campaign, PostBattle
from tests import stories
from tests.drills import WHOLE
from tests.e2e.test_evening import (
    CAMPAIGN_SETTINGS,
    Guest,
    begins,
    brings,
    confirms,
    enlisted,
    musters,
    opens_campaign,
    prints,
    reports,
    resolves,
    schedules,
)
from warbands.models import Warband

pytestmark = pytest.mark.django_db(transaction=True)

STEPS = ["Trauma", "Promotions & Experience", "Reinforcements", "Exploration", "Quartermaster", "Roster"]
ROUNDS = 3 if WHOLE else 1
BOG, CHOIR = "Sons of the Bog", "The Gallows Choir"


@pytest.mark.parametrize("javascript", [True, False] if WHOLE else [False], ids=CAMPAIGN_SETTINGS.get)
def test_rounds_by_the_newest_edition(open_page: Callable[..., Page], javascript: bool) -> None:
    cleo = enlisted(open_page, "cleo", javascript, "/", "Sign up")
    invitation = opens_campaign(cleo, "")
    campaign = Campaign.objects.get()
    edition = campaign.terms.edition
    assert edition == campaign.terms.game.editions()[0] == "1.0"
    people: dict[str, Guest] = {}
    for name, roster in (("ada", BOG), ("ben", CHOIR)):
        people[name] = enlisted(open_page, name, javascript, f"{invitation}?bring=later", "")
        brings(people[name], roster, edition)
    ada, ben = people["ada"], people["ben"]
    warbands = {name: Warband.objects.get(owner__username=name) for name in people}
    assert {(w.terms.edition, w.is_founding, w.problem_count) for w in warbands.values()} == {("1.0", False, 0)}

    for number in range(1, ROUNDS + 1):
        battle = schedules(cleo)
        musters(ada, ben, battle)
        reports(ben, battle, CHOIR, BOG)
        confirms(ada, battle)
        for name, guest in people.items():
            begins(guest, battle)
            walked = resolves(guest, f"{battle}post-battle/{warbands[name].pk}/")
            assert [step for step in walked if step in STEPS] == walked
            assert walked[0] == "Trauma"
            assert walked[-1] == "Roster"
            assert prints(guest).startswith(b"%PDF")
            stories.assert_reconciled(Warband.objects.get(pk=warbands[name].pk))
        assert Battle.objects.latest("pk").status == Battle.Status.CLOSED
        assert PostBattle.objects.exclude(closed_at=None).count() == 2 * number

    ada.goes(f"/warbands/{warbands['ada'].pk}/stash/")
    expect(ada.page.get_by_role("link", name="Arsenal")).not_to_have_count(0)
    expect(ada.page.locator("main")).not_to_contain_text("Stash", use_inner_text=True)
    cleo.goes("/campaigns/")
    cleo.opens("The Winter at Gallows Weir", within="main")
    rows = [
        [cell.strip().split("\n")[0] for cell in row.inner_text().split("\t")[:3]]
        for row in cleo.page.locator("table.standings tbody tr").all()
    ]
    assert rows == [["1", CHOIR, str(15 * ROUNDS)], ["2", BOG, str(7 * ROUNDS)]]
