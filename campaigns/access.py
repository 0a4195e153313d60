"""Permissions: who may look, play and administer. Every view fetches its objects through this module.

A stranger gets 404, a player without the required right gets 403. Players (past ones too) and administrators may
watch a campaign. Those who have a seat or administer the campaign may play. The side's player, the owner of its
warband, named delegates and administrators may act for a side.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from django.core.exceptions import PermissionDenied
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import HiddenPage
from accounts.site_owner import is_hidden
from campaigns.models import (
    Administrator,
    Battle,
    Campaign,
    Capture,
    PostBattle,
    ReportCode,
    ReportDraft,
    Seat,
    Side,
    Table,
)
from warbands.models import Delegate, Terms, Warband

To = Literal["watch", "play", "administer"]

SET = (Battle.Status.SCHEDULED, Battle.Status.MUSTERED, Battle.Status.REPORTED, Battle.Status.DISPUTED)


# --- checks -----------------------------------------------------------------------------------------------------------


def is_administrator(user: Any, campaign: Campaign | int) -> bool:
    """Return whether this person administers the campaign. One query."""
    return Administrator.objects.live().filter(user_id=user.pk, campaign=campaign).exists()


def seat_of(user: Any, campaign: Campaign | int) -> Seat | None:
    """Return the seat that this person currently has in the campaign, None if there is none or it was left. One query."""
    return (
        Seat.objects.live()
        .filter(user_id=user.pk, campaign=campaign)
        .exclude(status=Seat.Status.LEFT)
        .select_related("warband")
        .first()
    )


def acts_for(user: Any, warband: Warband | None) -> bool:
    """Return whether this person owns the warband or is a named delegate. At most one query."""
    if warband is None or user.pk is None:
        return False
    if warband.owner_id == user.pk:
        return True
    return Delegate.objects.live().filter(warband=warband, user_id=user.pk).exists()


def plays_side(user: Any, side: Side) -> bool:
    """Return whether this person plays the side: through its seat, its warband, or as a delegate. At most one query."""
    if side.is_guest or user.pk is None:
        return False
    if side.seat.user_id == user.pk:
        return True
    return acts_for(user, side.warband)


def side_of(user: Any, battle: Battle) -> Side | None:
    """Return the side of the battle that this person plays, or None. Two queries."""
    if user.pk is None:
        return None
    acted = Delegate.objects.live().filter(user_id=user.pk).values("warband")
    return (
        battle.sides.live()
        .filter(Q(seat__user_id=user.pk) | Q(warband__owner_id=user.pk) | Q(warband__in=acted))
        .select_related("seat", "warband__terms")
        .first()
    )


def sides_played(user: Any, battle: Battle) -> frozenset[int]:
    """Return the ids of the sides that this person plays: through a seat, a warband, or as a delegate. One query."""
    acted = Delegate.objects.live().filter(user_id=user.pk).values("warband")
    mine = Q(seat__user_id=user.pk) | Q(warband__owner_id=user.pk) | Q(warband__in=acted)
    return frozenset(battle.sides.live().filter(mine).values_list("pk", flat=True))


@dataclass(frozen=True, slots=True)
class Role:
    """A person's role in a battle: the sides they play, whether they administer its campaign, whether they have (or had) a seat in it."""

    sides: frozenset[int]
    runs: bool
    sits: bool


def role_at(user: Any, battle: Battle) -> Role:
    """Return this person's role in the battle. One query."""
    acts = Delegate.objects.live().filter(user_id=user.pk, warband=OuterRef("warband"))
    mine = Q(seat__user_id=user.pk) | Q(warband__owner_id=user.pk) | Exists(acts)
    here = {"user_id": user.pk, "campaign": battle.campaign_id, "campaign__is_undone": False}
    rows = (
        battle.sides.live()
        .annotate(
            is_mine=ExpressionWrapper(mine, output_field=BooleanField()),
            is_run=Exists(Administrator.objects.live().filter(**here)),
            is_seated=Exists(Seat.objects.live().filter(**here)),
        )
        .order_by()
        .values_list("pk", "is_mine", "is_run", "is_seated")
    )
    found = list(rows)
    return Role(
        frozenset(pk for pk, is_mine, *_ in found if is_mine),
        any(is_run for _, _, is_run, _ in found),
        any(is_seated for *_, is_seated in found),
    )


