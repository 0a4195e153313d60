"""The template tag for addresses of rows, which in a draft are the draft's own."""

from __future__ import annotations

from django import template

from warbands.pages.addresses import href_of

register = template.Library()


@register.simple_tag
def address(name: str, pk: int | str) -> str:
    return href_of(name, pk)
