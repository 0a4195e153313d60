"""How an account is deleted: what prevents it, and what stays for the others."""

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import ProtectedError, RestrictedError

from accounts.data import apps
from accounts.models import User


def deletion_blockers(user: User) -> list[str]:
    """Return a sentence for each thing that must be settled before this account can be deleted."""
    return [sentence for app in apps() for sentence in app.deletion_blockers(user)]


def delete_account(user: User) -> list[str]:
    """End the account and return an empty list; or return what stands in its way, and change nothing.

    Where records that others need point to the person (a battle, a line of a campaign's history), the row stays
    without a name, address or password, and nobody can sign in to it. Otherwise it goes entirely.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if blockers := deletion_blockers(user):
            return blockers
        for app in apps():
            app.delete_own(user)
        EmailAddress.objects.filter(user=user).delete()
        try:
            with transaction.atomic():
                User.objects.get(pk=user.pk).delete()
        except (ProtectedError, RestrictedError):
            _strip(user)
    return []


def _strip(user: User) -> None:
    user.username = f"former player {user.pk}"  # a blank in it: nobody can sign up under such a name
    user.email = user.first_name = user.last_name = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.set_unusable_password()
    user.groups.clear()
    user.user_permissions.clear()
    user.save()
