"""Keep each reset link that somebody made by hand: who made it, on what ground, and what became of it."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_cache_table")]

    operations = [
        migrations.CreateModel(
            name="ResetLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("maker_name", models.CharField(max_length=150)),
                ("place", models.CharField(max_length=80)),
                ("ground", models.CharField(max_length=40)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("refused_at", models.DateTimeField(blank=True, null=True)),
                ("refused_words", models.CharField(blank=True, max_length=200)),
                ("is_told", models.BooleanField(default=False)),
                (
                    "maker",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reset_links",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["-pk"]},
        ),
    ]
