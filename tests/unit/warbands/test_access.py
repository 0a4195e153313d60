"""Who may read, edit and own: strangers learn nothing, readers change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from tests import stories as s
from tests.hosts import OpenHost, hosted
from warbands.access import (
    fighter_for,
    item_for,
    may,
    promise_for,
    warband_for,
)
from warbands.models import Item, Promise, Warband
from warbands.recording import recording
from warbands.rights import event_for
from warbands.services.roster import disband_warband
from warbands.services.sharing import add_delegate

pytestmark = pytest.mark.django_db


@pytest.fixture
def wardens(ada: Any) -> Warband:
    """A small legal warband of Ada's."""
    return s.small_warband(ada)


@pytest.fixture
def host() -> Iterator[OpenHost]:
    """A host that lets others in, for this test alone."""
    with hosted(OpenHost()) as open_host:
        assert isinstance(open_host, OpenHost)
        yield open_host


def test_the_owner_may_do_everything_with_one_query(wardens: Warband, ada: Any, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        found = warband_for(ada, wardens.pk, to="own")
        assert (found, found.terms.edition, found.owner) == (wardens, "1.6.3", ada)
        assert may(ada, found, "edit")


def test_a_delegate_edits_with_one_query_and_does_not_own(
    wardens: Warband, ada: Any, ben: Any, django_assert_num_queries: Any
) -> None:
    add_delegate(warband=wardens, username="ben", actor=ada)
    with django_assert_num_queries(1):
        assert warband_for(ben, wardens.pk, to="edit") == wardens
    with pytest.raises(PermissionDenied):
        warband_for(ben, wardens.pk, to="own")
    s.take_back(wardens)
    with pytest.raises(Http404):
        warband_for(ben, wardens.pk, to="edit")


@pytest.mark.parametrize("to", ["read", "edit", "own"])
def test_a_stranger_and_a_visitor_find_nothing(wardens: Warband, dora: Any, to: Any) -> None:
    for user in (dora, AnonymousUser()):
        with pytest.raises(Http404):
            warband_for(user, wardens.pk, to=to)
        assert not may(user, wardens, to)


@pytest.mark.parametrize("pk", [0, -1, "x", "", None, 10**30, "1e3", 999_999])
def test_malformed_and_unknown_numbers_are_not_found(ada: Any, pk: Any) -> None:
    for find in (warband_for, fighter_for, item_for, event_for, promise_for):
        with pytest.raises(Http404):
            find(ada, pk)


def test_what_was_undone_is_not_found(ada: Any) -> None:
    warband = s.found(ada)
    s.take_back(warband)
    with pytest.raises(Http404):
        warband_for(ada, warband.pk)


def test_what_was_disbanded_is_still_read(wardens: Warband, ada: Any) -> None:
    disband_warband(warband=wardens, actor=ada)
    assert warband_for(ada, wardens.pk, to="own") == wardens


def test_the_host_may_let_others_read_and_act(host: OpenHost, wardens: Warband, ben: Any, cleo: Any, dora: Any) -> None:
    host.readers, host.editors = (ben,), (cleo,)
    assert warband_for(ben, wardens.pk) == wardens
    with pytest.raises(PermissionDenied):
        warband_for(ben, wardens.pk, to="edit")
    assert warband_for(cleo, wardens.pk, to="edit") == wardens
    with pytest.raises(PermissionDenied):
        warband_for(cleo, wardens.pk, to="own")
    with pytest.raises(Http404):
        warband_for(dora, wardens.pk)


def test_rows_are_reached_through_their_warband(
    host: OpenHost, wardens: Warband, ada: Any, ben: Any, dora: Any
) -> None:
    fighter = s.fighter(wardens, "Ottla")
    item = Item.objects.get(fighter=fighter)
    with recording(wardens, kind="owe", actor=ada) as act:
        promise = act.create(Promise(warband=act.warband, kind="test", words="Something"))
    event = s.last_event(wardens)
    finds: list[tuple[Callable[..., Any], Any]] = [
        (fighter_for, fighter),
        (item_for, item),
        (event_for, event),
        (promise_for, promise),
    ]
    host.readers = (ben,)
    for find, row in finds:
        assert find(ada, row.pk, "edit") == row
        assert find(ben, row.pk, "read") == row
        with pytest.raises(PermissionDenied):
            find(ben, row.pk, "edit")
        with pytest.raises(Http404):
            find(dora, row.pk, "read")


def test_an_act_on_two_warbands_is_undone_by_who_may_act_on_both(
    host: OpenHost, wardens: Warband, ada: Any, ben: Any, cleo: Any
) -> None:
    theirs = s.small_warband(ben, name="The Choir")
    with recording(wardens, theirs, kind="trade", actor=ada) as act:
        act.say("{who} traded.")
    for owner in (ada, ben):
        with pytest.raises(PermissionDenied):
            event_for(owner, act.event.pk)
    host.editors = (cleo,)
    assert event_for(cleo, act.event.pk) == act.event
