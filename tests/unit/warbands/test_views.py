"""The pages of one warband: shown whole and in part, answered both ways, with and without htmx."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from rules.consequences import Leaves
from tests import stories
from tests import stories as s
from tests.hosts import OpenHost, hosted
from tests.module_story import story
from warbands.adapters import force_of
from warbands.models import Event, Fighter, Item
from warbands.pages.formatting import MINUS
from warbands.pages.history import _signed_words
from warbands.pages.offers import must_choose
from warbands.pages.roster import read_roster
from warbands.recording import recording
from warbands.services.consequences import carry_out

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@story
def warband(ada):
    return stories.small_warband(ada)


@pytest.fixture
def mine(client, ada):
    client.force_login(ada)
    return client


def html(response):
    return response.content.decode()


def htmx(target):
    return {"HX-Request": "true", "HX-Target": f"div#{target}", "HX-Request-Type": "partial"}


def hiring(warband, profile, **more):
    offer = stories.hire_offer(warband, profile)
    return {"offer": offer.id, "token": more.pop("token", "t-1"), "seen": stories.fresh(warband).version, **more}


def fighters(warband):
    return Fighter.objects.live().filter(warband=warband, status="active").count()


# --- the builder ------------------------------------------------------------------------------------------------------


def test_the_builder_shows_cards_the_bar_and_what_can_be_done(mine, warband):
    page = html(mine.get(reverse("warband-show", args=[warband.pk])))
    for words in ("Ilse Brandt", "Ottla", "Matthias", 'id="budget_bar"', "<small>Left</small>"):
        assert words in page
    ottla = stories.fighter(warband, "Ottla")
    assert f'id="fighter_card_{ottla.pk}"' in page
    assert reverse("kit-buy", args=[ottla.pk]) not in page
    opened = html(mine.get(reverse("warband-show", args=[warband.pk]), {"fighter": ottla.pk}))
    assert opened.count("data-panel") == 1
    assert reverse("kit-buy", args=[ottla.pk]) in opened
    assert page.count("<h1") == 1


def test_an_empty_roster_says_what_lies_ready(mine, ada):
    page = html(mine.get(reverse("warband-show", args=[stories.found(ada).pk])))
    assert "No fighters yet. You have 700 ducats to spend." in page
    assert "Hire the first fighter" in page
    assert 'id="problem_list"' in page  # where the figure of the bar leads
    assert "This fighter can lead:" in page


def test_a_block_that_opens_in_place_brings_the_bar_that_leads_on(mine, warband):
    """As the page with that block open would have it; but it tells no version, since the other blocks may be of an earlier one."""
    pk = stories.fighter(warband, "Ottla").pk
    page = html(mine.get(reverse("warband-show", args=[warband.pk]), {"fighter": pk}))
    part = html(mine.get(reverse("fighter-show", args=[pk]), {"part": "panel"}, headers=htmx("fighter_card_1")))
    act = re.compile(r'<a class="button button-main" id="budget_bar_act".*?</a>')
    assert act.findall(part) == act.findall(page) != []
    assert '<div class="budget-bar" id="budget_bar" hx-swap-oob="outerMorph"' in part
    assert "data-seen" in page
    assert "data-seen" not in part


def test_the_bar_names_the_next_fighter_without_a_weapon_then_the_end(mine, warband):
    hedwig = stories.hire(warband, "Shocktrooper", "Hedwig")
    here = reverse("warband-show", args=[warband.pk])
    page = html(mine.get(here))
    assert re.search(rf'href="{here}\?fighter={hedwig.pk}#fighter_card_{hedwig.pk}"><span>Next: Hedwig<', page)
    for fighter in warband.fighters.all():
        if not fighter.items.exists():
            stories.equip(fighter, "Trench Club")
    assert f'href="{reverse("warband-ready", args=[warband.pk])}"><span>Ready to play<' in html(mine.get(here))


def test_a_first_build_without_a_leader_says_who_can_lead(mine, ada):
    warband = stories.found(ada)
    stories.hire(warband, "Yeoman", "Ottla")
    page = html(mine.get(reverse("warband-show", args=[warband.pk])))
    assert "You have no leader yet. This fighter can lead:" in page
    assert "<span>Hire a leader<" in page
    assert "Ready to play" not in page
    lead = re.search(r'id="offer_lead-[^"]*".*?</li>', page, re.S)
    assert lead is not None
    price = re.search(r"\d+ d", lead[0])
    assert price is not None
    sent = dict(re.findall(r'name="(offer|seen|at|token)" value="([^"]*)"', lead[0]))
    answer = mine.post(reverse("fighter-hire", args=[warband.pk]), sent)
    assert answer.url == reverse("warband-show", args=[warband.pk])
    page = html(mine.get(answer.url))
    assert "can lead" not in page
    assert warband.fighters.count() == 2


def test_a_stranger_finds_nothing(client, dora, warband):
    client.force_login(dora)
    for name in (
        "warband-show",
        "fighter-hire",
        "stash-show",
        "ledger-list",
        "history-show",
        "warband-change",
        "warband-share",
    ):
        assert client.get(reverse(name, args=[warband.pk])).status_code == 404, name


# --- hiring -----------------------------------------------------------------------------------------------------------


def test_the_hiring_page_groups_what_is_on_offer(mine, warband):
    page = html(mine.get(reverse("fighter-hire", args=[warband.pk])))
    assert "Yeoman" in page
    assert "for glory; you have 0" in page
    assert 'id="roster_brief"' in page


def test_a_search_finds_by_name_and_by_what_an_offer_does(mine, warband):
    here = reverse("fighter-hire", args=[warband.pk])
    found = html(mine.get(here, {"find": "yeom"}))
    assert "<b>Yeoman</b>" in found
    assert "<b>Shocktrooper</b>" not in found
    assert "Nothing found for" in html(mine.get(here, {"find": "zzz"}))
    kit = reverse("kit-buy", args=[stories.fighter(warband, "Ottla").pk])
    for words in ("ignores armour", "Ignore Armour"):
        found = html(mine.get(kit, {"find": words}))
        assert "Flamethrower" in found
        assert "Gas Mask" not in found
        assert re.search(r'<details class="fold" id="kit_\w+" open>', found), "what is found in a fold is shown"


def test_the_hiring_page_offers_no_more_than_the_words_that_are_asked_for(mine, warband):
    page = html(mine.get(reverse("fighter-hire", args=[warband.pk])))
    assert "1 of 1, full" in page
    assert re.search(r'aria-disabled="true"[^>]*>Hired<', page)
    assert page.count('name="several"') == page.count("data-bulk") > 0


def test_a_hire_without_script_comes_back_to_the_page_with_its_undo(mine, warband):
    here = reverse("fighter-hire", args=[warband.pk])
    answer = mine.post(here, hiring(warband, "Yeoman"))
    assert answer.status_code == 302
    assert answer["Location"].startswith(here)
    page = html(mine.get(answer["Location"]))
    event = stories.last_event(warband)
    assert f"Hired Yeoman: {Fighter.objects.latest('pk').name}." in page
    assert reverse("event-undo", args=[event.pk]) in page
    assert fighters(warband) == 4


def test_a_hire_by_htmx_answers_with_its_part_the_bar_and_the_toast(mine, warband):
    answer = mine.post(reverse("fighter-hire", args=[warband.pk]), hiring(warband, "Yeoman"), headers=htmx("hire"))
    page = html(answer)
    assert answer.status_code == 200
    assert page.lstrip().startswith('<div class="dense" id="hire">')
    assert "<html" not in page
    for piece in ('id="budget_bar" hx-swap-oob="outerMorph"', 'id="just_done"', 'id="roster_brief"'):
        assert piece in page
    assert "Hired Yeoman: " in page
    assert "Hx-Target" in answer["Vary"].title()


def test_a_hire_keeps_the_filter_of_the_page(mine, warband):
    here = reverse("fighter-hire", args=[warband.pk]) + "?find=yeo"
    assert mine.post(here, hiring(warband, "Yeoman"))["Location"].startswith(f"{here}#offer_")


def test_the_same_form_twice_hires_once_and_says_so(mine, warband):
    here, form = reverse("fighter-hire", args=[warband.pk]), hiring(warband, "Yeoman")
    mine.post(here, form)
    again = mine.post(here, form)
    assert again.status_code == 200
    assert "This was done already." in html(again)
    assert fighters(warband) == 4


@pytest.mark.parametrize("headers", [{}, htmx("hire")], ids=["page", "part"])
def test_a_stale_form_says_what_changed_and_goes_on_with_one_press(mine, warband, headers):
    here, form = reverse("fighter-hire", args=[warband.pk]), hiring(warband, "Yeoman")
    stories.hire(warband, "Yeoman", "Hedvig")
    answer = mine.post(here, form, headers=headers)
    page = html(answer)
    assert answer.status_code == 422
    assert "While this page was open:" in page
    assert "Hedvig" in page
    assert 'id="answer_again"' in page
    assert 'id="offer_choices"' not in page
    assert f'name="seen" value="{stories.fresh(warband).version}"' in page
    assert fighters(warband) == 4


@pytest.mark.parametrize("headers", [{}, htmx("hire")], ids=["page", "part"])
def test_a_refused_hire_is_422_with_its_reason_and_writes_nothing(mine, warband, headers):
    before = stories.written(warband)
    answer = mine.post(
        reverse("fighter-hire", args=[warband.pk]),
        {"offer": stories.hire_offer(warband, "Lieutenant").id, "token": "x", "seen": stories.fresh(warband).version},
        headers=headers,
    )
    assert answer.status_code == 422
    assert 'role="alert"' in html(answer)
    assert stories.written(warband) == before


@pytest.mark.parametrize(
    "bad", [{}, {"offer": ""}, {"offer": "no-such"}, {"offer": "x" * 300}, {"seen": "many"}, {"seen": "-1"}]
)
def test_bad_input_is_422_and_writes_nothing(mine, warband, bad):
    before = stories.written(warband)
    answer = mine.post(
        reverse("fighter-hire", args=[warband.pk]), {**({} if not bad else hiring(warband, "Yeoman")), **bad}
    )
    assert answer.status_code == 422
    assert stories.written(warband) == before


# --- kit --------------------------------------------------------------------------------------------------------------


def test_the_kit_page_tells_what_is_carried_and_the_hands_it_takes(mine, warband):
    ottla = stories.fighter(warband, "Ottla")
    page = html(mine.get(reverse("kit-buy", args=[ottla.pk])))
    assert "Hands: ranged " in page
    for shelf in ("ranged", "heavy-weapons-and-grenades", "melee", "armour", "other-equipment"):
        assert f'id="kit_{shelf}"' in page


def test_buying_and_returning_moves_the_money_and_the_page_stays(mine, warband):
    ottla = stories.fighter(warband, "Ottla")
    here = reverse("kit-buy", args=[ottla.pk])
    before = stories.purse(warband)
    offer = stories.item_offer(warband, "Gas Mask", ottla)
    form = {"offer": offer.id, "token": "k1", "seen": stories.fresh(warband).version}
    page = html(mine.post(here, form, headers=htmx("kit")))
    assert page.lstrip().startswith('<div class="dense" id="kit">')
    assert "Gas Mask" in page
    assert stories.purse(warband).ducats == before.ducats - offer.price.ducats
    item = Item.objects.get(warband=warband, item_id="gas-mask", status="held")
    back = {"at": f"kit:{ottla.pk}", "token": "k2", "seen": stories.fresh(warband).version}
    answer = mine.post(reverse("item-return", args=[item.pk]), back, headers=htmx("kit"))
    assert answer.status_code == 200
    assert html(answer).lstrip().startswith('<div class="dense" id="kit">')
    assert stories.purse(warband) == before


def test_a_piece_goes_to_the_stash_and_back_without_script(mine, warband):
    ottla, matthias = stories.fighter(warband, "Ottla"), stories.fighter(warband, "Matthias")
    (mask,) = stories.equip(ottla, "Gas Mask")
    seen = stories.fresh(warband).version
    answer = mine.post(reverse("item-stash", args=[mask.pk]), {"at": f"kit:{ottla.pk}", "token": "s1", "seen": seen})
    assert answer.status_code == 302
    assert answer["Location"] == reverse("kit-buy", args=[ottla.pk])
    assert "Gas Mask" in html(mine.get(reverse("stash-show", args=[warband.pk])))
    give = reverse("item-give", args=[mask.pk])
    assert "Matthias" in html(mine.get(give))
    mine.post(give, {"fighter": matthias.pk, "token": "s2", "seen": seen + 1})
    mask.refresh_from_db()
    assert mask.fighter_id == matthias.pk


def test_two_pieces_change_places(mine, warband):
    ottla, matthias = stories.fighter(warband, "Ottla"), stories.fighter(warband, "Matthias")
    (mask,) = stories.equip(ottla, "Gas Mask")
    (helmet,) = stories.equip(matthias, "Combat Helmet")
    here = reverse("item-swap", args=[mask.pk])
    assert "Combat Helmet, Matthias" in html(mine.get(here))
    mine.post(here, {"other": helmet.pk, "token": "w1", "seen": stories.fresh(warband).version})
    mask.refresh_from_db()
    assert mask.fighter_id == matthias.pk
    assert mine.post(here, {"other": "999999", "token": "w2"}).status_code == 422


@pytest.mark.parametrize("name", ["item-stash", "item-give", "item-swap", "item-sell", "item-return"])
def test_a_piece_of_somebody_else_is_not_there(client, dora, warband, name):
    (mask,) = stories.equip(stories.fighter(warband, "Ottla"), "Gas Mask")
    client.force_login(dora)
    assert client.get(reverse(name, args=[mask.pk])).status_code == 404
    assert client.post(reverse(name, args=[mask.pk]), {}).status_code == 404


def test_a_fighter_of_another_warband_cannot_take_it(mine, ben, warband):
    (mask,) = stories.equip(stories.fighter(warband, "Ottla"), "Gas Mask")
    other = stories.small_warband(ben, name="Choir of Brass")
    foreign = stories.fighter(other, "Ottla")
    answer = mine.post(reverse("item-give", args=[mask.pk]), {"fighter": foreign.pk, "token": "f1"})
    assert answer.status_code == 404


# --- one fighter ------------------------------------------------------------------------------------------------------


def test_the_fighter_page_tells_its_life(mine, warband):
    ottla = stories.fighter(warband, "Ottla")
    stories.equip(ottla, "Gas Mask")
    page = html(mine.get(reverse("fighter-show", args=[ottla.pk])))
    assert "hired Ottla" in page
    assert "Gas Mask" in page
    assert "Ilse Brandt" not in page


def test_a_fighter_that_left_stays_readable(mine, warband):
    ottla = stories.fighter(stories.ready(warband), "Ottla")
    with recording(warband, kind="trauma", actor=ottla.warband.owner) as act:
        carry_out(act, warband, [Leaves(str(ottla.pk), "dead", "Fell at the Armoured Train")])
        act.say("Ottla died at the Armoured Train.")
    page = html(mine.get(reverse("fighter-show", args=[ottla.pk])))
    assert "Fell at the Armoured Train" in page
    assert reverse("fighter-dismiss", args=[ottla.pk]) not in page
    assert mine.get(reverse("kit-buy", args=[ottla.pk])).status_code == 404
    assert "No longer on the roster" in html(mine.get(reverse("warband-show", args=[warband.pk])))


def test_a_fighter_is_renamed_noted_and_moved(mine, warband):
    ottla = stories.fighter(warband, "Ottla")
    seen = stories.fresh(warband).version
    answer = mine.post(
        reverse("fighter-rename", args=[ottla.pk]), {"name": "Ottla the Quiet", "token": "r1", "seen": seen}
    )
    assert answer["Location"].endswith(f"#fighter_card_{ottla.pk}")
    mine.post(
        reverse("fighter-note", args=[ottla.pk]), {"notes": "Owes Ilse a drink.", "token": "r2", "seen": seen + 1}
    )
    mine.post(reverse("fighter-move", args=[ottla.pk]), {"direction": "down", "token": "r3", "seen": seen + 2})
    ottla.refresh_from_db()
    assert (ottla.name, ottla.notes) == ("Ottla the Quiet", "Owes Ilse a drink.")
    assert ottla.position > stories.fighter(warband, "Matthias").position
    assert "Owes Ilse a drink." in html(mine.get(reverse("fighter-show", args=[ottla.pk])))


def test_an_empty_name_is_422_and_keeps_the_form(mine, warband):
    ottla = stories.fighter(warband, "Ottla")
    answer = mine.post(reverse("fighter-rename", args=[ottla.pk]), {"name": " ", "token": "r1"})
    assert answer.status_code == 422
    assert "Enter a name." in html(answer)


def test_a_copy_stands_on_the_roster(mine, warband):
    ottla = stories.fighter(warband, "Ottla")
    stories.equip(ottla, "Gas Mask")
    here = reverse("fighter-copy", args=[ottla.pk])
    assert mine.get(here).status_code == 200
    mine.post(here, {"name": "Hedvig", "token": "c1", "seen": stories.fresh(warband).version})
    assert "gas-mask" in stories.kit_of(stories.fighter(warband, "Hedvig"))


def test_parting_says_each_consequence_before_it_happens(mine, warband):
    ottla = stories.fighter(warband, "Ottla")
    here = reverse("fighter-dismiss", args=[ottla.pk])
    page = html(mine.get(here))
    assert "35 d come back" in page
    before = stories.purse(warband).ducats
    assert mine.post(here, {"way": "", "token": "p0"}).status_code == 422
    answer = mine.post(here, {"way": "return", "token": "p1", "seen": stories.fresh(warband).version})
    assert answer.status_code == 302
    assert stories.purse(warband).ducats == before + 35
    assert fighters(warband) == 2


# --- stash, ledger, history, undo -------------------------------------------------------------------------------------


def test_the_stash_sells_and_the_ledger_tells(mine, warband):
    stories.stock(warband, "Gas Mask")
    stories.ready(warband)
    page = html(mine.get(reverse("stash-show", args=[warband.pk])))
    assert "Gas Mask" in page
    assert "Sell, +3 d" in page
    item = Item.objects.get(warband=warband, item_id="gas-mask")
    form = {"at": f"stash:{warband.pk}", "token": "l1", "seen": stories.fresh(warband).version}
    answer = mine.post(reverse("item-sell", args=[item.pk]), form, headers=htmx("stash"))
    assert html(answer).lstrip().startswith('<div class="parts" id="stash">')
    ledger = html(mine.get(reverse("ledger-list", args=[warband.pk])))
    assert "Sold" in ledger
    assert f"{MINUS}5" in ledger


def test_history_tells_sentences_and_filters(mine, warband):
    here = reverse("history-show", args=[warband.pk])
    assert "hired Ottla" in html(mine.get(here))
    ottla = stories.fighter(warband, "Ottla")
    mine.post(
        reverse("fighter-note", args=[ottla.pk]), {"notes": "x", "token": "h1", "seen": stories.fresh(warband).version}
    )
    assert "wrote" in html(mine.get(here)) or "note" in html(mine.get(here))
    ledger = html(mine.get(here, {"show": "ledger"}))
    assert "hired Ottla" in ledger
    assert len(ledger) < len(html(mine.get(here)))
    assert "Nothing was undone." in html(mine.get(here, {"show": "undone"}))


@pytest.mark.parametrize(("ducats", "glory", "told"), [(-260, -1, "−260 d, −1 g"), (45, 0, "+45 d"), (0, 2, "+2 g")])
def test_what_an_undo_moves_names_each_currency(ducats, glory, told):
    assert _signed_words(ducats, glory) == told


def test_an_undo_restores_and_stays_told(mine, warband):
    before = stories.purse(warband)
    event = Event.objects.get(pk=stories.last_event(warband).pk)
    here = reverse("event-undo", args=[event.pk])
    assert "What is restored" in html(mine.get(here))
    answer = mine.post(here, {"token": "u1", "seen": stories.fresh(warband).version})
    assert answer.status_code == 302
    assert stories.purse(warband).ducats > before.ducats
    page = html(mine.get(reverse("history-show", args=[warband.pk])))
    assert "Undone by ada" in page
    assert "undid" in html(mine.get(reverse("history-show", args=[warband.pk]), {"show": "undone"}))


def test_an_undo_that_others_lean_on_lists_them(mine, warband):
    stories.equip(stories.fighter(warband, "Ottla"), "Gas Mask")
    stories.equip(stories.fighter(warband, "Ottla"), "Bayonet")
    hire = Event.objects.filter(subjects__warband=warband, kind="hire", sentence__contains="Ottla").get()
    page = html(mine.get(reverse("event-undo", args=[hire.pk])))
    assert "Later entries depend on it" in page
    assert 0 < page.index("Bayonet") < page.index("Gas Mask")  # the newest goes first
    answer = mine.post(reverse("event-undo", args=[hire.pk]), {"token": "u1", "seen": stories.fresh(warband).version})
    assert answer.status_code == 422
    assert "2 later entries depend on this." in html(mine.get(reverse("history-show", args=[warband.pk])))


def test_a_stranger_cannot_undo(client, dora, warband):
    client.force_login(dora)
    assert client.get(reverse("event-undo", args=[stories.last_event(warband).pk])).status_code == 404


# --- the warband itself -----------------------------------------------------------------------------------------------


def test_ending_the_founding_takes_a_legal_roster(mine, ada):
    warband = stories.found(ada)
    stories.hire(warband, "Yeoman", "Ottla")
    here = reverse("warband-ready", args=[warband.pk])
    assert "Fix all problems first." in html(mine.get(here))
    answer = mine.post(here, {"token": "g1", "seen": stories.fresh(warband).version})
    assert answer.status_code == 422
    assert stories.fresh(warband).is_founding


def test_a_legal_warband_becomes_ready(mine, warband):
    here = reverse("warband-ready", args=[warband.pk])
    assert "Finish and lock in" in html(mine.get(here))
    assert mine.post(here, {"token": "g1", "seen": stories.fresh(warband).version}).status_code == 302
    assert not stories.fresh(warband).is_founding
    assert mine.get(here).status_code == 302


def test_settings_change_name_and_notes(mine, warband):
    here = reverse("warband-change", args=[warband.pk])
    form = {"name": "The Lamp Wardens", "patron": "", "notes": "Meet at dusk.", "token": "n1", "seen": warband.version}
    form["seen"] = stories.fresh(warband).version
    assert mine.post(here, form).status_code == 302
    now = stories.fresh(warband)
    assert (now.name, now.notes) == ("The Lamp Wardens", "Meet at dusk.")
    again = mine.post(here, {**form, "token": "n2", "seen": now.version})
    assert again.status_code == 422


def test_delegates_act_and_are_taken_off(mine, client, ben, warband):
    here = reverse("warband-change", args=[warband.pk])
    mine.post(here, {"username": "ben", "token": "d1", "seen": stories.fresh(warband).version})
    page = html(mine.get(here))
    assert "Take off" in page
    delegate = warband.delegates.get()
    client.force_login(ben)
    assert client.get(reverse("fighter-hire", args=[warband.pk])).status_code == 200
    assert client.get(reverse("warband-disband", args=[warband.pk])).status_code == 200
    assert client.post(here, {"username": "cleo", "token": "d2"}).status_code == 403
    client.force_login(warband.owner)
    client.post(here, {"remove": delegate.pk, "token": "d3", "seen": stories.fresh(warband).version})
    client.force_login(ben)
    assert client.get(reverse("warband-show", args=[warband.pk])).status_code == 404


def test_a_delegate_hires_in_the_owners_name(client, ada, ben, warband):
    from warbands.services.sharing import add_delegate

    add_delegate(warband=warband, username="ben", actor=ada)
    client.force_login(ben)
    client.post(reverse("fighter-hire", args=[warband.pk]), hiring(warband, "Yeoman"))
    assert stories.last_event(warband).who == "ben, for ada,"


def test_a_disbanded_warband_stays_readable(mine, warband):
    here = reverse("warband-disband", args=[warband.pk])
    assert "Nothing is deleted" in html(mine.get(here))
    form = {"way": "disband", "token": "e1", "seen": stories.fresh(warband).version}
    assert mine.post(here, form).status_code == 302
    page = html(mine.get(reverse("warband-show", args=[warband.pk])))
    assert "Disbanded." in page
    assert "button-main" not in page
    assert "Past warbands" in html(mine.get(reverse("warband-list")))
    refused = mine.post(reverse("fighter-hire", args=[warband.pk]), hiring(warband, "Yeoman", token="e2"))
    assert refused.status_code == 422


@pytest.mark.parametrize("way", ["archive", "disband"])
def test_what_was_put_away_comes_back(mine, warband, way):
    here = reverse("warband-disband", args=[warband.pk])
    mine.post(here, {"way": way, "token": "e1", "seen": stories.fresh(warband).version})
    assert "Restore" in html(mine.get(here))
    mine.post(here, {"way": "restore", "token": "e2", "seen": stories.fresh(warband).version})
    assert stories.fresh(warband).is_founding
    assert mine.post(here, {"way": "burn", "token": "e3"}).status_code == 422


def test_undoing_the_founding_takes_the_warband_away(mine, ada):
    warband = stories.found(ada)
    here = reverse("event-undo", args=[stories.last_event(warband).pk])
    answer = mine.post(here, {"token": "u1", "seen": stories.fresh(warband).version})
    assert answer["Location"] == reverse("warband-list")
    assert mine.get(reverse("warband-show", args=[warband.pk])).status_code == 404


# --- choices ----------------------------------------------------------------------------------------------------------


def cleric(warband):
    asked = stories.hire_offer(warband, "Trench Cleric").choices[0]
    return asked, stories.hire(warband, "Trench Cleric", "Odile", choices={asked.key: asked.options[0][0]})


def test_a_hire_that_asks_for_a_choice_opens_it_in_its_place(mine, warband):
    here = reverse("fighter-hire", args=[warband.pk])
    offer = stories.hire_offer(warband, "Trench Cleric")
    asked = offer.choices[0]
    assert "take=" in html(mine.get(here))
    page = html(mine.get(here, {"take": offer.id}))
    assert 'id="offer_choices"' in page
    assert f'name="choice_{asked.key}"' in page
    assert asked.summaries[0][1] in unescape(page)
    form = hiring(warband, "Trench Cleric", name="Odile")
    refused = mine.post(here, form)
    assert refused.status_code == 422
    assert 'id="offer_choices"' in html(refused)
    assert 'value="Odile"' in html(refused)
    assert mine.post(here, {**form, f"choice_{asked.key}": "no-such"}).status_code == 422
    assert mine.post(here, {**form, f"choice_{asked.key}": asked.options[1][0]}).status_code == 302
    odile = stories.fighter(warband, "Odile")
    assert odile.state["choices"] == {asked.key: asked.options[1][0]}


def test_a_choice_is_made_otherwise_while_founding(mine, warband):
    asked, odile = cleric(warband)
    here = reverse("upgrade-buy", args=[odile.pk])
    assert 'name="choice"' in html(mine.get(here))
    form = {"choice": asked.key, "value": asked.options[1][0], "token": "c1", "seen": stories.fresh(warband).version}
    assert mine.post(here, form).status_code == 302
    odile.refresh_from_db()
    assert odile.state["choices"] == {asked.key: asked.options[1][0]}
    stories.ready(warband)
    assert 'name="choice"' not in html(mine.get(here))
    later = {**form, "value": asked.options[0][0], "token": "c2", "seen": stories.fresh(warband).version}
    assert mine.post(here, later).status_code == 422


def test_the_way_to_upgrades_is_shown_only_where_there_are_any(mine, warband):
    """Ilse's profile has none, Ottla's has; Odile has none either, and while founding her choice stands there."""
    ilse, ottla = stories.fighter(warband, "Ilse Brandt"), stories.fighter(warband, "Ottla")
    _, odile = cleric(warband)

    def ways(fighter):
        there = reverse("upgrade-buy", args=[fighter.pk])
        roster = f"{reverse('warband-show', args=[warband.pk])}?fighter={fighter.pk}"
        pages = (roster, reverse("fighter-show", args=[fighter.pk]), reverse("kit-buy", args=[fighter.pk]))
        return [f'href="{there}"' in html(mine.get(page)) for page in pages]

    assert ways(ottla) == [True] * 3
    assert ways(odile) == [True] * 3
    assert ways(ilse) == [False] * 3
    assert "has no upgrades." in html(mine.get(reverse("upgrade-buy", args=[ilse.pk])))
    stories.ready(warband)
    assert ways(odile) == [False] * 3


def test_an_upgrade_is_taken_and_given_back(mine, warband):
    ottla = stories.fighter(warband, "Ottla")
    here = reverse("upgrade-buy", args=[ottla.pk])
    before = stories.purse(warband)
    offer = stories.upgrade_offer(ottla, "Trench Mole")
    form = {"offer": offer.id, "token": "m1", "seen": stories.fresh(warband).version}
    page = html(mine.post(here, form, headers=htmx("upgrades")))
    assert page.lstrip().startswith('<div class="dense" id="upgrades">')
    assert "Return, +10 d" in page
    (key,) = stories.fighter(warband, "Ottla").state["upgrades"]
    mine.post(here, {"give_back": key, "token": "m2", "seen": stories.fresh(warband).version})
    assert stories.purse(warband) == before


def test_an_upgrade_that_asks_which_one_is_taken_with_its_answer(mine, ada):
    warband = stories.found(ada, name="The Gallows Choir", list_id="heretic-legion")
    for offer in stories.fresh(warband).terms.game.hire_offers(warband.terms.content, force_of(stories.fresh(warband))):
        if offer.state == "closed" or offer.choices:
            continue
        fighter = stories.hire(warband, offer.name, f"One {offer.name}")
        now = stories.fresh(warband)
        upgrades = now.terms.game.shop.upgrade_offers(now.terms.content, force_of(now), str(fighter.pk))
        asking = next((upgrade for upgrade in upgrades if upgrade.options and upgrade.state != "closed"), None)
        if asking is not None:
            break
    assert asking is not None
    here = reverse("upgrade-buy", args=[fighter.pk])
    assert "choice_option" in html(mine.get(here, {"take": asking.id}))
    form = {"offer": asking.id, "token": "o1", "seen": stories.fresh(warband).version}
    assert mine.post(here, form).status_code == 422
    assert mine.post(here, {**form, "choice_option": asking.options[0][0]}).status_code == 302
    fighter.refresh_from_db()
    assert [taken["option"] for taken in fighter.state["upgrades"].values()] == [asking.options[0][0]]


# --- readers ----------------------------------------------------------------------------------------------------------


def test_a_reader_sees_the_roster_and_no_acts(client, dora, warband):
    with hosted(OpenHost(readers=(dora,))):
        _sees_the_roster_and_no_acts(client, dora, warband)


def _sees_the_roster_and_no_acts(client, dora, warband):
    client.force_login(dora)
    page = html(client.get(reverse("warband-show", args=[warband.pk])))
    assert "Ottla" in page
    assert "<form" not in page
    assert 'id="budget_bar"' in page
    assert "button-main" not in page
    ottla = stories.fighter(warband, "Ottla")
    assert "<form" not in html(client.get(reverse("fighter-show", args=[ottla.pk])))
    for name in ("stash-show", "ledger-list", "history-show"):
        shown = client.get(reverse(name, args=[warband.pk]))
        assert shown.status_code == 200
        assert "<form" not in html(shown)
        assert "/undo/" not in html(shown)
    for name in ("fighter-hire", "warband-change", "warband-ready", "warband-share", "warband-export"):
        assert client.get(reverse(name, args=[warband.pk])).status_code == 403, name
    assert client.post(reverse("stash-show", args=[warband.pk]), {"offer": "x"}).status_code == 403
    assert client.get(reverse("kit-buy", args=[ottla.pk])).status_code == 403
    assert client.get(reverse("event-undo", args=[stories.last_event(warband).pk])).status_code == 403


def test_get_writes_nothing(mine, warband):
    before = stories.written(warband)
    ottla = stories.fighter(warband, "Ottla")
    for name in (
        "warband-show",
        "fighter-hire",
        "stash-show",
        "ledger-list",
        "history-show",
        "warband-change",
        "warband-share",
        "warband-export",
    ):
        assert mine.get(reverse(name, args=[warband.pk])).status_code == 200, name
    for name in (
        "fighter-show",
        "kit-buy",
        "upgrade-buy",
        "fighter-move",
        "fighter-copy",
        "fighter-rename",
        "fighter-note",
        "fighter-dismiss",
    ):
        assert mine.get(reverse(name, args=[ottla.pk])).status_code == 200, name
    assert stories.written(warband) == before


# --- rows keep their place --------------------------------------------------------------------------------------------------


def shown_rows(html: str) -> list[str]:
    """The offers of a page in their order."""
    return re.findall(r'<li class="offer-line" id="(offer_[^"]+)"', html)


def pressed_in_place(client: Client, address: str, target: str, offer: str, seen: int, order: str = "") -> str:
    answer = client.post(
        address, {"offer": offer, "seen": seen, "token": f"t{seen}", "order": order},
        HTTP_HX_REQUEST="true", HTTP_HX_TARGET=f"div#{target}",
    )  # fmt: skip
    assert answer.status_code == 200
    return answer.content.decode()


def order_told(html: str, target: str) -> str:
    found = re.search(rf'id="{target}_form".*?name="order" value="([^"]*)"', html, re.DOTALL)
    assert found is not None
    return found.group(1)


def test_hire_rows_keep_their_place_until_the_page_is_loaded_again(ada: Any) -> None:
    warband, client = s.small_warband(ada), Client()
    client.force_login(ada)
    here = reverse("fighter-hire", args=[warband.pk])
    page = client.get(here).content.decode()
    before, order = shown_rows(page), order_told(page, "hire")
    for profile in ("Lieutenant", "Trench Cleric", "Yeoman", "Yeoman"):
        offer = next(
            (
                o
                for o in read_roster(s.fresh(warband)).hire_offers()
                if o.name == profile and o.state != "closed" and not must_choose(o)
            ),
            None,
        )
        if offer is None:
            continue
        html = pressed_in_place(client, here, "hire", offer.id, s.fresh(warband).version, order)
        assert shown_rows(html) == before
        assert order_told(html, "hire").split() == order.split()


def test_kit_rows_keep_their_place_until_the_page_is_loaded_again(ada: Any) -> None:
    warband, client = s.small_warband(ada), Client()
    client.force_login(ada)
    ottla = s.fighter(warband, "Ottla")
    here = reverse("kit-buy", args=[ottla.pk])
    page = client.get(here).content.decode()
    before, order = shown_rows(page), order_told(page, "kit")
    bought = 0
    for id_ in order.split():
        offer = next(o for o in read_roster(s.fresh(warband)).item_offers(str(ottla.pk)) if o.id == id_)
        if offer.state == "closed" or must_choose(offer) or bought == 2:
            continue
        html = pressed_in_place(client, here, "kit", offer.id, s.fresh(warband).version, order)
        assert shown_rows(html) == before
        bought += 1
    assert bought
