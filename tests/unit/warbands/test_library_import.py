"""A file of profiles brought again: what is equal is recognised, what differs is asked about, and nothing is doubled."""

from __future__ import annotations

import html as markup
import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from rules.custom.exchange import write_profiles
from rules.problems import Refusal
from rules.registry import system
from tests import library_stories as library
from warbands.idempotency import new_token
from warbands.models import Event, Profile
from warbands.services.library import put_away_profile
from warbands.services.library_import import LibraryAsks
from warbands.services.own_files import import_own_library
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

GAMES = ["gloom-trench", "trench-too-far"]


@pytest.fixture
def mine(client: Client, ada: Any) -> Client:
    client.force_login(ada)
    return client


def library_of(user: Any) -> dict[str, Any]:
    """The person's library as its export."""
    rows = Profile.objects.kept().filter(owner=user).order_by("kind", "name", "pk")
    return write_profiles(library.GAME, library.EDITION, ((row.kind, row.name, row.data) for row in rows))


def changed(document: dict[str, Any], name: str, **data: Any) -> dict[str, Any]:
    """The document with other data in the profile of this name."""
    rows = [{**row, "data": {**row["data"], **data}} if row["name"] == name else row for row in document["profiles"]]
    return {**document, "profiles": rows}


def bring(user: Any, document: dict[str, Any], ways: dict[int, str] | None = None) -> list[Profile]:
    return import_own_library(owner=user, actor=user, document=document, ways=ways)


def names(user: Any) -> list[str]:
    return list(Profile.objects.kept().filter(owner=user).order_by("name").values_list("name", flat=True))


def test_a_library_brought_twice_is_there_once(ada: Any) -> None:
    library.wrote(ada)
    library.wrote(ada, "Rearguard")
    with pytest.raises(Refusal, match="already") as refused:
        bring(ada, library_of(ada))
    assert not isinstance(refused.value, LibraryAsks)
    assert names(ada) == ["Harbour Guard", "Rearguard"]
    assert not Event.objects.filter(kind="profile-import").exists()


def test_new_ones_come_beside_those_that_are_there(ada: Any, ben: Any) -> None:
    for user in (ada, ben):
        library.wrote(user)
    library.wrote(ben, "Rearguard")
    made = bring(ada, library_of(ben))
    assert [profile.name for profile in made] == ["Rearguard"]
    event = Event.objects.get(kind="profile-import")
    assert event.told == "ada imported one profile into the library. 1 was there already."
    undo(event=event, actor=ada)
    assert names(ada) == ["Harbour Guard"]


def test_a_profile_twice_in_a_file_comes_once(ada: Any, ben: Any) -> None:
    library.wrote(ben)
    document = library_of(ben)
    bring(ada, {**document, "profiles": document["profiles"] * 2})
    assert names(ada) == ["Harbour Guard"]


def test_two_different_ones_of_one_name_are_both_recognised(ada: Any) -> None:
    library.wrote(ada)
    library.wrote(ada, data={**library.GUARD, "keywords": ["Veterans"]})
    with pytest.raises(Refusal, match="already"):
        bring(ada, library_of(ada))
    assert len(names(ada)) == 2


def test_what_differs_is_asked_about_and_named(ada: Any) -> None:
    library.wrote(ada)
    document = changed(library_of(ada), "Harbour Guard", keywords=["Squad", "Veterans"])
    with pytest.raises(LibraryAsks) as asked:
        bring(ada, document)
    (coming,) = asked.value.coming
    assert (coming.state, coming.fields) == ("differs", ("Keywords",))
    assert not Event.objects.filter(kind="profile-import").exists()


@pytest.mark.parametrize(
    ("way", "kept", "keywords"),
    [
        ("replace", ["Harbour Guard"], [["Squad", "Veterans"]]),
        ("another", ["Harbour Guard", "Harbour Guard 2"], [["Squad"], ["Squad", "Veterans"]]),
    ],
)
def test_the_person_chooses_and_one_undo_takes_it_back(
    ada: Any, way: str, kept: list[str], keywords: list[list[str]]
) -> None:
    first = library.wrote(ada)
    before = library_of(ada)
    bring(ada, changed(before, "Harbour Guard", keywords=["Squad", "Veterans"]), {0: way})
    assert names(ada) == kept
    rows = Profile.objects.kept().filter(owner=ada).order_by("name")
    assert [row.data["keywords"] for row in rows] == keywords
    assert rows[0].pk == first.pk
    undo(event=Event.objects.get(kind="profile-import"), actor=ada)
    assert library_of(ada) == before


