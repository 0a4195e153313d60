"""Who may do which act, and so undo it: one table for services, views and pages. The host adds the rows of its own acts.

An undo reverses an act, and an undo of that undo repeats it: both need the right of the act itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch
from django.http import Http404

from warbands import access
from warbands.host import host
from warbands.models import Event, EventSubject, Warband

Role = Literal["owner", "delegate", "administrator", "player", "maker"]
Roles = frozenset[Role]


@dataclass(frozen=True, slots=True)
class ActRight:
    """One row of the table: who may do acts of one kind.

    `of` is the kind of thing in which the role counts: "warband" and "profile" mean every one that the act touched, all others the host
    knows. `lent`: delegates and administrators too, where the owner allowed it or there is no owner. The role "maker" is whoever did
    this very act, as long as they have any role there.
    """

    who: Roles
    of: str = "warband"
    lent: bool = False


OWNER: Roles = frozenset({"owner"})
PEOPLE: Roles = frozenset({"owner", "delegate", "administrator"})
OWNER_AND_ADMINISTRATOR: Roles = frozenset({"owner", "administrator"})

_ON_WARBAND = "hire return dismiss sell buy give swap upgrade use teams promise rename note move change choose ready archive restore share"
_MAKES_OR_ENDS = "found import paper disband revoke"  # to undo these ends a warband, or shows it to strangers again
_ON_PROFILE = "profile-write profile-copy profile-take profile-import profile-share profile-away profile-back"
TABLE: dict[str, ActRight] = {
    **dict.fromkeys(_ON_WARBAND.split(), ActRight(PEOPLE)),
    **dict.fromkeys(_MAKES_OR_ENDS.split(), ActRight(OWNER, lent=True)),
    **dict.fromkeys(["delegate", "hand-over", "lend"], ActRight(OWNER)),
    **dict.fromkeys(_ON_PROFILE.split(), ActRight(OWNER, of="profile")),
    **dict.fromkeys(["profile-change", "profile-unshare"], ActRight(OWNER_AND_ADMINISTRATOR, of="profile")),
}

ACT = "act"  # key in the data of an undo: the row of the table for undoing it


def rows() -> dict[str, ActRight]:
    """The whole table: the rows of the acts on warbands and profiles, and those of the host's own acts."""
    return {**TABLE, **host().rights()}


# --- roles ------------------------------------------------------------------------------------------------------------


def roles_at_hand(user: Any, warband: Warband) -> Roles:
    """Whether this person owns the warband or is its delegate. No query where `warband_for` fetched it, else one at most."""
    if not user.is_authenticated:
        return frozenset()
    if warband.owner_id == user.pk:
        return OWNER
    return frozenset({"delegate"}) if access.is_delegate(user, warband) else frozenset()


def roles_in(user: Any, warband: Warband) -> Roles:
    """The roles this person has for a warband. Queries of `roles_at_hand` and of the host."""
    found = roles_at_hand(user, warband)
    if user.is_authenticated and access.is_editor(user, warband):
        return found | {"administrator"}
    return found


def is_open_to(row: ActRight, roles: Roles, warband: Warband | None = None, *, made: bool = False) -> bool:
    """Whether a row is open to somebody with these roles. `made`: the act is their own."""
    if not roles:
        return False
    if row.who & roles or (made and "maker" in row.who):
        return True
    return (
        row.lent and bool(roles & PEOPLE) and warband is not None and (warband.lends_rights or warband.owner_id is None)
    )


def may_act(user: Any, warband: Warband, kind: str) -> bool:
    """Whether this person may do acts of this kind on the warband. Queries of `roles_in`."""
    return is_open_to(rows()[kind], roles_in(user, warband), warband)


def refuse_act(user: Any, warband: Warband, kind: str) -> None:
    """Raise PermissionDenied where this person may not do that. None, the app itself, may."""
    if user is not None and not may_act(user, warband, kind):
        raise PermissionDenied(closed_message(rows()[kind]))


