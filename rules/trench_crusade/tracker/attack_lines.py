"""What the dice of an attack come to in every state of its target, as rows that are read without any rule.

A row is a tree of throws with its dice and its numbers apart: switches and circumstances add to these. Where one changes
more than dice and numbers, there is a row with it and a row without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import msgspec

from rules.content.compiled import Content
from rules.content.play import EditionPlay
from rules.force import Force
from rules.problems import Refusal
from rules.resolvers.roller import Changes, Resolved, Roller
from rules.resolvers.situation import Toggle
from rules.resolvers.tree import tree_of
from rules.translation import gettext
from rules.trench_crusade.resolvers import injury
from rules.trench_crusade.resolvers.attack import STRIKES_OTHERS, injury_of, may_stray, one_attack
from rules.trench_crusade.resolvers.attack_situation import input_of
from rules.trench_crusade.resolvers.hit import hit_changes
from rules.trench_crusade.resolvers.injury import injury_changes, injury_flats
from rules.trench_crusade.resolvers.inputs import (
    DEFEATS,
    USED_UP,
    AgainstDown,
    Attack,
    DiceModifier,
    Injury,
    unresisted,
    words_of,
)
from rules.trench_crusade.resolvers.sides import Sides, sides_of, with_told
from rules.trench_crusade.resolvers.weapon_lines import ONE_TARGET
from rules.trench_crusade.tracker.attack_need import is_plain
from rules.trench_crusade.tracker.attack_shapes import NOTHING, Ending, Figures, Line, Throw, added, less, shape_of
from rules.trench_crusade.tracker.attack_words import (
    ALL_HIT,
    AT_POINT,
    BLOODBATH,
    COUNTED,
    CRITICAL_HIT,
    DOWN,
    LANDED,
    MARKED,
    OFFERED_APART,
    READY,
    SPENT,
    TARGET_DOWN,
    TOLD_BY,
    as_it_stands,
    conditions_of,
    exclude,
    told_of,
    turns_of,
)

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
class AttackLines:
    """The attacks of one ACTION with a weapon against one target, in order; what the form offers; the most markers that may be spent.

    `turns` are words that change how many attacks there are. `lines` then holds one list for each number whose bits are these words, else
    a single list. `closes` names what cannot be spent beside a switch. `bloodbath` is what that takes of a target that stands, and of one that is Down. `plain`: results may be told in place of faces.
    `catches` names what strikes others besides: "blast", "others", or "". `bound`: all its attacks go at one target. `strays`: into a
    melee, a die says first whether it goes at a friend.
    """

    lines: tuple[tuple[Line, ...], ...]
    toggles: tuple[Toggle, ...]
    spent: tuple[int, ...]
    bloodbath: tuple[int, int]
    plain: bool
    catches: str = ""
    bound: bool = False
    turns: tuple[str, ...] = ()
    closes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    strays: bool = False


def attack_lines(content: Content, mine: tuple[Force, str], arm: str, theirs: tuple[Force, str]) -> AttackLines:
    """Return the rows of one way to attack one target. Raises Refusal for an attack that reads single dice."""
    asked = _Asked(content, sides_of(content, mine, arm, theirs, {}))
    toggles = {toggle.key: toggle for toggle in asked.toggles}
    offered = [each for each in asked.toggles if each.key not in OFFERED_APART and each.key not in SPENT]
    if asked.catches == "blast":
        offered.append(Toggle(AT_POINT, gettext("Aimed at a point, not at a fighter")))
        offered.append(Toggle(LANDED, gettext("It landed there: no roll to hit")))
    variants = [_Asked(content, asked.sides, frozenset(held)) for held in _subsets(list(asked.turns))]
    return AttackLines(
        lines=tuple(tuple(_line(each, index, offered) for index in range(each.count)) for each in variants),
        toggles=tuple(offered),
        spent=tuple(toggles[name].most if name in toggles else 0 for name in SPENT),
        bloodbath=(asked.bloodbath_price(()), asked.bloodbath_price((TARGET_DOWN,))),
        plain=is_plain(asked.given(frozenset())),
        catches=asked.catches,
        bound=ONE_TARGET in asked.given(frozenset())[0].get("keywords", ()),
        turns=asked.turns,
        strays=arm.endswith(":ranged") and may_stray(frozenset(asked.given(frozenset())[0].get("keywords", ()))),
        closes=tuple((each.key, gone) for each in offered if (gone := asked.closed_by(each.key))),
    )


def caught_line(content: Content, mine: tuple[Force, str], arm: str, other: tuple[Force, str]) -> Line:
    """Return the injury of somebody whom a weapon strikes besides its target. Raises Refusal."""
    asked = _Caught(content, sides_of(content, mine, arm, other, {"around": 1}))
    offered = [each for each in asked.toggles if each.key not in OFFERED_APART and each.key not in SPENT]
    return _line(asked, 0, [each for each in offered if each.key != BLOODBATH])


# Keywords that change more than dice and numbers.
SHAPING = frozenset({
    *injury.MARKING, *injury.MORE_BLOOD, injury.INFECTS, injury.INFECTS_MORE, injury.INFECTS_ALWAYS, injury.TAKEN_DOWN, injury.NO_ROLL,
    injury.NO_MARKERS, injury.DOUBLED, injury.SET_SIX, injury.TURNED_SIX, injury.TURNED_ONE, injury.DOWN_FIRST, injury.MINOR_IS_DOWN,
    *(f"{DEFEATS}{word}" for word in injury.MARKING),
    "CRITICAL", "DEADLY", "FLAMETHROWER", "RELOAD", "RISKY",
})  # fmt: skip
# Switches that set a field of the attack and nothing else, unless a text asks for them.
_FIELDS = frozenset({
    "long_range", "cover", "elevated", "off_hand", "defended_obstacle", "charged", "diving_charge", BLOODBATH, AT_POINT, LANDED,
})  # fmt: skip
# When markers of the attacker hang on how many the target gets. A device knows how many fit.
HANGING = {"bled": "bled", "marked": "marked", "each marker": "each"}
_FIELD_OF = {LANDED: "automatic_hit"}


class _Asked:
    """One way to attack one target, asked about under many words. `matters` are the words that texts ask for, `pairs` those that they
    ask for together, `turns` those on which the number of attacks hangs. `held` are words that always hold here."""

    counts = True

    def __init__(self, content: Content, sides: Sides, held: frozenset[str] = frozenset()) -> None:
        play = content.pack.play
        assert play is not None
        self.play: EditionPlay = play
        self.sides = sides
        self.cache: Any = content.cache.setdefault("attack-trees", {})
        self._given: dict[frozenset[tuple[str, int]], tuple[Mapping[str, Any], ...]] = {}
        self._open: dict[frozenset[tuple[str, int]], frozenset[str]] = {}
        self._converted: dict[tuple[Any, int], Attack] = {}
        self.held = held
        self.toggles, found = input_of(sides)
        self._given[frozenset()] = tuple(found.get("attacks", (found,)))
        self._open[frozenset()] = frozenset(toggle.key for toggle in self.toggles)
        self.planned = self.given(frozenset(told_of(held)))
        self.count = len(self.planned)
        self.catches = _catches(self.given(frozenset()))
        self.matters, self.pairs = conditions_of(sides)
        self.turns = turns_of(sides) if self.counts else ()
        if found.get("bloodbath_cost") is not None or any(one.effect.bloodbath for one in sides.bearings):
            self.matters |= {TARGET_DOWN, BLOODBATH}

    def given(self, told: frozenset[tuple[str, int]]) -> tuple[Mapping[str, Any], ...]:
        known = self._given.get(told)
        if known is None:
            toggles, found = input_of(with_told(self.sides, dict(told)))
            self._open[told] = frozenset(toggle.key for toggle in toggles)
            known = self._given[told] = tuple(found.get("attacks", (found,)))
        return known

    def attack(self, words: Iterable[str], index: int) -> Attack:
        """Return the attack of this place where these words hold."""
        words = self.held.union(words)
        told = frozenset(told_of(word for word in words if self._is_asked(word)))
        key = (told, index)
        plain = self._converted.get(key)
        if plain is None:
            attacks = self.given(told)
            found = {name: value for name, value in attacks[0].items() if name in _OF_THE_FIRST}
            given = {**attacks[min(index, len(attacks) - 1)], **found}
            plain = self._converted[key] = msgspec.convert(given, Attack)
        down = TARGET_DOWN in words
        direct = {_FIELD_OF.get(word, word): True for word in words if self._is_direct(word, told)}
        if AT_POINT in words:
            direct[BLOODBATH] = False
        target = as_it_stands(plain.target, words, down=down)
        attack = msgspec.structs.replace(plain, down=DOWN in words, target=target, weapon="", **direct)
        if attack.against_down is not None and down:
            line = {name: getattr(attack.against_down, name) for name in _OF_A_LINE}
            attack = msgspec.structs.replace(attack, **line)
        return msgspec.structs.replace(attack, against_down=None, after_hit=False)

    def closed_by(self, switch: str) -> tuple[str, ...]:
        """Return what cannot be spent any more once this switch is on: the roll for it is not made."""
        if switch not in self.matters:
            return ()
        gone = self._offered(frozenset()) - self._offered(frozenset(told_of((switch,))))
        return tuple(name for name in (*SPENT, BLOODBATH) if name in gone)

    def bloodbath_price(self, words: tuple[str, ...]) -> int:
        """Return how many markers a Bloodbath takes, at least one."""
        attack = self.attack((*words, BLOODBATH), 0)
        return max(1, injury.bloodbath_cost(attack.target, attack.bloodbath_cost))

    def _is_direct(self, word: str, told: frozenset[tuple[str, int]]) -> bool:
        """Return whether a word sets a field and nothing else; not one of the form that what is told takes off the form."""
        if word not in _FIELDS or self._is_asked(word):
            return False
        return word in self._offered(told) or word not in self._offered(frozenset())

    def _offered(self, told: frozenset[tuple[str, int]]) -> frozenset[str]:
        """Return the keys of what the form asks once this is told."""
        if told not in self._open:
            self.given(told)
        return self._open[told]

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
        return shape, less(figures, own)

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
        near = less(self._figures(msgspec.structs.replace(attack, **line)), direct)
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
        resisted = unresisted(words_of(hurt.keywords), words_of(hurt.target.negates))
        return (
            injury_changes(self.play, hurt, resisted).net,
            sum(number for number, _ in injury_flats(self.play, hurt, resisted)),
        )

    def _shape(self, attack: Attack, *, all_hit: bool) -> Throw | Ending:
        hangs = tuple((HANGING[one.when], one.kind, one.number) for one in attack.on_attacker if one.when in HANGING)
        fixed = tuple(one for one in attack.on_attacker if one.when not in HANGING)
        attack = msgspec.structs.replace(attack, on_attacker=fixed)
        shaken = msgspec.structs.replace(attack, shaken=True)
        calm = tree_of(lambda roller: one_attack(self.play, attack, roller, all_hit=all_hit))
        catches = bool(self.catches)
        if not attack.averted:
            return shape_of(calm, calm, catches=catches, hangs=hangs)
        uneasy = tree_of(lambda roller: one_attack(self.play, shaken, roller, all_hit=all_hit))
        return shape_of(calm, uneasy, catches=catches, hangs=hangs)


class _Caught(_Asked):
    """The injury of somebody whom a weapon strikes besides its target: nothing is rolled to hit, and nobody spends markers on it.

    What the weapon adds comes from the attack as it would be on this fighter: of the dice on the target nothing is left.
    """

    counts = False

    def given(self, told: frozenset[tuple[str, int]]) -> tuple[Mapping[str, Any], ...]:
        return super().given(told | {("around", 1)})

    def _is_direct(self, word: str, told: frozenset[tuple[str, int]]) -> bool:
        return word in _FIELDS and not self._is_asked(word)

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
            known = self.cache[key] = (shape_of(tree, tree), self._counts(bare))
        shape, own = known
        return shape, less((0, 0, *self._counts(hurt)), (0, 0, *own))

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


# --- one attack as rows


def _line(asked: _Asked, index: int, offered: Iterable[Toggle]) -> Line:
    """Return one attack as rows, and what each word adds to them."""
    words = tuple(word for word in _words(asked, index, offered) if word not in asked.turns)
    base, plain = asked.row((), index)
    single = {word: asked.row((word,), index) for word in words}
    shaping = [word for word in words if single[word][0] != base]
    pairs = {
        pair: asked.row(pair, index)
        for pair in combinations(words, 2)
        if asked.are_read_together(*pair) and not exclude(*pair)
    }
    for (one, other), (both, _figures) in pairs.items():
        changing = [word for word, beside in ((other, one), (one, other)) if both != single[beside][0]]
        shaping += [word for word in changing if word not in shaping]
    adds = {word: less(single[word][1], plain) for word in words}
    beside = [
        (one, other, more)
        for (one, other), (_tree, both) in pairs.items()
        if (more := less(both, added(single[one][1], adds[other]))) != NOTHING
    ]
    shaping += _read_with_several(beside, shaping)
    beside = [each for each in beside if not {*each[:2]} <= {*shaping}]
    rows = tuple(asked.row(held, index) for held in _subsets(shaping))
    told = tuple((word, more) for word, more in adds.items() if word not in shaping and more != NOTHING)
    after = bool(asked.planned[index].get("after_hit"))
    return Line(after, tuple(shaping), rows, told, tuple(beside))


def _read_with_several(beside: Iterable[tuple[str, str, Figures]], shaping: Sequence[str]) -> list[str]:
    """Return the words of pairs in which one adds something beside several others: no sum tells these, so each needs rows."""
    met = Counter(word for one, other, _ in beside for word in (one, other))
    several = (word for one, other, _ in beside if max(met[one], met[other]) > 1 for word in (one, other))
    return [word for word in dict.fromkeys(several) if word not in shaping]


def _words(asked: _Asked, index: int, offered: Iterable[Toggle]) -> Iterator[str]:
    """Yield what may bear on an attack: circumstances, what the target has used up, switches, what earlier attacks did."""
    keys = {toggle.key: toggle for toggle in asked.toggles}
    target = asked.attack((), index).target
    yield TARGET_DOWN
    for word, told in TOLD_BY.items():
        if told in keys and word != TARGET_DOWN:
            yield word
    features = (target.tough, target.ignores_out, target.first_down, target.spares)
    yield from (f"t:{word}" for word, there in zip(USED_UP, features, strict=True) if there)
    for told, word in COUNTED.items():
        if told in keys:
            counts = [asked.row((f"{word}={count}",), index) for count in range(1, 7)]
            yield from [word] if all(each == counts[0] for each in counts) else [f"{word}={n}" for n in range(1, 7)]
    if (target.unmarked_down_is_minor or target.unmarked_minor_is_nothing) and "target_blood" not in keys:
        yield MARKED
    for toggle in offered:
        yield from [toggle.key] if toggle.is_switch else [f"{toggle.key}={n}" for n in range(1, toggle.most + 1)]
    if asked.planned[index].get("all_hit_out"):
        yield ALL_HIT
    yield from asked.further


def _subsets(words: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the words that hold, for every number whose bits are the words."""
    for bits in range(2 ** len(words)):
        yield tuple(word for place, word in enumerate(words) if bits >> place & 1)
