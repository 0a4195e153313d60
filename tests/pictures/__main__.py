"""`make pictures`: takes every picture of README, manual and home page afresh from the demonstration club.

`python -m tests.pictures home` takes those of the home page alone, into static/img; the others are in docs/pictures.

The club is made in a database of its own; a server runs on this machine only while the pictures are taken.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"
PORT = 8766
SITE = f"http://127.0.0.1:{PORT}"
FLAGS = [
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

PHONE, DESKTOP = (360, 720), (1280, 800)
# The roster on the home page, in a file of static/img for each scheme: so much of its top, in so many colours, stays small.
HOME = (("home-roster", "light"), ("home-roster-dark", "dark"))
HOME_WARBAND, HOME_SIZE, HOME_COLOURS = "The Peat Lanterns", (360, 560), 24
Paths = Callable[[], dict[str, str]]

# name of the file, who looks, which address (named in `addresses`), window, light or dark
PICTURES = (
    ("home", "", "desk", PHONE, "light"),
    ("desk", "ada", "desk", PHONE, "light"),
    ("builder", "ada", "builder", PHONE, "light"),
    ("builder-desktop", "ada", "builder", DESKTOP, "light"),
    ("hire", "ada", "hire", PHONE, "light"),
    ("kit", "ada", "kit", PHONE, "light"),
    ("history", "ada", "history", PHONE, "light"),
    ("campaign", "ada", "campaign", DESKTOP, "light"),
    ("muster", "orsola", "muster", PHONE, "light"),
    ("report", "orsola", "report", PHONE, "light"),
    ("confirm", "ada", "confirm", PHONE, "light"),
    ("post-battle", "ada", "post-battle", PHONE, "dark"),
    ("campaign-desk", "cleo", "campaign-desk", DESKTOP, "light"),
    ("players", "cleo", "players", PHONE, "light"),
    ("house-rules", "cleo", "house-rules", PHONE, "light"),
    ("force", "ada", "force", PHONE, "light"),
    ("profile", "ada", "profile", PHONE, "light"),
)


def main() -> None:
    """Take them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            DEVELOPMENT="1",
            DATABASE_URL=f"sqlite:///{folder}/pictures.sqlite3",
            DJANGO_SETTINGS_MODULE="config.settings",
            DJANGO_ALLOW_ASYNC_UNSAFE="1",
        )
        for command in (["migrate", "-v0"], ["demo"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        import django

        django.setup()
        with served(), opened() as browser:
            take_home(browser)
            if sys.argv[1:] == ["home"]:
                return
            take(browser)
        sheet(Path(folder))


@contextmanager
def served() -> Iterator[None]:
    """The site on this machine, while the pictures are taken."""
    server = subprocess.Popen(
        [sys.executable, "manage.py", "runserver", f"127.0.0.1:{PORT}", "--noreload"],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(f"{SITE}/healthz", timeout=2)
                break
            except OSError:
                time.sleep(0.2)
        yield
    finally:
        server.terminate()
        server.wait(timeout=20)


@contextmanager
def opened() -> Iterator[Any]:
    """The system's Chromium."""
    from playwright.sync_api import sync_playwright

    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        raise SystemExit("No Chromium on this machine: install the package `chromium`.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=[*FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        )
        yield browser
        browser.close()


def addresses() -> dict[str, str]:
    """Where the pictures are taken."""
    from django.urls import reverse

    from campaigns import demo
    from campaigns.models import Battle, Campaign
    from warbands.models import Fighter, Warband

    ada = Warband.objects.get(name="The Lantern Wardens")
    building = Warband.objects.get(name="The Sodden Bell")
    leader = Fighter.objects.live().filter(warband=ada, status="active").first()
    assert leader is not None
    campaign = Campaign.objects.get(name=demo.CAMPAIGN)
    reported = Battle.objects.get(campaign=campaign, status=Battle.Status.REPORTED)
    coming = Battle.objects.get(campaign=campaign, status=Battle.Status.SCHEDULED)
    force = Warband.objects.get(name="The Lamplight Column")
    return {
        "desk": reverse("desk-show"),
        "builder": reverse("warband-show", args=[ada.pk]),
        "hire": reverse("fighter-hire", args=[building.pk]),
        "kit": reverse("kit-buy", args=[leader.pk]),
        "history": reverse("history-show", args=[ada.pk]),
        "campaign": reverse("campaign-show", args=[campaign.pk]),
        "campaign-desk": reverse("campaign-administer", args=[campaign.pk]),
        "players": reverse("player-list", args=[campaign.pk]),
        "house-rules": reverse("house-rule-list", args=[campaign.pk]),
        "muster": reverse("force-select", args=[coming.pk]),
        "report": reverse("battle-report", args=[coming.pk]),
        "confirm": reverse("report-confirm", args=[reported.pk]),
        "post-battle": reverse("post-battle-show", args=[reported.pk, ada.pk]),
        "force": f"{reverse('warband-show', args=[force.pk])}#fighter_card_{second_of(force)}",
        "profile": reverse("profile-list") + "?game=gloom-trench&whose=game&kind=unit",
    }


def second_of(force: Any) -> int:
    """The second unit on a roster: the first one leads it and is nobody's usual unit."""
    return int(force.fighters.order_by("position", "pk")[1].pk)


def take(browser: Any) -> None:
    """Every picture, each person in a window of their own."""
    from django.contrib.auth import get_user_model

    from tests.bench.scene import signed_in

    where = addresses()
    for name, who, place, (width, height), scheme in PICTURES:
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        if who:
            cookie, value = signed_in(get_user_model().objects.get(username=who)).split("=", 1)
            context.add_cookies([{"name": cookie, "value": value, "url": SITE}])
        page = context.new_page()
        page.goto(f"{SITE}{where[place]}")
        page.wait_for_load_state("networkidle")
        page.screenshot(path=str(FOLDER / f"{name}.png"))
        context.close()
        print(f"docs/pictures/{name}.png")


def take_home(browser: Any) -> None:
    """The top of a roster on a phone, light and dark."""
    from PIL import Image

    from tests.bench.scene import signed_in
    from warbands.models import Warband

    warband = Warband.objects.select_related("owner").get(name=HOME_WARBAND)
    width, height = HOME_SIZE
    for name, scheme in HOME:
        # A higher window than the picture: the bar under the thumb stays out of it.
        context = browser.new_context(viewport={"width": width, "height": height + 300}, color_scheme=scheme)
        cookie, value = signed_in(warband.owner).split("=", 1)
        context.add_cookies([{"name": cookie, "value": value, "url": SITE}])
        page = context.new_page()
        page.goto(f"{SITE}/warbands/{warband.pk}/")
        page.wait_for_load_state("networkidle")
        file = ROOT / "static" / "img" / f"{name}.png"
        page.screenshot(path=str(file), clip={"x": 0, "y": 0, "width": width, "height": height})
        context.close()
        Image.open(file).convert("RGB").quantize(HOME_COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)
        print(f"static/img/{name}.png, {file.stat().st_size} bytes")


def sheet(folder: Path) -> None:
    """The first page of a printed roster."""
    from warbands.models import Warband
    from warbands.print_options import PrintOptions
    from warbands.printing import roster_pdf

    warband = Warband.objects.select_related("terms", "owner").get(name="The Lantern Wardens")
    pdf = folder / "sheet.pdf"
    pdf.write_bytes(roster_pdf(warband, PrintOptions()))
    subprocess.run(
        ["pdftoppm", "-r", "60", "-f", "1", "-l", "1", "-png", "-singlefile", str(pdf), str(FOLDER / "sheet")],
        check=True,
    )
    print("docs/pictures/sheet.png")


if __name__ == "__main__":
    main()
