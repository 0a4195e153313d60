"""A battle that is mustered and whose table nobody has laid: whatever is pressed there is answered with a sentence."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Table
from tests import campaign_stories as c
from tests.module_story import story
from tests.unit.campaigns.test_custom_games import GAMES, club

pytestmark = pytest.mark.django_db


@story(params=sorted(GAMES))
def battle(request: pytest.FixtureRequest, ada: Any, ben: Any, cleo: Any) -> Battle:
    """A battle of Ada and Ben, both sides ready."""
    return c.mustered(club(request.param, cleo, ada, ben), ada, ben, scenario="open-battle")


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}, {"X-Table": "1"}])
@pytest.mark.parametrize("source", ["look", "app", "typed", ""])
def test_a_roll_before_the_table_is_laid_is_refused(
    battle: Battle, headers: dict[str, str], source: str, ada: Any
) -> None:
    client = Client()
    client.force_login(ada)
    sent = {"press": "roll", "roll": "points", "source": source, "face_1": "3", "token": "t" * 20}
    answer = client.post(reverse("battle-track", args=[battle.pk]), sent, headers=headers)
    assert answer.status_code == 422
    if "X-Table" not in headers:
        assert "Tracking hasn" in answer.content.decode()
    assert not Table.objects.exists()
