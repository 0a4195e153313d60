"""Games in which nothing is bought have their own words on every page: no ducats, no hiring, no muster, nobody Out of Action."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle
from tests import campaign_stories as c
from tests.drills import WHOLE
from tests.module_story import story

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

FORCES = {
    "gloom-trench": ("lamplight-column", "red-ford-company"),
    "trench-too-far": ("canal-company", "quarry-company"),
}
OTHER_GAMES_WORDS = re.compile(
    r"\b(ducats?|glory|muster(?!\s+roll)\w*|out of action|strongbox|arsenal|hir(e[sd]?|ing)|buy(s|ing)?|bought|s(ell|ells|old))\b",
    re.IGNORECASE,
)
SHOWN = re.compile(r"<(script|style|template)\b.*?</\1>|<head\b.*?</head>|<[^>]*>", re.DOTALL)
LINK = re.compile(r'href="(/[^"#]*)')
# Pages of all games, or of another one; files.
ELSEWHERE = re.compile(
    r"^/(rules|odds|account|accounts|static|media|admin|warbands/(new|start|found|bring|paper|import)|campaigns/open)|\.(pdf|svg|png|js|json|txt)\b|\?"
)
# How many pages, and how many of one kind: the pages to undo this event and that one have the same words.
MOST, ALIKE = (120, 120) if WHOLE else (45, 1)


@story(params=sorted(FORCES))
def battle(request: pytest.FixtureRequest, cleo: Any, ada: Any, ben: Any) -> Battle:
    """A battle of such a game, reported by Ada, with its campaign around it."""
    game = str(request.param)
    campaign = c.open_campaign(actor=cleo, name="The Long Wire", system=game, edition="")
    made = c.Club(campaign, cleo)
    for player, sample in zip((ada, ben), FORCES[game], strict=True):
        c.joins(made, player, sample=sample)
    ready = c.mustered(made, ada, ben, scenario="open-battle")
    c.send_report(
        battle=ready, actor=ada, by_side=c.side(ready, ada), data=c.report_data(ready, ada, points={ada: 5, ben: 3})
    )
    row = c.fresh_battle(ready)
    c.begin(row, ada)
    c.battle(made, ada, ben, scenario="open-battle")  # one that nobody is ready for yet
    return row


def walked(client: Client) -> dict[str, str]:
    """Every page that links lead to from the desk, the warbands and the library: its address and the words on it."""
    found: dict[str, str] = {}
    kinds: Counter[str] = Counter()
    waiting = ["/", "/warbands/", "/library/"]
    while waiting and len(found) < MOST:
        address = waiting.pop(0)
        kind = re.sub(r"\d+", "#", address)
        if address in found or ELSEWHERE.search(address) or kinds[kind] == ALIKE:
            continue
        kinds[kind] += 1
        answer = client.get(address, follow=True)
        page = answer.content.decode() if answer.headers.get("Content-Type", "").startswith("text/html") else ""
        found[address] = re.sub(r"\s+", " ", SHOWN.sub(" ", page))
        waiting += [link.replace("&amp;", "&") for link in LINK.findall(page)]
    return found


@pytest.mark.parametrize("who", ["ada", "cleo"])
def test_no_page_speaks_of_another_games_money(battle: Battle, who: str, request: pytest.FixtureRequest) -> None:
    client = Client()
    client.force_login(request.getfixturevalue(who))
    pages = walked(client)
    assert len(pages) > 15
    wrong = [
        f"{address}: …{words[max(0, met.start() - 40) : met.end() + 30]}…"
        for address, words in pages.items()
        for met in OTHER_GAMES_WORDS.finditer(words)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_menu_of_a_force_leads_to_the_library(battle: Battle, ada: Any) -> None:
    client = Client()
    client.force_login(ada)
    warband = c.side(battle, ada).warband
    page = client.get(reverse("warband-show", args=[warband.pk])).content.decode()
    assert f'href="/library/?game={warband.terms.system}"' in page
