"""A forgotten password without an e-mail address: the administrator hands out a link."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import ResetLink
from campaigns.services.join import leave_seat
from campaigns.services.open import add_administrator, remove_administrator
from campaigns.services.resets import hand_out_reset
from rules.problems import Refusal
from tests import stories as s
from tests.campaign_stories import Club, club
from tests.module_story import story
from warbands.idempotency import new_token
from warbands.models import Event
from warbands.services.sharing import add_delegate

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def ada_without_mail(ada: Any) -> Any:
    """Ada, who left no address."""
    ada.email = ""
    ada.save(update_fields=["email"])
    return ada


@story
def made(cleo: Any, ada_without_mail: Any) -> Club:
    """Cleo's campaign with Ada."""
    return club(cleo, ada_without_mail)


def test_the_link_sets_a_new_password_once(made: Club, client: Client, cleo: Any, ada_without_mail: Any) -> None:
    client.force_login(cleo)
    address = reverse("seat-reset", args=[made.seat(ada_without_mail).pk])
    assert client.get(address).status_code == 200
    answer = client.post(address, {"token": new_token()})
    assert answer["Cache-Control"] == "no-store"
    link = answer.context["address"].removeprefix("http://testserver")
    visitor = Client()
    page = visitor.get(link, follow=True)
    assert page.status_code == 200
    new = {"password1": "another-long-password-7", "password2": "another-long-password-7"}
    visitor.post(page.request["PATH_INFO"], new)
    ada_without_mail.refresh_from_db()
    assert ada_without_mail.check_password(new["password1"])
    again = Client().get(link, follow=True)
    assert b"password1" not in again.content


@pytest.mark.parametrize("chosen", [False, True])
def test_the_link_ends_the_second_step_only_of_who_chose_that(
    made: Club, cleo: Any, ada_without_mail: Any, chosen: bool
) -> None:
    """An administrator's link is no way past the second step, unless its person wanted one."""
    ada_without_mail.link_ends_second_step = chosen
    ada_without_mail.save(update_fields=["link_ends_second_step"])
    Authenticator.objects.create(user=ada_without_mail, type=Authenticator.Type.TOTP, data={})
    visitor = Client()
    page = visitor.get(hand_out_reset(seat=made.seat(ada_without_mail), actor=cleo), follow=True)
    new = {"password1": "another-long-password-7", "password2": "another-long-password-7"}
    visitor.post(page.request["PATH_INFO"], new)
    assert Authenticator.objects.filter(user=ada_without_mail).exists() is not chosen
    told = [note.kind for note in ada_without_mail.security_notes.order_by("pk")]
    assert told == (["password", "step-ended"] if chosen else ["password"])
    signs_in = {"login": ada_without_mail.username, "password": new["password1"]}
    onward = visitor.post(reverse("account_login"), signs_in)
    assert (onward.url == reverse("mfa_authenticate")) is not chosen


def test_the_news_tells_of_it(made: Club, cleo: Any, ada_without_mail: Any) -> None:
    hand_out_reset(seat=made.seat(ada_without_mail), actor=cleo)
    assert Event.objects.filter(kind="reset-link", actor=cleo).exists()


def test_who_has_mail_or_forbids_it_or_runs_the_site_gets_none(cleo: Any, ada: Any) -> None:
    made = club(cleo, ada)
    before = Event.objects.count()
    with pytest.raises(Refusal, match="e-mail"):
        hand_out_reset(seat=made.seat(ada), actor=cleo)
    ada.email, ada.takes_reset_links = "", False
    ada.save(update_fields=["email", "takes_reset_links"])
    with pytest.raises(Refusal, match="reset links"):
        hand_out_reset(seat=made.seat(ada), actor=cleo)
    ada.is_staff, ada.takes_reset_links = True, True
    ada.save(update_fields=["is_staff", "takes_reset_links"])
    with pytest.raises(Refusal, match="is a site owner"):
        hand_out_reset(seat=made.seat(ada), actor=cleo)
    assert Event.objects.count() == before


def test_a_campaign_of_ones_own_is_no_way_into_those_of_others(cleo: Any, ada_without_mail: Any, ben: Any) -> None:
    club(cleo, ada_without_mail)
    lure = club(ben, ada_without_mail)
    with pytest.raises(Refusal, match="that you don't administer"):
        hand_out_reset(seat=lure.seat(ada_without_mail), actor=ben)
    assert not Event.objects.filter(kind="reset-link").exists()


def test_only_administrators_hand_it_out(client: Client, cleo: Any, ada: Any, ben: Any, dora: Any) -> None:
    made = club(cleo, ada, ben)
    address = reverse("seat-reset", args=[made.seat(ada).pk])
    client.force_login(ben)
    assert client.post(address, {"token": new_token()}).status_code == 403
    client.force_login(dora)
    assert client.post(address, {"token": new_token()}).status_code == 404


# --- what is asked when a link is made is asked when it is used ---------------------------------------------------------------

NEW = {"password1": "another-long-password-7", "password2": "another-long-password-7"}


