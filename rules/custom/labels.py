"""The words that pages use in games with own profiles."""

from __future__ import annotations

from collections.abc import Mapping

from rules.translation import gettext as _

LABELS: Mapping[str, str] = {
    "ducats": "points",
    "fighter": "unit",
    "fighters": "units",
    "warband": _("Force"),
    "troops": _("Units"),
    "rating": _("Points"),
    "threshold": _("Points limit"),
    "field_strength": _("Units"),
    "kit": _("Weapons"),
    "force": _("Fielded force"),
    "battle": _("Battle"),
    "muster": _("Get ready"),
    "phase": _("After the battle"),
    "campaign_points": _("Campaign points"),
    "retired": _("Retired"),
    "retire": _("Dismiss"),
    "found_before": _("Found before"),
    "worth": "pts",  # the unit of a rating
    "row": "unit",  # one row of the roster, then several
    "rows": "units",
    "hire": _("Take"),
    "hire_more": _("Take units"),
    "hired": "took",
    "hired_first": _("Take the first unit"),
    "taken_from": _("Your library"),
    "settle": _("Choices"),
    "edition_state": "",  # "current" for the edition that most clubs play
    "edition_words": "",
    "term_threshold": _("The most points your force may have in a battle."),
    "of_fighters": _("Profile, models, rules"),
}


def labels_of(own: Mapping[str, str]) -> Mapping[str, str]:
    """Return every label by key. `own` overrides the common ones. `key_within` is the form used within a sentence."""
    labels = {**LABELS, **own}
    return labels | {f"{key}_within": word[:1].lower() + word[1:] for key, word in labels.items()}
