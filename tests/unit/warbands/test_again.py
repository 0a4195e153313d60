"""A roster that is brought again: what differs, on which side it arose, and the chosen differences taken over in one act."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from rules.price import Price
from tests import roster_files as made
from tests import stories as s
from warbands.idempotency import new_token
from warbands.models import Fighter, ImportedFile, Item, PaperDraft, Warband
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def page(ada: Any, client: Client) -> Client:
    client.force_login(ada)
    return client


def tree() -> dict[str, Any]:
    """A warband in a campaign, each of whose fighters has an id of the other program."""
    found = made.choir()
    for number, row in enumerate(found["forces"][0]["selections"]):
        row["id"] = f"s{number}"
    return found


def sent(data: dict[str, Any], name: str = "choir.json") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, made.as_json(data))


@pytest.fixture
def warband(page: Client) -> Warband:
    page.post(reverse("paper-text"), {"file": sent(tree())})
    page.post(reverse("paper-show", args=[PaperDraft.objects.get().pk]), {"token": new_token(), "act": "bring"})
    return s.fresh(Warband.objects.live().get())


def compared(page: Client, warband: Warband, data: dict[str, Any], name: str = "later.json") -> Any:
    answer = page.post(reverse("warband-again", args=[warband.pk]), {"file": sent(data, name), "token": new_token()})
    assert answer.status_code == 302, answer.content.decode()
    return page.get(answer.url)


def lines(shown: Any) -> dict[tuple[str, str], Any]:
    return {(group.name, line.label): line for group in shown.context["page"].groups for line in group.lines}


def take(page: Client, shown: Any, *keys: str) -> Any:
    found = shown.context["page"]
    return page.post(found.here, {"change": list(keys), "token": new_token(), "seen": found.seen})


def later() -> dict[str, Any]:
    """The same roster a battle on: kit, experience and money changed, one fighter gone, one new."""
    found = deepcopy(tree())
    force = found["forces"][0]["selections"]
    campaign, edda, officer, *_rest = force
    edda["selections"][0] = made.weapon("Pistol", 6)
    edda["selections"][1]["number"] = 6
    officer["customName"] = "Nineteen"
    campaign["selections"][0]["selections"][-1]["number"] = 40
    force.append(made.model("Combat Medic", price=65, part="Troop", customName="Doc", id="s99"))
    return found


def test_the_same_file_again_differs_in_nothing(page: Client, warband: Warband) -> None:
    shown = compared(page, warband, tree())
    assert shown.context["page"].groups == ()
    assert "Nothing differs." in shown.content.decode()


def test_what_changed_in_the_file_is_ticked_and_taken_over_as_one_act(page: Client, warband: Warband) -> None:
    shown = compared(page, warband, later())
    found = lines(shown)
    assert {key: (line.here, line.there, line.is_ticked) for key, line in found.items()} == {
        ("Edda Voss", "Kit"): ("Automatic Pistol", "Pistol", True),
        ("Edda Voss", "Experience"): ("4", "6", True),
        ("1917", "Name"): ("1917", "Nineteen", True),
        ("Doc", "New in the file"): ("", "", True),
        ("The warband", "Strongbox"): ("21 d, 3 g", "40 d, 3 g", True),
    }
    before = s.document(warband)
    answer = take(page, shown, *(line.key for line in found.values()))
    assert answer.url == reverse("warband-show", args=[warband.pk])
    fresh = s.fresh(warband)
    assert (fresh.strongbox_ducats, fresh.strongbox_glory) == (40, 3)
    edda = s.fighter(fresh, "Edda Voss")
    assert s.kit_of(edda) == ["pistol-revolver"]
    assert edda.state["experience"] == 6
    assert {row.name for row in fresh.fighters.filter(status="active")} >= {"Nineteen", "Doc"}
    assert "took over 5 changes from later.json" in s.last_event(fresh).told
    assert ImportedFile.objects.filter(warband=warband).count() == 2
    s.assert_reconciled(fresh)
    again = compared(page, fresh, later())
    assert again.context["page"].groups == ()
    undo(event=s.last_event(fresh), actor=fresh.owner)
    assert [row for row in s.document(warband)["fighters"] if row["status"] == "active"] == before["fighters"]
    assert s.purse(warband) == Price(ducats=21, glory=3)
    s.assert_reconciled(s.fresh(warband))


def test_places_and_skills_of_exploration_are_compared_and_taken_over(page: Client, warband: Warband) -> None:
    changed = deepcopy(tree())
    inside = changed["forces"][0]["selections"][0]["selections"][0]["selections"]
    inside[1] = made.pick("Moonshine Stash", group="Exploration Rewards")
    inside.append(made.pick("Lucky", group="Exploration Skills"))
    shown = compared(page, warband, changed)
    found = lines(shown)
    assert {key[1]: (line.here, line.there, line.is_ticked) for key, line in found.items()} == {
        "Locations": ("Skull of a Saint", "Moonshine Stash", True),
        "Exploration skills": ("nothing else", "Lucky", True),
    }
    before = s.fresh(warband).state
    take(page, shown, *(line.key for line in found.values()))
    state = s.fresh(warband).state
    assert list(state["locations"]) == ["moonshine-stash"]
    assert len(state["exploration_skills"]) == 2
    assert compared(page, s.fresh(warband), changed).context["page"].groups == ()
    undo(event=s.last_event(s.fresh(warband)), actor=warband.owner)
    assert s.fresh(warband).state == before


def save_of(**changes: Any) -> dict[str, Any]:
    found = made.save()
    found["context"] = {**found["context"], **changes}
    return found


@pytest.fixture
def saved(page: Client) -> Warband:
    page.post(reverse("paper-text"), {"file": SimpleUploadedFile("s.json", json.dumps(save_of()).encode())})
    page.post(reverse("paper-settle", args=[PaperDraft.objects.get().pk]), {"act": "go"})
    page.post(reverse("paper-show", args=[PaperDraft.objects.get().pk]), {"token": new_token(), "act": "bring"})
    return s.fresh(Warband.objects.live().get())


def compared_bytes(page: Client, warband: Warband, data: bytes) -> Any:
    file = SimpleUploadedFile("later", data)
    answer = page.post(reverse("warband-again", args=[warband.pk]), {"file": file, "token": new_token()})
    assert answer.status_code == 302, answer.content.decode()
    return page.get(answer.url)


def test_battles_failed_promotions_and_somebody_who_died_since_come_over(page: Client, saved: Warband) -> None:
    changed = save_of(campaign_round=4, failed_promotions=2)
    fallen = deepcopy(changed["models"][2])
    fallen["model"] |= {"id": "x9", "name": "Abel"}
    changed["models"].append(fallen)
    shown = compared_bytes(page, saved, json.dumps(changed).encode())
    found = lines(shown)
    assert {key: (line.here, line.there, line.is_ticked) for key, line in found.items()} == {
        ("Abel", "New in the file, among the dead"): ("", "", True),
        ("The warband", "Battles fought"): ("2", "3", True),
        ("The warband", "Failed promotions"): ("1", "2", True),
    }
    take(page, shown, *(line.key for line in found.values()))
    fresh = s.fresh(saved)
    assert (fresh.state["fought"], fresh.state["promotion_misses"]) == (3, 2)
    assert Fighter.objects.get(warband=fresh, name="Abel").status == Fighter.Status.DEAD
    again = compared_bytes(page, fresh, json.dumps(changed).encode())
    assert again.context["page"].groups == ()
    assert "fought here since" not in again.content.decode()


def test_what_a_file_has_no_place_for_has_not_gone(page: Client, saved: Warband) -> None:
    """Tabletop Simulator's export tells no experience, patron, stash, places or battles, and no list."""
    document = page.get(reverse("warband-text", args=[saved.pk]), {"form": "tts"}).content
    assert lines(compared_bytes(page, saved, document)) == {}
    compact = "\n".join(
        ["## Barefoot ##", "", "Faction: Trench Pilgrims", "Rating: 154 Ducats | 0 Glory", "Patron: Warrior Saint", "",
         "## Elites ##", "", "Ruth - War Prophet", "• Cost: 84 Ducats | 0 Glory", "• Equipment: Sword / Axe", "• Skills: Parry",
         "• Injuries: Leg Wound", "", "Amos - Trench Pilgrim", "• Cost: 40 Ducats | 0 Glory", "• Equipment: Bolt-Action Rifle"]
    )  # fmt: skip
    found = lines(compared_bytes(page, saved, compact.encode()))
    assert [key[1][:14] for key in found] == ["Gone from the "]  # the captive, whom this form leaves out