def opened(link: str) -> tuple[Client, Any]:
    """A visitor who opened a link, and the page."""
    visitor = Client()
    return visitor, visitor.get(link, follow=True)


def set_by(link: str, user: Any) -> bool:
    """Whether the link sets a password."""
    visitor, page = opened(link)
    visitor.post(page.request["PATH_INFO"], NEW)
    user.refresh_from_db()
    return bool(user.check_password(NEW["password1"]))


def joins_elsewhere(made: Any, ada: Any, cleo: Any, ben: Any) -> None:
    club(ben, ada)


def opens_her_own(made: Any, ada: Any, cleo: Any, ben: Any) -> None:
    club(ada, ben)


def switches_them_off(made: Any, ada: Any, cleo: Any, ben: Any) -> None:
    type(ada).objects.filter(pk=ada.pk).update(takes_reset_links=False)


def leaves_an_address(made: Any, ada: Any, cleo: Any, ben: Any) -> None:
    type(ada).objects.filter(pk=ada.pk).update(email="ada@example.org")


def adds_an_address(made: Any, ada: Any, cleo: Any, ben: Any) -> None:
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=False, primary=False)


def runs_the_site(made: Any, ada: Any, cleo: Any, ben: Any) -> None:
    type(ada).objects.filter(pk=ada.pk).update(is_staff=True)


def is_closed(made: Any, ada: Any, cleo: Any, ben: Any) -> None:
    type(ada).objects.filter(pk=ada.pk).update(is_active=False)


def leaves(made: Any, ada: Any, cleo: Any, ben: Any) -> None:
    leave_seat(seat=made.seat(ada), actor=ada)


def loses_the_maker(made: Any, ada: Any, cleo: Any, ben: Any) -> None:
    add_administrator(campaign=made.campaign, user=ben, actor=cleo)
    remove_administrator(campaign=made.campaign, user=cleo, actor=ben)


def has_a_maker_who_is_gone(made: Any, ada: Any, cleo: Any, ben: Any) -> None:
    type(cleo).objects.filter(pk=cleo.pk).update(is_active=False)


def acts_for_somebody_elsewhere(made: Any, ada: Any, cleo: Any, ben: Any) -> None:
    add_delegate(warband=s.found(ben), username="ada", actor=ben)


def signs_in(made: Any, ada: Any, cleo: Any, ben: Any) -> None:
    type(ada).objects.filter(pk=ada.pk).update(last_login=timezone.now())


def gets_a_newer_one(made: Any, ada: Any, cleo: Any, ben: Any) -> None:
    hand_out_reset(seat=made.seat(ada), actor=cleo)


def waits_too_long(made: Any, ada: Any, cleo: Any, ben: Any) -> None:
    ResetLink.objects.update(made_at=timezone.now() - timedelta(hours=2, minutes=1))


MEANWHILE = (
    joins_elsewhere,
    opens_her_own,
    switches_them_off,
    leaves_an_address,
    adds_an_address,
    runs_the_site,
    is_closed,
    leaves,
    loses_the_maker,
    has_a_maker_who_is_gone,
    acts_for_somebody_elsewhere,
    signs_in,
    gets_a_newer_one,
    waits_too_long,
)


@pytest.mark.parametrize("happens", MEANWHILE, ids=lambda happens: happens.__name__)
def test_a_link_made_before_sets_nothing_once_its_person(
    made: Club, happens: Callable[..., None], cleo: Any, ada_without_mail: Any, ben: Any
) -> None:
    link = hand_out_reset(seat=made.seat(ada_without_mail), actor=cleo)
    happens(made, ada_without_mail, cleo, ben)
    assert not set_by(link, ada_without_mail)


@pytest.mark.parametrize("happens", MEANWHILE, ids=lambda happens: happens.__name__)
def test_a_page_opened_before_sets_nothing_either_once_its_person(
    made: Club, happens: Callable[..., None], cleo: Any, ada_without_mail: Any, ben: Any
) -> None:
    visitor, page = opened(hand_out_reset(seat=made.seat(ada_without_mail), actor=cleo))
    assert b"password1" in page.content
    happens(made, ada_without_mail, cleo, ben)
    assert b"no longer works" in visitor.post(page.request["PATH_INFO"], NEW).content
    ada_without_mail.refresh_from_db()
    assert not ada_without_mail.check_password(NEW["password1"])


def test_a_link_works_for_two_hours(made: Club, cleo: Any, ada_without_mail: Any) -> None:
    link = hand_out_reset(seat=made.seat(ada_without_mail), actor=cleo)
    ResetLink.objects.update(made_at=timezone.now() - timedelta(hours=1, minutes=59))
    assert set_by(link, ada_without_mail)


