"""The pages of the evening (tests/scene.py) as three people get them: opened once in a run, for all guards that read what was sent."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from typing import Any

import pytest

from tests.bench.pages import NO_PAGES
from tests.kept_rows import made_once
from tests.printed import one_page
from tests.scene import addresses, make_scene, rolled_back
from tests.words import NOT_A_PAGE

READERS = ("visitor", "owner", "administrator")


@dataclass(frozen=True, slots=True)
class Sent:
    """A page as it reached somebody whose browser takes compressed ones."""

    html: str
    is_compressed: bool


def pages_sent_to(who: str) -> dict[str, str]:
    """Return by route the HTML of each address that answers this person with a page. Needs an empty database."""
    return {key: page.html for key, page in sent_to(who).items()}


def sent_to(who: str) -> dict[str, Sent]:
    """Return by route each page that this person is answered with. Needs an empty database."""
    found: dict[str, Sent] = made_once(f"pages-{who}", lambda: _opened(who))
    return found


def _opened(who: str) -> dict[str, Sent]:
    sheet = one_page("A page")
    with rolled_back(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("warbands.printing.draw", lambda htmls: sheet)  # no sheet is a page
        scene = make_scene()
        scene.sign_in()
        client = scene.client(who)
        asked = {key: address for key, address in addresses(scene).items() if key not in {*NOT_A_PAGE, *NO_PAGES}}
        answers = {key: client.get(address, headers={"accept-encoding": "gzip"}) for key, address in asked.items()}
        return {
            key: _read(answer)
            for key, answer in answers.items()
            if answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html")
        }


def _read(answer: Any) -> Sent:
    is_compressed = answer.headers.get("Content-Encoding") == "gzip"
    return Sent((gzip.decompress(answer.content) if is_compressed else answer.content).decode(), is_compressed)
