"""Camp through the services: promises settled, finds used, choices made, teams declared; each is one act that undo takes back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from django.urls import reverse

from rules.consequences import Consequence, GainsItem, Joins, Leaves, Money, Owes, SetFighter, SetWarband
from rules.price import Price
from rules.problems import Refusal
from tests import stories as s
from tests.module_story import story
from warbands.adapters import force_of
from warbands.export import document_of
from warbands.models import Fighter, Item, Promise, Warband
from warbands.recording import AlreadyDone, Stale, recording
from warbands.services.camp import declare_teams, use_find
from warbands.services.consequences import carry_out
from warbands.services.founding import copy_sample, import_document, terms_for
from warbands.services.promises import redeem_promise, settle_promise
from warbands.services.roster import change_warband, set_choice

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]

TREASURE = {"location": "treasure-of-the-holies", "option": "", "lists": [], "glory": 99}
CORPSES = {"location": "battlefield-of-corpses", "option": "", "lists": [], "glory": 0}


@story
def camped(ada: Any) -> Warband:
    """A small warband of Ada's, ready to play, after two battles."""
    warband = s.camp(ada)
    happen(warband, [SetWarband(("fought",), 2), Money(Price(ducats=50, glory=8), "Loot")])
    return s.fresh(warband)


def happen(warband: Warband, consequences: Iterable[Consequence]) -> None:
    """Let this befall a warband."""
    with recording(warband, kind="write", actor=warband.owner) as act:
        carry_out(act, warband, consequences)
        act.say("{who} wrote it down.")


def owed(warband: Warband, data: dict[str, Any]) -> Promise:
    """Something the warband is owed from now on."""
    happen(warband, [Owes("find", "Something good", "", data)])
    promise = Promise.objects.select_related("warband__terms", "warband__owner").latest("pk")
    promise.warband = s.fresh(warband)
    return promise


def lasting(warband: Warband, key: str = "l1") -> Any:
    return s.fresh(warband).state["lasting"].get(key)


def problem_codes(warband: Warband) -> list[str]:
    now = s.fresh(warband)
    return [problem.code for problem in now.terms.game.check(now.terms.content, force_of(now)).problems]


# --- promises --------------------------------------------------------------------------------------------------------------


def test_a_promise_is_settled_by_choosing_paid_and_taken_back(camped: Warband, ada: Any) -> None:
    promise = owed(camped, TREASURE)
    before, held = s.document(camped), s.purse(camped)
    redeem_promise(promise=promise, choices={"reward-1": "common-troop-flag"}, actor=ada)
    promise.refresh_from_db()
    assert promise.status == Promise.Status.SETTLED
    assert s.kit_of(None, camped) == ["troop-flag"]
    assert s.purse(camped) == Price(ducats=held.ducats, glory=held.glory - 1)
    event = s.last_event(camped)
    assert event.kind == "promise"
    assert event.told == "ada settled what was owed: Treasure of the Holies: Troop Flag."
    s.assert_reconciled(camped)
    with pytest.raises(Refusal, match="no longer open"):
        redeem_promise(promise=promise, choices={"reward-1": "common-troop-flag"}, actor=ada)
    s.take_back(event)
    promise.refresh_from_db()
    assert promise.status == Promise.Status.OPEN
    assert (s.document(camped), s.purse(camped)) == (before, held)
    s.assert_reconciled(camped)


def test_a_lifeless_fighter_is_brought_back_for_its_price_and_undo_lays_it_down_again(
    camped: Warband, ada: Any, client: Any
) -> None:
    happen(camped, [Joins("found-golem", "golem", "Adam", "Book of Golems")])
    adam = s.fighter(camped, "Adam")
    happen(camped, [SetFighter(str(adam.pk), ("lifeless",), True, "Killed")])
    assert document_of(s.fresh(camped))["fighters"][-1]["lifeless"] is True
    client.force_login(ada)
    page = client.get(reverse("warband-show", args=[camped.pk])).content.decode()
    assert "Lifeless until revived." in page
    before, held = s.document(camped), s.purse(camped)
    use_find(warband=s.fresh(camped), task_key=f"back-{adam.pk}", choices={"way": "back"}, actor=ada)
    assert s.purse(camped) == Price(ducats=held.ducats - 40, glory=held.glory)
    assert not s.fighter(camped, "Adam").state["lifeless"]
    event = s.last_event(camped)
    assert event.told == "ada wrote down: Recreation: Adam is back for 40 ducats."
    s.assert_reconciled(camped)
    s.take_back(event)
    assert (s.document(camped), s.purse(camped)) == (before, held)
    use_find(warband=s.fresh(camped), task_key=f"back-{adam.pk}", choices={"way": "let-go"}, actor=ada)
    assert s.fighter(camped, "Adam").status == "dead"
    s.assert_reconciled(camped)


