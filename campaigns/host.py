"""What campaigns provide to warbands: permissions, names of battles in the history, locks of camp actions, and data
for roster sheets.

`CampaignHost` implements it. Implementations longer than a line are below it or in the module of their subject.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns import access, import_targets, rights
from campaigns.book import battles_told
from campaigns.kept_drafts import places_with_drafts
from campaigns.models import AHEAD, REPORTED, Administrator, Battle, Campaign, PostBattle, Seat, Side
from campaigns.news import campaign_of_act
from campaigns.notifications import tell_people
from campaigns.scenarios import scenario_name
from campaigns.sequence import StepSequence
from campaigns.services.discord import mark_posts
from campaigns.services.house_rules import refuse_lost_entries
from campaigns.services.join import change_player, refuse_seated, seat_kept_by
from campaigns.services.undo_guards import refuse_finals
from campaigns.settings_schema import settings_of
from campaigns.standings import found_points, points_of
from rules.force import Force
from rules.parts.post_battle import StepKind
from rules.problems import Refusal
from warbands.book import BattleTold
from warbands.camp_locks import Door
from warbands.host import Host
from warbands.import_targets import ImportTarget
from warbands.labels import labels_of
from warbands.models import Event, Terms, Warband
from warbands.models.base import Recorded
from warbands.printing import SheetCampaign
from warbands.recorder import Recorder
from warbands.rights import ActRight, Roles
from warbands.sharing_groups import SharingGroup


class CampaignHost(Host):
    def may_read(self, user: Any, warband: Warband) -> bool:
        """Return whether a campaign allows this person to read the roster. Administrators may; for players it depends
        on a setting."""
        return access.reads_warband(user, warband)

    def may_edit(self, user: Any, warband: Warband) -> bool:
        return access.edits_warband(user, warband)

    def may_read_terms(self, user: Any, terms: Terms) -> bool:
        """Return whether this person may read these terms: everybody in a campaign under them may."""
        return access.reads_terms(user, terms)

    def rights(self) -> Mapping[str, ActRight]:
        return rights.ROWS

    def right_of_act(self, event: Event, again: bool) -> str | None:
        finer = rights.FINER.get(event.kind)
        return finer(event, again) if finer is not None else None

    def roles(self, of: str, user: Any, event: Event) -> list[Roles]:
        return rights.ROLES[of](user, event)

    def sharing_groups(self, user: Any) -> Iterable[SharingGroup]:
        """Return the campaigns that this person administers or currently has a seat in. One query."""
        runs = Administrator.objects.live().filter(user_id=user.pk, campaign=OuterRef("pk"))
        sits = Seat.objects.live().filter(user_id=user.pk, campaign=OuterRef("pk")).exclude(status=Seat.Status.LEFT)
        campaigns = Campaign.objects.series().select_related("terms").annotate(runs=Exists(runs), sits=Exists(sits))
        return [
            SharingGroup(campaign.terms_id, campaign.terms.system, campaign.terms.edition, campaign.name, campaign.runs)
            for campaign in campaigns.filter(Q(runs=True) | Q(sits=True))
        ]

    def group_members(self, terms: Collection[int]) -> Iterable[tuple[int, int]]:
        """Return pairs (terms id, user id) for everybody who administers a campaign of these terms or currently has a seat in it.

        One query.
        """
        campaigns = Campaign.objects.live().filter(terms__in=set(terms))
        runs = Administrator.objects.live().filter(campaign__in=campaigns)
        sits = Seat.objects.live().filter(campaign__in=campaigns, user__isnull=False).exclude(status=Seat.Status.LEFT)
        pair = ("campaign__terms_id", "user_id")
        found: list[tuple[int, int]] = list(
            runs.order_by().values_list(*pair).union(sits.order_by().values_list(*pair))
        )
        return found

    def refuse_locked(self, warband: Warband, door: Door) -> None:
        """Refuse camp actions whose step has not come."""
        refuse_shut_step(warband, door)

    def rows_with_owner(self, warband: Warband) -> Sequence[Recorded]:
        """Return the campaign and the seat in which the warband plays. One query."""
        seat = seat_kept_by(warband)
        return () if seat is None else (seat.campaign, seat)

    def refuse_new_owner(self, warband: Warband, user: Any) -> None:
        """Refuse somebody who has another place in the warband's campaign. Two queries at most."""
        if (seat := seat_kept_by(warband)) is not None:
            refuse_seated(seat, user)

    def change_hands(self, act: Recorder, warband: Warband, user: Any) -> str:
        """Give the person the seat in which the warband plays. Return the campaign's name, "" without one."""
        if (seat := seat_kept_by(warband)) is None:
            return ""
        change_player(act, seat, user)
        return seat.campaign.name

    def undo_refusals(self, events: Sequence[Event]) -> Mapping[int, Refusal]:
        """Return refusals to undo the app's dice, reports that others answered, and house rules whose entries are in use."""
        return {**refuse_lost_entries(events), **refuse_finals(events)}

    def news_readers(self, event: Event, rows: Sequence[Recorded]) -> Sequence[tuple[str, int]]:
        return campaign_of_act(event, rows)

    def recorded(self, event: Event, rows: Sequence[Recorded]) -> None:
        """Tell the people whom an act concerns, and mark what Discord shows of it. No query for acts that concern nobody else."""
        tell_people(event, rows)
        mark_posts(event, rows)

    def import_target(self, user: Any, kind: str, id_: str) -> ImportTarget:
        """Return a seat as the import target. Raises Http404, PermissionDenied."""
        if kind != "seat":
            return super().import_target(user, kind, id_)
        return import_targets.seat_place(user, id_)

    def places_with_drafts(self, user: Any) -> Sequence[str]:
        """Return the person's places without a warband for which an administrator brought a roster file. One query."""
        return places_with_drafts(user.pk)

    def occasion_words(self, occasions: Collection[str]) -> Mapping[str, tuple[str, str]]:
        """Return the name and the URL of battle occasions ("battle:12"), by occasion; unknown ones are missing. One query."""
        parts = (occasion.partition(":") for occasion in occasions)
        numbers = {number for kind, _, number in parts if kind == "battle" and number.isdecimal() and len(number) < 19}
        battles = Battle.objects.select_related("campaign__terms").filter(pk__in=numbers)
        return {
            battle.occasion: (scenario_name(battle), reverse("battle-show", args=[battle.pk])) for battle in battles
        }

    def camp_words(self, warband: Warband) -> str:
        """Return the text for a warband in camp that is mustered for a battle, which its frozen roster fights; "" otherwise. One query."""
        side = (
            Side.objects.live()
            .filter(
                warband=warband,
                ready_at__isnull=False,
                battle__is_undone=False,
                battle__status__in=AHEAD,
            )
            .select_related("battle__campaign__terms", "snapshot")
            .order_by("-ready_at")
            .first()
        )
        if side is None:
            return ""
        scenario = scenario_name(side.battle)
        if side.snapshot is None:
            return _("Ready for {scenario}. Changes count from your next battle.").format(scenario=scenario)
        return _("Ready for {scenario} as version {version}. Changes count from your next battle.").format(
            scenario=scenario, version=side.snapshot.version
        )

    def warband_links(self, warband: Warband) -> Sequence[tuple[str, str]]:
        """Return the way to a friendly battle, for a warband that is kept. No queries."""
        if warband.is_put_away:
            return ()
        return ((_("Play a friendly battle"), f"{reverse('friendly-start')}?warband={warband.pk}"),)

    def sheet_campaign(self, warband: Warband) -> SheetCampaign | None:
        return sheet_campaign(warband)

    def battles_told(self, warband: Warband) -> Sequence[BattleTold]:
        return battles_told(warband)


