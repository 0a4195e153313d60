"""People: who they are, how they sign in, and what they may take with them or have deleted."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts.data import register_app
        from accounts.export import AccountData
        from config.form_messages import use_our_words

        use_our_words()
        register_app(AccountData())
