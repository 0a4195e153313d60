"""An invented language in which every translated text stands in brackets, and what of a page stands outside of them.

A process of its own, since texts of modules are translated when they are imported:
`python -m tests.marked_language DATABASE ROWS [all]` prints the unmarked words of each page as JSON. DATABASE is an SQLite file with tables and no
rows, ROWS the kept rows of `tests.scene`.
"""

from __future__ import annotations

import gettext
import json
import os
import pickle
import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKS = ROOT / "rules" / "content" / "packs"
OPEN, CLOSE = "⟦", "⟧"
LANGUAGE = "qx"
# The pages of a club's evening. All pages that answer their owner are walked with "all".
MAIN = (
    "desk-show", "account-show", "warband-list", "warband-found", "warband-show pk", "fighter-hire pk", "fighter-show pk", "kit-buy pk",
    "upgrade-buy pk", "stash-show pk", "history-show pk", "warband-change pk", "roster-print pk", "draft-show pk", "warband-ready pk",
    "campaign-list", "campaign-show pk", "campaign-open", "house-rule-list pk", "battle-show pk", "battle-report pk",
    "force-select pk", "battle-track pk", "post-battle-resolve pk warband step", "odds-show", "rule-list", "rule-show game edition kind slug",
    "profile-write pk", "friendly-start", "paper-text",
)  # fmt: skip
# What stays as it is in every language, each with its reason.
SAME = frozenset(
    {
        "Muster Roll",  # the name of the site
        "Trench Crusade", "Gloom Trench", "A Trench Too Far",  # the games
        "Obscuring", "TP",  # terms of a book that has no pack
        "Sample Blue", "Sample rifles", "Sample rifle", "Sample machine gun", "Sample pistol", "NCO", "Aimed volley",  # names in samples
        "data",  # a key of a document
        "Ottla - Yeoman",  # what somebody pasted
        "PDF", "XP", "mm", "json", "MB", "MU", "http", "testserver",
    }
)  # fmt: skip
CODE = re.compile(r"\b[0-9A-Z]{4}-[0-9A-Z]{4}\b|/[\w/]+/")  # of an invitation, and an address
DEVELOPERS = frozenset({"component-list"})  # pages that no user opens


class Marked(gettext.NullTranslations):
    """A catalogue in which each text is itself, in brackets."""

    def gettext(self, message: str) -> str:
        # Django hands over a context before the text, with this character between them.
        return f"{OPEN}{message.rpartition(chr(4))[2]}{CLOSE}" if message else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def language(self) -> str:
        return LANGUAGE

    def to_language(self) -> str:
        return LANGUAGE


def speak_marked() -> None:
    """Make the invented language the one of this process, before anything of ours is imported."""
    ours = gettext.translation

    def translation(domain: str, *args: Any, **kwargs: Any) -> Any:
        return Marked() if domain == "rules" else ours(domain, *args, **kwargs)

    gettext.translation = translation  # type: ignore[assignment]
    from django.utils.translation import trans_real

    trans_real._translations[LANGUAGE] = Marked()


class Texts(HTMLParser):
    """The texts of a page that somebody reads or hears."""

    SILENT = ("script", "style", "svg", "template", "code")
    EMPTY = frozenset({"meta", "link", "input", "br", "img", "hr", "source", "wbr", "col"})
    NAMED = ("aria-label", "title", "placeholder", "alt")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.EMPTY:
            self._inside.append(tag)
        self.found += [value for name, value in attrs if name in self.NAMED and value]

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not any(tag in self.SILENT for tag in self._inside):
            self.found.append(data)


INNERMOST = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
BETWEEN = re.compile(r"¤|[·:,()×→/;“”\"|]|(?<=[.!?])\s")
AROUND = " .…–+−-0123456789″'’\n\t#!?½=>"
WORD = re.compile(r"[A-Za-z]{2}")


def unmarked(text: str) -> Iterator[str]:
    """Yield the pieces of a text outside of brackets that hold a word."""
    text = CODE.sub("¤", text)
    while (fewer := INNERMOST.sub("¤", text)) != text:
        text = fewer
    for piece in BETWEEN.split(" ".join(text.split())):
        bare = piece.strip(AROUND)
        if WORD.search(bare):
            yield bare


def pieces_of(texts: Iterator[str]) -> set[str]:
    """Return texts as the pieces in which `unmarked` would find them."""
    return {piece.casefold() for text in texts for piece in (*unmarked(text), text.strip(AROUND))}


def strings(value: Any) -> Iterator[str]:
    """Yield every string in a document."""
    if isinstance(value, dict):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from strings(each)
    elif isinstance(value, str):
        yield value


def of_the_books() -> Iterator[str]:
    """Yield the texts of the packs, which a translator of the books brings along."""
    for path in sorted(PACKS.rglob("*.toml")):
        yield from strings(tomllib.loads(path.read_text(encoding="utf-8")))


def of_people(rows: Any) -> Iterator[str]:
    """Yield what people wrote, and what was told of their acts in the language of that day."""
    for text in strings([list(row) for of_table in rows.values() for row in of_table]):
        if text.startswith(("{", "[")):
            with suppress(ValueError):  # a sentence that begins with {who}
                yield from strings(json.loads(text))
        for name in ("ada", "ben", "cleo", "dora", "eve", "orsola"):
            yield text.replace("{who}", name)


def main(database: str, kept: str, which: str = "") -> None:
    speak_marked()
    os.environ.update(
        DJANGO_SETTINGS_MODULE="tests.settings", DATABASE_URL=f"sqlite:///{database}", DJANGO_ALLOW_ASYNC_UNSAFE="true"
    )
    import django

    django.setup()
    from django.utils.translation import override

    from tests.kept_rows import put_in
    from tests.scene import addresses

    story = pickle.loads(Path(kept).read_bytes())
    put_in(story.rows)
    scene, found = story.told, {}
    known = pieces_of(of_the_books()) | pieces_of(of_people(story.rows)) | pieces_of(iter(SAME))
    with override(LANGUAGE):
        scene.sign_in()
        client = scene.client("owner")
        for key, address in addresses(scene).items():
            if key in DEVELOPERS or (not which and key not in MAIN):
                continue
            answer = client.get(address)
            if answer.status_code == 302:
                answer = client.get(answer["Location"])
            if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
                texts = Texts()
                texts.feed(answer.content.decode())
                # As one text: a sentence with a link in it is several texts, of which the first has the bracket.
                pieces = unmarked(" ¤ ".join(texts.found))
                found[key] = sorted({piece for piece in pieces if piece.casefold() not in known})
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
