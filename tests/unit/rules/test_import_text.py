"""Pasted rosters: real-looking texts, each with the fighters that must come of it, and with nothing dropped on the way."""

from __future__ import annotations

import io
import json
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command

from rules.content.compiled import compile_content
from rules.content.house import read_house_rules
from rules.content.schema import OtherList
from rules.problems import Refusal
from rules.registry import system

GAME = system("trench-crusade")
CONTENT = GAME.content("1.6.3")

SCROLL = """The Lantern Wardens
Faction: New Antioch
Patron: Warrior Saint

Elites:
Ilse Brandt - Lieutenant (70 Ducats)
 - Automatic Pistol (20 Ducats)
 - Sword/Axe
 - Standard Armour
Troops
3x Yeoman [90 ducats]: Bolt-Action Rifle, Bayonet
Shocktrooper with SMG and Trench Shield
Yeoman x2 (Bolt-Action Rifle)

Total: 700/700 ducats
"""

ROSTERIZER = """++ Army Roster (Trench Crusade - New Antioch) [700 Ducats] ++

+ Elite +

Lieutenant [135 Ducats]: Automatic Pistol [20 Ducats], Reinforced Armour [40 Ducats], Combat Helmet
Trench Cleric [60 Ducats]: Sword / Axe

+ Troops +

. 3x Yeoman: 3x Bolt-Action Rifle, 2x Bayonet
. Shocktrooper
. . Submachine Gun
. . Trench Club

++ Total: [700 Ducats] ++
Created with a list builder
"""

MARKDOWN = """# Hounds of Rome
## Papal States Intervention Force [500 Ducats]
### Elites [2]
**Brother Anselm** (Sniper Priest) - 50 ducats
* Sniper Rifle
* Standard Armour
* XP 4
* Scars: Leg Wound, Hand Wound (left)
* Skills: Sharp Eyes
### Stash
• Gas Mask (found)
• 2x Grenades
"""

CARDS = """Warband: Black Choir
Faction: Heretic Legion
Variant: Trench Ghosts

Name: Old Vasek
Type: Heretic Priest
Movement: 6"
Ranged: +2
Melee: +2
Armour: 0
Ranged weapons: Pistol
Melee weapons: Hellblade
Armour: Standard Armour
Experience: 7/18
Skills:
  Nimble
  Dodge

Name: Rag
Type: Heretic Trooper
Equipment:
  Bolt-Action Rifle
  Bayonet
Keywords: HERETIC, GHOST
"""

BARE = """New Antioch
lieutenant
automatic pistol
bayonet
yeoman
yeoman
bolt action rifle
"""

NUMBERED = """NEW ANTIOCH 700
1. Ilse "The Lamp" Lieutenant 70
2) Ottla, Yeoman, Bolt-Action Rifle, Gas Mask
3) Yeoman – Matthias
4) 2 Shocktroopers: Shotgun & Combat Helmet
"""

OWN = """The Lantern Wardens
New Antioch, plain list; led by ada; patron Warrior Saint
Rating 139 d, Battles 0

ELITE (1 of 6)
Ilse Brandt, Lieutenant, 94 d
  Mv 6"  Rg +2  Ml +2  Ar -2  Base 32
  Automatic Pistol, Sword / Axe
  Leg Wound

STASH
  Gas Mask 5 d
As it stands Sat 14 Nov, v31. Unofficial fan software.
"""

SHEET = """Ilse\tLieutenant\t70\tPistol, Sword
Ottla\tYeoman\t30\tRifle; Bayonet
Name | Unit | Cost | Kit
Ada | Trench Cleric | 60 | Trench Club
"""

CHAT = """**Elites:**
> Lieutenant “Ilse” – Polearm, SMG, Standard Armour = 122
**Troops:**
> 2x Shocktroopers with Shotguns (10d each)
> 1 Combat Medic
Yeoman #1 (rifle)
Yeoman #2 - rifle, helmet = 40
40 ducats left
"""

GHOSTS = """Warband Name: Black Choir
Faction: Heretic Legion - Trench Ghosts
Rating: 655  Ducats: 45  Glory: 2

Heretic Priest "Vasek the Old" (80 ducats)
  Battlekit: Pistol, Sword/Axe, Infernal Brand Mark (15)
  XP: 6  Scars: 2
  Injuries: Hand Wound - left
5 x Wretched (125) w/ Trench Club
Death Commando
 + Standard Armour
 + 2 Knives
Total cost: 700 Ducats, 0 Glory
"""

