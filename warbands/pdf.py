"""The PDF engine, fenced in: it opens our own static files and nothing else."""

from __future__ import annotations

import gc
import mimetypes
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from weasyprint import CSS, HTML
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

from warbands.pdf_fonts import unpacked, with_fonts

_STYLE_LINK = re.compile(r'<link rel="stylesheet" href="([^"]+)">')


def pdf_of(html: str) -> bytes:
    """A tagged PDF (PDF/UA) of a page whose links are relative to our static folder, in our own fonts."""
    with collected_once():
        page, styles = read_page(with_fonts(html))
        result: bytes = page.write_pdf(stylesheets=styles, pdf_variant="pdf/ua-1")
    return result


def read_page(html: str) -> tuple[HTML, list[CSS]]:
    read = style_sheet.__wrapped__ if settings.DEBUG else style_sheet  # a developer sees a changed style at once
    styles = [read(name) for name in _STYLE_LINK.findall(html)]
    return HTML(string=_STYLE_LINK.sub("", html), base_url=OwnFilesOnly.BASE, url_fetcher=OwnFilesOnly()), styles


@cache
def style_sheet(name: str) -> CSS:
    """A style sheet of our static folder, in the engine's terms. Reading it takes a third of the time of a short sheet: a process does it once."""
    return CSS(url=f"{OwnFilesOnly.BASE}{name}", url_fetcher=OwnFilesOnly())


@contextmanager
def collected_once() -> Iterator[None]:
    """Let garbage lie until the end, and give all that was made meanwhile back then.

    The engine builds a web of some 100,000 boxes and styles that stands until the last page is written. While it grows, the collector
    would go through it 200 times and find nothing, in a fifth of the time that a sheet takes.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
        gc.collect(0)  # whatever was made meanwhile is still of the first generation


class OwnFilesOnly(URLFetcher):
    """Lets WeasyPrint open files of our static folder, named below `BASE`, and nothing else on any disk or network."""

    BASE = "http://static.invalid/"  # joined with relative names as any address; never looked up

    def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
        """Return the file. Raises FatalURLFetchingError for anything else: a sheet without its style is no sheet."""
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
