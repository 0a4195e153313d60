"""The printed crib: on one page, with each chance once for all whom it holds for."""

from __future__ import annotations

import io
from typing import Any

import pytest
from pypdf import PdfReader

from campaigns.crib_sheet import CribPage, crib_html, crib_pdf
from campaigns.pages.crib import Crib, CribCell, CribKind, CribRow, CribTable, crib
from tests import campaign_stories as c
from tests.printed import laid_out, sticking_out
from warbands.adapters import force_of
from warbands.print_options import PAPERS

pytestmark = pytest.mark.slow

LONG = "Wolfeschlegelsteinhausen of the Sodden Bell"


def page_of(found: Crib, paper: str, look: str = "full") -> CribPage:
    return CribPage("Crib of Ada", "Ada against Ben", found, paper, look, "Ada", "A game")


def made_up(fighters: int, kinds: int) -> Crib:
    """Each fighter has a rifle and a bayonet, and a name of 40 letters."""
    far, near = CribCell("35", "17", "19", "19"), CribCell("35", "17")
    rows = [
        row
        for n in range(fighters)
        for row in (
            CribRow(f"{n} {LONG}"[:40], 2, "Bolt-Action Rifle, 24″", "32–58", (far,) * kinds),
            CribRow("", 0, "Bayonet, melee", "32–58", (near,) * kinds, is_marked=True),
        )
    ]
    heads = tuple(CribKind("Armour −1", f"{n} {LONG}"[:40]) for n in range(kinds))
    return Crib((CribTable(heads, tuple(rows)),), ("Aim", "Close Quarters Combat"))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("fighters", "kinds"), [(2, 1), (7, 5), (12, 7)])
def test_a_crib_takes_one_page_and_is_set_no_closer_than_that_takes(paper: str, fighters: int, kinds: int) -> None:
    found = made_up(fighters, kinds)
    pdf = crib_pdf(page_of(found, paper))
    leaves = PdfReader(io.BytesIO(pdf)).pages
    assert len(leaves) == 1
    assert ("C 19" in " ".join(leaves[0].extract_text().split())) is (fighters > 7)  # short words where room is short
    if fighters == 7:
        assert sticking_out(laid_out(crib_html(page_of(found, paper, "large")))) == []


@pytest.mark.django_db
def test_fighters_whose_chances_are_equal_share_their_rows(ada: Any, ben: Any, cleo: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = c.battle(made, ada, ben, scenario="")
    force = force_of(made.warband(ada))
    alike = [fighter for fighter in force.fighters if fighter.profile == "yeoman" and not fighter.upgrades][:2]
    kits = [sorted(piece.item for piece in fighter.kit) for fighter in alike]
    assert len(alike) == 2
    assert kits[0] != kits[1]  # a helmet and a medi-kit hit nobody
    (table,) = crib(row, c.side(row, ada), [c.side(row, ben)], ada).tables
    (shared,) = [line for line in table.rows if alike[0].name in line.who]
    assert alike[1].name in shared.who
    spans = [line.span for line in table.rows]
    assert sum(spans) == len(spans)


def test_without_a_weapon_it_says_so() -> None:
    html = crib_html(page_of(Crib(()), "A4"))
    assert "None of your fighters has a weapon." in html
    assert '<table class="crib-grid' not in html