RIFLE, BLADE = "Bolt-Action Rifle", "Sword / Axe"

# text: list, warband's name, fighters (name, profile, kit, skills and scars), stash
TEXTS: dict[str, tuple[str, str, str, list[tuple[str, str, list[str], list[str]]], list[str]]] = {
    "scroll": (SCROLL, "new-antioch", "The Lantern Wardens", [
        ("Ilse Brandt", "Lieutenant", ["Automatic Pistol", BLADE, "Standard Armour"], []),
        ("Yeoman", "Yeoman", [RIFLE, "Bayonet"], []),
        ("Yeoman 2", "Yeoman", [RIFLE, "Bayonet"], []),
        ("Yeoman 3", "Yeoman", [RIFLE, "Bayonet"], []),
        ("Shocktrooper", "Shocktrooper", ["Submachine Gun", "Trench Shield"], []),
        ("Yeoman 4", "Yeoman", [RIFLE], []),
        ("Yeoman 5", "Yeoman", [RIFLE], []),
    ], []),
    "rosterizer": (ROSTERIZER, "new-antioch", "", [
        ("Lieutenant", "Lieutenant", ["Automatic Pistol", "Reinforced Armour", "Combat Helmet"], []),
        ("Trench Cleric", "Trench Cleric", [BLADE], []),
        ("Yeoman", "Yeoman", [RIFLE, "Bayonet"], []),
        ("Yeoman 2", "Yeoman", [RIFLE, "Bayonet"], []),
        ("Yeoman 3", "Yeoman", [RIFLE], []),
        ("Shocktrooper", "Shocktrooper", ["Submachine Gun", "Trench Club"], []),
    ], []),
    "markdown": (MARKDOWN, "papal-states-intervention-force", "Hounds of Rome", [
        ("Brother Anselm", "Sniper Priest", ["Sniper Rifle", "Standard Armour"], ["Sharp Eyes", "Leg Wound", "Hand Wound"]),
    ], ["Gas Mask", "Grenades", "Grenades"]),
    "cards": (CARDS, "trench-ghosts", "Black Choir", [
        ("Old Vasek", "Heretic Priest", ["Pistol / Revolver", "Hellblade", "Standard Armour"], ["Nimble", "Dodge"]),
        ("Rag", "Heretic Trooper", [RIFLE, "Bayonet"], []),
    ], []),
    "bare": (BARE, "new-antioch", "", [
        ("Lieutenant", "Lieutenant", ["Automatic Pistol", "Bayonet"], []),
        ("Yeoman", "Yeoman", [], []),
        ("Yeoman 2", "Yeoman", [RIFLE], []),
    ], []),
    "numbered": (NUMBERED, "new-antioch", "", [
        ('Ilse "The Lamp"', "Lieutenant", [], []),
        ("Ottla", "Yeoman", [RIFLE, "Gas Mask"], []),
        ("Matthias", "Yeoman", [], []),
        ("Shocktrooper", "Shocktrooper", ["Shotgun", "Combat Helmet"], []),
        ("Shocktrooper 2", "Shocktrooper", ["Shotgun", "Combat Helmet"], []),
    ], []),
    "sheet": (
        SHEET, "new-antioch", "", [
            ("Ilse", "Lieutenant", ["Pistol / Revolver", BLADE], []), ("Ottla", "Yeoman", [RIFLE, "Bayonet"], []),
            ("Ada", "Trench Cleric", ["Trench Club"], []),
        ], [],
    ),
    "chat": (
        CHAT, "new-antioch", "", [
            ("Ilse", "Lieutenant", ["Trench Polearm", "Submachine Gun", "Standard Armour"], []), ("Shocktrooper", "Shocktrooper", ["Shotgun"], []),
            ("Shocktrooper 2", "Shocktrooper", ["Shotgun"], []), ("Combat Medic", "Combat Medic", [], []), ("Yeoman", "Yeoman", [RIFLE], []),
            ("Yeoman 2", "Yeoman", [RIFLE, "Combat Helmet"], []),
        ], [],
    ),
    "ghosts": (
        GHOSTS, "trench-ghosts", "Black Choir", [
            ("Vasek the Old", "Heretic Priest", ["Pistol / Revolver", BLADE, "Infernal Brand Mark"], ["Hand Wound"]),
            *(("Wretched" + ("" if n == 1 else f" {n}"), "Wretched", ["Trench Club"], []) for n in range(1, 6)),
            ("Death Commando", "Death Commando", ["Standard Armour", "Knife / Dagger", "Knife / Dagger"], []),
        ], [],
    ),
    "own": (OWN, "new-antioch", "The Lantern Wardens", [
        ("Ilse Brandt", "Lieutenant", ["Automatic Pistol", BLADE], ["Leg Wound"]),
    ], ["Gas Mask"]),
}  # fmt: skip


