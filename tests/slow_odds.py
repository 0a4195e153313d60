"""A second, slow count of the odds of an attack, from every fall of every die.

It reads an attack's input and the books, and none of the product's dice pools, resolvers or odds: it is what the odds
of the product are held against. One target, whom a blast catches besides left out.
Source: Attacks 1.6; core rules 1.0, "Attacks" and "Injury Rolls".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

OUTCOMES = ("failure", "no-effect", "minor-hit", "down", "out-of-action")
NONE, MINOR, DOWN, OUT = 1, 2, 3, 4
MOST_COUNTED = 7  # dice whose falls are gone through one by one; above it those that fall alike are taken together


@dataclass(frozen=True)
class Met:
    """The target as an attack finds it, and what the attacks before came to."""

    down: bool
    tough: bool
    ignores_out: bool
    first_down: str
    first_down_tough: bool
    unmarked: bool
    spares: int
    blood: int = 0
    infection: int = 0
    own: int = 0
    worst: int = 0
    out: bool = False
    ended: bool = False
    missed: bool = True
    all_hit: bool = True


@cache
def falls(dice: int) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
    """Every fall of so many dice, its faces in order, with its share of all."""
    found: dict[tuple[int, ...], int] = defaultdict(int)
    if dice <= MOST_COUNTED:
        for faces in product(range(1, 7), repeat=dice):
            found[tuple(sorted(faces))] += 1
        return tuple((faces, Fraction(ways, 6**dice)) for faces, ways in found.items())
    whole: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for faces, share in falls(dice - 1):
        for face in range(1, 7):
            whole[tuple(sorted((*faces, face)))] += share / 6
    return tuple(whole.items())


@cache
def sums(count: int, net: int, sixes: int = 0, low: str = "") -> Mapping[int, Fraction]:
    """The total of the dice that count. `low`: "raise" turns the lowest that fell to 6, "sink" the highest to 1."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for fell, share in falls(count + abs(net) - sixes):
        faces = list(fell)
        if "raise" in low and faces:
            faces[0] = 6
            faces.sort()
        if "sink" in low and faces:
            faces[-1] = 1
        faces = sorted(faces + [6] * sixes)
        found[sum(faces[-count:] if net >= 0 else faces[:count])] += share
    return found


