"""A battle goes on without a line: attacks with their dice and results, markers and turns, and both phones' presses come together."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.models import Battle, TableAct
from campaigns.services.tracker import act_at_table, begin_table, roll_at_table
from rules.gloom_trench.tracker.units import Troop
from tests import campaign_stories as c
from tests.browser.line import Line
from tests.browser.looks import CONTRAST
from tests.browser.phones import IN_STEP, line, phone, state_of
from tests.browser.test_tracker import opened, press, waits_for
from tests.conftest import PHONE
from tests.served import FORMS_SOONER, shorter_pauses

__all__ = ["line", "phone"]  # fixtures

ROWS_CAME = (
    "performance.getEntriesByType('resource').some(({name, responseEnd}) => name.includes('/attacks/') && responseEnd)"
)

WAITING = "Object.entries(localStorage).filter(([name]) => name.endsWith(':unsent')).flatMap(([, text]) => JSON.parse(text).acts)"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def battle(ada: Any, ben: Any, cleo: Any) -> Battle:
    """A battle in its second turn."""
    found = c.mustered(c.club(cleo, ada, ben), ada, ben, scenario="trench-warfare")
    begin_table(battle=found, actor=ada)
    act_at_table(battle=found, actor=ada, data={"kind": "turn", "turn": 1, "anyway": True})
    act_at_table(battle=found, actor=ada, data={"kind": "initiative", "side": str(c.side(found, ada).pk)})
    return found


def own(battle: Battle, user: Any) -> tuple[Any, ...]:
    return state_of(battle).of(str(c.side(battle, user).pk))


def attack(page: Any, fighter: Any, target: Any) -> Any:
    """Open the form of an attack of this fighter with its last weapon, which makes one attack."""
    opened(page, fighter).locator(".arm a").last.click()
    form = page.locator("#t_roll[data-away]")
    form.get_by_label(target.name, exact=True).check()
    return form


def end_turn(page: Any) -> None:
    page.locator("#t_turn").last.click()
    anyway = page.locator("#t_turn_anyway")
    if anyway.count() and anyway.is_visible():
        anyway.click()


def test_one_phone_is_offline_for_three_turns_and_nothing_is_lost_or_done_twice(
    battle: Battle, ada: Any, ben: Any, phone: Callable[..., Any], line: Line, axe: Any
) -> None:
    here = reverse("battle-track", args=[battle.pk])
    ilse, anselm, odile, *_ = own(battle, ada)
    *_, third, rosk, vasek = own(battle, ben)
    mine, theirs = phone(ada, by_line=True), phone(ben)
    for page in (mine, theirs):
        page.goto(here)
        page.get_by_text("in sync").wait_for()
    waits_for(mine, lambda: mine.evaluate(ROWS_CAME))
    before = TableAct.objects.count()
    line.cut()
    mine.locator("[data-tracker][data-no-line]").wait_for(state="attached", timeout=IN_STEP)

    # Turn 2: a result told, the phone's own dice, a marker.
    form = attack(mine, ilse, vasek)
    axe(mine)
    mine.emulate_media(color_scheme="dark")
    axe(mine, CONTRAST)
    mine.emulate_media(color_scheme="light")
    assert mine.evaluate("document.documentElement.scrollWidth") <= PHONE
    form.get_by_role("button", name="Critical").click()
    form.get_by_role("button", name="Out").click()
    expect(mine.locator(f"[data-wait='{vasek.key}']")).to_have_text("not sent yet: Out")
    expect(mine.locator(f"[data-wait='{ilse.key}']")).to_have_text("not sent yet: acted")
    expect(mine.locator(f"#f{ilse.key}")).to_have_attribute("data-state", "acted")
    form = attack(mine, anselm, rosk)
    form.get_by_role("button", name="Roll for me").click()
    mine.locator("#t_thrown .face").first.wait_for()
    press(mine, odile, "Blood, one more")
    # Meanwhile the other phone marks the same fighters, takes one of them out and ends the turn.
    for data in (
        {"kind": "out", "fighter": vasek.key},
        {"kind": "marker", "fighter": third.key, "marker": "blood", "change": 1},
        {"kind": "acted", "fighter": third.key},
        {"kind": "turn", "turn": 2, "anyway": True},
    ):
        act_at_table(battle=battle, actor=ben, data=data)

    # Turns 3 and 4, without a line.
    end_turn(mine)
    expect(mine.locator("#t_head .table-turn")).to_contain_text("3")
    press(mine, ilse, "Acted")
    end_turn(mine)
    expect(mine.locator("#t_head .table-turn")).to_contain_text("4")
    press(mine, odile, "Acted")
    waits_for(mine, lambda: len(mine.evaluate(WAITING)) == 7)  # the last one too has failed to get out

    line.mend()
    mine.get_by_text("in sync").wait_for(timeout=4 * IN_STEP)
    waits_for(mine, lambda: mine.evaluate("!Object.keys(localStorage).some(name => name.endsWith(':unsent'))"))
    state = state_of(battle)
    assert state.turn == 4
    assert [state.fighter(one.key).acted for one in (ilse, anselm, odile)] == [False, False, True]
    assert state.fighter(vasek.key).out
    assert state.fighter(third.key).markers["blood"] == 1
    assert state.fighter(odile.key).markers == {"blood": 1}
    acts = list(TableAct.objects.order_by("number"))[before:]
    kinds = [act.data["kind"] for act in acts]
    assert sorted(kinds) == sorted(
        ["out", "marker", "acted", "turn", "roll", "roll", "marker", "turn", "acted", "acted"]
    )
    told, rolled = (act for act in acts if act.data["kind"] == "roll")
    assert f"{vasek.name} was Out of Action already." in told.told
    assert {draw["origin"] for draw in rolled.dice} == {"device"}
    assert not any(draw.get("identity") for draw in rolled.dice)
    theirs.locator(f"#f{odile.key}[data-state=acted]").wait_for(state="attached", timeout=IN_STEP)
    for page in (mine, theirs):
        page.reload()
        expect(page.locator("#t_log")).to_contain_text("rolled by a phone offline, outside the seal")
    logs = [page.locator("#t_log .row-body").all_text_contents() for page in (mine, theirs)]
    assert logs[0] == logs[1]


def test_a_blast_two_weapons_and_morale_go_on_without_a_line(
    ada: Any, ben: Any, cleo: Any, phone: Callable[..., Any], line: Line, axe: Any
) -> None:
    battle = c.mustered(c.club(cleo, ada, ben, edition="1.0"), ada, ben, scenario="trench-warfare")
    begin_table(battle=battle, actor=ada)
    choir, wardens = own(battle, ben), own(battle, ada)
    mauler = next(fighter for fighter in choir if fighter.name == "Mauler")
    act_at_table(battle=battle, actor=ada, data={"kind": "initiative", "side": mauler.side})
    half = [each for each in choir if each.key != mauler.key and not each.facts.get("leader")][: (len(choir) - 1) // 2]
    for fallen in half:
        act_at_table(battle=battle, actor=ben, data={"kind": "down", "fighter": fallen.key})
    page = phone(ben, by_line=True)
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.get_by_text("in sync").wait_for()
    waits_for(page, lambda: page.evaluate(ROWS_CAME))
    before = TableAct.objects.count()
    line.cut()
    page.locator("[data-tracker][data-no-line]").wait_for(state="attached", timeout=IN_STEP)
    form = page.locator("#t_roll[data-away]")

    # A grenade at a point on the ground, which catches one of each side.
    thrower = next(each for each in choir if page.locator(f"#d{each.key} a[href*='gas-grenades']").count())
    opened(page, thrower).locator("a[href*='gas-grenades']").click()
    form.get_by_label("Aimed at a point").check()
    form.get_by_label("It landed there").check()
    caught = form.get_by_role("group", name="Caught in the blast")
    struck, friend = wardens[1], next(each for each in choir if each not in (*half, thrower, mauler))
    caught.get_by_label(struck.name, exact=True).check()
    caught.get_by_label(friend.name, exact=True).check()
    axe(page)
    for _injury in range(2):
        dice = int(form.locator("[data-need]").inner_text().partition("injury: ")[2].split()[0])
        form.get_by_label("Or the faces of all these dice").fill("6" * dice)
        form.get_by_role("button", name="Enter my dice").click()
    expect(page.locator(f"[data-wait='{struck.key}']")).to_have_text("not sent yet: Out")

    # Two weapons in one ACTION: the form goes on with the other one, Off-Hand.
    opened(page, mauler).locator("a[href*='chain-maw']").first.click()
    form.get_by_label(wardens[0].name, exact=True).check()
    form.get_by_role("button", name="Hit").click()  # a miss would end the Activation: it is RISKY
    form.get_by_role("button", name="Minor").click()
    expect(form.locator("[data-title]")).to_contain_text("Shredding Claws")
    expect(form.get_by_label("Off-hand weapon")).to_be_checked()
    form.get_by_role("button", name="Missed").click()
    expect(page.locator(f"#f{mauler.key}")).to_have_attribute("data-state", "acted")

    # The friend who fell makes half of them: the phone says that morale is tested, and tells the test.
    asks = page.locator("#t_asks")
    asks.get_by_role("button", name="Test morale").click()
    axe(page)
    expect(page.locator("#t_roll").get_by_role("button", name="Held")).to_contain_text("7 or more")
    page.locator("#t_roll").get_by_role("button", name="Shaken").click()
    expect(asks.get_by_role("button", name="Test morale")).to_have_count(0)

    line.mend()
    waits_for(page, lambda: not page.evaluate(WAITING))
    state = state_of(battle)
    assert state.fighter(struck.key).out
    assert state.fighter(friend.key).down or state.fighter(friend.key).out
    assert state.side(mauler.side).shaken == state.turn + 1
    told = [act.told for act in TableAct.objects.order_by("number")][before:]
    assert sum("Mauler with" in each for each in told) == 2
    assert not "".join(page.locator("[data-clashes]").all_text_contents()).strip()


def test_a_shot_into_melee_finds_a_friend_or_its_target_without_a_line(
    battle: Battle, ada: Any, ben: Any, phone: Callable[..., Any], line: Line, axe: Any
) -> None:
    mates, foe = own(battle, ada), own(battle, ben)[0]
    page = phone(ada, by_line=True)
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.get_by_text("in sync").wait_for()
    waits_for(page, lambda: page.evaluate(ROWS_CAME))
    line.cut()
    page.locator("[data-tracker][data-no-line]").wait_for(state="attached", timeout=IN_STEP)
    shooters = [
        each
        for each in mates
        if page.locator(f"#d{each.key} a[href*='-rifle:ranged'], #d{each.key} a[href*='-rifle%3Aranged']").count()
    ]
    form = page.locator("#t_roll[data-away]")
    typed = form.get_by_label("Or the faces of all these dice")

    def dice() -> int:
        return int(form.locator("[data-need]").inner_text().partition(": ")[2].split()[0])

    for shooter, face in zip(shooters, "25", strict=False):
        friend = next(each for each in mates if each not in shooters)
        opened(page, shooter).locator("a[href*='-rifle']").first.click()
        form.get_by_label(foe.name, exact=True).check()
        form.get_by_label("Shot into melee").select_option(label=f"In melee beside {friend.name}")
        expect(form.locator("[data-need]")).to_have_text("Into the melee: 1 die")
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
        struck = friend if face == "2" else foe
        typed.fill(face)
        form.get_by_role("button", name="Enter my dice").click()
        expect(form.locator("[data-need]")).to_contain_text(
            f"{friend.name}. To hit:" if struck is friend else "To hit:"
        )
        typed.fill("6" * dice())
        form.get_by_role("button", name="Enter my dice").click()
        typed.fill("6" * dice())
        form.get_by_role("button", name="Enter my dice").click()
        expect(page.locator(f"[data-wait='{struck.key}']")).to_contain_text(re.compile("Down|Out"))
    line.mend()
    waits_for(page, lambda: not page.evaluate(WAITING))
    state = state_of(battle)
    assert {fighter.key for fighter in state.fighters if fighter.out or fighter.down} == {friend.key, foe.key}
    assert len(shooters) >= 2
    assert not "".join(page.locator("[data-clashes]").all_text_contents()).strip()


@pytest.mark.parametrize("arrives", [True, False], ids=["the answer is lost", "the press is lost"])
def test_a_page_that_is_left_before_its_answer_loses_no_press(
    battle: Battle, ada: Any, phone: Callable[..., Any], line: Line, arrives: bool
) -> None:
    mine = phone(ada, by_line=True)
    ilse = own(battle, ada)[0]
    mine.goto(reverse("battle-track", args=[battle.pk]))
    mine.get_by_text("in sync").wait_for()
    part = opened(mine, ilse)
    line.is_slow = arrives
    holds = [] if arrives else ["POST"]  # such requests do not leave the phone
    mine.route("**/table/**", lambda route: None if route.request.method in holds else route.continue_())
    part.get_by_role("button", name="Blood, one more").click()
    if arrives:
        waits_for(mine, lambda: state_of(battle).fighter(ilse.key).markers == {"blood": 1})
    expect(mine.locator(f"#m{ilse.key}_blood output")).to_have_text("1")
    # A phone may close the page at any moment, and then no script of it runs again.
    assert len(mine.evaluate(WAITING.replace("unsent", "under-way"))) == 1
    line.mend()
    holds.clear()
    mine.reload()
    waits_for(mine, lambda: state_of(battle).fighter(ilse.key).markers == {"blood": 1})
    waits_for(mine, lambda: not mine.evaluate(WAITING))
    expect(mine.locator(f"#m{ilse.key}_blood")).to_have_attribute("data-figure", "1")
    kinds = [act.data["kind"] for act in TableAct.objects.filter(actor=ada)]
    assert kinds.count("marker") == 1


@pytest.fixture
def canal(ada: Any, ben: Any, cleo: Any) -> Battle:
    """A battle of two companies in which Ada's acts first."""
    made = c.Club(c.open_campaign(actor=cleo, name="The Long Canal", system="trench-too-far", edition=""), cleo)
    c.joins(made, ada, sample="canal-company")
    c.joins(made, ben, sample="quarry-company")
    canal = c.mustered(made, ada, ben, scenario="open-battle")
    begin_table(battle=canal, actor=ada)
    side = str(c.side(canal, ada).pk)
    act_at_table(battle=canal, actor=ada, data={"kind": "initiative", "side": side})
    return canal


