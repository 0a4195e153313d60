"""What happens in a campaign in words that tests read by: a club opens, musters, fights, resolves. Each is built on the services.

`club(cleo, ada, ben)` is Cleo's campaign in which Ada leads The Lantern Wardens and Ben The Gallows Choir; `fight` reports a battle with
fighters named as on the roster; `resolve` walks a whole post-battle sequence on seeded dice.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from campaigns.models import Battle, Campaign, PostBattle, Report, Seat, Side
from campaigns.sequence import StepSequence
from campaigns.services.battle_setup import choose_attacker, choose_scenario
from campaigns.services.join import add_seat, bring_warband, join_campaign
from campaigns.services.muster import make_side_ready
from campaigns.services.open import open_campaign
from campaigns.services.post_battle import (
    close_post_battle,
    finish_step,
    keep_choice,
    keep_roll,
    start_post_battle,
    write_task,
)
from campaigns.services.reports import send_report
from campaigns.services.rounds import schedule_battle
from rules.dice import DiceSource, SeededDice
from rules.price import Price
from rules.problems import Refusal
from rules.resolution import Asked, Progress, Task
from tests import stories as s
from warbands.models import Event, Fighter, Warband
from warbands.services.copy_fighter import copy_fighter
from warbands.services.founding import copy_sample, make_ready

SCENARIO = "hill-223"
RICH = Price(1500, 10)


@dataclass
class Club:
    """A campaign with its people, seats and warbands by name."""

    campaign: Campaign
    administrator: Any
    seats: dict[str, Seat] = field(default_factory=dict)

    def seat(self, user: Any) -> Seat:
        """The seat of a person, as the database holds it."""
        return Seat.objects.select_related("campaign__terms", "warband__terms", "warband__owner", "user").get(
            pk=self.seats[str(user)].pk
        )

    def warband(self, user: Any) -> Warband:
        """The warband of a person, as the database holds it."""
        warband = self.seat(user).warband
        assert warband is not None
        return s.fresh(warband)


def club(administrator: Any, *players: Any, **how: Any) -> Club:
    """Open a campaign; every player joins by its link with a sample warband that is ready to play.

    Without an edition it is that of `tests.stories`, by which most stories are told.
    """
    how.setdefault("edition", s.TRENCH_CRUSADE[1])
    campaign = open_campaign(actor=administrator, name="The Winter at Gallows Weir", **how)
    made = Club(campaign, administrator)
    for place, player in enumerate(players):
        joins(made, player, sample=("lantern-wardens", "gallows-choir", "third-breach", "brand-of-dis")[place])
    return made


def club_with_empty_places(administrator: Any, player: Any, other: Any, *unclaimed: str) -> Club:
    """Open a campaign where one player has a warband, the other plays the place "Benedict" without one, and nobody has claimed the rest."""
    made = club(administrator, player)
    made.seats[other.pk] = add_seat(campaign=made.campaign, actor=administrator, name="Benedict")
    Seat.objects.filter(pk=made.seats[other.pk].pk).update(user=other)
    for name in unclaimed:
        add_seat(campaign=made.campaign, actor=administrator, name=name)
    return made


def joins(made: Club, player: Any, sample: str = "lantern-wardens", fighters: int = 0) -> Seat:
    """A player joins with a sample warband; with so many fighters, if a number is given, by copying the last ones."""
    seat = join_campaign(invitation_token=link(made.campaign), actor=player)
    terms, money = made.campaign.terms, RICH if fighters else None
    warband = copy_sample(actor=player, owner=player, terms=terms, sample_id=sample, budget=money)
    while len(there := list(Fighter.objects.live().filter(warband=warband))) < fighters:
        _copy_one(there, player)
    make_ready(warband=warband, actor=player)
    made.seats[str(player)] = bring_warband(seat=made.seats.get(str(player), seat), warband=warband, actor=player)
    return made.seats[str(player)]


def _copy_one(fighters: Sequence[Fighter], actor: Any) -> Fighter:
    """Copy the last one of these fighters of whom the list takes another."""
    for fighter in reversed(fighters):
        with contextlib.suppress(Refusal):
            return copy_fighter(fighter=fighter, actor=actor)
    raise AssertionError("The list takes no more of any of these.")


def link(campaign: Campaign) -> str:
    """The token of the campaign's open invitation."""
    return str(campaign.invitations.live().get(is_revoked=False).token)


