"""Posting to Discord what is marked: each post is claimed before it leaves, and posted once. An edit may be repeated."""

from __future__ import annotations

import logging
import secrets
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.discord_embeds import message_of, taken_back
from campaigns.models import DiscordPost, DiscordWebhook
from config.outbound import outbound_session
from notifications.fates import CLAIM_FOR, Fate, fate_of_request, wait_after
from notifications.sending import keep_commits

log = logging.getLogger(__name__)

MOST = 50  # in one run
State = DiscordPost.State
UNKNOWN_MESSAGE = 10008  # Discord's own codes


def post_due(now: datetime | None = None) -> int:
    """Post and edit what is due. Return how many posts were tried."""
    now = now or timezone.now()
    _give_up_claims(now)
    due = DiscordPost.objects.filter(state=State.WAITING, due_at__lte=now, webhook__broken="")
    keys = list(due.order_by("due_at", "pk").values_list("pk", flat=True)[:MOST])
    if not keys:
        return 0
    keep_commits()
    session, tried = outbound_session(), 0
    try:
        for pk in keys:
            if (post := _claim(pk)) is not None:
                tried += 1
                _settle(post, _sent(session, post))
    finally:
        session.close()
    return tried


def _give_up_claims(now: datetime) -> None:
    """Let edits be repeated whose process was stopped. A first post of it was perhaps posted, and is not posted again."""
    left = DiscordPost.objects.filter(state=State.CLAIMED, claimed_at__lt=now - CLAIM_FOR)
    left.exclude(message_id="").update(state=State.WAITING, due_at=now)
    left.filter(message_id="").update(
        state=State.PERHAPS, settled_at=now, why=_("The server stopped while it was sent.")
    )


def _claim(pk: int) -> DiscordPost | None:
    code = secrets.token_hex(8)
    mine = DiscordPost.objects.filter(pk=pk, state=State.WAITING, webhook__broken="").update(
        state=State.CLAIMED, claim=code, claimed_at=timezone.now(), tries=F("tries") + 1, why=""
    )
    return DiscordPost.objects.select_related("webhook__campaign__terms").get(pk=pk) if mine else None


def _sent(session: Any, post: DiscordPost) -> Fate:
    address = post.webhook.address
    try:
        content = message_of(post.webhook.campaign, post.key)
        if content is None and post.message_id:
            content = taken_back(post.webhook.campaign)
        if content is None:
            return Fate("refused", _("There is nothing to show any more."))
        if post.message_id:
            return fate_of_request(lambda: session.patch(f"{address}/messages/{post.message_id}", json=content))
        return fate_of_request(lambda: session.post(f"{address}?wait=true", json=content))
    except Exception as error:
        # No text of the error: it may hold the secret address.
        log.error("Post %s broke off: %s", post.pk, type(error).__name__)
        return Fate("perhaps", _("The server broke off while it was sent."))


def _settle(post: DiscordPost, fate: Fate) -> None:
    now = timezone.now()
    ours = DiscordPost.objects.filter(pk=post.pk, claim=post.claim, state__in=[State.CLAIMED, State.PERHAPS])
    told = _json(fate)
    wait = wait_after(post.tries, fate) if fate.outcome == "later" else None
    if fate.outcome == "perhaps" and post.message_id:
        wait = wait_after(post.tries, Fate("later", fate.why))  # an edit shows the same when it comes twice
    if fate.outcome == "sent":
        number = post.message_id or str(told.get("id") or "")[:24]
        ours.update(state=State.SENT, message_id=number, shown=post.wanted, settled_at=now, why="", tries=0)
        newer = DiscordPost.objects.filter(pk=post.pk, state=State.SENT, claim=post.claim, wanted__gt=F("shown"))
        newer.exclude(message_id="").update(state=State.WAITING, due_at=now + timedelta(seconds=1))
    elif wait is not None:
        ours.update(state=State.WAITING, due_at=now + wait, why=fate.why)
    elif fate.outcome == "perhaps" and not post.message_id:
        ours.update(state=State.PERHAPS, settled_at=now, why=fate.why)
    else:
        why = _("The message was deleted in Discord.") if told.get("code") == UNKNOWN_MESSAGE else fate.why
        ours.update(state=State.REFUSED, settled_at=now, why=why[:200], shown=post.wanted)
        if _is_broken(fate, told):
            broken = _("Discord doesn't know this webhook any more. Connect a new one.")
            DiscordWebhook.objects.filter(pk=post.webhook_id).update(broken=broken)
    if fate.outcome != "sent":
        log.warning("Post %s: %s. %s", post.pk, fate.outcome, fate.why)


def _json(fate: Fate) -> dict[str, Any]:
    """Return what Discord answered, {} if it is no JSON object."""
    try:
        told = fate.answer.json() if fate.answer is not None else {}
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _is_broken(fate: Fate, told: dict[str, Any]) -> bool:
    """Return whether the webhook itself is gone or forbidden, and not only one message of it."""
    status = fate.answer.status_code if fate.answer is not None else 0
    return status in (401, 403) or (status == 404 and told.get("code") != UNKNOWN_MESSAGE)
