"""What one fighter may be and carry: each word of the vocabulary that bears on a single fighter, on an invented pack."""

from __future__ import annotations

import pytest

from rules.force import ForceItem
from rules.price import Price
from tests.unit.rules.weir import codes, content, fighter, verdict, warband


def test_a_plain_warband_is_legal() -> None:
    answer = verdict(warband(fighter("ottla"), fighter("bert", "spear", "mail", "helmet")))
    assert answer.legal
    assert answer.rating == Price(ducats=50 + 25 + 25 + 15 + 5)


@pytest.mark.parametrize(
    ("kit", "code"),
    [
        (("mail", "diving-suit"), "slot-armour"),
        (("shield", "found:pavise"), "slot-shield"),
        (("helmet", "mask"), "slot-headgear"),
        (("keg", "bombs"), "slot-grenade"),
        (("whistle", "found:whistle"), "slot-instrument"),
        (("banner", "found:banner"), "slot-standard"),
        (("rope", "rope"), "duplicate"),
        (("leech", "leech", "leech"), "duplicate"),
        (("keg", "mortar"), "heavy"),
        (("plate",), "only-for"),
        (("pavise",), "needs"),
        (("found:trident", "trident"), "not-offered"),
        (("tinker-tool",), "third-party"),
    ],
)
def test_kit_that_breaks_one_rule(kit: tuple[str, ...], code: str) -> None:
    assert code in codes(warband(fighter("ottla", "spear", *kit)))


@pytest.mark.parametrize(
    "kit",
    [
        ("sword", "sword"),
        ("maul",),
        ("spike", "sword", "sword"),
        ("keg",),
        ("leech", "leech"),
        ("found:trident",),
        ("shield", "sword", "blunderbuss"),
        ("diving-suit", "pavise", "sword", "blunderbuss"),
    ],
)
def test_kit_within_the_rules(kit: tuple[str, ...]) -> None:
    assert codes(warband(fighter("ottla", "spear", *kit))) == []


def test_a_suit_that_counts_as_another_satisfies_what_asks_for_it_but_is_no_second_one() -> None:
    assert codes(warband(fighter("ottla", "spear", "diving-suit", "pavise", "blunderbuss"))) == []
    assert "needs" in codes(warband(fighter("ottla", "spear", "mail", "pavise", "blunderbuss")))


def test_the_piece_to_part_with_is_one_that_frees_hands_enough() -> None:
    def mend(*kit: str) -> str:
        return next(p.mend for p in verdict(warband(fighter("a", "squire", *kit))).problems if p.code == "hands")

    assert mend("pistol", "rifle", "pistol") == "Stash Rifle or swap it for something lighter."
    assert (
        mend("rifle", "rifle", "pistol") == "Stash Pistol / Revolver or swap it for something lighter."
    )  # none is enough alone
    assert mend("rifle", "blunderbuss", "shield") == "Stash Rifle or swap it for something lighter."


@pytest.mark.parametrize(
    ("profile", "kit", "sides"),
    [
        ("spear", ("pistol", "pistol"), []),  # the rifle was swapped for them
        ("spear", ("pistol", "pistol", "pistol"), ["hands-ranged"]),
        ("spear", ("found:rifle", "pistol"), ["hands-ranged"]),
        ("squire", ("sword", "sword", "sword"), ["hands-melee"]),
        ("squire", ("maul", "sword"), ["hands-melee"]),
        ("squire", ("rifle", "shield"), ["hands-ranged"]),
        ("squire", ("blunderbuss", "shield"), []),
        ("squire", ("pike", "shield"), []),
        ("squire", ("whistle", "banner", "sword"), ["hands-melee"]),
        ("monk", ("maul", "sword"), []),  # STRONG holds the maul in one hand
        ("monk", ("pike", "sword"), ["hands-melee"]),  # but nothing CUMBERSOME
        ("monk", ("cannon",), []),
        ("octopus", ("maul", "maul", "rifle", "rifle", "shield"), []),
        ("octopus", ("maul", "maul", "rifle", "rifle", "sword", "sword", "sword"), ["hands-"]),
        ("crab", ("sword", "sword", "sword"), []),
        ("crab", ("pistol",), ["hands-ranged"]),
    ],
)
def test_hands_are_counted_apart_for_shooting_and_melee(profile: str, kit: tuple[str, ...], sides: list[str]) -> None:
    from rules.legality.roster import roster_findings
    from rules.legality.roster_state import examine

    exam = examine(content(), warband(fighter("ottla", profile, *kit), fighter("book", "scholar")))
    assert [p.finding.subject for p in roster_findings(exam) if p.finding.code == "hands"] == sides


def test_shields_take_no_hand_under_the_other_reading() -> None:
    force = warband(fighter("ottla", "spear", "found:shield"))
    assert codes(force) == ["hands"]
    assert codes(force, content(readings={"shields_cost_hands": False})) == []


