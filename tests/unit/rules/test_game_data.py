"""What the game data of New Recruit and BattleScribe calls by names of its own: stores, locations, dogs, ranks, editions."""

from __future__ import annotations

from typing import Any

import pytest

from rules.trench_crusade.roster_files.report import read_report
from tests import roster_files as made
from tests.roster_files import pick
from tests.source_lines import lost_lines

HEAD = "New Antioch - Choir - [{total}]\n# ++ Warband ++ [{total}]\n"


def told_of(*selections: dict[str, Any], catalogue: str = "New Antioch", revision: int = 17) -> dict[str, Any]:
    data = made.as_json(made.roster(*selections, catalogue=catalogue, revision=revision))
    told = read_report(data)[0]
    assert lost_lines(data, told) == []
    return told


def state_of(told: dict[str, Any], words: str) -> tuple[str, str | None]:
    row = next(row for row in told["lines"] if row["source"].endswith(words))
    return row["state"], row.get("meaning")


def test_the_stores_of_a_stash_are_switches_and_what_lies_in_them_is_kept() -> None:
    told = told_of(
        made.model("Yeoman", price=30),
        pick(
            "Pile of Stuff",
            pick("Utility Storage", pick("Troop Flag", glory=1, group="Utility Hand"), group="Weapons"),
            pick("Grenade Storage", pick("Gas Grenades", price=10, group="Grenades"), group="Weapons"),
            pick("Musket", pick("Bayonet", price=2, group="Bayonet"), pick("Shown"), price=5),
            price=-17, type="model", categories=[{"name": "Pile"}],
        ),
    )  # fmt: skip
    assert sorted(told["roster"]["stash"]) == ["Bayonet", "Gas Grenades", "Musket", "Troop Flag"]
    assert state_of(told, "Utility Storage") == ("noted", None)


def campaign(*below: dict[str, Any]) -> dict[str, Any]:
    return pick("Campaign Rules", pick("Enabled", *below))


def test_a_location_keeps_the_option_chosen_there() -> None:
    told = told_of(
        campaign(
            pick("Esoteric Library: Study", group="Exploration Rewards"),
            pick("Trench Shrine: Shrine", group="Exploration Rewards"),
            pick("fruitfromthetreeofknowledgeofgoodandevil", group="Exploration Rewards"),  # in bare letters
        ),
        made.model("Yeoman", price=30),
    )
    locations = told["roster"]["campaign"]["locations"]
    assert locations.pop("Esoteric Library") == "study-esoteric-library"
    assert locations.pop("Trench Shrine") == "shrine"
    assert [name.partition(" from")[0] for name in locations] == ["Fruit"]


def test_an_option_that_a_location_does_not_have_is_told() -> None:
    told = told_of(
        campaign(pick("Esoteric Library: Gamble", group="Exploration Rewards")), made.model("Yeoman", price=30)
    )
    assert any("Gamble" in remark for remark in told["remarks"])


def test_a_second_patron_is_told_and_the_first_is_kept() -> None:
    told = told_of(
        campaign(pick("Warrior Saint", group="Patron Selection"), pick("Temporal Lord", group="Patron Selection")),
        made.model("Yeoman", price=30),
    )
    assert told["roster"]["patron"] == "Warrior Saint"
    assert state_of(told, "Temporal Lord")[0] == "noted"


def test_a_permission_below_the_campaign_rules_is_no_unknown_name() -> None:
    told = told_of(campaign(pick("Allow Third-Party Mercenaries?")), made.model("Yeoman", price=30))
    assert state_of(told, "Allow Third-Party Mercenaries?")[0] == "noted"


def test_a_dog_is_what_its_specialization_says_and_dog_food_is_a_guess() -> None:
    told = told_of(
        made.model("Lieutenant", pick("Dog Food", glory=1, group="Equipment"), price=70, part="Elite"),
        made.model("Guard Dog", pick("Guard Dog", glory=1, group="Specialization"), price=0, part="Mercenary"),
        made.model("Trench Dog", pick("None", group="Specialization"), price=0, part="Mercenary"),
    )
    lieutenant, guard, dog = told["roster"]["fighters"]
    assert lieutenant["kit"] == ["Trench Dog"]
    assert state_of(told, "Dog Food") == ("guessed", "Trench Dog")
    assert (guard["profile"], guard["kit"], dog["profile"], dog["kit"]) == ("Guard Dog", [], "Trench Dog", [])


