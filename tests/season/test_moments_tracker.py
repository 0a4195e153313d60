"""Moments of a season at the table: a club that comes with its games played, and a phone that is about to die."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Battle, Capture, PostBattle, Report, Seat
from campaigns.services.join import add_seat
from campaigns.standings import SeatStanding, standings
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.idempotency import new_token
from warbands.models import Event, Fighter, Item, Warband
from warbands.services.documents import export_document

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ROOT = Path(settings.BASE_DIR)
ILSE = "Ilse Brandt"


@story
def made(cleo: Any, ben: Any) -> c.Club:
    """Cleo's campaign in which Ben plays."""
    return c.club(cleo, ben)


@pytest.fixture(autouse=True)
def _books_in_order(db: None) -> Iterator[None]:
    """Whatever happened in a moment: every warband's books say what its roster says, for the tests and for the command."""
    yield
    for warband in Warband.objects.live():
        s.assert_reconciled(warband)
    call_command("reconcile")


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def press(client: Client, address: str, **sent: Any) -> Any:
    return client.post(address, {"token": new_token(), **sent})


def at(name: str, *arguments: Any) -> str:
    return reverse(name, args=arguments)


# --- 1: the club is already at game four -------------------------------------------------------------------------------

FIGHTERS: tuple[dict[str, str], ...] = (
    {
        "profile": "Lieutenant", "name": ILSE, "kit_0": "Automatic Pistol, Sword / Axe", "kit_1": "Combat Helmet", "kit_1_found": "on",
        "experience": "4", "skill_0": "Sharp Eyes", "skill_1": "Hunter", "wound_0": "Leg Wound",
    },
    {"profile": "Shocktrooper", "name": "Jonas", "kit_0": "Standard Armour, Reinforced Armour"},
    {"profile": "Yeoman", "name": "Ottla", "kit_0": "Bolt-Action Rifle, Bayonet"},
)  # fmt: skip


def row_of(made: c.Club, seat: Seat) -> SeatStanding:
    return next(row for row in standings(made.campaign) if row.seat.pk == seat.pk)


def rows() -> dict[str, int]:
    """How much of everything lives."""
    living = {model.__name__: model.objects.live().count() for model in (Warband, Fighter, Item, Capture)}
    return {**living, "seated": Seat.objects.exclude(warband=None).count()}


def copied_off(client: Client, seat: Seat) -> str:
    """Type the paper in page by page, kept as one goes; returns the overview."""
    about = {
        "list_id": "new-antioch", "name": "The Lantern Wardens", "patron": "", "fought": "3", "ducats": "84", "glory": "4",
        "points": "9", "won": "2", "lost": "1",
    }  # fmt: skip
    answer = client.post(f"{at('paper-begin')}?for=seat:{seat.pk}", about)
    assert answer.status_code == 302, answer.context["form"].errors
    draft = re.search(r"/(\d+)/", answer.url)
    assert draft is not None
    for number, fighter in enumerate(FIGHTERS, 1):
        kept = client.post(at("paper-fighter", draft[1], f"k{number}"), {**fighter, "act": "next"})
        assert kept.status_code == 302, text(kept)
    return at("paper-show", draft[1])


def test_moment_01_the_club_is_already_at_game_four(made: c.Club, cleo: Any, ben: Any) -> None:
    """Off paper into an unclaimed seat in one act, illegal as it is; undone whole, brought again, and it fights its fourth battle."""
    cleos, seat = signed_in(cleo), add_seat(campaign=made.campaign, name="Wulf", actor=cleo)
    before = rows()
    overview = copied_off(cleos, seat)
    assert rows() == before
    assert "Two suits of armour" in text(cleos.get(overview))
    events = Event.objects.count()
    brought = press(cleos, overview, act="bring")
    assert brought.status_code == 302, text(brought)
    assert Event.objects.count() == events + 1
    assert brought_as_written(made, seat).problem_count > 0

    event = s.last_event(brought_as_written(made, seat))
    press(cleos, at("event-undo", event.pk))
    assert rows() == before
    seat.refresh_from_db()
    assert (seat.opening_points, seat.opening_games, seat.opening_won, seat.opening_lost) == (0, 0, 0, 0)
    assert row_of(made, seat).points == 0

    press(cleos, overview, act="bring")
    warband = brought_as_written(made, seat)
    row = _fourth_battle(made, cleo, seat, ben)
    assert row.sides.get(seat=seat).number == 4
    assert (row_of(made, seat).points, row_of(made, seat).games) == (12, 4)
    assert s.fresh(warband).problem_count > 0