def test_units_fire_without_a_line_by_results_that_are_told(
    canal: Battle, phone: Callable[..., Any], line: Line, ada: Any
) -> None:
    names = {fighter.name: fighter for fighter in state_of(canal).fighters}
    company = names["Canal Company"].key
    roll_at_table(battle=canal, actor=ada, roll="order", data={"fighter": company, "order": "fire"}, source="app")
    mine = phone(ada, by_line=True)
    second = f"fighter={names['Bargemen'].key}&here=1&away=1"  # its form is fetched once that of the first one is here
    with shorter_pauses(FORMS_SOONER), mine.expect_response(lambda answer: second in answer.url):
        mine.goto(f"{line.url}{reverse('battle-track', args=[canal.pk])}")
    line.cut()
    expect(mine.locator("[data-tracker][data-no-line]")).to_be_attached(timeout=IN_STEP)
    opened(mine, names["Lock Keepers"]).locator("a[data-kept-form]").click()
    form = mine.locator("#t_roll[data-kept-for]")
    form.get_by_label("Hill Platoon", exact=True).check()
    form.get_by_role("button", name="2", exact=True).click()
    assert "aimed" not in state_of(canal).fighter(names["Lock Keepers"].key).facts
    line.mend()
    expect(mine.locator(".table-log, #t_log").get_by_text("Lock Keepers fires at Hill Platoon").first).to_be_attached(
        timeout=IN_STEP
    )
    told = state_of(canal).fighter(names["Hill Platoon"].key).facts["owed"]
    assert told["hits"] == 2


