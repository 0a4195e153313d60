"""The services for rounds, and for scheduling battles inside or outside a round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.factions import faction_keyword_of
from campaigns.models import AHEAD, Battle, Campaign, Round, Seat, Side
from campaigns.services.common import cleaned_name, live_sides, refuse_unless_running, versus
from campaigns.settings_schema import setting_of
from config.dates import short_day
from rules.formatting import joined
from rules.problems import Refusal
from warbands.models import Warband
from warbands.recording import recording


def open_round(
    *,
    campaign: Campaign,
    actor: Any,
    starts_on: date | None = None,
    ends_on: date | None = None,
    token: str = "",
) -> Round:
    """Open the next round. Raises Refusal if it would end before it starts."""
    _refuse_backwards(starts_on, ends_on)
    with recording(campaign, kind="round", actor=actor, token=token) as act:
        row = act.row(campaign)
        refuse_unless_running(row)
        last = Round.objects.live().filter(campaign=row).order_by("-number").first()
        number = last.number + 1 if last else 1
        made = act.create(Round(campaign=row, number=number, starts_on=starts_on, ends_on=ends_on))
        act.also_about(made)
        told = _("{{who}} opened round {number}. It ends {day}.") if ends_on else _("{{who}} opened round {number}.")
        act.say(told.format(number=number, day=weekday(ends_on) if ends_on else ""))
    return made


def change_round(
    *, round: Round, actor: Any, starts_on: date | None = None, ends_on: date | None = None, token: str = ""
) -> Round:
    _refuse_backwards(starts_on, ends_on)
    with recording(round.campaign, round, kind="round", actor=actor, token=token) as act:
        row = act.change(act.row(round), starts_on=starts_on, ends_on=ends_on)
        told = _("{{who}} moved round {number}. It ends {day}.") if ends_on else _("{{who}} moved round {number}.")
        act.say(told.format(number=row.number, day=weekday(ends_on) if ends_on else ""))
    return row


def close_round(*, round: Round, actor: Any, token: str = "") -> Round:
    """Close a round. Battles that have not been played stay scheduled."""
    return _set_closed(round, actor, True, "closed", token)


def reopen_round(*, round: Round, actor: Any, token: str = "") -> Round:
    return _set_closed(round, actor, False, "reopened", token)


def _set_closed(round: Round, actor: Any, closed: bool, told: str, token: str) -> Round:
    with recording(round.campaign, round, kind="round", actor=actor, token=token) as act:
        row = act.change(act.row(round), is_closed=closed)
        act.say(_("{{who}} {told} round {number}.").format(told=told, number=row.number))
    return row


MAX_SIDES = 16  # twice the largest game a club plays on one evening


def schedule_battle(
    *,
    campaign: Campaign,
    actor: Any,
    seats: Sequence[Seat],
    guests: Sequence[tuple[str, str]] = (),
    round: Round | None = None,
    planned_for: date | None = None,
    token: str = "",
) -> Battle:
    """Schedule a battle between seats and guests; each guest is a pair (name, faction keyword).

    Raises Refusal for fewer than two sides or too many, a seat that left or has no warband, a warband of another
    edition, a guest without a name, a closed round, or a warband that must wait for the others to catch up.
    """
    with recording(campaign, kind="schedule", actor=actor, token=token) as act:
        row = act.row(campaign)
        refuse_unless_running(row)
        seats = _fresh_seats(row, seats)
        if len(seats) + len(guests) < 2 or not seats:
            raise Refusal(_("A battle needs at least two sides."), code="sides")
        if len(seats) + len(guests) > MAX_SIDES:
            raise Refusal(
                _("A battle has {MAX_SIDES} sides or fewer.").format(MAX_SIDES=MAX_SIDES),
                mend=_("Set up two battles."),
                code="sides",
            )
        if round is not None:
            round = Round.objects.live().get(pk=round.pk, campaign=row)
            if round.is_closed:
                raise Refusal(
                    _("Round {number} is closed.").format(number=round.number),
                    mend=_("Reopen it, or set up the battle outside rounds."),
                    code="closed",
                )
        _refuse_other_edition(row, [seat.warband for seat in seats if seat.warband is not None])
        _refuse_too_far_ahead(row, seats)
        battle = act.create(Battle(campaign=row, round=round, planned_for=planned_for))
        act.also_about(battle)
        sides = []
        for place, seat in enumerate(seats, 1):
            sides.append(act.create(Side(battle=battle, seat=seat, warband=seat.warband, place=place)))
        for place, (name, keyword) in enumerate(guests, len(seats) + 1):
            guest = cleaned_name(name, _("A guest"), field=f"guest_name_{place - len(seats)}")
            faction = faction_keyword_of(row.terms, keyword)
            sides.append(act.create(Side(battle=battle, guest_name=guest, guest_keyword=faction, place=place)))
        if planned_for:
            dated = _("{{who}} set up {versus} for {day}, round {number}.")
            told = dated if round else _("{{who}} set up {versus} for {day}.")
        else:
            told = _("{{who}} set up {versus}, round {number}.") if round else _("{{who}} set up {versus}.")
        number = round.number if round else ""
        act.say(told.format(versus=versus(sides), day=weekday(planned_for) if planned_for else "", number=number))
    return battle


def give_bye(*, campaign: Campaign, seat: Seat, actor: Any, round: Round | None = None, token: str = "") -> Battle:
    """Give a seat a bye in a round: it gets the campaign's points for a bye, and no win."""
    with recording(campaign, seat, kind="bye", actor=actor, token=token) as act:
        row = act.row(campaign)
        refuse_unless_running(row)
        sitting = act.row(seat)
        battle = act.create(Battle(campaign=row, round=round, kind=Battle.Kind.BYE, status=Battle.Status.CONFIRMED))
        act.also_about(battle)
        points = setting_of(row, "bye_points")
        act.create(Side(battle=battle, seat=sitting, warband=sitting.warband, result=Side.Result.NONE, points=points))
        told = _("{{who}} gave {name} a bye in round {number}.") if round else _("{{who}} gave {name} a bye.")
        act.say(told.format(name=sitting.name, number=round.number if round else ""))
    return battle


