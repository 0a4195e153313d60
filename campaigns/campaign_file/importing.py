"""Importing a campaign file: in one transaction, with new keys everywhere, and checked before it counts."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import IO, Any

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db import DatabaseError, connection, models, transaction
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.campaign_file.contents import in_parts, model_of
from campaigns.campaign_file.keys import SHAPES
from campaigns.campaign_file.marks import as_it_stood, unmarked
from campaigns.campaign_file.reading import LABELS, CampaignHead, lines_of, read_whole, rows_of
from campaigns.campaign_file.rules_states import refuse_missing
from campaigns.campaign_file.settling import refuse_unreadable, settle
from campaigns.campaign_file.values import refuse_value
from campaigns.campaign_file.writing import PERSON, related_label
from campaigns.models import Campaign
from campaigns.services.common import new_link
from config.backup.faults import BackupFault
from config.backup.format import CHANGED
from config.backup.tables import fields_of, insert_rows, new_numbers
from config.backup.values import line_of
from rules.problems import Refusal
from warbands.chain import check, digest_of, holds
from warbands.models import Chain, ChainLink, Change, Event, LedgerEntry, Terms, Warband
from warbands.reconcile import differences, judge_again

logger = logging.getLogger(__name__)
Who = Mapping[int, User]  # the number of a person of the file -> their account here

# Secrets of links. One that is taken on this server becomes a new one.
LINK_CODES = frozenset(
    {
        "campaigns.Campaign.slug",
        "campaigns.Invitation.token",
        "campaigns.Seat.claim_token",
        "campaigns.ReportCode.code",
        "campaigns.WatchLink.code",
        "warbands.ShareLink.slug",
    }
)


class AlreadyHere(BackupFault):
    """The campaign, or a warband of it, came here before. `campaign` is the one that has it, None for a warband elsewhere."""

    def __init__(self, message: str, campaign: Campaign | None) -> None:
        super().__init__(message)
        self.campaign = campaign


@dataclass(slots=True)
class ImportedCampaign:
    """What an import came to."""

    campaign: Campaign
    rows: dict[str, int]
    acts: int = 0
    in_part: int = 0  # acts that also tell of rows that stayed out of the file


def import_campaign(data: IO[bytes], *, actor: User | None, who: Who | None = None) -> ImportedCampaign:
    """Write the campaign of a file, with `actor` as an administrator. Nothing is written unless all of it holds.

    `who` says which people of the file are accounts here. The others' places can be claimed by link.

    Raises:
        AlreadyHere: it was imported before, or comes from this server.
        BackupFault: the file is refused; the message says why.
    """
    head = read_whole(data)
    refuse_missing(head.states)
    try:
        with transaction.atomic():
            refuse_known(data)
            return _Import(head, actor, dict(who or {})).run(data)
    except (BackupFault, Refusal) as refused:
        if isinstance(refused, BackupFault):
            raise
        raise BackupFault(str(refused)) from None
    except DatabaseError as error:
        logger.warning("A campaign file was refused by the database: %s", type(error).__name__)
        raise BackupFault(_("The rows of the file contradict each other, so nothing was saved.")) from None
    except (
        ArithmeticError,
        AssertionError,
        AttributeError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        logger.warning("A campaign file could not be read: %s", type(error).__name__, exc_info=error)
        raise BackupFault(_("The file holds something that this site can't read, so nothing was saved.")) from None


def refuse_known(data: IO[bytes]) -> None:
    """Raise AlreadyHere if a campaign or warband of the file is on this server already. One query for some hundred."""
    with lines_of(data) as lines:
        uids: list[str] = []
        for label, columns, rows in rows_of(lines):
            for row in rows:
                if label == Chain._meta.label:
                    uids.append(str(row[columns.index("uid")]))
    for start in range(0, len(uids), 500):
        try:
            known = Chain.objects.filter(uid__in=uids[start : start + 500]).order_by("label").first()
        except (ValueError, ValidationError):  # no UUID
            raise BackupFault(CHANGED) from None
        if known is not None:
            row = model_of(known.label)._base_manager.filter(pk=known.row_id).first()
            raise AlreadyHere(
                _("“{row}” of this file is on this server already, so nothing was saved.").format(row=row),
                row if isinstance(row, Campaign) else None,
            )


@dataclass(slots=True)
class _Import:
    head: CampaignHead
    actor: User | None
    who: dict[int, User]
    new: dict[str, dict[int, int]] = field(default_factory=dict)
    _acts: dict[int, dict[str, Any]] = field(default_factory=dict)  # by key in the file: what its digest covers
    _waiting: dict[str, set[int]] = field(default_factory=dict)  # rows of people without an account here

    def run(self, data: IO[bytes]) -> ImportedCampaign:
        with lines_of(data) as lines:
            self._waiting = _rows_of_unknown(lines, self.who)
        self._number()
        with lines_of(data) as lines:
            for label, columns, rows in rows_of(lines):
                self._write(label, columns, rows)
        connection.check_constraints()
        self._link()
        campaigns = Campaign.objects.filter(pk__in=self.new[Campaign._meta.label].values()).order_by("pk")
        campaign = campaigns.get(pk=self.new[Campaign._meta.label][self.head.campaign])
        settle(list(campaigns), campaign, actor=self.actor, links=self._sums())
        self._check(list(campaigns))
        return ImportedCampaign(
            campaign,
            {label: len(keys) for label, keys in self.new.items()},
            acts=len(self.new[Event._meta.label]),
            in_part=len(self.head.partial & self.new[Event._meta.label].keys()),
        )

    # --- keys

    def _number(self) -> None:
        for label in LABELS:
            kept = [key for key in self.head.keys[label] if key not in self._waiting.get(label, ())]
            self.new[label] = dict(zip(kept, new_numbers(model_of(label), len(kept), connection), strict=True))

    def meaning(self, label: str, key: int) -> int:
        """Return the key here of a row of the file. What stayed out gets one below zero, so that it names no other row."""
        return self.new.get(label, {}).get(key, -abs(key))

    def _target(self, column: models.ForeignKey, value: Any) -> int | None:
        if value is None:
            return None
        if type(value) is not int:
            raise BackupFault(CHANGED)
        if column.related_model is User:
            user = self.who.get(value)
            return user.pk if user is not None else None
        found = self.new.get(column.related_model._meta.label, {}).get(value)
        if found is None and not column.null:
            raise BackupFault(CHANGED)
        return found

    # --- rows

    def _write(self, label: str, columns: list[str], rows: Iterator[list[Any]]) -> None:
        model = model_of(label)
        fields = fields_of(model, columns)
        missing = [each for each in model._meta.concrete_fields if each.column not in columns]
        digest = hashlib.sha256()

        def values() -> Iterator[list[Any]]:
            for row in rows:
                if row[columns.index("id")] in self._waiting.get(label, ()):
                    continue
                cells = dict(zip(columns, row, strict=True))
                self._note(label, cells)
                found = [self._cell(label, each, cells) for each in fields]
                found += [each.get_default() for each in missing]
                digest.update(line_of(found))
                yield found

        insert_rows(model, [*columns, *(str(each.column) for each in missing)], values(), connection)
        back = hashlib.sha256()
        names = [each.attname for each in (*fields, *missing)]
        for part in in_parts(self.new[label].values()):
            for row in model._base_manager.filter(pk__in=part).order_by("pk").values_list(*names):
                back.update(line_of(list(row)))
        if back.digest() != digest.digest():
            raise BackupFault(_("The rows of {label} read back differently, so nothing was saved.").format(label=label))

    def _cell(self, label: str, each: models.Field, cells: dict[str, Any]) -> Any:
        where, value = f"{label}.{each.name}", cells[str(each.column)]
        if each.primary_key:
            return self.new[label][value]
        if isinstance(each, models.ForeignKey):
            return self._target(each, value)
        if each.name == "row_id":
            return self._row(cells)
        if where in ("warbands.Change.before", "warbands.Change.after"):
            value = self._recorded(cells, value)
        elif where in SHAPES or where == "warbands.Change.path" or isinstance(each, models.JSONField):
            value = _plain(value, self.meaning)
        refuse_value(each, value)
        if where in LINK_CODES and value and each.model._base_manager.filter(**{each.name: value}).exists():
            value = new_link()[: each.max_length]
        return value

    def _row(self, cells: dict[str, Any]) -> int:
        label, key = cells["label"], cells["row_id"]
        if label not in LABELS or type(key) is not int:
            raise BackupFault(CHANGED)
        return self.meaning(label, key)

    def _recorded(self, cells: dict[str, Any], value: Any) -> Any:
        """Return what an act recorded of a field, as it stands here."""
        related = related_label(str(cells["label"]), str(cells["field"]))
        if not related:
            return _plain(value, self.meaning)
        if related == PERSON:
            user = self.who.get(_plain(value, as_it_stood)) if value is not None else None
            return user.pk if user is not None else None
        found = _plain(value, self.meaning)
        return found if type(found) is int and found > 0 else None

    # --- chains

    def _note(self, label: str, cells: dict[str, Any]) -> None:
        """Keep what the digest of an act covers, with the keys that it had when it was recorded."""
        if label == Event._meta.label:
            at = parse_datetime(cells["at"]) if isinstance(cells["at"], str) else None
            if at is None or at.tzinfo is None:
                raise BackupFault(CHANGED)
            event = {**cells, "at": at, "data": _plain(cells["data"], as_it_stood)}
            self._acts[cells["id"]] = {"event": SimpleNamespace(**event), "changes": [], "ledger": []}
        elif label == Change._meta.label:
            _refuse_unknown_field(cells)
            plain = {name: _plain(cells[name], as_it_stood) for name in ("path", "before", "after")}
            self._act(cells)["changes"].append(SimpleNamespace(**{**cells, **plain}))
        elif label == LedgerEntry._meta.label:
            self._act(cells)["ledger"].append(SimpleNamespace(**cells))

    def _act(self, cells: dict[str, Any]) -> dict[str, Any]:
        if cells["event_id"] not in self._acts:
            raise BackupFault(CHANGED)
        return self._acts[cells["event_id"]]

    def _link(self) -> None:
        """Compare each act with the digests of its links, and give the links the digest that it has with its keys here."""
        old = {new: key for key, new in self.new[Event._meta.label].items()}
        for part in in_parts(self.new[ChainLink._meta.label].values()):
            links = list(ChainLink.objects.filter(pk__in=part).select_related("event"))
            events = {link.event_id for link in links} - {None}
            changes = _grouped(Change.objects.filter(event__in=events))
            ledger = _grouped(LedgerEntry.objects.filter(event__in=events))
            for link in links:
                if link.event is None or link.event_id is None:
                    link.here = ""
                    continue
                key = old[link.event_id]
                act = self._acts[key]
                if key not in self.head.partial and not holds(link, act["changes"], act["ledger"], act["event"]):
                    raise BackupFault(_("An act of the file is not what its chain tells of, so nothing was saved."))
                link.here = digest_of(
                    link.event, changes.get(link.event_id, ()), ledger.get(link.event_id, ()), names=link.names
                )
            ChainLink.objects.bulk_update(links, ["here"])

    def _sums(self) -> dict[str, str]:
        """Return what the links of each chain come to here, by the chain's name."""
        found = {}
        for chain in Chain.objects.filter(pk__in=self.new[Chain._meta.label].values()):
            digest = hashlib.sha256()
            for here in ChainLink.objects.filter(chain=chain).order_by("number").values_list("here", flat=True):
                digest.update(here.encode())
            found[str(chain.uid)] = digest.hexdigest()
        return found

    # --- checks

    def _check(self, campaigns: list[Campaign]) -> None:
        for part in in_parts(self.new[Terms._meta.label].values()):
            for terms in Terms.objects.filter(pk__in=part):
                refuse_missing([{"game": terms.system, "edition": terms.edition, "overlays": []}])
                assert terms.content is not None
        for chain in Chain.objects.filter(pk__in=self.new[Chain._meta.label].values()):
            if chain.row_id <= 0:
                raise BackupFault(CHANGED)
            if faults := check(chain).faults:
                raise BackupFault(
                    _("A chain of the file doesn't hold, so nothing was saved: {fault}").format(fault=faults[0])
                )
        for part in in_parts(self.new[Warband._meta.label].values()):
            for warband in Warband.objects.filter(pk__in=part, is_undone=False):
                if found := differences(warband, by_this_release=False):
                    raise BackupFault(
                        _("{name} doesn't add up, so nothing was saved: {fault}").format(
                            name=warband.name, fault=found[0]
                        )
                    )
        refuse_unreadable(campaigns, self.new[Warband._meta.label].values())
        judge_again(self.new[Warband._meta.label].values())


