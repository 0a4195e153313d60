"""Phrases that say who may hold something."""

from __future__ import annotations

from collections.abc import Sequence

from rules.content.compiled import Content
from rules.formatting import listed
from rules.translation import gettext as _
from rules.vocabulary import Holder, Trait


def _trait(trait: Trait, content: Content) -> str:
    whom = {"elite": _("ELITE fighters"), "troop": "troops", "mercenary": "mercenaries"}.get(trait.role, trait.role)
    if trait.keyword:
        whom = f"{content.keyword(trait.keyword)} {whom or 'fighters'}"
    parts = [whom] if whom else []
    if trait.lacks_keyword:
        parts.append(
            (_("without {keyword}") if parts else _("fighters without {keyword}")).format(
                keyword=content.keyword(trait.lacks_keyword)
            )
        )
    if trait.profile:
        parts.append(content.name("profile", trait.profile))
    for link, kind, names in (
        ("carrying", "", _carried(trait, content)),
        ("with", "upgrade", [trait.upgrade]),
        ("with", "skill", [trait.skill]),
    ):
        if any(names):
            thing = content.name(kind, names[0]) if kind else listed(names)
            parts.append(f"{'' if parts else 'fighters '}{link} {thing}")
    if trait.base_at_most_mm:
        parts.append(_("bases of {base_at_most_mm} mm or less").format(base_at_most_mm=trait.base_at_most_mm))
    if trait.base_from_mm:
        parts.append(_("bases of {base_from_mm} mm or more").format(base_from_mm=trait.base_from_mm))
    return " ".join(parts)


def _carried(trait: Trait, content: Content) -> list[str]:
    item = content.name("item", trait.item) if trait.item else ""
    keyword = (
        _("a weapon with {keyword}").format(keyword=content.keyword(trait.item_keyword)) if trait.item_keyword else ""
    )
    group = f"a {trait.item_group.replace('-', ' ')}" if trait.item_group else ""
    return [each for each in (item, keyword, group) if each]


def traits(many: Sequence[Trait], content: Content, link: str = "or") -> str:
    return listed((_trait(t, content) for t in many), link)


def holder_words(holder: Holder, content: Content, given: str = "") -> str:
    """Return who may hold something, as part of a sentence; "anyone" if nothing is required."""
    if given:
        return given
    parts = []
    if holder.only_for:
        parts.append(_("{traits} only").format(traits=traits(holder.only_for, content)))
    if holder.and_also:
        parts.append(
            (_("and {traits} only") if parts else _("{traits} only")).format(traits=traits(holder.and_also, content))
        )
    if holder.not_for:
        parts.append(_("not for {traits}").format(traits=traits(holder.not_for, content)))
    return "; ".join(parts) if parts else "anyone"
