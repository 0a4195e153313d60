"""A battle sheet filled in with Chromium's own viewer of PDFs, saved with its changes, and read back."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from pypdf import PdfReader

from campaigns.battle_sheet import battle_sheet, battle_sheet_pdf
from campaigns.pages.battle_sides import read_sides
from tests import campaign_stories as c
from warbands.pdf_fields import read_fields

pytestmark = [pytest.mark.django_db, pytest.mark.browser, pytest.mark.slow]

# Where the viewer shows the first page: its left upper corner on the screen, and pixels for a point.
PLACE = """() => {
    const viewer = document.querySelector("pdf-viewer");
    const page = viewer.viewport.getPageScreenRect(0);
    const plugin = viewer.shadowRoot.querySelector("#plugin").getBoundingClientRect();
    return [plugin.x + page.x, plugin.y + page.y, page.width];
}"""
SAVE = """async () => {
    const viewer = document.querySelector("pdf-viewer");
    const saved = await viewer.currentController.save("EDITED");
    return Array.from(new Uint8Array(saved.dataToSave));
}"""


def middle_of(reader: PdfReader, asks: str, place: list[float]) -> tuple[float, float]:
    """Where on the screen the field that asks this lies."""
    page = reader.pages[0]
    scale = place[2] / float(page.mediabox.width)
    for each in page["/Annots"]:  # type: ignore[union-attr]
        widget = each.get_object()
        if str(widget["/T"]).endswith(f"-{asks}"):
            left, one, right, other = (float(side) for side in widget["/Rect"])
            down = float(page.mediabox.height) - (one + other) / 2
            return place[0] + (left + right) / 2 * scale, place[1] + down * scale
    raise AssertionError(f"No field asks {asks}.")


def _is_viewer(frame: Any) -> bool:
    return str(frame.url).startswith("chrome-extension:")


def filled_in(page: Page, pdf: Path, values: Mapping[str, str | bool]) -> bytes:
    """Open a PDF in the viewer, fill fields in by mouse and keyboard, and return what the viewer saves."""
    with page.expect_event("framenavigated", _is_viewer) as shown:
        page.goto(pdf.as_uri(), wait_until="commit")
    viewer = shown.value
    viewer.wait_for_function("() => document.querySelector('pdf-viewer')?.shadowRoot?.querySelector('#plugin')")
    viewer.wait_for_function("() => document.querySelector('pdf-viewer').viewport?.getPageScreenRect(0).width > 100")
    place, reader = viewer.evaluate(PLACE), PdfReader(pdf)
    for asks, value in values.items():
        page.mouse.click(*middle_of(reader, asks, place))
        if isinstance(value, str):
            page.keyboard.type(value, delay=20)
    page.mouse.click(place[0] + 4, place[1] + 4)  # a value counts once its field is left
    return bytes(viewer.evaluate(SAVE))


@pytest.mark.skipif(shutil.which("chromium") is None, reason="The headless shell has no viewer of PDFs.")
def test_chromium_keeps_what_is_filled_in(browser: Any, tmp_path: Path, ada: Any, ben: Any, cleo: Any) -> None:
    row = c.fresh_battle(c.mustered(c.club(cleo, ada, ben), ada, ben, scenario="claim-no-mans-land"))
    sides = list(read_sides(row))
    mine, pdf = sides[0], tmp_path / "sheet.pdf"
    pdf.write_bytes(battle_sheet_pdf(battle_sheet(row, sides, [mine], "A4", "ink", fillable=True)))
    first = str(mine.warband.fighters.all()[0].pk)  # type: ignore[union-attr]
    values = {f"won-{mine.pk}": True, f"p-{mine.pk}-all": "7", f"f-{first}-out": True, "d-sniper": "Żółć"}
    chromium = browser.browser_type.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    try:
        saved = filled_in(chromium.new_page(viewport={"width": 1000, "height": 1300}), pdf, values)
    finally:
        chromium.close()
    found = read_fields(saved)
    assert {name.split("-", 4)[4]: value for name, value in found.items() if value} == values
    assert len(found) == len(read_fields(pdf.read_bytes()))