def move_battle(
    *, battle: Battle, actor: Any, planned_for: date | None, round: Round | None = None, token: str = ""
) -> Battle:
    """Move a battle that has not been played to another day or round."""
    with recording(battle.campaign, battle, kind="schedule", actor=actor, occasion=battle.occasion, token=token) as act:
        row = act.row(battle)
        _refuse_played(row)
        act.change(row, planned_for=planned_for, round=round if round is not None else row.round)
        told = _("{{who}} moved {versus} to {day}.") if planned_for else _("{{who}} moved {versus}.")
        act.say(told.format(versus=versus(live_sides(row)), day=weekday(planned_for) if planned_for else ""))
    return row


def cancel_battle(*, battle: Battle, actor: Any, words: str = "", token: str = "") -> Battle:
    with recording(battle.campaign, battle, kind="cancel", actor=actor, occasion=battle.occasion, token=token) as act:
        row = act.row(battle)
        _refuse_played(row)
        act.change(row, status=Battle.Status.CANCELLED)
        told = f": {words.strip()[:200]}" if words.strip() else "."
        act.say(_("{{who}} cancelled {versus}{told}").format(versus=versus(live_sides(row)), told=told))
    return row


def _refuse_played(battle: Battle) -> None:
    if battle.status not in AHEAD:
        raise Refusal(_("This battle is {lower}.").format(lower=battle.get_status_display().lower()), code="not-ahead")


def _fresh_seats(campaign: Campaign, seats: Sequence[Seat]) -> list[Seat]:
    keys = list(dict.fromkeys(seat.pk for seat in seats))
    if len(keys) != len(seats):
        raise Refusal(_("A player can't play against themselves."), code="sides")
    known = {
        s.pk: s for s in Seat.objects.live().filter(campaign=campaign, pk__in=keys).select_related("warband__terms")
    }
    for seat in seats:
        fresh = known.get(seat.pk)
        if fresh is None or fresh.status == Seat.Status.LEFT:
            raise Refusal(
                _("{seat} does not play in {campaign}.").format(seat=seat.name, campaign=campaign.name), code="left"
            )
        if fresh.warband is None:
            raise Refusal(
                _("{seat} has no warband yet.").format(seat=seat.name), mend=_("Add one any time."), code="no-warband"
            )
    return [known[key] for key in keys]


def too_far_ahead(campaign: Campaign) -> tuple[set[int], list[str]]:
    """Return the seats that have fought enough and must wait, and the names of those they wait for.

    One query if the campaign has this rule, else none.
    """
    limit = setting_of(campaign, "catch_up_at")
    if not limit:
        return set(), []
    playing = Seat.objects.live().filter(campaign=campaign, status=Seat.Status.PLAYING, warband__isnull=False)
    rows = playing.order_by("pk").values_list("pk", "name", "warband__state__fought", "warband__state__credited")
    fought = [(pk, name, int(fought or 0) + int(credited or 0)) for pk, name, fought, credited in rows]
    behind = [name for _, name, count in fought if count < limit]
    return {pk for pk, _, count in fought if behind and count >= limit}, behind


def _refuse_too_far_ahead(campaign: Campaign, seats: Sequence[Seat]) -> None:
    limit = setting_of(campaign, "catch_up_at")
    ahead, behind = too_far_ahead(campaign)
    for seat in seats:
        if seat.pk in ahead:
            raise Refusal(
                ngettext(
                    "{seat} fought {limit} battle and waits for the others: {joined}.",
                    "{seat} fought {limit} battles and waits for the others: {joined}.",
                    limit,
                ).format(seat=seat.name, limit=limit, joined=joined(behind)),
                mend=_("This is a campaign setting."),
                code="ahead",
            )


def _refuse_other_edition(campaign: Campaign, warbands: Iterable[Warband]) -> None:
    """Raise Refusal for a warband of another edition than its campaign, because a battle has one set of rules."""
    terms = campaign.terms
    for warband in warbands:
        if (warband.terms.system, warband.terms.edition) != (terms.system, terms.edition):
            raise Refusal(
                _(
                    "{warband} plays {name} {edition}; this campaign plays {name_2} {edition_2}. A battle needs one edition."
                ).format(
                    warband=warband.name,
                    name=warband.terms.game.name,
                    edition=warband.terms.edition,
                    name_2=terms.game.name,
                    edition_2=terms.edition,
                ),
                mend=_("Start a warband for that edition."),
                code="edition",
            )


def _refuse_backwards(starts_on: date | None, ends_on: date | None) -> None:
    if starts_on and ends_on and ends_on < starts_on:
        raise Refusal(_("The round can't end before it starts."), code="dates", field="ends_on")


def weekday(day: date | None) -> str:
    """Return a day for the history: "Sat 21 Nov"; "" for None."""
    return short_day(day) if day else ""
