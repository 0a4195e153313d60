"""Campaign files that were damaged, or made by somebody who knows the format: a sentence each, and nothing is saved."""

from __future__ import annotations

import copy
import gzip
import io
import random
from typing import Any

import pytest

from campaigns.campaign_file.importing import import_campaign
from campaigns.models import Campaign
from config.backup.faults import BackupFault
from tests import campaign_stories as c
from tests.campaign_files import file_from, file_of, lines_of
from tests.drills import WHOLE
from tests.emptied import empty_database
from tests.module_story import story
from warbands.models import Chain, Event, Warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
MANY = 500 if WHOLE else 60
JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    2**70,
    1.5,
    "",
    "⟦",
    "⟦warbands.Fighter 1⟧",
    "⟦#accounts.User 1⟧",
    "\0",
    "x" * 9000,
]
JUNK += [[], {}, [[[]]], {"a": {"b": {}}}, "2026-99-99", "⟦warbands.Nothing 5⟧", "\ud800"]


@story
def data(cleo: Any, ada: Any, ben: Any) -> bytes:
    club = c.club(cleo, ada, ben)
    row = c.mustered(club, ada, ben)
    c.fight(row, by=ada, winner=ada)
    found = file_of(club.campaign)
    empty_database()
    return found


def refused(data: bytes) -> str:
    """The sentence that a file is refused with, "" if it came in. Whatever else happens is a fault."""
    try:
        import_campaign(io.BytesIO(data), actor=None)
    except BackupFault as fault:
        assert (Campaign.objects.count(), Warband.objects.count(), Event.objects.count(), Chain.objects.count()) == (
            0,
        ) * 4
        return str(fault)
    empty_database()
    return ""


def _changed(value: Any, whim: random.Random) -> Any:
    """JSON with one value in it replaced, taken away or doubled."""
    if isinstance(value, dict) and value and whim.random() < 0.8:
        name = whim.choice(sorted(value))
        if whim.random() < 0.15:
            return {each: inner for each, inner in value.items() if each != name}
        return {**value, name: _changed(value[name], whim)}
    if isinstance(value, list) and value and whim.random() < 0.9:
        place = whim.randrange(len(value))
        if whim.random() < 0.1:
            return value[:place] + value[place + 1 :]
        return [*value[:place], _changed(value[place], whim), *value[place + 1 :]]
    if isinstance(value, int) and not isinstance(value, bool) and whim.random() < 0.5:
        return value + whim.choice((-1, 1, 1000))
    return copy.deepcopy(whim.choice(JUNK))


@pytest.mark.parametrize("seed", range(4))
def test_who_changes_a_line_and_its_digests_gets_a_sentence(data: bytes, seed: int) -> None:
    whim = random.Random(seed)
    lines = lines_of(data)
    came = 0
    for _ in range(MANY // 4):
        mutated = list(lines)
        places = [0, *(place for place, line in enumerate(lines) if isinstance(line, list))]
        place = whim.choice(places)
        mutated[place] = _changed(mutated[place], whim)
        if isinstance(mutated[place], list) and whim.random() < 0.1:
            mutated.insert(place, mutated[place])
        sentence = refused(file_from(mutated))
        came += not sentence
        assert len(sentence) < 500
    assert came < MANY // 4  # what is no part of an act, as a note, may be whatever fits


def test_who_changes_a_byte_gets_a_sentence(data: bytes) -> None:
    whim, plain = random.Random(9), gzip.decompress(data)
    for _ in range(20):
        at = whim.randrange(len(plain))
        broken = plain[:at] + bytes([plain[at] ^ (1 << whim.randrange(8))]) + plain[at + 1 :]
        assert refused(gzip.compress(broken, mtime=0))
        assert refused(data[: whim.randrange(len(data))])


def test_what_unpacks_to_too_much_is_refused(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campaigns.campaign_file.reading.MOST_UNPACKED", 10_000)
    assert "more than a campaign ever has" in refused(data)
    monkeypatch.undo()
    monkeypatch.setattr("campaigns.campaign_file.reading.MOST_ROWS", 5)
    assert "more rows" in refused(data)


def test_an_act_that_was_changed_breaks_its_chain(data: bytes) -> None:
    lines = lines_of(data)
    at = next(
        n for n, line in enumerate(lines) if isinstance(line, dict) and line.get("table") == "warbands.LedgerEntry"
    )
    column = lines[at]["columns"].index("ducats")
    lines[at + 1] = [each + 5 if place == column else each for place, each in enumerate(lines[at + 1])]
    assert "not what its chain tells of" in refused(file_from(lines))


@pytest.mark.parametrize(
    ("name", "told", "sentence"),
    [
        ("game", "chess", "plays chess, a game that this server doesn't have"),
        ("edition", "9.9", "9.9, an edition that this server doesn't have"),
        ("overlays", [{"id": "house-of-cards", "digest": "0"}], "with the changes “house-of-cards”"),
    ],
)
def test_a_state_of_the_rules_that_is_not_here_is_named(data: bytes, name: str, told: Any, sentence: str) -> None:
    lines = lines_of(data)
    lines[0]["states"] = [{**state, name: told} for state in lines[0]["states"]]
    assert sentence in refused(file_from(lines))


def test_the_terms_themselves_count_and_not_what_the_head_says(data: bytes) -> None:
    lines = lines_of(data)
    at = next(n for n, line in enumerate(lines) if isinstance(line, dict) and line.get("table") == "warbands.Terms")
    column = lines[at]["columns"].index("edition")
    lines[at + 1] = ["9.9" if place == column else each for place, each in enumerate(lines[at + 1])]
    assert refused(file_from(lines))
