"""Imports a file of profiles into a library: new ones are added, equal ones recognised, and what differs is asked about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.custom.exchange import Incoming
from rules.problems import Refusal
from warbands.models import Profile
from warbands.recording import event_of_token, recording
from warbands.services.library import (
    ProfileGame,
    add_profiles,
    checked_profile,
    count_words,
    differing_labels,
    game_with_profiles,
)

Way = Literal["replace", "another", "keep"]
WAYS: tuple[Way, ...] = ("replace", "another", "keep")


@dataclass(frozen=True, slots=True)
class Coming:
    """A profile of a file beside the library: "new", "equal" to one in it, or it "differs" from `mine` in `fields`."""

    place: int
    profile: Incoming
    state: Literal["new", "equal", "differs"]
    mine: Profile | None = None
    fields: tuple[str, ...] = ()


class LibraryAsks(Refusal):
    """A file with profiles that differ from those of the same name. `coming` is all of it, for the question."""

    def __init__(self, coming: Sequence[Coming]) -> None:
        self.coming = tuple(coming)
        differing = sum(each.state == "differs" for each in coming)
        words = ngettext(
            "{count} profile differs from yours of the same name.",
            "{count} profiles differ from yours of the same name.",
            differing,
        )
        super().__init__(words.format(count=differing), mend=_("Choose what happens to each."), code="differs")


def compare_profiles(*, owner: Any, found: ProfileGame, incoming: Sequence[Incoming]) -> list[Coming]:
    """Return each profile of a file beside the owner's library. One query. Archived profiles do not count.

    A profile that stands in the file twice, word for word, is equal the second time.
    """
    mine: dict[tuple[str, str], list[Profile]] = defaultdict(list)
    for row in Profile.objects.kept().filter(owner=owner, system=found.game.id).order_by("-changed_at", "-pk"):
        mine[row.kind, row.name.casefold()].append(row)
    equal, seen = set(), []
    for place, each in enumerate(incoming):
        like = _equal_to(each, mine[each.kind, each.name.casefold()], found)
        if like is not None or each in seen:
            equal.add(place)
        if like is not None:
            mine[each.kind, each.name.casefold()] = [
                row for row in mine[each.kind, each.name.casefold()] if row != like
            ]
        seen.append(each)
    coming = []
    for place, each in enumerate(incoming):
        rows = mine[each.kind, each.name.casefold()]
        if place in equal:
            coming.append(Coming(place, each, "equal"))
        elif rows:
            row = rows.pop(0)
            coming.append(Coming(place, each, "differs", row, tuple(differing_labels(row, each))))
        else:
            coming.append(Coming(place, each, "new"))
    return coming


def _equal_to(each: Incoming, rows: Iterable[Profile], found: ProfileGame) -> Profile | None:
    """Return the profile of these that says the same. Each is read by the fields of today, as the file was."""
    for row in rows:
        data, _problems = found.profiles.read_profile(found.content, row.kind, row.data)
        if row.name == each.name and dict(data) == dict(each.data):
            return row
    return None


def import_profiles(
    *,
    owner: Any,
    actor: Any,
    system_id: str,
    edition: str,
    incoming: Sequence[Incoming],
    ways: Mapping[int, str] | None = None,
    token: str = "",
) -> list[Profile]:
    """Import profiles from a document in one act, which one undo reverts completely. Return those added and replaced.

    What the library has already stays as it is. `ways` says what happens to a profile that differs from one of the same
    name, by its place in the document: the other is replaced, stays beside it, or is kept alone.

    Raises:
        LibraryAsks: a profile differs, and `ways` does not say what happens to it.
        Refusal: a profile is invalid, the library is full, or nothing would change.
    """
    passed = [checked_profile(system_id, edition, each.kind, each.name, each.data) for each in incoming]
    if not passed:
        raise Refusal(_("The document holds no profile."), code="empty")
    coming = compare_profiles(owner=owner, found=game_with_profiles(system_id, edition), incoming=passed)
    chosen = {each.place: (ways or {}).get(each.place) for each in coming if each.state == "differs"}
    if any(way not in WAYS for way in chosen.values()) and event_of_token(token) is None:
        raise LibraryAsks(coming)
    added = [each.profile for each in coming if each.state == "new"]
    beside = [each.profile for each in coming if chosen.get(each.place) == "another"]
    replaced = [(each.mine, each.profile) for each in coming if each.mine and chosen.get(each.place) == "replace"]
    with recording(*(mine for mine, _by in replaced), kind="profile-import", actor=actor, token=token) as act:
        if not (added or beside or replaced):
            raise Refusal(_("Your library has all of this already."), mend=_("Nothing was imported."), code="equal")
        rows = [act.row(mine) for mine, _by in replaced]
        for row, (_mine, by) in zip(rows, replaced, strict=True):
            act.change(row, name=by.name, data=dict(by.data))
        made = add_profiles(act, owner, system_id, edition, added) if added else []
        made += add_profiles(act, owner, system_id, edition, beside, fresh_names=True) if beside else []
        act.say(_told(len(made), len(rows), len(coming) - len(made) - len(rows)))
    return [*made, *rows]


def _told(added: int, replaced: int, kept: int) -> str:
    """Return the sentence of the history."""
    if added and replaced:
        told = _("{{who}} imported {profiles} into the library and replaced {replaced}.")
    elif added:
        told = _("{{who}} imported {profiles} into the library.")
    else:
        told = _("{{who}} replaced {replaced} in the library from a file.")
    told = told.format(profiles=count_words(added), replaced=count_words(replaced))
    if kept:
        words = ngettext("{count} was there already.", "{count} were there already.", kept)
        told = f"{told} {words.format(count=kept)}"
    return told
