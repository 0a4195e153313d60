"""The content of a game with own profiles under house rules: its readings, a points limit, and how losses are handled."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rules.content.house import HouseSetting
from rules.custom.interpretations import Reading
from rules.problems import Refusal
from rules.translation import gettext

CORE = "core"
POINTS_LIMIT, LOSSES, REPLACEMENTS = "points_limit", "losses", "replacements"
CARRIED, RESET = "carried", "reset"
FREE, NONE = "free", "none"
MOST_POINTS = 99_999
KEPT = 32

SETTINGS: tuple[HouseSetting, ...] = (
    HouseSetting(
        POINTS_LIMIT,
        "number",
        None,
        gettext("The most points a force may have."),
        label=gettext("Points limit"),
        example="500",
        least=1,
    ),
)
CAMPAIGN_READINGS: tuple[HouseSetting, ...] = (
    HouseSetting(
        LOSSES,
        "choice",
        CARRIED,
        gettext("What happens to losses after a battle."),
        (
            (CARRIED, gettext("they are carried into the next battle")),
            (RESET, gettext("every unit is back at strength")),
        ),
        gettext("Losses"),
    ),
    HouseSetting(
        REPLACEMENTS,
        "choice",
        FREE,
        gettext("Whether carried losses can be replaced between battles."),
        ((FREE, gettext("as many as the player likes")), (NONE, gettext("never: what is lost is lost"))),
        gettext("Replacements"),
    ),
)


@dataclass(frozen=True, slots=True, eq=False)
class CustomContent:
    """The frozen content of a game with own profiles. `readings` holds every reading, including defaults."""

    game: str
    edition: str
    readings: Mapping[str, str]
    points_limit: int | None = None
    losses: Literal["carried", "reset"] = "carried"
    replacements: Literal["free", "none"] = "free"
    cache: dict[str, Any] = field(default_factory=dict, repr=False)


def reading_label(reading: Reading) -> str:
    """Return the name of a reading from its key, with its number: "Shooting damage (GT-A05)"."""
    name = reading.key.removeprefix(f"{reading.source}-").replace("-", " ")
    return f"{name[:1].upper()}{name[1:]} ({reading.source})"


def settings_of(readings: Sequence[Reading]) -> tuple[HouseSetting, ...]:
    """Return the readings of a game and of every campaign as settings for house rules."""
    return (
        *CAMPAIGN_READINGS,
        *(HouseSetting(r.key, "choice", r.default, r.words, r.options, reading_label(r)) for r in readings),
    )


def faults(readings: Sequence[Reading], house_rules: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    """Return the errors in house rules, by setting. Each sentence names the field."""
    found: dict[str, tuple[str, ...]] = {}
    limit = house_rules.get(POINTS_LIMIT)
    if limit is not None and not _is_limit(limit):
        found[POINTS_LIMIT] = (
            gettext("{label}: {limit} is not a whole number from 1 to {most_points}.").format(
                label=SETTINGS[0].label, limit=str(limit)[:20], most_points=MOST_POINTS
            ),
        )
    given = house_rules.get("readings") or {}
    if not isinstance(given, Mapping):
        return {**found, "readings": (gettext("readings: a table of names and values is expected."),)}
    for setting in settings_of(readings):
        value = given.get(setting.key)
        known = {option for option, _ in setting.options}
        if value is not None and not (isinstance(value, str) and value in known):
            found[setting.key] = (
                gettext("{key}: {value} is none of {listed}.").format(
                    key=setting.key, value=str(value)[:40], listed=", ".join(sorted(known))
                ),
            )
    return found


def _is_limit(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_POINTS


def content_of(
    game: str, readings: Sequence[Reading], overlays: Sequence[str], house_rules: Mapping[str, Any] | None
) -> CustomContent:
    """Return the content under house rules, cached: the same rules give the same object.

    Raises KeyError for an overlay, Refusal for invalid rules.
    """
    if overlays:
        raise KeyError(overlays[0])
    rules = house_rules or {}
    if not isinstance(rules, Mapping):
        raise Refusal(gettext("House rules: a table of names and values is expected."), code="house-rule")
    key = (game, json.dumps(rules, sort_keys=True, default=str))
    found = _kept.get(key)
    if found is None:
        wrong = [sentence for sentences in faults(readings, rules).values() for sentence in sentences]
        if wrong:
            raise Refusal(gettext("House rules: {wrong}").format(wrong=wrong[0]), code="house-rule")
        given = rules.get("readings") or {}
        chosen = {s.key: given.get(s.key) or s.default for s in settings_of(readings)}
        beyond = len(_kept) + 1 - KEPT
        for old in list(_kept)[: max(0, beyond)]:  # another thread may have removed some too
            _kept.pop(old, None)
        found = _kept[key] = CustomContent(
            game=game,
            edition=CORE,
            readings={r.key: chosen[r.key] for r in readings},
            points_limit=rules.get(POINTS_LIMIT),
            losses=chosen[LOSSES],
            replacements=chosen[REPLACEMENTS],
        )
    return found


_kept: dict[Any, CustomContent] = {}
