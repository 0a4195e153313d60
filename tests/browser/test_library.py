"""A library by hand: a unit written on a phone, with and without script; read in, shared, and copied by a second player."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests import library_stories as library
from tests.browser.answered import follow, settle
from tests.browser.looks import sideways
from tests.conftest import DESKTOP, PHONE
from tests.library_stories import GAME
from warbands.models import Profile

pytestmark = pytest.mark.django_db(transaction=True)

NEW = f"/library/new/{GAME}/unit/"


def press(page: Any, selector: str) -> None:
    """Press a button that answers with the form again, in part or as a page."""
    settle(page, lambda: page.locator(selector).click())


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_a_unit_of_three_sorts_of_models_and_two_weapons_is_written_on_a_phone(
    ada: Any, signed_in_page: Any, axe: Any, javascript: bool
) -> None:
    page = signed_in_page(ada, javascript=javascript)
    page.goto(NEW)
    page.fill("#id_name", "Harbour Guard")
    page.fill("#id_keywords", "Squad\nDockers")
    page.check("#id_save input[value=D8]")
    for place, (name, most) in enumerate((("Guard", "8"), ("Sergeant", "1"), ("Loader", "2"))):
        if place:
            press(page, "#id_models_add")
        page.fill(f"#id_models_{place}_name", name)
        page.fill(f"#id_models_{place}_most", most)
    if javascript:
        assert page.evaluate("document.activeElement.id") == "id_models_2_most"
    page.check("#id_models_1_squad_leader")
    press(page, "#id_weapons_add")
    page.fill("#id_weapons_0_name", "Rifle")
    page.fill("#id_weapons_0_short_range", "12")
    page.select_option("#id_weapons_from", "sample-pistol")
    press(page, "#id_weapons_fill")
    assert page.input_value("#id_weapons_1_short_range") == "6"
    assert page.input_value("#id_name") == "Harbour Guard"
    assert sideways(page) == 0
    if javascript:
        axe(page)
    # A die is missing: everything typed stays, the summary leads to the field.
    with page.expect_navigation():
        page.click("#profile_save")
    expect(page.locator("#form_errors a")).to_have_text(["Weapon 1, Short die"], use_inner_text=True)
    assert not Profile.objects.exists()
    if javascript:
        assert page.evaluate("document.activeElement.id") == "form_errors"
        axe(page)
    page.select_option("#id_weapons_0_short_die", "D12")
    press(page, "#id_models_2_remove")
    press(page, "#id_models_add")
    page.fill("#id_models_2_name", "Loader")
    with page.expect_navigation():
        page.press("#id_models_2_name", "Enter")  # keeps the profile, and adds nothing
    profile = Profile.objects.get()
    assert page.url.endswith(f"/library/{profile.pk}/")
    assert [model["name"] for model in profile.data["models"]] == ["Guard", "Sergeant", "Loader"]
    assert [weapon["name"] for weapon in profile.data["weapons"]] == ["Rifle", "Sample pistol"]
    assert (profile.data["save"], profile.data["keywords"]) == ("D8", ["Squad", "Dockers"])
    expect(page.locator(".toast", has_text="You wrote Harbour Guard")).to_have_count(1)
    assert sideways(page) == 0
    if javascript:
        axe(page)


def test_the_card_beside_the_form_follows_what_is_typed(ada: Any, signed_in_page: Any) -> None:
    page = signed_in_page(ada, width=DESKTOP)
    page.goto(NEW)
    page.fill("#id_name", "Quay Guard")
    page.check("#id_combat input[value=D12]")
    page.fill("#id_models_0_name", "Watchman")
    page.press("#id_models_0_name", "Tab")
    card = page.locator("#profile_card")
    card.get_by_text("Watchman").wait_for()
    expect(card.get_by_text("Quay Guard")).to_have_count(1)
    assert set(card.locator(".stat", has_text="Combat").inner_text().split()) == {"Combat", "D12"}
    box, form = card.bounding_box(), page.locator("#profile_form").bounding_box()
    assert box["x"] > form["x"] + form["width"] - 1  # beside it, not under it
    press(page, "#id_weapons_add")
    page.select_option("#id_weapons_from", "sample-pistol")
    press(page, "#id_weapons_fill")
    card.get_by_text("Sample pistol").wait_for()
    press(page, "#id_models_add")  # the form is swapped, and the card still follows
    page.fill("#id_models_1_name", "Lamplighter")
    page.press("#id_models_1_name", "Tab")
    card.get_by_text("Lamplighter").wait_for()
    assert not Profile.objects.exists()


def test_what_was_typed_is_there_again_after_a_reload(ada: Any, signed_in_page: Any) -> None:
    page = signed_in_page(ada, width=DESKTOP)
    page.goto(NEW)
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.fill("#id_name", "Quay Guard")
        page.press("#id_name", "Tab")  # the card is asked for
    page.reload()
    page.wait_for_function("document.querySelector('#id_name').value === 'Quay Guard'")


def test_profiles_are_read_in_shared_and_copied_by_a_second_player(
    ada: Any, ben: Any, cleo: Any, signed_in_page: Any, axe: Any, tmp_path: Path
) -> None:
    library.circle(cleo, ada, ben)
    file = tmp_path / "profiles.json"
    page = signed_in_page(ada)
    page.goto("/library/")
    follow(page.get_by_role("link", name="Import", exact=True))
    file.write_text(
        json.dumps({"game": GAME, "profiles": [{"kind": "unit", "name": "Guard", "data": {"wounds": 0}}]}),
        encoding="utf-8",
    )
    page.set_input_files("#id_file", str(file))
    with page.expect_navigation():
        page.get_by_role("button", name="Import").click()
    expect(page.locator("#answer")).to_contain_text("profiles.0.data.wounds", use_inner_text=True)
    axe(page)
    file.write_text(
        json.dumps({"game": GAME, "profiles": [{"kind": "unit", "name": "Harbour Guard", "data": library.GUARD}]}),
        encoding="utf-8",
    )
    page.set_input_files("#id_file", str(file))
    with page.expect_navigation():
        page.get_by_role("button", name="Import").click()
    follow(page.get_by_role("link", name="Harbour Guard"))
    page.select_option("#id_terms", label="The Harbour War")
    with page.expect_navigation():
        page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_text("Shared in The Harbour War").wait_for()
    assert sideways(page) == 0
    axe(page)

    other = signed_in_page(ben, width=PHONE)
    other.goto("/library/")
    follow(other.get_by_role("link", name="Shared"))
    follow(other.get_by_role("link", name="Harbour Guard"))
    other.get_by_text("by ada").wait_for()
    with other.expect_navigation():
        other.get_by_role("button", name="Copy it into my library").click()
    copy = Profile.objects.get(owner=ben)
    assert other.url.endswith(f"/library/{copy.pk}/")
    assert copy.data == Profile.objects.get(owner=ada).data


def test_the_games_tables_are_ticked_and_copied(ada: Any, signed_in_page: Any) -> None:
    page = signed_in_page(ada, javascript=False)
    page.goto("/library/?game=trench-too-far&whose=game&kind=weapon")
    page.check("input[value=book-rifles]")
    page.check("input[value=book-hmg]")
    with page.expect_navigation():
        page.get_by_role("button", name="Copy the ticked ones").click()
    expect(page.locator(".profile-link")).to_have_text(["HMG", "Rifles"], use_inner_text=True)
