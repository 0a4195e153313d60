"""What a first visit costs: files, bytes and the time to the first paint, from a cold browser on a slow line, served as on a club's server.

Not through the bench's own server, which is a laptop's: style sheets and scripts are bundled where `collectstatic` ran for a public site.
"""

from __future__ import annotations

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
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PORT = 8766
LATENCY_MS, BYTES_A_SECOND = 150, 1_600_000 // 8
PAINT_BUDGET_S, FILES_BUDGET = 0.9, 16
VISITS = 5


@contextmanager
def served() -> Iterator[str]:
    """The site on plain http as in a hall, with static files collected. Gives its address."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ, "DEVELOPMENT": "0", "DEBUG": "0", "PLAIN_HTTP": "1", "ALLOWED_HOSTS": "127.0.0.1",
            "SECRET_KEY": secrets.token_urlsafe(60), "STATIC_ROOT": f"{folder}/static", "DATABASE_URL": f"sqlite:///{folder}/visit.sqlite3",
            "LOG_LEVEL": "ERROR",
        }  # fmt: skip
        for command in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, check=True, env=environment)
        server = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "config.wsgi", "--no-control-socket", "-b", f"127.0.0.1:{PORT}", "--threads", "8",
             "--log-level", "error"], cwd=ROOT, env=environment,
        )  # fmt: skip
        try:
            yield f"http://127.0.0.1:{PORT}/"
        finally:
            server.terminate()
            server.wait(timeout=20)


def visit(browser: Any, address: str) -> tuple[float, int, int]:
    """Seconds to the first paint, files and bytes of one visit with nothing kept from before."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, service_workers="block")
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": LATENCY_MS,
            "downloadThroughput": BYTES_A_SECOND,
            "uploadThroughput": BYTES_A_SECOND,
        },
    )
    sizes: list[int] = []
    line.on("Network.loadingFinished", lambda told: sizes.append(int(told["encodedDataLength"])))
    for again in range(60):
        try:
            page.goto(address, wait_until="load")
            break
        except Exception:
            if again == 59:
                raise
            time.sleep(0.25)
    page.wait_for_timeout(300)
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    context.close()
    return paint / 1000, len(sizes), sum(sizes)


def measure() -> tuple[float, int, int]:
    """The median of some visits: seconds to the first paint, files, bytes."""
    from playwright.sync_api import sync_playwright

    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    flags = ["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=flags)
        visit(browser, address)  # what the server keeps once it was asked
        visits = [visit(browser, address) for _ in range(VISITS)]
        browser.close()
    return (
        statistics.median(paint for paint, _, _ in visits),
        max(files for _, files, _ in visits),
        max(size for _, _, size in visits),
    )


if __name__ == "__main__":
    seconds, files, size = measure()
    print(f"first paint after {seconds:.2f} s, {files} files, {size / 1024:.0f} KB")
