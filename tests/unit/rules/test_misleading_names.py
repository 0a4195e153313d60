"""Names that mislead a reader of rosters: own names like labels or profiles, names with commas, lists that nothing names."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.trench_crusade.roster_files.report import read_report
from tests import roster_files as made


def answer(data: bytes, **options: str) -> dict[str, Any]:
    return read_report(data, **options)[0]


_COMPANION = """\
## The Long Penance ##

Faction: Iron Sultanate
Rating: {rating} Ducats | 0 Glory
Patron: None

## Elites ##

{who}
• Cost: {cost} Ducats | 0 Glory
"""


@pytest.mark.parametrize(
    ("who", "name", "profile"),
    [
        ("Total: 5 - Jabirean Alchemist", "Total: 5", "Jabirean Alchemist"),
        ("Rating: 9 - Jabirean Alchemist", "Rating: 9", "Jabirean Alchemist"),
        ("Azeb - Jabirean Alchemist", "Azeb", "Jabirean Alchemist"),
        ("Brother - of none - Jabirean Alchemist", "Brother - of none", "Jabirean Alchemist"),
    ],
)
def test_an_own_name_may_look_like_a_label_or_a_profile(who: str, name: str, profile: str) -> None:
    fighters = answer(_COMPANION.format(who=who, cost=55, rating=55).encode())["roster"]["fighters"]
    assert [(fighter["name"], fighter["profile"]) for fighter in fighters] == [(name, profile)]


def test_a_total_counts_neither_reserves_nor_the_dead() -> None:
    save = made.save()
    save["models"][1]["model"]["active"] = "reserved"
    told = answer(json.dumps(save).encode())
    assert not [remark for remark in told["remarks"] if "all are worth 130" in remark and "240" in remark]
    assert told["totals"]["ours"]["ducats"] == 84


def test_names_of_the_game_data_do_not_decide_the_edition_of_another_program() -> None:
    told = answer(_COMPANION.format(who="Jabirean Alchemist", cost=55, rating=55).encode())
    assert "Jabirean Alchemist" not in told["why"]


def test_a_name_with_a_comma_is_one_name_within_a_list() -> None:
    text = "Wardens\nHeretic Legion\nHeretic Priest: Trench Club, Koraktor, the Great Tome of Hell, Gas Mask"
    kit = answer(text.encode())["roster"]["fighters"][0]["kit"]
    assert kit == ["Trench Club", "Koraktor, the Great Tome of Hell", "Gas Mask"]


def test_a_text_that_names_no_list_says_that_its_list_is_a_guess() -> None:
    told, is_sure = read_report(b"Wardens\nLieutenant: Axe\nYeoman: Shovel\n")
    assert [row["became"] for row in told["lines"] if row["state"] == "guessed" and "no list" in row["why"]] == [
        "faction"
    ]
    assert not is_sure


def test_a_third_party_list_is_found_by_its_fighters() -> None:
    text = "## Hunger ##\n \nDesiccated Husk\nCradle Thrall\nFly Thrall\nCradle Fly Thrall\n"
    assert answer(text.encode(), edition="1.6.3")["roster"]["variant"] == "The Great Hunger"


def test_the_document_has_names_and_no_ids_in_words() -> None:
    fighters = answer(json.dumps(made.save()).encode())["roster"]["fighters"]
    assert [fighter["profile"] for fighter in fighters] == ["War Prophet", *["Trench Pilgrim"] * 3]
