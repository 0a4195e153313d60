"""The PDF engine, restricted to our own static files."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from weasyprint import CSS, HTML
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

from warbands.pdf_fonts import unpacked, with_fonts
from warbands.pdf_forms import complete_fields
from warbands.pdf_memory import collected_once
from warbands.pdf_tags import complete_tags

_STYLE_LINK = re.compile(r'<link rel="stylesheet" href="([^"]+)">')


def pdf_of(htmls: Iterable[str], *, whole_fonts: bool = False) -> bytes:
    """Return as a tagged PDF (PDF/UA), in our own fonts, the first of these sheets that takes one page, or the first of those that take the fewest.

    Inputs become fields to fill in. Links are relative to our static folder. Fonts keep the letters that the sheet needs alone, or
    all of them: then the same files are in every sheet, and sheets that are joined share them. Only the sheet that is returned is
    written as a file, which takes half as long as laying it out.
    """
    best: tuple[Any, dict[str, Any]] | None = None
    with collected_once():
        for html in htmls:
            page, styles = read_page(with_fonts(html))
            how = {"pdf_variant": "pdf/ua-1", "pdf_forms": "<input " in html, "full_fonts": whole_fonts}
            document = page.render(stylesheets=styles, **how)
            if best is None or len(document.pages) < len(best[0].pages):
                best = document, how
            if len(document.pages) == 1:
                break
        assert best is not None
        document, how = best
        result: bytes = document.write_pdf(finisher=_finish, **how)
    return result


def _finish(document: Any, pdf: Any) -> None:
    """Complete what the engine leaves open, before it writes the file."""
    complete_tags(document, pdf)
    complete_fields(pdf)


def read_page(html: str) -> tuple[HTML, list[CSS]]:
    read = style_sheet.__wrapped__ if settings.DEBUG else style_sheet  # a developer sees style changes at once
    styles = [read(name) for name in _STYLE_LINK.findall(html)]
    return HTML(string=_STYLE_LINK.sub("", html), base_url=OwnFilesOnly.BASE, url_fetcher=OwnFilesOnly()), styles


@cache
def style_sheet(name: str) -> CSS:
    """Return a style sheet of our static folder, parsed by the engine.

    Parsing takes a third of the time of a short army sheet, so a process does it once.
    """
    return CSS(url=f"{OwnFilesOnly.BASE}{name}", url_fetcher=OwnFilesOnly())


class OwnFilesOnly(URLFetcher):
    """Lets WeasyPrint open files of our static folder, as URLs below `BASE`, and nothing else on disk or network."""

    BASE = "http://static.invalid/"  # the base of relative URLs; never looked up

    def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
        """Return the file. Raises FatalURLFetchingError for anything else, since a sheet without its style is useless."""
        root = static_root()
        path = (root / url.removeprefix(self.BASE)).resolve()
        if not url.startswith(self.BASE) or not path.is_relative_to(root) or not path.is_file():
            raise FatalURLFetchingError(f"sheets open only our own static files, not {url[:80]}")
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        content = unpacked(path) if path.suffix == ".woff2" else path.read_bytes()
        return URLFetcherResponse(url, content, {"Content-Type": kind})


@cache
def static_root() -> Path:
    return (Path(settings.BASE_DIR) / "static").resolve()
