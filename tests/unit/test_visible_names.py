"""Names that nobody can see are refused with a sentence, wherever a name is given."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts.models import User
from campaigns.services.battle_setup import choose_scenario
from campaigns.services.house_rules import change_house_rules
from campaigns.services.join import add_seat
from campaigns.services.open import open_campaign
from rules import registry
from rules.problems import Refusal
from rules.visible import fault_of_name, without_unseen
from tests import campaign_stories as c
from tests import library_stories as lib
from tests import stories as s
from tests.unit.rules.test_house_extra import DIVER
from tests.unit.test_settings import ROOT
from warbands.idempotency import new_token
from warbands.services.documents import export_document
from warbands.services.founding import import_document
from warbands.services.roster import change_warband, rename_fighter
from warbands.services.sharing import share_warband

UNSEEN = {
    "zero width space": "\u200b",
    "byte order mark": "\ufeff",
    "word joiner": "\u2060",
    "tag characters": "\U000e0041\U000e007f",
    "variation selector": "\ufe0f",
    "further variation selector": "\U000e0100",
    "bidi control": "\u202e",
    "bidi isolate": "\u2066\u2069",
    "arabic letter mark": "\u061c",
    "hangul filler": "\u3164",
    "halfwidth hangul filler": "\uffa0",
    "hangul choseong filler": "\u115f",
    "soft hyphen": "\u00ad",
    "grapheme joiner": "\u034f",
    "joiners alone": "\u200d\u200c",
    "braille blank": "\u2800",
    "combining marks alone": "\u0301\u0308",
    "mongolian vowel separator": "\u180e",
    "khmer inherent vowel": "\u17b4",
    "annotation": "\ufff9",
    "musical": "\U0001d173",
}
SEEN = (
    "Ottla",
    "Łukasz Dvořák",
    "Yüzbaşı",
    "नि\u200dशा",
    "می\u200cخواهم",
    "Ο Δάσκαλος",
    "Святослав",
    "李小龍",
    "홍길동",
    "❤\ufe0f of Brass",
    "👩\u200d🚀",
    "e\u0301lan",
    "№ 7",
    "…",
    "St. John's-Wort (2nd)",
)


@pytest.mark.parametrize("unseen", UNSEEN.values(), ids=UNSEEN)
def test_a_name_with_something_unseen_is_not_a_name(unseen: str) -> None:
    assert fault_of_name(unseen)
    if unseen != UNSEEN["combining marks alone"]:
        assert fault_of_name(f"Ott{unseen}la")
        assert fault_of_name(f"Ottla{unseen}")
        assert without_unseen(f"Ott{unseen}la") == "Ottla"


@pytest.mark.parametrize("name", SEEN)
def test_a_name_that_people_write_is_left_alone(name: str) -> None:
    assert fault_of_name(name) == ""
    assert without_unseen(name) == name


# --- services and documents -----------------------------------------------------------------------------------------------------

NAMING: dict[str, Callable[[Any, str], Any]] = {
    "warband": lambda ada, name: change_warband(warband=s.small_warband(ada), actor=ada, name=name),
    "founding": lambda ada, name: s.found(ada, name=name),
    "fighter": lambda ada, name: rename_fighter(fighter=s.fighter(s.small_warband(ada), "Ottla"), name=name, actor=ada),
    "hire": lambda ada, name: s.hire(s.small_warband(ada), "Yeoman", name),
    "share link": lambda ada, name: share_warband(warband=s.small_warband(ada), actor=ada, name=name),
    "campaign": lambda ada, name: open_campaign(actor=ada, name=name),
    "seat": lambda ada, name: add_seat(campaign=c.club(ada).campaign, actor=ada, name=name),
    "guest": lambda ada, name: guest(ada, name),
    "scenario": lambda ada, name: choose_scenario(battle=guest(ada, "Wulf"), actor=ada, scenario_name=name),
    "profile": lambda ada, name: lib.wrote(ada, name=name),
}


def guest(ada: Any, name: str) -> Any:
    made = c.club(ada, ada)
    return c.battle(made, ada, guests=[(name, "NEW ANTIOCH")], scenario="")


@pytest.mark.django_db
@pytest.mark.both_databases
@pytest.mark.parametrize("what", NAMING)
@pytest.mark.parametrize("name", ["\u200b", "\ufeff", "\U000e0041", "\u3164", "Ott\u200bla", "\u0301"], ids=ascii)
def test_no_service_takes_such_a_name(what: str, name: str, ada: Any) -> None:
    with pytest.raises(Refusal, match=r"invisible character|nothing that can be seen"):
        NAMING[what](ada, name)


# A campaign's own entries, each with a name or a text that has something unseen in it.
ENTRIES = {
    "name": DIVER.replace("Weir Diver", "Weir\u200b Diver"),
    "other name": DIVER.replace("summary =", 'also = ["\u3164"]\nsummary ='),
    "text": DIVER.replace("Walks", "\ufeffWalks"),
}


@pytest.mark.django_db
@pytest.mark.parametrize("where", ENTRIES)
def test_no_entry_of_a_campaign_has_one(where: str, cleo: Any) -> None:
    made = c.club(cleo)
    with pytest.raises(Refusal, match=r"House rules: .*invisible character"):
        change_house_rules(campaign=made.campaign, actor=cleo, house_rules={"extra": ENTRIES[where]})
    with pytest.raises(Refusal, match="invisible character"):
        open_campaign(actor=cleo, name="The Weir", house_rules={"extra": ENTRIES[where]})


@pytest.mark.django_db
def test_an_entry_whose_letters_are_joined_is_taken(cleo: Any) -> None:
    made = c.club(cleo)
    extra = DIVER.replace("Weir Diver", "नि\u200dशा")
    change_house_rules(campaign=made.campaign, actor=cleo, house_rules={"extra": extra})


@pytest.mark.django_db
@pytest.mark.parametrize("where", ["name", "fighter"])
def test_no_document_brings_one(where: str, ada: Any) -> None:
    warband = s.small_warband(ada)
    document = json.loads(json.dumps(export_document(warband), default=str))
    (document if where == "name" else document["fighters"][0])["name"] = "\u2060"
    with pytest.raises(Refusal, match="invisible character"):
        import_document(actor=ada, owner=ada, terms=warband.terms, document=document)


def test_the_console_refuses_one_with_a_sentence() -> None:
    document = {"game": "trench-crusade", "edition": "1.0", "faction": "New Antioch", "name": "\u200b", "fighters": []}
    told = subprocess.run(
        [sys.executable, "manage.py", "check_roster", "-"],
        input=json.dumps(document),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode in (1, 2)
    assert "invisible character" in told.stdout + told.stderr
    assert "Traceback" not in told.stderr


FORCE = {"game": "gloom-trench", "name": "Wet Feet", "fighters": []}
ROSTER = {"game": "trench-crusade", "faction": "New Antioch", "fighters": []}
OWN = {"kind": "unit", "name": "Dredgers", "data": {}}


@pytest.mark.parametrize(
    "document",
    [
        FORCE | {"fighters": [{"profile": "Dredgers", "name": "\ufeff"}]},
        FORCE | {"profiles": [OWN | {"name": "Dred\u200bgers"}]},
        FORCE | {"faction": "The \u2060Weir"},
        FORCE | {"game": "trench-too-far", "faction": "\u3164"},
        FORCE | {"game": "trench-too-far", "choices": {"period": "19\u200b17"}},
        ROSTER | {"house_rules": {"extra": ENTRIES["name"]}},
    ],
)
def test_no_name_in_a_document_of_the_console_has_one(document: dict[str, Any]) -> None:
    with pytest.raises(Refusal, match=r"invisible character|nothing that can be seen"):
        registry.system(document["game"]).documents.read_document(document)


# --- people -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["\u3164\u3164", "ad\u3164a", "ad\uffa0a", "\u200b\u200b", "ada\u200b", "a\ufe0fda"], ids=ascii
)
def test_nobody_signs_up_under_one(name: str, client: Client) -> None:
    form = {"username": name, "password1": "lantern-wardens-1916", "password2": "lantern-wardens-1916", "email": ""}
    answer = client.post("/accounts/signup/", form)
    assert answer.status_code == 200
    assert answer.context["form"].errors["username"]
    assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["\u3164", "Ad\u200ba", "\U000e0041"], ids=ascii)
def test_nobody_is_known_by_one(name: str, client: Client, ada: Any) -> None:
    client.force_login(ada)
    form = {"first_name": name, "paper_size": "A4", "colour_scheme": "auto"}
    answer = client.post(reverse("account-show"), form)
    assert answer.status_code == 422
    assert "invisible character" in answer.content.decode()


@pytest.mark.django_db
def test_no_user_is_made_under_one_in_the_admin_or_on_the_console() -> None:
    for field in ("username", "first_name"):
        with pytest.raises(ValidationError, match="invisible character"):
            User._meta.get_field(field).clean("ad\u3164a", None)


@pytest.mark.django_db
def test_a_form_tells_why(client: Client, ada: Any) -> None:
    fighter = s.fighter(s.small_warband(ada), "Ottla")
    client.force_login(ada)
    answer = client.post(reverse("fighter-rename", args=[fighter.pk]), {"name": "\ufeff", "token": new_token()})
    assert answer.status_code == 422
    assert "U+FEFF" in answer.content.decode()
