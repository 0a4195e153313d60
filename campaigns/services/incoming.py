"""Services for campaign files that the site owner brings by a page. A background task imports them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import IO

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.campaign_file.importing import AlreadyHere, refuse_known
from campaigns.campaign_file.reading import read_whole
from campaigns.campaign_file.rules_states import refuse_missing
from campaigns.models import IncomingCampaign
from campaigns.tasks import import_incoming, watch_incoming_later
from config.backup.faults import BackupFault
from rules.problems import Refusal

MOST_KEPT = 10
State = IncomingCampaign.State


def keep_incoming(data: IO[bytes], *, actor: User) -> IncomingCampaign:
    """Check a campaign file and keep it until it is said who is who. The same file again gives the same row.

    Raises Refusal for a file that is damaged, needs rules that are missing here, or whose campaign is here already.
    """
    try:
        told = read_whole(data)
        refuse_missing(told.states)
        refuse_known(data)
    except AlreadyHere as here:
        raise Refusal(str(here), code="already-here") from None
    except BackupFault as fault:
        raise Refusal(str(fault), code="file") from None
    data.seek(0)
    content = data.read()
    summary = {
        "name": told.name,
        "made": told.made,
        "release": told.release,
        "rows": told.rows,
        "people": [asdict(person) for person in told.people],
    }
    with transaction.atomic():
        IncomingCampaign.objects.over().delete()
        row, is_new = IncomingCampaign.objects.get_or_create(
            digest=hashlib.sha256(content).hexdigest(),
            defaults={"name": told.name, "sender": actor, "data": content, "told": summary},
        )
        if not is_new and row.data is None:  # its campaign was here, and is gone
            IncomingCampaign.objects.filter(pk=row.pk).update(
                data=content, told=summary, state=State.READ, campaign=None, words="", tries=0
            )
        kept = list(IncomingCampaign.objects.values_list("pk", flat=True)[:MOST_KEPT])
        IncomingCampaign.objects.exclude(pk__in=[*kept, row.pk]).exclude(state__in=IncomingCampaign.AT_WORK).delete()
    return row


def named_accounts(row: IncomingCampaign, names: Mapping[int, str]) -> dict[int, User]:
    """Return the accounts by the number of their person. Empty names are left out.

    Raises Refusal, with the field, for a name that nobody has here and for one that is given twice.
    """
    found: dict[int, User] = {}
    wanted = {number: name.strip() for number, name in names.items() if name.strip()}
    accounts = {
        user.username: user
        for user in User.objects.with_account().filter(username__in=set(wanted.values()), is_active=True)
    }
    for number, name in wanted.items():
        user = accounts.get(name)
        if user is None:
            raise Refusal(_("There is no account “{name}”.").format(name=name), field=f"who_{number}")
        if user in found.values():
            raise Refusal(_("“{name}” stands here twice.").format(name=name), field=f"who_{number}")
        found[number] = user
    return found


def start_import(row: IncomingCampaign, *, who: Mapping[int, User], actor: User) -> bool:
    """Queue the import; return whether it is queued by this. One that runs already goes on. Raises Refusal if it is done."""
    with transaction.atomic():
        kept = IncomingCampaign.objects.select_for_update(no_key=True).filter(pk=row.pk).first()
        if kept is None or kept.data is None:
            raise Refusal(_("This file is no longer kept here."), code="gone")
        if kept.state in IncomingCampaign.AT_WORK and not kept.is_silent:
            return False
        kept.who = {str(number): user.pk for number, user in who.items()}
        kept.sender, kept.state, kept.words, kept.tries, kept.told_at = actor, State.QUEUED, "", 0, timezone.now()
        kept.save(update_fields=["who", "sender", "state", "words", "tries", "told_at"])
        import_incoming.enqueue(kept.pk)
        watch_incoming_later(kept.pk)
    return True


def drop_incoming(row: IncomingCampaign) -> None:
    """Delete a file. Its campaign stays, if it is here. Raises Refusal while it is imported."""
    with transaction.atomic():
        kept = IncomingCampaign.objects.select_for_update(no_key=True).filter(pk=row.pk).first()
        if kept is not None and kept.state in IncomingCampaign.AT_WORK and not kept.is_silent:
            raise Refusal(_("The campaign is being imported. Wait for the end."), code="at-work")
        if kept is not None:
            kept.delete()
