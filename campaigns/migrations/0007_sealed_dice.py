"""Adds the seal of the app's dice to a table, and the secret seed behind it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0006_words_of_choices"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="seal",
            field=models.CharField(blank=True, default="", max_length=64),
            preserve_default=False,
        ),
        migrations.CreateModel(
            name="DiceSeed",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seed", models.CharField(max_length=64)),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="dice_seed", to="campaigns.table"
                    ),
                ),
            ],
        ),
    ]