def _plain(value: Any, meaning: Any) -> Any:
    try:
        return unmarked(value, meaning)
    except (ValueError, RecursionError):
        raise BackupFault(CHANGED) from None


def _grouped(rows: Any) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    for row in rows.order_by("pk"):
        found.setdefault(row.event_id, []).append(row)
    return found


def _refuse_unknown_field(cells: dict[str, Any]) -> None:
    if cells["label"] not in LABELS or not isinstance(cells["field"], str):
        raise BackupFault(CHANGED)
    try:
        if cells["field"]:
            model_of(cells["label"])._meta.get_field(cells["field"])
    except FieldDoesNotExist:
        raise BackupFault(_("The file tells of a field that this version of the site does not have.")) from None


def _rows_of_unknown(lines: Any, who: dict[int, User]) -> dict[str, set[int]]:
    """Return the rows that need an account and whose person has none here, by label: administrators and delegates."""
    found: dict[str, set[int]] = {}
    for label, columns, rows in rows_of(lines):
        needed = [
            columns.index(str(each.column))
            for each in model_of(label)._meta.concrete_fields
            if each.related_model is User and not each.null and each.column in columns
        ]
        for row in rows:
            if any(not isinstance(row[at], int) or row[at] not in who for at in needed):
                found.setdefault(label, set()).add(row[columns.index("id")])
    return found
