"""Exploration: dice and tables, every change of the dice, the exact score, every location's ways, and the loot."""

from dataclasses import replace

import pytest

from rules.consequences import GainsItem, Joins, LosesItems, Money, Owes, SetFighter
from rules.dice import TypedDice
from rules.force import Battles, ForceItem, ForceSkill
from rules.parts.post_battle import StepRecord
from rules.price import Price
from rules.problems import Refusal
from rules.resolution import advance
from rules.trench_crusade.post_battle import step_context
from rules.trench_crusade.steps.exploration import closed_option
from tests.unit.rules.evening import (
    ILSE,
    MAREK,
    OTTLA,
    after,
    battle,
    content,
    fighter,
    leaves,
    money,
    run,
    sets,
    settle,
    shown,
    tasks,
    wardens,
    written,
)

PLAIN = {"mod-1": "done"}


def explore(force=None, aftermath=None, record=None):
    return tasks("exploration", force or wardens(), aftermath or battle(), record)["exploration"]


def at(number, **known):
    """A warband after so many battles, with the battle it has just fought."""
    list_id = known.pop("list", "new-antioch")
    fighters = known.pop("fighters", ())
    return wardens(*fighters, list=list_id, battles=Battles(number), **known), battle(number)


# --- dice, tables, loot


@pytest.mark.parametrize(("number", "dice"), [(1, 3), (2, 3), (3, 4), (5, 4), (6, 5), (9, 5), (10, 6), (12, 6)])
def test_dice_go_by_battles_fought_this_one_included(number, dice):
    need = run(explore(*at(number))).need
    assert (need.count, need.sides) == (dice, 6)


def test_credited_battles_give_no_dice():
    force = wardens(battles=Battles(2, credited=4))
    assert run(explore(force, battle(6))).need.count == 3


def test_loot_is_ten_ducats_a_point_with_or_without_a_location():
    outcome = settle(explore(), (2, 2, 3), PLAIN)
    assert outcome.sentence == "70 ducats of loot, no location."
    assert money(outcome) == Price(70, 0)


def test_loot_is_of_the_changed_score():
    force = wardens(exploration_skills=("seek",))
    outcome = settle(explore(force), (2, 2, 2), {"mod-1": "seek", "mod-1-die": "1", "mod-2": "done"})
    assert money(outcome) == Price(70, 0)


def test_manna_found_before_adds_to_the_loot_and_manna_found_now_does_not():
    before = wardens(lasting=("pot-of-manna",), battles=Battles(3))
    assert money(settle(explore(before, battle(3)), (1, 2, 2, 2), PLAIN)) == Price(80, 0)
    now = settle(explore(*at(6)), (1, 2, 2, 3, 3), PLAIN)
    assert money(now) == Price(110, 0)
    assert sets(now)["", "locations", "pot-of-manna"] == ""


def test_the_rows_around_the_score_are_shown():
    assert "[6 Trench Shrine, common] [7 No location*] [8 Ruined House, common]" in shown(
        run(explore(), (2, 2, 3), PLAIN)
    )


# --- changes of the dice


def bent(faces, skills, choices, rolled=(), won=False):
    """The score told after changes."""
    force = wardens(exploration_skills=skills)
    progress = run(explore(force, battle(won=won)), (*faces, *rolled), choices)
    loot = [c.amount.ducats for c in leaves(progress.outcome, Money) if c.reason.startswith("Loot")]
    return loot[0] // 10


def test_everybody_may_roll_one_die_again():
    assert bent((2, 2, 2), (), {"mod-1": "reroll", "mod-1-die": "2"}, (3,)) == 7


def test_the_winner_has_one_re_roll_more():
    asked = run(explore(aftermath=battle(won=True)), (2, 2, 2)).asked
    assert [o.value for o in asked.options] == ["winner", "reroll", "done"]
    choices = {"mod-1": "winner", "mod-1-die": "1", "mod-2": "reroll", "mod-2-die": "1"}
    assert bent((2, 2, 2), (), choices, (1, 3), won=True) == 7


