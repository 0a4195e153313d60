"""The death of a fighter, and what keeps it alive or brings it back."""

from __future__ import annotations

from rules.consequences import Becomes, Consequence, Leaves, LosesItems, Money, SetFighter
from rules.content.schema import UpgradeOffer
from rules.force import ForceFighter, ForceItem
from rules.formatting import amount, first, joined
from rules.price import Price
from rules.resolution import Option, Outcome, Resolution
from rules.translation import gettext as _
from rules.trench_crusade.carried_effects import has_effect
from rules.trench_crusade.steps.context import StepContext
from rules.trench_crusade.steps.fallen import noted
from rules.vocabulary import BecomesEffect, CancelsDeathEffect, ComesBackEffect

RAISED_BY = "raised_by"  # among a fighter's choices: the upgrade entry that may raise it from the dead in camp
ENGINE = "engine"  # the decision to use up a piece that undoes a death or a trauma


def death(context: StepContext, fighter: ForceFighter, resolution: Resolution, words: str) -> Outcome:
    """Resolve the death of a fighter and the loss of its kit.

    First ask whether to use a piece or a rule that can bring it back.
    """
    saved = _saved(context, fighter, resolution)
    if saved is not None:
        return saved
    offer = _revival(context, fighter, resolution)
    if offer is not None:
        return (
            _lay_out(context, fighter, offer, words) if offer.raises == "in-camp" else revived(context, fighter, offer)
        )
    return _lifeless(context, fighter, words) or _dead(context, fighter, words)


def piece_with(context: StepContext, kind: type) -> ForceItem | None:
    """Return a piece of the stash or of an active fighter with an effect of this kind."""
    owned = [*context.force.stash, *(piece for f in context.force.fighters if f.active for piece in f.kit)]
    return next((piece for piece in owned if has_effect(context.content.items.get(piece.item), kind)), None)


def _saved(context: StepContext, fighter: ForceFighter, resolution: Resolution) -> Outcome | None:
    """Return the outcome if the player uses up a piece that undoes the death.

    None if the warband has none or the player declines.
    """
    piece = piece_with(context, CancelsDeathEffect)
    if piece is None:
        return None
    name = context.content.items[piece.item].name
    options = (
        Option("rest", _("Let it rest"), _("The fighter dies.")),
        Option("use", _("Use the {name}").format(name=name), _("The result is cancelled."), losses=(name,)),
    )
    if (
        resolution.choose(
            ENGINE, _("{fighter} would die. Use the {name}?").format(fighter=fighter.name, name=name), options
        )
        != "use"
    ):
        return None
    lost = LosesItems((piece.key,), _("Used for {fighter}").format(fighter=fighter.name))
    return Outcome(
        _("{name}: {fighter} lives.").format(name=name, fighter=fighter.name),
        (_("The result is cancelled, scar and all."),),
        (lost,),
    )


def _revival(context: StepContext, fighter: ForceFighter, resolution: Resolution) -> UpgradeOffer | None:
    """Return the upgrade that revives a fallen fighter in another shape.

    The fighter's list has to sell one, and the player has to take it.
    """
    profile = context.profile_of(fighter.key)
    offers = [
        offer
        for offer in context.content.pack.upgrade_offers
        if offer.raises
        and context.force.list in offer.lists
        and (not offer.who.only_for or any(trait.profile == profile for trait in offer.who.only_for))
    ]
    if not offers:
        return None
    options = [Option("die", _("Let it rest"), _("The fighter dies and its kit is lost."))]
    options += [_revival_option(context, offer) for offer in offers]
    picked = resolution.choose(
        "death", _("{name} has fallen. What becomes of the body?").format(name=fighter.name), options
    )
    return next((offer for offer in offers if offer.id == picked), None)


def _revival_option(context: StepContext, offer: UpgradeOffer) -> Option:
    upgrade = context.content.upgrades[offer.upgrade]
    if offer.raises == "in-camp":
        words = _("{price} are paid in the next camp, or the fighter is lost then.").format(price=offer.price)
        return Option(offer.id, _("Choose {upgrade}").format(upgrade=upgrade.name), words)
    losses = (str(offer.price),) if offer.price else ()
    return Option(offer.id, upgrade.name, upgrade.words, losses=losses, closed=context.too_dear(offer.price))


def _lay_out(context: StepContext, fighter: ForceFighter, offer: UpgradeOffer, words: str) -> Outcome:
    """Resolve the death of a fighter that may be raised in the next camp. Until then it is lifeless, with its kit."""
    upgrade = context.content.upgrades[offer.upgrade]
    does = (
        SetFighter(
            fighter.key,
            ("lifeless",),
            True,
            _("{words} Battle {number}.").format(words=words, number=context.aftermath.number),
        ),
        SetFighter(fighter.key, ("choices", RAISED_BY), offer.id, upgrade.name),
    )
    lines = (
        _("{name}: {price}, in the next camp.").format(name=upgrade.name, price=offer.price),
        _("Until then it is lifeless, with its kit."),
    )
    return Outcome(_("{words} {name} is lifeless.").format(words=words, name=fighter.name), lines, does, grave=True)


