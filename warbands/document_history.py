"""The "record" of a roster document: money, notes and history beside the roster itself. It is untrusted input."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _

from rules.price import Price
from rules.problems import Refusal

MOST, MOST_PROMISES = 1_000_000, 50


class DocumentHistory:
    """A part of a document's record. Values that are missing or of the wrong type read as absent."""

    def __init__(self, data: Any) -> None:
        self.data: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        kit = self.data.get("kit")
        self._kit = [DocumentHistory(entry) for entry in kit] if isinstance(kit, list) else []

    def text(self, key: str) -> str:
        """Return a text, or ""."""
        value = self.data.get(key)
        return value if isinstance(value, str) else ""

    def price(self, key: str) -> Price | None:
        """Return an amount of money, or None. Raises Refusal if it is more than a strongbox can hold."""
        value = self.data.get(key)
        if not isinstance(value, Mapping):
            return None
        amounts = [value.get("ducats", 0), value.get("glory", 0)]
        if any(not isinstance(a, int) or isinstance(a, bool) or abs(a) > MOST for a in amounts):
            raise Refusal(_("The record's “{key}” is not an amount of money.").format(key=key), code="unreadable")
        if key in ("paid", "budget") and min(amounts) < 0:
            raise Refusal(_("The record's “{key}” is below 0.").format(key=key), code="unreadable")
        return Price(ducats=amounts[0], glory=amounts[1])

    def moment(self, key: str) -> datetime | None:
        """Return a time in the past, or None."""
        try:
            found = datetime.fromisoformat(self.text(key))
        except ValueError:
            return None
        if found.tzinfo is None:
            found = found.replace(tzinfo=UTC)
        try:
            return found if found <= datetime.now(UTC) else None
        except (OverflowError, ValueError):
            return None

    def promises(self) -> list[DocumentHistory]:
        kept = self.data.get("promises")
        found = [DocumentHistory(entry) for entry in kept[:MOST_PROMISES]] if isinstance(kept, list) else []
        return [promise for promise in found if promise.text("kind") and promise.text("words")]

    def fighter(self, place: int, name: str) -> DocumentHistory:
        """Return the history of the fighter at this index of the roster, if the names agree."""
        fighters = self.data.get("fighters")
        if not isinstance(fighters, list) or place >= len(fighters):
            return DocumentHistory({})
        kept = DocumentHistory(fighters[place])
        return kept if kept.text("name") == name else DocumentHistory({})

    def item(self, item_id: str) -> DocumentHistory:
        """Return the history of the next item of this kind. Each entry is returned once."""
        for place, entry in enumerate(self._kit):
            if entry.text("item") == item_id:
                return self._kit.pop(place)
        return DocumentHistory({})

    def upgrade_price(self, upgrade: str) -> Price | None:
        """Return the price paid for an upgrade, or None."""
        paid = self.data.get("upgrades")
        return DocumentHistory(paid[upgrade]).price("paid") if isinstance(paid, Mapping) and upgrade in paid else None

    def history(self) -> dict[str, Any]:
        found = {key: self.data[key] for key in ("events", "ledger") if isinstance(self.data.get(key), list)}
        return {"record": found} if found else {}
