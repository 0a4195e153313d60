"""The page for who runs the site: its commands are followed on a copy of the code, and what it names exists."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from campaigns.people_forms import CampaignFileForm
from rules.roster_files.limits import MOST_SENT, MOST_UNPACKED_TOGETHER
from tests.unit.test_plain_http import free_port
from tests.unit.test_settings import ROOT

MANUAL = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
UNITS = sorted((ROOT / "deploy" / "systemd").glob("muster-roll-*"))
FOLLOWED = re.findall(r"<!-- followed -->\n```sh\n(.*?)```", MANUAL, re.DOTALL)


def test_there_is_something_to_follow() -> None:
    assert len(FOLLOWED) == 5
    assert len(UNITS) == 6


def commands_in(text: str) -> list[list[str]]:
    """The words of every `manage.py` command in a text, without what a shell adds."""
    found = re.findall(r"manage\.py ([a-z_]+(?: [^\n`'\"]*)?)", text)
    return [re.sub(r"\$+\(.*?\)", "now", words).partition("#")[0].split() for words in found]


@pytest.mark.parametrize("page", [MANUAL, *(path.read_text(encoding="utf-8") for path in UNITS)])
def test_every_command_exists_with_these_options(page: str) -> None:
    for name, *words in commands_in(page):
        app = get_commands()[name]
        command = app if not isinstance(app, str) else load_command_class(app, name)
        parser = command.create_parser("manage.py", name)
        options = [word for word in words if word.startswith("--")]
        known = {text for action in parser._actions for text in action.option_strings}
        assert set(options) <= known, (name, options)


def test_every_variable_and_file_that_it_names_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    variables = set(re.findall(r"`([A-Z]+_[A-Z_]+)`", MANUAL)) | set(re.findall(r"^([A-Z_]+)=", MANUAL, re.MULTILINE))
    assert {name for name in variables if f"`{name}`" not in readme} <= {"BACKUP_PASSPHRASE"}
    places = set(re.findall(r"(?:site/)?(deploy/[\w./-]+[\w])", MANUAL))
    missing = [place for place in places if not (ROOT / place).exists() and not place.endswith("/muster-roll")]
    assert missing == []


def test_units_start_what_the_manual_enables() -> None:
    (line,) = re.findall(r"systemctl enable --now (.*)", MANUAL)
    names = {path.name for path in UNITS} | {path.name.removesuffix(".service") for path in UNITS}
    assert set(line.split()) <= names


def test_units_are_what_systemd_takes() -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("No systemd on this machine.")
    told = subprocess.run(["systemd-analyze", "verify", *map(str, UNITS)], capture_output=True, text=True, check=False)
    faults = [line for line in told.stderr.splitlines() if "is not executable" not in line and "muster-roll" in line]
    assert faults == []


def test_nginx_is_of_debian_and_lets_through_what_the_forms_take() -> None:
    nginx = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    assert "http2 on" not in nginx  # which no nginx of Debian 12 and Ubuntu 24.04 knows
    (most,) = re.findall(r"client_max_body_size (\d+)m;", nginx)
    assert int(most) * 1024 * 1024 > max(MOST_UNPACKED_TOGETHER, CampaignFileForm.MOST) + MOST_SENT // 2


# --- following it -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the code as `git clone` leaves it, with the packages of this environment, and compiled already."""
    home = tmp_path_factory.mktemp("srv")
    left_out = shutil.ignore_patterns(".git", ".env", ".venv*", "tests", "*.sqlite3*", "staticfiles", ".*_cache")
    shutil.copytree(ROOT, home / "site", ignore=left_out)
    (home / "site" / ".venv").symlink_to(Path(sys.executable).parent.parent)
    (home / "backups").mkdir()
    yield home
    shutil.rmtree(home)


def follow(block: str, machine: Path, **environment: str) -> str:
    how = {"PATH": os.environ["PATH"], "HOME": str(machine), **environment}
    run = ["bash", "-euo", "pipefail", "-c", block]
    told = subprocess.run(run, cwd=machine / "site", env=how, capture_output=True, text=True, check=False, timeout=220)
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout + told.stderr


@pytest.mark.slow
def test_the_manual_followed_on_a_fresh_machine_leads_to_a_site_that_serves(machine: Path) -> None:
    settings, account, look, backup, trust = FOLLOWED
    assert "no issues" in follow(settings, machine)
    site = machine / "site"
    assert [name for name in (".env", "db.sqlite3") if (site / name).stat().st_mode & 0o077] == []
    read_by_nginx = [site / "staticfiles", *(site / "staticfiles").rglob("*")]
    assert [path for path in read_by_nginx if not path.stat().st_mode & 0o004] == []
    answers = {f"DJANGO_SUPERUSER_{name}": "owner@club.example" for name in ("USERNAME", "EMAIL")}
    follow(
        account.replace("createsuperuser", "createsuperuser --noinput"),
        machine,
        **answers,
        DJANGO_SUPERUSER_PASSWORD="x" * 20,
    )
    web = (ROOT / "deploy" / "systemd" / "muster-roll-web.service").read_text(encoding="utf-8")
    (unit,) = re.findall(r"^ExecStart=/srv/muster-roll/site/(.*)$", web, re.MULTILINE)
    port = free_port()
    words = unit.replace("127.0.0.1:8000", f"127.0.0.1:{port}").split()
    server = subprocess.Popen(words, cwd=machine / "site", env={"PATH": os.environ["PATH"]}, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 100
        while True:
            try:
                request = urllib.request.Request(f"http://127.0.0.1:{port}/readyz", headers={"Host": "club.example"})
                urllib.request.urlopen(request, timeout=5).close()
                break
            except OSError:
                assert server.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.3)
        told = follow(look.replace(":8000", f":{port}"), machine)
        assert told.startswith("okok")
        assert 'muster_roll_rows{table="accounts"} 1' in told
        told = follow(backup, machine)  # while it serves
        assert "Every digest is right." in told
        assert "0 differences." in told
        assert list((machine / "backups").iterdir()) == []
        assert "0 chains calculated, 0 acts removed, 0 faults." in follow(trust, machine)
    finally:
        server.terminate()
        server.wait(20)
