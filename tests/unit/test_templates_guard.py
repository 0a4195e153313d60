"""What no template, style sheet or script may hold, and what all of them must. Each guard discovers what it checks."""

import gzip
import re
from importlib import import_module
from pathlib import Path

import pytest
from django.template import RequestContext, TemplateDoesNotExist
from django.template.base import Node, Template
from django.template.loader import get_template
from django.template.loader_tags import IncludeNode

from config.icons import ICONS, MARKS
from config.templatetags.ui import icon, icon_svg, main_places, mark, mark_svg, nav_url, undo_href

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"
STATIC = ROOT / "static"

PAGES = sorted(path for path in TEMPLATES.rglob("*.html"))
# Paper is laid out by WeasyPrint from a page of its own: no Content-Security-Policy, and styles may stand in its head.
SCREEN = [path for path in PAGES if "print" not in path.stem and not path.stem.startswith("sheet")]
COMPONENTS = sorted((TEMPLATES / "components").glob("*.html"))
STYLES = sorted((STATIC / "css").rglob("*.css"))
SCRIPTS = sorted((STATIC / "js").glob("*.js"))

BUDGET_BYTES = 90_000

FORBIDDEN = {
    "a style attribute": re.compile(r"<[^>]*\sstyle\s*=", re.IGNORECASE),
    "a style element": re.compile(r"<style\b", re.IGNORECASE),
    "an inline script": re.compile(r"<script(?![^>]*\ssrc=)", re.IGNORECASE),
    "an inline handler": re.compile(r"<[^>]*\son[a-z]+\s*=", re.IGNORECASE),
    "an hx-on attribute": re.compile(r"\bhx-on\b|data-hx-on\b", re.IGNORECASE),
    "script in an hx attribute": re.compile(r"=\s*[\"'](?:js|javascript):", re.IGNORECASE),
    "an event filter, which is script": re.compile(r"hx-trigger=\"[^\"]*\["),
    "hx-boost": re.compile(r"\bhx-boost\b"),
    "a comment over two lines, which Django prints": re.compile(r"\{#(?:(?!#\}).)*$", re.MULTILINE),
}


def name_of(path: Path) -> str:
    """Return a path as people say it."""
    return str(path.relative_to(ROOT))


