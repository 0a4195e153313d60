"""What the site owner may do: suspend accounts and hide public pages, each with a reason, and take both back."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import HiddenPage, Suspension, User
from accounts.security import end_second_step
from accounts.sessions import end_sessions
from rules.problems import Refusal

LONGEST = 300


def is_site_owner(user: Any) -> bool:
    return bool(user.is_authenticated and user.is_active and (user.is_staff or user.is_superuser))


def refuse_others(user: Any) -> None:
    """Raise Http404 for everybody but the site owner: to others these pages do not exist."""
    if not is_site_owner(user):
        raise Http404


def suspend(*, user: User, reason: str, actor: User) -> Suspension:
    """Let somebody sign in no longer, and end their sessions. What they made stays where it is.

    Raises Refusal without a reason, for oneself, for a guest, for another site owner, and for who is suspended already.
    """
    words = _reason(reason)
    if user.pk == actor.pk:
        raise Refusal(_("You can't suspend yourself."), code="self")
    if is_site_owner(user):
        raise Refusal(_("{user} runs this site too.").format(user=user), mend=_("Take that right away first."))
    with transaction.atomic():
        row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if not row.is_active or row.is_guest:
            raise Refusal(_("{user} can't sign in anyway.").format(user=row), code="no-change")
        made = Suspension.objects.create(user=row, reason=words, by=actor)
        row.is_active = False
        row.save(update_fields=["is_active"])
        end_sessions(row)
    return made


def lift(*, user: User, actor: User) -> Suspension:
    """Let somebody sign in again. Raises Refusal if they are not suspended."""
    with transaction.atomic():
        row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        suspension = Suspension.objects.filter(user=row, ended_at=None).first()
        if suspension is None:
            raise Refusal(_("{user} isn't suspended.").format(user=row), code="no-change")
        suspension.ended_at, suspension.ended_by = timezone.now(), actor
        suspension.save(update_fields=["ended_at", "ended_by"])
        row.is_active = True
        row.save(update_fields=["is_active"])
    return suspension


def suspension_of(user: Any) -> Suspension | None:
    return Suspension.objects.filter(user=user, ended_at=None).first()


def end_step_of(*, user: User, reason: str, actor: User) -> None:
    """Turn off the second step of somebody who lost it, with a reason that they read.

    Raises Refusal without a reason, for oneself, for another site owner, and where there is none.
    """
    words = _reason(reason)
    if user.pk == actor.pk:
        raise Refusal(_("This is your own account."), mend=_("Turn it off under Me."), code="self")
    if is_site_owner(user):
        raise Refusal(_("{user} runs this site too.").format(user=user), mend=_("Take that right away first."))
    with transaction.atomic():
        row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if not end_second_step(row, by=str(actor), reason=words):
            raise Refusal(_("{user} has no second step.").format(user=row), code="no-change")


# --- hidden pages -----------------------------------------------------------------------------------------------------


def hide(*, kind: Any, row: int, reason: str, actor: User) -> HiddenPage:
    """Hide the public pages of a campaign, a warband or a profile. Raises Refusal without a reason, or if they are hidden."""
    words = _reason(reason)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=actor.pk)
        if hidden(kind, row) is not None:
            raise Refusal(_("This is hidden already."), code="no-change")
        return HiddenPage.objects.create(kind=kind, row=row, reason=words, by=actor)


def show_again(*, page: HiddenPage, actor: User) -> HiddenPage:
    """Show hidden pages again. Raises Refusal if they are shown already."""
    changed = HiddenPage.objects.filter(pk=page.pk, ended_at=None).update(ended_at=timezone.now(), ended_by=actor)
    if not changed:
        raise Refusal(_("This is shown already."), code="no-change")
    page.refresh_from_db()
    return page


def hidden(kind: Any, row: int) -> HiddenPage | None:
    """Return why the public pages of something are hidden, None if they are not. One query."""
    return HiddenPage.objects.filter(kind=kind, row=row, ended_at=None).first()


def hidden_words(kind: Any, row: int) -> str:
    """Return the sentence for whoever owns a hidden page, "" if it is shown. One query."""
    found = hidden(kind, row)
    return _("The site owner hides this from the public: “{reason}”").format(reason=found.reason) if found else ""


def is_hidden(kind: Any, key: str) -> Exists:
    """Return a condition for a query: the row with this key (a field of the query) is hidden."""
    return Exists(HiddenPage.objects.filter(kind=kind, row=OuterRef(key), ended_at=None))


def _reason(text: str) -> str:
    words = " ".join(text.split())
    if not words:
        raise Refusal(_("Give a reason."), code="no-words", field="reason")
    if len(words) > LONGEST:
        raise Refusal(_("The reason can have {most} characters.").format(most=LONGEST), code="text", field="reason")
    return words
