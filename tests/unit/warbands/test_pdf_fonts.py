"""The letters of the sheets: each is drawn by a font of ours that has it, and reads as it was written."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.drills import WHOLE, sampled
from tests.printed import FACES, PEOPLE, assert_glyphs_are_right, lines_of
from tests.stories import fresh, terms
from warbands.models import Warband
from warbands.pdf_fonts import (
    BEYOND_LATIN,
    PLACEHOLDER,
    font_path,
    font_style,
    letters_of,
    printable,
    unprintable,
    unprintable_words,
)
from warbands.print_options import LOOKS, PrintOptions
from warbands.printing import render_pdf, roster_pdf
from warbands.services.founding import closed_list, copy_sample

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]


def every_name() -> list[str]:
    """The names of every entry of every pack, as the packs write them."""
    found = set()
    for file in (ROOT / "rules" / "content" / "packs").rglob("*.toml"):
        found |= set(_names(tomllib.loads(file.read_text(encoding="utf-8"))))
    return sorted(found)


def _names(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            if key in ("name", "title", "short", "label") and isinstance(value, str):
                yield value
            else:
                yield from _names(value)
    elif isinstance(data, list):
        for value in data:
            yield from _names(value)


def leaf_of(names: list[str]) -> bytes:
    """A sheet that bears each name in text, in bold, as a title, in italics, and in a caption that stays as written."""
    rows = "".join(
        f"<p>{name}</p><p><b>{name}</b></p><h1>{name}</h1><p class='subtitle'>{name}</p>"
        f"<p class='label'><span class='as-written'>{name}</span></p>"
        for name in names
    )
    return render_pdf(
        '<!DOCTYPE html><html lang="en"><head><title>Names</title><link rel="stylesheet" href="css/print/sheet.css">'
        f'<style>p, h1 {{ margin-bottom: 5mm }}</style></head><body class="paper-A4">{rows}</body></html>'
    )


# --- whole names ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", PEOPLE)
def test_a_name_of_any_of_these_languages_prints_as_written(language: str) -> None:
    words = PEOPLE[language].split()
    pdf = leaf_of(words)
    assert [unicodedata.normalize("NFC", line) for line in lines_of(pdf)] == [word for word in words for _ in range(5)]
    assert set("".join(words)) <= assert_glyphs_are_right(pdf)
    assert unprintable(PEOPLE[language]) == ()


def test_every_name_of_every_pack_prints_as_written() -> None:
    names = [name for name in every_name() if not name.isascii()]
    assert any("ş" in name and "ı" in name for name in names)
    pdf = leaf_of(names)
    words = " ".join(lines_of(pdf))
    assert [name for name in names if words.count(name) < 5] == []
    assert set("".join(names)) - {" "} <= assert_glyphs_are_right(pdf)


def test_no_word_of_any_pack_or_print_template_lacks_a_font() -> None:
    rules, templates = ROOT / "rules", ROOT / "templates" / "print"
    files = [*rules.rglob("*.toml"), *rules.rglob("*.py"), *templates.rglob("*.html")]
    assert len(files) > 100
    lacking = {str(file.relative_to(ROOT)): unprintable(file.read_text(encoding="utf-8")) for file in files}
    lacking.pop("rules/import_lines.py")  # the signs that pasted lines begin with; none of them is printed
    assert {file: letters for file, letters in lacking.items() if letters} == {}


def test_decomposed_letters_print_as_composed_ones() -> None:
    for name in ("Yüzbaşı", "Dvořák", "Nguyễn Ước", "Kļaviņš", "Ёжиков", "Γιώργος", "é"):
        apart = unicodedata.normalize("NFD", name)
        assert apart != name
        assert set(lines_of(leaf_of([apart]))) == {name}


def test_a_mark_after_a_tag_does_not_eat_the_tag() -> None:
    assert lines_of(leaf_of(["\u0338x", "a\u0338"]))[:10] == ["?x"] * 5 + ["?"] * 5


# --- which fonts ------------------------------------------------------------------------------------------------------------------


def test_only_the_fonts_that_letters_need_are_named() -> None:
    plain = font_style("Ilse Brandt")
    assert "Latin Ext" not in plain
    assert "Cyrillic" not in plain
    assert "Old Standard TT Cyrillic" in font_style("Ильич")
    assert "Noto" not in font_style("Yüzbaşı Dvořák Nguyễn")
    assert "Noto Sans Greek" in font_style("Γ")


def test_each_file_of_a_font_is_a_family_of_its_own() -> None:
    families: dict[tuple[str, int, str], set[str]] = {}
    for face in FACES.values():
        assert font_path(face.file).is_file(), face.file
        families.setdefault((face.family, face.weight, face.style), set()).add(face.file)
    assert all(len(files) == 1 for files in families.values()), families
    assert "unicode-range" not in font_style("".join(PEOPLE.values()))
    assert len(letters_of("noto-sans-greek-400-normal.woff2")) > 80


def test_every_font_file_is_used_on_paper_or_on_the_screen_and_its_licence_is_there() -> None:
    screen = (ROOT / "static" / "css" / "fonts.css").read_text(encoding="utf-8")
    notice = (ROOT / "NOTICE.md").read_text(encoding="utf-8")
    credits = (ROOT / "templates" / "notices.html").read_text(encoding="utf-8")
    for file in (ROOT / "static" / "fonts").glob("*.woff2"):
        assert file.name in FACES or file.name in screen, file.name
    for licence in (ROOT / "static" / "fonts").glob("OFL-*.txt"):
        assert licence.name in credits
    for face in FACES.values():
        family = next(name for name in ("Old Standard TT", "IBM Plex Sans Condensed", "Noto Sans Symbols", "Noto Sans", "Noto Serif") if face.family.startswith(name))  # fmt: skip
        assert family in notice
        assert family in credits


# --- what no font has ---------------------------------------------------------------------------------------------------------------


def test_a_letter_that_no_font_has_is_a_question_mark_and_is_told() -> None:
    assert unprintable("Bo 漢字 and 💀 of 漢") == ("漢", "字", "💀")
    assert printable("Bo 漢字") == f"Bo {PLACEHOLDER * 2}"
    assert unprintable_words(["Bo 漢", "字"]) == "Our fonts don't have 漢, 字. They print as “?”."
    assert unprintable_words(["Bo 漢"]) == "Our fonts don't have 漢. It prints as “?”."
    assert unprintable_words(["Bo", "Łukasz"]) == ""
    pdf = leaf_of(["Bo 漢"])
    assert "Bo ?" in lines_of(pdf)
    assert "“?” stands for a letter that our fonts don't have." in lines_of(pdf)
    assert_glyphs_are_right(pdf)
    assert not any("stands for a letter" in line for line in lines_of(leaf_of(["Bo?", "Łukasz"])))


def test_no_latin_letter_is_lacking() -> None:
    latin = "".join(chr(number) for number in range(0x20, 0x250) if unicodedata.category(chr(number)) != "Cc")
    assert unprintable(latin) == ()
    assert not re.search(BEYOND_LATIN, latin)
    assert re.search(BEYOND_LATIN, "Bo 漢")


@pytest.mark.parametrize(
    ("written", "drawn"),
    [("𝕱𝖎𝖊𝖑𝖉", "Field"), ("Ｂｏ", "Bo"), ("half‑track", "half-track"), ("a\u2009b", "a b"), ("Bo\u200d\ufe0f", "Bo"), ("Bo\x07", "Bo"), ("x\u030c", "?")],
)  # fmt: skip
def test_forms_of_plain_letters_are_drawn_plain(written: str, drawn: str) -> None:
    assert printable(written) == drawn


@pytest.mark.django_db
def test_the_print_page_names_the_letters_before_anything_is_printed(client: Client, ada: Any) -> None:
    warband = fresh(copy_sample(actor=ada, owner=ada, terms=terms(), sample_id="lantern-wardens"))
    client.force_login(ada)
    address = reverse("roster-print", args=[warband.pk])
    assert "Our fonts" not in client.get(address).content.decode()
    fighter = warband.fighters.first()
    assert fighter is not None
    fighter.name = "Ото 漢 Þórður"
    fighter.save(update_fields=["name"])
    assert "Our fonts don&#x27;t have 漢. It prints as “?”." in client.get(address).content.decode()


# --- sheets -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("look", sampled(LOOKS, 1, always=["full"]))
def test_a_roster_of_many_languages_is_drawn_by_our_fonts_alone(ada: Any, look: Any) -> None:
    warband = fresh(copy_sample(actor=ada, owner=ada, terms=terms(), sample_id="lantern-wardens"))
    people = [" ".join(words.split()[:2]) for words in PEOPLE.values()]
    for fighter, name in zip(warband.fighters.all(), people, strict=False):
        fighter.name = name
        fighter.save(update_fields=["name"])
    Warband.objects.filter(pk=warband.pk).update(name="Győző és Þórður: Владимир", notes="Γιώργος owes Łukasz 5.")
    pdf = roster_pdf(fresh(warband), PrintOptions(look=look, with_cards=True))
    text = " ".join(lines_of(pdf))
    named = people[: warband.fighters.count()]
    assert len(named) > 5
    for name in (*named, "Győző és Þórður: Владимир", "Γιώργος owes Łukasz 5."):
        assert text.count(name) >= 1, name
    assert set("".join(named)) - {" "} <= assert_glyphs_are_right(pdf)


@pytest.mark.django_db
@pytest.mark.parametrize("edition", sampled(["1.6.3", "1.0"], 1, always=["1.0"]))
def test_the_sultanate_s_own_names_are_spelled_right_on_its_sheet(ada: Any, edition: str) -> None:
    """One sample for each name that it is the first to bring; all of them in drills."""
    at = terms(edition=edition)
    names = {entry.id: entry.name for entry in at.game.rulebook.entries(at.content) if entry.kind == "profile"}
    seen: set[str] = set()
    for sample_id, *_ in at.game.founding.samples(at.content):
        force, _ = at.game.documents.read_document(at.game.founding.sample(at.content, sample_id))
        odd = {names[each.profile] for each in force.fighters if re.search("[^\x00-\xff]", names[each.profile])}
        if closed_list(at, force.list) or odd <= (set() if WHOLE else seen):
            continue
        made = copy_sample(actor=ada, owner=ada, terms=at, sample_id=sample_id)
        text = " ".join(lines_of(roster_pdf(fresh(made), PrintOptions(with_glossary=False))))
        assert [name for name in odd if name not in text] == []
        seen |= odd
    assert {"Yüzbaşı Captain", "Fāris"} <= seen
