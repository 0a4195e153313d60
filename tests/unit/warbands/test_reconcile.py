"""`reconcile` finds every number and row that was written past the door."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import F

from tests import stories as s
from warbands.models import EventSubject, Fighter, Item, LedgerEntry, Warband
from warbands.reconcile import differences
from warbands.recording import recording
from warbands.services.roster import rename_fighter

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def wardens(ada: Any) -> Warband:
    """A small legal warband of Ada's."""
    return s.small_warband(ada)


def test_a_warband_written_by_the_services_adds_up(wardens: Warband, capsys: Any) -> None:
    assert differences(wardens) == []
    call_command("reconcile")
    assert "1 warbands looked at, 0 differences." in capsys.readouterr().err


@pytest.mark.parametrize("column", ["strongbox_ducats", "rating_ducats", "problem_count", "fighter_count"])
def test_a_number_edited_by_hand_is_told(wardens: Warband, column: str, capsys: Any) -> None:
    Warband.objects.filter(pk=wardens.pk).update(**{column: F(column) + 1})
    assert any(told.startswith(column) for told in differences(wardens))
    with pytest.raises(SystemExit) as stopped:
        call_command("reconcile", str(wardens.pk))
    assert stopped.value.code == 1
    assert column in capsys.readouterr().out


def test_what_another_release_made_of_a_roster_is_judged_again(wardens: Warband, capsys: Any) -> None:
    Warband.objects.filter(pk=wardens.pk).update(problem_count=3, rating_ducats=1)
    assert len(differences(wardens)) == 2
    assert differences(wardens, by_this_release=False) == []
    call_command("reconcile", "--judge")
    told = capsys.readouterr()
    assert f"{wardens.pk} {wardens.name}: checked again" in told.out
    assert "1 warbands looked at, 0 differences." in told.err
    call_command("reconcile", "--judge")
    assert capsys.readouterr().out == ""


def test_a_ledger_row_that_vanished_is_told(wardens: Warband) -> None:
    last = LedgerEntry.objects.filter(warband=wardens).last()
    assert last is not None
    last.delete()
    assert any("strongbox" in told for told in differences(wardens))


def test_a_gap_in_the_numbers_is_told(wardens: Warband) -> None:
    last = EventSubject.objects.filter(warband=wardens).last()
    assert last is not None
    EventSubject.objects.filter(pk=last.pk).update(number=99)
    assert any("numbered" in told for told in differences(wardens))


def test_kit_in_dead_hands_is_told(wardens: Warband) -> None:
    Fighter.objects.filter(warband=wardens, name="Ottla").update(status=Fighter.Status.DEAD)
    assert any("Ottla" in told for told in differences(wardens))


def test_kit_in_foreign_hands_is_told(wardens: Warband, ben: Any) -> None:
    theirs = s.fighter(s.small_warband(ben, name="The Choir"), "Matthias")
    Item.objects.filter(fighter=s.fighter(wardens, "Ottla")).update(fighter=theirs)
    assert any("another warband" in told for told in differences(wardens))


def test_a_row_edited_by_hand_is_told(wardens: Warband, ada: Any) -> None:
    ottla = rename_fighter(fighter=s.fighter(wardens, "Ottla"), name="Ottla the Grey", actor=ada)
    s.upgrade(ottla, "Trench Mole")
    Fighter.objects.filter(pk=ottla.pk).update(name="Mallory")
    assert any("Mallory" in told for told in differences(wardens))
    ottla.refresh_from_db()
    ottla.state["upgrades"]["u1"]["ducats"] = 1
    Fighter.objects.filter(pk=ottla.pk).update(name="Ottla the Grey", state=ottla.state)
    assert any("upgrades/u1" in told for told in differences(wardens))


def test_a_row_of_another_warband_is_compared_with_what_its_own_acts_left(wardens: Warband, ada: Any, ben: Any) -> None:
    """An act that tells two warbands changed the fighter of one; later acts on that fighter need not tell the other."""
    other = s.small_warband(ben)
    ottla = s.fighter(wardens, "Ottla")
    with recording(wardens, other, kind="write", actor=ada) as act:
        act.change(ottla, status=Fighter.Status.CAPTIVE)
        act.say("Ottla was taken.")
    with recording(s.fresh(wardens), kind="write", actor=ada) as act:
        act.change(ottla, status=Fighter.Status.ACTIVE)
        act.say("Ottla came home.")
    assert differences(wardens) == differences(other) == []
    Fighter.objects.filter(pk=ottla.pk).update(status=Fighter.Status.CAPTIVE)
    assert any("status" in told for told in differences(wardens))