@cache
def spoilt(count: int, net: int, sixes: int) -> tuple[Mapping[int, Fraction], Fraction]:
    """The total of a roll in which no die shows a 1, and the chance that one does."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    ones = Fraction(0)
    for fell, share in falls(count + abs(net) - sixes):
        if 1 in fell:
            ones += share
            continue
        faces = sorted([*fell, *[6] * sixes])
        found[sum(faces[-count:] if net >= 0 else faces[:count])] += share
    return found, ones


def upper(words: Any) -> set[str]:
    return {" ".join(word.upper().replace("-", " ").split()) for word in words}


class Count:
    """The odds of one input of the rule for attacks in one edition."""

    def __init__(self, edition: str, given: Mapping[str, Any]) -> None:
        self.old = edition == "1.6.3"
        self.attacks = tuple(given.get("attacks", (given,)))

    def odds(self) -> dict[tuple[str, int, int, int], Fraction]:
        """The chance of each outcome together with the blood, the infection and the attacker's own BLOOD MARKERS it leaves."""
        target = self.attacks[0]["target"]
        first = Met(
            down=target["down"],
            tough=target["tough"],
            ignores_out=target["ignores_out"],
            first_down=target["first_down"],
            first_down_tough=target["first_down_tough"],
            unmarked=True,
            spares=target.get("spares", 0),
        )
        states: dict[Met, Fraction] = {first: Fraction(1)}
        for attack in self.attacks:
            after: dict[Met, Fraction] = defaultdict(Fraction)
            for met, chance in states.items():
                if met.out or met.ended or (attack.get("after_hit") and met.missed):
                    after[replace(met, missed=True, all_hit=False)] += chance
                    continue
                for then, share in self.attack(attack, met):
                    after[then] += chance * share
            states = after
        found: dict[tuple[str, int, int, int], Fraction] = defaultdict(Fraction)
        for met, chance in states.items():
            found[OUTCOMES[met.worst], met.blood, met.infection, met.own] += chance
        return {key: chance for key, chance in found.items() if chance}

    def attack(self, attack: Mapping[str, Any], met: Met) -> Iterator[tuple[Met, Fraction]]:
        if met.down and attack.get("against_down"):
            attack = {**attack, **attack["against_down"]}
        words = upper(attack["keywords"])
        for how, total, share, fell in self.hit(attack, met, words):
            if how == "failure":
                for then, chance in self.miss(attack, met, words, total, fell):
                    yield then, chance * share
            elif attack.get("all_hit_out") and met.all_hit and len(self.attacks) > 1:
                yield self.landed(attack, met, met, OUT, 0, 0, words), share
            else:
                for then, chance in self.hurt(attack, met, words, critical=how == "critical"):
                    yield then, chance * share

    # --- to hit

    def hit(self, attack: Mapping[str, Any], met: Met, words: set[str]) -> Iterator[tuple[str, int, Fraction, bool]]:
        """How it goes, the total, the chance, and whether a 1 spoilt a second roll."""
        if attack["automatic_hit"] or "FLAMETHROWER" in words:
            yield "success", 12, Fraction(1), False
            return
        net = self.hit_dice(attack, met, words)
        base, sixes, flat = attack["hit_base"], attack.get("hit_sixes", 0), attack["modifier"]
        keen = max(7, attack.get("critical_from", 12))

        def read(total: int) -> str:
            if attack.get("averted"):
                return "failure"
            return "critical" if total >= keen else "success" if total >= 7 else "failure"

        for total, share in sums(base, net, sixes).items():
            if total + flat >= 7 or not attack.get("reroll_hit"):
                yield read(total + flat), total + flat, share, False
                continue
            again, ones = spoilt(base, net, sixes) if attack.get("backfires") else (sums(base, net, sixes), Fraction(0))
            for second, part in again.items():
                yield read(second + flat), second + flat, share * part, False
            if ones:
                yield "failure", -99, share * ones, True

    def hit_dice(self, attack: Mapping[str, Any], met: Met, words: set[str]) -> int:
        def ignores(what: str) -> bool:
            return f"IGNORE {what}" in words

        target = attack["target"]
        net = sum(one["dice"] for one in attack["modifiers"]) + attack.get("dice", 0)
        net -= bool(attack.get("down")) and not ignores("DOWN")
        net += attack.get("blessing_spent", 0) - attack.get("blood_spent", 0)
        if attack["kind"] == "ranged":
            lobbed = self.old and (attack["grenade"] or "GRENADE" in words)
            net += attack["ranged"]
            net -= bool(attack.get("long_range")) and not (lobbed or ignores("LONG RANGE") or "SHOTGUN" in words)
            net -= bool(attack.get("cover")) and not (lobbed or ignores("COVER"))
            net += bool(attack.get("elevated")) and not ignores("ELEVATED POSITION")
            return net
        own = attack["ranged"] if attack.get("by_ranged") else attack["melee"]
        if attack["pistol"] or "PISTOL" in words:
            own = attack["ranged"] if self.old else max(attack["ranged"], attack["melee"])
        dives = bool(attack.get("diving_charge"))
        net += own - bool(attack["unarmed"]) + dives
        net -= bool(attack.get("off_hand")) and not (ignores("OFF HAND WEAPON") or ignores("OFF HAND"))
        blocked = bool(attack.get("defended_obstacle")) and not ignores("DEFENDED OBSTACLE")
        net -= blocked and not (self.old and (met.down or dives))
        fearless = attack["fear_immune"] or ignores("FEAR") or "NEGATE FEAR" in words
        net -= target["fear"] and not fearless
        net -= bool(attack.get("charged")) and target["polearm"]
        return net

    def miss(
        self, attack: Mapping[str, Any], met: Met, words: set[str], total: int, fell: bool
    ) -> Iterator[tuple[Met, Fraction]]:
        ends = "RISKY" in words or fell
        own = met.own + fell + self.on_attacker(attack, None, 0, 0)
        blood = met.blood + attack.get("miss_marks", 0)
        plain = replace(met, blood=blood, own=own, ended=ends, missed=True, all_hit=False)
        away = 7 - total
        if not attack.get("near_miss") or away > attack["near_miss"] or fell or attack.get("averted"):
            yield plain, Fraction(1)
            return
        line = attack if away <= attack["direct_miss"] else {**attack, **attack["in_blast"], "modifiers": ()}
        for then, chance in self.hurt({**line, "near_miss": 0}, met, upper(line["keywords"]), critical=False):
            yield replace(then, ended=ends, missed=True, all_hit=False), chance

    # --- to injure

    def hurt(
        self, attack: Mapping[str, Any], met: Met, words: set[str], *, critical: bool
    ) -> Iterator[tuple[Met, Fraction]]:
        target = attack["target"]
        counts = critical and (attack.get("aimed", True) or self.old)
        all_words = words | (upper(attack["critical_keywords"]) if counts else set())
        keys = all_words - upper(target["negates"])
        if "TAKEN DOWN" in keys:
            row, then = self.saved(DOWN, met, attack, keys)
            yield self.marked(attack, met, then, row, keys - {"FIRE", "GAS", "SHRAPNEL"}, words), Fraction(1)
            return
        if "NO INJURY ROLL" in keys:
            yield self.marked(attack, met, met, NONE, keys, words), Fraction(1)
            return
        lying = replace(met, down=True) if "DOWN FIRST" in keys else met
        chances = self.injury(attack, lying, keys, all_words, counts)
        below = {"": 0, "minor-hit": MINOR, "down": DOWN, "out-of-action": OUT}[attack.get("reroll_below", "")]
        for total, share in chances.items():
            row, then = self.saved(self.row(total), lying, attack, keys)
            if row >= below:
                yield self.finished(attack, met, then, row, keys, words), share
                continue
            for second, part in chances.items():
                row, then = self.saved(self.row(second), lying, attack, keys)
                yield self.finished(attack, met, then, row, keys, words), share * part

    def finished(
        self, attack: Mapping[str, Any], met: Met, then: Met, row: int, keys: set[str], words: set[str]
    ) -> Met:
        before = replace(met, down=True) if "DOWN FIRST" in keys else met
        done = self.marked(attack, before, then, row, keys, words, rolled=True)
        if "DOWN FIRST" in keys and not met.down and row < DOWN:
            return replace(done, worst=max(done.worst, DOWN), down=True)
        return done

    @staticmethod
    def row(total: int) -> int:
        return OUT if total >= 9 else DOWN if total >= 7 else MINOR if total >= 2 else NONE

    def injury(
        self, attack: Mapping[str, Any], met: Met, keys: set[str], printed: set[str], critical: bool
    ) -> dict[int, Fraction]:
        target = attack["target"]
        net = sum(one["dice"] for one in attack["injury_modifiers"]) + attack.get("injury_dice", 0)
        melee = attack["kind"] == "melee"
        if attack["kind"] == "ranged" and "SHOTGUN" in upper(attack["keywords"]) and attack.get("long_range"):
            net -= "IGNORE LONG RANGE" not in upper(attack["keywords"])
        if critical:
            net += 2 if "CRITICAL" in keys else 1
        net += met.down and (self.old or melee)
        net += bool(attack.get("diving_charge")) and self.old and melee
        net -= attack["unarmed"] and melee
        net += attack.get("injury_blood_spent", 0) - attack.get("injury_blessing_spent", 0)
        for one in target.get("resistances", ()):
            if one["keyword"].upper() in ("", *printed) and one["unless"].upper() not in (printed - {""}):
                net += one["dice"]
        base = max(attack["base_dice"], 3 if "DEADLY" in keys else 1) + bool(attack.get("bloodbath"))
        taken = [one["number"] for one in attack["injury_flats"]] + [
            attack["injury_modifier"],
            *self.armour(attack, keys),
        ]
        less = sum(number for number in taken if number < 0)
        flat = sum(number for number in taken if number > 0) + (less if self.old else max(-3, less))
        change = ("raise " if "ONE DIE TURNS TO 6" in keys else "") + (
            "sink" if "ONE INJURY DIE TURNS TO 1" in keys else ""
        )
        fell = sums(base, net, int("ONE DIE IS 6" in keys), change)
        found: dict[int, Fraction] = defaultdict(Fraction)
        for total, share in fell.items():
            found[total + flat] += share
        return found

    def armour(self, attack: Mapping[str, Any], keys: set[str]) -> list[int]:
        if "IGNORE ARMOUR" in keys:
            return [attack["unignorable_armour"]]
        worn = attack["armour"] + attack["unignorable_armour"]
        worn += 0 if "IGNORE SHIELD" in keys else attack["shield"]
        pierced = 2 if "ARMOUR PIERCING 2" in keys else 1 if "ARMOUR PIERCING" in keys else 0
        return [min(0, worn + pierced)]

    def saved(self, row: int, met: Met, attack: Mapping[str, Any], keys: set[str]) -> tuple[int, Met]:
        """What the row comes to for the target, and what that used up."""
        target = attack["target"]
        if target.get("untouched") and row > NONE:
            return NONE, met
        lies = replace(met, down=True)
        unmarked = met.unmarked
        if row == MINOR:
            if target.get("minor_is_nothing") or (target.get("unmarked_minor_is_nothing") and unmarked):
                return NONE, met
            return (DOWN, lies) if "MINOR HITS ARE DOWN" in keys or target["minor_is_down"] else (MINOR, met)
        if row == DOWN:
            if target.get("down_is_nothing"):
                return NONE, met
            if target.get("stays_up") and not met.down:
                return MINOR, met
            if target["minor_is_down"]:
                return DOWN, lies
            if target["down_is_minor"] or (target["unmarked_down_is_minor"] and unmarked):
                return MINOR, met
            if met.first_down:
                return self.first(met)
            return DOWN, lies
        return self.out(met, target, attack) if row == OUT else (row, met)

    def first(self, met: Met) -> tuple[int, Met]:
        row = MINOR if met.first_down == "minor-hit" else NONE
        return row, replace(met, first_down="", first_down_tough=False)

    def out(self, met: Met, target: Mapping[str, Any], attack: Mapping[str, Any]) -> tuple[int, Met]:
        if met.ignores_out:
            return NONE, replace(met, ignores_out=False)
        if target.get("out_is_down"):
            return DOWN, replace(met, down=True)
        golem = target["golem"] and not attack.get("bloodbath")
        if not golem and not met.tough:
            return OUT, replace(met, out=True)
        spent = met if golem else replace(met, tough=False)
        if target.get("tough_to_nothing") and not target["golem"]:
            return NONE, spent
        if target.get("stays_up") and not met.down:
            return MINOR, spent
        if met.first_down and met.first_down_tough:
            return self.first(spent)
        return DOWN, replace(spent, down=True)

    def marked(
        self,
        attack: Mapping[str, Any],
        before: Met,
        then: Met,
        row: int,
        keys: set[str],
        words: set[str],
        *,
        rolled: bool = False,
    ) -> Met:
        """The markers that an injury leaves on the target."""
        target = attack["target"]
        gained = 0
        if row != OUT and not target["no_markers"] and "NO MARKERS" not in keys:
            gained = {NONE: 0, MINOR: 1, DOWN: 2 if before.down else 1}[row] * (2 if "DOUBLE MARKERS" in keys else 1)
            gained += 2 if "TWO BLOOD MARKERS MORE" in keys else 1 if "ONE BLOOD MARKER MORE" in keys else 0
            gained += ("FIRE" in keys) + ("SHRAPNEL" in keys) + ("GAS" in keys and not target["golem"])
        infects = "INFECTION MARKERS" in keys
        blood, infection = (0, gained) if infects else (gained, 0)
        stays = row != OUT or not rolled
        if (gained and "ONE INFECTION MARKER MORE" in keys) or (stays and "ALWAYS ONE INFECTION MARKER" in keys):
            infection += 1
        if row != OUT and rolled:
            blood += attack.get("more_blood", 0)
            infection += attack.get("more_infection", 0)
        spare = min(then.spares, blood)
        spare_sick = min(then.spares - spare, infection)
        blood, infection = blood - spare, infection - spare_sick
        kept = replace(then, spares=then.spares - spare - spare_sick)
        return self.landed(attack, before, kept, row, blood, infection, words)

    def landed(
        self, attack: Mapping[str, Any], before: Met, then: Met, row: int, blood: int, infection: int, words: set[str]
    ) -> Met:
        return replace(
            then,
            blood=then.blood + blood,
            infection=then.infection + infection,
            unmarked=then.unmarked and not blood,
            own=then.own + self.on_attacker(attack, row, blood, infection),
            worst=max(then.worst, row),
            out=row == OUT,
            ended=False,
            missed=False,
        )

    def on_attacker(self, attack: Mapping[str, Any], row: int | None, blood: int, infection: int) -> int:
        """BLOOD MARKERS for the attacker; `row` None: it missed."""
        hit = row is not None
        for_what = {
            "made": 1, "hit": int(hit), "bled": int(blood > 0), "marked": int(hit and blood + infection > 0),
            "each marker": blood if hit else 0, "not out": int(row != OUT),
        }  # fmt: skip
        return sum(
            one["number"] * for_what[one["when"]] for one in attack.get("on_attacker", ()) if one["kind"] == "blood"
        )
