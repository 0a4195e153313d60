"""Moments of a season that are about battles and what follows them: answers, accidents, amendments, captives, dice, an empty purse.

Each test goes through the pages as people do and ends with the books in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Battle, Capture, PostBattle, RansomOffer, Report, Seat, Side
from campaigns.report_link import answer_token
from campaigns.services.amend import amend_report
from campaigns.services.battle_setup import choose_scenario
from campaigns.services.house_rules import change_house_rules
from campaigns.services.join import add_seat, bring_warband
from campaigns.services.rounds import schedule_battle
from campaigns.standings import standings
from rules.consequences import Owes, SetWarband
from rules.price import Price
from rules.registry import systems
from tests import campaign_stories as c
from tests import stories as s
from tests.conftest import PASSWORD
from tests.module_story import story
from warbands.idempotency import new_token
from warbands.models import Event, Fighter, Item, LedgerEntry, Promise, Snapshot, Warband
from warbands.newest_state import newest_overlays
from warbands.print_options import PrintOptions
from warbands.printing import sheet_page
from warbands.recording import recording
from warbands.services.consequences import carry_out
from warbands.services.founding import copy_sample, make_ready

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ILSE = "Ilse Brandt"


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return c.club(cleo, ada, ben)


@story
def row(made: c.Club, ada: Any, ben: Any) -> Battle:
    """Their battle, both sides ready."""
    return c.mustered(made, ada, ben)


@pytest.fixture(autouse=True)
def _books_in_order(db: None) -> Iterator[None]:
    """Whatever happened in a moment: every warband's books say what its roster says, for the tests and for the command."""
    yield
    warbands = list(Warband.objects.live())
    assert warbands
    for warband in warbands:
        s.assert_reconciled(warband)
    call_command("reconcile")


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def press(client: Client, address: str, **sent: Any) -> Any:
    return client.post(address, {"token": new_token(), **sent})


def at(name: str, *arguments: Any) -> str:
    return reverse(name, args=arguments)


def told() -> str:
    return Event.objects.latest("pk").told


def report_form(row: Battle, winner: Side | str, points: dict[Side, int] | None = None, **more: Any) -> dict[str, Any]:
    """The report as the form sends it."""
    result = winner if isinstance(winner, str) else str(winner.pk)
    sent = {f"points_{side.pk}": str(number) for side, number in (points or {}).items()}
    return {
        "result": result,
        "kind": "played",
        "played_on": timezone.localdate().isoformat(),
        "words": "",
        **sent,
        **more,
    }


def ready(client: Client, row: Battle, side: Side) -> Any:
    """Press Ready at muster with the force as it stands."""
    return press(client, at("force-select", row.pk), act="ready", side=side.pk)


def step(row: Battle, warband: Warband, name: str = "injuries") -> str:
    return at("post-battle-resolve", row.pk, warband.pk, name)


def begin(client: Client, row: Battle, warband: Warband) -> None:
    press(client, at("post-battle-show", row.pk, warband.pk))


def roll(client: Client, address: str, task: str, *faces: int) -> Any:
    """Type dice in for a task, or have the app roll."""
    typed = {f"face_{n}": str(face) for n, face in enumerate(faces, 1)}
    return press(client, address, act="roll", task=task, source="typed" if faces else "app", **typed)


def write(client: Client, address: str, task: str) -> Any:
    seen = client.get(address).context["page"].seen
    return press(client, address, act="write", task=task, seen=seen)


def problems_told(side: Side) -> str:
    """What the battle's page says of a force that was made ready with problems."""
    assert side.snapshot is not None
    number = len(side.snapshot.problems)
    return f"{number} problem at Ready" if number == 1 else f"{number} problems at Ready"


def give_money(warband: Warband, **amount: int) -> None:
    with recording(warband, kind="gift", actor=warband.owner) as act:
        act.earn(Price(**amount), reason="A gift")
        act.say("{who} was given money.")


def spend_all(warband: Warband) -> None:
    with recording(warband, kind="gift", actor=warband.owner) as act:
        purse = s.purse(warband)
        act.pay(Price(ducats=purse.ducats, glory=purse.glory), reason="Gambled away")
        act.say("{who} gambled it all away.")


# --- 2: nobody waits for a confirmation --------------------------------------------------------------------------------


