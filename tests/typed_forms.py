"""The posting forms of a page with everything that a person types or picks there, and how each of it may be wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

TYPED = ("text", "search", "number", "date", "time", "datetime-local", "email", "url", "password", "tel")
A_DAY = "2026-11-20"
TAKEN = "Hill 223"  # a name that somebody has
UNSEEN = "\u2063"  # a character that nobody sees


@dataclass
class Control:
    """A field that somebody fills in: an input, a text area, or a list to choose from."""

    name: str
    kind: str
    attributes: dict[str, str]
    value: str = ""
    options: list[str] = field(default_factory=list)
    is_folded: bool = False

    @property
    def is_required(self) -> bool:
        return "required" in self.attributes

    def right(self) -> str:
        """What it may be sent with: what stands there already, else something of its kind."""
        if self.value or not self.is_required:
            return self.value
        plain = {
            "number": self.attributes.get("min") or "1",
            "date": A_DAY,
            "time": "19:30",
            "datetime-local": f"{A_DAY}T19:30",
            "email": "somebody@club.example",
            "url": "https://discord.com/api/webhooks/123456789012345678/abcdefghijklmnopqrstuvwxyz",
            "password": "long-enough-44",
            "select": next((option for option in self.options if option), ""),
        }
        return plain.get(self.kind, "Word")

    def wrong(self) -> list[str]:
        """Each way in which it may be wrong, as its own attributes say."""
        ways = [""] if self.is_required and (self.kind != "select" or "" in self.options) else []
        if (longest := self.attributes.get("maxlength", "")).isdigit() and self.kind != "password":
            ways.append("x" * (int(longest) + 1))
        if self.kind == "number":
            ways.append("many")
            for edge, step in (("min", -1), ("max", 1)):
                if (limit := self.attributes.get(edge, "")).lstrip("-").isdigit():
                    ways.append(str(int(limit) + step))
        if self.kind in ("text", "textarea") and "name" in self.name:
            ways += [UNSEEN, TAKEN]
        if self.kind in ("date", "time", "datetime-local", "email", "url"):
            ways.append("soon")
        return ways


@dataclass
class TypedForm:
    """A posting form: what it sends by itself, and the controls that a person fills in."""

    action: str
    attributes: dict[str, str] = field(default_factory=dict)
    fixed: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)

    def sent(
        self, button: tuple[str, str] | None, *, other: Control | None = None, value: str = ""
    ) -> dict[str, list[str]]:
        """What a browser sends, one control with another value."""
        rows = [*self.fixed, *([button] if button else [])]
        rows += [(one.name, value if one is other else one.right()) for one in self.controls]
        found: dict[str, list[str]] = {}
        for name, worth in rows:
            found.setdefault(name, []).append(worth)
        found.pop("csrfmiddlewaretoken", None)
        return found

    @property
    def presses(self) -> list[tuple[str, str] | None]:
        """The buttons that send something of their own, or the form sent without one."""
        return list(dict.fromkeys(self.buttons)) or [None]


class Reader(HTMLParser):
    """Reads forms, their controls, and every element's id with its text."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[TypedForm] = []
        self.named: dict[str, TypedForm] = {}
        self.everything: list[Control] = []
        self.texts: dict[str, list[str]] = {}
        self.links: set[str] = set()
        self._form: TypedForm | None = None
        self._apart: list[tuple[str, Control | tuple[str, str]]] = []
        self._typed: Control | None = None
        self._chosen: Control | None = None
        self._open: list[tuple[str, str]] = []
        self._folds: list[bool] = []  # of each fold around: whether it is closed
        self._radios: set[tuple[int, str]] = set()

    VOID = frozenset(("input", "br", "hr", "img", "meta", "link", "source", "use", "path", "col", "wbr"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag not in self.VOID:
            self._open.append((tag, has.get("id", "")))
            if has.get("id"):
                self.texts.setdefault(has["id"], [])
        if tag == "a":
            self.links.add(has.get("href", ""))
        if tag == "details":
            self._folds.append("open" not in has)
        if tag == "form":
            self._form = TypedForm(has.get("action", ""), has)
            if has.get("method", "get").lower() == "post":
                self.forms.append(self._form)
                self.named[has.get("id", "")] = self._form
        elif tag == "option" and self._chosen is not None:
            value = has.get("value", "")
            self._chosen.options.append(value)
            if "selected" in has or len(self._chosen.options) == 1:
                self._chosen.value = value
        elif has.get("name") and "disabled" not in has and tag in ("input", "textarea", "select", "button"):
            self._control(tag, has)

    def _control(self, tag: str, has: dict[str, str]) -> None:
        kind = has.get("type", "text") if tag == "input" else tag
        control = Control(has["name"], kind, has, has.get("value", ""), is_folded=any(self._folds))
        self.everything.append(control)
        if tag == "textarea":
            self._typed = control
        elif tag == "select":
            self._chosen = control
        where = self.named.get(has.get("form", "")) if has.get("form") else self._form
        if where is None:
            if has.get("form"):
                self._apart.append((has["form"], control))
            return
        self._add(where, control)

    def _add(self, where: TypedForm, control: Control) -> None:
        if control.kind == "button":
            where.buttons.append((control.name, control.value))
        elif control.kind == "radio":
            first = (id(where), control.name) not in self._radios
            self._radios.add((id(where), control.name))
            if "checked" in control.attributes or first:
                where.fixed = [*(row for row in where.fixed if row[0] != control.name), (control.name, control.value)]
        elif control.kind == "checkbox" and "checked" in control.attributes:
            where.fixed.append((control.name, control.value or "on"))
        elif control.kind in (*TYPED, "textarea", "select"):
            where.controls.append(control)
        elif control.kind == "hidden":
            where.fixed.append((control.name, control.value))

    def handle_data(self, data: str) -> None:
        for _tag, name in self._open:
            if name:
                self.texts[name].append(data)
        if self._typed is not None:
            self._typed.value += data

    def handle_endtag(self, tag: str) -> None:
        while self._open and tag not in self.VOID:
            closed, _name = self._open.pop()
            if closed == tag:
                break
        if tag == "details" and self._folds:
            self._folds.pop()
        if tag == "form":
            self._form = None
        elif tag == "textarea" and self._typed is not None:
            self._typed.value = self._typed.value.removeprefix("\n")
            self._typed = None
        elif tag == "select":
            self._chosen = None

    def close(self) -> None:
        super().close()
        for name, control in self._apart:
            if name in self.named and isinstance(control, Control):
                self._add(self.named[name], control)

    def text(self, name: str) -> str:
        """What an element says, "" if there is none."""
        return " ".join("".join(self.texts.get(name, [])).split())


def read(html: str) -> Reader:
    """The page as it is read here."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader
