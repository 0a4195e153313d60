"""What every test may ask for: four people, a browser, axe, and Hypothesis in its reproducible mood."""

import os

# Sync Playwright keeps an event loop in the thread that also uses the ORM; Django would take that for async code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

import gc
import shutil
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from tests import module_story
from tests.drills import QUICK, WHOLE, examples, sampled
from tests.kept_rows import KeptRows
from tests.module_story import story
from tests.roomy import Roomy

TESTS = Path(__file__).parent

hypothesis_settings.register_profile(
    "reproducible",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=examples(100),
    suppress_health_check=[HealthCheck.too_slow],
)
hypothesis_settings.register_profile("explore", deadline=None, max_examples=1000)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "reproducible"))


def pytest_configure(config: pytest.Config) -> None:
    """Let stories be told once a module, where there is room for frames."""
    gc.disable()  # until all tests are collected: hardly anything of it is garbage
    config.pluginmanager.register(module_story)
    config.pluginmanager.register(Roomy())


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let golden files be written anew."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew; review the diff")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a module unread of which nothing would run: without the mark that is asked for, or slow under `make quick`."""
    if QUICK and collection_path.match("test_*.py"):
        return True if "pytest.mark.slow" in collection_path.read_text(encoding="utf-8") else None
    asked = config.getoption("markexpr") or ""
    if not asked.startswith(BOTH) or not collection_path.match("test_*.py"):
        return None
    return True if BOTH not in collection_path.read_text(encoding="utf-8") else None


BOTH = "both_databases"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what drives a browser by the folder it is in; on PostgreSQL leave out what SQLite has seen already."""
    for item in items:
        if {"browser", "e2e"} & set(item.path.relative_to(TESTS).parts[:-1]):
            item.add_marker(pytest.mark.browser)
            # A fault shows twice, a stall of the machine once; the summary counts both.
            item.add_marker(pytest.mark.flaky(reruns=1))
    items[:] = _longest_first(items)
    if QUICK:
        items[:] = _cases_of_each(items, 1)
    if not WHOLE and len(items) > A_FEW and os.environ.get("DATABASE_URL", "").startswith("postgres"):
        again = [item for item in items if _asks_a_database(item) and not _needs_one_database(item)]
        taken = _cases_of_each(again, 2)
        config.hook.pytest_deselected(items=list(set(items) - set(taken)))
        items[:] = taken


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays to the end, tests and packs by the hundred thousand, and let it come every few pages only, as in config/wsgi.py."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def _longest_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests, module by module: what takes long begins, so that short modules fill up the end.

    Browser tests wait for some of their time, and two of them at once leave the processors idle. Between their modules stand
    the slow ones that calculate.
    """
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    browser: dict[Path, list[pytest.Item]] = {}
    long: dict[Path, list[pytest.Item]] = {}
    short: list[pytest.Item] = []
    for item in items:
        if item.get_closest_marker("browser"):
            browser.setdefault(item.path, []).append(item)
        elif item.path in slow:
            long.setdefault(item.path, []).append(item)
        else:
            short.append(item)
    woven = zip_longest(browser.values(), long.values(), fillvalue=[])
    return [item for pair in woven for module in pair for item in module] + short


A_FEW = 200  # tests that are named on the command line run with all their cases


def _asks_a_database(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    return item.get_closest_marker("django_db") is not None or bool({"db", "transactional_db"} & set(fixtures))


def _needs_one_database(item: pytest.Item) -> bool:
    """Whether SQLite will do: for moments of a season, told through the services that the unit tests call on both, and where a test says so."""
    return item.path.is_relative_to(TESTS / "season") or item.get_closest_marker("one_database") is not None


def _cases_of_each(items: list[pytest.Item], count: int) -> list[pytest.Item]:
    """Return so many cases of every parametrized test, always the same: the second database differs by statement, not by case."""
    cases: dict[tuple[Path, str], list[pytest.Item]] = {}
    for item in items:
        cases.setdefault((item.path, item.nodeid.partition("[")[0]), []).append(item)
    return [item for of_one in cases.values() for item in sampled(of_one, count)]


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written instead of compared."""
    return bool(request.config.getoption("--update-golden"))


# --- stories ----------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True, scope="session")
def kept_rows(tmp_path_factory: pytest.TempPathFactory) -> None:
    """All processes of a run keep what is played once in the same folder: each of them has its own one below it."""
    own = tmp_path_factory.getbasetemp()
    KeptRows.folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(autouse=True, scope="session")
def quickly_emptied() -> Iterator[None]:
    """Tests that commit leave an empty database behind, at the price of what they wrote."""
    from django.test import TransactionTestCase

    from tests.emptied import after_a_commit

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", after_a_commit)
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """All migrations count as applied: the tables come from the models as they are (tests/settings.py)."""
    from django.core.management import call_command

    with django_db_blocker.unblock():
        call_command("migrate", fake=True, verbosity=0)


# --- forms ------------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True, scope="session")
def drawn_tokens() -> Iterator[None]:
    """A test names a form's token by a word, or leaves it out: what it sends is a token that the site drew."""
    from django.test import Client

    from tests.tokens import drawn

    as_given = Client.post

    def post(self: Client, path: str, data: Any = None, *how: Any, **more: Any) -> Any:
        return as_given(self, path, drawn(data), *how, **more)

    Client.post = post  # type: ignore[method-assign]
    yield
    Client.post = as_given  # type: ignore[method-assign]


