"""Links into a campaign or a friendly battle: with one of them a visitor is invited."""

from __future__ import annotations

from django.urls import Resolver404, resolve

from campaigns.services.friendly import read_code, seat_of_code
from campaigns.services.join import invitation_for, seat_to_claim
from rules.problems import Refusal


def is_invitation(path: str) -> bool:
    """Return whether this address of the site is an open link into a campaign or a friendly battle. One query at most."""
    try:
        found = resolve(path.partition("?")[0])
    except Resolver404:
        return False
    try:
        match found.view_name:
            case "campaign-join":
                invitation_for(found.kwargs["token"])
            case "seat-claim":
                seat_to_claim(found.kwargs["token"])
            case "friendly-accept":
                seat_of_code(read_code(found.kwargs["code"]))
            case _:
                return False
    except Refusal:
        return False
    return True
