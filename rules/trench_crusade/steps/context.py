"""The context that every step reads: the content, the current roster, the battle, and the steps already written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from rules.content.campaign_entries import BattleLimit, CampaignRules
from rules.content.compiled import Content
from rules.dice import NeedDice
from rules.fighters.advancement import barring
from rules.force import FighterView, Force, ForceFighter, ForceTrauma
from rules.legality.hiring import elite_cap
from rules.legality.roster_state import examine
from rules.legality.thresholds import field_strength_of, threshold_of
from rules.parts.post_battle import Aftermath, BattleSide, StepRecord
from rules.price import Price
from rules.resolution import Option, Outcome, Resolution, TableRow, Task
from rules.translation import gettext
from rules.trench_crusade.carried_effects import CarriedEffect, has_effect, sources
from rules.trench_crusade.labels import label_within, labels_of
from rules.vocabulary import DemotedEffect, PromotableEffect, UncountedEliteEffect

E = TypeVar("E")


@dataclass(frozen=True)
class StepContext:
    """One side's post-battle sequence in its current state. All other values are derived from these fields."""

    content: Content
    force: Force
    aftermath: Aftermath
    record: StepRecord
    views: Mapping[str, FighterView] = field(hash=False)

    # --- the battle

    @property
    def prefix(self) -> str:
        """Return the start of every key that this sequence writes into the roster."""
        return self.aftermath.battle

    @property
    def counted(self) -> bool:
        return "number" in self.aftermath.counts

    @property
    def next_number(self) -> int:
        """Return the number of the next battle, including battles credited to latecomers."""
        return self.aftermath.number + (1 if self.counted else 0)

    @property
    def fought(self) -> int:
        """Return the number of battles fought including this one, without credited ones. Exploration depends on it."""
        return max(1, self.next_number - 1 - self.force.battles.credited)

    def side(self, side_id: str) -> BattleSide | None:
        return next((side for side in self.aftermath.others if side.side == side_id), None)

    @cached_property
    def deed_doers(self) -> frozenset[str]:
        return frozenset(key for _, key in self.aftermath.mine.deeds if key)

    @property
    def rules(self) -> CampaignRules:
        return self.content.campaign.rules

    def label(self, key: str) -> str:
        """Return the edition's term for a thing, for use within a sentence."""
        return label_within(self.content, key)

    def head(self, key: str) -> str:
        """Return the edition's term for a thing, for the start of a sentence or a figure."""
        return labels_of(self.content)[key]

    @cached_property
    def deed_learners(self) -> frozenset[str]:
        """Return who learns from deeds: fighters that did one, and the LEADER if the warband did one that teaches it."""
        taught = any(
            not key and deed in self.content.deeds and self.content.deeds[deed].leader_learns
            for deed, key in self.aftermath.mine.deeds
        )
        leaders = {key for key, view in self.views.items() if view.leader and self.is_elite(key)} if taught else set()
        return self.deed_doers | leaders

    # --- the roster

    def fighter(self, key: str) -> ForceFighter | None:
        """Return the fighter with this key, dead or alive, or None if it is no longer recorded."""
        return next((f for f in self.force.fighters if f.key == key), None)

    def name(self, key: str) -> str:
        fighter = self.fighter(key)
        return fighter.name if fighter else gettext("A fallen fighter")

    def in_order(self, keys: Iterable[str]) -> tuple[str, ...]:
        """Return these keys in roster order. Keys that are no longer recorded come last."""
        wanted = list(dict.fromkeys(keys))
        known = [f.key for f in self.force.fighters if f.key in wanted]
        return (*known, *(key for key in wanted if key not in known))

    @cached_property
    def sources(self) -> tuple[CarriedEffect, ...]:
        return sources(self.content, self.force)

    def effects(self, kind: type[E], fighter: str | None = None) -> list[tuple[CarriedEffect, E]]:
        """Return the effects of one kind with their sources: all active ones, or those that one fighter carries."""
        return [
            (source, source.effect)
            for source in self.sources
            if isinstance(source.effect, kind) and fighter in (None, source.fighter)
        ]

    def profiles_of(self, key: str) -> set[str]:
        view = self.views.get(key)
        return {self.profile_of(key), *(view.counts_as if view else ())}

    def profile_of(self, key: str) -> str:
        view = self.views.get(key)
        fighter = self.fighter(key)
        return view.profile if view else fighter.profile if fighter else ""

    def is_elite(self, key: str) -> bool:
        view = self.views.get(key)
        if view is not None:
            return view.elite
        fighter = self.fighter(key)
        if fighter is None or fighter.demoted:
            return False
        profile = self.content.profiles.get(fighter.profile)
        return fighter.promoted or (profile is not None and profile.role == "elite")

    def demotions(self, key: str) -> tuple[ForceTrauma, ...]:
        """Return the traumas that took the fighter's ELITE status, in the order in which it suffered them."""
        fighter = self.fighter(key)
        return tuple(
            suffered
            for suffered in (fighter.traumas if fighter else ())
            if has_effect(self.content.traumas.get(suffered.trauma), DemotedEffect)
        )

    def wrote(self, suffered: ForceTrauma) -> bool:
        return suffered.key.startswith(f"{self.prefix}-")

    def was_elite(self, key: str) -> bool:
        """Return whether the fighter was ELITE in the battle, before the changes of this sequence."""
        if any(self.wrote(t) or t.battle > self.aftermath.number for t in self.demotions(key)):
            return True
        fighter = self.fighter(key)
        promoted_after = fighter.choices.get("promoted_after", 0) if fighter else 0
        if isinstance(promoted_after, int) and promoted_after >= self.aftermath.number > 0:
            return False
        return self.is_elite(key)

    def scars(self, key: str) -> int:
        fighter = self.fighter(key)
        if fighter is None:
            return 0
        if fighter.scars is not None:
            return fighter.scars
        return sum(1 for suffered in fighter.traumas if suffered.scar)

    def scar_limit(self, key: str) -> int:
        """Return how many scars a fighter survives."""
        view = self.views.get(key)
        return view.scar_limit if view else self.content.campaign.scar_limit

    def experience_cap(self, key: str) -> int:
        """Return the experience at which a fighter stops learning, or 0 if it never learns."""
        profile = self.content.profiles.get(self.profile_of(key))
        fighter = self.fighter(key)
        if profile is None or fighter is None:
            return 0
        if fighter.hired_as == "mercenary" and not self.rules.mercenaries_advance:
            return 0
        steps = self.content.campaign.advances_at
        if self.effects(PromotableEffect, key) or profile.advancement == "full":
            return steps[-1]
        return steps[self.content.campaign.limited_advances - 1] if profile.advancement == "limited" else 0

    def learns(self, key: str) -> bool:
        """Return whether the fighter gains experience from this battle.

        It must have been ELITE in the battle, be alive, and not be demoted by it. In some editions a fighter promoted
        since then counts as ELITE too. A wound that bars experience takes effect at once.
        """
        fighter = self.fighter(key)
        if fighter is None or fighter.status not in ("active", "captive") or not self.experience_cap(key):
            return False
        if fighter.lifeless:
            return False
        if self.barred(key):
            return False
        elite = self.was_elite(key) or (self.rules.promoted_learn and self.is_elite(key))
        return elite and not any(self.wrote(t) for t in self.demotions(key))

    def barred(self, key: str) -> tuple[ForceTrauma, ...]:
        """Return the traumas that bar an ELITE fighter from experience until a promotion die succeeds."""
        fighter = self.fighter(key)
        return barring(self.content.traumas, fighter.traumas) if fighter else ()

    @property
    def elites(self) -> int:
        """Return how many ELITE fighters the warband has, including captives.

        Mercenaries count only if the edition counts them.
        """
        present = [
            f.key
            for f in self.force.fighters
            if f.status in ("active", "captive") and not f.lifeless and self.is_elite(f.key)
        ]
        if self.rules.mercenaries_advance:
            return len(present)
        return sum(1 for key in present if key not in self.views or not self.views[key].mercenary)

    @property
    def counted_elites(self) -> int:
        """Return the number of ELITE fighters that decides whether promotions are skipped.

        A skill may exempt its bearer.
        """
        left_out = {source.fighter for source, _ in self.effects(UncountedEliteEffect)}
        return self.elites - sum(1 for key in left_out if self.is_elite(key))

    @property
    def elite_cap(self) -> int:
        return elite_cap(examine(self.content, self.force)) or 0

    def rating_of(self, key: str) -> Price:
        view = self.views.get(key)
        return view.rating if view else Price()

    @property
    def rating(self) -> Price:
        """Return the value of the active fighters and their kit."""
        worth = [self.rating_of(f.key) for f in self.force.fighters if f.active]
        return Price(sum(p.ducats for p in worth), sum(p.glory for p in worth))

    @property
    def strongbox(self) -> Price:
        return self.force.strongbox or Price()

    def too_dear(self, price: Price) -> str:
        """Return why the warband cannot pay this price, or "" if it can."""
        if price.ducats <= self.strongbox.ducats and price.glory <= self.strongbox.glory:
            return ""
        return gettext("it costs {price}; you have {strongbox}.").format(price=price, strongbox=self.strongbox)

    def limits(self, battle: int) -> BattleLimit:
        content, force = self.content, self.force
        own = content.reading("late_field_strength") == "own"
        strength = field_strength_of(content, force, battle - (force.battles.credited if own else 0))
        return BattleLimit(
            battle=battle, threshold=threshold_of(content, force, battle) or 0, field_strength=strength or 0
        )


# --- small parts that several steps share


def around(rows: tuple[TableRow, ...], hit: int, reach: int = 1) -> tuple[TableRow, ...]:
    """Return the row at index `hit`, marked, with `reach` neighbours on each side."""
    return tuple(
        replace(row, hit=place == hit) for place, row in enumerate(rows) if hit - reach <= place <= hit + reach
    )


def fighter_options(
    context: StepContext, keys: Iterable[str], words: Mapping[str, str] | None = None
) -> tuple[Option, ...]:
    said = words or {}
    return tuple(
        Option(key, context.name(key), said.get(key) or context.content.profiles[context.profile_of(key)].name)
        for key in keys
    )


def settled(context: StepContext, task: Task, sentence: str = "") -> Task:
    """Return a completed task: it shows the rolls, changes nothing and asks nothing."""

    def resolve(resolution: Resolution) -> Outcome:
        for draw in context.record.draws.get(task.key, ()):
            with suppress(NeedDice):
                resolution.roll(len(draw.faces), draw.sides, draw.why)
            resolution.tell(f"{draw.why}: {', '.join(str(face) for face in draw.faces)}.", draw)
        return Outcome(sentence or gettext("{title}: saved.").format(title=task.title))

    return replace(task, resolve=resolve)