def test_a_title_outlives_its_bearer_and_undo_brings_both_back(camped: Warband, ada: Any) -> None:
    offers = camped.terms.content.lists[camped.list_id].item_offers
    entry = next(o for o in offers if o.limit == 2 and camped.terms.content.items[o.item].category == "ranged")
    leader = Fighter.objects.live().filter(warband=camped).order_by("pk").first()
    assert leader is not None
    happen(camped, [GainsItem("battlefield-title", "bought", "Bought", "common-battlefield-title", str(leader.pk))])
    title = Item.objects.get(warband=camped, item_id="battlefield-title")
    happen(camped, [GainsItem(entry.item, "bought", "Bought", entry.id) for _ in range(3)])
    assert "warband-limit" in problem_codes(camped)
    set_choice(row=title, key="raise-limit", value=entry.id, actor=ada)
    assert "warband-limit" not in problem_codes(camped)
    happen(camped, [Leaves(str(leader.pk), "dead", "Shot")])
    now = s.fresh(camped)
    assert [piece.item for piece in force_of(now).lost] == ["battlefield-title"]
    assert "warband-limit" not in problem_codes(camped)
    assert now.problem_count == len(problem_codes(camped))
    s.assert_reconciled(camped)
    # a document of it tells the same
    again = import_document(actor=ada, owner=ada, document=document_of(now), terms=now.terms)
    assert problem_codes(again) == problem_codes(camped)
    assert [piece.item for piece in force_of(s.fresh(again)).lost] == ["battlefield-title"]
    # the title counts against its own LIMIT
    happen(camped, [GainsItem("battlefield-title", "bought", "Bought", "common-battlefield-title")])
    assert "warband-limit" in problem_codes(camped)


def test_finds_of_other_lists_keep_their_entry(camped: Warband, ada: Any) -> None:
    choices = {"reward-1-kit-1": "heretic-legion-tartarus-claws", "reward-1-kit-2": "iron-sultanate-jezzail"}
    redeem_promise(promise=owed(camped, CORPSES), choices=choices, actor=ada)
    found = Item.objects.live().filter(warband=camped, origin="found").values_list("item_id", "offer_id")
    assert set(found) == {
        ("tartarus-claws", "heretic-legion-tartarus-claws"),
        ("jezzail", "iron-sultanate-jezzail"),
    }
    assert problem_codes(camped) == []
    s.assert_reconciled(camped)


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({}, "Choose first: One glory item."),
        ({"reward-1": "new-antioch-resurrection-engine"}, "closed"),
        ({"reward-1": "crown-of-thorns"}, "not one of the choices"),
    ],
)
def test_a_refused_settling_leaves_everything_as_it_was(
    camped: Warband, ada: Any, choices: dict[str, str], words: str
) -> None:
    promise = owed(camped, TREASURE)
    before = s.written(camped)
    with pytest.raises(Refusal, match=words):
        redeem_promise(promise=promise, choices=choices, actor=ada)
    assert s.written(camped) == before
    promise.refresh_from_db()
    assert promise.status == Promise.Status.OPEN


def test_what_cannot_be_settled_says_why_and_may_lapse(camped: Warband, ada: Any) -> None:
    promise = owed(camped, {"location": "nowhere"})
    with pytest.raises(Refusal, match="let it lapse here"):
        redeem_promise(promise=promise, choices={}, actor=ada)
    settle_promise(promise=promise, lapsed=True, actor=ada)
    promise.refresh_from_db()
    assert promise.status == Promise.Status.LAPSED
    s.take_back(camped)
    promise.refresh_from_db()
    assert promise.status == Promise.Status.OPEN