def known_role(user: Any, battle: Battle) -> Role:
    """Return this person's role as it was fetched with the battle. One query if it was not, or was another person's."""
    whose, role = getattr(battle, "role_of", (None, None))
    return role if role is not None and whose == user.pk else role_at(user, battle)


@dataclass(frozen=True, slots=True)
class TableRead:
    """What somebody who may read a table is told of it at once: its id, its version, and the status of its battle."""

    pk: int
    version: int
    status: str


def table_read(user: Any, battle: int) -> TableRead | None:
    """Return the table of the battle with this id if this person may read it; the same check as in `table_for`.

    One query for those who sit at it, who ask the most; two for others.
    """
    if user.pk is None:
        return None
    sits = Side.objects.live().filter(
        battle=battle, seat__user_id=user.pk, battle__is_undone=False, battle__table__isnull=False
    )
    found = sits.order_by().values_list("battle__table", "battle__table__version", "battle__status")[:1]
    for row in found:
        return TableRead(*row)
    acted = Delegate.objects.live().filter(user_id=user.pk).values("warband")
    mine = Q(seat__user_id=user.pk) | Q(warband__owner_id=user.pk) | Q(warband__in=acted)
    plays = Side.objects.live().filter(mine, battle=OuterRef("battle"))
    runs = Administrator.objects.live().filter(user_id=user.pk, campaign=OuterRef("battle__campaign"))
    joined = Campaign.objects.joined_by(user).filter(rosters=Campaign.Rosters.OPEN)
    may = Q(Exists(plays)) | Q(Exists(runs)) | Q(battle__campaign__in=joined)
    return _read(Table.objects.filter(may, battle=battle, battle__is_undone=False))


def table_read_by_slug(slug: str, battle: int) -> TableRead | None:
    """Return the table of a battle that everybody with the link may see; the same check as in `table_by_slug`. One query."""
    shown = Table.objects.filter(
        ~is_hidden(HiddenPage.Kind.CAMPAIGN, "battle__campaign_id"),
        battle=battle,
        battle__is_undone=False,
        battle__campaign__is_undone=False,
        battle__campaign__slug=slug,
        battle__campaign__seen_by=Campaign.SeenBy.LINK,
        battle__campaign__rosters=Campaign.Rosters.OPEN,
    )
    return _read(shown.exclude(battle__campaign__slug=""))


def table_read_by_code(code: str) -> TableRead | None:
    """Return the table that the link with this code shows; the same check as in `battle_by_code`. One query."""
    live = {"battle__is_undone": False, "battle__campaign__is_undone": False}
    shown = Table.objects.filter(~is_hidden(HiddenPage.Kind.CAMPAIGN, "battle__campaign_id"), **live)
    return _read(shown.filter(battle__watch_link__code=code)) if code else None


def _read(tables: QuerySet[Table]) -> TableRead | None:
    found = tables.values_list("pk", "version", "battle__status").first()
    return TableRead(*found) if found is not None else None


def parties_of(user: Any, capture: Capture) -> frozenset[str]:
    """Return the parties for which this person may negotiate over a captive: "owner", "captor", both (an administrator) or neither."""
    if capture.battle_id is not None and is_administrator(user, capture.battle.campaign_id):
        return frozenset({"owner", "captor"})
    roles = {"owner": capture.warband, "captor": capture.captor}
    return frozenset(role for role, warband in roles.items() if acts_for(user, warband))


# --- fetching ----------------------------------------------------------------------------------------------------------------


def as_seen_by(user: Any, campaigns: QuerySet[Campaign]) -> QuerySet[Campaign]:
    """Annotate campaigns with `is_run` (this person administers it) and `is_due` (a report in it is overdue for
    confirmation)."""
    runs = Administrator.objects.live().filter(user_id=user.pk, campaign=OuterRef("pk"))
    due = Battle.objects.live().filter(
        campaign=OuterRef("pk"), status=Battle.Status.REPORTED, confirm_by__lte=timezone.now()
    )
    return campaigns.annotate(is_run=Exists(runs), is_due=Exists(due))


