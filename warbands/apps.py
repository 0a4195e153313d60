"""The warbands app."""

from django.apps import AppConfig


class WarbandsConfig(AppConfig):
    name = "warbands"

    def ready(self) -> None:
        """Put people's warbands and profiles into the export of their data, and say what of them goes with an account."""
        from accounts.data import register_app
        from warbands.account_data import WarbandData

        register_app(WarbandData())