def test_a_spent_form_settles_once_and_an_old_one_not_at_all(camped: Warband, ada: Any) -> None:
    promise = owed(camped, TREASURE)
    seen = s.fresh(camped).version
    choices = {"reward-1": "common-troop-flag"}
    redeem_promise(promise=promise, choices=choices, actor=ada, token="once", seen=seen)
    with pytest.raises(AlreadyDone):
        redeem_promise(promise=promise, choices=choices, actor=ada, token="once", seen=seen)
    other = owed(camped, TREASURE)
    with pytest.raises(Stale):
        redeem_promise(promise=other, choices=choices, actor=ada, token="twice", seen=seen)


# --- finds -----------------------------------------------------------------------------------------------------------------


def test_a_scar_is_healed_and_the_find_is_spent(camped: Warband, ada: Any) -> None:
    ottla = str(s.fighter(camped, "Ottla").pk)
    wound = {"id": "leg-wound", "scar": True, "details": {}, "battle": 1}
    fluids = {"id": "curative-fluids", "choices": {}}
    happen(camped, [SetFighter(ottla, ("traumas", "t1"), wound), SetWarband(("lasting", "l1"), fluids)])
    before = s.document(camped)
    event = use_find(warband=s.fresh(camped), task_key="find-l1", choices={"who": ottla}, actor=ada)
    assert s.fighter(camped, "Ottla").state["traumas"] == {}
    assert lasting(camped) is None
    assert event.told == "ada wrote down: Curative Fluids healed Ottla: Leg Wound."
    s.assert_reconciled(camped)
    with pytest.raises(Refusal, match="can no longer be used"):
        use_find(warband=s.fresh(camped), task_key="find-l1", choices={"who": ottla}, actor=ada)
    s.take_back(event)
    assert s.document(camped) == before
    s.assert_reconciled(camped)


def test_a_closed_find_and_an_open_question_are_refused(camped: Warband, ada: Any) -> None:
    dna = {"id": "sample-of-holy-dna", "choices": {}}
    happen(camped, [SetWarband(("lasting", "l1"), {"id": "curative-fluids", "choices": {}}), SetWarband(("lasting", "l2"), dna)])  # fmt: skip
    before = s.written(camped)
    with pytest.raises(Refusal, match="No fighter has a scar"):
        use_find(warband=s.fresh(camped), task_key="find-l1", actor=ada)
    with pytest.raises(Refusal, match="Choose first: Sample of Holy DNA: for which fighter"):
        use_find(warband=s.fresh(camped), task_key="find-l2", actor=ada)
    assert s.written(camped) == before


def test_a_gift_stays_with_its_fighter_on_the_way_through_a_document(camped: Warband, ada: Any) -> None:
    ottla = s.fighter(camped, "Ottla")
    happen(camped, [SetWarband(("lasting", "l1"), {"id": "sample-of-holy-dna", "choices": {}})])
    use_find(warband=s.fresh(camped), task_key="find-l1", choices={"link": str(ottla.pk)}, actor=ada)
    now = s.fresh(camped)
    views = now.terms.game.views(now.terms.content, force_of(now))
    assert "sample-of-holy-dna" in {word.id for word in views[str(ottla.pk)].abilities}
    twin = import_document(actor=ada, owner=ada, terms=terms_for(*s.TRENCH_CRUSADE), document=document_of(now))
    (kept,) = s.fresh(twin).state["lasting"].values()
    assert kept["choices"] == {"link": str(s.fighter(twin, "Ottla").pk)}
    s.assert_reconciled(twin)


def test_spent_kit_and_what_the_table_used_are_struck_out(camped: Warband, ada: Any) -> None:
    moon = {"id": "moonshine", "choices": {}}
    happen(camped, [SetWarband(("lasting", "l1"), moon), GainsItem("smokescreen", "found", "Somewhere")])
    piece = Item.objects.get(warband=camped, item_id="smokescreen")
    use_find(warband=s.fresh(camped), task_key="find-l1", actor=ada)
    event = use_find(warband=s.fresh(camped), task_key=f"used-{piece.pk}", actor=ada)
    assert lasting(camped) is None
    assert s.kit_of(None, camped) == []
    s.assert_reconciled(camped)
    s.take_back(event)
    assert s.kit_of(None, camped) == ["smokescreen"]


# --- choices ---------------------------------------------------------------------------------------------------------------


