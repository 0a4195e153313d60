"""The forms of the campaign pages. They parse and render input, and contain no business rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import Campaign
from campaigns.settings_schema import CAMPAIGN_SETTINGS
from rules.roster_files.limits import MOST_UNPACKED_TOGETHER
from warbands.forms import ActForm, ChoosingForm, name_what
from warbands.import_targets import Score
from warbands.parsing import read_number

HOLDS = (
    ("now", gettext_lazy("from today")),
    ("day", gettext_lazy("from a day")),
    ("battle", gettext_lazy("from a battle number of each warband")),
)
NO_CHOICE = {"required": gettext_lazy("Choose one."), "invalid_choice": gettext_lazy("Choose one from the list.")}


def day_input() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


# --- opening and changing --------------------------------------------------------------------------------------------------------


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
            required=False, label=_("Holds"), choices=HOLDS, initial="now", error_messages=NO_CHOICE
        )
        self.fields["holds_day"] = forms.DateField(
            required=False,
            label=_("From the day"),
            widget=day_input(),
            error_messages={"invalid": _("A day, like 2026-09-01.")},
        )
        self.fields["holds_battle"] = forms.IntegerField(
            required=False,
            min_value=1,
            max_value=99,
            label=_("From the battle"),
            help_text=_("Counted for each warband."),
        )

    def clean(self) -> dict[str, Any]:
        """Convert lines of names to ids, and lines of names and numbers to dicts."""
        data = super().clean() or self.cleaned_data
        for setting in self.settings:
            read = {"ids": self._ids, "numbers": self._numbers, "prices": self._prices}.get(setting.kind)
            if read is not None and setting.key in data:
                try:
                    data[setting.key] = read(data[setting.key])
                except ValueError as error:
                    self.add_error(setting.key, str(error))
            elif setting.kind == "entries" and data.get(setting.key):
                for fault in self.faults(setting.key, data[setting.key])[:MAX_FAULTS]:
                    self.add_error(setting.key, fault)
        needed = {"day": "holds_day", "battle": "holds_battle"}.get(data.get("holds", ""))
        if needed and not data.get(needed) and needed not in self.errors:
            self.add_error(needed, _("Choose a day.") if needed == "holds_day" else _("Enter a battle number."))
        return data

    def _ids(self, text: str) -> list[str]:
        return [self._known(line) for line in text.splitlines() if line.strip()]

    def _numbers(self, text: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for line in (line.strip() for line in text.splitlines()):
            if not line:
                continue
            name, _, number = line.rpartition(":")
            figure = read_number(number)
            if not name.strip() or figure is None:
                raise ValueError(f"“{line[:60]}” is no name, colon and number, like “3: 900”.")
            name = name.strip()
            found[name if read_number(name) is not None else self._known(name)] = figure
        return found

    def _prices(self, text: str) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for line in (line.strip() for line in text.splitlines()):
            if not line:
                continue
            name, _, asked = line.rpartition(":")
            price = PRICE.fullmatch(asked.strip())
            if not name.strip() or price is None:
                raise ValueError(f"“{line[:60]}” is no name, colon and price, like “Bayonet: 3 d” or “Bayonet: 1 g”.")
            ducats, glory = (int(figure or 0) for figure in price.groups())
            found[self._known(name)] = {"ducats": ducats, "glory": glory}
        return found

    def _known(self, name: str) -> str:
        found = self.find(name)
        if not found:
            raise ValueError(f"The books know nothing called “{name.strip()[:60]}”.")
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
                    label=label, help_text=setting.words, required=False, min_value=-2000, max_value=20000
                ),
            )
        ]
    if setting.kind == "price":
        return [
            (
                f"{setting.key}_ducats",
                forms.IntegerField(
                    label=_("{label}, ducats").format(label=label),
                    help_text=setting.words,
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
        "ids": _("One name per line."),
        "numbers": _("One per line: name or battle number, colon, number."),
        "prices": _(
            "One per line: name, colon, price, like “Bayonet: 3 d”. “New Antioch: Bayonet: 3 d” is for that list only."
        ),
        "entries": _("TOML tables, like [[items]] and [[item_offers]]."),
    }[setting.kind]
    long = setting.kind == "entries"
    area = forms.Textarea(attrs={"rows": 12 if long else 3, "spellcheck": "false"})
    return [
        (
            setting.key,
            forms.CharField(
                label=label,
                help_text=f"{setting.words} {words}",
                required=False,
                max_length=16000 if long else 4000,
                widget=area,
            ),
        )
    ]


# --- people ------------------------------------------------------------------------------------------------------------------------


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


# --- rounds and battles ------------------------------------------------------------------------------------------------------------


class RoundForm(ActForm):
    starts_on = forms.DateField(
        required=False,
        label=gettext_lazy("From"),
        widget=day_input(),
        error_messages={"invalid": gettext_lazy("A day, like 2026-09-01.")},
    )
    ends_on = forms.DateField(
        required=False,
        label=gettext_lazy("Until"),
        widget=day_input(),
        error_messages={"invalid": gettext_lazy("A day, like 2026-09-01.")},
    )


class ChallengeForm(ActForm):
    """The buttons of the page of challenges: the other player, the row that a button is about, and a few words."""

    other = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    row = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    words = forms.CharField(required=False, max_length=200)


class RepairForm(ActForm):
    """The fields of all repairs; each of them reads its own."""

    words = forms.CharField(max_length=200, error_messages={"required": gettext_lazy("Give a reason.")})
    ducats = forms.IntegerField(required=False, min_value=-9999, max_value=9999)
    glory = forms.IntegerField(required=False, min_value=-9999, max_value=9999)
    fighter = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    item = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    item_id = forms.CharField(required=False, max_length=80)
    experience = forms.IntegerField(required=False, min_value=0, max_value=99)
    scars = forms.IntegerField(required=False, min_value=0, max_value=99)
    count = forms.IntegerField(required=False, min_value=0, max_value=99)
    points = forms.IntegerField(required=False, min_value=-9999, max_value=9999)
    version = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1)
    add = forms.CharField(required=False, max_length=200)
    remove = forms.CharField(required=False, max_length=200)
    detail = forms.CharField(required=False, max_length=80)
    left = forms.IntegerField(required=False, min_value=0, max_value=9999)


class AbsenceEndForm(ActForm):
    row = forms.IntegerField(min_value=1, max_value=2**63 - 1)


class DiscordForm(ActForm):
    address = forms.CharField(required=False, max_length=300)
    again = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)


class ReminderForm(ActForm):
    seat = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)


class AbsenceForm(ActForm):
    """Days away. `seat` is the place for which they hold; empty or 0 for all of the person's places."""

    seat = forms.IntegerField(required=False, min_value=0, max_value=2**63 - 1)
    starts_on = forms.DateField(
        label=gettext_lazy("From"),
        widget=day_input(),
        error_messages={
            "required": gettext_lazy("Enter the first day."),
            "invalid": gettext_lazy("A day, like 2026-09-01."),
        },
    )
    ends_on = forms.DateField(
        label=gettext_lazy("Until"),
        widget=day_input(),
        error_messages={
            "required": gettext_lazy("Enter the last day."),
            "invalid": gettext_lazy("A day, like 2026-09-01."),
        },
    )


