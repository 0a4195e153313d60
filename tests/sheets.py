"""Every kind of sheet that the site prints, as HTML, with names in eleven languages. Tests read what the PDF engine makes of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from html import unescape
from itertools import cycle
from typing import Any

from campaigns.battle_sheet import battle_sheet
from campaigns.crib_sheet import CribPage
from campaigns.night_sheets import standings_sheet
from campaigns.pages.battle_sides import read_sides
from campaigns.pages.crib import crib
from tests import campaign_stories as c
from tests.drills import sampled
from tests.printed import PEOPLE, lines_of
from tests.stories import fresh, terms
from warbands.book import warband_book
from warbands.models import Fighter, Warband
from warbands.print_options import PrintOptions
from warbands.printing import own_sheets_page, render_html, render_pdf, sheet_choices, sheet_page
from warbands.services.founding import copy_sample

LINK = "https://club.example/s/abcdefghij/v3/"
STAMP = "A game, v3, 1 Jan 1926"
# Two languages to a name, so that seven fighters have them all.
FIRST = [words.split()[0] for words in PEOPLE.values()]
NAMES = [f"{one} {other}" for one, other in zip(FIRST[::2], [*FIRST[1::2], FIRST[0]], strict=True)]


@dataclass
class PrintedSheet:
    """A sheet as HTML, and as the PDF that is drawn of it once. `names` are those of people that it must show."""

    html: str
    names: tuple[str, ...]

    @cached_property
    def pdf(self) -> bytes:
        return render_pdf(self.html)


def named_anew(warband: Warband) -> tuple[str, ...]:
    """Give the fighters of a warband names of many languages, and return those that are in use."""
    rows = list(Fighter.objects.live().filter(warband=warband).order_by("position", "pk"))
    for row, name in zip(rows, cycle(NAMES), strict=False):
        row.name = name
        row.save(update_fields=["name"])
    return tuple(NAMES[: len(rows)])


def rosters(warband: Warband, names: Iterable[str]) -> dict[str, PrintedSheet]:
    """The three layouts, and all kinds of cards."""
    ways: dict[str, dict[str, Any]] = {
        "roster, one page": {},
        "roster, full": {"layout": "full", "with_blank": True, "with_gone": True},
        "roster, table": {"layout": "table"},
        "cards": {"layout": "table", "with_cards": True, "with_backs": True, "with_rules_cards": True, "with_blank_cards": True},
    }  # fmt: skip
    pages = {name: sheet_page(warband, PrintOptions(**how), link=LINK) for name, how in ways.items()}
    return {name: printed(replace(page, stamp_words=STAMP), names) for name, page in pages.items()}


def words_on(found: dict[str, PrintedSheet]) -> dict[str, str]:
    """The words of each sheet in one line: as it is handed to the PDF engine, and of one of them (in drills of all) as the PDF has them."""
    words = {kind: " ".join(unescape(re.sub(r"<[^>]*>", " ", sheet.html)).split()) for kind, sheet in found.items()}
    drawn = sampled(found, 1, always=["cards"])
    return words | {f"{kind}, drawn": " ".join(lines_of(found[kind].pdf)) for kind in drawn}


def own_sheets(warband: Warband, names: Iterable[str]) -> PrintedSheet:
    """All sheets that a game lays out itself, in one file."""
    every = tuple(choice.id for choice in sheet_choices(warband.terms))
    page = own_sheets_page(warband, PrintOptions(sheets=every), link=LINK)
    assert page is not None
    return printed(replace(page, stamp_words=STAMP), names)


def battle_sheets(made: c.Club, ada: Any, ben: Any, names: Iterable[str]) -> dict[str, PrintedSheet]:
    row = c.mustered(made, ada, ben, scenario="claim-no-mans-land")
    sides = list(read_sides(row))
    mine, theirs = sorted(sides, key=lambda each: each.seat.user_id != ada.pk)  # type: ignore[union-attr]
    sheet = replace(battle_sheet(row, sides, [mine], "A4"), stamp_words=STAMP)
    odds = CribPage("Crib", "of two", crib(row, mine, [theirs], ada), "A4", "full", "Ada", STAMP)
    return {
        "battle sheet": printed(sheet, names, "print/battle.html"),
        "crib": printed(odds, names, "print/crib.html"),
    }


def printed(page: Any, names: Iterable[str], template: str = "") -> PrintedSheet:
    return PrintedSheet(render_html(page, template), tuple(names))


def every_sheet(ada: Any, ben: Any, cleo: Any) -> dict[str, PrintedSheet]:
    """All kinds of sheets by their names. The database is to be rolled back afterwards."""
    made = c.club(cleo, ada, ben)
    names = named_anew(made.warband(ada))
    named_anew(made.warband(ben))
    found = {**rosters(made.warband(ada), names), **battle_sheets(made, ada, ben, names)}
    book = warband_book(made.warband(ada), "A4")
    found["book"] = printed(
        replace(book, stamp_words=STAMP, span_words="1 to 3 January 1926"), names, "print/book.html"
    )
    night = standings_sheet(made.campaign, PrintOptions())
    found["standings"] = printed(replace(night, stamp_words=STAMP), (), "print/night.html")
    for game, sample in (("gloom-trench", "lamplight-column"), ("trench-too-far", "canal-company")):
        warband = copy_sample(actor=ada, owner=ada, terms=terms(game, "core"), sample_id=sample)
        found[game] = own_sheets(fresh(warband), named_anew(warband))
    return found
