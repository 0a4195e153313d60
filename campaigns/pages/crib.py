"""The crib of a battle, a sheet with the odds of each of one side's weapons against each kind of opposing fighter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Battle, Side
from campaigns.pages.odds import arm_words, percent_of
from rules.force import Force, ForceFighter
from rules.formatting import joined, profile_beside
from rules.game import GameContent
from rules.parts.attacks import AttacksPart
from rules.problems import Refusal
from rules.resolvers.situation import Situation
from warbands import access
from warbands.adapters import forces_of
from warbands.models import Terms


@dataclass(frozen=True, slots=True)
class CribRow:
    who: str
    weapon: str
    hit: str
    down: str
    out: str


@dataclass(frozen=True, slots=True)
class CribFoe:
    """One kind of opposing fighter, with the names of all who are alike. `left` lists its rules texts that the odds leave out."""

    name: str
    profile: str
    rows: tuple[CribRow, ...]
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Crib:
    """All kinds of opposing fighters. `left` lists the rules texts of the user's own side that the odds leave out."""

    foes: tuple[CribFoe, ...]
    left: tuple[str, ...] = ()


def crib(battle: Battle, mine: Side, others: Iterable[Side], user: Any) -> Crib:
    """Build the crib for attacks in the open at short range.

    Raises Refusal if the game has no attacks to calculate, or if the user may not read any opposing roster yet.
    """
    terms = battle.campaign.terms
    if terms.game.attacks is None:
        raise Refusal(
            _("No crib is drawn for this game."),
            mend=_("The table works each shot out as it is fired."),
            code="no-crib",
        )
    assert mine.warband is not None
    mine.warband.terms = terms
    opposite = [side.warband for side in others if side.warband is not None]
    forces = forces_of([mine.warband, *opposite])
    attack = _Attack(terms, terms.game.attacks, forces[mine.warband.pk])
    readable = [warband for warband in opposite if access.may(user, warband, "read")]
    foes = [foe for warband in readable for foe in attack.on(forces[warband.pk])]
    if not foes:
        raise Refusal(
            _("No opponent's roster is open to you yet."), mend=_("It opens when they are ready."), code="not-open"
        )
    return Crib(tuple(foes), tuple(attack.left))


class _Attack:
    """All weapons of a force. `left` collects its rules texts that the odds leave out."""

    def __init__(self, terms: Terms, attacks: AttacksPart[GameContent], own: Force) -> None:
        self.terms, self.attacks, self.own = terms, attacks, own
        self.left: dict[str, None] = {}
        self.attackers: dict[tuple[Any, ...], list[str]] = {}  # (likeness, weapon) → keys of the fighters who share it
        for fighter in own.fighters:
            for arm in attacks.arms(terms.content, own, fighter.key) if fighter.active else ():
                self.attackers.setdefault((*_likeness(fighter), arm.key), []).append(fighter.key)

    def on(self, force: Force) -> Iterator[CribFoe]:
        """Yield the kinds of fighters of a force. Fighters of one profile against whom all odds are equal form one kind."""
        kinds: dict[tuple[Any, ...], list[ForceFighter]] = {}
        for fighter in force.fighters:
            if fighter.active:
                kinds.setdefault(_likeness(fighter), []).append(fighter)
        alike: dict[tuple[str, tuple[CribRow, ...], tuple[str, ...]], list[str]] = {}
        for fighters in kinds.values():
            first = fighters[0]
            profile = self.terms.game.profile_name(self.terms.content, first.profile, first.state)
            names = alike.setdefault((profile, *self._rows(force, first.key)), [])
            names += [fighter.name for fighter in fighters]
        for (profile, rows, left), names in alike.items():
            beside = profile if any(profile_beside(name, profile) for name in names) else ""
            yield CribFoe(joined(names), beside, rows, left)

    def _rows(self, force: Force, target: str) -> tuple[tuple[CribRow, ...], tuple[str, ...]]:
        rows = []
        left: dict[str, None] = {}
        for arm, keys in self.attackers.items():
            arm_key = str(arm[-1])
            situation = self.attacks.situation(self.terms.content, (self.own, keys[0]), arm_key, (force, target), {})
            rows.append(_crib_row(self.terms, self.attacks, self.own, keys, arm_key, situation))
            for whose, words in situation.unreckoned:
                (self.left if whose == "mine" else left)[words.partition(": ")[0]] = None
        return tuple(rows), tuple(left)


def _likeness(fighter: ForceFighter) -> tuple[Any, ...]:
    kit = tuple(sorted(piece.item for piece in fighter.kit))
    return (fighter.profile, kit, fighter.skills, fighter.traumas, fighter.upgrades)


def _crib_row(
    terms: Terms, attacks: AttacksPart[GameContent], own: Force, keys: list[str], arm_key: str, situation: Situation
) -> CribRow:
    outcomes = terms.game.resolvers.odds(terms.content, situation.rule, situation.given).outcomes
    arm = next(one for one in attacks.arms(terms.content, own, keys[0]) if one.key == arm_key)
    miss, out, down = (percent_of(outcomes, name) for name in ("failure", "out-of-action", "down"))
    who = joined([own.fighter(key).name for key in keys[:3]]) + (
        _(" and {number} more").format(number=len(keys) - 3) if len(keys) > 3 else ""
    )
    return CribRow(who, arm_words(arm), f"{100 - miss:.0f} %", f"{down + out:.0f} %", f"{out:.0f} %")
