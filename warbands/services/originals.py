"""Keeps with a warband the file or text that it came from, and what was read in it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from rules.import_text import TextReading
from warbands.models import ImportedFile, PaperDraft, Warband
from warbands.services.paper_check import PaperCheck, document_under
from warbands.text_import import roster_of_draft


def keep_original(draft: PaperDraft, warband: Warband, sender: Any, check: PaperCheck | None) -> ImportedFile | None:
    """Keep the file or text that a new warband came from with it. Nothing for a roster typed from paper."""
    pks = list(warband.fighters.order_by("position", "pk").values_list("pk", flat=True))
    return keep_file(draft, warband, sender, pks, check)


def keep_file(
    draft: PaperDraft, warband: Warband, sender: Any, pks: list[int | None], check: PaperCheck | None
) -> ImportedFile | None:
    """Keep a draft's file with its warband. `pks` are the rows here of the fighters that were read, in their order."""
    data = bytes(draft.original) if draft.original else draft.text.encode("utf-8", "surrogatepass")
    if not data:
        return None
    key, brought = "", dict[str, Any]()
    if check is not None:
        roster = roster_of_draft(draft, warband.terms.game, warband.terms.content, check.data.list_id, draft.answers)
        key, keys = roster.reading.source_key, keys_read(roster.reading, check)
        document = document_under(warband.terms, check.reading.document)
        brought = {"document": document, "keys": keys, "pks": pks[: len(keys)], "facts": facts_of(check)}
    return ImportedFile.objects.create(
        warband=warband,
        sender=sender,
        name=draft.original_name or "roster.txt",
        format=draft.format or "text",
        data=data,
        source_key=key[:200],
        digest=digest_of(data),
        brought=brought,
    )


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def keys_read(reading: TextReading, check: PaperCheck) -> list[str]:
    """Return the other program's id of each fighter in the order of the document, "" for one without."""
    found = [
        f"{fighter.key}#{copy}" if fighter.key and copy else fighter.key
        for fighter in reading.fighters
        if not fighter.profile.left_out
        for copy in range(fighter.count)
    ]
    keys = {f"t{number}": key for number, key in enumerate(found, 1)}
    return [keys.get(key, "") for key in check.reading.keys]


def facts_of(check: PaperCheck) -> Mapping[str, Any]:
    """Return what a draft says of the strongbox; None where it says nothing."""
    return {"ducats": check.data.ducats, "glory": check.data.glory}
