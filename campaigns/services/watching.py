"""The link by which anybody may watch the table of one battle: handed out and revoked by those who play it, and by administrators."""

from __future__ import annotations

from django.db import transaction

from campaigns.models import Battle, WatchLink
from campaigns.services.common import new_link


def hand_out_watch_link(*, battle: Battle) -> str:
    """Return the code of the link to watch this battle. A new one is drawn where none is in use."""
    with transaction.atomic():
        Battle.objects.select_for_update(no_key=True).get(pk=battle.pk)
        link, _made = WatchLink.objects.get_or_create(battle=battle)
        if not link.code:
            link.code = new_link()
            link.save(update_fields=["code"])
    return link.code


def revoke_watch_link(*, battle: Battle) -> None:
    """Let the link to watch this battle show nothing from now on. Who had it needs a new one."""
    WatchLink.objects.filter(battle=battle).update(code="")
