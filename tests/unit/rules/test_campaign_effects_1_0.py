"""What the traumas, skills and scenarios of 1.0 do on the real pack: each trauma rolled, each skill that changes something seen to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.checker import check
from rules.choices import limited_entries
from rules.consequences import Leaves, LosesItems, Money, SetFighter, Taken
from rules.content.schema import SkillTable
from rules.dice import TypedDice
from rules.fighters.foreign import foreign_candidates
from rules.fighters.prices import price_under
from rules.force import Battles, ForceItem, ForceSkill, ForceTrauma
from rules.legality.armoury import item_limit
from rules.legality.hiring import elite_cap, most_of
from rules.legality.roster_state import examine
from rules.offers.hires import hire_offers
from rules.parts.post_battle import StepRecord
from rules.price import Price
from rules.resolution import Resolution
from rules.trench_crusade.carried_effects import full_skills
from rules.trench_crusade.muster import deeds_of
from rules.trench_crusade.post_battle import step_context
from rules.trench_crusade.steps.experience import patron_skills, substitute
from rules.trench_crusade.steps.learning import learn, raise_options
from rules.vocabulary import RaiseLimitEffect
from tests.unit.rules.evening import fighter, leaves, run, sets, settle
from tests.unit.rules.evening_1_0 import ILSE, KOLYA, MAREK, OTTLA, PRIEST, content, game, legion, tasks, wardens


def hurt(number: int, force=None, who: str = "ilse", choices=None, rolled=()):
    """A D66 on the trauma table."""
    task = tasks("trauma", force or wardens(), game(out=(who,)))[f"trauma-{who}"]
    return run(task, (number // 10, number % 10, *rolled), choices)


def kept(outcome, who: str = "ilse"):
    """The trauma an outcome writes down."""
    return next((v for k, v in sets(outcome).items() if k[:2] == (who, "traumas") and len(k) == 3), None)


# --- every trauma


@pytest.mark.parametrize(
    ("number", "trauma"),
    [
        (13, "severe-nerve-damage"),
        (15, "lost-an-eye"),
        (16, "chest-wound"),
        (21, "insomniac"),
        (22, "head-wound"),
        (23, "shell-shocked"),
        (25, "paranoid"),
        (26, "lost-arm"),
        (31, "leg-wound"),
        (32, "expensive-treatment"),
        (33, "possessed"),
        (34, "muscle-damage"),
        (35, "minor-wound"),
    ],
)
def test_a_trauma_leaves_a_battle_scar(number, trauma):
    outcome = hurt(number).outcome
    assert kept(outcome) == {"id": trauma, "scar": True, "details": {}, "battle": 1}


@pytest.mark.parametrize("number", [41, 46, 51, 56, 61, 62, 63])
def test_a_full_recovery_does_nothing(number):
    assert hurt(number).outcome.consequences == ()


def test_the_dead_take_their_kit_along():
    assert leaves(hurt(11).outcome, Leaves)[0].status == "dead"
    assert not leaves(hurt(11).outcome, Leaves)[0].kit_to_stash


def test_a_captive_is_held_with_its_kit_until_its_ransom_is_settled():
    """Point `captured`."""
    held = hurt(12).outcome
    assert [(t.fighter, t.captor) for t in leaves(held, Taken)] == [("ilse", "choir")]
    assert leaves(held, Leaves, LosesItems) == []
    assert kept(held) is None


@pytest.mark.parametrize(("face", "hand"), [(1, "left"), (3, "left"), (4, "right"), (6, "right")])
def test_the_wounded_hand_falls_to_a_die(face, hand):
    assert kept(hurt(14, rolled=(face,)).outcome)["details"] == {"hand": hand}


def test_a_second_lost_eye_takes_the_model_and_its_kit():
    blind = replace(ILSE, traumas=(ForceTrauma("t", "lost-an-eye"),))
    gone = leaves(hurt(15, wardens(blind)).outcome, Leaves)[0]
    assert (gone.status, gone.kit_to_stash) == ("retired", False)


def test_a_sniper_priest_shrugs_off_a_lost_eye():
    assert hurt(15, who="marek").outcome.consequences == ()


def view(*traumas: str, skills=(), who=ILSE, more=()):
    """A fighter's facts with these traumas and skills."""
    bearer = replace(
        who,
        traumas=tuple(ForceTrauma(f"t{n}", t) for n, t in enumerate(traumas)),
        skills=tuple(s if isinstance(s, ForceSkill) else ForceSkill(f"s{n}", s) for n, s in enumerate(skills)),
    )
    return examine(content(), wardens(bearer, *more)).facts[0]


