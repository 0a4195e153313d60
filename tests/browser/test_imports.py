"""A paper roster of nine fighters on a phone, counted in taps and pages; the pasted text by eye; both without script."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests import roster_files as made
from tests import stories as s
from tests.browser.answered import follow
from tests.browser.looks import examine, sideways, visit
from tests.browser.taps import Thumb, promised
from warbands.models import Fighter, PaperDraft, Warband

pytestmark = pytest.mark.django_db(transaction=True)

NINE: tuple[dict[str, Any], ...] = (
    {"name": "Ilse Brandt", "profile": "Lieutenant", "kit": "Automatic Pistol, Sword / Axe, Standard Armour", "experience": 4, "skill": "Sharp Eyes", "wound": "Leg Wound"},
    {"name": "Br. Anselm", "profile": "Sniper Priest", "kit": "Sniper Rifle", "experience": 2, "skill": "Hunter"},
    {"name": "Sister Agnes", "profile": "Trench Cleric", "kit": "Pistol / Revolver, Trench Club"},
    {"name": "Jonas", "profile": "Shocktrooper", "kit": "Shotgun, Combat Helmet"},
    {"name": "Kolya", "profile": "Shocktrooper", "alike": True},
    {"name": "Ottla", "profile": "Yeoman", "kit": "Bolt-Action Rifle, Bayonet"},
    {"name": "Matthias", "profile": "Yeoman", "alike": True},
    {"name": "Hedvig", "profile": "Yeoman", "alike": True},
    {"name": "Tam", "profile": "Combat Engineer", "kit": "Shotgun, Gas Mask"},
)  # fmt: skip


def copy_off(thumb: Thumb, fighter: dict[str, Any]) -> None:
    """Fill one fighter's page."""
    page = thumb.page
    thumb.type(page.locator("#id_name"), fighter["name"])
    if not fighter.get("alike"):
        thumb.type(page.locator("#id_profile"), fighter["profile"])
        thumb.type(page.locator("#id_kit_0"), fighter["kit"])
    if "experience" in fighter:
        thumb.open(page.get_by_text("Experience, skills, scars"))
        thumb.type(page.locator("#id_experience"), str(fighter["experience"]))
        thumb.type(page.locator("#id_skill_0"), fighter["skill"])
        if "wound" in fighter:
            thumb.type(page.locator("#id_wound_0"), fighter["wound"])


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_a_warband_of_nine_comes_from_paper_in_few_taps(
    ada: Any, signed_in_page: Any, axe: Any, javascript: bool
) -> None:
    page = signed_in_page(ada, javascript=javascript)
    page.goto("/warbands/")
    thumb = Thumb(page)
    thumb.go(page.get_by_role("link", name=re.compile("^Import a warband")))
    thumb.go(page.get_by_role("link", name="Enter from paper"))
    thumb.choose(page.locator("#id_list_id"), "new-antioch")
    thumb.type(page.locator("#id_name"), "The Lantern Wardens")
    for field, number in (("fought", "3"), ("ducats", "84"), ("glory", "4")):
        thumb.type(page.locator(f"#id_{field}"), number)
    thumb.go(page.get_by_role("button", name=re.compile("^Next: the first")))
    for number, fighter in enumerate(NINE, 1):
        expect(page.get_by_role("heading", level=1)).to_have_text(
            re.compile(rf"^(Fighter|Model) {number}$"), use_inner_text=True
        )
        copy_off(thumb, fighter)
        assert sideways(page) <= 0
        following = NINE[number] if number < len(NINE) else None
        name = "Done" if following is None else "Next: same again" if following.get("alike") else "Next"
        thumb.go(page.get_by_role("button", name=name, exact=True))
    if javascript:
        axe(page)
    thumb.go(page.get_by_role("button", name="Import"))
    warband = Warband.objects.get()
    assert page.url.endswith(f"/warbands/{warband.pk}/")
    assert [f.name for f in Fighter.objects.order_by("position")] == [f["name"] for f in NINE]
    assert s.kit_of(s.fighter(warband, "Hedvig")) == ["bayonet", "bolt-action-rifle"]
    assert s.fighter(warband, "Ilse Brandt").state["experience"] == 4
    s.assert_reconciled(warband)
    thumb.keeps(promised("A running warband of nine fighters"))


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_a_file_with_nothing_open_becomes_a_roster_in_few_taps(ada: Any, signed_in_page: Any, javascript: bool) -> None:
    page = signed_in_page(ada, javascript=javascript)
    page.goto("/warbands/")
    thumb = Thumb(page)
    thumb.go(page.get_by_role("link", name=re.compile("^Import a warband")))
    file = {"name": "choir.json", "mimeType": "application/json", "buffer": made.as_json(made.choir())}
    page.locator("input[type=file]").set_input_files(file)
    thumb.taps += 2  # the field, and the file in the phone's own list
    thumb.go(page.get_by_role("button", name="Read the file"))
    assert sideways(page) <= 0
    thumb.go(page.get_by_role("button", name="Import"))
    warband = Warband.objects.get()
    assert page.url.endswith(f"/warbands/{warband.pk}/")
    assert Fighter.objects.count() == 4
    thumb.keeps(promised("A roster file of another program"))


