"""What a database does to answer the queries of a page: which of them walk through a table that grows with the site."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

# What a season adds to. Tables of a few rows each (rounds, terms, users of one page) are read as the database likes.
GROWS = (
    "warbands.Event", "warbands.EventSubject", "warbands.Change", "warbands.LedgerEntry", "warbands.Fighter", "warbands.Item",
    "warbands.Warband", "warbands.Snapshot", "campaigns.Battle", "campaigns.Side", "campaigns.Report", "campaigns.PostBattle",
    "campaigns.Table", "campaigns.TableAct", "campaigns.Seat", "campaigns.Capture", "accounts.User",
)  # fmt: skip
SMALL = 1000  # a scan that looks at so few rows is no walk: of a table that fits into some pages it is the best plan there is
# These read a campaign's own rows, all of them, and nothing else: the standings, the sum of its battles; and a booklet's page, which
# looks through the names of its fighters for letters that no font has. Each by what only it asks, with all the tables that it reads.
ITS_OWN = {
    'COUNT("campaigns_side"."id") FILTER': {"campaigns_side", "campaigns_battle"},
    '"warbands_fighter"."name"::text ~ ': {"warbands_fighter", "campaigns_seat"},
}
READ = re.compile(r'(?:FROM|JOIN) "(\w+)"')


@dataclass(frozen=True, slots=True)
class Scan:
    """A step of a plan that looks at many rows of a table that grows."""

    table: str
    rows: int
    sql: str

    def __str__(self) -> str:
        return f"{self.rows} rows of {self.table} for {self.sql[:600]}"


def growing() -> frozenset[str]:
    """The names of the tables that grow."""
    return frozenset(apps.get_model(label)._meta.db_table for label in GROWS)


def scans_of(client: Client, path: str) -> list[Scan]:
    """The scans of a page's queries that look at more than a few rows of a growing table. PostgreSQL only."""
    client.get(path)  # what is kept per process is there then
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(path)
    assert answer.status_code == 200, path
    return [scan for query in captured for scan in scans(query["sql"])]


def scans(sql: str) -> Iterator[Scan]:
    """The scans of one query."""
    if not sql.startswith(("SELECT", "(SELECT")) or reads_its_own(sql):
        return
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) {sql}")
        (plan,) = cursor.fetchone()
    tables = growing()
    for step in _steps((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]):
        rows = (step["Actual Rows"] + step.get("Rows Removed by Filter", 0)) * step["Actual Loops"]
        if step.get("Relation Name") in tables and rows > SMALL:
            yield Scan(f"{step['Relation Name']} ({step['Node Type']})", rows, sql)


def reads_its_own(sql: str) -> bool:
    """Whether a query is one of those that read all of a campaign's own rows, from the tables known for it and from no other."""
    return any(asked in sql and set(READ.findall(sql)) == tables for asked, tables in ITS_OWN.items())


def _steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from _steps(part)
