"""A third party's list in a campaign: kept out or let in, and the Red Brigade's own way after a battle, written and taken back."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Battle, Campaign
from campaigns.services.amend import amend_report
from campaigns.services.house_rules import change_house_rules, preview_house_rules
from campaigns.services.join import bring_warband, join_campaign
from campaigns.services.post_battle import finish_step, keep_choice
from campaigns.services.starting import found_for_seat
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.models import Fighter, Item, Warband
from warbands.services.founding import copy_sample

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ALLOWED: dict[str, Any] = {"third_party": True}
SAMPLE, LIST = "vermilion-ninth", "red-brigade"


@story
def shut(cleo: Any, ben: Any) -> c.Club:
    """Cleo's campaign, in which nothing was said of third parties, with Ben."""
    return c.club(cleo, ben)


@story
def opened(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with third-party lists let in: Ben has the Wardens, Ada the Red Brigade."""
    made = c.club(cleo, ben, house_rules=ALLOWED)
    c.joins(made, ada, sample=SAMPLE)
    return made


def brigade(owner: Any) -> Warband:
    """A Red Brigade of somebody who allows it for himself."""
    return copy_sample(actor=owner, owner=owner, terms=s.terms(**ALLOWED), sample_id=SAMPLE)


def shown(answer: Any) -> str:
    return str(answer.content.decode())


# --- let in or left out


def test_a_warband_of_a_list_that_is_left_out_takes_no_seat(shut: c.Club, ada: Any) -> None:
    warband = brigade(ada)
    token = c.link(shut.campaign)
    with pytest.raises(Refusal, match="comes from a third party and is left out here") as refused:
        join_campaign(invitation_token=token, actor=ada, warband=warband)
    assert refused.value.code == "closed-list"
    seat = join_campaign(invitation_token=token, actor=ada)
    for act in (
        lambda: bring_warband(seat=seat, warband=warband, actor=ada),
        lambda: found_for_seat(seat=seat, actor=ada, list_id=LIST, name="The Ninth"),
    ):
        with pytest.raises(Refusal, match="comes from a third party"):
            act()
    seat.refresh_from_db()
    assert seat.warband_id is None
    assert Warband.objects.filter(owner=ada).count() == 1
    change_house_rules(campaign=shut.campaign, actor=shut.administrator, house_rules=ALLOWED)
    bring_warband(seat=c.Seat.objects.select_related("campaign__terms").get(pk=seat.pk), warband=warband, actor=ada)
    assert s.fresh(warband).terms_id == shut.campaign.terms_id
    assert s.fresh(warband).problem_count == 0


def test_a_banned_list_takes_no_seat_either(shut: c.Club, ada: Any) -> None:
    warband = s.found(ada, list_id="eire-rangers")
    change_house_rules(campaign=shut.campaign, actor=shut.administrator, house_rules={"banned": ["eire-rangers"]})
    with pytest.raises(Refusal, match="left out by a house rule"):
        join_campaign(invitation_token=c.link(shut.campaign), actor=ada, warband=warband)


def test_pages_say_why_it_is_closed_and_the_house_rules_page_lets_it_in(
    client: Any, shut: c.Club, ada: Any, cleo: Any
) -> None:
    brigade(ada)
    client.force_login(ada)
    invitation = reverse("campaign-join", args=[c.link(shut.campaign)])
    assert "third-party list, not allowed in this campaign." in shown(client.get(invitation))
    seat = join_campaign(invitation_token=c.link(shut.campaign), actor=ada)
    found = reverse("seat-found", args=[seat.pk])
    assert "third-party list, not allowed in this campaign." in shown(client.get(found))
    assert "Step 1 of 2" in shown(client.get(found, {"list": LIST}))
    client.force_login(cleo)
    rules = reverse("house-rule-list", args=[shut.campaign.pk])
    assert 'name="third_party"' in shown(client.get(rules, {"edit": "rules"}))
    sent = {"threshold_add": "0", "field_strength_add": "0", "third_party": "on", "token": "t-1", "act": "write"}
    client.post(f"{rules}?edit=rules", sent)
    assert Campaign.objects.select_related("terms").get().terms.house_rules == ALLOWED
    client.force_login(ada)
    assert "third-party list, not allowed" not in shown(client.get(found))
    assert "Step 2 of 2" in shown(client.get(found, {"list": LIST}))


def test_leaving_it_out_later_is_told_beforehand(opened: c.Club, ada: Any) -> None:
    rows = {row.warband.owner_id: (len(row.now), len(row.then)) for row in preview_house_rules(opened.campaign, {})}
    assert rows[ada.pk] == (0, 1)
    change_house_rules(campaign=opened.campaign, actor=opened.administrator, house_rules={})
    assert opened.warband(ada).problem_count == 1


# --- after a battle


@story
def row(opened: c.Club, ada: Any, ben: Any) -> Battle:
    """A battle in which Ada lost a heavy soldier, a dog and a soldier, and two dogs did deeds."""
    row = c.mustered(opened, ada, ben)
    out = {ada: ["Big Olga", "Magda", "Tilde"]}
    c.fight(row, by=ben, winner=ben, out=out, deeds=[("sniper", ada, "Cinder"), ("lord-of-war", ada, "Rosa Haas")])
    return row


def casualty(opened: c.Club, user: Any, name: str) -> str:
    return f"casualty-{c.named(opened.warband(user), name).pk}"


def at_the_fork(opened: c.Club, row: Battle, ada: Any) -> Any:
    """Ada's sequence with Olga and Magda dead and Tilde alive, up to the fork."""
    sequence = c.begin(row, ada)
    for name, face in (("Big Olga", 2), ("Magda", 1), ("Tilde", 5)):
        key = casualty(opened, ada, name)
        c.type_in(sequence, key, face)
        c.write(sequence, key)
    return c.resolve(row, ada, until="fork")


def test_a_dogs_deed_brings_two_glory(opened: c.Club, row: Battle, ada: Any) -> None:
    before = s.purse(opened.warband(ada)).glory
    c.begin(row, ada)
    assert s.purse(opened.warband(ada)).glory == before + 3
    assert opened.warband(ada).ledger.filter(reason__endswith="by Cinder; Glory Hounds", glory=2).exists()
    s.assert_reconciled(opened.warband(ada))


def test_an_amendment_takes_back_what_a_dead_dogs_deed_had_earned(
    opened: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    row = c.mustered(opened, ada, ben)
    c.fight(row, by=ben, winner=ben, out={ada: ["Magda"]}, deeds=[("sniper", ada, "Magda")])
    glory, data = s.purse(opened.warband(ada)).glory, c.report_data(row, ben, out={ada: ["Magda"]})
    sequence = c.begin(row, ada)
    key = casualty(opened, ada, "Magda")
    c.type_in(sequence, key, 1)
    c.write(sequence, key)
    assert s.purse(opened.warband(ada)).glory == glory + 2
    amend_report(battle=row, actor=cleo, data=data)
    assert s.purse(opened.warband(ada)).glory == glory
    s.assert_reconciled(opened.warband(ada))


def test_the_kit_of_the_fallen_is_lost_and_comes_back_as_what_it_was(opened: c.Club, row: Battle, ada: Any) -> None:
    warband = opened.warband(ada)
    olga, magda = s.fighter(warband, "Big Olga"), s.fighter(warband, "Magda")
    thrower = Item.objects.get(warband=warband, fighter=olga, item_id="flamethrower")
    grenades = Item.objects.get(warband=warband, fighter=magda, item_id="grenades")
    sequence = at_the_fork(opened, row, ada)
    thrower.refresh_from_db()
    assert (thrower.status, thrower.fighter_id) == (Item.Status.LOST, None)
    assert thrower.why.startswith("Lost with Big Olga")
    option = next(o for o in c.progress(sequence, "fork").asked.options if o.value == "remember")
    assert option.gains == ("Flamethrower", "Reinforced Armour", "Grenades", "Medi-Kit")
    assert "exploration and loot this time" in option.losses

    before = s.document(warband)
    keep_choice(post_battle=sequence, task_key="fork", choice_key="way", value="remember", actor=ada)
    event = c.write(sequence, "fork")
    for item in (thrower, grenades):
        item.refresh_from_db()
        assert (item.status, item.origin, item.paid_ducats > 0) == (Item.Status.HELD, Item.Origin.BOUGHT, True)
        assert item.why == "Remember the Fallen"
    assert s.kit_of(None, warband) == ["flamethrower", "grenades", "medi-kit", "reinforced-armour"]
    assert set(
        Item.objects.live().filter(warband=warband, origin=Item.Origin.FOUND).values_list("item_id", flat=True)
    ) == {"medi-kit", "reinforced-armour"}
    assert "Remember the Fallen: 4 pieces come back." in event.told
    assert c.named(opened.warband(ada), "Big Olga").status == Fighter.Status.DEAD
    s.assert_reconciled(opened.warband(ada))

    s.take_back(event)
    assert s.document(warband) == before
    assert s.kit_of(None, warband) == []
    thrower.refresh_from_db()
    assert (thrower.status, thrower.why.startswith("Lost with Big Olga")) == (Item.Status.LOST, True)
    s.assert_reconciled(opened.warband(ada))


def test_the_third_way_stands_on_the_page_with_what_it_brings(
    client: Any, opened: c.Club, row: Battle, ada: Any
) -> None:
    sequence = at_the_fork(opened, row, ada)
    client.force_login(ada)
    page = shown(client.get(reverse("post-battle-resolve", args=[row.pk, sequence.warband_id, "fork"])))
    assert "Reinforce, explore, or remember the fallen?" in page
    assert "The kit of Big Olga and Magda goes to the stash." in page
    assert "Flamethrower" in page


def test_remembering_passes_exploration_over_and_closing_forgets(opened: c.Club, row: Battle, ada: Any) -> None:
    sequence = at_the_fork(opened, row, ada)
    assert set(opened.warband(ada).state["fallen"]) == {
        str(c.named(opened.warband(ada), n).pk) for n in ("Big Olga", "Magda")
    }
    held = s.purse(opened.warband(ada)).ducats
    keep_choice(post_battle=sequence, task_key="fork", choice_key="way", value="remember", actor=ada)
    c.write(sequence, "fork")
    finish_step(post_battle=c.sequence_row(row, ada), step="fork", actor=ada)
    now = {standing.step.id: standing for standing in c.look(sequence).standings()}
    assert (now["exploration"].state, "remembers its fallen" in now["exploration"].why) == ("skipped", True)
    c.resolve(row, ada)
    warband = opened.warband(ada)
    assert not warband.state.get("fallen")
    assert (warband.state["reinforced_last"], s.purse(warband).ducats) == (False, held)
    s.assert_reconciled(warband)


def test_a_death_taken_back_forgets_and_stays_while_its_kit_was_recovered(
    opened: c.Club, row: Battle, ada: Any
) -> None:
    sequence = c.begin(row, ada)
    key = casualty(opened, ada, "Magda")
    c.type_in(sequence, key, 1)
    death = c.write(sequence, key)
    s.take_back(death)
    assert not opened.warband(ada).state.get("fallen")
    death = c.write(sequence, key)
    sequence = c.resolve(row, ada, until="fork")
    keep_choice(post_battle=sequence, task_key="fork", choice_key="way", value="remember", actor=ada)
    c.write(c.sequence_row(row, ada), "fork")
    with pytest.raises(Refusal):
        s.take_back(death)
    assert c.named(opened.warband(ada), "Magda").status == Fighter.Status.DEAD


def test_reinforcements_are_not_asked_for_twice_running(opened: c.Club, row: Battle, ada: Any, ben: Any) -> None:
    c.resolve(row, ada, answers={"way": "reinforce"})
    assert opened.warband(ada).state["reinforced_last"]
    c.resolve(row, ben)
    second = c.mustered(opened, ada, ben, scenario="supply-raid")
    c.fight(second, by=ben, winner=ben, out={ada: ["Young Ferenc"]})
    sequence = c.resolve(second, ada, until="fork")
    ways = {o.value: o for o in c.progress(sequence, "fork").asked.options}
    assert ways["reinforce"].closed == "Live off the Land: not twice in a row."
    with pytest.raises(Refusal, match="not twice in a row"):
        keep_choice(post_battle=sequence, task_key="fork", choice_key="way", value="reinforce", actor=ada)
    c.resolve(second, ada, answers={"way": "explore"})
    assert not opened.warband(ada).state["reinforced_last"]
