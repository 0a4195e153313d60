"""What the README tells an owner to type works as it stands there."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from pathlib import Path

from tests.unit.test_settings import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_backup_that_the_readme_tells_of_has_what_was_written_last(tmp_path: Path) -> None:
    (line,) = re.findall(r"^    (\.venv/bin/python -c .*VACUUM INTO.*)$", README, re.MULTILINE)
    site = sqlite3.connect(tmp_path / "db.sqlite3", isolation_level=None)
    site.executescript("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE act (told TEXT);")
    site.execute("INSERT INTO act VALUES ('the last one')")  # still in the log: the connection stays open
    subprocess.run(line.replace(".venv/bin/python", sys.executable), shell=True, cwd=tmp_path, check=True)
    (backup,) = tmp_path.glob("backup-*.sqlite3")
    assert sqlite3.connect(backup).execute("SELECT told FROM act").fetchall() == [("the last one",)]
    copied = tmp_path / "copied.sqlite3"
    copied.write_bytes((tmp_path / "db.sqlite3").read_bytes())
    assert sqlite3.connect(copied).execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    site.close()


def test_each_variable_of_the_settings_stands_in_the_table() -> None:
    settings = (ROOT / "config" / "settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r"env\.\w+\(\s*\"([A-Z_]+)\"", settings))
    told = set(re.findall(r"`([A-Z_]+)`", README.partition("| variable |")[2].partition("All may stand")[0]))
    assert read == told
