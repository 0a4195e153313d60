"""The app configuration of campaigns: people, rounds, battles and what follows them."""

from django.apps import AppConfig

from accounts.data import register_app
from warbands.host import set_host


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        """Register the app as the host of `warbands`, as the owner of a person's campaign data, and what it tells people and when."""
        from campaigns.account_data import CampaignData  # models are not loaded earlier
        from campaigns.host import CampaignHost
        from campaigns.jobs import register_jobs
        from campaigns.notifications import CampaignNotifications
        from notifications.kinds import register_source

        set_host(CampaignHost())
        register_app(CampaignData())
        register_source("campaigns", CampaignNotifications())
        register_jobs()