def test_moment_02_nobody_waits_for_a_confirmation(
    made: c.Club, row: Battle, cleo: Any, ada: Any, ben: Any, dora: Any
) -> None:
    """Sequences begin at once; the report is confirmed by a code, on one phone, by an administrator or by silence."""
    adas, bens = signed_in(ada), signed_in(ben)
    mine, theirs = c.side(row, ada), c.side(row, ben)
    press(bens, at("battle-report", row.pk), **report_form(row, theirs, {mine: 1, theirs: 3}))
    begin(adas, row, made.warband(ada))
    assert c.sequence_row(row, ada).started_at is not None
    assert c.fresh_battle(row).status == Battle.Status.REPORTED

    # a code that the opponent opens on a phone of her own
    page = bens.get(at("report-confirm", row.pk))
    assert 'class="qr"' in text(page)
    link = page.context["page"].hand_over.address
    address = "/" + link.partition("://")[2].partition("/")[2]
    assert Client().get(address).url.startswith("/accounts/")
    assert signed_in(dora).get(address).status_code == 404
    assert adas.get(address).url == at("report-confirm", row.pk)
    assert adas.get(at("report-answer", "made-up")).status_code == 404
    onward = press(adas, at("report-confirm", row.pk), act="confirm", side=mine.pk, number=1)
    assert onward.url == at("post-battle-show", row.pk, made.warband(ada).pk)
    assert c.fresh_battle(row).status == Battle.Status.CONFIRMED

    # both on one phone: her password, and nobody is signed in or out
    row = c.battle(made, ada, ben)
    c.fight(row, by=ben, winner=ben)
    here, side = at("report-confirm", row.pk), c.side(row, ada)
    wrong = press(bens, here, act="here", side=side.pk, number=1, password="guessed")
    assert wrong.status_code == 422
    assert "That is not the password of ada." in text(wrong)
    press(bens, here, act="here", side=side.pk, number=1, password=PASSWORD)
    assert told() == "ada confirmed the report of Hill 223, on the device of ben."
    assert c.side(row, ada).confirmed_by == ada
    assert bens.get("/").context["user"] == ben

    # a report amended meanwhile is not confirmed unread
    row = c.battle(made, ada, ben)
    c.fight(row, by=ben, winner=ben)
    amend_report(battle=row, actor=ben, by_side=c.side(row, ben), data=c.report_data(row, ben, points={ben: 2}))
    unread = press(adas, at("report-confirm", row.pk), act="confirm", side=c.side(row, ada).pk, number=1)
    assert unread.status_code == 422
    assert "The report changed while this page was open." in text(unread)

    # silence confirms, by the command or by whoever looks
    Battle.objects.filter(pk=row.pk).update(confirm_by=timezone.now() - timedelta(minutes=1))
    adas.get("/")
    assert c.fresh_battle(row).status == Battle.Status.CONFIRMED
    assert told().startswith("Silence confirmed the report")
    row = c.battle(made, ada, ben)
    c.fight(row, by=ben, winner=ben)
    Battle.objects.filter(pk=row.pk).update(confirm_by=timezone.now() - timedelta(minutes=1))
    assert "confirmed" in text(bens.get(at("battle-show", row.pk)))
    assert c.fresh_battle(row).status == Battle.Status.CONFIRMED

    # nobody could answer for a seat that nobody claimed: its side is confirmed at once
    seat = add_seat(campaign=made.campaign, name="Wulf", actor=cleo)
    unclaimed = copy_sample(actor=cleo, owner=None, terms=made.campaign.terms, sample_id="third-breach")
    make_ready(warband=unclaimed, actor=cleo)
    bring_warband(seat=seat, warband=unclaimed, actor=cleo)
    row = schedule_battle(campaign=made.campaign, actor=cleo, seats=[made.seat(ada), Seat.objects.get(pk=seat.pk)])
    choose_scenario(battle=row, actor=cleo, scenario_id=c.SCENARIO)
    c.fight(row, by=ada, winner=ada)
    assert c.fresh_battle(row).status == Battle.Status.CONFIRMED

    # for a player who cannot, an administrator confirms, and history names both
    row = c.battle(made, ada, ben)
    c.fight(row, by=ada, winner=ada)
    cleos = signed_in(cleo)
    assert "Confirm for" in text(cleos.get(at("report-confirm", row.pk)))
    press(cleos, at("report-confirm", row.pk), act="confirm", side=c.side(row, ben).pk)
    assert told() == "cleo, for ben, confirmed the report of Hill 223."

    # a dispute freezes the confirmation and makes the points provisional; nothing else waits
    row = c.battle(made, ada, ben)
    c.fight(row, by=ben, winner=ben, points={ben: 3}, out={ada: ["Ottla"]})
    press(adas, at("report-dispute", row.pk), words="Ottla stood.")
    assert c.fresh_battle(row).status == Battle.Status.DISPUTED
    row_of_ben = next(line for line in standings(made.campaign) if line.seat.user == ben)
    assert row_of_ben.provisional >= 3
    begin(adas, row, made.warband(ada))
    ottla = c.keys(made.warband(ada), "Ottla")[0]
    roll(adas, step(row, made.warband(ada)), f"casualty-{ottla}", 5)
    write(adas, step(row, made.warband(ada)), f"casualty-{ottla}")
    assert c.look(c.sequence_row(row, ada)).is_written(f"casualty-{ottla}")
    press(cleos, at("report-confirm", row.pk), act="decide", version=Report.objects.get(battle=row).pk, words="")
    assert c.fresh_battle(row).status == Battle.Status.CONFIRMED
    assert next(line for line in standings(made.campaign) if line.seat.user == ben).provisional == 0


