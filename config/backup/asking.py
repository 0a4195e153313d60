"""Where the passphrase of a backup comes from: the environment, or a prompt. Never an argument, which others could see."""

from __future__ import annotations

import getpass
import os
import sys
from functools import cache

from config.backup.faults import BackupFault

VARIABLE = "BACKUP_PASSPHRASE"
SHORTEST = 12


@cache
def known_passphrase() -> str:
    """Return the passphrase of an existing backup. Asks once."""
    return os.environ.get(VARIABLE) or _asked("Passphrase of the backup: ")


def new_passphrase() -> str:
    """Return a passphrase for a new backup; at the prompt it is typed twice.

    Raises:
        BackupFault: it is too short, or the two differ.
    """
    found = os.environ.get(VARIABLE, "")
    if not found:
        found = _asked("Passphrase for the backup: ")
        if found != _asked("Repeat the passphrase: "):
            raise BackupFault("The two passphrases differ.")
    if len(found) < SHORTEST:
        raise BackupFault(f"A passphrase has {SHORTEST} characters or more.")
    return found


def _asked(words: str) -> str:
    if not sys.stdin.isatty():
        raise BackupFault(f"This needs a passphrase: set {VARIABLE}, or run it at a terminal.")
    try:
        return getpass.getpass(words)
    except (EOFError, KeyboardInterrupt):
        raise BackupFault("No passphrase was given.") from None
