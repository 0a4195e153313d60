"""How soon a press stands on a slow phone: hiring and buying, on the pages of a phone and beside the roster on a wide screen.

The processor of the page is slowed four times, that of the server is not. Each press is made on a fresh page and undone. Measured from the
press to the first frame that shows its answer; beside it the bytes of the answer and the elements that it brought. Served like a club's
server, with its static files collected. `python -m tests.bench.presses` measures nothing else.

On a busy machine these times grow with what else runs. So each press is also made at full speed, and what it takes of the processor is
counted: of the server's, and of the page's main thread, in which styling, layout and painting happen too. The server's time, four times
the page's and two frames are about what a press takes on a quiet machine, however busy this one is.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PORT = 8767
TIMES, SLOWER, ROWS = 20, 4, 6
STANDS_BUDGET_MS, FEEDBACK_BUDGET_MS = 250, 100
FRAME_MS = 1000 / 60
PHONE, WIDE = {"width": 360, "height": 740}, {"width": 1280, "height": 900}

# From the press to the frame after the answer is in the page; what is inserted meanwhile is counted.
WATCH = """() => {
  const told = { at: 0, seen: 0, stood: 0, nodes: 0 };
  let stands;
  window.pressStands = new Promise((done) => { stands = () => told.stood && done(told); });
  const painted = (name) => requestAnimationFrame(() => setTimeout(() => { told[name] ||= performance.now() - told.at; stands(); }, 0));
  const count = (node) => (node.nodeType === 1 ? 1 + node.querySelectorAll("*").length : 0);
  document.addEventListener("click", (event) => { told.at = event.timeStamp; painted("seen"); }, { capture: true, once: true });
  new MutationObserver((all) => { for (const one of all) for (const node of one.addedNodes) told.nodes += count(node); })
    .observe(document.body, { childList: true, subtree: true });
  document.addEventListener("htmx:after:swap", () => painted("stood"));
}"""


@dataclass(frozen=True, slots=True)
class SlowPress:
    """One kind of press: where it is made, and the buttons that make it."""

    name: str
    path: str
    screen: dict[str, int]
    buttons: str


@dataclass(frozen=True, slots=True)
class MeasuredPress:
    """Medians of one kind of press."""

    name: str
    stood_ms: float
    seen_ms: float
    answer_bytes: int
    nodes: int
    server_ms: float  # of its processor
    page_ms: float  # of its processor, not slowed

    @property
    def counted_ms(self) -> float:
        """Return what the press takes on a quiet machine and a slow phone, by the time of the processors."""
        return self.server_ms + SLOWER * self.page_ms + 2 * FRAME_MS

    @property
    def weight(self) -> str:
        """Return what the answer brought, in words."""
        return f"{self.answer_bytes / 1024:.0f} KB, {self.nodes} elements"


def presses_of(warband: Any) -> tuple[SlowPress, ...]:
    """Hiring and buying, on a phone and on a wide screen, and another name for an open fighter."""
    from django.urls import reverse

    from warbands.models import Fighter

    fighter = Fighter.objects.live().filter(warband=warband, status="active").latest("pk")
    hire, kit = reverse("fighter-hire", args=[warband.pk]), reverse("kit-buy", args=[fighter.pk])
    roster = reverse("warband-show", args=[warband.pk])
    opened = f"{roster}?fighter={fighter.pk}"
    return (
        SlowPress("hire", hire, PHONE, "#hire button[name=offer]"),
        SlowPress("buy on the kit page", kit, PHONE, "#kit button[name=offer]"),
        SlowPress("hire beside the roster", roster, WIDE, "#hire button[name=offer]"),
        SlowPress("buy beside the roster", opened, WIDE, "#shop button[name=offer]"),
        SlowPress("name on the roster", opened, PHONE, ".rename button[name=another]"),
    )


@contextmanager
def served(secret: str) -> Iterator[str]:
    """The site over the present database as a club's server serves it. Gives its address."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ, "DEVELOPMENT": "0", "DEBUG": "0", "PLAIN_HTTP": "1", "ALLOWED_HOSTS": "127.0.0.1", "SECRET_KEY": secret,
            "STATIC_ROOT": f"{folder}/static", "LOG_LEVEL": "ERROR",
        }  # fmt: skip
        collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"]
        subprocess.run(collect, cwd=ROOT, check=True, env=environment)
        server = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "config.wsgi", "--no-control-socket", "-b", f"127.0.0.1:{PORT}", "-w", "2",
             "--log-level", "error"], cwd=ROOT, env=environment,
        )  # fmt: skip
        try:
            yield f"http://127.0.0.1:{PORT}"
        finally:
            server.terminate()
            server.wait(timeout=20)


def opened_page(context: Any, address: str, press: SlowPress) -> tuple[Any, Any]:
    """A page with the buttons of a press in view, and its line to the browser."""
    page = context.new_page()
    for again in range(60):
        try:
            page.goto(f"{address}{press.path}", wait_until="load")
            break
        except Exception:
            if again == 59:
                raise
            time.sleep(0.25)
    part, *_ = press.buttons.split()
    page.evaluate(
        "id => document.querySelector(id).scrollIntoView()", part
    )  # what is beside the roster is fetched where it is seen
    page.locator(press.buttons).first.wait_for(state="attached")
    page.wait_for_timeout(150)
    return page, context.new_cdp_session(page)


