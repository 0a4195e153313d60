"""What a device is given to go on without network, and what each answer says about keeping it."""

import gzip
import json
import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from accounts.models import User
from config.app_icons import ICONS, drawn
from config.offline import KEPT, STATIC_FILES, WORKER_PARTS, shell
from tests import stories as s
from tests.collected import collected
from tests.conftest import PASSWORD
from tests.scene import routes

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

WORKER = sorted((STATIC_FILES / "worker").glob("*.js"))


@pytest.fixture
def page_of(ada: User, client: Client) -> str:
    """The address of a roster whose owner is signed in."""
    client.force_login(ada)
    return reverse("warband-show", args=[s.small_warband(ada).pk])


def test_a_page_says_whose_it_is_and_that_it_may_be_kept(client: Client, ada: User, page_of: str) -> None:
    answer = client.get(page_of)
    assert (answer["X-Reader"], answer["X-Keep"]) == (str(ada.pk), "yes")
    assert f'data-user="{ada.pk}"' in answer.content.decode()


def test_fragments_refusals_and_one_s_account_are_not_kept(client: Client, page_of: str) -> None:
    assert "X-Keep" not in client.get(page_of, headers={"HX-Request": "true", "HX-Target": "div#roster"})
    assert "X-Keep" not in client.get("/warbands/999999/")
    assert "X-Keep" not in client.get("/account/")
    assert "X-Keep" not in client.post("/warbands/new/", {})


def test_a_page_for_nobody_says_so(client: Client) -> None:
    answer = client.get("/rules/")
    assert answer["X-Reader"] == "none"
    assert "X-Keep" not in answer
    assert "data-user" not in answer.content.decode()


def test_what_somebody_reads_is_handed_to_nobody_else(client: Client, page_of: str) -> None:
    assert client.get(page_of)["Cache-Control"] == "private, no-cache"
    assert client.get(page_of, headers={"HX-Request": "true"})["Cache-Control"] == "private, no-cache"
    assert "no-store" in client.get("/account/export/")["Cache-Control"]
    client.logout()
    assert "Cache-Control" not in client.get("/rules/")


def test_every_page_to_keep_has_an_address() -> None:
    assert {entry.name for entry in routes().values()} >= KEPT


def test_signing_out_clears_what_the_device_keeps(client: Client, page_of: str) -> None:
    assert "Clear-Site-Data" not in client.get("/accounts/logout/")
    assert client.post("/accounts/logout/")["Clear-Site-Data"] == '"cache", "storage"'
    assert "Clear-Site-Data" not in client.get("/")


def test_ending_the_account_clears_it_too(client: Client, dora: User) -> None:
    client.force_login(dora)
    assert "Clear-Site-Data" not in client.post("/account/delete/", {"password": "wrong"})
    assert client.post("/account/delete/", {"password": PASSWORD})["Clear-Site-Data"] == '"cache", "storage"'


@pytest.mark.parametrize("borrowed", [True, False])
def test_moment_21_a_borrowed_computer(client: Client, ada: User, borrowed: bool) -> None:
    warband = s.small_warband(ada)
    sent = {"login": "ada", "password": PASSWORD} | ({"borrowed": "on"} if borrowed else {})
    client.post("/accounts/login/", sent)
    assert client.session.get_expire_at_browser_close() is borrowed
    page = client.get(reverse("warband-show", args=[warband.pk]))
    assert ("data-borrowed" in page.content.decode()) is borrowed
    assert (page.get("Cache-Control") == "no-store") is borrowed
    assert page["X-Reader"] == ("none" if borrowed else str(ada.pk))
    assert ("X-Keep" in page) is not borrowed
    paper = client.get(reverse("warband-export", args=[warband.pk]))
    assert (paper.get("Cache-Control") == "no-store") is borrowed


