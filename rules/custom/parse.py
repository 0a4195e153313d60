"""Reading a profile that a player wrote: fill in missing fields, and report each error with its path.

The reader knows nothing about a game. It follows the fields of a `ProfileKind`. The game then checks how fields fit
together, on data that already has the right shape. The result always has the right shape, and reading it again changes
nothing.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from rules.custom.profiles import ProfileField, ProfileKind, ProfileProblem
from rules.translation import gettext
from rules.visible import without_unseen

LINE = 120  # characters of a one-line text if its field sets no limit
LINES = 2000  # characters of a text of several lines
STRING = 60  # characters of one of several short texts
ROWS = 24  # rows or short texts if the field sets no limit
FIGURE = 1_000_000  # no game has larger figures
STRANGE = 20  # unknown fields of a table reported one by one, because finding similar names takes time

Check = Callable[[Mapping[str, Any]], Iterable[ProfileProblem]]


def slug(name: str) -> str:
    """Return a name as a key: lower case, words joined by hyphens, letters of any script; "row" if nothing is left."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", name).casefold())
    return "-".join(words) or "row"


def usual(field: ProfileField) -> Any:
    """Return the default of a field. Lists and tables are fresh copies."""
    if field.kind == "rows":
        given = field.usual if isinstance(field.usual, (list, tuple)) else ()
        return [{**blank(field.fields), **row} for row in given]
    if field.kind in ("choices", "strings"):
        return list(field.usual or ())
    if field.kind == "flag":
        return bool(field.usual)
    if field.kind in ("integer", "number"):
        return field.usual
    return field.usual or ""


def blank(fields: Iterable[ProfileField]) -> dict[str, Any]:
    """Return a new profile, or a new row of one, with every field at its default."""
    return {field.key: usual(field) for field in fields}


def read(kind: ProfileKind, data: Any, check: Check | None = None) -> tuple[dict[str, Any], tuple[ProfileProblem, ...]]:
    """Return a profile with defaults for missing fields, and every problem with its path, in the order of the fields.

    `check` finds fields that do not fit together, on data of the right shape. Its problems are dropped for a path that
    already has one. A value that cannot be read is replaced by the field's default.
    """
    problems: list[ProfileProblem] = []
    if not isinstance(data, Mapping):
        problems.append(
            ProfileProblem(
                "",
                gettext("A profile is a table of fields, and this is {shape_words}.").format(
                    shape_words=shape_words(data)
                ),
            )
        )
        data = {}
    values = _table(kind.fields, data, "", problems)
    if check is not None:
        known = {problem.path for problem in problems}
        problems += [problem for problem in check(values) if problem.path not in known]
    return values, tuple(problems)


def _table(
    fields: tuple[ProfileField, ...], data: Mapping[Any, Any], path: str, problems: list[ProfileProblem]
) -> dict[str, Any]:
    values = {}
    for field in fields:
        place = f"{path}{field.key}"
        if field.key in data:
            values[field.key] = read_value(field, data[field.key], place, problems)
        else:
            values[field.key] = usual(field)
            if field.required and _missing(values[field.key]):
                problems.append(
                    ProfileProblem(place, gettext("{label} is empty. Fill it in.").format(label=field.label))
                )
    tell_unknown(data, [field.key for field in fields], path, problems)
    return values


def tell_unknown(data: Mapping[Any, Any], known: Sequence[str], path: str, problems: list[ProfileProblem]) -> None:
    """Report unknown fields of a table with similar names: the first ones, and how many more there are."""
    strange = [str(key) for key in data if key not in known]
    for key in strange[:STRANGE]:
        shown = clean_line(key)[:STRING]
        near = get_close_matches(shown, known, 1) if len(problems) < STRANGE else []
        help_words = (
            gettext("Did you mean “{near}”?").format(near=near[0])
            if near
            else gettext("The fields here are {known}.").format(known=", ".join(known))
        )
        problems.append(
            ProfileProblem(
                f"{path}{shown}",
                gettext("There is no field called “{shown}” here. {help_words}").format(
                    shown=shown, help_words=help_words
                ),
            )
        )
    if len(strange) > STRANGE:
        more = gettext("More unknown fields: {amount}. Take them out.").format(amount=len(strange) - STRANGE)
        problems.append(ProfileProblem(path.rstrip("."), more))


