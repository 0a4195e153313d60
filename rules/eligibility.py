"""Who may hold something, as a part of a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from rules.content.compiled import Content
from rules.formatting import listed
from rules.vocabulary import Holder, Trait


def _trait(trait: Trait, content: Content) -> str:
    """A trait as a noun phrase: whom it means."""
    parts: list[str] = []
    whom = {"elite": "ELITE fighters", "troop": "troops", "mercenary": "mercenaries"}.get(trait.role, trait.role)
    if trait.keyword:
        parts.append(f"{content.keyword(trait.keyword)} {whom or 'fighters'}")
    elif trait.role:
        parts.append(whom)
    if trait.lacks_keyword:
        parts.append(f"{'' if parts else 'fighters '}without {content.keyword(trait.lacks_keyword)}")
    if trait.profile:
        parts.append(content.name("profile", trait.profile))
    carried = []
    if trait.item:
        carried.append(content.name("item", trait.item))
    if trait.item_keyword:
        carried.append(f"a weapon with {content.keyword(trait.item_keyword)}")
    if trait.item_group:
        carried.append(f"a {trait.item_group.replace('-', ' ')}")
    if carried:
        parts.append(f"{'' if parts else 'fighters '}carrying {listed(carried)}")
    if trait.upgrade:
        parts.append(f"{'' if parts else 'fighters '}with {content.name('upgrade', trait.upgrade)}")
    if trait.skill:
        parts.append(f"{'' if parts else 'fighters '}with {content.name('skill', trait.skill)}")
    if trait.base_at_most_mm:
        parts.append(f"bases of {trait.base_at_most_mm} mm or less")
    if trait.base_from_mm:
        parts.append(f"bases of {trait.base_from_mm} mm or more")
    return " ".join(part.strip() for part in parts)


def traits(many: Sequence[Trait], content: Content, link: str = "or") -> str:
    """Alternatives in words."""
    return listed((_trait(t, content) for t in many), link)


def holder_words(holder: Holder, content: Content, given: str = "") -> str:
    """Who may hold something, as a readable sentence part; "anyone" where nothing is asked."""
    if given:
        return given
    parts = []
    if holder.only_for:
        parts.append(f"{traits(holder.only_for, content)} only")
    if holder.and_also:
        parts.append(f"{'and ' if parts else ''}{traits(holder.and_also, content)} only")
    if holder.not_for:
        parts.append(f"not for {traits(holder.not_for, content)}")
    return "; ".join(parts) if parts else "anyone"
