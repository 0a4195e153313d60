"""Exports all data that the site stores about one person, as plain data. Each app registers its part when it starts."""

from collections.abc import Mapping
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession

from accounts.data import AppData, apps
from accounts.models import ResetLink, User
from accounts.security import words_of


class AccountData(AppData):
    name = "account"

    def exports(self, user: User) -> Mapping[str, Any]:
        return {"account": export_account(user)}


def exported_data(user: User) -> dict[str, Any]:
    return dict(sorted((name, data) for app in apps() for name, data in app.exports(user).items()))


def export_account(user: User) -> dict[str, Any]:
    """Return the data of the account itself, without the password and the secrets of a second step. Seven queries."""
    return {
        "user_name": user.username,
        "shown_name": user.first_name,
        "email_addresses": [
            {"address": address.email, "confirmed": address.verified, "main": address.primary}
            for address in user.emailaddress_set.order_by("pk")
        ],
        "joined": user.date_joined,
        "last_signed_in": user.last_login,
        "paper_size": user.paper_size,
        "colour_scheme": user.colour_scheme,
        "takes_reset_links": user.takes_reset_links,
        "reset_links_end_second_step": user.link_ends_second_step,
        "second_step": [
            {
                "kind": each.get_type_display(),
                "name": each.data.get("name", ""),
                "added_at": each.created_at,
                "used_at": each.last_used_at,
            }
            for each in Authenticator.objects.filter(user=user).order_by("pk")
        ],
        "signed_in_on": [
            {"browser": each.user_agent, "address": each.ip, "since": each.created_at}
            for each in UserSession.objects.filter(user=user).order_by("pk")
        ],
        "tokens": [
            {"name": each.name, "begins": each.shown, "made_at": each.made_at, "used_at": each.used_at}
            for each in user.api_tokens.order_by("pk")
        ],
        "changes_to_signing_in": [
            {"at": each.made_at, "what": words_of(each)} for each in user.security_notes.order_by("pk")
        ],
        "suspensions": [
            {"reason": each.reason, "from": each.made_at, "until": each.ended_at}
            for each in user.suspensions.order_by("pk")
        ],
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
        "reset_links_made_for_others": [
            {"for": link.place, "made_at": link.made_at, "used_at": link.used_at, "refused_at": link.refused_at}
            for link in ResetLink.objects.filter(maker=user).order_by("pk")
        ],
    }
