"""Reads a battle sheet that was filled in on a screen: the data of a report as far as it goes, and what could not be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from campaigns.battle_sheet import TURNS, BattleSheet, SideSheet, battle_sheet
from campaigns.models import Battle, Side
from campaigns.report_data import MAX_POINTS
from campaigns.scenarios import deeds_of
from campaigns.sheet_fields import FORM, FieldName, form_prefix, read_name
from rules.problems import Refusal
from warbands.models import Fighter
from warbands.parsing import read_number
from warbands.pdf_fields import MOST_BYTES, Fault, UnreadablePdf, read_fields

Values = Mapping[str, str | bool]


@dataclass(slots=True)
class FilledSheet:
    """What a filled sheet says: its side, the data of the report, and what could not be read, as sentences."""

    side: int
    data: dict[str, Any]
    kind: str = "played"
    played_on: date | None = None
    unread: list[str] = field(default_factory=list)


def read_filled_sheet(content: bytes, battle: Battle, sides: Sequence[Side]) -> FilledSheet:
    """Read a filled sheet of this battle. `sides` come from `read_sides`. A few queries per side.

    Raises Refusal for a file that is no sheet of this battle as it stands now: the message says which and what helps.
    """
    values = _values(content)
    first = _sheet_of(values, battle)
    side = next((each for each in sides if each.pk == first.side), None)
    if side is None:
        raise Refusal(_("This sheet is of a side that isn't in this battle."), code="wrong-side")
    made = battle_sheet(battle, sides, [side], "A4", fillable=True)
    (sheet,) = made.sides
    if first.form != FORM or sheet.form_prefix != form_prefix(battle.pk, side.pk, first.mark):
        raise Refusal(
            _("This sheet was printed before the forces or the scenario changed."),
            mend=_("Create it again and copy the values, or type the report in."),
            code="old-sheet",
        )
    own = {found.asks: value for name, value in values.items() if (found := read_name(name)) is not None}
    return _SheetReading(battle, made, sheet, own).read()


def _values(content: bytes) -> Values:
    try:
        return read_fields(content)
    except UnreadablePdf as unreadable:
        raise sheet_refusal(unreadable.fault) from None


def sheet_refusal(fault: Fault) -> Refusal:
    """Return the refusal of a file that is no filled sheet."""
    words, mend = FAULTS[fault]()
    return Refusal(words, mend=mend, code=fault)


def _sheet_of(values: Values, battle: Battle) -> FieldName:
    """Return the name of a field, of which all name the same sheet. Raises Refusal for a foreign or mixed file."""
    names = [found for name in values if (found := read_name(name)) is not None]
    if not names:
        raise Refusal(
            _("This PDF is not a battle sheet from here."),
            mend=_("Create one with fields on the page of the battle sheet."),
            code="foreign",
        )
    first = names[0]
    if any(
        (each.form, each.battle, each.side, each.mark) != (first.form, first.battle, first.side, first.mark)
        for each in names
    ):
        raise Refusal(
            _("This file holds the sheets of several sides."), mend=_("Choose one sheet at a time."), code="mixed"
        )
    if first.battle != battle.pk:
        raise Refusal(
            _("This sheet is of another battle."), mend=_("Open that battle and bring it there."), code="wrong-battle"
        )
    return first


FAULTS: dict[Fault, Callable[[], tuple[str, str]]] = {
    "large": lambda: (
        _("The file is larger than {most} MB. A sheet is far smaller.").format(most=MOST_BYTES // 1_000_000),
        _("Save it again without pictures."),
    ),
    "no-pdf": lambda: (_("This is not a PDF."), _("Choose the sheet that you filled in.")),
    "encrypted": lambda: (_("This PDF is protected with a password."), _("Save it without one.")),
    "no-fields": lambda: (
        _("This PDF has no fields."),
        _("A sheet printed into a PDF loses them. Save the filled-in sheet instead."),
    ),
    "many-fields": lambda: (
        _("This PDF has far more fields than a battle sheet."),
        _("Choose the sheet you filled in."),
    ),
    "broken": lambda: (_("This PDF is broken and can't be read."), _("Save it again, or type the report in.")),
}


class _SheetReading:
    """One reading of a sheet: what each field asks, and what stands in it."""

    def __init__(self, battle: Battle, made: BattleSheet, sheet: SideSheet, values: Values) -> None:
        self.battle, self.made, self.sheet, self.values = battle, made, sheet, values
        self.sides = {str(each.key): each.name for each in sheet.scored}
        self.rows = self._rows()
        names = {key: name for rows in self.rows.values() for key, name in rows.items()}
        self.by_name = _by_name(names)
        self.side_by_name = _by_name(self.sides)
        self.side_of = {key: side for side, rows in self.rows.items() for key in rows}
        self.unread: list[str] = []

    def _rows(self) -> dict[str, dict[str, str]]:
        """Return the names of the fighters on the sheet by side and key."""
        rows = {str(self.sheet.scored[0].key): {row.key: row.name for row in self.sheet.rows if row.key}}
        for other, (_name, columns) in zip(self.sheet.scored[1:], self.sheet.others_rows, strict=True):
            rows[str(other.key)] = {row.key: row.name for column in columns for row in column if row.key}
        return rows

    def text(self, asks: str) -> str:
        value = self.values.get(asks, "")
        return " ".join(value.split()) if isinstance(value, str) else ""

    def ticked(self, asks: str) -> bool:
        return self.values.get(asks) is True

    def read(self) -> FilledSheet:
        out = {side: self._out(side, rows) for side, rows in self.rows.items()}
        losses = {side: lost for side, rows in self.rows.items() if (lost := self._losses(rows))}
        data: dict[str, Any] = {
            **self._result(),
            "points": {side: number for side in self.sides if (number := self._victory_points(side)) is not None},
            "campaign_points": self._campaign_points(),
            "took_part": {side: self._took(rows, out[side]) for side, rows in self.rows.items()},
            "out": out,
            "deeds": self._deeds(),
            "used": self._used(),
            **({"losses": losses} if losses else {}),
            "words": self.text("words"),
        }
        kinds = [value for value, _words in self.made.endings if self.ticked(f"kind-{value}")]
        if len(kinds) > 1:
            self.unread.append(_("How it ended: more than one box is ticked."))
        kind = kinds[0] if len(kinds) == 1 else str(Battle.Kind.PLAYED)
        return FilledSheet(self.sheet.scored[0].key, data, kind, self._day(), self.unread)

    def _result(self) -> dict[str, Any]:
        ticked = [side for side in (*self.sides, "drawn", "none") if self.ticked(f"won-{side}")]
        if len(ticked) > 1:
            self.unread.append(_("Who won: more than one box is ticked."))
        if len(ticked) != 1:
            return {}
        return {"winner": ticked[0], "outcome": "won"} if ticked[0] in self.sides else {"outcome": ticked[0]}

    def _number(self, asks: str, label: str, most: int = MAX_POINTS) -> int | None:
        """Return the number in a field, None if it is empty or cannot be read."""
        text = self.text(asks)
        if not text:
            return None
        number = read_number(text)
        if number is None or number > most:
            self.unread.append(
                _("{label}: “{text}” is not a whole number from 0 to {most}.").format(
                    label=label, text=text[:40], most=most
                )
            )
            return None
        return number

    def _victory_points(self, side: str) -> int | None:
        label = _("Victory points of {side}").format(side=self.sides[side])
        turns = [self._number(f"p-{side}-{turn}", label) for turn in range(1, TURNS + 1)]
        scored = [number for number in turns if number is not None]
        every = self._number(f"p-{side}-all", label)
        if every is not None and scored and sum(scored) != every:
            self.unread.append(
                _("{label}: the turns add up to {sum}, not {all}.").format(label=label, sum=sum(scored), all=every)
            )
        return every if every is not None else sum(scored) if scored else None

    def _campaign_points(self) -> dict[str, int]:
        label = _("Campaign points of {side}")
        found = {side: self._number(f"x-{side}", label.format(side=name)) for side, name in self.sides.items()}
        return {side: number for side, number in found.items() if number is not None}

    def _out(self, side: str, rows: Mapping[str, str]) -> dict[str, str]:
        return {key: self._by(side, key, name) for key, name in rows.items() if self.ticked(f"f-{key}-out")}

    def _by(self, side: str, key: str, name: str) -> str:
        """Return the side that took a fighter out; with two sides the other one, unless the sheet names somebody."""
        others = [each for each in self.sides if each != side]
        usual = others[0] if len(others) == 1 else ""
        text = self.text(f"f-{key}-by")
        if not text:
            return usual
        told = _found(self.side_by_name, text) or self.side_of.get(_found(self.by_name, text))
        if told is None:
            self.unread.append(
                _("{name} was taken out by “{text}”: no one here has this name.").format(name=name, text=text[:60])
            )
            return usual
        return told

    def _took(self, rows: Mapping[str, str], out: Mapping[str, str]) -> list[str]:
        """Return who took part; all if no box of the side is ticked. Whoever was taken out was there."""
        there = [key for key in rows if self.ticked(f"f-{key}-there")]
        return [key for key in rows if key in there or key in out] if there else list(rows)

    def _losses(self, rows: Mapping[str, str]) -> dict[str, dict[str, int]]:
        told = {key: name for key, name in rows.items() if self.text(f"f-{key}-lost")}
        if not told:
            return {}
        terms = self.battle.campaign.terms
        profiles = terms.game.profiles
        states = dict(Fighter.objects.filter(pk__in=[int(key) for key in told]).values_list("pk", "state"))
        found = {}
        for key, name in told.items():
            label = _("Losses of {name}").format(name=name)
            parts: Sequence[tuple[str, str, int, int]] = ()
            if profiles is not None:
                parts = profiles.losable(terms.content, states[int(key)])
            if len(parts) != 1:
                words = _("{label}: “{text}” does not say of what.")
                self.unread.append(words.format(label=label, text=self.text(f"f-{key}-lost")[:40]))
            elif number := self._number(f"f-{key}-lost", label, parts[0][3]):
                found[key] = {parts[0][1]: number}
        return found

    def _deeds(self) -> list[list[str]]:
        """Return the deeds with who did them: from the line of each deed, then from the fighters' own fields."""
        known = {deed.id: deed for deed in deeds_of(self.battle)}
        done: dict[str, list[str]] = {}
        for deed in known.values():
            text = self.text(f"d-{deed.id}")
            if not text:
                continue
            if deed.by_warband:
                side = _found(self.side_by_name, text) or self.side_of.get(_found(self.by_name, text), "")
                fighter = ""
            else:
                fighter = _found(self.by_name, text)
                side = self.side_of.get(fighter, "")
            if side:
                done[deed.id] = [deed.id, side, fighter]
            else:
                self.unread.append(_("{deed}: no one here is named “{text}”.").format(deed=deed.name, text=text[:60]))
        by_name = _by_name({deed.id: deed.name for deed in known.values()})
        for key, name in self.rows[str(self.sheet.scored[0].key)].items():
            text = self.text(f"f-{key}-deed")
            if not text:
                continue
            found = _found(by_name, text)
            if not found:
                self.unread.append(_("{name}: no deed is named “{text}”.").format(name=name, text=text[:60]))
            else:
                done.setdefault(found, [found, self.side_of[key], "" if known[found].by_warband else key])
        return list(done.values())

    def _used(self) -> dict[str, list[str]]:
        pieces = [piece.key for piece in self.sheet.used if self.ticked(f"u-{piece.key}")]
        return {str(self.sheet.scored[0].key): pieces} if pieces else {}

    def _day(self) -> date | None:
        text = self.text("day")
        try:
            return date.fromisoformat(text) if text else None
        except ValueError:
            self.unread.append(_("Played on: “{text}” is not a day, like 2026-11-14.").format(text=text[:40]))
            return None


def _by_name(names: Mapping[str, str]) -> dict[str, list[str]]:
    """Return keys by name in lower case: a name that two have is no key to either."""
    found: dict[str, list[str]] = {}
    for key, name in names.items():
        found.setdefault(name.casefold(), []).append(key)
    return found


def _found(by_name: Mapping[str, Sequence[str]], text: str) -> str:
    """Return the one key whose name is this text, or begins with it; "" if there is none or more than one."""
    text = text.casefold()
    keys = by_name.get(text) or [key for name, keys in by_name.items() if name.startswith(text) for key in keys]
    return keys[0] if len(keys) == 1 else ""
