"""One form sent twice at the same moment, on real connections: one effect, a redirect or "already done" for each, and never a 500."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Battle, Seat, Table, TableAct
from campaigns.report_prefill import table_state
from campaigns.services.tracker import begin_table
from tests import campaign_stories as c
from tests import stories as s
from tests.concurrency.test_two_at_once import at_once
from tests.conftest import person
from warbands.models import Event, Fighter, Item, LedgerEntry, Terms

PRESSES = count()

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def twice(user: Any, address: str, fields: dict[str, Any], *, same: bool = True) -> list[int]:
    """Send a form from two phones at once, with one token or one each; the statuses of both answers."""
    number = next(PRESSES)

    def press(place: int) -> Any:
        client = Client(raise_request_exception=False)
        client.force_login(user)
        token = f"press-{number}{'' if same else f'-{place}'}".ljust(24, "x")
        return lambda: client.post(address, {**fields, "token": token})

    answers = at_once(press(0), press(1))
    assert not [each for each in answers if isinstance(each, Exception)], answers
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses[-1] < 500, f"{address}: {statuses}"
    return statuses


@pytest.mark.parametrize("same", [True, False], ids=["one-form", "two-phones"])
def test_acts_on_a_warband(ada: Any, same: bool) -> None:
    warband = s.small_warband(ada)
    ottla = s.fighter(warband, "Ottla")
    helmet = s.equip(ottla, "Combat Helmet")[0]
    at = reverse
    acts: list[tuple[str, dict[str, Any]]] = [
        (at("fighter-hire", args=[warband.pk]), {"offer": s.hire_offer(warband, "Yeoman").id}),
        (at("fighter-rename", args=[ottla.pk]), {"name": "Ottla the Grey"}),
        (at("fighter-note", args=[ottla.pk]), {"notes": "Limps."}),
        (at("fighter-copy", args=[ottla.pk]), {"name": "Her sister"}),
        (at("item-stash", args=[helmet.pk]), {}),
        (at("item-give", args=[helmet.pk]), {"fighter": s.fighter(warband, "Matthias").pk}),
        (at("item-return", args=[helmet.pk]), {}),
        (at("warband-share", args=[warband.pk]), {"name": "For Eve"}),
        (at("fighter-dismiss", args=[ottla.pk]), {"way": "return"}),
    ]
    for address, fields in acts:
        before = Event.objects.count()
        seen = s.fresh(warband).version
        twice(ada, address, {**fields, "seen": seen}, same=same)
        assert Event.objects.count() - before <= 1, address
        s.assert_reconciled(warband)
    assert Fighter.objects.get(pk=ottla.pk).status not in (Fighter.Status.ACTIVE,)
    assert Item.objects.get(pk=helmet.pk).status != Item.Status.HELD
    last = Event.objects.latest("pk")
    twice(ada, at("event-undo", args=[last.pk]), {}, same=same)
    assert Event.objects.filter(undoes=last).count() == 1
    s.assert_reconciled(warband)


@pytest.mark.parametrize("same", [True, False], ids=["one-form", "two-phones"])
def test_buying_and_selling(ada: Any, same: bool) -> None:
    """Each press pays or is paid once: two phones that saw the same roster do not both buy."""
    warband = s.camp(ada)
    ottla = s.fighter(warband, "Ottla")
    spade = s.stock(warband, "Trench Club")
    acts: list[tuple[str, dict[str, Any], str]] = [
        (reverse("kit-buy", args=[ottla.pk]), {"offer": s.item_offer(warband, "Combat Helmet", ottla).id}, "buy"),
        (reverse("stash-show", args=[warband.pk]), {"offer": s.item_offer(warband, "Shovel").id}, "buy"),
        (reverse("item-sell", args=[spade.pk]), {}, "sell"),
    ]
    for address, fields, kind in acts:
        before, paid = Event.objects.filter(kind=kind).count(), LedgerEntry.objects.count()
        seen = s.fresh(warband).version
        twice(ada, address, {**fields, "seen": seen}, same=same)
        assert Event.objects.filter(kind=kind).count() - before == 1, address
        assert LedgerEntry.objects.count() - paid == 1, address
        s.assert_reconciled(warband)


@pytest.mark.parametrize("same", [True, False], ids=["one-form", "two-phones"])
def test_acts_on_seats(ada: Any, ben: Any, cleo: Any, dora: Any, same: bool) -> None:
    made = c.club(cleo, ada, ben)
    players = reverse("player-list", args=[made.campaign.pk])
    own = reverse("seat-show", args=[made.seat(ada).pk])
    join = reverse("campaign-join", args=[c.link(made.campaign)])
    acts: list[tuple[Any, str, dict[str, Any]]] = [
        (cleo, players, {"act": "add", "names": "Old Hannes"}),
        (cleo, players, {"act": "administrator", "username": "ben"}),
        (cleo, players, {"act": "administrator-remove", "user": ben.pk}),
        (dora, join, {"bring": "", "name": "Dora"}),
        (ada, own, {"act": "rename", "name": "Ada the Elder"}),
        (ada, own, {"act": "away"}),
        (ada, own, {"act": "back"}),
        (cleo, own, {"act": "opening", "points": "2", "games": "1", "won": "1"}),
        (ada, own, {"act": "submit"}),
        (cleo, own, {"act": "return-list", "words": "Two leaders."}),
        (ada, own, {"act": "submit"}),
        (cleo, own, {"act": "accept"}),
    ]
    for user, address, fields in acts:
        before = Event.objects.count()
        twice(user, address, fields, same=same)
        assert Event.objects.count() - before == 1, fields
    unclaimed = Seat.objects.get(name="Old Hannes")
    link = reverse("seat-show", args=[unclaimed.pk])
    before = Event.objects.count()
    twice(cleo, link, {"act": "link"}, same=same)
    assert Event.objects.count() - before == (1 if same else 2)  # each of two people wants a link that is new
    unclaimed.refresh_from_db()
    eve = person("eve")
    twice(eve, reverse("seat-claim", args=[unclaimed.claim_token]), {}, same=same)
    assert Event.objects.filter(kind="claim").count() == 1
    for act in ("leave", "return"):
        before = Event.objects.count()
        twice(cleo, own, {"act": act}, same=same)
        assert Event.objects.count() - before == 1, act
    assert Seat.objects.live().filter(user=dora).count() == 1
    assert Seat.objects.get(pk=made.seat(ada).pk).status == Seat.Status.PLAYING


def as_shown(user: Any, address: str) -> dict[str, Any]:
    """What a form of settings sends when nothing in it is touched: a box that is not ticked sends nothing."""
    client = Client()
    client.force_login(user)
    shown = client.get(address).context["form"].initial
    return {key: value for key, value in shown.items() if not (value is None or value is False or key == "token")}


@pytest.mark.parametrize("same", [True, False], ids=["one-form", "two-phones"])
def test_house_rules(ada: Any, cleo: Any, same: bool) -> None:
    made = c.club(cleo, ada)
    here = reverse("house-rule-list", args=[made.campaign.pk])
    rules, readings, campaign_ways = (f"{here}?edit={part}" for part in ("rules", "readings", "ways"))
    far = (timezone.localdate() + timedelta(days=9)).isoformat()
    acts: list[tuple[str, dict[str, Any]]] = [
        (rules, {"act": "write", "threshold_add": "50"}),
        (rules, {"act": "write", "threshold_add": "60", "holds": "day", "holds_day": far}),
        (here, {"drop": 3}),
        (rules, {"act": "write", "banned": "Machine Gun"}),
        (readings, {**as_shown(cleo, readings), "act": "write", "camp": "strict"}),
        (campaign_ways, {**as_shown(cleo, campaign_ways), "silence_days": 9}),
    ]
    for address, fields in acts:
        before, version = Event.objects.count(), Terms.objects.get(pk=made.campaign.terms_id).version
        twice(cleo, address, fields, same=same)
        assert Event.objects.count() - before == 1, fields
        assert Terms.objects.get(pk=made.campaign.terms_id).version - version <= 1, fields
    last = Event.objects.filter(kind="house-rules").latest("pk")
    twice(cleo, here, {"undo": last.pk}, same=same)
    assert Event.objects.filter(undoes=last).count() == 1
    s.assert_reconciled(made.warband(ada))


@pytest.mark.parametrize("same", [True, False], ids=["one-form", "two-phones"])
def test_acts_on_a_battle(ada: Any, ben: Any, cleo: Any, same: bool) -> None:
    made = c.club(cleo, ada, ben)
    row = c.battle(made, ada, ben, scenario="")
    here = reverse("force-select", args=[row.pk])
    for user in (ada, ben):
        side = c.side(row, user).pk
        twice(ada, here, {"act": "scenario", "scenario": "trench-warfare", "side": side}, same=same)
        twice(user, here, {"act": "ready", "side": side}, same=same)
    assert c.fresh_battle(row).status == Battle.Status.MUSTERED
    table = reverse("battle-track", args=[row.pk])
    twice(ada, table, {"press": "begin"}, same=same)
    assert (Table.objects.count(), TableAct.objects.count()) == (1, 1)
    state = table_state(row)
    assert state is not None
    mine = state.of(str(c.side(row, ada).pk))[0].key
    presses = (
        (f"acted {mine}", 1),
        (f"marker {mine} blood 1 0", 1 if same else 2),
        ("turn 1 1", 1),
        (f"out {mine} -", 1),
    )
    for press, effects in presses:
        before = TableAct.objects.count()
        twice(ada, table, {"press": press}, same=same)
        assert TableAct.objects.count() - before == effects, press
    twice(ada, table, {"press": "end"}, same=same)
    report = reverse("battle-report", args=[row.pk])
    side = c.side(row, ada)
    twice(ada, report, {"result": str(side.pk)}, same=same)
    confirm = reverse("report-confirm", args=[row.pk])
    if c.fresh_battle(row).status == Battle.Status.REPORTED:
        twice(ben, confirm, {"act": "confirm", "side": c.side(row, ben).pk}, same=same)
        assert Event.objects.filter(kind="confirm").count() == 1


def test_a_fighter_is_looked_at_while_it_is_dismissed(ada: Any) -> None:
    warband = s.small_warband(ada)
    for name in ("Ottla", "Matthias"):
        fighter = s.fighter(warband, name)
        pages = [
            reverse(page, args=[fighter.pk]) for page in ("fighter-show", "fighter-dismiss", "kit-buy", "upgrade-buy")
        ]

        def look(address: str) -> Any:
            client = Client(raise_request_exception=False)
            client.force_login(ada)
            return lambda: client.get(address)

        def dismiss(pk: int = fighter.pk) -> Any:
            client = Client(raise_request_exception=False)
            client.force_login(ada)
            return client.post(
                reverse("fighter-dismiss", args=[pk]), {"way": "return", "token": f"gone{pk}".ljust(20, "x")}
            )

        answers = at_once(*(look(page) for page in pages), dismiss)
        assert {answer.status_code for answer in answers} <= {200, 302, 404}


def test_a_table_is_begun_once_from_two_phones(ada: Any, ben: Any, cleo: Any) -> None:
    row = c.mustered(c.club(cleo, ada, ben), ada, ben, scenario="trench-warfare")
    begin_table(battle=row, actor=ada)
    assert twice(ben, reverse("battle-track", args=[row.pk]), {"press": "begin"}) == [302, 302]
