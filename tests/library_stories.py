"""What happens around a library in words that tests read by: somebody writes a profile, and shares it in a campaign."""

from __future__ import annotations

from typing import Any

from campaigns.models import Campaign
from campaigns.services.join import join_campaign
from campaigns.services.open import open_campaign
from tests import campaign_stories as c
from warbands.models import Profile
from warbands.services.library import share_profile, write_profile

GAME, EDITION = "gloom-trench", "core"
OTHER_GAME = "trench-too-far"
GUARD: dict[str, Any] = {
    "keywords": ["Squad"],
    "models": [
        {"name": "Guard", "least": 3, "most": 8, "usual": 6},
        {"name": "Sergeant", "squad_leader": True, "command": 2},
    ],
    "weapons": [{"name": "Rifle", "short_range": 12, "short_die": "D8"}],
}


def wrote(owner: Any, name: str = "Harbour Guard", **how: Any) -> Profile:
    """Somebody writes a profile into the own library."""
    how.setdefault("actor", owner)
    how.setdefault("system_id", GAME)
    how.setdefault("edition", EDITION)
    how.setdefault("kind", "unit")
    how.setdefault("data", GUARD)
    return write_profile(owner=owner, name=name, **how)


def circle(administrator: Any, *players: Any, system: str = GAME, name: str = "The Harbour War") -> Campaign:
    """A campaign of a game whose profiles players write; everybody has a seat and nobody a force yet."""
    campaign = open_campaign(actor=administrator, name=name, system=system)
    for player in players:
        join_campaign(invitation_token=c.link(campaign), actor=player)
    return campaign


def shared(profile: Profile, campaign: Campaign, actor: Any) -> Profile:
    """A profile is shared in a campaign."""
    return share_profile(profile=profile, terms=campaign.terms_id, actor=actor)


def fresh(profile: Profile) -> Profile:
    """The profile as the database holds it."""
    return Profile.objects.select_related("owner").get(pk=profile.pk)
