"""The pages of campaigns in a browser: clean for axe, on a phone and a desktop, by keyboard, with and without script."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.models import Battle, Campaign, Capture, PostBattle
from campaigns.services.join import add_seat
from campaigns.services.rounds import open_round
from tests import campaign_stories as c
from tests.browser.answered import follow, settle
from tests.browser.looks import examine, fits, visit
from tests.drills import WHOLE, sampled
from tests.served import SLIP
from warbands.models import Fighter, Snapshot

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def club(ada, ben, cleo):
    made = c.club(cleo, ada, ben, seen_by=Campaign.SeenBy.LINK)
    open_round(campaign=made.campaign, actor=cleo)
    return made


@pytest.fixture
def season(club, ada, ben, cleo):
    """A battle fought, Ada's first fighter captured, Ben done; and another one set."""
    first = c.named_first(club, ada)
    row = c.mustered(club, ada, ben)
    guns = [{"code": "too-many", "message": "Three Machine Guns; the list allows two.", "mend": "Stash one."}]
    Snapshot.objects.filter(pk=c.side(row, ada).snapshot_id).update(problems=guns)
    c.fight(row, ben, ben, points={ada: 1, ben: 3}, out={ada: [first]})
    c.resolve(row, ben)
    post_battle = c.begin(row, ada)
    key = f"trauma-{c.keys(club.warband(ada), first)[0]}"
    c.type_in(post_battle, key, 1, 2)
    c.write(post_battle, key)
    spare = add_seat(campaign=club.campaign, actor=cleo, name="Kolya")
    return row, c.battle(club, ada, ben, scenario=""), spare


def addresses(club, ada, row, ahead, spare):
    """Every page with who looks at it."""
    campaign, warband = [club.campaign.pk], club.warband(ada).pk
    steps = [
        ("ada", reverse("post-battle-resolve", args=[row.pk, warband, step])) for step in ("injuries", "camp", "roster")
    ]
    ben_steps = [
        ("ben", reverse("post-battle-resolve", args=[row.pk, club.warband(club.seats["ben"].user).pk, step]))
        for step in ("experience", "promotion", "fork", "exploration", "roster")
    ]
    return [
        (None, "/"),
        ("ada", "/"),
        ("ada", reverse("campaign-list")),
        ("ada", reverse("campaign-open")),
        ("ada", reverse("campaign-show", args=campaign)),
        (None, reverse("campaign-watch", args=[club.campaign.slug])),
        (None, reverse("campaign-join", args=[c.link(club.campaign)])),
        ("dora", reverse("campaign-join", args=[c.link(club.campaign)])),
        ("dora", reverse("seat-claim", args=[spare.claim_token])),
        ("ada", reverse("seat-show", args=[club.seat(ada).pk])),
        ("ada", reverse("seat-found", args=[club.seat(ada).pk])),
        ("ada", reverse("house-rule-list", args=campaign)),
        *(
            ("cleo", reverse("house-rule-list", args=campaign) + f"?edit={part}")
            for part in ("campaign", "ways", "rules", "readings")
        ),
        ("cleo", reverse("campaign-administer", args=campaign)),
        ("cleo", reverse("player-list", args=campaign)),
        ("cleo", reverse("round-arrange", args=campaign)),
        ("cleo", reverse("round-pair", args=campaign)),
        ("cleo", reverse("campaign-overview", args=campaign)),
        ("cleo", reverse("seat-repair", args=[club.seat(ada).pk])),
        ("ada", reverse("challenge-list", args=campaign)),
        ("ada", reverse("round-show", args=[*campaign, 1])),
        ("ada", reverse("battle-schedule", args=campaign)),
        ("ada", reverse("battle-show", args=[row.pk])),
        ("ada", reverse("force-select", args=[ahead.pk])),
        ("ada", reverse("battle-report", args=[ahead.pk])),
        ("ada", reverse("report-confirm", args=[row.pk])),
        ("ben", reverse("report-confirm", args=[row.pk])),
        ("cleo", reverse("battle-show", args=[row.pk])),
        ("cleo", reverse("flag-settle", args=[row.pk])),
        ("cleo", reverse("battle-void", args=[row.pk])),
        ("cleo", reverse("battle-report", args=[row.pk]) + "?amend=1"),
        ("ada", reverse("capture-settle", args=[Capture.objects.get().pk])),
        *steps,
        *ben_steps,
    ]