def test_a_memory_of_the_playtest_rules_keeps_whom_it_is_of() -> None:
    memory = pick("Dark Memory", pick("Haunted by the Grail", group="Source of Fear"), group="Advancement::Injuries")
    told = told_of(made.model("Lieutenant", memory, price=70, part="Elite"), revision=15)
    assert told["roster"]["fighters"][0]["traumas"] == [
        {"trauma": "Dark Memory", "details": {"faction": "BLACK GRAIL"}}
    ]


def test_armour_that_a_profile_has_in_its_numbers_is_not_bought_again() -> None:
    told = told_of(
        made.model("Pit Locust", pick("Reinforced Armour"), price=90), catalogue="Court of the Seven-Headed Serpent"
    )
    assert told["roster"]["fighters"][0]["kit"] == []
    assert state_of(told, "Reinforced Armour")[0] == "noted"
    assert told["totals"]["printed"] == told["totals"]["ours"]


@pytest.mark.parametrize("said", ["Great Hammer/Maul", "Great Sword/Axe", "great hammer"])
def test_great_weapons_of_the_data_are_known_in_the_playtest_rules(said: str) -> None:
    told = told_of(made.model("Yeoman", made.weapon(said, 10), price=30), revision=15)
    assert state_of(told, f": {said}")[0] == "guessed"


# --- editions ---------------------------------------------------------------------------------------------------------------


def edition_of(*below: dict[str, Any], revision: int = 16) -> str:
    told = told_of(made.model("Lieutenant", *below, price=70, part="Elite"), revision=revision)
    return str(told["edition"])


@pytest.mark.parametrize(
    ("name", "group", "edition"),
    [
        ("Leg Wound [31]", "Advancement::Injuries", "1.0"),
        ("Leg Wound", "Advancement::Injuries", "1.6.3"),
        ("Frag Grenades", "Grenades", "1.0"),
        ("Reinforced Armor", "Armour", "1.6.3"),
        ("Reinforced Armour", "Armour", "1.6.3"),  # nothing decides: data of this revision served these rules longest
        ("Great Hammer/Maul", "Weapons", "1.6.3"),  # the data spells it so in both editions
    ],
)
def test_names_of_the_data_decide_an_edition_that_its_revision_leaves_open(name: str, group: str, edition: str) -> None:
    assert edition_of(pick(name, group=group)) == edition


# --- the text ---------------------------------------------------------------------------------------------------------------


def read_text(lines: str, total: str = "70 Ducats") -> dict[str, Any]:
    data = f"{HEAD.format(total=total)}{lines}\n".encode()
    told = read_report(data)[0]
    assert lost_lines(data, told) == []
    return told


def test_the_text_tells_stores_fireteams_ranks_and_packages_apart_from_kit() -> None:
    told = read_text(
        "## Configuration\n"
        "Campaign Rules: Enabled, Allow Third-Party Mercenaries?, Esoteric Library: Study\n"
        "Pile of Stuff: Equipment Storage, Gas Mask [5 Ducats]\n"
        "## Elite\n"
        "Lieutenant [70 Ducats]: Mind Linked, Dark Memory [24], Haunted by the Court\n"
        "## Mercenary\n"
        "Mamluk Faris [4 Glory Points]:\n"
        "• 1x Mamluk Faris [4 Glory Points]: Polearm and Shield\n"
        "Guard Dog: Guard Dog [1 Glory Points]\n"
        "## Troop\n"
        "Yeoman: Trench Knife [1 Ducats]"
    )
    assert [row["source"] for row in told["lines"] if row["state"] == "unknown"] == []
    assert told["roster"]["stash"] == ["Gas Mask"]
    assert told["roster"]["campaign"]["locations"] == {"Esoteric Library": "study-esoteric-library"}
    assert [fighter["kit"] for fighter in told["roster"]["fighters"]] == [[], [], [], ["Trench Knife"]]


def test_a_rank_of_the_text_is_read_with_the_choice_after_it() -> None:
    text = "Heretic Legion - Fallen - [45 Ducats]\n# ++ Warband ++ [45 Ducats]\n## Troop\n{}\n"
    data = text.format("Heretic Trooper [45 Ducats]: Legionnaire, Ranged [5 Ducats], Musket [5 Ducats]").encode()
    told = read_report(data, edition="1.0")[0]
    assert told["roster"]["fighters"][0]["upgrades"] == ["Ranged Legionnaire"]
    assert lost_lines(data, told) == []


def test_a_fighter_without_a_price_in_the_text_costs_nothing_there() -> None:
    told = read_text("## Elite\nLieutenant [70 Ducats]\n## Troop\nYeoman")
    assert {"fighter": "Yeoman", "printed": 0, "ours": 30} in told["totals"]["differences"]
