"""The only door through which player data is written.

`recording()` opens one transaction, locks its subjects in a fixed order, writes one `Event`, records every field it changes, appends
ledger entries, and on leaving recomputes what is cached (strongbox from the ledger, rating and problems from the roster). Whatever
raises inside it leaves nothing behind. `undo()` walks an event's recorded changes backwards as an event of its own; what stands in
the way of that is found by `warbands.undo_blockers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.db.models import Q, Sum

from rules.force import Force
from rules.price import Price
from rules.problems import Refusal
from warbands.adapters import PRESENT, force_of
from warbands.host import host
from warbands.models import Change, Event, EventSubject, Item, LedgerEntry, Terms, Warband
from warbands.models.base import Recorded
from warbands.rights import ACT, act_of_undoing, refuse_undo
from warbands.verdicts import judge

Leaf = tuple[str, ...]
CACHED = (
    "strongbox_ducats",
    "strongbox_glory",
    "rating_ducats",
    "rating_glory",
    "problem_count",
    "judged_under",
    "fighter_count",
)


class AlreadyDone(Exception):
    """The form's one-use token was spent before: `event` is what it did."""

    def __init__(self, event: Event | None) -> None:
        super().__init__("This was already done.")
        self.event = event


class Stale(Refusal):
    """The form was drawn from an older version of the roster: `events` is what happened since, oldest first."""

    def __init__(self, events: list[Event]) -> None:
        told = " ".join(event.told for event in events[-3:]) or "The roster changed."
        super().__init__(
            f"While this page was open: {told}", mend="Your choice is kept; press again to go on.", code="stale"
        )
        self.events = events


def label_of(row: models.Model | type[models.Model]) -> str:
    """The name under which history knows a kind of row, e.g. "warbands.Fighter"."""
    return f"{row._meta.app_label}.{row._meta.object_name}"


