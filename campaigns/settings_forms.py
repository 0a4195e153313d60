"""The forms that open a campaign and change it: its name and days, its settings, and its house rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms import NO_CHOICE, day_input
from campaigns.models import Campaign
from campaigns.services.house_rules import LAST_BATTLE
from campaigns.settings_schema import CAMPAIGN_SETTINGS
from rules.formatting import figure
from warbands.forms import ActForm
from warbands.parsing import read_number

HOLDS = (
    ("now", gettext_lazy("from today")),
    ("day", gettext_lazy("from a day")),
    ("battle", gettext_lazy("from a battle number of each warband")),
)


class CampaignForm(ActForm):
    name = forms.CharField(
        max_length=80,
        label=gettext_lazy("Name"),
        error_messages={"required": gettext_lazy("The campaign needs a name.")},
    )
    starts_on = forms.DateField(
        required=False,
        label=gettext_lazy("From"),
        widget=day_input(),
        error_messages={"invalid": gettext_lazy("A day, like 2026-09-01.")},
    )
    rounds_planned = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=99,
        label=gettext_lazy("Rounds"),
        help_text=gettext_lazy("Leave empty if not decided."),
    )
    seen_by = forms.ChoiceField(
        label=gettext_lazy("Seen by"),
        choices=Campaign.SeenBy.choices,
        widget=forms.RadioSelect,
        initial=Campaign.SeenBy.PLAYERS,
        error_messages=NO_CHOICE,
    )
    rosters = forms.ChoiceField(
        label=gettext_lazy("Rosters"),
        choices=Campaign.Rosters.choices,
        widget=forms.RadioSelect,
        initial=Campaign.Rosters.OPEN,
        error_messages=NO_CHOICE,
    )
    dice = forms.ChoiceField(
        label=gettext_lazy("Dice"),
        choices=Campaign.Dice.choices,
        widget=forms.RadioSelect,
        initial=Campaign.Dice.EITHER,
        error_messages=NO_CHOICE,
    )
    notes = forms.CharField(
        required=False, max_length=4000, label=gettext_lazy("Note to players"), widget=forms.Textarea(attrs={"rows": 4})
    )

    @property
    def particulars(self) -> dict[str, Any]:
        kept = {key: self.cleaned_data[key] for key in ("name", "starts_on", "seen_by", "rosters", "dice", "notes")}
        return {**kept, "rounds_planned": self.cleaned_data["rounds_planned"] or 0}


class OpenForm(CampaignForm):
    """The form that opens a campaign. `game` is "game/edition", `preset` the key of a preset, or ""."""

    game = forms.ChoiceField(label=gettext_lazy("Game"), error_messages=NO_CHOICE)
    preset = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    field_order = ("name", "game", "starts_on", "rounds_planned", "seen_by", "rosters", "dice", "notes")

    def __init__(self, data: Any = None, *, games: Iterable[tuple[str, str]] = (), **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.fields["game"].choices = list(games)


class CampaignSettingsForm(ActForm):
    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        for setting in CAMPAIGN_SETTINGS:
            self.fields[setting.key] = _setting_field(setting)

    @property
    def chosen(self) -> dict[str, Any]:
        return {setting.key: self.cleaned_data[setting.key] for setting in CAMPAIGN_SETTINGS}


def _setting_field(setting: Any) -> forms.Field:
    if setting.kind == "number":
        return forms.IntegerField(
            label=setting.label,
            help_text=setting.words,
            min_value=setting.least,
            max_value=setting.most,
            initial=setting.default,
        )
    if setting.kind == "yes-no":
        return forms.BooleanField(label=setting.label, help_text=setting.words, required=False, initial=setting.default)
    return forms.ChoiceField(
        label=setting.label,
        help_text=setting.words,
        choices=list(setting.options),
        initial=setting.default,
        error_messages=NO_CHOICE,
    )


PRICE = re.compile(r"(?=[0-9])(?:([0-9]{1,4}) ?d(?:ucats)?)?,? ?(?:([0-9]{1,4}) ?g(?:lory)?)?")
MAX_FAULTS = 8
MOST_NUMBER = 9999  # of a limit, threshold or field strength


class RulesForm(ActForm):
    """The form for house rules or interpretations, with a field for each setting of the game.

    `find` turns a name into an id, "" for an unknown name. `faults` returns the errors in a campaign's own entries.
    """

    def __init__(
        self,
        data: Any = None,
        *,
        settings: Iterable[Any] = (),
        find: Callable[[str], str],
        label: Callable[[Any], str],
        faults: Callable[[str, str], Sequence[str]] = lambda key, text: (),
        **kwargs: Any,
    ) -> None:
        super().__init__(data, **kwargs)
        self.settings, self.find, self.faults = tuple(settings), find, faults
        for setting in self.settings:
            for name, field in _setting_fields(setting, label(setting)):
                self.fields[name] = field
        self.fields["holds"] = forms.ChoiceField(
            required=False, label=_("Applies"), choices=HOLDS, initial="now", error_messages=NO_CHOICE
        )
        self.fields["holds_day"] = forms.DateField(
            required=False,
            label=_("First day"),
            widget=day_input(),
            error_messages={"invalid": _("A day, like 2026-09-01.")},
        )
        self.fields["holds_battle"] = forms.IntegerField(
            required=False,
            min_value=1,
            max_value=LAST_BATTLE,
            label=_("First battle"),
            help_text=_("A battle number, like 4. Each warband counts its own battles."),
        )

    def clean(self) -> dict[str, Any]:
        """Convert lines of names to ids, and lines of names and numbers to dicts."""
        data = super().clean() or self.cleaned_data
        for setting in self.settings:
            read = {
                "ids": self._ids,
                "battles": self._battles,
                "numbers": self._numbers,
                "prices": self._prices,
            }.get(setting.kind)
            if read is not None and setting.key in data:
                self._read_lines(setting, data, read)
            if setting.kind in ("ids", "entries") and data.get(setting.key):
                for fault in self.faults(setting.key, data[setting.key])[:MAX_FAULTS]:
                    self.add_error(setting.key, fault)
        needed = {"day": "holds_day", "battle": "holds_battle"}.get(data.get("holds", ""))
        if needed and not data.get(needed) and needed not in self.errors:
            self.add_error(needed, _("Choose a day.") if needed == "holds_day" else _("Enter a battle number."))
        return data

    def _read_lines(self, setting: Any, data: dict[str, Any], read: Callable[[str], Iterator[tuple[Any, Any]]]) -> None:
        """Read each line of a field; a line that cannot be read is an error with its number."""
        found: dict[Any, Any] = {}
        faults: list[str] = []
        for number, line in enumerate(data[setting.key].splitlines(), 1):
            if not line.strip():
                continue
            try:
                found.update(read(line.strip()))
            except ValueError as error:
                faults.append(
                    _("Line {number}, “{line}”: {fault}").format(number=number, line=line.strip()[:60], fault=error)
                )
        data[setting.key] = list(found) if setting.kind == "ids" else found
        for fault in faults[:MAX_FAULTS]:
            self.add_error(setting.key, fault)

    def _ids(self, line: str) -> Iterator[tuple[str, None]]:
        yield self._known(line), None

    def _battles(self, line: str) -> Iterator[tuple[str, int]]:
        battle, _sep, figure = line.partition(":")
        number, value = read_number(battle), read_number(figure)
        if number is None or value is None:
            raise ValueError(_("write a battle number, a colon and a number, like “3: 900”."))
        if not 1 <= number <= LAST_BATTLE:
            raise ValueError(_("battles are numbered from 1 to {most}.").format(most=LAST_BATTLE))
        yield str(number), self._within(value)

    def _numbers(self, line: str) -> Iterator[tuple[str, int]]:
        name, _sep, figure = line.rpartition(":")
        value = read_number(figure)
        if not name.strip() or value is None:
            raise ValueError(_("write a name, a colon and a number, like “Bayonet: 4”."))
        yield self._known(name), self._within(value)

    def _prices(self, line: str) -> Iterator[tuple[str, dict[str, int]]]:
        name, _sep, asked = line.rpartition(":")
        price = PRICE.fullmatch(asked.strip())
        if not name.strip() or price is None:
            raise ValueError(_("write a name, a colon and a price, like “Bayonet: 3 d” or “Bayonet: 1 g”."))
        ducats, glory = (int(figure or 0) for figure in price.groups())
        yield self._known(name), {"ducats": ducats, "glory": glory}

    def _within(self, number: int) -> int:
        if number > MOST_NUMBER:
            raise ValueError(_("write a number from 0 to {most}.").format(most=MOST_NUMBER))
        return number

    def _known(self, name: str) -> str:
        found = self.find(name)
        if not found:
            raise ValueError(_("“{name}” isn't in the rules.").format(name=name.strip()[:60]))
        return found

    @property
    def when(self) -> dict[str, Any]:
        """Return when the change takes effect, as keyword arguments for the service; {} for now."""
        holds = self.cleaned_data.get("holds")
        return {holds: self.cleaned_data[f"holds_{holds}"]} if holds in ("day", "battle") else {}

    @property
    def chosen(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for setting in self.settings:
            if setting.kind == "price":
                ducats, glory = (
                    self.cleaned_data.get(f"{setting.key}_ducats"),
                    self.cleaned_data.get(f"{setting.key}_glory"),
                )
                found[setting.key] = {"ducats": ducats or 0, "glory": glory or 0} if ducats or glory else None
            elif setting.kind == "entries":
                found[setting.key] = (self.cleaned_data.get(setting.key) or "").replace("\r\n", "\n")
            else:
                found[setting.key] = self.cleaned_data.get(setting.key)
        return found


def _hint(setting: Any) -> str:
    """Return the sentence about a setting, with an example if it has one."""
    if not setting.example:
        return str(setting.words)
    return _("{words} Example: {example}.").format(words=setting.words, example=setting.example)


def _with_example(words: str, example: str) -> str:
    """Return a hint with an example of several lines, folded. It is HTML."""
    shown = _("Example")
    return format_html("{} <details><summary>{}</summary><pre>{}</pre></details>", words, shown, example)


def _setting_fields(setting: Any, label: str) -> list[tuple[str, forms.Field]]:
    if setting.kind == "yes-no":
        return [(setting.key, forms.BooleanField(label=label, help_text=setting.words, required=False))]
    if setting.kind == "choice":
        return [
            (
                setting.key,
                forms.ChoiceField(
                    label=label, help_text=setting.words, choices=list(setting.options), error_messages=NO_CHOICE
                ),
            )
        ]
    if setting.kind == "number":
        return [
            (
                setting.key,
                forms.IntegerField(
                    label=label,
                    help_text=_hint(setting),
                    required=False,
                    min_value=setting.least,
                    max_value=20000,
                    error_messages={"min_value": _("At least {least}.").format(least=figure(setting.least))},
                ),
            )
        ]
    if setting.kind == "price":
        return [
            (
                f"{setting.key}_ducats",
                forms.IntegerField(
                    label=_("{label}, ducats").format(label=label),
                    help_text=_hint(setting),
                    required=False,
                    min_value=0,
                    max_value=20000,
                ),
            ),
            (
                f"{setting.key}_glory",
                forms.IntegerField(
                    label=_("{label}, glory").format(label=label), required=False, min_value=0, max_value=1000
                ),
            ),
        ]
    words = {
        "ids": _("One name on each line, like “{example}”."),
        "battles": _("One battle on each line: battle number, colon, number, like “{example}”."),
        "numbers": _("One name on each line, then a colon and a number, like “{example}”."),
        "prices": _(
            "One name on each line, then a colon and a price, like “{example}”. “New Antioch: {example}” is for that list only."
        ),
        "entries": _("Write TOML tables."),
    }[setting.kind].format(example=setting.example)
    long = setting.kind == "entries"
    area = forms.Textarea(attrs={"rows": 12 if long else 3, "spellcheck": "false"})
    return [
        (
            setting.key,
            forms.CharField(
                label=label,
                help_text=_with_example(f"{setting.words} {words}", setting.example)
                if long
                else f"{setting.words} {words}",
                required=False,
                max_length=16000 if long else 4000,
                widget=area,
            ),
        )
    ]
