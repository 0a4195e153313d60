"""Runs a draft: its acts go through the same services as on the roster, and everything they wrote is rolled back.

What a draft shows is read while it runs. Nothing of it stays: no event, no token, no row. Rows that its acts make have
the same keys each time, so a page and its forms can name them. The acts are played when something has changed: what
they came to is kept with the draft, and laid down again for the next page (`warbands/draft_outcome.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from rules.force import Force
from rules.problems import Refusal
from warbands.adapters import force_of
from warbands.draft_acts import (
    KINDS,
    MOST_NUMBERS,
    SERVICES,
    DraftAct,
    DraftedService,
    RowRef,
    made_key,
    read_acts,
)
from warbands.draft_context import running
from warbands.draft_outcome import (
    DraftOutcome,
    KeptClash,
    KeptMovement,
    WrittenRows,
    kept_outcome,
    lay_money,
    lay_rows,
    lay_warband,
    marks_between,
    stamp_of,
)
from warbands.models import Change, Event, Fighter, RosterDraft, Warband
from warbands.recorder import Recorder
from warbands.recording import AlreadyDone, Stale, only_gathered, recording

MOST_ACTS = 60
KIND = "draft"  # of the event that an applied draft leaves


@dataclass(frozen=True, slots=True)
class Clash:
    """An act of a draft that the roster does not allow now."""

    act: DraftAct
    reason: str
    mend: str


class DraftPlayer:
    """Plays the acts of one draft inside a gathered recording. `for_real` keeps the keys that the database gives."""

    def __init__(self, draft: RosterDraft, actor: Any, *, for_real: bool) -> None:
        self.draft, self.actor, self.for_real = draft, actor, for_real
        self.made: dict[int, Any] = {}  # rows by the key that the draft gave them; only for real
        self._number = self._place = 0

    def play(self, recorder: Recorder, act: DraftAct) -> None:
        """Call the service of one act. Raises Refusal."""
        service = SERVICES.get(act.do)
        if service is None:
            raise Refusal(_("The app has changed since this was written."), code="unreadable")
        arguments = service.arguments(act.given, lambda ref: self._row(recorder, ref), self.made)
        self.call(recorder, act.number, service, arguments)

    def call(self, recorder: Recorder, number: int, service: DraftedService, arguments: Mapping[str, Any]) -> Any:
        """Call a service as the act with this number. Returns what it returns. Raises Refusal."""
        self._number, self._place = number, 0
        recorder.making = self._make
        return service.call(**{**arguments, "actor": self.actor})

    def _make(self, row: Any) -> None:
        self._place += 1
        key = made_key(self.draft.pk, self._number, self._place)
        if self.for_real:
            self.made[key] = row
        else:
            row.pk = key

    def _row(self, recorder: Recorder, ref: RowRef) -> Any:
        warband = recorder.warband
        if ref.kind == "warband":
            return warband
        pk = self.made[ref.pk].pk if ref.pk in self.made else ref.pk
        row: Any = KINDS[ref.kind]._base_manager.filter(pk=pk, warband_id=warband.pk).first()
        if row is None or row.is_undone:
            raise Refusal(_gone_words(row), code="gone")
        row.warband = warband
        return row


def _gone_words(row: Any) -> str:
    if row is None:
        return _("It needs an earlier change that doesn't work any more.")
    if isinstance(row, Fighter):
        return _("{name} isn't on the roster any more.").format(name=row.name)
    return _("The warband doesn't have this item any more.")


class DraftRun:
    """A draft while it runs. `told` are its acts' sentences as of now, by number; `marks` the fighters that it changes.

    `outcome` is what to keep of it, None if the draft has that already.
    """

    def __init__(self, draft: RosterDraft, actor: Any) -> None:
        self.draft, self.actor = draft, actor
        self.acts = list(read_acts(draft.acts))
        self.clashes: list[Clash] = []
        self.added: list[DraftAct] = []
        self.told: dict[int, str] = {}
        self.marks: dict[str, str] = {}
        self.outcome: DraftOutcome | None = None
        self.is_playing = False
        self.real_version = draft.warband.version
        self.version = 0
        self._before: Force | None = None
        self._after: Force | None = None
        self._ledger: list[KeptMovement] = []
        self._written = WrittenRows()
        self._player = DraftPlayer(draft, actor, for_real=False)

    def play(self, *, only_to_show: bool) -> None:
        """Bring the roster to where the acts lead, those that clash left out.

        Five queries if their outcome is kept, two more if acts may be added. Else the queries of each act's service.
        """
        import_module("warbands.services.draftable")
        kept = kept_outcome(self.draft, stamp_of(self.acts, self.draft.warband))
        if kept is None or not self._lay(kept, only_to_show=only_to_show):
            self._replay()
        self._events = {act.token: self._event_of(act) for act in self.acts if act.token}

    def _event_of(self, act: DraftAct) -> Event:
        return Event(kind=KIND, actor_name=str(self.actor), sentence=act.told)

    def _lay(self, kept: DraftOutcome, *, only_to_show: bool) -> bool:
        """Lay down what the acts came to. Returns False if the roster has just moved on."""
        warband = self.draft.warband
        version = self.real_version + self.draft.revision + 1
        if not lay_warband(kept, warband, version):
            return False
        if not only_to_show:
            self._before = force_of(warband)
        lay_rows(kept)
        lay_money(kept, warband, Event(kind=KIND, actor=self.actor, actor_name=str(self.actor)))
        by_number = {act.number: act for act in self.acts}
        self.clashes = [Clash(by_number[each.number], each.reason, each.mend) for each in kept.clashes]
        self.told = {int(number): told for number, told in kept.told.items()}
        self.marks = kept.marks
        self.version = version
        self._ledger = list(kept.ledger)
        self._written.take(kept)
        return True

    def _replay(self) -> None:
        with self._gathering() as recorder:
            self.real_version = recorder.warband.version
            self._before = recorder.force()
            for act in self.acts:
                try:
                    self._player.play(recorder, act)
                except Refusal as refusal:
                    self.clashes.append(Clash(act, refusal.message, refusal.mend))
                else:
                    self.told[act.number] = recorder.parts[-1]
            recorder.warband.version += self.draft.revision  # so that a page also goes stale when the draft changes

    def keep(self) -> None:
        """Note what there is to keep, while it still stands. Nothing, and no query, if the draft has it already."""
        if self._after is None or self._before is None:
            return
        real = copy(self.draft.warband)
        real.version = self.real_version
        self.outcome = DraftOutcome(
            stamp=stamp_of(self.acts, real),
            told={str(number): told for number, told in self.told.items()},
            clashes=[KeptClash(clash.act.number, clash.reason, clash.mend) for clash in self.clashes],
            marks=self.marks,
            ledger=self._ledger,
            rows=self._written.read(real),
        )

    def add(self, service: DraftedService, arguments: Mapping[str, Any]) -> Any:
        """Try one more act and note it. Returns what the service returns. Raises Refusal, Stale, AlreadyDone."""
        token, seen = arguments.get("token") or "", arguments.get("seen")
        if token in self._events:
            raise AlreadyDone(self._events[token])
        if seen is not None and seen != self.version:
            raise Stale([])
        self._refuse_more()
        number = self.draft.last_number + len(self.added) + 1
        given = service.given(arguments)
        with self._gathering() as recorder:
            result = self._player.call(recorder, number, service, {**arguments, "token": "", "seen": None})
            recorder.say(recorder.parts[-1])
        act = DraftAct(number, service.name, given, recorder.parts[-1], token)
        self.acts.append(act)
        self.added.append(act)
        self.told[number] = act.told
        if token:
            self._events[token] = recorder.event
        return result

    def event_of_token(self, token: str) -> Event | None:
        """Return the event of an act with this token, as it is while the draft runs."""
        return self._events.get(token)

    def _refuse_more(self) -> None:
        if len(self.acts) >= MOST_ACTS or self.draft.last_number + len(self.added) >= MOST_NUMBERS:
            raise Refusal(
                _("A draft holds {count} changes.").format(count=MOST_ACTS),
                mend=_("Apply it, or start another one."),
                code="too-many",
            )

    @contextmanager
    def _gathering(self) -> Iterator[Recorder]:
        self.is_playing = True
        try:
            # A copy: the warband that the draft came with stays as it is today.
            with recording(copy(self.draft.warband), kind=KIND, actor=self.actor, gathers=True) as recorder:
                yield recorder
                self._after = recorder.force()
        finally:
            self.is_playing = False
        self.version = recorder.warband.version
        self._written.note(recorder.changes)
        # A draft is no history: where pages show what happened to a fighter, its acts have not.
        Change.objects.filter(event=recorder.event).delete()
        self._ledger += [KeptMovement(entry.ducats, entry.glory, entry.reason) for entry in recorder.ledger]
        if self._before is not None:
            self.marks = marks_between(self._before, self._after)

    def warband(self) -> Warband:
        """Return the warband as the draft has it, with its terms. One query."""
        return Warband.objects.select_related("terms", "owner").get(pk=self.draft.warband_id)


class _RollBack(Exception):
    """Raised at the end of each run, so that nothing of it stays."""


@contextmanager
def trying(draft: RosterDraft, actor: Any, *, only_to_show: bool = False) -> Iterator[DraftRun]:
    """Run a draft. What is read inside is as the draft would have it; at the end everything is rolled back.

    `only_to_show` saves what is only read for acts that are added.
    """
    run = DraftRun(draft, actor)
    try:
        with transaction.atomic(), only_gathered():
            run.play(only_to_show=only_to_show)
            with running(run):
                yield run
            run.keep()
            raise _RollBack
    except _RollBack:
        pass