@pytest.mark.parametrize(
    ("skill", "faces", "choices", "rolled"),
    [
        ("extra-dice", (2, 2, 2), {}, (1,)),
        ("duplicate", (1, 2, 2), {"mod-1-die": "2"}, ()),
        ("split", (1, 2, 3), {"mod-1-die": "3"}, ()),
        ("split", (1, 2, 4), {"mod-1-die": "3"}, ()),
        ("split", (1, 2, 3), {"mod-1-die": "1"}, ()),
        ("set-dice", (1, 1, 4), {"mod-1-die": "1", "mod-1-face": "2"}, ()),
        ("seek", (2, 2, 2), {"mod-1-die": "2"}, ()),
        ("circle-back", (2, 3, 3), {"mod-1-die": "2"}, ()),
        ("combine", (2, 2, 3), {"mod-1-dice": ["1", "3"]}, ()),
        ("lucky", (2, 2, 2), {"mod-1-die": "1", "mod-1-keep": "new"}, (3,)),
        ("lucky", (2, 2, 3), {"mod-1-die": "1", "mod-1-keep": "old"}, (6,)),
    ],
)
def test_each_exploration_skill_makes_a_seven_of_these_dice(skill, faces, choices, rolled):
    given = {"mod-1": skill, "mod-2": "done", **choices}
    assert bent(faces, (skill,), given, rolled) == 7


def test_skills_may_be_used_in_any_order_and_each_as_often_as_it_is_owned():
    force = wardens(exploration_skills=("seek", "seek"))
    choices = {"mod-1": "seek", "mod-1-die": "1", "mod-2": "seek", "mod-2-die": "1", "mod-3": "done"}
    progress = run(explore(force), (2, 2, 1), choices)
    assert money(progress.outcome).ducats == 70
    with pytest.raises(Refusal, match="not one of the choices"):
        run(explore(force), (2, 2, 1), {**choices, "mod-3": "seek", "mod-3-die": "1"})


def test_a_duplicated_die_carries_its_changes():
    force = wardens(exploration_skills=("seek", "duplicate"))
    choices = {"mod-1": "seek", "mod-1-die": "1", "mod-2": "duplicate", "mod-2-die": "1", "mod-3": "done"}
    assert money(settle(explore(force), (1, 1, 2), choices)).ducats == 70  # 2, 1, 2 and another 2


def test_merged_dice_are_one_die_worth_more_than_six_and_may_be_counted_twice():
    force = wardens(exploration_skills=("combine", "duplicate"))
    choices = {"mod-1": "combine", "mod-1-dice": ["1", "2"], "mod-2": "duplicate", "mod-2-die": "1", "mod-3": "done"}
    assert money(settle(explore(force), (4, 4, 1), choices)).ducats == 170


def test_a_change_that_no_die_allows_is_not_offered():
    force = wardens(exploration_skills=("seek", "circle-back"))
    values = [o.value for o in run(explore(force), (6, 6, 6)).asked.options]
    assert values == ["reroll", "circle-back", "done"]
    values = [o.value for o in run(explore(force), (1, 1, 1)).asked.options]
    assert values == ["reroll", "seek", "done"]


def test_each_change_says_the_place_it_would_reach():
    force = wardens(exploration_skills=("seek", "circle-back", "combine"))
    words = {o.value: o.words for o in run(explore(force), (3, 3, 4)).asked.options}
    assert words["seek"] == "Makes 11: Trench Merchant (common)"
    assert words["circle-back"] == "Makes 9: Survivor (common)"
    assert words["combine"] == "The score stays 10."
    assert words["reroll"] == "Roll to decide."
    assert words["done"] == "Fallen Soldier (common)"


