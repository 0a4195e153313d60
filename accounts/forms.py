"""Forms of the account page."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.lookalikes import TAKEN, is_taken, tidied
from accounts.models import User
from accounts.reset import end_reset_links
from accounts.validators import validate_visible


class PreferencesForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ("first_name", "paper_size", "colour_scheme", "takes_reset_links", "link_ends_second_step")
        labels = {
            "first_name": _("Name shown to your club"),
            "paper_size": _("Paper for printing"),
            "colour_scheme": _("Light or dark"),
            "takes_reset_links": _("Reset links from an administrator"),
            "link_ends_second_step": _("These links also turn off my second step"),
        }
        widgets = {"paper_size": forms.RadioSelect, "colour_scheme": forms.RadioSelect}

    def clean_first_name(self) -> str:
        """Return the normalized name. It is refused if it has invisible characters, or looks like another person's."""
        name = tidied(self.cleaned_data["first_name"])
        if is_taken(name, by_other_than=self.instance):
            raise forms.ValidationError(TAKEN, code="taken")
        validate_visible(self.cleaned_data["first_name"])
        return name

    def save(self, commit: bool = True) -> User:
        """Save the preferences. If the person wants no reset links by hand, end all earlier ones."""
        user: User = super().save(commit)
        if not user.takes_reset_links:
            end_reset_links(user)
        return user


class DeletionForm(forms.Form):
    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if user.is_guest:
            del self.fields["password"]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError(gettext("Wrong password."))
        return password
