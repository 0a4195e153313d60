"""What somebody may do about a battle now, in the order in which it matters to them."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.text import capfirst

from campaigns.battle_sheet import unprintable_on_sheet
from campaigns.models import Battle, Campaign, Side
from campaigns.pages.formatting import until
from campaigns.pages.odds import draws_crib
from campaigns.services.common import listed, side_name, who_answers
from warbands.pages.widgets import Link

REPORTED = (Battle.Status.REPORTED, Battle.Status.DISPUTED, Battle.Status.CONFIRMED, Battle.Status.CLOSED)


@dataclass(frozen=True, slots=True)
class BattleActs:
    """The main act for this person, the others, and a sentence where nothing is theirs to do.

    `letter_words` names the letters on the battle sheet that no font has, where the sheet is among the acts.
    """

    main: Link | None
    others: tuple[Link, ...]
    told: str
    letter_words: str


def battle_acts(battle: Battle, sides: list[Side], mine: Side | None, administers: bool) -> BattleActs:
    """What this person may do next. One query where the battle sheet is among it, none else."""
    pk = [battle.pk]
    muster = Link("Set up and muster", reverse("force-select", args=pk))
    report = Link("Report it", reverse("battle-report", args=pk))
    answer = Link("Read and answer the report", reverse("report-confirm", args=pk))
    paper = Link("Battle sheet", reverse("battle-sheet", args=pk))
    acts = mine is not None or administers
    links: list[Link] = []
    if battle.status == Battle.Status.SCHEDULED and acts:
        unready = mine is not None and mine.ready_at is None
        links = (
            [muster, report, paper] if unready or mine is None else [report, Link("See the muster", muster.href), paper]
        )
    elif battle.status == Battle.Status.MUSTERED and acts:
        links = [
            Link("To the table", reverse("battle-track", args=pk)),
            report,
            Link("See the muster", muster.href),
            paper,
        ]
    elif battle.status == Battle.Status.MUSTERED and battle.campaign.rosters == Campaign.Rosters.OPEN:
        links = [Link("Watch the table", reverse("battle-track", args=pk))]
    elif battle.status in REPORTED and acts:
        if battle.status == Battle.Status.DISPUTED and administers:
            links.append(Link("Decide the dispute", answer.href))
        elif battle.status == Battle.Status.REPORTED and (
            administers or (mine is not None and mine.confirmed_at is None)
        ):
            links.append(answer)
        links += _after_links(battle, sides, mine, administers)
        if administers or (mine is not None and battle.status == Battle.Status.REPORTED):
            links.append(Link("Amend the report", f"{report.href}?amend=1"))
    if mine is not None and battle.status in (Battle.Status.SCHEDULED, Battle.Status.MUSTERED) and draws_crib(battle):
        links.append(Link("Crib of odds", f"{reverse('crib-print')}?battle={battle.pk}"))
    told = ""
    if mine is not None and battle.status == Battle.Status.REPORTED and mine.confirmed_at is not None:
        links.append(Link("Have it confirmed here", answer.href))
    if mine is not None and battle.status == Battle.Status.SCHEDULED and mine.ready_at is not None:
        late = [side_name(side) for side in sides if side.ready_at is None and not side.is_guest]
        told = f"You are ready. {listed(late)} {'is' if len(late) == 1 else 'are'} not yet." if late else ""
    if mine is not None and battle.status == Battle.Status.REPORTED and mine.confirmed_at is not None:
        others = [who_answers(side) for side in sides if side.confirmed_at is None]
        told = (
            f"Sent. {capfirst(listed(others))} may answer {until(battle.confirm_by)}".strip()
            + "; unanswered, the report is confirmed."
            if others and battle.confirm_by
            else ""
        )
    return BattleActs(
        links[0] if links else None,
        tuple(links[1:]),
        told,
        unprintable_on_sheet(battle, sides, mine) if paper in links else "",
    )


def _after_links(battle: Battle, sides: list[Side], mine: Side | None, administers: bool) -> list[Link]:
    links: list[Link] = []
    for side in sides:
        sequence = next(iter(side.post_battles.all()), None)
        if sequence is None or side.warband is None:
            continue
        own = mine is not None and side.pk == mine.pk
        if not own and not administers:
            continue
        whose = "" if own else f" of {side.warband.name}"
        href = reverse("post-battle-show", args=[battle.pk, side.warband_id])
        label = (
            "Begin the post-battle"
            if sequence.started_at is None
            else "See the post-battle"
            if sequence.closed_at
            else "Go on with the post-battle"
        )
        link = Link(f"{label}{whose}", href)
        links.insert(0, link) if own and sequence.closed_at is None else links.append(link)
    return links
