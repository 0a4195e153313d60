"""The PDF engine, fenced in: it opens our own static files and nothing else."""

from __future__ import annotations

import mimetypes
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from weasyprint import HTML
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse


def pdf_of(html: str) -> bytes:
    """A tagged PDF (PDF/UA) of a page whose links are relative to our static folder."""
    result: bytes = HTML(string=html, base_url=OwnFilesOnly.BASE, url_fetcher=OwnFilesOnly()).write_pdf(
        pdf_variant="pdf/ua-1"
    )
    return result


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
        return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": kind})


@cache
def static_root() -> Path:
    """The folder of our own static files, as the source holds them."""
    return (Path(settings.BASE_DIR) / "static").resolve()