def test_a_power_is_chosen_at_the_hire_and_changed_while_founding(ada: Any) -> None:
    warband = s.small_warband(ada)
    with pytest.raises(Refusal, match="Choose first"):
        s.hire(warband, "Trench Cleric", "Odile")
    odile = s.hire(warband, "Trench Cleric", "Odile", choices={"power": "god-is-with-us"})
    set_choice(row=odile, key="power", value="onwards-christian-soldiers", actor=ada)
    assert odile.state["choices"] == {"power": "onwards-christian-soldiers"}
    assert (
        s.last_event(warband).told == "ada chose Onwards, Christian Soldiers! for Odile (Powers of the Trench Cleric)."
    )
    s.take_back(warband)
    assert s.fighter(warband, "Odile").state["choices"] == {"power": "god-is-with-us"}
    s.equip(s.fighter(warband, "Odile"), "Trench Club")
    s.ready(s.fresh(warband))
    odile = s.fighter(warband, "Odile")
    with pytest.raises(Refusal, match="can't change after building"):
        set_choice(row=odile, key="power", value="onwards-christian-soldiers", actor=ada)
    s.assert_reconciled(warband)


def test_an_open_choice_is_a_problem_and_stands_in_the_way_of_being_ready(ada: Any) -> None:
    warband = s.small_warband(ada)
    odile = s.hire(warband, "Trench Cleric", "Odile", choices={"power": "god-is-with-us"})
    s.equip(odile, "Trench Club")
    with recording(warband, kind="write", actor=ada) as act:
        act.set_leaf(odile, ("choices", "power"), None)
        act.say("{who} forgot it.")
    assert problem_codes(warband) == ["choice"]
    with pytest.raises(Refusal, match="leaves a choice open"):
        s.ready(s.fresh(warband))
    set_choice(row=s.fighter(warband, "Odile"), key="power", value="god-is-with-us", actor=ada)
    assert problem_codes(warband) == []


def test_a_loadout_may_change_before_every_battle(camped: Warband, ada: Any) -> None:
    happen(camped, [Money(Price(glory=10), "Deeds")])
    faris = s.hire(s.fresh(camped), "Mamluk Faris", "Faris", choices={"loadout-mamluk": "0"})
    set_choice(row=faris, key="loadout-mamluk", value="2", actor=ada)
    now = s.fresh(camped)
    kit = {item.item for item in now.terms.game.views(now.terms.content, force_of(now))[str(faris.pk)].kit}
    assert "mamluk-greatsword" in kit
    s.assert_reconciled(camped)


def test_a_skills_choice_left_open_is_settled_once(camped: Warband, ada: Any) -> None:
    ilse = s.fighter(camped, "Ilse Brandt")
    happen(camped, [SetFighter(str(ilse.pk), ("skills", "b1-x"), {"id": "knowledge-of-science", "choices": {}})])
    assert problem_codes(camped) == ["choice"]
    gun = s.item_offer(camped, "Machine Gun")
    ilse = s.fighter(camped, "Ilse Brandt")
    set_choice(row=ilse, entry="b1-x", key="raise", value=gun.id, actor=ada)
    assert s.item_offer(camped, "Machine Gun").limit == (gun.limit or 0) + 1
    assert problem_codes(camped) == []
    with pytest.raises(Refusal, match="can't change after building"):
        set_choice(row=ilse, entry="b1-x", key="raise", value=_other(camped, gun.id), actor=ada)
    s.take_back(camped)
    assert s.item_offer(camped, "Machine Gun").limit == gun.limit


def _other(warband: Warband, than: str) -> str:
    now = s.fresh(warband)
    (asking,) = [c for c in now.terms.game.choices(now.terms.content, force_of(now)) if c.asked.key == "raise"]
    return next(value for value, _ in asking.asked.options if value != than)


def test_a_bought_title_raises_what_was_chosen(camped: Warband, ada: Any) -> None:
    happen(camped, [SetWarband(("shop_until",), 99)])
    gun = s.item_offer(camped, "Machine Gun")
    with pytest.raises(Refusal, match="Choose first"):
        s.stock(s.fresh(camped), "Battlefield Title")
    title = s.stock(s.fresh(camped), "Battlefield Title", choices={"raise-limit": gun.id})
    assert title.state == {"raise-limit": gun.id}
    assert s.item_offer(camped, "Machine Gun").limit == (gun.limit or 0) + 1
    s.give(title, s.fighter(camped, "Ilse Brandt"))
    assert s.item_offer(camped, "Machine Gun").limit == (gun.limit or 0) + 1
    s.assert_reconciled(camped)


