"""Numbers about the site in the Prometheus text format. They never leave by the web server, only by `manage.py metrics`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.apps import apps
from django.db import connection
from django.db.models import Count, Min
from django.utils import timezone

Sample = tuple[str, float]  # labels and value
Metric = tuple[str, str, list[Sample]]  # name, help

COUNTED = (
    ("accounts.User", "accounts"),
    ("warbands.Warband", "warbands"),
    ("warbands.Event", "events"),
    ("campaigns.Campaign", "campaigns"),
    ("campaigns.Battle", "battles"),
    ("campaigns.Table", "tables"),
    ("warbands.ProblemReport", "problem reports"),
)


def metrics_text() -> str:
    """Return every metric. About a dozen queries, each over an index or a count."""
    lines = []
    for name, words, samples in _metrics():
        lines += [f"# HELP muster_roll_{name} {words}", f"# TYPE muster_roll_{name} gauge"]
        lines += [f"muster_roll_{name}{labels} {value:.10g}" for labels, value in samples]
    return "\n".join([*lines, ""])


def _metrics() -> Iterator[Metric]:
    counts = [(f'{{table="{name}"}}', float(_rows(label))) for label, name in COUNTED]
    yield "rows", "Rows that the site keeps.", counts
    yield "last_event_seconds", "Age of the newest recorded act.", [("", _age(_last_event()))]
    states = apps.get_model("notifications.Message").objects.values_list("state").annotate(count=Count("pk"))
    yield "messages", "Messages by what became of them.", [(f'{{state="{name}"}}', n) for name, n in states]
    tasks = apps.get_model("django_tasks_database.DBTaskResult").objects.values_list("status").annotate(n=Count("pk"))
    yield "tasks", "Long tasks by state.", [(f'{{state="{name.lower()}"}}', n) for name, n in tasks]
    due = apps.get_model("notifications.ClockJob").objects.aggregate(first=Min("next_at"))["first"]
    yield "clock_late_seconds", "How long the most overdue job of the clock has waited.", [("", _age(due))]
    yield "database_bytes", "Size of the database.", [("", _database_bytes())]


def _rows(label: str) -> int:
    rows: int = apps.get_model(label)._base_manager.count()
    return rows


def _last_event() -> datetime | None:
    newest = apps.get_model("warbands.Event").objects.order_by("-pk").values_list("at", flat=True)[:1]
    return next(iter(newest), None)


def _age(moment: datetime | None) -> float:
    return max(0.0, (timezone.now() - moment).total_seconds()) if moment is not None else 0.0


def _database_bytes() -> float:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
        else:
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return float(cursor.fetchone()[0])
