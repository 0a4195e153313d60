"""The interface through which each app exports a person's data, deletes it with the account, or prevents that deletion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accounts.models import ResetLink, User


class AppData:
    """One app's part of a person's data. An app subclasses it and registers an instance when the site starts."""

    name = ""

    def exports(self, user: User) -> Mapping[str, Any]:
        """Return everything that the app stores about this person, as plain data under names that no other app uses."""
        return {}

    def deletion_blockers(self, user: User) -> Sequence[str]:
        """Return a sentence for each thing that the person must settle before the account is deleted, and how."""
        return ()

    def delete_own(self, user: User) -> None:
        """Delete data that belongs to this person alone, inside the transaction that deletes the account."""

    def name_account(self, user: User) -> None:
        """Put the new account's name where the guest's name stood, inside the transaction that opens the account."""

    def take_over(self, guest: User, user: User) -> None:
        """Give everything that a guest made to an account, inside the transaction that ends the guest."""

    def delete_guest(self, guest: User) -> None:
        """Delete everything that a guest made, inside the transaction that deletes the guest."""

    def invites(self, path: str) -> bool:
        """Return whether this address is an open invitation, with which one may sign up where sign-up is not open."""
        return False

    def reset_grounds(self) -> frozenset[str]:
        return frozenset()

    def refuse_reset_link(self, link: ResetLink) -> None:
        """Raise Refusal if a link made on a ground of this app could not be made now by its maker."""


_apps: dict[str, AppData] = {}


def register_app(app: AppData) -> None:
    """Register an app's part.

    Raises:
        ValueError: the name is taken by another app.
    """
    if type(_apps.setdefault(app.name, app)) is not type(app):
        raise ValueError(f"Two apps keep data as {app.name!r}.")


def apps() -> list[AppData]:
    return [app for _, app in sorted(_apps.items())]
