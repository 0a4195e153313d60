"""The services for seats: join by invitation or claim link, bring a warband, submit a starting list, be away, leave, come back."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import AHEAD, Battle, Campaign, Capture, Invitation, Seat, Side
from campaigns.services.common import (
    NothingToDo,
    cleaned_name,
    for_whom,
    live_sides,
    new_link,
    refuse_unless_running,
    settles,
    side_name,
)
from campaigns.services.contact_notes import keep_with_person
from campaigns.settings_schema import setting_of
from rules.formatting import joined
from rules.problems import Refusal
from warbands.adapters import force_of
from warbands.models import Change, Fighter, Warband
from warbands.pages.rule_links import names_of
from warbands.recorder import Recorder
from warbands.recording import recording
from warbands.services.founding import closed_list
from warbands.verdicts import judged

UNKNOWN_CAPTOR = gettext_lazy("A captor from before the campaign")


def invitation_for(token: str) -> Invitation:
    """Return the open invitation for a link's token. Raises Refusal for an old or unknown link. One query."""
    found = (
        Invitation.objects.live()
        .filter(token=token, is_revoked=False, campaign__is_undone=False)
        .select_related("campaign__terms")
        .first()
    )
    if found is None:
        raise Refusal(
            _("This invitation is closed."), mend=_("Ask the administrator for the new link."), code="invitation"
        )
    return found


@settles
def join_campaign(
    *, invitation_token: str, actor: Any, name: str = "", warband: Warband | None = None, token: str = ""
) -> Seat:
    """Take a seat by invitation, with or without a warband. If the person already has a seat, nothing is written.

    Somebody who left gets the old seat back. Raises Refusal for a closed invitation, a finished campaign, or an unsuitable warband.
    """
    campaign = invitation_for(invitation_token).campaign
    old = Seat.objects.live().filter(campaign=campaign, user=actor).select_related("campaign", "warband").last()
    if old is not None and old.status == Seat.Status.LEFT:
        old = return_to_seat(seat=old, actor=actor, token=token, invitation_token=invitation_token)
        return bring_warband(seat=old, warband=warband, actor=actor) if warband is not None else old
    subjects = [campaign] if warband is None else [campaign, warband]
    with recording(*subjects, kind="join", actor=actor, for_name="", token=token) as act:
        row = act.row(campaign)
        refuse_unless_running(row)
        invitation_for(invitation_token)  # renewed while we waited for the lock?
        seat = Seat.objects.live().filter(campaign=row, user=actor).exclude(status=Seat.Status.LEFT).first()
        if seat is not None and (warband is None or seat.warband_id == warband.pk):
            raise NothingToDo(seat)
        if seat is None:
            seat = act.create(Seat(campaign=row, user=actor, name=seat_name_in(row, name or str(actor))))
        act.also_about(seat)
        if warband is not None:
            seat_warband(act, row, seat, act.row(warband))
        told = _("{{who}} joined {name} with {warband}.") if warband is not None else _("{{who}} joined {name}.")
        act.say(told.format(name=row.name, warband=warband.name if warband is not None else ""))
    return seat


def add_seat(*, campaign: Campaign, actor: Any, name: str, warband: Warband | None = None, token: str = "") -> Seat:
    """Add an unclaimed seat for somebody without an account. Its claim link later hands it over."""
    subjects = [campaign] if warband is None else [campaign, warband]
    with recording(*subjects, kind="seat", actor=actor, for_name="", token=token) as act:
        row = act.row(campaign)
        refuse_unless_running(row)
        seat = act.create(Seat(campaign=row, name=seat_name_in(row, name), claim_token=new_link()))
        act.also_about(seat)
        if warband is not None:
            seat_warband(act, row, seat, act.row(warband))
        act.say(_("{{who}} added a place for {seat} to {name}.").format(seat=seat.name, name=row.name))
    return seat


def seat_to_claim(claim_token: str) -> Seat:
    """Return the unclaimed seat for a claim link's token. Raises Refusal for an old or unknown link. One query."""
    found = (
        Seat.objects.live()
        .filter(claim_token=claim_token, user=None, campaign__is_undone=False, campaign__kind=Campaign.Kind.SERIES)
        .exclude(claim_token="")
        .exclude(status=Seat.Status.LEFT)
        .select_related("campaign__terms", "warband")
        .first()
    )
    if found is None:
        raise Refusal(_("This place can't be claimed."), mend=_("Ask the administrator for a new link."), code="claim")
    return found


