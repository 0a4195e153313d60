"""A backup: one moment of the site in one file, and back into an empty database, the same on both databases."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from config.backup import format as backup_format
from config.backup.faults import BackupFault
from config.backup.restoring import restore_backup, verify_backup
from config.backup.tables import LEFT_OUT, models_by_table
from config.backup.values import line_of
from config.backup.writing import write_backup
from notifications.models import Channel, Message, Notification
from tests import stories as s
from tests.conftest import PASSWORD
from tests.drills import WHOLE
from tests.emptied import empty_database
from warbands.chain import check
from warbands.models import Chain, Event, ImportedFile, Warband
from warbands.reconcile import differences

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases, pytest.mark.slow]
WORD = "correct horse battery"
BACKUPS = 20 if WHOLE else 3  # while people play


def asked() -> str:
    return WORD


def never_asked() -> str:
    raise AssertionError("The file is not encrypted.")


@pytest.fixture
def club(ada: Any, ben: Any) -> Warband:
    """A warband with a history, an undone act, a file somebody sent, and a message that waits."""
    warband = s.found(ada)
    s.hire(warband, "Yeoman")
    s.take_back(s.hire(warband, "Yeoman") and s.last_event(warband), ada)
    ImportedFile.objects.create(warband=warband, sender=ada, data=bytes(range(256)) * 50, name="Ünïcode „roster“.json")
    told = Notification.objects.create(user=ben, kind="x", key="k", title="t", href="/", due_at=timezone.now())
    Message.objects.create(user=ben, channel=Channel.EMAIL).notifications.add(told)
    return warband


def lines_of(path: Path) -> list[bytes]:
    """The lines of a backup after the first, which tells when it was made."""
    return gzip.decompress(path.read_bytes()).splitlines()[1:-1]


@pytest.mark.parametrize("word", ["", WORD])
def test_a_backup_restores_to_the_very_same_rows(club: Warband, tmp_path: Path, word: str) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    write_backup(first, passphrase=word)
    last = Event.objects.order_by("-pk").values_list("pk", flat=True)[0]
    empty_database()
    restore_backup(first, asked if word else never_asked, holds_messages=False)
    assert differences(Warband.objects.get(pk=club.pk)) == []
    write_backup(second)
    if not word:
        assert lines_of(second) == lines_of(first)
    assert verify_backup(second, never_asked)[1]["warbands_event"].rows == Event.objects.count()
    # Numbers go on where they were: none is given out twice.
    s.hire(s.fresh(club), "Yeoman")
    assert s.last_event(club).pk > last


def test_it_holds_every_table_but_sessions(club: Warband, tmp_path: Path) -> None:
    path = tmp_path / "backup"
    write_backup(path)
    ours = set(connection.introspection.django_table_names()) - LEFT_OUT - {"cache", "django_migrations"}
    assert set(verify_backup(path, never_asked)[1]) == ours == set(models_by_table())
    assert path.stat().st_mode & 0o077 == 0


def test_it_holds_no_key_that_signs_somebody_in(club: Warband, ada: Any, tmp_path: Path) -> None:
    client = Client(headers={"user-agent": "Firefox"})
    client.post(reverse("account_login"), {"login": ada.username, "password": PASSWORD})
    key = client.session.session_key
    assert UserSession.objects.filter(session_key=key).exists()
    write_backup(tmp_path / "one")
    assert key.encode() not in b"".join(lines_of(tmp_path / "one"))


def test_messages_that_waited_do_not_leave_twice(club: Warband, tmp_path: Path) -> None:
    write_backup(tmp_path / "backup")
    for holds, state in ((False, Message.State.WAITING), (True, Message.State.PERHAPS)):
        empty_database()
        restore_backup(tmp_path / "backup", never_asked, holds_messages=holds)
        assert Message.objects.get().state == state
        assert (Notification.objects.get().due_at is None) is holds


def test_a_backup_while_people_play_holds_one_moment(club: Warband, ada: Any, tmp_path: Path) -> None:
    stopped, begun = threading.Event(), threading.Event()
    failed: list[BaseException] = []

    def play() -> None:
        try:
            while not stopped.is_set():
                s.hire(s.found(ada), "Yeoman")
                begun.set()
        except BaseException as error:
            failed.append(error)
        finally:
            connection.close()

    player = threading.Thread(target=play)
    player.start()
    try:
        assert begun.wait(30)
        for number in range(BACKUPS):
            write_backup(tmp_path / f"{number}")
    finally:
        stopped.set()
        player.join(60)
    assert not failed
    for number in range(BACKUPS):
        empty_database()
        restore_backup(tmp_path / f"{number}", never_asked)
        assert [told for warband in Warband.objects.select_related("terms") for told in differences(warband)] == []
        assert Warband.objects.count() > 1
        assert [fault for chain in Chain.objects.all() for fault in check(chain).faults] == []


def test_a_database_with_rows_is_left_alone(club: Warband, tmp_path: Path) -> None:
    path = tmp_path / "backup"
    write_backup(path)
    before = Event.objects.count()
    with pytest.raises(CommandError, match="The database is not empty") as refused:
        call_command("restore", path)
    assert refused.value.returncode == 2
    assert Event.objects.count() == before


def test_a_file_that_exists_is_left_alone(club: Warband, tmp_path: Path) -> None:
    path = tmp_path / "backup"
    path.write_text("mine")
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", path)
    assert path.read_text() == "mine"
    with pytest.raises(CommandError, match="can't be written"):
        call_command("backup", tmp_path / "no folder" / "backup")
    assert [found.name for found in tmp_path.iterdir()] == ["backup"]


# --- files that somebody else made --------------------------------------------------------------------------------------


def tampered(path: Path, change: Callable[[list[dict[str, Any] | list[Any]]], Any]) -> Path:
    """Write the backup again with changed lines, and with the digests that fit them, as somebody who knows the format would."""
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    change(lines)
    target = path.with_name("hostile")
    target.unlink(missing_ok=True)
    with gzip.open(target, "wb") as opened:
        writer = backup_format.LineWriter(opened)  # type: ignore[arg-type]
        found = backup_format.TableSum([])
        for line in lines[:-1]:
            if isinstance(line, list):
                found.add(writer.write(line))
            elif "end" in line:
                writer.sums[line["end"]] = found
                writer.write({**line, **found.as_data()})
            else:
                found = backup_format.TableSum([])
                writer.write(line)
        writer.manifest()
    return target


def row_of(lines: list[Any], table: str) -> list[Any]:
    return lines[lines.index(next(line for line in lines if isinstance(line, dict) and line.get("table") == table)) + 1]


def columns(lines: list[Any], table: str) -> list[str]:
    return next(line["columns"] for line in lines if isinstance(line, dict) and line.get("table") == table)


def set_value(table: str, column: str, value: Any) -> Callable[[list[Any]], None]:
    def change(lines: list[Any]) -> None:
        row_of(lines, table)[columns(lines, table).index(column)] = value

    return change


def remove_table(lines: list[Any]) -> None:
    begin = lines.index(next(line for line in lines if isinstance(line, dict) and line.get("table") == "accounts_user"))
    end = lines.index(next(line for line in lines if isinstance(line, dict) and line.get("end") == "accounts_user"))
    del lines[begin : end + 1]


HOSTILE: dict[str, tuple[Callable[[list[Any]], Any], str]] = {
    "a number as a name": (set_value("accounts_user", "username", 7), "doesn't belong"),
    "a list as a name": (set_value("accounts_user", "username", ["x"]), "doesn't belong"),
    "a word as a flag": (set_value("accounts_user", "is_staff", "true"), "doesn't belong"),
    "no day": (set_value("accounts_user", "date_joined", "yesterday"), "doesn't belong"),
    "a name that is missing": (set_value("accounts_user", "username", None), "(doesn't belong|refused the data)"),
    "a number out of range": (set_value("warbands_warband", "version", 10**30), "(doesn't belong|refused the data)"),
    "a lone surrogate": (set_value("accounts_user", "username", "\ud800"), "doesn't belong|refused the data"),
    "no base64": (set_value("warbands_importedfile", "data", "§§§"), "doesn't belong"),
    "a row that leads nowhere": (set_value("warbands_fighter", "warband_id", 999_999), "refused the data"),
    "one key twice": (
        lambda lines: lines.insert(lines.index(row_of(lines, "accounts_user")), row_of(lines, "accounts_user")),
        "refused the data",
    ),
    "a table that is missing": (remove_table, "are not those of its version"),
    "a newer version": (lambda lines: lines[0]["applied"]["accounts"].append("9999_later"), "newer version"),
    "another format": (lambda lines: lines[0].update(version=2), "does not know"),
    "not ours": (lambda lines: lines[0].update(format="x"), "not a backup"),
    "a column of another name": (
        lambda lines: columns(lines, "accounts_user").__setitem__(0, 'id"; DROP TABLE x'),
        "columns",
    ),
    "a negative number to go on": (
        lambda lines: next(line for line in lines if "end" in line).update(next=-5),
        "damaged",
    ),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_file_is_refused_and_nothing_is_written(club: Warband, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "backup"
    write_backup(path)
    change, words = HOSTILE[kind]
    hostile = tampered(path, change)
    empty_database()
    with pytest.raises(CommandError, match=words) as refused:
        call_command("restore", hostile)
    assert refused.value.returncode == 2
    assert not User.objects.exists()
    assert not Warband.objects.exists()


def test_the_twin_of_the_hostile_files_is_taken(club: Warband, tmp_path: Path) -> None:
    path = tmp_path / "backup"
    write_backup(path)
    untouched = tampered(path, lambda lines: None)
    empty_database()
    restore_backup(untouched, never_asked)
    assert User.objects.count() == 2


def refused_as(path: Path, data: bytes, words: str, passphrase: str = WORD) -> None:
    path.write_bytes(data)
    with pytest.raises(BackupFault, match=words):
        verify_backup(path, lambda: passphrase)


def test_a_file_that_is_cut_or_changed_anywhere_is_refused(club: Warband, tmp_path: Path) -> None:
    plain, sealed, hostile = tmp_path / "plain", tmp_path / "sealed", tmp_path / "hostile"
    write_backup(plain)
    write_backup(sealed, passphrase=WORD)
    for whole in (plain.read_bytes(), sealed.read_bytes()):
        for cut in (0, 1, 20, 200, len(whole) // 2, len(whole) - 9, len(whole) - 1):
            refused_as(hostile, whole[:cut], ".")
        for at in (0, 30, 60, 100, 150, len(whole) // 2, len(whole) - 20):
            changed = bytearray(whole)
            changed[at] ^= 1
            refused_as(hostile, bytes(changed), ".")
    refused_as(hostile, sealed.read_bytes(), "not the one of this file", "another word entirely")
    lines = gzip.decompress(plain.read_bytes())
    refused_as(hostile, gzip.compress(lines + b"[]\n"), "damaged")
    refused_as(hostile, gzip.compress(lines.replace(b"Lantern", b"Lantarn", 1)), "damaged")
    refused_as(hostile, gzip.compress(b'{"format":' + b"[" * 100_000), "cut off")
    refused_as(hostile, gzip.compress(b"[" * 100_000 + b"\n"), "damaged")
    refused_as(hostile, gzip.compress(b'{"format":NaN}\n'), "damaged")


def test_a_line_without_an_end_takes_no_more_memory_than_a_line_may(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(backup_format, "LONGEST_LINE", 1000)
    path = tmp_path / "bomb"
    refused_as(path, gzip.compress(b"[" + b" " * 100_000), "cut off")


def test_numbers_and_texts_that_the_databases_write_in_two_ways_are_one_line() -> None:
    assert line_of([1e20, -0.0, {"b": 1, "a": "é"}]) == line_of([100000000000000000000, 0.0, {"a": "é", "b": 1}])
    assert json.loads(line_of(["half a \ud800 character"])) == ["half a \ud800 character"]
