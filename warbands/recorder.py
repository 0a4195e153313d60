"""What one act records: the fields that change, money, new rows, sentence and data, and the cached numbers at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from django.apps import apps
from django.db.models import Q, Sum
from django.utils.translation import gettext as _

from rules.force import Force
from rules.price import Price
from rules.problems import Refusal
from warbands.adapters import PRESENT, at_work, force_of
from warbands.chain import seal
from warbands.field_values import Leaf, leaf_of, plain_value, set_leaf
from warbands.host import host
from warbands.labels import labels_of
from warbands.models import Change, Event, EventSubject, Fighter, Item, LedgerEntry, Terms, Warband
from warbands.models.base import Recorded
from warbands.verdicts import judge

Rows = dict[tuple[str, int], Recorded]  # by model label ("warbands.Fighter") and primary key

CACHED = (
    "strongbox_ducats",
    "strongbox_glory",
    "rating_ducats",
    "rating_glory",
    "problem_count",
    "judged_under",
    "fighter_count",
)


class NotLocked(Exception):
    """A row is needed that the act has not locked: what the act is about changed between reading and locking, or a subject was forgotten."""


class Recorder:
    """One act while its transaction is open. `recording()` creates it.

    `making` is called with each new row before it is saved. `parts` are the sentences of the parts of a gathered act.
    """

    def __init__(self, event: Event, rows: Rows, first: Warband | None) -> None:
        self.event = event
        self.allow_below_zero = False
        self.making: Callable[[Any], None] | None = None
        self.parts: list[str] = []
        self._rows = rows
        self._first = first
        self._changes: list[Change] = []
        self._ledger: list[LedgerEntry] = []
        self._readers: set[int] = set()  # unchanged warbands that show the act in their history
        self._unsaved: dict[int, set[str]] = {}  # changed fields of warbands, saved once at the end of the act
        self._news: set[tuple[str, int]] = set()  # rows that show the act as news
        self._forces: dict[int, Force] = {}  # of warbands by key, until something is written

    # --- subjects
    def row(self, row: Any) -> Any:
        """Return the locked, freshly read copy of a subject. Raises NotLocked for another row."""
        key = (row._meta.label, row.pk)
        if key not in self._rows:
            raise NotLocked(*key)
        return self._rows[key]

    def holds(self, row: Any) -> bool:
        """Return whether a row is a subject of this act, and so locked by it."""
        return row is not None and (row._meta.label, row.pk) in self._rows

    def fetch(self, label: str, pk: int) -> Any:
        """Return the row with this model label and key: the locked copy if it is a subject, else read it now."""
        return self._rows.get((label, pk)) or apps.get_model(label)._base_manager.get(pk=pk)

    @property
    def warbands(self) -> list[Warband]:
        """Return the warbands among the subjects, ordered by id."""
        return [row for row in self._rows.values() if isinstance(row, Warband)]

    @property
    def warband(self) -> Warband:
        """Return the warband that the act is about: the first one passed in, or the one that it founded."""
        return self._first or self.warbands[0]

    def force(self, warband: Warband | None = None) -> Force:
        """Return the current state of the warband as a force. Two queries, none if nothing was written since it was read."""
        row = self.row(warband) if warband is not None else self.warband
        if row.pk not in self._forces:
            self._forces[row.pk] = force_of(row)
        return self._forces[row.pk]

    # --- writes
    def create(self, row: Any) -> Any:
        """Save a new row and record its creation. A new warband becomes a subject of the act."""
        if self.making is not None:
            self.making(row)
        self._forces.clear()
        row.save(force_insert=True)
        if isinstance(row, Warband):
            self._rows[(row._meta.label, row.pk)] = row
        self._changes.append(Change(event=self.event, label=row._meta.label, row_id=row.pk))
        return row

    def create_all(self, rows: list[Any]) -> list[Any]:
        """Save new rows of one model, none of them a warband, with one query, and record their creation."""
        if not rows:
            return rows
        if self.making is not None:
            for row in rows:
                self.making(row)
        self._forces.clear()
        made = type(rows[0])._base_manager.bulk_create(rows)
        self._changes += [Change(event=self.event, label=row._meta.label, row_id=row.pk) for row in made]
        return made

    def also_about(self, row: Any) -> Any:
        """Add a row created by this act to its subjects, so that the row's history begins here. Returns the row."""
        self._rows.setdefault((row._meta.label, row.pk), row)
        return row

    def also_told_to(self, warband: Warband) -> None:
        """Show the act in the history of a warband that it does not change.

        The warband's version stays the same, so no open form becomes stale.
        """
        self._readers.add(warband.pk)

    def change(self, row: Any, **fields: Any) -> Any:
        """Read a row again, set its fields and record each difference. Returns the fresh row, and updates `row` too."""
        return self.write(row, fields, ())

    def set_leaf(self, row: Any, path: Leaf, value: Any, *, field: str = "state") -> Any:
        """Set one leaf inside a JSON field and record the change with its path. None removes the leaf."""
        return self.write(row, {}, ((field, path, value),))

    def write(self, row: Any, fields: dict[str, Any], leaves: tuple[tuple[str, Leaf, Any], ...]) -> Any:
        """Set whole fields and JSON leaves of one row with one save. Records each with its values before and after.

        Returns the fresh row.
        """
        fresh = self._fresh(row)
        self._forces.clear()
        names: set[str] = set()
        for name, value in fields.items():
            field = fresh._meta.get_field(name)
            before = deepcopy(plain_value(field, getattr(fresh, field.attname)))
            setattr(fresh, name, value)
            after = deepcopy(plain_value(field, getattr(fresh, field.attname)))
            if before != after:
                names.add(name)
                self._note(fresh, name, "", before, after)
        for name, path, value in leaves:
            data = getattr(fresh, name)
            before = deepcopy(leaf_of(data, path))
            if before != value or isinstance(before, bool) != isinstance(value, bool):
                set_leaf(data, path, deepcopy(value))
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

    def pay(self, price: Price, *, reason: str, warband: Warband | None = None) -> None:
        """Take money out of the strongbox. Except while founding, the act fails at its end if it is below zero."""
        self.move_money(warband, -price.ducats, -price.glory, reason)

    def earn(self, price: Price, *, reason: str, warband: Warband | None = None) -> None:
        self.move_money(warband, price.ducats, price.glory, reason)

    def move_money(self, warband: Warband | None, ducats: int, glory: int, reason: str) -> None:
        """Append a ledger entry: positive in, negative out. Nothing is written if both amounts are zero."""
        if not ducats and not glory:
            return
        holder = self.row(warband) if warband is not None else self.warband
        entry = LedgerEntry.objects.create(
            warband=holder, event=self.event, ducats=ducats, glory=glory, reason=reason[:200]
        )
        self._ledger.append(entry)
        self._forces.clear()
        holder.strongbox_ducats += ducats  # for offers during the act; its end sums the ledger
        holder.strongbox_glory += glory

    @property
    def spent(self) -> Price:
        return Price(
            ducats=-sum(entry.ducats for entry in self._ledger), glory=-sum(entry.glory for entry in self._ledger)
        )

    def say(self, sentence: str, **data: Any) -> None:
        """Set the event's sentence, in which `{who}` stands for the person. `data` is stored with the event."""
        self.event.sentence = sentence if len(sentence) <= 400 else sentence[:399] + "…"
        self.event.data.update(data)

    def take_over(self, subjects: Iterable[Any]) -> None:
        """Use the forces of subjects that the caller has read, as far as the locked rows are still of that version."""
        for row in subjects:
            if isinstance(row, Warband) and row.read is not None and row.read.is_of(self.row(row)):
                self._forces[row.pk] = row.read.force

    @property
    def changes(self) -> tuple[Change, ...]:
        """Return what the act has recorded so far."""
        return tuple(self._changes)

    @property
    def ledger(self) -> tuple[LedgerEntry, ...]:
        """Return the movements of money that the act has written so far."""
        return tuple(self._ledger)

    def touched(self, row: Any) -> bool:
        return any(c.row_id == row.pk and c.label == row._meta.label for c in self._changes)

    # --- internals
    def _counts(self, row: Recorded) -> bool:
        wanted = {"", *row.counted}
        return any(c.field in wanted and c.row_id == row.pk and c.label == row._meta.label for c in self._changes)

    def _note(self, row: Any, field: str, path: str, before: Any, after: Any) -> None:
        self._changes.append(
            Change(
                event=self.event,
                label=row._meta.label,
                row_id=row.pk,
                field=field,
                path=path,
                before=before,
                after=after,
            )
        )

    def _fresh(self, row: Any) -> Any:
        known = self._rows.get((row._meta.label, row.pk))
        if known is not None:
            return known
        if isinstance(row, Warband):
            raise LookupError(f"{row} is no subject of this act, so it is not locked.")
        return type(row)._base_manager.get(pk=row.pk)

    def close(self) -> None:
        """End the act: write its changes, cached numbers, subjects and link of the hash chain."""
        Change.objects.bulk_create(self._changes)
        for warband in self.warbands:
            self._close_warband(warband)
        for row in self._rows.values():
            if row.counted and self._counts(row):
                row.version += 1  # type: ignore[attr-defined]
                row.save(update_fields=row.saved_with_count)
        self._write_subjects()
        self.event.save(update_fields=["sentence", "data", "for_name", "occasion"])
        host().recorded(self.event, list(self._rows.values()))
        names = not getattr(self.event.actor, "is_guest", False)  # a guest's name becomes that of the account
        seal(self.event, {*self._rows, *self._news}, self._changes, self._ledger, names=names)

    def _close_warband(self, warband: Warband) -> None:
        # If this act changed the terms, judge under the changed ones.
        warband.terms = self._rows.get((Terms._meta.label, warband.terms_id), warband.terms)  # type: ignore[assignment]
        fighters = list(Fighter.objects.live().filter(warband=warband, status__in=PRESENT))
        items = list(Item.objects.live().filter(at_work([warband])))
        recompute(warband, fighters, items)
        if warband.status == Warband.Status.CAMP and not self.allow_below_zero:
            _refuse_below_zero(warband)
        _refuse_homeless(warband, fighters, items)
        warband.version += 1
        warband.save(update_fields=[*CACHED, "version", *sorted(self._unsaved.get(warband.pk, ()))])

    def _write_subjects(self) -> None:
        """Store the event's subjects, the warbands that only show it, and the rows that show it as news."""
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
        readers = self._readers - {warband.pk for warband in self.warbands}
        EventSubject.objects.bulk_create(
            EventSubject(event=self.event, label=Warband._meta.label, row_id=pk, warband_id=pk)
            for pk in sorted(readers)
        )
        self._news = news = set(host().news_readers(self.event, list(self._rows.values())))
        EventSubject.objects.bulk_create(
            EventSubject(event=self.event, label=label, row_id=pk, is_news=True)
            for label, pk in sorted(news - self._rows.keys())
        )