def test_units_assault_without_a_line(canal: Battle, phone: Callable[..., Any], line: Line, ada: Any) -> None:
    names = {fighter.name: fighter for fighter in state_of(canal).fighters}
    company = names["Canal Company"].key
    roll_at_table(battle=canal, actor=ada, roll="order", data={"fighter": company, "order": "assault"}, source="app")
    mine = phone(ada, by_line=True)
    fetches_it = mine.expect_response(lambda answer: "roll=assault" in answer.url and "away=1" in answer.url)
    with shorter_pauses(FORMS_SOONER), fetches_it as form_came:
        mine.goto(f"{line.url}{reverse('battle-track', args=[canal.pk])}")
    form_came.value.finished()
    line.cut()
    expect(mine.locator("[data-tracker][data-no-line]")).to_be_attached(timeout=IN_STEP)
    link = opened(mine, names["Lock Keepers"]).locator("a[data-kept-form][href*='roll=assault']")
    link.click()
    form = mine.locator("#t_roll[data-kept-for]")
    form.get_by_label("Hill Platoon", exact=True).check()
    form.locator("[data-move]").click()
    assert not state_of(canal).facts.get("assault")
    line.mend()
    waits_for(mine, lambda: bool(state_of(canal).facts.get("assault")))
    assert state_of(canal).facts["assault"]["on"] == [names["Hill Platoon"].key]


