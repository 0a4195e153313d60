"""Camp: finds and kit used up or applied between battles, and the teams declared for the next one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from rules.problems import Refusal
from rules.resolution import Outcome, Task, advance
from warbands.models import Event, Warband
from warbands.services.common import acting, content_of, game_of, sentence
from warbands.services.consequences import carry_out


def use_find(
    *,
    warband: Warband,
    task_key: str,
    actor: Any,
    choices: Mapping[str, Any] | None = None,
    token: str = "",
    seen: int | None = None,
) -> Event:
    """Use up or apply a find or a piece of kit that the game offers in camp. Returns the event.

    `choices` are the player's decisions, by key.

    Raises:
        Refusal: the task does not exist (any more), it is closed, or a decision is missing or invalid.
    """
    with acting(warband, kind="use", actor=actor, token=token, seen=seen) as act:
        tasks = game_of(act).post_battle.camp_tasks(content_of(act), act.force())
        task = next((each for each in tasks if each.key == task_key), None)
        if task is None:
            raise Refusal(_("This can no longer be used."), code="gone")
        outcome = come_to(task, choices)
        carry_out(act, act.warband, outcome.consequences)
        act.say(
            _("{{who}} wrote down: {sentence}").format(sentence=sentence(outcome.sentence)),
            will_do=list(outcome.will_do),
        )
    return act.event


def come_to(task: Task, choices: Mapping[str, Any] | None) -> Outcome:
    """Return the outcome of a camp task with these decisions.

    Raises Refusal if the task is closed, or a decision is missing or invalid.
    """
    if task.closed:
        raise Refusal(f"{task.title}: {task.closed}", code="closed")
    progress = advance(task, (), choices or {})
    if progress.asked is not None:
        raise Refusal(_("Choose first: {choice}").format(choice=progress.asked.words), code="choice")
    if progress.outcome is None:
        raise Refusal(_("{task} needs dice, and no dice are rolled in camp.").format(task=task.title), code="dice")
    return progress.outcome


def declare_teams(
    *,
    warband: Warband,
    picks: Mapping[str, tuple[str, str]],
    actor: Any,
    token: str = "",
    seen: int | None = None,
) -> Event:
    """Replace the teams of the warband. `picks` maps each place to two fighter keys; a missing place stays empty.

    Returns the event.

    Raises:
        Refusal: a pair is not allowed, or nothing changes.
    """
    with acting(warband, kind="teams", actor=actor, token=token, seen=seen) as act:
        campaign, content = game_of(act).campaign, content_of(act)
        force = act.force()
        if campaign is None or campaign.teams(content, force) is None:
            raise Refusal(_("You can't declare this here."), code="not-offered")
        consequences = campaign.form_teams(content, force, picks)
        carry_out(act, act.warband, consequences)
        teams = campaign.teams(content, act.force())
        names = {fighter.key: fighter.name for fighter in force.fighters}
        formed = [
            _("{first} with {second}").format(first=names.get(slot.chosen[0], ""), second=names.get(slot.chosen[1], ""))
            for slot in (teams.slots if teams else ())
            if all(slot.chosen)
        ]
        title = teams.title if teams else _("Teams")
        act.say(
            _("{{who}} declared {title}: {teams}.").format(title=title, teams="; ".join(formed))
            if formed
            else _("{{who}} declared no {title}.").format(title=title.lower())
        )
    return act.event