def screen_text(path: Path) -> str:
    """Return the text of a template with its tags and values blanked, so that only its HTML is looked at."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"\{%.*?%\}|\{\{.*?\}\}", "", text)


def test_there_is_something_to_check():
    assert len(SCREEN) > 30
    assert len(COMPONENTS) > 20
    assert len(STYLES) > 20
    assert len(SCRIPTS) > 5
    assert len(ICONS.names()) > 40


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_template_holds(what):
    holding = [name_of(path) for path in SCREEN if FORBIDDEN[what].search(screen_text(path))]
    assert not holding


@pytest.mark.parametrize("bad", ['<p style="a">', "<script>", '<a onclick="x">', '<p hx-on:click="x">', "{# one"])
def test_the_guard_would_see_it(bad):
    assert any(pattern.search(bad) for pattern in FORBIDDEN.values())


def test_a_component_says_what_it_expects():
    assert [path.stem for path in COMPONENTS if not path.read_text(encoding="utf-8").startswith("{# expects:")] == []


EXPECTED = re.compile(r"\b((?:rules|warbands|campaigns|config|accounts)(?:\.\w+)*)\.([A-Z]\w+)")


def test_every_class_that_a_template_expects_is_there():
    named = {
        found
        for path in TEMPLATES.rglob("*.html")
        for told in re.findall(r"\{#.*?#\}", path.read_text(encoding="utf-8"), re.DOTALL)
        for found in EXPECTED.findall(told)
    }
    assert len(named) > 5
    assert [f"{module}.{name}" for module, name in sorted(named) if not hasattr(import_module(module), name)] == []


def test_every_form_that_writes_carries_its_token():
    lacking = []
    for path in SCREEN:
        for form in re.findall(r"<form\b.*?</form>", path.read_text(encoding="utf-8"), re.DOTALL | re.IGNORECASE):
            if re.search(r"method=\"post\"", form, re.IGNORECASE) and "csrf_token" not in form:
                lacking.append(name_of(path))
    assert not lacking


def test_every_form_and_link_that_htmx_sends_also_works_without_it():
    lacking = []
    for path in SCREEN:
        text = path.read_text(encoding="utf-8")
        for tag in re.findall(r"<form\b(?:\{%.*?%\}|\{\{.*?\}\}|[^>])*\bhx-post(?:\{%.*?%\}|\{\{.*?\}\}|[^>])*>", text):
            if 'method="post"' not in tag or "action=" not in tag or "hx-target=" not in tag:
                lacking.append((name_of(path), tag[:80]))
    assert not lacking


def included(nodes: list[Node]) -> set[str]:
    """Return the names of the templates that these nodes include by a plain name."""
    names = set()
    for node in nodes:
        for include in node.get_nodes_by_type(IncludeNode):
            literal = include.template.var
            if isinstance(literal, str):
                names.add(literal)
    return names


def test_every_template_compiles_and_what_it_includes_is_there():
    missing = []
    for path in PAGES:
        template: Template = get_template(str(path.relative_to(TEMPLATES))).template
        for name in included(list(template.nodelist)):
            try:
                get_template(name)
            except TemplateDoesNotExist:
                missing.append(f"{name_of(path)} includes {name}")
    assert not missing


def test_the_id_of_an_htmx_target_is_a_name_in_the_house_style():
    wrong = []
    for path in SCREEN:
        for target in re.findall(r'hx-target="#([^"{]+)"', path.read_text(encoding="utf-8")):
            if not re.fullmatch(r"[a-z][a-z0-9_]*", target):
                wrong.append((name_of(path), target))
    assert not wrong


# --- styles and scripts -----------------------------------------------------------------------------------------------


def test_no_style_sheet_shouts_and_on_screen_only_the_tokens_name_colours():
    wrong = []
    for path in STYLES:
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        if "!important" in text:
            wrong.append((name_of(path), "!important"))
        on_screen = "print" not in path.parts and path.name != "tokens.css"
        if on_screen and re.search(r"#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(", text, re.IGNORECASE):
            wrong.append((name_of(path), "a colour of its own"))
    assert not wrong


def test_every_token_that_a_style_sheet_uses_is_defined():
    css = {path: path.read_text(encoding="utf-8") for path in STYLES}
    defined = {name for text in css.values() for name in re.findall(r"(--[a-z0-9-]+)\s*:", text)}
    used = {(name_of(path), name) for path, text in css.items() for name in re.findall(r"var\((--[a-z0-9-]+)", text)}
    assert used
    assert not {(path, name) for path, name in used if name not in defined}


def test_the_entry_sheet_imports_every_other_one_once():
    entry = STATIC / "css" / "app.css"
    imported = re.findall(r'@import url\("([^"]+)"\)', entry.read_text(encoding="utf-8"))
    assert len(imported) == len(set(imported))
    alone = {entry, STATIC / "css" / "styleguide.css"} | set((STATIC / "css").glob("print_*.css"))
    sheets = {path.relative_to(entry.parent).as_posix() for path in STYLES if path not in alone}
    assert set(imported) <= {path.relative_to(entry.parent).as_posix() for path in STYLES}
    assert {sheet for sheet in sheets if not sheet.startswith(("print/", "sheet"))} == set(imported)


def test_the_print_side_can_read_the_tokens():
    text = re.sub(r"/\*.*?\*/", "", (STATIC / "css" / "tokens.css").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert "color-mix(" not in text
    assert "@container" not in text


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_says_what_it_does_and_runs_no_strings(path):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("/*"), "the first line says what it does"
    assert not re.search(r"\beval\(|innerHTML|new Function|\.style\b", text)


def test_the_entry_script_imports_every_other_one():
    text = (STATIC / "js" / "app.js").read_text(encoding="utf-8")
    assert set(re.findall(r'import "\./([^"]+)"', text)) == {path.name for path in SCRIPTS} - {"app.js"}


def test_all_styles_and_scripts_together_keep_their_budget():
    sent = [path for path in STYLES if path.parent.name != "print"]  # those of the PDF engine reach no browser
    kinds = [[path for path in sent if path.name != "styleguide.css"], SCRIPTS, (STATIC / "vendor").glob("*.js")]
    # Styles go out in one file, scripts in another.
    total = sum(len(gzip.compress(b"".join(path.read_bytes() for path in sorted(kind)), 9)) for kind in kinds)
    assert total < BUDGET_BYTES, f"{total} bytes compressed"


# --- icons and tags ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("drawings", [ICONS, MARKS], ids=lambda drawings: drawings.folder.name)
def test_the_sprite_holds_every_drawing_as_its_file_draws_it(drawings):
    assert drawings.sprite_path.read_text(encoding="utf-8") == drawings.sprite(), "run python -m config.icons"


@pytest.mark.parametrize("drawings", [ICONS, MARKS], ids=lambda drawings: drawings.folder.name)
def test_every_drawing_takes_the_colour_of_its_text_and_refers_to_nothing(drawings):
    for name in drawings.names():
        attributes, body = drawings.parts(name)
        assert "currentColor" in attributes, name
        assert "href" not in body, name
        assert "url(" not in body, name
    assert (ICONS.folder / "LICENSE-lucide.txt").is_file()


def test_a_mark_is_a_shape_of_its_own():
    shapes = {MARKS.parts(name)[1] for name in MARKS.names()}
    assert len(shapes) == len(MARKS.names()) > 30
    assert "#eire-rangers" in mark("eire-rangers", 24)
    assert mark("") == mark_svg("") == ""
    assert "<path" in mark_svg("eire-rangers", color="#8E1620")
    assert "currentColor" not in mark_svg("eire-rangers", color="#8E1620")


def test_an_icon_is_silent_unless_it_has_a_name():
    assert 'aria-hidden="true"' in icon("undo-2")
    assert 'aria-label="Undo"' in icon("undo-2", 24, "Undo")
    assert "aria-hidden" not in icon("undo-2", 24, "Undo")


@pytest.mark.parametrize(
    "draw",
    [
        lambda: icon("no-such-icon"),
        lambda: icon("lock", 17),
        lambda: icon_svg("../x"),
        lambda: mark("no-such-mark"),
        lambda: mark("banner", 17),
    ],
)
def test_an_icon_that_is_not_there_stops_the_template(draw):
    from django.template import TemplateSyntaxError

    with pytest.raises(TemplateSyntaxError):
        draw()


def test_an_icon_for_paper_stands_alone_in_its_colour():
    drawn = icon_svg("death-skull", color="#8E1620")
    assert drawn.startswith("<svg xmlns=")
    assert "#8E1620" in drawn
    assert "currentColor" not in drawn
    assert "<use" not in drawn


def test_a_link_to_what_is_not_there_is_empty():
    assert nav_url("no-such-place") == ""
    assert nav_url("notice-show") == "/notices/"


@pytest.mark.parametrize(
    ("tags", "href"),
    [
        ("undo:17", "/events/17/undo/"),
        ("told undo:3", "/events/3/undo/"),
        ("back:/drafts/7/#acts", "/drafts/7/#acts"),
        ("", ""),
        ("undo:x", ""),
        ("back://elsewhere", ""),
        (None, ""),
    ],
)
def test_a_message_says_where_its_act_is_undone(tags, href):
    assert undo_href(tags) == href


def test_the_main_places_know_where_one_is_and_what_waits(rf):
    context = RequestContext(rf.get("/account/"), {"waiting": 3, "request": rf.get("/account/")})
    places = {place.label: place for place in main_places(context)}
    assert [label for label, place in places.items() if place.current] == ["Me"]
    assert all(place.count == (3 if label == "Desk" else 0) for label, place in places.items())


# --- contrast ---------------------------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb, as WCAG 2.2 defines it."""
    channels = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


TOKENS = {
    name: (light, dark)
    for name, light, dark in re.findall(
        r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)",
        (STATIC / "css" / "tokens.css").read_text(encoding="utf-8"),
    )
}
GROUNDS = ["paper", "sheet", "inset"]
TEXT, CONTROL = 4.5, 3.0


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_and_marks_stand_out_on_every_ground(scheme):
    assert len(TOKENS) == 16
    needs = dict.fromkeys(["ink", "ink-2", "brass", "blood", "leaf", "steel"], TEXT) | {"edge": CONTROL}
    weak = [
        (name, ground)
        for name, least in needs.items()
        for ground in GROUNDS
        if contrast(TOKENS[name][scheme], TOKENS[ground][scheme]) < least
    ]
    for hue in ("blood", "brass", "leaf", "steel"):
        for name in ("ink", "ink-2", hue):
            if contrast(TOKENS[name][scheme], TOKENS[f"wash-{hue}"][scheme]) < TEXT:
                weak.append((name, f"wash-{hue}"))
    if contrast("#ffffff", TOKENS["blood-fill"][scheme]) < TEXT:
        weak.append(("white", "blood-fill"))
    assert not weak
