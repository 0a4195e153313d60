"""Fireteams: who may be paired, how many pairs, whose they are, and what is told of pairs that may not be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.consequences import SetWarband
from rules.force import Battles, Force, ForceFighter, ForceSkill, ForceUpgrade
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system

GAME = system("trench-crusade")
CONTENT = GAME.content("1.6.3")

ILSE = ForceFighter("ilse", "Ilse", "lieutenant")
OTTLA = ForceFighter("ottla", "Ottla", "yeoman")
WREN = ForceFighter("wren", "Wren", "yeoman")
PIETER = ForceFighter("pieter", "Pieter", "yeoman")
FARIS = ForceFighter("faris", "Faris", "mamluk-faris", hired_as="mercenary", choices={"loadout-mamluk": "0"})
FIRST, SECOND = "new-antioch-fireteams-1", "new-antioch-fireteams-2"


def warband(*fighters: ForceFighter, pairs: Any = None, list_id: str = "new-antioch", **more: Any) -> Force:
    known: dict[str, Any] = {"strongbox": Price(9), "founding": False, "battles": Battles(1), **more}
    choices = {"fireteams": pairs} if pairs is not None else {}
    everybody = fighters or (ILSE, OTTLA, WREN, PIETER)
    return Force("trench-crusade", "1.6.3", list_id, fighters=everybody, choices=choices, **known)


def told(force: Force) -> list[str]:
    return [problem.message for problem in GAME.check(CONTENT, force).problems if problem.code == "fireteam"]


def slots(force: Force) -> dict[str, Any]:
    teams = GAME.campaign.teams(CONTENT, force)
    return {slot.key: slot for slot in teams.slots} if teams else {}


@pytest.mark.parametrize(
    ("list_id", "count"),
    [
        ("new-antioch", 2),
        ("papal-states-intervention-force", 2),
        ("eire-rangers", 1),
        ("stosstruppen-of-the-free-state-of-prussia", 3),
        ("kingdom-of-alba-assault-detachment", 2),
        ("expeditionary-forces-of-abyssinia", 2),
    ],
)
def test_a_list_opens_so_many(list_id: str, count: int):
    assert len(slots(warband(list_id=list_id))) == count


def test_where_nothing_opens_any_there_is_no_page_for_them():
    heretic = warband(ForceFighter("p", "P", "heretic-priest"), list_id="heretic-legion")
    assert GAME.campaign.teams(CONTENT, heretic) is None
    paired = replace(heretic, fighters=(*heretic.fighters, ForceFighter("t", "T", "heretic-trooper")))
    paired = replace(paired, choices={"fireteams": [["p", "t"]]})
    assert told(paired) == ["P and T: nothing lets this warband form a fireteam."]


def test_both_gain_the_keyword_with_its_cause():
    force = warband(pairs=[["ottla", "wren"]])
    words = {key: {word.name: word for word in view.keywords} for key, view in GAME.views(CONTENT, force).items()}
    assert (words["ottla"]["FIRETEAM"].state, words["ottla"]["FIRETEAM"].cause) == ("gained", "with Wren")
    assert words["wren"]["FIRETEAM"].cause == "with Ottla"
    assert "FIRETEAM" not in words["ilse"]
    assert told(force) == []
    sheet = GAME.documents.sheet(CONTENT, force)
    assert ("Fireteams", ("Ottla and Wren (New Antioch Fireteams)",)) in sheet.notes
    assert {line.name: line.chosen for line in sheet.fighters}["Ottla"] == (("Fireteam", "Wren"),)
    assert "FIRETEAM" in {entry.name for entry in sheet.glossary}


def test_two_fighters_alike_keep_their_own_partners():
    force = warband(pairs=[["ottla", "ilse"], ["wren", "pieter"]])
    causes = {
        key: [word.cause for word in view.keywords if word.name == "FIRETEAM"]
        for key, view in GAME.views(CONTENT, force).items()
    }
    assert causes == {"ilse": ["with Ottla"], "ottla": ["with Ilse"], "wren": ["with Pieter"], "pieter": ["with Wren"]}


def test_a_pair_is_declared_and_declared_anew():
    force = warband()
    (does,) = GAME.campaign.form_teams(CONTENT, force, {FIRST: ("ottla", "wren"), SECOND: ("", "")})
    assert does == SetWarband(("choices", "fireteams"), [["ottla", "wren"]], does.why)
    kept = replace(force, choices={"fireteams": does.value})
    assert slots(kept)[FIRST].chosen == ("ottla", "wren")
    with pytest.raises(Refusal, match="declared already"):
        GAME.campaign.form_teams(CONTENT, kept, {FIRST: ("ottla", "wren")})
    (gone,) = GAME.campaign.form_teams(CONTENT, kept, {})
    assert gone.value is None


@pytest.mark.parametrize(
    ("picks", "words"),
    [
        ({FIRST: ("ottla", "ottla")}, "two different fighters"),
        ({FIRST: ("ottla", "")}, "one is named"),
        ({FIRST: ("ottla", "nobody")}, "not on the roster"),
        ({FIRST: ("ottla", "faris")}, "mercenary"),
        ({FIRST: ("ottla", "wren"), SECOND: ("wren", "ottla")}, "one fireteam already"),
        ({"third": ("ottla", "wren")}, "no such fireteam"),
    ],
)
def test_a_pair_that_may_not_be_is_refused(picks: dict[str, tuple[str, str]], words: str):
    with pytest.raises(Refusal, match=words):
        GAME.campaign.form_teams(CONTENT, warband(ILSE, OTTLA, WREN, FARIS), picks)


def test_a_fighter_may_stand_in_two_that_are_not_exclusive():
    assert told(warband(pairs=[["ottla", "wren"], ["ottla", "pieter"]])) == []


def test_too_many_are_told_and_so_is_a_mercenary():
    three = [["ilse", "ottla"], ["ottla", "wren"], ["wren", "pieter"]]
    assert told(warband(pairs=three)) == ["Three fireteams are declared; two may be formed."]
    assert told(warband(ILSE, OTTLA, FARIS, pairs=[["ottla", "faris"]])) == [
        "Ottla and Faris: Faris is a mercenary and joins no fireteam but its own."
    ]
    assert told(warband(pairs=[["ottla", "ottla"]])) == ["Ottla: A fireteam is two different fighters."]


def test_who_has_left_takes_the_pair_along_without_a_fault():
    force = warband(ILSE, OTTLA, replace(WREN, status="dead"), pairs=[["ottla", "wren"]])
    assert told(force) == []
    assert not GAME.views(CONTENT, force)["ottla"].has("FIRETEAM")
    assert all(slot.chosen == ("", "") for slot in slots(force).values())


@pytest.mark.parametrize("odd", ["ottla", [["ottla"]], [["a", "b", "c"]], {"a": "b"}, [1, 2]])
def test_what_is_no_pair_is_left_out(odd: Any):
    force = warband(pairs=odd)
    assert told(force) == []
    assert not GAME.views(CONTENT, force)["ottla"].has("FIRETEAM")


# --- places of single fighters ---------------------------------------------------------------------------------------------


def test_the_sworn_sword_pairs_with_an_elite_beside_those_of_the_list():
    force = warband(ILSE, OTTLA, WREN, PIETER, FARIS)
    own = slots(force)["sworn-sword-faris-1"]
    assert own.fixed
    assert [name for _, name in own.second] == ["Ilse"]
    three = [["ottla", "wren"], ["wren", "pieter"], ["faris", "ilse"]]
    assert told(replace(force, choices={"fireteams": three})) == []
    with pytest.raises(Refusal, match="Ottla is no partner that Sworn Sword allows"):
        GAME.campaign.form_teams(CONTENT, force, {"sworn-sword-faris-1": ("faris", "ottla")})
    assert told(replace(force, choices={"fireteams": [["faris", "ottla"]]}))


def test_plutocracy_pairs_its_bearer_with_one_who_is_no_elite():
    rich = ForceFighter("p", "Priest", "heretic-priest", skills=(ForceSkill("s1", "plutocracy"),))
    trooper, chorister = ForceFighter("t", "Trooper", "heretic-trooper"), ForceFighter("c", "Bell", "heretic-chorister")
    force = warband(rich, trooper, chorister, list_id="heretic-legion")
    (slot,) = slots(force).values()
    assert [key for key, _ in slot.second] == ["t"]
    (does,) = GAME.campaign.form_teams(CONTENT, force, {slot.key: ("p", "t")})
    assert told(replace(force, choices={"fireteams": does.value})) == []
    assert slots(replace(force, choices={"fireteams": [["t", "p"]]}))[slot.key].chosen == ("p", "t")


def test_an_exclusive_pair_lets_the_partner_into_no_other():
    golem = ForceFighter("g", "Golem", "golem", upgrades=(ForceUpgrade("u1", "enslaved-mind"),))
    force = warband(ILSE, OTTLA, WREN, golem)
    key = "enslaved-mind-g-1"
    assert slots(force)[key].fixed
    with pytest.raises(Refusal, match="Ottla stands in two fireteams; Enslaved Mind allows no other"):
        GAME.campaign.form_teams(CONTENT, force, {key: ("g", "ottla"), FIRST: ("ottla", "wren")})
    both = replace(force, choices={"fireteams": [["g", "ottla"], ["ottla", "wren"], ["ilse", "wren"]]})
    assert told(both) == ["Ottla stands in two fireteams; Enslaved Mind allows no other beside it."]
    # with room among the list's own the pair needs no exclusive place
    assert told(replace(force, choices={"fireteams": [["g", "ottla"], ["ottla", "wren"]]})) == []
