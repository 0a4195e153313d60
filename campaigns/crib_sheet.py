"""The printed crib of a battle, on one page wherever it can be read there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from django.utils.safestring import SafeString, mark_safe

from campaigns.pages.crib import Crib, CribTable, NumberedCrib
from campaigns.pages.unit_crib import UnitCrib, UnitCribTable
from warbands.printing import NOTICE, render_html, render_on_one_page

CLOSEST, NUMBERED = 3, 4


@dataclass(frozen=True, slots=True)
class CribPage:
    """The crib with what stands around it."""

    title: str
    subtitle: str
    crib: Crib | UnitCrib
    paper: str
    look: str
    led_by: str
    stamp_words: str
    layout: str = "crib"
    density: int = 0  # how closely it is set, up to 3; above that with numbers in place of names
    note_words: str = ""
    link_words: str = ""
    qr_svg: SafeString = mark_safe("")
    notice_words: str = field(default_factory=NOTICE.__str__)

    @property
    def is_run_in(self) -> bool:
        return self.density >= CLOSEST

    @property
    def numbered(self) -> NumberedCrib | None:
        """Return the tables without names, if it is to be set so."""
        return self.crib.numbered if self.density >= NUMBERED and isinstance(self.crib, Crib) else None

    @property
    def tables(self) -> tuple[CribTable, ...] | tuple[UnitCribTable, ...]:
        return self.crib.tables if self.numbered is None else self.numbered.tables


def crib_html(page: CribPage) -> str:
    return render_html(page, "print/unit_crib.html" if isinstance(page.crib, UnitCrib) else "print/crib.html")


def crib_pdf(page: CribPage) -> bytes:
    """Draw the crib: set as its rows suggest, and closer as long as it takes more than one page. Names stay where numbers save no page."""
    closest = NUMBERED if isinstance(page.crib, Crib) and page.crib.numbered is not None else CLOSEST
    densities = range(page.crib.density, closest + 1)
    return render_on_one_page(crib_html(replace(page, density=density)) for density in densities)