def test_moment_02_a_code_runs_out(row: Battle, ada: Any, ben: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """After half an hour the link on the table says so, and leads nowhere."""
    report = c.fight(row, by=ben, winner=ben)
    token = answer_token(report)
    monkeypatch.setattr("django.core.signing.time.time", lambda: timezone.now().timestamp() + 31 * 60)
    late = signed_in(ada).get(at("report-answer", token))
    assert late.status_code == 410
    assert "good for 30 minutes" in text(late)


# --- 5: first build ----------------------------------------------------------------------------------------------------


def test_moment_05_first_build_goes_over_and_is_trimmed(ada: Any) -> None:
    """To 750 ducats, the leader last: told as problems, never refused; only “ready to play” refuses."""
    adas = signed_in(ada)
    address = "/warbands/new/?game=trench-crusade/1.6.3&mode=campaign&list=new-antioch"
    press(adas, address, name="The Lantern Wardens")
    warband = Warband.objects.get()
    hire = at("fighter-hire", warband.pk)

    def hires(profile: str, count: int = 1) -> None:
        for _ in range(count):
            offer = s.hire_offer(s.fresh(warband), profile)
            assert press(adas, hire, offer=offer.id, seen=s.fresh(warband).version).status_code == 302

    hires("Shocktrooper", 5)
    hires("Yeoman", 16)
    assert s.purse(warband).ducats < 0
    page = text(adas.get(at("warband-show", warband.pk)))
    assert f"<small>Over</small> <b>{-s.purse(warband).ducats} d" in page
    assert "ducats over budget." in page
    assert "You have no leader yet." in page
    assert 'id="problem_list"' in page  # where the figure of the bar leads
    refused = press(adas, at("warband-ready", warband.pk), seen=s.fresh(warband).version)
    assert refused.status_code == 422
    assert s.fresh(warband).is_founding
    hires("Lieutenant")
    while s.purse(warband).ducats < 0:
        last = Fighter.objects.live().filter(warband=warband, profile_id__startswith="yeoman", status="active").last()
        assert last is not None
        press(adas, at("fighter-dismiss", last.pk), way="return", seen=s.fresh(warband).version)
    answer = press(adas, at("warband-ready", warband.pk), seen=s.fresh(warband).version)
    assert answer.status_code == 302, text(answer)
    assert s.fresh(warband).status == Warband.Status.CAMP

    # two samples of each faction to copy
    terms = s.terms()
    lists = {each.id: each.faction or each.id for each in terms.game.founding.lists(terms.content)}
    factions = [lists[list_id] for _, _, list_id, _ in terms.game.founding.samples(terms.content)]
    assert {faction: factions.count(faction) >= 2 for faction in set(lists.values())} == dict.fromkeys(
        set(lists.values()), True
    )
    for game in systems():
        for edition in game.editions():
            page = text(adas.get(f"/warbands/new/?game={game.id}/{edition}"))
            newest = game.content(edition, newest_overlays(game.id, edition))
            assert page.count("Use it") == len(game.founding.samples(newest))


# --- 6: muster ---------------------------------------------------------------------------------------------------------


def test_moment_06_muster_freezes_a_numbered_snapshot_with_its_problems(
    made: c.Club, cleo: Any, ada: Any, ben: Any
) -> None:
    """Scenario by a typed die, the attacker, a fighter left behind, an illegal force: frozen all the same, and shown."""
    adas, bens = signed_in(ada), signed_in(ben)
    row = c.battle(made, ada, ben, scenario="")
    setup = at("force-select", row.pk)
    press(adas, setup, act="roll", what="scenario", source="typed", face_1="5", at="0")
    assert c.fresh_battle(row).scenario_id == "supply-raid"
    press(adas, setup, act="attacker", attacker=c.side(row, ben).pk)
    assert c.side(row, ben).is_attacker
    ottla = s.fighter(made.warband(ada), "Ottla")
    with recording(made.warband(ada), kind="gift", actor=ada) as act:
        act.set_leaf(ottla, ("misses_battle",), 1)
        act.say("{who} sends Ottla home.")
    page = adas.get(setup).context["page"]
    assert next(line for line in page.force.rows if line.name == "Ottla").closed
    going = [line.key for line in page.force.rows if line.taken]
    assert str(ottla.pk) not in going
    change_house_rules(campaign=made.campaign, actor=cleo, house_rules={"threshold_add": -600})
    page = adas.get(setup).context["page"]
    assert page.force.bar.over
    press(adas, setup, act="ready", force_shown="1", fighter=going[:-1], side=page.force.side_pk, seen=page.seen)
    mine = c.side(row, ada)
    assert mine.force["taken"] == going[:-1]
    assert mine.snapshot is not None
    assert mine.snapshot.problems
    assert (mine.number, mine.snapshot.version) == (1, s.fresh(made.warband(ada)).version)
    seen_by_ben = text(bens.get(at("battle-show", row.pk)))
    assert problems_told(mine) in seen_by_ben
    assert mine.snapshot.problems[0]["message"] in bens.get(at("battle-show", row.pk)).content.decode().replace(
        "&#x27;", "'"
    )
    frozen = Snapshot.objects.get(pk=mine.snapshot_id)
    assert f"Ready for {frozen.reason} as version {frozen.version}." in text(
        adas.get(at("stash-show", made.warband(ada).pk))
    )


# --- 7: mid-week change of mind ----------------------------------------------------------------------------------------


def test_moment_07_camp_stays_open_until_the_next_muster(made: c.Club, row: Battle, ada: Any, ben: Any) -> None:
    """The sequence is closed; on Wednesday Ada buys, on Thursday she sells again and moves kit."""
    adas = signed_in(ada)
    c.fight(row, by=ben, winner=ben)
    c.resolve(row, ada)
    warband = made.warband(ada)
    stash = at("stash-show", warband.pk)
    assert "You can keep spending until your next battle." in text(adas.get(stash))
    assert "You can keep spending until your next battle." in text(adas.get(at("warband-show", warband.pk)))
    give_money(warband, ducats=20)
    offer = s.item_offer(s.fresh(warband), "Gas Mask")
    press(adas, stash + "?tab=other", offer=offer.id, seen=s.fresh(warband).version)
    mask = Item.objects.live().filter(warband=warband, item_id="gas-mask", fighter=None, status="held").last()
    assert mask is not None
    press(adas, at("item-give", mask.pk), fighter=s.fighter(warband, "Ottla").pk, seen=s.fresh(warband).version)
    mask.refresh_from_db()
    assert mask.fighter is not None
    press(adas, at("item-stash", mask.pk), seen=s.fresh(warband).version)
    press(adas, at("item-sell", mask.pk), seen=s.fresh(warband).version)
    mask.refresh_from_db()
    assert mask.status == Item.Status.SOLD
    assert PostBattle.objects.get(side=c.side(row, ada)).closed_at is not None


# --- 8: an illegal list found afterwards -------------------------------------------------------------------------------


def test_moment_08_an_illegal_list_stands_is_mended_or_voided(made: c.Club, cleo: Any, ada: Any, ben: Any) -> None:
    """The report is taken; the administrator lets the roster stand, asks for mending, or voids after seeing what that undoes."""
    adas, bens, cleos = signed_in(ada), signed_in(ben), signed_in(cleo)
    captain = s.fighter(made.warband(ada), "Matthias Kroll")
    with recording(made.warband(ada), kind="gift", actor=ada) as act:
        for place in range(3):
            act.create(
                Item(
                    warband=made.warband(ada),
                    fighter=captain,
                    item_id="machine-gun",
                    position=90 + place,
                    origin="found",
                )
            )
        act.say("{who} found three machine guns.")
    row = c.battle(made, ada, ben)
    ready(adas, row, c.side(row, ada))
    mine = c.side(row, ada)
    assert mine.snapshot is not None
    assert mine.snapshot.problems
    press(bens, at("battle-report", row.pk), **report_form(row, mine, {mine: 3}))
    assert c.fresh_battle(row).status == Battle.Status.REPORTED
    assert problems_told(mine) in text(bens.get(at("battle-show", row.pk)))

    flags = at("flag-settle", row.pk)
    assert adas.get(flags).status_code == 403
    page = cleos.get(flags)
    assert "In this battle" in text(page)
    assert page.context["page"].sides[0].now
    assert any("/kit/" in line.href for line in page.context["page"].sides[0].now)
    assert press(cleos, flags, side=mine.pk, way="stands", words="").status_code == 422
    press(cleos, flags, side=mine.pk, way="stands", words="Nobody saw it; the guns stayed silent.")
    assert told() == (
        "cleo accepted the problems of The Lantern Wardens in Hill 223: “Nobody saw it; the guns stayed silent.”"
    )
    seen = text(bens.get(at("battle-show", row.pk)))
    assert "cleo accepted the problems" in seen
    assert "Nobody saw it; the guns stayed silent." in seen

    hurt = s.fighter(made.warband(ada), "Ottla")
    with recording(made.warband(ada), hurt, kind="wound", actor=ada) as act:
        act.set_leaf(act.row(hurt), ("misses_battle",), 1, field="state")
        act.say("{who} kept Ottla in bed.")
    now = cleos.get(flags).context["page"].sides[0].now
    assert now
    assert not any("misses this battle" in line.sentence for line in now)  # who cannot go is nothing to mend

    press(cleos, flags, side=mine.pk, way="mend", words="Two hands each.")
    assert told() == "cleo asked The Lantern Wardens to fix the problems found in Hill 223: “Two hands each.”"
    assert "Fix The Lantern Wardens" in text(adas.get("/"))
    for item in Item.objects.live().filter(warband=made.warband(ada), item_id="machine-gun"):
        press(adas, at("item-stash", item.pk), seen=s.fresh(made.warband(ada)).version)
    assert s.fresh(made.warband(ada)).problem_count == 0
    assert "Fix The Lantern Wardens" not in text(adas.get("/"))
    assert "Nothing: the roster is legal now." in text(cleos.get(flags))

    begin(adas, row, made.warband(ada))
    events = Event.objects.count()
    void = cleos.get(at("battle-void", row.pk))
    assert any("started the post-battle of" in line for line in void.context["page"].followed)
    assert Event.objects.count() == events
    assert c.fresh_battle(row).status == Battle.Status.REPORTED
    assert press(adas, at("battle-void", row.pk), words="No.").status_code == 403
    press(cleos, at("battle-void", row.pk), words="Played with a list nobody could field.")
    assert c.fresh_battle(row).status == Battle.Status.VOID
    assert s.fresh(made.warband(ada)).state.get("fought", 0) == 0
    assert press(cleos, flags, side=mine.pk, way="stands", words="Again.").status_code == 422
    assert flags not in text(cleos.get(at("battle-show", row.pk)))  # nothing is left to settle


# --- 9: three and more sides -------------------------------------------------------------------------------------------


def test_moment_09_three_sides_with_places_captors_and_enough_answers(cleo: Any, ada: Any, ben: Any, dora: Any) -> None:
    """Four at one table, a guest among them: places and points, out by whom, who holds the captive, how many answer."""
    made = c.club(cleo, ada, ben, dora, settings={"confirm_by": "most"})
    adas, bens, doras = signed_in(ada), signed_in(ben), signed_in(dora)
    schedule = at("battle-schedule", made.campaign.pk)
    answer = press(
        adas,
        schedule,
        seat=[made.seat(ben).pk, made.seat(dora).pk],
        guest_name=["Emil", "", ""],
        guest_keyword=["HERETIC", "", ""],
        planned_for="",
        round="",
    )
    row = Battle.objects.get()
    assert answer.url == at("battle-show", row.pk)
    assert row.sides.live().count() == 4
    press(adas, at("force-select", row.pk), act="scenario", scenario=c.SCENARIO, scenario_name="")
    mine, bens_side, doras_side, emil = c.side(row, ada), c.side(row, ben), c.side(row, dora), c.side(row, "Emil")
    for client, side in ((adas, mine), (bens, bens_side), (doras, doras_side)):
        ready(client, row, side)
    assert c.fresh_battle(row).status == Battle.Status.MUSTERED

    form = bens.get(at("battle-report", row.pk)).context["page"]
    ilse = next(line for side in form.sides for line in side.fighters if line.name == ILSE)
    assert len(ilse.by) == 5
    sent = report_form(row, doras_side, {mine: 2, bens_side: 2, doras_side: 5, emil: 1}, out=[ilse.tick.value])
    sent |= {ilse.by_name: str(doras_side.pk)}
    wrong = press(
        bens,
        at("battle-report", row.pk),
        **{
            **sent,
            f"place_{mine.pk}": "1",
            f"place_{bens_side.pk}": "2",
            f"place_{doras_side.pk}": "1",
            f"place_{emil.pk}": "4",
        },
    )
    assert wrong.status_code == 422
    assert "only it can be first" in text(wrong)
    places = {
        f"place_{mine.pk}": "3",
        f"place_{bens_side.pk}": "2",
        f"place_{doras_side.pk}": "1",
        f"place_{emil.pk}": "4",
    }
    press(bens, at("battle-report", row.pk), **{**sent, **places})
    read = text(adas.get(at("report-confirm", row.pk)))
    assert "1 The Third Breach" in read or f"1 {doras_side.warband.name}" in read
    assert f"Ilse Brandt (by {made.warband(dora).name})" in read

    # more than half of the two others answer: both must
    press(adas, at("report-confirm", row.pk), act="confirm", side=mine.pk, number=1)
    assert c.fresh_battle(row).status == Battle.Status.REPORTED
    press(doras, at("report-confirm", row.pk), act="confirm", side=doras_side.pk, number=1)
    assert c.fresh_battle(row).status == Battle.Status.CONFIRMED

    warband = made.warband(ada)
    begin(adas, row, warband)
    key = f"trauma-{c.keys(warband, ILSE)[0]}"
    roll(adas, step(row, warband), key, 1, 2)
    assert f"Held by {made.warband(dora).name}" in text(adas.get(step(row, warband)))
    write(adas, step(row, warband), key)
    assert Capture.objects.get().captor == made.warband(dora)
    assert "You hold Ilse Brandt" in text(doras.get("/"))
    assert "You hold Ilse Brandt" not in text(bens.get("/"))

    # nobody wins
    row = c.battle(made, ada, ben, dora)
    sides = [c.side(row, user) for user in (ada, ben, dora)]
    press(adas, at("battle-report", row.pk), **report_form(row, "none", {sides[0]: 1, sides[1]: 1}))
    assert {side.result for side in Side.objects.filter(battle=row)} == {"none"}


# --- 10: an opponent from outside --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("counted", "points", "fought"), [("all", 4, 1), ("growth", 0, 1), ("nothing", 0, 0)])
def test_moment_10_a_guest_counts_as_the_campaign_says(
    cleo: Any, ada: Any, ben: Any, counted: str, points: int, fought: int
) -> None:
    """Emil brings an army and no account; Cleo confirms; what it counts for is a setting."""
    made = c.club(cleo, ada, ben, settings={"guests_count": counted})
    adas, cleos = signed_in(ada), signed_in(cleo)
    schedule = at("battle-schedule", made.campaign.pk)
    told_before = {
        "all": "Guest battles count like any other.",
        "growth": "Guest battles give experience but don&#x27;t count in the standings.",
        "nothing": "Guest battles count neither for the warband nor in the standings.",
    }
    assert told_before[counted] in text(adas.get(schedule))
    press(adas, schedule, guest_name="Emil", guest_keyword="Black Grail", planned_for="", round="")
    row = Battle.objects.get()
    assert "a guest" in text(adas.get(at("battle-show", row.pk)))
    ready(adas, row, c.side(row, ada))
    mine, emil = c.side(row, ada), c.side(row, "Emil")
    press(adas, at("battle-report", row.pk), **report_form(row, mine, {mine: 4, emil: 2}))
    assert c.fresh_battle(row).status == Battle.Status.REPORTED
    assert "Confirm for Emil" in text(cleos.get("/"))
    press(cleos, at("report-confirm", row.pk), act="confirm", side=emil.pk, number=1)
    assert told() == "cleo, for Emil, confirmed the report of " + told().partition("report of ")[2]
    assert c.fresh_battle(row).status in (Battle.Status.CONFIRMED, Battle.Status.CLOSED)
    assert next(line for line in standings(made.campaign) if line.seat.user == ada).points == points
    assert PostBattle.objects.count() == fought
    if fought:
        begin(adas, row, made.warband(ada))
    assert s.fresh(made.warband(ada)).state.get("fought", 0) == fought


# --- 11: battles that were not played ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "points", "result", "followed"),
    [
        ("walk-over", 3, "won", False),
        ("no-show", 2, "won", True),
        ("conceded", 1, "won", False),
        ("abandoned", 0, "none", False),
    ],
)
def test_moment_11_walk_over_no_show_concession_abandoned(
    made: c.Club, cleo: Any, ada: Any, kind: str, points: int, result: str, followed: bool, ben: Any
) -> None:
    """Distinct results, each with the points and effects that the campaign set: no number, no experience unless it says so."""
    adas, bens, cleos = signed_in(ada), signed_in(ben), signed_in(cleo)
    ways = cleos.get(at("house-rule-list", made.campaign.pk) + "?edit=ways").context["form"].initial
    chosen = {"walk_over_points": 3, "no_show_points": 2, "conceded_points": 1, "no_show_counts": "number"}
    sent = {key: value for key, value in {**ways, **chosen}.items() if key != "token" and value is not False}
    answer = press(cleos, at("house-rule-list", made.campaign.pk) + "?edit=ways", act="save", **sent)
    assert answer.status_code == 302
    row = c.battle(made, ada, ben)
    mine = c.side(row, ada)
    here = at("battle-show", row.pk)
    assert "No-show: 2 points where none are agreed; for the result and as a battle." in text(adas.get(here))
    falls_to = "" if kind == "abandoned" else str(mine.pk)
    press(adas, here, act="unplayed", kind=kind, winner=falls_to, words="Snow on the pass.")
    row = c.fresh_battle(row)
    assert (row.kind, row.status) == (kind, Battle.Status.REPORTED)
    assert (c.side(row, ada).result, c.side(row, ada).points) == (result, points)
    press(bens, at("report-confirm", row.pk), act="confirm", side=c.side(row, ben).pk, number=1)
    assert PostBattle.objects.filter(side__battle=row).exists() == followed
    experience = s.fighter(made.warband(ada), ILSE).state["experience"]
    if followed:
        c.resolve(row, ada)
    else:
        assert c.fresh_battle(row).status == Battle.Status.CLOSED
        assert c.side(row, ada).number is None
    assert s.fresh(made.warband(ada)).state.get("fought", 0) == int(followed)
    assert s.fighter(made.warband(ada), ILSE).state["experience"] == experience
    assert kind.replace("-", " ") in text(adas.get(at("campaign-show", made.campaign.pk))).lower().replace("-", " ")


