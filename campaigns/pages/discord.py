"""The page of a campaign's Discord channel: connecting it, trying it, and what was posted."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Battle, Campaign, DiscordPost, DiscordWebhook
from campaigns.scenarios import scenario_name
from warbands.pages.widgets import Link

MOST = 30
State = DiscordPost.State


@dataclass(frozen=True, slots=True)
class PostLine:
    pk: int
    name: str
    state: str
    is_doubtful: bool
    may_post_again: bool


@dataclass(frozen=True, slots=True)
class DiscordPage:
    here: str
    back: Link
    is_connected: bool
    hint: str  # the last signs of the secret address
    broken: str
    posts: tuple[PostLine, ...]


def discord_page(campaign: Campaign) -> DiscordPage:
    """Build the page. Three queries."""
    webhook = DiscordWebhook.objects.filter(campaign=campaign).first()
    posts = list(webhook.posts.order_by("-wanted", "-pk")[:MOST]) if webhook is not None else []
    numbers = [int(post.key.partition(":")[2]) for post in posts if post.key.startswith("battle:")]
    battles = {battle.pk: battle for battle in Battle.objects.filter(pk__in=numbers)} if numbers else {}
    for battle in battles.values():
        battle.campaign = campaign
    return DiscordPage(
        here=reverse("campaign-discord", args=[campaign.pk]),
        back=Link(_("Campaign desk"), reverse("campaign-administer", args=[campaign.pk])),
        is_connected=webhook is not None,
        hint=f"…{webhook.address[-4:]}" if webhook is not None else "",
        broken=webhook.broken if webhook is not None else "",
        posts=tuple(_line(post, battles) for post in posts),
    )


def _line(post: DiscordPost, battles: dict[int, Battle]) -> PostLine:
    what, _sep, number = post.key.partition(":")
    battle = battles.get(int(number)) if what == "battle" else None
    names = {
        "test": _("Test"),
        "round": _("Pairings of round {number}").format(number=number),
        "standings": _("Standings after round {number}").format(number=number) if number != "0" else _("Standings"),
    }
    name = _("Result: {battle}").format(battle=scenario_name(battle)) if battle is not None else names.get(what, what)
    when = f", {timezone.localtime(post.settled_at):%-d %b, %H:%M}" if post.settled_at is not None else ""
    why = f". {post.why}" if post.why else ""
    return PostLine(
        pk=post.pk,
        name=name,
        state=f"{post.get_state_display()}{when}{why}",
        is_doubtful=post.state in (State.PERHAPS, State.REFUSED),
        may_post_again=post.state in (State.PERHAPS, State.REFUSED) and what != "test",
    )
