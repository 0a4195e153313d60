"""How far a fighter may rise: experience, promotion, skills and scars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.content.schema import Trauma
from rules.fighters.facts import Facts
from rules.force import ForceFighter, ForceTrauma


def scars_of(fighter: ForceFighter) -> int:
    """Scars: as recorded, else counted from the traumas."""
    return fighter.scars if fighter.scars is not None else sum(t.scar for t in fighter.traumas)


OVERCOME = "overcome"  # a detail of a trauma that bars experience: a promotion die succeeded since


def barring(known: Mapping[str, Trauma], suffered: Iterable[ForceTrauma]) -> tuple[ForceTrauma, ...]:
    """The traumas that keep a fighter from experience: those that bar it and were not overcome by a promotion die since."""
    return tuple(
        t
        for t in suffered
        if t.trauma in known
        and not t.details.get(OVERCOME)
        and any(isinstance(effect, v.NoExperienceEffect) for effect in known[t.trauma].effects)
    )


def career(who: Facts) -> str:
    """How far a fighter may rise: as its profile says, or all the way where something it has lets it."""
    return "full" if who.of(v.PromotableEffect) else who.profile.advancement


def advances(content: Content, who: Facts) -> bool:
    """Whether a fighter of its kind rises and learns: what its profile says, and for mercenaries what the edition says."""
    hired = content.pack.campaign is not None and content.pack.campaign.rules.mercenaries_advance
    return (hired or not who.mercenary) and career(who) in ("full", "limited")


def may_learn(content: Content, who: Facts, fighter: ForceFighter) -> bool:
    """Whether it gains experience and learns skills: ELITE, of a kind that can, and kept from it by no wound."""
    return (
        who.elite and advances(content, who) and not fighter.demoted and not barring(content.traumas, fighter.traumas)
    )


def advance_marks(content: Content, who: Facts) -> tuple[int, ...]:
    """Experience at which skills fall due for this fighter."""
    numbers = content.campaign
    if career(who) == "limited":
        return numbers.advances_at[: numbers.limited_advances]
    return numbers.advances_at if career(who) == "full" else ()
