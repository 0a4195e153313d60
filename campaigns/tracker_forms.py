"""The forms of a table's pages. They parse, and decide nothing."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from django import forms
from django.utils.translation import gettext_lazy as _

from warbands.forms import ActForm

# What a press says besides its kind, in order; "-" stands for nothing.
PRESSES: dict[str, tuple[str, ...]] = {
    "marker": ("fighter", "marker", "change", "was"),
    "acted": ("fighter",),
    "down": ("fighter", "now"),
    "out": ("fighter", "by"),
    "out_by": ("fighter", "by"),
    "back": ("fighter",),
    "there": ("fighter", "now"),
    "side_there": ("side", "now"),
    "used": ("fighter", "item"),
    "score": ("side", "change", "was"),
    "initiative": ("side",),
    "pass": ("side",),
    "morale": ("side", "outcome"),
    "turn": ("turn", "anyway"),
    "played": ("turn",),
    "keep": ("side", "keeper"),
    "end": (),
    "reopen": (),
    "deed": (),
    "note": (),
    "add": (),
    "undo": (),
    "begin": (),
    "anew": (),
    "relay": (),
    "roll": (),
    "do": ("fighter", "roll", "given"),
}
OF_THE_FORM = {"deed": ("deed",), "note": ("side", "words"), "add": ("side", "name")}


class TableForm(ActForm):
    """A press at the table: "marker 88 blood 1 2" is what, whose, which, by how much, and from what figure."""

    press = forms.CharField(max_length=800, error_messages={"required": _("Nothing was pressed.")})
    deed = forms.CharField(required=False, max_length=80)
    who = forms.CharField(required=False, max_length=80)
    side = forms.CharField(required=False, max_length=20)
    words = forms.CharField(required=False, max_length=200)
    name = forms.CharField(required=False, max_length=60)
    roll = forms.CharField(required=False, max_length=40)
    source = forms.CharField(required=False, max_length=10)
    kept = forms.CharField(required=False, max_length=300)
    told = forms.CharField(required=False, max_length=60)
    first = forms.CharField(required=False, max_length=2)
    result = forms.CharField(required=False, max_length=60)
    turn = forms.IntegerField(required=False, min_value=0, max_value=99)
    saw = forms.CharField(required=False, max_length=600)

    def clean_press(self) -> str:
        kind, *rest = self.cleaned_data["press"].split() or [""]
        if kind not in PRESSES or len(rest) > max(1, len(PRESSES[kind])):
            raise forms.ValidationError(_("That is no button of this page."))
        return str(self.cleaned_data["press"])

    @property
    def pressed(self) -> list[str]:
        return str(self.cleaned_data["press"]).split()

    def act_data(self) -> dict[str, Any]:
        kind, *rest = self.pressed
        data: dict[str, Any] = {"kind": kind}
        for name, given in zip(PRESSES[kind], rest, strict=False):
            data[name] = "" if given == "-" else given
        for name in OF_THE_FORM.get(kind, ()):
            data[name] = self.cleaned_data[name]
        if kind in ("acted", "morale"):
            data["turn"] = self.shown_turn
        if kind == "deed":
            data["side"], _, data["fighter"] = self.cleaned_data["who"].partition(":")
        return data

    @property
    def rows(self) -> tuple[int, ...]:
        """Return the rows of a told result, after those told before: "h" is the row that was chosen first, a hit if none was."""
        data = self.cleaned_data
        words = [*data["told"].split(","), *data["result"].replace("h", data["first"] or "1").split(",")]
        return tuple(int(word) if word.isascii() and word.isdigit() and len(word) < 3 else -1 for word in words if word)

    @property
    def shown_turn(self) -> int:
        """Return the turn that the phone showed, 0 if it does not say."""
        return int(self.cleaned_data["turn"] or 0)

    @property
    def one_press(self) -> tuple[str, dict[str, str]]:
        """Return the roll or move of a press that leaves nothing to ask, and its answers."""
        _, _, roll, given, *_ = [*self.pressed, "", "", ""]
        return roll, dict(parse_qsl(given, keep_blank_values=True))

    @property
    def fighter(self) -> str:
        """Return the key of the press's fighter, "" if it was not a fighter's."""
        kind, *rest = self.pressed
        if kind == "roll":
            return str(self.data.get("fighter", ""))[:80]
        found = rest[0] if rest and PRESSES[kind][:1] == ("fighter",) else ""
        return "" if found == "-" else found
