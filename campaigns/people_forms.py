"""The forms about the people of a campaign: joining, seats, files of rosters, notes, and the site owner's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.roster_files.limits import MOST_UNPACKED_TOGETHER
from warbands.forms import ActForm, ChoosingForm, name_what
from warbands.import_targets import Score


class JoinForm(ActForm):
    bring = forms.CharField(required=False, max_length=80)
    name = forms.CharField(
        required=False,
        max_length=80,
        label=gettext_lazy("Name in this campaign"),
        help_text=gettext_lazy("Leave empty to use your user name."),
    )


class FriendlyForm(ActForm):
    warband = forms.CharField(
        max_length=20, label=gettext_lazy("Warband"), error_messages={"required": gettext_lazy("Choose a warband.")}
    )


class NamedForm(ActForm):
    name = forms.CharField(
        max_length=80, label=gettext_lazy("Name"), error_messages={"required": gettext_lazy("Enter a name.")}
    )


class PlacesForm(ActForm):
    """The form for places of players without an account: one name on each line."""

    names = forms.CharField(max_length=6000, error_messages={"required": gettext_lazy("Enter a name.")})

    @property
    def listed(self) -> list[str]:
        return [line.strip() for line in self.cleaned_data["names"].splitlines() if line.strip()]


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files as pairs of name and bytes. Together they have at most 40 MB."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[tuple[str, bytes]]:
        files = [
            super(FilesField, self).clean(one, initial) for one in (data if isinstance(data, list) and data else [None])
        ]
        if sum(file.size or 0 for file in files) > MOST_UNPACKED_TOGETHER:
            raise forms.ValidationError(_("Together the files have more than 40 MB."))
        return [(file.name, file.read()) for file in files]


class BulkFilesForm(forms.Form):
    files = FilesField(
        label=gettext_lazy("Roster files"),
        help_text=gettext_lazy("Several files, or a .zip of them. Up to 60 files and 40 MB."),
        allow_empty_file=True,
        max_length=200,
        error_messages={"required": gettext_lazy("Choose at least one file.")},
    )


class CampaignFileForm(forms.Form):
    """A campaign of another server, as one file of 32 MB at most."""

    MOST = 32 * 1024 * 1024

    file = forms.FileField(
        label=gettext_lazy("Campaign file"),
        help_text=gettext_lazy("The other server’s administrators download it from “Next season, copies and presets”."),
        max_length=200,
        error_messages={
            "required": gettext_lazy("Choose a file."),
            "empty": gettext_lazy("The file is empty."),
            "max_length": gettext_lazy("The file’s name is too long."),
        },
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > self.MOST:
            raise forms.ValidationError(_("The file has more than 32 MB. Import it from the console."))
        return file


class BulkPlacesForm(ActForm):
    """The places of brought files. Their fields are named after the files, so the view reads them."""


class OpeningForm(ActForm):
    """The form for results that a seat earned before the campaign moved to this site."""

    points = forms.IntegerField(required=False, min_value=0, max_value=9999, label=gettext_lazy("Victory points"))
    games = forms.IntegerField(required=False, min_value=0, max_value=999, label=gettext_lazy("Battles fought"))
    won = forms.IntegerField(required=False, min_value=0, max_value=999, label=gettext_lazy("Battles won"))
    drawn = forms.IntegerField(required=False, min_value=0, max_value=999, label=gettext_lazy("Battles drawn"))
    lost = forms.IntegerField(required=False, min_value=0, max_value=999, label=gettext_lazy("Battles lost"))

    @property
    def score(self) -> Score:
        """Return the score; empty fields count as 0."""
        return Score(**{name: self.cleaned_data[name] or 0 for name in ("points", "games", "won", "drawn", "lost")})


class UserForm(ActForm):
    username = forms.CharField(
        max_length=150, label=gettext_lazy("User name"), error_messages={"required": gettext_lazy("Enter a user name.")}
    )


class PersonForm(ActForm):
    user = forms.IntegerField(min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)


class WordsForm(ActForm):
    words = forms.CharField(required=False, max_length=500, label=gettext_lazy("One sentence"))


class ContactNoteForm(ActForm):
    note = forms.CharField(required=False, max_length=500)
    row = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class ReasonForm(ActForm):
    reason = forms.CharField(required=False, max_length=300)


class HideForm(ReasonForm):
    address = forms.CharField(required=False, max_length=300)


class ReportStateForm(ActForm):
    state = forms.CharField(required=False, max_length=10)
    note = forms.CharField(required=False, max_length=500)


class SeatReadyForm(ActForm):
    """The form that takes a ready warband for a seat."""

    sample = forms.CharField(max_length=80, error_messages={"required": gettext_lazy("Choose a warband.")})


class SeatFoundForm(ChoosingForm):
    """The form that founds a warband for a seat, with name, patron, and the choices of the list."""

    name = forms.CharField(
        max_length=80,
        label=gettext_lazy("Name of the warband"),
        error_messages={"required": gettext_lazy("The warband needs a name.")},
    )
    patron = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Patron"),
        error_messages={"invalid_choice": gettext_lazy("This list doesn't have that patron.")},
    )

    def __init__(
        self, data: Any = None, *, patrons: Iterable[tuple[str, str]] = (), called: str = "warband", **kwargs: Any
    ) -> None:
        super().__init__(data, **kwargs)
        name_what(self, called)
        patrons = list(patrons)
        if patrons:
            self.fields["patron"].choices = [("", _("Not yet")), *patrons]
        else:
            del self.fields["patron"]

    @property
    def main_fields(self) -> list[forms.BoundField]:
        patron = [self["patron"]] if "patron" in self.fields else []
        return [self["name"], *self.choice_fields, *patron]
