"""The Cult of the Black Grail in both editions: its nobles, the Amalgam's arms, the Dirge and The Great Hunger, and what it finds."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from rules.checker import check
from rules.consequences import GainsItem, Joins, Leaves
from rules.force import Battles, Force, ForceItem
from rules.parts.post_battle import Aftermath, BattleSide, StepRecord
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system
from rules.trench_crusade import post_battle
from tests.unit.rules import evening, evening_1_0
from tests.unit.rules.evening import leaves, settle
from tests.unit.rules.test_post_battle_exploration import pick

GAME = system("trench-crusade")
BOTH = ("1.6.3", "1.0")
ALLOWED: dict[str, Any] = {"third_party": True}
OPEN = {edition: GAME.content(edition, house_rules=ALLOWED) for edition in BOTH}
SHUT = {edition: GAME.content(edition) for edition in BOTH}
CULT, DIRGE, HUNGER = "cult-of-the-black-grail", "dirge-of-the-great-hegemon", "great-hunger"
INCOME = {"1.6.3": "experience", "1.0": "promotions"}
RICH = {"ducats": 3000, "glory": 50}

# what the same piece is called in the other edition
NAMES = {
    "1.6.3": {"sword": "Sword / Axe", "knife": "Knife / Dagger", "great": "Greatsword / Greataxe", "maul": "Double-Handed Blunt Weapon"},
    "1.0": {"sword": "Sword/Axe", "knife": "Trench Knife", "great": "Great Sword/Axe", "maul": "Great Hammer/Maul"},
}  # fmt: skip


def row(profile: str, *kit: Any, upgrades: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {"profile": profile, "kit": list(kit), "upgrades": list(upgrades), **more}


KNIGHT = row("Plague Knight", "Standard Armour")
LORD = row("Lord of Tumours")
EXECUTOR = row("Executor", "Standard Armour")
HAG = row("Matagot Hag")
LEADERS = {CULT: LORD, DIRGE: EXECUTOR, HUNGER: HAG}


def paper(
    edition: str, list_id: str, *fighters: dict[str, Any], led: bool = True, allowed: bool = True, **more: Any
) -> dict[str, Any]:
    everybody = (LEADERS[list_id], *fighters) if led else fighters
    named = [
        {
            "name": f"{f['profile']} {n}",
            **f,
            "kit": [NAMES[edition].get(k, k) if isinstance(k, str) else k for k in f["kit"]],
        }
        for n, f in enumerate(everybody, 1)
    ]
    document = {
        "game": "trench-crusade", "edition": edition, "faction": "Black Grail", "variant": None if list_id == CULT else list_id,
        "budget": RICH, "fighters": named, **more,
    }  # fmt: skip
    return {**document, "house_rules": ALLOWED} if allowed else document


def judged(document: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = GAME.documents.judge(json.loads(json.dumps(document)))
    return answer


def codes(edition: str, list_id: str, *fighters: dict[str, Any], **more: Any) -> list[str]:
    return sorted(p["code"] for p in judged(paper(edition, list_id, *fighters, **more))["problems"])


def force_of(edition: str, list_id: str, *fighters: dict[str, Any], **more: Any) -> Force:
    force, problems = GAME.documents.read_document(paper(edition, list_id, *fighters, **more))
    assert not problems
    return force


# --- what there is


@pytest.mark.parametrize(
    ("edition", "list_id", "profiles", "items", "ducats", "glory"),
    [
        ("1.6.3", CULT, 11, 39, 467, 41), ("1.6.3", DIRGE, 9, 39, 437, 41), ("1.6.3", HUNGER, 12, 32, 288, 43),
        ("1.0", CULT, 11, 43, 477, 48), ("1.0", DIRGE, 9, 42, 442, 48), ("1.0", HUNGER, 10, 37, 336, 53),
    ],
)  # fmt: skip
def test_how_much_a_list_offers(edition: str, list_id: str, profiles: int, items: int, ducats: int, glory: int) -> None:
    army = OPEN[edition].lists[list_id]
    assert (len(army.profile_offers), len(army.item_offers)) == (profiles, items)
    assert sum(o.price.ducats for o in army.item_offers) == ducats
    assert sum(o.price.glory for o in army.item_offers) == glory
    hired = {o.profile: o.price for o in army.profile_offers if o.hired_as == "mercenary"}
    assert hired == {"scripture-guardian": Price(glory=7), "sin-eater": Price(glory=6)}
    assert set(army.army.patrons) == {"order-of-the-fly", "antipope-of-avignon"}
    assert all(len(OPEN[edition].patrons[p].skills) == 6 for p in army.army.patrons)


@pytest.mark.parametrize("edition", BOTH)
def test_what_the_lists_are_founded_with(edition: str) -> None:
    one_off = Price(900, 8) if edition == "1.6.3" else Price(800, 6)
    for list_id in LEADERS:
        assert GAME.founding.start(OPEN[edition], list_id, "campaign") == (Price(ducats=700), ())
        assert GAME.founding.start(OPEN[edition], list_id, "one-off")[0] == one_off


@pytest.mark.parametrize("edition", BOTH)
def test_samples_spend_their_money(edition: str) -> None:
    ours = {s[0]: s[2] for s in GAME.founding.samples(OPEN[edition]) if s[2] in LEADERS}
    assert ours == {"rotten-crown": CULT, "six-armed-hunger": CULT, "nine-lamentations": DIRGE, "open-mouth": HUNGER}
    for sample in ours:
        answer = judged(GAME.founding.sample(OPEN[edition], sample))
        assert (answer["legal"], 0 <= answer["left"]["ducats"] <= 10) == (True, True), sample


def test_the_great_hunger_is_a_third_partys_in_the_playtest_only() -> None:
    assert [p["code"] for p in judged(paper("1.6.3", HUNGER, allowed=False))["problems"]] == ["third-party"]
    with pytest.raises(Refusal, match="third party"):
        GAME.founding.start(SHUT["1.6.3"], HUNGER, "campaign")
    assert judged(paper("1.0", HUNGER, allowed=False))["legal"]


@pytest.mark.parametrize(
    ("edition", "list_id", "name", "profile"),
    [
        ("1.6.3", CULT, "Grail Thrall", "grail-thrall"), ("1.6.3", HUNGER, "Grail Thrall", "hungry-grail-thrall"),
        ("1.6.3", HUNGER, "Fly Thrall", "hungry-fly-thrall"), ("1.0", DIRGE, "Winged Bereaved", "fly-bereaved"),
        ("1.0", CULT, "Winged Thrall", "fly-thrall"), ("1.0", HUNGER, "Desiccated Husks", "desiccated-husk"),
    ],
)  # fmt: skip
def test_a_name_means_the_profile_of_the_own_list(edition: str, list_id: str, name: str, profile: str) -> None:
    assert OPEN[edition].resolve("profile", name, list_id) == profile


# --- the nobles


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("lords", "knights", "found"),
    [
        (0, 1, []), (0, 3, []), (1, 0, []), (1, 2, []), (0, 0, ["no-leader"]), (0, 4, ["group-cap", "too-many"]),
        (1, 3, ["group-cap", "too-many"]), (2, 0, ["too-many"]),
    ],
)  # fmt: skip
def test_a_lord_with_two_knights_or_three_knights(edition: str, lords: int, knights: int, found: list[str]) -> None:
    guard = row("Corpse Guard")
    assert codes(edition, CULT, *[LORD] * lords, *[KNIGHT] * knights, guard, led=False) == found


@pytest.mark.parametrize("edition", BOTH)
def test_a_knight_that_leads_has_leader(edition: str) -> None:
    views = list(GAME.views(OPEN[edition], force_of(edition, CULT, KNIGHT, KNIGHT, led=False)).values())
    assert [v.has("LEADER") for v in views] == [True, False]


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize("armour", ["Standard Armour", "Reinforced Armour"])
def test_no_knight_without_armour(edition: str, armour: str) -> None:
    assert codes(edition, CULT, row("Plague Knight", armour)) == []
    assert codes(edition, CULT, row("Plague Knight", "Trench Shield")) == ["needs"]


@pytest.mark.parametrize("edition", BOTH)
def test_one_rank_for_each_knight(edition: str) -> None:
    almoner = row("Plague Knight", "Standard Armour", upgrades=("Plague Almoner",))
    assert codes(edition, CULT, almoner, almoner) == []
    both = row("Plague Knight", "Standard Armour", upgrades=("Plague Almoner", "Melee Knight"))
    assert codes(edition, CULT, both) == ["excludes", "model-limit"]
    assert codes(edition, CULT, row("Corpse Guard", upgrades=("Plague Almoner",))) == ["model-limit", "only-for"]


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(("rank", "ranged", "melee"), [("Ranged Knight", 1, 2), ("Melee Knight", 0, 3)])
def test_a_companion_chooses_what_rises(edition: str, rank: str, ranged: int, melee: int) -> None:
    force = force_of(edition, CULT, row("Plague Knight", "Standard Armour", upgrades=(rank,)), led=False)
    (view,) = GAME.views(OPEN[edition], force).values()
    assert (view.stats["ranged"].value, view.stats["melee"].value) == (ranged, melee)


CROSS = ("Knight of the Rotten Cross",)


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("kit", "ranks", "found"),
    [
        (("Automatic Rifle",), CROSS, []), (("Hellblade",), CROSS, []), (("Machine Gun",), CROSS, []),
        (("Automatic Rifle", "great"), CROSS, []),
        (("Automatic Rifle",), (), ["not-offered"]), (("Machine Gun",), (), ["only-for"]),
        (("Automatic Pistol", "Hellblade"), CROSS, ["not-offered"]), (("Medi-Kit",), CROSS, ["not-offered"]),
        (("Satchel Charge",), CROSS, []), (("Tartarus Claws",), CROSS, ["not-offered"]),
    ],
)  # fmt: skip
def test_the_rotten_cross_buys_one_foreign_weapon(
    edition: str, kit: tuple[str, ...], ranks: tuple[str, ...], found: list[str]
) -> None:
    assert codes(edition, CULT, row("Plague Knight", "Standard Armour", *kit, upgrades=ranks)) == found


@pytest.mark.parametrize("edition", BOTH)
def test_a_stolen_weapon_stays_with_its_knight(edition: str) -> None:
    knight = row("Plague Knight", "Standard Armour", "Automatic Rifle", upgrades=CROSS)
    camp = replace(force_of(edition, CULT, knight), founding=False, strongbox=Price(100))
    bearer = camp.fighters[1]
    keys = {i.item: i.key for i in bearer.kit}
    assert "stays with its first owner" in GAME.shop.carry(OPEN[edition], camp, keys["automatic-rifle"], "").reason
    assert GAME.shop.carry(OPEN[edition], camp, keys["standard-armour"], "").state == "open"


@pytest.mark.parametrize(("edition", "found"), [("1.6.3", []), ("1.0", ["warband-limit"])])
def test_only_1_0_limits_the_rotten_cross(edition: str, found: list[str]) -> None:
    crossed = row("Plague Knight", "Standard Armour", upgrades=CROSS)
    assert codes(edition, CULT, crossed, crossed) == found


# --- the Amalgam

ONE_HANDED = ("sword", "sword", "Trench Club", "Trench Club", "knife", "knife")


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("kit", "found"),
    [
        (ONE_HANDED, []), ((*ONE_HANDED, "Pistol"), ["hands"]),
        ((*ONE_HANDED[:5], "Trench Shield"), []), ((*ONE_HANDED, "Trench Shield"), ["hands"]),
        (("Bolt-Action Rifle", "Bolt-Action Rifle", "Bayonet", "Bayonet", "sword", "sword"), []),  # a developer answer, Q11.3
        (("sword", "sword", "sword"), ["model-limit"]),
        (("Machine Gun", "great", *ONE_HANDED[:4]), []), (("Machine Gun", "great", *ONE_HANDED[:5]), ["hands"]),
        (("Bolt-Action Rifle", "Bolt-Action Rifle", "Shotgun"), []),
        (("Musket", "Musket", "Shotgun", "Shotgun", "Bolt-Action Rifle"), ["hands"]),
        (("Gas Grenades",), ["banned"]), (("Parasite Grenades",), ["banned"]), (("Combat Helmet",), ["banned"]),
        (("Standard Armour",), ["banned"]), (("Black Grail Shield",), ["only-for"]), (("Plague Blade",), ["only-for"]),
        (("Machine Gun", "Machine Gun"), ["warband-limit"]),
        (("Putrid Shotgun", "Trench Shield", *ONE_HANDED[:3]), []),
    ],
)  # fmt: skip
def test_six_arms_are_one_pool(edition: str, kit: tuple[str, ...], found: list[str]) -> None:
    assert codes(edition, CULT, row("Amalgam", *kit)) == found


@pytest.mark.parametrize(
    ("edition", "kit", "found"),
    [
        ("1.6.3", ("Musket", "Musket", "Shotgun", "Shotgun"), []),  # any two of them are held in one arm each
        ("1.0", ("Musket", "Musket", "Shotgun", "Shotgun"), ["hands"]),  # here HEAVY ones alone are
        ("1.0", ("great", "great", "maul", "maul"), []), ("1.0", ("great", "great", "maul", "maul", "Pistol"), ["hands"]),
        ("1.0", ("Machine Gun", "great", "great"), []), ("1.6.3", ("Machine Gun", "great", "great"), ["model-limit"]),
        ("1.6.3", ("Machine Gun", "great"), []),
    ],
)  # fmt: skip
def test_what_an_arm_holds_differs(edition: str, kit: tuple[str, ...], found: list[str]) -> None:
    assert codes(edition, CULT, row("Amalgam", *kit)) == found


@pytest.mark.parametrize("edition", BOTH)
def test_an_amalgams_shield_takes_an_arm_beside_shield_combo(edition: str) -> None:
    force = force_of(edition, CULT, row("Amalgam", "Putrid Shotgun", "Trench Shield"))
    used = [v.hands_ranged for v in GAME.views(OPEN[edition], force).values() if v.profile == "amalgam"]
    assert used == [(2, 6)] if edition == "1.6.3" else [(3, 6)]


# --- who has what

SHARED_KIT: list[tuple[str, tuple[str, ...], list[str]]] = [
    ("Grail Thrall", (), []), ("Grail Thrall", ("Pistol",), ["fixed-kit"]), ("Fly Thrall", ("knife",), ["fixed-kit"]),
    ("Hound of the Black Grail", ("Combat Helmet",), ["fixed-kit"]),
    ("Herald of Beelzebub", ("Infested Rifle", "Compound Eyes Helmet"), []), ("Herald of Beelzebub", ("sword",), ["banned"]),
    ("Herald of Beelzebub", ("Standard Armour",), ["banned"]), ("Herald of Beelzebub", ("Combat Helmet",), ["banned"]),
    ("Herald of Beelzebub", ("Viscera Cannon",), ["only-for"]),
    ("Corpse Guard", ("Viscera Cannon",), []), ("Corpse Guard", ("Machine Gun",), ["only-for"]),
    ("Corpse Guard", ("Plague Blade", "Black Grail Shield", "Reinforced Armour", "Parasite Grenades"), []),
    ("Corpse Guard", ("Parasite Grenades", "Gas Grenades"), ["slot-grenade"]),
    ("Corpse Guard", ("Putrid Shotgun", "Black Grail Shield"), []), ("Corpse Guard", ("Infested Rifle", "Black Grail Shield"), ["hands"]),
    ("Corpse Guard", ("Compound Eyes Helmet", "Combat Helmet"), ["slot-headgear"]),
    ("Corpse Guard", ("Bayonet",), ["only-for"]), ("Corpse Guard", ("Infested Rifle", "Bayonet"), []),
    ("Lord of Tumours", ("Broken Crown",), ["not-offered"]), ("Corpse Guard", ("Armour of the Fly",), ["not-offered"]),
]  # fmt: skip


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(("profile", "kit", "found"), SHARED_KIT)
def test_what_a_model_of_the_cult_may_have(edition: str, profile: str, kit: tuple[str, ...], found: list[str]) -> None:
    got = codes(edition, CULT, row(profile, *kit), led=profile != "Lord of Tumours")
    assert got == found


@pytest.mark.parametrize(
    ("edition", "profile", "kit", "found"),
    [
        ("1.6.3", "Herald of Beelzebub", ("Grail Devotee",), []),
        ("1.6.3", "Herald of Beelzebub", ("Grail Devotee", "Grail Devotee"), ["model-limit"]),
        ("1.0", "Herald of Beelzebub", ("Grail Devotee",), ["only-for"]),
        ("1.6.3", "Herald of Beelzebub", ("Gas Grenades",), []), ("1.0", "Herald of Beelzebub", ("Gas Grenades",), ["banned"]),
        ("1.6.3", "Corpse Guard", ("Grail Devotee", "Grail Devotee"), []),
        ("1.6.3", "Corpse Guard", ("Grail Devotee",) * 3, ["duplicate", "warband-limit"]),
        ("1.0", "Corpse Guard", ("Grail Devotee", "Grail Devotee"), ["duplicate"]),
        ("1.0", "Corpse Guard", ("Grail Devotee", "Second Grail Devotee"), []),
        ("1.0", "Corpse Guard", ("Second Grail Devotee",), ["only-for"]),
        ("1.6.3", "Corpse Guard", ("Trench Polearm",), ["only-for"]), ("1.0", "Corpse Guard", ("Polearm",), []),
        ("1.6.3", "Corpse Guard", ("Blunderbuss",), ["not-offered"]), ("1.0", "Corpse Guard", ("Blunderbuss",), []),
        ("1.6.3", "Corpse Guard", ("Unholy Relic",), []), ("1.0", "Corpse Guard", ("Unholy Relic",), ["only-for"]),
    ],
)  # fmt: skip
def test_what_only_one_edition_says(edition: str, profile: str, kit: tuple[str, ...], found: list[str]) -> None:
    got = codes(edition, CULT, row(profile, *kit))
    assert got == found


LIMITS: list[tuple[str, str, str, str, int]] = [
    (e, v, p, i, n)
    for e, v, p, i, n in [
        ("1.6.3", CULT, "Corpse Guard", "Plague Blade", 2), ("1.0", CULT, "Corpse Guard", "Plague Blade", 3),
        ("1.6.3", DIRGE, "Corpse Guard", "Plague Blade", 3), ("1.0", DIRGE, "Corpse Guard", "Plague Blade", 3),
        ("1.6.3", CULT, "Corpse Guard", "Viscera Cannon", 2), ("1.0", CULT, "Corpse Guard", "Viscera Cannon", 2),
        ("1.6.3", DIRGE, "Bereaved", "Viscera Cannon", 3), ("1.0", DIRGE, "Bereaved", "Viscera Cannon", 3),
        ("1.6.3", CULT, "Herald of Beelzebub", "Putrid Shotgun", 2), ("1.0", CULT, "Herald of Beelzebub", "Putrid Shotgun", 2),
        ("1.6.3", DIRGE, "Bereaved", "Putrid Shotgun", 3), ("1.0", DIRGE, "Bereaved", "Putrid Shotgun", 3),
        ("1.6.3", CULT, "Herald of Beelzebub", "Corruption Belcher", 2), ("1.0", CULT, "Herald of Beelzebub", "Corruption Belcher", 2),
        ("1.6.3", CULT, "Herald of Beelzebub", "Compound Eyes Helmet", 3), ("1.0", CULT, "Herald of Beelzebub", "Compound Eyes Helmet", 3),
        ("1.6.3", DIRGE, "Bereaved", "Musical Instrument", 1), ("1.0", DIRGE, "Bereaved", "Troop Flag", 1),
    ]
]  # fmt: skip


@pytest.mark.parametrize(("edition", "list_id", "profile", "item", "limit"), LIMITS)
def test_so_many_and_no_more(edition: str, list_id: str, profile: str, item: str, limit: int) -> None:
    rows = [{"item": item} for _ in range(limit + 1)]
    each = [row(profile, r["item"]) for r in rows]
    crowd = "too-many" if profile == "Corpse Guard" and limit == 3 else ""
    assert codes(edition, list_id, *each[:limit]) == []
    assert codes(edition, list_id, *each) == sorted(x for x in ("warband-limit", crowd) if x)


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("list_id", "profile", "most"),
    [
        (CULT, "Corpse Guard", 3), (CULT, "Amalgam", 1), (CULT, "Herald of Beelzebub", 4), (CULT, "Hound of the Black Grail", 3),
        (DIRGE, "Corpse Guard", 3), (DIRGE, "Herald of Beelzebub", 2), (DIRGE, "Hound of the Black Grail", 2), (DIRGE, "Sin Eater", 1),
        (HUNGER, "Desiccated Husk", 2), (HUNGER, "Gregori Gula", 2), (HUNGER, "Prowler", 3), (HUNGER, "Scripture Guardian", 1),
    ],
)  # fmt: skip
def test_how_many_of_a_profile(edition: str, list_id: str, profile: str, most: int) -> None:
    clubs = 2 if (edition, profile) == ("1.0", "Scripture Guardian") else 0
    armed = row(profile, *["Trench Club"] * clubs)
    assert codes(edition, list_id, *[armed] * most) == []
    assert codes(edition, list_id, *[armed] * (most + 1)) == ["too-many"]


@pytest.mark.parametrize("edition", BOTH)
def test_one_herald_buzzes(edition: str) -> None:
    buzzing = row("Herald of Beelzebub", upgrades=("Maddening Buzz",))
    assert codes(edition, CULT, buzzing, row("Herald of Beelzebub")) == []
    assert codes(edition, CULT, buzzing, buzzing) == ["warband-limit"]


@pytest.mark.parametrize("edition", BOTH)
def test_what_changes_a_model_shows_on_it(edition: str) -> None:
    helm = row("Corpse Guard", "Compound Eyes Helmet")
    fly = row("Corpse Guard", {"item": "Armour of the Fly", "origin": "found"})
    embraced = row("Corpse Guard", {"item": "Beelzebub's Embrace", "origin": "found"})
    views = list(GAME.views(OPEN[edition], force_of(edition, CULT, helm, fly, embraced)).values())[1:]
    assert views[0].stats["ranged"].value == 1
    assert (views[1].stats["movement"].value, views[1].movement, views[1].stats["armour"].value) == (8, "flying", -2)
    assert views[2].hands_melee == views[2].hands_ranged == (0, 0)
    armed = row("Corpse Guard", {"item": "Beelzebub's Embrace", "origin": "found"}, "sword")
    assert codes(edition, CULT, armed) == (["hands"] if edition == "1.6.3" else ["banned", "hands"])


# --- Dirge of the Great Hegemon


@pytest.mark.parametrize("edition", BOTH)
def test_an_executor_and_two_more_lamenters(edition: str) -> None:
    assert codes(edition, DIRGE, KNIGHT, KNIGHT) == []
    assert codes(edition, DIRGE, KNIGHT, KNIGHT, KNIGHT) == ["too-many"]
    assert codes(edition, DIRGE, KNIGHT, led=False) == ["no-leader"]
    assert codes(edition, DIRGE, row("Executor"), led=False) == ["needs"]
    views = list(GAME.views(OPEN[edition], force_of(edition, DIRGE)).values())
    assert (views[0].has("LEADER"), views[0].has("TOUGH"), views[0].stats["ranged"].value) == (True, True, 1)


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize("profile", ["Lord of Tumours", "Amalgam", "Prowler"])
def test_whom_the_dirge_leaves_out(edition: str, profile: str) -> None:
    assert codes(edition, DIRGE, row(profile)) == ["not-offered"]


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("kit", "found"),
    [
        (("Viscera Cannon",), []), (("Musket", "Gas Grenades"), []), (("Pistol", "Musical Instrument"), []), (("Troop Flag",), []),
        (("sword",), ["banned"]), (("Standard Armour",), ["banned"]), (("Combat Helmet",), ["banned"]), (("Musket", "Bayonet"), ["banned"]),
    ],
)  # fmt: skip
def test_what_the_bereaved_carry(edition: str, kit: tuple[str, ...], found: list[str]) -> None:
    assert codes(edition, DIRGE, row("Bereaved", *kit)) == found


@pytest.mark.parametrize(("edition", "found"), [("1.6.3", ["fixed-kit"]), ("1.0", [])])
def test_in_1_0_the_flying_bereaved_shoot_too(edition: str, found: list[str]) -> None:
    assert codes(edition, DIRGE, row("Fly Bereaved", "Musket")) == found


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize("item", ["Beelzebub's Axe", "Black Grail Shield"])
def test_the_dishonoured_carry_neither_even_when_found(edition: str, item: str) -> None:
    assert codes(edition, CULT, row("Corpse Guard", item)) == []
    assert codes(edition, DIRGE, row("Corpse Guard", item)) != []
    assert codes(edition, DIRGE, row("Corpse Guard", {"item": item, "origin": "found"})) != []


# --- The Great Hunger, 1.6.3


@pytest.mark.parametrize(("fighters", "found"), [((LORD,), []), ((HAG,), []), ((LORD, HAG), ["group-cap", "too-many"])])
def test_a_hag_or_a_lord_never_both(fighters: tuple[dict[str, Any], ...], found: list[str]) -> None:
    assert codes("1.6.3", HUNGER, *fighters, row("Grail Thrall"), led=False) == found


@pytest.mark.parametrize(
    ("cradle", "flying", "found"), [(3, 0, []), (1, 2, []), (2, 2, ["group-cap"]), (4, 0, ["group-cap"])]
)
def test_three_cradle_thralls_of_either_kind(cradle: int, flying: int, found: list[str]) -> None:
    people = [row("Cradle Thrall")] * cradle + [row("Cradle Fly Thrall")] * flying
    assert codes("1.6.3", HUNGER, *people) == found


@pytest.mark.parametrize("edition", BOTH)
def test_cradle_thralls_come_on_top_of_the_field_strength(edition: str) -> None:
    plain, cradle = ("Grail Thrall" if edition == "1.6.3" else "Ravenous"), "Cradle Thrall"

    def fielded(*people: dict[str, Any]) -> set[str]:
        force = replace(force_of(edition, HUNGER, *people), battles=Battles(1))
        content = OPEN[edition]
        return {p.code for p in check(content, replace(force, founding=False), scope="fielding").problems}

    limit = next(x.field_strength for x in OPEN[edition].pack.campaign.limits if x.battle == 2)  # type: ignore[union-attr]
    full = [row(plain)] * (limit - 1)
    assert "field-strength" not in fielded(*full)
    assert "field-strength" not in fielded(*full, row(cradle), row(cradle), row(cradle))
    assert "field-strength" in fielded(*full, row(plain))


@pytest.mark.parametrize(
    ("leader", "spells", "found"),
    [
        (HAG, ("Feral Hunger", "Mother's Call", "Vile Churning"), []),
        (HAG, ("Feral Hunger", "Mother's Call", "Vile Churning", "Vomitus"), ["model-limit"]),
        (LORD, ("Vomitus",), []), (LORD, ("Vomitus", "Feral Hunger"), ["model-limit"]), (LORD, ("Mother's Call",), ["only-for"]),
    ],
)  # fmt: skip
def test_arcana_by_rank(leader: dict[str, Any], spells: tuple[str, ...], found: list[str]) -> None:
    assert codes("1.6.3", HUNGER, {**leader, "upgrades": list(spells)}, row("Grail Thrall"), led=False) == found


def test_arcana_are_limited_and_the_lord_of_the_cult_has_none() -> None:
    gula = row("Gregori Gula", upgrades=("Vile Churning",))
    assert codes("1.6.3", HUNGER, gula, gula) == []
    assert codes("1.6.3", HUNGER, row("Matagot Hag", upgrades=("Vile Churning",)), gula, gula, led=False) == [
        "warband-limit"
    ]
    assert "not-offered" in codes("1.6.3", CULT, row("Lord of Tumours", upgrades=("Vomitus",)), led=False)


@pytest.mark.parametrize(
    ("profile", "kit", "upgrades", "found"),
    [
        ("Grail Thrall", ("Grasping Maw",), ("Unending Starvation",), []), ("Grail Thrall", ("Pistol",), (), ["not-offered"]),
        ("Grail Thrall", ("sword",), (), ["banned"]), ("Prowler", ("Grasping Maw",), ("Infectious Hound",), []),
        ("Prowler", ("Combat Helmet",), (), ["banned"]), ("Gregori Gula", ("Grasping Maw",), (), []),
        ("Gregori Gula", ("Grail Devotee",), (), ["only-for"]),
        ("Butcher Knight", ("Standard Armour", "sword"), ("Knight of Twin Cleavers",), []),
        ("Butcher Knight", ("sword",), (), ["needs"]), ("Butcher Knight", ("Standard Armour",), ("Plague Almoner",), ["not-offered"]),
        ("Butcher Knight", ("Standard Armour",), ("Butcher King", "Knight of Twin Cleavers"), ["excludes", "model-limit"]),
        ("Desiccated Husk", ("Black Spot Rifle", "Butcher Bayonet"), (), []), ("Desiccated Husk", ("Butcher Bayonet",), (), ["only-for"]),
        ("Desiccated Husk", ("Devouring Jaws",), (), []), ("Desiccated Husk", ("Blighted Claws",), (), ["only-for"]),
        ("Desiccated Husk", ("Viscera Cannon",), (), ["not-offered"]), ("Desiccated Husk", ("Compound Eyes Helmet",), (), ["not-offered"]),
        ("Desiccated Husk", ("Shotgun", "Parasite Grenades"), (), []),
    ],
)  # fmt: skip
def test_the_hunger_of_the_playtest(
    profile: str, kit: tuple[str, ...], upgrades: tuple[str, ...], found: list[str]
) -> None:
    got = codes("1.6.3", HUNGER, row(profile, *kit, upgrades=upgrades))
    assert got == found


@pytest.mark.parametrize(
    ("kit", "found"), [(("Blighted Claws", "Grail Devotee", "Devouring Jaws"), []), (("Combat Helmet",), ["banned"])]
)
def test_what_the_hag_carries(kit: tuple[str, ...], found: list[str]) -> None:
    assert codes("1.6.3", HUNGER, row("Matagot Hag", *kit), led=False) == found


def test_claws_sharpen_a_thrall() -> None:
    force = force_of("1.6.3", HUNGER, row("Grail Thrall", upgrades=("Unending Starvation",)))
    thrall = list(GAME.views(OPEN["1.6.3"], force).values())[1]
    assert (thrall.stats["melee"].value, thrall.stats["movement"].value) == (0, 6)
    assert [i.item for i in thrall.kit] == ["blighted-claws"]


# --- The Great Hunger, 1.0


@pytest.mark.parametrize(
    ("profile", "kit", "upgrades", "found"),
    [
        ("Ravenous", (), ("Hellfly Host", "Lockjaw Bite", "Papillal Hide"), []),
        ("Ravenous", (), ("Hellfly Host", "Lockjaw Bite", "Papillal Hide", "Rotten Cutters"), ["model-limit"]),
        ("Ravenous", ("Grasping Maw",), ("Hellfly Host", "Lockjaw Bite"), []),
        ("Ravenous", ("Grasping Maw",), ("Hellfly Host", "Lockjaw Bite", "Papillal Hide"), ["model-limit"]),
        ("Ravenous", ("Shotgun",), (), ["banned"]),
        ("Gregori Gula", ("Vomitus",), ("Lockjaw Bite",), []), ("Gregori Gula", ("Vomitus",), ("Rotten Cutters",), ["only-for"]),
        ("Gregori Gula", ("Vomitus", "Grasping Maw"), (), []), ("Gregori Gula", ("Grasping Maw",), ("Lockjaw Bite",), ["model-limit"]),
        ("Prowler", ("Grasping Maw",), (), []), ("Prowler", (), ("Papillal Hide",), ["model-limit", "only-for"]),
        ("Cradle Thrall", ("Unending Starvation",), ("Hellfly Host",), []),
        ("Butcher Knight", ("Standard Armour", "Unending Starvation"), (), []), ("Desiccated Husk", ("Unending Starvation",), (), ["only-for"]),
        ("Butcher Knight", ("Standard Armour",), ("Plague Almoner",), ["not-offered"]), ("Butcher Knight", (), (), ["needs"]),
        ("Desiccated Husk", ("Pestilent Fang",), (), []), ("Desiccated Husk", ("Black Spot Rifle", "Butcher Bayonet"), (), []),
        ("Desiccated Husk", ("Foetid Palanquin",), (), ["only-for"]), ("Desiccated Husk", ("Vomitus",), (), ["only-for"]),
        ("Corpse Guard", (), (), ["not-offered"]), ("Herald of Beelzebub", (), (), ["not-offered"]), ("Amalgam", (), (), ["not-offered"]),
    ],
)  # fmt: skip
def test_the_hunger_of_1_0(profile: str, kit: tuple[str, ...], upgrades: tuple[str, ...], found: list[str]) -> None:
    got = codes("1.0", HUNGER, row(profile, *kit, upgrades=upgrades))
    assert got == found


@pytest.mark.parametrize(
    ("kit", "upgrades", "found"),
    [
        (("Foetid Palanquin", "Grail Devotee", "Second Grail Devotee"), ("Rotten Cutters",), []),
        (("Devouring Jaws",), ("Rotten Cutters",), ["model-limit"]), (("Standard Armour",), (), ["banned"]),
        ((), ("Rotten Cutters", "Lockjaw Bite"), ["model-limit"]), (("sword",), (), ["banned"]),
    ],
)  # fmt: skip
def test_the_hag_of_1_0(kit: tuple[str, ...], upgrades: tuple[str, ...], found: list[str]) -> None:
    assert codes("1.0", HUNGER, row("Matagot Hag", *kit, upgrades=upgrades), led=False) == found


@pytest.mark.parametrize(
    "item", ["Musket", "Pistol", "Compound Eyes Helmet", "Gas Grenades", "Black Grail Shield", "Troop Flag"]
)
def test_excruciating_hunger_bars_finds_too(item: str) -> None:
    assert codes("1.0", CULT, row("Corpse Guard", item)) == []
    assert codes("1.0", HUNGER, row("Desiccated Husk", {"item": item, "origin": "found"})) != []


def test_a_hellfly_host_flies() -> None:
    force = force_of("1.0", HUNGER, row("Ravenous", upgrades=("Hellfly Host",)))
    fly = list(GAME.views(OPEN["1.0"], force).values())[1]
    assert (fly.stats["movement"].value, fly.movement, fly.has("FLYING")) == (6, "flying", True)
    assert "undead-fortitude" not in {a.id for a in fly.abilities if a.state != "lost"}


@pytest.mark.parametrize(("thralls", "found"), [(24, []), (23, ["needs"])])
def test_the_great_maw_comes_to_a_feast_of_a_thousand(thralls: int, found: list[str]) -> None:
    # the Hag costs 135 ducats, each Ravenous 35, a Palanquin none, and a Maw at 25 makes up the rest
    others = [row("Ravenous")] * thralls + [row("Ravenous", "Grasping Maw")] * (thralls == 24)
    assert codes("1.0", HUNGER, *others, row("Great Maw")) == found


def test_the_great_maw_stays_when_the_feast_is_over() -> None:
    maw = row("Great Maw")
    assert codes("1.0", HUNGER, maw, battles={"fought": 4}) == []
    assert codes("1.0", HUNGER, scope="purchase", wants={"profile": "Great Maw"}, battles={"fought": 4}) == ["needs"]
    led = GAME.views(OPEN["1.0"], force_of("1.0", HUNGER, maw)).values()
    assert [v.has("LEADER") for v in led] == [True, False]


@pytest.mark.parametrize("edition", BOTH)
def test_the_butcher_king_earns_glory(edition: str) -> None:
    king = ("Butcher King",)
    force = force_of(edition, HUNGER, row("Butcher Knight", "Standard Armour", upgrades=king), row("Gregori Gula"))
    knight = force.fighters[1].key

    def earned(out: tuple[str, ...], answer: str) -> int:
        side = BattleSide(
            "mine", "The Mouth", HUNGER, "BLACK GRAIL", True, took_part=tuple(f.key for f in force.fighters), out=out
        )
        choir = BattleSide("choir", "Choir", "heretic-legion", "HERETIC", False)
        fought = Aftermath("b1", 1, "", side, (choir,))
        known = post_battle.tasks(OPEN[edition], force, fought, StepRecord(), INCOME[edition])
        income = [t for t in known if "Butcher King" in t.title]
        return sum(evening.money(settle(t, (), {"if-so": answer})).glory for t in income)

    assert (earned((), "yes"), earned((), "no"), earned((knight,), "yes")) == (1, 0, 0)


def test_a_ravenous_dies_to_wake_a_gula() -> None:
    people = (row("Gregori Gula"), row("Ravenous"), row("Cradle Thrall"), row("Prowler"))
    force = force_of("1.0", HUNGER, *people)
    hag, gula, thrall, cradle, prowler = (f.key for f in force.fighters)
    side = BattleSide("mine", "The Mouth", HUNGER, "BLACK GRAIL", True, took_part=(hag, gula, thrall, cradle, prowler))
    fought = Aftermath("b1", 1, "", side, (BattleSide("choir", "Choir", "heretic-legion", "HERETIC", False),))
    (task,) = (
        t for t in post_battle.tasks(OPEN["1.0"], force, fought, StepRecord(), "trauma") if t.title == "Dormant Hunger"
    )
    asked = evening.run(task).asked
    assert {o.value for o in asked.options} == {thrall, cradle}
    outcome = settle(task, (), {"given-up": [thrall, cradle]})
    assert {c.fighter for c in leaves(outcome, Leaves)} == {thrall, cradle}


# --- what it finds


def cult(**known: Any) -> Force:
    return evening_1_0.legion(list=CULT, patron="order-of-the-fly", **known)


def test_finds_of_1_0() -> None:
    assert [j.offer for j in leaves(evening_1_0.find("survivor", force=cult()).outcome, Joins)] == [
        "found-grail-thrall"
    ]
    nest = evening_1_0.find("snipers-nest", force=cult()).outcome
    assert sorted(c.item for c in leaves(nest, GainsItem)) == ["corruption-belcher", "field-shrine"]
    full = tuple(ForceItem(f"s{n}", "corruption-belcher", offer="black-grail-corruption-belcher") for n in range(2))
    spare = evening_1_0.find("snipers-nest", force=cult(stash=full)).outcome
    assert [c.item for c in leaves(spare, GainsItem)] == ["field-shrine"]


def test_finds_of_the_playtest() -> None:
    (thrall,) = leaves(pick("survivor", "", list_id=CULT).outcome, Joins)
    assert thrall.offer == "found-grail-thrall"
    nest = pick("snipers-nest", "", list_id=CULT).outcome
    assert sorted(c.item for c in leaves(nest, GainsItem)) == ["corruption-belcher", "field-shrine"]
    plague = pick("esoteric-library", "plague-esoteric-library", list_id=CULT).outcome
    kept = [v for k, v in evening.sets(plague).items() if k[1] == "lasting"]
    assert kept == [{"id": "plague-library", "choices": {}}]


@pytest.mark.parametrize("edition", BOTH)
def test_no_list_waits_for_the_cult_any_more(edition: str) -> None:
    assert CULT not in {x.id for x in OPEN[edition].pack.other_lists}
    for location in OPEN[edition].pack.locations:
        for option in location.options:
            if option.lists == (CULT,):
                assert not [r for r in option.rewards if type(r).__name__ == "PromiseReward"], (location.id, option.id)
