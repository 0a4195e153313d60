"""Opens a roster file: decides by its content what it is, and returns its tree or its text.

The name of a file is never asked: people rename files, and phones add endings. What a file is gets decided once. A
reader that fails refuses the file; no other reader tries it, since a second one could read half of it as something else.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

from rules.problems import Refusal
from rules.roster_files.archive import DAMAGED, unpacked
from rules.roster_files.limits import MOST_BRACKETS, MOST_DEPTH, MOST_LINES, MOST_SENT, MOST_UNPACKED
from rules.roster_files.xml_tree import xml_tree
from rules.translation import gettext as _

Format = Literal[
    "battlescribe-ros", "battlescribe-rosz", "newrecruit-json", "newrecruit-text", "companion-save", "companion-envelope",
    "companion-text", "companion-tts", "roster-document", "roster-table", "text",
]  # fmt: skip
FORMATS: tuple[Format, ...] = Format.__args__  # type: ignore[attr-defined]

TABLE_HEAD = "name,profile,status,promoted,ducats,glory,experience,scars,kit,upgrades,skills,traumas"
TABLE_OWN = ("list", "edition")  # columns after these that say the same in each row
_XML_ENCODING = re.compile(rb"""<\?xml[^>]{0,100}encoding\s*=\s*["']([A-Za-z0-9._-]{1,20})["']""")
_ESCAPE, _STRING = re.compile(r"\\.", re.DOTALL), re.compile(r'"[^"]*"?')  # a group that repeats takes memory each time
_BRACKET = re.compile(r"[\[\]{}]")
_NEW_RECRUIT = re.compile(r"^\s*#\s*\+\+ .{1,200}? \+\+", re.MULTILINE)
_NEW_RECRUIT_HEAD = re.compile(r"^\S.{0,300} - .{0,300}\[[^\]\n]{1,80}\]\s*$")
_NEW_RECRUIT_PART = re.compile(r"^##\s+(?:Configuration|Elite|Troop|Mercenary)\b.{0,80}$", re.MULTILINE)
_LINK = re.compile(r"^\s*https?://([^/\s>]{1,200})\S{0,2000}\s*$", re.IGNORECASE)
_FENCE = re.compile(r"^\s*```[a-z]{0,10}\s*$")
_RULER = "```"
_QUOTE = re.compile(r"^\s*>\s?")
_STARS = re.compile(r"^(\s*)(?:\*\*|__)(.+?)(?:\*\*|__)\s*$")
_WHOLE = re.compile(r"(\d)(?:[.,]0{1,2})?[ \t]*((?:Ducats?|Glory)\b)")
_COMPANION_NAME = re.compile(r"^\s*##\s.{1,300}##\s*$", re.MULTILINE)
_COMPANION_COST = re.compile(r"^\s*•\s*Cost:\s*-?\d+ Ducats \| -?\d+ Glory", re.MULTILINE)
_COMPANION_HEAD = re.compile(r"^\s*Rating:\s*-?\d+ Ducats \| -?\d+ Glory", re.MULTILINE)
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_BINARY = {
    b"%PDF": "PDF",
    b"\x89PNG": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"GIF8": "GIF",
    b"RIFF": "WEBP",
    b"\x1f\x8b": "gzip",
    b"7z\xbc\xaf": "7z",
}


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A file whose kind is known. `tree` is the data of XML and JSON, `text` the words of the other formats.

    The tree of XML has the shape that New Recruit's JSON has: attributes as keys, children as lists under the name of
    the element around them, and an element's own words under "$text".
    """

    format: Format
    tree: Mapping[str, Any] = field(default_factory=dict, hash=False)
    text: str = ""


def open_file(data: bytes, wanted: str = "") -> OpenedFile:
    """Return what a file holds. `wanted` names the format that the person says it has, "" to find out.

    Raises:
        Refusal: with one sentence that names what was seen: too large, damaged, of another program, or not `wanted`.
    """
    opened = _opened(data)
    if wanted and wanted != opened.format:
        if wanted == "text" and opened.text:
            return OpenedFile("text", text=opened.text)
        refuse(_("This is a file of the format {seen}, not {wanted}.").format(seen=opened.format, wanted=wanted))
    return opened


def refuse(sentence: str, mend: str = "") -> NoReturn:
    raise Refusal(sentence, mend=mend, code="unreadable")


def _opened(data: bytes) -> OpenedFile:
    if len(data) > MOST_SENT:
        refuse(_("The file is larger than 2 MB; a roster is far smaller."))
    if not data.strip():
        refuse(_("The file is empty."))
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return OpenedFile("battlescribe-rosz", tree=_roster_tree(_decoded(_unzipped(data))))
    for head, name in _BINARY.items():
        if data.startswith(head):
            refuse(
                _("This is a {kind} file, not a roster.").format(kind=name),
                _("Export the roster as a file or as text from the program that made it."),
            )
    text = _decoded(data)
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("<"):
        return OpenedFile("battlescribe-ros", tree=_roster_tree(text))
    if start.startswith(("{", "[")):
        return _json(start)
    if text.count("\n") + text.count("\r") > MOST_LINES:
        refuse(_("The text has more than {most} lines; a roster is far shorter.").format(most=MOST_LINES))
    text = tidied(text)
    if link := _LINK.match(text):
        host = link[1].lower()
        refuse(
            _("This is a link. Nothing is fetched from it."),
            _("In Trench Companion press Export and then Full, and paste the text.")
            if "trench-companion" in host
            else _("In New Recruit open the list, press Export, and bring the file or the text.")
            if "newrecruit" in host
            else _("Export the roster there, and bring the file or the text."),
        )
    return OpenedFile(_text_format(text), text=text)


def _unzipped(data: bytes) -> bytes:
    """Return the one member of an archive, read through a counter: the sizes that an archive states are not trusted."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [info for info in archive.infolist() if not info.is_dir()]
            if len(members) != 1:
                refuse(
                    _("The archive holds {count} files; a roster's archive holds one.").format(count=len(members)),
                    _("Bring several rosters to a campaign as files of their own."),
                )
            inside = unpacked(archive, members[0], MOST_UNPACKED + 1, name=_("The archive"))
    except DAMAGED:
        refuse(_("The archive is damaged."))
    if len(inside) > MOST_UNPACKED:
        refuse(_("The archive unpacks to more than 12 MB; a roster is far smaller."))
    if inside.startswith(b"PK"):
        refuse(_("The archive holds another archive; a roster's archive holds the roster itself."))
    return inside


def _decoded(data: bytes) -> str:
    """Return the file as text: UTF-8, UTF-16 with a mark, what its XML declares, or a plain text of Windows."""
    encoding = "utf-8-sig"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif found := _XML_ENCODING.match(data.lstrip()):
        said = found[1].decode("ascii").lower()
        encoding = said if said in ("iso-8859-1", "windows-1252", "us-ascii") else encoding
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        if (plain := _of_windows(data)) is not None:
            return plain
        refuse(_("The file is not text that can be read (UTF-8 is asked)."), _("Save it as UTF-8, or export it again."))
    if "\0" in text.rstrip("\0"):
        refuse(_("The file is not text."))
    return text


def _of_windows(data: bytes) -> str | None:
    """Return a plain text in the encoding of Western Windows; None if it is no text in it, or has a structure."""
    if data.lstrip()[:1] in (b"{", b"[", b"<") or any(byte < 9 or 13 < byte < 32 for byte in data):
        return None
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    letters = sum(character.isascii() for character in text)
    return text if letters >= len(text) * 0.8 else None


def tidied(text: str) -> str:
    """Return a text without what a messenger put around it: fences, quote marks, stars. Its lines keep their numbers.

    Decimals of whole prices go too, in the notation of any language.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ").split("\n")
    filled = [line for line in lines if line.strip()]
    if filled and sum(line.lstrip().startswith(">") for line in filled) * 2 > len(filled):
        lines = [_QUOTE.sub("", line) for line in lines]
    lines = [_RULER if _FENCE.match(line) else _STARS.sub(r"\1\2", line) for line in lines]
    return _WHOLE.sub(r"\1 \2", "\n".join(lines))


def _roster_tree(text: str) -> Mapping[str, Any]:
    head = text.lstrip("\ufeff \t\r\n")
    if _HTML.match(head):
        refuse(
            _("This is a saved web page, not a roster."),
            _("Use the export of the page it came from: as a file, or as text to paste."),
        )
    if not head.startswith("<"):
        refuse(_("The archive holds no roster."))
    name, tree = xml_tree(head)
    if name in ("gameSystem", "catalogue"):
        refuse(_("This is game data, not a roster."))
    if name != "roster":
        refuse(_("This XML is no roster: it begins with “{name}”.").format(name=name[:40]))
    return tree


def _json(text: str) -> OpenedFile:
    tree = _json_object(text)
    keys = set(tree)
    if isinstance(tree.get("roster"), dict):
        return OpenedFile("newrecruit-json", tree=tree["roster"])
    if "forces" in keys:
        return OpenedFile("newrecruit-json", tree=tree)
    if isinstance(tree.get("warband_data"), str):
        return OpenedFile("companion-envelope", tree={**tree, "warband_data": _json_object(tree["warband_data"])})
    if isinstance(tree.get("warband_data"), dict):
        return OpenedFile("companion-envelope", tree=tree)
    if {"warband-name", "models"} <= keys:
        return OpenedFile("companion-tts", tree=tree)
    if {"models", "ducat_bank"} <= keys:
        return OpenedFile("companion-save", tree=tree)
    if {"Members", "PayChest"} <= keys:
        refuse(
            _("This is a file of the older Trench Crusade Compendium."),
            _("Open it in Trench Companion and export it there."),
        )
    if isinstance(tree.get("game"), str):
        return OpenedFile("roster-document", tree=tree)
    refuse(_("This JSON is no roster that is known here."), _("Export the roster again, or paste it as text."))


def _json_object(text: str) -> dict[str, Any]:
    """Return the object that a JSON text holds. Its depth and its parts are counted before it is parsed."""
    depth = 0
    for count, bracket in enumerate(_BRACKET.finditer(_STRING.sub("", _ESCAPE.sub("", text)))):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MOST_DEPTH:
            refuse(_("The JSON is nested more than {most} deep; a roster is far flatter.").format(most=MOST_DEPTH))
        if count > MOST_BRACKETS:
            refuse(_("The JSON holds more parts than any roster."))
    try:
        tree = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        refuse(_("The JSON is damaged or cut off."))
    if not isinstance(tree, dict):
        refuse(_("This JSON is a list, not a roster."))
    return tree


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _text_format(text: str) -> Format:
    if text.lstrip("\ufeff \t\n").startswith(TABLE_HEAD):
        return "roster-table"
    if _NEW_RECRUIT.search(text) or (
        (part := _NEW_RECRUIT_PART.search(text))
        and any(_NEW_RECRUIT_HEAD.match(line.rstrip()) for line in text[: part.start()].strip("\ufeff").split("\n"))
    ):
        return "newrecruit-text"
    if _COMPANION_NAME.search(text) and (_COMPANION_COST.search(text) or _COMPANION_HEAD.search(text)):
        return "companion-text"
    return "text"
