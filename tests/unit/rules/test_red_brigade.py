"""The Red Brigade: a third party's list, its dogs and clergy, what its dogs' deeds earn, and what its living do for the fallen."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from rules.consequences import GainsItem, Leaves, Money, Recovers, SetWarband
from rules.force import Battles, Force, ForceItem
from rules.parts.post_battle import StepRecord
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system
from rules.trench_crusade import post_battle
from tests.unit.rules.evening import after, battle, content, fighter, leaves, run, settle, tasks, wardens, written

GAME = system("trench-crusade")
ALLOWED: dict[str, Any] = {"third_party": True}
OPEN = GAME.content("1.6.3", house_rules=ALLOWED)
SHUT = GAME.content("1.6.3")
LIST = "red-brigade"
DOGS = ("trench-dog", "attack-dog", "guard-dog", "mercy-dog")


def row(profile: str, *kit: Any, upgrades: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {"profile": profile, "kit": list(kit), "upgrades": list(upgrades), **more}


LIEUTENANT = row("Lieutenant", "Sword/Axe")
SHOCK = row("Shocktrooper", "Trench Club")


def paper(*fighters: dict[str, Any], allowed: bool = True, **more: Any) -> dict[str, Any]:
    named = [{"name": f"{f['profile']} {n}", **f} for n, f in enumerate(fighters, 1)]
    document = {"game": "trench-crusade", "faction": "New Antioch", "variant": "Red Brigade", "fighters": named, **more}
    return {**document, "house_rules": ALLOWED} if allowed else document


def judged(document: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = GAME.documents.judge(json.loads(json.dumps(document)))
    return answer


def codes(*fighters: dict[str, Any], **more: Any) -> list[str]:
    return sorted(p["code"] for p in judged(paper(LIEUTENANT, *fighters, **more))["problems"])


# --- whether it may be played


def test_the_list_is_left_out_unless_the_terms_let_it_in() -> None:
    assert codes(SHOCK) == []
    (problem,) = judged(paper(LIEUTENANT, SHOCK, allowed=False))["problems"]
    assert problem["code"] == "third-party"
    assert "comes from a third party" in problem["message"]


def test_it_cannot_be_founded_and_its_offers_are_closed_where_it_is_left_out() -> None:
    choices = {choice.id: choice for choice in GAME.founding.lists(SHUT)}
    assert choices[LIST].third_party
    assert "third party" in choices[LIST].closed
    assert not choices["new-antioch"].closed
    assert not {c.id: c for c in GAME.founding.lists(OPEN)}[LIST].closed
    with pytest.raises(Refusal, match="third party"):
        GAME.founding.start(SHUT, LIST, "campaign")
    assert GAME.founding.start(OPEN, LIST, "campaign") == (Price(ducats=700), ())
    assert GAME.founding.start(OPEN, LIST, "one-off")[0] == Price(ducats=900, glory=8)
    force = Force("trench-crusade", "1.6.3", LIST, budget=Price(700), strongbox=Price(700))
    assert {o.state for o in GAME.hire_offers(SHUT, force)} == {"closed"}
    assert any(o.state == "open" for o in GAME.hire_offers(OPEN, force))


def test_what_is_its_alone_is_marked_and_always_in_the_books() -> None:
    document = GAME.rulebook.normal_form(SHUT)
    variants = {v["id"]: v for f in document["factions"] for v in f["variants"]}
    assert variants[LIST]["third_party"] is True
    theirs = {v for v, known in variants.items() if known.get("third_party")}
    entries = [x for k in ("profiles", "kit", "upgrades") for x in document[k] if x.get("third_party")]
    marked = {x["id"] for x in entries if not any(o["variant"] in theirs - {LIST} for o in x["offers"])}
    assert marked == {
        "crimson-communicant", "attack-dog", "atonement-bell", "blood-cloak", "red-banner", "gunslinger"
    }  # fmt: skip
    for kind in ("profiles", "kit", "upgrades"):
        for entry in document[kind]:
            for offer in entry["offers"]:
                assert bool(offer.get("third_party")) is (offer["variant"] in theirs), (entry["id"], offer)


def test_a_document_of_it_says_that_it_is_let_in() -> None:
    force, _ = GAME.documents.read_document(paper(LIEUTENANT))
    assert GAME.documents.write_document(OPEN, force)["house_rules"] == ALLOWED
    assert "house_rules" not in GAME.documents.write_document(SHUT, force)
    assert "house_rules" not in GAME.documents.write_document(OPEN, replace(force, list="new-antioch"))


def test_its_sample_is_legal() -> None:
    answer = judged(GAME.founding.sample(OPEN, "vermilion-ninth"))
    assert (answer["legal"], answer["rating"], answer["left"]["ducats"]) == (True, {"ducats": 700, "glory": 0}, 0)


# --- dogs and clergy


@pytest.mark.parametrize(
    ("priests", "clerics", "found"),
    [(2, 0, []), (1, 1, []), (0, 1, []), (2, 1, ["group-cap"]), (1, 2, ["group-cap", "too-many"]), (3, 0, ["group-cap", "too-many"])],
)  # fmt: skip
def test_two_of_the_clergy_at_most(priests: int, clerics: int, found: list[str]) -> None:
    power = {"choices": {"power": "onwards-christian-soldiers"}}
    people = [row("Sniper Priest")] * priests + [row("Trench Cleric", **power)] * clerics
    rich = {"ducats": 2000, "glory": 0}
    assert [c for c in codes(*people, budget=rich) if c != "choice"] == found
    plain = {**paper(LIEUTENANT, row("Sniper Priest"), row("Sniper Priest"), row("Trench Cleric")), "variant": None}
    assert "group-cap" not in {p["code"] for p in judged(plain)["problems"]}


@pytest.mark.parametrize(("dogs", "found"), [(2, []), (3, ["ratio"])])
def test_dogs_are_never_more_than_the_others_while_founding(dogs: int, found: list[str]) -> None:
    assert codes(SHOCK, *[row("Attack Dog")] * dogs) == found


def test_casualties_among_the_others_only_bar_the_next_dog() -> None:
    pack = [row("Attack Dog"), row("Trench Dog"), row("Guard Dog")]
    later = {"battles": {"fought": 2}}
    assert codes(*pack, **later) == []
    for wanted in ("Attack Dog", "Trench Dog", "Mercy Dog"):
        assert "ratio" in codes(*pack, scope="purchase", wants={"profile": wanted}, **later)
    assert codes(*pack, scope="purchase", wants={"profile": "Shocktrooper"}, **later) == []
    mended = [*pack, SHOCK, SHOCK, SHOCK]
    assert codes(*mended, scope="purchase", wants={"profile": "Attack Dog"}, **later) == []


def test_a_fighter_may_be_hired_while_dogs_outnumber_the_others() -> None:
    force, _ = GAME.documents.read_document(
        paper(LIEUTENANT, row("Attack Dog"), row("Trench Dog"), battles={"fought": 2})
    )
    camp = replace(force, founding=False, strongbox=Price(200))
    offers = {o.ref: o for o in GAME.hire_offers(OPEN, camp)}
    assert offers["shocktrooper"].state == "open"
    assert (offers["attack-dog"].state, "they may not be more" in offers["attack-dog"].reason) == ("closed", True)


@pytest.mark.parametrize(("dog", "most"), [("Guard Dog", 1), ("Mercy Dog", 2)])
def test_some_dogs_are_few(dog: str, most: int) -> None:
    others = [SHOCK] * 3
    assert codes(*others, *[row(dog)] * most) == []
    assert codes(*others, *[row(dog)] * (most + 1)) == ["too-many"]


@pytest.mark.parametrize(
    ("kit", "found"),
    [
        (("Grenades",), []),
        (("Molotov Cocktail",), []),
        (("Grenades", "Molotov Cocktail"), ["slot-grenade"]),
        (("Gas Mask",), ["banned"]),
        (("Shotgun",), ["banned"]),
    ],
)
def test_a_dog_carries_grenades_and_molotovs_and_nothing_else(kit: tuple[str, ...], found: list[str]) -> None:
    for dog in ("Trench Dog", "Attack Dog", "Guard Dog", "Mercy Dog"):
        assert codes(row(dog, *kit)) == found, dog


def test_grenades_are_cheaper_on_a_dog() -> None:
    dog = judged(paper(LIEUTENANT, row("Trench Dog", "Grenades")))
    trooper = judged(paper(LIEUTENANT, row("Trench Dog"), row("Shocktrooper", "Grenades")))
    assert dog["rating"]["ducats"] == 74 + 35 + 5
    assert trooper["rating"]["ducats"] == 74 + 35 + 45 + 7


def test_a_dog_of_the_plain_list_keeps_to_itself() -> None:
    plain = {**paper(LIEUTENANT, row("Trench Dog", "Grenades"), battles={"fought": 3}), "variant": None}
    assert [p["code"] for p in judged(plain)["problems"]] == ["fixed-kit"]


def test_two_loyal_dogs_and_a_gunslinger() -> None:
    loyal = row("Attack Dog", upgrades=("Loyal Dog",))
    assert codes(SHOCK, SHOCK, loyal, loyal) == []
    assert codes(SHOCK, SHOCK, loyal, loyal, loyal) == ["warband-limit"]
    slinger = row("Lieutenant", "Pistol / Revolver", "Pistol / Revolver", upgrades=("Gunslinger",))
    force, _ = GAME.documents.read_document(paper(slinger, row("Shocktrooper")))
    assert judged(paper(slinger))["rating"]["ducats"] == 70 + 12 + 5
    assert codes(row("Shocktrooper", upgrades=("Gunslinger",))) == ["only-for"]
    pistol = next(
        w for f in GAME.documents.sheet(OPEN, force).fighters for w in f.weapons if w.name.startswith("Pistol")
    )
    assert "ASSAULT" in pistol.keywords


def test_the_brigade_trains_its_dogs_otherwise() -> None:
    force, _ = GAME.documents.read_document(paper(LIEUTENANT, row("Mercy Dog"), row("Shocktrooper", "Blood Cloak")))
    views = GAME.views(OPEN, force)
    shown = {a.id: a.state for a in views["f2"].abilities}
    assert (shown["brigade-mercy-dog"], shown["mercy-dog"], shown["brigade-dog"]) == ("gained", "lost", "gained")
    assert views["f3"].has("SKIRMISHER")
    assert not views["f2"].mercenary
    words = " ".join(line for _, lines in GAME.documents.sheet(OPEN, force).notes for line in lines)
    assert "BLOOD MARKER per full 200 ducats" in words


# --- the roster in camp

OX = fighter("ox", "crimson-communicant", "The Ox", kit=("double-handed-blunt-weapon",))
KOLYA = fighter("kolya", "shocktrooper", "Kolya", kit=("machine-gun", "gas-mask"))
TILDE = fighter("tilde", "yeoman", "Tilde", kit=(ForceItem("rifle", "bolt-action-rifle", "mandatory"),))
MONK = fighter("monk", "mendelist-ammo-monk", "Monk", hired_as="mercenary", offer="mercenary-mendelist-ammo-monk")
MAGDA = fighter("magda", "mercy-dog", "Magda", offer="red-brigade-mercy-dog")
REX = fighter("rex", "attack-dog", "Rex", offer="red-brigade-attack-dog")
ILSE = fighter("ilse", "lieutenant", "Ilse")


def brigade(*fighters: Any, **known: Any) -> Force:
    return wardens(*(fighters or (ILSE, OX, KOLYA, TILDE, MONK, MAGDA, REX)), list=LIST, **known)


def dead(force: Force, key: str, faces: tuple[int, ...], step_key: str = "casualty") -> Force:
    """The roster after this fighter died of its wounds."""
    outcome = settle(tasks("injuries", force, battle(out=[key]), **ALLOWED)[f"{step_key}-{key}"], faces)
    assert leaves(outcome, Leaves), outcome
    return after(force, outcome)


def fork(force: Force, record: StepRecord | None = None, number: int = 1, **known: Any) -> Any:
    return tasks("fork", force, battle(number, **known), record, **ALLOWED)["fork"]


def ways(force: Force, **known: Any) -> dict[str, Any]:
    return {o.value: o for o in run(fork(force, **known)).asked.options}


# --- remember the fallen


def test_the_third_way_stands_beside_the_others_and_is_closed_while_nobody_fell() -> None:
    shown = ways(brigade())
    assert list(shown) == ["reinforce", "explore", "remember"]
    assert "none of your fighters died" in shown["remember"].closed
    assert "remember" not in ways(wardens())
    with pytest.raises(Refusal, match="Remember the Fallen is closed"):
        run(fork(brigade()), choices={"way": "remember"})


def test_a_death_keeps_the_kit_in_mind_for_this_battle() -> None:
    force = brigade()
    outcome = settle(tasks("injuries", force, battle(out=["kolya"]), **ALLOWED)["casualty-kolya"], (2,))
    (kept,) = leaves(outcome, SetWarband)
    assert kept.path == ("fallen", "kolya")
    assert kept.value["battle"] == "b1"
    assert [(p["item"], p["key"]) for p in kept.value["pieces"]] == [
        ("machine-gun", "kolya-machine-gun"), ("gas-mask", "kolya-gas-mask"),
    ]  # fmt: skip
    assert "The kit may be recovered at the fork." in outcome.will_do
    survived = settle(tasks("injuries", force, battle(out=["kolya"]), **ALLOWED)["casualty-kolya"], (3,))
    assert not leaves(survived, SetWarband)
    elsewhere = wardens(ILSE, KOLYA)
    assert not leaves(settle(tasks("injuries", elsewhere, battle(out=["kolya"]))["casualty-kolya"], (2,)), SetWarband)


def test_what_own_fighters_carried_comes_back_and_what_allies_carried_does_not() -> None:
    force = brigade()
    for key in ("kolya", "tilde", "monk", "magda"):
        force = dead(force, key, (1,))
    force = dead(force, "ox", (1, 1), "trauma")
    option = ways(force)["remember"]
    assert not option.closed
    assert option.gains == (
        "Double-Handed Blunt Weapon", "Atonement Bell", "Machine Gun", "Gas Mask", "Bolt-Action Rifle", "Medi-Kit",
    )  # fmt: skip
    assert option.losses == ("exploration and loot this time",)
    assert "The Ox, Kolya, Tilde and Magda" in option.words
    outcome = settle(fork(force), choices={"way": "remember"})
    (found,) = leaves(outcome, Recovers)
    assert found.items == ("ox-double-handed-blunt-weapon", "kolya-machine-gun", "kolya-gas-mask", "rifle")
    assert [(g.item, g.origin) for g in leaves(outcome, GainsItem)] == [
        ("atonement-bell", "found"),
        ("medi-kit", "found"),
    ]
    assert not leaves(outcome, Money)
    assert outcome.sentence == "Remember the Fallen: 6 pieces come back."


def test_what_would_pass_its_limit_is_sold_for_half() -> None:
    gunners = [fighter(f"g{n}", "shocktrooper", f"Gunner {n}", kit=("machine-gun",)) for n in (1, 2, 3)]
    force = dead(brigade(ILSE, *gunners), "g1", (1,))
    outcome = settle(fork(force), choices={"way": "remember"})
    (sold,) = leaves(outcome, Recovers)
    assert (sold.items, sold.sold) == (("g1-machine-gun",), True)
    assert [m.amount for m in leaves(outcome, Money)] == [Price(ducats=25)]
    assert "Machine Gun would pass its LIMIT: sold for 25 ducats." in outcome.will_do
    two = dead(brigade(ILSE, *gunners[:2]), "g1", (1,))
    assert not leaves(settle(fork(two), choices={"way": "remember"}), Money)
    both = dead(dead(brigade(ILSE, *gunners), "g1", (1,)), "g2", (1,))
    assert [m.amount.ducats for m in leaves(settle(fork(both), choices={"way": "remember"}), Money)] == [25]


def test_remembering_passes_exploration_over_and_stays_as_written() -> None:
    force = dead(brigade(), "kolya", (1,))
    record = written("fork", choices={"fork": {"way": "remember"}})
    words = post_battle.skipped(content(**ALLOWED), force, battle(), record, "exploration")
    assert words == "The warband remembers its fallen and explores nothing this time."
    again = settle(fork(force, record))
    assert (again.sentence, again.consequences) == ("The fallen are remembered: what they carried is back.", ())


def test_only_the_fallen_of_this_battle_are_remembered_and_closing_lets_them_go() -> None:
    force = dead(brigade(battles=Battles(2)), "kolya", (1,))
    assert ways(force, number=2)["remember"].closed
    assert not ways(force, number=1)["remember"].closed
    close = settle(tasks("roster", force, battle(1), **ALLOWED)["close"])
    assert SetWarband(("fallen", "kolya"), None, "the sequence is closed") in close.consequences
    other = settle(tasks("roster", force, battle(2), **ALLOWED)["close"])
    assert not [c for c in other.consequences if isinstance(c, SetWarband) and c.path[0] == "fallen"]


def test_a_warband_that_cannot_explore_may_still_remember() -> None:
    force = dead(brigade(), "kolya", (1,))
    shown = ways(force, counts=frozenset({"injuries", "number"}))
    assert list(shown) == ["reinforce", "explore", "remember", "neither"]
    assert not shown["remember"].closed


def test_the_paper_sheet_has_a_box_for_it() -> None:
    def boxes(force: Force) -> tuple[str, ...]:
        return next(
            line.boxes
            for step in GAME.battle.paper_steps(OPEN, force)
            if step.label == "Reinforce or explore"
            for line in step.lines
        )

    assert boxes(brigade()) == ("reinforce", "explore", "remember")
    assert boxes(wardens()) == ("reinforce", "explore")


# --- live off the land


@pytest.mark.parametrize(("last", "closed"), [(False, ""), (True, "Live off the Land: not twice in a row.")])
def test_no_reinforcements_twice_running(last: bool, closed: str) -> None:
    force = dead(brigade(state={"reinforced_last": last}), "kolya", (1,))
    assert ways(force)["reinforce"].closed == closed
    if last:
        with pytest.raises(Refusal, match="not twice in a row"):
            run(fork(force), choices={"way": "reinforce"})
    outcome = settle(fork(force), choices={"way": "remember"})
    assert SetWarband(("reinforced_last",), False, "no reinforcements") in outcome.consequences


# --- glory hounds


def glory(*deeds: tuple[str, str]) -> list[tuple[int, str]]:
    does = post_battle.result_consequences(content(**ALLOWED), brigade(), battle(deeds=deeds))
    return [(c.amount.glory, c.reason) for c in does if isinstance(c, Money)]


def test_a_dogs_deed_earns_two() -> None:
    sniper, second = OPEN.deeds["sniper"].name, OPEN.deeds["cast-them-down"].name
    assert glory(("sniper", "rex"), ("cast-them-down", "ilse")) == [
        (2, f"{sniper}, by Rex; Glory Hounds"),
        (1, f"{second}, by Ilse"),
    ]
    assert [n for n, _ in glory(("sniper", "magda"))] == [2]
    assert [n for n, _ in glory(("sniper", ""))] == [1]


def test_two_glory_more_in_one_battle_and_no_third() -> None:
    deeds = [d.id for d in OPEN.pack.deeds if d.glory == 1 and not d.by_warband][:4]
    pairs = [(deed, dog) for deed, dog in zip(deeds, ("rex", "magda", "rex", "rex"), strict=True)]
    assert [n for n, _ in glory(*pairs)] == [2, 2, 1, 1]


def test_a_deed_worth_two_earns_a_dog_no_more() -> None:
    assert [n for n, _ in glory(("dragon-slayer", "rex"))] == [2]


def test_the_dogs_of_other_lists_earn_what_the_deed_is_worth() -> None:
    dog = fighter("rex", "trench-dog", "Rex", hired_as="item", offer="common-trench-dog")
    does = post_battle.result_consequences(content(), wardens(dog), battle(deeds=[("sniper", "rex")]))
    assert [c.amount.glory for c in does if isinstance(c, Money)] == [1]
