"""Checks that a key is safe to sign sessions and links of a public site. Settings import it, before Django is loaded."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from binascii import Error as BinasciiError

SHORTEST = 32
FEWEST_DIFFERENT = 8
LONGEST_PIECE = 12  # the longest repeated piece to look for
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # keys of push messages are below it


def fault_of_key(key: str, name: str) -> str:
    """Return why a key is too easy to guess, in a sentence that names its variable but not the key; "" if it is safe."""
    key = key.strip()
    make = 'Make one: python3 -c "import secrets; print(secrets.token_urlsafe(50))"'
    if len(key) < SHORTEST:
        return f"{name} is too short. A public site needs at least {SHORTEST} characters; this has {len(key)}. {make}"
    if len(set(key)) < FEWEST_DIFFERENT or any(_repeats(key, size) for size in range(1, LONGEST_PIECE + 1)):
        return f"{name} repeats itself and is easily guessed. {make}"
    return ""


def _repeats(key: str, size: int) -> bool:
    """Return whether the key repeats its first piece of this size throughout."""
    return key == (key[:size] * len(key))[: len(key)]


def fault_of_push_key(key: str) -> str:
    """Return why this is no private key for push messages, without naming the key; "" if it is one, or there is none."""
    try:
        number = int.from_bytes(urlsafe_b64decode(key + "=" * (-len(key) % 4)), "big") if key else 1
    except (BinasciiError, ValueError):
        number = 0
    if 0 < number < P256_ORDER and (not key or len(key) == 43):
        return ""
    return "VAPID_PRIVATE_KEY is no key for push messages. Make one: manage.py push_keys"
