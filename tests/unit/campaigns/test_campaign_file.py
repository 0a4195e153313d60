"""A campaign as one file: out of one server, into another, with everything that happened, once."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse

from accounts.models import User
from campaigns.campaign_file.importing import AlreadyHere, ImportedCampaign, import_campaign
from campaigns.campaign_file.reading import read_whole
from campaigns.models import Administrator, Battle, Campaign, PostBattle, Seat
from campaigns.services.join import claim_seat
from campaigns.services.tracker import begin_table
from campaigns.services.void import void_battle
from campaigns.standings import standings
from config.backup.faults import BackupFault
from tests import campaign_stories as c
from tests import stories as s
from tests.campaign_files import differing, file_of, tables_of
from tests.emptied import empty_database
from tests.module_story import story
from warbands.chain import check
from warbands.models import Chain, ChainLink, Event, Fighter, ImportedFile, LedgerEntry, Warband
from warbands.reconcile import differences
from warbands.services.roster import rename_fighter
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]


@story
def evening(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """A club after one battle, with what followed, an undone act, and a file that somebody brought."""
    club = c.club(cleo, ada, ben, starts_on=None)
    row = c.mustered(club, ada, ben)
    c.fight(row, by=ada, winner=ada)
    c.resolve(row, ada)
    warband = club.warband(ben)
    renamed(warband, ben)
    s.take_back(s.last_event(warband), ben)
    ImportedFile.objects.create(warband=warband, sender=ben, data=bytes(range(256)), name="Ünïcode „roster“ ⟦1⟧.json")
    return club


def renamed(warband: Warband, actor: Any) -> None:
    fighter = Fighter.objects.filter(warband=warband, status="active").order_by("pk").first()
    assert fighter is not None
    rename_fighter(fighter=fighter, name="Somebody else", actor=actor)


def told(campaign: Campaign) -> dict[str, Any]:
    """What a campaign looks like to its people."""
    warbands = Warband.objects.filter(seats__campaign=campaign).order_by("pk")
    return {
        "standings": [(row.seat.name, row.points, row.won) for row in standings(campaign)],
        "history": [each.told for each in Event.objects.exclude(kind="campaign-move").order_by("pk")],
        "money": [(w.name, w.strongbox_ducats, w.strongbox_glory, w.rating_ducats, w.version) for w in warbands],
        "ledger": list(LedgerEntry.objects.order_by("pk").values_list("ducats", "glory", "reason")),
        "fighters": list(Fighter.objects.order_by("pk").values_list("name", "status")),
    }


def elsewhere(data: bytes, actor: Any, *, beside: bool = True) -> ImportedCampaign:
    """Import a file on a server that has other rows already, so that no key stays what it was."""
    empty_database()
    if beside:
        other = User.objects.create_user("vera", password="x")
        for _ in range(3):
            warband = s.found(other)
            s.hire(warband, "Yeoman")
            s.take_back(s.last_event(warband), other)
    return import_campaign(io.BytesIO(data), actor=actor())


def somebody(name: str = "zoe") -> Any:
    return User.objects.create_user(name, first_name=name.title(), password="x")


@pytest.mark.parametrize("beside", [False, True], ids=["empty", "beside others"])
def test_what_comes_in_is_what_went_out(evening: c.Club, beside: bool) -> None:
    before, first = told(evening.campaign), file_of(evening.campaign)
    brought = elsewhere(first, somebody, beside=beside)
    after = told(brought.campaign)
    if beside:
        after["history"], after["ledger"] = (
            after["history"][-len(before["history"]) :],
            after["ledger"][-len(before["ledger"]) :],
        )
        after["fighters"] = after["fighters"][-len(before["fighters"]) :]
    assert after == before
    assert list(differing(first, file_of(brought.campaign))) == []
    assert [differences(warband) for warband in Warband.objects.all()] == [[]] * Warband.objects.count()
    assert [check(chain).faults for chain in Chain.objects.all()] == [[]] * Chain.objects.count()


def test_the_chains_keep_their_heads_and_go_on(evening: c.Club) -> None:
    heads = {chain.uid: (chain.length, chain.head) for chain in Chain.objects.filter(label="warbands.Warband")}
    brought = elsewhere(file_of(evening.campaign), somebody)
    for uid, (length, head) in heads.items():
        chain = Chain.objects.get(uid=uid)
        assert (chain.length, chain.head) == (length, head)
    warband = Warband.objects.filter(seats__campaign=brought.campaign).first()
    assert warband is not None
    renamed(warband, Administrator.objects.get().user)
    assert [check(chain).faults for chain in Chain.objects.all()] == [[]] * Chain.objects.count()


def test_who_changes_an_act_that_came_in_is_found_out(evening: c.Club) -> None:
    elsewhere(file_of(evening.campaign), somebody)
    LedgerEntry.objects.filter(pk=LedgerEntry.objects.latest("pk").pk).update(ducats=7)
    assert any(check(chain).faults for chain in Chain.objects.all())


def test_who_changes_an_act_and_its_digest_is_found_out_too(evening: c.Club) -> None:
    elsewhere(file_of(evening.campaign), somebody)
    link = ChainLink.objects.exclude(here="").order_by("pk").first()
    assert link is not None
    ChainLink.objects.filter(pk=link.pk).update(here="0" * 64)
    assert any("came from another server" in fault for fault in check(link.chain).faults)


def test_what_came_in_can_be_undone_and_claimed(evening: c.Club) -> None:
    brought = elsewhere(file_of(evening.campaign), somebody)
    free = Seat.objects.filter(campaign=brought.campaign, user=None)
    assert free.count() == 2
    assert all(seat.claim_token for seat in free)
    zoe = Administrator.objects.get(campaign=brought.campaign).user
    seat = free.select_related("warband").first()
    assert seat is not None
    assert seat.warband is not None
    player = somebody("ada")
    claim_seat(claim_token=seat.claim_token, actor=player)
    warband = s.fresh(seat.warband)
    assert warband.owner == player
    renamed(warband, player)
    undo(event=s.last_event(warband), actor=player)
    assert differences(s.fresh(warband)) == []
    step = PostBattle.objects.filter(side__battle__campaign=brought.campaign).count()
    assert step == 2
    closed = Event.objects.filter(kind="close").order_by("-pk").first()
    assert closed is not None
    undo(event=closed, actor=zoe)
    undo(event=Event.objects.filter(kind="step").latest("pk"), actor=zoe)
    assert [differences(each) for each in Warband.objects.all()] == [[]] * Warband.objects.count()
    assert [check(chain).faults for chain in Chain.objects.all()] == [[]] * Chain.objects.count()


def test_rosters_that_another_release_judged_otherwise_come_in(evening: c.Club) -> None:
    right = {each.name: each.problem_count for each in Warband.objects.all()}
    Warband.objects.update(problem_count=9)
    elsewhere(file_of(evening.campaign), somebody, beside=False)
    assert {each.name: each.problem_count for each in Warband.objects.all()} == right
    assert [differences(warband) for warband in Warband.objects.all()] == [[]] * len(right)


def test_who_brings_it_keeps_their_own_place(evening: c.Club) -> None:
    data = file_of(evening.campaign)
    empty_database()
    ada = somebody("ada")
    people = {person.name: person.number for person in read_whole(io.BytesIO(data)).people}
    brought = import_campaign(io.BytesIO(data), actor=ada, who={people["ada"]: ada})
    mine = Seat.objects.get(campaign=brought.campaign, user=ada)
    assert mine.warband is not None
    assert mine.warband.owner == ada
    assert mine.claim_token == ""
    assert Event.objects.filter(actor=ada, kind="report").exists()
    assert list(Administrator.objects.filter(campaign=brought.campaign).values_list("user", flat=True)) == [ada.pk]


def test_the_second_time_nothing_comes_in(evening: c.Club) -> None:
    data = file_of(evening.campaign)
    with pytest.raises(AlreadyHere) as refused:
        import_campaign(io.BytesIO(data), actor=None)
    assert refused.value.campaign == evening.campaign
    elsewhere(data, somebody)
    count = Event.objects.count()
    with pytest.raises(AlreadyHere, match="is on this server already"):
        import_campaign(io.BytesIO(data), actor=None)
    assert (Campaign.objects.count(), Event.objects.count()) == (1, count)


def test_an_import_that_breaks_off_leaves_nothing_and_can_be_run_again(
    evening: c.Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = file_of(evening.campaign)
    empty_database()

    class Killed(BaseException):
        pass

    def killed(*args: Any) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr("campaigns.campaign_file.importing.refuse_unreadable", killed)
        with pytest.raises(Killed):
            import_campaign(io.BytesIO(data), actor=None)
    assert (Campaign.objects.count(), Event.objects.count(), Chain.objects.count()) == (0, 0, 0)
    assert import_campaign(io.BytesIO(data), actor=None).campaign.name == "The Winter at Gallows Weir"


@pytest.mark.django_db(transaction=True)
@pytest.mark.one_database
def test_it_is_written_while_somebody_else_writes(cleo: Any, ada: Any) -> None:
    club = c.club(cleo, ada)
    writer = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None, uri=True)
    writer.execute("BEGIN IMMEDIATE")
    try:
        assert read_whole(io.BytesIO(file_of(club.campaign))).name == club.campaign.name
    finally:
        writer.rollback()
        writer.close()


def test_the_file_holds_no_address_password_or_account(evening: c.Club, ada: Any) -> None:
    ada.email = "ada@example.org"
    ada.save()
    text = gzip.decompress(file_of(evening.campaign)).decode()
    assert "ada@example.org" not in text
    assert ada.password not in text
    assert {"number", "name", "administers", "seats"} == set(json.loads(text.splitlines()[0])["people"][0])
    assert all(row["token"] is None for row in tables_of(file_of(evening.campaign))["warbands.Event"])


def test_what_does_not_add_up_does_not_leave(evening: c.Club) -> None:
    LedgerEntry.objects.filter(warband=Seat.objects.earliest("pk").warband).update(ducats=7)
    with pytest.raises(BackupFault, match="doesn't add up, so nothing was saved"):
        file_of(evening.campaign)


def test_the_commands_say_what_they_did(evening: c.Club, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "winter.campaign"
    call_command("campaign_file", "export", evening.campaign.pk, path)
    assert "Ledgers and chains are right." in capsys.readouterr().out
    assert path.stat().st_mode & 0o077 == 0
    for again, why in ((path, "exists already"), (tmp_path / "no" / "where", "can't be written")):
        with pytest.raises(CommandError, match=why) as refused:
            call_command("campaign_file", "export", evening.campaign.pk, again)
        assert refused.value.returncode == 1
    with pytest.raises(CommandError, match="There is no campaign 99999") as refused:
        call_command("campaign_file", "export", 99999, tmp_path / "other")
    assert refused.value.returncode == 1
    with pytest.raises(CommandError, match="already") as refused:
        call_command("campaign_file", "import", path)
    assert refused.value.returncode == 1
    empty_database()
    somebody()
    call_command("campaign_file", "show", path)
    assert "ada: ada" in capsys.readouterr().out
    call_command("campaign_file", "import", path)
    told = capsys.readouterr().out
    assert "Places that wait for their players: 2." in told
    assert "It has no administrator yet" in told
    campaign = Campaign.objects.get()
    call_command("campaign_file", "administrator", campaign.pk, "zoe")
    with pytest.raises(CommandError, match="has an administrator"):
        call_command("campaign_file", "administrator", campaign.pk, "zoe")
    with pytest.raises(CommandError, match="There is no account “nobody”"):
        call_command("campaign_file", "import", path, "--owner", "nobody")
    (tmp_path / "junk").write_bytes(b"\x1f\x8bjunk")
    with pytest.raises(CommandError) as refused:
        call_command("campaign_file", "import", tmp_path / "junk")
    assert refused.value.returncode == 2


def test_a_battle_on_the_table_gets_a_new_seal(cleo: Any, ada: Any, ben: Any) -> None:
    club = c.club(cleo, ada, ben)
    row = c.mustered(club, ada, ben)
    begin_table(battle=row, actor=ada)
    seal = row.table.seal
    data = file_of(club.campaign)
    assert tables_of(data)["campaigns.DiceSeed"] == []
    brought = elsewhere(data, somebody)
    table = Battle.objects.get(campaign=brought.campaign).table
    assert table.seal not in ("", seal)
    assert table.dice_seed.seed


def test_administrators_download_it_and_nobody_else(evening: c.Club, ada: Any, client: Any) -> None:
    address = reverse("campaign-file-export", args=[evening.campaign.pk])
    client.force_login(evening.administrator)
    page = client.get(reverse("campaign-copy", args=[evening.campaign.pk]))
    assert address in page.content.decode()
    answer = client.get(address)
    assert answer["Content-Disposition"] == 'attachment; filename="the-winter-at-gallows-weir.campaign"'
    data = b"".join(answer.streaming_content)
    assert list(differing(data, file_of(evening.campaign))) == []
    LedgerEntry.objects.filter(warband=Seat.objects.earliest("pk").warband).update(ducats=7)
    refused = client.get(address, follow=True)
    assert "add up, so nothing was saved" in refused.content.decode()
    for person, status in ((ada, 403), (somebody("stranger"), 404)):
        client.force_login(person)
        assert client.get(address).status_code == status


def test_who_does_not_run_the_seasons_before_it_gets_no_file(evening: c.Club, ada: Any, client: Any) -> None:
    other = c.club(ada)
    Campaign.objects.filter(pk=evening.campaign.pk).update(continues=other.campaign)
    client.force_login(evening.administrator)
    answer = client.get(reverse("campaign-file-export", args=[evening.campaign.pk]))
    assert answer.status_code == 403
    assert "An earlier season has other administrators." in answer.content.decode()


def test_a_battle_that_was_voided_comes_along(evening: c.Club) -> None:
    void_battle(battle=Battle.objects.get(), actor=evening.administrator, words="Played by other rules.")
    first = file_of(evening.campaign)
    brought = elsewhere(first, somebody)
    assert list(differing(first, file_of(brought.campaign))) == []
    whole = Event.objects.filter(kind="void").latest("pk")
    assert set(whole.data["undoings"]) <= set(Event.objects.values_list("pk", flat=True))
    undo(event=whole, actor=Administrator.objects.get().user)
    assert [check(chain).faults for chain in Chain.objects.all()] == [[]] * Chain.objects.count()
    assert [differences(each) for each in Warband.objects.all()] == [[]] * Warband.objects.count()