def _missing(value: Any) -> bool:
    return value is None or value == "" or value == []


def read_value(field: ProfileField, value: Any, path: str, problems: list[ProfileProblem]) -> Any:
    """Return the value of one field in the right shape. Problems with the given value are added to `problems`."""
    found, wrong = _READERS[field.kind](field, value, path, problems)
    if wrong:
        problems.append(ProfileProblem(path, wrong))
    elif field.required and _missing(found):
        problems.append(ProfileProblem(path, gettext("{label} is empty. Fill it in.").format(label=field.label)))
    return found


def _text(field: ProfileField, value: Any, path: str, problems: list[ProfileProblem]) -> tuple[str, str]:
    if value is None:
        return "", ""
    if not isinstance(value, str):
        return usual(field), gettext("{label} holds {shape_words} where a text belongs.").format(
            label=field.label, shape_words=shape_words(value)
        )
    lines = field.kind == "words"
    clean = _clean(value, lines=lines)
    most = int(field.most or (LINES if lines else LINE))
    if len(clean) > most:
        return clean[:most].rstrip(), gettext("{label} has {count} characters; there is room for {most}.").format(
            label=field.label, count=len(clean), most=most
        )
    if field.least and clean and len(clean) < field.least:
        return clean, gettext("{label} is too short: it needs at least {least} characters.").format(
            label=field.label, least=int(field.least)
        )
    return clean, ""


def _figure(field: ProfileField, value: Any, path: str, problems: list[ProfileProblem]) -> tuple[Any, str]:
    whole = field.kind == "integer"
    if value is None or value == "":
        return None, ""  # the caller reports an empty required field
    sort = gettext("a whole number") if whole else "a number"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        shown = f"“{clean_line(value)[:STRING]}”" if isinstance(value, str) else shape_words(value)
        return usual(field), gettext("{label} holds {shown} where {sort} belongs.").format(
            label=field.label, shown=shown, sort=sort
        )
    if isinstance(value, float) and not math.isfinite(value):
        return usual(field), gettext("{label} holds no number. Give {sort}.").format(label=field.label, sort=sort)
    if value == int(value):
        value = int(value)
    elif whole:
        return usual(field), gettext("{label} stands at {value}. Give a whole number.").format(
            label=field.label, value=value
        )
    if fault := _out_of_bounds(field, value):
        return usual(field), fault
    return value, ""


def _out_of_bounds(field: ProfileField, value: float) -> str:
    minimum = -FIGURE if field.least is None else field.least
    maximum = FIGURE if field.most is None else field.most
    if minimum <= value <= maximum:
        return ""
    bound = (
        gettext("at least {plain}").format(plain=_plain(minimum))
        if value < minimum
        else gettext("at most {plain}").format(plain=_plain(maximum))
    )
    shown = str(value) if abs(value) <= FIGURE else gettext("a figure without end")
    return gettext("{label} stands at {shown}. It may be {bound}.").format(label=field.label, shown=shown, bound=bound)


def _flag(field: ProfileField, value: Any, path: str, problems: list[ProfileProblem]) -> tuple[bool, str]:
    if value is None:
        return usual(field), ""
    if not isinstance(value, bool):
        return usual(field), gettext("{label} holds {shape_words} where true or false belongs.").format(
            label=field.label, shape_words=shape_words(value)
        )
    return value, ""


def _choice(field: ProfileField, value: Any, path: str, problems: list[ProfileProblem]) -> tuple[str, str]:
    if value is None or value == "":
        return "", ""
    if isinstance(value, str) and any(value == option for option, _ in field.options):
        return value, ""
    return usual(field), _no_option(field, value)


def _choices(field: ProfileField, value: Any, path: str, problems: list[ProfileProblem]) -> tuple[list[str], str]:
    if value is None:
        return [], ""
    if not isinstance(value, (list, tuple)):
        return usual(field), gettext("{label} holds {shape_words} where a list belongs.").format(
            label=field.label, shape_words=shape_words(value)
        )
    known = [option for option, _ in field.options]
    wrong = next((each for each in value if not (isinstance(each, str) and each in known)), None)
    kept = [option for option in known if option in value]
    return kept, "" if wrong is None else _no_option(field, wrong)


