"""A process that acts without end until it is killed: `python -m tests.killed KIND KEY SEED`. It tells each act once it is committed.

KIND is trade (KEY: a warband), table, report or post-battle (KEY: a battle). What it tells is what a browser would have been answered.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import django

MOST_REFUSED = 30  # in a row: then it is stuck


def main() -> None:
    """Act for ever."""
    kind, key, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    django.setup()
    from rules.problems import Refusal

    drawn, begin = random.Random(seed), _kinds()[kind]
    refused = 0
    while True:
        try:
            for label, pk in begin(key, drawn):
                sys.stdout.write(f"{label} {pk}\n")
                sys.stdout.flush()
                refused = 0
        except Refusal:  # after what the former process left; another try begins elsewhere
            refused += 1
            if refused > MOST_REFUSED:
                raise


def _kinds() -> dict[str, Callable[[int, random.Random], Iterator[tuple[str, int]]]]:
    from accounts.models import User
    from campaigns.models import Battle, PostBattle, Report
    from campaigns.report_prefill import table_state
    from campaigns.services.amend import amend_report
    from campaigns.services.post_battle import finish_step
    from campaigns.services.tracker import act_at_table
    from rules.dice import AppDice
    from tests import campaign_stories as c
    from tests import stories as s
    from warbands.models import Event, Warband
    from warbands.undo import undo

    def last(actor: Any) -> Any:
        return Event.objects.filter(actor=actor).latest("pk")

    def trade(key: int, drawn: random.Random) -> Iterator[tuple[str, int]]:
        warband = Warband.objects.get(pk=key)
        while True:
            yeoman = s.hire(warband, "Yeoman")
            hired = s.last_event(warband)
            yield "event", hired.pk
            if drawn.random() < 0.5:  # who was just hired wears none yet, wherever the former process was killed
                s.equip(yeoman, "Combat Helmet")
                yield "event", s.last_event(warband).pk
                yield "event", s.take_back(warband, warband.owner).pk
            yield "event", s.take_back(hired, warband.owner).pk

    def table(key: int, drawn: random.Random) -> Iterator[tuple[str, int]]:
        battle = Battle.objects.get(pk=key)
        ada = User.objects.get(username="ada")
        state = table_state(battle)
        fighters = [fighter.key for fighter in state.of(str(c.side(battle, ada).pk))]
        while True:
            data = {
                "kind": "marker",
                "fighter": drawn.choice(fighters),
                "marker": "blood",
                "change": drawn.choice((1, -1)),
            }
            yield "table", act_at_table(battle=battle, actor=ada, data=data).pk

    def report(key: int, drawn: random.Random) -> Iterator[tuple[str, int]]:
        battle = Battle.objects.get(pk=key)
        ada = User.objects.get(username="ada")
        told = Event.objects.filter(occasion=battle.occasion)  # Ada trades elsewhere meanwhile
        if not Report.objects.live().filter(battle=battle).exists():
            c.fight(c.fresh_battle(battle), by=ada)
            yield "event", told.latest("pk").pk
        while True:
            row, cleo = c.fresh_battle(battle), User.objects.get(username="cleo")
            amend_report(battle=row, actor=cleo, data=c.report_data(row, ada, points={ada: drawn.randrange(1000)}))
            yield "event", told.latest("pk").pk

    def post_battle(key: int, drawn: random.Random) -> Iterator[tuple[str, int]]:
        row = c.sequence_rows().filter(side__battle=key).first()
        assert isinstance(row, PostBattle)
        user = row.side.seat.user
        while True:
            sequence = c.look(row)
            step = sequence.current()
            assert step is not None
            waiting = sequence.waiting(step.id)
            if not waiting and step.kind == "close":  # kills left nothing to do: one act is taken back, and done again
                yield "event", undo(event=last(user), actor=user).pk
                continue
            if not waiting:
                finish_step(post_battle=row, step=step.id, actor=user)
                continue
            c.settle(row, drawn.choice(waiting).key, AppDice())
            yield "event", last(user).pk
            yield "event", undo(event=last(user), actor=user).pk

    return {"trade": trade, "table": table, "report": report, "post-battle": post_battle}


if __name__ == "__main__":
    main()
