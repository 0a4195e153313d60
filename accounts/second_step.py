"""The second step at sign-in: how allauth's part of it is adapted to this site."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.qr import code_of


class SecondStep(DefaultMFAAdapter):
    """Keeps secrets encrypted with the site's key, draws codes as the rest of the site does, and speaks our words."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("That code isn't right. Try the next one."),
        "cannot_generate_recovery_codes": _("Set up a second step first."),
    }

    def build_totp_svg(self, url: str) -> str:
        return str(code_of(url))

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        return gettext("My device")

    def encrypt(self, text: str) -> str:
        """Return a secret as the database keeps it: a stolen copy of the tables opens no account."""
        return _keys().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return a kept secret; a new, unknown one if the site's key is another by now.

        Then no code is right. An empty secret would have codes that everybody can work out.
        """
        try:
            return _keys().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            return secrets.token_hex(20).upper()


def _keys() -> MultiFernet:
    """Return the keys made of SECRET_KEY and of those before it, the newest first."""
    known = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(urlsafe_b64encode(sha256(f"second step:{key}".encode()).digest())) for key in known])
