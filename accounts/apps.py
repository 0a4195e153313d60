"""The accounts app: users, sign-in, and the export and deletion of their data."""

from django.apps import AppConfig

from accounts.data import register_app
from config.form_messages import use_our_words


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts.export import AccountData  # models are loaded only now
        from accounts.security import listen

        use_our_words()
        register_app(AccountData())
        listen()
