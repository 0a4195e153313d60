"""Profiles that players write themselves."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("warbands", "0003_warband_judged_under"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Profile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("is_undone", models.BooleanField(default=False, editable=False)),
                ("system", models.CharField(max_length=40)),
                ("edition", models.CharField(max_length=20)),
                ("kind", models.CharField(max_length=40)),
                ("slug", models.SlugField(db_index=False, max_length=60)),
                ("name", models.CharField(max_length=80)),
                ("data", models.JSONField(blank=True, default=dict)),
                ("is_away", models.BooleanField(default=False)),
                ("version", models.PositiveIntegerField(default=0, editable=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("changed_at", models.DateTimeField(auto_now=True)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="profiles",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "terms",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="profiles",
                        to="warbands.terms",
                    ),
                ),
            ],
            options={
                "ordering": ["name", "pk"],
                "indexes": [models.Index(fields=["owner", "system", "kind"], name="profile_by_owner")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("is_undone", False)),
                        fields=("owner", "system", "slug"),
                        name="profile_slug_once_per_library",
                    )
                ],
            },
        ),
    ]