def test_the_head_wound_keeps_elite_and_stops_experience():
    """Point `head-wound`."""
    outcome = hurt(22).outcome
    assert not any(k[1] == "demoted" and v for k, v in sets(outcome).items() if len(k) > 1)
    assert view("head-wound").elite
    hit = replace(ILSE, traumas=(ForceTrauma("t", "head-wound"),))
    scene = step_context(content(), wardens(hit, MAREK), game(), StepRecord())
    assert not scene.learns("ilse")
    assert scene.learns("marek")


@pytest.mark.parametrize(("number", "trauma"), [(24, "dark-memory"), (66, "prominent-scar")])
def test_the_opposing_warband_is_noted(number, trauma):
    """Points `dark-memory` and `facial-scar`."""
    asked = hurt(number).asked
    assert asked.options[0].title == "Choir of Brass"
    found = kept(hurt(number, choices={"detail-warband": "Choir of Brass"}).outcome)
    assert (found["id"], found["details"]["warband"]) == (trauma, "Choir of Brass")
    assert found["scar"] is (number == 24)


def test_muscle_damage_loses_heavy_kit_and_bars_it():
    """Point `muscle-damage`."""
    gun = replace(KOLYA, promoted=True, kit=(ForceItem("mg", "machine-gun"), ForceItem("club", "trench-club")))
    lost = leaves(hurt(34, wardens(ILSE, gun), who="kolya").outcome, LosesItems)
    assert [c.items for c in lost] == [("mg",)]
    weak = replace(gun, traumas=(ForceTrauma("t", "muscle-damage"),))
    problems = check(content(), wardens(ILSE, weak)).problems
    assert any(p.item == "Machine Gun" for p in problems)
    assert not any(p.item == "Trench Club" for p in problems)


def test_the_robbed_lose_everything_without_a_scar():
    outcome = hurt(36).outcome
    assert [c.items for c in leaves(outcome, LosesItems)] == [("ilse-sword-axe", "ilse-standard-armour")]
    assert kept(outcome) is None


def test_the_hardened_negate_fear_and_may_be_hardened_again():
    assert kept(hurt(64).outcome)["scar"] is False
    assert "NEGATE FEAR" in {word.name for word in view("hardened").keyword_causes}


