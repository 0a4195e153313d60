"""Answers that hold only what changed: laid over the page that was pressed, they make the page that would have been drawn as a whole."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from django.urls import reverse

from rules.price import Price
from tests import stories as s
from tests.drills import sampled
from tests.swapped import SwappedPage
from warbands.draft_context import mount_of
from warbands.pages.parts import PagePart, PageParts
from warbands.pages.shop import OfferPress
from warbands.services.drafts import start_draft

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ANTIOCH, RANGERS, SULTANATE = (
    ("1.6.3", "new-antioch", "Yeoman"),
    ("1.0", "eire-rangers", "Yeoman"),
    ("1.0", "iron-sultanate", "Azeb"),
)
# Some have money for everything, some are soon over their budget: then what each row says changes with each press.
COMPANIES = sampled([(*ANTIOCH, 120), (*RANGERS, 900), (*SULTANATE, 120), (*ANTIOCH, 900), (*RANGERS, 120)], 2)
PRESSES = 4
PRESS = OfferPress("kit", "/here/", "token", 1, "")


@pytest.fixture
def mine(client, ada):
    client.force_login(ada)
    return client


def company(ada: Any, edition: str, list_id: str, profile: str, ducats: int = 500) -> Any:
    """A new warband with three of a profile, the first with something for the stash."""
    warband = s.found(
        ada, list_id=list_id, terms=s.terms("trench-crusade", edition), budget=Price(ducats=ducats, glory=2)
    )
    for name in ("Wat", "Donal", "Sean"):
        s.hire(warband, profile, name)
    return s.fresh(warband)


class Hand:
    """Somebody at a page of rows who presses what is there, and looks at the whole page after each press."""

    def __init__(
        self, client: Any, address: str, target: str, *, own: str = "", names: tuple[str, ...] = ("offer",)
    ) -> None:
        self.client, self.target, self.form, self.own, self.names = client, target, f"{target}_form", own, names
        self.page = SwappedPage(client.get(address).content.decode())
        self.address = self.page.part(self.form).get("hx-post", "")
        self.brought: list[str] = []
        self.size = 0

    def send(self, address: str, fields: dict[str, Any]) -> str:
        answer = self.client.post(address, fields, headers={"HX-Request": "true", "HX-Target": f"div#{self.target}"})
        assert answer.status_code in (200, 422), (address, answer.status_code)
        return str(answer.content.decode())

    def press(self, address: str, fields: dict[str, Any]) -> None:
        html = self.send(address, fields)
        self.size = len(html.encode())
        self.brought = self.page.answered(html, self.target)

    def buy(self, name: str, value: str) -> None:
        self.press(self.address, {**self.page.fields(self.form), name: value, "brief": "1"})

    def act(self, address: str, fields: dict[str, Any]) -> None:
        stood = {
            name: value for name, value in self.page.fields(self.form).items() if name in ("order", "told", "bought")
        }
        self.press(address, {**fields, "seen": self.page.fields(self.form)["seen"], **stood, "brief": "1"})

    def whole(self) -> SwappedPage:
        """Return the page as the server draws it as a whole: the answer to a press on what is not there."""
        fields = {name: value for name, value in self.page.fields(self.form).items() if name != "told"}
        fields["seen"] = [self.page.part("budget_bar").get("data-seen")]
        page = SwappedPage(f"<!DOCTYPE html><body>{self.send(self.address, {**fields, 'offer': 'no-such-thing'})}")
        assert page.part(self.target) is not None
        return page

    def check(self) -> None:
        whole = self.whole()
        for key in (self.target, "budget_bar", "roster_brief"):
            try:
                expected = whole.looks(key)
            except KeyError:
                continue
            assert self.page.looks(key) == expected, (key, self.brought)

    def anything(self, dice: random.Random) -> None:
        """Press any open row, or do something with what is owned."""
        own = self.page.own_forms(self.own) if self.own else []
        offers = self.page.offers(self.form, *self.names)
        if own and (not offers or dice.random() < 0.35):
            self.act(*dice.choice(own))
        else:
            self.buy(*dice.choice(offers))


def hand_at(key: str, client: Any, warband: Any, mount: str = "") -> Hand:
    fighter = s.fighter(warband, "Wat")

    def page(name: str, pk: int, **how: Any) -> Hand:
        return Hand(client, mount + reverse(name, args=[pk]), key, **how)

    if key == "kit":
        return page("kit-buy", fighter.pk, own="kit_carried", names=("offer", "kit"))
    if key == "hire":
        return page("fighter-hire", warband.pk, names=("offer", "several"))
    if key == "stash":
        return page("stash-show", warband.pk, own="stash_top")
    return page("upgrade-buy", fighter.pk, own="upgrades_top")


@pytest.mark.parametrize(("edition", "list_id", "profile", "ducats"), COMPANIES)
def test_what_changed_laid_over_the_page_is_the_whole_page(mine, ada, edition, list_id, profile, ducats):
    warband = company(ada, edition, list_id, profile, ducats)
    dice = random.Random(f"{list_id} {ducats}")
    hand = hand_at("kit", mine, warband)
    small = 0
    for _ in range(PRESSES):
        hand.anything(dice)
        hand.check()
        small += "kit" not in hand.brought
    assert small, "every answer was the whole page"


@pytest.mark.parametrize("key", ["hire", "stash", "upgrades"])
def test_every_page_of_rows_answers_with_what_changed(mine, ada, key):
    warband = company(ada, *RANGERS)
    s.stock(warband, "Gas Mask")
    dice = random.Random(key)
    hand = hand_at(key, mine, warband)
    for _ in range(4):
        if not hand.page.offers(hand.form, *hand.names):
            break
        hand.anything(dice)
        hand.check()
        assert key not in hand.brought


def test_in_a_draft_too(mine, ada):
    warband = company(ada, *RANGERS)
    hand = hand_at("kit", mine, warband, mount_of(start_draft(warband=warband, actor=ada).pk))
    for value in ("common-gas-mask", "common-shovel"):
        hand.buy("offer", value)
        hand.check()
        assert "kit" not in hand.brought
    assert s.kit_of(s.fighter(warband, "Wat")) == []


def test_a_page_that_another_phone_overtook_gets_all_that_differs(mine, ada):
    warband = company(ada, *RANGERS, ducats=150)
    hand = hand_at("kit", mine, warband)
    s.equip(s.fighter(warband, "Sean"), "Trench Club", "Gas Mask")
    s.equip(s.fighter(warband, "Wat"), "Polearm")
    s.stock(warband, "Shovel")
    s.hire(warband, "Yeoman", "Finn")
    hand.buy("offer", "common-gas-mask")
    assert "Do it anyway" in str(
        hand.page.looks("answer")
    )  # the page was overtaken: it asks, on a page drawn as a whole
    hand.buy("offer", "common-gas-mask")
    hand.check()
    assert "Finn" in str(hand.page.looks("kit_others"))
    assert "Polearm" in str(hand.page.looks("kit_carried"))


def test_a_search_or_other_rows_bring_the_whole_page(mine, ada):
    warband = company(ada, *RANGERS)
    hand = hand_at("kit", mine, warband)
    fields = hand.page.fields("kit_form")
    hand.press(f"{hand.address}?find=mask", {**fields, "offer": "common-gas-mask"})
    assert "kit" in hand.brought
    assert "Polearm" not in str(hand.page.looks("kit"))


def test_beside_the_roster_only_the_rows_that_changed_come(mine, ada):
    """The open fighter's panel, its block and the bar come with them."""
    warband = company(ada, *RANGERS)
    fighter = s.fighter(warband, "Wat")
    builder = SwappedPage(
        mine.get(reverse("warband-show", args=[warband.pk]) + f"?fighter={fighter.pk}").content.decode()
    )
    there = reverse("kit-buy", args=[fighter.pk])
    shop = mine.get(f"{there}?part=beside", headers={"HX-Request": "true", "HX-Target": "div#shop"}).content.decode()
    builder.answered(shop, "shop")
    for value in ("common-gas-mask", "common-shovel"):
        fields = {**builder.fields("shop_form"), "offer": value}
        answer = mine.post(there, fields, headers={"HX-Request": "true", "HX-Target": "div#shop"})
        brought = builder.answered(answer.content.decode(), "shop")
        assert "shop" not in brought
        assert {f"offer_{value}", "shop_form", "budget_bar", f"fighter_card_{fighter.pk}_row"} <= set(brought)
    back, fields = builder.own_forms(f"fighter_panel_{fighter.pk}")[-1]
    stood = {name: value for name, value in builder.fields("shop_form").items() if name in ("order", "told")}
    sent = {**fields, "shop_here": "1", "seen": builder.fields("shop_form")["seen"], **stood}
    answer = mine.post(back, sent, headers={"HX-Request": "true", "HX-Target": f"div#fighter_panel_{fighter.pk}"})
    assert "shop" not in builder.answered(answer.content.decode(), f"fighter_panel_{fighter.pk}")
    fields = {**builder.fields("shop_form"), "offer": "no-such-thing"} | {"told": ""}
    whole = SwappedPage(
        mine.post(there, fields, headers={"HX-Request": "true", "HX-Target": "div#shop"}).content.decode()
    )
    for key in ("shop_presets", "shop_ranged_folds", "shop_others", *(row for row in _rows(whole))):
        assert builder.looks(key) == whole.looks(key)


