"""The site's static files as a browser gets them in tests: bundled as in production, from memory, and to be kept."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler

from config.static_files import BUNDLES, bundle

STATIC_FILES = Path(settings.BASE_DIR) / "static"


class BundledStatic(StaticFilesHandler):
    """Answers requests for our static files; those of others are looked for as always.

    A page loads nine files in place of ninety, and the next page of the same browser context none of them.
    """

    bundles = BUNDLES

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        address = environ["PATH_INFO"]
        name = address.removeprefix(settings.STATIC_URL)
        found = body(name, name in self.bundles) if name != address else None
        if found is None:
            return super().__call__(environ, start_response)
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        headers = {
            "Content-Type": f"{kind}; charset=utf-8" if kind.startswith("text/") else kind,
            "Content-Length": str(len(found)),
            "Cache-Control": "max-age=31536000, immutable",
        }
        start_response("200 OK", list(headers.items()))
        return [found]


@cache
def body(name: str, is_bundle: bool) -> bytes | None:
    """What is served under the name of a static file; None where the file is not ours."""
    if is_bundle:
        return bundle(name, lambda part: (STATIC_FILES / part).read_text(encoding="utf-8")).encode()
    path = (STATIC_FILES / name).resolve()
    return path.read_bytes() if path.is_file() and path.is_relative_to(STATIC_FILES) else None
