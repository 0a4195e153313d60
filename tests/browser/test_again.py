"""A roster that is brought again: compared, looked at and taken over on a phone, with and without script."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import roster_files as made
from tests import stories as s
from tests.browser.looks import examine
from warbands.idempotency import new_token
from warbands.models import PaperDraft, Warband

pytestmark = pytest.mark.django_db(transaction=True)


def brought(ada: Any) -> Warband:
    """Ada's warband from a file."""
    client = Client()
    client.force_login(ada)
    client.post(reverse("paper-text"), {"text": made.as_json(made.choir()).decode(), "token": new_token()})
    client.post(reverse("paper-show", args=[PaperDraft.objects.get().pk]), {"token": new_token(), "act": "bring"})
    return Warband.objects.live().get()


def later() -> bytes:
    tree = deepcopy(made.choir())
    force = tree["forces"][0]["selections"]
    force[1]["selections"][0] = made.weapon("Pistol", 6)
    del force[2]
    force.append(made.model("Combat Medic", price=65, part="Troop", customName="Doc"))
    return made.as_json(tree)


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_a_newer_file_is_compared_and_taken_over(ada: Any, signed_in_page: Any, axe: Any, javascript: bool) -> None:
    warband = brought(ada)
    page = signed_in_page(ada, javascript=javascript)
    page.goto(reverse("warband-change", args=[warband.pk]))
    page.get_by_role("link", name="Update from a file").click()
    page.locator("#id_file").set_input_files({"name": "later.json", "mimeType": "application/json", "buffer": later()})
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("heading", name="Doc").wait_for()
    if javascript:
        examine(page, axe, 1)
    page.get_by_role("button", name="Apply the ticked changes").click()
    page.get_by_text("took over 2 changes").first.wait_for()
    fresh = s.fresh(warband)
    assert fresh.fighters.filter(name="Doc", status="active").exists()
    assert fresh.fighters.filter(name="1917", status="active").exists()  # nobody leaves unasked
