"""Acts that history does not take back by itself: dice that fell, and what others answered to. Each has a way of its own."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q

from campaigns.models import Battle, PostBattle
from rules.problems import Refusal
from warbands.models import Event, EventSubject, LedgerEntry
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


def refuse_finals(events: Sequence[Event]) -> dict[int, Refusal]:
    """Which of these acts are not taken back, by id: acts of these kinds, what belongs to a closed sequence, a way that was gone on from.

    At most two queries, and two to four for each way taken.
    """
    of_battles = [event for event in events if event.occasion.startswith("battle:")]
    found = {
        event.pk: Refusal(FINAL[event.kind][0], mend=FINAL[event.kind][1], code="final")
        for event in of_battles
        if event.kind in FINAL
    }
    written = {event.pk: event for event in of_battles if event.kind == "write"}
    if not written:
        return found
    subjects = EventSubject.objects.filter(event__in=written, label=label_of(PostBattle)).order_by("-pk")
    named = dict(subjects.values_list("event_id", "row_id"))
    sequences = PostBattle.objects.select_related("side__battle").in_bulk(set(named.values()))
    for pk, row_id in named.items():
        sequence = sequences.get(row_id)
        if sequence is None:
            continue
        if sequence.closed_at is not None:
            found[pk] = Refusal("This post-battle sequence is closed.", mend="Open it again first.", code="closed")
        elif (
            written[pk].data.get("binds")
            and sequence.side.battle.status != Battle.Status.VOID
            and (refusal := _gone_on_from(written[pk], sequence))
        ):
            found[pk] = refusal
    return found


def _gone_on_from(event: Event, sequence: PostBattle) -> Refusal | None:
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
        return Refusal(f"Dice fell since: {fallen[0].told}", mend="The way that was taken stands.", code="gone-on")
    spent = LedgerEntry.objects.filter(
        Q(ducats__lt=0) | Q(glory__lt=0), warband=sequence.warband_id, event_id__gt=event.pk
    ).exclude(event__kind="amend")
    for entry in spent.select_related("event").order_by("pk"):
        if entry.event.undoes_id is None and is_live(entry.event):
            return Refusal(f"Something was bought since: {entry.event.told}", mend="Undo that first.", code="gone-on")
    return None