def campaign_for(user: Any, pk: int, to: To = "watch") -> Campaign:
    """Fetch a campaign, annotated by `as_seen_by`, for somebody who has the right `to`. At most two queries.

    Raises Http404 for a stranger, PermissionDenied for a member of the campaign without this right.
    """
    mine = (
        Campaign.objects.joined_by(user).select_related("terms").filter(pk=pk) if user.pk else Campaign.objects.none()
    )
    campaign = as_seen_by(user, mine).first()
    if campaign is None:
        raise Http404(_("No such campaign, or you have no access."))
    _demand(user, campaign, to)
    return campaign


def campaign_by_slug(slug: str) -> Campaign:
    """Fetch the campaign of a public URL. Raises Http404 if it is not shown to spectators. One query."""
    campaign = (
        Campaign.objects.live()
        .filter(~is_hidden(HiddenPage.Kind.CAMPAIGN, "pk"), slug=slug, seen_by=Campaign.SeenBy.LINK)
        .exclude(slug="")
        .select_related("terms")
        .first()
    )
    if campaign is None:
        raise Http404(_("Nothing is shown here."))
    return campaign


def battle_by_slug(slug: str, pk: int) -> Battle:
    """Fetch a battle of the campaign of a public URL. Raises Http404 if the campaign is not public or has no such battle. Two queries."""
    campaign = campaign_by_slug(slug)
    battle = Battle.objects.live().select_related("round").filter(pk=pk, campaign=campaign).first()
    if battle is None:
        raise Http404(_("Nothing is shown here."))
    battle.campaign = campaign
    return battle


def seat_for(user: Any, pk: int, to: Literal["watch", "act", "administer"] = "watch") -> Seat:
    """Fetch a seat. `to` "act" allows its player, its warband's owner and delegates, and administrators. At most four
    queries.

    Raises Http404, PermissionDenied.
    """
    seat = Seat.objects.live().select_related("campaign__terms", "warband__terms").filter(pk=pk).first()
    if seat is None:
        raise Http404(_("No such place, or you have no access."))
    campaign_for(user, seat.campaign_id, to="administer" if to == "administer" else "watch")
    if (
        to == "act"
        and seat.user_id != user.pk
        and not acts_for(user, seat.warband)
        and not is_administrator(user, seat.campaign_id)
    ):
        raise PermissionDenied(_("Only {seat} and the administrators can act for this place.").format(seat=seat.name))
    return seat


def battle_for(user: Any, pk: int, to: To = "watch") -> Battle:
    """Fetch a battle, with this person's `role` in it. `to` "play" allows those who play one of its sides, and
    administrators.

    Two queries. Raises Http404, PermissionDenied.
    """
    battle = Battle.objects.live().select_related("campaign__terms", "round").filter(pk=pk).first() if user.pk else None
    role = role_at(user, battle) if battle is not None else None
    if battle is None or role is None or not (role.sides or role.runs or role.sits):
        raise Http404(_("No such battle, or you have no access."))
    battle.role = role  # type: ignore[attr-defined]
    battle.role_of = (user.pk, role)  # type: ignore[attr-defined]
    if to == "administer" and not role.runs:
        raise PermissionDenied(_("Only the campaign's administrators can do this."))
    if to == "play" and not (role.sides or role.runs):
        raise PermissionDenied(_("Only the players of this battle and administrators can do this."))
    return battle


def friendly_for(user: Any, pk: int) -> Battle:
    """Fetch a friendly battle for whoever set it up. Two queries. Raises Http404."""
    battle = battle_for(user, pk)
    first = battle.sides.live().filter(place=1, seat__user_id=user.pk)
    if not battle.campaign.is_friendly or not first.exists():
        raise Http404(_("No such battle, or you have no access."))
    return battle


def table_for(user: Any, pk: int) -> Battle:
    """Fetch a battle whose table this person may read: its players, administrators, and all players of the campaign
    if rosters are open.

    Two queries. Raises Http404, PermissionDenied.
    """
    battle = battle_for(user, pk, to="watch")
    role: Role = battle.role  # type: ignore[attr-defined]
    if battle.campaign.rosters != Campaign.Rosters.OPEN and not (role.sides or role.runs):
        raise PermissionDenied(_("Rosters are hidden here. Only the players of this battle can see it."))
    return battle


