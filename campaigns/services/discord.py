"""The services of a campaign's Discord channel: connecting it, trying it, and marking what is to be posted or edited."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Battle, Campaign, DiscordPost, DiscordWebhook, Round, Seat
from config.outbound import is_discord_address
from rules.problems import Refusal
from warbands.models import Event
from warbands.models.base import Recorded
from warbands.recording import recording

State = DiscordPost.State
_ADDRESS = re.compile(r"(https?://[^/]+)/api/(?:v\d{1,2}/)?webhooks/(\d{15,22})/([\w-]{40,100})/?", re.ASCII)

# Kinds of acts after which the channel shows something else.
OF_A_RESULT = frozenset(["report", "amend", "confirm", "dispute", "decide", "void", "undo"])
OF_A_ROUND = frozenset(["pair", "schedule", "bye", "cancel", "undo"])
OF_THE_STANDINGS = OF_A_RESULT | {"bye", "repair-standings", "opening"}


def connect_discord(*, campaign: Campaign, actor: Any, address: str, token: str = "") -> DiscordWebhook:
    """Connect a channel by the address of its webhook, or replace it. The history says so without the address.

    Raises Refusal for anything that is no webhook of Discord.
    """
    found = _ADDRESS.fullmatch(address.strip())
    if found is None or not is_discord_address(address.strip()):
        raise Refusal(
            _("That isn't a Discord webhook."),
            mend=_("It starts with https://discord.com/api/webhooks/ and ends with a long code."),
            code="address",
            field="address",
        )
    with recording(campaign, kind="discord", actor=actor, for_name="", token=token) as act:
        row = act.row(campaign)
        DiscordWebhook.objects.filter(campaign=row).delete()  # posts of another channel can't be edited from here
        made = DiscordWebhook.objects.create(
            campaign=row, address=f"{found[1]}/api/webhooks/{found[2]}/{found[3]}", added_by=actor
        )
        act.say(_("{{who}} connected a Discord channel."))
    return made


def remove_discord(*, campaign: Campaign, actor: Any, token: str = "") -> None:
    """Forget the webhook. What was posted stays in the channel. Raises Refusal if there is none."""
    with recording(campaign, kind="discord", actor=actor, for_name="", token=token) as act:
        row = act.row(campaign)
        if not DiscordWebhook.objects.filter(campaign=row).delete()[0]:
            raise Refusal(_("No Discord channel is connected."), code="none")
        act.say(_("{{who}} removed the Discord channel."))


def try_discord(campaign: Campaign) -> None:
    """Post a test, and let a channel that did not work be tried again. Raises Refusal if there is none."""
    webhook = DiscordWebhook.objects.filter(campaign=campaign).first()
    if webhook is None:
        raise Refusal(_("No Discord channel is connected."), code="none")
    DiscordWebhook.objects.filter(pk=webhook.pk).update(broken="")
    webhook.posts.filter(key__startswith="test:").delete()
    DiscordPost.objects.create(webhook=webhook, key=f"test:{secrets.token_hex(6)}", wanted=1)


def post_again(campaign: Campaign, pk: int) -> bool:
    """Post what perhaps was posted, or was refused, once more: a person looked and decided so. Return whether it was there."""
    stuck = DiscordPost.objects.filter(webhook__campaign=campaign, pk=pk, state__in=[State.PERHAPS, State.REFUSED])
    return bool(stuck.update(state=State.WAITING, message_id="", due_at=timezone.now(), tries=0, why=""))


# --- what is to be posted ---------------------------------------------------------------------------------------------------


def mark_posts(event: Event, rows: Sequence[Recorded]) -> None:
    """Mark the posts that an act changes, inside its transaction. One query without a channel; none for other acts."""
    if event.kind not in OF_A_RESULT | OF_A_ROUND | OF_THE_STANDINGS:
        return
    battles = [row for row in rows if isinstance(row, Battle)]
    campaigns = {row.pk for row in rows if isinstance(row, Campaign)} | {battle.campaign_id for battle in battles}
    campaigns |= {row.campaign_id for row in rows if isinstance(row, (Round, Seat))}
    if not campaigns:
        return
    for webhook in DiscordWebhook.objects.filter(campaign__in=campaigns, broken=""):
        own = [battle for battle in battles if battle.campaign_id == webhook.campaign_id]
        _mark(webhook, set(_keys(event, own, rows)), event)


def _keys(event: Event, battles: Iterable[Battle], rows: Sequence[Recorded]) -> Iterable[str]:
    """Yield the keys of the posts. Three queries at most."""
    battles = list(battles)
    if event.kind in OF_A_RESULT:
        yield from (f"battle:{battle.pk}" for battle in battles if battle.kind != Battle.Kind.BYE)
    wanted = {battle.round_id for battle in battles if battle.round_id} | {
        row.pk for row in rows if isinstance(row, Round)
    }
    numbers = list(Round.objects.filter(pk__in=wanted).values_list("number", flat=True)) if wanted else []
    if event.kind in OF_A_ROUND:
        yield from (f"round:{number}" for number in numbers)
    if event.kind in OF_THE_STANDINGS:
        yield from (f"standings:{number}" for number in numbers or [0])


def _mark(webhook: DiscordWebhook, keys: set[str], event: Event) -> None:
    """Make the posts that are missing, and let the others be edited. What perhaps was posted stays as it is.

    An undo is no news of its own: it only edits. Three queries.
    """
    now = timezone.now()
    if event.undoes_id is None:
        posts = [DiscordPost(webhook=webhook, key=key, wanted=event.pk, due_at=now) for key in keys]
        DiscordPost.objects.bulk_create(posts, ignore_conflicts=True)
    known = DiscordPost.objects.filter(webhook=webhook, key__in=keys)
    known.filter(wanted__lt=event.pk).update(wanted=event.pk)
    known.filter(state__in=[State.SENT, State.REFUSED], shown__lt=event.pk).update(
        state=State.WAITING, due_at=now, tries=0
    )
