"""Many roster files at once: files as they are, and the files of an archive, each to be read as one roster."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass

from rules.problems import Refusal
from rules.roster_files.archive import DAMAGED, unpacked
from rules.roster_files.limits import MOST_FILES, MOST_SENT, MOST_UNPACKED_TOGETHER
from rules.translation import gettext as _

_ZIP = b"PK\x03\x04"
_OF_THE_SYSTEM = ("__macosx/", ".ds_store", "thumbs.db", "desktop.ini")


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """One file. `name` is its path in the archive, which tells whose it may be and is never opened as a path."""

    name: str
    data: bytes


def entries_of_files(files: Iterable[tuple[str, bytes]]) -> list[FolderEntry]:
    """Return the roster files of what was sent: an archive counts as the files it holds, a `.rosz` as itself.

    An archive within an archive stays one entry: only a `.rosz` can be read from there.

    Raises:
        Refusal: more than 60 files, over 40 MB unpacked, or a damaged or locked archive.
    """
    found: list[FolderEntry] = []
    room = MOST_UNPACKED_TOGETHER
    for name, data in files:
        more = _members(name, data, room) if data.startswith(_ZIP) else None
        if more is None:
            more = [FolderEntry(_shown(name), data)]
        found += more
        room -= sum(len(entry.data) for entry in more)
        if len(found) > MOST_FILES:
            raise Refusal(
                _("More than {most} files at once.").format(most=MOST_FILES),
                mend=_("Bring them in two goes."),
                code="many",
            )
        if room < 0:
            raise _too_large()
    return found


def _members(name: str, data: bytes, room: int) -> list[FolderEntry] | None:
    """Return the files of an archive; None for a `.rosz`, which is one roster packed alone."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [
                info for info in archive.infolist() if not info.is_dir() and not _is_of_the_system(info.filename)
            ]
            if len(members) > MOST_FILES:
                raise Refusal(
                    _("{name} holds more than {most} files.").format(name=_shown(name), most=MOST_FILES), code="many"
                )
            found = []
            for info in members:
                # One byte more than a roster may have tells the reader of the roster that it is too large.
                inside = unpacked(archive, info, min(MOST_SENT, room) + 1, name=_shown(name))
                room -= len(inside)
                if room < 0:
                    raise _too_large()
                found.append(FolderEntry(_shown(info.filename), inside))
    except DAMAGED:
        raise Refusal(_("{name} is a damaged archive.").format(name=_shown(name)), code="unreadable") from None
    if len(found) == 1 and found[0].data.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0").startswith(b"<"):
        return None
    return found


def _is_of_the_system(path: str) -> bool:
    small = path.lower()
    return small.startswith(_OF_THE_SYSTEM) or small.rsplit("/", 1)[-1] in _OF_THE_SYSTEM


def _shown(name: str) -> str:
    return "".join(character for character in name if character.isprintable())[-120:] or _("a file")


def _too_large() -> Refusal:
    return Refusal(_("The files unpack to more than 40 MB."), mend=_("Bring them in two goes."), code="many")
