"""The minutes that decide whether a club stays: walked on a phone, counted, and held against docs/minutes.md."""

from __future__ import annotations

import re
from itertools import chain, count
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.models import Battle, PostBattle, TableAct
from campaigns.scenarios import scenario_name
from campaigns.services import dice_entry
from campaigns.services.tracker import act_at_table, begin_table, roll_at_table
from rules.dice import Draw, SeededDice
from rules.price import Price
from tests import campaign_stories as c
from tests import stories as s
from tests.browser.answered import answered
from tests.browser.phones import state_of
from tests.browser.rolling import chip
from tests.browser.rows import act_of, row_of
from tests.browser.taps import Thumb, promised
from warbands.models import Fighter, Warband
from warbands.recording import recording

pytestmark = pytest.mark.django_db(transaction=True)

LEADER_KIT = ("Submachine Gun", "Sword/Axe", "Standard Armour", "Combat Helmet", "Trench Shield")
CLERIC_KIT = ("Pistol", "Trench Club", "Standard Armour", "Trench Shield")
SHOCK_KIT = ("Automatic Shotgun", "Sword/Axe", "Standard Armour", "Trench Shield")


@pytest.fixture
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return c.club(cleo, ada, ben)


def take(thumb: Thumb, name: str) -> None:
    """Press the button of an offer."""
    row = row_of(thumb.page, name)
    row.evaluate("row => row.scrollIntoView({block: 'center'})")
    thumb.send(act_of(row))


def onward(thumb: Thumb, label: str) -> None:
    """Press the one black button, which names what comes next."""
    thumb.go(thumb.page.locator("#budget_bar").get_by_role("link", name=re.compile(f"^{label}")))


def test_a_ready_warband_from_the_home_page(open_page: Any) -> None:
    """A stranger builds seven fighters of 1.0 with kit chosen by hand, and signs up at the end."""
    page = open_page()
    page.goto("/")
    thumb = Thumb(page)
    thumb.go(page.get_by_role("link", name="Start a warband"))
    thumb.open(page.locator("label", has_text="Eire Rangers"))
    page.wait_for_load_state("networkidle")  # what the list changes on the page is there
    thumb.go(page.get_by_role("button", name="Create warband"))
    for profile in ("Lieutenant", "Trench Cleric", "Shocktrooper", "Shocktrooper"):
        take(thumb, profile)
    thumb.send(page.get_by_role("button", name="Hire ×3: Yeoman"))
    onward(thumb, "Equip them")
    for kit in (LEADER_KIT, CLERIC_KIT, SHOCK_KIT):
        for item in kit:
            take(thumb, item)
        onward(thumb, "Next: ")
    thumb.send(page.get_by_role("button", name=re.compile("^As ")).first)
    onward(thumb, "Next: ")
    thumb.send(page.locator(".preset", has_text="Bolt-Action Rifle").first)
    onward(thumb, "Ready to play")
    thumb.type(page.get_by_label("User name"), "ottla")
    thumb.type(page.get_by_label("Password", exact=True), "lantern-wardens-1916")
    thumb.go(page.get_by_role("button", name="Finish and lock in"))
    warband = Warband.objects.get()
    assert (warband.is_founding, warband.problem_count, warband.fighter_count) == (False, 0, 7)
    kits = [tuple(sorted(s.kit_of(fighter))) for fighter in Fighter.objects.live().filter(warband=warband)]
    assert sorted(len(kit) for kit in kits) == [1, 1, 1, 4, 4, 4, 5]
    s.assert_reconciled(warband)
    thumb.keeps(promised("A ready warband of seven fighters"))


