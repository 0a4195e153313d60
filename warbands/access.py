"""Who may read, edit or own a warband: fetched and allowed in one call. The host says who else may."""

from __future__ import annotations

from typing import Any, Literal

from django.core.exceptions import PermissionDenied
from django.db.models import BooleanField, Exists, OuterRef, Prefetch, Q, Value
from django.http import Http404

from warbands.host import host
from warbands.models import Delegate, Event, EventSubject, Fighter, Item, Profile, Promise, ShareLink, Terms, Warband
from warbands.sharing_groups import sharing_groups_of

Right = Literal["read", "edit", "own"]
_STRENGTH = {"read": 1, "edit": 2, "own": 3}


def terms_read_by(user: Any, pk: int | str) -> Terms | None:
    """The terms with this number if this person may read their house rules, None otherwise. Two queries, and those of the host."""
    try:
        number = int(pk)
    except (TypeError, ValueError):
        return None
    if not user.is_authenticated or not 0 < number < 2**63:
        return None
    terms = Terms.objects.filter(pk=number, is_undone=False).first()
    if terms is None:
        return None
    mine = Warband.objects.live().filter(terms=terms)
    delegated = Delegate.objects.live().filter(user=user).values("warband")
    if mine.filter(Q(owner=user) | Q(pk__in=delegated)).exists() or host().may_read_terms(user, terms):
        return terms
    return None


def right_of(user: Any, warband: Warband) -> Right | None:
    """What this person may do with the warband at the most. No query for owners and for warbands that `warband_for` fetched."""
    if not user.is_authenticated:
        return None
    if warband.owner_id == user.pk:
        return "own"
    known = getattr(warband, "right_of", None)  # what `warband_for` found when it fetched this very object
    if known is not None and known[0] == user.pk:
        return known[1]  # type: ignore[no-any-return]
    if is_delegate(user, warband) or is_editor(user, warband):
        return "edit"
    return "read" if host().may_read(user, warband) else None


def is_delegate(user: Any, warband: Warband) -> bool:
    """Whether this person acts for the warband's owner. No query for warbands that `warband_for` fetched, else one."""
    acts_for = getattr(warband, "acts_for", None)
    if acts_for is None:
        acts_for = Delegate.objects.live().filter(warband=warband, user=user).exists()
    return bool(acts_for)


def is_editor(user: Any, warband: Warband) -> bool:
    """Whether the host lets this person act on the warband. Queries are the host's."""
    return host().may_edit(user, warband)


def may(user: Any, warband: Warband, to: Right) -> bool:
    """Whether this person may do that with the warband."""
    right = right_of(user, warband)
    return right is not None and _STRENGTH[right] >= _STRENGTH[to]


def warband_for(user: Any, pk: int | str, to: Right = "read") -> Warband:
    """The warband, with terms and owner loaded, if this person may do that with it. One query for owner and delegates.

    Raises:
        Http404: there is none, or this person may not even read it.
        PermissionDenied: this person may read it, but not do that.
    """
    warbands = Warband.objects.live().select_related("terms", "owner")
    if user.is_authenticated:
        delegations = Delegate.objects.live().filter(warband=OuterRef("pk"), user=user)
        warbands = warbands.annotate(acts_for=Exists(delegations))
    else:
        warbands = warbands.annotate(acts_for=Value(False, output_field=BooleanField()))
    warband = warbands.filter(pk=_number(pk)).first()
    if warband is None:
        raise Http404
    _allow(user, warband, to)
    return warband


def fighter_for(user: Any, pk: int | str, to: Right = "read") -> Fighter:
    """The fighter with its warband loaded, present or gone, under the warband's rights. Two queries."""
    fighter = Fighter.objects.live().filter(pk=_number(pk)).first()
    if fighter is None:
        raise Http404
    fighter.warband = warband_for(user, fighter.warband_id, to)
    return fighter


def item_for(user: Any, pk: int | str, to: Right = "edit") -> Item:
    """The piece of kit with its bearer and warband loaded, under the warband's rights. Two queries."""
    item = Item.objects.live().filter(pk=_number(pk)).select_related("fighter").first()
    if item is None:
        raise Http404
    item.warband = warband_for(user, item.warband_id, to)
    return item


