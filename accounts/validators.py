"""Validators for names and passwords of people, wherever they are set: in a form, in the admin, on the console."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from rules.visible import fault_of_name


def validate_visible(name: str) -> None:
    """Raise ValidationError if a name contains invisible characters, or nothing else."""
    if fault := fault_of_name(name):
        raise ValidationError(fault, code="unseen")


class LeakedPasswordValidator:
    """Refuses a password that is known from a leak. Settings turn it on; else nothing of it is loaded.

    Only the first five characters of a hash leave the server, which thousands of passwords share (k-anonymity).
    """

    def __init__(self) -> None:
        from pwned_passwords_django.validators import PwnedPasswordsValidator  # brings an http client along

        self.library = PwnedPasswordsValidator(error_message=_("This password is known from a leak. Choose another."))

    def validate(self, password: str, user: Any = None) -> None:
        self.library.validate(password, user)

    def get_help_text(self) -> str:
        return str(_("Not a password that is known from a leak."))
