"""The services for the opening score of a seat: its results before the campaign was entered here.

It is stored with a warband from paper, and administrators can correct it.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Seat
from rules.problems import Refusal
from warbands.import_targets import Score
from warbands.recorder import Recorder
from warbands.recording import recording


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
        raise Refusal(
            _("Won, drawn and lost add up to more than the battles."),
            mend=_("Check the numbers."),
            code="count",
            field="games",
        )
    with recording(seat.campaign, seat, kind="opening", actor=actor, token=token) as act:
        row: Seat = act.row(seat)
        if opening_of(row) == score:
            raise Refusal(_("Nothing changed."), code="no-change")
        open_score(act, row, score)
        act.say(
            _("{{who}} entered earlier results for {name}: {score_words}.").format(
                name=row.name, score_words=score_words(score)
            )
        )
    return row


def opening_of(seat: Seat) -> Score:
    return Score(seat.opening_points, seat.opening_games, seat.opening_won, seat.opening_drawn, seat.opening_lost)


def score_words(score: Score) -> str:
    """Return the score as text: "9 victory points from 4 battles, 3 won, 0 drawn, 1 lost"."""
    points = _("1 victory point") if score.points == 1 else _("{points} victory points").format(points=score.points)
    battles = _("1 battle") if score.games == 1 else _("{games} battles").format(games=score.games)
    return _("{points} from {battles}, {won} won, {drawn} drawn, {lost} lost").format(
        points=points, battles=battles, won=score.won, drawn=score.drawn, lost=score.lost
    )
