"""The interface to the app above warbands/, which knows about campaigns. This app does not.

`Host` itself serves a site without campaigns. The app above subclasses it and calls `set_host` once, when the site
starts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from rules.problems import Refusal
    from warbands.book import BattleTold
    from warbands.camp_locks import Door
    from warbands.import_targets import ImportTarget
    from warbands.models import Event, Terms, Warband
    from warbands.models.base import Recorded
    from warbands.printing import SheetCampaign
    from warbands.recorder import Recorder
    from warbands.rights import ActRight, Roles
    from warbands.sharing_groups import SharingGroup


class Host:
    """The host of a site without campaigns. Every method of a subclass takes a fixed number of queries."""

    # --- rights
    def may_read(self, user: Any, warband: Warband) -> bool:
        """Return whether a person who is neither owner nor delegate may read a warband."""
        return False

    def may_edit(self, user: Any, warband: Warband) -> bool:
        """Return whether a person who is neither owner nor delegate may act on a warband."""
        return False

    def may_read_terms(self, user: Any, terms: Terms) -> bool:
        """Return whether a person may read house rules under which none of their own warbands plays."""
        return False

    def rights(self) -> Mapping[str, ActRight]:
        return {}

    def right_of_act(self, event: Event, again: bool) -> str | None:
        """Return which row of the rights table applies to undoing an event (or, with `again`, to bringing it back).

        Return None if the row of the event's own kind applies.
        """
        return None

    def roles(self, of: str, user: Any, event: Event) -> list[Roles]:
        """Return a person's roles in each thing of a sort (`ActRight.of`) that an event touched.

        Raises KeyError if the sort is unknown.
        """
        raise KeyError(of)

    # --- sharing
    def sharing_groups(self, user: Any) -> Iterable[SharingGroup]:
        return ()

    def group_members(self, terms: Collection[int]) -> Iterable[tuple[int, int]]:
        """Return the current members of the groups of these terms, as pairs of primary keys: terms, person."""
        return ()

    # --- acts
    def refuse_locked(self, warband: Warband, door: Door) -> None:
        """Raise Refusal if an act in camp is locked now."""

    def rows_with_owner(self, warband: Warband) -> Sequence[Recorded]:
        """Return the rows that change hands with a warband, to be locked with it."""
        return ()

    def refuse_new_owner(self, warband: Warband, user: Any) -> None:
        """Raise Refusal if this person cannot take over what changes hands with a warband."""

    def change_hands(self, act: Recorder, warband: Warband, user: Any) -> str:
        """Give the person what changes hands with a warband, inside an act. Return its words, "" for nothing."""
        return ""

    def undo_refusals(self, events: Sequence[Event]) -> Mapping[int, Refusal]:
        """Return why events cannot be undone, by id, e.g. after a dice roll, or a report that others answered."""
        return {}

    def news_readers(self, event: Event, rows: Sequence[Recorded]) -> Sequence[tuple[str, int]]:
        """Return the rows, as label and id, that show an act as news although it does not change them."""
        return ()

    def recorded(self, event: Event, rows: Sequence[Recorded]) -> None:
        """Take note of an act at the end of its transaction, e.g. to tell people of it."""

    def import_target(self, user: Any, kind: str, id_: str) -> ImportTarget:
        """Return a place for an imported warband other than the person's own list. Raises Http404, PermissionDenied."""
        raise Http404(_("There is no such place."))

    def places_with_drafts(self, user: Any) -> Sequence[str]:
        """Return the names of the person's places ("seat:12") for which somebody else brought a draft that waits."""
        return ()

    # --- words
    def occasion_words(self, occasions: Collection[str]) -> Mapping[str, tuple[str, str]]:
        """Return the name and URL of occasions ("battle:12"), by id; unknown ones are left out."""
        return {}

    def camp_words(self, warband: Warband) -> str:
        """Return a sentence on what is special about a warband's camp now; "" if nothing is."""
        return ""

    def warband_links(self, warband: Warband) -> Sequence[tuple[str, str]]:
        """Return further entries of a warband's menu, as label and URL. No queries."""
        return ()

    def sheet_campaign(self, warband: Warband) -> SheetCampaign | None:
        """Return what the sheet shows about the warband's campaign; None if it has none."""
        return None

    def battles_told(self, warband: Warband) -> Sequence[BattleTold]:
        """Return the reported battles of a warband for its book, oldest first."""
        return ()


_host = Host()


def host() -> Host:
    return _host


def set_host(new: Host) -> Host:
    """Set the host of the site. Returns the previous one, so that a test can restore it."""
    global _host
    before, _host = _host, new
    return before
