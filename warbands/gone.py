"""What a page or an act is about has left meanwhile: who may read the warband is told so, and led back."""

from __future__ import annotations

from typing import Any

from django.http import Http404


class SubjectGone(Http404):
    """Something was there when the page was drawn, and is no longer. `words` are for somebody who may read what it belonged to."""

    def __init__(self, words: str, *, back: str = "") -> None:
        super().__init__(words)
        self.words, self.back = words, back


class ByKey(dict[str, Any]):
    """What stands on a roster, by fighter key. Asked for a fighter that has left it raises Gone."""

    def __init__(self, known: Any, back: str) -> None:
        super().__init__(known)
        self.back = back

    def __missing__(self, key: str) -> Any:
        raise SubjectGone(LEFT, back=self.back)


LEFT = "This fighter is no longer on the roster."
