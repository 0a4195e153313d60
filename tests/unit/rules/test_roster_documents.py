"""Roster documents of Trench Crusade 1.6.3: read with distrust, written without loss, judged by the whole book."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.force import ForceFighter, ForceItem
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system

GAME = system("trench-crusade")
CONTENT = GAME.content("1.6.3")
OPEN = GAME.content("1.6.3", house_rules={"third_party": True})
NEW_ANTIOCH, HERETICS = "The Principality of New Antioch", "Heretic Legion"
Row = dict[str, Any]


def row(profile: str, *kit: Any, upgrades: tuple[str, ...] = (), name: str = "", **more: Any) -> Row:
    return {"profile": profile, "name": name, "kit": list(kit), "upgrades": list(upgrades), **more}


def paper(*fighters: Row, faction: str = NEW_ANTIOCH, **more: Any) -> Row:
    named = [{**f, "name": f["name"] or f"{f['profile']} {n}"} for n, f in enumerate(fighters, 1)]
    return {"game": "trench-crusade", "edition": "1.6.3", "faction": faction, "fighters": named, **more}


def judged(document: Row) -> Row:
    answer: Row = GAME.documents.judge(json.loads(json.dumps(document)))
    return answer


def codes(document: Row) -> list[str]:
    return [p["code"] for p in judged(document)["problems"]]


LIEUTENANT = row("Lieutenant", "Automatic Pistol", "Sword/Axe", "Reinforced Armour", "Combat Helmet")
PRIEST = row("Heretic Priest")

LEGAL = {
    "a plain company": paper(
        LIEUTENANT,
        row("Sniper Priest", "Sniper Rifle", "Standard Armour"),
        row("Yeoman"),
        row("Yeoman", "Bolt-Action Rifle", "Bayonet"),
        row("Yeoman", "Shotgun", "Trench Shield", upgrades=("Trench Mole",)),
        row("Shocktrooper", "Shotgun", "Trench Shield", "Sword/Axe", "Standard Armour", "Grenades", "Gas Mask"),
        stash=[{"item": "Gas Mask", "origin": "found"}],
    ),
    "heavy infantry": paper(
        LIEUTENANT,
        row("Mechanised Heavy Infantry", "Machine Gun", upgrades=("Machine Armour",)),
        row("Mechanised Heavy Infantry", "Reinforced Armour"),
        row("Mechanised Heavy Infantry", "Heavy Ballistic Shield", "Heavy Shotgun", upgrades=("Machine Armour",)),
        row("Combat Engineer", "Engineer Body Armour", "Shovel", "Satchel Charge"),
    ),
    "the Papal States": paper(
        row("Lector", "Pistol / Revolver"),
        row("Lieutenant", upgrades=("Swiss Guard",)),
        *[row("Yeoman", upgrades=("Swiss Guard",)) for _ in range(4)],
        variant="Papal States Intervention Force",
        stash=[{"item": "Crucifix of the Supreme Pontiff", "origin": "starting"}],
    ),
    "Eire Rangers": paper(
        row("Eire Lieutenant", "Trench Shield", upgrades=("Berserker",)),
        row("Shocktrooper", "Standard Armour", upgrades=("Fianna",)),
        variant="Eire Rangers",
    ),
    "Alba": paper(
        row("Highland Lieutenant", "Greatsword / Greataxe"),
        row("Highland Mechanised Infantry", "Greatsword / Greataxe", upgrades=("Highland Machine Armour",)),
        variant="Alba",
    ),
    "Abyssinia": paper(
        row("Lieutenant", upgrades=("Chewa",)),
        row("Holy Warrior"),
        row("Holy Warrior"),
        row("Yeoman", "Machine Gun"),
        row("Yeoman", "Satchel Charge", upgrades=("Vanguard",)),
        variant="Expeditionary Forces of Abyssinia",
    ),
    "Heretics": paper(
        PRIEST,
        row("Death Commando", "Silenced Pistol"),
        row("Heretic Trooper"),
        row("Heretic Trooper", "Bolt-Action Rifle", upgrades=("Heretic Legionnaire",)),
        row("Wretched", "Knife / Dagger"),
        row("Artillery Witch"),
        row("War Wolf Assault Beast"),
        faction=HERETICS,
    ),
    "raiders": paper(
        PRIEST,
        row("Heretic Trooper", "Submachine Gun", upgrades=("Infiltrator",)),
        row("Heretic Trooper", upgrades=("Infiltrator",)),
        row("Wretched", "Trench Club"),
        row("Anointed Heavy Infantry"),
        faction=HERETICS,
        variant="Naval Raiding Party",
    ),
    "ghosts": paper(
        row("Heretic Priest", "Tank Palanquin"),
        row("Heretic Trooper", upgrades=("Sarcophagus Mine",)),
        row("Heretic Trooper"),
        row("Barbed Wire Banshee"),
        row("Anointed Heavy Infantry"),
        faction=HERETICS,
        variant="Trench Ghosts",
    ),
    "avarice": paper(
        row("Heretic Priest of Mammon"),
        row("Goetic Warlock"),
        row("Anointed Heavy Infantry", "Semi-Automatic Rifle"),  # picked from New Antioch
        faction=HERETICS,
        variant="Knights of Avarice",
    ),
    "one evening with a mercenary": paper(
        LIEUTENANT, row("Mamluk Faris", "Jezzail", "Mamluk Greatsword"), mode="one-off"
    ),
}


@pytest.mark.parametrize("which", LEGAL)
def test_legal_rosters(which: str) -> None:
    answer = judged(LEGAL[which])
    assert answer["problems"] == []
    assert answer["legal"] is True
    assert answer["rating"]["ducats"] + answer["left"]["ducats"] in (700, 500, 900)


@pytest.mark.parametrize("which", LEGAL)
def test_a_document_is_written_and_read_without_loss(which: str) -> None:
    force, problems = GAME.documents.read_document(LEGAL[which])
    assert problems == ()
    written = GAME.documents.write_document(CONTENT, force)
    again, problems = GAME.documents.read_document(json.loads(json.dumps(written)))
    assert problems == ()
    assert GAME.documents.write_document(CONTENT, again) == written
    for before, after in zip(force.fighters, again.fighters, strict=True):
        assert (before.profile, before.offer, dict(before.choices)) == (after.profile, after.offer, dict(after.choices))
        assert [(i.item, i.origin, i.offer) for i in before.kit] == [(i.item, i.origin, i.offer) for i in after.kit]
    assert GAME.check(CONTENT, force).rating == GAME.check(CONTENT, again).rating
    assert GAME.check(CONTENT, force).left == GAME.check(CONTENT, again).left


@pytest.mark.parametrize(
    ("document", "found"),
    [
        (paper(row("Yeoman")), ["no-leader"]),
        (paper(LIEUTENANT, LIEUTENANT), ["too-many"]),
        (paper(LIEUTENANT, *[row("Sniper Priest")] * 3), ["too-many"]),
        (paper(LIEUTENANT, row("Combat Engineer", "Trench Shield")), ["banned"]),
        (paper(LIEUTENANT, row("Combat Medic", "Shovel")), ["fixed-kit"]),
        (paper(LIEUTENANT, row("Yeoman", "Machine Armour")), ["only-for"]),
        (paper(LIEUTENANT, row("Yeoman", "Binoculars")), ["only-for"]),
        (paper(LIEUTENANT, row("Yeoman", "Pistol / Revolver", "Bayonet")), ["only-for"]),
        (paper(LIEUTENANT, row("Shocktrooper", "Machine Gun", "Satchel Charge")), ["heavy"]),
        (paper(LIEUTENANT, row("Shocktrooper", "Grenades", "Incendiary Grenades")), ["slot-grenade"]),
        (paper(LIEUTENANT, row("Shocktrooper", "Standard Armour", "Standard Armour")), ["slot-armour"]),
        (paper(LIEUTENANT, row("Shocktrooper", "Medi-Kit", "Medi-Kit")), ["duplicate"]),
        (paper(LIEUTENANT, row("Shocktrooper", "Greatsword / Greataxe", "Trench Shield")), ["hands"]),
        (paper(LIEUTENANT, *[row("Yeoman", "Machine Gun")] * 3), ["warband-limit"]),
        (paper(LIEUTENANT, *[row("Yeoman", upgrades=("Trench Mole",))] * 3), ["warband-limit"]),
        (paper(LIEUTENANT, row("Yeoman", "Blasphemous Staff")), ["not-offered"]),
        (paper(LIEUTENANT, row("Heretic Trooper")), ["not-offered"]),
        (paper(LIEUTENANT, row("Yeoman", "Field Shrine")), ["over-budget"]),
        (paper(LIEUTENANT, *[row("Mechanised Heavy Infantry")] * 3, *[row("Combat Engineer")] * 2, *[row("Shocktrooper")] * 4), ["over-budget"]),
        (paper(row("Lieutenant"), variant="Stoßtruppen"), ["too-few"]),
        (paper(row("Lector"), *[row("Yeoman", upgrades=("Swiss Guard",))] * 5, variant="Papal States"), ["warband-limit"]),
        (paper(row("Eire Lieutenant"), row("Shocktrooper", upgrades=("Berserker",)), variant="Eire Rangers"), ["needs"]),
        (paper(row("Highland Lieutenant"), row("Trench Cleric", "Reinforced Armour"), variant="Alba"), ["only-for"]),
        (paper(row("Lieutenant"), *[row("Yeoman", "Grenade Launcher")] * 2, *[row("Yeoman", "Machine Gun")] * 2, variant="Abyssinia"), ["warband-limit"]),
        (paper(PRIEST, row("Wretched"), row("Heretic Trooper"), faction=HERETICS), ["needs"]),
        (paper(PRIEST, row("Wretched", "Trench Club"), faction=HERETICS), ["ratio"]),
        (paper(PRIEST, row("Heretic Trooper"), row("Wretched", "Trench Club", "Standard Armour"), faction=HERETICS), ["banned"]),
        (paper(PRIEST, row("Death Commando", "Bolt-Action Rifle"), faction=HERETICS), ["banned"]),
        (paper(PRIEST, row("Artillery Witch", "Shotgun"), faction=HERETICS), ["banned"]),
        (paper(PRIEST, row("Heretic Trooper", upgrades=("Heretic Legionnaire",)), faction=HERETICS), ["warband-limit"]),
        (paper(row("Heretic Priest of Mammon", "Flamethrower"), faction=HERETICS, variant="Knights of Avarice"), ["banned"]),
        (paper(row("Heretic Priest"), row("Goetic Warlock"), faction=HERETICS, variant="Trench Ghosts"), ["not-offered"]),
    ],
)  # fmt: skip
def test_what_breaks_one_rule_is_told_as_that_rule(document: Row, found: list[str]) -> None:
    assert codes(document) == found


def test_the_third_mole_comes_with_the_threshold() -> None:
    moles = [row("Yeoman", upgrades=("Trench Mole",))] * 3
    assert codes(paper(LIEUTENANT, *moles, battles={"fought": 2})) == ["warband-limit"]
    assert codes(paper(LIEUTENANT, *moles, battles={"fought": 3})) == ["warband-limit"]  # at 1000, not over it
    assert codes(paper(LIEUTENANT, *moles, battles={"fought": 4})) == []
    reached = {"readings": {"threshold_condition": "threshold"}}
    assert codes(paper(LIEUTENANT, *moles, battles={"fought": 3}, house_rules=reached)) == []


def test_a_swapped_rifle_is_credited() -> None:
    assert judged(paper(LIEUTENANT, row("Yeoman")))["rating"] == {"ducats": 139 + 35, "glory": 0}
    assert judged(paper(LIEUTENANT, row("Yeoman", "Bolt-Action Rifle")))["rating"] == {"ducats": 139 + 35, "glory": 0}
    swapped = judged(paper(LIEUTENANT, row("Yeoman", "Machine Gun")))
    assert (swapped["rating"]["ducats"], swapped["left"]["ducats"]) == (139 + 80, 700 - 139 - 80)
    force, _ = GAME.documents.read_document(paper(row("Yeoman", "Machine Gun"), row("Yeoman")))
    assert [(f.paid, [i.origin for i in f.kit]) for f in force.fighters] == [
        (Price(ducats=30), ["bought"]),
        (Price(), ["mandatory"]),
    ]


def test_names_need_no_case_and_no_punctuation() -> None:
    assert codes(paper(row("LIEUTENANT", "sword axe", "automatic-pistol"), faction="new antioch")) == []
    assert (
        codes(
            paper(
                row("lieutenant"),
                row("shocktrooper"),
                row("shocktrooper"),
                faction="New Antioch",
                variant="stosstruppen",
            )
        )
        == []
    )


def test_unknown_names_are_problems_with_the_nearest_ones() -> None:
    answer = judged(
        paper(
            row("Leutnant", name="Ilse"),
            row("Lieutenant", "Shotgn", upgrades=("Trench Moul",), skills=["Samson"], name="Ben"),
        )
    )
    told = [(p["code"], p["fighter"], p["item"]) for p in answer["problems"]]
    assert told[:4] == [
        ("unknown-name", "Ilse", "Leutnant"),
        ("unknown-name", "Ben", "Shotgn"),
        ("unknown-name", "Ben", "Trench Moul"),
        ("unknown-name", "Ben", "Samson"),
    ]
    assert "Lieutenant" in answer["problems"][0]["mend"]
    assert "Shotgun" in answer["problems"][1]["mend"]
    assert answer["legal"] is False


def test_an_unknown_faction_is_a_problem_and_so_is_a_variant_of_another() -> None:
    assert [p["mend"] for p in judged(paper(faction="New Antoch"))["problems"]] == [
        "Is it The Principality of New Antioch?"
    ]
    assert codes(paper(row("Lieutenant"), variant="Trench Ghosts")) != []


def test_money_is_not_checked_once_battles_were_fought() -> None:
    answer = judged(
        paper(LIEUTENANT, *[row("Mechanised Heavy Infantry")] * 3, row("Yeoman", "Field Shrine"), battles={"fought": 2})
    )
    assert (answer["legal"], answer["left"]) == (True, None)
    bounded = paper(LIEUTENANT, battles={"fought": 2}, budget={"ducats": 100})
    assert codes(bounded) == ["over-budget"]


def test_found_pieces_pass_list_and_limit_but_not_body() -> None:
    loot = {"item": "Machine Gun", "origin": "looted"}
    assert (
        codes(paper(LIEUTENANT, row("Yeoman", "Machine Gun"), row("Yeoman", "Machine Gun"), row("Yeoman", loot))) == []
    )
    assert codes(paper(LIEUTENANT, row("Yeoman", loot, "Machine Gun"))) == ["hands", "heavy"]


def test_a_purchase_is_judged_alone() -> None:
    document = paper(LIEUTENANT, row("Yeoman", name="Ottla"), scope="purchase")
    assert codes({**document, "wants": {"fighter": "ottla", "item": "Combat Helmet"}}) == []
    assert codes({**document, "wants": {"fighter": "Ottla", "item": "Machine Armour"}}) == ["only-for"]
    assert codes({**document, "wants": {"profile": "Lieutenant"}}) == ["too-many"]
    assert codes({**document, "wants": {"profile": "Shocktrooper"}}) == []
    assert codes({**document, "wants": {"fighter": "Ottla", "upgrade": "Trench Mole"}}) == []
    assert codes({**document, "wants": {"fighter": "Otto", "item": "Gas Mask"}}) == ["unknown-name"]
    assert codes({**document, "wants": {"fighter": "Ottla", "item": "Gas Musk"}}) == ["unknown-name"]
    assert codes({**document, "budget": {"ducats": 170}, "wants": {"profile": "Yeoman"}}) == ["over-budget"]


def test_a_force_on_the_table() -> None:
    document = paper(LIEUTENANT, *[row("Yeoman", name=f"Y{n}") for n in range(1, 11)], scope="fielding")
    answer = judged(document)
    assert [p["code"] for p in answer["problems"]] == ["field-strength"]
    some = judged({**document, "force": ["Lieutenant 1", "Y1", "y2"]})
    assert (some["legal"], some["fielded"]) == (True, {"ducats": 209, "glory": 0})
    assert codes({**document, "force": ["Y1", "Nobody"]}) == ["unknown-name"]
    assert codes({**document, "force": ["Y1"], "scenario": "Armoured Trane"}) == ["unknown-name"]
    rich = paper(
        LIEUTENANT, *[row("Mechanised Heavy Infantry")] * 3, *[row("Combat Engineer")] * 2, *[row("Shocktrooper")] * 4,
        battles={"fought": 1}, scope="fielding",
    )  # fmt: skip
    assert judged(rich)["legal"]
    assert [
        p["message"] for p in judged({**rich, "battles": {"fought": 0}, "budget": {"ducats": 900}})["problems"]
    ] == ["734 ducats fielded; the threshold of battle 1 is 700."]


def test_the_dead_and_captive_are_kept_but_do_not_count() -> None:
    answer = judged(
        paper(LIEUTENANT, row("Yeoman", status="dead"), row("Yeoman", status="captive"), battles={"fought": 1})
    )
    assert answer["rating"]["ducats"] == 139
    assert answer["legal"]


def test_a_head_wound_takes_elite_away_until_promoted_again() -> None:
    wound = row("Sniper Priest", "Sniper Rifle", traumas=["Head Wound"], experience=3)
    force, _ = GAME.documents.read_document(paper(LIEUTENANT, wound, battles={"fought": 1}))
    view = GAME.views(CONTENT, force)["f2"]
    assert (view.elite, view.may_learn, view.may_be_promoted) == (False, False, True)
    assert codes(paper(LIEUTENANT, wound, battles={"fought": 1})) == []


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"game": "trench-crusade"}, "missing required field `faction`"),
        (paper(faction="New Antioch", edition="9"), "$.edition"),
        (paper() | {"game": "chess"}, "$.game"),
        (paper() | {"fighters": [{"profile": 3}]}, "$.fighters[0].profile"),
        (
            paper() | {"fighters": [{"profile": "Yeoman", "kit": [{"item": "x", "origin": "stolen"}]}]},
            "$.fighters[0].kit",
        ),
        (paper() | {"fightrs": []}, "fightrs"),
        (paper() | {"battles": {"fought": -1}}, "$.battles.fought"),
        (paper(LIEUTENANT) | {"scope": "purchase", "wants": {"what": "x"}}, "$.wants"),
        (paper(LIEUTENANT) | {"scope": "purchase"}, "$.wants"),
        (paper(LIEUTENANT) | {"house_rules": {"readings": {"camp": "sideways"}}}, "camp"),
    ],
)
def test_an_unreadable_document_names_the_place(document: Row, words: str) -> None:
    with pytest.raises(Refusal) as caught:
        GAME.documents.judge(document)
    assert words in str(caught.value)


def test_state_goes_there_and_back() -> None:
    paper_fighter = row(
        "Sniper Priest", "Sniper Rifle", name="Anselm", experience=5, advances=2, promoted=False, scars=1,
        skills=[{"skill": "Melee Proficiency"}], traumas=[{"trauma": "Leg Wound", "battle": 2}],
    )  # fmt: skip
    document = paper(LIEUTENANT, paper_fighter, battles={"fought": 3, "credited": 1})
    document["campaign"] = {"promotion_misses": 2, "last_scenario": "relic-hunt", "reinforced_last": True}
    force, problems = GAME.documents.read_document(document)
    assert problems == ()
    anselm = force.fighters[1]
    state = GAME.state.fighter_state(CONTENT, GAME.state.write_state(CONTENT, anselm))
    bare = ForceFighter(anselm.key, anselm.name, anselm.profile, anselm.offer, kit=anselm.kit)
    back = GAME.state.read_state(CONTENT, bare, state)
    assert (back.experience, back.advances, back.skills, back.traumas) == (5, 2, anselm.skills, anselm.traumas)
    kept = GAME.state.write_warband_state(CONTENT, force)
    assert (kept["fought"], kept["credited"], kept["promotion_misses"], kept["reinforced_last"]) == (3, 1, 2, True)
    assert GAME.state.read_warband_state(CONTENT, force, kept).battles == force.battles


@pytest.mark.parametrize(
    "state",
    [
        {"experience": "many"}, {"experience": -1}, {"xp": 3}, {"skills": {"a": {"id": "no-such-skill"}}},
        {"traumas": {"a": {"id": "bad", "scar": True}}}, {"upgrades": {"a": {"id": "trench-mole", "paid": 3}}},
    ],
)  # fmt: skip
def test_an_impossible_state_is_refused(state: Row) -> None:
    with pytest.raises(Refusal):
        GAME.state.fighter_state(CONTENT, state)


@pytest.mark.parametrize(
    "state", [{"fought": "two"}, {"lasting": {"a": {"id": "nothing"}}}, {"locations": {"nowhere": ""}}, {"gold": 1}]
)
def test_an_impossible_state_of_a_warband_is_refused(state: Row) -> None:
    with pytest.raises(Refusal):
        GAME.state.warband_state(CONTENT, state)


def test_every_list_can_be_founded_and_has_something_to_hire() -> None:
    for choice in GAME.founding.lists(OPEN):
        price, kit = GAME.founding.start(OPEN, choice.id, "campaign")
        assert price == choice.start
        assert GAME.founding.start(OPEN, choice.id, "one-off")[0] == choice.one_off
        from rules.force import Force

        force = Force("trench-crusade", "1.6.3", choice.id, budget=price, strongbox=price)
        assert any(o.state == "open" for o in GAME.hire_offers(OPEN, force))
        assert any(o.state == "open" for o in GAME.shop.item_offers(OPEN, force))
        assert all(i.item in OPEN.items for i in kit)


def test_the_papal_states_start_and_threshold() -> None:
    papal = next(c for c in GAME.founding.lists(CONTENT) if "Papal" in c.name)
    assert (papal.start, papal.one_off) == (Price(ducats=500, glory=11), Price(ducats=700, glory=15))
    force, _ = GAME.documents.read_document(LEGAL["the Papal States"])
    assert [(GAME.limits(CONTENT, force, n).threshold, GAME.limits(CONTENT, force, n).field_strength) for n in (1, 4, 12)] == [
        (500, 10), (800, 13), (1600, 22),
    ]  # fmt: skip
    assert GAME.founding.late_start(CONTENT, papal.id, 1000, 4) == (Price(ducats=800, glory=11), 4)


def test_samples_are_legal_and_spend_what_they_may() -> None:
    for sample, _, list_id, words in GAME.founding.samples(CONTENT):
        force, problems = GAME.documents.read_document(GAME.founding.sample(CONTENT, sample))
        answer = GAME.check(OPEN, force)
        assert (problems, answer.problems) == ((), ())
        assert force.list == list_id
        assert words
        assert answer.left is not None
        assert 0 <= answer.left.ducats < 100


def test_the_sheet_tells_everything_once() -> None:
    force, _ = GAME.documents.read_document(LEGAL["heavy infantry"])
    sheet = GAME.documents.sheet(CONTENT, force)
    assert [f.section for f in sheet.fighters] == ["Elite", "Troops", "Troops", "Troops", "Troops"]
    leader = sheet.fighters[0]
    assert leader.role_words == "LEADER"
    assert [w.name for w in leader.weapons] == ["Automatic Pistol", "Sword / Axe"]
    assert ("Ar", "−2", "raised", "−2 = 0, Reinforced Armour −2") in leader.stats
    assert leader.advances_at == (2, 4, 7, 10, 14, 18)
    names = [entry.name for entry in sheet.glossary]
    assert len(names) == len(set(names))
    assert {"ELITE", "HEAVY", "STRONG"} <= set(names)
    assert dict(sheet.figures)["Threshold"] == "700 d"


def test_rows_of_the_app_and_documents_are_judged_alike() -> None:
    """The same warband as rows (swappable kit listed, money held) and as a document."""
    force, _ = GAME.documents.read_document(LEGAL["a plain company"])
    left = GAME.check(CONTENT, force).left
    from dataclasses import replace

    rows = replace(force, strongbox=left)
    answer = GAME.check(CONTENT, rows)
    assert (answer.problems, answer.left, answer.rating) == ((), left, GAME.check(CONTENT, force).rating)
    yeoman = next(f for f in rows.fighters if f.profile == "yeoman")
    bare = replace(yeoman, kit=tuple(i for i in yeoman.kit if i.origin != "mandatory"))
    told = GAME.check(CONTENT, rows.with_fighter(bare))
    assert [p.code for p in told.problems] == ["needs"]
    assert told.rating.ducats == answer.rating.ducats - 5
    given = replace(bare, kit=(*bare.kit, ForceItem("x", "bolt-action-rifle", "mandatory")))
    assert GAME.check(CONTENT, rows.with_fighter(given)).rating == answer.rating
