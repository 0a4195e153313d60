"""The roster's own page: names, notes, order, choices, putting away, handing over."""

from __future__ import annotations

from typing import Any

import pytest

from rules.price import Price
from rules.problems import Refusal
from tests import stories as s
from tests.module_story import story
from warbands.models import Fighter, Warband
from warbands.recording import AlreadyDone
from warbands.services.roster import (
    archive_warband,
    change_warband,
    disband_warband,
    move_fighter,
    note_fighter,
    rename_fighter,
    restore_warband,
    set_choice,
)
from warbands.services.sharing import add_delegate, remove_delegate

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def wardens(ada: Any) -> Warband:
    """A small legal warband of Ada's, still being founded."""
    return s.small_warband(ada)


def names(warband: Warband) -> list[str]:
    """The fighters' names in the order of the roster."""
    return list(Fighter.objects.live().filter(warband=warband).values_list("name", flat=True))


def test_a_fighter_is_renamed_and_told(wardens: Warband, ada: Any) -> None:
    ottla = rename_fighter(fighter=s.fighter(wardens, "Ottla"), name=" Ottla  the Grey ", actor=ada)
    assert ottla.name == "Ottla the Grey"
    assert s.last_event(wardens).told == "ada renamed Ottla to Ottla the Grey."
    assert not s.last_event(wardens).ledger.exists()
    s.take_back(wardens)
    assert s.fighter(wardens, "Ottla").pk == ottla.pk
    s.assert_reconciled(wardens)


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\x00b", "Ottla"])
def test_names_that_do_not_fit_change_nothing(wardens: Warband, ada: Any, name: str) -> None:
    before = s.written(wardens)
    with pytest.raises(Refusal):
        rename_fighter(fighter=s.fighter(wardens, "Ottla"), name=name, actor=ada)
    assert s.written(wardens) == before


def test_a_note_has_lines(wardens: Warband, ada: Any) -> None:
    ottla = note_fighter(fighter=s.fighter(wardens, "Ottla"), notes="Quiet.\r\nOwes Kolya a pipe.\n", actor=ada)
    assert ottla.notes == "Quiet.\nOwes Kolya a pipe."
    for wrong in ("x" * 2001, "a\x07", "Quiet.\nOwes Kolya a pipe."):
        with pytest.raises(Refusal):
            note_fighter(fighter=ottla, notes=wrong, actor=ada)
    s.take_back(wardens)
    assert s.fighter(wardens, "Ottla").notes == ""


def test_fighters_are_ordered_within_their_section(wardens: Warband, ada: Any) -> None:
    s.hire(wardens, "Yeoman", "Jonas")
    assert names(wardens) == ["Ilse Brandt", "Ottla", "Matthias", "Jonas"]
    move_fighter(fighter=s.fighter(wardens, "Jonas"), direction="up", actor=ada)
    assert names(wardens) == ["Ilse Brandt", "Ottla", "Jonas", "Matthias"]
    move_fighter(fighter=s.fighter(wardens, "Matthias"), position=1, actor=ada)
    assert names(wardens) == ["Ilse Brandt", "Matthias", "Ottla", "Jonas"]
    s.take_back(wardens)
    assert names(wardens) == ["Ilse Brandt", "Ottla", "Jonas", "Matthias"]
    with pytest.raises(Refusal, match="already"):
        move_fighter(fighter=s.fighter(wardens, "Ottla"), direction="up", actor=ada)
    s.assert_reconciled(wardens)


def test_a_warband_changes_name_patron_and_notes_in_one_act(wardens: Warband, ada: Any) -> None:
    chosen = next(c for c in wardens.terms.game.founding.lists(wardens.terms.content) if c.id == wardens.list_id)
    patron, words = chosen.patrons[0]
    version = s.fresh(wardens).version
    change_warband(warband=wardens, actor=ada, name="The Sodden Bell", patron=patron, notes="Bring candles.")
    now = s.fresh(wardens)
    assert (now.name, now.patron, now.notes, now.version) == ("The Sodden Bell", patron, "Bring candles.", version + 1)
    assert words in s.last_event(wardens).told
    with pytest.raises(Refusal, match="Nothing"):
        change_warband(warband=wardens, actor=ada, name="The Sodden Bell")
    with pytest.raises(Refusal):
        change_warband(warband=wardens, actor=ada, patron="nobody")
    s.take_back(wardens)
    assert s.fresh(wardens).name == "The Lantern Wardens"
    s.assert_reconciled(wardens)


