"""The Procession of the Sacred Affliction from founding to the printed sheet, and through a battle and what follows it."""

from __future__ import annotations

from typing import Any

import pytest

from campaigns.services.post_battle import keep_choice
from rules.consequences import Money
from rules.price import Price
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.sheets import rosters, words_on
from warbands.models import Terms, Warband
from warbands.recording import recording
from warbands.services.camp import use_find
from warbands.services.consequences import carry_out
from warbands.services.founding import copy_sample, terms_for
from warbands.undo import undo

OVERLAY = "tc-2026-09-procession"
NAME = "Procession of the Sacred Affliction"
RISE = "lazarist-procession-resurrection"
SAMPLES = ("bell-of-bethany", "green-cross", "ninety-and-nine")
pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def terms() -> Terms:
    return terms_for("trench-crusade", "1.0", None, (OVERLAY,))


def judged(warband: Warband) -> list[str]:
    """What is wrong with a warband, by code."""
    document = s.document(warband)
    return sorted(problem["code"] for problem in warband.terms.game.documents.judge(document)["problems"])


def test_a_procession_is_founded_piece_by_piece_and_printed(ada: Any) -> None:
    warband = s.found(ada, "The Bell of Bethany", "lazarist-procession", terms=terms())
    assert s.purse(warband).ducats == 700
    s.equip(s.hire(warband, "Lazarist Prophet", "Father Odo"), "Polearm", "Holy Icon Shield", "Holy Icon Armour")
    knell = s.hire(warband, "Lazarist Castigator", "Brother Knell")
    s.upgrade(knell, "Zealot Strength")
    s.equip(knell, "Great Flail/Scourge", "Standard Armour")
    s.hire(warband, "Anchorite Shrine (Carcass Front)", "The Oak")
    aalis = s.hire(warband, "Leper-Pilgrim", "Aalis")
    s.upgrade(aalis, "Wrath of God")
    s.equip(aalis, "Blessed Millstone", "Trench Club")
    with pytest.raises(Refusal):
        s.equip(aalis, "Musket")
    number_three = s.hire(warband, "Ecclesiastic Prisoner (Carcass Front)", "Number Three")
    s.equip(number_three, "Minenhelm")
    assert len(judged(warband)) == 1  # founding may go in any order, so the device may come later
    s.equip(number_three, "Martyrdom Device")
    assert judged(warband) == []
    s.hire(warband, "Stigmatic Nun", "Sister Melisende")
    spent = 90 + 57 + 50 + 5 + 30 + 140 + 30 + 15 + 5 + 3 + 20 + 35 + 60
    assert s.purse(warband).ducats == 700 - spent
    s.ready(warband)
    s.assert_reconciled(warband)
    told = s.document(warband)
    assert (told["faction"], told["variant"], told["overlays"]) == (NAME, None, [OVERLAY])
    for kind, words in words_on(rosters(s.fresh(warband), ())).items():
        for said in ("Father Odo", "Great Flail/Scourge", "Wrath of God", "Minenhelm", "Carcass Front"):
            assert said in words, kind


def test_each_variant_is_founded(ada: Any) -> None:
    knights = s.found(ada, "The Green Cross", "knights-of-saint-lazarus", terms=terms())
    s.hire(knights, "Lazarist Prophet", "Prior")
    anseau = s.hire(knights, "Leper-Knight", "Sir Anseau")
    s.hire(knights, "Stigmatic Nun", "Blanche")
    assert judged(knights) == ["needs"]
    s.equip(anseau, "Standard Armour", "Great Sword/Axe")
    assert (judged(knights), s.purse(knights).ducats) == ([], 700 - 90 - 50 - 60 - 15 - 7)
    flock = s.found(ada, "The Ninth Fold", "procession-of-the-blessed-flock", terms=terms())
    s.hire(flock, "Lazarist Prophet", "Mother Ysabel")
    s.hire(flock, "Lazarist Communicant (Blessed Flock)", "Amis")
    assert judged(flock) == ["too-few", "too-many"]
    s.hire(flock, "Lazarist Castigator", "Crook")
    s.hire(flock, "Lazarist Communicant (Blessed Flock)", "Agathe")
    assert (judged(flock), s.purse(flock).ducats) == ([], 700 - 90 - 50 - 200)
    for warband in (knights, flock):
        s.ready(warband)
        s.assert_reconciled(warband)


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_ready_warband_plays_a_battle_and_what_follows(ada: Any, ben: Any, cleo: Any, sample: str) -> None:
    made = c.club(cleo, edition="1.0")
    assert OVERLAY in made.campaign.terms.overlays
    c.joins(made, ada, sample)
    c.joins(made, ben, "gallows-choir")
    row = c.mustered(made, ada, ben, scenario="relic-hunt")
    names = [f.name for f in made.warband(ada).fighters.live().order_by("position")]
    c.fight(row, by=ben, winner=ada, out={ada: names[1:4]})
    c.resolve(row, ada, seed=7, answers={"death": "die"})
    s.assert_reconciled(made.warband(ada))
    assert s.document(made.warband(ada))["battles"]["fought"] == 1


def test_a_leper_dies_and_rises_in_camp(ada: Any, ben: Any, cleo: Any) -> None:
    made = c.club(cleo, edition="1.0")
    c.joins(made, ada, "green-cross")
    c.joins(made, ben, "gallows-choir")
    with recording(made.warband(ada), kind="write", actor=ada) as act:
        carry_out(act, made.warband(ada), [Money(Price(ducats=100), "A gift")])
        act.say("{who} wrote it down.")
    who = "Squire Colin"
    row = c.mustered(made, ada, ben, scenario="relic-hunt")
    c.fight(row, by=ben, winner=ben, out={ada: [who]})
    sequence, before = c.begin(row, ada), s.document(made.warband(ada))
    purse, carried = s.purse(made.warband(ada)), sorted(s.kit_of(c.named(made.warband(ada), who)))
    task = f"casualty-{c.keys(made.warband(ada), who)[0]}"
    c.type_in(sequence, task, 1)
    keep_choice(post_battle=sequence, task_key=task, choice_key="death", value=RISE, actor=ada)
    event = c.write(sequence, task)
    fallen = c.named(made.warband(ada), who)
    assert fallen.state["lifeless"] is True
    use_find(warband=made.warband(ada), actor=ada, task_key=f"raise-{fallen.pk}", choices={"way": "raise"})
    risen = c.named(made.warband(ada), who)
    assert (risen.profile_id, sorted(s.kit_of(risen))) == ("lazarist-martyr-penitent", carried)
    assert s.purse(made.warband(ada)).ducats == purse.ducats - 45
    assert judged(made.warband(ada)) == []
    s.assert_reconciled(made.warband(ada))
    s.take_back(made.warband(ada), ada)
    undo(event=event, actor=ada)
    assert s.document(made.warband(ada)) == before


def test_the_old_variant_is_founded_beside_the_new_list(ada: Any) -> None:
    old = copy_sample(actor=ada, owner=ada, terms=terms(), sample_id="millstone-walk")
    assert old.list_id == "procession-of-the-sacred-affliction"
    told = s.document(old)
    assert (told["faction"], told["variant"]) == ("Trench Pilgrims", NAME)
