"""The paper battle sheet: its boxes are those of the report, its steps those of the edition."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from campaigns.battle_sheet import (
    BLANK_DEEDS,
    BattleSheet,
    SheetRow,
    SideSheet,
    _consumables,
    battle_sheet,
    on_leaves,
)
from campaigns.booklet import BookletOptions, booklet_sheets
from campaigns.night_sheets import blank_battle_sheet
from campaigns.pages.battle_sides import read_sides
from campaigns.scenarios import deeds_everywhere, deeds_of, scenarios
from campaigns.services.muster import make_side_ready
from campaigns.services.open import change_campaign
from rules.price import Price
from rules.problems import Refusal
from tests.campaign_stories import Club, battle, begin, fight, fresh_battle, joins, mustered, open_campaign, side
from tests.conftest import person
from tests.drills import sampled
from tests.printed import assert_glyphs_are_right, boxes, laid_out, sticking_out
from tests.printed import words_of as drawn_words
from tests.scene import rolled_back
from tests.stories import hire
from warbands.adapters import force_of
from warbands.models import Fighter
from warbands.print_options import LOOKS, PAPERS, PrintOptions
from warbands.printing import render_html
from warbands.recording import recording
from warbands.services.roster import rename_fighter
from warbands.text_measure import TITLE, lines

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def db(django_db_setup: Any, django_db_blocker: Any) -> Iterator[None]:
    """The database, open over the whole module and rolled back after it."""
    with django_db_blocker.unblock(), rolled_back():
        yield


@pytest.fixture(scope="module")
def people(db: None) -> dict[str, Any]:
    """The four of them."""
    return {name: person(name) for name in ("ada", "ben", "cleo", "dora")}


@pytest.fixture(scope="module")
def founded(people: dict[str, Any]) -> Callable[..., Club]:
    """Return a function that gives the club of Cleo with Ada and Ben, in one of the games, which is founded once."""

    @cache
    def once(system: str, edition: str, samples: tuple[str, ...]) -> Club:
        made = Club(
            open_campaign(actor=people["cleo"], name="The Long Wire", system=system, edition=edition), people["cleo"]
        )
        for name, sample in zip(("ada", "ben"), samples, strict=True):
            joins(made, people[name], sample=sample)
        return made

    for clubs in (EDITIONS, UNIT_GAMES):
        for each in clubs:
            once(*each)

    def read(*which: Any) -> Club:
        made = once(*which)
        return replace(made, campaign=type(made.campaign).objects.get(pk=made.campaign.pk), seats=dict(made.seats))

    return read


@pytest.fixture(autouse=True)
def _forgotten(founded: Any) -> Iterator[None]:
    """No test sees what another one did."""
    with rolled_back():
        yield


@pytest.fixture
def ada(people: dict[str, Any]) -> Any:
    """She plays."""
    return people["ada"]


@pytest.fixture
def ben(people: dict[str, Any]) -> Any:
    """He plays against her."""
    return people["ben"]


@pytest.fixture
def cleo(people: dict[str, Any]) -> Any:
    """She administers."""
    return people["cleo"]


@pytest.fixture
def dora(people: dict[str, Any]) -> Any:
    """She is a stranger."""
    return people["dora"]


@pytest.fixture
def made(founded: Callable[..., Club]) -> Club:
    """The club by which most stories are told."""
    return founded(*EDITIONS[0])


SAMPLES = ("lantern-wardens", "gallows-choir")
EDITIONS = [("trench-crusade", "1.6.3", SAMPLES), ("trench-crusade", "1.0", SAMPLES)]
UNIT_GAMES = [
    ("gloom-trench", "", ("lamplight-column", "red-ford-company")),
    ("trench-too-far", "", ("canal-company", "quarry-company")),
]


def page_of(row: Any, *players: Any, paper: Any = "A4", look: Any = "full") -> str:
    """The sheet of these players as the engine is given it."""
    sides = list(read_sides(row))
    wanted = [each for each in sides if each.pk in {side(row, player).pk for player in players}]
    assert len(wanted) == len(players)
    return render_html(battle_sheet(row, sides, wanted, paper, look), "print/battle.html")


def said(row: Any, *players: Any) -> str:
    """All words of that sheet in one line."""
    body = page_of(row, *players).partition("<body")[2]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", "<" + body)).split())


def fighter_of(warband: Any) -> Fighter:
    """One who stands on its roster."""
    return Fighter.objects.live().filter(warband=warband, status=Fighter.Status.ACTIVE).earliest("pk")


def words_of(content: bytes) -> str:
    """All words of a PDF in one line."""
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages).split())


def test_the_page_names_the_letters_of_its_sheet_that_no_font_has(
    client: Client, made: Club, cleo: Any, ada: Any, ben: Any
) -> None:
    made = replace(made, campaign=change_campaign(campaign=made.campaign, actor=cleo, rosters="muster"))
    row = battle(made, ada, ben)
    mine, theirs = (fighter_of(made.warband(user)) for user in (ada, ben))
    page = reverse("battle-show", args=[row.pk])

    def told(user: Any) -> str:
        client.force_login(user)
        return str(client.get(page).context["page"].acts.letter_words)

    assert told(ada) == ""
    rename_fighter(fighter=mine, name="Bo 漢", actor=ada)
    rename_fighter(fighter=theirs, name="Jaro 字", actor=ben)
    client.force_login(ada)
    assert "Our fonts don&#x27;t have 漢. It prints as “?” on the battle sheet." in client.get(page).content.decode()
    assert told(ben) == "Our fonts don't have 字. It prints as “?” on the battle sheet."
    assert told(cleo) == "Our fonts don't have 漢, 字. They print as “?” on the battle sheet."
    for user in (ada, ben):
        make_side_ready(side=side(row, user), actor=user)
    assert told(ada) == told(cleo)  # by now both have mustered
    client.force_login(ada)
    text = words_of(client.get(reverse("battle-sheet", args=[row.pk])).content)
    assert "Bo ?" in text
    assert "Jaro ?" in text


def test_its_steps_are_the_edition_s_in_order(made: Club, ada: Any, ben: Any) -> None:
    row = mustered(made, ada, ben)
    warband = made.warband(ada)
    text = said(row, ada)
    after = text[text.index("After the battle") :]
    places = [
        after.index(f"{n} {step.label}")
        for n, step in enumerate(warband.terms.game.post_battle.steps(warband.terms.content, force_of(warband)), 1)
    ]
    assert places == sorted(places)
    assert len(places) > 5


def test_before_muster_every_fighter_stands_on_it_and_a_guest_has_lines_to_write_on(made: Club, ada: Any) -> None:
    row = battle(made, ada, guests=[("Marta", "PILGRIM")], scenario="")
    text = said(row, ada)
    assert "Marta" in text
    assert all(fighter.name in text for fighter in force_of(made.warband(ada)).fighters)


def test_a_list_hidden_until_muster_stays_hidden_on_paper(
    client: Client, made: Club, cleo: Any, ada: Any, ben: Any
) -> None:
    made = replace(made, campaign=change_campaign(campaign=made.campaign, actor=cleo, rosters="muster"))
    row = battle(made, ada, ben)
    client.force_login(ada)
    text = words_of(client.get(reverse("battle-sheet", args=[row.pk])).content)
    assert not any(fighter.name in text for fighter in force_of(made.warband(ben)).fighters)


def test_an_administrator_prints_for_everybody_and_strangers_nothing(
    client: Client, made: Club, cleo: Any, ada: Any, ben: Any, dora: Any
) -> None:
    row = fresh_battle(battle(made, ada, ben))
    address = reverse("battle-sheet", args=[row.pk])
    client.force_login(cleo)
    text = words_of(client.get(address).content)
    assert text.count("After the battle") == 2
    assert client.get(address, {"paper": "A3"}).status_code == 400
    client.force_login(dora)
    assert client.get(address).status_code == 404
    assert side(row, ada).battle_id == row.pk


def test_a_deed_of_one_profile_is_open_to_whoever_brings_it(
    client: Client, made: Club, cleo: Any, ada: Any, ben: Any
) -> None:
    warband = made.warband(ada)
    with recording(warband, kind="grant", actor=cleo) as act:
        act.earn(Price(glory=9), reason="Granted")
    cutter = hire(made.warband(ada), "Combat Biologist", "Sister Agathe")
    row = mustered(made, ada, ben)
    client.force_login(ada)
    assert "Battlefield Vivisection" in said(row, ada)
    page = client.get(reverse("battle-report", args=[row.pk])).context["page"]
    (line,) = [line for line in page.deeds if line.name == "deed_battlefield-vivisection"]
    assert [[pick.words for pick in picks] for _side, picks in line.groups] == [[cutter.name]]
    another = next(f for f in force_of(made.warband(ada)).fighters if f.name != cutter.name)
    with pytest.raises(Refusal, match="Battlefield Vivisection is not open to the fighter named"):
        fight(row, ada, ada, deeds=[("battlefield-vivisection", ada, another.name)])
    fight(row, ada, ada, deeds=[("battlefield-vivisection", ada, cutter.name)])


def test_a_deed_of_a_profile_nobody_brings_is_not_offered(client: Client, made: Club, ada: Any, ben: Any) -> None:
    row = mustered(made, ada, ben)
    client.force_login(ada)
    page = client.get(reverse("battle-report", args=[row.pk])).context["page"]
    offered = {line.name.removeprefix("deed_") for line in page.deeds}
    assert offered == {deed.id for deed in deeds_of(row) if not deed.needs_profile}
    assert len(offered) < len(deeds_of(row))


def test_a_claimed_deed_names_its_fighter_and_the_others_nobody(client: Client, made: Club, ada: Any, ben: Any) -> None:
    row = mustered(made, ada, ben)
    fight(row, ada, ada, deeds=[("sniper", ada, "Ottla")])
    client.force_login(ada)
    page = client.get(reverse("battle-report", args=[row.pk]) + "?amend=1").content.decode()
    selects = re.findall(r'<select name="deed_([^"]+)".*?</select>', page)
    chosen = re.findall(
        r'<select name="deed_([^"]+)"(?:(?!</select>).)*<option value="[^"]*" selected>([^<]*)</option>', page
    )
    assert len(selects) > 2
    assert chosen == [("sniper", "Ottla")]


def test_printed_again_once_the_battle_is_counted_its_steps_stay_those_of_the_battle(
    made: Club, ada: Any, ben: Any
) -> None:
    row = mustered(made, ada, ben)
    assert "Next battle: 800 ducats, 11 fighters." in said(row, ada)
    fight(row, ada, ada)
    begin(row, ada)
    assert "Next battle: 800 ducats, 11 fighters." in said(fresh_battle(row), ada)


@pytest.mark.parametrize(
    ("edition", "look", "most"),  # ink saver is laid out like full
    sampled(
        [(edition, *how) for edition in EDITIONS for how in (("full", 2), ("large", 3))],
        2,
        always=[(EDITIONS[0], "large", 3), (EDITIONS[1], "full", 2)],
    ),
)
def test_without_a_scenario_its_deeds_are_written_in(
    founded: Callable[..., Club], ada: Any, ben: Any, edition: Any, look: str, most: int
) -> None:
    row = mustered(founded(*edition), ada, ben, scenario="")
    sheet = battle_sheet(row, list(read_sides(row)), list(read_sides(row)), "A4")
    assert len(deeds_of(row)) > 50
    assert {deed.name for deed in sheet.deeds} <= {deed.name for deed in deeds_everywhere(row)}
    assert (len(sheet.blank_deeds), sheet.has_deeds) == (BLANK_DEEDS, True)
    assert len(laid_out(page_of(row, ada, look=look)).pages) <= most
    assert "write in those of your scenario" in said(row, ada).lower()


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_scenario_s_own_deeds_leave_no_blank_lines(
    founded: Callable[..., Club], ada: Any, ben: Any, edition: Any
) -> None:
    row = mustered(founded(*edition), ada, ben, scenario="")
    choices = scenarios(row)
    assert len(choices) > 5
    for choice in choices:
        row.scenario_id = choice.id
        sheet = battle_sheet(row, list(read_sides(row)), list(read_sides(row)), "A4")
        assert len(sheet.deeds) < 20, choice.id
        assert bool(sheet.blank_deeds) is not choice.described, choice.id


@pytest.mark.parametrize(
    ("paper", "look"),
    sampled(product(PAPERS, LOOKS), 2, always=[("A4", "large"), ("Letter", "full")]),
)
def test_nothing_on_it_sticks_out(made: Club, ada: Any, ben: Any, look: Any, paper: Any) -> None:
    assert sticking_out(laid_out(page_of(mustered(made, ada, ben), ada, ben, paper=paper, look=look))) == []


def test_the_sheet_holds_what_the_report_asks_and_names_as_their_players_write_them(
    client: Client, made: Club, ada: Any, ben: Any
) -> None:
    row = mustered(made, ada, ben, scenario="claim-no-mans-land")
    names = ["Győző és Łukasz", "Владимир Ильич", "Γιώργος", "Nguyễn Văn Ước", "Yüzbaşı ʿAlī"]
    for player, name in ((ada, "Þórður’s Şükrü"), (ben, "Ёжиков")):
        warband = made.warband(player)
        type(warband).objects.filter(pk=warband.pk).update(name=name)
        for fighter, own in zip(warband.fighters.all(), names, strict=False):
            fighter.name = own
            fighter.save(update_fields=["name"])
    client.force_login(ada)
    for address in (reverse("battle-sheet", args=[row.pk]), f"{reverse('crib-print')}?battle={row.pk}"):
        answer = client.get(address)
        assert answer["Content-Type"] == "application/pdf"
        text = words_of(answer.content)
        assert [name for name in (*names, "Þórður’s Şükrü", "Ёжиков") if name not in text] == [], address
        assert {"Ё", "ş"} <= assert_glyphs_are_right(answer.content)
        if "crib" in address:
            continue
        for player in (ada, ben):
            for of_force in force_of(made.warband(player)).fighters:
                assert of_force.name in text
        for deed in deeds_of(row):
            assert (deed.name in text) is (deed.needs_profile == "")
        for word in (
            "WHO WON",
            "drawn",
            "no winner",
            "DOWN OUT TAKEN OUT BY",
            "DEED",
            "WAS THERE",
            "Morale test at the end",
        ):
            assert word in text


@pytest.mark.parametrize(
    ("paper", "number", "scenario"),
    sampled(
        [
            *product(PAPERS, (13, 20), ("claim-no-mans-land",)),
            *product(PAPERS, (20,), ("storming-the-shores", "random-scenario")),  # many words, or many deeds
        ],
        3,
        always=[
            ("A4", 13, "claim-no-mans-land"),
            *product(("Letter",), (20,), ("storming-the-shores", "random-scenario")),
        ],
    ),
)
def test_a_side_is_one_leaf_with_the_steps_on_its_back(
    made: Club, ada: Any, ben: Any, paper: Any, number: int, scenario: str
) -> None:
    """Up to twenty of each with names of 40 letters, and a scenario with its own deeds."""
    row = mustered(made, ada, ben, scenario=scenario)
    sheet, mine = of_many(row, paper, (f"{n} Wolfeschlegelsteinhausen of the Sodden Bell"[:40] for n in range(number)))
    document = laid_out(render_html(sheet, "print/battle.html"))
    assert len(document.pages) == 2
    assert sticking_out(document) == []
    front, back = (" ".join(box.text for box in boxes(leaf) if hasattr(box, "text")) for leaf in document.pages)
    assert "After the battle" in back
    assert all(step.label in back for step in mine.steps)
    places = [front.index(word) for word in ("VICTORY POINTS", "WHO WON", "WAS THERE", "TAKEN OUT BY")]
    assert places == sorted(places)
    for once in ("PLAYED ON", "Glorious deeds", *(f"{deed.name} " for deed in sheet.deeds)):
        assert (front + back).count(once) == 1
    assert all(" ".join(words.split()) in front + back for _label, words in sheet.scenario)


def of_many(row: Any, paper: Any, names: Iterable[str], look: Any = "full") -> tuple[BattleSheet, SideSheet]:
    """The sheet of a battle with these people on both sides, and its one side."""
    sides = list(read_sides(row))
    sheet = battle_sheet(row, sides, sides[:1], paper, look)
    (mine,) = sheet.sides
    people = tuple(SheetRow(name, "Yeoman") for name in names)
    half = (len(people) + 1) // 2
    mine = replace(mine, rows=people, others_rows=((mine.others[0], (people[:half], people[half:])),))
    made = on_leaves(replace(sheet, sides=(mine,)))
    return made, made.sides[0]


@pytest.mark.parametrize(
    "scenario", sampled(["relic-hunt", "supply-raid", "dragon-hunt", "hunt-for-heroes"], 2, always=["relic-hunt"])
)
def test_the_widest_names_leave_it_on_one_leaf(made: Club, ada: Any, ben: Any, scenario: str) -> None:
    sheet, mine = of_many(mustered(made, ada, ben, scenario=scenario), "Letter", ["WWWWWWWWW " * 4] * 20)
    document = laid_out(render_html(sheet, "print/battle.html"))
    assert len(document.pages) == 2
    assert sticking_out(document) == []
    assert (mine.deeds_on_back, mine.steps_close) == (True, 2)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_heading_beside_the_lines_of_its_step_takes_no_more_of_them(
    founded: Callable[..., Club], ada: Any, ben: Any, edition: Any
) -> None:
    """A further one would be cut, for the heading is laid over its place. Letters and place grow alike in large print."""
    css = (Path(settings.BASE_DIR) / "static/css/print/battle.css").read_text()
    (rem,) = re.findall(r"closer \.step h2 \{[^}]*width: ([0-9.]+)rem;[^}]*font-size: 1rem", css)
    row = mustered(founded(*edition), ada, ben, scenario="")
    for number, step in enumerate(of_many(row, "A4", ["Niamh"])[1].steps, 1):
        assert lines([(f"{number} {step.label}", TITLE)], 10, float(rem) * 10) <= len(step.lines), step.label


@pytest.mark.parametrize("paper", sampled(PAPERS, 1, always=["Letter"]))  # the lower one
def test_large_print_of_twenty_keeps_every_box_and_tears_nothing(made: Club, ada: Any, ben: Any, paper: Any) -> None:
    """It takes two leaves: what the battle needs on the first, the steps after it on a page of their own."""
    row = mustered(made, ada, ben, scenario="claim-no-mans-land")
    sides = list(read_sides(row))
    sheet = battle_sheet(row, sides, sides[:1], paper, "large")
    (mine,) = sheet.sides
    people = tuple(SheetRow(f"{n} Wolfeschlegelsteinhausen of the Sodden Bell"[:40], "Yeoman") for n in range(20))
    mine = replace(mine, rows=people, others_rows=((mine.others[0], (people[:10], people[10:])),))
    document = laid_out(render_html(on_leaves(replace(sheet, sides=(mine,))), "print/battle.html"))
    assert sticking_out(document) == []
    *battle, after = [" ".join(box.text for box in boxes(leaf) if hasattr(box, "text")) for leaf in document.pages]
    assert len(battle) == 2
    assert all(step.label in after for step in mine.steps)
    assert "Glorious deeds" in " ".join(battle)
    assert "PLAYED ON" in " ".join(battle)
    assert " ".join(battle).count("Yeoman") == 40


def test_what_is_used_up_is_named_as_in_the_book(made: Club, ada: Any, ben: Any) -> None:
    warband = made.warband(ada)
    content, shop = warband.terms.content, warband.terms.game.shop
    spent = sorted(shop.consumables(content))
    names = {entry.id: entry.name for entry in warband.terms.game.rulebook.entries(content)}
    assert spent
    force = force_of(warband)
    bearer = force.fighters[0]
    laden = replace(bearer, kit=(*bearer.kit, replace(bearer.kit[0], item=spent[0])))
    told = _consumables(warband.terms.game, content, replace(force, fighters=(laden, *force.fighters[1:])))
    assert f"{bearer.name}: {names[spent[0]]}" in [piece.words for piece in told]


@pytest.mark.parametrize(
    ("game", "paper"),
    sampled(
        product([*EDITIONS, *UNIT_GAMES], PAPERS),
        4,
        always=list(zip([*EDITIONS, *UNIT_GAMES], [*PAPERS, *PAPERS], strict=True)),
    ),
)
def test_an_empty_sheet_is_one_leaf_with_every_box_and_step_of_its_game(
    founded: Callable[..., Club], ada: Any, game: Any, paper: Any
) -> None:
    """Its numbers are no warband's: there are boxes for them."""
    made = founded(*game)
    sheet = blank_battle_sheet(made.campaign, PrintOptions(paper=paper))
    (side,) = sheet.sides
    document = laid_out(render_html(sheet, "print/battle.html"))
    assert len(document.pages) == 2
    assert sticking_out(document) == []
    known = made.campaign.terms.game.battle.paper_steps(made.campaign.terms.content, force_of(made.warband(ada)))
    assert [step.label for step in side.steps] == [step.label for step in known]
    text = drawn_words(document)
    assert all(step.label in text for step in known)
    assert ("DOWN" in text) is ("Missed so far, of 5" in text) is (game in EDITIONS)
    assert "700 ducats" not in text


@pytest.mark.parametrize("game", UNIT_GAMES)
def test_a_game_without_markers_and_deeds_has_room_for_what_was_lost(
    founded: Callable[..., Club], ada: Any, ben: Any, game: Any
) -> None:
    made = founded(*game)
    row = mustered(made, ada, ben, scenario="open-battle")
    document = laid_out(page_of(row, ada))
    assert len(document.pages) == 1  # few steps stay below the battle
    assert sticking_out(document) == []
    text = drawn_words(document)
    for fighter in force_of(made.warband(ada)).fighters:
        assert fighter.name in text
    for word in ("UNIT", "LOST", "WAS THERE", "OUT TAKEN OUT BY"):
        assert word in text
    for word in ("DEED", "MARKERS", "FIGHTER", "MODEL "):
        assert word not in text
    sheets = booklet_sheets(made.campaign, BookletOptions(PrintOptions()), "")
    assert len(sheets) == 2
    assert "QUICK REFERENCE" in words_of(sheets[0].draw()).upper()