def brought_as_written(made: c.Club, seat: Seat) -> Warband:
    """The warband of the seat, holding what stood on the paper: fighters, scars, kit, strongbox, and its place in the standings."""
    seat.refresh_from_db()
    assert seat.warband is not None
    warband = s.fresh(seat.warband)
    assert (warband.owner, warband.status, warband.terms) == (None, Warband.Status.CAMP, made.campaign.terms)
    assert (warband.strongbox_ducats, warband.strongbox_glory, warband.state["fought"]) == (84, 4, 3)
    ilse = s.fighter(warband, ILSE)
    assert s.kit_of(ilse) == ["automatic-pistol", "combat-helmet", "sword-axe"]
    assert Item.objects.live().get(fighter=ilse, item_id="combat-helmet").origin == Item.Origin.FOUND
    assert Item.objects.live().get(fighter=ilse, item_id="sword-axe").origin != Item.Origin.FOUND
    assert ilse.state["experience"] == 4
    assert {each["id"] for each in ilse.state["skills"].values()} == {"sharp-eyes", "hunter"}
    assert [each["id"] for each in ilse.state["traumas"].values()] == ["leg-wound"]
    assert s.kit_of(s.fighter(warband, "Jonas")) == ["reinforced-armour", "standard-armour"]
    line = row_of(made, seat)
    assert (line.points, line.games, line.won, line.lost) == (9, 3, 2, 1)
    return warband


def _fourth_battle(made: c.Club, cleo: Any, seat: Seat, ben: Any) -> Battle:
    """The administrator enters what the seat without account played: it won by 3 to 0."""
    cleos = signed_in(cleo)
    scheduled = press(
        cleos, at("battle-schedule", made.campaign.pk), seat=[seat.pk, made.seat(ben).pk], planned_for="", round=""
    )
    assert scheduled.status_code == 302, text(scheduled)
    row = Battle.objects.latest("pk")
    press(cleos, at("force-select", row.pk), act="scenario", scenario=c.SCENARIO, scenario_name="")
    for side in row.sides.live():
        press(cleos, at("force-select", row.pk), act="ready", side=side.pk)
    mine, theirs = row.sides.live().get(seat=seat), row.sides.live().exclude(seat=seat).get()
    report = {
        f"points_{mine.pk}": "3",
        f"points_{theirs.pk}": "0",
        "kind": "played",
        "played_on": timezone.localdate().isoformat(),
    }
    sent = press(cleos, at("battle-report", row.pk), result=str(mine.pk), words="", **report)
    assert sent.status_code == 302, text(sent)
    return c.fresh_battle(row)


def test_moment_01_a_roster_kept_elsewhere_comes_in_as_a_document(made: c.Club, cleo: Any, ada: Any, ben: Any) -> None:
    """What another club exported comes in with one act for the player's own seat, and nothing of it is lost."""
    elsewhere = s.camp(ada)
    document = export_document(elsewhere)
    seat = c.join_campaign(invitation_token=c.link(made.campaign), actor=ada)
    before, events = rows(), Event.objects.count()
    adas = signed_in(ada)
    address = f"{at('warband-import')}?for=seat:{seat.pk}"
    answer = press(adas, address, text=json.dumps(document))
    assert answer.status_code == 302, text(answer)
    assert Event.objects.count() == events + 1
    seat.refresh_from_db()
    assert seat.warband is not None
    again = export_document(s.fresh(seat.warband))
    assert again["fighters"] == document["fighters"]
    assert s.purse(seat.warband) == s.purse(elsewhere)
    press(adas, at("event-undo", s.last_event(s.fresh(seat.warband)).pk))
    assert rows() == before


# --- 23: ten per cent of battery ---------------------------------------------------------------------------------------

REPEATS = re.compile(r"hx-trigger=\"[^\"]*\bevery\b|setInterval|requestAnimationFrame|EventSource|WebSocket|hx-ext")
OF_A_TASK = (
    "booklet.html",
    "bulk_import.html",
    "administer.html",
    "printer.html",
    "site_rules_report.html",
    "site_campaign.html",
)


