"""How large a roster file may be. Real files stay far below each of these figures."""

from __future__ import annotations

MOST_SENT, MOST_UNPACKED = 2 * 1024 * 1024, 12 * 1024 * 1024  # bytes
MOST_DEPTH = 60  # elements within elements; a real file has nine
MOST_BRACKETS, MOST_LINES = 300_000, 20_000  # of JSON, opening and closing ones; of a text
MOST_SELECTIONS, MOST_FIGHTERS = 5_000, 200
MOST_NUMBER, LONGEST_NAME = 10_000, 200
MOST_FILES, MOST_UNPACKED_TOGETHER = 60, 40 * 1024 * 1024  # of many files brought at once
