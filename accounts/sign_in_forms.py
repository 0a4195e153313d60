"""allauth's forms in the words of this site: a label above each field, and no placeholder that says it again."""

from typing import Any

from allauth.account import forms as allauth_forms
from django import forms
from django.http import HttpRequest, HttpResponse

from config.offline import BORROWED

LABELS = {
    "login": "User name or e-mail",
    "username": "User name",
    "email": "E-mail",
    "password": "Password",
    "oldpassword": "Your password now",
    "password1": "Password",
    "password2": "The same again",
}


class InOurWords:
    """Labels each field as this site does."""

    labels: dict[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():  # type: ignore[attr-defined]
            field.label = {**LABELS, **self.labels}.get(name, field.label)
            field.widget.attrs.pop("placeholder", None)
            if name == "password1":
                field.help_text = "At least 8 characters; no common one, not your name, not only digits."


class SignInForm(InOurWords, allauth_forms.LoginForm):
    """User name or e-mail, and password; on a computer of somebody else's nothing of it stays."""

    borrowed = forms.BooleanField(
        required=False,
        label="This is not my computer",
        help_text="You are signed out when the browser closes, and nothing is kept on it: no drafts, no pages.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""  # the page has its own link for the forgetful
        self.fields["login"].widget.attrs |= {"autocomplete": "username", "autocapitalize": "none"}

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        """Sign in, until the browser closes where it is not the person's own."""
        response: HttpResponse = super().login(request, redirect_url)
        if self.cleaned_data["borrowed"]:
            request.session[BORROWED] = True
            request.session.set_expiry(0)
        return response


class SignUpForm(InOurWords, allauth_forms.SignupForm):
    """A name, a password, and an address for whoever wants to be able to reset it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs["autocapitalize"] = "none"
        self.fields["email"].help_text = "Only to reset your password, and to sign in with if you like."


class AddAddressForm(InOurWords, allauth_forms.AddEmailForm):
    """One more e-mail address."""


class ChangePasswordForm(InOurWords, allauth_forms.ChangePasswordForm):
    """The old password and a new one."""

    labels = {"password1": "New password"}


class SetPasswordForm(InOurWords, allauth_forms.SetPasswordForm):
    """A first password."""


class ForgottenPasswordForm(InOurWords, allauth_forms.ResetPasswordForm):
    """Where to send the way back in."""


class NewPasswordForm(InOurWords, allauth_forms.ResetPasswordKeyForm):
    """A new password, after following the link in a mail."""

    labels = {"password1": "New password"}


class PasswordAgainForm(InOurWords, allauth_forms.ReauthenticateForm):
    """The password again, before something that matters."""
