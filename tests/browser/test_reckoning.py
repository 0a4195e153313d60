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
)
RUN = """async ([source, book, situations]) => {
    const script = await import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
    return situations.map(({fighter, arm, target, place, figures, faces, words, marks}) => {
        const switches = Object.entries(figures).map(([name, figure]) => figure > 1 || book.words.includes(`${name}=1`) ? `${name}=${figure}` : name);
        const run = script.attack(book, script.pairOf(book, fighter, arm, target), place, new Set([...words, ...switches]), script.moreDice(book, figures));
        let used = 0;
        let step = run.next();
        while (!step.done) {
            const fell = faces.slice(used, used + step.value.dice);
            used += step.value.dice;
            step = run.next({faces: fell});
        }
        const found = script.effects(book, step.value, marks, figures);
        return {dice: used, attacker: found.attacker, target: found.target};
    });
}"""


def plain(found: dict[str, Any], fighter: str, target: str, stays: bool, down: tuple[bool, bool]) -> dict[str, Any]:
    """What the device found, as the rules tell it: nothing of those to whom nothing happens."""
    told = {}
    for key, effect, was_down in ((fighter, found["attacker"], down[0]), (target, found["target"], down[1])):
        out = bool(effect.get("out"))
        each = {
            "marks": {} if out else {kind: count for kind, count in effect["marks"].items() if count},
            "down": bool(effect.get("down")) and not was_down,
            "out": out,
            "acted": bool(effect.get("acted")) and not stays,
            "facts": sorted(set(effect.get("facts", ()))),
        }
        if any(each.values()):
            told[key] = each
    return {"dice": found["dice"], "effects": told}


TABLES = [(edition, pair) for edition in EDITIONS for pair in PAIRS]
TWO = [(EDITIONS[0], PAIRS[1]), (EDITIONS[-1], PAIRS[0])]  # one of each edition


@pytest.mark.parametrize(("edition", "samples"), sampled(TABLES, 2, always=TWO))
def test_random_attacks_come_to_the_same(browser: Any, edition: str, samples: tuple[str, str]) -> None:
    table = Table(edition, samples)
    asked, expected = zip(*table.situations(1000 if WHOLE else 100, f"{edition} {samples}"), strict=True)
    page = browser.new_page()
    found = page.evaluate(RUN, [SCRIPT.read_text(encoding="utf-8"), table.book, list(asked)])
    page.close()
    for one, answer, told in zip(asked, expected, found, strict=True):
        words = set(one["words"])
        stays = "a:ready" not in words or one["goes_on"]
        mine = plain(told, one["fighter"], one["target"], stays, ("a:down" in words, "t:down" in words))
        assert mine == answer, one
