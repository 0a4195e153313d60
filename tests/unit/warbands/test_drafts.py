"""Drafts: changes to a roster are tried, shown, kept and applied, and nothing is written until then."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from rules.problems import Refusal
from tests import stories as s
from tests.conftest import person
from tests.module_story import story
from warbands import draft_context
from warbands.draft_acts import SERVICES
from warbands.drafting import MOST_ACTS, trying
from warbands.idempotency import new_token
from warbands.models import Event, Fighter, Item, RosterDraft, Warband
from warbands.reconcile import differences
from warbands.recording import AlreadyDone, Stale, recording
from warbands.services.camp import use_find
from warbands.services.drafts import (
    MOST_DRAFTS,
    apply_draft,
    drop_draft,
    keep_acts,
    remove_acts,
    rename_draft,
    start_draft,
)
from warbands.services.roster import archive_warband, disband_warband, rename_fighter
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@story
def wardens() -> Warband:
    """A small warband that is still being built."""
    return s.fresh(s.small_warband(person("ada")))


def draft_of(warband: Warband, *names: str) -> RosterDraft:
    """A draft that hires these Yeomen, each with a bayonet."""
    draft = start_draft(warband=warband, actor=warband.owner)
    for name in names:
        change(draft, lambda now, name=name: s.hire(now, "Yeoman", name))
        change(draft, lambda now, name=name: s.equip(s.fighter(now, name), "Bayonet"))
    return draft


def change(draft: RosterDraft, do: Any) -> None:
    """Do something inside a draft, and keep it."""
    with trying(draft, draft.owner) as run:
        do(run.warband())
    keep_acts(run)
    draft.refresh_from_db()


def applied(draft: RosterDraft, **how: Any) -> Event:
    """Apply a draft as its page does."""
    how.setdefault("seen", s.fresh(draft.warband).version)
    return apply_draft(draft=draft, actor=draft.owner, revision=draft.revision, **how)


def everything() -> dict[str, list[Any]]:
    """Every row of every table."""
    with connection.cursor() as cursor:
        tables = {}
        for table in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f'SELECT * FROM "{table}"')
            tables[table] = sorted(cursor.fetchall(), key=repr)
        if connection.vendor == "sqlite":
            cursor.execute("SELECT * FROM sqlite_sequence")
            tables["sqlite_sequence"] = sorted(cursor.fetchall())
    return tables


# --- showing --------------------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_showing_a_draft_writes_nothing_at_all(wardens: Warband) -> None:
    draft = draft_of(wardens, "Niamh")
    before = everything()
    with trying(draft, draft.owner) as run:
        assert s.fighter(wardens, "Niamh").pk > 10**15
        assert not run.clashes
    assert everything() == before


def test_a_draft_shows_the_same_each_time(wardens: Warband) -> None:
    draft = draft_of(wardens, "Niamh", "Colm")
    shown = []
    for _time in range(2):
        with trying(draft, draft.owner):
            shown.append(s.document(wardens))
    assert shown[0] == shown[1] != s.document(wardens)


def test_a_service_that_is_not_draftable_is_refused_in_plain_words(wardens: Warband) -> None:
    draft = draft_of(wardens)
    with trying(draft, draft.owner), pytest.raises(Refusal, match="can't try this in a draft"):
        disband_warband(warband=wardens, actor=draft.owner)
    with trying(draft, draft.owner), pytest.raises(Refusal, match="can't try this in a draft"):
        use_find(warband=wardens, task_key="moonshine", actor=draft.owner)
    assert s.fresh(wardens).status == Warband.Status.FOUNDING


def test_a_page_of_a_draft_goes_stale_with_the_draft_and_with_the_roster(wardens: Warband) -> None:
    draft = draft_of(wardens, "Niamh")
    with trying(draft, draft.owner) as run:
        seen = run.version
    change(draft, lambda now: s.hire(now, "Yeoman", "Colm"))
    with trying(draft, draft.owner) as run, pytest.raises(Stale):
        s.hire(run.warband(), "Yeoman", "Donal", seen=seen)
    with trying(draft, draft.owner) as run:
        seen = run.version
    s.hire(wardens, "Yeoman", "Aoife")
    with trying(draft, draft.owner) as run, pytest.raises(Stale):
        s.hire(run.warband(), "Yeoman", "Donal", seen=seen)


def test_a_form_pressed_twice_adds_one_change(wardens: Warband) -> None:
    draft, once = draft_of(wardens), new_token()
    change(draft, lambda now: s.hire(now, "Yeoman", "Niamh", token=once))
    with trying(draft, draft.owner) as run, pytest.raises(AlreadyDone):
        s.hire(run.warband(), "Yeoman", "Niamh", token=once)
    assert len(draft.acts) == 1
    assert not Event.objects.filter(token=once).exists()


def test_a_draft_holds_so_many_changes_and_no_more(wardens: Warband) -> None:
    draft = draft_of(wardens)
    ottla = s.fighter(wardens, "Ottla")
    draft.acts = [
        {
            "number": n,
            "do": "rename_fighter",
            "given": {"fighter": {"kind": "fighter", "pk": ottla.pk}, "name": f"O{n}"},
        }
        for n in range(1, MOST_ACTS + 1)
    ]
    draft.last_number = MOST_ACTS
    draft.save()
    with trying(draft, draft.owner) as run, pytest.raises(Refusal, match="60 changes"):
        s.hire(run.warband(), "Yeoman", "Niamh")


# --- applying -------------------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_an_applied_draft_is_one_event_and_what_it_showed(wardens: Warband) -> None:
    draft, version = draft_of(wardens, "Niamh", "Colm"), wardens.version
    with trying(draft, draft.owner) as run:
        shown = s.purse(wardens), run.warband().rating_ducats
    event = applied(draft)
    now = s.fresh(wardens)
    assert (s.purse(wardens), now.rating_ducats) == shown
    assert now.version == version + 1
    assert event.kind == "draft"
    assert event.told.startswith(
        "ada applied the draft “Draft 1”: hired Niamh, Yeoman, for 35 ducats; bought a Bayonet"
    )
    assert s.kit_of(s.fighter(wardens, "Niamh"))[0] == "bayonet"
    assert Fighter.objects.filter(pk__gt=10**15).count() + Item.objects.filter(pk__gt=10**15).count() == 0
    assert not RosterDraft.objects.exists()
    assert differences(now) == []


def test_undoing_an_applied_draft_restores_the_roster(wardens: Warband) -> None:
    before, held = s.document(wardens), s.purse(wardens)
    draft = draft_of(wardens, "Niamh")
    change(draft, lambda now: s.give(bought_by(now, "Ilse Brandt"), s.fighter(now, "Niamh")))
    change(draft, lambda now: rename_fighter(fighter=s.fighter(now, "Niamh"), name="Niamh the Red", actor=now.owner))
    change(draft, lambda now: s.part(s.fighter(now, "Ottla")))
    event = applied(draft)
    after = s.document(wardens)
    undoing = undo(event=event, actor=draft.owner)
    assert (s.document(wardens), s.purse(wardens)) == (before, held)
    undo(event=undoing, actor=draft.owner)
    assert s.document(wardens) == after
    assert differences(s.fresh(wardens)) == []


def bought_by(warband: Warband, name: str) -> Item:
    carried = Item.objects.live().filter(
        warband=warband, fighter=s.fighter(warband, name), status="held", origin="bought"
    )
    return carried.select_related("warband__owner", "warband__terms").earliest("pk")


def test_applying_twice_applies_once(wardens: Warband) -> None:
    draft, once = draft_of(wardens, "Niamh"), new_token()
    event = applied(draft, token=once)
    with pytest.raises(AlreadyDone) as done:
        applied(draft, token=once)
    assert done.value.event == event
    with pytest.raises(Refusal, match="gone"):
        applied(draft, token=new_token())


def test_a_draft_of_a_roster_that_moved_on_is_looked_at_before_it_is_applied(wardens: Warband) -> None:
    draft, seen = draft_of(wardens, "Niamh"), s.fresh(wardens).version
    s.hire(wardens, "Yeoman", "Aoife")
    written = s.written(wardens)
    with pytest.raises(Stale):
        applied(draft, seen=seen)
    assert s.written(wardens) == written
    applied(draft)
    assert {"Niamh", "Aoife"} <= {fighter["name"] for fighter in s.document(wardens)["fighters"]}


def test_a_change_that_clashes_is_told_by_name_and_stops_the_others_only_when_applied(wardens: Warband) -> None:
    draft = draft_of(wardens, "Niamh")
    change(draft, lambda now: s.equip(s.fighter(now, "Ottla"), "Bayonet"))
    s.part(s.fighter(wardens, "Ottla"))
    written = s.written(wardens)
    with trying(draft, draft.owner) as run:
        assert s.kit_of(s.fighter(wardens, "Niamh"))[0] == "bayonet"
    (clash,) = run.clashes
    assert "Ottla" in clash.reason
    with pytest.raises(Refusal, match="bought a Bayonet for Ottla") as refused:
        applied(draft)
    assert "Ottla is on the roster no longer" in refused.value.message or "Ottla" in refused.value.message
    assert s.written(wardens) == written
    assert remove_acts(draft=draft, numbers={clash.act.number}) == 1
    draft.refresh_from_db()
    applied(draft)


def test_a_change_of_a_version_that_is_gone_clashes(wardens: Warband) -> None:
    draft = draft_of(wardens)
    draft.acts = [
        {"number": 1, "do": "no_such_service", "given": {}},
        {"number": 2, "do": "hire_fighter", "given": {"warband": 7}},
    ]
    draft.save()
    with trying(draft, draft.owner) as run:
        pass
    assert [clash.reason for clash in run.clashes] == ["The app has changed since this was written."] * 2


def test_removing_a_hire_removes_what_it_would_carry(wardens: Warband) -> None:
    draft = draft_of(wardens, "Niamh", "Colm")
    assert remove_acts(draft=draft, numbers={1}) == 2
    assert remove_acts(draft=draft, numbers={1}) == 0
    draft.refresh_from_db()
    with trying(draft, draft.owner) as run:
        assert not run.clashes
    assert [act.number for act in run.acts] == [3, 4]


def test_numbers_of_removed_changes_are_not_used_again(wardens: Warband) -> None:
    draft = draft_of(wardens, "Niamh")
    remove_acts(draft=draft, numbers={1})
    draft.refresh_from_db()
    change(draft, lambda now: s.hire(now, "Yeoman", "Colm"))
    assert draft.acts[0]["number"] == 3


def test_a_warband_in_camp_cannot_spend_more_in_a_draft_than_it_has(wardens: Warband) -> None:
    s.ready(wardens)
    draft = draft_of(wardens)
    with trying(draft, draft.owner) as run:
        for name in ("Niamh", "Colm", "Donal"):
            s.hire(run.warband(), "Yeoman", name)
        Warband.objects.filter(pk=wardens.pk).update(strongbox_ducats=1)
        with pytest.raises(Refusal, match="you have 1"):
            s.hire(run.warband(), "Yeoman", "Aoife")
    assert len(run.added) == 3


# --- the list -------------------------------------------------------------------------------------------------------------


def test_a_warband_has_so_many_drafts_and_no_more(wardens: Warband) -> None:
    drafts = [start_draft(warband=wardens, actor=wardens.owner) for _n in range(MOST_DRAFTS)]
    assert [draft.name for draft in drafts] == [f"Draft {n}" for n in range(1, MOST_DRAFTS + 1)]
    with pytest.raises(Refusal, match="at most 5 drafts"):
        start_draft(warband=wardens, actor=wardens.owner)
    drop_draft(draft=drafts[1])
    assert start_draft(warband=wardens, actor=wardens.owner).name == "Draft 2"


def test_a_draft_is_started_once_and_renamed(wardens: Warband) -> None:
    once = new_token()
    draft = start_draft(warband=wardens, actor=wardens.owner, token=once)
    assert start_draft(warband=wardens, actor=wardens.owner, token=once) == draft
    assert rename_draft(draft=draft, name=" Two  snipers ").name == "Two snipers"
    with pytest.raises(Refusal):
        rename_draft(draft=draft, name=" ")


def test_an_archived_warband_has_no_new_drafts(wardens: Warband) -> None:
    archive_warband(warband=wardens, actor=wardens.owner)
    with pytest.raises(Refusal, match="archived"):
        start_draft(warband=s.fresh(wardens), actor=wardens.owner)


# --- gathered recordings --------------------------------------------------------------------------------------------------


def test_a_refused_part_leaves_the_others_as_they_were(wardens: Warband) -> None:
    ottla = s.fighter(wardens, "Ottla")
    with recording(wardens, kind="draft", actor=wardens.owner, gathers=True) as whole:
        rename_fighter(fighter=ottla, name="Ottla the Elder", actor=wardens.owner)
        with pytest.raises(Refusal):
            s.hire(wardens, "Yeoman", "x" * 200)
        s.hire(wardens, "Yeoman", "Niamh")
        whole.say("{who} did both.")
    assert whole.parts == ["{who} renamed Ottla to Ottla the Elder.", "{who} hired Niamh, Yeoman, for 35 ducats."]
    assert s.last_event(wardens) == whole.event
    assert whole.event.changes.count() >= 2
    assert differences(s.fresh(wardens)) == []


def test_every_service_of_a_roster_is_draftable_or_says_that_it_is_not() -> None:
    from warbands.services import copy_fighter, hire, kit, roster, upgrades

    outside = {"disband_warband", "archive_warband", "restore_warband"}
    services = {
        name
        for module in (copy_fighter, hire, kit, roster, upgrades)
        for name, found in vars(module).items()
        if callable(found)
        and getattr(found, "__module__", "") == module.__name__
        and "token" in found.__code__.co_names + found.__code__.co_varnames
        and not name.startswith("_")
    }
    assert services - outside <= set(SERVICES)


def test_what_every_draftable_service_takes_can_be_stored() -> None:
    for service in SERVICES.values():
        fields = service.stored.__struct_fields__
        assert fields, service.name
        assert not {"actor", "token", "seen"} & set(fields)


def test_addresses_in_the_views_of_drafts_are_those_of_the_draft() -> None:
    from importlib import import_module

    for name in draft_context._MODULES:
        source = inspect.getsource(import_module(name))
        assert "reverse(" not in source, f"{name}: say href_of, which leads on inside a draft."


# --- pages ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def ada(wardens: Warband) -> Client:
    """Ada's browser."""
    client = Client()
    client.force_login(wardens.owner)
    return client


