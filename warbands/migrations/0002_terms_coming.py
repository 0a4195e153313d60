"""House rules that hold from a day or a battle on."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("warbands", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="terms",
            name="coming",
            field=models.JSONField(blank=True, default=list),
        ),
    ]
