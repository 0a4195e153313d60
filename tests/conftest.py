"""What every test may ask for: four people, a browser, axe, and Hypothesis in its reproducible mood."""

import os

# Sync Playwright keeps an event loop in the thread that also uses the ORM; Django would take that for async code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

TESTS = Path(__file__).parent

hypothesis_settings.register_profile(
    "reproducible", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.register_profile("explore", deadline=None, max_examples=1000)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "reproducible"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let golden files be written anew."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew; review the diff")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what drives a browser by the folder it is in."""
    for item in items:
        if {"browser", "e2e"} & set(item.path.relative_to(TESTS).parts[:-1]):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written instead of compared."""
    return bool(request.config.getoption("--update-golden"))


# --- people -----------------------------------------------------------------------------------------------------------

PASSWORD = "a-long-enough-password"


def person(name: str) -> Any:
    """Return a user of this name whose password is `PASSWORD`."""
    from accounts.models import User

    return User.objects.create_user(name, f"{name}@example.org", PASSWORD)


@pytest.fixture
def ada(db: None) -> Any:
    """She owns."""
    return person("ada")


@pytest.fixture
def ben(db: None) -> Any:
    """He plays in her campaign."""
    return person("ben")


@pytest.fixture
def cleo(db: None) -> Any:
    """She administers."""
    return person("cleo")


@pytest.fixture
def dora(db: None) -> Any:
    """She is a stranger."""
    return person("dora")


# --- browser ----------------------------------------------------------------------------------------------------------

PHONE, DESKTOP = 360, 1280


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium, started once for all tests."""
    from playwright.sync_api import sync_playwright

    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.fail("No Chromium on this machine: install the package `chromium`, or leave out `-m browser` tests.")
    flags = [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")  # Chromium refuses to sandbox for root
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=flags)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Any, live_server: Any) -> Iterator[Callable[..., Any]]:
    """Return a function that opens a page of the live server, each in a browser context of its own.

    `open_page(user, width=360, dark=False, javascript=True, expected_statuses=(422,))`: `user` is signed in by a
    session cookie, None is a visitor. Addresses may be relative: `page.goto("/warbands/")`. The test fails if the
    console of any page told an error, other than a response with one of the expected statuses.
    """
    from django.core.cache import cache
    from django.test import Client

    cache.clear()  # sign-in limits live there, and a flushed database keeps them
    contexts = []
    complaints: list[str] = []

    def open_one(
        user: Any = None,
        *,
        width: int = PHONE,
        dark: bool = False,
        javascript: bool = True,
        expected_statuses: tuple[int, ...] = (422,),
    ) -> Any:
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": 740 if width < 700 else 900},
            color_scheme="dark" if dark else "light",
            java_script_enabled=javascript,
            reduced_motion="reduce",
            service_workers="block",  # it fetches every static file for later; what it does is tested in test_offline.py
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        if user is not None:
            client = Client()
            client.force_login(user)
            cookie = client.cookies["sessionid"]
            context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])
        page = context.new_page()

        def heard(message: Any) -> None:
            expected = any(f"status of {status}" in message.text for status in expected_statuses)
            if message.type == "error" and not expected:
                complaints.append(f"{page.url}: {message.text}")

        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not complaints, "The browser's console told errors:\n" + "\n".join(complaints)


@pytest.fixture
def phone(open_page: Callable[..., Any]) -> Any:
    """A visitor's page, 360 pixels wide."""
    return open_page(width=PHONE)


@pytest.fixture
def desktop(open_page: Callable[..., Any]) -> Any:
    """A visitor's page, 1280 pixels wide."""
    return open_page(width=DESKTOP)


@pytest.fixture
def signed_in_page(open_page: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that opens a page for one user: `signed_in_page(ada, width=1280)`."""

    def signed_in(user: Any, **how: Any) -> Any:
        return open_page(user, **how)

    return signed_in


@pytest.fixture(scope="session")
def axe() -> Callable[[Any], None]:
    """Return a function that fails when axe finds anything on the page: `axe(page)`.

    Not for pages opened with `javascript=False`: there its promise never comes true.
    """
    source = (TESTS / "vendor" / "axe.min.js").read_text(encoding="utf-8")

    def check(page: Any) -> None:
        page.evaluate(source)
        # Without preload: to read imported style sheets axe would make inline ones, which our policy refuses aloud.
        found = page.evaluate("async () => (await axe.run({preload: false})).violations")
        lines = [
            f"{violation['id']}: {violation['help']}\n    {node['html'][:300]}"
            for violation in found
            for node in violation["nodes"]
        ]
        assert not lines, f"axe at {page.url}:\n" + "\n".join(lines)

    return check
