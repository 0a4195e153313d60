"""The tags of the design system that draw less than once for each place: lists that many rows share, and icons."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.template import Context, Template, TemplateSyntaxError
from django.utils.safestring import mark_safe

from config.templatetags.ui import icon

ROWS = "{% for row in rows %}[{% drawn_once row %}{% for who in row %}{{ who }},{% endfor %}{% enddrawn_once %}]{% endfor %}"


class Counted:
    """Something that counts how often it was drawn."""

    def __init__(self) -> None:
        self.times = 0

    def __str__(self) -> str:
        self.times += 1
        return "Ada & Ben"


def drawn(words: str, **context: Any) -> str:
    return Template(words).render(Context(context))


def test_what_many_rows_share_is_drawn_once_and_stands_in_each() -> None:
    who = Counted()
    assert drawn(ROWS, rows=[(who,), (who,), (who,)]) == "[Ada &amp; Ben,]" * 3
    assert who.times == 1


def test_a_row_of_another_value_is_drawn_for_itself() -> None:
    assert drawn(ROWS, rows=[("a",), ("b",), ("a",), ()]) == "[a,][b,][a,][]"


def test_what_was_drawn_for_one_page_or_place_is_not_put_in_another() -> None:
    page = Template(
        "{% drawn_once key %}{{ words }}{% enddrawn_once %}-{% drawn_once key %}{{ words }}!{% enddrawn_once %}"
    )
    assert page.render(Context({"key": 1, "words": "one"})) == "one-one!"
    assert page.render(Context({"key": 1, "words": "two"})) == "two-two!"


@pytest.mark.parametrize("tag", ["{% drawn_once %}", "{% drawn_once one two %}"])
def test_it_depends_on_one_value(tag: str) -> None:
    with pytest.raises(TemplateSyntaxError):
        Template(tag + "{% enddrawn_once %}")


def test_an_icon_escapes_its_label_though_it_was_drawn_with_the_same_label_marked_safe() -> None:
    assert '"<i>"' in icon("drop", label=mark_safe("<i>"))
    assert '"&lt;i&gt;"' in icon("drop", label="<i>")


def test_options_are_written_as_a_list_asks_for_them() -> None:
    picks = [
        SimpleNamespace(value="a&b", words="<b>One</b>", chosen=True),
        SimpleNamespace(value=2, words="Two", chosen=False),
    ]
    drawn = Template("{% options picks %}").render(Context({"picks": picks}))
    assert drawn == ('<option value="a&amp;b" selected>&lt;b&gt;One&lt;/b&gt;</option><option value="2">Two</option>')
