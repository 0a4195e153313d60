"""The warbands app."""

from django.apps import AppConfig

from accounts.data import register_app


class WarbandsConfig(AppConfig):
    name = "warbands"

    def ready(self) -> None:
        """Register the app's part of the account export and of the deletion of an account."""
        from warbands.account_data import WarbandData  # models are loaded only now

        register_app(WarbandData())
