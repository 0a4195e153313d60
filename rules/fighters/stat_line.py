"""The characteristics of a fighter as pages and sheets show them."""

from __future__ import annotations

from collections.abc import Mapping

from rules.force import Counted
from rules.formatting import figure, signed
from rules.translation import gettext as _

LABELS = (("movement", _("Mv")), ("ranged", _("Rg")), ("melee", _("Ml")), ("armour", _("Ar")), ("base", _("Base")))


def stat_line(stats: Mapping[str, Counted]) -> tuple[tuple[str, str, str, str], ...]:
    """Return label, value, state (printed, raised, lowered) and cause of each characteristic."""
    return tuple(_stat(label, key, stats[key]) for key, label in LABELS)


def _stat(label: str, key: str, counted: Counted) -> tuple[str, str, str, str]:
    value, printed = counted.value, counted.printed
    if value is None:
        return label, "–", "printed", ""
    shown = figure if key == "armour" else signed
    text = {"movement": f"{value}″", "base": _("{value} mm").format(value=value)}.get(key) or shown(value)
    state, cause = "printed", ""
    if printed is not None and value != printed:
        better = value < printed if key == "armour" else value > printed
        state = "raised" if better else "lowered"
    if counted.causes:
        was = {"movement": f"{printed}″", "base": _("{printed} mm").format(printed=printed)}.get(key) or shown(
            printed or 0
        )
        cause = f"{text} = {was}, {', '.join(counted.causes)}"
    return label, text, state, cause
