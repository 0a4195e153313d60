"""Names for fighters, units and warbands, from lists of our own in `name_book.toml`. Read when first asked for.

A manner is a way of naming: given names, family names or bynames, and names of warbands. A list has a manner; a profile may
have one of its own, and titles.
"""

from __future__ import annotations

import tomllib
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import Literal
from zlib import crc32

import msgspec

from rules.vocabulary import PackStruct, Slug

FILE = Path(__file__).with_name("name_book.toml")


class Manner(PackStruct, frozen=True):
    """A way of naming. `names` are for anybody (creatures, bynames), the others for women and for men."""

    id: Slug
    women: tuple[str, ...] = ()
    men: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


class ListNames(PackStruct, frozen=True):
    """How the fighters of a list are named, and names for its warbands. `game` and `list`: whose list it is; no manner: no names."""

    game: Slug
    list: Slug
    manner: Slug = ""
    warbands: tuple[str, ...] = ()


class ProfileNames(PackStruct, frozen=True):
    """How fighters of these profiles are named: by another manner than their list's, or with a title before the name.

    `women` and `men` are the titles; `only`: the profile knows no others. `lists`: only in these lists or their
    variants (empty: in all).
    """

    game: Slug
    profiles: tuple[Slug, ...]
    manner: str = ""
    women: str = ""
    men: str = ""
    only: Literal["", "women", "men"] = ""
    lists: tuple[Slug, ...] = ()


class NameBook(PackStruct, frozen=True):
    """All names of ours."""

    manners: tuple[Manner, ...]
    lists: tuple[ListNames, ...]
    profiles: tuple[ProfileNames, ...] = ()


@cache
def name_book() -> NameBook:
    """Return the names, read once per process."""
    return msgspec.convert(tomllib.loads(FILE.read_text("utf-8")), NameBook)


@cache
def fighter_names(game: str, list_id: str, faction: str, profile: str) -> tuple[str, ...]:
    """Return names for fighters of this profile, women and men in turn.

    Each profile starts at another place, so that a warband does not begin with the same names every time.
    """
    book = name_book()
    own = _profile_names(book, game, list_id, faction, profile)
    wanted = own.manner or _list_names(book, game, list_id, faction).manner
    manner = next(each for each in book.manners if each.id == wanted)
    women = [_titled(own.women, name) for name in manner.women if own.only != "men"]
    men = [_titled(own.men, name) for name in manner.men if own.only != "women"]
    free = [_titled(own.women or own.men, name) for name in manner.names]
    names = tuple(name for name in chain.from_iterable(zip_longest(women, men, free)) if name)
    start = crc32(f"{list_id} {profile}".encode()) % len(names)
    return (*names[start:], *names[:start])


def warband_names(game: str, list_id: str, faction: str) -> tuple[str, ...]:
    """Return names for a warband of this list."""
    return _list_names(name_book(), game, list_id, faction).warbands


def _titled(title: str, name: str) -> str:
    return f"{title} {name}" if title else name


def _list_names(book: NameBook, game: str, list_id: str, faction: str) -> ListNames:
    """Return the names of a list: its own, else those of its faction, else the first of the game."""
    of_game = [each for each in book.lists if each.game == game]
    for wanted in (list_id, faction):
        for each in of_game:
            if each.list == wanted:
                return each
    return of_game[0]


def _profile_names(book: NameBook, game: str, list_id: str, faction: str, profile: str) -> ProfileNames:
    """Return how a profile is named: in this list before in any, and as its list does if nothing says otherwise."""
    fitting = [
        each
        for each in book.profiles
        if each.game == game and profile in each.profiles and (not each.lists or {list_id, faction} & {*each.lists})
    ]
    return min(fitting, key=lambda each: not each.lists, default=ProfileNames(game, ()))
