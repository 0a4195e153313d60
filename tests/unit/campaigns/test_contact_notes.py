"""Contact notes on a seat: for administrators alone, in the person's data file, and gone with their account."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from accounts.deletion import delete_account
from accounts.export import exported_data
from campaigns.models import ContactNote
from campaigns.services.contact_notes import add_contact_note
from campaigns.services.join import add_seat, claim_seat
from tests import campaign_stories as c
from tests.module_story import story
from tests.pressing import sure
from warbands.idempotency import new_token
from warbands.models import Change, Event
from warbands.services.hand_over import accept_offer, offer_warband

pytestmark = pytest.mark.django_db
WORDS = "Rings at work only, +44 20 7946 0000"


@story
def club(ada: Any, ben: Any, cleo: Any) -> c.Club:
    return c.club(cleo, ada, ben)


def test_administrators_alone_write_and_read_notes(client: Any, club: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    here = reverse("seat-show", args=[club.seat(ada).pk])
    client.force_login(cleo)
    sent = {"act": "note", "note": WORDS, "token": new_token()}
    for _press in range(2):
        client.post(here, sent)
    note = ContactNote.objects.get()
    assert (note.about, note.by, note.words) == (ada, cleo, WORDS)
    assert WORDS in client.get(here).content.decode()
    assert WORDS not in str(list(Event.objects.values_list("sentence", "data")) + list(Change.objects.values()))
    assert client.post(here, {"act": "note", "note": " ", "token": new_token()}).status_code == 422
    client.force_login(ada)
    assert WORDS not in client.get(here).content.decode()
    assert client.post(here, {"act": "note", "note": "x", "token": new_token()}).status_code == 422
    with pytest.raises(PermissionDenied):
        add_contact_note(seat=club.seat(ada), words="x", actor=ada)
    client.force_login(cleo)
    assert sure(client, here, {"act": "note-end", "row": note.pk}).status_code == 302
    assert not ContactNote.objects.exists()


def test_notes_stand_in_the_data_file_and_go_with_the_account(club: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    add_contact_note(seat=club.seat(ada), words=WORDS, actor=cleo)
    (told,) = exported_data(ada)["campaigns"]["contact_notes"]
    assert (told["words"], told["campaign"]) == (WORDS, club.campaign.name)
    assert exported_data(ben)["campaigns"]["contact_notes"] == []
    assert delete_account(ada) == []
    assert not ContactNote.objects.exists()


def test_notes_follow_the_person_and_not_the_place(
    client: Any, club: c.Club, ada: Any, ben: Any, cleo: Any, dora: Any
) -> None:
    spare = add_seat(campaign=club.campaign, actor=cleo, name="Kolya")
    add_contact_note(seat=spare, words="No phone.", actor=cleo)
    claim_seat(claim_token=spare.claim_token, actor=dora)
    assert [each["words"] for each in exported_data(dora)["campaigns"]["contact_notes"]] == ["No phone."]
    eve = type(ada).objects.create_user("eve")
    add_contact_note(seat=club.seat(ada), words=WORDS, actor=cleo)
    accept_offer(offer=offer_warband(warband=club.warband(ada), actor=ada), actor=eve)
    client.force_login(cleo)
    assert WORDS not in client.get(reverse("seat-show", args=[club.seat(ada).pk])).content.decode()
    assert exported_data(eve)["campaigns"]["contact_notes"] == []
    assert len(exported_data(ada)["campaigns"]["contact_notes"]) == 1
