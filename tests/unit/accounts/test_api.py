"""The read-only API: who reads what by a token, what it answers, and its description."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import ApiToken, SecurityNote, User
from accounts.tokens import MOST, make_token
from campaigns.api import api
from campaigns.services.answers import confirm_report
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.conftest import PASSWORD
from tests.module_story import story

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

V1 = "/api/v1"


class Program:
    """A program that reads with somebody's token."""

    def __init__(self, person: Any) -> None:
        _made, self.text = make_token(user=person, name="My script")
        self.client = Client(headers={"authorization": f"Bearer {self.text}"})

    def read(self, address: str, status: int = 200) -> Any:
        answer = self.client.get(V1 + address)
        assert answer.status_code == status, answer.text
        return json.loads(answer.content)


def sign_in(client: Client, person: Any) -> None:
    client.post(reverse("account_login"), {"login": person.username, "password": PASSWORD})


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return c.club(cleo, ada, ben)


def test_a_player_reads_what_the_pages_show(made: c.Club, ada: Any, ben: Any) -> None:
    program = Program(ada)
    assert program.read("/me") == {"user_name": "ada", "name": "ada"}
    [line] = program.read("/warbands")["warbands"]
    assert line["id"] == made.warband(ada).pk
    document = program.read(f"/warbands/{line['id']}")
    assert document["record"]["name"] == line["name"]
    events = program.read(f"/warbands/{line['id']}/history")["events"]
    assert [event["id"] for event in events] == sorted((event["id"] for event in events), reverse=True)
    assert events
    assert all(event["words"] and "{who}" not in event["words"] for event in events)
    [campaign] = program.read("/campaigns")
    detail = program.read(f"/campaigns/{campaign['id']}")
    assert [place["name"] for place in detail["places"]] == ["ada", "ben"]
    assert [row["place_id"] for row in program.read(f"/campaigns/{campaign['id']}/standings")]
    theirs = program.read(f"/warbands/{made.warband(ben).pk}")
    assert theirs["record"] is None
    assert theirs["stash"] == []


def test_a_result_is_told_once_it_is_confirmed(made: c.Club, ada: Any, ben: Any) -> None:
    battle = c.mustered(made, ada, ben)
    c.fight(battle, ada, winner=ada)
    program = Program(ben)
    [line] = program.read(f"/campaigns/{made.campaign.pk}/battles")["battles"]
    assert (line["status"], {side["result"] for side in line["sides"]}) == ("reported", {None})
    confirm_report(battle=c.fresh_battle(battle), actor=ben)
    [line] = program.read(f"/campaigns/{made.campaign.pk}/battles")["battles"]
    assert {side["name"]: side["result"] for side in line["sides"]} == {"ada": "won", "ben": "lost"}


def test_a_stranger_finds_nothing(made: c.Club, ada: Any, dora: Any) -> None:
    program = Program(dora)
    assert program.read("/warbands") == {"warbands": [], "next_after": None}
    assert program.read("/campaigns") == []
    for address in (
        f"/warbands/{made.warband(ada).pk}",
        f"/warbands/{made.warband(ada).pk}/history",
        f"/campaigns/{made.campaign.pk}",
        f"/campaigns/{made.campaign.pk}/standings",
        f"/campaigns/{made.campaign.pk}/battles",
    ):
        assert "detail" in program.read(address, 404), address


def test_every_address_needs_a_token_that_holds(made: c.Club, ada: Any) -> None:
    program = Program(ada)
    paths = list(api.get_openapi_schema()["paths"])
    assert len(paths) == 8
    for path in paths:
        here = path.format(warband_id=made.warband(ada).pk, campaign_id=made.campaign.pk)
        assert Client().get(here).status_code == 401
        assert Client(headers={"authorization": "Bearer mr_wrong"}).get(here).status_code == 401
        signed_in = Client()
        signed_in.force_login(ada)
        assert signed_in.get(here).status_code == 401  # a browser's cookie is no token: another site could use it
        assert program.client.get(here).status_code == 200
        assert program.client.post(here).status_code == 405
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert program.client.get(f"{V1}/me").status_code == 401
    User.objects.filter(pk=ada.pk).update(is_active=True)
    ApiToken.objects.filter(user=ada).delete()
    assert program.client.get(f"{V1}/me").status_code == 401