def test_corrupt_merchants_open_what_was_picked(ada: Any) -> None:
    warband = s.found(ada, name="Gilt", list_id="knights-of-avarice")
    assert problem_codes(warband).count("choice") == 2
    key = "corrupt-merchants-iron-sultanate"
    change_warband(warband=warband, choices={key: "iron-sultanate-jezzail"}, actor=ada)
    other = "corrupt-merchants-new-antioch"
    set_choice(row=s.fresh(warband), key=other, value="new-antioch-heavy-shotgun", actor=ada)
    assert problem_codes(warband).count("choice") == 0
    assert s.stock(s.fresh(warband), "Jezzail").offer_id == "iron-sultanate-jezzail"
    assert s.stock(s.fresh(warband), "Heavy Shotgun").offer_id == "new-antioch-heavy-shotgun"
    with pytest.raises(Refusal, match="isn't offered"):
        set_choice(row=s.fresh(warband), key="creed", value="x", actor=ada)
    s.assert_reconciled(warband)


@pytest.mark.one_database
def test_every_sample_is_ready_when_copied(ada: Any) -> None:
    terms = s.terms(third_party=True)
    for sample, name, _, _ in terms.game.founding.samples(terms.content):
        warband = copy_sample(actor=ada, owner=ada, terms=terms, sample_id=sample)
        assert problem_codes(warband) == [], name


# --- teams -----------------------------------------------------------------------------------------------------------------


def test_teams_are_declared_and_taken_back_and_travel(camped: Warband, ada: Any) -> None:
    ottla, matthias = (str(s.fighter(camped, name).pk) for name in ("Ottla", "Matthias"))
    before = s.document(camped)
    slot = "new-antioch-fireteams-1"
    event = declare_teams(warband=camped, picks={slot: (ottla, matthias)}, actor=ada)
    assert event.told == "ada declared Fireteams: Ottla with Matthias."
    now = s.fresh(camped)
    assert now.state["choices"]["fireteams"] == [[ottla, matthias]]
    assert now.terms.game.views(now.terms.content, force_of(now))[ottla].has("FIRETEAM")
    s.assert_reconciled(camped)
    twin = import_document(actor=ada, owner=ada, terms=terms_for(*s.TRENCH_CRUSADE), document=document_of(now))
    assert s.fresh(twin).state["choices"]["fireteams"] == [
        [str(s.fighter(twin, "Ottla").pk), str(s.fighter(twin, "Matthias").pk)]
    ]
    s.assert_reconciled(twin)
    with pytest.raises(Refusal, match="declared already"):
        declare_teams(warband=s.fresh(camped), picks={slot: (ottla, matthias)}, actor=ada)
    s.take_back(event)
    assert s.document(camped) == before
    declare_teams(warband=s.fresh(camped), picks={slot: (ottla, matthias)}, actor=ada)
    gone = declare_teams(warband=s.fresh(camped), picks={}, actor=ada)
    assert gone.told == "ada declared no fireteams."


def test_a_refused_team_leaves_everything_as_it_was(camped: Warband, ada: Any) -> None:
    ottla = str(s.fighter(camped, "Ottla").pk)
    before = s.written(camped)
    with pytest.raises(Refusal, match="two different fighters"):
        declare_teams(warband=s.fresh(camped), picks={"new-antioch-fireteams-1": (ottla, ottla)}, actor=ada)
    assert s.written(camped) == before
    heretics = s.found(ada, name="Choir", list_id="heretic-legion")
    with pytest.raises(Refusal, match="can't declare this here"):
        declare_teams(warband=heretics, picks={}, actor=ada)


def test_a_fighter_that_leaves_takes_its_team_along(ada: Any) -> None:
    warband = s.small_warband(ada)
    ottla, matthias = s.fighter(warband, "Ottla"), s.fighter(warband, "Matthias")
    picks = {"new-antioch-fireteams-1": (str(ottla.pk), str(matthias.pk))}
    declare_teams(warband=warband, picks=picks, actor=ada)
    s.part(ottla)
    now = s.fresh(warband)
    assert not now.terms.game.views(now.terms.content, force_of(now))[str(matthias.pk)].has("FIRETEAM")
    assert problem_codes(warband) == []
    assert Fighter.objects.live().filter(warband=warband, status="active").count() == 2
