"""The pages of one side's post-battle sequence, one per step. The user rolls or chooses, sees the result, and writes it down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, Sum
from django.urls import reverse
from django.utils.text import capfirst

from campaigns.models import Capture, PostBattle
from campaigns.pages.tasks import TaskView, outcome_words, task_views
from campaigns.scenarios import scenario_name
from campaigns.sequence import StepSequence, StepStanding
from rules.force import FighterView, ForceFighter
from rules.formatting import profile_beside
from rules.parts.post_battle import BattleSide, StepKind
from rules.price import Price
from rules.problems import Refusal
from warbands.labels import has_shop, labels_of, word, worth_words
from warbands.models import Event, LedgerEntry, Warband
from warbands.pages.formatting import figure, money
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class RailStep:
    """A step in the list of steps beside the page."""

    number: int
    label: str
    href: str
    state: str  # done, current, waits, later, skipped
    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class Door:
    """A link from the camp step to one of the warband's pages."""

    label: str
    href: str
    words: str


@dataclass(frozen=True, slots=True)
class RosterLine:
    name: str
    words: str
    state: str


@dataclass(frozen=True, slots=True)
class RosterFigure:
    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class StepPage:
    title: str
    warband: str
    warband_pk: int
    seen: int
    battle: str
    back: Link
    here: str
    rail: tuple[RailStep, ...]
    number: int
    of: int
    step: str
    label: str
    kind: str
    words: str
    state: str
    skipped_words: str
    tasks: tuple[TaskView, ...]
    groups: tuple[str, ...]
    waits: tuple[str, ...]
    waits_words: str
    next: Link | None
    previous: Link | None
    may_leave: bool
    blocked_words: str
    doors: tuple[Door, ...]
    kits: tuple[Link, ...]
    captives: tuple[Link, ...]
    captives_words: str
    money_words: str
    rating_words: str
    fighters_words: str
    members: tuple[RosterLine, ...]
    figures: tuple[RosterFigure, ...]
    came_of_it: tuple[str, ...]
    closing: tuple[str, ...]
    closed: bool
    print_href: str
    all_saved: str
    for_words: str
    labels: Mapping[str, str]


def step_address(post_battle: PostBattle, step: str) -> str:
    return reverse("post-battle-resolve", args=[post_battle.side.battle_id, post_battle.warband_id, step])


def step_page(
    post_battle: PostBattle,
    step_id: str,
    *,
    user: Any,
    open_task: str = "",
    again: str = "",
    typed: Mapping[str, str] | None = None,
    typed_task: str = "",
    typed_error: str = "",
) -> StepPage:
    """Build the page of a step. Seven queries. `open_task` is the task to unfold, `again` the decision to repeat.

    `typed` and `typed_error` hold submitted values that were refused for `typed_task`, and the reason. Raises KeyError for an unknown step.
    """
    sequence = StepSequence(post_battle)
    position = _Position.of(sequence, step_id)
    row, warband, battle = position.row, post_battle.warband, post_battle.side.battle
    here = step_address(post_battle, step_id)
    closing = row.step.kind == "close"
    waits = () if closing else row.waits
    views: tuple[TaskView, ...] = ()
    if row.state not in ("waiting", "skipped") and not closing:
        views = task_views(sequence, row, here, open_task, again, typed or {}, typed_task, typed_error)
    closed = post_battle.closed_at is not None
    return StepPage(
        title=row.step.label,
        warband=warband.name,
        warband_pk=warband.pk,
        seen=warband.version,
        battle=scenario_name(battle),
        back=Link(scenario_name(battle), reverse("battle-show", args=[battle.pk])),
        here=here,
        rail=_rail(post_battle, position.standings, step_id),
        number=position.index + 1,
        of=len(position.standings),
        step=step_id,
        label=row.step.label,
        kind=row.step.kind,
        words=row.step.words,
        state=row.state,
        skipped_words=row.why,
        tasks=views,
        groups=tuple(dict.fromkeys(view.group for view in views)),
        waits=waits,
        waits_words=f"waits {len(waits)}" if waits else "",
        next=_step_link(post_battle, position.next),
        previous=_step_link(post_battle, position.previous),
        may_leave=row.state in ("open", "done") and not waits,
        blocked_words=_blocked_words(position),
        doors=_doors(row.step, warband),
        kits=_kits(row.step, sequence),
        captives_words=_captives_words(sequence),
        captives=_captives(post_battle) if position.index == 0 or row.step.kind != "tasks" else (),
        money_words=_money_words(warband),
        rating_words=_rating_words(sequence),
        fighters_words=_fighters_words(sequence),
        members=_members(sequence),
        figures=_figures(sequence) if closing else (),
        came_of_it=_came_of_it(post_battle) if closing else (),
        closing=_closing(sequence, step_id) if closing and row.state == "open" else (),
        closed=closed,
        print_href=reverse("roster-print", args=[warband.pk]),
        labels=sequence.game.labels(sequence.content),
        all_saved="closed" if closed else "all saved",
        for_words=_for_words(post_battle, user),
    )