def test_a_report(made: c.Club, ada: Any, ben: Any, signed_in_page: Any) -> None:
    c.mustered(made, ada, ben)
    first, second = Fighter.objects.live().filter(warband=made.warband(ada)).order_by("position")[:2]
    page = signed_in_page(ben)
    page.goto("/")
    thumb = Thumb(page)
    thumb.go(page.locator(".waits").get_by_role("link", name=re.compile("^Report")))
    thumb.tick(page.get_by_label(f"{made.warband(ben).name} won"))
    points = page.locator(".points-row").first
    for user, number in ((ben, "3"), (ada, "1")):
        thumb.type(points.get_by_label(made.warband(user).name), number)
    for fighter in (first, second):
        thumb.tick(page.locator(f"input[name=out][value$=':{fighter.pk}']"))
    if page.locator("#deeds ~ details").count():
        thumb.open(page.locator("#deeds ~ details > summary"))
    deed = page.locator("select[name^=deed_]").first
    thumb.choose(deed, deed.locator("optgroup option").first.get_attribute("value"))
    thumb.go(page.get_by_role("button", name=re.compile("^Send to")))
    battle = Battle.objects.get()
    assert battle.status == Battle.Status.REPORTED
    told = battle.reports.live().get().data
    assert sum(len(fallen) for fallen in told["out"].values()) == 2
    assert len(told["deeds"]) == 1
    thumb.keeps(promised("A report"))


# --- at the table ---------------------------------------------------------------------------------------------------------------

SAMPLES = {
    "trench-too-far": ("canal-company", "quarry-company"),
    "gloom-trench": ("lamplight-column", "red-ford-company"),
}


def laid(game: str, made: c.Club, ada: Any, ben: Any, cleo: Any) -> Battle:
    """A battle of a game with its table laid."""
    if game == "trench-crusade":
        row = c.mustered(made, ada, ben)
    else:
        made = c.Club(c.open_campaign(actor=cleo, name="The Canal", system=game, edition=""), cleo)
        for player, sample in zip((ada, ben), SAMPLES[game], strict=True):
            c.joins(made, player, sample=sample)
        row = c.mustered(made, ada, ben, scenario="open-battle")
    begin_table(battle=row, actor=ada)
    return row


def named(battle: Battle, name: str) -> Any:
    """A fighter or unit at the table."""
    return next(fighter for fighter in state_of(battle).fighters if fighter.name == name)


def unfolded(thumb: Thumb, fighter: Any) -> Any:
    """The part of a fighter at the table, after one tap on its row."""
    thumb.open(thumb.page.locator(f"#d{fighter.key} > summary"))
    return thumb.page.locator(f"#d{fighter.key}")


def answers(thumb: Thumb, name: str, value: str, *, redraws: bool = False) -> None:
    """Touch a chip of the form of a roll."""
    chip(thumb.page, name, value, redraws=redraws)
    thumb.taps += 1


def test_a_shot_in_trench_crusade(made: c.Club, ada: Any, ben: Any, cleo: Any, signed_in_page: Any) -> None:
    battle = laid("trench-crusade", made, ada, ben, cleo)
    page = signed_in_page(ada)
    page.goto(reverse("battle-track", args=[battle.pk]))
    thumb = Thumb(page)
    mine, theirs = (state_of(battle).of(str(c.side(battle, user).pk))[1] for user in (ada, ben))
    aimed(thumb, mine, theirs)
    thumb.open(page.get_by_role("button", name="Roll for me"))
    page.locator("#t_thrown .face").first.wait_for()
    assert TableAct.objects.latest("number").data["roll"] == "attack"
    assert state_of(battle).fighter(mine.key).acted
    thumb.keeps(promised("A shot with the app's dice at the table of Trench Crusade"))


def aimed(thumb: Thumb, mine: Any, theirs: Any) -> None:
    """From the table to the dice: the fighter, the weapon, the target."""
    part = unfolded(thumb, mine)
    thumb.open(part.get_by_role("link", name=re.compile("^(Shoot|Fight)")).first)
    target = thumb.page.locator(f"#id_target_{theirs.key}")
    target.wait_for(state="attached")
    with answered(thumb.page):
        thumb.tick(target)


def test_a_shot_with_own_dice(made: c.Club, ada: Any, ben: Any, cleo: Any, signed_in_page: Any) -> None:
    battle = laid("trench-crusade", made, ada, ben, cleo)
    page = signed_in_page(ada)
    page.goto(reverse("battle-track", args=[battle.pk]))
    thumb = Thumb(page)
    mine, theirs = (state_of(battle).of(str(c.side(battle, user).pk))[1] for user in (ada, ben))
    aimed(thumb, mine, theirs)
    thumb.tick(page.locator("#t_first_1"))
    thumb.open(page.locator("#t_roll").get_by_role("button", name=re.compile("^Minor")))
    page.locator("#t_news").get_by_text("has acted").wait_for()
    assert state_of(battle).fighter(theirs.key).markers == {"blood": 1}
    assert state_of(battle).fighter(mine.key).acted
    thumb.keeps(promised("A shot with own dice at the table of Trench Crusade"))


