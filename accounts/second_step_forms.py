"""allauth's forms of the second step, with this site's labels."""

from __future__ import annotations

from typing import Any

from allauth.mfa.base import forms as base_forms
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.webauthn import forms as key_forms
from django import forms
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _

from accounts.sign_in_forms import InOurWords
from accounts.validators import validate_visible

DIGITS = {"autocomplete": "one-time-code", "inputmode": "numeric", "autocapitalize": "none", "spellcheck": "false"}
LONGEST_NAME = 60


def limit_name(field: forms.Field) -> None:
    field.widget.attrs["maxlength"] = LONGEST_NAME
    field.validators += [MaxLengthValidator(LONGEST_NAME), validate_visible]


class InCodes(InOurWords):
    labels = {"code": _("Code")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["code"]  # type: ignore[attr-defined]
        field.widget.attrs |= DIGITS

    def clean_code(self) -> str:
        """Accept a code with the spaces that apps show in it."""
        self.cleaned_data["code"] = "".join(self.cleaned_data["code"].split())  # type: ignore[attr-defined]
        code: str = super().clean_code()  # type: ignore[misc]
        return code


class CodeForm(InCodes, base_forms.AuthenticateForm):
    """A code of the app, or one from the recovery sheet."""


class CodeAgainForm(InCodes, base_forms.ReauthenticateForm):
    """A code again, before an important action."""


class FirstCodeForm(InCodes, totp_forms.ActivateTOTPForm):
    """The first code of a new app, which shows that it works."""

    labels = {"code": _("Code that the app shows")}


class AddKeyForm(InOurWords, key_forms.AddWebAuthnForm):
    """A name for a new passkey or security key; a script fills in the key."""

    labels = {"name": _("Name"), "passwordless": _("Sign in with it alone")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit_name(self.fields["name"])
        self.fields["name"].help_text = _("Such as “my phone”.")
        self.fields["passwordless"].help_text = _("Your device then asks for your finger, face or PIN.")


class RenameKeyForm(InOurWords, key_forms.EditWebAuthnForm):
    labels = {"name": _("Name")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit_name(self.fields["name"])
