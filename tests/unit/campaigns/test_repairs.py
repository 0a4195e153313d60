"""Repairs by an administrator: each has a reason, is named in the history, and its undo restores the export."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Seat
from campaigns.services import repairs
from campaigns.standings import standings
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.export import document_of
from warbands.idempotency import new_token
from warbands.models import Event, Fighter, Item, Warband
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]

NAME = "Matthias Kroll"


@story
def made(ada: Any, cleo: Any) -> c.Club:
    return c.club(cleo, ada)


@pytest.fixture
def seat(made: c.Club, ada: Any) -> Seat:
    return made.seat(ada)


def exported(warband: Warband) -> str:
    """The export as text, without what an undo adds to: version, events and ledger."""
    document = document_of(s.fresh(warband))
    for key in ("version", "events", "ledger"):
        del document["record"][key]
    return json.dumps(document, sort_keys=True)


def member(seat: Seat, name: str = NAME) -> Fighter:
    return s.fighter(seat.warband, name)


def fallen(seat: Seat) -> Fighter:
    fighter = member(seat)
    Item.objects.filter(fighter=fighter).update(fighter=None, status=Item.Status.LOST)
    Fighter.objects.filter(pk=fighter.pk).update(status=Fighter.Status.DEAD, left_reason="Shot")
    return fighter


def held(seat: Seat) -> Item:
    return Item.objects.live().filter(warband=seat.warband, status=Item.Status.HELD).earliest("pk")


def an_item(seat: Seat) -> str:
    return repairs.items_of(seat.warband)[0][0]


REPAIRS: dict[str, Callable[[Seat, dict[str, Any]], Any]] = {
    "repair-money": lambda seat, how: repairs.repair_money(seat=seat, ducats=40, glory=-0, **how),
    "repair-fighter": lambda seat, how: repairs.repair_fighter(
        seat=seat, fighter=member(seat), experience=4, scars=2, **how
    ),
    "repair-return": lambda seat, how: repairs.bring_fighter_back(seat=seat, fighter=fallen(seat), **how),
    "repair-item give": lambda seat, how: repairs.give_item(seat=seat, item_id=an_item(seat), **how),
    "repair-item take": lambda seat, how: repairs.take_item(seat=seat, item=held(seat), **how),
    "repair-credit": lambda seat, how: repairs.credit_battles(seat=seat, count=2, **how),
}


@pytest.mark.parametrize("kind", REPAIRS)
def test_a_repair_is_told_and_undone(kind: str, seat: Seat, cleo: Any) -> None:
    warband = seat.warband
    assert warband is not None
    if kind == "repair-return":
        fallen(seat)
    before = exported(warband)
    with pytest.raises(Refusal, match="Give a reason"):
        REPAIRS[kind](seat, {"actor": cleo, "words": "  "})
    event = REPAIRS[kind](seat, {"actor": cleo, "words": "Typed wrongly"})
    assert event.kind == kind.split()[0]
    assert event.told.startswith("cleo")
    assert "“Typed wrongly”" in event.told
    after = exported(warband)
    assert after != before
    s.assert_reconciled(warband)
    again = undo(event=event, actor=cleo)
    assert exported(warband) == before
    undo(event=again, actor=cleo)
    assert exported(warband) == after


# --- every repair of every game ---------------------------------------------------------------------------------------------

GAMES = {
    "Trench Crusade 1.6.3": ("trench-crusade", "1.6.3", "lantern-wardens"),
    "Trench Crusade 1.0": ("trench-crusade", "1.0", "lantern-wardens"),
    "Gloom Trench 1926": ("gloom-trench", "core", "lamplight-column"),
    "A Trench Too Far": ("trench-too-far", "core", "canal-company"),
}
OF_ALL = (
    "repair-credit",
    "repair-version",
    "repair-return",
)  # what raises the dead comes last: they fell without an act
OF_TRENCH_CRUSADE = (
    "repair-money",
    "repair-fighter",
    "repair-scar",
    "repair-find",
    "repair-item give",
    "repair-item take",
)
OF_UNITS = ("repair-strength",)


def first_of(seat: Seat) -> Fighter:
    return Fighter.objects.live().filter(warband=seat.warband).earliest("pk")


def first_falls(seat: Seat) -> Fighter:
    fighter = first_of(seat)
    Item.objects.filter(fighter=fighter).update(fighter=None, status=Item.Status.LOST)
    Fighter.objects.filter(pk=fighter.pk).update(status=Fighter.Status.DEAD, left_reason="Shot")
    return fighter


def weakened(seat: Seat, how: dict[str, Any]) -> Event:
    fighter = first_of(seat)
    part, _name, left, _full = repairs.losable(seat.warband, fighter)[0]
    return repairs.repair_strength(seat=seat, fighter=fighter, part=part, left=left - 1, **how)


def put_back_one(seat: Seat, how: dict[str, Any]) -> Event:
    done = repairs.put_back(seat=seat, version=s.fresh(seat.warband).version - 1, **how)
    assert done.event is not None
    return done.event


def scars_of(seat: Seat) -> Any:
    return seat.warband.terms.game.corrections.scar_choices(seat.warband.terms.content)


def finds_of(seat: Seat) -> Any:
    return seat.warband.terms.game.corrections.find_choices(seat.warband.terms.content)


EVERY: dict[str, Callable[[Seat, dict[str, Any]], Any]] = {
    "repair-money": REPAIRS["repair-money"],
    "repair-fighter": lambda seat, how: repairs.repair_fighter(seat=seat, fighter=first_of(seat), experience=4, **how),
    "repair-scar": lambda seat, how: repairs.repair_scars(
        seat=seat, fighter=first_of(seat), add=scars_of(seat)[0][0], **how
    ),
    "repair-find": lambda seat, how: repairs.repair_finds(seat=seat, add=finds_of(seat)[0][0], **how),
    "repair-strength": weakened,
    "repair-return": lambda seat, how: repairs.bring_fighter_back(seat=seat, fighter=first_falls(seat), **how),
    "repair-item give": REPAIRS["repair-item give"],
    "repair-item take": REPAIRS["repair-item take"],
    "repair-credit": REPAIRS["repair-credit"],
    "repair-version": put_back_one,
}


@story(params=sorted(GAMES))
def of_a_game(request: pytest.FixtureRequest, ada: Any, cleo: Any) -> tuple[str, Seat]:
    system, edition, sample = GAMES[str(request.param)]
    campaign = c.open_campaign(actor=cleo, name="Any game", system=system, edition=edition)
    made = c.Club(campaign, cleo)
    c.joins(made, ada, sample=sample)
    return str(request.param), made.seat(ada)


def test_every_repair_of_every_game_undone_restores_the_export(of_a_game: tuple[str, Seat], cleo: Any) -> None:
    game, seat = of_a_game
    is_trench = GAMES[game][0] == "trench-crusade"
    fitting = (*(OF_TRENCH_CRUSADE if is_trench else OF_UNITS), *OF_ALL)
    assert seat.warband is not None
    for kind in fitting:
        if kind == "repair-return":
            first_falls(seat)
        if kind == "repair-version":
            repairs.credit_battles(seat=seat, count=5, actor=cleo, words="One too many")
        before = exported(seat.warband)
        event = EVERY[kind](seat, {"actor": cleo, "words": "Typed wrongly"})
        assert event.kind == kind.split()[0]
        assert exported(seat.warband) != before, kind
        undo(event=event, actor=cleo)
        assert exported(seat.warband) == before, kind
        if kind != "repair-return":
            s.assert_reconciled(seat.warband)
    for kind in set(EVERY) - set(fitting) - {"repair-money", "repair-item give", "repair-item take"}:
        with pytest.raises((Refusal, AttributeError, IndexError)):
            EVERY[kind](seat, {"actor": cleo, "words": "Typed wrongly"})


def test_a_scar_is_replaced_by_name_and_its_number_goes_along(seat: Seat, cleo: Any) -> None:
    how = {"seat": seat, "fighter": member(seat), "actor": cleo, "words": "Wrong box"}
    repairs.repair_scars(add="head-wound", **how)
    state = member(seat).state
    (key,) = state["traumas"]
    assert state["demoted"] is True
    event = repairs.repair_scars(add="chest-wound", remove=key, **how)
    assert "Chest Wound instead of Head Wound" in event.told
    after = member(seat).state
    assert [trauma["id"] for trauma in after["traumas"].values()] == ["chest-wound"]
    assert after["demoted"] is False
    with pytest.raises(Refusal, match="no such scar"):
        repairs.repair_scars(add="papercut", **how)
    with pytest.raises(Refusal, match="has no such scar"):
        repairs.repair_scars(remove="t99", **how)
    with pytest.raises(Refusal, match="knows no"):
        repairs.repair_scars(add="chest-wound", detail="purple", **how)
    with pytest.raises(Refusal, match="Choose something"):
        repairs.repair_scars(**how)


def test_a_find_is_noted_once(seat: Seat, cleo: Any) -> None:
    how = {"seat": seat, "actor": cleo, "words": "Forgotten"}
    place = next(key for key, _name in finds_of(seat) if key.startswith("location:"))
    event = repairs.repair_finds(add=place, **how)
    assert "added" in event.told
    with pytest.raises(Refusal, match="found this before"):
        repairs.repair_finds(add=place, **how)
    repairs.repair_finds(remove=place, **how)
    assert s.fresh(seat.warband).state["locations"] == {}
    with pytest.raises(Refusal, match="no such find"):
        repairs.repair_finds(remove=place, **how)


def test_a_top_up_keeps_to_the_limit_of_the_next_battle(seat: Seat, cleo: Any) -> None:
    warband = seat.warband
    assert warband is not None
    fallen(seat)
    repairs.credit_battles(seat=seat, count=1, actor=cleo, words="To count its worth anew")
    room = repairs.top_up_room(s.fresh(warband))
    assert room is not None
    worth = s.fresh(warband).rating_ducats + s.purse(warband).ducats
    assert room.ducats == max(0, room.threshold - worth)
    how = {"seat": seat, "actor": cleo, "words": "Two games behind"}
    assert room.ducats > 0
    with pytest.raises(Refusal, match="Up to"):
        repairs.top_up(ducats=room.ducats + 1, **how)
    before = exported(warband)
    event = repairs.top_up(ducats=room.ducats, **how)
    assert f"{room.ducats} d" in event.told
    with pytest.raises(Refusal, match="reached its limit"):
        repairs.top_up(ducats=1, **how)
    undo(event=event, actor=cleo)
    assert exported(warband) == before


def test_standings_are_corrected_both_ways(made: c.Club, seat: Seat, cleo: Any) -> None:
    event = repairs.correct_standings(seat=seat, points=-3, actor=cleo, words="Wrong table")
    assert [row.points for row in standings(made.campaign)] == [-3]
    assert "−3 points" in event.told
    with pytest.raises(Refusal, match="Nothing changed"):
        repairs.correct_standings(seat=seat, points=-3, actor=cleo, words="Wrong table")
    undo(event=event, actor=cleo)
    assert [row.points for row in standings(made.campaign)] == [0]


def test_a_warband_is_put_back_to_a_version_and_forward_again(seat: Seat, ada: Any, cleo: Any) -> None:
    warband = seat.warband
    assert warband is not None
    version, before = s.fresh(warband).version, exported(warband)
    repairs.repair_money(seat=seat, ducats=90, glory=2, actor=cleo, words="A gift")
    s.hire(s.fresh(warband), "Yeoman", name="Otto", actor=ada)
    gone = undo(event=repairs.credit_battles(seat=seat, count=1, actor=cleo, words="x"), actor=cleo)
    after = exported(warband)
    dry = repairs.preview_put_back(seat=seat, version=version, actor=cleo)
    assert exported(warband) == after
    done = repairs.put_back(seat=seat, version=version, actor=cleo, words="All wrong")
    assert done.undone == dry.undone
    assert len(done.undone) == 2  # what was undone before is left as it is
    assert exported(warband) == before
    assert done.event is not None
    assert done.event.kind == "repair-version"
    undo(event=done.event, actor=cleo)
    assert exported(warband) == after
    assert Event.objects.filter(undoes=gone).count() == 0
    s.assert_reconciled(warband)


def test_what_cannot_be_repaired_is_refused(seat: Seat, cleo: Any) -> None:
    how = {"seat": seat, "actor": cleo, "words": "Oops"}
    with pytest.raises(Refusal, match="Enter an amount"):
        repairs.repair_money(ducats=0, glory=0, **how)
    with pytest.raises(Refusal, match="short"):
        repairs.repair_money(ducats=-9000, glory=0, **how)
    with pytest.raises(Refusal, match="Nothing changed"):
        repairs.repair_fighter(fighter=member(seat), **how)
    with pytest.raises(Refusal, match="on the roster"):
        repairs.bring_fighter_back(fighter=member(seat), **how)
    with pytest.raises(Refusal, match="no such item"):
        repairs.give_item(item_id="moon", **how)
    with pytest.raises(Refusal, match="Nothing changed since"):
        repairs.put_back(version=10**6, **how)
    with pytest.raises(Refusal, match="from 0 to 99"):
        repairs.credit_battles(count=100, **how)
    Seat.objects.filter(pk=seat.pk).update(warband=None)
    seat.warband = None
    with pytest.raises(Refusal, match="No warband"):
        repairs.repair_money(**{**how, "ducats": 1, "glory": 0})


def test_repairs_through_their_page(client: Client, seat: Seat, ada: Any, cleo: Any) -> None:
    here = reverse("seat-repair", args=[seat.pk])
    client.force_login(ada)
    assert client.post(here, {"act": "money", "ducats": "5", "words": "Mine", "token": new_token()}).status_code == 403
    client.force_login(cleo)
    warband = seat.warband
    assert warband is not None
    version, purse = s.fresh(warband).version, s.purse(warband)

    def press(**sent: Any) -> Any:
        return client.post(here, {"words": "Typed wrongly", "token": new_token(), **sent})

    assert press(act="money", ducats="5").status_code == 302
    assert s.purse(warband).ducats == purse.ducats + 5
    assert press(act="money", ducats="5", words="").status_code == 422
    assert press(act="money", ducats="lots").status_code == 422
    assert press(act="fighter", fighter=member(seat).pk, experience="3").status_code == 302
    assert press(act="fighter", fighter="0").status_code == 422
    assert press(act="rubbish").status_code == 422
    assert press(act="scar", remove=f"{member(seat).pk} ", add="chest-wound").status_code == 302
    (key,) = member(seat).state["traumas"]
    assert f'value="{member(seat).pk} {key}"' in client.get(here).content.decode()
    assert press(act="scar", remove=f"{member(seat).pk} {key}").status_code == 302
    assert press(act="scar", remove="x y", add="chest-wound").status_code == 422
    assert press(act="find", add="location:nowhere:").status_code == 422
    assert press(act="strength", remove=f"{member(seat).pk} x", left="1").status_code == 422
    assert press(act="topup", ducats="9000").status_code == 422
    asked = press(act="version", version=version)
    words = asked.content.decode()
    assert asked.status_code == 422
    assert words.count("This is undone:") == 4
    mark = re.search(r'name="checked" value="(\w+)"', words)
    assert mark is not None
    assert press(act="version", version=version, checked=mark[1]).status_code == 302
    assert s.purse(warband) == purse


def test_a_refused_repair_keeps_what_was_typed_in_its_own_form(client: Client, seat: Seat, cleo: Any) -> None:
    client.force_login(cleo)
    here = reverse("seat-repair", args=[seat.pk])
    item = repairs.items_of(seat.warband)[5][0]
    answer = client.post(here, {"act": "give", "item_id": item, "words": " ", "token": new_token()})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'href="#wrong"' in page
    assert f'<option value="{item}" selected>' in page
    typed = {"act": "money", "ducats": "0", "glory": "0", "words": "Counted wrongly", "token": new_token()}
    page = client.post(here, typed).content.decode()
    assert page.count('value="Counted wrongly"') == 1  # not in the forms of other repairs
    assert 'id="id_words_money" maxlength="200" value="Counted wrongly"' in page
    scarred = f"{member(seat).pk} "
    page = client.post(here, {"act": "scar", "remove": scarred, "words": "Why", "token": new_token()}).content.decode()
    assert f'<option value="{scarred}" selected>' in page


def test_a_missing_reason_is_told_in_its_own_form(client: Client, seat: Seat, cleo: Any) -> None:
    client.force_login(cleo)
    sent = {"act": "money", "ducats": "5", "words": "", "token": "missing-reason"}
    page = client.post(reverse("seat-repair", args=[seat.pk]), sent).content.decode()
    form = page.partition('id="repair_money"')[2].partition("</form>")[0]
    assert 'id="wrong"' in form
    assert page.count('id="wrong"') == 1
    assert "Back to the form" not in page
