"""The health checks of the site, for monitoring: is it up, and may people be sent to it?"""

import logging

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.access import public

log = logging.getLogger(__name__)
_is_migrated = False  # once true it stays true for this process


@public(reason="A watcher has no account; the answer says nothing but ok.")
@require_safe
@never_cache
def health_show(request: HttpRequest) -> HttpResponse:
    """Answer `ok` if the database answers. One query."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok", content_type="text/plain")


@public(reason="A load balancer has no account; the answer names what is missing in one word.")
@require_safe
@never_cache
def ready_show(request: HttpRequest) -> HttpResponse:
    """Answer `ok` if this process can serve people, else 503 and what is missing: database, migrations or cache."""
    missing = _missing()
    return HttpResponse(missing or "ok", status=503 if missing else 200, content_type="text/plain")


def _missing() -> str:
    global _is_migrated
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        if not _is_migrated:
            executor = MigrationExecutor(connection)
            if executor.migration_plan(executor.loader.graph.leaf_nodes()):
                return "migrations"
            _is_migrated = True
    except DatabaseError:
        log.warning("Not ready: the database does not answer.")
        return "database"
    try:
        cache.set("ready", 1, 60)
        return "" if cache.get("ready") == 1 else "cache"
    except Exception as error:  # each cache has errors of its own
        log.warning("Not ready: the cache does not answer: %s", type(error).__name__)
        return "cache"
