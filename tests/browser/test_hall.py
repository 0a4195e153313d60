"""An evening in a hall over plain http: `make hall`, two phones that know the laptop by a name, and a network that goes away."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from config import hall
from tests.browser.test_offline import hiring
from tests.conftest import BROWSERS, PASSWORD, PHONE
from tests.unit.test_plain_http import free_port
from tests.unit.test_settings import ROOT

NAME = "hall.local"  # not localhost: browsers take that for safe, even over http

CLUB = """
import django
django.setup()
from tests import campaign_stories as c
from tests import stories as s
from tests.conftest import person
ada, ben, cleo = map(person, ("ada", "ben", "cleo"))
club = c.club(cleo, ada, ben)
print(c.mustered(club, ada, ben).pk, s.small_warband(ada).pk)
"""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path, tuple[int, int]]]:
    """The port of a hall with a battle that Ada and Ben have mustered for, its folder, and battle and warband."""
    folder, port = tmp_path_factory.mktemp("hall"), free_port()
    how = {**os.environ, "HALL": str(folder), "HOST": NAME, "PORT": str(port), "DATABASE_URL": ""}
    log = folder / "log"
    with log.open("w") as told:
        running = subprocess.Popen([sys.executable, "-m", "config.hall"], cwd=ROOT, env=how, stdout=told, stderr=told)
        try:
            for _ in range(900):
                if "The QR code to hang up" in log.read_text():
                    break
                assert running.poll() is None, log.read_text()
                try:
                    running.wait(0.2)
                except subprocess.TimeoutExpired:
                    continue
            made = subprocess.run(
                [sys.executable, "-c", CLUB],
                cwd=ROOT,
                env={
                    **os.environ,
                    "DJANGO_SETTINGS_MODULE": "config.settings",
                    "PYTHONPATH": str(ROOT),
                    **hall.settings_for(folder, [NAME], port, with_tls=False),
                },
                capture_output=True,
                text=True,
                check=False,
            )
            assert made.returncode == 0, made.stderr
            battle, warband = map(int, made.stdout.split())
            yield port, folder, (battle, warband)
        finally:
            running.send_signal(signal.SIGINT)
            try:
                running.wait(60)
            finally:
                running.kill()
    assert running.returncode == 0
    assert len(list((folder / "backups").glob("*.backup"))) == 1


@pytest.fixture(scope="module")
def hall_browser(browser: Any) -> Iterator[Any]:
    """A browser that finds the laptop by its name."""
    flags = [f"--host-resolver-rules=MAP {NAME} 127.0.0.1", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    started = browser.browser_type.launch(executable_path=_program(), args=flags)
    yield started
    started.close()


def _program() -> str:
    return next(filter(None, map(shutil.which, BROWSERS)))


def phone_of(hall_browser: Any, port: int, name: str, mistakes: list[str]) -> Any:
    """A phone that signs in by the form, as in a hall."""
    context = hall_browser.new_context(
        base_url=f"http://{NAME}:{port}", viewport={"width": PHONE, "height": 740}, reduced_motion="reduce"
    )
    context.set_default_timeout(15_000)
    context.on("weberror", lambda error: mistakes.append(str(error.error)))
    page = context.new_page()
    page.goto("/accounts/login/")
    assert page.evaluate("window.isSecureContext") is False
    page.locator("[name=login]").fill(name)
    page.locator("[name=password]").fill(PASSWORD)
    with page.expect_navigation():
        page.locator("[name=password]").press("Enter")
    return page


def test_an_evening_over_plain_http(evening: tuple[int, Path, tuple[int, int]], hall_browser: Any) -> None:
    port, folder, (battle, warband) = evening
    mistakes: list[str] = []
    ada, ben = (phone_of(hall_browser, port, name, mistakes) for name in ("ada", "ben"))

    ada.goto(f"/warbands/{warband}/hire/")
    ada.context.set_offline(True)
    ada.get_by_text("You're offline.").first.wait_for()
    hiring(ada).click()
    ada.locator("#toasts").get_by_text("is saved on this device and is sent when you're back online").wait_for()
    expect(ada.locator(".unsent li")).to_have_count(1)
    ada.context.set_offline(False)
    ada.locator("#toasts").get_by_text("Hired Yeoman").wait_for()
    expect(ada.locator("[data-unsent]")).to_be_hidden()

    ben.goto(f"/battles/{battle}/report/")
    ben.locator("[name=result]").nth(1).check()
    ben.get_by_text("Campaign points, date and note").click()
    ben.get_by_label("In a sentence").type("Fog from the first tur")
    context = ben.context
    ben.close()  # the phone is put away in the middle of a word
    ben = context.new_page()
    ben.goto(f"/battles/{battle}/report/")
    ben.get_by_text(re.compile(r"Draft of \d\d:\d\d on this device\.")).wait_for()
    expect(ben.locator("[name=result]").nth(1)).to_be_checked()
    expect(ben.get_by_label("In a sentence")).to_have_value("Fog from the first tur")

    for path in ("/", "/offline/", "/account/", f"/warbands/{warband}/"):
        ada.goto(path)
    assert mistakes == []
    demo = urllib.request.Request(f"http://127.0.0.1:{port}/accounts/login/", headers={"Host": NAME})
    assert b"muster-roll-demo" not in urllib.request.urlopen(demo, timeout=10).read()
    assert (folder / "wall.svg").read_text().count("<svg") == 1
    ada.context.close()
    context.close()
