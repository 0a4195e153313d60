"""The view of a campaign's state: which dated changes it plays, what another state would change, and moving there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaigns.access import campaign_for, is_administrator
from campaigns.models import Campaign
from campaigns.services.states import foresee_campaign, hindrance, move_campaign, scenarios_by_name
from config.access import login_required
from warbands.pages.states import Foretold
from warbands.pages.widgets import Link
from warbands.views.states import answer_states


@login_required
@require_http_methods(["GET", "POST"])
def campaign_states(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what another state would change for every warband; administrators move the campaign."""
    campaign = campaign_for(request.user, pk)
    administers = is_administrator(request.user, campaign)
    if request.method == "POST" and not administers:
        raise PermissionDenied(_("Only the campaign's administrators can do this."))

    def move(overlays: list[str], edition: str, policy: str, token: str) -> Any:
        return move_campaign(
            campaign=campaign, overlays=overlays, edition=edition, policy=policy, actor=request.user, token=token
        )

    return answer_states(
        request,
        campaign.terms,
        title=_("Rules of {name}").format(name=campaign.name),
        back=Link(campaign.name, reverse("campaign-show", args=[pk])),
        here=reverse("campaign-states", args=[pk]),
        may_move=administers,
        look=lambda chosen, edition: foresee_campaign(campaign, chosen, edition),
        foretell=lambda chosen, edition: foretold(campaign, chosen, edition),
        move=move,
        people=list(campaign.administrators.filter(is_undone=False).values_list("user", flat=True)),
    )


def foretold(campaign: Campaign, overlays: Sequence[str], edition: str) -> Foretold:
    """Return what stops a move of the campaign, and the planned scenarios that it leaves without a page. Five queries."""
    names = scenarios_by_name(campaign, overlays, edition)
    words = _("Not there, so planned battles keep it by name only: {names}.").format(names=", ".join(names))
    reminders = Link(_("To the reminders"), reverse("reminder-list", args=[campaign.pk]))
    return Foretold(hindrance(campaign, edition), reminders, (words,) if names else ())
