"""Chains over the acts that were recorded before there were any."""

import uuid
from itertools import groupby, islice

from django.db import migrations
from django.db.models import Q

from warbands.chain import add_link, digest_of

AT_ONCE = 200


def add_chains(apps, schema_editor):
    event_model, subject_model, chain_model, link_model = (
        apps.get_model("warbands", name) for name in ("Event", "EventSubject", "Chain", "ChainLink")
    )
    subjects = subject_model.objects.filter(
        Q(label="warbands.Warband", number__isnull=False) | Q(label="campaigns.Campaign")
    ).order_by("event_id", "pk")
    of_events = groupby(
        subjects.values_list("event_id", "label", "row_id").iterator(chunk_size=2000), key=lambda row: row[0]
    )
    chains = {}
    rest = ((pk, sorted({(label, row) for _, label, row in rows})) for pk, rows in of_events)
    while batch := list(islice(rest, AT_ONCE)):
        keys = [pk for pk, _ in batch]
        events = event_model.objects.select_related("actor").in_bulk(keys)
        recorded = [_by_event(apps.get_model("warbands", name), keys) for name in ("Change", "LedgerEntry")]
        links = []
        for pk, rows in batch:
            event, uid = events[pk], uuid.uuid4()
            names = not getattr(event.actor, "is_guest", False)
            digest = digest_of(event, *(found.get(pk, ()) for found in recorded), names=names)
            for key in rows:
                if key not in chains:
                    chains[key] = chain_model.objects.create(label=key[0], row_id=key[1])
                links.append(add_link(chains[key], link_model, event, uid, digest, names=names))
        link_model.objects.bulk_create(links)
    chain_model.objects.bulk_update(chains.values(), ["length", "head"], batch_size=AT_ONCE)


def _by_event(model, keys):
    found = {}
    for row in model.objects.filter(event__in=keys).order_by("pk"):
        found.setdefault(row.event_id, []).append(row)
    return found


def remove_chains(apps, schema_editor):
    apps.get_model("warbands", "Chain").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("warbands", "0017_hash_chains")]
    operations = [migrations.RunPython(add_chains, remove_chains)]
