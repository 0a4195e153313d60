"""How far a fighter may advance: experience, promotion, skills and scars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules import vocabulary as v
from rules.content.campaign_entries import Trauma
from rules.content.compiled import Content
from rules.fighters.facts import Facts
from rules.force import ForceFighter, ForceTrauma


def scars_of(fighter: ForceFighter) -> int:
    """Return the number of scars: as recorded, else counted from the traumas."""
    return fighter.scars if fighter.scars is not None else sum(t.scar for t in fighter.traumas)


OVERCOME = "overcome"  # a detail of a trauma that bars experience: a promotion die has succeeded since


def barring(known: Mapping[str, Trauma], suffered: Iterable[ForceTrauma]) -> tuple[ForceTrauma, ...]:
    """Return the traumas that keep a fighter from experience: those that bar it and that no promotion die has overcome since."""
    return tuple(
        t
        for t in suffered
        if t.trauma in known
        and not t.details.get(OVERCOME)
        and any(isinstance(effect, v.NoExperienceEffect) for effect in known[t.trauma].effects)
    )


def career(who: Facts) -> str:
    """Return how far a fighter may advance: as its profile says, or all the way if one of its effects allows it."""
    return "full" if who.of(v.PromotableEffect) else who.profile.advancement


def advances(content: Content, who: Facts) -> bool:
    """Return whether a fighter of this kind advances and learns skills.

    Its profile decides, and for mercenaries also the edition.
    """
    hired = content.pack.campaign is not None and content.pack.campaign.rules.mercenaries_advance
    return (hired or not who.mercenary) and career(who) in ("full", "limited")


def may_learn(content: Content, who: Facts, fighter: ForceFighter) -> bool:
    """Return whether the fighter gains experience and learns skills: it is ELITE, of a kind that can, and no wound bars it."""
    return (
        who.elite and advances(content, who) and not fighter.demoted and not barring(content.traumas, fighter.traumas)
    )


def advance_marks(content: Content, who: Facts) -> tuple[int, ...]:
    """Return the amounts of experience at which this fighter receives a skill."""
    numbers = content.campaign
    if career(who) == "limited":
        return numbers.advances_at[: numbers.limited_advances]
    return numbers.advances_at if career(who) == "full" else ()
