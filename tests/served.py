"""The site's static files as a browser gets them in tests: bundled as in production, from memory, and to be kept."""

from __future__ import annotations

import mimetypes
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.test.testcases import QuietWSGIRequestHandler

from config.static_files import BUNDLES, bundle

STATIC_FILES = Path(settings.BASE_DIR) / "static"

Pauses = dict[tuple[str, str], str]  # by a script and what it says there: what is served instead

# A table asks every two seconds what another phone did, and less and less often while its line is down. A test that waits for
# it on two phones at once need not wait as long. Nor need one that presses the next button on the spot of the last, which is shielded from a thumb that slips.
SLIP = 100  # milliseconds in which a second press is taken for a slip
SOONER: Pauses = {
    ("js/table-pace.js", "const PAUSE = 2000;"): "const PAUSE = 200;",
    ("js/table-pace.js", "const LONGEST = 30000;"): "const LONGEST = 1000;",
    ("js/table-pace.js", "const LONGEST_WAITING = 8000;"): "const LONGEST_WAITING = 500;",
    ("js/double.js", "const SOON = 700;"): f"const SOON = {SLIP};",
}
# What tests of a table without a line wait for: the forms that a phone fetches once a table has come to rest.
FORMS_SOONER: Pauses = {("js/table-forms.js", "const SETTLED = 3000;"): "const SETTLED = 300;"}
# What tests of a slow line wait for: how long a page may take until the worker shows it as it stood.
STOOD_SOONER: Pauses = {("worker/pages.js", "const PATIENCE = 3000;"): "const PATIENCE = 1000;"}


class BundledStatic(StaticFilesHandler):
    """Answers requests for our static files; those of others are looked for as always.

    A page loads nine files in place of ninety, and the next page of the same browser context none of them.
    """

    bundles = BUNDLES

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        address = environ["PATH_INFO"]
        name = address.removeprefix(settings.STATIC_URL)
        found = (OF_TESTS.get(name) or body(name, name in self.bundles)) if name != address else None
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


class SentAtOnce(QuietWSGIRequestHandler):
    """Sends each answer whole, as gunicorn does.

    Django's own sends status, headers and body one by one. The system holds back the second of them until the browser has
    acknowledged the first, which a browser puts off: every answer would come 40 ms late.
    """

    disable_nagle_algorithm = True
    wbufsize = -1
    under_way: ClassVar[set[SentAtOnce]] = set()

    def parse_request(self) -> bool:
        """Read what is asked."""
        self.under_way.add(self)
        return super().parse_request()

    def handle_one_request(self) -> None:
        """Answer one request, also one without a body, which nothing else would flush."""
        try:
            super().handle_one_request()
            self.wfile.flush()
        finally:
            self.under_way.discard(self)


def at_rest() -> None:
    """Wait until everything that was asked is answered.

    Pages may be left, or closed, while they ask. What goes on then would meet the emptied database, or that of the next test.
    """
    until = time.monotonic() + 10
    while SentAtOnce.under_way and time.monotonic() < until:
        time.sleep(0.005)


# What only tests ask for: a page with nothing on it, and axe, which the browser then compiles once for all pages.
NOTHING, AXE = "nothing.txt", "axe.min.js"
OF_TESTS = {NOTHING: b" ", AXE: (Path(__file__).parent / "vendor" / AXE).read_bytes()}


@contextmanager
def pausing(pauses: Pauses) -> Iterator[None]:
    """Serve scripts that pause like this, and otherwise as long as they do for a club.

    A browser context that fetched a script before keeps it as it was.
    """
    before = dict(SOONER)
    _pause(pauses)
    yield
    _pause(before)


def _pause(pauses: Pauses) -> None:
    SOONER.clear()
    SOONER.update(pauses)
    body.cache_clear()


def usual_pauses() -> AbstractContextManager[None]:
    """Serve scripts that pause as long as they do for a club."""
    return pausing({})


def shorter_pauses(pauses: Pauses) -> AbstractContextManager[None]:
    """Serve scripts with these pauses shortened too."""
    return pausing(SOONER | pauses)


@cache
def body(name: str, is_bundle: bool) -> bytes | None:
    """What is served under the name of a static file; None where the file is not ours."""
    if is_bundle:
        return bundle(name, lambda part: _read(part).decode()).encode()
    path = (STATIC_FILES / name).resolve()
    return _read(name) if path.is_file() and path.is_relative_to(STATIC_FILES) else None


def _read(name: str) -> bytes:
    """A file as it lies there, but for how long its script pauses."""
    text = (STATIC_FILES / name).read_bytes()
    for (script, usual), sooner in SOONER.items():
        if script == name:
            assert text.count(usual.encode()) == 1, f"{name} does not say once: {usual}"
            text = text.replace(usual.encode(), sooner.encode())
    return text
