"""The service that voids a battle: the battle counts for nothing, and its consequences are undone as far as possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from campaigns.models import REPORTED, Battle, PostBattle
from campaigns.scenarios import scenario_name
from campaigns.services.common import live_sides, rehearsed, versus
from campaigns.services.report_parts import last_event, report_rows, tell_sides
from rules.problems import Refusal
from warbands.models import Event
from warbands.recording import AlreadyDone, recording
from warbands.undo import undo

FOLLOWS = ("write", "fought", "ransom")


@dataclass(frozen=True, slots=True)
class Voided:
    """The consequences of a voided battle: events that were undone, and events that remain with the reason, each as a sentence."""

    undone: tuple[str, ...]
    stands: tuple[str, ...]


def preview_void(*, battle: Battle, actor: Any) -> Voided:
    """Return what `void_battle` would undo and what would remain, without saving anything. Raises Refusal as `void_battle` does."""
    return rehearsed(lambda: void_battle(battle=battle, actor=actor, words=_("Preview")))


def void_battle(*, battle: Battle, actor: Any, words: str, token: str = "") -> Voided:
    """Void a battle. Its consequences are undone unless a later event depends on them.

    Returns what was undone and what remains. Raises Refusal without an explanation or for a battle that was never
    reported, AlreadyDone if it is already void.
    """
    words = " ".join(words.split())
    if not words:
        raise Refusal(_("Give a reason."), code="no-words")
    with transaction.atomic():
        sides = live_sides(battle)
        begun = list(PostBattle.objects.live().filter(side__battle=battle, side__is_undone=False))
        with recording(
            battle.campaign, battle, *sides, *begun, kind="void", actor=actor, occasion=battle.occasion, token=token
        ) as act:
            row, sides = report_rows(act, battle, sides)
            if row.status == Battle.Status.VOID:
                raise AlreadyDone(last_event(row, "void"))
            if row.status not in REPORTED:
                raise Refusal(_("Not played yet."), mend=_("Cancel it instead."), code="not-reported")
            act.change(row, status=Battle.Status.VOID, confirm_by=None)
            for sequence in begun:
                act.change(act.row(sequence), closed_at=None)
            tell_sides(act, sides)
            act.say(
                _("{{who}} voided {scenario_name}, {versus}: “{words}”").format(
                    scenario_name=scenario_name(row), versus=versus(sides), words=words
                )
            )
        voided = _undo_what_followed(battle, actor)
        act.event.data["stands"] = list(voided.stands)
        act.event.save(update_fields=["data"])
    return voided


def followed(battle: Battle) -> list[Event]:
    """Return the live events that followed from a battle, newest first; voiding the battle undoes them. One query."""
    acts = Q(kind__in=FOLLOWS) | Q(undoes__isnull=False)
    events = list(Event.objects.filter(acts, occasion=battle.occasion).order_by("-pk"))
    undone_by = {event.undoes_id: event.pk for event in events if event.undoes_id}

    def stands(pk: int) -> bool:
        return pk not in undone_by or not stands(undone_by[pk])

    return [event for event in events if event.kind in FOLLOWS and stands(event.pk)]


def _undo_what_followed(battle: Battle, actor: Any) -> Voided:
    undone, stands = [], []
    for event in followed(battle):
        try:
            with transaction.atomic():
                undo(event=event, actor=actor, by_right=False)
        except Refusal as refusal:
            stands.append(f"{event.told} {refusal}")
        else:
            undone.append(event.told)
    return Voided(tuple(undone), tuple(stands))
