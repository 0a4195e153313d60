"""Cleans the lines of a pasted roster, and splits them into names, counts and prices."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from rules.content.names import plain
from rules.import_text import ANY, KIT, ORIGINS, Lexicon, Words
from rules.price import Price

_ENTITY = re.compile(r"&(?:amp|quot|apos|lt|gt|nbsp|#\d{1,5});")
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0e\ufe0f"), None)
_BULLET = re.compile(r"(?:[•‣⁃◦▪▫●○∙·►▶➤→>»–—*-]|\+(?=\s)|o(?=\s{1,3}\S))\s*(?:\[[ xX✓]?\]\s*)?")
_NUMBERED = re.compile(r"\d{1,2}[.)]\s+")
_RULER = re.compile(r"[\s\-–—_=~*+#.`•·|]*$")
_WRAPPED = re.compile(r"(\+{1,3}|={1,4}|-{2,4}|\*{3})\s*(.+?)\s*\1$")
_COUNT_FIRST = re.compile(r"(?:(\d{1,2})\s*[x×]\s*|[x×]\s*(\d{1,2})\s+)(?=\S)", re.IGNORECASE)
COUNT_LAST = re.compile(r"[\s,(\[]*(?:[x×]\s*(\d{1,2})|(\d{1,2})\s*[x×])\s*[)\]]?$", re.IGNORECASE)
_PLAIN_COUNT = re.compile(r"(\d{1,2})\s+(?=[^\W\d])")
_DASH = re.compile(r"\s+[-–—]+\s+|\s*[–—]\s*|\s+->\s+")
_WITH = re.compile(r"\s+(?:with|w/)\s+", re.IGNORECASE)
_NUMBER_LAST = re.compile(r"\s(#\s?)?(\d{1,4})$")
_AND = re.compile(r"\s*(?:\s+and\s+|&|\+)\s*", re.IGNORECASE)
LONGEST_PRICE = 60  # letters of the prices at the end of a line
MOST_PIECES = 60  # of one line
MUCH_ALIKE = 0.8  # of each part of "Pistl and Axee", for them to be two misspelt pieces
ORIGIN = re.compile(r"[\s,(\[]+(found|looted|granted)[)\]]?\s*$", re.IGNORECASE)
_QUOTED = re.compile(r"(.*?)\s*[\"“„«]([^\"“”„«»]+)[\"”“»]\s*(.*)")
_IN_APOSTROPHES = re.compile(r"(.*?)(?<!\S)['‘]((?:[^'’]|(?<=\w)['’](?=\w)){2,80})['’](?!\w)\s*([\[(=].*)?")
_STRETCH = re.compile(
    r"\"[^\"]{1,80}\"(?!\w)|“[^”]{1,80}”|„[^“”]{1,80}[“”]|«[^»]{1,80}»|['‘](?:[^'’]|(?<=\w)['’](?=\w)){2,80}['’](?!\w)"
)
_MARKS = "\"“„«'‘"
_BRACKETED = re.compile(r"[(\[]([^()\[\]]*)[)\]]")


@dataclass(slots=True)
class PastedLine:
    """A cleaned line: its indent, whether it is marked as a heading or a bullet, and its text."""

    number: int
    raw: str
    text: str
    depth: int
    bullet: bool
    marked: bool


def ready(number: int, raw: str) -> PastedLine:
    """Return the line without its layout characters, and with its indent."""
    text = html.unescape(raw) if _ENTITY.search(raw) else raw
    text = text.translate(_INVISIBLE).replace("\u00a0", " ").rstrip()
    inset = len(text) - len(text.lstrip())
    text = text[:inset].expandtabs(4) + text[inset:].replace("\t", " | ")  # a row of a table
    depth = len(text) - len(text.lstrip())
    text = text.strip()
    while text.startswith(". "):
        depth, text = depth + 2, text[2:].lstrip()
    marked = False
    if found := re.match(r"#{1,6}(?=\s)\s*|#{2,6}", text):
        marked, text = True, text[found.end() :].strip("# ")
    bullet = False
    if text and _RULER.match(text):
        return PastedLine(number, raw, "", depth, False, marked)
    if found := _WRAPPED.match(text):
        marked, text = True, found[2]
    if not marked:
        text = re.sub(r"(?<!\w)(\*\*|__|\*|_)(\S.*?\S|\S)\1(?!\w)", r"\2", text)
        while (found := _BULLET.match(text)) and not re.match(r"[-+]\d", text):
            bullet, text = True, text[found.end() :]
            text = re.sub(r"^(\*\*|__)(.+?)\1", r"\2", text)
        if bullet:
            depth += 2
        elif found := _NUMBERED.match(text):
            text = text[found.end() :]
    text = re.sub(r"(?<!\w)(\*\*|__|\*|_)(\S.*?\S|\S)\1(?!\w)", r"\2", text).replace("`", "")
    return PastedLine(number, raw, text.strip(), depth, bullet, marked)


def _closed(text: str) -> bool:
    return text.count("(") == text.count(")") and text.count("[") == text.count("]")


def replace_line(line: PastedLine, text: str) -> PastedLine:
    return PastedLine(line.number, line.raw, text, line.depth, line.bullet, line.marked)


def cut(text: str, sign: str) -> tuple[str, str, str]:
    """Split the text at the first such sign outside brackets.

    Return the text before it, the sign, and the text after it.
    """
    depth = 0
    for place, character in enumerate(text):
        if character in "([":
            depth += 1
        elif character in ")]":
            depth = max(0, depth - 1)
        elif character == sign and depth == 0:
            return text[:place], sign, text[place + 1 :]
    return text, "", ""


def cuts(text: str) -> list[tuple[str, str]]:
    """Split the text at its signs outside brackets and quotes. Return each piece with the sign before it."""
    pieces: list[tuple[str, str]] = []
    depth, start, sign = 0, 0, ""
    place = 0
    while place < len(text) and len(pieces) < MOST_PIECES:
        character = text[place]
        found: tuple[str, int] | None = None
        if character in _MARKS and (place == 0 or text[place - 1] in " ([") and (quoted := _STRETCH.match(text, place)):
            place = quoted.end()
            continue
        if character in "([":
            depth += 1
        elif character in ")]":
            depth = max(0, depth - 1)
        elif depth == 0:
            if character in ",;|•·:":
                found = (":" if character == ":" else ",", place + 1)
            elif character in " –—" and (match := _DASH.match(text, place)):
                found = ("-", match.end())
        if found:
            pieces.append((sign, text[start:place]))
            sign, start = found
            place = start
        else:
            place += 1
    pieces.append((sign, text[start:]))
    return [p for p in pieces if p[1].strip()]


def trimmed(text: str) -> str:
    text = text.strip(" \t.,;:|–—-=+*_@")
    if text.startswith(("(", "[")) and text.endswith((")", "]")):
        text = text[1:-1].strip()
    return text


def unquoted(text: str) -> str:
    """Return a text without the quotes around it. A quote that belongs to a part of it stays."""
    text = text.strip()
    if len(text) > 2 and (text[0] in _MARKS or text[-1] in '"”»') and not (text[0] in "'‘" and text[-1] not in "'’"):
        inner = text.strip("\"“”„«»'‘’")
        return text if any(mark in inner for mark in '"“„«') else inner.strip()
    return text


def called(text: str) -> str:
    """Return a name without the signs that part it from what stands beside it. Its own full stop stays."""
    return unquoted(text.strip(" \t,;:|–—-=+*_@>([").lstrip("."))


def unsigned(text: str) -> str:
    """Return a text without the pictures at its end."""
    text = text.rstrip()
    while text and (unicodedata.category(text[-1]) in ("So", "Sk", "Cf") or text[-1] in "\ufe0f\u200d"):
        text = text[:-1].rstrip()
    return text


def stat_value(text: str) -> bool:
    """Return whether the text is a figure of a statline, not a name."""
    return re.fullmatch(r"[+\-−–]?\s*\d+\s*(?:[\"”″']|dice|mm|/.*)?", text.strip(), re.IGNORECASE) is not None


def _foreign(text: str) -> bool:
    """Return whether a text holds letters that names of the books never have: they are somebody's own name."""
    return any(letter.isalpha() and not plain(letter) for letter in text)


