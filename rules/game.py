"""The interface between the app and a game.

No code outside `rules/` names a game, an edition or a step. A game implements twelve methods itself; its parts
(`rules/parts/`) implement the rest. They exchange `Force` (a warband as values), offers, problems, tasks and
consequences.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

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


class GameContent(Hashable, Protocol):
    """The frozen content of an edition as its game made it.

    It is opaque outside `rules/`, which only passes it back to the game.
    """


C = TypeVar("C")


class GameSystem(Hashable, Protocol[C]):
    """One game: the methods that every game implements, and its parts.

    `content` below is the value that `content()` returned.

    A part is None if the game does not have it.
    """

    id: str
    name: str

    founding: FoundingPart[C]
    state: StatePart[C]
    documents: DocumentsPart[C]
    battle: BattlePart[C]
    post_battle: PostBattlePart[C]
    resolvers: ResolversPart[C]
    rulebook: RulebookPart[C]
    shop: ShopPart[C] | None
    campaign: CampaignPart[C] | None
    corrections: CorrectionsPart[C] | None
    profiles: ProfilesPart[C] | None
    attacks: AttacksPart[C] | None
    unit_attacks: UnitAttacksPart[C] | None
    text_import: TextImportPart[C] | None
    print_sheets: PrintSheetsPart[C] | None
    states: StatesPart[C] | None

    def editions(self) -> tuple[str, ...]:
        """Return the edition ids, the default first."""

    def document_edition(self) -> str:
        """Return the edition for a roster document or a console call that names none."""

    def content(self, edition: str, overlays: Sequence[str] = (), house_rules: Mapping[str, Any] | None = None) -> C:
        """Return the frozen content of an edition under overlays and house rules.

        Cached. Raises KeyError for an unknown edition.
        """

    def labels(self, content: C) -> Mapping[str, str]:
        """Return the edition's labels for things that pages name: "strongbox", "stash", "fighter", "troops", ...

        "stash_within" and similar keys hold the same label as it appears within a sentence.
        """

    def check(
        self,
        content: C,
        force: Force,
        *,
        scope: Scope = "roster",
        wants: Mapping[str, str] | None = None,
        taken: Sequence[str] | None = None,
        scenario: str = "",
        attacker: bool | None = None,
        facing: int | None = None,
    ) -> Verdict:
        """Return all problems of the roster, of one purchase, or of a fielded force.

        A purchase is `wants`: {"fighter", "item" | "profile" | "upgrade"}. `facing` is the number of fighters that the
        attacker brings,
        where known.
        """

    def views(self, content: C, force: Force) -> Mapping[str, FighterView]:
        """Return every fighter with all effects applied, by key."""

    def limits(self, content: C, force: Force, battle: int | None = None) -> Limits:
        """Return the threshold and field strength of the next battle, or of the battle with that number."""

    def headcount(self, content: C, force: Force) -> int:
        """Return how many fighters or units are on the roster."""

    def profile_name(self, content: C, profile: str, state: Mapping[str, Any]) -> str:
        """Return the name of a row's profile, from its id and the row's state; the id itself for an unknown profile."""

    def choices(self, content: C, force: Force) -> tuple[Choosing, ...]:
        """Return every choice that the list, its fighters, their kit, upgrades and skills offer, made or open."""

    def hire_offers(self, content: C, force: Force, only: Collection[str] = ()) -> tuple[Offer, ...]:
        """Return the offers to hire, in the order of the list. `only`: those with these ids alone."""

    def departures(self, content: C, force: Force, fighter: str) -> tuple[Offer, ...]:
        """Return the ways in which a fighter may leave now, by `id`: return (while founding), dismiss, sell.

        `price` is the refund or proceeds for the fighter and its upgrades, without its kit. On a return, the service
        also refunds bought
        kit (through `refund`); on a dismissal or sale it moves bought kit to the stash. Kit that came with the fighter
        leaves with it.
        """


# A game as code outside `rules/` sees it. Content always returns to the game that made it, so its type does not matter there.
Game = GameSystem[GameContent]
