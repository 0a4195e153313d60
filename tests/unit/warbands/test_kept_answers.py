"""What is kept between pages and presses is what would be worked out afresh, after any acts in any order."""

from __future__ import annotations

import random
import re
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from config.templatetags.ui import _drawn_from
from rules.problems import Refusal
from tests import stories as s
from tests.drills import WHOLE
from warbands import rules_cache
from warbands.models import Fighter, Item, Warband
from warbands.pages.roster import read_roster
from warbands.services.copy_fighter import copy_fighter
from warbands.services.founding import make_ready
from warbands.services.hire import hire_fighters, part_fighter
from warbands.services.kit import buy_item, give_item, return_item, sell_item
from warbands.services.names import give_another_name
from warbands.services.roster import rename_fighter
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

OF_A_PAGE = re.compile(
    r'(?<=name="token" value=")[^"]+|(?<=name="csrfmiddlewaretoken" value=")[^"]+|(?<=data-csrf=")[^"]+'
)
ACTS = 40 if WHOLE else 12


def forget() -> None:
    """Let the next page be worked out and drawn afresh."""
    _drawn_from.cache_clear()
    for kept in vars(rules_cache).values():
        if hasattr(kept, "cache_clear"):
            kept.cache_clear()


def act(warband: Warband, ada: Any, chance: random.Random) -> None:
    """Do something to the warband, as a page would: with a roster that it has read. It may be refused."""
    warband = s.fresh(warband)
    roster = read_roster(warband)
    fighter = chance.choice([row for row in roster.rows if row.status == Fighter.Status.ACTIVE])
    held = list(Item.objects.live().filter(warband=warband, status=Item.Status.HELD).select_related("warband"))
    do = chance.choice(
        ["hire", "hire", "buy", "buy", "buy", "give", "return", "rename", "another", "copy", "part", "undo"]
    )
    if do == "hire":
        offer = chance.choice(roster.hire_offers())
        hire_fighters(warband=warband, offer_id=offer.id, times=chance.choice([1, 1, 2]), actor=ada)
    elif do == "buy":
        offer = chance.choice(roster.item_offers(str(fighter.pk)))
        buy_item(warband=warband, offer_id=offer.id, fighter=fighter, actor=ada)
    elif do == "give" and held:
        give_item(item=chance.choice(held), fighter=chance.choice([fighter, None]), actor=ada)
    elif do == "return" and held:
        (return_item if warband.is_founding else sell_item)(item=chance.choice(held), actor=ada)
    elif do == "rename":
        rename_fighter(fighter=fighter, name=f"<{chance.random()}>", actor=ada)
    elif do == "another":
        give_another_name(fighter=fighter, actor=ada)
    elif do == "copy":
        copy_fighter(fighter=fighter, actor=ada)
    elif do == "part":
        part_fighter(fighter=fighter, way="return" if warband.is_founding else "dismiss", actor=ada)
    elif do == "undo":
        undo(event=s.last_event(warband), actor=ada)


def check_rules(warband: Warband) -> None:
    """Compare what is kept of this roster with what content without any memory says of a copy of it."""
    roster = read_roster(s.fresh(warband))
    cold, force, game = replace(roster.content, cache={}), deepcopy(roster.force), roster.game
    assert force == roster.force
    assert force is not roster.force
    verdict = game.check(cold, force)
    assert (roster.verdict.problems, roster.verdict.rating) == (verdict.problems, verdict.rating)
    assert roster.sheet == game.documents.sheet(cold, force)
    assert roster.hire_offers() == game.hire_offers(cold, force)
    one = roster.hire_offers()[0]
    assert roster.hire_offer(one.id) == one
    for fighter in roster.force.fighters[:3]:
        offers = game.shop.item_offers(cold, force, fighter.key)
        assert roster.item_offers(fighter.key) == offers
        assert [roster.item_offer(offer.id, fighter.key) for offer in offers[:5]] == [*offers[:5]]


def pages_of(client: Any, warband: Warband) -> list[str]:
    fighter = Fighter.objects.live().filter(warband=warband, status=Fighter.Status.ACTIVE).earliest("pk")
    addresses = (
        reverse("warband-show", args=[warband.pk]),
        f"{reverse('warband-show', args=[warband.pk])}?fighter={fighter.pk}",
        reverse("fighter-hire", args=[warband.pk]),
        reverse("kit-buy", args=[fighter.pk]),
        reverse("history-show", args=[warband.pk]),
    )
    return [OF_A_PAGE.sub("", client.get(address).content.decode()) for address in addresses]


@pytest.mark.parametrize("is_ready", [False, True], ids=["new", "in camp"])
def test_what_is_kept_is_what_would_be_worked_out_afresh(client: Any, ada: Any, is_ready: bool) -> None:
    chance = random.Random(26 + is_ready)
    warband = s.small_warband(ada)
    if is_ready:
        make_ready(warband=warband, actor=ada)
    client.force_login(ada)
    done = 0
    for number in range(ACTS):
        try:
            act(warband, ada, chance)
            done += 1
        except Refusal:
            continue
        check_rules(warband)
        if number % 4 == 0:
            warm = pages_of(client, warband)
            forget()
            assert warm == pages_of(client, warband)
    assert done > ACTS // 3
