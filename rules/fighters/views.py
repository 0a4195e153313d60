"""Fighters as pages, sheets and resolvers see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.advancement import advance_marks, advances, barring, may_learn, scars_of
from rules.fighters.facts import Facts
from rules.fighters.frame import Frame, frame_of
from rules.fighters.kit import implied_key
from rules.fighters.sources import Cause
from rules.fighters.work_out import facts
from rules.force import FighterView, Force, ForceFighter, ForceItem, GainedWord


class Views(Mapping[str, FighterView]):
    """Fighters by key, each made when it is looked at."""

    def __init__(self, content: Content, force: Force, frame: Frame | None) -> None:
        self._content = content
        self._fighters = {f.key: f for f in force.fighters if frame is not None and f.profile in content.profiles}
        self._frame = frame
        self._explicit = force.strongbox is not None
        self._made: dict[str, FighterView] = {}

    def __getitem__(self, key: str) -> FighterView:
        if key not in self._made:
            fighter = self._fighters[key]
            assert self._frame is not None
            who = facts(self._content, self._frame, fighter, explicit=self._explicit)
            self._made[key] = view_of(self._content, fighter, who)
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fighters)

    def __len__(self) -> int:
        return len(self._fighters)


def views(content: Content, force: Force) -> Mapping[str, FighterView]:
    """Every fighter after all effects, by key (fighters of unknown profile are left out)."""
    return Views(content, force, frame_of(content, force) if force.list in content.lists else None)


def _own(cause: Cause) -> bool:
    """Whether a reminder is the fighter's own; what a list's rule says to all stands with the warband."""
    return cause.source.kind != "rule" or bool(cause.effect.for_profiles)


def _charge_bonus(who: Facts) -> dict[str, Any]:
    """The Charge Bonus where it is more or less than a D6."""
    bonus = [c.effect for c in who.of(v.ChargeEffect) if c.effect.lacks_keyword not in who.keywords]
    small = any(effect.die == "D3" for effect in bonus) and not any(effect.whole for effect in bonus)
    dice = max((effect.dice for effect in bonus), default=1)
    return {**({"charge_die": "D3"} if small else {}), **({"charge_dice": dice} if dice > 1 else {})}


def _powers(who: Facts) -> dict[str, Any]:
    """The powers it may cast, each with its name, how many markers pay for it, and of which kind."""
    found = [[c.source.name, list(c.effect.steps), c.effect.of] for c in who.of(v.PowerEffect)]
    return {"powers": found} if found else {}


def view_of(content: Content, fighter: ForceFighter, who: Facts) -> FighterView:
    """The fighter as pages, sheets and resolvers see it."""
    numbers = content.pack.campaign
    marks = advance_marks(content, who) if numbers else ()
    kit = tuple(
        fighter.kit[h.row] if h.row >= 0 and h.included is None
        else ForceItem(fighter.kit[h.row].key if h.row >= 0 else implied_key(fighter, h, place), h.item.id, "mandatory")
        for place, h in enumerate(who.held)
    )  # fmt: skip
    abilities = [
        GainedWord(a, content.abilities[a].name, "gained" if cause else "printed", cause)
        for a, cause in who.abilities.items()
    ]
    lost_by = {a: c.source.name for c in who.of(v.AbilityEffect) for a in c.effect.lose}
    abilities += [
        GainedWord(a, content.abilities[a].name, "lost", lost_by.get(a, ""))
        for a in who.profile.abilities
        if a not in who.abilities and a in content.abilities
    ]
    reminders = tuple(
        dict.fromkeys((c.source.name, c.source.words) for c in who.of(v.ReminderEffect) if c.source.words and _own(c))
    )
    immune = tuple(dict.fromkeys(content.keyword(k) for c in who.of(v.ImmuneEffect) for k in c.effect.keywords))
    at_table = {**_charge_bonus(who), **_powers(who)}
    barred = bool(barring(content.traumas, fighter.traumas))
    may_rise = (not who.elite or barred) and advances(content, who)
    return FighterView(
        key=fighter.key,
        name=fighter.name,
        profile=who.profile.id,
        profile_name=who.profile.name,
        elite=who.elite,
        leader=who.leader,
        mercenary=who.mercenary,
        stats=who.stats,
        movement=who.movement,
        keywords=who.keyword_causes,
        abilities=tuple(abilities),
        counts_as=tuple(sorted(who.counts_as)),
        hands_ranged=who.hands_ranged,
        hands_melee=who.hands_melee,
        kit=kit,
        rating=who.rating,
        scar_limit=(numbers.scar_limit if numbers else 2) + sum(c.effect.add for c in who.of(v.ScarLimitEffect)),
        scars=scars_of(fighter),
        next_advance=marks[fighter.advances] if fighter.advances < len(marks) else None,
        experience_cap=marks[-1] if marks else 0,
        may_be_promoted=may_rise,
        may_learn=may_learn(content, who, fighter),
        reminders=reminders,
        immune=immune,
        facts=at_table,
    )