def named(entry: Any, key: str = "item") -> str:
    return entry if isinstance(entry, str) else str(entry[key])


def read(text: str, **how: Any) -> Any:
    return GAME.text_import.read_text(CONTENT, text, **how)


def fighters_of(document: dict[str, Any]) -> list[tuple[str, str, list[str], list[str]]]:
    return [
        (
            row["name"],
            row["profile"],
            [named(x) for x in row["kit"]],
            [*row["skills"], *(named(x, "trauma") for x in row["traumas"])],
        )
        for row in document["fighters"]
    ]


@pytest.mark.parametrize("title", TEXTS)
def test_texts_as_people_paste_them_are_read_without_a_guess(title):
    text, list_id, name, fighters, stash = TEXTS[title]
    roster = read(text)
    assert roster.unread == ()
    assert roster.list_id == list_id
    assert roster.document["name"] == name
    assert fighters_of(roster.document) == fighters
    assert [named(x) for x in roster.document["stash"]] == stash


@pytest.mark.parametrize("title", TEXTS)
def test_every_line_comes_back_with_what_it_was_read_as(title):
    text = TEXTS[title][0]
    lines = read(text).reading.lines
    assert [line.text for line in lines] == text.rstrip("\n").split("\n")
    assert all(line.kind != "open" for line in lines)
    assert all(line.read_as or line.kind == "blank" for line in lines)


@pytest.mark.parametrize("title", TEXTS)
def test_the_document_of_a_text_can_be_judged(title):
    verdict = GAME.documents.judge(read(TEXTS[title][0]).document)
    assert not [p for p in verdict["problems"] if p["code"] == "unknown-name"]


@pytest.mark.parametrize(
    ("line", "kit"),
    [
        ("Yeoman: Bolt-Action Rifle, Bayonet", [RIFLE, "Bayonet"]),
        ("Yeoman - bolt action rifle; BAYONET", [RIFLE, "Bayonet"]),
        ("Yeoman (Bolt-Action Rifle, Bayonet)", [RIFLE, "Bayonet"]),
        ("Yeoman | 30 | Bolt-Action Rifle | Bayonet", [RIFLE, "Bayonet"]),
        ("Yeoman [30 ducats]: Bolt-Action Rifle [0d], Bayonet (2)", [RIFLE, "Bayonet"]),
        ("Yeoman w/ Bolt-Action Rifle + Bayonet", [RIFLE, "Bayonet"]),
        ("Yeoman, rifle and bayonet", [RIFLE, "Bayonet"]),
        ("Yeoman: 2x Grenades", ["Grenades", "Grenades"]),
        ("Yeoman: Grenades x2, Sword / Axe", ["Grenades", "Grenades", BLADE]),
        ("Yeoman: sword/axe (5 ducats)", [BLADE]),
        ("Yeoman: Pistol / Revolver, Medi-Kit", ["Pistol / Revolver", "Medi-Kit"]),
        ('Yeoman: Bolt-Action Rifle (24", 2-handed)', [RIFLE]),
        ("• Yeoman: Bolt-Action Rifle", [RIFLE]),
        ("> Yeoman — Gas Mask", ["Gas Mask"]),
    ],
)
def test_kit_is_found_behind_every_sign(line, kit):
    roster = read(f"New Antioch\n{line}")
    assert roster.unread == ()
    assert [(f[1], f[2]) for f in fighters_of(roster.document)] == [("Yeoman", kit)]


