"""A document of profiles that one library exports and another imports: {"game", "edition", "profiles": [{"kind", "name", "data"}]}."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.custom.parse import STRING, clean_line, read_value, shape_words, tell_unknown
from rules.custom.profiles import ProfileField, ProfileProblem
from rules.game import GameContent
from rules.parts.profiles import ProfilesPart
from rules.translation import gettext as _
from rules.visible import fault_of_name

MOST = 200  # profiles in one document
LONGEST_NAME = 80
NAME = ProfileField("name", _("Name"), "text", required=True, most=LONGEST_NAME)


@dataclass(frozen=True, slots=True)
class Incoming:
    """A profile to add to a library. `data` has every field of its kind."""

    kind: str
    name: str
    data: Mapping[str, Any]


def read_name(name: Any, path: str = "name") -> tuple[str, tuple[ProfileProblem, ...]]:
    """Return a profile's name as it is stored, and its problems."""
    problems: list[ProfileProblem] = []
    if isinstance(name, str) and (fault := fault_of_name(name)):
        return "", (ProfileProblem(path, _("This name cannot be used. {fault}").format(fault=fault)),)
    found: str = read_value(NAME, name, path, problems)
    return found, tuple(problems)


def read_profiles(
    profiles: ProfilesPart[GameContent], content: GameContent, document: Mapping[str, Any]
) -> tuple[tuple[Incoming, ...], tuple[ProfileProblem, ...]]:
    """Return the profiles of a document for this game, and every problem with its path (`profiles.3.data.wounds`).

    The caller checks game and edition of the document. If there are problems, the caller must not store the profiles.
    """
    problems: list[ProfileProblem] = []
    tell_unknown(document, ("game", "edition", "profiles"), "", problems)
    rows = document.get("profiles")
    if not isinstance(rows, list):
        words = _("is missing") if rows is None else _("is {shape_words}").format(shape_words=shape_words(rows))
        problems.append(
            ProfileProblem(
                "profiles", _("The list of profiles {words}. Give a list of kind, name and data.").format(words=words)
            )
        )
        return (), tuple(problems)
    if not rows:
        problems.append(ProfileProblem("profiles", _("The list of profiles is empty. There is nothing to import.")))
    if len(rows) > MOST:
        problems.append(
            ProfileProblem(
                "profiles",
                _("The document holds {count} profiles; {most} fit in one. Split it.").format(
                    count=len(rows), most=MOST
                ),
            )
        )
        rows = rows[:MOST]
    kinds = {kind.id: kind for kind in profiles.profile_kinds(content)}
    found = []
    for place, row in enumerate(rows):
        path = f"profiles.{place}"
        if not isinstance(row, Mapping):
            problems.append(
                ProfileProblem(
                    path,
                    _("This profile is {shape_words} where kind, name and data belong.").format(
                        shape_words=shape_words(row)
                    ),
                )
            )
            continue
        tell_unknown(row, ("kind", "name", "data"), f"{path}.", problems)
        name, wrong = read_name(row.get("name"), f"{path}.name")
        problems += wrong
        kind = row.get("kind")
        if not isinstance(kind, str) or kind not in kinds:
            shown = f"“{clean_line(kind)[:STRING]}”" if isinstance(kind, str) else shape_words(kind)
            problems.append(
                ProfileProblem(
                    f"{path}.kind",
                    _("The kind is {shown}. It is one of {kinds}.").format(shown=shown, kinds=", ".join(kinds)),
                )
            )
            continue
        data, wrong = profiles.read_profile(content, kind, row.get("data", {}))
        problems += (ProfileProblem(f"{path}.data.{each.path}".rstrip("."), each.message) for each in wrong)
        found.append(Incoming(kind, name, data))
    return tuple(found), tuple(problems)


def write_profiles(game: str, edition: str, profiles: Iterable[tuple[str, str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Return the document of these profiles (kind, name, data)."""
    rows = [{"kind": kind, "name": name, "data": dict(data)} for kind, name, data in profiles]
    return {"game": game, "edition": edition, "profiles": rows}