def claim_seat(*, claim_token: str, actor: Any, token: str = "") -> Seat:
    """Take over an unclaimed seat with its warband and results. Raises Refusal for somebody who already has a seat."""
    found = seat_to_claim(claim_token)
    subjects = [found.campaign, found] if found.warband is None else [found.campaign, found, found.warband]
    with recording(*subjects, kind="claim", actor=actor, for_name="", token=token) as act:
        seat = act.row(found)
        if seat.user_id is not None:
            raise Refusal(_("Another player has just claimed this place."), code="claim")
        seat_to_claim(claim_token)  # renewed, or the seat ended, while we waited for the lock?
        if Seat.objects.live().filter(campaign=seat.campaign_id, user=actor).exclude(status=Seat.Status.LEFT).exists():
            raise Refusal(_("You already have a place in this campaign."), code="seated")
        act.change(seat, user=actor, claim_token="")
        if found.warband is not None and act.row(found.warband).owner_id is None:
            act.change(act.row(found.warband), owner=actor)
        act.say(_("{{who}} claimed the place of {seat} in {name}.").format(seat=seat.name, name=found.campaign.name))
    return seat


def renew_claim_link(*, seat: Seat, actor: Any, token: str = "") -> Seat:
    with recording(seat.campaign, seat, kind="claim-link", actor=actor, token=token) as act:
        row = act.row(seat)
        if row.user_id is not None:
            raise Refusal(_("{name} is claimed already.").format(name=row.name), code="claim")
        act.change(row, claim_token=new_link())
        act.say(_("{{who}} renewed the claim link of {name}.").format(name=row.name))
    return row


@settles
def rename_seat(*, seat: Seat, name: str, actor: Any, token: str = "") -> Seat:
    """Rename a seat. Nothing is written if the name is the same."""
    with recording(
        seat.campaign, seat, kind="seat", actor=actor, for_name=for_whom(actor, seat=seat), token=token
    ) as act:
        row = act.row(seat)
        before, after = row.name, seat_name_in(seat.campaign, name, but=row)
        if after == before:
            raise NothingToDo(row)
        act.change(row, name=after)
        act.say(_("{{who}} renamed the place of {before} to {name}.").format(before=before, name=row.name))
    return row


def bring_warband(*, seat: Seat, warband: Warband, actor: Any, token: str = "", seen: int | None = None) -> Seat:
    """Put a warband into a seat; from now on it plays under the campaign's terms.

    Raises Refusal if the warband is somebody else's, plays elsewhere or uses another edition, or if the seat's current one still plays.
    """
    with recording(
        seat.campaign,
        seat,
        warband,
        kind="bring",
        actor=actor,
        for_name=for_whom(actor, seat=seat),
        token=token,
        seen=seen,
    ) as act:
        campaign = act.row(seat.campaign)
        refuse_unless_running(campaign)
        seat_warband(act, campaign, act.row(seat), act.row(warband))
        act.say(_("{{who}} brought {warband} into {campaign}.").format(warband=warband.name, campaign=campaign.name))
        row: Seat = act.row(seat)
    return row


def seat_kept_by(warband: Warband) -> Seat | None:
    """Return the place in which a warband plays, with its campaign, or None. One query."""
    seats = Seat.objects.live().filter(warband=warband, campaign__is_undone=False).exclude(status=Seat.Status.LEFT)
    return seats.select_related("campaign", "user").first()


def refuse_seated(seat: Seat, user: Any) -> None:
    """Raise Refusal if this person has another place in the campaign. One query."""
    others = Seat.objects.live().filter(campaign=seat.campaign_id, user=user).exclude(pk=seat.pk)
    if others.exclude(status=Seat.Status.LEFT).exists():
        raise Refusal(
            _("{user} has a place in {campaign} already.").format(user=user, campaign=seat.campaign.name), code="seated"
        )


def change_player(act: Recorder, seat: Seat, user: Any) -> None:
    """Give a seat with its results to another person, inside an act. A seat named after its player takes the new name."""
    row, campaign = act.row(seat), act.row(seat.campaign)
    refuse_seated(seat, user)
    keep_with_person(row)
    name = row.name
    if name == str(seat.user) and not _is_taken(campaign, str(user), but=row):
        name = str(user)[:80]
    act.change(row, user=user, name=name)


