"""A game in which players write the profiles: no money, no stash, one list, units taken from a library.

A game combines its rules for forces (`rules.custom.force_rules.ForceRules`) with its rulebook, resolvers, tracker and
sheets.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from rules.custom import check, offers
from rules.custom.battle import CustomBattle
from rules.custom.browse import CustomGameBook
from rules.custom.content import CORE, CustomContent, content_of
from rules.custom.documents import CustomDocuments
from rules.custom.force_rules import ForceRules
from rules.custom.founding import CustomFounding
from rules.custom.labels import labels_of
from rules.custom.library import ProfileLibrary
from rules.custom.post_battle import CustomPostBattle
from rules.custom.rulebook import CustomRulebook
from rules.custom.state import CustomRosterState
from rules.force import FighterView, Force
from rules.parts.attacks import AttacksPart
from rules.parts.battle import BattlePart
from rules.parts.campaign import CampaignPart
from rules.parts.choice import Choosing
from rules.parts.corrections import CorrectionsPart
from rules.parts.documents import DocumentsPart
from rules.parts.founding import FoundingPart
from rules.parts.offer import Offer
from rules.parts.post_battle import PostBattlePart
from rules.parts.print_sheets import PrintSheetsPart
from rules.parts.profiles import ProfilesPart
from rules.parts.resolvers import ResolversPart
from rules.parts.rulebook import RulebookPart
from rules.parts.shop import ShopPart
from rules.parts.state import StatePart
from rules.parts.states import StatesPart
from rules.parts.text_import import TextImportPart
from rules.parts.unit_attacks import UnitAttacksPart
from rules.parts.verdict import Limits, Scope, Verdict
from rules.tracker.tracker import Tracker


class CustomGame:
    """A game with own profiles: the methods it implements itself, and its parts."""

    def __init__(
        self,
        rules: ForceRules,
        *,
        book_of: Callable[[CustomContent], CustomGameBook],
        resolvers: ResolversPart[CustomContent],
        tracker_of: Callable[[CustomContent], Tracker],
        print_sheets: PrintSheetsPart[CustomContent],
        unit_attacks: UnitAttacksPart[CustomContent] | None = None,
    ) -> None:
        self.id = rules.id
        self.name = rules.name
        self.rules = rules
        self.founding: FoundingPart[CustomContent] = CustomFounding(rules)
        self.state: StatePart[CustomContent] = CustomRosterState(rules)
        self.documents: DocumentsPart[CustomContent] = CustomDocuments(rules, book_of)
        self.battle: BattlePart[CustomContent] = CustomBattle(rules, tracker_of)
        self.post_battle: PostBattlePart[CustomContent] = CustomPostBattle(rules)
        self.resolvers = resolvers
        self.rulebook: RulebookPart[CustomContent] = CustomRulebook(rules, book_of)
        self.shop: ShopPart[CustomContent] | None = None
        self.campaign: CampaignPart[CustomContent] | None = None
        self.corrections: CorrectionsPart[CustomContent] | None = None
        self.profiles: ProfilesPart[CustomContent] | None = ProfileLibrary(rules)
        self.attacks: AttacksPart[CustomContent] | None = None
        self.unit_attacks: UnitAttacksPart[CustomContent] | None = unit_attacks
        self.text_import: TextImportPart[CustomContent] | None = None
        self.print_sheets: PrintSheetsPart[CustomContent] | None = print_sheets
        self.states: StatesPart[CustomContent] | None = None

    def editions(self) -> tuple[str, ...]:
        return (CORE,)

    def document_edition(self) -> str:
        return CORE

    def content(
        self, edition: str, overlays: Sequence[str] = (), house_rules: Mapping[str, Any] | None = None
    ) -> CustomContent:
        if edition != CORE:
            raise KeyError(edition)
        return content_of(self.id, self.rules.readings, overlays, house_rules)

    def labels(self, content: CustomContent) -> Mapping[str, str]:
        return labels_of(self.rules.labels)

    def check(
        self,
        content: CustomContent,
        force: Force,
        *,
        scope: Scope = "roster",
        wants: Mapping[str, str] | None = None,
        taken: Sequence[str] | None = None,
        scenario: str = "",
        attacker: bool | None = None,
        facing: int | None = None,
    ) -> Verdict:
        return check.check(self.rules, content, force, scope, taken)

    def views(self, content: CustomContent, force: Force) -> Mapping[str, FighterView]:
        return check.views(self.rules, force)

    def limits(self, content: CustomContent, force: Force, battle: int | None = None) -> Limits:
        return Limits(
            battle=battle or force.battles.next_number,
            threshold=check.points_limit(content, force),
            field_strength=None,
        )

    def headcount(self, content: CustomContent, force: Force) -> int:
        return sum(1 for fighter in force.fighters if fighter.active)

    def profile_name(self, content: CustomContent, profile: str, state: Mapping[str, Any]) -> str:
        copy = state.get("profile")
        return str(copy.get("name") or profile) if isinstance(copy, Mapping) else profile

    def choices(self, content: CustomContent, force: Force) -> tuple[Choosing, ...]:
        return self.rules.choices(force)

    def hire_offers(self, content: CustomContent, force: Force, only: Collection[str] = ()) -> tuple[Offer, ...]:
        return offers.hire_offers(self.rules, force, only)

    def departures(self, content: CustomContent, force: Force, fighter: str) -> tuple[Offer, ...]:
        return offers.departures(force, fighter)
