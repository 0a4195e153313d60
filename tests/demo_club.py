"""The demonstration club of the tests: to play it takes longer than anything else does, so that it is played once a run."""

from __future__ import annotations

from datetime import date
from typing import Any

from campaigns.demo import Demo
from tests.kept_rows import told_once
from warbands.models import Event, Fighter, Item, Warband

TODAY = date(2026, 11, 20)


class Enough(Exception):
    """The first evening is over."""


class Watched(Demo):
    """A demonstration that notes what the club looks like after its first evening; with `first_only` it stops there."""

    after_the_first: dict[str, Any] | None = None
    at_the_end: dict[str, Any]

    def __init__(self, *, first_only: bool = False) -> None:
        super().__init__(today=TODAY)
        self.first_only = first_only

    def _evening(self, *what: Any, **how: Any) -> Any:
        came = super()._evening(*what, **how)
        if self.after_the_first is None:
            self.after_the_first = in_words()
            if self.first_only:
                raise Enough
        return came


def demo_club() -> dict[str, Any]:
    """Have the club in the database, which is empty before. Returns what it looked like after its first evening."""
    return told_once("demo", _played)


def _played() -> dict[str, Any] | None:
    demo = Watched()
    assert demo.make() is not None
    return demo.after_the_first


def in_words() -> dict[str, Any]:
    """Every roster, strongbox and sentence of the club, without the numbers of rows."""
    return {
        warband.name: {
            "money": (warband.strongbox_ducats, warband.strongbox_glory, warband.rating_ducats),
            "fighters": [
                (
                    fighter.name,
                    fighter.profile_id,
                    fighter.status,
                    fighter.state.get("experience"),
                    sorted(trauma["id"] for trauma in fighter.state.get("traumas", {}).values()),
                    sorted(skill["id"] for skill in fighter.state.get("skills", {}).values()),
                    fighter.state.get("left"),
                    sorted(
                        Item.objects.live().filter(fighter=fighter, status="held").values_list("item_id", flat=True)
                    ),
                )
                for fighter in Fighter.objects.live().filter(warband=warband).order_by("position", "pk")
            ],
            "history": list(
                Event.objects.filter(subjects__warband=warband).order_by("pk").values_list("sentence", flat=True)
            ),
        }
        for warband in Warband.objects.live().order_by("pk")
    }
