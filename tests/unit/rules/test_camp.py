"""Camp: finds healed with, applied, used up; promises settled by choosing. No task there ever asks for a die."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from rules.consequences import GainsItem, Leaves, LosesItems, Money, SetFighter, SetWarband
from rules.content.campaign_entries import Location
from rules.content.compiled import compile_content
from rules.content.schema import OtherList
from rules.force import Force, ForceItem, ForceTrauma
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system
from rules.resolution import Asked, Task, advance
from rules.vocabulary import FreeKitReward, PromiseReward
from tests.unit.rules.evening import ILSE, KOLYA, MAREK, OTTLA, content, fighter, leaves, sets, settle, shown, wardens

GAME = system("trench-crusade")
CONTENT = content()


def finds(*ids: str, **choices: dict[str, Any]) -> dict[str, Any]:
    return {"lasting": {f"l{n}": {"id": id_, "choices": choices.get(f"l{n}", {})} for n, id_ in enumerate(ids, 1)}}


def with_finds(*ids: str, force: Force | None = None, **choices: dict[str, Any]) -> Force:
    return replace(force or wardens(), lasting=ids, state=finds(*ids, **choices))


def tasks(force: Force) -> dict[str, Task]:
    return {task.key: task for task in GAME.post_battle.camp_tasks(CONTENT, force)}


def asked(task: Task, **choices: Any) -> Asked:
    progress = advance(task, (), choices)
    assert progress.asked is not None, shown(progress)
    return progress.asked


LEG, HAND = ForceTrauma("t1", "leg-wound", battle=1), ForceTrauma("t2", "hand-wound", battle=2)
HEAD = ForceTrauma("t3", "head-wound", battle=2)
MINOR = ForceTrauma("t4", "minor-wound", battle=2)


# --- finds -----------------------------------------------------------------------------------------------------------------


def test_curative_fluids_take_one_scar_of_the_players_choice_and_are_spent():
    task = tasks(with_finds("curative-fluids", force=wardens(replace(ILSE, traumas=(LEG, HAND)), OTTLA)))["find-l1"]
    assert [option.title for option in asked(task).options] == ["Ilse Brandt"]
    assert [option.title for option in asked(task, who="ilse").options] == ["Leg Wound", "Hand Wound"]
    outcome = settle(task, (), {"who": "ilse", "scar": "t2"})
    assert sets(outcome) == {("ilse", "traumas", "t2"): None, ("", "lasting", "l1"): None}
    assert outcome.will_do == ("Hand Wound leaves Ilse Brandt.", "Curative Fluids is used up.")
    with pytest.raises(Refusal):
        advance(task, (), {"who": "ottla"})


def test_a_single_scar_is_not_asked_for():
    task = tasks(with_finds("curative-fluids", force=wardens(replace(ILSE, traumas=(LEG,)))))["find-l1"]
    assert sets(settle(task, (), {"who": "ilse"}))[("ilse", "traumas", "t1")] is None


def test_the_resurrection_machine_takes_any_number():
    hurt = replace(ILSE, traumas=(LEG, HAND))
    task = tasks(with_finds("salvaged-resurrection-machine", force=wardens(hurt)))["find-l1"]
    both = settle(task, (), {"who": "ilse", "scars": ["t1", "t2"]})
    assert set(sets(both)) == {("ilse", "traumas", "t1"), ("ilse", "traumas", "t2"), ("", "lasting", "l1")}
    assert len(sets(settle(task, (), {"who": "ilse", "scars": ["t1"]}))) == 2
    with pytest.raises(Refusal):
        advance(task, (), {"who": "ilse", "scars": []})


def test_what_a_scar_did_goes_with_it():
    hurt = replace(ILSE, traumas=(HEAD, MINOR), demoted=True, misses_battle=2)
    task = tasks(with_finds("salvaged-resurrection-machine", force=wardens(hurt)))["find-l1"]
    head = sets(settle(task, (), {"who": "ilse", "scars": ["t3"]}))
    assert head[("ilse", "demoted")] is False
    assert ("ilse", "misses_battle") not in head
    assert sets(settle(task, (), {"who": "ilse", "scars": ["t4"]}))[("ilse", "misses_battle")] == 0


def test_a_scar_that_was_only_counted_on_paper_heals_too():
    paper = replace(ILSE, traumas=(LEG,), scars=2)
    task = tasks(with_finds("curative-fluids", force=wardens(paper)))["find-l1"]
    options = asked(task, who="ilse").options
    assert [option.title for option in options] == ["Leg Wound", "A scar that was only counted"]
    assert sets(settle(task, (), {"who": "ilse", "scar": options[1].value}))[("ilse", "scars")] == 1


def test_with_nobody_scarred_it_is_closed_and_says_why():
    assert tasks(with_finds("curative-fluids"))["find-l1"].closed == "No fighter has a scar."


def test_a_gift_is_given_once_to_one_fighter_or_piece():
    armour = ForceItem("plate", "reinforced-armour")
    force = with_finds("sample-of-holy-dna", "golgotha-tektites", force=wardens(ILSE, OTTLA, stash=(armour,)))
    dna, tektites = tasks(force)["find-l1"], tasks(force)["find-l2"]
    outcome = settle(dna, (), {"link": "ottla"})
    assert sets(outcome) == {("", "lasting", "l1", "choices", "link"): "ottla"}
    pieces = {option.value for option in asked(tektites).options}
    assert pieces == {"plate", "ilse-standard-armour"}
    assert sets(settle(tektites, (), {"link": "plate"})) == {("", "lasting", "l2", "choices", "link"): "plate"}
    given = with_finds("sample-of-holy-dna", force=wardens(ILSE, OTTLA), l1={"link": "ottla"})
    assert tasks(given) == {}
    views = GAME.views(CONTENT, given)
    assert "sample-of-holy-dna" in {word.id for word in views["ottla"].abilities}
    assert "sample-of-holy-dna" not in {word.id for word in views["ilse"].abilities}


def test_armour_that_comes_with_a_profile_can_be_treated():
    heavy = fighter("kroll", "mechanised-heavy-infantry")
    task = tasks(with_finds("golgotha-tektites", force=wardens(ILSE, heavy)))["find-l1"]
    (own,) = [option for option in asked(task).options if option.words == "Kroll"]
    given = with_finds("golgotha-tektites", force=wardens(ILSE, heavy), l1={"link": own.value})
    views = GAME.views(CONTENT, given)
    assert "applied-golgotha-tektites" in {word.id for word in views["kroll"].abilities}
    assert "applied-golgotha-tektites" not in {word.id for word in views["ilse"].abilities}


def test_treated_armour_in_the_stash_is_nobodys():
    twin = replace(OTTLA, key="7")
    armour = ForceItem("7", "reinforced-armour")  # rows of fighters and of pieces may share a number
    given = with_finds("golgotha-tektites", force=wardens(ILSE, twin, stash=(armour,)), l1={"link": "7"})
    assert "applied-golgotha-tektites" not in {word.id for word in GAME.views(CONTENT, given)["7"].abilities}


def test_without_anything_to_give_it_to_a_gift_is_closed():
    task = tasks(with_finds("golgotha-tektites", force=wardens(OTTLA)))["find-l1"]
    assert task.closed == "There is nothing it could be given to."


def test_what_only_the_table_uses_is_struck_out():
    outcome = settle(tasks(with_finds("moonshine"))["find-l1"])
    assert sets(outcome) == {("", "lasting", "l1"): None}
    assert outcome.sentence == "Distributed Moonshine is used up."


@pytest.mark.parametrize("lasting", ["pot-of-manna", "drugs-and-erotica", "black-market", "esoteric-library"])
def test_what_lasts_by_itself_is_not_offered(lasting: str):
    assert tasks(with_finds(lasting)) == {}


def test_spent_kit_leaves_whoever_has_it():
    force = wardens(
        replace(ILSE, kit=(ForceItem("pills", "martyrdom-pills", "found"),)),
        KOLYA,
        stash=(ForceItem("smoke", "smokescreen", "found"), ForceItem("mask", "gas-mask")),
    )
    found = tasks(force)
    assert set(found) == {"used-pills", "used-smoke"}
    assert found["used-pills"].title == "Martyrdom Pills, Ilse Brandt"
    assert leaves(settle(found["used-pills"]), LosesItems) == [LosesItems(("pills",), "Used up")]


def test_nothing_is_used_while_founding():
    assert GAME.post_battle.camp_tasks(CONTENT, replace(with_finds("moonshine"), founding=True)) == ()


# --- promises --------------------------------------------------------------------------------------------------------------


def promise(location: str, option: str = "", force: Force | None = None) -> Task:
    data = {"location": location, "option": option, "lists": [], "glory": 0}
    where = force or wardens()
    assert GAME.campaign.waits_for(CONTENT, where, "find", data) == ""
    task = GAME.campaign.redeem(CONTENT, where, "find", data)
    assert task is not None
    return task


def test_there_are_promises_to_check_and_each_says_what_it_gives():
    found = [
        (place.id, option.id if option else "", reward)
        for place in CONTENT.pack.locations
        for option in (None, *place.options)
        for reward in (option.rewards if option else place.rewards)
        if isinstance(reward, PromiseReward)
    ]
    assert len(found) == 3
    assert all(reward.gives for _, _, reward in found)
    for location, option, _ in found:
        assert asked(promise(location, option)).options


def test_the_treasure_is_one_glory_item_at_its_price_and_must_be_one():
    task = promise("treasure-of-the-holies")
    options = {option.title: option for option in asked(task).options}
    assert "Buy nothing" not in options
    assert options["Resurrection Engine"].closed.startswith("it costs 12 glory")
    pick = options["Troop Flag"]
    (gain,) = settle(task, (), {asked(task).key: pick.value}).consequences
    assert gain == GainsItem("troop-flag", "bought", gain.reason, offer=pick.value, paid=Price(glory=1))


def test_the_corpses_give_two_items_of_other_lists_within_a_hundred_ducats():
    task = promise("battlefield-of-corpses")
    first = asked(task)
    lists = {one for option in first.options for one in CONTENT.item_offers[option.value].lists}
    assert "heretic-legion" in lists
    assert all(not CONTENT.item_offers[option.value].price.glory for option in first.options)
    assert "That is all" not in {option.title for option in first.options}
    claws = "heretic-legion-tartarus-claws"
    second = asked(task, **{first.key: claws})
    assert "85 ducats left" in second.words
    assert all(CONTENT.item_offers[o.value].price.ducats <= 85 for o in second.options if o.value != "none")
    outcome = settle(task, (), {first.key: claws, second.key: "iron-sultanate-jezzail"})
    assert [(gain.item, gain.origin, gain.offer) for gain in leaves(outcome, GainsItem)] == [
        ("tartarus-claws", "found", claws),
        ("jezzail", "found", "iron-sultanate-jezzail"),
    ]
    assert outcome.sentence == "Battlefield of Corpses: Tartarus Claws and Jezzail."
    alone = settle(task, (), {first.key: claws, second.key: "none"})
    assert len(leaves(alone, GainsItem)) == 1


def test_the_holders_of_the_other_list_go_on_holding():
    claws = ForceItem("c", "tartarus-claws", "found", "heretic-legion-tartarus-claws")
    force = wardens(replace(ILSE, kit=(claws,)), MAREK, OTTLA)
    told = [problem for problem in GAME.check(CONTENT, force).problems if problem.item == "Tartarus Claws"]
    assert [problem.code for problem in told] == ["only-for"]
    assert not [p for p in GAME.check(CONTENT, wardens(ILSE, stash=(claws,))).problems if p.item == "Tartarus Claws"]


def test_their_limit_holds_too():
    offer = CONTENT.item_offers["knights-of-avarice-standard-of-mammon"]
    assert offer.limit == 1
    force = wardens(stash=(ForceItem("s", offer.item, "found", offer.id),))
    (option,) = [one for one in asked(promise("battlefield-of-corpses", "", force)).options if one.value == offer.id]
    assert option.closed == "the warband is at its LIMIT."


def test_tektites_turned_in_are_worth_fifteen_glory_of_items():
    task = promise("golgotha-tektites", "turn-in")
    first = asked(task)
    assert all(CONTENT.item_offers[option.value].price.glory for option in first.options)
    engine = next(option.value for option in first.options if option.title == "Resurrection Engine")
    second = asked(task, **{first.key: engine})
    assert {CONTENT.item_offers[o.value].price.glory for o in second.options if o.value != "none"} == {1, 2}
    outcome = settle(task, (), {first.key: engine, second.key: "none"})
    assert leaves(outcome, GainsItem) == [GainsItem("resurrection-engine", "found", "Golgotha Tektites, Turn In")]


@pytest.mark.parametrize(
    ("kind", "data"),
    [("find", {}), ("find", {"location": "nowhere"}), ("find", {"location": "pot-of-manna"}), ("other", {"location": "treasure-of-the-holies"})],
)  # fmt: skip
def test_what_nobody_describes_waits_and_says_so(kind: str, data: dict[str, Any]):
    assert GAME.campaign.redeem(CONTENT, wardens(), kind, data) is None
    assert "let it lapse" in GAME.campaign.waits_for(CONTENT, wardens(), kind, data)


def test_lists_that_are_not_in_yet_are_named():
    gift = FreeKitReward(currency="glory", most=5, lists=("moon-guard",))
    far = OtherList(id="moon-guard", name="Moon Guard", keyword="MOON", side="none")
    place = Location("far-off", "Far Off", "legendary", 99, rewards=(PromiseReward("Owed.", gives=(gift,)),))
    pack = msgspec.structs.replace(CONTENT.pack, locations=(*CONTENT.pack.locations, place), other_lists=(far,))
    books = compile_content(pack, CONTENT.house)
    words = GAME.campaign.waits_for(books, wardens(), "find", {"location": "far-off"})
    assert words == "Moon Guard is not in these books yet."
    assert GAME.campaign.redeem(books, wardens(), "find", {"location": "far-off"}) is None


def test_a_latecomer_shares_out_all_its_experience():
    force = wardens(ILSE, replace(MAREK, experience=17), OTTLA)
    task = GAME.campaign.redeem(CONTENT, force, "late-experience", {"experience": 4})
    assert task is not None
    question = asked(task)
    assert (question.kind, question.total) == ("allot", 4)
    assert [option.title for option in question.options] == ["Ilse Brandt", "Marek"]
    assert dict(question.limits) == {"ilse": 18, "marek": 1}
    outcome = settle(task, (), {"shares": {"ilse": "3", "marek": "1"}})
    assert sets(outcome) == {("ilse", "experience"): 3, ("marek", "experience"): 18}
    for wrong in ({"ilse": 3}, {"marek": 4}, {"ottla": 4}, {"ilse": "much"}):
        with pytest.raises(Refusal):
            advance(task, (), {"shares": wrong})
    alone = wardens(replace(OTTLA, key="o"))
    assert GAME.campaign.waits_for(CONTENT, alone, "late-experience", {"experience": 4}).startswith("No fighter")
    assert GAME.campaign.redeem(CONTENT, alone, "late-experience", {"experience": 4}) is None
    assert GAME.campaign.waits_for(CONTENT, force, "late-experience", {"experience": "4"})


def test_states_written_in_camp_are_states_the_game_knows():
    hurt = replace(ILSE, traumas=(LEG, HEAD), demoted=True)
    force = with_finds("curative-fluids", "sample-of-holy-dna", force=wardens(hurt))
    found = tasks(force)
    healed = settle(found["find-l1"], (), {"who": "ilse", "scar": "t3"})
    assert SetFighter("ilse", ("demoted",), False, "Curative Fluids") in healed.consequences
    given = settle(found["find-l2"], (), {"link": "ilse"})
    assert isinstance(given.consequences[0], SetWarband)
    state = {"lasting": {"l2": {"id": "sample-of-holy-dna", "choices": {"link": "ilse"}}}}
    assert GAME.state.warband_state(CONTENT, state)["lasting"]["l2"]["choices"] == {"link": "ilse"}


# --- who is lifeless -------------------------------------------------------------------------------------------------------

GOLEM = fighter("adam", "golem", lifeless=True, kit=("sword-axe",))


def test_a_lifeless_golem_comes_back_for_forty_ducats_or_is_let_go():
    task = tasks(wardens(ILSE, GOLEM))["back-adam"]
    back = settle(task, (), {"way": "back"})
    assert sets(back) == {("adam", "lifeless"): False}
    assert [c.amount for c in leaves(back, Money)] == [Price(ducats=-40)]
    gone = settle(task, (), {"way": "let-go"})
    assert [(c.fighter, c.status, c.kit_to_stash) for c in leaves(gone, Leaves)] == [("adam", "dead", False)]
    assert "back-adam" not in tasks(wardens(ILSE, replace(GOLEM, lifeless=False)))


def test_forty_ducats_must_be_there_to_bring_it_back():
    task = tasks(wardens(ILSE, GOLEM, strongbox=Price(39, 9)))["back-adam"]
    assert [(option.value, option.closed) for option in asked(task).options] == [
        ("back", "it costs 40 ducats; you have 39."),
        ("let-go", ""),
    ]
    with pytest.raises(Refusal):
        advance(task, (), {"way": "back"})
    assert settle(tasks(wardens(ILSE, GOLEM, strongbox=Price(40)))["back-adam"], (), {"way": "back"})
