"""allauth's forms of the second step, with this site's labels."""

from __future__ import annotations

import struct
from typing import Any

from allauth.mfa.base import forms as base_forms
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.webauthn import forms as key_forms
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from django import forms
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.sign_in_forms import InOurWords
from accounts.validators import validate_visible

DIGITS = {"autocomplete": "one-time-code", "inputmode": "numeric", "autocapitalize": "none", "spellcheck": "false"}
LONGEST_NAME = 60
MOST_OF_AN_ANSWER = 60_000  # characters; a key's certificates are a few thousand


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


class KeyAnswerField(forms.JSONField):
    """What a browser answers about a key. A script of a stranger may send anything in its place."""

    def to_python(self, value: Any) -> Any:
        """Return the answer as data. Raises ValidationError if it is too large, nested too deeply, or no object."""
        try:
            read = super().to_python(value) if len(str(value)) <= MOST_OF_AN_ANSWER else None
        except RecursionError:
            read = None
        if read is None and value:
            raise not_read()
        if read is not None and not isinstance(read, dict):
            raise not_read()
        return read

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Return nothing: an answer counts once, so a form that is shown again asks for a new one."""
        return None


def not_read() -> forms.ValidationError:
    return forms.ValidationError(gettext("That key could not be read. Try again."), code="incorrect_code")


# What the library raises over an answer whose parts are not what they should be.
UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, struct.error, InvalidSignature, UnsupportedAlgorithm)


class InKeys(InOurWords):
    """A form with a key's answer, which refuses by a sentence what the library raises over."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["credential"] = KeyAnswerField(widget=forms.HiddenInput)  # type: ignore[attr-defined]


class InKeysOfOld(InKeys):
    def clean_credential(self) -> Any:
        """Check the answer. allauth's words for a key that does not fit are those of a wrong code."""
        try:
            return super().clean_credential()  # type: ignore[misc]
        except forms.ValidationError as error:
            raise forms.ValidationError(
                gettext("That key isn't one of yours, or it took too long. Try again."), code="key"
            ) from error
        except UNREADABLE as error:
            raise not_read() from error


class KeyForm(InKeysOfOld, key_forms.AuthenticateWebAuthnForm):
    """A key as the second step."""


class KeyAloneForm(InKeysOfOld, key_forms.LoginWebAuthnForm):
    """A passkey in place of the password."""


class KeyAgainForm(InKeysOfOld, key_forms.ReauthenticateWebAuthnForm):
    """A key again, before an important action."""


class AddKeyForm(InKeys, key_forms.AddWebAuthnForm):
    """A name for a new passkey or security key; a script fills in the key."""

    labels = {"name": _("Name"), "passwordless": _("Sign in with it alone")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit_name(self.fields["name"])
        self.fields["name"].help_text = _("Such as “my phone”.")
        self.fields["passwordless"].help_text = _("Your device then asks for your finger, face or PIN.")

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except UNREADABLE as error:
            raise not_read() from error


class RenameKeyForm(InOurWords, key_forms.EditWebAuthnForm):
    labels = {"name": _("Name")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit_name(self.fields["name"])