def test_switched_off_and_on_again_the_old_link_stays_dead(
    made: Club, client: Client, cleo: Any, ada_without_mail: Any
) -> None:
    client.force_login(ada_without_mail)
    ada_without_mail.refresh_from_db()
    link = hand_out_reset(seat=made.seat(ada_without_mail), actor=cleo)
    chosen = {"first_name": "", "paper_size": "A4", "colour_scheme": "auto"}
    assert client.post(reverse("account-show"), chosen).status_code == 302
    assert client.post(reverse("account-show"), {**chosen, "takes_reset_links": "on"}).status_code == 302
    assert not set_by(link, ada_without_mail)


def test_a_link_made_before_links_were_kept_sets_nothing_without_an_address(ada_without_mail: Any) -> None:
    key = default_token_generator.make_token(ada_without_mail)
    address = {"uidb36": user_pk_to_url_str(ada_without_mail), "key": key}
    assert not set_by(reverse("account_reset_password_from_key", kwargs=address), ada_without_mail)


def test_a_mailed_link_works_for_a_day(settings: Any, ada: Any, monkeypatch: Any) -> None:
    assert settings.PASSWORD_RESET_TIMEOUT == 24 * 60 * 60
    monkeypatch.setattr(
        default_token_generator, "_now", lambda: timezone.now().replace(tzinfo=None) - timedelta(hours=25)
    )
    key = default_token_generator.make_token(ada)
    monkeypatch.undo()
    address = {"uidb36": user_pk_to_url_str(ada), "key": key}
    assert not set_by(reverse("account_reset_password_from_key", kwargs=address), ada)


def test_nobody_makes_up_a_link(made: Club, cleo: Any, ada_without_mail: Any, ben: Any) -> None:
    link = hand_out_reset(seat=made.seat(ada_without_mail), actor=cleo)
    ben.email = ""
    ben.save(update_fields=["email"])
    mine, _, rest = link.partition("-")
    others = reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(ben), "key": "x"})
    assert not set_by(f"{others.partition('-')[0]}-{rest}", ben)
    for wrong in (link.replace("hand", "hand9"), f"{mine}-hand1-x/", f"{mine}-hand-/", f"{mine}-hand{'9' * 30}-a-b/"):
        _, page = opened(wrong)
        assert page.status_code == 200
        assert b"password1" not in page.content


def test_only_who_administers_makes_one_also_past_the_page(cleo: Any, ada_without_mail: Any, ben: Any) -> None:
    made = club(cleo, ada_without_mail, ben)
    with pytest.raises(Refusal, match="administrators"):
        hand_out_reset(seat=made.seat(ada_without_mail), actor=ben)


# --- its person reads of it ---------------------------------------------------------------------------------------------------


def told_at_sign_in(password: str) -> list[str]:
    visitor = Client()
    answer = visitor.post("/accounts/login/", {"login": "ada", "password": password})
    assert answer.status_code == 302
    return [
        str(message)
        for message in get_messages(answer.wsgi_request)
        if "reset" in str(message) or "link" in str(message)
    ]


def test_its_person_reads_at_the_next_sign_in_and_on_the_own_page_who_made_one(
    client: Client, cleo: Any, ada_without_mail: Any
) -> None:
    from tests.conftest import PASSWORD

    made = club(cleo, ada_without_mail)
    hand_out_reset(seat=made.seat(ada_without_mail), actor=cleo)
    (told,) = told_at_sign_in(PASSWORD)
    assert told.startswith(f"cleo ({made.campaign.name}) made a link to set your password")
    assert told.endswith("It was not used.")
    assert told_at_sign_in(PASSWORD) == []
    ada_without_mail.refresh_from_db()
    client.force_login(ada_without_mail)
    assert told.encode() in client.get(reverse("account-show")).content


def test_a_link_that_was_used_is_told_too(client: Client, cleo: Any, ada_without_mail: Any) -> None:
    from tests.conftest import PASSWORD

    made = club(cleo, ada_without_mail)
    hand_out_reset(seat=made.seat(ada_without_mail), actor=cleo)
    assert told_at_sign_in(PASSWORD)
    ada_without_mail.refresh_from_db()
    assert set_by(hand_out_reset(seat=made.seat(ada_without_mail), actor=cleo), ada_without_mail)
    (told,) = told_at_sign_in(NEW["password1"])
    assert "A new password was set with it" in told


def test_a_link_that_was_refused_is_told_too(
    made: Club, client: Client, cleo: Any, ada_without_mail: Any, ben: Any
) -> None:
    link = hand_out_reset(seat=made.seat(ada_without_mail), actor=cleo)
    club(ben, ada_without_mail)
    _, page = opened(link)
    assert b"can no longer reset your password" in page.content
    ada_without_mail.refresh_from_db()
    client.force_login(ada_without_mail)
    assert b"and refused" in client.get(reverse("account-show")).content


def test_what_the_site_holds_of_links_is_in_the_export(
    made: Club, client: Client, cleo: Any, ada_without_mail: Any
) -> None:
    hand_out_reset(seat=made.seat(ada_without_mail), actor=cleo)
    client.force_login(ada_without_mail)
    (link,) = client.get(reverse("account-export")).json()["account"]["reset_links"]
    assert (link["made_by"], link["used_at"]) == ("cleo", None)
