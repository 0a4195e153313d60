"""The forms of a report, of a battle that was not played, and of the answers to a report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from campaigns.forms import NO_CHOICE
from campaigns.models import Battle, Side
from warbands.forms import ActForm

REPORTED = (Battle.Kind.PLAYED, Battle.Kind.CONCEDED, Battle.Kind.ABANDONED)


class ReportForm(ActForm):
    """The report of a battle. The fields of a side carry its id; `report_data` puts them together."""

    result = forms.CharField(max_length=20, error_messages={"required": gettext_lazy("Who won? Choose one.")})
    kind = forms.ChoiceField(
        required=False,
        choices=[choice for choice in Battle.Kind.choices if choice[0] in REPORTED],
        error_messages=NO_CHOICE,
    )
    played_on = forms.DateField(
        required=False, error_messages={"invalid": gettext_lazy("Played on: a day, like 2026-11-14.")}
    )
    words = forms.CharField(required=False, max_length=2000)

    def report_data(self, sides: Iterable[Side], deeds: Iterable[str]) -> dict[str, Any]:
        data, keys = self.data, [str(side.pk) for side in sides]
        result = self.cleaned_data["result"]
        fallen = {**dict.fromkeys(keys, ()), **_by_side(data.getlist("out"))}
        out = {key: {each: data.get(f"by_{each}", "") for each in fighters} for key, fighters in fallen.items()}
        losses = _losses(data)
        report: dict[str, Any] = {
            "winner": result if result in keys else None,
            "outcome": "won" if result in keys else result,
            "points": {key: data.get(f"points_{key}", "0") for key in keys},
            "campaign_points": {key: data.get(f"extra_{key}", "0") for key in keys},
            "places": {key: data[f"place_{key}"] for key in keys if data.get(f"place_{key}")},
            "out": out,
            "deeds": _deeds(data, deeds),
            "used": _by_side(data.getlist("used")),
            **({"losses": losses} if losses else {}),
            "words": self.cleaned_data["words"],
        }
        if "took_shown" in data:
            took = _by_side(data.getlist("took"))
            report["took_part"] = {key: took.get(key, []) for key in data.getlist("took_shown") if key in keys}
        return report


def _deeds(data: Any, deeds: Iterable[str]) -> list[list[str]]:
    """Return each deed that was done, with who did it."""
    return [[deed, *data[f"deed_{deed}"].partition(":")[::2]] for deed in deeds if data.get(f"deed_{deed}")]


def _losses(data: Any) -> dict[str, dict[str, dict[str, str]]]:
    """Return the losses of rows of several. The name of each field holds side, row and part."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for field in data:
        head, _, rest = field.partition("_")
        side, _, rest = rest.partition("_")
        fighter, _, part = rest.partition("_")
        if head == "lost" and part and data[field].strip():
            found.setdefault(side, {}).setdefault(fighter, {})[part] = data[field].strip()
    return found


def _by_side(values: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for value in values:
        key, _, rest = value.partition(":")
        found.setdefault(key, []).append(rest)
    return found


def sent_report(data: Any) -> dict[str, Any]:
    lists = {name: data.getlist(name) for name in ("out", "took", "used")}
    if "took_shown" not in data:
        lists["took"] = None  # type: ignore[assignment]
    single = {name: data.get(name) for name in data if name not in lists}
    return {**single, **lists}


class UnplayedForm(ActForm):
    kind = forms.ChoiceField(choices=Battle.Kind.choices, error_messages=NO_CHOICE)
    winner = forms.CharField(required=False, max_length=20)
    words = forms.CharField(required=False, max_length=2000, label=gettext_lazy("In a sentence"))

    def agreed(self, sides: Iterable[str]) -> dict[str, Any] | None:
        """Return the agreed points by side; None if none were typed in, so that the campaign's default holds."""
        typed = {key: self.data.get(f"points_{key}", "").strip() for key in sides}
        return {key: value or "0" for key, value in typed.items()} if any(typed.values()) else None


class ConfirmForm(ActForm):
    """An answer to a report. `side` is empty for an answer for all sides that have none."""

    side = forms.CharField(required=False, max_length=20)
    number = forms.IntegerField(required=False, min_value=1, max_value=32767, widget=forms.HiddenInput)


class HereForm(ConfirmForm):
    """An answer given on somebody else's device, with the password of the side's player."""

    side = forms.CharField(max_length=20, error_messages={"required": gettext_lazy("Say who confirms.")})
    password = forms.CharField(
        max_length=200, strip=False, error_messages={"required": gettext_lazy("The password is asked for.")}
    )


class DisputeForm(ActForm):
    words = forms.CharField(
        max_length=500,
        label=gettext_lazy("What differs"),
        error_messages={"required": gettext_lazy("Say in a sentence what differs.")},
    )


class RefuseDraftForm(ActForm):
    reason = forms.CharField(
        max_length=500,
        label=gettext_lazy("Reason"),
        error_messages={"required": gettext_lazy("Give a reason.")},
    )


class FilledSheetForm(ActForm):
    file = forms.FileField(
        label=gettext_lazy("Filled-in sheet"),
        widget=forms.ClearableFileInput(attrs={"accept": ".pdf,application/pdf"}),
        error_messages={"required": gettext_lazy("Choose a file."), "empty": gettext_lazy("The file is empty.")},
    )


class DecideForm(ActForm):
    version = forms.CharField(
        max_length=20, error_messages={"required": gettext_lazy("Choose the version that stands.")}
    )
    words = forms.CharField(required=False, max_length=200)
    listed = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
