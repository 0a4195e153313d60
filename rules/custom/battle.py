"""A battle of a game with own profiles, before and during play.

No scenarios are published, so the players agree on their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rules.consequences import SetWarband
from rules.custom.content import CARRIED, CustomContent
from rules.custom.force_rules import ForceRules
from rules.custom.post_battle import loss_words
from rules.force import Force
from rules.parts.battle import MusterRow, PaperLine, PaperPlay, PaperStep, ScenarioChoice
from rules.price import Price
from rules.resolution import Option, Outcome, Resolution, Task
from rules.tracker.tracker import Tracker
from rules.translation import gettext

SCENARIOS = (
    ScenarioChoice(
        id="open-battle",
        name=gettext("Open battle"),
        described=False,
        words=gettext("As the players agree."),
        force_words="",
        length_words="",
        victory_words="",
        deployment_words="",
        special_words="",
        has_attacker=True,
        morale="",
        winner="other",
        deeds=(),
    ),
)


@dataclass(frozen=True)
class CustomBattle:
    rules: ForceRules
    tracker_of: Callable[[CustomContent], Tracker]

    def scenarios(self, content: CustomContent) -> tuple[ScenarioChoice, ...]:
        return SCENARIOS

    def scenario_task(
        self,
        content: CustomContent,
        numbers: Sequence[int],
        last_played: Sequence[str],
        settings: Mapping[str, Any],
        names: Sequence[str] = (),
    ) -> Task:
        """Return the task to choose one of the known battles, without a roll."""
        return Task(
            "scenario", gettext("Scenario"), _scenario, words=gettext("No scenarios are published for this game.")
        )

    def attacker_task(
        self,
        content: CustomContent,
        sides: Sequence[tuple[str, str, int]],
        settings: Mapping[str, Any],
        scenario: str = "",
        sizes: Mapping[str, int] | None = None,
    ) -> Task:
        """Return the task to settle who attacks: the players name a side, or roll off."""
        return Task(
            "attacker",
            gettext("Attacker"),
            partial(_attacker, tuple(sides)),
            words=gettext("Named by the players, or by a roll-off."),
        )

    def muster(self, content: CustomContent, force: Force, scenario: str = "") -> tuple[MusterRow, ...]:
        """Return the muster rows of every unit. A unit with nothing left stays behind."""
        return tuple(
            MusterRow(
                fighter=unit.key,
                name=unit.name,
                profile_name=unit.profile_name,
                rating=Price(ducats=unit.worth),
                closed=gettext("nothing of it is left.") if unit.spent else "",
                words=gettext("lacks {loss_words}").format(loss_words=loss_words(unit.lost))
                if unit.lost and not unit.spent
                else "",
            )
            for unit in self.rules.units(force)
        )

    def tracker(self, content: CustomContent) -> Tracker:
        return self.tracker_of(content)

    def paper_steps(self, content: CustomContent, force: Force | None) -> tuple[PaperStep, ...]:
        """Return what players write down after a battle: the result, and losses if units carry them over."""
        result = PaperStep(gettext("Result"), (PaperLine(gettext("Winner, and victory points"), ("mine", "theirs")),))
        losses = PaperStep(gettext("Losses"), (PaperLine(gettext("Unit, and what it lost"), ("lost", "left")),) * 6)
        return (result, losses) if content.losses == CARRIED else (result,)

    def paper_play(self, content: CustomContent, force: Force | None, fighters: int, morale: str) -> PaperPlay:
        """Return nothing: what a unit suffers is in its losses, and these books set no limit for a whole side."""
        return PaperPlay()


def _scenario(resolution: Resolution) -> Outcome:
    options = [Option(each.id, each.name, each.words) for each in SCENARIOS]
    chosen = resolution.choose("scenario", gettext("Which battle is fought?"), options)
    name = next(each.name for each in SCENARIOS if each.id == chosen)
    return Outcome(
        gettext("The scenario is {name}.").format(name=name), consequences=(SetWarband(("scenario",), chosen),)
    )


def _attacker(sides: tuple[tuple[str, str, int], ...], resolution: Resolution) -> Outcome:
    names = {side: name for side, name, _ in sides}
    options = [Option("roll", gettext("Roll off"), gettext("the higher die attacks"))]
    options += [Option(side, name, "attacks") for side, name in names.items()]
    chosen = resolution.choose("attacker", gettext("Who attacks?"), options)
    rolling = list(names) if chosen == "roll" else [chosen]
    while len(rolling) > 1:
        thrown = []
        for side in rolling:
            draw = resolution.roll(1, 6, gettext("Roll-off: {names}").format(names=names[side]))
            resolution.tell(f"{names[side]}: {draw.total}.", draw)
            thrown.append((draw.total, side))
        best = max(total for total, _ in thrown)
        rolling = [side for total, side in thrown if total == best]
    winner = rolling[0]
    return Outcome(
        gettext("{names} attacks.").format(names=names[winner]), consequences=(SetWarband(("attacker",), winner),)
    )
