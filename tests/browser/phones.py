"""Phones at one table: each page in a context of its own, over a line that can be cut or past it. Import `line` and `phone` to use them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client

from campaigns.models import Battle
from campaigns.report_prefill import table_state
from rules.tracker.state import TableState
from tests.browser.answered import close
from tests.browser.line import Line
from tests.conftest import PHONE
from tests.served import at_rest

IN_STEP = 10_000  # milliseconds within which another phone shows what was pressed, on a machine with much else to do


@pytest.fixture
def line(live_server: Any) -> Iterator[Line]:
    """The way from one phone to the site, which can be cut."""
    there = urlsplit(live_server.url)
    made = Line(str(there.hostname), int(there.port or 0))
    yield made
    made.close()


@pytest.fixture
def phone(browser: Any, line: Line, open_page: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """Return a function that opens a page with cookies of its own, over the line or past it."""
    contexts: list[Any] = []
    mistakes: list[str] = []

    def take(user: Any, *, by_line: bool = False, javascript: bool = True) -> Any:
        if not by_line:
            return open_page(user, javascript=javascript)
        context = browser.new_context(
            base_url=line.url,
            viewport={"width": PHONE, "height": 740},
            reduced_motion="reduce",
            service_workers="block",
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        client = Client()
        client.force_login(user)
        context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": line.url}])
        context.on("weberror", lambda error: mistakes.append(str(error.error)))
        return context.new_page()

    yield take
    for context in contexts:
        close(context)
    at_rest()
    assert not mistakes, "Scripts failed:\n" + "\n".join(mistakes)


def state_of(battle: Battle) -> TableState:
    found = table_state(battle)
    assert found is not None
    return found
