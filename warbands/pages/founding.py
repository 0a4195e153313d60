"""The pages that found a warband in three short steps. Each step holds its state in the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse

from rules.game import Game, GameContent
from rules.parts.choice import ChoiceAsked
from rules.parts.founding import ListChoice
from rules.price import Price
from rules.registry import PACKAGES, system, systems
from warbands.labels import edition_name
from warbands.models import Warband
from warbands.pages.addresses import with_query
from warbands.pages.formatting import money

MODE_WORDS = {
    Warband.Mode.CAMPAIGN: ("Campaign", "It earns, learns and bleeds from battle to battle."),
    Warband.Mode.ONE_OFF: ("One-off battles", "Built for an evening; nothing is carried on."),
}


@dataclass(frozen=True, slots=True)
class GameOption:
    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ModeOption:
    value: str
    name: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class SampleOption:
    id: str
    name: str
    words: str
    list_words: str
    game: str
    edition: str
    third_party: bool = False


@dataclass(frozen=True, slots=True)
class SampleGroup:
    key: str
    words: str
    samples: tuple[SampleOption, ...]


@dataclass(frozen=True, slots=True)
class ListOption:
    id: str
    name: str
    temper: str
    changes: tuple[str, ...]
    changes_words: str
    start_words: str
    closed: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class FactionOption:
    name: str
    temper: str
    href: str
    chosen: bool
    count: int


@dataclass(frozen=True, slots=True)
class FoundPage:
    """One step of the founding. `state` holds the choices so far, as hidden fields of the next form."""

    step: int
    title: str
    here: str
    address: str
    back_href: str
    back_label: str
    state: tuple[tuple[str, str], ...]
    summary: str
    games: tuple[GameOption, ...] = ()
    modes: tuple[ModeOption, ...] = ()
    samples: tuple[tuple[str, tuple[SampleGroup, ...]], ...] = ()  # by game and edition
    factions: tuple[FactionOption, ...] = ()
    faction: FactionOption | None = None
    lists: tuple[ListOption, ...] = ()
    chosen: ListChoice | None = None
    steps: int = 3
    form: str = "warbands/parts/found_game.html"
    start_words: str = ""
    asks: tuple[ChoiceAsked, ...] = ()
    patrons: tuple[tuple[str, str], ...] = ()
    mode: str = ""
    game: str = ""
    edition: str = ""
    house_rules: Mapping[str, Any] = field(default_factory=dict)
    asks_third_party: bool = False  # whether there are third-party lists that could be allowed
    called: str = "warband"  # the game's word for a warband, within a sentence
    let_in_href: str = ""  # the same step with third-party lists allowed, "" if no list is closed


THIRD_PARTY = "third_party"


def house_rules_of(state: Mapping[str, str]) -> dict[str, Any]:
    return {THIRD_PARTY: True} if state.get(THIRD_PARTY) else {}


def read_state(query: Mapping[str, str]) -> dict[str, str]:
    """Return the choices that the address holds, without unknown values.

    `game` is "game/edition". A list fixes its faction, so a link with a list alone opens the last step.
    """
    state: dict[str, str] = {}
    game, _, edition = query.get("game", "").partition("/")
    if game not in PACKAGES or edition not in system(game).editions():
        return state
    state["game"] = f"{game}/{edition}"
    state["mode"] = (
        query.get("mode", "") if query.get("mode", "") in Warband.Mode.values else str(Warband.Mode.CAMPAIGN)
    )
    if query.get(THIRD_PARTY):
        state[THIRD_PARTY] = "yes"
    content = system(game).content(edition, house_rules=house_rules_of(state))
    choices = {choice.id: choice for choice in system(game).founding.lists(content)}
    chosen = choices.get(query.get("list", ""))
    if chosen is not None and not chosen.closed:
        state["list"] = chosen.id
    faction = query.get("faction", "")
    if chosen is not None:
        faction = chosen.faction or chosen.id
    if faction in choices:
        state["faction"] = faction
    return state


def called_in(labels: Mapping[str, str]) -> str:
    return labels.get("warband_within", "warband")


def closed_words(choice: ListChoice) -> str:
    """Return why a list cannot be founded here, "" if it can."""
    if not choice.closed:
        return ""
    return "third-party: left out unless a campaign, or you for yourself, let it in."


def found_page(state: Mapping[str, str]) -> FoundPage:
    """Build the step that fits the state. No queries."""
    here = reverse("warband-found")
    if "game" not in state:
        return _first(here, state)
    game_id, _, edition = state["game"].partition("/")
    if "list" in state:
        return _third(here, state, game_id, edition)
    only = _only_list(game_id, edition, state)
    if only:
        return _third(here, {**state, "list": only}, game_id, edition)
    return _second(here, state, game_id, edition)


def _only_list(game_id: str, edition: str, state: Mapping[str, str]) -> str:
    """Return the only list of a game if there is nothing to choose, else ""."""
    game = system(game_id)
    choices = game.founding.lists(game.content(edition, house_rules=house_rules_of(state)))
    return choices[0].id if len(choices) == 1 and not choices[0].closed else ""


def _first(here: str, state: Mapping[str, str]) -> FoundPage:
    games: list[GameOption] = []
    samples: list[tuple[str, tuple[SampleGroup, ...]]] = []
    foreign = False
    for game in systems():
        for edition in game.editions():
            games.append(GameOption(f"{game.id}/{edition}", edition_name(game.id, edition), not games))
            content = game.content(edition)
            lists = {choice.id: choice for choice in game.founding.lists(content)}
            foreign = foreign or any(choice.third_party for choice in lists.values())
            groups = _sample_groups(game, edition, content, lists)
            if groups:
                samples.append((games[-1].words, groups))
    modes = tuple(
        ModeOption(mode, *MODE_WORDS[mode], chosen=state.get("mode", str(Warband.Mode.CAMPAIGN)) == mode)
        for mode in Warband.Mode.values
    )
    return FoundPage(
        step=1,
        title="Found a warband",
        here=here,
        address=here,
        back_href=reverse("warband-list"),
        back_label="Warbands",
        state=(),
        summary="",
        games=tuple(games),
        modes=modes,
        samples=tuple(samples),
        asks_third_party=foreign,
    )


def _sample_groups(
    game: Game, edition: str, content: GameContent, lists: Mapping[str, ListChoice]
) -> tuple[SampleGroup, ...]:
    """Return the samples of an edition grouped by the faction of their list, in the order of the factions."""
    found: dict[str, list[SampleOption]] = {choice.id: [] for choice in lists.values()}
    for sample_id, name, list_id, words in game.founding.samples(content):
        chosen = lists[list_id]
        option = SampleOption(sample_id, name, words, chosen.name, game.id, edition, chosen.third_party)
        found[chosen.faction or chosen.id].append(option)
    return tuple(
        SampleGroup(f"samples_{_slug(game, edition)}_{faction}", lists[faction].name, tuple(options))
        for faction, options in found.items()
        if options
    )


def _slug(game: Game, edition: str) -> str:
    """Return a name for an edition that is valid in an HTML id: its number, or the game's id if it has none."""
    return edition.replace(".", "_") if edition[:1].isdigit() else game.id


