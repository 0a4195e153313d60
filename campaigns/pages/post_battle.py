"""The pages of one side's post-battle sequence, one per step. Each shows its dice, its decisions, and what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Sum
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaigns.models import PostBattle
from campaigns.pages.step_links import Door, captives, captives_words, doors, kits
from campaigns.pages.tasks import TaskView, outcome_words, task_views
from campaigns.scenarios import scenario_name
from campaigns.sequence import StepSequence, StepStanding
from rules.force import FighterView, ForceFighter
from rules.formatting import profile_beside
from rules.parts.post_battle import BattleSide
from rules.price import Price
from rules.problems import Refusal
from warbands.labels import has_shop, word, worth_words
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
class StepAct:
    """The one next act of a step. The bar carries it.

    `kind`: "roll" (all dice of the step), "confirm" (the form with the id `form`), "show" (a link to what is open),
    "next" (finish the step), "go" (a link to the next step), "finish", "reopen", or "" for none.
    """

    kind: str
    words: str = ""
    form: str = ""
    href: str = ""
    alone: bool = False  # the dice of one task: they need no second button beside it


@dataclass(frozen=True, slots=True)
class StepPage:
    title: str
    warband: str
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
    act: StepAct
    previous: Link | None
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
        act=_act(post_battle, sequence, position, views),
        previous=_step_link(post_battle, position.previous),
        blocked_words=_blocked_words(position),
        doors=doors(row.step, warband),
        kits=kits(row.step, sequence),
        captives_words=captives_words(sequence),
        captives=captives(post_battle) if position.index == 0 or row.step.kind != "tasks" else (),
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
        all_saved=_("finished") if closed else _("all saved"),
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


def _act(post_battle: PostBattle, sequence: StepSequence, position: _Position, views: tuple[TaskView, ...]) -> StepAct:
    """Return the next act of a step: what is open in it first, then the way onward."""
    row = position.row
    if post_battle.closed_at is not None:
        return StepAct("reopen", _("Reopen"))
    if row.step.kind == "close":
        return StepAct("finish", _("Finish")) if row.state == "open" else StepAct("")
    if row.state == "waiting":
        first = next((each for each in position.standings[: position.index] if each.state == "open"), None)
        if first is None:
            return StepAct("")
        label = _("Go to {step}").format(step=first.step.label)
        return StepAct("go", label, href=step_address(post_battle, first.step.id))
    if open_act := _open_act(views):
        return open_act
    if row.state == "open":
        ahead = _ahead(sequence, position)
        return StepAct("next", _("Next: {step}").format(step=ahead.step.label) if ahead is not None else _("Next"))
    if position.next is None:
        return StepAct("")
    label = _("Next: {step}").format(step=position.next.step.label)
    return StepAct("go", label, href=step_address(post_battle, position.next.step.id))


def _first_open(views: tuple[TaskView, ...]) -> TaskView | None:
    """Return the first required task that is open; one that waits for another only if there is no other."""
    required = [view for view in views if not view.optional and view.state != "written"]
    return next((view for view in required if view.state != "blocked"), next(iter(required), None))


def _open_act(views: tuple[TaskView, ...]) -> StepAct | None:
    """Return the act for the first required task that is open, None if there is none."""
    first = _first_open(views)
    if first is None:
        return None
    if first.panel is not None and first.panel.allow_app:
        dice = sum(1 for view in views if view.state == "roll" and not view.optional)
        words = ngettext("Roll for me", "Roll all {number} for me", dice).format(number=dice)
        return StepAct("roll", words, alone=dice == 1)
    if first.choice is not None and not first.choice.at_once:
        return StepAct("confirm", _("Confirm"), form=first.form_id)
    if first.state == "ready" and not first.grave:
        return StepAct("confirm", first.confirm_label, form=first.form_id)
    words = {
        "roll": _("Your dice: {task}"),
        "choose": _("Decide: {task}"),
        "ready": _("To confirm: {task}"),
    }.get(first.state, _("Still open: {task}"))
    return StepAct("show", words.format(task=first.title), href=f"#{first.id}")


def _ahead(sequence: StepSequence, position: _Position) -> StepStanding | None:
    """Return the next step that has something to do. Finishing this one finishes those in between too."""
    ahead = position.standings[position.index + 1 :]
    for row in ahead:
        if row.state == "skipped":
            continue
        if row.step.kind != "tasks" or row.step.doors or sequence.tasks(row.step.id):
            return row
    return None


def _blocked_words(position: _Position) -> str:
    """Return why a step cannot start yet: the open step before it, and what that step waits for."""
    if position.row.state != "waiting":
        return ""
    for row in position.standings[: position.index]:
        if row.state == "open":
            words = _("{step} comes first.").format(step=row.step.label)
            waits = [title for title in row.waits if title != row.step.label]
            return words + (" " + _("Still open: {tasks}.").format(tasks=", ".join(waits)) if waits else "")
    return ""


def _for_words(post_battle: PostBattle, user: Any) -> str:
    """Return whom the user acts for, "" if the warband is their own."""
    seat = post_battle.side.seat
    if not seat or user.pk in (seat.user_id, post_battle.warband.owner_id):
        return ""
    return _("You act for {name}.").format(name=seat.name)


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


def _money_words(warband: Warband) -> str:
    if not has_shop(warband.terms):
        return ""
    return money(Price(ducats=warband.strongbox_ducats, glory=warband.strongbox_glory))


def _rating_words(sequence: StepSequence) -> str:
    limits = sequence.game.limits(sequence.content, sequence.force)
    rating = sequence.post_battle.warband.rating_ducats
    terms = sequence.post_battle.warband.terms
    if limits.threshold is not None:
        worth = word(terms, "worth", "d")
        return _("{rating} of {most} {unit}").format(rating=rating, most=limits.threshold, unit=worth)
    return worth_words(terms, rating)


def _fighters_words(sequence: StepSequence) -> str:
    limits = sequence.game.limits(sequence.content, sequence.force)
    count = sequence.game.headcount(sequence.content, sequence.force)
    if limits.field_strength is None:
        return str(count)
    return _("{count} of {most}").format(count=count, most=limits.field_strength)


PRESENT = ("active", "captive")
STATUS_WORDS = {
    "captive": gettext_lazy("captive"),
    "dead": gettext_lazy("dead"),
    "retired": gettext_lazy("retired"),
    "dismissed": gettext_lazy("dismissed"),
    "sold": gettext_lazy("sold"),
    "left": gettext_lazy("left"),
}


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
        words.append(_("was out"))
    if any(doer == fighter.key for _, doer in mine.deeds):
        words.append(_("a deed"))
    if view is not None and view.elite and present:
        words.append(_("experience {number}").format(number=fighter.experience))
    if fighter.misses_battle and present:
        words.append(_("misses battle {number}").format(number=fighter.misses_battle))
    if fighter.status in STATUS_WORDS:
        words.append(str(STATUS_WORDS[fighter.status]))
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
        RosterFigure(
            _("Limit in battle {number}").format(number=number + 1), f"{before.threshold} d", f"{after.threshold} d"
        ),
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