def table_by_slug(slug: str, pk: int) -> Battle:
    """Fetch a battle whose table everybody with the link may see, because rosters are open to all players. Two queries. Raises Http404."""
    battle = battle_by_slug(slug, pk)
    if battle.campaign.rosters != Campaign.Rosters.OPEN:
        raise Http404(_("Nothing is shown here."))
    return battle


def campaign_by_printer_link(code: str) -> Campaign:
    """Fetch the campaign whose booklet the link with this code opens. One query. Raises Http404 if it was revoked, or never handed out."""
    campaign = Campaign.objects.live().filter(printer_link__code=code).select_related("terms").first() if code else None
    if campaign is None:
        raise Http404(_("This link shows nothing."))
    return campaign


def battle_by_code(code: str) -> Battle:
    """Fetch the battle that the link with this code shows. One query. Raises Http404 if it was revoked, or never handed out."""
    shown = Battle.objects.live().filter(
        ~is_hidden(HiddenPage.Kind.CAMPAIGN, "campaign_id"), watch_link__code=code, campaign__is_undone=False
    )
    battle = shown.select_related("campaign__terms", "round").first() if code else None
    if battle is None:
        raise Http404(_("Nothing is shown here."))
    return battle


def report_code_for(code: str) -> ReportCode:
    """Fetch the code on a battle sheet, with its side and battle. One query.

    Raises Http404 if it was revoked or never handed out, or if its battle is undone.
    """
    live = {"side__is_undone": False, "side__battle__is_undone": False, "side__battle__campaign__is_undone": False}
    related = ("side__battle__campaign__terms", "side__battle__round", "side__seat", "side__warband")
    found = ReportCode.objects.filter(code=code, **live).select_related(*related).first() if code else None
    if found is None:
        raise Http404(_("Nothing is shown here."))
    return found


def may_answer_for(user: Any, side: Side) -> bool:
    """Return whether this person may send a report for this side: its players, and administrators. At most two queries."""
    if user.pk is None:
        return False
    return plays_side(user, side) or is_administrator(user, side.battle.campaign_id)


def report_draft_for(user: Any, battle: Battle, pk: int) -> ReportDraft:
    """Fetch a draft of this battle's report for somebody who may answer it. At most three queries.

    Raises Http404, PermissionDenied.
    """
    related = ("side__seat", "side__warband", "by")
    draft = ReportDraft.objects.live().filter(battle=battle, pk=pk).select_related(*related).first()
    if draft is None:
        raise Http404(_("No such draft, or you have no access."))
    draft.battle = draft.side.battle = battle
    if not may_answer_for(user, draft.side):
        raise PermissionDenied(_("Only {side} and the administrators can do this.").format(side=draft.side))
    return draft


def post_battle_for(user: Any, battle_pk: int, warband_pk: int, to: Literal["watch", "act"] = "act") -> PostBattle:
    """Fetch a warband's post-battle sequence. `to` "act" allows the side's players and administrators. At most five
    queries.

    Raises Http404, PermissionDenied.
    """
    found = (
        PostBattle.objects.live()
        .select_related(
            "side__battle__campaign__terms", "side__seat", "side__snapshot", "warband__terms", "warband__owner"
        )
        .filter(
            side__battle__pk=battle_pk, warband__pk=warband_pk, side__is_undone=False, side__battle__is_undone=False
        )
        .first()
    )
    if found is None or user.pk is None or not _joined(user, found.side.battle):
        raise Http404(_("No such post-battle, or you have no access."))
    if to == "act" and not plays_side(user, found.side) and not is_administrator(user, found.side.battle.campaign_id):
        raise PermissionDenied(_("Only {side} and the administrators can do this.").format(side=found.side))
    return found


