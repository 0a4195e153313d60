"""Whole kits: what a like fighter carries, bought for one or for several in one act with one undo."""

import re

import pytest
from django.urls import reverse

from rules.problems import Refusal
from tests import stories as s
from tests.module_story import story
from warbands.models import Event, Item
from warbands.pages.roster import read_roster
from warbands.pages.shop import bare_like, fighter_shop, kit_named, next_act
from warbands.services.hire import hire_fighters
from warbands.services.kit import buy_kit

pytestmark = pytest.mark.django_db

KIT = ("Trench Club", "Combat Helmet", "Gas Mask")


@story
def company(ada):
    """A Lieutenant and four Yeomen, one of whom carries something."""
    warband = s.found(ada, terms=s.terms("trench-crusade", "1.0"))
    s.hire(warband, "Lieutenant", "Ilse")
    for name in ("Tadhg", "Donal", "Sean", "Wat"):
        s.hire(warband, "Yeoman", name)
    s.equip(s.fighter(warband, "Tadhg"), *KIT)
    return warband


def shop(warband, name):
    return fighter_shop(read_roster(s.fresh(warband)), s.fighter(warband, name))


def kit(warband, name):
    return sorted(s.kit_of(s.fighter(warband, name)))


def parts(warband):
    tadhg = s.fighter(warband, "Tadhg")
    return kit_named(read_roster(s.fresh(warband)), str(s.fighter(warband, "Donal").pk), f"as:{tadhg.pk}")


def test_what_a_like_fighter_carries_is_offered_with_its_sum(company):
    preset = shop(company, "Donal").kits[0]
    assert preset.name == "As Tadhg"
    assert all(item in preset.words for item in KIT)
    assert preset.price_words == f"{sum(i.paid_ducats for i in Item.objects.filter(fighter__name='Tadhg'))} d"
    assert not preset.reason


def test_a_fighter_is_offered_only_what_it_lacks(company):
    s.equip(s.fighter(company, "Donal"), "Gas Mask")
    preset = shop(company, "Donal").kits[0]
    assert "Gas Mask" not in preset.words
    assert "Trench Club" in preset.words


def test_usual_kits_stand_beside_it(company):
    kits = shop(company, "Donal").kits
    assert any(kit.key.startswith("usual:") for kit in kits)
    assert len({kit.offers for kit in kits}) == len(kits)


def test_a_kit_for_several_is_one_event_and_one_undo(company, ada):
    before, count = s.document(company), Event.objects.count()
    takers = [s.fighter(company, name) for name in ("Donal", "Sean", "Wat")]
    bought = buy_kit(warband=company, fighters=takers, offer_ids=parts(company), actor=ada)
    assert len(bought) == 9
    assert Event.objects.count() == count + 1
    assert "for Donal, Sean and Wat, for " in s.last_event(company).told
    assert kit(company, "Donal") == kit(company, "Sean") == kit(company, "Wat") == kit(company, "Tadhg")
    s.assert_reconciled(company)
    s.take_back(company)
    assert s.document(company) == before


def test_without_the_money_nothing_is_bought_and_the_row_says_so(company, ada):
    s.ready(company)
    while s.purse(company).ducats >= 20:
        s.stock(company, "Gas Mask" if s.purse(company).ducats < 40 else "Standard Armour")
    before = s.written(company)
    takers = [s.fighter(company, name) for name in ("Donal", "Sean", "Wat")]
    with pytest.raises(Refusal, match=r"This costs \d+ d; you have \d+\."):
        buy_kit(warband=company, fighters=takers, offer_ids=parts(company), actor=ada)
    assert s.written(company) == before


def test_a_limit_is_named_and_nothing_is_bought(company, ada):
    offer = next(
        o
        for o in read_roster(s.fresh(company)).item_offers(str(s.fighter(company, "Donal").pk))
        if o.limit and o.limit < 3 and o.state == "open"
    )
    before = s.written(company)
    takers = [s.fighter(company, name) for name in ("Donal", "Sean", "Wat")]
    with pytest.raises(Refusal, match=rf"{re.escape(offer.name)}.*{offer.limit}"):
        buy_kit(warband=company, fighters=takers, offer_ids=(offer.id,), actor=ada)
    assert s.written(company) == before


def test_hands_forbid_a_kit_while_building_too(company, ada):
    donal = s.fighter(company, "Donal")
    rifle = s.item_offer(company, "Trench Club", donal).id
    before = s.written(company)
    with pytest.raises(Refusal):
        buy_kit(warband=company, fighters=[donal], offer_ids=(rifle,) * 3, actor=ada)
    assert s.written(company) == before


def test_the_bare_of_the_same_profile_are_ticked_beforehand(client, company, ada):
    client.force_login(ada)
    donal = s.fighter(company, "Donal")
    assert len(bare_like(read_roster(s.fresh(company)), str(donal.pk))) == 2
    page = client.get(reverse("kit-buy", args=[donal.pk])).content.decode()
    assert re.search(r'name="same"[^>]* checked', page)
    assert "Same for Sean and Wat" in page


