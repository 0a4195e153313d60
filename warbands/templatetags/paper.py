"""Template tags for what is written on a sheet: boxes and lines on paper, or fields of a PDF that is filled in on a screen."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


def _name(context: Context, parts: tuple[Any, ...]) -> str:
    """Return the name of a field: the sheet's own prefix, then its parts. "" on paper, and for what has no key."""
    prefix = context.get("form_prefix", "")
    return "-".join(map(str, (prefix, *parts))) if prefix and "" not in parts else ""


@register.simple_tag(takes_context=True)
def tick(context: Context, label: str, *parts: Any, mark: Any = "", nth: Any = "") -> SafeString:
    """Return a box to tick, with a small mark inside on paper. `label` tells a reader of the PDF what the field is, with its number `nth`."""
    if name := _name(context, parts):
        title = f"{label} {nth}".strip()
        return format_html('<input type="checkbox" class="box" name="{}" title="{}">', name, title)
    return format_html('<span class="box">{}</span>', mark)


@register.simple_tag(takes_context=True)
def line(context: Context, label: str, *parts: Any, kind: str = "fill", most: int = 60, nth: Any = "") -> SafeString:
    """Return a field to write in, of a class `kind`; on paper the empty place for it, nothing for the kinds "fill" and "rest", which fill a place that is there."""
    if name := _name(context, parts):
        return format_html(
            '<input type="text" class="{}" name="{}" title="{}" maxlength="{}">',
            kind,
            name,
            f"{label} {nth}".strip(),
            most,
        )
    return mark_safe("") if kind in ("fill", "rest") else format_html('<span class="{}"></span>', kind)