@dataclass(frozen=True, slots=True)
class _Position:
    standings: tuple[StepStanding, ...]
    index: int

    @classmethod
    def of(cls, sequence: StepSequence, step_id: str) -> _Position:
        """Return the position of a step. Raises KeyError for an unknown step."""
        standings = sequence.standings()
        for index, row in enumerate(standings):
            if row.step.id == step_id:
                return cls(standings, index)
        raise KeyError(step_id)

    @property
    def row(self) -> StepStanding:
        return self.standings[self.index]

    @property
    def next(self) -> StepStanding | None:
        return next((row for row in self.standings[self.index + 1 :] if row.state != "skipped"), None)

    @property
    def previous(self) -> StepStanding | None:
        return next((row for row in reversed(self.standings[: self.index]) if row.state != "skipped"), None)


def _step_link(post_battle: PostBattle, other: StepStanding | None) -> Link | None:
    return Link(other.step.label, step_address(post_battle, other.step.id)) if other is not None else None


def _blocked_words(position: _Position) -> str:
    """Return why a step cannot start yet: the open step before it, and what that step waits for."""
    if position.row.state != "waiting":
        return ""
    for row in position.standings[: position.index]:
        if row.state == "open":
            what = f" It waits for {', '.join(row.waits)}." if row.waits else ""
            return f"{row.step.label} comes first.{what}"
    return ""


def _for_words(post_battle: PostBattle, user: Any) -> str:
    """Return whom the user acts for, "" if the warband is their own."""
    seat = post_battle.side.seat
    if not seat or user.pk in (seat.user_id, post_battle.warband.owner_id):
        return ""
    return f"You act for {seat.name}."


# --- the list of steps --------------------------------------------------------------------------------------------------------------------


def _rail(post_battle: PostBattle, standings: tuple[StepStanding, ...], current: str) -> tuple[RailStep, ...]:
    states = {"done": "done", "skipped": "skipped", "open": "waits", "waiting": "later"}
    return tuple(
        RailStep(
            number=number,
            label=row.step.label,
            href=step_address(post_battle, row.step.id) if row.state != "waiting" else "",
            state="current" if row.step.id == current else states[row.state],
            count=len(row.waits) if row.state == "open" and row.step.kind != "close" else 0,
            reason=row.why,
        )
        for number, row in enumerate(standings, 1)
    )


# --- beside and below the step ------------------------------------------------------------------------------------------------------------


DOOR_WORDS = {
    "hire": ("Hire", "fighter-hire", "Recruits and mercenaries, priced from the {strongbox}."),
    "buy": ("Buy {kit}", "stash-show", "From the armoury to the {stash}; a {fighter}'s own page buys for that one."),
    "sell": ("Sell", "stash-show", "Half of the base price, from the {stash}."),
    "glory": ("Spend glory", "stash-show", "Items and hires that are priced in glory."),
    "move": ("Move {kit}", "warband-show", "Between {fighters} and the {stash}."),
}


