"""One-use tokens of forms: two clicks on one form have one effect."""

import secrets


def new_token() -> str:
    """A token that no other form has."""
    return secrets.token_urlsafe(24)
