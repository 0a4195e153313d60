"""The pages of the evening (tests/scene.py) as three people get them: opened once in a run, for all guards that read what was sent."""

from __future__ import annotations

import pickle

import pytest

from tests.kept_rows import KeptRows, alone
from tests.printed import one_page
from tests.scene import addresses, make_scene, rolled_back
from tests.words import NOT_A_PAGE

READERS = ("visitor", "owner", "administrator")


def pages_sent_to(who: str) -> dict[str, str]:
    """Return by route the HTML of each address that answers this person with a page. Needs an empty database."""
    assert KeptRows.folder is not None
    file = KeptRows.folder / f"pages-{who}.pickle"
    with alone(file.with_suffix(".lock")):
        if not file.exists():
            file.write_bytes(pickle.dumps(_opened(who)))
    found: dict[str, str] = pickle.loads(file.read_bytes())
    return found


def _opened(who: str) -> dict[str, str]:
    sheet = one_page("A page")
    with rolled_back(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("warbands.printing.draw", lambda html: sheet)  # no sheet is a page
        scene = make_scene()
        scene.sign_in()
        client = scene.client(who)
        answers = {key: client.get(address) for key, address in addresses(scene).items() if key not in NOT_A_PAGE}
        return {
            key: answer.content.decode()
            for key, answer in answers.items()
            if answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html")
        }
