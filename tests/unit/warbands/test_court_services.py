"""The Court of the Seven-Headed Serpent through the services: founded on a sin, powers bought, a stranger's gun that stays."""

from __future__ import annotations

from typing import Any

import pytest

from rules.problems import Refusal
from tests import stories as s
from warbands.adapters import force_of
from warbands.models import Warband
from warbands.services.founding import copy_sample

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

LIST = "court-of-the-seven-headed-serpent"


@pytest.fixture(params=["1.6.3", "1.0"])
def edition(request: pytest.FixtureRequest) -> str:
    """Each edition in turn."""
    return str(request.param)


def court(owner: Any, edition: str, sin: str = "envy", **how: Any) -> Warband:
    return s.found(owner, "The Hollow Bench", LIST, terms=s.terms(edition=edition), choices={"sin": sin}, **how)


def codes(warband: Warband) -> list[str]:
    found = warband.terms.game.check(warband.terms.content, force_of(s.fresh(warband))).problems
    return sorted(p.code for p in found)


def test_a_court_is_founded_on_its_sin(ada: Any, edition: str) -> None:
    warband = court(ada, edition)
    assert force_of(warband).choices["sin"] == "envy"
    sorcerer = s.hire(warband, "Sorcerer", "Veshtaal")
    with pytest.raises(AssertionError):
        s.upgrade_offer(sorcerer, "Blind Rage")
    s.upgrade(sorcerer, "Slavemaster")
    assert codes(warband) == []
    assert s.purse(s.fresh(warband)).ducats == 700 - 75 - 10
    s.assert_reconciled(warband)


def test_a_strangers_gun_stays_with_its_bearer(ada: Any, edition: str) -> None:
    warband = court(ada, edition)
    sorcerer = s.hire(warband, "Sorcerer", "Veshtaal")
    offer = s.upgrade_offer(sorcerer, "Envious Eyes")
    (asked,) = offer.choices
    gun = next(value for value, words in asked.options if words.startswith("Machine Gun") and "ducats" in words)
    s.upgrade(sorcerer, "Envious Eyes", choices={"item": gun})
    (piece,) = s.equip(sorcerer, "Machine Gun")
    assert codes(warband) == []
    with pytest.raises(Refusal):
        s.give(piece, None)
    knight = s.hire(warband, "Hell Knight", "Sir Gauth")
    assert all(o.name != "Machine Gun" for o in warband.terms.game.shop.item_offers(
        warband.terms.content, force_of(s.fresh(warband)), str(knight.pk)
    ))  # fmt: skip
    s.assert_reconciled(warband)


def test_mammon_is_for_greed(ada: Any, edition: str) -> None:
    assert codes(court(ada, edition, "greed", patron="mammon")) == ["no-leader"]
    assert codes(court(ada, edition, "pride", patron="mammon")) == ["no-leader", "patron"]
    with pytest.raises(Refusal):
        court(ada, edition, "greed", patron="warrior-saint")


def test_an_unknown_sin_is_refused(ada: Any, edition: str) -> None:
    with pytest.raises(Refusal):
        court(ada, edition, "melancholy")


@pytest.mark.parametrize("sample", ["gilded-yoke", "crimson-assize"])
def test_a_sample_is_copied_whole(ada: Any, edition: str, sample: str) -> None:
    warband = copy_sample(actor=ada, owner=ada, terms=s.terms(edition=edition), sample_id=sample)
    assert codes(warband) == []
    assert warband.rating_ducats == {"gilded-yoke": 700, "crimson-assize": 698}[sample]
    s.assert_reconciled(warband)