def _second(here: str, state: Mapping[str, str], game_id: str, edition: str) -> FoundPage:
    game = system(game_id)
    content = game.content(edition, house_rules=house_rules_of(state))
    choices = game.founding.lists(content)
    called = called_in(game.labels(content))
    kept = _kept(state)
    factions = [choice for choice in choices if not choice.faction or choice.faction == choice.id]
    opened = state.get("faction") or (factions[0].id if factions else "")
    options = tuple(_faction_option(choice, choices, opened, here, kept) for choice in factions)
    lists = _list_options(choices, opened, state)
    start = next((choice for choice in choices if choice.id == opened), None)
    has_closed = any(option.closed for option in lists)
    return FoundPage(
        step=2,
        form="warbands/parts/found_list.html",
        title=f"Found a {called}",
        called=called,
        here=here,
        address=here,
        back_href=here,
        back_label="Game and purpose",
        state=tuple(kept.items()),
        summary=_purpose(state, game_id, edition) + (f": {money(_start(start, state))}" if start is not None else ""),
        factions=options,
        faction=next((option for option in options if option.chosen), None),
        lists=lists,
        let_in_href=with_query(here, {**kept, THIRD_PARTY: "yes", "faction": opened}, "lists") if has_closed else "",
        mode=state["mode"],
        game=game_id,
        edition=edition,
    )