def test_a_lost_arm_takes_a_hand_of_both_kinds() -> None:
    view = verdict(warband(fighter("ottla", "spear", traumas=("lost-arm",)))).views["ottla"]
    assert view.hands_ranged == (2, 1)
    assert view.hands_melee == (0, 1)
    assert codes(warband(fighter("ottla", "spear", traumas=("lost-arm",)))) == ["hands"]


def test_the_entry_may_change_the_hands() -> None:
    view = verdict(warband(fighter("brother", "monk", "cannon"))).views["brother"]
    assert view.hands_ranged == (1, 2)


def test_an_item_may_lose_its_keyword_on_a_fighter() -> None:
    """Kegs are HEAVY for all but those with the sure hand."""
    plain = fighter("reeve", "reeve", "keg", "mortar")
    sure = fighter("reeve", "reeve", "keg", "mortar", choices={"gift": "sure-hand"})
    assert codes(warband(plain, led=False)) == ["heavy"]
    assert codes(warband(sure, led=False)) == []


def test_a_ban_gives_way_to_what_is_allowed_and_a_veto_to_nothing() -> None:
    assert codes(warband(fighter("brother", "monk", "pistol"))) == ["banned"]
    assert codes(warband(fighter("brother", "monk", "cannon"))) == []
    assert codes(warband(fighter("brother", "monk", "bombs"))) == ["banned"]


def test_dear_kit_is_banned_by_its_price() -> None:
    others = [fighter(f"s{n}") for n in range(3)]
    assert codes(warband(*others, fighter("thrall", "thrall", "sword"))) == []
    assert codes(warband(*others, fighter("thrall", "thrall", "sword", "mail"))) == ["banned"]


def test_whoever_must_carry_a_weapon_and_has_none_is_told() -> None:
    others = [fighter(f"s{n}") for n in range(3)]
    problems = verdict(warband(*others, fighter("thrall", "thrall"))).problems
    assert [p.code for p in problems] == ["needs"]
    assert problems[0].fighter == "Thrall"
    assert problems[0].fighter_key == "thrall"
    assert "a weapon" in problems[0].message


def test_copies_on_one_fighter_are_bounded() -> None:
    assert codes(warband(fighter("brother", "monk", "sword", "sword", "sword"))) == ["hands", "model-limit"]


def test_fixed_kit_takes_nothing_but_listing_it_is_allowed() -> None:
    force = warband(fighter("old", "old-spear", "sword"), list="drowned", choices={"creed": "mire"})
    assert codes(force) == []
    assert verdict(force).rating == Price(ducats=50 + 35)
    assert codes(warband(fighter("old", "old-spear", "rope"), list="drowned", choices={"creed": "mire"})) == [
        "fixed-kit"
    ]


def test_a_mercenary_keeps_its_kit_unless_it_may_buy() -> None:
    assert codes(warband(fighter("ferry", "ferryman"))) == []
    assert codes(warband(fighter("ferry", "ferryman", "rope"))) == ["fixed-kit"]
    assert codes(warband(fighter("barge", "bargee", "sword"))) == []
    assert codes(warband(fighter("barge", "bargee", "maul"))) == ["banned"]


def test_a_loadout_is_the_one_that_is_listed_or_chosen() -> None:
    listed = verdict(warband(fighter("ferry", "ferryman", "pistol"))).views["ferry"]
    assert [i.item for i in listed.kit] == ["pistol", "helmet"]
    chosen = verdict(warband(fighter("ferry", "ferryman", choices={"loadout-ferryman-kit": "0"}))).views["ferry"]
    assert sorted(i.item for i in chosen.kit) == ["helmet", "shield", "sword"]


def test_swappable_kit_is_implied_credited_when_swapped_and_never_charged_twice() -> None:
    assert verdict(warband(fighter("a"))).rating == Price(ducats=75)
    assert verdict(warband(fighter("a", "spear", "rifle"))).rating == Price(ducats=75)
    assert verdict(warband(fighter("a", "spear", "pistol"))).rating == Price(ducats=75 - 5 + 6)
    assert verdict(warband(fighter("a", "spear", "keg"))).rating == Price(
        ducats=75 + 15
    )  # a grenade takes no rifle's place


def test_rows_say_themselves_whether_swappable_kit_is_there() -> None:
    bare = fighter("a", "spear")
    armed = fighter("b", "spear", "mandatory:rifle")
    reeve = fighter("reeve", "reeve", choices={"gift": "speech"})
    force = warband(reeve, bare, armed, led=False, strongbox=Price(), founding=False)
    answer = verdict(force)
    assert [i.item for i in answer.views["a"].kit] == []
    assert [i.key for i in answer.views["b"].kit] == ["b-0"]
    assert answer.rating == Price(ducats=50 + 20 + 25)
    assert [(p.code, p.fighter) for p in answer.problems] == [("needs", "A")]