def test_skills_of_fighters_lend_exploration_skills():
    scout = fighter("ilse", "lieutenant", skills=("scavenger", "friends-in-high-places"))
    walker = fighter("anselm", "trench-cleric", skills=(ForceSkill("w", "walk-with-god", {"skill": "lucky"}),))
    titles = [o.title for o in run(explore(wardens(scout, walker)), (2, 2, 2)).asked.options]
    assert titles == ["Reroll (3 left)", "Extra Dice", "Lucky", "Leave it at 6"]
    dead = wardens(replace(scout, status="dead"), replace(walker, status="dead"))
    assert [o.value for o in run(explore(dead), (2, 2, 2)).asked.options] == ["reroll", "done"]


# --- the exact score


@pytest.mark.parametrize(
    ("number", "faces", "expected"),
    [
        (1, (1, 1, 2), {"moonshine-stash"}),
        (3, (1, 1, 1, 2), {"heavy-weapons-cache", "angelic-instrument"}),
        (3, (2, 2, 2, 3), {"survivor", "abandoned-prophetic-radio-station"}),
        (3, (2, 3, 3, 3), {"trench-merchant", "pot-of-manna"}),
        (6, (2, 2, 2, 2, 3), {"pot-of-manna"}),
        (10, (2, 2, 2, 2, 2, 2), {"ransacked-alchemical-workshop", "jabirean-alchemical-books"}),
    ],
)
def test_shared_scores_offer_the_choice(number, faces, expected):
    progress = run(explore(*at(number)), faces, PLAIN)
    if len(expected) > 1:
        assert progress.asked.key == "location"
        assert {o.value for o in progress.asked.options} == expected
    else:
        assert content().locations[expected.pop()].name in shown(progress)


def test_of_two_places_only_the_ways_of_the_own_list_are_told():
    force, aftermath = at(3)
    progress = run(explore(replace(force, list="trench-pilgrims"), aftermath), (2, 2, 2, 3), PLAIN)
    told = next(o.words for o in progress.asked.options if o.value == "survivor")
    assert "an Ecclesiastic Prisoner" in told
    assert "Yeoman" not in told
    assert "Sacred Affliction" not in told


def test_a_known_location_gives_nothing_more():
    force = wardens(locations=("trench-shrine",))
    progress = run(explore(force), (2, 2, 2), PLAIN)
    assert money(progress.outcome) == Price(60, 0)
    assert sets(progress.outcome) == {}
    assert "found before" in shown(progress)


def test_of_two_places_the_one_found_before_is_out():
    force, aftermath = at(3, locations=("pot-of-manna",))
    assert run(explore(force, aftermath), (2, 3, 3, 3), PLAIN).asked.key == "option"


def test_ways_of_others_are_closed_with_the_reason():
    force, aftermath = at(10, list="heretic-legion", fighters=(fighter("p", "heretic-priest"),))
    faces, choices = (1, 1, 1, 1, 2, 2), {**PLAIN, "location": "esoteric-library"}
    closed = {o.value: o.closed for o in run(explore(force, aftermath), faces, choices).asked.options}
    assert "New Antioch" in closed["burn"]
    assert closed["sell"] == closed["study-esoteric-library"] == ""
    with pytest.raises(Refusal, match="is closed"):
        run(explore(force, aftermath), faces, {**choices, "option": "burn"})


def test_where_one_way_is_open_it_is_taken():
    force, aftermath = at(1, list="heretic-legion", fighters=(fighter("p", "heretic-priest"),))
    outcome = settle(explore(force, aftermath), (1, 1, 2), PLAIN)
    assert sets(outcome)["", "locations", "moonshine-stash"] == "sell"


@pytest.mark.parametrize(
    "variant", ["papal-states-intervention-force", "eire-rangers", "kingdom-of-alba-assault-detachment"]
)
def test_variants_pass_with_their_faction(variant):
    asked = run(explore(*at(1, list=variant)), (1, 1, 2), PLAIN).asked
    assert [o.closed for o in asked.options] == ["", "", ""]


