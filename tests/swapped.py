"""What a page is after an answer by htmx, without a browser: parts laid over the page by their ids, as its scripts lay them."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

import tinyhtml5

ONCE = {"csrfmiddlewaretoken", "token", "seen"}  # hidden fields that no reader sees; a script keeps `seen` up to date


class SwappedPage:
    """A page in a browser's memory, to press and to compare."""

    def __init__(self, html: str) -> None:
        self.root = tinyhtml5.parse(html, namespace_html_elements=False)

    def part(self, key: str) -> Element:
        """Return the element with this id. Raises KeyError if there is none."""
        found = next((each for each in self.root.iter() if isinstance(each.tag, str) and each.get("id") == key), None)
        if found is None:
            raise KeyError(key)
        return found

    def lay(self, key: str, fresh: Element) -> None:
        """Put an element in the place of the one with this id."""
        old = self.part(key)
        parent = next(each for each in self.root.iter() if old in list(each))
        fresh.tail = old.tail
        parent[list(parent).index(old)] = fresh

    def lay_state(self, key: str, fresh: Element) -> None:
        """Lay the pieces of a brief row, and its marks, over the row that stands there."""
        row = self.part(key)
        fresh.attrib.pop("data-brief")
        row.attrib.clear()
        row.attrib.update(fresh.attrib)
        for piece in list(fresh):
            name = piece.get("data-piece")
            (parent, old) = next((up, each) for up in row.iter() for each in up if each.get("data-piece") == name)
            piece.tail = old.tail
            parent[list(parent).index(old)] = piece

    def answered(self, html: str, target: str) -> list[str]:
        """Take an answer as htmx does. Returns the ids of what it brought, in order."""
        body = tinyhtml5.parse(f"<!DOCTYPE html><body>{html}", namespace_html_elements=False).find("body")
        assert body is not None
        brought = []
        for each in list(body):
            if each.tag == "hx-partial":
                (fresh,) = list(each)
                key = each.get("hx-target", "").removeprefix("#")
                assert fresh.get("id") == key
            else:
                fresh, key = each, each.get("id", "")
                assert each.attrib.pop("hx-swap-oob", None) or key == target, f"{key} has no place"
            lay = self.lay_state if "data-brief" in fresh.attrib else self.lay
            lay(key, fresh)
            brought.append(key)
        return brought

    def fields(self, form: str) -> dict[str, Any]:
        """Return the hidden fields of a form, with all values of each."""
        found: dict[str, Any] = {}
        for each in self.part(form).iter("input"):
            if each.get("type") == "hidden":
                found.setdefault(each.get("name", ""), []).append(each.get("value", ""))
        return found

    def offers(self, form: str, *names: str) -> list[tuple[str, str]]:
        """Return name and value of each open button of these names that belongs to a form."""
        buttons = [each for each in self.root.iter("button") if each.get("form") == form and each.get("name") in names]
        return [(each.get("name", ""), each.get("value", "")) for each in buttons]

    def own_forms(self, inside: str) -> list[tuple[str, dict[str, Any]]]:
        """Return address and hidden fields of each form in a part that htmx sends, but for the one of its rows."""
        found = []
        for form in self.part(inside).iter("form"):
            if form.get("hx-post") and not form.get("id"):
                fields = {
                    each.get("name", ""): each.get("value", "")
                    for each in form.iter("input")
                    if each.get("type") == "hidden"
                }
                found.append((form.get("hx-post", ""), fields))
        return found

    def looks(self, key: str) -> Any:
        """Return a part as a reader sees it: elements, attributes and words, without one-use values.

        Which kinds of offers are open is the reader's: an answer opens and closes none.
        """
        return _looks(self.part(key))


def _looks(each: Element) -> Any:
    attributes = {name: value for name, value in each.attrib.items() if name != "hx-swap-oob"}
    if each.get("class") == "kind":
        attributes.pop("open", None)
    if each.get("name") in ONCE:
        attributes["value"] = ""
    within = [_words(each.text)]
    for child in each:
        within += [_looks(child) if isinstance(child.tag, str) else "", _words(child.tail)]
    return (each.tag, tuple(sorted(attributes.items())), tuple(part for part in within if part))


def _words(text: str | None) -> str:
    return " ".join((text or "").split())
