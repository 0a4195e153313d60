"""Drafts and two people at once: a draft is applied once, loses no change, and never lands on a roster that nobody looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests import stories as s
from tests.concurrency.test_two_at_once import at_once, kinds
from warbands.drafting import trying
from warbands.idempotency import new_token
from warbands.models import Event, Fighter, RosterDraft, Warband
from warbands.services.drafts import apply_draft, keep_acts, remove_acts, start_draft
from warbands.services.hire import hire_fighter

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def drafted(warband: Warband, name: str = "Niamh") -> RosterDraft:
    """A draft that hires a Yeoman."""
    draft = start_draft(warband=warband, actor=warband.owner)
    with trying(draft, warband.owner) as run:
        s.hire(run.warband(), "Yeoman", name)
    keep_acts(run)
    return RosterDraft.objects.select_related("warband__terms", "warband__owner").get(pk=draft.pk)


def applying(draft: RosterDraft, person: Any, **how: Any) -> Callable[[], Any]:
    """Apply a draft as its page would."""
    return lambda: apply_draft(draft=draft, actor=person, revision=draft.revision, **how)


def test_one_press_of_apply_sent_twice_applies_once(ada: Any) -> None:
    warband = s.small_warband(ada)
    draft = drafted(warband)
    press = applying(draft, ada, seen=s.fresh(warband).version, token="once")
    results = at_once(press, press, press)
    assert kinds(results) == ["AlreadyDone", "AlreadyDone", "Event"]
    assert {r.event.pk for r in results if hasattr(r, "event")} == {Event.objects.get(token="once").pk}
    assert Fighter.objects.filter(name="Niamh").count() == 1
    s.assert_reconciled(warband)


def test_two_people_who_apply_one_draft_apply_it_once(ada: Any, ben: Any) -> None:
    warband = s.small_warband(ada)
    draft, seen = drafted(warband), s.fresh(warband).version
    results = at_once(*(applying(draft, who, seen=seen, token=new_token()) for who in (ada, ben)))
    assert kinds(results) == ["Event", "Refusal"]
    assert Fighter.objects.filter(name="Niamh").count() == 1
    s.assert_reconciled(warband)


def test_a_draft_applied_while_the_roster_changes_lands_before_or_not_at_all(ada: Any, ben: Any) -> None:
    warband = s.small_warband(ada)
    draft, seen, offer = drafted(warband), s.fresh(warband).version, s.hire_offer(warband, "Yeoman")

    def hire() -> Any:
        return hire_fighter(warband=s.fresh(warband), offer_id=offer.id, name="Aoife", actor=ben)

    applied, hired = at_once(applying(draft, ada, seen=seen, token=new_token()), hire)
    assert isinstance(hired, Fighter)
    assert kinds([applied]) in (["Event"], ["Stale"])
    assert Fighter.objects.filter(name="Niamh").exists() == isinstance(applied, Event)
    assert RosterDraft.objects.exists() != isinstance(applied, Event)
    s.assert_reconciled(warband)


def test_two_changes_of_one_draft_at_once_are_both_kept(ada: Any) -> None:
    warband = s.small_warband(ada)
    draft, offer = drafted(warband), s.hire_offer(warband, "Yeoman")
    client = Client()
    client.force_login(ada)
    here = f"/drafts/{draft.pk}/warbands/{warband.pk}/hire/"

    def press(name: str) -> Callable[[], Any]:
        def do() -> int:
            own = Client()
            own.cookies = client.cookies
            return own.post(here, {"offer": offer.id, "name": name, "token": new_token()}).status_code

        return do

    assert at_once(press("Colm"), press("Donal")) == [302, 302]
    draft.refresh_from_db()
    assert [act["number"] for act in draft.acts] == [1, 2, 3]
    assert Fighter.objects.filter(warband=warband).count() == 3
    s.assert_reconciled(warband)


def test_a_draft_shown_and_edited_while_the_roster_changes(ada: Any, ben: Any) -> None:
    warband = s.small_warband(ada)
    draft, offer = drafted(warband), s.hire_offer(warband, "Yeoman")

    def show() -> Any:
        for _time in range(3):
            with trying(RosterDraft.objects.select_related("warband__terms").get(pk=draft.pk), ada) as run:
                assert not run.clashes
        return "shown"

    def hire() -> Any:
        return hire_fighter(warband=s.fresh(warband), offer_id=offer.id, actor=ben)

    results = at_once(show, show, hire, lambda: remove_acts(draft=draft, numbers={7}))
    assert kinds(results) == ["Fighter", "int", "str", "str"]
    s.assert_reconciled(warband)
