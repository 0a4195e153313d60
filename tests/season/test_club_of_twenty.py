"""A season of a club of twenty, run from the desk: what its administrator touches and opens, counted beside a spreadsheet's cells.

The administrator acts through the pages alone: every address is a link of the page before, every act a form of it. The players'
evenings are told to the database, since they are counted elsewhere. `docs/minutes.md` holds the figures that this test keeps.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.battle_result import standing_report
from campaigns.models import Battle, Campaign, PostBattle, Report, Round, Seat, Side
from campaigns.services.open import open_campaign
from campaigns.standings import standings
from notifications.models import Notification
from tests import campaign_stories as c
from tests.drills import WHOLE
from tests.forms import Reader
from tests.forty import forty

pytestmark = pytest.mark.django_db

SEATS, ROUNDS = 20, 6 if WHOLE else 3
MINUTES = Path(__file__).parents[2] / "docs" / "minutes.md"
ROW = re.compile(r"^\| A club's round of twenty players: (?P<what>[^|]+?) \| (?P<taps>\d+) \| (?P<pages>\d+) \|", re.M)
WEEK = re.compile(r"^\| A club's week: (?P<what>[^|]+?) \| (?P<taps>\d+) \| (?P<pages>\d+) \|", re.M)


@dataclass
class Hand:
    """The administrator's hand: it touches what stands on the open page. Each thing touched is a tap, each answer a page."""

    client: Client
    taps: int = 0
    pages: int = 0
    here: str = ""
    text: str = ""
    counted: dict[str, tuple[int, int]] = field(default_factory=dict)

    def opens(self, address: str) -> None:
        """Open an address by its bookmark."""
        self._shown(self.client.get(address, follow=True), address)

    def follows(self, words: str) -> None:
        """Follow the first link with these words."""
        links = re.findall(r'<a[^>]* href="([^"]+)"[^>]*>(.*?)</a>', self.text, re.S)
        told = [(html.unescape(href), " ".join(re.sub("<[^>]+>", " ", label).split())) for href, label in links]
        address = next((href for href, label in told if words in label), None)
        assert address is not None, f"{self.here} has no link “{words}”: {[label for _, label in told]}"
        self.taps += 1
        self._shown(self.client.get(urljoin(self.here, address), follow=True), address)

    def presses(self, value: str, **fields: Any) -> None:
        """Fill these fields of the form with the button of this value ("" for a form's only button), and press it."""
        reader = Reader()
        reader.feed(self.text.partition("<main")[2])
        reader.close()
        for action, sent, buttons in reader.forms:
            button = next(((name, given) for name, given in buttons if given == value), None)
            if button is None and (value or buttons or not set(fields) <= set(sent)):
                continue
            data = {**sent, **fields, **({button[0]: button[1]} if button else {})}
            self.taps += 1 + len(fields)
            self._shown(self.client.post(urljoin(self.here, action or self.here), data, follow=True), action)
            return
        raise AssertionError(f"{self.here} has no form with the button “{value}”.")

    def _shown(self, answer: Any, address: str) -> None:
        self.pages += 1
        self.text = answer.content.decode()
        self.here = answer.request["PATH_INFO"]
        assert answer.status_code in (200, 422), f"{address}: {answer.status_code}"

    def counts(self, what: str, before: tuple[int, int]) -> None:
        """Keep what was touched and opened since, if it is the most so far."""
        now = (self.taps - before[0], self.pages - before[1])
        self.counted[what] = max(self.counted.get(what, (0, 0)), now)

    @property
    def so_far(self) -> tuple[int, int]:
        return self.taps, self.pages


def evening(campaign: Campaign, found: Round) -> None:
    """The players' part: all battles are fought and told but the first, which stays open; the second waits for an answer."""
    now = timezone.now()
    for place, battle in enumerate(Battle.objects.filter(campaign=campaign, round=found).order_by("pk")):
        if place == 0 or battle.kind == Battle.Kind.BYE:
            continue
        sides = list(Side.objects.filter(battle=battle).order_by("place"))
        for number, side in enumerate(sides):
            side.result, side.points = ("won", "lost")[number], 5 - 2 * number
            side.number, side.confirmed_at = found.number, None if place == 1 and number else now
            side.save()
            PostBattle.objects.create(side=side, warband=side.warband, started_at=now, closed_at=now)
        winner, points = str(sides[0].pk), {str(side.pk): side.points for side in sides}
        data = {"winner": winner, "points": points, "out": {}, "deeds": [], "took_part": {}, "outcome": "won"}
        Report.objects.create(battle=battle, by_side=sides[0], by=sides[0].seat.user, data=data)
        battle.status = Battle.Status.REPORTED if place == 1 else Battle.Status.CLOSED
        battle.scenario_id, battle.played_on = "hill-223", timezone.localdate()
        battle.save()


