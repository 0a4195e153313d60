"""Guests: building before signing up, becoming an account, moving to one, and being forgotten."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.admin import PeopleAdmin
from accounts.guests import merge_guest, new_guest
from accounts.models import User
from rules.problems import Refusal
from tests import stories as s
from tests.conftest import PASSWORD
from tests.tokens import token
from warbands.models import Event, Fighter, LedgerEntry, Profile, Terms, Warband
from warbands.services.sharing import add_delegate, person_named

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

START, KEEP = "/warbands/new/", "/account/keep/"
STRONG = "lantern-wardens-1916"


@pytest.fixture(autouse=True)
def clean_slate() -> None:
    cache.clear()


def start(client: Any, **more: Any) -> Any:
    return client.post(START, {"name": "The Turf Cutters", **more})


@pytest.fixture
def guest(client: Any) -> User:
    """The client is a guest who has started a warband."""
    assert start(client).status_code == 302
    return User.objects.get(is_guest=True)


def ready_to_lock(guest: User) -> Warband:
    warband = guest.warbands.get()
    for profile in ("Lieutenant", "Yeoman"):
        s.hire(warband, profile)
    return s.fresh(warband)


# --- building -------------------------------------------------------------------------------------------------------------


def test_a_stranger_builds_before_signing_up(client: Any) -> None:
    answer = start(client)
    warband = Warband.objects.get()
    assert answer.url == reverse("fighter-hire", args=[warband.pk])
    guest = warband.owner
    assert (guest.is_guest, guest.has_usable_password(), str(guest)) == (True, False, "Guest")
    for name in ("warband-show", "fighter-hire", "stash-show", "history-show", "warband-ready", "warband-change"):
        assert client.get(reverse(name, args=[warband.pk])).status_code == 200, name
    assert client.get("/").status_code == client.get("/warbands/").status_code == 200


def test_a_guest_has_a_session_key_of_its_own(client: Any) -> None:
    client.get(START)
    client.session.save()
    before = client.session.session_key
    start(client)
    assert client.session.session_key != before
    assert Client().get(reverse("warband-show", args=[Warband.objects.get().pk])).status_code == 302


def test_a_ready_warband_needs_no_account_either(client: Any) -> None:
    answer = client.post(START, {"game": "trench-crusade/1.0", "sample": "lantern-wardens"})
    warband = Warband.objects.get()
    assert answer.url == reverse("warband-show", args=[warband.pk])
    assert warband.owner.is_guest


def test_two_presses_make_one_guest_and_lead_to_the_same_warband(client: Any) -> None:
    first = start(client, token="once")
    other = Client()  # the first answer was lost, its cookies with it
    again = other.post(START, {"name": "The Turf Cutters", "token": token("once")})
    warband = Warband.objects.get()
    assert User.objects.count() == 1
    assert first.status_code == again.status_code == 302
    assert again.url == reverse("warband-show", args=[warband.pk])
    assert other.get(again.url).status_code == 200


def test_an_old_token_opens_nothing(client: Any, guest: User) -> None:
    Event.objects.update(token=token("once"), at=timezone.now() - timedelta(minutes=11))
    other = Client()
    assert other.post(START, {"name": "X", "token": token("once")}).status_code != 302
    assert "_auth_user_id" not in other.session


def test_the_token_of_an_account_signs_nobody_in(client: Any, ada: User) -> None:
    s.found(ada)
    Event.objects.update(token=token("once"))
    assert client.post(START, {"name": "X", "token": token("once")}).status_code != 302
    assert "_auth_user_id" not in client.session
    assert not User.objects.filter(is_guest=True).exists()


def test_a_refused_start_leaves_no_guest(client: Any) -> None:
    assert start(client, name="").status_code == 422
    assert client.post(START, {"sample": "no-such-sample"}).status_code == 422
    assert not User.objects.exists()


def test_one_address_begins_only_so_many(client: Any, settings: Any) -> None:
    settings.GUEST_LIMIT = (2, 3600)
    assert [start(Client()).status_code for _ in range(3)] == [302, 302, 429]
    assert User.objects.count() == 2


# --- what a guest may not do ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    ["/account/", "/campaigns/open/", "/accounts/email/", "/accounts/password/set/", "/accounts/login/", "/admin/"],
)
def test_what_needs_an_account_asks_for_it_and_leads_back(client: Any, guest: User, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.url.partition("?")[0]) == (302, KEEP)
    assert client.post(address, {}).url.partition("?")[0] == KEEP


def test_a_guest_shares_nothing(client: Any, guest: User, ben: User) -> None:
    warband = guest.warbands.get()
    assert client.get(reverse("warband-share", args=[warband.pk])).url.startswith(KEEP)
    with pytest.raises(Refusal):
        add_delegate(warband=warband, username="ben", actor=guest)


def test_a_guest_is_found_by_nobody(guest: User, ada: User, rf: Any) -> None:
    with pytest.raises(Refusal):
        person_named(guest.username)
    assert list(PeopleAdmin(User, None).get_queryset(rf.get("/"))) == [ada]  # type: ignore[arg-type]
    assert list(User.objects.with_account()) == [ada]


# --- becoming an account --------------------------------------------------------------------------------------------------


def test_locking_in_asks_for_name_and_password_and_keeps_everything(client: Any, guest: User) -> None:
    warband = ready_to_lock(guest)
    address = reverse("warband-ready", args=[warband.pk])
    assert b'name="password1"' in client.get(address).content
    before = client.session.session_key
    answer = client.post(address, {"seen": warband.version, "username": "ottla", "password1": STRONG})
    assert answer.status_code == 302, answer.content.decode()
    account = User.objects.get()
    assert (account.pk, account.username, account.is_guest) == (guest.pk, "ottla", False)
    assert account.check_password(STRONG)
    assert not s.fresh(warband).is_founding
    assert client.session.session_key != before
    assert set(Event.objects.values_list("actor_name", flat=True)) == {"ottla"}
    s.assert_reconciled(warband)
    assert Client().login(username="ottla", password=STRONG)


def test_all_faults_of_the_password_are_told_at_once_and_nothing_is_locked(client: Any, guest: User, ada: User) -> None:
    warband = ready_to_lock(guest)
    form = {"seen": warband.version, "username": "ada", "password1": "123"}
    answer = client.post(reverse("warband-ready", args=[warband.pk]), form)
    assert answer.status_code == 422
    page = answer.content.decode()
    for words in ("already uses that name", "too short", "too common", "entirely numeric"):
        assert words in page
    assert s.fresh(warband).is_founding
    assert User.objects.get(pk=guest.pk).is_guest


def test_a_roster_with_problems_opens_no_account(client: Any, guest: User) -> None:
    warband = guest.warbands.get()
    form = {"seen": warband.version, "username": "ottla", "password1": STRONG}
    assert client.post(reverse("warband-ready", args=[warband.pk]), form).status_code == 422
    assert User.objects.get(pk=guest.pk).is_guest


def test_locking_in_twice_is_done_once(client: Any, guest: User) -> None:
    warband = ready_to_lock(guest)
    address = reverse("warband-ready", args=[warband.pk])
    form = {"seen": warband.version, "username": "ottla", "password1": STRONG, "token": "lock"}
    assert client.post(address, form).status_code == 302
    assert client.post(address, form).status_code in (200, 302)
    assert Event.objects.filter(kind="ready").count() == 1
    assert User.objects.count() == 1


def test_a_second_tab_cannot_turn_the_guest_again(client: Any, guest: User) -> None:
    other = Client()
    other.force_login(guest)
    assert client.post(KEEP, {"username": "ottla", "password1": STRONG}).status_code == 302
    other.post(KEEP, {"username": "milena", "password1": STRONG})
    assert list(User.objects.values_list("username", flat=True)) == ["ottla"]


def test_keeping_leads_back_to_where_the_guest_was_going(client: Any, guest: User) -> None:
    assert (
        client.post(KEEP, {"username": "ottla", "password1": STRONG, "next": "/campaigns/open/"}).url
        == "/campaigns/open/"
    )


def test_keeping_leads_nowhere_outside(client: Any, guest: User) -> None:
    form = {"username": "ottla", "password1": STRONG, "next": "https://elsewhere.example/"}
    assert client.post(KEEP, form).url == "/"


# --- moving to an account -------------------------------------------------------------------------------------------------


def sign_in(client: Any, **more: Any) -> Any:
    return client.post(KEEP, {"act": "sign-in", "old-login": "ada", "old-password": PASSWORD, **more})


def test_signing_in_moves_the_warbands_by_a_recorded_act(client: Any, guest: User, ada: User) -> None:
    start(client, name="The Second", list="eire-rangers")
    first, second = guest.warbands.order_by("pk")
    s.hire(first, "Lieutenant")
    answer = sign_in(client, next=reverse("warband-ready", args=[first.pk]))
    assert answer.url == reverse("warband-ready", args=[first.pk])
    assert not User.objects.filter(is_guest=True).exists()
    assert set(ada.warbands.all()) == {first, second}
    event = Event.objects.get(kind="keep")
    assert event.actor == ada
    assert "kept 2 warbands" in event.told
    assert set(Event.objects.values_list("actor", flat=True)) == {ada.pk}
    assert client.get(reverse("history-show", args=[first.pk])).status_code == 200
    assert client.post(reverse("event-undo", args=[event.pk]), {}).status_code in (403, 422)
    s.assert_reconciled(first)


def test_what_a_guest_did_can_still_be_undone_by_the_account(client: Any, guest: User, ada: User) -> None:
    warband = guest.warbands.get()
    fighter = s.hire(warband, "Lieutenant")
    began, hired = Event.objects.order_by("pk")
    sign_in(client)
    for event in (hired, began):  # the newest first
        page = client.get(reverse("event-undo", args=[event.pk])).content.decode()
        assert "depends on this" not in page
        assert client.post(reverse("event-undo", args=[event.pk]), {}).status_code == 302
    assert not Fighter.objects.live().filter(pk=fighter.pk).exists()
    assert not Warband.objects.live().filter(pk=warband.pk).exists()


def test_a_guests_settings_ask_for_nothing_that_needs_an_account(client: Any, guest: User, ada: User) -> None:
    here = reverse("warband-change", args=[guest.warbands.get().pk])
    page = client.get(here).content.decode()
    assert f"{KEEP}?next={here.replace('/', '%2F')}" in page
    for field in ("username", "lends"):
        assert f'name="{field}"' not in page
    sign_in(client)
    page = client.get(here).content.decode()
    assert KEEP not in page
    assert "hand-over/" in page


def test_profiles_move_too_and_keep_apart(client: Any, guest: User, ada: User) -> None:
    for owner in (guest, ada):
        Profile.objects.create(owner=owner, system="gloom-trench", edition="core", kind="unit", slug="rifles", name="R")
    sign_in(client)
    assert sorted(ada.profiles.values_list("slug", flat=True)) == ["rifles", "rifles-2"]


def test_a_wrong_password_moves_nothing(client: Any, guest: User, ada: User) -> None:
    assert sign_in(client, **{"old-password": "wrong"}).status_code == 422
    assert guest.warbands.count() == 1
    assert client.session["_auth_user_id"] == str(guest.pk)


def test_a_closed_account_takes_nothing(client: Any, guest: User, ada: User) -> None:
    User.objects.filter(pk=ada.pk).update(is_active=False)
    sign_in(client)
    assert User.objects.get(pk=guest.pk).warbands.count() == 1


def test_moving_twice_is_done_once(guest: User, ada: User) -> None:
    merge_guest(guest, ada)
    merge_guest(guest, ada)
    assert Event.objects.filter(kind="keep").count() == 1


# --- leaving --------------------------------------------------------------------------------------------------------------


def test_signing_out_says_what_is_lost(client: Any, guest: User) -> None:
    page = client.get("/accounts/logout/").content.decode()
    assert "no account" in page
    assert "The Turf Cutters" in page


def test_the_data_file_and_deletion_work_without_a_password(client: Any, guest: User) -> None:
    assert client.get("/account/export/").json()["warbands"]
    assert client.post("/account/delete/", {}).status_code == 302
    assert not User.objects.exists()
    assert not Warband.objects.exists()


def test_unused_guests_are_deleted_with_all_they_made(client: Any, guest: User, ada: User) -> None:
    warband = ready_to_lock(guest)
    s.equip(s.fighter(warband, warband.fighters.first().name), "Trench Club")
    s.take_back(warband, actor=guest)
    kept, used = s.small_warband(ada), new_guest()
    events = Event.objects.exclude(actor=guest).filter(subjects__warband=kept).count()
    User.objects.filter(pk=guest.pk).update(last_login=timezone.now() - timedelta(days=15))
    call_command("prune_guests", verbosity=0)
    assert set(User.objects.all()) == {ada, used}
    assert list(Warband.objects.all()) == [kept]
    assert not Fighter.objects.exclude(warband=kept).exists()
    assert not LedgerEntry.objects.exclude(warband=kept).exists()
    assert Event.objects.filter(subjects__warband=kept).count() == events == Event.objects.count()
    assert Terms.objects.count() == 1


def test_coming_back_keeps_a_guest(client: Any, guest: User) -> None:
    User.objects.filter(pk=guest.pk).update(last_login=timezone.now() - timedelta(days=13))
    client.get("/warbands/")
    User.objects.get(pk=guest.pk)
    assert User.objects.get().last_login > timezone.now() - timedelta(minutes=1)
