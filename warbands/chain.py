"""Hash chains over what was recorded: who changes an old act in the database breaks the chains from there on.

A link's hash covers the hash before it, so the last hash of a chain, kept elsewhere, vouches for everything before. What
a digest covers holds no key of this database: rows are named by their order within the act, rows they point to not at
all. So a chain stays right on another server. JSON of games names rows by key, though: an act that came in a campaign
file has a second digest, over its values with the keys of this database. What all of them came to stands in the act
that brought them, which is a link itself.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Q

from warbands.draft_context import current_run
from warbands.models import Chain, ChainLink, Change, Event, LedgerEntry
from warbands.models.event import PART_OF, PARTS

SEALED = frozenset({"warbands.Warband", "campaigns.Campaign"})
# Their values may be deleted with an account, and what they were copied into stays: they are not covered.
ERASABLE = frozenset({"warbands.Profile"})
FORMAT = 1
# The act that brought a campaign from a file: LINKS in its data has a digest for each chain.
BROUGHT = "campaign-move"
LINKS = "links"
AT_ONCE = 200

Key = tuple[str, int]


def seal(event: Any, keys: Iterable[Key], changes: Iterable[Any], ledger: Iterable[Any], *, names: bool) -> None:
    """Append an act to the chains of these rows, at the end of its transaction. Three queries, one more for new chains.

    The chains are locked after everything else, in one order, so that acts wait for each other and none fails.
    """
    wanted = {key for key in keys if key[0] in SEALED}
    if not wanted or current_run() is not None:
        return
    same = Q()
    for label, pk in wanted:
        same |= Q(label=label, row_id=pk)
    chains = list(Chain.objects.select_for_update(no_key=True).filter(same).order_by("pk"))
    missing = wanted - {(chain.label, chain.row_id) for chain in chains}
    chains += Chain.objects.bulk_create([Chain(label=label, row_id=pk) for label, pk in sorted(missing)])
    uid, digest = uuid.uuid4(), digest_of(event, changes, ledger, names=names)
    links = [add_link(chain, ChainLink, event, uid, digest, names=names) for chain in chains]
    ChainLink.objects.bulk_create(links)
    Chain.objects.bulk_update(chains, ["length", "head"])


def add_link(chain: Any, model: Any, event: Any, uid: uuid.UUID, digest: str, *, names: bool) -> Any:
    """Return the next link of a chain, not saved, and move the chain's end on to it, not saved either."""
    chain.length += 1
    chain.head = hash_of(chain.uid, chain.head, chain.length, uid, digest, names)
    return model(
        chain=chain, number=chain.length, event=event, event_uid=uid, digest=digest, hash=chain.head, names=names
    )


def hash_of(chain: uuid.UUID, before: str, number: int, event: uuid.UUID, digest: str, names: bool) -> str:
    return _sha([FORMAT, str(chain), before, number, str(event), digest, names])


def holds(link: Any, changes: Sequence[Any], ledger: Sequence[Any], event: Any = None) -> bool:
    """Return whether what is recorded of a link's act is what was sealed. Older links cover the keys of the parts of an act.

    `event` is the act as another database has it.
    """
    told = link.here or link.digest
    return any(
        told == digest_of(event or link.event, changes, ledger, names=link.names, parts=parts)
        for parts in (False, True)
    )


def digest_of(event: Any, changes: Iterable[Any], ledger: Iterable[Any], *, names: bool, parts: bool = False) -> str:
    """Return the digest of what an act recorded. `changes` and `ledger` are in the order of their keys."""
    order: dict[Key, int] = {}
    told = []
    for change in changes:
        if change.label in ERASABLE:
            continue
        place = order.setdefault((change.label, change.row_id), len(order))
        values = [None, None] if _points_on(change.label, change.field) else [change.before, change.after]
        told.append([change.label, place, change.field, change.path, *values])
    return _sha(
        {
            "kind": event.kind,
            "at": event.at.isoformat(),
            "who": [event.actor_name, event.for_name] if names else None,
            "sentence": event.sentence,
            "data": {key: value for key, value in event.data.items() if parts or key not in (PARTS, PART_OF)},
            "changes": told,
            "ledger": [[entry.ducats, entry.glory, entry.reason] for entry in ledger],
        }
    )


def _points_on(label: str, name: str) -> bool:
    """Return whether a recorded field holds the key of another row."""
    try:
        return bool(name) and bool(apps.get_model(label)._meta.get_field(name).is_relation)
    except (LookupError, FieldDoesNotExist):
        return False


def _sha(value: Any) -> str:
    # Read once more, so that keys and numbers are those that a database gives back.
    plain = json.loads(json.dumps(value))
    return hashlib.sha256(json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


# --- checking -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Checked:
    """What a chain came to: acts that were removed since, and a sentence for each fault."""

    removed: int = 0
    faults: list[str] = field(default_factory=list)


def check(chain: Chain) -> Checked:
    """Calculate a chain again from what is recorded. A fixed number of queries for each few hundred acts."""
    found = Checked()
    before, number = "", 0
    here, came = hashlib.sha256(), False
    rest = _links(chain)
    while links := list(islice(rest, AT_ONCE)):
        events = [link.event_id for link in links if link.event_id is not None]
        changes, ledger = _by_event(Change, events), _by_event(LedgerEntry, events)
        for link in links:
            number += 1
            again = hash_of(chain.uid, before, number, link.event_uid, link.digest, link.names)
            if (link.number, link.hash) != (number, again):
                found.faults.append(f"Link {link.number} does not follow from the one before it.")
                return found
            before = link.hash
            here.update(link.here.encode())
            came = came or bool(link.here)
            if link.event is None:
                found.removed += 1
            elif not holds(link, changes.get(link.event_id, ()), ledger.get(link.event_id, ())):
                found.faults.append(f"Link {number}, of {link.event.at:%Y-%m-%d %H:%M}: the act was changed since.")
    if (chain.length, chain.head) != (number, before):
        found.faults.append(f"The chain ends at link {number}, and says that it has {chain.length}.")
    if came and here.hexdigest() != _brought(chain):
        found.faults.append(
            "The acts that came from another server are not those that the act which brought them tells of."
        )
    linked = ChainLink.objects.filter(chain=chain, event__isnull=False).values("event")
    shown = Event.objects.filter(subjects__label=chain.label, subjects__row_id=chain.row_id)
    if chain.label == "warbands.Warband":
        shown = shown.filter(subjects__number__isnull=False, subjects__warband=chain.row_id)
    if extra := shown.exclude(pk__in=linked).distinct().count():
        found.faults.append(f"{extra} acts are in no link.")
    return found


def _brought(chain: Chain) -> str:
    """Return the digest of a chain's links when it was brought here. One query."""
    uid = str(chain.uid)
    act = Event.objects.filter(kind=BROUGHT, data__links__has_key=uid).order_by("pk").last()
    return str(act.data[LINKS][uid]) if act is not None else ""


def _links(chain: Chain) -> Iterator[ChainLink]:
    return ChainLink.objects.filter(chain=chain).order_by("number").select_related("event").iterator(AT_ONCE)


def _by_event(model: Any, events: list[int]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    for row in model.objects.filter(event__in=events).order_by("pk"):
        found.setdefault(row.event_id, []).append(row)
    return found