def test_what_changed_here_or_on_both_sides_is_told_and_not_ticked(page: Client, warband: Warband) -> None:
    edda = s.fighter(warband, "Edda Voss")
    Item.objects.filter(fighter=edda, item_id="automatic-pistol").update(item_id="sword-axe")
    Fighter.objects.filter(pk=edda.pk).update(state={**edda.state, "experience": 5})
    changed = deepcopy(tree())
    changed["forces"][0]["selections"][1]["selections"][1]["number"] = 6
    found = lines(compared(page, warband, changed))
    kit, experience = found["Edda Voss", "Kit"], found["Edda Voss", "Experience"]
    assert (kit.side, kit.is_ticked, kit.here) == ("changed here", False, "Sword/Axe")
    assert (experience.side, experience.is_ticked) == ("changed on both sides", False)


def test_a_fighter_gone_from_the_file_is_proposed_and_leaves_only_when_chosen(page: Client, warband: Warband) -> None:
    shorter = deepcopy(tree())
    del shorter["forces"][0]["selections"][2]
    shown = compared(page, warband, shorter)
    ((key, line),) = lines(shown).items()
    assert key[0] == "1917"
    assert line.label.startswith("Gone from the file")
    assert not line.is_ticked
    refused = take(page, shown)
    assert refused.status_code == 422
    assert "Nothing is chosen." in refused.content.decode()
    take(page, shown, line.key)
    gone = Fighter.objects.get(warband=warband, name="1917")
    assert gone.status == Fighter.Status.RETURNED  # the warband is still being built
    assert "bolt-action-rifle" in s.kit_of(None, s.fresh(warband))
    s.assert_reconciled(s.fresh(warband))


