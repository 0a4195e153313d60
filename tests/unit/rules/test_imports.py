"""The rules stand alone: importing every module of them loads neither Django nor a clock's settings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def modules() -> list[str]:
    return sorted(
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for file in (ROOT / "rules").rglob("*.py")
    )


def test_there_is_something_to_import() -> None:
    assert "rules.trench_crusade" in modules()


def test_rules_import_no_django() -> None:
    code = "\n".join(
        [
            *(f"import {name}" for name in modules()),
            "import sys",
            "print([m for m in sys.modules if m.split('.')[0] in ('django', 'warbands')])",
        ]
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"
