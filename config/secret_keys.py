"""What a key must be like to sign sessions and links of a public site. Read by the settings, before Django is there."""

from __future__ import annotations

SHORTEST = 32
FEWEST_DIFFERENT = 8
LONGEST_PIECE = 12  # of what is merely repeated


def fault_of_key(key: str, name: str) -> str:
    """Why a key is too easily guessed, in a sentence that names its variable and not the key; "" where it will do."""
    key = key.strip()
    make = 'Make one: python3 -c "import secrets; print(secrets.token_urlsafe(50))"'
    if len(key) < SHORTEST:
        return f"{name} is too short. A public site needs at least {SHORTEST} characters; this has {len(key)}. {make}"
    if len(set(key)) < FEWEST_DIFFERENT or any(_repeats(key, size) for size in range(1, LONGEST_PIECE + 1)):
        return f"{name} repeats itself and is easily guessed. {make}"
    return ""


def _repeats(key: str, size: int) -> bool:
    """Whether the key is its first piece of this size over and over."""
    return key == (key[:size] * len(key))[: len(key)]
