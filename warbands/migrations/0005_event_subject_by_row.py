"""What a row reads of as news, and an index by which the newest events of a row are found."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("warbands", "0004_profiles"),
    ]

    operations = [
        migrations.AddField(
            model_name="eventsubject",
            name="is_news",
            field=models.BooleanField(default=False),
        ),
        migrations.AddIndex(
            model_name="eventsubject",
            index=models.Index(fields=["label", "row_id", "event"], name="event_subject_by_row"),
        ),
        migrations.RemoveIndex(
            model_name="eventsubject",
            name="warbands_ev_label_b2adf6_idx",
        ),
    ]
