"""The forms of rounds, battles and what follows them, and what all forms of the campaign pages share. They parse input and contain no business rules."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from warbands.forms import ActForm
from warbands.parsing import read_number

NO_CHOICE = {"required": gettext_lazy("Choose one."), "invalid_choice": gettext_lazy("Choose one from the list.")}


def day_input() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


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
