"""Writing a campaign to one file: as of one moment, checked first, with people as names."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import IO, Any, cast

from django.core.exceptions import FieldDoesNotExist
from django.db import connection, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.campaign_file.contents import (
    EMPTIED,
    IN,
    OF_ACTS,
    Rows,
    in_parts,
    model_of,
    queries_of,
    rows_of_campaign,
)
from campaigns.campaign_file.keys import SHAPES, marked, marked_path
from campaigns.campaign_file.marks import mark_of
from campaigns.campaign_file.rules_states import states_of
from campaigns.models import Campaign
from config.backup.faults import BackupFault
from config.backup.format import LineWriter
from config.backup.tables import columns_of, fields_of
from config.release import release
from warbands.chain import check
from warbands.field_values import split_path
from warbands.models import Chain, Change, Warband
from warbands.reconcile import differences

FORMAT, VERSION = "muster-roll-campaign", 1
PERSON = User._meta.label


@dataclass(slots=True)
class Person:
    """Somebody of a campaign as the file names them. `number` stands in the place of their key."""

    number: int
    name: str
    administers: bool = False
    seats: list[str] = field(default_factory=list)

    def as_data(self) -> dict[str, Any]:
        return {"number": self.number, "name": self.name, "administers": self.administers, "seats": self.seats}


def write_campaign(campaign: Campaign, target: IO[bytes]) -> dict[str, int]:
    """Write a campaign with all that belongs to it. Returns the number of rows of each table.

    Raises:
        BackupFault: something of it does not add up, so that another server would refuse the file.
    """
    with _one_moment():
        writer = _Writer(campaign)
        writer.refuse_faults()
        packed = gzip.GzipFile(filename="", fileobj=target, mode="wb", compresslevel=6, mtime=0)
        lines = LineWriter(cast(IO[bytes], packed))
        writer.write(lines)
        packed.close()
    return {label: found.rows for label, found in lines.sums.items()}


@contextmanager
def _one_moment() -> Iterator[None]:
    """Let all queries see one moment, and keep no writer waiting."""
    inside = connection.in_atomic_block
    connection.ensure_connection()
    usual = getattr(connection, "transaction_mode", None)
    if connection.vendor == "sqlite":
        connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]  # a reader; the site's own take the lock
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql" and not inside:
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield
    finally:
        if connection.vendor == "sqlite":
            connection.transaction_mode = usual  # type: ignore[attr-defined]


class _Writer:
    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.rows: Rows = rows_of_campaign(campaign)

    def refuse_faults(self) -> None:
        """Raise BackupFault for a ledger or a chain that does not hold. A fixed number of queries for each warband and chain."""
        for part in in_parts(self.rows.warbands):
            for warband in Warband.objects.filter(pk__in=part, is_undone=False):
                if found := differences(warband, by_this_release=False):
                    raise BackupFault(
                        _("{name} doesn't add up, so nothing was saved: {fault}").format(
                            name=warband.name, fault=found[0]
                        )
                    )
        for part in in_parts(self.rows.keys[Chain._meta.label]):
            for chain in Chain.objects.filter(pk__in=part):
                if found := check(chain).faults:
                    raise BackupFault(
                        _("The chain of {chain} doesn't hold, so nothing was saved: {fault}").format(
                            chain=chain, fault=found[0]
                        )
                    )

    def write(self, lines: LineWriter) -> None:
        uid = (
            Chain.objects.filter(label=Campaign._meta.label, row_id=self.campaign.pk)
            .values_list("uid", flat=True)
            .first()
        )
        if uid is None:
            raise BackupFault(_("This campaign has no recorded act, so there is nothing to take along."))
        lines.write(
            {
                "format": FORMAT,
                "version": VERSION,
                "made": timezone.now().isoformat(timespec="seconds"),
                "release": release(),
                "campaign": {"key": self.campaign.pk, "uid": str(uid), "name": self.campaign.name},
                "people": [person.as_data() for person in self.people.values()],
                "states": states_of(self.rows.terms),
                "partial": sorted(self.rows.partial),
            }
        )
        for label in (*IN, *OF_ACTS):
            model = model_of(label)
            columns = columns_of(model)
            lines.table(label, columns, self._lines(model, columns), None)
        lines.manifest()

    @cached_property
    def people(self) -> dict[int, Person]:
        """The people that rows of the file point to, by their key, in the order of these. One query for each such column."""
        found: set[int] = set()
        for label in (*IN, *OF_ACTS):
            for each in _columns_of_people(model_of(label)):
                for query in queries_of(label, self.rows):
                    found |= set(query.order_by().values_list(each.attname, flat=True).distinct())
        users = User.objects.filter(pk__in=found - {None}).order_by("pk")
        people = {user.pk: Person(number, str(user)) for number, user in enumerate(users, 1)}
        seats = model_of("campaigns.Seat").objects.filter(campaign=self.campaign, user__isnull=False, is_undone=False)
        for user, name in seats.order_by("pk").values_list("user", "name"):
            people[user].seats.append(name)
        runs = self.campaign.administrators.filter(is_undone=False).values_list("user", flat=True)  # type: ignore[attr-defined]
        for user in runs:
            people[user].administers = True
        return people

    def _lines(self, model: type[models.Model], columns: list[str]) -> Iterator[tuple[Any, ...]]:
        fields = fields_of(model, columns)
        for query in queries_of(model._meta.label, self.rows):
            for row in query.iterator(chunk_size=200):
                if self._stays_out(row):
                    continue
                yield tuple(self._cell(row, each) for each in fields)

    def _stays_out(self, row: Any) -> bool:
        """Return whether a part of an act is about a row that stays out."""
        return row._meta.label in ("warbands.Change", "warbands.EventSubject") and not self.rows.tells_of(
            row.label, row.row_id
        )

    def _cell(self, row: Any, each: models.Field) -> Any:
        where, value = f"{row._meta.label}.{each.name}", getattr(row, each.attname)
        if where in EMPTIED:
            return EMPTIED[where]
        if isinstance(each, models.ForeignKey):
            return self._target(each, value)
        if isinstance(row, Change) and each.name in ("path", "before", "after"):
            return self._recorded(row, each.name)
        if value is not None and (where in SHAPES or isinstance(each, models.JSONField)):
            return marked(where, value, self.rows.has)
        return value

    def _target(self, each: models.Field, value: int | None) -> int | None:
        if value is None:
            return None
        label = each.related_model._meta.label  # type: ignore[union-attr]
        if label == PERSON:
            return self.people[value].number
        if self.rows.has(label, value):
            return value
        if not each.null:
            raise BackupFault(
                _("A row of {row} belongs to a row of {label} that stays out.").format(
                    row=each.model._meta.label, label=label
                )
            )
        return None

    def _recorded(self, change: Change, name: str) -> Any:
        """Return what an act recorded of a field: its path, or its value before or after."""
        where = f"{change.label}.{change.field}"
        if name == "path":
            return marked_path(where, change.path, self.rows.has)
        value = getattr(change, name)
        related = related_label(change.label, change.field)
        if not related:
            return None if value is None else marked(where, value, self.rows.has, split_path(change.path))
        if not isinstance(value, int):
            return None
        if related == PERSON:
            return mark_of(PERSON, self.people[value].number, number=True) if value in self.people else None
        return mark_of(related, value, number=True) if self.rows.has(related, value) else None


def related_label(label: str, name: str) -> str:
    """Return the label of the model that a recorded field points to, "" if it is no such field."""
    try:
        found = model_of(label)._meta.get_field(name) if name else None
    except (LookupError, FieldDoesNotExist):
        return ""
    return found.related_model._meta.label if found is not None and found.is_relation else ""


def _columns_of_people(model: type[models.Model]) -> list[models.Field]:
    fields = model._meta.concrete_fields
    return [each for each in fields if isinstance(each, models.ForeignKey) and each.related_model is User]
