"""Checks of Gloom Trench 1926 profiles that the field definitions cannot express."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from rules.custom.parse import Check, slug
from rules.custom.profiles import ProfileProblem
from rules.gloom_trench.profile_fields import BANDS, COMMANDER, SQUAD, has_keyword
from rules.translation import gettext as _


def _check_unit(unit: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    models = unit["models"]
    yield from _twice(models, "models", "model")
    yield from _twice(unit["weapons"], "weapons", "weapon")
    for index, model in enumerate(models):
        yield from _check_model(unit, model, f"models.{index}.")
    if models and not any(model["usual"] for model in models):
        yield ProfileProblem("models", _("A fresh unit would have no models. Give one sort of them a usual number."))
    if has_keyword(unit, SQUAD):
        yield from _check_squad(models)
    yield from _check_tactics(unit)
    for place, weapon in enumerate(unit["weapons"]):
        yield from _check_bands(weapon, f"weapons.{place}.")
    for place, rule in enumerate(unit["special_rules"]):
        yield from _check_rule(rule, f"special_rules.{place}.")


def _check_model(unit: Mapping[str, Any], model: Mapping[str, Any], path: str) -> Iterator[ProfileProblem]:
    least, usual, most = model["least"], model["usual"], model["most"]
    if None in (least, usual, most):
        return
    if least > most:
        yield ProfileProblem(
            f"{path}most",
            _("At most {most} is less than at least {least}. Raise the one or lower the other.").format(
                most=most, least=least
            ),
        )
    elif not least <= usual <= most:
        yield ProfileProblem(
            f"{path}usual",
            _("Usually {usual} lies outside {least} to {most}. Choose a number between.").format(
                usual=usual, least=least, most=most
            ),
        )
    weapon = model["weapon"]
    if weapon and all(slug(weapon) != slug(known["name"]) for known in unit["weapons"]):
        yield ProfileProblem(
            f"{path}weapon",
            _("The unit has no weapon called “{weapon}”. Add it under Weapons, or leave this empty.").format(
                weapon=weapon
            ),
        )


def _check_squad(models: list[dict[str, Any]]) -> Iterator[ProfileProblem]:
    if sum(model["most"] or 0 for model in models) < 2:
        yield ProfileProblem(
            "models", _("A Squad has two models or more. Raise a number, or take the keyword Squad away.")
        )
    if not any(model["squad_leader"] for model in models):
        yield ProfileProblem(
            "models",
            _("A Squad is led by somebody. Mark one sort of model as Squad Leader, or take the keyword Squad away."),
        )


def _check_tactics(unit: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    commander = has_keyword(unit, COMMANDER)
    if unit["tactics_range"] is not None and not commander:
        yield ProfileProblem(
            "tactics_range", _("Only a Commander has Tactics. Add the keyword Commander, or leave Tactics empty.")
        )
    if commander and unit["tactics_range"] is None and not unit["no_tactics"]:
        yield ProfileProblem(
            "tactics_range", _("This Commander has no Tactics. Give their range, or tick that none are meant.")
        )
    if unit["no_tactics"] and (unit["tactics_range"] is not None or not commander):
        yield ProfileProblem("no_tactics", _("This is for a Commander whose Tactics are empty. Take the tick away."))


def _twice(rows: list[dict[str, Any]], path: str, word: str) -> Iterator[ProfileProblem]:
    seen: set[str] = set()
    for place, row in enumerate(rows):
        key = slug(row["name"])
        if row["name"] and key in seen:
            yield ProfileProblem(
                f"{path}.{place}.name",
                _("Another {word} is called “{row}”. Give this one a name of its own.").format(
                    word=word, row=row["name"]
                ),
            )
        seen.add(key)


def _check_bands(weapon: Mapping[str, Any], path: str = "") -> Iterator[ProfileProblem]:
    yield from _check_pairs(weapon, path)
    given = [band for band in BANDS if weapon[f"{band}_range"] is not None]
    if not given:
        if not any(weapon[f"{band}_die"] for band in BANDS):
            yield ProfileProblem(
                f"{path}short_range", _("A weapon has at least one range band. Give a range and its die.")
            )
        return
    for near, band in pairwise(given):
        nearer, far = weapon[f"{near}_range"], weapon[f"{band}_range"]
        if far <= nearer:
            yield ProfileProblem(
                f"{path}{band}_range",
                _("The {band} range of {far:g} does not reach beyond the {near} range of {nearer:g}. Raise it.").format(
                    band=band, far=far, near=near, nearer=nearer
                ),
            )
    missing = next((band for band in BANDS[: BANDS.index(given[-1])] if band not in given), None)
    if missing and not weapon["bands_skipped"]:
        yield ProfileProblem(
            f"{path}{missing}_range",
            _(
                "There is no {missing} band before a farther one. Fill it in, or tick that it is left out on purpose."
            ).format(missing=missing),
        )


def _check_pairs(weapon: Mapping[str, Any], path: str) -> Iterator[ProfileProblem]:
    """Yield a problem for each band that has a die without a range, or a range without a die."""
    for band in BANDS:
        far, die = weapon[f"{band}_range"], weapon[f"{band}_die"]
        if far is None and die:
            yield ProfileProblem(
                f"{path}{band}_range",
                _("The {band} band has a die and no range. Give both, or neither.").format(band=band),
            )
        if far is not None and not die:
            yield ProfileProblem(
                f"{path}{band}_die",
                _("The {band} band has a range and no die. Give both, or neither.").format(band=band),
            )


def _check_rule(rule: Mapping[str, Any], path: str = "") -> Iterator[ProfileProblem]:
    if not (rule["text"] or rule["effect"]):
        yield ProfileProblem(f"{path}text", _("A special rule says what it does. Write a line, or choose an effect."))


def _check_formation(formation: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    if not (formation["text"] or formation["tactical_points"] or formation["required"]):
        yield ProfileProblem("text", _("This formation does nothing yet. Write what it does, or give Tactical Points."))


CHECKS: dict[str, Check] = {
    "unit": _check_unit,
    "weapon": _check_bands,
    "rule": _check_rule,
    "formation": _check_formation,
}