def _doors(step: StepKind, warband: Warband) -> tuple[Door, ...]:
    if not step.doors:
        return ()
    labels, doors = labels_of(warband.terms), []
    for door in step.doors:
        label, name, words = DOOR_WORDS.get(door, (door.capitalize(), "warband-show", ""))
        named = {key: labels[f"{key}_within"] for key in ("stash", "fighter", "fighters", "kit", "strongbox", "glory")}
        label, words = label.format(**named), words.format(**named)
        href = reverse(name, args=[warband.pk])
        if door == "glory" and "hire" not in step.doors:
            doors.append(
                Door(
                    "Hire for glory",
                    reverse("fighter-hire", args=[warband.pk]),
                    "Mercenaries that are priced in glory.",
                )
            )
        doors.append(Door(label, href, words))
    camp = Door("Finds and promises", reverse("camp-show", args=[warband.pk]), "What is owed, and what may be used up.")
    return (*doors, camp)


def _kits(step: StepKind, sequence: StepSequence) -> tuple[Link, ...]:
    if not {"buy", "glory", "move"} & set(step.doors):
        return ()
    return tuple(
        Link(fighter.name, reverse("kit-buy", args=[fighter.key]))
        for fighter in sequence.force.fighters
        if fighter.active
    )


def _captives(post_battle: PostBattle) -> tuple[Link, ...]:
    """Return links to the captives that this warband lost or took in any battle. One query."""
    held = Capture.objects.live().filter(status=Capture.Status.HELD).select_related("fighter", "warband", "captor")
    mine = held.filter(Q(warband=post_battle.warband_id) | Q(captor=post_battle.warband_id))
    return tuple(
        Link(
            f"{c.fighter.name} is held by {c.captor_name}"
            if c.warband_id == post_battle.warband_id
            else f"You hold {c.fighter.name} of {c.warband.name}",
            reverse("capture-settle", args=[c.pk]),
        )
        for c in mine
    )


def _captives_words(sequence: StepSequence) -> str:
    campaign = sequence.game.campaign
    if campaign is not None and campaign.captives(sequence.content) == "settled":
        return "The step waits for the ransom of a captive from this battle."
    return "No step waits for a ransom."


def _money_words(warband: Warband) -> str:
    if not has_shop(warband.terms):
        return ""
    return money(Price(ducats=warband.strongbox_ducats, glory=warband.strongbox_glory))


def _rating_words(sequence: StepSequence) -> str:
    limits = sequence.game.limits(sequence.content, sequence.force)
    rating = sequence.post_battle.warband.rating_ducats
    terms = sequence.post_battle.warband.terms
    if limits.threshold is not None:
        return f"{rating} of {limits.threshold} {word(terms, 'worth', 'd')}"
    return worth_words(terms, rating)


def _fighters_words(sequence: StepSequence) -> str:
    limits = sequence.game.limits(sequence.content, sequence.force)
    count = sequence.game.headcount(sequence.content, sequence.force)
    return f"{count} of {limits.field_strength}" if limits.field_strength is not None else str(count)


PRESENT = ("active", "captive")
STATUS_WORDS = ("captive", "dead", "retired", "dismissed", "sold", "left")


def _members(sequence: StepSequence) -> tuple[RosterLine, ...]:
    """Return the fighters on the roster, and those who took part in the battle and have left it."""
    views = sequence.game.views(sequence.content, sequence.force)
    mine = sequence.aftermath.mine
    return tuple(
        RosterLine(fighter.name, _member_words(fighter, views.get(fighter.key), mine), fighter.status)
        for fighter in sequence.force.fighters
        if fighter.status in PRESENT or fighter.key in mine.took_part
    )


def _member_words(fighter: ForceFighter, view: FighterView | None, mine: BattleSide) -> str:
    present = fighter.status in PRESENT
    words = [profile_beside(fighter.name, view.profile_name)] if view is not None else []
    if fighter.key in mine.out:
        words.append("was out")
    if any(doer == fighter.key for _, doer in mine.deeds):
        words.append("a deed")
    if view is not None and view.elite and present:
        words.append(f"experience {fighter.experience}")
    if fighter.misses_battle and present:
        words.append(f"misses battle {fighter.misses_battle}")
    if fighter.status in STATUS_WORDS:
        words.append(fighter.status)
    return ", ".join(word for word in words if word)