def _strings(field: ProfileField, value: Any, path: str, problems: list[ProfileProblem]) -> tuple[list[str], str]:
    if value is None:
        return [], ""
    if not isinstance(value, (list, tuple)):
        return usual(field), gettext("{label} holds {shape_words} where a list of texts belongs.").format(
            label=field.label, shape_words=shape_words(value)
        )
    kept: list[str] = []
    wrong = ""
    for each in value:
        if not isinstance(each, str):
            wrong = wrong or gettext("{label} holds {shape_words} where a text belongs.").format(
                label=field.label, shape_words=shape_words(each)
            )
            continue
        clean = clean_line(each)
        if len(clean) > STRING:
            wrong = wrong or gettext("“{clean}…” is too long for {label}: {string} characters are the most.").format(
                clean=clean[:STRING], label=field.label, string=STRING
            )
            clean = clean[:STRING].rstrip()
        if clean and clean.casefold() not in (known.casefold() for known in kept):
            kept.append(clean)
    most = int(field.most or ROWS)
    if len(kept) > most:
        wrong = wrong or gettext("{label} lists {count}; there is room for {most}.").format(
            label=field.label, count=len(kept), most=most
        )
    return kept[:most], wrong


def _rows(
    field: ProfileField, value: Any, path: str, problems: list[ProfileProblem]
) -> tuple[list[dict[str, Any]], str]:
    if value is None:
        value = []
    if not isinstance(value, (list, tuple)):
        return usual(field), gettext("{label} holds {shape_words} where a list of rows belongs.").format(
            label=field.label, shape_words=shape_words(value)
        )
    most = int(field.most or ROWS)
    rows = []
    for place, row in enumerate(value[:most]):
        if not isinstance(row, Mapping):
            problems.append(
                ProfileProblem(
                    f"{path}.{place}",
                    gettext("This row is {shape_words} where a table of fields belongs.").format(
                        shape_words=shape_words(row)
                    ),
                )
            )
            rows.append(blank(field.fields))
        else:
            rows.append(_table(field.fields, row, f"{path}.{place}.", problems))
    if len(value) > most:
        return rows, gettext("{label} has {count} rows; there is room for {most}.").format(
            label=field.label, count=len(value), most=most
        )
    if field.least and len(rows) < field.least:
        return (
            rows,
            gettext("{label} has {count} row{amount}. Add at least {least}.").format(
                label=field.label, count=len(rows) or "no", amount="s" * (len(rows) != 1), least=int(field.least)
            ),
        )
    return rows, ""


_READERS: dict[str, Callable[[ProfileField, Any, str, list[ProfileProblem]], tuple[Any, str]]] = {
    "text": _text,
    "words": _text,
    "integer": _figure,
    "number": _figure,
    "flag": _flag,
    "choice": _choice,
    "choices": _choices,
    "strings": _strings,
    "rows": _rows,
}


def _no_option(field: ProfileField, value: Any) -> str:
    shown = f"“{clean_line(value)[:STRING]}”" if isinstance(value, str) else shape_words(value)
    return gettext("{label} holds {shown}. It is one of {listed}.").format(
        label=field.label, shown=shown, listed=", ".join((option for option, _ in field.options))
    )


def _clean(text: str, *, lines: bool) -> str:
    """Return the text without invisible characters, on one line unless `lines` is set."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = without_unseen(text)
    if not kept.strip():
        return ""
    if lines:
        return "\n".join(line.rstrip() for line in kept.split("\n")).strip()
    return " ".join(kept.split())


def clean_line(text: str) -> str:
    """Return the text on one line with single spaces, without invisible characters."""
    return _clean(text, lines=False)


def _plain(figure: float) -> str:
    return str(int(figure)) if figure == int(figure) else str(figure)


def shape_words(value: Any) -> str:
    return next((text for kind, text in _SHAPES if isinstance(value, kind)), "a list")


_SHAPES: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (type(None), "nothing"),
    (bool, gettext("true or false")),
    ((int, float), "a number"),
    (str, "a text"),
    (Mapping, "a table"),
)
