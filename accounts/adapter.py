"""Where allauth asks us how things are done here."""

import logging
import smtplib
import unicodedata
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import ValidationError

from accounts.names import TAKEN, is_taken

logger = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):
    """Lets people in even when the mail server is down."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": "User name and password do not go together.",
        "email_password_mismatch": "E-mail and password do not go together.",
        "incorrect_password": "This is not the password.",
        "enter_current_password": "The password as it is now is asked for.",
        "email_taken": "Somebody enlisted with this e-mail already.",
        "username_taken": TAKEN,
        "same_as_current": "This is what it is already.",
        "too_many_login_attempts": "Too many wrong passwords in a row. Wait five minutes.",
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name with look-alike forms of the same letters brought together, so that nobody enlists as somebody else's double.

        Nor under the name by which the club knows another person.
        """
        cleaned: str = super().clean_username(unicodedata.normalize("NFKC", username), shallow=shallow)
        if not shallow and is_taken(cleaned):
            raise ValidationError(TAKEN, code="taken")
        return cleaned

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send one mail; a mail server that fails is for the log, and the person's sign-up stands."""
        try:
            super().send_mail(template_prefix, email, context)
        except (smtplib.SMTPException, OSError):
            logger.exception("Mail %s was not sent", template_prefix)
