"""A third party's list in a warband of one's own: whoever picks it off paper lets it in, and nobody else is asked."""

from __future__ import annotations

from typing import Any

import pytest

from rules.transcription import PaperData, PaperFighter
from tests import stories as s
from warbands.pages.imports import list_options
from warbands.services.founding import own_rules
from warbands.services.transcription import bring_from_paper, start_draft

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def brought(owner: Any, list_id: str) -> Any:
    """A warband of this list, brought off paper."""
    fighters = [PaperFighter(key="a", profile="Lieutenant", name="Rosa Haas")]
    data = PaperData(list_id=list_id, name="The Ninth", ducats=40, fought=2, fighters=fighters)
    draft = start_draft(owner=owner, system_id="trench-crusade", edition="1.6.3", data=data)
    return s.fresh(bring_from_paper(draft=draft, actor=owner))


@pytest.mark.parametrize(("list_id", "rules"), [("red-brigade", {"third_party": True}), ("new-antioch", {})])
def test_who_picks_the_list_off_paper_lets_it_in(ada: Any, list_id: str, rules: dict[str, Any]) -> None:
    assert own_rules("trench-crusade", "1.6.3", list_id) == rules
    warband = brought(ada, list_id)
    assert (warband.terms.house_rules, warband.problem_count) == (rules, 0)
    assert s.hire_offer(warband, "Lieutenant").state == "closed"
    assert s.hire_offer(warband, "Yeoman").state == "open"


def test_the_select_says_which_lists_are_a_third_partys() -> None:
    names = dict(pair for _, group in list_options(s.terms()) for pair in group)
    assert names["red-brigade"] == "The Red Brigade, third-party"
    assert "third-party" not in names["eire-rangers"]
