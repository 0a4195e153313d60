"""Pairing a round on plain values: no rematch before all have met, fair byes, wishes, locks, tables of three."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.pairing.ahead import split, splits_for_sure
from campaigns.pairing.model import Player, Suggestion, Wanted, Weights, pair_of
from campaigns.pairing.suggest import judged, suggest


@dataclass
class Season:
    """What the players of a season did so far; `play` suggests the next round and plays it."""

    count: int
    met: dict[int, dict[int, int]] = field(default_factory=dict)
    games: dict[int, int] = field(default_factory=dict)
    byes: dict[int, int] = field(default_factory=dict)
    points: dict[int, int] = field(default_factory=dict)

    def players(self, away: Sequence[int] = ()) -> list[Player]:
        return [
            Player(
                key,
                f"P{key}",
                games=self.games.get(key, 0),
                byes=self.byes.get(key, 0),
                score=self.points.get(key, 0),
                met=dict(self.met.get(key, {})),
            )
            for key in range(1, self.count + 1)
            if key not in away
        ]

    def play(self, scores: Sequence[int] = (), away: Sequence[int] = (), wanted: Wanted = Wanted()) -> Suggestion:  # noqa: B008
        found = suggest(self.players(away), wanted)
        seated = sorted(key for table in found.tables for key in table.players)
        assert seated == [player.key for player in self.players(away)]
        for table in found.tables:
            if table.is_bye:
                self.byes[table.players[0]] = self.byes.get(table.players[0], 0) + 1
            for one, other in table.pairs:
                for a, b in ((one, other), (other, one)):
                    self.met.setdefault(a, {})[b] = self.met.get(a, {}).get(b, 0) + 1
            if not table.is_bye:
                for place, key in enumerate(table.players):
                    self.games[key] = self.games.get(key, 0) + 1
                    score = scores[(key + place) % len(scores)] if scores else 0
                    self.points[key] = self.points.get(key, 0) + score
        return found

    @property
    def spread(self) -> int:
        games = [self.games.get(key, 0) for key in range(1, self.count + 1)]
        return max(games) - min(games)


@given(st.lists(st.lists(st.integers(0, 12), min_size=1, max_size=5), min_size=6, max_size=6))
@settings(max_examples=12, deadline=None)
def test_ten_over_six_rounds_meet_nobody_twice(scores: list[list[int]]) -> None:
    season = Season(10)
    for each in scores:
        assert season.play(each).rematches == 0
        assert season.spread == 0


@pytest.mark.parametrize("count", [4, 5, 6, 7, 8, 9, 10, 11, 14])
def test_nobody_meets_again_before_all_have_met(count: int) -> None:
    """A whole turn, with results that pull other pairs together: the last rounds are not forced into a rematch."""
    season = Season(count)
    rounds = count - 1 if count % 2 == 0 else count
    for number in range(rounds):
        found = season.play([number, 7, 0, 3])
        assert found.rematches == 0, f"round {number + 1} of {rounds}"
        assert season.spread <= 1
    assert all(season.met[one].get(other) == 1 for one, other in combinations(range(1, count + 1), 2))
    if count % 2:
        assert set(season.byes.values()) == {1}


def test_the_second_turn_is_as_good_as_the_first() -> None:
    season = Season(6)
    for number in range(10):
        season.play([number, 2])
    assert {times for others in season.met.values() for times in others.values()} == {2}


@given(
    st.integers(3, 9),
    st.lists(st.frozensets(st.integers(1, 9), max_size=2), min_size=6, max_size=6),
)
@settings(max_examples=25, deadline=None)
def test_byes_go_to_those_who_fought_most(count: int, absences: list[frozenset[int]]) -> None:
    """Whoever missed rounds has no bye while others have fought more."""
    season = Season(count)
    for away in absences:
        here = [key for key in range(1, count + 1) if key not in away]
        most = max((season.games.get(key, 0) for key in here), default=0)
        found = season.play(away=[key for key in away if key <= count])
        byes = [table.players[0] for table in found.tables if table.is_bye]
        assert len(byes) == len(here) % 2
        for key in byes:
            assert season.games.get(key, 0) == most


def test_locked_tables_and_challenges_stay_and_wishes_come_before_rematches() -> None:
    players = Season(8).players()
    wanted = Wanted(locked=((1, 5),), challenges=frozenset({(2, 7)}))
    tables = {frozenset(table.players) for table in suggest(players, wanted).tables}
    assert {frozenset({1, 5}), frozenset({2, 7})} <= tables
    wishing = [
        Player(1, "Ada", met={2: 3}, wants=frozenset({2})),
        Player(2, "Ben", met={1: 3}),
        Player(3, "Cleo", avoids=frozenset({4})),
        Player(4, "Dora"),
        Player(5, "Emil"),
        Player(6, "Fritzi"),
    ]
    found = suggest(wishing)
    assert frozenset({1, 2}) in {frozenset(table.players) for table in found.tables}
    assert frozenset({3, 4}) not in {frozenset(table.players) for table in found.tables}
    again = next(table for table in found.tables if 1 in table.players)
    assert {reason.kind for reason in again.reasons} >= {"wish", "rematch"}
    assert found.rematches == 1


def test_a_forced_rematch_is_the_only_one_and_says_why() -> None:
    """Four players of whom one has met everybody: one rematch, told with that name."""
    met = {1: {2: 1, 3: 1, 4: 1}, 2: {1: 1}, 3: {1: 1}, 4: {1: 1}}
    players = [Player(key, f"P{key}", games=len(others), met=others) for key, others in met.items()]
    found = suggest(players)
    assert found.rematches == 1
    why = next(reason for table in found.tables for reason in table.reasons if reason.kind == "rematch")
    assert (why.names, why.numbers) == (("P1",), (1, 1))


def test_the_round_after_is_looked_at() -> None:
    """Of the two rounds without a rematch, only one leaves another such round: the six fresh pairs form a hexagon and a chord."""
    fresh = {(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (1, 6), (1, 4)}
    met = {
        key: {other: 1 for other in range(1, 7) if other != key and pair_of(key, other) not in fresh}
        for key in range(1, 7)
    }
    points = {1: 0, 4: 0, 2: 5, 3: 5, 5: 9, 6: 9}  # the chord and its two neighbours are nearest to each other
    players = [Player(key, f"P{key}", games=3, met=met[key], score=points[key]) for key in range(1, 7)]
    found = suggest(players)
    assert found.rematches == 0
    assert frozenset({1, 4}) not in {frozenset(table.players) for table in found.tables}


@pytest.mark.parametrize(
    ("count", "sizes"), [(3, [3]), (4, [2, 2]), (5, [2, 3]), (7, [2, 2, 3]), (9, [3, 3, 3]), (20, [2, *[3] * 6])]
)
def test_tables_of_three(count: int, sizes: list[int]) -> None:
    found = suggest(Season(count).players(), Wanted(odd="threes"))
    assert sorted(len(table.players) for table in found.tables) == sizes


def test_tables_of_three_avoid_those_who_met() -> None:
    season = Season(9)
    for _ in range(3):
        season.play(wanted=Wanted(odd="threes"))
    assert max(times for others in season.met.values() for times in others.values()) == 1


def test_an_odd_number_may_make_one_table_of_three() -> None:
    found = suggest(Season(7).players(), Wanted(odd="three"))
    assert sorted(len(table.players) for table in found.tables) == [2, 2, 3]


def test_weights_decide_among_rounds_without_a_rematch() -> None:
    values = {1: 700, 2: 1500, 3: 720, 4: 1480}
    players = [Player(key, f"P{key}", rating=value) for key, value in values.items()]
    found = suggest(players, Wanted(weights=Weights(score=0, rating=5)))
    assert {frozenset(table.players) for table in found.tables} == {frozenset({1, 3}), frozenset({2, 4})}
    assert sum(table.weight for table in found.tables) == 0


def test_a_changed_round_is_judged_as_it_stands() -> None:
    players = [Player(1, "P1", met={2: 2}), Player(2, "P2", met={1: 2}), Player(3, "P3")]
    found = judged([[1, 2], [3]], players, Wanted())
    assert [table.players for table in found.tables] == [(1, 2), (3,)]
    assert found.rematches == 1


def test_scenarios_that_both_have_not_played_come_first() -> None:
    players = [Player(1, "P1", scenarios={"a": 1}), Player(2, "P2", scenarios={"b": 1})]
    (table,) = suggest(players, Wanted(scenarios=("a", "b", "c"))).tables
    assert table.scenario == "c"


def test_nobody_and_one_player() -> None:
    assert suggest([]).tables == ()
    assert [table.players for table in suggest([Player(4, "P4")]).tables] == [(4,)]


def test_a_graph_that_does_not_split_is_told() -> None:
    """Two triangles have two edges at each player and no perfect matching."""
    triangles = {1: {2, 3}, 2: {1, 3}, 3: {1, 2}, 4: {5, 6}, 5: {4, 6}, 6: {4, 5}}
    assert split(triangles) is None
    assert not splits_for_sure(6, 2)
    hexagon = {key: {key % 6 + 1, (key - 2) % 6 + 1} for key in range(1, 7)}
    found = split(hexagon)
    assert found is not None
    assert sorted(len(matching) for matching in found) == [3, 3]
