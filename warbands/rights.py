"""Who may do which act, and undo it: one table for services, views and pages. The host adds rows for its own acts.

An undo reverts an act, and an undo of that undo repeats it: both need the right to do the act itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch
from django.http import Http404
from django.utils.translation import gettext as _

from accounts.guests import is_guest
from rules.problems import Refusal
from warbands import access
from warbands.host import host
from warbands.models import Event, EventSubject, Warband

Role = Literal["owner", "delegate", "administrator", "player", "maker"]
Roles = frozenset[Role]


@dataclass(frozen=True, slots=True)
class ActRight:
    """One row of the table: who may do acts of one kind.

    `of` is the kind of thing for which the person needs the role: "warband" and "profile" mean every one that the act
    touched; the host defines all other kinds. `lent`: delegates and administrators may do it too, if the owner allowed
    it or there is no owner. The role "maker" is the person who did this act, if they have any role there.
    """

    who: Roles
    of: str = "warband"
    lent: bool = False


NOBODY: Roles = frozenset()
OWNER: Roles = frozenset({"owner"})
PEOPLE: Roles = frozenset({"owner", "delegate", "administrator"})
OWNER_AND_ADMINISTRATOR: Roles = frozenset({"owner", "administrator"})

_ON_ROSTER = "hire return dismiss sell buy give swap upgrade rename note move choose draft"
_ON_WARBAND = f"{_ON_ROSTER} again use teams promise change ready archive restore share"
_MAKES_OR_ENDS = "found import paper disband revoke own-state"  # undoing these ends a warband, or makes it public again
_ON_PROFILE = "profile-write profile-copy profile-take profile-import profile-share profile-away profile-back"
TABLE: dict[str, ActRight] = {
    **dict.fromkeys(_ON_WARBAND.split(), ActRight(PEOPLE)),
    **dict.fromkeys(_MAKES_OR_ENDS.split(), ActRight(OWNER, lent=True)),
    **dict.fromkeys(["delegate", "lend"], ActRight(OWNER)),
    "hand-over": ActRight(OWNER_AND_ADMINISTRATOR),
    # An offer is withdrawn or made again by a press of its own.
    **dict.fromkeys(["hand-over-offer", "hand-over-end"], ActRight(NOBODY)),
    "keep": ActRight(NOBODY),  # a guest's warbands went to an account; the guest is gone
    **dict.fromkeys(_ON_PROFILE.split(), ActRight(OWNER, of="profile")),
    **dict.fromkeys(["profile-change", "profile-unshare"], ActRight(OWNER_AND_ADMINISTRATOR, of="profile")),
}

SHARES = frozenset({"delegate", "hand-over", "lend", "share"})  # acts that let others in: not for guests
ACT = "act"  # key in the data of an undo: which row of the table applies to undoing it


def rows() -> dict[str, ActRight]:
    """Return the whole table: the rows for acts on warbands and profiles, and those for the host's own acts."""
    return {**TABLE, **host().rights()}


# --- roles ------------------------------------------------------------------------------------------------------------


def roles_at_hand(user: Any, warband: Warband) -> Roles:
    """Return the role as owner or delegate, if any. No query for warbands from `warband_for`, else one at most."""
    if not user.is_authenticated:
        return frozenset()
    if warband.owner_id == user.pk:
        return OWNER
    return frozenset({"delegate"}) if access.is_delegate(user, warband) else frozenset()


def roles_in(user: Any, warband: Warband) -> Roles:
    """Return this person's roles for a warband. Queries of `roles_at_hand` and of the host."""
    found = roles_at_hand(user, warband)
    if user.is_authenticated and access.is_editor(user, warband):
        return found | {"administrator"}
    return found


def is_open_to(row: ActRight, roles: Roles, warband: Warband | None = None, *, made: bool = False) -> bool:
    """Return whether a row of the table allows somebody with these roles. `made`: they did the act themselves."""
    if not roles:
        return False
    if row.who & roles or (made and "maker" in row.who):
        return True
    return (
        row.lent and bool(roles & PEOPLE) and warband is not None and (warband.lends_rights or warband.owner_id is None)
    )