# --- starting lists ----------------------------------------------------------------------------------------------------------


@settles
def submit_list(*, seat: Seat, actor: Any, token: str = "") -> Seat:
    """Submit the starting list to the administrators. Raises Refusal without a warband, or while its roster has problems."""
    if seat.warband is None:
        raise Refusal(
            _("{seat} has no warband yet.").format(seat=seat.name), mend=_("Choose one first."), code="no-warband"
        )
    with recording(
        seat.campaign, seat, seat.warband, kind="submit", actor=actor, for_name=for_whom(actor, seat=seat), token=token
    ) as act:
        row = act.row(seat)
        if row.list_state == Seat.ListState.SUBMITTED:
            raise NothingToDo(row)
        warband = act.row(seat.warband)
        judged([warband])
        if warband.problem_count:
            raise Refusal(
                _("{warband} still has problems: {problem_count}.").format(
                    warband=warband.name, problem_count=warband.problem_count
                ),
                mend=_("Fix the roster first."),
                code="illegal",
            )
        act.change(row, list_state=Seat.ListState.SUBMITTED, list_words="")
        act.say(_("{{who}} sent the starting list of {warband}.").format(warband=warband.name))
    return row


def accept_list(*, seat: Seat, actor: Any, words: str = "", token: str = "") -> Seat:
    return _answer_list(seat, actor, Seat.ListState.ACCEPTED, words, "accepted", token)


def return_list(*, seat: Seat, actor: Any, words: str, token: str = "") -> Seat:
    """Return a starting list with a note on what should change. Raises Refusal without a note."""
    if not words.strip():
        raise Refusal(_("Say what to change."), code="no-words", field="words")
    return _answer_list(seat, actor, Seat.ListState.RETURNED, words, "returned", token)


def _answer_list(seat: Seat, actor: Any, state: Any, words: str, told: str, token: str) -> Seat:
    with recording(seat.campaign, seat, kind="list", actor=actor, token=token) as act:
        row = act.row(seat)
        if row.list_state != Seat.ListState.SUBMITTED:
            raise Refusal(_("{name} has not sent a list.").format(name=row.name), code="no-list")
        act.change(row, list_state=state, list_words=words.strip()[:300])
        act.say(
            _("{{who}} {told} the starting list of {name}.").format(told=told, name=row.name)
            + (f" “{words.strip()}”" if words.strip() else "")
        )
    return row


# --- away, left, back --------------------------------------------------------------------------------------------------------


def mark_away(*, seat: Seat, actor: Any, token: str = "") -> Seat:
    return _set_status(seat, actor, Seat.Status.AWAY, _("{{who}} noted: {name} is away."), token)


def mark_back(*, seat: Seat, actor: Any, token: str = "") -> Seat:
    return _set_status(seat, actor, Seat.Status.PLAYING, _("{{who}} noted: {name} is back."), token)


@settles
def _set_status(seat: Seat, actor: Any, status: Any, told: str, token: str) -> Seat:
    with recording(
        seat.campaign, seat, kind="seat", actor=actor, for_name=for_whom(actor, seat=seat), token=token
    ) as act:
        row = act.row(seat)
        if row.status == Seat.Status.LEFT:
            raise Refusal(
                _("{name} left the campaign.").format(name=row.name), mend=_("Restore it first."), code="left"
            )
        if row.status == status:
            raise NothingToDo(row)
        act.change(row, status=status)
        act.say(told.format(name=row.name))
    return row


def leave_seat(*, seat: Seat, actor: Any, token: str = "") -> Seat:
    """Leave a seat: results stay, unplayed battles become byes for the others, and the warband is archived. Reversible.

    Captives on either side stay until an administrator decides (`captives_left_behind` lists them).
    """
    subjects: list[Any] = [seat.campaign, seat]
    ahead = battles_ahead(seat)
    subjects += ahead
    if seat.warband is not None:
        subjects.append(seat.warband)
    with recording(*subjects, kind="leave", actor=actor, for_name=for_whom(actor, seat=seat), token=token) as act:
        row = act.row(seat)
        if row.status == Seat.Status.LEFT:
            raise Refusal(_("{name} has left already.").format(name=row.name), code="left")
        act.change(row, status=Seat.Status.LEFT)
        byes = [names for battle in ahead if (names := _without(act, act.row(battle), row))]
        if seat.warband is not None and act.row(seat.warband).status in (Warband.Status.CAMP, Warband.Status.FOUNDING):
            act.change(act.row(seat.warband), status=Warband.Status.ARCHIVED)
        left = (
            _("{{who}} ended the place of {name} in {name_2}.").format(name=row.name, name_2=seat.campaign.name)
            if row.user_id != getattr(actor, "pk", None)
            else _("{{who}} left {name}.").format(name=seat.campaign.name)
        )
        act.say(f"{left} {_('A bye for {players}.').format(players=joined(byes))}" if byes else left)
    return row


