"""Every printed term is calculated, or stands on the closed list of what only the table can know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.content.overlays.states import newest_official
from rules.dice import TypedDice
from rules.fighters.kit import CarriedItem
from rules.force import ForceUpgrade
from rules.registry import system
from rules.trench_crusade.content import EDITIONS, GAME, content_of
from rules.trench_crusade.resolvers.arms import arms, bare
from rules.trench_crusade.resolvers.attack_situation import situation
from rules.trench_crusade.resolvers.rules import odds, resolve
from rules.trench_crusade.resolvers.weapon_lines import terms_of
from rules.trench_crusade.table_only import TABLES, table_terms
from tests.unit.rules.test_brings import BLOW, FIGHTER, NEW, OLD, SHOOTER, SHOT, TROOPER, YEOMAN, Who, force_of, strike

MOST_WORDS = 15
STATES = (*EDITIONS, "1.0 newest", "1.0 proposed")  # and the newest official state, and what is proposed for it
PROPOSED = tuple(
    f"tc-2026-04-{name}"
    for name in ("amalgam-strains", "court-hotfix", "grenades", "infiltrators", "iron-sultanate", "mercenaries")
)


def state(edition: str) -> Content:
    number, _, which = edition.partition(" ")
    return content_of(number, {"newest": newest_official(GAME, number), "proposed": PROPOSED}.get(which, ()))


@pytest.mark.parametrize("edition", STATES)
def test_what_the_odds_leave_out_is_on_the_closed_list(edition: str) -> None:
    pack = state(edition).pack
    listed = {entry.id for entry in pack.table_only}
    terms = list(table_terms(state(edition)))
    assert not [(term.id, term.words) for term in terms if term.known not in listed]
    assert listed == {term.known for term in terms}, "an entry that nothing needs"
    assert terms


@pytest.mark.parametrize("edition", STATES)
def test_the_closed_list_is_short(edition: str) -> None:
    pack = state(edition).pack
    words = [entry.words for entry in pack.table_only] + [term.words for term in table_terms(state(edition))]
    assert not [text for text in words if len(text.split()) > MOST_WORDS]


@pytest.mark.parametrize("edition", STATES)
def test_nothing_stands_on_the_list_that_leaves_nothing(edition: str) -> None:
    for table in TABLES:
        for entry in getattr(state(edition).pack, table):
            for effect in entry.effects:
                if isinstance(effect, v.ReminderEffect) and effect.table_only:
                    assert effect.rest, entry.id


@pytest.mark.parametrize("edition", STATES)
def test_every_printed_term_of_a_weapon_is_read_or_stands_on_the_list(edition: str) -> None:
    content = state(edition)
    for item in content.pack.items:
        if not item.weapon:
            continue
        left = terms_of(content, CarriedItem(item, -1, "", content.item_keywords[item.id], None)).left
        by_text = any(
            isinstance(effect, v.AttackEffect) or (isinstance(effect, v.ReminderEffect) and effect.table_only)
            for effect in item.effects
        )
        assert not left or by_text, (item.id, left)


# --- the terms that are calculated ---------------------------------------------------------------------------------------------


def armed(item: str, who: str = YEOMAN) -> Who:
    return Who(who, (item,))


# Edition, attacker, attack, target, switches by their words, and what the resolver is told.
GIVEN: list[tuple[str, Who, str, Who, Mapping[str, int], Mapping[str, Any]]] = [
    (NEW, armed("anti-tank-hammer"), "anti-tank-hammer:melee", TROOPER, {}, {"on_attacker": [{"number": 1, "kind": "blood", "when": "hit", "why": "Anti-Tank Hammer"}]}),
    (OLD, armed("anti-tank-hammer"), "anti-tank-hammer:melee", TROOPER, {}, {"on_attacker": [{"number": 1, "kind": "blood", "when": "hit", "why": "Anti-Tank Hammer"}]}),
    (NEW, armed("punt-gun"), "punt-gun:ranged", TROOPER, {"Overcharged": 1}, {"on_attacker": [{"number": 1, "kind": "blood", "when": "made", "why": "Punt Gun"}]}),
    (NEW, armed("punt-gun"), "punt-gun:ranged", TROOPER, {}, {"on_attacker": None}),
    (OLD, armed("coin-hammer"), "coin-hammer:melee", TROOPER, {}, {"on_attacker": [{"number": 1, "kind": "blessing", "when": "bled", "why": "Coin Hammer"}]}),
    (OLD, armed("gavel-of-justice"), "gavel-of-justice:melee", TROOPER, {}, {"more_blood": 2}),
    (OLD, armed("gavel-of-justice"), "gavel-of-justice:melee", Who(YEOMAN), {}, {"more_blood": 1}),
    (NEW, armed("viscera-cannon"), "viscera-cannon:ranged", TROOPER, {"BLOOD MARKERS taken": 3}, {"more_infection": 3}),
    (OLD, armed("viscera-cannon"), "viscera-cannon:ranged", TROOPER, {"BLOOD MARKERS taken": 2}, {"more_blood": 2}),
    (NEW, SHOOTER, SHOT, Who(TROOPER.profile, ("cruel-helmet",)), {"first Turn": 1}, {"more_blood": 1, "miss_marks": 1}),
    (OLD, SHOOTER, SHOT, Who(TROOPER.profile, ("cruel-helmet",)), {"first turn": 1}, {"more_blood": 1, "miss_marks": None}),
    (NEW, SHOOTER, SHOT, Who(TROOPER.profile, ("black-grail-shield",)), {"Critical Success": 1}, {"averted": True}),
    (NEW, Who(YEOMAN, ("bolt-action-rifle",), skills=("crooked-dice",)), SHOT, TROOPER, {"re-roll a miss": 1}, {"reroll_hit": True, "backfires": False}),
    (OLD, Who(YEOMAN, ("bolt-action-rifle",), skills=("crooked-dice",)), SHOT, TROOPER, {"below Out": 1}, {"reroll_below": "out-of-action"}),
    (OLD, Who("new-antioch.observer", ("bolt-action-rifle",)), SHOT, TROOPER, {"re-roll a miss": 1}, {"reroll_hit": True, "backfires": True}),
    (NEW, Who(YEOMAN, ("bolt-action-rifle", "piece-of-silver")), SHOT, TROOPER, {"a 6 set aside": 1}, {"hit_sixes": 1}),
    (NEW, SHOOTER, SHOT, Who(TROOPER.profile, ("the-mark-of-cain",)), {}, {"on_attacker": [{"number": 1, "kind": "blood", "when": "each marker", "why": "The Mark of Cain"}]}),
    (NEW, Who(YEOMAN, ("bolt-action-rifle",), skills=("point-blank",)), "bolt-action-rifle:melee", TROOPER, {}, {"by_ranged": True, "kind": "melee"}),
    (NEW, armed("shovel"), "shovel:melee", TROOPER, {}, {"off_hand": None}),
    (OLD, Who(YEOMAN, ("bolt-action-rifle",)), SHOT, TROOPER, {}, {"elevated": None}),
]  # fmt: skip


@pytest.mark.parametrize("case", GIVEN, ids=lambda case: f"{case[0]} {case[2]} {' '.join(case[4])}")
def test_a_term_reaches_the_resolver(case: Any) -> None:
    edition, mine, arm, theirs, switched, expected = case
    found = strike(edition, mine, arm, theirs, on=dict(switched))
    assert {name: found.given.get(name) for name in expected} == dict(expected), found.causes
    assert not [words for _, words in found.unreckoned if "counts once" not in words], found.unreckoned


# Edition, target, switches, and the field of the target that a text sets.
SAVED: list[tuple[str, Who, Mapping[str, int], str]] = [
    (NEW, Who(TROOPER.profile, ("henbrane",)), {}, "unmarked_minor_is_nothing"),
    (NEW, Who(TROOPER.profile, skills=("warriors-prayer",)), {"prayed": 1}, "fear"),
    (NEW, Who(TROOPER.profile, ("sonomatic-sculpture",)), {"moved 6": 1}, "fear"),
    (OLD, Who(TROOPER.profile, ("sacrificial-lamb",)), {}, "spares"),
    (NEW, Who(TROOPER.profile, skills=("sixth-sense",)), {}, "tough_to_nothing"),
    (NEW, Who(TROOPER.profile, upgrades=("too-proud-to-fall",)), {"paid for": 1}, "stays_up"),
    (OLD, Who(TROOPER.profile, upgrades=("too-proud-to-fall",)), {"paid for": 1}, "stays_up"),
]


@pytest.mark.parametrize("case", SAVED, ids=lambda case: f"{case[0]} {case[3]}")
def test_what_saves_the_target_reaches_the_resolver(case: Any) -> None:
    edition, theirs, switched, name = case
    assert strike(edition, FIGHTER, BLOW, theirs, on=dict(switched)).given["target"][name]
    assert not strike(edition, FIGHTER, BLOW, TROOPER).given["target"][name]


@pytest.mark.parametrize("edition", EDITIONS)
def test_piston_legs_do_nothing_to_a_large_base(edition: str) -> None:
    """Piston Legs of either edition: a base of 32 mm at most."""
    shrine = Who("trench-pilgrims.anchorite-shrine", ("piston-legs",))
    small = strike(edition, shrine, "natural-piston-legs:melee", TROOPER)
    large = strike(edition, shrine, "natural-piston-legs:melee", shrine)
    assert "averted" not in small.given
    assert odds(content_of(edition), "attack", large.given).outcomes == {"failure": 1}


@pytest.mark.parametrize("edition", EDITIONS)
def test_four_hits_of_beelzebubs_embrace_take_a_small_target_out(edition: str) -> None:
    bearer = Who("cult-of-the-black-grail.lord-of-tumours", ("beelzebubs-embrace",))
    found = strike(edition, bearer, "natural-beelzebubs-embrace:melee", Who(YEOMAN))
    attacks = found.given["attacks"]
    assert [bool(attack.get("all_hit_out")) for attack in attacks] == [False, False, False, True]
    plain = {"attacks": [{**attack, "all_hit_out": False} for attack in attacks]}
    content = content_of(edition)
    assert odds(content, "attack", found.given).outcomes["out-of-action"] > odds(content, "attack", plain).outcomes["out-of-action"]  # fmt: skip


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("item", ["satchel-charge", "infernal-bomb", "demonic-aura-grenade"])
def test_a_near_miss_of_a_scattering_blast_catches_its_target(edition: str, item: str) -> None:
    """A blast of 3″ that lands up to 3″ and half a base off; the total of the roll is then 4 or more."""
    plain = strike(edition, armed(item), f"{item}:ranged", TROOPER)
    near = strike(edition, armed(item), f"{item}:ranged", TROOPER, on={"near miss": 1})
    content = content_of(edition)
    missed = odds(content, "attack", near.given).outcomes["failure"]
    net = near.given["ranged"]
    falls = [sum(sorted(faces, reverse=net >= 0)[:2]) for faces in product(range(1, 7), repeat=2 + abs(net))]
    assert missed == Fraction(sum(total < 4 for total in falls), len(falls))
    assert odds(content, "attack", plain.given).outcomes["failure"] == Fraction(sum(x < 7 for x in falls), len(falls))
    assert near.given["in_blast"]["keywords"] is not None


def test_a_one_of_the_eye_of_god_puts_the_observer_down() -> None:
    """A miss is rolled again; a 1 among the new dice is a Failure. Source: Observer, either edition."""
    observer = Who("new-antioch.observer", ("bolt-action-rifle",))
    found = strike(NEW, observer, SHOT, TROOPER, on={"re-roll a miss": 1})
    dice = 2 + abs(found.given["ranged"] + sum(one["dice"] for one in found.given["modifiers"]))
    fell = (*[1] * dice, *[1] * dice)
    done = resolve(content_of(NEW), "attack", found.given, TypedDice(fell))
    assert done.outcome == "failure"
    assert done.effect("attacker_down")
    assert done.effect("activation_ends")
    assert done.summed("own_blood_markers") == 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_martyrdom_device_strikes_by_itself_and_harder_within_an_inch(edition: str) -> None:
    prisoner = Who("trench-pilgrims.ecclesiastic-prisoner", ("martyrdom-device",))
    key = "natural-martyrdom-device:ranged"
    assert key in {arm.key for arm in arms(content_of(edition), force_of(edition, prisoner), "1")}
    near = strike(edition, prisoner, key, TROOPER, on={"within 1″": 1})
    assert sum(one["dice"] for one in near.given["injury_modifiers"]) == 1
    assert strike(edition, prisoner, key, TROOPER, on={"carries the device": 1}).given["base_dice"] == 4
    assert odds(content_of(edition), "attack", near.given).outcomes.get("failure", 0) == 0


def test_a_hellhound_of_another_house_breathes_gas() -> None:
    for edition in EDITIONS:
        content = content_of(edition)
        offer = next(offer for offer in content.pack.profile_offers if offer.profile == "hellhound")
        plain_force = force_of(edition, TROOPER)
        row = replace(plain_force.fighters[0], profile="hellhound", offer=offer.id, kit=())
        mine = replace(plain_force, fighters=(row,))
        arm = arms(content, mine, "1")[0].key
        target = (force_of(edition, Who(YEOMAN)), "1")
        plain = situation(content, (mine, "1"), arm, target, {})
        key = next(toggle.key for toggle in plain.toggles if "Black Grail" in toggle.words)
        turned = situation(content, (mine, "1"), arm, target, {key: 1})
        assert {"FIRE", "GAS"} & set(plain.given["keywords"]) == {"FIRE"}
        assert {"FIRE", "GAS"} & set(turned.given["keywords"]) == {"GAS"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_rider_of_a_palanquin_stands_higher_than_whoever_stands_on_the_ground(edition: str) -> None:
    rider = Who(YEOMAN, ("bolt-action-rifle", "tank-palanquin"))
    assert strike(edition, rider, SHOT, TROOPER).given["elevated"]
    assert "elevated" not in strike(edition, rider, SHOT, TROOPER, on={"stands as high": 1}).given


def test_elevation_helps_nobody_against_those_in_the_miasma() -> None:
    """Miasma of Pestilence of 1.6.3."""
    caster = Who(TROOPER.profile, upgrades=("miasma-of-pestilence",))
    assert "elevated" not in strike(OLD, SHOOTER, SHOT, caster, elevated=1).given
    assert strike(OLD, SHOOTER, SHOT, TROOPER, elevated=1).given["elevated"]


@pytest.mark.parametrize(
    ("edition", "item", "key", "words"),
    [
        (NEW, "armour-of-the-fly", "natural-armour-of-the-fly:melee", {"NO INJURY ROLL", "ONE BLOOD MARKER MORE"}),
        (OLD, "armour-of-the-fly", "natural-armour-of-the-fly:melee", {"NO INJURY ROLL", "ONE BLOOD MARKER MORE"}),
        (NEW, "geirr", "natural-geirr:melee", {"NO INJURY ROLL", "ONE BLOOD MARKER MORE"}),
        (NEW, "crook", "natural-crook:melee", {"NO INJURY ROLL", "NO MARKERS", "RISKY"}),
    ],
)
def test_a_second_way_of_attacking_stands_beside_the_first(edition: str, item: str, key: str, words: set[str]) -> None:
    found = strike(edition, Who(YEOMAN, (item,)), key, TROOPER)
    assert words <= set(found.given["keywords"])
    outcomes = odds(content_of(edition), "attack", found.given).outcomes
    assert not {name for name in ("minor-hit", "out-of-action") if outcomes.get(name)}


def test_what_hangs_on_the_attacker_is_told_with_its_odds() -> None:
    """Anti-Tank Hammer: each hit marks its wielder."""
    found = strike(OLD, armed("anti-tank-hammer"), "anti-tank-hammer:melee", TROOPER)
    worked_out = odds(content_of(OLD), "attack", found.given)
    assert worked_out.own[1] == 1 - worked_out.outcomes["failure"]
    assert any("BLOOD MARKER on me for a hit" in cause for cause in found.causes)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_closed_list_stands_in_the_rules_browser(edition: str) -> None:
    content = content_of(edition)
    detail = system("trench-crusade").rulebook.entry(content, "table", "table-only")
    assert {table.caption for table in detail.tables} == {entry.words for entry in content.pack.table_only}
    shown = sum(len(table.rows) for table in detail.tables)
    assert shown == len(list(table_terms(content)))


def test_markers_that_no_injury_roll_takes_do_not_stop_a_near_miss() -> None:
    """A MURAD Bombard of 1.0: who is in its blast goes Down without a roll, so nothing is spent there."""
    murad = armed("murad-bombard")
    told = {"near miss": 1, "Markers spent on the target": 2}
    found = strike(NEW, murad, "murad-bombard:ranged", TROOPER, on=told)
    assert sum(odds(content_of(NEW), "attack", found.given).outcomes.values()) == 1


def test_attacks_of_proposed_texts_are_on_offer() -> None:
    content = state("1.0 proposed")
    thrall = bare(content, "grail-thrall", "cult-of-the-black-grail")
    row = replace(thrall.fighters[0], upgrades=(ForceUpgrade("u", "bolgias-gut"),))
    assert "natural-bolgias-gut:ranged" in {arm.key for arm in arms(content, replace(thrall, fighters=(row,)), "1")}
    warlock = bare(content, "goetic-warlock", "heretic-legion")
    assert "natural-necrotic-gaze:ranged" in {arm.key for arm in arms(content, warlock, "1")}
