"""Further names that rosters give a profile: the name of what it stands in for, or of what a list calls it."""

from __future__ import annotations

from typing import Any

import pytest

from rules.registry import system
from rules.trench_crusade.content import content_of
from rules.trench_crusade.documents.reader import read_document

GAME = system("trench-crusade")
GRAIL, SULTANATE, PILGRIMS = "Cult of the Black Grail", "Iron Sultanate", "Trench Pilgrims"
DIRGE, HUNGER = "Dirge of the Great Hegemon", "The Great Hunger"


def paper(edition: str, faction: str, variant: str | None, *fighters: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "game": "trench-crusade", "edition": edition, "faction": faction, "variant": variant,
        "budget": {"ducats": 3000, "glory": 60}, "fighters": list(fighters), **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("edition", "faction", "variant", "name", "profile"),
    [
        ("1.0", GRAIL, None, "Grail Thrall", "grail-thrall"), ("1.0", GRAIL, DIRGE, "Grail Thrall", "bereaved"),
        ("1.0", GRAIL, DIRGE, "Fly Thrall", "fly-bereaved"), ("1.0", GRAIL, HUNGER, "Hounds of the Black Grail", "prowler"),
        ("1.0", GRAIL, HUNGER, "Plague Knight", "butcher-knight"), ("1.0", GRAIL, HUNGER, "Corpse Guard", "corpse-guard"),
        ("1.0", GRAIL, HUNGER, "Hound of the Black Grail", "prowler"), ("1.0", GRAIL, DIRGE, "Plague Knight", "plague-knight"),
        ("1.0", GRAIL, DIRGE, "Weepers", "herald-of-beelzebub"), ("1.6.3", GRAIL, DIRGE, "Grail Thrall", "bereaved"),
        ("1.6.3", GRAIL, DIRGE, "Lamenter", "plague-knight"), ("1.6.3", GRAIL, DIRGE, "Wailer", "hound-of-the-black-grail"),
        ("1.6.3", GRAIL, HUNGER, "Plague Knight", "butcher-knight"), ("1.6.3", GRAIL, HUNGER, "Corpse Guard", "corpse-guard"),
        ("1.0", SULTANATE, "House of Wisdom", "Kavass", "azeb"), ("1.0", SULTANATE, "Defenders of the Iron Wall", "Sipahi", "sipahi-automaton-cavalry"),
        ("1.6.3", SULTANATE, "Defenders of the Iron Wall", "Sipahi Captain", "sipahi-automaton-cavalry"),
        ("1.0", PILGRIMS, None, "Combat Medic", "pilgrim-combat-medic"), ("1.6.3", PILGRIMS, None, "Sister of Saint Cosmas", "pilgrim-combat-medic"),
        ("1.0", "New Antioch", None, "Combat Medic", "combat-medic"), ("1.6.3", "Heretic Legion", None, "Chorister", "heretic-chorister"),
    ],
)  # fmt: skip
def test_a_further_name_means_the_profile_of_the_own_list(
    edition: str, faction: str, variant: str | None, name: str, profile: str
) -> None:
    force, problems = read_document(paper(edition, faction, variant, {"profile": name}))
    assert ([f.profile for f in force.fighters], problems) == ([profile], ())


@pytest.mark.parametrize(("edition", "variant"), [("1.6.3", DIRGE), ("1.6.3", HUNGER), ("1.0", DIRGE)])
@pytest.mark.parametrize("name", ["Grail Thrall", "grail-thrall"])
def test_a_find_stays_what_it_is_beside_those_that_bear_its_name(edition: str, variant: str, name: str) -> None:
    hired, found = {"profile": name}, {"profile": name, "name": "Vessel", "offer": "found-grail-thrall"}
    document = paper(edition, GRAIL, variant, hired, found, battles={"fought": 2, "credited": 0})
    force, problems = read_document(document)
    assert problems == ()
    assert force.fighters[0].profile != "grail-thrall"
    assert force.fighters[1].profile == "grail-thrall"
    again, problems = read_document(GAME.documents.write_document(content_of(edition), force))
    assert [f.profile for f in again.fighters] == [f.profile for f in force.fighters]
    assert problems == ()


def test_an_entry_decides_nothing_for_another_profile() -> None:
    risen = {"profile": "Martyr-Penitent", "offer": "trench-pilgrims-trench-pilgrim"}
    force, _ = read_document(paper("1.6.3", PILGRIMS, None, risen))
    assert force.fighters[0].profile == "martyr-penitent"