def pressed(context: Any, address: str, press: SlowPress, turn: int) -> tuple[float, float, int, int]:
    """One press: milliseconds until its answer and until its feedback are painted, bytes of the answer, elements that it brought."""
    page, session = opened_page(context, address, press)
    button = button_of(page, press, turn)
    page.evaluate(WATCH)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    with page.expect_response(lambda answer: answer.request.method == "POST") as heard:
        button.click()
    told = page.evaluate("window.pressStands")
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    status, size = heard.value.status, len(heard.value.body())
    page.close()
    if status != 200:
        raise SystemExit(f"{press.name}: {press.path} answered {status}")
    return told["stood"], told["seen"], size, told["nodes"]


def spent(context: Any, address: str, press: SlowPress, turn: int) -> tuple[float, float]:
    """One press at full speed: milliseconds of the processor that the server and the page's main thread take until it stands."""
    page, session = opened_page(context, address, press)
    button = button_of(page, press, turn)
    page.evaluate(WATCH)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def so_far() -> tuple[float, float]:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return server_ms(), next(each["value"] for each in metrics if each["name"] == "TaskDuration") * 1000

    before = so_far()
    button.evaluate("node => { setTimeout(() => node.click(), 0); }")
    page.evaluate("window.pressStands")
    after = so_far()
    page.close()
    return after[0] - before[0], after[1] - before[1]


def button_of(page: Any, press: SlowPress, turn: int) -> Any:
    """The button of this turn, in view; what is folded around it is opened."""
    buttons = page.locator(press.buttons)
    button = buttons.nth(turn % min(ROWS, buttons.count()))
    button.evaluate(
        "node => { for (let up = node.closest('details'); up; up = up.parentElement.closest('details')) up.open = true; }"
    )
    button.scroll_into_view_if_needed()
    return button


def server_ms() -> float:
    """Milliseconds of the processor that the served site has taken so far, its workers together, as Linux counts them."""
    nanoseconds = 0
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and f"127.0.0.1:{PORT}" in (folder / "cmdline").read_text():
                nanoseconds += sum(int(task.read_text().split()[0]) for task in folder.glob("task/*/schedstat"))
        except OSError:  # it ended meanwhile, or it is nobody's of ours
            continue
    return nanoseconds / 1e6


def measure(warband: Any, owner: Any, times: int = TIMES, only: str = "") -> tuple[MeasuredPress, ...]:
    """Press each kind so many times and return the medians."""
    from django.conf import settings
    from playwright.sync_api import sync_playwright

    from tests.bench.visitor import signed_in

    name, _, value = signed_in(owner).partition("=")
    kinds = [press for press in presses_of(warband) if press.name.startswith(only)]
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    flags = ["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    measured = []
    with served(settings.SECRET_KEY) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=flags)
        for press in kinds:
            context = browser.new_context(viewport=press.screen, service_workers="block")
            context.add_cookies([{"name": name, "value": value, "url": address}])
            told, counted = [], []
            for turn in range(-1, times):  # the first one warms up
                told.append(pressed(context, address, press, turn))
                _take_back(warband, owner)
                counted.append(spent(context, address, press, turn))
                _take_back(warband, owner)
            context.close()
            stood, seen, size, nodes = (statistics.median(column) for column in zip(*told[1:], strict=True))
            server, own = (statistics.median(column) for column in zip(*counted[1:], strict=True))
            measured.append(MeasuredPress(press.name, stood, seen, int(size), int(nodes), server, own))
        browser.close()
    return tuple(measured)


def _take_back(warband: Any, actor: Any) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:  # the browser keeps a loop in this thread, in which Django asks no database
        pool.submit(_undo_last, warband.pk, actor).result()


def _undo_last(warband: int, actor: Any) -> None:
    from django.db import connection

    from warbands.models import Event
    from warbands.undo import undo

    event = Event.objects.filter(subjects__warband=warband).latest("pk")
    assert event.undoes_id is None, "the press wrote nothing"
    undo(event=event, actor=actor)
    connection.close()


def main() -> None:
    """Measure presses of a warband of twelve on a new database."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="?", default="", help="measure the kinds whose names begin so")
    parser.add_argument("--times", type=int, default=TIMES)
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DEVELOPMENT": "1",
            "SECRET_KEY": secrets.token_urlsafe(60),
            "DATABASE_URL": f"sqlite:///{folder}/presses.sqlite3",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        for command in (["migrate", "-v0"], ["demo"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        import django

        django.setup()
        from django.contrib.auth import get_user_model

        from tests.bench.scene import warband_of_twelve

        ada = get_user_model().objects.get(username="ada")
        for one in measure(warband_of_twelve(ada, "lantern-wardens"), ada, told.times, told.only):
            print(f"{one.name:<26} {one.stood_ms:5.0f} ms, feedback {one.seen_ms:3.0f} ms, {one.weight}")
            counted = f"server {one.server_ms:.0f} ms, page {SLOWER} × {one.page_ms:.0f} ms"
            print(f"{'':<26} {one.counted_ms:5.0f} ms by the processors: {counted} and two frames")


if __name__ == "__main__":
    main()