# --- every location, way by way


DICE = {1: 3, 3: 4, 6: 5, 10: 6}
TABLES = {1: {"common"}, 3: {"common", "rare"}, 6: {"rare"}, 10: {"rare", "legendary"}}


def faces_for(place):
    """A battle number and plain dice that reach exactly this location's score."""
    number, count = next((n, d) for n, d in DICE.items() if place.rarity in TABLES[n] and d <= place.score <= 6 * d)
    faces, left = [], place.score
    for rest in range(count - 1, -1, -1):
        faces.append(min(6, left - rest))
        left -= faces[-1]
    assert left == 0
    return number, faces


def pick(location, option="", rolled=(), force=None, extra=None, glory=20, list_id="new-antioch"):
    """Take one way of a location with plain dice."""
    number, faces = faces_for(content().locations[location])
    choices = {**PLAIN, "location": location, "option": option, **(extra or {})}
    base = replace(force or wardens(), list=list_id, battles=Battles(number), strongbox=Price(84, glory))
    return run(explore(base, battle(number)), (*faces, *rolled), choices)


def items(outcome):
    return [c.item for c in leaves(outcome, GainsItem)]


def loot(location):
    return content().locations[location].score * 10


@pytest.mark.parametrize(
    ("location", "option", "ducats", "glory", "list_id"),
    [
        ("moonshine-stash", "sell", 30, 0, "new-antioch"),
        ("trench-shrine", "return", 0, 2, "heretic-legion"),
        ("trench-merchant", "report", 0, 2, "new-antioch"),
        ("fallen-knight", "memorialise", 0, 2, "new-antioch"),
        ("ruined-church-masjid-synagogue", "report", 0, 4, "heretic-legion"),
        ("stash-of-drugs-and-erotica", "confiscate", 0, 4, "new-antioch"),
        ("stash-of-drugs-and-erotica", "sell", 120, 0, "heretic-legion"),
        ("high-ranking-captive", "execute", 0, 4, "new-antioch"),
        ("high-ranking-captive", "ransom", 100, 0, "new-antioch"),
        ("jabirean-alchemical-books", "sell-for-ducats", 150, 0, "new-antioch"),
        ("jabirean-alchemical-books", "sell-for-glory", 0, 5, "new-antioch"),
    ],
)
def test_ways_that_bring_money(location, option, ducats, glory, list_id):
    outcome = pick(location, option, list_id=list_id).outcome
    assert money(outcome) == Price(loot(location) + ducats, glory)
    assert sets(outcome)["", "locations", location] == option


def test_the_library_sells_by_six_dice_and_burns_for_glory():
    sold = pick("esoteric-library", "sell", (1, 2, 3, 4, 5, 6)).outcome
    assert money(sold) == Price(loot("esoteric-library") + 210, 0)
    assert money(pick("esoteric-library", "burn", (5,)).outcome) == Price(loot("esoteric-library"), 6)


@pytest.mark.parametrize(
    ("location", "option", "lasting", "list_id"),
    [
        ("moonshine-stash", "distribute", "moonshine", "new-antioch"),
        ("trench-merchant", "trade", "trench-merchant-trade", "new-antioch"),
        ("pot-of-manna", "", "pot-of-manna", "heretic-legion"),
        ("ransacked-alchemical-workshop", "", "curative-fluids", "new-antioch"),
        ("black-market", "", "black-market", "new-antioch"),
        ("stash-of-drugs-and-erotica", "indulge-in-drugs-and-erotica", "drugs-and-erotica", "heretic-legion"),
        ("black-network-contact", "", "black-network-contact", "new-antioch"),
        ("esoteric-library", "study-esoteric-library", "esoteric-library", "heretic-legion"),
        ("jabirean-alchemical-books", "keep-alchemical-books", "alchemical-books", "new-antioch"),
    ],
)
def test_ways_that_last(location, option, lasting, list_id):
    outcome = pick(location, option, list_id=list_id).outcome
    kept = [v for k, v in sets(outcome).items() if k[1] == "lasting"]
    assert kept == [{"id": lasting, "choices": {}}]


