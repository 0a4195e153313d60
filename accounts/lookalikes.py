"""Detects names that look like somebody else's, so that nobody can pose as another person of the club."""

from __future__ import annotations

import unicodedata

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from rules.visible import shows_nothing

TAKEN = _("Someone here already uses that name. Choose another one.")

# Cyrillic and Greek letters that readers cannot distinguish from Latin ones.
LOOKALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u03bf\u03b1\u03bd\u03c1\u03c4\u03c5\u03c7",
    "aeopcyxijshdoavptux",
)


def tidied(name: str) -> str:
    """Return the name in its stored form: compatibility-normalized, single spaces, no invisible characters."""
    seen = (c for c in unicodedata.normalize("NFKC", name) if c.isspace() or not shows_nothing(c))
    return " ".join("".join(seen).split())


def likeness(name: str) -> str:
    """Return a key that is equal for names that look alike: it ignores case, odd spaces, and look-alike letters."""
    folded = unicodedata.normalize("NFKC", tidied(name).casefold())
    return folded.translate(LOOKALIKES)


def is_taken(name: str, *, by_other_than: User | None = None) -> bool:
    """Return whether the name looks like the user name or shown name of another person. One query over all names."""
    wanted = likeness(name)
    if not wanted:
        return False
    others = User.objects.with_account()
    if by_other_than is not None:
        others = others.exclude(pk=by_other_than.pk)
    names = others.values_list("username", "first_name")
    return any(wanted in (likeness(username), likeness(shown)) for username, shown in names.iterator())