def test_twenty_names_become_twenty_places_by_one_paste(client: Client, cleo: Any) -> None:
    campaign = open_campaign(actor=cleo, name="The Long Winter")
    client.force_login(cleo)
    hand = Hand(client)
    start = hand.so_far
    hand.opens("/")
    hand.follows(campaign.name)
    hand.follows("Invite players")
    hand.presses("add", names="\n".join(f"Player {number}" for number in range(SEATS)))
    assert Seat.objects.live().filter(campaign=campaign).count() == SEATS
    hand.counts("twenty places from a list of names", start)
    assert hand.counted.items() <= in_the_table().items()


def in_the_table(row: re.Pattern[str] = ROW) -> dict[str, tuple[int, int]]:
    """The taps and pages that `docs/minutes.md` tells."""
    return {each["what"]: (int(each["taps"]), int(each["pages"])) for each in row.finditer(MINUTES.read_text())}


@pytest.mark.parametrize(("edition", "rounds"), [("1.6.3", ROUNDS), ("1.0", 2)])
def test_a_season_of_twenty_from_the_desk(client: Client, cleo: Any, edition: str, rounds: int) -> None:
    made = forty(cleo, seats=SEATS, rounds=0, edition=edition)
    assert made.campaign.terms.edition == edition
    client.force_login(cleo)
    hand = Hand(client)
    for number in range(1, rounds + 1):
        start = hand.so_far
        hand.opens("/")
        hand.follows(made.campaign.name)
        hand.follows("Pair a round")
        hand.presses("")
        found = Round.objects.get(campaign=made.campaign, number=number)
        assert Battle.objects.filter(round=found).count() == SEATS // 2
        hand.counts("paired and published", start)

        evening(made.campaign, found)

        start = hand.so_far
        hand.opens("/")
        hand.follows("Open")
        hand.follows("Confirm for this player")
        hand.presses("confirm")
        hand.counts("a late report confirmed", start)

        start = hand.so_far
        hand.opens("/")
        hand.follows("Open")
        hand.presses("round-close")
        hand.counts("closed", start)
        found.refresh_from_db()
        assert found.is_closed
    games = [row.games for row in standings(made.campaign)]
    assert len(games) == SEATS
    assert sum(games) == rounds * (SEATS - 2)
    of_rounds = {what: figures for what, figures in in_the_table().items() if "places" not in what}
    assert hand.counted == of_rounds, "docs/minutes.md tells other figures"


def test_the_acts_of_a_week_from_the_desk(client: Client, cleo: Any, ada: Any, ben: Any) -> None:
    client.force_login(cleo)
    hand = Hand(client)
    twenty = forty(cleo, seats=SEATS, rounds=1)
    start = hand.so_far
    hand.opens("/")
    hand.follows(twenty.campaign.name)
    hand.follows("Texts for Discord")
    assert "Standings" in hand.text
    hand.taps += 1  # the button that copies the standings
    hand.counts("the standings as a text for Discord", start)

    Battle.objects.update(status=Battle.Status.SCHEDULED)
    start = hand.so_far
    hand.opens("/")
    hand.follows("Open")
    hand.follows("Reminders")
    hand.presses("all")
    assert Notification.objects.values("user").distinct().count() == SEATS
    hand.counts("everybody reminded who has something open", start)

    club = c.club(cleo, ada, ben)
    battle = c.mustered(club, ada, ben)
    first, second = (c.side(battle, user) for user in (ada, ben))
    start = hand.so_far
    hand.opens(reverse("battle-show", args=[battle.pk]))
    hand.follows("Report")
    hand.presses("", **{"result": str(first.pk), f"points_{first.pk}": "5", f"points_{second.pk}": "2"})
    assert Report.objects.get(battle=battle).data["points"] == {str(first.pk): 5, str(second.pk): 2}
    hand.counts("a result entered for two players", start)

    start = hand.so_far
    hand.opens(reverse("battle-show", args=[battle.pk]))
    hand.follows("Amend the report")
    hand.presses("", **{f"points_{second.pk}": "3"})
    assert standing_report(c.fresh_battle(battle)).data["points"][str(second.pk)] == 3  # type: ignore[union-attr]
    hand.counts("a result corrected", start)

    start = hand.so_far
    seat = club.seat(ben)
    hand.opens(reverse("seat-show", args=[seat.pk]))
    hand.follows("Repair money, fighters, kit or points")
    hand.presses("standings", points="1", words="A bonus")
    assert Seat.objects.get(pk=seat.pk).corrected_points == 1
    hand.counts("a player's points corrected, with a reason", start)
    assert hand.counted == in_the_table(WEEK), "docs/minutes.md tells other figures"
