"""The printed campaign rules of a Trench Crusade edition that are plain settings of its pack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from rules import fireteams
from rules.consequences import Consequence
from rules.content.compiled import Content
from rules.content.overlays.states import newest_official
from rules.force import Force
from rules.legality.roster_state import examine
from rules.parts.campaign import Teams
from rules.trench_crusade import automation
from rules.trench_crusade.content import EDITIONS, GAME, content_of


def repeats_scenarios(content: Content) -> bool:
    return content.pack.campaign is not None and content.campaign.rules.scenarios_repeat


def result_points(content: Content) -> Mapping[str, int]:
    worth = content.campaign.rules.result_points if content.pack.campaign else None
    return {"won": worth.won, "drawn": worth.drawn, "lost": worth.lost} if worth else {}


def captives(content: Content) -> Literal["held", "settled"]:
    """Return whether captives are held until ransomed, or settled at once."""
    return content.campaign.rules.captives if content.pack.campaign else "held"


def teams(content: Content, force: Force) -> Teams | None:
    """Return the fireteams that may be declared, or None if nothing allows any."""
    return fireteams.teams(examine(content, force)) if force.list in content.lists else None


def form_teams(content: Content, force: Force, picks: Mapping[str, tuple[str, str]]) -> tuple[Consequence, ...]:
    return fireteams.form(examine(content, force), picks)


def what_it_does() -> str:
    """Return a page that lists what the app applies and what the sheet prints as a reminder, edition by edition."""
    return automation.told(_texts())


def _texts() -> Iterator[tuple[str, Iterable[automation.Does]]]:
    """Yield the texts of each edition, and those that its newest official rules add or change, each with a heading."""
    for edition in EDITIONS:
        content, newest = content_of(edition), newest_official(GAME, edition)
        released = tuple(automation.does(content))
        yield content.pack.name, released
        if newest:
            known = frozenset(released)
            added = [one for one in automation.does(content_of(edition, newest)) if one not in known]
            yield f"{content.pack.name}, newest official rules: what they add", added
