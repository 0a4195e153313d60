"""What each app stores about a person: for the export, for deletion with the account, and what prevents that deletion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accounts.models import ResetLink, User


class AppData:
    """One app's share of a person's data. An app subclasses it and registers it when the site starts."""

    name = ""

    def exports(self, user: User) -> Mapping[str, Any]:
        """Everything the app holds about this person, as plain data under names that no other app uses."""
        return {}

    def deletion_blockers(self, user: User) -> Sequence[str]:
        """A sentence for each thing the person must settle before the account can go, each saying how."""
        return ()

    def delete_own(self, user: User) -> None:
        """Delete what is this person's alone, inside the transaction in which the account goes."""

    def reset_grounds(self) -> frozenset[str]:
        return frozenset()

    def refuse_reset_link(self, link: ResetLink) -> None:
        """Raise Refusal where a link made on a ground of this app could not be made now by whoever made it."""


_apps: dict[str, AppData] = {}


def register_app(app: AppData) -> None:
    """Add an app's share.

    Raises:
        ValueError: another app has this name.
    """
    if type(_apps.setdefault(app.name, app)) is not type(app):
        raise ValueError(f"Two apps keep data as {app.name!r}.")


def apps() -> list[AppData]:
    return [app for _, app in sorted(_apps.items())]
