"""The campaigns app: people, rounds, battles and what follows them."""

from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        """Register as the host of `warbands`, and as the owner of a person's campaign data."""
        from accounts.data import register_app
        from campaigns.account_data import CampaignData
        from campaigns.host import CampaignHost
        from warbands.host import set_host

        set_host(CampaignHost())
        register_app(CampaignData())
