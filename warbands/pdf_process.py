"""Draws sheets in a separate process, which ends with the booklet and so releases its memory.

A process that has drawn forty sheets keeps most of their memory until it ends, and a worker runs for weeks.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from django.conf import settings

SHEETS_OF_A_PROCESS = 20  # then another process takes over, so that none grows with the length of a booklet


class ProcessEnded(Exception):
    """The drawing process ended in the middle of a sheet: somebody killed it, or the machine ran out of memory."""


class _Apart:
    """The drawing process. It starts with the first sheet, and again after it was killed. It opens no database."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.done = 0

    def run(self, act: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Run a function of this module in that process; return its result, or raise its exception."""
        if self.process is None:
            command = [sys.executable, "-m", __name__]
            self.process = subprocess.Popen(
                command, cwd=settings.BASE_DIR, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            pickle.dump((act.__name__, given, named), self.process.stdin)
            self.process.stdin.flush()
            is_done, found = pickle.load(self.process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            self.end()
            raise ProcessEnded("The process that draws sheets ended.") from error
        self.done += 1
        if self.done % SHEETS_OF_A_PROCESS == 0:
            self.end()
        if not is_done:
            raise found
        return found

    def end(self) -> None:
        if self.process is not None:
            process, self.process = self.process, None
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):  # unsent data for a process that has ended
                        pipe.close()
            process.wait()


_apart: ContextVar[_Apart | None] = ContextVar("apart", default=None)
_whole_fonts: ContextVar[bool] = ContextVar("whole_fonts", default=False)


@contextmanager
def drawn_apart() -> Iterator[None]:
    """Draw and join sheets in another process within this context."""
    apart = _Apart()
    token = _apart.set(apart)
    try:
        yield
    finally:
        _apart.reset(token)
        apart.end()


@contextmanager
def with_whole_fonts() -> Iterator[None]:
    """Draw sheets with all letters of their fonts within this context (see `warbands.pdf.pdf_of`)."""
    token = _whole_fonts.set(True)
    try:
        yield
    finally:
        _whole_fonts.reset(token)


def has_whole_fonts() -> bool:
    return _whole_fonts.get()


def draw(htmls: Iterable[str]) -> bytes:
    """Return the first of these sheets that takes one page, or the first of those that take the fewest, as PDF.

    The first call loads the engine, since most commands and pages never print.
    """
    apart = _apart.get()
    if apart is None:
        return _draw(htmls, has_whole_fonts())
    pdf: bytes = apart.run(_draw, tuple(htmls), has_whole_fonts())
    return pdf


def join(parts: Sequence[tuple[str, bytes]], *, title: str, on_new_leaves: bool = False) -> tuple[bytes, int]:
    apart = _apart.get()
    how = {"title": title, "on_new_leaves": on_new_leaves}
    joined: tuple[bytes, int] = _join(parts, **how) if apart is None else apart.run(_join, parts, **how)
    return joined


def _draw(htmls: Iterable[str], whole_fonts: bool) -> bytes:
    from warbands.pdf import pdf_of

    return pdf_of(htmls, whole_fonts=whole_fonts)


def _join(parts: Sequence[tuple[str, bytes]], **how: Any) -> tuple[bytes, int]:
    from warbands.pdf_join import join_pdfs

    return join_pdfs(parts, **how)


ACTS: dict[str, Callable[..., Any]] = {"_draw": _draw, "_join": _join}


def serve() -> None:
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    while True:
        try:
            act, given, named = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = (True, ACTS[act](*given, **named))
        except Exception as error:
            answer = (False, RuntimeError(f"{type(error).__name__}: {error}"))
        pickle.dump(answer, out)
        out.flush()


if __name__ == "__main__":
    serve()
