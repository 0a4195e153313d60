"""Where a campaign reads the camp strictly, each of its steps after a battle opens some acts and leaves the others shut."""

from __future__ import annotations

from campaigns.models import Battle, PostBattle, Seat
from campaigns.sequence import StepSequence
from rules.force import Force
from rules.problems import Refusal
from rules.system import StepKind
from warbands.camp_locks import Door
from warbands.models import Warband

WORDS: dict[Door, str] = {
    "hire": "Hiring",
    "buy": "Buying",
    "sell": "Selling",
    "glory": "Spending glory",
    "move": "Moving kit",
    "hand-over": "Handing over",
}


def refuse_shut_step(warband: Warband, door: Door) -> None:
    """Raise Refusal while a post-battle sequence is open and none of the steps whose turn it is opens this door.

    A warband that plays here is handed over with its place alone. With a single camp step every other door opens at once, and nothing is shut; that costs no query. Else one, two more a sequence.
    """
    if door == "hand-over":
        _refuse_seated(warband)
        return
    terms = warband.terms
    bare = Force(game=terms.system, edition=terms.edition, list=warband.list_id)
    if sum(step.kind == "camp" for step in terms.game.steps(terms.content, bare)) < 2:
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


def _refuse_seated(warband: Warband) -> None:
    """Raise Refusal for a warband that plays in a campaign: it goes with its place there, and its results. One query."""
    seat = (
        Seat.objects.live().filter(warband=warband).exclude(status=Seat.Status.LEFT).select_related("campaign").first()
    )
    if seat is not None:
        raise Refusal(
            f"{warband.name} plays in {seat.campaign.name}.",
            mend="Hand over your place there: on the campaign page, choose your place.",
            code="seated",
        )


def _shut(sequence: StepSequence, step: StepKind, door: Door) -> Refusal:
    place = [each.id for each in sequence.steps].index(step.id)
    ahead = [each.label for each in sequence.steps[place:] if door in each.doors]
    mend = f"“{ahead[0]}” opens it." if ahead else "Its step is over; closing the sequence opens the whole camp."
    return Refusal(f"{WORDS[door]} waits: after the battle it is the turn of “{step.label}”.", mend=mend, code="shut")
