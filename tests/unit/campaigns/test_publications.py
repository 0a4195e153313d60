"""Gazettes of rounds and the closing ceremony: facts from the battles alone, the editor's words, posters, and who reads them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from campaigns.chronicle import awards, champions, round_facts
from campaigns.models import Campaign, Publication, Round
from campaigns.pages.publications import SIZES, poster_of, poster_pdf, written_issue
from campaigns.services.answers import confirm_report
from campaigns.services.open import finish_campaign
from campaigns.services.publications import save_publication, withdraw_publication
from campaigns.services.rounds import close_round, open_round
from campaigns.services.void import void_battle
from rules.problems import Refusal
from tests import campaign_stories as c
from tests.drills import sampled
from tests.forty import forty
from tests.module_story import story
from tests.printed import boxes, classes, laid_out, sticking_out
from warbands.idempotency import new_token
from warbands.models import Change, Event
from warbands.printing import render_html
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]


@story
def made(ada: Any, ben: Any, cleo: Any) -> c.Club:
    """A round with a battle that Ben won 6 to 2, with a fighter of Ada's out; it is confirmed and closed."""
    club = c.club(cleo, ada, ben, seen_by=Campaign.SeenBy.LINK)
    found = open_round(campaign=club.campaign, actor=cleo)
    row = c.mustered(club, ada, ben, round=found)
    c.fight(row, ben, ben, points={ada: 2, ben: 6}, out={ada: [c.named_first(club, ada)]})
    confirm_report(battle=c.fresh_battle(row), actor=ada, side=c.side(row, ada))
    close_round(round=found, actor=cleo)
    return club


def round_one(made: c.Club) -> Round:
    found = Round.objects.get(campaign=made.campaign)
    found.campaign = made.campaign
    return found


def recorded(made: c.Club) -> str:
    """Everything that the events of this site say: their sentences, their data, and each recorded value."""
    said = [f"{event.told} {event.data}" for event in Event.objects.all()]
    values = [f"{change.before} {change.after}" for change in Change.objects.all()]
    rows = [f"{side.points} {side.rating}" for battle in made.campaign.battles.all() for side in battle.sides.all()]
    fighters = [made.warband(seat.user).fighters.values_list("name", flat=True) for seat in made.seats.values()]
    return " ".join([*said, *values, *rows, *(" ".join(names) for names in fighters)])


COUNTED = {"1"}  # counts of reports' entries: how many were out, how many battles


def test_every_name_and_number_of_a_gazette_is_in_the_events(made: c.Club) -> None:
    facts = round_facts(made.campaign, round_one(made))
    assert len(facts) >= 2
    known = recorded(made)
    ours = {"No", "A", "The"}
    for fact in facts:
        for word in re.findall(r"[A-ZÄÖÜ][\w’'-]+|\d+", fact.words):
            assert word in known or word in COUNTED or word in ours, (word, fact.words)
    assert any("6\u00a0:\u00a02" in fact.words and "beat" in fact.words for fact in facts)
    assert any("had 1 fighter out of action" in fact.words for fact in facts)


def test_every_name_and_number_of_the_awards_is_in_the_events(made: c.Club) -> None:
    known = recorded(made)
    found = awards(made.campaign)
    assert {"kills", "margin", "battles"} <= {award.key for award in found}
    for award in found:
        for word in re.findall(r"[A-ZÄÖÜ][\w’'-]+|\d+", f"{award.winner} {award.words}"):
            assert word in known or word in COUNTED, (word, award)
    assert [row.seat.name for row in champions(made.campaign)] == ["ben"]


def test_facts_follow_the_reports(made: c.Club, ben: Any, cleo: Any) -> None:
    row = made.campaign.battles.get()
    void_battle(battle=row, actor=cleo, words="A mistake")
    assert round_facts(made.campaign, round_one(made)) == []
    assert awards(made.campaign) == []


def gazette(made: c.Club, **how: Any) -> Publication:
    how = {"title": "The Weir Gazette", "opening": "A cold night.", "publishes": True, **how}
    return save_publication(campaign=made.campaign, found=round_one(made), actor=made.administrator, **how)


def test_a_gazette_is_drafted_published_amended_and_withdrawn(
    made: c.Club, ada: Any, cleo: Any, client: Client
) -> None:
    here = reverse("publication-edit", args=[made.campaign.pk, "round-1"])
    read = reverse("publication-show", args=[made.campaign.pk, "round-1"])
    watch = reverse("publication-watch", args=[made.campaign.slug, "round-1"])
    client.force_login(cleo)
    facts = [fact.key for fact in round_facts(made.campaign, round_one(made))]
    sent = {"title": "The <b>Weir</b> Gazette", "opening": "A cold night.", "closing": "", "facts": facts[:1]}
    preview = client.post(here, {**sent, "act": "preview", "token": new_token()}).content.decode()
    assert "A cold night." in preview
    assert "&lt;b&gt;Weir" in preview
    assert not Publication.objects.exists()
    client.post(here, {**sent, "act": "save", "token": new_token()})
    assert client.get(read).status_code == 200  # the draft, to its editor
    client.force_login(ada)
    assert client.get(read).status_code == 404
    assert client.get(watch).status_code == 404
    client.force_login(cleo)
    token = new_token()
    for _press in range(2):
        client.post(here, {**sent, "act": "publish", "token": token})
    client.force_login(ada)
    assert "A cold night." in client.get(read).content.decode()
    client.logout()
    page = client.get(watch).content.decode()
    assert "beat" in page
    assert "out of action" not in page  # left out
    row = Publication.objects.get()
    gazette(made, opening="A colder night.")
    row.refresh_from_db()
    assert row.amended_at is not None
    undo(event=Event.objects.filter(kind="publish").latest("pk"), actor=cleo)
    row.refresh_from_db()
    assert (row.opening, row.amended_at) == ("A cold night.", None)
    withdraw_publication(publication=row, actor=cleo)
    assert client.get(watch).status_code == 404


