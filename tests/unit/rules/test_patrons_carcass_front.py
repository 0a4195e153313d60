"""The three patrons of Carcass Front: who may follow them, their eighteen skills, and what each does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.content.check import check_pack
from rules.force import Force, ForceSkill
from rules.parts.post_battle import StepRecord
from rules.price import Price
from rules.registry import system
from rules.trench_crusade import post_battle
from rules.trench_crusade.carried_effects import full_skills
from rules.trench_crusade.documents.reader import read_with_content
from rules.trench_crusade.resolvers.attack_situation import situation
from tests.unit.rules import evening
from tests.unit.rules.evening_1_0 import ILSE, KOLYA, MAREK, OTTLA, game, wardens

GAME = system("trench-crusade")
ID, RAIDERS, PROCESSION = "tc-2026-09-patrons", "tc-2026-09-naval-raiders", "tc-2026-09-procession"
CONTENT: Any = GAME.content("1.0", (ID,))
WHOLE: Any = GAME.content("1.0", (RAIDERS, PROCESSION, ID))
OWN_SAINT = {"eire-rangers", "war-pilgrimage-of-saint-methodius"}  # a rule of the list names its patron

SKILLS = {
    "House of Wisdom": """Elemental Savant|Experimental Ammunition|Eyes of Hanayn|Jinn Talisman|Heart of al-Jazari|Whispering Zīj""",
    "Blessed Bartolomeo": """All That Was Borne Is Ours to Bear|Chosen|Martyr of Leviathan|The Truth of Suffering|Trample Our Enemy into the Mud|We Are but a Single Breath""",
    "War Priest Charon": """A Master of Death|Fire and Fear|Fonts of Joyous Wickedness|No Longer Cowed Supplicants|On Wings of Blooded Iron|We Are the Storm""",
}  # fmt: skip
ONE_MODEL = {"Chosen", "Fonts of Joyous Wickedness", "A Master of Death"}


@pytest.mark.parametrize("name", SKILLS)
def test_a_patron_has_its_six_skills(name: str) -> None:
    patron = CONTENT.patrons[CONTENT.resolve("patron", name)]
    skills = [CONTENT.skills[skill] for skill in patron.skills]
    assert [skill.name for skill in skills] == SKILLS[name].split("|")
    assert {skill.name for skill in skills if skill.most == 1} == ONE_MODEL & set(SKILLS[name].split("|"))


@pytest.mark.parametrize("content", [CONTENT, WHOLE], ids=["alone", "with-the-new-lists"])
def test_who_may_follow_them(content: Any) -> None:
    following = {
        patron: {id_ for id_, army in content.lists.items() if patron in army.army.patrons}
        for patron in ("house-of-wisdom", "blessed-bartolomeo", "war-priest-charon")
    }
    sides = {side: {id_ for id_, a in content.lists.items() if a.army.side == side} for side in ("faithful", "hell")}
    sultanate = {id_ for id_, army in content.lists.items() if army.faction == "iron-sultanate"}
    assert following["house-of-wisdom"] == sultanate
    assert following["blessed-bartolomeo"] == sides["faithful"] - OWN_SAINT
    assert following["war-priest-charon"] == sides["hell"] - {"knights-of-avarice"}
    for patron, lists in following.items():
        assert set(content.patrons[patron].lists) == lists


def test_they_dangle_nowhere() -> None:
    assert check_pack(CONTENT.pack) == ()


def test_the_misprint_is_told_and_not_applied() -> None:
    assert CONTENT.profile_offers["mercenary-combat-biologist"].price == Price(0, 3)


# --- the House of Wisdom


def document(faction: str, *fighters: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "game": "trench-crusade", "edition": "1.0", "overlays": [ID], "faction": faction, "variant": more.pop("variant", None),
        "mode": "campaign", "scope": "roster", "budget": {"ducats": 2000, "glory": 20}, "battles": {"fought": 3, "credited": 0},
        "fighters": list(fighters), "stash": [], **more,
    }  # fmt: skip


def codes(doc: dict[str, Any]) -> list[str]:
    return sorted(problem["code"] for problem in GAME.documents.judge(doc)["problems"])


def captain(*skills: Any, **more: Any) -> dict[str, Any]:
    return {"name": "Captain", "profile": "Yüzbaşı Captain", "skills": list(skills), **more}


def view_of(doc: dict[str, Any]) -> Any:
    content, force, _ = read_with_content(doc)
    return GAME.views(content, force)[force.fighters[0].key]


def test_a_savant_negates_what_it_chose() -> None:
    for skill, keyword in (("savant-of-fire", "NEGATE FIRE"), ("savant-of-gas", "NEGATE GAS"), ("savant-of-shrapnel", "NEGATE SHRAPNEL")):  # fmt: skip
        chosen = view_of(
            document("Iron Sultanate", captain({"skill": "Elemental Savant", "choices": {"skill": skill}}))
        )
        assert [chosen.has(w) for w in ("NEGATE FIRE", "NEGATE GAS", "NEGATE SHRAPNEL")].count(True) == 1
        assert chosen.has(keyword)


def test_experimental_ammunition_opens_two_kinds_of_bullets() -> None:
    azeb = {"name": "Azeb", "profile": "Azeb", "kit": ["Musket", "Armour-Piercing Bullets"]}
    learned = captain("Experimental Ammunition")
    assert codes(document("Iron Sultanate", captain(), azeb)) == ["not-offered"]
    assert codes(document("Iron Sultanate", learned, azeb)) == []
    assert codes(document("Iron Sultanate", learned, azeb, azeb, azeb)) == ["warband-limit"]
    dum_dum = {**azeb, "kit": ["Musket", "Dum-Dum Bullets"]}
    assert codes(document("Iron Sultanate", learned, dum_dum, dum_dum)) == []
    paid = [GAME.documents.judge(document("Iron Sultanate", learned, x))["rating"]["ducats"] for x in (azeb, {**azeb, "kit": ["Musket"]})]  # fmt: skip
    assert paid[0] - paid[1] == 5


@pytest.mark.parametrize(
    ("skill", "formulas", "price"),
    [
        ("Eyes of Hanayn", ["Hypnotic Eyes", "Terrifying Appearance"], 25),
        ("Heart of al-Jazari", ["Regenerative Tissue", "Startling Speed"], 35),
    ],
)
def test_formulas_for_a_living_body(skill: str, formulas: list[str], price: int) -> None:
    assert codes(document("Iron Sultanate", captain(skill, upgrades=formulas))) == []
    assert codes(document("Iron Sultanate", captain(upgrades=formulas))) != []
    bare, bought = (view_of(document("Iron Sultanate", captain(skill, upgrades=u))) for u in ([], formulas))
    assert bought.rating.ducats - bare.rating.ducats == price


def test_the_zij_seal_is_open_only_while_somebody_has_the_skill() -> None:
    homunculus = {"name": "Clay", "profile": "Takwin Homunculus", "upgrades": ["Zīj Seal"]}
    taught, plain = ({"name": "Jabir", "profile": "Jabirean Alchemist", "skills": s} for s in (["Whispering Zīj"], []))
    assert codes(document("Iron Sultanate", taught, homunculus, variant="House of Wisdom")) == []
    assert codes(document("Iron Sultanate", plain, homunculus, variant="House of Wisdom")) == ["not-offered"]
    with_seal, without = (
        GAME.documents.judge(
            document("Iron Sultanate", taught, {**homunculus, "upgrades": u}, variant="House of Wisdom")
        )
        for u in (["Zīj Seal"], [])
    )
    assert with_seal["rating"]["ducats"] - without["rating"]["ducats"] == 20


# --- Blessed Bartolomeo


def struck(mine: Force, other: Force, item: str = "sword-axe:melee", **told: Any) -> Any:
    return situation(CONTENT, (mine, mine.fighters[0].key), item, (other, other.fighters[0].key), told)


def with_skill(fighter: Any, skill: str) -> Any:
    return replace(fighter, skills=(ForceSkill("s", skill),))


def test_every_second_blood_marker_hurts_more() -> None:
    mine, other = wardens(with_skill(ILSE, "all-that-was-borne")), wardens(MAREK)
    found = [struck(mine, other, own_blood=n).given["injury_modifier"] for n in range(7)]
    assert found == [0, 0, 1, 1, 2, 2, 3]


def test_suffering_is_for_bases_of_up_to_forty_millimetres() -> None:
    assert "truth-of-suffering" not in full_skills(CONTENT, wardens(ILSE), "ilse")
    large = evening.fighter("shrine", "anchorite-shrine", "Shrine")
    assert "truth-of-suffering" in full_skills(CONTENT, wardens(large, list="trench-pilgrims"), "shrine")
    calm, taught = (struck(wardens(ILSE), wardens(foe)) for foe in (MAREK, with_skill(MAREK, "truth-of-suffering")))
    dice = [sum(one["dice"] for one in each.given["injury_modifiers"]) for each in (calm, taught)]
    assert dice[1] == dice[0] - 1


def casualty(
    force: Force, key: str, record: StepRecord | None = None, out: tuple[str, ...] = ("ottla", "kolya")
) -> Any:
    found = {t.key: t for t in post_battle.tasks(CONTENT, force, game(out=out), record or StepRecord(), "trauma")}
    return found[f"casualty-{key}"]


def test_a_single_breath_rolls_one_survival_again_for_each_bearer() -> None:
    force = wardens(with_skill(ILSE, "but-a-single-breath"), OTTLA, KOLYA)
    asked = evening.run(casualty(force, "ottla"), [1])
    assert asked.asked.key == "casualty-again"
    saved = evening.settle(casualty(force, "ottla"), [1, 4], {"casualty-again": "again"})
    assert saved.consequences == ()
    lost = evening.settle(casualty(force, "ottla"), [1], {"casualty-again": "keep"})
    assert lost.consequences
    evening.settle(casualty(force, "ottla"), [5])  # who lives is not asked
    spent = evening.written("casualty-ottla", choices={"casualty-ottla": {"casualty-again": "again"}})
    evening.settle(casualty(force, "kolya", spent), [1])
    kept = evening.written("casualty-ottla", choices={"casualty-ottla": {"casualty-again": "keep"}})
    assert evening.run(casualty(force, "kolya", kept), [1]).asked.key == "casualty-again"
    two = wardens(with_skill(ILSE, "but-a-single-breath"), with_skill(MAREK, "but-a-single-breath"), OTTLA, KOLYA)
    assert evening.run(casualty(two, "kolya", spent), [1]).asked.key == "casualty-again"
    evening.settle(casualty(wardens(), "ottla"), [1])


# --- War Priest Charon


def test_a_master_of_death_shoots_once_more_at_short_range() -> None:
    mine = wardens(with_skill(evening.fighter("gun", "yeoman", "Gun", kit=("bolt-action-rifle",)), "master-of-death"))
    near, far = (struck(mine, wardens(MAREK), "bolt-action-rifle:ranged", **told) for told in ({}, {"long_range": 1}))
    assert len(near.given["attacks"]) == 2
    assert "attacks" not in far.given
    thrower = wardens(with_skill(evening.fighter("t", "yeoman", "T", kit=("incendiary-grenades",)), "master-of-death"))
    assert "attacks" not in struck(thrower, wardens(MAREK), "incendiary-grenades:ranged").given


def test_no_longer_cowed_turns_down_into_a_minor_hit() -> None:
    calm, taught = (struck(wardens(ILSE), wardens(foe)) for foe in (MAREK, with_skill(MAREK, "no-longer-cowed")))
    assert (calm.given["target"]["down_is_minor"], taught.given["target"]["down_is_minor"]) == (False, True)


@pytest.mark.parametrize("skill", ["bartolomeos-chosen", "fonts-of-wickedness"])
def test_luck_comes_with_its_bearer(skill: str) -> None:
    assert CONTENT.skills[skill].effects[0].skills == ("lucky",)
    other = wardens(with_skill(ILSE, skill), MAREK)
    assert skill in full_skills(CONTENT, other, "marek")
