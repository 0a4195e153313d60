"""The pages of the library: the list, the form with and without htmx, what is refused, documents out and in."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from rules.custom.profiles import ProfileField
from tests import library_stories as library
from tests.library_stories import GAME, OTHER_GAME
from warbands.models import Event, Profile
from warbands.pages.library import shelf_of
from warbands.pages.profile_form import figure_of
from warbands.services.library import put_away_profile

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NEW = reverse("profile-new", args=[GAME, "unit"])


@pytest.fixture
def mine(client: Client, ada: Any) -> Client:
    client.force_login(ada)
    return client


def html(response: Any) -> str:
    return unescape(response.content.decode())


def htmx(target: str) -> dict[str, str]:
    return {"HX-Request": "true", "HX-Target": f"div#{target}", "HX-Request-Type": "partial"}


def flat(fields: tuple[ProfileField, ...], data: Any, prefix: str = "data.") -> dict[str, Any]:
    """Data as the fields of the form send it."""
    sent: dict[str, Any] = {}
    for field in fields:
        value, name = data.get(field.key), f"{prefix}{field.key}"
        if field.kind == "rows":
            sent[f"{name}.rows"] = str(len(value or ()))
            for place, row in enumerate(value or ()):
                sent |= flat(field.fields, row, f"{name}.{place}.")
        elif field.kind == "flag":
            sent |= {name: "on"} if value else {}
        elif field.kind == "strings":
            sent[name] = "\n".join(value or ())
        elif value is not None:
            sent[name] = value
    return sent


def form(data: Any, name: str = "Harbour Guard", kind: str = "unit", game: str = GAME, **more: Any) -> dict[str, Any]:
    shelf = shelf_of(game)
    assert shelf is not None
    found = shelf.kind(kind)
    assert found is not None
    whole, _ = shelf.game.profiles.read_profile(shelf.content, kind, data)
    return {"name": name, "token": "t" * 20, "act": "save", **flat(found.fields, whole), **more}


# --- the list -----------------------------------------------------------------------------------------------------------


def test_an_empty_library_says_what_belongs_there(mine: Client) -> None:
    page = html(mine.get(reverse("profile-list")))
    assert "You have no profiles yet." in page
    assert NEW in page
    assert "whose=game" in page
    assert page.count("<h1") == 1


def test_the_list_tells_own_shared_and_built_in_apart(mine: Client, ada: Any, ben: Any, cleo: Any) -> None:
    campaign = library.circle(cleo, ada, ben)
    library.shared(library.wrote(ada, "Own one"), campaign, ada)
    library.shared(library.wrote(ben, "Ben's one"), campaign, ben)
    put_away_profile(profile=library.wrote(ada, "Old one"), actor=ada)
    there = reverse("profile-list")
    own, shared, away, built_in = (
        html(mine.get(f"{there}?whose={whose}")) for whose in ("own", "shared", "away", "game")
    )
    assert ("Own one" in own, "Ben's one" in own, "Old one" in own) == (True, False, False)
    assert "Unit, Squad, shared in The Harbour War" in own
    assert ("Own one" in shared, "Ben's one" in shared) == (False, True)
    assert "by ben, The Harbour War" in shared
    assert "Old one" in away
    assert "invented sample" in built_in
    assert "Obscuring" in built_in


def test_the_list_is_searched_by_kind_and_name_and_answers_htmx_with_its_part(mine: Client, ada: Any) -> None:
    library.wrote(ada, "Harbour Guard")
    library.wrote(ada, "Bridge Guard")
    library.wrote(ada, "Long Rifle", kind="weapon", data={"short_range": 8, "short_die": "D6"})
    there = reverse("profile-list")
    found = html(mine.get(f"{there}?find=guard%20HARBOUR"))
    assert ("Harbour Guard" in found, "Bridge Guard" in found) == (True, False)
    weapons = html(mine.get(f"{there}?kind=weapon"))
    assert ("Long Rifle" in weapons, "Bridge Guard" in weapons) == (True, False)
    part = html(mine.get(f"{there}?find=zebra", headers=htmx("profile_list")))
    assert part.lstrip().startswith('<div class="parts" id="profile_list"')
    assert "Nothing found for “zebra”." in part
    for odd in ("?game=chess", "?whose=nobody", "?kind=dragon", "?page=99", "?page=x"):
        assert mine.get(there + odd).status_code == 200


def test_the_list_opens_at_the_game_somebody_wrote_for_last(mine: Client, ada: Any) -> None:
    library.wrote(ada, "Riders", system_id=OTHER_GAME, kind="company", data={})
    assert "Riders" in html(mine.get(reverse("profile-list")))


def test_the_rules_of_such_a_game_lead_to_the_library(mine: Client) -> None:
    there = f"{reverse('profile-list')}?game={GAME}"
    rules = reverse("rule-list", args=[GAME, library.EDITION])
    assert there in html(mine.get(rules))
    assert there not in html(Client().get(rules))  # who is not signed in has none
    assert reverse("profile-list") not in html(mine.get(reverse("rule-list", args=["trench-crusade", "1.6.3"])))


def test_a_long_list_has_pages_and_the_same_number_of_queries(
    mine: Client, ada: Any, django_assert_max_num_queries: Any
) -> None:
    there = reverse("profile-list")
    for number in range(45):
        library.wrote(ada, f"Guard {number:02}")
    with django_assert_max_num_queries(14):
        page = html(mine.get(there))
    assert "Guard 39" in page
    assert "Guard 40" not in page
    assert "Guard 40" in html(mine.get(f"{there}?page=2"))


# --- the form -----------------------------------------------------------------------------------------------------------


def test_a_profile_is_written_and_opens_with_its_undo(mine: Client, ada: Any) -> None:
    answer = mine.post(NEW, form(library.GUARD))
    profile = Profile.objects.get()
    assert answer.headers["Location"] == reverse("profile-write", args=[profile.pk])
    assert profile.data["weapons"][0]["short_range"] == 12
    assert profile.data["models"][1]["squad_leader"] is True
    page = html(mine.get(answer.headers["Location"]))
    assert "You wrote Harbour Guard into the library." in page
    assert reverse("event-undo", args=[Event.objects.get().pk]) in page


def test_what_the_form_shows_is_what_it_sends_again(mine: Client, ada: Any) -> None:
    """A form that is sent untouched changes nothing, for every profile that comes with the games."""
    for game in (GAME, OTHER_GAME):
        shelf = shelf_of(game)
        assert shelf is not None
        for default in shelf.game.profiles.default_profiles(shelf.content):
            sent = form(default.data, default.name, default.kind, game, token=f"token-{default.id}")
            assert mine.post(reverse("profile-new", args=[game, default.kind]), sent).status_code == 302
            profile = Profile.objects.latest("pk")
            assert profile.data == dict(default.data), default.id


def test_problems_stand_at_their_fields_and_everything_typed_stays(mine: Client) -> None:
    sent = form(library.GUARD, **{"data.wounds": "many", "data.models.1.name": "", "data.weapons.0.short_die": ""})
    answer = mine.post(NEW, sent)
    page = html(answer)
    assert answer.status_code == 422
    assert "Not saved yet." in page
    assert 'href="#id_wounds"' in page
    assert "Wounds holds “many” where a whole number belongs." in page
    assert 'value="many"' in page
    assert re.search(r'id="id_models_1_name"[^>]*aria-invalid="true"', page)
    assert "Weapon 1, Short die" in page
    assert page.count("The short band has a range and no die.") == 1
    assert not Profile.objects.exists()


def test_rows_come_and_go_without_script_and_nothing_is_written(mine: Client) -> None:
    sent = form(library.GUARD, name="Kept")
    page = html(mine.post(NEW, {**sent, "act": "add:models"}))
    assert 'id="id_models_2_name"' in page
    assert 'name="data.models.rows" value="3"' in page
    assert re.search(r'id="id_models_2_name"[^>]* autofocus', page)
    assert 'value="Kept"' in page
    page = html(mine.post(NEW, {**sent, "act": "remove:models.0"}))
    assert 'id="id_models_1_name"' not in page
    assert 'value="Sergeant"' in page
    for odd in (
        "add:nothing",
        "add:",
        "remove:models.9",
        "remove:models.x",
        "remove:",
        "fill:weapons",
        "fill:",
        "dance",
    ):
        assert mine.post(NEW, {**sent, "act": odd}).status_code == 200
    assert not Event.objects.exists()


def test_a_row_is_filled_from_the_library(mine: Client, ada: Any, ben: Any) -> None:
    own = library.wrote(ada, "Long Rifle", kind="weapon", data={"short_range": 9, "short_die": "D6"})
    hidden = library.wrote(ben, "Secret", kind="weapon", data={"short_range": 7, "short_die": "D6"})
    sent = form(library.GUARD)
    page = html(
        mine.post(NEW, {**sent, "act": "fill:weapons", "from.weapons": own.ident}, headers=htmx("profile_fields"))
    )
    assert 'value="Long Rifle"' in page
    assert re.search(r'id="id_weapons_1_short_range" value="9"', page)
    assert "Secret" not in page
    assert 'id="id_weapons_1_name"' not in html(
        mine.post(NEW, {**sent, "act": "fill:weapons", "from.weapons": hidden.ident})
    )
    there = reverse("profile-new", args=[OTHER_GAME, "platoon"])
    page = html(
        mine.post(there, {**form({}, kind="platoon", game=OTHER_GAME), "act": "fill:", "from.": "book-move-cavalry"})
    )
    assert re.search(r'id="id_march" value="10"', page)


def test_a_full_list_of_rows_takes_no_more(mine: Client) -> None:
    there = reverse("profile-new", args=[OTHER_GAME, "tanks"])
    sent = form({"vehicles": [{"name": f"T{n}"} for n in range(4)]}, kind="tanks", game=OTHER_GAME)
    page = html(mine.post(there, {**sent, "act": "add:vehicles"}))
    assert 'value="4"' in page
    assert "vehicles_4" not in page
    assert 'value="add:vehicles"' not in page
    many = {**sent, "data.vehicles.rows": "5000"}
    assert "there is room for 4" in html(mine.post(there, many))


def test_the_card_answers_what_is_typed(mine: Client) -> None:
    part = html(mine.post(NEW, {**form(library.GUARD, name="Quay Guard"), "act": "show"}, headers=htmx("profile_card")))
    assert part.lstrip().startswith('<section class="section" id="profile_card"')
    assert "Quay Guard" in part
    assert "6 Guard (3 to 8)" in part
    assert not Profile.objects.exists()


def test_an_old_form_keeps_what_was_typed_and_goes_through_when_pressed_again(mine: Client, ada: Any) -> None:
    profile = library.wrote(ada)
    there = reverse("profile-write", args=[profile.pk])
    old = form({**profile.data, "wounds": 2}, seen=1)
    assert mine.post(there, form({**profile.data, "command": 3}, seen=1, token="other")).status_code == 302
    answer = mine.post(there, old)
    page = html(answer)
    assert answer.status_code == 422
    assert "While this page was open: ada changed Harbour Guard: Command." in page
    assert re.search(r'id="id_wounds" value="2"', page)
    seen = re.search(r'name="seen" value="(\d+)"', page)
    assert seen is not None
    assert mine.post(there, {**old, "seen": seen[1]}).status_code == 302
    assert library.fresh(profile).data["wounds"] == 2


def test_a_double_click_lands_on_the_one_profile_that_was_written(mine: Client) -> None:
    first = mine.post(NEW, form(library.GUARD))
    second = mine.post(NEW, form(library.GUARD))
    assert first.headers["Location"] == second.headers["Location"]
    assert Profile.objects.count() == 1
    broken = mine.post(NEW, form(library.GUARD, **{"data.wounds": "x"}))  # sent again after the page was changed
    assert broken.headers["Location"] == first.headers["Location"]


def test_the_pages_of_games_and_kinds_that_are_not_there(mine: Client, ada: Any) -> None:
    for there in (
        reverse("profile-new", args=["chess", "unit"]),
        reverse("profile-new", args=["trench-crusade", "unit"]),
        reverse("profile-new", args=[GAME, "dragon"]),
        reverse("profile-default", args=[GAME, "sample-dragon"]),
        f"{reverse('profile-export')}?game=chess",
        f"{reverse('profile-export')}?game={GAME}&profile=x",
        reverse("profile-write", args=[999]),
    ):
        assert mine.get(there).status_code == 404, there
    assert mine.post(reverse("profile-take", args=["chess"])).status_code == 404


# --- sharing, copying, putting away -------------------------------------------------------------------------------------


def test_a_second_player_reads_a_shared_profile_and_copies_it(mine: Client, ada: Any, ben: Any, cleo: Any) -> None:
    campaign = library.circle(cleo, ada, ben)
    profile = library.wrote(ada)
    there = reverse("profile-write", args=[profile.pk])
    assert "The Harbour War" in html(mine.get(there))
    sent = {"way": "share", "terms": campaign.terms_id, "token": "s" * 20}
    assert mine.post(reverse("profile-share", args=[profile.pk]), sent).headers["Location"] == there
    assert "Shared in The Harbour War" in html(mine.get(there))
    other = Client()
    other.force_login(ben)
    page = html(other.get(there))
    assert "Copy it into my library" in page
    assert 'id="profile_form"' not in page
    assert other.post(there, form(library.GUARD)).status_code == 403
    made = other.post(reverse("profile-copy", args=[profile.pk]), {"token": "c" * 20})
    copy = Profile.objects.get(owner=ben)
    assert made.headers["Location"] == reverse("profile-write", args=[copy.pk])
    other.post(reverse("profile-copy", args=[profile.pk]), {"token": "c" * 20})
    assert Profile.objects.filter(owner=ben).count() == 1
    administrator = Client()
    administrator.force_login(cleo)
    assert 'id="profile_form"' in html(administrator.get(there))
    assert administrator.post(there, form({**profile.data, "wounds": 2}, seen=1, token="a" * 20)).status_code == 302
    ended = administrator.post(reverse("profile-share", args=[profile.pk]), {"way": "unshare", "token": "u" * 20})
    assert ended.headers["Location"] == reverse("profile-list")
    assert other.get(there).status_code == 404


def test_the_campaign_leads_to_what_is_shared_in_it(mine: Client, ada: Any, cleo: Any) -> None:
    campaign = library.circle(cleo, ada)
    page = html(mine.get(reverse("campaign-show", args=[campaign.pk])))
    assert f"{reverse('profile-list')}?game={GAME}&whose=shared" in page


def test_a_share_that_cannot_be_is_refused_on_the_page(mine: Client, ada: Any, ben: Any, cleo: Any) -> None:
    profile = library.wrote(ada)
    strange = library.circle(cleo, ben)
    for terms in (strange.terms_id, "", "x", 0):
        answer = mine.post(
            reverse("profile-share", args=[profile.pk]), {"way": "share", "terms": terms, "token": "s" * 20}
        )
        assert answer.status_code == 422
    assert library.fresh(profile).terms is None


def test_a_profile_is_put_away_and_comes_back(mine: Client, ada: Any) -> None:
    profile = library.wrote(ada)
    away, there = reverse("profile-away", args=[profile.pk]), reverse("profile-write", args=[profile.pk])
    assert mine.post(away, {"way": "away", "token": "1"}).headers["Location"].startswith(reverse("profile-list"))
    assert "Archived. It is on no list" in html(mine.get(there))
    assert mine.post(away, {"way": "back", "token": "2"}).headers["Location"] == there
    assert mine.post(away, {"way": "back", "token": "3"}).status_code == 422
    assert mine.post(away, {"way": "burn", "token": "4"}).status_code == 422


def test_an_act_on_a_profile_is_undone_from_its_page(mine: Client, ada: Any, ben: Any) -> None:
    profile = library.wrote(ada)
    mine.post(reverse("profile-write", args=[profile.pk]), form({**profile.data, "wounds": 4}, seen=1))
    undo = reverse("event-undo", args=[Event.objects.latest("pk").pk])
    page = html(mine.get(undo))
    assert "1 profile changed back" in page
    other = Client()
    other.force_login(ben)
    assert other.get(undo).status_code == 404
    seen = re.search(r'name="seen" value="(\d+)"', page)
    assert seen is not None
    answer = mine.post(undo, {"token": "u" * 20, "seen": seen[1]})
    assert answer.headers["Location"] == reverse("profile-write", args=[profile.pk])
    assert library.fresh(profile).data["wounds"] == 1
    written = Event.objects.earliest("pk")
    answer = mine.post(reverse("event-undo", args=[written.pk]), {"token": "v" * 20})
    assert answer.headers["Location"] == reverse("profile-list")
    assert mine.get(reverse("profile-write", args=[profile.pk])).status_code == 404


def test_the_games_profiles_are_copied_one_by_one_ticked_or_all_of_a_kind(mine: Client, ada: Any) -> None:
    there = reverse("profile-default", args=[GAME, "sample-rifles"])
    page = html(mine.get(there))
    assert "Invented" in page
    assert mine.post(there, {"token": "1"}).status_code == 302
    take = reverse("profile-take", args=[GAME])
    assert mine.post(take, {"token": "2", "act": "ticked"}).status_code == 422
    assert (
        mine.post(take, {"token": "3", "act": "ticked", "profile": ["book-obscuring", "sample-patrol"]}).status_code
        == 302
    )
    assert mine.post(take, {"token": "4", "act": "all", "kind": "weapon"}).status_code == 302
    assert mine.post(take, {"token": "5", "act": "ticked", "profile": ["nothing"]}).status_code == 422
    kinds = list(Profile.objects.filter(owner=ada).values_list("kind", flat=True))
    assert sorted(kinds) == ["formation", "rule", "unit", "weapon", "weapon", "weapon"]


# --- documents ----------------------------------------------------------------------------------------------------------


def test_a_library_goes_out_and_comes_in_again(mine: Client, ada: Any, ben: Any) -> None:
    library.wrote(ada)
    library.wrote(ada, "Long Rifle", kind="weapon", data={"short_range": 8, "short_die": "D6"})
    put_away_profile(profile=library.wrote(ada, "Old one"), actor=ada)
    answer = mine.get(f"{reverse('profile-export')}?game={GAME}")
    assert 'filename="gloom-trench-library.json"' in answer.headers["Content-Disposition"]
    document = answer.json()
    assert [(row["kind"], row["name"]) for row in document["profiles"]] == [
        ("unit", "Harbour Guard"),
        ("weapon", "Long Rifle"),
    ]
    other = Client()
    other.force_login(ben)
    upload = SimpleUploadedFile("library.json", answer.content, content_type="application/json")
    done = other.post(reverse("profile-import"), {"file": upload, "token": "i" * 20})
    assert done.status_code == 302
    pairs = [(p.kind, p.name, p.data) for p in Profile.objects.filter(owner=ben)]
    assert pairs == [(row["kind"], row["name"], row["data"]) for row in document["profiles"]]


def test_one_profile_goes_out_for_who_may_read_it(mine: Client, ada: Any, ben: Any, cleo: Any) -> None:
    theirs = library.shared(library.wrote(ben), library.circle(cleo, ada, ben), ben)
    hidden = library.wrote(ben, "Secret")
    there = f"{reverse('profile-export')}?game={GAME}&profile="
    assert mine.get(f"{there}{theirs.pk}").json()["profiles"][0]["name"] == "Harbour Guard"
    assert mine.get(f"{there}{hidden.pk}").status_code == 404
    assert mine.get(f"{reverse('profile-export')}?game={OTHER_GAME}&profile={theirs.pk}").status_code == 404


def test_an_import_tells_everything_that_is_wrong_and_brings_nothing(mine: Client) -> None:
    document = {
        "game": GAME,
        "profiles": [
            {"kind": "unit", "name": "Good", "data": library.GUARD},
            {"kind": "unit", "name": "", "data": {"wounds": 0, "colour": "red", "weapons": [{"name": "A"}]}},
            {"kind": "dragon", "name": "Worm"},
            "nothing",
            {"kind": "weapon", "name": "Bow", "date": {}},
        ],
    }
    answer = mine.post(reverse("profile-import"), {"text": json.dumps(document), "token": "i" * 20})
    page = html(answer)
    assert answer.status_code == 422
    for path in (
        "profiles.1.name",
        "profiles.1.data.wounds",
        "profiles.1.data.colour",
        "profiles.1.data.weapons.0.short_range",
        "profiles.2.kind",
        "profiles.3",
        "profiles.4.date",
        "profiles.4.data.short_range",
    ):
        assert f"<code>{path}</code>" in page
    assert "Did you mean “data”?" in page
    assert not Profile.objects.exists()
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "{}",
        '{"game": 5}',
        '{"game": "chess", "profiles": []}',
        '{"game": "trench-crusade", "profiles": []}',
        '{"game": "gloom-trench", "edition": "second", "profiles": []}',
        '{"game": "gloom-trench"}',
        '{"game": "gloom-trench", "profiles": {}}',
        '{"game": "gloom-trench", "profiles": []}',
        '{"game": "gloom-trench", "profiles": [{"kind": "unit", "name": "A", "data": {"wounds": NaN}}]}',
        '{"game": "gloom-trench", "profiles": [{"kind": ["unit"], "name": {"a": 1}, "data": 5}]}',
        '{"game": "gloom-trench", "profiles": [' + ",".join(["5"] * 300) + "]}",
        "x" * (1024 * 1024 + 1),
    ],
    ids=lambda text: text[:40],
)
def test_a_document_that_cannot_be_read_is_answered_in_a_sentence(mine: Client, text: str) -> None:
    answer = mine.post(reverse("profile-import"), {"text": text, "token": "i" * 20})
    assert answer.status_code == 422
    assert "triangle-alert" in html(answer)
    assert not Profile.objects.exists()


# --- figures ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "read"),
    [("", None), (" 7 ", 7), ("-2", -2), ("\N{MINUS SIGN}2", -2), ("+3", 3), ("4,5", 4.5), ("4.5", 4.5), ("x", "x"), ("1e9", "1e9"), ("٣", "٣"), ("9" * 30, "9" * 30)],
)  # fmt: skip
def test_a_figure_is_read_as_it_is_typed(typed: str, read: Any) -> None:
    assert figure_of(typed) == read
