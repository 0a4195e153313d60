"""The rows of all attacks of a battle. A phone fetches them beside the page of its table, to go on without a line.

Their address is named by a digest of all that they are made of, so what has one address never changes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

from django.urls import reverse

import rules
from campaigns.models import Battle, Side
from campaigns.pages.tracker_cards import sides_shown
from config.installed import digest_of
from config.recent import Newest
from rules.tracker.state import TableState
from warbands.adapters import forces_of
from warbands.models import Warband

WRITTEN: Newest[bytes] = Newest(32)


def open_hands(battle: Battle, state: TableState, hands: frozenset[str]) -> frozenset[str]:
    """Return the sides for which buttons are shown: none once the battle is closed or ended."""
    return hands if battle.status == Battle.Status.MUSTERED and not state.ended else frozenset()


def rows_address(battle: Battle, sides: Sequence[Side], hands: frozenset[str]) -> str:
    """Return the address of the rows for whoever acts for these sides, "" if there are none. No queries."""
    digest = _digest(battle, _warbands(battle, sides, hands), hands)
    return reverse("attack-list", args=[battle.pk, digest]) if digest else ""


def attack_rows(battle: Battle, sides: Sequence[Side], hands: frozenset[str], digest: str) -> bytes | None:
    """Return the rows as JSON, None if they are others by now or this person's are others. Two queries, or none if they are known."""
    warbands = _warbands(battle, sides, hands)
    if not digest or digest != _digest(battle, warbands, hands):
        return None
    if (known := WRITTEN.get(digest)) is not None:
        return known
    forces = forces_of(warbands.values())
    terms = battle.campaign.terms
    tracker = terms.game.battle.tracker(terms.content)
    book = tracker.attack_book(hands, {key: forces[warband.pk] for key, warband in warbands.items()})
    written = json.dumps(book, separators=(",", ":"), ensure_ascii=False).encode()
    WRITTEN.keep(digest, written)
    return written


def _warbands(battle: Battle, sides: Sequence[Side], hands: frozenset[str]) -> dict[str, Warband]:
    shown = sides_shown(battle, sides, hands)
    return {str(side.pk): side.warband for side in sides if side.warband is not None and str(side.pk) in shown}


def _digest(battle: Battle, warbands: Mapping[str, Warband], hands: frozenset[str]) -> str:
    """Return the name of all that the rows are made of: the rules, the rosters, and who acts. "" if there are no rows."""
    terms = battle.campaign.terms
    mine = sorted(hands & warbands.keys())
    if not mine or len(warbands) < 2 or not terms.game.battle.tracker(terms.content).reckons:
        return ""
    rosters = [[key, warband.pk, warband.version] for key, warband in sorted(warbands.items())]
    made_of = [digest_of(rules), terms.pk, terms.version, rosters, mine]
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()[:24]
