"""The terms of an edition for the things that pages and sentences name, and which rules questions it leaves open."""

from __future__ import annotations

from collections.abc import Mapping

from rules.content.compiled import Content
from rules.translation import gettext as _

LABELS: Mapping[str, str] = {
    "strongbox": _("Strongbox"),
    "stash": _("Stash"),
    "fighter": "fighter",
    "fighters": "fighters",
    "elite": _("Elite"),
    "troops": _("Troops"),
    "mercenaries": _("Mercenaries"),
    "ducats": "ducats",
    "glory": _("Glory"),
    "rating": _("Rating"),
    "threshold": _("Threshold"),
    "field_strength": _("Field strength"),
    "kit": _("Kit"),
    "force": _("Fielded force"),
    "upgrades": _("Upgrades"),
    "skills": _("Skills"),
    "traumas": _("Traumas"),
    "scars": _("Scars"),
    "experience": _("Experience"),
    "patron": _("Patron"),
    "battle": _("Battle"),
    "muster": _("Muster"),  # choosing the force for a battle
    "exploration": _("Exploration"),
    "phase": _("Post-battle"),
    "campaign_points": _("Campaign points"),
    "retired": _("Retired"),
    "retire": _("Dismiss"),
    "found_before": _("Found before"),
    "armoury": _("Armoury"),
    "edition_state": "",  # "current" for the edition that most clubs play
    "edition_words": "",
    # What the words mean, for people who meet them for the first time.
    "limit": "LIMIT",
    "elites": _("Elite"),
    "term_ducats": _("Money to hire and equip fighters. What you don't spend stays with the warband."),
    "term_glory": _("Earned in battle. It pays for rare kit and mercenaries."),
    "term_rating": _("What your fighters and their kit are worth."),
    "term_threshold": _("The most your warband may be worth in its next battle. It rises every battle."),
    "term_field_strength": _("The most fighters you may bring to your next battle. It rises every battle."),
    "term_limit": _("How many of this your warband may have."),
    "term_patron": _("The power behind the warband. It teaches skills later. You may choose it later."),
    "term_elites": _("Leaders and specialists. They gain experience, skills and scars."),
}


WITHIN = "_within"


def labels_of(content: Content) -> Mapping[str, str]:
    """Return every label of the game by key, in the edition's terms.

    `key_within` holds the form used within a sentence.
    """
    kept = content.cache.get("labels")
    if not isinstance(kept, dict):
        kept = {**LABELS, **content.pack.labels}
        kept |= {f"{key}{WITHIN}": label_within(content, key) for key in kept}
        content.cache["labels"] = kept
    return kept


def label_within(content: Content, key: str) -> str:
    """Return a label for use within a sentence.

    Terms of the edition stay capitalised, everyday words become lower case.
    """
    word = content.pack.labels.get(key) or LABELS[key]
    return word if key in content.pack.labels else word[:1].lower() + word[1:]


def reads_camp(content: Content) -> bool:
    campaign = content.pack.campaign
    return campaign is not None and any(step.camp == "strict" for step in campaign.steps)


def settled_readings(content: Content) -> frozenset[str]:
    """Return the rules questions that the edition settles itself."""
    campaign = content.pack.campaign
    found = set() if reads_camp(content) else {"camp"}
    if campaign is None or campaign.rules.attacker == "scenario":
        found.add("attacker")
    return frozenset(found)
