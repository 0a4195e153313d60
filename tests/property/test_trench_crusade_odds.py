"""Every weapon against every profile of both editions, and of the lists that came after them: the odds are those of a second, slow count of all falls of the dice."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.content.compiled import Content
from rules.content.overlays.states import newest_official
from rules.force import Force, ForceItem, ForceSkill
from rules.resolvers.odds import Odds
from rules.resolvers.situation import Situation
from rules.trench_crusade.content import EDITIONS, GAME, content_of
from rules.trench_crusade.resolvers.arms import arms, bare, profiles_by_list
from rules.trench_crusade.resolvers.attack_situation import situation
from rules.trench_crusade.resolvers.rules import odds
from rules.trench_crusade.resolvers.series import chain_odds
from tests.drills import WHOLE, examples
from tests.slow_odds import OUTCOMES, Count, Met

PLAIN = "new-antioch.yeoman"
NEWEST = "1.0 newest"  # with the lists that came after the book
STATES = (*EDITIONS, NEWEST)


@cache
def rules_of(edition: str) -> Content:
    number = edition.partition(" ")[0]
    return content_of(number, newest_official(GAME, number) if edition == NEWEST else ())


@cache
def profiles(edition: str) -> tuple[str, ...]:
    """One "list.profile" for each profile of the edition."""
    found: dict[str, str] = {}
    for _, entries in profiles_by_list(rules_of(edition)):
        for key, _name in entries:
            found.setdefault(key.partition(".")[2], key)
    return tuple(found.values())


@cache
def weapons(edition: str) -> tuple[str, ...]:
    """Every weapon of the edition, then every other piece that gives an attack by itself."""
    kinds = {"natural-attack"}
    return tuple(
        item.id
        for item in rules_of(edition).pack.items
        if item.weapon or any(type(effect).__struct_config__.tag in kinds for effect in item.effects)
    )


@cache
def force(edition: str, who: str, *kit: str, skills: tuple[str, ...] = ()) -> Force:
    list_id, _, profile = who.partition(".")
    plain = bare(rules_of(edition), profile, list_id)
    row = plain.fighters[0]
    pieces = (*row.kit, *(ForceItem(key=f"w{n}", item=item) for n, item in enumerate(kit)))
    learnt = tuple(ForceSkill(f"s{n}", skill) for n, skill in enumerate(skills))
    return replace(plain, fighters=(replace(row, kit=pieces, skills=learnt),))


def attacks_of(edition: str, item: str, who: str) -> tuple[str, ...]:
    """The keys of the attacks that somebody has with a piece; those of a plain fighter where this one has none."""
    found = arms(rules_of(edition), force(edition, who, item), "1")
    return tuple(arm.key for arm in found if item in arm.key)


def thrown(found: Situation, dice: random.Random) -> dict[str, int]:
    """Some of the switches, thrown by chance; markers are spent within what the attack allows."""
    told = {}
    for toggle in found.toggles:
        if toggle.key in ("bloodbath",) or dice.random() < 0.6:
            continue
        told[toggle.key] = dice.randint(max(-2, toggle.least), min(2, toggle.most))
    return told


def counted(found: Odds) -> dict[str, dict[Any, Fraction]]:
    parts = {"outcomes": found.outcomes, "blood": found.blood, "infection": found.infection, "own": found.own}
    return {name: {key: chance for key, chance in part.items() if chance} for name, part in parts.items()}


def slowly(edition: str, told: Any) -> dict[str, dict[Any, Fraction]]:
    whole = Count(edition, told).odds()
    found: dict[str, dict[Any, Fraction]] = {"outcomes": {}, "blood": {}, "infection": {}, "own": {}}
    for key, chance in whole.items():
        for name, value in zip(found, key, strict=True):
            found[name][value] = found[name].get(value, Fraction(0)) + chance
    return found


def compare(edition: str, mine: Force, arm: str, theirs: Force, seed: int) -> int:
    """Compare both counts of an attack, plain and with switches thrown. Returns how many were compared."""
    content = rules_of(edition)
    plain = situation(content, (mine, "1"), arm, (theirs, "1"), {})
    told = thrown(plain, random.Random(seed))
    thrown_too = situation(content, (mine, "1"), arm, (theirs, "1"), told)
    for found in (plain, thrown_too):
        assert counted(odds(content, "attack", found.given)) == slowly(edition, found.given), (
            edition,
            arm,
            mine.fighters[0].profile,
            theirs.fighters[0].profile,
            told,
            found.causes,
        )
    return 2


def pairs(edition: str) -> Iterator[tuple[str, str, int]]:
    """Every weapon with every profile. Of the newest state those of which one is new: the others are counted with the book."""
    known = {*weapons("1.0"), *profiles("1.0")} if edition == NEWEST else set()
    for place, item in enumerate(weapons(edition)):
        for index, who in enumerate(profiles(edition)):
            if not {item, who} <= known:
                yield item, who, place * 1000 + index


def one_pair(edition: str, item: str, target: str, seed: int) -> int:
    """A weapon against a profile. Its bearer is another profile each time, a plain one where that cannot use it."""
    everybody = profiles(edition)
    bearer = everybody[seed % len(everybody)]
    keys = attacks_of(edition, item, bearer)
    if not keys:
        bearer = PLAIN
        keys = attacks_of(edition, item, bearer)
    mine, theirs = force(edition, bearer, item), force(edition, target)
    return sum(compare(edition, mine, key, theirs, seed) for key in keys)


@settings(max_examples=examples(240), deadline=None)
@given(data=st.data(), edition=st.sampled_from(STATES))
def test_any_weapon_on_any_profile_has_the_odds_of_a_second_count(data: st.DataObject, edition: str) -> None:
    item = data.draw(st.sampled_from(weapons(edition)))
    target = data.draw(st.sampled_from(profiles(edition)))
    one_pair(edition, item, target, data.draw(st.integers(0, 100_000)))


@pytest.mark.skipif(not WHOLE, reason="the whole count runs under DRILLS=1")
@pytest.mark.parametrize("edition", STATES)
def test_every_weapon_on_every_profile_has_the_odds_of_a_second_count(edition: str) -> None:
    counts = [one_pair(edition, *pair) for pair in pairs(edition)]
    unused = {item for item, count in zip((item for item, *_ in pairs(edition)), counts, strict=True) if not count}
    assert not unused, f"No attack of anybody with: {unused}"


@pytest.mark.parametrize("edition", STATES)
def test_every_outcome_and_profile_is_there_to_be_counted(edition: str) -> None:
    assert len(weapons(edition)) > 80
    assert len(profiles(edition)) > 50
    assert len(list(pairs(edition))) > (1000 if edition == NEWEST else 4000)
    mine, theirs = force(edition, PLAIN, "bolt-action-rifle"), force(edition, PLAIN)
    found = situation(rules_of(edition), (mine, "1"), "bolt-action-rifle:ranged", (theirs, "1"), {})
    assert set(slowly(edition, found.given)["outcomes"]) <= set(OUTCOMES)


# --- several ACTIONS -----------------------------------------------------------------------------------------------------------


def slow_chain(
    edition: str, mine: Force, steps: list[tuple[str, dict[str, int]]], theirs: Force
) -> dict[Any, Fraction]:
    """The outcomes of several ACTIONS with the markers placed, each attack asked anew in each state it may find."""
    content = rules_of(edition)

    def attack(step: int, index: int, met: Met | None) -> tuple[Count, Any]:
        arm, told = steps[step]
        now = (
            {}
            if met is None
            else {"target_down": int(met.down), "target_blood": min(6, met.blood), "own_blood": max(0, min(6, met.own))}
        )
        found = situation(content, (mine, "1"), arm, (theirs, "1"), {**told, **now}).given
        attacks = found.get("attacks", (found,))
        return Count(edition, {"attacks": attacks}), attacks[index] if index < len(attacks) else None

    first = attack(0, 0, None)[1]["target"]
    start = Met(
        first["down"], first["tough"], first["ignores_out"], first["first_down"], first["first_down_tough"], True, first["spares"]
    )  # fmt: skip
    states: dict[tuple[Met, bool], Fraction] = {(start, False): Fraction(1)}
    for step in range(len(steps)):
        opened: dict[tuple[Met, bool], Fraction] = defaultdict(Fraction)
        for (met, over), chance in states.items():
            opened[replace(met, missed=True, all_hit=True, ended=over), over] += chance
        states = opened
        for index in range(9):
            following: dict[tuple[Met, bool], Fraction] = defaultdict(Fraction)
            for (met, over), chance in states.items():
                count, planned = attack(step, index, met)
                if planned is None or met.out or met.ended:
                    following[met, over] += chance
                elif planned.get("after_hit") and met.missed:
                    following[replace(met, missed=True, all_hit=False), over] += chance
                else:
                    reload = "RELOAD" in planned["keywords"]
                    plain = {**planned, "against_down": None}
                    for then, share in count.attack(plain, met):
                        following[then, over or reload or then.ended] += chance * share
            states = following
    found: dict[Any, Fraction] = defaultdict(Fraction)
    for (met, _), chance in states.items():
        found[OUTCOMES[met.worst], met.blood, met.infection] += chance
    return dict(found)


def of_parts(found: dict[Any, Fraction]) -> list[dict[Any, Fraction]]:
    parts: list[dict[Any, Fraction]] = [{}, {}, {}]
    for key, chance in found.items():
        for part, value in zip(parts, key, strict=True):
            part[value] = part.get(value, Fraction(0)) + chance
    return parts


@settings(max_examples=examples(100), deadline=None)
@given(data=st.data(), edition=st.sampled_from(STATES))
def test_any_two_actions_have_the_odds_of_a_second_count(data: st.DataObject, edition: str) -> None:
    """Both shots, then the charge: what the first leaves is what the second finds."""
    pieces = data.draw(st.lists(st.sampled_from(weapons(edition)), min_size=1, max_size=2))
    target = data.draw(st.sampled_from(profiles(edition)))
    mine, theirs = force(edition, PLAIN, *pieces), force(edition, target)
    keys = [arm.key for arm in arms(rules_of(edition), mine, "1")]
    chosen = data.draw(st.lists(st.sampled_from(keys), min_size=2, max_size=2))
    steps: list[tuple[str, dict[str, int]]] = [(key, {}) for key in chosen]
    found = chain_odds(rules_of(edition), (mine, "1"), steps, (theirs, "1"))
    parts = [
        {key: chance for key, chance in part.items() if chance}
        for part in (found[-1].outcomes, found[-1].blood, found[-1].infection)
    ]
    assert parts == of_parts(slow_chain(edition, mine, steps, theirs))
    assert all(sum(each.outcomes.values()) == 1 for each in found)


@pytest.mark.parametrize("edition", STATES)
def test_one_action_has_the_odds_of_the_attack_alone(edition: str) -> None:
    content = rules_of(edition)
    for item in ("bolt-action-rifle", "machine-gun", "trench-club"):
        mine, theirs = force(edition, PLAIN, item), force(edition, "heretic-legion.heretic-trooper")
        for key in attacks_of(edition, item, PLAIN):
            alone = odds(content, "attack", situation(content, (mine, "1"), key, (theirs, "1"), {}).given)
            (chained,) = chain_odds(content, (mine, "1"), [(key, {})], (theirs, "1"))
            assert counted(chained)["outcomes"] == counted(alone)["outcomes"]