def test_moment_11_agreed_points_and_a_bye_that_is_no_win(cleo: Any, ada: Any, ben: Any) -> None:
    """Points that both agreed on stand instead of the campaign's; a bye brings points and no victory."""
    made = c.club(cleo, ada, ben, settings={"walk_over_points": 3, "bye_points": 2})
    cleos = signed_in(cleo)
    row = c.battle(made, ada, ben)
    mine, theirs = c.side(row, ada), c.side(row, ben)
    agreed = {f"points_{mine.pk}": "5", f"points_{theirs.pk}": "1"}
    press(cleos, at("battle-show", row.pk), act="unplayed", kind="walk-over", winner=str(mine.pk), words="", **agreed)
    assert (c.side(row, ada).points, c.side(row, ben).points) == (5, 1)
    press(cleos, at("battle-schedule", made.campaign.pk), act="bye", seat=[made.seat(ben).pk], planned_for="", round="")
    line = next(line for line in standings(made.campaign) if line.seat.user == ben)
    assert (line.won, line.drawn, line.lost, line.games, line.points) == (0, 0, 1, 0, 3)
    assert "bye" in text(cleos.get(at("campaign-show", made.campaign.pk)))


# --- 12: two games in one evening --------------------------------------------------------------------------------------


def test_moment_12_two_games_in_one_evening(made: c.Club, ada: Any, ben: Any) -> None:
    """The second muster waits for the first one's injuries and nothing else; each sequence has its own number, winner and dice."""
    adas = signed_in(ada)
    first = c.mustered(made, ada, ben)
    c.fight(first, by=ben, winner=ben, out={ada: ["Ottla"]})
    second = c.battle(made, ada, ben)
    setup = at("force-select", second.pk)
    page = adas.get(setup)
    sequence = at("post-battle-show", first.pk, made.warband(ada).pk)
    assert page.context["page"].force.first.href == sequence
    assert f'href="{sequence}"' in text(page)
    refused = ready(adas, second, c.side(second, ada))
    assert refused.status_code == 422
    assert "comes first" in text(refused)

    warband = made.warband(ada)
    begin(adas, first, warband)
    ottla = f"casualty-{c.keys(warband, 'Ottla')[0]}"
    roll(adas, step(first, warband), ottla, 6)
    write(adas, step(first, warband), ottla)
    assert adas.get(setup).context["page"].force.first is None
    assert ready(adas, second, c.side(second, ada)).status_code == 302
    mine = c.side(second, ada)
    press(adas, at("battle-report", second.pk), **report_form(second, mine, {mine: 2}))
    begin(adas, second, warband)
    one, other = c.sequence_row(first, ada), c.sequence_row(second, ada)
    assert (one.closed_at, other.closed_at) == (None, None)
    assert (one.aftermath["number"], other.aftermath["number"]) == (1, 2)
    assert (one.aftermath["mine"]["won"], other.aftermath["mine"]["won"]) == (False, True)
    assert list(one.record["draws"]) == [ottla]
    assert "draws" not in other.record
    assert s.fresh(warband).state["fought"] == 2
    waits = [wait.title for wait in adas.get("/").context["page"].waits]
    assert len([title for title in waits if title.startswith("Post-battle, step")]) == 2
    c.resolve(second, ada, seed=4)
    c.resolve(first, ada, seed=5)
    assert not PostBattle.objects.filter(warband=warband, closed_at=None).exists()


