"""The full page of one entry of the rules browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.browse import RuleDetail
from rules.content.compiled import Content
from rules.trench_crusade.browse import campaign, lists_and_kit
from rules.trench_crusade.browse.charts import charts_of
from rules.trench_crusade.browse.detail import TABLE_OF, Detail

Describe = Callable[[Detail, Any], None]

DESCRIBE: Mapping[str, Describe] = {
    "list": lists_and_kit.describe_list,
    "profile": lists_and_kit.describe_profile,
    "item": lists_and_kit.describe_item,
    "upgrade": lists_and_kit.describe_upgrade,
    "ability": lists_and_kit.describe_ability,
    "keyword": lists_and_kit.describe_keyword,
    "reference": lists_and_kit.describe_reference,
    "rule": lists_and_kit.describe_rule,
    "skill": campaign.describe_skill,
    "skill-table": campaign.describe_skill_table,
    "trauma": campaign.describe_trauma,
    "location": campaign.describe_location,
    "lasting": campaign.describe_lasting,
    "patron": campaign.describe_patron,
    "deed": campaign.describe_deed,
    "scenario": campaign.describe_scenario,
    "random-part": campaign.describe_random_part,
}
ALREADY_SHOWN = {  # tables whose mentions the page of a kind already shows
    "list": ("profiles", "items", "upgrades", "patrons", "lists"),
    "patron": ("lists",),
    "rule": ("lists",),
}
WITHOUT_MENTIONS = ("deed", "scenario", "random-part")


def detail_of(content: Content, kind: str, id_: str) -> RuleDetail | None:
    """Return one entry in full, or None if the edition has none of this kind and id. Computed once per content."""
    known: dict[tuple[str, str], RuleDetail] = content.cache.setdefault("details", {})
    if (kind, id_) not in known:
        found = _chart(content, id_) if kind == "table" else _entry(content, kind, id_)
        if found is None:
            return None
        known[kind, id_] = found
    return known[kind, id_]


def _chart(content: Content, id_: str) -> RuleDetail | None:
    for chart in charts_of(content):
        if chart.id == id_:
            detail = Detail(content, None)
            chart.show(detail)
            return detail.finish()
    return None


def _entry(content: Content, kind: str, id_: str) -> RuleDetail | None:
    table = TABLE_OF.get(kind, "")
    entry = next((entry for entry in getattr(content.pack, table) if entry.id == id_), None) if table else None
    if entry is None:
        return None
    detail = Detail(content, entry)
    DESCRIBE[kind](detail, entry)
    if kind not in WITHOUT_MENTIONS:
        detail.named_by(table, skip=ALREADY_SHOWN.get(kind, ()))
    return detail.finish()
