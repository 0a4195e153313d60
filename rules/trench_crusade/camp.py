"""The camp between two battles: finds that are used up or applied, kit that was spent, and promises that are settled.

Tasks here need decisions but no dice. Each task shows what it will do before the player confirms it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from rules.consequences import Consequence, Leaves, LosesItems, Money, SetFighter, SetWarband
from rules.content.campaign_entries import Lasting, Location
from rules.content.compiled import Content
from rules.content.schema import UpgradeOffer
from rules.fighters.views import views
from rules.force import Force, ForceFighter, ForceItem
from rules.formatting import joined
from rules.parts.post_battle import Aftermath, BattleSide, StepRecord
from rules.price import Price
from rules.problems import Refusal
from rules.resolution import Option, Outcome, Resolution, Task
from rules.translation import gettext as _
from rules.trench_crusade.carried_effects import has_effect
from rules.trench_crusade.labels import label_within
from rules.trench_crusade.roster import in_order
from rules.trench_crusade.steps.context import StepContext, fighter_options
from rules.trench_crusade.steps.death import RAISED_BY, revived
from rules.trench_crusade.steps.healing import healed, scar_options
from rules.trench_crusade.steps.learning import link, link_options
from rules.trench_crusade.steps.rewards import take
from rules.trench_crusade.steps.taking import Taking
from rules.vocabulary import (
    ComesBackEffect,
    ConsumedEffect,
    FreeKitReward,
    GloryItemReward,
    HealScarsEffect,
    ItemChoiceReward,
    LinkEffect,
    PromiseReward,
    Reward,
)

FINDS, KIT, LIFELESS = _("What was found"), _("Kit that is spent when used"), _("Lifeless fighters")
PREFIX = "camp"
LATE = "late-experience"  # what a warband that joins a campaign late is owed
Gift = ItemChoiceReward | FreeKitReward | GloryItemReward


def camp_context(content: Content, force: Force) -> StepContext:
    """Return the warband in camp as the context of a step without a battle."""
    number = force.battles.next_number
    mine = BattleSide(side="", name=force.name, list=force.list, faction_keyword="", won=False)
    aftermath = Aftermath(PREFIX, number, "", mine, ())
    return StepContext(content, force, aftermath, StepRecord(), views(content, force))


# --- finds and kit -------------------------------------------------------------------------------------------------------------


def camp_tasks(content: Content, force: Force) -> tuple[Task, ...]:
    """Return the tasks of the camp: lasting finds first, then kit that is consumed by use.

    There are none during founding.
    """
    if force.founding or force.list not in content.lists:
        return ()
    context = camp_context(content, force)
    return (*_find_tasks(context), *_lifeless_tasks(context), *_kit_tasks(context))


def _find_tasks(context: StepContext) -> Iterator[Task]:
    stored = context.force.state.get("lasting")
    for key, entry in in_order(stored) if isinstance(stored, Mapping) else ():
        lasting = context.content.lasting.get(str(entry.get("id"))) if isinstance(entry, Mapping) else None
        task = _find(context, str(key), lasting, entry.get("choices") or {}) if lasting is not None else None
        if task is not None:
            yield task


def _lifeless_tasks(context: StepContext) -> Iterator[Task]:
    """Yield tasks for lifeless fighters: first those that a rule brings back, then those that an upgrade may raise."""
    lifeless = {fighter.key: fighter for fighter in context.force.fighters if fighter.lifeless and fighter.active}
    for source, effect in context.effects(ComesBackEffect):
        if source.fighter in lifeless:
            yield _fallen(context, lifeless[source.fighter], source.name, effect.ducats)
    raises = {offer.id: offer for offer in context.content.pack.upgrade_offers if offer.raises}
    for fighter in lifeless.values():
        offer = raises.get(str(fighter.choices.get(RAISED_BY) or ""))
        if offer is not None:
            yield _laid_out(context, fighter, offer)


def _kit_tasks(context: StepContext) -> Iterator[Task]:
    content, force = context.content, context.force
    carried = [(piece, fighter) for fighter in force.fighters if fighter.active for piece in fighter.kit]
    for piece, fighter in (*carried, *((piece, None) for piece in force.stash)):
        if _is_spent(content, piece):
            yield _piece(content, piece, fighter)


def _find(context: StepContext, key: str, lasting: Lasting, chosen: Mapping[str, Any]) -> Task | None:
    """Return the task of one lasting find, or None if there is nothing left to do because it lasts by itself."""

    def made(resolve: Callable[[Resolution], Outcome], closed: str = "") -> Task:
        return Task(f"find-{key}", lasting.name, resolve, group=FINDS, words=lasting.words, closed=closed)

    heals = next((e for e in lasting.effects if isinstance(e, HealScarsEffect)), None)
    if heals is not None:
        closed = "" if _scarred(context) else _("No fighter has a scar.")
        return made(partial(_heal, context, key, lasting, heals), closed)
    ties = next((e for e in lasting.effects if isinstance(e, LinkEffect)), None)
    if ties is not None:
        if chosen.get("link"):
            return None
        closed = "" if link_options(context, ties) else _("There is nothing it could be given to.")
        return made(partial(_apply, context, key, lasting, ties), closed)
    if lasting.spends:
        return made(partial(_used_up, key, lasting))
    return None


def _scarred(context: StepContext) -> list[str]:
    return [f.key for f in context.force.fighters if f.active and scar_options(context, f)]


def _heal(context: StepContext, key: str, lasting: Lasting, effect: HealScarsEffect, resolution: Resolution) -> Outcome:
    words = {
        who: _("{count} of {scar_limit} scars").format(
            count=len(scar_options(context, context.force.fighter(who))), scar_limit=context.scar_limit(who)
        )
        for who in _scarred(context)
    }
    who = resolution.choose(
        "who", _("{name}: whose scars heal?").format(name=lasting.name), fighter_options(context, words, words)
    )
    options = scar_options(context, context.force.fighter(who))
    most = min(effect.count or len(options), len(options))
    if len(options) == 1:
        gone: tuple[str, ...] = (options[0].value,)
    elif most == 1:
        gone = (resolution.choose("scar", _("Which scar leaves {name}?").format(name=context.name(who)), options),)
    else:
        gone = resolution.choose_some(
            "scars", _("Which scars leave {name}?").format(name=context.name(who)), options, least=1, most=most
        )
    names = joined(option.title for option in options if option.value in gone)
    does: list[Consequence] = [
        *healed(context, who, gone, lasting.name, scar_only=effect.trauma_stays),
        SetWarband(("lasting", key), None, lasting.name),
    ]
    lines = (
        f"{names} {'leaves' if len(gone) == 1 else 'leave'} {context.name(who)}.",
        _("{name} is used up.").format(name=lasting.name),
    )
    return Outcome(
        _("{lasting} healed {name}: {names}.").format(lasting=lasting.name, name=context.name(who), names=names),
        lines,
        tuple(does),
    )


def _apply(context: StepContext, key: str, lasting: Lasting, effect: LinkEffect, resolution: Resolution) -> Outcome:
    picked = link(context, effect, lasting.name, resolution)
    chosen = (picked,) if isinstance(picked, str) else picked
    title = joined(option.title for option in link_options(context, effect) if option.value in chosen)
    does: list[Consequence] = [SetWarband(("lasting", key, "choices", "link"), picked, lasting.name)]
    lines = [f"{title}: {lasting.words}", _("It stays so for good.")]
    if lasting.spends:
        lines[-1] = _("{name} is used up.").format(name=lasting.name)
    return Outcome(_("{name} goes to {title}.").format(name=lasting.name, title=title), tuple(lines), tuple(does))


def _used_up(key: str, lasting: Lasting, resolution: Resolution) -> Outcome:
    return Outcome(
        _("{name} is used up.").format(name=lasting.name),
        (_("It no longer counts as a lasting effect."),),
        (SetWarband(("lasting", key), None, _("{lasting} is used up").format(lasting=lasting.name)),),
    )


def _fallen(context: StepContext, fighter: ForceFighter, name: str, ducats: int) -> Task:
    """Return the task of a lifeless fighter: pay to bring it back, or let it go for good."""
    return Task(
        f"back-{fighter.key}",
        f"{name}, {fighter.name}",
        partial(_come_back, context, fighter, name, ducats),
        fighter.key,
        LIFELESS,
        _("{ducats} ducats bring {name} back with all it carries.").format(ducats=ducats, name=fighter.name),
    )


def _come_back(context: StepContext, fighter: ForceFighter, name: str, ducats: int, resolution: Resolution) -> Outcome:
    held = context.strongbox.ducats
    options = (
        Option(
            "back",
            _("Bring {fighter} back").format(fighter=fighter.name),
            _("Its kit and abilities are as they were."),
            losses=(_("{ducats} ducats").format(ducats=ducats),),
            closed=_("it costs {ducats} ducats; you have {held}.").format(ducats=ducats, held=held)
            if held < ducats
            else "",
        ),
        _dismissal(fighter),
    )
    if resolution.choose("way", _lifeless(fighter), options) == "back":
        does: tuple[Consequence, ...] = (
            SetFighter(fighter.key, ("lifeless",), False, name),
            Money(Price(ducats=-ducats), f"{name}: {fighter.name}"),
        )
        return Outcome(
            _("{name}: {fighter_name} is back for {ducats} ducats.").format(
                name=name, fighter_name=fighter.name, ducats=ducats
            ),
            (_("It may fight again."),),
            does,
        )
    gone = Leaves(fighter.key, "dead", _("Killed, and not brought back by {name}").format(name=name))
    return Outcome(
        _("{name} is let go.").format(name=fighter.name), (_("What it carries is lost with it."),), (gone,), grave=True
    )


def _lifeless(fighter: ForceFighter) -> str:
    return _("{fighter} is lifeless. What happens to it?").format(fighter=fighter.name)


def _dismissal(fighter: ForceFighter) -> Option:
    """Return the other way for a lifeless fighter: it goes, and its kit with it."""
    return Option(
        "let-go",
        _("Dismiss {fighter}").format(fighter=fighter.name),
        _("It leaves the roster for good."),
        losses=(_("what it carries"),),
    )


def _laid_out(context: StepContext, fighter: ForceFighter, offer: UpgradeOffer) -> Task:
    """Return the task of a dead fighter that may be raised in this camp, in another shape."""
    upgrade = context.content.upgrades[offer.upgrade]
    return Task(
        f"raise-{fighter.key}",
        f"{upgrade.name}, {fighter.name}",
        partial(_raise, context, fighter, offer),
        fighter.key,
        LIFELESS,
        _("{price} now, or {name} is lost when the roster closes.").format(price=offer.price, name=fighter.name),
    )


def _raise(context: StepContext, fighter: ForceFighter, offer: UpgradeOffer, resolution: Resolution) -> Outcome:
    upgrade = context.content.upgrades[offer.upgrade]
    reinforcing = context.force.state.get("reinforcing")
    closed = _("reinforcements pay for newcomers alone.") if reinforcing else context.too_dear(offer.price)
    options = (
        Option("raise", upgrade.name, upgrade.words, losses=(str(offer.price),), closed=closed),
        _dismissal(fighter),
    )
    if resolution.choose("way", _lifeless(fighter), options) == "raise":
        return revived(context, fighter, offer)
    gone = Leaves(fighter.key, "dead", _("Killed, and not raised"))
    return Outcome(
        _("{name} is let go.").format(name=fighter.name), (_("What it carries is lost with it."),), (gone,), grave=True
    )


def _is_spent(content: Content, piece: ForceItem) -> bool:
    return piece.origin != "mandatory" and has_effect(content.items.get(piece.item), ConsumedEffect)


def _piece(content: Content, piece: ForceItem, fighter: ForceFighter | None) -> Task:
    item = content.items[piece.item]
    where = fighter.name if fighter else _("the {label_within}").format(label_within=label_within(content, "stash"))

    def resolve(resolution: Resolution) -> Outcome:
        lines = (
            _("{name} of {where} is gone.").format(name=item.name, where=where)
            if fighter
            else _("{item} leaves {where}.").format(item=item.name, where=where),
        )
        return Outcome(
            _("{name} of {where} is used up.").format(name=item.name, where=where),
            lines,
            (LosesItems((piece.key,), _("Used up")),),
        )

    title = f"{item.name}, {where}"
    return Task(f"used-{piece.key}", title, resolve, fighter.key if fighter else "", KIT, item.words)


# --- promises --------------------------------------------------------------------------------------------------------------------


def redeem(content: Content, force: Force, promise_kind: str, data: Mapping[str, Any]) -> Task | None:
    """Return the task that settles a promise, or None if `waits_for` gives a reason why it cannot be settled now."""
    if waits_for(content, force, promise_kind, data):
        return None
    if promise_kind == LATE:
        words = _("Each battle fought before the warband came is one experience, for fighters that learn.")
        context = camp_context(content, force)
        return Task(PREFIX, _("Experience to share out"), partial(_share, context, _experience(data)), words=words)
    place = content.locations[str(data["location"])]
    gifts = _gifts(place, data)
    context = camp_context(content, force)
    option = str(data.get("option") or "")
    return Task(PREFIX, place.name, partial(_redeem, context, place, option, gifts), words=_words(place, data))


def waits_for(content: Content, force: Force, promise_kind: str, data: Mapping[str, Any]) -> str:
    """Return why a promise cannot be settled now, or "" if it can."""
    if promise_kind == LATE and _experience(data) and force.list in content.lists:
        return "" if _room(camp_context(content, force)) else _("No fighter on the roster gains experience yet.")
    place = content.locations.get(str(data.get("location") or ""))
    if promise_kind != "find" or place is None:
        return _("Nothing here tells what it gives: settle it at the table and let it lapse here.")
    gifts = _gifts(place, data)
    if not gifts:
        return _("Nothing here tells what it gives: settle it at the table and let it lapse here.")
    if force.list not in content.lists:
        return _("The list of this warband is not in these books.")
    missing = _missing(content, gifts)
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        return _("{missing} {verb} not in these books yet.").format(missing=joined(missing), verb=verb)
    return ""


def _experience(data: Mapping[str, Any]) -> int:
    """Return the experience that a latecomer is owed, or 0 if the promise names none."""
    value = data.get("experience")
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _room(context: StepContext) -> dict[str, int]:
    room = {}
    for fighter in context.force.fighters:
        view = context.views.get(fighter.key)
        if fighter.active and view is not None and view.may_learn and fighter.experience < view.experience_cap:
            room[fighter.key] = view.experience_cap - fighter.experience
    return room


def _share(context: StepContext, total: int, resolution: Resolution) -> Outcome:
    """Share out all the experience, as far as the fighters have room for it."""
    room = _room(context)
    total = min(total, sum(room.values()))
    words = {
        key: _("{experience} so far, room for {left}").format(
            experience=context.force.fighter(key).experience, left=left
        )
        for key, left in room.items()
    }
    given = resolution.allot(
        "shares",
        _("{total} experience: who learned it?").format(total=total),
        fighter_options(context, room, words),
        total,
        room,
    )
    if sum(given.values()) != total:
        raise Refusal(
            _("{total} experience are there to share out; {sum} are.").format(total=total, sum=sum(given.values())),
            code="wrong-sum",
        )
    does = [
        SetFighter(key, ("experience",), context.force.fighter(key).experience + points, _("joined late"))
        for key, points in given.items()
    ]
    lines = [
        _("{name}: {points} experience.").format(name=context.name(key), points=points) for key, points in given.items()
    ]
    names = joined(f"{context.name(key)} {points}" for key, points in given.items())
    return Outcome(_("Experience shared out: {names}.").format(names=names), tuple(lines), tuple(does))


def _words(place: Location, data: Mapping[str, Any]) -> str:
    option = next((o for o in place.options if o.id == data.get("option")), None)
    return option.words if option else place.words


def _gifts(place: Location, data: Mapping[str, Any]) -> tuple[Gift, ...]:
    """Return what a promise of this place hands out: the gifts named in its IOU, or the choice that was postponed."""
    option = next((o for o in place.options if o.id == data.get("option")), None)
    rewards: tuple[Reward, ...] = (*place.rewards, *(option.rewards if option else ()))
    for reward in rewards:
        if isinstance(reward, PromiseReward) and reward.gives:
            return reward.gives
    put_off = [r for r in rewards if isinstance(r, ItemChoiceReward) and r.lists and not r.from_face]
    return (put_off[0],) if put_off else ()


def _missing(content: Content, gifts: Iterable[Gift]) -> list[str]:
    """Return the names of the lists behind each promised gift for which the pack holds items from none of its lists."""
    names = {one.id: one.name for one in content.pack.other_lists}
    found: list[str] = []
    for gift in gifts:
        lists = () if isinstance(gift, GloryItemReward) else gift.lists
        held = [x for x in lists if x in content.lists or any(x in o.lists for o in content.pack.item_offers)]
        if lists and not held:
            found += [names.get(x, x) for x in lists]
    return found


def _redeem(
    context: StepContext, place: Location, option: str, gifts: tuple[Gift, ...], resolution: Resolution
) -> Outcome:
    taking = Taking(context, resolution, place.id, option, must=True)
    for gift in gifts:
        take(taking, gift)
    what = joined(context.content.items[item].name for item in taking.gained.elements()) or "nothing"
    return Outcome(f"{taking.reason}: {what}.", tuple(taking.lines), tuple(taking.does))


__all__ = ["Option", "camp_context", "camp_tasks", "redeem", "waits_for"]