@pytest.mark.parametrize(
    ("location", "option", "skill"),
    [
        ("map-and-document-bag", "", "reroll"),
        ("abandoned-prophetic-radio-station", "", "extra-dice"),
        ("high-ranking-captive", "indenture", "set-dice"),
        ("hidden-passages", "", "duplicate"),
    ],
)
def test_ways_that_teach_the_warband(location, option, skill):
    outcome = pick(location, option).outcome
    assert [v for k, v in sets(outcome).items() if k[1] == "exploration_skills"] == [skill]


@pytest.mark.parametrize(
    ("location", "option", "list_id", "found"),
    [
        ("trench-shrine", "shrine", "new-antioch", ["field-shrine"]),
        ("trench-shrine", "standard", "new-antioch", ["troop-flag"]),
        ("saints-reliquary", "", "new-antioch", ["saints-reliquary"]),
        ("snipers-nest", "heretic-legions", "heretic-legion", ["automatic-rifle"]),
        ("skull-of-a-saint", "faithful-skull", "new-antioch", ["faithful-saints-skull"]),
        ("skull-of-a-saint", "hell-skull", "heretic-legion", ["hell-saints-skull"]),
        ("lock-of-samsons-hair", "", "heretic-legion", ["lock-of-samsons-hair"]),
        ("angelic-instrument", "", "new-antioch", ["angelic-instrument"]),
    ],
)
def test_ways_that_hand_out_kit(location, option, list_id, found):
    outcome = pick(location, option, list_id=list_id).outcome
    assert items(outcome) == found
    assert all(c.origin == "found" and not c.paid for c in leaves(outcome, GainsItem))


def test_a_troop_flag_respects_its_limit():
    flag = ForceItem("f", "troop-flag")
    limit = content().lists["new-antioch"].by_item["troop-flag"][0].limit
    force = wardens(stash=(flag,) * limit)
    assert items(pick("trench-shrine", "standard", force=force).outcome) == []
    assert items(pick("trench-shrine", "shrine", force=wardens(stash=(ForceItem("s", "field-shrine"),))).outcome) == [
        "field-shrine"
    ]


def test_moonshine_may_teach_up_to_two_elites():
    asked = pick("moonshine-stash", "destroy").asked
    assert [o.value for o in asked.options] == ["ilse", "marek", "anselm"]
    outcome = pick("moonshine-stash", "destroy", extra={"reward-1": ["ilse", "anselm"]}).outcome
    gained = {k: v for k, v in sets(outcome).items() if k[-1] == "experience"}
    assert gained == {("ilse", "experience"): 1, ("anselm", "experience"): 1}
    with pytest.raises(Refusal, match="Choose 0 to 2"):
        pick("moonshine-stash", "destroy", extra={"reward-1": ["ilse", "marek", "anselm"]})


def test_experience_from_a_find_makes_a_skill_due_at_once():
    force = wardens(replace(ILSE, experience=1), MAREK)
    outcome = pick("moonshine-stash", "destroy", force=force, extra={"reward-1": ["ilse"]}).outcome
    done = after(force, outcome)
    record = written("experience", "promotion", "fork", "exploration")
    assert "advance-ilse-2" in tasks("experience", done, battle(), record)


