"""The app's dice of a battle at the table: sealed when tracking starts, rolled from the sealed seed.

Nobody can see the seed before the battle is reported. Until then only its SHA-256, the seal, is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from campaigns.dice_record import read_rolls, standing_acts
from campaigns.models import DiceSeed, Table
from rules.dice import Draw, SealedDice, new_seed, seal_of
from rules.tracker.rolls import RollKind, kind_of_act
from rules.tracker.state import TableState


def seal_dice(table: Table) -> None:
    """Give a new table its secret seed, and save the seal. Two queries."""
    seed = new_seed()
    DiceSeed.objects.create(table=table, seed=seed)
    table.seal = seal_of(seed)
    table.save(update_fields=["seal"])


def sealed_dice(table: Table, state: TableState, kind: RollKind, data: Mapping[str, str]) -> SealedDice:
    """Return the dice for an act at a sealed table. Two queries.

    The act gets the lowest number of its kind that no standing act has. So an act that was taken back, or that was
    rolled before tracking started over, gets the same dice again.
    """
    act = kind_of_act(state, kind, data)
    taken = {identity[-2] for identity in _identities(table) if identity[: len(act)] == act}
    nth = next(str(number) for number in range(1, len(taken) + 2) if str(number) not in taken)
    seed = DiceSeed.objects.values_list("seed", flat=True).get(table=table)
    return SealedDice(seed, (*act, nth))


def _identities(table: Table) -> list[tuple[str, ...]]:
    """Return the identities of the sealed throws that stand. One query."""
    acts = standing_acts(read_rolls(table.battle_id))
    return [tuple(draw["identity"]) for act in acts for draw in act.dice if draw.get("identity")]


def of_another_act(draws: Sequence[Draw], state: TableState, kind: RollKind, data: Mapping[str, str]) -> bool:
    """Return whether these draws are sealed and belong to another act than this one, for example at another target."""
    act = kind_of_act(state, kind, data)
    return any(draw.identity and draw.identity[: len(act)] != act for draw in draws)
