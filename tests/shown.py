"""What the app shows, collected: from templates, modules and packs, from a page as it was sent, from a page of the docs."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from tests.kept_rows import made_once
from tests.unit.test_settings import ROOT


@dataclass(frozen=True, slots=True)
class Text:
    """A text as it is shown, and where it stands."""

    place: str
    line: int
    words: str


# --- the places ---------------------------------------------------------------------------------------------------------

_APPS = ("accounts", "campaigns", "notifications", "warbands", "config", "rules")
_DOCS = (
    "README.md",
    "docs/player.md",
    "docs/administrator.md",
    "docs/without-network.md",
    "docs/server.md",
    "docs/backup-format.md",
    "docs/what-the-app-does.md",
)


def place_of(path: Path) -> str:
    """Return a path as findings and lists name it."""
    return path.relative_to(ROOT).as_posix()


def template_files() -> list[Path]:
    """Every template, those of mails with them."""
    return sorted([*(ROOT / "templates").rglob("*.html"), *(ROOT / "templates").rglob("*.txt")])


def doc_files() -> list[Path]:
    """Every page of the docs but those for developers, where the words of the code stand."""
    return [ROOT / name for name in _DOCS]


def python_files() -> list[Path]:
    """Every module of the site and of the rules but migrations."""
    return [path for app in _APPS for path in sorted((ROOT / app).rglob("*.py")) if "migrations" not in path.parts]


def plain(text: str) -> str:
    return " ".join(text.split())


# --- templates ----------------------------------------------------------------------------------------------------------

TAG = re.compile(r"\{%\s*(.*?)\s*%\}|\{\{\s*(.*?)\s*\}\}|\{#.*?#\}", re.DOTALL)
_SHOWN_ATTRIBUTES = ("aria-label", "title", "placeholder", "alt", "value", "label", "data-confirm")
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "code",
        "em",
        "i",
        "kbd",
        "mark",
        "q",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "u",
        "var",
        "wbr",
        "data",
        "dfn",
        "cite",
    ]
)
# Arguments of our own tags and of include that are shown.
_SHOWN_ARGUMENT = re.compile(
    r'\b(?:\w*(?:label|title|words|text|hint|meta|legend|heading|summary|note|unit|empty|name|alt|told|says?))="([^"]*)"'
)
TRANSLATED = re.compile(r"""^(?:translate|trans)\s+(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')""")
IN_UNDERSCORE = re.compile(r"""_\(\s*(?:"([^"]*)"|'([^']*)')\s*\)""")
_HIDDEN = frozenset({"script", "style", "svg"})


class _Blocks(HTMLParser):
    """The texts of a piece of HTML: what no block element parts is one text. Attributes that are read out are texts of their own."""

    def __init__(self, unshown: frozenset[str] = frozenset()) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[tuple[int, str]] = []
        self.unshown = unshown
        self._run: list[str] = []
        self._line = 1
        self._deep: list[str] = []  # open elements of which nothing is read, from the outermost on

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if self._deep:
            if tag not in _VOID:
                self._deep.append(tag)
            return
        if tag not in _INLINE or "button" in values.get("class", ""):
            self.flush()
        if tag in _HIDDEN or self.unshown.intersection(_marks_of(tag, values)):
            if tag not in _VOID:
                self._deep.append(tag)
            return
        for name in _SHOWN_ATTRIBUTES:
            kind = values.get("type", "")
            if name == "value" and not (tag == "input" and kind in ("submit", "button")):
                continue
            if values.get(name):
                self.texts.append((self.getpos()[0], values[name]))

    def handle_endtag(self, tag: str) -> None:
        if self._deep:
            if tag in self._deep:
                while self._deep and self._deep.pop() != tag:
                    pass
            return
        if tag not in _INLINE:
            self.flush()

    def handle_data(self, data: str) -> None:
        if not self._deep:
            if not self._run:
                self._line = self.getpos()[0]
            self._run.append(data)

    def flush(self) -> None:
        """End the text of this block."""
        whole = plain("".join(self._run))
        if whole:
            self.texts.append((self._line, whole))
        self._run = []


_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)


def _marks_of(tag: str, values: dict[str, str]) -> set[str]:
    return {tag, *("." + name for name in values.get("class", "").split()), *("[" + name + "]" for name in values)}


def template_sentences(path: Path) -> Iterator[Text]:
    """The texts of a template: between its tags, in its attributes, in what it translates and hands to what it includes."""
    place, source = str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    source = re.sub(r"\{%\s*comment\b.*?endcomment\s*%\}", _lines_only, source, flags=re.DOTALL)
    for met in TAG.finditer(source):
        for words in _of_tag(met):
            yield Text(place, source.count("\n", 0, met.start()) + 1, words)
    parser = _Blocks()
    parser.feed(_html_of(source))
    parser.close()
    parser.flush()
    for line, words in parser.texts:
        for part in words.split("\x00"):
            if re.search(r"[A-Za-z]{2}", part.replace("{x}", "")):
                yield Text(place, line, plain(part))