def test_a_heavy_weapon_of_the_own_armoury_comes_free_within_its_limit():
    asked = pick("heavy-weapons-cache", "surplus").asked
    picks = {o.value: o.closed for o in asked.options}
    assert all("HEAVY" in content().items[i].keywords for i in picks)
    assert "machine-gun" in picks
    assert items(pick("heavy-weapons-cache", "surplus", extra={"reward-1": "machine-gun"}).outcome) == ["machine-gun"]
    limit = content().lists["new-antioch"].by_item["machine-gun"][0].limit
    full = wardens(stash=tuple(ForceItem(f"m{i}", "machine-gun") for i in range(limit)))
    assert (
        "LIMIT"
        in {o.value: o.closed for o in pick("heavy-weapons-cache", "surplus", force=full).asked.options}["machine-gun"]
    )


@pytest.mark.parametrize(
    ("location", "option", "most"),
    [
        ("heavy-weapons-cache", "specialise", 5),
        ("ruined-house", "relic", 7),
        ("ruined-church-masjid-synagogue", "purchase", 10),
        ("high-ranking-captive", "imprison", 8),
    ],
)
def test_one_glory_item_may_be_bought_now_or_never(location, option, most):
    asked = pick(location, option).asked
    offers = content().item_offers
    prices = {o.value: offers[o.value].price.glory for o in asked.options if o.value != "none"}
    assert prices
    assert max(prices.values()) <= most
    dearest = max(
        (v for v in prices if not next(o for o in asked.options if o.value == v).closed), key=prices.__getitem__
    )
    bought = pick(location, option, extra={"reward-1": dearest}).outcome
    assert money(bought).glory == -prices[dearest]
    (gained,) = leaves(bought, GainsItem)
    assert (gained.origin, gained.offer, gained.paid) == ("bought", dearest, Price(glory=prices[dearest]))
    assert money(pick(location, option, extra={"reward-1": "none"}).outcome).glory == 0
    poor = pick(location, option, glory=0).asked
    assert all(o.closed for o in poor.options if o.value != "none")


def test_equipment_up_to_thirty_ducats_is_chosen_piece_by_piece():
    asked = pick("ruined-house", "rummage").asked
    offers = content().item_offers
    cheap = [o.value for o in asked.options if o.value != "none" and not o.closed]
    assert all(offers[o].price.ducats <= 30 and content().items[offers[o].item].category == "equipment" for o in cheap)
    first = next(o for o in cheap if content().items[offers[o].item].id == "gas-mask")
    left = 30 - offers[first].price.ducats
    second = pick("ruined-house", "rummage", extra={"reward-1-kit-1": first}).asked
    assert second.words.startswith(f"{left} ducats left")
    outcome = pick("ruined-house", "rummage", extra={"reward-1-kit-1": first, "reward-1-kit-2": "none"}).outcome
    assert items(outcome) == ["gas-mask"]
    assert money(outcome) == Price(loot("ruined-house"), 0)


def test_the_strongbox_gives_kit_or_sells_glory_items_up_to_nine():
    place = content().locations["warband-strongbox"]
    force, aftermath = at(4)
    faces = (5, 5, 5, 5)
    asked = run(explore(force, aftermath), faces, {**PLAIN, "option": "trove"}).asked
    assert asked.words.startswith("120 ducats left")
    panoply = {**PLAIN, "option": "panoply"}
    rich = replace(force, strongbox=Price(0, 9))
    asked = run(explore(rich, aftermath), faces, panoply).asked
    offers = content().item_offers
    pick_one = min(
        (o.value for o in asked.options if o.value != "none" and not o.closed), key=lambda o: offers[o].price.glory
    )
    price = offers[pick_one].price.glory
    outcome = settle(explore(rich, aftermath), faces, {**panoply, "reward-1-kit-1": pick_one, "reward-1-kit-2": "none"})
    assert money(outcome) == Price(place.score * 10, -price)


@pytest.mark.parametrize(
    ("list_id", "option", "profile"),
    [("new-antioch", "survivor-yeoman", "survivor-yeoman"), ("heretic-legion", "heretic-wretched", "wretched")],
)
def test_a_survivor_joins_set_by_the_faction_without_a_question(list_id, option, profile):
    outcome = pick("survivor", "", list_id=list_id).outcome
    (joins,) = leaves(outcome, Joins)
    assert (joins.profile, joins.paid) == (profile, Price())
    assert sets(outcome)["", "locations", "survivor"] == option


