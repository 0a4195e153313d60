"""What an event's occasion is called; campaigns/ knows its battles and registers how to tell them."""

from __future__ import annotations


def occasion_of(occasion: str) -> tuple[str, str]:
    """Words and address of an occasion, both "" where there is none."""
    if not occasion:
        return "", ""
    from warbands.occasions import occasion_words

    return occasion_words(occasion)
