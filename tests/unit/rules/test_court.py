"""The Court of the Seven-Headed Serpent in 1.6.3: its nobles, its sins, its powers, its armoury, legal and one step beyond."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.registry import system

GAME = system("trench-crusade")
CONTENT = GAME.content("1.6.3")
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
        "game": "trench-crusade", "edition": "1.6.3", "faction": "Court of the Seven-Headed Serpent",
        "fighters": [{**r, "name": f"{r['name']} {n}"} for n, r in enumerate(rows, 1)], **more,
    }  # fmt: skip


def judged(document: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = GAME.documents.judge(json.loads(json.dumps(document)))
    return answer


def case(name: str, document: dict[str, Any], *codes: str) -> None:
    CASES.append((name, document, sorted(codes)))


PRAETOR = f("Praetor")
SORCERER = f("Sorcerer", up=("Slavemaster",))
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
case("two Sorcerers", paper(SORCERER, SORCERER), "too-many")
case("three Knights", court(*[KNIGHT] * 3))
case("four Knights", court(*[KNIGHT] * 4), "too-many")
case("three Locusts", court(*[f("Pit Locust")] * 3))
case("four Locusts", court(*[f("Pit Locust")] * 4), "too-many")
case("two Saints", court(f(SAINT), f(SAINT)), "too-many")
case("two Hunters", court(*[f("Hunter of the Left-Hand Path")] * 2), "too-many")
case("six ELITE", paper(PRAETOR, SORCERER, KNIGHT, KNIGHT, KNIGHT, f("Hunter of the Left-Hand Path")))
# --- sins
case("no sin chosen", court(sin=""), "choice")
case("an unknown sin", court(sin="Melancholy"), "choice")
case("two sins", court(choices={"sin": ["Wrath", "Envy"]}), "choice")
case("the sin by its id", court(sin="gluttony"))
case("the sin as a variant", court(f("Hell Knight", up=("Blind Rage",)), sin="", variant="Wrath"))
# --- Wretched
case("fewer Wretched than demons", court(FIEND, WRETCHED))
case("as many Wretched as demons", court(FIEND, WRETCHED, WRETCHED), "ratio")
case("a hired demon counts", court(FIEND, f("Goetic Warlock"), WRETCHED, WRETCHED))
case("a hired heretic does not", court(FIEND, f("Sin Eater"), WRETCHED, WRETCHED), "ratio")
case("an unarmed Wretched", court(FIEND, f("Wretched")), "needs")
case("a shovel is a weapon", court(FIEND, f("Wretched", "Shovel")))
case("a ten-ducat weapon", court(FIEND, f("Wretched", "Double-Handed Blunt Weapon")))
case("a dearer one", court(FIEND, f("Wretched", "Greatsword / Greataxe")), "banned")
case("a gun for a Wretched", court(FIEND, f("Wretched", "Trench Club", "Pistol / Revolver")), "banned")
# --- who may carry what
case("a Sorcerer's sword", paper(f("Sorcerer", "Hellblade", up=("Slavemaster",))))
case("a Sorcerer's gun", paper(f("Sorcerer", "Arquebus", up=("Slavemaster",))), "banned")
case("a Sorcerer's grenades", paper(f("Sorcerer", "Gas Grenades", up=("Slavemaster",))), "banned")
case("a Hunter with a sword", court(f("Hunter of the Left-Hand Path", "Sword / Axe")))
case("a Hunter with a greatsword", court(f("Hunter of the Left-Hand Path", "Greatsword / Greataxe")), "hands")
case("a Hunter with a pistol", court(f("Hunter of the Left-Hand Path", "Pistol / Revolver")), "banned")
case("a Hunter in armour", court(f("Hunter of the Left-Hand Path", "Reinforced Armour")))
case("a Knight in a second suit", court(f("Hell Knight", "Standard Armour")), "slot-armour")
case("a Knight behind a shield", court(f("Hell Knight", "Trench Shield", "Serpent Assault Gun")), "hands")
case("a Knight with two heavy weapons", court(f("Hell Knight", "Serpent Assault Gun", "Malebranche Sword")))
case("a Locust crowned", court(f("Pit Locust", "Crown of Hellfire")))
case("a Locust with a helmet", court(f("Pit Locust", "Combat Helmet")), "banned")
case("a Locust with a sword", court(f("Pit Locust", "Sword / Axe")), "banned")
case("a crown on a fiend", court(f("Yoke Fiend", "Crown of Hellfire")), "only-for")
case("a fiend with a flamethrower", court(f("Yoke Fiend", "Flamethrower")))
case("a fiend with a dearer gun", court(f("Yoke Fiend", "Serpent Assault Gun")), "banned")
case("a fiend with two guns", court(f("Yoke Fiend", "Pistol / Revolver", "Pistol / Revolver")), "model-limit")
case("a fiend with gun and grenades", court(f("Yoke Fiend", "Shotgun", "Gas Grenades")), "model-limit")
case("a muzzled fiend", court(f("Yoke Fiend", "Restraining Muzzle")))
case("a muzzled Knight", court(f("Hell Knight", "Restraining Muzzle")), "only-for")
case("a fiend with an Ophidian Rifle", court(f("Yoke Fiend", "Ophidian Rifle")), "only-for")
case("a fiend in Reinforced Armour", court(f("Yoke Fiend", "Reinforced Armour")), "only-for")
case("a Knight's shovel", court(f("Hell Knight", "Shovel")), "only-for")
case("Infernal Iron is not sold", court(f("Yoke Fiend", "Infernal Iron Armour")), "not-offered")
case("three swords for a Saint", court(f(SAINT, *["Sword / Axe"] * 3)))
case("four swords for a Saint", court(f(SAINT, *["Sword / Axe"] * 4)), "hands", "model-limit")
case("one two-handed of three", court(f(SAINT, "Hellblade", "Sword / Axe", "Head Taker")))
case("a polearm of three", court(f(SAINT, "Trench Polearm", "Sword / Axe", "Head Taker")))
case("two two-handed", court(f(SAINT, "Hellblade", "Torture Instrument")), "model-limit")
case("a Saint's gun", court(f(SAINT, "Pistol / Revolver")), "banned", "hands")
case("a Saint's shield", court(f(SAINT, "Trench Shield")), "banned", "hands")
case("a Saint's relic", court(f(SAINT, "Unholy Relic")), "banned")
# --- LIMIT
case("two Head Takers", court(f("Hell Knight", *["Head Taker"] * 2)))
case("three Head Takers", court(f("Hell Knight", *["Head Taker"] * 2), f("Hell Knight", "Head Taker")), "warband-limit")
case("four Hellblades", court(*[f("Yoke Fiend", "Hellblade")] * 4), "warband-limit")
case("two Malebranche Swords", court(*[f("Yoke Fiend", "Malebranche Sword")] * 2), "warband-limit")
case("four muzzles", court(*[f("Yoke Fiend", "Restraining Muzzle")] * 4), "warband-limit")
# --- powers
case("a Praetor with two", paper(f("Praetor", up=("Slavemaster", "Proud Defiance"))))
case(
    "a Praetor with three", paper(f("Praetor", up=("Slavemaster", "Proud Defiance", "Light of Samael"))), "model-limit"
)
case("a Praetor of Wrath with one", paper(f("Praetor", up=("Blind Rage",)), sin="Wrath"))
case("a Praetor of Wrath with two", paper(f("Praetor", up=("Blind Rage", "Slavemaster")), sin="Wrath"), "model-limit")
case("a Sorcerer without", paper(f("Sorcerer")), "too-few")
case("a Sorcerer with three", paper(f("Sorcerer", up=("Slavemaster", "Burning Inferno", "Proud Defiance"))))
case(
    "a Sorcerer with four",
    paper(f("Sorcerer", up=("Slavemaster", "Burning Inferno", "Proud Defiance", "Light of Samael"))),
    "model-limit",
)
case("a Knight with one", court(f("Hell Knight", up=("Proud Defiance",))))
case("a Knight with two", court(f("Hell Knight", up=("Proud Defiance", "Slavemaster"))), "model-limit")
case("a Hunter with one", court(f("Hunter of the Left-Hand Path", up=("Slavemaster",))), "model-limit")
case("a fiend with one", court(f("Yoke Fiend", up=("Slavemaster",))), "model-limit", "only-for")
case("the same power twice", paper(f("Praetor", up=("Slavemaster", "Slavemaster"))), "duplicate")
case("an inferno of a Praetor", paper(f("Praetor", up=("Burning Inferno",))), "only-for")
case("a noble's power for a Knight", court(f("Hell Knight", up=("Light of Samael",))), "only-for")
case("another sin's power", court(f("Hell Knight", up=("Blind Rage",))), "not-offered")
case("both nobles with one power", paper(*[f(x, up=("Light of Samael",)) for x in ("Praetor", "Sorcerer")]))
case("three Black Hearts", court(*[f("Hell Knight", up=("Black Heart",))] * 3, sin="Greed"))
case(
    "four Black Hearts",
    paper(f("Praetor", up=("Black Heart",)), *[f("Hell Knight", up=("Black Heart",))] * 3, sin="Greed"),
    "warband-limit",
)
case("two Universal Greeds", court(*[f("Hell Knight", up=("Universal Greed",))] * 2, sin="Greed"), "warband-limit")
# --- Koraktor
KORAKTOR = "Koraktor, the Great Tome of Hell"
THREE = ("Slavemaster", "Burning Inferno", "Proud Defiance")
ONCE = {"mode": "one-off"}
case("a fourth from the book", paper(f("Sorcerer", KORAKTOR, up=(*THREE, "Light of Samael")), **ONCE))
case("of another sin", paper(f("Sorcerer", KORAKTOR, up=(*THREE, "Blind Rage")), **ONCE))
case("two of another sin", paper(f("Sorcerer", KORAKTOR, up=("Blind Rage", "Black Heart")), **ONCE), "not-offered")
case(
    "five with the book",
    paper(f("Sorcerer", KORAKTOR, up=(*THREE, "Light of Samael", "Blind Rage")), **ONCE),
    "model-limit",
)
case("the book for a Praetor", paper(f("Praetor", KORAKTOR), **ONCE), "only-for")
case(
    "outside the LIMIT",
    paper(
        f("Sorcerer", KORAKTOR, up=("Universal Greed",)), f("Hell Knight", up=("Universal Greed",)), sin="Greed", **ONCE
    ),
)
case("the book before a find", paper(f("Sorcerer", KORAKTOR, up=("Slavemaster",))), "not-offered")
# --- Envious Eyes
EYES = {"upgrade": "Envious Eyes", "choices": {"item": "Machine Gun"}}
case("a stranger's gun", paper(f("Praetor", "Machine Gun", up=(EYES,)), sin="Envy"))  # type: ignore[arg-type]
case("a Sorcerer's stranger's gun", paper(f("Sorcerer", "Machine Gun", up=(EYES,)), sin="Envy"))  # type: ignore[arg-type]
case("the same unsaid", paper(f("Sorcerer", "Machine Gun", up=("Envious Eyes",)), sin="Envy"))
case("on somebody else", paper(f("Praetor", up=(EYES,)), f("Hell Knight", "Machine Gun"), sin="Envy"), "not-offered")  # type: ignore[arg-type]
case("two of them", paper(f("Praetor", "Machine Gun", "Jezzail", up=(EYES,)), sin="Envy"), "hands", "not-offered")  # type: ignore[arg-type]
case("without the power", paper(f("Praetor", "Machine Gun"), sin="Envy"), "not-offered")
# --- patrons and mercenaries
case("the Infernal Noble", court(patron="Infernal Noble"))
case("Mammon under Greed", court(patron="Mammon", sin="Greed"))
case("Mammon under Pride", court(patron="Mammon"), "patron")
case("a saint's patronage", court(patron="Warrior Saint"), "patron")
case("three mercenaries", court(f("Goetic Warlock"), f("Scripture Guardian"), f("Sin Eater")))
case("two Sin Eaters", court(f("Sin Eater"), f("Sin Eater")), "too-many")
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
    assert len(army.item_offers) == 41
    assert sum(o.price.ducats for o in army.item_offers) == 504
    assert sum(o.price.glory for o in army.item_offers) == 45
    assert sum(o.limit or 0 for o in army.item_offers) == 31
    assert len(army.upgrade_offers) == 23
    assert sum(o.price.ducats for o in army.upgrade_offers) == 285
    assert sum(o.limit or 0 for o in army.upgrade_offers) == 15
    powers = {sin: sorted(o.upgrade for o in army.upgrade_offers if o.rule == sin) for sin in SINS}
    assert {sin: len(found) for sin, found in powers.items()} == dict.fromkeys(SINS, 3)


@pytest.mark.parametrize("sin", SINS)
def test_each_sin_gives_its_saint_one_aura(sin: str) -> None:
    force, _ = GAME.documents.read_document(paper(PRAETOR, f(SAINT), sin=sin))
    view = GAME.views(CONTENT, force)[force.fighters[1].key]
    auras = [a.name for a in view.abilities if a.name.startswith("Aura of")]
    assert auras == ["Aura of Famine" if sin == "gluttony" else f"Aura of {sin.title()}"]


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


def test_offers_follow_the_sin_and_the_book() -> None:
    force, _ = GAME.documents.read_document(paper(f("Sorcerer", up=("Slavemaster",)), sin="Sloth"))
    key = force.fighters[0].key
    names = {o.name for o in GAME.shop.upgrade_offers(CONTENT, force, key)}
    assert names == {"Slavemaster", "Burning Inferno", "Morphean Mind", "Charm of Acedia", "Daemonium Meridianum"}
    bookish, _ = GAME.documents.read_document(
        paper(f("Sorcerer", KORAKTOR, up=("Slavemaster",)), sin="Sloth", mode="one-off")
    )
    offers = {o.name: o.state for o in GAME.shop.upgrade_offers(CONTENT, bookish, bookish.fighters[0].key)}
    assert len(offers) == 23
    assert offers["Blind Rage"] == "open"


def test_founding_asks_for_the_sin_and_knows_its_patrons() -> None:
    (choice,) = [x for x in GAME.founding.lists(CONTENT) if x.id == LIST]
    (asked,) = choice.choices
    assert (asked.key, asked.optional, [value for value, _ in asked.options]) == ("sin", False, list(SINS))
    assert [p for p, _ in choice.patrons] == ["infernal-noble", "mammon"]


def test_a_patron_that_one_sin_opens_is_told_so() -> None:
    document = {**GAME.founding.sample(CONTENT, "crimson-assize"), "patron": "Mammon"}
    told = [p["mend"] for p in judged(document)["problems"] if p["code"] == "patron"]
    greedy = {**document, "choices": {**document["choices"], "sin": "Greed"}}
    assert len(told) == 1
    assert told[0].startswith("Greed would open it; else choose ")
    assert "patron" not in [p["code"] for p in judged(greedy)["problems"]]


@pytest.mark.parametrize(("sample", "ducats"), [("gilded-yoke", 700), ("crimson-assize", 698)])
def test_its_samples_are_legal(sample: str, ducats: int) -> None:
    answer = judged(GAME.founding.sample(CONTENT, sample))
    assert (answer["legal"], answer["rating"]) == (True, {"ducats": ducats, "glory": 0})
