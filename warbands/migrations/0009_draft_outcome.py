from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("warbands", "0008_print_setups"),
    ]

    operations = [
        migrations.AddField(
            model_name="rosterdraft",
            name="outcome",
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
    ]
