"""Sentences of the rules pass through gettext, so that a second language is a catalogue in `rules/locale/`.

The rules know no framework, so this is the standard library's gettext with a domain of its own. English needs no catalogue.

Write `_("{name} costs {price}.").format(name=name, price=price)`: the sentence that is translated must not contain the values.
"""

from __future__ import annotations

from gettext import translation
from pathlib import Path

DOMAIN = "rules"

_catalogue = translation(DOMAIN, Path(__file__).parent / "locale", fallback=True)

gettext = _catalogue.gettext
ngettext = _catalogue.ngettext
