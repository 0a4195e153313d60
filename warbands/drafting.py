"""Runs a draft: its acts go through the same services as on the roster, and everything they wrote is rolled back.

What a draft shows is read while it runs. Nothing of it stays: no event, no token, no row. Rows that its acts make have
the same keys each time, so a page and its forms can name them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from rules.force import Force
from rules.problems import Refusal
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
from warbands.models import Event, Fighter, RosterDraft, Warband
from warbands.recording import AlreadyDone, Recorder, Stale, only_gathered, recording

MOST_ACTS = 60
KIND = "draft"  # of the event that an applied draft leaves


@dataclass(frozen=True, slots=True)
class Clash:
    """An act of a draft that the roster does not allow now."""

    act: DraftAct
    reason: str
    mend: str


class Player:
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
    """A draft while it runs. `before` is the roster of today; `told` are its acts' sentences as of now, by number."""

    def __init__(self, draft: RosterDraft, actor: Any) -> None:
        self.draft, self.actor = draft, actor
        self.acts = list(read_acts(draft.acts))
        self.clashes: list[Clash] = []
        self.added: list[DraftAct] = []
        self.told: dict[int, str] = {}
        self.is_playing = False
        self.version = self.real_version = 0
        self.before: Force
        self._events: dict[str, Event] = {}
        self._player = Player(draft, actor, for_real=False)

    def play(self) -> None:
        """Play all acts, those that clash left out. About four queries for each act on top of its service's own."""
        import_module("warbands.services.draftable")
        with self._gathering() as recorder:
            self.real_version = recorder.warband.version
            self.before = recorder.force()
            for act in self.acts:
                try:
                    self._player.play(recorder, act)
                except Refusal as refusal:
                    self.clashes.append(Clash(act, refusal.message, refusal.mend))
                else:
                    self.told[act.number] = recorder.parts[-1]
                if act.token:
                    self._events[act.token] = Event(kind=KIND, actor_name=str(self.actor), sentence=act.told)
            recorder.warband.version += self.draft.revision  # so that a page also goes stale when the draft changes

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
            with recording(self.draft.warband, kind=KIND, actor=self.actor, gathers=True) as recorder:
                yield recorder
        finally:
            self.is_playing = False
        self.version = recorder.warband.version

    def warband(self) -> Warband:
        """Return the warband as the draft has it, with its terms. One query."""
        return Warband.objects.select_related("terms", "owner").get(pk=self.draft.warband_id)


class _RollBack(Exception):
    """Raised at the end of each run, so that nothing of it stays."""


@contextmanager
def trying(draft: RosterDraft, actor: Any) -> Iterator[DraftRun]:
    """Run a draft. What is read inside is as the draft would have it; at the end everything is rolled back."""
    run = DraftRun(draft, actor)
    try:
        with transaction.atomic(), only_gathered():
            run.play()
            with running(run):
                yield run
            raise _RollBack
    except _RollBack:
        pass