def _rows(page: SwappedPage) -> list[str]:
    return [each.get("id", "") for each in page.root.iter("li") if each.get("class") == "offer-line"]


def test_a_purchase_is_a_small_answer(mine, ada):
    """What makes a press quick on a slow phone: few bytes, and few elements to lay over the page."""
    warband = company(ada, *ANTIOCH, ducats=900)
    hand = hand_at("kit", mine, warband)
    hand.buy("offer", "common-gas-mask")
    assert set(hand.brought) == {
        "kit_head", "kit_carried", "offer_common-gas-mask", "roster_brief", "kit_form", "budget_bar", "just_done",
    }  # fmt: skip
    assert hand.size < 11_100
    hand = hand_at("hire", mine, warband)
    hand.buy("offer", "yeoman")
    assert len(hand.brought) <= 8
    assert hand.size < 12_000


def test_over_budget_no_row_changes_but_the_pressed_one(mine, ada):
    """What is missing stands in the bar, not in each row."""
    warband = company(ada, *ANTIOCH, ducats=60)
    hand = hand_at("kit", mine, warband)
    hand.buy("offer", "common-gas-mask")
    assert {one for one in hand.brought if one.startswith("offer_")} == {"offer_common-gas-mask"}
    assert hand.size < 11_100
    hand = hand_at("hire", mine, warband)
    hand.buy("offer", "yeoman")
    assert len([one for one in hand.brought if one.startswith("offer_")]) <= 1
    assert "Over" in str(hand.page.looks("budget_bar"))


