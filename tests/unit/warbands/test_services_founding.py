"""A warband begins: from a list, from a sample, from a document; and it becomes ready to play."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from rules.consequences import SetWarband
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system, systems
from tests import stories as s
from tests.drills import sampled
from warbands.adapters import force_of
from warbands.export import document_of
from warbands.models import Event, Item, Warband
from warbands.recording import AlreadyDone, recording
from warbands.services.consequences import carry_out
from warbands.services.founding import copy_sample, found_warband, import_document, own_rules, terms_for

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_a_list_starts_with_its_money_in_the_ledger(ada: Any) -> None:
    warband = s.found(ada)
    assert s.purse(warband) == Price(ducats=700)
    assert [(row.reason, row.ducats) for row in warband.ledger.all()] == [("Starting money", 700)]
    assert s.fresh(warband).is_founding
    assert s.fresh(warband).budget_ducats == 700
    told = s.last_event(warband).told
    assert told == "ada started The Lantern Wardens, The Principality of New Antioch, with 700 ducats."
    s.assert_reconciled(warband)


def test_papal_states_start_with_their_own_money_and_a_crucifix(ada: Any) -> None:
    warband = s.found(ada, list_id="papal-states-intervention-force")
    assert s.purse(warband) == Price(ducats=500, glory=11)
    (crucifix,) = Item.objects.filter(warband=warband)
    assert (crucifix.origin, crucifix.fighter) == ("starting", None)
    assert "crucifix" in crucifix.item_id
    s.assert_reconciled(warband)


def test_a_latecomer_brings_another_budget_and_credited_battles(ada: Any) -> None:
    warband = s.found(ada, budget=Price(ducats=1000), credited=4)
    assert s.purse(warband) == Price(ducats=1000)
    from warbands.adapters import force_of

    assert force_of(s.fresh(warband)).battles.next_number == 5


@pytest.mark.parametrize(
    "wrong",
    [
        {"list_id": "moon-people"},
        {"patron": "nobody-follows-this"},
        {"name": "  "},
        {"name": "x" * 81},
        {"name": "Bell\x07"},
        {"choices": {"colour": "green"}},
    ],
)
def test_what_does_not_fit_founds_nothing(ada: Any, wrong: dict[str, Any]) -> None:
    how = {"list_id": "new-antioch", "name": "The Lantern Wardens", **wrong}
    with pytest.raises(Refusal):
        found_warband(actor=ada, owner=ada, terms=s.terms(), **how)
    assert not Warband.objects.exists()
    assert not Event.objects.exists()


def test_two_clicks_found_one_warband(ada: Any) -> None:
    terms = s.terms()
    s.found(ada, terms=terms, token="once")
    with pytest.raises(AlreadyDone):
        s.found(ada, terms=terms, token="once")
    assert Warband.objects.count() == 1


def test_an_administrator_founds_for_a_seat_without_owner(cleo: Any) -> None:
    warband = s.found(None, actor=cleo)
    assert warband.owner is None
    assert s.last_event(warband).who == "cleo"


def test_somebody_founds_for_somebody(ada: Any, ben: Any) -> None:
    assert s.last_event(s.found(ada, actor=ben)).who == "ben, for ada,"


def test_unknown_terms_are_refused() -> None:
    for game, edition in (("trench-crusade", "0.1"), ("chess", "1")):
        with pytest.raises(Refusal):
            terms_for(game, edition)


# --- ready ------------------------------------------------------------------------------------------------------------


def test_a_legal_roster_becomes_ready(ada: Any) -> None:
    warband = s.small_warband(ada)
    s.ready(warband)
    assert s.fresh(warband).status == Warband.Status.CAMP
    s.assert_reconciled(warband)


def test_problems_stand_in_the_way_of_ready(ada: Any) -> None:
    warband = s.found(ada)
    s.hire(warband, "Yeoman")
    before = s.written(warband)
    with pytest.raises(Refusal) as refusal:
        s.ready(warband)
    assert "Lieutenant" in str(refusal.value)
    assert s.written(warband) == before


def test_an_overspent_purse_stands_in_the_way_of_ready(ada: Any) -> None:
    warband = s.small_warband(ada)
    while s.purse(warband).ducats >= 0:
        s.hire(warband, "Yeoman")
    assert s.fresh(warband).problem_count > 0
    with pytest.raises(Refusal):
        s.ready(warband)
    assert s.fresh(warband).is_founding


def test_ready_is_declared_once(ada: Any) -> None:
    warband = s.camp(ada)
    with pytest.raises(Refusal, match="already"):
        s.ready(warband)


# --- samples ----------------------------------------------------------------------------------------------------------


def samples() -> list[tuple[str, str, str]]:
    """Every sample of every edition of every game."""
    return [
        (game.id, edition, sample[0])
        for game in systems()
        for edition in game.editions()
        for sample in game.founding.samples(game.content(edition))
    ]


# One of each edition is always copied, and more by chance.
OF_EACH = list({(game, edition): (game, edition, sample) for game, edition, sample in samples()}.values())
COPIED = sampled(samples(), 24, always=OF_EACH)


def test_there_is_something_to_check() -> None:
    played = {(g.id, e) for g in systems() for e in g.editions()}
    assert {(game, edition) for game, edition, _ in samples()} == played
    assert {(game, edition) for game, edition, _ in COPIED} == played


def test_every_sample_is_read_whole_legal_and_within_its_money() -> None:
    faults = {}
    for game, edition, sample in samples():
        doors = system(game)
        list_id = next(a for i, _, a, _ in doors.founding.samples(doors.content(edition)) if i == sample)
        content = doors.content(edition, (), own_rules(game, edition, list_id))
        force, unread = doors.documents.read_document(doors.founding.sample(content, sample))
        priced = doors.shop.priced(content, force) if doors.shop is not None else force
        errors = doors.check(content, priced).errors
        if unread or errors:
            faults[game, edition, sample] = [problem.message for problem in (*unread, *errors)]
    assert faults == {}


@pytest.mark.parametrize(("game", "edition", "sample"), COPIED)
def test_a_sample_is_copied_paid_for_legal_and_ready(ada: Any, game: str, edition: str, sample: str) -> None:
    doors = system(game)
    list_id = next(a for i, _, a, _ in doors.founding.samples(doors.content(edition)) if i == sample)
    terms = s.terms(game, edition, **own_rules(game, edition, list_id))
    warband = copy_sample(actor=ada, owner=ada, terms=terms, sample_id=sample)
    now = s.fresh(warband)
    assert now.is_founding
    errors = doors.check(now.terms.content, force_of(now)).errors
    assert [problem.message for problem in errors] == []
    assert 0 <= now.strongbox_ducats <= now.budget_ducats
    assert now.strongbox_ducats == now.budget_ducats - sum(
        [row.paid_ducats for row in warband.fighters.all()]
        + [row.paid_ducats for row in warband.items.all()]
        + [u["ducats"] for row in warband.fighters.all() for u in row.state.get("upgrades", {}).values()]
    )
    s.assert_reconciled(warband)
    s.ready(warband)


def test_a_third_partys_sample_is_refused_where_it_is_not_let_in(ada: Any) -> None:
    with pytest.raises(Refusal, match="comes from a third party") as refused:
        copy_sample(actor=ada, owner=ada, terms=s.terms(), sample_id="vermilion-ninth")
    assert refused.value.code == "third-party"
    assert not Warband.objects.exists()


def test_a_third_partys_list_is_founded_only_where_it_is_let_in(ada: Any) -> None:
    with pytest.raises(Refusal, match="comes from a third party"):
        s.found(ada, list_id="red-brigade")
    assert not Warband.objects.exists()
    warband = s.found(ada, list_id="red-brigade", terms=s.terms(third_party=True))
    s.hire(warband, "Lieutenant", "Rosa Haas")
    assert s.fresh(warband).problem_count == 0


def test_an_unknown_sample_is_refused(ada: Any) -> None:
    with pytest.raises(Refusal):
        copy_sample(actor=ada, owner=ada, terms=s.terms(), sample_id="nothing")


# --- documents --------------------------------------------------------------------------------------------------------


def again(ada: Any, document: dict[str, Any], **how: Any) -> Warband:
    """The warband that a document brings."""
    return import_document(actor=ada, owner=ada, terms=s.terms(), document=copy.deepcopy(document), **how)


def test_an_exported_warband_comes_back_as_it_was(ada: Any) -> None:
    warband = s.camp(ada)
    mask = s.equip(s.fighter(warband, "Ottla"), "Gas Mask")[0]
    s.stock(warband, "Combat Helmet")
    exported = document_of(s.fresh(warband))
    twin = again(ada, exported)
    assert s.document(twin) == s.document(warband)
    assert s.purse(twin) == s.purse(warband)
    assert not s.fresh(twin).is_founding
    ottla = s.fighter(twin, "Ottla")
    assert ottla.items.get(item_id=mask.item_id).paid_ducats == mask.paid_ducats
    s.assert_reconciled(twin)
    twice = document_of(s.fresh(twin))
    told = [event["told"] for event in twice["record"]["events"]]
    assert told[: len(exported["record"]["events"])] == [event["told"] for event in exported["record"]["events"]]
    assert len(told) == len(exported["record"]["events"]) + 1
    assert sum(row["ducats"] for row in exported["record"]["ledger"]) == s.purse(twin).ducats


def test_what_lasting_finds_are_tied_to_comes_along(ada: Any) -> None:
    warband = s.camp(ada)
    ottla = s.fighter(warband, "Ottla")
    dna = {"id": "sample-of-holy-dna", "choices": {"link": [str(ottla.pk)]}}
    with recording(warband, kind="write", actor=ada) as act:
        carry_out(act, warband, [SetWarband(("lasting", "l1"), dna)])
        act.say("{who} found something holy.")
    twin = again(ada, document_of(s.fresh(warband)))
    (kept,) = s.fresh(twin).state["lasting"].values()
    assert kept["choices"] == {"link": [str(s.fighter(twin, "Ottla").pk)]}
    s.assert_reconciled(twin)


def test_a_founding_document_is_paid_for_on_the_way(ada: Any) -> None:
    warband = s.small_warband(ada)
    document = s.document(warband)
    twin = again(ada, document, name="Twins")
    assert s.purse(twin) == s.purse(warband)
    assert s.fresh(twin).is_founding
    assert twin.name == "Twins"
    rating = s.fresh(twin)
    assert (rating.rating_ducats, rating.problem_count) == (s.fresh(warband).rating_ducats, 0)
    s.send_back(Item.objects.get(warband=twin, item_id__startswith="sword"))
    s.assert_reconciled(twin)


def test_legality_informs_and_never_blocks(ada: Any) -> None:
    document = s.document(s.small_warband(ada))
    document["fighters"] = [f for f in document["fighters"] if f["profile"] != "Lieutenant"]
    document["fighters"].append({"name": "Nobody", "profile": "Moon Trooper", "kit": []})
    warband = again(ada, document)
    assert s.fresh(warband).problem_count > 0
    assert any("Moon Trooper" in told for told in s.last_event(warband).data["problems"])


def test_a_paper_warband_brings_battles_and_strongbox(ada: Any) -> None:
    document = s.document(s.small_warband(ada))
    del document["founding"]
    document["battles"] = {"fought": 4, "credited": 0}
    document["record"] = {"strongbox": {"ducats": 84, "glory": 4}}
    warband = again(ada, document)
    assert s.purse(warband) == Price(ducats=84, glory=4)
    assert s.fresh(warband).status == Warband.Status.CAMP
    s.take_back(warband)
    assert not Warband.objects.live().filter(pk=warband.pk).exists()


@pytest.mark.parametrize(
    "record",
    [
        None,
        [],
        {"fighters": 3, "kit": {"a": 1}, "events": "no", "strongbox": [1]},
        {"fighters": [None, {"name": 4}], "kit": [7]},
    ],
)
def test_an_odd_record_is_left_aside(ada: Any, record: Any) -> None:
    document = s.document(s.small_warband(ada))
    document["record"] = record
    s.assert_reconciled(again(ada, document))


@pytest.mark.parametrize("amount", [10**12, -(10**12), 1.5, True, "7"])
def test_an_impossible_strongbox_is_refused(ada: Any, amount: Any) -> None:
    document = s.document(s.small_warband(ada))
    document["record"] = {"strongbox": {"ducats": amount, "glory": 0}}
    count = Warband.objects.count()
    with pytest.raises(Refusal):
        again(ada, document)
    assert Warband.objects.count() == count


def test_a_document_of_another_edition_is_refused(ada: Any) -> None:
    document = s.document(s.small_warband(ada))
    document["edition"] = "1.0"
    with pytest.raises(Refusal):
        again(ada, document)
