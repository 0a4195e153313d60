"""What a resolved rule does to a warband, carried out as recorded changes of the act that is open."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.utils import timezone

from rules.consequences import (
    Becomes,
    Consequence,
    GainsItem,
    Home,
    Joins,
    Leaves,
    LosesItems,
    Money,
    Owes,
    Pays,
    Recovers,
    Redeems,
    SetFighter,
    SetWarband,
    Taken,
    ToStash,
)
from rules.problems import Refusal
from warbands.adapters import PRESENT
from warbands.labels import name_of
from warbands.models import Fighter, Item, Promise, Warband
from warbands.parsing import read_number
from warbands.recording import Recorder
from warbands.services.common import free_name, next_position

OnTaken = Callable[[Fighter, str, str], None]
OnPays = Callable[[Pays], None]


def carry_out(
    act: Recorder,
    warband: Warband,
    consequences: Iterable[Consequence],
    *,
    occasion: str = "",
    on_taken: OnTaken | None = None,
    on_pays: OnPays | None = None,
) -> None:
    """Carry out the consequences for one warband of the act, in their order. The caller tells the sentence.

    `occasion` ties the event to its battle where the act was opened without one. `on_taken(fighter, captor, reason)` is called for
    each captive, for whoever keeps captures, and `on_pays` for each sum that another side of the battle receives.

    Raises:
        Refusal: a fighter, item or promise is no longer there, or its state would not be one the game knows.
    """
    if occasion and not act.event.occasion:
        act.event.occasion = occasion
    hand = _Hand(act, act.row(warband), on_taken, on_pays)
    for consequence in consequences:
        hand.do(consequence)
    hand.close()


class _Hand:
    """Does one consequence after the other, and looks at the states it wrote at the end."""

    def __init__(self, act: Recorder, warband: Warband, on_taken: OnTaken | None, on_pays: OnPays | None) -> None:
        self.act, self.warband, self.on_taken, self.on_pays = act, warband, on_taken, on_pays
        self.written: dict[int, Fighter] = {}
        self.wrote_warband = False

    def do(self, consequence: Consequence) -> None:
        """Carry out one consequence."""
        match consequence:
            case SetFighter():
                row = self.act.set_leaf(self.fighter(consequence.fighter), consequence.path, consequence.value)
                self.written[row.pk] = row
            case SetWarband():
                self.act.set_leaf(self.warband, consequence.path, consequence.value)
                self.wrote_warband = True
            case Leaves():
                self.leaves(consequence)
            case Taken():
                fighter = self.fighter(consequence.fighter)
                self.act.change(fighter, status=Fighter.Status.CAPTIVE)
                if self.on_taken is not None:
                    self.on_taken(fighter, consequence.captor, consequence.reason)
            case Home():
                self.act.change(self.fighter(consequence.fighter), status=Fighter.Status.ACTIVE)
            case LosesItems():
                for key in consequence.items:
                    self.act.change(self.item(key), fighter=None, status=Item.Status.LOST, why=consequence.reason[:200])
            case Recovers():
                self.recovers(consequence)
            case ToStash():
                for key in consequence.items:
                    self.act.change(self.item(key), fighter=None)
            case Money():
                self.act.earn(consequence.amount, reason=consequence.reason, warband=self.warband)
            case Pays():
                self.act.pay(consequence.amount, reason=consequence.reason, warband=self.warband)
                if self.on_pays is not None:
                    self.on_pays(consequence)
            case GainsItem():
                self.gains(consequence)
            case Joins():
                self.joins(consequence)
            case Becomes():
                fields = {"profile_id": consequence.profile}
                if consequence.offer:
                    fields["offer_id"] = consequence.offer
                self.act.change(self.fighter(consequence.fighter), **fields)
            case Owes():
                self.act.create(
                    Promise(
                        warband=self.warband,
                        kind=consequence.kind,
                        words=consequence.words[:300],
                        expires=consequence.expires[:120],
                        data=dict(consequence.data),
                    )
                )
            case Redeems():
                self.act.change(self.promise(consequence.key), status=Promise.Status.SETTLED)
            case _:
                raise TypeError(f"No service carries out {consequence!r}.")

    def leaves(self, leaving: Leaves) -> None:
        """The fighter goes; its kit is lost with it, or (all but what came with it) falls to the stash."""
        fighter = self.fighter(leaving.fighter)
        for item in Item.objects.live().filter(fighter=fighter, status=Item.Status.HELD):
            if leaving.kit_to_stash and item.origin != Item.Origin.MANDATORY:
                self.act.change(item, fighter=None)
            else:
                why = f"Lost with {fighter.name}: {leaving.reason}"[:200]
                self.act.change(item, fighter=None, status=Item.Status.LOST, why=why)
        self.act.change(
            fighter,
            status=Fighter.Status(leaving.status),
            left_at=timezone.now(),
            left_reason=leaving.reason[:200],
        )

    def recovers(self, found: Recovers) -> None:
        """Lost pieces come back to the stash as the rows they were, or are sold at once. What came with a fighter is a find now."""
        for key in found.items:
            rows = Item.objects.live().filter(warband=self.warband, status=Item.Status.LOST)
            item = rows.filter(pk=_pk(key)).first()
            if item is None:
                raise Refusal("A piece of kit concerned is not lost any more.", code="gone")
            fields = {"status": Item.Status.SOLD if found.sold else Item.Status.HELD, "why": found.reason[:200]}
            if item.origin == Item.Origin.MANDATORY:
                fields["origin"] = Item.Origin.FOUND
            self.act.change(item, **fields)

    def gains(self, gain: GainsItem) -> None:
        """An item joins a fighter or the stash, paid for where it has a price."""
        item = self.act.create(
            Item(
                warband=self.warband,
                fighter=self.fighter(gain.fighter) if gain.fighter else None,
                item_id=gain.item,
                offer_id=gain.offer,
                origin=Item.Origin(gain.origin),
                paid_ducats=gain.paid.ducats,
                paid_glory=gain.paid.glory,
                position=next_position(Item.objects.filter(warband=self.warband)),
                why=gain.reason[:200],
            )
        )
        bought = name_of(self.warband.terms, "item", item.item_id)
        self.act.pay(gain.paid, reason=f"Bought {bought}: {gain.reason}", warband=self.warband)

    def joins(self, join: Joins) -> None:
        """A fighter joins with the swappable kit of its profile, paid for where it has a price."""
        terms = self.warband.terms
        game, content = terms.game, terms.content
        force = self.act.force(self.warband)
        fighter = self.act.create(
            Fighter(
                warband=self.warband,
                profile_id=join.profile,
                offer_id=join.offer,
                hired_as=join.hired_as,
                name=free_name(self.warband, join.name),
                position=next_position(Fighter.objects.filter(warband=self.warband)),
                paid_ducats=join.paid.ducats,
                paid_glory=join.paid.glory,
                state=game.fighter_state(content, {"joined": force.battles.fought}),
            )
        )
        for place, piece in enumerate(game.outfit(content, force, join.offer, {})):
            self.act.create(
                Item(
                    warband=self.warband,
                    fighter=fighter,
                    item_id=piece.item,
                    offer_id=piece.offer,
                    origin=Item.Origin.MANDATORY,
                    position=place,
                    why=f"Came with {fighter.name}"[:200],
                )
            )
        self.act.pay(join.paid, reason=f"{fighter.name} joined: {join.reason}", warband=self.warband)

    def close(self) -> None:
        """Have the game look at every state that was written."""
        terms = self.warband.terms
        for fighter in self.written.values():
            terms.game.fighter_state(terms.content, fighter.state)
        if self.wrote_warband:
            terms.game.warband_state(terms.content, self.warband.state)

    def fighter(self, key: str) -> Fighter:
        """The fighter with this key, on the roster. Raises Refusal."""
        rows = Fighter.objects.live().filter(warband=self.warband, status__in=PRESENT)
        fighter = rows.filter(pk=_pk(key)).first()
        if fighter is None:
            raise Refusal("A fighter concerned is on the roster no longer.", code="gone")
        return fighter

    def item(self, key: str) -> Item:
        """The held piece with this key. Raises Refusal."""
        rows = Item.objects.live().filter(warband=self.warband, status=Item.Status.HELD)
        item = rows.filter(pk=_pk(key)).first()
        if item is None:
            raise Refusal("A piece of kit concerned is no longer held.", code="gone")
        return item

    def promise(self, key: str) -> Promise:
        """The open promise with this key. Raises Refusal."""
        rows = Promise.objects.live().filter(warband=self.warband, status=Promise.Status.OPEN)
        promise = rows.filter(pk=_pk(key)).first()
        if promise is None:
            raise Refusal("This promise is no longer open.", code="gone")
        return promise


def _pk(key: str) -> int:
    number = read_number(key)
    if number is None:
        raise Refusal(f"“{key[:40]}” is nothing this warband holds.", code="gone")
    return number
