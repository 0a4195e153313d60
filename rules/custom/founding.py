"""Founding a force with own profiles: one list, no money, and invented samples to start from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.content import name_book
from rules.custom.content import CORE, CustomContent
from rules.custom.force_rules import ForceRules
from rules.force import Force
from rules.parts.founding import ListChoice, StartingItem
from rules.price import Price
from rules.problems import Refusal
from rules.translation import gettext
from rules.translation import gettext as _


@dataclass(frozen=True)
class CustomFounding:
    rules: ForceRules

    def lists(self, content: CustomContent) -> tuple[ListChoice, ...]:
        rules = self.rules
        asks = rules.force_asks(Force(rules.id, CORE, rules.list_id))
        return (
            ListChoice(
                id=rules.list_id,
                name=rules.list_name,
                temper=_("You write the units"),
                faction="",
                changes=(),
                patrons=(),
                start=Price(),
                one_off=Price(),
                third_party=False,
                choices=tuple(replace(asked, optional=True) for asked in asks if asked.at_founding),
            ),
        )

    def start(
        self, content: CustomContent, list_id: str, mode: str, choices: Mapping[str, Any] | None = None
    ) -> tuple[Price, tuple[StartingItem, ...]]:
        """Return neither money nor kit. Raises Refusal for an unknown list or mode."""
        if list_id != self.rules.list_id:
            raise Refusal(gettext("No list is called “{list_id}”.").format(list_id=list_id), code="unknown-name")
        if mode not in ("campaign", "one-off"):
            raise Refusal(
                gettext("A force is for a campaign or for one-off battles, not for “{mode}”.").format(mode=mode),
                code="mode",
            )
        return Price(), ()

    def late_start(self, content: CustomContent, list_id: str, threshold: int, battles: int) -> tuple[Price, int]:
        """Return the start of a latecomer, which is the same as everybody's. Raises Refusal for an unknown list."""
        return self.start(content, list_id, "campaign")[0], 0

    def fighter_names(self, content: CustomContent, list_id: str, profile: str) -> tuple[str, ...]:
        """Return no names: a unit is called as its player called the profile."""
        return ()

    def warband_names(self, content: CustomContent, list_id: str) -> tuple[str, ...]:
        """Return names for a force."""
        return name_book.warband_names(self.rules.id, list_id, "")

    def mark(self, content: CustomContent, list_id: str) -> str:
        return self.rules.mark

    def samples(self, content: CustomContent) -> tuple[tuple[str, str, str, str], ...]:
        return tuple((id_, name, self.rules.list_id, text) for id_, name, text, _ in self.rules.sample_documents())

    def sample(self, content: CustomContent, sample_id: str) -> dict[str, Any]:
        return {id_: document for id_, _, _, document in self.rules.sample_documents()}[sample_id]