LOCK_WORDS: dict[Door, str] = {
    "hire": gettext_lazy("Hiring"),
    "buy": gettext_lazy("Buying"),
    "sell": gettext_lazy("Selling"),
    "glory": gettext_lazy("Spending glory"),
    "move": gettext_lazy("Moving kit"),
}


def refuse_shut_step(warband: Warband, door: Door) -> None:
    """Raise Refusal while post-battle sequences are open and none of their current steps allows this kind of action.

    If the game has a single camp step, all actions are always allowed, without a query. Otherwise one query, two more
    for each sequence.
    """
    terms = warband.terms
    bare = Force(game=terms.system, edition=terms.edition, list=warband.list_id)
    if sum(step.kind == "camp" for step in terms.game.post_battle.steps(terms.content, bare)) < 2:
        return
    shut: Refusal | None = None
    for post_battle in (
        PostBattle.objects.live()
        .filter(warband=warband, started_at__isnull=False, closed_at=None)
        .exclude(side__battle__status=Battle.Status.VOID)
        .select_related("side__battle", "warband__terms")
        .order_by("pk")
    ):
        sequence = StepSequence(post_battle)
        step = sequence.current()
        if step is None or step.kind == "close" or door in step.doors:
            return
        shut = shut or _shut(sequence, step, door)
    if shut is not None:
        raise shut


