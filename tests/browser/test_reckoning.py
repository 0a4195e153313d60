"""The device's reckoning agrees with the rules: thousands of random attacks run through both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from rules.trench_crusade.content import EDITIONS
from tests.drills import WHOLE, sampled
from tests.table_situations import Table

SCRIPT = Path(settings.BASE_DIR) / "static" / "js" / "reckon.js"
PAIRS = (
    ("lantern-wardens", "gallows-choir"),
    ("third-breach", "brand-of-dis"),
    ("bronze-gate", "keys-of-peter"),
    ("six-armed-hunger", "rotten-crown"),
    ("gilded-yoke", "black-tide"),
    ("eagles-nest", "crimson-assize"),
    *((f"mixed-{2 * n}", f"mixed-{2 * n + 1}") for n in range(6)),
)
RUN = """async ([source, book, situations]) => {
    const script = await import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
    return situations.map(({fighter, arm, target, place, figures, faces, words, marks, caught, friend}) => {
        const pair = script.pairOf(book, fighter, arm, target);
        const switches = Object.entries(figures).map(([name, figure]) => figure > 1 || book.words.includes(`${name}=1`) ? `${name}=${figure}` : name);
        let used = 0;
        const finish = (run) => {
            let step = run.next();
            while (!step.done) {
                const fell = faces.slice(used, used + step.value.dice);
                used += step.value.dice;
                step = run.next({faces: fell});
            }
            return step.value;
        };
        const all = new Set([...words, ...switches]);
        const goesAtFriend = friend !== "" && finish(script.intoMelee(book)) === 0;
        const spent = goesAtFriend ? script.atFriend(book, figures) : figures;
        const own = words.filter((word) => word.startsWith("a:"));
        const atFriend = new Set([...own, ...(friend.words ?? []), ...switches.filter((word) => word.split("=")[0] in spent)]);
        const struck = goesAtFriend ? friend.key : target;
        const rows = goesAtFriend ? script.mixedPair(book, fighter, arm, struck) : pair;
        const ending = finish(script.attack(book, rows, place, goesAtFriend ? atFriend : all, script.moreDice(book, spent)));
        const found = script.effects(book, ending, goesAtFriend ? {...marks, t: friend.marks} : marks, spent);
        const who = [[fighter, found.attacker], [struck, found.target]];
        for (const other of ending.missed ? [] : caught.filter(({key}) => key !== struck)) {
            const held = [...own, ...other.words, ...switches, ...(ending.critical ? ["critical"] : [])];
            const hurt = finish(script.caught(book, script.around(book, fighter, arm)[other.key], new Set(held), figures.injury_dice ?? 0));
            who.push([other.key, script.effects(book, hurt, {a: {}, t: other.marks}, {}).target]);
        }
        const [, most] = book.offers[pair[0]];
        const told = (whose) => ({words: new Set(words.filter((word) => word.startsWith(`${whose}:`)).map((word) => word.slice(2))), marks: marks[whose]});
        const spendable = book.spend.map(([name, whose], n) => [name, script.mostSpent(book, n, most[n], told(whose))]);
        const gone = who.filter(([, effect]) => effect.out).map(([key]) => key);
        const run = {fighter, arm, target, place, rest: script.restOf(book, fighter, arm), bound: ""};
        return {dice: used, who, then: script.following(book, pair, run, all, ending, gone), around: book.offers[pair[0]][4] ? Object.keys(script.around(book, fighter, arm)) : [],
            most: Object.fromEntries(spendable.filter(([, count]) => count)), mixed: book.offers[pair[0]][7] ? Object.keys(book.mates).filter((key) => script.mixedPair(book, fighter, arm, key)) : []};
    });
}"""


def plain(found: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    """What the device found, as the rules tell it: nothing of those to whom nothing happens."""
    told: dict[str, Any] = {}
    stays = "a:ready" not in asked["words"] or found["then"] is not None
    for key, effect in found["who"]:
        before = told.get(key, {"marks": {}, "down": False, "out": False, "acted": False, "facts": []})
        out = bool(effect.get("out"))
        marks = {
            kind: effect["marks"].get(kind, 0) + before["marks"].get(kind, 0)
            for kind in {*effect["marks"], *before["marks"]}
        }
        told[key] = {
            "marks": {} if out else {kind: count for kind, count in marks.items() if count},
            "down": (bool(effect.get("down")) and key not in asked["down"]) or before["down"],
            "out": out,
            "acted": not out and ((bool(effect.get("acted")) and not stays) or before["acted"]),
            "facts": sorted({*effect.get("facts", ()), *before["facts"]}),
        }
        if out:
            told[key]["down"] = told[key]["down"] and before["down"]
    then = found["then"]
    return {
        "dice": found["dice"],
        "effects": {key: each for key, each in told.items() if any(each.values())},
        "then": then
        and {
            "arm": then["arm"],
            "target": then["target"],
            "place": then["place"] + 1,
            "off_hand": bool(then.get("isOffHand")),
        },
        "asks": sorted(key for key in found["around"] if key != asked["target"]),
        "mixed": sorted(found["mixed"]),
        "most": found["most"],
    }


TABLES = [(edition, pair) for edition in EDITIONS for pair in PAIRS]
TWO = [
    (EDITIONS[0], PAIRS[7]),
    (EDITIONS[-1], PAIRS[5]),
]  # one of each edition, the first of fighters that no book allows


@pytest.mark.parametrize(("edition", "samples"), sampled(TABLES, 2, always=TWO))
def test_random_attacks_come_to_the_same(browser: Any, edition: str, samples: tuple[str, str]) -> None:
    table = Table(edition, samples)
    asked, expected = zip(*table.situations(1000 if WHOLE else 100, f"{edition} {samples}"), strict=True)
    page = browser.new_page()
    found = page.evaluate(RUN, [SCRIPT.read_text(encoding="utf-8"), table.book, list(asked)])
    page.close()
    for one, answer, told in zip(asked, expected, found, strict=True):
        assert plain(told, one) == answer, one


MORALE = """async ([source, book, situations]) => {
    const script = await import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
    return situations.map(({words, turn, figures, faces, count, fallen, leads}) => {
        const [rule, , told] = words.split("|");
        const [tested, failed, shaken] = told.split("=")[1].split("/").map(Number);
        const side = {tested, failed, shaken, fled: false};
        if (!script.isMoraleDue(book, count, fallen, side, turn)) return {due: false};
        const run = script.morale(book, script.moraleWords(side, turn, rule, leads, Object.keys(figures)), figures.dice ?? 0);
        const {value: {dice}} = run.next();
        return {due: true, dice, outcome: run.next({faces: faces.slice(0, dice)}).value.is};
    });
}"""


@pytest.mark.parametrize("edition", EDITIONS)
def test_random_tests_of_morale_come_to_the_same(browser: Any, edition: str) -> None:
    table = Table(edition, PAIRS[0])
    asked, expected = zip(*table.morale(2000 if WHOLE else 400, edition), strict=True)
    page = browser.new_page()
    found = page.evaluate(MORALE, [SCRIPT.read_text(encoding="utf-8"), table.book, list(asked)])
    page.close()
    assert {"flees", "shaken", "holds", None} == {each.get("outcome") for each in expected}
    for one, answer, told in zip(asked, expected, found, strict=True):
        assert told == answer, one