# --- a battle ----------------------------------------------------------------------------------------------------------------


def battle(
    made: Club, *players: Any, guests: Sequence[tuple[str, str]] = (), scenario: str = SCENARIO, **how: Any
) -> Battle:
    """Set a battle and its scenario, by the administrator."""
    row = schedule_battle(
        campaign=made.campaign,
        actor=made.administrator,
        seats=[made.seat(player) for player in players],
        guests=guests,
        **how,
    )
    return choose_scenario(battle=row, actor=made.administrator, scenario_id=scenario) if scenario else row


def fresh_battle(row: Battle) -> Battle:
    """The battle as the database holds it."""
    return Battle.objects.select_related("campaign__terms").get(pk=row.pk)


def side(row: Battle, user: Any) -> Side:
    """The side of a person (or, by name, of a guest) as the database holds it."""
    sides = Side.objects.live().select_related(
        "battle__campaign__terms", "seat__user", "warband__terms", "warband__owner", "snapshot"
    )
    if isinstance(user, str):
        return sides.get(battle=row, guest_name=user)
    return sides.get(battle=row, seat__user=user)


def mustered(made: Club, *players: Any, attacker: Any = None, **how: Any) -> Battle:
    """Set a battle and make every side ready."""
    row = battle(made, *players, **how)
    if attacker is not None:
        choose_attacker(battle=row, actor=attacker, side=side(row, attacker))
    for player in players:
        make_side_ready(side=side(row, player), actor=player)
    return fresh_battle(row)


def keys(warband: Warband, *names: str) -> list[str]:
    """Fighter keys of these names."""
    return [str(s.fighter(warband, name).pk) for name in names]


def report_data(
    row: Battle,
    winner: Any = None,
    *,
    points: Mapping[Any, int] | None = None,
    out: Mapping[Any, Iterable[str]] | None = None,
    deeds: Sequence[tuple[str, Any, str]] = (),
    **more: Any,
) -> dict[str, Any]:
    """A report's data in words: people for sides, names for fighters. `out` fighters were taken out by the first other side."""
    sides = list(Side.objects.live().filter(battle=row))

    def fighter(user: Any, name: str) -> str:
        warband = side(row, user).warband
        assert warband is not None
        return keys(warband, name)[0] if name else ""

    def foe(mine: Side) -> str:
        return next(str(other.pk) for other in sides if other.pk != mine.pk)

    data: dict[str, Any] = {
        "winner": str(side(row, winner).pk) if winner is not None else None,
        "points": {str(side(row, user).pk): number for user, number in (points or {}).items()},
        "out": {
            str(side(row, user).pk): {fighter(user, name): foe(side(row, user)) for name in names}
            for user, names in (out or {}).items()
        },
        "deeds": [[deed, str(side(row, user).pk), fighter(user, name)] for deed, user, name in deeds],
    }
    return {**data, **more}


def fight(row: Battle, by: Any, winner: Any = None, **what: Any) -> Report:
    """Report a battle by one of its players."""
    return send_report(battle=row, actor=by, by_side=side(row, by), data=report_data(row, winner, **what))


# --- after it ----------------------------------------------------------------------------------------------------------------


def begin(row: Battle, user: Any) -> PostBattle:
    """Begin a side's sequence."""
    start_post_battle(side=side(row, user), actor=user)
    return sequence_row(row, user)


def sequence_row(row: Battle, user: Any) -> PostBattle:
    """A side's sequence as the database holds it."""
    return sequence_rows().get(side__battle=row, side__seat__user=user, side__is_undone=False)


def sequence_rows() -> QuerySet[PostBattle]:
    """Sequences with all that a service reads of them."""
    return PostBattle.objects.select_related(
        "side__battle__campaign__terms", "side__seat__user", "side__warband", "warband__terms", "warband__owner"
    )


