"""The tags of the design system that draw less than once for each place: lists that many rows share, and icons."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.template import Context, Template, TemplateSyntaxError
from django.utils.safestring import mark_safe
from django.utils.translation import override

from config.templatetags.ui import _drawn_from, icon
from warbands.pages.cards import Stat

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


ROW = '{% for stat in stats %}{% drawn "components/stats_line.html" stats=stat %}{% endfor %}'


def test_a_component_is_drawn_from_its_values_alone() -> None:
    row = (Stat("Melee", "<2>", "raised", ""),)
    words = drawn(ROW, stats=[row], stat=1)
    assert words == drawn('{% include "components/stats_line.html" with stats=row only %}', row=row)
    assert "&lt;2&gt;" in words
    assert drawn('{% drawn "components/stats_line.html" other=1 %}', stats=row).strip() == ""


def test_equal_values_are_drawn_once_and_others_for_themselves() -> None:
    _drawn_from.cache_clear()
    rows = [(Stat("Melee", value, "printed", ""),) for value in ("1", "2", "1")]
    words = drawn(ROW, stats=rows)
    assert [words.count(f'"v">{value}<') for value in ("1", "2")] == [2, 1]
    assert (_drawn_from.cache_info().hits, _drawn_from.cache_info().misses) == (1, 2)


def test_what_was_drawn_in_one_language_is_not_put_into_another() -> None:
    _drawn_from.cache_clear()
    for language in ("en", "de"):
        with override(language):
            drawn(ROW, stats=[(Stat("Melee", "1", "raised", ""),)])
    assert _drawn_from.cache_info().hits == 0


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