def test_the_next_one_on_that_computer_starts_anew(client: Client, ada: User, ben: User) -> None:
    client.post("/accounts/login/", {"login": "ada", "password": PASSWORD, "borrowed": "on"})
    client.post("/accounts/logout/")
    client.post("/accounts/login/", {"login": "ben", "password": PASSWORD})
    assert "data-borrowed" not in client.get("/").content.decode()


# --- the worker ---------------------------------------------------------------------------------------------------------


def test_the_worker_serves_the_whole_site_and_names_what_is_there(client: Client) -> None:
    answer = client.get("/sw.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    facts = json.loads(re.search(r"self\.facts = (.*);", answer.content.decode())[1])
    assert facts["offline"] == reverse("offline-show")
    assert "/static/css/app.css" in facts["shell"]
    assert "/static/js/app.js" in facts["shell"]
    for address in facts["shell"][1:]:
        assert (STATIC_FILES / address.removeprefix("/static/")).is_file(), address


def test_every_style_sheet_and_script_of_the_pages_is_in_the_shell() -> None:
    sheets = re.findall(r'@import url\("([^"]+)"\)', (STATIC_FILES / "css" / "app.css").read_text(encoding="utf-8"))
    wanted = {f"/static/css/{sheet}" for sheet in sheets if sheet != "print.css"}
    wanted |= {f"/static/js/{path.name}" for path in (STATIC_FILES / "js").glob("*.js")} | {
        "/static/vendor/htmx.min.js"
    }
    assert wanted <= set(shell())


def test_on_a_server_the_worker_names_hashed_files() -> None:
    there = collected()
    shell_of_server = there.facts["shell"][1:]
    assert all(re.search(r"\.[0-9a-f]{12}\.\w+$", address) for address in shell_of_server)
    assert all((there.folder / address.removeprefix("/static/")).is_file() for address in shell_of_server)
    assert len(re.findall(r'"/static/worker/\w+\.[0-9a-f]{12}\.js"', there.worker)) == len(WORKER_PARTS)


@pytest.mark.parametrize("path", WORKER, ids=lambda path: path.name)
def test_a_part_of_the_worker_is_small_and_says_what_it_does(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    assert text.startswith("/*")
    assert not re.search(r"\beval\(|innerHTML|new Function", text)


def test_the_worker_has_all_its_parts_and_is_light() -> None:
    assert {f"worker/{path.name}" for path in WORKER} == set(WORKER_PARTS)
    assert sum(len(gzip.compress(path.read_bytes(), 9)) for path in WORKER) < 4_000


# --- the installed app --------------------------------------------------------------------------------------------------


def test_the_app_can_be_installed(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    told = answer.json()
    assert told["start_url"] == told["scope"] == "/"
    for icon in told["icons"]:
        with Image.open(STATIC_FILES / icon["src"].removeprefix("/static/")) as image:
            assert f"{image.width}x{image.height}" == icon["sizes"]
    assert {icon["purpose"] for icon in told["icons"]} == {"any", "maskable"}
    for shortcut in told["shortcuts"]:
        assert client.get(shortcut["url"]).status_code in (200, 302)
    assert 'rel="manifest" href="/manifest.webmanifest"' in client.get("/").content.decode()


@pytest.mark.parametrize("name", sorted(ICONS))
def test_an_icon_of_the_app_is_the_mark_as_it_is_drawn(name: str) -> None:
    with Image.open(STATIC_FILES / "img" / name) as image:
        assert image.convert("RGBA").tobytes() == drawn(*ICONS[name]).tobytes(), "run python -m config.app_icons"


@pytest.mark.parametrize(("scheme", "count"), [("auto", 2), ("light", 1), ("dark", 1)])
def test_the_bar_of_the_browser_wears_the_chosen_colours(client: Client, ada: User, scheme: str, count: int) -> None:
    ada.colour_scheme = scheme
    ada.save(update_fields=["colour_scheme"])
    client.force_login(ada)
    page = client.get("/account/").content.decode()
    assert page.count('name="theme-color"') == count
    assert ("#161410" in page) is (scheme != "light")