def hire_in(client: Client, draft: RosterDraft, name: str, **how: Any) -> Any:
    """Hire a Yeoman on the hire page of a draft."""
    warband = draft.warband
    fields = {"offer": s.hire_offer(warband, "Yeoman").id, "name": name, "token": new_token(), **how}
    return client.post(f"/drafts/{draft.pk}/warbands/{warband.pk}/hire/", fields)


def test_the_pages_of_the_roster_serve_a_draft(wardens: Warband, ada: Client) -> None:
    before = everything_but_sessions()
    answer = ada.post(f"/warbands/{wardens.pk}/drafts/", {"token": new_token()})
    draft = RosterDraft.objects.get()
    assert answer["Location"] == f"/drafts/{draft.pk}/warbands/{wardens.pk}/"
    answer = hire_in(ada, draft, "Niamh")
    assert answer.status_code == 302
    assert answer["Location"].startswith(f"/drafts/{draft.pk}/warbands/{wardens.pk}/hire/")
    draft.refresh_from_db()
    key = re.findall(r"\d{16}", ada.get(f"/drafts/{draft.pk}/warbands/{wardens.pk}/").content.decode())[0]
    kit = f"/drafts/{draft.pk}/fighters/{key}/kit/"
    page = ada.get(kit).content.decode()
    assert "Draft: not saved to the roster" in page
    bayonet = {"offer": "common-bayonet", "token": new_token()}
    assert ada.post(kit, bayonet).status_code == 302
    assert ada.post(kit, bayonet).status_code == 302  # pressed twice
    drop = ada.post(f"/warbands/{wardens.pk}/drafts/", {"token": new_token(), "drop": draft.pk})
    draft_acts = draft.acts
    draft.acts = []
    assert (drop.status_code, RosterDraft.objects.count(), len(draft_acts)) == (302, 0, 1)
    assert everything_but_sessions() == before


