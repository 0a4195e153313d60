"""Forty phones that keep a table, each asking every two seconds, while somebody else reads pages.

The phones are a process of their own, so that what is measured is the server. `python -m tests.bench.phones PATH COOKIE...` polls until its
input is closed, then prints how many answers were "nothing new", and how many were anything else.
"""

from __future__ import annotations

import http.client
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PHONES, PAUSE = 40, 2.0
HOST, PORT = "127.0.0.1", 8765
BUDGET = 1.5


def ask(path: str, cookie: str) -> int:
    """One look of a phone; the status."""
    connection = http.client.HTTPConnection(HOST, PORT, timeout=30)
    connection.request("GET", path, headers={"Cookie": cookie, "X-Table": "1"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def poll(path: str, cookies: list[str], over: threading.Event) -> list[int]:
    """Let every phone ask in its own time. Returns all statuses."""
    statuses: list[int] = []

    def phone(place: int) -> None:
        over.wait(PAUSE * place / PHONES)
        while not over.is_set():
            start = time.monotonic()
            statuses.append(ask(path, cookies[place % len(cookies)]))
            over.wait(max(0.0, PAUSE - (time.monotonic() - start)))

    threads = [threading.Thread(target=phone, args=(place,)) for place in range(PHONES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


@contextmanager
def phones(scene: Any) -> Iterator[list[int]]:
    """Forty phones at the scene's table for as long as the block lasts; then the list holds [nothing new, anything else]."""
    command = [sys.executable, "-m", "tests.bench.phones", scene.table, *scene.phones]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    counted: list[int] = []
    time.sleep(PAUSE)
    yield counted
    told, _ = process.communicate("", timeout=60)
    counted.extend(int(word) for word in told.split())


def beside_phones(
    scene: Any, read: Callable[[str], float], turns: int
) -> tuple[list[tuple[str, float, float]], list[int]]:
    """For each of the pages its median idle and beside forty phones, and what the phones heard. `read` takes a path, returns seconds."""
    wanted = ("warband-show pk of 12 fighters", "desk-show", "campaign-show pk")
    paths = [(page.name, page.path) for page in scene.pages if page.name in wanted]
    idle = {path: statistics.median(read(path) for _ in range(turns)) for _, path in paths}
    with phones(scene) as counted:
        busy = {path: statistics.median(read(path) for _ in range(turns)) for _, path in paths}
    return [(name, idle[path], busy[path]) for name, path in paths], counted


def main() -> None:
    """Poll until the input is closed."""
    path, *cookies = sys.argv[1:]
    over = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
    statuses = poll(path, cookies, over)
    print(statuses.count(204), len(statuses) - statuses.count(204))


if __name__ == "__main__":
    main()
