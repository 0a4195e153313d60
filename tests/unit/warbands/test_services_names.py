"""Names from the lists of the game: another one for one fighter, one for each that has none."""

from typing import Any

import pytest

from rules.problems import Refusal
from tests import stories as s
from warbands.models import Warband
from warbands.services.names import give_another_name, name_all

pytestmark = pytest.mark.django_db


def names_for(warband: Warband, profile: str) -> tuple[str, ...]:
    terms = warband.terms
    found: tuple[str, ...] = terms.game.founding.fighter_names(terms.content, warband.list_id, profile)
    return found


def test_another_name_is_free_and_of_the_list_and_can_be_undone(ada: Any) -> None:
    warband = s.small_warband(ada)
    ottla = s.fighter(warband, "Ottla")
    known = names_for(warband, ottla.profile_id)
    seen = [give_another_name(fighter=ottla, actor=ada).name for _ in range(3)]
    assert len(set(seen)) == 3
    assert set(seen) <= set(known)
    s.take_back(warband)
    ottla.refresh_from_db()
    assert ottla.name == seen[1]


def test_all_who_are_called_like_their_profile_get_a_name_in_one_act(ada: Any) -> None:
    warband = s.small_warband(ada)
    bare = [s.hire(warband, "Yeoman", "Yeoman"), s.hire(warband, "Yeoman", "Yeoman 2")]
    named = name_all(warband=warband, actor=ada)
    assert {fighter.pk for fighter in named} == {fighter.pk for fighter in bare}
    assert len({fighter.name for fighter in warband.fighters.all()}) == warband.fighters.count()
    assert s.fighter(warband, "Ottla").name == "Ottla"
    with pytest.raises(Refusal):
        name_all(warband=warband, actor=ada)
    s.take_back(warband)
    assert {fighter.name for fighter in warband.fighters.all()} >= {"Yeoman", "Yeoman 2"}