class Recorder:
    """What an act does, while its transaction is open. Made by `recording()`."""

    def __init__(self, event: Event, rows: dict[tuple[str, int], Recorded], first: Warband | None) -> None:
        self.event = event
        self.allow_below_zero = False
        self._rows = rows
        self._first = first
        self._changes: list[Change] = []
        self._ledger: list[LedgerEntry] = []
        self._told_to: set[int] = set()  # warbands that only read of the act
        self._unsaved: dict[int, set[str]] = {}  # fields of warbands, which are saved once, when the act is closed

    # --- subjects
    def row(self, row: Any) -> Any:
        """The locked, freshly read twin of a subject."""
        return self._rows[(label_of(row), row.pk)]

    @property
    def warbands(self) -> list[Warband]:
        """The warbands among the subjects, in id order."""
        return [row for row in self._rows.values() if isinstance(row, Warband)]

    @property
    def warband(self) -> Warband:
        """The warband the act is about: the first one it was given, or the one it founded."""
        return self._first or self.warbands[0]

    def force(self, warband: Warband | None = None) -> Force:
        """The warband as the rules see it right now. Two queries."""
        return force_of(self.row(warband) if warband is not None else self.warband)

    # --- writes
    def create(self, row: Any) -> Any:
        """Save a new row and record its creation. A new warband becomes a subject of the act."""
        row.save(force_insert=True)
        if isinstance(row, Warband):
            self._rows[(label_of(row), row.pk)] = row
        self._changes.append(Change(event=self.event, label=label_of(row), row_id=row.pk))
        return row

    def also_about(self, row: Any) -> Any:
        """Make a row that this act created a subject of it: its history begins here. Returns the row."""
        self._rows.setdefault((label_of(row), row.pk), row)
        return row

    def also_told_to(self, warband: Warband) -> None:
        """Let the act stand in the history of a warband that it does not change; its version stays, no open form turns stale."""
        self._told_to.add(warband.pk)

    def change(self, row: Any, **fields: Any) -> Any:
        """Set fields of a row (read afresh first) and record each that differs. Returns the fresh row; `row` is brought up to date."""
        return self._write(row, fields, ())

    def set_leaf(self, row: Any, path: Leaf, value: Any, *, field: str = "state") -> Any:
        """Set one leaf inside a JSON field and record it by its path. None removes the leaf."""
        return self._write(row, {}, ((field, path, value),))

    def pay(self, price: Price, *, reason: str, warband: Warband | None = None) -> None:
        """Take money out of the strongbox. Going below zero is refused when the act is closed, except while founding."""
        self._move(warband, -price.ducats, -price.glory, reason)

    def earn(self, price: Price, *, reason: str, warband: Warband | None = None) -> None:
        """Put money into the strongbox."""
        self._move(warband, price.ducats, price.glory, reason)

    def say(self, sentence: str, **data: Any) -> None:
        """Tell what happened: `{who}` stands for the person. `data` is kept with the event."""
        self.event.sentence = sentence if len(sentence) <= 400 else sentence[:399] + "…"
        self.event.data.update(data)

    def touched(self, row: Any) -> bool:
        """Whether this act has recorded anything about the row."""
        return any(c.row_id == row.pk and c.label == label_of(row) for c in self._changes)

    # --- inside
    def _counts(self, row: Recorded) -> bool:
        """Whether this act made the row, or changed a field of it that its version counts."""
        wanted = {"", *row.counted}
        return any(c.field in wanted and c.row_id == row.pk and c.label == label_of(row) for c in self._changes)

    def _write(self, row: Any, fields: dict[str, Any], leaves: tuple[tuple[str, Leaf, Any], ...]) -> Any:
        """Set whole fields and JSON leaves of one row with one save, each recorded as it was and as it is."""
        fresh = self._fresh(row)
        names: set[str] = set()
        for name, value in fields.items():
            field = fresh._meta.get_field(name)
            before = deepcopy(_plain(field, getattr(fresh, field.attname)))
            setattr(fresh, name, value)
            after = deepcopy(_plain(field, getattr(fresh, field.attname)))
            if before != after:
                names.add(name)
                self._note(fresh, name, "", before, after)
        for name, path, value in leaves:
            data = getattr(fresh, name)
            before = deepcopy(_leaf(data, path))
            if before != value or isinstance(before, bool) != isinstance(value, bool):
                _set_leaf(data, path, deepcopy(value))
                names.add(name)
                self._note(fresh, name, "/".join(path), before, deepcopy(value))
        if isinstance(fresh, Warband):
            self._unsaved.setdefault(fresh.pk, set()).update(names)
        elif names:
            fresh.save(update_fields=sorted(names))
        if fresh is not row:
            for name in {*fields, *(name for name, _, _ in leaves)}:
                setattr(row, name, getattr(fresh, name))
        return fresh

    def _note(self, row: Any, field: str, path: str, before: Any, after: Any) -> None:
        self._changes.append(
            Change(
                event=self.event,
                label=label_of(row),
                row_id=row.pk,
                field=field,
                path=path,
                before=before,
                after=after,
            )
        )

    def _fresh(self, row: Any) -> Any:
        known = self._rows.get((label_of(row), row.pk))
        if known is not None:
            return known
        if isinstance(row, Warband):
            raise LookupError(f"{row} is no subject of this act, so it is not locked.")
        return type(row)._base_manager.get(pk=row.pk)

    def _move(self, warband: Warband | None, ducats: int, glory: int, reason: str) -> None:
        if not ducats and not glory:
            return
        holder = self.row(warband) if warband is not None else self.warband
        entry = LedgerEntry.objects.create(
            warband=holder, event=self.event, ducats=ducats, glory=glory, reason=reason[:200]
        )
        self._ledger.append(entry)
        holder.strongbox_ducats += ducats  # what offers see until the sum is drawn on closing
        holder.strongbox_glory += glory

    def _close(self) -> None:
        Change.objects.bulk_create(self._changes)
        for warband in self.warbands:
            # Terms changed by this very act are the ones to judge under.
            warband.terms = self._rows.get((label_of(Terms), warband.terms_id), warband.terms)  # type: ignore[assignment]
            recompute(warband)
            if warband.status == Warband.Status.CAMP and not self.allow_below_zero:
                _refuse_below_zero(warband)
            _refuse_homeless(warband)
            warband.version += 1
            warband.save(update_fields=[*CACHED, "version", *sorted(self._unsaved.get(warband.pk, ()))])
        for row in self._rows.values():
            if row.counted and self._counts(row):
                row.version += 1  # type: ignore[attr-defined]
                row.save(update_fields=row.saved_with_count)
        EventSubject.objects.bulk_create(
            EventSubject(
                event=self.event,
                label=label,
                row_id=pk,
                warband=row if isinstance(row, Warband) else None,
                number=row.version if isinstance(row, Warband) or row.counted else None,  # type: ignore[attr-defined]
            )
            for (label, pk), row in self._rows.items()
        )
        readers = self._told_to - {warband.pk for warband in self.warbands}
        EventSubject.objects.bulk_create(
            EventSubject(event=self.event, label=label_of(Warband), row_id=pk, warband_id=pk) for pk in sorted(readers)
        )
        news = set(host().news_readers(self.event, list(self._rows.values())))
        EventSubject.objects.bulk_create(
            EventSubject(event=self.event, label=label, row_id=pk, is_news=True)
            for label, pk in sorted(news - self._rows.keys())
        )
        self.event.save(update_fields=["sentence", "data", "for_name", "occasion"])


