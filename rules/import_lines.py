"""Cleans the lines of a pasted roster, and splits them into names, counts and prices."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rules.import_text import ANY, KIT, ORIGINS, Lexicon, Words
from rules.price import Price

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
ORIGIN = re.compile(r"[\s,(\[]+(found|looted|granted)[)\]]?\s*$", re.IGNORECASE)
_QUOTED = re.compile(r"(.*?)\s*[\"“„«]([^\"“”„«»]+)[\"”“»]\s*(.*)")
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
    text = raw.translate(_INVISIBLE).replace("\u00a0", " ").rstrip()
    inset = len(text) - len(text.lstrip())
    text = text[:inset].expandtabs(4) + text[inset:].replace("\t", " | ")  # a row of a table
    depth = len(text) - len(text.lstrip())
    text = text.strip()
    while text.startswith(". "):
        depth, text = depth + 2, text[2:].lstrip()
    marked = False
    if found := re.match(r"#{1,6}\s*", text):
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
    """Split the text at its signs outside brackets. Return each piece with the sign before it."""
    pieces: list[tuple[str, str]] = []
    depth, start, sign = 0, 0, ""
    place = 0
    while place < len(text):
        character = text[place]
        found: tuple[str, int] | None = None
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
    return text.strip(" \"“”„«»'")


def stat_value(text: str) -> bool:
    """Return whether the text is a figure of a statline, not a name."""
    return re.fullmatch(r"[+\-−–]?\s*\d+\s*(?:[\"”″']|dice|mm|/.*)?", text.strip(), re.IGNORECASE) is not None


class Cutter:
    """Splits texts at signs, except within names that the game knows."""

    def __init__(self, lexicon: Lexicon, words: Words) -> None:
        self.lexicon, self.words = lexicon, words
        money = "|".join(re.escape(word) for word in sorted((*words.ducats, *words.glory), key=len, reverse=True))
        amount = rf"(?<![\w.])\d{{1,5}}\s*(?:{money})(?![\w])"
        several = rf"{amount}(?:\s*(?:[,+&/|]|and)\s*{amount})*"
        self._amount = re.compile(rf"(\d{{1,5}})\s*({money})(?![\w])", re.IGNORECASE)
        self._bracket = re.compile(
            rf"\s*[\[(]\s*(?:(?:cost|price|total|points|ducats)\s*[:=]?\s*)?({several}|\d{{1,4}})(?:\s*(?:each|ea\.?|total))?\s*[\])]",
            re.IGNORECASE,
        )
        self._at_end = re.compile(rf"\s*[-–—:=@,|]?\s*({several})(?:\s+(?:each|total))?\.?$", re.IGNORECASE)
        self._only_money = re.compile(rf"(?:{several}|\d{{1,5}})\.?$", re.IGNORECASE)

    def bare(self, text: str) -> str:
        text = self.money(text, at_end=True)[0]
        return trimmed(self.count(text, ANY)[1])

    def parts(self, text: str) -> list[str]:
        """Split a list of kit into its items. "and", "&", "+" and "/" do not split a known name that contains them."""
        pieces: list[str] = []
        for sign, segment in self.segments(text):
            said = segment.strip()
            if not said:
                continue
            before = self.lexicon.exact(self.bare(pieces[-1]), ("trauma",)) if pieces and sign == "-" else None
            if before is not None and self.lexicon.exact(self.bare(said), ANY) is None:
                pieces[-1] = f"{pieces[-1]} ({said})"  # "Hand Wound - left"
                continue
            if self.lexicon.exact(self.bare(said), ANY) is None:
                for pattern in (_AND, re.compile(r"\s*/\s*")):
                    halves = [h for h in pattern.split(said) if h.strip()]
                    if len(halves) > 1 and all(self.lexicon.exact(self.bare(h), ANY) for h in halves):
                        pieces += halves
                        break
                else:
                    pieces.append(said)
                continue
            pieces.append(said)
        return pieces

    def money(self, text: str, *, at_end: bool = False) -> tuple[str, tuple[Price, ...]]:
        """Return the text without its prices, and those prices. Bare numbers count as prices only in brackets."""
        found: list[Price] = []

        def take(match: re.Match[str]) -> str:
            found.append(self.price(match[1]))
            return " " if match.end() < len(text) else ""

        left = self._bracket.sub(take, text)
        while match := self._at_end.search(left):
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
        for sign, piece in cuts(text):
            self._brackets(sign, piece, found)
        return [s for s in found if trimmed(s[1])] or [("", text)]

    def _brackets(self, sign: str, piece: str, found: list[tuple[str, str]]) -> None:
        piece = piece.strip()
        bare = self.money(piece, at_end=True)[0]
        name = bare[: come.start()] if (come := ORIGIN.search(bare)) else bare
        if self.lexicon.exact(name, ANY) is not None or COUNT_LAST.fullmatch(piece):
            found.append((sign, piece))
        elif (match := _WITH.search(piece)) and _closed(piece[: match.start()]):
            self._brackets(sign, piece[: match.start()], found)
            self._brackets("with", piece[match.end() :], found)
        elif (quoted := _QUOTED.fullmatch(piece)) and (quoted[1] or quoted[3]):
            for mark, part in ((sign, quoted[1]), ('"', quoted[2]), (",", quoted[3])):
                if part.strip():
                    self._brackets(mark, part, found)
        elif (match := self._words_in_brackets(piece)) is None or self._belong_to_name(piece, match):
            found.append((sign, piece))
        else:
            self._unfold(sign, piece, match, found)

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
