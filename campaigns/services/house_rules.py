"""The services for house rules of a campaign: set them from now on, from a day or from a battle; preview them; take them back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from campaigns.models import AHEAD, Campaign, Seat, Side
from campaigns.services.fielding import attacking, fielded
from campaigns.services.open import checked_terms
from rules.content.extra import remembered
from rules.force import Battles, Force
from rules.formatting import joined
from rules.problems import Problem, Refusal
from warbands.adapters import forces_of
from warbands.labels import house_target_name
from warbands.models import Change, Event, Terms, Warband
from warbands.models.terms import holds, laid_over
from warbands.recorder import Recorder
from warbands.recording import recording

LAST_BATTLE = 99
OF_TERMS = ("house-rules", "state", "own-state")  # acts that change what the terms say
APART = ("readings", "kept")  # readings are compared separately; remembered entries follow from the rest


def change_house_rules(
    *,
    campaign: Campaign,
    actor: Any,
    house_rules: Mapping[str, Any],
    day: date | None = None,
    battle: int = 0,
    token: str = "",
) -> Terms:
    """Set new house rules: from now on, from a day, or for each warband from its battle of this number.

    Every warband under these terms is checked again. Prices already paid do not change, and snapshots keep the rules
    under which they were taken. A change from now on drops scheduled changes of the same settings. Raises Refusal for
    an invalid rule, a day that is not in the future, or a change that has no effect or is already set.
    """
    __, wanted = checked_terms(
        campaign.terms.system, campaign.terms.edition, _stated(house_rules), campaign.terms.overlays
    )
    with recording(
        campaign, campaign.terms, *_judged(campaign), kind="house-rules", actor=actor, for_name="", token=token
    ) as act:
        terms = act.row(campaign.terms)
        change = difference(terms.in_force, wanted)
        version = terms.version + 1
        words = _checked_when(day, battle) if day is not None or battle else ""
        if not (change["rules"] or change["readings"]):
            raise Refusal(_("These house rules are set already."), mend=_("Change something first."), code="no-change")
        if words:
            when = {"day": day.isoformat()} if day is not None else {"battle": battle}
            if any({**each, "version": version} == {"version": version, **when, **change} for each in terms.coming):
                raise Refusal(
                    _("These house rules are planned already ({words}).").format(words=words), code="no-change"
                )
            act.change(terms, coming=[*terms.coming, {"version": version, **when, **change}], version=version)
            act.say(
                _("{{who}} set the house rules of {campaign}, version {version}, to apply {words}.").format(
                    campaign=campaign.name, version=version, words=words
                )
            )
            return terms
        later = [left for each in still_to_come(terms) if (left := _without(each, change))]
        wanted = laid_over(terms.in_force, change)
        for each in still_to_come(terms):
            wanted = _remembering(wanted, each, change)
        act.change(terms, house_rules=wanted, coming=later, version=version)
        act.say(
            _("{{who}} set the house rules of {campaign}, version {version}.").format(
                campaign=campaign.name, version=version
            )
        )
    return terms


def drop_coming_rules(*, campaign: Campaign, actor: Any, version: int, token: str = "") -> Terms:
    """Take back a change of the house rules that takes effect later or from a certain battle. Raises Refusal if there is none."""
    with recording(
        campaign, campaign.terms, *_judged(campaign), kind="house-rules", actor=actor, for_name="", token=token
    ) as act:
        terms = act.row(campaign.terms)
        found = next((each for each in still_to_come(terms) if each["version"] == version), None)
        if found is None:
            raise Refusal(_("This change applies already, or was cancelled."), code="gone")
        rest = [each for each in terms.coming if each["version"] != version]
        rules = _remembering(terms.house_rules, found, found)
        act.change(terms, house_rules=rules, coming=rest, version=terms.version + 1)
        act.say(
            _("{{who}} cancelled the house rules of {campaign} that were planned {when_words}.").format(
                campaign=campaign.name, when_words=when_words(found)
            )
        )
    return terms


def settle_due_rules(today: date | None = None) -> list[Campaign]:
    """Apply scheduled changes whose day has come, and check their warbands again. Runs daily; the changes are in force even without it."""
    today = today or timezone.localdate()
    settled = []
    for campaign in Campaign.objects.live().exclude(terms__coming=[]).select_related("terms"):
        if any(_day_came(each, today) for each in campaign.terms.coming):
            with recording(campaign, campaign.terms, *_judged(campaign), kind="house-rules", actor=None) as act:
                _settle(act, campaign, today)
            settled.append(campaign)
    return settled


def _settle(act: Recorder, campaign: Campaign, today: date) -> None:
    terms = act.row(campaign.terms)
    rules = terms.house_rules
    for each in terms.coming:
        if _day_came(each, today):
            rules = laid_over(rules, each)
    act.change(terms, house_rules=rules, coming=[each for each in terms.coming if not _day_came(each, today)])
    act.say(_("The house rules of {campaign} changed, as planned.").format(campaign=campaign.name))


# --- preview ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ForeseenForce:
    """The effect of other house rules on a ready or drafted force for an upcoming battle."""

    side: Side
    now: tuple[Problem, ...]
    then: tuple[Problem, ...]

    @property
    def new(self) -> tuple[Problem, ...]:
        """Return the problems that the force does not have now."""
        return _added(self.now, self.then)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The effect of other house rules on one warband: its problems now and its problems then.

    `forces` holds the forces of its upcoming battles. `whole` holds new problems of fielding the whole roster. They
    are not problems of the roster, which may be larger than the force for one battle.
    """

    warband: Warband
    now: tuple[Problem, ...]
    then: tuple[Problem, ...]
    forces: tuple[ForeseenForce, ...] = ()
    whole: tuple[Problem, ...] = ()

    @property
    def new(self) -> tuple[Problem, ...]:
        """Return the problems that the warband does not have now."""
        return _added(self.now, self.then)