class Part(Recorder):
    """One service's share in a gathered act: it shares the event and the locked rows, and hands over what it recorded."""

    def __init__(self, whole: Recorder, first: Warband | None) -> None:
        super().__init__(whole.event, whole._rows, first)
        self.making = whole.making
        self._whole = whole
        self._readers = whole._readers
        self._unsaved = whole._unsaved
        self._forces = whole._forces
        self._sentence = ""

    def say(self, sentence: str, **data: Any) -> None:
        """Set the part's sentence. Its data is not stored: a gathered event has only its own."""
        self._sentence = sentence

    def close(self) -> None:
        """Hand over to the whole act what this part recorded."""
        for warband in self.warbands:
            if warband.status == Warband.Status.CAMP and not self.allow_below_zero:
                _refuse_below_zero(warband)
        self._whole._changes += self._changes
        self._whole._ledger += self._ledger
        self._whole.parts.append(self._sentence)


class RowsBefore:
    """The state of a gathered act's rows before a part, to return to if the part is refused."""

    def __init__(self, whole: Recorder) -> None:
        self._whole = whole
        self._rows = dict(whole._rows)
        self._readers = set(whole._readers)
        self._unsaved = {pk: set(names) for pk, names in whole._unsaved.items()}
        self._values = {
            key: {field.attname: deepcopy(getattr(row, field.attname)) for field in row._meta.concrete_fields}
            for key, row in whole._rows.items()
        }

    def restore(self) -> None:
        self._whole._forces.clear()
        for mine, kept in (
            (self._whole._rows, self._rows),
            (self._whole._readers, self._readers),
            (self._whole._unsaved, self._unsaved),
        ):
            mine.clear()  # in place, since the parts share them
            mine.update(kept)  # type: ignore[arg-type]
        for key, values in self._values.items():
            for name, value in values.items():
                setattr(self._rows[key], name, value)


