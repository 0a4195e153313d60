"""Acts that history does not take back by itself: dice that fell, and what others answered to. Each has a way of its own."""

from __future__ import annotations

from django.db.models import Q

from campaigns.models import Battle, PostBattle
from rules.problems import Refusal
from warbands.models import Event, LedgerEntry
from warbands.recording import is_live, label_of

FINAL = {
    "roll": ("The dice fell; they stand.", "A roll typed in by mistake is taken back in its step."),
    "mistyped": ("A roll was taken back here, which the other side may see.", ""),
    "report": ("A report is not undone.", "It can be amended, and an administrator can void the battle."),
    "amend": ("A report is not undone.", "It can be amended again."),
    "confirm": ("A confirmation stands.", "An administrator can amend the report or void the battle."),
    "dispute": ("A dispute waits for an administrator.", ""),
    "decide": ("An administrator decided this.", "The report can be amended again."),
    "flag": ("An administrator settled this.", "It can be settled anew."),
    "void": ("A battle once voided stays void.", "Set it up anew."),
}


def refuse_final(event: Event) -> None:
    """Raise Refusal for an act of these kinds, for what belongs to a closed sequence, and for a way taken that was gone on from.

    At most two queries, four for a way taken.
    """
    if event.kind in FINAL and event.occasion.startswith("battle:"):
        message, mend = FINAL[event.kind]
        raise Refusal(message, mend=mend, code="final")
    if event.kind == "write" and event.occasion.startswith("battle:"):
        subject = event.subjects.filter(label=label_of(PostBattle)).first()
        sequence = (
            PostBattle.objects.filter(pk=subject.row_id).select_related("side__battle").first() if subject else None
        )
        if sequence is None:
            return
        if sequence.closed_at is not None:
            raise Refusal("This post-battle sequence is closed.", mend="Open it again first.", code="closed")
        if event.data.get("binds") and sequence.side.battle.status != Battle.Status.VOID:
            _refuse_gone_on_from(event, sequence)


def _refuse_gone_on_from(event: Event, sequence: PostBattle) -> None:
    """A way that was taken is undone whole until something is bought or rolled on it; nobody looks at the dice first."""
    rolled = Event.objects.filter(
        pk__gt=event.pk,
        subjects__label=label_of(PostBattle),
        subjects__row_id=sequence.pk,
        kind__in=["roll", "mistyped"],
    ).order_by("pk")
    fallen: list[Event] = []
    for roll in rolled:
        if roll.kind == "roll":
            fallen.append(roll)
        elif fallen:
            fallen.pop()
    if fallen:
        raise Refusal(f"Dice fell since: {fallen[0].told}", mend="The way that was taken stands.", code="gone-on")
    spent = LedgerEntry.objects.filter(
        Q(ducats__lt=0) | Q(glory__lt=0), warband=sequence.warband_id, event_id__gt=event.pk
    ).exclude(event__kind="amend")
    for entry in spent.select_related("event").order_by("pk"):
        if entry.event.undoes_id is None and is_live(entry.event):
            raise Refusal(f"Something was bought since: {entry.event.told}", mend="Undo that first.", code="gone-on")