def preview_house_rules(
    campaign: Campaign, house_rules: Mapping[str, Any], *, day: date | None = None, battle: int = 0
) -> list[Foreseen]:
    """Return the effect of other house rules on each warband, without saving anything. Four queries.

    The arguments are those of `change_house_rules`. Rosters are checked as they are now. Forces of upcoming battles
    are checked as they were chosen, if the change applies to them: a battle planned for an earlier day, or with a
    lower number, is unaffected. Raises Refusal for an invalid rule or a day that is not in the future.
    """
    terms = campaign.terms
    _, wanted = checked_terms(terms.system, terms.edition, _stated(house_rules), terms.overlays)
    if day is not None or battle:
        _checked_when(day, battle)
    today = timezone.localdate()
    change = difference(terms.in_force, wanted)

    def later(number: int) -> Any:
        rules = laid_over(terms.rules_at(day or today, number), change)
        return terms.content_under(rules)

    seats = campaign.seats.live().exclude(status=Seat.Status.LEFT).select_related("warband__terms")
    warbands = [seat.warband for seat in seats if seat.warband is not None]
    forces = forces_of(warbands)
    ahead: dict[int | None, list[Side]] = {}
    met: dict[int, list[Side]] = {}
    for side in (
        Side.objects.live()
        .filter(warband__in=forces, battle__campaign=campaign, battle__status__in=AHEAD, battle__is_undone=False)
        .select_related("battle__campaign__terms", "seat", "warband__terms")
        .order_by("battle__planned_for", "battle_id")
    ):
        ahead.setdefault(side.warband_id, []).append(side)
        met.setdefault(side.battle_id, []).append(side)
    counts = {fighter.key: fighter.count for force in forces.values() for fighter in force.fighters}

    def facing(side: Side) -> int | None:
        going = attacking(met[side.battle_id])
        return None if going is None else sum(counts.get(str(key), 0) for key in going)

    rows = []
    for warband in warbands:
        force, game = forces[warband.pk], terms.game
        number = max(battle, force.battles.next_number)
        then = game.check(later(number), force).problems
        rows.append(
            Foreseen(
                warband,
                tuple(game.check(warband.terms.content, force).problems),
                tuple(then),
                tuple(
                    _force_foreseen(side, force, later, partial(facing, side))
                    for side in ahead.get(warband.pk, ())
                    if _touches(side, force, day, battle)
                ),
                _whole(warband, force, number, later(number), then),
            )
        )
    return rows


def _force_foreseen(
    side: Side, force: Force, later: Callable[[int], Any], facing: Callable[[], int | None]
) -> ForeseenForce:
    now, then = (
        fielded(side.battle, side, force, content=content, facing=facing).problems
        for content in (None, later(_number(side, force)))
    )
    return ForeseenForce(side, now, then)


def _touches(side: Side, force: Force, day: date | None, battle: int) -> bool:
    """Return whether a change from this day or battle on applies to this side's battle. It also applies to a battle without a day."""
    if day is not None:
        return side.battle.planned_for is None or side.battle.planned_for >= day
    return _number(side, force) >= battle


def _number(side: Side, force: Force) -> int:
    return side.number or force.battles.next_number


