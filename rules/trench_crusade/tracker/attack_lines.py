"""What the dice of an attack come to in every state of its target, as rows that are read without any rule.

A row is a tree of throws with its dice and its numbers apart: switches and circumstances add to these. Where one changes
more than dice and numbers, there is a row with it and a row without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import msgspec

from rules.content.compiled import Content
from rules.content.play import EditionPlay
from rules.force import Force
from rules.problems import Refusal
from rules.resolvers.roller import Changes, Resolved, Roller
from rules.resolvers.situation import Toggle
from rules.resolvers.tree import Branch, tree_of
from rules.translation import gettext
from rules.trench_crusade.resolvers import injury
from rules.trench_crusade.resolvers.attack import INJURIES, STRIKES_OTHERS, cut_short, did_miss, injury_of, one_attack
from rules.trench_crusade.resolvers.attack_situation import input_of
from rules.trench_crusade.resolvers.brings import conditions
from rules.trench_crusade.resolvers.hit import hit_changes, is_roll_to_hit
from rules.trench_crusade.resolvers.injury import injury_changes, injury_flats
from rules.trench_crusade.resolvers.inputs import AgainstDown, Attack, DiceModifier, Injury, Target, words_of
from rules.trench_crusade.resolvers.sides import Sides, sides_of, with_told
from rules.trench_crusade.resolvers.weapon_lines import ONE_TARGET
from rules.trench_crusade.tracker.attack_need import is_plain

# A word is a switch of the form, or begins with whom the table asks about: "a:" the attacker, "t:" the target. "hit" means that all earlier
# attacks of the same ACTION hit this target.
DOWN, TARGET_DOWN, READY, MARKED = "a:down", "t:down", "t:ready", "t:blood"
ALL_HIT = "hit"
TOLD_BY: Mapping[str, str] = {DOWN: "down", TARGET_DOWN: "target_down", READY: "target_to_act"}
USED = ("tough_used", "ignores_out_used", "first_down_used")
BLOODBATH = "bloodbath"
CRITICAL_HIT = "critical"  # of those in a blast: the hit that caught them was a Critical Success
AT_POINT, LANDED = "at_point", "landed"
# What cannot be spent beside a switch: no injury of the target is rolled, or no hit.
CLOSES: Mapping[str, tuple[str, ...]] = {
    AT_POINT: ("injury_blood_spent", "injury_blessing_spent", BLOODBATH),
    LANDED: ("blood_spent", "blessing_spent"),
}
COUNTED: Mapping[str, str] = {"own_blood": "a:blood", "target_blood": MARKED}
OFFERED_APART = frozenset({"down", "target_down", "around", "target_to_act", "dice", "injury_dice", *COUNTED})
SPENT = ("blood_spent", "blessing_spent", "injury_blood_spent", "injury_blessing_spent")
Figures = tuple[int, int, int, int]  # dice and number of the hit, dice and number of the injury
NOTHING: Figures = (0, 0, 0, 0)
HIT, INJURY = 0, 1
IGNORING = "IGNORE ARMOUR"
_OF_THE_FIRST = frozenset({*SPENT, BLOODBATH, "bloodbath_cost"})
_OF_A_LINE = AgainstDown.__struct_fields__
# Fields that change dice and numbers alone, of the attack and of its target.
_FIGURES_OF_TARGET: Mapping[str, Any] = {
    "resistances": (),
    "fear": False,
    "polearm": False,
    "base": None,
    "keywords": (),
}
_FIGURES: Mapping[str, Any] = {
    "modifiers": (), "injury_modifiers": (), "ranged": 0, "melee": 0, "dice": 0, "down": False, "cover": False, "elevated": False,
    "long_range": False, "off_hand": False, "defended_obstacle": False, "charged": False, "diving_charge": False, "unarmed": False,
    "fear_immune": False, "pistol": False, "by_ranged": False, "grenade": False, "weapon": "",
    "modifier": 0, "injury_dice": 0, "injury_modifier": 0, "injury_modifier_why": "", "injury_flats": (),
    "armour": 0, "shield": 0, "unignorable_armour": 0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ending:
    """What one attack does, as a device applies it. `hurts`: an injury was rolled. One that `missed` also ends the Activation of a fighter whose side is Shaken, unless it is `steady`. `critical` is told of weapons that catch others besides."""

    outcome: str
    hurts: bool = False
    markers: tuple[tuple[str, int], ...] = ()
    spent: int = 0
    down: bool = False
    out: bool = False
    facts: tuple[str, ...] = ()
    own: tuple[tuple[str, int], ...] = ()
    falls: bool = False
    ends: bool = False
    stops: bool = False
    missed: bool = False
    steady: bool = False
    critical: bool = False


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw of a shape: `part` is HIT or INJURY, whose dice and number are added to `net` and taken from the cuts."""

    part: int
    base: int
    net: int
    cuts: tuple[int, ...]
    flags: tuple[int, int, int, int]  # dice set to 6; the lowest turned to 6; the highest to 1; a 1 spoils it
    then: tuple[Throw | Ending, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One attack: `words` choose the row, `adds` are added to it, `beside` where two of them hold at once. `after`: only if the one
    before it hit.
    """

    after: bool
    words: tuple[str, ...]
    rows: tuple[tuple[Throw | Ending, Figures], ...]
    adds: tuple[tuple[str, Figures], ...]
    beside: tuple[tuple[str, str, Figures], ...]


@dataclass(frozen=True, slots=True)
class AttackLines:
    """The attacks of one ACTION with a weapon against one target, in order; what the form offers; the most markers that may be spent.

    `bloodbath` is what that takes of a target that stands, and of one that is Down. `plain`: results may be told in place of faces.
    `catches` names what strikes others besides: "blast", "others", or "". `bound`: all its attacks go at one target.
    """

    lines: tuple[Line, ...]
    toggles: tuple[Toggle, ...]
    spent: tuple[int, ...]
    bloodbath: tuple[int, int]
    plain: bool
    catches: str = ""
    bound: bool = False


def attack_lines(content: Content, mine: tuple[Force, str], arm: str, theirs: tuple[Force, str]) -> AttackLines:
    """Return the rows of one way to attack one target. Raises Refusal for an attack that reads single dice."""
    asked = _Asked(content, sides_of(content, mine, arm, theirs, {}))
    toggles = {toggle.key: toggle for toggle in asked.toggles}
    offered = [each for each in asked.toggles if each.key not in OFFERED_APART and each.key not in SPENT]
    if asked.catches == "blast":
        offered.append(Toggle(AT_POINT, gettext("Aimed at a point, not at a fighter")))
        offered.append(Toggle(LANDED, gettext("It landed there: no roll to hit")))
    return AttackLines(
        lines=tuple(_line(asked, index, offered) for index in range(asked.count)),
        toggles=tuple(offered),
        spent=tuple(toggles[name].most if name in toggles else 0 for name in SPENT),
        bloodbath=(asked.bloodbath_price(()), asked.bloodbath_price((TARGET_DOWN,))),
        plain=is_plain(asked.given(frozenset())),
        catches=asked.catches,
        bound=ONE_TARGET in asked.given(frozenset())[0].get("keywords", ()),
    )


def caught_line(content: Content, mine: tuple[Force, str], arm: str, other: tuple[Force, str]) -> Line | None:
    """Return the injury of somebody whom a weapon strikes besides its target, None for a weapon that strikes nobody else. Raises Refusal."""
    asked = _Caught(content, sides_of(content, mine, arm, other, {"around": 1}))
    if not asked.catches:
        return None
    offered = [each for each in asked.toggles if each.key not in OFFERED_APART and each.key not in SPENT]
    return _line(asked, 0, [each for each in offered if each.key != BLOODBATH])


# Keywords that change more than dice and numbers.
SHAPING = frozenset({
    *injury.MARKING, *injury.MORE_BLOOD, injury.INFECTS, injury.INFECTS_MORE, injury.INFECTS_ALWAYS, injury.TAKEN_DOWN, injury.NO_ROLL,
    injury.NO_MARKERS, injury.DOUBLED, injury.SET_SIX, injury.TURNED_SIX, injury.TURNED_ONE, injury.DOWN_FIRST, injury.MINOR_IS_DOWN,
    "CRITICAL", "DEADLY", "FLAMETHROWER", "RELOAD", "RISKY",
})  # fmt: skip
# Switches that set a field of the attack and nothing else, unless a text asks for them.
_FIELDS = frozenset({
    "long_range", "cover", "elevated", "off_hand", "defended_obstacle", "charged", "diving_charge", BLOODBATH, AT_POINT, LANDED,
})  # fmt: skip
_FIELD_OF = {LANDED: "automatic_hit"}
# Words that the rules of the roll themselves read together.
_TOGETHER = (
    (TARGET_DOWN, "defended_obstacle"), ("diving_charge", "defended_obstacle"), ("charged", "diving_charge"), (AT_POINT, "cover"),
)  # fmt: skip


class _Asked:
    """One way to attack one target, asked about under many words. `matters` are the words that texts ask for, `pairs` those that they
    ask for together."""

    def __init__(self, content: Content, sides: Sides) -> None:
        play = content.pack.play
        assert play is not None
        self.play: EditionPlay = play
        self.sides = sides
        self.cache: Any = content.cache.setdefault("attack-trees", {})
        self._given: dict[frozenset[tuple[str, int]], tuple[Mapping[str, Any], ...]] = {}
        self._converted: dict[tuple[Any, int], Attack] = {}
        self.toggles, found = input_of(sides)
        self._given[frozenset()] = tuple(found.get("attacks", (found,)))
        self.count = len(self.given(frozenset()))
        self.catches = _catches(self.given(frozenset()))
        self.matters, self.pairs = _conditions(sides)
        if found.get("bloodbath_cost") is not None or any(one.effect.bloodbath for one in sides.bearings):
            self.matters |= {TARGET_DOWN, BLOODBATH}

    def given(self, told: frozenset[tuple[str, int]]) -> tuple[Mapping[str, Any], ...]:
        known = self._given.get(told)
        if known is None:
            _, found = input_of(with_told(self.sides, dict(told)))
            known = self._given[told] = tuple(found.get("attacks", (found,)))
        return known

    def attack(self, words: Iterable[str], index: int) -> Attack:
        """Return the attack of this place where these words hold."""
        words = frozenset(words)
        told = frozenset(_told(word for word in words if self._is_asked(word)))
        key = (told, index)
        plain = self._converted.get(key)
        if plain is None:
            attacks = self.given(told)
            found = {name: value for name, value in attacks[0].items() if name in _OF_THE_FIRST}
            given = {**attacks[min(index, len(attacks) - 1)], **found}
            plain = self._converted[key] = msgspec.convert(given, Attack)
        down = TARGET_DOWN in words
        direct = {_FIELD_OF.get(word, word): True for word in words if word in _FIELDS and not self._is_asked(word)}
        if AT_POINT in words:
            direct[BLOODBATH] = False
        target = _stands(plain.target, words, down=down)
        attack = msgspec.structs.replace(plain, down=DOWN in words, target=target, weapon="", **direct)
        if attack.against_down is not None and down:
            line = {name: getattr(attack.against_down, name) for name in _OF_A_LINE}
            attack = msgspec.structs.replace(attack, **line)
        return msgspec.structs.replace(attack, against_down=None, after_hit=False)

    def bloodbath_price(self, words: tuple[str, ...]) -> int:
        """Return how many markers a Bloodbath takes, at least one."""
        attack = self.attack((*words, BLOODBATH), 0)
        return max(1, injury.bloodbath_cost(attack.target, attack.bloodbath_cost))

    def _is_asked(self, word: str) -> bool:
        """Return whether the input of the attack is another one where this word holds."""
        return word.partition("=")[0] in self.matters or word not in {*_FIELDS, DOWN, TARGET_DOWN, READY}

    @property
    def further(self) -> tuple[str, ...]:
        """The words that bear on this row beside those of every attack."""
        return ()

    def are_read_together(self, one: str, other: str) -> bool:
        names = frozenset((one.partition("=")[0], other.partition("=")[0]))
        return bool(names & self.pairs.get("", frozenset())) or any(names <= pair for pair in self.pairs["both"])

    def row(self, words: Iterable[str], index: int) -> tuple[Throw | Ending, Figures]:
        """Return the shape of an attack, and its figures."""
        words = frozenset(words)
        attack = self.attack(words, index)
        figures = self._figures(attack)
        negates = tuple(word for word in attack.target.negates if word in SHAPING)
        target = msgspec.structs.replace(attack.target, **_FIGURES_OF_TARGET, negates=negates)
        bare = msgspec.structs.replace(
            attack, **_FIGURES, in_blast=self._in_blast(attack, figures), target=target, keywords=tuple(sorted(words_of(attack.keywords) & SHAPING)),
            critical_keywords=tuple(sorted(words_of(attack.critical_keywords) & SHAPING)),
        )  # fmt: skip
        if eased := self._eased(attack):
            bare = msgspec.structs.replace(bare, armour=-eased, critical_keywords=(*bare.critical_keywords, IGNORING))
        key = (self.play, bare, ALL_HIT in words, bool(self.catches))
        known = self.cache.get(key)
        if known is None:
            known = self.cache[key] = (self._shape(bare, all_hit=ALL_HIT in words), self._figures(bare))
        shape, own = known
        return shape, _less(figures, own)

    def _eased(self, attack: Attack) -> int:
        """Return the number that keywords of a Critical Success alone add to its injury, such as armour that they ignore."""
        if not words_of(attack.critical_keywords) - SHAPING:
            return 0
        shaping = tuple(sorted(words_of(attack.critical_keywords) & SHAPING))
        with_all = self._injury(attack, critical=True)
        without = self._injury(msgspec.structs.replace(attack, critical_keywords=shaping), critical=True)
        if with_all[0] != without[0] or with_all[1] < without[1]:
            raise Refusal(gettext("These keywords of a Critical Success need a connection."), code="told")
        return with_all[1] - without[1]

    def _in_blast(self, attack: Attack, direct: Figures) -> AgainstDown | None:
        """Return the line of a near miss, its dice and number as what they are beside those of a direct hit."""
        if attack.in_blast is None:
            return None
        line = {name: getattr(attack.in_blast, name) for name in _OF_A_LINE}
        near = _less(self._figures(msgspec.structs.replace(attack, **line)), direct)
        return msgspec.structs.replace(
            attack.in_blast,
            modifiers=(), injury_modifiers=(DiceModifier(dice=near[2]),) if near[2] else (),
            injury_modifier=near[3], injury_modifier_why="",
            keywords=tuple(sorted(words_of(attack.in_blast.keywords) & SHAPING)),
            critical_keywords=tuple(sorted(words_of(attack.in_blast.critical_keywords) & SHAPING)),
        )  # fmt: skip

    def _figures(self, attack: Attack) -> Figures:
        keywords = words_of(attack.keywords)
        return (Changes(hit_changes(self.play, attack, keywords)).net, attack.modifier, *self._injury(attack))

    def _injury(self, attack: Attack, *, critical: bool = False) -> tuple[int, int]:
        """Return the dice and the number of the injury."""
        return self._counts(injury_of(attack, attack.target, words_of(attack.keywords), critical=critical))

    def _counts(self, hurt: Injury) -> tuple[int, int]:
        resisted = words_of(hurt.keywords) - words_of(hurt.target.negates)
        return (
            injury_changes(self.play, hurt, resisted).net,
            sum(number for number, _ in injury_flats(self.play, hurt, resisted)),
        )

    def _shape(self, attack: Attack, *, all_hit: bool) -> Throw | Ending:
        shaken = msgspec.structs.replace(attack, shaken=True)
        calm = tree_of(lambda roller: one_attack(self.play, attack, roller, all_hit=all_hit))
        catches = bool(self.catches)
        if not attack.averted:
            return _shape(calm, calm, catches=catches)
        uneasy = tree_of(lambda roller: one_attack(self.play, shaken, roller, all_hit=all_hit))
        return _shape(calm, uneasy, catches=catches)


class _Caught(_Asked):
    """The injury of somebody whom a weapon strikes besides its target: nothing is rolled to hit, and nobody spends markers on it.

    What the weapon adds comes from the attack as it would be on this fighter: of the dice on the target nothing is left.
    """

    def given(self, told: frozenset[tuple[str, int]]) -> tuple[Mapping[str, Any], ...]:
        return super().given(told | {("around", 1)})

    @property
    def further(self) -> tuple[str, ...]:
        return (CRITICAL_HIT,) if self.play.blast_critical == "all" else ()

    def are_read_together(self, one: str, other: str) -> bool:
        return CRITICAL_HIT in (one, other) or super().are_read_together(one, other)

    def row(self, words: Iterable[str], index: int) -> tuple[Throw | Ending, Figures]:
        words = frozenset(words)
        attack = self.attack(words - {CRITICAL_HIT}, 0)
        hurt = injury_of(attack, attack.target, words_of(attack.keywords), critical=CRITICAL_HIT in words)
        negates = tuple(word for word in attack.target.negates if word in SHAPING)
        bare = msgspec.structs.replace(
            hurt,
            **_FIGURES_OF_INJURY,
            keywords=tuple(sorted(words_of(hurt.keywords) & SHAPING)),
            target=msgspec.structs.replace(hurt.target, **_FIGURES_OF_TARGET, negates=negates),
        )
        key = (self.play, bare)
        known = self.cache.get(key)
        if known is None:
            tree = tree_of(lambda roller: self._alone(bare, roller))
            known = self.cache[key] = (_shape(tree, tree), self._counts(bare))
        shape, own = known
        return shape, _less((0, 0, *self._counts(hurt)), (0, 0, *own))

    def _alone(self, hurt: Injury, roller: Roller) -> Resolved:
        done = injury.resolve_injury(self.play, hurt, roller)
        return Resolved(done.outcome, done.told, effects=done.effects, steps=(done,))


# Fields of an injury that change dice and numbers alone.
_FIGURES_OF_INJURY: Mapping[str, Any] = {
    "dice": 0, "modifiers": (), "modifier": 0, "modifier_why": "", "flats": (), "armour": 0, "shield": 0, "unignorable_armour": 0,
    "diving_charge": False, "unarmed": False,
}  # fmt: skip


def _catches(attacks: Iterable[Mapping[str, Any]]) -> str:
    """Return what strikes others than the target: "blast", "others", or ""."""
    keywords = {word for attack in attacks for word in attack["keywords"]}
    return "blast" if "BLAST" in keywords else "others" if STRIKES_OTHERS in keywords else ""


def _conditions(sides: Sides) -> tuple[frozenset[str], Mapping[str, Any]]:
    """Return the words that texts of either side ask for, and those that they ask for together; "" holds those read beside any other."""
    words: set[str] = set()
    both: list[frozenset[str]] = [frozenset(pair) for pair in _TOGETHER]
    beside_all: set[str] = set()
    covering: set[str] = set()
    for one in sides.bearings:
        asked = {_WORD.get(key, key) for key in conditions(one)}
        words |= asked
        if len(asked) > 1:
            both.append(frozenset(asked))
        if one.effect.covered or one.effect.uncovered:
            covering |= asked
        if one.effect.bloodbath or one.effect.bloodbath_cost:
            both += [frozenset((word, other)) for word in asked for other in (BLOODBATH, TARGET_DOWN)]
        if one.effect.gives or one.effect.ignores or one.effect.gives_against:
            beside_all |= asked
    both += [frozenset({*covering, "cover", "defended_obstacle", "charged"})] if covering else []
    return frozenset(words), {"both": tuple(both), "": frozenset(beside_all)}


_WORD = {**{told: word for word, told in TOLD_BY.items()}, **COUNTED}


def _told(words: Iterable[str]) -> Iterator[tuple[str, int]]:
    for word in words:
        if word in TOLD_BY:
            yield TOLD_BY[word], 1
        elif ":" in word:
            name, _, count = word.partition("=")
            told = next((key for key, value in COUNTED.items() if value == name), "")
            if told:
                yield told, int(count or 1)
        elif word != ALL_HIT:
            name, _, count = word.partition("=")
            yield name, int(count or 1)


def _stands(target: Target, words: frozenset[str], *, down: bool) -> Target:
    """Return the target as it stands, its markers unknown: a device keeps them to their most."""
    changes: dict[str, Any] = {"down": down, "tough_used": "t:tough_used" in words, "name": ""}
    if "t:ignores_out_used" in words:
        changes["ignores_out"] = False
    if "t:first_down_used" in words:
        changes |= {"first_down": "", "first_down_tough": False}
    if any(word.startswith(MARKED) for word in words):
        changes |= {"unmarked_down_is_minor": False, "unmarked_minor_is_nothing": False}
    return msgspec.structs.replace(target, **changes)


# --- one attack as rows


def _line(asked: _Asked, index: int, offered: Iterable[Toggle]) -> Line:
    words = tuple(_words(asked, index, offered))
    base, plain = asked.row((), index)
    single = {word: asked.row((word,), index) for word in words}
    shaping = [word for word in words if single[word][0] != base]
    pairs = [pair for pair in combinations(words, 2) if asked.are_read_together(*pair) and not _exclude(*pair)]
    for one, other in pairs:
        both = asked.row((one, other), index)[0]
        shaping += [other] if both != single[one][0] and other not in shaping else []
        shaping += [one] if both != single[other][0] and one not in shaping else []
    adds = {word: _less(single[word][1], plain) for word in words}
    beside = [
        (one, other, more)
        for one, other in pairs
        if (more := _less(asked.row((one, other), index)[1], _sum(single[one][1], adds[other]))) != NOTHING
    ]
    met = Counter(word for one, other, _ in beside for word in (one, other))
    for one, other, _ in beside:
        if met[one] > 1 or met[other] > 1:
            shaping += [word for word in (one, other) if word not in shaping]
    beside = [each for each in beside if not {*each[:2]} <= {*shaping}]
    rows = tuple(asked.row(held, index) for held in _subsets(shaping))
    adds = {word: more for word, more in adds.items() if word not in shaping}
    told = tuple((word, figures) for word, figures in adds.items() if figures != NOTHING)
    after = bool(asked.given(frozenset())[index].get("after_hit"))
    return Line(after, tuple(shaping), rows, told, tuple(beside))


def _words(asked: _Asked, index: int, offered: Iterable[Toggle]) -> Iterator[str]:
    """Yield what may bear on an attack: circumstances, what the target has used up, switches, what earlier attacks did."""
    keys = {toggle.key: toggle for toggle in asked.toggles}
    target = asked.attack((), index).target
    yield TARGET_DOWN
    for word, told in TOLD_BY.items():
        if told in keys and word != TARGET_DOWN:
            yield word
    features = (target.tough, target.ignores_out, bool(target.first_down))
    yield from (f"t:{word}" for word, there in zip(USED, features, strict=True) if there)
    for told, word in COUNTED.items():
        if told in keys:
            counts = [asked.row((f"{word}={count}",), index) for count in range(1, 7)]
            yield from [word] if all(each == counts[0] for each in counts) else [f"{word}={n}" for n in range(1, 7)]
    if (target.unmarked_down_is_minor or target.unmarked_minor_is_nothing) and "target_blood" not in keys:
        yield MARKED
    for toggle in offered:
        yield from [toggle.key] if toggle.is_switch else [f"{toggle.key}={n}" for n in range(1, toggle.most + 1)]
    if asked.given(frozenset())[index].get("all_hit_out"):
        yield ALL_HIT
    yield from asked.further


def _exclude(one: str, other: str) -> bool:
    """Return whether two words are counts of the same thing."""
    return "=" in one and one.partition("=")[0] == other.partition("=")[0]


def _subsets(words: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the words that hold, for every number whose bits are the words."""
    for bits in range(2 ** len(words)):
        yield tuple(word for place, word in enumerate(words) if bits >> place & 1)


def _less(one: Figures, other: Figures) -> Figures:
    return tuple(a - b for a, b in zip(one, other, strict=True))  # type: ignore[return-value]


def _sum(one: Figures, other: Figures) -> Figures:
    return tuple(a + b for a, b in zip(one, other, strict=True))  # type: ignore[return-value]


# --- the shape of an attack


def _shape(calm: Branch | Resolved, shaken: Branch | Resolved, *, catches: bool = False) -> Throw | Ending:
    """Return the shape of a tree. `shaken` is the tree of a Shaken side where that is not plain from a miss. `catches`: others are struck
    besides, so that it matters whether the hit was a Critical Success."""
    if isinstance(calm, Resolved) or isinstance(shaken, Resolved):
        assert isinstance(calm, Resolved)
        assert isinstance(shaken, Resolved)
        found = _ending(calm)
        if catches and any(step.outcome == "critical" for step in calm.steps):
            found = replace(found, critical=True)
        return replace(found, steady=True) if calm is not shaken and not _ending(shaken).ends else found
    throw, pool = calm.throw, calm.throw.pool
    return Throw(
        part=HIT if is_roll_to_hit(throw.why) else INJURY,
        base=pool.base,
        net=pool.net,
        cuts=throw.cuts,
        flags=(pool.sixes, int(pool.turned), int(pool.lowered), int(pool.flawed)),
        then=tuple(_shape(one, other, catches=catches) for one, other in zip(calm.then, shaken.then, strict=True)),
    )


def _ending(done: Resolved) -> Ending:
    """Return what an attack does to its target and its attacker."""
    hurt = next((step for step in done.steps if step.outcome in INJURIES), None)
    effects = hurt if hurt is not None else done if done.outcome == "failure" else Resolved("", "")
    markers = {kind: effects.summed(f"{kind}_markers") for kind in ("blood", "infection")}
    own = {kind: done.summed(f"own_{kind}_markers") for kind in ("blood", "blessing")}
    facts = tuple(name for name in USED if effects.effect(name))
    out, down = bool(effects.effect("out_of_action")), bool(effects.effect("goes_down"))
    return Ending(
        outcome=done.outcome,
        hurts=hurt is not None,
        markers=tuple((kind, count) for kind, count in markers.items() if count),
        spent=effects.summed("markers_spent") if hurt is not None else 0,
        down=down and not out,
        out=out,
        facts=facts,
        own=tuple((kind, count) for kind, count in own.items() if count),
        falls=bool(done.effect("attacker_down")),
        ends=bool(done.effect("activation_ends")),
        stops=cut_short(done),
        missed=did_miss(done),
    )