def promise_for(user: Any, pk: int | str, to: Right = "edit") -> Promise:
    """The promise with its warband loaded, under the warband's rights. Two queries."""
    promise = Promise.objects.live().filter(pk=_number(pk)).first()
    if promise is None:
        raise Http404
    promise.warband = warband_for(user, promise.warband_id, to)
    return promise


def profile_right(user: Any, profile: Profile) -> Right | None:
    """What this person may do with a written profile at the most. No query for its owner, else those of `sharing_groups_of`.

    Shared inside a campaign it is read by everybody of it, and changed by those who run it; where its owner is gone, it is theirs.
    """
    if not user.is_authenticated:
        return None
    if profile.owner_id == user.pk:
        return "own"
    if profile.terms_id is None:
        return None
    circles = [circle for circle in sharing_groups_of(user, profile.system) if circle.terms == profile.terms_id]
    if any(circle.runs for circle in circles):
        return "edit" if profile.owner_id else "own"
    return "read" if circles and not profile.is_away else None


def profile_for(user: Any, pk: int | str, to: Right = "read") -> Profile:
    """The written profile with its owner loaded, if this person may do that with it. One query and those of `profile_right`.

    Raises:
        Http404: there is none, or this person may not even read it.
        PermissionDenied: this person may read it, but not do that.
    """
    profile = Profile.objects.live().select_related("owner").filter(pk=_number(pk)).first()
    right = profile_right(user, profile) if profile is not None else None
    if profile is None or right is None:
        raise Http404
    if _STRENGTH[right] < _STRENGTH[to]:
        raise PermissionDenied(
            "This profile is its owner's to change. Copy it, and change the copy."
            if to == "edit"
            else "This is for its owner."
        )
    return profile


def profile_roles(user: Any, profile: Profile) -> frozenset[Any]:
    """The roles this person has for a written profile: its owner, or an administrator of where it is shared. Queries of `profile_right`.

    Where its owner is gone, whoever looks after it counts as owner.
    """
    right = profile_right(user, profile)
    return frozenset({"own": {"owner"}, "edit": {"administrator"}}.get(right or "", ()))


WITH_SUBJECTS = Prefetch("subjects", EventSubject.objects.select_related("warband__owner"))


def event_for(user: Any, pk: int | str, to: Literal["read", "edit"] = "edit") -> Event:
    """The event, for somebody who may read of it, or undo it. One query more than warbands touched, and those of its row of rights.

    Raises:
        Http404: there is none, or this person may read none of its warbands and profiles.
        PermissionDenied: doing that act, and so undoing it, is for others.
    """
    from warbands.rights import refuse_undo

    event = Event.objects.filter(pk=_number(pk)).prefetch_related(WITH_SUBJECTS).first()
    touched = [subject.warband for subject in event.subjects.all() if subject.warband] if event else []
    rights = [right_of(user, warband) for warband in touched]
    rights += [profile_right(user, profile) for profile in profiles_of(event)] if event else []
    if event is None or not any(rights):
        raise Http404
    if to == "edit":
        refuse_undo(user, event)
    return event


def profiles_of(event: Event) -> list[Profile]:
    """The written profiles that an event was about, in its order. One query, none where there are none."""
    label = f"{Profile._meta.app_label}.{Profile._meta.object_name}"
    keys = [subject.row_id for subject in event.subjects.all() if subject.label == label]
    found = Profile.objects.in_bulk(keys) if keys else {}
    return [found[key] for key in keys if key in found]


def shared(slug: str) -> ShareLink:
    """The share link with this slug, its warband, terms and owner loaded. Raises Http404 for a revoked one. One query."""
    links = ShareLink.objects.live().filter(slug=slug, is_revoked=False, warband__is_undone=False)
    link = links.select_related("warband__terms", "warband__owner").first()
    if link is None:
        raise Http404
    return link


def _allow(user: Any, warband: Warband, to: Right) -> None:
    right = right_of(user, warband)
    if right is None:
        raise Http404
    warband.right_of = (user.pk, right)  # type: ignore[attr-defined]
    if _STRENGTH[right] < _STRENGTH[to]:
        raise PermissionDenied("This warband is not yours to change." if to == "edit" else "This is for its owner.")


def _number(pk: int | str) -> int:
    try:
        number = int(pk)
    except (TypeError, ValueError):
        raise Http404 from None
    if not 0 < number < 2**63:
        raise Http404
    return number
