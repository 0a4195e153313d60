"""The roster that every page starts from: rows, force, one verdict, one sheet."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from rules.force import FighterView, Force, ForceFighter, ForceItem
from rules.game import Game, GameContent
from rules.parts.campaign import Teams
from rules.parts.choice import ChoiceAsked
from rules.parts.offer import Offer
from rules.parts.sheet import FighterSheet, RosterSheet
from rules.parts.shop import ShopPart, WholeKit
from rules.parts.verdict import Limits, Verdict
from rules.price import Price
from rules.problems import Problem
from warbands import rules_cache
from warbands.adapters import PRESENT, RosterRead, at_work, force_of
from warbands.gone import LEFT, ByKey, SubjectGone
from warbands.models import Fighter, Item, Warband
from warbands.pages.addresses import href_of
from warbands.pages.rule_links import RuleLinks, names_of


@dataclass(frozen=True)
class Roster:
    """One warband, completely read. `rows` holds all fighters who were ever on it, `force` only the present ones."""

    warband: Warband
    rows: tuple[Fighter, ...]
    items: tuple[Item, ...]
    force: Force
    verdict: Verdict
    names: RuleLinks
    content: GameContent = field(repr=False)

    @property
    def game(self) -> Game:
        return self.warband.terms.game

    @property
    def address(self) -> str:
        return href_of("warband-show", self.warband.pk)

    @cached_property
    def sheet(self) -> RosterSheet:
        return self.game.documents.sheet(self.content, self.force)

    @cached_property
    def limits(self) -> Limits:
        return self.game.limits(self.content, self.force)

    @cached_property
    def sheets(self) -> dict[str, FighterSheet]:
        """Return the sheet lines by fighter key. Looking up a fighter who has left raises SubjectGone."""
        return ByKey({line.key: line for line in self.sheet.fighters}, self.address)

    @cached_property
    def views(self) -> dict[str, FighterView]:
        """Return the fighters after all effects, by key. Looking up a fighter who has left raises SubjectGone."""
        return ByKey(self.verdict.views or self.game.views(self.content, self.force), self.address)

    @cached_property
    def problems_by_fighter(self) -> dict[str, list[Problem]]:
        found: dict[str, list[Problem]] = {}
        for problem in self.verdict.errors:
            found.setdefault(problem.fighter_key, []).append(problem)
        return found

    @cached_property
    def choosing(self) -> frozenset[str]:
        """Return the keys of fighters who have something to choose; "" for the warband itself."""
        return frozenset(choosing.fighter for choosing in self.game.choices(self.content, self.force))

    @property
    def shops(self) -> bool:
        return self.game.shop is not None

    @property
    def shop(self) -> ShopPart[GameContent]:
        """Return the shop, for questions about an item. Only games with a shop have items."""
        assert self.game.shop is not None
        return self.game.shop

    @cached_property
    def teams(self) -> Teams | None:
        """Return the teams that the warband may declare; None if it may declare none."""
        campaign = self.game.campaign
        return campaign.teams(self.content, self.force) if campaign is not None else None

    @cached_property
    def gone(self) -> tuple[Fighter, ...]:
        """Return the rows that have left the roster, the last to leave first."""
        left = [row for row in self.rows if row.status not in PRESENT and row.status != Fighter.Status.RETURNED]
        return tuple(sorted(left, key=lambda row: (row.left_at is not None, row.left_at, row.pk), reverse=True))

    @property
    def strongbox(self) -> Price:
        """Return the money that the warband has now. It may be negative while founding."""
        return Price(ducats=self.warband.strongbox_ducats, glory=self.warband.strongbox_glory)

    def hire_offers(self) -> tuple[Offer, ...]:
        return rules_cache.hire_offers(self.game, self.content, self.force)

    def hire_offer(self, offer: str) -> Offer | None:
        return rules_cache.hire_offer(self.game, self.content, self.force, offer)

    def choices_to_make(self, row: Fighter) -> tuple[ChoiceAsked, ...]:
        """Return the choices of a fighter's hire that can be answered: all while founding, later only the open ones."""
        offer = self.hire_offer(row.offer_id)
        made = row.state.get("choices", {})
        return tuple(
            asked
            for asked in (offer.choices if offer else ())
            if asked.count == 1 and (self.warband.is_founding or not made.get(asked.key))
        )

    def item_offers(self, fighter: str = "") -> tuple[Offer, ...]:
        """Return the offers of items for a fighter, or for the stash. Cached until the roster changes, so each tab can reuse them."""
        return rules_cache.item_offers(self.game, self.content, self.force, fighter)

    def item_offer(self, offer: str, fighter: str = "") -> Offer | None:
        return rules_cache.item_offer(self.game, self.content, self.force, fighter, offer)

    def whole_kit(self, fighters: tuple[str, ...], offers: tuple[str, ...]) -> WholeKit:
        """Judge the purchase of these offers for each of these fighters. Cached until the roster changes."""
        return rules_cache.whole_kit(self.game, self.content, self.force, fighters, offers)

    def upgrade_offers(self, fighter: str) -> tuple[Offer, ...]:
        return rules_cache.upgrade_offers(self.game, self.content, self.force, fighter)

    def row(self, key: str) -> Fighter:
        """Return the row of this fighter key. Raises SubjectGone."""
        for row in self.rows:
            if str(row.pk) == key:
                return row
        raise SubjectGone(LEFT, back=self.address)

    def item_row(self, key: str) -> Item | None:
        """Return the row of an owned item, None for kit that the fighter has without a row."""
        for item in self.items:
            if str(item.pk) == key:
                return item
        return None

    def item_name(self, item: ForceItem | Item) -> str:
        return self.names.name(item.item if isinstance(item, ForceItem) else item.item_id, *ITEM_KINDS)

    def profile_name(self, fighter: ForceFighter | Fighter) -> str:
        id_ = fighter.profile if isinstance(fighter, ForceFighter) else fighter.profile_id
        known: str = self.game.profile_name(self.content, id_, fighter.state)
        return known if known != id_ else self.names.name(id_, *PROFILE_KINDS)


ITEM_KINDS = ("kit", "item", "items")
PROFILE_KINDS = ("profile", "profiles", "fighter")
SKILL_KINDS = ("skill", "skills")
TRAUMA_KINDS = ("trauma", "traumas")
UPGRADE_KINDS = ("upgrade", "upgrades")
KEYWORD_KINDS = ("keyword", "keywords")


def read_roster(warband: Warband, *, gone: bool = False) -> Roster:
    """Read a warband completely: two queries (load its terms first). `gone` also puts fighters who left into the force."""
    rows = tuple(Fighter.objects.live().filter(warband=warband))
    owned = tuple(Item.objects.live().filter(at_work([warband])))
    items = tuple(item for item in owned if item.status == Item.Status.HELD)
    present = [row for row in rows if row.status in PRESENT or (gone and row.status != Fighter.Status.RETURNED)]
    force = force_of(warband, fighters=present, items=owned)
    content = warband.terms.content
    if not gone:
        warband.read = RosterRead(force, warband.version, content)
    for row in rows:
        row.warband = warband
    verdict = rules_cache.verdict(warband.terms.game, content, force)
    return Roster(
        warband=warband,
        rows=rows,
        items=items,
        force=force,
        verdict=verdict,
        names=names_of(warband.terms),
        content=content,
    )
