"""The Heretic Naval Raiders of Carcass Front: figures pinned by hand, warbands that are legal and not, and what stays apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.force import Battles, Force
from rules.parts.post_battle import Aftermath, BattleSide, StepRecord
from rules.price import Price
from rules.registry import system
from rules.trench_crusade import post_battle
from rules.trench_crusade.documents.reader import read_with_content
from tests.unit.rules import evening

GAME = system("trench-crusade")
ID, GRENADES = "tc-2026-09-naval-raiders", "tc-2026-04-grenades"
CONTENT: Any = GAME.content("1.0", (ID,))
RAIDERS, CHOIR, SHOAL = "heretic-naval-raiders", "drowned-choir", "leviathan-shoal"
ALL = (RAIDERS, CHOIR, SHOAL)
OLD = "heretic-naval-raiding-party"

# row: price ("g" glory), limit, who; "e" ELITE only. Read off the armoury by hand.
ARMOURY = """
Anti-Materiel Rifle g3 1|Automatic Rifle g2 2|Automatic Shotgun 15|Bolt-Action Rifle 10|Flamethrower 30 3|Grenade Launcher 30 2
Heavy Flamethrower 55 2|Machine Gun 50 1|Pistol 6|Semi-Automatic Rifle 15|Shotgun 10|Silenced Pistol 15 e|Submachine Gun 25
Bayonet 2|Blasphemous Staff g2 e|Boarding Axe 10|Great Hammer/Maul 10|Great Sword/Axe 12|Hellblade g1 2|Hull Drill 20 c|Polearm 7
Sacrificial Blade 23 2 e|Sword/Axe 4|Tartarus Claws 15 c|Trench Club 3|Trench Knife 1|Wrecker's Torch 15 e
Frag Grenades 7|Gas Grenades 10|Incendiary Grenades 15|Trench Shield 10|Reinforced Armour 40 a|Standard Armour 15
Combat Helmet 5|Gas Mask 5|Hellbound Soul Contract 5 3 r|Incendiary Ammunition 15 1|Infernal Brand 5|Mountaineer Kit 3 2
Musical Instrument 15 1|Shark Tooth Talisman 10|Shovel 5|Troop Flag g1 1|Unholy Relic 15|Unholy Trinket 15
"""
WHO = {
    "e": "only ELITE models", "c": "only Abyssal Commandos", "a": "only ELITE models and Anointed Heretic Raiders",
    "r": "only Heretic Raiders and Legionnaires", "": "",
}  # fmt: skip
ROWS = [row.strip() for line in ARMOURY.strip().splitlines() for row in line.split("|")]


def row_of(text: str) -> tuple[str, tuple[int, int], int | None, str]:
    words = text.split()
    who = words.pop() if words[-1] in ("e", "c", "a", "r") else ""
    limit = int(words.pop()) if words[-2].lstrip("g").isdigit() else None
    price = words.pop()
    paid = (0, int(price[1:])) if price.startswith("g") else (int(price), 0)
    return " ".join(words), paid, limit, WHO[who]


def offers_of(list_id: str, name: str) -> list[Any]:
    item = CONTENT.resolve("item", name, list_id)
    return [o for o in CONTENT.lists[list_id].item_offers if o.item == item and not o.exploration_only]


@pytest.mark.parametrize("row", ROWS)
def test_every_row_of_the_armoury(row: str) -> None:
    name, paid, limit, who = row_of(row)
    for list_id in ALL:
        (offer,) = offers_of(list_id, name)
        if (list_id, name) == (SHOAL, "Sacrificial Blade"):
            limit, who = 4, WHO["a"]
        assert ((offer.price.ducats, offer.price.glory), offer.limit) == (paid, limit)
        if who:
            assert offer.who_words == who
        elif name not in ("Bayonet", "Incendiary Ammunition"):
            assert offer.who_words == ""


def test_the_armoury_has_forty_five_rows_and_no_other() -> None:
    assert len(ROWS) == 45
    for list_id in ALL:
        sold = [o.item for o in CONTENT.lists[list_id].item_offers if not o.exploration_only]
        assert sorted(sold) == sorted(CONTENT.resolve("item", row_of(row)[0], list_id) for row in ROWS)


# item: hands when fighting, keywords, stipulations
ITEMS = [
    ("Blasphemous Staff", 1, "CRITICAL, FIRE", ""),
    ("Boarding Axe", 1, "ARMOUR PIERCING, CRITICAL, RISKY", ""),
    ("Hull Drill", 1, "CRITICAL, HELD, IGNORE ARMOUR, RISKY", ""),
    ("Sacrificial Blade", 1, "+2 INJURY MODIFIER, RISKY", ""),
    ("Shark Tooth Talisman", 0, "CONSUMABLE, NEGATE FEAR", ""),
    ("Tartarus Claws", 2, "CLEAVE 2, CRITICAL, CUMBERSOME", ""),
    ("Wrecker's Torch", 2, "ARMOUR PIERCING, BLOCK, CUMBERSOME, FIRE", "SHIELD COMBO"),
]


@pytest.mark.parametrize(("name", "hands", "keywords", "more"), ITEMS)
def test_the_lines_of_their_own_battlekit(name: str, hands: int, keywords: str, more: str) -> None:
    item = CONTENT.items[CONTENT.resolve("item", name, RAIDERS)]
    assert item.hands.melee == hands
    assert ", ".join(sorted(item.keywords)) == keywords
    assert ", ".join(item.stipulations) == more


def test_the_bomb_of_the_sea_hag_is_that_of_the_witch() -> None:
    bomb, witch = CONTENT.items[CONTENT.resolve("item", "Infernal Bomb", RAIDERS)], CONTENT.items["infernal-bomb"]
    assert bomb.id == "sea-hag-infernal-bomb"
    for field in ("category", "slot", "hands", "range_inches", "keywords", "effects", "built_in"):
        assert getattr(bomb, field) == getattr(witch, field)
    assert CONTENT.resolve("item", "Infernal Bomb", "heretic-legion") == "infernal-bomb"


# profile: price, least-most on each of the three lists ("" none), movement, ranged, melee, armour with kit, base, keywords
PROFILES = [
    ("Heretic Captain", RAIDERS, 80, 1, 1, (6, 2, 2, 0, 32), "ELITE HERETIC LEADER TOUGH"),
    ("Heretic Captain", SHOAL, 80, 1, 1, (6, 2, 2, 0, 32), "ELITE HERETIC LEADER STRONG TOUGH"),
    ("Abyssal Commando", RAIDERS, 90, 0, 1, (6, 1, 2, 0, 32), "ELITE HERETIC INFILTRATOR"),
    ("Abyssal Commando", SHOAL, 90, 0, 1, (6, 1, 2, 0, 32), "ELITE HERETIC INFILTRATOR"),
    ("Drowned Chorister", RAIDERS, 65, 0, 1, (6, -2, 2, 0, 32), "ELITE FEAR HERETIC"),
    ("Drowned Chorister", CHOIR, 65, 1, 3, (6, -2, 2, 0, 32), "ELITE FEAR HERETIC"),
    ("Heretic Raider", RAIDERS, 30, 0, None, (6, 0, 0, 0, 25), "HERETIC"),
    ("Heretic Raider", CHOIR, 30, 0, None, (6, 0, 0, 0, 25), "HERETIC"),
    ("Heretic Raider", SHOAL, 30, 0, None, (6, 0, 0, 0, 25), "HERETIC"),
    ("Wretched", RAIDERS, 25, 0, None, (6, -1, -1, 0, 25), "HERETIC"),
    ("Wretched", CHOIR, 30, 0, None, (6, -1, 0, 0, 25), "HERETIC"),
    ("Anointed Heretic Raider", RAIDERS, 95, 0, 2, (6, 1, 1, -2, 32), "HERETIC NEGATE_FIRE STRONG"),
    ("Anointed Heretic Raider", SHOAL, 95, 0, 4, (6, 1, 1, -2, 32), "HERETIC NEGATE_FIRE STRONG"),
    ("Sea Hag", RAIDERS, 100, 0, 1, (6, 0, -1, 0, 32), "ARTIFICIAL HERETIC NEGATE_FEAR NEGATE_GAS"),
]
HIRED = {(name, list_id) for name, list_id, *_ in PROFILES}


def roster(list_id: str, *fighters: tuple[Any, ...], overlays: tuple[str, ...] = (ID,)) -> dict[str, Any]:
    variant = None if list_id == RAIDERS else CONTENT.lists[list_id].army.name
    rows = [
        {"name": f"F{n}", "profile": who, "kit": list(kit), "upgrades": list(upgrades)}
        for n, (who, kit, upgrades) in enumerate((*one, (), ())[:3] for one in fighters)
    ]
    return {
        "game": "trench-crusade", "edition": "1.0", "overlays": list(overlays), "faction": "Heretic Naval Raiders",
        "variant": variant, "mode": "campaign", "scope": "roster", "budget": {"ducats": 1500, "glory": 20},
        "battles": {"fought": 0, "credited": 0}, "fighters": rows, "stash": [],
    }  # fmt: skip


def views(document: dict[str, Any]) -> list[Any]:
    content, force, problems = read_with_content(document)
    assert problems == ()
    found = GAME.views(content, force)
    return [found[f.key] for f in force.fighters]


def codes(document: dict[str, Any]) -> list[str]:
    return sorted(problem["code"] for problem in GAME.documents.judge(document)["problems"])


@pytest.mark.parametrize(("name", "list_id", "price", "least", "most", "stats", "keywords"), PROFILES)
def test_every_profile(
    name: str, list_id: str, price: int, least: int, most: int | None, stats: tuple[int, ...], keywords: str
) -> None:
    (offer,) = [o for o in CONTENT.lists[list_id].profile_offers if CONTENT.profiles[o.profile].name == name]
    assert (offer.price.ducats, offer.price.glory, offer.least, offer.most) == (price, 0, least, most)
    (view,) = views(roster(list_id, (name,)))
    assert tuple(view.stats[key].value or 0 for key in ("movement", "ranged", "melee", "armour", "base")) == stats
    assert {word.name for word in view.keywords} == {word.replace("_", " ") for word in keywords.split()}


def test_nobody_else_is_hired_but_mercenaries() -> None:
    own = {
        (CONTENT.profiles[o.profile].name, list_id)
        for list_id in ALL
        for o in CONTENT.lists[list_id].profile_offers
        if o.hired_as == "own"
    }
    assert own == HIRED
    for list_id in ALL:
        hired = {CONTENT.profiles[o.profile].name for o in CONTENT.lists[list_id].profile_offers if o.hired_as != "own"}
        legion = CONTENT.lists["heretic-legion"].profile_offers
        assert hired == {CONTENT.profiles[o.profile].name for o in legion if o.hired_as == "mercenary"}


# upgrade: price, limit, lists, holder
UPGRADES = [
    ("Unseen Advance", 10, 3, ALL, "Heretic Raider"),
    ("Heretic Raider Legionnaire", 10, None, ALL, "Heretic Raider"),
    ("Abyssal Armour", 5, None, (RAIDERS, SHOAL), "Abyssal Commando"),
    ("Leviathan Bell", 10, None, (RAIDERS, CHOIR), "Drowned Chorister"),
    ("Infernal Mines", 10, None, (RAIDERS,), "Sea Hag"),
    ("Leviathal Chorus", 20, 1, (CHOIR,), "Drowned Chorister"),
    ("First among Sons", 0, 1, (SHOAL,), "Anointed Heretic Raider"),
]


@pytest.mark.parametrize(("name", "price", "limit", "lists", "holder"), UPGRADES)
def test_every_upgrade(name: str, price: int, limit: int | None, lists: tuple[str, ...], holder: str) -> None:
    for list_id in ALL:
        upgrade = CONTENT.resolve("upgrade", name, RAIDERS)
        offers = CONTENT.lists[list_id].by_upgrade.get(upgrade, ())
        assert len(offers) == (list_id in lists)
        for offer in offers:
            assert ((offer.price.ducats, offer.price.glory), offer.limit) == ((price, 0), limit)
            kit = ["Reinforced Armour"] if name == "Abyssal Armour" else []
            more = [("Heretic Raider",)] if holder == "Heretic Raider" else []
            told = GAME.documents.judge(roster(list_id, (holder, kit, [name]), *more))["problems"]
            assert [p for p in told if p["code"] in ("only-for", "not-offered", "needs", "warband-limit")] == []


def test_a_legionnaire_shoots_or_fights_better() -> None:
    for option, stat in (("Ranged Legionnaire", "ranged"), ("Melee Legionnaire", "melee")):
        document = roster(RAIDERS, ("Heretic Raider", [], ["Heretic Raider Legionnaire", option]), ("Heretic Raider",))
        legionnaire, raider = views(document)
        assert (legionnaire.stats[stat].value, raider.stats[stat].value) == (1, 0)


def test_no_more_legionnaires_than_raiders() -> None:
    legionnaire = ("Heretic Raider", [], ["Melee Legionnaire"])
    captain, raider = ("Heretic Captain",), ("Heretic Raider",)
    assert codes(roster(RAIDERS, captain, legionnaire, legionnaire, raider, raider)) == []
    assert codes(roster(RAIDERS, captain, legionnaire, legionnaire, raider)) == ["warband-limit"]


def test_what_a_commando_may_carry() -> None:
    captain = ("Heretic Captain",)
    for kit, found in (
        (["Silenced Pistol", "Gas Grenades", "Tartarus Claws"], []),
        (["Hull Drill", "Boarding Axe"], []),
        (["Hull Drill", "Tartarus Claws"], ["hands"]),
        (["Shotgun"], ["banned"]),
        (["Frag Grenades"], ["banned"]),
    ):
        document = roster(RAIDERS, captain, ("Abyssal Commando", kit))
        assert codes(document) == found
    assert codes(roster(RAIDERS, captain, ("Heretic Raider", ["Hull Drill"]))) == ["only-for"]
    assert codes(roster(RAIDERS, captain, ("Heretic Raider", ["Tartarus Claws"]))) == ["only-for"]


def test_abyssal_armour_asks_for_the_suit_it_is_part_of() -> None:
    captain = ("Heretic Captain",)
    bare, plain = (
        ("Abyssal Commando", [], ["Abyssal Armour"]),
        ("Abyssal Commando", ["Standard Armour"], ["Abyssal Armour"]),
    )
    assert codes(roster(RAIDERS, captain, bare)) == ["needs"]
    assert codes(roster(RAIDERS, captain, plain)) == ["needs"]
    assert codes(roster(RAIDERS, captain, ("Abyssal Commando", ["Reinforced Armour"], ["Abyssal Armour"]))) == []
    assert codes(roster(RAIDERS, captain, ("Heretic Raider", [], ["Abyssal Armour"]))) == ["needs", "only-for"]


def test_a_held_drill_leaves_one_hand_to_shoot() -> None:
    (view,) = views(roster(RAIDERS, ("Abyssal Commando", ["Hull Drill"])))
    assert (view.hands_ranged, view.hands_melee) == ((0, 1), (1, 2))


def test_what_the_wretched_and_the_hag_may_carry() -> None:
    captain = ("Heretic Captain",)
    assert codes(roster(RAIDERS, captain, ("Wretched", ["Trench Club", "Boarding Axe"]))) == []
    assert codes(roster(RAIDERS, captain, ("Wretched", ["Great Sword/Axe"]))) != []
    assert codes(roster(RAIDERS, captain, ("Wretched",))) != []
    assert codes(roster(RAIDERS, captain, ("Sea Hag", ["Standard Armour", "Polearm"]))) == []
    assert codes(roster(RAIDERS, captain, ("Sea Hag", ["Pistol"]))) != []
    assert codes(roster(RAIDERS, captain, ("Sea Hag", ["Gas Grenades"]))) != []


def test_the_chorus_leads_the_choir() -> None:
    chorister, chorus = ("Drowned Chorister",), ("Drowned Chorister", [], ["Leviathal Chorus", "Leviathan Bell"])
    assert codes(roster(CHOIR, chorus)) == []
    assert codes(roster(CHOIR, chorister)) == ["no-leader"]
    assert codes(roster(CHOIR, ("Heretic Raider",))) == ["no-leader", "too-few"]
    assert codes(roster(CHOIR, chorus, chorus)) == ["warband-limit"]
    assert codes(roster(CHOIR, chorus, chorister, chorister, chorister)) == ["too-many"]
    leader, voice = views(roster(CHOIR, chorus, chorister))
    assert (leader.leader, voice.leader, leader.rating.ducats) == (True, False, 95)
    assert (leader.has("LEADER"), leader.has("TOUGH"), voice.has("LEADER")) == (True, True, False)
    assert (leader.stats["base"].value, voice.stats["base"].value) == (40, 32)
    assert {a.name for a in leader.abilities if a.state != "lost"} == {"Dread Harmony"}
    told = GAME.documents.judge(roster(CHOIR, chorister))["problems"][0]
    assert "Leviathal Chorus" in told["mend"]


@pytest.mark.parametrize("who", ["Heretic Captain", "Abyssal Commando", "Anointed Heretic Raider", "Sea Hag"])
def test_who_does_not_sing_in_the_choir(who: str) -> None:
    chorus = ("Drowned Chorister", [], ["Leviathal Chorus"])
    assert codes(roster(CHOIR, chorus, (who,))) == ["not-offered"]


def test_the_shoal_has_no_more_guns_than_blades() -> None:
    captain, sword = ("Heretic Captain",), ("Heretic Raider", ["Sword/Axe"])
    gun = ("Heretic Raider", ["Shotgun"])
    assert codes(roster(SHOAL, captain, gun)) == ["ratio"]
    assert codes(roster(SHOAL, captain, gun, sword)) == []
    assert codes(roster(SHOAL, captain, ("Heretic Raider", ["Bolt-Action Rifle", "Bayonet"]))) == []
    assert codes(roster(SHOAL, captain, ("Heretic Raider", ["Frag Grenades"]))) == []
    assert codes({**roster(SHOAL, captain, sword), "stash": ["Pistol", "Pistol"]}) == ["ratio"]
    assert codes({**roster(SHOAL, captain, gun), "stash": ["Trench Club"]}) == []
    assert "banned" in codes(roster(SHOAL, captain, ("Heretic Raider", ["Machine Gun"]), sword, sword))
    assert codes(roster(RAIDERS, captain, gun)) == []


def test_four_sons_one_of_them_elite_and_four_blades() -> None:
    captain, son = ("Heretic Captain",), ("Anointed Heretic Raider", ["Sacrificial Blade"])
    chosen = ("Anointed Heretic Raider", ["Sacrificial Blade"], ["First among Sons"])
    assert codes(roster(SHOAL, captain, chosen, son, son, son)) == []
    assert codes(roster(SHOAL, captain, chosen, son, son, son, ("Anointed Heretic Raider",))) == ["too-many"]
    assert codes(roster(SHOAL, captain, chosen, chosen, son)) == ["warband-limit"]
    _, first, second = views(roster(SHOAL, captain, chosen, son))
    assert (first.elite, second.elite, first.rating, second.rating.ducats) == (True, False, second.rating, 118)
    assert "only-for" in codes(roster(RAIDERS, captain, son))


@pytest.mark.parametrize("who", ["Drowned Chorister", "Wretched", "Sea Hag"])
def test_who_does_not_swim_in_the_shoal(who: str) -> None:
    assert "not-offered" in codes(roster(SHOAL, ("Heretic Captain",), (who, ["Trench Club"])))


def test_three_may_go_unseen_and_none_of_the_elite() -> None:
    captain, unseen = ("Heretic Captain",), ("Heretic Raider", [], ["Unseen Advance"])
    assert codes(roster(RAIDERS, captain, unseen, unseen, unseen)) == []
    assert codes(roster(RAIDERS, captain, unseen, unseen, unseen, unseen)) == ["warband-limit"]
    assert codes(roster(RAIDERS, ("Heretic Captain", [], ["Unseen Advance"]))) == ["only-for"]
    _, raider = views(roster(RAIDERS, captain, unseen))
    assert raider.has("INFILTRATOR")


def test_incendiary_grenades_follow_the_grenades_of_april() -> None:
    for overlays, price in (((ID,), 15), ((ID, GRENADES), 10)):
        content: Any = GAME.content("1.0", overlays)
        assert content.item_offers["naval-raiders-incendiary-grenades"].price.ducats == price


# --- the old variant stays what it is


def test_the_two_lists_of_one_name_stay_apart() -> None:
    _, force, problems = read_with_content(roster(RAIDERS, ("Heretic Captain",)))
    assert (force.list, problems) == (RAIDERS, ())
    for variant in ("Heretic Naval Raiders", "Naval Raiders", OLD):
        old = {**roster(RAIDERS, ("Heretic Priest",)), "faction": "Heretic Legion", "variant": variant}
        _, force, problems = read_with_content(old)
        assert (force.list, problems) == (OLD, ())
    content, force, _ = read_with_content({**old, "overlays": []})
    assert force.list == OLD
    assert GAME.documents.write_document(content, force)["variant"] == "Heretic Naval Raiders"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Heretic Naval Raiders\nHeretic Captain: Pistol\nHeretic Raider: Shotgun", RAIDERS),
        ("Heretic Naval Raiders\nHeretic Priest: Pistol\nHeretic Trooper: Shotgun", OLD),
        ("Heretic Legions - Heretic Naval Raiders\nWretched: Trench Club", OLD),
        ("Heretic Naval Raiders\nWretched: Trench Club", ""),
        ("The Drowned Choir\nWretched: Trench Club", CHOIR),
    ],
)
def test_a_pasted_roster_is_of_the_list_that_its_fighters_fit_or_asks(text: str, found: str) -> None:
    read = GAME.text_import.read_text(CONTENT, text)
    assert read.list_id == found
    if not found:
        (asked,) = [part for part in read.unread if part["kind"] == "faction"]
        assert set(asked["guesses"]) == {"Naval Raiders", "Naval Raiders (Carcass Front)"}


# --- at the table and between the battles


def test_every_ready_warband_is_legal_and_named() -> None:
    ready = [sample for sample in GAME.founding.samples(CONTENT) if sample[2] in ALL]
    assert {list_id for _, _, list_id, _ in ready} == set(ALL)
    for id_, name, list_id, _ in ready:
        document = GAME.founding.sample(CONTENT, id_)
        answer = GAME.documents.judge(document)
        assert (answer["problems"], document["name"]) == ([], name)
        assert 650 <= answer["rating"]["ducats"] <= 700
        _, force, _ = read_with_content(document)
        assert force.list == list_id


def test_finds_of_the_legions_are_theirs_too() -> None:
    for place, option in (("survivor", "heretic-wretched"), ("snipers-nest", "heretic-legions")):
        found = next(o for o in CONTENT.locations[place].options if o.id == option)
        assert RAIDERS in found.lists


def test_a_wretched_of_the_choir_is_a_wretched_to_mammon() -> None:
    debtor = evening.fighter("c", "drowned-chorister", "Tannin", skills=("eternal-debt",))
    thrall = evening.fighter("w", "wretched-of-the-choir", "Eel", kit=("trench-club",))
    force = Force(
        GAME.id,
        "1.0",
        CHOIR,
        patron="mammon",
        founding=False,
        strongbox=Price(),
        battles=Battles(1),
        fighters=(debtor, thrall),
    )
    mine = BattleSide(
        "mine", "The Choir", CHOIR, "HERETIC", False, took_part=("c", "w"), out=("w",), out_by={"w": "foe"}
    )
    battle = Aftermath("b1", 1, "relic-hunt", mine, (BattleSide("foe", "Others", "new-antioch", "NEW ANTIOCH", True),))
    tasks = {task.key: task for task in post_battle.tasks(CONTENT, force, battle, StepRecord(), "trauma")}
    assert evening.settle(tasks["casualty-w"], ()).consequences == ()
    owing = replace(force, fighters=(replace(debtor, skills=()), thrall))
    tasks = {task.key: task for task in post_battle.tasks(CONTENT, owing, battle, StepRecord(), "trauma")}
    assert evening.settle(tasks["casualty-w"], (1,)).consequences


def test_the_books_and_the_list_choice_tell_the_two_apart() -> None:
    names = {choice.id: choice.name for choice in GAME.founding.lists(CONTENT)}
    assert (names[RAIDERS], names[OLD]) == ("Heretic Naval Raiders (Carcass Front)", "Heretic Naval Raiders")
    assert len(set(names.values())) == len(names)
    told = {entry.id: entry.name for entry in GAME.rulebook.entries(CONTENT) if entry.kind == "list"}
    assert (told[RAIDERS], told[OLD]) == (names[RAIDERS], names[OLD])
    plain = {choice.id: choice.name for choice in GAME.founding.lists(GAME.content("1.0"))}
    assert plain[OLD] == "Heretic Naval Raiders"
