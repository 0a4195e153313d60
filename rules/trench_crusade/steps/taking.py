"""The use of a location or promise: what the warband takes, and the consequences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from rules.consequences import Consequence, GainsItem, Joins, Money, Owes
from rules.content.schema import ItemOffer
from rules.offers.hires import bought_fighter
from rules.price import Price
from rules.resolution import Resolution
from rules.translation import gettext as _
from rules.trench_crusade.carried_effects import count_owned, limit_of
from rules.trench_crusade.steps.context import StepContext

NONE, LATER = "none", "later"


@dataclass
class Taking:
    """The results of a location so far. `must`: a promise is being settled, so the warband has to take something."""

    context: StepContext
    resolution: Resolution
    location: str
    option: str = ""
    must: bool = False
    does: list[Consequence] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    count: int = 0
    gained: Counter[str] = field(default_factory=Counter)

    @property
    def at(self) -> str:
        """Return the prefix of the keys of this reward's decisions."""
        return f"reward-{self.count}"

    @property
    def entry(self) -> str:
        """Return the key that stores this reward in the roster's state."""
        return f"{self.context.prefix}-{self.location}-{self.count}"

    @property
    def reason(self) -> str:
        place = self.context.content.locations[self.location]
        way = next((o.name for o in place.options if o.id == self.option), "")
        return f"{place.name}, {way}" if way else place.name

    def earn(self, price: Price) -> None:
        """Add ducats or glory, or deduct them if negative."""
        self.does.append(Money(price, self.reason))

    def item(
        self, item: str, *, offer: ItemOffer | None = None, paid: Price | None = None, under: ItemOffer | None = None
    ) -> None:
        """Put an item into the stash, as a find or, with `paid`, as bought through its entry.

        For a find from another list, `under` is that list's entry, so that the list's holders may carry it.
        """
        self.gained[item] += 1
        if paid is not None and offer is not None:
            self.does.append(GainsItem(item, "bought", self.reason, offer=offer.id, paid=paid))
            self.lines.append(_("{name} for {paid}.").format(name=self.name(item), paid=paid))
        else:
            self.does.append(GainsItem(item, "found", self.reason, offer=under.id if under else ""))
            self.lines.append(
                _("{name} joins the {label}.").format(name=self.name(item), label=self.context.label("stash"))
            )

    def name(self, item: str) -> str:
        return self.context.content.items[item].name

    def is_full(self, offer: ItemOffer) -> bool:
        if self._crowded(self.hires(offer.item)):
            return True
        force = self.context.force
        limit = limit_of(self.context.content, force, offer)
        hired = sum(1 for f in force.fighters if f.active and f.offer == offer.id)
        return limit is not None and count_owned(force, offer.item) + hired + self.gained[offer.item] >= limit

    def _crowded(self, profile: str) -> bool:
        """Return whether the warband has as many fighters of a profile's group as its list allows."""
        caps = self.context.content.lists[self.context.force.list].army.group_caps if profile else ()
        here = [f.profile for f in self.context.force.fighters if f.active]
        here += [c.profile for c in self.does if isinstance(c, Joins)]
        return any(
            cap.most is not None and profile in cap.profiles and sum(p in cap.profiles for p in here) >= cap.most
            for cap in caps
        )

    def hires(self, item: str) -> str:
        """Return the profile of the fighter that an item stands for, or "" for every other item."""
        return bought_fighter(self.context.content.items[item]) or ""

    def find(self, offer: ItemOffer) -> None:
        """Take what an entry of the own list offers: an item for the stash, or the fighter that it stands for."""
        profile = self.hires(offer.item)
        if not profile:
            self.item(offer.item)
            return
        self.gained[offer.item] += 1
        name = self.context.content.profiles[profile].name
        self.does.append(Joins(offer.id, profile, name, self.reason, hired_as="item"))
        self.lines.append(_("{name} joins, free of charge.").format(name=name))

    def promise(self, words: str, expires: str, lists: tuple[str, ...], glory: int) -> None:
        data = {"location": self.location, "option": self.option, "lists": list(lists), "glory": glory}
        self.does.append(Owes("find", words, expires, data))
        self.lines.append(
            _("Owed: {words}").format(words=words)
            + (_(", until {expires}.").format(expires=expires) if expires else ".")
        )

    @property
    def strongbox(self) -> Price:
        """Return the warband's money, including what this location has brought so far."""
        now = self.context.strongbox
        moves = [c.amount for c in self.does if isinstance(c, Money)]
        bought = [c.paid for c in self.does if isinstance(c, GainsItem)]
        ducats = sum(m.ducats for m in moves) - sum(p.ducats for p in bought)
        glory = sum(m.glory for m in moves) - sum(p.glory for p in bought)
        return Price(now.ducats + ducats, now.glory + glory)

    def price(self, item: str) -> Price:
        offer = self.context.content.offer_of(self.context.force.list, item)
        return offer.price if offer else self.context.content.any_price.get(item, Price())
