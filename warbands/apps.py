"""The warbands app."""

from django.apps import AppConfig


class WarbandsConfig(AppConfig):
    """The app of warbands."""

    name = "warbands"

    def ready(self) -> None:
        """Put people's warbands and profiles into the export of their data, and say what of them goes with an account."""
        from accounts.deletion import register_farewell
        from accounts.export import register_exporter
        from warbands.account_deletion import delete_own_profiles
        from warbands.export import drafts_of, profiles_of, warbands_of

        register_farewell("profiles", delete_own_profiles)
        register_exporter("profiles", profiles_of)
        register_exporter("paper", drafts_of)
        register_exporter("warbands", warbands_of)
