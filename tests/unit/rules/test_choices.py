"""Choices: asked when a thing is taken, told while they are open, at work once they are made, kept through documents."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.force import Battles, Force, ForceFighter, ForceItem, ForceSkill
from rules.parts.choice import Choosing
from rules.parts.offer import Offer
from rules.price import Price
from rules.problems import Problem
from rules.registry import system

GAME = system("trench-crusade")
CONTENT = GAME.content("1.6.3")


def warband(*fighters: ForceFighter, list_id: str = "new-antioch", **more: Any) -> Force:
    """A warband as rows of the database make it: nothing is left unsaid."""
    known: dict[str, Any] = {"strongbox": Price(500, 20), "founding": True, "name": "Wardens", **more}
    return Force("trench-crusade", "1.6.3", list_id, fighters=fighters, **known)


def cleric(key: str = "odile", **choices: str) -> ForceFighter:
    return ForceFighter(key, key.capitalize(), "trench-cleric", choices=choices)


def learned(key: str, learning: str, /, **choices: Any) -> ForceFighter:
    return ForceFighter(key, key.capitalize(), "lieutenant", skills=(ForceSkill("s1", learning, choices),))


def problems(force: Force, code: str = "choice") -> list[Problem]:
    return [problem for problem in GAME.check(CONTENT, force).problems if problem.code == code]


def choosing(force: Force, key: str) -> Choosing:
    (found,) = [one for one in GAME.choices(CONTENT, force) if one.asked.key == key]
    return found


def offer(force: Force, ref: str, fighter: str = "") -> Offer:
    return next(one for one in GAME.shop.item_offers(CONTENT, force, fighter) if one.ref == ref)


# --- open, made, wrong -----------------------------------------------------------------------------------------------------


def test_an_open_power_is_told_with_what_would_close_it():
    (told,) = problems(warband(cleric()))
    assert told.message == "Odile: Powers of the Trench Cleric leaves a choice open."
    assert told.mend == "Choose God is With Us! or Onwards, Christian Soldiers!"
    assert (told.fighter_key, told.source) == ("odile", "Trench Cleric")
    assert not problems(warband(cleric(power="god-is-with-us")))


def test_a_keyword_with_an_open_figure_is_offered_with_the_figure():
    lieutenant = ForceFighter("ilse", "Ilse", "lieutenant")
    assert offer(warband(lieutenant), "grenades", "ilse").details[0].endswith("BLAST 2″")


def test_a_power_is_asked_with_what_each_one_does():
    asked = choosing(warband(cleric()), "power").asked
    assert [option for option, _ in asked.summaries] == [option for option, _ in asked.options]
    assert all(summary for _, summary in asked.summaries)


def test_two_clerics_are_told_apart():
    told = problems(warband(cleric(), cleric("agnes", power="god-is-with-us"), cleric("maud")))
    assert [one.fighter for one in told] == ["Odile", "Maud"]


def test_what_is_none_of_the_options_is_told():
    (told,) = problems(warband(cleric(power="puppet-master")))
    assert "“puppet-master” is none of the choices" in told.message


def test_a_list_may_open_other_powers():
    eire = warband(ForceFighter("colm", "Colm", "eire-warrior-priest"), list_id="eire-rangers")
    asked = {value for value, _ in choosing(eire, "power").asked.options}
    assert asked == {"arise-and-be-healed", "away-serpents", "god-is-with-us", "onwards-christian-soldiers"}


def test_a_hire_asks_for_the_power_and_the_loadout():
    offers = {one.ref: one for one in GAME.hire_offers(CONTENT, warband())}
    assert [one.key for one in offers["trench-cleric"].choices] == ["power"]
    (loadout,) = offers["mamluk-faris"].choices
    assert loadout.key == "loadout-mamluk"
    assert loadout.any_time
    assert offers["yeoman"].choices == ()


def test_an_open_choice_closes_no_offer():
    force = warband(ForceFighter("ilse", "Ilse", "lieutenant"), founding=False, state={"shop_until": 99})
    title = offer(force, "battlefield-title", "ilse")
    assert title.state == "open"
    assert [one.key for one in title.choices] == ["raise-limit"]


# --- at work ---------------------------------------------------------------------------------------------------------------


def test_the_power_chosen_is_an_ability_and_named_on_the_sheet():
    force = warband(cleric(power="god-is-with-us"))
    assert "god-is-with-us" in {word.id for word in GAME.views(CONTENT, force)["odile"].abilities}
    (line,) = GAME.documents.sheet(CONTENT, force).fighters
    assert ("Powers of the Trench Cleric", "God is With Us!") in line.lines
    assert any(name == "God is With Us!" for name, _ in line.lines)
    assert line.chosen == (("Powers of the Trench Cleric", "God is With Us!"),)
    (bare,) = GAME.documents.sheet(CONTENT, warband(cleric())).fighters
    assert bare.chosen == ()
    assert not any(name == "God is With Us!" for name, _ in bare.lines)


@pytest.mark.parametrize(
    ("loadout", "carried"),
    [("0", {"trench-polearm", "trench-shield"}), ("1", {"sword-axe", "pistol-revolver"}), ("2", {"mamluk-greatsword"})],
)
def test_the_loadout_chosen_is_carried(loadout: str, carried: set[str]):
    faris = ForceFighter("faris", "Faris", "mamluk-faris", hired_as="mercenary", choices={"loadout-mamluk": loadout})
    kit = {item.item for item in GAME.views(CONTENT, warband(faris))["faris"].kit}
    assert carried <= kit
    assert not kit & ({"trench-polearm", "sword-axe", "mamluk-greatsword"} - carried)


def test_a_skill_raises_the_limit_it_names():
    before = offer(warband(learned("ilse", "knowledge-of-science")), "machine-gun")
    raised = warband(learned("ilse", "knowledge-of-science", **{"raise": before.id}))
    assert before.limit is not None
    assert offer(raised, "machine-gun").limit == before.limit + 1
    assert choosing(raised, "raise").chosen_words == ("Machine Gun",)
    assert problems(raised) == []
    (told,) = problems(warband(learned("ilse", "knowledge-of-science")))
    assert told.message == "Ilse: Knowledge of Science leaves a choice open."
    assert told.mend.startswith("Choose one of ")


def test_organisational_skills_raise_the_maximum_of_a_profile_that_is_no_elite():
    force = warband(learned("ilse", "organisational-skills"))
    options = dict(choosing(force, "raise").asked.options)
    assert "Trench Cleric" not in options.values()
    pick = next(value for value, words in options.items() if words == "Shocktrooper")
    hires = {one.ref: one for one in GAME.hire_offers(CONTENT, force)}
    more = {
        one.ref: one
        for one in GAME.hire_offers(CONTENT, warband(learned("ilse", "organisational-skills", **{"raise": pick})))
    }
    assert more["shocktrooper"].limit == (hires["shocktrooper"].limit or 0) + 1


def test_a_title_raises_weapons_and_armour_only_and_from_the_stash_too():
    title = ForceItem("t", "battlefield-title", "found")
    force = warband(stash=(title,))
    asked = choosing(force, "raise-limit")
    categories = {CONTENT.items[CONTENT.item_offers[value].item].category for value, _ in asked.asked.options}
    assert {"ranged", "armour"} <= categories <= {"ranged", "melee", "armour"}
    gun = offer(force, "machine-gun")
    raised = warband(stash=(replace(title, choices={"raise-limit": gun.id}),))
    assert offer(raised, "machine-gun").limit == (gun.limit or 0) + 1
    (told,) = problems(force)
    assert told.item_key == "t"


def test_a_skill_chosen_through_another_is_held_and_asks_in_turn():
    force = warband(learned("ilse", "walk-with-god", skill="skill-and-expertise"))
    assert [one.asked.key for one in GAME.choices(CONTENT, force) if one.open] == ["action"]
    done = warband(learned("ilse", "walk-with-god", skill="skill-and-expertise", action="Dash"))
    assert problems(done) == []
    assert dict(GAME.documents.sheet(CONTENT, done).fighters[0].chosen)["Skill & Expertise"] == "Dash"


# --- other lists -----------------------------------------------------------------------------------------------------------

AVARICE = "knights-of-avarice"
PICKS = {
    "corrupt-merchants-iron-sultanate": "iron-sultanate-jezzail",
    "corrupt-merchants-new-antioch": "new-antioch-heavy-shotgun",
}


def test_corrupt_merchants_leave_two_choices_open():
    told = problems(warband(list_id=AVARICE))
    assert len(told) == 2
    assert all(one.message == "Corrupt Merchants leaves a choice open." and not one.fighter_key for one in told)
    assert problems(warband(list_id=AVARICE, choices=PICKS)) == []


def test_founding_may_leave_them_for_later_but_asks():
    asked = next(one for one in GAME.founding.lists(CONTENT) if one.id == AVARICE).choices
    assert {one.key for one in asked} == set(PICKS)
    assert all(one.optional for one in asked)


def test_a_foreign_pick_can_be_bought_and_carried_and_only_the_pick():
    aurelio = ForceFighter("aurelio", "Aurelio", "heretic-priest-of-mammon", choices={"power": "puppet-master"})
    force = warband(aurelio, list_id=AVARICE, choices=PICKS)
    jezzail = offer(force, "jezzail", "aurelio")
    assert (jezzail.state, jezzail.id) == ("open", "iron-sultanate-jezzail")
    armed = replace(aurelio, kit=(ForceItem("j", "jezzail", "bought", jezzail.id, jezzail.price),))
    assert not [p for p in GAME.check(CONTENT, warband(armed, list_id=AVARICE, choices=PICKS)).problems if p.item]
    refs = {one.ref for one in GAME.shop.item_offers(CONTENT, warband(aurelio, list_id=AVARICE), "aurelio")}
    assert not refs & {"jezzail", "heavy-shotgun", "siege-jezzail"}
    told = problems(warband(armed, list_id=AVARICE), "not-offered")
    assert [one.item for one in told] == ["Jezzail"]


def test_what_the_own_list_has_is_no_foreign_pick():
    options = {value for one in GAME.choices(CONTENT, warband(list_id=AVARICE)) for value, _ in one.asked.options}
    own = {entry.item for entry in CONTENT.lists[AVARICE].item_offers}
    assert not {CONTENT.item_offers[value].item for value in options} & own


# --- documents -------------------------------------------------------------------------------------------------------------


def paper(*fighters: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"game": "trench-crusade", "edition": "1.6.3", "faction": "New Antioch", "fighters": list(fighters), **more}


LEADER = {"name": "Ilse", "profile": "Lieutenant", "kit": ["Sword / Axe"]}


def test_paper_may_leave_a_choice_unsaid_but_not_say_nonsense():
    unsaid = paper(LEADER, {"name": "Odile", "profile": "Trench Cleric", "kit": ["Trench Club"]})
    assert GAME.documents.judge(unsaid)["legal"]
    said = paper(LEADER, {"name": "Odile", "profile": "Trench Cleric", "choices": {"power": "God is With Us!"}})
    force, unread = GAME.documents.read_document(said)
    assert unread == ()
    assert force.fighters[1].choices["power"] == "god-is-with-us"
    wrong = paper(LEADER, {"name": "Odile", "profile": "Trench Cleric", "choices": {"power": "Puppet Master"}})
    assert [one["code"] for one in GAME.documents.judge(wrong)["problems"]] == ["choice"]


def test_options_are_understood_by_name_by_item_and_by_profile():
    document = paper(
        {**LEADER, "skills": [{"skill": "Knowledge of Science", "choices": {"raise": "Machine Gun"}}]},
        {"name": "Faris", "profile": "Mamluk Faris", "choices": {"loadout-mamluk": "Mamluk Greatsword"}},
        battles={"fought": 2},
        founding=False,
        stash=[{"item": "Battlefield Title", "origin": "found", "choices": {"raise-limit": "Grenade Launcher"}}],
    )
    force, unread = GAME.documents.read_document(document)
    assert unread == ()
    chosen = {one.asked.key: one.chosen for one in GAME.choices(CONTENT, force)}
    assert chosen["raise"] == ("new-antioch-machine-gun",)
    assert chosen["loadout-mamluk"] == ("2",)
    assert chosen["raise-limit"] == ("common-grenade-launcher",)
    assert problems(replace(force, strongbox=Price())) == []


def test_every_choice_comes_back_from_a_document():
    ilse = learned("ilse", "knowledge-of-science", **{"raise": "new-antioch-machine-gun"})
    force = warband(
        ilse,
        cleric(power="onwards-christian-soldiers"),
        founding=False,
        battles=Battles(1),
        strongbox=Price(5, 1),
        stash=(ForceItem("t", "battlefield-title", "found", choices={"raise-limit": "common-grenade-launcher"}),),
        state={"lasting": {"l1": {"id": "golgotha-tektites", "choices": {"link": "t9"}}}},
        lasting=("golgotha-tektites",),
    )
    ilse = replace(ilse, kit=(ForceItem("t9", "standard-armour", "bought", "common-standard-armour"),))
    force = force.with_fighter(ilse)
    document = GAME.documents.write_document(CONTENT, force)
    assert document["campaign"]["lasting"] == [{"id": "golgotha-tektites", "choices": {"link": "f1-i1"}}]
    again, unread = GAME.documents.read_document(document)
    assert unread == ()
    made = {(one.source, one.chosen) for one in GAME.choices(CONTENT, force) if one.chosen}
    assert {(one.source, one.chosen) for one in GAME.choices(CONTENT, again) if one.chosen} == made
    assert not [one for one in GAME.choices(CONTENT, again) if one.wrong]
    assert GAME.documents.write_document(CONTENT, again)["campaign"] == document["campaign"]


def test_a_link_goes_by_name_and_follows_the_fighter_to_new_keys():
    ottla, twin = ForceFighter("71", "Ottla", "yeoman"), ForceFighter("72", "Twin", "yeoman")
    other = ForceFighter("73", "Twin", "yeoman")
    state = {"lasting": {"l1": {"id": "sample-of-holy-dna", "choices": {"link": "71"}}}}
    force = warband(
        ottla, twin, other, state=state, lasting=("sample-of-holy-dna",), choices={"fireteams": [["71", "73"]]}
    )
    document = GAME.documents.write_document(CONTENT, force)
    assert document["campaign"]["lasting"][0]["choices"] == {"link": "Ottla"}
    assert document["choices"]["fireteams"] == [["Ottla", "f3"]]
    again, _ = GAME.documents.read_document(document)
    assert again.choices["fireteams"] == [["f1", "f3"]]
    assert again.state["lasting"]["l1"]["choices"] == {"link": "f1"}
    moved = GAME.state.rekeyed(CONTENT, again, {"f1": "9", "f3": "8"}, {})
    assert moved.choices["fireteams"] == [["9", "8"]]
    assert moved.state["lasting"]["l1"]["choices"] == {"link": "9"}


def test_the_samples_leave_nothing_open():
    for sample, _, _, _ in GAME.founding.samples(CONTENT):
        force, unread = GAME.documents.read_document(GAME.founding.sample(CONTENT, sample))
        assert unread == ()
        assert problems(replace(force, strongbox=Price())) == [], sample
