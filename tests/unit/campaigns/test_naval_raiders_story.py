"""The Heretic Naval Raiders from founding to the printed sheet, and through a battle and what follows it."""

from __future__ import annotations

import pytest

from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.sheets import rosters, words_on
from warbands.models import Fighter, Terms
from warbands.services.founding import copy_sample, terms_for

ID = "tc-2026-09-naval-raiders"
pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def terms() -> Terms:
    return terms_for("trench-crusade", "1.0", None, (ID,))


def test_a_warband_of_raiders_is_founded_piece_by_piece_and_printed(ada):
    warband = s.found(ada, "The Ninth Fathom", "heretic-naval-raiders", terms=terms())
    assert s.purse(warband).ducats == 700
    captain = s.hire(warband, "Heretic Captain", "Black Ann")
    s.equip(captain, "Submachine Gun", "Wrecker's Torch", "Standard Armour")
    commando = s.hire(warband, "Abyssal Commando", "Fathom")
    s.equip(commando, "Tartarus Claws", "Reinforced Armour")
    s.upgrade(commando, "Abyssal Armour")
    chorister = s.hire(warband, "Drowned Chorister", "Tannin")
    s.equip(chorister, "Sacrificial Blade")
    s.upgrade(chorister, "Leviathan Bell")
    for name, kit, taken in (
        ("Hook", ["Bolt-Action Rifle", "Bayonet"], ""),
        ("Line", ["Shotgun"], ""),
        ("Sinker", ["Boarding Axe", "Trench Shield"], "Unseen Advance"),
    ):
        raider = s.hire(warband, "Heretic Raider", name)
        s.equip(raider, *kit)
        if taken:
            s.upgrade(raider, taken)
    s.equip(s.hire(warband, "Wretched", "Rat"), "Trench Club")
    s.hire(warband, "Sea Hag", "Morgen")
    assert s.purse(warband).ducats == 47
    s.ready(warband)
    s.assert_reconciled(warband)
    told = s.document(warband)
    assert (told["faction"], told["variant"], told["overlays"]) == ("Heretic Naval Raiders", None, [ID])
    for kind, words in words_on(rosters(s.fresh(warband), ())).items():
        assert "Black Ann" in words, kind
        assert "Abyssal Commando" in words, kind


def test_the_choir_is_led_by_its_chorus(ada):
    warband = s.found(ada, "Tannin's Breath", "drowned-choir", terms=terms())
    first = s.hire(warband, "Drowned Chorister", "The Leviathal")
    with pytest.raises(AssertionError):
        s.hire_offer(warband, "Heretic Captain")
    s.upgrade(first, "Leviathal Chorus")
    second = s.hire(warband, "Drowned Chorister", "Second Voice")
    with pytest.raises(Refusal):
        s.upgrade(second, "Leviathal Chorus")
    s.equip(s.hire(warband, "Wretched", "Eel"), "Polearm")
    assert s.purse(warband).ducats == 700 - 65 - 20 - 65 - 30 - 7
    s.ready(warband)
    s.assert_reconciled(warband)


def test_the_shoal_is_told_when_it_has_more_guns_than_blades(ada):
    warband = s.found(ada, "The Red Shoal", "leviathan-shoal", terms=terms())
    s.equip(s.hire(warband, "Heretic Captain", "Storm"), "Pistol")
    chosen = s.hire(warband, "Anointed Heretic Raider", "Firstborn")
    s.upgrade(chosen, "First among Sons")
    assert s.purse(warband).ducats == 700 - 80 - 6 - 95
    now = s.fresh(warband)
    verdict = now.terms.game.documents.judge(s.document(warband))
    assert [problem["code"] for problem in verdict["problems"]] == ["ratio"]
    s.equip(chosen, "Sacrificial Blade")
    assert now.terms.game.documents.judge(s.document(warband))["legal"]


@pytest.mark.parametrize("sample", ["ninth-fathom", "wreckers-dawn", "tannins-breath", "red-shoal"])
def test_a_ready_warband_plays_a_battle_and_what_follows(ada, ben, cleo, sample):
    made = c.club(cleo, edition="1.0", overlays=(ID,))
    c.joins(made, ada, sample=sample)
    c.joins(made, ben, sample="gallows-choir")
    row = c.battle(made, ada, ben, scenario="claim-no-mans-land")
    names = [f.name for f in Fighter.objects.live().filter(warband=made.warband(ada)).order_by("position")]
    c.fight(row, ada, winner=ada, out={ada: names[1:4]})
    c.resolve(row, ada, seed=7)
    warband = made.warband(ada)
    s.assert_reconciled(warband)
    assert s.document(warband)["battles"]["fought"] == 1


def test_the_old_variant_is_founded_beside_the_new_list(ada):
    old = copy_sample(actor=ada, owner=ada, terms=terms(), sample_id="black-tide")
    assert old.list_id == "heretic-naval-raiding-party"
    told = s.document(old)
    assert (told["faction"], told["variant"]) == ("Heretic Legions", "Heretic Naval Raiders")
