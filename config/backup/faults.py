"""The one exception of backups: its message is what the person at the keyboard reads."""

from __future__ import annotations


class BackupFault(Exception):
    """A backup, restore or check that cannot be done, with the reason in a sentence."""