def revived(context: StepContext, fighter: ForceFighter, offer: UpgradeOffer) -> Outcome:
    """Return a dead fighter's revival through an upgrade.

    The upgrade is paid for, changes the fighter's shape and removes what it clears.
    """
    upgrade = context.content.upgrades[offer.upgrade]
    row = {
        "id": offer.upgrade,
        "offer": offer.id,
        "ducats": offer.price.ducats,
        "glory": offer.price.glory,
        "option": "",
        "choices": {},
    }
    row_key = f"{context.prefix}-revived-{fighter.key}"
    does: list[Consequence] = [SetFighter(fighter.key, ("upgrades", row_key), row, upgrade.name)]
    if fighter.lifeless:
        does.append(SetFighter(fighter.key, ("lifeless",), False, upgrade.name))
        does.append(SetFighter(fighter.key, ("choices", RAISED_BY), None, upgrade.name))
    lines = [upgrade.words, _("Its kit stays.")]
    effects = [effect for effect in upgrade.effects if isinstance(effect, BecomesEffect)]
    does += [Becomes(fighter.key, effect.profile, upgrade.name) for effect in effects]
    if any(effect.clears_scars for effect in effects):
        does += _clear_scars(fighter, upgrade.name)
        lines.append(_("All scars leave it."))
    if any(effect.clears_advancement for effect in effects):
        does += [SetFighter(fighter.key, ("skills", skill.key), None, upgrade.name) for skill in fighter.skills]
        does += [SetFighter(fighter.key, (leaf,), 0, upgrade.name) for leaf in ("experience", "advances")]
        lines.append(_("Experience and skills are gone."))
    if offer.price:
        does.append(Money(Price(-offer.price.ducats, -offer.price.glory), f"{upgrade.name}: {fighter.name}"))
    return Outcome(
        _("{fighter} returns: {upgrade}.").format(fighter=fighter.name, upgrade=upgrade.name), tuple(lines), tuple(does)
    )


def _clear_scars(fighter: ForceFighter, why: str) -> list[Consequence]:
    does: list[Consequence] = [SetFighter(fighter.key, ("traumas", t.key), None, why) for t in fighter.traumas]
    if fighter.scars is not None:
        does.append(SetFighter(fighter.key, ("scars",), 0, why))
    if fighter.demoted:
        does.append(SetFighter(fighter.key, ("demoted",), False, why))
    if fighter.misses_battle:
        does.append(SetFighter(fighter.key, ("misses_battle",), 0, why))
    return does


def _lifeless(context: StepContext, fighter: ForceFighter, words: str) -> Outcome | None:
    """Resolve the death of a fighter that can be revived between battles.

    It stays on the roster, lifeless, with its kit.
    """
    for source, effect in context.effects(ComesBackEffect, fighter.key):
        lines = (
            _("It keeps its place on the roster and its kit, and fights no more until then."),
            _("{name}: {ducats} ducats bring it back between any battles, in camp.").format(
                name=source.name, ducats=effect.ducats
            ),
        )
        does = (
            SetFighter(
                fighter.key,
                ("lifeless",),
                True,
                _("{words} Battle {number}.").format(words=words, number=context.aftermath.number),
            ),
        )
        return Outcome(_("{words} {name} is lifeless.").format(words=words, name=fighter.name), lines, does, grave=True)
    return None


def _dead(context: StepContext, fighter: ForceFighter, words: str) -> Outcome:
    worth, before = context.rating_of(fighter.key), context.rating
    items = context.content.items
    kit = joined(items[piece.item].name for piece in fighter.kit if piece.item in items)
    recoverable = noted(context, fighter)
    lines = [
        _("{name} dies, and the kit with it: {amount} leave the roster.").format(
            name=fighter.name, amount=amount(worth)
        )
    ]
    if kit:
        lines.append(_("Lost: {kit}.").format(kit=kit))
    lines.append(
        _("{first} {ducats} to {amount} ducats.").format(
            first=first(context.label("rating")), ducats=before.ducats, amount=before.ducats - worth.ducats
        )
    )
    if recoverable:
        lines.append(_("The kit may be recovered at the fork."))
    does = (
        *recoverable,
        Leaves(fighter.key, "dead", _("{words} Battle {number}.").format(words=words, number=context.aftermath.number)),
    )
    return Outcome(
        _("{words} {fighter} dies.").format(words=words, fighter=fighter.name), tuple(lines), does, grave=True
    )
