"""The book of a warband: what events, kept versions and reports say, and nothing else."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from campaigns.services.rounds import open_round
from rules.consequences import Leaves
from tests import campaign_stories as c
from tests.module_story import story
from tests.pdf_ua import bare, faults_of, read_in_order, written_order
from tests.stories import fresh, hire, small_warband, terms
from warbands.book import BookLoss, book_pdf, warband_book
from warbands.models import Event, Fighter
from warbands.printing import render_html
from warbands.recording import recording
from warbands.services.consequences import carry_out
from warbands.services.founding import copy_sample
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@story
def club(ada, ben, cleo):
    """A campaign of two with one battle, all of which is settled, and one that is only set up."""
    made = c.club(cleo, ada, ben)
    evening = open_round(campaign=made.campaign, actor=cleo)
    row = c.mustered(made, ada, ben, round=evening, scenario="claim-no-mans-land")
    (first, *_others) = Fighter.objects.live().filter(warband=made.warband(ada)).order_by("pk")
    c.fight(row, ada, ada, out={ada: [first.name]}, words="They held the wire until dawn.")
    c.resolve(row, ada)
    c.battle(made, ada, ben, round=evening)
    return made


def test_a_battle_is_a_chapter_with_its_report_and_what_followed(club: c.Club, ada: Any, ben: Any) -> None:
    warband = club.warband(ada)
    book = warband_book(warband, "A4")
    told = [chapter for chapter in book.chapters if chapter.battle is not None]
    assert len(told) == 1
    battle = told[0].battle
    assert battle is not None
    assert (battle.against, battle.result) == (club.warband(ben).name, "Won")
    lines = dict(battle.lines)
    first = Fighter.objects.live().filter(warband=warband).order_by("pk").first()
    assert lines["Taken out of action"] == f"{first.name}, by {club.warband(ben).name}"
    assert battle.words == "They held the wire until dawn."
    written = Event.objects.filter(kind="write", subjects__warband=warband, occasion=battle.occasion)
    assert len(told[0].sentences) >= written.distinct().count() > 0
    assert book.chapters[0].title == "The beginning"


def test_every_sentence_of_it_is_one_of_an_event(club: c.Club, ada: Any) -> None:
    warband = club.warband(ada)
    sentences = {event.told for event in Event.objects.filter(subjects__warband=warband)}
    for chapter in warband_book(warband, "A4").chapters:
        for words in chapter.sentences:
            assert any(sentence.endswith(words) for sentence in sentences), words


def test_what_was_undone_is_not_told_and_what_was_done_again_is(ada: Any) -> None:
    warband = small_warband(ada)
    hire(warband, "Yeoman", "Casper")
    assert "Casper" in str(warband_book(fresh(warband), "A4").chapters)
    event = Event.objects.filter(kind="hire", subjects__warband=warband).latest("pk")
    undone = undo(event=event, actor=ada)
    assert "Casper" not in str(warband_book(fresh(warband), "A4"))
    undo(event=undone, actor=ada)
    assert "Casper" in str(warband_book(fresh(warband), "A4").chapters)


def test_the_fallen_are_named_with_the_event_that_says_how(club: c.Club, ada: Any) -> None:
    warband = club.warband(ada)
    victim = Fighter.objects.live().filter(warband=warband).latest("pk")
    battle = next(chapter.battle for chapter in warband_book(warband, "A4").chapters if chapter.battle is not None)
    with recording(warband, kind="write", actor=ada, occasion=battle.occasion) as act:
        carry_out(act, act.warband, [Leaves(str(victim.pk), "dead", "Shot")])
        act.say("{who} recorded: 2 on the die. The wire took them.")
    book = warband_book(fresh(warband), "A4")
    assert book.fallen[-1].name == victim.name
    assert book.fallen[-1].how == "2 on the die. The wire took them."
    assert battle.title in book.fallen[-1].where
    assert not any(victim.name == entry.name for column in book.now.fighters for entry in column)
    assert book.then is not None
    assert any(victim.name == entry.name for column in book.then.fighters for entry in column)
    assert isinstance(book.fallen[0], BookLoss)


@pytest.mark.parametrize(
    ("game", "sample"), [("gloom-trench", "lamplight-column"), ("trench-too-far", "canal-company")]
)
def test_every_game_has_a_book(ada: Any, game: str, sample: str) -> None:
    warband = fresh(copy_sample(actor=ada, owner=ada, terms=terms(game, "core"), sample_id=sample))
    book = warband_book(warband, "Letter")
    names = set(Fighter.objects.live().filter(warband=warband).values_list("name", flat=True))
    assert {entry.name for column in book.now.fighters for entry in column} <= names
    kits = {entry.name: entry.kit for column in book.now.fighters for entry in column}
    assert kits["First Rifles" if game == "gloom-trench" else "Bridge Gun"] in ("7 Rifle, 1 NCO; Rifle", "1 Base; HMG")
    assert not any("Strength" in kit or ", ;" in kit or kit.endswith((",", ";")) for kit in kits.values())
    html = render_html(book, "print/book.html")
    assert '<span class="worth"></span>' not in html  # an empty one would break the name beside it
    pdf = book_pdf(warband, "Letter")
    assert faults_of(pdf) == []
    assert read_in_order(pdf) == written_order(html)


def test_it_is_one_press_from_the_warband(client: Client, club: c.Club, ada: Any, dora: Any) -> None:
    warband = club.warband(ada)
    here = reverse("warband-book", args=[warband.pk])
    client.force_login(ada)
    for name in ("warband-show", "history-show", "roster-print"):
        assert here in client.get(reverse(name, args=[warband.pk])).content.decode(), name
    answer = client.get(here)
    assert answer["Content-Type"] == "application/pdf"
    text = bare("".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages))
    assert bare(warband.name) in text
    assert bare("They held the wire until dawn.") in text
    assert client.get(f"{here}?paper=A3").status_code == 400
    client.force_login(dora)
    assert client.get(here).status_code == 404