@pytest.mark.parametrize(
    "line",
    [
        "Ottla - Yeoman",
        "Yeoman - Ottla",
        "Ottla (Yeoman)",
        "Yeoman (Ottla)",
        'Yeoman "Ottla"',
        "Ottla, Yeoman",
        "Ottla: Yeoman",
        "Ottla | Yeoman | 30 ducats",
        "Ottla – Yeoman [30]: Gas Mask",
        "Ottla\nYeoman",
        "Name: Ottla\nUnit: Yeoman",
        "**Ottla** - *Yeoman*",
    ],
)
def test_a_name_is_told_from_profile_and_kit(line):
    roster = read(f"The Wardens\nNew Antioch\n{line}")
    assert roster.unread == ()
    assert [(row["name"], row["profile"]) for row in roster.document["fighters"]] == [("Ottla", "Yeoman")]


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("3x Yeoman", 3),
        ("3 x Yeoman", 3),
        ("Yeoman x3", 3),
        ("Yeoman (x3)", 3),
        ("3 Yeomen", 3),
        ("Yeoman ×2", 2),
        ("Yeomen", 1),
    ],
)
def test_fighters_alike_are_counted(said, count):
    assert [row["profile"] for row in read(f"New Antioch\n{said}").document["fighters"]] == ["Yeoman"] * count


def test_counted_kit_goes_round_among_fighters_alike():
    rows = read("New Antioch\n3x Yeoman: 3x Grenades, 2x Bayonet, Gas Mask").document["fighters"]
    assert [row["kit"] for row in rows] == [
        ["Grenades", "Bayonet", "Gas Mask"],
        ["Grenades", "Bayonet", "Gas Mask"],
        ["Grenades", "Gas Mask"],
    ]


def test_a_misspelt_name_keeps_its_place_with_its_nearest_names():
    roster = read("New Antioch\nYeoman: Bolt-Acton Rifle\nYoeman\nqwertzu asdf")
    assert [(x["line"], x["said"], x["kind"]) for x in roster.unread] == [
        (2, "Bolt-Acton Rifle", "item"),
        (3, "Yoeman", "profile"),
        (4, "qwertzu asdf", "line"),
    ]
    assert roster.unread[0]["guesses"][0] == RIFLE
    assert roster.unread[1]["guesses"] == ["Yeoman"]
    assert roster.document["fighters"][0]["kit"] == ["Bolt-Acton Rifle"]
    assert [p["code"] for p in GAME.documents.judge(roster.document)["problems"]].count("unknown-name") == 3


def test_answers_settle_what_nobody_knows():
    text = "New Antioch\nYeoman: Bolt-Acton Rifle, Wobble\nYoeman\nTeapot\nshotgnu"
    keys = {phrase.text: phrase.key for _, phrase in read(text).reading.open()}
    answers = {
        keys["Bolt-Acton Rifle"]: "item:bolt-action-rifle",
        keys["Wobble"]: "-",
        keys["Yoeman"]: "Yeoman",
        keys["Teapot"]: "-",
        keys["shotgnu"]: "shotgun",
    }
    roster = read(text, answers=answers)
    assert roster.unread == ()
    assert fighters_of(roster.document) == [("Yeoman", "Yeoman", [RIFLE], []), ("Yeoman 2", "Yeoman", ["Shotgun"], [])]


@pytest.mark.parametrize(
    ("line", "name", "kit"),
    [
        ("Combat Enginer Will Scarlet", "Will Scarlet", []),
        ("Combat Engineer 'Mad' Moll", "'Mad' Moll", []),
        ("Tam - Combat Enginer", "Tam", []),
        ("Combat Enginer", "Combat Engineer", []),
        ("Combat Enginer Bayonet", "Combat Engineer", ["Bayonet"]),
    ],
)
def test_a_guess_settled_with_the_profile_keeps_the_name_beside_it(line, name, kit):
    text = f"New Antioch\nThe Wardens\nTroops\n{line}\nYeoman: Shovel"
    first = read(text)
    assert fighters_of(first.document)[-1] == ("Yeoman", "Yeoman", ["Shovel"], [])
    answers = {phrase.key: "profile:combat-engineer" for _, phrase in first.reading.open()}
    assert len(answers) == 1
    settled = read(text, answers=answers)
    assert settled.reading.open() == ()
    assert fighters_of(settled.document) == [(name, "Combat Engineer", kit, []), ("Yeoman", "Yeoman", ["Shovel"], [])]


