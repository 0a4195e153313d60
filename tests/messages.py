"""The messages that a second language would translate, collected without any tool but Python, and what may be wrong with them."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

from tests.kept_rows import made_once
from tests.shown import (
    IN_UNDERSCORE,
    TAG,
    TRANSLATED,
    gettext_calls,
    parsed,
    place_of,
    plain,
    python_files,
    template_files,
)
from tests.unit.test_settings import ROOT

# --- messages -----------------------------------------------------------------------------------------------------------

_BLOCK = re.compile(r"\{%\s*blocktrans(?:late)?\b(.*?)%\}(.*?)\{%\s*endblocktrans(?:late)?\s*%\}", re.DOTALL)


def names_in(message: str) -> set[str]:
    """Return the names of the values in a message; "" for one without a name. What is after a point or colon is no part of it."""
    return {re.split(r"[.\[]", name)[0] for _text, name, _form, _how in Formatter().parse(message) if name is not None}


def block_faults(path: Path) -> list[str]:
    """Return what is wrong with the translated blocks of a template."""
    source = path.read_text(encoding="utf-8")
    wrong = []
    for met in _BLOCK.finditer(source):
        options, body = met.group(1), met.group(2)
        where = f"{place_of(path)}:{source.count(chr(10), 0, met.start()) + 1}"
        wrong += [
            f"{where}: {value} wants a plain name by `with`"
            for value in re.findall(r"\{\{\s*([^}]*[.|][^}]*?)\s*\}\}", body)
        ]
        if "\n" in body and "trimmed" not in options:
            wrong.append(f"{where}: more than one line wants `trimmed`")
        if re.search(r"\{%(?!\s*plural\s*%\})", body):
            wrong.append(f"{where}: a tag within a translated block")
    return wrong


def messages(domain: str) -> dict[str, list[str]]:
    """Return every message of a domain, `django` or `rules`, with the places where it stands: collected once in a run."""
    found: dict[str, list[str]] = made_once(f"messages-{domain}", lambda: _collected(domain))
    return found


def _collected(domain: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in python_files():
        if (path.relative_to(ROOT).parts[0] == "rules") != (domain == "rules"):
            continue
        for call in gettext_calls(parsed(path)):
            for argument in call.args[:2]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    found.setdefault(argument.value, []).append(f"{place_of(path)}:{call.lineno}")
    for path in template_files() if domain == "django" else ():
        source = path.read_text(encoding="utf-8")
        for met in TAG.finditer(source):
            inside = met.group(1) or met.group(2) or ""
            told = TRANSLATED.match(inside)
            for words in (
                [told.group(1) or told.group(2)]
                if told
                else [one or other for one, other in IN_UNDERSCORE.findall(inside)]
            ):
                found.setdefault(words, []).append(f"{place_of(path)}:{source.count(chr(10), 0, met.start()) + 1}")
        for met in _BLOCK.finditer(source):
            for part in re.split(r"\{%\s*plural\s*%\}", met.group(2)):
                words = re.sub(r"\{\{\s*(\w+)\s*\}\}", r"%(\1)s", plain(part))
                found.setdefault(words, []).append(f"{place_of(path)}:{source.count(chr(10), 0, met.start()) + 1}")
    return found
