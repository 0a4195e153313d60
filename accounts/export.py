"""All that the site holds about one person, as plain data. Each app registers its own share when it starts."""

from collections.abc import Callable
from typing import Any

from accounts.models import User

Exporter = Callable[[User], Any]

_exporters: dict[str, Exporter] = {}


def register_exporter(name: str, export: Exporter) -> None:
    """Add one share of the export: `export(user)` returns plain data, which stands under `name` in the file.

    Raises:
        ValueError: another function has this name.
    """
    if _exporters.setdefault(name, export) is not export:
        raise ValueError(f"Two exporters are called {name!r}.")


def exported_data(user: User) -> dict[str, Any]:
    """Return everything the site holds about this person, by the name of each share."""
    return {name: export(user) for name, export in sorted(_exporters.items())}


def export_account(user: User) -> dict[str, Any]:
    """Return what the account itself holds, the password left out. Two queries."""
    return {
        "user_name": user.username,
        "email_addresses": [
            {"address": address.email, "confirmed": address.verified, "main": address.primary}
            for address in user.emailaddress_set.order_by("pk")
        ],
        "joined": user.date_joined,
        "last_signed_in": user.last_login,
        "paper_size": user.paper_size,
        "colour_scheme": user.colour_scheme,
        "reset_links": [
            {
                "made_by": link.maker_name,
                "for": link.place,
                "made_at": link.made_at,
                "used_at": link.used_at,
                "refused_at": link.refused_at,
            }
            for link in user.reset_links.order_by("pk")
        ],
    }