def everything_but_sessions() -> dict[str, list[Any]]:
    """Every row that is not about who is signed in, or about drafts."""
    kept = everything()
    return {
        name: rows
        for name, rows in kept.items()
        if name not in ("django_session", "warbands_rosterdraft", "sqlite_sequence", "accounts_user")
    }


def test_a_press_by_htmx_brings_the_band_up_to_date(wardens: Warband, ada: Client) -> None:
    draft = draft_of(wardens)
    headers = {"HX-Request": "true", "HX-Target": "div#hire", "HX-Current-URL": "http://testserver/"}
    fields = {"offer": s.hire_offer(wardens, "Yeoman").id, "token": new_token()}
    here = f"/drafts/{draft.pk}/warbands/{wardens.pk}/hire/"
    answer = ada.post(here, fields, headers=headers)
    text = answer.content.decode()
    assert (answer.status_code, "<html" in text) == (200, False)
    draft.refresh_from_db()
    band = text[text.index('id="draft_band"') :]
    assert "1 change" in band
    assert f'name="revision" value="{draft.revision}"' in band
    seen = int(re.findall(r'name="seen" value="(\d+)"', text)[0])
    again = ada.post(here, {**fields, "token": new_token(), "seen": seen}, headers=headers)
    assert (again.status_code, len(RosterDraft.objects.get().acts)) == (200, 2)
    stale = ada.post(here, {**fields, "token": new_token(), "seen": seen}, headers=headers)
    assert (stale.status_code, len(RosterDraft.objects.get().acts)) == (422, 2)


