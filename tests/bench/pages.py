"""Every page of the site, as it is measured: who opens it, and how many times the bare page it may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.test import Client
from django.urls import reverse

from tests.bench.visitor import signed_in
from tests.scene import Scene, addresses

BUILDER_BUDGET, HOME_BUDGET, PAGE_BUDGET = 15.0, 12.0, 8.0
BUDGETS = {
    "warband-show": BUILDER_BUDGET,
    "desk-show": HOME_BUDGET,
    "campaign-show": HOME_BUDGET,
    "campaign-watch": HOME_BUDGET,
}

# Addresses of ours without a page of their own to measure, each with its reason.
FILES = "a file, as long as it takes to make"
ACTS = "it only takes an act"
SENT_ON = "it leads on to a page that is measured"
OWNERS = "the site owner's alone"
NO_PAGES = {
    "account-keep": "it belongs to a guest who is about to sign up",
    "demo-login": ACTS,
    "post-battle-show pk warband": SENT_ON,
    "draft-change pk": ACTS,
    "device-add": ACTS,
    "fighter-names pk": ACTS,
    "profile-away pk": ACTS,
    "profile-copy pk": ACTS,
    "profile-share pk": ACTS,
    "profile-take game": ACTS,
    "report-answer token": SENT_ON,
    "report-dispute pk": ACTS,
    "report-draft-refuse pk draft": ACTS,
    "account-export": FILES,
    "attack-list pk digest": FILES,
    "battle-sheet pk": FILES,
    "booklet-download pk": FILES,
    "printer-download code": FILES,
    "calendar-feed code": FILES,
    "crib-print": FILES,
    "dice-export pk": FILES,
    "dice-watch-export slug pk": FILES,
    "health-show": FILES,
    "ready-show": FILES,
    "manifest-show": FILES,
    "overview-export pk": FILES,
    "campaign-file-export pk": FILES,
    "house-overlay pk": FILES,
    "profile-export": FILES,
    "publication-watch-print slug which": FILES,
    "publication-print pk which": FILES,
    "site-desk": OWNERS,
    "site-people": OWNERS,
    "site-hidden": OWNERS,
    "problem-show pk": OWNERS,
    "person-show pk": OWNERS,
    "site-rules": OWNERS,
    "site-rules-report pk": OWNERS,
    "site-campaigns": OWNERS,
    "site-campaign pk": OWNERS,
    "roster-download pk": FILES,
    "warband-export pk": FILES,
    "warband-original pk": FILES,
    "warband-book pk": FILES,
    "warband-text pk": FILES,
    "watch-download slug": FILES,
    "watch-version-download slug version": FILES,
    "worker-show": FILES,
}


@dataclass(frozen=True, slots=True)
class Page:
    """A page as one person opens it, and how many times the bare page it may take."""

    key: str
    name: str
    path: str
    cookie: str
    budget: float


def paths_of(scene: Scene) -> dict[str, str]:
    """The addresses of a scene, each with something to show: a battle is reported before it is."""
    return {**addresses(scene), "battle-report pk": reverse("battle-report", args=[scene.coming.pk])}


def pages_of(paths: dict[str, str], people: dict[str, Any], words: str = "") -> list[Page]:
    """Those of these addresses (by the keys of `tests.scene.routes`) that answer with a page, each as the first of these people to get one.

    `words` tell apart pages of the same address in what is printed.
    """
    found: dict[str, Page] = {}
    for who, user in people.items():
        client, cookie = Client(headers={"host": "localhost"}), ""
        if user is not None:
            client.force_login(user)
            cookie = signed_in(user)
        for key, path in paths.items():
            if key in found or key in NO_PAGES:
                continue
            answer = client.get(path)
            if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
                name = " ".join(word for word in (key, words, "" if who == "owner" else f"({who})") if word)
                found[key] = Page(key, name, path, cookie, BUDGETS.get(key.split()[0], PAGE_BUDGET))
    return list(found.values())
