"""Exports a warband as a document: the roster as the console reads it; money, notes and history under "record"."""

from __future__ import annotations

import base64
from typing import Any

from django.db.models import Q

from rules.force import Force, ForceUpgrade
from warbands.adapters import force_of
from warbands.models import (
    Delegate,
    Event,
    EventSubject,
    Fighter,
    HandOver,
    HouseOverlay,
    ImportedFile,
    Item,
    LedgerEntry,
    PaperDraft,
    PrintSetup,
    ProblemReport,
    Profile,
    Promise,
    RosterDraft,
    ShareLink,
    Snapshot,
    Warband,
)


def document_of(warband: Warband) -> dict[str, Any]:
    """Return the whole warband as a document that `import_document` reads. Eight queries."""
    terms = warband.terms
    force = force_of(warband, gone=True)
    document = dict(terms.game.documents.write_document(terms.content, force))
    document["record"] = record_of(warband, force)
    return document


def record_of(warband: Warband, force: Force) -> dict[str, Any]:
    """Return money, prices paid, notes, events and ledger, as plain data. Six queries."""
    upgrades = {member.key: member.upgrades for member in force.fighters}
    fighters = list(
        Fighter.objects.live()
        .filter(warband=warband)
        .exclude(status=Fighter.Status.RETURNED)
        .order_by("position", "pk")
    )
    kit: dict[int | None, list[Item]] = {}
    for item in Item.objects.live().filter(warband=warband, status=Item.Status.HELD):
        kit.setdefault(item.fighter_id, []).append(item)
    earlier = _earlier(warband)
    return {
        "name": warband.name,
        "version": warband.version,
        "notes": warband.notes,
        "strongbox": {"ducats": warband.strongbox_ducats, "glory": warband.strongbox_glory},
        "budget": {"ducats": warband.budget_ducats, "glory": warband.budget_glory},
        "promises": [
            {"kind": promise.kind, "words": promise.words, "expires": promise.expires, "data": promise.data}
            for promise in Promise.objects.live().filter(warband=warband, status=Promise.Status.OPEN)
        ],
        "fighters": [
            _fighter(fighter, kit.get(fighter.pk, []), upgrades.get(str(fighter.pk), ())) for fighter in fighters
        ],
        "kit": [_item(item) for item in kit.get(None, [])],
        "events": earlier.get("events", []) + _events(warband),
        "ledger": earlier.get("ledger", []) + _ledger(warband),
    }


def _earlier(warband: Warband) -> dict[str, Any]:
    opening = Event.objects.filter(subjects__warband=warband, kind="import").order_by("pk").first()
    return dict(opening.data.get("record", {})) if opening else {}


def _fighter(fighter: Fighter, kit: list[Item], upgrades: tuple[ForceUpgrade, ...]) -> dict[str, Any]:
    return {
        "name": fighter.name,
        "paid": {"ducats": fighter.paid_ducats, "glory": fighter.paid_glory},
        "notes": fighter.notes,
        "left_reason": fighter.left_reason,
        "joined_at": fighter.joined_at.isoformat(),
        "left_at": fighter.left_at.isoformat() if fighter.left_at else None,
        "upgrades": {u.upgrade: {"paid": {"ducats": u.paid.ducats, "glory": u.paid.glory}} for u in upgrades},
        "kit": [_item(item) for item in kit],
    }


def _item(item: Item) -> dict[str, Any]:
    return {
        "item": item.item_id,
        "paid": {"ducats": item.paid_ducats, "glory": item.paid_glory},
        "why": item.why,
    }


def _events(warband: Warband) -> list[dict[str, Any]]:
    subjects = EventSubject.objects.filter(warband=warband).select_related("event").order_by("number")
    return [
        {"number": s.number, "at": s.event.at.isoformat(), "kind": s.event.kind, "told": s.event.told} for s in subjects
    ]


def _ledger(warband: Warband) -> list[dict[str, Any]]:
    rows = LedgerEntry.objects.filter(warband=warband).select_related("event")
    return [
        {"at": row.event.at.isoformat(), "reason": row.reason, "ducats": row.ducats, "glory": row.glory} for row in rows
    ]


def drafts_of(user: Any) -> list[dict[str, Any]]:
    """Return the person's drafts of paper rosters, as typed. One query."""
    drafts = PaperDraft.objects.filter(owner=user)
    return [
        {
            "kept": draft.changed_at,
            "typed": draft.data,
            "text": draft.text,
            "answers": draft.answers,
            **({"file": draft.original_name, "data": _encoded(draft.original)} if draft.original else {}),
        }
        for draft in drafts
    ]


def house_overlays_of(user: Any) -> list[dict[str, Any]]:
    """Return the changes to the rules that this person handed in as files. One query."""
    offers = HouseOverlay.objects.filter(owner=user).select_related("copy")
    return [
        {
            "title": offer.copy.title,
            "id": offer.copy.overlay,
            "handed_in": offer.handed_in_at,
            "withdrawn": offer.withdrawn_at,
            "files": offer.copy.files,
        }
        for offer in offers
    ]


