"""The words that pages use in games with own profiles."""

from __future__ import annotations

from collections.abc import Mapping

from rules.translation import gettext as _

LABELS: Mapping[str, str] = {
    "ducats": "points",
    "fighter": "unit",
    "fighters": "units",
    "warband": "Force",
    "troops": "Units",
    "rating": "Points",
    "threshold": "Points limit",
    "field_strength": "Units",
    "kit": "Weapons",
    "force": "Fielded force",
    "battle": "Battle",
    "muster": "Get ready",
    "phase": "After the battle",
    "campaign_points": "Campaign points",
    "retired": "Retired",
    "retire": "Dismiss",
    "found_before": "Found before",
    "worth": "pts",  # the unit of a rating
    "row": "unit",  # one row of the roster, then several
    "rows": "units",
    "hire": "Take",
    "hired": "took",
    "hired_first": "Take the first unit",
    "taken_from": "Your library",
    "settle": "Choices",
    "edition_state": "",  # "current" for the edition that most clubs play
    "edition_words": "",
    "term_threshold": _("The most points your force may have in a battle."),
    "of_fighters": "Profile, models, rules",
}


def labels_of(own: Mapping[str, str]) -> Mapping[str, str]:
    """Return every label by key. `own` overrides the common ones. `key_within` is the form used within a sentence."""
    labels = {**LABELS, **own}
    return labels | {f"{key}_within": word[:1].lower() + word[1:] for key, word in labels.items()}
