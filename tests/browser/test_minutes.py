"""The minutes that decide whether a club stays: walked on a phone, counted, and held against docs/minutes.md."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.models import Battle, PostBattle, TableAct
from campaigns.services import dice_entry
from campaigns.services.tracker import act_at_table, begin_table, roll_at_table
from rules.dice import Draw, SeededDice
from tests import campaign_stories as c
from tests import stories as s
from tests.browser.answered import answered
from tests.browser.phones import state_of
from tests.browser.taps import Thumb, promised
from warbands.models import Fighter, Warband

pytestmark = pytest.mark.django_db(transaction=True)

SEVEN = ("Lieutenant", "Trench Cleric", "Shocktrooper", "Yeoman", "Yeoman", "Yeoman", "Yeoman")


@pytest.fixture
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return c.club(cleo, ada, ben)


def take(thumb: Thumb, name: str) -> None:
    """Press the one act of an offer; where it asks for a choice, take the first of each."""
    row = thumb.page.locator(".offer-row").filter(
        has=thumb.page.locator(".offer-name", has_text=re.compile(f"^{re.escape(name)}$"))
    )
    row.evaluate("row => row.scrollIntoView({block: 'center'})")  # from under the bar and the last message
    if row.get_by_role("button").count():
        thumb.send(row.get_by_role("button"))
        return
    thumb.go(row.get_by_role("link", name=re.compile("choose")))
    choices = thumb.page.locator("#offer_choices")
    for field in choices.locator("fieldset").all():
        thumb.tick(field.locator("input").first)
    thumb.send(choices.get_by_role("button"))


def test_a_first_legal_list(ada: Any, signed_in_page: Any) -> None:
    page = signed_in_page(ada)
    page.goto("/warbands/")
    thumb = Thumb(page)
    thumb.go(page.get_by_role("link", name="Found a warband"))
    thumb.go(page.get_by_role("button", name="Next"))
    thumb.go(page.get_by_role("link", name="The Principality of New Antioch"))
    thumb.go(page.get_by_role("button", name="Next: patron and name"))
    thumb.type(page.get_by_label("Name of the warband"), "The Lantern Wardens")
    thumb.go(page.get_by_role("button", name="Found it"))
    thumb.go(page.get_by_role("link", name="Hire the first fighter"))
    for number, profile in enumerate(SEVEN, 1):
        take(thumb, profile)
        page.locator("#budget_bar").get_by_text(re.compile(f"^{number} of")).wait_for()
    thumb.go(page.locator("#budget_bar").get_by_role("link", name="Done"))
    thumb.go(page.get_by_role("link", name="Kit of Lieutenant"))
    for shelf, item in (("Melee", "Sword/Axe"), ("Armour", "Standard Armour")):
        thumb.go(page.get_by_role("link", name=shelf, exact=True))
        take(thumb, item)
    thumb.go(page.locator("#budget_bar").get_by_role("link", name="Done"))
    thumb.go(page.get_by_role("link", name="Ready to play"))
    thumb.go(page.get_by_role("button", name="End the founding"))
    warband = Warband.objects.get()
    assert (warband.is_founding, warband.problem_count, warband.fighter_count) == (False, 0, len(SEVEN))
    s.assert_reconciled(warband)
    thumb.keeps(promised("A first legal list"))


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


def shot(thumb: Thumb, part: Any, link: str, target: str, distance: str) -> None:
    """From the table to the dice: at whom, chosen by hand, how far, and the app rolls."""
    page = thumb.page
    thumb.go(part.get_by_role("link", name=re.compile(f"^{link}")))
    expect(page.locator("#id_target"), "nobody is chosen as a target beforehand").to_have_value("")
    with answered(page):
        thumb.choose(page.locator("#id_target"), target)
    if distance:
        thumb.type(page.locator("#id_distance"), distance)
        with answered(page):
            page.locator("#id_distance").blur()
    thumb.go(page.get_by_role("button", name="Roll for me"))


def test_a_shot_in_trench_crusade(made: c.Club, ada: Any, ben: Any, cleo: Any, signed_in_page: Any) -> None:
    battle = laid("trench-crusade", made, ada, ben, cleo)
    page = signed_in_page(ada)
    page.goto(reverse("battle-track", args=[battle.pk]))
    thumb = Thumb(page)
    mine, theirs = (state_of(battle).of(str(c.side(battle, user).pk))[1] for user in (ada, ben))
    shot(thumb, unfolded(thumb, mine), "Attack", theirs.key, "")
    assert TableAct.objects.latest("number").data["roll"] == "attack"
    thumb.keeps(promised("A shot at the table of Trench Crusade"))


def test_a_shot_in_a_trench_too_far(made: c.Club, ada: Any, ben: Any, cleo: Any, signed_in_page: Any) -> None:
    battle = laid("trench-too-far", made, ada, ben, cleo)
    canal, keepers, hill = (named(battle, name) for name in ("Canal Company", "Lock Keepers", "Hill Platoon"))
    act_at_table(battle=battle, actor=cleo, data={"kind": "initiative", "side": canal.side})
    for roll, given in (("activate", {}), ("order", {"order": "fire"})):
        roll_at_table(battle=battle, actor=cleo, roll=roll, data={"fighter": canal.key, **given}, source="app")
    page = signed_in_page(ada)
    page.goto(reverse("battle-track", args=[battle.pk]))
    thumb = Thumb(page)
    shot(thumb, unfolded(thumb, keepers), "Fire", hill.key, "12")
    assert TableAct.objects.latest("number").data["roll"] == "fire"
    thumb.keeps(promised("A shot at the table of A Trench Too Far"))


def test_a_shot_in_gloom_trench(made: c.Club, ada: Any, ben: Any, cleo: Any, signed_in_page: Any) -> None:
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
        ("drawn", {"which": gun.side}),
        ("begin", {"fighter": gun.key, "action": "open-up"}),
    ):
        roll_at_table(battle=battle, actor=cleo, roll=roll, data=given, source="app")
    page = signed_in_page(ada)
    page.goto(reverse("battle-track", args=[battle.pk]))
    thumb = Thumb(page)
    shot(thumb, page.locator("#t_strip"), "Shoot", cutters.key, "10")
    assert TableAct.objects.latest("number").data["roll"] == "shoot"
    thumb.keeps(promised("A shot at the table of Gloom Trench"))


# --- after it ------------------------------------------------------------------------------------------------------------------


def decide(thumb: Thumb, form: Any) -> None:
    """Answer a decision with as little as it takes; the fork explores, what is given out goes to the first who may have it."""
    asked = form.locator("fieldset.asked")
    left = re.search(r"(\d+) to give out", asked.inner_text())
    few = re.search(r"Choose (\d+)", asked.inner_text())
    if left:
        given = int(left[1])
        for share in asked.locator(".shares > li").all():
            faces = share.locator(".die-face input")
            field = share.locator("input[type=number]")
            most = faces.count() - 1 if faces.count() else int(field.get_attribute("max") or 0)
            number = min(given, most)
            given -= number
            if number and faces.count():
                thumb.tick(share.locator(f"input[value='{number}']"))
            elif number:
                thumb.type(field, str(number))
    elif asked.locator("input[type=number]").count():
        field = asked.locator("input[type=number]")
        thumb.type(field, field.get_attribute("min") or "0")
    elif asked.locator("input[type=radio]").count():
        explores = asked.locator("input[value='explore']:enabled")
        thumb.tick(explores if explores.count() else asked.locator("input:enabled").first)
    else:
        for box in asked.locator("input:enabled").all()[: int(few[1]) if few else 0]:
            thumb.tick(box)
    thumb.send(form.get_by_role("button", name="Take it"))


def settle(thumb: Thumb, task: Any) -> None:
    """Do the next thing that a task asks for: the app's dice, a decision, or writing it down."""
    if not task.locator("details.task-open[open]").count():
        thumb.open(task.locator("details.task-open > summary"))
    form = task.locator("form.stack")
    if form.get_by_role("button", name="Roll for me").count():
        thumb.send(form.get_by_role("button", name="Roll for me"))
    elif form.locator("fieldset.asked").count():
        decide(thumb, form)
    else:
        thumb.send(form.get_by_role("button"))


