"""What loading every edition of every game takes, in a process of its own: processor seconds, and megabytes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = """
import json, pathlib, re, time
start = time.process_time()
from rules.registry import systems
loaded = [f"{game.id}/{edition}" for game in systems() for edition in game.editions() if game.content(edition)]
spent = time.process_time() - start
# The most this process needed; getrusage would tell that of the process that started it.
after = int(re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])
print(json.dumps([loaded, spent, after / 1024]))
"""


def load() -> tuple[tuple[str, ...], float, float]:
    """The editions loaded, the processor seconds it took (the best of three), and the megabytes the whole process needs then."""
    runs = []
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, check=True)
        runs.append(json.loads(done.stdout))
    return tuple(runs[0][0]), min(run[1] for run in runs), max(run[2] for run in runs)


if __name__ == "__main__":
    editions, seconds, memory = load()
    print(f"{', '.join(editions)}: {seconds:.2f} s, {memory:.0f} MB")
