"""The options of a printed sheet: paper, look, and the parts to print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

from django.utils.translation import gettext as _

from rules.problems import Refusal
from rules.sheets import SheetChoice

Paper = Literal["A4", "Letter"]
Look = Literal["full", "ink", "large"]
Layout = Literal["page", "full", "table"]
PAPERS: tuple[Paper, ...] = ("A4", "Letter")
LOOKS: tuple[Look, ...] = ("full", "ink", "large")
CardSize = Literal["small", "big"]
CARD_SIZES: tuple[CardSize, ...] = ("small", "big")
# What stands on a card beside name, figures and keywords.
CARD_PARTS = ("weapons", "rules", "keyword_rules", "notes", "experience", "scars", "portrait")
CARD_PARTS_OF_UNITS = ("models", "left", "boxes")  # and some of the others
USUAL_CARD_PARTS = tuple(part for part in (*CARD_PARTS, *CARD_PARTS_OF_UNITS) if part != "keyword_rules")
FORMER_CARD_PARTS = (
    "weapons",
    "rules",
    "notes",
    "experience",
    "scars",
    "portrait",
)  # the usual ones when units had none
LAYOUTS: tuple[Layout, ...] = ("page", "full", "table")
PARTS = (
    *("stash", "glossary", "gone", "markers", "notes", "blank", "fields"),
    *("cards", "backs", "rules_cards", "blank_cards"),
)


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """The options that a person chose: paper, look, layout, and the parts to print.

    `layout` is that of a common roster: "page" sets it as small as it reads well, "full" gives every fighter the width
    of the page, "table" lists the weapons of all. `sheets` are ids of sheets that a game lays out itself; None means the usual ones, empty means none.
    """

    paper: Paper = "A4"
    look: Look = "full"
    with_stash: bool = True
    with_glossary: bool = True
    with_gone: bool = False
    sheets: tuple[str, ...] | None = None
    with_cards: bool = False
    layout: Layout = "page"
    with_markers: bool = True
    with_notes: bool = True
    with_blank: bool = False
    with_fields: bool = False  # to fill in on a screen
    card_size: CardSize = "small"
    with_backs: bool = False
    with_rules_cards: bool = False
    with_blank_cards: bool = False
    card_parts: tuple[str, ...] = USUAL_CARD_PARTS
    fighters: tuple[str, ...] | None = None  # keys of those to print; None: all

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
        layout = str(data.get("layout") or "page")
        if layout not in LAYOUTS:
            raise Refusal(
                _("The layout is page, full or table, not “{layout}”.").format(layout=layout[:20]), code="layout"
            )
        card_size = str(data.get("card_size") or "small")
        if card_size not in CARD_SIZES:
            raise Refusal(_("Cards are small or big, not “{size}”.").format(size=card_size[:20]), code="card_size")
        sheets = _listed(data, "sheet")
        parts = _listed(data, "card_part")
        if wrong := [part for part in parts if part not in (*CARD_PARTS, *CARD_PARTS_OF_UNITS)]:
            raise Refusal(_("Cards have no part “{part}”.").format(part=wrong[0][:20]), code="card_part")
        chosen: dict[str, Any] = {"paper": chosen_paper, "look": look, "layout": layout, "card_size": card_size}
        if data.get("some_parts"):
            chosen["card_parts"] = tuple(part for part in (*CARD_PARTS, *CARD_PARTS_OF_UNITS) if part in parts)
        if data.get("some"):
            chosen["fighters"] = _listed(data, "fighter")
            if not chosen["fighters"]:
                raise Refusal(_("Choose a fighter."), mend=_("Tick those to print."), code="fighter")
        if not data.get("chosen"):
            return cls(**chosen, sheets=sheets or None)
        ticked: dict[str, Any] = {f"with_{name}": data.get(name) in ("on", "1", "true") for name in PARTS}
        return cls(**chosen, **ticked, sheets=sheets)

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> PrintOptions:
        """Return options that were stored as JSON, by this release or an earlier one."""
        kept = {**kept}
        if kept.get("card_parts") and tuple(kept["card_parts"]) == FORMER_CARD_PARTS:
            kept["card_parts"] = USUAL_CARD_PARTS
        known = {field.name for field in fields(cls)}
        found: dict[str, Any] = {name: value for name, value in kept.items() if name in known}
        for name in ("sheets", "fighters", "card_parts"):
            if found.get(name) is not None:
                found[name] = tuple(found[name])
        return cls(**found)

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
