"""Whatever a player does in whatever order: the books add up, nothing floats free, and every act can be taken back."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Sum
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from rules.consequences import GainsItem, Leaves, Money
from rules.price import Price
from rules.problems import Refusal
from tests import stories as s
from tests.drills import WHOLE, examples
from warbands.adapters import PRESENT, force_of
from warbands.models import Event, EventSubject, Fighter, Item, LedgerEntry
from warbands.reconcile import differences
from warbands.recording import recording
from warbands.services.consequences import carry_out
from warbands.services.copy_fighter import copy_fighter
from warbands.services.founding import copy_sample, make_ready
from warbands.services.hire import hire_fighter, part_fighter
from warbands.services.kit import buy_item, give_item, return_item, sell_item, swap_item
from warbands.services.roster import rename_fighter
from warbands.services.upgrades import buy_upgrade, return_upgrade
from warbands.undo import is_live, undo
from warbands.undo_blockers import leaning_on, standings

LISTS = ("new-antioch", "papal-states-intervention-force", "heretic-legion", "trench-ghosts")
pick = st.integers(min_value=0, max_value=10**6)


class WarbandMachine(RuleBasedStateMachine):
    """One warband through any sequence of acts. Everything is rolled back at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()

    def teardown(self) -> None:
        """Forget everything."""
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)

    @initialize(number=pick, start=st.sampled_from(["empty", "built", "ready"]))
    def found(self, number: int, start: str) -> None:
        """A person founds a warband: of a list, or like a sample, or that one ready to play with some loot."""
        from accounts.models import User

        self.ada = User.objects.create_user("ada")
        terms = s.terms(third_party=True)
        if start == "empty":
            self.warband = s.found(self.ada, terms=terms, list_id=LISTS[number % len(LISTS)])
        else:
            sample = self.one_of(terms.game.founding.samples(terms.content), number)[0]
            self.warband = copy_sample(actor=self.ada, owner=self.ada, terms=terms, sample_id=sample)
        if start == "ready":
            make_ready(warband=self.warband, actor=self.ada)
            with recording(self.warband, kind="write", actor=self.ada) as act:
                loot = [GainsItem(item, "found", "Found") for item in ("gas-mask", "combat-helmet", "trench-shield")]
                carry_out(act, self.warband, [Money(Price(ducats=120, glory=6), "Loot"), *loot])
                act.say("{who} came back with loot.")

    # --- acts

    def act(self, do: Any) -> None:
        """Do it. A refusal leaves everything as it was; what is done can be undone and brought back, each exactly."""
        before, written, held = s.document(self.warband), s.written(self.warband), s.purse(self.warband)
        try:
            do()
        except Refusal:
            assert s.written(self.warband) == written
            return
        after, purse = s.document(self.warband), s.purse(self.warband)
        undoing = undo(event=s.last_event(self.warband), actor=self.ada)
        assert (s.document(self.warband), s.purse(self.warband)) == (before, held)
        assert differences(self.warband) == []
        undo(event=undoing, actor=self.ada)
        assert (s.document(self.warband), s.purse(self.warband)) == (after, purse)

    def one_of(self, rows: Any, number: int) -> Any:
        """One of the rows, None where there are none."""
        rows = list(rows)
        return rows[number % len(rows)] if rows else None

    def offer_of(self, offers: Any, number: int) -> Any:
        """One of the offers: mostly one that is not closed, for a change any."""
        likely = [offer for offer in offers if offer.state != "closed"] if number % 5 else offers
        return self.one_of(likely, number // 5)

    def fighters(self) -> Any:
        return Fighter.objects.live().filter(warband=self.warband, status__in=PRESENT)

    def items(self) -> Any:
        return Item.objects.live().filter(warband=self.warband, status=Item.Status.HELD)

    def offers(self, door: str, *args: Any) -> Any:
        now = s.fresh(self.warband)
        asked = now.terms.game.shop if door in {"item_offers", "upgrade_offers"} else now.terms.game
        return getattr(asked, door)(now.terms.content, force_of(now), *args)

    @rule(number=pick)
    def hire(self, number: int) -> None:
        """Hire through any offer, closed ones too."""
        if (offer := self.offer_of(self.offers("hire_offers"), number)) is None:
            return
        choices = {
            c.key: [v for v, _ in c.options[: c.count]] if c.count > 1 else c.options[0][0] for c in offer.choices
        }
        self.act(lambda: hire_fighter(warband=self.warband, offer_id=offer.id, choices=choices, actor=self.ada))

    @rule(number=pick, whom=pick)
    def buy(self, number: int, whom: int) -> None:
        """Buy anything for anybody, or for the stash."""
        fighter = self.one_of([None, *self.fighters()], whom)
        offers = self.offers("item_offers", str(fighter.pk) if fighter else "")
        if (offer := self.offer_of(offers, number)) is not None:
            choices = {c.key: c.options[0][0] for c in offer.choices if c.options}
            self.act(
                lambda: buy_item(
                    warband=self.warband, offer_id=offer.id, fighter=fighter, choices=choices, actor=self.ada
                )
            )

    @rule(number=pick, whom=pick)
    def give(self, number: int, whom: int) -> None:
        """Hand something to somebody."""
        if (item := self.one_of(self.items(), number)) is not None:
            fighter = self.one_of([None, *self.fighters()], whom)
            self.act(lambda: give_item(item=item, fighter=fighter, actor=self.ada))

    @rule(number=pick, other=pick)
    def swap(self, number: int, other: int) -> None:
        """Let two pieces change places."""
        first = self.one_of(self.items(), number)
        others = self.items().exclude(fighter=first.fighter_id) if first is not None else ()
        if (second := self.one_of(others, other)) is not None:
            self.act(lambda: swap_item(item=first, other=second, actor=self.ada))

    @rule(number=pick, contrary=st.integers(0, 5))
    def part_with_kit(self, number: int, contrary: int) -> None:
        """Return something while founding, sell it later; now and then the other way."""
        if (item := self.one_of(self.items(), number)) is not None:
            sale = s.fresh(self.warband).is_founding == (contrary == 0)
            self.act(lambda: (sell_item if sale else return_item)(item=item, actor=self.ada))

    @rule(number=pick, which=pick)
    def part(self, number: int, which: int) -> None:
        """Let somebody go."""
        if (fighter := self.one_of(self.fighters(), number)) is not None:
            offer = self.offer_of(self.offers("departures", str(fighter.pk)), which)
            way = offer.id if offer is not None else "dismiss"
            self.act(lambda: part_fighter(fighter=fighter, way=way, actor=self.ada))

    @rule(number=pick)
    def copy(self, number: int) -> None:
        """Hire one like another."""
        if (fighter := self.one_of(self.fighters(), number)) is not None:
            self.act(lambda: copy_fighter(fighter=fighter, actor=self.ada))

    @rule(number=pick, name=st.text(st.characters(codec="utf-8"), min_size=1, max_size=12))
    def rename(self, number: int, name: str) -> None:
        """Rename somebody, to anything."""
        if (fighter := self.one_of(self.fighters(), number)) is not None:
            self.act(lambda: rename_fighter(fighter=fighter, name=name, actor=self.ada))

    @rule(number=pick, which=pick)
    def upgrade(self, number: int, which: int) -> None:
        """Give somebody any upgrade."""
        fighter = self.one_of(self.fighters(), number)
        offers = self.offers("upgrade_offers", str(fighter.pk)) if fighter is not None else ()
        if (offer := self.offer_of(offers, which)) is not None:
            option = offer.options[0][0] if offer.options else ""
            choices = {c.key: c.options[0][0] for c in offer.choices if c.options}
            self.act(
                lambda: buy_upgrade(fighter=fighter, offer_id=offer.id, option=option, choices=choices, actor=self.ada)
            )

    @rule(number=pick, which=pick)
    def send_upgrade_back(self, number: int, which: int) -> None:
        """Return an upgrade somebody has."""
        fighter = self.one_of(self.fighters(), number)
        keys = sorted(fighter.state["upgrades"]) if fighter is not None else ()
        if (key := self.one_of(keys, which)) is not None:
            self.act(lambda: return_upgrade(fighter=fighter, key=key, actor=self.ada))

    @rule()
    def ready(self) -> None:
        """End the founding, if the roster lets it."""
        self.act(lambda: make_ready(warband=self.warband, actor=self.ada))

    @rule(number=pick, ducats=st.integers(-50, 120), kit_to_stash=st.booleans())
    def battle(self, number: int, ducats: int, kit_to_stash: bool) -> None:
        """Somebody falls, something is found, money comes or goes."""

        def do() -> None:
            with recording(self.warband, kind="write", actor=self.ada) as act:
                done: list[Any] = [Money(Price(ducats=ducats), "Loot"), GainsItem("gas-mask", "found", "Found")]
                if (fighter := self.one_of(self.fighters(), number)) is not None:
                    done.append(Leaves(str(fighter.pk), "dead", "Fell", kit_to_stash=kit_to_stash))
                carry_out(act, self.warband, done)
                act.say("{who} wrote the battle down.")

        self.act(do)

    # --- taking back

    @rule(number=pick)
    def undo_any(self, number: int) -> None:
        """Undo any act there is: undone ones and undoings among them."""
        events = Event.objects.filter(subjects__warband=self.warband).exclude(kind="found").order_by("-pk")
        event = self.one_of(events.exclude(kind="undo")[:4] if number % 4 else events, number // 4)
        if event is not None:
            live = is_live(event)
            leaning = leaning_on(event) if live else []
            written = s.written(self.warband)
            try:
                undo(event=event, actor=self.ada)
            except Refusal:
                assert s.written(self.warband) == written
            else:
                assert live
                assert leaning == []
                assert not is_live(event)

    # --- what must never be false

    @invariant()
    def the_strongbox_is_the_sum_of_its_rows(self) -> None:
        if hasattr(self, "warband"):
            sums = LedgerEntry.objects.filter(warband=self.warband).aggregate(d=Sum("ducats"), g=Sum("glory"))
            now = s.fresh(self.warband)
            assert (now.strongbox_ducats, now.strongbox_glory) == (sums["d"], sums["g"])
            assert now.is_founding or min(now.strongbox_ducats, now.strongbox_glory) >= 0

    @invariant()
    def nothing_differs(self) -> None:
        if hasattr(self, "warband"):
            assert differences(self.warband) == []

    @invariant()
    def no_kit_in_the_hands_of_the_gone(self) -> None:
        if hasattr(self, "warband"):
            carried = Item.objects.live().filter(warband=self.warband, fighter__isnull=False).select_related("fighter")
            assert all(item.fighter.status in PRESENT and not item.fighter.is_undone for item in carried)

    @invariant()
    def the_events_are_numbered_without_gaps(self) -> None:
        if hasattr(self, "warband"):
            numbers = (
                EventSubject.objects.filter(warband=self.warband).order_by("event_id").values_list("number", flat=True)
            )
            assert list(numbers) == list(range(1, s.fresh(self.warband).version + 1))

    @invariant()
    def the_history_tells_what_leans_on_what(self) -> None:
        if hasattr(self, "warband"):
            events = list(Event.objects.filter(subjects__warband=self.warband).order_by("-pk")[:6])
            for pk, standing in standings(events, self.warband).items():
                event = next(e for e in events if e.pk == pk)
                assert standing.live == is_live(event)


@pytest.mark.django_db
@pytest.mark.both_databases
def test_any_sequence_of_acts_adds_up() -> None:
    usual = settings.default
    assert usual is not None
    # Sequences are searched on SQLite; on PostgreSQL two show that the statements are understood.
    many = examples(16) if WHOLE or connection.vendor == "sqlite" else 2
    run_state_machine_as_test(
        WarbandMachine,
        settings=settings(
            usual,
            max_examples=max(many, usual.max_examples // 5 if usual.max_examples > 100 else 0),
            stateful_step_count=20,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
