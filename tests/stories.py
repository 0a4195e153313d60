"""What happens at a club in words that tests read by: found, hire, equip, fight. Each is built on the services.

People, profiles and kit are named as the books name them: `hire(wardens, "Yeoman")`, `equip(ottla, "Gas Mask")`. An offer is looked up
by that name, so a test breaks where the lists no longer offer it.
"""

from __future__ import annotations

from typing import Any

from rules.parts.offer import Offer
from rules.price import Price
from warbands.adapters import force_of
from warbands.models import Event, Fighter, Item, Terms, Warband
from warbands.reconcile import differences
from warbands.services.founding import found_warband, make_ready, terms_for
from warbands.services.hire import hire_fighter, part_fighter
from warbands.services.kit import buy_item, give_item, return_item, sell_item
from warbands.services.upgrades import buy_upgrade
from warbands.undo import undo

TRENCH_CRUSADE = ("trench-crusade", "1.6.3")


def fresh(warband: Warband) -> Warband:
    """The warband as the database holds it now, with its terms."""
    return Warband.objects.select_related("terms", "owner").get(pk=warband.pk)


def terms(system: str = TRENCH_CRUSADE[0], edition: str = TRENCH_CRUSADE[1], **house_rules: Any) -> Terms:
    """Terms to play under."""
    return terms_for(system, edition, house_rules)


def found(owner: Any, name: str = "The Lantern Wardens", list_id: str = "new-antioch", **how: Any) -> Warband:
    """Found a warband of a list, by its owner."""
    how.setdefault("terms", terms())
    how.setdefault("actor", owner)
    return found_warband(owner=owner, name=name, list_id=list_id, **how)


# --- what is on offer -------------------------------------------------------------------------------------------------


def hire_offer(warband: Warband, profile: str) -> Offer:
    """What the list says about hiring this profile now."""
    warband = fresh(warband)
    return _named(warband.terms.game.hire_offers(warband.terms.content, force_of(warband)), profile)


def item_offer(warband: Warband, item: str, fighter: Fighter | None = None) -> Offer:
    """What the armoury says about this piece now, for a fighter or for the stash."""
    warband = fresh(warband)
    offers = warband.terms.game.shop.item_offers(
        warband.terms.content, force_of(warband), str(fighter.pk) if fighter is not None else ""
    )
    return _named(offers, item)


def upgrade_offer(fighter: Fighter, upgrade: str) -> Offer:
    """What the list says about this upgrade for this fighter now."""
    warband = fresh(fighter.warband)
    return _named(
        warband.terms.game.shop.upgrade_offers(warband.terms.content, force_of(warband), str(fighter.pk)), upgrade
    )


def _named(offers: Any, name: str) -> Offer:
    found = [offer for offer in offers if offer.name == name]
    assert found, f"{name} is not on offer; there are {', '.join(sorted(offer.name for offer in offers))}."
    return found[0]


# --- acts -------------------------------------------------------------------------------------------------------------


def hire(warband: Warband, profile: str, name: str = "", **how: Any) -> Fighter:
    """Hire a fighter of this profile, by the owner."""
    how.setdefault("actor", warband.owner)
    return hire_fighter(warband=warband, offer_id=hire_offer(warband, profile).id, name=name, **how)


def equip(fighter: Fighter, *items: str, **how: Any) -> list[Item]:
    """Buy these pieces for a fighter, by the owner."""
    warband = fighter.warband
    how.setdefault("actor", warband.owner)
    bought = [
        buy_item(warband=warband, offer_id=item_offer(warband, item, fighter).id, fighter=fighter, **how)
        for item in items
    ]
    return [item for item in bought if isinstance(item, Item)]


def stock(warband: Warband, item: str, **how: Any) -> Item:
    """Buy a piece for the stash, by the owner."""
    how.setdefault("actor", warband.owner)
    bought = buy_item(warband=warband, offer_id=item_offer(warband, item).id, **how)
    assert isinstance(bought, Item)
    return bought


def give(item: Item, fighter: Fighter | None, **how: Any) -> Item:
    """Hand a piece to a fighter, or (None) put it into the stash."""
    how.setdefault("actor", item.warband.owner)
    return give_item(item=item, fighter=fighter, **how)