SMALL = """() => [...document.querySelectorAll('main button, main select, main summary, main a.button, .act-strip .button')]
  .filter(e => e.checkVisibility() && e.getBoundingClientRect().height > 1 && e.getBoundingClientRect().height < 43.5)
  .map(e => e.outerHTML.slice(0, 120))"""


def test_every_page_is_clean_and_fits_and_what_is_pressed_is_as_tall_as_a_thumb(
    open_page, axe, club, season, ada, ben, cleo, dora
):
    people = {"ada": ada, "ben": ben, "cleo": cleo, "dora": dora, None: None}
    pages = {name: open_page(user) for name, user in people.items()}
    shown = addresses(club, ada, *season)
    closely = [
        (who, address) for who, address in shown if "/post-battle/" in address
    ]  # test_every_page cannot see these
    for place, (who, address) in enumerate(sampled(shown, len(closely) + 8, always=closely)):
        page = pages[who]
        answer = visit(page, address)
        assert answer.status == 200, address
        expect(page.locator("h1"), address).to_have_count(1)
        assert page.evaluate(SMALL) == [], address
        if WHOLE or (who, address) in closely:
            examine(page, axe, place)
        else:
            fits(page)


# --- an evening on two phones ---------------------------------------------------------------------------------------------------


def die(place, face):
    """Press one face of a die."""
    place.locator(".die-face").filter(has_text=re.compile(f"(^|: ){face}$")).click()


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_a_battle_from_muster_to_the_first_scar(signed_in_page, club, ada, ben, javascript):
    row = c.battle(club, ada, ben, scenario="")
    page = signed_in_page(ada, javascript=javascript)
    page.goto("/")
    follow(page.locator(".waits li", has_text=f"v {club.warband(ben).name}").get_by_role("link"))

    scenario, attacker = page.locator("section.setup").first, page.locator("section.setup").nth(1)
    settle(page, lambda: die(scenario, 2))
    expect(scenario).to_contain_text("entered by", use_inner_text=True)
    for _ in range(6):
        if attacker.get_by_role("button", name="Roll for me").count() == 0:
            break
        settle(page, attacker.get_by_role("button", name="Roll for me").click)
    bar = page.locator("#force_bar")
    before = bar.inner_text()
    page.locator("label[for^=id_fighter_]").last.click()
    if javascript:
        page.wait_for_function("text => document.querySelector('#force_bar').innerText !== text", arg=before)
    else:
        settle(page, page.get_by_role("button", name="Recount").click)
    expect(bar).not_to_have_text(before, use_inner_text=True)
    settle(page, bar.get_by_role("button", name="Ready").click)

    other = signed_in_page(ben, javascript=javascript)
    other.goto(reverse("force-select", args=[row.pk]))
    settle(other, other.locator("#force_bar").get_by_role("button", name="Ready").click)
    assert Battle.objects.get().status == Battle.Status.MUSTERED

    out = c.named_first(club, ada)
    other.goto(reverse("battle-report", args=[row.pk]))
    settle(other, other.get_by_role("button", name=re.compile("^Send to")).click)
    expect(other.locator("#answer")).to_contain_text("Who won? Choose one.", use_inner_text=True)
    other.locator("label", has_text=f"{club.warband(ben).name} won").click()
    other.get_by_label(out, exact=False).first.check()
    settle(other, other.get_by_role("button", name=re.compile("^Send to")).click)

    page.goto("/")
    follow(page.locator(".waits").get_by_role("link", name=re.compile("^Read")))
    settle(page, page.get_by_role("button", name="Confirm", exact=True).click)
    settle(page, page.get_by_role("button", name="Start the post-battle").click)
    tens, units = page.locator("article.task fieldset.die").all()
    settle(page, lambda: die(units, 1))
    expect(page.locator("article.task")).to_contain_text("Enter this die.", use_inner_text=True)
    tens, units = page.locator("article.task fieldset.die").all()
    die(tens, 3)
    settle(page, lambda: die(units, 1))
    expect(page.locator(".task[data-state=written]")).to_contain_text("Leg Wound", use_inner_text=True)
    settle(page, page.locator(".task").get_by_role("button", name="Undo").click)
    expect(page.locator(".task[data-state=ready]")).to_contain_text("Leg Wound", use_inner_text=True)
    settle(page, page.locator("#step_strip").get_by_role("button", name="Confirm").click)
    expect(page.locator(".task[data-state=written]")).to_have_count(1)
    page.locator("#step_strip").get_by_role("button", name=re.compile("^Next")).click()
    page.wait_for_url(re.compile("/experience/$"))
    assert PostBattle.objects.get(warband=club.warband(ada)).done == ["injuries"]