def test_a_line_alone_that_is_settled_keeps_the_name_beside_it():
    text = "New Antioch\nThe Wardens\nTroops\nYeoman\nCmbt Engineer Tam of the Weir\nYeoman"
    first = read(text)
    answers = {phrase.key: "profile:combat-engineer" for _, phrase in first.reading.open()}
    settled = read(text, answers=answers)
    assert ("Tam of the Weir", "Combat Engineer", [], []) in fighters_of(settled.document)


def test_an_answer_that_means_nothing_leaves_the_line_open():
    text = "New Antioch\nYeoman: Wobble"
    key = read(text).reading.open()[0][1].key
    assert [x["said"] for x in read(text, answers={key: "gibberish"}).unread] == ["Wobble"]


def test_a_line_that_stands_alone_may_turn_out_to_be_a_fighter():
    text = "Wardens\nNew Antioch\nLieutenant\nThe old one"
    key = read(text).reading.open()[0][1].key
    rows = read(text, answers={key: "profile:yeoman"}).document["fighters"]
    assert [row["profile"] for row in rows] == ["Lieutenant", "Yeoman"]


def test_prices_are_compared_and_not_taken_over():
    roster = read("New Antioch\nLieutenant (70): Automatic Pistol (25), Bayonet (2)\nYeoman [37 ducats]: Bayonet")
    assert roster.remarks == ("Automatic Pistol (Lieutenant): the text says 25 ducats, the list 20 ducats.",)


def test_the_list_is_concluded_from_profiles_only_one_list_has():
    roster = read("Highland Lieutenant\nYeoman: Bayonet")
    assert roster.list_id == "kingdom-of-alba-assault-detachment"
    assert "No list is named" in roster.remarks[0]


def test_a_text_that_fits_no_list_asks_for_it():
    roster = read("Nobody\nNothing at all\nTeapot")
    assert roster.unread[0]["kind"] == "faction"
    assert roster.document["faction"] == ""


def test_one_name_for_a_piece_and_an_upgrade_is_read_by_its_bearer():
    rows = read("New Antioch\nMechanised Heavy Infantry: Machine Armour\nLieutenant: Machine Armour").document[
        "fighters"
    ]
    assert (rows[0]["upgrades"], rows[0]["kit"]) == (["Machine Armour"], [])
    assert (rows[1]["upgrades"], rows[1]["kit"]) == ([], ["Machine Armour"])


def test_a_troop_listed_among_the_elite_was_promoted():
    roster = read("New Antioch\nELITE\nOttla - Yeoman\nTROOPS\nMatthias - Yeoman")
    assert [row["promoted"] for row in roster.document["fighters"]] == [True, False]
    assert "Ottla stands among the ELITE: read as promoted." in roster.remarks


def test_several_labels_on_one_line_are_all_read():
    roster = read(GHOSTS)
    vasek = roster.document["fighters"][0]
    assert (vasek["experience"], vasek["scars"]) == (6, 2)
    assert vasek["traumas"] == [{"trauma": "Hand Wound", "details": {"hand": "left"}}]
    assert roster.document["record"]["strongbox"] == {"ducats": 45, "glory": 2}


def test_what_is_left_of_the_money_is_the_strongbox():
    assert read(CHAT).document["record"]["strongbox"] == {"ducats": 40, "glory": 0}
    assert read(CHAT).remarks == ("No list is named; the profiles are those of The Principality of New Antioch.",)


def test_campaign_lines_are_read():
    document = read(
        "Wardens\nNew Antioch\nBattles fought: 3\nStrongbox: 40 ducats, 2 glory\nFailed promotions: 2\nLast scenario: Hill 223\n"
        "Locations: Trench Merchant (Trade), Fallen Soldier\nExploration skills: Reroll\nLasting effects: Pot of Manna\nLieutenant"
    ).document
    assert document["battles"]["fought"] == 3
    assert document["record"]["strongbox"] == {"ducats": 40, "glory": 2}
    assert document["campaign"] == {
        "promotion_misses": 2,
        "last_scenario": "hill-223",
        "locations": {"Trench Merchant": "trade", "Fallen Soldier": ""},
        "exploration_skills": ["Reroll"],
        "lasting": ["Pot of Manna"],
    }