def _faction_option(
    faction: ListChoice, choices: Sequence[ListChoice], opened: str, here: str, kept: Mapping[str, str]
) -> FactionOption:
    return FactionOption(
        name=faction.name,
        temper=faction.temper,
        href=with_query(here, {**kept, "faction": faction.id}, "lists"),
        chosen=faction.id == opened,
        count=sum(1 for other in choices if other.faction == faction.id and other.id != faction.id),
    )


def _list_options(choices: Sequence[ListChoice], faction: str, state: Mapping[str, str]) -> tuple[ListOption, ...]:
    """Return the lists of a faction. The plain list is labelled as such only if there are others."""
    members = [choice for choice in choices if faction in (choice.id, choice.faction)]
    return tuple(
        ListOption(
            id=choice.id,
            name="Plain list" if choice.id == faction and len(members) > 1 else choice.name,
            temper=choice.temper,
            changes=choice.changes,
            changes_words="Its rules" if choice.id == faction else "What changes",
            start_words=money(_start(choice, state)),
            closed=closed_words(choice),
            chosen=choice.id == faction,
        )
        for choice in members
    )


def _start(choice: ListChoice, state: Mapping[str, str]) -> Price:
    return choice.one_off if state["mode"] == Warband.Mode.ONE_OFF else choice.start


def _purpose(state: Mapping[str, str], game_id: str, edition: str) -> str:
    return f"{edition_name(game_id, edition)}, {MODE_WORDS[Warband.Mode(state['mode'])][0].lower()}"


def _third(here: str, state: Mapping[str, str], game_id: str, edition: str) -> FoundPage:
    game = system(game_id)
    content = game.content(edition, house_rules=house_rules_of(state))
    choices = {choice.id: choice for choice in game.founding.lists(content)}
    called = called_in(game.labels(content))
    chosen = choices[state["list"]]
    base = choices.get(chosen.faction)
    name = chosen.name if base is None or base.id == chosen.id else f"{base.name}, {chosen.name}"
    kept = {**_kept(state), "list": chosen.id}
    back = {**_kept(state), "faction": chosen.faction or chosen.id}
    start = _start(chosen, state)
    alone = len(choices) == 1
    purpose = _purpose(state, game_id, edition)
    return FoundPage(
        step=2 if alone else 3,
        steps=2 if alone else 3,
        form="warbands/parts/found_name.html",
        title=f"Found a {called}",
        called=called,
        here=here,
        address=with_query(here, kept),
        back_href=here if alone else with_query(here, back),
        back_label="Game and purpose" if alone else "Faction and list",
        state=tuple(kept.items()),
        summary=(purpose if alone else f"{name}; {purpose}") + (f": {money(start)}" if start else ""),
        chosen=chosen,
        start_words=money(start) if start else "",
        asks=chosen.choices,
        patrons=chosen.patrons,
        mode=state["mode"],
        game=game_id,
        edition=edition,
        house_rules=house_rules_of(state),
    )


def _kept(state: Mapping[str, str]) -> dict[str, str]:
    """Return the state that every later step repeats in its address: game, mode, and whether third-party lists are allowed."""
    return {key: state[key] for key in ("game", "mode", THIRD_PARTY) if key in state}
