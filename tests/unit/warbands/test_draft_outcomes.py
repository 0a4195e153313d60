"""What a draft came to is kept: its pages take few queries, and look as if its acts had been played."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tests import stories as s
from tests.conftest import person
from tests.module_story import story
from tests.unit.warbands.test_drafts import bought_by, change, draft_of
from warbands.drafting import trying
from warbands.models import RosterDraft, Warband
from warbands.services.drafts import start_draft
from warbands.services.roster import rename_fighter

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@story
def wardens() -> Warband:
    """A small warband that is still being built."""
    return s.fresh(s.small_warband(person("ada")))


@pytest.fixture
def ada(wardens: Warband) -> Client:
    """Ada's browser."""
    client = Client()
    client.force_login(wardens.owner)
    return client


A_PAGE = 15  # the most queries of a page of a draft, with those of signing in


def queries(client: Client, address: str) -> int:
    """How many queries a page takes, those that open and close transactions left out."""
    asked: list[str] = []

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append(sql)
        return execute(sql, params, many, context)

    assert client.get(address).status_code == 200
    with connection.execute_wrapper(count):
        assert client.get(address).status_code == 200
    return sum(not sql.startswith(("SAVEPOINT", "RELEASE", "ROLLBACK")) for sql in asked)


def drafted_pages(draft: RosterDraft) -> tuple[str, ...]:
    """Pages of a draft: its own, those of the roster, and those of a fighter of the roster."""
    mount, warband, ottla = f"/drafts/{draft.pk}", draft.warband_id, s.fighter(draft.warband, "Ottla").pk
    roster = tuple(f"{mount}/warbands/{warband}/{page}" for page in ("", "hire/", "stash/"))
    return (f"{mount}/", *roster, *(f"{mount}/fighters/{ottla}/{page}" for page in ("", "kit/", "upgrades/", "copy/")))


def test_a_page_of_a_draft_takes_the_same_few_queries_for_one_change_and_for_ten(wardens: Warband, ada: Client) -> None:
    many = s.fresh(s.small_warband(wardens.owner, name="The Many"))
    for number in range(12):
        s.hire(many, "Yeoman", f"Y{number}")
    one, five, ten, crowded = (start_draft(warband=of, actor=of.owner) for of in (wardens, wardens, wardens, many))
    for draft, changes in ((one, 1), (five, 5), (ten, 10), (crowded, 10)):
        for number in range(changes):
            change(draft, lambda now, number=number: s.hire(now, "Yeoman", f"N{number}"))
    drafts = [drafted_pages(draft) for draft in (one, five, ten, crowded)]
    for pages in zip(*drafts, strict=True):
        counts = [queries(ada, page) for page in pages]
        assert len(set(counts)) == 1, (pages[0], counts)
        assert counts[0] <= A_PAGE, (pages[0], counts)


def test_a_change_more_takes_the_same_queries_in_a_long_draft(wardens: Warband) -> None:
    draft, counts = draft_of(wardens), []
    for number in range(10):
        asked: list[str] = []

        def count(execute: Any, sql: str, params: Any, many: bool, context: Any, asked: list[str] = asked) -> Any:
            asked.append(sql)
            return execute(sql, params, many, context)

        with connection.execute_wrapper(count):
            change(draft, lambda now, number=number: s.hire(now, "Yeoman", f"N{number}"))
        counts.append(len(asked))
    assert len(set(counts[2:])) == 1, counts


def test_a_kept_outcome_looks_on_every_page_as_the_acts_played_anew(wardens: Warband, ada: Client) -> None:
    draft = draft_of(wardens, "Niamh", "Colm")
    change(draft, lambda now: s.give(bought_by(now, "Ilse Brandt"), s.fighter(now, "Niamh")))
    change(draft, lambda now: s.part(s.fighter(now, "Ottla")))
    change(draft, lambda now: rename_fighter(fighter=s.fighter(now, "Ilse Brandt"), name="Ilse", actor=now.owner))
    pages = [page for page in drafted_pages(draft) if "/fighters/" not in page]
    with trying(draft, draft.owner):
        pages += [f"/drafts/{draft.pk}/fighters/{s.fighter(wardens, name).pk}/" for name in ("Niamh", "Ilse")]
    kept = [_read(ada, page) for page in pages]
    for page, text in zip(pages, kept, strict=True):
        RosterDraft.objects.update(outcome=None)
        assert _read(ada, page) == text, page
    assert RosterDraft.objects.get().outcome is not None


def _read(client: Client, address: str) -> str:
    """A page without its one-use tokens."""
    answer = client.get(address)
    assert answer.status_code == 200, address
    return re.sub(r'value="[^"]{20,}"|nonce="[^"]*"|data-csrf="[^"]*"', "", answer.content.decode())


def test_a_kept_outcome_holds_for_the_roster_of_which_it_was_kept(wardens: Warband, ada: Client) -> None:
    draft = draft_of(wardens, "Niamh")
    _read(ada, f"/drafts/{draft.pk}/")
    before = RosterDraft.objects.get().outcome
    s.part(s.fighter(wardens, "Ottla"))
    assert "Ottla" not in _read(ada, f"/drafts/{draft.pk}/warbands/{wardens.pk}/")
    after = RosterDraft.objects.get().outcome
    assert before["stamp"] != after["stamp"]
    _read(ada, f"/drafts/{draft.pk}/")
    assert RosterDraft.objects.get().outcome == after


def test_a_clash_is_kept_with_its_reason(wardens: Warband, ada: Client) -> None:
    draft = draft_of(wardens)
    change(draft, lambda now: s.equip(s.fighter(now, "Ottla"), "Bayonet"))
    s.part(s.fighter(wardens, "Ottla"))
    first, again = (_read(ada, f"/drafts/{draft.pk}/") for _time in range(2))
    assert "Ottla" in first
    assert first == again


def test_money_that_a_kept_outcome_spent_is_spent_for_the_next_change(wardens: Warband) -> None:
    s.ready(wardens)
    held = s.purse(wardens)
    draft = draft_of(wardens, "Niamh")
    draft.refresh_from_db()
    assert draft.outcome is not None
    with trying(draft, draft.owner) as run:
        s.hire(run.warband(), "Yeoman", "Colm")
        assert run.warband().strongbox_ducats == held.ducats - 35 - 2 - 35


def test_a_fighter_changed_and_changed_back_is_marked_no_more(wardens: Warband) -> None:
    draft, ottla = draft_of(wardens), str(s.fighter(wardens, "Ottla").pk)
    change(draft, lambda now: rename_fighter(fighter=s.fighter(now, "Ottla"), name="Otto", actor=now.owner))
    with trying(draft, draft.owner) as run:
        assert run.marks == {ottla: "changed"}
    change(draft, lambda now: rename_fighter(fighter=s.fighter(now, "Otto"), name="Ottla", actor=now.owner))
    with trying(draft, draft.owner) as run:
        assert run.marks == {}