def test_of_a_row_that_only_changed_its_state_comes_the_state(mine, ada):
    """A weapon that fills both hands changes what a dozen rows say, and none of their rules."""
    warband = company(ada, *ANTIOCH, ducats=900)
    hand = hand_at("kit", mine, warband)
    fields = {**hand.page.fields("kit_form"), "offer": "common-trench-polearm"}
    hand.press(hand.address, {**fields, "brief": "1"})
    rows = [one for one in hand.brought if one.startswith("offer_")]
    assert len(rows) > 3
    assert "kit" not in hand.brought
    hand.check()
    assert hand.size < 11_100 + 1_000 * len(rows)
    whole = PageParts((PagePart("row", "row.html", {}, "one", "kept", "row.html#brief"),), PRESS)
    told = PageParts((PagePart("row", "row.html", {}, "two", "kept", "row.html#brief"),), PRESS).told
    other = PageParts((PagePart("row", "row.html", {}, "two", "other", "row.html#brief"),), PRESS).told
    assert [part.template for part in whole.differing(told, brief=True) or ()] == ["row.html#brief"]
    assert [part.template for part in whole.differing(told) or ()] == ["row.html"]
    assert [part.template for part in whole.differing(other, brief=True) or ()] == ["row.html"]


def test_parts_that_stand_elsewhere_are_drawn_as_a_whole():
    def parts(*looks: str, frame: tuple[object, ...] = ()) -> PageParts:
        return PageParts(tuple(PagePart(f"part_{n}", "", {}, each) for n, each in enumerate(looks)), PRESS, frame=frame)

    before = parts("one", "two")
    assert before.differing(before.told) == ()
    assert [part.id for part in parts("one", "three").differing(before.told) or ()] == ["part_1"]
    assert parts("one").differing(before.told) is None
    assert parts("one", "two", "three").differing(before.told) is None
    assert parts("one", "two", frame=("found",)).differing(before.told) is None
    assert before.differing("") is None
    assert re.fullmatch(r"[\w-]+(\.[\w-]+){2}", before.told)