def look(post_battle: PostBattle, before: StepSequence | None = None) -> StepSequence:
    """The sequence read afresh; the force with it, unless the warband is as it was `before`, as on the pages."""
    row = sequence_rows().get(pk=post_battle.pk)
    return before.again(row) if before is not None else StepSequence(row)


def task(post_battle: PostBattle, key: str) -> Task:
    """A task of the sequence, whatever its step."""
    return look(post_battle).find(key)[1]


def progress(post_battle: PostBattle, key: str) -> Progress:
    """How far a task has come."""
    sequence = look(post_battle)
    return sequence.progress(sequence.find(key)[1])


def type_in(post_battle: PostBattle, key: str, *faces: int, actor: Any = None) -> None:
    """Type dice in for a task."""
    keep_roll(
        post_battle=post_battle, task_key=key, source="typed", faces=faces, actor=actor or post_battle.side.seat.user
    )


def write(post_battle: PostBattle, key: str, actor: Any = None, known: StepSequence | None = None) -> Event:
    """Write a task down."""
    return write_task(post_battle=post_battle, task_key=key, actor=actor or post_battle.side.seat.user, known=known)


def pick(asked: Asked) -> Any:
    """A plain answer to whatever is asked: the first open option, as many as must be, an even spread."""
    values = [option.value for option in asked.options if not option.closed]
    if asked.kind == "one":
        return values[0]
    if asked.kind == "some":
        return values[: asked.least]
    if asked.kind == "number":
        return asked.least
    given = dict.fromkeys(values, 0)
    left = asked.total
    while left:
        before = left
        for value in values:
            if left and given[value] < asked.limits.get(value, asked.total):
                given[value] += 1
                left -= 1
        if left == before:
            break
    return given


def settle(
    post_battle: PostBattle,
    key: str,
    dice: DiceSource,
    answers: Mapping[str, Any] | None = None,
    actor: Any = None,
    sequence: StepSequence | None = None,
) -> None:
    """Roll and choose a task to its end, and write it. `answers` by choice key come before plain ones; `sequence` is it as just read."""
    actor = actor or post_battle.side.seat.user
    sequence = sequence or look(post_battle)
    for _ in range(60):
        now = sequence.progress(sequence.find(key)[1])
        task: dict[str, Any] = {"post_battle": post_battle, "task_key": key}
        if now.need is not None:
            keep_roll(**task, source="app", actor=actor, dice=dice, known=sequence)
        elif now.asked is not None:
            value = (answers or {}).get(now.asked.key, pick(now.asked))
            keep_choice(**task, choice_key=now.asked.key, value=value, actor=actor, known=sequence)
        else:
            write(post_battle, key, actor, sequence)
            return
        sequence = look(post_battle, sequence)
    raise AssertionError(f"{key} never came to an end")


def resolve(
    row: Battle, user: Any, seed: int | str = 1, answers: Mapping[str, Any] | None = None, *, until: str = ""
) -> PostBattle:
    """Walk a side's whole sequence on seeded dice, in order, and close it; `until` stops before that step."""
    post_battle = begin(row, user)
    dice, sequence = SeededDice(seed), None
    for _ in range(40):
        sequence = look(post_battle, sequence)
        step = sequence.current()
        if step is None or step.id == until:
            return sequence_row(row, user)
        if step.kind == "close":
            close_post_battle(post_battle=sequence.post_battle, actor=user)
            return sequence_row(row, user)
        waiting = sequence.waiting(step.id)
        if waiting:
            settle(sequence.post_battle, waiting[0].key, dice, answers, sequence=sequence)
        else:
            finish_step(post_battle=sequence.post_battle, step=step.id, actor=user)
    raise AssertionError("the sequence never came to an end")


def named(warband: Warband, name: str) -> Fighter:
    """A fighter of this name, whatever became of it."""
    return Fighter.objects.live().get(warband=warband, name=name)


def named_first(made: Club, user: Any) -> str:
    """The name of the first fighter on a person's roster."""
    return str(Fighter.objects.live().filter(warband=made.warband(user)).order_by("position", "pk").first())
