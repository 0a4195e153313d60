"""Whether the current request runs inside a draft, and where its pages are mounted.

The pages of a roster are the same in a draft, under an address of their own: `/drafts/7/warbands/3/hire/`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING

from django.urls import Resolver404, ResolverMatch, resolve

if TYPE_CHECKING:
    from rules.force import ForceFighter
    from warbands.drafting import DraftRun

# Views that show and change a roster. They work in a draft as they are: their services are draftable, or refuse.
_MODULES = frozenset(f"warbands.views.{name}" for name in ("roster", "hire", "kit", "fighters", "stash"))
_OTHERS = frozenset({"choice-list"})
_OUTSIDE = frozenset({"warband-list", "warband-ready", "ledger-list"})

_run: ContextVar[DraftRun | None] = ContextVar("draft_run", default=None)


def current_run() -> DraftRun | None:
    """Return the draft in which the current request runs, None outside of drafts."""
    return _run.get()


def mark_in_draft(fighter: ForceFighter) -> str:
    """Return what the current draft does to this fighter: "new", "changed", "" for neither and outside of drafts."""
    run = _run.get()
    return run.marks.get(fighter.key, "") if run is not None else ""


@contextmanager
def running(run: DraftRun) -> Iterator[None]:
    before = _run.set(run)
    try:
        yield
    finally:
        _run.reset(before)


def mount_of(draft: int) -> str:
    """Return the start of the addresses of a draft's pages."""
    return f"/drafts/{draft}"


def mounted(name: str, address: str) -> str:
    """Return the address of the page with this URL name as it is in the current draft; unchanged outside of drafts."""
    run = _run.get()
    if run is None:
        return address
    if name == "event-undo":
        return f"{mount_of(run.draft.pk)}/"  # a draft has no events: its page lists the changes to remove
    return mount_of(run.draft.pk) + address if _lives_in_drafts(name, address) else address


@cache
def _known(name: str, module: str) -> bool:
    return name in _OTHERS or (module in _MODULES and name not in _OUTSIDE)


_homes: dict[str, bool] = {}  # whether a page lives in drafts, by URL name


def _lives_in_drafts(name: str, address: str) -> bool:
    if name not in _homes:
        match = match_of(address)
        _homes[name] = match is not None and lives_in_drafts(match)
    return _homes[name]


def lives_in_drafts(match: ResolverMatch) -> bool:
    """Return whether a page is also there in a draft."""
    return _known(match.url_name or "", match.func.__module__)


def match_of(address: str) -> ResolverMatch | None:
    """Return what answers an address, None if nothing does."""
    try:
        return resolve(address.partition("?")[0].partition("#")[0])
    except Resolver404:
        return None
