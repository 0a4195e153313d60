"""Imports the campaign files that the site owner brought by a page."""

from __future__ import annotations

import io
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from campaigns.campaign_file.importing import import_campaign
from campaigns.models import IncomingCampaign
from campaigns.models.incoming import MOST_TRIES, SILENT_AFTER
from config.backup.faults import BackupFault
from rules.problems import Refusal

LONGEST = 300
BROKE = gettext_lazy("The server log says why.")
STOPPED = gettext_lazy("The worker stopped before it was finished. Nothing was saved.")
State = IncomingCampaign.State


def work_at_incoming(pk: int) -> None:
    """Import the campaign of a queued file: all of it and the word that it is done in one transaction, or nothing."""
    now = timezone.now()
    if not IncomingCampaign.objects.filter(pk=pk, state=State.QUEUED).update(state=State.RUNNING, told_at=now):
        return
    mine = IncomingCampaign.objects.filter(pk=pk, state=State.RUNNING, told_at=now)
    try:
        with transaction.atomic():
            _import(mine)
    except (BackupFault, Refusal) as fault:
        mine.update(state=State.REFUSED, words=str(fault)[:LONGEST])
    except Exception:
        mine.update(state=State.REFUSED, words=str(BROKE))
        raise


def take_up_incoming(pk: int) -> bool:
    """Import a file anew whose worker has stopped; return whether it has to be looked at later. Raises nothing."""
    at_work = IncomingCampaign.objects.at_work().filter(pk=pk)
    now = timezone.now()
    silent = at_work.filter(told_at__lt=now - SILENT_AFTER)
    if silent.update(state=State.QUEUED, told_at=now, tries=F("tries") + 1):
        if at_work.filter(tries__gte=MOST_TRIES).update(state=State.REFUSED, words=str(STOPPED)):
            return False
        work_at_incoming(pk)
    return bool(at_work.exists())


def _import(mine: Any) -> None:
    row = mine.select_related("sender").first()
    if row is None or row.data is None:
        return
    users = {user.pk: user for user in User.objects.with_account().filter(pk__in=row.who.values(), is_active=True)}
    if len(users) < len(row.who):
        raise Refusal(_("An account that you named is no longer here. Nothing was saved."), code="gone")
    who = {int(number): users[key] for number, key in row.who.items()}
    brought = import_campaign(io.BytesIO(bytes(row.data)), actor=row.sender, who=who)
    if not mine.update(state=State.DONE, campaign=brought.campaign, data=None, words=""):
        raise Refusal(_("Another worker took up this file. Nothing was saved."), code="overtaken")
