"""What a warband may be as a whole, on an invented pack: numbers, limits, money, groups, choices, and the force on the table."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from rules import vocabulary as v
from rules.content.campaign_entries import Lasting
from rules.content.compiled import Content, compile_content
from rules.content.house import read_house_rules
from rules.fighters.work_out import RememberedFacts
from rules.force import ForceItem, ForceSkill
from rules.legality.hiring import elite_cap
from rules.legality.roster_state import examine
from rules.price import Price
from tests.unit.rules.weir import REEVE, codes, content, fighter, fought, stash, verdict, warband


def test_every_finding_is_told_at_once_with_a_sentence_and_a_mend() -> None:
    force = warband(
        fighter("a", "spear", "mail", "diving-suit", "plate"),
        fighter("b", "thrall"),
        fighter("c", "thrall"),
        led=False,
    )
    answer = verdict(force)
    assert sorted({p.code for p in answer.problems}) == ["needs", "no-leader", "only-for", "ratio", "slot-armour"]
    assert all(p.message.endswith(".") for p in answer.problems)
    assert all(p.mend for p in answer.problems)


def test_no_leader() -> None:
    problem = next(p for p in verdict(warband(fighter("a"), led=False)).problems)
    assert (problem.code, problem.message) == ("no-leader", "No leader.")
    assert problem.mend == "Wardens of the Weir needs a Reeve as its leader, for 50 ducats."


def test_a_captive_leader_still_leads_and_a_dead_one_does_not() -> None:
    assert codes(warband(replace(REEVE, status="captive"), led=False)) == []
    assert codes(warband(replace(REEVE, status="dead"), led=False)) == ["no-leader"]


@pytest.mark.parametrize(
    ("fighters", "found"),
    [
        ([("reeve", 1)], ["too-many"]),  # with the one that leads
        ([("scholar", 2)], []),
        ([("scholar", 2), ("monk", 1)], ["group-cap", "elite-cap"]),
        ([("squire", 1)], ["too-many"]),  # one for each scholar
        ([("squire", 1), ("scholar", 1)], []),
        ([("guard", 1), ("spear", 1)], ["too-many"]),  # half the spears
        ([("guard", 1), ("spear", 2)], []),
        ([("spear", 9)], []),
        ([("mine", 1)], ["not-offered"]),
        ([("old-spear", 1)], ["not-offered"]),
        ([("tinker", 1)], ["third-party"]),
    ],
)
def test_how_many_may_be_hired(fighters: list[tuple[str, int]], found: list[str]) -> None:
    members = [fighter(f"{profile}{n}", profile) for profile, count in fighters for n in range(count)]
    assert codes(warband(*members)) == found


def test_a_maximum_rises_with_the_threshold() -> None:
    monks = [fighter("m1", "monk"), fighter("m2", "monk")]
    assert codes(warband(*monks)) == ["too-many"]
    assert codes(warband(*monks, battles=fought(1))) == []
    over = content(readings={"threshold_condition": "threshold-over"})
    assert codes(warband(*monks, battles=fought(1)), over) == ["too-many"]
    rich = content(readings={"threshold_condition": "rating"})
    assert codes(warband(*monks), rich) == ["too-many"]


def test_thralls_stay_outnumbered() -> None:
    def armed(n: int) -> list:
        return [fighter(f"t{i}", "thrall", "sword") for i in range(n)]

    assert codes(warband(*armed(1))) == ["ratio"]  # one beside one
    assert codes(warband(*armed(1), fighter("a"))) == []
    assert codes(warband(*armed(2), fighter("a"))) == ["ratio"]
    assert codes(warband(*armed(2), fighter("a")), content(readings={"wretched_ratio": "equal"})) == []


def test_beasts_that_outnumber_the_others_after_a_battle_stop_a_purchase_only() -> None:
    otters = [fighter(f"o{n}", "otter") for n in range(2)]
    later = warband(*otters, founding=False, battles=fought(1))
    assert codes(later) == []
    assert codes(later, scope="purchase", wants={"profile": "otter"}) == ["ratio", "ratio"]
    assert codes(warband(*otters)) == ["ratio"]  # nobody fell yet: they were bought like that
    assert (
        codes(warband(*otters, fighter("a"), fighter("b"), fighter("c")), scope="purchase", wants={"profile": "otter"})
        == []
    )


def test_elites_are_counted_and_a_skill_may_raise_their_number() -> None:
    four = [fighter("s1", "scholar"), fighter("s2", "scholar"), fighter("p", "spear", promoted=True)]
    assert codes(warband(*four)) == ["elite-cap"]
    four[0] = fighter("s1", "scholar", skills=("bad-company",))
    assert codes(warband(*four)) == []
    assert codes(warband(fighter("s1", "scholar")), content(elite_cap=1)) == ["elite-cap"]


@pytest.mark.parametrize("table", ["rules", "lasting"])
def test_what_the_whole_warband_has_raises_the_number_of_elites_once(table: str) -> None:
    pack = content().pack
    raises = v.EliteCapEffect(add=1)
    drill = next(rule for rule in pack.rules if rule.id == "drill")
    if table == "rules":
        rules = tuple(structs.replace(rule, effects=(raises,)) if rule is drill else rule for rule in pack.rules)
        pack = structs.replace(pack, rules=rules)
    else:
        pack = structs.replace(pack, lasting=(Lasting("war-drum", "War Drum", "", effects=(raises,)),))
    terms = compile_content(pack, read_house_rules({}))
    force = warband(fighter("a"), fighter("b"), lasting=("war-drum",))
    before = elite_cap(examine(content(), force))
    assert before is not None
    assert elite_cap(examine(terms, force)) == before + 1


def test_limits_count_what_was_bought_stash_included_and_nothing_else() -> None:
    three = warband(fighter("a", "spear", "rope"), fighter("b", "spear", "rope"), stash=stash("rope"))
    problem = verdict(three).problems[0]
    assert (problem.code, problem.message) == ("warband-limit", "Three Ropes; the list allows two.")
    found = warband(
        fighter("a", "spear", "rope"), fighter("b", "spear", "rope"), stash=stash("found:rope", "looted:rope")
    )
    assert codes(found) == []
    assert codes(found, content(readings={"loot_respects_limit": True})) == ["warband-limit"]


def test_a_limit_is_raised_by_a_pick_or_by_a_house_rule() -> None:
    three = [fighter(x, "spear", "rope") for x in "abc"]
    assert codes(warband(*three)) == ["warband-limit"]
    clever = fighter("s", "scholar", skills=(ForceSkill("k", "smuggler", {"raise-limit": "w-rope"}),))
    assert codes(warband(*three, clever)) == []
    assert codes(warband(*three), content(limits={"w-rope": 3})) == []
    assert codes(warband(*three), content(limits={"rope": 1})) == ["warband-limit"]


def test_a_title_raises_its_limit_and_fills_its_own_after_its_bearer_is_gone() -> None:
    three = [fighter(x, "spear", "rope") for x in "abc"]
    crest = ForceItem("t", "crest", "bought", "w-crest", choices={"raise-limit": "w-rope"})
    assert codes(warband(*three)) == ["warband-limit"]
    assert codes(warband(*three, lost=(crest,))) == []
    assert codes(warband(*three, stash=(crest,), lost=(crest,))) == ["warband-limit"]  # a second crest
    pearl = replace(crest, item="pearl", offer="w-pearl")  # raises a limit too, while it is held
    assert codes(warband(*three, stash=(pearl,))) == []
    assert codes(warband(*three, lost=(pearl,))) == ["warband-limit"]


def test_a_limit_of_fighters_is_raised_by_a_pick() -> None:
    monks = [fighter("m1", "monk"), fighter("m2", "monk", skills=(ForceSkill("k", "muster-master", {"of": "w-monk"}),))]
    assert codes(warband(*monks)) == []


def test_upgrade_limits_count_holders_move_with_others_and_leave_some_out() -> None:
    assert codes(warband(*[fighter(x, "spear", upgrades=("scout",)) for x in "ab"])) == ["warband-limit"]
    assert codes(warband(*[fighter(x, "spear", upgrades=("scout",)) for x in "ab"], battles=fought(1))) == []
    assert codes(warband(fighter("a", "spear", upgrades=("veteran/veteran-arm",)))) == ["warband-limit"]
    sworn = [fighter(x, "spear", upgrades=("sworn",)) for x in "ab"]
    assert codes(warband(fighter("reeve", "reeve", upgrades=("sworn",)), *sworn, led=False)) == []
    assert codes(warband(*sworn, fighter("c", "spear", upgrades=("sworn",)))) == ["warband-limit"]


def test_a_promotion_does_not_take_an_upgrade_away() -> None:
    assert codes(warband(fighter("a", "crab", upgrades=("sworn",), promoted=True))) == []


def test_bans_and_caps_hold_for_the_whole_warband() -> None:
    def drowned(*fighters, **more) -> list[str]:
        return codes(warband(*fighters, list="drowned", choices={"creed": "mire"}, **more))

    assert drowned(stash=stash("bombs")) == ["banned"]
    assert drowned(stash=stash("mortar", "found:mortar")) == ["warband-limit"]
    assert drowned(stash=stash("mortar", "keg")) == []


def test_a_list_may_ask_for_a_choice_and_the_choice_works() -> None:
    assert codes(warband(list="drowned")) == ["choice"]
    slow = verdict(warband(list="drowned", choices={"creed": "mire"}))
    assert slow.legal
    assert slow.views["reeve"].stats["movement"].value == 5
    assert not slow.views["reeve"].has("HIDDEN")
    hidden = verdict(warband(list="drowned", choices={"creed": "reed"})).views["reeve"]
    assert hidden.has("HIDDEN")
    assert hidden.stats["movement"].value == 6


def test_a_pick_from_another_list() -> None:
    force = warband(fighter("reeve", "reeve", "maul"), list="drowned", choices={"creed": "mire"}, led=False)
    assert codes(force) == ["not-offered"]
    assert codes(replace(force, choices={"creed": "mire", "borrowed": "w-maul"})) == []
    assert codes(replace(force, choices={"creed": "mire", "borrowed": "w-pike"})) == ["not-offered"]


def test_a_fighter_s_own_pick_beats_its_filter() -> None:
    exotic = ForceSkill("k", "exotic", {"item": "d-trident"})
    assert codes(warband(fighter("m", "monk", "trident", skills=(exotic,)))) == []
    assert codes(warband(fighter("m", "monk", skills=(exotic,)), fighter("a", "spear", "trident"))) == ["not-offered"]


@pytest.mark.parametrize("skill", ["lender", "keepsake"])
@pytest.mark.parametrize("bearers", [1, 2])
def test_a_pick_of_another_list_grants_its_own_number_of_copies(skill: str, bearers: int) -> None:
    picked = (ForceSkill("k", skill, {"item": "w-maul"}),)

    def told(*first: str) -> list[str]:
        kits = [first, *[("maul",)] * (bearers - 1)]
        members = [fighter(f"f{number}", "monk", *kit, skills=picked) for number, kit in enumerate(kits)]
        drowned = warband(*members, list="drowned", choices={"creed": "mire"})
        return [code for code in codes(drowned) if code in ("warband-limit", "not-offered")]

    legal = told("maul")
    assert "warband-limit" not in legal  # one for each pick
    assert told("maul", "found:maul") == legal
    assert told("maul", "maul") == sorted([*legal, "warband-limit"])


def test_a_lasting_find_opens_an_entry() -> None:
    force = warband(fighter("a", "spear", "trident"))
    assert codes(force) == ["not-offered"]
    assert codes(replace(force, lasting=("open-forge",))) == []


def test_a_third_party_list_is_off_unless_allowed() -> None:
    force = warband(fighter("t", "tinker"), list="tinkers")
    assert codes(force) == ["third-party"]
    assert codes(force, content(third_party=True)) == []
    assert codes(warband(fighter("a", "spear", "tinker-tool")), content(third_party=True)) == []


def test_what_a_house_rule_bans_is_off() -> None:
    assert codes(warband(fighter("a", "spear", "rope")), content(banned=["rope"])) == ["banned"]
    assert codes(warband(fighter("a")), content(banned=["spear"])) == ["banned"]
    assert codes(warband(), content(banned=["wardens"])) == ["banned"]


def test_a_wrong_patron() -> None:
    assert codes(warband(patron="old-river")) == []
    assert codes(warband(patron="nobody")) == ["patron"]


# --- money


def test_money_left_and_overspending() -> None:
    force = warband(fighter("a", "spear", "mail"), stash=stash("rope", "found:mortar"), budget=None)
    assert verdict(force).left == Price(ducats=300 - 50 - 25 - 15 - 3)
    over = verdict(replace(force, budget=Price(ducats=90)))
    assert [(p.code, p.message) for p in over.problems] == [("over-budget", "3 ducats over budget.")]
    assert over.left == Price(ducats=-3)


def test_both_currencies_are_counted() -> None:
    answer = verdict(warband(fighter("f", "ferryman"), stash=stash("banner"), budget=None))
    assert [p.message for p in answer.problems] == ["4 glory over budget."]
    assert verdict(warband(fighter("f", "ferryman"), budget=None, mode="one-off")).left == Price(ducats=350, glory=2)


def test_money_is_not_checked_later_unless_somebody_holds_it() -> None:
    assert verdict(warband(fighter("a"), budget=None, battles=fought(1))).left is None
    held = warband(fighter("a", "spear", "mandatory:rifle"), strongbox=Price(ducats=7), founding=False)
    assert verdict(held).left == Price(ducats=7)


def test_start_money_is_the_lists_own_or_the_houses() -> None:
    assert verdict(warband(list="drowned", choices={"creed": "mire"}, budget=None)).left == Price(ducats=150, glory=4)
    assert verdict(warband(budget=None), content(budget={"ducats": 100})).left == Price(ducats=50)


def test_a_price_changes_while_the_skilled_live() -> None:
    plated = fighter("reeve", "reeve", "plate")
    plain = verdict(warband(plated, fighter("s", "scholar"), led=False)).rating
    skilled = fighter("s", "scholar", skills=("quartermaster",))
    assert verdict(warband(plated, skilled, led=False)).rating.ducats == plain.ducats - 5
    assert verdict(warband(plated, replace(skilled, status="dead"), led=False)).rating.ducats == plain.ducats - 30


def test_glory_finds_are_for_sale_with_a_contact_only() -> None:
    assert codes(warband(fighter("a", "spear", "pearl"))) == ["not-offered"]
    assert codes(warband(fighter("a", "spear", "pearl"), lasting=("black-market",))) == []
    assert codes(warband(fighter("a", "spear", "pearl"), mode="one-off")) == []


def test_a_find_stays_legal_once_battles_were_fought() -> None:
    hermit = fighter("h", "hermit", offer="f-hermit")
    assert codes(warband(hermit, battles=fought(1))) == []
    assert codes(warband(hermit)) == ["not-offered"]


# --- the force on the table


def test_a_rating_above_the_threshold_is_no_problem_in_camp() -> None:
    force = warband(*[fighter(f"s{n}", "spear", "mail") for n in range(8)])
    assert verdict(force).rating.ducats == 370
    assert codes(force) == []
    found = verdict(force, scope="fielding")
    assert [p.code for p in found.problems] == ["threshold", "field-strength"]
    assert found.fielded == Price(ducats=370)
    assert found.problems[0].message == "370 ducats fielded; the threshold of battle 1 is 300."
    some = verdict(force, scope="fielding", taken=["reeve", "s1", "s2"])
    assert some.legal
    assert some.fielded == Price(ducats=130)


def test_the_threshold_of_a_list_and_of_a_house() -> None:
    three = warband(
        *[fighter(f"s{n}", "old-spear") for n in range(5)], list="drowned", choices={"creed": "mire"}, battles=fought(0)
    )
    assert codes(three, scope="fielding") == ["threshold"] + ["fielding"] * 5
    assert "threshold" not in codes(three, content(threshold_add=25), scope="fielding")
    assert "threshold" not in codes(three, content(thresholds={"1": 400}), scope="fielding")


def test_a_credited_battle_counts_for_threshold_and_field_strength() -> None:
    force = warband(*[fighter(f"s{n}") for n in range(6)])
    assert codes(force, scope="fielding") == ["field-strength"]
    assert codes(replace(force, battles=fought(0, 1)), scope="fielding") == []
    own = content(readings={"late_field_strength": "own"})
    assert codes(replace(force, battles=fought(0, 1)), own, scope="fielding") == ["field-strength"]


def test_pride_bites_when_fielded() -> None:
    weak = warband(
        fighter("o", "old-spear"),
        fighter("t", "thrall", "sword"),
        list="drowned",
        choices={"creed": "mire"},
        battles=fought(2),
    )
    assert codes(weak) == ["ratio"]
    problems = verdict(weak, scope="fielding").problems
    assert [(p.code, p.fighter) for p in problems] == [("fielding", "O")]


def test_who_is_away_cannot_be_fielded() -> None:
    captive = fighter("c", "spear", status="captive")
    hurt = fighter("h", "spear", misses_battle=2)
    force = warband(captive, hurt, battles=fought(1))
    assert codes(force, scope="fielding") == []
    assert codes(force, scope="fielding", taken=["reeve", "c", "h"]) == ["fielding", "fielding"]
    assert codes(replace(force, battles=fought(2)), scope="fielding", taken=["reeve", "h"]) == []


def test_a_scenario_bounds_the_force() -> None:
    plated = fighter("a", "scholar", "plate")
    force = warband(plated, *[fighter(f"s{n}") for n in range(4)])
    found = verdict(force, scope="fielding", scenario="ford").problems
    assert [p.code for p in found] == ["scenario", "scenario"]
    assert "40 mm" in found[1].message
    demanded = warband(
        fighter("reeve", "reeve", "plate"), fighter("s0"), led=False
    )  # whom the list asks for comes on any base
    assert codes(demanded, scope="fielding", scenario="ford") == []
    assert codes(demanded, scope="fielding", scenario="duel", taken=["reeve"]) == []
    assert codes(demanded, scope="fielding", scenario="duel", taken=["s0"]) == ["scenario", "scenario"]


@pytest.mark.parametrize(("facing", "found"), [(8, []), (7, ["scenario"]), (None, [])])
def test_the_defender_brings_half_of_what_the_attacker_brings(facing: int | None, found: list[str]) -> None:
    force = warband(*[fighter(f"s{n}") for n in range(3)])  # and the reeve: four
    assert codes(force, scope="fielding", scenario="storm", attacker=False, facing=facing) == found
    assert codes(force, scope="fielding", scenario="storm", attacker=True, facing=facing) == []


def test_an_attacker_who_must_bring_everybody_is_told_of_whoever_stays_behind_though_there_is_room() -> None:
    force = warband(*[fighter(f"s{n}") for n in range(3)])
    (left,) = verdict(force, scope="fielding", scenario="storm", attacker=True, taken=["reeve", "s0", "s1"]).problems
    assert left.message == "The attacker brings everybody to The Storm; S2 stays behind."
    assert codes(force, scope="fielding", scenario="storm", attacker=False, taken=["reeve"]) == []
    full = content(field_strengths={"1": 3})
    assert codes(force, full, scope="fielding", scenario="storm", attacker=True, taken=["reeve", "s0", "s1"]) == []
    worth = verdict(force, scope="fielding", taken=["reeve", "s0", "s1"]).fielded
    assert worth is not None
    full = content(thresholds={"1": worth.ducats})
    assert codes(force, full, scope="fielding", scenario="storm", attacker=True, taken=["reeve", "s0", "s1"]) == []


def test_a_dead_leader_keeps_nobody_from_the_field() -> None:
    assert codes(warband(fighter("a"), led=False), scope="fielding") == []


# --- the order of things


def test_the_same_facts_serve_every_fighter_made_alike() -> None:
    terms: Content = content()
    verdict(warband(fighter("a", "spear", "mail"), fighter("b", "spear", "mail")), terms)
    assert len(terms.once(RememberedFacts)) == 2


def test_two_copies_of_a_fighter_are_told_apart_in_the_findings() -> None:
    problems = verdict(warband(fighter("a", "spear", "plate"), fighter("b", "spear", "plate"))).problems
    assert [(p.fighter, p.fighter_key, p.item_key) for p in problems] == [("A", "a", "a-0"), ("B", "b", "b-0")]