def return_to_seat(*, seat: Seat, actor: Any, token: str = "", invitation_token: str = "") -> Seat:
    """Return to a seat that was left, and restore its warband. Byes given in the meantime stay.

    `invitation_token` is the token of the link by which the player comes back. Raises Refusal if that invitation is closed.
    """
    subjects: list[Any] = [seat.campaign, seat] + ([seat.warband] if seat.warband is not None else [])
    with recording(*subjects, kind="return", actor=actor, for_name=for_whom(actor, seat=seat), token=token) as act:
        row = act.row(seat)
        refuse_unless_running(act.row(seat.campaign))
        if invitation_token:
            invitation_for(invitation_token)  # renewed while we waited for the lock?
        if row.status != Seat.Status.LEFT:
            raise Refusal(_("{name} is still in this place.").format(name=row.name), code="seated")
        if row.user_id and (
            Seat.objects.live()
            .filter(campaign=row.campaign_id, user=row.user_id)
            .exclude(status=Seat.Status.LEFT)
            .exists()
        ):
            raise Refusal(_("{name} has another place now.").format(name=row.name), code="seated")
        act.change(row, status=Seat.Status.PLAYING)
        if seat.warband is not None and act.row(seat.warband).status == Warband.Status.ARCHIVED:
            act.change(act.row(seat.warband), status=_status_before_archive(seat.warband))
        act.say(_("{{who}} brought {name} back into {name_2}.").format(name=row.name, name_2=seat.campaign.name))
    return row


def captives_left_behind(seat: Seat) -> list[Capture]:
    """Return the captives held between a seat that was left and others; an administrator decides on each. One query."""
    held = Capture.objects.live().filter(status=Capture.Status.HELD).select_related("fighter", "warband", "captor")
    if seat.warband_id is None:
        return []
    return [c for c in held.filter(battle__campaign=seat.campaign_id) if seat.warband_id in (c.warband_id, c.captor_id)]


# --- inside ------------------------------------------------------------------------------------------------------------------


def _is_taken(campaign: Campaign, name: str, but: Seat | None = None) -> bool:
    others = Seat.objects.live().filter(campaign=campaign, name__iexact=name).exclude(status=Seat.Status.LEFT)
    return (others.exclude(pk=but.pk) if but is not None else others).exists()


def seat_name_in(campaign: Campaign, name: str, but: Seat | None = None, *, field: str = "name") -> str:
    name = cleaned_name(name, _("A place"), field=field)
    if _is_taken(campaign, name, but):
        raise Refusal(
            _("This campaign already has a player called {name}.").format(name=name),
            mend=_("Choose another name."),
            code="name-taken",
            field=field,
        )
    return name


