"""Helpers that take a dice roll from the app or from typed faces, under the campaign's dice policy.

Rolls are stored at once, and the app's dice are final.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Battle, Campaign, Table, TableAct
from campaigns.serialization import read_draws
from rules.dice import NOT_BY_APP, AppDice, DiceSource, Draw, NeedDice, TypedDice
from rules.problems import Refusal


def refuse_source(campaign: Campaign, source: str) -> None:
    """Raise Refusal if the campaign does not allow this source of dice."""
    if source not in ("app", "typed", "device"):
        raise Refusal(_("“{source}” is not a source of dice.").format(source=source), code="unknown-source")
    if campaign.dice == Campaign.Dice.APP and source == "typed":
        raise Refusal(_("This campaign uses the app's dice."), mend=_("Press “Roll for me”."), code="dice-policy")
    if campaign.dice == Campaign.Dice.TYPED and source in ("app", "device"):
        raise Refusal(_("This campaign uses real dice."), mend=_("Enter your dice."), code="dice-policy")


def undone_draws(table: Table, roll: str, data: Mapping[str, str]) -> tuple[Draw, ...]:
    """Return the app's dice from the last attempt at this roll, if that attempt was undone in the same turn. Two
    queries at most.

    The app's dice are final. If the same fighter or side rolls again, even at another target, it cannot type in others.
    At a table without a seal it gets the same faces again; at a sealed one the seed sees to that.
    """
    whose = {name: data[name] for name in ("fighter", "side") if data.get(name)}
    acts = TableAct.objects.filter(table=table, data__kind="roll", data__roll=roll)
    last = acts.filter(**{f"data__{name}": key for name, key in whose.items()}).order_by("-number").first()
    if last is None or last.undone_by_id is None:
        return ()
    turned = TableAct.objects.filter(table=table, number__gt=last.number, undone_by=None)
    if any(act.data["kind"] in ("turn", "played") or (act.data.get("table") or {}).get("next_turn") for act in turned):
        return ()
    draws = read_draws(last.dice)
    return draws if all(draw.origin not in NOT_BY_APP for draw in draws) else ()


def refuse_other_faces(battle: Battle, undone: Sequence[Draw], is_another: bool = False) -> None:
    """Raise Refusal for typed dice if the app's dice are final. `is_another`: the app has other dice for this act than `undone`.

    In a campaign that now rolls at the table, typed dice are always allowed.
    """
    if not undone or battle.campaign.dice == Campaign.Dice.TYPED:
        return
    if is_another:
        words = _("The app rolled here before the undo, so the app rolls now too.")
        raise Refusal(words, mend=_("Press “Roll for me”."), code="app-dice")
    faces = ", ".join(str(face) for draw in undone for face in draw.faces)
    raise Refusal(
        _("The app rolled {faces} for this before the undo; these dice stay.").format(faces=faces),
        mend=_("Press “Roll for me” to use them."),
        code="app-dice",
    )


def refuse_told(battle: Battle, table: Table, roll: str, data: Mapping[str, str]) -> None:
    """Raise Refusal for a typed outcome if only the app's dice count, or if the app already rolled for it and that roll was undone."""
    refuse_source(battle.campaign, "typed")
    refuse_other_faces(battle, undone_draws(table, roll, data))


def draw_for(
    campaign: Campaign, need: NeedDice, source: str, faces: Sequence[int] = (), dice: DiceSource | None = None
) -> Draw:
    """Return the draw for `need`: from the app's dice (or `dice`, for demonstrations and tests), or from typed faces.

    Raises Refusal if the campaign does not allow the source, if there are too few or too many faces, or if a face is
    impossible.
    """
    refuse_source(campaign, source)
    if source == "app":
        return (dice or AppDice()).draw(need.count, need.sides, need.why)
    if len(faces) != need.count:
        needed = ngettext(
            "Enter {count} die. You entered {entered}.", "Enter {count} dice. You entered {entered}.", need.count
        ).format(count=need.count, entered=len(faces))
        raise Refusal(needed, code="wrong-count")
    return TypedDice([_face(face) for face in faces]).draw(need.count, need.sides, need.why)


def told(draw: Draw) -> str:
    """Return a draw as the middle part of a sentence: "rolled 3, 1", or "typed in 3, 1"."""
    words = _("typed in {faces}") if draw.origin == "typed" else _("rolled {faces}")
    return words.format(faces=", ".join(str(face) for face in draw.faces))


def dice_words(kept: Sequence[Mapping[str, Any]]) -> str:
    """Return stored rolls as text for the history: "Trauma of Ilse Brandt 3, 1, typed in by Ada". Return "" if there are no dice."""
    words = []
    for roll in kept:
        faces = ", ".join(str(face) for face in roll["faces"])
        by = str(roll.get("by") or "")
        if roll.get("origin") == "typed":
            origin = _("typed in by {player}") if by else _("typed in")
        else:
            origin = _("rolled by the app for {player}") if by else _("rolled by the app")
        words.append(f"{roll['why']} {faces}, {origin.format(player=by)}")
    return f"{'; '.join(words)}." if words else ""


def _face(face: Any) -> int:
    try:
        return int(face)
    except (TypeError, ValueError):
        raise Refusal(_("“{face}” is no face of a die.").format(face=face), code="impossible-face") from None
