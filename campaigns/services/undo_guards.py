"""Guards that refuse to undo certain events: dice rolls, and events that others have answered. Each can be corrected in another way."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q, prefetch_related_objects
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import Battle, PostBattle
from rules.problems import Refusal
from warbands.models import Event, EventSubject, LedgerEntry, Warband

FINAL = {
    "roll": (gettext_lazy("Dice rolls can't be undone."), gettext_lazy("You can undo a mistyped roll in its step.")),
    "mistyped": (gettext_lazy("A roll was undone here, and your opponent can see that."), ""),
    "report": (
        gettext_lazy("A report can't be undone."),
        gettext_lazy("You can amend it. An administrator can void the battle."),
    ),
    "amend": (gettext_lazy("A report can't be undone."), gettext_lazy("You can amend it again.")),
    "confirm": (
        gettext_lazy("A confirmation can't be undone."),
        gettext_lazy("An administrator can amend the report or void the battle."),
    ),
    "dispute": (gettext_lazy("An administrator decides this dispute."), ""),
    "decide": (gettext_lazy("An administrator decided this."), gettext_lazy("The report can be amended again.")),
    "flag": (gettext_lazy("An administrator decided this."), gettext_lazy("An administrator can decide again.")),
}

# Acts outside of battles that reached somebody elsewhere.
LEFT = {
    "remind": (gettext_lazy("Reminders have left."), ""),
    "discord": (
        gettext_lazy("The webhook isn't kept in the history."),
        gettext_lazy("Connect or remove the channel on its page."),
    ),
}


def refuse_finals(events: Sequence[Event]) -> dict[int, Refusal]:
    """Return, by id, the refusals for those of these events that cannot be undone.

    These are events of final kinds, events of a closed sequence, and a binding choice that something depends on. Two
    queries at most, two to four more if there was a binding choice; one less if the subjects of the events are
    prefetched.
    """
    of_battles = [event for event in events if event.occasion.startswith("battle:")]
    found = {
        event.pk: Refusal(FINAL[event.kind][0], mend=FINAL[event.kind][1], code="final")
        for event in of_battles
        if event.kind in FINAL
    }
    found |= {
        event.pk: Refusal(LEFT[event.kind][0], mend=LEFT[event.kind][1], code="final")
        for event in events
        if event.kind in LEFT
    }
    taken: list[tuple[Event, PostBattle]] = []
    for event, sequence in _sequences([event for event in of_battles if event.kind == "write"]):
        if sequence.closed_at is not None:
            found[event.pk] = Refusal(_("This post-battle is finished."), mend=_("Reopen it first."), code="closed")
        elif event.data.get("binds") and sequence.side.battle.status != Battle.Status.VOID:
            taken.append((event, sequence))
    return {**found, **_gone_on_from(taken)}


def _sequences(written: Sequence[Event]) -> list[tuple[Event, PostBattle]]:
    """Return the sequence in which each of these tasks was written. Two queries at most."""
    prefetch_related_objects(written, "subjects")
    label = PostBattle._meta.label
    named = {event.pk: each.row_id for event in written for each in event.subjects.all() if each.label == label}
    sequences = PostBattle.objects.select_related("side__battle").in_bulk(set(named.values())) if named else {}
    return [(event, sequences[named[event.pk]]) for event in written if named.get(event.pk) in sequences]


def _gone_on_from(taken: Sequence[tuple[Event, PostBattle]]) -> dict[int, Refusal]:
    """Refuse to undo binding choices after which dice were rolled or something was bought, so that nobody can look at
    the dice first.

    Three queries at most; none if `taken` is empty.
    """
    if not taken:
        return {}
    found: dict[int, Refusal] = {}
    first = min(event.pk for event, _ in taken)
    rolls = EventSubject.objects.filter(
        label=PostBattle._meta.label,
        row_id__in=[sequence.pk for _, sequence in taken],
        event_id__gt=first,
        event__kind__in=["roll", "mistyped"],
    )
    by_sequence: dict[int, list[Event]] = {}
    for subject in rolls.select_related("event").order_by("event_id"):
        by_sequence.setdefault(subject.row_id, []).append(subject.event)
    for event, sequence in taken:
        fallen: list[Event] = []
        for roll in by_sequence.get(sequence.pk, ()):
            if roll.pk > event.pk and roll.kind == "roll":
                fallen.append(roll)
            elif roll.pk > event.pk and fallen:
                fallen.pop()
        if fallen:
            words = _("Dice were rolled since: {told}").format(told=fallen[0].told)
            found[event.pk] = Refusal(words, mend=_("The choice can't be changed."), code="gone-on")
    left = [(event, sequence) for event, sequence in taken if event.pk not in found]
    return {**found, **_bought_since(left)}


def _bought_since(taken: Sequence[tuple[Event, PostBattle]]) -> dict[int, Refusal]:
    """Refuse to undo binding choices after which money was spent. Two queries at most; none if `taken` is empty."""
    if not taken:
        return {}
    warbands = {sequence.warband_id for _, sequence in taken}
    spent = list(
        LedgerEntry.objects.filter(
            Q(ducats__lt=0) | Q(glory__lt=0),
            warband__in=warbands,
            event_id__gt=min(event.pk for event, _ in taken),
            event__undoes__isnull=True,
        )
        .exclude(event__kind="amend")
        .select_related("event")
        .order_by("pk")
    )
    if not spent:
        return {}
    undoings = EventSubject.objects.filter(
        label=Warband._meta.label,
        row_id__in=warbands,
        event_id__gt=min(entry.event_id for entry in spent),
        event__undoes__isnull=False,
    )
    undone_by = dict(undoings.order_by().values_list("event__undoes", "event_id"))

    def stands(pk: int) -> bool:
        return pk not in undone_by or not stands(undone_by[pk])

    found = {}
    for event, sequence in taken:
        for entry in spent:
            if entry.warband_id == sequence.warband_id and entry.event_id > event.pk and stands(entry.event_id):
                words = _("Something was bought since: {told}").format(told=entry.event.told)
                found[event.pk] = Refusal(words, mend=_("Undo that first."), code="gone-on")
                break
    return found
