"""Password reset links that are handed over in person, for people without an e-mail address.

All conditions for making such a link are checked again when it is opened and when the password is sent. A link is valid
for two hours and works once. It ends with the person's next sign-in, with a newer link, and if the person forbids it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from allauth.account.forms import EmailAwarePasswordResetTokenGenerator
from allauth.account.models import EmailAddress
from allauth.account.utils import url_str_to_user_pk, user_pk_to_url_str
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.data import apps
from accounts.models import ResetLink, User
from accounts.security import end_second_step
from rules.problems import Refusal

PREFIX = "hand"
HOURS = 2

# --- making -----------------------------------------------------------------------------------------------------------


class _Signed(EmailAwarePasswordResetTokenGenerator):
    """Signs one link over the same state as reset mails (password, last sign-in, addresses) and its own number."""

    key_salt = "accounts.reset.by_hand"

    def __init__(self, link: ResetLink) -> None:
        super().__init__()
        self.link = link

    def _make_hash_value(self, user: AbstractBaseUser, timestamp: int) -> str:
        return f"{super()._make_hash_value(user, timestamp)}:{self.link.pk}"


def make_reset_link(*, user: User, maker: User, place: str, ground: str) -> str:
    """Make a link on this ground and return its path. Earlier links for the same person end.

    The caller has checked the conditions of the ground. Two or three queries.
    """
    end_reset_links(user)
    link = ResetLink.objects.create(user=user, maker=maker, maker_name=str(maker), place=place, ground=ground)
    key = f"{PREFIX}{link.pk}-{_Signed(link).make_token(user)}"
    return reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})


def end_reset_links(user: User) -> None:
    """End all unused links for this person. One query."""
    user.reset_links.filter(used_at=None, ended_at=None).update(ended_at=timezone.now())


def has_address(user: User) -> bool:
    """Return whether this person has an e-mail address, confirmed or not. At most one query."""
    return bool(user.email) or EmailAddress.objects.filter(user_id=user.pk).exists()


def refuse_unless_by_hand(user: User, actor: User) -> None:
    """Raise Refusal if the actor may not hand this person a reset link, e.g. if they have an address or forbid it."""
    if user.pk == actor.pk:
        raise Refusal(_("This is your own account."), mend=_("Change your password under Me."), code="own")
    if not user.is_active:
        raise Refusal(_("This account is closed."), code="closed")
    if user.is_staff or user.is_superuser:
        raise Refusal(_("{user} is a site owner. You can't reset that password.").format(user=user), code="staff")
    if has_address(user):
        raise Refusal(
            _("{user} has an e-mail address.").format(user=user),
            mend=_("Ask them to use “Forgot your password?” on the sign-in page."),
            code="has-mail",
        )
    if not user.takes_reset_links:
        raise Refusal(
            _("{user} doesn't accept reset links.").format(user=user),
            mend=_("They can change that under Me."),
            code="not-taken",
        )


# --- using ------------------------------------------------------------------------------------------------------------


def is_by_hand(key: str) -> bool:
    """Return whether the key at the end of a reset URL is that of a link made by hand."""
    return key.startswith(PREFIX)


def signed_link(uidb36: str, key: str) -> ResetLink | None:
    """Return the link of a URL, valid or not; None if it was never made. One or two queries."""
    number, _sep, token = key.removeprefix(PREFIX).partition("-")
    if not is_by_hand(key) or not (number.isascii() and number.isdigit() and len(number) < 19):
        return None
    link = ResetLink.objects.select_related("user", "maker").filter(pk=int(number)).first()
    try:
        user_pk = url_str_to_user_pk(uidb36)
    except ValueError:
        return None
    if link is None or link.user_id != user_pk:
        return None
    return link if link.used_at or _Signed(link).check_token(link.user, token) else None


def refuse_spent(link: ResetLink) -> None:
    """Raise Refusal if a link was used, has ended or is too old, or if its maker could no longer make it."""
    if link.used_at:
        raise Refusal(_("This link was already used."), mend=_("Ask for a new one."), code="used")
    if link.ended_at:
        raise Refusal(_("This link was replaced or cancelled."), mend=_("Ask for a new one."), code="ended")
    if link.made_at < timezone.now() - timedelta(hours=HOURS):
        raise Refusal(
            _("This link worked for {hours} hours.").format(hours=HOURS), mend=_("Ask for a new one."), code="run-out"
        )
    if link.maker is None or not link.maker.is_active:
        raise Refusal(_("The person who made this link has left."), mend=_("Ask for a new one."), code="no-maker")
    kind = link.ground.partition(":")[0]
    app = next((app for app in apps() if kind in app.reset_grounds()), None)
    if app is None:
        raise Refusal(_("This link no longer works."), mend=_("Ask for a new one."), code="ended")
    try:
        refuse_unless_by_hand(link.user, link.maker)
        app.refuse_reset_link(link)
    except Refusal as refusal:
        raise _told_to_its_person(refusal) from refusal


def _told_to_its_person(refusal: Refusal) -> Refusal:
    """Return the refusal of a link as its person reads it. Conditions are worded for the maker of a link."""
    message, mend = {
        "has-mail": (
            _("Your account has an e-mail address now."),
            _("Use “Forgot your password?” to get a link there."),
        ),
        "not-taken": (_("This account doesn't accept reset links."), _("Ask the site owner for a new password.")),
        "closed": (_("This account is closed."), _("The site owner can reopen it.")),
    }.get(
        refusal.code,
        (
            _("The person who made this link can no longer reset your password."),
            _("Ask another administrator or the site owner."),
        ),
    )
    return Refusal(message, mend=mend, code=refusal.code)


def open_link(uidb36: str, key: str) -> ResetLink:
    """Return the link of a URL if it is valid now. A refused link is recorded, so that its person is informed.

    Raises Refusal.
    """
    link = signed_link(uidb36, key)
    if link is None:
        raise Refusal(_("This link no longer works."), mend=_("Ask for a new one."), code="unknown")
    try:
        refuse_spent(link)
    except Refusal as refusal:
        if refusal.code != "used":
            ResetLink.objects.filter(pk=link.pk).update(
                refused_at=timezone.now(), refused_words=refusal.message[:200], is_told=False
            )
        raise
    return link


def use_link(link: ResetLink, set_password: Callable[[], None]) -> None:
    """Set the password with a link, once, and end the second step of who chose that beforehand.

    The link is checked a last time under a lock. Raises Refusal.
    """
    with transaction.atomic():
        locked = (
            ResetLink.objects.select_for_update(of=("self",), no_key=True)
            .select_related("user", "maker")
            .get(pk=link.pk)
        )
        refuse_spent(locked)
        set_password()
        if locked.user.link_ends_second_step:
            end_second_step(locked.user, by=locked.maker_name)
        locked.used_at, locked.is_told = timezone.now(), False
        locked.save(update_fields=["used_at", "is_told"])


# --- notices ----------------------------------------------------------------------------------------------------------


def told_of(link: ResetLink) -> str:
    """Return the notice to a person about a link made for them: who made it, when, and whether it was used."""
    maker = f"{link.maker_name} ({link.place})" if link.place else link.maker_name
    words = _("{maker} made a link to set your password on {day}. {outcome}")
    return words.format(maker=maker, day=_moment(link.made_at), outcome=_became_of(link))


def _became_of(link: ResetLink) -> str:
    if link.used_at:
        return _("A new password was set with it on {day}.").format(day=_moment(link.used_at))
    if link.refused_at:
        words = _("It was opened on {day} and refused: {why}")
        return words.format(day=_moment(link.refused_at), why=link.refused_words)
    if link.ended_at or link.made_at < timezone.now() - timedelta(hours=HOURS):
        return _("It was not used and no longer works.")
    return _("It was not used.")


def _moment(at: datetime) -> str:
    return f"{timezone.localtime(at):%-d %B %Y, %H:%M}"


def untold(user: User) -> list[str]:
    """Return unread notices about links made for this person, oldest first, and mark them read. One or two queries."""
    links = list(user.reset_links.filter(is_told=False).order_by("pk"))
    if links:
        ResetLink.objects.filter(pk__in=[link.pk for link in links]).update(is_told=True)
    return [told_of(link) for link in links]
