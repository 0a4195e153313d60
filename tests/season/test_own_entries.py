"""A campaign's own entries and prices through services and pages: foreseen, from a day or battle, versioned, and never backwards."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Campaign
from campaigns.services.house_rules import change_house_rules, drop_coming_rules, preview_house_rules, settle_due_rules
from campaigns.services.join import bring_warband, join_campaign
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from tests.unit.rules.test_house_extra import DIVER, GUN
from warbands.adapters import force_of
from warbands.models import Event, Terms
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return c.club(cleo, ada, ben)


def campaign_of(made: c.Club) -> Campaign:
    return Campaign.objects.select_related("terms").get(pk=made.campaign.pk)


def terms_of(made: c.Club) -> Terms:
    return Terms.objects.get(pk=made.campaign.terms_id)


def rules_page(made: c.Club, part: str = "") -> str:
    here = reverse("house-rule-list", args=[made.campaign.pk])
    return f"{here}?edit={part}" if part else here


def text(answer: Any) -> str:
    return " ".join(unescape(answer.content.decode()).split())


def set_rules(made: c.Club, **rules: Any) -> Terms:
    return change_house_rules(campaign=campaign_of(made), actor=made.administrator, house_rules=rules)


def founding(made: c.Club, who: Any) -> Any:
    """A warband of this person under the campaign's terms that is founded still."""
    return s.found(who, name="The Sodden Bell", terms=terms_of(made))


# --- entered, foreseen, shown


def test_an_administrator_writes_an_entry_and_players_hire_it(
    client: Client, made: c.Club, cleo: Any, ada: Any
) -> None:
    client.force_login(cleo)
    given = {"extra": DIVER.replace("\n", "\r\n"), "prices": "Bayonet: 3 d\nNew Antioch: Yeoman: 33 d", "token": "t-1"}
    assert client.post(rules_page(made, "rules"), given).status_code == 302
    kept = terms_of(made).house_rules
    assert kept["extra"].strip() == DIVER.strip()
    assert kept["prices"]["bayonet"] == {"ducats": 3, "glory": 0}
    form = text(client.get(rules_page(made, "rules")))
    assert "Bayonet: 3 d" in form
    assert "Yeoman: 33 d" in form
    warband = founding(made, ada)
    client.force_login(ada)
    page = text(client.get(reverse("fighter-hire", args=[warband.pk])))
    assert "Weir Diver" in page
    assert "Added by this campaign." in page
    assert "House rule: 33 ducats (in the book: 30 ducats)." in page
    s.hire(warband, "Weir Diver")
    assert s.fresh(warband).strongbox_ducats == 660
    shown = text(client.get(reverse("warband-show", args=[warband.pk])))
    assert "Weir Diver" in shown
    read = text(client.get(rules_page(made)))
    assert "Weir Diver" in read
    assert "Bayonet 3 d" in read


@pytest.mark.parametrize(
    ("field", "given", "says"),
    [
        ("extra", "[[items]]\nid = 'x'", "items[0] (x): Object missing required field `name`"),
        ("extra", "x = [", "the TOML cannot be read"),
        ("extra", "#" * 16001, "16000"),
        ("prices", "Bayonet 3", "write a name, a colon and a price"),
        ("prices", "Bayonet: -3 d", "write a name, a colon and a price"),
        ("prices", "Bayonet: 99999 d", "write a name, a colon and a price"),
        ("prices", "No such thing: 3 d", "“No such thing” isn't in the rules."),
        ("allowed", "Bayonet", "Bayonet isn't from a third party"),
        ("banned", "x" * 4001, "4000"),
    ],
)
def test_a_mistake_is_told_with_its_field_and_nothing_is_written(
    client: Client, made: c.Club, cleo: Any, field: str, given: str, says: str
) -> None:
    client.force_login(cleo)
    for act in ("write", "preview"):
        answer = client.post(rules_page(made, "rules"), {field: given, "token": f"t-{act}", "act": act})
        assert answer.status_code == 422
        assert says in text(answer)
    assert terms_of(made).house_rules == {}
    assert terms_of(made).version == 1


def test_the_preview_tells_who_becomes_illegal_by_a_ban_and_by_a_limit(made: c.Club) -> None:
    rows = preview_house_rules(campaign_of(made), {"limits": {"standard-armour": 0}, "extra": GUN})
    assert rows
    assert any(row.new for row in rows)
    assert all(not row.new for row in preview_house_rules(campaign_of(made), {"prices": {"yeoman": {"ducats": 500}}}))


def test_the_rules_browser_shows_a_campaign_its_own(client: Client, made: c.Club, ada: Any, dora: Any) -> None:
    terms = set_rules(made, extra=DIVER, prices={"bayonet": {"ducats": 3}}, banned=["machine-gun"])
    entry = reverse("rule-show", args=[terms.system, terms.edition, "profile", "weir-diver"])
    bayonet = reverse("rule-show", args=[terms.system, terms.edition, "item", "bayonet"])
    gun = reverse("rule-show", args=[terms.system, terms.edition, "item", "machine-gun"])
    client.force_login(ada)
    page = text(client.get(entry, {"terms": terms.pk}))
    assert "this campaign's own" in page
    assert "3 d (house rule; the book: 2 d)" in text(client.get(bayonet, {"terms": terms.pk}))
    assert "left out by a house rule" in text(client.get(gun, {"terms": terms.pk}))
    assert f"terms={terms.pk}" in text(client.get(rules_page(made)))
    client.force_login(dora)
    assert client.get(entry, {"terms": terms.pk}).status_code == 404
    assert "house rule" not in text(client.get(bayonet, {"terms": terms.pk}))