# --- 13: reinforcements regretted --------------------------------------------------------------------------------------


def test_moment_13_reinforcements_regretted(made: c.Club, row: Battle, ada: Any, ben: Any) -> None:
    """Both columns before the press; whole undo until something is bought, and no look at the dice before choosing."""
    adas = signed_in(ada)
    c.fight(row, by=ben, winner=ben)
    warband = made.warband(ada)
    give_money(warband, ducats=30)
    mask = s.stock(s.fresh(warband), "Gas Mask")
    c.resolve(row, ada, until="fork")
    fork = step(row, warband, "fork")
    task = adas.get(fork).context["page"].tasks[0]
    reinforce, explore = task.choice.cards
    purse = s.purse(warband)
    assert f"{purse.ducats} ducats" in reinforce.losses
    assert "Gas Mask" in reinforce.losses
    assert any("for up to" in line for line in reinforce.gains)
    assert any("on average" in line for line in explore.gains)
    shown = text(adas.get(fork))
    assert all(line in shown for line in (*reinforce.losses, *reinforce.gains, *explore.gains))

    before = s.document(warband), purse
    press(adas, fork, act="choose", task="fork", key="way", kind="one", choice="reinforce")
    taken = Event.objects.filter(kind="write").latest("pk")
    mask.refresh_from_db()
    assert mask.status == Item.Status.LOST
    undo = at("event-undo", taken.pk)
    assert press(adas, undo, seen=s.fresh(warband).version).status_code == 302
    assert (s.document(warband), s.purse(warband)) == before

    # reinforced again, and something bought: it stands until that is undone
    press(adas, fork, act="choose", task="fork", key="way", kind="one", choice="reinforce")
    taken = Event.objects.filter(kind="write").latest("pk")
    undo = at("event-undo", taken.pk)
    s.hire(s.fresh(warband), "Yeoman")
    hired = Event.objects.latest("pk")
    assert "Something was bought since" in text(adas.get(undo))
    assert press(adas, undo, seen=s.fresh(warband).version).status_code == 422
    press(adas, at("event-undo", hired.pk), seen=s.fresh(warband).version)
    assert press(adas, undo, seen=s.fresh(warband).version).status_code == 302
    assert (s.document(warband), s.purse(warband)) == before

    # exploring instead: once a die fell, nobody goes back for the reinforcements
    press(adas, fork, act="choose", task="fork", key="way", kind="one", choice="explore")
    taken = Event.objects.filter(kind="write").latest("pk")
    press(adas, fork, act="next")
    exploring = step(row, warband, "exploration")
    roll(adas, exploring, "exploration", 1, 1, 2)
    refused = press(adas, at("event-undo", taken.pk), seen=s.fresh(warband).version)
    assert refused.status_code == 422
    assert "Dice were rolled since" in text(refused)
    press(adas, exploring, act="mistyped", task="exploration")
    assert press(adas, at("event-undo", taken.pk), seen=s.fresh(warband).version).status_code == 302