class ScheduleForm(ActForm):
    """The form for a battle between seats, possibly with guests. Names and factions of guests come in rows."""

    round = forms.CharField(required=False, max_length=4)
    planned_for = forms.DateField(
        required=False,
        label=gettext_lazy("Day"),
        widget=day_input(),
        error_messages={"invalid": gettext_lazy("A day, like 2026-09-01.")},
    )


class MoveBattleForm(ActForm):
    planned_for = forms.DateField(
        required=False,
        label=gettext_lazy("Day"),
        widget=day_input(),
        error_messages={"invalid": gettext_lazy("A day, like 2026-09-01.")},
    )
    round = forms.CharField(required=False, max_length=4)


class RollForm(ActForm):
    """The form for the dice of a task. The faces are in `face_1`, `face_2` …

    A button "source" says where the dice come from. A face that is a button sends no source: it was typed.
    """

    at = forms.IntegerField(required=False, min_value=0, max_value=9999, widget=forms.HiddenInput)
    source = forms.ChoiceField(
        required=False,
        choices=[("app", "app"), ("typed", "typed")],
        error_messages={"invalid_choice": gettext_lazy("Choose one from the list.")},
    )

    def clean_source(self) -> str:
        source = str(self.cleaned_data["source"])
        if not source and not any(name.startswith("face_") for name in self.data):
            raise forms.ValidationError(_("Choose where the dice come from."))
        return source or "typed"

    @property
    def rolled(self) -> dict[str, Any]:
        """Return source and faces as the services expect them."""
        source = self.cleaned_data["source"]
        return {"source": source, "faces": self.faces if source == "typed" else ()}

    @property
    def faces(self) -> tuple[int, ...]:
        """Return the typed faces in order. A face that is not a number becomes 0, which no die shows."""
        typed = []
        for place in range(1, 41):
            value = str(self.data.get(f"face_{place}", "")).strip()
            if not value and f"face_{place + 1}" not in self.data:
                break
            typed.append(read_number(value) or 0)
        return tuple(typed)


