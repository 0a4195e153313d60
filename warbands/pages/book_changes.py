"""The difference of two states of the books, in folds: what each faction may take, then each kind of entry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.content.names import plain
from rules.content.overlays.states import TAKEN_AWAY, parsed_state
from rules.parts.states import ChangeTold, EntryChange
from rules.registry import system
from warbands.labels import edition_name
from warbands.pages.rules import kind_words
from warbands.services.house_overlays import know_overlays

SHORT = 30  # differences that are shown without a fold


@dataclass(frozen=True, slots=True)
class BookFigure:
    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangedEntry:
    """One entry of the books with every figure that differs."""

    name: str
    figures: tuple[BookFigure, ...]


@dataclass(frozen=True, slots=True)
class BookFold:
    title: str
    count_words: str
    is_open: bool
    entries: tuple[ChangedEntry, ...]


def book_folds(lines: Iterable[EntryChange], find: str = "") -> tuple[BookFold, ...]:
    """Return the differences in folds. With `find`, only those whose words hold every word of it, and all open."""
    wanted = [plain(word) for word in find.split()]
    shown = [line for line in lines if _matches(line, wanted)]
    folds: dict[str, dict[tuple[str, str], list[EntryChange]]] = {}
    for line in shown:
        title = _("Offers: {faction}").format(faction=line.faction) if line.faction else kind_words(line.kind)
        folds.setdefault(title, {}).setdefault((line.kind, line.id), []).append(line)
    is_open = bool(wanted) or len(shown) <= SHORT
    return tuple(
        BookFold(title, entries_words(len(entries)), is_open, tuple(_entry(each) for each in entries.values()))
        for title, entries in folds.items()
    )


def entries_words(count: int) -> str:
    return ngettext("{count} entry", "{count} entries", count).format(count=count)


def _matches(line: EntryChange, wanted: Iterable[str]) -> bool:
    text = plain(" ".join((line.name, line.label, line.before, line.after, line.faction)))
    return all(word in text for word in wanted)


def _entry(lines: list[EntryChange]) -> ChangedEntry:
    """Return one entry. Lists of a faction with the same figures share a line."""
    labels: dict[tuple[str, str, bool], list[str]] = {}
    for line in lines:
        labels.setdefault((line.before, line.after, bool(line.faction)), []).append(line.label)
    return ChangedEntry(
        lines[0].name,
        tuple(
            BookFigure(
                _together(lines[0].faction, names) if of_list else ", ".join(dict.fromkeys(names)), before, after
            )
            for (before, after, of_list), names in labels.items()
        ),
    )


def _together(faction: str, labels: list[str]) -> str:
    """Return the lists of a faction that share a figure: its own by name, its variants by number if there are many."""
    names = list(dict.fromkeys(labels))
    variants = [name for name in names if name != faction]
    if len(variants) <= 1:
        return ", ".join(names)
    count = ngettext("{count} variant", "{count} variants", len(variants)).format(count=len(variants))
    if len(variants) <= 3:
        count = ", ".join(name.partition(", ")[2] or name for name in variants)
    return _("{faction} and {variants}").format(faction=faction, variants=count) if faction in names else count


def differences_words(count: int) -> str:
    return ngettext("{count} difference", "{count} differences", count).format(count=count)


@dataclass(frozen=True, slots=True)
class BookPage:
    """The difference of two states of an edition, entry by entry, and what their overlays say."""

    title: str
    address: str
    here: str
    there: str
    states: tuple[tuple[str, str], ...]
    find: str
    folds: tuple[BookFold, ...]
    told: tuple[ChangeTold, ...]
    back_href: str
    count_words: str


def book_page(game_id: str, edition: str, *, here: str, there: str, find: str = "") -> BookPage:
    """Build the page. No queries. `find`: words that every difference shown holds. Raises KeyError for an unknown state, Refusal where overlays do not fit together."""
    game = system(game_id)
    part = game.states
    if part is None:
        raise KeyError(game_id)
    infos = part.overlays(edition)
    newest = "+".join((edition, *part.newest(edition)))
    one, other = here or edition, there or newest
    (its, taken), (others, also) = (parsed_state(name, game.editions()) for name in (one, other))
    for each, ids in ((its, taken), (others, also)):
        know_overlays(game_id, each, ids)
    lines = part.book_changes(game.content(its, taken), game.content(others, also))
    said = [
        part.told(each, id_.removeprefix(TAKEN_AWAY)) for each, ids in ((its, taken), (others, also)) for id_ in ids
    ]
    states = [(each, edition_name(game_id, each)) for each in game.editions()]
    states += [(newest, _("{edition}, newest official rules").format(edition=edition_name(game_id, edition)))]
    states += [(f"{edition}+{info.id}", info.title) for info in infos if not info.in_base]
    states += [
        (f"{edition}-{info.id}", _("Before: {title}").format(title=info.title)) for info in infos if info.reversible
    ]
    known = {value for value, _words in states}
    states += [(name, name) for name in dict.fromkeys((one, other)) if name not in known]
    return BookPage(
        title=_("Two versions of the rules"),
        address=reverse("rule-states", args=[game_id, edition]),
        here=one,
        there=other,
        states=tuple(dict(states).items()),
        find=find,
        folds=book_folds(lines, find),
        told=tuple(dict.fromkeys(change for changes in said for change in changes if _is_found(change, find))),
        back_href=reverse("rule-list", args=[game_id, edition]),
        count_words=differences_words(len(lines)),
    )


def _is_found(change: ChangeTold, find: str) -> bool:
    text = plain(" ".join((change.name, change.field, change.before, change.after, change.reason)))
    return all(plain(word) in text for word in find.split())