def test_numbers_that_are_none_get_a_sentence(ada: Any) -> None:
    program = Program(ada)
    for address in ("/warbands/0", "/warbands/x", f"/warbands/{2**70}", "/warbands?after=-1", "/warbands?after=x"):
        assert "detail" in program.read(address, 422), address
    assert "detail" in program.read("/warbands/999999", 404)


def test_pages_go_on_where_the_last_one_ended(ada: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    warbands = [s.found(ada, name=f"Company {number}").pk for number in range(5)]
    monkeypatch.setattr("campaigns.api.PER_PAGE", 2)
    program, seen, after = Program(ada), [], 0
    while after is not None:
        page = program.read(f"/warbands?after={after}")
        seen += [line["id"] for line in page["warbands"]]
        after = page["next_after"]
    assert seen == sorted(warbands)


def test_queries_do_not_grow_with_the_rows(
    made: c.Club, ada: Any, django_assert_num_queries: Any, django_assert_max_num_queries: Any
) -> None:
    program, here = Program(ada), f"/campaigns/{made.campaign.pk}"
    for address in ("/me", "/warbands", here, f"{here}/standings", f"{here}/battles"):
        program.read(address)
    with django_assert_max_num_queries(10) as few:
        program.read("/warbands")
    for number in range(6):
        s.found(ada, name=f"Company {number}")
    with django_assert_num_queries(len(few)):
        program.read("/warbands")
    for address in (here, f"{here}/standings", f"{here}/battles"):
        with django_assert_max_num_queries(13):
            program.read(address)


def test_too_many_requests_wait(ada: Any, settings: Any) -> None:
    cache.clear()
    settings.API_LIMIT = (3, 600)
    program = Program(ada)
    for _time in range(3):
        program.read("/me")
    assert "Try again in" in program.read("/me", 429)["detail"]


def test_the_description_is_open_and_names_every_answer(client: Client) -> None:
    answer = client.get(reverse("v1:openapi-json"))
    assert answer.status_code == 200
    described = json.loads(answer.content)
    assert described["info"] == {**described["info"], "title": "Muster Roll", "version": "1.0.0"}
    assert {method for path in described["paths"].values() for method in path} == {"get"}


def test_a_token_is_shown_once_and_deleted(client: Client, ada: Any, ben: Any) -> None:
    where = reverse("account-tokens")
    sign_in(client, ada)
    asked = client.post(where, {"name": "My script"})
    assert asked.url.startswith(reverse("account_reauthenticate"))  # a browser left open is not enough
    assert client.post(asked.url, {"password": "wrong"}).status_code == 200
    assert not ApiToken.objects.exists()
    page = client.post(asked.url, {"password": PASSWORD})
    assert "no-store" in page["Cache-Control"]
    kept = ApiToken.objects.get(user=ada)
    text = page.context["text"]
    assert text in page.text
    assert text.startswith(kept.shown)
    assert text not in client.get(where).text
    assert SecurityNote.objects.filter(user=ada, kind="token").count() == 1
    for wrong in ("", "x" * 61, "a\u200bb"):
        assert client.post(where, {"name": wrong}).status_code == 422
    other = Client()
    other.force_login(ben)
    other.post(where, {"row": kept.pk})
    assert ApiToken.objects.filter(pk=kept.pk).exists()
    client.post(where, {"row": kept.pk})
    assert not ApiToken.objects.exists()


def test_a_new_password_ends_all_tokens_and_says_so(client: Client, ada: Any, ben: Any) -> None:
    theirs, mine = Program(ben), Program(ada)
    sign_in(client, ada)
    where, new = reverse("account_change_password"), "an-even-longer-one"
    assert "tokens for programs end" in client.get(where).text
    client.post(where, {"oldpassword": PASSWORD, "password1": new, "password2": new})
    mine.read("/me", 401)
    theirs.read("/me")
    assert "Your tokens for programs ended with the old one." in client.get(reverse("account-show")).text
    assert "tokens for programs end" not in client.get(where).text
    with pytest.raises(Refusal, match="Sign in again"):
        make_token(user=ada, name="In the last moment")  # by a request that began before
    ada.refresh_from_db()
    ada.set_password("from the console, and long")
    ada.save()
    assert [note.kind for note in ada.security_notes.all()] == ["password", "pw-tokens", "token"]


def test_nobody_has_more_tokens_than_they_can_tell_apart(ada: Any) -> None:
    for number in range(MOST):
        make_token(user=ada, name=f"Script {number}")
    with pytest.raises(Refusal, match="Delete one first"):
        make_token(user=ada, name="One more")
