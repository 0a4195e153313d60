"""The form of one profile, built from the fields of its kind: typed values, errors, and the card beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from rules.custom.parse import LINE, LINES, ROWS, STRING, blank, usual
from rules.custom.profiles import CustomProfile, ProfileField, ProfileKind, ProfileProblem

PREFIX = "data."
FEW = 4  # at most this many options are shown side by side
_WHOLE, _NUMBER = re.compile(r"[+-]?\d{1,9}"), re.compile(r"[+-]?\d{1,9}(\.\d{1,6})?")
_CONTROLS = {
    "text": "line",
    "words": "words",
    "integer": "figure",
    "number": "figure",
    "flag": "tick",
    "choices": "ticks",
    "strings": "lines",
    "rows": "rows",
}


@dataclass(frozen=True, slots=True)
class FieldOption:
    value: str
    words: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """One row of a list of tables. `path` names the row in its buttons."""

    path: str
    id: str
    title: str
    groups: tuple[DrawnGroup, ...]
    error: str = ""


@dataclass(frozen=True, slots=True)
class DrawnField:
    """One form field as the page renders it.

    `control` is line, words, figure, tick, radios, select, ticks, lines or rows.
    """

    control: str
    name: str
    id: str
    path: str
    label: str
    words: str
    required: bool
    value: str
    error: str
    least: str = ""
    most: str = ""
    step: str = ""
    checked: bool = False
    options: tuple[FieldOption, ...] = ()
    rows: tuple[DrawnRow, ...] = ()
    may_add: bool = False
    one: str = ""  # the singular name of a row, for its buttons
    fill: tuple[FieldOption, ...] = ()
    focus: bool = False

    @property
    def described(self) -> str:
        return " ".join(
            part for part in (f"{self.id}_hint" if self.words else "", f"{self.id}_error" if self.error else "") if part
        )


@dataclass(frozen=True, slots=True)
class DrawnGroup:
    """Fields under one heading ("" for none).

    `folded` says that the group starts collapsed, because its fields have their usual values and no errors.
    """

    title: str
    fields: tuple[DrawnField, ...]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Wrong:
    """One error: the place in words, the address of its field ("" if it has none), and the message."""

    label: str
    href: str
    words: str


# --- submitted data -----------------------------------------------------------------------------------------------------


def sent_data(fields: Iterable[ProfileField], post: QueryDict, prefix: str = PREFIX) -> dict[str, Any]:
    """Return the submitted data in the shape of the fields. Text that is not a number stays text, and the reader reports it."""
    return {field.key: _sent(field, post, f"{prefix}{field.key}") for field in fields}


def _sent(field: ProfileField, post: QueryDict, name: str) -> Any:
    text = post.get(name, "")
    if field.kind == "flag":
        return name in post
    if field.kind == "choices":
        return post.getlist(name)
    if field.kind == "strings":
        return [line for line in text.splitlines() if line.strip()]
    if field.kind == "rows":
        count = post.get(f"{name}.rows", "0")
        most = int(field.most or ROWS) + 1
        number = min(int(count), most) if count.isascii() and count.isdigit() and len(count) < 5 else 0
        return [sent_data(field.fields, post, f"{name}.{place}.") for place in range(number)]
    if field.kind in ("integer", "number"):
        return figure_of(text)
    return text


def figure_of(text: str) -> Any:
    """Parse a typed number. Return None for nothing, and the text itself if it is no number. A comma counts as a decimal point."""
    text = text.strip().replace(",", ".").replace("\N{MINUS SIGN}", "-")
    if not text:
        return None
    if _WHOLE.fullmatch(text) and text.isascii():
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) and text.isascii() else text


def with_row(kind: ProfileKind, data: dict[str, Any], key: str, filled: CustomProfile | None = None) -> bool:
    """Add a row to a list, empty or filled from another profile. Return False if there is no such list or it is full."""
    field = next((field for field in kind.fields if field.key == key and field.kind == "rows"), None)
    if field is None or len(data[key]) >= int(field.most or ROWS):
        return False
    row = blank(field.fields)
    if filled is not None:
        row.update({k: v for k, v in {**filled.data, "name": filled.name}.items() if k in row})
    data[key] = [*data[key], row]
    return True


def without_row(kind: ProfileKind, data: dict[str, Any], path: str) -> bool:
    """Remove a row from a list by its path ("weapons.1"). Return False if there is none."""
    key, _, place = path.partition(".")
    field = next((field for field in kind.fields if field.key == key and field.kind == "rows"), None)
    if field is None or not (place.isascii() and place.isdigit() and len(place) < 4 and int(place) < len(data[key])):
        return False
    data[key] = [row for number, row in enumerate(data[key]) if number != int(place)]
    return True


# --- rendering ----------------------------------------------------------------------------------------------------------


def drawn(
    kind: ProfileKind,
    data: Mapping[str, Any],
    problems: Sequence[ProfileProblem] = (),
    fill: Mapping[str, Sequence[CustomProfile]] | None = None,
    fresh: str = "",
) -> tuple[DrawnGroup, ...]:
    """Return the form, with stored or submitted `data` and each problem at its field.

    `fill` holds the profiles that may be copied in, by kind; `fresh` is the path of a new row.
    """
    errors = {problem.path: problem.message for problem in reversed(problems)}
    by_field = {field: (fill or {}).get(of, ()) for of, field in kind.fills}
    return _groups(kind.fields, data, "", _Context(errors, by_field, fresh))


@dataclass(frozen=True, slots=True)
class _Context:
    """Values shared by all fields of one form: messages by path, profiles to copy in by field, and the path of a new row."""

    errors: Mapping[str, str]
    fill: Mapping[str, Sequence[CustomProfile]]
    fresh: str


def _groups(
    fields: Iterable[ProfileField], data: Mapping[str, Any], path: str, context: _Context
) -> tuple[DrawnGroup, ...]:
    """Group consecutive fields that have the same heading. Groups without a heading never collapse."""
    groups = []
    for title, run in groupby(fields, key=lambda field: field.group):
        members = list(run)
        found = tuple(_field(field, data.get(field.key), f"{path}{field.key}", context) for field in members)
        edited = any(field.key in data and data[field.key] != usual(field) for field in members)
        groups.append((title, found, edited or any(field.error for field in found)))
    open_one = 1 if len(groups) > 1 and len(groups[0][1]) < 2 else 0  # a collapsed row still shows more than its name
    return tuple(
        DrawnGroup(title, found, folded=bool(title) and not busy and index != open_one)
        for index, (title, found, busy) in enumerate(groups)
    )


def _field(field: ProfileField, value: Any, path: str, context: _Context) -> DrawnField:
    drawn = DrawnField(
        control=_control(field, path),
        name=f"{PREFIX}{path}",
        id=id_of(path),
        path=path,
        label=field.label,
        words=field.words,
        required=field.required,
        value=_shown(field, value),
        error=context.errors.get(path, ""),
        least="" if field.least is None else f"{field.least:g}",
        most=_maximum(field),
        step="1" if field.kind == "integer" else "any",
        checked=field.kind == "flag" and value is True,
        options=_options(field, value),
        one=_singular(field.label),
        focus=bool(context.fresh) and path.startswith(f"{context.fresh}."),
    )
    if field.kind != "rows":
        return drawn
    rows = tuple(_row(field, row, number, path, context) for number, row in enumerate(value or ()))
    fill = tuple(FieldOption(profile.id, profile.name) for profile in context.fill.get(path, ()))
    return replace(drawn, rows=rows, may_add=len(rows) < int(field.most or ROWS), fill=fill)


def _control(field: ProfileField, path: str) -> str:
    if field.kind != "choice":
        return _CONTROLS[field.kind]
    inside_row = "." in path
    return "radios" if field.required and len(field.options) <= FEW and not inside_row else "select"


def _options(field: ProfileField, value: Any) -> tuple[FieldOption, ...]:
    if field.kind not in ("choice", "choices", "text"):
        return ()
    nothing = (("", "\N{EN DASH}"),) if field.kind == "choice" and not field.required else ()
    chosen = (value or "",) if field.kind == "choice" else (value or ()) if field.kind == "choices" else ()
    return tuple(FieldOption(option, words, option in chosen) for option, words in (*nothing, *field.options))


def _maximum(field: ProfileField) -> str:
    number = field.most or {"text": LINE, "words": LINES}.get(field.kind, field.most)
    return "" if number is None else f"{number:g}" if number < 10**6 else str(int(number))


def _row(field: ProfileField, row: Mapping[str, Any], number: int, path: str, context: _Context) -> DrawnRow:
    here = f"{path}.{number}"
    groups = _groups(field.fields, row, f"{here}.", _Context(context.errors, {}, ""))
    if here == context.fresh and groups:
        first = groups[0]
        groups = (replace(first, fields=(replace(first.fields[0], focus=True), *first.fields[1:])), *groups[1:])
    name = str(row.get("name") or "").strip()
    one = _singular(field.label)
    title = f"{one} {number + 1}: {name[:STRING]}" if name else f"{one} {number + 1}"
    return DrawnRow(here, id_of(here), title, groups, context.errors.get(here, ""))


def _shown(field: ProfileField, value: Any) -> str:
    if value is None or field.kind in ("flag", "choices", "rows", "choice"):
        return ""
    if field.kind == "strings":
        return "\n".join(str(each) for each in value)
    return str(value)


def _singular(label: str) -> str:
    word = label.split(" of ")[0] if " of " in label else label
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def id_of(path: str) -> str:
    return "id_" + re.sub(r"[^A-Za-z0-9]+", "_", path)


def wrongs(kind: ProfileKind, problems: Sequence[ProfileProblem]) -> tuple[Wrong, ...]:
    """Return the problems for the summary on top: each place once, in words, with a link to it."""
    found: dict[str, Wrong] = {}
    for problem in problems:
        if problem.path not in found:
            label, known = _place(kind, problem.path)
            found[problem.path] = Wrong(label, f"#{id_of(problem.path)}" if known else "", problem.message)
    return tuple(found.values())


def _place(kind: ProfileKind, path: str) -> tuple[str, bool]:
    if path == "name":
        return _("Name"), True
    fields: Sequence[ProfileField] = kind.fields
    words: list[str] = []
    known = bool(path)
    for part in path.split(".") if path else ():
        if part.isdigit():
            words[-1:] = [f"{_singular(words[-1])} {int(part) + 1}"] if words else []
            continue
        field = next((field for field in fields if field.key == part), None)
        if field is None:
            return ", ".join([*words, part]), False
        words.append(field.label)
        fields = field.fields
    return ", ".join(words) or kind.name, known
