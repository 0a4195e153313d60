"""The app configuration of campaigns: people, rounds, battles and what follows them."""

from django.apps import AppConfig

from accounts.data import register_app
from warbands.host import set_host


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        """Register the app as the host of `warbands`, and as the owner of a person's campaign data."""
        from campaigns.account_data import CampaignData  # models are not loaded earlier
        from campaigns.host import CampaignHost

        set_host(CampaignHost())
        register_app(CampaignData())
