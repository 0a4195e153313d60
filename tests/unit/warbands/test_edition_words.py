"""An edition's own words on the pages of its warbands, and its name on what is shared."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import stories as s
from warbands.models import Warband
from warbands.services.founding import copy_sample, make_ready
from warbands.services.sharing import share_warband, take_snapshot

pytestmark = pytest.mark.django_db

EDITIONS = {"1.6.3": ("Stash", "Rating", "Strongbox"), "1.0": ("Arsenal", "Cost", "Strongbox")}


def copied(owner: Any, edition: str) -> Warband:
    warband = copy_sample(
        actor=owner, owner=owner, terms=s.terms(edition=edition), sample_id="gallows-choir", name="The Choir"
    )
    make_ready(warband=warband, actor=owner)
    return s.fresh(warband)


def text(answer: Any) -> str:
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_stash_is_called_what_the_edition_calls_it(ada: Any, client: Client, edition: str) -> None:
    warband = copied(ada, edition)
    client.force_login(ada)
    page = text(client.get(reverse("stash-show", args=[warband.pk])))
    own, other = EDITIONS[edition][0], next(words[0] for key, words in EDITIONS.items() if key != edition)
    assert f"<title>{own} " in page
    assert other not in page


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("kept", [False, True], ids=["live", "kept"])
def test_a_share_link_names_the_edition_and_keeps_money_back(
    ada: Any, client: Client, edition: str, kept: bool
) -> None:
    warband = copied(ada, edition)
    link = share_warband(warband=warband, actor=ada)
    address = reverse("warband-watch", args=[link.slug])
    if kept:
        version = take_snapshot(warband).version
        address = reverse("warband-watch-version", args=[link.slug, version])
    page = text(client.get(address))
    assert f"Trench Crusade {edition}" in page
    labels = warband.terms.game.labels(warband.terms.content)
    assert EDITIONS[edition][1] == labels["rating"]
    assert f"<dt>{labels['rating']}</dt>" in page
    for hidden in ("strongbox", "glory"):
        assert f"<dt>{labels[hidden]}</dt>" not in page
