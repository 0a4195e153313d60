"""Fonts of the printed sheets: which of our font files draws which letter, and what replaces letters that none has.

A font consists of one file for each script. On screen, these files are one family, separated by `unicode-range`. The PDF
engine merges such files and then draws a glyph of one file by its number in another. On paper, each file is therefore a
separate family, and a sheet names only the files with letters that it contains. No sheet uses the fonts of the machine:
letters missing in ours are drawn as `PLACEHOLDER`, and `unprintable` lists them beforehand.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

PLACEHOLDER = "?"
NAMED_AT_MOST = 12
BEYOND_LATIN = "[^\x01-\u024f]"  # for database queries: our fonts have all letters of texts that do not match
HYPHENS = {0x2010: "-", 0x2011: "-", 0x2015: "—"}  # the only characters that are drawn as different ones

_CLUSTER = re.compile(
    r"[^\x00-\xff][\u0300-\u036f]*"  # characters outside Latin-1, with their marks
    r"|[^\x00-\x1f<>&][\u0300-\u036f]+"  # a letter of Latin-1 with marks that do not combine to one character
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"  # characters that are not drawn
)
_STYLE = re.compile(r'<style id="fonts">[^<]*</style>')
_BETWEEN_TAGS = re.compile(r"[^<>=\"'&]+")


@dataclass(frozen=True, slots=True)
class Face:
    """One font file: its family on paper, its weight and style."""

    family: str
    weight: int
    style: str
    file: str

    @property
    def rule(self) -> str:
        """Return its `@font-face` rule."""
        return (
            f'@font-face{{font-family:"{self.family}";font-weight:{self.weight};font-style:{self.style};'
            f'src:url("fonts/{self.file}")}}'
        )


def _faces(family: str, subsets: str, weight: int, style: str) -> tuple[Face, ...]:
    stem = family.lower().replace(" ", "-")
    return tuple(
        Face(f"{family} {subset.replace('-', ' ').title()}", weight, style, f"{stem}-{subset}-{weight}-{style}.woff2")
        for subset in subsets.split()
    )


def _text(weight: int) -> tuple[Face, ...]:
    return (
        *_faces("IBM Plex Sans Condensed", "latin latin-ext vietnamese", weight, "normal"),
        *_faces("Noto Sans", "latin-ext greek greek-ext cyrillic cyrillic-ext", weight, "normal"),
        *_faces("Noto Sans Symbols", "symbols", weight, "normal"),
    )


def _title(weight: int, style: str) -> tuple[Face, ...]:
    return (
        *_faces("Old Standard TT", "latin latin-ext vietnamese cyrillic", weight, style),
        *_faces("Noto Serif", "latin-ext greek greek-ext cyrillic-ext", weight, style),
    )


# In each run, the first file that has a letter draws it. A title falls back to the files of the text.
TEXT = (_text(400), _text(600))
TITLE = ((*_title(700, "normal"), *TEXT[1]), (*_title(400, "italic"), *TEXT[0]))


def with_fonts(html: str) -> str:
    """Return the page of a sheet with printable letters only, and with the style that names the required fonts.

    Call it again after an addition to the page, to name the fonts that it needs then.
    """
    head, mark, body = html.partition("<body")
    drawn = _BETWEEN_TAGS.sub(lambda part: printable(part[0]), body)
    page = head + mark + drawn
    if drawn.count(PLACEHOLDER) > body.count(PLACEHOLDER):
        words = _("“{placeholder}” stands for a letter that our fonts don't have.").format(placeholder=PLACEHOLDER)
        page = page.replace("</body>", f'<p class="unofficial">{words}</p></body>')
    page = _STYLE.sub("", page, count=1)
    return page.replace("</head>", f'<style id="fonts">{font_style(drawn)}</style></head>', 1)


def font_style(words: str) -> str:
    """Return the `@font-face` rules that these words need, in capitals or not, and the families in their order."""
    letters = _letters(words)
    text, title = ([_needed(run, letters) for run in runs] for runs in (TEXT, TITLE))
    rules = dict.fromkeys(face.rule for run in (*title, *text) for face in run)
    stacks = f":root{{--font-title:{_stack(TITLE[0], title)};--font-text:{_stack(TEXT[0], text)}}}"
    return "".join((*rules, stacks))


def printable(words: str) -> str:
    """Return the words, with letters that no font has replaced by their plain form if it can be drawn.

    Other missing letters become `PLACEHOLDER`.
    """
    if words.isascii() and words.isprintable():
        return words
    return _CLUSTER.sub(lambda found: _drawn(found[0]), unicodedata.normalize("NFC", words))


def unprintable(words: str) -> tuple[str, ...]:
    """Return the letters of the words that print as `PLACEHOLDER`, each once, in their order."""
    if words.isascii():
        return ()
    clusters = dict.fromkeys(_CLUSTER.findall(unicodedata.normalize("NFC", words)))
    return tuple(cluster for cluster in clusters if _drawn(cluster) == PLACEHOLDER)


def unprintable_words(words: Iterable[str], where: str = "") -> str:
    """Return a sentence that names the letters that cannot be printed, and where; "" if there are none."""
    letters = unprintable("\n".join(words))
    if not letters:
        return ""
    named = ", ".join(letters[:NAMED_AT_MOST])
    if len(letters) > NAMED_AT_MOST:
        named = _("{letters} and others").format(letters=named)
    told = ngettext(
        "Our fonts don't have {letters}. It prints as “{placeholder}”.",
        "Our fonts don't have {letters}. They print as “{placeholder}”.",
        len(letters),
    )
    if where:
        told = ngettext(
            "Our fonts don't have {letters}. It prints as “{placeholder}” {where}.",
            "Our fonts don't have {letters}. They print as “{placeholder}” {where}.",
            len(letters),
        )
    return told.format(letters=named, placeholder=PLACEHOLDER, where=where)


def _drawn(cluster: str) -> str:
    if _is_drawn(cluster):
        return cluster
    plain = unicodedata.normalize("NFKC", cluster).translate(HYPHENS)
    if _is_drawn(plain):
        return plain
    return "" if all(_is_mute(letter) for letter in cluster) else PLACEHOLDER


def _is_drawn(cluster: str) -> bool:
    return all(any(ord(letter) in letters_of(face.file) for face in run) for run in TEXT for letter in cluster)


def _is_mute(letter: str) -> bool:
    """Return whether a character only controls others: joiners, direction marks, variation selectors."""
    return unicodedata.category(letter) in ("Cc", "Cf") or "\ufe00" <= letter <= "\ufe0f" or letter >= "\U000e0000"


def _both_cases(words: str) -> str:
    """Return the words as written, plus in capitals: labels are set in capitals, names as written."""
    return words + words.upper()


def _letters(words: str) -> set[int]:
    return {ord(letter) for letter in _both_cases("".join(set(words)))}


def _needed(run: tuple[Face, ...], letters: set[int]) -> list[Face]:
    """Return the files of a run that draw the letters; always includes the first."""
    left = letters - letters_of(run[0].file)
    found = [run[0]]
    for face in run[1:]:
        if any(letter > 0xFF for letter in left) and not letters_of(face.file).isdisjoint(left):
            found.append(face)
            left = left - letters_of(face.file)
    return found


def _stack(order: tuple[Face, ...], runs: Iterable[Iterable[Face]]) -> str:
    """Return the families of the runs, in the order in which they are tried."""
    used = {face.family for run in runs for face in run}
    return ",".join(f'"{face.family}"' for face in order if face.family in used)


@cache
def letters_of(file: str) -> frozenset[int]:
    """Return the letters that a font file has."""
    from fontTools.ttLib import TTFont

    with TTFont(font_path(file), lazy=True) as font:  # only the table of letters; the outlines stay compressed
        return frozenset(font.getBestCmap())


@cache
def unpacked(path: Path) -> bytes:
    """Return a font file, unpacked for the engine. Unpacking takes longer than drawing a page, so a process does it once."""
    from fontTools.ttLib import woff2

    out = BytesIO()
    woff2.decompress(BytesIO(path.read_bytes()), out)
    return out.getvalue()


def font_path(file: str) -> Path:
    return Path(settings.BASE_DIR) / "static" / "fonts" / file
