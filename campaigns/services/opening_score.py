"""The services for the opening score of a seat: its results before the campaign was entered here.

It is stored with a warband from paper, and administrators can correct it.
"""

from __future__ import annotations

from typing import Any

from campaigns.models import Seat
from rules.problems import Refusal
from warbands.import_targets import Score
from warbands.recording import Recorder, recording


def open_score(act: Recorder, seat: Seat, score: Score) -> None:
    """Store the opening score inside a running recording. Standings include it."""
    act.change(
        seat,
        opening_points=score.points,
        opening_games=score.games,
        opening_won=score.won,
        opening_drawn=score.drawn,
        opening_lost=score.lost,
    )


def change_opening(*, seat: Seat, actor: Any, score: Score, token: str = "") -> Seat:
    """Correct the opening score of a seat. Raises Refusal if nothing differs, or if there are fewer battles than results."""
    if score.games < score.won + score.drawn + score.lost:
        raise Refusal("More battles are won, drawn and lost than fought.", mend="Count them again.", code="count")
    with recording(seat.campaign, seat, kind="opening", actor=actor, token=token) as act:
        row: Seat = act.row(seat)
        if opening_of(row) == score:
            raise Refusal("Nothing differs.", code="no-change")
        open_score(act, row, score)
        act.say(f"{{who}} wrote down what {row.name} fought for before: {score_words(score)}.")
    return row


def opening_of(seat: Seat) -> Score:
    return Score(seat.opening_points, seat.opening_games, seat.opening_won, seat.opening_drawn, seat.opening_lost)


def score_words(score: Score) -> str:
    """Return the score as text: "9 victory points from 4 battles, 3 won, 0 drawn, 1 lost"."""
    points = "1 victory point" if score.points == 1 else f"{score.points} victory points"
    battles = "1 battle" if score.games == 1 else f"{score.games} battles"
    return f"{points} from {battles}, {score.won} won, {score.drawn} drawn, {score.lost} lost"
