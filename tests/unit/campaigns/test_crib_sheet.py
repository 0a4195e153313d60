"""The printed crib: on one page, with each chance once for all whom it holds for."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pypdf import PdfReader

from campaigns.crib_sheet import CribPage, crib_html, crib_pdf
from campaigns.pages import crib as crib_page
from campaigns.pages.crib import Crib, CribCell, CribKind, CribRow, CribTable, NumberedCrib, _likeness, crib
from rules.force import Force, ForceFighter
from tests import campaign_stories as c
from tests.drills import WHOLE, sampled
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


@pytest.mark.parametrize(
    ("fighters", "kinds", "paper"),
    sampled(
        [(*size, paper) for size in ((2, 1), (7, 5), (12, 7)) for paper in PAPERS],
        3,
        always=[(2, 1, "A4"), (7, 5, "A4"), (12, 7, "Letter")],
    ),
)
def test_a_crib_takes_one_page_and_is_set_no_closer_than_that_takes(paper: str, fighters: int, kinds: int) -> None:
    found = made_up(fighters, kinds)
    pdf = crib_pdf(page_of(found, paper))
    leaves = PdfReader(io.BytesIO(pdf)).pages
    assert len(leaves) == 1
    assert ("CL 19" in " ".join(leaves[0].extract_text().split())) is (fighters > 7)  # short words where room is short
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


def different(warband: Any, count: int, fighters: Callable[[int], int]) -> Force:
    """A force of so many fighters with the most kit, none of them like another, with names of 40 letters."""
    game, content = warband.terms.game, warband.terms.content
    found: dict[Any, ForceFighter] = {}
    for sample, _title, _list, _words in sorted(game.founding.samples(content)):
        force, _problems = game.documents.read_document(game.founding.sample(content, sample))
        for fighter in force.fighters:
            found.setdefault(_likeness(fighter), fighter)
    many = sorted(found.values(), key=lambda fighter: -len(fighter.kit) - 2 * len(fighter.upgrades))
    many = [many[fighters(n)] for n in range(count)]
    return replace(
        force_of(warband),
        fighters=tuple(replace(each, key=f"f{n}", name=f"{n} {LONG}"[:40]) for n, each in enumerate(many)),
    )


@pytest.mark.django_db
@pytest.mark.parametrize("edition", ["1.6.3", "1.0"] if WHOLE else ["1.0"])
def test_twenty_different_fighters_take_one_page_against_twenty_others(
    ada: Any, ben: Any, cleo: Any, monkeypatch: pytest.MonkeyPatch, edition: str
) -> None:
    """Numbers stand for their names, and nothing else gets lost."""
    made = c.club(cleo, ada, ben, edition=edition)
    row = c.battle(made, ada, ben, scenario="")
    forces = {
        made.warband(ada).pk: different(made.warband(ada), 20, lambda n: n),
        made.warband(ben).pk: different(made.warband(ben), 20, lambda n: 2 * n),
    }
    monkeypatch.setattr(crib_page, "forces_of", lambda rows: forces)
    found = crib(row, c.side(row, ada), [c.side(row, ben)], ada)
    assert found.numbered is not None
    assert len(found.numbered.theirs) > 12  # more than one table of wide columns holds
    for paper in PAPERS if WHOLE else PAPERS[-1:]:
        (leaf,) = PdfReader(io.BytesIO(crib_pdf(page_of(found, paper)))).pages
        text = " ".join(leaf.extract_text().split())
        for force in forces.values():
            assert [fighter.name for fighter in force.fighters if fighter.name not in text] == []
    numbers = {name: number for number, name in found.numbered.mine}
    own = forces[made.warband(ada).pk]
    chances = {
        (number, line.weapon, cell.lead)
        for table in found.numbered.tables
        for line in table.rows
        for number in line.who.split(", ")
        for cell in line.cells
    }
    for table in found.tables:
        name = ""
        for line in table.rows:
            name = line.who or name
            first = next(fighter.name for fighter in own.fighters if name.startswith(fighter.name))
            assert all((numbers[first], line.weapon, cell.lead) in chances for cell in line.cells)


def test_names_stay_where_numbers_would_save_no_page() -> None:
    found = made_up(40, 1)
    numbered = NumberedCrib(found.tables, (("1", "Ottla"),), (("A", "Wulf"),))
    leaves = PdfReader(io.BytesIO(crib_pdf(page_of(replace(found, numbered=numbered), "A4")))).pages
    assert len(leaves) > 1
    assert "Wulf" not in " ".join(leaf.extract_text() for leaf in leaves)


def test_without_a_weapon_it_says_so() -> None:
    html = crib_html(page_of(Crib(()), "A4"))
    assert "None of your fighters has a weapon." in html
    assert '<table class="crib-grid' not in html
