"""The service that publishes a round: its battles and byes in one act. Agreed challenges among them are settled by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Battle, Campaign, Challenge, Round, Seat
from campaigns.scenarios import scenarios
from campaigns.services.rounds import give_bye, open_round, schedule_battle
from rules.problems import Refusal
from warbands.models import Warband
from warbands.recording import recording

MAX_TABLES = 120


def publish_round(
    *,
    campaign: Campaign,
    actor: Any,
    tables: Sequence[Sequence[Seat]],
    round: Round | None = None,
    starts_on: date | None = None,
    ends_on: date | None = None,
    scenario_ids: Mapping[int, str] | None = None,
    token: str = "",
) -> Round:
    """Set up every battle of a round as one event, which one undo takes back.

    A table of one seat is a bye. Without `round` the next round is opened. `scenario_ids` sets the scenario of a table, by its place.
    Raises Refusal for a round without tables, for a seat at two tables, for an unknown scenario, and as `open_round`,
    `schedule_battle` and `give_bye` do.
    """
    _refuse_twice(tables)
    seats = [seat for table in tables for seat in table]
    pairs = {frozenset(seat.pk for seat in table) for table in tables}
    agreed = [
        each
        for each in Challenge.objects.live().filter(campaign=campaign, status=Challenge.Status.ACCEPTED)
        if any({each.seat_id, each.other_id} <= pair for pair in pairs)
    ]
    subjects: list[Any] = [campaign, *seats, *agreed, *([round] if round is not None else [])]
    with recording(*subjects, kind="pair", actor=actor, token=token, gathers=True) as act:
        row = act.row(campaign)
        row.terms = campaign.terms
        once = {"campaign": row, "actor": actor}
        found = round if round is not None else open_round(**once, starts_on=starts_on, ends_on=ends_on)
        battles: dict[frozenset[int], Battle] = {}
        for place, table in enumerate(tables):
            if len(table) == 1:
                give_bye(**once, seat=table[0], round=found)
                continue
            battle = schedule_battle(**once, seats=table, round=found)
            battles[frozenset(seat.pk for seat in table)] = battle
            if scenario_id := (scenario_ids or {}).get(place, ""):
                _refuse_unknown(battle, scenario_id)
                act.change(battle, scenario_id=scenario_id)
        for each in agreed:
            battle = next(battle for keys, battle in battles.items() if {each.seat_id, each.other_id} <= keys)
            act.change(act.row(each), status=Challenge.Status.PAIRED, battle=battle)
        for warband in Warband.objects.filter(pk__in=[seat.warband_id for seat in seats if seat.warband_id]):
            act.also_told_to(warband)
        told = ngettext(
            "{{who}} paired round {number}: {count} battle.",
            "{{who}} paired round {number}: {count} battles.",
            len(battles),
        )
        act.say(told.format(number=found.number, count=len(battles)))
    return found


def _refuse_twice(tables: Sequence[Sequence[Seat]]) -> None:
    if not any(len(table) > 1 for table in tables):
        raise Refusal(_("A round needs at least one battle."), code="sides")
    if len(tables) > MAX_TABLES:
        raise Refusal(_("A round has {most} tables or fewer.").format(most=MAX_TABLES), code="sides")
    seen: set[int] = set()
    for seat in (seat for table in tables for seat in table):
        if seat.pk in seen:
            raise Refusal(
                _("{seat} is at two tables.").format(seat=seat.name), mend=_("Suggest the round again."), code="twice"
            )
        seen.add(seat.pk)


def _refuse_unknown(battle: Battle, scenario_id: str) -> None:
    if scenario_id not in {each.id for each in scenarios(battle)}:
        raise Refusal(_("This edition has no such scenario."), code="unknown-scenario")
