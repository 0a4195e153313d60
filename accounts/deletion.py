"""Deletes an account: what prevents it, and which data stays for other people."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import ProtectedError, RestrictedError

from accounts.data import apps
from accounts.models import ApiToken, ResetLink, SecurityNote, Suspension, User


def deletion_blockers(user: User) -> list[str]:
    """Return a sentence for each thing that must be settled before this account can be deleted."""
    return [sentence for app in apps() for sentence in app.deletion_blockers(user)]


def delete_account(user: User) -> list[str]:
    """Delete the account and return an empty list; or change nothing and return the reasons against it.

    What a guest made is deleted whole, as nobody else has seen it.
    If records that others need refer to the person (a battle, a line of a campaign's history), the row stays
    without a name, address or password, and nobody can sign in to it. Otherwise it is deleted.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if blockers := deletion_blockers(user):
            return blockers
        for app in apps():
            if user.is_guest:
                app.delete_guest(user)
            app.delete_own(user)
        EmailAddress.objects.filter(user=user).delete()
        Suspension.objects.filter(user=user).delete()
        ResetLink.objects.filter(user=user).delete()
        SecurityNote.objects.filter(user=user).delete()
        ApiToken.objects.filter(user=user).delete()
        Authenticator.objects.filter(user=user).delete()
        UserSession.objects.filter(user=user).delete()
        try:
            with transaction.atomic():
                User.objects.get(pk=user.pk).delete()
        except (ProtectedError, RestrictedError):
            _strip(user)
    return []


def _strip(user: User) -> None:
    user.username = f"former player {user.pk}"  # contains a space, so that nobody can sign up with it
    user.email = user.first_name = user.last_name = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.set_unusable_password()
    user.groups.clear()
    user.user_permissions.clear()
    user.save()
