"""Forms of the warband pages. They parse and display values and contain no rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from rules.parts.choice import ChoiceAsked

MOST_DOCUMENT_BYTES = 1024 * 1024
LAST_PLACE = 10_000
SEVERAL = 3  # how many the second button of a hire takes


class ActForm(forms.Form):
    """Base form of every act, with a one-use token and the roster version that the form was rendered from."""

    token = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    seen = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)

    @property
    def once(self) -> dict[str, Any]:
        return {"token": self.cleaned_data["token"], "seen": self.cleaned_data["seen"]}


CHOICE_PREFIX = "choice_"


class ChoosingForm(ActForm):
    """Form of an act that may ask for choices. It has one field for each choice, named after the choice's key."""

    def __init__(
        self, data: Any = None, *, asks: Sequence[ChoiceAsked] = (), strict: bool = True, **kwargs: Any
    ) -> None:
        super().__init__(data, **kwargs)
        self.asks = tuple(asks)
        for asked in self.asks:
            self.fields[CHOICE_PREFIX + asked.key] = _choice_field(asked, strict)

    @property
    def chosen(self) -> dict[str, Any]:
        """Return the choices made, by key, without those left open."""
        found = {}
        for asked in self.asks:
            value = self.cleaned_data.get(CHOICE_PREFIX + asked.key)
            if value:
                found[asked.key] = value
        return found

    @property
    def choice_fields(self) -> list[forms.BoundField]:
        return [self[CHOICE_PREFIX + asked.key] for asked in self.asks]


def name_what(form: forms.Form, called: str) -> None:
    name = form.fields["name"]
    name.label = _("Name of the {called}").format(called=called)
    name.error_messages["required"] = _("The {called} needs a name.").format(called=called)


FEW = 6
OPTION = '<span class="choice-words">{} <span class="meta">{}</span></span>'


def _told(name: str, summary: str) -> str:
    return format_html(OPTION, name, summary) if summary else name


def _choice_field(asked: ChoiceAsked, strict: bool) -> forms.Field:
    required = strict and not asked.optional
    if asked.kind != "options":
        return _typed_field(asked, required)
    words = {"required": _("Choose one."), "invalid_choice": _("Choose one from the list.")}
    if asked.count > 1:
        return forms.MultipleChoiceField(
            label=asked.words,
            choices=list(asked.options),
            required=required,
            widget=forms.CheckboxSelectMultiple,
            help_text=_("Choose {count}.").format(count=asked.count),
            error_messages={**words, "required": _("Choose {count}.").format(count=asked.count)},
        )
    options = list(asked.options)
    if len(options) <= FEW and not asked.optional:
        told = dict(asked.summaries)
        options = [(value, _told(name, told.get(value, ""))) for value, name in options]
        return forms.ChoiceField(
            label=asked.words, choices=options, required=required, widget=forms.RadioSelect, error_messages=words
        )
    usual = dict(options).get(asked.usual)
    nothing = (
        [("", _("As usual: {usual}").format(usual=usual) if usual else _("Choose one"))]
        if "" not in dict(options)
        else []
    )
    return forms.ChoiceField(label=asked.words, choices=[*nothing, *options], required=required, error_messages=words)


def _typed_field(asked: ChoiceAsked, required: bool) -> forms.Field:
    """Return the text or number field of a choice; a text field suggests frequent values."""
    if asked.kind == "number":
        return forms.IntegerField(
            label=asked.words,
            required=required,
            min_value=1,
            max_value=asked.most,
            widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        )
    proposed = ", ".join(words for _, words in asked.options)
    return forms.CharField(
        label=asked.words,
        required=required,
        max_length=asked.most,
        help_text=_("For example {proposed}.").format(proposed=proposed) if proposed else "",
    )


MOST_AT_ONCE = 12  # fighters that one purchase may equip


class OfferForm(ActForm):
    """Form that takes an offer: once, or (`several`) three times."""

    offer = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    several = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        data["times"] = SEVERAL if data.get("several") and not data.get("offer") else 1
        data["offer"] = data.get("offer") or data.get("several")
        if not data["offer"] and not self.errors:
            raise forms.ValidationError(_("Nothing was chosen."))
        return data


