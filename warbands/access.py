"""Who may read, edit or own a warband. Each function fetches a row and checks the right in one call.

The host decides who else has rights.
"""

from __future__ import annotations

from typing import Any, Literal

from django.core.exceptions import PermissionDenied
from django.db.models import BooleanField, Exists, OuterRef, QuerySet, Value
from django.http import Http404
from django.utils.translation import gettext as _

from accounts.models import HiddenPage
from accounts.site_owner import hidden, is_hidden
from warbands.draft_context import current_run
from warbands.gone import SubjectGone
from warbands.host import host
from warbands.models import Delegate, Event, Fighter, Item, Profile, Promise, RosterDraft, ShareLink, Terms, Warband
from warbands.sharing_groups import sharing_groups_of

Right = Literal["read", "edit", "own"]
_STRENGTH = {"read": 1, "edit": 2, "own": 3}


def terms_read_by(user: Any, pk: int | str) -> Terms | None:
    """Return the terms with this primary key if this person may read their house rules, else None.

    Two queries, and those of the host.
    """
    number = _whole_number(pk)
    terms = Terms.objects.filter(pk=number, is_undone=False).first() if user.is_authenticated and number else None
    if terms is None:
        return None
    mine = Warband.objects.held_by(user).filter(terms=terms)
    return terms if mine.exists() or host().may_read_terms(user, terms) else None


def right_of(user: Any, warband: Warband) -> Right | None:
    """Return this person's highest right on the warband. No query for owners and for warbands from `warband_for`."""
    if not user.is_authenticated:
        return None
    if warband.owner_id == user.pk:
        return "own"
    known = getattr(warband, "right_of", None)  # set by `warband_for` when it fetched this object
    if known is not None and known[0] == user.pk:
        return known[1]  # type: ignore[no-any-return]
    if is_delegate(user, warband) or is_editor(user, warband):
        return "edit"
    return "read" if host().may_read(user, warband) else None


def is_delegate(user: Any, warband: Warband) -> bool:
    """Return whether this person is a delegate of the owner. No query for warbands from `warband_for`, else one."""
    acts_for = getattr(warband, "acts_for", None)
    if acts_for is None:
        acts_for = Delegate.objects.live().filter(warband=warband, user=user).exists()
    return bool(acts_for)


def is_editor(user: Any, warband: Warband) -> bool:
    """Return whether the host lets this person act on the warband. Only the host's queries."""
    return host().may_edit(user, warband)


def may(user: Any, warband: Warband, to: Right) -> bool:
    right = right_of(user, warband)
    return right is not None and _STRENGTH[right] >= _STRENGTH[to]


def warband_for(user: Any, pk: int | str, to: Right = "read") -> Warband:
    """Return the warband, with terms and owner loaded, if this person has the right `to` on it.

    One query for owner and delegates.

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
    warband = warbands.filter(pk=row_number(pk)).first()
    run = current_run()
    if warband is None or (run is not None and run.draft.warband_id != warband.pk):
        raise Http404
    _allow(user, warband, to)
    return warband


def fighter_for(user: Any, pk: int | str, to: Right = "read") -> Fighter:
    """Return the fighter with its warband loaded, on the roster or not. Checks the warband's rights. Two queries."""
    fighter: Fighter = _row_of_warband(Fighter.objects.live(), user, pk, to)
    return fighter


def item_for(user: Any, pk: int | str, to: Right = "edit") -> Item:
    """Return the item with its carrier and warband loaded. Checks the warband's rights. Two queries."""
    item: Item = _row_of_warband(Item.objects.live().select_related("fighter"), user, pk, to)
    return item


def draft_for(user: Any, pk: int | str, *, locked: bool = False) -> RosterDraft:
    """Return the draft with its warband loaded, if this signed-in person may edit the warband. One query.

    Raises:
        SubjectGone: there is none, or this person may not edit its warband. The answer is the same for both.
    """
    drafts = RosterDraft.objects.select_for_update(of=("self",), no_key=True) if locked else RosterDraft.objects.all()
    delegations = Delegate.objects.live().filter(warband=OuterRef("warband"), user=user)
    drafts = drafts.select_related("warband__terms", "warband__owner").annotate(acts_for=Exists(delegations))
    try:
        draft = drafts.filter(pk=row_number(pk), warband__is_undone=False).first()
        if draft is None:
            raise Http404
        draft.warband.acts_for = draft.acts_for
        _allow(user, draft.warband, "edit")
    except (Http404, PermissionDenied) as missing:
        raise SubjectGone(_("There is no such draft. It was applied or dropped, or it isn't yours.")) from missing
    return draft


