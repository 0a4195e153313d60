"""The services by which the site owner hides a public page, or shows it again: whoever it belongs to is told, with the reason."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import HiddenPage, User
from accounts.site_owner import hide, show_again
from campaigns.models import Administrator, Campaign
from campaigns.notifications import DECISION
from notifications.services import PersonTold, notify
from warbands.models import Profile, Warband

MODELS: dict[Any, Any] = {
    HiddenPage.Kind.CAMPAIGN: Campaign,
    HiddenPage.Kind.WARBAND: Warband,
    HiddenPage.Kind.PROFILE: Profile,
}
PLACES: dict[Any, str] = {
    HiddenPage.Kind.CAMPAIGN: "campaign-administer",
    HiddenPage.Kind.WARBAND: "warband-share",
    HiddenPage.Kind.PROFILE: "profile-write",
}


def hide_page(*, kind: Any, row: int, reason: str, actor: User) -> HiddenPage:
    """Hide the public pages of something and tell its people why. Raises Refusal without a reason, or if they are hidden."""
    with transaction.atomic():
        page = hide(kind=kind, row=row, reason=reason, actor=actor)
        _tell(page, actor, _("The site owner hid {name} from the public"), _("Reason: “{reason}”"))
    return page


def show_page_again(*, page: HiddenPage, actor: User) -> HiddenPage:
    """Show hidden pages again and tell their people. Raises Refusal if they are shown already."""
    with transaction.atomic():
        shown = show_again(page=page, actor=actor)
        _tell(shown, actor, _("{name} is public again"), _("The site owner shows it again."))
    return shown


def _tell(page: HiddenPage, actor: User, title: str, words: str) -> None:
    """Tell the owner of what stands there, or a campaign's administrators. At most four queries."""
    thing = MODELS[page.kind]._base_manager.filter(pk=page.row).first()
    if thing is None:
        return
    state = "shown" if page.ended_at else "hidden"
    notify(
        PersonTold(
            user=user,
            kind=DECISION,
            key=f"{state}:{page.pk}",
            title=title.format(name=thing.name),
            words=words.format(reason=page.reason),
            href=reverse(PLACES[page.kind], args=[page.row]),
        )
        for user in _people(page.kind, thing)
        if user != actor.pk
    )


def _people(kind: Any, thing: Any) -> list[int]:
    if kind == HiddenPage.Kind.CAMPAIGN:
        return list(Administrator.objects.live().filter(campaign=thing).values_list("user_id", flat=True))
    return [thing.owner_id] if thing.owner_id else []
