"""A form whose answer was lost on the way is sent again with its token: every act tells that it is done, and none is done twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import stories as s
from warbands.idempotency import new_token
from warbands.models import Event, Fighter

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def club(ada: Any) -> dict[str, Any]:
    """A founding warband, one of its fighters with a mask, and a mask in the stash."""
    warband = s.small_warband(ada)
    ottla = s.fighter(warband, "Ottla")
    (mask,) = s.equip(ottla, "Gas Mask")
    spare = s.stock(warband, "Gas Mask")
    client = Client()
    client.force_login(ada)
    return {"warband": s.fresh(warband), "ottla": ottla, "mask": mask, "spare": spare, "client": client}


ACTS: dict[str, Callable[[dict[str, Any]], tuple[str, dict[str, Any]]]] = {
    "hire": lambda c: (
        reverse("fighter-hire", args=[c["warband"].pk]),
        {"offer": s.hire_offer(c["warband"], "Yeoman").id},
    ),
    "buy": lambda c: (
        reverse("kit-buy", args=[c["ottla"].pk]),
        {"offer": s.item_offer(c["warband"], "Bayonet", c["ottla"]).id},
    ),
    "return": lambda c: (reverse("item-return", args=[c["mask"].pk]), {}),
    "stash": lambda c: (reverse("item-stash", args=[c["mask"].pk]), {}),
    "give": lambda c: (reverse("item-give", args=[c["spare"].pk]), {"fighter": s.fighter(c["warband"], "Hedvig").pk}),
    "copy": lambda c: (reverse("fighter-copy", args=[c["ottla"].pk]), {"name": "Second"}),
    "dismiss": lambda c: (reverse("fighter-dismiss", args=[c["ottla"].pk]), {"way": "return"}),
    "rename": lambda c: (reverse("fighter-rename", args=[c["ottla"].pk]), {"name": "Otta"}),
    "note": lambda c: (reverse("fighter-note", args=[c["ottla"].pk]), {"notes": "Afraid of horses."}),
}


@pytest.mark.parametrize("act", sorted(ACTS))
def test_sent_twice_it_is_done_once_and_said(club: dict[str, Any], act: str) -> None:
    if act == "give":
        s.hire(club["warband"], "Yeoman", "Hedvig")
    address, fields = ACTS[act](club)
    sent = {**fields, "token": new_token(), "seen": s.fresh(club["warband"]).version}
    client = club["client"]
    first = client.post(address, sent)
    assert first.status_code in (200, 302), first.content.decode()
    events, fighters = Event.objects.count(), Fighter.objects.live().count()
    again = client.post(address, sent, follow=True)
    assert again.status_code == 200
    assert "done already" in again.content.decode()
    assert (Event.objects.count(), Fighter.objects.live().count()) == (events, fighters)
    s.assert_reconciled(club["warband"])
