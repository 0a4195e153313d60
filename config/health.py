"""The health check of the site, for monitoring."""

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.access import public


@public(reason="A watcher has no account; the answer says nothing but ok.")
@require_safe
@never_cache
def health_show(request: HttpRequest) -> HttpResponse:
    """Answer `ok` if the database answers. One query."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok", content_type="text/plain")
