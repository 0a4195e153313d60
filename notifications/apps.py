"""The notifications app: word that reaches people by e-mail or on their devices, and the clock that runs what has its hour."""

from django.apps import AppConfig

from accounts.data import register_app
from config.backup.hooks import after_restore


class NotificationsConfig(AppConfig):
    name = "notifications"

    def ready(self) -> None:
        from notifications.account_data import NotificationData  # models are loaded only now
        from notifications.jobs import register_jobs
        from notifications.restored import hold_waiting

        register_app(NotificationData())
        register_jobs()
        after_restore.append(hold_waiting)
