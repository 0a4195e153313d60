"""Hash chains: each act of a warband or a campaign as a link."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("warbands", "0016_files_brought_again"),
    ]

    operations = [
        migrations.CreateModel(
            name="Chain",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("label", models.CharField(max_length=60)),
                ("row_id", models.BigIntegerField()),
                ("uid", models.UUIDField(default=uuid.uuid4, unique=True)),
                ("length", models.PositiveIntegerField(default=0)),
                ("head", models.CharField(blank=True, max_length=64)),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [models.UniqueConstraint(fields=("label", "row_id"), name="chain_once_per_row")],
            },
        ),
        migrations.CreateModel(
            name="ChainLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("event_uid", models.UUIDField()),
                ("digest", models.CharField(max_length=64)),
                ("hash", models.CharField(max_length=64)),
                ("names", models.BooleanField(default=True)),
                (
                    "chain",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="links", to="warbands.chain"
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="links",
                        to="warbands.event",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [models.UniqueConstraint(fields=("chain", "number"), name="chain_numbers_once")],
            },
        ),
    ]