def test_three_attacks_of_a_machine_gun(made: c.Club, ada: Any, ben: Any, cleo: Any, signed_in_page: Any) -> None:
    """Each attack is written by its own press, the form counts on in its place, and the last one hands over."""
    battle = laid("trench-crusade", made, ada, ben, cleo)
    page = signed_in_page(ada)
    page.goto(reverse("battle-track", args=[battle.pk]))
    thumb = Thumb(page)
    mine, theirs = named(battle, "Matthias Kroll"), state_of(battle).of(str(c.side(battle, ben).pk))[1]
    part = unfolded(thumb, mine)
    thumb.open(part.get_by_role("link", name=re.compile("^Shoot.*Machine Gun")))
    target = page.locator(f"#id_target_{theirs.key}")
    target.wait_for(state="attached")
    with answered(page):
        thumb.tick(target)
    before = TableAct.objects.count()
    for number in (1, 2, 3):
        page.locator("#t_roll").get_by_text(f"Attack {number} of 3").wait_for()
        expect(page.locator(f"#id_target_{theirs.key}")).to_be_checked()
        assert TableAct.objects.count() == before + number - 1
        assert not state_of(battle).fighter(mine.key).acted
        thumb.tick(page.locator("#t_first_1"))
        thumb.open(page.locator("#t_roll").get_by_role("button", name=re.compile("^Minor")))
    page.locator("#t_news").get_by_text("has acted").wait_for()
    expect(page.locator("#t_roll")).to_be_hidden()
    assert state_of(battle).fighter(theirs.key).markers == {"blood": 3}
    assert state_of(battle).fighter(mine.key).acted
    thumb.keeps(promised("Three attacks of a machine gun with own dice"))


def test_a_marker_its_undo_and_the_end_of_a_turn(
    made: c.Club, ada: Any, ben: Any, cleo: Any, signed_in_page: Any
) -> None:
    battle = laid("trench-crusade", made, ada, ben, cleo)
    page = signed_in_page(ada)
    mine = state_of(battle).of(str(c.side(battle, ada).pk))[0]
    page.goto(f"{reverse('battle-track', args=[battle.pk])}?open={mine.key}")
    thumb = Thumb(page)
    thumb.open(page.locator(f"#m{mine.key}_blood_plus"))
    page.locator("#t_undo").wait_for()
    assert state_of(battle).fighter(mine.key).markers == {"blood": 1}
    thumb.keeps(promised("A marker"))
    thumb = Thumb(page)
    box = page.locator("#t_undo").bounding_box()
    assert box["y"] + box["height"] <= page.viewport_size["height"], "it is in view without scrolling"
    thumb.open(page.locator("#t_undo"))
    page.locator("#t_news").get_by_text("Undone").wait_for()
    assert not state_of(battle).fighter(mine.key).markers
    thumb.keeps(promised("Undo of the last press"))
    thumb = Thumb(page)
    thumb.open(page.locator("#t_turn"))
    thumb.open(page.locator("#t_turn_anyway"))
    page.locator("#t_head").get_by_text("Turn 2").wait_for()
    thumb.keeps(promised("The end of a turn"))


def test_an_order_and_a_platoon_s_fire_in_a_trench_too_far(
    made: c.Club, ada: Any, ben: Any, cleo: Any, signed_in_page: Any
) -> None:
    battle = laid("trench-too-far", made, ada, ben, cleo)
    canal, keepers, hill = (named(battle, name) for name in ("Canal Company", "Lock Keepers", "Hill Platoon"))
    act_at_table(battle=battle, actor=cleo, data={"kind": "initiative", "side": canal.side})
    page = signed_in_page(ada)
    page.goto(reverse("battle-track", args=[battle.pk]))
    thumb = Thumb(page)
    thumb.open(unfolded(thumb, canal).get_by_role("button", name=re.compile("^Fire")))
    page.locator("#t_strip").get_by_text("Company done").wait_for()
    assert state_of(battle).fighter(canal.key).facts["order"] == "fire"
    thumb.keeps(promised("A company's order at the table of A Trench Too Far"))
    thumb = Thumb(page)
    thumb.open(unfolded(thumb, keepers).get_by_role("link", name=re.compile("^Fire")))
    page.locator("#t_roll[data-here]").wait_for()
    assert not page.locator("#t_roll input[name=target]:checked").count(), "nobody is chosen as a target beforehand"
    answers(thumb, "target", hill.key, redraws=True)
    answers(thumb, "distance", "18")
    thumb.open(page.locator("#t_result_2"))
    page.locator("#t_asks").get_by_text("2 saves on D6").wait_for()
    assert state_of(battle).fighter(hill.key).facts["owed"]["hits"] == 2
    thumb.keeps(promised("A platoon's fire at the table of A Trench Too Far"))


