"""Writes a force as the rows of a new warband: fighters, kit, prices paid, and choices that refer to other rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from rules.force import Force, ForceFighter, ForceItem, ForceUpgrade
from rules.parts.offer import Offer
from rules.price import Price
from warbands.adapters import PRESENT
from warbands.document_history import DocumentHistory
from warbands.labels import labels_of
from warbands.models import Fighter, Item, Warband
from warbands.recorder import Recorder
from warbands.rules_cache import hire_offers, item_offer, item_offers, upgrade_offers
from warbands.services.common import clean_name, clean_text, total_of


def write_force(act: Recorder, warband: Warband, force: Force, record: DocumentHistory) -> None:
    """Write fighters and kit of a priced force as rows of a new warband. Only a force in its founding pays for them."""
    writer = ForceWriter(act, warband, force)
    for position, member in enumerate(force.fighters):
        writer.write_fighter(member, position, record.fighter(position, member.name))
    writer.write_stash(record)
    writer.link_choices()


class ForceWriter:
    def __init__(self, act: Recorder, warband: Warband, force: Force) -> None:
        self.act, self.warband, self.force = act, warband, force
        self.game, self.content = warband.terms.game, warband.terms.content
        self.hires = hire_offers(self.game, self.content, force)
        self.items_written = 0
        self.fighters: dict[str, Fighter] = {}  # the rows written, by their keys in the force
        self.pieces: dict[str, Item] = {}

    def write_fighter(self, member: ForceFighter, position: int, record: DocumentHistory) -> None:
        offer = _offer_for(self.hires, member.offer, member.profile)
        paid = record.price("paid") or member.paid or _price(offer)
        status = Fighter.Status(member.status)
        gone = status not in PRESENT
        upgrades = self._priced_upgrades(member, record)
        state = self.game.state.write_state(self.content, replace(member, upgrades=upgrades))
        fighter = self.act.create(
            Fighter(
                warband=self.warband,
                profile_id=member.profile,
                offer_id=member.offer or (offer.id if offer else ""),
                hired_as=offer.hired_as if offer else member.hired_as,
                name=clean_name(member.name or member.profile),
                count=member.count,
                status=status,
                position=position,
                paid_ducats=paid.ducats,
                paid_glory=paid.glory,
                state=self.game.state.fighter_state(self.content, state),
                notes=clean_text(record.text("notes"), what=_("The note"), longest=2000, lines=True),
                left_at=(record.moment("left_at") or timezone.now()) if gone else None,
                left_reason=record.text("left_reason")[:200],
            )
        )
        self.fighters[member.key] = fighter
        if (joined := record.moment("joined_at")) is not None:
            Fighter.objects.filter(pk=fighter.pk).update(joined_at=joined)  # the field has auto_now_add
        kit = [self.write_item(item, "" if gone else member.key, fighter, record) for item in member.kit]
        if not gone:
            self.charge(
                [paid, *(upgrade.paid for upgrade in upgrades), *kit],
                _("Hired {fighter} with kit").format(fighter=fighter.name),
            )

    def write_stash(self, record: DocumentHistory) -> None:
        """Write the items in the stash, and the lost items that still have an effect."""
        if self.force.stash:
            stash = labels_of(self.warband.terms)["stash_within"]
            self.charge(
                [self.write_item(item, "", None, record) for item in self.force.stash],
                _("Kit in the {stash}").format(stash=stash),
            )
        for item in self.force.lost:
            self.write_item(item, "", None, record, lost=True)

    def write_item(
        self, item: ForceItem, key: str, fighter: Fighter | None, record: DocumentHistory, *, lost: bool = False
    ) -> Price:
        """Write one item and return the price paid for it. Kit of a fighter who left the roster is lost."""
        noted = record.item(item.item)
        offer = self._armoury_offer(item, key) if item.origin == "bought" else None
        paid = noted.price("paid") or item.paid or _price(offer)
        why = noted.text("why")
        if fighter is not None and fighter.status not in PRESENT:
            lost, why = True, why or _("Lost with {fighter}").format(fighter=fighter.name)
        row: Item = self.act.create(
            Item(
                warband=self.warband,
                fighter=None if lost else fighter,
                status=Item.Status.LOST if lost else Item.Status.HELD,
                item_id=item.item,
                offer_id=item.offer or (offer.id if offer else ""),
                origin=Item.Origin(item.origin),
                paid_ducats=paid.ducats,
                paid_glory=paid.glory,
                state=dict(item.choices),
                position=self.items_written,
                why=why[:200],
            )
        )
        self.pieces[item.key] = row
        self.items_written += 1
        return paid

    def charge(self, prices: list[Price], reason: str) -> None:
        if self.force.founding:
            self.act.pay(total_of(prices), reason=reason, warband=self.warband)

    def _armoury_offer(self, item: ForceItem, key: str) -> Offer | None:
        """Return the armoury entry of a bought item. If the item names its entry, search the stash's shop first."""
        if item.offer:
            shops = (item_offer(self.game, self.content, self.force, shop, item.offer) for shop in ("", key))
            return next(filter(None, shops), None)
        return _offer_for(item_offers(self.game, self.content, self.force, key), "", item.item)

    def _priced_upgrades(self, member: ForceFighter, record: DocumentHistory) -> tuple[ForceUpgrade, ...]:
        return tuple(
            replace(u, paid=record.upgrade_price(u.upgrade) or u.paid or self._upgrade_price(member, u))
            for u in member.upgrades
        )

    def _upgrade_price(self, member: ForceFighter, upgrade: ForceUpgrade) -> Price:
        """Return the list price of an upgrade for this fighter; nothing for a fighter who left, who has no offers."""
        if Fighter.Status(member.status) not in PRESENT:
            return Price()
        offers = upgrade_offers(self.game, self.content, self.force, member.key)
        return _price(_offer_for(offers, upgrade.offer, upgrade.upgrade))

    def link_choices(self) -> None:
        """Replace the keys of fighters and items in choices by the primary keys of the rows written for them."""
        fighters = {key: str(row.pk) for key, row in self.fighters.items()}
        pieces = {key: str(row.pk) for key, row in self.pieces.items()}
        linked = self.game.state.rekeyed(self.content, self.force, fighters, pieces)
        states = [self.game.state.write_warband_state(self.content, force) for force in (self.force, linked)]
        self._set_leaves(self.warband, *states)
        for before, after in zip(self.force.fighters, linked.fighters, strict=True):
            if before != after:
                states = [self.game.state.write_state(self.content, member) for member in (before, after)]
                self._set_leaves(self.fighters[before.key], *states)
                self._link_items(before.kit, after.kit)
        self._link_items(self.force.stash, linked.stash)

    def _link_items(self, before: Iterable[ForceItem], after: Iterable[ForceItem]) -> None:
        for old, new in zip(before, after, strict=True):
            self._set_leaves(self.pieces[old.key], old.choices, new.choices)

    def _set_leaves(self, row: Any, before: Any, after: Any, path: tuple[str, ...] = ()) -> None:
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            for name in after:
                self._set_leaves(row, before.get(name), after[name], (*path, name))
        elif before != after:
            self.act.set_leaf(row, path, after)


def _offer_for(offers: Iterable[Offer], offer_id: str, ref: str) -> Offer | None:
    """Return the offer with this id, or (without an id) the first one for this profile, item or upgrade."""
    return next((o for o in offers if (o.id == offer_id if offer_id else o.ref == ref)), None)


def _price(offer: Offer | None) -> Price:
    return offer.price if offer else Price()