def test_a_tab_that_is_lost_loses_one_page_at_the_most(ada: Any, signed_in_page: Any) -> None:
    page = signed_in_page(ada)
    page.goto("/warbands/bring/paper/")
    page.locator("#id_list_id").select_option("new-antioch")
    page.locator("#id_name").fill("The Lantern Wardens")
    page.get_by_role("button", name=re.compile("^Next: the first")).click()
    thumb = Thumb(page)
    copy_off(thumb, NINE[0])
    thumb.go(page.get_by_role("button", name="Next", exact=True))
    page.locator("#id_name").fill("Half typed")
    page.close()
    page = signed_in_page(ada, width=1280)
    page.goto("/warbands/bring/")
    follow(page.get_by_role("link", name="Continue with The Lantern Wardens"))
    follow(page.get_by_role("link", name="Ilse Brandt").first)
    expect(page.locator("#id_kit_1")).to_have_value("Sword / Axe")
    assert PaperDraft.objects.count() == 1


def test_a_pasted_text_is_settled_line_by_line(ada: Any, signed_in_page: Any, axe: Any) -> None:
    page = signed_in_page(ada)
    page.goto("/warbands/bring/text/")
    examine(page, axe, 3)
    page.get_by_label("The roster as text").fill(
        "The Lantern Wardens\nNew Antioch\nIlse Brandt - Lieutenant (70): Automatic Pistol, Bolt-Acton Rifle\n3x Yeoman\nTeapot"
    )
    page.get_by_role("button", name="Read the roster").click()
    page.get_by_role("button", name="Create fighters").wait_for()
    examine(page, axe, 0)
    page.get_by_role("button", name="Create fighters").click()
    page.get_by_text("1 name to check.").wait_for()
    examine(page, axe, 2)
    page.get_by_label("“Teapot”", exact=True).select_option(label="Skip it")
    page.get_by_role("button", name="Create fighters").click()
    page.get_by_role("heading", name="Models 4").wait_for()
    examine(page, axe, 1)
    page.get_by_role("button", name="Import").click()
    page.get_by_role("heading", name="The Lantern Wardens").wait_for()
    assert Fighter.objects.count() == 4


def test_the_pages_are_open_to_all(ada: Any, signed_in_page: Any, axe: Any) -> None:
    page = signed_in_page(ada)
    for place, address in enumerate(("/warbands/bring/", "/warbands/bring/paper/", "/warbands/import/")):
        visit(page, address)
        examine(page, axe, place)
    visit(page, "/warbands/bring/paper/")
    page.locator("details summary").first.click()
    page.locator("#id_list_id").select_option("new-antioch")
    page.locator("#id_name").fill("Wardens")
    page.get_by_role("button", name=re.compile("^Next: the first")).click()
    page.get_by_text("Experience, skills, scars").click()
    examine(page, axe, 0)
    page.locator("#id_profile").fill("Yeoman")
    page.locator("#id_kit_0").fill("Bayonnet")
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_text("No item is called “Bayonnet”").wait_for()
    examine(page, axe, 2)
