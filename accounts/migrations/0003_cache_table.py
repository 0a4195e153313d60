"""The table behind the cache, where sign-in limits are counted: a server that was only migrated has it too."""

from django.conf import settings
from django.core.management import call_command
from django.db import migrations

DATABASE_CACHE = "django.core.cache.backends.db.DatabaseCache"


def create(apps, schema_editor):
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


def drop(apps, schema_editor):
    for cache in settings.CACHES.values():
        if cache["BACKEND"] == DATABASE_CACHE:
            name = schema_editor.connection.ops.quote_name(cache["LOCATION"])
            schema_editor.execute(f"DROP TABLE IF EXISTS {name}")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_user_takes_reset_links")]

    operations = [migrations.RunPython(create, drop)]
