"""Bundles: what `collectstatic` makes of style sheets and scripts, and what of a page goes out compressed."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from campaigns.models import Invitation, Seat
from config.static_files import BUNDLES, bundle, one_script, one_sheet, parts
from tests.collected import collected
from tests.scene import addresses, make_scene, rolled_back
from tests.scene_pages import sent_to

pytestmark = pytest.mark.slow

STATIC = Path(settings.BASE_DIR) / "static"


def read(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def test_there_is_something_to_bundle() -> None:
    assert len(parts("css/app.css", read)) > 30
    assert len(parts("js/app.js", read)) > 20


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_loads_nothing_more_and_leaves_nothing_out(name: str) -> None:
    text = bundle(name, read)
    assert not re.search(r"@import|^import\b|^export\b", text, re.MULTILINE)
    for part in parts(name, read):
        lines = [
            line for line in read(part).splitlines() if line.strip() and not line.startswith(("import ", "@import"))
        ]
        assert max(lines, key=len).removeprefix("export ").strip() in text, part


def test_scripts_and_styles_weigh_less_than_ninety_kilobytes_compressed() -> None:
    sent = [bundle(name, read).encode() for name in BUNDLES] + [(STATIC / "vendor" / "htmx.min.js").read_bytes()]
    assert sum(len(gzip.compress(each)) for each in sent) < 90_000


def test_every_script_of_the_pages_is_in_the_bundle() -> None:
    assert {f"js/{path.name}" for path in (STATIC / "js").glob("*.js")} == {"js/app.js", *parts("js/app.js", read)}


def test_an_imported_sheet_keeps_its_layer_its_media_and_its_addresses() -> None:
    files = {
        "css/app.css": '@layer a, b;\n@import url("parts/one.css") layer(a);\n@import url("two.css") layer(b) print;\n',
        "css/parts/one.css": '.one { background: url("../../img/one.svg"); mask: url("#m"), url("data:,x"); }\n',
        "css/two.css": ".two { color: red; }\n",
    }
    text = one_sheet("css/app.css", files.__getitem__)
    assert '@layer a {\n.one { background: url("../img/one.svg"); mask: url("#m"), url("data:,x"); }\n}' in text
    assert "@media print {\n@layer b {\n.two { color: red; }\n}\n}" in text


def test_modules_keep_their_names_to_themselves_and_come_before_who_asks_for_them() -> None:
    files = {
        "js/app.js": 'import "./one.js";\nimport "./two.js";\n',
        "js/one.js": 'import { say as tell } from "./two.js";\nconst word = "one";\ntell(word);\n',
        "js/two.js": 'const word = "two";\nexport function say(what) { return word + what; }\n',
    }
    text = one_script("js/app.js", files.__getitem__)
    assert text.index("module_two =") < text.index("module_one =") < text.index("module_app =")
    assert "const { say: tell } = module_two;" in text
    assert text.count("module_two = ") == 1


@pytest.mark.parametrize(
    "text",
    ["export default 1;", 'import * as all from "./b.js";', 'const b = await import("./b.js");', "export let x = 1;"],
)
def test_a_form_of_import_that_is_not_ours_is_refused_at_once(text: str) -> None:
    with pytest.raises(ValueError, match="cannot be bundled"):
        one_script("js/a.js", {"js/a.js": text}.__getitem__)


def test_modules_that_import_each_other_are_refused() -> None:
    files = {"js/a.js": 'import "./b.js";\n', "js/b.js": 'import "./a.js";\n'}
    with pytest.raises(ValueError, match="imports itself"):
        one_script("js/a.js", files.__getitem__)


def test_on_a_server_a_page_loads_few_files_and_the_worker_keeps_no_parts() -> None:
    there = collected()
    kept = [address for address in there.facts["shell"][1:] if address.endswith((".css", ".js"))]
    assert sorted(re.sub(r"\.[0-9a-f]{12}", "", address) for address in kept) == [
        "/static/css/app.css",
        "/static/js/app.js",
        "/static/vendor/htmx.min.js",
    ]
    for address in kept:
        text = (there.folder / address.removeprefix("/static/")).read_text(encoding="utf-8")
        assert not re.search(r'@import|^import\s*["{]', text, re.MULTILINE)
        assert (there.folder / f"{address.removeprefix('/static/')}.gz").is_file()
    fonts = re.findall(
        r'url\("(\.\./fonts/[^"]+)"\)', (there.folder / kept[0].removeprefix("/static/")).read_text("utf-8")
    )
    assert fonts
    assert all(
        (there.folder / "css" / font).resolve().is_file() and re.search(r"\.[0-9a-f]{12}\.", font) for font in fonts
    )
    assert all(address in there.page for address in kept if "htmx" not in address)


# --- compressed pages -------------------------------------------------------------------------------------------------


def opened(client: Client, address: str) -> Any:
    return client.get(address, headers={"accept-encoding": "gzip"})


def body(answer: Any) -> str:
    return (
        gzip.decompress(answer.content).decode()
        if answer.get("Content-Encoding") == "gzip"
        else answer.content.decode()
    )


@pytest.mark.django_db
def test_no_page_that_hands_out_a_link_is_compressed_and_the_others_are() -> None:
    with rolled_back():
        scene = make_scene()
        invited = set(Invitation.objects.values_list("token", flat=True))
        claims = set(Seat.objects.exclude(claim_token="").values_list("claim_token", flat=True))
        there = addresses(scene)
    secrets = {*invited, *claims, scene.link.slug, scene.small_link.slug}
    compressed, kept_plain = 0, set()
    for who in ("owner", "administrator", "visitor"):
        for key, page in sent_to(who).items():
            if any(word in key for word in ("pdf", "print", "download", "export", "sheet", "logout", "delete")):
                continue
            if any(secret in there[key] for secret in secrets):
                continue  # who asks for it holds the link already
            told = {secret for secret in secrets if secret in page.html}
            assert not (told and page.is_compressed), f"{key} tells {told} and is compressed"
            compressed += page.is_compressed
            kept_plain |= told
    assert kept_plain  # the secrets are those of the pages that were sent
    assert compressed > 60


@pytest.mark.django_db
def test_what_is_secret_on_a_compressed_page_is_never_the_same_twice() -> None:
    scene = make_scene()
    client = scene.client("owner")
    address = addresses(scene)["fighter-rename pk"]
    one, other = (body(opened(client, address)) for _ in range(2))
    for pattern in (
        r'name="csrfmiddlewaretoken" value="([^"]+)"',
        r'data-csrf="([^"]+)"',
        r'name="token" value="([^"]+)"',
    ):
        first, second = (set(re.findall(pattern, page)) for page in (one, other))
        assert first
        assert not first & second, pattern
    assert len(opened(client, address).content) < len(one) / 2
    assert "accept-encoding" in opened(client, address)["Vary"].lower()
