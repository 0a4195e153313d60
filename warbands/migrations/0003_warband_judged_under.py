"""The mark of the terms under which a warband's rating and problems were judged."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("warbands", "0002_terms_coming"),
    ]

    operations = [
        migrations.AddField(
            model_name="warband",
            name="judged_under",
            field=models.CharField(blank=True, editable=False, max_length=16, default=""),
            preserve_default=False,
        ),
    ]
