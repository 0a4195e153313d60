"""A force whose profiles its player wrote: founded, filled from a library, chosen for, kept up to date, shown and carried elsewhere."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules.problems import Refusal
from tests import stories as s
from tests.unit.rules.custom_forces import FAR, GLOOM, OFFICER, PLATOON, RIFLES
from warbands.adapters import force_of
from warbands.models import Fighter, Warband
from warbands.pages.roster import read_roster
from warbands.pages.widgets import problem_rows
from warbands.services.camp import use_find
from warbands.services.copy_fighter import copy_fighter
from warbands.services.documents import export_document
from warbands.services.founding import found_warband, import_document, make_ready, terms_for
from warbands.services.hire import hire_fighter, part_fighter
from warbands.services.library import change_profile, put_away_profile, write_profile
from warbands.services.roster import move_fighter, set_choice
from warbands.text_import import text_import_of
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]

# Words of games with money: no page of a force without any may hold one.
FOREIGN = re.compile(r"\b(ducats?|glory|stash|strongbox|experience|scars?|armoury)\b|\b\d+ [dg]\b", re.IGNORECASE)


def found(owner: Any, game: str = GLOOM, **how: Any) -> Warband:
    """A force without units."""
    return found_warband(
        actor=owner, owner=owner, terms=terms_for(game, "core"), list_id="own-force", name="The Grey Column", **how
    )


def rifles(owner: Any, name: str = "Test Rifles", **data: Any) -> Any:
    """A profile in a library."""
    return write_profile(
        actor=owner, owner=owner, system_id=GLOOM, edition="core", kind="unit", name=name, data={**RIFLES, **data}
    )


def take(warband: Warband, profile: Any, name: str = "") -> Fighter:
    """A unit of a profile, by its owner."""
    return hire_fighter(warband=s.fresh(warband), offer_id=profile.ident, actor=warband.owner, name=name)


def choice(warband: Warband, key: str) -> str:
    return str(s.fresh(warband).state["choices"].get(key, ""))


def counts(fighter: Fighter) -> dict[str, int]:
    warband = s.fresh(fighter.warband)
    views = warband.terms.game.views(warband.terms.content, force_of(warband))
    return dict(views[str(fighter.pk)].facts["counts"])


def test_a_force_is_founded_with_texts_and_a_number_among_its_choices(ada: Any) -> None:
    force = found(ada, choices={"scale": "15mm", "faction": "  Isle   of Rain ", "points_limit": 400})
    assert force.state["choices"] == {"scale": "15mm", "faction": "Isle of Rain", "points_limit": "400"}
    assert (force.strongbox_ducats, force.budget_ducats, force.ledger.count()) == (0, 0, 0)


@pytest.mark.parametrize(
    "choices",
    [{"points_limit": "many"}, {"points_limit": 0}, {"faction": "x" * 61}, {"scale": "6mm"}, {"sin": "greed"}],
)
def test_a_choice_that_does_not_fit_is_refused_and_nothing_is_founded(ada: Any, choices: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        found(ada, choices=choices)
    assert not Warband.objects.exists()


def test_a_unit_keeps_its_own_copy_of_the_profile(ada: Any) -> None:
    profile, force = rifles(ada), found(ada)
    unit = take(force, profile)
    name = unit.name
    change_profile(profile=profile, actor=ada, name="Test Rifles", data={**RIFLES, "save": "D12"})
    unit.refresh_from_db()
    assert unit.state["profile"]["data"]["save"] == "D6"
    assert unit.name == name


def test_the_newer_version_is_taken_in_one_act_and_given_back_in_another(ada: Any) -> None:
    profile, force = rifles(ada), found(ada)
    unit = take(force, profile)
    change_profile(profile=profile, actor=ada, name="Test Rifles", data={**RIFLES, "save": "D12"})
    event = use_find(warband=s.fresh(force), task_key=f"newer-{unit.pk}", actor=ada)
    unit.refresh_from_db()
    assert (unit.state["profile"]["data"]["save"], unit.state["profile"]["version"]) == ("D12", 2)
    with pytest.raises(Refusal):
        use_find(warband=s.fresh(force), task_key=f"newer-{unit.pk}", actor=ada)
    undo(event=event, actor=ada)
    unit.refresh_from_db()
    assert unit.state["profile"]["data"]["save"] == "D6"


def test_a_profile_put_away_takes_no_unit_with_it(ada: Any) -> None:
    profile, force = rifles(ada), found(ada)
    unit = take(force, profile)
    put_away_profile(profile=profile, actor=ada)
    assert counts(unit) == {"Rifle": 7, "NCO": 1}
    with pytest.raises(Refusal):
        take(force, profile)


def test_counts_are_chosen_for_a_unit_and_taken_back(ada: Any) -> None:
    unit = take(found(ada), rifles(ada))
    set_choice(row=unit, key="count:rifle", value="5", actor=ada)
    assert counts(unit) == {"Rifle": 5, "NCO": 1}
    with pytest.raises(Refusal):
        set_choice(row=unit, key="count:rifle", value="10", actor=ada)
    undo(event=s.last_event(unit.warband), actor=ada)
    assert counts(unit) == {"Rifle": 7, "NCO": 1}


def test_a_formation_is_kept_with_the_force_and_let_go_again(ada: Any) -> None:
    formation = write_profile(
        actor=ada,
        owner=ada,
        system_id=GLOOM,
        edition="core",
        kind="formation",
        name="Wedge",
        data={"tactical_points": 2},
    )
    force = found(ada)
    take(force, rifles(ada))
    set_choice(row=s.fresh(force), key="formation", value=formation.ident, actor=ada)
    put_away_profile(profile=formation, actor=ada)
    kept = s.fresh(force).state["formation"]
    assert (kept["name"], kept["data"]["tactical_points"]) == ("Wedge", 2)
    set_choice(row=s.fresh(force), key="formation", value="", actor=ada)
    assert not s.fresh(force).state.get("formation")
    undo(event=s.last_event(force), actor=ada)
    assert s.fresh(force).state["formation"]["name"] == "Wedge"


def test_a_copy_has_the_choices_of_the_first(ada: Any) -> None:
    unit = take(found(ada), rifles(ada), "First")
    set_choice(row=unit, key="count:rifle", value="4", actor=ada)
    (twin,) = copy_fighter(fighter=unit, actor=ada, name="Second")
    assert counts(twin) == {"Rifle": 4, "NCO": 1}
    assert s.fresh(unit.warband).fighter_count == 2


def test_a_force_with_an_error_is_not_ready_and_one_with_an_oddity_is(ada: Any) -> None:
    force, profile = found(ada), rifles(ada)
    unit = take(force, profile)
    set_choice(row=unit, key="count:nco", value="0", actor=ada)
    assert s.fresh(force).problem_count == 1
    with pytest.raises(Refusal) as refused:
        make_ready(warband=s.fresh(force), actor=ada)
    assert "Squad Leader" in str(refused.value)
    row = problem_rows(read_roster(s.fresh(force)))[0]
    assert row.href == f"{reverse('choice-list', args=[force.pk])}#choices_{unit.pk}"  # where it is mended
    set_choice(row=unit, key="count:nco", value="1", actor=ada)
    assert s.fresh(force).problem_count == 0  # nobody commands, which is told and allowed
    make_ready(warband=s.fresh(force), actor=ada)
    assert not s.fresh(force).is_founding


def test_a_unit_leaves_and_comes_back(ada: Any) -> None:
    force = found(ada)
    unit = take(force, rifles(ada))
    part_fighter(fighter=unit, way="return", actor=ada)
    assert s.fresh(force).fighter_count == 0
    undo(event=s.last_event(force), actor=ada)
    make_ready(warband=s.fresh(force), actor=ada)
    part_fighter(fighter=Fighter.objects.get(pk=unit.pk), way="dismiss", actor=ada)
    assert Fighter.objects.get(pk=unit.pk).status == Fighter.Status.DISMISSED


def test_platoons_join_the_company_taken_last_and_may_be_put_into_another(ada: Any) -> None:
    force = found(ada, FAR)

    def taken(offer: str) -> Fighter:
        return hire_fighter(warband=s.fresh(force), offer_id=offer, actor=ada)

    alone, first = taken("sample-rifle-platoon"), taken("sample-company")
    second_platoon, second = taken("sample-rifle-platoon"), taken("sample-storm-company")
    team, tanks = taken("sample-hmg"), taken("sample-light-tanks")
    kept = {row.pk: row.state["choices"].get("company", "") for row in Fighter.objects.filter(warband=force)}
    assert (kept[alone.pk], kept[tanks.pk]) == ("", "")
    assert (kept[second_platoon.pk], kept[team.pk]) == (str(first.pk), str(second.pk))
    set_choice(row=team, key="company", value=str(first.pk), actor=ada)
    assert Fighter.objects.get(pk=team.pk).state["choices"]["company"] == str(first.pk)
    set_choice(row=team, key="company", value="", actor=ada)
    assert not Fighter.objects.get(pk=team.pk).state["choices"].get("company")


def test_a_company_that_leaves_is_missed_by_its_platoons(ada: Any) -> None:
    force = found(ada, FAR)
    company = hire_fighter(warband=s.fresh(force), offer_id="sample-company", actor=ada)
    hire_fighter(warband=s.fresh(force), offer_id="sample-rifle-platoon", actor=ada)
    part_fighter(fighter=company, way="return", actor=ada)
    game, content = s.fresh(force).terms.game, s.fresh(force).terms.content
    assert [each.code for each in game.check(content, force_of(s.fresh(force))).errors] == ["command-base"]
    undo(event=s.last_event(force), actor=ada)
    assert s.fresh(force).problem_count == 0


def test_units_change_places_within_their_kind(ada: Any) -> None:
    force, profile = found(ada), rifles(ada)
    take(force, profile, "First")
    second = take(force, profile, "Second")
    move_fighter(fighter=second, actor=ada, direction="up")
    assert [row.name for row in Fighter.objects.filter(warband=force)] == ["Second", "First"]
    with pytest.raises(Refusal):
        move_fighter(fighter=second, actor=ada, direction="up")


def test_points_stand_on_the_list_and_in_the_bar(ada: Any, client: Any) -> None:
    force = found(ada, choices={"points_limit": 50})
    take(force, rifles(ada, points=20))
    client.force_login(ada)
    assert "20 pts, 1 unit" in text(client.get(reverse("warband-list")))
    assert "20 / 50" in text(client.get(reverse("warband-show", args=[force.pk])))


def test_a_force_brought_elsewhere_is_the_same_force(ada: Any, ben: Any) -> None:
    force = found(ada, FAR, choices={"period": "1917"})
    company = write_profile(
        actor=ada, owner=ada, system_id=FAR, edition="core", kind="company", name="Company", data={}
    )
    platoon = write_profile(
        actor=ada, owner=ada, system_id=FAR, edition="core", kind="platoon", name="Platoon", data=PLATOON
    )
    head, body = take(force, company, "A Company"), take(force, platoon, "First Platoon")
    assert Fighter.objects.get(pk=body.pk).state["choices"]["company"] == str(head.pk)
    document = json.loads(json.dumps(export_document(s.fresh(force))))
    twin = import_document(actor=ben, owner=ben, terms=terms_for(FAR, "core"), document=document)
    rows = {row.name: row for row in Fighter.objects.filter(warband=twin)}
    assert rows["First Platoon"].state["choices"]["company"] == str(rows["A Company"].pk)
    assert rows["First Platoon"].state["profile"]["data"] == Fighter.objects.get(pk=body.pk).state["profile"]["data"]
    assert choice(twin, "period") == "1917"
    assert s.fresh(twin).problem_count == s.fresh(force).problem_count == 0


def text(answer: Any) -> str:
    """What a page says, without its tags."""
    assert answer.status_code == 200
    page = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", answer.content.decode(), flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


OF_A_FORCE = ("warband-show", "fighter-hire", "history-show", "warband-ready", "warband-change", "warband-share", "choice-list", "camp-show", "roster-print", "warband-disband")  # fmt: skip
OF_A_UNIT = ("fighter-show", "fighter-copy", "fighter-dismiss", "fighter-rename", "fighter-note", "fighter-move")


@pytest.mark.parametrize("game", [GLOOM, FAR])
def test_no_page_of_a_force_speaks_of_money_or_of_what_the_game_lacks(ada: Any, client: Any, game: str) -> None:
    force = found(ada, game)
    for offer in s.fresh(force).terms.game.hire_offers(s.fresh(force).terms.content, force_of(s.fresh(force)))[:4]:
        hire_fighter(warband=s.fresh(force), offer_id=offer.id, actor=ada)
    client.force_login(ada)
    unit = Fighter.objects.filter(warband=force).first()
    assert unit is not None
    pages = [reverse(name, args=[force.pk]) for name in OF_A_FORCE] + [
        reverse(name, args=[unit.pk]) for name in OF_A_UNIT
    ]
    for address in (*pages, reverse("warband-list"), f"{reverse('warband-found')}?game={game}/core"):
        told = text(client.get(address))
        assert not FOREIGN.search(told), (address, FOREIGN.search(told))
    for name in ("stash-show", "ledger-list"):
        assert client.get(reverse(name, args=[force.pk])).status_code == 404
    for name in ("kit-buy", "upgrade-buy"):
        assert client.get(reverse(name, args=[unit.pk])).status_code == 404


def test_pages_of_a_force_ask_as_much_for_two_units_as_for_twelve(ada: Any, client: Any) -> None:
    profile = rifles(ada)
    forces = [found(ada), found(ada)]
    for force, many in zip(forces, (2, 12), strict=True):
        for _ in range(many):
            take(force, profile)
    client.force_login(ada)
    for name in OF_A_FORCE:
        asked = [count(client, reverse(name, args=[force.pk])) for force in forces]
        assert asked[0] == asked[1], (name, asked)
    for name in OF_A_UNIT:
        rows = [Fighter.objects.filter(warband=force).order_by("pk")[0] for force in forces]
        asked = [count(client, reverse(name, args=[row.pk])) for row in rows]
        assert asked[0] == asked[1], (name, asked)


def count(client: Any, address: str) -> int:
    client.get(address)  # what is kept per process is there then
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200, address
    return sum(1 for query in captured if not query["sql"].startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")))


def test_a_shared_link_shows_units_and_points_to_strangers(ada: Any, client: Any) -> None:
    from warbands.services.sharing import share_warband

    force = found(ada)
    take(force, rifles(ada, points=20), "First Rifles")
    take(
        force,
        write_profile(actor=ada, owner=ada, system_id=GLOOM, edition="core", kind="unit", name="Officer", data=OFFICER),
    )
    link = share_warband(warband=s.fresh(force), actor=ada, name="For Ben")
    told = text(client.get(reverse("warband-watch", args=[link.slug])))
    assert "First Rifles" in told
    assert "20 pts" in told
    assert not FOREIGN.search(told)


def test_a_pasted_text_is_refused_with_a_way_that_works(ada: Any) -> None:
    terms = terms_for(GLOOM, "core")
    with pytest.raises(Refusal) as refused:
        text_import_of(terms.game)
    assert "exported file" in refused.value.mend


def test_settings_clear_a_text_and_a_number_and_leave_the_rest(ada: Any, client: Any) -> None:
    force = found(ada, choices={"faction": "Britain", "points_limit": "40", "scale": "15mm"})
    client.force_login(ada)
    form = {"name": force.name, "notes": "", "choice_faction": "", "choice_points_limit": "", "choice_scale": "15mm"}
    answer = client.post(
        reverse("warband-change", args=[force.pk]), {**form, "token": "c1", "seen": s.fresh(force).version}
    )
    assert answer.status_code == 302
    assert (choice(force, "faction"), choice(force, "points_limit"), choice(force, "scale")) == ("", "", "15mm")
    assert "cleared “Faction”" in text(client.get(reverse("history-show", args=[force.pk])))
    again = client.post(
        reverse("warband-change", args=[force.pk]), {**form, "token": "c2", "seen": s.fresh(force).version}
    )
    assert (again.status_code, "Nothing was changed." in again.content.decode()) == (422, True)


@pytest.mark.parametrize(("scale", "bands"), [("28mm", "8″ D12"), ("15mm", "8 cm D12")])
def test_cards_and_pages_tell_weapons_in_the_unit_of_the_force(ada: Any, client: Any, scale: str, bands: str) -> None:
    force = found(ada, choices={"scale": scale})
    unit = hire_fighter(warband=s.fresh(force), offer_id="sample-rifles", actor=ada, name="First Rifles")
    client.force_login(ada)
    told = text(client.get(reverse("warband-show", args=[force.pk])))
    assert f"Rifle: {bands}" in told
    page = text(client.get(reverse("fighter-show", args=[unit.pk])))
    assert page.count(bands) == 1, "each weapon is told once"


def test_a_platoon_tells_reach_and_attacks_on_its_card(ada: Any, client: Any) -> None:
    force = found(ada, FAR)
    hire_fighter(warband=s.fresh(force), offer_id="sample-hmg", actor=ada, name="Bridge Gun")
    client.force_login(ada)
    assert "HMG: 24″, 4 attacks" in text(client.get(reverse("warband-show", args=[force.pk])))


def test_own_profiles_are_offered_before_the_games_samples(ada: Any, client: Any) -> None:
    force = found(ada)
    rifles(ada, "Zouaves of the Lane")
    client.force_login(ada)
    told = text(client.get(reverse("fighter-hire", args=[force.pk])))
    assert told.index("Zouaves of the Lane") < told.index("Sample officer")


def test_taking_a_unit_that_may_be_filled_leads_to_its_choices(ada: Any, client: Any) -> None:
    force = found(ada)
    profile = rifles(ada)
    client.force_login(ada)
    address = reverse("fighter-hire", args=[force.pk])
    told = {"offer": profile.ident, "token": "h1", "seen": s.fresh(force).version}
    page = client.post(address, told, follow=True).content.decode()
    unit = Fighter.objects.get(warband=force)
    assert f'href="{reverse("choice-list", args=[force.pk])}#choices_{unit.pk}">Choices</a>' in page


def test_a_unit_of_which_nobody_is_left_says_so_and_what_helps(ada: Any, client: Any) -> None:
    force = found(ada)
    unit = hire_fighter(warband=s.fresh(force), offer_id="sample-officer", actor=ada, name="The Major")
    unit.refresh_from_db()
    unit.state = {**unit.state, "left": {"officer": 0}}
    unit.save(update_fields=["state"])
    client.force_login(ada)
    for name, pk in (("warband-show", force.pk), ("fighter-show", unit.pk)):
        assert "Wiped out. Replace its losses" in text(client.get(reverse(name, args=[pk]))), name


def test_founding_and_empty_pages_call_a_force_what_its_game_does(ada: Any, client: Any) -> None:
    client.force_login(ada)
    page = text(client.get(reverse("warband-found") + f"?game={GLOOM}/core"))
    assert "Start a force" in page
    assert "Create force" in page
    empty = client.post(reverse("warband-found") + f"?game={GLOOM}/core&list=own-force", {"name": "", "token": "f1"})
    assert (empty.status_code, "The force needs a name." in empty.content.decode()) == (422, True)
    assert "No warband yet." in text(client.get(reverse("warband-list")))
    rifles(ada)
    told = text(client.get(reverse("warband-list")))
    assert "No warband yet." not in told
    assert "No force yet." in told
