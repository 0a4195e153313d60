"""Camp in a browser: a promise settled, a scar healed, a choice made and a team declared, on a phone, with and without script."""

import re
from typing import Any

import pytest
from django.urls import reverse

from rules.consequences import Money, Owes, SetFighter, SetWarband
from rules.price import Price
from tests import stories as s
from tests.browser.answered import follow
from tests.browser.looks import examine, visit
from warbands.models import Promise, Warband
from warbands.recording import recording
from warbands.services.consequences import carry_out

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def warband(ada: Any) -> Warband:
    made = s.camp(ada)
    ilse = str(s.fighter(made, "Ilse Brandt").pk)
    wound = {"id": "leg-wound", "scar": True, "details": {}, "battle": 1}
    with recording(made, kind="write", actor=ada) as act:
        carry_out(
            act,
            made,
            [
                Money(Price(glory=4), "Deeds"),
                SetFighter(ilse, ("traumas", "t1"), wound),
                SetFighter(ilse, ("skills", "s1"), {"id": "knowledge-of-science", "choices": {}}),
                SetWarband(("lasting", "l1"), {"id": "curative-fluids", "choices": {}}),
                Owes("find", "One Glory Item open to the warband.", "", {"location": "treasure-of-the-holies"}),
            ],
        )
        act.say("{who} wrote it down.")
    return s.fresh(made)


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_an_evening_in_camp(ada: Any, warband: Warband, signed_in_page: Any, javascript: bool) -> None:
    page = signed_in_page(ada, javascript=javascript)
    page.goto(reverse("stash-show", args=[warband.pk]))
    follow(page.get_by_role("link", name="Use your finds"))

    follow(page.get_by_role("link", name=re.compile("Use it.*Curative Fluids")))
    page.get_by_label("Ilse Brandt").check()
    page.get_by_role("button", name="Confirm").click()
    page.get_by_text("Leg Wound leaves Ilse Brandt.").wait_for()
    page.get_by_role("button", name="Confirm").click()
    page.get_by_text("You wrote down: Curative Fluids healed Ilse Brandt: Leg Wound.").wait_for()
    assert s.fighter(warband, "Ilse Brandt").state["traumas"] == {}

    follow(page.get_by_role("link", name=re.compile("Collect")))
    page.get_by_label("Troop Flag").check()
    page.get_by_role("button", name="Confirm").click()
    page.get_by_role("button", name="Collect", exact=True).click()
    page.get_by_text("You settled what was owed: Treasure of the Holies: Troop Flag.").wait_for()
    assert Promise.objects.get().status == Promise.Status.SETTLED

    ilse = s.fighter(warband, "Ilse Brandt").pk
    page.goto(f"{reverse('warband-show', args=[warband.pk])}?fighter={ilse}#fighter_card_{ilse}")
    follow(page.locator(f"#fighter_panel_{ilse}").get_by_role("link", name=re.compile("^Choose ")))
    page.get_by_label("Which limit rises?").select_option(label="Machine Gun")
    page.get_by_role("button", name=re.compile("Choose it")).click()
    page.get_by_text("All choices are made.").wait_for()

    page.goto(reverse("team-list", args=[warband.pk]))
    page.get_by_label("First").first.select_option(label="Ottla")
    page.get_by_label("Second").first.select_option(label="Matthias")
    page.get_by_role("button", name="Declare them").click()
    page.get_by_text("You declared Fireteams: Ottla with Matthias.").wait_for()
    page.goto(reverse("warband-show", args=[warband.pk]))
    page.get_by_text("Fireteam: Matthias").wait_for()
    s.assert_reconciled(warband)


def test_the_pages_of_camp_are_sound(ada: Any, warband: Warband, signed_in_page: Any, axe: Any) -> None:
    page = signed_in_page(ada)
    ilse = s.fighter(warband, "Ilse Brandt").pk
    find = reverse("find-use", args=[warband.pk, "find-l1"])
    addresses = (
        *(reverse(name, args=[warband.pk]) for name in ("camp-show", "choice-list", "team-list")),
        find,
        f"{find}?c-who={ilse}",
        f"{find}?c-who=nobody",
        reverse("promise-settle", args=[Promise.objects.get().pk]),
    )
    for place, address in enumerate(addresses):
        visit(page, address)
        examine(page, axe, place)
