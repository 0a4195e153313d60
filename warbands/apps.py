"""The warbands app."""

from django.apps import AppConfig


class WarbandsConfig(AppConfig):
    """The app of warbands."""

    name = "warbands"

    def ready(self) -> None:
        """Put people's warbands into the export of their data."""
        from accounts.export import register_exporter
        from warbands.export import drafts_of, warbands_of

        register_exporter("paper", drafts_of)
        register_exporter("warbands", warbands_of)
