"""Moves a campaign with all its warbands to another state of its edition, and shows beforehand what that changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from campaigns.models import Battle, Campaign, PostBattle, Side
from rules.parts.states import WarbandChange
from rules.problems import Refusal
from warbands.models import Terms, Warband
from warbands.recording import recording
from warbands.services.states import foresee, move_to_state


def move_campaign(
    *, campaign: Campaign, overlays: Sequence[str], policy: str, actor: Any, edition: str = "", token: str = ""
) -> Campaign:
    """Move the campaign and every warband under its terms. One act, which one undo takes back. Raises Refusal."""
    terms = campaign.terms
    if terms.coming:
        raise Refusal(
            _("House rules are planned for later."), mend=_("Let them begin, or cancel them first."), code="coming"
        )
    if edition not in ("", terms.edition):
        _refuse_unfinished(campaign)
    warbands = warbands_under(terms)
    with recording(campaign, terms, *warbands, kind="state", actor=actor, for_name="", token=token) as act:
        locked = [act.row(warband) for warband in warbands]
        words = move_to_state(act, act.row(terms), locked, overlays, policy, edition)
        act.say(_("{{who}} moved {campaign}: {words}").format(campaign=campaign.name, words=words))
    return campaign


def _refuse_unfinished(campaign: Campaign) -> None:
    """Raise Refusal while a battle is mustered or its steps are open: another edition has other steps."""
    sides = Side.objects.live().filter(battle__campaign=campaign, battle__is_undone=False)
    still = PostBattle.objects.live().filter(side__in=sides, closed_at=None)
    if names := _names(sides.filter(pk__in=still.values("side"))):
        raise Refusal(
            _("Steps after a battle are still open for {names}.").format(names=names),
            mend=_("Another edition has other steps. Under Reminders you can ask them to finish."),
            code="unfinished",
        )
    if names := _names(sides.filter(battle__status=Battle.Status.MUSTERED)):
        raise Refusal(
            _("A battle is ready and not reported: {names}.").format(names=names),
            mend=_("Report it before another edition, or take Ready back."),
            code="unfinished",
        )


def _names(sides: QuerySet[Side]) -> str:
    """Return the warbands of these sides, and who plays each. One query."""
    found = sides.filter(warband__isnull=False).select_related("warband__owner").order_by("pk")
    told = dict.fromkeys(
        f"{side.warband.name} ({side.warband.owner})" if side.warband.owner else side.warband.name
        for side in found
        if side.warband is not None
    )
    return ", ".join(told)


def foresee_campaign(
    campaign: Campaign, overlays: Sequence[str], edition: str = ""
) -> list[tuple[Warband, WarbandChange]]:
    """Return what another state would change for each warband of the campaign. Raises Refusal. Three queries."""
    return foresee(campaign.terms, warbands_under(campaign.terms), overlays, edition)


def warbands_under(terms: Terms) -> list[Warband]:
    """Return the warbands that play under these terms, in the order of their names. One query."""
    return list(Warband.objects.live().filter(terms=terms).select_related("terms").order_by("name", "pk"))
