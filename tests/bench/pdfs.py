"""The roster PDF beside the bare engine: on the very same HTML, and on prose of as many pages.

By the clock another process at work counts, and the engine runs here with Python's usual garbage collection, which the site does not have
(config/wsgi.py). So `compare_work` counts the work of the processor, in this one process, with both settings.
"""

from __future__ import annotations

import gc
import io
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

TURNS = 5
WORDS = "The lamps burned low along the sap while the column waited for the word to move. "


def drawn(scene: Any, visitor: Any) -> None:
    """Ask for the roster where no print of it is kept."""
    from warbands.models import KeptSheet

    KeptSheet.objects.all().delete()
    visitor.get(scene.pdf)


def second_print(scene: Any, visitor: Any) -> float:
    """Median seconds of a print of the same version again."""
    drawn(scene, visitor)
    return statistics.median(_timed(lambda: visitor.get(scene.pdf)) for _ in range(3 * TURNS))


def compare(scene: Any, visitor: Any) -> tuple[float, float, float, int]:
    """Median seconds of (our PDF through the server, the engine on that HTML from a file, prose of as many pages), and the pages."""
    from pypdf import PdfReader
    from weasyprint import HTML

    from warbands.pdf import OwnFilesOnly

    pages = len(PdfReader(io.BytesIO(visitor.get(scene.pdf))).pages)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sheet.html"
        file.write_text(scene.sheet_html(), encoding="utf-8")

        def engine() -> None:
            HTML(
                string=file.read_text(encoding="utf-8"), base_url=OwnFilesOnly.BASE, url_fetcher=OwnFilesOnly()
            ).write_pdf(pdf_variant="pdf/ua-1")

        prose_file = Path(folder) / "prose.html"
        prose_file.write_text(prose_of(pages, file.read_text(encoding="utf-8")), encoding="utf-8")

        def prose() -> None:
            HTML(
                string=prose_file.read_text(encoding="utf-8"), base_url=OwnFilesOnly.BASE, url_fetcher=OwnFilesOnly()
            ).write_pdf(pdf_variant="pdf/ua-1")

        runs = [(_timed(lambda: drawn(scene, visitor)), _timed(engine), _timed(prose)) for _ in range(TURNS)]
    return (*(statistics.median(column) for column in zip(*runs, strict=True)), pages)  # type: ignore[return-value]


def compare_work(scene: Any) -> dict[str, tuple[float, float]]:
    """Median seconds of a processor for (our PDF from the roster on, the engine on that HTML), with each setting of garbage collection."""
    from weasyprint import HTML

    from warbands.pdf import OwnFilesOnly, pdf_of

    html = scene.sheet_html()

    def ours() -> None:
        pdf_of((scene.sheet_html(),))

    def engine() -> None:
        HTML(string=html, base_url=OwnFilesOnly.BASE, url_fetcher=OwnFilesOnly()).write_pdf(pdf_variant="pdf/ua-1")

    usual = gc.get_threshold()
    found = {}
    for name in ("usual", "the site's"):
        if name == "the site's":
            gc.collect()
            gc.freeze()
            gc.set_threshold(50_000, 20, 20)
        ours()
        engine()
        runs = [(_worked(ours), _worked(engine)) for _ in range(TURNS)]
        mine, bare = zip(*runs, strict=True)
        found[name] = (statistics.median(mine), statistics.median(bare))
    gc.unfreeze()
    gc.set_threshold(*usual)
    return found


def prose_of(pages: int, sheet: str) -> str:
    """HTML with the sheet's own head and style, and prose that fills as many pages."""
    head = sheet[: sheet.index("<body")]
    from weasyprint import HTML

    from warbands.pdf import OwnFilesOnly

    words = 40 * pages
    while True:
        html = f"{head}<body>{'<p>' + WORDS * 6 + '</p>' * 1}" + f"<p>{WORDS * 6}</p>" * words + "</body></html>"
        drawn = len(HTML(string=html, base_url=OwnFilesOnly.BASE, url_fetcher=OwnFilesOnly()).render().pages)
        if drawn == pages:
            return html
        words = max(1, words * pages // drawn if drawn > pages else words + 2)


def _worked(act: Any) -> float:
    start = time.process_time()
    act()
    return time.process_time() - start


def _timed(act: Any) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start
