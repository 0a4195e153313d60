"""Every page of the site, full of a club's three rounds, as four people see it: clean for axe, quiet, with one head, inside the screen.

Each page is loaded once and looked at four times: phone and desktop, light and dark. The club is made once for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from campaigns.demo import Demo
from tests.conftest import DESKTOP, PHONE, TESTS
from tests.scene import Scene, addresses, routes, scene_of_the_demo

# What answers with no page, files and what only takes a form; and what is looked at elsewhere.
NO_PAGE = {
    "account-export",
    "battle-sheet pk",
    "booklet-download pk",
    "component-list",  # shows components that ask the page anew; it has tests of its own
    "crib-print",
    "demo-login",
    "health-show",
    "manifest-show",
    "profile-away pk",
    "profile-copy pk",
    "profile-export",
    "profile-share pk",
    "profile-take game",
    "report-dispute pk",
    "roster-download pk",
    "warband-export pk",
    "warband-text pk",
    "watch-download slug",
    "watch-version-download slug version",
    "worker-show",
}
# Further looks at a page that its address alone does not show.
MORE = {
    "warband-found": ("?game=trench-crusade/1.6.3", "?game=trench-crusade/1.6.3&list=new-antioch"),
    "seat-found pk": ("?list=new-antioch",),
    "house-rule-list pk": ("?edit=ways", "?edit=rules"),
    "battle-report pk": ("?amend=1", "?dispute=1"),
    "kit-buy pk": ("?tab=armour",),
    "profile-list": ("?whose=game", "?whose=shared", "?game=trench-too-far", "?find=nothing"),
}
# Ada sees everything that is hers. The others are asked where they see something else than she does.
SEEN_OTHERWISE = {
    "ben": ("desk-show", "warband-show", "stash-show", "history-show", "fighter-show", "campaign-show", "battle-show", "battle-report", "report-confirm", "post-battle-show", "seat-show", "profile-write"),
    "cleo": ("desk-show", "booklet-print", "campaign-", "player-list", "house-rule-list", "round-", "battle-", "flag-settle", "report-confirm", "force-select", "seat-", "capture-settle", "post-battle-", "warband-show", "profile-write"),
    "visitor": ("",),
}  # fmt: skip


@pytest.fixture(scope="module")
def transactional_db(django_db_setup: Any, django_db_blocker: Any) -> Iterator[None]:
    """A database that keeps what is written until the last test of the module."""
    with django_db_blocker.unblock():
        yield
        call_command("flush", interactive=False, verbosity=0)


@pytest.fixture(scope="module")
def scene(transactional_db: None) -> Scene:
    """The demonstration club, and what else it takes for every address to have something to show."""
    campaign = Demo(today=date(2026, 11, 20)).make()
    assert campaign is not None
    return scene_of_the_demo(campaign)


def looks(who: str, scene: Scene) -> list[str]:
    """The addresses that answer this person with a page."""
    user = None if who == "visitor" else next(user for user in scene.users.values() if user and user.username == who)
    client = Client()
    if user is not None:
        client.force_login(user)
    found = []
    for key, address in addresses(scene).items():
        if key in NO_PAGE or not key.startswith(SEEN_OTHERWISE.get(who, ("",))):
            continue
        for more in ("", *MORE.get(key, ())):
            there = address + more
            answer = client.get(there)
            if answer.status_code == 302 and not answer.headers["Location"].startswith("/accounts/"):
                there = answer.headers["Location"]
                answer = client.get(there)
            if answer.status_code == 200:
                assert answer.headers["Content-Type"].startswith("text/html"), there
                found.append(there)
    return list(dict.fromkeys(found))


def test_there_is_something_to_check(scene: Scene, live_server: Any) -> None:
    assert set(addresses(scene)) == set(routes())
    assert set(routes()) >= NO_PAGE
    seen = looks("ada", scene)
    assert len(seen) > 50
    reached = {*seen, *looks("cleo", scene), *looks("visitor", scene)}
    missing = {
        key
        for key, address in addresses(scene).items()
        if key not in NO_PAGE and not any(found.startswith(address) for found in reached)
    }
    assert missing <= {"post-battle-show pk warband", "report-answer token"}, "nobody sees these pages"  # these lead on


@pytest.mark.parametrize("who", ["ada", "ben", "cleo", "visitor"])
def test_every_page(who: str, scene: Scene, live_server: Any, browser: Any) -> None:
    source = (TESTS / "vendor" / "axe.min.js").read_text(encoding="utf-8")
    user = None if who == "visitor" else next(user for user in scene.users.values() if user and user.username == who)
    context = browser.new_context(
        base_url=live_server.url, viewport={"width": PHONE, "height": 740}, reduced_motion="reduce"
    )
    context.set_default_timeout(10_000)
    if user is not None:
        client = Client()
        client.force_login(user)
        cookie = client.cookies["sessionid"]
        context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])
    page = context.new_page()
    complaints: list[str] = []
    page.on(
        "console",
        lambda message: complaints.append(f"{page.url} console: {message.text}") if message.type == "error" else None,
    )
    page.on("pageerror", lambda error: complaints.append(f"{page.url} script: {error}"))

    def check(what: str, rules: str = "") -> None:
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if over > 0:
            complaints.append(f"{page.url} {what}: runs {over} px over the edge")
        # Without preload: to read imported style sheets axe would make inline ones, which our policy refuses aloud.
        for violation in page.evaluate(f"async () => (await axe.run({{preload: false{rules}}})).violations"):
            complaints.extend(
                f"{page.url} {what}: {violation['id']}, {violation['help']}: {node['html'][:200]}"
                for node in violation["nodes"]
            )

    contrast = ", runOnly: ['color-contrast']"
    for address in looks(who, scene):
        page.set_viewport_size({"width": PHONE, "height": 740})
        page.emulate_media(color_scheme="light")
        page.goto(address)
        heads = page.locator("h1").count()
        if heads != 1:
            complaints.append(f"{page.url}: {heads} first headings")
        page.evaluate(source)
        check("phone, light")
        page.emulate_media(color_scheme="dark")
        check("phone, dark", contrast)
        page.set_viewport_size({"width": DESKTOP, "height": 900})
        check("desktop, dark")
        page.emulate_media(color_scheme="light")
        check("desktop, light", contrast)
    context.close()
    assert not complaints, "\n".join(complaints)