class TaskForm(ActForm):
    task = forms.CharField(max_length=120, error_messages={"required": gettext_lazy("Choose something first.")})


class TaskRollForm(RollForm, TaskForm):
    """The form for the dice of one task of a sequence."""


class ChooseForm(TaskForm):
    """The form for a decision of a task, with its key and an answer in the format of its kind."""

    key = forms.CharField(max_length=80, error_messages={"required": gettext_lazy("Choose something first.")})
    kind = forms.ChoiceField(
        choices=[(kind, kind) for kind in ("one", "some", "allot", "number")], error_messages=NO_CHOICE
    )

    @property
    def value(self) -> Any:
        """Return the answer: a string, a list, a typed number, or counts by option."""
        return answer_of(self.cleaned_data["kind"], self.data)


def answer_of(kind: str, data: Any) -> Any:
    """Return the submitted decision from the fields `choice` (one, some, number) or `share_<option>` (allot)."""
    if kind == "some":
        return [value for value in data.getlist("choice") if value]
    if kind == "allot":
        return {name.removeprefix("share_"): data.get(name) or "0" for name in data if name.startswith("share_")}
    return data.get("choice", "")


class FlagForm(ActForm):
    side = forms.CharField(max_length=20, error_messages={"required": gettext_lazy("Choose a side.")})
    way = forms.ChoiceField(choices=[("stands", "stands"), ("mend", "mend")], error_messages=NO_CHOICE)
    words = forms.CharField(
        max_length=300,
        label=gettext_lazy("Why"),
        error_messages={"required": gettext_lazy("Give a reason. Your opponent can read it.")},
    )


class VoidForm(ActForm):
    words = forms.CharField(
        max_length=300, label=gettext_lazy("Why"), error_messages={"required": gettext_lazy("Give a reason.")}
    )


# --- captives ----------------------------------------------------------------------------------------------------------------------


class RansomForm(ActForm):
    act = forms.ChoiceField(
        choices=[(act, act) for act in ("price", "accept", "refuse", "withdraw", "let-go", "give-up")],
        error_messages=NO_CHOICE,
    )
    role = forms.ChoiceField(choices=[("owner", "owner"), ("captor", "captor")], error_messages=NO_CHOICE)
    offer = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    ducats = forms.IntegerField(required=False, max_value=10**6)


def first_wrong(form: forms.Form) -> tuple[str, str]:
    """Return the first field with an error and the error's words, ("", "") if there is none."""
    errors: Mapping[str, Any] = form.errors
    return next(((name, str(error)) for name, found in errors.items() for error in found), ("", ""))
