"""QR codes of our own links, as SVG."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe


def code_of(address: str) -> SafeString:
    """Return a link as a QR code in SVG, dark on white in either colour scheme, with its quiet zone."""
    drawn = segno.make(address, error="m", micro=False).svg_inline(
        border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None
    )
    return mark_safe(drawn)  # safe: the code encodes one of our own URLs
