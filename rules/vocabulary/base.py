"""Base classes of all words of the vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

Slug = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


class PackStruct(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of all structs of a pack: immutable, hashable, and strict about unknown keys."""


class RuleText(PackStruct, frozen=True, kw_only=True):
    """Base of entries that have a rule in our own words: `summary` is short enough to choose by, `details` are the rest of it."""

    details: str = ""

    if TYPE_CHECKING:

        @property
        def summary(self) -> str:
            """Return the rule in short. Each entry has it as a field, in its own place."""

    @property
    def words(self) -> str:
        """Return the whole rule."""
        return f"{self.summary} {self.details}".strip()


class EffectWord(PackStruct, frozen=True, tag_field="effect"):
    """Base of all effects: the changes made by a profile, ability, item, upgrade, skill, trauma, list rule or lasting find.

    A `warband_wide` effect reaches beyond the fighter or item that has it, so it is worked out for the warband as a
    whole.
    """

    warband_wide: ClassVar[bool] = False


class AimedEffect(EffectWord, frozen=True):
    """Base of the effects that a source may give only to some profiles. Empty: to all that it reaches."""

    for_profiles: tuple[str, ...] = ()
