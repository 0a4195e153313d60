"""What the app asks of a game.

Nothing above `rules/` names a game, an edition or a step. A game answers twelve questions itself; the rest stands in its parts
(`rules/parts/`), which speak in `Force` (a warband as values), offers, problems, tasks and consequences.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from rules.force import FighterView, Force
from rules.parts.attacks import AttacksPart
from rules.parts.battle import BattlePart
from rules.parts.campaign import CampaignPart
from rules.parts.choice import Choosing
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
from rules.parts.text_import import TextImportPart
from rules.parts.verdict import Limits, Scope, Verdict


class GameContent(Hashable, Protocol):
    """The frozen content of an edition as its game made it. Opaque above `rules/`: it is only handed back to the game."""


C = TypeVar("C")


class GameSystem(Hashable, Protocol[C]):
    """One game: what every game answers itself, and its parts. `content` below is what `content()` returned.

    A part is None where a game has nothing of the kind.
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
    profiles: ProfilesPart[C] | None
    attacks: AttacksPart[C] | None
    text_import: TextImportPart[C] | None
    print_sheets: PrintSheetsPart[C] | None

    def editions(self) -> tuple[str, ...]:
        """Edition ids, the default first."""

    def document_edition(self) -> str:
        """The edition of a roster document or a console call that names none."""

    def content(self, edition: str, overlays: Sequence[str] = (), house_rules: Mapping[str, Any] | None = None) -> C:
        """The frozen content of an edition under overlays and house rules. Cached. Raises KeyError for an unknown edition."""

    def labels(self, content: C) -> Mapping[str, str]:
        """What the edition calls things that pages name: "strongbox", "stash", "fighter", "troops", ...

        "stash_within" and the like hold the same label as it stands within a sentence.
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
        """All problems of the roster, of one purchase (`wants`: {"fighter", "item" | "profile" | "upgrade"}), or of a fielded force.

        `facing` is how many fighters the attacker brings, where that is known.
        """

    def views(self, content: C, force: Force) -> Mapping[str, FighterView]:
        """Every fighter with all effects applied, by key."""

    def limits(self, content: C, force: Force, battle: int | None = None) -> Limits:
        """Threshold and field strength of the next battle, or of the battle with that number."""

    def headcount(self, content: C, force: Force) -> int:
        """How many fighters or units stand on the roster."""

    def profile_name(self, content: C, profile: str, state: Mapping[str, Any]) -> str:
        """The name of a row's profile, from its id and the row's state; the id itself for an unknown one."""

    def choices(self, content: C, force: Force) -> tuple[Choosing, ...]:
        """Every choice that the list, its fighters, their kit, upgrades and skills offer, made or open."""

    def hire_offers(self, content: C, force: Force) -> tuple[Offer, ...]: ...

    def departures(self, content: C, force: Force, fighter: str) -> tuple[Offer, ...]:
        """The ways a fighter may leave now, by `id`: return (while founding), dismiss, sell.

        `price` is what the fighter and its upgrades bring, without its kit. The service sends bought kit back too on a return
        (through `refund`), and moves it to the stash on a dismissal or sale; kit that came with the fighter leaves with it.
        """


# A game as the code above `rules/` sees it: each content goes back to the game that made it, so its own type does not matter there.
Game = GameSystem[GameContent]
