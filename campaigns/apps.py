"""The campaigns app: people, rounds, battles and what follows them."""

from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    """The app of campaigns. It is the host of warbands/."""

    name = "campaigns"

    def ready(self) -> None:
        """Answer the app below, and say what of a person's data is kept here."""
        from accounts.data import register_app
        from campaigns.account_data import CampaignData
        from campaigns.host import CampaignHost
        from warbands.host import set_host

        set_host(CampaignHost())
        register_app(CampaignData())