def seat_warband(act: Recorder, campaign: Campaign, seat: Seat, warband: Warband) -> None:
    """Put a warband into a seat inside a running recording. Raises Refusal if it is not allowed."""
    if seat.status == Seat.Status.LEFT:
        raise Refusal(_("{seat} left the campaign.").format(seat=seat.name), mend=_("Restore it first."), code="left")
    if warband.owner_id != seat.user_id:
        raise Refusal(
            _("{warband} doesn't belong to {seat}.").format(warband=warband.name, seat=seat.name), code="not-theirs"
        )
    if warband.mode != Warband.Mode.CAMPAIGN:
        raise Refusal(
            _("{warband} is for single battles.").format(warband=warband.name),
            mend=_("Start one for a campaign."),
            code="one-off",
        )
    if warband.status in (Warband.Status.DISBANDED, Warband.Status.ARCHIVED):
        raise Refusal(
            _("{warband} is archived.").format(warband=warband.name), mend=_("Restore it first."), code="put-away"
        )
    mine, theirs = campaign.terms, warband.terms
    if (mine.system, mine.edition) != (theirs.system, theirs.edition):
        raise Refusal(
            _("{warband} plays {name} {edition}; this campaign plays {name_2} {edition_2}.").format(
                warband=warband.name,
                name=theirs.game.name,
                edition=theirs.edition,
                name_2=mine.game.name,
                edition_2=mine.edition,
            ),
            mend=_("Start one for this edition."),
            code="edition",
        )
    closed = closed_list(mine, warband.list_id)
    if closed:
        raise Refusal(
            _("{warband} cannot play here. {closed}").format(warband=warband.name, closed=closed),
            mend=_("An administrator can allow it."),
            code="closed-list",
        )
    taken = Seat.objects.live().filter(warband=warband).exclude(status=Seat.Status.LEFT).exclude(pk=seat.pk).first()
    if taken is not None:
        raise Refusal(
            _("{warband} plays in another campaign.").format(warband=warband.name),
            mend=_("Leave that one first."),
            code="seated",
        )
    if seat.warband_id not in (None, warband.pk):
        old = seat.warband
        if old.status not in (Warband.Status.DISBANDED, Warband.Status.ARCHIVED):
            raise Refusal(
                _("{seat} plays {old} at the moment.").format(seat=seat.name, old=old.name),
                mend=_("Disband or archive it first."),
                code="has-warband",
            )
    act.change(seat, warband=warband, list_state=Seat.ListState.OPEN, list_words="")
    if warband.terms_id != campaign.terms_id:
        _refuse_unknown(campaign, warband)
        act.change(warband, terms=campaign.terms)
    _hold_captives(act, warband)


def _refuse_unknown(campaign: Campaign, warband: Warband) -> None:
    """Refuse a warband with entries that only another campaign's house rules know. Two queries if it played under such rules."""
    if not {"extra", "kept"} & set(warband.terms.in_force):
        return
    unknown = campaign.terms.game.state.unknown(campaign.terms.content, force_of(warband))
    if unknown:
        names = joined(names_of(warband.terms).name(each) for each in unknown)
        raise Refusal(
            _("{warband} has something that isn't in this campaign's rules: {names}.").format(
                warband=warband.name, names=names
            ),
            mend=_("It belongs to another campaign. Dismiss it, or ask for a house rule here."),
            code="unknown-name",
        )


def _hold_captives(act: Recorder, warband: Warband) -> None:
    """Give every captive without a captor a placeholder captor, so that a ransom can be agreed."""
    held = Capture.objects.live().filter(warband=warband, status=Capture.Status.HELD).values("fighter")
    loose = Fighter.objects.live().filter(warband=warband, status=Fighter.Status.CAPTIVE).exclude(pk__in=held)
    for fighter in loose:
        act.create(Capture(fighter=fighter, warband=warband, captor=None, captor_name=UNKNOWN_CAPTOR))


def battles_ahead(seat: Seat) -> list[Battle]:
    """Return the battles that a seat has still to play. One query."""
    return list(
        Battle.objects.live()
        .filter(status__in=AHEAD, sides__seat=seat, sides__is_undone=False)
        .order_by("pk")
        .distinct()
    )


def _without(act: Recorder, battle: Battle, seat: Seat) -> str:
    """Remove a seat from a battle that was not played. Return the name of the side that is left alone and gets a bye, or ""."""
    sides = live_sides(battle)
    rest = [side for side in sides if side.seat_id != seat.pk]
    if len(rest) > 1:
        for side in sides:
            if side.seat_id == seat.pk:
                act.change(side, is_undone=True)
        return ""
    act.change(battle, kind=Battle.Kind.BYE, status=Battle.Status.CONFIRMED)
    points = setting_of(seat.campaign, "bye_points")
    for side in sides:
        mine = side.seat_id == seat.pk
        act.change(side, result=Side.Result.NONE, points=0 if mine else points)
    return joined(side_name(side) for side in rest)


def _status_before_archive(warband: Warband) -> str:
    change = (
        Change.objects.filter(
            label=Warband._meta.label, row_id=warband.pk, field="status", after=Warband.Status.ARCHIVED
        )
        .order_by("-pk")
        .first()
    )
    return str(change.before if change is not None else Warband.Status.CAMP)