@pytest.mark.parametrize(("face", "gain"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_bitter_lessons_are_worth_a_d3(face, gain):
    assert sets(hurt(65, rolled=(face,)).outcome)["ilse", "experience"] == gain


def test_a_minor_wound_misses_the_next_game():
    assert sets(hurt(35).outcome)["ilse", "misses_battle"] == 2


def test_a_lost_arm_leaves_one_hand_for_everything():
    two = replace(ILSE, kit=(ForceItem("r", "bolt-action-rifle"),), traumas=(ForceTrauma("t", "lost-arm"),))
    assert any(p.fighter == "Ilse Brandt" for p in check(content(), wardens(two)).problems)
    both = replace(two, kit=(ForceItem("p", "pistol-revolver"), ForceItem("s", "sword-axe")))
    assert any(p.fighter == "Ilse Brandt" for p in check(content(), wardens(both)).problems)
    one = replace(two, kit=(ForceItem("p", "pistol-revolver"),))
    assert not [p for p in check(content(), wardens(one)).problems if p.fighter == "Ilse Brandt" and p.item]


def test_a_leg_wound_and_a_lost_eye_change_the_profile():
    whole, lame, blind = view().stats, view("leg-wound").stats, view("lost-an-eye").stats
    assert lame["movement"].value == whole["movement"].value - 2
    assert blind["ranged"].value == whole["ranged"].value - 1


def test_an_injury_borne_already_is_rolled_again_even_without_its_scar():
    eased = replace(ILSE, traumas=(ForceTrauma("t", "leg-wound", scar=False),))
    outcome = hurt(31, wardens(eased), rolled=(4, 1)).outcome
    assert outcome.consequences == ()


SCARRED = replace(ILSE, traumas=(ForceTrauma("t1", "leg-wound"), ForceTrauma("t2", "chest-wound")))


def test_the_third_scar_is_unfit_for_duty_and_the_kit_stays():
    """Point `third-scar`."""
    gone = leaves(hurt(13, wardens(SCARRED)).outcome, Leaves)[0]
    assert (gone.status, gone.kit_to_stash) == ("retired", True)


@pytest.mark.parametrize("skill", ["war-luck", "endure-the-suffering"])
def test_one_scar_more_with_the_right_skill(skill):
    hardy = replace(SCARRED, skills=(ForceSkill("s", skill),))
    outcome = hurt(13, wardens(hardy)).outcome
    assert leaves(outcome, Leaves) == []
    assert kept(outcome)["scar"] is True


@pytest.mark.parametrize("skill", ["tis-but-a-scratch", "healing-arts"])
def test_a_second_roll_with_the_right_skill(skill):
    lucky = replace(ILSE, skills=(ForceSkill("s", skill),))
    outcome = hurt(11, wardens(lucky), choices={"re-roll": "again"}, rolled=(4, 1)).outcome
    assert outcome.consequences == ()


def test_the_resurrection_engine_turns_any_result_into_a_full_recovery():
    force = wardens(stash=(ForceItem("e", "resurrection-engine"),))
    for number in (11, 12, 31, 36):
        outcome = hurt(number, force, choices={"engine": "use"}).outcome
        assert [c.items for c in leaves(outcome, LosesItems)] == [("e",)]
        assert leaves(outcome, Leaves) == []
        assert kept(outcome) is None
    assert hurt(41, force).outcome.consequences == ()
    assert kept(hurt(31, force, choices={"engine": "rest"}).outcome)["id"] == "leg-wound"


def test_eternal_debt_spares_the_wretched():
    debtor = replace(PRIEST, skills=(ForceSkill("s", "eternal-debt"),))
    wretch = fighter("pal", "wretched")
    force = replace(legion(), fighters=(debtor, wretch))
    task = tasks("trauma", force, game(out=("pal",)))["casualty-pal"]
    assert settle(task).consequences == ()


# --- skills that change numbers


@pytest.mark.parametrize(
    ("skill", "stat", "more"),
    [("melee-proficiency", "melee", 1), ("ranged-proficiency", "ranged", 1), ("swine-hybrid", "movement", 2)],
)
def test_skills_that_raise_a_characteristic(skill, stat, more):
    assert view(skills=(skill,)).stats[stat].value == view().stats[stat].value + more


@pytest.mark.parametrize(
    ("skill", "word"),
    [
        ("strength-of-samson", "STRONG"),
        ("wings-of-the-fly", "FLYING"),
        ("blessings-of-a-warrior-saint", "BLESSED D3"),
        ("eyes-of-the-fly", "IGNORE COVER"),
        ("eyes-of-the-fly", "IGNORE LONG RANGE"),
        ("janissary-training", "IGNORE OFF-HAND WEAPON"),
    ],
)
def test_skills_that_give_keywords(skill, word):
    assert word in {cause.name for cause in view(skills=(skill,)).keyword_causes}


@pytest.mark.parametrize(
    ("skill", "item", "words"),
    [
        ("hip-shot", "bolt-action-rifle", {"ASSAULT"}),
        ("hunter", "bolt-action-rifle", {"IGNORE COVER"}),
        ("sharp-eyes", "bolt-action-rifle", {"IGNORE LONG RANGE"}),
        ("gunslinger", "pistol-revolver", {"ASSAULT", "IGNORE OFF-HAND WEAPON"}),
        ("champion", "sword-axe", {"CLEAVE 2"}),
    ],
)
def test_skills_that_give_weapons_keywords(skill, item, words):
    bearer = replace(ILSE, kit=(ForceItem("w", item), ForceItem("o", "standard-armour")))
    plain, skilled = view(who=bearer), view(skills=(skill,), who=bearer)
    before, now = plain.held[0].keywords, skilled.held[0].keywords
    assert not words & before or skill == "gunslinger"
    assert words <= now
    assert skilled.held[1].keywords == plain.held[1].keywords


def test_champion_leaves_weapons_with_cleave_as_they_are():
    cleaving = next(i.id for i in content().pack.items if any(k.startswith("CLEAVE") for k in i.keywords))
    bearer = replace(ILSE, kit=(ForceItem("w", cleaving),))
    assert view(skills=("champion",), who=bearer).held[0].keywords == view(who=bearer).held[0].keywords


def test_far_shot_reaches_six_inches_farther():
    effect = content().skills["far-shot"].effects[0]
    reached = {i.id for i in content().pack.items if any(t.group in i.groups for t in effect.items)}
    assert effect.add_inches == 6
    assert {"pistol-revolver", "bolt-action-rifle", "sniper-rifle", "siege-jezzail"} <= reached
    assert not reached & {"machine-gun", "shotgun", "flamethrower"}


# --- prices and limits


@pytest.mark.parametrize(
    ("skill", "item", "off"),
    [
        ("armour-and-equipment-procurement", "standard-armour", 5),  # 15 ducats
        ("armour-and-equipment-procurement", "trench-shield", 0),  # 10 ducats
        ("melee-weapon-procurement", "greatsword-greataxe", 5),
        ("melee-weapon-procurement", "trench-club", 0),
        ("firearm-procurement", "machine-gun", 5),
        ("firearm-procurement", "bolt-action-rifle", 0),
    ],
)
def test_procurement_takes_five_ducats_off_dear_kit(skill, item, off):
    buyer = replace(ILSE, skills=(ForceSkill("s", skill),))
    offer = next(o for o in content().lists["new-antioch"].item_offers if o.item == item and o.price.ducats)
    price = price_under(examine(content(), wardens(buyer)).frame, offer)
    assert price.ducats == offer.price.ducats - off


@pytest.mark.parametrize("skill", ["organisational-skills", "sultans-favour"])
def test_every_model_limit_rises_but_those_of_elites_large_bases_and_mercenaries(skill):
    plain = examine(content(), wardens())
    keen = examine(content(), wardens(replace(ILSE, skills=(ForceSkill("s", skill),)), OTTLA))
    risen = set()
    for entry in content().lists["new-antioch"].profile_offers:
        before, now = most_of(plain, entry)[0], most_of(keen, entry)[0]
        if before is not None and now != before:
            assert now == before + 1
            risen.add(entry.profile)
    troops = {
        o.profile
        for o in content().lists["new-antioch"].profile_offers
        if o.hired_as == "own"
        and o.most is not None
        and content().profiles[o.profile].role == "troop"
        and max(content().profiles[o.profile].statline.base_mm) < 50
    }
    assert risen == troops
    assert risen


def test_the_offers_show_the_raised_limit():
    keen = wardens(replace(ILSE, skills=(ForceSkill("s", "organisational-skills"),)))
    plain = {o.ref: o.limit for o in hire_offers(content(), wardens(ILSE))}
    more = {o.ref: o.limit for o in hire_offers(content(), keen)}
    assert any(more[ref] == (limit or 0) + 1 for ref, limit in plain.items() if limit is not None)


def test_only_battlekit_with_a_limit_can_have_it_raised_and_no_glory_item():
    effect = next(e for e in content().skills["knowledge-of-science"].effects if isinstance(e, RaiseLimitEffect))
    scene = step_context(content(), wardens(), game(), StepRecord())
    offered = {o.value for o in raise_options(scene, effect)}
    assert offered == {entry for entry, _ in limited_entries(content(), content().lists["new-antioch"], effect)}
    assert offered
    assert not any(content().item_offers[entry].exploration_only for entry in offered)
    pick = min(offered)
    wise = replace(ILSE, skills=(ForceSkill("s", "knowledge-of-science", {"raise": pick}),))
    offer = content().item_offers[pick]
    assert item_limit(examine(content(), wardens(wise)), offer) == (offer.limit or 0) + 1


def test_learning_logistics_asks_nothing():
    scene = step_context(content(), wardens(), game(), StepRecord())
    lesson = learn(scene, "ilse", content().skills["organisational-skills"], "e", Resolution((), {}, TypedDice(())))
    assert lesson.choices == {}


@pytest.mark.parametrize(
    ("pick", "item"), [("melee-weapon-procurement", "greatsword-greataxe"), ("firearm-procurement", "machine-gun")]
)
def test_a_skill_picked_through_another_reaches_the_warband_too(pick, item):
    eaten = replace(ILSE, skills=(ForceSkill("s", "fruit-from-the-tree", {"skill": pick}),))
    offer = next(o for o in content().lists["new-antioch"].item_offers if o.item == item and o.price.ducats)
    price = price_under(examine(content(), wardens(eaten)).frame, offer)
    assert price.ducats == offer.price.ducats - 5


def test_imported_wares_ask_for_an_item_of_new_antioch():
    scene = step_context(content(), legion(), game(), StepRecord())
    skill = content().skills["imported-wares"]
    offers = {o.id for o in content().pack.item_offers if "new-antioch" in o.lists}
    lesson = learn(scene, "vogt", skill, "e", Resolution((), {"item": _foreign(scene, skill)}, TypedDice(())))
    assert lesson.choices["item"] in offers
    importer = replace(PRIEST, skills=(ForceSkill("s", skill.id, lesson.choices),))
    frame = examine(content(), replace(legion(), fighters=(importer,))).frame
    assert [o.id for o in frame.foreign["vogt"]] == [lesson.choices["item"]]


def _foreign(scene, skill):
    """The first item of New Antioch that the own armoury lacks."""
    return foreign_candidates(content(), content().lists[scene.force.list], skill.effects[0])[0].id


# --- skills one model of a warband may have


def test_a_skill_that_another_has_is_passed_over():
    teller = replace(ILSE, skills=(ForceSkill("s", "war-stories"),))
    force = wardens(teller, MAREK)
    known = content()
    assert full_skills(known, force, "marek") == {"war-stories"}
    assert full_skills(known, force, "ilse") == frozenset()
    wild: SkillTable = known.skill_tables["wildcard"]
    assert substitute(wild, 11, full_skills(known, force, "marek"), ()).skill == "glory-hound"


def test_a_patron_skill_that_another_has_is_not_offered():
    wise = replace(ILSE, skills=(ForceSkill("s", "knowledge-of-science"),))
    scene = step_context(content(), wardens(wise, MAREK), game(), StepRecord())
    offered = patron_skills(scene, full_skills(scene.content, scene.force, "marek"))
    assert len(offered) == 5
    assert "knowledge-of-science" not in offered


# --- what comes in after a game


def income(skill: str, *, out=(), choices=None, rolled=()):
    earner = replace(ILSE, skills=(ForceSkill("s", skill),))
    found = tasks("promotions", wardens(earner, MAREK), game(out=out))
    key = next((k for k in found if k.startswith("income-")), None)
    return None if key is None else settle(found[key], rolled, choices)


@pytest.mark.parametrize("skill", ["glory-hound", "favoured-by-god"])
def test_glory_for_who_is_on_the_battlefield_at_the_end(skill):
    """Point `glory-hound`."""
    assert leaves(income(skill), Money)[0].amount == Price(0, 1)
    assert income(skill, out=("ilse",)) is None


@pytest.mark.parametrize("skill", ["pennies-from-heaven", "30-pieces-of-silver"])
def test_ducats_for_who_is_on_the_battlefield_at_the_end(skill):
    assert leaves(income(skill, rolled=(4,)), Money)[0].amount == Price(20, 0)
    assert income(skill, out=("ilse",)) is None


def test_aureate_skin_is_paid_by_the_marker():
    assert leaves(income("aureate-skin", choices={"count": 7}), Money)[0].amount == Price(35, 0)


@pytest.mark.parametrize(("answer", "glory"), [("yes", 1), ("no", 0)])
def test_the_screaming_skull_asks_whether_its_bearer_stood(answer, glory):
    bearer = replace(PRIEST, kit=(ForceItem("k", "hell-saints-skull", "found"),))
    found = tasks("promotions", replace(legion(), fighters=(bearer,)), game())
    key = next(k for k in found if k.startswith("income-"))
    outcome = settle(found[key], (), {"if-so": answer})
    assert sum(c.amount.glory for c in leaves(outcome, Money)) == glory
    out = tasks("promotions", replace(legion(), fighters=(bearer,)), game(out=("vogt",)))
    assert not any(k.startswith("income-") for k in out)


def test_an_unsecured_loan_pays_at_once():
    scene = step_context(content(), legion(), game(), StepRecord())
    lesson = learn(scene, "vogt", content().skills["unsecured-loan"], "e", Resolution((), {}, TypedDice(())))
    assert [c.amount for c in lesson.does if isinstance(c, Money)] == [Price(100, 0)]


def test_war_stories_teach_every_other_elite():
    """Point `war-stories`."""
    teller = replace(ILSE, skills=(ForceSkill("s", "war-stories"),))
    risen = replace(KOLYA, promoted=True)
    found = tasks("promotions", wardens(teller, MAREK, risen, OTTLA), game())
    key = next(k for k in found if k.startswith("teach-"))
    outcome = settle(found[key])
    assert {c.fighter for c in leaves(outcome, SetFighter)} == {"marek", "kolya"}


def test_friends_lend_one_re_roll():
    """Point `friends`."""
    friend = replace(ILSE, skills=(ForceSkill("s", "friends-in-high-places"),))
    task = tasks("exploration", wardens(friend), game())["exploration"]
    titles = [o.title for o in run(task, (1, 2, 4)).asked.options]
    assert titles == ["Standard re-roll", "Re-roll Dice", "Leave it at 7"]


def test_bad_company_is_not_counted_when_promotions_begin():
    """Point `bad-company`."""
    elites = [fighter(f"e{n}", "trench-cleric", promoted=True) for n in range(6)]
    full = tasks("promotions", wardens(*elites, OTTLA), game())
    odd = replace(elites[0], skills=(ForceSkill("s", "bad-company"),))
    free = tasks("promotions", wardens(odd, *elites[1:], OTTLA), game())
    assert elite_cap(examine(content(), wardens(odd, *elites[1:]))) == 6
    assert run(full["promotion"]).outcome is not None  # nobody may rise, nothing is asked
    assert run(free["promotion"]).asked is not None


# --- scenarios that set their own force


def warband_of(count: int, number: int = 4):
    troops = [fighter(f"y{n}", "yeoman") for n in range(count)]
    return replace(wardens(ILSE, *troops), battles=Battles(number - 1))


def fielding_codes(force, scenario: str, attacker=None):
    verdict = check(content(), force, scope="fielding", scenario=scenario, attacker=attacker)
    return {p.code for p in verdict.problems}


def test_the_train_has_a_field_strength_of_its_own():
    force = warband_of(14)  # 15 models; game 4 allows 13
    assert "field-strength" in fielding_codes(force, "the-high-ground")
    assert "field-strength" not in fielding_codes(force, "armoured-train")
    assert "field-strength" in fielding_codes(warband_of(15), "armoured-train")
    assert "field-strength" in fielding_codes(warband_of(15, 8), "armoured-train")  # game 8 allows 17


def test_the_defender_of_a_trench_fields_half_the_ducats():
    rating = check(content(), warband_of(16)).rating.ducats
    assert 500 < rating <= 1000
    assert "threshold" in fielding_codes(warband_of(16), "trench-warfare", attacker=False)
    assert "threshold" not in fielding_codes(warband_of(16), "trench-warfare", attacker=True)
    assert "threshold" not in fielding_codes(warband_of(16), "trench-warfare")


def test_a_deed_of_one_side_says_so():
    words = {d.id: d.words for d in deeds_of(content(), "supply-raid")}
    assert words["daring-raid"].startswith("Attacker only. ")
    assert words["save-the-supplies"].startswith("Defender only. ")
    assert not words["hold-your-ground"].startswith(("Attacker", "Defender"))
