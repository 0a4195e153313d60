"""The page that suggests a round: its tables with the reasons, who is left out, and the weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaigns.models import Campaign, Round, Seat
from campaigns.pages.matters import NOT_FOUGHT
from campaigns.pages.pairing_words import questions, reason_words
from campaigns.pairing.model import Suggestion, TableOfPlayers, Wanted
from campaigns.pairing.suggest import judged, suggest
from campaigns.pairing_facts import PairingFacts, read_facts
from campaigns.pairing_state import PairingState, keys_text
from warbands.labels import has_shop
from warbands.pages.widgets import Link
from warbands.parsing import read_number


@dataclass(frozen=True, slots=True)
class PairedName:
    key: int
    name: str
    warband: str
    note: str
    is_picked: bool


@dataclass(frozen=True, slots=True)
class PairingRow:
    number: int
    text: str  # the keys, as the form sends them
    names: tuple[PairedName, ...]
    words: str
    scenario: str
    is_locked: bool
    is_bye: bool
    is_again: bool
    weight: int


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    key: int
    name: str
    why: str
    may_play: bool


@dataclass(frozen=True, slots=True)
class WeightField:
    name: str
    label: str
    value: int


@dataclass(frozen=True, slots=True)
class PairingPage:
    """`sends` are the fields of the round as it stands, for every form; `publishes` those of the form that publishes it."""

    here: str
    campaign: Link
    title: str
    summary: str
    rows: tuple[PairingRow, ...]
    left_out: tuple[LeftOutRow, ...]
    picked: str
    picked_key: int
    sends: tuple[tuple[str, str], ...]
    publishes: tuple[tuple[str, str], ...]
    odd: str
    odds: tuple[tuple[str, str], ...]
    weights: tuple[WeightField, ...]
    sets_scenarios: bool
    has_scenarios: bool
    rounds: tuple[tuple[str, str], ...]
    round: str
    is_new: bool
    starts_on: str
    ends_on: str
    publish_label: str
    questions: tuple[str, ...]
    challenges_href: str
    calendar_href: str
    players_href: str


@dataclass(frozen=True, slots=True)
class PairedRound:
    """A round as it would be published: its tables of seats, the scenario of each by place, and the questions first."""

    round: Round | None
    tables: tuple[tuple[Seat, ...], ...]
    scenario_ids: Mapping[int, str]
    questions: tuple[str, ...]


ODD_LABELS = (
    ("bye", gettext_lazy("a bye")),
    ("three", gettext_lazy("one table of three")),
    ("threes", gettext_lazy("tables of three for all")),
)
WEIGHT_LABELS = {
    "battles": gettext_lazy("Each battle more or fewer"),
    "score": gettext_lazy("Each point apart"),
    "rating": gettext_lazy("Each 100 ducats apart"),
    "recent": gettext_lazy("Met in the last battle (× 10)"),
    "scenario": gettext_lazy("No scenario new to both"),
}


def _weight_label(campaign: Campaign, key: str) -> str:
    if key == "rating" and not has_shop(campaign.terms):
        return _("Each 100 of value apart")
    return str(WEIGHT_LABELS[key])


def pairing_page(campaign: Campaign, state: PairingState) -> PairingPage:
    """Build the page. Nine queries, one more where players wait for others to catch up."""
    open_rounds = _open_rounds(campaign)
    found = _round_of(state, open_rounds)
    starts_on, ends_on = _dates(campaign, found, open_rounds)
    facts = _facts(campaign, state, found, starts_on, ends_on)
    named = _scenarios(campaign)
    suggestion = _suggestion(state, facts, tuple(named))
    number = found.number if found is not None else _next_number(open_rounds)
    state = replace(state, tables=tuple(table.players for table in suggestion.tables))
    picked = facts.seats.get(state.picked)
    return PairingPage(
        here=reverse("round-pair", args=[campaign.pk]),
        campaign=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        title=_("Pair round {number}").format(number=number),
        summary=_summary(suggestion),
        rows=tuple(_row(place, table, facts, state, named) for place, table in enumerate(suggestion.tables, 1)),
        left_out=tuple(LeftOutRow(each.seat.pk, each.seat.name, each.why, each.may_play) for each in facts.left_out),
        picked=picked.name if picked is not None else "",
        picked_key=picked.pk if picked is not None else 0,
        sends=tuple(state.fields),
        publishes=tuple(_publishing(state, found)),
        odd=state.odd,
        odds=tuple((key, str(label)) for key, label in ODD_LABELS),
        weights=tuple(
            WeightField(key, _weight_label(campaign, key), getattr(state.weights, key)) for key in WEIGHT_LABELS
        ),
        sets_scenarios=state.sets_scenarios,
        has_scenarios=bool(named),
        rounds=tuple(_round_choices(open_rounds)),
        round=str(found.number) if found is not None else "new",
        is_new=found is None,
        starts_on=starts_on.isoformat() if starts_on else "",
        ends_on=ends_on.isoformat() if ends_on else "",
        publish_label=_("Publish round {number}").format(number=number),
        questions=tuple(questions(suggestion, facts.players, facts.away)),
        challenges_href=reverse("challenge-list", args=[campaign.pk]),
        calendar_href=reverse("campaign-calendar", args=[campaign.pk]),
        players_href=reverse("player-list", args=[campaign.pk]),
    )


def paired_round(
    campaign: Campaign, state: PairingState, starts_on: date | None = None, ends_on: date | None = None
) -> PairedRound:
    """Return the round that a form publishes. The queries of `pairing_page`."""
    found = _round_of(state, _open_rounds(campaign))
    if found is not None:
        starts_on, ends_on = found.starts_on, found.ends_on
    facts = _facts(campaign, state, found, starts_on, ends_on)
    tables = state.tables
    players = {player.key for player in facts.players}
    # A seat that cannot be paired any more stays in its table, so that the service refuses it by name.
    seated = [tuple(facts.seats[key] for key in table if key in facts.seats) for table in tables]
    known = judged(
        [[key for key in table if key in players] for table in tables],
        facts.players,
        Wanted(weights=state.weights, scenarios=tuple(_scenarios(campaign))),
    )
    chosen = {frozenset(table.players): table.scenario for table in known.tables}
    full = tuple(table for table in seated if table)
    scenario_ids = {
        place: scenario
        for place, table in enumerate(full)
        if state.sets_scenarios and (scenario := chosen.get(frozenset(seat.pk for seat in table), ""))
    }
    away = {each.seat.pk for each in facts.left_out if each.is_away} | facts.away
    asked = questions(known, facts.players, facts.away)
    named = {seat.pk: seat.name for table in full for seat in table}
    asked += [
        _("{name} is away. Pair them all the same?").format(name=named[key])
        for key in away - facts.away
        if key in named
    ]
    return PairedRound(found, full, scenario_ids, tuple(asked))


def _open_rounds(campaign: Campaign) -> list[Round]:
    """Return all rounds, newest first. Those before an open one are needed for its number and length. One query."""
    return list(Round.objects.live().filter(campaign=campaign).order_by("-number"))


def _round_of(state: PairingState, rounds: list[Round]) -> Round | None:
    """Return the open round to pair: the one asked for, else the newest if it has no battles yet. None for a new one."""
    open_rounds = [each for each in rounds if not each.is_closed]
    if state.round == "new":
        return None
    wanted = read_number(state.round)
    if wanted is not None:
        return next((each for each in open_rounds if each.number == wanted), None)
    newest = open_rounds[0] if open_rounds and open_rounds[0] == rounds[0] else None
    if newest is None or newest.battles.live().exclude(status__in=NOT_FOUGHT).exists():
        return None
    return newest


def _next_number(rounds: list[Round]) -> int:
    return rounds[0].number + 1 if rounds else 1


def _dates(campaign: Campaign, found: Round | None, rounds: list[Round]) -> tuple[date | None, date | None]:
    """Return the days of the round: its own, or for a new one those after the last round, as long as that was."""
    if found is not None:
        return found.starts_on, found.ends_on
    today = timezone.localdate()
    last = rounds[0] if rounds else None
    if last is None or last.ends_on is None or last.starts_on is None:
        return today, None
    starts_on = max(today, last.ends_on + timedelta(days=1))
    return starts_on, starts_on + (last.ends_on - last.starts_on)


def _facts(
    campaign: Campaign, state: PairingState, found: Round | None, starts_on: date | None, ends_on: date | None
) -> PairingFacts:
    return read_facts(
        campaign, round=found, starts_on=starts_on, ends_on=ends_on, out=state.out, taken_in=state.taken_in
    )


def _scenarios(campaign: Campaign) -> dict[str, str]:
    terms = campaign.terms
    return {each.id: each.name for each in terms.game.battle.scenarios(terms.content)}


def _suggestion(state: PairingState, facts: PairingFacts, scenarios: tuple[str, ...]) -> Suggestion:
    players = {player.key for player in facts.players}
    locked = tuple(table for table in state.locked if set(table) <= players)
    wanted = Wanted(locked, facts.challenges, state.odd, state.weights, scenarios)
    seated = [key for table in state.tables for key in table]
    if sorted(seated) == sorted(players):
        return judged(state.tables, facts.players, wanted)
    return suggest(facts.players, wanted)


def _row(
    place: int, table: TableOfPlayers, facts: PairingFacts, state: PairingState, scenarios: Mapping[str, str]
) -> PairingRow:
    seats = [facts.seats[key] for key in table.players]
    words = [reason_words(each, scenarios) for each in table.reasons if each.kind != "scenario" or state.sets_scenarios]
    sentence = "; ".join(words)
    return PairingRow(
        number=place,
        text=keys_text(table.players),
        names=tuple(
            PairedName(
                seat.pk,
                seat.name,
                seat.warband.name if seat.warband is not None and seat.warband.name != seat.name else "",
                facts.notes.get(seat.pk, ""),
                seat.pk == state.picked,
            )
            for seat in seats
        ),
        words=sentence[:1].upper() + sentence[1:],
        scenario=scenarios.get(table.scenario, "") if state.sets_scenarios else "",
        is_locked=table.locked,
        is_bye=table.is_bye,
        is_again=any(each.kind == "rematch" for each in table.reasons),
        weight=table.weight,
    )


def _summary(suggestion: Suggestion) -> str:
    battles = sum(1 for table in suggestion.tables if not table.is_bye)
    byes = len(suggestion.tables) - battles
    words = [ngettext("{count} battle", "{count} battles", battles).format(count=battles)]
    if byes:
        words.append(ngettext("{count} bye", "{count} byes", byes).format(count=byes))
    if not suggestion.tables:
        return ""
    again = suggestion.rematches
    words.append(
        ngettext("{count} rematch", "{count} rematches", again).format(count=again) if again else _("no rematch")
    )
    return ", ".join(words)


def _publishing(state: PairingState, found: Round | None) -> list[tuple[str, str]]:
    kept = [(name, value) for name, value in state.fields if name != "picked"]
    if state.sets_scenarios:
        kept.append(("scenarios", "1"))
    return [*kept, ("round", str(found.number) if found is not None else "new")]


def _round_choices(rounds: list[Round]) -> list[tuple[str, str]]:
    found = [("new", _("New round {number}").format(number=_next_number(rounds)))]
    return found + [
        (str(each.number), _("Round {number}, who has no battle yet").format(number=each.number))
        for each in rounds
        if not each.is_closed
    ]
