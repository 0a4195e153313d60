"""The pages of a post-battle sequence: roll, choose, write, undo, leave, close; and the bargain over a captive."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns.models import Campaign, Capture, PostBattle, RansomOffer
from campaigns.pages.task_forms import choice_of
from campaigns.pages.tasks import TaskView, _folded
from campaigns.sequence import StepSequence
from campaigns.services.open import change_campaign
from rules.resolution import Asked, Option
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.models import Event, Fighter
from warbands.services.roster import rename_fighter
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def html(response):
    return response.content.decode()


def htmx(target="step"):
    return {"HX-Request": "true", "HX-Target": f"div#{target}", "HX-Request-Type": "partial"}


class Evening:
    """A battle that Ada lost with her first fighter out, her sequence begun."""

    def __init__(self, club, ada, ben, names):
        self.club, self.row = club, c.mustered(club, ada, ben)
        c.fight(self.row, ben, ben, out={ada: names})
        self.warband = club.warband(ada)
        self.keys = c.keys(self.warband, *names)
        self.post_battle = c.begin(self.row, ada)

    def step(self, step="injuries"):
        return reverse("post-battle-resolve", args=[self.row.pk, self.warband.pk, step])

    @property
    def trauma(self):
        return f"trauma-{self.keys[0]}"

    @property
    def record(self):
        return PostBattle.objects.get(pk=self.post_battle.pk).record

    def roll(self, client, *faces, **more):
        sent = {f"face_{n}": str(face) for n, face in enumerate(faces, 1)}
        sent |= {"act": "roll", "task": self.trauma, "source": "typed" if faces else "app", **more}
        return client.post(self.step(), sent)


@story
def club(ada, ben, cleo):
    return c.club(cleo, ada, ben)


@pytest.fixture
def mine(client, ada):
    client.force_login(ada)
    return client


@story
def evening(club, ada, ben):
    return Evening(club, ada, ben, [c.named_first(club, ada)])


def view(answer, key):
    return next(task for task in answer.context["page"].tasks if task.key == key)


# --- beginning --------------------------------------------------------------------------------------------------------


def test_beginning_says_what_it_does_and_leads_to_the_first_step(mine, club, ada, ben):
    row = c.mustered(club, ada, ben)
    c.fight(row, ben, ben)
    here = reverse("post-battle-show", args=[row.pk, club.warband(ada).pk])
    assert "Everything is saved at once." in html(mine.get(here))
    assert mine.post(here, {"token": "t-1"}).url == here
    assert mine.get(here).url.endswith("/injuries/")
    mine.post(here, {"token": "t-2"})
    assert Event.objects.filter(kind="fought").count() == 1


def test_an_unknown_step_is_404(mine, evening):
    assert mine.get(evening.step("tea")).status_code == 404


# --- rolling ----------------------------------------------------------------------------------------------------------


def test_a_wanted_d66_asks_for_tens_and_units(mine, evening):
    panel = view(mine.get(evening.step()), evening.trauma).panel
    assert [die.legend for die in panel.dice] == ["tens", "units"]
    assert panel.allow_app
    assert panel.allow_typed


def test_typed_dice_are_written_at_once_where_nothing_is_left_to_decide(mine, evening):
    answer = evening.roll(mine, 3, 1, token="t-1")
    assert answer.status_code == 302
    page = mine.get(evening.step())
    task = view(page, evening.trauma)
    assert (task.state, task.faces, task.may_undo) == ("written", (3, 1), True)
    assert task.will_do
    assert "Leg Wound" in task.sentence
    assert [event.kind for event in Event.objects.order_by("pk")][-2:] == ["roll", "write"]
    assert page.context["page"].act.kind == "next"


def test_a_face_that_is_pressed_needs_no_other_button(mine, evening):
    sent = {"act": "roll", "task": evening.trauma, "face_1": "3", "face_2": "1", "token": "t-1"}
    mine.post(evening.step(), sent)
    assert evening.record["draws"][evening.trauma][0]["origin"] == "typed"
    nothing = mine.post(evening.step(), {"act": "roll", "task": evening.trauma, "token": "t-2"})
    assert nothing.status_code == 422


def test_a_death_shows_the_row_it_hit_and_is_confirmed_by_name(mine, evening):
    evening.roll(mine, 1, 1, token="t-1")
    assert not Event.objects.filter(kind="write").exists()
    page = mine.get(evening.step())
    task = view(page, evening.trauma)
    assert (task.state, task.grave) == ("ready", True)
    assert [row.label for row in task.told[0].rows if row.hit] == ["11-12"] or task.told[0].rows
    assert f"Confirm the death of {task.title}" in html(page)
    assert page.context["page"].act.kind == "show"


def test_a_seven_is_refused_on_its_die_and_the_other_face_is_kept(mine, evening):
    answer = evening.roll(mine, 3, 7)
    assert answer.status_code == 422
    panel = view(answer, evening.trauma).panel
    assert [die.error for die in panel.dice] == ["", "This die shows 1 to 6, not 7."]
    assert panel.dice[0].value == "3"
    assert "draws" not in evening.record


def test_a_missing_die_is_named(mine, evening):
    answer = evening.roll(mine, 3)
    assert answer.status_code == 422
    assert view(answer, evening.trauma).panel.dice[1].error == "Enter this die."


def test_a_press_works_the_sequence_out_a_fixed_number_of_times(mine, evening, monkeypatch):
    built = []
    init = StepSequence.__init__

    def count(self, *given):
        built.append(self)
        init(self, *given)

    monkeypatch.setattr(StepSequence, "__init__", count)
    sent = {"act": "roll", "task": evening.trauma, "source": "typed", "face_1": "3", "face_2": "1", "token": "t-1"}
    mine.post(evening.step(), sent, headers=htmx())
    assert evening.trauma in evening.record["written"]
    assert len(built) == 6  # before, roll, what is certain, write, what is certain then, page


def test_the_apps_dice_are_kept_and_cannot_be_fished_for(mine, evening):
    evening.roll(mine, token="t-1", at="0")
    kept = evening.record["draws"][evening.trauma]
    mine.post(evening.step(), {"act": "undo", "task": evening.trauma, "token": "u-1"})
    again = evening.roll(mine, token="t-2", at="0")
    assert again.status_code == 200
    assert "This was done already." in html(again)
    assert evening.record["draws"][evening.trauma] == kept
    refused = mine.post(evening.step(), {"act": "mistyped", "task": evening.trauma, "token": "t-3"})
    assert refused.status_code == 422


def test_mistyped_takes_a_typed_roll_back_and_says_so_in_history(mine, evening):
    evening.roll(mine, 1, 1, token="t-1")
    mine.post(evening.step(), {"act": "mistyped", "task": evening.trauma, "token": "t-2"})
    assert view(mine.get(evening.step()), evening.trauma).state == "roll"
    assert Event.objects.filter(kind="mistyped").exists()


@pytest.mark.parametrize(("policy", "app", "typed"), [("app", True, False), ("typed", False, True)])
def test_the_campaigns_dice_policy_leaves_one_button(mine, evening, cleo, policy, app, typed):
    change_campaign(campaign=Campaign.objects.get(), actor=cleo, dice=policy)
    page = mine.get(evening.step())
    assert ("Roll for me" in html(page)) is app
    assert ('name="face_2"' in html(page)) is typed
    wrong = evening.roll(mine, *((3, 1) if app else ()))
    assert wrong.status_code == 422


# --- writing ----------------------------------------------------------------------------------------------------------


def write(client, evening, **more):
    seen = client.get(evening.step()).context["page"].seen
    return client.post(evening.step(), {"act": "write", "task": evening.trauma, "seen": seen, "token": "w-1", **more})


def undo_press(client, evening, token="u-1"):
    return client.post(evening.step(), {"act": "undo", "task": evening.trauma, "token": token})


def test_a_loss_is_confirmed_once_and_offers_the_undo(mine, evening):
    evening.roll(mine, 1, 1)
    assert write(mine, evening).status_code == 302
    assert write(mine, evening).status_code == 200
    assert Event.objects.filter(kind="write").count() == 1
    page = mine.get(evening.step())
    assert view(page, evening.trauma).may_undo
    assert "dies" in html(page)


def test_undo_is_one_press_and_gives_the_same_faces_back(mine, evening):
    evening.roll(mine, 3, 1)
    assert undo_press(mine, evening).status_code == 302
    task = view(mine.get(evening.step()), evening.trauma)
    assert (task.state, task.faces, task.grave) == ("ready", (3, 1), False)
    assert mine.get(evening.step()).context["page"].act.form == task.form_id
    assert undo_press(mine, evening).status_code == 200  # the same token
    assert undo_press(mine, evening, "u-2").status_code == 422
    write(mine, evening)
    assert view(mine.get(evening.step()), evening.trauma).state == "written"
    assert Event.objects.filter(kind="undo").count() == 1


def test_an_undone_task_is_open_again_with_the_same_faces(mine, evening, ada):
    evening.roll(mine, 3, 1)
    write(mine, evening)
    undo(event=Event.objects.get(kind="write"), actor=ada)
    task = view(mine.get(evening.step()), evening.trauma)
    assert task.state == "ready"
    assert task.told[0].faces == (3, 1)


def test_a_death_wants_the_grave_button(mine, evening):
    evening.roll(mine, 1, 1)
    page = html(mine.get(evening.step()))
    assert "button-danger" in page
    assert "You can undo this until something later depends on it." in page


def test_a_stale_write_says_what_happened_and_goes_on_with_one_press(mine, evening, ada):
    evening.roll(mine, 1, 1)
    seen = mine.get(evening.step()).context["page"].seen
    rename_fighter(fighter=s.fighter(evening.warband, c.named_first(evening.club, ada)), name="Renamed", actor=ada)
    answer = mine.post(evening.step(), {"act": "write", "task": evening.trauma, "seen": seen, "token": "w-1"})
    assert answer.status_code == 422
    assert "While this page was open" in html(answer)
    assert "Do it anyway" in html(answer)
    assert not Event.objects.filter(kind="write").exists()


def test_htmx_gets_the_step_alone_with_its_strip_and_toasts(mine, evening):
    sent = {"act": "roll", "task": evening.trauma, "source": "typed", "face_1": "3", "face_2": "1", "token": "t-1"}
    answer = mine.post(evening.step(), sent, headers=htmx())
    page = html(answer)
    assert answer.status_code == 200
    assert page.lstrip().startswith('<div class="step-layout" id="step">')
    assert 'id="step_strip" hx-swap-oob="true"' in page
    assert 'id="toasts"' in page


# --- steps ------------------------------------------------------------------------------------------------------------


def test_the_bar_carries_the_dice_and_then_the_way_onward(mine, evening):
    act = mine.get(evening.step()).context["page"].act
    assert (act.kind, act.words, act.alone) == ("roll", "Roll for me", True)
    refused = mine.post(evening.step(), {"act": "next", "token": "n-1"})
    assert refused.status_code == 422
    evening.roll(mine, 3, 1)
    act = mine.get(evening.step()).context["page"].act
    assert (act.kind, act.words) == ("next", "Next: Experience")
    mine.post(evening.step(), {"act": "next", "token": "n-2"})
    onward = mine.get(reverse("post-battle-show", args=[evening.row.pk, evening.warband.pk]))
    assert onward.url.endswith("/experience/")


def test_all_dice_of_a_step_are_rolled_with_one_press(mine, club, ada, ben):
    names = [fighter.name for fighter in Fighter.objects.live().filter(warband=club.warband(ada)).order_by("position")]
    evening = Evening(club, ada, ben, names)
    page = mine.get(evening.step()).context["page"]
    assert (page.act.kind, page.act.words) == ("roll", f"Roll all {len(names)} for me")
    assert all(not task.folded for task in page.tasks)
    mine.post(evening.step(), {"act": "roll-all", "token": "r-1"})
    draws = evening.record["draws"]
    assert len(draws) == len(names)
    again = mine.post(evening.step(), {"act": "roll-all", "token": "r-1"})
    assert "This was done already." in html(again)
    assert mine.post(evening.step(), {"act": "roll-all", "token": "r-2"}).status_code == 422
    assert evening.record["draws"] == draws
    for task in mine.get(evening.step()).context["page"].tasks:
        assert task.state in ("written", "choose") or task.grave
    s.assert_reconciled(evening.warband)


def test_a_step_is_read_with_the_same_queries_however_many_are_out(mine, cleo, ada, ben, monkeypatch):
    monkeypatch.setattr(
        "rules.dice.secrets.randbelow", lambda sides: 2
    )  # only a result that is certain is written at once
    counts = []
    for many in (1, 6):
        for user in (ada, ben):
            user.seats.update(status="left")
        club = c.club(cleo, ada, ben)
        names = [each.name for each in Fighter.objects.live().filter(warband=club.warband(ada))[:many]]
        evening = Evening(club, ada, ben, names)
        mine.get(evening.step())
        for token in ("", f"q-{many}"):
            if token:
                mine.post(evening.step(), {"act": "roll-all", "token": token})
            with CaptureQueriesContext(connection) as seen:
                mine.get(evening.step())
            counts.append(len(seen))
    assert counts[:2] == counts[2:]
    assert max(counts) <= 15


def test_a_step_before_its_turn_says_what_comes_first(mine, evening):
    page = mine.get(evening.step("camp"))
    assert "Injuries comes first." in html(page)
    assert page.context["page"].tasks == ()


def test_the_rail_marks_done_current_and_later(mine, evening):
    evening.roll(mine, 3, 1)
    mine.post(evening.step(), {"act": "next", "token": "n-1"})
    rail = mine.get(evening.step("experience")).context["page"].rail
    assert [step.state for step in rail[:3]] == ["done", "current", "later"]
    assert rail[2].href == ""


def test_another_device_goes_on_where_one_left(client, evening, ada):
    client.force_login(ada)
    evening.roll(client, 3, 1)
    client.logout()
    client.force_login(ada)
    assert view(client.get(evening.step()), evening.trauma).faces == (3, 1)


def until(evening, ada, step):
    return c.resolve(evening.row, ada, until=step)


def test_the_fork_shows_both_ways_before_one_is_taken(mine, evening, ada):
    until(evening, ada, "fork")
    page = mine.get(evening.step("fork")).context["page"]
    cards = page.tasks[0].choice.cards
    assert [card.value for card in cards] == ["reinforce", "explore"]
    assert all(card.gains or card.closed_reason for card in cards)
    key = page.tasks[0].key
    chosen = {
        "act": "choose",
        "task": key,
        "key": page.tasks[0].choice.key,
        "kind": "one",
        "choice": "explore",
        "token": "c-1",
    }
    assert cards[0].grave  # it gives up the stash: the press that names it is the confirmation
    events = Event.objects.count()
    mine.post(evening.step("fork"), chosen)
    task = mine.get(evening.step("fork")).context["page"].tasks[0]
    assert (task.state, Event.objects.count() - events) == ("written", 1)
    mine.post(evening.step("fork"), {"act": "undo", "task": key, "token": "u-1"})
    again = mine.get(evening.step("fork")).context["page"].tasks[0]
    assert (again.state, again.choice.cards) == ("choose", cards)


def test_a_task_that_stands_alone_is_not_folded_away(mine, evening, ada):
    until(evening, ada, "threshold")
    page = mine.get(evening.step("threshold")).context["page"]
    assert [(task.folded, bool(task.will_do)) for task in page.tasks] == [(False, True)]


def test_once_a_decision_is_written_the_next_one_opens():
    """Else the button of the bar sends a form that no one sees."""
    done, *left = (TaskView(key, key, key, "", "", state, False, 1) for key, state in FOLDABLE)
    assert [view.folded for view in _folded([done, *left], "a")] == [False, False, True]
    assert [view.folded for view in _folded([done, *left], "c")] == [False, True, False]


FOLDABLE = (("a", "written"), ("b", "choose"), ("c", "choose"))


def test_what_happens_by_itself_asks_for_no_confirmation(mine, evening, ada):
    until(evening, ada, "threshold")
    answer = mine.get(evening.step("threshold"))
    (task,) = answer.context["page"].tasks
    assert task.informs
    assert task.sentence in html(answer)
    assert task.form_id not in html(answer)


def test_a_press_that_gives_all_dice_to_one_is_offered_once():
    asked = Asked("dice", "allot", "Spread the dice.", (Option("1", "Ilse"), Option("2", "Wren")), total=2)
    ilse, wren = choice_of(asked, {"1": 2}, {}, None).shares
    assert ilse.takes_all
    assert wren.takes_all
    assert [number for number, _ in ilse.faces] == [0, 1, 2]  # given before: it stays to be seen
    assert [number for number, _ in wren.faces] == [0, 1]


def test_promotion_dice_are_given_out_with_their_chances(mine, evening, ada):
    until(evening, ada, "promotion")
    page = mine.get(evening.step("promotion")).context["page"]
    choice = page.tasks[0].choice
    assert choice.kind == "allot"
    assert all("%" in share.words for share in choice.shares)
    name = choice.shares[0].name
    sent = {"act": "choose", "task": page.tasks[0].key, "key": choice.key, "kind": "allot", name: "99", "token": "c-1"}
    refused = mine.post(evening.step("promotion"), sent)
    assert refused.status_code == 422
    mine.post(evening.step("promotion"), {**sent, name: "1", "token": "c-2"})
    assert evening.record["choices"][page.tasks[0].key][choice.key]
    anew = mine.post(evening.step("promotion"), {**sent, name: "2", choice.shares[1].name: "2", "token": "c-3"})
    assert anew.status_code == 422
    kept = anew.context["page"].tasks[0]
    assert kept.state == "choose"  # the decision stays open, as it was sent
    assert [share.given for share in kept.choice.shares[:2]] == [2, 2]


def test_the_camp_opens_the_warbands_own_pages_with_a_way_back(mine, evening, ada):
    until(evening, ada, "camp")
    page = html(mine.get(evening.step("camp")))
    hire = reverse("fighter-hire", args=[evening.warband.pk])
    assert hire in page
    there = html(mine.get(hire))
    assert "Back to: " in there
    assert evening.step("camp") in there
    fighter = evening.warband.fighters.first()
    assert "Back to: " in html(mine.get(reverse("fighter-rename", args=[fighter.pk])))
    event = evening.warband.event_subjects.latest("number").event_id
    assert "Back to: " in html(mine.get(reverse("event-undo", args=[event])))
    assert "Back to: " not in html(mine.get(reverse("campaign-list")))


def test_pages_of_other_warbands_do_not_lead_into_the_step(mine, evening, ada):
    other = s.small_warband(ada, name="The Sodden Bell")
    until(evening, ada, "camp")
    mine.get(evening.step("camp"))
    for address in (
        reverse("warband-list"),
        reverse("warband-found"),
        reverse("warband-show", args=[other.pk]),
        reverse("fighter-rename", args=[other.fighters.first().pk]),
    ):
        assert "Back to: " not in html(mine.get(address)), address


def test_the_last_step_shows_before_and_after_and_closing_leads_to_the_sheet(mine, evening, ada):
    until(evening, ada, "roster")
    page = mine.get(evening.step("roster"))
    figures = {figure.label: figure for figure in page.context["page"].figures}
    assert figures["Rating"].before.endswith("d")
    assert "Results" in html(page)
    sent = {"act": "close", "then": "print", "seen": page.context["page"].seen, "token": "x-1"}
    assert mine.post(evening.step("roster"), sent).url == reverse("roster-print", args=[evening.warband.pk])
    assert PostBattle.objects.get(pk=evening.post_battle.pk).closed_at is not None
    closed = mine.get(evening.step("injuries"))
    assert "Post-battle finished." in html(closed)
    assert not view(closed, evening.trauma).may_undo
    mine.post(evening.step("roster"), {"act": "reopen", "token": "x-2"})
    assert PostBattle.objects.get(pk=evening.post_battle.pk).closed_at is None


def test_an_administrator_finishes_in_the_owners_place_and_is_named(client, evening, cleo):
    client.force_login(cleo)
    assert "You act for" in html(client.get(evening.step()))
    evening.roll(client, 3, 1)
    assert Event.objects.filter(kind="roll").last().for_name


# --- captives ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def captive(mine, evening):
    evening.roll(mine, 1, 2)
    write(mine, evening)
    return Capture.objects.get()


def bargain(client, capture, **sent):
    return client.post(
        reverse("capture-settle", args=[capture.pk]), {"token": "-".join(map(str, ["b", *sent.values()])), **sent}
    )


def test_offers_and_counter_offers_stand_on_both_desks(client, captive, ada, ben):
    client.force_login(ben)
    assert "captive: set a ransom" in html(client.get("/"))
    bargain(client, captive, act="price", role="captor", ducats="60")
    client.force_login(ada)
    assert "wants 60 ducats for" in html(client.get("/"))
    bargain(client, captive, act="price", role="owner", ducats="1")
    client.force_login(ben)
    assert "offers 1 ducat" in html(client.get("/"))


def test_an_offer_to_a_guest_waits_on_the_administrators_desk(client, club, ada, cleo):
    row = c.mustered(club, ada, guests=[("Emil", "HERETIC")])
    c.fight(row, by=ada, winner=ada, out={ada: [c.named_first(club, ada)]})
    leader = s.fighter(club.warband(ada), c.named_first(club, ada))
    sequence = c.begin(row, ada)
    c.type_in(sequence, f"trauma-{leader.pk}", 1, 2)
    c.write(sequence, f"trauma-{leader.pk}")
    client.force_login(cleo)
    waits = f"{club.warband(ada)} offers 1 ducat for {leader.name}"
    assert waits not in html(client.get("/"))
    client.force_login(ada)
    bargain(client, Capture.objects.get(), act="price", role="owner", ducats="1")
    client.force_login(cleo)
    desk = html(client.get("/"))
    assert waits in desk
    assert "for Emil" in desk


def test_what_the_purse_does_not_cover_is_closed_with_its_reason(client, captive, ada, ben):
    client.force_login(ben)
    bargain(client, captive, act="price", role="captor", ducats="9000")
    client.force_login(ada)
    page = client.get(reverse("capture-settle", args=[captive.pk]))
    assert "There isn&#x27;t enough in your strongbox." in html(page)
    offer = RansomOffer.objects.get()
    assert bargain(client, captive, act="accept", role="owner", offer=offer.pk).status_code == 422


def test_a_paid_ransom_brings_the_fighter_home_once(client, captive, ada, ben):
    from warbands.recording import recording

    with recording(captive.warband, kind="gift", actor=ben) as act:
        from rules.price import Price

        act.earn(Price(ducats=50), reason="A gift")
        act.say("{who} gave 50 ducats.")
    client.force_login(ben)
    bargain(client, captive, act="price", role="captor", ducats="30")
    client.force_login(ada)
    offer = RansomOffer.objects.get()
    assert "Pay 30 d" in html(client.get(reverse("capture-settle", args=[captive.pk])))
    bargain(client, captive, act="accept", role="owner", offer=offer.pk)
    captive.refresh_from_db()
    assert captive.status == Capture.Status.RANSOMED
    captive.fighter.refresh_from_db()
    assert captive.fighter.status == "active"


def test_neither_owner_acts_for_the_other(client, captive, ada, ben):
    client.force_login(ada)
    assert bargain(client, captive, act="let-go", role="captor").status_code == 403
    client.force_login(ben)
    assert bargain(client, captive, act="give-up", role="owner").status_code == 403
    captive.refresh_from_db()
    assert captive.status == Capture.Status.HELD


def test_a_captor_lets_go_for_nothing(client, captive, ben):
    client.force_login(ben)
    bargain(client, captive, act="let-go", role="captor")
    captive.refresh_from_db()
    assert captive.status == Capture.Status.FREED