def test_an_activation_with_a_volley_in_gloom_trench(
    made: c.Club, ada: Any, ben: Any, cleo: Any, signed_in_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = laid("gloom-trench", made, ada, ben, cleo)
    gun, cutters = (named(battle, name) for name in ("The Sewing Machine", "Reed Cutters"))
    sides = [side.key for side in state_of(battle).sides]
    for roll, given in (
        ("next", {"from": "setup"}),
        ("next", {"from": "effects"}),
        *(("pool", {"side": side}) for side in sides),
        ("next", {"from": "pool"}),
        ("next", {"from": "bag"}),
        ("taken", {"whose": gun.side}),
    ):
        roll_at_table(battle=battle, actor=cleo, roll=roll, data=given, source="app")
    monkeypatch.setattr("campaigns.services.tracker.sealed_dice", lambda *given: SeededDice(chits_of(battle, gun.side)))
    page = signed_in_page(ada)
    page.goto(reverse("battle-track", args=[battle.pk]))
    thumb = Thumb(page)
    thumb.open(page.locator("#t_strip").get_by_role("button", name="Draw a chit"))
    page.locator("#t_strip").get_by_text("Choose a unit").wait_for()
    part = unfolded(thumb, gun)
    thumb.open(part.get_by_role("link", name=re.compile("^Shoot")))
    page.locator("#t_roll[data-here]").wait_for()
    assert not page.locator("#t_roll input[name=target]:checked").count(), "nobody is chosen as a target beforehand"
    answers(thumb, "target", cutters.key, redraws=True)
    answers(thumb, "distance", f"{gun.facts['weapons'][0]['bands'][0][0]:g}")
    thumb.open(page.locator("#t_result_1"))
    page.locator("#t_asks").get_by_text("1 save on").wait_for()
    assert state_of(battle).fighter(cutters.key).facts["owed"]["hits"] == 1
    # Ben counts it as made, and Ada goes on without having waited for a page.
    roll_at_table(battle=battle, actor=ben, roll="save", data={"fighter": cutters.key}, source="told", rows=(1,))
    thumb.open(page.locator("#t_strip").get_by_role("button", name="End activation, then draw"))
    page.locator("#t_news").get_by_text("its activation is over").wait_for()
    thumb.keeps(promised("An activation with a volley at the table of Gloom Trench"))


def chits_of(battle: Battle, side: str) -> int:
    """A seed whose first chit is one of this side: it is drawn from a bag that holds its chits first."""
    chits = state_of(battle).facts
    first = chits["chits"][side] if next(iter(chits["chits"])) == side else 0
    bag = sum(chits["chits"].values()) + chits["fog"]
    return next(seed for seed in range(200) if SeededDice(seed).draw(1, bag, "").faces[0] <= first)


# --- after it ------------------------------------------------------------------------------------------------------------------


# How the app's dice fall: both who are out live, the promotion succeeds, a skill of each of two tables; then exploration.
FALLEN = (6, 6, 6, 4, 3, 5, 2)


def post_battle_with_a_promotion(made: c.Club, ada: Any, ben: Any) -> Any:
    """A battle that Ada won with two of hers out; her leader lacks one point to a skill."""
    first, second = Fighter.objects.live().filter(warband=made.warband(ada)).order_by("position")[4:6]
    leader = Fighter.objects.live().filter(warband=made.warband(ada)).order_by("position").first()
    assert leader is not None
    leader.state["experience"] = 1
    leader.save(update_fields=["state"])
    warband = made.warband(ada)
    with recording(warband, kind="gift", actor=ada) as act:
        act.earn(Price(ducats=60), reason="A gift")
        act.say("{who} gave 60 ducats.")
    row = c.mustered(made, ada, ben, scenario="relic-hunt")
    c.fight(row, ada, ada, points={ada: 3, ben: 1}, out={ada: [first.name, second.name]})
    return row


def answer(thumb: Thumb, task: Any) -> None:
    """Answer the decision of a task with as little as it takes."""
    form, strip = task.locator("form.stack"), thumb.page.locator("#step_strip")
    asked = form.locator("fieldset.asked")
    whole = asked.get_by_role("button", name=re.compile("^All "))
    if whole.count():
        thumb.send(whole.first)
        return
    options = asked.locator("button[name=choice], button[name^=share_]")
    if options.count():
        words = asked.locator("legend").inner_text()
        reroll = options.filter(has=thumb.page.locator(".decision-title", has_text=re.compile("re-roll")))
        explores = asked.locator("button[value=explore]")
        done = asked.locator("button[value=done]")
        if reroll.count() and not thumb.rerolled:
            thumb.rerolled = True
            thumb.send(reroll.first)
        elif done.count():
            thumb.send(done)
        else:
            assert options.first.is_enabled(), words
            thumb.send((explores if explores.count() else options).first)
        return
    few = re.search(r"Choose (\d+)", asked.inner_text())
    for box in asked.locator("input[type=checkbox]:enabled").all()[: int(few[1]) if few else 0]:
        thumb.tick(box)
    thumb.send(strip.get_by_role("button", name="Confirm"))


def hire_one(thumb: Thumb) -> None:
    """From the camp to the list, one fighter hired, and back."""
    thumb.go(
        thumb.page.locator("ul.rows li").filter(has_text="Hire").get_by_role("link", name=re.compile("Open")).first
    )
    before = Fighter.objects.live().count()
    take(thumb, "Yeoman")
    assert Fighter.objects.live().count() == before + 1
    thumb.go(thumb.page.get_by_role("link", name=re.compile("^Back to: ")))


def test_a_whole_post_battle(
    cleo: Any, ada: Any, ben: Any, signed_in_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two are out, one is promoted, one learns a skill, a die of the exploration is rolled again, one is hired."""
    seeded = SeededDice("a whole post-battle")
    faces = chain(FALLEN, (seeded.draw(1, 6, "").faces[0] for _ in count()))

    class Fallen:
        def draw(self, n: int, sides: int, why: str) -> Draw:
            return Draw(why, sides, tuple(next(faces) for _ in range(n)), "app")

    monkeypatch.setattr(dice_entry, "AppDice", Fallen)
    made = c.club(cleo, ada, ben, edition="1.0")
    row = post_battle_with_a_promotion(made, ada, ben)
    page = signed_in_page(ada)
    page.goto("/")
    thumb = Thumb(page)
    thumb.rerolled = False  # type: ignore[attr-defined]
    thumb.go(page.locator(".waits li").filter(has_text=scenario_name(row)).get_by_role("link").first)
    thumb.go(page.get_by_role("button", name="Start the post-battle"))
    strip, hired = page.locator("#step_strip"), False
    for _ in range(60):
        roll = strip.get_by_role("button", name=re.compile("^Roll"))
        finish = strip.get_by_role("button", name="Finish", exact=True)
        onward = strip.get_by_role("button", name=re.compile("^Next"))
        if finish.count():
            thumb.go(finish)
            break
        if not hired and page.locator("h1").inner_text() == "Quartermaster":
            hired = True
            hire_one(thumb)
        elif roll.count():
            thumb.send(roll)
        elif onward.count():
            thumb.go(onward)
        else:
            answer(thumb, page.locator("article.task:has(fieldset.asked)").first)
    sequence = PostBattle.objects.get(warband=made.warband(ada))
    assert sequence.closed_at is not None
    mine = Fighter.objects.live().filter(warband=made.warband(ada))
    assert [fighter.state.get("promoted") for fighter in mine].count(True) == 1
    assert any(fighter.state.get("skills") for fighter in mine)
    assert thumb.rerolled  # type: ignore[attr-defined]
    assert hired
    s.assert_reconciled(made.warband(ada))
    thumb.keeps(promised("A player's whole post-battle"))