def test_a_press_buys_a_kit_for_all_that_are_ticked(client, company, ada):
    client.force_login(ada)
    donal, tadhg = s.fighter(company, "Donal"), s.fighter(company, "Tadhg")
    here = reverse("kit-buy", args=[donal.pk])
    sent = {"kit": f"as:{tadhg.pk}", "same": "1", "token": "kit", "seen": s.fresh(company).version}
    headers = {"HX-Request": "true", "HX-Target": "div#kit"}
    answer = client.post(here, sent, headers=headers)
    assert answer.status_code == 200
    assert "for Donal, Sean, Wat." in answer.content.decode().replace(" and Wat", ", Wat")
    assert kit(company, "Wat") == kit(company, "Tadhg")
    assert f'name="bought" value="as:{tadhg.pk}"' in answer.content.decode()


def in_panel(client, company, name, **sent):
    """Press a whole kit in the open block of a fighter."""
    row = s.fighter(company, name)
    sent = {"at": f"roster:{row.pk}", "seen": s.fresh(company).version, "token": "panel", **sent}
    headers = {"HX-Request": "true", "HX-Target": f"div#fighter_panel_{row.pk}"} if sent.pop("htmx") else {}
    return client.post(reverse("kit-buy", args=[row.pk]), sent, headers=headers)


def test_the_open_block_of_a_bare_fighter_offers_them_too(client, company, ada):
    client.force_login(ada)
    blocks = {
        name: client.get(reverse("fighter-show", args=[s.fighter(company, name).pk])).content.decode()
        for name in ("Donal", "Tadhg")
    }
    assert "As Tadhg" in blocks["Donal"]
    assert "Same for Sean and Wat" in blocks["Donal"]
    assert "Whole kits" not in blocks["Tadhg"]


def test_a_press_in_the_open_block_tells_all_blocks_that_it_changed(client, company, ada):
    client.force_login(ada)
    tadhg = s.fighter(company, "Tadhg")
    answer = in_panel(client, company, "Donal", kit=f"as:{tadhg.pk}", same="1", htmx=True).content.decode()
    assert "Whole kits" not in answer
    for name in ("Donal", "Sean", "Wat"):
        assert kit(company, name) == kit(company, "Tadhg")
        assert f'id="fighter_card_{s.fighter(company, name).pk}_row"' in answer
    assert f'id="fighter_card_{tadhg.pk}_row"' not in answer


def test_without_script_it_leads_back_to_the_open_block(client, company, ada):
    client.force_login(ada)
    donal, tadhg = s.fighter(company, "Donal"), s.fighter(company, "Tadhg")
    answer = in_panel(client, company, "Donal", kit=f"as:{tadhg.pk}", htmx=False)
    assert answer.url == f"{reverse('warband-show', args=[company.pk])}?fighter={donal.pk}#fighter_card_{donal.pk}"
    assert kit(company, "Donal") == kit(company, "Tadhg")
    assert kit(company, "Sean") == []


def test_a_refused_kit_is_told_in_the_open_block(client, company, ada):
    client.force_login(ada)
    before = s.written(company)
    answer = in_panel(client, company, "Donal", kit="nonsense", htmx=True)
    assert answer.status_code == 422
    assert "Donal lacks nothing of this kit." in answer.content.decode()
    assert s.written(company) == before


def test_one_piece_is_bought_for_others_too(client, company, ada):
    client.force_login(ada)
    donal, ilse = s.fighter(company, "Donal"), s.fighter(company, "Ilse")
    offer = s.item_offer(company, "Combat Helmet", donal)
    sent = {"offer": offer.id, "also": [str(ilse.pk)], "token": "also", "seen": s.fresh(company).version}
    count = Event.objects.count()
    assert client.post(reverse("kit-buy", args=[donal.pk]), sent).status_code == 302
    assert Event.objects.count() == count + 1
    assert "combat-helmet" in kit(company, "Donal")
    assert "combat-helmet" in kit(company, "Ilse")


@pytest.mark.parametrize(
    "bad", [{"kit": "as:0"}, {"kit": "nonsense"}, {"kit": "usual:x"}, {"kit": "as:1", "also": "9"}]
)
def test_a_kit_that_is_not_offered_buys_nothing(client, company, ada, bad):
    client.force_login(ada)
    before = s.written(company)
    answer = client.post(reverse("kit-buy", args=[s.fighter(company, "Donal").pk]), {"token": "bad", **bad})
    assert answer.status_code == 422
    assert s.written(company) == before


def test_the_bar_leads_to_the_next_without_a_weapon_and_then_to_the_end(company, ada):
    def onward(name):
        return next_act(read_roster(s.fresh(company)), str(s.fighter(company, name).pk)).label

    assert onward("Ilse") == "Next: Donal"
    assert onward("Donal") == "Next: Sean"
    for name in ("Ilse", "Donal", "Sean", "Wat"):
        s.equip(s.fighter(company, name), "Trench Knife")
    assert onward("Wat") == "Ready to play"
    s.ready(company)
    assert onward("Wat") == "Done"


def test_three_names_are_given_that_nobody_has(company, ada):
    three = hire_fighters(warband=company, offer_id=s.hire_offer(company, "Shocktrooper").id, times=3, actor=ada)
    assert not {"Shocktrooper", "Ilse", "Tadhg"} & {fighter.name for fighter in three}