def promise_for(user: Any, pk: int | str, to: Right = "edit") -> Promise:
    """Return the promise with its warband loaded. Checks the warband's rights. Two queries."""
    promise: Promise = _row_of_warband(Promise.objects.live(), user, pk, to)
    return promise


def _row_of_warband(rows: QuerySet[Any], user: Any, pk: int | str, to: Right) -> Any:
    row = rows.filter(pk=row_number(pk)).first()
    if row is None:
        raise Http404
    row.warband = warband_for(user, row.warband_id, to)
    return row


def profile_right(user: Any, profile: Profile) -> Right | None:
    """Return this person's highest right on a profile. No query for its owner, else those of `sharing_groups_of`
    and one more.

    In the campaign where it is shared, everybody may read it and administrators may change it. They own it if it has
    no owner. One that the site owner hides, only they and its owner read.
    """
    if not user.is_authenticated:
        return None
    if profile.owner_id == user.pk:
        return "own"
    if profile.terms_id is None:
        return None
    groups = [group for group in sharing_groups_of(user, profile.system) if group.terms == profile.terms_id]
    if any(group.runs for group in groups):
        return "edit" if profile.owner_id else "own"
    if not groups or profile.is_away or hidden(HiddenPage.Kind.PROFILE, profile.pk) is not None:
        return None
    return "read"


def profile_for(user: Any, pk: int | str, to: Right = "read") -> Profile:
    """Return the profile with its owner loaded, if this person has the right `to` on it.

    One query and those of `profile_right`.

    Raises:
        Http404: there is none, or this person may not even read it.
        PermissionDenied: this person may read it, but not do that.
    """
    profile = Profile.objects.live().select_related("owner").filter(pk=row_number(pk)).first()
    right = profile_right(user, profile) if profile is not None else None
    if profile is None or right is None:
        raise Http404
    if _STRENGTH[right] < _STRENGTH[to]:
        raise PermissionDenied(
            _("Only its owner can change this profile. Copy it, and change the copy.")
            if to == "edit"
            else _("Only its owner can do this.")
        )
    return profile


def profile_roles(user: Any, profile: Profile) -> frozenset[Any]:
    """Return this person's roles for a profile: its owner, or an administrator of the campaign where it is shared.

    Without an owner, the administrators count as owners. Queries of `profile_right`.
    """
    right = profile_right(user, profile)
    return frozenset({"own": {"owner"}, "edit": {"administrator"}}.get(right or "", ()))


def profiles_of(event: Event) -> list[Profile]:
    """Return the profiles that an event was about, in its order. One query, none if there are none."""
    keys = [subject.row_id for subject in event.subjects.all() if subject.label == Profile._meta.label]
    found = Profile.objects.in_bulk(keys) if keys else {}
    return [found[key] for key in keys if key in found]


def shared(slug: str) -> ShareLink:
    """Return the share link with this slug, its warband, terms and owner loaded. One query.

    Raises Http404 if it is revoked, or if the site owner hides it.
    """
    links = ShareLink.objects.live().filter(slug=slug, is_revoked=False, warband__is_undone=False)
    links = links.exclude(is_hidden(HiddenPage.Kind.WARBAND, "warband_id"))
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
        raise PermissionDenied(
            _("You can't change this warband.") if to == "edit" else _("Only its owner can do this.")
        )


def row_number(pk: int | str) -> int:
    """Return a primary key from an address. Raises Http404 for anything else."""
    number = _whole_number(pk)
    if number is None:
        raise Http404
    return number


def _whole_number(pk: int | str) -> int | None:
    try:
        number = int(pk)
    except (TypeError, ValueError):
        return None
    return number if 0 < number < 2**63 else None
