"""Acts by htmx, measured like pages: each press is sent as the page's own form and undone before the next one."""

from __future__ import annotations

import http.client
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

ACT_BUDGET = 12.0
FORM = re.compile(r"<form\b[^>]*>.*?</form>", re.DOTALL)
FIELD = re.compile(r'<input\b[^>]*\bname="(\w+)"[^>]*\bvalue="([^"]*)"')
TARGET = re.compile(r'hx-target="#([^"]+)"')
ACTION = re.compile(r'hx-post="([^"]+)"')
ID = re.compile(r'<form id="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Act:
    """One kind of press: the page that it stands on, and the name of the buttons that make it."""

    name: str
    path: str
    field: str
    warband: int
    actor: Any


def acts_of(warband: int, actor: Any) -> tuple[Act, ...]:
    """Hiring and buying."""
    from warbands.models import Fighter

    fighter = Fighter.objects.live().filter(warband=warband, status="active").latest("pk")
    return (
        Act("hire by htmx", reverse("fighter-hire", args=[warband]), "offer", warband, actor),
        Act("buy by htmx", reverse("kit-buy", args=[fighter.pk]), "offer", warband, actor),
    )


class Presser:
    """Somebody who presses: keeps the cookies that the site sets."""

    def __init__(self, port: int, cookie: str) -> None:
        self._port = port
        self._cookies = dict([cookie.split("=", 1)])

    def ask(self, method: str, path: str, body: str = "", headers: dict[str, str] | None = None) -> tuple[int, str]:
        """Status and body of one answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120)
        sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}
        connection.request(method, path, body or None, {**sent, "Accept-Encoding": "identity", **(headers or {})})
        answer = connection.getresponse()
        text = answer.read().decode()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self._cookies[key] = rest.partition(";")[0]
        connection.close()
        return answer.status, text

    def form(self, act: Act) -> tuple[str, str, dict[str, str]]:
        """Address, target and fields of the last button of the act that is open. Raises SystemExit where there is none."""
        status, page = self.ask("GET", act.path)
        pressed = _buttons(page, act.field)
        for form in FORM.findall(page):
            named, target, action = ID.search(form), TARGET.search(form), ACTION.search(form)
            if named and target and action and named.group(1) in pressed:
                fields = dict(FIELD.findall(form)) | {act.field: pressed[named.group(1)]}
                return action.group(1).replace("&amp;", "&"), target.group(1), fields
        raise SystemExit(f"{act.name}: {act.path} answered {status} without an open button")


def _buttons(page: str, name: str) -> dict[str, str]:
    """Return the value of the last open button of this name, by the id of the form that it belongs to."""
    return dict(re.findall(rf'<button[^>]*\bform="([^"]+)" name="{name}" value="([^"]+)"', page))


def pressed(presser: Presser, act: Act, timed: Callable[[Callable[[], object]], float]) -> float:
    """Seconds that one press took. It is undone afterwards. Raises SystemExit where the site refuses it."""
    from warbands.models import Event
    from warbands.undo import undo

    address, target, fields = presser.form(act)
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "HX-Request": "true",
        "HX-Target": f"div#{target}",
        "X-CSRFToken": fields.get("csrfmiddlewaretoken", ""),
    }
    answers: list[tuple[int, str]] = []
    body = urlencode(fields)
    seconds = timed(lambda: answers.append(presser.ask("POST", address, body, headers)))
    if answers[0][0] != 200:
        raise SystemExit(f"{act.name} answered {answers[0][0]}")
    event = Event.objects.filter(subjects__warband=act.warband).latest("pk")
    assert event.undoes_id is None, f"{act.name} wrote nothing"
    undo(event=event, actor=act.actor)
    return seconds
