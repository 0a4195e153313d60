"""Stories that are told once a module: each test finds rows and objects as if its fixtures had just run.

`@story` takes the place of `@pytest.fixture` where a fixture does nothing but act through services. The stories that a test asks for are
told one after the other, each inside a savepoint, and stay for the next tests that begin with the same ones; a test works on a savepoint of
its own above them, and on copies of their objects. Where a test asks for others, what it does not share is rolled back first: it never
sees a story that it did not ask for. A test that commits (with a live server, with threads) is told its stories anew.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import groupby
from types import SimpleNamespace
from typing import Any

import pytest

from config.recent import Newest


@contextmanager
def rolled_back() -> Iterator[None]:
    """What happens inside never happened. Nested, it is a savepoint."""
    from django.db import transaction

    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def story(function: Callable[..., Any] | None = None, **how: Any) -> Any:
    """Return the fixture of this name, told once a module: `@story`, or `@story(params=[...])`.

    It may ask for other stories and for `request.param`; the database is there.
    """
    if function is None:
        return lambda named: story(named, **how)
    asked = tuple(inspect.signature(function).parameters)

    def fixture(request: pytest.FixtureRequest, told_stories: dict[str, Any] | None, db: None, **others: Any) -> Any:
        if told_stories is not None and request.fixturename in told_stories:
            return told_stories[request.fixturename]
        return function(**{name: request if name == "request" else others[name] for name in asked})

    names = ("request", "told_stories", "db", *(name for name in asked if name != "request"))
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    fixture.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])  # type: ignore[attr-defined]
    fixture.__name__, fixture.__doc__, fixture.__module__ = function.__name__, function.__doc__, function.__module__
    fixture.story = function  # type: ignore[attr-defined]
    return pytest.fixture(**how)(fixture)


# --- telling ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chapter:
    """A story that a test asks for, and its parameter."""

    name: str
    function: Callable[..., Any]
    param: Any = None

    @property
    def asked(self) -> tuple[str, ...]:
        """The names of its arguments."""
        return tuple(inspect.signature(self.function).parameters)

    def tell(self, told: dict[str, Any]) -> Any:
        """Play it, after those it asks for."""
        request = SimpleNamespace(param=self.param)
        return self.function(**{name: request if name == "request" else told[name] for name in self.asked})


class Stories:
    """What stands told in the database, the last one on top: chapter, all objects up to it, and how to roll it back."""

    def __init__(self, blocker: Any) -> None:
        self.blocker = blocker
        self.standing: list[tuple[Chapter, dict[str, Any], ExitStack]] = []

    def tell(self, chapters: list[Chapter]) -> dict[str, Any]:
        """Leave exactly these told, in this order, and return copies of their objects by name."""
        with self.blocker.unblock():
            shared = 0
            for (standing, _, _), chapter in zip(self.standing, chapters, strict=False):
                if standing != chapter:
                    break
                shared += 1
            self.forget(shared)
            for chapter in chapters[shared:]:
                with ExitStack() as opened:
                    opened.enter_context(rolled_back())
                    told = self.copies()
                    told[chapter.name] = chapter.tell(told)
                    self.standing.append((chapter, told, opened.pop_all()))
        return self.copies()

    def copies(self) -> dict[str, Any]:
        """The objects of all that stands, as they were when the last one was told."""
        return copy.deepcopy(self.standing[-1][1]) if self.standing else {}

    def forget(self, kept: int = 0) -> None:
        """Roll back all but the first ones."""
        with self.blocker.unblock():
            while len(self.standing) > kept:
                self.standing.pop()[2].close()


@pytest.fixture(scope="module")
def stories(django_db_setup: None, django_db_blocker: Any) -> Iterator[Stories]:
    """The stories of one module."""
    standing = Stories(django_db_blocker)
    yield standing
    standing.forget()


@pytest.fixture
def told_stories(
    request: pytest.FixtureRequest, stories: Stories, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Any] | None:
    """The objects of the stories that a test asks for, or None where it commits. What opens the test's own savepoint asks for this first."""
    monkeypatch.setattr(
        "campaigns.views.tracker.DRAWN", Newest(200)
    )  # the same table and version come again, played on otherwise
    if commits(request):
        stories.forget()
        return None
    return stories.tell(chapters_of(request.node))


@pytest.fixture
def _django_db_helper(told_stories: dict[str, Any] | None, _django_db_helper: None) -> None:
    """A test's own savepoint, which pytest-django opens: above its stories."""


def commits(request: pytest.FixtureRequest) -> bool:
    """Whether a test works outside of a transaction."""
    marker = request.node.get_closest_marker("django_db")
    how = (
        {"transaction", "reset_sequences"} & {name for name, value in marker.kwargs.items() if value} if marker else ()
    )
    return bool(how) or bool({"transactional_db", "live_server"} & set(request.fixturenames))


def chapters_of(item: Any) -> list[Chapter]:
    """The stories of a test in one order for all tests: first what others stand on, and people who only look on last."""
    found = {name: defined[-1].func for name, defined in item._fixtureinfo.name2fixturedefs.items()}
    tellable = {name: func.story for name, func in found.items() if hasattr(func, "story")}
    params = item.callspec.params if hasattr(item, "callspec") else {}
    ordered: dict[str, Chapter] = {}

    def add(name: str) -> None:
        if name in ordered or name == "request":
            return
        assert name in tellable, f"A story asks for `{name}`, which is none."
        chapter = Chapter(name, tellable[name], params.get(name))
        for other in chapter.asked:
            add(other)
        ordered[name] = chapter

    def place(name: str) -> tuple[bool, str, int]:
        code = tellable[name].__code__
        return tellable[name].__module__ != item.module.__name__, code.co_filename, code.co_firstlineno

    for name in sorted(tellable, key=place):
        add(name)
    return list(ordered.values())


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Bring those tests of a module next to each other that begin with the same stories."""
    ordered: list[Any] = []
    for _, of_module in groupby(items, key=lambda item: item.module):
        first_seen: dict[tuple[Chapter, ...], int] = {}
        keyed = []
        for item in of_module:
            chapters = tuple(chapters_of(item))
            beginnings = [chapters[:count] for count in range(1, len(chapters) + 1)]
            keyed.append(([first_seen.setdefault(beginning, len(first_seen)) for beginning in beginnings], item))
        ordered += [item for _, item in sorted(keyed, key=lambda pair: pair[0])]
    items[:] = ordered
