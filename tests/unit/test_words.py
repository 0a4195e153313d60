"""The voice of the house: phrases that do not come back, sentences that one breath holds, and what may be translated later.

`tests/shown.py` collects the texts and `tests/words.py` holds the phrases. `python -m tests.words` prints what is found.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests import messages as m
from tests import shown
from tests import words as w
from tests.scene_pages import READERS, pages_sent_to


@pytest.fixture(autouse=True, scope="module")
def _read_once() -> Iterator[None]:
    """What is read for one test is kept for the next one, and for no other module."""
    yield
    shown.forget_modules()
    calls.cache_clear()


@cache
def findings() -> dict[str, tuple[str, ...]]:
    """What the sources have against the voice of the house, by place."""
    return w.source_findings()


@pytest.mark.parametrize("kind", sorted(w.SOURCES))
def test_no_retired_phrase_and_no_long_sentence_stands_in(kind: str) -> None:
    paths = w.SOURCES[kind][0]()
    assert len(paths) > 4
    wrong = [line for path in paths for line in findings().get(shown.place_of(path), ())]
    assert wrong == []


def test_the_phrases_are_found_where_they_stand() -> None:
    for bad in (
        "Nothing to mend.",
        "Later acts lean on it",
        "Found a warband",
        "X asks 45 ducats; you hold 32.",
        "Take it",
        "The table is not laid yet.",
        "Nobody sits here.",
    ):
        assert w.retired_in(bad), bad
    for good in (
        "Fixed since building ended.",
        "Hire a Yeoman",
        "We found 3 rules.",
        "Anewton holds the line.",
        "Confirm",
    ):
        assert not w.retired_in(good), good
    assert w.too_long("One sentence. " + "word " * 21)
    assert not w.too_long("One sentence of ten words. " * 10)


def test_what_is_allowed_is_there_and_has_its_reason() -> None:
    for place, why in w.LONG_HERE.items():
        assert (shown.ROOT / place).is_file(), place
        assert len(why.split()) > 2, place
    for (phrase, place), why in w.ALLOWED.items():
        assert phrase in w.RETIRED or phrase in w.RETIRED_BUTTONS, phrase
        assert len(why.split()) > 2, place
        path = shown.ROOT / place
        assert not Path(place).suffix or path.is_file(), place


# --- pages as they are sent -----------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("who", READERS)
def test_every_page_keeps_to_the_voice_of_the_house(who: str) -> None:
    pages = pages_sent_to(who)
    assert len(pages) >= 5
    wrong = [finding for key, html in pages.items() for finding in w.page_findings(html, key)]
    assert sorted(set(wrong)) == []


# --- gettext ------------------------------------------------------------------------------------------------------------


@cache
def calls() -> list[tuple[str, ast.Call, ast.Call | None]]:
    """Every call that translates, with its place and the call of `.format` right behind it."""
    found = []
    for path in shown.python_files():
        tree = shown.parsed(path)
        asked = shown.gettext_calls(tree)
        formats = {
            id(node.func.value): node
            for node in (shown.nodes_of(tree) if asked else ())
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format"
        }
        found += [(f"{shown.place_of(path)}:{call.lineno}", call, formats.get(id(call))) for call in asked]
    return found


def test_what_is_translated_is_a_plain_string() -> None:
    wrong = []
    for place, call, _formatted in calls():
        several = "ngettext" in ast.unparse(call.func)
        strings = call.args[:2] if several else call.args
        if len(strings) != (2 if several else 1) or not all(_is_text(each) for each in strings):
            wrong.append(f"{place}: {ast.unparse(call)[:100]}")
    assert wrong == [], "Values go in by .format(...), and a sentence is one string."


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(node.value)


def test_the_values_of_a_sentence_have_names_and_are_given() -> None:
    wrong = []
    for place, call, formatted in calls():
        texts = [each.value for each in call.args if _is_text(each)]
        named = [m.names_in(text) for text in texts]
        if any("" in names or any(name.isdigit() for name in names) for names in named):
            wrong.append(f"{place}: a value without a name in {texts}")
        if len(named) == 2 and not named[0] <= named[1]:
            wrong.append(f"{place}: one and many name different values")
        given = _given(formatted)
        if given is not None and named and (missing := set.union(*named) - given):
            wrong.append(f"{place}: {sorted(missing)} is not given")
        if given is not None and named and (too_many := given - set.union(*named)):
            wrong.append(f"{place}: {sorted(too_many)} does not stand in the sentence")
    assert wrong == []


def _given(formatted: ast.Call | None) -> set[str] | None:
    """The names that `.format` is called with; None where it is not, or not all names are plain."""
    if formatted is None or any(keyword.arg is None for keyword in formatted.keywords):
        return None
    return {str(keyword.arg) for keyword in formatted.keywords}


def test_a_translated_block_of_a_template_names_plain_values_on_one_line() -> None:
    wrong = [line for path in shown.template_files() for line in m.block_faults(path)]
    assert wrong == []


def test_every_text_of_a_template_may_be_translated() -> None:
    wrong = [
        f"{text.place}:{text.line}: {text.words[:80]}"
        for path in shown.template_files()
        if shown.place_of(path) not in w.NOT_TRANSLATED
        for text in shown.untranslated(path)
    ]
    assert wrong == [], 'Each wants {% translate "…" %} or {% blocktranslate %}.'


def test_the_messages_of_both_domains_are_collected() -> None:
    site, rules = m.messages("django"), m.messages("rules")
    assert len(site) > 5
    assert all(place.startswith("rules/") for places in rules.values() for place in places)
    assert not any(place.startswith("rules/") for places in site.values() for place in places)


# --- modules ------------------------------------------------------------------------------------------------------------

# Rooms whose texts people read. The modules of the table in `campaigns/` hold the commands of its buttons besides.
ROOMS = ("warbands/", "campaigns/", "accounts/", "rules/")
NOT_SHOWN = re.compile(r"/management/|/demo\.py$|^campaigns/.*/(tracker|table)[a-z_]*\.py$")
# Texts that stay as they are, by module: how many, and why. A number may sink, and must not rise.
UNTRANSLATED = {
    "accounts/deletion.py": (1, "a user name that no one can sign up with"),
    "accounts/guests.py": (1, "a user name that no one can sign up with"),
    "accounts/second_step.py": (1, "what a key is derived from"),
    "accounts/sessions.py": (10, "names of browsers and systems"),
    "accounts/models.py": (4, "sizes of paper, and labels of the admin"),
    "campaigns/api.py": (3, "the description for programs"),
    "campaigns/calendar_feed.py": (1, "the name of the program in a calendar file"),
    "campaigns/models/booklet.py": (1, "how the admin names a row"),
    "campaigns/models/post_battle.py": (3, "how the admin names a row"),
    "campaigns/pages/text_width.py": (1, "letters that are measured"),
    "campaigns/stream.py": (2, "names of who listens"),
    "warbands/chain.py": (5, "findings for the console"),
    "warbands/pdf_tags.py": (1, "a key of PDF files"),
    "warbands/pdf_forms.py": (3, "keys of PDF files and the name of a font"),
    "rules/trench_crusade/campaign.py": (1, "a heading of a page for developers"),
    "rules/content/check.py": (18, "findings for the console"),
    "rules/content/load.py": (5, "findings for the console"),
    "rules/dice.py": (1, "which die of a throw, beyond the sixth"),
    "rules/formatting.py": (21, "plurals of English names"),
    "rules/gloom_trench/browse.py": (42, "terms of the book, and the addresses of their pages"),
    "rules/gloom_trench/print_units.py": (1, "a keyword of the book"),
    "rules/gloom_trench/profile_fields.py": (11, "keywords of the book, and names of nations"),
    "rules/gloom_trench/profiles.py": (44, "names in the sample profiles"),
    "rules/gloom_trench/resolvers/activation.py": (1, "a keyword of the book"),
    "rules/gloom_trench/resolvers/units.py": (4, "keywords of the book"),
    "rules/gloom_trench/samples.py": (16, "names in the sample forces"),
    "rules/gloom_trench/tracker/losses.py": (2, "keywords of the book"),
    "rules/gloom_trench/tracker/pools.py": (1, "a keyword of the book"),
    "rules/gloom_trench/tracker/units.py": (2, "keywords of the book"),
    "rules/offers/judging.py": (6, "keys of shelves, named on the page"),
    "rules/trench_crusade/automation.py": (24, "a page of the docs"),
    "rules/trench_crusade/normal_form.py": (2, "names of tables of the packs"),
    "rules/trench_crusade/resolvers/weapon_lines.py": (6, "patterns over the words of a weapon"),
    "rules/trench_crusade/roster_files/write_battlescribe.py": (18, "names of another program's data"),
    "rules/trench_crusade/roster_files/write_companion.py": (3, "beginnings of names that another program leaves out"),
    "rules/trench_crusade/roster_files/write.py": (19, "labels of another program's text, which it reads again"),
    "rules/trench_crusade/text_import/write.py": (16, "labels of a text that is read again"),
    "rules/trench_too_far/browse.py": (38, "terms of the book, and the addresses of their pages"),
    "rules/trench_too_far/charts.py": (39, "names of the book's tables"),
    "rules/trench_too_far/force.py": (4, "names of bases, by which losses are kept"),
    "rules/trench_too_far/profiles.py": (8, "names in the sample profiles"),
    "rules/trench_too_far/samples.py": (20, "names in the sample forces"),
    "rules/trench_too_far/tracker/__init__.py": (1, "the name of a base, by which losses are kept"),
    "rules/trench_too_far/tracker/units.py": (9, "names of bases, by which losses are kept"),
    "warbands/draft_pages.py": (1, "a header of an answer"),
    "warbands/labels.py": (9, "names of kit that has no plural"),
    "warbands/models/sharing.py": (1, "a default of the database"),
    "warbands/models/warband.py": (3, "what only the admin shows"),
    "warbands/pages/library.py": (1, "the key of a figure"),
    "warbands/pages/shop.py": (5, "keys of shelves, named on the page"),
    "warbands/pdf.py": (1, "a fault for developers"),
    "warbands/pdf_fonts.py": (5, "names of fonts"),
    "warbands/pdf_process.py": (1, "a fault for developers"),
    "warbands/print_options.py": (1, "a size of paper"),
    "warbands/reconcile.py": (6, "findings for the console"),
}


def test_every_text_of_a_module_may_be_translated() -> None:
    found: dict[str, list[str]] = {}
    for path in shown.python_files():
        place = shown.place_of(path)
        if place.startswith(ROOMS) and not NOT_SHOWN.search(place):
            found[place] = [f"{text.place}:{text.line}: {text.words[:80]}" for text in shown.unwrapped(path)]
    assert len(found) > 200
    wrong = [
        line for place, lines in found.items() if len(lines) > UNTRANSLATED.get(place, (0, ""))[0] for line in lines
    ]
    assert wrong == [], 'Each wants _("…"), with its values by .format(...).'
    risen = [place for place, (number, _) in UNTRANSLATED.items() if len(found.get(place, ())) < number]
    assert risen == [], "These have fewer now: lower their numbers."


def test_a_text_without_gettext_is_found() -> None:
    module = shown.ROOT / "warbands" / "pages" / "listing.py"
    assert shown.unwrapped(module) == []
    assert shown.unwrapped(shown.ROOT / "warbands" / "reconcile.py"), "what is for the console alone is still seen"


# --- scripts ------------------------------------------------------------------------------------------------------------

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
PLAIN_WORDS = re.compile(r"(?=.*[a-z]{2} )[A-Za-z0-9“”'’,:. {}!?…%]+ [A-Za-z0-9“”'’,:. {}!?…%]+")
NO_SENTENCE = {
    "Mac OS": "the name of a system",
    "Muster Roll": "the name of the app",
    "acted {x}": "a value that is sent",
    "each marker": "the name of a field of a row",
    "morale {x} {x}": "a value that is sent",
}


def words_of_scripts() -> Iterator[str]:
    """Yield the texts in scripts that read like words for people, with their places. Faults that a script throws are for developers."""
    for folder in ("js", "worker"):
        for path in sorted((shown.ROOT / "static" / folder).glob("*.js")):
            source = re.sub(r"/\*.*?\*/|new Error\([^)]*\)", "", path.read_text(), flags=re.DOTALL)
            for double, tick in LITERAL.findall(source):
                text = re.sub(r"\$\{[^{}]*\}", "{x}", double or tick).strip()
                if (
                    PLAIN_WORDS.fullmatch(text)
                    and text not in NO_SENTENCE
                    and re.search(r"[A-Za-z]{2,}", text.replace("{x}", ""))
                ):
                    yield f"{path.name}: {text}"


def test_scripts_hold_no_words_of_their_own() -> None:
    """What a script shows stands in a template, so it is translated and guarded like the rest."""
    assert list(words_of_scripts()) == []


def test_words_in_a_script_would_be_found() -> None:
    for text in ("in sync", "offline {x}:{x}", "You are offline.", "Saved on this device"):
        assert PLAIN_WORDS.fullmatch(text), text
    for code in ("main details[open][id]", ".offer-line, .preset", "button button-table", "[role=alert]"):
        assert not PLAIN_WORDS.fullmatch(code), code