def _figures(sequence: StepSequence) -> tuple[RosterFigure, ...]:
    """Return the warband's worth, money and limits before the sequence and now. One query."""
    post_battle, labels = sequence.post_battle, sequence.game.labels(sequence.content)
    warband = post_battle.warband
    spends = has_shop(warband.terms)
    before = _rating_before(post_battle, labels)
    now = worth_words(warband.terms, warband.rating_ducats, warband.rating_glory)
    if not spends:  # use the sheet's wording, so that both columns read alike
        sheet = sequence.game.documents.sheet(sequence.content, sequence.force)
        now = next((value for label, value in sheet.figures if label == labels["rating"]), now)
    rating = [RosterFigure(labels["rating"], before, now)] if before or now else []
    if not spends:
        fighters = RosterFigure(capfirst(labels["fighters"]), _mustered_count(post_battle), str(warband.fighter_count))
        return (*rating, fighters)
    return (*rating, *_money_figures(post_battle, labels), *_limit_figures(sequence, labels))


def _money_figures(post_battle: PostBattle, labels: Mapping[str, str]) -> tuple[RosterFigure, ...]:
    warband = post_battle.warband
    moved = LedgerEntry.objects.filter(warband=warband, event__at__gte=post_battle.started_at).aggregate(
        ducats=Sum("ducats"), glory=Sum("glory")
    )
    ducats, glory = warband.strongbox_ducats, warband.strongbox_glory
    return (
        RosterFigure(labels["strongbox"], f"{figure(ducats - (moved['ducats'] or 0))} d", f"{figure(ducats)} d"),
        RosterFigure(labels["glory"], f"{figure(glory - (moved['glory'] or 0))} g", f"{figure(glory)} g"),
    )


def _limit_figures(sequence: StepSequence, labels: Mapping[str, str]) -> tuple[RosterFigure, ...]:
    number = sequence.aftermath.number
    before = sequence.game.limits(sequence.content, sequence.force, number)
    after = sequence.game.limits(sequence.content, sequence.force, number + 1)
    if before.threshold is None:
        return ()
    return (
        RosterFigure(f"Next battle, number {number + 1}", f"{before.threshold} d", f"{after.threshold} d"),
        RosterFigure(labels["field_strength"], str(before.field_strength), str(after.field_strength)),
    )


def _closing(sequence: StepSequence, step_id: str) -> tuple[str, ...]:
    """Describe what else closing the sequence will do."""
    lines: list[str] = []
    for task in sequence.waiting(step_id):
        try:
            outcome = sequence.progress(task).outcome
        except Refusal as refusal:
            lines.append(str(refusal))
            continue
        lines += outcome.will_do if outcome is not None else ()
    return tuple(lines)


def _rating_before(post_battle: PostBattle, labels: Mapping[str, str]) -> str:
    """Return the rating at muster, a figure of the snapshot's sheet; "" without one."""
    snapshot = post_battle.side.snapshot
    figures = snapshot.sheet.get("figures", ()) if snapshot is not None else ()
    return next((str(value) for label, value in figures if label == labels.get("rating")), "")


def _mustered_count(post_battle: PostBattle) -> str:
    """Return the number of active fighters on the roster at muster, "" without a snapshot."""
    snapshot = post_battle.side.snapshot
    if snapshot is None:
        return ""
    return str(sum(1 for row in snapshot.sheet.get("fighters", ()) if row.get("status") == "active"))


def _came_of_it(post_battle: PostBattle) -> tuple[str, ...]:
    """Return the outcomes written in this sequence, in order. One query."""
    written = post_battle.record.get("written", {})
    events = Event.objects.filter(pk__in=written.values()).order_by("pk")
    return tuple(outcome_words(event) for event in events)
