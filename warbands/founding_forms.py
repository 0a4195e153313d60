"""The forms that found a warband, bring one, hand it over, share it and set it up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from rules.json_object import Unreadable, read_object
from rules.price import Price
from warbands.forms import CHOICE_PREFIX, MOST_DOCUMENT_BYTES, ActForm, ChoosingForm
from warbands.labels import has_shop, labels_of
from warbands.models import Terms


class FoundForm(ChoosingForm):
    """Form that starts a warband: its name, and what may also be chosen later."""

    name = forms.CharField(max_length=80, label=_("Name"), error_messages={"required": _("The warband needs a name.")})
    patron = forms.ChoiceField(
        required=False,
        label=_("Patron"),
        error_messages={"invalid_choice": _("This list can't have that patron.")},
    )
    ducats = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=20000,
        label=_("Start with a different amount of ducats"),
    )
    glory = forms.IntegerField(
        required=False, min_value=0, max_value=1000, label=_("Start with a different amount of glory")
    )

    def __init__(
        self,
        data: Any = None,
        *,
        patrons: Sequence[tuple[str, str]] = (),
        start_words: str = "",
        called: str = "warband",
        **kwargs: Any,
    ) -> None:
        super().__init__(data, **kwargs)
        self.fields["name"].error_messages["required"] = _("The {called} needs a name.").format(called=called)
        if patrons:
            self.fields["patron"].choices = [("", _("Choose later")), *patrons]
        else:
            del self.fields["patron"]
        if start_words:
            self.fields["ducats"].help_text = _("Leave empty for the usual {price}.").format(price=start_words)
        else:
            del self.fields["ducats"], self.fields["glory"]

    def budget(self, usual: Price) -> Price | None:
        """Return the starting budget if it differs from the default of the list, else None."""
        ducats, glory = self.cleaned_data.get("ducats"), self.cleaned_data.get("glory")
        if ducats is None and glory is None:
            return None
        return Price(ducats=usual.ducats if ducats is None else ducats, glory=usual.glory if glory is None else glory)

    @property
    def first_fields(self) -> list[forms.BoundField]:
        """Return the choices that the list cannot do without."""
        return [self[CHOICE_PREFIX + asked.key] for asked in self.asks if not asked.optional]

    @property
    def later_fields(self) -> list[forms.BoundField]:
        optional = [self[CHOICE_PREFIX + asked.key] for asked in self.asks if asked.optional]
        return [*optional, *(self[name] for name in ("patron", "ducats", "glory") if name in self.fields)]

    @property
    def opens_later(self) -> bool:
        return any(field.errors for field in self.later_fields)


class SampleForm(ActForm):
    sample = forms.CharField(max_length=120, widget=forms.HiddenInput)
    third_party = forms.BooleanField(required=False)


class ChangeForm(ChoosingForm):
    name = forms.CharField(max_length=80, label=_("Name"), error_messages={"required": _("The warband needs a name.")})
    patron = forms.ChoiceField(
        required=False, label=_("Patron"), error_messages={"invalid_choice": _("This list doesn't have that patron.")}
    )
    notes = forms.CharField(required=False, max_length=4000, label=_("Notes"), widget=forms.Textarea(attrs={"rows": 6}))

    def __init__(
        self, data: Any = None, *, patrons: Sequence[tuple[str, str]] = (), called: str = "warband", **kwargs: Any
    ) -> None:
        super().__init__(data, **kwargs)
        self.fields["name"].error_messages["required"] = _("The {called} needs a name.").format(called=called)
        if patrons:
            self.fields["patron"].choices = [("", _("None")), *patrons]
        else:
            del self.fields["patron"]

    @property
    def chosen(self) -> dict[str, Any]:
        """Return the choices made, with "" for each optional choice that was cleared."""
        cleared = {a.key: "" for a in self.asks if a.optional and self.initial.get(CHOICE_PREFIX + a.key)}
        return cleared | super().chosen

    @property
    def main_fields(self) -> list[forms.BoundField]:
        patron = [self["patron"]] if "patron" in self.fields else []
        return [self["name"], *patron, *self.choice_fields, self["notes"]]


class EndForm(ActForm):
    way = forms.ChoiceField(
        choices=[("disband", _("Disband")), ("archive", _("Archive")), ("restore", _("Restore"))],
        widget=forms.HiddenInput,
    )


class HandOverForm(ActForm):
    """An offer of a warband: `to` is a user name or an e-mail address, "" makes a link alone."""

    act = forms.CharField(required=False, max_length=10)
    to = forms.CharField(max_length=254, required=False)
    reason = forms.CharField(max_length=300, required=False)

    def clean(self) -> dict[str, Any]:
        """Refuse an offer without a name: nobody should make a link for anyone by mistake."""
        sent: dict[str, Any] = super().clean() or {}
        if sent.get("act") == "offer" and not sent.get("to", "").strip():
            self.add_error("to", _("Give a user name or an e-mail address."))
        return sent


class ProblemForm(ActForm):
    words = forms.CharField(required=False, max_length=1000, error_messages={"max_length": _("Up to 1000 characters.")})

    def clean_token(self) -> str:
        """Return the token, which a report cannot be without: it makes two presses one."""
        token: str = self.cleaned_data["token"]
        if not token:
            raise forms.ValidationError(_("Reload the page and try again."))
        return token


class DelegateForm(ActForm):
    username = forms.CharField(
        max_length=150, label=_("User name"), error_messages={"required": _("Give a user name.")}
    )
    remove = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        if data is not None and data.get("remove"):
            self.fields["username"].required = False


class LendForm(ActForm):
    lends = forms.TypedChoiceField(
        choices=[("1", _("Allow it")), ("0", _("Don't allow it"))], coerce=lambda value: value == "1"
    )


class ShareForm(ActForm):
    name = forms.CharField(
        required=False, max_length=60, label=_("Name"), help_text=_("Private note: who or what is this link for?")
    )
    shows_money = forms.BooleanField(required=False)
    shows_notes = forms.BooleanField(required=False, label=_("Show my notes"))
    revoke = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, terms: Terms, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        if has_shop(terms):
            labels = labels_of(terms)
            shown = _("Show the {strongbox} and the {stash}").format(
                strongbox=labels["strongbox_within"], stash=labels["stash_within"]
            )
            self.fields["shows_money"].label = shown
        else:
            self.fields["shows_money"].widget = forms.HiddenInput()


class ImportForm(ActForm):
    """Form of a roster document, pasted or uploaded as a file. `cleaned_data["document"]` is the decoded object."""

    text = forms.CharField(
        required=False,
        label=_("Roster document"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        help_text=_("Paste it here, or choose a file."),
    )
    file = forms.FileField(
        required=False, label=_("File"), widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"})
    )
    name = forms.CharField(
        required=False,
        max_length=80,
        label=_("Name of the warband"),
        help_text=_("Leave empty to use the name in the document."),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        upload: UploadedFile | None = data.get("file")
        if upload is not None:
            if (upload.size or 0) > MOST_DOCUMENT_BYTES:
                self.add_error("file", _("The file is larger than 1 MB; a roster is far smaller."))
                return data
            raw: bytes | str = upload.read()
            field = "file"
        else:
            pasted, field = str(data.get("text", "")), "text"
            raw = pasted
            if not pasted.strip():
                self.add_error("text", _("Nothing to read yet: paste a document or choose a file."))
                return data
            if len(pasted.encode("utf-8", "surrogatepass")) > MOST_DOCUMENT_BYTES:
                self.add_error("text", _("The text is larger than 1 MB; a roster is far smaller."))
                return data
        try:
            data["document"] = read_object(raw)
        except Unreadable as error:
            self.add_error(field, _("The document {error}.").format(error=error))
        return data


class LibraryImportForm(ImportForm):
    name = None  # type: ignore[assignment]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].label = _("Profiles")


class ShareProfileForm(ActForm):
    terms = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1, label=_("Campaign"))
    way = forms.ChoiceField(choices=[("share", _("Share")), ("unshare", _("Stop sharing"))])


class AwayForm(ActForm):
    way = forms.ChoiceField(choices=[("away", _("Archive")), ("back", _("Restore"))])