def closed_message(row: ActRight) -> str:
    if row.lent:
        return "Only the owner can do this, unless they allow it in the settings."
    if row.who == OWNER:
        return "Only the owner can do this."
    if "owner" not in row.who:
        return "Only the campaign's administrators can do this."
    return "This act touches something that is not yours."


# --- undo -------------------------------------------------------------------------------------------------------------


def _share(event: Event, again: bool) -> str:
    """To bring back a link that was undone opens an address that was closed."""
    return "revoke" if again else "share"


def _restore(event: Event, again: bool) -> str:
    """Events that do not say from where the warband came back are old; they need the stricter right."""
    return "archive" if event.data.get("from") == Warband.Status.ARCHIVED else "disband"


_FINER = {"share": _share, "restore": _restore}


def act_of(event: Event) -> str:
    """The row of the table for undoing an event, as stored in an undo. One query for each undo in the chain without it."""
    stored = event.data.get(ACT)
    return str(stored) if stored is not None else _row_of(event, again=False)


def act_of_undoing(event: Event) -> str:
    """The row of the table for undoing the undo of this event, which the undo stores under `ACT`. Queries of `act_of`."""
    return _row_of(event, again=True)


def _row_of(event: Event, *, again: bool) -> str:
    while event.undoes is not None:
        event, again = event.undoes, not again
    if event.kind in _FINER:
        return _FINER[event.kind](event, again)
    return host().right_of_act(event, again) or event.kind


def right_to_undo(event: Event) -> ActRight:
    """The row of the table for undoing an event; without one it is an act like most on a warband. Queries of `act_of`."""
    return rows().get(act_of(event), ActRight(PEOPLE))


def roles_touched(user: Any, event: Event) -> list[tuple[Roles, Warband | None]]:
    """The roles this person has in each thing that decides about an event's row, with the warband where it is one."""
    row = right_to_undo(event)
    if row.of == "warband":
        touched = [subject.warband for subject in event.subjects.all() if subject.warband is not None]
        return [(roles_in(user, warband), warband) for warband in touched]
    if row.of == "profile":
        return [(access.profile_roles(user, profile), None) for profile in access.profiles_of(event)]
    return [(roles, None) for roles in host().roles(row.of, user, event)]


def may_undo(user: Any, event: Event) -> bool:
    """Whether this person may undo an event: whether they may do its act to everything it touched."""
    row = right_to_undo(event)
    made = event.actor_id is not None and event.actor_id == getattr(user, "pk", None)
    touched = roles_touched(user, event)
    return bool(touched) and all(is_open_to(row, roles, warband, made=made) for roles, warband in touched)


def refuse_undo(user: Any, event: Event) -> None:
    """Raise PermissionDenied where this person may not undo an event. None, the app itself, may."""
    if user is not None and not may_undo(user, event):
        raise PermissionDenied(closed_message(right_to_undo(event)))


WITH_SUBJECTS = Prefetch("subjects", EventSubject.objects.select_related("warband__owner"))


def event_for(user: Any, pk: int | str, to: Literal["read", "edit"] = "edit") -> Event:
    """The event, for somebody who may read about it ("read") or undo it ("edit").

    One query more than warbands touched, and those of its row of rights.

    Raises:
        Http404: there is none, or this person may read none of its warbands and profiles.
        PermissionDenied: others may do that act, and so undo it.
    """
    event = Event.objects.filter(pk=access.row_number(pk)).prefetch_related(WITH_SUBJECTS).first()
    if event is None:
        raise Http404
    rights = [access.right_of(user, subject.warband) for subject in event.subjects.all() if subject.warband]
    rights += [access.profile_right(user, profile) for profile in access.profiles_of(event)]
    if not any(rights):
        raise Http404
    if to == "edit":
        refuse_undo(user, event)
    return event