# --- 14: a deed or a point remembered ----------------------------------------------------------------------------------


def test_moment_14_a_deed_remembered_an_hour_later(made: c.Club, row: Battle, cleo: Any, ada: Any, ben: Any) -> None:
    """Points alone change at once; a deed is listed with all it reaches and then applied in one act, closed sequence or not."""
    adas, cleos = signed_in(ada), signed_in(cleo)
    mine, theirs = c.side(row, ada), c.side(row, ben)
    c.fight(row, by=ada, winner=ada, points={ada: 2})
    press(signed_in(ben), at("report-confirm", row.pk), act="confirm", side=theirs.pk, number=1)
    c.resolve(row, ada, seed=2)
    assert c.sequence_row(row, ada).closed_at is not None
    amend = at("battle-report", row.pk) + "?amend=1"

    # a point: nothing else is touched
    version = s.fresh(made.warband(ada)).version
    points = report_form(row, mine, {mine: 3, theirs: 1})
    assert press(cleos, amend, **points).status_code == 302
    assert c.side(row, ada).points == 3
    assert Event.objects.latest("pk").data["done"] == []
    assert c.sequence_row(row, ada).closed_at is not None

    # a deed: listed first
    form = cleos.get(amend).context["page"]
    sniper = next(line for line in form.deeds if line.title == "Sniper")
    doer = next(pick.value for _, picks in sniper.groups for pick in picks if pick.words == ILSE)
    before, learned = s.purse(made.warband(ada)).glory, s.fighter(made.warband(ada), ILSE).state["experience"]
    sent = {**points, sniper.name: doer}
    listing = press(cleos, amend, **sent)
    assert listing.status_code == 200
    ripple = listing.context["ripple"]
    shown = text(listing)
    assert "This changes" in shown
    assert "1 glory received: Sniper, by Ilse Brandt" in shown
    assert f"experience {learned} to {learned + 1}" in shown
    assert "One promotion die more" in shown
    assert s.purse(made.warband(ada)).glory == before
    assert Report.objects.filter(battle=row).count() == 2

    # changed in between, it is listed anew; pressed again, it is applied in one act
    other = press(cleos, amend, **{**sent, f"points_{theirs.pk}": "2"}, listed=ripple.listed)
    assert "This changes" in text(other)
    assert press(cleos, amend, **sent, listed=ripple.listed).status_code == 302
    assert s.purse(made.warband(ada)).glory == before + 1
    assert s.fighter(made.warband(ada), ILSE).state["experience"] == learned + 1
    amended = Event.objects.filter(kind="amend").latest("pk")
    assert LedgerEntry.objects.filter(event=amended, warband=made.warband(ada)).count() == 1
    assert version < s.fresh(made.warband(ada)).version

    # the further die is rolled in the sequence, which is open again for it
    warband = made.warband(ada)
    assert c.sequence_row(row, ada).closed_at is None
    assert "Post-battle, step" in text(adas.get("/"))
    c.resolve(row, ada, seed=1)
    assert c.look(c.sequence_row(row, ada)).is_written("promotion-2")
    promotions = text(adas.get(step(row, warband, "promotion")))
    assert "Promotion dice told later" in promotions

    # and taken back again: glory and experience go, what cannot is said
    gone = press(cleos, amend, **points)
    assert "taken back" in text(gone)
    press(cleos, amend, **points, listed=gone.context["ripple"].listed)
    assert s.purse(warband).glory == before
    assert s.fighter(warband, ILSE).state["experience"] == learned


