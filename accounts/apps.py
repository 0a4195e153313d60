"""People: who they are, how they sign in, and what they may take with them or have deleted."""

from django.apps import AppConfig

from accounts.data import register_app
from config.form_messages import use_our_words


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts.export import AccountData  # models are loaded only now

        use_our_words()
        register_app(AccountData())
