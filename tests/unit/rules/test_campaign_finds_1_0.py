"""Every way of every location of 1.0, taken with typed dice on the real pack, for the lists that the pack holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.consequences import GainsItem, Joins, LosesItems, Money, Owes
from rules.force import ForceItem, ForceSkill, ForceTrauma
from rules.legality.armoury import shop_cap
from rules.legality.roster_state import examine
from rules.price import Price
from rules.problems import Refusal
from rules.trench_crusade.camp import camp_tasks, redeem
from tests.unit.rules.evening import fighter, leaves, money, run, sets, settle, shown
from tests.unit.rules.evening_1_0 import ILSE, KOLYA, MAREK, content, find, game, legion, tasks, wardens

PLACES = {p.id: p for p in content().pack.locations}


def loot(location: str) -> int:
    return PLACES[location].score * 10


def gained(outcome) -> list[str]:
    return sorted(c.item for c in leaves(outcome, GainsItem))


def lasting(outcome) -> list[dict]:
    return [value for key, value in sets(outcome).items() if key[1] == "lasting"]


def force_of(list_id: str):
    return legion() if list_id == "heretic-legion" else wardens()


# --- who may take what

CLOSED = {
    "new-antioch": {
        "survivor": {
            "trench-pilgrims",
            "sacred-affliction",
            "iron-sultanate",
            "heretic-wretched",
            "black-grail",
            "the-court",
        },
        "snipers-nest": {"iron-sultanate", "heretic-legions", "black-grail", "the-court"},
        "esoteric-library": {"release-plague", "study-esoteric-library"},
        "jabirean-alchemical-books": {"study"},
        "skull-of-a-saint": {"hell-skull"},
    },
    "heretic-legion": {
        "moonshine-stash": {"distribute", "destroy"},
        "survivor": {
            "survivor-yeoman",
            "trench-pilgrims",
            "sacred-affliction",
            "iron-sultanate",
            "black-grail",
            "the-court",
        },
        "snipers-nest": {"new-antioch", "iron-sultanate", "black-grail", "the-court"},
        "esoteric-library": {"burn", "release-plague"},
        "jabirean-alchemical-books": {"study"},
        "skull-of-a-saint": {"faithful-skull"},
        "golgotha-tektites": {"turn-in"},
    },
}


@pytest.mark.parametrize("list_id", CLOSED)
@pytest.mark.parametrize("location", [p.id for p in PLACES.values() if p.options])
def test_the_ways_that_are_closed_to_a_list(list_id, location):
    closed = CLOSED[list_id].get(location, set())
    open_ways = [o.id for o in PLACES[location].options if o.id not in closed]
    assert open_ways
    if len(open_ways) == 1:
        only = find(location, force=force_of(list_id))
        taken = sets(only.outcome)["", "locations", location] if only.outcome else ""
        assert taken == open_ways[0] or only.asked.key == "reward-1"
        return
    asked = find(location, force=force_of(list_id)).asked
    assert {o.value for o in asked.options if o.closed} == closed
    for way in closed:
        with pytest.raises(Refusal, match="is closed"):
            find(location, way, force=force_of(list_id))


# --- money and glory


@pytest.mark.parametrize(
    ("location", "option", "ducats", "glory", "list_id"),
    [
        ("moonshine-stash", "sell", 30, 0, "new-antioch"),
        ("trench-shrine", "return", 0, 2, "heretic-legion"),
        ("trench-merchant", "report", 0, 2, "new-antioch"),
        ("fallen-knight", "memorialise", 0, 2, "heretic-legion"),
        ("ruined-church-masjid-synagogue", "report", 0, 4, "new-antioch"),
        ("stash-of-drugs-and-erotica", "sell", 120, 0, "heretic-legion"),
        ("stash-of-drugs-and-erotica", "confiscate", 0, 4, "new-antioch"),
        ("high-ranking-captive", "ransom", 100, 0, "new-antioch"),
        ("high-ranking-captive", "execute", 0, 4, "heretic-legion"),
        ("golgotha-tektites", "turn-in", 0, 15, "new-antioch"),
    ],
)
def test_ways_that_bring_money(location, option, ducats, glory, list_id):
    outcome = find(location, option, force=force_of(list_id)).outcome
    assert money(outcome) == Price(loot(location) + ducats, glory)
    assert sets(outcome)["", "locations", location] == option


def test_the_library_burns_for_three_glory_and_a_d3():
    outcome = find("esoteric-library", "burn", (6,)).outcome
    assert money(outcome) == Price(loot("esoteric-library"), 6)


def test_the_library_sells_for_ten_times_six_dice():
    outcome = find("esoteric-library", "sell", (1, 2, 3, 4, 5, 6)).outcome
    assert money(outcome) == Price(loot("esoteric-library") + 210, 0)


@pytest.mark.parametrize(("picked", "price"), [("1", Price(150, 0)), ("2", Price(0, 5))])
def test_the_alchemical_book_sells_for_ducats_or_glory(picked, price):
    asked = find("jabirean-alchemical-books", "sell").asked
    assert [o.title for o in asked.options] == ["150 ducats", "5 glory"]
    outcome = find("jabirean-alchemical-books", "sell", extra={"reward-1": picked}).outcome
    assert money(outcome) == Price(loot("jabirean-alchemical-books") + price.ducats, price.glory)


# --- campaign victory points


@pytest.mark.parametrize(("face", "points"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_the_holies_are_worth_a_d3_of_points_and_a_glory_item_whenever_wished(face, points):
    outcome = find("treasure-of-the-holies", rolled=(face,)).outcome
    assert sets(outcome)["", "campaign_points"] == points
    owed = leaves(outcome, Owes)[0]
    task = redeem(content(), wardens(), owed.kind, owed.data)
    options = {o.value for o in run(task).asked.options}
    assert "field-hospital" in options  # 10 glory: no bound
    assert "troop-flag" not in options  # priced in glory, but no Glory Item
    taken = settle(task, (), {"reward-1": "field-hospital"})
    assert gained(taken) == ["field-hospital"]
    assert money(taken) == Price()


@pytest.mark.parametrize(("held", "given"), [(20, 10), (4, 4), (20, 0)])
def test_the_patron_takes_up_to_ten_glory_for_points(held, given):
    force = wardens(strongbox=Price(0, held))
    outcome = find("patrons-visit", force=force, extra={"reward-1-glory": given}).outcome
    assert money(outcome) == Price(loot("patrons-visit"), -given)
    assert sets(outcome).get(("", "campaign_points"), 0) == given


def test_the_patron_takes_no_more_than_ten_nor_more_than_there_is():
    with pytest.raises(Refusal):
        find("patrons-visit", extra={"reward-1-glory": 11})
    with pytest.raises(Refusal):
        find("patrons-visit", force=wardens(strongbox=Price(0, 4)), extra={"reward-1-glory": 5})


# --- what lasts


@pytest.mark.parametrize(
    ("location", "option", "kept", "list_id"),
    [
        ("moonshine-stash", "distribute", "moonshine", "new-antioch"),
        ("trench-merchant", "trade", "trench-merchant-trade", "heretic-legion"),
        ("pot-of-manna", "", "pot-of-manna", "new-antioch"),
        ("ransacked-alchemical-workshop", "", "curative-fluids", "new-antioch"),
        ("black-market", "", "black-market", "heretic-legion"),
        ("stash-of-drugs-and-erotica", "indulge-in-drugs-and-erotica", "drugs-and-erotica", "new-antioch"),
        ("abandoned-resurrection-machine", "", "salvaged-resurrection-machine", "new-antioch"),
        ("esoteric-library", "study-esoteric-library", "esoteric-library", "heretic-legion"),
        ("jabirean-alchemical-books", "keep-alchemical-books", "alchemical-books", "new-antioch"),
        ("black-network-contact", "", "black-network-contact", "new-antioch"),
    ],
)
def test_ways_that_last(location, option, kept, list_id):
    outcome = find(location, option, force=force_of(list_id)).outcome
    assert lasting(outcome) == [{"id": kept, "choices": {}}]


@pytest.mark.parametrize(
    ("kept", "cap"), [("trench-merchant-trade", 5), ("black-market", 8), ("black-network-contact", 12)]
)
def test_a_discovery_opens_the_trade_in_glory_items_up_to_its_price(kept, cap):
    """Point `glory-items`."""
    assert shop_cap(examine(content(), wardens())) is None
    assert shop_cap(examine(content(), wardens(lasting=(kept,)))) == cap
    both = wardens(lasting=("trench-merchant-trade", kept))
    assert shop_cap(examine(content(), both)) == cap


def test_manna_adds_to_this_loot_and_to_every_later_one():
    now = find("pot-of-manna").outcome
    assert money(now) == Price(loot("pot-of-manna") + 10, 0)
    later = find("black-market", force=wardens(lasting=("pot-of-manna",))).outcome
    assert money(later) == Price(loot("black-market") + 10, 0)


WOUNDED = replace(ILSE, traumas=(ForceTrauma("t1", "leg-wound", battle=1),))


def used(kept: str):
    state = {"lasting": {"l1": {"id": kept, "choices": {}}}}
    return settle(camp_tasks(content(), wardens(WOUNDED, lasting=(kept,), state=state))[0], (), {"who": "ilse"})


def test_curative_fluids_take_a_scar_and_leave_what_the_trauma_did():
    done = sets(used("curative-fluids"))
    assert done["ilse", "traumas", "t1", "scar"] is False
    assert ("ilse", "traumas", "t1") not in done
    assert done["", "lasting", "l1"] is None


def test_the_machine_takes_a_scar_with_its_trauma():
    done = sets(used("salvaged-resurrection-machine"))
    assert done["ilse", "traumas", "t1"] is None
    assert done["", "lasting", "l1"] is None


def test_holy_dna_goes_to_one_model():
    outcome = find("sample-of-holy-dna", extra={"reward-1-link": "kolya"}).outcome
    assert lasting(outcome) == [{"id": "sample-of-holy-dna", "choices": {"link": "kolya"}}]


def test_tektites_treat_up_to_two_suits_of_armour():
    stash = (ForceItem("a2", "reinforced-armour"), ForceItem("s1", "trench-shield"))
    force = wardens(stash=stash)
    asked = find("golgotha-tektites", "apply-golgotha-tektites", force=force).asked
    assert {o.value for o in asked.options} == {"ilse-standard-armour", "a2"}  # a shield is no suit
    picked = ["ilse-standard-armour", "a2"]
    outcome = find("golgotha-tektites", "apply-golgotha-tektites", force=force, extra={"reward-1-link": picked}).outcome
    assert lasting(outcome) == [{"id": "golgotha-tektites", "choices": {"link": picked}}]


# --- exploration skills


@pytest.mark.parametrize(
    ("location", "option", "skill"),
    [
        ("map-and-document-bag", "", "reroll"),
        ("abandoned-prophetic-radio-station", "", "extra-dice"),
        ("high-ranking-captive", "indenture", "set-dice"),
        ("hidden-passages", "", "duplicate"),
    ],
)
def test_ways_that_teach_exploration(location, option, skill):
    outcome = find(location, option).outcome
    assert [v for k, v in sets(outcome).items() if k[1] == "exploration_skills"] == [skill]


# --- fixed items


@pytest.mark.parametrize(
    ("location", "option", "items", "list_id"),
    [
        ("trench-shrine", "standard", ["troop-flag"], "heretic-legion"),
        ("trench-shrine", "shrine", ["field-shrine"], "new-antioch"),
        ("snipers-nest", "", ["automatic-rifle"], "heretic-legion"),
        ("angelic-instrument", "", ["angelic-instrument"], "new-antioch"),
        ("saints-reliquary", "", ["saints-reliquary"], "new-antioch"),
        ("skull-of-a-saint", "", ["faithful-saints-skull"], "new-antioch"),
        ("skull-of-a-saint", "", ["hell-saints-skull"], "heretic-legion"),
        ("lock-of-samsons-hair", "", ["lock-of-samsons-hair"], "heretic-legion"),
    ],
)
def test_ways_that_bring_their_own_items(location, option, items, list_id):
    force = force_of(list_id)
    outcome = find(location, option, force=force).outcome
    assert gained(outcome) == items
    assert money(outcome) == Price(loot(location), 0)


@pytest.mark.parametrize("item", ["sniper-rifle", "sniper-scope"])
def test_the_snipers_lair_lets_new_antioch_choose(item):
    assert gained(find("snipers-nest", extra={"reward-1": item}).outcome) == [item]


def test_what_is_at_its_limit_in_the_snipers_lair_is_paid_out():
    limit = next(o.limit for o in content().pack.item_offers if o.item == "sniper-scope" and "new-antioch" in o.lists)
    stash = tuple(ForceItem(f"s{n}", "sniper-scope") for n in range(limit))
    outcome = find("snipers-nest", force=wardens(stash=stash), extra={"reward-1": "sniper-scope"}).outcome
    assert gained(outcome) == []
    assert money(outcome) == Price(loot("snipers-nest"), 2)


def test_a_found_troop_flag_keeps_to_its_limit():
    """Point `limits-found`."""
    limits = {x: o.limit for o in content().pack.item_offers if o.item == "troop-flag" for x in o.lists}
    assert (limits["new-antioch"], limits["heretic-legion"]) == (None, 1)
    kept = (ForceItem("f", "troop-flag", "found"),)
    free = find("trench-shrine", "standard", force=wardens(stash=kept)).outcome
    assert gained(free) == ["troop-flag"]
    shut = find("trench-shrine", "standard", force=wardens(stash=kept, list="heretic-legion")).outcome
    assert gained(shut) == []


def test_the_angelic_instrument_may_take_the_place_of_another():
    limit = next(
        o.limit for o in content().pack.item_offers if o.item == "musical-instrument" and "new-antioch" in o.lists
    )
    stash = tuple(ForceItem(f"m{n}", "musical-instrument") for n in range(limit))
    outcome = find("angelic-instrument", force=wardens(stash=stash), extra={"reward-1-0": "m0"}).outcome
    assert gained(outcome) == ["angelic-instrument"]
    assert [c.items for c in leaves(outcome, LosesItems)] == [("m0",)]


@pytest.mark.parametrize("weapon", ["sword-axe", "trench-polearm"])
def test_the_fallen_knights_panoply(weapon):
    outcome = find("fallen-knight", "loot", extra={"reward-2": weapon}).outcome
    assert gained(outcome) == sorted(["reinforced-armour", "trench-shield", "combat-helmet", weapon])


# --- items of choice


def test_the_fallen_soldier_leaves_a_cheap_gun_and_on_four_or_more_a_piece_of_kit():
    asked = find("fallen-soldier").asked
    offered = {o.value for o in asked.options}
    guns = {
        o.item
        for o in content().lists["new-antioch"].item_offers
        if content().items[o.item].slot == "ranged-weapon" and 0 < o.price.ducats <= 15 and not o.exploration_only
    }
    assert offered == guns
    assert not any(content().items[item].slot == "grenade" for item in offered)
    gun = min(offered)
    base = {"reward-1": gun}
    assert gained(find("fallen-soldier", rolled=(3,), extra=base).outcome) == sorted(
        [gun, "combat-helmet", "standard-armour"]
    )
    more = find("fallen-soldier", rolled=(4,), extra={**base, "reward-3": "shovel"}).outcome
    assert "shovel" in gained(more)
    none = find("fallen-soldier", rolled=(4,), extra={**base, "reward-3": "none"}).outcome
    assert len(gained(none)) == 3


def test_the_weapons_cache_has_a_heavy_item_of_the_own_armoury():
    offered = {o.value for o in find("heavy-weapons-cache", "surplus").asked.options}
    assert "machine-gun" in offered
    assert offered
    assert all("HEAVY" in content().item_keywords[item] for item in offered)
    outcome = find("heavy-weapons-cache", "surplus", extra={"reward-1": "machine-gun"}).outcome
    assert gained(outcome) == ["machine-gun"]
    assert money(outcome) == Price(loot("heavy-weapons-cache"), 0)


def glory_items(list_id: str, most: int) -> set[str]:
    return {
        o.item
        for o in content().lists[list_id].item_offers
        if o.exploration_only and 0 < o.price.glory <= most and not o.price.ducats
    }


@pytest.mark.parametrize("list_id", ["new-antioch", "heretic-legion"])
@pytest.mark.parametrize(
    ("location", "option", "most"),
    [
        ("heavy-weapons-cache", "specialise", 5),
        ("ruined-house", "relic", 7),
        ("ruined-church-masjid-synagogue", "purchase", 10),
        ("high-ranking-captive", "imprison", 8),
    ],
)
def test_one_glory_item_up_to_a_price_is_free(location, option, most, list_id):
    force = force_of(list_id)
    offered = {o.value for o in find(location, option, force=force).asked.options}
    assert offered == glory_items(list_id, most)
    outcome = find(location, option, force=force, extra={"reward-1": "knighthood"}).outcome
    assert gained(outcome) == ["knighthood"]
    assert money(outcome) == Price(loot(location), 0)


def test_a_found_dog_joins_as_a_fighter_and_keeps_to_its_limit():
    dogs = [i for i in glory_items("new-antioch", 5) if content().items[i].effects and i.startswith("trench-dog")]
    dog = min(dogs)
    outcome = find("heavy-weapons-cache", "specialise", extra={"reward-1": dog}).outcome
    joined = leaves(outcome, Joins)
    offer = next(o for o in content().lists["new-antioch"].item_offers if o.item == dog)
    assert [(j.offer, j.hired_as) for j in joined] == [(offer.id, "item")]
    assert gained(outcome) == []
    own = fighter("rex", joined[0].profile, offer=offer.id, hired_as="item")
    again = find("heavy-weapons-cache", "specialise", force=wardens(ILSE, own)).asked
    assert {o.value for o in again.options if o.closed} == set(dogs)  # one dog of any kind


def kit_offer(list_id: str, item: str) -> str:
    return min(
        (o for o in content().lists[list_id].item_offers if o.item == item),
        key=lambda o: (o.exploration_only, o.price.glory, o.price.ducats),
    ).id


def test_rummaging_gives_equipment_up_to_thirty_ducats():
    asked = find("ruined-house", "rummage").asked
    offers = [content().item_offers[o.value] for o in asked.options if o.value != "none"]
    assert offers
    assert all(content().items[o.item].category == "equipment" and o.price.ducats <= 30 for o in offers)
    helmet = kit_offer("new-antioch", "combat-helmet")
    outcome = find("ruined-house", "rummage", extra={"reward-1-kit-1": helmet, "reward-1-kit-2": "none"}).outcome
    assert gained(outcome) == ["combat-helmet"]
    assert money(outcome) == Price(loot("ruined-house"), 0)


def test_the_trove_gives_kit_up_to_a_hundred_and_twenty_ducats():
    gun = kit_offer("new-antioch", "machine-gun")
    extra = {"reward-1-kit-1": gun, "reward-1-kit-2": "none"}
    progress = find("warband-strongbox", "trove", extra=extra)
    assert gained(progress.outcome) == ["machine-gun"]
    left = 120 - content().item_offers[gun].price.ducats
    asked = find("warband-strongbox", "trove", extra={"reward-1-kit-1": gun}).asked
    assert asked.words.startswith(f"{left} ducats left")


def test_the_panoply_gives_nine_glory_of_items_and_weapons_count_one_less():
    axe = kit_offer("heretic-legion", "executioners-axe")
    asked = find("warband-strongbox", "panoply", force=legion(), extra={"reward-1-kit-1": axe}).asked
    assert content().item_offers[axe].price == Price(0, 6)
    assert asked.words.startswith("4 glory left")
    titles = {content().item_offers[o.value].item for o in asked.options if o.value != "none"}
    assert "knighthood" in titles  # 4 glory
    assert titles <= glory_items("heretic-legion", 5)
    extra = {"reward-1-kit-1": axe, "reward-1-kit-2": kit_offer("heretic-legion", "knighthood")}
    outcome = find("warband-strongbox", "panoply", force=legion(), extra=extra).outcome
    assert gained(outcome) == ["executioners-axe", "knighthood"]
    assert money(outcome) == Price(loot("warband-strongbox"), 0)


def test_the_battlefield_gives_two_items_of_the_own_armoury_up_to_a_hundred_ducats():
    gun, sword = kit_offer("new-antioch", "machine-gun"), kit_offer("new-antioch", "sword-axe")
    extra = {"reward-1-kit-1": gun, "reward-1-kit-2": sword}
    outcome = find("battlefield-of-corpses", extra=extra).outcome
    assert gained(outcome) == ["machine-gun", "sword-axe"]
    assert leaves(outcome, Owes) == []


# --- models, experience, skills


def test_a_survivor_joins_by_faction():
    yeoman = leaves(find("survivor").outcome, Joins)
    assert [j.offer for j in yeoman] == ["found-survivor-yeoman"]
    wretched = leaves(find("survivor", force=legion()).outcome, Joins)
    assert [j.offer for j in wretched] == ["found-wretched"]


def test_the_book_of_golems_makes_one():
    joined = leaves(find("book-of-golems").outcome, Joins)
    assert [j.offer for j in joined] == ["found-golem"]


def test_destroyed_moonshine_teaches_up_to_two_elites():
    outcome = find("moonshine-stash", "destroy", extra={"reward-1": ["ilse", "marek"]}).outcome
    assert sets(outcome)["ilse", "experience"] == sets(outcome)["marek", "experience"] == 1
    asked = find("moonshine-stash", "destroy").asked
    assert {o.value for o in asked.options} == {"ilse", "marek"}


def test_who_was_promoted_after_this_game_learns_from_moonshine_too():
    risen = replace(KOLYA, promoted=True, choices={"promoted_after": 1})
    asked = find("moonshine-stash", "destroy", force=wardens(ILSE, risen)).asked
    assert {o.value for o in asked.options} == {"ilse", "kolya"}


FRUIT = "fruit-from-the-tree"


def test_the_fruit_offers_every_skill_of_tables_patrons_and_exploration():
    asked = find(FRUIT, extra={"reward-1-who": "ottla"}).asked
    offered = {o.value for o in asked.options}
    assert offered == {s.id for s in content().pack.skills if s.id != FRUIT}
    assert len(offered) == 36 + 48 + 7


@pytest.mark.parametrize("skill", ["dodge", "wings-of-the-fly", "lucky"])
def test_the_fruit_makes_demonic_and_teaches(skill):
    outcome = find(FRUIT, extra={"reward-1-who": "ottla", "skill": skill}).outcome
    kept = next(v for k, v in sets(outcome).items() if k[:2] == ("ottla", "skills"))
    assert kept == {"id": FRUIT, "choices": {"skill": skill}}
    eaten = fighter("ottla", "yeoman", skills=(ForceSkill("f", FRUIT, {"skill": skill}),))
    words = examine(content(), wardens(ILSE, eaten)).facts[1].keywords
    assert "DEMONIC" in words


# --- found before, and changing the roll


def test_a_place_found_before_is_pillaged():
    progress = find("black-market", force=wardens(locations=("black-market",)))
    assert money(progress.outcome) == Price(150, 0)
    assert "Pillaged" in shown(progress)
    assert lasting(progress.outcome) == []


def explored(force, faces, choices, rolled=()):
    task = tasks("exploration", force, game(1))["exploration"]
    outcome = settle(task, (*faces, *rolled), choices)
    return next(c.amount.ducats for c in leaves(outcome, Money) if c.reason.startswith("Loot")) // 10


@pytest.mark.parametrize(
    ("skill", "faces"), [("seek", (2, 2, 2)), ("circle-back", (2, 3, 3)), ("circle-back", (1, 1, 6))]
)
def test_seek_and_circle_back_change_the_total(skill, faces):
    force = wardens(exploration_skills=(skill,))
    assert explored(force, faces, {"mod-1": skill, "mod-2": "done"}) == 7


def test_seek_raises_a_total_of_sixes():
    force = wardens(exploration_skills=("seek",))
    assert explored(force, (6, 6, 6), {"mod-1": "seek", "mod-2": "done"}) == 19


def test_extra_dice_are_taken_before_the_roll():
    force = wardens(exploration_skills=("extra-dice", "extra-dice"))
    assert explored(force, (1, 2, 1, 3), {"further-dice": 1, "mod-1": "done"}) == 7
    asked = run(tasks("exploration", force, game(1))["exploration"]).asked
    assert (asked.key, asked.least, asked.most) == ("further-dice", 0, 2)


@pytest.mark.parametrize(
    ("skill", "faces", "choices", "rolled"),
    [
        ("reroll", (1, 2, 3), {"mod-1-die": "1"}, (2,)),
        ("duplicate", (1, 2, 3), {"mod-1-die": "1"}, ()),
        ("set-dice", (1, 2, 3), {"mod-1-die": "1", "mod-1-face": "2"}, ()),
        ("lucky", (1, 2, 3), {"mod-1-die": "1", "mod-1-keep": "new"}, (2,)),
        ("lucky", (1, 2, 4), {"mod-1-die": "1", "mod-1-keep": "old"}, (5,)),
    ],
)
def test_each_other_exploration_skill_makes_a_seven_of_these_dice(skill, faces, choices, rolled):
    force = wardens(exploration_skills=(skill,))
    assert explored(force, faces, {"mod-1": skill, "mod-2": "done", **choices}, rolled) == 7


def test_everybody_may_roll_one_die_again_and_the_winner_another():
    """Point `reroll-base`."""
    task = tasks("exploration", wardens(MAREK), game(1))["exploration"]
    assert [o.value for o in run(task, (1, 2, 4)).asked.options] == ["free", "done"]
    won = tasks("exploration", wardens(MAREK), game(1, won=True))["exploration"]
    assert [o.value for o in run(won, (1, 2, 4)).asked.options] == ["free", "winner", "done"]
    again = run(won, (1, 2, 4, 5), {"mod-1": "free", "mod-1-die": "1", "mod-2": "winner"}).asked
    assert [o.value for o in again.options] == ["2", "3"]


def test_treated_armour_negates_fire_gas_and_shrapnel_for_its_bearer_alone():
    worn = replace(KOLYA, kit=(ForceItem("a2", "standard-armour"),))
    kept = {"l1": {"id": "golgotha-tektites", "choices": {"link": ["ilse-standard-armour", "a2"]}}}
    force = wardens(ILSE, worn, MAREK, lasting=("golgotha-tektites",), state={"lasting": kept})
    facts = examine(content(), force).facts
    treated = {"NEGATE FIRE", "NEGATE GAS", "NEGATE SHRAPNEL"}
    assert treated <= {cause.name for cause in facts[0].keyword_causes}
    assert treated <= {cause.name for cause in facts[1].keyword_causes}
    assert not treated & {cause.name for cause in facts[2].keyword_causes}