def test_an_open_round_and_a_running_campaign_have_none_yet(made: c.Club, cleo: Any) -> None:
    opened = open_round(campaign=made.campaign, actor=cleo)
    with pytest.raises(Refusal, match="still open"):
        save_publication(campaign=made.campaign, found=opened, actor=cleo, title="Too soon")
    with pytest.raises(Refusal, match="still running"):
        save_publication(campaign=made.campaign, found=None, actor=cleo, title="Too soon")


@pytest.mark.parametrize("paper", sampled(["A4", "A3", "Letter"], 2, always=["A3", "Letter"]))
def test_the_poster_is_one_page_of_its_paper(made: c.Club, cleo: Any, client: Client, paper: str) -> None:
    finish_campaign(campaign=made.campaign, actor=cleo)
    made.campaign.refresh_from_db()
    save_publication(
        campaign=made.campaign,
        found=None,
        actor=cleo,
        title="The end",
        opening="So it ended.",
        closing="Words for the wall. " * 140,  # in smaller letters it fits all the same
        publishes=True,
    )
    answer = client.get(reverse("publication-watch-print", args=[made.campaign.slug, "closing"]), {"paper": paper})
    pages = PdfReader(BytesIO(answer.content)).pages
    assert len(pages) == 1
    width, height = (round(float(each) / 72 * 25.4) for each in pages[0].mediabox[2:])
    assert (width, height) == {"A4": (210, 297), "A3": (297, 420), "Letter": (216, 279)}[paper]
    text = pages[0].extract_text()
    assert "So it ended." in text
    assert made.seat(champions(made.campaign)[0].seat.user).warband.name in " ".join(text.split())  # type: ignore[union-attr]
    assert client.get(answer.wsgi_request.path, {"paper": "A0"}).status_code == 404


def test_the_final_standings_name_everybody_who_played_and_fit_on_a_sheet(cleo: Any) -> None:
    made = forty(cleo, rounds=2)
    Campaign.objects.filter(pk=made.campaign.pk).update(status=Campaign.Status.FINISHED)
    made.campaign.refresh_from_db()
    row = save_publication(
        campaign=made.campaign, found=None, actor=cleo, title="The end", opening="", closing="", publishes=True
    )
    assert len(written_issue(row).standings) == len(made.seats) == 40
    assert len(PdfReader(BytesIO(poster_pdf(row, "A4"))).pages) == 1


@pytest.mark.one_database
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_sixty_long_names_fit_on_a_sheet_and_stay_legible(made: c.Club, cleo: Any, paper: str) -> None:
    finish_campaign(campaign=made.campaign, actor=cleo)
    made.campaign.refresh_from_db()
    words = {"title": "The end", "opening": "So it ended. " * 20, "closing": "Thanks to all. " * 20}
    row = save_publication(campaign=made.campaign, found=None, actor=cleo, publishes=True, **words)
    many = tuple((n, f"{n} The Honourable Company of Saint Wolfgang"[:40], 120 - n) for n in range(1, 61))
    poster = poster_of(replace(written_issue(row), standings=many), paper, SIZES - 1)
    document = laid_out(render_html(poster, "print/poster.html"))
    assert len(document.pages) == 1
    assert sticking_out(document) == []
    foot = document.pages[0].height - 70
    for box in (box for box in boxes(document.pages[0]) if hasattr(box, "text")):
        least = 6.4 if "label" in classes(box) or box.position_y > foot else 8
        assert box.style["font_size"] * 0.75 > least - 0.01, box.text


def test_a_ceremony_keeps_the_day_on_which_it_was_published(client: Client, made: c.Club, ada: Any, cleo: Any) -> None:
    finish_campaign(campaign=made.campaign, actor=cleo)
    words = {"title": "The end", "opening": "", "closing": "", "left_out": []}
    row = save_publication(campaign=made.campaign, found=None, actor=cleo, publishes=True, **words)
    Publication.objects.filter(pk=row.pk).update(published_at=datetime(2026, 3, 5, 12, tzinfo=UTC))
    client.force_login(ada)
    page = client.get(reverse("publication-show", args=[made.campaign.pk, "closing"])).content.decode()
    assert "5 March 2026" in page
