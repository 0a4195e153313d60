"""Carries out the consequences of a resolved rule for a warband, as recorded changes of the open act."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

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
from warbands.recorder import Recorder
from warbands.services.common import equip, free_name, next_position

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
    """Carry out the consequences for one warband of the act, in order. The caller writes the event's sentence.

    `occasion` links the event to its battle if the act was opened without one. `on_taken(fighter, captor, reason)` is
    called for each captive, and `on_pays` for each sum that another side of the battle receives.

    Raises:
        Refusal: a fighter, item or promise no longer exists, or the game rejects the new state.
    """
    if occasion and not act.event.occasion:
        act.event.occasion = occasion
    work = _Work(act, act.row(warband), on_taken, on_pays)
    for consequence in consequences:
        work.do(consequence)
    work.validate()


class _Work:
    """Carries out consequences one after another. At the end, the game validates the states that were written."""

    def __init__(self, act: Recorder, warband: Warband, on_taken: OnTaken | None, on_pays: OnPays | None) -> None:
        self.act, self.warband, self.on_taken, self.on_pays = act, warband, on_taken, on_pays
        self.written: dict[int, Fighter] = {}
        self.wrote_warband = False

    def do(self, consequence: Consequence) -> None:
        match consequence:
            case SetFighter() | Taken() | Home() | Leaves() | Becomes():
                self.do_to_fighter(self.fighter(consequence.fighter), consequence)
            case Joins():
                self.joins(consequence)
            case LosesItems() | ToStash() | Recovers() | GainsItem():
                self.do_to_kit(consequence)
            case SetWarband():
                self.act.set_leaf(self.warband, consequence.path, consequence.value)
                self.wrote_warband = True
            case Money():
                self.act.earn(consequence.amount, reason=consequence.reason, warband=self.warband)
            case Pays():
                self.act.pay(consequence.amount, reason=consequence.reason, warband=self.warband)
                if self.on_pays is not None:
                    self.on_pays(consequence)
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
                promise = self.one_of(
                    Promise, consequence.key, _("This reward is no longer open."), status=Promise.Status.OPEN
                )
                self.act.change(promise, status=Promise.Status.SETTLED)
            case _:
                raise TypeError(f"No service carries out {consequence!r}.")

    def do_to_fighter(self, fighter: Fighter, consequence: SetFighter | Taken | Home | Leaves | Becomes) -> None:
        match consequence:
            case SetFighter():
                row = self.act.set_leaf(fighter, consequence.path, consequence.value)
                self.written[row.pk] = row
            case Taken():
                self.act.change(fighter, status=Fighter.Status.CAPTIVE)
                if self.on_taken is not None:
                    self.on_taken(fighter, consequence.captor, consequence.reason)
            case Home():
                self.act.change(fighter, status=Fighter.Status.ACTIVE)
            case Leaves():
                self.leaves(fighter, consequence)
            case Becomes():
                offer = {"offer_id": consequence.offer} if consequence.offer else {}
                self.act.change(fighter, profile_id=consequence.profile, **offer)

    def do_to_kit(self, consequence: LosesItems | ToStash | Recovers | GainsItem) -> None:
        match consequence:
            case LosesItems():
                for key in consequence.items:
                    self.act.change(self.item(key), fighter=None, status=Item.Status.LOST, why=consequence.reason[:200])
            case ToStash():
                for key in consequence.items:
                    self.act.change(self.item(key), fighter=None)
            case Recovers():
                self.recovers(consequence)
            case GainsItem():
                self.gains(consequence)

    def leaves(self, fighter: Fighter, leaving: Leaves) -> None:
        """Remove the fighter. Its kit is lost or moves to the stash; mandatory kit is always lost."""
        for item in Item.objects.live().filter(fighter=fighter, status=Item.Status.HELD):
            if leaving.kit_to_stash and item.origin != Item.Origin.MANDATORY:
                self.act.change(item, fighter=None)
            else:
                why = _("Lost with {fighter}: {reason}").format(fighter=fighter.name, reason=leaving.reason)[:200]
                self.act.change(item, fighter=None, status=Item.Status.LOST, why=why)
        self.act.change(
            fighter,
            status=Fighter.Status(leaving.status),
            left_at=timezone.now(),
            left_reason=leaving.reason[:200],
        )

    def recovers(self, found: Recovers) -> None:
        """Return lost items to the stash, as the same rows, or sell them at once. Mandatory kit now counts as found."""
        for key in found.items:
            item = self.one_of(Item, key, _("An item this is about is no longer lost."), status=Item.Status.LOST)
            origin = {"origin": Item.Origin.FOUND} if item.origin == Item.Origin.MANDATORY else {}
            status = Item.Status.SOLD if found.sold else Item.Status.HELD
            self.act.change(item, status=status, why=found.reason[:200], **origin)

    def gains(self, gain: GainsItem) -> None:
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
        self.act.pay(
            gain.paid,
            reason=_("Bought {bought}: {reason}").format(bought=bought, reason=gain.reason),
            warband=self.warband,
        )

    def joins(self, join: Joins) -> None:
        """Add a fighter with the swappable kit of its profile, and pay its price if it has one."""
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
                state=game.state.fighter_state(content, {"joined": force.battles.fought}),
            )
        )
        if game.shop is not None:
            equip(self.act, fighter, game.shop.outfit(content, force, join.offer, {}))
        self.act.pay(
            join.paid,
            reason=_("{fighter} joined: {reason}").format(fighter=fighter.name, reason=join.reason),
            warband=self.warband,
        )

    def validate(self) -> None:
        terms = self.warband.terms
        for fighter in self.written.values():
            terms.game.state.fighter_state(terms.content, fighter.state)
        if self.wrote_warband:
            terms.game.state.warband_state(terms.content, self.warband.state)

    def fighter(self, key: str) -> Fighter:
        fighter: Fighter = self.one_of(
            Fighter, key, _("A fighter this is about is no longer on the roster."), status__in=PRESENT
        )
        return fighter

    def item(self, key: str) -> Item:
        item: Item = self.one_of(Item, key, _("An item this is about is no longer held."), status=Item.Status.HELD)
        return item

    def one_of(self, model: Any, key: str, gone: str, **wanted: Any) -> Any:
        """Return the warband's row with this key and these field values. Raises Refusal if there is none."""
        number = read_number(key)
        if number is None:
            raise Refusal(_("“{key}” is nothing this warband holds.").format(key=key[:40]), code="gone")
        row = model.objects.live().filter(warband=self.warband, pk=number, **wanted).first()
        if row is None:
            raise Refusal(gone, code="gone")
        return row
