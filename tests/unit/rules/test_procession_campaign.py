"""The Procession of the Sacred Affliction at the table and between battles: what its kit brings, who rises, what is found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from rules.consequences import Becomes, GainsItem, Joins, Leaves, Money
from rules.fighters.facts import Facts
from rules.force import Battles, Force, ForceFighter, ForceItem, ForceUpgrade
from rules.legality.roster_state import examine
from rules.parts.post_battle import Aftermath, BattleSide, StepRecord
from rules.price import Price
from rules.registry import system
from rules.resolution import Task
from rules.resolvers.situation import Situation
from rules.trench_crusade import camp, post_battle
from rules.trench_crusade.documents.reader import read_document
from rules.trench_crusade.resolvers.arms import arms, bare
from rules.trench_crusade.resolvers.attack_situation import situation
from rules.trench_crusade.resolvers.rules import odds
from rules.trench_crusade.roster_files.read import read_roster_file
from rules.trench_crusade.roster_files.write import WRITERS, write_roster
from rules.trench_crusade.table_only import table_terms
from rules.trench_crusade.text_import.read import read_roster
from tests.unit.rules.evening import after, fighter, leaves, money, run, settle

GAME = system("trench-crusade")
OVERLAY = "tc-2026-09-procession"
CONTENT: Any = GAME.content("1.0", (OVERLAY,))
NAME = "Procession of the Sacred Affliction"
LIST, KNIGHTS, FLOCK = "lazarist-procession", "knights-of-saint-lazarus", "procession-of-the-blessed-flock"
FORMS = ("trench-companion", "text", "discord", "tts")


def one(who: str, *kit: str, up: tuple[str, ...] = ()) -> Force:
    """One fighter fresh from its profile ("list.profile"), with kit and upgrades on top."""
    list_id, _, profile = who.partition(".")
    force = bare(CONTENT, profile, list_id)
    pieces = tuple(ForceItem(f"k{n}", item) for n, item in enumerate(kit))
    taken = tuple(ForceUpgrade(f"u{n}", upgrade) for n, upgrade in enumerate(up))
    return replace(force, fighters=(replace(force.fighters[0], kit=pieces, upgrades=taken),))


TROOPER = one("heretic-legion.heretic-trooper")
YEOMAN, CLUB = one("new-antioch.yeoman", "trench-club"), "trench-club:melee"


def strike(mine: Force, arm: str, foe: Force = TROOPER, on: Mapping[str, int] | None = None, **told: Any) -> Situation:
    """An attack, with these switches thrown by their words."""
    plain = situation(CONTENT, (mine, "1"), arm, (foe, "1"), told)
    keys = {t.key: n for words, n in (on or {}).items() for t in plain.toggles if words in t.words}
    assert len(keys) == len(on or {})
    return situation(CONTENT, (mine, "1"), arm, (foe, "1"), {**told, **keys})


def dice(found: Situation, name: str = "injury_modifiers") -> int:
    return sum(row["dice"] for row in found.given[name])


def shown(force: Force) -> Facts:
    return examine(CONTENT, force).facts[0]


# --- what it brings to an attack


def test_every_weapon_of_the_list_has_its_odds() -> None:
    armoury = {o.item for o in CONTENT.lists[LIST].item_offers if CONTENT.items[o.item].weapon}
    assert len(armoury) > 25
    for item in armoury:
        mine = one(f"{LIST}.leper-pilgrim", item)
        keys = [arm.key for arm in arms(CONTENT, mine, "1")]
        assert keys, item
        for key in keys:
            worked = odds(CONTENT, "attack", strike(mine, key).given)
            assert sum(worked.outcomes.values()) == 1, key


def test_the_millstones_fall_on_the_fallen() -> None:
    plain, stone = (one(f"{LIST}.leper-pilgrim", "trench-club", *more) for more in ((), ("blessed-millstone",)))
    assert (dice(strike(plain, CLUB)), dice(strike(stone, CLUB))) == (0, 0)
    assert (dice(strike(plain, CLUB, target_down=1)), dice(strike(stone, CLUB, target_down=1))) == (1, 2)
    assert dice(strike(stone, CLUB, on={"dropped": 1}, target_down=1)) == 1
    shot = strike(one(f"{LIST}.leper-pilgrim", "musket"), "musket:ranged", target_down=1)
    assert "Punishing Millstones" not in {row["why"] for row in shot.given["injury_modifiers"]}
    assert (shown(plain).stats["movement"].value, shown(stone).stats["movement"].value) == (6, 5)


def test_a_great_flail_hits_and_wounds_harder() -> None:
    found = strike(one(f"{LIST}.leper-pilgrim", "great-flail-scourge"), "great-flail-scourge:melee")
    assert (dice(found, "modifiers"), dice(found)) == (1, 1)


def test_a_phylactery_makes_hells_servants_bleed() -> None:
    mine = one(f"{LIST}.leper-pilgrim", "trench-club", "penitents-phylactery")
    for foe, more in (
        ("heretic-legion.heretic-trooper", 1),
        ("court-of-the-seven-headed-serpent.hell-knight", 1),
        ("cult-of-the-black-grail.grail-thrall", 1),
        ("new-antioch.yeoman", 0),
    ):
        assert strike(mine, CLUB, one(foe)).given.get("more_blood", 0) == more


def test_the_device_is_worse_under_a_minenhelm() -> None:
    key = "natural-martyrdom-device:ranged"
    plain = one(f"{LIST}.lazarist-prisoner", "martyrdom-device")
    helm = one(f"{LIST}.lazarist-prisoner", "martyrdom-device", "minenhelm")
    near = {"Martyrdom Device: within 1″": 1}
    assert dice(strike(plain, key, on=near)) == 1
    assert dice(strike(helm, key, on={**near, "Minenhelm: within 1″": 1})) == 2
    slams = [{arm.name for arm in arms(CONTENT, who, "1")} for who in (plain, helm)]
    assert slams == [
        {"Feeble Flailing", "Martyrdom Device"},
        {"Feeble Flailing", "Martyrdom Device", "Minenhelm Slam"},
    ]


def test_a_castigator_may_hold_back_and_a_lost_communicant_risks_all() -> None:
    assert dice(strike(one(f"{LIST}.lazarist-castigator", "trench-club"), CLUB, on={"held back": 1})) == -1
    lost = one(f"{FLOCK}.blessed-flock-communicant", "trench-club")
    assert "RISKY" not in strike(lost, CLUB).given["keywords"]
    assert "RISKY" in strike(lost, CLUB, on={"over 6″": 1}).given["keywords"]


def test_wrath_leaves_no_mark_and_a_martyr_is_hard_to_wound() -> None:
    wrathful = one(f"{LIST}.leper-pilgrim", up=("lazarist-wrath-of-god",))
    assert "The target: No BLOOD MARKER is placed on it" in strike(YEOMAN, CLUB, wrathful).causes
    assert ("NEGATE FEAR" in shown(wrathful).keywords, shown(wrathful).base) == (True, 32)
    risen = one(f"{LIST}.leper-pilgrim", up=("lazarist-resurrection", "zealot-strength"))
    assert dice(strike(YEOMAN, CLUB, risen)) == -1
    who = shown(risen)
    assert (who.profile.id, who.stats["melee"].value, who.rating) == ("lazarist-martyr-penitent", 1, Price(50))
    assert "STRONG" in who.keywords


def test_what_the_odds_leave_out_is_on_the_closed_list() -> None:
    listed = {entry.id for entry in CONTENT.pack.table_only}
    assert not [(term.id, term.words) for term in table_terms(CONTENT) if term.known not in listed]


# --- between battles

PROPHET = fighter("odo", "lazarist-prophet", "Odo")
AALIS = fighter(
    "aalis",
    "leper-pilgrim",
    "Aalis",
    offer="lazarist-procession-leper-pilgrim",
    kit=("musket", "blessed-millstone"),
    upgrades=(ForceUpgrade("u", "zealot-strength", "lazarist-zealot-strength", Price(5)),),
)
NINE = fighter("nine", "lazarist-prisoner", "Number Nine", kit=("martyrdom-device", "minenhelm"))
SHRINE = fighter("shrine", "lazarist-anchorite-shrine", "The Shrine")
ROSTER = (PROPHET, AALIS, NINE, SHRINE)
RISE = "lazarist-procession-resurrection"


def band(*fighters: ForceFighter, **known: Any) -> Force:
    base: dict[str, Any] = {
        "list": LIST,
        "name": "The Bell",
        "patron": "learned-saint",
        "founding": False,
        "strongbox": Price(100, 5),
        "battles": Battles(1),
        "fighters": fighters or ROSTER,
    }
    return Force("trench-crusade", "1.0", **{**base, **known})


def tasks(force: Force, *out: str, step: str = "trauma") -> dict[str, Task]:
    took_part = tuple(f.key for f in ROSTER)
    mine = BattleSide("mine", "The Bell", force.list, "PILGRIM", False, took_part, out, dict.fromkeys(out, "choir"))
    choir = BattleSide("choir", "Choir of Brass", "heretic-legion", "HERETIC", True)
    aftermath = Aftermath("b1", 1, "hill-223", mine, (choir,))
    return {task.key: task for task in post_battle.tasks(CONTENT, force, aftermath, StepRecord(), step)}


def test_a_leper_rises_in_the_camp_for_45_ducats() -> None:
    force = band()
    asked = run(tasks(force, "aalis")["casualty-aalis"], (1,)).asked
    assert asked is not None
    assert [option.value for option in asked.options] == ["die", RISE]
    lying = after(force, settle(tasks(force, "aalis")["casualty-aalis"], (1,), {"death": RISE}), CONTENT)
    assert lying.fighter("aalis").lifeless
    (task,) = [t for t in camp.camp_tasks(CONTENT, lying) if t.key == "raise-aalis"]
    raised = settle(task, (), {"way": "raise"})
    assert (money(raised), leaves(raised, Becomes)[0].profile) == (Price(-45), "lazarist-martyr-penitent")
    now = after(lying, raised, CONTENT).fighter("aalis")
    assert [u.upgrade for u in now.upgrades] == ["zealot-strength", "lazarist-resurrection"]
    assert {i.item for i in now.kit} >= {"musket"}
    risen = replace(now, profile="lazarist-martyr-penitent")
    again = settle(tasks(band(PROPHET, risen), "aalis")["casualty-aalis"], (1,))
    assert [x.status for x in leaves(again, Leaves)] == ["dead"]
    assert not leaves(again, Money)


def test_the_shrine_may_break_a_leper_or_a_prisoner_but_not_the_wrathful() -> None:
    asked = run(tasks(band())["given-up"]).asked
    assert asked is not None
    assert {option.value for option in asked.options} == {"aalis", "nine"}
    gone = settle(tasks(band())["given-up"], (), {"given-up": ["aalis"]})
    assert [(x.fighter, x.kit_to_stash) for x in leaves(gone, Leaves)] == [("aalis", True)]
    assert not leaves(gone, GainsItem)
    wrath = ForceUpgrade("w", "lazarist-wrath-of-god", "lazarist-procession-wrath-of-god", Price(15))
    assert "given-up" not in tasks(band(PROPHET, replace(AALIS, upgrades=(wrath,)), SHRINE))
    assert "given-up" not in tasks(band(PROPHET, AALIS, NINE))


@pytest.mark.parametrize(
    ("list_id", "offer"),
    [
        (LIST, "found-lazarist-prisoner"),
        (KNIGHTS, "found-lazarist-prisoner"),
        (FLOCK, "found-blessed-flock-prisoner"),
        ("procession-of-the-sacred-affliction", "found-sacred-affliction-ecclesiastic-prisoner"),
    ],
)
def test_the_survivor_is_a_prisoner(list_id: str, offer: str) -> None:
    task = tasks(band(list=list_id), step="exploration")["exploration"]
    outcome = settle(task, (3, 3, 3), {"mod-1": "done"})
    assert [(x.offer, x.paid) for x in leaves(outcome, Joins)] == [(offer, Price())]


def test_a_device_is_used_up() -> None:
    assert "used-nine-martyrdom-device" in {t.key for t in camp.camp_tasks(CONTENT, band())}


# --- on paper and in files


@pytest.mark.parametrize("sample", ["bell-of-bethany", "green-cross", "ninety-and-nine"])
def test_a_ready_warband_comes_back_from_every_file(sample: str) -> None:
    document = GAME.founding.sample(CONTENT, sample)
    assert set(FORMS) < set(WRITERS)
    for data in (json.dumps(document), *(write_roster(document, form) for form in FORMS)):
        found = read_roster_file(data.encode() if isinstance(data, str) else data)
        assert (found.edition, found.list_id) == ("1.0", CONTENT.resolve("list", document["variant"] or LIST))
        assert (OVERLAY in found.overlays, found.document["faction"]) == (True, NAME)
        assert len(found.document["fighters"]) == len(document["fighters"])
        assert GAME.documents.judge(found.document)["problems"] == []


def test_a_file_of_the_old_variant_stays_with_it() -> None:
    document = GAME.founding.sample(GAME.content("1.0"), "millstone-walk")
    for form in FORMS:
        data = write_roster(document, form)
        found = read_roster_file(data.encode() if isinstance(data, str) else data)
        assert (found.list_id, found.overlays) == ("procession-of-the-sacred-affliction", ())


HEAD = f"The Bell\nFaction: {NAME}\n"


@pytest.mark.parametrize(
    ("text", "faction", "variant"),
    [
        (f"{HEAD}Lazarist Prophet - Polearm\nLeper-Pilgrim - Musket\n", NAME, None),
        (f"{HEAD}War Prophet - Polearm\nTrench Pilgrim - Musket\n", "Trench Pilgrims", NAME),
        (
            f"{HEAD}Variant: Procession of the Blessed Flock\nLazarist Prophet\n",
            NAME,
            "Procession of the Blessed Flock",
        ),
        (f"Faction: Trench Pilgrims\nVariant: {NAME}\nStigmatic Nun\n", "Trench Pilgrims", NAME),
        (f"Faction: {NAME} (Carcass Front)\nStigmatic Nun\n", NAME, None),
        ("Faction: Procession (Carcass Front)\nStigmatic Nun\n", NAME, None),
        ("Faction: Sacred Affliction\nStigmatic Nun\n", "Trench Pilgrims", NAME),
        ("Knights of Saint Lazarus\nLeper-Knight - Great Sword\n", NAME, "Knights of Saint Lazarus"),
    ],
)
def test_a_text_tells_the_list_from_the_variant(text: str, faction: str, variant: str | None) -> None:
    found = read_roster(CONTENT, text)
    assert (found.document["faction"], found.document["variant"], found.unread) == (faction, variant, ())


def test_a_text_that_fits_both_is_asked_about() -> None:
    (asked,) = read_roster(CONTENT, f"{HEAD}Stigmatic Nun - Polearm\n").unread
    assert (asked["kind"], asked["guesses"]) == ("faction", ["Sacred Affliction", "Procession (Carcass Front)"])


def test_pages_tell_the_list_from_the_variant() -> None:
    named = {choice.id: choice.name for choice in GAME.founding.lists(CONTENT)}
    assert named[LIST] == f"{NAME} (Carcass Front)"
    assert named["procession-of-the-sacred-affliction"] == NAME
    assert len(set(named.values())) == len(named)
    entries = {entry.id: entry.name for entry in GAME.rulebook.entries(CONTENT) if entry.kind == "list"}
    assert entries.items() >= named.items()
    sheets = {
        sample: GAME.documents.sheet(CONTENT, read_document(GAME.founding.sample(CONTENT, sample))[0]).list_words
        for sample in ("bell-of-bethany", "green-cross", "millstone-walk")
    }
    assert sheets == {
        "bell-of-bethany": f"{NAME} (Carcass Front), standard list; patron Warrior Saint",
        "green-cross": "Procession (Carcass Front), Knights of Saint Lazarus; patron Temporal Lord",
        "millstone-walk": f"Trench Pilgrims, {NAME}; patron Warrior Saint",
    }


def test_without_the_overlay_names_stay_as_they_are() -> None:
    content = GAME.content("1.0")
    assert {c.name for c in GAME.founding.lists(content)} == {army.name for army in content.pack.lists}


@pytest.mark.parametrize(("overlays", "ducats"), [((OVERLAY,), 15), ((OVERLAY, "tc-2026-04-grenades"), 10)])
def test_incendiary_grenades_follow_the_review(overlays: tuple[str, ...], ducats: int) -> None:
    content: Any = GAME.content("1.0", overlays)
    for list_id in (LIST, KNIGHTS):
        (offer,) = content.lists[list_id].by_item["incendiary-grenades"]
        assert offer.price == Price(ducats)


@pytest.mark.parametrize("profile", [f"{LIST}.lazarist-anchorite-shrine", "trench-pilgrims.anchorite-shrine"])
def test_a_shrine_with_a_victim_on_its_wheel_has_no_armour_and_outlives_one_death(profile: str) -> None:
    shrine, bound = one(profile), {"bound to the Wheel": 1}
    plain, broken = strike(YEOMAN, CLUB, shrine).given, strike(YEOMAN, CLUB, shrine, on=bound).given
    assert (plain["armour"], broken["armour"], broken["shield"], broken["unignorable_armour"]) == (-3, 0, 0, 0)
    fates = [
        (row["target"]["tough"], row["target"]["ignores_out"], row["target"]["down_is_minor"])
        for row in (plain, broken)
    ]
    assert fates == [(True, False, False), (False, True, True)]
    assert ["SHRAPNEL" in row["target"]["negates"] for row in (plain, broken)] == [True, False]
    assert odds(CONTENT, "attack", broken).outcomes.get("out-of-action", 0) == 0
