"""An attack at the table as answered so far: attacker, targets, weapon, and how it meets each target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rules.content.compiled import Content
from rules.force import Force
from rules.problems import Refusal
from rules.resolvers.situation import Situation
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext as _
from rules.trench_crusade.resolvers.arms import arms
from rules.trench_crusade.resolvers.attack_situation import situation
from rules.trench_crusade.tracker.rolls import able, figure

BY_HAND = "by-hand"
# Figures whose maximum is the number of markers present: on whom, and which kind.
LYING = {
    "blood_spent": ("mine", ("blood", "infection")), "blessing_spent": ("mine", ("blessing",)),
    "injury_blood_spent": ("theirs", ("blood", "infection")), "injury_blessing_spent": ("theirs", ("blessing",)),
}  # fmt: skip
# What is spent on the injury of the target alone.
OF_THE_INJURY = ("injury_blood_spent", "injury_blessing_spent", "bloodbath")
Forces = Callable[[str], Force | None]


@dataclass(frozen=True, slots=True)
class AttackRequest:
    """An attack with a weapon, as answered so far: who attacks whom, and how."""

    content: Content
    forces: Forces
    state: TableState
    data: Mapping[str, str]

    @property
    def fighter(self) -> TableFighter:
        """Return the attacker. Raises Refusal."""
        return able(self.state, self.data.get("fighter", ""), _("Who attacks"))

    @property
    def target(self) -> TableFighter:
        """Return the target. Raises Refusal."""
        return able(self.state, self.data.get("target", ""), _("Who is hit"))

    def force(self, fighter: TableFighter) -> tuple[Force, str] | None:
        """Return the fighter's force and its key there. None for a guest's fighter, or one that has left the roster."""
        force = self.forces(fighter.side)
        if force is None or all(row.key != fighter.row for row in force.fighters):
            return None
        return force, fighter.row

    def with_arm(self, arm: str) -> AttackRequest:
        """Return the same attack with another weapon, without what was said of this one."""
        names = ("fighter", "target")
        return replace(self, data={"arm": arm, **{name: self.data[name] for name in names if name in self.data}})

    def ways(self) -> tuple[tuple[str, str], ...]:
        """Return the attack modes as keys and labels, without used-up ones.

        There are none if the roster is not known.
        """
        fighter = self.fighter
        mine = self.force(fighter)
        if mine is None:
            return ()
        gone = used_up(fighter)
        known = [arm for arm in arms(self.content, *mine) if arm.name not in gone]
        return tuple((arm.key, f"{arm.name}, {arm.words}" if arm.words else arm.name) for arm in known)

    def is_told(self) -> bool:
        """Return whether the attack is entered by hand, because the player wants that or no roster is known."""
        arm = self.data.get("arm", "")
        return not arm or arm == BY_HAND or self.force(self.fighter) is None or self.force(self.target) is None

    def situation(self, target: TableFighter, *, around: bool = False) -> Situation:
        """Return the situation of this attack for its target, or (`around`) for another fighter in its blast.

        What is spent is not spent on the others in a blast. Raises Refusal.
        """
        mine, theirs = self.force(self.fighter), self.force(target)
        if mine is None or theirs is None:
            raise Refusal(
                _("The roster of {name} is not known here.").format(name=target.name),
                mend=_("Enter the attack by hand."),
                code="roster",
            )
        told = {name: _answered(self.data, name) for name in self.data if name not in _OTHERS}
        told["around"] = int(around)
        if around:
            told |= dict.fromkeys(LYING, 0) | {"bloodbath": 0}
        told |= {
            "down": int(self.fighter.down),
            "target_down": int(target.down),
            "target_to_act": int(not target.acted),
            "own_blood": self.fighter.markers.get("blood", 0),
            "target_blood": target.markers.get("blood", 0),
        }
        return situation(self.content, mine, self.data["arm"], theirs, told)


def used_up(fighter: TableFighter) -> set[str]:
    """Return the names of the pieces of which a fighter has none left."""
    return {piece.name for piece in fighter.kit} - {piece.name for piece in fighter.kit if not piece.used}


# Answers that are neither switches nor figures.
_OTHERS = frozenset({"fighter", "target", "arm", "friend", "caught", "way", "last", "side"})


def _answered(data: Mapping[str, str], name: str) -> int:
    """Return the answer to a switch or a figure.

    An invalid switch counts as off. Raises Refusal for an invalid figure.
    """
    if name in LYING or name in ("dice", "injury_dice"):
        return figure(data, name)
    text = str(data[name]).strip().replace("−", "-")
    return (
        int(text) if text.isascii() and text.isdigit() and len(text) < 4 else int(text.lower() in ("on", "true", "yes"))
    )
