"""Every page of the site, full of a club's three rounds, as five people see it: clean for axe, quiet, with one head, inside the screen.

Each page is loaded once and looked at on a phone and a desktop, light or dark. The club is made once for all of them. Of the addresses
that are drawn by the same template a person looks at one, and at a few others; at all of them under `make drills`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.test import Client

from accounts.models import HiddenPage
from accounts.site_owner import suspend
from campaigns.demo import CAMPAIGN
from campaigns.models import Campaign, IncomingCampaign, StateReport
from campaigns.services.state_comparing import work_at_report
from tests.browser.looks import examine, thumbs, visit
from tests.conftest import person
from tests.demo_club import demo_club
from tests.drills import sampled
from tests.emptied import empty_database
from tests.scene import Scene, addresses, routes, scene_of_the_demo
from warbands.models import ProblemReport, Warband

# What answers with no page, files and what only takes a form; and what is looked at elsewhere.
NO_PAGE = {
    "account-export",
    "attack-list pk digest",
    "account-keep",  # a guest's alone: test_first_evening looks at it
    "battle-sheet pk",
    "booklet-download pk",
    "printer-download code",
    "calendar-feed code",
    "component-list",  # shows components that ask the page anew; it has tests of its own
    "crib-print",
    "dice-export pk",
    "dice-watch-export slug pk",
    "draft-change pk",
    "demo-login",
    "device-add",
    "fighter-names pk",
    "health-show",
    "house-overlay pk",  # the file as it was handed in
    "ready-show",
    "manifest-show",
    "overview-export pk",
    "campaign-file-export pk",
    "printer-link pk",
    "publication-print pk which",
    "publication-watch-print slug which",
    "profile-away pk",
    "profile-copy pk",
    "profile-export",
    "profile-share pk",
    "profile-take game",
    "report-dispute pk",
    "report-draft-refuse pk draft",
    "roster-download pk",
    "warband-export pk",
    "warband-original pk",
    "warband-book pk",
    "warband-text pk",
    "watch-download slug",
    "watch-version-download slug version",
    "worker-show",
}
# Further looks at a page that its address alone does not show.
MORE = {
    "warband-found": ("?game=trench-crusade/1.6.3", "?game=trench-crusade/1.6.3&list=new-antioch"),
    "seat-found pk": ("?list=new-antioch", "?way=ready-made"),
    "house-rule-list pk": ("?edit=ways", "?edit=rules"),
    "battle-report pk": ("?amend=1", "?dispute=1"),
    "kit-buy pk": ("?tab=armour",),
    "profile-list": ("?whose=game", "?whose=shared", "?game=trench-too-far", "?find=nothing"),
}
# Ada sees everything that is hers. The others are asked where they see something else than she does.
SEEN_OTHERWISE = {
    "ben": ("desk-show", "warband-show", "stash-show", "history-show", "fighter-show", "campaign-show", "battle-show", "battle-report", "report-confirm", "post-battle-show", "seat-show", "profile-write"),
    "cleo": ("desk-show", "reminder-list", "booklet-print", "campaign-", "player-list", "bulk-import", "publication-", "house-rule-list", "round-", "battle-", "flag-settle", "report-confirm", "force-select", "seat-", "capture-settle", "post-battle-", "warband-show", "profile-write"),
    "visitor": ("",),
    "olga": ("site-", "person-show", "problem-show", "account-show"),  # the site owner
}  # fmt: skip
SEEN_AGAIN = 5  # so many others does each of them look at as well


@pytest.fixture(scope="module")
def transactional_db(django_db_setup: Any, django_db_blocker: Any) -> Iterator[None]:
    """A database that keeps what is written until the last test of the module."""
    with django_db_blocker.unblock():
        yield
        empty_database()


@pytest.fixture(scope="module")
def scene(transactional_db: None) -> Scene:
    """The demonstration club, and what else it takes for every address to have something to show."""
    demo_club()
    made = scene_of_the_demo(Campaign.objects.get(name=CAMPAIGN))
    return replace(made, users={**made.users, "site owner": site_owner(made)})


TOLD = {
    "name": "A long way from home",
    "made": "2026-11-02T20:15:00+00:00",
    "release": "1.0",
    "rows": {"campaigns.Campaign": 2, "warbands.Warband": 40, "campaigns.Battle": 120, "warbands.Event": 9000},
    "people": [
        {"number": 1, "name": "ada", "administers": True, "seats": ["The Gallows Choir"]},
        {"number": 2, "name": "someone-" + "s" * 40, "administers": False, "seats": []},
    ],
}


def site_owner(scene: Scene) -> Any:
    """Olga, to whom two problems were reported, who hides two pages, suspended somebody, and asked what 1.0 would change."""
    olga = person("olga")
    olga.is_staff = True
    olga.save()
    ada = scene.users["owner"]
    for nth, row in enumerate((None, scene.wardens), 1):
        ProblemReport.objects.create(
            pk=nth, by=ada, words="A long word for a short page. " * 5, page="/warbands/1/", release="1.0", warband=row, token=f"t{nth}"
        )  # fmt: skip
    warbands = Warband.objects.kept().filter(terms__system="trench-crusade")
    StateReport.objects.create(pk=1, system="trench-crusade", edition="1.0", asked_by=olga, count=warbands.count())
    work_at_report(1)
    IncomingCampaign.objects.create(
        pk=1, name="A long way from home", digest="0" * 64, sender=olga, data=b"x", told=TOLD
    )
    suspend(user=person("rude-" + "r" * 40), reason="Insults, twice.", actor=olga)
    HiddenPage.objects.create(
        kind=HiddenPage.Kind.CAMPAIGN, row=scene.campaign.pk + 1000, reason="No longer there.", by=olga
    )
    return olga


Pages = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def pages(scene: Scene) -> Pages:
    """By person, the addresses that answer them with a page, and the template that each is drawn by."""
    return {who: seen_by(who, scene) for who in ("ada", *SEEN_OTHERWISE)}


def seen_by(who: str, scene: Scene) -> dict[str, str]:
    """The addresses that answer this person with a page, and its template."""
    client = Client()
    if who != "visitor":
        client.force_login(person_of(scene, who))
    found: dict[str, str] = {}
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
                found.setdefault(there, str(answer.templates[0].name))
    return found


def person_of(scene: Scene, who: str) -> Any:
    """The user of this name."""
    return next(user for user in scene.users.values() if user and user.username == who)


def looked_at(who: str, pages: Pages) -> list[str]:
    """The addresses at which this person looks: one of each template that nobody named before them sees, and a sample of the others."""
    seen = {template for other in list(pages)[: list(pages).index(who)] for template in pages[other].values()}
    first = []
    for address, template in pages[who].items():
        if template not in seen:
            first.append(address)
            seen.add(template)
    return sampled(pages[who], len(first) + SEEN_AGAIN, always=first)


def test_there_is_something_to_check(scene: Scene, pages: Pages) -> None:
    assert set(addresses(scene)) == set(routes())
    assert set(routes()) >= NO_PAGE
    assert len(pages["ada"]) > 50
    reached = {address for of_one in pages.values() for address in of_one}
    missing = {
        key
        for key, address in addresses(scene).items()
        if key not in NO_PAGE and not any(found.startswith(address) for found in reached)
    }
    assert missing <= {"post-battle-show pk warband", "report-answer token"}, "nobody sees these pages"  # these lead on


@pytest.mark.parametrize("who", ["ada", *SEEN_OTHERWISE])
def test_every_page(who: str, scene: Scene, pages: Pages, open_page: Any, axe: Any) -> None:
    page = open_page(None if who == "visitor" else person_of(scene, who), expected_statuses=())
    complaints: list[str] = []
    for place, address in enumerate(looked_at(who, pages)):
        visit(page, address)
        heads = page.locator("h1").count()
        if heads != 1:
            complaints.append(f"{page.url}: {heads} first headings")
        for look in (partial(examine, page, axe, place), partial(thumbs, page)):
            try:
                look()
            except AssertionError as complaint:
                complaints.append(str(complaint))
    assert not complaints, "\n".join(complaints)
