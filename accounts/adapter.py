"""Where allauth asks us how things are done here."""

import logging
import smtplib
import unicodedata
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter

logger = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):
    """Lets people in even when the mail server is down."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name with look-alike forms of the same letters brought together, so that nobody enlists as somebody else's double."""
        cleaned: str = super().clean_username(unicodedata.normalize("NFKC", username), shallow=shallow)
        return cleaned

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send one mail; a mail server that fails is for the log, and the person's sign-up stands."""
        try:
            super().send_mail(template_prefix, email, context)
        except (smtplib.SMTPException, OSError):
            logger.exception("Mail %s was not sent", template_prefix)
