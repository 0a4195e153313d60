"""What a campaign's administrator may correct by hand: the scars of fighters and the finds of warbands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from rules.consequences import Consequence

C_contra = TypeVar("C_contra", contravariant=True)


class CorrectionsPart(Protocol[C_contra]):
    """Scars and finds by name, to be corrected by hand. None for games that have neither."""

    def scar_choices(self, content: C_contra) -> tuple[tuple[str, str], ...]:
        """Return the scars of the edition: id and name, by name."""

    def scars_borne(self, content: C_contra, state: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
        """Return the scars in the state of a roster row: key and name, with what is known about each."""

    def correct_scars(
        self,
        content: C_contra,
        fighter: str,
        state: Mapping[str, Any],
        *,
        add: str,
        remove: str,
        detail: str,
        battle: int,
        why: str,
    ) -> tuple[Consequence, ...]:
        """Return the consequences of correcting a fighter's scars by hand: one goes, one comes; either may be "".

        `remove` is a key of `scars_borne`, `add` an id, `detail` what the scar asks ("left"), `battle` the warband's battle number.
        Raises Refusal for a scar or a detail that is not known.
        """

    def find_choices(self, content: C_contra) -> tuple[tuple[str, str], ...]:
        """Return what a warband may find and keep besides items and money: key and name, by name."""

    def finds_held(self, content: C_contra, state: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
        """Return what the state of a warband holds of them: key and name."""

    def correct_finds(
        self, content: C_contra, state: Mapping[str, Any], *, add: str, remove: str, why: str
    ) -> tuple[Consequence, ...]:
        """Return the consequences of correcting a warband's finds by hand: one goes, one comes; either may be "".

        What a find brought (money, items) stays. Raises Refusal for a find that is not known, or that is held already.
        """
