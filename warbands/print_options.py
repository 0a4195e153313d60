"""The options of a printed sheet: paper, look, and the parts to print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import gettext as _

from rules.problems import Refusal
from rules.sheets import SheetChoice

Paper = Literal["A4", "Letter"]
Look = Literal["full", "ink", "large"]
PAPERS: tuple[Paper, ...] = ("A4", "Letter")
LOOKS: tuple[Look, ...] = ("full", "ink", "large")


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """The options that a person chose: paper, look, and the parts to print.

    `sheets` are ids of sheets that a game lays out itself; None means the usual ones, empty means none.
    """

    paper: Paper = "A4"
    look: Look = "full"
    with_stash: bool = True
    with_glossary: bool = True
    with_gone: bool = False
    sheets: tuple[str, ...] | None = None
    with_cards: bool = False

    @classmethod
    def read(cls, data: Mapping[str, Any], *, paper: str = "A4") -> PrintOptions:
        """Read options from a query or a form. Raises Refusal, which names the field, for an unknown value.

        Ticked checkboxes are "on" or "1". Without `chosen` in the data, the checkboxes have their defaults.
        """
        chosen_paper, look = str(data.get("paper") or paper), str(data.get("look") or "full")
        if chosen_paper not in PAPERS:
            raise Refusal(
                _("Paper is A4 or Letter, not “{chosen_paper}”.").format(chosen_paper=chosen_paper[:20]), code="paper"
            )
        if look not in LOOKS:
            raise Refusal(_("The style is full, ink or large, not “{look}”.").format(look=look[:20]), code="look")
        sheets = _listed(data, "sheet")
        if not data.get("chosen"):
            return cls(paper=chosen_paper, look=look, sheets=sheets or None)  # type: ignore[arg-type]
        ticked = {name: data.get(name) in ("on", "1", "true") for name in ("stash", "glossary", "gone", "cards")}
        return cls(
            chosen_paper,
            look,
            ticked["stash"],
            ticked["glossary"],
            ticked["gone"],
            sheets,
            ticked["cards"],  # type: ignore[arg-type]
        )

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> PrintOptions:
        sheets = kept.get("sheets")
        return cls(**{**kept, "sheets": None if sheets is None else tuple(sheets)})

    def wanted(self, choices: Sequence[SheetChoice]) -> tuple[SheetChoice, ...]:
        """Return the chosen ones of a game's own sheets, in the game's order; empty if the game has none.

        Raises Refusal if none was chosen, or one that the game does not have.
        """
        if not choices:
            return ()
        if self.sheets is None:
            return tuple(choice for choice in choices if choice.usual)
        known = {choice.id: choice.name for choice in choices}
        for sheet in self.sheets:
            if sheet not in known:
                words = _("There is no sheet “{sheet}”.").format(sheet=sheet[:40])
                raise Refusal(words, mend=_("There is: {join}.").format(join=", ".join(known.values())), code="sheet")
        if not self.sheets:
            raise Refusal(
                _("Choose a sheet."), mend=_("Tick one: {join}.").format(join=", ".join(known.values())), code="sheet"
            )
        return tuple(choice for choice in choices if choice.id in self.sheets)


def _listed(data: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return all values of a name in a form or a query."""
    sent = data.getlist(name) if hasattr(data, "getlist") else data.get(name) or ()
    return (sent,) if isinstance(sent, str) else tuple(str(each) for each in sent)
