"""What a campaign file holds: each table of the site is named here, with the rows of it that belong to a campaign, or why it stays out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.apps import apps
from django.db.models import Q, QuerySet

from campaigns.dice_record import OPEN
from campaigns.models import Campaign, Seat, Side
from warbands.chain import ERASABLE
from warbands.models import Change, Event, EventSubject, LedgerEntry, Terms, Warband
from warbands.models.base import Recorded

Keys = set[int]

# Each table of the file, in its order, with its rows by what was found before: campaigns, warbands, events …
IN: dict[str, Callable[[Rows], Q]] = {
    "campaigns.Campaign": lambda rows: Q(pk__in=rows.campaigns),
    "campaigns.Administrator": lambda rows: Q(campaign__in=rows.campaigns),
    "campaigns.Seat": lambda rows: Q(campaign__in=rows.campaigns),
    "campaigns.Invitation": lambda rows: Q(campaign__in=rows.campaigns),
    "campaigns.Round": lambda rows: Q(campaign__in=rows.campaigns),
    "campaigns.Battle": lambda rows: Q(campaign__in=rows.campaigns),
    "campaigns.Side": lambda rows: Q(battle__campaign__in=rows.campaigns),
    "campaigns.Report": lambda rows: Q(battle__campaign__in=rows.campaigns),
    "campaigns.ReportCode": lambda rows: Q(side__battle__campaign__in=rows.campaigns),
    "campaigns.ReportDraft": lambda rows: Q(battle__campaign__in=rows.campaigns),
    "campaigns.PostBattle": lambda rows: Q(side__battle__campaign__in=rows.campaigns),
    "campaigns.Table": lambda rows: Q(battle__campaign__in=rows.campaigns),
    "campaigns.TableAct": lambda rows: Q(table__battle__campaign__in=rows.campaigns),
    # The seed of a battle that goes on is secret: whoever knows it knows the dice to come.
    "campaigns.DiceSeed": lambda rows: Q(table__battle__campaign__in=rows.campaigns, table__battle__status__in=OPEN),
    "campaigns.WatchLink": lambda rows: Q(battle__campaign__in=rows.campaigns),
    "campaigns.Challenge": lambda rows: Q(campaign__in=rows.campaigns),
    "campaigns.PairingWish": lambda rows: Q(seat__campaign__in=rows.campaigns),
    "campaigns.Absence": lambda rows: Q(seat__campaign__in=rows.campaigns),
    "campaigns.ContactNote": lambda rows: Q(seat__campaign__in=rows.campaigns),
    "campaigns.CampaignPreset": lambda rows: Q(campaign__in=rows.campaigns),
    "campaigns.Publication": lambda rows: Q(campaign__in=rows.campaigns),
    "campaigns.Region": lambda rows: Q(campaign__in=rows.campaigns),
    "campaigns.RegionLink": lambda rows: Q(region__campaign__in=rows.campaigns),
    "campaigns.RegionHold": lambda rows: Q(region__campaign__in=rows.campaigns),
    "campaigns.Capture": lambda rows: Q(warband__in=rows.warbands),
    "campaigns.RansomOffer": lambda rows: Q(capture__warband__in=rows.warbands),
    "warbands.Warband": lambda rows: Q(pk__in=rows.warbands),
    "warbands.Terms": lambda rows: Q(pk__in=rows.terms),
    "warbands.Profile": lambda rows: Q(terms__in=rows.terms),
    "warbands.Delegate": lambda rows: Q(warband__in=rows.warbands),
    "warbands.Fighter": lambda rows: Q(warband__in=rows.warbands),
    "warbands.Item": lambda rows: Q(warband__in=rows.warbands),
    "warbands.Promise": lambda rows: Q(warband__in=rows.warbands),
    "warbands.PrintSetup": lambda rows: Q(warband__in=rows.warbands),
    "warbands.ShareLink": lambda rows: Q(warband__in=rows.warbands),
    "warbands.Snapshot": lambda rows: Q(warband__in=rows.warbands),
    "warbands.ImportedFile": lambda rows: Q(warband__in=rows.warbands),
    "warbands.Chain": lambda rows: (
        Q(label=Warband._meta.label, row_id__in=rows.warbands)
        | Q(label=Campaign._meta.label, row_id__in=rows.campaigns)
    ),
    "warbands.ChainLink": lambda rows: Q(chain__in=rows.keys["warbands.Chain"]),
}
# Tables with a row for each act, or several: they are read for some acts at a time, by this field.
OF_ACTS = {
    "warbands.Event": "pk",
    "warbands.EventSubject": "event",
    "warbands.Change": "event",
    "warbands.LedgerEntry": "event",
}
AT_ONCE = 500

# People stand in the file as names. What belongs to a person alone stands in “My data”.
OF_PEOPLE = {"accounts.User", "accounts.ResetLink", "accounts.SecurityNote", "accounts.ApiToken"} | {
    "notifications.NotificationSettings",
    "notifications.PushDevice",
    "notifications.Notification",
    "notifications.Message",
    "warbands.HandOver",
    "warbands.HouseOverlay",
    "warbands.PaperDraft",
    "warbands.RosterDraft",
    "campaigns.BulkFile",
    "campaigns.CalendarFeed",
}
OF_THE_SITE = {"accounts.Suspension", "accounts.HiddenPage", "notifications.ClockJob", "warbands.ProblemReport"} | {
    "warbands.OverlayCopy",
    "campaigns.IncomingCampaign",
}
MADE_AGAIN = {"campaigns.Booklet", "campaigns.PrinterLink", "warbands.KeptSheet"} | {
    "campaigns.StateReport",
    "campaigns.StateReportRow",
}  # when somebody asks for them
SECRET = {"campaigns.DiscordWebhook", "campaigns.DiscordPost"}  # its address lets others write there
OUT = frozenset(OF_PEOPLE | OF_THE_SITE | MADE_AGAIN | SECRET)
# One-use tokens of forms and answers that only this server knows.
EMPTIED: dict[str, Any] = {"warbands.Event.token": None, "campaigns.TableAct.token": ""}


@dataclass(slots=True)
class Rows:
    """The rows of one campaign: the campaigns it continues, their warbands, the terms of both, every act, and keys by label."""

    campaigns: Keys
    warbands: Keys = field(default_factory=set)
    terms: Keys = field(default_factory=set)
    events: Keys = field(default_factory=set)
    keys: dict[str, Keys] = field(default_factory=dict)
    partial: Keys = field(default_factory=set)  # acts of which a part is about rows that stay out

    def has(self, label: str, key: int) -> bool:
        return key in self.keys.get(label, ())

    def tells_of(self, label: str, key: int) -> bool:
        """Return whether an act may tell of this row: it is in the file, or stayed behind when the campaign came here."""
        return self.has(label, key) or (key < 0 and label in self.keys)


def model_of(label: str) -> Any:
    return apps.get_model(label)


def rows_of_campaign(campaign: Campaign) -> Rows:
    """Return the keys of all rows that belong to a campaign. One query for each table, and some for every few hundred acts."""
    rows = Rows(seasons_of(campaign))
    rows.warbands = _warbands(rows.campaigns)
    rows.terms = _terms(rows)
    for label, where in IN.items():
        rows.keys[label] = set(model_of(label)._base_manager.filter(where(rows)).values_list("pk", flat=True))
    rows.events = rows.keys["warbands.Event"] = _events(rows)
    rows.partial = _partial(rows)
    return rows


def in_parts(keys: Iterable[int]) -> Iterator[list[int]]:
    rest = iter(sorted(keys))
    while part := list(islice(rest, AT_ONCE)):
        yield part


def queries_of(label: str, rows: Rows) -> Iterator[QuerySet[Any]]:
    """Yield the queries that read a table of the file in its order: by key, or by act and key."""
    table = model_of(label)._base_manager
    if label in IN:
        yield table.filter(IN[label](rows)).order_by("pk")
        return
    name = OF_ACTS[label]
    for part in in_parts(rows.events):
        found = table.filter(**{f"{name}__in": part}).order_by(name, "pk")
        yield found.filter(warband__in=rows.warbands) if label == "warbands.LedgerEntry" else found


def seasons_of(campaign: Campaign) -> Keys:
    """Return the keys of a campaign and of the seasons before it. One query for each of those."""
    found: Keys = set()
    each: Campaign | None = campaign
    while each is not None and each.pk not in found:
        found.add(each.pk)
        each = each.continues
    return found


def _warbands(campaigns: Keys) -> Keys:
    """Return the warbands that have, or had, a place in these campaigns or fought in them, with those they carry on."""
    found = set(Seat.objects.filter(campaign__in=campaigns, warband__isnull=False).values_list("warband", flat=True))
    sides = Side.objects.filter(battle__campaign__in=campaigns, warband__isnull=False)
    found |= set(sides.values_list("warband", flat=True))
    seats = Seat.objects.filter(campaign__in=campaigns).values_list("pk", flat=True)
    found |= _recorded(Seat._meta.label, set(seats), "warband")
    return set(Warband.objects.filter(pk__in=found).values_list("pk", flat=True))


def _terms(rows: Rows) -> Keys:
    found = set(Campaign.objects.filter(pk__in=rows.campaigns).values_list("terms", flat=True))
    found |= set(Warband.objects.filter(pk__in=rows.warbands).values_list("terms", flat=True))
    found |= _recorded(Warband._meta.label, rows.warbands, "terms")
    return set(Terms.objects.filter(pk__in=found).values_list("pk", flat=True))


def _recorded(label: str, keys: Iterable[int], name: str) -> Keys:
    """Return the keys that a field of these rows ever had."""
    changes = Change.objects.filter(label=label, row_id__in=keys, field=name).values_list("before", "after")
    return {each for pair in changes for each in pair if isinstance(each, int)}


def _events(rows: Rows) -> Keys:
    """Return every act that is about a row of the file, with the acts that undo one of them, or are undone by one."""
    found: Keys = set()
    for label, keys in rows.keys.items():
        if issubclass(model_of(label), Recorded):
            for part in in_parts(keys):
                about = EventSubject.objects.filter(label=label, row_id__in=part)
                found |= set(about.values_list("event", flat=True))
    rest = found
    while rest:
        near: Keys = set()
        for part in in_parts(rest):
            near |= set(Event.objects.filter(pk__in=part, undoes__isnull=False).values_list("undoes", flat=True))
            near |= set(Event.objects.filter(undoes__in=part).values_list("pk", flat=True))
        rest = near - found
        found |= rest
    return found


def _partial(rows: Rows) -> Keys:
    """Return the acts of which something is about rows that stay out."""
    found: Keys = set()
    for part in in_parts(rows.events):
        for event, label, key in Change.objects.filter(event__in=part).values_list("event", "label", "row_id"):
            if not rows.tells_of(label, key) and label not in ERASABLE:
                found.add(event)
        others = LedgerEntry.objects.filter(event__in=part).exclude(warband__in=rows.warbands)
        found |= set(others.values_list("event", flat=True))
    return found
