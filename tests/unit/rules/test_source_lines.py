"""No line of a roster file is lost: a counter of their own lines finds each of them told, in one state."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from rules.trench_crusade.roster_files.report import read_report
from rules.trench_crusade.roster_files.write import write_roster
from tests import roster_files as made
from tests.roster_files import pick
from tests.source_lines import lines_of, lost_lines


def remarked() -> dict[str, Any]:
    """A tree with something of the player, and something below, wherever the format has a place for it."""
    tree = made.choir()
    force = tree["forces"][0]
    campaign, edda, _officer, pair, pile = force["selections"]
    campaign["selections"][0]["selections"].append(pick("Titles", pick("Duke", pick("Of Ruins"))))
    campaign["selections"][0]["selections"][4]["selections"] = [pick("Display")]
    edda |= {"customNotes": "She leads."}
    edda["selections"][0] |= {
        "customName": "Thunder",
        "customNotes": "A gift.",
        "selections": [pick("Include Weapon Profile?", pick("Yes"))],
    }
    edda["selections"][1]["selections"] = [pick("Show", pick("Always"))]
    edda["selections"] += [
        pick("Fireteam 1", pick("Member", customNotes="With Odo.")),
        pick("Scar(s)", pick("Where"), number=2),
        pick("Loadout One", pick("Shield"), group="Loadout"),
        pick("Include Weapon Profile?", pick("No")),
        pick("Zzyzx Charm", group="Upgrades", price=7),
    ]
    pair["selections"][0]["selections"] = [pick("Bayonet", price=2, group="Weapons", customNotes="Rusty.")]
    pile["selections"] = [pick("Armour Storage", pick("Gas Mask", pick("Shown"), price=5)), *pile["selections"]]
    pile["customNotes"] = "Under the bed."
    force["selections"] += [
        pick("Warband Variant", pick("Eire Rangers", pick("An Option", pick("Deeper")))),
        pick("Seven Deadly Sins", pick("Envy"), customNotes="Which one?"),
    ]
    force |= {
        "customName": "First of all",
        "customNotes": "Painted.",
        "categories": [{"name": "Elite"}, {"name": "Troop"}],
    }
    force["forces"] = [{**deepcopy(force), "forces": [], "selections": [made.model("Yeoman", price=30)]}]
    limits = [{"name": "Ducats", "value": 700}, {"name": "Glory Points", "value": -1}]
    return {**tree, "costLimits": limits, "customNotes": "Both lists."}


def filled() -> dict[str, Any]:
    """A save with everything filled that the program has a place for."""
    save = made.save()
    model = save["models"][0]["model"]
    chosen = {"object_id": "ab_gas", "selections": [{"id": "kw_gas"}, "twice"]}
    model |= {
        "subproperties": [chosen], "list_modelequipment": [chosen], "stat_selections": [{"name": "melee"}],
        "notes": [{"title": "lore", "text": "She walked."}],
    }  # fmt: skip
    model["list_skills"][0]["selections"] = [{"name": "Swords"}]
    model["list_upgrades"] = [
        {"purchase": {"cost_value": 5}, "upgrade": {"object_id": "up_martyrdom", "name": "Martyrdom"}}
    ]
    save["faction"]["faction_rules"] = [{"object_id": "rl_sins", "selections": [{"name": "Envy"}]}]
    save["exploration"]["location_mods"] = [{"object_id": "el_blackmarket_mod", "selections": ["Sold"]}]
    save["exploration"]["locations"][0]["selections"] = [{"name": "Sell"}]
    kept = ("modifiers", "modifiersloc", "consumables", "restrictions_list", "expansion_ids", "expansion_data")
    return {
        **save, **{key: [{"id": key}] for key in kept}, "debts": {"ducats": 20, "glory": 0}, "glory_bank": 4,
        "notes": [{"title": "notes", "text": "Mine."}],
    }  # fmt: skip


TEXT = """\
My list!

```
New Antioch - Mud Choir - [143 Ducats]
# ++ Warband ++ [143 Ducats]
---
## Configuration
Campaign Rules: Enabled, Warrior Saint, Whatever This Is, 21x Warchest of Ducats
Pile of Stuff [0 Ducats]: 2x Trench Knife [2 Ducats]
Seven Deadly Sins: Envy
## Elite [95 Ducats]
#3 - Lieutenant [90 Ducats]: Automatic Pistol [20 Ducats], Zzyzx Charm
Mamluk Faris [4 Glory Points]:
• 1x Mamluk Faris [4 Glory Points]: Lance
```
Created with New Recruit
"""
DOCUMENT = read_report(made.as_json(made.choir()))[0]["roster"]
FILES = {
    "tree as JSON": made.as_json(remarked()),
    "tree as XML": made.as_xml({k: v for k, v in remarked().items() if k != "customNotes"}).encode(),
    "a plain tree": made.as_json(made.choir()),
    "save": json.dumps(filled()).encode(),
    "envelope": json.dumps({"warband_id": 3, "warband_data": json.dumps(filled())}).encode(),
    "New Recruit's text": TEXT.encode(),
    "UTF-16": made.as_xml(made.choir()).replace("UTF-8", "UTF-16").encode("utf-16"),
    "typed": b"Wardens\nNew Antioch (700)\n***\nBob - Lieutenant (70): Axe, Teapot\n  Skills: Parry, Zzyzx\nwhat is this\nTotal: 9",
    **{form: write_roster(DOCUMENT, form).encode() for form in ("trench-companion", "tts", "text", "discord")},
}


@pytest.mark.parametrize("name", FILES)
def test_every_line_of_a_file_is_told_in_one_state(name: str) -> None:
    told = read_report(FILES[name])[0]
    assert len(lines_of(FILES[name])) > 5
    assert lost_lines(FILES[name], told) == []


@pytest.mark.parametrize("name", ["tree as JSON", "save", "New Recruit's text", "typed"])
def test_the_counter_finds_a_line_that_is_not_told(name: str) -> None:
    told = read_report(FILES[name])[0]
    for gone in (0, len(told["lines"]) // 2, len(told["lines"]) - 1):
        line = told["lines"][gone]["source"]
        rest = [row for row in told["lines"] if row["source"] != line]
        assert len(lost_lines(FILES[name], {"lines": rest})) == 1


def test_the_counter_finds_a_line_that_is_told_twice() -> None:
    told = read_report(FILES["save"])[0]
    assert len(lost_lines(FILES["save"], {"lines": [*told["lines"], told["lines"][3]]})) == 1
