"""A Trench Too Far: platoons, companies and tanks of the early twentieth century; one base is a squad."""

from __future__ import annotations

from rules.custom.content import CustomContent
from rules.custom.game import CustomGame
from rules.game import GameSystem
from rules.trench_too_far import print_sheets
from rules.trench_too_far.browse import book_of
from rules.trench_too_far.force_rules import FORCE_RULES
from rules.trench_too_far.resolvers import rules as resolvers
from rules.trench_too_far.tracker import tracker_of
from rules.trench_too_far.unit_attacks import UNIT_ATTACKS

SYSTEM: GameSystem[CustomContent] = CustomGame(
    FORCE_RULES,
    book_of=book_of,
    resolvers=resolvers,
    tracker_of=tracker_of,
    print_sheets=print_sheets,
    unit_attacks=UNIT_ATTACKS,
)