class KitForm(ActForm):
    """Form that buys a whole kit, or one offer, for a fighter and perhaps for others."""

    kit = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    offer = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    same = forms.BooleanField(required=False, widget=forms.HiddenInput)
    also = forms.TypedMultipleChoiceField(required=False, coerce=int, widget=forms.MultipleHiddenInput)

    def __init__(self, data: Any, *, others: Sequence[int]) -> None:
        super().__init__(data)
        self.fields["also"].choices = [(pk, str(pk)) for pk in others]  # type: ignore[attr-defined]

    def clean_also(self) -> list[int]:
        also: list[int] = self.cleaned_data["also"]
        if len(also) > MOST_AT_ONCE:
            raise forms.ValidationError(_("Choose at most {n} fighters.").format(n=MOST_AT_ONCE))
        return also


class OfferChoosingForm(ChoosingForm):
    """Form that takes an offer with choices. For a hire it can also ask for the fighter's name."""

    offer = forms.CharField(
        max_length=200, widget=forms.HiddenInput, error_messages={"required": _("Nothing was chosen.")}
    )
    name = forms.CharField(
        required=False, max_length=80, label=_("Name"), help_text=_("Leave it empty to get a name from the list.")
    )

    def __init__(self, data: Any = None, *, named: bool = False, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        if not named:
            del self.fields["name"]


class ChoiceForm(ActForm):
    choice = forms.CharField(max_length=120, widget=forms.HiddenInput)
    value = forms.CharField(max_length=120, label=_("Choice"), error_messages={"required": _("Choose one.")})

    @property
    def made(self) -> dict[str, str]:
        return {"key": self.cleaned_data["choice"], "value": self.cleaned_data["value"]}


class NameForm(ActForm):
    name = forms.CharField(max_length=80, label=_("Name"), error_messages={"required": _("Enter a name.")})


class CopyForm(ActForm):
    name = forms.CharField(
        required=False,
        max_length=80,
        label=_("Name of the copy"),
        help_text=_("Leave empty for a suggested name."),
    )
    times = forms.IntegerField(required=False, min_value=1, max_value=6, widget=forms.HiddenInput)


class NoteForm(ActForm):
    notes = forms.CharField(required=False, max_length=2000, label=_("Note"), widget=forms.Textarea(attrs={"rows": 5}))


class MoveForm(ActForm):
    direction = forms.ChoiceField(
        label=_("Where to"),
        required=False,
        choices=[
            ("up", _("One place up")),
            ("down", _("One place down")),
            ("top", _("To the top")),
            ("bottom", _("To the end")),
        ],
        widget=forms.RadioSelect,
        initial="up",
    )
    place = forms.IntegerField(required=False, min_value=1, max_value=LAST_PLACE, widget=forms.HiddenInput)

    @property
    def where(self) -> dict[str, Any]:
        """Return the target position as the service expects it: a direction, or a place in the section."""
        if place := self.cleaned_data["place"]:
            return {"position": place}
        wanted = self.cleaned_data["direction"] or "up"
        ends = {"top": 1, "bottom": LAST_PLACE}
        return {"position": ends[wanted]} if wanted in ends else {"direction": wanted}


class WayForm(ActForm):
    way = forms.CharField(
        max_length=40, label=_("How"), error_messages={"required": _("Choose how the fighter leaves.")}
    )


class ItemForm(ActForm):
    """Form of an act on an item. `at` names the page that shows the answer, `fighter` is the fighter who gets the item."""

    at = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)
    fighter = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)


class SwapForm(ActForm):
    other = forms.ChoiceField(
        label=_("Swap it for"),
        error_messages={"required": _("Choose a piece."), "invalid_choice": _("It is no longer there.")},
    )

    def __init__(self, data: Any = None, *, others: Iterable[tuple[str, str]] = (), **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.fields["other"].choices = list(others)


# --- drafts ---------------------------------------------------------------------------------------------------------------


class DraftListForm(ActForm):
    """Form that starts a draft, or drops the one whose id is in `drop`."""

    name = forms.CharField(required=False, max_length=60)
    drop = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class DraftApplyForm(ActForm):
    revision = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1)


class DraftChangeForm(ActForm):
    """Form that renames a draft, or removes the changes with the numbers in `remove`."""

    name = forms.CharField(required=False, max_length=60)
    remove = forms.TypedMultipleChoiceField(
        required=False, coerce=int, choices=[(str(number), "") for number in range(1, 1000)]
    )


# --- founding and settings ------------------------------------------------------------------------------------------------
