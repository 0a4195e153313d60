"""Properties of rosters copied off paper: the overview of a draft tells what the roster it becomes will tell."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.models import User
from rules.registry import system
from rules.transcription import PaperData, PaperFighter, PaperPiece, PaperWound
from tests.drills import examples
from warbands.pages.roster import read_roster
from warbands.services.paper_check import check_draft, terms_of
from warbands.services.transcription import bring_from_paper, start_draft

GAME = system("trench-crusade")


@st.composite
def drafts(draw: st.DrawFn) -> tuple[str, PaperData]:
    """An edition, and a roster as somebody might have it on paper: names of its books, some of them where they do not belong."""
    edition = draw(st.sampled_from(GAME.editions()))
    content = GAME.content(edition)
    list_id = draw(st.sampled_from([choice.id for choice in GAME.founding.lists(content)]))
    book = GAME.text_import.paper_book(content, list_id)

    def names(of: tuple[Any, ...], most: int) -> st.SearchStrategy[list[str]]:
        return st.lists(st.sampled_from([each.name for each in of] or [""]), max_size=most)

    def pieces(most: int) -> list[PaperPiece]:
        return [PaperPiece(name, found=draw(st.booleans())) for name in draw(names(book.kit[:60], most))]

    own = [profile.name for profile in book.profiles]
    fighters = [
        PaperFighter(
            f"k{number}",
            name=draw(st.sampled_from(["", f"Somebody {number}"])),
            profile=draw(st.sampled_from(own[:12]) | st.sampled_from(own)),
            kit=pieces(3),
            skills=draw(names(book.skills, 2)),
            wounds=[PaperWound(name) for name in draw(names(book.traumas, 1))],
            experience=draw(st.integers(0, 9)),
            promoted=draw(st.booleans()),
            misses_next=draw(st.booleans()),
            status=draw(st.sampled_from(["active", "active", "active", "captive", "dead", "retired"])),
        )
        for number in range(draw(st.integers(1, 4)))
    ]
    money = st.none() | st.integers(0, 900)
    return edition, PaperData(
        list_id=list_id,
        name="The Lantern Wardens",
        patron=draw(st.sampled_from(["", *(each.name for each in book.patrons)])),
        ducats=draw(money),
        glory=draw(st.none() | st.integers(0, 12)),
        fought=draw(st.sampled_from([0, 0, 1, 3, 8])),
        locations=draw(names(book.locations, 2)),
        exploration=draw(names(book.exploration, 1)),
        lasting=draw(names(book.lasting, 1)),
        stash=pieces(2),
        fighters=fighters,
    )


class OverviewAndRoster(TestCase):
    """One transaction for each example."""

    @given(drafts())
    @settings(max_examples=examples(60))
    def test_the_overview_and_the_roster_agree(self, drawn: tuple[str, PaperData]) -> None:
        """Every problem stands on both, in the same words and of the same fighter."""
        edition, data = drawn
        ada = User.objects.create_user("ada")
        draft = start_draft(owner=ada, system_id="trench-crusade", edition=edition, data=data)
        check = check_draft(draft, terms_of(draft, None))
        if not check.reading.document["fighters"]:
            return
        warband = bring_from_paper(draft=draft, actor=ada, leave_out=True)
        roster = read_roster(warband)
        told = sorted((p.code, p.fighter, p.message) for p in check.problems)
        assert sorted((p.code, p.fighter, p.message) for p in roster.verdict.problems) == told
