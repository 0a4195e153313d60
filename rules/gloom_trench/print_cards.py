"""Unit cards of Gloom Trench 1926 to cut out. A unit with a lot of text takes several cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.custom.content import CustomContent
from rules.force import Force
from rules.gloom_trench.force_rules import FORCE_RULES
from rules.gloom_trench.print_units import DICE, UnitBlock, WeaponRow, scale_of, unit_block
from rules.sheets import CardPart, CardWishes
from rules.translation import gettext

CARD_LINES, CARD_FOOT = 25, 3.6  # lines of text on a card, and the lines that its boxes take
CARD_LETTERS = 42  # characters in a line of a card, a conservative estimate
CONTINUED = ", continued"
PARTS = (
    CardPart("models", gettext("Models with their figures")),
    CardPart("weapons", gettext("Weapons")),
    CardPart("rules", gettext("Orders and rules in words")),
    CardPart("boxes", gettext("Boxes to tick")),
)
ALL = CardWishes()


@dataclass(frozen=True, slots=True)
class UnitCard:
    """A unit card. A unit with a lot of text takes several; figures and boxes are on the first."""

    block: UnitBlock
    number: int
    of: int
    weapons: tuple[WeaponRow, ...]
    texts: tuple[tuple[str, str], ...]

    @property
    def is_first(self) -> bool:
        """Return whether this card shows the figures."""
        return self.number == 1


@dataclass(frozen=True, slots=True)
class CardSheet:
    cards: tuple[UnitCard, ...]
    dice: tuple[str, ...]
    with_models: bool = True
    with_boxes: bool = True


def card_sheet(content: CustomContent, force: Force, wishes: CardWishes = ALL) -> CardSheet:
    """Return a card for each wanted unit, and more if its weapons and rules need them."""
    scale = scale_of(force)
    cards: list[UnitCard] = []
    for unit in FORCE_RULES.units(force):
        if not wishes.takes(unit.key):
            continue
        block = unit_block(content, unit, scale)
        pages = list(card_pages(block, wishes))
        cards += [UnitCard(block, n, len(pages), weapons, texts) for n, (weapons, texts) in enumerate(pages, 1)]
    return CardSheet(tuple(cards), DICE, wishes.wants("models"), wishes.wants("boxes"))


def card_pages(
    block: UnitBlock, wishes: CardWishes = ALL
) -> Iterator[tuple[tuple[WeaponRow, ...], tuple[tuple[str, str], ...]]]:
    """Yield the weapons and named texts of each card.

    Space is counted in lines of text; a card holds `CARD_LINES`.
    """
    head = 2 + _lines(block.name, 26) + 3.3 + _lines(f"{block.profile_name}, {', '.join(block.keywords)}")
    head += CARD_FOOT if wishes.wants("boxes") else 0
    if wishes.wants("models"):
        head += sum(_lines(f"{m.count} {m.name} {' '.join(f.label for f in m.figures)}  ") for m in block.models)
    weapons = list(block.weapons) if wishes.wants("weapons") else []
    texts = [(f"{name}, 1 TP", words) for name, words in block.orders] + list(block.rules)
    texts = texts if wishes.wants("rules") else []
    room, first = CARD_LINES - head, True
    while first or weapons or texts:
        taken: list[WeaponRow] = []
        while weapons and room >= 1.2 + _weapon_lines(weapons[0]):
            room -= _weapon_lines(weapons[0]) + (0 if taken else 1.2)
            taken.append(weapons.pop(0))
        said: list[tuple[str, str]] = []
        while texts and not weapons:
            name, words = texts[0]
            need = _lines(f"{name} {words}") + 0.3
            if need <= room:
                said.append(texts.pop(0))
                room -= need
                continue
            part, rest = _cut(words, int((room - 1) * CARD_LETTERS) - len(name)) if room >= 4 else ("", words)
            if part:
                said.append((name, part))
                texts[0] = (f"{name.removesuffix(CONTINUED)}{CONTINUED}", rest)
            break
        yield tuple(taken), tuple(said)
        room, first = CARD_LINES - 1 - _lines(block.name, 26), False


def _lines(words: str, letters: int = 0) -> int:
    return max(1, -(-len(words) // (letters or CARD_LETTERS)))


def _weapon_lines(weapon: WeaponRow) -> float:
    """Return the height of a weapon row in lines: its die, or its name in a narrow column, plus a special rule below."""
    row = max(1.8, 1.1 * _lines(f"{weapon.name} {weapon.dice}", 14))
    return row + (_lines(weapon.special) if weapon.special else 0)


def _cut(words: str, room: int) -> tuple[str, str]:
    """Split a text into as many whole words as fit, and the rest."""
    at = words.rfind(" ", 0, max(0, room))
    at = at if at > 0 else max(1, room)
    return words[:at].rstrip(), words[at:].lstrip()