def test_another_name_with_other_kit_may_be_somebody_else_and_is_asked_about(page: Client, warband: Warband) -> None:
    data = deepcopy(tree())
    edda = data["forces"][0]["selections"][1]
    edda["customName"] = "Ottla Brandt"
    edda["selections"][0] = made.weapon("Pistol", 6)
    shown = compared(page, warband, data)
    group = next(group for group in shown.context["page"].groups if group.name == "Edda Voss")
    assert group.doubt == "This may be another fighter, so nothing is ticked."
    assert [line.is_ticked for line in group.lines] == [False, False]
    edda["customName"] = "Edda Voss the Elder"  # the name goes on: it is she
    shown = compared(page, warband, data)
    assert {(group.doubt, *(line.is_ticked for line in group.lines)) for group in shown.context["page"].groups} == {
        ("", True, True)
    }


def test_a_piece_that_goes_from_one_to_another_moves(page: Client, warband: Warband) -> None:
    moved = deepcopy(tree())
    edda, officer = moved["forces"][0]["selections"][1:3]
    officer["selections"].append(edda["selections"].pop(0))
    piece = Item.objects.get(warband=warband, item_id="automatic-pistol")
    shown = compared(page, warband, moved)
    take(page, shown, *(line.key for line in lines(shown).values()))
    piece.refresh_from_db()
    assert piece.fighter is not None
    assert (piece.fighter.name, piece.status) == ("1917", Item.Status.HELD)
    assert Item.objects.filter(warband=warband, item_id="automatic-pistol").count() == 1


def test_a_file_that_was_brought_before_a_newer_one_is_older(page: Client, warband: Warband) -> None:
    shown = compared(page, warband, later())
    take(page, shown, *(line.key for line in lines(shown).values()))
    old = compared(page, s.fresh(warband), tree())
    text = old.content.decode()
    assert "The file seems older than the roster." in text
    assert "brought before a newer one" in text
    assert not any(line.is_ticked for line in lines(old).values())


def test_a_battle_fought_here_since_is_named_first(page: Client, warband: Warband) -> None:
    Warband.objects.filter(pk=warband.pk).update(state={**warband.state, "fought": 1})
    shown = compared(page, warband, later())
    assert "1 battle was fought here since the last file." in shown.content.decode()
    assert not any(line.is_ticked for line in lines(shown).values())


def test_a_roster_never_brought_is_matched_by_name_and_kind(page: Client, warband: Warband) -> None:
    ImportedFile.objects.all().delete()
    changed = later()
    for number, row in enumerate(changed["forces"][0]["selections"]):
        row["id"] = f"other{number}"
    found = lines(compared(page, warband, changed))
    assert found["Edda Voss", "Kit"].side == "differs"
    assert ("Doc", "New in the file") in found
    assert not found["Edda Voss", "Kit"].is_ticked


def test_an_unknown_name_is_settled_before_the_comparison(page: Client, warband: Warband) -> None:
    odd = later()
    odd["forces"][0]["selections"][1]["selections"].append(made.pick("Zzyzx Charm", group="Upgrades", price=7))
    answer = page.post(reverse("warband-again", args=[warband.pk]), {"file": sent(odd), "token": new_token()})
    draft = PaperDraft.objects.get(again=warband)
    assert answer.url == reverse("paper-settle", args=[draft.pk])
    answer = page.post(answer.url, {"act": "custom", **open_ones(page.get(answer.url))})
    assert answer.url == reverse("warband-again-compare", args=[warband.pk, draft.pk])
    assert ("Edda Voss", "Kit") in lines(page.get(answer.url))
    assert not page.get(reverse("warband-bring")).context["page"].drafts


def open_ones(shown: Any) -> dict[str, str]:
    return {f"a_{ask.key}": "" for row in shown.context["page"].rows for ask in row.settle}


def test_of_nobody_elses_warband_is_anything_compared(warband: Warband, ben: Any) -> None:
    other = Client()
    other.force_login(ben)
    assert other.get(reverse("warband-again", args=[warband.pk])).status_code == 404


def test_what_changed_meanwhile_is_told_and_nothing_is_taken(page: Client, warband: Warband) -> None:
    shown = compared(page, warband, later())
    Warband.objects.filter(pk=warband.pk).update(version=99)
    answer = page.post(
        shown.context["page"].here,
        {"change": [line.key for line in lines(shown).values()], "token": new_token(), "seen": "1"},
    )
    assert answer.status_code == 422
    assert s.fresh(warband).strongbox_ducats == 21