# --- people -----------------------------------------------------------------------------------------------------------

PASSWORD = "a-long-enough-password"


def person(name: str) -> Any:
    """Return a user of this name whose password is `PASSWORD`."""
    from accounts.models import User

    return User.objects.create_user(name, f"{name}@example.org", PASSWORD)


@story
def ada() -> Any:
    """She owns."""
    return person("ada")


@story
def ben() -> Any:
    """He plays in her campaign."""
    return person("ben")


@story
def cleo() -> Any:
    """She administers."""
    return person("cleo")


@story
def dora() -> Any:
    """She is a stranger."""
    return person("dora")


# --- browser ----------------------------------------------------------------------------------------------------------

PHONE, DESKTOP = 360, 1280

# The first of these that the machine has. Debian's headless shell is its Chromium without windows: the same pages in two thirds of the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium, started once for all tests."""
    from playwright.sync_api import expect, sync_playwright

    found = next(filter(None, map(shutil.which, BROWSERS)), None)
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
    expect.set_options(timeout=15_000)  # what is expected comes at once; a busy machine may take its time
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=flags)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def live_server(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The site on a port of this machine, with its static files bundled as in production."""
    from pytest_django.live_server_helper import LiveServer

    from tests.served import BundledStatic, SentAtOnce

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.contrib.staticfiles.handlers.StaticFilesHandler", BundledStatic)
        patch.setattr("django.test.testcases.QuietWSGIRequestHandler", SentAtOnce)
        server = LiveServer("localhost")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def kept_pages(browser: Any, live_server: Any) -> Iterator[Any]:
    """The pages that tests hand on."""
    from tests.kept_pages import KeptPages

    kept = KeptPages(browser, live_server.url)
    yield kept
    kept.close()


@pytest.fixture
def open_page(kept_pages: Any, live_server: Any) -> Iterator[Callable[..., Any]]:
    """Return a function that opens a page with its own cookies, and at the end fail for what its console told.

    `open_page(ada, width=PHONE, dark=True, javascript=False)`; without a user it is a visitor's. The console may tell
    of an answer with one of the expected statuses. A page that is `alone` is nobody's before or after: its clock may be
    turned, and it fetches every script anew.
    """
    from django.core.cache import cache
    from django.test import Client

    from tests.served import at_rest

    cache.clear()  # sign-in limits live there, and a flushed database keeps them
    opened: list[tuple[Any, bool, dict[str, Any]]] = []
    complaints: list[str] = []

    def open_one(
        user: Any = None,
        *,
        width: int = PHONE,
        dark: bool = False,
        javascript: bool = True,
        alone: bool = False,
        expected_statuses: tuple[int, ...] = (422,),
    ) -> Any:
        page = kept_pages.take(width=width, dark=dark, javascript=javascript, alone=alone)

        def heard(message: Any) -> None:
            expected = any(f"status of {status}" in message.text for status in expected_statuses)
            if message.type == "error" and not expected:
                complaints.append(f"{page.url}: {message.text}")

        def failed(error: Any) -> None:
            complaints.append(f"{page.url}: {error}")

        listeners = {"console": heard, "pageerror": failed}
        opened.append((page, javascript, listeners))
        for event, listener in listeners.items():
            page.on(event, listener)
        if user is not None:
            client = Client()
            client.force_login(user)
            cookie = client.cookies["sessionid"]
            page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])
        return page

    yield open_one
    for page, javascript, listeners in opened:
        kept_pages.give_back(page, javascript=javascript)
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
    at_rest()
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


# The browser keeps a script that it fetches compiled; what is handed to it as text it reads anew on each page.
FETCH_AXE = """address => new Promise((done, failed) => {
  const script = Object.assign(document.createElement("script"), {src: address, onload: done, onerror: failed});
  document.head.append(script);
  script.remove();
})"""


@pytest.fixture(scope="session")
def axe(live_server: Any) -> Callable[[Any], None]:
    """Return a function that fails when axe finds anything on the page: `axe(page)`.

    Not for pages opened with `javascript=False`: there its promise never comes true.
    """
    from tests.served import AXE

    source = (TESTS / "vendor" / AXE).read_text(encoding="utf-8")

    def check(page: Any, rules: str = "") -> None:
        if page.evaluate("typeof axe === 'undefined'"):
            if page.url.startswith(live_server.url):
                page.evaluate(FETCH_AXE, f"/static/{AXE}")
            else:  # over a line that may be cut
                page.evaluate(source)
        # Without preload: to read imported style sheets axe would make inline ones, which our policy refuses aloud.
        how = f"{{preload: false, resultTypes: ['violations']{rules}}}"
        found = page.evaluate(f"async () => (await axe.run({how})).violations")
        lines = [
            f"{violation['id']}: {violation['help']}\n    {node['html'][:300]}"
            for violation in found
            for node in violation["nodes"]
        ]
        assert not lines, f"axe at {page.url}:\n" + "\n".join(lines)

    return check
