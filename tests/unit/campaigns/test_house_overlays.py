"""A table hands in its own changes to the rules: checked, shown as what they are, played, handed on and withdrawn."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign
from campaigns.services.states import foresee_campaign, move_campaign
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.known_overlays import forget_handed_in
from warbands.export import document_of
from warbands.models import Event, HouseOverlay, OverlayCopy, Terms, Warband
from warbands.pins import pin_changes
from warbands.services.house_overlays import (
    Faults,
    file_of,
    hand_in_overlay,
    offer_overlay_again,
    withdraw_overlay,
)
from warbands.services.states import change_state
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
HEAD = """[overlay]
id = "{id}"
title = "Prices of our table"
date = "2026-11"
status = "{status}"
source = "the club"
summary = "A cheaper Brazen Bull."
base = "trench-crusade/1.0"
{more}
"""
CHANGE = """[[changes]]
table = "profile_offers"
entry = "iron-sultanate-brazen-bull"
field = "price"
from = { ducats = 100 }
to = { ducats = 90 }
reason = "Too dear."
"""
WITHDRAWN = """[[withdrawn]]
table = "profile_offers"
entry = "iron-sultanate-brazen-bull"
reason = "Our table has none."
"""


def text(body: str = CHANGE, *, id: str = "our-prices", status: str = "house", more: str = "") -> bytes:
    return (HEAD.format(id=id, status=status, more=more) + body).encode()


def handed_in(user: Any, data: bytes = b"", name: str = "our-prices.toml") -> HouseOverlay:
    return hand_in_overlay(name=name, data=data or text(), actor=user)[0]


@pytest.fixture(autouse=True)
def nothing_remembered() -> Any:
    """Other processes know nothing of what one of them was handed."""
    forget_handed_in()
    yield
    forget_handed_in()


@pytest.fixture
def made(ada: Any, cleo: Any) -> c.Club:
    club = c.club(cleo, edition="1.0")
    c.joins(club, ada, sample="bronze-gate")
    return club


def campaign_of(club: c.Club) -> Campaign:
    return Campaign.objects.get(pk=club.campaign.pk)


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def upload(client: Client, data: bytes, name: str = "our-prices.toml") -> Any:
    return client.post(reverse("house-overlays"), {"file": SimpleUploadedFile(name, data)})


def test_a_file_is_handed_in_seen_played_and_undone(made: c.Club, ada: Any, cleo: Any) -> None:
    warband = Warband.objects.get(owner=ada)
    before, played = document_of(warband)["fighters"], campaign_of(made).terms.overlays
    client, page = signed_in(cleo), reverse("campaign-states", args=[made.campaign.pk])
    assert "Prices of our table" not in client.get(page).content.decode()
    answer = upload(client, text())
    assert answer.status_code == 200  # another overlay touches the same price, and the page says so
    assert "is on offer now" in answer.content.decode()
    assert "cannot be taken together" in answer.content.decode()
    forget_handed_in()  # the next request may reach another process
    shown = client.get(page).content.decode()
    assert "Prices of our table" in shown
    assert "by a group, not signed" in shown
    forget_handed_in()
    looked = client.get(page, {"look": "1", "with": "our-prices"})
    assert looked.status_code == 200
    assert "90 d" in looked.content.decode()
    forget_handed_in()
    move_campaign(campaign=campaign_of(made), overlays=["our-prices"], policy="refund", actor=cleo)
    terms = campaign_of(made).terms
    assert terms.overlays == ["our-prices"]
    assert terms.pins["our-prices"]["handed_in"]
    forget_handed_in()
    assert not pin_changes(terms)
    assert terms.content.profile_offers["iron-sultanate-brazen-bull"].price.ducats == 90
    words = Event.objects.filter(kind="state").latest("pk").sentence
    assert "Prices of our table" in words
    forget_handed_in()
    undo(event=Event.objects.filter(kind="state").latest("pk"), actor=cleo)
    assert campaign_of(made).terms.overlays == played
    assert campaign_of(made).terms.content.profile_offers["iron-sultanate-brazen-bull"].price.ducats == 100
    assert document_of(Warband.objects.get(pk=warband.pk))["fighters"] == before


def test_a_withdrawn_file_stays_with_those_who_play_it(made: c.Club, ada: Any, cleo: Any) -> None:
    offer = handed_in(cleo)
    move_campaign(campaign=campaign_of(made), overlays=["our-prices"], policy="keep", actor=cleo)
    client, page = signed_in(cleo), reverse("campaign-states", args=[made.campaign.pk])
    client.post(reverse("house-overlay", args=[offer.pk]), {"do": "withdraw"})
    forget_handed_in()
    assert campaign_of(made).terms.content.profile_offers["iron-sultanate-brazen-bull"].price.ducats == 90
    assert "Prices of our table" in client.get(page).content.decode()
    other = c.club(cleo, edition="1.0")
    elsewhere = reverse("campaign-states", args=[other.campaign.pk])
    assert "Prices of our table" not in client.get(elsewhere).content.decode()
    client.post(reverse("house-overlay", args=[offer.pk]), {"do": "offer"})
    assert "Prices of our table" in client.get(elsewhere).content.decode()


def test_a_player_reads_the_file_of_the_campaign_and_hands_it_on(made: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    handed_in(cleo)
    page = reverse("campaign-states", args=[made.campaign.pk])
    got = signed_in(ada).get(page, {"file": "our-prices", "edition": "1.0"})
    assert got.status_code == 200
    assert got.content == text()
    assert got["Content-Disposition"] == 'attachment; filename="our-prices.toml"'
    assert signed_in(ada).get(page, {"file": "other"}).status_code == 404
    offer = HouseOverlay.objects.get()
    assert signed_in(ada).get(reverse("house-overlay", args=[offer.pk])).status_code == 404
    assert signed_in(ada).post(reverse("house-overlay", args=[offer.pk])).status_code == 404
    handed_in(ben, got.content)  # one copy, two who offer it
    assert (OverlayCopy.objects.filter(overlay="our-prices").count(), HouseOverlay.objects.count()) == (1, 2)
    assert file_of(offer.copy) == ("our-prices.toml", text().decode())


def test_the_same_file_again_is_the_same_offer(cleo: Any) -> None:
    first = handed_in(cleo)
    withdraw_overlay(offer=first)
    again = handed_in(cleo)
    assert (again.pk, again.withdrawn_at) == (first.pk, None)
    assert HouseOverlay.objects.count() == 1
    withdraw_overlay(offer=again)
    offer_overlay_again(offer=again)
    assert HouseOverlay.objects.get().withdrawn_at is None


def test_a_corrected_file_needs_a_new_id_and_takes_the_place_of_the_old(made: c.Club, cleo: Any) -> None:
    handed_in(cleo)
    changed = CHANGE.replace("ducats = 90", "ducats = 80")
    with pytest.raises(Faults) as no:
        handed_in(cleo, text(changed))
    assert "$.overlay.id: another file has this id here" in no.value.faults[0]
    forget_handed_in()
    handed_in(cleo, text(changed, id="our-prices-2", more='replaces = ["our-prices"]'))
    with pytest.raises(Refusal, match="takes the place of our-prices"):
        foresee_campaign(campaign_of(made), ["our-prices", "our-prices-2"])
    move_campaign(campaign=campaign_of(made), overlays=["our-prices-2"], policy="keep", actor=cleo)
    assert campaign_of(made).terms.content.profile_offers["iron-sultanate-brazen-bull"].price.ducats == 80


def test_two_files_on_one_field_say_that_they_need_an_order(made: c.Club, cleo: Any) -> None:
    handed_in(cleo)
    handed_in(cleo, text(CHANGE.replace("ducats = 90", "ducats = 80"), id="other-prices"))
    with pytest.raises(Refusal) as no:
        foresee_campaign(campaign_of(made), ["our-prices", "other-prices"])
    assert "iron-sultanate-brazen-bull" in no.value.message
    assert "price" in no.value.message
    page = reverse("campaign-states", args=[made.campaign.pk])
    answer = signed_in(cleo).get(page, {"look": "1", "with": ["our-prices", "other-prices"]})
    assert answer.status_code == 422


def test_an_entry_that_a_warband_holds_is_withdrawn_and_stays_on_its_roster(ada: Any, cleo: Any) -> None:
    club = c.club(cleo, edition="1.0")
    c.joins(club, ada, sample="bronze-gate")
    handed_in(cleo, text(WITHDRAWN, id="no-bull"))
    changes = foresee_campaign(campaign_of(club), ["no-bull"])
    held = {fighter.profile_id for warband, _change in changes for fighter in warband.fighters.all()}
    before = [document_of(warband) for warband, _change in changes]
    move_campaign(campaign=campaign_of(club), overlays=["no-bull"], policy="keep", actor=cleo)
    after = [document_of(warband) for warband, _change in foresee_campaign(campaign_of(club), [])]
    assert [len(each["fighters"]) for each in after] == [len(each["fighters"]) for each in before]
    assert "brazen-bull" in held
    assert any(change.new or change.lines for _warband, change in changes)
    undo(event=Event.objects.filter(kind="state").latest("pk"), actor=cleo)
    assert [document_of(warband)["fighters"] for warband, _c in foresee_campaign(campaign_of(club), [])] == [
        each["fighters"] for each in before
    ]


WRONG = {
    "not TOML": (b"[overlay\nid", "the TOML cannot be read"),
    "not text": (b"\xff\xfe\x00", "not UTF-8"),
    "nothing": (b"# empty\n", "$.overlay: missing"),
    "official": (text(status="official"), "$.overlay.status: no publisher signed this file"),
    "beta": (text(status="beta"), "$.overlay.status: no publisher signed this file"),
    "in the book": (text(more="in_base = true"), "$.overlay.in_base"),
    "a version too large": (text(more="version = 99999999999999999999"), "$.overlay.version"),
    "another game": (text().replace(b"trench-crusade/1.0", b"chess/1"), "$.overlay.base: name the game and edition"),
    "unknown entry": (text(CHANGE.replace("brazen-bull", "brazen-cow")), "iron-sultanate-brazen-cow"),
    "unknown field": (text(CHANGE.replace('"price"', '"colour"')), "colour"),
    "unknown table": (text("[[cows]]\nid = 'x'\n"), "$.cows: no such table"),
    "wrong before": (text(CHANGE.replace("ducats = 100", "ducats = 101")), "iron-sultanate-brazen-bull"),
    "wrong type": (text(CHANGE.replace("{ ducats = 90 }", "'cheap'")), "iron-sultanate-brazen-bull"),
    "no reason": (text(CHANGE.replace("Too dear.", " ")), "$.changes[0].reason"),
    "no change": (text(""), "it changes nothing"),
    "names one that is not there": (text(more='after = ["nobody"]'), "$.overlay.after: no overlay is called nobody"),
    "a taken id": (text(id="tc-2026-04-grenades"), "$.overlay.id: another file has this id here"),
    "a title that cannot be shown": (text().replace(b"Prices of our table", b"a\\u0000b"), "$.overlay.title"),
    "deep": (text("[x]\ny = " + "[" * 30_000 + "]" * 30_000), "nested too deeply"),
    "large": (text("# " + "x" * 250_000), "larger than 200 kB"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_faulty_file_is_told_with_its_place_and_nothing_is_saved(cleo: Any, what: str) -> None:
    data, words = WRONG[what]
    answer = upload(signed_in(cleo), data)
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert words in shown or words in shown.replace("&#x27;", "'").replace("&lt;", "<"), shown[shown.find("answer") :][
        :900
    ]
    assert not HouseOverlay.objects.exists()
    assert not OverlayCopy.objects.filter(handed_in=True).exists()


def test_no_file_and_a_strange_name_are_answered(cleo: Any) -> None:
    client = signed_in(cleo)
    assert client.post(reverse("house-overlays"), {}).status_code == 422
    assert upload(client, text(), name="../../etc/“x”\u202e.toml").status_code == 200
    offer = HouseOverlay.objects.get()
    assert client.get(reverse("house-overlay", args=[offer.pk]))["Content-Disposition"].endswith('"our-prices.toml"')


def test_a_warband_of_its_own_takes_a_file_of_its_owner(ada: Any, ben: Any) -> None:
    warband = s.found(ada, terms=Terms.objects.create(system="trench-crusade", edition="1.0"))
    handed_in(ada)
    handed_in(ben, text(id="of-ben"))
    page = reverse("warband-states", args=[warband.pk])
    shown = signed_in(ada).get(page).content.decode()
    assert "our-prices" in shown
    assert "of-ben" not in shown
    forget_handed_in()
    change_state(warband=warband, overlays=["our-prices"], policy="keep", actor=ada)
    forget_handed_in()
    assert Warband.objects.get(pk=warband.pk).terms.content.overlays == ("our-prices",)