def test_moment_14_who_was_out_told_otherwise(made: c.Club, row: Battle, cleo: Any, ada: Any, ben: Any) -> None:
    """Somebody else was out: a new injury waits, and the one that was written is flagged until it is undone."""
    adas, cleos = signed_in(ada), signed_in(cleo)
    c.fight(row, by=ben, winner=ben, out={ada: ["Ottla"]})
    warband = made.warband(ada)
    begin(adas, row, warband)
    ottla, ilse = c.keys(warband, "Ottla", ILSE)
    roll(adas, step(row, warband), f"casualty-{ottla}", 1)
    write(adas, step(row, warband), f"casualty-{ottla}")
    mine, theirs = c.side(row, ada), c.side(row, ben)
    sent = report_form(row, theirs, out=[f"{mine.pk}:{ilse}"], **{f"by_{ilse}": str(theirs.pk)})
    amend = at("battle-report", row.pk) + "?amend=1"
    listing = press(cleos, amend, **sent)
    assert "Ottla was written before this" in text(listing)
    press(cleos, amend, **sent, listed=listing.context["ripple"].listed)
    page = adas.get(step(row, warband))
    assert "The report changed after this was written. Undo it and confirm it again." in text(page)
    states = {task.key: task.state for task in page.context["page"].tasks}
    assert states == {f"trauma-{ilse}": "roll", f"casualty-{ottla}": "written"}
    flagged = next(task for task in page.context["page"].tasks if task.state == "written")
    assert flagged.may_undo
    press(adas, step(row, warband), act="undo", task=flagged.key)
    assert s.fighter(warband, "Ottla").status == "active"
    assert [task.key for task in adas.get(step(row, warband)).context["page"].tasks] == [f"trauma-{ilse}"]


# --- 16: ransom refused ------------------------------------------------------------------------------------------------


def taken(made: c.Club, row: Battle, user: Any, client: Client, name: str) -> Capture:
    """Begin the sequence and have somebody captured."""
    warband = made.warband(user)
    begin(client, row, warband)
    key = f"trauma-{c.keys(warband, name)[0]}"
    roll(client, step(row, warband), key, 1, 2)
    write(client, step(row, warband), key)
    return Capture.objects.get(fighter__name=name, status="held")


def bargain(client: Client, capture: Capture, **sent: Any) -> Any:
    return press(client, at("capture-settle", capture.pk), **sent)


def test_moment_16_a_captive_over_weeks(made: c.Club, row: Battle, ada: Any, ben: Any) -> None:
    """Offers and counter-offers on both desks; a short purse is refused; sequences and battles go on; then both agree."""
    adas, bens = signed_in(ada), signed_in(ben)
    c.fight(row, by=ben, winner=ben, out={ada: [ILSE]})
    capture = taken(made, row, ada, adas, ILSE)
    assert "You hold Ilse Brandt captive: set a ransom" in text(bens.get("/"))
    bargain(bens, capture, act="price", role="captor", ducats="9000")
    assert "wants 9000 ducats for Ilse Brandt" in text(adas.get("/"))
    asked = RansomOffer.objects.get(status="open")
    short = bargain(adas, capture, act="accept", role="owner", offer=asked.pk)
    assert short.status_code == 422
    assert "The ransom costs 9000 ducats; The Lantern Wardens has " in text(short)
    bargain(adas, capture, act="price", role="owner", ducats="10")
    assert "offers 10 ducats for Ilse Brandt" in text(bens.get("/"))
    bargain(
        bens, capture, act="refuse", role="captor", offer=RansomOffer.objects.get(status="open", by_captor=False).pk
    )
    bargain(adas, capture, act="price", role="owner", ducats="15")
    bargain(
        adas, capture, act="withdraw", role="owner", offer=RansomOffer.objects.get(status="open", by_captor=False).pk
    )
    assert not RansomOffer.objects.filter(status="open", by_captor=False).exists()
    assert bargain(adas, capture, act="let-go", role="captor").status_code == 403

    # weeks later: both sequences are closed, another battle was fought without her
    c.resolve(row, ada, seed=3, answers={"way": "explore"})
    c.resolve(row, ben, seed=4)
    Capture.objects.filter(pk=capture.pk).update(taken_at=timezone.now() - timedelta(weeks=3))
    second = c.battle(made, ada, ben)
    muster = adas.get(at("force-select", second.pk)).context["page"]
    assert not any(line.name == ILSE and line.taken for line in muster.force.rows)
    assert ready(adas, second, c.side(second, ada)).status_code == 302
    assert Capture.objects.get().status == Capture.Status.HELD

    # agreed: a price named by both binds, and the purse covers it
    before, theirs = s.purse(made.warband(ada)).ducats, s.purse(made.warband(ben)).ducats
    price = min(before, 25)
    assert price
    bargain(bens, capture, act="price", role="captor", ducats=str(price))
    bargain(adas, capture, act="price", role="owner", ducats=str(price))
    capture.refresh_from_db()
    assert capture.status == Capture.Status.RANSOMED
    assert (s.purse(made.warband(ada)).ducats, s.purse(made.warband(ben)).ducats) == (before - price, theirs + price)
    ilse = s.fighter(made.warband(ada), ILSE)
    assert ilse.status == "active"
    assert not [t for t in ilse.state["traumas"].values() if t["scar"]]
    assert s.kit_of(ilse) == []
    for client in (adas, bens):
        assert not any(ILSE in wait.title for wait in client.get("/").context["page"].waits)


def test_moment_16_let_go_and_given_up(made: c.Club, row: Battle, ada: Any, ben: Any) -> None:
    """A captor who asks nothing, and an owner who gives somebody up: both settle it for good."""
    adas, bens = signed_in(ada), signed_in(ben)
    c.fight(row, by=ben, winner=ben, out={ada: [ILSE]})
    capture = taken(made, row, ada, adas, ILSE)
    bargain(bens, capture, act="let-go", role="captor")
    assert s.fighter(made.warband(ada), ILSE).status == "active"
    c.resolve(row, ada, seed=3)
    c.resolve(row, ben, seed=3)
    second = c.battle(made, ada, ben)
    c.fight(second, by=ben, winner=ben, out={ada: [ILSE]})
    capture = taken(made, second, ada, adas, ILSE)
    assert bargain(bens, capture, act="give-up", role="owner").status_code == 403
    bargain(adas, capture, act="give-up", role="owner")
    capture.refresh_from_db()
    assert capture.status == Capture.Status.LOST
    assert c.named(made.warband(ada), ILSE).status == "left"
    assert bargain(bens, capture, act="price", role="captor", ducats="5").status_code == 422


