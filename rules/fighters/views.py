"""Views of fighters for pages, sheets and resolvers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.advancement import advance_marks, advances, barring, may_learn, scars_of
from rules.fighters.facts import Facts
from rules.fighters.frame import Frame, declared_pairs, frame_of
from rules.fighters.kit import CarriedItem, implied_key
from rules.fighters.work_out import facts
from rules.force import FighterView, Force, ForceFighter, ForceItem, GainedWord


class Views(Mapping[str, FighterView]):
    """Fighters by key. Each view is made on first access."""

    def __init__(self, content: Content, force: Force, frame: Frame | None) -> None:
        self._content = content
        self._fighters = {f.key: f for f in force.fighters if frame is not None and f.profile in content.profiles}
        self._frame = frame
        self._explicit = force.strongbox is not None
        self._made: dict[str, FighterView] = {}
        self._partners: dict[str, list[str]] = {}
        for one, two in declared_pairs(force):
            self._partners.setdefault(one, []).append(two)
            self._partners.setdefault(two, []).append(one)

    def __getitem__(self, key: str) -> FighterView:
        if key not in self._made:
            fighter = self._fighters[key]
            assert self._frame is not None
            who = facts(self._content, self._frame, fighter, explicit=self._explicit)
            made = view_of(self._content, fighter, who)
            partners = self._partners.get(key)
            self._made[key] = replace(made, facts={**made.facts, "fireteam": partners}) if partners else made
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fighters)

    def __len__(self) -> int:
        return len(self._fighters)


def views(content: Content, force: Force) -> Mapping[str, FighterView]:
    """Return every fighter after all effects, by key (fighters of unknown profile are left out)."""
    return Views(content, force, frame_of(content, force) if force.list in content.lists else None)


def view_of(content: Content, fighter: ForceFighter, who: Facts) -> FighterView:
    """Return the view of a fighter for pages, sheets and resolvers."""
    numbers = content.pack.campaign
    marks = advance_marks(content, who) if numbers else ()
    is_barred = bool(barring(content.traumas, fighter.traumas))
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
        abilities=(*_abilities(content, who), *_lost_abilities(content, who)),
        counts_as=tuple(sorted(who.counts_as)),
        hands_ranged=who.hands_ranged,
        hands_melee=who.hands_melee,
        kit=tuple([_row_of(fighter, held, index) for index, held in enumerate(who.held)]),
        rating=who.rating,
        scar_limit=(numbers.scar_limit if numbers else 2) + sum(c.effect.add for c in who.of(v.ScarLimitEffect)),
        scars=scars_of(fighter),
        next_advance=marks[fighter.advances] if fighter.advances < len(marks) else None,
        experience_cap=marks[-1] if marks else 0,
        may_be_promoted=(not who.elite or is_barred) and advances(content, who),
        may_learn=may_learn(content, who, fighter),
        reminders=_reminders(who),
        immune=tuple(dict.fromkeys(content.keyword(k) for c in who.of(v.ImmuneEffect) for k in c.effect.keywords)),
        facts={**_charge_bonus(who), **_powers(who), **_kept_markers(who), **_once(who)},
    )


def _row_of(fighter: ForceFighter, held: CarriedItem, index: int) -> ForceItem:
    """Return the row of an item.

    Items that come with the profile are shown as mandatory, whether a row lists them or not.
    """
    if held.row >= 0 and held.included is None:
        return fighter.kit[held.row]
    key = fighter.kit[held.row].key if held.row >= 0 else implied_key(fighter, held, index)
    return ForceItem(key, held.item.id, "mandatory")


def _abilities(content: Content, who: Facts) -> Iterator[GainedWord]:
    for ability, cause in who.abilities.items():
        yield GainedWord(ability, content.abilities[ability].name, "gained" if cause else "printed", cause)


def _lost_abilities(content: Content, who: Facts) -> Iterator[GainedWord]:
    lost_by = {ability: c.source.name for c in who.of(v.AbilityEffect) for ability in c.effect.lose}
    for ability in who.profile.abilities:
        if ability not in who.abilities and ability in content.abilities:
            yield GainedWord(ability, content.abilities[ability].name, "lost", lost_by.get(ability, ""))


def _reminders(who: Facts) -> tuple[tuple[str, str], ...]:
    """Return the rules that only the table can apply, by source.

    Reminders of a list rule for everyone appear with the warband.
    """
    return tuple(
        dict.fromkeys(
            (c.source.name, c.source.words)
            for c in who.of(v.ReminderEffect)
            if c.source.words and (c.source.kind != "rule" or c.effect.for_profiles)
        )
    )


def _charge_bonus(who: Facts) -> dict[str, Any]:
    """Return the Charge Bonus if it is more or less than a D6."""
    bonus = [c.effect for c in who.of(v.ChargeEffect) if c.effect.lacks_keyword not in who.keywords]
    is_small = any(effect.die == "D3" for effect in bonus) and not any(effect.whole for effect in bonus)
    dice = max((effect.dice for effect in bonus), default=1)
    return {**({"charge_die": "D3"} if is_small else {}), **({"charge_dice": dice} if dice > 1 else {})}


def _kept_markers(who: Facts) -> dict[str, Any]:
    """Return whether INFECTION MARKERS on the fighter pay for a Bloodbath alone."""
    return {"keeps_infection": True} if any(c.effect.keeps_infection for c in who.of(v.AttackEffect)) else {}


def _once(who: Facts) -> dict[str, Any]:
    """Return what the fighter may use once in an Activation: the id and the name of each."""
    found = [[c.source.id, c.source.name] for c in who.of(v.ReminderEffect) if c.effect.once]
    return {"once": found} if found else {}


def _powers(who: Facts) -> dict[str, Any]:
    """Return the powers that the fighter may cast: the name of each, how many markers pay for it, and of which kind."""
    powers = [[c.source.name, list(c.effect.steps), c.effect.of] for c in who.of(v.PowerEffect)]
    return {"powers": powers} if powers else {}
