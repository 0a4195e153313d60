"""Reset links handed over in person, for people who left no e-mail address.

Whatever is asked when such a link is made is asked again when it is opened and when the password is sent. A link lives two hours,
works once, and ends with the next sign-in, with a newer link, and where its person wants none.
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

from accounts.data import apps
from accounts.models import ResetLink, User
from rules.problems import Refusal

PREFIX = "hand"
HOURS = 2

# --- making -----------------------------------------------------------------------------------------------------------


class _Signed(EmailAwarePasswordResetTokenGenerator):
    """Signs one link: with what reset mails are bound to (password, last sign-in, addresses), and with its own number."""

    key_salt = "accounts.reset.by_hand"

    def __init__(self, link: ResetLink) -> None:
        super().__init__()
        self.link = link

    def _make_hash_value(self, user: AbstractBaseUser, timestamp: int) -> str:
        return f"{super()._make_hash_value(user, timestamp)}:{self.link.pk}"


def make_reset_link(*, user: User, maker: User, place: str, ground: str) -> str:
    """Make a link on this ground and return its path. Those made before for the same person end.

    The caller has asked what the ground asks; two or three queries.
    """
    end_reset_links(user)
    link = ResetLink.objects.create(user=user, maker=maker, maker_name=str(maker), place=place, ground=ground)
    key = f"{PREFIX}{link.pk}-{_Signed(link).make_token(user)}"
    return reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})


def end_reset_links(user: User) -> None:
    """Put an end to the links made for this person that were not used. One query."""
    user.reset_links.filter(used_at=None, ended_at=None).update(ended_at=timezone.now())


def has_address(user: User) -> bool:
    """Whether a mail can reach this person, confirmed or not. At most one query."""
    return bool(user.email) or EmailAddress.objects.filter(user_id=user.pk).exists()


def refuse_unless_by_hand(user: User, actor: User) -> None:
    """Raise Refusal where nobody may hand this person a reset link: it is for those without mail who did not forbid it."""
    if user.pk == actor.pk:
        raise Refusal("This seat is your own.", mend="Change your password on your own page.", code="own")
    if not user.is_active:
        raise Refusal("This account is closed.", code="closed")
    if user.is_staff or user.is_superuser:
        raise Refusal(f"{user} runs this site; nobody else resets that password.", code="staff")
    if has_address(user):
        raise Refusal(
            f"{user} has an e-mail address.",
            mend="“Forgotten?” on the sign-in page sends the link there.",
            code="has-mail",
        )
    if not user.takes_reset_links:
        raise Refusal(f"{user} takes no reset links by hand.", mend="That is set on one's own page.", code="not-taken")


# --- using ------------------------------------------------------------------------------------------------------------


def is_by_hand(key: str) -> bool:
    """Whether the end of a reset address says that somebody made it by hand."""
    return key.startswith(PREFIX)


def signed_link(uidb36: str, key: str) -> ResetLink | None:
    """The link behind an address, whether it still works or not; None for one that was never made. One or two queries."""
    number, _, token = key.removeprefix(PREFIX).partition("-")
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
    """Raise Refusal where a link was used, has ended or is too old, or could not be made by its maker any more."""
    if link.used_at:
        raise Refusal("This link was used already.", mend="Ask for a new one.", code="used")
    if link.ended_at:
        raise Refusal("This link was replaced or called off.", mend="Ask for a new one.", code="ended")
    if link.made_at < timezone.now() - timedelta(hours=HOURS):
        raise Refusal(f"This link worked for {HOURS} hours.", mend="Ask for a new one.", code="run-out")
    if link.maker is None or not link.maker.is_active:
        raise Refusal("The person who made this link is no longer here.", mend="Ask for a new one.", code="no-maker")
    refuse_unless_by_hand(link.user, link.maker)
    kind = link.ground.partition(":")[0]
    app = next((app for app in apps() if kind in app.reset_grounds()), None)
    if app is None:
        raise Refusal("This link no longer works.", mend="Ask for a new one.", code="ended")
    app.refuse_reset_link(link)


def open_link(uidb36: str, key: str) -> ResetLink:
    """The link behind an address, if it works now. One that was made and is refused is noted, for its person to read of.

    Raises Refusal.
    """
    link = signed_link(uidb36, key)
    if link is None:
        raise Refusal("This link no longer works.", mend="Ask for a new one.", code="unknown")
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
    """Set the password by a link, once: it is judged a last time under lock. Raises Refusal."""
    with transaction.atomic():
        locked = ResetLink.objects.select_for_update(of=("self",)).select_related("user", "maker").get(pk=link.pk)
        refuse_spent(locked)
        set_password()
        locked.used_at, locked.is_told = timezone.now(), False
        locked.save(update_fields=["used_at", "is_told"])


# --- telling ----------------------------------------------------------------------------------------------------------


def told_of(link: ResetLink) -> str:
    """What a person is shown about a link made for them: who made it, when, and whether it was used."""
    maker = f"{link.maker_name} ({link.place})" if link.place else link.maker_name
    return f"{maker} made a link to set your password, {_moment(link.made_at)}. {_became_of(link)}"


def _became_of(link: ResetLink) -> str:
    if link.used_at:
        return f"A new password was set with it, {_moment(link.used_at)}."
    if link.refused_at:
        return f"Somebody opened it, {_moment(link.refused_at)}, and it was refused: {link.refused_words}"
    if link.ended_at or link.made_at < timezone.now() - timedelta(hours=HOURS):
        return "It was not used, and no longer works."
    return "It was not used."


def _moment(at: datetime) -> str:
    return f"{timezone.localtime(at):%-d %B %Y, %H:%M}"


def untold(user: User) -> list[str]:
    """What this person was not told yet of links made for them, oldest first; it counts as told from now on. One query or two."""
    links = list(user.reset_links.filter(is_told=False).order_by("pk"))
    if links:
        ResetLink.objects.filter(pk__in=[link.pk for link in links]).update(is_told=True)
    return [told_of(link) for link in links]
