"""Reset links handed over in person, for people who left no e-mail address."""

from __future__ import annotations

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.urls import reverse

from accounts.models import User
from rules.problems import Refusal


def reset_path(user: User) -> str:
    """The path at which this person sets a new password; it works once, for as long as reset mails do."""
    key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
    uidb36, _, token = key.partition("-")
    return reverse("account_reset_password_from_key", kwargs={"uidb36": uidb36, "key": token})


def refuse_unless_by_hand(user: User, actor: User) -> None:
    """Raise Refusal where nobody may hand this person a reset link: it is for those without mail who did not forbid it."""
    if user.pk == actor.pk:
        raise Refusal("This seat is your own.", mend="Change your password on your own page.", code="own")
    if user.is_staff or user.is_superuser:
        raise Refusal(f"{user} runs this site; nobody else resets that password.", code="staff")
    if user.email:
        raise Refusal(
            f"{user} has an e-mail address.",
            mend="“Forgotten?” on the sign-in page sends the link there.",
            code="has-mail",
        )
    if not user.takes_reset_links:
        raise Refusal(f"{user} takes no reset links by hand.", mend="That is set on one's own page.", code="not-taken")