def test_a_patron_once_sworn_to_stays_after_the_founding(ada: Any) -> None:
    warband = s.camp(ada)
    chosen = next(c for c in warband.terms.game.founding.lists(warband.terms.content) if c.id == warband.list_id)
    change_warband(warband=warband, actor=ada, patron=chosen.patrons[0][0])
    before = s.written(warband)
    with pytest.raises(Refusal, match="can't change after building"):
        change_warband(warband=warband, actor=ada, patron=chosen.patrons[1][0])
    assert s.written(warband) == before


def test_a_choice_nobody_asks_for_is_refused(wardens: Warband, ada: Any) -> None:
    before = s.written(wardens)
    for row in (wardens, s.fighter(wardens, "Ottla")):
        with pytest.raises(Refusal):
            set_choice(row=row, key="colour", value="green", actor=ada)
    assert s.written(wardens) == before


def test_a_choice_of_a_profile_is_settled_and_changed_while_founding(ada: Any) -> None:
    warband, fighter, asked = _who_chooses(ada)
    before = s.document(warband)
    values = [value for value, _ in asked.options]
    kept = fighter.state["choices"].get(asked.key)
    other = next(value for value in values if value != kept)
    set_choice(row=fighter, key=asked.key, value=other, actor=ada)
    assert Fighter.objects.get(pk=fighter.pk).state["choices"][asked.key] == other
    for wrong in ("nothing-of-the-sort", other):
        with pytest.raises(Refusal):
            set_choice(row=fighter, key=asked.key, value=wrong, actor=ada)
    s.take_back(warband)
    assert s.document(warband) == before
    s.assert_reconciled(warband)


def _who_chooses(ada: Any) -> tuple[Warband, Fighter, Any]:
    """A fighter whose profile asks for one choice, hired with the first of its options."""
    from rules.registry import system
    from warbands.adapters import force_of

    game = system("trench-crusade")
    for chosen in game.founding.lists(game.content("1.6.3")):
        warband = s.found(ada, list_id=chosen.id, name=chosen.name)
        for offer in game.hire_offers(warband.terms.content, force_of(s.fresh(warband))):
            asked = [c for c in offer.choices if c.count == 1 and len(c.options) > 1]
            if asked and offer.state != "closed":
                picks = {c.key: [v for v, _ in c.options[: c.count]] for c in offer.choices}
                fighter = s.hire(warband, offer.name, choices={k: v[0] if len(v) == 1 else v for k, v in picks.items()})
                return warband, fighter, asked[0]
    raise AssertionError("No profile asks for a choice.")


# --- put away, handed over --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("away", [disband_warband, archive_warband])
def test_what_is_put_away_stays_readable_and_comes_back(wardens: Warband, ada: Any, away: Any) -> None:
    hired, fighters = s.last_event(wardens), s.document(wardens)["fighters"]
    away(warband=wardens, actor=ada)
    assert s.document(wardens)["fighters"] == fighters
    assert not Warband.objects.kept().filter(pk=wardens.pk).exists()
    with pytest.raises(Refusal):
        rename_fighter(fighter=s.fighter(wardens, "Ottla"), name="Nobody", actor=ada)
    with pytest.raises(Refusal):
        away(warband=wardens, actor=ada)
    with pytest.raises(Refusal, match="only read it"):
        s.take_back(hired)
    s.take_back(s.take_back(wardens))
    restore_warband(warband=wardens, actor=ada)
    assert s.fresh(wardens).is_founding
    with pytest.raises(Refusal):
        restore_warband(warband=wardens, actor=ada)
    s.assert_reconciled(wardens)


def test_an_overspent_warband_can_be_disbanded(ada: Any) -> None:
    warband = s.found(ada, budget=Price(ducats=20))
    s.hire(warband, "Yeoman")
    disband_warband(warband=warband, actor=ada)
    s.assert_reconciled(warband)
    s.take_back(warband)
    assert s.fresh(warband).is_founding


def test_a_delegate_is_named_and_dismissed(wardens: Warband, ada: Any, ben: Any) -> None:
    delegate = add_delegate(warband=wardens, username="BEN", actor=ada, token="once")
    with pytest.raises(AlreadyDone):
        add_delegate(warband=wardens, username="ben", actor=ada, token="once")
    for wrong in ("ben", "ada", "nobody"):
        with pytest.raises(Refusal):
            add_delegate(warband=wardens, username=wrong, actor=ada)
    assert Warband.objects.held_by(ben).filter(pk=wardens.pk).exists()
    remove_delegate(warband=wardens, delegate=delegate, actor=ada)
    assert not Warband.objects.held_by(ben).filter(pk=wardens.pk).exists()
    for gone in (delegate, None):
        with pytest.raises(Refusal):
            remove_delegate(warband=wardens, delegate=gone, actor=ada)
    s.take_back(wardens)
    assert Warband.objects.held_by(ben).filter(pk=wardens.pk).exists()
    s.assert_reconciled(wardens)
