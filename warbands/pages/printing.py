"""The page on which a sheet is chosen."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from warbands.models import Warband
from warbands.names import labels_of
from warbands.pages.house_rules import HouseRule, active_rules
from warbands.pages.words import plural
from warbands.printing import LOOKS, PAPERS, PrintOptions


@dataclass(frozen=True, slots=True)
class Choice:
    """A radio: its value, words, and whether it is chosen."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class PrintPage:
    """What the print page shows."""

    pk: int
    name: str
    here: str
    back_href: str
    text_href: str
    version: int
    meta: str
    papers: tuple[Choice, ...]
    looks: tuple[Choice, ...]
    ticks: tuple[Choice, ...]
    rules: tuple[HouseRule, ...]


LOOK_WORDS = {"full": "Full", "ink": "Ink saver", "large": "Large print"}


def print_page(warband: Warband, options: PrintOptions) -> PrintPage:
    """Build the page. No queries beyond the warband."""
    return PrintPage(
        pk=warband.pk,
        name=warband.name,
        here=reverse("roster-print", args=[warband.pk]),
        back_href=reverse("warband-show", args=[warband.pk]),
        text_href=reverse("warband-text", args=[warband.pk]),
        version=warband.version,
        meta=f"{plural(warband.fighter_count, 'fighter')}, version {warband.version}",
        papers=tuple(Choice(paper, paper, paper == options.paper) for paper in PAPERS),
        looks=tuple(Choice(look, LOOK_WORDS[look], look == options.look) for look in LOOKS),
        ticks=(
            Choice(
                "stash", f"The {labels_of(warband.terms)['stash_within']}, with lines to write on", options.with_stash
            ),
            Choice("glossary", "The rules this roster uses, once each", options.with_glossary),
            Choice("gone", "The dead and the dismissed", options.with_gone),
        ),
        rules=active_rules(warband.terms),
    )