# --- 17: a die rolled at the table -------------------------------------------------------------------------------------


def test_moment_17_a_typed_die_says_by_whom(made: c.Club, row: Battle, cleo: Any, ada: Any, ben: Any) -> None:
    """Typed by Ada, by Cleo in her place, or rolled by the app: marked in the step and in the history."""
    adas = signed_in(ada)
    c.fight(row, by=ben, winner=ben, out={ada: [ILSE, "Ottla", "Matthias Kroll"]})
    warband = made.warband(ada)
    begin(adas, row, warband)
    here = step(row, warband)
    ilse, ottla, kroll = c.keys(warband, ILSE, "Ottla", "Matthias Kroll")
    tasks = [task.key for task in adas.get(here).context["page"].tasks]
    assert tasks[0] == f"trauma-{ilse}"
    roll(adas, here, f"trauma-{ilse}", 3, 1)
    assert "entered by ada" in text(adas.get(here + f"?task=trauma-{ilse}"))
    write(adas, here, f"trauma-{ilse}")
    assert "entered by ada" in text(adas.get(here))
    by_cleo = next(key for key in tasks if key.endswith(f"-{ottla}"))
    roll(signed_in(cleo), here, by_cleo, *((5, 5) if by_cleo.startswith("trauma") else (5,)))
    by_app = next(key for key in tasks if key.endswith(f"-{kroll}"))
    roll(adas, here, by_app)
    assert "rolled by the app for ada" in text(adas.get(here + f"?task={by_app}"))
    write(adas, here, by_cleo)
    history = text(adas.get(at("history-show", warband.pk)))
    assert "3, 1, typed in by ada." in history
    assert "typed in by cleo." in history

    # a slip is taken back in the open, the app's dice are not
    sequence = PostBattle.objects.get(side=c.side(row, ada))
    assert press(adas, here, act="mistyped", task=by_app).status_code == 422
    kept = sequence.record["draws"][by_app]
    assert kept[0]["origin"] == "app"


# --- 18: loot chosen later ---------------------------------------------------------------------------------------------


def test_moment_18_loot_chosen_later_is_printed_with_its_expiry(made: c.Club, ada: Any, ben: Any) -> None:
    """The Treasure of the Holies: one Glory Item in any trade step, kept as a promise, printed, settled weeks later."""
    adas = signed_in(ada)
    with recording(made.warband(ada), kind="gift", actor=ada) as act:
        carry_out(act, act.warband, [SetWarband(("fought",), 9, "brought from elsewhere")])
        act.say("{who} fought nine battles before.")
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ben, winner=ben)
    c.resolve(row, ada, until="fork")
    warband = made.warband(ada)
    fork = step(row, warband, "fork")
    press(adas, fork, act="choose", task="fork", key="way", kind="one", choice="explore")
    press(adas, fork, act="next")
    exploring = step(row, warband, "exploration")
    roll(adas, exploring, "exploration", 3, 3, 3, 3, 2, 2)
    for _ in range(8):
        task = next(task for task in adas.get(exploring).context["page"].tasks if task.key == "exploration")
        if task.state == "written":
            break
        assert task.choice is not None
        values = [card.value for card in task.choice.cards if not card.closed_reason]
        wanted = next((v for v in ("done", "treasure-of-the-holies") if v in values), values[0])
        press(
            adas, exploring, act="choose", task="exploration", key=task.choice.key, kind=task.choice.kind, choice=wanted
        )
    promise = Promise.objects.get(warband=warband)
    assert "Glory Item" in promise.words
    with recording(s.fresh(warband), kind="gift", actor=ada) as act:
        carry_out(act, act.warband, [Owes("find", "A crate of rum.", "the end of battle 12", {})])
        act.say("{who} is owed rum.")
    for name in ("warband-show", "stash-show"):
        page = text(adas.get(at(name, warband.pk)))
        assert "Glory Item" in page
        assert "the end of battle 12" in page
    printed = sheet_page(s.fresh(warband), PrintOptions())
    assert any("Glory Item" in line for line in printed.promises)
    assert "A crate of rum. (the end of battle 12)" in printed.promises
    c.resolve(row, ada, seed=1)
    assert Promise.objects.filter(warband=warband, status=Promise.Status.OPEN).count() == 2
    assert adas.get(at("promise-settle", promise.pk)).status_code == 200


# --- 24: leader dead, purse empty --------------------------------------------------------------------------------------


def test_moment_24_leader_dead_purse_empty_and_still_playing(made: c.Club, row: Battle, ada: Any, ben: Any) -> None:
    """One must be hired; until then every page is open, and the warband musters, fights and is reported."""
    adas = signed_in(ada)
    c.fight(row, by=ben, winner=ben, out={ada: [ILSE]})
    warband = made.warband(ada)
    begin(adas, row, warband)
    key = f"trauma-{c.keys(warband, ILSE)[0]}"
    roll(adas, step(row, warband), key, 1, 1)
    write(adas, step(row, warband), key)
    assert c.named(warband, ILSE).status == "dead"
    c.resolve(row, ada, seed=3, answers={"way": "explore"})
    spend_all(warband)
    assert not s.purse(warband)
    page = text(adas.get(at("warband-show", warband.pk)))
    assert "No leader." in page
    assert "One must be hired; until then the warband can still play." in page
    for name in ("fighter-hire", "stash-show", "history-show", "roster-print", "warband-change"):
        assert adas.get(at(name, warband.pk)).status_code == 200, name
    offer = s.hire_offer(s.fresh(warband), "Lieutenant")
    refused = press(adas, at("fighter-hire", warband.pk), offer=offer.id, seen=s.fresh(warband).version)
    assert refused.status_code == 422
    carried = Item.objects.live().filter(warband=warband, fighter__isnull=False, status="held", origin="bought").first()
    assert carried is not None
    assert press(adas, at("item-stash", carried.pk), seen=s.fresh(warband).version).status_code == 302

    second = c.battle(made, ada, ben)
    assert ready(adas, second, c.side(second, ada)).status_code == 302
    mine = c.side(second, ada)
    assert mine.snapshot is not None
    assert [problem["code"] for problem in mine.snapshot.problems].count("no-leader") == 1
    press(adas, at("battle-report", second.pk), **report_form(second, mine, {mine: 1}))
    c.resolve(second, ada, seed=2)
    assert s.fresh(warband).state["fought"] == 2
