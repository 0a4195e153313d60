"""The links by which the rules browser shows another state of an edition."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from rules.registry import system


def state_links(game_id: str, edition: str, overlays: Sequence[str]) -> tuple[tuple[str, str, bool], ...]:
    """Return the states that the rules browser shows on a press: address, name, and whether it is shown now."""
    part = system(game_id).states
    if part is None or not part.overlays(edition):
        return ()
    book, newest = reverse("rule-list", args=[game_id, edition]), part.newest(edition)
    infos = [info for info in part.overlays(edition) if not info.in_base]
    every = [(_("As released"), ()), *([(_("Newest official"), newest)] if newest else [])]
    every += [(info.title, (info.id,)) for info in infos if (info.id,) != newest]
    every += [
        (_("Before: {title}").format(title=info.title), (f"-{info.id}",))
        for info in part.overlays(edition)
        if info.reversible
    ]
    shown = tuple(overlays)
    found = [(f"{book}?state={','.join(ids)}" if ids else book, words, ids == shown) for words, ids in every]
    if shown and not any(chosen for _href, _words, chosen in found):
        found.append((f"{book}?state={','.join(shown)}", _("Several together"), True))
    return tuple(found)