# --- never backwards


def test_a_dearer_price_reprices_nothing_that_was_bought(made: c.Club, ada: Any) -> None:
    warband = founding(made, ada)
    s.hire(warband, "Yeoman")
    before = s.fresh(warband)
    set_rules(made, prices={"yeoman": {"ducats": 100}})
    after = s.fresh(warband)
    assert (after.strongbox_ducats, after.rating_ducats) == (before.strongbox_ducats, before.rating_ducats)
    s.hire(warband, "Yeoman")
    assert s.fresh(warband).strongbox_ducats == before.strongbox_ducats - 105  # with the rifle
    worth = s.fresh(warband).rating_ducats
    set_rules(made)
    assert s.fresh(warband).rating_ducats == worth
    s.assert_reconciled(warband)


def test_an_entry_taken_out_stays_known_where_it_is_held(client: Client, made: c.Club, ada: Any) -> None:
    set_rules(made, extra=DIVER)
    warband = founding(made, ada)
    fighter = s.hire(warband, "Weir Diver")
    set_rules(made, extra=GUN)
    client.force_login(ada)
    for address in ("warband-show", "fighter-hire", "stash-show", "history-show", "roster-print"):
        assert client.get(reverse(address, args=[warband.pk])).status_code == 200
    page = text(client.get(reverse("fighter-show", args=[fighter.pk])))
    assert "Weir Diver" in page
    assert s.fresh(warband).problem_count
    with pytest.raises((Refusal, AssertionError, LookupError, StopIteration)):
        s.hire(warband, "Weir Diver")


def test_a_change_is_not_undone_while_somebody_holds_what_it_brought(made: c.Club, ada: Any, cleo: Any) -> None:
    set_rules(made, extra=DIVER)
    event = Event.objects.filter(kind="house-rules").latest("pk")
    warband = founding(made, ada)
    s.hire(warband, "Weir Diver")
    with pytest.raises(Refusal, match="The Sodden Bell holds Weir Diver") as refused:
        undo(event=event, actor=cleo)
    assert refused.value.code == "held"
    assert "weir-diver" in terms_of(made).house_rules["extra"]
    undo(event=s.last_event(warband), actor=ada)
    undo(event=event, actor=cleo)
    assert "extra" not in terms_of(made).house_rules


def test_what_held_from_a_battle_and_is_taken_back_stays_known(made: c.Club, ada: Any) -> None:
    terms = change_house_rules(
        campaign=campaign_of(made), actor=made.administrator, house_rules={"extra": DIVER}, battle=1
    )
    warband = founding(made, ada)
    s.hire(warband, "Weir Diver")
    drop_coming_rules(campaign=campaign_of(made), actor=made.administrator, version=terms.version)
    fresh = s.fresh(warband)
    game = fresh.terms.game
    assert fresh.problem_count
    assert game.state.unknown(fresh.terms.content, force_of(fresh)) == ()


def test_another_campaign_takes_no_warband_with_entries_it_does_not_know(
    made: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    terms = s.terms(extra=DIVER)
    warband = s.found(ada, name="The Drowned", terms=terms)
    s.hire(warband, "Weir Diver")
    other = c.club(cleo, ben)
    seat = join_campaign(invitation_token=c.link(other.campaign), actor=ada)
    with pytest.raises(Refusal, match="something that isn't in this campaign's rules: Weir Diver"):
        bring_warband(seat=seat, warband=s.fresh(warband), actor=ada)
    change_house_rules(campaign=other.campaign, actor=cleo, house_rules={"extra": DIVER})
    seat = c.Seat.objects.select_related("campaign__terms").get(pk=seat.pk)
    bring_warband(seat=seat, warband=s.fresh(warband), actor=ada)
    assert s.fresh(warband).terms_id == other.campaign.terms_id


# --- from a day, and which version said what


def test_entries_and_prices_hold_from_their_day(made: c.Club, ada: Any) -> None:
    day = timezone.localdate() + timedelta(days=3)
    change_house_rules(
        campaign=campaign_of(made),
        actor=made.administrator,
        house_rules={"extra": DIVER, "prices": {"bayonet": {"ducats": 3}}},
        day=day,
    )
    assert "weir-diver" not in terms_of(made).content.profiles
    settle_due_rules(day)
    assert "weir-diver" in terms_of(made).content.profiles
    assert terms_of(made).house_rules["prices"] == {"bayonet": {"ducats": 3}}


def test_every_version_is_told_with_what_it_set_and_what_held_before(client: Client, made: c.Club, cleo: Any) -> None:
    set_rules(made, prices={"bayonet": {"ducats": 3}})
    set_rules(made, prices={"bayonet": {"ducats": 5}}, extra=GUN)
    set_rules(made, extra=GUN, threshold_add=50)
    for number in range(4):
        set_rules(made, elite_cap=number + 3)
    client.force_login(cleo)
    short = text(client.get(rules_page(made)))
    assert "All versions" in short
    assert "Version 2." not in short
    page = text(client.get(rules_page(made), {"history": "all"}))
    assert "Version 2." in page
    assert "Changed prices: Bayonet 3 d (before: as in the book)" in page
    assert "Changed prices: Bayonet 5 d (before: Bayonet 3 d)" in page
    assert "Own entries: Weir Gun (before: as in the book)" in page
    assert "Changed prices: as in the book (before: Bayonet 5 d)" in page
    assert "Most ELITE fighters: 4 (before: 3)" in page
