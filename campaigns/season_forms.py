"""The forms that start a campaign from another one: its next season, a copy, a preset."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from campaigns.forms import NO_CHOICE, day_input
from warbands.forms import ActForm

NO_NAME = {"required": gettext_lazy("The campaign needs a name.")}


class SeasonForm(ActForm):
    """The next season of a campaign: its name and first day, who comes along, and what becomes of the warbands."""

    name = forms.CharField(max_length=80, label=gettext_lazy("Name"), error_messages=NO_NAME)
    starts_on = forms.DateField(
        required=False,
        label=gettext_lazy("From"),
        widget=day_input(),
        error_messages={"invalid": gettext_lazy("A day, like 2026-09-01.")},
    )
    warbands = forms.ChoiceField(
        label=gettext_lazy("Warbands"),
        choices=(
            ("carried", gettext_lazy("Carry them over as they are")),
            ("new", gettext_lazy("Everybody starts a new one")),
        ),
        widget=forms.RadioSelect,
        initial="carried",
        error_messages=NO_CHOICE,
    )
    strongbox = forms.MultipleChoiceField(
        required=False,
        label=gettext_lazy("Carried in the strongbox"),
        choices=(("ducats", gettext_lazy("Ducats")), ("glory", gettext_lazy("Glory"))),
        widget=forms.CheckboxSelectMultiple,
        initial=("ducats", "glory"),
        help_text=gettext_lazy("Only for warbands that are carried over."),
    )
    seats = forms.MultipleChoiceField(
        label=gettext_lazy("Who comes along"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": gettext_lazy("Choose at least one player."),
            "invalid_choice": gettext_lazy("This player is no longer in the campaign."),
        },
    )

    def __init__(
        self, data: Any = None, *, seats: Iterable[tuple[str, str]] = (), has_strongbox: bool = True, **kwargs: Any
    ) -> None:
        super().__init__(data, **kwargs)
        self.fields["seats"].choices = list(seats)  # type: ignore[attr-defined]
        if not has_strongbox:
            del self.fields["strongbox"]

    @property
    def chosen(self) -> dict[str, Any]:
        sent = self.cleaned_data
        kept = sent.get("strongbox", ["ducats", "glory"])
        return {
            "name": sent["name"],
            "starts_on": sent["starts_on"],
            "carries": sent["warbands"] == "carried",
            "keeps_ducats": "ducats" in kept,
            "keeps_glory": "glory" in kept,
            "seats": [int(key) for key in sent["seats"]],
        }


class CampaignCopyForm(ActForm):
    name = forms.CharField(max_length=80, label=gettext_lazy("Name of the copy"), error_messages=NO_NAME)
    with_people = forms.BooleanField(required=False, label=gettext_lazy("Add its players, without warbands"))


class PresetForm(ActForm):
    name = forms.CharField(
        max_length=60,
        label=gettext_lazy("Name of the preset"),
        error_messages={"required": gettext_lazy("The preset needs a name.")},
    )


class PublicationForm(ActForm):
    """The editor's words of a gazette or a closing ceremony. Which facts are kept is read from the request."""

    title = forms.CharField(
        max_length=100, label=gettext_lazy("Title"), error_messages={"required": gettext_lazy("It needs a title.")}
    )
    opening = forms.CharField(
        required=False,
        max_length=3000,
        label=gettext_lazy("Your words at the start"),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    closing = forms.CharField(
        required=False,
        max_length=3000,
        label=gettext_lazy("Your words at the end"),
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    @property
    def words(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("title", "opening", "closing")}