def capture_for(user: Any, pk: int, to: Literal["watch", "act"] = "watch") -> Capture:
    """Fetch a captive for the owners and delegates of both warbands, and for administrators. Other players of the
    campaign get 403.

    At most six queries. Raises Http404, PermissionDenied.
    """
    capture = (
        Capture.objects.live()
        .select_related(
            "fighter", "warband__terms", "warband__owner", "captor__terms", "captor__owner", "battle__campaign"
        )
        .filter(pk=pk)
        .first()
    )
    if capture is None or user.pk is None:
        raise Http404(_("No such captive, or you have no access."))
    if parties_of(user, capture):
        return capture
    if capture.battle is not None and _joined(user, capture.battle):
        raise PermissionDenied(_("Only the two owners and the administrators can do this."))
    raise Http404(_("No such captive, or you have no access."))


def _demand(user: Any, campaign: Campaign, to: To) -> None:
    if to == "watch" or campaign.is_run:  # type: ignore[attr-defined]
        return
    if to == "administer":
        raise PermissionDenied(_("Only the campaign's administrators can do this."))
    if seat_of(user, campaign) is None:
        raise PermissionDenied(_("Only players of the campaign can do this."))


def _joined(user: Any, battle: Battle) -> bool:
    return Campaign.objects.joined_by(user).filter(pk=battle.campaign_id).exists() or side_of(user, battle) is not None


# --- for warbands -----------------------------------------------------------------------------------------------------


def reads_terms(user: Any, terms: Terms) -> bool:
    """Return whether this person is in a campaign under these terms and so may read its house rules. At most two queries."""
    if user.pk is None:
        return False
    seated = Seat.objects.live().filter(user_id=user.pk, campaign__terms=terms).exclude(status=Seat.Status.LEFT)
    runs = Administrator.objects.live().filter(user_id=user.pk, campaign__terms=terms)
    return seated.exists() or runs.exists()


def reads_warband(user: Any, warband: Warband) -> bool:
    """Return whether a campaign allows this person to see the warband's roster. At most two queries.

    The rights of the warband's own owner and delegates are checked elsewhere.
    """
    return warband.pk in warbands_read(user, [warband.pk])


def warbands_read(user: Any, warbands: Collection[int]) -> frozenset[int]:
    """Return those of these warbands (by id) whose rosters a campaign allows this person to see.

    Administrators may always see them. Players may if rosters are open. If rosters are shown to opponents, players
    may while a battle between the two is scheduled and not yet confirmed. If rosters are hidden until muster, players
    may once that warband is ready for such a battle. At most two queries, none for an empty list.
    """
    if user.pk is None or not warbands:
        return frozenset()
    runs = Administrator.objects.live().filter(user_id=user.pk, campaign=OuterRef("campaign"))
    sits = Seat.objects.live().filter(user_id=user.pk, campaign=OuterRef("campaign"))
    seats = Seat.objects.live().filter(warband__in=warbands).order_by().annotate(runs=Exists(runs), sits=Exists(sits))
    found: set[int] = set()
    between: dict[tuple[int, int], str] = {}  # (warband, campaign): the campaign's rule for showing rosters
    for pk, campaign, rosters, is_run, is_seated in seats.values_list(
        "warband", "campaign", "campaign__rosters", "runs", "sits"
    ):
        if is_run or (is_seated and rosters == Campaign.Rosters.OPEN):
            found.add(pk)
        elif is_seated:
            between[pk, campaign] = rosters
    if between.keys():
        against = Side.objects.live().filter(
            warband__in={pk for pk, _ in between},
            battle__is_undone=False,
            battle__status__in=SET,
            battle__sides__seat__user_id=user.pk,
            battle__sides__is_undone=False,
        )
        for pk, campaign, ready_at in against.order_by().values_list("warband", "battle__campaign", "ready_at"):
            rosters = between.get((pk, campaign), "")
            if rosters == Campaign.Rosters.OPPONENTS or (rosters == Campaign.Rosters.MUSTER and ready_at is not None):
                found.add(pk)
    return frozenset(found)


def edits_warband(user: Any, warband: Warband) -> bool:
    """Return whether this person administers a campaign in which the warband has a seat, and so may change it through recorded events.

    One query.
    """
    if user.pk is None:
        return False
    seated = Seat.objects.live().filter(warband=warband).exclude(status=Seat.Status.LEFT).values("campaign")
    return Administrator.objects.live().filter(user_id=user.pk, campaign__in=seated).exists()
