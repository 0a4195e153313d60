"""The error for a page or act whose subject is gone. Readers of the warband get an explanation and a link back."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import gettext_lazy


class SubjectGone(Http404):
    """The subject existed when the page was rendered, but no longer does.

    `words` is the explanation for people who may read its warband.
    """

    def __init__(self, words: str, *, back: str = "") -> None:
        super().__init__(words)
        self.words, self.back = words, back


class ByKey(dict[str, Any]):
    """Values by fighter key. Looking up a fighter that has left the roster raises SubjectGone."""

    def __init__(self, known: Any, back: str) -> None:
        super().__init__(known)
        self.back = back

    def __missing__(self, key: str) -> Any:
        raise SubjectGone(str(LEFT), back=self.back)


LEFT = gettext_lazy("This fighter is no longer on the roster.")
