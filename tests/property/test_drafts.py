"""Whatever is tried in a draft, in whatever order: applied, it leaves the roster that the same acts leave without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.problems import Refusal
from tests import stories as s
from tests.drills import examples
from tests.scene import rolled_back
from warbands.adapters import PRESENT, force_of
from warbands.drafting import trying
from warbands.export import document_of
from warbands.models import Fighter, Item, RosterDraft, Warband
from warbands.reconcile import differences
from warbands.services.copy_fighter import copy_fighter
from warbands.services.drafts import apply_draft, keep_acts, start_draft
from warbands.services.founding import copy_sample, make_ready
from warbands.services.hire import hire_fighter, hire_fighters, part_fighter
from warbands.services.kit import buy_item, buy_kit, give_item, return_item, sell_item, swap_item
from warbands.services.roster import move_fighter, rename_fighter
from warbands.services.upgrades import buy_upgrade, return_upgrade
from warbands.undo import undo

pick = st.integers(min_value=0, max_value=10**6)
Act = Callable[[Warband, int, int], Any]  # on a warband, with two numbers that choose


class NothingToDo(Refusal):
    """There is nothing to choose from."""


def one_of(rows: Any, number: int) -> Any:
    """One of the rows."""
    rows = list(rows)
    if not rows:
        raise NothingToDo("There is none.")
    return rows[number % len(rows)]


def open_one(offers: Any, number: int) -> Any:
    """One of the offers, mostly one that is not closed."""
    return one_of([offer for offer in offers if offer.state != "closed"] if number % 5 else offers, number // 5)


def fighters(warband: Warband) -> Any:
    return Fighter.objects.live().filter(warband=warband, status__in=PRESENT).select_related("warband__terms")


def items(warband: Warband) -> Any:
    return Item.objects.live().filter(warband=warband, status=Item.Status.HELD).select_related("warband__terms")


def first_choices(offer: Any) -> dict[str, Any]:
    """An answer to whatever an offer asks."""
    return {
        c.key: [v for v, _ in c.options[: c.count]] if c.count > 1 else c.options[0][0]
        for c in offer.choices
        if c.options
    }


def hire(warband: Warband, one: int, two: int) -> None:
    offer = open_one(warband.terms.game.hire_offers(warband.terms.content, force_of(warband)), one)
    name = f"N{two % 9}" if two % 2 else ""
    hire_fighter(warband=warband, offer_id=offer.id, name=name, choices=first_choices(offer), actor=warband.owner)


def hire_three(warband: Warband, one: int, two: int) -> None:
    offer = open_one(warband.terms.game.hire_offers(warband.terms.content, force_of(warband)), one)
    hire_fighters(warband=warband, offer_id=offer.id, times=3, choices=first_choices(offer), actor=warband.owner)


def buy_for_several(warband: Warband, one: int, two: int) -> None:
    bearers = list(fighters(warband))[-2:]
    shop = warband.terms.game.shop
    offers = shop.item_offers(warband.terms.content, force_of(warband), str(one_of(bearers, two).pk))
    buy_kit(warband=warband, fighters=bearers, offer_ids=[open_one(offers, one).id], actor=warband.owner)


def buy(warband: Warband, one: int, two: int) -> None:
    bearer = one_of([None, *fighters(warband)], two)
    shop = warband.terms.game.shop
    offers = shop.item_offers(warband.terms.content, force_of(warband), str(bearer.pk) if bearer else "")
    offer = open_one(offers, one)
    buy_item(warband=warband, offer_id=offer.id, fighter=bearer, choices=first_choices(offer), actor=warband.owner)


def give(warband: Warband, one: int, two: int) -> None:
    give_item(item=one_of(items(warband), one), fighter=one_of([None, *fighters(warband)], two), actor=warband.owner)


def swap(warband: Warband, one: int, two: int) -> None:
    first = one_of(items(warband), one)
    swap_item(item=first, other=one_of(items(warband).exclude(fighter=first.fighter_id), two), actor=warband.owner)


def send_back(warband: Warband, one: int, two: int) -> None:
    (return_item if warband.is_founding else sell_item)(item=one_of(items(warband), one), actor=warband.owner)


def part(warband: Warband, one: int, two: int) -> None:
    way = "return" if warband.is_founding else "dismiss"
    part_fighter(fighter=one_of(fighters(warband), one), way=way, actor=warband.owner)


def copy(warband: Warband, one: int, two: int) -> None:
    copy_fighter(fighter=one_of(fighters(warband), one), times=1 + two % 2, actor=warband.owner)


def rename(warband: Warband, one: int, two: int) -> None:
    rename_fighter(fighter=one_of(fighters(warband), one), name=f"R{two % 7}", actor=warband.owner)


def move(warband: Warband, one: int, two: int) -> None:
    direction = "up" if two % 2 else "down"
    move_fighter(fighter=one_of(fighters(warband), one), direction=direction, actor=warband.owner)


def upgrade(warband: Warband, one: int, two: int) -> None:
    fighter, shop = one_of(fighters(warband), two), warband.terms.game.shop
    offer = open_one(shop.upgrade_offers(warband.terms.content, force_of(warband), str(fighter.pk)), one)
    option = offer.options[0][0] if offer.options else ""
    buy_upgrade(fighter=fighter, offer_id=offer.id, option=option, choices=first_choices(offer), actor=warband.owner)


def upgrade_back(warband: Warband, one: int, two: int) -> None:
    fighter = one_of(fighters(warband), one)
    return_upgrade(fighter=fighter, key=one_of(sorted(fighter.state.get("upgrades", {})), two), actor=warband.owner)


ACTS: tuple[Act, ...] = (
    hire,
    hire_three,
    buy,
    buy,
    buy_for_several,
    give,
    swap,
    send_back,
    part,
    copy,
    rename,
    move,
    upgrade,
    upgrade_back,
)


def done(warband: Warband, act: Act, one: int, two: int) -> bool:
    """Whether an act went through."""
    try:
        with transaction.atomic():
            act(s.fresh(warband), one, two)
    except Refusal:
        return False
    return True


def left(warband: Warband) -> Any:
    """What acts leave of a warband: its export but for when, by which events and in which order of the ledger's writing."""
    document = document_of(s.fresh(warband))
    record = document["record"]
    del record["version"], record["events"]
    for row in (*record["ledger"], *record["fighters"]):
        for when in ("at", "joined_at", "left_at"):
            row.pop(when, None)
    return document


