"""Hash chains: every act is a link, undo too; who changes an old act in the database is found out."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from campaigns.services.repairs import put_back
from campaigns.services.void import restore_battle, void_battle
from tests import campaign_stories as c
from tests import stories as s
from warbands.chain import check, digest_of, holds
from warbands.models import Chain, ChainLink, Change, Event, LedgerEntry, Warband
from warbands.models.event import PART_OF, PARTS
from warbands.services.roster import rename_fighter

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def chain_of(row: Any) -> Chain:
    return Chain.objects.get(label=row._meta.label, row_id=row.pk)


@pytest.fixture
def warband(ada: Any) -> Warband:
    warband = s.found(ada)
    s.hire(warband, "Yeoman")
    s.hire(warband, "Yeoman")
    s.take_back(s.last_event(warband), ada)
    return s.fresh(warband)


def test_each_act_is_a_link_and_an_undo_is_one_too(warband: Warband) -> None:
    chain = chain_of(warband)
    assert chain.length == warband.version == 4
    assert [link.number for link in chain.links.all()] == [1, 2, 3, 4]
    assert check(chain).faults == []


def test_an_act_of_two_warbands_and_a_campaign_has_one_name_in_all_their_chains(ada: Any, ben: Any, cleo: Any) -> None:
    club = c.club(cleo, ada, ben)
    c.fight(c.mustered(club, ada, ben), by=ada)
    chains = [chain_of(row) for row in (club.campaign, club.warband(ada), club.warband(ben))]
    assert [check(chain).faults for chain in Chain.objects.all()] == [[] for _ in Chain.objects.all()]
    report = Event.objects.filter(kind="report").get()
    links = ChainLink.objects.filter(event=report)
    assert len(links) >= 1
    assert len({(link.event_uid, link.digest) for link in links}) == 1
    assert chains[0].length == Event.objects.filter(subjects__label="campaigns.Campaign").distinct().count()


def test_acts_that_consist_of_undos_are_sealed_as_they_stay(ada: Any, ben: Any, cleo: Any) -> None:
    club = c.club(cleo, ada, ben)
    row = c.mustered(club, ada, ben)
    c.fight(row, by=ada)
    c.resolve(row, ada)
    assert void_battle(battle=c.fresh_battle(row), actor=cleo, words="The wrong night").undone
    assert_whole()
    restore_battle(battle=c.fresh_battle(row), actor=cleo)
    assert_whole()
    version = club.warband(ben).version
    rename_fighter(fighter=c.named(club.warband(ben), c.named_first(club, ben)), name="Bettina", actor=ben)
    put_back(seat=club.seat(ben), version=version, actor=cleo, words="Too soon")
    assert_whole()
    assert Event.objects.filter(data__has_key=PART_OF).count() > 3


def test_links_from_before_that_cover_the_parts_hold_too(ada: Any, ben: Any, cleo: Any) -> None:
    club = c.club(cleo, ada, ben)
    row = c.mustered(club, ada, ben)
    c.fight(row, by=ada)
    c.begin(row, ada)
    void_battle(battle=c.fresh_battle(row), actor=cleo, words="The wrong night")
    voided = Event.objects.get(kind="void")
    assert voided.data[PARTS]
    changes, ledger = voided.changes.order_by("pk"), voided.ledger.order_by("pk")
    link = ChainLink.objects.filter(event=voided).first()
    assert link is not None
    assert holds(link, changes, ledger)
    link.digest = digest_of(voided, changes, ledger, names=link.names, parts=True)
    assert holds(link, changes, ledger)
    voided.sentence = "{who} did nothing."
    link.event = voided
    assert not holds(link, changes, ledger)


def assert_whole() -> None:
    assert [fault for chain in Chain.objects.all() for fault in check(chain).faults] == []


CHANGES = {
    "an amount": lambda: LedgerEntry.objects.filter(event__kind="hire").update(ducats=F("ducats") + 1),
    "a sentence": lambda: Event.objects.filter(kind="hire").update(sentence="{who} did nothing."),
    "a name": lambda: Event.objects.filter(kind="hire").update(actor_name="Somebody"),
    "a value": lambda: Change.objects.filter(field="is_undone").update(after=7),
    "a change that goes": lambda: Change.objects.filter(event__kind="hire").delete(),
    "a digest": lambda: ChainLink.objects.filter(number=2).update(digest="0" * 64),
    "a link that goes": lambda: ChainLink.objects.filter(number=2).delete(),
    "the last link": lambda: ChainLink.objects.filter(number=4).delete(),
    "the head": lambda: Chain.objects.update(head="0" * 64),
    "the order": lambda: ChainLink.objects.filter(number=2).update(number=40),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_is_changed_in_the_database_is_found(warband: Warband, what: str, capsys: Any) -> None:
    CHANGES[what]()
    assert check(chain_of(warband)).faults != []
    with pytest.raises(SystemExit) as ended:
        call_command("verify")
    assert ended.value.code == 1


def test_an_act_put_in_by_hand_is_found(warband: Warband) -> None:
    event = Event.objects.create(kind="hire", sentence="{who} hired a friend.")
    event.subjects.create(label=warband._meta.label, row_id=warband.pk, warband=warband, number=99)
    assert check(chain_of(warband)).faults == ["1 acts are in no link."]


def test_what_is_removed_leaves_its_digest(warband: Warband, capsys: Any) -> None:
    last = s.last_event(warband)
    LedgerEntry.objects.filter(event=last).delete()
    last.delete()
    found = check(chain_of(warband))
    assert (found.removed, found.faults) == (1, [])
    call_command("verify", heads=True)
    told = capsys.readouterr()
    assert "1 acts were removed. Their digests are right." in told.out
    assert "1 chains calculated, 1 acts removed, 0 faults." in told.err
    assert chain_of(warband).head in told.out


def test_a_link_takes_as_many_queries_after_twelve_acts_as_after_one(ada: Any) -> None:
    warband = s.found(ada)
    counts = []
    for number in range(1, 13):
        with CaptureQueriesContext(connection) as queries:
            s.hire(warband, "Yeoman") if number % 2 else s.take_back(s.last_event(warband), ada)
        if number % 2:
            counts.append(sum("warbands_chain" in query["sql"] for query in queries))
    assert set(counts) == {3}


def test_the_acts_from_before_get_their_chains_by_the_migration(warband: Warband) -> None:
    Chain.objects.all().delete()
    module = import_module("warbands.migrations.0018_chains_of_old_acts")
    module.add_chains(apps, None)
    chain = chain_of(warband)
    assert (chain.length, check(chain).faults) == (4, [])
    s.hire(warband, "Yeoman")  # and they go on
    assert check(chain_of(warband)).faults == []
