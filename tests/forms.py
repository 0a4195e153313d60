"""The posting forms of every page of the scene, read as a browser reads them, and who sends them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.test import Client
from django.urls import reverse

from tests import campaign_stories as c
from tests.scene import Scene, addresses, methods


@dataclass
class Form:
    """A form of a page as a browser would send it: one for each button that sends something of its own."""

    action: str
    fields: dict[str, list[str]] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[str, ...]:
        """Forms of one shape ask the same of the view: field names, and the act."""
        return (*sorted(self.kinds), *(self.fields.get("act") or ()))

    @property
    def kinds(self) -> dict[str, str]:
        """One field of each kind: `by_12` and `by_13` are one, `deed_this` and `deed_that` too, and stand for each other."""
        return {re.sub(r"\d+|(?<=^deed_).+", "#", name): name for name in self.fields}


class Reader(HTMLParser):
    """Reads the posting forms of a page: what is typed, ticked and chosen, and the first radio where none is."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, list[str]], list[tuple[str, str]]]] = []
        self.at: tuple[str, dict[str, list[str]], list[tuple[str, str]]] | None = None
        self.chosen: tuple[str, bool] | None = None
        self.typed: str | None = None
        self.named: dict[str, tuple[str, dict[str, list[str]], list[tuple[str, str]]]] = {}
        self.apart: list[tuple[str, str, dict[str, str]]] = []  # what belongs to a form by its id, wherever it stands

    def close(self) -> None:
        """Give forms what stands apart from them."""
        super().close()
        for name, tag, has in self.apart:
            _, fields, buttons = self.named[name]
            if tag == "button":
                buttons.append((has["name"], has.get("value", "")))
            elif has.get("type") != "checkbox" or "checked" in has or has["name"] not in fields:
                fields.setdefault(has["name"], []).append(has.get("value", "") or "on")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag == "form" and has.get("method", "get").lower() == "post":
            self.at = (has.get("action", ""), {}, [])
            self.forms.append(self.at)
            self.named[has.get("id", "")] = self.at
        elif has.get("form") and has.get("name") and "disabled" not in has:
            self.apart.append((has["form"], tag, has))
            return
        if self.at is None or "disabled" in has:
            return
        _, fields, buttons = self.at
        name, value = has.get("name", ""), has.get("value", "")
        if tag == "button" and name:
            buttons.append((name, value))
        elif tag == "input" and name:
            kind = has.get("type", "text")
            if kind == "radio":
                fields.setdefault(name, [value])
                if "checked" in has:
                    fields[name] = [value]
            elif kind != "checkbox":
                fields.setdefault(name, []).append(value)
            elif "checked" in has or name not in fields:
                fields.setdefault(name, []).append(value or "on")
        elif tag == "select" and name:
            self.chosen = (name, False)
        elif tag == "option" and self.chosen is not None:
            if "selected" in has or self.chosen[0] not in fields:
                fields[self.chosen[0]] = [value]
        elif tag == "textarea" and name:
            self.typed = name
            fields[name] = [""]

    def handle_data(self, data: str) -> None:
        if self.at is not None and self.typed:
            self.at[1][self.typed][0] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.at = None
        elif tag == "select":
            self.chosen = None
        elif tag == "textarea":
            self.typed = None


def forms_of(html: str, address: str) -> list[Form]:
    """The posting forms of a page, one of each shape, and nothing of the masthead's."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    found: dict[tuple[str, ...], Form] = {}
    for action, fields, buttons in reader.forms:
        if action.startswith("/accounts/"):
            continue
        for name, value in buttons or [("", "")]:
            form = Form(action or address, {**fields, **({name: [value]} if name else {})})
            form.fields.pop("csrfmiddlewaretoken", None)
            found.setdefault(form.shape, form)
    return list(found.values())


# Who acts where neither the owner nor an administrator does; and where the interesting forms stand, if not at the example's own address.
ACTORS = {"campaign-join token": "stranger", "seat-claim token": "stranger", "house-rule-list pk": "administrator"}
MORE = {
    "warband-found": ["?game=trench-crusade/1.6.3&list=new-antioch", "?game=trench-crusade/1.6.3&list=papal-states"],
    "seat-found pk": ["?list=new-antioch", "?way=ready-made"],
    "house-rule-list pk": ["?edit=campaign", "?edit=ways", "?edit=rules", "?edit=readings"],
    "battle-report pk": ["?amend=1", "?dispute=1"],
    "upgrade-buy pk": [""],
}


def elsewhere(scene: Scene) -> dict[str, list[str]]:
    """Other rows at which an address has other forms: a warband that is founding still, the step whose turn it is, the next battle."""
    at, founding = reverse, scene.founding.pk
    step = c.look(c.sequence_row(scene.reported, scene.users["owner"])).current()
    assert step is not None
    return {
        "fighter-hire pk": [at("fighter-hire", args=[founding])],
        "stash-show pk": [at("stash-show", args=[founding])],
        "kit-buy pk": [at("kit-buy", args=[scene.recruit.pk])],
        "upgrade-buy pk": [at("upgrade-buy", args=[scene.recruit.pk])],
        "fighter-dismiss pk": [at("fighter-dismiss", args=[scene.recruit.pk])],
        "item-give pk": [at("item-give", args=[scene.piece.pk])],
        "item-return pk": [at("item-return", args=[scene.piece.pk])],
        "battle-show pk": [at("battle-show", args=[scene.coming.pk])],
        "post-battle-resolve pk warband step": [
            at("post-battle-resolve", args=[scene.reported.pk, scene.wardens.pk, step.id])
        ],
    }


def actor_at(key: str, address: str, scene: Scene) -> Client:
    """Somebody who may act at an address: the owner, else an administrator."""
    client = scene.client(ACTORS.get(key, "owner"))
    return scene.client("administrator") if client.get(address).status_code == 403 else client


# Nobody of the scene owns the site: test_site_owner presses what stands there.
OF_THE_SITE_OWNER = {
    "problem-show pk",
    "person-show pk",
    "site-desk",
    "site-hidden",
    "site-people",
    "site-rules",
    "site-rules-report pk",
    "site-campaigns",
    "site-campaign pk",
}


def pages_of(key: str, scene: Scene) -> tuple[Client, list[Form]]:
    """Who acts at an address, and the forms that stand there."""
    address = addresses(scene)[key]
    if key in OF_THE_SITE_OWNER or "POST" not in methods(address, scene.client("owner")):
        return scene.client("owner"), []
    client = actor_at(key, address, scene)
    found: dict[tuple[str, ...], Form] = {}
    for there in (*(address + more for more in ("", *MORE.get(key, ()))), *elsewhere(scene).get(key, ())):
        page = client.get(there, follow=True)
        if page.status_code != 200:
            assert page.status_code == 405, f"{there} answers with {page.status_code}."
            continue
        for form in forms_of(page.content.decode(), there):
            found.setdefault((form.action, *form.shape), form)
    return client, [*found.values()]
