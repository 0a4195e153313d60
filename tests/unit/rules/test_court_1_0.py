"""The Court of the Seven-Headed Serpent in 1.0: its nobles, its sins, its powers, its armoury, legal and one step beyond."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from rules.consequences import GainsItem, Joins, Leaves
from rules.force import Force, ForceFighter, ForceUpgrade
from rules.problems import Refusal
from rules.registry import system
from tests.unit.rules import evening, evening_1_0

GAME = system("trench-crusade")
CONTENT = GAME.content("1.0")
LIST = "court-of-the-seven-headed-serpent"
Row = dict[str, Any]
SINS = ("wrath", "envy", "lust", "pride", "sloth", "gluttony", "greed")
CASES: list[tuple[str, dict[str, Any], list[str]]] = []


def f(profile: str, *kit: Any, up: tuple[str, ...] = (), **more: Any) -> Row:
    return {"name": more.pop("name", profile), "profile": profile, "kit": list(kit), "upgrades": list(up), **more}


def paper(*rows: Row, sin: str = "Pride", **more: Any) -> dict[str, Any]:
    more.setdefault("budget", {"ducats": 3000, "glory": 60})
    more.setdefault("choices", {"sin": sin} if sin else {})
    return {
        "game": "trench-crusade", "edition": "1.0", "faction": "Court of the Seven-Headed Serpent",
        "fighters": [{**r, "name": f"{r['name']} {n}"} for n, r in enumerate(rows, 1)], **more,
    }  # fmt: skip


def judged(document: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = GAME.documents.judge(json.loads(json.dumps(document)))
    return answer


def case(name: str, document: dict[str, Any], *codes: str) -> None:
    CASES.append((name, document, sorted(codes)))


PRAETOR = f("Praetor")
SORCERER = f("Sorcerer")
KNIGHT = f("Hell Knight")
FIEND = f("Yoke Fiend")
WRETCHED = f("Wretched", "Trench Club")
SAINT = "Desecrated Saint"


def court(*rows: Row, **more: Any) -> dict[str, Any]:
    return paper(PRAETOR, *rows, **more)


# --- nobles
case("a Praetor leads", paper(PRAETOR))
case("a Sorcerer leads", paper(SORCERER))
case("one of each", paper(PRAETOR, SORCERER))
case("nobody leads", paper(KNIGHT), "no-leader")
case("two Praetors", paper(PRAETOR, PRAETOR), "too-many")
case("four Knights", court(*[KNIGHT] * 4), "too-many")
case("four Locusts", court(*[f("Pit Locust")] * 4), "too-many")
case("two Saints", court(f(SAINT), f(SAINT)), "too-many")
# --- sins
case("no sin chosen", court(sin=""), "choice")
case("the sin as a variant", court(f("Hell Knight", up=("Blind Rage",)), sin="", variant="Wrath"))
# --- Wretched
case("fewer Wretched than demons", court(FIEND, WRETCHED))
case("as many Wretched as demons", court(FIEND, WRETCHED, WRETCHED), "ratio")
case("an unarmed Wretched", court(FIEND, f("Wretched")), "needs")
case("grenades are weapons", court(FIEND, f("Wretched", "Gas Grenades")))
case("a gun of ten ducats", court(FIEND, f("Wretched", "Shotgun")))
case("a dearer sword", court(FIEND, f("Wretched", "Great Sword/Axe")), "banned")
case("dearer grenades", court(FIEND, f("Wretched", "Incendiary Grenades")), "banned")
case("a flag for Glory", court(FIEND, f("Wretched", "Trench Club", "Troop Flag")), "banned")
case("a helmet for Glory", court(FIEND, f("Wretched", "Trench Club", "Cruel Helmet"), mode="one-off"))
case("that helmet on a fiend", court(f("Yoke Fiend", "Cruel Helmet"), mode="one-off"), "only-for")
# --- who may carry what
case("a Sorcerer's sword", paper(f("Sorcerer", "Hellblade")))
case("a Sorcerer's gun", paper(f("Sorcerer", "Arquebus")), "banned")
case("a Sorcerer's grenades", paper(f("Sorcerer", "Gas Grenades")), "banned")
case(
    "a Hunter with sword, pistol and grenades",
    court(f("Hunter of the Left-Hand Path", "Sword/Axe", "Pistol", "Gas Grenades")),
)
case("a Hunter with a greatsword", court(f("Hunter of the Left-Hand Path", "Great Sword/Axe")), "banned", "hands")
case("a Hunter with a shotgun", court(f("Hunter of the Left-Hand Path", "Shotgun")), "banned", "hands")
case("a Knight in a second suit", court(f("Hell Knight", "Standard Armour")), "slot-armour")
case("a Knight behind a shield", court(f("Hell Knight", "Trench Shield", "Sword/Axe")))
case("Infernal Iron is not sold", court(f("Yoke Fiend", "Infernal Iron Armour")), "not-offered")
case("a Locust crowned", court(f("Pit Locust", "Crown of Hellfire")))
case("a Locust with a helmet", court(f("Pit Locust", "Combat Helmet")), "banned")
case("a crown on a fiend", court(f("Yoke Fiend", "Crown of Hellfire")), "only-for")
case("a fiend with gun and grenades", court(f("Yoke Fiend", "Flamethrower", "Gas Grenades")))
case("a fiend with a dearer gun", court(f("Yoke Fiend", "Serpent Assault Gun")), "banned")
case("a fiend with two guns", court(f("Yoke Fiend", "Pistol", "Pistol")), "model-limit")
case("a fiend in Reinforced Armour", court(f("Yoke Fiend", "Reinforced Armour")), "only-for")
case("a muzzled Knight", court(f("Hell Knight", "Restraining Muzzle")), "only-for")
case("three swords for a Saint", court(f(SAINT, *["Sword/Axe"] * 3)))
case("a polearm of three", court(f(SAINT, "Polearm", "Sword/Axe", "Headtaker")))
case("four swords for a Saint", court(f(SAINT, *["Sword/Axe"] * 4)), "hands", "model-limit")
case("two two-handed", court(f(SAINT, "Hellblade", "Torture Instrument")), "model-limit")
case("a Saint's gun", court(f(SAINT, "Pistol")), "banned", "hands")
# --- Limits
case("three Headtakers", court(f("Hell Knight", *["Headtaker"] * 2), f("Hell Knight", "Headtaker")), "warband-limit")
case("four Hellblades", court(*[f("Yoke Fiend", "Hellblade")] * 4), "warband-limit")
case("three muzzles", court(*[f("Yoke Fiend", "Restraining Muzzle")] * 3))
case("a fourth is sold for Glory only", court(*[f("Yoke Fiend", "Restraining Muzzle")] * 4), "not-offered")
MUZZLE = {"item": "Restraining Muzzle", "offer": "court-restraining-muzzle-for-glory"}
case(
    "one of four for Glory",
    court(*[f("Yoke Fiend", "Restraining Muzzle")] * 3, f("Yoke Fiend", MUZZLE), mode="one-off"),
)
case("a dog of either training", court(f("Trench Dog"), f("Hellhound"), mode="one-off"), "group-cap")
# --- powers
case("a Praetor with two", paper(f("Praetor", up=("Slavemaster", "Proud Defiance"))))
case(
    "a Praetor with three", paper(f("Praetor", up=("Slavemaster", "Proud Defiance", "Light of Samael"))), "model-limit"
)
case("a Praetor of Wrath with two", paper(f("Praetor", up=("Blind Rage", "Slavemaster")), sin="Wrath"), "model-limit")
case("a Sorcerer without", paper(SORCERER))
THREE = ("Slavemaster", "Burning Inferno", "Proud Defiance")
case("a Sorcerer with three", paper(f("Sorcerer", up=THREE)))
case("a Sorcerer with four", paper(f("Sorcerer", up=(*THREE, "Light of Samael"))), "model-limit")
case("a Knight with one", court(f("Hell Knight", up=("Proud Defiance",))))
case("a Knight with two", court(f("Hell Knight", up=("Proud Defiance", "Slavemaster"))), "model-limit")
case("a Hunter with one", court(f("Hunter of the Left-Hand Path", up=("Slavemaster",))), "model-limit")
case("an inferno of a Praetor", paper(f("Praetor", up=("Burning Inferno",))), "only-for")
case("another sin's power", court(f("Hell Knight", up=("Blind Rage",))), "not-offered")
case("two Black Hearts", court(*[f("Hell Knight", up=("Black Heart",))] * 2, sin="Greed"))
case("three Black Hearts", court(*[f("Hell Knight", up=("Black Heart",))] * 3, sin="Greed"), "warband-limit")
case("two Morphean Minds", court(*[f("Hell Knight", up=("Morphean Mind",))] * 2, sin="Sloth"))
case("three Morphean Minds", court(*[f("Hell Knight", up=("Morphean Mind",))] * 3, sin="Sloth"), "warband-limit")
KORAKTOR = "Koraktor, the Great Tome of Hell"
ONCE = {"mode": "one-off"}
case("of another sin from the book", paper(f("Sorcerer", KORAKTOR, up=(*THREE, "Blind Rage")), **ONCE))
case("two of another sin", paper(f("Sorcerer", KORAKTOR, up=("Blind Rage", "Black Heart")), **ONCE), "not-offered")
case("the book for a Praetor", paper(f("Praetor", KORAKTOR), **ONCE), "only-for")
# --- Envious Eyes
EYES = ("Envious Eyes",)
case("a stranger's gun", paper(f("Sorcerer", "Machine Gun", up=EYES), sin="Envy"))
case("a stranger's shield", paper(f("Praetor", "Holy Icon Shield", up=EYES), sin="Envy"))
case("a stranger's equipment", paper(f("Praetor", "Binoculars", up=EYES), sin="Envy"))
case("a stranger's secret", paper(f("Praetor", "Assassin's Dagger", up=EYES), sin="Envy"), "only-for")
case("two of them", paper(f("Praetor", "Binoculars", "Medi-kit", up=EYES), sin="Envy"), "not-offered")
case("without the power", paper(f("Praetor", "Binoculars"), sin="Envy"), "not-offered")
# --- patrons and mercenaries
case("Mammon under Greed", court(patron="Mammon", sin="Greed"))
case("Mammon under Pride", court(patron="Mammon"), "patron")
case("three mercenaries", court(f("Goetic Warlock"), f("Scripture Guardian", "Hellblade"), f("Sin Eater")))
case("two Warlocks", court(f("Goetic Warlock"), f("Goetic Warlock")), "too-many")
case("a Witchburner", court(f("Witchburner")), "not-offered")


@pytest.mark.parametrize(("document", "codes"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_roster_earns_these_codes(document: dict[str, Any], codes: list[str]) -> None:
    answer = judged(document)
    assert sorted(p["code"] for p in answer["problems"]) == codes, answer["problems"]
    for problem in answer["problems"]:
        assert problem["message"][0].isupper()
        assert problem["message"].endswith(".")


def test_the_books_hold_the_whole_court() -> None:
    army = CONTENT.lists[LIST]
    assert len(army.profile_offers) == 11
    assert sum(o.price.ducats for o in army.profile_offers) == 680
    assert sum(o.price.glory for o in army.profile_offers) == 17
    assert len(army.item_offers) == 44
    assert sum(o.price.ducats for o in army.item_offers) == 504
    assert sum(o.price.glory for o in army.item_offers) == 53
    assert sum(o.limit or 0 for o in army.item_offers) == 36
    assert len(army.upgrade_offers) == 23
    assert sum(o.price.ducats for o in army.upgrade_offers) == 280
    assert sum(o.limit or 0 for o in army.upgrade_offers) == 16
    powers = {sin: sorted(o.upgrade for o in army.upgrade_offers if o.rule == sin) for sin in SINS}
    assert {sin: len(found) for sin, found in powers.items()} == dict.fromkeys(SINS, 3)


@pytest.mark.parametrize("sin", SINS)
def test_each_sin_gives_its_saint_one_aura(sin: str) -> None:
    force, _ = GAME.documents.read_document(paper(PRAETOR, f(SAINT), sin=sin))
    view = GAME.views(CONTENT, force)[force.fighters[1].key]
    auras = [a.name for a in view.abilities if a.name.startswith("Aura of")]
    assert auras == [f"Aura of {sin.title()}"]


def test_a_sorcerer_leads_only_without_a_praetor() -> None:
    for rows, leads in (((SORCERER,), ["Sorcerer 1"]), ((SORCERER, PRAETOR), ["Praetor 2"])):
        force, _ = GAME.documents.read_document(paper(*rows))
        views = GAME.views(CONTENT, force)
        assert [x.name for x in force.fighters if views[x.key].leader] == leads


def test_what_muzzle_cloak_and_gold_change_shows() -> None:
    rows = (
        f("Praetor", up=("Body of Gold",)),
        f("Yoke Fiend", "Restraining Muzzle"),
        f("Hunter of the Left-Hand Path", "Bestial Skin Cloak"),
    )
    force, _ = GAME.documents.read_document(paper(*rows, sin="Greed", mode="one-off"))
    praetor, fiend, hunter = GAME.views(CONTENT, force).values()
    words = {w.name: w.state for w in praetor.keywords}
    assert (words["GOLEM"], words["TOUGH"]) == ("gained", "lost")
    assert {a.name: a.state for a in fiend.abilities}["Hateful"] == "lost"
    assert fiend.stats["ranged"].value == 1
    assert {a.name: a.state for a in hunter.abilities}["Oracle Beast Cloak"] == "lost"


def test_founding_asks_for_the_sin_and_knows_its_patrons() -> None:
    (choice,) = [x for x in GAME.founding.lists(CONTENT) if x.id == LIST]
    (asked,) = choice.choices
    assert (asked.key, asked.optional, [value for value, _ in asked.options]) == ("sin", False, list(SINS))
    assert [p for p, _ in choice.patrons] == ["infernal-noble", "mammon"]


@pytest.mark.parametrize(("sample", "ducats"), [("gilded-yoke", 700), ("crimson-assize", 698)])
def test_its_samples_are_legal(sample: str, ducats: int) -> None:
    answer = judged(GAME.founding.sample(CONTENT, sample))
    assert (answer["legal"], answer["rating"]) == (True, {"ducats": ducats, "glory": 0})


# --- after the battle

MASTER = evening.fighter("azra", "sorcerer", upgrades=(ForceUpgrade("u1", "slavemaster"),))
OX = evening.fighter("ox", "yoke-fiend", kit=("shotgun",))
GOAD = evening.fighter("goad", "yoke-fiend")
CLERK = evening.fighter("clerk", "wretched-court", kit=("trench-club",))


def served(*fighters: ForceFighter, sin: str = "greed", **known: Any) -> Force:
    found = {"list": LIST, "patron": "mammon", "choices": {"sin": sin}, **known}
    return evening_1_0.wardens(*fighters, **found)


def test_whom_slavemasters_made_kill_themselves_is_asked_after_the_battle() -> None:
    """As many Yoke Fiends as were told to; their kit goes with them."""
    task = evening_1_0.tasks("trauma", served(MASTER, OX, GOAD, CLERK), evening_1_0.game())["given-up"]
    assert task.optional
    outcome = evening.settle(task, (), {"given-up": ["ox", "goad"]})
    gone = [(x.fighter, x.status, x.kit_to_stash) for x in evening.leaves(outcome, Leaves)]
    assert gone == [("ox", "dead", False), ("goad", "dead", False)]
    with pytest.raises(Refusal):
        evening.settle(task, (), {"given-up": ["clerk"]})
    plain = replace(MASTER, upgrades=())
    assert "given-up" not in evening_1_0.tasks("trauma", served(plain, OX), evening_1_0.game())


def test_what_the_court_finds() -> None:
    force = served(MASTER, OX)
    joined = evening_1_0.find("survivor", "the-court", force=force).outcome
    assert [x.offer for x in evening.leaves(joined, Joins)] == ["found-wretched-court"]
    rifle = evening_1_0.find("snipers-nest", "the-court", force=force).outcome
    assert [x.item for x in evening.leaves(rifle, GainsItem)] == ["ophidian-rifle"]