def test_dice_are_entered_by_keyboard(signed_in_page, club, ada, ben):
    row = c.mustered(club, ada, ben)
    c.fight(row, ben, ben, out={ada: [c.named_first(club, ada)]})
    c.begin(row, ada)
    page = signed_in_page(ada)
    page.goto(reverse("post-battle-resolve", args=[row.pk, club.warband(ada).pk, "injuries"]))
    page.locator("article.task fieldset.die input").first.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")  # the third face
    page.keyboard.press("Tab")  # the first of the units
    settle(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator(".task[data-state=written]")).to_contain_text("Leg Wound", use_inner_text=True)
    assert page.evaluate("document.activeElement.closest('#step_strip') !== null"), "the focus goes to the next act"
    page.wait_for_timeout(2 * SLIP)  # a second Enter at once is taken for a slip
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url.endswith("/experience/")


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_all_roll_together_and_a_death_is_confirmed_by_name(signed_in_page, club, ada, ben, javascript):
    row = c.mustered(club, ada, ben)
    names = [each.name for each in Fighter.objects.live().filter(warband=club.warband(ada)).order_by("position")]
    c.fight(row, ben, ben, out={ada: names[-3:]})
    c.begin(row, ada)
    page = signed_in_page(ada, javascript=javascript)
    page.goto(reverse("post-battle-resolve", args=[row.pk, club.warband(ada).pk, "injuries"]))
    expect(page.locator("article.task")).to_have_count(3)
    strip = page.locator("#step_strip")
    expect(strip.get_by_role("button", name="Roll all 3 for me")).to_be_visible()
    settle(page, lambda: die(page.locator("article.task").last, 1))
    death = page.get_by_role("button", name=f"Confirm the death of {names[-1]}")
    expect(death).to_be_visible()
    settle(page, strip.get_by_role("button", name="Roll all 2 for me").click)
    assert page.locator(".task fieldset.die").count() == 0
    for _ in range(3):
        confirm = page.get_by_role("button", name=re.compile("^Confirm the death of"))
        if confirm.count():
            settle(page, confirm.first.click)
    expect(page.locator(".task[data-state=written]")).to_have_count(3)
    expect(strip.get_by_role("button", name="Next: Experience")).to_be_visible()


def test_an_unfinished_sequence_goes_on_on_another_phone(signed_in_page, club, ada, ben):
    row = c.mustered(club, ada, ben)
    c.fight(row, ben, ben, out={ada: [c.named_first(club, ada)]})
    first = signed_in_page(ada)
    first.goto(reverse("post-battle-show", args=[row.pk, club.warband(ada).pk]))
    settle(first, first.get_by_role("button", name="Start the post-battle").click)
    settle(first, first.get_by_role("button", name="Roll for me").click)
    seen = first.locator("article.task .rolled").first.inner_html()
    first.close()
    second = signed_in_page(ada, width=1280)
    second.goto(reverse("post-battle-resolve", args=[row.pk, club.warband(ada).pk, "injuries"]))
    assert second.locator("article.task .rolled").first.inner_html() == seen
