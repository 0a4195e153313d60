"""allauth's forms, with this site's labels and without placeholders that repeat them."""

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.account.internal.flows.signup import complete_signup
from allauth.account.utils import user_pk_to_url_str
from allauth.core import context
from django import forms
from django.contrib import messages
from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.guests import is_guest, name_account
from accounts.models import User
from accounts.reset import has_address, is_by_hand, open_link, signed_link, use_link
from config.offline import BORROWED
from rules.problems import Refusal

LABELS = {
    "login": _("User name or e-mail"),
    "username": _("User name"),
    "email": _("E-mail"),
    "password": _("Password"),
    "oldpassword": _("Current password"),
    "password1": _("Password"),
    "password2": _("Repeat password"),
}
PASSWORD_HINT = _("At least 8 characters. Not a common password, your name or digits only.")


class InOurWords:
    labels: dict[str, Any] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():  # type: ignore[attr-defined]
            field.label = {**LABELS, **self.labels}.get(name, field.label)
            field.widget.attrs.pop("placeholder", None)
            if name == "password1":
                field.help_text = PASSWORD_HINT
            if isinstance(field.widget, forms.PasswordInput):
                # A script adds a button with these words.
                field.widget.attrs |= {"data-show": gettext("Show"), "data-hide": gettext("Hide")}

    def clean(self) -> dict[str, Any]:
        """Report two different passwords together with the faults of the first one."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data  # type: ignore[misc, attr-defined]
        first, second = (self.data.get(self.add_prefix(name), "") for name in ("password1", "password2"))  # type: ignore[attr-defined]
        told = self.errors.get("password2")  # type: ignore[attr-defined]
        if "password2" in self.fields and first and second and first != second and not told:  # type: ignore[attr-defined]
            self.add_error("password2", gettext("The two passwords differ."))  # type: ignore[attr-defined]
        return cleaned


class SignInForm(InOurWords, allauth_forms.LoginForm):
    """User name or e-mail, and password. On somebody else's computer, nothing is stored."""

    borrowed = forms.BooleanField(
        required=False,
        label=_("This is not my computer"),
        help_text=_("You are signed out when the browser closes. No drafts or pages are stored on it."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""  # the page has its own link for forgotten passwords
        self.fields["login"].widget.attrs |= {"autocomplete": "username", "autocapitalize": "none"}

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        response: HttpResponse = super().login(request, redirect_url)
        if self.cleaned_data["borrowed"]:
            request.session[BORROWED] = True
            request.session.set_expiry(0)
        return response


class SignUpForm(InOurWords, allauth_forms.SignupForm):
    """A user name and a password; an e-mail address if one likes. `account` is the account that it opened."""

    account: User | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs["autocapitalize"] = "none"
        self.fields["email"].help_text = _("To reset your password. You can also sign in with it.")

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [self["username"], self["password1"]]

    def save_account(self, request: HttpRequest) -> User:
        """Open the account, of the guest if the visitor is one. The caller signs the person in. Raises Refusal."""
        with transaction.atomic():
            user: User | None = self.try_save(request)[0]
            if user is None:
                raise Refusal(gettext("There is an account with this e-mail already."), code="taken")
            name_account(user)
        self.account = user
        return user

    def clean(self) -> dict[str, Any]:
        """Check the password against the typed name, even if that name is refused."""
        cleaned = super().clean()
        password = self.data.get("password1", "")
        typed = User(username=self.data.get("username", ""), email=self.data.get("email", ""))
        known = {error.code for error in self.errors.as_data().get("password1", ())}
        try:
            validate_password(password, typed)
        except forms.ValidationError as faults:
            if password:
                self.add_error("password1", [fault for fault in faults.error_list if fault.code not in known])
        return cleaned


def guest_sign_up(request: HttpRequest) -> SignUpForm | None:
    """Return the form that turns the guest into an account; None for everybody else."""
    return SignUpForm(request.POST or None) if is_guest(request.user) else None


def sign_in_new(request: HttpRequest, form: SignUpForm, *, onward: str) -> HttpResponse:
    """Sign in the account that the form opened, under a new session key, and lead onward."""
    response: HttpResponse = complete_signup(request, user=form.account, redirect_url=onward)
    return response


class AddAddressForm(InOurWords, allauth_forms.AddEmailForm):
    """One more e-mail address."""


class ChangePasswordForm(InOurWords, allauth_forms.ChangePasswordForm):
    labels = {"password1": _("New password")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.user.api_tokens.exists():
            words = gettext("Your tokens for programs end with the old password.")
            self.fields["password1"].help_text = f"{PASSWORD_HINT} {words}"


class SetPasswordForm(InOurWords, allauth_forms.SetPasswordForm):
    """A first password."""


class ForgottenPasswordForm(InOurWords, allauth_forms.ResetPasswordForm):
    """The e-mail address to which to send a reset link."""


class NewPasswordForm(InOurWords, allauth_forms.ResetPasswordKeyForm):
    labels = {"password1": _("New password")}

    def save(self) -> None:
        """Set the password. A link made by hand works once, and only if its maker could still make it."""
        link = signed_link(user_pk_to_url_str(self.user), self.temp_key) if is_by_hand(self.temp_key) else None
        if link is None:
            super().save()
        else:
            use_link(link, super().save)


class ResetKeyForm(allauth_forms.UserTokenForm):
    """The key at the end of a reset URL, from a mail or made by hand. Checked on opening and when the password is sent."""

    def clean(self) -> dict[str, Any]:
        """Find the person whose password the URL resets.

        People with an e-mail address get a mail; people without one get a link by hand.
        """
        uidb36, key = self.cleaned_data.get("uidb36", ""), self.cleaned_data.get("key", "")
        if not is_by_hand(key):
            cleaned: dict[str, Any] = super().clean()
            if not has_address(self._get_user(uidb36)):
                raise forms.ValidationError(gettext("This link no longer works."), code="unknown")
            return cleaned
        try:
            self.reset_user = open_link(uidb36, key).user
        except Refusal as refusal:
            messages.error(
                context.request, str(refusal)
            )  # the page itself is allauth's and does not show the form's error
            raise forms.ValidationError(str(refusal), code=refusal.code) from refusal
        return self.cleaned_data


class PasswordAgainForm(InOurWords, allauth_forms.ReauthenticateForm):
    """The password again, before an important action."""