def _refuse_below_zero(warband: Warband) -> None:
    if warband.strongbox_ducats < 0 or warband.strongbox_glory < 0:
        words = warband.terms.game.labels(warband.terms.content)
        short = Price(ducats=max(0, -warband.strongbox_ducats), glory=max(0, -warband.strongbox_glory))
        raise Refusal(
            f"The {words['strongbox_within']} of {warband.name} is {short} short.",
            mend=f"Sell something from the {words['stash_within']} first.",
            code="money",
        )


def homeless_items(warband: Warband) -> list[Item]:
    """Held kit whose carrier is on the roster no longer: there must never be any. One query."""
    held = Item.objects.live().filter(warband=warband, status=Item.Status.HELD, fighter__isnull=False)
    return list(held.filter(Q(fighter__is_undone=True) | ~Q(fighter__status__in=PRESENT)).select_related("fighter"))


def _refuse_homeless(warband: Warband) -> None:
    if homeless := homeless_items(warband):
        name = homeless[0].fighter.name  # type: ignore[union-attr]
        raise Refusal(
            f"This would put kit into the hands of {name}, who is on the roster no longer.",
            mend=f"Undo what took {name} off the roster first.",
            code="leaned-on",
        )


def recompute(warband: Warband) -> None:
    """Work out every cached number of a warband from its ledger and roster (not saved). Three queries."""
    sums = LedgerEntry.objects.filter(warband=warband).aggregate(ducats=Sum("ducats"), glory=Sum("glory"))
    warband.strongbox_ducats = sums["ducats"] or 0
    warband.strongbox_glory = sums["glory"] or 0
    force = force_of(warband)
    judge(warband, force)
    warband.fighter_count = warband.terms.game.headcount(warband.terms.content, force)


@contextmanager
def recording(
    *subjects: Recorded,
    kind: str,
    actor: Any,
    for_name: str | None = None,
    occasion: str = "",
    token: str = "",
    seen: int | None = None,
    undoes: Event | None = None,
) -> Iterator[Recorder]:
    """One act on these rows, in one transaction.

    `actor` is a user or None (the app itself). `token` is the form's one-use token: spent before, it raises `AlreadyDone`. `seen` is
    the version of the first warband given (else of the first row whose changes are counted) that the form was drawn from: where that is
    not the present one, it raises `Stale`.
    `for_name` names the person acted for; left out, it is the first warband's owner where somebody else acts; "" is nobody.
    Warbands passed in have their version and cached numbers brought up to date when the act is closed.
    """
    try:
        with transaction.atomic():
            if token and (spent := Event.objects.filter(token=token).first()):
                raise AlreadyDone(spent)
            rows = _lock(subjects, also_undone=undoes is not None)
            if token and (spent := Event.objects.filter(token=token).first()):
                raise AlreadyDone(spent)  # another request spent it while we waited for the lock
            first = next((rows[(label_of(row), row.pk)] for row in subjects if isinstance(row, Warband)), None)
            versioned = first or next(
                (row for row in (rows[(label_of(row), row.pk)] for row in subjects) if row.counted), None
            )
            if seen is not None and versioned is not None and versioned.version != seen:
                raise Stale(events_since(versioned, seen))
            if for_name is None:
                for_name = acted_for(first, actor) if isinstance(first, Warband) else ""
            event = Event.objects.create(
                kind=kind,
                actor=actor,
                actor_name=str(actor) if actor is not None else "",
                for_name=for_name,
                occasion=occasion,
                token=token or None,
                undoes=undoes,
            )
            recorder = Recorder(event, rows, first)  # type: ignore[arg-type]
            yield recorder
            recorder._close()
    except IntegrityError as error:
        if token and (spent := Event.objects.filter(token=token).first()):
            raise AlreadyDone(spent) from error
        if undoes is not None:
            if Event.objects.filter(undoes=undoes).exists():
                raise Refusal("This was already undone.", code="undone") from error
            raise Refusal("Something made since stands in its place.", code="leaned-on") from error
        raise
    for given in subjects:
        if isinstance(given, Warband):
            fresh = rows[(label_of(given), given.pk)]
            for name in (*CACHED, "version", "status"):
                setattr(given, name, getattr(fresh, name))
        elif given.counted:
            given.version = rows[(label_of(given), given.pk)].version  # type: ignore[attr-defined]


