"""Random attacks at tables of both editions: what a device is given of each, and what the server's own rules make of it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.content.compiled import Content
from rules.dice import TypedDice
from rules.force import Force, ForceItem, ForceSkill, ForceUpgrade
from rules.resolvers.roller import TableDice
from rules.tracker.state import TableFighter, TableSide, TableState
from rules.trench_crusade.content import content_of
from rules.trench_crusade.game import SYSTEM
from rules.trench_crusade.resolvers.arms import arms, bare, profiles_by_list
from rules.trench_crusade.resolvers.inputs import USED_UP
from rules.trench_crusade.resolvers.rules import rule_named
from rules.trench_crusade.resolvers.series import following_attacks
from rules.trench_crusade.tracker import TrenchCrusadeTracker, tracker_of
from rules.trench_crusade.tracker.attack_book import attack_book
from rules.trench_crusade.tracker.attack_form import affords_bloodbath
from rules.trench_crusade.tracker.attack_run import RUN
from rules.trench_crusade.tracker.attack_words import SPENT

FACES = 80
SPARES = "sacrificial-lamb"


MIXED = "mixed"


def _sample(content: Content, sample: str) -> Force:
    found, _ = SYSTEM.documents.read_document(SYSTEM.founding.sample(content, sample))
    return found


def mixed(content: Content, seed: str) -> Force:
    """Return a warband that no book allows: fighters of one list with any weapons, skills and upgrades of the edition."""
    chance = random.Random(f"{content.pack.edition} {seed}")
    weapons = [item.id for item in content.pack.items if item.weapon]
    lists = [entries for _, entries in profiles_by_list(content)]
    rows = []
    for number, (key, _name) in enumerate(chance.choices(chance.choice(lists), k=8)):
        list_id, _, profile = key.partition(".")
        plain = bare(content, profile, list_id)
        row = plain.fighters[0]
        kit = (*row.kit, *(ForceItem(f"w{n}", item) for n, item in enumerate(chance.sample(weapons, 2))))
        kit += (ForceItem("s", SPARES),) * (number < 3)
        skills = tuple(ForceSkill(f"s{n}", one.id) for n, one in enumerate(chance.sample(content.pack.skills, 1)))
        upgrades = tuple(ForceUpgrade(f"u{n}", one.id) for n, one in enumerate(chance.sample(content.pack.upgrades, 1)))
        rows.append(replace(row, key=f"f{number}", kit=kit, skills=skills, upgrades=upgrades))
    return replace(plain, fighters=tuple(rows))


@dataclass
class Table:
    """Two warbands of an edition at a table: samples, or mixed ones."""

    edition: str
    samples: tuple[str, str]

    def __post_init__(self) -> None:
        self.content = content_of(self.edition)
        self.forces: dict[str, Force] = {}
        fighters: list[TableFighter] = []
        bare = tracker_of(self.content)
        for side, sample in zip("12", self.samples, strict=True):
            found = mixed(self.content, sample) if sample.startswith(MIXED) else _sample(self.content, sample)
            rows = tuple(replace(row, key=f"{side}-{row.key}") for row in found.fighters)
            self.forces[side] = force = replace(found, fighters=rows)
            views = SYSTEM.views(self.content, force)
            fighters += [
                TableFighter(key=row.key, side=side, name=row.name, facts=bare.facts(views[row.key])) for row in rows
            ]
        self.state = TableState(sides=tuple(TableSide(key=side, name=side) for side in "12"), fighters=tuple(fighters))
        self.tracker: TrenchCrusadeTracker = bare.bound(self.forces.get)
        self.book = attack_book(self.content, self.forces, frozenset("12"))

    def situations(self, count: int, seed: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """Yield attacks, each with what the server makes of it. Every way to attack comes first, then random ones."""
        chance = random.Random(seed)
        ways = [
            (side, row.key, arm.key)
            for side, force in self.forces.items()
            for row in force.fighters
            for arm in arms(self.content, force, row.key)
        ]
        chance.shuffle(ways)
        for number in range(count):
            side, fighter, arm = ways[number % len(ways)]
            target = chance.choice(self.forces["2" if side == "1" else "1"].fighters).key
            yield self._situation(chance, fighter, arm, target)

    def morale(self, count: int, seed: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """Yield sides at the end of a turn, each with whether the server asks for a test, and what it comes to."""
        chance = random.Random(seed)
        for _number in range(count):
            turn = chance.randint(1, 5)
            fighters = tuple(
                replace(each, down=fate == "down", out=fate == "out", there=fate != "away")
                for each in self.state.fighters
                for fate in chance.choices(("", "down", "out", "away"), (4, 3, 2, 1))
            )
            side = replace(
                self.state.side("1"),
                tested=chance.choice((0, turn - 1, turn)),
                shaken=chance.choice((0, turn, turn + 1)),
                failed=chance.random() < 0.4,
            )
            rule = chance.choice(("", "shaken", "other"))
            state = replace(self.state, turn=turn, fighters=fighters, morale=rule).with_side(side)
            (agreed,) = self.book["morale"]["asks"]
            figures = {
                name: figure
                for name, figure in ((agreed, chance.randint(0, 1)), ("dice", chance.randint(-2, 2)))
                if figure
            }
            faces = [chance.randint(1, 6) for _ in range(FACES)]
            own = [each for each in fighters if each.side == "1" and each.there]
            asked = {
                "words": self.tracker.morale_words(state, {"1"}), "turn": turn, "figures": figures, "faces": faces, "count": len(own),
                "fallen": sum(each.down or each.out for each in own),
                "leads": any("leader" in self.tracker.words_of(each) and not each.out for each in own),
            }  # fmt: skip
            yield asked, self._tested(state, figures, faces)

    def _tested(self, state: TableState, figures: Mapping[str, int], faces: list[int]) -> dict[str, Any]:
        if not any(prompt.roll == "morale" and prompt.side == "1" for prompt in self.tracker.prompts(state)):
            return {"due": False}
        data = {"side": "1"} | {name: str(figure) for name, figure in figures.items()}
        rule, given = self.tracker.question(state, "morale", data)
        dice, table_rule = TypedDice(faces), rule_named(rule)
        found = table_rule.resolve(self.content, table_rule.read(given), TableDice(dice))
        act = self.tracker.rolled(state, "morale", data, found)
        return {"due": True, "dice": FACES - len(dice.left), "outcome": act.morale}

    def _situation(self, chance: random.Random, key: str, arm: str, at: str) -> tuple[dict[str, Any], dict[str, Any]]:
        shaken = chance.random() < 0.2
        fighter, target = (self._drawn(chance, self.state.fighter(each)) for each in (key, at))
        state = self.state.with_fighter(fighter).with_fighter(target)
        if shaken:
            state = state.with_side(replace(state.side(fighter.side), shaken=state.turn))
        data = {"fighter": key, "arm": arm, "target": at}
        book = self.book
        pair = book["pairs"][book["ways"][book["fighters"][key]][arm][book["targets"][at]]]
        switches, spent, *_ = book["offers"][pair[0]]
        offered = {book["words"][word]: most for word, most in switches}
        for (name, whose, kinds, *_), most in zip(book["spend"], spent, strict=True):
            who = fighter if whose == "a" else target
            paying = [kind for kind in kinds if not who.facts.get(f"keeps_{kind}")]
            offered[name] = min(most, sum(who.markers.get(kind, 0) for kind in paying))
        figures = {name: chance.randint(0, most) if chance.random() < 0.4 else 0 for name, most in offered.items()}
        figures |= {name: chance.randint(-2, 2) for name in ("dice", "injury_dice") if chance.random() < 0.2}
        if figures.get("bloodbath"):
            figures["injury_blood_spent"] = 0
            if not affords_bloodbath(target):
                figures["bloodbath"] = 0
        closed = {name for switch, names in book["closes"].items() if figures.get(switch) for name in names}
        figures = {name: figure for name, figure in figures.items() if figure and name not in closed}
        beside = book["around"].get(key, {}).get(arm, {})
        caught = [each for each in beside if each != at and chance.random() < 0.2]
        others = [self._drawn(chance, state.fighter(each)) for each in caught if each != key]
        for other in others:
            state = state.with_fighter(other)
        friend = self._mixed(chance, key, arm) if book["offers"][pair[0]][7] and not figures.get("at_point") else ""
        if friend and friend not in caught:
            state = state.with_fighter(self._drawn(chance, state.fighter(friend)))
        turns = book["offers"][pair[0]][6]
        bits = sum(2**n for n, word in enumerate(turns) if figures.get(book["words"][word]))
        place = chance.randrange(len(pair[1 + bits] if turns else pair[1:]))
        all_hit = place > 0 and chance.random() < 0.5
        if place:
            run = {
                "turn": state.turn,
                "given": data,
                "place": place + 1,
                "before": 0,
                "rest": self._rest(key, arm),
                "bound_to": "",
            }
            fighter = replace(
                fighter, acted=False, facts={**fighter.facts, RUN: {**run, "struck": at if all_hit else ""}}
            )
            state = state.with_fighter(fighter)
        faces = [chance.randint(1, 6) for _ in range(FACES)]
        words = (
            ["hit"] * all_hit
            + [f"a:{word}" for word in _words(fighter, shaken=shaken)]
            + [f"t:{word}" for word in _words(target)]
        )
        told = {name: str(n) for name, n in figures.items()} | ({"caught": ",".join(caught)} if caught else {})
        told |= {"friend": friend} if friend else {}
        answer, then = self._answer(state, data | told, faces)
        answer["then"] = then
        answer["asks"] = sorted(self._may_be_caught(state, data))
        answer["most"] = self._most(state, data)
        answer["mixed"] = sorted(self._may_be_mixed(state, data))
        asked_of = {
            "place": place, "fighter": key, "arm": arm, "target": at, "figures": figures, "faces": faces, "words": words,
            "friend": friend and {"key": friend, "marks": state.fighter(friend).markers, "words": [f"t:{word}" for word in _words(state.fighter(friend))]},
            "marks": {"a": fighter.markers, "t": target.markers}, "down": [each.key for each in state.fighters if each.down],
            "caught": [
                {"key": each, "marks": state.fighter(each).markers, "words": [f"t:{word}" for word in _words(state.fighter(each))]}
                for each in caught
            ],
        }  # fmt: skip
        return asked_of, answer

    def _mixed(self, chance: random.Random, fighter: str, arm: str) -> str:
        """Return a friend beside whom the target fights, or "" where it is not in melee."""
        way = self.book["mixed"][self.book["shooters"][fighter]][arm]
        mates = [mate for mate, column in self.book["mates"].items() if way[column] >= 0 and mate != fighter]
        return chance.choice(mates) if mates and chance.random() < 0.4 else ""

    def _may_be_caught(self, state: TableState, data: Mapping[str, str]) -> set[str]:
        asks = self.tracker.asking(state, "attack", data).asks
        return {key for asked in asks if asked.name == "caught" for key in asked.only}

    def _most(self, state: TableState, data: Mapping[str, str]) -> dict[str, int]:
        asks = self.tracker.asking(state, "attack", data).asks
        return {asked.name: asked.most for asked in asks if asked.name in SPENT}

    def _may_be_mixed(self, state: TableState, data: Mapping[str, str]) -> set[str]:
        asks = self.tracker.asking(state, "attack", data).asks
        return {key for asked in asks if asked.name == "friend" for key, _ in asked.options if key}

    def _rest(self, fighter: str, arm: str) -> list[list[Any]]:
        force = next(force for force in self.forces.values() if any(row.key == fighter for row in force.fighters))
        return [list(each) for each in following_attacks(self.content, force, fighter, arm)]

    def _drawn(self, chance: random.Random, fighter: TableFighter) -> TableFighter:
        kinds = [
            kind for kind in ("blood", "infection", "blessing") if chance.random() < (0.5 if kind == "blood" else 0.15)
        ]
        used = {name: True for name in USED_UP if chance.random() < 0.25}
        used |= {"keeps_infection": True} if "infection" in kinds and chance.random() < 0.3 else {}
        return replace(
            fighter,
            down=chance.random() < 0.3,
            acted=chance.random() < 0.4,
            markers={kind: chance.randint(1, 6) for kind in kinds},
            facts={**fighter.facts, **used},
        )

    def _answer(
        self, state: TableState, data: Mapping[str, str], faces: list[int]
    ) -> tuple[dict[str, Any], dict[str, Any] | None]:
        rule, given = self.tracker.question(state, "attack", data)
        dice, table_rule = TypedDice(faces), rule_named(rule)
        found = table_rule.resolve(self.content, table_rule.read(given), TableDice(dice))
        act = self.tracker.rolled(state, "attack", data, found)
        told = {}
        for effect in act.effects:
            each = {
                "marks": {} if effect.out else effect.markers,
                "down": effect.down is True,
                "out": effect.out,
                "acted": effect.acted is True,
                "facts": sorted(effect.facts.keys() - {RUN}),
            }
            if any(each.values()):
                told[effect.fighter] = each
        run = next((effect.facts[RUN] for effect in act.effects if effect.facts.get(RUN)), None)
        then: dict[str, Any] | None = None
        if run is not None:
            then = {"arm": act.then["arm"], "target": act.then.get("target", ""), "place": run["place"]}
            then["off_hand"] = bool(act.then.get("off_hand")) and run["place"] == 1
        return {"dice": FACES - len(dice.left), "effects": told}, then


def _words(fighter: TableFighter, *, shaken: bool = False) -> Iterator[str]:
    """Yield what a row of the table says of a fighter, as `wordsOf` in `static/js/table-now.js` reads it."""
    yield from ["down"] if fighter.down else []
    yield from ["ready"] if not fighter.acted else []
    yield from ["shaken"] if shaken else []
    yield from (name for name in (*USED_UP, "keeps_infection") if fighter.facts.get(name))
    for kind, count in fighter.markers.items():
        yield kind
        yield f"{kind}={count}"