def test_a_battle_of_units_goes_on_by_hand_on_both_phones_for_three_turns(
    ada: Any, ben: Any, cleo: Any, phone: Callable[..., Any], line: Line, axe: Any
) -> None:
    made = c.Club(c.open_campaign(actor=cleo, name="The Long Wire", system="gloom-trench", edition=""), cleo)
    c.joins(made, ada, sample="lamplight-column")
    c.joins(made, ben, sample="red-ford-company")
    wire = c.mustered(made, ada, ben, scenario="open-battle")
    begin_table(battle=wire, actor=ada)
    roll_at_table(battle=wire, actor=ada, roll="next", data={"from": "setup"}, source="app")
    act_at_table(battle=wire, actor=ada, data={"kind": "played", "turn": 1})
    first, second, *_ = (unit for unit in own(wire, ada) if Troop(unit).models[0].full > 2)
    foe, other, *_ = (unit for unit in own(wire, ben) if Troop(unit).models[0].full > 2)
    mine, theirs = phone(ada, by_line=True), phone(ben)
    for page in (mine, theirs):
        page.goto(reverse("battle-track", args=[wire.pk]))
        page.get_by_text("in sync").wait_for()
    before = TableAct.objects.count()
    line.cut()
    mine.locator("[data-tracker][data-no-line]").wait_for(state="attached", timeout=IN_STEP)

    def loses(page: Any, unit: Any, count: int) -> None:
        sort = Troop(unit).models[0]
        for _ in range(count):
            press(page, unit, f"{sort.name} left, one less")

    # Turn 2 to 4 on both phones: what own dice did is counted, and each of them ends turns 2 and 3.
    loses(mine, first, 1)
    expect(mine.locator(f"[data-wait='{first.key}']")).to_contain_text(f"{Troop(first).models[0].name} left")
    press(mine, first, "Stress, one more")
    mine.locator("#t_played").click()
    expect(mine.locator("#t_head .table-turn")).to_contain_text("3")
    loses(theirs, foe, 1)
    press(theirs, foe, "Stress, one more")
    theirs.locator("#t_played").click()
    expect(theirs.locator("#t_head .table-turn")).to_contain_text("3")
    axe(mine)
    assert mine.evaluate("document.documentElement.scrollWidth") <= PHONE
    press(mine, second, "Stress, one more")
    mine.locator("#t_played").click()
    expect(mine.locator("#t_head .table-turn")).to_contain_text("4")
    loses(theirs, foe, 1)
    theirs.locator("#t_played").click()
    expect(theirs.locator("#t_head .table-turn")).to_contain_text("4")
    loses(mine, first, 1)
    press(theirs, other, "Stress, one more")
    waits_for(mine, lambda: len(mine.evaluate(WAITING)) == 6)

    line.mend()
    mine.get_by_text("in sync").wait_for(timeout=4 * IN_STEP)
    waits_for(mine, lambda: not mine.evaluate(WAITING))
    state = state_of(wire)
    assert (state.turn, state.facts["phase"]) == (4, "effects")

    def lost(unit: Any) -> int:
        sort = Troop(state.fighter(unit.key)).models[0]
        return sort.full - sort.left

    assert [lost(unit) for unit in (first, second, foe, other)] == [2, 0, 2, 0]
    assert [state.fighter(unit.key).markers.get("stress", 0) for unit in (first, second, foe, other)] == [1, 1, 1, 1]
    kinds = [act.data["kind"] for act in TableAct.objects.order_by("number")][before:]
    assert sorted(kinds) == ["marker"] * 8 + ["played"] * 2
    assert not "".join(mine.locator("[data-clashes]").all_text_contents()).strip()
    theirs.locator(f"#f{second.key}").wait_for(state="attached")
    for page in (mine, theirs):
        page.reload()
    logs = [page.locator("#t_log .row-body").all_text_contents() for page in (mine, theirs)]
    assert logs[0] == logs[1]