def drafted(draft: RosterDraft, act: Act, one: int, two: int) -> bool:
    """Whether an act went through in a draft; then it is kept."""
    with trying(draft, draft.owner) as run:
        went = done(run.warband(), act, one, two)
    assert not run.clashes
    keep_acts(run)
    draft.refresh_from_db()
    return went


@pytest.mark.django_db
@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    ready=st.booleans(),
    number=pick,
    steps=st.lists(st.tuples(st.sampled_from(ACTS), pick, pick), min_size=3, max_size=9),
)
def test_a_draft_leaves_what_its_acts_leave_without_it(ready: bool, number: int, steps: Any, ada: Any) -> None:
    with rolled_back():
        terms = s.terms(third_party=True)
        sample = one_of(terms.game.founding.samples(terms.content), number)[0]
        warband = copy_sample(actor=ada, owner=ada, terms=terms, sample_id=sample)
        if ready:
            make_ready(warband=warband, actor=ada)
        draft = start_draft(warband=s.fresh(warband), actor=ada)
        went = [drafted(draft, *step) for step in steps]
        before = left(warband)
        with rolled_back():
            for step, in_draft in zip(steps, went, strict=True):
                # An upgrade that changed what a fighter is goes back by the event that brought it, which a draft lacks.
                if in_draft or step[0] is not upgrade_back:
                    assert done(warband, *step) == in_draft, step[0].__name__
            direct = left(warband)
        assert left(warband) == before
        if any(went):
            event = apply_draft(draft=draft, actor=ada, revision=draft.revision, seen=s.fresh(warband).version)
            assert left(warband) == direct
            assert differences(warband) == []
            ledger = before["record"]["ledger"]
            undo(event=event, actor=ada)
            after = left(warband)
            assert sum(row["ducats"] for row in after["record"].pop("ledger")) == sum(row["ducats"] for row in ledger)
            del before["record"]["ledger"]
            assert after == before
