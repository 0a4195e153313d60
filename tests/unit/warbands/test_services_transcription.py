"""A roster copied off paper: kept as typed, brought in with one act that holds everything, taken back whole by undo."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from campaigns.import_targets import seat_place
from campaigns.models import Capture, Seat
from campaigns.services.join import add_seat
from campaigns.services.opening_score import change_opening
from campaigns.standings import standings
from rules.price import Price
from rules.problems import Refusal
from rules.transcription import PaperData, PaperFighter, PaperPiece, PaperWound, paper_data
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.adapters import force_of
from warbands.import_targets import Score
from warbands.models import Event, Fighter, Item, LedgerEntry, PaperDraft, Warband
from warbands.recording import AlreadyDone
from warbands.services.documents import export_document
from warbands.services.founding import import_document
from warbands.services.transcription import (
    bring_from_paper,
    check_draft,
    discard_draft,
    keep_fighter,
    keep_warband,
    leave_fighter,
    start_draft,
    terms_of,
)
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def sheet() -> PaperData:
    """Everything that a paper roster holds after three battles."""
    return PaperData(
        list_id="new-antioch", name="The Lantern Wardens", patron="Warrior Saint", ducats=84, glory=4, fought=3, misses=2,
        last_scenario="Hill 223", reinforced=True, locations=["Trench Merchant: Trade", "Fallen Soldier"], exploration=["Reroll"],
        lasting=["Pot of Manna"], stash=[PaperPiece("Gas Mask, 2x Grenades"), PaperPiece("Trench Shield", found=True)],
        points=9, won=2, lost=1, notes="Played at the old hall.",
        fighters=[
            PaperFighter(
                "a", "Ilse Brandt", "lieutenant", [PaperPiece("Automatic Pistol"), PaperPiece("sword"), PaperPiece("Combat Helmet", found=True)],
                ["Strength of Samson", "Sharp Eyes"], [PaperWound("Leg Wound"), PaperWound("Hand Wound", "left")], experience=4, notes="Limps.",
            ),
            PaperFighter("b", "Ottla", "Yeoman", [PaperPiece("Bolt-Action Rifle, Bayonet")], promoted=True, misses_next=True),
            PaperFighter("c", "", "Mechanised Heavy Infantry", [PaperPiece("Machine Armour")]),
            PaperFighter("d", "", "Yeoman"),
            PaperFighter("e", "", "Yeoman", wounds=[PaperWound("Dark Memory", "Heretic; Hill 223")]),
            PaperFighter("f", "Jonas", "Shocktrooper", status="dead"),
        ],
    )  # fmt: skip


def draft_of(owner: Any, data: PaperData | None = None, place: str = "") -> PaperDraft:
    return start_draft(owner=owner, system_id="trench-crusade", edition="1.6.3", data=data or sheet(), place=place)


def counts() -> dict[str, int]:
    return {
        model.__name__: model.objects.count() for model in (Warband, Fighter, Item, LedgerEntry, Event, Seat, Capture)
    }


# --- the draft -----------------------------------------------------------------------------------------------------------


def test_what_was_typed_is_kept_as_it_was(ada: Any) -> None:
    draft = draft_of(ada)
    assert paper_data(PaperDraft.objects.get(pk=draft.pk).data) == sheet()


def test_a_fighter_keeps_its_place_and_two_pages_do_not_overwrite_each_other(ada: Any) -> None:
    draft = draft_of(ada)
    other_tab = PaperDraft.objects.get(pk=draft.pk)
    keep_fighter(draft=draft, fighter=PaperFighter("b", "Ottla Grey", "Yeoman"))
    keep_fighter(draft=other_tab, fighter=PaperFighter("new", "Kolya", "Yeoman"))
    data = paper_data(PaperDraft.objects.get(pk=draft.pk).data)
    assert [f.key for f in data.fighters] == ["a", "b", "c", "d", "e", "f", "new"]
    assert data.fighters[1].name == "Ottla Grey"


def test_the_warband_is_changed_without_its_fighters(ada: Any) -> None:
    draft = draft_of(ada)
    keep_warband(draft=draft, data=PaperData(list_id="eire-rangers", name="Others"))
    data = paper_data(PaperDraft.objects.get(pk=draft.pk).data)
    assert (data.list_id, data.name, len(data.fighters)) == ("eire-rangers", "Others", 6)


def test_a_fighter_can_be_taken_out_and_a_draft_thrown_away(ada: Any) -> None:
    draft = draft_of(ada)
    leave_fighter(draft=draft, key="f")
    assert len(paper_data(PaperDraft.objects.get(pk=draft.pk).data).fighters) == 5
    discard_draft(draft=draft)
    assert not PaperDraft.objects.exists()
    with pytest.raises(Refusal):
        keep_fighter(draft=draft, fighter=PaperFighter("x", "", "Yeoman"))


def test_a_draft_holds_only_so_many_fighters_and_printable_texts(ada: Any) -> None:
    draft = draft_of(ada, PaperData(fighters=[PaperFighter(f"k{n}", "", "Yeoman") for n in range(60)]))
    with pytest.raises(Refusal, match="60 fighters"):
        keep_fighter(draft=draft, fighter=PaperFighter("one-more", "", "Yeoman"))
    with pytest.raises(Refusal, match="can't be printed"):
        keep_fighter(draft=draft, fighter=PaperFighter("k1", "Ott\x07la", "Yeoman"))


def test_what_could_not_be_read_again_is_refused(ada: Any) -> None:
    draft = draft_of(ada)
    with pytest.raises(Refusal, match="experience"):
        keep_fighter(draft=draft, fighter=PaperFighter("a", "", "Yeoman", experience=5000))
    assert paper_data(PaperDraft.objects.get(pk=draft.pk).data) == sheet()


# --- what it comes to -------------------------------------------------------------------------------------------------------


def test_legality_informs_by_the_fighter_s_own_key(ada: Any) -> None:
    data = sheet()
    data.fighters[3].kit = [PaperPiece("Standard Armour, Reinforced Armour")]
    draft = draft_of(ada, data)
    check = check_draft(draft, terms_of(draft, None))
    assert check.reading.unread == ()
    found = {(p.code, check.keys.get(p.fighter_key)) for p in check.problems}
    assert ("slot-armour", "d") in found


def test_the_kit_of_the_dead_is_lost_with_them(ada: Any) -> None:
    data = sheet()
    data.ducats, data.glory = 0, 0
    data.fighters[0].status = "dead"
    warband = bring_from_paper(draft=draft_of(ada, data), actor=ada)
    ilse = s.fighter(warband, "Ilse Brandt")
    assert ilse.status == Fighter.Status.DEAD
    assert s.kit_of(ilse) == []
    lost = Item.objects.live().filter(warband=warband, status=Item.Status.LOST)
    assert sorted(lost.values_list("item_id", "why")) == [
        ("automatic-pistol", "Lost with Ilse Brandt"),
        ("combat-helmet", "Lost with Ilse Brandt"),
        ("sword-axe", "Lost with Ilse Brandt"),
    ]
    assert s.purse(warband) == Price(ducats=0, glory=0)
    s.assert_reconciled(warband)
    undo(event=s.last_event(warband), actor=ada)
    assert not Item.objects.live().exists()


@pytest.mark.parametrize(
    ("list_id", "leader", "choices"),
    [
        ("papal-states-intervention-force", "Trench Cleric", 1),
        ("knights-of-avarice", "Heretic Priest", 3),
        ("new-antioch", "Lieutenant", 0),
    ],
)
def test_the_overview_tells_the_problems_that_the_roster_will_have(
    ada: Any, list_id: str, leader: str, choices: int
) -> None:
    data = PaperData(
        list_id=list_id, name="Wardens", fought=3, ducats=10, fighters=[PaperFighter("a", "Odile", leader)]
    )
    draft = draft_of(ada, data)
    before = check_draft(draft, terms_of(draft, None)).problems
    warband = bring_from_paper(draft=draft, actor=ada)
    after = warband.terms.game.check(warband.terms.content, force_of(warband)).problems
    assert [p.message for p in before] == [p.message for p in after]
    assert [p.code for p in before].count("choice") == choices


def test_unknown_names_are_listed_with_the_nearest_ones_and_the_fighter(ada: Any) -> None:
    data = sheet()
    data.fighters[1].kit = [PaperPiece("Bolt-Acton Rifle"), PaperPiece("Bayonet")]
    data.fighters[4].profile = "Yoeman"
    data.locations = ["Trench Merchant: Nonsense", "Nowhere"]
    draft = draft_of(ada, data)
    reading = check_draft(draft, terms_of(draft, None)).reading
    assert [(p.fighter_key, p.item) for p in reading.unread] == [
        ("b", "Bolt-Acton Rifle"), ("e", "Yoeman"), ("", "Nonsense"), ("", "Nowhere"),
    ]  # fmt: skip
    assert reading.unread[0].mend.startswith("Is it Bolt-Action Rifle")
    assert [row["name"] for row in reading.document["fighters"]][-1] == "Jonas"
    assert len(reading.document["fighters"]) == 5


def test_advancements_that_experience_reached_count_as_taken(ada: Any) -> None:
    data = sheet()
    data.fighters[0].skills = []
    draft = draft_of(ada, data)
    reading = check_draft(draft, terms_of(draft, None)).reading
    assert reading.document["fighters"][0]["advances"] == 2
    assert any("4 experience is 2 skills; none is noted." in note.message for note in reading.notes)


def test_a_detail_that_a_trauma_asks_for_is_noted_while_it_is_missing(ada: Any) -> None:
    data = sheet()
    data.fighters[0].wounds = [PaperWound("Hand Wound"), PaperWound("Leg Wound", "sideways")]
    draft = draft_of(ada, data)
    reading = check_draft(draft, terms_of(draft, None)).reading
    assert [note.message for note in reading.notes] == ["Hand Wound: which hand?"]
    assert [p.item for p in reading.unread] == ["sideways"]


def test_more_than_a_roster_holds_is_told_and_stops_no_page(ada: Any) -> None:
    data = sheet()
    data.fighters[0].kit = [PaperPiece("20x Grenades") for _ in range(10)]
    data.stash = [PaperPiece("20x Gas Mask") for _ in range(50)]
    data.fighters[1].experience = 999
    draft = draft_of(ada, data)
    check = check_draft(draft, terms_of(draft, None))
    assert [p.item for p in check.reading.unread] == ["200", "1000"]
    assert len(check.reading.document["fighters"][0]["kit"]) == 60


# --- bringing it in -----------------------------------------------------------------------------------------------------------


def test_one_act_brings_everything_that_stood_on_the_paper(ada: Any) -> None:
    before = Event.objects.count()
    warband = bring_from_paper(draft=draft_of(ada), actor=ada)
    assert Event.objects.count() == before + 1
    warband = s.fresh(warband)
    assert (warband.owner, warband.patron, warband.status) == (ada, "warrior-saint", Warband.Status.CAMP)
    assert (warband.strongbox_ducats, warband.strongbox_glory) == (84, 4)
    assert warband.notes == "Played at the old hall."
    state = warband.state
    assert (state["fought"], state["promotion_misses"], state["last_scenario"]) == (3, 2, "hill-223")
    assert state["reinforced_last"] is True
    assert state["locations"] == {"trench-merchant": "trade", "fallen-soldier": ""}
    assert list(state["exploration_skills"].values()) == ["reroll"]
    assert [entry["id"] for entry in state["lasting"].values()] == ["pot-of-manna"]
    names = list(warband.fighters.order_by("position").values_list("name", "status"))
    assert names == [
        ("Ilse Brandt", "active"), ("Ottla", "active"), ("Mechanised Heavy Infantry", "active"), ("Yeoman", "active"),
        ("Yeoman 2", "active"), ("Jonas", "dead"),
    ]  # fmt: skip
    ilse = s.fighter(warband, "Ilse Brandt")
    assert s.kit_of(ilse) == ["automatic-pistol", "combat-helmet", "sword-axe"]
    assert Item.objects.get(fighter=ilse, item_id="combat-helmet").origin == Item.Origin.FOUND
    assert ilse.notes == "Limps."
    assert (ilse.state["experience"], ilse.state["advances"]) == (4, 2)
    assert {x["id"] for x in ilse.state["skills"].values()} == {"strength-of-samson", "sharp-eyes"}
    assert {(x["id"], x["details"].get("hand", "")) for x in ilse.state["traumas"].values()} == {
        ("leg-wound", ""),
        ("hand-wound", "left"),
    }
    ottla = s.fighter(warband, "Ottla")
    assert (ottla.state["promoted"], ottla.state["misses_battle"]) == (True, 4)
    heavy = s.fighter(warband, "Mechanised Heavy Infantry")
    assert [x["id"] for x in heavy.state["upgrades"].values()] == ["machine-armour"]
    memory = next(iter(s.fighter(warband, "Yeoman 2").state["traumas"].values()))
    assert memory["details"] == {"faction": "HERETIC", "scenario": "hill-223"}
    assert s.kit_of(None, warband) == ["gas-mask", "grenades", "grenades", "trench-shield"]
    assert s.last_event(warband).told == "ada imported The Lantern Wardens from paper: 5 fighters and 3 battles."
    s.assert_reconciled(warband)


def test_undo_takes_all_of_it_back_and_the_draft_stays(ada: Any) -> None:
    draft = draft_of(ada)
    warband = bring_from_paper(draft=draft, actor=ada)
    undo(event=s.last_event(warband), actor=ada)
    assert not Warband.objects.live().exists()
    assert not Fighter.objects.live().exists()
    assert not Item.objects.live().exists()
    again = bring_from_paper(draft=draft, actor=ada)
    assert again.pk != warband.pk
    s.assert_reconciled(again)


def test_undo_is_refused_while_a_later_act_leans_on_it(ada: Any) -> None:
    warband = bring_from_paper(draft=draft_of(ada), actor=ada)
    opening = s.last_event(warband)
    s.give(Item.objects.filter(warband=warband, item_id="gas-mask").get(), s.fighter(warband, "Ottla"))
    with pytest.raises(Refusal):
        undo(event=opening, actor=ada)


def test_an_illegal_roster_comes_in_all_the_same(ada: Any) -> None:
    data = sheet()
    data.fighters = [
        PaperFighter("a", "", "Yeoman", [PaperPiece("Standard Armour, Reinforced Armour, Machine Gun, Machine Gun")])
    ]
    warband = s.fresh(bring_from_paper(draft=draft_of(ada, data), actor=ada))
    assert warband.problem_count > 1
    assert len(s.kit_of(s.fighter(warband, "Yeoman"))) == 4
    s.assert_reconciled(warband)


def test_a_warband_before_its_first_battle_is_founding_still(ada: Any) -> None:
    data = PaperData(
        list_id="new-antioch",
        name="Fresh",
        fighters=[PaperFighter("a", "Ilse", "Lieutenant", [PaperPiece("Automatic Pistol")])],
    )
    warband = s.fresh(bring_from_paper(draft=draft_of(ada, data), actor=ada))
    assert warband.is_founding
    assert warband.strongbox_ducats == 700 - 70 - 20
    data.ducats = 500
    warband = s.fresh(bring_from_paper(draft=draft_of(ada, data), actor=ada))
    assert warband.strongbox_ducats == 500
    s.assert_reconciled(warband)


@pytest.mark.parametrize("wrong", ["list", "nobody", "unknown"])
def test_what_cannot_come_in_is_refused_and_nothing_is_written(ada: Any, wrong: str) -> None:
    data = sheet()
    if wrong == "list":
        data.list_id = ""
    elif wrong == "nobody":
        data.fighters = []
    else:
        data.fighters[0].kit.append(PaperPiece("Wobble"))
    draft = draft_of(ada, data)
    before = counts()
    with pytest.raises(Refusal):
        bring_from_paper(draft=draft, actor=ada)
    assert counts() == before


def test_names_nobody_knows_stay_behind_only_when_that_is_said(ada: Any) -> None:
    data = sheet()
    data.fighters[0].kit.append(PaperPiece("Wobble"))
    data.fighters[3].profile = "Yoeman"
    warband = bring_from_paper(draft=draft_of(ada, data), actor=ada, leave_out=True)
    assert warband.fighters.filter(status="active").count() == 4


def test_two_clicks_bring_one_warband(ada: Any) -> None:
    draft = draft_of(ada)
    bring_from_paper(draft=draft, actor=ada, token="once")
    with pytest.raises(AlreadyDone):
        bring_from_paper(draft=draft, actor=ada, token="once")
    with pytest.raises(Refusal, match="imported already"):
        bring_from_paper(draft=draft, actor=ada, token="another page")
    assert Warband.objects.count() == 1


def test_somebody_else_s_draft_is_not_there(ada: Any, dora: Any) -> None:
    draft = draft_of(ada)
    theirs = deepcopy(draft)
    theirs.owner, theirs.owner_id = dora, dora.pk
    with pytest.raises(Refusal):
        bring_from_paper(draft=theirs, actor=dora)


# --- into a seat ------------------------------------------------------------------------------------------------------------


@story
def club(ada: Any, ben: Any, cleo: Any) -> c.Club:
    return c.club(cleo, ben)


def test_an_administrator_brings_one_for_an_unclaimed_seat(cleo: Any, club: c.Club) -> None:
    seat = add_seat(campaign=club.campaign, name="Wulf", actor=cleo)
    place = seat_place(cleo, str(seat.pk))
    warband = s.fresh(bring_from_paper(draft=draft_of(cleo, place=f"seat:{seat.pk}"), actor=cleo, place=place))
    seat = Seat.objects.get(pk=seat.pk)
    assert seat.warband == warband
    assert warband.owner is None
    assert warband.terms == club.campaign.terms
    assert (seat.opening_points, seat.opening_games, seat.opening_won, seat.opening_lost) == (9, 3, 2, 1)
    told = s.last_event(warband).told
    assert told == (
        "cleo imported The Lantern Wardens from paper into The Winter at Gallows Weir for Wulf, with 9 victory points: "
        "5 fighters and 3 battles."
    )
    row = next(row for row in standings(club.campaign) if row.seat.pk == seat.pk)
    assert (row.points, row.games, row.won, row.lost, row.place) == (9, 3, 2, 1, 1)
    s.assert_reconciled(warband)


def test_undo_empties_the_seat_and_its_score(cleo: Any, club: c.Club) -> None:
    seat = add_seat(campaign=club.campaign, name="Wulf", actor=cleo)
    place = seat_place(cleo, str(seat.pk))
    warband = bring_from_paper(draft=draft_of(cleo), actor=cleo, place=place)
    undo(event=s.last_event(warband), actor=cleo)
    seat = Seat.objects.get(pk=seat.pk)
    assert seat.warband is None
    assert (seat.opening_points, seat.opening_games, seat.opening_won) == (0, 0, 0)


def test_a_brought_warband_fights_on_from_where_the_paper_left_it(cleo: Any, ben: Any, ada: Any) -> None:
    made = c.club(cleo, ben)
    seat = c.join_campaign(invitation_token=c.link(made.campaign), actor=ada)
    made.seats["ada"] = seat
    warband = bring_from_paper(draft=draft_of(ada), actor=ada, place=seat_place(ada, str(seat.pk)))
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ada, winner=ada, points={ada: 3, ben: 1})
    assert c.side(row, ada).number == 4
    points = {row.seat.name: row.points for row in standings(made.campaign)}
    assert points == {"ada": 12, "ben": 1}
    s.assert_reconciled(s.fresh(warband))


def test_a_captive_on_the_paper_can_be_ransomed_in_the_campaign(cleo: Any, club: c.Club) -> None:
    seat = add_seat(campaign=club.campaign, name="Wulf", actor=cleo)
    data = sheet()
    data.fighters[1].status = "captive"
    warband = bring_from_paper(draft=draft_of(cleo, data), actor=cleo, place=seat_place(cleo, str(seat.pk)))
    capture = Capture.objects.live().get()
    assert (capture.fighter.name, capture.warband, capture.captor) == ("Ottla", warband, None)


def test_outside_a_campaign_a_captive_is_home(ada: Any) -> None:
    data = sheet()
    data.fighters[1].status = "captive"
    warband = bring_from_paper(draft=draft_of(ada, data), actor=ada)
    assert s.fighter(warband, "Ottla").status == Fighter.Status.ACTIVE


def test_a_taken_seat_refuses_a_second_warband(ben: Any, club: c.Club) -> None:
    place = seat_place(ben, str(club.seat(ben).pk))
    before = counts()
    with pytest.raises(Refusal):
        bring_from_paper(draft=draft_of(ben), actor=ben, place=place)
    assert counts() == before


def test_a_score_can_be_put_right_and_the_correction_undone(cleo: Any, ben: Any, club: c.Club) -> None:
    seat = club.seat(ben)
    change_opening(seat=seat, actor=cleo, score=Score(points=7, games=3, won=2, lost=1))
    assert next(row for row in standings(club.campaign) if row.seat.pk == seat.pk).points == 7
    with pytest.raises(Refusal):
        change_opening(seat=club.seat(ben), actor=cleo, score=Score(points=7, games=3, won=2, lost=1))
    with pytest.raises(Refusal):
        change_opening(seat=club.seat(ben), actor=cleo, score=Score(games=1, won=2))
    undo(event=Event.objects.latest("pk"), actor=cleo)
    assert Seat.objects.get(pk=seat.pk).opening_points == 0


# --- our own document ---------------------------------------------------------------------------------------------------------


def without(document: dict[str, Any]) -> dict[str, Any]:
    """A document without what another row or another act must differ in."""
    kept = deepcopy(document)
    record = kept["record"]
    for key in ("version", "events", "ledger"):
        del record[key]
    for entry in [*record["fighters"], *record["kit"], *(k for f in record["fighters"] for k in f["kit"])]:
        entry.pop("key", None)
    return kept


def test_a_document_goes_out_and_in_without_loss_history_included(ada: Any, ben: Any, cleo: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = c.mustered(made, ada, ben)
    c.fight(
        row, by=ada, winner=ada, points={ada: 3, ben: 1}, out={ada: [s.fresh(made.warband(ada)).fighters.first().name]}
    )
    c.resolve(row, ada, seed=5)
    first = export_document(made.warband(ada))
    brought = import_document(actor=ben, owner=ben, terms=s.terms(), document=first)
    second = export_document(s.fresh(brought))
    assert without(second) == without(first)
    events, ledger = first["record"]["events"], first["record"]["ledger"]
    assert second["record"]["events"][: len(events)] == events
    assert second["record"]["ledger"][: len(ledger)] == ledger
    assert len(second["record"]["events"]) == len(events) + 1
    third = export_document(s.fresh(import_document(actor=ben, owner=ben, terms=s.terms(), document=second)))
    assert without(third) == without(first)
    s.assert_reconciled(brought)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"fighters": [{"profile": "Yeoman", "experience": "much"}]}, r"\$\.fighters\[0\]\.experience"),
        ({"fighters": [{"profile": "Yeoman", "colour": "red"}]}, r"\$\.fighters\[0\]"),
        ({"battles": {"fought": -1}}, r"\$\.battles\.fought"),
        ({"stash": [7]}, r"\$\.stash\[0\]"),
    ],
)
def test_a_document_that_cannot_be_read_names_the_field(ada: Any, change: dict[str, Any], path: str) -> None:
    document = {"game": "trench-crusade", "edition": "1.6.3", "faction": "New Antioch", **change}
    before = counts()
    with pytest.raises(Refusal, match=path):
        import_document(actor=ada, owner=ada, terms=s.terms(), document=document)
    assert counts() == before


def test_odd_records_are_left_aside(ada: Any) -> None:
    document = {
        "game": "trench-crusade", "edition": "1.6.3", "faction": "New Antioch", "name": "Odd", "battles": {"fought": 1},
        "fighters": [{"profile": "Yeoman", "name": "Ottla"}],
        "record": {
            "promises": [{"kind": "find", "words": "Gold", "data": {"location": ["x"], "lists": 7}}, 7, {"kind": "", "words": ""}],
            "fighters": [{"name": "Ottla", "joined_at": "tomorrow", "left_at": 7}], "events": "none", "ledger": {}, "kit": 9,
        },
    }  # fmt: skip
    warband = import_document(actor=ada, owner=ada, terms=s.terms(), document=document)
    assert warband.fighters.count() == 1
    s.assert_reconciled(warband)