def test_a_golem_joins():
    (joins,) = leaves(pick("book-of-golems").outcome, Joins)
    assert content().profile_offers[joins.offer].profile == joins.profile


@pytest.mark.parametrize(("face", "more"), [(3, False), (4, True)])
def test_the_fallen_soldier_carries_more_on_four_and_up(face, more):
    asked = pick("fallen-soldier").asked
    offers = [content().lists["new-antioch"].by_item[o.value][0] for o in asked.options]
    assert all(o.price.ducats <= 15 and content().items[o.item].category == "ranged" for o in offers)
    gun = asked.options[0].value
    progress = pick("fallen-soldier", rolled=(face,), extra={"reward-1": gun})
    if more:
        assert {o.value for o in progress.asked.options} <= {"medi-kit", "mountaineer-kit", "shovel", "none"}
        outcome = pick("fallen-soldier", rolled=(face,), extra={"reward-1": gun, "reward-2": "shovel"}).outcome
        assert items(outcome) == [gun, "shovel", "combat-helmet", "standard-armour"]
    else:
        assert items(progress.outcome) == [gun, "combat-helmet", "standard-armour"]


def test_the_fallen_knight_is_looted():
    asked = pick("fallen-knight", "loot").asked
    assert [o.value for o in asked.options] == ["sword-axe", "trench-polearm"]
    outcome = pick("fallen-knight", "loot", extra={"reward-1": "trench-polearm"}).outcome
    assert items(outcome) == ["trench-polearm", "combat-helmet", "trench-shield", "reinforced-armour"]


def test_the_snipers_nest_pays_out_what_is_at_its_limit():
    asked = pick("snipers-nest", "").asked
    assert [o.value for o in asked.options] == ["sniper-rifle", "sniper-scope"]
    assert items(pick("snipers-nest", "", extra={"reward-1": "sniper-scope"}).outcome) == ["sniper-scope"]
    entry = content().lists["new-antioch"].by_item["sniper-rifle"][0]
    full = wardens(stash=tuple(ForceItem(f"r{i}", "sniper-rifle") for i in range(entry.limit)))
    outcome = pick("snipers-nest", "", force=full, extra={"reward-1": "sniper-rifle"}).outcome
    assert items(outcome) == []
    assert money(outcome) == Price(loot("snipers-nest") + entry.price.ducats, entry.price.glory)


def test_an_angelic_instrument_takes_the_place_of_an_instrument_at_the_limit():
    limit = content().lists["new-antioch"].by_item["musical-instrument"][0].limit
    force = wardens(stash=tuple(ForceItem(f"i{n}", "musical-instrument") for n in range(limit)))
    asked = pick("angelic-instrument", force=force).asked
    assert {o.value for o in asked.options} == {*(f"i{n}" for n in range(limit)), "none"}
    outcome = pick("angelic-instrument", force=force, extra={asked.key: "i0"}).outcome
    assert leaves(outcome, LosesItems)[0].items == ("i0",)
    assert items(outcome) == ["angelic-instrument"]
    assert items(pick("angelic-instrument", force=force, extra={asked.key: "none"}).outcome) == []


def test_holy_dna_is_given_to_one_fighter():
    asked = pick("sample-of-holy-dna").asked
    assert {o.value for o in asked.options} == {f.key for f in wardens().fighters}
    outcome = pick("sample-of-holy-dna", extra={asked.key: "ottla"}).outcome
    kept = [v for k, v in sets(outcome).items() if k[1] == "lasting"]
    assert kept == [{"id": "sample-of-holy-dna", "choices": {"link": "ottla"}}]


