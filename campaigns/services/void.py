"""The services that void a battle, and that bring a voided one back.

A void battle counts for nothing. Voiding undoes what followed it, as far as no later act depends on that; unwinding
also undoes the later acts. The undos belong to the voiding, so one undo of it brings everything back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from campaigns.models import REPORTED, Battle, PostBattle, Seat
from campaigns.scenarios import scenario_name
from campaigns.services.common import live_sides, rehearsed, versus
from campaigns.services.post_battle import reopen_post_battle
from campaigns.services.report_parts import last_event, report_rows, tell_sides
from rules.problems import Refusal
from warbands.models import Event, EventSubject, LedgerEntry, Warband
from warbands.models.event import PART_OF, PARTS
from warbands.recording import AlreadyDone, lock_rows, lock_together, recording
from warbands.undo import is_live, rows_of, standing, undo
from warbands.undo_blockers import leaning_on

FOLLOWS = ("write", "fought", "ransom", "close")
MAX_UNWOUND = 300  # acts; a whole season of one warband
PASSABLE = ("closed", "gone-on")  # reasons against undoing that fall away with everything that came after


@dataclass(frozen=True, slots=True)
class Voided:
    """The consequences of a voided battle: events that were undone, and events that remain with the reason, each as a sentence.

    `later` are acts that followed from other things, and were undone because these consequences had to be.
    """

    undone: tuple[str, ...]
    stands: tuple[str, ...]
    later: tuple[str, ...] = ()


def preview_void(*, battle: Battle, actor: Any, unwinds: bool = False) -> Voided:
    """Return what `void_battle` would undo and what would remain, without saving anything. Raises Refusal as `void_battle` does."""
    return rehearsed(lambda: void_battle(battle=battle, actor=actor, words=_("Preview"), unwinds=unwinds))


def void_battle(*, battle: Battle, actor: Any, words: str, unwinds: bool = False, token: str = "") -> Voided:
    """Void a battle. Its consequences are undone unless a later event depends on them.

    With `unwinds` the later events are undone first, as far as that is possible. Returns what was undone and what
    remains. Raises Refusal without an explanation or for a battle that was never reported, AlreadyDone if it is
    already void.
    """
    words = " ".join(words.split())
    if not words:
        raise Refusal(_("Give a reason."), code="no-words", field="words")
    with transaction.atomic():
        lock_together([battle.campaign])  # from now on nobody sets up another battle
        sides = live_sides(battle)
        begun = list(PostBattle.objects.live().filter(side__battle=battle, side__is_undone=False))
        warbands = [side.warband for side in sides if side.warband is not None]
        own = {(row._meta.label, row.pk) for row in (battle, *sides, *begun, *warbands)}
        lock_rows(own | _rows_at_stake(battle, unwinds))
        _refuse_unreported(battle)
        # First what followed, so that each undo finds the battle as its act left it. The voiding is then told last.
        unwinding = _Unwinding(actor, unwinds)
        voided = unwinding.undo_all(followed(battle))
        with recording(
            battle.campaign, battle, *sides, *begun, kind="void", actor=actor, occasion=battle.occasion, token=token
        ) as act:
            row, sides = report_rows(act, battle, sides)
            act.change(row, status=Battle.Status.VOID, confirm_by=None)
            for sequence in begun:
                act.change(act.row(sequence), closed_at=None)
            tell_sides(act, sides)
            told = (
                _("{{who}} voided {scenario_name} and what depends on it, {versus}: “{words}”")
                if unwinds
                else _("{{who}} voided {scenario_name}, {versus}: “{words}”")
            )
            act.say(
                told.format(scenario_name=scenario_name(row), versus=versus(sides), words=words),
                **{"stands": list(voided.stands), PARTS: unwinding.parts},
            )
        unwinding.belong_to(act.event)
    return voided


def _rows_at_stake(battle: Battle, unwinds: bool) -> set[tuple[str, int]]:
    """Return what the undos may lock, so that it can be locked at once and in order: who plays a later battle waits for it, or is waited for.

    These are the rows that the acts to undo are about. What has to go besides is known only while unwinding: any later
    act on a battle or a warband of the campaign.
    """
    events = [event.pk for event in followed(battle)]
    if not events:
        return set()
    acts: Any = events
    if unwinds:
        battles = Battle.objects.filter(campaign=battle.campaign_id).values("pk")
        warbands = Seat.objects.filter(campaign=battle.campaign_id, warband__isnull=False).values("warband_id")
        acts = EventSubject.objects.filter(
            Q(label=Battle._meta.label, row_id__in=battles) | Q(label=Warband._meta.label, row_id__in=warbands),
            event_id__gte=min(events),
        ).values("event_id")
    return rows_of(acts)


def _refuse_unreported(battle: Battle) -> None:
    """Raise AlreadyDone if the locked battle is void, Refusal if it was not reported."""
    status = Battle.objects.values_list("status", flat=True).get(pk=battle.pk)
    if status == Battle.Status.VOID:
        raise AlreadyDone(last_event(battle, "void"))
    if status not in REPORTED:
        raise Refusal(_("Not played yet."), mend=_("Cancel it instead."), code="not-reported")


def voiding_of(battle: Battle) -> Event | None:
    """Return the act by which a battle is void, None if it is not. A few queries."""
    if battle.status != Battle.Status.VOID:
        return None
    voided = last_event(battle, "void")
    return voided if voided is not None and is_live(voided) else None


def restore_battle(*, battle: Battle, actor: Any, token: str = "") -> Event:
    """Bring a void battle back with everything that voiding it undid, as one act. Returns the undo.

    Raises Refusal if the battle is not void, or if a later act depends on what would come back.
    """
    voided = voiding_of(battle)
    if voided is None:
        raise Refusal(_("This battle isn't void."), code="not-void")
    return undo(event=voided, actor=actor, token=token)


def followed(battle: Battle) -> list[Event]:
    """Return the live events that followed from a battle, newest first; voiding the battle undoes them. One query."""
    acts = Q(kind__in=FOLLOWS) | Q(undoes__isnull=False)
    events = list(Event.objects.filter(acts, occasion=battle.occasion).order_by("-pk"))
    undone_by = {event.undoes_id: event.pk for event in events if event.undoes_id}

    def stands(pk: int) -> bool:
        return pk not in undone_by or not stands(undone_by[pk])

    return [event for event in events if event.kind in FOLLOWS and stands(event.pk)]


@dataclass
class _Unwinding:
    """Undoes events as part of one act. `parts` are the ids of the undos, `later` the sentences of what had to go besides."""

    actor: Any
    deep: bool
    parts: list[int] = field(default_factory=list)
    later: list[str] = field(default_factory=list)

    def belong_to(self, whole: Event) -> None:
        """Mark the undos as parts of the act that is written now."""
        for undoing in Event.objects.filter(pk__in=self.parts):
            undoing.data[PART_OF] = whole.pk
            undoing.save(update_fields=["data"])

    def undo_all(self, events: Iterable[Event]) -> Voided:
        undone, stands = [], []
        for event in events:
            kept = len(self.parts), len(self.later)
            try:
                with transaction.atomic():
                    self._undo(event, frozenset(), own=True)
            except Refusal as refusal:
                del self.parts[kept[0] :]
                del self.later[kept[1] :]
                stands.append(f"{event.told} {refusal}")
            else:
                undone.append(event.told)
        return Voided(tuple(undone), tuple(stands), tuple(self.later))

    def _undo(self, event: Event, under: frozenset[int], own: bool = False) -> None:
        """Undo an event; when unwinding, first everything that depends on it. `under` are the events being undone for now."""
        if standing(event) is None:
            return  # undone on the way
        if not self.deep:
            self.parts.append(self._undo_one(event, own).pk)
            return
        if event.pk in under or len(self.parts) >= MAX_UNWOUND:
            raise Refusal(_("Too much depends on this."), code="too-deep")
        under = under | {event.pk}
        for later in reversed(leaning_on(standing(event) or event)):
            self._undo_later(later, under)
        while True:
            try:
                with transaction.atomic():
                    self.parts.append(self._undo_one(event, own).pk)
                return
            except Refusal as refusal:
                spender = _last_spending(event) if refusal.code == "spent" else None
                if spender is None:
                    raise
            self._undo_later(spender, under)

    def _undo_later(self, later: Event, under: frozenset[int]) -> None:
        if standing(later) is None:
            return
        told = later.root.told
        self._undo(later, under)
        self.later.append(told)

    def _undo_one(self, event: Event, own: bool) -> Event:
        """Undo one event. What followed the battle itself goes whatever its game says against that; the rest as others may."""
        try:
            with transaction.atomic():
                return undo(event=event, actor=self.actor, by_right=False, guarded=not own)
        except Refusal as refusal:
            if not self.deep or refusal.code not in PASSABLE:
                raise
        self._reopen(event)
        return undo(event=event, actor=self.actor, by_right=False, guarded=False)

    def _reopen(self, event: Event) -> None:
        """Reopen the closed sequences that an event was written in, since their post-battle is not finished without it."""
        labels = EventSubject.objects.filter(event=event, label=PostBattle._meta.label)
        closed = PostBattle.objects.filter(pk__in=labels.values("row_id"), closed_at__isnull=False)
        for sequence in closed:
            reopen_post_battle(post_battle=sequence, actor=self.actor)
            closings = Event.objects.filter(
                undoes__kind="close", subjects__label=PostBattle._meta.label, subjects__row_id=sequence.pk
            )
            undoing = closings.latest("pk")
            self.parts.append(undoing.pk)
            self.later.append(undoing.root.told)


def _last_spending(event: Event) -> Event | None:
    """Return the newest act in effect after this one that took money from a warband of it, if there is any."""
    changed = EventSubject.objects.filter(event=event, warband__isnull=False).values("warband")
    entries = (
        LedgerEntry.objects.filter(Q(ducats__lt=0) | Q(glory__lt=0), warband__in=changed, event_id__gt=event.pk)
        .exclude(event__kind="undo")
        .select_related("event")
        .order_by("-pk")
    )
    owing = [warband.pk for warband in Warband.objects.filter(pk__in=changed)]
    return next((entry.event for entry in entries if entry.warband_id in owing and is_live(entry.event)), None)