def refuse_put_away(warband: Warband) -> None:
    """Raise Refusal for a warband that was archived or disbanded: it can only be read."""
    if warband.status == Warband.Status.DISBANDED:
        raise Refusal(f"{warband.name} was disbanded; it can only be read.", mend="Undo the disbanding.", code="closed")
    if warband.status == Warband.Status.ARCHIVED:
        raise Refusal(f"{warband.name} is archived; it can only be read.", mend="Bring it back first.", code="closed")


def acted_for(warband: Warband, actor: Any) -> str:
    """The owner's name where somebody else acts on an owned warband, else ""."""
    return str(warband.owner) if actor is not None and warband.owner_id and warband.owner_id != actor.pk else ""


def _lock(subjects: tuple[Recorded, ...], *, also_undone: bool = False) -> dict[tuple[str, int], Recorded]:
    """Lock and re-read the subjects: campaigns, then battles, then warbands, each in id order, so that no two acts wait crosswise."""
    wanted = sorted({(type(row).lock_rank, label_of(row), row.pk) for row in subjects})
    rows: dict[tuple[str, int], Recorded] = {}
    for _, label, pk in wanted:
        model = apps.get_model(label)
        query = model._base_manager.select_for_update(of=("self",))
        if model is Warband:
            query = query.select_related("terms", "owner")
        row = query.filter(pk=pk).first()
        if row is None or (row.is_undone and not also_undone):
            raise Refusal("This is no longer here: its making was undone.", code="gone")
        rows[(label, pk)] = row
    return rows


def events_since(row: Recorded, version: int) -> list[Event]:
    """What happened to a warband, or another row whose changes are counted, after this version, oldest first."""
    events = Event.objects.filter(subjects__label=label_of(row), subjects__row_id=row.pk, subjects__number__gt=version)
    return list(events.order_by("pk"))


# --- undo -------------------------------------------------------------------------------------------------------------


def is_live(event: Event) -> bool:
    """Whether the event stands: it was not undone, or its undoing was undone. One query for each link of that chain."""
    undoing = Event.objects.filter(undoes=event).first()
    return undoing is None or not is_live(undoing)


def standing(event: Event) -> Event | None:
    """The event by which this act stands now: itself, or the one that brought it back. None where it is undone."""
    last, live = event, True
    while (later := Event.objects.filter(undoes=last).first()) is not None:
        last, live = later, not live
    return last if live else None


def leaning_on(event: Event) -> list[Event]:
    """Live later events that changed something this event wrote, or its rows: they stand in the way of an undo, oldest first."""
    from warbands.undo_blockers import leaning_on as find

    return find(event)


def refusals_to_undo(events: Sequence[Event]) -> dict[int, Refusal]:
    """Why these acts are not undone whatever leans on them, by id, those that may be left out: what the host says."""
    return dict(host().undo_refusals(events))


def refusal_to_undo(event: Event) -> Refusal | None:
    """Why this act is not undone whatever leans on it, or None."""
    return refusals_to_undo([event]).get(event.pk)


def undo(*, event: Event, actor: Any, token: str = "", seen: int | None = None, by_right: bool = True) -> Event:
    """Undo an act as an event of its own, and return that. An act that was undone and brought back can be undone again.

    `by_right` False is for an undo that is part of an act which the caller has judged (a battle is voided, a sequence opened again).

    Raises:
        Refusal: it is undone already, a later act leans on it (the message names it), or its income was spent since.
        PermissionDenied: the actor may not do that act, and so not undo it.
    """
    target = standing(event)
    if target is None:
        if token and (spent := Event.objects.filter(token=token).first()):
            raise AlreadyDone(spent)
        raise Refusal("This was already undone.", code="undone")
    if refusal := refusal_to_undo(target):
        raise refusal
    subjects = []
    for subject in target.subjects.filter(is_news=False):
        row = apps.get_model(subject.label)._base_manager.filter(pk=subject.row_id).first()
        if row is not None:
            subjects.append(row)
    with recording(
        *subjects, kind="undo", actor=actor, occasion=target.occasion, token=token, seen=seen, undoes=target
    ) as act:
        if by_right:
            refuse_undo(actor, Event.objects.get(pk=target.pk))  # under the lock: nobody's rights end meanwhile
        if blockers := leaning_on(target):
            raise Refusal(
                f"A later act leans on this one: {blockers[0].told}", mend="Undo that one first.", code="leaned-on"
            )
        away = [warband for warband in act.warbands if warband.is_put_away]
        walk_back(act, list(target.changes.order_by("-pk")))
        for warband in away:
            refuse_put_away(warband)  # unless it is the putting away that was undone
        for entry in target.ledger.select_related("warband"):
            reason = entry.reason.removeprefix("Undone: ") if target.undoes_id else f"Undone: {entry.reason}"
            act._move(entry.warband, -entry.ducats, -entry.glory, reason)
        for warband in act.warbands:
            _refuse_if_spent(warband, target)
        first = target
        while first.undoes is not None:
            first = first.undoes
        told = "{who} brought back: " if target.undoes_id else "{who} undid: "
        act.say(told + first.told, **{ACT: act_of_undoing(target)})
    return act.event


