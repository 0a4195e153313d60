"""The services that start a campaign from another one: its next season, or a copy of its settings.

The campaign that they start from stays as it is. All of the new one is one act, so one undo takes it back while nobody
has done anything in it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from datetime import date
from typing import Any

from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Administrator, Campaign, Capture, Invitation, PairingWish, PostBattle, Seat
from campaigns.services.common import cleaned_name, new_link
from campaigns.services.regions import copy_regions
from rules.price import Price
from rules.problems import Refusal
from warbands.models import Fighter, Profile, Terms, Warband
from warbands.recorder import Recorder
from warbands.recording import lock_together, recording
from warbands.services.copy_warband import WarbandCopy, copy_warband

# What belongs to a season's standings, or to a battle that is over, and so is not carried over.
SEASONAL = ("campaign_points", "fallen", "reinforcing")


def found_season(
    *,
    campaign: Campaign,
    actor: Any,
    name: str,
    seats: Collection[int],
    carries: bool,
    keeps_ducats: bool = True,
    keeps_glory: bool = True,
    starts_on: date | None = None,
    token: str = "",
) -> Campaign:
    """Start the next season of a campaign that has ended, and return it.

    `seats` are the ids of the seats that come along; those who left never do. `carries` copies their warbands as they
    stand. Without it everybody starts a new one. `keeps_ducats` and `keeps_glory` say what stays in the strongboxes.
    Profiles that those who come along share in the ended season are shared in the new one from now on.

    Raises Refusal while the campaign runs, if it has a next season already, or without anybody.
    """
    name = cleaned_name(name, _("A campaign"), field="name")
    shared = list(Profile.objects.kept().filter(terms=campaign.terms_id).order_by("pk"))
    with recording(campaign, *shared, kind="season", actor=actor, token=token) as act:
        old = act.row(campaign)
        _refuse_next(old)
        coming = [seat for seat in seats_to_carry(old) if seat.pk in set(seats)]
        if not coming:
            raise Refusal(_("No player is chosen."), mend=_("Choose at least one player."), code="nobody")
        new = _new_campaign(act, old, actor, name, starts_on, continues=old, season=old.season + 1)
        for administrator in Administrator.objects.live().filter(campaign=old).exclude(user=actor):
            act.create(Administrator(campaign=new, user_id=administrator.user_id))
        copies = _copies(act, coming, new.terms, keeps_ducats, keeps_glory) if carries else {}
        copy_regions(act, old, new)
        made = {
            seat.pk: _seat(act, new, seat, copies[seat.pk].warband if seat.pk in copies else None) for seat in coming
        }
        _carry_wishes(act, made)
        _carry_captives(act, coming, copies)
        _carry_profiles(act, shared, coming, new.terms)
        act.say(_season_words(old.name, new.name, len(made), len(copies)))
    return new


def copy_campaign(*, campaign: Campaign, actor: Any, name: str, with_people: bool = False, token: str = "") -> Campaign:
    """Start a campaign with the settings and house rules of another one, and return it. No battles, no warbands.

    `with_people` adds a seat for everybody who plays in the other one.
    """
    name = cleaned_name(name, _("A campaign"), field="name")
    with recording(campaign, kind="campaign-copy", actor=actor, token=token) as act:
        old = act.row(campaign)
        new = _new_campaign(act, old, actor, name, None)
        copy_regions(act, old, new)
        seats = seats_to_carry(old) if with_people else []
        for seat in seats:
            _seat(act, new, seat, None)
        told = _("{{who}} copied {old} as {new}.")
        if seats:
            told = ngettext(
                "{{who}} copied {old} as {new}, with {count} player.",
                "{{who}} copied {old} as {new}, with {count} players.",
                len(seats),
            )
        act.say(told.format(old=old.name, new=new.name, count=len(seats)))
    return new


def seats_to_carry(campaign: Campaign) -> list[Seat]:
    """Return the seats that may come along into another campaign: those of everybody who did not leave. One query."""
    rows = Seat.objects.live().filter(campaign=campaign).exclude(status=Seat.Status.LEFT)
    return list(rows.select_related("warband__terms", "warband__owner", "user").order_by("pk"))


def unfinished_of(seats: Sequence[Seat]) -> list[str]:
    """Return the names of the warbands of these seats whose last post-battle is not finished. One query."""
    rows = PostBattle.objects.live().filter(
        side__seat__in=seats, side__is_undone=False, side__battle__is_undone=False, closed_at__isnull=True
    )
    rows = rows.filter(warband=F("side__seat__warband")).exclude(side__battle__status="void")
    return list(rows.order_by("warband__name").values_list("warband__name", flat=True).distinct())


def _refuse_next(old: Campaign) -> None:
    if old.status == Campaign.Status.RUNNING:
        raise Refusal(_("{name} is still running.").format(name=old.name), mend=_("End it first."), code="running")
    later = Campaign.objects.live().filter(continues=old).first()
    if later is not None:
        raise Refusal(
            _("{name} has a next season already: {later}.").format(name=old.name, later=later.name),
            mend=_("Copy the campaign instead."),
            code="next-season",
        )


def _new_campaign(
    act: Recorder,
    old: Campaign,
    actor: Any,
    name: str,
    starts_on: date | None,
    *,
    continues: Campaign | None = None,
    season: int = 1,
) -> Campaign:
    """Create a campaign under a copy of the terms of another one, with an administrator and an invite link."""
    rules = old.terms
    terms = act.create(
        Terms(
            system=rules.system,
            edition=rules.edition,
            overlays=deepcopy(rules.overlays),
            pins=deepcopy(rules.pins),
            house_rules=deepcopy(rules.house_rules),
            coming=deepcopy(rules.coming),
            version=rules.version,
        )
    )
    new: Campaign = act.create(
        Campaign(
            name=name,
            slug=new_link(),
            terms=terms,
            seen_by=old.seen_by,
            rosters=old.rosters,
            dice=old.dice,
            starts_on=starts_on,
            rounds_planned=old.rounds_planned,
            settings=deepcopy(old.settings),
            notes=old.notes,
            continues=continues,
            season=season,
        )
    )
    act.create(Administrator(campaign=new, user=actor))
    act.create(Invitation(campaign=new, token=new_link()))
    act.also_about(new)
    return new


def _copies(
    act: Recorder, seats: Sequence[Seat], terms: Terms, keeps_ducats: bool, keeps_glory: bool
) -> dict[int, WarbandCopy]:
    """Copy the warbands of these seats that still play, by seat. They are locked, so that none changes meanwhile."""
    playing = (Warband.Status.CAMP, Warband.Status.FOUNDING)
    held = [seat for seat in seats if seat.warband is not None and seat.warband.status in playing]
    lock_together(seat.warband for seat in held if seat.warband is not None)
    copies = {}
    for seat in held:
        old = Warband.objects.select_related("terms").get(pk=seat.warband_id)
        whole = old.is_founding  # it is still being paid for
        keeps = Price(
            ducats=old.strongbox_ducats if keeps_ducats or whole else 0,
            glory=old.strongbox_glory if keeps_glory or whole else 0,
        )
        copies[seat.pk] = copy_warband(act, old, terms=terms, keeps=keeps, without=SEASONAL)
    return copies


def _seat(act: Recorder, new: Campaign, old: Seat, warband: Warband | None) -> Seat:
    seat = Seat(campaign=new, user_id=old.user_id, name=old.name, status=old.status, warband=warband)
    if old.user_id is None:
        seat.claim_token = new_link()
    if warband is not None:
        seat.list_state = old.list_state
    return act.also_about(act.create(seat))  # type: ignore[no-any-return]


def _carry_profiles(act: Recorder, shared: Sequence[Profile], coming: Sequence[Seat], terms: Terms) -> None:
    """Share these profiles in the new season: those of people who come along, and those that the campaign looks after."""
    people = {seat.user_id for seat in coming if seat.user_id is not None}
    for profile in map(act.row, shared):
        if profile.owner_id is None or profile.owner_id in people:
            act.change(profile, terms=terms)


def _carry_wishes(act: Recorder, made: Mapping[int, Seat]) -> None:
    """Carry over who is kept apart. A wish to meet was one for the season that has ended."""
    apart = PairingWish.objects.live().filter(kind=PairingWish.Kind.APART, is_over=False)
    for wish in apart.filter(Q(seat__in=made) & Q(other__in=made)):
        act.create(PairingWish(seat=made[wish.seat_id], other=made[wish.other_id], kind=wish.kind))


def _carry_captives(act: Recorder, seats: Sequence[Seat], copies: Mapping[int, WarbandCopy]) -> None:
    """Let captives be held by the copies of those who held them; by name, where that warband did not come along."""
    by_old = {seat.warband_id: copies[seat.pk] for seat in seats if seat.pk in copies}
    for held in Capture.objects.live().filter(status=Capture.Status.HELD, warband__in=by_old).select_related("captor"):
        copy, captor = by_old[held.warband_id], by_old.get(held.captor_id)
        fighter = copy.fighters.get(held.fighter_id)
        if fighter is not None and fighter.status == Fighter.Status.CAPTIVE:
            act.create(
                Capture(
                    fighter=fighter,
                    warband=copy.warband,
                    captor=captor.warband if captor is not None else None,
                    captor_name=held.captor_name,
                )
            )


def _season_words(old: str, new: str, seats: int, warbands: int) -> str:
    if warbands:
        told = ngettext(
            "{{who}} started {new}, the next season of {old}: {players}, {count} warband carried over.",
            "{{who}} started {new}, the next season of {old}: {players}, {count} warbands carried over.",
            warbands,
        )
    else:
        told = _("{{who}} started {new}, the next season of {old}: {players}, with new warbands.")
    players = ngettext("{count} player", "{count} players", seats).format(count=seats)
    return told.format(new=new, old=old, players=players, count=warbands)
