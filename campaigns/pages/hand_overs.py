"""The lines of the desk about warbands that are offered: to this person, or in their name."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.pages.desk_waits import Wait
from warbands.models import HandOver
from warbands.pages.formatting import day
from warbands.services.hand_over import offers_to


def hand_over_waits(user: Any) -> tuple[Wait, ...]:
    """Return a line for each offer to answer, made in this person's name, or ended without their having read it. One query."""
    ended = Q(giver=user, is_told=False, status__in=[HandOver.Status.ACCEPTED, HandOver.Status.DECLINED])
    in_name = Q(giver=user, status=HandOver.Status.OPEN) & ~Q(by=F("giver"))
    found = HandOver.objects.filter(offers_to(user) | ended | in_name, warband__is_undone=False)
    return tuple(_wait(each, user) for each in found.select_related("warband", "giver", "to", "by")[:20])


def _wait(offer: HandOver, user: Any) -> Wait:
    name, href = offer.warband.name, reverse("hand-over-take", args=[offer.code])
    meta, label, since = "", _("Read"), offer.settled_at or offer.made_at
    if offer.giver_id != user.pk:
        title, meta, label = (
            _("{giver} offers you {name}").format(giver=offer.giver, name=name),
            _("until {day}").format(day=day(offer.open_until)),
            _("Answer"),
        )
    elif offer.status == HandOver.Status.OPEN:
        title = _("{by} offers {name} in your name").format(by=offer.by or _("An administrator"), name=name)
        meta = f"“{offer.reason}”"
        href = reverse("warband-hand-over", args=[offer.warband_id])
    elif offer.status == HandOver.Status.ACCEPTED:
        title = _("{to} took over {name}").format(to=offer.to, name=name)
    else:
        title = _("Your offer of {name} was declined").format(name=name)
    return Wait(f"hand_over_{offer.pk}", "users", title, meta, href, label, since)