def test_every_address_on_a_page_of_a_draft_stays_in_the_draft(wardens: Warband, ada: Client) -> None:
    draft = draft_of(wardens, "Niamh")
    mount = f"/drafts/{draft.pk}"
    with trying(draft, draft.owner):
        key, item = s.fighter(wardens, "Niamh").pk, Item.objects.filter(item_id="bayonet").latest("pk").pk
    pages = [
        f"/warbands/{wardens.pk}/",
        f"/warbands/{wardens.pk}/hire/",
        f"/warbands/{wardens.pk}/stash/",
        f"/fighters/{key}/",
        f"/fighters/{key}/kit/",
        f"/fighters/{key}/upgrades/",
        f"/fighters/{key}/copy/",
        f"/fighters/{key}/dismiss/",
        f"/items/{item}/give/",
        f"/items/{item}/swap/",
    ]
    for page in pages:
        answer = ada.get(mount + page)
        assert answer.status_code == 200, page
        text = answer.content.decode()
        assert "Draft: not saved to the roster" in text
        astray = [
            address
            for address in re.findall(r'(?:href|action|hx-get|hx-post)="(/(?:warbands|fighters|items)/\d[^"]*)"', text)
            if ada.get(mount + address).status_code == 200  # the page is also there in a draft
        ]
        assert astray == [], page


