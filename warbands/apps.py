"""The warbands app."""

from pathlib import Path

from django.apps import AppConfig
from django.conf import settings

from accounts.data import register_app
from rules.content.overlays.states import look_also_in


class WarbandsConfig(AppConfig):
    name = "warbands"

    def ready(self) -> None:
        """Register the app's part of the account export and of the deletion of an account."""
        from warbands.account_data import WarbandData  # models are loaded only now

        register_app(WarbandData())
        if settings.OVERLAYS:
            look_also_in(Path(settings.OVERLAYS))