def test_ones_own_may_be_kept_while_the_rest_comes(ada: Any, ben: Any) -> None:
    library.wrote(ada)
    before = Profile.objects.get(owner=ada).data
    library.wrote(ben, data={**library.GUARD, "keywords": ["Veterans"]})
    library.wrote(ben, "Rearguard")
    bring(ada, library_of(ben), {0: "keep"})
    assert names(ada) == ["Harbour Guard", "Rearguard"]
    assert Profile.objects.get(owner=ada, name="Harbour Guard").data == before


def test_an_archived_one_is_not_there(ada: Any) -> None:
    profile = library.wrote(ada)
    document = library_of(ada)
    put_away_profile(profile=profile, actor=ada)
    assert [row.name for row in bring(ada, document)] == ["Harbour Guard"]


@pytest.mark.parametrize("game", GAMES)
def test_the_games_own_profiles_come_once(ada: Any, game: str) -> None:
    found = system(game)
    edition = found.editions()[0]
    assert found.profiles is not None
    own = found.profiles.default_profiles(found.content(edition, (), {}))
    document = write_profiles(game, edition, ((row.kind, row.name, row.data) for row in own))
    assert len(bring(ada, document)) == len(own)
    with pytest.raises(Refusal, match="already"):
        bring(ada, document)


# --- the pages ------------------------------------------------------------------------------------------------------------


def as_file(document: dict[str, Any]) -> SimpleUploadedFile:
    return SimpleUploadedFile("library.json", json.dumps(document).encode(), content_type="application/json")


@pytest.mark.parametrize("door", ["profile-import", "paper-text"])
def test_both_pages_ask_and_the_answer_is_one_press(mine: Client, ada: Any, door: str) -> None:
    library.wrote(ada)
    library.wrote(ada, "Rearguard")
    document = changed(library_of(ada), "Harbour Guard", keywords=["Veterans"])
    answer = mine.post(reverse(door), {"file": as_file(document), "token": new_token()})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "1 profile differs from yours of the same name." in page
    assert "1 is already in your library." in page
    assert "Keywords" in page
    assert names(ada) == ["Harbour Guard", "Rearguard"]
    form = {
        name: markup.unescape(value)
        for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)
    }
    (field,) = re.findall(r'<select name="(way_\d+)"', page)
    here = re.search(r'<form class="stack" method="post" action="([^"]+)"', page)
    assert here
    done = mine.post(markup.unescape(here[1]), {**form, field: "replace"})
    assert done.status_code == 302
    assert names(ada) == ["Harbour Guard", "Rearguard"]
    assert Profile.objects.get(owner=ada, name="Harbour Guard").data["keywords"] == ["Veterans"]
    again = mine.post(markup.unescape(here[1]), {**form, field: "replace"})  # the same press once more
    assert again.status_code in (200, 302, 422)
    assert Event.objects.filter(kind="profile-import").count() == 1


@pytest.mark.parametrize("door", ["profile-import", "paper-text"])
def test_both_pages_say_that_all_is_there(mine: Client, ada: Any, door: str) -> None:
    library.wrote(ada)
    answer = mine.post(reverse(door), {"file": as_file(library_of(ada)), "token": new_token()})
    assert answer.status_code == 422
    assert "Your library has all of this already." in answer.content.decode()


def test_an_answer_that_is_none_is_asked_again(mine: Client, ada: Any) -> None:
    library.wrote(ada)
    document = changed(library_of(ada), "Harbour Guard", keywords=["Veterans"])
    sent = {"text": json.dumps(document), "token": new_token(), "way_0": "eat"}
    answer = mine.post(reverse("profile-import"), sent)
    assert answer.status_code == 422
    assert '<select name="way_0"' in answer.content.decode()
    assert Profile.objects.get(owner=ada).data["keywords"] == ["Squad"]
