"""The static files as `collectstatic` leaves them on a server, and what a server then sends: collected once in a run of the tests."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.kept_rows import KeptRows, alone
from tests.unit.test_settings import SECRET, start

COLLECT = """
import json
import django
django.setup()
from django.core.management import call_command
call_command("collectstatic", interactive=False, verbosity=0)
from django.test import Client
client = Client()
print(json.dumps([client.get(path, headers={"host": "localhost"}, secure=True).content.decode() for path in ("/sw.js", "/offline/")]))
"""


@dataclass(frozen=True, slots=True)
class Collected:
    """A folder for STATIC_ROOT, to be read only, and with it a server's worker script and its page for those without network."""

    folder: Path
    worker: str
    page: str

    @property
    def facts(self) -> dict[str, Any]:
        """What the server tells its worker."""
        found = re.search(r"self\.facts = (.*);", self.worker)
        assert found
        facts: dict[str, Any] = json.loads(found[1])
        return facts


def collected() -> Collected:
    """Collect the static files of the site, or return what another test of this run has collected: it takes some seconds."""
    assert KeptRows.folder is not None
    folder, kept = KeptRows.folder / "static", KeptRows.folder / "static.json"
    with alone(kept.with_suffix(".lock")):
        if not kept.exists():
            told = start(COLLECT, SECRET_KEY=SECRET, STATIC_ROOT=str(folder), DATABASE_URL="sqlite://:memory:")
            assert told.returncode == 0, told.stderr
            kept.write_text(told.stdout, encoding="utf-8")
    return Collected(folder, *json.loads(kept.read_text(encoding="utf-8")))
