"""Indexes by which what is open in one campaign is found among all battles and captives of the site."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0004_news"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="battle",
            index=models.Index(fields=["campaign", "status"], name="battle_by_status"),
        ),
        migrations.AddIndex(
            model_name="battle",
            index=models.Index(
                condition=models.Q(("is_undone", False), ("status", "reported")),
                fields=["campaign", "confirm_by"],
                name="battle_to_confirm",
            ),
        ),
        migrations.AddIndex(
            model_name="capture",
            index=models.Index(
                condition=models.Q(("captor__isnull", True), ("is_undone", False), ("status", "held")),
                fields=["battle"],
                name="capture_held_by_guest",
            ),
        ),
    ]
