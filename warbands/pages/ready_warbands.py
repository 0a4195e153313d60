"""The ready warbands of an edition, by faction: what each costs, how many fighters it has, and its character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext as _

from rules.game import Game, GameContent
from rules.parts.founding import ListChoice
from rules.price import Price
from rules.registry import system
from warbands.pages.formatting import money


@dataclass(frozen=True, slots=True)
class ReadyWarband:
    """A ready warband to take. `closed` says why it cannot be taken here, "" if it can."""

    id: str
    name: str
    list_words: str
    size_words: str
    cost_words: str
    words: str
    third_party: bool
    closed: str


@dataclass(frozen=True, slots=True)
class ReadyGroup:
    """The ready warbands of one faction; those of third-party lists are in a group of their own, the last one."""

    key: str
    name: str
    brief: str
    mark: str
    warbands: tuple[ReadyWarband, ...]


@lru_cache(maxsize=32)
def _figures(game_id: str, edition: str, overlays: tuple[str, ...]) -> Mapping[str, tuple[int, Price]]:
    """Return fighters and cost of each ready warband under the plain rules of its state. Worked out once."""
    game = system(game_id)
    content = game.content(edition, overlays)
    found = {}
    for sample_id, *_rest in game.founding.samples(content):
        force, _problems = game.documents.read_document(game.founding.sample(content, sample_id))
        found[sample_id] = (sum(1 for fighter in force.fighters if fighter.active), game.check(content, force).rating)
    return found


def ready_groups(
    game: Game, edition: str, content: GameContent, *, overlays: Sequence[str] = (), with_closed: bool = True
) -> tuple[ReadyGroup, ...]:
    """Return the ready warbands under these rules: by faction, official lists first. No queries."""
    lists = {choice.id: choice for choice in game.founding.lists(content)}
    labels, figures = game.labels(content), _figures(game.id, edition, tuple(overlays))
    one, many = labels.get("row", "fighter"), labels.get("rows", "fighters")
    official: dict[str, list[ReadyWarband]] = {choice.faction or choice.id: [] for choice in lists.values()}
    others: list[ReadyWarband] = []
    for sample_id, name, list_id, words in game.founding.samples(content):
        chosen = lists[list_id]
        if chosen.closed and not with_closed:
            continue
        count, cost = figures[sample_id]
        ready = ReadyWarband(
            id=sample_id,
            name=name,
            list_words=list_words(chosen, lists),
            size_words=f"{count} {one if count == 1 else many}",
            cost_words=money(cost) if game.shop is not None else f"{cost.ducats} {labels['worth']}",
            words=words,
            third_party=chosen.third_party,
            closed=chosen.closed,
        )
        (others if chosen.third_party else official[chosen.faction or chosen.id]).append(ready)
    groups = [
        ReadyGroup(
            faction,
            short_name(lists[faction]),
            lists[faction].temper,
            game.founding.mark(content, faction),
            tuple(rows),
        )
        for faction, rows in official.items()
        if rows
    ]
    if others:
        groups.append(ReadyGroup("third_party", _("Third-party lists"), "", "", tuple(others)))
    return tuple(groups)


def short_name(choice: ListChoice) -> str:
    return choice.short or choice.name


def list_words(choice: ListChoice, lists: Mapping[str, ListChoice]) -> str:
    """Return the list as it stands in a row: "New Antioch", "Eire Rangers, New Antioch"."""
    base = lists.get(choice.faction)
    if base is None or base.id == choice.id:
        return short_name(choice)
    return f"{short_name(choice)}, {short_name(base)}"
