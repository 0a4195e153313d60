"""The page that starts a warband: rules, faction, list and name on one page. Its address holds the choices."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.game import Game, GameContent
from rules.parts.choice import ChoiceAsked
from rules.parts.founding import ListChoice
from rules.price import Price
from rules.registry import PACKAGES, system, systems
from warbands.labels import edition_name
from warbands.models import Warband
from warbands.newest_state import newest_overlays
from warbands.pages.addresses import with_query
from warbands.pages.formatting import money
from warbands.pages.ready_warbands import ReadyGroup, ready_groups, short_name
from warbands.pages.terms import ExplainedTerm, terms_in

THIRD_PARTY = "third_party"
CURRENT = "current"  # an edition's label `edition_state`, if most clubs play it
MODES = {
    Warband.Mode.CAMPAIGN: (gettext_lazy("A campaign"), gettext_lazy("Losses and gains carry over.")),
    Warband.Mode.ONE_OFF: (gettext_lazy("Single battles"), gettext_lazy("Nothing carries over.")),
}


@dataclass(frozen=True, slots=True)
class StartOption:
    """A choice of the page. `words` stand under its name, `mark` names its small shape."""

    value: str
    name: str
    words: str
    chosen: bool
    is_current: bool = False
    mark: str = ""


@dataclass(frozen=True, slots=True)
class StartPage:
    """The page as its address asks for it. `chosen` is the list that the warband is started with."""

    title: str
    here: str
    address: str
    game: str
    edition: str
    mode: str
    lets_third_party_in: bool
    main_games: tuple[StartOption, ...]
    other_games: tuple[StartOption, ...]
    other_words: str
    opens_others: bool
    modes: tuple[StartOption, ...]
    factions: tuple[StartOption, ...]
    lists_of: str
    lists: tuple[StartOption, ...]
    chosen: ListChoice
    about: tuple[str, ...]
    suggested: str
    start_words: str
    has_third_party: bool
    asks: tuple[ChoiceAsked, ...]
    later: tuple[ChoiceAsked, ...]
    patrons: tuple[tuple[str, str], ...]
    called: str
    terms: tuple[ExplainedTerm, ...]
    ready: tuple[ReadyGroup, ...]
    more_words: str
    import_href: str
    house_rules: Mapping[str, Any]


def house_rules_of(state: Mapping[str, str]) -> dict[str, Any]:
    return {THIRD_PARTY: True} if state.get(THIRD_PARTY) else {}


def called_in(labels: Mapping[str, str]) -> str:
    return labels.get("warband_within", "warband")


def read_state(query: Mapping[str, str]) -> dict[str, str]:
    """Return the choices of an address or a form, without unknown values. A list alone says its faction.

    Raises nothing: what is missing or unknown becomes the first game, edition, faction and list.
    """
    game_id, _slash, edition = query.get("game", "").partition("/")
    if game_id not in PACKAGES or edition not in system(game_id).editions():
        game_id = next(iter(PACKAGES))
        edition = system(game_id).editions()[0]
    mode = query.get("mode", "")
    state = {
        "game": f"{game_id}/{edition}",
        "mode": mode if mode in Warband.Mode.values else str(Warband.Mode.CAMPAIGN),
    }
    if query.get(THIRD_PARTY):
        state[THIRD_PARTY] = "yes"
    content = system(game_id).content(edition, newest_overlays(game_id, edition), house_rules_of(state))
    lists = {choice.id: choice for choice in system(game_id).founding.lists(content) if not choice.closed}
    chosen = lists.get(query.get("list", ""))
    faction = query.get("faction", "")
    if chosen is not None and faction not in lists:
        faction = _base(chosen)
    if faction not in lists:
        faction = _base(next(iter(lists.values())))
    state["faction"] = faction
    state["list"] = chosen.id if chosen is not None and _base(chosen) == faction else faction
    return state


def _base(choice: ListChoice) -> str:
    return choice.faction or choice.id


def _modes(chosen: str) -> tuple[StartOption, ...]:
    return tuple(StartOption(str(mode), str(words), str(more), mode == chosen) for mode, (words, more) in MODES.items())


def _faction_options(
    game: Game, content: GameContent, choices: Sequence[ListChoice], chosen: ListChoice
) -> tuple[StartOption, ...]:
    """Return the lists that no other is a variant of; nothing if there is a single one."""
    bases = [choice for choice in choices if choice.id == _base(choice)]
    return tuple(_faction_option(game, content, choice, chosen) for choice in bases) if len(bases) > 1 else ()


def _list_options(members: Sequence[ListChoice], chosen: ListChoice) -> tuple[StartOption, ...]:
    """Return a list and its variants; nothing if it has none."""
    return tuple(_list_option(choice, chosen, len(members)) for choice in members) if len(members) > 1 else ()


def _parted_choices(chosen: ListChoice) -> tuple[tuple[ChoiceAsked, ...], tuple[ChoiceAsked, ...]]:
    """Return what a list asks at the start, and what may be answered later."""
    asks = tuple(asked for asked in chosen.choices if not asked.optional)
    return asks, tuple(asked for asked in chosen.choices if asked.optional)


def _terms_of_start(labels: Mapping[str, str], start: Price) -> tuple[ExplainedTerm, ...]:
    currencies = ["ducats", "glory"] if start.glory else ["ducats"]
    return terms_in(labels, *currencies, "patron")


def start_page(state: Mapping[str, str], user: Any, *, name: str = "") -> StartPage:
    """Build the page for a state of `read_state`. One query for somebody signed in, for the names they have used."""
    game_id, _slash, edition = state["game"].partition("/")
    game = system(game_id)
    content = game.content(edition, newest_overlays(game_id, edition), house_rules_of(state))
    choices = [choice for choice in game.founding.lists(content) if not choice.closed]
    chosen = next(choice for choice in choices if choice.id == state["list"])
    members = [choice for choice in choices if _base(choice) == state["faction"]]
    base = members[0]
    labels = game.labels(content)
    here = reverse("warband-found")
    main, others = _games(state["game"])
    asks, later = _parted_choices(chosen)
    start = chosen.one_off if state["mode"] == Warband.Mode.ONE_OFF else chosen.start
    ready = ready_groups(game, edition, content, overlays=newest_overlays(game_id, edition))
    return StartPage(
        title=_("Start a {called}").format(called=called_in(labels)),
        here=here,
        address=with_query(here, state),
        game=game_id,
        edition=edition,
        mode=state["mode"],
        lets_third_party_in=bool(state.get(THIRD_PARTY)),
        main_games=main,
        other_games=others,
        other_words=", ".join(option.name for option in others),
        opens_others=any(option.chosen for option in others),
        modes=_modes(state["mode"]),
        factions=_faction_options(game, content, choices, base),
        lists_of=short_name(base),
        lists=_list_options(members, chosen),
        chosen=chosen,
        about=chosen.changes,
        suggested=name or suggested_name(game, content, chosen.id, user),
        start_words=money(start) if start else "",
        has_third_party=any(choice.third_party for choice in game.founding.lists(content)),
        asks=asks,
        later=later,
        patrons=chosen.patrons,
        called=called_in(labels),
        terms=_terms_of_start(labels, start) if start else (),
        ready=_opened_first(ready, state["faction"]),
        more_words=_("More: what it is for, patron, starting money") if start else _("More: what it is for"),
        import_href=reverse("warband-bring"),
        house_rules=house_rules_of(state),
    )


def _games(chosen: str) -> tuple[tuple[StartOption, ...], tuple[StartOption, ...]]:
    """Return the current editions, and everything else that can be played."""
    options = [_game_option(game, edition, chosen) for game in systems() for edition in game.editions()]
    return (
        tuple(option for option in options if option.is_current),
        tuple(option for option in options if not option.is_current),
    )


def _game_option(game: Game, edition: str, chosen: str) -> StartOption:
    value, labels = f"{game.id}/{edition}", game.labels(game.content(edition))
    is_current = labels["edition_state"] == CURRENT
    return StartOption(
        value,
        edition_name(game.id, edition),
        labels["edition_words"],
        value == chosen,
        is_current,
        game.founding.mark(game.content(edition), ""),
    )


def games_played() -> tuple[StartOption, ...]:
    """Return every game and edition of the site, the current one first, for somebody who does not know it yet."""
    current, others = _games("")
    return (*current, *others)


def _faction_option(game: Game, content: GameContent, choice: ListChoice, chosen: ListChoice) -> StartOption:
    return StartOption(
        choice.id,
        short_name(choice),
        choice.temper,
        choice.id == chosen.id,
        mark=game.founding.mark(content, choice.id),
    )


def _list_option(choice: ListChoice, chosen: ListChoice, members: int) -> StartOption:
    is_base = choice.id == _base(choice) and members > 1
    return StartOption(
        choice.id, _("Standard") if is_base else short_name(choice), choice.temper, choice.id == chosen.id
    )


def _opened_first(groups: Sequence[ReadyGroup], faction: str) -> tuple[ReadyGroup, ...]:
    return tuple(sorted(groups, key=lambda group: group.key != faction))


def suggested_name(game: Game, content: GameContent, list_id: str, user: Any) -> str:
    """Return a name for a new warband of this list that the person has not used, "" if there is none. One query."""
    used = set(Warband.objects.live().filter(owner=user).values_list("name", flat=True)) if user.pk else set()
    free = [name for name in game.founding.warband_names(content, list_id) if name not in used]
    return secrets.choice(free) if free else ""


def starting_price(page: StartPage) -> Price:
    return page.chosen.one_off if page.mode == Warband.Mode.ONE_OFF else page.chosen.start