def test_a_whole_post_battle(
    made: c.Club, ada: Any, ben: Any, signed_in_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two fighters are down, one an elite; the app rolls all, the same dice each time so that the way is the same."""
    seeded = SeededDice("a whole post-battle")

    class SameDice:
        def draw(self, n: int, sides: int, why: str) -> Draw:
            return Draw(why, sides, seeded.draw(n, sides, why).faces, "app")

    monkeypatch.setattr(dice_entry, "AppDice", SameDice)
    first, second = Fighter.objects.live().filter(warband=made.warband(ada)).order_by("position")[:2]
    row = c.mustered(made, ada, ben)
    c.fight(row, ben, ada, points={ada: 3, ben: 1}, out={ada: [first.name, second.name]})
    page = signed_in_page(ada)
    page.goto("/")
    thumb = Thumb(page)
    thumb.go(page.locator(".waits").get_by_role("link", name=re.compile("^Begin")).first)
    thumb.go(page.get_by_role("button", name="Begin", exact=True))
    strip, steps = page.locator("#step_strip"), []
    for _ in range(80):
        if steps[-1:] != [step := page.locator("h1").inner_text()]:
            steps.append(step)
        if strip.get_by_role("button", name="Close", exact=True).count():
            thumb.go(strip.get_by_role("button", name="Close", exact=True))
            break
        if strip.get_by_role("button", name=re.compile("^Next")).count():
            thumb.go(strip.get_by_role("button", name=re.compile("^Next")))
        else:
            settle(thumb, page.locator("article.task:has(form.stack)").first)
    assert PostBattle.objects.get(warband=made.warband(ada)).closed_at is not None
    assert "Explore" in steps
    s.assert_reconciled(made.warband(ada))
    thumb.keeps(promised("A player's whole post-battle"))