class Cutter:
    """Splits texts at signs, except within names that the game knows."""

    def __init__(self, lexicon: Lexicon, words: Words) -> None:
        self.lexicon, self.words = lexicon, words
        # What was read of a text before: each form of file and each edition reads the same lines again.
        self._priced: dict[tuple[str, bool], tuple[str, tuple[Price, ...]]] = {}
        self._bare: dict[str, str] = {}
        self._parts: dict[str, list[str]] = {}
        money = "|".join(re.escape(word) for word in sorted((*words.ducats, *words.glory), key=len, reverse=True))
        amount = rf"(?<![\w.])\d{{1,5}}\s*(?:{money})(?![\w])"
        several = rf"{amount}(?:\s*(?:[,+&/|]|and)\s*{amount})?"
        self._amount = re.compile(rf"(\d{{1,5}})\s*({money})(?![\w])", re.IGNORECASE)
        self._bracket = re.compile(
            rf"\s*[\[(]\s*(?:(?:cost|price|total|points|ducats)\s*[:=]?\s*)?({several}|\d{{1,4}})(?:\s*(?:each|ea\.?|total))?\s*[\])]",
            re.IGNORECASE,
        )
        self._at_end = re.compile(rf"\s*[-–—:=@,|]?\s*({several})(?:\s+(?:each|total))?\.?$", re.IGNORECASE)
        self._only_money = re.compile(rf"(?:{several}|\d{{1,5}})\.?$", re.IGNORECASE)

    def bare(self, text: str) -> str:
        """Return a text without its price and its count."""
        if text not in self._bare:
            unpriced = self.money(text, at_end=True)[0]
            self._bare[text] = trimmed(self.count(unpriced, ANY)[1])
        return self._bare[text]

    def parts(self, text: str) -> list[str]:
        """Split a list of kit into its items. "and", "&", "+" and "/" do not split a known name that contains them."""
        if text not in self._parts:
            self._parts[text] = self._parts_of(text)
        return list(self._parts[text])

    def _parts_of(self, text: str) -> list[str]:
        pieces: list[str] = []
        for sign, segment in self.segments(text):
            said = segment.strip()
            if not said:
                continue
            if pieces and sign in ("-", ":", ",") and self._is_price(sign, said):
                pieces[-1] = f"{pieces[-1]} ({said})"  # "Pistol - 6 ducats"
                continue
            before = self.lexicon.exact(self.bare(pieces[-1]), ("trauma",)) if pieces and sign == "-" else None
            if before is not None and self.lexicon.exact(self.bare(said), ANY) is None:
                pieces[-1] = f"{pieces[-1]} ({said})"  # "Hand Wound - left"
                continue
            if self.lexicon.exact(self.bare(said), ANY) is None:
                pieces += self._several(said)
                continue
            pieces.append(said)
        return pieces

    def _is_price(self, sign: str, said: str) -> bool:
        """Return whether a piece is the price of the one before it. A bare number is one after a dash or a colon."""
        return self._only_money.fullmatch(said) is not None and (sign != "," or not said.rstrip(".").isdigit())

    def _several(self, said: str) -> list[str]:
        """Split "Pistol and Gas Mask" or "Sword/Axe": at "and" where any of it is known, at "/" where all of it is."""
        slashed = self.joined_by_slashes([half.strip() for half in said.split(" / ")])
        if len(slashed) > 1 and all(self.lexicon.exact(self.bare(half), ANY) for half in slashed):
            return slashed
        halves = self._joined(_AND.split(said))
        if len(halves) > 1 and any(self.lexicon.exact(self.bare(h), ANY) for h in halves):
            return halves
        if len(halves) > 1 and all(self._likeness(h) > max(MUCH_ALIKE, self._likeness(said)) for h in halves):
            return halves
        halves = [h for h in said.split("/") if h.strip()]
        if len(halves) > 1 and all(self.lexicon.exact(self.bare(h), ANY) for h in halves):
            return halves
        return [said]

    def joined_by_slashes(self, halves: list[str]) -> list[str]:
        """Return the parts with those together that are one name: it may hold slashes."""
        found: list[str] = []
        while halves:
            tries = (n for n in (3, 2) if len(halves) >= n and self._is_slashed_name(halves[:n]))
            taken = next(tries, 1)
            found.append(" / ".join(halves[:taken]))
            halves = halves[taken:]
        return found

    def _is_slashed_name(self, parts: list[str]) -> bool:
        """Return whether parts are one name, with what stands before it and after it in a list: "Axe, Pistol / Revolver"."""
        said = " / ".join([parts[0].rpartition(", ")[2], *parts[1:-1], parts[-1].partition(",")[0]])
        return self.lexicon.exact(self.bare(said), ANY) is not None

    def _likeness(self, text: str) -> float:
        return next((score for score, _meaning in self.lexicon.near(self.bare(text), KIT)[:1]), 0.0)

    def _joined(self, halves: list[str]) -> list[str]:
        """Return the parts with those together that are one name: it may hold an "and"."""
        rest, found = [h.strip() for h in halves if h.strip()], []
        while rest:
            tries = (
                n for n in range(min(3, len(rest)), 1, -1) if self.lexicon.exact(self.bare(" and ".join(rest[:n])), ANY)
            )
            taken = next(tries, 1)
            found.append(" and ".join(rest[:taken]))
            rest = rest[taken:]
        return found

    def money(self, text: str, *, at_end: bool = False) -> tuple[str, tuple[Price, ...]]:
        """Return the text without its prices, and those prices. Bare numbers count as prices only in brackets."""
        if (text, at_end) not in self._priced:
            self._priced[text, at_end] = self._money(text, at_end=at_end)
        return self._priced[text, at_end]

    def _money(self, text: str, *, at_end: bool) -> tuple[str, tuple[Price, ...]]:
        found: list[Price] = []

        def take(match: re.Match[str]) -> str:
            found.append(self.price(match[1]))
            return " " if match.end() < len(text) else ""

        left = self._bracket.sub(take, text)
        while match := self._at_end.search(left, max(0, len(left) - LONGEST_PRICE)):
            if not left[: match.start()].strip():
                break
            found.append(self.price(match[1]))
            left = left[: match.start()]
        if at_end and not found and (match := _NUMBER_LAST.search(left)) and self.lexicon.exact(left, ANY) is None:
            meaning = self.lexicon.exact(left[: match.start()], ANY)
            ordinal = match[1] or (meaning is not None and meaning.kind == "profile" and int(match[2]) < 10)
            if not ordinal and (meaning is not None or int(match[2]) >= 10):
                found.append(Price(ducats=int(match[2])))
            if ordinal or found:  # "Yeoman #2", "Yeoman 2": the second Yeoman, not a price
                left = left[: match.start()]
        return re.sub(r"\s{2,}", " ", left).strip() if found else left.strip(), tuple(found)

    def prices(self, text: str) -> tuple[Price, ...]:
        found = self.money(text)[1]
        return found or tuple([self.price(text)] if self._only_money.fullmatch(text.strip()) else [])

    def price(self, text: str) -> Price:
        """Return amounts as one price; a bare number is ducats."""
        ducats = glory = 0
        amounts = self._amount.findall(text)
        for number, unit in amounts:
            if unit.casefold() in self.words.glory:
                glory += int(number)
            else:
                ducats += int(number)
        if not amounts and (number := re.search(r"\d+", text)):
            ducats = int(number[0])
        return Price(ducats=ducats, glory=glory)

    def count(self, text: str, kinds: tuple[str, ...]) -> tuple[int | None, str]:
        """Return the count and the text without it: "3x Yeoman", "Yeoman x3", "3 Yeomen".

        A name may itself begin with a number.
        """
        if self.lexicon.exact(text, kinds) is not None:
            return None, text
        if match := _COUNT_FIRST.match(text):
            return int(match[1] or match[2]), text[match.end() :]
        if match := COUNT_LAST.search(text):
            return int(match[1] or match[2]), text[: match.start()]
        if match := _PLAIN_COUNT.match(text):
            rest = text[match.end() :]
            head = trimmed(self.money(re.split(r"[:(,]|\s-\s", rest)[0])[0])
            if self.lexicon.exact(head, (*kinds, "profile")) is not None:
                return int(match[1]), rest
        return None, text

    def segments(self, text: str) -> list[tuple[str, str]]:
        """Split the text at commas, colons, dashes, brackets and "with". Return each piece with the sign before it.

        Names keep their brackets.
        """
        found: list[tuple[str, str]] = []
        for sign, piece in self._with_commas(list(cuts(text))):
            self._brackets(sign, piece, found)
        return [s for s in found if trimmed(s[1])] or [("", text)]

    def _with_commas(self, pieces: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """Yield the pieces with those together that are one name: it may hold a comma."""
        at = 0
        while at < len(pieces):
            sign, piece = pieces[at]
            taken = 1
            if at + 1 < len(pieces) and pieces[at + 1][0] == ",":
                both = f"{piece.strip()}, {pieces[at + 1][1].strip()}"
                if self.lexicon.exact(self.bare(both), ANY) is not None:
                    piece, taken = both, 2
            yield sign, piece
            at += taken

    def _brackets(self, sign: str, piece: str, found: list[tuple[str, str]]) -> None:
        piece = piece.strip()
        bare = self.money(piece, at_end=True)[0]
        name = bare[: come.start()] if (come := ORIGIN.search(bare)) else bare
        if (self.lexicon.exact(name, ANY) is not None and not _foreign(name)) or COUNT_LAST.fullmatch(piece):
            found.append((sign, piece))
        elif (match := _WITH.search(piece)) and _closed(piece[: match.start()]):
            self._brackets(sign, piece[: match.start()], found)
            self._brackets("with", piece[match.end() :], found)
        elif (quoted := _QUOTED.fullmatch(piece) or _IN_APOSTROPHES.fullmatch(piece)) and (quoted[1] or quoted[3]):
            self._brackets(sign, quoted[1], found) if quoted[1].strip() else None
            found.append(('"', quoted[2]))
            self._brackets(",", quoted[3], found) if (quoted[3] or "").strip() else None
        elif halves := self._halves_with_brackets(piece):
            for n, half in enumerate(halves):
                self._brackets(sign if n == 0 else ",", half, found)
        elif (match := self._words_in_brackets(piece)) is None or self._belong_to_name(piece, match):
            found.append((sign, piece))
        else:
            self._unfold(sign, piece, match, found)

    def _halves_with_brackets(self, piece: str) -> list[str]:
        """Return the parts of "Axe and Trench Dog (Guard Dog)", where the brackets are part of a known name."""
        if "(" not in piece:
            return []
        halves = self._joined(_AND.split(piece))
        known = len(halves) > 1 and any("(" in h and self.lexicon.exact(self.bare(h), ANY) for h in halves)
        return halves if known else []

    def _words_in_brackets(self, piece: str) -> re.Match[str] | None:
        """Return the first brackets of a piece, or the second if the first contain a price or a count."""
        match = _BRACKETED.search(piece)
        if match is not None and (self._bracket.fullmatch(match[0]) or COUNT_LAST.fullmatch(match[0])):
            return _BRACKETED.search(piece, match.end())
        return match

    def _belong_to_name(self, piece: str, match: re.Match[str]) -> bool:
        """Return whether brackets describe the piece before them: where a wound is, or how kit was obtained."""
        head, tail = piece[: match.start()], piece[match.end() :]
        named = self.lexicon.exact(self.bare(head), KIT) if head.strip() and not tail.strip() else None
        return named is not None and (named.kind == "trauma" or match[1].strip().casefold() in ORIGINS)

    def _unfold(self, sign: str, piece: str, match: re.Match[str], found: list[tuple[str, str]]) -> None:
        head, tail = piece[: match.start()].strip(), piece[match.end() :]
        if head:
            found.append((sign, head))
        for n, (inner, part) in enumerate(cuts(match[1])):
            self._brackets("(" if n == 0 else inner, part, found)
        if tail.strip():
            self._brackets(",", tail, found)
