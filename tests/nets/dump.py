"""Writes what the console prints of every game and edition, to compare two trees: `python -m tests.nets.dump FOLDER`.

`content GAME/EDITION`, `resolve GAME --list` for each edition, and the list of what the app calculates.
"""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from pathlib import Path


def main(arguments: list[str]) -> int:
    """Write one file for each command; returns the exit status."""
    if len(arguments) != 1:
        sys.stderr.write(__doc__ or "")
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.update(DEVELOPMENT="1", DATABASE_URL="sqlite://:memory:", DJANGO_SETTINGS_MODULE="config.settings")
    import django

    django.setup()
    from django.core.management import call_command

    from rules.registry import systems

    commands: list[tuple[str, ...]] = [("what_it_does",)]
    for game in systems():
        for edition in game.editions():
            commands.append(("content", f"{game.id}/{edition}"))
            commands.append(("resolve", game.id, "--list", "--edition", edition))
    for command in commands:
        with (folder / ("_".join(command).replace("/", "_") + ".txt")).open("w") as out, redirect_stdout(out):
            try:
                call_command(*command)
            except SystemExit as end:
                print(f"exit {end.code}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
