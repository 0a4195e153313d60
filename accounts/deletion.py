"""How an account ends: what stands in its way, and what stays of it for the others."""

from collections.abc import Callable, Sequence

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import ProtectedError, RestrictedError

from accounts.models import User

Blocker = Callable[[User], Sequence[str]]
Farewell = Callable[[User], None]

_blockers: dict[str, Blocker] = {}
_farewells: dict[str, Farewell] = {}


def register_deletion_blocker(name: str, find: Blocker) -> None:
    """Add one thing that may keep an account from being deleted.

    `find(user)` returns a sentence for each thing the person must settle first, each saying how.

    Raises:
        ValueError: another function has this name.
    """
    if _blockers.setdefault(name, find) is not find:
        raise ValueError(f"Two deletion blockers are called {name!r}.")


def register_farewell(name: str, leave: Farewell) -> None:
    """Add one thing that is done before an account goes: `leave(user)` deletes what is this person's alone, inside the transaction.

    Raises:
        ValueError: another function has this name.
    """
    if _farewells.setdefault(name, leave) is not leave:
        raise ValueError(f"Two farewells are called {name!r}.")


def deletion_blockers(user: User) -> list[str]:
    """Return a sentence for each thing that must be settled before this account can be deleted."""
    return [sentence for _, find in sorted(_blockers.items()) for sentence in find(user)]


def delete_account(user: User) -> list[str]:
    """End the account and return an empty list; or return what stands in its way, and change nothing.

    Where records that others need point to the person (a battle, a line of a campaign's history), the row stays
    without a name, address or password, and nobody can sign in to it. Otherwise it goes entirely.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if blockers := deletion_blockers(user):
            return blockers
        for _, leave in sorted(_farewells.items()):
            leave(user)
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
