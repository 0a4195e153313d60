"""A season that moves to another edition in its middle: what was won and suffered stays, and the club plays on."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle
from campaigns.scenarios import deeds_of, scenario_name
from campaigns.services.house_rules import change_house_rules
from campaigns.services.muster import make_side_ready
from campaigns.services.states import foresee_campaign, move_campaign
from rules.registry import system
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.adapters import force_of
from warbands.models import Event, Fighter, Terms, Warband
from warbands.pages.states import report_of
from warbands.recording import recording
from warbands.services.founding import copy_sample
from warbands.services.states import change_state, foresee
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
OLD, NEW = "1.6.3", "1.0"
OF_OLD = ("Facial Scar", "Combine", "Plague Esoteric Library")  # 1.0 has none of these


@story
def played(ada: Any, ben: Any, cleo: Any) -> c.Club:
    """One battle played to the end, and another planned, both in a scenario that only the old edition has."""
    club = c.club(cleo, ada, ben)
    row = c.mustered(club, ada, ben)
    c.fight(row, ben, ben, points={ada: 2, ben: 6}, deeds=[("blood-cloud", ben, c.named_first(club, ben))])
    for player in (ada, ben):
        c.resolve(c.fresh_battle(row), player)
    marked(club.warband(ada), cleo)
    c.battle(club, ada, ben)
    return club


def marked(warband: Warband, actor: Any) -> None:
    """Give a warband a scar, a skill and a lasting effect of the old edition."""
    leader = Fighter.objects.live().filter(warband=warband).order_by("position", "pk").first()
    assert leader is not None
    scar = {"id": "facial-scar", "scar": True, "details": {}, "battle": 1}
    with recording(warband, kind="repair-scars", actor=actor) as act:
        act.write(
            leader,
            {},
            (("state", ("traumas", "x1"), scar), ("state", ("skills", "x2"), {"id": "combine", "choices": {}})),
        )
        act.write(warband, {}, (("state", ("lasting", "x3"), {"id": "plague-library", "choices": {}}),))


def battles(club: c.Club) -> tuple[Battle, Battle]:
    planned, fought = (c.fresh_battle(row) for row in Battle.objects.filter(campaign=club.campaign).order_by("-pk"))
    return fought, planned


def move(club: c.Club, edition: str, actor: Any, policy: str = "keep") -> Event:
    campaign = type(club.campaign).objects.select_related("terms").get(pk=club.campaign.pk)
    move_campaign(campaign=campaign, overlays=[], edition=edition, policy=policy, actor=actor)
    club.campaign.refresh_from_db()
    return Event.objects.filter(kind="state").latest("pk")


def test_everything_that_has_no_counterpart_is_listed_and_kept(played: c.Club, ada: Any, cleo: Any) -> None:
    ((warband, change),) = [row for row in foresee_campaign(played.campaign, [], NEW) if row[0].owner == ada]
    told = report_of(warband, change).missing
    assert all(any(words.startswith(name) for words in told) for name in OF_OLD)
    problems = report_of(warband, change).problems
    assert len(problems) == len({words.partition(": ")[2] for words in problems})
    assert any(words.endswith(": Bolt-Action Rifle does not come with Yeoman.") for words in problems)
    move(played, NEW, cleo)
    document = str(s.document(played.warband(ada)))
    assert all(name in document for name in ("Facial Scar", "Combine", "plague-library"))
    client = Client()
    client.force_login(ada)
    leader = played.warband(ada).fighters.order_by("position", "pk").first()
    shown = client.get(reverse("fighter-show", args=[leader.pk])).content.decode()
    assert "Facial Scar" in shown
    assert "facial-scar" not in shown.replace("/facial-scar", "")


def test_no_roll_of_the_other_edition_finds_what_was_kept(played: c.Club, ada: Any, cleo: Any) -> None:
    move(played, NEW, cleo)
    content: Any = played.warband(ada).terms.content
    assert content.traumas["facial-scar"].name == "Facial Scar"
    assert "facial-scar" not in {trauma.id for trauma in content.pack.traumas}
    assert content.name("trauma", "facial-scar") == "Facial Scar"


def test_the_season_plays_on_and_moves_back(played: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    before = [s.document(played.warband(who)) for who in (ada, ben)]
    move(played, NEW, cleo)
    _fought, planned = battles(played)
    for player in (ada, ben):
        make_side_ready(side=c.side(planned, player), actor=player)
    hurt = [c.named_first(played, ada)]
    c.fight(c.fresh_battle(planned), ben, ben, points={ada: 2, ben: 6}, out={ada: hurt})
    for player in (ada, ben):
        assert c.resolve(c.fresh_battle(planned), player, seed=5).closed_at is not None
        s.assert_reconciled(played.warband(player))
    move(played, OLD, cleo)
    for who, was in zip((ada, ben), before, strict=True):
        now = s.document(played.warband(who))
        assert now["edition"] == OLD
        assert now["battles"]["fought"] == was["battles"]["fought"] + 1
        assert {f["name"] for f in was["fighters"]} <= {f["name"] for f in now["fighters"]}


def test_scenarios_stay_by_name_and_come_back(played: c.Club, cleo: Any) -> None:
    names = [scenario_name(row) for row in battles(played)]
    move(played, NEW, cleo)
    fought, planned = battles(played)
    assert [scenario_name(row) for row in (fought, planned)] == names
    assert (fought.scenario_id, planned.scenario_id) == (c.SCENARIO, "")
    client = Client()
    client.force_login(cleo)
    assert client.get(reverse("force-select", args=[planned.pk])).status_code == 200
    change_house_rules(campaign=fought.campaign, actor=cleo, house_rules={"banned": ["bayonet"]})
    fought, planned = battles(played)
    assert "Blood Cloud" in {deed.name for deed in deeds_of(fought)}
    assert "Blood Cloud" not in {deed.name for deed in deeds_of(planned)}
    assert scenario_name(fought) == names[0]
    move(played, OLD, cleo)
    assert battles(played)[1].scenario_id == c.SCENARIO


@pytest.mark.parametrize("policy", ["keep", "refund", "settle"])
def test_one_undo_restores_a_played_season(policy: str, played: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    before = [(s.document(played.warband(who)), s.purse(played.warband(who))) for who in (ada, ben)]
    undo(event=move(played, NEW, cleo, policy), actor=cleo)
    assert battles(played)[1].scenario_id == c.SCENARIO
    assert [(s.document(played.warband(who)), s.purse(played.warband(who))) for who in (ada, ben)] == before


def test_the_page_says_beforehand_what_stops_a_move_and_what_else_it_changes(
    played: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    client, here = Client(), reverse("campaign-states", args=[played.campaign.pk])
    client.force_login(cleo)
    shown = client.get(here, {"look": 1, "edition": NEW}).content.decode()
    assert "Not there, so planned battles keep it by name only" in shown
    assert "Play by these rules" in shown
    c.mustered(played, ada, ben)
    shown = client.get(here, {"look": 1, "edition": NEW}).content.decode()
    assert "A battle is ready and not reported" in shown
    assert "Play by these rules" not in shown


def test_a_patron_of_a_later_change_stays_with_its_skills(ada: Any) -> None:
    terms = Terms.objects.create(system="trench-crusade", edition=NEW, overlays=["tc-2026-09-patrons"])
    warband = copy_sample(actor=ada, owner=ada, terms=terms, sample_id="bronze-gate")
    with recording(warband, kind="repair-scars", actor=ada) as act:
        act.change(act.row(warband), patron="house-of-wisdom")
    patron = terms.content.patrons["house-of-wisdom"]  # type: ignore[attr-defined]
    change_state(warband=s.fresh(warband), overlays=[], policy="keep", actor=ada)
    content: Any = s.fresh(warband).terms.content
    assert content.patrons[patron.id].skills == patron.skills
    assert {*patron.skills} <= {*content.skills}
    assert not any(patron.id in army.patrons for army in content.pack.lists)


def test_what_is_kept_is_said_to_be_kept_and_not_to_be_ruled_out(ada: Any) -> None:
    terms = Terms.objects.create(system="trench-crusade", edition=OLD)
    warband = copy_sample(actor=ada, owner=ada, terms=terms, sample_id="lion-of-judah")
    ((_warband, change),) = foresee(terms, [warband], (), NEW)
    words = [problem.message for problem in change.new]
    assert any("is not in these rules. It stays as an entry of its own." in each for each in words)
    assert not any("left out by a house rule" in each for each in words)


def test_a_campaign_leaves_a_change_whose_list_somebody_plays(ada: Any, ben: Any, cleo: Any) -> None:
    newest = system("trench-crusade").states.newest(NEW)  # type: ignore[union-attr]
    club = c.club(cleo, edition=NEW)
    for player, sample in ((ada, "green-cross"), (ben, "gallows-choir")):
        c.joins(club, player, sample=sample)
    before = [s.document(club.warband(who)) for who in (ada, ben)]
    event = move(club, NEW, cleo)
    mine, content = club.warband(ada), club.warband(ada).terms.content
    closed = content.lists[mine.list_id].closed  # type: ignore[attr-defined]
    assert closed == "Knights of Saint Lazarus is not in these rules. It stays as a list of its own."
    undo(event=event, actor=cleo)
    assert [s.document(club.warband(who)) for who in (ada, ben)] == before
    move(club, NEW, cleo)
    row = c.mustered(club, ada, ben, scenario="relic-hunt")
    c.fight(row, ada, ben, points={ada: 1, ben: 4}, out={ada: [c.named_first(club, ada)]})
    for player in (ada, ben):
        assert c.resolve(c.fresh_battle(row), player, seed=3).closed_at is not None
        s.assert_reconciled(club.warband(player))
    client = Client()
    client.force_login(ada)
    for name in ("warband-show", "fighter-hire", "warband-states"):
        assert client.get(reverse(name, args=[mine.pk])).status_code == 200
    campaign = type(club.campaign).objects.select_related("terms").get(pk=club.campaign.pk)
    move_campaign(campaign=campaign, overlays=newest, policy="keep", actor=cleo)
    back = club.warband(ada)
    assert not back.terms.content.lists[back.list_id].closed  # type: ignore[attr-defined]


@pytest.mark.parametrize("sample", ["bell-of-bethany", "starless-mouth"])
def test_a_list_without_a_counterpart_is_kept_with_its_warband(sample: str, ada: Any) -> None:
    newest = tuple(system("trench-crusade").states.newest(NEW))  # type: ignore[union-attr]
    terms = Terms.objects.create(
        system="trench-crusade", edition=NEW, overlays=newest, house_rules={"third_party": True}
    )
    warband = copy_sample(actor=ada, owner=ada, terms=terms, sample_id=sample)
    before = s.document(warband)
    ((_warband, change),) = foresee(terms, [warband], (), OLD)
    change_state(warband=warband, overlays=[], edition=OLD, policy="settle", actor=ada)
    there = s.fresh(warband)
    verdict = there.terms.game.check(there.terms.content, force_of(there))  # type: ignore[attr-defined]
    assert [problem.message for problem in change.after] == [problem.message for problem in verdict.problems]
    assert change.missing[0].table == "lists"
    assert [f["name"] for f in s.document(there)["fighters"]] == [f["name"] for f in before["fighters"]]
    undo(event=Event.objects.filter(kind="own-state").latest("pk"), actor=ada)
    assert s.document(warband) == before
