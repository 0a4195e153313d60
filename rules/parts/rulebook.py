"""The entries of the books, and the house rules that may replace them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from rules.browse import RuleDetail, RuleEntry

C_contra = TypeVar("C_contra", contravariant=True)


class RulebookPart(Protocol[C_contra]):
    """The entries of the books, and the house rules that may replace them."""

    def entries(self, content: C_contra) -> tuple[RuleEntry, ...]:
        """Return everything with a name, for search and links."""

    def entry(self, content: C_contra, kind: str, id_: str) -> RuleDetail | None:
        """Return one entry in detail; None if there is none of this kind and id."""

    def normal_form(self, content: C_contra) -> dict[str, Any]:
        """Return the pack in normal form, as `manage.py content` prints it."""

    def house_settings(self, content: C_contra) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return the settings that house rules may replace, and the open questions with their readings."""

    def check_house_rules(
        self, edition: str, house_rules: Mapping[str, Any], overlays: Sequence[str] = ()
    ) -> Mapping[str, tuple[str, ...]]:
        """Return what is wrong with these house rules, by setting; each sentence names the field.

        Raises Refusal if they cannot be read at all, KeyError for an unknown edition.
        """