def test_moment_23_no_page_asks_for_anything_by_itself() -> None:
    """Nothing repeats in what we wrote but the card of a running task, on its own page and the desk of whoever asked, and the
    stream of news at the table of a battle.
    """
    ours = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "static" / "js").rglob("*.js")]
    ours += (ROOT / "static" / "worker").rglob("*.js")
    assert len(ours) > 100
    repeating = {path.name for path in ours if REPEATS.search(path.read_text(encoding="utf-8"))}
    assert repeating <= {"progress.html", "table-stream.js"}
    shown = {path.name for path in ours if "components/progress.html" in path.read_text(encoding="utf-8")}
    assert shown == {"component_list.html", *OF_A_TASK}


@pytest.mark.parametrize("scheme", ["dark", "light", "auto"])
def test_moment_23_the_scheme_that_was_chosen_is_on_every_page(made: c.Club, ben: Any, scheme: str) -> None:
    bens = signed_in(ben)
    assert bens.post("/account/", {"paper_size": "A4", "colour_scheme": scheme}).status_code == 302
    for address in ("/", at("warband-show", made.warband(ben).pk), at("campaign-show", made.campaign.pk)):
        page = text(bens.get(address))
        assert f'data-scheme="{scheme}"' in page
        # the browser's own bar is coloured to match: both where the phone decides
        assert page.count('name="theme-color"') == (2 if scheme == "auto" else 1)


def test_moment_23_dark_is_a_scheme_of_its_own() -> None:
    """Every colour that has a dark side says so where colours are named, and the chosen scheme picks the side."""
    css = (ROOT / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
    assert re.search(r'\[data-scheme="dark"\] \{\s*color-scheme: dark;', css)
    pairs = re.findall(r"light-dark\((#\w+), (#\w+)\)", css)
    assert len(pairs) > 5
    assert all(light != dark for light, dark in pairs)


def test_moment_23_the_battle_goes_on_on_the_other_phone(made: c.Club, cleo: Any, ada: Any, ben: Any) -> None:
    """Ada's phone dies after her first dice. On Ben's tablet, signed in as herself, they lie there still; she goes on from the desk."""
    c.joins(made, ada)
    first, other, bens = signed_in(ada), signed_in(ada), signed_in(ben)
    row = c.battle(made, ada, ben)
    mine, theirs = c.side(row, ada), c.side(row, ben)
    press(first, at("force-select", row.pk), act="ready", side=mine.pk)
    press(bens, at("force-select", row.pk), act="ready", side=theirs.pk)
    assert c.fresh_battle(row).status == Battle.Status.MUSTERED  # and the other phone finds the frozen force
    assert at("battle-report", row.pk) in text(other.get("/"))

    # a report half filled in keeps nothing here; sent, it is there for all
    assert first.get(at("battle-report", row.pk)).status_code == 200
    assert not Report.objects.exists()
    ilse = f"{mine.pk}:{c.keys(made.warband(ada), ILSE)[0]}"
    report = {
        f"points_{mine.pk}": "1",
        f"points_{theirs.pk}": "3",
        "kind": "played",
        "played_on": timezone.localdate().isoformat(),
    }
    press(other, at("battle-report", row.pk), result=str(theirs.pk), words="", out=[ilse], **report)
    assert Report.objects.get().by == ada

    # the sequence: begun and rolled on one, written and left on the other
    warband, task = made.warband(ada), f"trauma-{c.keys(made.warband(ada), ILSE)[0]}"
    injuries = at("post-battle-resolve", row.pk, warband.pk, "injuries")
    press(first, at("post-battle-show", row.pk, warband.pk))
    press(first, injuries, act="roll", task=task, source="typed", face_1="3", face_2="1")
    first.logout()
    kept = PostBattle.objects.get(warband=warband).record["draws"]
    assert [draw["faces"] for draw in kept[task]] == [[3, 1]]
    way = re.search(r'href="([^"]+)">Continue<', text(other.get("/")))
    assert way is not None
    page = other.get(way[1], follow=True)
    assert page.request["PATH_INFO"] == injuries
    assert "Leg Wound" in text(page)
    assert PostBattle.objects.get(warband=warband).record["draws"] == kept
    press(other, injuries, act="write", task=task, seen=page.context["page"].seen)
    onward = press(other, injuries, act="next")
    assert onward.url == at("post-battle-show", row.pk, warband.pk)
    assert PostBattle.objects.get(warband=warband).done == ["injuries"]
    traumas = s.fighter(s.fresh(warband), ILSE).state["traumas"].values()
    assert [each["id"] for each in traumas] == ["leg-wound"]