@pytest.mark.parametrize("text", ["", " \n\t ", '{"game": "trench-crusade"}', "x" * 700, "a\n" * 900, "\0\1"])
def test_what_is_no_roster_is_refused(text):
    with pytest.raises(Refusal):
        read(text)


# --- the console ---------------------------------------------------------------------------------------------------------


def run(tmp_path: Any, text: str | bytes, *more: str) -> tuple[int, dict[str, Any], str]:
    file = tmp_path / "roster.txt"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("import_text", str(file), *more, stdout=out, stderr=err)
    except SystemExit as left:
        return int(left.code or 0), json.loads(out.getvalue()), err.getvalue()
    except CommandError as error:
        return error.returncode, {}, str(error)
    return 0, json.loads(out.getvalue()), err.getvalue()


def test_the_console_prints_a_document(tmp_path):
    status, document, _ = run(tmp_path, SCROLL)
    assert status == 0
    assert len(document["fighters"]) == 7
    assert "unread" not in document


def test_the_console_says_no_where_names_are_unknown(tmp_path):
    status, document, told = run(tmp_path, "New Antioch\nLieutenant: Shotgnu")
    assert status == 1
    assert document["unread"][0]["guesses"][0] == "Shotgun"
    assert "line 2 (Lieutenant): “Shotgnu” is not known. Is it Shotgun" in told


@pytest.mark.parametrize(
    ("text", "more"),
    [(b"", ()), (b"\xff\xfe\xff", ()), (b"Yeoman", ("--list", "nowhere")), (b"Yeoman", ("--edition", "9"))],
)
def test_the_console_refuses_what_it_cannot_read(tmp_path, text, more):
    assert run(tmp_path, text, *more)[0] == 2


def test_the_console_refuses_a_file_that_is_not_there():
    with pytest.raises(CommandError) as error:
        call_command("import_text", "/nowhere/at/all.txt")
    assert error.value.returncode == 2


def test_the_form_that_the_console_explains_is_the_form_it_reads():
    out = io.StringIO()
    call_command("import_text", "--explain", stdout=out)
    explained = out.getvalue()
    for line in (
        "Ilse Brandt - Lieutenant (70): Automatic Pistol (20), Sword/Axe, Standard Armour",
        'Yeoman "Ottla" [30 ducats]: Bolt-Action Rifle, Bayonet',
    ):
        assert line in explained
        assert read(f"New Antioch\n{line}").unread == ()


def test_a_list_named_on_the_console_settles_names_that_several_lists_have(tmp_path):
    _, document, _ = run(tmp_path, "Lieutenant", "--list", "eire-rangers")
    assert document["variant"] == "Eire Rangers"
    assert document["fighters"][0]["profile"] == "Eire Lieutenant"


@pytest.mark.parametrize(
    ("line", "name"), [('Shocktrooper "Finn": Automatic Shotgun', "Finn"), ('Lieutenant "Greta"', "Greta")]
)
def test_what_stands_in_quotes_behind_a_profile_is_a_name(line: str, name: str) -> None:
    # "Finn" is close to Fianna and "Greta" to Greatsword; nobody means them
    (fighter,) = read(f"New Antioch\n{line}").reading.fighters
    assert fighter.name == name
    assert [p.meaning.name for p in fighter.phrases if p.meaning] == (["Automatic Shotgun"] if ":" in line else [])


def test_a_list_that_nobody_plays_here_is_told_so():
    elsewhere = OtherList("bell-ringers", "Bell Ringers", "PILGRIM", "faithful")
    pack = msgspec.structs.replace(CONTENT.pack, other_lists=(elsewhere,))
    smaller = compile_content(pack, read_house_rules({}))
    told = [
        line.read_as for line in GAME.text_import.read_text(smaller, "The Bell\nBell Ringers\nYeoman").reading.lines
    ]
    assert "a list that is not played here; Bell Ringers" in told
    told = [line.read_as for line in read("The Bell\nEire Rangers\nYeoman").reading.lines]
    assert "the list; Eire Rangers" in told


# --- names with signs in them, kit named as fighters are, and fighters whose kind is misspelt ------------------------------


