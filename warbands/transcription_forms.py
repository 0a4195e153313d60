"""What the pages of a paper roster send: rows of names to type ahead, a fighter, the warband itself, a pasted text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.import_text import MOST_CHARACTERS
from rules.roster_files.limits import MOST_SENT
from rules.transcription import PaperData, PaperFighter, PaperPiece, PaperWound
from warbands.forms import ActForm

LONGEST, MOST_ROWS = 200, 60
NUMBER = {"min_value": 0, "max_value": 999, "required": False}
MONEY = {"min_value": 0, "max_value": 100_000, "required": False}


def _typed(book: str, label: str) -> forms.TextInput:
    return forms.TextInput(
        attrs={
            "list": f"{book}_names",
            "autocomplete": "off",
            "autocapitalize": "words",
            "aria-label": label,
            "spellcheck": "false",
        }
    )


class RowsForm(forms.Form):
    """A form with rows that repeat: `kit_0`, `kit_1`, ... Empty rows are left out of what comes of it."""

    def add_rows(self, name: str, book: str, label: str, count: int, *, found: bool = False, detail: str = "") -> None:
        """Add rows of one kind. `found` gives each a tick, `detail` a second field."""
        for number in range(min(count, MOST_ROWS)):
            words = f"{label} {number + 1}"
            self.fields[f"{name}_{number}"] = forms.CharField(
                required=False, max_length=LONGEST, label=words, widget=_typed(book, words)
            )
            if found:
                self.fields[f"{name}_{number}_found"] = forms.BooleanField(required=False, label="found")
            if detail:
                hint = f"{words}: {detail}"
                self.fields[f"{name}_{number}_detail"] = forms.CharField(
                    required=False, max_length=LONGEST, label=hint, widget=_typed("details", hint)
                )

    def rows(self, name: str) -> list[dict[str, Any]]:
        """The rows of one kind as a template draws them: field, and tick or detail where there is one."""
        drawn = []
        for number in range(MOST_ROWS):
            key = f"{name}_{number}"
            if key not in self.fields:
                break
            row: dict[str, Any] = {"field": self[key]}
            for part in ("found", "detail"):
                if f"{key}_{part}" in self.fields:
                    row[part] = self[f"{key}_{part}"]
            drawn.append(row)
        return drawn

    def typed(self, name: str) -> Iterable[tuple[str, dict[str, Any]]]:
        """What was typed into the rows of one kind: the text, and tick and detail beside it."""
        for number in range(MOST_ROWS):
            key = f"{name}_{number}"
            if key not in self.fields:
                break
            text = (self.cleaned_data.get(key) or "").strip()
            if text:
                yield text, {part: self.cleaned_data.get(f"{key}_{part}") for part in ("found", "detail")}


def sent_rows(data: Mapping[str, Any] | None, name: str) -> int:
    """How many rows of a kind were sent, so that a form reads all of them."""
    if data is None:
        return 0
    return next((n for n in range(MOST_ROWS, 0, -1) if f"{name}_{n - 1}" in data), 0)


class PaperFighterForm(RowsForm):
    name = forms.CharField(
        required=False,
        max_length=80,
        label=gettext_lazy("Name"),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "words", "placeholder": gettext_lazy("Name of its profile")}
        ),
    )
    profile = forms.CharField(
        max_length=LONGEST,
        label=gettext_lazy("Profile"),
        widget=_typed("profiles", gettext_lazy("Profile")),
        error_messages={"required": gettext_lazy("Which profile?")},
    )
    experience = forms.IntegerField(label=gettext_lazy("Experience"), **NUMBER)
    promoted = forms.BooleanField(required=False, label=gettext_lazy("Promoted to ELITE"))
    misses_next = forms.BooleanField(required=False, label=gettext_lazy("Misses the next battle"))
    scars = forms.IntegerField(
        label=gettext_lazy("Scars in total"),
        help_text=gettext_lazy("If your paper counts more scars than it names."),
        **NUMBER,
    )
    status = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Status"),
        choices=[
            ("active", gettext_lazy("On the roster")),
            ("captive", gettext_lazy("Held captive")),
            ("dead", gettext_lazy("Dead")),
            ("retired", gettext_lazy("Retired")),
        ],
    )
    notes = forms.CharField(
        required=False, max_length=2000, label=gettext_lazy("Note"), widget=forms.Textarea(attrs={"rows": 2})
    )
    told = forms.CharField(required=False, max_length=400, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, fighter: PaperFighter | None = None, more: int = 0, **kwargs: Any) -> None:
        kept = fighter or PaperFighter("")
        initial: dict[str, Any] = {
            "name": kept.name, "profile": kept.profile, "experience": kept.experience or None, "promoted": kept.promoted,
            "misses_next": kept.misses_next, "scars": kept.scars, "status": kept.status, "notes": kept.notes, **_of_pieces("kit", kept.kit),
            **{f"skill_{n}": text for n, text in enumerate(kept.skills)},
            **{f"wound_{n}": wound.text for n, wound in enumerate(kept.wounds)},
            **{f"wound_{n}_detail": wound.detail for n, wound in enumerate(kept.wounds)},
        }  # fmt: skip
        super().__init__(data, initial=initial, **kwargs)
        self.add_rows("kit", "kit", _("Kit"), max(sent_rows(data, "kit"), max(3, len(kept.kit) + 1) + more), found=True)
        self.add_rows("skill", "skills", _("Skill"), max(sent_rows(data, "skill"), len(kept.skills) + 1, 2))
        wounds = max(sent_rows(data, "wound"), len(kept.wounds) + 1, 2)
        self.add_rows("wound", "traumas", _("Scar or trauma"), wounds, detail=_("which hand, whose warband"))

    @property
    def kit(self) -> list[dict[str, Any]]:
        return self.rows("kit")

    @property
    def skills(self) -> list[dict[str, Any]]:
        return self.rows("skill")

    @property
    def wounds(self) -> list[dict[str, Any]]:
        return self.rows("wound")

    @property
    def has_past(self) -> bool:
        """Whether anything stands in the fields that only a campaign fills."""
        names = ("experience", "promoted", "misses_next", "scars", "notes")
        told = any(self[name].value() for name in names) or (self["status"].value() or "active") != "active"
        typed = [row[part] for row in (*self.skills, *self.wounds) for part in ("field", "detail") if part in row]
        rows = any(field.value() for field in typed)
        return bool(told or rows or (self.is_bound and any(name in self.errors for name in names)))

    def fighter(self, key: str) -> PaperFighter:
        data = self.cleaned_data
        status: Any = data["status"] or "active"
        return PaperFighter(
            key=key, name=data["name"], profile=data["profile"], kit=_pieces(self.typed("kit")), skills=[text for text, _ in self.typed("skill")],
            wounds=[PaperWound(text, more["detail"] or "") for text, more in self.typed("wound")], experience=data["experience"] or 0,
            scars=data["scars"], promoted=data["promoted"], misses_next=data["misses_next"], status=status, notes=data["notes"],
        )  # fmt: skip


def _pieces(typed: Iterable[tuple[str, dict[str, Any]]]) -> list[PaperPiece]:
    return [
        PaperPiece(part.strip(), bool(more["found"]))
        for text, more in typed
        for part in text.split(",")
        if part.strip()
    ]


def _of_pieces(name: str, pieces: Sequence[PaperPiece]) -> dict[str, Any]:
    found: dict[str, Any] = {f"{name}_{n}": piece.text for n, piece in enumerate(pieces)}
    return found | {f"{name}_{n}_found": piece.found for n, piece in enumerate(pieces)}


LISTED = {"location": "locations", "exploration": "exploration", "lasting": "lasting"}


class PaperWarbandForm(RowsForm):
    list_id = forms.ChoiceField(
        label=gettext_lazy("List"),
        error_messages={
            "required": gettext_lazy("Which list?"),
            "invalid_choice": gettext_lazy("This list isn't allowed here."),
        },
    )
    name = forms.CharField(
        max_length=80,
        label=gettext_lazy("Name of the warband"),
        error_messages={"required": gettext_lazy("The warband needs a name.")},
    )
    patron = forms.CharField(
        required=False,
        max_length=LONGEST,
        label=gettext_lazy("Patron"),
        widget=_typed("patrons", gettext_lazy("Patron")),
    )
    fought = forms.IntegerField(label=gettext_lazy("Battles fought"), **NUMBER)
    ducats = forms.IntegerField(label=gettext_lazy("Ducats in the strongbox"), **MONEY)
    glory = forms.IntegerField(label=gettext_lazy("Glory"), **MONEY)
    points = forms.IntegerField(label=gettext_lazy("Victory points so far"), **MONEY)
    won = forms.IntegerField(label=gettext_lazy("Battles won"), **NUMBER)
    drawn = forms.IntegerField(label=gettext_lazy("Battles drawn"), **NUMBER)
    lost = forms.IntegerField(label=gettext_lazy("Battles lost"), **NUMBER)
    last_scenario = forms.CharField(
        required=False,
        max_length=LONGEST,
        label=gettext_lazy("Scenario last played"),
        widget=_typed("scenarios", gettext_lazy("Scenario last played")),
    )
    misses = forms.IntegerField(label=gettext_lazy("Promotions failed in a row"), **NUMBER)
    credited = forms.IntegerField(label=gettext_lazy("Battles credited for joining late"), **NUMBER)
    reinforced = forms.BooleanField(required=False, label=gettext_lazy("Took reinforcements after the last battle"))
    notes = forms.CharField(
        required=False, max_length=4000, label=gettext_lazy("Notes"), widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(
        self,
        data: Any = None,
        *,
        kept: PaperData | None = None,
        lists: Sequence[Any] = (),
        labels: Mapping[str, str],
        scored: bool = False,
        more: int = 0,
        **kwargs: Any,
    ) -> None:
        self.labels = labels
        kept = kept or PaperData()
        plain = ("list_id", "name", "patron", "last_scenario", "reinforced", "notes", "ducats", "glory")
        numbers = ("fought", "credited", "misses", "points", "won", "drawn", "lost")
        initial: dict[str, Any] = {name: getattr(kept, name) for name in plain}
        initial |= {name: getattr(kept, name) or None for name in numbers}
        initial |= _of_pieces("stash", kept.stash)
        for name, attribute in LISTED.items():
            initial |= {f"{name}_{n}": text for n, text in enumerate(getattr(kept, attribute))}
        super().__init__(data, initial=initial, **kwargs)
        self.fields["list_id"].choices = [("", _("Choose")), *lists]
        if not scored:
            for name in ("points", "won", "drawn", "lost"):
                del self.fields[name]
        self.add_rows(
            "stash",
            "kit",
            _("In the {labels}").format(labels=labels["stash_within"]),
            max(sent_rows(data, "stash"), len(kept.stash) + 2 + more),
            found=True,
        )
        for name, label in (
            ("location", _("Location")),
            ("exploration", _("Exploration skill")),
            ("lasting", _("Lasting effect")),
        ):
            count = len(getattr(kept, LISTED[name])) + 2 + more
            self.add_rows(name, LISTED[name], label, max(sent_rows(data, name), count))

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("list_id", "name", "patron")]

    @property
    def figures(self) -> list[forms.BoundField]:
        return [
            self[name]
            for name in ("fought", "ducats", "glory", "points", "won", "drawn", "lost")
            if name in self.fields
        ]

    @property
    def past_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("last_scenario", "misses", "credited", "reinforced", "notes")]

    @property
    def past_rows(self) -> list[tuple[str, list[dict[str, Any]]]]:
        heads = (
            ("stash", self.labels["stash"]),
            ("location", _("Locations found")),
            ("exploration", _("Exploration skills")),
            ("lasting", _("Lasting effects")),
        )
        return [(head, self.rows(name)) for name, head in heads]

    @property
    def has_past(self) -> bool:
        rows = any(row["field"].value() for _, found in self.past_rows for row in found)
        return rows or any(field.value() or field.errors for field in self.past_fields)

    def paper(self) -> PaperData:
        data = self.cleaned_data
        more: dict[str, Any] = {
            name: data.get(name) or 0 for name in ("fought", "credited", "misses", "points", "won", "drawn", "lost")
        }
        more |= {attribute: [text for text, _ in self.typed(name)] for name, attribute in LISTED.items()}
        return PaperData(
            list_id=data["list_id"], name=data["name"], patron=data["patron"], ducats=data["ducats"], glory=data["glory"],
            last_scenario=data["last_scenario"], reinforced=data["reinforced"], stash=_pieces(self.typed("stash")), notes=data["notes"],
            **more,
        )  # fmt: skip


class PasteForm(ActForm):
    game = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Game"),
        error_messages={"invalid_choice": gettext_lazy("Choose one of the games.")},
    )
    file = forms.FileField(
        required=False,
        label=gettext_lazy("A file"),
        help_text=gettext_lazy("New Recruit, BattleScribe, Trench Companion, this app or text, up to 2 MB."),
    )
    text = forms.CharField(
        required=False,
        label=gettext_lazy("The roster as text"),
        max_length=MOST_CHARACTERS,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocapitalize": "off"}),
    )

    def __init__(self, *args: Any, games: Sequence[tuple[str, str]] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].choices = list(games)  # type: ignore[attr-defined]
        if len(games) < 2:
            del self.fields["game"]

    def clean(self) -> dict[str, Any]:
        """Keep what was sent as bytes: `data`, and `name` (empty for a pasted text)."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        sent, text = cleaned.get("file"), str(cleaned.get("text") or "")
        if sent is not None and (sent.size or 0) > MOST_SENT:
            self.add_error("file", _("The file is larger than 2 MB; a roster is far smaller."))
        elif sent is not None:
            cleaned["data"] = sent.read()
            cleaned["name"] = "".join(c for c in sent.name if c.isprintable())[-120:]
        elif not text.strip() and not self.errors:
            self.add_error("text", _("Nothing to read yet: choose a file, or paste a roster."))
        else:
            cleaned["data"] = text.encode("utf-8", "surrogatepass")
        return cleaned


class BringForm(ActForm):
    leave_out = forms.BooleanField(required=False, label=gettext_lazy("Skip what isn't recognised"))