def sell(item: Item, **how: Any) -> Item:
    """Sell a piece."""
    how.setdefault("actor", item.warband.owner)
    return sell_item(item=item, **how)


def send_back(item: Item, **how: Any) -> Item:
    """Return a piece while founding."""
    how.setdefault("actor", item.warband.owner)
    return return_item(item=item, **how)


def part(fighter: Fighter, way: str = "return", **how: Any) -> Fighter:
    """Let a fighter leave: return, dismiss or sell."""
    how.setdefault("actor", fighter.warband.owner)
    return part_fighter(fighter=fighter, way=way, **how)


def upgrade(fighter: Fighter, name: str, **how: Any) -> Fighter:
    """Give a fighter an upgrade."""
    how.setdefault("actor", fighter.warband.owner)
    return buy_upgrade(fighter=fighter, offer_id=upgrade_offer(fighter, name).id, **how)


def ready(warband: Warband, **how: Any) -> Warband:
    """Declare a warband ready to play."""
    how.setdefault("actor", warband.owner)
    return make_ready(warband=warband, **how)


def small_warband(owner: Any, **how: Any) -> Warband:
    """A legal founding warband: a Lieutenant and two Yeomen with what they came with."""
    warband = found(owner, **how)
    hire(warband, "Lieutenant", "Ilse Brandt")
    hire(warband, "Yeoman", "Ottla")
    hire(warband, "Yeoman", "Matthias")
    arm(warband)
    return warband


def arm(warband: Warband) -> None:
    """Give the Lieutenant a sidearm."""
    equip(fighter(warband, "Ilse Brandt"), "Sword / Axe")


def camp(owner: Any, **how: Any) -> Warband:
    """The small warband, ready to play."""
    return ready(small_warband(owner, **how))


def take_back(what: Warband | Event, actor: Any = None) -> Event:
    """Undo an act: this one, or the last one of a warband."""
    event = last_event(what) if isinstance(what, Warband) else what
    return undo(event=event, actor=actor or event.actor)


# --- what is there ----------------------------------------------------------------------------------------------------


def fighter(warband: Warband, name: str) -> Fighter:
    """The fighter of this name on the roster."""
    return Fighter.objects.live().select_related("warband__owner", "warband__terms").get(warband=warband, name=name)


def kit_of(fighter: Fighter | None, warband: Warband | None = None) -> list[str]:
    """Item ids that a fighter carries, or (None) that lie in the stash, sorted."""
    held = Item.objects.live().filter(status=Item.Status.HELD, fighter=fighter)
    if warband is not None:
        held = held.filter(warband=warband)
    return sorted(held.values_list("item_id", flat=True))


def purse(warband: Warband) -> Price:
    """What the strongbox holds."""
    now = fresh(warband)
    return Price(ducats=now.strongbox_ducats, glory=now.strongbox_glory)


def last_event(warband: Warband) -> Event:
    """The last act of a warband."""
    event = Event.objects.filter(subjects__warband=warband).order_by("-pk").first()
    assert event is not None
    return event


def document(warband: Warband) -> dict[str, Any]:
    """The roster as a document, the gone included."""
    now = fresh(warband)
    return now.terms.game.documents.write_document(now.terms.content, force_of(now, gone=True))


def written(warband: Warband) -> dict[str, Any]:
    """Everything about a warband that an act could leave behind: version, money, rows, events. For "nothing was written"."""
    now = fresh(warband)
    return {
        "row": {f.attname: getattr(now, f.attname) for f in now._meta.concrete_fields},
        "fighters": list(Fighter.objects.filter(warband=now).order_by("pk").values()),
        "items": list(Item.objects.filter(warband=now).order_by("pk").values()),
        "ledger": list(now.ledger.values()),
        "events": list(Event.objects.filter(subjects__warband=now).order_by("pk").values()),
    }


def assert_reconciled(warband: Warband) -> None:
    """Fail where a cached number of the warband is not what ledger and roster say."""
    assert differences(warband) == []