def test_a_page_that_drafts_do_not_have_leads_out(wardens: Warband, ada: Client) -> None:
    draft = draft_of(wardens)
    there = f"/warbands/{wardens.pk}/history/"
    assert ada.get(f"/drafts/{draft.pk}{there}?show=ledger")["Location"] == f"{there}?show=ledger"
    assert ada.post(f"/drafts/{draft.pk}/warbands/{wardens.pk}/disband/", {"token": new_token()}).status_code == 404


def test_a_draft_shows_only_its_own_roster(wardens: Warband, ada: Client) -> None:
    other = s.small_warband(wardens.owner, name="The Other Ones")
    draft = draft_of(wardens)
    assert ada.get(f"/drafts/{draft.pk}/warbands/{other.pk}/").status_code == 404
    assert ada.get(f"/drafts/{draft.pk + 1}/warbands/{other.pk}/").status_code == 404


def test_a_visitor_signs_in_and_comes_back_into_the_draft(wardens: Warband) -> None:
    draft = draft_of(wardens)
    here = f"/drafts/{draft.pk}/warbands/{wardens.pk}/"
    assert Client().get(here)["Location"] == f"/accounts/login/?next={here}"


def test_the_page_of_a_draft_tells_what_it_changes_and_applies_it(wardens: Warband, ada: Client) -> None:
    draft = draft_of(wardens, "Niamh")
    page = ada.get(f"/drafts/{draft.pk}/")
    text = page.content.decode()
    assert "Hired Niamh, Yeoman, for 35 ducats." in text
    assert "Apply 2 changes" in text
    fields = {"seen": s.fresh(wardens).version, "revision": draft.revision, "token": new_token()}
    answer = ada.post(f"/drafts/{draft.pk}/", fields)
    assert answer["Location"] == f"/warbands/{wardens.pk}/"
    assert s.fighter(wardens, "Niamh")
    again = ada.post(f"/drafts/{draft.pk}/", fields)
    assert again["Location"] == f"/warbands/{wardens.pk}/"
    assert Event.objects.filter(kind="draft").count() == 1


