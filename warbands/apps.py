"""The warbands app."""

from django.apps import AppConfig

from accounts.data import register_app


class WarbandsConfig(AppConfig):
    name = "warbands"

    def ready(self) -> None:
        """Put people's warbands and profiles into the export of their data, and say what of them goes with an account."""
        from warbands.account_data import WarbandData  # models are loaded only now

        register_app(WarbandData())
