"""The index of all named entries that the rules browser shows, for search and links."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rules.browse import RuleEntry
from rules.content.compiled import Content
from rules.formatting import listed
from rules.translation import gettext as _
from rules.trench_crusade.browse.charts import charts_of
from rules.trench_crusade.browse.detail import TABLE_OF
from rules.trench_crusade.namesakes import told_name


def entries_of(content: Content) -> tuple[RuleEntry, ...]:
    """Return every entry, sorted by kind and name. Cached with the content."""
    known: tuple[RuleEntry, ...] | None = content.cache.get("entries")
    if known is None:
        known = content.cache["entries"] = tuple(
            replace(entry, own=True) if (TABLE_OF.get(entry.kind, ""), entry.id) in content.own else entry
            for entry in _entries(content)
        )
    return known


def _entries(content: Content) -> Iterable[RuleEntry]:
    pack = content.pack
    own_rules = {rule for army in pack.lists if not army.third_party for rule in army.rules}
    foreign_rules = {rule for army in pack.lists if army.third_party for rule in army.rules} - own_rules
    for army in pack.lists:
        name = told_name(content, army.id)
        also = _short(army) if name == army.name else (*_short(army), army.name)
        words = army.summary or army.temper
        yield RuleEntry("list", army.id, name, words, army.name, also, army.third_party)
    tables: tuple[tuple[str, Iterable[Any]], ...] = (
        ("profile", pack.profiles),
        ("item", pack.items),
        ("upgrade", pack.upgrades),
        ("ability", pack.abilities),
        ("keyword", pack.keywords),
        ("skill", pack.skills),
        ("trauma", pack.traumas),
        ("rule", pack.rules),
        ("location", pack.locations),
        ("reference", pack.reference),
    )
    for kind, table in tables:
        for entry in table:
            also = (*_short(entry), *(_offered_as(content, entry.id) if kind == "upgrade" else ()))
            foreign = getattr(entry, "third_party", False) or (kind == "rule" and entry.id in foreign_rules)
            yield RuleEntry(kind, entry.id, entry.name, entry.words, entry.source, also, foreign)
    yield from _campaign_entries(content)


def _campaign_entries(content: Content) -> Iterable[RuleEntry]:
    pack = content.pack
    yield from _bare("lasting", pack.lasting)
    for patron in pack.patrons:
        skills = listed(content.name("skill", skill) for skill in patron.skills)
        yield RuleEntry(
            "patron", patron.id, patron.name, patron.summary or _("Skills: {skills}.").format(skills=skills)
        )
    yield from _bare("deed", pack.deeds)
    yield from _bare("scenario", pack.scenarios)
    for skill_table in pack.skill_tables:
        names = listed(
            content.name("skill", row.skill) if row.skill else _("a patron skill") for row in skill_table.rows
        )
        yield RuleEntry("skill-table", skill_table.id, skill_table.name, names)
    yield from _bare("random-part", pack.random_parts)
    for chart in charts_of(content):
        yield RuleEntry("table", chart.id, chart.name, chart.words)


def _bare(kind: str, entries: Iterable[Any]) -> Iterable[RuleEntry]:
    return (RuleEntry(kind, entry.id, entry.name, entry.words) for entry in entries)


def _short(entry: Any) -> tuple[str, ...]:
    short = getattr(entry, "short", "")
    return (short,) if short else ()


def _offered_as(content: Content, upgrade: str) -> Iterable[str]:
    """Return the names under which lists offer an upgrade."""
    return dict.fromkeys(o.name for o in content.pack.upgrade_offers if o.upgrade == upgrade and o.name)