def _of_tag(met: re.Match[str]) -> Iterator[str]:
    tag, value = met.group(1), met.group(2)
    inside = tag or value or ""
    if tag and (told := TRANSLATED.match(tag)):
        yield told.group(1) or told.group(2)
        return
    yield from (one or other for one, other in IN_UNDERSCORE.findall(inside))
    if tag and not tag.startswith(("url", "load", "extends", "block")):
        yield from (words for words in _SHOWN_ARGUMENT.findall(tag) if words and re.search(r"[A-Za-z]{2}", words))
    for words in re.findall(r'(?:default|default_if_none|yesno|pluralize):"([^"]*)"', inside):
        yield from (part for part in words.split(",") if " " in part)


_ELEMENT = re.compile(r"</?[a-zA-Z](?:\{%.*?%\}|\{\{.*?\}\}|\"(?:\{%.*?%\}|\{\{.*?\}\}|[^\"])*\"|[^\">])*>", re.DOTALL)


def _html_of(source: str) -> str:
    """The HTML of a template without its tags: inside of an element's own tag they leave no trace."""
    plain_elements = _ELEMENT.sub(lambda met: re.sub(r"\{[%#].*?[%#]\}", " ", met.group(), flags=re.DOTALL), source)
    return TAG.sub(_in_html, plain_elements)


def _in_html(met: re.Match[str]) -> str:
    """What stands in place of a tag while the HTML is read: a word for a value, an end for what decides or repeats."""
    tag, lines = met.group(1), "\n" * met.group().count("\n")
    if met.group(2) is not None:
        return "{x}" + lines
    if tag is None or tag.startswith(("blocktranslate", "blocktrans", "endblocktrans")):
        return lines
    if tag.startswith(("translate", "trans ", "url", "static", "icon", "now", "with", "endwith", "csrf_token", "load")):
        return lines
    return "\x00" + lines


def _lines_only(met: re.Match[str]) -> str:
    return "\n" * met.group().count("\n")


def untranslated(path: Path) -> list[Text]:
    """The texts of a template that stand in it as they are, not in a translate tag."""
    place, source = str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    source = re.sub(r"\{%\s*comment\b.*?endcomment\s*%\}", _lines_only, source, flags=re.DOTALL)
    found = [
        Text(place, source.count("\n", 0, met.start()) + 1, words)
        for met in TAG.finditer(source)
        if met.group(1)
        and not TRANSLATED.match(met.group(1))
        and not met.group(1).startswith(("url", "load", "extends", "block"))
        for words in _SHOWN_ARGUMENT.findall(met.group(1))
        if re.search(r"[A-Za-z]{2}", words) and re.search(r"[A-Z ]", words)
    ]
    source = re.sub(r"\{%\s*blocktrans(?:late)?\b.*?endblocktrans(?:late)?\s*%\}", _lines_only, source, flags=re.DOTALL)
    parser = _Blocks(frozenset({"code", "kbd"}))
    parser.feed(_html_of(source))
    parser.close()
    parser.flush()
    return found + [
        Text(place, line, plain(part))
        for line, words in parser.texts
        for part in words.split("\x00")
        if re.search(r"[A-Za-z]{2}", part.replace("{x}", "")) and not _is_name(part)
    ]


def _is_name(words: str) -> bool:
    return plain(words.replace("{x}", "")).strip(" ·:") in ("Muster Roll", "MIT", "IDX") or words.strip().startswith(
        '{"'
    )


# --- Python -------------------------------------------------------------------------------------------------------------

GETTEXT = {"_", "gettext", "ngettext", "gettext_lazy", "ngettext_lazy", "pgettext", "npgettext"}
_NEVER_SHOWN = re.compile(
    r"^(?:re|logger|logging|log|warnings|struct|datetime|connection|cursor|os|sys|ElementTree|patterns?)\.|"
    r"^(?:ValueError|TypeError|RuntimeError|AssertionError|KeyError|LookupError|NotImplementedError|ImproperlyConfigured|"
    r"AttributeError|IndexError|RawSQL|compile|Regex\w*|getattr|setattr|TypeVar|NewType|CheckConstraint|Index|UniqueConstraint|"
    r"deprecated|strptime|strftime|ContentError|reverse|redirect|cast|Path)$"
)
_MARKUP = re.compile(r"^[^a-zA-Z]*<|^[\w.-]+/[\w./-]+$|^SELECT |^FROM |^[a-z0-9_]+(?: [a-z0-9_]+=)|^\W*$|^[.#\[]")


