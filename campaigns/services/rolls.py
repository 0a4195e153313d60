"""Keeping a roll the moment it falls: the app's dice or faces typed in, under the campaign's dice policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaigns.models import Campaign
from rules.dice import AppDice, DiceSource, Draw, NeedDice, TypedDice
from rules.problems import Refusal


def refuse_source(campaign: Campaign, source: str) -> None:
    """Raise Refusal for a source of dice that the campaign does not allow."""
    if source not in ("app", "typed"):
        raise Refusal(f"“{source}” is no source of dice.", code="unknown-source")
    if campaign.dice == Campaign.Dice.APP and source == "typed":
        raise Refusal("This campaign rolls with the app's dice.", mend="Press “Roll for me”.", code="dice-policy")
    if campaign.dice == Campaign.Dice.TYPED and source == "app":
        raise Refusal("This campaign rolls at the table.", mend="Type in what fell.", code="dice-policy")


def draw_for(
    campaign: Campaign, need: NeedDice, source: str, faces: Sequence[int] = (), dice: DiceSource | None = None
) -> Draw:
    """The draw that answers `need`: from the app's dice (or `dice`, for demonstrations and tests), or from the faces typed in.

    Raises Refusal for a source that the campaign does not allow, too few or too many faces, and a face no die shows.
    """
    refuse_source(campaign, source)
    if source == "app":
        return (dice or AppDice()).draw(need.count, need.sides, need.why)
    if len(faces) != need.count:
        asked = "One die is" if need.count == 1 else f"{need.count} dice are"
        typed = "one is" if len(faces) == 1 else f"{len(faces)} are" if faces else "none is"
        raise Refusal(f"{asked} asked for; {typed} typed in.", code="wrong-count")
    return TypedDice([_face(face) for face in faces]).draw(need.count, need.sides, need.why)


def told(draw: Draw) -> str:
    """A draw in a sentence's middle: "rolled 3, 1", or "typed in 3, 1"."""
    verb = "typed in" if draw.origin == "typed" else "rolled"
    return f"{verb} {', '.join(str(face) for face in draw.faces)}"


def dice_words(kept: Sequence[Mapping[str, Any]]) -> str:
    """Kept rolls as history tells them: "Trauma of Ilse Brandt 3, 1, typed in by Ada"; "" where no die fell."""
    words = []
    for roll in kept:
        faces = ", ".join(str(face) for face in roll["faces"])
        by = str(roll.get("by") or "")
        origin = "typed in" if roll.get("origin") == "typed" else "rolled by the app"
        whose = f" {'by' if roll.get('origin') == 'typed' else 'for'} {by}" if by else ""
        words.append(f"{roll['why']} {faces}, {origin}{whose}")
    return f"{'; '.join(words)}." if words else ""


def _face(face: Any) -> int:
    try:
        return int(face)
    except (TypeError, ValueError):
        raise Refusal(f"“{face}” is no face of a die.", code="impossible-face") from None
