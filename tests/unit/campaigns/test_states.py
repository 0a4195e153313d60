"""A campaign and a warband move to another state of the rules: seen beforehand, as one act, with a policy, and undone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.services.house_rules import change_house_rules
from campaigns.services.open import change_campaign, open_campaign
from campaigns.services.states import foresee_campaign, move_campaign
from rules.parts.states import FigureChange
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system
from tests import campaign_stories as c
from tests import stories as s
from tests.drills import sampled
from tests.module_story import story
from warbands.adapters import force_of
from warbands.idempotency import new_token
from warbands.models import Event, Terms, Warband
from warbands.pages.rule_links import names_of
from warbands.pages.states import LONG_LIST, PartedReport, WarbandReport, grouped, parted, report_of
from warbands.recording import recording
from warbands.services.founding import copy_sample, found_warband
from warbands.services.states import change_state, foresee
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
EDITION = "1.0"
GRENADES, SULTANATE, COURT = "tc-2026-04-grenades", "tc-2026-04-iron-sultanate", "tc-2026-04-court-hotfix"


@story
def made(ada: Any, ben: Any, cleo: Any) -> c.Club:
    club = c.club(cleo, edition=EDITION, overlays=())
    for player, sample in ((ada, "bronze-gate"), (ben, "lantern-wardens")):
        c.joins(club, player, sample=sample)
    return club


def terms_of(club: c.Club) -> Terms:
    return Terms.objects.get(pk=club.campaign.terms_id)


def campaign_of(club: c.Club) -> Any:
    return type(club.campaign).objects.select_related("terms").get(pk=club.campaign.pk)


def move(club: c.Club, overlays: list[str], policy: str, actor: Any) -> Event:
    move_campaign(campaign=campaign_of(club), overlays=overlays, policy=policy, actor=actor)
    return Event.objects.filter(kind="state").latest("pk")


def enrich(club: c.Club, player: Any) -> Warband:
    with recording(club.warband(player), kind="repair-money", actor=club.administrator) as act:
        act.earn(Price(ducats=100), reason="A find")
    return club.warband(player)


def test_the_effect_is_shown_for_every_warband_and_nothing_is_saved(made: c.Club, ada: Any, ben: Any) -> None:
    before = [s.written(made.warband(who)) for who in (ada, ben)]
    found = {w.name: change for w, change in foresee_campaign(campaign_of(made), [SULTANATE])}
    bull, wardens = found[made.warband(ada).name], found[made.warband(ben).name]
    assert bull.refund.ducats < 0
    assert wardens.nothing
    assert [s.written(made.warband(who)) for who in (ada, ben)] == before


def test_keeping_what_was_paid_moves_no_money(made: c.Club, ada: Any, cleo: Any) -> None:
    purse, rating = s.purse(made.warband(ada)), made.warband(ada).rating_ducats
    move(made, [SULTANATE], "keep", cleo)
    assert terms_of(made).overlays == [SULTANATE]
    assert s.purse(made.warband(ada)) == purse
    assert made.warband(ada).rating_ducats > rating
    s.assert_reconciled(made.warband(ada))


def test_settling_charges_the_difference_and_notes_what_is_owed(made: c.Club, ada: Any, cleo: Any) -> None:
    warband = made.warband(ada)
    found = {w.pk: change for w, change in foresee_campaign(campaign_of(made), [SULTANATE])}[warband.pk]
    purse = s.purse(warband)
    move(made, [SULTANATE], "settle", cleo)
    after = made.warband(ada)
    charged = min(purse.ducats, -found.refund.ducats)
    assert s.purse(after).ducats == purse.ducats - charged
    assert ("Still owes" in after.notes) == (charged < -found.refund.ducats)
    s.assert_reconciled(after)


def test_a_refund_gives_back_what_costs_less_and_charges_nothing(made: c.Club, ada: Any, cleo: Any) -> None:
    move(made, [SULTANATE], "settle", cleo)
    purse = s.purse(made.warband(ada))
    move(made, [], "refund", cleo)
    assert s.purse(made.warband(ada)).ducats > purse.ducats
    purse = s.purse(made.warband(ada))
    move(made, [SULTANATE], "refund", cleo)
    assert s.purse(made.warband(ada)) == purse


@pytest.mark.parametrize("policy", ["keep", "refund", "settle"])
def test_one_undo_restores_every_export(policy: str, made: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    before = [s.document(made.warband(who)) for who in (ada, ben)]
    money = [s.purse(made.warband(who)) for who in (ada, ben)]
    event = move(made, [SULTANATE, GRENADES], policy, cleo)
    assert [s.document(made.warband(who)) for who in (ada, ben)] != before
    undo(event=event, actor=cleo)
    assert [s.document(made.warband(who)) for who in (ada, ben)] == before
    assert [s.purse(made.warband(who)) for who in (ada, ben)] == money
    assert terms_of(made).overlays == []


def test_what_has_no_counterpart_stays_as_an_entry_of_its_own(made: c.Club, ada: Any, cleo: Any) -> None:
    move(made, [SULTANATE], "keep", cleo)
    warband = enrich(made, ada)
    piece = s.stock(warband, "Gas Grenades")
    assert piece.offer_id == "iron-sultanate-gas-grenades"
    event = move(made, [], "keep", cleo)
    content = made.warband(ada).terms.content
    assert "iron-sultanate-gas-grenades" in {offer.id for offer in content.pack.item_offers}  # type: ignore[attr-defined]
    shop = {offer.id for offer in content.lists[warband.list_id].item_offers}  # type: ignore[attr-defined]
    assert "iron-sultanate-gas-grenades" not in shop
    assert "Gas Grenades" in str(s.document(made.warband(ada))["stash"])
    undo(event=event, actor=cleo)
    assert terms_of(made).overlays == [SULTANATE]


def test_an_undo_that_would_lose_what_was_bought_since_is_refused(made: c.Club, ada: Any, cleo: Any) -> None:
    event = move(made, [SULTANATE], "keep", cleo)
    s.stock(enrich(made, ada), "Alchemical Fire")
    with pytest.raises(Refusal, match="Alchemical Fire"):
        undo(event=event, actor=cleo)


@pytest.mark.parametrize(
    ("overlays", "policy", "code"),
    [
        ([], "keep", "no-change"),
        (["moonbeam"], "keep", "unknown-overlay"),
        (["-tc-1.0.2"], "keep", "history"),
        ([COURT], "gift", "policy"),
    ],
)
def test_a_refused_move_writes_nothing(
    overlays: list[str], policy: str, code: str, made: c.Club, ada: Any, cleo: Any
) -> None:
    before = s.written(made.warband(ada))
    with pytest.raises(Refusal) as caught:
        move(made, overlays, policy, cleo)
    assert caught.value.code == code
    assert s.written(made.warband(ada)) == before


def test_house_rules_hold_on_above_the_overlays(made: c.Club, cleo: Any) -> None:
    move(made, [SULTANATE], "keep", cleo)
    change_house_rules(campaign=campaign_of(made), actor=cleo, house_rules={"banned": ["alchemical-fire"]})
    assert terms_of(made).overlays == [SULTANATE]
    move(made, [SULTANATE, COURT], "keep", cleo)
    assert terms_of(made).house_rules["banned"] == ["alchemical-fire"]


def test_a_new_campaign_begins_with_the_newest_official_state(cleo: Any) -> None:
    part = system("trench-crusade").states
    assert part is not None
    campaign = open_campaign(actor=cleo, name="The Long Spring", edition=EDITION)
    assert campaign.terms.overlays == list(part.newest(EDITION))
    assert open_campaign(actor=cleo, name="The Old Spring", edition=EDITION, overlays=()).terms.overlays == []


def alone(ada: Any) -> Warband:
    terms = Terms.objects.create(system="trench-crusade", edition=EDITION)
    return found_warband(actor=ada, owner=ada, terms=terms, list_id="iron-sultanate", name="The Ash Gate")


def test_an_owner_moves_a_warband_of_no_campaign(ada: Any) -> None:
    warband = alone(ada)
    terms, before = warband.terms_id, s.document(warband)
    change_state(warband=warband, overlays=[SULTANATE], policy="settle", actor=ada)
    moved = s.fresh(warband)
    assert moved.terms.overlays == [SULTANATE]
    assert moved.terms_id != terms
    undo(event=Event.objects.filter(kind="own-state").latest("pk"), actor=ada)
    assert s.fresh(warband).terms_id == terms
    assert s.document(warband) == before


def test_a_warband_of_a_campaign_is_not_moved_alone(made: c.Club, ada: Any) -> None:
    with pytest.raises(Refusal) as caught:
        change_state(warband=made.warband(ada), overlays=[SULTANATE], policy="keep", actor=ada)
    assert caught.value.code == "campaign"


def test_the_page_shows_prints_and_moves(made: c.Club, cleo: Any) -> None:
    client, here = Client(), reverse("campaign-states", args=[made.campaign.pk])
    client.force_login(cleo)
    assert "What would change?" in client.get(here).content.decode()
    shown = client.get(here, {"look": 1, "with": [SULTANATE]}).content.decode()
    assert "Brazen Bull" in shown
    assert "Play by these rules" in shown
    table = client.get(here, {"with": SULTANATE, "as": "csv"})
    assert "Brazen Bull,price,100 d,115 d" in table.content.decode()
    pdf = client.get(here, {"with": SULTANATE, "as": "pdf"})
    assert pdf.content.startswith(b"%PDF")
    assert client.get(here, {"with": "moonbeam"}).status_code == 422
    sent = {"with": [SULTANATE], "policy": "refund", "token": new_token()}
    assert client.post(here, sent).status_code == 302
    assert terms_of(made).overlays == [SULTANATE]
    assert client.post(here, {**sent, "policy": "gift", "token": new_token()}).status_code == 422


def test_another_edition_begins_with_its_newest_official_state(cleo: Any) -> None:
    campaign = open_campaign(actor=cleo, name="The Old Spring", edition=OLD)
    client, here = Client(), reverse("campaign-states", args=[campaign.pk])
    client.force_login(cleo)
    page = client.get(here, {"look": 1, "seen": OLD, "edition": EDITION}).context["page"]
    assert page.chosen == tuple(system("trench-crusade").states.newest(EDITION))  # type: ignore[union-attr]
    assert client.get(here, {"look": 1, "seen": EDITION, "edition": EDITION}).context["page"].chosen == ()


def test_the_books_in_two_states_are_open_to_everybody() -> None:
    here = reverse("rule-states", args=["trench-crusade", EDITION])
    shown = Client().get(here, {"here": "1.0", "there": f"1.0+{GRENADES}"}).content.decode()
    assert "Incendiary Grenades cost 10 ducats" in shown
    assert "FUMBLE" in shown
    assert Client().get(here, {"here": "1.0-tc-1.0.2", "there": "1.0"}).status_code == 200
    assert Client().get(here, {"there": "1.0+moonbeam"}).status_code == 404
    assert Client().get(f"{here}?here=1.0&there=1.0+{GRENADES}").status_code == 200  # typed, with a bare plus


def test_the_rules_browser_shows_a_chosen_state_and_its_links_keep_it() -> None:
    here = reverse("rule-list", args=["trench-crusade", EDITION])
    shown = Client().get(here, {"state": f"{GRENADES},{SULTANATE}", "find": "fumble"}).content.decode()
    assert f"state={GRENADES},{SULTANATE}" in shown
    assert "FUMBLE" in shown
    assert "FUMBLE" not in Client().get(here, {"find": "fumble"}).content.decode()
    entry = reverse("rule-show", args=["trench-crusade", EDITION, "keyword", "fumble"])
    assert Client().get(entry, {"state": GRENADES}).status_code == 200
    assert Client().get(entry).status_code == 404
    assert Client().get(here, {"state": "moonbeam"}).status_code == 200


def test_an_entry_tells_its_history() -> None:
    entry = reverse("rule-show", args=["trench-crusade", EDITION, "item", "malebranche-sword"])
    shown = Client().get(entry).content.decode()
    assert "50 d → 35 d" in shown
    assert "Malebranche Sword gains DEADLY" in shown


def test_a_warband_s_links_into_the_rules_keep_its_state(made: c.Club, ada: Any, cleo: Any) -> None:
    move(made, [SULTANATE], "keep", cleo)
    names = names_of(made.warband(ada).terms)
    address = names.address(names.by_id["item", "alchemical-fire"])
    assert address.endswith(f"?state={SULTANATE}")
    assert Client().get(address).status_code == 200


def test_newer_official_rules_are_an_offer_on_the_desk(made: c.Club, ada: Any, cleo: Any) -> None:
    words, client = "Newer official rules for", Client()
    client.force_login(cleo)
    assert words in client.get(reverse("desk-show")).content.decode()
    client.force_login(ada)
    assert words not in client.get(reverse("desk-show")).content.decode()
    client.force_login(cleo)
    change_campaign(campaign=campaign_of(made), actor=cleo, settings={"newer_rules": "stay"})
    assert words not in client.get(reverse("desk-show")).content.decode()


OLD = "1.6.3"
SAMPLES = [(id_, list_id) for id_, _name, list_id, _words in system("trench-crusade").founding.samples(
    system("trench-crusade").content(OLD)
)]  # fmt: skip
ONE_EACH = {list_id: id_ for id_, list_id in SAMPLES}


@pytest.mark.parametrize("sample", sampled(sorted(ONE_EACH.values()), 10))
def test_every_list_moves_to_the_other_edition_and_back_with_nothing_lost(sample: str, ada: Any) -> None:
    terms = Terms.objects.create(system="trench-crusade", edition=OLD, house_rules={"third_party": True})
    warband = copy_sample(actor=ada, owner=ada, terms=terms, sample_id=sample)
    hurt(warband, ada)
    before, rows = exported(warband), s.written(warband)
    ((_warband, change),) = foresee(terms, [s.fresh(warband)], (), EDITION)
    change_state(warband=warband, edition=EDITION, overlays=[], policy="keep", actor=ada)
    there = s.fresh(warband)
    assert there.terms.edition == EDITION
    verdict = there.terms.game.check(there.terms.content, force_of(there))  # type: ignore[attr-defined]
    assert [problem.message for problem in change.after] == [problem.message for problem in verdict.problems]
    assert change.rating_after == verdict.rating
    now, was = s.document(there), json.loads(before)
    assert [(f["name"], pieces_of(f)) for f in now["fighters"]] == [(f["name"], pieces_of(f)) for f in was["fighters"]]
    content: Any = there.terms.content
    assert all(fighter.profile_id in content.profiles for fighter in there.fighters.all())
    assert set(there.state["lasting"]) == {"x1"}
    assert content.lasting["plague-library"].name in {row.name for row in change.missing}
    s.assert_reconciled(there)
    change_state(warband=there, edition=OLD, overlays=[], policy="keep", actor=ada)
    assert exported(warband) == before
    for event in Event.objects.filter(kind="own-state").order_by("-pk"):
        undo(event=event, actor=ada)
    assert exported(warband) == before
    again = s.written(warband)
    assert [again[key] for key in ("fighters", "items", "ledger")] == [
        rows[key] for key in ("fighters", "items", "ledger")
    ]


def hurt(warband: Warband, actor: Any) -> None:
    """Give a warband a scar and a lasting effect that only the old edition has."""
    leader = s.fresh(warband).fighters.order_by("position", "pk").first()
    scar = {"id": "facial-scar", "scar": True, "details": {}, "battle": 1}
    with recording(warband, kind="repair-scars", actor=actor) as act:
        act.write(leader, {}, (("state", ("traumas", "x1"), scar),))
        act.write(warband, {}, (("state", ("lasting", "x1"), {"id": "plague-library", "choices": {}}),))


def exported(warband: Warband) -> str:
    return json.dumps(s.document(warband), ensure_ascii=False)


def pieces_of(fighter: dict[str, Any]) -> tuple[int, int, int, int]:
    return tuple(len(fighter[part]) for part in ("kit", "upgrades", "skills", "traumas"))  # type: ignore[return-value]


def test_a_campaign_moves_to_another_edition_in_the_middle_of_a_season(ada: Any, ben: Any, cleo: Any) -> None:
    club = c.club(cleo, ada, ben)
    row = c.mustered(club, ada, ben)
    with pytest.raises(Refusal) as caught:
        move_campaign(campaign=club.campaign, overlays=[], edition=EDITION, policy="keep", actor=cleo)
    assert caught.value.code == "unfinished"
    assert all(f"{club.warband(who).name} ({who})" in caught.value.message for who in (ada, ben))
    c.fight(row, ben, ben, points={ada: 2, ben: 6})
    c.begin(c.fresh_battle(row), ada)
    before = [s.document(club.warband(who)) for who in (ada, ben)]
    with pytest.raises(Refusal, match=rf"Steps after a battle are still open for {club.warband(ada).name} \(ada\)"):
        move_campaign(campaign=club.campaign, overlays=[], edition=EDITION, policy="keep", actor=cleo)
    assert [s.document(club.warband(who)) for who in (ada, ben)] == before


def test_a_long_difference_is_folded_by_faction_and_kind_and_can_be_searched() -> None:
    here, client = reverse("rule-states", args=["trench-crusade", EDITION]), Client()
    there = "+".join((EDITION, *system("trench-crusade").states.newest(EDITION)))  # type: ignore[union-attr]
    page = client.get(here, {"here": EDITION, "there": there}).context["page"]
    assert not any(fold.is_open for fold in page.folds)
    titles = [fold.title for fold in page.folds]
    assert len(titles) == len(set(titles))
    assert {"Offers: Heretic Naval Raiders (Carcass Front)", "Keywords"} <= set(titles)
    for fold in page.folds:
        for entry in fold.entries:
            assert len(entry.figures) == len(set(entry.figures))
            assert all(figure.before != figure.after for figure in entry.figures), entry
    assert len(page.told) == len(set(page.told))
    found = client.get(here, {"here": EDITION, "there": there, "find": "GAS grenades naval"}).context["page"]
    assert all(fold.is_open for fold in found.folds)
    entries = [entry for fold in found.folds for entry in fold.entries]
    assert 0 < len(entries) < 8
    shown = client.get(here, {"here": EDITION, "there": there, "find": "moonbeam"}).content.decode()
    assert "No difference has these words." in shown


def test_what_the_own_list_of_a_new_faction_asks_is_told_as_on_the_list(ada: Any) -> None:
    newest = system("trench-crusade").states.newest(EDITION)  # type: ignore[union-attr]
    terms = Terms.objects.create(system="trench-crusade", edition=EDITION, overlays=list(newest))
    warband = copy_sample(actor=ada, owner=ada, terms=terms, sample_id="green-cross")
    ((_warband, change),) = foresee(terms, [warband], (*newest, GRENADES))
    lines = {(line.fighter, line.label) for line in change.lines}
    assert not any("Carcass Front" in label for _fighter, label in lines)


def test_what_is_the_same_for_several_fighters_is_told_once(made: c.Club, ada: Any) -> None:
    ((warband, change),) = [row for row in foresee_campaign(made.campaign, [SULTANATE]) if row[0].owner == ada]
    told = report_of(warband, change).lines
    assert len(told) < len(change.lines)
    assert len({(x.entry, x.label, x.before, x.after) for x in told}) == len(told)
    assert {(name, x.entry) for x in told for name in x.fighter.split(", ")} == {
        (x.fighter, x.entry) for x in change.lines
    }


def test_paper_tells_once_what_is_the_same_for_several_warbands(cleo: Any) -> None:
    terms = Terms.objects.create(system="trench-crusade", edition=OLD, house_rules={"third_party": True})
    warbands = [copy_sample(actor=cleo, owner=cleo, terms=terms, sample_id="lantern-wardens") for _ in range(2)]
    reports = [report_of(warband, change) for warband, change in foresee(terms, warbands, (), EDITION)]
    printed, shared = parted(reports)
    assert {line.label for line in printed[0].lines} <= {"price", "on the list"}
    assert len(printed[0].lines) + len(shared) == len(reports[0].lines)
    assert f"{len(shared)} more differences stand at the end." == printed[1].shared_words
    assert {line.fighter for line in shared} == {"all"}
    alone, none = parted(reports[:1])
    assert (alone[0].lines, alone[0].shared_words, none) == (reports[0].lines, "", ())


def test_paper_tells_once_a_long_list_of_fighters_that_several_rows_share() -> None:
    many, others, few = "Ada of the Weir, " * 5 + "Ben", "Cleo of the Ford, " * 5 + "Dora", "Ada of the Weir, Ben"
    assert len(many) > LONG_LIST > len(few)
    rows = tuple(
        FigureChange(who, f"Entry {n}", "price", "1", "2") for n, who in enumerate((many, few, others, many, few))
    )
    printed = grouped(PartedReport(WarbandReport("The Weir", "Worth less."), rows, ""))
    assert printed.groups == (("Group 1", many),)
    assert [line.fighter for line in printed.lines] == ["Group 1", few, others, "Group 1", few]
    assert [replace(line, fighter="") for line in printed.lines] == [replace(line, fighter="") for line in rows]