def may_act(user: Any, warband: Warband, kind: str) -> bool:
    """Return whether this person may do acts of this kind on the warband. Queries of `roles_in`."""
    return is_open_to(rows()[kind], roles_in(user, warband), warband)


def refuse_act(user: Any, warband: Warband, kind: str) -> None:
    """Raise PermissionDenied if this person may not do acts of this kind. The user None, the app itself, may."""
    if user is not None and not may_act(user, warband, kind):
        raise PermissionDenied(closed_message(rows()[kind]))
    if kind in SHARES and is_guest(user):
        raise Refusal(_("Sharing needs an account."), mend=_("Choose a user name and a password first."), code="guest")


def closed_message(row: ActRight) -> str:
    if row.lent:
        return _("Only the owner can do this, unless they allow it in the settings.")
    if row.who == OWNER:
        return _("Only the owner can do this.")
    if row.who == NOBODY:
        return _("This can't be undone.")
    if "owner" not in row.who:
        return _("Only the campaign's administrators can do this.")
    return _("Part of this belongs to someone else.")


# --- undo -------------------------------------------------------------------------------------------------------------


def _share(event: Event, again: bool) -> str:
    """Return "revoke" when an undone link is brought back: that reopens a closed address."""
    return "revoke" if again else "share"


def _restore(event: Event, again: bool) -> str:
    """Return the act that a restore reverses. Old events do not store the former status and need the stricter right."""
    return "archive" if event.data.get("from") == Warband.Status.ARCHIVED else "disband"


_FINER = {"share": _share, "restore": _restore}


def act_of(event: Event) -> str:
    """Return which row of the table applies to undoing an event. One query for each undo in the chain without `ACT`."""
    stored = event.data.get(ACT)
    return str(stored) if stored is not None else _row_of(event, again=False)


def act_of_undoing(event: Event) -> str:
    """Return which row applies to undoing the undo of this event; the undo stores it as `ACT`. Queries of `act_of`."""
    return _row_of(event, again=True)


def _row_of(event: Event, *, again: bool) -> str:
    while event.undoes is not None:
        event, again = event.undoes, not again
    if event.kind in _FINER:
        return _FINER[event.kind](event, again)
    return host().right_of_act(event, again) or event.kind


def right_to_undo(event: Event) -> ActRight:
    """Return the right needed to undo an event; if it has no row, that of most acts on a warband. Queries of `act_of`."""
    return rows().get(act_of(event), ActRight(PEOPLE))


def roles_touched(user: Any, event: Event) -> list[tuple[Roles, Warband | None]]:
    """Return this person's roles in each thing for which the event's row demands one, with the warband if it is one."""
    row = right_to_undo(event)
    if row.of == "warband":
        touched = [subject.warband for subject in event.subjects.all() if subject.warband is not None]
        return [(roles_in(user, warband), warband) for warband in touched]
    if row.of == "profile":
        return [(access.profile_roles(user, profile), None) for profile in access.profiles_of(event)]
    return [(roles, None) for roles in host().roles(row.of, user, event)]


def may_undo(user: Any, event: Event) -> bool:
    """Return whether this person may undo an event, i.e. may do its act to everything that it touched."""
    row = right_to_undo(event)
    made = event.actor_id is not None and event.actor_id == getattr(user, "pk", None)
    touched = roles_touched(user, event)
    return bool(touched) and all(is_open_to(row, roles, warband, made=made) for roles, warband in touched)


def refuse_undo(user: Any, event: Event) -> None:
    """Raise PermissionDenied if this person may not undo an event. The user None, the app itself, may."""
    if user is not None and not may_undo(user, event):
        raise PermissionDenied(closed_message(right_to_undo(event)))


WITH_SUBJECTS = Prefetch("subjects", EventSubject.objects.select_related("warband__owner"))


def event_for(user: Any, pk: int | str, to: Literal["read", "edit"] = "edit") -> Event:
    """Return the event if this person may read about it ("read") or undo it ("edit").

    One query for each touched warband, one more, and those of its row of rights.

    Raises:
        Http404: there is none, or this person may read none of its warbands and profiles.
        PermissionDenied: this person may not do that act, and so not undo it.
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
