"""The Gloom Trench 1926 game object."""

from __future__ import annotations

from rules.custom.content import CustomContent
from rules.custom.game import CustomGame
from rules.game import GameSystem
from rules.gloom_trench import print_sheets
from rules.gloom_trench.browse import book_of
from rules.gloom_trench.force_rules import FORCE_RULES
from rules.gloom_trench.resolvers import rules as resolvers
from rules.gloom_trench.tracker.gloom_tracker import GloomTracker
from rules.gloom_trench.unit_attacks import UNIT_ATTACKS

SYSTEM: GameSystem[CustomContent] = CustomGame(
    FORCE_RULES,
    book_of=book_of,
    resolvers=resolvers,
    tracker_of=GloomTracker,
    print_sheets=print_sheets,
    unit_attacks=UNIT_ATTACKS,
)