def test_kit_that_never_came_with_a_fighter_is_not_mandatory() -> None:
    assert codes(warband(fighter("a", "squire", "mandatory:maul"), fighter("book", "scholar"))) == ["not-offered"]


def test_what_is_found_passes_the_limits_of_money_and_list_but_not_those_of_the_body() -> None:
    answer = verdict(warband(fighter("a", "spear", "found:trident", "found:mail", "found:diving-suit")))
    assert [p.code for p in answer.problems] == ["slot-armour"]
    assert answer.rating == Price(ducats=75 + 9 + 15 + 25)


# --- upgrades


def test_an_upgrade_is_for_whom_it_is_for() -> None:
    assert codes(warband(fighter("a", "spear", upgrades=("scout",)))) == []
    assert codes(warband(fighter("a", "crab", upgrades=("scout",)))) == ["only-for"]


def test_upgrades_exclude_each_other_from_both_sides() -> None:
    for order in (("scout", "veteran/veteran-eye"), ("veteran/veteran-eye", "scout")):
        assert codes(warband(fighter("a", "spear", upgrades=order), fighter("b"))) == ["excludes"]


def test_an_exclusion_may_be_waived() -> None:
    keen = fighter("a", "spear", upgrades=("scout", "veteran/veteran-eye", "sworn", "fury"))
    assert codes(warband(keen, fighter("b"))) == []


def test_an_upgrade_is_taken_in_one_of_its_ways() -> None:
    assert codes(warband(fighter("a", "spear", upgrades=("veteran",)), fighter("b"))) == []
    assert "option" in codes(warband(fighter("a", "spear", upgrades=("veteran/scout",)), fighter("b")))
    view = verdict(warband(fighter("a", "spear", upgrades=("veteran/veteran-eye",)), fighter("b"))).views["a"]
    assert view.stats["ranged"].value == 1
    assert view.stats["ranged"].causes == ("Keen Veteran +1",)


def test_an_upgrade_may_ask_for_another_one() -> None:
    assert codes(warband(fighter("a", "spear", upgrades=("fury",)))) == ["needs"]
    assert codes(warband(fighter("a", "spear", upgrades=("sworn", "fury")))) == []
    assert codes(warband(fighter("reeve", "reeve", upgrades=("fury",)), led=False)) == []


def test_an_upgrade_is_taken_once() -> None:
    assert "duplicate" in codes(warband(fighter("a", "spear", upgrades=("sworn", "sworn"))))


def test_special_upgrades_need_an_allowance_and_keep_to_a_budget() -> None:
    assert codes(warband(fighter("a", "scholar", upgrades=("first-song",)))) == []
    assert codes(warband(fighter("a", "spear", upgrades=("first-song",)))) == ["model-limit"]
    assert codes(warband(fighter("a", "spear", "tome", upgrades=("first-song",)))) == []
    two = fighter("a", "scholar", "tome", upgrades=("first-song", "second-song"))
    assert codes(warband(two)) == ["upgrade-budget"]


def test_the_first_ducats_of_upgrades_may_be_free() -> None:
    plain = verdict(warband(fighter("a", "scholar"))).rating
    sung = verdict(warband(fighter("a", "scholar", upgrades=("second-song",)))).rating
    assert sung.ducats - plain.ducats == 15 - 5


def test_an_upgrade_may_swap_kit() -> None:
    guard = fighter("g", "guard", upgrades=("plated",))
    answer = verdict(warband(guard, fighter("a"), fighter("b")))
    assert [i.item for i in answer.views["g"].kit] == ["plate"]
    assert answer.views["g"].stats["armour"].value == -2
    assert answer.views["g"].stats["base"].value == 40
    assert answer.legal


def test_an_upgrade_may_turn_a_fighter_into_another() -> None:
    buried = fighter("s", "squire", upgrades=("buried",))
    answer = verdict(warband(buried, fighter("book", "scholar")))
    assert answer.legal
    view = answer.views["s"]
    assert (view.profile, view.stats["armour"].value) == ("mine", -3)
    assert view.rating == Price(ducats=55)
    row = fighter("s", "mine", upgrades=("buried",), offer="w-squire")
    assert verdict(warband(row, fighter("book", "scholar"))).views["s"].rating == Price(ducats=55)
    assert codes(warband(row, fighter("book", "scholar"))) == []


def test_a_piece_nobody_knows_is_told() -> None:
    lost = fighter("a")
    lost = type(lost)("a", "A", "spear", kit=(ForceItem("x", "moonbeam"),))
    assert codes(warband(lost)) == ["unknown-name"]
