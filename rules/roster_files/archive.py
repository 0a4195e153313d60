"""Reads a member of an archive, never more of it than asked: the sizes that an archive states are not trusted."""

from __future__ import annotations

import zipfile
import zlib

from rules.problems import Refusal
from rules.translation import gettext as _

# What a damaged archive raises, wherever it is damaged.
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError, OverflowError)
_PLAIN = (
    zipfile.ZIP_STORED,
    zipfile.ZIP_DEFLATED,
)  # others may take memory by the hundred megabytes to unpack a little


def unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int, *, name: str) -> bytes:
    """Return the first bytes of a member, at most so many. `name` is what a refusal calls the archive.

    Raises:
        Refusal: it is locked, or packed in a way that no program of the hobby uses.
        One of DAMAGED: it cannot be unpacked.
    """
    if info.flag_bits & 1:
        raise Refusal(_("{name} is locked by a password.").format(name=name), code="unreadable")
    if info.compress_type not in _PLAIN:
        raise Refusal(
            _("{name} is packed in an unusual way.").format(name=name),
            mend=_("Pack it again as a plain .zip."),
            code="unreadable",
        )
    with archive.open(info) as member:
        return member.read(most)
