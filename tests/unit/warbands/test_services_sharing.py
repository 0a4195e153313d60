"""Read-only links, and roster versions kept for good."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import Http404

from rules.problems import Refusal
from tests import stories as s
from tests.module_story import story
from warbands.access import shared
from warbands.models import ShareLink, Snapshot, Warband
from warbands.recording import recording
from warbands.services.roster import disband_warband
from warbands.services.sharing import print_link, revoke_link, share_warband, take_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def wardens(ada: Any) -> Warband:
    """A small legal warband of Ada's, still being founded."""
    return s.small_warband(ada)


def test_a_link_shows_no_more_than_was_asked(wardens: Warband, ada: Any) -> None:
    link = share_warband(warband=wardens, actor=ada, name="For the club")
    assert (link.shows_money, link.shows_notes) == (False, False)
    assert shared(link.slug).warband == wardens
    other = share_warband(warband=wardens, actor=ada, shows_money=True, shows_notes=True)
    assert other.slug != link.slug
    with pytest.raises(Refusal):
        share_warband(warband=wardens, actor=ada, name="x" * 61)
    s.assert_reconciled(wardens)


def test_a_revoked_link_is_not_found(wardens: Warband, ada: Any) -> None:
    link = share_warband(warband=wardens, actor=ada)
    revoke_link(link=link, actor=ada)
    with pytest.raises(Http404):
        shared(link.slug)
    with pytest.raises(Refusal):
        revoke_link(link=link, actor=ada)
    s.take_back(wardens)
    assert shared(link.slug) == link


def test_a_link_that_was_undone_is_not_found(wardens: Warband, ada: Any) -> None:
    link = share_warband(warband=wardens, actor=ada)
    s.take_back(wardens)
    with pytest.raises(Http404):
        shared(link.slug)


def test_a_disbanded_warband_may_still_be_shared(wardens: Warband, ada: Any) -> None:
    disband_warband(warband=wardens, actor=ada)
    link = share_warband(warband=wardens, actor=ada)
    revoke_link(link=link, actor=ada)
    assert ShareLink.objects.filter(warband=wardens).count() == 1


def test_printed_sheets_share_one_link(wardens: Warband, ada: Any) -> None:
    first = print_link(wardens, ada)
    assert first.for_print
    assert print_link(wardens) == first
    revoke_link(link=first, actor=ada)
    second = print_link(wardens)
    assert second.slug != first.slug
    s.assert_reconciled(wardens)


def test_a_version_is_kept_once_and_for_good(wardens: Warband) -> None:
    snapshot = take_snapshot(wardens, "Printed")
    assert snapshot.version == s.fresh(wardens).version
    assert take_snapshot(s.fresh(wardens), "Again") == snapshot
    kept = json.loads(json.dumps(snapshot.document))
    assert kept == s.document(wardens)
    assert {fighter["name"] for fighter in snapshot.sheet["fighters"]} == {"Ilse Brandt", "Ottla", "Matthias"}
    assert snapshot.problems == []
    s.hire(wardens, "Yeoman")
    later = take_snapshot(s.fresh(wardens))
    assert later.version == snapshot.version + 1
    assert Snapshot.objects.get(pk=snapshot.pk).document == kept


def test_a_snapshot_keeps_the_problems_as_they_were(ada: Any) -> None:
    warband = s.found(ada)
    s.hire(warband, "Yeoman")
    snapshot = take_snapshot(s.fresh(warband))
    assert [problem["code"] for problem in snapshot.problems] == ["no-leader"] or snapshot.problems
    assert all({"code", "message", "mend"} <= set(problem) for problem in snapshot.problems)


def test_inside_an_act_the_snapshot_bears_the_version_that_the_act_makes(wardens: Warband, ada: Any) -> None:
    with recording(wardens, kind="muster", actor=ada) as act:
        snapshot = take_snapshot(act, "Muster")
        act.say("{who} mustered.")
    assert snapshot.version == s.fresh(wardens).version
    assert take_snapshot(s.fresh(wardens)) == snapshot