def walk_back(act: Recorder, changes: list[Change]) -> None:
    """Put back what these changes (newest first) found. Raises Refusal where a value is no longer what they left."""
    rows: dict[tuple[str, int], list[Change]] = {}
    for change in changes:
        rows.setdefault((change.label, change.row_id), []).append(change)
    for (label, pk), mine in rows.items():
        row = act._rows.get((label, pk)) or apps.get_model(label)._base_manager.get(pk=pk)
        fields: dict[str, Any] = {}
        now: dict[str, Any] = {}
        leaves: list[tuple[str, Leaf, Any]] = []
        for change in mine:
            if not change.field:
                fields["is_undone"] = True
                continue
            field = row._meta.get_field(change.field)
            value = now.setdefault(change.field, deepcopy(_plain(field, getattr(row, field.attname))))
            path = tuple(change.path.split("/")) if change.path else ()
            if (_leaf(value, path) if path else value) != change.after:
                raise Refusal("Something changed since that no act tells of; this cannot be undone.", code="leaned-on")
            if path:
                _set_leaf(value, path, deepcopy(change.before))
                leaves.append((change.field, path, deepcopy(change.before)))
            else:
                now[change.field] = deepcopy(change.before)
                fields[change.field] = None  # worked out below, once everything is walked back
        for name in fields.keys() & now.keys():
            fields[name] = _value(row._meta.get_field(name), now[name])
        act._write(row, fields, tuple(leaf for leaf in leaves if leaf[0] not in fields))


def _value(field: models.Field, plain: Any) -> Any:
    """A field's value from its plain form: the way back of `_plain`."""
    if plain is None or not field.is_relation:
        return None if plain is None else field.to_python(deepcopy(plain))
    related = field.related_model._base_manager.filter(pk=field.target_field.to_python(plain)).first()
    if related is None or getattr(related, "is_undone", False):
        raise Refusal("What this was tied to is no longer here.", code="leaned-on")
    return related


def _refuse_if_spent(warband: Warband, event: Event) -> None:
    if warband.status != Warband.Status.CAMP or (warband.strongbox_ducats >= 0 and warband.strongbox_glory >= 0):
        return
    spending = (
        LedgerEntry.objects.filter(warband=warband, event_id__gt=event.pk)
        .filter(Q(ducats__lt=0) | Q(glory__lt=0))
        .exclude(event__undoes=event)
        .select_related("event")
        .order_by("-pk")
    )
    for entry in spending:
        if is_live(entry.event):
            raise Refusal(
                f"What this brought in was spent since: {entry.event.told}", mend="Undo that one first.", code="spent"
            )
    raise Refusal(f"The strongbox of {warband.name} would fall below zero.", mend="Sell something first.", code="spent")


# --- plain values -----------------------------------------------------------------------------------------------------


def _plain(field: models.Field, value: Any) -> Any:
    """A field's value as JSON can hold it and `to_python` can read it back."""
    if value is None or isinstance(value, (bool, int, str, list, dict)):
        return value
    return field.value_to_string(_Holder(field.attname, value))


class _Holder:
    """Carries one attribute for `value_to_string`."""

    def __init__(self, name: str, value: Any) -> None:
        setattr(self, name, value)


def _leaf(data: Any, path: Leaf) -> Any:
    for step in path:
        if not isinstance(data, dict) or step not in data:
            return None
        data = data[step]
    return data


def _set_leaf(data: dict[str, Any], path: Leaf, value: Any) -> None:
    for step in path[:-1]:
        data = data.setdefault(step, {})
    if value is None:
        data.pop(path[-1], None)
    else:
        data[path[-1]] = value