def _shut(sequence: StepSequence, step: StepKind, door: Door) -> Refusal:
    place = [each.id for each in sequence.steps].index(step.id)
    ahead = [each.label for each in sequence.steps[place:] if door in each.doors]
    mend = (
        _("“{ahead}” opens it.").format(ahead=ahead[0])
        if ahead
        else _("Its step is over. Finish the post-battle to open the camp.")
    )
    return Refusal(
        _("{act} isn't possible yet: the post-battle is at “{step}”.").format(act=LOCK_WORDS[door], step=step.label),
        mend=mend,
        code="shut",
    )


LETTERS = {Side.Result.WON: "W", Side.Result.LOST: "L", Side.Result.DRAWN: "D"}


def sheet_campaign(warband: Warband) -> SheetCampaign | None:
    """Return the campaign data for a warband's roster sheet, or None. Two queries, three with a round."""
    seat = (
        Seat.objects.live()
        .filter(warband=warband)
        .exclude(status=Seat.Status.LEFT)
        .select_related("campaign__terms", "warband")
        .first()
    )
    if seat is None:
        return None
    sides = list(
        Side.objects.live()
        .filter(warband=warband, battle__campaign=seat.campaign, battle__status__in=REPORTED, battle__is_undone=False)
        .exclude(battle__kind=Battle.Kind.BYE)
        .order_by("pk")
    )
    letters = [LETTERS.get(side.result, "") for side in sides]
    before = (seat.opening_won, seat.opening_drawn, seat.opening_lost)
    won, drawn, lost = (letters.count(letter) + n for letter, n in zip("WDL", before, strict=True))
    latest = seat.campaign.rounds.live().order_by("-number").first()
    labels, settings = labels_of(warband.terms), settings_of(seat.campaign)
    points = (
        seat.opening_points
        + seat.corrected_points
        + found_points(seat, settings)
        + sum(points_of(side, settings) for side in sides)
    )
    where = [
        (
            _("Campaign"),
            _("{name}, round {number}").format(name=seat.campaign.name, number=latest.number)
            if latest
            else seat.campaign.name,
        ),
        (
            f"{labels['battle']}s",
            _("{sides}: {won} won, {drawn} drawn, {lost} lost").format(
                sides=len(sides) + seat.opening_games, won=won, drawn=drawn, lost=lost
            ),
        ),
        (labels["campaign_points"] if settings["points"] == "campaign" else _("Victory points"), str(points)),
    ]
    if seat.campaign.starts_on:
        where.append((_("Started"), date_format(seat.campaign.starts_on, "j M Y")))
    results = {side.number: letter for side, letter in zip(sides, letters, strict=True) if side.number}
    return SheetCampaign(tuple(where), results)
