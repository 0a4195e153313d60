"""The pages of camp: what is owed and found, one task at a time, all choices, the teams; refused both ways, and for whom."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules.consequences import Consequence, GainsItem, Money, Owes, SetFighter, SetWarband
from rules.price import Price
from tests import stories as s
from tests.hosts import OpenHost, hosted
from tests.module_story import story
from warbands.models import Promise, Warband
from warbands.recording import recording
from warbands.services.consequences import carry_out

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MOST = 15
TREASURE = {"location": "treasure-of-the-holies", "option": "", "lists": [], "glory": 99}
CORPSES = {"location": "battlefield-of-corpses", "option": "", "lists": [], "glory": 0}
WOUNDS = {"t1": "leg-wound", "t2": "hand-wound"}


@story
def warband(ada: Any) -> Warband:
    """A small warband in camp with something owed and something found."""
    made = s.camp(ada)
    ilse = str(s.fighter(made, "Ilse Brandt").pk)
    happen(
        made,
        [
            Money(Price(ducats=50, glory=8), "Loot"),
            *(
                SetFighter(ilse, ("traumas", key), {"id": id_, "scar": True, "details": {}, "battle": 1})
                for key, id_ in WOUNDS.items()
            ),
            SetWarband(("lasting", "l1"), {"id": "curative-fluids", "choices": {}}),
            SetWarband(("lasting", "l2"), {"id": "moonshine", "choices": {}}),
            GainsItem("smokescreen", "found", "Somewhere"),
            Owes("find", "One Glory Item open to the warband.", "", TREASURE),
            Owes("find", "Two items of other lists.", "the end", CORPSES),
            Owes("find", "What nobody describes.", "", {"location": "nowhere"}),
        ],
    )
    return s.fresh(made)


def happen(warband: Warband, consequences: Iterable[Consequence]) -> None:
    with recording(warband, kind="write", actor=warband.owner) as act:
        carry_out(act, warband, consequences)
        act.say("{who} wrote it down.")


@pytest.fixture
def mine(client: Any, ada: Any) -> Any:
    client.force_login(ada)
    return client


def html(response: Any) -> str:
    return str(response.content.decode())


def promised(warband: Warband, words: str) -> Promise:
    return Promise.objects.get(warband=warband, words__startswith=words)


def act(warband: Warband, token: str = "t-1", **more: Any) -> dict[str, Any]:
    return {"token": token, "seen": s.fresh(warband).version, **more}


# --- camp ------------------------------------------------------------------------------------------------------------------


def test_the_stash_leads_to_what_is_owed_and_found(mine: Any, warband: Warband) -> None:
    page = html(mine.get(reverse("stash-show", args=[warband.pk])))
    for promise in Promise.objects.all():
        assert reverse("promise-settle", args=[promise.pk]) in page
    assert "Use your finds" in page
    assert reverse("camp-show", args=[warband.pk]) in page
    builder = html(mine.get(reverse("warband-show", args=[warband.pk])))
    assert reverse("promise-settle", args=[promised(warband, "Two").pk]) in builder
    for name in ("camp-show", "choice-list", "team-list"):
        assert reverse(name, args=[warband.pk]) in builder


def test_camp_lists_everything_with_what_waits(mine: Any, warband: Warband) -> None:
    page = html(mine.get(reverse("camp-show", args=[warband.pk])))
    for words in (
        "Rewards to collect",
        "until the end",
        "Curative Fluids",
        "Smokescreen, the stash",
        "Mark as used up",
    ):
        assert words in page
    assert "<b>waits:</b> Nothing here tells what it gives" in page
    assert page.count("<h1") == 1


def test_an_empty_camp_says_so(mine: Any, ada: Any) -> None:
    founding = html(mine.get(reverse("camp-show", args=[s.small_warband(ada, name="New").pk])))
    assert "Camp begins when the warband is ready to play." in founding
    camped = s.camp(ada, name="Old")
    assert "No rewards to collect, and no finds to use." in html(mine.get(reverse("camp-show", args=[camped.pk])))
    assert "Use your finds" not in html(mine.get(reverse("stash-show", args=[camped.pk])))


# --- one find --------------------------------------------------------------------------------------------------------------


def test_a_find_is_used_step_by_step_with_its_state_in_the_address(mine: Any, warband: Warband) -> None:
    here = reverse("find-use", args=[warband.pk, "find-l1"])
    ilse = s.fighter(warband, "Ilse Brandt")
    first = html(mine.get(here))
    assert "Curative Fluids: whose scars heal?" in first
    assert f'name="c-who" id="id_who_{ilse.pk}" value="{ilse.pk}"' in first
    second = html(mine.get(here, {"c-who": ilse.pk}))
    assert "Which scar leaves Ilse Brandt?" in second
    assert f'<input type="hidden" name="c-who" value="{ilse.pk}">' in second
    last = html(mine.get(here, {"c-who": ilse.pk, "c-scar": "t2"}))
    assert "Hand Wound leaves Ilse Brandt." in last
    assert "Change" in last
    assert 'name="token"' in last
    answer = mine.post(here, act(warband, **{"c-who": ilse.pk, "c-scar": "t2"}))
    assert answer.status_code == 302
    assert answer["Location"] == reverse("camp-show", args=[warband.pk])
    page = html(mine.get(answer["Location"]))
    assert "You wrote down: Curative Fluids healed Ilse Brandt: Hand Wound." in page
    assert reverse("event-undo", args=[s.last_event(warband).pk]) in page
    assert set(s.fighter(warband, "Ilse Brandt").state["traumas"]) == {"t1"}
    assert mine.get(here).status_code == 404


def test_a_find_that_asks_nothing_has_its_button_at_once(mine: Any, warband: Warband) -> None:
    here = reverse("find-use", args=[warband.pk, "find-l2"])
    assert "Distributed Moonshine is used up." in html(mine.get(here))
    assert mine.post(here, act(warband)).status_code == 302
    assert "l2" not in s.fresh(warband).state["lasting"]


def test_an_answer_that_does_not_fit_is_asked_again(mine: Any, warband: Warband) -> None:
    here = reverse("find-use", args=[warband.pk, "find-l1"])
    page = html(mine.get(here, {"c-who": "nobody"}))
    assert "not one of the choices" in page
    assert "whose scars heal?" in page
    answer = mine.post(here, act(warband, **{"c-who": "nobody"}))
    assert answer.status_code == 422
    assert "Choose first" in html(answer)
    assert "l1" in s.fresh(warband).state["lasting"]


def test_a_double_press_is_told_and_does_nothing(mine: Any, warband: Warband) -> None:
    here = reverse("find-use", args=[warband.pk, "find-l2"])
    sent = act(warband)
    mine.post(here, sent)
    again = mine.post(here, sent)
    assert again.status_code == 200
    assert "This was done already." in html(again)
    assert "It was already used." in html(again)


# --- promises --------------------------------------------------------------------------------------------------------------


def test_a_promise_is_settled_piece_by_piece(mine: Any, warband: Warband) -> None:
    here = reverse("promise-settle", args=[promised(warband, "Two").pk])
    first = html(mine.get(here))
    assert "100 ducats left to choose for." in first
    assert "Drop the reward" in first
    kept = {"c-reward-1-kit-1": "heretic-legion-tartarus-claws", "c-reward-1-kit-2": "none"}
    assert "85 ducats left" in html(mine.get(here, {"c-reward-1-kit-1": kept["c-reward-1-kit-1"]}))
    assert "Tartarus Claws joins the stash." in html(mine.get(here, kept))
    answer = mine.post(here, act(warband, **kept))
    assert answer["Location"] == reverse("stash-show", args=[warband.pk])
    assert s.kit_of(None, warband) == ["smokescreen", "tartarus-claws"]
    assert promised(warband, "Two").status == Promise.Status.SETTLED
    gone = mine.get(here)
    assert gone.status_code == 200
    assert "This reward is settled." in html(gone)
    assert "Drop the reward" not in html(gone)


def test_few_options_are_cards_with_their_reasons(mine: Any, warband: Warband) -> None:
    happen(warband, [SetWarband(("lasting", "l3"), {"id": "sample-of-holy-dna", "choices": {}})])
    page = html(mine.get(reverse("find-use", args=[warband.pk, "find-l3"])))
    assert page.count('class="decision-card"') == 3
    treasure = html(mine.get(reverse("promise-settle", args=[promised(warband, "One").pk])))
    assert "<b>Locked:</b> it costs 12 glory; you have 8 glory." in treasure


def test_a_stale_settling_keeps_the_choice_and_goes_on(mine: Any, warband: Warband) -> None:
    promise = promised(warband, "One")
    here = reverse("promise-settle", args=[promise.pk])
    sent = act(warband, **{"c-reward-1": "common-troop-flag"})
    s.hire(s.fresh(warband), "Yeoman", "Wren")
    answer = mine.post(here, sent)
    assert answer.status_code == 422
    page = html(answer)
    assert "While this page was open" in page
    assert '<input type="hidden" name="c-reward-1" value="common-troop-flag">' in page
    assert mine.post(here, act(warband, token="t-2", **{"c-reward-1": "common-troop-flag"})).status_code == 302
    assert s.kit_of(None, warband) == ["smokescreen", "troop-flag"]


def test_a_promise_may_lapse(mine: Any, warband: Warband) -> None:
    promise = promised(warband, "What nobody")
    here = reverse("promise-settle", args=[promise.pk])
    page = html(mine.get(here))
    assert "<b>waits:</b> Nothing here tells what it gives" in page
    refused = mine.post(here, act(warband))
    assert refused.status_code == 422
    assert mine.post(here, act(warband, token="t-2", lapse="1")).status_code == 302
    promise.refresh_from_db()
    assert promise.status == Promise.Status.LAPSED


# --- choices ---------------------------------------------------------------------------------------------------------------


@story
def odile(ada: Any) -> Any:
    """A cleric of a warband that is still founding, with her power still open."""
    warband = s.small_warband(ada, name="Founding")
    cleric = s.hire(warband, "Trench Cleric", "Odile", choices={"power": "god-is-with-us"})
    with recording(warband, kind="write", actor=ada) as act:
        act.set_leaf(cleric, ("choices", "power"), None)
        act.say("{who} forgot it.")
    return s.fighter(warband, "Odile")


def of(odile: Any) -> str:
    return f"choice_fighter-{odile.pk}-choices-power"


def test_an_open_choice_is_linked_from_the_problems_and_made(mine: Any, odile: Any) -> None:
    here = reverse("choice-list", args=[odile.warband_id])
    builder = reverse("warband-show", args=[odile.warband_id])
    opened = f"{builder}?fighter={odile.pk}#fighter_card_{odile.pk}"
    assert f'<a class="lost" href="{opened}">1 problem</a>' in html(mine.get(builder))
    assert re.search(rf'class="unit-problem">.*href="{here}#choices_{odile.pk}">Choose ', html(mine.get(opened)))
    page = html(mine.get(here))
    assert "1 choice still to make." in page
    assert f'id="choices_{odile.pk}"' in page
    assert f'id="{of(odile)}"' in page
    sent = act(odile.warband, of=of(odile), choice_power="god-is-with-us")
    answer = mine.post(here, sent)
    assert answer["Location"] == f"{here}#{of(odile)}"
    page = html(mine.get(here))
    assert "All choices are made." in page
    assert "God is With Us!" in page
    assert f"{here}?change=fighter-{odile.pk}-choices-power#{of(odile)}" in page
    card = html(mine.get(reverse("warband-show", args=[odile.warband_id])))
    assert "Powers of the Trench Cleric: God is With Us!" in card


def test_a_made_choice_is_opened_and_changed_while_founding(mine: Any, odile: Any) -> None:
    here = reverse("choice-list", args=[odile.warband_id])
    mine.post(here, act(odile.warband, of=of(odile), choice_power="god-is-with-us"))
    opened = html(mine.get(here, {"change": f"fighter-{odile.pk}-choices-power"}))
    assert 'value="god-is-with-us"' in opened
    assert "checked" in opened
    mine.post(here, act(odile.warband, "t-2", of=of(odile), choice_power="onwards-christian-soldiers"))
    assert s.fighter(odile.warband, "Odile").state["choices"]["power"] == "onwards-christian-soldiers"


@pytest.mark.parametrize("power", ["", "puppet-master"])
def test_a_choice_that_does_not_fit_is_told_at_its_field(mine: Any, odile: Any, power: str) -> None:
    here = reverse("choice-list", args=[odile.warband_id])
    answer = mine.post(here, act(odile.warband, of=of(odile), choice_power=power))
    assert answer.status_code == 422
    assert 'class="field-error"' in html(answer)
    assert s.fighter(odile.warband, "Odile").state["choices"] == {}


def test_a_choice_nobody_asks_for_is_refused(mine: Any, odile: Any) -> None:
    answer = mine.post(reverse("choice-list", args=[odile.warband_id]), act(odile.warband, of="choice_x"))
    assert answer.status_code == 422
    assert "This choice is no longer needed." in html(answer)


def test_after_the_founding_a_settled_choice_is_only_read(mine: Any, warband: Warband) -> None:
    happen(warband, [Money(Price(ducats=60), "Loot")])
    odile = s.hire(s.fresh(warband), "Trench Cleric", "Odile", choices={"power": "god-is-with-us"})
    page = html(mine.get(reverse("choice-list", args=[warband.pk]), {"change": f"fighter-{odile.pk}-choices-power"}))
    assert "Fixed since building ended." in page
    assert 'name="choice_power"' not in page


def test_a_roster_that_asks_nothing_says_so(mine: Any, ada: Any) -> None:
    page = html(mine.get(reverse("choice-list", args=[s.small_warband(ada).pk])))
    assert "There is nothing to choose on this roster." in page


# --- teams -----------------------------------------------------------------------------------------------------------------


def test_teams_are_declared_on_their_page(mine: Any, warband: Warband) -> None:
    here = reverse("team-list", args=[warband.pk])
    ottla, matthias = (s.fighter(warband, name).pk for name in ("Ottla", "Matthias"))
    page = html(mine.get(here))
    assert page.count("<fieldset") == 2
    slot = "new-antioch-fireteams-1"
    sent = {f"first-{slot}": ottla, f"second-{slot}": matthias}
    assert mine.post(here, act(warband, **sent)).status_code == 302
    page = html(mine.get(here))
    assert "You declared Fireteams: Ottla with Matthias." in page
    assert f'<option value="{ottla}" selected>' in page
    assert "Fireteam: Matthias" in html(mine.get(reverse("warband-show", args=[warband.pk])))
    fighter = html(mine.get(reverse("fighter-show", args=[ottla])))
    assert "FIRETEAM" in fighter
    assert "with Matthias" in fighter


def test_a_refused_pair_keeps_what_was_chosen(mine: Any, warband: Warband) -> None:
    here, ottla = reverse("team-list", args=[warband.pk]), s.fighter(warband, "Ottla").pk
    slot = "new-antioch-fireteams-1"
    answer = mine.post(here, act(warband, **{f"first-{slot}": ottla, f"second-{slot}": ottla}))
    assert answer.status_code == 422
    assert "A fireteam is two different fighters." in html(answer)
    assert html(answer).count(f'<option value="{ottla}" selected>') == 2
    assert "fireteams" not in s.fresh(warband).state["choices"]


def test_a_list_without_teams_has_no_link_and_an_empty_page(mine: Any, ada: Any) -> None:
    heretics = s.found(ada, name="Choir", list_id="heretic-legion")
    assert reverse("team-list", args=[heretics.pk]) not in html(mine.get(reverse("warband-show", args=[heretics.pk])))
    assert "No fighters on this roster can form teams." in html(mine.get(reverse("team-list", args=[heretics.pk])))


# --- for whom, and at what price -------------------------------------------------------------------------------------------


def addresses(warband: Warband) -> list[str]:
    pk = warband.pk
    return [
        reverse("camp-show", args=[pk]),
        reverse("find-use", args=[pk, "find-l1"]),
        reverse("choice-list", args=[pk]),
        reverse("team-list", args=[pk]),
        reverse("promise-settle", args=[promised(warband, "One").pk]),
    ]


def test_camp_is_for_those_who_act(client: Any, ada: Any, ben: Any, dora: Any, warband: Warband) -> None:
    with hosted(OpenHost(readers=(ben,))):
        for address in addresses(warband):
            client.logout()
            assert client.get(address).status_code == 302, address
            client.force_login(dora)
            assert client.get(address).status_code == 404, address
            client.force_login(ben)
            assert client.get(address).status_code == 403, address
            client.force_login(ada)
            assert client.get(address).status_code == 200, address
    client.force_login(ada)
    assert client.get(reverse("find-use", args=[warband.pk, "find-none"])).status_code == 404


def test_the_pages_run_as_many_queries_for_two_fighters_as_for_twenty(mine: Any, warband: Warband) -> None:
    def count(address: str) -> int:
        mine.get(address)
        with CaptureQueriesContext(connection) as captured:
            assert mine.get(address).status_code == 200
        return sum(1 for query in captured if not query["sql"].startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")))

    few = [count(address) for address in addresses(warband)]
    happen(warband, [Money(Price(ducats=600), "Loot")])
    for number in range(15):
        s.hire(s.fresh(warband), "Yeoman", f"Yeoman {number}")
    many = [count(address) for address in addresses(warband)]
    assert few == many
    assert max(many) <= MOST
