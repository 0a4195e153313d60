"""A warband goes to another player: offered by its owner, or in the owner's name, and accepted by the other person."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import timezone

from accounts.deletion import delete_account
from accounts.export import exported_data
from campaigns.models import Seat
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.idempotency import new_token
from warbands.models import Delegate, Event, HandOver, LedgerEntry, ShareLink
from warbands.services.hand_over import accept_offer, decline_offer, offer_warband, withdraw_offer
from warbands.services.sharing import add_delegate, share_warband
from warbands.undo import undo

pytestmark = pytest.mark.django_db


@story
def club(ada: Any, ben: Any, cleo: Any) -> c.Club:
    return c.club(cleo, ada, ben)


def signed_in(client: Any, user: Any) -> Any:
    client.force_login(user)
    return client


def take(offer: HandOver) -> str:
    return reverse("hand-over-take", args=[offer.code])


def press(client: Any, address: str, **sent: Any) -> Any:
    return client.post(address, {"token": new_token(), **sent})


def test_a_warband_goes_to_whom_it_was_offered(client: Any, ada: Any, ben: Any, dora: Any) -> None:
    warband = s.camp(ada)
    link = share_warband(warband=warband, actor=ada)
    add_delegate(warband=warband, username="dora", actor=ada)
    ledger, purse = LedgerEntry.objects.count(), s.purse(warband)
    here = reverse("warband-hand-over", args=[warband.pk])
    assert press(signed_in(client, ada), here, act="offer", to="ben").status_code == 302
    offer = HandOver.objects.get()
    assert s.fresh(warband).owner == ada
    assert take(offer) in signed_in(client, ben).get("/").content.decode()
    assert signed_in(client, dora).get(take(offer)).status_code == 404
    assert "ada offers you" in signed_in(client, ben).get(take(offer)).content.decode()
    sent = {"act": "accept", "token": new_token()}
    for _press in range(2):
        client.post(take(offer), sent)
    assert s.fresh(warband).owner == ben
    assert Event.objects.filter(kind="hand-over").count() == 1
    assert not Delegate.objects.live().filter(warband=warband).exists()
    assert ShareLink.objects.get(pk=link.pk).is_revoked is False
    assert (LedgerEntry.objects.count(), s.purse(warband)) == (ledger, purse)
    s.assert_reconciled(s.fresh(warband))
    assert f"ben took over {warband.name}" in signed_in(client, ada).get("/").content.decode()
    assert press(client, take(offer), act="seen").status_code == 302
    assert take(offer) not in client.get("/").content.decode()
    event = Event.objects.get(kind="hand-over")
    assert event.told == f"ben took over {warband.name} from ada."
    undone = undo(event=event, actor=ben)
    assert s.fresh(warband).owner == ada
    assert Delegate.objects.live().filter(warband=warband).exists()
    with pytest.raises(Refusal, match="consent"):
        undo(event=undone, actor=ada)


def test_the_place_and_its_results_go_with_it(club: c.Club, ada: Any, ben: Any, dora: Any) -> None:
    c.fight(c.mustered(club, ada, ben), by=ada, winner=ada)
    warband, seat = club.warband(ada), club.seat(ada)
    with pytest.raises(Refusal, match="has a place"):
        offer_warband(warband=warband, actor=ada, to=ben)
    offer = offer_warband(warband=warband, actor=ada)
    with pytest.raises(Refusal, match="has a place"):
        accept_offer(offer=offer, actor=ben)
    accept_offer(offer=offer, actor=dora)
    fresh = Seat.objects.get(pk=seat.pk)
    assert (fresh.user, fresh.name, fresh.sides.count()) == (dora, "dora", 1)
    undo(event=Event.objects.get(kind="hand-over"), actor=dora)
    fresh.refresh_from_db()
    assert (fresh.user, fresh.name, s.fresh(warband).owner) == (ada, "ada", ada)
    with pytest.raises(Refusal, match="over"):
        accept_offer(offer=offer, actor=dora)  # the link worked once, undone or not


def test_an_administrator_offers_in_the_owners_name_with_a_reason(
    client: Any, club: c.Club, ada: Any, ben: Any, cleo: Any, dora: Any
) -> None:
    warband = club.warband(ada)
    add_delegate(warband=warband, username="ben", actor=ada)
    here = reverse("warband-hand-over", args=[warband.pk])
    assert signed_in(client, ben).get(here).status_code == 403
    assert "Give a reason" in press(signed_in(client, cleo), here, act="offer", to="dora").content.decode()
    assert press(client, here, act="offer", to="dora", reason="Ada moved away.").status_code == 302
    assert Event.objects.get(kind="hand-over-offer").told.startswith("cleo, for ada, offered")
    assert "cleo offers The Lantern Wardens in your name" in signed_in(client, ada).get("/").content.decode()
    assert press(client, here, act="withdraw").status_code == 302
    offer = HandOver.objects.get()
    assert signed_in(client, dora).get(take(offer)).status_code == 404
    with pytest.raises(Refusal, match="over"):
        accept_offer(offer=offer, actor=dora)
    again = offer_warband(warband=club.warband(ada), actor=cleo, to=dora, reason="As agreed.")
    accept_offer(offer=again, actor=dora)
    undo(event=Event.objects.get(kind="hand-over"), actor=cleo)
    assert club.warband(ada).owner == ada


def test_an_offer_by_e_mail_works_once_and_its_address_is_forgotten(
    client: Any, ada: Any, ben: Any, dora: Any, caplog: Any
) -> None:
    warband = s.found(ada)
    here = reverse("warband-hand-over", args=[warband.pk])
    press(signed_in(client, ada), here, act="offer", to="Dora@club.example")
    offer = HandOver.objects.get()
    (sent,) = mail.outbox
    assert sent.to == ["dora@club.example"]
    assert take(offer) in sent.body
    assert "club.example" not in Event.objects.get(kind="hand-over-offer").told + caplog.text
    client.logout()
    assert press(client, take(offer), act="accept").url.startswith(reverse("account_login"))
    dora.emailaddress_set.create(email="dora@club.example", verified=False)
    assert take(offer) not in signed_in(client, dora).get("/").content.decode()
    dora.emailaddress_set.update(verified=True)
    assert take(offer) in client.get("/").content.decode()
    assert press(client, take(offer), act="accept").url == reverse("warband-show", args=[warband.pk])
    offer.refresh_from_db()
    assert (offer.email, offer.to, offer.is_open) == ("", dora, False)
    assert signed_in(client, ben).get(take(offer)).status_code == 404
    assert [each["to"] for each in exported_data(ada)["hand_overs"]] == ["dora"]
    assert delete_account(dora) == []
    assert not HandOver.objects.exists()


@pytest.mark.parametrize(
    ("to", "words"), [("nobody", "No user with that name"), ("", "Give a user name"), ("ada", "ada already owns ")]
)
def test_a_wrong_name_is_answered(client: Any, ada: Any, to: str, words: str) -> None:
    warband = s.found(ada)
    answer = press(signed_in(client, ada), reverse("warband-hand-over", args=[warband.pk]), act="offer", to=to)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not HandOver.objects.exists()


def test_what_became_of_an_offer_stands(ada: Any, ben: Any, cleo: Any, dora: Any) -> None:
    warband = s.found(ada)
    offer = offer_warband(warband=warband, actor=ada, to=ben)
    with pytest.raises(Refusal, match="offered already"):
        offer_warband(warband=warband, actor=ada, to=dora)
    with pytest.raises(Refusal, match="another player"):
        accept_offer(offer=offer, actor=dora)
    with pytest.raises(PermissionDenied):
        withdraw_offer(offer=offer, actor=ben)
    decline_offer(offer=offer, actor=ben)
    second = offer_warband(warband=s.fresh(warband), actor=ada, to=ben)
    HandOver.objects.filter(pk=second.pk).update(made_at=timezone.now() - timedelta(days=31))
    with pytest.raises(Refusal, match="over"):
        accept_offer(offer=second, actor=ben)
    third = offer_warband(warband=s.fresh(warband), actor=ada, to=ben)  # the old one is in nobody's way
    accept_offer(offer=third, actor=ben)
    event = Event.objects.get(kind="hand-over")
    Event.objects.filter(pk=event.pk).update(at=timezone.now() - timedelta(days=15))
    with pytest.raises(Refusal, match="14 days"):
        undo(event=Event.objects.get(pk=event.pk), actor=ben)


def test_who_is_a_guest_signs_up_first(ada: Any, ben: Any) -> None:
    offer = offer_warband(warband=s.found(ada), actor=ada)
    ben.is_guest = True
    with pytest.raises(Refusal, match="account"):
        accept_offer(offer=offer, actor=ben)
