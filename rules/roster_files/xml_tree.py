"""XML of rosters as plain data, in the shape of New Recruit's JSON."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import ParseError, TreeBuilder

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import XMLParser

from rules.problems import Refusal
from rules.roster_files.limits import MOST_DEPTH
from rules.translation import gettext as _

MOST_ELEMENTS = 40_000  # the largest real file has some six hundred


class _TooMuch(Exception):
    """The file is deeper or longer than any roster."""


class _Counted(TreeBuilder):
    """Builds the tree and stops where it gets deeper or longer than any roster's."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = self.elements = 0

    def start(self, tag: Any, attrs: Any, /) -> Any:
        self.depth += 1
        self.count(1 + len(attrs) // 10)
        return super().start(tag, attrs)

    def count(self, more: int = 1) -> None:
        self.elements += more
        if self.depth > MOST_DEPTH or self.elements > MOST_ELEMENTS:
            raise _TooMuch

    def end(self, tag: Any, /) -> Any:
        self.depth -= 1
        return super().end(tag)

    def pi(self, target: Any, text: Any = None, /) -> Any:
        """Leave an instruction to a program out; it counts, since a file may be full of them."""
        self.count()

    def comment(self, text: Any, /) -> Any:
        """Leave a comment out; it counts, too."""
        self.count()


def xml_tree(text: str) -> tuple[str, dict[str, Any]]:
    """Return the root's name and the tree. No document type, no entity and no outside file is ever followed.

    Raises:
        Refusal: damaged XML, a document type, or a tree beyond every roster's size.
    """
    if "<!doctype" in text.lower():
        raise Refusal(_("The XML declares a document type; a roster has none."), code="unreadable")
    parser = XMLParser(target=_Counted(), forbid_dtd=True, forbid_entities=True, forbid_external=True)
    try:
        parser.feed(text)
        root = parser.close()
    except _TooMuch:
        raise Refusal(_("The XML is nested deeper or longer than any roster."), code="unreadable") from None
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        raise Refusal(_("The XML is damaged or cut off."), code="unreadable") from None
    return _name(root.tag), _plain(root)


def _name(tag: str) -> str:
    return tag.rsplit("}", 1)[-1]


def _plain(element: Any) -> dict[str, Any]:
    """Return an element as data. An element around a list of others gives the list its name."""
    data: dict[str, Any] = {}
    for child in element:
        name = _name(child.tag)
        if name in ("customNotes", "description"):
            data[name] = child.text or ""
        else:
            data.setdefault(name, []).extend(_plain(grandchild) for grandchild in child)
    data.update((_name(key), value) for key, value in element.attrib.items())
    words = (element.text or "").strip()
    if words:
        data["$text"] = words
    return data
