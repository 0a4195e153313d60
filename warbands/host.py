"""What warbands/ asks of the app above it, which knows about campaigns. This app does not.

`Host` itself answers for a site that has warbands alone. The app above subclasses it and calls `set_host` once, when the site starts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.http import Http404

if TYPE_CHECKING:
    from rules.problems import Refusal
    from warbands.camp_locks import Door
    from warbands.import_targets import ImportTarget
    from warbands.models import Event, Terms, Warband
    from warbands.models.base import Recorded
    from warbands.printing import SheetCampaign
    from warbands.rights import ActRight, Roles
    from warbands.sharing_groups import SharingGroup


class Host:
    """Answers for warbands that belong to no campaign. Every answer of a subclass takes a fixed number of queries."""

    # --- who may
    def may_read(self, user: Any, warband: Warband) -> bool:
        """Whether somebody else than owner and delegates may read a warband."""
        return False

    def may_edit(self, user: Any, warband: Warband) -> bool:
        """Whether somebody else than owner and delegates may act on a warband."""
        return False

    def may_read_terms(self, user: Any, terms: Terms) -> bool:
        """Whether somebody may read house rules under which none of their own warbands plays."""
        return False

    def rights(self) -> Mapping[str, ActRight]:
        return {}

    def right_of_act(self, event: Event, again: bool) -> str | None:
        """The row for undoing an event (or, with `again`, for bringing it back) of a kind that has several; None for its own kind."""
        return None

    def roles(self, of: str, user: Any, event: Event) -> list[Roles]:
        """A person's roles in each thing of a sort (`ActRight.of`) that an event touched. Raises KeyError for an unknown sort."""
        raise KeyError(of)

    # --- sharing
    def sharing_groups(self, user: Any) -> Iterable[SharingGroup]:
        return ()

    def group_members(self, terms: Collection[int]) -> Iterable[tuple[int, int]]:
        """Who is in the groups of these terms now, as pairs of primary keys: terms, person."""
        return ()

    # --- acts
    def refuse_locked(self, warband: Warband, door: Door) -> None:
        """Raise Refusal where an act at camp has to wait."""

    def undo_refusals(self, events: Sequence[Event]) -> Mapping[int, Refusal]:
        """Why acts are not undone, by id: a die that fell, a report that others answered."""
        return {}

    def news_readers(self, event: Event, rows: Sequence[Recorded]) -> Sequence[tuple[str, int]]:
        """Rows, as label and id, that read of an act as news without being changed by it."""
        return ()

    def import_target(self, user: Any, kind: str, id_: str) -> ImportTarget:
        """Where a warband that is imported goes beside its owner's own list. Raises Http404, PermissionDenied."""
        raise Http404("There is no such place.")

    # --- words
    def occasion_words(self, occasions: Collection[str]) -> Mapping[str, tuple[str, str]]:
        """The words and the address of occasions ("battle:12"), by id; those that nobody knows are left out."""
        return {}

    def camp_words(self, warband: Warband) -> str:
        """What is special about a warband's camp now, in a sentence; "" where nothing is."""
        return ""

    def sheet_campaign(self, warband: Warband) -> SheetCampaign | None:
        """What the sheet tells of the campaign in which a warband plays; None where it plays in none."""
        return None


_host = Host()


def host() -> Host:
    return _host


def set_host(new: Host) -> Host:
    """Make this the host of the site. Returns the one before, so that a test can put it back."""
    global _host
    before, _host = _host, new
    return before
