"""What the form of a file has a place for: a roster that is brought again is compared in nothing else.

Trench Companion's compact text tells no stash, so a stash that is missing there has not gone.
"""

from __future__ import annotations

from rules.force import Force
from rules.import_text import TextReading

WARBAND = ("patron", "stash", "locations", "exploration_skills", "lasting", "fought", "misses")
FIGHTER = ("experience", "promoted", "scars", "traumas", "skills")
EVERYTHING = frozenset((*WARBAND, *FIGHTER))
_ALWAYS = {
    "companion-save": EVERYTHING - {"lasting"},
    "companion-envelope": EVERYTHING - {"lasting"},
    "roster-document": EVERYTHING,
    "companion-text": frozenset({"patron", "promoted", "traumas", "skills"}),
    "companion-tts": frozenset({"traumas", "skills"}),
    "roster-table": frozenset(FIGHTER),
}
_OF_A_CAMPAIGN = EVERYTHING - {"fought", "misses"}  # what New Recruit keeps once a campaign is switched on
_SWITCH = "enabled"
_SWITCHED = ("battlescribe-ros", "battlescribe-rosz", "newrecruit-json", "newrecruit-text")


def carried(form: str, reading: TextReading, force: Force) -> frozenset[str]:
    """Return what of a roster a file tells: what its form always has a place for, and whatever is in it."""
    found = _ALWAYS.get(form, frozenset())
    if form in _SWITCHED and any(line.text.casefold().strip() == _SWITCH for line in reading.lines):
        found = _OF_A_CAMPAIGN
    headings = (line.text.casefold() for line in reading.lines if line.kind == "heading")
    if form == "companion-text" and any("stash" in heading for heading in headings):
        found |= {"stash"}
    return found | {aspect for aspect in EVERYTHING if _has(force, aspect)}


def _has(force: Force, aspect: str) -> bool:
    """Return whether a roster has anything of a kind at all."""
    if aspect == "fought":
        return bool(force.battles.fought)
    if aspect == "misses":
        return bool(force.promotion_misses)
    if aspect in WARBAND:
        return bool(getattr(force, aspect))
    return any(getattr(fighter, aspect) for fighter in force.fighters)