def _refuse_below_zero(warband: Warband) -> None:
    if warband.owes:
        labels = labels_of(warband.terms)
        raise Refusal(
            _("The {strongbox} of {warband} is {owes} short.").format(
                strongbox=labels["strongbox_within"], warband=warband.name, owes=warband.owes
            ),
            mend=_("Sell something from the {stash} first.").format(stash=labels["stash_within"]),
            code="money",
        )


def homeless_items(warband: Warband) -> list[Item]:
    """Return the items whose carrier is no longer on the roster. There must never be any. One query."""
    carried = Item.objects.live().filter(warband=warband, status=Item.Status.HELD, fighter__isnull=False)
    return list(carried.filter(Q(fighter__is_undone=True) | ~Q(fighter__status__in=PRESENT)).select_related("fighter"))


def _refuse_homeless(warband: Warband, fighters: list[Fighter], items: list[Item]) -> None:
    present = {fighter.pk for fighter in fighters}
    carried = (item for item in items if item.status == Item.Status.HELD and item.fighter_id is not None)
    if any(item.fighter_id not in present for item in carried) and (homeless := homeless_items(warband)):
        name = homeless[0].fighter.name  # type: ignore[union-attr]
        raise Refusal(
            _("This would give kit to {name}, who is no longer on the roster.").format(name=name),
            mend=_("First undo what removed {name}.").format(name=name),
            code="leaned-on",
        )


def recompute(warband: Warband, fighters: Iterable[Fighter] | None = None, items: Iterable[Item] | None = None) -> None:
    """Recompute every cached number of a warband from its ledger and roster (not saved).

    Three queries, one if the rows that are present and at work are passed in.
    """
    sums = LedgerEntry.objects.filter(warband=warband).aggregate(ducats=Sum("ducats"), glory=Sum("glory"))
    warband.strongbox_ducats = sums["ducats"] or 0
    warband.strongbox_glory = sums["glory"] or 0
    force = force_of(warband, fighters=fighters, items=items)
    judge(warband, force)
    warband.fighter_count = warband.terms.game.headcount(warband.terms.content, force)