def rows_of(*lines):
    document = read("\n".join(("Wardens", "New Antioch", *lines))).document
    return [
        (row["name"], row["profile"], [one if isinstance(one, str) else one["item"] for one in row["kit"]])
        for row in document["fighters"]
    ]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("#3 - Lieutenant (70)", "#3"),
        ("Big Mac: the loud - Lieutenant (70)", "Big Mac: the loud"),
        ("Ruth; the 2nd - Lieutenant", "Ruth; the 2nd"),
        ("M. & N. - Lieutenant", "M. & N."),
        ("Sgt. Hart (the younger) - Lieutenant", "Sgt. Hart (the younger)"),
        ('Old "Bess" - Lieutenant', 'Old "Bess"'),
        ("Lieutenant 'The Butcher' (70)", "The Butcher"),
        ('Lieutenant "Big Mac: the loud" (70)', "Big Mac: the loud"),
        ('Lieutenant "007" (70)', "007"),
        ('Lieutenant "小林" (70)', "小林"),
    ],
)
def test_a_name_keeps_the_signs_in_it(line, name):
    assert rows_of(line) == [(name, "Lieutenant", [])]


def test_what_stands_below_a_fighter_is_its_kit_though_a_fighter_is_called_so():
    kit = ["Trench Dog", "Pistol / Revolver", "Bayonet"]
    assert rows_of("Yeoman (30)", "> Trench Dog, Pistol, Bayonet") == [("Yeoman", "Yeoman", kit)]


def test_a_misspelt_fighter_is_found_behind_a_name_with_signs_and_before_kit_that_is_called_as_one():
    open_ones = read("Wardens\nNew Antioch\nYeoman (30)\nRuth; the 2nd - Liutenant (70): Trench Dog, Bayonet").unread
    assert [(one["said"], one["guesses"][0]) for one in open_ones] == [("Liutenant", "Lieutenant")]


@pytest.mark.parametrize("kit", [("  - Bayonet", "  - Gas Mask"), ("> Bayonet, Gas Mask",)])
def test_kit_below_a_fighter_of_an_unknown_kind_never_goes_to_the_one_above(kit):
    roster = read("\n".join(("Wardens", "New Antioch", "Yeoman (30)", "Bob the Weird (40)", *kit)))
    yeoman, bob = roster.document["fighters"]
    assert (yeoman["kit"], bob["kit"]) == ([], ["Bayonet", "Gas Mask"])
    assert [one["kind"] for one in roster.unread] == ["profile"]


def test_an_unknown_fighter_with_kit_behind_it_is_one_too():
    roster = read("Wardens\nNew Antioch\nYeoman (30)\nBob the Weird (40): Bayonet, Gas Mask")
    assert [row["kit"] for row in roster.document["fighters"]] == [[], ["Bayonet", "Gas Mask"]]


@pytest.mark.parametrize(
    ("said", "kit"),
    [
        ("Bayonet and Gas Mask", ["Bayonet", "Gas Mask"]),
        ("Shotgun and Axe", ["Shotgun", "Sword / Axe"]),
        ("sword", ["Sword / Axe"]),
        ("Shotgun and Trench Dog (Guard Dog)", ["Shotgun", "Trench Dog (Guard Dog)"]),
    ],
)
def test_kit_joined_by_and_is_several_pieces(said, kit):
    assert rows_of(f"Yeoman with {said}") == [("Yeoman", "Yeoman", kit)]


def test_one_misspelt_piece_of_two_leaves_the_other_known():
    roster = read("Wardens\nNew Antioch\nYeoman with Bayonet and Gas Maask")
    assert [one["said"] for one in roster.unread] == ["Gas Maask"]


def test_a_fighter_called_as_a_total_is_is_a_fighter():
    assert rows_of("Left - Yeoman (30)", "Total - Yeoman [30]") == [("Left", "Yeoman", []), ("Total", "Yeoman", [])]


def test_a_patron_beside_the_list_is_the_patron():
    assert read("Wardens\nNew Antioch, Warrior Saint\nYeoman").document["patron"] == "Warrior Saint"


def test_a_misspelt_short_word_is_the_usual_piece_first():
    (asked,) = read("Wardens\nNew Antioch\nYeoman: Axxe").unread
    assert asked["guesses"][0] == "Sword / Axe"
