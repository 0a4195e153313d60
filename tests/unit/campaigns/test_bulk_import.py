"""Many roster files brought to a campaign at once: what each is, whose place it goes to, and what becomes of it."""

from __future__ import annotations

import json
import re
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.models import BulkFile, Campaign, Seat
from campaigns.models.bulk_import import SILENT_AFTER
from campaigns.services.bulk_import import bring_files, choose_seats, import_ready, leave_file
from campaigns.services.bulk_reading import MOST_TRIES, work_at_bulk_files
from campaigns.services.open import open_campaign
from campaigns.services.seat_guess import guess_seat
from rules.problems import Refusal
from rules.registry import system
from rules.roster_files.folder import entries_of_files
from tests import campaign_stories as c
from tests import roster_files as files
from tests import stories as s
from tests.module_story import story
from warbands.idempotency import new_token
from warbands.models import PaperDraft, Warband
from warbands.services.documents import export_document
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

State = BulkFile.State


@pytest.fixture(autouse=True)
def _worked_at_once(settings: Any) -> None:
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend", "QUEUES": ["default"]}}


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign, where Ada has a warband and Ben has none."""
    return c.club_with_empty_places(cleo, ada, ben)


@pytest.fixture
def campaign(made: c.Club) -> Campaign:
    return Campaign.objects.get(pk=made.campaign.pk)


def clear(name: str) -> bytes:
    """A roster file in which everything is known."""
    return files.as_json(
        files.roster(
            files.model("Lieutenant", files.weapon("Automatic Pistol", 20), price=70, part="Elite", customName="Edda"),
            files.model("Yeoman", files.weapon("Bolt-Action Rifle", 10), price=30),
            name=name,
        )
    )


def unclear(name: str) -> bytes:
    return files.as_json(files.roster(files.model("Yeoman", files.weapon("Teapot of Doom", 10), price=30), name=name))


def brought(campaign: Campaign, actor: Any, *given: tuple[str, bytes]) -> list[BulkFile]:
    bring_files(campaign=campaign, actor=actor, files=given)
    return list(BulkFile.objects.filter(campaign=campaign).select_related("draft", "seat"))


def test_an_archive_counts_as_its_files_and_a_rosz_as_itself() -> None:
    rosz = files.zipped(("list.ros", files.as_xml(files.choir()).encode()))
    folder = files.zipped(("a/one.json", b"{}"), ("__MACOSX/a/._one.json", b"x"), ("two.rosz", rosz))
    found = entries_of_files([("club.zip", folder), ("mine.rosz", rosz), ("lone.zip", files.zipped(("x.json", b"{}")))])
    assert [entry.name for entry in found] == ["a/one.json", "two.rosz", "mine.rosz", "x.json"]
    assert found[2].data == rosz


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([("many.zip", files.zipped(*((f"{n}.txt", b"x") for n in range(61))))], "more than 60 files"),
        ([(f"{n}.txt", b"x") for n in range(61)], "More than 60 files"),
        ([("broken.zip", b"PK\x03\x04 and nothing")], "broken.zip is a damaged archive"),
        (
            [("odd.zip", files.zipped(("a.ros", b"<roster/>"), how=zipfile.ZIP_LZMA))],
            "odd.zip is packed in an unusual way",
        ),
        ([("bomb.zip", files.zipped(*((f"{n}.txt", b"\0" * 2_000_000) for n in range(30))))], "more than 40 MB"),
    ],
)
def test_what_is_too_much_or_damaged_is_refused_in_a_sentence(given: list[tuple[str, bytes]], words: str) -> None:
    with pytest.raises(Refusal, match=words):
        entries_of_files(given)


def test_a_roster_goes_to_the_one_player_whose_name_it_bears() -> None:
    ada, jose = Seat(pk=1, name="Ada"), Seat(pk=2, name="José Luis")
    assert guess_seat("ada/choir.rosz", "Choir", [ada, jose]) == ada
    assert guess_seat("choir.ros", "Jose_Luis: the Choir", [ada, jose]) == jose
    assert guess_seat("Adams.ros", "Choir", [ada, jose]) is None
    assert guess_seat("Ada and José Luis.ros", "Choir", [ada, jose]) is None


def test_each_file_says_what_it_is_and_one_that_is_none_stops_no_other(campaign: Campaign, cleo: Any) -> None:
    rows = brought(
        campaign,
        cleo,
        ("Benedict.json", clear("Iron Choir")),
        ("b.json", unclear("Odd Ones")),
        ("photo.png", b"\x89PNG\r\n"),
    )
    assert [row.state for row in rows] == [State.READ, State.READ, State.REFUSED]
    assert rows[0].figures["name"] == "Iron Choir"
    assert rows[0].figures["fighters"] == 2
    assert rows[0].seat is not None
    assert rows[0].seat.name == "Benedict"
    assert rows[1].figures["open"] == 1
    assert "PNG" in rows[2].words
    assert rows[0].data is None  # the draft keeps the original


def test_a_file_dropped_twice_is_there_once(campaign: Campaign, cleo: Any) -> None:
    for expected in ((1, 0), (0, 1)):
        assert bring_files(campaign=campaign, actor=cleo, files=[("a.json", clear("Iron Choir"))]) == expected
    assert BulkFile.objects.filter(campaign=campaign).count() == 1


def test_ready_rosters_are_imported_each_by_an_act_that_one_undo_takes_back(
    campaign: Campaign, cleo: Any, ben: Any
) -> None:
    first, second, third = brought(
        campaign,
        cleo,
        ("Benedict.json", clear("Iron Choir")),
        ("b.json", clear("Late Ones")),
        ("c.json", unclear("Odd")),
    )
    choose_seats(
        campaign=campaign,
        actor=cleo,
        chosen={first.pk: str(first.seat_id), second.pk: "new", third.pk: "new"},
        token="",
    )
    assert import_ready(campaign=campaign, actor=cleo) == 2
    kept = list(BulkFile.objects.filter(campaign=campaign).select_related("draft__warband", "seat__warband"))
    assert [row.state for row in kept] == [State.IMPORTED, State.IMPORTED, State.READ]
    warband = kept[0].draft.warband
    assert kept[0].seat.warband == warband
    assert warband.owner == ben
    assert warband.imported_files.count() == 1
    assert kept[1].seat.name == "Late Ones"
    assert import_ready(campaign=campaign, actor=cleo) == 0  # nothing happens twice
    event = s.last_event(warband)
    undo(event=event, actor=ben)
    assert Seat.objects.get(pk=kept[0].seat.pk).warband is None
    assert import_ready(campaign=campaign, actor=cleo) == 1  # what was taken back can be brought again
    assert Seat.objects.get(pk=kept[0].seat.pk).warband.name == "Iron Choir"


def test_a_worker_that_stopped_after_the_import_imports_nothing_again(campaign: Campaign, cleo: Any) -> None:
    (row,) = brought(campaign, cleo, ("Benedict.json", clear("Iron Choir")))
    import_ready(campaign=campaign, actor=cleo)
    long_ago = timezone.now() - 2 * SILENT_AFTER
    BulkFile.objects.filter(pk=row.pk).update(state=State.IMPORTING, told_at=long_ago)
    work_at_bulk_files(campaign.pk)
    assert BulkFile.objects.get(pk=row.pk).state == State.IMPORTED
    assert Warband.objects.filter(name="Iron Choir").count() == 1


def test_a_file_that_stops_its_worker_twice_is_given_up(campaign: Campaign, cleo: Any) -> None:
    (row,) = brought(campaign, cleo, ("a.json", clear("Iron Choir")))
    long_ago = timezone.now() - 2 * SILENT_AFTER
    BulkFile.objects.filter(pk=row.pk).update(state=State.READING, tries=MOST_TRIES, told_at=long_ago)
    work_at_bulk_files(campaign.pk)
    assert "stopped the server twice" in BulkFile.objects.get(pk=row.pk).words


def test_two_files_have_no_place_in_common_and_a_taken_one_is_refused(
    campaign: Campaign, cleo: Any, ada: Any, made: c.Club
) -> None:
    first, second = brought(campaign, cleo, ("a.json", clear("One")), ("b.json", clear("Two")))
    free = str(Seat.objects.get(campaign=campaign, name="Benedict").pk)
    with pytest.raises(Refusal, match="same place"):
        choose_seats(campaign=campaign, actor=cleo, chosen={first.pk: free, second.pk: free})
    with pytest.raises(Refusal, match="taken"):
        choose_seats(campaign=campaign, actor=cleo, chosen={first.pk: str(made.seat(ada).pk)})


def test_the_player_of_the_place_finishes_the_roster_and_nobody_else_sees_it(
    campaign: Campaign, cleo: Any, ben: Any, ada: Any, client: Client
) -> None:
    (row,) = brought(campaign, cleo, ("Benedict.json", unclear("Odd Ones")))
    assert row.draft is not None
    here = reverse("paper-settle", args=[row.draft.pk])
    client.force_login(ada)
    assert client.get(here).status_code == 404
    client.force_login(ben)
    shown = client.get(f"{reverse('warband-bring')}?for=seat:{row.seat_id}").content.decode()
    assert here in shown
    text = client.get(here).content.decode()
    asked = re.search(r'name="(a_[\d.]+)"', text)
    assert asked
    client.post(here, {asked[1]: "-", "list_id": "new-antioch", "act": "go"})
    overview = reverse("paper-show", args=[row.draft.pk])
    assert client.post(overview, {"act": "discard"}).status_code == 422
    assert PaperDraft.objects.filter(pk=row.draft.pk).exists()
    sent = client.post(overview, {"act": "bring", "token": new_token()})
    assert sent.status_code == 302
    assert Seat.objects.get(pk=row.seat_id).warband.name == "Odd Ones"
    client.force_login(cleo)
    assert 'data-state="imported"' in client.get(reverse("bulk-import", args=[campaign.pk])).content.decode()


def test_the_page_takes_files_places_and_the_import_in_three_presses(
    campaign: Campaign, cleo: Any, client: Client
) -> None:
    client.force_login(cleo)
    here = reverse("bulk-import", args=[campaign.pk])
    folder = files.zipped(*((f"{n}.json", clear(f"Choir {n}")) for n in range(3)))
    assert (
        client.post(
            here, {"act": "bring", "token": new_token(), "files": SimpleUploadedFile("club.zip", folder)}
        ).status_code
        == 302
    )
    text = client.get(here).content.decode()
    assert text.count('data-state="ready"') == 3
    seats = dict.fromkeys(re.findall(r'name="(seat_\d+)"', text), "new")
    assert client.post(here, {"act": "import", "token": new_token(), **seats}).status_code == 302
    assert client.get(here).content.decode().count('data-state="imported"') == 3
    assert Seat.objects.filter(campaign=campaign, warband__name__startswith="Choir").count() == 3


def test_bad_input_gets_a_sentence(campaign: Campaign, cleo: Any, client: Client) -> None:
    client.force_login(cleo)
    here = reverse("bulk-import", args=[campaign.pk])
    assert "at least one file" in client.post(here, {"act": "bring", "token": new_token()}).content.decode()
    damaged = {"act": "bring", "token": new_token(), "files": SimpleUploadedFile("x.zip", b"PK\x03\x04 cut")}
    answer = client.post(here, damaged)
    assert answer.status_code == 422
    assert "damaged archive" in answer.content.decode()
    nothing = client.post(here, {"act": "import", "token": new_token()})
    assert nothing.status_code == 422
    assert "No file is ready" in nothing.content.decode()


def test_a_removed_file_takes_its_draft_along(campaign: Campaign, cleo: Any) -> None:
    (row,) = brought(campaign, cleo, ("a.json", clear("One")))
    leave_file(campaign=campaign, pk=row.pk)
    assert not PaperDraft.objects.filter(pk=row.draft_id).exists()
    leave_file(campaign=campaign, pk=row.pk)  # pressed twice


def test_the_page_asks_as_often_for_forty_files_as_for_two(campaign: Campaign, cleo: Any, client: Client) -> None:
    client.force_login(cleo)
    here = reverse("bulk-import", args=[campaign.pk])

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as counted:
            assert client.get(here).status_code == 200
        return len(counted)

    brought(campaign, cleo, *((f"{n}.json", clear(f"Choir {n}")) for n in range(2)))
    few = queries()
    brought(campaign, cleo, *((f"{n}.json", clear(f"Choir {n}")) for n in range(2, 12)))
    assert queries() == few


def test_an_export_of_this_app_is_among_the_files_and_keeps_its_history(
    campaign: Campaign, cleo: Any, ada: Any, made: c.Club
) -> None:
    warband = made.warband(ada)
    document = json.dumps(export_document(warband), default=str).encode()
    (row,) = brought(campaign, cleo, ("Benedict.json", document))
    assert (row.state, row.figures["name"], row.figures["open"]) == (State.READ, warband.name, 0)
    assert row.figures["fighters"] == warband.fighters.count()
    assert import_ready(campaign=campaign, actor=cleo) == 1
    copy = Seat.objects.get(pk=row.seat_id).warband
    assert copy.fighters.count() == warband.fighters.count()
    assert s.last_event(copy).data["record"]["events"]
    assert bytes(copy.imported_files.get().data) == document


def test_a_campaign_of_players_own_profiles_takes_exports_only(cleo: Any) -> None:
    game = "gloom-trench"
    edition = system(game).editions()[0]
    gloom = open_campaign(actor=cleo, name="Gloom", system=game, edition=edition)
    lists = system(game).founding.lists(system(game).content(edition))
    force = s.found(cleo, "Lost Company", lists[0].id, terms=s.terms(game, edition))
    document = export_document(force)
    rows = brought(
        gloom,
        cleo,
        ("a.json", json.dumps(document, default=str).encode()),
        ("b.json", clear("Choir")),
        ("c.json", json.dumps({"game": "gloom-trench", "profiles": []}).encode()),
        ("d.json", json.dumps({**document, "game": "trench-crusade"}, default=str).encode()),
    )
    assert [row.state for row in rows] == [State.READ, *[State.REFUSED] * 3], [row.words for row in rows]
    choose_seats(campaign=gloom, actor=cleo, chosen={rows[0].pk: "new"}, token="")
    assert import_ready(campaign=gloom, actor=cleo) == 1
    assert Seat.objects.filter(campaign=gloom, warband__name=force.name).count() == 1


def test_a_refused_file_is_not_kept_and_read_anew_when_it_comes_again(campaign: Campaign, cleo: Any) -> None:
    (row,) = brought(campaign, cleo, ("photo.png", b"\x89PNG\r\n"))
    assert (row.state, row.data) == (State.REFUSED, None)
    assert bring_files(campaign=campaign, actor=cleo, files=[("photo.png", b"\x89PNG\r\n")]) == (1, 0)
    assert BulkFile.objects.get(campaign=campaign).state == State.REFUSED


def test_unknown_names_of_all_files_are_kept_as_custom_entries(campaign: Campaign, cleo: Any, client: Client) -> None:
    brought(campaign, cleo, ("a.json", unclear("One")), ("b.json", unclear("Two")), ("c.json", clear("Three")))
    client.force_login(cleo)
    here = reverse("bulk-import", args=[campaign.pk])
    assert "Keep unknown names" in client.get(here).content.decode()
    client.post(here, {"act": "custom", "token": new_token()})
    text = client.get(here).content.decode()
    assert text.count('data-state="ready"') == 3
    assert "Keep unknown names" not in text
    draft = BulkFile.objects.get(campaign=campaign, name="a.json").draft
    assert draft is not None
    assert draft.data["fighters"][0]["notes"] == "Custom entry: Teapot of Doom (10 ducats)"


def test_removing_a_file_keeps_the_places_chosen_beside_it_and_saves_none(
    campaign: Campaign, cleo: Any, client: Client
) -> None:
    one, two, three = brought(campaign, cleo, *((f"{n}.json", clear(f"Choir {n}")) for n in range(3)))
    client.force_login(cleo)
    here = reverse("bulk-import", args=[campaign.pk])
    free = str(Seat.objects.get(campaign=campaign, name="Benedict").pk)
    sent = {f"seat_{one.pk}": "", f"seat_{two.pk}": free, f"seat_{three.pk}": "new"}
    answer = client.post(here, {"remove": str(one.pk), "token": new_token(), **sent})
    lines = {line.pk: line.chosen for line in client.get(answer.url).context["page"].lines}
    assert lines == {two.pk: free, three.pk: "new"}
    assert not BulkFile.objects.filter(campaign=campaign, seat__isnull=False).exists()