def test_tektites_are_applied_to_one_suit_of_armour_or_turned_in_for_later():
    asked = pick("golgotha-tektites", "apply-golgotha-tektites").asked
    assert "ilse-standard-armour" in {o.value for o in asked.options}
    assert all("sword" not in o.value for o in asked.options)
    (owed,) = leaves(pick("golgotha-tektites", "turn-in").outcome, Owes)
    assert (owed.data["glory"], set(owed.data["lists"])) == (15, {"new-antioch", "trench-pilgrims"})


def test_the_fruit_teaches_any_skill_and_marks_the_eater():
    asked = pick("fruit-from-the-tree").asked
    assert "ottla" in {o.value for o in asked.options}
    outcome = pick("fruit-from-the-tree", extra={"reward-1-who": "ottla", "skill": "parry"}).outcome
    (learned,) = [c for c in leaves(outcome, SetFighter) if c.path[0] == "skills"]
    assert learned.value == {"id": "fruit-from-the-tree", "choices": {"skill": "parry"}}


@pytest.mark.parametrize("location", ["battlefield-of-corpses", "treasure-of-the-holies"])
def test_what_is_chosen_later_is_owed(location):
    (owed,) = leaves(pick(location).outcome, Owes)
    assert owed.words
    assert owed.data["location"] == location


def test_five_dice_reach_the_resurrection_machine_only_with_a_skill():
    force, aftermath = at(9, exploration_skills=("duplicate",))
    choices = {"mod-1": "duplicate", "mod-1-die": "5", "mod-2": "done"}
    outcome = settle(explore(force, aftermath), (6, 6, 6, 4, 5), choices)
    assert [v["id"] for k, v in sets(outcome).items() if k[1] == "lasting"] == ["salvaged-resurrection-machine"]


CAMPAIGN_SETTINGS = [
    (place.id, option, list_id)
    for place in content().pack.locations
    for list_id in ("new-antioch", "heretic-legion")
    for option in [o.id for o in place.options] or [""]
]


def test_there_are_ways_to_check():
    assert len(CAMPAIGN_SETTINGS) > 80


@pytest.mark.parametrize(("location", "option", "list_id"), CAMPAIGN_SETTINGS)
def test_every_way_of_every_location_can_be_taken_by_whom_it_is_for(location, option, list_id):
    place = content().locations[location]
    if place.options and option not in open_ways(place, list_id):
        assert list_id != "new-antioch" or content().lists[list_id].army.id not in next(
            o.lists for o in place.options if o.id == option
        )
        return
    number, faces = faces_for(place)
    leader = ILSE if list_id == "new-antioch" else fighter("ilse", "heretic-priest", kit=("standard-armour",))
    force = wardens(leader, OTTLA, list=list_id, battles=Battles(number), strongbox=Price(0, 30))
    progress = finish(explore(force, battle(number)), faces, {**PLAIN, "location": place.id, "option": option})
    assert sets(progress)["", "locations", place.id] == option
    after(force, progress)


def open_ways(place, list_id):
    scene = step_context(content(), wardens(list=list_id), battle(), StepRecord())
    return {o.id for o in place.options if not closed_option(scene, o)}


def finish(task, faces, choices):
    """Answer whatever is asked with the first open answer, and roll threes where more dice are wanted."""
    for _ in range(30):
        progress = advance(task, (), choices, TypedDice([*faces, *[3] * 10]))
        if progress.outcome is not None:
            return progress.outcome
        assert progress.asked is not None
        first = next(o.value for o in progress.asked.options if not o.closed)
        choices = {**choices, progress.asked.key: [first] if progress.asked.kind == "some" else first}
    raise AssertionError("it never ends")


def test_a_written_exploration_stays_listed():
    force = wardens()
    outcome = settle(explore(force), (2, 2, 2), {**PLAIN, "option": "return"})
    again = explore(after(force, outcome), record=written("exploration"))
    assert settle(again).consequences == ()