def test_a_stale_press_of_apply_shows_the_draft_again(wardens: Warband, ada: Client) -> None:
    draft = draft_of(wardens, "Niamh")
    fields = {"seen": s.fresh(wardens).version, "revision": draft.revision, "token": new_token()}
    s.hire(wardens, "Yeoman", "Aoife")
    answer = ada.post(f"/drafts/{draft.pk}/", fields)
    assert answer.status_code == 422
    assert "Look at it again, then apply." in answer.content.decode()
    assert not Fighter.objects.filter(name="Niamh").exists()


def test_changes_that_clash_are_removed_on_the_page(wardens: Warband, ada: Client) -> None:
    draft = draft_of(wardens)
    change(draft, lambda now: s.equip(s.fighter(now, "Ottla"), "Bayonet"))
    s.part(s.fighter(wardens, "Ottla"))
    text = ada.get(f"/drafts/{draft.pk}/").content.decode()
    assert "Remove 1 change" in text
    assert "Bought a Bayonet for Ottla" in text
    ada.post(f"/drafts/{draft.pk}/change/", {"token": new_token(), "remove": ["1"]})
    draft.refresh_from_db()
    assert draft.acts == []


def test_two_drafts_stand_side_by_side(wardens: Warband, ada: Client) -> None:
    here = f"/warbands/{wardens.pk}/drafts/compare/"
    assert ada.get(here).status_code == 302
    first, second = draft_of(wardens, "Niamh"), draft_of(wardens, "Niamh", "Colm")
    text = ada.get(f"{here}?a={first.pk}&b={second.pk}").content.decode()
    assert "Colm" in text
    assert "not hired" in text
    assert "Niamh" not in text.partition("Where they differ")[2].partition("</section>")[0]
