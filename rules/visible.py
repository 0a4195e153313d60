"""Checks names for invisible characters, which make two names look alike or a name look empty."""

from __future__ import annotations

import unicodedata

from rules.problems import Refusal
from rules.translation import gettext as _

_JOINERS = "\u200c\u200d"
_CHOOSES_LOOK = "\ufe0e\ufe0f"  # a sign drawn as text or as a picture
# Characters that show nothing although their category does not say so: fillers, blanks, marks that only affect other letters.
_UNSEEN_RANGES = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x13440, 0x13440),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)


def shows_nothing(character: str) -> bool:
    """Return whether a character by itself is invisible. Test for blanks between words with `str.isspace`."""
    if " " <= character <= "~":
        return False
    if unicodedata.category(character) in ("Cf", "Cc", "Cs"):
        return True
    return any(first <= ord(character) <= last for first, last in _UNSEEN_RANGES)


def _belongs(text: str, place: int) -> bool:
    """Return whether an invisible character belongs to the text around it.

    It does if it is a joiner inside a word of a script that needs it, or part of an emoji.
    """
    character = text[place]
    before, after = text[:place].rstrip(_CHOOSES_LOOK)[-1:], text[place + 1 : place + 2]
    if character in _CHOOSES_LOOK:
        return bool(before) and unicodedata.category(before) in ("So", "Sm", "Sk", "Po", "Nd")
    if character not in _JOINERS or not before or not after:
        return False
    if unicodedata.category(before) in ("So", "Sk") and unicodedata.category(after) == "So":
        return character == "\u200d"
    return all(ord(each) >= 0x0590 and unicodedata.category(each)[0] in "LM" for each in (before, after))


def fault_of_name(text: str) -> str:
    """Return why a name is not fully visible, as a sentence; "" for a visible or empty name."""
    for place, character in enumerate(text):
        if not character.isspace() and shows_nothing(character) and not _belongs(text, place):
            return _("It has an invisible character (U+{ord:04X}). Type it again without it.").format(
                ord=ord(character)
            )
    if text.strip() and not any(unicodedata.category(each)[0] in "LNPS" for each in text):
        return _("It has nothing that can be seen. Use at least one letter, digit or sign.")
    return ""


def refuse_unseen(text: str, what: str = _("The name"), *, field: str = "") -> None:
    """Raise Refusal, about the form's `field`, for a name that contains invisible characters or consists of them."""
    if fault := fault_of_name(text):
        raise Refusal(_("{what} cannot be used. {fault}").format(what=what, fault=fault), code="text", field=field)


def refuse_unseen_names(*names: str) -> None:
    """Raise Refusal for the first name of a document that is not fully visible."""
    for name in names:
        refuse_unseen(name, _("The name “{without_unseen}”").format(without_unseen=without_unseen(name)))


def without_unseen(text: str) -> str:
    """Return the text without invisible characters, except line ends, tabs, and those that belong to its spelling."""
    return "".join(
        each for place, each in enumerate(text) if each in "\n\t" or not shows_nothing(each) or _belongs(text, place)
    )