def _whole(warband: Warband, force: Force, number: int, later: Any, roster: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems of fielding all fighters in the battle of this number, except the roster's own problems."""
    if warband.is_founding:
        return ()
    credited = number - 1 - force.battles.fought
    force = replace(force, battles=Battles(fought=force.battles.fought, credited=credited))
    game = warband.terms.game
    now, then = (game.check(content, force, scope="fielding").problems for content in (warband.terms.content, later))
    return _added((*now, *roster), then)


def _added(now: Iterable[Problem], then: Iterable[Problem]) -> tuple[Problem, ...]:
    known = {_mark(problem) for problem in now}
    return tuple(problem for problem in then if _mark(problem) not in known)


def _mark(problem: Problem) -> tuple[str, ...]:
    return problem.code, problem.message, problem.fighter_key, problem.item_key


def refuse_lost_entries(events: Sequence[Event]) -> dict[int, Refusal]:
    """Return, by event id, the refusals for changes whose undo would remove entries that warbands own. At most five queries."""
    mine = [event.pk for event in events if event.kind in OF_TERMS]
    if not mine:
        return {}
    changes: dict[int, list[Change]] = {}
    for change in Change.objects.filter(event__in=mine, label=Terms._meta.label).order_by("-pk"):
        changes.setdefault(change.event_id, []).append(change)
    rows = Terms.objects.in_bulk({change.row_id for of_event in changes.values() for change in of_event})
    warbands = list(Warband.objects.live().filter(terms__in=rows).select_related("terms"))
    forces = forces_of(warbands)
    found = {}
    for pk, of_event in changes.items():
        before = copy(rows[of_event[0].row_id])
        before.house_rules, before.coming = deepcopy(before.house_rules), deepcopy(before.coming)
        for change in of_event:
            walk_back(before, change)
        for warband in warbands:
            if warband.terms_id == before.pk and (refusal := _refuse_lost(before, warband, forces[warband.pk])):
                found[pk] = refusal
    return found


def _refuse_lost(before: Terms, warband: Warband, force: Force) -> Refusal | None:
    """Return the refusal if a warband owns entries that the earlier terms do not know, None if the terms may be restored."""
    rules = before.rules_at(timezone.localdate(), force.battles.next_number)
    lost = before.game.state.unknown(before.content_under(rules), force)
    if not lost:
        return None
    names = joined(house_target_name(warband.terms, each) for each in lost)
    return Refusal(
        _("{warband} holds {names}, which would no longer exist.").format(warband=warband.name, names=names),
        mend=_("Remove the entry from the house rules instead. Existing items stay."),
        code="held",
    )


def walk_back(terms: Terms, change: Change) -> None:
    """Undo one recorded change of house rules on a copy of the terms."""
    if change.field not in ("house_rules", "coming", "overlays", "edition"):
        return
    if not change.path:
        setattr(terms, change.field, change.before)
        return
    *way, last = change.path.split("/")
    data = getattr(terms, change.field)
    for key in way:
        data = data.setdefault(key, {})
    if change.before is None:
        data.pop(last, None)
    else:
        data[last] = change.before


# --- changes as data -----------------------------------------------------------------------------------------------------------


def still_to_come(terms: Terms) -> list[dict[str, Any]]:
    """Return the changes that are not yet in force for everybody: those of a later day, and those from a battle on."""
    today = timezone.localdate()
    return [each for each in terms.coming if not _day_came(each, today)]


def when_words(change: Mapping[str, Any]) -> str:
    """Return when a scheduled change takes effect: "from 1 December on", "for each warband from its battle 4 on"."""
    if change.get("day"):
        return _("from {date_format} on").format(date_format=date_format(date.fromisoformat(change["day"]), "j F Y"))
    return _("for each warband from its battle {change} on").format(change=change["battle"])


def difference(now: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the changes that turn these house rules into the wanted ones: settings to set, and None for those to reset to the book."""

    def parted(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
        keys = [*one, *(key for key in other if key not in one)]
        return {key: other.get(key) for key in keys if key not in APART and one.get(key) != other.get(key)}

    return {
        "rules": parted(now, wanted),
        "readings": parted(now.get("readings") or {}, wanted.get("readings") or {}),
    }


def _stated(house_rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return house rules without the entries that are only remembered."""
    return {key: value for key, value in house_rules.items() if key != "kept"}


def _remembering(rules: Mapping[str, Any], dropped: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Return house rules that remember the entries of a dropped change, because it may already be in force for a warband."""
    brought = {key: value for key, value in dropped["rules"].items() if key in change["rules"] and value}
    kept = remembered({**brought, "kept": rules.get("kept") or {}}, rules) if dropped.get("battle") else {}
    return {**rules, "kept": kept} if kept else dict(rules)


def _without(coming: Mapping[str, Any], change: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return a scheduled change without the settings that this change decides; {} if nothing is left."""
    left = {part: {k: v for k, v in coming[part].items() if k not in change[part]} for part in ("rules", "readings")}
    return {**coming, **left} if any(left.values()) else {}


def _day_came(change: Mapping[str, Any], today: date) -> bool:
    return bool(change.get("day")) and holds(change, today, 0)


def _checked_when(day: date | None, battle: int) -> str:
    if day is not None and day <= timezone.localdate():
        raise Refusal(
            _("A planned change starts tomorrow at the earliest."),
            mend=_("Choose a later day, or apply the change today."),
            code="day",
        )
    if day is None and not 0 < battle <= LAST_BATTLE:
        raise Refusal(
            _("A battle has a number from 1 to {LAST_BATTLE}.").format(LAST_BATTLE=LAST_BATTLE), code="battle"
        )
    return when_words({"day": day.isoformat()} if day is not None else {"battle": battle})


def _judged(campaign: Campaign) -> list[Warband]:
    return list(Warband.objects.live().filter(terms=campaign.terms))