@cache
def parsed(path: Path) -> ast.Module:
    """Return the tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Return every node of a module's tree. To walk through it takes longer than to read it, and each guard asks for it."""
    found = [tree]
    for node in found:
        for value in vars(node).values():
            if isinstance(value, list):
                found += [part for part in value if isinstance(part, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                found.append(value)
    return tuple(found)


def forget_modules() -> None:
    """Let go of all modules that were read: a million nodes that the garbage collector would look through ever after."""
    for kept in (parsed, nodes_of, docstrings, unshown, gettext_calls, module_texts):
        kept.cache_clear()


def _string(node: ast.AST) -> str | None:
    """Return a string of a module, with {x} for what is put into it; None for any other node."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{x}" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def python_sentences(path: Path) -> Iterator[Text]:
    """The strings of a module that look like sentences: not docstrings, keys, patterns or what only developers read."""
    place = str(path.relative_to(ROOT))
    tree = parsed(path)
    unread = docstrings(tree) | unshown(tree)
    for node in nodes_of(tree):
        if id(node) in unread or (words := _string(node)) is None:
            continue
        told = plain(words)
        if " " in told and re.search(r"[a-z]{2}", told) and not _MARKUP.search(told):
            yield Text(place, node.lineno, told)
    for call in gettext_calls(tree):
        for argument in call.args:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str) and " " not in argument.value:
                yield Text(place, call.lineno, argument.value)


def words_alone(path: Path) -> set[str]:
    """The strings of a module that are one word, such as the label of a button. Keys and names are among them."""
    return {
        node.value
        for node in nodes_of(parsed(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value
    }


@dataclass(frozen=True, slots=True)
class ModuleTexts:
    """The strings of a module: those that look like sentences, and those of one word."""

    sentences: tuple[Text, ...]
    alone: frozenset[str]


@cache
def module_texts() -> dict[str, ModuleTexts]:
    """Return the texts of each of our modules by its place. To read and parse them all takes seconds: it is done once in a run."""
    found: dict[str, ModuleTexts] = made_once(
        "module-texts",
        lambda: {
            place_of(path): ModuleTexts(tuple(python_sentences(path)), frozenset(words_alone(path)))
            for path in python_files()
        },
    )
    return found


@cache
def docstrings(tree: ast.AST) -> frozenset[int]:
    """Strings that stand as a statement, and what joined strings are put together from."""
    found = {
        id(node.value) for node in nodes_of(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in nodes_of(tree):
        if isinstance(node, ast.JoinedStr):
            found |= {id(part) for part in node.values}
    return frozenset(found)


@cache
def unshown(tree: ast.AST) -> frozenset[int]:
    found: set[int] = set()
    keys = {
        node.func.value.id
        for node in nodes_of(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "split"
        and isinstance(node.func.value, ast.Name)
    }
    for node in nodes_of(tree):
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id in keys for to in node.targets):
            found |= {id(each) for each in ast.walk(node.value)}
        if isinstance(node, ast.Call) and _NEVER_SHOWN.search(ast.unparse(node.func)):
            found |= {
                id(each) for argument in [*node.args, *(k.value for k in node.keywords)] for each in ast.walk(argument)
            }
        if isinstance(node, ast.Assert) and node.msg is not None:
            found |= {id(each) for each in ast.walk(node.msg)}
        if isinstance(node, ast.AnnAssign):
            found |= {id(each) for each in ast.walk(node.annotation)}
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found |= {id(each) for decorator in node.decorator_list for each in ast.walk(decorator)}
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("split", "execute")
        ):
            found |= {id(each) for each in ast.walk(node.func)} | {id(a) for each in node.args for a in ast.walk(each)}
    return frozenset(found)


@cache
def gettext_calls(tree: ast.AST) -> list[ast.Call]:
    """The calls that translate something."""
    return [
        node
        for node in nodes_of(tree)
        if isinstance(node, ast.Call)
        and (node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")) in GETTEXT
    ]


_FOR_MACHINES = re.compile(
    r"^(?:HX-|X-|Content-|Cache-|Retry-|Clear-|attachment;|inline;|text/|private,|PRAGMA |image/)|^\\w+_\\{x\\}|[=&?/#]\\{x\\}|"
    r"\\{x\\}[=&?/#]|^[a-z0-9_ ,:-]*$"
)

# Headings of the books, and the numbers under which unclear rules are listed: a finding names them as printed.
_OF_THE_BOOKS = re.compile(
    r"^(?:Core|Condensed|Campaign) rules\b|^Attacks 1\.6|^General Equipment$|^Keywords: |^(?:GT|TF)-[A-Z]\d|"
    r"^(?:Gloom Trench 1926|A Trench Too Far|Trench Crusade)(?:, core rules)?$"
)


def unwrapped(path: Path) -> list[Text]:
    """The texts of a module that look like a sentence or a label, and stand in no call that translates."""
    tree = parsed(path)
    inside = {id(part) for call in gettext_calls(tree) for argument in call.args for part in ast.walk(argument)}
    compared = {
        id(part)
        for node in nodes_of(tree)
        if isinstance(node, ast.Compare | ast.Subscript)
        for part in ast.walk(node)
        if isinstance(part, ast.Constant)
    }
    unread = docstrings(tree) | unshown(tree) | inside | compared | _keys(tree) | _sources(tree)
    found = []
    for node in nodes_of(tree):
        if id(node) in unread or (words := _string(node)) is None:
            continue
        told = plain(words)
        if (
            re.search(r"[a-z]{2}", told.replace("{x}", ""))
            and (" " in told or told[:1].isupper())
            and not _MARKUP.search(told)
            and not _FOR_MACHINES.search(told)
            and not _OF_THE_BOOKS.search(told)
        ):
            found.append(Text(place_of(path), node.lineno, told))
    return found


def _sources(tree: ast.AST) -> set[int]:
    """What is handed over as the source of a rule: pages and headings of the books."""
    return {
        id(part)
        for node in nodes_of(tree)
        if isinstance(node, ast.keyword) and node.arg == "source"
        for part in ast.walk(node.value)
    }


def _keys(tree: ast.AST) -> set[int]:
    """The keys of dictionaries, and the names that a module exports."""
    found = {id(key) for node in nodes_of(tree) if isinstance(node, ast.Dict) for key in node.keys if key is not None}
    for node in nodes_of(tree):
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == "__all__" for to in node.targets):
            found |= {id(part) for part in ast.walk(node.value)}
    return found


# --- packs --------------------------------------------------------------------------------------------------------------

# What people read of a pack and what we wrote: names, keywords and sources are the books'.
_OURS_IN_PACKS = frozenset(
    {
        "summary",
        "details",
        "temper",
        "purpose",
        "deployment",
        "victory",
        "special",
        "notes",
        "about",
        "no_rewards_words",
    }
)


@cache
def pack_sentences(path: Path) -> tuple[Text, ...]:
    """The sentences that we wrote in a file of a pack."""
    place = str(path.relative_to(ROOT))
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(Text(place, 0, plain(words)) for words in _of_pack(read, ""))


def _of_pack(value: Any, key: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _of_pack(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _of_pack(inner, key)
    elif isinstance(value, str) and key in _OURS_IN_PACKS:
        yield value


# --- pages as sent, and docs ----------------------------------------------------------------------------------------------

# What other people wrote, what happened, and the books' rules: not the app's own sentences on a page.
NOT_OURS = frozenset(
    {
        "textarea",
        "blockquote",
        "pre",
        "code",
        "[data-own-words]",  # what people wrote: notes, stories, words for the players
        ".log",
        ".news",
        ".history",
        ".rule-text",
        "[data-rule-text]",
        "[data-log]",
    }
)


def page_sentences(html: str, place: str = "") -> Iterator[Text]:
    """The texts of a page as it was sent, without what is not ours (`NOT_OURS`)."""
    parser = _Blocks(NOT_OURS)
    parser.feed(html)
    parser.close()
    parser.flush()
    for line, words in parser.texts:
        if re.search(r"[A-Za-z]{2}", words):
            yield Text(place, line, words)


def doc_sentences(path: Path) -> Iterator[Text]:
    """The texts of a page of Markdown: paragraphs, list items, headings and cells of tables; no code."""
    place = str(path.relative_to(ROOT))
    source = re.sub(r"```.*?```", _lines_only, path.read_text(encoding="utf-8"), flags=re.DOTALL)
    source = re.sub(r"<img[^>]*?alt=\"([^\"]*)\"[^>]*>", r"\1.", source)
    for number, block in _blocks_of(source):
        for cell in block.split("|"):
            words = re.sub(r"`[^`]*`", "code", cell)
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words).replace("**", "").replace("*", "")
            if re.search(r"[A-Za-z]{2}", words):
                yield Text(place, number, plain(words))


def _blocks_of(source: str) -> Iterable[tuple[int, str]]:
    block: list[str] = []
    began = 1
    for number, line in enumerate(source.splitlines(), 1):
        if line.startswith("    ") and not block:
            continue
        starts = re.match(r"\s*(?:[-*] |\d+\. |#|\|)", line)
        if not line.strip() or starts:
            if block:
                yield began, " ".join(block)
            block, began = [], number
        if line.strip():
            if not block:
                began = number
            block.append(re.sub(r"^\s*(?:[-*] |\d+\. |#+ )", "", line.strip()))
    if block:
        yield began, " ".join(block)
