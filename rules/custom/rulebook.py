"""The rulebook of a game with own profiles: its entries, its normal form, and its house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.browse import RuleDetail, RuleEntry
from rules.content.house import HouseSetting
from rules.custom import browse
from rules.custom.browse import CustomGameBook
from rules.custom.content import CORE, SETTINGS, CustomContent, faults, settings_of
from rules.custom.force_rules import ForceRules


@dataclass(frozen=True)
class CustomRulebook:
    """The part `Rulebook`. `book_of` builds the game's rules pages."""

    rules: ForceRules
    book_of: Callable[[CustomContent], CustomGameBook]

    def entries(self, content: CustomContent) -> tuple[RuleEntry, ...]:
        return browse.entries_of(self.book_of(content))

    def entry(self, content: CustomContent, kind: str, id_: str) -> RuleDetail | None:
        return browse.detail_of(self.book_of(content), content, kind, id_)

    def normal_form(self, content: CustomContent) -> dict[str, Any]:
        profiles = sorted(self.rules.profiles.default_profiles(), key=lambda profile: (profile.kind, profile.id))
        empty = ("kit", "upgrades", "skills", "traumas", "locations", "patrons", "deeds", "scenarios")
        return {
            "game": self.rules.id,
            "edition": CORE,
            "factions": [{"id": self.rules.list_id, "name": self.rules.list_name, "variants": []}],
            "kinds": [{"id": kind.id, "name": kind.name, "takes": kind.takes} for kind in self.rules.kinds],
            "profiles": [
                {
                    "id": profile.id,
                    "name": profile.name,
                    "kind": profile.kind,
                    "origin": profile.origin,
                    "data": dict(profile.data),
                }
                for profile in profiles
            ],
            "readings": [
                {
                    "id": reading.key,
                    "words": reading.words,
                    "default": reading.default,
                    "source": reading.source,
                    "options": [{"id": option, "words": text} for option, text in reading.options],
                }
                for reading in self.rules.readings
            ],
            **{key: [] for key in empty},
            "keywords": [
                {"name": entry.name, "summary": entry.words}
                for entry in self.entries(content)
                if entry.kind == "keyword"
            ],
        }

    def house_settings(self, content: CustomContent) -> tuple[tuple[HouseSetting, ...], tuple[HouseSetting, ...]]:
        return SETTINGS, settings_of(self.rules.readings)

    def check_house_rules(
        self, edition: str, house_rules: Mapping[str, Any], overlays: Sequence[str] = ()
    ) -> Mapping[str, tuple[str, ...]]:
        if edition != CORE:
            raise KeyError(edition)
        return faults(self.rules.readings, house_rules)
