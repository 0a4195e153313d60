"""The pages that are measured while the site grows: every page of a quiet club, of a campaign that grew, and of the site owner."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.urls import reverse

from campaigns.models import Battle, Seat
from tests.bench.grown import Grown
from tests.bench.pages import pages_of, paths_of
from tests.bench.visitor import signed_in
from tests.scene import Scene
from warbands.models import Event, Fighter, Item


@dataclass(frozen=True, slots=True)
class GrowingPage:
    """A page as one person opens it; `is_large`: of the campaign that grew; `is_of_site`: the site owner's."""

    name: str
    path: str
    cookie: str
    is_large: bool = False
    is_of_site: bool = False


def growing_pages(scene: Scene, grown: Grown, words: str) -> list[GrowingPage]:
    """All pages, as a player opens them, and an administrator those that are theirs; desk and campaign as both do.

    `words` name the campaign that grew in what is printed.
    """
    quiet, large = paths_of(scene), grown_addresses(grown)
    people = {"owner": scene.users["owner"], "administrator": scene.users["administrator"]}
    found = pages_of(quiet, people, "quiet")
    found += pages_of({key: quiet[key] for key in HOMES}, {"administrator": people["administrator"]}, "quiet")
    count = len(found)
    found += pages_of(large, {"owner": grown.player, "administrator": grown.administrator}, words)
    homes = {key: large[key.removesuffix(" pk")] for key in HOMES}
    found += pages_of(homes, {"administrator": grown.administrator}, words)
    return [GrowingPage(page.name, page.path, page.cookie, place >= count) for place, page in enumerate(found)]


def pages_of_the_site() -> list[GrowingPage]:
    """The pages of the site owner, who is made for it."""
    cookie = signed_in(get_user_model().objects.create_superuser("site-owner"))
    return [GrowingPage(f"{name} (site owner)", reverse(name), cookie, is_of_site=True) for name in OF_THE_SITE]


OF_THE_SITE = ("site-desk", "site-people", "site-hidden", "site-rules", "site-campaigns")
HOMES = ("desk-show", "campaign-show pk")


def grown_addresses(grown: Grown) -> dict[str, str]:
    """The addresses of a campaign that grew, its first warband and its first battles."""
    campaign = grown.campaign
    seat = Seat.objects.get(campaign=campaign, user=grown.player)
    assert seat.warband_id is not None
    warband = seat.warband_id
    mine = Battle.objects.filter(sides__seat=seat).order_by("pk")
    ahead, fought = mine.filter(status="scheduled").first(), mine.filter(status="closed").first()
    assert ahead is not None
    assert fought is not None
    fighter = Fighter.objects.filter(warband=warband, status="active", items__isnull=False).order_by("pk").first()
    assert fighter is not None
    piece = Item.objects.filter(fighter=fighter, status="held").latest("pk")
    event = Event.objects.filter(subjects__warband=warband).latest("pk")
    found = {
        "desk-show": reverse("desk-show"),
        "odds-show": reverse("odds-show"),
        "warband-list": reverse("warband-list"),
    }
    found |= {
        name: reverse(name, args=[campaign.pk])
        for name in (
            "campaign-show", "campaign-administer", "player-list", "house-rule-list", "round-arrange", "booklet-print", "battle-schedule",
        )
    }  # fmt: skip
    for name in ("campaign-show", "player-list", "round-arrange", "battle-schedule", "campaign-administer"):
        found[f"{name}, page 2"] = f"{reverse(name, args=[campaign.pk])}?page=2"
    found |= {name: reverse(name, args=[seat.pk]) for name in ("seat-show", "seat-found", "seat-reset")}
    found |= {
        name: reverse(name, args=[warband])
        for name in (
            "warband-show", "fighter-hire", "stash-show", "ledger-list", "history-show", "warband-change", "warband-disband", "camp-show",
            "choice-list", "team-list", "roster-print", "warband-share",
        )
    }  # fmt: skip
    found["history-show, undone"] = f"{found['history-show']}?show=undone"
    found["history-show, fighters"] = f"{found['history-show']}?show=fighters"
    found |= {
        name: reverse(name, args=[fighter.pk])
        for name in (
            "fighter-show",
            "kit-buy",
            "upgrade-buy",
            "fighter-move",
            "fighter-copy",
            "fighter-rename",
            "fighter-dismiss",
        )
    }
    found |= {
        name: reverse(name, args=[piece.pk])
        for name in ("item-give", "item-swap", "item-stash", "item-sell", "item-return")
    }
    found |= {
        f"{name}, ahead": reverse(name, args=[ahead.pk]) for name in ("battle-show", "force-select", "battle-track")
    }
    found |= {
        f"{name}, fought": reverse(name, args=[fought.pk]) for name in ("battle-show", "report-confirm", "battle-track")
    }
    return found | {
        "round-show": reverse("round-show", args=[campaign.pk, 1]),
        "campaign-watch": reverse("campaign-watch", args=[campaign.slug]),
        "news-watch": reverse("news-watch", args=[campaign.slug]),
        "battle-watch": reverse("battle-watch", args=[campaign.slug, fought.pk]),
        "campaign-join": reverse("campaign-join", args=[f"a-link-into-{campaign.slug}"]),
        "event-undo": reverse("event-undo", args=[event.pk]),
    }
