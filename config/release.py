"""Which release of the site runs: its commit, or a digest of its code where there is no repository."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings


@cache
def release() -> str:
    """Return a short name of the running code: "103258a6". Read once in each process."""
    return _commit(Path(settings.BASE_DIR) / ".git") or _digest()


def _commit(folder: Path) -> str:
    try:
        head = (folder / "HEAD").read_text(encoding="ascii").strip()
        if not head.startswith("ref: "):
            return head[:8]
        name = head.removeprefix("ref: ")
        loose = folder / name
        if loose.is_file():
            return loose.read_text(encoding="ascii").strip()[:8]
        packed = (folder / "packed-refs").read_text(encoding="ascii")
        return next((line[:8] for line in packed.splitlines() if line.endswith(f" {name}")), "")
    except (OSError, UnicodeDecodeError):
        return ""


def _digest() -> str:
    import accounts
    import campaigns
    import config
    import rules
    import warbands
    from config.installed import digest_of

    return digest_of(accounts, campaigns, config, rules, warbands)[:8]