def imported_files_of(user: Any) -> list[dict[str, Any]]:
    """Return the files and texts that this person's warbands were imported from, and those they brought for others. One query."""
    files = ImportedFile.objects.filter(Q(warband__owner=user) | Q(sender=user)).select_related("warband")
    return [
        {"warband": kept.warband.name, "name": kept.name, "sent": kept.sent_at, "data": _encoded(kept.data)}
        for kept in files
    ]


def _encoded(data: Any) -> str:
    return base64.b64encode(bytes(data)).decode("ascii")


def roster_drafts_of(user: Any) -> list[dict[str, Any]]:
    """Return the drafts of rosters that this person started: their changes in words, and as stored. One query."""
    drafts = RosterDraft.objects.filter(owner=user).select_related("warband").defer("outcome")
    return [
        {
            "warband": draft.warband.name,
            "name": draft.name,
            "started": draft.created_at,
            "changed": draft.changed_at,
            "changes": [str(act.get("told", "")).replace("{who}", str(user)) for act in draft.acts],
            "stored": draft.acts,
        }
        for draft in drafts
    ]


def profiles_of(user: Any) -> list[dict[str, Any]]:
    """Return the profiles that this person wrote, archived ones included. One query."""
    profiles = Profile.objects.live().filter(owner=user).order_by("system", "kind", "name", "pk")
    return [
        {
            "game": profile.system,
            "edition": profile.edition,
            "kind": profile.kind,
            "name": profile.name,
            "data": profile.data,
            "version": profile.version,
            "shared": profile.terms_id is not None,
            "put_away": profile.is_away,
            "written": profile.created_at,
            "changed": profile.changed_at,
        }
        for profile in profiles
    ]


def warbands_of(user: Any) -> list[dict[str, Any]]:
    return [document_of(warband) for warband in Warband.objects.live().filter(owner=user).select_related("terms")]


def hand_overs_of(user: Any) -> list[dict[str, Any]]:
    """Return the offers of warbands that this person made or was made. One query."""
    offers = HandOver.objects.filter(Q(giver=user) | Q(to=user)).select_related("warband", "giver", "to")
    return [
        {
            "warband": offer.warband.name,
            "from": str(offer.giver),
            "to": str(offer.to) if offer.to is not None else offer.email,
            "reason": offer.reason,
            "status": offer.status,
            "made": offer.made_at,
            "settled": offer.settled_at,
        }
        for offer in offers.order_by("pk")
    ]


def problems_of(user: Any) -> list[dict[str, Any]]:
    """Return the problems that this person reported. One query."""
    reports = ProblemReport.objects.filter(by=user).order_by("pk")
    return [
        {"page": each.page, "words": each.words, "roster": each.roster_name, "state": each.state, "sent": each.made_at}
        for each in reports.defer("document")
    ]


def delegations_of(user: Any) -> list[dict[str, Any]]:
    """Return the warbands of others that this person may act on. One query."""
    rows = Delegate.objects.live().filter(user=user).select_related("warband__owner").order_by("pk")
    return [{"warband": row.warband.name, "owner": str(row.warband.owner or "")} for row in rows]


def share_links_of(user: Any) -> list[dict[str, Any]]:
    """Return the share links of this person's warbands. One query."""
    links = ShareLink.objects.live().filter(warband__owner=user).select_related("warband").order_by("pk")
    return [
        {
            "warband": link.warband.name,
            "name": link.name,
            "code": link.slug,
            "made": link.created_at,
            "shows_money": link.shows_money,
            "shows_notes": link.shows_notes,
            "revoked": link.is_revoked,
        }
        for link in links
    ]


def snapshots_of(user: Any) -> list[dict[str, Any]]:
    """Return the numbered snapshots of this person's rosters. One query."""
    snapshots = Snapshot.objects.filter(warband__owner=user).select_related("warband").order_by("warband", "version")
    return [
        {
            "warband": each.warband.name,
            "version": each.version,
            "taken": each.taken_at,
            "reason": each.reason,
            "document": each.document,
        }
        for each in snapshots
    ]


def print_setups_of(user: Any) -> list[dict[str, Any]]:
    """Return the kept print settings of this person's warbands. One query."""
    setups = PrintSetup.objects.filter(warband__owner=user).select_related("warband").order_by("pk")
    return [{"warband": each.warband.name, "name": each.name, "options": each.options} for each in setups]


def acts_of(user: Any) -> list[dict[str, Any]]:
    """Return everything that this person did to warbands and campaigns, as the history tells it. One query."""
    acts = Event.objects.filter(actor=user).only("at", "sentence", "actor_name", "for_name", "occasion")
    return [{"at": act.at, "told": act.told, "occasion": act.occasion} for act in acts]
