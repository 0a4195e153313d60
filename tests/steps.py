"""A process that does random acts of campaigns: `python -m tests.steps SEED COUNT`. Several of them at once are a busy club evening.

Each act is one that a person may press: it reads what stands there now, chooses, and calls the service. At the end it tells as JSON what
came of each, the events and acts at tables that it was told are done, and every error that a person would have met as a broken page.
"""

from __future__ import annotations

import json
import random
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import django

FEW = 8  # newest rows among which one is chosen: so that writers meet


def main() -> None:
    """Do so many acts, and tell what came of them."""
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    django.setup()
    told = Writer(random.Random(seed)).write(count)
    json.dump(told, sys.stdout)


class NothingThere(Exception):
    """There is nothing that this act could be done to: another one is drawn."""


class Writer:
    """Draws acts and does them, as whoever may."""

    def __init__(self, drawn: random.Random) -> None:
        from accounts.models import User
        from campaigns.models import Campaign

        self.drawn = drawn
        self.campaigns = list(Campaign.objects.select_related("terms").order_by("pk"))
        self.cleo = User.objects.get(username="cleo")
        self.counts: Counter[str] = Counter()
        self.events: list[int] = []
        self.table_acts: list[int] = []
        self.errors: list[str] = []
        self.busy: list[str] = []
        self.acts: dict[str, tuple[int, Callable[[str], Any]]] = {
            "hire": (7, self.hire), "buy": (8, self.buy), "give": (4, self.give), "sell": (4, self.sell), "upgrade": (2, self.upgrade),
            "part": (1, self.part), "rename": (3, self.rename), "money": (4, self.money), "undo": (9, self.undo),
            "pair": (1, self.pair), "schedule": (3, self.schedule), "scenario": (2, self.scenario), "muster": (9, self.muster),
            "unmuster": (1, self.unmuster), "table": (3, self.begin_table), "press": (10, self.press), "press-undo": (3, self.press_undo),
            "report": (6, self.report), "amend": (3, self.amend), "confirm": (5, self.confirm), "dispute": (2, self.dispute),
            "decide": (2, self.decide), "void": (2, self.void), "restore": (1, self.restore), "begin": (6, self.begin), "task": (12, self.task),
            "task-undo": (2, self.task_undo), "step": (9, self.step), "close": (4, self.close), "ransom": (2, self.ransom),
        }  # fmt: skip

    def write(self, count: int) -> dict[str, Any]:
        names = [name for name, (weight, _) in self.acts.items() for _ in range(weight)]
        done = 0
        while done < count:
            name = self.drawn.choice(names)
            try:
                outcome = self.one(name)
            except NothingThere:
                continue
            self.counts[f"{name} {outcome}"] += 1
            done += 1
        return {
            "counts": self.counts,
            "events": self.events,
            "table_acts": self.table_acts,
            "errors": self.errors,
            "busy": self.busy,
        }

    def one(self, name: str) -> str:
        """Do one act, and return what came of it: done, refused, already or busy; crashed is what may not be."""
        from campaigns.models import TableAct
        from config.db_timeout import is_busy
        from rules.problems import Refusal
        from warbands.recording import AlreadyDone, event_just_recorded

        token = f"{self.drawn.getrandbits(64):016x}"
        try:
            result = self.acts[name][1](token)
        except NothingThere:
            raise
        except AlreadyDone:
            return "already"
        except Refusal:
            return "refused"
        except Exception as error:
            state = getattr(error.__cause__, "sqlstate", "")
            if is_busy(error):
                self.busy.append(f"{name}: {''.join(traceback.format_exception(error)[-12:])}")
                return f"busy {state}"
            self.errors.append(f"{name}: {''.join(traceback.format_exception(error)[-12:])}")
            return "crashed"
        if isinstance(result, TableAct):
            self.table_acts.append(result.pk)
        elif (event := event_just_recorded(token)) is not None:
            self.events.append(event.pk)
        return "done"

    # --- choosing

    def one_of(self, rows: Any) -> Any:
        """One of the rows, drawn."""
        rows = list(rows)
        if not rows:
            raise NothingThere
        return self.drawn.choice(rows)

    def campaign(self) -> Any:
        from campaigns.models import Campaign

        return Campaign.objects.select_related("terms").get(pk=self.drawn.choice(self.campaigns).pk)

    def seats(self, campaign: Any) -> list[Any]:
        from campaigns.models import Seat

        rows = Seat.objects.live().select_related("campaign__terms", "warband__terms", "warband__owner", "user")
        return list(rows.filter(campaign=campaign, warband__isnull=False).order_by("pk"))

    def warband(self) -> Any:
        return self.one_of(self.seats(self.campaign())).warband

    def fighter(self, warband: Any = None) -> Any:
        from warbands.adapters import PRESENT
        from warbands.models import Fighter

        rows = Fighter.objects.live().select_related("warband__terms", "warband__owner").filter(status__in=PRESENT)
        return self.one_of(rows.filter(warband=warband or self.warband()))

    def battle(self, *statuses: str) -> Any:
        from campaigns.models import Battle

        rows = (
            Battle.objects.live().select_related("campaign__terms").filter(campaign=self.campaign()).exclude(kind="bye")
        )
        return self.one_of(rows.filter(status__in=statuses).order_by("-pk")[:FEW])

    def side(self, battle: Any) -> Any:
        from campaigns.models import Side

        rows = Side.objects.live().select_related(
            "battle__campaign__terms", "seat__user", "warband__terms", "warband__owner", "snapshot"
        )
        return self.one_of(rows.filter(battle=battle).order_by("pk"))

    def sequence(self) -> Any:
        from campaigns.sequence import StepSequence
        from tests import campaign_stories as c

        rows = c.sequence_rows().live().filter(side__battle__campaign=self.campaign(), side__is_undone=False)  # type: ignore[attr-defined]
        return StepSequence(self.one_of(rows.filter(started_at__isnull=False, closed_at=None).order_by("-pk")[:FEW]))

    def offer(self, offers: Sequence[Any]) -> Any:
        """One of the offers, mostly one that is open."""
        likely = [offer for offer in offers if offer.state != "closed"] if self.drawn.random() < 0.9 else list(offers)
        return self.one_of(likely)

    # --- a roster

    def hire(self, token: str) -> Any:
        from warbands.adapters import force_of
        from warbands.services.hire import hire_fighter

        warband = self.warband()
        offer = self.offer(warband.terms.game.hire_offers(warband.terms.content, force_of(warband)))
        choices = {
            c.key: [v for v, _ in c.options[: c.count]] if c.count > 1 else c.options[0][0] for c in offer.choices
        }
        return hire_fighter(warband=warband, offer_id=offer.id, choices=choices, actor=warband.owner, token=token)

    def buy(self, token: str) -> Any:
        from warbands.adapters import force_of
        from warbands.services.kit import buy_item

        warband = self.warband()
        fighter = self.fighter(warband) if self.drawn.random() < 0.7 else None
        key = str(fighter.pk) if fighter is not None else ""
        offer = self.offer(warband.terms.game.shop.item_offers(warband.terms.content, force_of(warband), key))
        choices = {c.key: c.options[0][0] for c in offer.choices if c.options}
        how = {"fighter": fighter, "choices": choices, "actor": warband.owner, "token": token}
        return buy_item(warband=warband, offer_id=offer.id, **how)

    def item(self, warband: Any) -> Any:
        from warbands.models import Item

        rows = Item.objects.live().select_related("warband__terms", "warband__owner")
        return self.one_of(rows.filter(warband=warband, status=Item.Status.HELD).order_by("pk"))

    def give(self, token: str) -> Any:
        from warbands.services.kit import give_item

        warband = self.warband()
        item, fighter = self.item(warband), self.fighter(warband) if self.drawn.random() < 0.7 else None
        return give_item(item=item, fighter=fighter, actor=warband.owner, token=token)

    def sell(self, token: str) -> Any:
        from warbands.services.kit import sell_item

        warband = self.warband()
        return sell_item(item=self.item(warband), actor=warband.owner, token=token)

    def upgrade(self, token: str) -> Any:
        from warbands.adapters import force_of
        from warbands.services.upgrades import buy_upgrade

        fighter = self.fighter()
        warband = fighter.warband
        shop = warband.terms.game.shop
        offer = self.offer(shop.upgrade_offers(warband.terms.content, force_of(warband), str(fighter.pk)))
        option = offer.options[0][0] if offer.options else ""
        choices = {c.key: c.options[0][0] for c in offer.choices if c.options}
        how = {"option": option, "choices": choices, "actor": warband.owner, "token": token}
        return buy_upgrade(fighter=fighter, offer_id=offer.id, **how)

    def part(self, token: str) -> Any:
        from warbands.adapters import force_of
        from warbands.services.hire import part_fighter

        fighter = self.fighter()
        terms = fighter.warband.terms
        offer = self.offer(terms.game.departures(terms.content, force_of(fighter.warband), str(fighter.pk)))
        return part_fighter(fighter=fighter, way=offer.id, actor=fighter.warband.owner, token=token)

    def rename(self, token: str) -> Any:
        from warbands.services.roster import rename_fighter

        fighter = self.fighter()
        name = f"Number {self.drawn.randrange(1000)}"
        return rename_fighter(fighter=fighter, name=name, actor=fighter.warband.owner, token=token)

    def money(self, token: str) -> Any:
        from campaigns.services.repairs import repair_money

        seat = self.one_of(self.seats(self.campaign()))
        ducats, glory = self.drawn.randrange(-40, 200), self.drawn.randrange(-1, 3)
        return repair_money(seat=seat, actor=self.cleo, ducats=ducats, glory=glory, words="As counted", token=token)

    def undo(self, token: str) -> Any:
        """Take back something that happened lately, by who did it or by the administrator."""
        from warbands.models import Event
        from warbands.undo import undo

        seats = self.seats(self.campaign())
        warbands = [seat.warband_id for seat in seats]
        newest = Event.objects.filter(subjects__warband__in=warbands).exclude(kind__in=("found", "bring"))
        event = self.one_of(newest.order_by("-pk").distinct()[: FEW * 2])
        actor = event.actor if event.actor is not None and self.drawn.random() < 0.7 else self.cleo
        return undo(event=event, actor=actor, token=token)

    # --- before a battle

    def pair(self, token: str) -> Any:
        from campaigns.services.pairing import publish_round

        campaign = self.campaign()
        seats = self.seats(campaign)
        self.drawn.shuffle(seats)
        tables = [seats[place : place + 2] for place in range(0, len(seats), 2)]
        return publish_round(campaign=campaign, actor=self.cleo, tables=tables, token=token)

    def schedule(self, token: str) -> Any:
        from campaigns.services.rounds import schedule_battle

        campaign = self.campaign()
        seats = self.drawn.sample(self.seats(campaign), 2)
        return schedule_battle(campaign=campaign, actor=seats[0].user, seats=seats, token=token)

    def scenario(self, token: str) -> Any:
        from campaigns.services.battle_setup import choose_scenario

        battle = self.battle("scheduled", "mustered")
        scenario = self.drawn.choice(("hill-223", "trench-warfare"))
        return choose_scenario(battle=battle, actor=self.cleo, scenario_id=scenario, token=token)

    def muster(self, token: str) -> Any:
        from campaigns.services.muster import make_side_ready

        side = self.side(self.battle("scheduled"))
        return make_side_ready(side=side, actor=side.seat.user, token=token)

    def unmuster(self, token: str) -> Any:
        from campaigns.services.muster import take_back_ready

        side = self.side(self.battle("mustered"))
        return take_back_ready(side=side, actor=side.seat.user, token=token)

    # --- at the table

    def begin_table(self, token: str) -> Any:
        from campaigns.services.tracker import begin_table

        battle = self.battle("mustered")
        return begin_table(battle=battle, actor=self.side(battle).seat.user, token=token)

    def table(self) -> Any:
        from campaigns.models import Table

        rows = Table.objects.select_related("battle__campaign__terms").filter(battle__status="mustered")
        return self.one_of(rows.filter(battle__campaign=self.campaign()).order_by("-pk")[:FEW])

    def press(self, token: str) -> Any:
        from campaigns.report_prefill import table_state
        from campaigns.services.tracker import act_at_table

        battle = self.table().battle
        side = self.side(battle)
        state = table_state(battle)
        assert state is not None
        fighter = self.one_of(state.of(str(side.pk)) or state.fighters)
        change = self.drawn.choice((1, 1, -1))
        data = {"kind": "marker", "fighter": fighter.key, "marker": "blood", "change": change}
        if self.drawn.random() < 0.1:
            data = {"kind": "turn", "turn": state.turn, "anyway": True}
        return act_at_table(battle=battle, actor=side.seat.user, data=data, token=token)

    def press_undo(self, token: str) -> Any:
        from campaigns.models import TableAct
        from campaigns.services.tracker import undo_at_table

        table = self.table()
        act = self.one_of(TableAct.objects.filter(table=table).order_by("-number")[:FEW])
        actor = self.side(table.battle).seat.user
        return undo_at_table(battle=table.battle, actor=actor, number=act.number, token=token)

    # --- what came of it

    def told(self, battle: Any) -> dict[str, Any]:
        """A report of anything: who won, how many points, who fell."""
        from campaigns.models import Side
        from campaigns.report_data import mustered

        sides = list(Side.objects.live().select_related("warband", "snapshot").filter(battle=battle).order_by("pk"))
        went = {side: [str(key) for key in mustered(side)] for side in sides}
        fallen = {side: self.drawn.sample(keys, min(len(keys), self.drawn.randrange(3))) for side, keys in went.items()}
        foes = {side: str(sides[(place + 1) % len(sides)].pk) for place, side in enumerate(sides)}
        return {
            "winner": str(self.drawn.choice(sides).pk) if self.drawn.random() < 0.8 else None,
            "points": {str(side.pk): self.drawn.randrange(6) for side in sides},
            "out": {str(side.pk): dict.fromkeys(keys, foes[side]) for side, keys in fallen.items()},
            "deeds": [],
        }

    def report(self, token: str) -> Any:
        from campaigns.services.reports import send_report

        battle = self.battle("mustered")
        side, data = self.side(battle), self.told(battle)
        return send_report(battle=battle, actor=side.seat.user, by_side=side, data=data, token=token)

    def amend(self, token: str) -> Any:
        from campaigns.services.amend import amend_report

        battle = self.battle("reported", "confirmed")
        side = self.side(battle) if self.drawn.random() < 0.5 else None
        actor = side.seat.user if side is not None else self.cleo
        return amend_report(battle=battle, actor=actor, data=self.told(battle), by_side=side, token=token)

    def confirm(self, token: str) -> Any:
        from campaigns.services.answers import confirm_report

        battle = self.battle("reported")
        side = self.side(battle) if self.drawn.random() < 0.7 else None
        actor = side.seat.user if side is not None else self.cleo
        return confirm_report(battle=battle, actor=actor, side=side, token=token)

    def dispute(self, token: str) -> Any:
        from campaigns.services.answers import dispute_report

        battle = self.battle("reported")
        side = self.side(battle)
        data = self.told(battle) if self.drawn.random() < 0.5 else None
        how = {"actor": side.seat.user, "words": "It was otherwise", "data": data, "token": token}
        return dispute_report(battle=battle, side=side, **how)

    def decide(self, token: str) -> Any:
        from campaigns.services.answers import decide_dispute

        battle = self.battle("disputed")
        return decide_dispute(battle=battle, actor=self.cleo, data=self.told(battle), words="So be it", token=token)

    def void(self, token: str) -> Any:
        from campaigns.services.void import void_battle

        battle = self.battle("reported", "confirmed", "disputed", "closed")
        unwinds = self.drawn.random() < 0.6
        return void_battle(battle=battle, actor=self.cleo, words="It never happened", unwinds=unwinds, token=token)

    def restore(self, token: str) -> Any:
        from campaigns.services.void import restore_battle

        return restore_battle(battle=self.battle("void"), actor=self.cleo, token=token)

    # --- after it

    def begin(self, token: str) -> Any:
        from campaigns.services.post_battle import start_post_battle

        side = self.side(self.battle("reported", "confirmed"))
        return start_post_battle(side=side, actor=side.seat.user, token=token)

    def task(self, token: str) -> Any:
        """One press on a task: a roll, a decision, or its confirmation."""
        from campaigns.services.post_battle import keep_choice, keep_roll, write_task
        from rules.dice import AppDice
        from tests.campaign_stories import pick

        sequence = self.sequence()
        if (step := sequence.current()) is None:
            raise NothingThere
        task = self.one_of(sequence.waiting(step.id))
        row, now = sequence.post_battle, sequence.progress(task)
        how = {"post_battle": row, "task_key": task.key, "actor": row.side.seat.user, "token": token}
        if now.need is not None:
            return keep_roll(source="app", dice=AppDice(), **how)
        if now.asked is not None:
            return keep_choice(choice_key=now.asked.key, value=pick(now.asked), **how)
        return write_task(**how)

    def task_undo(self, token: str) -> Any:
        from campaigns.services.task_answers import undo_task

        row = self.sequence().post_battle
        key = self.one_of(sorted(row.record.get("written", {})))
        return undo_task(post_battle=row, task_key=key, actor=row.side.seat.user, token=token)

    def step(self, token: str) -> Any:
        from campaigns.services.post_battle import finish_step

        sequence = self.sequence()
        step, row = sequence.current(), sequence.post_battle
        if step is None or step.kind == "close" or sequence.waiting(step.id):
            raise NothingThere
        return finish_step(post_battle=row, step=step.id, actor=row.side.seat.user, token=token)

    def close(self, token: str) -> Any:
        from campaigns.services.post_battle import close_post_battle

        sequence = self.sequence()
        step, row = sequence.current(), sequence.post_battle
        if step is None or step.kind != "close":
            raise NothingThere
        return close_post_battle(post_battle=row, actor=row.side.seat.user, token=token)

    def ransom(self, token: str) -> Any:
        from campaigns.models import Capture, RansomOffer
        from campaigns.services.ransom import accept_price, name_price

        captures = Capture.objects.live().select_related(
            "fighter", "warband__terms", "warband__owner", "captor__terms", "captor__owner", "battle__campaign__terms"
        )
        capture = self.one_of(captures.filter(battle__campaign=self.campaign()).order_by("-pk")[:FEW])
        offers = RansomOffer.objects.live().filter(capture=capture, status=RansomOffer.Status.OPEN)
        if (offer := offers.first()) is not None:
            offer.capture = capture
            return accept_price(offer=offer, actor=self.cleo, token=token)
        mine = self.drawn.random() < 0.5
        owner = (capture.captor if mine else capture.warband).owner
        return name_price(capture=capture, by_captor=mine, ducats=self.drawn.randrange(1, 30), actor=owner, token=token)


if __name__ == "__main__":
    main()
