"""What is typed into one form and kept on the device comes back in no other form of the page.

The script knows a form by its page, its id or address, and by what it carries hidden. So two forms of a page that are known by the
same must not have a field in common into which one types.
"""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

import pytest

from tests.scene_pages import pages_sent_to

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

LOOSE = {"csrfmiddlewaretoken", "token", "seen", "checked"}
TYPED = {"text", "number", "date", "email", "search", "url", "tel"}


class Forms(HTMLParser):
    """The forms of a page that write: by what each is known, and the fields into which one types."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[list[str], set[str]]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = own.get("method", "").lower() == "post"
            if self.inside:
                self.found.append(([own.get("id", ""), own.get("action", "")], set()))
        elif self.inside and tag == "input" and own.get("type") == "hidden" and own.get("name") not in LOOSE:
            self.found[-1][0].append(f"{own.get('name')}={own.get('value')}")
        elif self.inside and (tag == "textarea" or (tag == "input" and own.get("type", "text") in TYPED)):
            self.found[-1][1].add(own.get("name", ""))

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "form"


def shared(html: str) -> list[str]:
    """The fields that several forms of a page would restore from one draft."""
    forms = Forms()
    forms.feed(html)
    counted = Counter(f"{sorted(marks)} {name}" for marks, names in forms.found for name in names)
    return [field for field, times in counted.items() if times > 1]


def test_the_check_finds_two_forms_that_are_known_by_the_same() -> None:
    form = '<form method="post" action="/a/"><input name="words"></form>'
    assert shared(form * 2)
    assert not shared(form + form.replace("<form", '<form id="other"'))


@pytest.mark.parametrize("who", ["owner", "administrator"])
def test_no_draft_comes_back_in_another_form(db: None, who: str) -> None:
    pages = pages_sent_to(who)
    assert len(pages) > 20
    assert {key: found for key, html in pages.items() if (found := shared(html))} == {}
